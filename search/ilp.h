/* The one best design by integer linear programming, with a proof: an approach that shares nothing with the merge of
 * fronts but the tables. */
#ifndef DSE_SEARCH_ILP_H
#define DSE_SEARCH_ILP_H

#include "search/search.h"

/* The answer to a question with one objective. */
struct dse_optimum {
    bool found;             /* else proven that nothing is feasible, or, where it was ended, nothing yet */
    struct dse_point point;
    double objective;     /* the metric of the point */
    double bound;         /* no design is better than this; equal to the objective up to `gap` when proven */
    double gap;           /* |objective − bound| / |objective| */
    bool proven;
    uint64_t space_size;
    uint64_t slices, solved; /* slices of the space; those that their bound did not rule out at once */
    uint64_t models, nodes;  /* integer programs solved, and nodes of their branch and bound */
    double seconds;
};

/* Minimises (or maximises, as the metric's direction is) the question's first objective. `model_path` (may be NULL)
 * receives the integer program of the whole question (search/ilp_model.h), as CPLEX LP where it ends in ".lp", as free MPS
 * where it ends in ".mps"; times are in us, energies in uJ there, a throughput is its inverse.
 *
 * DSE_BAD_USAGE for what is not linear (lower limits on energy and power,
 * upper ones on throughput); DSE_CANCELLED when interrupted, with the best so far and its bound where there is one. */
enum dse_status dse_search_ilp(const struct dse_question *question, const char *model_path,
                               struct dse_optimum *out, struct dse_error *err);

#endif
