/* Linear algebra of training, by OpenBLAS, which is loaded when the first model is trained and not with the program: it starts
 * threads as it is loaded, and where these, or later a call, find no room for their buffers (an address space of 120 to 200 MB) it
 * waits for ever. Under a limit of the address space (RLIMIT_AS) a call is made once there is room for it. One thread is
 * all that is used, since the order of sums must not depend on the machine's load; a program sets OPENBLAS_NUM_THREADS=1 before
 * its first thread (dse/main.c does), a caller of the library may.
 *
 * The last bits of eigenvectors and products depend on OpenBLAS's kernels: those of Haswell on a processor with AVX2, unless OPENBLAS_CORETYPE
 * names others when the library is loaded. dse_algebra_kernel names them, and a model keeps the name. Matrices are row-major. Errors of every function: DSE_LIMIT where
 * OpenBLAS cannot be loaded, finds no memory, or does not converge. */
#pragma once

#include <stddef.h>

#include "core/status.h"

/* Loads the library where it is not yet; to be called before the others. */
enum dse_status dse_algebra_open(struct dse_error *err);

/* "Haswell", or "" where nothing is loaded. */
const char *dse_algebra_kernel(void);

/* Eigenvectors into the columns of a symmetric n × n matrix, `values` ascending. Values that differ by less than 1e-10 of the largest are
 * one, and their vectors are those in echelon form with positive pivots: which kernels found them changes rounding alone.
 * O(n³), O(n²) of scratch (dsyevd). */
enum dse_status dse_algebra_eigen(double *matrix, size_t n, double *values, struct dse_error *err);

/* The same by QR (dsyev), eigenvectors into the rows: a little slower, of small matrices. */
enum dse_status dse_algebra_eigen_rows(double *matrix, size_t n, double *values, struct dse_error *err);

/* out = a b, a being rows × inner and b inner × columns (dgemm). */
enum dse_status dse_algebra_multiply(const double *a, const double *b, size_t rows, size_t inner, size_t columns, double *out,
                                      struct dse_error *err);

/* aᵀ b (ddot). */
double dse_algebra_dot(const double *a, const double *b, size_t n);

/* The inverse X of the lower Cholesky factor of a positive definite n × n matrix into its lower triangle, so that the matrix's inverse is Xᵀ X
 * (dpotrf, dtrmm). What stands above the diagonal is neither read nor kept. */
enum dse_status dse_algebra_invert_factor(double *matrix, size_t n, struct dse_error *err);

/* Solves for `columns` right sides of n elements each, in place; the matrix is packed as LAPACK's rectangular full packed form,
 * lower, not transposed, in single precision, and is overwritten (spftrf, spftrs). */
enum dse_status dse_algebra_solve_packed(float *packed, size_t n, float *right, size_t columns, struct dse_error *err);
