/* Data layout of one HDReason design: fields and sizes of the memories under models/hdreason/hls/. The emitted header
 * (hls.c), the packed model (executor/pack.c), the cases and the cost models read it.
 *
 * A hypervector's elements are spread over all memory ports of a half: a beat is one word per port. Rows of M hold the dimensions that the
 * score reads, which come first in every hypervector. H of the encoded entities follows M and H_r. An entity's distances to all
 * queries of a batch fill whole words of the host's port. */
#pragma once

#include "models/hdreason/hdreason.h"

struct hdreason_layout {
    int64_t entities, relations;    /* rows of M, followed by those of H_r with the inverse relations */
    int64_t kept, bits, batch, lanes;
    int64_t ports, axi_bits;        /* memory ports of the hypervectors' half */
    int64_t beat;                   /* elements of a beat */
    int64_t steps, beats, trips;    /* cycles of a vector: through the score engines, from memory, and the larger of both */
    int64_t distance_bits, words;   /* bits of a distance; host words of an entity's distances */
    int64_t dim, embedding;
    int64_t encoded, subjects, edges;       /* entities that are an object; entities with an object; distinct triples: the maxima of a call */
    int64_t depth, width, sweeps, groups;   /* encoder array: elements of an embedding by parallel dimensions; steps through either */
    int64_t row_words, row_trips;           /* host words of an embedding; cycles per embedding in the encoder */
    int64_t tables, table_trips;            /* tanh tables; cycles per group */
    int64_t vector_beats;                   /* beats of a whole hypervector */
    int64_t ips, ip_lanes, ip_steps, ring;  /* memorisation IPs; chunks of a hypervector; vertices whose sums an IP holds */
    int64_t sum_bits;                       /* width of the sum of the vertex with the most neighbours */
    int64_t store_trips;                    /* cycles to store a vertex's sums */
    int64_t cache;                          /* hypervectors in UltraRAM */
    bool trains;                            /* task is not inference: the fields below exist, and rows of gradients after H */
    int64_t weight_words, bundle_trips;     /* host words of an entity's weights; cycles to convert a row of sums to the memorisation IPs' chunks */
    int64_t chunk, columns, train_sweeps;   /* rows and embedding elements that SA2 computes in parallel; sweeps through the dimensions */
    int64_t sweep_trips, train_trips, column_words, gradient_shift; /* cycles of a sweep; of a block of rows; host words of the elements; bits dropped from their sums */
};

#define HDREASON_REQUEST_WORDS 4 /* flags and IP, relation, cache place, encoded entity */
#define HDREASON_BY_ROW 16       /* request flag in a sum: multiply by the held row instead of the request's number */
#define HDREASON_VERTEX_WORDS 2  /* row, factor and shift */
enum { HDREASON_KEEPS = 1, HDREASON_READS = 2, HDREASON_BEGINS = 4, HDREASON_ENDS = 8, HDREASON_FLAG_BITS = 4 };

/* Rows after M and H_r: H of the encoded entities, then gradients of every M, of every query, of every encoded H and of the relations' H. */
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

/* Total beats of the memory. */
static inline int64_t hdreason_layout_beats(const struct hdreason_layout *l)
{
    return (l->entities + l->relations) * l->beats + hdreason_h_rows(l) * l->vector_beats;
}

/* 32-bit words of M and of H_r in M's steps per port. */
static inline size_t hdreason_memory_words(const struct hdreason_layout *l)
{
    return (size_t)((l->entities + l->relations) * l->beats * l->axi_bits / 32);
}

/* Whether memories hold the queries' sums of signs. A word is read, added to and written before it is read again after `steps` iterations; registers do if there are fewer. */
static inline bool hdreason_keeps_sums(const struct hdreason_layout *l)
{
    return l->steps >= 4;
}

struct hdreason_layout hdreason_layout_of(const struct dse_context *context, const struct dse_config *config);
