/* SPDX-License-Identifier: MIT */ /* Test bench of the C simulation. In an emitted folder with cases, it reads nysx_cases.bin and nysx_model.bin, and runs
 * every graph. It compares C, the hypervector, the class and the look-up counts with the executor's, bit for
 * bit. Exit code 0 if all are equal. With NYSX_COUNT, it prints the engines' counters, one line per counter:
 * name, then one number per graph. nysx_pack.h describes nysx_cases.bin. */
#include "nysx.h"
#include "nysx_bench.h"
#include "nysx_pack.h"

#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
static nysx_query_word_t query[NYSX_QUERY_WORDS];
#else
static nysx_query_word_t query[NYSX_RING_SLOTS * NYSX_QUERY_WORDS], ring[NYSX_RING_SLOTS];
static nysx_kernel_t replies[NYSX_RING_SLOTS];
#endif

/* Writes elements of some bits straight into the query's words; for queries that nysx_pack would reject. */
static void pack(size_t at, const uint32_t *elements, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy((char *)(void *)(query + at) + i * (NYSX_INDEX_BITS / 8), elements + i, NYSX_INDEX_BITS / 8);
}

#if NYSX_NEE_FORM != NYSX_NEE_FORM_DIRECT
static nysx_kernel_t kernel[NYSX_LANDMARKS];
#endif
static nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS];
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
static const nysx_p_word_t *ports[NYSX_NEE_PORTS];
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
static const nysx_h_word_t *h;
#endif

/* Ports that only some configurations have. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
#define AND_P , NYSX_EACH_P(ports)
#else
#define AND_P
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
#define AND_H , h
#else
#define AND_H
#endif
#define PORTS AND_P AND_H
#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
#define AND_RING
#else
#define AND_RING , ring
#endif

/* Packs a query, as the host does, into a slot of the ring. */
static int make_query(const struct nysx_pack_query *graph, size_t index, size_t slot)
{
    static uint32_t scratch[NYSX_PACK_SCRATCH];
    int32_t bytes = nysx_pack(graph, scratch, query + slot * NYSX_QUERY_WORDS);
    return differs("whether the query can be packed", index, bytes > 0, 1);
}

static int compare(const struct nysx_case *expected, size_t index)
{
    int bad = 0;
#if NYSX_NEE_FORM != NYSX_NEE_FORM_DIRECT
    for (size_t j = 0; j < NYSX_LANDMARKS && !bad; j++)
        bad = differs("an element of C", index, kernel[j], (int32_t)expected->kernel[j]);
#endif
    for (size_t i = 0; i < NYSX_DIM && !bad; i++)
        bad = differs("an element of the hypervector", index, hypervector[i],
                      expected->hypervector[i / 32] >> (i % 32) & 1);
    return bad;
}

#ifdef NYSX_COUNT
static struct nysx_counts *counted; /* one per graph */

static int compare_counts(const uint32_t *expected, size_t index)
{
    counted[index] = nysx_counted;
    return differs("the number of probes", index, (int64_t)nysx_counted.probes, expected[0]) |
           differs("the number of hits", index, (int64_t)nysx_counted.updates, expected[1]);
}
#endif

/* The kernel's answer to a command for a single graph. */
static int32_t ask(int32_t command, int32_t nodes, int32_t nonzeros)
{
    nysx_kernel_t answer[1] = {-9};
#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
    nysx_top(query PORTS, answer, command, nodes, nonzeros);
#else
    uint32_t sizes[2] = {(uint32_t)nodes, (uint32_t)nonzeros};
    memcpy((void *)ring, sizes, sizeof sizes);
    nysx_top(query PORTS, ring, replies, command, 0, 1);
    answer[0] = replies[0];
#endif
    return answer[0];
}

static int run_case(const struct nysx_case *graph, size_t index)
{
    uint32_t nodes = graph->query.nodes, nonzeros = graph->query.nonzeros;
    if (make_query(&graph->query, index, 0))
        return 1;
#ifdef NYSX_COUNT
    memset(&nysx_counted, 0, sizeof nysx_counted);
#endif
    int32_t class_index = nysx_infer(query PORTS, 0, (int32_t)nodes, (int32_t)nonzeros NYSX_AND_KERNEL, hypervector);
    int bad = compare(graph, index);
    bad |= differs("the class", index, class_index, graph->expected);
#ifdef NYSX_COUNT
    bad |= compare_counts(graph->counts, index);
#endif
    return bad | differs("the kernel's answer", index, ask(NYSX_COMMAND_INFER, (int32_t)nodes, (int32_t)nonzeros), class_index);
}

#if NYSX_OVERLAP != NYSX_OVERLAP_NONE
#define BATCH (NYSX_RING_SLOTS - 1) /* so that starts begin anywhere in the ring */
#define QUEUED 200                  /* minimum number of graphs; the cases repeat */

/* All graphs back to back through the ring, each start as long as the ring allows. */
static int run_queue(const uint32_t *begin, const uint32_t *end, size_t cases)
{
    const uint32_t *at = begin;
    size_t all = cases == 0 || cases > QUEUED ? cases : (QUEUED + cases - 1) / cases * cases;
    int bad = 0;
    for (size_t first = 0; first < all; first += BATCH) {
        int32_t expected[NYSX_RING_SLOTS] = {0};
        size_t count = all - first < BATCH ? all - first : BATCH;
        for (size_t i = 0; i < count; i++) {
            struct nysx_case graph;
            size_t slot = (size_t)NYSX_SLOT(first + i);
            at = nysx_case_read((first + i) % cases == 0 ? begin : at, end, &graph);
            if (at == NULL || make_query(&graph.query, first + i, slot))
                return 1;
            memcpy((void *)(ring + slot), &graph.query, 2 * sizeof(uint32_t)); /* nodes, nonzeros */
            expected[slot] = graph.expected;
            replies[slot] = -9;
        }
        nysx_top(query PORTS, ring, replies, NYSX_COMMAND_INFER, (int32_t)NYSX_SLOT(first), (int32_t)count);
        for (size_t i = 0; i < count; i++)
            bad |= differs("the queue's answer", first + i, replies[NYSX_SLOT(first + i)], expected[NYSX_SLOT(first + i)]);
    }
    printf("%lu graphs back to back: %s\n", (unsigned long)all, bad ? "DIFFERENT" : "equal");
    return bad;
}
#endif

static int answers(const char *to, int32_t nodes, int32_t nonzeros, int32_t expected)
{
    return differs(to, 0, ask(NYSX_COMMAND_INFER, nodes, nonzeros), expected);
}

/* Graphs beyond the design's limits and inconsistent graphs are rejected. */
static int rejects(void)
{
    uint32_t falling[4] = {0, 1, 0, 1}, far[2] = {0, 1}, outside = 1;
    memset((void *)query, 255, sizeof query);
    int bad = answers("the answer to too many nodes", NYSX_MAX_NODES + 1, 0, NYSX_TOO_MANY_NODES);
    bad |= answers("the answer to fewer than no nodes", -1, 0, NYSX_TOO_MANY_NODES);
    bad |= answers("the answer to too many non-zeros", 1, NYSX_MAX_NNZ + 1, NYSX_TOO_MANY_NONZEROS);
    bad |= answers("the answer to a broken graph", NYSX_MAX_NODES, 1, NYSX_BAD_GRAPH);
    if (NYSX_MAX_NODES >= 3) {
        memset((void *)query, 0, sizeof query);
        pack(0, falling, 4);
        bad |= answers("the answer to row pointers that fall", 3, 1, NYSX_BAD_GRAPH);
    }
    memset((void *)query, 0, sizeof query);
    pack(0, far, 2);
    pack(1, &outside, 1);
    return bad | answers("the answer to a neighbour that is no node", 1, 1, NYSX_BAD_GRAPH);
}

/* UltraRAM is loaded once; a query before the load is rejected. */
static int load(void)
{
    int bad = 0;
#if NYSX_LOADS_TABLES
    nysx_kernel_t answer[1] = {-9};
    const void *tables = (const char *)model + NYSX_BIN_LOAD_OFFSET;
    const nysx_query_word_t *image = (const nysx_query_word_t *)tables;
    bad = answers("the answer before the tables are loaded", 1, 0, NYSX_NOT_LOADED);
    nysx_top(image PORTS AND_RING, answer, NYSX_COMMAND_LOAD, 0, 0);
    bad |= differs("the answer to loading", 0, answer[0], 0);
#endif
    return bad;
}

#ifdef NYSX_COUNT
static void print_counts(size_t cases)
{
#define PRINT(name)                                                            \
    printf("counted %s", #name);                                               \
    for (size_t i = 0; i < cases; i++)                                         \
        printf(" %llu", (unsigned long long)counted[i].name);                  \
    printf("\n");
    NYSX_COUNTERS(PRINT)
#ifdef NYSX_LOOPS
    static const char *const loops[NYSX_LOOPS] = {NYSX_LOOP_NAMES};
    for (size_t k = 0; k < NYSX_LOOPS; k++) {
        printf("loop %s", loops[k]);
        for (size_t i = 0; i < cases; i++)
            printf(" %llu %llu", (unsigned long long)counted[i].entered[k], (unsigned long long)counted[i].turned[k]);
        printf("\n");
    }
#endif
}
#endif

int main(void)
{
    size_t count;
    uint32_t *cases = read_words("nysx_cases.bin", &count);
    const uint32_t *at = cases + 1;
    model = read_words("nysx_model.bin", &model_words);
    int bad = compare_model();
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    const nysx_p_word_t *p = (const nysx_p_word_t *)(const void *)((const char *)model + NYSX_BIN_P_OFFSET);
    for (size_t i = 0; i < NYSX_NEE_PORTS; i++)
        ports[i] = p + i * NYSX_P_PORT_WORDS;
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    h = (const nysx_h_word_t *)(const void *)((const char *)model + NYSX_BIN_H_OFFSET);
#endif
    bad |= load();
#ifdef NYSX_COUNT
    counted = (struct nysx_counts *)calloc(cases[0] + 1, sizeof *counted);
    if (counted == NULL)
        return 2;
#endif
    for (size_t i = 0; i < cases[0] && at != NULL; i++) {
        struct nysx_case graph;
        at = nysx_case_read(at, cases + count, &graph);
        bad |= at != NULL ? run_case(&graph, i) : differs("the length of nysx_cases.bin", i, (int64_t)count * 4, 0);
    }
#if NYSX_OVERLAP != NYSX_OVERLAP_NONE
    bad |= run_queue(cases + 1, cases + count, cases[0]);
#endif
    bad |= rejects();
#ifdef NYSX_COUNT
    print_counts(cases[0]);
    free(counted);
#endif
    printf("%lu graphs: %s\n", (unsigned long)cases[0], bad ? "DIFFERENT" : "equal");
    free(cases);
    free(model);
    return bad;
}
