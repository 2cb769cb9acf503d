/* The single best design by integer linear programming, with a proof. The approach shares only the tables with the merge of
 * fronts. */
#pragma once

#include "search/search.h"

/* Answer to a question with one objective. */
struct dse_optimum {
    bool found;             /* otherwise proven infeasible, or nothing found before the search was ended */
    struct dse_point point;
    double objective;     /* value of the metric at the point */
    double bound;         /* no design is better; when proven, equal to the objective up to `gap` */
    double gap;           /* |objective − bound| / |objective| */
    bool proven;
    uint64_t space_size;
    char rejection[256];    /* as in struct dse_answer */
    uint64_t slices, solved; /* slices of the space; those not excluded by their bound */
    uint64_t models, nodes;  /* integer programs solved, and their branch-and-bound nodes */
    double seconds;
    /* For a design chosen by regret (explore/answer.c); 0 otherwise. The largest factor over its rivals' least within the models' errors; the same
     * for the design with the least estimate; the objective of that design. */
    double regret, plain_regret, plain_objective;
};

/* Output file for the question's program. */
struct dse_ilp_model {
    const char *path; /* CPLEX LP if it ends in ".lp", free MPS if it ends in ".mps" */
    bool cutoff;      /* only slices whose bound is not worse than the optimum: the remaining proof */
};

/* Minimises (or maximises, by the metric's direction) the question's first objective. `model` (may be NULL)
 * receives the integer program (search/program.h), with times in us, energies in uJ, and throughput as its inverse.
 *
 * DSE_BAD_USAGE for another file ending; DSE_CANCELLED when interrupted, with the best design so far and its bound if there is one. */
enum dse_status dse_search_ilp(const struct dse_question *question, const struct dse_ilp_model *model,
                               struct dse_optimum *out, struct dse_error *err);

/* Converts the optimum to an answer with one point or none. */
void dse_optimum_answer(const struct dse_optimum *optimum, struct dse_answer *answer);
