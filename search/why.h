/* Explains why nothing is feasible: conflicting constraints, the nearest miss, and the constraints to drop. */
#pragma once

#include "search/search.h"

enum dse_reason_kind {
    DSE_REASON_RESOURCE, /* the board's cap on a resource */
    DSE_REASON_LIMIT,    /* one of the question's limits */
    DSE_REASON_CONDITION, /* one of the question's other conditions on metrics (search/filter.h) */
    DSE_REASON_BLOCK,    /* one of its conditions on several knobs, which are blocks of the family */
    DSE_REASON_KNOB,     /* a knob narrowed to some of its values */
    DSE_REASON_KNOB_LIMIT /* one of the question's limits on knobs that leave no design */
};

struct dse_reason {
    enum dse_reason_kind kind;
    size_t which;         /* index of the resource, limit, condition, family condition, knob or limit on a knob */
    enum dse_metric metric; /* metric of a resource or a limit */
    size_t conflict;      /* index from 1 of its minimal conflict; 0: not binding */
    bool contradicts;     /* its conflict is two contradictory limits of one metric, or limits on knobs; the members below are unset */
    /* If searches were ended. `unproven`: the rest of its conflict may be infeasible without it too. `stays`: a knob that keeps its values, whether
     * it matters or not. */
    bool unproven, stays;
    /* `alone`: no design meets this limit, even without other limits and the board's caps. `reachable`: the nearest design that fits the
     * board. */
    bool alone, has_reachable;
    struct dse_point reachable;
    /* Without this constraint, with all others: */
    bool known;           /* whether `suffices` is known; with several conflicts no single constraint suffices */
    bool suffices;        /* some design is feasible */
    double asked;         /* bound of the constraint for the design below */
    struct dse_point best; /* feasible design nearest to meeting the constraint; for a condition on knobs the best one */
};

/* The condition behind a reason of kind CONDITION or BLOCK. */
const struct dse_filter *dse_reason_filter(const struct dse_question *question, const struct dse_reason *reason);

#define DSE_WHY_DESIGNS ((uint64_t)1 << 22)
#define DSE_WHY_ENUMERATED 65536
#define DSE_WHY_VISITED 20000000 /* maximum number of designs visited for conditions, equal to the search that found nothing */

#define DSE_REASON_MAX (DSE_RESOURCE_COUNT + DSE_LIMIT_MAX + DSE_KNOB_LIMIT_MAX)

/* Reason for an incomplete explanation. */
enum dse_why_end { DSE_WHY_WHOLE, DSE_WHY_EFFORT, DSE_WHY_BUDGET, DSE_WHY_INTERRUPTED };

#define DSE_WHY_SIDES 8

struct dse_why {
    enum dse_why_end end;
    bool narrow; /* for some narrowed knobs it is unknown whether other values help */
    struct dse_reason reasons[DSE_REASON_MAX];
    size_t count, conflicts; /* conflicts are disjoint; 0: the obstacle has no size */
    uint64_t space_size, effort; /* number of designs at which the end is DSE_WHY_EFFORT */
    /* The design that violates least. First choice: of the designs that break a single constraint, the nearest to it. Second: of the
     * designs that fit the board, the one whose worst ratio between need and limit is the smallest. Third, if no design fits the
     * board: the same with the board's caps counted as limits. */
    bool has_nearest;
    struct dse_point nearest;
    double ratio;        /* at least 1; for a limit of 0 it is 1 plus the excess in units of 1, or of 1e-9 in SI units */
    size_t worst;        /* the reason with this ratio; of no reasons (`count` 0) the nearest design misses a limit of a queue */
    /* The design breaks several limits and none of the board's caps. Limits at its own values are feasible. If any one of them is
     * tightened, nothing is feasible (except lower limits of a minimised metric and upper limits of a maximised one). */
    bool together;
    /* Whether the quality rule excludes every feasible design; then the one of the best quality. Set by the caller (dse_why_rule). */
    bool ruled_out;
    struct dse_point without_rule;
    /* For conditions on metrics that are a disjunction of limits: this explains branch `side` − 1 of the question, `next` the next branch; 0: the whole question. */
    size_t side;
    struct dse_why *next;
};

void dse_why_free(struct dse_why *why); /* also frees the list after it; accepts NULL */

/* Sets `ruled_out` and `without_rule` of the explanation of an infeasible question. `all` has also the settings that the quality rule excludes.
 * Unset if more than DSE_WHY_DESIGNS designs would decide it, and with conditions that are no limits. */
enum dse_status dse_why_rule(const struct dse_question *all, double seconds, struct dse_why *why, struct dse_error *err);

/* The branch's explanation with the nearest miss. */
const struct dse_why *dse_why_nearest_side(const struct dse_why *why);

/* Explains a question without a feasible design. `whole` has the domains before anything was narrowed (NULL: unknown). If limits contradict each
 * other (at least 3, at most 2; of a knob, as marked by dse_question_constrain), they are the whole explanation, and nothing is searched. Otherwise
 * the cause is found by some dozens of exact searches for one objective each. Together they may form DSE_WHY_DESIGNS designs. If they need more, the
 * end is DSE_WHY_EFFORT, and the statements made are still true. The result is exact if nothing was ended, with one exception. In a space of more
 * than DSE_WHY_ENUMERATED designs, the ratio of a design that breaks several constraints is found to one percent. If conditions on metrics are a
 * disjunction of limits, each branch is explained as a question of its own, at most DSE_WHY_SIDES of them. With any other condition on metrics every
 * design is visited, and narrowed knobs are no reason. If the monitor or `seconds` (infinity: none) end the search, that is no failure: the result
 * has the findings so far, and an `end` that says so. */
enum dse_status dse_why_make(const struct dse_question *question, const struct dse_space *whole, double seconds, struct dse_why *out,
                             struct dse_error *err);
