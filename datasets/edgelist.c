#include "datasets/edgelist.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "datasets/assembly.h"
#include "datasets/cells.h"

#define COLUMNS_MAX 4096

const char *const dse_edgelist_files[DSE_EDGELIST_PARTS] = {"graphs.csv", "nodes.csv", "edges.csv"};

/* The purpose of a column; the names that say so. */
struct role {
    const char *const *names; /* NULL-ended */
    bool needed;
};
enum { ROLES_MAX = 3 };
static const struct role roles[DSE_EDGELIST_PARTS][ROLES_MAX] = {
    {{(const char *const[]){"id", "graph", "graph_id", NULL}, true},
     {(const char *const[]){"label", "class", "y", "target", NULL}, true}},
    {{(const char *const[]){"id", "node", "node_id", NULL}, true},
     {(const char *const[]){"graph", "graph_id", NULL}, true},
     {(const char *const[]){"label", "node_label", "type", NULL}, false}},
    {{(const char *const[]){"source", "from", "src", NULL}, true},
     {(const char *const[]){"target", "to", "dst", NULL}, true},
     {(const char *const[]){"graph", "graph_id", NULL}, false}},
};

/* One file being read, row by row. */
struct rows {
    const struct dse_text *text;
    struct dse_cells cells;
    struct dse_cell *row; /* column_count */
    size_t column_count;
    size_t column[ROLES_MAX]; /* column of each role, or column_count */
    long line;                /* line of the row */
    struct dse_arena texts;   /* the columns' names */
    const char **names;       /* column_count */
};

/* All of it. */
struct reader {
    struct dse_assembly assembly;
    struct dse_numbering graphs, nodes; /* ids */
    struct dse_arena keys;              /* memory of ids that join a graph's and a node's */
    bool by_graph;                      /* ids of nodes are local to their graph */
    struct dse_error *err;
};

static enum dse_status reject(const struct rows *r, struct dse_error *err, const char *what, const struct dse_cell *cell)
{
    return dse_fail_at(err, DSE_BAD_INPUT, r->text->name, r->line, "\"%.*s\": %s", (int)(cell->length < 60 ? cell->length : 60),
                       cell->start, what);
}

static bool is_called(const char *name, const struct role *role)
{
    for (const char *const *one = role->names; one != NULL && *one != NULL; one++)
        if (strcasecmp(*one, name) == 0)
            return true;
    return false;
}

static enum dse_status find_roles(struct rows *r, enum dse_edgelist_part part, struct dse_error *err)
{
    for (int role = 0; role < ROLES_MAX; role++) {
        const struct role *one = &roles[part][role];
        struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
        r->column[role] = r->column_count;
        for (size_t c = r->column_count; c-- > 0;)
            if (is_called(r->names[c], one))
                r->column[role] = c;
        if (!one->needed || r->column[role] < r->column_count)
            continue;
        for (const char *const *name = one->names; *name != NULL; name++)
            dse_strbuf_printf(&names, "%s%s", name == one->names ? "" : ", ", *name);
        return dse_fail_at(err, DSE_BAD_INPUT, r->text->name, 1, "no column is called %s: they are \"%.*s\"", dse_strbuf_text(&names),
                           (int)strcspn(r->text->data, "\r\n"), r->text->data);
    }
    return DSE_OK;
}

/* The line of names. */
static enum dse_status begin(const struct dse_text *text, enum dse_edgelist_part part, struct rows *r, struct dse_error *err)
{
    struct dse_cell cell = {0};
    *r = (struct rows){.text = text, .cells = dse_cells_begin(text, ','), .line = 1};
    if (dse_cells_at_end(&r->cells))
        return dse_fail(err, DSE_BAD_INPUT, "%s: is empty", text->name);
    while (!cell.last) {
        DSE_TRY(dse_cells_next(&r->cells, &cell, err));
        char *name DSE_CLEANUP(dse_free_at) = dse_cell_text(&cell, 200);
        const char **room = dse_list_more(&r->names, &r->column_count, sizeof *room);
        *room = dse_arena_strdup(&r->texts, name);
        if (r->column_count > COLUMNS_MAX)
            return dse_fail_at(err, DSE_BAD_INPUT, text->name, 1, "more than %d columns", COLUMNS_MAX);
    }
    r->row = dse_calloc(r->column_count, sizeof *r->row);
    return find_roles(r, part, err);
}

/* The next row, or `more` false. */
static enum dse_status next(struct rows *r, bool *more, struct dse_error *err)
{
    *more = !dse_cells_at_end(&r->cells);
    if (!*more)
        return DSE_OK;
    r->line = r->cells.line;
    for (size_t c = 0; c < r->column_count; c++) {
        DSE_TRY(dse_cells_next(&r->cells, &r->row[c], err));
        if (r->row[c].last != (c + 1 == r->column_count))
            return dse_fail_at(err, DSE_BAD_INPUT, r->text->name, r->line, "a row of %s cells: the first line has %zu",
                               r->row[c].last ? "fewer" : "more", r->column_count);
    }
    for (int role = 0; role < ROLES_MAX; role++)
        if (r->column[role] < r->column_count && r->row[r->column[role]].length == 0)
            return dse_fail_at(err, DSE_BAD_INPUT, r->text->name, r->line, "the column %s is empty", r->names[r->column[role]]);
    return DSE_OK;
}

static void end(struct rows *r)
{
    free(r->row);
    free(r->names);
    dse_arena_free(&r->texts);
}

static struct dse_word word_of(const struct dse_cell *cell)
{
    return (struct dse_word){cell->start, cell->length};
}

/* A node's id, preceded by its graph's if ids are local to a graph. */
static struct dse_word key_of(struct reader *reader, const struct dse_cell *graph, const struct dse_cell *node)
{
    if (!reader->by_graph)
        return word_of(node);
    struct dse_word key = {.length = graph->length + 1 + node->length};
    char *text = dse_arena_alloc(&reader->keys, key.length, 1);
    memcpy(text, graph->start, graph->length);
    text[graph->length] = '\x1f';
    memcpy(text + graph->length + 1, node->start, node->length);
    key.start = text;
    return key;
}

static enum dse_status take_graph(struct reader *reader, struct rows *r)
{
    int32_t number;
    bool known;
    const struct dse_cell *id = &r->row[r->column[0]];
    DSE_TRY(dse_numbering_add(&reader->graphs, word_of(id), &number, &known, reader->err));
    if (known)
        return reject(r, reader->err, "this graph occurs twice", id);
    reader->assembly.graph_count++;
    return dse_assembly_add_label(&reader->assembly, &reader->assembly.graph_labels, word_of(&r->row[r->column[1]]), reader->err);
}

/* A column without a name is the row's number, as pandas writes it. */
static bool is_attribute(const struct rows *r, size_t column)
{
    return column != r->column[0] && column != r->column[1] && column != r->column[2] && r->names[column][0] != '\0';
}

static enum dse_status take_attributes(struct reader *reader, struct rows *r)
{
    struct dse_assembly *a = &reader->assembly;
    size_t columns = 0;
    for (size_t c = 0; c < r->column_count; c++)
        columns += is_attribute(r, c);
    a->attribute_count = columns;
    size_t count = (a->node_count - 1) * columns;
    for (size_t c = 0; c < r->column_count; c++) {
        double *room = is_attribute(r, c) ? dse_list_more(&a->attributes, &count, sizeof *room) : NULL;
        if (!is_attribute(r, c))
            continue;
        if (!dse_cell_number(&r->cells, &r->row[c], room))
            return dse_fail_at(reader->err, DSE_BAD_INPUT, r->text->name, r->line, "the attribute %s must be a finite decimal number",
                               r->names[c]);
    }
    return DSE_OK;
}

static enum dse_status take_node(struct reader *reader, struct rows *r)
{
    int32_t number;
    bool known;
    const struct dse_cell *id = &r->row[r->column[0]], *graph = &r->row[r->column[1]];
    int32_t of = dse_numbering_find(&reader->graphs, word_of(graph));
    if (of < 0)
        return reject(r, reader->err, "no such graph in graphs.csv", graph);
    DSE_TRY(dse_numbering_add(&reader->nodes, key_of(reader, graph, id), &number, &known, reader->err));
    if (known)
        return reject(r, reader->err, reader->by_graph ? "this node occurs twice in its graph"
                                                       : "this node occurs twice (with a column graph in edges.csv, each graph has its own ids)", id);
    DSE_TRY(dse_assembly_add_node(&reader->assembly, of, reader->err));
    if (r->column[2] < r->column_count)
        DSE_TRY(dse_assembly_add_label(&reader->assembly, &reader->assembly.node_labels, word_of(&r->row[r->column[2]]), reader->err));
    return take_attributes(reader, r);
}

static enum dse_status take_edge(struct reader *reader, struct rows *r)
{
    int32_t end[2];
    const struct dse_cell *graph = r->column[2] < r->column_count ? &r->row[r->column[2]] : NULL;
    for (int i = 0; i < 2; i++) {
        end[i] = dse_numbering_find(&reader->nodes, key_of(reader, graph, &r->row[r->column[i]]));
        if (end[i] < 0)
            return reject(r, reader->err, graph != NULL ? "no such node of that graph in nodes.csv" : "no such node in nodes.csv",
                          &r->row[r->column[i]]);
    }
    if (reader->assembly.graph_of[end[0]] != reader->assembly.graph_of[end[1]])
        return reject(r, reader->err, "the edge joins two graphs: both ends must lie in one", &r->row[r->column[0]]);
    return dse_assembly_add_arc(&reader->assembly, end[0], end[1], true, reader->err);
}

static enum dse_status read_part(struct reader *reader, const struct dse_text *text, enum dse_edgelist_part part)
{
    static enum dse_status (*const takers[DSE_EDGELIST_PARTS])(struct reader *, struct rows *) = {take_graph, take_node, take_edge};
    struct rows rows;
    bool more = true;
    enum dse_status status = begin(text, part, &rows, reader->err);
    while (status == DSE_OK && (status = next(&rows, &more, reader->err)) == DSE_OK && more)
        status = takers[part](reader, &rows);
    end(&rows);
    return status;
}

/* Whether edges name their graph: then ids are a graph's own. */
static enum dse_status look_at_edges(const struct dse_text *text, bool *by_graph, struct dse_error *err)
{
    struct rows rows;
    enum dse_status status = begin(text, DSE_EDGELIST_EDGES, &rows, err);
    *by_graph = rows.column[2] < rows.column_count;
    end(&rows);
    return status;
}

enum dse_status dse_edgelist_parse(const char *name, const struct dse_text parts[DSE_EDGELIST_PARTS], struct dse_graph_set **out,
                                   struct dse_error *err)
{
    struct reader reader = {.err = err};
    *out = NULL;
    enum dse_status status = look_at_edges(&parts[DSE_EDGELIST_EDGES], &reader.by_graph, err);
    for (int part = 0; part < DSE_EDGELIST_PARTS && status == DSE_OK; part++)
        status = read_part(&reader, &parts[part], (enum dse_edgelist_part)part);
    if (status == DSE_OK)
        status = dse_assembly_finish(&reader.assembly, name, parts[DSE_EDGELIST_NODES].name, out, err);
    dse_assembly_free(&reader.assembly);
    dse_numbering_free(&reader.graphs);
    dse_numbering_free(&reader.nodes);
    dse_arena_free(&reader.keys);
    return status;
}
