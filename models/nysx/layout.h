/* Data layout of one design: banks, words, widths, depths and rounds. One function derives it from
 * configuration, workload and board; the emitted header (hls.c), the packed model (executor/pack.c), the
 * RTL tables (executor/rtl.c) and the test cases read it. */
#pragma once

#include "models/nysx/nysx.h"

/* Feature bits of a design: a size, directive or check exists if all of its bits are set. */
enum nysx_if {
    NYSX_IF_LANDMARKS = 1 << 0, NYSX_IF_DIRECT = 1 << 1,
    NYSX_IF_STREAMED = 1 << 2, NYSX_IF_RESIDENT = 1 << 3, NYSX_IF_FACTORED = 1 << 4, NYSX_IF_STORED = 1 << 5, /* streamed or resident */
    NYSX_IF_LSH = 1 << 6, NYSX_IF_TUPLE = 1 << 7, NYSX_IF_SCALAR = 1 << 8, NYSX_IF_WL = 1 << 9,
    NYSX_IF_ONEHOT = 1 << 10, NYSX_IF_ATTRIBUTES = 1 << 11,
    NYSX_IF_H_MEMORY = 1 << 12, NYSX_IF_H_CHIP = 1 << 13,
    NYSX_IF_MERGE = 1 << 14, NYSX_IF_ORDERED = 1 << 15, /* NYSX_IF_ORDERED: the logic sorts A's rows */
    NYSX_IF_REAL = 1 << 16, NYSX_IF_WHOLE = 1 << 17,    /* prototypes */
    NYSX_IF_CENTER = 1 << 18, NYSX_IF_NARROW = 1 << 19, /* NYSX_IF_NARROW: a round of the LSHU's PEs holds whole words of codes */
    NYSX_IF_QUEUE = 1 << 20, /* overlap other than none */
    NYSX_IF_TABLE = 1 << 21, /* table of class weights */
};

/* Format of a stored number: bits, type in C simulation, and the largest magnitude of an integer (0: floating point). */
struct nysx_stored {
    int64_t bits;
    const char *c;
    int64_t largest;
};

struct nysx_layout {
#define LAYOUT(field, ...) int64_t field;
#include "models/nysx/layout.def"
#undef LAYOUT
    unsigned has; /* enum nysx_if */
    int64_t codebook[NYSX_HOPS_MAX], h_nnz[NYSX_HOPS_MAX];
    int64_t code_interval, sce_interval, argmax_interval; /* cycles between iterations */
    int64_t prototype_bits, load_words;                   /* words of the largest table that is loaded */
    struct nysx_stored p, phi;
    size_t p_memory;
};

/* DSE_BAD_USAGE for a setting that does not match the workload; DSE_ANSWER_NO if no source exists for it. */
enum dse_status nysx_layout_make(const struct dse_context *context, const struct dse_config *config, struct nysx_layout *out,
                                 struct dse_error *err);
