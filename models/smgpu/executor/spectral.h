/* The spectral engine: sparse symmetric matrices in CSR, Chebyshev sums, power iteration and the graph Fourier transform. */
#pragma once

#include <stdbool.h>

#include "core/monitor.h"
#include "core/status.h"
#include "models/smgpu/executor/fixed.h"

/* A square matrix by rows; columns ascend within a row, each at most once. Borrows its arrays. */
struct smgpu_matrix {
    size_t nodes, nonzeros;
    const int32_t *begin;  /* [nodes + 1] */
    const int32_t *column; /* [nonzeros] */
    const int32_t *value;  /* [nonzeros] */
};

/* Checks such a matrix. DSE_BAD_INPUT names the fault: "row 3: …". */
enum dse_status smgpu_matrix_check(const struct smgpu_matrix *a, struct dse_error *err);

/* Also checks that it is symmetric, and has no negative value. O(nonzeros). */
enum dse_status smgpu_matrix_check_weights(const struct smgpu_matrix *a, struct dse_error *err);

/* L = I − D^-½ A D^-½ with every diagonal entry. The caller provides `begin` [nodes + 1], `column` and `value` [nonzeros + nodes]. Returns
 * the number of entries. `scale` [nodes] is scratch for the reciprocal roots. O(nonzeros). */
size_t smgpu_laplacian(struct smgpu_fixed *q, const struct smgpu_matrix *a, int32_t *scale, int32_t *begin, int32_t *column, int32_t *value);

/* y = M x: products of a row are summed by ascending column, and saturated after each. */
void smgpu_multiply(struct smgpu_fixed *q, const struct smgpu_matrix *m, const int32_t *x, int32_t *y);

/* y = Σ_k theta[k] T_k(L − I) x, `terms` of them; `work` [3 · nodes + nonzeros]. O(terms · nonzeros). */
void smgpu_chebyshev(struct smgpu_fixed *q, const struct smgpu_matrix *l, const int32_t *x, const int32_t *theta, size_t terms, int32_t *work,
                     int32_t *y);

/* The coefficients of exp(−time · L) in T_0 … T_order of L − I, rounded to nearest. */
void smgpu_heat_coefficients(struct smgpu_fixed *q, double time, size_t order, int32_t *theta);

/* v ← L v / |L v|, `iterations` times, in place. Returns the Rayleigh quotient of the result, 0 if v becomes 0. `work`
 * [nodes]. */
int32_t smgpu_power_iteration(struct smgpu_fixed *q, const struct smgpu_matrix *l, size_t iterations, int32_t *v, int32_t *work);

/* The eigenvectors of L by ascending eigenvalue (LAPACK), rounded to nearest; basis[k · nodes + i] is component i of vector k. The largest
 * component of each, the first of equals, is positive. O(nodes³). DSE_LIMIT if it does not converge. */
enum dse_status smgpu_eigenbasis(struct smgpu_fixed *q, const struct smgpu_matrix *l, int32_t *basis, struct dse_error *err);

/* y_k = Σ_i basis_ki x_i, or (`inverse`) y_i = Σ_k basis_ki x_k. */
void smgpu_fourier(struct smgpu_fixed *q, const int32_t *basis, size_t nodes, bool inverse, const int32_t *x, int32_t *y);
