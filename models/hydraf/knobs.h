/* The knobs of HyDRAF (listed in docs/reference/knobs.md): their names in models and executor, and their words. */
#pragma once

#include "space/knob.h"

/* The order of each enum is the order of the knob's words in the table. */
enum hydraf_precision { HYDRAF_FP32, HYDRAF_INT16, HYDRAF_INT8 };
enum hydraf_sharing { HYDRAF_EQUAL, HYDRAF_BY_CONFIDENCE };
enum hydraf_cluster_loss { HYDRAF_LOSS_PLAIN, HYDRAF_LOSS_RELATIVE };
enum hydraf_cluster_weight { HYDRAF_WEIGHT_ONE, HYDRAF_WEIGHT_CONFIDENCE };
enum hydraf_rounding { HYDRAF_NEAREST, HYDRAF_STOCHASTIC };
enum hydraf_select { HYDRAF_COO, HYDRAF_DENSE };
enum hydraf_encoding { HYDRAF_OFF_CHIP, HYDRAF_ON_CHIP };
enum hydraf_task { HYDRAF_INFER, HYDRAF_TRAIN, HYDRAF_FIT };

/* Bounds that also size tables. */
#define HYDRAF_CLUSTERS_MAX 256
#define HYDRAF_BATCH_MAX 256

enum hydraf_knob {
#define KNOB(id, ...) HYDRAF_##id,
#include "models/hydraf/table.def"
#undef KNOB
    HYDRAF_KNOB_COUNT
};

extern const struct dse_knobs hydraf_knobs;
