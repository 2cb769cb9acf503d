#include "datasets/numbering.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"

static void grow(struct dse_numbering *n)
{
    size_t capacity = n->capacity > 0 ? 2 * n->capacity : 64, slots = 4 * capacity;
    n->words = dse_realloc_array(n->words, capacity, sizeof *n->words);
    n->hash = dse_realloc_array(n->hash, capacity, sizeof *n->hash);
    int32_t *slot = dse_malloc(slots * sizeof *slot);
    memset(slot, 0xFF, slots * sizeof *slot);
    for (size_t i = 0; i < n->count; i++) {
        size_t at = n->hash[i] & (slots - 1);
        while (slot[at] >= 0)
            at = (at + 1) & (slots - 1);
        slot[at] = (int32_t)i;
    }
    free(n->slot);
    n->slot = slot;
    n->capacity = capacity;
    n->slots = slots;
}

static uint32_t hash_of(struct dse_word word)
{
    return (uint32_t)XXH3_64bits(word.start, word.length);
}

/* The slot of a word: the one with its number, or the free one for it. The table has slots. */
static size_t slot_of(const struct dse_numbering *n, struct dse_word word, uint32_t hash)
{
    size_t at = hash & (n->slots - 1);
    for (; n->slot[at] >= 0; at = (at + 1) & (n->slots - 1)) {
        int32_t number = n->slot[at];
        const struct dse_word *other = &n->words[number];
        if (n->hash[number] == hash && other->length == word.length && memcmp(other->start, word.start, word.length) == 0)
            break;
    }
    return at;
}

int32_t dse_numbering_find(const struct dse_numbering *n, struct dse_word word)
{
    return n->slots == 0 ? -1 : n->slot[slot_of(n, word, hash_of(word))];
}

enum dse_status dse_numbering_add(struct dse_numbering *n, struct dse_word word, int32_t *number, bool *known,
                                  struct dse_error *err)
{
    if (n->count == n->capacity)
        grow(n);
    uint32_t hash = hash_of(word);
    size_t at = slot_of(n, word, hash);
    *known = n->slot[at] >= 0;
    if (!*known && n->count == INT32_MAX)
        return dse_fail(err, DSE_LIMIT, "more than %d different names", INT32_MAX);
    if (!*known) {
        n->slot[at] = (int32_t)n->count;
        n->hash[n->count] = hash;
        n->words[n->count++] = word;
    }
    *number = n->slot[at];
    return DSE_OK;
}

void dse_numbering_free(struct dse_numbering *n)
{
    free(n->words);
    free(n->hash);
    free(n->slot);
    *n = (struct dse_numbering){0};
}
