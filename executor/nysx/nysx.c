#include "executor/nysx/nysx.h"

#include "executor/nysx/model.h"
#include "executor/nysx/preset.h"

const struct dse_executor nysx_executor = {
    .family = "nysx",
    .parameters = nysx_parameters,
    .parameter_count = NYSX_PARAMETER_COUNT,
    .preset = nysx_preset,
    .train = nysx_train,
    .infer = nysx_infer,
    .profile = nysx_profile,
    .simulate = nysx_simulate,
    .save = nysx_model_save,
    .load = nysx_model_load,
    .free_model = nysx_model_free,
    .describe = nysx_model_describe,
    .work = nysx_model_work,
    .pack = nysx_model_pack,
};
