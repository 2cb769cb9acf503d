#include "models/nysx/executor/projection.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "executor/algebra.h"
#include "models/nysx/executor/streams.h"

/* Columns of `q` (s × s, row-major) are the eigenvectors, in ascending order of their values. */
static enum dse_status eigendecompose(const int32_t *kernel, size_t s, double *q, double *values,
                                      struct dse_error *err)
{
    for (size_t i = 0; i < s * s; i++)
        q[i] = kernel[i];
    DSE_TRY(dse_algebra_eigen(q, s, values, err));
    if (!(values[s - 1] > 0.0))
        return dse_fail(err, DSE_BAD_USAGE, "the landmark kernel is zero: its graphs have no nodes");
    return DSE_OK;
}

enum dse_status nysx_phi_map(const int32_t *kernel, size_t s, double tolerance, double **phi_map, size_t *rank,
                             struct dse_error *err)
{
    DSE_CLEANUP(dse_free_at) double *q = dse_malloc(s * s * sizeof *q);
    DSE_CLEANUP(dse_free_at) double *values = dse_malloc(s * sizeof *values);
    *phi_map = NULL;
    *rank = 0;
    DSE_TRY(eigendecompose(kernel, s, q, values, err));
    while (*rank < s && values[s - 1 - *rank] > tolerance * values[s - 1])
        ++*rank;
    *phi_map = dse_malloc(*rank * s * sizeof **phi_map);
    for (size_t k = 0; k < *rank; k++) {
        size_t column = s - 1 - k;
        double factor = 1.0 / sqrt(values[column]);
        for (size_t j = 0; j < s; j++)
            (*phi_map)[k * s + j] = factor * q[j * s + column];
    }
    return DSE_OK;
}

struct projection_job {
    const double *phi_map;
    size_t rank;
    uint64_t seed;
    enum nysx_entries entries;
    struct nysx_projection *out;
};

/* Rows of `product` (rows × s), rounded to the projection's format. */
static void put_rows(struct nysx_projection *out, size_t first, size_t rows, const double *product)
{
    size_t s = out->columns;
    float *row = dse_malloc(2 * s * sizeof *row), unused;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < s; j++)
            row[j] = (float)product[i * s + j];
        nysx_quantise_row(out->precision, row, s, row + s, out->scale != NULL ? &out->scale[first + i] : &unused);
        nysx_projection_put(out, first + i, row + s);
    }
    free(row);
}

/* Makes 64 rows: random numbers, their product with the map, and the packing. NysHD's numbers are uniform in −1 … 1; its scaling of rows to unit
 * length changes no sign. */
static enum dse_status project_block(void *user, size_t block, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct projection_job *job = user;
    size_t first = block * NYSX_LANES, rows = job->out->dim - first, s = job->out->columns;
    rows = rows < NYSX_LANES ? rows : NYSX_LANES;
    DSE_CLEANUP(dse_free_at) double *random = dse_malloc(rows * job->rank * sizeof *random);
    DSE_CLEANUP(dse_free_at) double *product = dse_malloc(rows * s * sizeof *product);
    for (size_t i = 0; i < rows; i++) {
        struct dse_rng rng;
        dse_rng_seed(&rng, job->seed, nysx_stream_row(NYSX_STREAM_PROJECTION, first + i));
        for (size_t k = 0; k < job->rank; k++)
            random[i * job->rank + k] = job->entries == NYSX_UNIFORM_ENTRIES ? 2.0 * dse_rng_uniform(&rng) - 1.0 : dse_rng_normal(&rng);
    }
    DSE_TRY(dse_algebra_multiply(random, job->phi_map, rows, job->rank, s, product, err));
    put_rows(job->out, first, rows, product);
    return DSE_OK;
}

/* The mean of the training kernels, rounded. */
static void make_center(const int32_t *kernels, size_t count, struct nysx_nee *nee)
{
    size_t s = nee->landmarks;
    nee->center = dse_malloc(s * sizeof *nee->center);
    for (size_t j = 0; j < s; j++) {
        int64_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += kernels[i * s + j];
        nee->center[j] = (int32_t)llrint((double)sum / (double)count);
    }
}

static enum dse_status make_stored(const struct nysx_setting *setting, const double *phi_map, size_t rank,
                                   const struct dse_run *run, struct nysx_nee *nee, struct dse_error *err)
{
    DSE_TRY(nysx_projection_alloc(setting->precision, setting->dim, nee->landmarks,
                                  &nee->projection, err));
    struct projection_job job = {phi_map, rank, run->seed, setting->entries, &nee->projection};
    return dse_parallel_for(nee->words, run->jobs, project_block, &job, run->monitor, err);
}

static float fit_phi_scale(const int32_t *kernels, size_t count, const struct nysx_nee *nee)
{
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct nysx_nee_scratch scratch = nysx_nee_scratch_make(nee, &arena);
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++) {
        nysx_nee_phi(nee, kernels + i * nee->landmarks, &scratch);
        for (size_t k = 0; k < nee->projection.dim; k++)
            largest = fabsf(scratch.phi.real[k]) > largest ? fabsf(scratch.phi.real[k]) : largest;
    }
    return largest > 0.0f ? (float)(largest / (ldexp(1.0, nee->phi_bits - 1) - 1.0)) : 1.0f;
}

/* Rotates the map by an orthonormal DCT-II: R φ for φ, R_kj = c_k cos(π k (2 j + 1) / 2 r). The rotation costs nothing when φ is
 * computed, and changes no angle between two φ. It spreads a dominant direction over all elements, so few bits hold φ. P_rp's
 * component in that direction is then a sum of many entries, near Gaussian even if the entries are signs. */
static void rotate(const double *phi_map, size_t rank, size_t s, double *out)
{
    const double pi = 3.14159265358979323846;
    for (size_t k = 0; k < rank; k++) {
        double factor = sqrt((k == 0 ? 1.0 : 2.0) / (double)rank);
        for (size_t i = 0; i < s; i++)
            out[k * s + i] = 0.0;
        for (size_t j = 0; j < rank; j++) {
            double turn = factor * cos(pi * (double)(k * (2 * j + 1) % (4 * rank)) / (2.0 * (double)rank));
            for (size_t i = 0; i < s; i++)
                out[k * s + i] += turn * phi_map[j * s + i];
        }
    }
}

static enum dse_status make_factored(const double *phi_map, size_t rank, const int32_t *kernels, size_t count,
                                     struct nysx_nee *nee, struct dse_error *err)
{
    DSE_CLEANUP(dse_free_at) double *turned = dse_malloc(rank * nee->landmarks * sizeof *turned);
    rotate(phi_map, rank, nee->landmarks, turned);
    DSE_TRY(nysx_projection_alloc(NYSX_FP32, rank, nee->landmarks, &nee->projection, err));
    put_rows(&nee->projection, 0, rank, turned);
    if (nee->phi_bits != NYSX_PHI_FP32)
        nee->phi_scale = fit_phi_scale(kernels, count, nee);
    return DSE_OK;
}

enum dse_status nysx_projection_make(const struct nysx_setting *setting, const double *phi_map, size_t rank,
                                     const int32_t *kernels, size_t count, const struct dse_run *run,
                                     struct nysx_nee *out, struct dse_error *err)
{
    *out = (struct nysx_nee){
        .form = setting->form,
        .dim = setting->dim,
        .landmarks = setting->landmarks,
        .words = (setting->dim + 63) / 64,
        .generator = setting->generator,
        .generator_seed = run->seed,
        .phi_bits = setting->phi_bits,
        .phi_scale = 1.0f,
    };
    if (setting->center)
        make_center(kernels, count, out);
    return setting->form == NYSX_FACTORED ? make_factored(phi_map, rank, kernels, count, out, err)
                                          : make_stored(setting, phi_map, rank, run, out, err);
}
