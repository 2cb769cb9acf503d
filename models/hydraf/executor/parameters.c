#include "models/hydraf/executor/parameters.h"

enum dse_status hydraf_setting_parse(const struct dse_setting *words, struct hydraf_setting *out,
                                     struct dse_error *err)
{
    double v[DSE_KNOB_MAX];
    DSE_TRY(dse_knobs_trained_values(&hydraf_knobs, words, v, err));
    *out = (struct hydraf_setting){
        .dim = (size_t)v[HYDRAF_DIM],
        .clusters = (size_t)v[HYDRAF_CLUSTERS],
        .batch = (size_t)v[HYDRAF_BATCH],
        .precision = (enum hydraf_precision)v[HYDRAF_PRECISION],
        .bias = v[HYDRAF_BIAS] == 1,
        .epochs = (size_t)v[HYDRAF_EPOCHS],
        .rate = v[HYDRAF_RATE],
        .cluster_rate = v[HYDRAF_CLUSTER_RATE],
        .sharpness = v[HYDRAF_SHARPNESS],
        .shared = v[HYDRAF_SHARING] == HYDRAF_BY_CONFIDENCE,
        .relative = v[HYDRAF_CLUSTER_LOSS] == HYDRAF_LOSS_RELATIVE,
        .weighted = v[HYDRAF_CLUSTER_WEIGHT] == HYDRAF_WEIGHT_CONFIDENCE,
        .stochastic = v[HYDRAF_ROUNDING] == HYDRAF_STOCHASTIC,
    };
    return DSE_OK;
}
