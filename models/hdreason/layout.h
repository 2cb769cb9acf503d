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
};

#define HDREASON_REQUEST_WORDS 4 /* of a request: flags and IP, relation, place in the cache, encoded entity */
#define HDREASON_VERTEX_WORDS 2  /* of a vertex: row, factor and shift */
enum { HDREASON_KEEPS = 1, HDREASON_READS = 2, HDREASON_BEGINS = 4, HDREASON_ENDS = 8, HDREASON_FLAG_BITS = 4 };

/* Beats of the memory in all. */
static inline int64_t hdreason_layout_beats(const struct hdreason_layout *l)
{
    return (l->entities + l->relations) * l->beats + l->encoded * l->vector_beats;
}

/* 32-bit words of M and of H_r in M's steps behind one port. */
static inline size_t hdreason_memory_words(const struct hdreason_layout *l)
{
    return (size_t)((l->entities + l->relations) * l->beats * l->axi_bits / 32);
}

struct hdreason_layout hdreason_layout_of(const struct dse_context *context, const struct dse_config *config);
