/* Class prototypes from the training hypervectors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/kernels.h"
#include "models/nysx/executor/parameters.h"
#include "models/nysx/executor/sce.h"

/* Codes of a graph for the table of class weights: places ascend, each once, represented by one of its codes. */
struct nysx_listed {
    struct nysx_counted *item; /* [count] */
    size_t count;
};

/* Hypervectors of the training graphs with their classes. */
struct nysx_examples {
    const uint64_t *hypervector; /* [count × words] */
    const int32_t *label;        /* [count] */
    size_t count, words, dim, classes;
    const struct nysx_listed *listed; /* [count], or NULL without a table */
    size_t places;                    /* entries of the table */
};

/* Plan for making prototypes. */
struct nysx_prototype_plan {
    enum nysx_method method;
    bool balanced;  /* equal total weight per class; not for bundled prototypes */
    size_t epochs;  /* epochs of adaptive training after bundling (0: none) */
    int bits;       /* 1, 2, 4, 8, or 32: real */
    bool from_zero; /* adaptive training starts from zero instead of from the bundle; unused without epochs */
    bool in_loop;   /* adaptive training compares with the quantised prototypes */
    uint64_t seed;  /* for the order of the examples */
};

/* Bundling (section 2.1.1): the sum of a class's hypervectors. Adaptive training continues from it, or from zero like the
 * predecessor NysHD's public program. It takes the examples in a new order per epoch. If the most similar prototype is of the
 * wrong class, (1 − cosine) h is added to the right one. Its own (1 − cosine) h is subtracted from the wrong one. From zero,
 * a common factor of the steps (NysHD: 0.1) changes no cosine. In the loop, similarities use the prototypes as stored, updates
 * accumulate in real ones, and scales are refitted each epoch. The result is stored in `bits`.
 * O(epochs × count × classes × dim). */
enum dse_status nysx_prototypes_train(const struct nysx_examples *examples,
                                      const struct nysx_prototype_plan *plan, struct nysx_prototypes *out,
                                      struct dse_error *err);

/* Converts real prototypes for scores with offsets, in `bits`. The mean of all classes carries no information and is
 * subtracted. All elements are rounded on one scale, the one of 32 with the least squared error (1 bit: the sign, 0 is +1). The
 * offsets are then fitted to the rounded prototypes, by least squares of the weighted training scores against 1 for the own class
 * and −1 for others. The fit has a common slope, which is divided out, and an offset per class. Integer prototypes have integer
 * offsets. */
struct nysx_prototypes nysx_prototypes_offset(struct nysx_prototypes *real, const struct nysx_examples *examples, bool balanced, int bits);

/* Quantises real prototypes to integers. One bit is the sign (0 is +1). More bits round to −m … m with
 * m = 2^(bits−1) − 1, on the one of 32 scales with the least squared error per class. Scales
 * are not stored, because they do not affect the cosine. */
struct nysx_prototypes nysx_prototypes_quantise(struct nysx_prototypes *real, int bits);

/* ---- by ridge regression on the hypervectors, in closed form: one symmetric solve of the size of the training part ---- */

#define NYSX_RIDGE_SAMPLE 1000 /* maximum number of examples for choosing λ */

/* Weight of each example, mean 1: all equal, or with `balanced` an equal total for every class with examples.
 * `weight` is [count]. */
void nysx_example_weights(const struct nysx_examples *examples, bool balanced, double *weight);

/* `real` gets G, which minimises Σ weight (h·G_c / d + b_c − t_c)² + λ Σ |G_c|² / d with free offsets b. t_c is 1 for the example's
 * class and −1 for the others. G's scale has no meaning. With K = H Hᵀ / d, (K + λ W⁻¹) α = t − b is solved with one Cholesky
 * factor in single precision (LAPACK), and G = Hᵀ α.
 *
 * λ is one of 0.03, 0.1, 0.3, 1, 3, 10. Its leave-one-out squared error is computed on a sample of NYSX_RIDGE_SAMPLE training
 * examples drawn by the seed, or on all if there are fewer. The largest λ within 3% of the least error is taken. Held-out examples
 * are not used.
 *
 * With a table (nee.table) a second kernel is added to K: Σ_p s_p n_ip n_jp. n_ip is the number of nodes of example i whose codes have the
 * place p. The scales s_p are 1 / √(Σ_i n_ip²), which smooths the weights of frequent codes more, or equal if these have an error that is
 * lower by more than 3%. A common factor gives Σ_p s_p n_ip² the mean NYSX_TABLE_SHARE. Equal scales take the smallest λ within 3%. The others
 * try λ of 0.3 to 100 and take the largest within 8%, which was chosen on seeds 101 to 130 of NCI1 and ENZYMES. The second kernel is a linear model of these counts. `real->real_table` [classes × places]
 * receives its weights, on the scale of G.
 * O(count² (d / 64 + count / 6)). DSE_LIMIT when LAPACK fails. */
#define NYSX_TABLE_SHARE 64.0

enum dse_status nysx_ridge_train(const struct nysx_examples *examples, const struct nysx_prototype_plan *plan,
                                 struct nysx_prototypes *real, double *lambda, struct dse_error *err);
