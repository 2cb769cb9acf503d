#include "datasets/graphml.h"

#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/list.h"
#include "core/number.h"
#include "core/xml.h"

#define ATTRIBUTES_MAX 4096

/* A <key>: the meaning of <data key=…> with its id. */
struct key {
    const char *id, *name, *otherwise; /* NULL without a default */
    bool of_node, of_graph, number;
};

struct reader {
    struct dse_xml *doc;
    struct dse_assembly *assembly;
    struct dse_arena texts; /* memory of the keys */
    struct key *keys; /* key_count */
    size_t key_count;
    bool chosen; /* the keys are resolved; done at the first graph */
    const struct key *node_label, *graph_label; /* NULL: none */
    const struct key **attributes; /* attribute_count, of nodes */
    size_t attribute_count;
    struct dse_numbering nodes; /* numbering of the graph being read */
    struct dse_error *err;
};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static void read_key(struct reader *r, dse_xml_node n)
{
    static const char *const numbers[] = {"int", "long", "float", "double", "boolean", NULL};
    struct key *key = dse_list_more(&r->keys, &r->key_count, sizeof *key);
    const char *of = dse_xml_text(r->doc, n, "for"), *type = dse_xml_text(r->doc, n, "attr.type");
    dse_xml_node otherwise = dse_xml_first(n, "default");
    dse_xml_keep_in(r->doc, &r->texts);
    const char *id = dse_xml_keep_need(r->doc, n, "id"), *name = dse_xml_text(r->doc, n, "attr.name");
    bool all = of == NULL || strcmp(of, "all") == 0;
    *key = (struct key){.id = id, .name = name != NULL ? dse_xml_keep(r->doc, name) : id,
                        .otherwise = otherwise != NULL ? dse_xml_keep(r->doc, dse_xml_content(r->doc, otherwise)) : NULL,
                        .of_node = all || strcmp(of, "node") == 0, .of_graph = all || strcmp(of, "graph") == 0,
                        .number = type != NULL && is_one_of(type, numbers)};
}

static void choose_keys(struct reader *r)
{
    dse_xml_node root = dse_xml_root(r->doc, "graphml");
    static const char *const labels[] = {"label", "node_label", "type", NULL}, *const classes[] = {"label", "class", "y", "target", NULL};
    for (size_t k = 0; k < r->key_count; k++) {
        const struct key *key = &r->keys[k];
        if (key->of_graph && r->graph_label == NULL && is_one_of(key->name, classes))
            r->graph_label = key;
        if (key->of_node && r->node_label == NULL && is_one_of(key->name, labels)) {
            r->node_label = key;
        } else if (key->of_node && !key->of_graph && key->number) {
            const struct key **room = dse_list_more(&r->attributes, &r->attribute_count, sizeof *room);
            *room = key;
        }
    }
    if (r->graph_label == NULL)
        dse_xml_problem(r->doc, root, NULL, "no <key for=\"graph\"> is called label, class, y or target: a graph's class");
    bool first = r->assembly->graph_count == 0;
    if (r->attribute_count > ATTRIBUTES_MAX || (!first && r->attribute_count != r->assembly->attribute_count))
        dse_xml_problem(r->doc, root, NULL, "%zu attributes of nodes, but earlier files have %zu", r->attribute_count,
                        r->assembly->attribute_count);
    if (!first && (r->node_label != NULL) != (r->assembly->node_labels.count > 0))
        dse_xml_problem(r->doc, root, NULL, "some files have node labels and others have none");
    r->assembly->attribute_count = r->attribute_count;
    r->chosen = true;
}

/* The text of a key for an element: its <data>, or the key's default; NULL if there is neither. */
static const char *data_of(struct reader *r, dse_xml_node node, const struct key *key)
{
    for (dse_xml_node n = dse_xml_first(node, "data"); n != NULL; n = dse_xml_next(n, "data")) {
        const char *id = dse_xml_text(r->doc, n, "key");
        if (id != NULL && strcmp(id, key->id) == 0)
            return dse_xml_content(r->doc, n);
    }
    return key->otherwise;
}

static enum dse_status add_label(struct reader *r, dse_xml_node node, const struct key *key, struct dse_assembly_labels *labels)
{
    const char *text = key != NULL ? data_of(r, node, key) : "0";
    if (text == NULL || *text == '\0') {
        dse_xml_problem(r->doc, node, NULL, "has no <data> of %s (key %s)", key->name, key->id);
        text = "0";
    }
    return dse_assembly_add_label(r->assembly, labels, (struct dse_word){text, strlen(text)}, r->err);
}

static void add_attributes(struct reader *r, dse_xml_node node)
{
    size_t count = (r->assembly->node_count - 1) * r->attribute_count;
    for (size_t i = 0; i < r->attribute_count; i++) {
        const char *text = data_of(r, node, r->attributes[i]);
        double *room = dse_list_more(&r->assembly->attributes, &count, sizeof *room);
        if (text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
            *room = *text == 't';
        else if (text == NULL || dse_number_real(text, room) != DSE_NUMBER_READ)
            dse_xml_problem(r->doc, node, NULL, "%s must be a finite decimal number%s%s", r->attributes[i]->name,
                            text != NULL ? ", not " : "", text != NULL ? text : "");
    }
}

static enum dse_status add_nodes(struct reader *r, dse_xml_node graph)
{
    int32_t of = (int32_t)r->assembly->graph_count - 1, number;
    bool known;
    for (dse_xml_node n = dse_xml_first(graph, "node"); n != NULL; n = dse_xml_next(n, "node")) {
        const char *id = dse_xml_need_text(r->doc, n, "id");
        if (id == NULL)
            continue;
        DSE_TRY(dse_numbering_add(&r->nodes, (struct dse_word){id, strlen(id)}, &number, &known, r->err));
        if (known)
            dse_xml_problem(r->doc, n, "id", "occurs twice in its graph");
        if (dse_xml_first(n, "graph") != NULL || dse_xml_first(n, "port") != NULL)
            dse_xml_problem(r->doc, n, NULL, "nested graphs and ports are not supported");
        if (known)
            continue;
        DSE_TRY(dse_assembly_add_node(r->assembly, of, r->err));
        if (r->node_label != NULL)
            DSE_TRY(add_label(r, n, r->node_label, &r->assembly->node_labels));
        add_attributes(r, n);
    }
    return DSE_OK;
}

static enum dse_status add_edges(struct reader *r, dse_xml_node graph, int32_t first_node)
{
    static const char *const ways[] = {"directed", "undirected", NULL}, *const truth[] = {"true", "false", NULL};
    static const char *const ends[] = {"source", "target"};
    bool both = dse_xml_choice(r->doc, graph, "edgedefault", ways) == 1;
    for (dse_xml_node n = dse_xml_first(graph, "edge"); n != NULL; n = dse_xml_next(n, "edge")) {
        int32_t end[2] = {-1, -1};
        for (int i = 0; i < 2; i++) {
            const char *id = dse_xml_need_text(r->doc, n, ends[i]);
            end[i] = id != NULL ? dse_numbering_find(&r->nodes, (struct dse_word){id, strlen(id)}) : -1;
            if (id != NULL && end[i] < 0)
                dse_xml_problem(r->doc, n, ends[i], "no such node in its graph");
        }
        bool own = dse_xml_has(n, "directed") ? dse_xml_choice(r->doc, n, "directed", truth) == 1 : both;
        if (end[0] >= 0 && end[1] >= 0)
            DSE_TRY(dse_assembly_add_arc(r->assembly, first_node + end[0], first_node + end[1], own, r->err));
    }
    return DSE_OK;
}

static enum dse_status add_graph(struct reader *r, dse_xml_node graph)
{
    int32_t first = (int32_t)r->assembly->node_count;
    if (dse_xml_first(graph, "hyperedge") != NULL)
        dse_xml_problem(r->doc, graph, NULL, "hyperedges are not supported");
    if (dse_xml_first(graph, "node") == NULL)
        dse_xml_problem(r->doc, graph, NULL, "has no <node>");
    r->assembly->graph_count++;
    DSE_TRY(add_label(r, graph, r->graph_label, &r->assembly->graph_labels));
    enum dse_status status = add_nodes(r, graph);
    if (status == DSE_OK && dse_xml_problem_count(r->doc) == 0) /* a node that is left out would shift the others */
        status = add_edges(r, graph, first);
    dse_numbering_free(&r->nodes);
    r->nodes = (struct dse_numbering){0};
    return status;
}

static enum dse_status take_child(void *user, struct dse_xml *doc, dse_xml_node child, struct dse_error *err)
{
    struct reader *r = user;
    bool graph = strcmp(dse_xml_name(child), "graph") == 0;
    r->doc = doc;
    if (dse_xml_root(doc, "graphml") == NULL)
        return DSE_OK; /* recorded as a problem */
    if (strcmp(dse_xml_name(child), "key") == 0) {
        if (r->chosen)
            dse_xml_problem(doc, child, NULL, "must come before the first <graph>");
        read_key(r, child);
    }
    if (graph && !r->chosen)
        choose_keys(r);
    return graph && dse_xml_problem_count(doc) == 0 ? add_graph(r, child) : dse_xml_verdict(doc, err);
}

enum dse_status dse_graphml_add(const struct dse_text *text, struct dse_assembly *assembly, struct dse_error *err)
{
    struct reader r = {.assembly = assembly, .err = err};
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    enum dse_status status = dse_xml_walk(text->data, text->size, text->name, take_child, &r, &doc, err);
    if (status == DSE_OK && !r.chosen) {
        dse_xml_node root = dse_xml_root(doc, "graphml");
        if (root != NULL)
            dse_xml_problem(doc, root, NULL, "holds no <graph>");
        status = dse_xml_verdict(doc, err);
    }
    free(r.keys);
    free(r.attributes);
    dse_arena_free(&r.texts);
    dse_numbering_free(&r.nodes);
    return status;
}
