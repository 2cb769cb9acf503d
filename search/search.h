/* Searching a space: the problem (struct dse_question), the answer, and the methods.
 *
 * Every method uses the same tables of block accumulators (search/groups.h) and dse_derive(), so
 * dse_estimate_make() gives the same numbers for every reported point. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "models/model.h"
#include "space/where.h"

#define DSE_OBJECTIVE_MAX DSE_METRIC_COUNT /* each metric once */
#define DSE_LIMIT_MAX 32

/* An algorithmic setting that may be chosen, with its workload and quality. */
struct dse_alternative {
    struct dse_config config;          /* its algorithmic knobs; hardware knobs at their defaults */
    const struct dse_workload *workload;
    double quality;                    /* NaN if not measured */
};

/* metric ≤ bound, or ≥ bound. */
struct dse_limit {
    enum dse_metric metric;
    bool at_least;
    double bound; /* effective bound: `asked` with rounding tolerance; without it for a strict limit */
    double asked;
    bool strict;
};

/* A limit with exact bound. */
static inline struct dse_limit dse_limit_of(enum dse_metric metric, bool at_least, double bound)
{
    return (struct dse_limit){metric, at_least, bound, bound, false};
}

/* False for NaN. */
static inline bool dse_limit_holds(const struct dse_limit *limit, double value)
{
    return limit->at_least ? value >= limit->bound : value <= limit->bound;
}

/* A comparison of --where on a knob, or a value of --fix. It restricts only designs to which the knob applies. */
struct dse_knob_limit {
    size_t knob;
    enum dse_comparison comparison;
    int64_t bound;
    bool fixed;
    /* Implied by other limits: choices of `knob` at which `by` applies although its own limits leave it no value. 0: a comparison. */
    uint64_t barred;
    size_t by;
    bool empties;     /* one of the limits that leave the knob no value */
    bool contradicts; /* one of the limits that leave no design */
};

#define DSE_KNOB_LIMIT_MAX (DSE_TERM_MAX + 2 * DSE_KNOB_MAX)

struct dse_point {
    struct dse_config config;
    size_t alternative;
    double metrics[DSE_METRIC_COUNT];
};

/* State of a search between two rounds: everything needed to resume. */
struct dse_search_state {
    uint64_t done, total; /* bundles of slices */
    uint64_t space_size, evaluated, feasible, unbuildable; /* as in struct dse_answer, so far */
    uint64_t rejection_slice; /* slice that gave `rejection`; UINT64_MAX: none */
    char rejection[256];
    const struct dse_point *front; /* front_count */
    size_t front_count;
};

/* Checkpointing. The answer does not depend on where a search was interrupted and resumed. */
struct dse_checkpoint {
    const struct dse_search_state *from; /* NULL: start from the beginning */
    /* Called after each round by the calling thread; a status other than DSE_OK ends the search. */
    enum dse_status (*keep)(void *user, const struct dse_search_state *state, struct dse_error *err);
    void *user;
};

struct dse_tables;
struct dse_fallback;
struct dse_filter;
struct dse_branch;

/* Common limit on the work of several searches. */
struct dse_allowance {
    uint64_t designs; /* designs that may still be formed; a search takes at most a quarter */
    bool exceeded;    /* the limit ended some search */
};

/* Judges designs if the sums of one workload do not suffice. Fills the platform, the sums compared with resource limits, and the metrics; or reports
 * that the design cannot be built. */
struct dse_evaluator {
    enum dse_status (*evaluate)(void *user, const struct dse_config *config, size_t alternative,
                                struct dse_platform *platform, struct dse_accumulators *sums,
                                double metrics[DSE_METRIC_COUNT], struct dse_rejection *rejection, struct dse_error *err);
    void *user;
};

#define DSE_SETS_MAX 8 /* maximum number of data sets in an exact merge for one design */

/* Data sets answered by one design (search/joint.h), for the exact merge. A block has the size that the most demanding data set needs, and the time
 * and energy of each. */
struct dse_sets {
    size_t count;
    const struct dse_alternative *alternatives[DSE_SETS_MAX]; /* per data set, as many as the question has */
    void *const *work[DSE_SETS_MAX];                          /* per data set and alternative */
    size_t lanes; /* 1: times, energies and bytes are summed, weighted by `times`; otherwise `count`: one lane per data set */
    int64_t times[DSE_SETS_MAX], times_all;
    double shares[DSE_SETS_MAX]; /* weights in a mean, sum 1: used by the integer programs */
    /* A metric from the lanes' values, and all metrics from the sums per data set. Monotone in their inputs. */
    double (*combine)(const void *user, enum dse_metric metric, const double *values);
    void (*derive)(const void *user, const struct dse_platform *platform, const struct dse_accumulators *sums, size_t alternative,
                   double metrics[DSE_METRIC_COUNT]);
    const void *user;
};

/* Goal of a search: the front, any feasible design, or the worst design by the first objective (the upper end of a metric that
 * is minimised). Only the exact merge supports the last two. */
enum dse_goal { DSE_GOAL_FRONT, DSE_GOAL_ANY, DSE_GOAL_WORST };

struct dse_question {
    const struct dse_model_family *family;
    const struct dse_space *space;     /* searches visit the domains of the space */
    const struct dse_board *board;
    const struct dse_costs *costs;
    double headroom;                   /* as in dse_board_limits */
    struct dse_config base;            /* values of the hardware knobs that are not free */
    dse_knob_set free;                 /* the hardware knobs that vary */
    const struct dse_config *from;     /* canonical: a design differs from it in at most `changes` knobs; used by the exact merge. NULL: in any number */
    size_t changes;
    const struct dse_alternative *alternatives;
    size_t alternative_count;
    enum dse_metric objectives[DSE_OBJECTIVE_MAX];
    size_t objective_count;
    struct dse_limit limits[DSE_LIMIT_MAX];
    size_t limit_count;
    struct dse_knob_limit knob_limits[DSE_KNOB_LIMIT_MAX]; /* already applied to the domains; measured settings must meet them too */
    size_t knob_limit_count;
    const struct dse_filter *filters; /* filter_count other conditions (search/filter.h) */
    size_t filter_count;
    const struct dse_branch *branches; /* branch_count: the conditions on metrics as a disjunction of limits, if they have that form (search/filter.h) */
    size_t branch_count;
    /* Factors of the board's caps: 0 means 1; infinity ignores the resource. */
    double cap_scale[DSE_RESOURCE_COUNT];
    const char *quality; /* the name of the data set's quality; NULL: unknown */
    const char *figure; /* that --metric takes and a limit or an objective names ("auc", "rmse"): the quality is this figure or its negative; NULL: none */
    size_t jobs;
    const struct dse_monitor *monitor;
    const struct dse_evaluator *evaluator; /* NULL except for several data sets; used only by the heuristic */
    enum dse_goal goal;
    const struct dse_sets *sets; /* NULL: one data set; used by the exact merge and, for means, by the integer programs */
    const dse_knob_set *own; /* per alternative, knobs excluded from stored designs; NULL: none */
    const struct dse_checkpoint *checkpoint; /* NULL: no checkpoints; used by the exact and the exhaustive method */
    const struct dse_fallback *fallback; /* NULL: none; used by the exact merge (search/heuristic.h) */
    /* NULL: none. The exact merge ends with DSE_LIMIT if it would need more; independent of the number of threads. */
    struct dse_allowance *allowance;
    /* Tables of block costs, reused between searches (search/tables.h): for questions with equal family, board, costs
     * and workloads. NULL: each search makes its own. */
    struct dse_tables *tables;
};

/* Metric of a resource. */
enum dse_metric dse_metric_of_resource(int resource);

/* Whether a limit is on a metric; whether a limit or an objective is. */
bool dse_question_limits(const struct dse_question *question, enum dse_metric metric);
bool dse_question_asks(const struct dse_question *question, enum dse_metric metric);
bool dse_question_asks_power(const struct dse_question *question); /* at either boundary */
bool dse_question_asks_system(const struct dse_question *question); /* time, energy, power or rate at the system's boundary */
bool dse_question_asks_rate(const struct dse_question *question);   /* throughput, of the kernel or the system */

/* A point in the history of an anytime search. */
struct dse_progress_point {
    uint64_t evaluated;
    double seconds;
    double hypervolume; /* in the product of the objectives' units; NaN for more than three */
};

/* Outcome of a search. Failures of the call are in its status. */
enum dse_outcome {
    DSE_OUTCOME_FOUND,      /* complete, with a feasible design */
    DSE_OUTCOME_NOTHING,    /* complete, nothing feasible */
    DSE_OUTCOME_BUDGET,     /* ended by its budget: the answer is the best so far, if any */
    DSE_OUTCOME_INTERRUPTED /* ended by its monitor: the answer is the best so far, if any */
};

struct dse_answer {
    enum dse_outcome outcome;
    struct dse_point *front; /* front_count, no point dominated by another; ascending by the first objective,
                              * then the next, then the configuration */
    size_t front_count;
    uint64_t space_size;     /* configurations that the question allows */
    uint64_t evaluated;      /* sums formed */
    uint64_t feasible;       /* those that fit and meet every limit */
    uint64_t unbuildable;    /* table rows rejected by a block */
    char rejection[256];       /* first rejection, preferring one that rejects everything, or "" */
    double seconds;
    struct dse_progress_point *history; /* history_count, for a heuristic */
    size_t history_count;
    bool proven;             /* the front is complete for the whole space */
    double looked_at;        /* share of the slices that an ended search visited or excluded; 0: unknown */
};

/* Merges the fronts of groups of blocks (search/exact.c explains it and why it is exact). DSE_CANCELLED, with the results so
 * far, when the monitor ends it; DSE_LIMIT, naming width and limit, if the shared knobs make a group too wide. */
enum dse_status dse_search_exact(const struct dse_question *question, struct dse_answer *answer,
                                 struct dse_error *err);

/* Visits every configuration: the reference for the other methods. O(space × objectives). */
enum dse_status dse_search_exhaustive(const struct dse_question *question, struct dse_answer *answer,
                                      struct dse_error *err);

void dse_answer_free(struct dse_answer *answer);

/* Writes that nothing is feasible (DSE_ANSWER_NO) or, if not proven, that nothing was found (DSE_LIMIT). */
void dse_answer_nothing(const struct dse_answer *answer, struct dse_error *words);

/* Whether the two extreme limits of a metric, returned in `least` and `most`, contradict each other. */
bool dse_limits_contradict(const struct dse_question *question, enum dse_metric metric, size_t *least, size_t *most);

/* Whether a design with these metrics meets every limit; NaN (not measured) fails. */
bool dse_limits_hold(const struct dse_question *question, const double metrics[DSE_METRIC_COUNT]);

/* A quality rounded for comparison: equal means summed in a different order differ in their last bits. Rounded
 * to 12 decimals if below 1 in magnitude, otherwise to as many digits. */
double dse_quality_compared(double quality);

/* Value of an objective with the sign such that lower is better. */
double dse_objective_cost(enum dse_metric metric, const double metrics[DSE_METRIC_COUNT]);

/* As dse_objective_cost, for the question's objective `o` and goal. */
double dse_question_cost(const struct dse_question *question, size_t o, const double metrics[DSE_METRIC_COUNT]);
