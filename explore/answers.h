/* The named designs of the default question, for those who hold them to a simulation. */
#pragma once

#include "validation/validation.h"

/* Of each data set's front the corners, as `sweep` without other words names them. */
dse_answering dse_answers_each;
