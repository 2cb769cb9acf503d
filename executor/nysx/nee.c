#include "executor/nysx/nee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "executor/nysx/generator.h"

void nysx_nee_free(struct nysx_nee *nee)
{
    free(nee->center);
    nysx_projection_free(&nee->projection);
    *nee = (struct nysx_nee){0};
}

uint64_t nysx_last_word_mask(size_t dim)
{
    return dim % 64 == 0 ? ~(uint64_t)0 : ((uint64_t)1 << (dim % 64)) - 1;
}

enum dse_status nysx_nee_scratch_alloc(const struct nysx_nee *nee, struct nysx_nee_scratch *out,
                                       struct dse_error *err)
{
    *out = (struct nysx_nee_scratch){0};
    enum dse_status status = nysx_input_alloc(nee->landmarks, &out->input, err);
    if (status == DSE_OK && nee->form == NYSX_FACTORED) {
        size_t rank = nee->projection.dim;
        status = nysx_input_alloc(nee->projection.blocks * NYSX_LANES, &out->phi, err);
        out->phi.columns = rank;
        out->block = aligned_alloc(64, (rank + 3) / 4 * 256 + 256);
        if (status == DSE_OK && out->block == NULL)
            status = dse_fail_memory(err);
    }
    if (status != DSE_OK)
        nysx_nee_scratch_free(out);
    return status;
}

void nysx_nee_scratch_free(struct nysx_nee_scratch *scratch)
{
    nysx_input_free(&scratch->input);
    nysx_input_free(&scratch->phi);
    free(scratch->block);
    *scratch = (struct nysx_nee_scratch){0};
}

/* C − c̄, as real or whole numbers. */
static void enter(enum nysx_vectors vectors, const struct nysx_nee *nee, const int32_t *kernel, bool real,
                  struct nysx_input *input)
{
    for (size_t j = 0; j < nee->landmarks; j++)
        input->whole[j] = kernel[j] - (nee->center != NULL ? nee->center[j] : 0);
    for (size_t j = 0; real && j < nee->landmarks; j++)
        input->real[j] = (float)input->whole[j];
    if (!real)
        nysx_input_split(vectors, nee->projection.precision, input);
}

static bool is_real(const struct nysx_nee *nee)
{
    return nysx_format(nee->projection.precision)->most == 0;
}

void nysx_nee_phi(enum nysx_vectors vectors, const struct nysx_nee *nee, const int32_t *kernel,
                  struct nysx_nee_scratch *scratch)
{
    enter(vectors, nee, kernel, true, &scratch->input);
    for (size_t k = 0; k < nee->projection.blocks; k++)
        nysx_sums_real(vectors, &nee->projection, k, &scratch->input, scratch->phi.real + NYSX_LANES * k);
}

/* φ / scale, rounded to nearest even and held in −2^(bits−1)+1 … 2^(bits−1)−1. */
static int32_t rounded_phi(const struct nysx_nee *nee, float phi)
{
    double most = ldexp(1.0, nee->phi_bits - 1) - 1.0;
    double element = rint((double)(phi / nee->phi_scale));
    return (int32_t)(element > most ? most : element < -most ? -most : element);
}

/* What every block of the projection multiplies: C − c̄, or φ. */
static void prepare(enum nysx_vectors vectors, const struct nysx_nee *nee, const int32_t *kernel,
                    struct nysx_nee_scratch *scratch)
{
    struct nysx_input *phi = &scratch->phi;
    if (nee->form != NYSX_FACTORED) {
        enter(vectors, nee, kernel, is_real(nee), &scratch->input);
        return;
    }
    nysx_nee_phi(vectors, nee, kernel, scratch);
    if (nee->phi_bits == NYSX_PHI_FP32)
        return;
    for (size_t j = 0; j < nee->projection.dim; j++)
        phi->whole[j] = rounded_phi(nee, phi->real[j]);
    nysx_input_split(vectors, NYSX_INT8, phi);
}

/* Word k of every hypervector: P's block is read once. */
static void direct_words(enum nysx_vectors vectors, const struct nysx_nee *nee, size_t k, size_t count,
                         const struct nysx_nee_scratch *scratch, uint64_t *hypervectors)
{
    bool real = is_real(nee);
    for (size_t q = 0; q < count; q++)
        hypervectors[q * nee->words + k] =
            real ? nysx_signs_real(vectors, &nee->projection, k, &scratch[q].input)
                 : nysx_signs_whole(vectors, &nee->projection, k, &scratch[q].input);
}

/* … and P_rp's is made once, in the first one's memory. */
static void factored_words(enum nysx_vectors vectors, const struct nysx_nee *nee, size_t k, size_t count,
                           const struct nysx_nee_scratch *scratch, uint64_t *hypervectors)
{
    size_t rank = nee->projection.dim;
    unsigned char *block = scratch[0].block;
    int32_t row_sum[NYSX_LANES];
    nysx_generate_block(vectors, nee->generator, nee->generator_seed, k, rank, block, row_sum);
    for (size_t q = 0; q < count; q++)
        hypervectors[q * nee->words + k] =
            nee->phi_bits != NYSX_PHI_FP32
                ? nysx_signs_int8(vectors, block, (rank + 3) / 4, row_sum, &scratch[q].phi)
                : nysx_signs_mixed(vectors, block, rank, &scratch[q].phi);
}

void nysx_nee_encode_batch(enum nysx_vectors vectors, const struct nysx_nee *nee, const int32_t *kernels,
                           size_t count, struct nysx_nee_scratch *scratch, uint64_t *hypervectors)
{
    for (size_t q = 0; q < count; q++)
        prepare(vectors, nee, kernels + q * nee->landmarks, &scratch[q]);
    for (size_t k = 0; k < nee->words; k++) {
        if (nee->form == NYSX_FACTORED)
            factored_words(vectors, nee, k, count, scratch, hypervectors);
        else
            direct_words(vectors, nee, k, count, scratch, hypervectors);
    }
    for (size_t q = 0; q < count; q++)
        hypervectors[(q + 1) * nee->words - 1] &= nysx_last_word_mask(nee->dim);
}

void nysx_nee_encode_with(enum nysx_vectors vectors, const struct nysx_nee *nee, const int32_t *kernel,
                          struct nysx_nee_scratch *scratch, uint64_t *hypervector)
{
    nysx_nee_encode_batch(vectors, nee, kernel, 1, scratch, hypervector);
}

void nysx_nee_encode(const struct nysx_nee *nee, const int32_t *kernel, struct nysx_nee_scratch *scratch,
                     uint64_t *hypervector)
{
    nysx_nee_encode_with(nysx_vectors_best(), nee, kernel, scratch, hypervector);
}
