/* What-if: a baseline beside a change, what each knob alone would bring, and the least change that meets a target. */
#pragma once

#include "datasets/profile.h"
#include "models/estimate.h"
#include "search/question.h"

/* Inputs of a comparison. Nothing is owned. */
struct dse_whatif {
    struct dse_setup setup; /* its workload is not looked at: each design takes that of its own setting */
    const struct dse_profile *profile;
};

/* A design with the setup that it was judged by. */
struct dse_whatif_design {
    struct dse_setup setup;
    struct dse_estimate estimate;
    const struct dse_quality *quality; /* NULL where nothing was measured at its setting */
};

/* Evaluates one design, its quality included where it was measured. DSE_BAD_USAGE where the profile has no work for its
 * algorithmic setting; one that cannot be built says so in its estimate. */
enum dse_status dse_whatif_evaluate(const struct dse_whatif *whatif, const struct dse_config *config,
                                    struct dse_whatif_design *out, struct dse_error *err);

/* to / from; 1 where both are 0, infinity where only `from` is, NaN where either is NaN. */
double dse_whatif_ratio(double from, double to);

/* One knob moved alone. */
struct dse_whatif_move {
    size_t knob;
    int64_t value;
    double ratio[DSE_METRIC_COUNT]; /* moved / base */
    bool fits;
};

struct dse_whatif_moves {
    struct dse_whatif_move *moves; /* count; the knob of the largest effect first, its values from best to worst */
    size_t count;
    size_t unbuildable;  /* values that the board cannot have */
    size_t not_profiled; /* values for which the profile holds no work */
};

/* Moves each knob that matters in `base` alone through its domain and ranks by the effect on `metric`: the largest
 * factor up or down. O(values of all domains) estimates. */
enum dse_status dse_whatif_sensitivity(const struct dse_whatif *whatif, const struct dse_config *base,
                                       enum dse_metric metric, struct dse_whatif_moves *out, struct dse_error *err);
void dse_whatif_moves_free(struct dse_whatif_moves *moves);

/* The knobs that differ: those that matter in `changed` and have another value in `base`. What a knob brings along (the
 * defaults of knobs that begin to matter with it) does not count. Both canonical. */
dse_knob_set dse_whatif_changes(const struct dse_space *space, const struct dse_config *base,
                                const struct dse_config *changed);

/* The design nearest to a base that holds a question's limits. */
struct dse_least_change {
    bool found;
    char why[256];        /* where there is none: how far the space reaches */
    struct dse_config config;
    size_t changes;       /* knobs that differ; where the search was ended, none with fewer is known to do */
    size_t known;         /* so many suffice; 0 where that is not known */
    bool cut;             /* the search was ended: among designs with as many changes another may be better */
    uint64_t space_size;  /* configurations among which there is none with fewer changes */
    uint64_t evaluated;   /* designs evaluated whole */
    double best;          /* what the whole space can reach of the first objective */
};

/* The feasible configuration of `question` that differs from its base in the fewest
 * knobs; at a tie the best in the first objective. Exact: iterative deepening over the number of changes, on
 * the tables of groups (search/groups.h). A partial design is pruned if even the least of every remaining group
 * breaks a limit. The question's alternatives must contain the base's setting. Exponential in the number of changes; each level costs one
 * sweep's tables. If the monitor ends it: the result with the fewest changes so far, else DSE_CANCELLED with `changes`. */
enum dse_status dse_whatif_least(const struct dse_question *question, struct dse_least_change *out,
                                 struct dse_error *err);
