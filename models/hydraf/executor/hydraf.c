#include "models/hydraf/executor/model.h"
#include "models/hydraf/executor/streams.h"

/* Settings to try on a new table besides the preset's: choices of the paper's Table I. */
static const char *const surveyed_dims[] = {"512", "1024", NULL};
static const char *const surveyed_clusters[] = {"2", "4", NULL};
static const struct dse_survey_axis survey[] = {{"dim", surveyed_dims}, {"clusters", surveyed_clusters}};

static const char *const metrics[] = {"mse", "rmse", "mae", "r2", NULL};

const struct dse_executor hydraf_executor = {
    .family = "hydraf",
    .kind = &dse_kind_table,
    .quality_name = "quality",
    .metrics = metrics,
    .higher_is_better = true,
    .compared = "predictions",
    .board = "u200",
    .answers = "task=infer",
    .knobs = &hydraf_knobs,
    .survey = survey,
    .survey_count = sizeof survey / sizeof *survey,
    .race = &hydraf_race,
    .model = &hydraf_model_form,
    .split_stream = HYDRAF_STREAM_SPLIT,
    .fit = hydraf_train,
    .infer = hydraf_infer,
    .profile = hydraf_profile,
    .simulate = hydraf_simulate,
    .fetches = "port",
    .work = hydraf_model_work,
    .pack = hydraf_pack,
    .cases = hydraf_cases,
};
