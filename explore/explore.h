/* Everything that a request asks: each of its boards with each of its data sets, kept in its study.
 *
 * The words are those of `nysx-dse sweep --help` and `optimize --help`. The default question, in C:
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
    struct dse_study *study;      /* NULL without one */
    struct dse_exploration *each; /* count: boards outermost */
    size_t count;
    size_t answered;              /* of those, that have designs */
    bool cut;                     /* of some, a budget ended the search */
    struct dse_error ended;       /* what ended it before all were answered; "" where nothing did */
    bool interrupted;             /* that was the monitor */
};

/* Told of each exploration once it is answered. */
typedef void dse_explored_visitor(void *user, const struct dse_exploration *exploration);

/* Opens what the words name and answers and evaluates one after another. An exploration without a design does not end it, one
 * that the monitor ended does. `command` is what a study says that asked ("sweep"). The request and the
 * terms stay where they are. Free it in any case. */
enum dse_status dse_explore(const struct dse_request *request, const struct dse_terms *terms, const char *command,
                            dse_explored_visitor *visit, void *user, struct dse_explored *out, struct dse_error *err);
void dse_explored_free(struct dse_explored *explored);
