/* The parsed setting of a HyDRAF training run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/setting.h"
#include "core/status.h"
#include "datasets/dataset.h"
#include "models/hydraf/knobs.h"

struct hydraf_setting {
    size_t dim, clusters, batch; /* D, K, N; a batch of 1 is online learning */
    enum hydraf_precision precision;
    bool bias;             /* a constant feature, with a base hypervector like any other */
    size_t epochs;         /* at most; training ends earlier if the quality stabilises */
    double rate;           /* α: share of its error that a batch of mean samples removes */
    double cluster_rate;   /* γ: the same for the cluster's similarity */
    double sharpness;      /* initial standard deviation of a row's similarities at the softmax */
    bool shared;           /* each regression hypervector takes the error times its confidence; otherwise each takes all of it */
    bool relative;         /* a cluster's loss is the improvement by its own prediction; otherwise the sample's loss */
    bool weighted;         /* the coordinate list's values are confidences; otherwise 1 */
    bool stochastic;       /* rounding of whole elements */
};

/* Checks the words (dse_knobs_trained_values) and reads them. */
enum dse_status hydraf_setting_parse(const struct dse_setting *words, struct hydraf_setting *out,
                                     struct dse_error *err);
