/* One graph whose nodes have features and a class: a citation network, as LINQS distributes them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "datasets/bundle.h"

/* Nodes keep the order of NAME.content. Features are sparse rows, citations an undirected graph without self loops. */
struct dse_node_graph {
    char *name;                      /* "cora" */
    size_t node_count, feature_count, class_count;
    size_t *feature_begin;           /* [node_count + 1] */
    int32_t *feature_column;         /* [feature_begin[node_count]] ascending in a row */
    double *feature_value;           /* never 0 */
    size_t *row_begin;               /* [node_count + 1] */
    int32_t *neighbour;              /* [arc_count] ascending in a row; each citation is in both rows, once */
    size_t arc_count;
    int32_t *label;                  /* [node_count] 0 … class_count−1 */
    char **class_name;               /* [class_count] in order of appearance */
    size_t citations;                /* lines of NAME.cites */
    size_t self_citations;           /* left out */
    size_t unknown_citations;        /* left out: one end is no node */
    size_t repeated_citations;       /* left out: repeats of an earlier one, in either direction */
    uint64_t hash;                   /* XXH3 of the kept content, without the name */
};

/* Reads `NAME.content` (a line per node: id, features, class) and `NAME.cites` (a line per citation: cited id, citing id). Fields are separated by
 * tabs or blanks; lines end in LF or CRLF. Ids and classes are any texts. DSE_BAD_INPUT with file and line for: a row of another width than the
 * first, a repeated id, a feature that is no finite number, a citation without exactly two ids, an empty line before the end, an empty file. O(bytes
 * + arcs log arcs). */
enum dse_status dse_node_graph_parse(const char *name, const struct dse_text *content, const struct dse_text *cites,
                                     struct dse_node_graph **out, struct dse_error *err);

void dse_node_graph_free(struct dse_node_graph *graph);
