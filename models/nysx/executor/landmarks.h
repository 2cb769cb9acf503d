/* Choice of the landmark graphs (section 4.1, Algorithm 2). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/rng.h"
#include "core/status.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/parameters.h"
#include "executor/executor.h"

/* Draws `count` of the `n` items, every subset equally likely, ascending, from the given stream of the seed. `out`
 * has room for count ≤ n. */
void nysx_draw_uniform(const int32_t *items, size_t n, size_t count, uint64_t seed, uint64_t stream, int32_t *out);

/* Chooses setting->landmarks of the `n` training graphs, ascending; uniformly or by Algorithm 2. Algorithm 2 draws a uniform
 * pool of min(setting->pool, n) graphs, and samples an exact k-DPP over the pool's propagation kernel. The kernel uses the training run's
 * own LSH directions. It is divided by the square roots of its diagonal, so that large graphs have no more weight.
 * DSE_BAD_USAGE for fewer graphs, or a smaller pool, than landmarks. */
enum dse_status nysx_choose_landmarks(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                      const struct nysx_features *features, const int32_t *train, size_t n,
                                      const struct dse_run *run, int32_t *out, struct dse_error *err);

/* Eigenvalues below this share of the largest are raised to it, so that k items can be drawn from a kernel of
 * lower rank. Items distinguished only by these are drawn last. */
#define NYSX_DPP_LIFT 1e-10

/* Exact sampling from a k-DPP (Kulesza and Taskar, Determinantal point processes for machine learning, 2012, section 5.2). A subset of
 * k items has a probability proportional to the determinant of its part of the kernel. `out` gets `k` of `n` items, ascending. `kernel` is
 * n × n, symmetric, positive semi-definite, row-major, and is overwritten. O(n³) for the eigenvectors by LAPACK on one thread, O(n k²) for
 * the draw. */
enum dse_status nysx_dpp_sample(double *kernel, size_t n, size_t k, struct dse_rng *rng, int32_t *out,
                                struct dse_error *err);
