#include "datasets/nodegraph.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"
#include "core/order.h"
#include "datasets/numbering.h"
#include "datasets/scan.h"

#define NODES_MOST 50000000
#define FEATURES_MOST 10000000
#define CLASSES_MOST 100000

struct pair {
    int32_t from, to;
};

/* Shared by the functions below. */
struct reader {
    struct dse_node_graph *graph;
    struct dse_numbering ids, classes;
    size_t nodes_room, features_room; /* capacity of the growing arrays */
    struct dse_error *err;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes the next field of the line; length 0 at its end. */
static struct dse_word take_word(struct dse_scan *scan)
{
    while (is_blank(*scan->at))
        scan->at++;
    struct dse_word word = {scan->at, 0};
    while (scan->at < scan->end && !is_blank(*scan->at) && *scan->at != '\n' && *scan->at != '\r')
        scan->at++;
    word.length = (size_t)(scan->at - word.start);
    return word;
}

static void make_room_for_node(struct reader *r)
{
    struct dse_node_graph *g = r->graph;
    if (g->node_count < r->nodes_room)
        return;
    r->nodes_room = r->nodes_room > 0 ? 2 * r->nodes_room : 1024;
    g->feature_begin = dse_realloc_array(g->feature_begin, r->nodes_room + 1, sizeof *g->feature_begin);
    g->label = dse_realloc_array(g->label, r->nodes_room, sizeof *g->label);
}

/* Makes room for one more row of features. */
static void make_room_for_features(struct reader *r, size_t used)
{
    struct dse_node_graph *g = r->graph;
    if (used + g->feature_count <= r->features_room)
        return;
    r->features_room = 2 * r->features_room + g->feature_count + 1024;
    g->feature_column = dse_realloc_array(g->feature_column, r->features_room, sizeof *g->feature_column);
    g->feature_value = dse_realloc_array(g->feature_value, r->features_room, sizeof *g->feature_value);
}

/* The number of fields of the first line without id and class. */
static enum dse_status measure_width(struct reader *r, struct dse_scan scan)
{
    size_t fields = 0;
    while (take_word(&scan).length > 0)
        fields++;
    if (fields < 2)
        return dse_scan_reject(&scan, r->err, "must be an id, the features and a class");
    if (fields - 2 > FEATURES_MOST)
        return dse_scan_reject(&scan, r->err, "more than %d features", FEATURES_MOST);
    r->graph->feature_count = fields - 2;
    return DSE_OK;
}

/* One feature. Most are one digit, which is read without dse_scan_real. */
static enum dse_status take_feature(struct reader *r, struct dse_scan *scan, size_t column, double *value)
{
    while (is_blank(*scan->at))
        scan->at++;
    unsigned digit = (unsigned char)scan->at[0] - (unsigned)'0';
    if (digit < 10 && is_blank(scan->at[1])) {
        *value = digit;
        scan->at += 1;
        return DSE_OK;
    }
    if (dse_scan_at_line_end(scan))
        return dse_scan_reject(scan, r->err, "ends after %zu features: the first line has %zu, and a class", column,
                               r->graph->feature_count);
    const char *start = scan->at;
    if (dse_scan_real(scan, value) && is_blank(*scan->at))
        return fabs(*value) <= (double)FLT_MAX ? DSE_OK
                                               : dse_scan_reject(scan, r->err, "feature %zu: %g is beyond %g, the limit of single precision",
                                                                 column + 1, *value, (double)FLT_MAX);
    scan->at = start;
    struct dse_word word = take_word(scan);
    if (dse_scan_at_line_end(scan))
        return dse_scan_reject(scan, r->err, "ends after %zu features: the first line has %zu, and a class", column,
                               r->graph->feature_count);
    return dse_scan_reject(scan, r->err, "feature %zu, \"%.*s\": must be a finite decimal number", column + 1,
                           (int)(word.length < 40 ? word.length : 40), word.start);
}

static enum dse_status take_features(struct reader *r, struct dse_scan *scan, size_t *used)
{
    struct dse_node_graph *g = r->graph;
    make_room_for_features(r, *used);
    for (size_t c = 0; c < g->feature_count; c++) {
        double value;
        DSE_TRY(take_feature(r, scan, c, &value));
        if (value != 0.0) {
            g->feature_column[*used] = (int32_t)c;
            g->feature_value[(*used)++] = value;
        }
    }
    return DSE_OK;
}

static enum dse_status take_node(struct reader *r, struct dse_scan *scan, size_t *used)
{
    struct dse_node_graph *g = r->graph;
    bool known;
    int32_t number;
    if (g->node_count == NODES_MOST)
        return dse_scan_reject(scan, r->err, "more than %d nodes", NODES_MOST);
    make_room_for_node(r);
    struct dse_word id = take_word(scan);
    DSE_TRY(dse_numbering_add(&r->ids, id, &number, &known, r->err));
    if (known)
        return dse_scan_reject(scan, r->err, "the id \"%.*s\" occurs twice", (int)(id.length < 40 ? id.length : 40), id.start);
    g->feature_begin[g->node_count] = *used;
    DSE_TRY(take_features(r, scan, used));
    struct dse_word class_name = take_word(scan);
    if (class_name.length == 0)
        return dse_scan_reject(scan, r->err, "ends after %zu features, without a class", g->feature_count);
    if (!dse_scan_at_line_end(scan))
        return dse_scan_reject(scan, r->err, "has more than the %zu features of the first line", g->feature_count);
    DSE_TRY(dse_numbering_add(&r->classes, class_name, &g->label[g->node_count], &known, r->err));
    if (r->classes.count > CLASSES_MOST)
        return dse_scan_reject(scan, r->err, "more than %d classes", CLASSES_MOST);
    g->feature_begin[++g->node_count] = *used;
    return DSE_OK;
}

static enum dse_status read_content(struct reader *r, const struct dse_text *content)
{
    struct dse_scan scan = dse_scan_begin(content);
    size_t used = 0;
    for (bool more = true;;) {
        DSE_TRY(dse_scan_next_line(&scan, &more, r->err));
        if (!more)
            break;
        if (scan.line == 1)
            DSE_TRY(measure_width(r, scan));
        DSE_TRY(take_node(r, &scan, &used));
    }
    return r->graph->node_count > 0 ? DSE_OK : dse_fail(r->err, DSE_BAD_INPUT, "%s: holds no node", content->name);
}

/* The names of the classes as texts of their own. */
static void keep_classes(struct reader *r)
{
    struct dse_node_graph *g = r->graph;
    g->class_name = dse_calloc(r->classes.count, sizeof *g->class_name);
    for (; g->class_count < r->classes.count; g->class_count++) {
        struct dse_word word = r->classes.words[g->class_count];
        g->class_name[g->class_count] = dse_strndup(word.start, word.length);
    }
}

/* One citation; `kept` is false if it is left out. */
static enum dse_status take_citation(struct reader *r, struct dse_scan *scan, struct pair *pair, bool *kept)
{
    struct dse_word cited = take_word(scan), citing = take_word(scan);
    if (citing.length == 0 || !dse_scan_at_line_end(scan))
        return dse_scan_reject(scan, r->err, "must be two ids: the cited and the citing");
    *pair = (struct pair){dse_numbering_find(&r->ids, cited), dse_numbering_find(&r->ids, citing)};
    bool unknown = pair->from < 0 || pair->to < 0, self = !unknown && pair->from == pair->to;
    r->graph->citations++;
    r->graph->unknown_citations += unknown;
    r->graph->self_citations += self;
    *kept = !unknown && !self;
    return DSE_OK;
}

/* Builds ascending rows from pairs; each citation is in both rows, once. */
static void make_rows(struct reader *r, const struct pair *pairs, size_t count)
{
    struct dse_node_graph *g = r->graph;
    size_t *end DSE_CLEANUP(dse_free_at) = dse_calloc(g->node_count + 1, sizeof *end); /* end of each row as it fills */
    g->row_begin = dse_calloc(g->node_count + 1, sizeof *g->row_begin);
    g->neighbour = dse_malloc((2 * count + 1) * sizeof *g->neighbour);
    for (size_t i = 0; i < count; i++) {
        end[pairs[i].from]++;
        end[pairs[i].to]++;
    }
    for (size_t v = 0, sum = 0; v <= g->node_count; v++) {
        size_t length = end[v];
        end[v] = g->row_begin[v] = sum;
        sum += length;
    }
    for (size_t i = 0; i < count; i++) {
        g->neighbour[end[pairs[i].from]++] = pairs[i].to;
        g->neighbour[end[pairs[i].to]++] = pairs[i].from;
    }
    size_t kept = 0;
    for (size_t v = 0; v < g->node_count; v++) {
        size_t begin = g->row_begin[v], first = kept;
        qsort(g->neighbour + begin, end[v] - begin, sizeof *g->neighbour, dse_by_int32);
        for (size_t i = begin; i < end[v]; i++)
            if (kept == first || g->neighbour[kept - 1] != g->neighbour[i])
                g->neighbour[kept++] = g->neighbour[i];
        g->row_begin[v] = first;
    }
    g->row_begin[g->node_count] = g->arc_count = kept;
    g->repeated_citations = count - kept / 2;
}

static enum dse_status read_cites(struct reader *r, const struct dse_text *cites)
{
    struct pair *pairs DSE_CLEANUP(dse_free_at) = dse_malloc(dse_scan_count_lines(cites) * sizeof *pairs);
    struct dse_scan scan = dse_scan_begin(cites);
    size_t count = 0;
    for (bool more = true, kept = false;; count += kept) {
        DSE_TRY(dse_scan_next_line(&scan, &more, r->err));
        if (!more)
            break;
        DSE_TRY(take_citation(r, &scan, &pairs[count], &kept));
    }
    make_rows(r, pairs, count);
    return DSE_OK;
}

/* A chain of hashes: each has the previous one as its seed. */
static uint64_t hash_of(const struct dse_node_graph *g)
{
    const uint64_t counts[] = {g->node_count, g->feature_count, g->class_count, g->arc_count};
    const size_t features = g->feature_begin[g->node_count];
    const struct {
        const void *data;
        size_t size;
    } parts[] = {{counts, sizeof counts},
                 {g->feature_begin, (g->node_count + 1) * sizeof *g->feature_begin},
                 {g->feature_column, features * sizeof *g->feature_column},
                 {g->feature_value, features * sizeof *g->feature_value},
                 {g->row_begin, (g->node_count + 1) * sizeof *g->row_begin},
                 {g->neighbour, g->arc_count * sizeof *g->neighbour},
                 {g->label, g->node_count * sizeof *g->label}};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = XXH3_64bits_withSeed(parts[i].data, parts[i].size, hash);
    for (size_t c = 0; c < g->class_count; c++)
        hash = XXH3_64bits_withSeed(g->class_name[c], strlen(g->class_name[c]) + 1, hash);
    return hash;
}

static enum dse_status read_all(struct reader *r, const struct dse_text *content, const struct dse_text *cites)
{
    DSE_TRY(read_content(r, content));
    keep_classes(r);
    return read_cites(r, cites);
}

enum dse_status dse_node_graph_parse(const char *name, const struct dse_text *content, const struct dse_text *cites,
                                     struct dse_node_graph **out, struct dse_error *err)
{
    struct reader reader = {.graph = dse_calloc(1, sizeof *reader.graph), .err = err};
    *out = NULL;
    reader.graph->name = dse_strdup(name);
    enum dse_status status = read_all(&reader, content, cites);
    dse_numbering_free(&reader.ids);
    dse_numbering_free(&reader.classes);
    if (status != DSE_OK) {
        dse_node_graph_free(reader.graph);
        return status;
    }
    reader.graph->hash = hash_of(reader.graph);
    *out = reader.graph;
    return DSE_OK;
}

void dse_node_graph_free(struct dse_node_graph *graph)
{
    if (graph == NULL)
        return;
    for (size_t c = 0; c < graph->class_count; c++)
        free(graph->class_name[c]);
    free(graph->class_name);
    free(graph->feature_begin);
    free(graph->feature_column);
    free(graph->feature_value);
    free(graph->row_begin);
    free(graph->neighbour);
    free(graph->label);
    free(graph->name);
    free(graph);
}
