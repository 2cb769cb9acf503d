/* The Nyström map of the landmark kernel (section 2.1.2): P_nys = P_rp Λ^(-1/2) Qᵀ, and the NEE built from it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "executor/executor.h"
#include "models/nysx/executor/nee.h"

/* phi_map = Λ^(-1/2) Qᵀ, rank × s, largest eigenvalue first, malloc'd. The kernel is s × s, row-major, symmetric. Eigenvalues
 * below `tolerance` of the largest count as 0, because the landmark kernel is rank deficient and these are rounding errors.
 * Clipping them, as the predecessor's code does, costs 7 to 16 points of accuracy in fp32. O(s³), by LAPACK on one thread.
 * DSE_LIMIT if LAPACK does not converge; DSE_BAD_USAGE if the kernel is all zero (the landmarks have no nodes). */
enum dse_status nysx_phi_map(const int32_t *kernel, size_t s, double tolerance, double **phi_map, size_t *rank,
                             struct dse_error *err);

/* The NEE of a setting. Streamed and resident: row i of P_rp is `rank` standard normal numbers from its own
 * stream, and P_nys is rounded to the setting's precision. Factored: the rotated map in fp32, the generator's
 * seed, and phi_scale such that the largest |φ| over the training kernels uses the whole range.
 * `kernels` are the training graphs' C, count × s, for c̄ and phi_scale. O(dim × rank × s + count × s). */
enum dse_status nysx_projection_make(const struct nysx_setting *setting, const double *phi_map, size_t rank,
                                     const int32_t *kernels, size_t count, const struct dse_run *run,
                                     struct nysx_nee *out, struct dse_error *err);
