/* Prototypes by ridge regression on the hypervectors, in closed form: one symmetric solve of the size of the training part. */
#ifndef DSE_EXECUTOR_NYSX_RIDGE_H
#define DSE_EXECUTOR_NYSX_RIDGE_H

#include "models/nysx/executor/prototypes.h"

#define NYSX_RIDGE_SAMPLE 1000 /* examples at most that λ is chosen on */

/* Each example's weight, of mean 1: all the same, or with `balanced` the same total for every class that has examples.
 * `weight` is [count]. */
void nysx_example_weights(const struct nysx_examples *examples, bool balanced, double *weight);

/* G minimises Σ weight (h·G_c / d + b_c − t_c)² + λ Σ |G_c|² / d, with t_c = 1 for the example's class and −1 for the others,
 * offsets b free; `real` gets G, whose scale means nothing. With K = H Hᵀ / d this is (K + λ W⁻¹) α = t − b, one Cholesky
 * factor in single precision (LAPACK), and G = Hᵀ α.
 *
 * λ is the largest of 0.03, 0.1, 0.3, 1, 3, 10 whose leave-one-out squared error on a sample of NYSX_RIDGE_SAMPLE training
 * examples drawn by the seed (all, where there are fewer) is within 3% of the least. No example held out is looked at.
 * O(count² (d / 64 + count / 6)). DSE_LIMIT when LAPACK fails. */
enum dse_status nysx_ridge_train(const struct nysx_examples *examples, const struct nysx_prototype_plan *plan,
                                 struct nysx_prototypes *real, double *lambda, struct dse_error *err);

#endif
