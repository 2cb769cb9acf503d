/* The families that have models. A new family is one line here. */
#include "models/gat/gat.h"
#include "models/hdreason/hdreason.h"
#include "models/hydraf/hydraf.h"
#include "models/nysx/nysx.h"
#include "models/smgpu/smgpu.h"

const struct dse_model_family *const dse_model_registry[] = {
    &nysx_model_family,
    &hydraf_model_family,
    &gat_model_family,
    &hdreason_model_family,
    &smgpu_model_family,
    NULL,
};
