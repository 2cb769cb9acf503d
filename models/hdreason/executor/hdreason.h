/* The executor of the knowledge graph accelerator HDReason (models/hdreason/README.md). */
#pragma once

#include "executor/executor.h"

extern const struct dse_executor hdreason_executor;
