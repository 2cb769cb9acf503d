/* Complete model result for one configuration. */
#pragma once

#include "models/model.h"
#include "models/path.h"

/* Inputs of an estimate: one board, one workload. Owns nothing. */
struct dse_setup {
    const struct dse_model_family *family;
    const struct dse_space *space;
    const struct dse_board *board;
    const struct dse_costs *costs;
    const struct dse_workload *workload;
    double headroom; /* as in dse_board_limits */
    const double *fitted; /* override the family's fitted constants, or NULL */
    void *work; /* the family's prepared workload, reused over many estimates; NULL: prepared for each estimate */
    const struct dse_path_delays *delays; /* replace the board's delays in the estimate of the reachable clock; or NULL */
};

enum dse_bound { DSE_BOUND_COMPUTE, DSE_BOUND_MEMORY };

/* Result for one engine. */
struct dse_engine_estimate {
    struct dse_accumulators sums;
    int64_t cycles;   /* busy and fill cycles of a mean graph over all stages */
    double latency_s; /* time of the same cycles, or of the transfer of its bytes if longer */
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
    double low[DSE_METRIC_COUNT], high[DSE_METRIC_COUNT]; /* at the ends of the constants' bands */
    /* Dynamic power of a mean graph by consumer, at each band; with the static power they add up to the metric. */
    double term_w[3][DSE_POWER_TERM_COUNT];
    struct dse_clock_limit clock; /* the slowest path between registers; ns is 0 if no block notes one */
    struct dse_provenance provenance; /* cost entries used */
    struct dse_rejection rejection; /* set if the design cannot be built for the board; all other members are then meaningless */
    bool assumed; /* its workload is, in part */
    bool fits;
    int worst;        /* resource that exceeds its limit by the largest factor, or −1 */
    size_t bottleneck; /* engine that limits the longest stage */
    struct dse_engine_estimate engines[DSE_ENGINE_MAX]; /* the family's engine_count; the rest is not written */
};

/* Evaluates a configuration (made canonical first). Evaluates every block three times: tens of microseconds. */
enum dse_status dse_estimate_make(const struct dse_setup *setup, const struct dse_config *config,
                                  struct dse_estimate *out, struct dse_error *err);

/* As dse_estimate_make, for a design that must be feasible: DSE_ANSWER_NO, with the reason, if it cannot be built. */
enum dse_status dse_estimate_built(const struct dse_setup *setup, const struct dse_config *config,
                                   struct dse_estimate *out, struct dse_error *err);
