/* The executor of the HyDRAF family: hyperdimensional regression with online learning. */
#ifndef DSE_EXECUTOR_HYDRAF_HYDRAF_H
#define DSE_EXECUTOR_HYDRAF_HYDRAF_H

#include "executor/executor.h"

extern const struct dse_executor hydraf_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan hydraf_race;

#endif
