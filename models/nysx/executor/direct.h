/* The direct form of the encoding, without landmarks, codebook and histograms. The hypervector is the sign of a sum over
 * the codes of all nodes and hops. Each code expands to a vector of signs:
 *
 *     x = code, y = mix(code ^ NYSX_DIRECT_SALT)
 *     bit j of word w (element 32 w + j) = bit j of x ^ XOR of rotl(y, b) over the set bits b of w;   1 is +1, 0 is −1
 *     h = +1 where Σ over nodes and hops of the sign ≥ the element's threshold
 *
 * The threshold is 0, or the training mean rounded up, which is equivalent to the mean for integer sums. The signs of two
 * elements of a random code are independent. The signs of two codes are nearly orthogonal over the words, as Walsh functions
 * of w. The sums of all words are therefore a Walsh-Hadamard transform. The executor uses it: nysx_direct_sums() needs
 * d log₂(d / 32) additions for any number of codes. Hardware makes the signs in its lanes. Sums are exact in any order, and
 * equal codes may be merged or not. */
#pragma once

#include "core/arena.h"
#include "models/nysx/executor/nee.h"
#include "models/nysx/executor/wl.h"

#define NYSX_DIRECT_SALT 0x5bd1e995u

/* Memory for one query at a time, for graphs of up to `nodes` nodes. */
struct nysx_direct_scratch {
    float *values;              /* 3 × nodes, of the LSH */
    int64_t *wide;              /* [nodes] codes of the LSH */
    uint32_t *codes[2];         /* [nodes] of the current hop and the next */
    struct nysx_counted *merged; /* [NYSX_MERGE_PLACES] */
    size_t places;              /* places in use: a power of two */
    struct nysx_counted *item;  /* [nodes × hops + NYSX_MERGE_PLACES] */
    size_t count;               /* items in use */
};

#define NYSX_MERGE_PLACES 512

/* Bits of a word's number, log₂ of the transform's rows: the least with 32 × 2^bits ≥ dim. */
unsigned nysx_direct_bits(size_t dim);

struct nysx_direct_scratch nysx_direct_scratch_make(const struct nysx_lsh *lsh, size_t nodes, struct dse_arena *arena);

/* Counts a code in the table (scratch->merged, scratch->places); on a conflict the old entry moves to the list.
 * Start with counts of 0 and an empty list; nysx_direct_sweep moves the remaining entries and empties the table. */
void nysx_direct_count(struct nysx_direct_scratch *scratch, uint32_t code);
void nysx_direct_sweep(struct nysx_direct_scratch *scratch);

/* The codes of all hops of a graph, with equal codes merged by a table of scratch->places (initially NYSX_MERGE_PLACES), in
 * scratch->item. O(hops × (nodes + arcs)). */
void nysx_direct_codes(const struct nysx_lsh *lsh, const struct nysx_query *query, struct nysx_direct_scratch *scratch);

/* Whether no graph of up to `nodes` nodes can overflow 32-bit sums. */
bool nysx_direct_fits(const struct nysx_lsh *lsh, size_t nodes);

/* Sums of the items, in element order, into `sums` [32 × 2^bits of dim]. */
void nysx_direct_sums(size_t dim, const struct nysx_counted *item, size_t count, int32_t *sums);

/* Bytes of a hypervector's sums, to be aligned to 64. */
size_t nysx_direct_sums_bytes(size_t dim);

/* The hypervector of a list of items, [nee->words]; `sums` is memory of nysx_direct_sums_bytes. */
void nysx_direct_encode(const struct nysx_nee *nee, const struct nysx_counted *item, size_t count, void *sums, uint64_t *hypervector);

/* By the definition: elements 32 · group to 32 · group + 31 of a code's vector, a bit each (1: +1, 0: −1); the sign of one element, −1 or 1. O(log d). */
uint32_t nysx_direct_word(uint32_t code, size_t group);
int nysx_direct_sign(uint32_t code, size_t element);

/* Sets nee->threshold to the training mean of the sums: ⌈mean⌉, in `bits` bits (0: all; nysx_direct_round). DSE_LIMIT if their total
 * overflows. */
enum dse_status nysx_direct_center(const struct nysx_lsh *lsh, const struct nysx_features *features, const int32_t *graphs,
                                   size_t count, int bits, struct nysx_nee *nee, struct dse_error *err);

/* Rounds thresholds to integer multiples of 2^s, halves up, with the least s such that all are within 2^(bits − 1) − 1 steps of 0.
 * Returns s. nysx_direct_shift is the s of rounded thresholds: the largest power of two that divides them all (0 if all are 0). */
unsigned nysx_direct_round(int32_t *threshold, size_t dim, int bits);
unsigned nysx_direct_shift(const int32_t *threshold, size_t dim);

/* Converts thresholds for the kernels, from nee->threshold (NULL: none). */
void nysx_direct_seal(struct nysx_nee *nee);
