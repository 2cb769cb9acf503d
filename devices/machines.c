#include "devices/machines.h"

#include <math.h>
#include <string.h>

#include "core/xml.h"

#define FILE_BYTES_MAX (1 << 16)

static void read_machine(struct dse_xml *doc, dse_xml_node node, struct dse_machines *out)
{
    static const char *const attributes[] = {"name", "title", "peak_flops", "bandwidth", "power_w", "source", NULL};
    static const char *const none[] = {NULL};
    dse_xml_allow(doc, node, attributes, none);
    out->items[out->count++] = (struct dse_machine){
        .name = dse_xml_keep_need(doc, node, "name"),
        .title = dse_xml_keep_need(doc, node, "title"),
        .peak_flops = dse_xml_real(doc, node, "peak_flops", 1.0, 1e18),
        .bandwidth_bytes_per_s = dse_xml_real(doc, node, "bandwidth", 1.0, 1e15),
        .power_w = dse_xml_real(doc, node, "power_w", 0.0, 1e5),
        .source = dse_xml_keep_need(doc, node, "source")};
}

static void read_root(struct dse_xml *doc, struct dse_machines *out)
{
    static const char *const none[] = {NULL};
    static const char *const children[] = {"machine", NULL};
    dse_xml_node root = dse_xml_root(doc, "machines"), node = dse_xml_first(root, "machine");
    dse_xml_keep_in(doc, &out->arena);
    dse_xml_allow(doc, root, none, children);
    out->items = dse_xml_room(doc, root, "machine", 0, sizeof *out->items);
    for (; out->items != NULL && node != NULL; node = dse_xml_next(node, "machine"))
        read_machine(doc, node, out);
}

enum dse_status dse_machines_open(struct dse_machines *out, struct dse_error *err)
{
    *out = (struct dse_machines){0};
    struct dse_xml *doc = NULL;
    DSE_TRY(dse_xml_read_shared("machines/table5.xml", FILE_BYTES_MAX, &doc, err));
    read_root(doc, out);
    enum dse_status status = dse_xml_verdict(doc, err);
    dse_xml_free(doc);
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
