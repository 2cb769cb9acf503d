#include "models/nysx/executor/nysx.h"

#include "models/nysx/executor/model.h"
#include "models/nysx/executor/streams.h"

/* Landmark counts to try on a new data set besides the preset's. */
static const char *const surveyed_landmarks[] = {"32", "64", "100", "150", "200", NULL};
static const struct dse_survey_axis survey[] = {{"landmarks", surveyed_landmarks}};

/* Adapted prototypes lose their benefit if stored in one bit. */
static const char *const nysx_implied[][3] = {{"retrain", "sce.prototype_bits", "8"}, {"prototypes", "retrain", "0"}};

/* The RTL has a resident projection only in BRAM. */
static void assume(const struct dse_model *model, const struct dse_run *run, struct dse_config *config)
{
    (void)model;
    if (run->in_rtl)
        config->value[NYSX_PLACE_P] = NYSX_PLACE_BRAM;
}

const struct dse_executor nysx_executor = {
    .family = "nysx",
    .kind = &dse_kind_graphs,
    .quality_name = "accuracy",
    .metrics = dse_class_metrics,
    .higher_is_better = true,
    .compared = "hypervectors",
    .board = "zcu104",
    .knobs = &nysx_knobs,
    .ranks = "graphhd",
    .implied = nysx_implied,
    .implied_count = sizeof nysx_implied / sizeof *nysx_implied,
    .survey = survey,
    .survey_count = sizeof survey / sizeof *survey,
    .race = &nysx_race,
    .model = &nysx_model_form,
    .preset = nysx_preset,
    .serves = nysx_serves,
    .remark = nysx_remark,
    .split_stream = NYSX_STREAM_SPLIT,
    .fit = nysx_fit,
    .infer = nysx_infer,
    .profile = nysx_profile,
    .simulate = nysx_simulate,
    .assume = assume,
    .work = nysx_model_work,
    .pack = nysx_model_pack,
    .rtl = nysx_model_rtl,
    .cases = nysx_model_cases,
};
