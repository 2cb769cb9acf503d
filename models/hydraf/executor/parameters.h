/* The setting of a HyDRAF training as its code reads it. */
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
    size_t epochs;         /* at most: training ends when the quality stabilises */
    double rate;           /* α: share of its error that a batch of mean samples takes away */
    double cluster_rate;   /* γ: the same for the cluster's similarity */
    double sharpness;      /* standard deviation of a row's similarities as the softmax sees them at first */
    bool shared;           /* each regression hypervector takes the error by its confidence; else all take all of it */
    bool relative;         /* a cluster's loss is how far its own prediction would have helped; else the sample's loss */
    bool weighted;         /* the coordinate list's values are confidences; else 1 */
    bool stochastic;       /* rounding of whole elements */
};

/* Checks the words (dse_knobs_trained_values) and reads them. */
enum dse_status hydraf_setting_parse(const struct dse_setting *words, struct hydraf_setting *out,
                                     struct dse_error *err);
