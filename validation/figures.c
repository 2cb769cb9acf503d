/* The data file of a family: what is simulated, what was published. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "validation/validation.h"

#define FILE_BYTES_MAX (1 << 20)

static const char *keep(struct dse_validation_data *data, const char *text)
{
    return text != NULL ? dse_arena_strdup(&data->arena, text) : dse_arena_strdup(&data->arena, "");
}

static void read_row(struct dse_xml *doc, dse_xml_node node, struct dse_validation_data *data)
{
    static const char *const attributes[] = {"what", "dataset", "variant", "set", "value", "source", NULL};
    static const char *const none[] = {NULL};
    dse_xml_allow(doc, node, attributes, none);
    data->published[data->published_count++] = (struct dse_published){
        .what = keep(data, dse_xml_need_text(doc, node, "what")),
        .dataset = keep(data, dse_xml_need_text(doc, node, "dataset")),
        .variant = keep(data, dse_xml_text(doc, node, "variant")),
        .set = keep(data, dse_xml_text(doc, node, "set")),
        .source = keep(data, dse_xml_need_text(doc, node, "source")),
        .value = dse_xml_real(doc, node, "value", 0.0, 1e15),
    };
}

static enum dse_status read_document(struct dse_xml *doc, const char *family, struct dse_validation_data *out,
                                     struct dse_error *err)
{
    static const char *const attributes[] = {"family", "board", "bandwidth", NULL};
    static const char *const children[] = {"simulated", "trained", "algorithmic", "row", NULL};
    dse_xml_node root = dse_xml_root(doc, "validation");
    dse_xml_allow(doc, root, attributes, children);
    const char *of = dse_xml_need_text(doc, root, "family");
    if (of != NULL && strcmp(of, family) != 0)
        dse_xml_problem(doc, root, "family", "must be %s", family);
    out->board = keep(out, dse_xml_need_text(doc, root, "board"));
    out->bandwidth_bytes_per_s = dse_xml_real(doc, root, "bandwidth", 1.0, 1e15);
    out->simulated = keep(out, dse_xml_need_text(doc, dse_xml_one(doc, root, "simulated"), "knobs"));
    out->algorithmic = keep(out, dse_xml_need_text(doc, dse_xml_one(doc, root, "algorithmic"), "knobs"));
    out->trained = keep(out, dse_xml_need_text(doc, dse_xml_one(doc, root, "trained"), "knobs"));
    size_t rows = 0;
    for (dse_xml_node node = dse_xml_first(root, "row"); node != NULL; node = dse_xml_next(node, "row"))
        rows++;
    out->published = dse_arena_alloc(&out->arena, rows + 1, sizeof *out->published);
    if (out->published == NULL)
        return dse_fail_memory(err);
    for (dse_xml_node node = dse_xml_first(root, "row"); node != NULL; node = dse_xml_next(node, "row"))
        read_row(doc, node, out);
    return dse_xml_verdict(doc, err);
}

enum dse_status dse_validation_data_open(const char *family, struct dse_validation_data *out, struct dse_error *err)
{
    *out = (struct dse_validation_data){0};
    struct dse_strbuf name = {0};
    struct dse_xml *doc = NULL;
    char *path = NULL;
    dse_strbuf_printf(&name, "published/%s.xml", family);
    enum dse_status status = name.failed ? dse_fail_memory(err) : dse_share_find(dse_strbuf_text(&name), &path, err);
    if (status == DSE_OK)
        status = dse_xml_read_file(path, FILE_BYTES_MAX, &doc, err);
    if (status == DSE_OK)
        status = read_document(doc, family, out, err);
    dse_xml_free(doc);
    free(path);
    dse_strbuf_free(&name);
    if (status != DSE_OK)
        dse_validation_data_free(out);
    return status;
}

void dse_validation_data_free(struct dse_validation_data *data)
{
    dse_arena_free(&data->arena);
    *data = (struct dse_validation_data){0};
}
