/* The test bench of the accelerator's C simulation: compiled beside an emitted folder, it reads cases.bin and the
 * model's binaries, runs every graph, and compares C, the hypervector, the class and the counts, bit for bit.
 *
 * cases.bin is 32-bit words: the number of cases; of each: nodes, non-zeros, row pointers, neighbours, the features'
 * bits, the expected class, C, the hypervector (64 elements in two words), probes and hits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nysx.h"

#define FEATURES_A_NODE (NYSX_FEATURE_ONEHOT ? 1 : NYSX_FEATURE_COLUMNS)
#define HYPERVECTOR_WORDS ((NYSX_DIM + 63) / 64 * 2)

static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    *count = (size_t)ftell(file) / 4;
    rewind(file);
    uint32_t *words = (uint32_t *)malloc(*count * 4 + 64);
    if (words == NULL || fread(words, 4, *count, file) != *count)
        exit(2);
    fclose(file);
    return words;
}

/* Packs elements of `bits` into the query, from a new word on. */
static size_t pack(nysx_query_word_t *query, size_t at, const uint32_t *elements, size_t count, size_t bits)
{
    size_t each = NYSX_QUERY_PORT_BITS / bits;
    for (size_t i = 0; i < count; i++) {
        size_t first = i % each * bits;
        query[at + i / each].part[first / 32] |= elements[i] << (first % 32);
    }
    return at + (count + each - 1) / each;
}

/* The processor's part: rows by ascending length. */
static void make_order(const uint32_t *row_begin, uint32_t nodes, uint32_t *order)
{
    uint32_t placed = 0;
    for (uint32_t length = 0; placed < nodes; length++)
        for (uint32_t v = 0; v < nodes; v++)
            if (row_begin[v + 1] - row_begin[v] == length)
                order[placed++] = v;
}

static nysx_query_word_t query[NYSX_QUERY_WORDS];
static nysx_p_word_t *ports[NYSX_NEE_PORTS];
static nysx_kernel_t kernel[NYSX_LANDMARKS];
static uint8_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES];

static void make_query(const uint32_t *graph, uint32_t nodes, uint32_t nonzeros)
{
    static uint32_t order[NYSX_MAX_NODES + 1];
    memset(query, 0, sizeof query);
    size_t at = pack(query, 0, graph, nodes + 1, NYSX_INDEX_BITS);
    at = pack(query, at, graph + nodes + 1, nonzeros, NYSX_INDEX_BITS);
    make_order(graph, nodes, order);
    if (NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PS)
        at = pack(query, at, order, nodes, NYSX_INDEX_BITS);
    pack(query, at, graph + nodes + 1 + nonzeros, (size_t)nodes * FEATURES_A_NODE, sizeof(nysx_feature_t) * 8);
}

static int differs(const char *what, size_t index, int64_t got, int64_t expected)
{
    if (got != expected)
        printf("case %zu: %s is %lld, the executor's is %lld\n", index, what, (long long)got, (long long)expected);
    return got != expected;
}

static int compare(const uint32_t *expected, size_t index)
{
    int bad = 0;
    for (size_t j = 0; j < NYSX_LANDMARKS && !bad; j++)
        bad = differs("an element of C", index, kernel[j], (int32_t)expected[j]);
    for (size_t i = 0; i < NYSX_DIM && !bad; i++)
        bad = differs("an element of the hypervector", index, hypervector[i / NYSX_NEE_LANES][i % NYSX_NEE_LANES],
                      expected[NYSX_LANDMARKS + i / 32] >> (i % 32) & 1);
    return bad;
}

#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
static nysx_h_entry_t *h;
#endif
#include "ports.h"

static int run_case(const uint32_t **at, size_t index)
{
    uint32_t nodes = (*at)[0], nonzeros = (*at)[1];
    const uint32_t *graph = *at + 2, *expected = graph + nodes + 1 + nonzeros + nodes * FEATURES_A_NODE;
    nysx_kernel_t answer[1] = {-9};
    make_query(graph, nodes, nonzeros);
    memset(&nysx_counted, 0, sizeof nysx_counted);
    int32_t class_index = nysx_infer(query, PORTS, (int32_t)nodes, (int32_t)nonzeros, kernel, hypervector);
    const uint32_t *counts = expected + 1 + NYSX_LANDMARKS + HYPERVECTOR_WORDS;
    int bad = compare(expected + 1, index);
    bad |= differs("the class", index, class_index, (int32_t)expected[0]);
    bad |= differs("the number of probes", index, (int64_t)nysx_counted.probes, counts[0]);
    bad |= differs("the number of hits", index, (int64_t)nysx_counted.hits, counts[1]);
    bad |= differs("the number of words", index, (int64_t)nysx_counted.words,
                   (int64_t)NYSX_P_PORT_WORDS * NYSX_NEE_PORTS);
    bad |= differs("the number of products", index, (int64_t)nysx_counted.products,
                   (int64_t)NYSX_DIM * NYSX_LANDMARKS);
    bad |= differs("the number of non-zeros of H", index, (int64_t)nysx_counted.similar, NYSX_H_NNZ_TOTAL);
    nysx_top(query, PORTS, answer, (int32_t)nodes, (int32_t)nonzeros);
    bad |= differs("the kernel's answer", index, answer[0], class_index);
    *at = counts + 2;
    return bad;
}

/* Graphs that the design was not made for are refused. */
static int refuses(void)
{
    nysx_kernel_t answer[1] = {0};
    nysx_top(query, PORTS, answer, NYSX_MAX_NODES + 1, 0);
    int bad = differs("the answer to too many nodes", 0, answer[0], NYSX_TOO_MANY_NODES);
    nysx_top(query, PORTS, answer, 1, NYSX_MAX_NNZ + 1);
    bad |= differs("the answer to too many non-zeros", 0, answer[0], NYSX_TOO_MANY_NONZEROS);
    nysx_top(query, PORTS, answer, NYSX_MAX_NODES, 1);
    return bad | differs("the answer to a broken graph", 0, answer[0], NYSX_BAD_GRAPH);
}

int main(void)
{
    size_t count, size;
    uint32_t *cases = read_words("cases.bin", &count), *p = read_words("nysx_p.bin", &size);
    const uint32_t *at = cases + 1;
    int bad = 0;
    for (size_t i = 0; i < NYSX_NEE_PORTS; i++)
        ports[i] = (nysx_p_word_t *)(void *)(p + i * NYSX_P_PORT_WORDS * (NYSX_NEE_PORT_BITS / 32));
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    uint32_t *entries = read_words("nysx_h_entries.bin", &size);
    h = (nysx_h_entry_t *)(void *)entries;
#endif
    for (size_t i = 0; i < cases[0]; i++)
        bad |= run_case(&at, i);
    memset(query, 255, sizeof query);
    bad |= refuses();
    printf("%u graphs\n", cases[0]);
    free(cases);
    free(p);
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    free(entries);
#endif
    return bad;
}
