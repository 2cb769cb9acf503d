/* Where the accelerator's data lie: banks, words, widths, depths and turns of one design. One function derives them from the
 * configuration, the workload and the board; the emitted header (hls.c), the packed model (executor/pack.c), the tables of the
 * RTL (executor/rtl.c) and test cases read them. */
#pragma once

#include "models/nysx/nysx.h"

/* Features of a design, as bits: a size, directive or check exists where all bits that it asks for are set. */
enum nysx_if {
    NYSX_IF_LANDMARKS = 1 << 0, NYSX_IF_DIRECT = 1 << 1,
    NYSX_IF_STREAMED = 1 << 2, NYSX_IF_RESIDENT = 1 << 3, NYSX_IF_FACTORED = 1 << 4, NYSX_IF_STORED = 1 << 5, /* streamed or resident */
    NYSX_IF_LSH = 1 << 6, NYSX_IF_TUPLE = 1 << 7, NYSX_IF_SCALAR = 1 << 8, NYSX_IF_WL = 1 << 9,
    NYSX_IF_ONEHOT = 1 << 10, NYSX_IF_ATTRIBUTES = 1 << 11,
    NYSX_IF_H_MEMORY = 1 << 12, NYSX_IF_H_CHIP = 1 << 13,
    NYSX_IF_MERGE = 1 << 14, NYSX_IF_ORDERED = 1 << 15, /* the logic makes A's order */
    NYSX_IF_REAL = 1 << 16, NYSX_IF_WHOLE = 1 << 17,    /* prototypes */
    NYSX_IF_CENTER = 1 << 18, NYSX_IF_NARROW = 1 << 19, /* a round of the LSHU's PEs holds whole words of codes */
    NYSX_IF_QUEUE = 1 << 20, /* overlap other than none */
    NYSX_IF_TABLE = 1 << 21, /* of class weights */
};

/* A stored number: its bits, its type in C simulation, and the largest magnitude of an integer (0: floating point). */
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

/* DSE_BAD_USAGE for a setting that is not the workload's; DSE_ANSWER_NO for what no source is written for. */
enum dse_status nysx_layout_make(const struct dse_context *context, const struct dse_config *config, struct nysx_layout *out,
                                 struct dse_error *err);
