/* Node features for the LSHU: F = [one-hot label | attributes], never stored densely. With features=cores a node's label is a pair: its own label and
 * its degree in the 2-core. The 2-core is the largest part of the graph in which every node has at least two neighbours. The pair distinguishes rings, and paths
 * between them, from trees that hang from them. Colours of few hops do not. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "datasets/graphset.h"
#include "models/nysx/executor/parameters.h"

/* Meaning of F's columns, fixed by training. Owns label_values. */
struct nysx_columns {
    enum nysx_feature_kind kind;
    int64_t *label_values;  /* [labels] ascending, of labels or pairs; NULL if there are no label columns */
    size_t labels;          /* one-hot columns, first */
    size_t attributes;      /* numeric columns, after them */
};

/* The value of a pair is label × NYSX_CORE_DEGREES + degree; larger degrees count as the last. */
#define NYSX_CORE_DEGREES 16

static inline bool nysx_reads_labels(enum nysx_feature_kind kind)
{
    return kind != NYSX_ATTRIBUTES;
}

static inline bool nysx_reads_attributes(enum nysx_feature_kind kind)
{
    return kind == NYSX_ATTRIBUTES || kind == NYSX_BOTH;
}

/* Whether the labels, in ascending order, are near enough to each other for pairs with degrees. */
bool nysx_labels_near(const struct dse_graph_set *set);

/* DSE_BAD_USAGE if the set lacks labels or attributes, or has labels too far from each other for pairs. */
enum dse_status nysx_columns_check(const struct dse_graph_set *set, enum nysx_feature_kind kind, struct dse_error *err);

/* Checks and returns the columns for training on `set`. */
enum dse_status nysx_columns_make(const struct dse_graph_set *set, enum nysx_feature_kind kind,
                                  struct nysx_columns *out, struct dse_error *err);
void nysx_columns_free(struct nysx_columns *columns);

/* Features of a whole set in the order of given columns. Borrows the set. */
struct nysx_features {
    const struct dse_graph_set *set;
    int32_t *column;    /* [nodes] one-hot column per node, −1 for a label not seen in training;
                         * NULL if there are no label columns */
    float *attribute;   /* [nodes × attributes]; NULL without */
    size_t attributes;
};

/* DSE_BAD_USAGE if the set lacks labels or attributes that the columns need. O(nodes × columns). */
enum dse_status nysx_features_make(const struct dse_graph_set *set, const struct nysx_columns *columns,
                                   struct nysx_features *out, struct dse_error *err);
void nysx_features_free(struct nysx_features *features);

/* One graph: A in CSR and F. */
struct nysx_query {
    size_t nodes;
    const size_t *row_begin;  /* [nodes + 1], offsets into `neighbour` */
    const int32_t *neighbour;
    const int32_t *column;    /* [nodes], or NULL */
    const float *attribute;   /* [nodes × attributes], or NULL */
    size_t attributes;
};

static inline struct nysx_query nysx_query_at(const struct nysx_features *features, size_t graph)
{
    size_t first = features->set->graph_begin[graph];
    return (struct nysx_query){
        .nodes = dse_graph_nodes(features->set, graph),
        .row_begin = features->set->row_begin + first,
        .neighbour = features->set->column,
        .column = features->column != NULL ? features->column + first : NULL,
        .attribute = features->attribute != NULL ? features->attribute + first * features->attributes : NULL,
        .attributes = features->attributes,
    };
}

/* Number of nodes of the set's largest graph. */
size_t nysx_largest_graph(const struct dse_graph_set *set);
