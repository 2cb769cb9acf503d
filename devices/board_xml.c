/* Board files, read and written by the same tables, which cover all of devices/schema/board.xsd; and the rules between values that a schema cannot
 * express. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "devices/board.h"
#include "devices/board_rules.h"
#include "devices/families.h"

#define MIB ((double)(1 << 20))
#define AT(type, member) offsetof(struct type, member)
#define SOURCE {.attribute = "source", .optional = true} /* read together with its value */

/* A row for each resource, of an array of the structure. */
#define RESOURCES(kind, type, member, lut_least, most)                                                                       \
    {.attribute = "bram18", kind, AT(type, member[DSE_BRAM18]), 0, most}, {.attribute = "uram", kind, AT(type, member[DSE_URAM]), 0, most},            \
    {.attribute = "dsp", kind, AT(type, member[DSE_DSP]), 0, most}, {.attribute = "lut", kind, AT(type, member[DSE_LUT]), lut_least, most},            \
    {.attribute = "ff", kind, AT(type, member[DSE_FF]), lut_least, most}, {.attribute = "lutram", kind, AT(type, member[DSE_LUTRAM]), 0, most}

static const struct dse_xml_field source_fields[] = {
    {.attribute = "id", DSE_XML_WORDS, AT(dse_board_source, id)},
    {.attribute = "evidence", DSE_XML_WORD, AT(dse_board_source, evidence), .names = dse_evidence_names}, {0}};
static const struct dse_xml_field alternative_fields[] = {
    {.attribute = "value", DSE_XML_WORDS, AT(dse_board_alternative, value)}, {.attribute = "why", DSE_XML_WORDS, AT(dse_board_alternative, why)}, SOURCE, {0}};
static const struct dse_xml_field part_fields[] = {
    {.attribute = "name", DSE_XML_WORDS, AT(dse_board, part)},
    {.attribute = "family", DSE_XML_WORD, AT(dse_board, family), .names = dse_family_names},
    {.attribute = "dsp", DSE_XML_WORD, AT(dse_board, dsp_type), .names = dse_dsp_names},
    {.attribute = "process_nm", DSE_XML_WHOLE, AT(dse_board, process_nm), 1, 1000},
    {.attribute = "slrs", DSE_XML_WHOLE, AT(dse_board, slrs), 1, 16}, SOURCE, {0}};
static const struct dse_xml_field chip_fields[] = {RESOURCES(DSE_XML_WHOLE, dse_board, chip, 1, DSE_BOARD_COUNT_MAX), SOURCE, {0}};
static const struct dse_xml_field platform_fields[] = {RESOURCES(DSE_XML_WHOLE, dse_board, platform, 0, DSE_BOARD_COUNT_MAX), SOURCE, {0}};
static const struct dse_xml_field headroom_fields[] = {RESOURCES(DSE_XML_NUMBER, dse_board, headroom, 0, 0.99), SOURCE, {0}};
static const struct dse_xml_field memory_fields[] = {
    {.attribute = "name", DSE_XML_WORDS, AT(dse_memory, name)},
    {.attribute = "kind", DSE_XML_CHOICE, AT(dse_memory, kind), .names = dse_memory_kind_names},
    {.attribute = "technology", DSE_XML_WORDS, AT(dse_memory, technology)},
    {.attribute = "channels", DSE_XML_WHOLE, AT(dse_memory, channels), 1, 1024},
    {.attribute = "width_bits", DSE_XML_WHOLE, AT(dse_memory, width_bits), 8, 4096}, {.attribute = "fitted", .optional = true}, SOURCE, {0}};
static const struct dse_xml_field rate_fields[] = {
    {.attribute = "preset_mtps", DSE_XML_NUMBER, AT(dse_memory, preset_transfers_hz), 1, 100000, 1e6},
    {.attribute = "nominal_mtps", DSE_XML_NUMBER, AT(dse_memory, nominal_transfers_hz), 1, 100000, 1e6}, SOURCE, {0}};
static const struct dse_xml_field efficiency_fields[] = {
    {.attribute = "share", DSE_XML_NUMBER, AT(dse_memory, efficiency), 0.01, 1},
    {.attribute = "low", DSE_XML_NUMBER, AT(dse_memory, efficiency_low), 0.01, 1},
    {.attribute = "high", DSE_XML_NUMBER, AT(dse_memory, efficiency_high), 0.01, 1}, SOURCE, {0}};
static const struct dse_xml_field latency_fields[] = {
    {.attribute = "read_ns", DSE_XML_NUMBER, AT(dse_memory, read_latency_s), 0, 1e6, 1e-9},
    {.attribute = "low_ns", DSE_XML_NUMBER, AT(dse_memory, read_latency_low_s), 0, 1e6, 1e-9},
    {.attribute = "high_ns", DSE_XML_NUMBER, AT(dse_memory, read_latency_high_s), 0, 1e6, 1e-9}, SOURCE, {0}};
static const struct dse_xml_field capacity_fields[] = {
    {.attribute = "mib", DSE_XML_WHOLE, AT(dse_memory, capacity_bytes), 1, 1 << 24, MIB}, SOURCE, {0}};
static const struct dse_xml_field energy_fields[] = {
    {.attribute = "pj_per_bit", DSE_XML_NUMBER, AT(dse_memory, energy_j_per_bit), 0, 1e4, 1e-12},
    {.attribute = "low", DSE_XML_NUMBER, AT(dse_memory, energy_low_j_per_bit), 0, 1e4, 1e-12},
    {.attribute = "high", DSE_XML_NUMBER, AT(dse_memory, energy_high_j_per_bit), 0, 1e4, 1e-12}, SOURCE, {0}};
static const struct dse_xml_field port_fields[] = {
    {.attribute = "name", DSE_XML_WORDS, AT(dse_port, name)},
    {.attribute = "memory", DSE_XML_WORDS, AT(dse_port, memory)},
    {.attribute = "count", DSE_XML_WHOLE, AT(dse_port, count), 1, 1024},
    {.attribute = "width_bits", DSE_XML_WHOLE, AT(dse_port, width_bits), 8, 4096},
    {.attribute = "max_burst_beats", DSE_XML_WHOLE, AT(dse_port, max_burst_beats), 1, 256}, SOURCE, {0}};
static const struct dse_xml_field clock_fields[] = {
    {.attribute = "default_mhz", DSE_XML_NUMBER, AT(dse_board, default_clock_hz), 1, 5000, 1e6},
    {.attribute = "max_mhz", DSE_XML_NUMBER, AT(dse_board, max_clock_hz), 1, 5000, 1e6}, SOURCE, {0}};
static const struct dse_xml_field input_fields[] = {
    {.attribute = "name", DSE_XML_WORDS, AT(dse_clock_input, name)},
    {.attribute = "mhz", DSE_XML_NUMBER, AT(dse_clock_input, clock_hz), 0.001, 5000, 1e6}, SOURCE, {0}};
static const struct dse_xml_field cap_fields[] = {
    {.attribute = "mhz", DSE_XML_NUMBER, AT(dse_clock_cap, clock_hz), 1, 5000, 1e6}, RESOURCES(DSE_XML_NUMBER, dse_clock_cap, utilisation, 0, 1), SOURCE, {0}};
static const struct dse_xml_field static_fields[] = {
    {.attribute = "w", DSE_XML_NUMBER, AT(dse_board, static_power_w), 0, 1000},
    {.attribute = "low_w", DSE_XML_NUMBER, AT(dse_board, static_power_low_w), 0, 1000},
    {.attribute = "high_w", DSE_XML_NUMBER, AT(dse_board, static_power_high_w), 0, 1000}, SOURCE, {0}};
static const struct dse_xml_field ps_fields[] = {
    {.attribute = "w", DSE_XML_NUMBER, AT(dse_board, ps_power_w), 0, 1000},
    {.attribute = "low_w", DSE_XML_NUMBER, AT(dse_board, ps_power_low_w), 0, 1000},
    {.attribute = "high_w", DSE_XML_NUMBER, AT(dse_board, ps_power_high_w), 0, 1000}, SOURCE, {0}};
static const char *const links[] = {"card", "ethernet", NULL};
static const struct dse_xml_field root_fields[] = {
    {.attribute = "version", DSE_XML_OTHER}, {.attribute = "name", DSE_XML_WORDS, AT(dse_board, name)}, {.attribute = "title", DSE_XML_WORDS, AT(dse_board, title)},
    {.attribute = "link", DSE_XML_CHOICE, AT(dse_board, link), .names = links, .optional = true}, {.attribute = "aliases", .optional = true}, {.attribute = "noNamespaceSchemaLocation", .optional = true}, {0}};

/* An element with values, within another: the name of its fact is the outer element's followed by its own. A band is a value with low ≤ value ≤ high. */
struct element {
    const char *name, *fact;
    const struct dse_xml_field *fields;
    bool band;
};
static const struct element memory_elements[] = {{"rate", " rate", rate_fields, false}, {"efficiency", " efficiency", efficiency_fields, true},
                                                 {"latency", " latency", latency_fields, true}, {"capacity", " capacity", capacity_fields, false},
                                                 {"energy", " energy", energy_fields, true}};
static const struct element resource_elements[] = {
    {"chip", "chip", chip_fields, false}, {"platform", "platform", platform_fields, false}, {"headroom", "headroom", headroom_fields, false}};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The children of an element that holds values. */
static const char *const value_children[] = {"note", "alternative", NULL};

/* The file being read and the board being made of it. */
struct reader {
    struct dse_xml *doc;
    struct dse_board *board;
    struct dse_board_source *sources;
    struct dse_board_fact *facts;               /* room for as many as there are elements */
    struct dse_board_alternative *alternatives; /* likewise */
};

/* A copy with each run of white space replaced by one space: running text is wrapped in the files. */
static const char *keep_running_text(struct reader *in, const char *text)
{
    char *copy = (char *)(uintptr_t)dse_xml_keep(in->doc, text); /* not shared yet */
    size_t length = 0;
    for (const char *p = copy; *p != '\0'; p++)
        if (!isspace((unsigned char)*p))
            copy[length++] = *p;
        else if (length == 0 || copy[length - 1] != ' ')
            copy[length++] = ' ';
    if (*copy != '\0')
        copy[length] = '\0';
    return copy;
}

/* The board's names are words of lower case letters, digits and . _ -, beginning with a letter or digit. */
static void check_name(struct reader *in, dse_xml_node node, const char *attribute, const char *name)
{
    if (dse_xml_has(node, attribute) && !dse_is_board_name(name))
        dse_xml_problem(in->doc, node, attribute,
                        "must be of lower-case letters, digits, '.', '_' and '-', beginning with a letter or digit");
}

static void check_single(struct reader *in, dse_xml_node parent, const char *name)
{
    dse_xml_node second = dse_xml_next(dse_xml_first(parent, name), name);
    if (second != NULL)
        dse_xml_problem(in->doc, second, NULL, "occurs twice in <%s>", dse_xml_name(parent));
}

static const struct dse_board_source *find_source(struct reader *in, dse_xml_node node)
{
    const char *id = dse_xml_need_text(in->doc, node, "source");
    for (size_t i = 0; id != NULL && i < in->board->source_count; i++)
        if (strcmp(in->sources[i].id, id) == 0)
            return &in->sources[i];
    if (id != NULL)
        dse_xml_problem(in->doc, node, "source", "<sources> has no <source id=\"%.40s\">", id);
    return NULL;
}

/* Notes the source of a value element, its note and its alternatives, under the formatted name. */
static void DSE_PRINTF(3, 4) read_fact(struct reader *in, dse_xml_node node, const char *format, ...)
{
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (node == NULL)
        return;
    struct dse_board *board = in->board;
    struct dse_board_fact *fact = &in->facts[board->fact_count++];
    dse_xml_node note = dse_xml_first(node, "note");
    *fact = (struct dse_board_fact){.what = dse_xml_keep(in->doc, what), .source = find_source(in, node)};
    check_single(in, node, "note");
    dse_xml_allow(in->doc, note, NULL, NULL);
    if (note != NULL && dse_xml_content(in->doc, note)[0] == '\0')
        dse_xml_problem(in->doc, note, NULL, "must hold text");
    fact->note = keep_running_text(in, dse_xml_content(in->doc, note));
    for (dse_xml_node a = dse_xml_first(node, "alternative"); a != NULL; a = dse_xml_next(a, "alternative")) {
        struct dse_board_alternative *alternative = &in->alternatives[board->alternative_count++];
        dse_xml_read_fields(in->doc, a, alternative_fields, NULL, alternative);
        alternative->what = fact->what;
        alternative->source = find_source(in, a);
    }
}

/* Low ≤ value ≤ high; the first three fields of a table are value, low and high. */
static void check_band(struct reader *in, dse_xml_node node, const struct dse_xml_field *fields, const void *of)
{
    double values[3];
    for (int i = 0; i < 3; i++)
        values[i] = *(const double *)(const void *)((const char *)of + fields[i].offset);
    if (values[1] > values[0])
        dse_xml_problem(in->doc, node, fields[1].attribute, "must not be above %s", fields[0].attribute);
    if (values[2] < values[0])
        dse_xml_problem(in->doc, node, fields[2].attribute, "must not be below %s", fields[0].attribute);
    if (isnan(values[0]) && values[2] < values[1])
        dse_xml_problem(in->doc, node, fields[2].attribute, "must not be below %s", fields[1].attribute);
}

static bool read_values(struct reader *in, dse_xml_node node, const struct dse_xml_field *fields, bool band, void *into)
{
    bool good = dse_xml_read_fields(in->doc, node, fields, value_children, into);
    if (band && node != NULL)
        check_band(in, node, fields, into);
    return good;
}

static void read_sources(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"source", NULL};
    dse_xml_allow(in->doc, node, NULL, children);
    if (node != NULL && dse_xml_first(node, "source") == NULL)
        dse_xml_problem(in->doc, node, NULL, "needs a child element <source>");
    in->board->sources = in->sources = dse_xml_room(in->doc, node, "source", 0, sizeof *in->sources);
    for (dse_xml_node n = dse_xml_first(node, "source"); n != NULL; n = dse_xml_next(n, "source")) {
        struct dse_board_source *source = &in->sources[in->board->source_count];
        dse_xml_read_fields(in->doc, n, source_fields, NULL, source);
        check_name(in, n, "id", source->id);
        source->text = keep_running_text(in, dse_xml_content(in->doc, n));
        if (source->text[0] == '\0')
            dse_xml_problem(in->doc, n, NULL, "must hold the source's name as text");
        for (size_t i = 0; i < in->board->source_count; i++)
            if (strcmp(in->sources[i].id, source->id) == 0) {
                dse_xml_problem(in->doc, n, "id", "is the id of an earlier source");
                break;
            }
        in->board->source_count++;
    }
}

static void read_resources(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"chip", "platform", "headroom", NULL};
    dse_xml_node elements[COUNT(resource_elements)];
    dse_xml_allow(in->doc, node, NULL, children);
    for (size_t i = 0; i < COUNT(resource_elements); i++) {
        elements[i] = dse_xml_one(in->doc, node, resource_elements[i].name);
        read_values(in, elements[i], resource_elements[i].fields, false, in->board);
        read_fact(in, elements[i], "%s", resource_elements[i].fact);
    }
    dse_board_rules_resources(in->doc, in->board, elements[0], elements[1]);
}

/* False for a memory whose socket is empty as delivered. */
static bool is_fitted(struct reader *in, dse_xml_node node)
{
    static const char *const answers[] = {"yes", "no", NULL};
    return !dse_xml_has(node, "fitted") || dse_xml_choice(in->doc, node, "fitted", answers) == 0;
}

/* The facts of a memory are named "memory NAME", "memory NAME rate", … */
static void read_memory(struct reader *in, dse_xml_node node, struct dse_memory *memory)
{
    static const char *const children[] = {"rate", "efficiency", "latency", "capacity", "energy", "note", "alternative", NULL};
    dse_xml_read_fields(in->doc, node, memory_fields, children, memory);
    check_name(in, node, "name", memory->name);
    if (memory->width_bits % 8 != 0)
        dse_xml_problem(in->doc, node, "width_bits", "must be a multiple of 8");
    read_fact(in, node, "memory %.60s", memory->name);
    for (size_t i = 0; i < COUNT(memory_elements); i++) {
        dse_xml_node value = dse_xml_one(in->doc, node, memory_elements[i].name);
        bool good = read_values(in, value, memory_elements[i].fields, memory_elements[i].band, memory);
        if (i == 0 && good && memory->preset_transfers_hz > memory->nominal_transfers_hz && dse_xml_first(value, "note") == NULL)
            dse_xml_problem(in->doc, value, "preset_mtps", "must not be above nominal_mtps, unless a <note> says why");
        read_fact(in, value, "memory %.60s%s", memory->name, memory_elements[i].fact);
    }
}

static void read_memories(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"memory", NULL};
    dse_xml_allow(in->doc, node, NULL, children);
    struct dse_memory *memories = dse_xml_room(in->doc, node, "memory", 0, sizeof *memories);
    in->board->memories = memories;
    for (dse_xml_node n = dse_xml_first(node, "memory"); n != NULL; n = dse_xml_next(n, "memory")) {
        struct dse_memory memory = {0};
        read_memory(in, n, &memory);
        if (is_fitted(in, n))
            memories[in->board->memory_count++] = memory;
    }
    dse_board_rules_memories(in->doc, node);
}

static void read_ports(struct reader *in, dse_xml_node node, dse_xml_node memories)
{
    static const char *const children[] = {"port", NULL};
    dse_xml_allow(in->doc, node, NULL, children);
    struct dse_port *ports = dse_xml_room(in->doc, node, "port", 0, sizeof *ports);
    in->board->ports = ports;
    for (dse_xml_node n = dse_xml_first(node, "port"); n != NULL; n = dse_xml_next(n, "port")) {
        struct dse_port port = {0};
        read_values(in, n, port_fields, false, &port);
        check_name(in, n, "name", port.name);
        read_fact(in, n, "port %.60s", port.name);
        if (dse_board_memory(in->board, port.memory) != NULL) /* a port of an empty socket leads nowhere */
            ports[in->board->port_count++] = port;
    }
    dse_board_rules_ports(in->doc, node, memories);
}

static void read_clocks(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"cap", "input", "note", "alternative", NULL};
    struct dse_board *board = in->board;
    struct dse_clock_input *inputs = dse_xml_room(in->doc, node, "input", 0, sizeof *inputs);
    struct dse_clock_cap *caps = dse_xml_room(in->doc, node, "cap", 0, sizeof *caps);
    board->clock_inputs = inputs;
    board->caps = caps;
    if (node == NULL)
        return;
    dse_xml_read_fields(in->doc, node, clock_fields, children, board);
    read_fact(in, node, "clocks");
    for (dse_xml_node n = dse_xml_first(node, "input"); n != NULL; n = dse_xml_next(n, "input")) {
        struct dse_clock_input *input = &inputs[board->clock_input_count++];
        read_values(in, n, input_fields, false, input);
        read_fact(in, n, "clock %.60s", input->name);
    }
    for (dse_xml_node n = dse_xml_first(node, "cap"); n != NULL; n = dse_xml_next(n, "cap")) {
        struct dse_clock_cap *cap = &caps[board->cap_count++];
        read_values(in, n, cap_fields, false, cap);
        read_fact(in, n, "cap %g MHz", cap->clock_hz / 1e6);
    }
    dse_board_rules_clocks(in->doc, board, node);
}

static void read_power(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"static", "ps", NULL};
    struct dse_board *board = in->board;
    dse_xml_allow(in->doc, node, NULL, children);
    dse_xml_node idle = dse_xml_one(in->doc, node, "static"), ps = dse_xml_first(node, "ps");
    check_single(in, node, "ps");
    read_values(in, idle, static_fields, true, board);
    board->ps_power_w = board->ps_power_low_w = board->ps_power_high_w = NAN;
    read_values(in, ps, ps_fields, true, board);
    read_fact(in, idle, "static power");
    read_fact(in, ps, "ps power");
}

static void read_aliases(struct reader *in, dse_xml_node root)
{
    static const char *const space = " \t\r\n";
    const char *text = dse_xml_text(in->doc, root, "aliases");
    if (text == NULL)
        return;
    char *list = (char *)(uintptr_t)dse_xml_keep(in->doc, text), *rest = NULL; /* not shared yet */
    const char **aliases = dse_xml_room(in->doc, NULL, NULL, strlen(text) / 2, sizeof *aliases);
    for (char *word = strtok_r(list, space, &rest); word != NULL; word = strtok_r(NULL, space, &rest)) {
        check_name(in, root, "aliases", word);
        aliases[in->board->alias_count++] = word;
    }
    if (in->board->alias_count == 0)
        dse_xml_problem(in->doc, root, "aliases", "must hold a name, or be left out");
    in->board->aliases = aliases;
}

static void read_root(struct reader *in, dse_xml_node root)
{
    static const char *const children[] = {"sources", "part", "resources", "memories", "ports", "clocks", "power", NULL};
    struct dse_xml *doc = in->doc;
    if (root == NULL)
        return;
    if (!dse_xml_has(root, "version") && dse_xml_has(root, "schema_version")) {
        dse_xml_problem(doc, root, "schema_version",
                        "is a Vivado board file; convert it by `nysx-dse boards import`");
        return;
    }
    dse_xml_int(doc, root, "version", 1, 1);
    dse_xml_read_fields(doc, root, root_fields, children, in->board);
    check_name(in, root, "name", in->board->name);
    read_aliases(in, root);
    read_sources(in, dse_xml_one(doc, root, "sources"));
    dse_xml_node part = dse_xml_one(doc, root, "part");
    read_values(in, part, part_fields, false, in->board);
    read_fact(in, part, "part");
    read_resources(in, dse_xml_one(doc, root, "resources"));
    dse_xml_node memories = dse_xml_one(doc, root, "memories");
    read_memories(in, memories);
    read_ports(in, dse_xml_one(doc, root, "ports"), memories);
    read_clocks(in, dse_xml_one(doc, root, "clocks"));
    read_power(in, dse_xml_one(doc, root, "power"));
    dse_board_rules_text(doc, root);
}

static size_t count_elements(dse_xml_node node)
{
    size_t count = 1;
    for (dse_xml_node child = dse_xml_first(node, NULL); child != NULL; child = dse_xml_next(child, NULL))
        count += count_elements(child);
    return count;
}

struct dse_board *dse_board_of_document(struct dse_xml *doc, const char *name)
{
    struct reader in = {.doc = doc, .board = dse_calloc(1, sizeof *in.board)};
    dse_xml_node root = dse_xml_root(doc, "board");
    size_t elements = count_elements(root);
    dse_xml_keep_in(doc, &in.board->arena);
    in.board->file = dse_xml_keep(doc, name);
    in.board->facts = in.facts = dse_xml_room(doc, NULL, NULL, elements, sizeof *in.facts);
    in.board->alternatives = in.alternatives = dse_xml_room(doc, NULL, NULL, elements, sizeof *in.alternatives);
    read_root(&in, root);
    return in.board;
}

static enum dse_status make_board(struct dse_xml *doc, const char *name, struct dse_board **out, struct dse_error *err)
{
    struct dse_board *board = dse_board_of_document(doc, name);
    enum dse_status status = dse_xml_verdict(doc, err);
    if (status == DSE_OK)
        *out = board;
    else
        dse_board_free(board);
    return status;
}

enum dse_status dse_board_read(const char *path, struct dse_board **out, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = NULL;
    DSE_TRY(dse_xml_read_file(path, DSE_BOARD_BYTES_MAX, &doc, err));
    return make_board(doc, path, out, err);
}

enum dse_status dse_board_read_memory(const char *data, size_t size, const char *name,
                                      struct dse_board **out, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = NULL;
    if (size > DSE_BOARD_BYTES_MAX)
        return dse_fail(err, DSE_BAD_INPUT, "%s: larger than the %zu bytes that are allowed here", name,
                        DSE_BOARD_BYTES_MAX);
    DSE_TRY(dse_xml_read_memory(data, size, name, &doc, err));
    return make_board(doc, name, out, err);
}

/* ---- writing ---- */

/* An element with its attributes, its source, note and alternatives; `parent` leaves it open for further children. */
static void DSE_PRINTF(7, 8) add_element(struct dse_strbuf *out, const struct dse_board *board, const char *indented_tag, bool parent,
                                         const struct dse_xml_field *fields, const void *from, const char *format, ...)
{
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const struct dse_board_fact *fact = dse_board_fact_find(board, what);
    const int indent = (int)(strchr(indented_tag, '<') - indented_tag);
    bool note = fact != NULL && fact->note[0] != '\0', open = parent || note;
    for (size_t i = 0; i < board->alternative_count; i++)
        open |= strcmp(board->alternatives[i].what, what) == 0;
    dse_strbuf_add(out, indented_tag);
    dse_xml_write_fields(out, fields, from);
    dse_xml_write_attribute(out, "source", fact != NULL ? fact->source->id : "");
    dse_strbuf_add(out, open ? ">\n" : "/>\n");
    if (note) {
        dse_strbuf_printf(out, "%*s<note>", indent + 2, "");
        dse_xml_escape(out, fact->note);
        dse_strbuf_add(out, "</note>\n");
    }
    for (size_t i = 0; i < board->alternative_count; i++) {
        const struct dse_board_alternative *a = &board->alternatives[i];
        if (strcmp(a->what, what) != 0)
            continue;
        dse_strbuf_printf(out, "%*s<alternative", indent + 2, "");
        dse_xml_write_attribute(out, "value", a->value);
        dse_xml_write_attribute(out, "source", a->source->id);
        dse_xml_write_attribute(out, "why", a->why);
        dse_strbuf_add(out, "/>\n");
    }
    if (open && !parent)
        dse_strbuf_printf(out, "%*s</%s>\n", indent, "", indented_tag + indent + 1);
}

static void add_sources(struct dse_strbuf *out, const struct dse_board *board)
{
    dse_strbuf_add(out, "\n  <sources>\n");
    for (size_t i = 0; i < board->source_count; i++) {
        dse_strbuf_add(out, "    <source");
        dse_xml_write_fields(out, source_fields, &board->sources[i]);
        dse_strbuf_add(out, ">");
        dse_xml_escape(out, board->sources[i].text);
        dse_strbuf_add(out, "</source>\n");
    }
    dse_strbuf_add(out, "  </sources>\n");
}

static void add_memory(struct dse_strbuf *out, const struct dse_board *board, const struct dse_memory *m)
{
    char tag[32];
    add_element(out, board, "    <memory", true, memory_fields, m, "memory %.60s", m->name);
    for (size_t i = 0; i < COUNT(memory_elements); i++) {
        snprintf(tag, sizeof tag, "      <%s", memory_elements[i].name);
        add_element(out, board, tag, false, memory_elements[i].fields, m, "memory %.60s%s", m->name, memory_elements[i].fact);
    }
    dse_strbuf_add(out, "    </memory>\n");
}

static void add_clocks(struct dse_strbuf *out, const struct dse_board *board)
{
    dse_strbuf_add(out, "\n");
    add_element(out, board, "  <clocks", true, clock_fields, board, "clocks");
    for (size_t i = 0; i < board->clock_input_count; i++)
        add_element(out, board, "    <input", false, input_fields, &board->clock_inputs[i], "clock %.60s", board->clock_inputs[i].name);
    for (size_t i = 0; i < board->cap_count; i++)
        add_element(out, board, "    <cap", false, cap_fields, &board->caps[i], "cap %g MHz", board->caps[i].clock_hz / 1e6);
    dse_strbuf_add(out, "  </clocks>\n");
}

void dse_board_write(const struct dse_board *board, struct dse_strbuf *out)
{
    char tag[32];
    dse_strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<board version=\"1\"");
    dse_xml_write_fields(out, root_fields, board);
    for (size_t i = 0; i < board->alias_count; i++)
        dse_strbuf_printf(out, "%s%s", i == 0 ? " aliases=\"" : " ", board->aliases[i]);
    dse_strbuf_add(out, board->alias_count > 0 ? "\">\n" : ">\n");
    add_sources(out, board);
    dse_strbuf_add(out, "\n");
    add_element(out, board, "  <part", false, part_fields, board, "part");
    dse_strbuf_add(out, "\n  <resources>\n");
    for (size_t i = 0; i < COUNT(resource_elements); i++) {
        snprintf(tag, sizeof tag, "    <%s", resource_elements[i].name);
        add_element(out, board, tag, false, resource_elements[i].fields, board, "%s", resource_elements[i].fact);
    }
    dse_strbuf_add(out, "  </resources>\n\n  <memories>\n");
    for (size_t i = 0; i < board->memory_count; i++)
        add_memory(out, board, &board->memories[i]);
    dse_strbuf_add(out, "  </memories>\n\n  <ports>\n");
    for (size_t i = 0; i < board->port_count; i++)
        add_element(out, board, "    <port", false, port_fields, &board->ports[i], "port %.60s", board->ports[i].name);
    dse_strbuf_add(out, "  </ports>\n");
    add_clocks(out, board);
    dse_strbuf_add(out, "\n  <power>\n");
    add_element(out, board, "    <static", false, static_fields, board, "static power");
    if (!isnan(board->ps_power_w))
        add_element(out, board, "    <ps", false, ps_fields, board, "ps power");
    dse_strbuf_add(out, "  </power>\n</board>\n");
}
