/* Conditions of --where that are no single comparison of a name with a value: `pe*lanes<=64`, `form=wl || bits>=8`.
 *
 * One over knobs alone is a block of the question's family that costs nothing and refuses what does not hold it, so every method takes it;
 * with one knob that always applies it narrows that knob's domain instead. One that reads a metric is held against whole designs: the
 * exhaustive method and the heuristic take it, the exact one visits every design, and integer programs refuse it (dse_filters_refuse). A condition on knobs concerns the designs in
 * which all of its knobs apply, as a comparison does. */
#pragma once

#include "search/search.h"
#include "space/expression.h"

struct dse_filter {
    const char *text;             /* as written */
    const struct dse_code *code;  /* over knobs, then metrics */
    const struct dse_space *space;
    dse_knob_set knobs;           /* that it reads */
    uint32_t metrics;             /* a bit each */
};

/* Adds a condition to the question; what it is made of lives as long as the space. `term` has its text. DSE_BAD_USAGE has the place. */
enum dse_status dse_filter_add(struct dse_question *question, struct dse_space *space, const struct dse_term *term, struct dse_error *err);

/* Gives the question its family with the conditions on several knobs as blocks, and narrows the domains of those that stand alone in one.
 * DSE_ANSWER_NO where one has no value left. */
enum dse_status dse_filters_apply(struct dse_question *question, struct dse_space *space, struct dse_error *err);

/* Whether a configuration holds the conditions that read knobs of `within` alone; one that cannot be computed does not hold. */
bool dse_filters_admit(const struct dse_question *question, dse_knob_set within, const struct dse_config *config);

/* Whether a whole design holds the conditions that read metrics; a metric that is not known holds none. */
bool dse_filters_hold(const struct dse_question *question, const struct dse_config *config, const double metrics[DSE_METRIC_COUNT]);

/* Whether some condition reads a metric. */
bool dse_filters_on_metrics(const struct dse_question *question);

/* DSE_BAD_USAGE naming the method and the condition where some condition reads a metric. */
enum dse_status dse_filters_refuse(const struct dse_question *question, const char *method, struct dse_error *err);
