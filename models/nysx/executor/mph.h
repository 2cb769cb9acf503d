/* The Minimal Perfect Hashing Engine (section 5.2.2): BBHash (Limasset, Rizk, Chikhi and Peterlongo,
 * 2017) over a codebook, with rank vectors and codebook verification.
 *
 * Levels A_0, A_1, … are bit arrays of whole 64-bit words, |A_l| = ⌈γ · keys left⌉ rounded up to words. A
 * key's position in level l is its l-th hash reduced to [0, |A_l|) by the high half of a product. The first two hashes are 64-bit
 * hashes of the key, the others an xorshift sequence of these. A key alone at its position sets the bit; the others move to the next level. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

#define NYSX_MPH_MAX_LEVELS 64
#define NYSX_MPH_DEFAULT_GAMMA 2.0

/* One entry of the codebook store, at its minimal perfect index. */
struct nysx_mph_entry {
    int64_t code;
    int32_t bin; /* index into the sorted codebook, and the histogram */
};

struct nysx_mph {
    double gamma;
    uint64_t seed;
    size_t key_count, levels;
    size_t level_begin[NYSX_MPH_MAX_LEVELS + 1]; /* in words */
    uint64_t *words;  /* all levels, contiguous */
    uint32_t *rank;   /* set bits before each word, over all levels */
    struct nysx_mph_entry *entry; /* [key_count] */
};

/* Builds the hash over `count` distinct keys, ascending; bin i is keys[i]. γ of at least 1. Tries another seed in the
 * (never observed) case that NYSX_MPH_MAX_LEVELS do not suffice. O(count) expected. */
enum dse_status nysx_mph_build(const int64_t *keys, size_t count, double gamma, struct nysx_mph *out,
                               struct dse_error *err);
void nysx_mph_free(struct nysx_mph *mph);

/* Bin of `code`, or −1 if not in the codebook: no level has its bit, or the entry is another
 * code. `probes` (may be NULL) is increased by the levels probed. */
int32_t nysx_mph_find(const struct nysx_mph *mph, int64_t code, size_t *probes);

/* Minimal perfect index of a code, 0 … key_count−1, or −1 if no level has its bit. A code that is not
 * a key may have one. */
int64_t nysx_mph_index(const struct nysx_mph *mph, int64_t code, size_t *probes);

/* Words (over all levels) that the look-up of a code probes, in order, into `word`; returns their number, and the
 * code's index as nysx_mph_index does. */
size_t nysx_mph_trace(const struct nysx_mph *mph, int64_t code, size_t word[NYSX_MPH_MAX_LEVELS], int64_t *index);

/* Total bits of the level arrays. */
size_t nysx_mph_bits(const struct nysx_mph *mph);
