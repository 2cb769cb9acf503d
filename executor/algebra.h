/* Linear algebra of training, by OpenBLAS. The library is loaded when the first model is trained and not with the program, because it starts threads when it
 * is loaded. If the threads, or a later call, find no room for their buffers (an address space of 120 to 200 MB), OpenBLAS waits for ever. Under a limit of
 * the address space (RLIMIT_AS), a call is made only if there is room for it. Only one thread is used, since the order of sums must not depend on the
 * machine's load. A program sets OPENBLAS_NUM_THREADS=1 before its first thread (dse/main.c does); a caller of the library may.
 *
 * The last bits of eigenvectors and products depend on OpenBLAS's kernels. On a processor with AVX2 these are Haswell's, unless OPENBLAS_CORETYPE
 * names others when the library is loaded. dse_algebra_kernel names them, and a model keeps the name. Matrices are row-major. Errors of every
 * function: DSE_LIMIT if OpenBLAS cannot be loaded, finds no memory, or does not converge. */
#pragma once

#include <stddef.h>

#include "core/status.h"

/* Loads the library if it is not loaded yet. Call it before the others. */
enum dse_status dse_algebra_open(struct dse_error *err);

/* "Haswell", or "" if nothing is loaded. */
const char *dse_algebra_kernel(void);

/* Eigenvectors of a symmetric n × n matrix into its columns, `values` ascending. Values that differ by less than 1e-10 of the largest count as equal.
 * Their vectors are those in echelon form with positive pivots, so that another kernel changes only rounding. O(n³), O(n²) of scratch (dsyevd). */
enum dse_status dse_algebra_eigen(double *matrix, size_t n, double *values, struct dse_error *err);

/* As dse_algebra_eigen, by QR (dsyev), eigenvectors into the rows: a little slower, for small matrices. */
enum dse_status dse_algebra_eigen_rows(double *matrix, size_t n, double *values, struct dse_error *err);

/* out = a b, a being rows × inner and b inner × columns (dgemm). */
enum dse_status dse_algebra_multiply(const double *a, const double *b, size_t rows, size_t inner, size_t columns, double *out,
                                      struct dse_error *err);

/* aᵀ b (ddot). */
double dse_algebra_dot(const double *a, const double *b, size_t n);

/* The inverse X of the lower Cholesky factor of a positive definite n × n matrix, into its lower triangle. The matrix's inverse is Xᵀ X (dpotrf,
 * dtrmm). Elements above the diagonal are neither read nor kept. */
enum dse_status dse_algebra_invert_factor(double *matrix, size_t n, struct dse_error *err);

/* Solves for `columns` right sides of n elements each, in place. The matrix is in LAPACK's rectangular full packed form (lower, not transposed,
 * single precision) and is overwritten (spftrf, spftrs). */
enum dse_status dse_algebra_solve_packed(float *packed, size_t n, float *right, size_t columns, struct dse_error *err);
