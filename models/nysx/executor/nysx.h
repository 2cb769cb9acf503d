/* The executor of the NysX family. */
#ifndef DSE_EXECUTOR_NYSX_NYSX_H
#define DSE_EXECUTOR_NYSX_NYSX_H

#include "executor/executor.h"

extern const struct dse_executor nysx_executor;

#endif
