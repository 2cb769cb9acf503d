/* Class prototypes from the training hypervectors. */
#ifndef DSE_EXECUTOR_NYSX_PROTOTYPES_H
#define DSE_EXECUTOR_NYSX_PROTOTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/parameters.h"
#include "models/nysx/executor/sce.h"

/* Hypervectors of the training graphs with their classes. */
struct nysx_examples {
    const uint64_t *hypervector; /* [count × words] */
    const int32_t *label;        /* [count] */
    size_t count, words, dim, classes;
};

/* How prototypes are made. */
struct nysx_prototype_plan {
    enum nysx_method method;
    bool balanced;  /* every class weighs the same; not of bundled ones */
    size_t epochs;  /* of adaptive training; 0 only bundles */
    int bits;       /* 1, 2, 4, 8, or 32: real */
    bool in_loop;   /* adaptive training looks through the quantised prototypes */
    uint64_t seed;  /* of the examples' order */
};

/* Bundling (section 2.1.1): the sum of a class's hypervectors. Adaptive training goes on from there: the
 * examples in a new order each epoch; where the most similar prototype is of the wrong class, the right
 * one gets (1 − cosine) h added and the wrong one its own (1 − cosine) h taken off, as the predecessor
 * NysHD does. In the loop, similarities are those of the prototypes as they will be stored, while the updates
 * gather in real ones behind them; scales are fitted anew each epoch. The result is stored in `bits`.
 * O(epochs × count × classes × dim). */
enum dse_status nysx_prototypes_train(const struct nysx_examples *examples,
                                      const struct nysx_prototype_plan *plan, struct nysx_prototypes *out,
                                      struct dse_error *err);

/* Real prototypes for scores with offsets, in `bits`. What all classes share, their mean, says nothing of them and is taken
 * out; then all elements are rounded on one scale, the one of 32 of the least squared error (1 bit: the sign, 0 is +1). The
 * offsets are fitted to what was rounded: a common slope and an offset a class, by least squares of the weighted training
 * scores against 1 for the own class and −1 for others; the slope is divided away, whole prototypes have whole offsets. */
struct nysx_prototypes nysx_prototypes_offset(struct nysx_prototypes *real, const struct nysx_examples *examples, bool balanced, int bits);

/* Real prototypes as whole numbers: one bit is the sign (0 is +1); more bits round to −m … m with
 * m = 2^(bits−1) − 1, a class's scale being the one of 32 that leaves the smallest squared error. Scales
 * need no storing: the cosine does not see them. */
struct nysx_prototypes nysx_prototypes_quantise(struct nysx_prototypes *real, int bits);

#endif
