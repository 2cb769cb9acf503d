#include "datasets/generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/rng.h"
#include "core/strbuf.h"
#include "datasets/arcs.h"

#define SHOWN_EACH 64 /* graphs or lines between two progress reports */
#define TOTAL_MAX 50000000 /* nodes, or edges */
#define CLASS_STREAM UINT64_MAX /* stream of random numbers; graph g draws from stream g */

struct dse_generate dse_generate_defaults(void)
{
    return (struct dse_generate){.name = "SYNTHETIC", .graphs = 100, .classes = 2, .mean_nodes = 20, .node_spread = 5,
                                 .mean_degree = 2.5, .labels = 5, .feature_signal = 0.5, .structure_signal = 0.5,
                                 .seed = 1};
}

static enum dse_status check(const struct dse_generate *what, struct dse_error *err)
{
    const struct {
        const char *name;
        double value, minimum, maximum;
    } ranges[] = {
        {"graphs", (double)what->graphs, 1, 1000000},
        {"classes", (double)what->classes, 1, (double)what->graphs},
        {"mean nodes", what->mean_nodes, 1, 100000},
        {"node spread", what->node_spread, 0, 100000},
        {"mean degree", what->mean_degree, 0, 1000},
        {"labels", (double)what->labels, 0, 100000},
        {"attributes", (double)what->attributes, 0, 10000},
        {"feature signal", what->feature_signal, 0, 1},
        {"structure signal", what->structure_signal, 0, 1},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!(ranges[i].value >= ranges[i].minimum && ranges[i].value <= ranges[i].maximum))
            return dse_fail(err, DSE_BAD_USAGE, "%s = %g: must be from %g to %g", ranges[i].name, ranges[i].value,
                            ranges[i].minimum, ranges[i].maximum);
    if (*what->name == '\0' || *what->name == '.' || strchr(what->name, '/') != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "\"%s\" cannot name a data set: the name must not be empty, begin with \".\" or "
                        "hold \"/\"", what->name);
    double nodes = (double)what->graphs * what->mean_nodes;
    if (nodes * fmax(what->mean_degree / 2, 1) > TOTAL_MAX || nodes * (double)what->attributes > TOTAL_MAX)
        return dse_fail(err, DSE_LIMIT, "a data set of more than %d nodes, edges or attributes is too large", TOTAL_MAX);
    return DSE_OK;
}

/* The set that is being generated. */
struct maker {
    const struct dse_generate *what;
    struct dse_strbuf text[DSE_TUDATASET_PARTS];
    struct dse_arc *edges; /* each once, from < to, nodes from 0 over all graphs */
    size_t edge_count, edge_capacity;
    size_t node_count;
    struct dse_error *err;
};

static void begin_line(struct maker *maker, enum dse_tudataset_part part)
{
    if (maker->what->awkward & DSE_AWKWARD_INDENT)
        dse_strbuf_add(&maker->text[part], "  ");
}

static void end_line(struct maker *maker, enum dse_tudataset_part part)
{
    dse_strbuf_add(&maker->text[part], maker->what->awkward & DSE_AWKWARD_CRLF ? "\r\n" : "\n");
}

static const char *comma(const struct maker *maker)
{
    return maker->what->awkward & DSE_AWKWARD_NO_SPACE ? "," : ", ";
}

static void add_whole(struct maker *maker, enum dse_tudataset_part part, int64_t value)
{
    begin_line(maker, part);
    dse_strbuf_printf(&maker->text[part], "%lld", (long long)value);
    end_line(maker, part);
}

static void add_edge(struct maker *maker, size_t a, size_t b)
{
    dse_list_room(&maker->edges, &maker->edge_capacity, maker->edge_count, sizeof *maker->edges);
    maker->edges[maker->edge_count++] = (struct dse_arc){(int32_t)(a < b ? a : b), (int32_t)(a < b ? b : a)};
}

static size_t draw_size(const struct dse_generate *what, struct dse_rng *rng)
{
    double size = round(what->mean_nodes + what->node_spread * dse_rng_normal(rng));
    return (size_t)fmin(fmax(size, 1), 10 * what->mean_nodes);
}

/* A label that the class prefers (congruent to the class), or any. */
static int64_t draw_label(const struct dse_generate *what, int32_t class_index, struct dse_rng *rng)
{
    if (dse_rng_uniform(rng) >= what->feature_signal)
        return (int64_t)dse_rng_below(rng, (uint64_t)what->labels);
    int64_t preferred = (what->labels - class_index + what->classes - 1) / what->classes;
    int64_t choice = preferred > 1 ? (int64_t)dse_rng_below(rng, (uint64_t)preferred) : 0;
    return (class_index + what->classes * choice) % what->labels;
}

/* The classes' values differ by feature_signal in every attribute, alternately up and down. */
static void add_attributes(struct maker *maker, int32_t class_index, struct dse_rng *rng)
{
    const struct dse_generate *what = maker->what;
    struct dse_strbuf *text = &maker->text[DSE_TUDATASET_NODE_ATTRIBUTES];
    begin_line(maker, DSE_TUDATASET_NODE_ATTRIBUTES);
    for (int64_t k = 0; k < what->attributes; k++) {
        double centre = what->feature_signal * class_index * (k % 2 == 0 ? 1 : -1);
        dse_strbuf_printf(text, "%s%.6f", k > 0 ? comma(maker) : "", centre + dse_rng_normal(rng));
    }
    end_line(maker, DSE_TUDATASET_NODE_ATTRIBUTES);
}

static void add_nodes(struct maker *maker, size_t graph, int32_t class_index, size_t size, struct dse_rng *rng)
{
    const struct dse_generate *what = maker->what;
    bool gaps = what->awkward & DSE_AWKWARD_LABEL_GAPS;
    for (size_t v = 0; v < size; v++) {
        add_whole(maker, DSE_TUDATASET_INDICATOR, (int64_t)graph + 1);
        if (what->labels > 0) {
            int64_t label = draw_label(what, class_index, rng);
            add_whole(maker, DSE_TUDATASET_NODE_LABELS, gaps ? label * label * 7 - 3 : label);
        }
        if (what->attributes > 0)
            add_attributes(maker, class_index, rng);
    }
}

/* The parent: the previous node or, with a probability that grows with the class, the hub (node 0). */
static size_t draw_parent(const struct dse_generate *what, int32_t class_index, size_t node, struct dse_rng *rng)
{
    double rank = what->classes > 1 ? class_index / (double)(what->classes - 1) : 0;
    return dse_rng_uniform(rng) < what->structure_signal * rank ? 0 : node - 1;
}

static int compare_arcs(const void *a, const void *b)
{
    const struct dse_arc *left = a, *right = b;
    if (left->from != right->from)
        return (left->from > right->from) - (left->from < right->from);
    return (left->to > right->to) - (left->to < right->to);
}

static void drop_repeats(struct maker *maker, size_t first)
{
    if (maker->edge_count == first)
        return;
    qsort(maker->edges + first, maker->edge_count - first, sizeof *maker->edges, compare_arcs);
    size_t kept = first + 1;
    for (size_t i = first + 1; i < maker->edge_count; i++)
        if (compare_arcs(&maker->edges[i], &maker->edges[kept - 1]) != 0)
            maker->edges[kept++] = maker->edges[i];
    maker->edge_count = kept;
}

/* A tree of chains and a hub (thinned if the degree is too small for a tree), then random shortcuts. */
static void add_edges(struct maker *maker, int32_t class_index, size_t size, struct dse_rng *rng)
{
    const struct dse_generate *what = maker->what;
    size_t nodes = what->awkward & DSE_AWKWARD_ISOLATED ? size - size / 8 : size;
    if (nodes < 2)
        return;
    size_t first = maker->edge_count, base = maker->node_count;
    double wanted = (double)nodes * what->mean_degree / 2, tree = (double)(nodes - 1);
    for (size_t v = 1; v < nodes; v++) {
        size_t parent = draw_parent(what, class_index, v, rng);
        if (dse_rng_uniform(rng) * tree < wanted)
            add_edge(maker, base + parent, base + v);
    }
    for (double more = round(wanted - tree); more > 0; more--) {
        size_t a = (size_t)dse_rng_below(rng, nodes), b = (size_t)dse_rng_below(rng, nodes);
        if (a != b)
            add_edge(maker, base + a, base + b);
    }
    drop_repeats(maker, first);
}

static enum dse_status make_graph(struct maker *maker, size_t graph, int32_t class_index)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, maker->what->seed, graph);
    size_t size = draw_size(maker->what, &rng);
    add_whole(maker, DSE_TUDATASET_GRAPH_LABELS,
              maker->what->awkward & DSE_AWKWARD_LABEL_GAPS ? class_index * 10 - 1 : class_index);
    add_nodes(maker, graph, class_index, size, &rng);
    add_edges(maker, class_index, size, &rng);
    maker->node_count += size;
    if (maker->node_count > TOTAL_MAX || maker->edge_count > TOTAL_MAX)
        return dse_fail(maker->err, DSE_LIMIT, "the data set grows above %d nodes or edges", TOTAL_MAX);
    return DSE_OK;
}

static enum dse_status make_graphs(struct maker *maker)
{
    size_t graphs = (size_t)maker->what->graphs;
    int32_t *classes DSE_CLEANUP(dse_free_at) = dse_malloc(graphs * sizeof *classes);
    struct dse_rng rng;
    dse_rng_seed(&rng, maker->what->seed, CLASS_STREAM);
    for (size_t g = 0; g < graphs; g++)
        classes[g] = (int32_t)(g % (size_t)maker->what->classes);
    dse_rng_shuffle(&rng, classes, graphs);
    for (size_t g = 0; g < graphs; g++) {
        if (dse_monitor_cancelled(maker->what->monitor))
            return dse_fail_cancelled(maker->err);
        DSE_TRY(make_graph(maker, g, classes[g]));
        if ((g + 1) % SHOWN_EACH == 0 || g + 1 == graphs)
            dse_monitor_progress(maker->what->monitor, "graphs", g + 1, graphs);
    }
    return DSE_OK;
}

/* Line i of the edge file is direction i mod 2 of edge i / 2. */
static void add_arc_line(struct maker *maker, int32_t line)
{
    const struct dse_arc *edge = &maker->edges[line / 2];
    int32_t from = line % 2 == 0 ? edge->from : edge->to, to = line % 2 == 0 ? edge->to : edge->from;
    begin_line(maker, DSE_TUDATASET_ARCS);
    dse_strbuf_printf(&maker->text[DSE_TUDATASET_ARCS], "%d%s%d", from + 1, comma(maker), to + 1);
    end_line(maker, DSE_TUDATASET_ARCS);
}

static enum dse_status write_arcs(struct maker *maker)
{
    size_t lines = 2 * maker->edge_count;
    int32_t *order DSE_CLEANUP(dse_free_at) = dse_malloc(lines * sizeof *order);
    for (size_t i = 0; i < lines; i++)
        order[i] = (int32_t)i;
    if (maker->what->awkward & DSE_AWKWARD_SHUFFLED) {
        struct dse_rng rng;
        dse_rng_seed(&rng, maker->what->seed, CLASS_STREAM - 1);
        dse_rng_shuffle(&rng, order, lines);
    }
    for (size_t i = 0; i < lines; i++) {
        add_arc_line(maker, order[i]);
        if (maker->what->awkward & DSE_AWKWARD_REPEATED && i % 5 == 0)
            add_arc_line(maker, order[i]);
        if ((i + 1) % SHOWN_EACH == 0 || i + 1 == lines)
            dse_monitor_progress(maker->what->monitor, "lines of edges", i + 1, lines);
        if ((i + 1) % SHOWN_EACH == 0 && dse_monitor_cancelled(maker->what->monitor))
            return dse_fail_cancelled(maker->err);
    }
    return DSE_OK;
}

static void finish_text(const struct maker *maker, struct dse_strbuf *text)
{
    if (maker->what->awkward & DSE_AWKWARD_BLANK_TAIL)
        dse_strbuf_add(text, " \n\n");
    if (maker->what->awkward & DSE_AWKWARD_NO_FINAL_NEWLINE)
        while (text->length > 0 && (text->text[text->length - 1] == '\n' || text->text[text->length - 1] == '\r'))
            text->text[--text->length] = '\0';
}

/* Moves the texts out; an optional one without content is left out. */
static void hand_over(struct maker *maker, struct dse_text parts[DSE_TUDATASET_PARTS])
{
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++) {
        struct dse_strbuf title = {0}, *text = &maker->text[i];
        dse_strbuf_printf(&title, "%s_%s", maker->what->name, dse_tudataset_suffixes[i]);
        dse_strbuf_add(text, "");
        bool absent = text->length == 0 && i >= DSE_TUDATASET_NODE_LABELS;
        if (!absent)
            finish_text(maker, text);
        parts[i].name = title.text;
        if (absent)
            continue;
        parts[i].data = text->text;
        parts[i].size = text->length;
        *text = (struct dse_strbuf){0};
    }
}

enum dse_status dse_generate_texts(const struct dse_generate *what, struct dse_text parts[DSE_TUDATASET_PARTS],
                                   struct dse_error *err)
{
    struct maker maker = {.what = what, .err = err};
    memset(parts, 0, DSE_TUDATASET_PARTS * sizeof *parts);
    enum dse_status status = check(what, err);
    if (status == DSE_OK)
        status = make_graphs(&maker);
    if (status == DSE_OK)
        status = write_arcs(&maker);
    if (status == DSE_OK)
        hand_over(&maker, parts);
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++) {
        dse_strbuf_free(&maker.text[i]);
        if (status != DSE_OK)
            dse_text_free(&parts[i]);
    }
    free(maker.edges);
    return status;
}

enum dse_status dse_generate_set(const struct dse_generate *what, struct dse_graph_set **out, struct dse_error *err)
{
    struct dse_text parts[DSE_TUDATASET_PARTS];
    *out = NULL;
    enum dse_status status = dse_generate_texts(what, parts, err);
    if (status == DSE_OK)
        status = dse_tudataset_parse(what->name, parts, out, err);
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++)
        dse_text_free(&parts[i]);
    return status;
}

enum dse_status dse_generate_folder(const struct dse_generate *what, const char *folder, struct dse_error *err)
{
    struct dse_text parts[DSE_TUDATASET_PARTS];
    DSE_TRY(dse_texts_check(folder, err));
    DSE_TRY(dse_generate_texts(what, parts, err));
    enum dse_status status = dse_texts_write(folder, parts, DSE_TUDATASET_PARTS, err);
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++)
        dse_text_free(&parts[i]);
    return status;
}
