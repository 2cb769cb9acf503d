/* SPDX-License-Identifier: MIT */
/* Runs the accelerator of this folder under Linux: sends the test graphs, compares the classes, and reports the time per query. An
 * accelerator with a queue also runs them back to back, through a ring of which one half is filled while the other runs.
 *
 *   cc -O2 -o host host.c && ./host [--poll] UIO BUFFER BUFFER_ADDRESS [nysx_cases.bin]
 *   ./host /dev/uio0 /dev/udmabuf0 $(cat /sys/class/u-dma-buf/udmabuf0/phys_addr)
 *
 * UIO: a device of generic-uio, whose interrupt ends the waits, unless --poll is given; or /dev/mem at the right offset or a file, polled. Its first
 * page is the registers. BUFFER: memory that the accelerator reads at bus address BUFFER_ADDRESS, a multiple of 64: a u-dma-buf,
 * cached and synchronised, or other memory, uncached. A streamed P_nys (nysx_p.bin) lies behind the queries at the next multiple of 4096, for both
 * ports. Exit code 0 if all classes are equal, 1 if one differs, 2 on any other error. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
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
#include "udmabuf.h"

#define REGISTERS_BYTES 4096
#define WORD 16 /* bytes; each array starts at a multiple */
#if NYSX_ATTRIBUTES
#define COLUMNS NYSX_FEATURE_COLUMNS                   /* numbers of a node */
#define GROUP (NYSX_LSHU_PE > 4u ? NYSX_LSHU_PE : 4u) /* nodes that a column of numbers is padded to */
#define FEATURE_BYTES(nodes) (4 * COLUMNS * PADDED(nodes, GROUP))
#else
#define COLUMNS 1u /* a node's label */
#define FEATURE_BYTES(nodes) (NYSX_LABEL_BITS / 8 * (nodes))
#endif
#define PADDED(bytes, to) (((bytes) + (to) - 1) / (to) * (to))
#define ARRAY(count) PADDED(NYSX_INDEX_BITS / 8 * (count), WORD)
#define QUERY_BYTES(nodes, nonzeros) (ARRAY((nodes) + 1) + ARRAY(nonzeros) + PADDED(FEATURE_BYTES(nodes), WORD))
#define SLOT PADDED(QUERY_BYTES(NYSX_MAX_NODES, NYSX_MAX_NNZ), WORD)
#define PATIENCE_S 10.0
#ifdef NYSX_REG_TAIL
#define RING ((uint32_t)NYSX_RING) /* descriptors; the queries of the first half lie before them, those of the second half behind them: one transfer each */
#define HALF (RING / 2)
#define DESCRIPTOR_BYTES 32u
#define RING_AT PADDED((size_t)HALF * SLOT, UDMABUF_LINE)
#define QUERIES_BYTES (RING_AT + RING * DESCRIPTOR_BYTES + (size_t)HALF * SLOT)
#else
#define QUERIES_BYTES SLOT
#endif
#ifdef NYSX_P_PORT_BITS
#define PAGE 4096u
#define P_BYTES ((size_t)NYSX_P_WORDS * (NYSX_P_PORT_BITS / 8u))
#define BUFFER_BYTES ((size_t)QUERIES_BYTES + PAGE + P_BYTES)
#else
#define BUFFER_BYTES QUERIES_BYTES
#endif

static volatile uint32_t *registers;
static volatile uint8_t *buffer;
static int syncs[2] = {-1, -1}; /* files that synchronise a cached buffer: for the processor, for the device */
static int uio = -1; /* the file whose interrupt is waited for */

static int stop(const char *what, const char *why)
{
    fprintf(stderr, "host: %s: %s\n", what, why);
    exit(2);
}

static void *map(const char *path, size_t bytes, int flags, int *file)
{
    *file = open(path, O_RDWR | flags);
    void *at = *file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    if (at == MAP_FAILED)
        stop(path, "cannot be mapped");
    return at;
}

/* Writes bytes of a cached buffer to memory for the device, or forgets the cache's copy of them. */
static void sync_buffer(bool to_device, size_t first, size_t end)
{
    if (syncs[to_device] >= 0 && !udmabuf_sync(syncs[to_device], to_device, first, end))
        stop("the u-dma-buf", "cannot be synchronised");
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

/* The row length by which a node is placed: 0 if nodes keep their order. */
static uint32_t length_of(const uint32_t *row_begin, uint32_t v)
{
    return NYSX_SORTED ? row_begin[v + 1] - row_begin[v] : 0;
}

/* Writes a query into the buffer at a multiple of WORD; returns its end. If the design requires it, nodes are renumbered by ascending row length;
 * a row keeps the order of its neighbours. */
static size_t put_query(const struct graph *query, size_t at)
{
    const uint32_t *graph = query->words, nodes = query->nodes, nonzeros = query->nonzeros;
    static uint32_t order[NYSX_MAX_NODES + 1], place[NYSX_MAX_NODES + 1], first[NYSX_MAX_NNZ + 2];
    const uint32_t *neighbours = graph + nodes + 1, *features = neighbours + nonzeros;
    uint32_t begin = 0;
#ifdef NYSX_CORES
    static const int32_t table[] = NYSX_LABEL_COLUMNS;
    static uint32_t column[NYSX_MAX_NODES + 1];
    nysx_core_columns(nodes, graph, neighbours, features, table, NYSX_FEATURE_COLUMNS, column, place);
    features = column;
#endif
    memset(first, 0, (nonzeros + 2) * sizeof *first);
    for (uint32_t v = 0; v < nodes; v++)
        first[length_of(graph, v) + 1]++;
    for (uint32_t length = 0; length < nonzeros; length++)
        first[length + 1] += first[length];
    for (uint32_t v = 0; v < nodes; v++) {
        place[v] = first[length_of(graph, v)]++;
        order[place[v]] = v;
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
    return at;
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* An iteration of a loop that waits until `end` at most: sleeps until the next interrupt, which generic-uio disables when it comes, or polls. */
static void wait_on(const char *what, double end)
{
    uint32_t count = 1;
    struct pollfd event = {.fd = uio, .events = POLLIN};
    if (uio >= 0 && (write(uio, &count, sizeof count) != sizeof count || poll(&event, 1, (int)(PATIENCE_S * 1e3)) < 0 ||
                     (event.revents != 0 && read(uio, &count, sizeof count) != sizeof count)))
        stop("the UIO device", "gives no interrupts (--poll does without)");
    if (now_s() > end)
        stop(what, "does not end");
}

static int32_t ask(uint32_t nodes, uint32_t nonzeros)
{
    registers[NYSX_REG_CONTROL / 4] = 2;
    registers[NYSX_REG_NODES / 4] = nodes;
    registers[NYSX_REG_NONZEROS / 4] = nonzeros;
    __sync_synchronize(); /* the query must be in memory before the start */
    registers[NYSX_REG_CONTROL / 4] = 1;
    double end = now_s() + PATIENCE_S;
    do
        wait_on("a query", end);
    while (uio < 0 && (registers[NYSX_REG_CONTROL / 4] & 2u) == 0); /* an interrupt says that it is done */
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

#ifdef NYSX_P_PORT_BITS
/* Puts P_nys behind the queries, and its address into the registers. */
static void put_projection(const char *path, uint64_t address)
{
    size_t count = 0, at = (size_t)((PAGE - (address + QUERIES_BYTES) % PAGE) % PAGE) + QUERIES_BYTES;
    uint32_t *words = read_words(path, &count);
    if (4 * count != P_BYTES)
        stop(path, "is not of this design");
    for (size_t i = 0; i < count; i++)
        put(&at, words[i], 32);
    free(words);
    sync_buffer(true, at - P_BYTES, at);
    address += at - P_BYTES;
    registers[NYSX_REG_P_ADDRESS / 4] = (uint32_t)address;
    registers[NYSX_REG_P_ADDRESS_HIGH / 4] = (uint32_t)(address >> 32);
}
#endif

static void put_address(uint64_t address)
{
    registers[NYSX_REG_ADDRESS / 4] = (uint32_t)address;
    registers[NYSX_REG_ADDRESS_HIGH / 4] = (uint32_t)(address >> 32);
}

static bool differs(const char *what, size_t index, int32_t answer, int32_t expected)
{
    if (answer != expected)
        printf("%s %zu: the class is %" PRId32 ", expected %" PRId32 "\n", what, index, answer, expected);
    return answer != expected;
}

/* Number of wrong answers with one start per graph. */
static size_t ask_all(const struct graph *graphs, size_t count)
{
    size_t wrong = 0;
    double all = 0.0;
    for (size_t i = 0; i < count; i++) {
        const size_t end = put_query(&graphs[i], 0);
        double begin = now_s();
        sync_buffer(true, 0, end);
        int32_t answer = ask(graphs[i].nodes, graphs[i].nonzeros);
        all += now_s() - begin;
        wrong += differs("case", i, answer, graphs[i].expected);
    }
    printf("%zu graphs: %s\n", count, wrong == 0 && count > 0 ? "equal" : "DIFFERENT");
    if (count > 0)
        printf("mean %.1f µs per query, with the registers\n", all / (double)count * 1e6);
    return wrong;
}

#ifdef NYSX_REG_TAIL
static volatile uint32_t *descriptor(size_t number)
{
    return (volatile uint32_t *)(volatile void *)(buffer + RING_AT + number % RING * DESCRIPTOR_BYTES);
}

/* Writes graph `number` at `at`, and its descriptor, whose answer number stays 0 until the answer arrives. Returns the query's end. */
static size_t describe(const struct graph *graph, size_t number, size_t at, uint64_t address)
{
    const uint32_t words[] = {(uint32_t)(address + at), (uint32_t)((address + at) >> 32), graph->nodes, graph->nonzeros, 0, 0, 0, 0};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        descriptor(number)[w] = words[w];
    return put_query(graph, at);
}

/* Writes graphs `from` to `end` - 1, of one half, to memory by one transfer. */
static void fill(const struct graph *graphs, size_t count, size_t from, size_t end, uint64_t address)
{
    const bool first = from % RING == 0;
    const size_t middle = RING_AT + HALF * DESCRIPTOR_BYTES;
    size_t bytes = 0;
    for (size_t number = from; number < end; number++)
        bytes += QUERY_BYTES((size_t)graphs[number % count].nodes, (size_t)graphs[number % count].nonzeros);
    size_t at = first ? RING_AT - bytes : middle + HALF * DESCRIPTOR_BYTES;
    for (size_t number = from; number < end; number++)
        at = describe(&graphs[number % count], number, at, address);
    if (end > from)
        sync_buffer(true, first ? RING_AT - bytes : middle, first ? middle : at);
}

/* Waits for the answers of graphs `from` to `end` - 1, of one half, if there are any. The interrupt comes when the graphs handed over are answered; it is cleared before
 * the look. */
static void await(size_t from, size_t end)
{
    const size_t first = RING_AT + from % RING * DESCRIPTOR_BYTES;
    const double until = now_s() + PATIENCE_S;
    for (bool waits = end > from; waits; waits = descriptor(end - 1)[5] != (uint32_t)end) {
        wait_on("a graph of the ring", until);
        if (uio >= 0)
            registers[NYSX_REG_CONTROL / 4] = 2;
        sync_buffer(false, first, first + (end - from) * DESCRIPTOR_BYTES);
    }
}

#define BACK_TO_BACK 200

/* Number of wrong answers with all graphs through the ring, at least BACK_TO_BACK of them. The tail moves by half a ring: at once where answers are
 * polled, and for the sake of the interrupt after the answers of the other half. */
static size_t stream_all(const struct graph *graphs, size_t count, uint64_t address)
{
    size_t all = (BACK_TO_BACK + count - 1) / count * count, told = 0, taken = 0, wrong = 0;
    put_address(address + RING_AT);
    registers[NYSX_REG_NODES / 4] = RING;
    double begin = now_s();
    while (taken < all) {
        const size_t at_work = told;
        told = told + HALF < all ? told + HALF : all;
        fill(graphs, count, at_work, told, address);
        if (uio >= 0)
            await(taken, at_work);
        __sync_synchronize(); /* queries and descriptors must be in memory before the tail moves */
        if (told > at_work)
            registers[NYSX_REG_TAIL / 4] = (uint32_t)told;
        if (uio < 0)
            await(taken, at_work);
        for (; taken < at_work; taken++)
            wrong += differs("graph of the ring", taken, (int32_t)descriptor(taken)[4], graphs[taken % count].expected);
    }
    printf("%zu graphs back to back: %s\n", all, wrong == 0 ? "equal" : "DIFFERENT");
    printf("%.1f µs per graph through the ring\n", (now_s() - begin) / (double)all * 1e6);
    return wrong;
}
#endif

int main(int argc, char **argv)
{
    const bool polls = argc > 1 && strcmp(argv[1], "--poll") == 0;
    argc -= polls;
    argv += polls;
    if (argc < 4 || argc > 5) {
        fprintf(stderr, "host: usage: host [--poll] UIO BUFFER BUFFER_ADDRESS [nysx_cases.bin]; BUFFER of %zu bytes\n", (size_t)BUFFER_BYTES);
        return 2;
    }
    const char *path = argc > 4 ? argv[4] : "nysx_cases.bin";
    size_t length = 0, count = 0;
    uint32_t *words = read_words(path, &length);
    struct graph *graphs = read_graphs(path, words, length, &count);
    int file = -1, memory = -1;
    registers = map(argv[1], REGISTERS_BYTES, O_SYNC, &file);
    for (int to_device = 0; to_device < 2; to_device++)
        syncs[to_device] = udmabuf_open_sync(argv[2], to_device);
    buffer = map(argv[2], BUFFER_BYTES, syncs[1] < 0 ? O_SYNC : 0, &memory);
    if (!polls && strncmp(argv[1], "/dev/uio", 8) == 0)
        uio = file;
    registers[NYSX_REG_INTERRUPT / 4] = uio >= 0;
    uint64_t address = strtoull(argv[3], NULL, 0);
    put_address(address);
#ifdef NYSX_P_PORT_BITS
    put_projection("nysx_p.bin", address);
#endif
    size_t wrong = ask_all(graphs, count);
#ifdef NYSX_REG_TAIL
    wrong += wrong == 0 && count > 0 ? stream_all(graphs, count, address) : 0;
#endif
    free(graphs);
    free(words);
    return wrong == 0 && count > 0 ? 0 : 1;
}
