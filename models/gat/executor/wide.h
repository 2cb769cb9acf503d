/* Sums of the softmax, wider than a word. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* 192-bit whole numbers, the lowest word first: 2^(16 + 127) and a sum of 2^31 terms of 2^127 fit. */
struct gat_wide {
    uint64_t word[3];
};

static inline void gat_wide_add_power(struct gat_wide *sum, int power)
{
    uint64_t add = (uint64_t)1 << (power % 64);
    for (int i = power / 64; i < 3 && add != 0; i++) {
        sum->word[i] += add;
        add = sum->word[i] < add;
    }
}

static inline bool gat_wide_at_least(const struct gat_wide *a, const struct gat_wide *b)
{
    for (int i = 2; i > 0; i--)
        if (a->word[i] != b->word[i])
            return a->word[i] > b->word[i];
    return a->word[0] >= b->word[0];
}

static inline void gat_wide_subtract(struct gat_wide *a, const struct gat_wide *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t from = a->word[i], less = b->word[i];
        a->word[i] = from - less - borrow;
        borrow = from < less || (from == less && borrow);
    }
}

static inline void gat_wide_double(struct gat_wide *a)
{
    for (int i = 2; i > 0; i--)
        a->word[i] = a->word[i] << 1 | a->word[i - 1] >> 63;
    a->word[0] <<= 1;
}
