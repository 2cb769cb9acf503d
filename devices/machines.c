#include "devices/machines.h"

#include <math.h>
#include <string.h>

#include "core/xml.h"

#define FILE_BYTES_MAX (1 << 16)

static const char *const no_yes[] = {"no", "yes", NULL};

#define AT(member) offsetof(struct dse_machine, member)
static const struct dse_xml_field fields[] = {
    {.attribute = "name", DSE_XML_TEXT, AT(name)},
    {.attribute = "title", DSE_XML_TEXT, AT(title)},
    {.attribute = "peak_flops", DSE_XML_NUMBER, AT(peak_flops), 1, 1e18},
    {.attribute = "bandwidth", DSE_XML_NUMBER, AT(bandwidth_bytes_per_s), 1, 1e15},
    {.attribute = "power_w", DSE_XML_NUMBER, AT(power_w), 0, 1e5},
    {.attribute = "kind", DSE_XML_TEXT, AT(kind)},
    {.attribute = "drawn", DSE_XML_OTHER},
    {.attribute = "source", DSE_XML_TEXT, AT(source)}, {0}};

enum dse_status dse_machines_open(struct dse_machines *out, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = (struct dse_machines){0};
    DSE_TRY(dse_xml_read_shared("machines/machines.xml", FILE_BYTES_MAX, &doc, err));
    dse_xml_node root = dse_xml_root(doc, "machines");
    dse_xml_keep_in(doc, &out->arena);
    out->items = dse_xml_room(doc, root, "machine", 0, sizeof *out->items);
    for (dse_xml_node n = dse_xml_first(root, "machine"); n != NULL; n = dse_xml_next(n, "machine")) {
        out->items[out->count].drawn = dse_xml_has(n, "drawn") && dse_xml_choice(doc, n, "drawn", no_yes) == 1;
        dse_xml_read_fields(doc, n, fields, NULL, &out->items[out->count++]);
    }
    enum dse_status status = dse_xml_verdict(doc, err);
    if (status != DSE_OK)
        dse_machines_free(out);
    return status;
}

void dse_machines_free(struct dse_machines *machines)
{
    dse_arena_free(&machines->arena);
    *machines = (struct dse_machines){0};
}

void dse_machines_keep_drawn(struct dse_machines *machines)
{
    size_t kept = 0;
    for (size_t i = 0; i < machines->count; i++)
        if (machines->items[i].drawn)
            machines->items[kept++] = machines->items[i];
    machines->count = kept;
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
