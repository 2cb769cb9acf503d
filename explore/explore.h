/* Runs a request: every board with every data set, kept in the request's study.
 *
 * The words are those of `nysx-dse sweep --help` and `optimize --help`. The default search, in C:
 *
 *     struct dse_request request;
 *     struct dse_terms terms;
 *     struct dse_explored explored;
 *     dse_request_init(&request);
 *     dse_request_add(&request, "dataset", "MUTAG", &err);
 *     dse_terms_read(&request, false, DSE_DEFAULT_OBJECTIVES, &terms, &err);
 *     dse_explore(&request, &terms, NULL, NULL, NULL, &explored, &err);
 */
#pragma once

#include "explore/exploration.h"

#define DSE_DEFAULT_OBJECTIVES "latency,energy,error"

struct dse_explored {
    struct dse_workbench bench;
    struct dse_study *study;      /* NULL: no study */
    struct dse_exploration *each; /* count: boards outermost */
    size_t count;
    size_t answered;              /* explorations with designs */
    bool cut;                     /* a budget ended some search */
    struct dse_error ended;       /* error that ended the call before all were answered; or "" */
    bool interrupted;             /* the monitor ended the call */
};

/* Called after each exploration is answered. */
typedef void dse_explored_visitor(void *user, const struct dse_exploration *exploration);

/* Opens the request's inputs, and answers and evaluates one exploration after another. An exploration without a design
 * does not end the call; the monitor does. `command` names the caller in a study ("sweep"). `request` and `terms` are borrowed and
 * must outlive `out`. `out` must be freed in any case. */
enum dse_status dse_explore(const struct dse_request *request, const struct dse_terms *terms, const char *command,
                            dse_explored_visitor *visit, void *user, struct dse_explored *out, struct dse_error *err);
void dse_explored_free(struct dse_explored *explored);
