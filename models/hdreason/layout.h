/* Where the data of an HDReason accelerator lie in one design: fields and sizes of the memories under models/hdreason/hls/. The emitted header
 * (hls.c), the packed model (executor/pack.c), the cases and the cost models read them.
 *
 * A hypervector's elements lie side by side over all memory ports of a half: a beat is a word of each. Rows of M hold the dimensions that the
 * score reads, which come first in every hypervector. H of the encoded entities lies behind M and H_r. Distances of an entity to all
 * queries of a batch lie in whole words of the host's port. */
#pragma once

#include "models/hdreason/hdreason.h"

struct hdreason_layout {
    int64_t entities, relations;    /* rows of M, and behind them those of H_r with the inverse ones */
    int64_t kept, bits, batch, lanes;
    int64_t ports, axi_bits;        /* memory ports of the hypervectors' half */
    int64_t beat;                   /* elements of a beat */
    int64_t steps, beats, turns;    /* of a vector: through the score engines, from memory, and the more of both */
    int64_t distance_bits, words;   /* of a distance; host words of an entity's */
    int64_t dim, embedding;
    int64_t encoded, subjects, edges;       /* entities that some entity has as object; with an object; different triples: the most that a call has */
    int64_t depth, width, sweeps, groups;   /* the encoder's array: elements of an embedding by dimensions at once; steps through either */
    int64_t row_words, row_turns;           /* host words of an embedding; cycles of one in the encoder */
    int64_t tables, table_turns;            /* of tanh, for a group */
    int64_t vector_beats;                   /* of a whole hypervector */
    int64_t ips, ip_lanes, ip_steps, ring;  /* memorisation IPs; chunks of a hypervector; vertices whose sums an IP keeps */
    int64_t sum_bits;                       /* of a vertex with the most neighbours */
    int64_t store_turns;                    /* of a vertex's sums to the memory */
    int64_t cache;                          /* hypervectors in UltraRAM */
    bool trains;                            /* task is no inference: the following, and rows of gradients behind H */
    int64_t weight_words, bundle_turns;     /* host words of an entity's weights; cycles of a row of sums to the memorisation IPs' chunks */
    int64_t chunk, columns, train_sweeps;   /* rows and elements of an embedding that SA2 makes at once; sweeps through the dimensions */
    int64_t sweep_turns, train_turns, column_words, gradient_shift; /* cycles of a sweep, of a block of rows; host words of the elements; bits that their sums lose */
};

#define HDREASON_REQUEST_WORDS 4 /* of a request: flags and IP, relation, place in the cache, encoded entity */
#define HDREASON_BY_ROW 16       /* flag of a request for a sum: times the row held, else times its own number */
#define HDREASON_VERTEX_WORDS 2  /* of a vertex: row, factor and shift */
enum { HDREASON_KEEPS = 1, HDREASON_READS = 2, HDREASON_BEGINS = 4, HDREASON_ENDS = 8, HDREASON_FLAG_BITS = 4 };

/* Rows behind M and H_r: H of the encoded entities, then gradients: of every M, of every query, of every encoded H and of the relations' H. */
enum hdreason_region { HDREASON_H, HDREASON_OF_MEMORIES, HDREASON_OF_QUERIES, HDREASON_OF_ENCODED, HDREASON_OF_RELATIONS, HDREASON_REGIONS };
static inline int64_t hdreason_region_begin(const struct hdreason_layout *l, enum hdreason_region region)
{
    const int64_t rows[HDREASON_REGIONS] = {l->encoded, l->entities, l->batch, l->encoded, l->relations};
    int64_t begin = 0;
    for (int r = 0; r < (int)region; r++)
        begin += rows[r];
    return begin;
}

static inline int64_t hdreason_h_rows(const struct hdreason_layout *l)
{
    return l->trains ? hdreason_region_begin(l, HDREASON_REGIONS) : l->encoded;
}

/* Beats of the memory in all. */
static inline int64_t hdreason_layout_beats(const struct hdreason_layout *l)
{
    return (l->entities + l->relations) * l->beats + hdreason_h_rows(l) * l->vector_beats;
}

/* 32-bit words of M and of H_r in M's steps behind one port. */
static inline size_t hdreason_memory_words(const struct hdreason_layout *l)
{
    return (size_t)((l->entities + l->relations) * l->beats * l->axi_bits / 32);
}

struct hdreason_layout hdreason_layout_of(const struct dse_context *context, const struct dse_config *config);
