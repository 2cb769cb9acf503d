/* A baseline beside a change: what "base", "set", "target" and "sensitivity" ask. */
#pragma once

#include "explore/meant.h"
#include "search/whatif.h"
#include "space/where.h"

/* The same for every board and data set. Points into the request. */
struct dse_change_terms {
    bool sensitivity;            /* asked for, or there is neither a change nor a target */
    enum dse_metric metric;      /* what sensitivities are ranked by */
    const char *target;          /* NULL without one */
    struct dse_expression where; /* the target's comparisons */
    double quality_drop, seconds; /* `seconds`: that the search for a target may take */
};

/* One board and data set. */
struct dse_change {
    struct dse_whatif whatif;
    struct dse_whatif_design baseline, changed;
    char origin[DSE_ORIGIN_MAX]; /* of the baseline */
    struct dse_whatif_moves moves; /* with sensitivities; to be freed */
    struct dse_least_change least; /* with a target */
    struct dse_error ended;        /* why there is no answer, in one line; "" where there is */
};

enum dse_status dse_change_read(const struct dse_request *request, struct dse_change_terms *terms, struct dse_error *err);

/* With "measure", puts what the profiles lack of the baseline's and the change's settings into them. */
enum dse_status dse_change_measure(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err);

/* Evaluates both, on a board and data set (place `index`, boards outermost); with a target the changed design is the least further change that meets it. Where none does, or one of both
 * cannot be built, `ended` says so. */
enum dse_status dse_change_answer(const struct dse_request *request, const struct dse_workbench *bench, size_t index,
                                  const struct dse_change_terms *terms, struct dse_change *answer, struct dse_error *err);
