/* Conditions of --where beyond a comparison of one name with a value: `pe*lanes<=64`, `form=wl || bits>=8`.
 *
 * A condition over knobs is a block of the question's family without costs that rejects designs, so every method supports it. If it reads
 * one knob that always applies, it narrows that knob's domain instead. It concerns only designs in which all of its knobs apply.
 * A condition that reads a metric is evaluated for whole designs, by the exhaustive method and the heuristic. If it joins limits by &&, || and !,
 * the exact method and the integer programs solve each branch. For any other such condition the exact method visits every design, and integer
 * programs reject it (dse_filters_reject). */
#pragma once

#include <stdatomic.h>

#include "search/search.h"
#include "space/expression.h"

struct dse_filter {
    const char *text;             /* as written */
    const struct dse_code *code;  /* over knobs, then metrics */
    const struct dse_space *space;
    dse_knob_set knobs;           /* read by the code */
    uint32_t metrics;             /* bit mask */
    const struct dse_comparing *comparing; /* comparing_count: its comparisons */
    size_t comparing_count;
    const char *quality;         /* the question's */
    atomic_bool *failed; /* set if it could not be computed for a design that meets everything else */
    bool contradicts; /* one of the conditions that leave a knob no value */
};

#define DSE_BRANCH_LIMITS 12

/* One branch of the conditions on metrics: only limits. The branches together allow the same designs as the conditions. `latency<=1ms || dsp<=5` has two. */
struct dse_branch {
    const char *text; /* "latency<=1ms" */
    const struct dse_model_family *family; /* with this branch's conditions on knobs as blocks */
    struct dse_limit limits[DSE_BRANCH_LIMITS]; /* in addition to the question's */
    size_t limit_count;
};

#define DSE_BRANCHES_MAX 64

/* The question of one branch. Shares no tables with other branches: their blocks differ. */
struct dse_question dse_question_of_branch(const struct dse_question *question, size_t branch);

/* Distance of a design from a condition. It is 1 if the design meets the condition, otherwise the ratio of the two sides (the largest ratio for &&,
 * the smallest for ||). Infinity if the sides have no ratio. */
double dse_filter_excess(const struct dse_filter *filter, const struct dse_config *config, const double metrics[DSE_METRIC_COUNT]);

/* Side of a comparison that is not a plain number: "latency*power", 3.6e-6 J. */
struct dse_compared {
    const char *text;
    double value;
    struct dse_unit unit;
};
#define DSE_COMPARED_MAX (2 * DSE_TERM_MAX)

/* Values of the sides that a condition compares, for one design, each distinct text once. Returns their number. `out` has room for DSE_COMPARED_MAX. */
size_t dse_filter_compared(const struct dse_filter *filter, const struct dse_config *config, const double metrics[DSE_METRIC_COUNT], struct dse_compared *out);

/* Adds a condition to the question; its memory lives as long as the space. `term` has its text. DSE_BAD_USAGE names the place. */
enum dse_status dse_filter_add(struct dse_question *question, struct dse_space *space, const struct dse_term *term, struct dse_error *err);

/* Must be called before domains are narrowed. DSE_ANSWER_NO if no value of a knob meets all limits and conditions on it; the error names them. */
enum dse_status dse_filters_agree(struct dse_question *question, const struct dse_space *space, struct dse_error *err);

/* Gives the question a family with conditions on several knobs as blocks, and narrows the domain of a knob that is alone in a condition.
 * DSE_ANSWER_NO if a knob has no value left. */
enum dse_status dse_filters_apply(struct dse_question *question, struct dse_space *space, struct dse_error *err);

struct dse_bare_family {
    struct dse_model_family family;
    struct dse_block blocks[DSE_BLOCK_MAX];
    const void *conditions[DSE_BLOCK_MAX];
};

/* Makes the family with only those of its conditions (condition_count) that are `kept`; NULL: with none. Its questions share no tables with those of
 * `family`. */
void dse_filters_drop(const struct dse_model_family *family, const bool *kept, struct dse_bare_family *out);

/* Whether a configuration meets the conditions that read only knobs of `within`. A condition that cannot be computed is not met. */
bool dse_filters_allow(const struct dse_question *question, dse_knob_set within, const struct dse_config *config);

/* Whether a complete design meets the conditions that read metrics. A condition on an unknown metric, or one that cannot be computed, is not met.
 * If the design meets everything else (`else_held`), dse_filters_computed() reports a condition that could not be computed. Thread-safe. */
bool dse_filters_hold(const struct dse_question *question, const struct dse_config *config, const double metrics[DSE_METRIC_COUNT], bool else_held);

/* After a search: DSE_BAD_USAGE names a condition that could not be computed for some design. */
enum dse_status dse_filters_computed(const struct dse_question *question, struct dse_error *err);

/* Whether some condition reads a metric. */
bool dse_filters_on_metrics(const struct dse_question *question);

/* DSE_BAD_USAGE, naming the method, the condition and the methods that take it, if some condition reads one of `metrics` (bit mask). */
enum dse_status dse_filters_reject(const struct dse_question *question, uint32_t metrics, const char *method, const char *others, struct dse_error *err);
