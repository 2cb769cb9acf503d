/* Minimal Perfect Hashing Engine: from code to histogram bin (paper, section 5.2.2). */
#include "nysx.h"
#include "nysx_model.h"

/* The hashes of one code, drawn one a level. */
struct sequence {
    uint64_t a, b;
    int32_t drawn;
};

/* The 64-bit finaliser of MurmurHash3 (Appleby). */
static uint64_t scramble(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ (x >> 33);
}

/* The first two are the seeded hashes, the rest xorshift128+ from them (Vigna, 2014). */
static uint64_t next_hash(struct sequence *hashes)
{
    int32_t drawn = hashes->drawn++;
    uint64_t x = hashes->a, y = hashes->b;
    if (drawn < 2)
        return drawn == 0 ? x : y;
    hashes->a = y;
    x ^= x << 23;
    hashes->b = x ^ y ^ (x >> 17) ^ (y >> 26);
    return hashes->b + y;
}

static int32_t ones(uint64_t word)
{
    int32_t count = 0;
NYSX_LABEL(mphe_ones)
    for (int32_t i = 0; i < 64; i++)
        count += (int32_t)(word >> i & 1);
    return count;
}

/* One probe: the index that a set bit stands for, or −1. */
static int32_t probe(struct sequence *hashes, int32_t hop, int32_t level)
{
    uint32_t first = nysx_mph_level_begin[hop][level];
    uint64_t bits = (uint64_t)(nysx_mph_level_begin[hop][level + 1] - first) * 64;
    uint64_t position = next_hash(hashes) % bits;
    uint32_t at = first + (uint32_t)(position / 64);
    uint64_t word = nysx_mph_words[at], bit = (uint64_t)1 << (position % 64);
    NYSX_TALLY(probes, 1);
    return word & bit ? (int32_t)nysx_mph_rank[at] + ones(word & (bit - 1)) : -1;
}

void nysx_mphe(const int64_t codes[NYSX_MAX_NODES], int32_t nodes, int32_t hop, nysx_bin_t bins[NYSX_MAX_NODES])
{
    NYSX_ARRAY_PARTITION_MPH_WORDS
    NYSX_ARRAY_PARTITION_MPH_RANK
    NYSX_ARRAY_PARTITION_CODEBOOK_CODE
    NYSX_ARRAY_PARTITION_CODEBOOK_BIN
    NYSX_BIND_STORAGE_CODEBOOK_CODE
    NYSX_BIND_STORAGE_CODEBOOK_BIN
    int32_t levels = (int32_t)nysx_mph_levels[hop];
NYSX_LABEL(mphe_codes)
    for (int32_t first = 0; first < nodes; first += NYSX_MPHE_LOOKUPS) {
        struct sequence hashes[NYSX_MPHE_LOOKUPS];
        int32_t index[NYSX_MPHE_LOOKUPS];
        int64_t code[NYSX_MPHE_LOOKUPS];
    NYSX_LABEL(mphe_begin)
        for (int32_t l = 0; l < NYSX_MPHE_LOOKUPS; l++) {
            uint64_t seed = nysx_mph_seed[hop];
            code[l] = first + l < nodes ? codes[first + l] : 0;
            hashes[l].a = scramble((uint64_t)code[l] ^ seed);
            hashes[l].b = scramble((uint64_t)code[l] + UINT64_C(0x9e3779b97f4a7c15) + ~seed);
            hashes[l].drawn = 0;
            index[l] = -1;
        }
    NYSX_LABEL(mphe_probes)
        for (int32_t level = 0; level < levels; level++) {
            NYSX_PIPELINE_MPHE_PROBES
        NYSX_LABEL(mphe_lanes)
            for (int32_t l = 0; l < NYSX_MPHE_LOOKUPS; l++) {
                NYSX_UNROLL_MPHE_LANES
                if (first + l < nodes && index[l] < 0)
                    index[l] = probe(&hashes[l], hop, level);
            }
        }
    NYSX_LABEL(mphe_verify)
        for (int32_t l = 0; l < NYSX_MPHE_LOOKUPS; l++)
            if (first + l < nodes)
                bins[first + l] = index[l] >= 0 && (int64_t)nysx_codebook_code[index[l]] == code[l]
                                      ? nysx_codebook_bin[index[l]]
                                      : -1;
    }
}
