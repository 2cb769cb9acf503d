#include "models/nysx/executor/direct.h"

#include <string.h>

#include "core/memory.h"
#include "models/nysx/executor/kernels.h"

unsigned nysx_direct_bits(size_t dim)
{
    unsigned bits = 0;
    while (((size_t)32 << bits) < dim)
        bits++;
    return bits;
}

uint32_t nysx_direct_word(uint32_t code, size_t group)
{
    uint32_t word = code, y = nysx_mix32(code ^ NYSX_DIRECT_SALT);
    for (unsigned b = 0; group >> b != 0; b++)
        if (group >> b & 1)
            word ^= nysx_rotate32(y, b);
    return word;
}

int nysx_direct_sign(uint32_t code, size_t element)
{
    return (nysx_direct_word(code, element / 32) >> (element % 32) & 1) != 0 ? 1 : -1;
}

size_t nysx_direct_sums_bytes(size_t dim)
{
    return ((size_t)32 << nysx_direct_bits(dim)) * sizeof(int32_t);
}

struct nysx_direct_scratch nysx_direct_scratch_make(const struct nysx_lsh *lsh, size_t nodes, struct dse_arena *arena)
{
    return (struct nysx_direct_scratch){
        .values = dse_arena_alloc(arena, 3 * nodes, sizeof(float)),
        .wide = dse_arena_alloc(arena, nodes, sizeof(int64_t)),
        .codes = {dse_arena_alloc(arena, nodes, sizeof(uint32_t)), dse_arena_alloc(arena, nodes, sizeof(uint32_t))},
        .merged = dse_arena_alloc(arena, NYSX_MERGE_PLACES, sizeof(struct nysx_counted)),
        .places = NYSX_MERGE_PLACES,
        .item = dse_arena_alloc(arena, nodes * lsh->hops + NYSX_MERGE_PLACES, sizeof(struct nysx_counted)),
    };
}

bool nysx_direct_fits(const struct nysx_lsh *lsh, size_t nodes)
{
    return (double)nodes * (double)lsh->hops <= INT32_MAX;
}

void nysx_direct_count(struct nysx_direct_scratch *s, uint32_t code)
{
    struct nysx_counted *place = &s->merged[code & (s->places - 1)];
    if (place->code != code) {
        s->item[s->count] = *place;
        s->count += place->count > 0;
        *place = (struct nysx_counted){code, 0};
    }
    place->count++;
}

void nysx_direct_sweep(struct nysx_direct_scratch *s)
{
    for (size_t i = 0; i < s->places; i++) {
        s->item[s->count] = s->merged[i];
        s->count += s->merged[i].count > 0;
        s->merged[i].count = 0;
    }
}

/* The LSH's codes of a hop as 32 bits. */
static void fold_codes(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t hop, struct nysx_direct_scratch *s)
{
    nysx_lsh_codes(lsh, query, hop, s->values, s->wide);
    for (size_t v = 0; v < query->nodes; v++)
        s->codes[hop % 2][v] = nysx_code_fold(s->wide[v], hop);
}

void nysx_direct_codes(const struct nysx_lsh *lsh, const struct nysx_query *query, struct nysx_direct_scratch *s)
{
    s->count = 0;
    for (size_t t = 0; t < lsh->hops; t++) {
        if (!lsh->wl)
            fold_codes(lsh, query, t, s);
        else if (t == 0)
            nysx_wl_start(lsh, query, s->codes[0]);
        else
            nysx_wl_step(query, s->codes[(t - 1) % 2], s->codes[t % 2]);
        for (size_t v = 0; v < query->nodes; v++)
            nysx_direct_count(s, s->codes[t % 2][v]);
    }
    nysx_direct_sweep(s);
}

void nysx_direct_sums(size_t dim, const struct nysx_counted *item, size_t count, int32_t *sums)
{
    unsigned bits = nysx_direct_bits(dim);
    memset(sums, 0, ((size_t)32 << bits) * sizeof *sums);
    nysx_kernels->scatter_wide(bits, item, count, sums);
    nysx_kernels->transform_wide(bits, sums);
}

/* Σ counts: no partial sum of the transform is larger. */
static int64_t total_of(const struct nysx_counted *item, size_t count)
{
    int64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += item[i].count;
    return total;
}

static void compare_wide(const int32_t *sums, const int32_t *threshold, size_t dim, size_t words, uint64_t *hypervector)
{
    memset(hypervector, 0, words * sizeof *hypervector);
    for (size_t e = 0; e < dim; e++)
        hypervector[e / 64] |= (uint64_t)(sums[e] >= (threshold != NULL ? threshold[e] : 0)) << (e % 64);
}

void nysx_direct_encode(const struct nysx_nee *nee, const struct nysx_counted *item, size_t count, void *sums, uint64_t *hypervector)
{
    unsigned bits = nysx_direct_bits(nee->dim);
    if (total_of(item, count) < INT16_MAX) {
        memset(sums, 0, ((size_t)32 << bits) * sizeof(int16_t));
        nysx_kernels->scatter(bits, item, count, sums);
        nysx_kernels->transform(bits, sums);
        nysx_kernels->compare(sums, nee->narrow_threshold, nee->words, hypervector);
    } else {
        nysx_direct_sums(nee->dim, item, count, sums);
        compare_wide(sums, nee->threshold, nee->dim, nee->words, hypervector);
    }
    hypervector[nee->words - 1] &= nysx_last_word_mask(nee->dim);
}

/* Sums over all graphs: by linearity one transform of all their codes. */
static enum dse_status total_sums(const struct nysx_lsh *lsh, const struct nysx_features *features, const int32_t *graphs,
                                  size_t count, size_t dim, int32_t *total, struct dse_error *err)
{
    unsigned bits = nysx_direct_bits(dim);
    double codes = 0.0;
    for (size_t i = 0; i < count; i++)
        codes += (double)lsh->hops * (double)nysx_query_at(features, (size_t)graphs[i]).nodes;
    if (codes > INT32_MAX)
        return dse_fail(err, DSE_LIMIT, "%s: the training part has %.0f codes, and sums have 32 bits", features->set->name,
                        codes);
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct nysx_direct_scratch scratch = nysx_direct_scratch_make(lsh, nysx_largest_graph(features->set), &arena);
    memset(total, 0, ((size_t)32 << bits) * sizeof *total);
    for (size_t i = 0; i < count; i++) {
        struct nysx_query query = nysx_query_at(features, (size_t)graphs[i]);
        nysx_direct_codes(lsh, &query, &scratch);
        nysx_kernels->scatter_wide(bits, scratch.item, scratch.count, total);
    }
    nysx_kernels->transform_wide(bits, total);
    return DSE_OK;
}

/* ⌈a / b⌉ for b > 0. */
static int32_t ceiling(int64_t a, int64_t b)
{
    return (int32_t)(a / b + (a % b > 0));
}

/* The threshold in steps of 2^shift, rounded half up. */
static int64_t steps_of(int32_t threshold, unsigned shift)
{
    int64_t half = shift > 0 ? (int64_t)1 << (shift - 1) : 0, sum = threshold + half, step = (int64_t)1 << shift;
    return (sum - ((sum % step + step) % step)) / step;
}

unsigned nysx_direct_round(int32_t *threshold, size_t dim, int bits)
{
    int64_t most = ((int64_t)1 << (bits - 1)) - 1;
    unsigned shift = 0;
    for (size_t e = 0; e < dim; e++)
        while (steps_of(threshold[e], shift) > most || steps_of(threshold[e], shift) < -most)
            shift++;
    for (size_t e = 0; e < dim; e++)
        threshold[e] = (int32_t)(steps_of(threshold[e], shift) * ((int64_t)1 << shift));
    return shift;
}

unsigned nysx_direct_shift(const int32_t *threshold, size_t dim)
{
    uint32_t any = 0;
    for (size_t e = 0; e < dim; e++)
        any |= (uint32_t)threshold[e];
    return any != 0 ? (unsigned)__builtin_ctz(any) : 0;
}

enum dse_status nysx_direct_center(const struct nysx_lsh *lsh, const struct nysx_features *features, const int32_t *graphs,
                                   size_t count, int bits, struct nysx_nee *nee, struct dse_error *err)
{
    DSE_CLEANUP(dse_free_at) int32_t *total = nysx_aligned_alloc(nysx_direct_sums_bytes(nee->dim));
    DSE_TRY(total_sums(lsh, features, graphs, count, nee->dim, total, err));
    nee->threshold = dse_malloc(nee->dim * sizeof *nee->threshold);
    for (size_t e = 0; e < nee->dim; e++)
        nee->threshold[e] = ceiling(total[e], (int64_t)count);
    if (bits > 0)
        nysx_direct_round(nee->threshold, nee->dim, bits);
    return DSE_OK;
}

void nysx_direct_seal(struct nysx_nee *nee)
{
    nee->narrow_threshold = nysx_aligned_alloc(64 * nee->words * sizeof *nee->narrow_threshold);
    for (size_t e = 0; e < 64 * nee->words; e++) {
        int32_t threshold = nee->threshold != NULL && e < nee->dim ? nee->threshold[e] : 0;
        threshold = threshold > INT16_MAX ? INT16_MAX : threshold;
        nee->narrow_threshold[e] = (int16_t)(threshold < INT16_MIN ? INT16_MIN : threshold);
    }
}
