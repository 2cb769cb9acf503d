/* The data file of a family whose published designs are the columns of a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "validation/columns.h"

#define FILE_BYTES_MAX (1 << 20)

static const char *keep(struct dse_columns *columns, const char *text)
{
    return dse_arena_strdup(&columns->arena, text != NULL ? text : "");
}

static const char *keep_or(struct dse_columns *columns, const char *text, const char *other)
{
    return text != NULL ? keep(columns, text) : other;
}

static size_t count_of(dse_xml_node parent, const char *name)
{
    size_t count = 0;
    for (dse_xml_node node = dse_xml_first(parent, name); node != NULL; node = dse_xml_next(node, name))
        count++;
    return count;
}

static bool is_metric(const char *key)
{
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        if (strcmp(dse_metrics[m].key, key) == 0)
            return true;
    return strcmp(key, "fits") == 0 || strcmp(key, "kernel_w") == 0;
}

static void read_figure(struct dse_xml *doc, dse_xml_node node, struct dse_columns *columns, struct dse_column *column)
{
    static const char *const attributes[] = {"what", "metric", "set", "value", "source", "note", "fit", NULL};
    static const char *const none[] = {NULL}, *const no_yes[] = {"no", "yes", NULL};
    dse_xml_allow(doc, node, attributes, none);
    struct dse_column_figure *figure = &column->figures[column->figure_count++];
    figure->what = keep(columns, dse_xml_need_text(doc, node, "what"));
    figure->metric = keep_or(columns, dse_xml_text(doc, node, "metric"), figure->what);
    figure->set = keep(columns, dse_xml_text(doc, node, "set"));
    figure->source = keep(columns, dse_xml_need_text(doc, node, "source"));
    figure->note = keep(columns, dse_xml_text(doc, node, "note"));
    figure->value = dse_xml_real_or(doc, node, "value", 0.0, 1e15, NAN);
    figure->fitted_to = dse_xml_has(node, "fit") && dse_xml_choice(doc, node, "fit", no_yes) == 1;
    if (figure->metric != NULL && !is_metric(figure->metric))
        dse_xml_problem(doc, node, "metric", "must be a metric's key, fits or kernel_w");
}

static enum dse_status read_column(struct dse_xml *doc, dse_xml_node node, struct dse_columns *columns,
                                   struct dse_error *err)
{
    static const char *const attributes[] = {"name", "board", "set", NULL}, *const children[] = {"figure", NULL};
    dse_xml_allow(doc, node, attributes, children);
    struct dse_column *column = &columns->columns[columns->column_count++];
    column->name = keep(columns, dse_xml_need_text(doc, node, "name"));
    column->board = keep_or(columns, dse_xml_text(doc, node, "board"), columns->board);
    column->set = keep(columns, dse_xml_text(doc, node, "set"));
    column->figures = dse_arena_alloc(&columns->arena, count_of(node, "figure") + 1, sizeof *column->figures);
    if (column->figures == NULL)
        return dse_fail_memory(err);
    for (dse_xml_node child = dse_xml_first(node, "figure"); child != NULL; child = dse_xml_next(child, "figure"))
        read_figure(doc, child, columns, column);
    return DSE_OK;
}

static enum dse_status read_root(struct dse_xml *doc, dse_xml_node root, const char *family, struct dse_columns *out,
                                 struct dse_error *err)
{
    static const char *const attributes[] = {"family", "board", "profile", NULL}, *const children[] = {"simulated", "algorithmic", "trained", "column", NULL};
    dse_xml_allow(doc, root, attributes, children); /* what is drawn for the simulation: figures.c */
    const char *of = dse_xml_need_text(doc, root, "family");
    if (of != NULL && strcmp(of, family) != 0)
        dse_xml_problem(doc, root, "family", "must be %s", family);
    out->family = keep(out, of);
    out->board = keep(out, dse_xml_need_text(doc, root, "board"));
    out->profile = keep(out, dse_xml_need_text(doc, root, "profile"));
    out->columns = dse_arena_alloc(&out->arena, count_of(root, "column") + 1, sizeof *out->columns);
    DSE_TRY(out->columns == NULL ? dse_fail_memory(err) : DSE_OK);
    dse_xml_node node = dse_xml_first(root, "column");
    for (; node != NULL; node = dse_xml_next(node, "column"))
        DSE_TRY(read_column(doc, node, out, err));
    return dse_xml_verdict(doc, err);
}

enum dse_status dse_columns_open(const char *family, struct dse_columns *out, struct dse_error *err)
{
    *out = (struct dse_columns){0};
    struct dse_strbuf name = {0};
    struct dse_xml *doc = NULL;
    char *path = NULL;
    struct dse_error nowhere;
    dse_strbuf_printf(&name, "published/%s.xml", family);
    if (name.failed || dse_share_find(dse_strbuf_text(&name), &path, &nowhere) != DSE_OK) {
        dse_strbuf_free(&name);
        return DSE_OK;
    }
    enum dse_status status = dse_xml_read_file(path, FILE_BYTES_MAX, &doc, err);
    dse_xml_node root = status == DSE_OK ? dse_xml_root(doc, "columns") : NULL;
    if (root != NULL)
        status = read_root(doc, root, family, out, err);
    dse_xml_free(doc);
    free(path);
    dse_strbuf_free(&name);
    if (status != DSE_OK)
        dse_columns_free(out);
    return status;
}

void dse_columns_free(struct dse_columns *columns)
{
    dse_arena_free(&columns->arena);
    *columns = (struct dse_columns){0};
}
