/* The accelerator's task: it classifies graphs by its engines' results (models/smgpu/microarchitecture.md).
 *
 * A graph becomes tokens, pairs of rows of a codebook of random hypervectors. Tokens are nodes (label, heat), edges (the labels at both
 * ends), ends of components (role, level) and patterns (role, number of matches). The graph's hypervector is the majority of
 * row ⊕ permuted row over its tokens. */
#pragma once

#include "core/arena.h"
#include "datasets/graphset.h"
#include "models/smgpu/executor/operations.h"
#include "models/smgpu/executor/rewrite.h"
#include "models/smgpu/executor/spectral.h"
#include "models/smgpu/knobs.h"

#define SMGPU_PATTERNS 4
#define SMGPU_COUNT_WEIGHT 3     /* copies of a pattern's token */
#define SMGPU_MATCHES_MOST 256   /* upper bound of the search, per pattern */
#define SMGPU_DEGREES 16         /* replace labels if a set has none; the last stands for all larger degrees */
#define SMGPU_ARCS_A_NODE 16     /* MAX_NNZ by MAX_NODES */

/* The parsed setting of a training run. */
struct smgpu_setting {
    size_t dim, words, entries, reduced, nodes, order, levels, epochs;
    double time;
    int fraction;
    bool spectral, edges, topology, rewriting;
    enum smgpu_recall_by recall;
};

enum dse_status smgpu_setting_parse(const struct dse_setting *words, struct smgpu_setting *out, struct dse_error *err);

/* Rows of the codebook: labels, levels of heat, levels of ends, levels of counts, roles of patterns, the role of ends. */
struct smgpu_book {
    size_t labels, levels;
};
static inline size_t smgpu_book_rows(const struct smgpu_book *book)
{
    return book->labels + 3 * book->levels + SMGPU_PATTERNS + 1;
}

/* A graph in the engines' format. Arrays are malloc'd; free with smgpu_item_free(). */
struct smgpu_item {
    struct dse_arena arena;
    struct smgpu_matrix adjacency; /* 1 as a fixed-point number */
    int32_t *edge;                 /* [edges × 3] u, v > u, and the larger of their degrees; ascending */
    int32_t *pair;                 /* [edges × 2] u and v alone */
    int32_t *node;                 /* [nodes] 0 … nodes − 1 */
    int32_t *ones;                 /* [nodes] 1 as a fixed-point number */
    int32_t *label;                /* [nodes] row of the codebook, −1 if the model lacks the label */
    size_t nodes, edges;
};

/* DSE_BAD_USAGE for a graph with more nodes or arcs than the machine holds. `label_of` maps the set's labels to the model's (NULL: the
 * set's own). */
enum dse_status smgpu_item_make(const struct smgpu_setting *setting, const struct dse_graph_set *set, size_t graph, const int32_t *label_of,
                                struct smgpu_item *out, struct dse_error *err);
void smgpu_item_free(struct smgpu_item *item);

/* The heat of each node: exp(−time·L) over 1. heat: [nodes]. */
void smgpu_item_heat(const struct smgpu_setting *setting, const struct smgpu_item *item, int32_t *heat);

/* Findings of the engines in a graph; arrays borrowed. */
struct smgpu_found {
    const int32_t *heat;           /* [nodes], if `spectral` */
    const int32_t *death;          /* [deaths × stride] ends of components, if `topology` */
    size_t deaths, stride;
    size_t matches[SMGPU_PATTERNS];
};

/* Pairs of rows; malloc'd. Nodes and edges with an unknown label give none. */
struct smgpu_tokens {
    int32_t *first, *second; /* [count] */
    size_t count;
};
void smgpu_tokens_make(const struct smgpu_setting *setting, const struct smgpu_book *book, const struct smgpu_item *item,
                       const struct smgpu_found *found, const int32_t *cut, struct smgpu_tokens *out);
void smgpu_tokens_free(struct smgpu_tokens *tokens);

/* The patterns: rings of three to six. */
const struct smgpu_graph *smgpu_pattern(size_t index);

/* Workload of a graph, for its profile. */
struct smgpu_counts {
    uint64_t nodes, arcs, edges, tokens, finds, tries, matches;
};

/* All steps at once: the hypervector [words] of a graph, by the engines' own functions. `counts` may be NULL. */
enum dse_status smgpu_item_encode(const struct smgpu_setting *setting, const struct smgpu_book *book, const uint32_t *rows, const int32_t *cut,
                                  const struct smgpu_item *item, uint32_t *out, struct smgpu_counts *counts, struct dse_error *err);
