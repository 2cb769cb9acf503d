#include "models/nysx/executor/nee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/nysx/executor/direct.h"
#include "models/nysx/executor/generator.h"
#include "models/nysx/executor/nee_signs.h"

void nysx_nee_free(struct nysx_nee *nee)
{
    free(nee->center);
    free(nee->threshold);
    free(nee->narrow_threshold);
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
    if (nee->form == NYSX_DIRECT) {
        out->block = aligned_alloc(64, nysx_direct_sums_bytes(nee->dim));
        return DSE_OK;
    }
    enum dse_status status = nysx_input_alloc(nee->landmarks, &out->input, err);
    if (status == DSE_OK && nee->form == NYSX_FACTORED) {
        size_t rank = nee->projection.dim;
        status = nysx_input_alloc(nee->projection.blocks * NYSX_LANES, &out->phi, err);
        out->phi.columns = rank;
        size_t steps = nysx_sign_steps(rank);
        out->block = aligned_alloc(64, (rank + 3) / 4 * 256 + 256 + 64 * NYSX_SIGN_BLOCKS * steps);
        out->tables = dse_malloc(steps / NYSX_SIGN_STEPS * NYSX_SIGN_TABLE_BYTES);
        if (status == DSE_OK && (out->block == NULL || out->tables == NULL))
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
    free(scratch->tables);
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

/* φ / scale, rounded to nearest even and held in −2^(bits−1)+1 … 2^(bits−1)−1; returns Σ |φ|. */
static int64_t round_phi(const struct nysx_nee *nee, struct nysx_input *phi)
{
    double most = ldexp(1.0, nee->phi_bits - 1) - 1.0, to_even = 0x1.8p52; /* numbers near it are whole */
    int64_t magnitude = 0;
    for (size_t j = 0; j < nee->projection.dim; j++) {
        double element = (double)(phi->real[j] / nee->phi_scale);
        element = element > most ? most : element;
        element = element < -most ? -most : element;
        phi->whole[j] = (int32_t)(element + to_even - to_even);
        magnitude += abs(phi->whole[j]);
    }
    return magnitude;
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
    int64_t magnitude = round_phi(nee, phi);
    scratch->by_tables = nee->generator == NYSX_SIGN && nee->phi_bits == 8 && magnitude <= NYSX_SIGN_SUM_MOST;
    if (scratch->by_tables)
        nysx_sign_tables(vectors, phi->whole, nee->projection.dim, scratch->tables);
    else
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

/* The same for words [k, k + NYSX_SIGN_BLOCKS) where every query's φ fits the tables of sums. */
static void sign_words(enum nysx_vectors vectors, const struct nysx_nee *nee, size_t k, size_t count,
                       const struct nysx_nee_scratch *scratch, uint64_t *hypervectors)
{
    size_t rank = nee->projection.dim, left = nee->words - k;
    uint64_t words[NYSX_SIGN_BLOCKS];
    nysx_generate_signs(vectors, nee->generator_seed, k, nysx_sign_steps(rank), scratch[0].block);
    for (size_t q = 0; q < count; q++) {
        nysx_sign_words(vectors, scratch[0].block, rank, scratch[q].tables, words);
        memcpy(hypervectors + q * nee->words + k, words, sizeof *words * (left < NYSX_SIGN_BLOCKS ? left : NYSX_SIGN_BLOCKS));
    }
}

void nysx_nee_encode_batch(enum nysx_vectors vectors, const struct nysx_nee *nee, const int32_t *kernels,
                           size_t count, struct nysx_nee_scratch *scratch, uint64_t *hypervectors)
{
    bool by_tables = true;
    for (size_t q = 0; q < count; q++) {
        prepare(vectors, nee, kernels + q * nee->landmarks, &scratch[q]);
        by_tables = by_tables && scratch[q].by_tables;
    }
    for (size_t k = 0; k < nee->words; k += by_tables ? NYSX_SIGN_BLOCKS : 1) {
        if (by_tables)
            sign_words(vectors, nee, k, count, scratch, hypervectors);
        else if (nee->form == NYSX_FACTORED)
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
