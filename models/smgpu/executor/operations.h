/* The instruction set: operands, results and function of each operation, in one table that text, words, execution and help read. */
#pragma once

#include "models/smgpu/executor/arrays.h"
#include "models/smgpu/executor/fixed.h"

#define SMGPU_OPERANDS_MAX 5

enum smgpu_engine { SMGPU_SPECTRAL, SMGPU_HD, SMGPU_TOPOLOGY, SMGPU_REWRITE, SMGPU_CACHE, SMGPU_XBAR, SMGPU_DMA, SMGPU_ENGINES };
extern const char *const smgpu_engine_names[SMGPU_ENGINES];

enum smgpu_flag {
    SMGPU_START = 1, SMGPU_DONE_IRQ = 2, SMGPU_CHAINED = 4, SMGPU_STREAMING = 8, SMGPU_BLOCKED = 16, SMGPU_PRECISION_Q = 32
};
#define SMGPU_FLAGS 6
extern const char *const smgpu_flag_names[SMGPU_FLAGS]; /* from bit 0 on */

enum smgpu_key {
    SMGPU_BY, SMGPU_COUNT, SMGPU_DIM, SMGPU_INDEX, SMGPU_ITERATIONS, SMGPU_MOST, SMGPU_NODES, SMGPU_ORDER, SMGPU_REDUCED, SMGPU_SEED, SMGPU_THRESHOLD,
    SMGPU_TIME, SMGPU_KEYS
};
struct smgpu_key_form {
    const char *name;
    double least, most, value; /* bounds and default; NaN: no default, or it follows from the operands (`dim`) */
    bool real;
};
extern const struct smgpu_key_form smgpu_keys[SMGPU_KEYS];

/* Capacity of the machine (the scaling table). */
struct smgpu_limits {
    size_t nodes, nonzeros, edges, pattern, matches, entries, vectors, tile;
};

/* Work of an instruction, for its cycles. */
struct smgpu_effort {
    uint64_t nodes, nonzeros, passes; /* sizes of sparse products, and their number */
    uint64_t words, vectors;          /* words of one vector of packed bits, and number of vectors */
    uint64_t entries, projections;    /* entries of the cache, or of a Laplacian with its diagonal; projections of the cache */
    uint64_t digits;                  /* digits of a similarity */
    uint64_t edges, finds;            /* sorted, and parents read */
    uint64_t tries, matches;          /* candidates that a search tries, and those that match */
    uint64_t rows, columns;           /* ports of the crossbar */
    uint64_t bytes;                   /* size of a DMA transfer */
};

struct smgpu_instruction;

/* Arrays that an instruction reads or writes, by their index in the memory. */
#define SMGPU_USES_MAX 16
struct smgpu_uses {
    size_t array[SMGPU_USES_MAX], count;
};

/* One running instruction. */
struct smgpu_call {
    const struct smgpu_instruction *instruction;
    const struct smgpu_limits *limits;
    struct smgpu_memory *memory;
    struct smgpu_fixed fixed;
    struct smgpu_effort effort;
    struct smgpu_uses reads, writes;
};

struct smgpu_operation {
    enum smgpu_engine engine;
    uint8_t sub;
    const char *name;
    const char *operands; /* their kinds, "matrix vector", for help and count */
    uint8_t operand_count;
    uint32_t keys;        /* bits of the keys that it takes */
    enum dse_status (*run)(struct smgpu_call *call, struct dse_error *err);
};

/* All operations, in the order of opcodes and sub-opcodes. */
extern const struct smgpu_operation smgpu_operations[];
extern const size_t smgpu_operation_count;

/* By "HD.BIND"; NULL. */
const struct smgpu_operation *smgpu_operation_find(const char *name);
