/* Weisfeiler-Lehman codes and the direct form: colours distinguished, signs by their definition, every vector kernel. */
#include "sets.h"

#include "core/rng.h"
#include "models/nysx/executor/direct.h"
#include "models/nysx/executor/kernels.h"
#include "tests/test.h"

/* The list's sums by the definition, element by element. */
static void plain_sums(const struct nysx_counted *item, size_t count, size_t dim, int64_t *sums)
{
    for (size_t e = 0; e < dim; e++) {
        sums[e] = 0;
        for (size_t i = 0; i < count; i++)
            sums[e] += (int64_t)item[i].count * nysx_direct_sign(item[i].code, e);
    }
}

/* A list of codes, counts up to `most`, against the definition, with thresholds in the range of the sums. */
static void check_encoding(size_t dim, size_t count, uint64_t most, struct dse_rng *rng)
{
    DSE_CLEANUP(dse_free_at) struct nysx_counted *item = malloc((count + 1) * sizeof *item);
    DSE_CLEANUP(nysx_nee_free) struct nysx_nee nee = {.form = NYSX_DIRECT, .dim = dim, .words = (dim + 63) / 64};
    nee.threshold = malloc(dim * sizeof *nee.threshold);
    for (size_t i = 0; i < count; i++)
        item[i] = (struct nysx_counted){(uint32_t)dse_rng_u64(rng), 1 + (int32_t)dse_rng_below(rng, most)};
    for (size_t e = 0; e < dim; e++)
        nee.threshold[e] = (int32_t)dse_rng_below(rng, 2 * most + 1) - (int32_t)most;
    DSE_CLEANUP(dse_free_at) int64_t *sums = malloc(dim * sizeof *sums);
    plain_sums(item, count, dim, sums);
    nysx_direct_seal(&nee);
    DSE_CLEANUP(dse_free_at) void *memory = aligned_alloc(64, nysx_direct_sums_bytes(dim));
    DSE_CLEANUP(dse_free_at) uint64_t *hypervector = malloc(nee.words * sizeof *hypervector);
    for (int v = NYSX_PORTABLE; v < NYSX_VECTORS && nysx_kernels_use((enum nysx_vectors)v); v++) {
        nysx_direct_sums(dim, item, count, memory);
        for (size_t e = 0; e < dim; e++)
            assert_int_equal(((int32_t *)memory)[e], sums[e]);
        memset(hypervector, 0xff, nee.words * sizeof *hypervector);
        nysx_direct_encode(&nee, item, count, memory, hypervector);
        for (size_t e = 0; e < 64 * nee.words; e++)
            assert_int_equal(hypervector[e / 64] >> (e % 64) & 1, e < dim && sums[e] >= nee.threshold[e]);
    }
}

TEST(test_kernels)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 0);
    static const size_t dims[] = {64, 65, 96, 100, 1000, 2048, 10000};
    for (size_t d = 0; d < sizeof dims / sizeof *dims; d++) {
        check_encoding(dims[d], 0, 1, &rng);
        check_encoding(dims[d], 1, 1, &rng);
        check_encoding(dims[d], 40, 9, &rng);
        check_encoding(dims[d], 12, 30000, &rng); /* past 16 bits */
    }
}

/* Signs of different elements, and of different codes, are as independent as direct.h states. */
TEST(test_signs)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 6, 0);
    enum { DIM = 4096, CODES = 200 };
    uint32_t code[CODES];
    for (size_t i = 0; i < CODES; i++)
        code[i] = (uint32_t)dse_rng_u64(&rng);
    double squares = 0.0, pairs = 0.0;
    for (size_t i = 0; i < CODES; i++)
        for (size_t k = 0; k < i; k += 7) {
            int dot = 0;
            for (size_t e = 0; e < DIM; e++)
                dot += nysx_direct_sign(code[i], e) * nysx_direct_sign(code[k], e);
            squares += (double)dot * dot;
            pairs += 1.0;
        }
    assert_true(squares / pairs < 1.3 * DIM); /* that of independent signs is DIM */
    for (size_t e = 1; e < 600; e += 13) {
        int same = 0;
        for (uint32_t c = 0; c < 4000; c++)
            same += nysx_direct_sign(nysx_mix32(c), e) == nysx_direct_sign(nysx_mix32(c), e / 3);
        assert_in_range(same, 1800, 2200); /* 6 deviations */
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t distinct(uint64_t *values, size_t count)
{
    size_t kinds = count > 0;
    qsort(values, count, sizeof *values, by_value);
    for (size_t i = 1; i < count; i++)
        kinds += values[i] != values[i - 1];
    return kinds;
}

/* An independent colouring with 64 bits: the sum of the neighbours' colours, each mixed separately; with 10^6 colours it confuses two in
 * one of ten million runs. */
static uint64_t mix64(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void wide_step(const struct nysx_query *query, const uint64_t *from, uint64_t *to)
{
    for (size_t v = 0; v < query->nodes; v++) {
        uint64_t sum = 0;
        for (size_t e = query->row_begin[v]; e < query->row_begin[v + 1]; e++)
            sum += mix64(from[query->neighbour[e]] + 0x9e3779b97f4a7c15u);
        to[v] = mix64(3 * mix64(from[v] ^ 0x5851f42d4c957f2du) + sum);
    }
}

/* 32-bit codes confuse at most n² / 2^33 colours of a set, as random codes would, plus a margin. */
static void check_colours(const char *name, size_t hops)
{
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_real_set(name);
    struct dse_graph_set *set = dse_dataset_graphs(data);
    struct nysx_columns columns;
    DSE_CLEANUP(nysx_features_free) struct nysx_features features = {0};
    OK(nysx_columns_make(set, NYSX_LABELS, &columns, &why));
    OK(nysx_features_make(set, &columns, &features, &why));
    struct nysx_lsh lsh = {.hops = hops, .draws = 1, .columns = columns.labels, .wl = true};
    uint32_t *code[2] = {malloc(set->node_count * 4), malloc(set->node_count * 4)};
    uint64_t *wide[2] = {malloc(set->node_count * 8), malloc(set->node_count * 8)}, *sorted = malloc(set->node_count * 8);
    for (size_t t = 0; t < hops; t++) {
        for (size_t g = 0; g < set->graph_count; g++) {
            struct nysx_query query = nysx_query_at(&features, g);
            size_t first = set->graph_begin[g];
            if (t == 0) {
                nysx_wl_start(&lsh, &query, code[0] + first);
                for (size_t v = 0; v < query.nodes; v++)
                    wide[0][first + v] = mix64((uint64_t)query.column[v] + 77);
            } else {
                nysx_wl_step(&query, code[(t + 1) % 2] + first, code[t % 2] + first);
                wide_step(&query, wide[(t + 1) % 2] + first, wide[t % 2] + first);
            }
        }
        memcpy(sorted, wide[t % 2], set->node_count * 8);
        size_t colours = distinct(sorted, set->node_count);
        for (size_t v = 0; v < set->node_count; v++)
            sorted[v] = code[t % 2][v];
        size_t codes = distinct(sorted, set->node_count);
        double expected = (double)colours * (double)colours / 0x1p33;
        printf("%s, hop %zu: %zu colours, %zu codes (%.2f confused expected)\n", name, t, colours, codes, expected);
        assert_true(codes <= colours && (double)(colours - codes) <= 3.0 * expected + 4.0);
    }
    for (int i = 0; i < 2; i++) {
        free(code[i]);
        free(wide[i]);
    }
    free(sorted);
    nysx_columns_free(&columns);
}

TEST(test_colours)
{
    check_colours("MUTAG", 6);
    check_colours("BZR", 6);
    check_colours("ENZYMES", 6);
    check_colours("NCI1", 5);
    check_colours("DD", 4);
}

/* Ten million neighbourhoods: a node of 16 colours whose neighbours are multisets of up to six of 39 others. */
TEST(test_ten_million_codes)
{
    enum { CODES = 10000000 };
    DSE_CLEANUP(dse_free_at) uint64_t *code = malloc((size_t)CODES * sizeof *code);
    uint32_t colour[64];
    for (uint32_t c = 0; c < 64; c++)
        colour[c] = nysx_mix32(NYSX_GOLDEN + c);
    uint8_t neighbour[6] = {0};
    for (size_t i = 0; i < CODES;) {
        uint32_t sum = 0;
        for (size_t k = 0; k < 6; k++)
            sum += neighbour[k] > 0 ? colour[16 + neighbour[k]] : 0;
        for (uint32_t own = 0; own < 16 && i < CODES; own++)
            code[i++] = nysx_mix32(nysx_rotate32(colour[own], 16) + sum);
        size_t k = 6; /* the next multiset, its members in descending order */
        for (; k > 0; k--)
            if (neighbour[k - 1] < (k == 1 ? 39 : neighbour[k - 2]))
                break;
        neighbour[k > 0 ? k - 1 : 0]++;
        for (; k < 6; k++)
            neighbour[k] = 0;
    }
    size_t kinds = distinct(code, CODES);
    double expected = (double)CODES * CODES / 0x1p33;
    printf("10^7 neighbourhoods: %zu codes, %zu confused, %.0f expected\n", kinds, CODES - kinds, expected);
    assert_true((double)(CODES - kinds) < 1.1 * expected);
}

/* Rounded to the nearest multiple of the least power of two for which that many bits suffice. */
TEST(test_rounds)
{
    enum { DIM = 500 };
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 5);
    for (int bits = 2; bits <= 8; bits += 2)
        for (int32_t most = 0; most < 1000; most = 3 * most + 1) {
            int32_t exact[DIM], rounded[DIM], largest = 0, any = 0;
            for (int e = 0; e < DIM; e++) {
                exact[e] = rounded[e] = (int32_t)dse_rng_below(&rng, 2 * (uint64_t)most + 1) - most;
                any |= exact[e];
            }
            unsigned shift = nysx_direct_round(rounded, DIM, bits);
            int32_t step = 1 << shift, limit = (1 << (bits - 1)) - 1;
            for (int e = 0; e < DIM; e++) {
                assert_int_equal(rounded[e] % step, 0);
                assert_in_range(abs(rounded[e] / step), 0, limit);
                assert_in_range(abs(rounded[e] - exact[e]), 0, step / 2);
                int32_t finer = (exact[e] + step / 4) & ~(step / 2 - 1);
                largest = step > 1 && abs(finer) / (step / 2) > largest ? abs(finer) / (step / 2) : largest;
            }
            assert_true(shift == 0 || largest > limit); /* with half the step, some threshold would need more bits */
            assert_true(any == 0 || nysx_direct_shift(rounded, DIM) >= shift);
            for (int e = 0; e < DIM; e++)
                exact[e] = rounded[e];
            nysx_direct_round(rounded, DIM, bits);
            assert_memory_equal(rounded, exact, sizeof exact); /* once is enough */
        }
}

/* For any table size, each code's counts add up, none is 0, and the table is empty afterwards. */
TEST(test_counts)
{
    enum { CODES = 5000, KINDS = 200 };
    struct nysx_lsh lsh = {.hops = 1};
    struct nysx_direct_scratch scratch;
    struct dse_rng rng;
    dse_rng_seed(&rng, 6, 6);
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    scratch = nysx_direct_scratch_make(&lsh, CODES, &arena);
    size_t before = CODES;
    for (scratch.places = 32; scratch.places <= NYSX_MERGE_PLACES; scratch.places *= 4) {
        int32_t wanted[KINDS] = {0}, found[KINDS] = {0};
        scratch.count = 0;
        for (int i = 0; i < CODES; i++) {
            uint32_t kind = (uint32_t)dse_rng_below(&rng, KINDS);
            wanted[kind]++;
            nysx_direct_count(&scratch, 3 * kind);
        }
        nysx_direct_sweep(&scratch);
        for (size_t i = 0; i < scratch.count; i++) {
            assert_true(scratch.item[i].count > 0 && scratch.item[i].code % 3 == 0 && scratch.item[i].code / 3 < KINDS);
            found[scratch.item[i].code / 3] += scratch.item[i].count;
        }
        assert_memory_equal(wanted, found, sizeof wanted);
        assert_true(scratch.count <= before); /* more places merge more */
        before = scratch.count;
        for (size_t i = 0; i < scratch.places; i++)
            assert_int_equal(scratch.merged[i].count, 0);
    }
}

TESTS(NULL, NULL)
