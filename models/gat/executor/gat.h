/* The executor of the graph attention accelerator: LayerBreak-GAT and Streamline-GAT. */
#pragma once

#include "executor/executor.h"

extern const struct dse_executor gat_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan gat_race;
