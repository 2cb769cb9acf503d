/* Exact sampling from a k-DPP (Kulesza and Taskar, Determinantal point processes for machine learning,
 * 2012, section 5.2): a subset of k items with probability proportional to the determinant of its part of
 * the kernel. */
#ifndef DSE_EXECUTOR_NYSX_DPP_H
#define DSE_EXECUTOR_NYSX_DPP_H

#include <stddef.h>
#include <stdint.h>

#include "core/rng.h"
#include "core/status.h"

/* Eigenvalues below this part of the largest are lifted to it, so that k items can be drawn from a kernel of
 * a lower rank. Items that only these tell apart are drawn last. */
#define NYSX_DPP_LIFT 1e-10

/* `k` of `n` items, ascending. `kernel` is n × n, symmetric, positive semi-definite, row-major; it is
 * overwritten. O(n³) for the eigenvectors by LAPACK on one thread, O(n k²) for the draw. */
enum dse_status nysx_dpp_sample(double *kernel, size_t n, size_t k, struct dse_rng *rng, int32_t *out,
                                struct dse_error *err);

#endif
