/* The executor of the knowledge graph accelerator HDReason (models/hdreason/README.md). */
#ifndef DSE_EXECUTOR_HDREASON_HDREASON_H
#define DSE_EXECUTOR_HDREASON_HDREASON_H

#include "executor/executor.h"

extern const struct dse_executor hdreason_executor;

#endif
