/* Searching a space: the problem (struct dse_question), the answer, and the methods.
 *
 * Every method works on the same tables of block accumulators (search/groups.h) and on dse_derive(), so a
 * point that it reports evaluates to the same numbers again by dse_estimate_make(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "models/model.h"
#include "space/where.h"

#define DSE_OBJECTIVE_MAX DSE_METRIC_COUNT /* each metric once */
#define DSE_LIMIT_MAX 32

/* One algorithmic setting that may be chosen: what is computed, the work that it makes, and its quality. */
struct dse_alternative {
    struct dse_config config;          /* its algorithmic knobs; the hardware knobs at their defaults */
    const struct dse_workload *workload;
    double quality;                    /* NaN where not measured */
};

/* metric ≤ bound, or ≥ bound. */
struct dse_limit {
    enum dse_metric metric;
    bool at_least;
    double bound; /* what holds it: `asked`, with what rounds to it; without it where the limit is strict */
    double asked;
    bool strict;
};

/* A limit that is meant as it stands. */
static inline struct dse_limit dse_limit_of(enum dse_metric metric, bool at_least, double bound)
{
    return (struct dse_limit){metric, at_least, bound, bound, false};
}

/* False for NaN. */
static inline bool dse_limit_holds(const struct dse_limit *limit, double value)
{
    return limit->at_least ? value >= limit->bound : value <= limit->bound;
}

/* A comparison of --where on a knob, or a value of --fix. It restricts the designs to which the knob applies, and no others. */
struct dse_knob_limit {
    size_t knob;
    enum dse_comparison comparison;
    int64_t bound;
    bool fixed;
    /* A consequence of other limits: choices of `knob` at which `by` applies, to which its own limits leave no value. 0: a comparison. */
    uint64_t barred;
    size_t by;
    bool empties;     /* one of those that leave the knob no value */
    bool contradicts; /* one of those for which no design is left */
};

#define DSE_KNOB_LIMIT_MAX (DSE_TERM_MAX + 2 * DSE_KNOB_MAX)

struct dse_point {
    struct dse_config config;
    size_t alternative;
    double metrics[DSE_METRIC_COUNT];
};

/* State of a search over slices between two rounds: all that is needed to resume. */
struct dse_search_state {
    uint64_t done, total; /* bundles of slices */
    uint64_t space_size, evaluated, feasible, unbuildable; /* as in struct dse_answer, so far */
    uint64_t refusal_slice; /* the slice that `refusal` is of; UINT64_MAX: none */
    char refusal[256];
    const struct dse_point *front; /* front_count */
    size_t front_count;
};

/* Checkpointing. The answer does not depend on where a search was interrupted and resumed. */
struct dse_checkpoint {
    const struct dse_search_state *from; /* NULL: from the beginning */
    /* Called after each round, by the thread that asked; what it returns but DSE_OK ends the search. */
    enum dse_status (*keep)(void *user, const struct dse_search_state *state, struct dse_error *err);
    void *user;
};

struct dse_tables;
struct dse_fallback;
struct dse_filter;
struct dse_branch;

/* Shared limit on the work of several searches. */
struct dse_allowance {
    uint64_t designs; /* that may still be formed; a search takes a quarter at most */
    bool exceeded;    /* some search was ended for it */
};

/* Judges designs where one workload's sums are not all: fills the platform, the sums that resources are held against, and
 * the metrics, or says that the design cannot be built. */
struct dse_evaluator {
    enum dse_status (*evaluate)(void *user, const struct dse_config *config, size_t alternative,
                                struct dse_platform *platform, struct dse_accumulators *sums,
                                double metrics[DSE_METRIC_COUNT], struct dse_refusal *refusal, struct dse_error *err);
    void *user;
};

#define DSE_SETS_MAX 8 /* data sets that the exact merge answers for by one design */

/* Data sets that one design answers for (search/joint.h), as the exact merge sees them: a block is as large as the most demanding
 * needs it, and takes each one's time and energy. */
struct dse_sets {
    size_t count;
    const struct dse_alternative *alternatives[DSE_SETS_MAX]; /* of each, as many as the question has */
    void *const *work[DSE_SETS_MAX];                          /* of each, of each alternative */
    size_t lanes; /* 1: times, energies and bytes add up, those of each as often as `times` says; else `count`: each has its own */
    int64_t times[DSE_SETS_MAX], times_all;
    double shares[DSE_SETS_MAX]; /* of a mean, what each counts, together 1: what the integer programs go by */
    /* A metric from those of the lanes, and all metrics from the sums of each data set. Grow with all that they are made of. */
    double (*combine)(const void *user, enum dse_metric metric, const double *values);
    void (*derive)(const void *user, const struct dse_platform *platform, const struct dse_accumulators *sums, size_t alternative,
                   double metrics[DSE_METRIC_COUNT]);
    const void *user;
};

/* The goal of a search: the front, any design that is feasible, or the one that is worst by the first objective: the most that a metric
 * of which less is better can be. The last two are for the exact merge alone. */
enum dse_goal { DSE_GOAL_FRONT, DSE_GOAL_ANY, DSE_GOAL_WORST };

struct dse_question {
    const struct dse_model_family *family;
    const struct dse_space *space;     /* its domains are what is visited */
    const struct dse_board *board;
    const struct dse_costs *costs;
    double headroom;                   /* as in dse_board_limits */
    struct dse_config base;            /* the hardware knobs that are not free */
    dse_knob_set free;                 /* the hardware knobs that vary */
    const struct dse_alternative *alternatives;
    size_t alternative_count;
    enum dse_metric objectives[DSE_OBJECTIVE_MAX];
    size_t objective_count;
    struct dse_limit limits[DSE_LIMIT_MAX];
    size_t limit_count;
    struct dse_knob_limit knob_limits[DSE_KNOB_LIMIT_MAX]; /* the domains hold them already; measured settings must as well */
    size_t knob_limit_count;
    const struct dse_filter *filters; /* filter_count other conditions (search/filter.h) */
    size_t filter_count;
    const struct dse_branch *branches; /* branch_count: what the conditions on metrics come to, where they are an or of limits (search/filter.h) */
    size_t branch_count;
    /* Factors of the board's caps: 0 stands for 1; infinity leaves the resource out. */
    double cap_scale[DSE_RESOURCE_COUNT];
    size_t jobs;
    const struct dse_monitor *monitor;
    const struct dse_evaluator *evaluator; /* NULL but for several data sets; the heuristic alone looks at it */
    enum dse_goal goal;
    const struct dse_sets *sets; /* NULL: one data set; the exact merge and, for means, the integer programs look at it */
    const dse_knob_set *own; /* of each alternative, knobs that are no part of a stored design; NULL: none */
    const struct dse_checkpoint *checkpoint; /* NULL: nothing is kept; the exact and the exhaustive method look at it */
    const struct dse_fallback *fallback; /* NULL: none; the exact merge looks at it (search/heuristic.h) */
    /* NULL: none. The exact merge ends with DSE_LIMIT where it would need more; the same at any number of threads. */
    struct dse_allowance *allowance;
    /* Tables of block costs, kept from one search to the next (search/tables.h): for questions that share family, board, costs
     * and alternatives' workloads. NULL: each search makes its own. */
    struct dse_tables *tables;
};

/* The metric that a resource is. */
enum dse_metric dse_metric_of_resource(int resource);

/* Whether a limit is on a metric, and whether a limit or an objective is. */
bool dse_question_limits(const struct dse_question *question, enum dse_metric metric);
bool dse_question_asks(const struct dse_question *question, enum dse_metric metric);
bool dse_question_asks_power(const struct dse_question *question); /* at either boundary */
bool dse_question_asks_system(const struct dse_question *question); /* time, energy or power at the system's boundary */

/* A point of an anytime search's history. */
struct dse_progress_point {
    uint64_t evaluated;
    double seconds;
    double hypervolume; /* in the objectives' units multiplied; NaN where there are more than three */
};

/* The outcome of a search. Failures of the call are in its status. */
enum dse_outcome {
    DSE_OUTCOME_FOUND,      /* complete, and something is feasible */
    DSE_OUTCOME_NOTHING,    /* complete, and nothing is feasible */
    DSE_OUTCOME_BUDGET,     /* ended by its budget: the answer is the best so far, if there is any */
    DSE_OUTCOME_INTERRUPTED /* ended by its monitor: likewise */
};

struct dse_answer {
    enum dse_outcome outcome;
    struct dse_point *front; /* front_count, no point dominated by another; ascending by the first objective,
                              * then the next, then the configuration */
    size_t front_count;
    uint64_t space_size;     /* configurations that the question allows */
    uint64_t evaluated;      /* whose sums were formed */
    uint64_t feasible;       /* of those, that fit and hold every limit */
    uint64_t unbuildable;    /* of the tables' rows, that a block rejected */
    char refusal[256];       /* the first such refusal, of one that rejects all if there is one, or "" */
    double seconds;
    struct dse_progress_point *history; /* history_count, of a heuristic */
    size_t history_count;
    bool proven;             /* the front is that of the whole space */
};

/* Merges the fronts of groups of blocks (search/exact.c says how and why that is exact). DSE_CANCELLED, with what was found so
 * far, when the monitor ends it; DSE_LIMIT, naming width and limit, where the shared knobs make a group too wide. */
enum dse_status dse_search_exact(const struct dse_question *question, struct dse_answer *answer,
                                 struct dse_error *err);

/* Visits every configuration: the check of the others. O(space × objectives). */
enum dse_status dse_search_exhaustive(const struct dse_question *question, struct dse_answer *answer,
                                      struct dse_error *err);

void dse_answer_free(struct dse_answer *answer);

/* Says in `words` that nothing is feasible (DSE_ANSWER_NO) or, where that is not proven, that nothing was found (DSE_LIMIT). */
void dse_answer_nothing(const struct dse_answer *answer, struct dse_error *words);

/* Whether no number holds the two limits of a metric that are furthest apart; these are `least` and `most` then. */
bool dse_limits_contradict(const struct dse_question *question, enum dse_metric metric, size_t *least, size_t *most);

/* Whether a design with these metrics holds every limit; a metric that is NaN (not measured) fails. */
bool dse_limits_hold(const struct dse_question *question, const double metrics[DSE_METRIC_COUNT]);

/* A quality as it is compared: means of the same runs, added in another order, differ in their last bits, and are one mean. Rounded
 * to 12 decimals, below 1 in size, else to as many digits. */
double dse_quality_compared(double quality);

/* The value of an objective such that smaller is better. */
double dse_objective_cost(enum dse_metric metric, const double metrics[DSE_METRIC_COUNT]);

/* The same of the question's objective `o`, such that smaller is what is looked for. */
double dse_question_cost(const struct dse_question *question, size_t o, const double metrics[DSE_METRIC_COUNT]);
