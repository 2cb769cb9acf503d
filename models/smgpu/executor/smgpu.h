/* The executor of the SMGPU: graphs classified by its four engines, and programs of its instructions. */
#pragma once

#include "executor/executor.h"

extern const struct dse_executor smgpu_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan smgpu_race;
