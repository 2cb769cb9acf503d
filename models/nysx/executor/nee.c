#include "models/nysx/executor/nee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/nysx/executor/direct.h"

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

static struct nysx_input make_input(size_t columns, size_t room, struct dse_arena *arena)
{
    size_t padded = (room + 7) / 8 * 8;
    return (struct nysx_input){.columns = columns, .padded = padded, .real = dse_arena_alloc(arena, padded, sizeof(float)),
                               .whole = dse_arena_alloc(arena, padded, sizeof(int32_t)),
                               .digit = dse_arena_alloc(arena, NYSX_DIGITS * padded + 4, sizeof(int16_t))};
}

static unsigned char *aligned(struct dse_arena *arena, size_t bytes)
{
    uintptr_t place = (uintptr_t)dse_arena_alloc(arena, bytes + 63, 1);
    return (unsigned char *)((place + 63) / 64 * 64);
}

struct nysx_nee_scratch nysx_nee_scratch_make(const struct nysx_nee *nee, struct dse_arena *arena)
{
    if (nee->form == NYSX_DIRECT)
        return (struct nysx_nee_scratch){.block = aligned(arena, nysx_direct_sums_bytes(nee->dim))};
    struct nysx_nee_scratch out = {.input = make_input(nee->landmarks, nee->landmarks, arena)};
    if (nee->form == NYSX_FACTORED) {
        size_t rank = nee->projection.dim, steps = nysx_sign_steps(rank);
        out.phi = make_input(rank, nee->projection.blocks * NYSX_LANES, arena);
        out.block = aligned(arena, (rank + 3) / 4 * 256 + 256 + 64 * NYSX_SIGN_BLOCKS * steps);
        out.tables = dse_arena_alloc(arena, steps / NYSX_SIGN_STEPS, NYSX_SIGN_TABLE_BYTES);
    }
    return out;
}

/* Sums and signed digits of `whole`. */
static void split(enum nysx_precision precision, struct nysx_input *input)
{
    int64_t largest = 0, half = 127; /* the largest number of this many digits: 127, 127 · 257, … */
    input->sum = input->magnitude = 0;
    for (size_t j = 0; j < input->columns; j++) {
        int64_t x = input->whole[j], size = x < 0 ? -x : x;
        largest = size > largest ? size : largest;
        input->sum += x;
        input->magnitude += size;
    }
    for (input->digits = 1; largest > half; input->digits++)
        half = 256 * half + 127;
    for (size_t j = 0; precision != NYSX_BINARY && j < input->columns; j++) {
        int64_t rest = input->whole[j];
        for (int k = 0; k < input->digits; k++) {
            size_t at = (size_t)k * input->padded + j;
            int8_t digit = (int8_t)(rest & 255);
            rest = (rest - digit) >> 8;
            if (precision == NYSX_INT16)
                ((int16_t *)(void *)input->digit)[at] = digit;
            else
                input->digit[at] = (unsigned char)digit;
        }
    }
}

static bool is_real(const struct nysx_nee *nee)
{
    return nysx_format(nee->projection.precision)->most == 0;
}

/* C − c̄, as real or whole numbers. */
static void enter(const struct nysx_nee *nee, const int32_t *kernel, struct nysx_input *input)
{
    for (size_t j = 0; j < nee->landmarks; j++)
        input->whole[j] = kernel[j] - (nee->center != NULL ? nee->center[j] : 0);
    if (!is_real(nee))
        split(nee->projection.precision, input);
    for (size_t j = 0; is_real(nee) && j < nee->landmarks; j++)
        input->real[j] = (float)input->whole[j];
}

/* Block k of the projection. */
static const unsigned char *block_at(const struct nysx_projection *p, size_t k)
{
    return p->packed + k * p->groups * nysx_format(p->precision)->group_bytes;
}

void nysx_nee_phi(const struct nysx_nee *nee, const int32_t *kernel, struct nysx_nee_scratch *scratch)
{
    const struct nysx_projection *p = &nee->projection;
    enter(nee, kernel, &scratch->input);
    for (size_t k = 0; k < p->blocks; k++)
        nysx_kernels->real_sums(p->precision, block_at(p, k), p->columns, scratch->input.real, scratch->phi.real + NYSX_LANES * k);
}

/* φ / scale, rounded to nearest even and saturated to −2^(bits−1)+1 … 2^(bits−1)−1; returns Σ |φ|. */
static int64_t round_phi(const struct nysx_nee *nee, struct nysx_input *phi)
{
    double most = ldexp(1.0, nee->phi_bits - 1) - 1.0, to_even = 0x1.8p52; /* floats near to_even are whole numbers */
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

/* Prepares the vector that all blocks of the projection multiply: C − c̄, or φ. */
static void prepare(const struct nysx_nee *nee, const int32_t *kernel, struct nysx_nee_scratch *scratch)
{
    struct nysx_input *phi = &scratch->phi;
    if (nee->form != NYSX_FACTORED) {
        enter(nee, kernel, &scratch->input);
        return;
    }
    nysx_nee_phi(nee, kernel, scratch);
    if (nee->phi_bits == NYSX_PHI_FP32)
        return;
    int64_t magnitude = round_phi(nee, phi);
    scratch->by_tables = nee->generator == NYSX_SIGN && nee->phi_bits == 8 && magnitude <= NYSX_SIGN_SUM_MOST;
    if (scratch->by_tables)
        nysx_kernels->sign_tables(phi->whole, nee->projection.dim, scratch->tables);
    else
        split(NYSX_INT8, phi);
}

/* Word k of every hypervector, with one read of P's block. */
static void stored_words(const struct nysx_nee *nee, size_t k, size_t count, const struct nysx_nee_scratch *scratch,
                         uint64_t *hypervectors)
{
    const struct nysx_projection *p = &nee->projection;
    const unsigned char *block = block_at(p, k);
    for (size_t q = 0; q < count && !is_real(nee); q++)
        hypervectors[q * nee->words + k] = nysx_kernels->whole_signs(p->precision, block, p->groups, &scratch[q].input);
    for (size_t first = 0; first < count && is_real(nee); first += NYSX_BATCH) {
        const float *input[NYSX_BATCH];
        uint64_t signs[NYSX_BATCH];
        size_t together = count - first < NYSX_BATCH ? count - first : NYSX_BATCH;
        for (size_t q = 0; q < together; q++)
            input[q] = scratch[first + q].input.real;
        nysx_kernels->real_signs(p->precision, block, p->columns, input, together, signs);
        for (size_t q = 0; q < together; q++)
            hypervectors[(first + q) * nee->words + k] = signs[q];
    }
}

/* As stored_words, with one generation of P_rp's block, in the first query's memory. */
static void factored_words(const struct nysx_nee *nee, size_t k, size_t count, const struct nysx_nee_scratch *scratch,
                           uint64_t *hypervectors)
{
    size_t rank = nee->projection.dim;
    unsigned char *block = scratch[0].block;
    nysx_kernels->generate_block(nee->generator, nee->generator_seed, k, rank, block);
    for (size_t q = 0; q < count; q++)
        hypervectors[q * nee->words + k] = nee->phi_bits != NYSX_PHI_FP32
                                               ? nysx_kernels->whole_signs(NYSX_INT8, block, (rank + 3) / 4, &scratch[q].phi)
                                               : nysx_kernels->mixed_signs(block, rank, scratch[q].phi.real);
}

/* As factored_words, for words [k, k + NYSX_SIGN_BLOCKS), if every query's φ fits the tables of sums. */
static void sign_words(const struct nysx_nee *nee, size_t k, size_t count, const struct nysx_nee_scratch *scratch,
                       uint64_t *hypervectors)
{
    size_t rank = nee->projection.dim, left = nee->words - k;
    uint64_t words[NYSX_SIGN_BLOCKS];
    nysx_kernels->generate_signs(nee->generator_seed, k, nysx_sign_steps(rank), scratch[0].block);
    for (size_t q = 0; q < count; q++) {
        nysx_kernels->sign_words(scratch[0].block, rank, scratch[q].tables, words);
        memcpy(hypervectors + q * nee->words + k, words, sizeof *words * (left < NYSX_SIGN_BLOCKS ? left : NYSX_SIGN_BLOCKS));
    }
}

void nysx_nee_encode_batch(const struct nysx_nee *nee, const int32_t *kernels, size_t count, struct nysx_nee_scratch *scratch,
                           uint64_t *hypervectors)
{
    bool by_tables = true;
    for (size_t q = 0; q < count; q++) {
        prepare(nee, kernels + q * nee->landmarks, &scratch[q]);
        by_tables = by_tables && scratch[q].by_tables;
    }
    for (size_t q = 0; q < count && !by_tables; q++)
        if (scratch[q].by_tables)
            split(NYSX_INT8, &scratch[q].phi);
    for (size_t k = 0; k < nee->words; k += by_tables ? NYSX_SIGN_BLOCKS : 1) {
        if (by_tables)
            sign_words(nee, k, count, scratch, hypervectors);
        else if (nee->form == NYSX_FACTORED)
            factored_words(nee, k, count, scratch, hypervectors);
        else
            stored_words(nee, k, count, scratch, hypervectors);
    }
    for (size_t q = 0; q < count; q++)
        hypervectors[(q + 1) * nee->words - 1] &= nysx_last_word_mask(nee->dim);
}

void nysx_nee_encode(const struct nysx_nee *nee, const int32_t *kernel, struct nysx_nee_scratch *scratch, uint64_t *hypervector)
{
    nysx_nee_encode_batch(nee, kernel, 1, scratch, hypervector);
}
