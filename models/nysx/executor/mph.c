#include "models/nysx/executor/mph.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define SEEDS 16

/* The hashes of one key, one per level. */
struct sequence {
    uint64_t a, b;
    size_t drawn;
};

/* The 64-bit finaliser of MurmurHash3 (Appleby): a bijection. */
static uint64_t scramble(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
}

static struct sequence begin(uint64_t seed, int64_t code)
{
    uint64_t key = (uint64_t)code;
    struct sequence hashes = {scramble(key ^ seed), scramble(key + 0x9e3779b97f4a7c15u + ~seed), 0};
    return hashes;
}

/* The first two are the seeded hashes, the rest xorshift128+ from them (Vigna, 2014), as in BBHash. */
static uint64_t next(struct sequence *hashes)
{
    size_t drawn = hashes->drawn++;
    if (drawn == 0)
        return hashes->a;
    if (drawn == 1)
        return hashes->b;
    uint64_t x = hashes->a, y = hashes->b;
    hashes->a = y;
    x ^= x << 23;
    hashes->b = x ^ y ^ (x >> 17) ^ (y >> 26);
    return hashes->b + y;
}

/* Reduces a hash to [0, bits) by the high half of a product. This is as even as a remainder (Lemire, 2016), for which hardware needs
 * 66 cycles. */
static uint64_t range(uint64_t hash, size_t bits)
{
    return (hash >> 32) * (uint64_t)bits >> 32;
}

/* Population count, inline: without the instruction the compiler would call a function. */
static uint32_t ones_of(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (uint32_t)((((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u) >> 56);
}

/* One level of the construction. */
struct building {
    uint64_t *once, *twice; /* positions hit once or more, and hit twice or more */
    size_t capacity;        /* in words */
};

static void reserve(struct nysx_mph *mph, struct building *level, size_t words)
{
    mph->words = dse_realloc(mph->words, (mph->level_begin[mph->levels] + words) * sizeof *mph->words);
    if (words > level->capacity) {
        free(level->once);
        level->once = dse_malloc(2 * words * sizeof *level->once);
        level->capacity = words;
    }
    level->twice = level->once + words;
    memset(level->once, 0, 2 * words * sizeof *level->once);
}

/* Places keys that have no conflict; keeps the others, in order, at the front, and counts them in `left`. */
static void add_level(struct nysx_mph *mph, int64_t *keys, struct sequence *hashes, size_t *left, struct building *level)
{
    size_t words = (size_t)ceil(mph->gamma * (double)*left / 64.0);
    reserve(mph, level, words);
    size_t bits = words * 64, kept = 0;
    for (size_t i = 0; i < *left; i++) {
        struct sequence probe = hashes[i];
        uint64_t position = range(next(&probe), bits), bit = (uint64_t)1 << (position % 64);
        level->twice[position / 64] |= level->once[position / 64] & bit;
        level->once[position / 64] |= bit;
    }
    for (size_t i = 0; i < *left; i++) {
        uint64_t position = range(next(&hashes[i]), bits);
        if (level->twice[position / 64] >> (position % 64) & 1) {
            keys[kept] = keys[i];
            hashes[kept++] = hashes[i];
        }
    }
    uint64_t *out = mph->words + mph->level_begin[mph->levels];
    for (size_t w = 0; w < words; w++)
        out[w] = level->once[w] & ~level->twice[w];
    mph->level_begin[mph->levels + 1] = mph->level_begin[mph->levels] + words;
    mph->levels++;
    *left = kept;
}

/* Builds all levels with one seed; returns whether they suffice. */
static bool build_levels(struct nysx_mph *mph, const int64_t *keys, size_t count)
{
    struct building level = {0};
    int64_t *left_keys = dse_malloc((count + 1) * sizeof *left_keys);
    struct sequence *hashes = dse_malloc((count + 1) * sizeof *hashes);
    size_t left = count;
    for (size_t i = 0; i < count; i++) {
        left_keys[i] = keys[i];
        hashes[i] = begin(mph->seed, keys[i]);
    }
    mph->levels = 0;
    while (left > 0 && mph->levels < NYSX_MPH_MAX_LEVELS)
        add_level(mph, left_keys, hashes, &left, &level);
    free(level.once);
    free(left_keys);
    free(hashes);
    return left == 0;
}

/* Rank vectors, then the codebook store in the order of the indices. */
static void fill_store(struct nysx_mph *mph, const int64_t *keys)
{
    size_t words = mph->level_begin[mph->levels];
    mph->rank = dse_malloc((words + 1) * sizeof *mph->rank);
    mph->entry = dse_malloc((mph->key_count + 1) * sizeof *mph->entry);
    uint32_t ones = 0;
    for (size_t w = 0; w < words; w++) {
        mph->rank[w] = ones;
        ones += ones_of(mph->words[w]);
    }
    for (size_t i = 0; i < mph->key_count; i++) {
        int64_t index = nysx_mph_index(mph, keys[i], NULL);
        mph->entry[index] = (struct nysx_mph_entry){keys[i], (int32_t)i};
    }
}

enum dse_status nysx_mph_build(const int64_t *keys, size_t count, double gamma, struct nysx_mph *out,
                               struct dse_error *err)
{
    *out = (struct nysx_mph){.gamma = gamma, .key_count = count};
    if (count > INT32_MAX)
        return dse_fail(err, DSE_LIMIT, "a codebook of %zu codes is too large", count);
    bool done = false;
    for (uint64_t seed = 0; !done && seed < SEEDS; seed++) {
        out->seed = scramble(seed + 1);
        done = build_levels(out, keys, count);
    }
    if (!done) {
        nysx_mph_free(out);
        return dse_fail(err, DSE_LIMIT, "no minimal perfect hash in %d levels", NYSX_MPH_MAX_LEVELS);
    }
    fill_store(out, keys);
    return DSE_OK;
}

void nysx_mph_free(struct nysx_mph *mph)
{
    free(mph->words);
    free(mph->rank);
    free(mph->entry);
    *mph = (struct nysx_mph){0};
}

int64_t nysx_mph_index(const struct nysx_mph *mph, int64_t code, size_t *probes)
{
    struct sequence hashes = begin(mph->seed, code);
    for (size_t l = 0; l < mph->levels; l++) {
        size_t first = mph->level_begin[l];
        uint64_t position = range(next(&hashes), (mph->level_begin[l + 1] - first) * 64);
        uint64_t word = mph->words[first + position / 64];
        if (probes != NULL)
            ++*probes;
        if (word >> (position % 64) & 1) {
            uint64_t below = word & (((uint64_t)1 << (position % 64)) - 1);
            return (int64_t)mph->rank[first + position / 64] + ones_of(below);
        }
    }
    return -1;
}

int32_t nysx_mph_find(const struct nysx_mph *mph, int64_t code, size_t *probes)
{
    int64_t index = nysx_mph_index(mph, code, probes);
    return index >= 0 && mph->entry[index].code == code ? mph->entry[index].bin : -1;
}

size_t nysx_mph_trace(const struct nysx_mph *mph, int64_t code, size_t word[NYSX_MPH_MAX_LEVELS], int64_t *index)
{
    struct sequence hashes = begin(mph->seed, code);
    size_t probes = 0;
    *index = nysx_mph_index(mph, code, &probes);
    for (size_t l = 0; l < probes; l++) {
        size_t first = mph->level_begin[l];
        word[l] = first + range(next(&hashes), (mph->level_begin[l + 1] - first) * 64) / 64;
    }
    return probes;
}

size_t nysx_mph_bits(const struct nysx_mph *mph)
{
    return mph->level_begin[mph->levels] * 64;
}
