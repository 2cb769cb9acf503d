/* The registries of the program with the toy: in place of the library's own. */
#include "executor/hydraf/hydraf.h"
#include "executor/nysx/nysx.h"
#include "models/hydraf/hydraf.h"
#include "models/nysx/nysx.h"
#include "tests/toy/toy.h"

const struct dse_executor *const dse_executor_registry[] = {&nysx_executor, &hydraf_executor, &toy_executor, NULL};

const struct dse_model_family *const dse_model_registry[] = {&nysx_model_family, &hydraf_model_family, &toy_model_family, NULL};
