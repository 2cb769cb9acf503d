/* SPDX-License-Identifier: MIT */
/* Runs the accelerator of this folder under Linux: sends the test graphs, compares the classes, and says how long the queries take.
 *
 *   cc -O2 -o host host.c && ./host UIO BUFFER BUFFER_ADDRESS [nysx_cases.bin]
 *   ./host /dev/uio0 /dev/udmabuf0 $(cat /sys/class/u-dma-buf/udmabuf0/phys_addr)
 *
 * UIO: a device (or /dev/mem of its own, a file) whose first page is the registers; BUFFER: memory that the accelerator reads, at
 * BUFFER_ADDRESS there, a multiple of 16 (u-dma-buf, not cached). Exit code 0 where all classes are equal, 1 where one differs, 2 where
 * something else is wrong. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "nysx_design.h"
#include "nysx_registers.h"

#define REGISTERS_BYTES 4096
#define WORD 16 /* bytes: each array begins at a multiple */
#define QUERY_MOST (NYSX_INDEX_BITS / 8 * (NYSX_MAX_NODES + 1 + NYSX_MAX_NNZ) + NYSX_LABEL_BITS / 8 * NYSX_MAX_NODES + 3 * WORD)
#define PATIENCE_S 10.0

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

/* Rows by ascending length, where the design asks for it: nodes take the numbers of their places, and a row keeps the order of its
 * neighbours. `graph`: row pointers, neighbours, labels. */
static void put_query(const uint32_t *graph, uint32_t nodes, uint32_t nonzeros)
{
    static uint32_t order[NYSX_MAX_NODES + 1], place[NYSX_MAX_NODES + 1];
    const uint32_t *neighbours = graph + nodes + 1, *labels = neighbours + nonzeros;
    uint32_t count = 0, begin = 0;
    size_t at = 0;
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
    for (uint32_t i = 0; i < nodes; i++)
        put(&at, labels[order[i]], NYSX_LABEL_BITS);
    end_array(&at);
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
    __sync_synchronize(); /* the query is in memory */
    registers[NYSX_REG_CONTROL / 4] = 1;
    double end = now_s() + PATIENCE_S;
    while ((registers[NYSX_REG_CONTROL / 4] & 2u) == 0)
        if (now_s() > end)
            stop("a query", "does not end");
    return (int32_t)registers[NYSX_REG_ANSWER / 4];
}

/* The words of a file, `*count` of them. */
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

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5)
        stop("usage", "host UIO BUFFER BUFFER_ADDRESS [nysx_cases.bin]");
    const char *path = argc > 4 ? argv[4] : "nysx_cases.bin";
    size_t length = 0;
    uint32_t *words = read_words(path, &length), wrong = 0;
    registers = map(argv[1], REGISTERS_BYTES);
    buffer = map(argv[2], QUERY_MOST);
    uint64_t address = strtoull(argv[3], NULL, 0);
    double all = 0.0;
    size_t at = 1;
    for (uint32_t i = 0; length > 0 && i < words[0]; i++) {
        if (at + 2 > length || words[at] > NYSX_MAX_NODES || words[at + 1] > NYSX_MAX_NNZ)
            stop(path, "is no file of this design's cases");
        uint32_t nodes = words[at], nonzeros = words[at + 1];
        const uint32_t *graph = words + at + 2;
        at += 3 + (size_t)2 * nodes + nonzeros;
        size_t next = at + 3 + NYSX_LANDMARKS + (NYSX_DIM + 63) / 64 * 2;
        if (next > length)
            stop(path, "ends too early");
        put_query(graph, nodes, nonzeros);
        double begin = now_s();
        int32_t answer = ask(nodes, nonzeros, address);
        all += now_s() - begin;
        if (answer != (int32_t)words[at]) {
            printf("case %" PRIu32 ": the class is %" PRId32 ", and must be %" PRId32 "\n", i, answer, (int32_t)words[at]);
            wrong++;
        }
        at = next;
    }
    uint32_t count = length > 0 ? words[0] : 0;
    printf("%" PRIu32 " graphs: %s\n", count, wrong == 0 && count > 0 ? "equal" : "DIFFERENT");
    if (count > 0)
        printf("mean %.1f us per query, with the registers\n", all / count * 1e6);
    free(words);
    return wrong == 0 && count > 0 ? 0 : 1;
}
