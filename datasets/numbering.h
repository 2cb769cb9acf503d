/* Words of a text, numbered in order of appearance. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* A piece of a text, not ended by NUL. */
struct dse_word {
    const char *start;
    size_t length;
};

/* Open addressing with linear probing. Empty when zeroed. The words stay in their texts, which must outlive it. */
struct dse_numbering {
    struct dse_word *words; /* [capacity] by number */
    uint32_t *hash;         /* [capacity] of each word, compared before its letters */
    int32_t *slot;          /* [slots] a number or −1 */
    size_t count, capacity, slots;
};

/* The number of a word, or −1. O(1) on average. */
int32_t dse_numbering_find(const struct dse_numbering *numbering, struct dse_word word);

/* Gives a word its number; `known` says whether it had one. DSE_LIMIT if the numbers of an int32_t are used up. */
enum dse_status dse_numbering_add(struct dse_numbering *numbering, struct dse_word word, int32_t *number, bool *known,
                                  struct dse_error *err);

void dse_numbering_free(struct dse_numbering *numbering);
