/* The executor of the knowledge graph accelerator HDReason (models/hdreason/microarchitecture.md). */
#pragma once

#include "executor/executor.h"

extern const struct dse_executor hdreason_executor;
