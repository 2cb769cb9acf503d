/* SPDX-License-Identifier: MIT */ /* Query packing for the kernel's port, and test graphs. */
#include "nysx_pack.h"

#include <string.h>

#if NYSX_FEATURES == NYSX_FEATURES_CORES
#include "nysx_cores.h"
#include "nysx_label_columns.h"
#endif

#define WORD_BYTES (NYSX_QUERY_PORT_BITS / 8)
#define FEATURE_BYTES sizeof(nysx_feature_t)
#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
#define KERNEL_ELEMENTS 0
#else
#define KERNEL_ELEMENTS NYSX_LANDMARKS
#endif
#define HYPERVECTOR_WORDS ((NYSX_DIM + 63) / 64 * 2)

/* Writes elements of `bytes` each from a new word on; returns the word after them. */
static size_t put(unsigned char *buffer, size_t word, const uint32_t *elements, size_t count, size_t bytes)
{
    unsigned char *out = buffer + word * WORD_BYTES;
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < bytes; b++)
            *out++ = (unsigned char)(elements[i] >> (8 * b) & 255u);
    size_t words = (count * bytes + WORD_BYTES - 1) / WORD_BYTES;
    memset(out, 0, words * WORD_BYTES - count * bytes);
    return word + words;
}

/* Detects queries that the kernel would reject or that would overrun these arrays. */
static int32_t rejection_of(const struct nysx_pack_query *query)
{
    if (query->nodes > NYSX_MAX_NODES)
        return NYSX_PACK_NODES;
    if (query->nonzeros > NYSX_MAX_NNZ)
        return NYSX_PACK_NONZEROS;
    int32_t bad = query->row_begin[0] != 0 || query->row_begin[query->nodes] != query->nonzeros;
    for (uint32_t v = 0; v < query->nodes; v++)
        bad |= query->row_begin[v + 1] < query->row_begin[v];
    for (uint32_t k = 0; !bad && k < query->nonzeros; k++)
        bad |= query->column[k] >= query->nodes;
    return bad ? NYSX_PACK_GRAPH : 0;
}

#if NYSX_HOPS > 1 && NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PS
/* The processor's part: orders rows by ascending length, with a counting sort. */
static void make_order(const struct nysx_pack_query *query, uint32_t *order, uint32_t *begin)
{
    memset(begin, 0, ((size_t)query->nonzeros + 2) * sizeof *begin);
    for (uint32_t v = 0; v < query->nodes; v++)
        begin[query->row_begin[v + 1] - query->row_begin[v] + 1]++;
    for (uint32_t length = 0; length < query->nonzeros; length++)
        begin[length + 1] += begin[length];
    for (uint32_t v = 0; v < query->nodes; v++)
        order[begin[query->row_begin[v + 1] - query->row_begin[v]]++] = v;
}
#endif

int32_t nysx_pack(const struct nysx_pack_query *query, uint32_t scratch[NYSX_PACK_SCRATCH], void *buffer)
{
    unsigned char *bytes = (unsigned char *)buffer;
    int32_t rejected = rejection_of(query);
    if (rejected != 0)
        return rejected;
    size_t word = put(bytes, 0, query->row_begin, (size_t)query->nodes + 1, NYSX_INDEX_BITS / 8);
    word = put(bytes, word, query->column, query->nonzeros, NYSX_INDEX_BITS / 8);
#if NYSX_HOPS > 1 && NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PS
    make_order(query, scratch, scratch + NYSX_MAX_NODES + 1);
    word = put(bytes, word, scratch, query->nodes, NYSX_INDEX_BITS / 8);
#endif
    const uint32_t *feature = query->feature;
#if NYSX_FEATURES == NYSX_FEATURES_CORES
    nysx_core_columns(query->nodes, query->row_begin, query->column, feature, nysx_label_columns, NYSX_FEATURE_COLUMNS, scratch, scratch + NYSX_MAX_NODES);
    feature = scratch;
#endif
    (void)scratch;
    word = put(bytes, word, feature, (size_t)query->nodes * NYSX_PACK_FEATURES, FEATURE_BYTES);
    return (int32_t)(word * WORD_BYTES);
}

const uint32_t *nysx_case_read(const uint32_t *at, const uint32_t *end, struct nysx_case *out)
{
    size_t left = (size_t)(end - at), fixed = 2 + 1 + KERNEL_ELEMENTS + HYPERVECTOR_WORDS + 2;
    if (left < fixed)
        return NULL;
    struct nysx_pack_query *query = &out->query;
    query->nodes = at[0];
    query->nonzeros = at[1];
    size_t arrays = (size_t)query->nodes + 1 + query->nonzeros + (size_t)query->nodes * NYSX_PACK_FEATURES;
    if (left - fixed < arrays)
        return NULL;
    query->row_begin = at + 2;
    query->column = query->row_begin + query->nodes + 1;
    query->feature = query->column + query->nonzeros;
    const uint32_t *expected = at + 2 + arrays;
    out->expected = (int32_t)expected[0];
    out->kernel = expected + 1;
    out->hypervector = out->kernel + KERNEL_ELEMENTS;
    out->counts = out->hypervector + HYPERVECTOR_WORDS;
    return out->counts + 2;
}

#define LINE_WORDS 16 /* table of the image: 64 bytes per array */
#define PLACE_LOADED 1

static size_t number_of(const uint32_t *words)
{
    return (size_t)((uint64_t)words[0] | (uint64_t)words[1] << 32);
}

/* The line of the image's table for an array, or, without a name, for the first loaded array. NULL if there is
 * none or it exceeds the image. */
static const uint32_t *line_of(const uint32_t *image, size_t words, const char *name)
{
    if (words < LINE_WORDS || memcmp(image, "dse-pack", 8) != 0 || image[2] != 1)
        return NULL;
    for (size_t a = 1; a <= image[4] && (a + 1) * LINE_WORDS <= words; a++) {
        const uint32_t *line = image + a * LINE_WORDS;
        if (name != NULL ? strncmp((const char *)line, name, 24) != 0 : line[7] != PLACE_LOADED)
            continue;
        return number_of(line + 12) <= words * 4 && number_of(line + 14) <= words * 4 - number_of(line + 12) ? line : NULL;
    }
    return NULL;
}

int32_t nysx_image_parts(const uint32_t *image, size_t words, struct nysx_part *out)
{
    int32_t count = 0;
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    static const char *const names[] = {NYSX_NAMES_P};
    const uint32_t *p = line_of(image, words, "p");
    const size_t bytes = (size_t)NYSX_P_PORT_WORDS * sizeof(nysx_p_word_t);
    if (p == NULL || number_of(p + 14) < bytes * NYSX_NEE_PORTS)
        return -1;
    for (size_t i = 0; i < NYSX_NEE_PORTS; i++) {
        out[count].argument = names[i];
        out[count].offset = number_of(p + 12) + i * bytes;
        out[count++].bytes = bytes;
    }
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    const uint32_t *h = line_of(image, words, "h");
    if (h == NULL || number_of(h + 14) < (size_t)NYSX_H_WORDS * sizeof(nysx_h_word_t))
        return -1;
    out[count].argument = "h";
    out[count].offset = number_of(h + 12);
    out[count++].bytes = number_of(h + 14);
#endif
    (void)out;
    return line_of(image, words, "prototypes") != NULL ? count : -1;
}

int32_t nysx_image_load(const uint32_t *image, size_t words, struct nysx_part *out)
{
    const uint32_t *first = line_of(image, words, NULL);
    if (!NYSX_LOADS_TABLES)
        return 0;
    if (first == NULL)
        return -1;
    out->argument = "query";
    out->offset = number_of(first + 12); /* loaded arrays come last, contiguously */
    out->bytes = words * 4 - out->offset;
    return 1;
}

size_t nysx_part_count(void)
{
    return NYSX_PARTS;
}

size_t nysx_query_bytes(void)
{
    return NYSX_QUERY_BYTES;
}

size_t nysx_pack_scratch(void)
{
    return NYSX_PACK_SCRATCH;
}

size_t nysx_ring_slots(void)
{
#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
    return 0;
#else
    return NYSX_RING_SLOTS;
#endif
}

int32_t nysx_pack_arrays(uint32_t nodes, uint32_t nonzeros, const uint32_t *row_begin, const uint32_t *column,
                         const uint32_t *feature, uint32_t *scratch, void *buffer)
{
    struct nysx_pack_query query;
    query.nodes = nodes;
    query.nonzeros = nonzeros;
    query.row_begin = row_begin;
    query.column = column;
    query.feature = feature;
    return nysx_pack(&query, scratch, buffer);
}
