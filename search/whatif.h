/* What-if: a baseline and a change, the effect of each knob alone, and the least change that meets a target. */
#pragma once

#include "datasets/profile.h"
#include "models/estimate.h"
#include "search/question.h"

/* Inputs of a comparison. Owns nothing. */
struct dse_whatif {
    struct dse_setup setup; /* its workload is ignored: each design uses that of its own setting */
    const struct dse_profile *profile;
};

/* A design with its setup. */
struct dse_whatif_design {
    struct dse_setup setup;
    struct dse_estimate estimate;
    const struct dse_quality *quality; /* NULL if the design's setting was not measured */
};

/* Evaluates one design, with its quality if measured. DSE_BAD_USAGE if the profile lacks the workload of its
 * algorithmic setting; an infeasible design is marked in its estimate. */
enum dse_status dse_whatif_evaluate(const struct dse_whatif *whatif, const struct dse_config *config,
                                    struct dse_whatif_design *out, struct dse_error *err);

/* to / from; 1 if both are 0, infinity if only `from` is 0, NaN if either is NaN. */
double dse_whatif_ratio(double from, double to);

/* A change of one knob. */
struct dse_whatif_move {
    size_t knob;
    int64_t value;
    double ratio[DSE_METRIC_COUNT]; /* moved / base */
    bool fits;
};

struct dse_whatif_moves {
    struct dse_whatif_move *moves; /* count; by knob, largest effect first; within a knob from best to worst */
    size_t count;
    size_t unbuildable;  /* values that the models reject */
    size_t not_profiled; /* values without a workload in the profile */
    size_t unmeasured;   /* values left out because the metric is the quality, and is not measured there or at the base */
};

/* Moves each active knob of `base` alone through its domain and ranks the knobs by their effect on `metric`: the largest
 * factor in either direction. O(values of all domains) estimates. */
enum dse_status dse_whatif_sensitivity(const struct dse_whatif *whatif, const struct dse_config *base,
                                       enum dse_metric metric, struct dse_whatif_moves *out, struct dse_error *err);
void dse_whatif_moves_free(struct dse_whatif_moves *moves);

/* Knobs that differ: active in `changed` with another value in `base`. Consequences (defaults of
 * knobs that become active) do not count. Both configurations canonical. */
dse_knob_set dse_whatif_changes(const struct dse_space *space, const struct dse_config *base,
                                const struct dse_config *changed);

/* The design nearest to a base that meets a question's limits. */
struct dse_least_change {
    bool found;
    char why[256];        /* if there is none: the best that the space reaches */
    struct dse_config config;
    size_t changes;       /* number of differing knobs; if the search was ended, no design with fewer exists */
    size_t known;         /* a sufficient number of changes; 0 if unknown */
    bool cut;             /* the search was ended: another design with as many changes may be better */
    uint64_t space_size;  /* configurations shown to contain none with fewer changes */
    uint64_t evaluated;   /* designs formed */
    double best;          /* best value of the first objective in the whole space */
};

/* The feasible configuration of `question` that differs from its base in the fewest knobs; at a tie the best in the first objective. Exact: merges
 * (search/exact.c) that count the changes of a partial design like a capped resource; the number of merges is about twice the logarithm of the
 * changes. The question's alternatives must contain the base's setting. If the monitor ends the search: the result if no design with fewer changes
 * exists, else DSE_CANCELLED with `changes` and `known`. */
enum dse_status dse_whatif_least(const struct dse_question *question, struct dse_least_change *out,
                                 struct dse_error *err);
