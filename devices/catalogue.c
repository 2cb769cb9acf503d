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

#define AT(type, member) offsetof(struct type, member)

static const struct dse_xml_field source_fields[] = {
    {.attribute = "id", DSE_XML_TEXT, AT(dse_board_source, id)},
    {.attribute = "evidence", DSE_XML_WORD, AT(dse_board_source, evidence), .names = dse_evidence_names}, {0}};
static const struct dse_xml_field family_fields[] = {
    {.attribute = "name", DSE_XML_WORD, AT(dse_family, name), .names = dse_family_names},
    {.attribute = "dsp", DSE_XML_WORD, AT(dse_family, dsp_type), .names = dse_dsp_names},
    {.attribute = "process_nm", DSE_XML_WHOLE, AT(dse_family, process_nm), 1, 1000},
    {.attribute = "static_uw_per_lut", DSE_XML_NUMBER, AT(dse_family, static_w_per_lut), 0, 1000, 1e-6},
    {.attribute = "low", DSE_XML_NUMBER, AT(dse_family, static_low_w_per_lut), 0, 1000, 1e-6},
    {.attribute = "high", DSE_XML_NUMBER, AT(dse_family, static_high_w_per_lut), 0, 1000, 1e-6},
    {.attribute = "like_slow", DSE_XML_TEXT, AT(dse_family, like_slow)},
    {.attribute = "like_fast", DSE_XML_TEXT, AT(dse_family, like_fast)}, {.attribute = "source"}, {0}};
static const struct dse_xml_field memory_fields[] = {
    {.attribute = "kind", DSE_XML_CHOICE, AT(dse_memory_like, kind), .names = dse_memory_kind_names},
    {.attribute = "technology", DSE_XML_TEXT, AT(dse_memory_like, technology)},
    {.attribute = "board", DSE_XML_TEXT, AT(dse_memory_like, board)},
    {.attribute = "memory", DSE_XML_TEXT, AT(dse_memory_like, memory)},
    {.attribute = "rate_mtps", DSE_XML_NUMBER, AT(dse_memory_like, transfers_hz), 1, 100000, 1e6}, {0}};
#define COUNT(name, resource) {.attribute = name, DSE_XML_WHOLE, AT(dse_device, chip[resource]), 0, DSE_BOARD_COUNT_MAX}
static const struct dse_xml_field device_fields[] = {
    {.attribute = "name", DSE_XML_TEXT, AT(dse_device, name)},
    {.attribute = "family", DSE_XML_WORD, AT(dse_device, family), .names = dse_family_names},
    {.attribute = "slrs", DSE_XML_WHOLE, AT(dse_device, slrs), 1, 16}, COUNT("bram18", DSE_BRAM18), COUNT("uram", DSE_URAM), COUNT("dsp", DSE_DSP),
    COUNT("lut", DSE_LUT), COUNT("ff", DSE_FF), COUNT("lutram", DSE_LUTRAM),
    {.attribute = "hbm_mib", DSE_XML_WHOLE, AT(dse_device, hbm_bytes), 1, 1 << 24, 1 << 20, .optional = true},
    {.attribute = "like", DSE_XML_TEXT, AT(dse_device, like), .optional = true}, {.attribute = "source"}, {0}};

/* The elements of a name, as a list in the catalogue's arena. */
static void *read_list(struct dse_xml *doc, dse_xml_node parent, const char *name, const struct dse_xml_field *fields, size_t size,
                       size_t *count)
{
    char *items = dse_xml_room(doc, parent, name, 0, size);
    for (dse_xml_node n = dse_xml_first(parent, name); n != NULL; n = dse_xml_next(n, name))
        dse_xml_read_fields(doc, n, fields, NULL, items + (*count)++ * size);
    return items;
}

static const struct dse_board_source *find_source(struct dse_xml *doc, const struct dse_catalogue *catalogue, dse_xml_node node)
{
    const char *id = dse_xml_need_text(doc, node, "source");
    for (size_t i = 0; id != NULL && i < catalogue->source_count; i++)
        if (strcmp(catalogue->sources[i].id, id) == 0)
            return &catalogue->sources[i];
    if (id != NULL)
        dse_xml_problem(doc, node, "source", "no <source> has this id");
    return NULL;
}

static void read_root(struct dse_xml *doc, dse_xml_node root, struct dse_catalogue *out)
{
    dse_xml_node of = dse_xml_one(doc, root, "sources");
    struct dse_board_source *source = read_list(doc, of, "source", source_fields, sizeof *source, &out->source_count);
    out->sources = source;
    for (dse_xml_node n = dse_xml_first(of, "source"); n != NULL; n = dse_xml_next(n, "source"))
        source++->text = dse_xml_keep(doc, dse_xml_content(doc, n));
    struct dse_family *family = read_list(doc, root, "family", family_fields, sizeof *family, &out->family_count);
    out->families = family;
    for (dse_xml_node n = dse_xml_first(root, "family"); n != NULL; n = dse_xml_next(n, "family"))
        family++->source = find_source(doc, out, n);
    out->memories = read_list(doc, root, "memory", memory_fields, sizeof *out->memories, &out->memory_count);
    struct dse_device *device = read_list(doc, root, "device", device_fields, sizeof *device, &out->device_count);
    out->devices = device;
    for (dse_xml_node n = dse_xml_first(root, "device"); n != NULL; n = dse_xml_next(n, "device"))
        device++->source = find_source(doc, out, n);
}

enum dse_status dse_catalogue_open(struct dse_catalogue **out, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = NULL;
    DSE_TRY(dse_xml_read_shared("catalogue/parts.xml", CATALOGUE_BYTES_MAX, &doc, err));
    struct dse_catalogue *catalogue = dse_calloc(1, sizeof *catalogue);
    dse_xml_keep_in(doc, &catalogue->arena);
    read_root(doc, dse_xml_root(doc, "catalogue"), catalogue);
    enum dse_status status = dse_xml_verdict(doc, err);
    if (status == DSE_OK)
        *out = catalogue;
    else
        dse_catalogue_free(catalogue);
    return status;
}

void dse_catalogue_free(struct dse_catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    dse_arena_free(&catalogue->arena);
    free(catalogue);
}

/* "7z020clg400-1" of "XC7Z020CLG400-1": the name without the letters of the vendor's line, if it has them. */
static const char *after_line(const char *part)
{
    static const char *const lines[] = {"xqr", "xc", "xa", "xq"}; /* space grade first, because defence grade is a prefix of it */
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
