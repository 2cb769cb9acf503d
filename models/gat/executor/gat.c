#include "datasets/nodes.h"
#include "models/gat/executor/model.h"

/* Settings to try on a new graph besides the preset's. */
static const char *const surveyed_channels[] = {"8", NULL};
static const struct dse_survey_axis survey[] = {{"channels", surveyed_channels}};

const struct dse_executor gat_executor = {
    .family = "gat",
    .kind = &dse_kind_nodes,
    .quality_name = "accuracy",
    .metrics = dse_class_metrics,
    .higher_is_better = true,
    .compared = "scores of all classes",
    .board = "zcu106",
    .at_once = true,
    .knobs = &gat_knobs,
    .survey = survey,
    .survey_count = sizeof survey / sizeof *survey,
    .race = &gat_race,
    .model = &gat_model_form,
    .split_stream = GAT_STREAM_SPLIT,
    .fit = gat_train,
    .infer = gat_infer,
    .profile = gat_profile,
    .simulate = gat_simulate,
    .assume = gat_assume,
    .storage = gat_storage,
    .pack = gat_pack,
    .cases = gat_cases,
};
