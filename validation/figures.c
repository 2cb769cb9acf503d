/* The data file of a family: what is simulated, what was published, what was fitted to it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "validation/validation.h"

#define FILE_BYTES_MAX (1 << 20)

static const char *const none[] = {NULL};

static const char *keep(struct dse_validation_data *data, const char *text)
{
    return text != NULL ? dse_arena_strdup(&data->arena, text) : dse_arena_strdup(&data->arena, "");
}

static size_t count_of(dse_xml_node root, const char *name)
{
    size_t count = 0;
    for (dse_xml_node node = dse_xml_first(root, name); node != NULL; node = dse_xml_next(node, name))
        count++;
    return count;
}

static void read_row(struct dse_xml *doc, dse_xml_node node, struct dse_validation_data *data)
{
    static const char *const attributes[] = {"what", "dataset", "variant", "machine", "value", "source", NULL};
    dse_xml_allow(doc, node, attributes, none);
    data->published[data->published_count++] = (struct dse_published){
        .what = keep(data, dse_xml_need_text(doc, node, "what")),
        .dataset = keep(data, dse_xml_need_text(doc, node, "dataset")),
        .variant = keep(data, dse_xml_text(doc, node, "variant")),
        .machine = keep(data, dse_xml_text(doc, node, "machine")),
        .source = keep(data, dse_xml_need_text(doc, node, "source")),
        .value = dse_xml_real(doc, node, "value", 0.0, 1e15),
    };
}

static void read_set(struct dse_xml *doc, dse_xml_node node, struct dse_validation_data *data)
{
    static const char *const attributes[] = {"dataset", "dpp", NULL};
    dse_xml_allow(doc, node, attributes, none);
    data->sets[data->set_count++] = (struct dse_published_set){
        .dataset = keep(data, dse_xml_need_text(doc, node, "dataset")),
        .dpp = keep(data, dse_xml_need_text(doc, node, "dpp"))};
}

static void read_plan(struct dse_xml *doc, dse_xml_node node, struct dse_validation_data *data)
{
    static const char *const attributes[] = {"name", "set", NULL};
    dse_xml_allow(doc, node, attributes, none);
    data->plans[data->plan_count++] = (struct dse_published_plan){.name = keep(data, dse_xml_need_text(doc, node, "name")),
                                                                  .set = keep(data, dse_xml_need_text(doc, node, "set"))};
}

static void read_constants(struct dse_xml *doc, dse_xml_node node, const char *without, struct dse_validation_data *data)
{
    data->fits[data->fit_count++] = (struct dse_published_fit){
        .without = keep(data, without),
        .seconds = dse_xml_real(doc, node, "seconds", 0.0, 1.0),
        .seconds_low = dse_xml_real(doc, node, "seconds_low", 0.0, 1.0),
        .seconds_high = dse_xml_real(doc, node, "seconds_high", 0.0, 1.0),
        .activity = dse_xml_real(doc, node, "activity", 0.0, 100.0),
        .activity_low = dse_xml_real(doc, node, "activity_low", 0.0, 100.0),
        .activity_high = dse_xml_real(doc, node, "activity_high", 0.0, 100.0)};
}

#define CONSTANTS "seconds", "seconds_low", "seconds_high", "activity", "activity_low", "activity_high"

static void read_fit(struct dse_xml *doc, dse_xml_node node, struct dse_validation_data *data)
{
    static const char *const attributes[] = {"quantity", "seconds_means", "activity_means", CONSTANTS, NULL};
    static const char *const left_out[] = {"dataset", CONSTANTS, NULL};
    static const char *const children[] = {"without", NULL};
    dse_xml_allow(doc, node, attributes, children);
    data->quantity = keep(data, dse_xml_need_text(doc, node, "quantity"));
    data->seconds_means = keep(data, dse_xml_need_text(doc, node, "seconds_means"));
    data->activity_means = keep(data, dse_xml_need_text(doc, node, "activity_means"));
    read_constants(doc, node, "", data);
    for (dse_xml_node child = dse_xml_first(node, "without"); child != NULL; child = dse_xml_next(child, "without")) {
        dse_xml_allow(doc, child, left_out, none);
        read_constants(doc, child, dse_xml_need_text(doc, child, "dataset"), data);
    }
}

static void read_memory(struct dse_xml *doc, dse_xml_node node, struct dse_validation_data *data)
{
    static const char *const attributes[] = {"bandwidth", "efficiency_low", "port_bits", "burst_beats", NULL};
    dse_xml_allow(doc, node, attributes, none);
    data->bandwidth_bytes_per_s = dse_xml_real(doc, node, "bandwidth", 1.0, 1e15);
    data->efficiency_low = dse_xml_real(doc, node, "efficiency_low", 0.01, 1.0);
    data->port_bits = dse_xml_int(doc, node, "port_bits", 8, 4096);
    data->burst_beats = dse_xml_int(doc, node, "burst_beats", 1, 256);
}

static bool make_room(struct dse_validation_data *out, dse_xml_node root)
{
    out->published = dse_arena_alloc(&out->arena, count_of(root, "row") + 1, sizeof *out->published);
    out->sets = dse_arena_alloc(&out->arena, count_of(root, "set") + 1, sizeof *out->sets);
    out->fits = dse_arena_alloc(&out->arena, count_of(dse_xml_first(root, "fit"), "without") + 2, sizeof *out->fits);
    out->plans = dse_arena_alloc(&out->arena, count_of(root, "design") + 1, sizeof *out->plans);
    return out->plans != NULL && out->published != NULL && out->sets != NULL && out->fits != NULL;
}

/* Which knobs are drawn for the simulation. */
static void read_drawn(struct dse_xml *doc, dse_xml_node root, struct dse_validation_data *out)
{
    out->board = keep(out, dse_xml_need_text(doc, root, "board"));
    out->simulated = keep(out, dse_xml_need_text(doc, dse_xml_one(doc, root, "simulated"), "knobs"));
    out->algorithmic = keep(out, dse_xml_need_text(doc, dse_xml_one(doc, root, "algorithmic"), "knobs"));
    out->trained = keep(out, dse_xml_need_text(doc, dse_xml_one(doc, root, "trained"), "knobs"));
}

/* Of a file of columns (validation/columns.h) what is drawn alone. */
static enum dse_status read_document(struct dse_xml *doc, const char *family, struct dse_validation_data *out,
                                     struct dse_error *err)
{
    static const char *const attributes[] = {"family", "board", NULL};
    static const char *const children[] = {"memory", "simulated", "trained", "algorithmic", "set", "design", "fit", "row", NULL};
    dse_xml_node root = dse_xml_root(doc, NULL);
    if (root != NULL && strcmp(dse_xml_name(root), "columns") == 0) {
        read_drawn(doc, root, out);
        return dse_xml_verdict(doc, err);
    }
    root = dse_xml_root(doc, "validation");
    dse_xml_allow(doc, root, attributes, children);
    const char *of = dse_xml_need_text(doc, root, "family");
    if (of != NULL && strcmp(of, family) != 0)
        dse_xml_problem(doc, root, "family", "must be %s", family);
    read_drawn(doc, root, out);
    if (!make_room(out, root))
        return dse_fail_memory(err);
    read_memory(doc, dse_xml_one(doc, root, "memory"), out);
    read_fit(doc, dse_xml_one(doc, root, "fit"), out);
    for (dse_xml_node node = dse_xml_first(root, "set"); node != NULL; node = dse_xml_next(node, "set"))
        read_set(doc, node, out);
    for (dse_xml_node node = dse_xml_first(root, "design"); node != NULL; node = dse_xml_next(node, "design"))
        read_plan(doc, node, out);
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

double dse_published_value(const struct dse_validation_data *data, const char *what, const char *dataset,
                           const char *variant, const char *machine)
{
    for (size_t i = 0; i < data->published_count; i++) {
        const struct dse_published *row = &data->published[i];
        if (strcmp(row->what, what) == 0 && strcmp(row->dataset, dataset) == 0 && strcmp(row->variant, variant) == 0 &&
            strcmp(row->machine, machine) == 0)
            return row->value;
    }
    return NAN;
}
