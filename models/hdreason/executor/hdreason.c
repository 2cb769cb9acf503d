#include "models/hdreason/executor/model.h"

static const char *const metrics[] = {"hits1", "hits3", "hits10", "mean_rank", "loss", NULL};

const struct dse_executor hdreason_executor = {
    .family = "hdreason",
    .kind = &dse_kind_triples,
    .quality_name = "mrr",
    .metrics = metrics,
    .higher_is_better = true,
    .compared = "ranks",
    .board = "u50",
    .answers = "task=infer",
    .untrained = "epochs=0",
    .costly = true,
    .race = &hdreason_race,
    .knobs = &hdreason_knobs,
    .model = &hdreason_model_form,
    .split_stream = HDR_STREAM_SPLIT,
    .fit = hdreason_train,
    .infer = hdreason_infer,
    .predictions = hdreason_predictions,
    .profile = hdreason_profile,
    .simulate = hdreason_simulate,
    .pack = hdreason_pack,
    .cases = hdreason_cases,
};
