/* One line a family. */
#include "executor/gat/gat.h"
#include "executor/hdreason/hdreason.h"
#include "executor/hydraf/hydraf.h"
#include "executor/nysx/nysx.h"
#include "executor/smgpu/smgpu.h"

const struct dse_executor *const dse_executor_registry[] = {
    &nysx_executor,
    &hydraf_executor,
    &gat_executor,
    &hdreason_executor,
    &smgpu_executor,
    NULL,
};
