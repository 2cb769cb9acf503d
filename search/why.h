/* Why nothing fits: the constraints that cannot hold together, the nearest miss, and what to give up. */
#pragma once

#include "search/search.h"

enum dse_reason_kind {
    DSE_REASON_RESOURCE, /* the board's cap on a resource */
    DSE_REASON_LIMIT,    /* one of the question's limits */
    DSE_REASON_CONDITION, /* one of the question's other conditions on metrics (search/filter.h) */
    DSE_REASON_BLOCK,    /* one of its conditions on several knobs, which are blocks of its family */
    DSE_REASON_KNOB,     /* a knob narrowed to some of its values */
    DSE_REASON_KNOB_LIMIT /* one of the question's limits on knobs, of those for which no design is left */
};

struct dse_reason {
    enum dse_reason_kind kind;
    size_t which;         /* resource, limit, condition, the family's condition, knob or limit on a knob */
    enum dse_metric metric; /* of a resource or a limit */
    size_t conflict;      /* which minimal conflict it is a member of, from 1; 0: it does not bind */
    bool contradicts;     /* its conflict are two limits of one metric that no number holds, or limits on knobs; nothing below is told */
    /* Where searches were ended: its conflict's others may not hold without it either; a knob that stays as it is, whether it matters
     * or not. */
    bool unproven, stays;
    /* `alone`: no design holds this limit, even without any other limit and without the board's caps. `reachable`: the design that fits the
     * board and comes nearest. */
    bool alone, has_reachable;
    struct dse_point reachable;
    /* Without this constraint, all others kept: */
    bool known;           /* whether it suffices; where there are several conflicts none does */
    bool suffices;        /* something is feasible */
    double asked;         /* what the constraint allows to the design below */
    struct dse_point best; /* the feasible design that comes nearest to holding it; of a condition on knobs the one that is best */
};

/* The condition that a reason of the kind CONDITION or BLOCK is. */
const struct dse_filter *dse_reason_filter(const struct dse_question *question, const struct dse_reason *reason);

#define DSE_WHY_DESIGNS ((uint64_t)1 << 22)
#define DSE_WHY_ENUMERATED 65536
#define DSE_WHY_VISITED 20000000 /* designs that are looked at one by one for conditions, as the search has done that found nothing */

#define DSE_REASON_MAX (DSE_RESOURCE_COUNT + DSE_LIMIT_MAX + DSE_KNOB_LIMIT_MAX)

/* The reason why an explanation ended before it was whole. */
enum dse_why_end { DSE_WHY_WHOLE, DSE_WHY_EFFORT, DSE_WHY_BUDGET, DSE_WHY_INTERRUPTED };

#define DSE_WHY_SIDES 8

struct dse_why {
    enum dse_why_end end;
    bool narrow; /* of some narrowed knobs it is not known whether other values help */
    struct dse_reason reasons[DSE_REASON_MAX];
    size_t count, conflicts; /* no two conflicts have a member in common; 0: what stands in the way has no size */
    uint64_t space_size, effort; /* designs at which the end is DSE_WHY_EFFORT */
    /* The design that violates least. First choice: of the designs that break a single constraint, the nearest to it. Second: of the
     * designs that fit the board, the one whose worst ratio between need and limit is the smallest. Third, if no design fits the
     * board: the same with the board's caps counted as limits. */
    bool has_nearest;
    struct dse_point nearest;
    double ratio;        /* at least 1; of a limit of nothing 1 and what is missed in units of it (1, or 1e-9 in SI units) */
    size_t worst;        /* the reason that it violates by that ratio */
    /* The design breaks several limits and none of the board's caps. Limits at its own values are feasible; if any one of them is
     * tighter, nothing is (except limits from a metric's wrong side). */
    bool together;
    /* Where conditions on metrics are an or of limits: this explains the branch `side` − 1 of the question, and `next` the next one; 0: all of it. */
    size_t side;
    struct dse_why *next;
};

void dse_why_free(struct dse_why *why); /* with those behind it; NULL: nothing */

/* The side of an explanation that comes nearest. */
const struct dse_why *dse_why_nearest_side(const struct dse_why *why);

/* Explains a question without a feasible design. `whole` has the domains before anything was narrowed (NULL: not told).
 * If limits contradict each other (at least 3, at most 2; of a knob, as marked by dse_question_constrain) they are the whole
 * explanation, and nothing is searched. Otherwise some dozens of exact searches for one objective each run, which may form
 * DSE_WHY_DESIGNS in all. If they need more, the end is DSE_WHY_EFFORT, and the statements made are still true. The result is exact if
 * nothing was ended, except for the ratio of a design that breaks several constraints: in a space of more than DSE_WHY_ENUMERATED
 * designs it is found to one percent.
 * Where conditions on metrics are an or of limits each branch is explained as a question of its own, DSE_WHY_SIDES of them at most. With any other
 * condition on metrics every design is looked at, and narrowed knobs are no reason.
 * Has what was found so far, and an `end` that says so, when the monitor or `seconds` (infinity: none) end it: that is no failure. */
enum dse_status dse_why_make(const struct dse_question *question, const struct dse_space *whole, double seconds, struct dse_why *out,
                             struct dse_error *err);
