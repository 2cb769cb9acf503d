#include "devices/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/xml.h"

#define FILE_BYTES_MAX (1 << 16)

static const char *keep(struct dse_machines *machines, const char *text)
{
    return dse_arena_strdup(&machines->arena, text != NULL ? text : "");
}

static void read_machine(struct dse_xml *doc, dse_xml_node node, struct dse_machines *out)
{
    static const char *const attributes[] = {"name", "title", "peak_flops", "bandwidth", "power_w", "source", NULL};
    static const char *const none[] = {NULL};
    dse_xml_allow(doc, node, attributes, none);
    out->items[out->count++] = (struct dse_machine){
        .name = keep(out, dse_xml_need_text(doc, node, "name")),
        .title = keep(out, dse_xml_need_text(doc, node, "title")),
        .peak_flops = dse_xml_real(doc, node, "peak_flops", 1.0, 1e18),
        .bandwidth_bytes_per_s = dse_xml_real(doc, node, "bandwidth", 1.0, 1e15),
        .power_w = dse_xml_real(doc, node, "power_w", 0.0, 1e5),
        .source = keep(out, dse_xml_need_text(doc, node, "source"))};
}

static enum dse_status read_document(struct dse_xml *doc, struct dse_machines *out, struct dse_error *err)
{
    static const char *const none[] = {NULL};
    static const char *const children[] = {"machine", NULL};
    dse_xml_node root = dse_xml_root(doc, "machines");
    dse_xml_allow(doc, root, none, children);
    size_t count = 0;
    for (dse_xml_node node = dse_xml_first(root, "machine"); node != NULL; node = dse_xml_next(node, "machine"))
        count++;
    out->items = dse_arena_alloc(&out->arena, count + 1, sizeof *out->items);
    if (out->items == NULL)
        return dse_fail_memory(err);
    for (dse_xml_node node = dse_xml_first(root, "machine"); node != NULL; node = dse_xml_next(node, "machine"))
        read_machine(doc, node, out);
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].name == NULL || out->items[i].title == NULL || out->items[i].source == NULL)
            return dse_fail_memory(err);
    return dse_xml_verdict(doc, err);
}

enum dse_status dse_machines_open(struct dse_machines *out, struct dse_error *err)
{
    *out = (struct dse_machines){0};
    struct dse_xml *doc = NULL;
    char *path = NULL;
    enum dse_status status = dse_share_find("machines/table5.xml", &path, err);
    if (status == DSE_OK)
        status = dse_xml_read_file(path, FILE_BYTES_MAX, &doc, err);
    if (status == DSE_OK)
        status = read_document(doc, out, err);
    dse_xml_free(doc);
    free(path);
    if (status != DSE_OK)
        dse_machines_free(out);
    return status;
}

void dse_machines_free(struct dse_machines *machines)
{
    dse_arena_free(&machines->arena);
    *machines = (struct dse_machines){0};
}

const struct dse_machine *dse_machines_find(const struct dse_machines *machines, const char *name)
{
    for (size_t i = 0; i < machines->count; i++)
        if (strcmp(machines->items[i].name, name) == 0)
            return &machines->items[i];
    return NULL;
}

double dse_machine_seconds(const struct dse_machine *machine, double operations, double bytes)
{
    return fmax(operations / machine->peak_flops, bytes / machine->bandwidth_bytes_per_s);
}
