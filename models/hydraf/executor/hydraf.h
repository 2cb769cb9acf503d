/* The executor of the HyDRAF family: hyperdimensional regression with online learning. */
#pragma once

#include "executor/executor.h"

extern const struct dse_executor hydraf_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan hydraf_race;
