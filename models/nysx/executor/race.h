/* The settings that a survey of a new data set races through. */
#ifndef DSE_EXECUTOR_NYSX_RACE_H
#define DSE_EXECUTOR_NYSX_RACE_H

#include "executor/executor.h"

/* What loses least of a factored projection (docs/accuracy.md), with landmarks that small sets have too. */
#define NYSX_RACED_FACTOR "nee.generator=sign nee.phi_bits=8 landmarks=64"

extern const struct dse_race_plan nysx_race;

#endif
