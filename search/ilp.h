/* The one best design by integer linear programming, with a proof: an approach that shares nothing with the merge of
 * fronts but the tables. */
#pragma once

#include "search/search.h"

/* The answer to a question with one objective. */
struct dse_optimum {
    bool found;             /* else proven infeasible, or nothing yet if the search was ended */
    struct dse_point point;
    double objective;     /* the metric of the point */
    double bound;         /* no design is better than this; equal to the objective up to `gap` when proven */
    double gap;           /* |objective − bound| / |objective| */
    bool proven;
    uint64_t space_size;
    char refusal[256];    /* as in struct dse_answer */
    uint64_t slices, solved; /* slices of the space; those that their bound did not rule out at once */
    uint64_t models, nodes;  /* integer programs solved, and nodes of their branch and bound */
    double seconds;
    /* For a design chosen by regret (explore/answer.c): the largest factor over its rivals' least within the models' errors, the same
     * for the design with the least estimate, and the objective of that design. 0 otherwise. */
    double regret, plain_regret, plain_objective;
};

/* A file that receives the program of the question. */
struct dse_ilp_model {
    const char *path; /* CPLEX LP where it ends in ".lp", free MPS where it ends in ".mps" */
    bool cutoff;      /* of slices whose bound is no worse than the optimum alone: what is left to prove */
};

/* Minimises (or maximises, as the metric's direction is) the question's first objective. `model` (may be NULL)
 * receives the integer program (search/program.h); times are in us, energies in uJ there, a throughput is its inverse.
 *
 * DSE_BAD_USAGE for another ending; DSE_CANCELLED when interrupted, with the best so far and its bound where there is one. */
enum dse_status dse_search_ilp(const struct dse_question *question, const struct dse_ilp_model *model,
                               struct dse_optimum *out, struct dse_error *err);

/* The optimum as an answer of one point, or of none. */
void dse_optimum_answer(const struct dse_optimum *optimum, struct dse_answer *answer);
