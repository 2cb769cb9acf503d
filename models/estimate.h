/* The models' whole answer for one configuration. */
#pragma once

#include "models/model.h"
#include "models/path.h"

/* The basis of an estimate: one board, one workload. Nothing is owned. */
struct dse_setup {
    const struct dse_model_family *family;
    const struct dse_space *space;
    const struct dse_board *board;
    const struct dse_costs *costs;
    const struct dse_workload *workload;
    double headroom; /* as in dse_board_limits */
    const double *fitted; /* values in place of the family's fitted constants, or NULL */
    void *work; /* the family's prepared workload, kept for many estimates; NULL: prepared for each estimate */
    const struct dse_path_delays *delays; /* replace the board's delays in the estimate of the reachable clock; or NULL */
};

enum dse_bound { DSE_BOUND_COMPUTE, DSE_BOUND_MEMORY };

/* An engine's share of the answer. */
struct dse_engine_estimate {
    struct dse_accumulators sums;
    int64_t cycles;   /* busy and fill of a mean graph over all stages */
    double latency_s; /* the same, or the time of its bytes where that is longer */
    int64_t bytes;
    double energy_j; /* dynamic */
    enum dse_bound bound;
};

struct dse_stage_estimate {
    int64_t cycles;
    double latency_s;
    enum dse_bound bound;
};

struct dse_estimate {
    struct dse_config config;
    struct dse_platform platform;
    struct dse_accumulators sums;
    struct dse_stage_estimate stages[DSE_STAGE_MAX];    /* the family's stage_count */
    double metrics[DSE_METRIC_COUNT];                 /* at nominal constants; the quality is NaN */
    double low[DSE_METRIC_COUNT], high[DSE_METRIC_COUNT]; /* at the ends of their bands */
    /* Dynamic power of a mean graph by what draws it, at each band: with the static power they add up to the metric. */
    double term_w[3][DSE_POWER_TERM_COUNT];
    struct dse_clock_limit clock; /* the slowest path between registers; ns is 0 if no block notes one */
    struct dse_provenance provenance; /* the cost entries that it rests on */
    struct dse_refusal refusal; /* set if the design cannot be built for the board; all other members are then meaningless */
    bool fits;
    int worst;        /* the resource that exceeds its limit by most, or −1 */
    size_t bottleneck; /* the engine that the longest stage waits for */
    struct dse_engine_estimate engines[DSE_ENGINE_MAX]; /* the family's engine_count; those behind are never written */
};

/* Evaluates a configuration (made canonical first). Three costs of every block: tens of microseconds. */
enum dse_status dse_estimate_make(const struct dse_setup *setup, const struct dse_config *config,
                                  struct dse_estimate *out, struct dse_error *err);

/* The same for one design that has to be there: DSE_ANSWER_NO, with the reason, where it cannot be built. */
enum dse_status dse_estimate_built(const struct dse_setup *setup, const struct dse_config *config,
                                   struct dse_estimate *out, struct dse_error *err);
