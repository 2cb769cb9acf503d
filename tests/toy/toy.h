/* An artificial family, as small as possible: a linear model of a table's target. It is built into a separate program (CMakeLists.txt),
 * and shows what a family must provide, and that no other code must know it. */
#pragma once

#include "executor/executor.h"
#include "models/model.h"

enum toy_knob { TOY_TERMS, TOY_LANES, TOY_BUFFERS, TOY_UNITS, TOY_CLOCK_MHZ, TOY_KNOB_COUNT };

extern const struct dse_knobs toy_knobs;
extern const struct dse_executor toy_executor;
extern const struct dse_model_family toy_model_family;
