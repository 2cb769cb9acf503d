/* A knowledge graph as triples (head, relation, tail), and its reader. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "datasets/bundle.h"

enum dse_triple_part { DSE_TRAIN_PART, DSE_VALID_PART, DSE_TEST_PART, DSE_TRIPLE_PARTS };

struct dse_triple {
    int32_t head, relation, tail;
};

/* Names in one piece of memory, each followed by a NUL. */
struct dse_triple_names {
    char *text;
    size_t *at; /* [count + 1] where each begins */
    size_t count;
};

static inline const char *dse_triple_name(const struct dse_triple_names *names, size_t index)
{
    return names->text + names->at[index];
}

struct dse_triple_set {
    struct dse_triple_names entity, relation; /* by first appearance: train, valid, test; head before tail */
    struct dse_triple *triple;                /* every line of every part, in their order */
    size_t begin[DSE_TRIPLE_PARTS + 1];       /* first triple of each part */
    size_t dropped;                           /* entities that dse_triple_set_keep() left out */
    uint64_t hash;                            /* hash of names and triples, independent of the packing and the line ends */
};

static inline size_t dse_triple_count(const struct dse_triple_set *set, enum dse_triple_part part)
{
    return set->begin[part + 1] - set->begin[part];
}

/* A line per triple: head, tab, relation, tab, tail. Lines end in LF or CRLF; a byte order mark and a last line end are optional; empty lines only at
 * the end. A text without data is a missing part. DSE_BAD_INPUT with file and line for: a line without three fields, an empty field, a name that is
 * no UTF-8 or holds a NUL, an empty first part. DSE_LIMIT for more names than an int32_t counts. O(bytes). */
enum dse_status dse_triple_set_parse(const struct dse_text parts[DSE_TRIPLE_PARTS], struct dse_triple_set **out, struct dse_error *err);

/* Keeps the `keep` most frequent entities of the first part (among equals those of smaller id). The triples among them and the relations of those
 * stay too, in their old order. DSE_BAD_INPUT if no triple of the first part is left. O(all). */
enum dse_status dse_triple_set_keep(struct dse_triple_set *set, size_t keep, struct dse_error *err);

void dse_triple_set_free(struct dse_triple_set *set);

/* By head, relation, tail. */
int dse_by_triple(const void *left, const void *right);
