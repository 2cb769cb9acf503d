/* Named designs of the default question, for comparison with a simulation. */
#pragma once

#include "validation/validation.h"

/* The corners of each data set's front, as `sweep` without options names them. */
dse_answering dse_answers_each;
