/* Registered families, each with its model and executor. A new family is one line here; the first is the default. */
#include "models/described/described.h"

struct dse_executor; /* complete in executor/executor.h */
const struct dse_model_files dse_model_files = {dse_described_open, dse_described_read, dse_described_latest};

#define FAMILIES(FAMILY) \
    FAMILY(nysx)         \
    FAMILY(hydraf)       \
    FAMILY(gat)          \
    FAMILY(hdreason)     \
    FAMILY(smgpu)

#define DECLARED(name)                                   \
    extern const struct dse_model_family name##_model_family; \
    extern const struct dse_executor name##_executor;
#define MODEL(name) &name##_model_family,
#define EXECUTOR(name) &name##_executor,

FAMILIES(DECLARED)
const struct dse_model_family *const dse_model_registry[] = {FAMILIES(MODEL) NULL};
const struct dse_executor *const dse_executor_registry[] = {FAMILIES(EXECUTOR) NULL};
