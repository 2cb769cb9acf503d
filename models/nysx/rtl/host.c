/* SPDX-License-Identifier: MIT */
/* Runs the accelerator of this folder under Linux: sends the test graphs, compares the classes, and reports the time per query. An
 * accelerator with a queue also runs them back to back, through a ring that is refilled as answers arrive.
 *
 *   cc -O2 -o host host.c && ./host UIO BUFFER BUFFER_ADDRESS [nysx_cases.bin]
 *   ./host /dev/uio0 /dev/udmabuf0 $(cat /sys/class/u-dma-buf/udmabuf0/phys_addr)
 *
 * UIO: a device (or /dev/mem at the right offset, or a file) whose first page is the registers. BUFFER: memory that the accelerator reads at
 * bus address BUFFER_ADDRESS, a multiple of 16 (u-dma-buf, uncached). Exit code 0 if all classes are equal, 1 if one differs, 2 on
 * any other error. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "nysx_design.h"
#ifdef NYSX_CORES
#include "nysx_cores.h"
#endif
#include "nysx_registers.h"

#define REGISTERS_BYTES 4096
#define WORD 16 /* bytes; each array starts at a multiple */
#if NYSX_ATTRIBUTES
#define COLUMNS NYSX_FEATURE_COLUMNS                   /* numbers of a node */
#define GROUP (NYSX_LSHU_PE > 4u ? NYSX_LSHU_PE : 4u) /* nodes that a column of numbers is padded to */
#define FEATURES_MOST (4 * COLUMNS * (NYSX_MAX_NODES + GROUP))
#else
#define COLUMNS 1u /* a node's label */
#define FEATURES_MOST (NYSX_LABEL_BITS / 8 * NYSX_MAX_NODES)
#endif
#define QUERY_MOST (NYSX_INDEX_BITS / 8 * (NYSX_MAX_NODES + 1 + NYSX_MAX_NNZ) + FEATURES_MOST + 3 * WORD)
#define SLOT ((QUERY_MOST + WORD - 1) / WORD * WORD)
#define PATIENCE_S 10.0
#ifdef NYSX_REG_TAIL
#define RING 16u /* descriptors, followed by as many queries */
#define DESCRIPTOR_BYTES 32u
#define BUFFER_BYTES (RING * (DESCRIPTOR_BYTES + SLOT))
#else
#define BUFFER_BYTES SLOT
#endif

static volatile uint32_t *registers;
static volatile uint8_t *buffer;

static int stop(const char *what, const char *why)
{
    fprintf(stderr, "host: %s: %s\n", what, why);
    exit(2);
}

static void *map(const char *path, size_t bytes)
{
    int file = open(path, O_RDWR | O_SYNC);
    void *at = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        stop(path, "cannot be mapped");
    return at;
}

static void put(size_t *at, uint32_t element, unsigned bits)
{
    for (unsigned b = 0; b < bits / 8; b++)
        buffer[(*at)++] = (uint8_t)(element >> (8 * b));
}

static void end_array(size_t *at)
{
    while (*at % WORD != 0)
        buffer[(*at)++] = 0;
}

/* A test graph: row pointers, neighbours, features of each node (a label's column of F, with NYSX_CORES its own label, or COLUMNS numbers). */
struct graph {
    const uint32_t *words;
    uint32_t nodes, nonzeros;
    int32_t expected;
};

/* Writes a query into the buffer at a multiple of WORD. If the design requires it, nodes are renumbered by ascending row length;
 * a row keeps the order of its neighbours. */
static void put_query(const struct graph *query, size_t at)
{
    const uint32_t *graph = query->words, nodes = query->nodes, nonzeros = query->nonzeros;
    static uint32_t order[NYSX_MAX_NODES + 1], place[NYSX_MAX_NODES + 1];
    const uint32_t *neighbours = graph + nodes + 1, *features = neighbours + nonzeros;
    uint32_t count = 0, begin = 0;
#ifdef NYSX_CORES
    static const int64_t pairs[] = NYSX_LABEL_VALUES;
    static uint32_t column[NYSX_MAX_NODES + 1];
    nysx_core_columns(nodes, graph, neighbours, features, pairs, NYSX_FEATURE_COLUMNS, column, place);
    features = column;
#endif
    for (uint32_t length = 0; count < nodes; length++)
        for (uint32_t v = 0; v < nodes; v++)
            if (NYSX_SORTED ? graph[v + 1] - graph[v] == length : length == 0) {
                place[v] = count;
                order[count++] = v;
            }
    put(&at, 0, NYSX_INDEX_BITS);
    for (uint32_t i = 0; i < nodes; i++) {
        begin += graph[order[i] + 1] - graph[order[i]];
        put(&at, begin, NYSX_INDEX_BITS);
    }
    end_array(&at);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t e = graph[order[i]]; e < graph[order[i] + 1]; e++)
            put(&at, place[neighbours[e]], NYSX_INDEX_BITS);
    end_array(&at);
#if NYSX_ATTRIBUTES
    for (uint32_t j = 0; j < COLUMNS; j++) /* single-precision numbers, column by column */
        for (uint32_t i = 0; i < (nodes + GROUP - 1) / GROUP * GROUP; i++)
            put(&at, i < nodes ? features[order[i] * COLUMNS + j] : 0, 32);
#else
    for (uint32_t i = 0; i < nodes; i++)
        put(&at, features[order[i]], NYSX_LABEL_BITS);
    end_array(&at);
#endif
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int32_t ask(uint32_t nodes, uint32_t nonzeros, uint64_t address)
{
    registers[NYSX_REG_CONTROL / 4] = 2;
    registers[NYSX_REG_NODES / 4] = nodes;
    registers[NYSX_REG_NONZEROS / 4] = nonzeros;
    registers[NYSX_REG_ADDRESS / 4] = (uint32_t)address;
    registers[NYSX_REG_ADDRESS_HIGH / 4] = (uint32_t)(address >> 32);
    __sync_synchronize(); /* the query must be in memory before the start */
    registers[NYSX_REG_CONTROL / 4] = 1;
    double end = now_s() + PATIENCE_S;
    while ((registers[NYSX_REG_CONTROL / 4] & 2u) == 0)
        if (now_s() > end)
            stop("a query", "does not end");
    return (int32_t)registers[NYSX_REG_ANSWER / 4];
}

/* The words of a file; `*count` receives their number. */
static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        stop(path, "cannot be read");
    *count = (size_t)ftell(file) / 4;
    rewind(file);
    uint32_t *words = malloc(4 * *count + 4);
    if (words == NULL || fread(words, 4, *count, file) != *count)
        stop(path, "cannot be read");
    fclose(file);
    return words;
}

/* The graphs in a file's words; `*count` receives their number. */
static struct graph *read_graphs(const char *path, const uint32_t *words, size_t length, size_t *count)
{
    *count = length > 0 ? words[0] : 0;
    struct graph *graphs = *count <= length ? calloc(*count + 1, sizeof *graphs) : NULL;
    size_t at = 1;
    if (graphs == NULL)
        stop(path, "is not a file of cases");
    for (size_t i = 0; i < *count; i++) {
        if (at + 2 > length || words[at] > NYSX_MAX_NODES || words[at + 1] > NYSX_MAX_NNZ)
            stop(path, "is not a file of cases for this design");
        graphs[i] = (struct graph){.words = words + at + 2, .nodes = words[at], .nonzeros = words[at + 1]};
        at += 3 + (size_t)(1 + COLUMNS) * words[at] + words[at + 1];
        size_t next = at + 3 + NYSX_LANDMARKS + (NYSX_DIM + 63) / 64 * 2;
        if (next > length)
            stop(path, "ends too early");
        graphs[i].expected = (int32_t)words[at];
        at = next;
    }
    return graphs;
}

static bool differs(const char *what, size_t index, int32_t answer, int32_t expected)
{
    if (answer != expected)
        printf("%s %zu: the class is %" PRId32 ", and must be %" PRId32 "\n", what, index, answer, expected);
    return answer != expected;
}

/* Number of wrong answers with one start per graph. */
static size_t ask_all(const struct graph *graphs, size_t count, uint64_t address)
{
    size_t wrong = 0;
    double all = 0.0;
    for (size_t i = 0; i < count; i++) {
        put_query(&graphs[i], 0);
        double begin = now_s();
        int32_t answer = ask(graphs[i].nodes, graphs[i].nonzeros, address);
        all += now_s() - begin;
        wrong += differs("case", i, answer, graphs[i].expected);
    }
    printf("%zu graphs: %s\n", count, wrong == 0 && count > 0 ? "equal" : "DIFFERENT");
    if (count > 0)
        printf("mean %.1f us per query, with the registers\n", all / (double)count * 1e6);
    return wrong;
}

#ifdef NYSX_REG_TAIL
static volatile uint32_t *descriptor(size_t number)
{
    return (volatile uint32_t *)(volatile void *)(buffer + number % RING * DESCRIPTOR_BYTES);
}

/* Hands over graph `number`; its answer number stays 0 until the answer arrives. */
static void hand_over(const struct graph *graph, size_t number, uint64_t address)
{
    size_t at = RING * DESCRIPTOR_BYTES + number % RING * SLOT;
    put_query(graph, at);
    const uint32_t words[] = {(uint32_t)(address + at), (uint32_t)((address + at) >> 32), graph->nodes, graph->nonzeros, 0, 0, 0, 0};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        descriptor(number)[w] = words[w];
    __sync_synchronize(); /* query and descriptor must be in memory before the tail moves */
    registers[NYSX_REG_TAIL / 4] = (uint32_t)(number + 1);
}

#define BACK_TO_BACK 200

/* Number of wrong answers with all graphs through the ring, at least BACK_TO_BACK of them; the ring stays full until they run out. */
static size_t stream_all(const struct graph *graphs, size_t count, uint64_t address)
{
    size_t all = (BACK_TO_BACK + count - 1) / count * count, told = 0, wrong = 0;
    registers[NYSX_REG_CONTROL / 4] = 2;
    registers[NYSX_REG_NODES / 4] = RING;
    registers[NYSX_REG_ADDRESS / 4] = (uint32_t)address;
    registers[NYSX_REG_ADDRESS_HIGH / 4] = (uint32_t)(address >> 32);
    double begin = now_s();
    for (size_t i = 0; i < all; i++) {
        for (; told < all && told < i + RING; told++)
            hand_over(&graphs[told % count], told, address);
        for (double end = now_s() + PATIENCE_S; descriptor(i)[5] != (uint32_t)(i + 1);)
            if (now_s() > end)
                stop("an answer of the ring", "does not come");
        wrong += differs("graph of the ring", i, (int32_t)descriptor(i)[4], graphs[i % count].expected);
    }
    printf("%zu graphs back to back: %s\n", all, wrong == 0 ? "equal" : "DIFFERENT");
    printf("%.1f us per graph through the ring\n", (now_s() - begin) / (double)all * 1e6);
    return wrong;
}
#endif

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5)
        stop("usage", "host UIO BUFFER BUFFER_ADDRESS [nysx_cases.bin]");
    const char *path = argc > 4 ? argv[4] : "nysx_cases.bin";
    size_t length = 0, count = 0;
    uint32_t *words = read_words(path, &length);
    struct graph *graphs = read_graphs(path, words, length, &count);
    registers = map(argv[1], REGISTERS_BYTES);
    buffer = map(argv[2], BUFFER_BYTES);
    uint64_t address = strtoull(argv[3], NULL, 0);
    size_t wrong = ask_all(graphs, count, address);
#ifdef NYSX_REG_TAIL
    wrong += wrong == 0 && count > 0 ? stream_all(graphs, count, address) : 0;
#endif
    free(graphs);
    free(words);
    return wrong == 0 && count > 0 ? 0 : 1;
}
