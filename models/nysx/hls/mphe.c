/* SPDX-License-Identifier: MIT */ /* Minimal Perfect Hashing Engine: from code to histogram bin (paper, section 5.2.2). All levels of a code are probed in
 * parallel, each in its own memory; the first level with a set bit gives the bin. Throughput: one code per cycle per lane. */
#include "nysx.h"
#include "nysx_model.h"

/* The 64-bit finaliser of MurmurHash3 (Appleby). */
static uint64_t scramble(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ (x >> 33);
}

static int32_t ones(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    word += word >> 8;
    word += word >> 16;
    return (int32_t)((word + (word >> 32)) & 127);
}

/* The bin of a code, or −1. The first two hashes are seeded, the rest are xorshift128+ of them (Vigna, 2014).
 * The high half of the product with a level's range reduces a hash to the range. */
static nysx_bin_t find(int64_t code, int32_t hop)
{
    uint64_t seed = nysx_mph_seed[hop], a = scramble((uint64_t)code ^ seed);
    uint64_t b = scramble((uint64_t)code + UINT64_C(0x9e3779b97f4a7c15) + ~seed);
    uint64_t chosen = 0;
    int32_t rank_at = 0, bit = 0, found = 0;
    int32_t levels = (int32_t)nysx_mph_levels[hop];
    NYSX_TALLY(probes, levels);
NYSX_LABEL(mphe_levels)
    for (int32_t level = 0; level < NYSX_MPH_LEVELS; level++) {
        uint64_t hash = level == 0 ? a : b;
        if (level > 1) {
            uint64_t x = a, y = b;
            a = y;
            x ^= x << 23;
            b = x ^ y ^ (x >> 17) ^ (y >> 26);
            hash = b + y;
        }
        uint32_t bits = nysx_mph_level_bits[hop][level];
        uint32_t position = (uint32_t)((hash >> 32) * bits >> 32);
        int32_t at = (int32_t)(nysx_mph_level_begin[hop][level] + position / 64);
        uint64_t word = nysx_mph_words[level][at];
        if (!found && level < levels && (word >> (position % 64) & 1)) {
            found = 1;
            chosen = word;
            bit = (int32_t)(position % 64);
            rank_at = at + level * NYSX_MPH_LEVEL_WORDS;
            NYSX_TALLY(probes, level + 1 - levels);
        }
    }
    int32_t index = (int32_t)nysx_mph_rank[rank_at] + ones(chosen & (((uint64_t)1 << bit) - 1));
    index = found ? index : 0;
    int64_t stored = (int64_t)nysx_codebook_code[index];
    nysx_bin_t bin = nysx_codebook_bin[index];
    return found && stored == code ? bin : -1;
}

void nysx_mphe(NYSX_PARAMETERS_CODES, int32_t nodes, int32_t hop, NYSX_FIFO_PARAMETER(nysx_bins_t, bins, NYSX_CODE_WORDS))
{
    NYSX_ARRAY_PARTITION_MPH_WORDS
    NYSX_ARRAY_PARTITION_MPH_LEVEL_BITS
    NYSX_ARRAY_PARTITION_MPH_LEVEL_BEGIN
    NYSX_BIND_STORAGE_MPH_WORDS
    NYSX_BIND_STORAGE_MPH_RANK
    NYSX_BIND_STORAGE_CODEBOOK_CODE
    NYSX_BIND_STORAGE_CODEBOOK_BIN
NYSX_LABEL(mphe_codes)
    for (int32_t w = 0; w < (nodes + NYSX_MPHE_LOOKUPS - 1) / NYSX_MPHE_LOOKUPS; w++) {
        NYSX_PIPELINE_MPHE_CODES
        NYSX_LOOP_TRIPCOUNT_MPHE_CODES
        nysx_codes_t word = NYSX_TAKE(codes, w);
        nysx_bins_t out;
    NYSX_LABEL(mphe_lanes)
        for (int32_t l = 0; l < NYSX_MPHE_LOOKUPS; l++) {
            NYSX_UNROLL_MPHE_LANES
            out.lane[l] = -1;
            if (w * NYSX_MPHE_LOOKUPS + l < nodes)
                out.lane[l] = find(word.lane[l], hop);
        }
        NYSX_PUT(bins, w, out);
    }
}
