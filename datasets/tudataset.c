#include "datasets/tudataset.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/arcs.h"
#include "datasets/assembly.h"
#include "datasets/scan.h"

const char *const dse_tudataset_suffixes[DSE_TUDATASET_PARTS] = {
    "A.txt", "graph_indicator.txt", "graph_labels.txt", "node_labels.txt", "node_attributes.txt", "edge_labels.txt"};

/* Shared by the functions below. */
struct reader {
    const struct dse_text *parts;
    struct dse_graph_set *set;
    int32_t *graph_of; /* [node_count] */
    struct dse_error *err;
};

/* A whole number with nothing else on its line. */
static enum dse_status take_lone_whole(struct dse_scan *scan, const char *what, int64_t *value,
                                       struct dse_error *err)
{
    size_t digits = strspn(scan->at, "+-0123456789");
    bool real = digits > 15 && scan->at[digits] == '.';
    if (!dse_scan_whole(scan, value))
        return dse_scan_reject(scan, err, "must be one whole number%s, the %s",
                               real ? ", with a point below 2^53" : digits > 18 ? " of at most 18 digits" : "", what);
    if (dse_scan_at_line_end(scan))
        return DSE_OK;
    return dse_scan_reject(scan, err, *scan->at == ',' ? "must be one whole number, the %s: several columns are "
                                                         "not supported"
                                                       : "must be one whole number, the %s",
                           what);
}

/* Rejects a graph number that is neither the previous one nor the next. */
static enum dse_status check_order(struct dse_scan *scan, int64_t graph, size_t graphs, struct dse_error *err)
{
    if (graphs == 0 && graph != 1)
        return dse_scan_reject(scan, err, "the first node must be of graph 1");
    if (graph == (int64_t)graphs || graph == (int64_t)graphs + 1)
        return DSE_OK;
    return dse_scan_reject(scan, err, "graph %lld after graph %zu: must be %zu or %zu (graphs are in order, each "
                           "with at least one node)", (long long)graph, graphs, graphs, graphs + 1);
}

static enum dse_status read_indicator(struct reader *reader)
{
    const struct dse_text *text = &reader->parts[DSE_TUDATASET_INDICATOR];
    struct dse_graph_set *set = reader->set;
    size_t lines = dse_scan_count_lines(text);
    if (lines > INT32_MAX)
        return dse_fail(reader->err, DSE_BAD_INPUT, "%s: more than %d nodes", text->name, INT32_MAX);
    reader->graph_of = dse_malloc(lines * sizeof *reader->graph_of);
    set->graph_begin = dse_malloc((lines + 1) * sizeof *set->graph_begin);
    struct dse_scan scan = dse_scan_begin(text);
    bool more = true;
    enum dse_status status;
    size_t graphs = 0, nodes = 0;
    while ((status = dse_scan_next_line(&scan, &more, reader->err)) == DSE_OK && more) {
        int64_t graph = 0;
        DSE_TRY(take_lone_whole(&scan, "number of the node's graph", &graph, reader->err));
        DSE_TRY(check_order(&scan, graph, graphs, reader->err));
        if (graph > (int64_t)graphs)
            set->graph_begin[graphs++] = nodes;
        reader->graph_of[nodes++] = (int32_t)(graph - 1);
    }
    if (status == DSE_OK && nodes == 0)
        status = dse_fail(reader->err, DSE_BAD_INPUT, "%s: holds no node", text->name);
    set->graph_begin[graphs] = nodes;
    set->graph_count = graphs;
    set->node_count = nodes;
    return status;
}

/* Checks that a file has one line for each of `expected` things; `scan` is after line `count`. */
static enum dse_status check_count(const struct dse_scan *scan, size_t count, size_t expected, bool more,
                                   const char *things, struct dse_error *err)
{
    if (more && count == expected)
        return dse_scan_reject(scan, err, "one line too many: the data set has %zu %s", expected, things);
    if (!more && count < expected)
        return dse_fail_at(err, DSE_BAD_INPUT, scan->text->name, scan->line,
                           "ends after %zu lines: the data set has %zu %s", count, expected, things);
    return DSE_OK;
}

/* One whole number for each of `expected` things ("nodes", "graphs"). */
static enum dse_status read_column(const struct dse_text *text, size_t expected, const char *things,
                                   const char *what, int64_t *values, struct dse_error *err)
{
    struct dse_scan scan = dse_scan_begin(text);
    for (size_t count = 0;; count++) {
        bool more;
        DSE_TRY(dse_scan_next_line(&scan, &more, err));
        DSE_TRY(check_count(&scan, count, expected, more, things, err));
        if (!more)
            return DSE_OK;
        DSE_TRY(take_lone_whole(&scan, what, &values[count], err));
    }
}

static enum dse_status read_labels(const struct dse_text *text, size_t expected, const char *things,
                                   const char *what, struct dse_labels *labels, struct dse_error *err)
{
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc(expected * sizeof *values);
    DSE_TRY(read_column(text, expected, things, what, values, err));
    dse_labels_make(values, expected, labels);
    return DSE_OK;
}

static enum dse_status read_all_labels(struct reader *reader)
{
    struct dse_labels labels;
    struct dse_graph_set *set = reader->set;
    const struct dse_text *nodes = &reader->parts[DSE_TUDATASET_NODE_LABELS];
    DSE_TRY(read_labels(&reader->parts[DSE_TUDATASET_GRAPH_LABELS], set->graph_count, "graphs", "graph's class", &labels, reader->err));
    dse_graph_set_label_graphs(set, labels);
    if (nodes->data == NULL)
        return DSE_OK;
    DSE_TRY(read_labels(nodes, set->node_count, "nodes", "node's label", &labels, reader->err));
    dse_graph_set_label_nodes(set, labels);
    return DSE_OK;
}

/* The number of attributes in the first line; a superfluous comma is found when the line is read. */
static size_t count_columns(const struct dse_text *text)
{
    size_t columns = 1;
    for (const char *at = text->data; *at != '\0' && *at != '\n'; at++)
        columns += *at == ',';
    return columns;
}

/* `columns` numbers with commas between them. */
static enum dse_status take_row(struct dse_scan *scan, double *row, size_t columns, struct dse_error *err)
{
    for (size_t i = 0; i < columns; i++) {
        if (!dse_scan_real(scan, &row[i]))
            return dse_scan_reject(scan, err, "attribute %zu must be a finite decimal number", i + 1);
        bool last = dse_scan_at_line_end(scan);
        if (last && i + 1 < columns)
            return dse_scan_reject(scan, err, "has %zu attributes, the first node has %zu", i + 1, columns);
        if (!last && !dse_scan_comma(scan))
            return dse_scan_reject(scan, err, "a comma is missing after attribute %zu", i + 1);
        if (!last && i + 1 == columns)
            return dse_scan_reject(scan, err, "has more attributes than the %zu of the first node", columns);
    }
    return DSE_OK;
}

static enum dse_status read_attributes(struct reader *reader)
{
    const struct dse_text *text = &reader->parts[DSE_TUDATASET_NODE_ATTRIBUTES];
    struct dse_graph_set *set = reader->set;
    if (text->data == NULL)
        return DSE_OK;
    size_t columns = count_columns(text), lines = dse_scan_count_lines(text);
    size_t rows = lines < set->node_count ? lines : set->node_count;
    /* An attribute takes at least two bytes: a wide first line above short ones cannot ask for unlimited memory. */
    if (columns > 64 && columns > text->size / 2 / rows + 1)
        return dse_fail_at(reader->err, DSE_BAD_INPUT, text->name, 1,
                           "%zu attributes per line are more than the file can hold", columns);
    set->attribute_count = columns;
    set->node_attribute = dse_calloc(rows, columns * sizeof *set->node_attribute);
    struct dse_scan scan = dse_scan_begin(text);
    for (size_t count = 0;; count++) {
        bool more;
        DSE_TRY(dse_scan_next_line(&scan, &more, reader->err));
        DSE_TRY(check_count(&scan, count, set->node_count, more, "nodes", reader->err));
        if (!more)
            return DSE_OK;
        DSE_TRY(take_row(&scan, set->node_attribute + count * columns, columns, reader->err));
    }
}

/* Counts the labels of the `arcs` lines of the edge file. Several columns are several labels of an edge, which no family reads. */
static enum dse_status count_edge_labels(struct reader *reader, size_t arcs)
{
    const struct dse_text *text = &reader->parts[DSE_TUDATASET_EDGE_LABELS];
    struct dse_labels labels;
    if (text->data == NULL || count_columns(text) > 1)
        return DSE_OK;
    DSE_TRY(read_labels(text, arcs, "edges", "edge's label", &labels, reader->err));
    reader->set->edge_label_count = labels.value_count;
    free(labels.index);
    free(labels.values);
    return DSE_OK;
}

/* Both ends of an arc, from 0. */
static enum dse_status take_arc(struct dse_scan *scan, const struct reader *reader, struct dse_arc *arc)
{
    int64_t end[2];
    bool good = dse_scan_whole(scan, &end[0]) && dse_scan_comma(scan) && dse_scan_whole(scan, &end[1]) &&
                dse_scan_at_line_end(scan);
    if (!good)
        return dse_scan_reject(scan, reader->err, "must be two node numbers with a comma between them");
    for (int i = 0; i < 2; i++)
        if (end[i] < 1 || end[i] > (int64_t)reader->set->node_count)
            return dse_scan_reject(scan, reader->err, "node %lld is out of range: must be from 1 to %zu",
                                   (long long)end[i], reader->set->node_count);
    *arc = (struct dse_arc){(int32_t)(end[0] - 1), (int32_t)(end[1] - 1)};
    int32_t from = reader->graph_of[arc->from], to = reader->graph_of[arc->to];
    if (from != to)
        return dse_scan_reject(scan, reader->err, "the edge joins graph %d and graph %d: both ends must lie in one",
                               from + 1, to + 1);
    return DSE_OK;
}

static enum dse_status read_arcs(struct reader *reader)
{
    const struct dse_text *text = &reader->parts[DSE_TUDATASET_ARCS];
    struct dse_arc *arcs DSE_CLEANUP(dse_free_at) = dse_malloc(dse_scan_count_lines(text) * sizeof *arcs);
    struct dse_scan scan = dse_scan_begin(text);
    for (size_t count = 0;; count++) {
        bool more = true;
        DSE_TRY(dse_scan_next_line(&scan, &more, reader->err));
        if (!more) {
            dse_arcs_to_rows(arcs, count, reader->graph_of, reader->set);
            return count_edge_labels(reader, count);
        }
        DSE_TRY(take_arc(&scan, reader, &arcs[count]));
    }
}

static enum dse_status check_parts(const struct dse_text *parts, struct dse_error *err)
{
    static const enum dse_tudataset_part needed[] = {DSE_TUDATASET_ARCS, DSE_TUDATASET_INDICATOR,
                                                     DSE_TUDATASET_GRAPH_LABELS};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (parts[needed[i]].data == NULL)
            return dse_fail(err, DSE_BAD_INPUT, "%s: missing: a TUDataset needs it", parts[needed[i]].name);
    return DSE_OK;
}

static enum dse_status read_parts(struct reader *reader)
{
    DSE_TRY(read_indicator(reader));
    DSE_TRY(read_all_labels(reader));
    DSE_TRY(read_attributes(reader));
    return read_arcs(reader);
}

enum dse_status dse_tudataset_parse(const char *name, const struct dse_text parts[DSE_TUDATASET_PARTS],
                                    struct dse_graph_set **out, struct dse_error *err)
{
    *out = NULL;
    DSE_TRY(check_parts(parts, err));
    struct reader reader = {.parts = parts, .set = dse_calloc(1, sizeof *reader.set), .err = err};
    reader.set->name = dse_strdup(name);
    enum dse_status status = read_parts(&reader);
    free(reader.graph_of);
    if (status != DSE_OK) {
        dse_graph_set_free(reader.set);
        return status;
    }
    dse_graph_set_label_by_degree(reader.set);
    reader.set->hash = dse_graph_set_hash(reader.set);
    *out = reader.set;
    return DSE_OK;
}
