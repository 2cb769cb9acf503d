#include "executor/nysx/projection.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "core/parallel.h"
#include "core/rng.h"
#include "executor/nysx/streams.h"

/* Columns of `q` (s × s, row-major) are the eigenvectors, in ascending order of their values. */
static enum dse_status eigendecompose(const int32_t *kernel, size_t s, double *q, double *values,
                                      struct dse_error *err)
{
    openblas_set_num_threads(1); /* the sums' order must not depend on the machine's load */
    for (size_t i = 0; i < s * s; i++)
        q[i] = kernel[i];
    lapack_int n = (lapack_int)s;
    lapack_int info = LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'V', 'U', n, q, n, values);
    if (info != 0)
        return dse_fail(err, DSE_LIMIT, "the eigendecomposition of the landmark kernel failed (dsyevd: %d)",
                        (int)info);
    if (!(values[s - 1] > 0.0))
        return dse_fail(err, DSE_BAD_USAGE, "the landmark kernel is zero: its graphs have no nodes");
    return DSE_OK;
}

enum dse_status nysx_phi_map(const int32_t *kernel, size_t s, double **phi_map, size_t *rank,
                             struct dse_error *err)
{
    *phi_map = NULL;
    double *q = malloc(s * s * sizeof *q), *values = malloc(s * sizeof *values);
    enum dse_status status = q == NULL || values == NULL ? dse_fail_memory(err) : DSE_OK;
    if (status == DSE_OK)
        status = eigendecompose(kernel, s, q, values, err);
    size_t kept = 0;
    while (status == DSE_OK && kept < s && values[s - 1 - kept] > NYSX_RANK_TOLERANCE * values[s - 1])
        kept++;
    double *map = status == DSE_OK ? malloc(kept * s * sizeof *map) : NULL;
    if (status == DSE_OK && map == NULL)
        status = dse_fail_memory(err);
    for (size_t k = 0; status == DSE_OK && k < kept; k++) {
        size_t column = s - 1 - k;
        double factor = 1.0 / sqrt(values[column]);
        for (size_t j = 0; j < s; j++)
            map[k * s + j] = factor * q[j * s + column];
    }
    free(q);
    free(values);
    *phi_map = map;
    *rank = kept;
    return status;
}

struct projection_job {
    const double *phi_map;
    size_t rank, s, dim;
    uint64_t seed;
    struct nysx_projection *out;
};

/* 64 rows: Gaussian numbers, their product with the map, and the packing. */
static enum dse_status project_block(void *user, size_t block, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct projection_job *job = user;
    size_t first = block * NYSX_LANES, rows = job->dim - first;
    rows = rows < NYSX_LANES ? rows : NYSX_LANES;
    double *random = malloc(rows * job->rank * sizeof *random);
    double *product = malloc(rows * job->s * sizeof *product);
    if (random == NULL || product == NULL) {
        free(random);
        free(product);
        return dse_fail_memory(err);
    }
    for (size_t i = 0; i < rows; i++) {
        struct dse_rng rng;
        dse_rng_seed(&rng, job->seed, nysx_stream_row(NYSX_STREAM_PROJECTION, first + i));
        for (size_t k = 0; k < job->rank; k++)
            random[i * job->rank + k] = dse_rng_normal(&rng);
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)job->s, (int)job->rank, 1.0,
                random, (int)job->rank, job->phi_map, (int)job->s, 0.0, product, (int)job->s);
    float *packed = job->out->packed + block * job->s * NYSX_LANES;
    for (size_t j = 0; j < job->s; j++)
        for (size_t i = 0; i < NYSX_LANES; i++)
            packed[j * NYSX_LANES + i] = i < rows ? (float)product[i * job->s + j] : 0.0f;
    free(random);
    free(product);
    return DSE_OK;
}

enum dse_status nysx_projection_make(const double *phi_map, size_t rank, size_t s, size_t dim,
                                     const struct dse_run *run, struct nysx_projection *out,
                                     struct dse_error *err)
{
    enum dse_status status = nysx_projection_alloc(dim, s, out, err);
    if (status != DSE_OK)
        return status;
    openblas_set_num_threads(1);
    struct projection_job job = {phi_map, rank, s, dim, run->seed, out};
    status = dse_parallel_for(out->blocks, run->jobs, project_block, &job, run->monitor, err);
    if (status != DSE_OK)
        nysx_projection_free(out);
    return status;
}
