#include "devices/catalogue.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/xml.h"
#include "devices/board_rules.h"
#include "devices/families.h"

#define CATALOGUE_BYTES_MAX ((size_t)1 << 20)

struct reader {
    struct dse_xml *doc;
    struct dse_catalogue *catalogue;
};

static void read_sources(struct reader *in, dse_xml_node parent)
{
    struct dse_board_source *sources = dse_xml_room(in->doc, parent, "source", 0, sizeof *sources);
    if (sources == NULL)
        return;
    in->catalogue->sources = sources;
    for (dse_xml_node n = dse_xml_first(parent, "source"); n != NULL; n = dse_xml_next(n, "source"))
        sources[in->catalogue->source_count++] = (struct dse_board_source){
            .id = dse_xml_keep_need(in->doc, n, "id"),
            .evidence = dse_evidence_names[dse_xml_choice(in->doc, n, "evidence", dse_evidence_names)],
            .text = dse_xml_keep(in->doc, dse_xml_content(in->doc, n))};
}

static const struct dse_board_source *find_source(struct reader *in, dse_xml_node node)
{
    const char *id = dse_xml_need_text(in->doc, node, "source");
    for (size_t i = 0; id != NULL && i < in->catalogue->source_count; i++)
        if (strcmp(in->catalogue->sources[i].id, id) == 0)
            return &in->catalogue->sources[i];
    if (id != NULL)
        dse_xml_problem(in->doc, node, "source", "no source has this id");
    return NULL;
}

static void read_families(struct reader *in, dse_xml_node root)
{
    struct dse_family *families = dse_xml_room(in->doc, root, "family", 0, sizeof *families);
    if (families == NULL)
        return;
    in->catalogue->families = families;
    for (dse_xml_node n = dse_xml_first(root, "family"); n != NULL; n = dse_xml_next(n, "family"))
        families[in->catalogue->family_count++] = (struct dse_family){
            .name = dse_family_names[dse_xml_choice(in->doc, n, "name", dse_family_names)],
            .dsp_type = dse_dsp_names[dse_xml_choice(in->doc, n, "dsp", dse_dsp_names)],
            .process_nm = dse_xml_int(in->doc, n, "process_nm", 1, 1000),
            .static_w_per_lut = dse_xml_real(in->doc, n, "static_uw_per_lut", 0, 1000) * 1e-6,
            .static_low_w_per_lut = dse_xml_real(in->doc, n, "low", 0, 1000) * 1e-6,
            .static_high_w_per_lut = dse_xml_real(in->doc, n, "high", 0, 1000) * 1e-6,
            .like_slow = dse_xml_keep_need(in->doc, n, "like_slow"),
            .like_fast = dse_xml_keep_need(in->doc, n, "like_fast"),
            .source = find_source(in, n)};
}

static void read_memories(struct reader *in, dse_xml_node root)
{
    struct dse_memory_like *memories = dse_xml_room(in->doc, root, "memory", 0, sizeof *memories);
    if (memories == NULL)
        return;
    in->catalogue->memories = memories;
    for (dse_xml_node n = dse_xml_first(root, "memory"); n != NULL; n = dse_xml_next(n, "memory"))
        memories[in->catalogue->memory_count++] = (struct dse_memory_like){
            .kind = (enum dse_memory_kind)dse_xml_choice(in->doc, n, "kind", dse_memory_kind_names),
            .technology = dse_xml_keep_need(in->doc, n, "technology"),
            .board = dse_xml_keep_need(in->doc, n, "board"),
            .memory = dse_xml_keep_need(in->doc, n, "memory"),
            .transfers_hz = dse_xml_real(in->doc, n, "rate_mtps", 1, 100000) * 1e6};
}

static void read_devices(struct reader *in, dse_xml_node root)
{
    struct dse_device *devices = dse_xml_room(in->doc, root, "device", 0, sizeof *devices);
    if (devices == NULL)
        return;
    in->catalogue->devices = devices;
    for (dse_xml_node n = dse_xml_first(root, "device"); n != NULL; n = dse_xml_next(n, "device")) {
        struct dse_device *device = &devices[in->catalogue->device_count++];
        device->name = dse_xml_keep_need(in->doc, n, "name");
        device->family = dse_family_names[dse_xml_choice(in->doc, n, "family", dse_family_names)];
        device->slrs = dse_xml_int(in->doc, n, "slrs", 1, 16);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            device->chip[r] = dse_xml_int(in->doc, n, dse_resource_names[r], 0, DSE_BOARD_COUNT_MAX);
        device->hbm_bytes = dse_xml_int_or(in->doc, n, "hbm_mib", 1, 1 << 24, 0) * (1 << 20);
        device->like = dse_xml_keep_or(in->doc, n, "like", NULL);
        device->source = find_source(in, n);
    }
}

enum dse_status dse_catalogue_open(struct dse_catalogue **out, struct dse_error *err)
{
    struct reader in = {0};
    *out = NULL;
    DSE_TRY(dse_xml_read_shared("catalogue/parts.xml", CATALOGUE_BYTES_MAX, &in.doc, err));
    in.catalogue = dse_calloc(1, sizeof *in.catalogue);
    if (in.catalogue != NULL) {
        dse_xml_node root = dse_xml_root(in.doc, "catalogue");
        dse_xml_keep_in(in.doc, &in.catalogue->arena);
        read_sources(&in, dse_xml_one(in.doc, root, "sources"));
        read_families(&in, root);
        read_memories(&in, root);
        read_devices(&in, root);
    }
    enum dse_status status = in.catalogue != NULL ? dse_xml_verdict(in.doc, err) : dse_fail_memory(err);
    dse_xml_free(in.doc);
    if (status == DSE_OK)
        *out = in.catalogue;
    else
        dse_catalogue_free(in.catalogue);
    return status;
}

void dse_catalogue_free(struct dse_catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    dse_arena_free(&catalogue->arena);
    free(catalogue);
}

/* "7z020clg400-1" of "XC7Z020CLG400-1": the letters of the vendor's line taken off, where they are there. */
static const char *after_line(const char *part)
{
    static const char *const lines[] = {"xqr", "xc", "xa", "xq"}; /* of space first: it begins like defence */
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strncasecmp(part, lines[i], strlen(lines[i])) == 0)
            return part + strlen(lines[i]);
    return part;
}

const struct dse_device *dse_catalogue_device(const struct dse_catalogue *catalogue, const char *part)
{
    const struct dse_device *best = NULL;
    size_t best_length = 0;
    const char *tail = after_line(part);
    for (size_t i = 0; i < catalogue->device_count; i++) {
        const char *name = after_line(catalogue->devices[i].name);
        size_t length = strlen(name);
        if (length > best_length && strncasecmp(name, tail, length) == 0 &&
            !isdigit((unsigned char)tail[length])) {
            best = &catalogue->devices[i];
            best_length = length;
        }
    }
    return best;
}

const struct dse_family *dse_catalogue_family(const struct dse_catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->family_count; i++)
        if (strcmp(catalogue->families[i].name, name) == 0)
            return &catalogue->families[i];
    return NULL;
}

const struct dse_memory_like *dse_catalogue_memory(const struct dse_catalogue *catalogue,
                                                   enum dse_memory_kind kind, const char *technology)
{
    for (size_t i = 0; i < catalogue->memory_count; i++) {
        const struct dse_memory_like *memory = &catalogue->memories[i];
        if (memory->kind == kind &&
            (strcmp(memory->technology, "*") == 0 || strcmp(memory->technology, technology) == 0))
            return memory;
    }
    return NULL;
}

int dse_part_speed_grade(const char *part)
{
    for (const char *dash = strchr(part, '-'); dash != NULL; dash = strchr(dash + 1, '-'))
        if (dash[1] >= '1' && dash[1] <= '3' && !isdigit((unsigned char)dash[2]))
            return dash[1] - '0';
    return 0;
}
