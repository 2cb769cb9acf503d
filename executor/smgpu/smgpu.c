#include "executor/smgpu/smgpu.h"

#include "datasets/graphs.h"
#include "executor/smgpu/model.h"

/* What is worth trying on a new set besides the preset's. */
static const char *const surveyed_dims[] = {"2000", NULL}, *const surveyed_recall[] = {"prototypes", NULL};
static const struct dse_survey_axis survey[] = {{"dim", surveyed_dims}, {"recall", surveyed_recall}};

const struct dse_executor smgpu_executor = {
    .family = "smgpu",
    .kind = &dse_kind_graphs,
    .quality_name = "accuracy",
    .higher_is_better = true,
    .compared = "hypervectors",
    .board = "u280",
    .split_stream = SMGPU_STREAM_SPLIT,
    .knobs = &smgpu_knobs,
    .survey = survey,
    .survey_count = sizeof survey / sizeof *survey,
    .model = &smgpu_model_form,
    .fit = smgpu_train,
    .infer = smgpu_infer,
    .profile = smgpu_profile,
    .simulate = smgpu_simulate,
    .work = smgpu_model_work,
    .program = smgpu_program_simulate,
    .translate = smgpu_program_translate,
};
