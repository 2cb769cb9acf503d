/* Sets of small numbers: bit i % 64 of word i / 64 represents the number i. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DSE_BITS_WORDS 8
#define DSE_BITS_MAX (64 * DSE_BITS_WORDS) /* upper bound, exclusive, of the numbers */

struct dse_bits {
    uint64_t word[DSE_BITS_WORDS];
};

/* Initialises a set of numbers below 64 from bits that are constant. */
#define DSE_BITS(bits) {{(bits)}}

#define DSE_BITS_EACH_WORD(w) for (size_t w = 0; w < DSE_BITS_WORDS; w++)

static inline bool dse_bits_has(struct dse_bits set, size_t number)
{
    return (set.word[number / 64] >> number % 64 & 1) != 0;
}

static inline void dse_bits_add(struct dse_bits *set, size_t number)
{
    set->word[number / 64] |= (uint64_t)1 << number % 64;
}

static inline void dse_bits_drop(struct dse_bits *set, size_t number)
{
    set->word[number / 64] &= ~((uint64_t)1 << number % 64);
}

static inline struct dse_bits dse_bits_one(size_t number)
{
    struct dse_bits set = {{0}};
    dse_bits_add(&set, number);
    return set;
}

static inline struct dse_bits dse_bits_all(void)
{
    struct dse_bits set;
    DSE_BITS_EACH_WORD(w)
        set.word[w] = ~(uint64_t)0;
    return set;
}

/* Union; intersection; difference. */
static inline struct dse_bits dse_bits_or(struct dse_bits a, struct dse_bits b)
{
    DSE_BITS_EACH_WORD(w)
        a.word[w] |= b.word[w];
    return a;
}

static inline struct dse_bits dse_bits_and(struct dse_bits a, struct dse_bits b)
{
    DSE_BITS_EACH_WORD(w)
        a.word[w] &= b.word[w];
    return a;
}

static inline struct dse_bits dse_bits_without(struct dse_bits a, struct dse_bits b)
{
    DSE_BITS_EACH_WORD(w)
        a.word[w] &= ~b.word[w];
    return a;
}

static inline bool dse_bits_any(struct dse_bits set)
{
    uint64_t any = 0;
    DSE_BITS_EACH_WORD(w)
        any |= set.word[w];
    return any != 0;
}

/* Whether two sets have a number in common; whether all numbers of the first are in the second; whether the sets are equal. */
static inline bool dse_bits_meet(struct dse_bits a, struct dse_bits b)
{
    return dse_bits_any(dse_bits_and(a, b));
}

static inline bool dse_bits_within(struct dse_bits a, struct dse_bits b)
{
    return !dse_bits_any(dse_bits_without(a, b));
}

static inline bool dse_bits_equal(struct dse_bits a, struct dse_bits b)
{
    return dse_bits_within(a, b) && dse_bits_within(b, a);
}

static inline size_t dse_bits_count(struct dse_bits set)
{
    size_t count = 0;
    DSE_BITS_EACH_WORD(w)
        count += (size_t)__builtin_popcountll(set.word[w]);
    return count;
}

/* The least number of the set that is at least `from`; DSE_BITS_MAX if there is none. */
static inline size_t dse_bits_next(struct dse_bits set, size_t from)
{
    for (size_t w = from / 64; w < DSE_BITS_WORDS; w++) {
        uint64_t word = w == from / 64 ? set.word[w] & ~(uint64_t)0 << from % 64 : set.word[w];
        if (word != 0)
            return 64 * w + (size_t)__builtin_ctzll(word);
    }
    return DSE_BITS_MAX;
}

/* Every number of a set, ascending. */
#define DSE_BITS_EACH(number, set) (size_t number = dse_bits_next((set), 0); number < DSE_BITS_MAX; number = dse_bits_next((set), number + 1))
