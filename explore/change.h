/* Baseline and change: the questions of "base", "set", "target" and "sensitivity". */
#pragma once

#include "explore/meant.h"
#include "search/whatif.h"
#include "space/where.h"

/* Common to all boards and data sets. Points into the request. */
struct dse_change_terms {
    bool sensitivity;            /* requested, or there is neither a change nor a target */
    enum dse_metric metric;      /* ranks the sensitivities */
    const char *target;          /* NULL without one */
    struct dse_expression where; /* the target's comparisons */
    double quality_drop, seconds; /* `seconds`: time limit of the search for a target */
};

/* For one board and data set. */
struct dse_change {
    struct dse_space *space; /* the workbench's, with every overlap of items: a change is named, so none may be left out */
    struct dse_whatif whatif;
    struct dse_whatif_design baseline, changed;
    char origin[DSE_ORIGIN_MAX]; /* origin of the baseline */
    struct dse_whatif_moves moves; /* with sensitivities */
    struct dse_least_change least; /* with a target */
    struct dse_error ended;        /* reason for no answer, in one line; "" if there is one */
};

enum dse_status dse_change_read(const struct dse_request *request, struct dse_change_terms *terms, struct dse_error *err);

/* With "measure", adds missing settings of the baseline and the change to the profiles. */
enum dse_status dse_change_measure(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err);

/* Evaluates baseline and change on a board and data set (place `index`, boards outermost). With a target, the changed design is the least further
 * change that meets it. If there is none, or a design is infeasible, `ended` says so. `answer` must be zeroed, and freed in any case. */
enum dse_status dse_change_answer(const struct dse_request *request, const struct dse_workbench *bench, size_t index,
                                  const struct dse_change_terms *terms, struct dse_change *answer, struct dse_error *err);
void dse_change_free(struct dse_change *answer);
