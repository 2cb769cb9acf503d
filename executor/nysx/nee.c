#include "executor/nysx/nee.h"

#include <stdlib.h>
#include <string.h>

enum dse_status nysx_projection_alloc(size_t dim, size_t columns, struct nysx_projection *out,
                                      struct dse_error *err)
{
    size_t blocks = (dim + NYSX_LANES - 1) / NYSX_LANES;
    *out = (struct nysx_projection){.dim = dim, .columns = columns, .blocks = blocks};
    size_t row_bytes = columns * NYSX_LANES * sizeof(float);
    if (columns > SIZE_MAX / (NYSX_LANES * sizeof(float)) || blocks > SIZE_MAX / (row_bytes + 1))
        return dse_fail(err, DSE_LIMIT, "a projection of %zu x %zu is too large", dim, columns);
    out->packed = aligned_alloc(64, blocks * row_bytes + 64);
    if (out->packed == NULL)
        return dse_fail_memory(err);
    memset(out->packed, 0, blocks * row_bytes);
    return DSE_OK;
}

void nysx_projection_free(struct nysx_projection *projection)
{
    free(projection->packed);
    *projection = (struct nysx_projection){0};
}

uint64_t nysx_last_word_mask(size_t dim)
{
    return dim % 64 == 0 ? ~(uint64_t)0 : ((uint64_t)1 << (dim % 64)) - 1;
}

/* Sixteen lanes of fp32. Compiled for each instruction set from this one text; every lane multiplies and
 * adds on its own, so that all give the same bits. */
typedef float lanes __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) uint64_t signs(const float *sums)
{
    uint64_t bits = 0;
    for (int i = 0; i < NYSX_LANES; i++)
        bits |= (uint64_t)(sums[i] >= 0.0f) << i;
    return bits;
}

static inline __attribute__((always_inline)) uint64_t block_fp32(const float *packed, size_t columns,
                                                                 const float *input)
{
    union {
        lanes vector[4];
        float element[NYSX_LANES];
    } sums;
    lanes a = {0}, b = {0}, c = {0}, d = {0};
    const lanes *word = (const lanes *)(const void *)packed;
    for (size_t j = 0; j < columns; j++, word += 4) {
        float x = input[j];
        a += word[0] * x;
        b += word[1] * x;
        c += word[2] * x;
        d += word[3] * x;
    }
    sums.vector[0] = a;
    sums.vector[1] = b;
    sums.vector[2] = c;
    sums.vector[3] = d;
    return signs(sums.element);
}

static uint64_t block_portable(const float *packed, size_t columns, const float *input)
{
    return block_fp32(packed, columns, input);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint64_t block_avx2(const float *packed, size_t columns,
                                                           const float *input)
{
    return block_fp32(packed, columns, input);
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static uint64_t
block_avx512(const float *packed, size_t columns, const float *input)
{
    return block_fp32(packed, columns, input);
}

enum nysx_vectors nysx_vectors_best(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return NYSX_AVX512;
    return __builtin_cpu_supports("avx2") ? NYSX_AVX2 : NYSX_PORTABLE;
}
#else
#define block_avx2 block_portable
#define block_avx512 block_portable

enum nysx_vectors nysx_vectors_best(void)
{
    return NYSX_PORTABLE;
}
#endif

typedef uint64_t block_kernel(const float *packed, size_t columns, const float *input);

static block_kernel *const kernels[NYSX_VECTORS] = {block_portable, block_avx2, block_avx512};

uint64_t nysx_project_block(enum nysx_vectors vectors, const struct nysx_projection *projection,
                            size_t block, const float *input)
{
    return kernels[vectors](projection->packed + block * projection->columns * NYSX_LANES,
                            projection->columns, input);
}

void nysx_project_with(enum nysx_vectors vectors, const struct nysx_projection *projection,
                       const float *input, uint64_t *hypervector)
{
    for (size_t k = 0; k < projection->blocks; k++)
        hypervector[k] = nysx_project_block(vectors, projection, k, input);
    hypervector[projection->blocks - 1] &= nysx_last_word_mask(projection->dim);
}

void nysx_project(const struct nysx_projection *projection, const float *input, uint64_t *hypervector)
{
    nysx_project_with(nysx_vectors_best(), projection, input, hypervector);
}

void nysx_project_reference(const struct nysx_projection *projection, const float *input,
                            uint64_t *hypervector)
{
    memset(hypervector, 0, projection->blocks * sizeof *hypervector);
    for (size_t row = 0; row < projection->dim; row++) {
        float sum = 0.0f;
        for (size_t j = 0; j < projection->columns; j++)
            sum += projection->packed[nysx_projection_at(projection, row, j)] * input[j];
        hypervector[row / 64] |= (uint64_t)(sum >= 0.0f) << (row % 64);
    }
}
