/* The reader of board files: everything that devices/schema/board.xsd says, and the rules between values
 * that a schema cannot say. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/xml.h"
#include "devices/board.h"
#include "devices/board_rules.h"
#include "devices/families.h"

/* The file being read and the board being made of it. */
struct reader {
    struct dse_xml *doc;
    struct dse_board *board;
    struct dse_board_source *sources;
    struct dse_board_fact *facts;               /* room for as many as there are elements */
    struct dse_board_alternative *alternatives; /* likewise */
};

/* A copy with each run of white space made one space: running text is wrapped in the files. */
static const char *keep_running_text(struct reader *in, const char *text)
{
    char *copy = (char *)(uintptr_t)dse_xml_keep(in->doc, text); /* nobody else has it yet */
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

/* A number in decimal form: strtod, which reads it, would take the hexadecimal one as well. */
/* NaN where a problem is noted: no rule holds it against other values, so that one slip is one problem. */
static double read_real(struct reader *in, dse_xml_node node, const char *attribute, double minimum,
                        double maximum)
{
    const char *text = dse_xml_text(in->doc, node, attribute);
    const size_t problems = dse_xml_problem_count(in->doc);
    double value = minimum;
    if (text == NULL || strpbrk(text, "xX") == NULL)
        value = dse_xml_real(in->doc, node, attribute, minimum, maximum);
    else
        dse_xml_problem(in->doc, node, attribute, "must be a number");
    return dse_xml_problem_count(in->doc) == problems ? value : NAN;
}

/* The board's names are words of lower case, digits and . _ -, beginning with a letter or digit. */
static void check_name(struct reader *in, dse_xml_node node, const char *attribute, const char *name)
{
    if (name != NULL && !dse_is_board_name(name))
        dse_xml_problem(in->doc, node, attribute,
                        "must be of lower-case letters, digits, '.', '_' and '-', beginning with a letter or digit");
}

/* A text attribute that must be there and not be empty. */
static const char *words(struct reader *in, dse_xml_node node, const char *attribute)
{
    const char *text = dse_xml_need_text(in->doc, node, attribute);
    if (text != NULL && text[strspn(text, " \t\r\n")] == '\0')
        dse_xml_problem(in->doc, node, attribute, "must not be empty");
    return dse_xml_keep(in->doc, text);
}

static const struct dse_board_source *find_source(struct reader *in, dse_xml_node node)
{
    const char *id = dse_xml_need_text(in->doc, node, "source");
    for (size_t i = 0; id != NULL && i < in->board->source_count; i++)
        if (strcmp(in->sources[i].id, id) == 0)
            return &in->sources[i];
    if (id != NULL)
        dse_xml_problem(in->doc, node, "source", "no <source id=\"%.40s\"> stands in <sources>", id);
    return NULL;
}

static void read_alternative(struct reader *in, dse_xml_node node, const char *what)
{
    static const char *const attributes[] = {"value", "why", "source", NULL};
    dse_xml_allow(in->doc, node, attributes, NULL);
    struct dse_board *board = in->board;
    in->alternatives[board->alternative_count++] = (struct dse_board_alternative){
        .what = what, .value = words(in, node, "value"), .why = words(in, node, "why"),
        .source = find_source(in, node)};
}

/* Notes the source of a value element, its note and its alternatives, under the name that the format makes. */
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
    const char *kept = dse_xml_keep(in->doc, what);
    const struct dse_board_source *source = find_source(in, node);
    dse_xml_node note = dse_xml_first(node, "note");
    if (dse_xml_next(note, "note") != NULL)
        dse_xml_problem(in->doc, dse_xml_next(note, "note"), NULL, "stands twice in <%s>", dse_xml_name(node));
    dse_xml_allow(in->doc, note, NULL, NULL);
    if (note != NULL && dse_xml_content(in->doc, note)[0] == '\0')
        dse_xml_problem(in->doc, note, NULL, "must hold text");
    in->facts[board->fact_count++] =
        (struct dse_board_fact){.what = kept, .source = source,
                                .note = keep_running_text(in, dse_xml_content(in->doc, note))};
    for (dse_xml_node a = dse_xml_first(node, "alternative"); a != NULL; a = dse_xml_next(a, "alternative"))
        read_alternative(in, a, kept);
}

/* The children of an element that holds values. */
static const char *const value_children[] = {"note", "alternative", NULL};

static void read_sources(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"source", NULL};
    static const char *const attributes[] = {"id", "evidence", NULL};
    dse_xml_allow(in->doc, node, NULL, children);
    if (node != NULL && dse_xml_first(node, "source") == NULL)
        dse_xml_problem(in->doc, node, NULL, "needs a child element <source>");
    in->sources = dse_xml_room(in->doc, node, "source", 0, sizeof *in->sources);
    if (in->sources == NULL)
        return;
    for (dse_xml_node n = dse_xml_first(node, "source"); n != NULL; n = dse_xml_next(n, "source")) {
        dse_xml_allow(in->doc, n, attributes, NULL);
        struct dse_board_source *source = &in->sources[in->board->source_count];
        source->id = words(in, n, "id");
        if (dse_xml_has(n, "id"))
            check_name(in, n, "id", source->id);
        source->evidence = dse_evidence_names[dse_xml_choice(in->doc, n, "evidence", dse_evidence_names)];
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
    in->board->sources = in->sources;
}

static void read_part(struct reader *in, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "family", "dsp", "process_nm", "slrs", "source", NULL};
    if (node == NULL)
        return;
    dse_xml_allow(in->doc, node, attributes, value_children);
    struct dse_board *board = in->board;
    board->part = words(in, node, "name");
    board->family = dse_family_names[dse_xml_choice(in->doc, node, "family", dse_family_names)];
    board->dsp_type = dse_dsp_names[dse_xml_choice(in->doc, node, "dsp", dse_dsp_names)];
    board->process_nm = dse_xml_int(in->doc, node, "process_nm", 1, 1000);
    board->slrs = dse_xml_int(in->doc, node, "slrs", 1, 16);
    read_fact(in, node, "part");
}

static const char *const resource_attributes[] = {"bram18", "uram",   "dsp",    "lut",
                                                  "ff",     "lutram", "source", NULL};

static void read_counts(struct reader *in, dse_xml_node node, int64_t counts[DSE_RESOURCE_COUNT],
                        bool whole_chip)
{
    dse_xml_allow(in->doc, node, resource_attributes, value_children);
    for (int r = 0; node != NULL && r < DSE_RESOURCE_COUNT; r++) {
        bool needed = whole_chip && (r == DSE_LUT || r == DSE_FF);
        size_t problems = dse_xml_problem_count(in->doc);
        counts[r] = dse_xml_int(in->doc, node, dse_resource_names[r], needed ? 1 : 0, DSE_BOARD_COUNT_MAX);
        if (dse_xml_problem_count(in->doc) != problems)
            counts[r] = -1; /* not to be compared */
    }
}

static void read_resources(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"chip", "platform", "headroom", NULL};
    struct dse_board *board = in->board;
    dse_xml_allow(in->doc, node, NULL, children);
    dse_xml_node chip = dse_xml_one(in->doc, node, "chip");
    dse_xml_node platform = dse_xml_one(in->doc, node, "platform");
    dse_xml_node headroom = dse_xml_one(in->doc, node, "headroom");
    read_counts(in, chip, board->chip, true);
    read_counts(in, platform, board->platform, false);
    dse_board_rules_resources(in->doc, board, chip, platform);
    dse_xml_allow(in->doc, headroom, resource_attributes, value_children);
    for (int r = 0; headroom != NULL && r < DSE_RESOURCE_COUNT; r++)
        board->headroom[r] = read_real(in, headroom, dse_resource_names[r], 0, 0.99);
    read_fact(in, chip, "chip");
    read_fact(in, platform, "platform");
    read_fact(in, headroom, "headroom");
}

/* A value with its band: low ≤ value ≤ high, all in [minimum, maximum] and times `unit`. */
struct band {
    const char *value, *low, *high;
    double minimum, maximum, unit;
};

static void read_band(struct reader *in, dse_xml_node node, const struct band *band, double *value,
                      double *low, double *high)
{
    const char *const attributes[] = {band->value, band->low, band->high, "source", NULL};
    if (node == NULL)
        return;
    dse_xml_allow(in->doc, node, attributes, value_children);
    *value = read_real(in, node, band->value, band->minimum, band->maximum) * band->unit;
    *low = read_real(in, node, band->low, band->minimum, band->maximum) * band->unit;
    *high = read_real(in, node, band->high, band->minimum, band->maximum) * band->unit;
    if (*low > *value)
        dse_xml_problem(in->doc, node, band->low, "must not be above %s", band->value);
    if (*high < *value)
        dse_xml_problem(in->doc, node, band->high, "must not be below %s", band->value);
    if (isnan(*value) && *high < *low)
        dse_xml_problem(in->doc, node, band->high, "must not be below %s", band->low);
}

static void read_rate(struct reader *in, dse_xml_node node, struct dse_memory *memory)
{
    static const char *const attributes[] = {"preset_mtps", "nominal_mtps", "source", NULL};
    if (node == NULL)
        return;
    dse_xml_allow(in->doc, node, attributes, value_children);
    size_t problems = dse_xml_problem_count(in->doc);
    memory->preset_transfers_hz = read_real(in, node, "preset_mtps", 1, 100000) * 1e6;
    memory->nominal_transfers_hz = read_real(in, node, "nominal_mtps", 1, 100000) * 1e6;
    if (dse_xml_problem_count(in->doc) == problems &&
        memory->preset_transfers_hz > memory->nominal_transfers_hz && dse_xml_first(node, "note") == NULL)
        dse_xml_problem(in->doc, node, "preset_mtps",
                        "must not be above nominal_mtps, unless a <note> says why");
}

static void read_capacity(struct reader *in, dse_xml_node node, struct dse_memory *memory)
{
    static const char *const attributes[] = {"mib", "source", NULL};
    if (node == NULL)
        return;
    dse_xml_allow(in->doc, node, attributes, value_children);
    memory->capacity_bytes = dse_xml_int(in->doc, node, "mib", 1, 1 << 24) * (1 << 20);
}

/* The facts of a memory are called "memory NAME", "memory NAME rate", … */
static void read_memory_values(struct reader *in, dse_xml_node node, struct dse_memory *memory)
{
    static const struct band efficiency = {"share", "low", "high", 0.01, 1, 1};
    static const struct band latency = {"read_ns", "low_ns", "high_ns", 0, 1e6, 1e-9};
    static const struct band energy = {"pj_per_bit", "low", "high", 0, 1e4, 1e-12};
    dse_xml_node rate = dse_xml_one(in->doc, node, "rate");
    dse_xml_node sustained = dse_xml_one(in->doc, node, "efficiency");
    dse_xml_node idle = dse_xml_one(in->doc, node, "latency");
    dse_xml_node capacity = dse_xml_one(in->doc, node, "capacity");
    dse_xml_node per_bit = dse_xml_one(in->doc, node, "energy");
    read_rate(in, rate, memory);
    read_band(in, sustained, &efficiency, &memory->efficiency, &memory->efficiency_low,
              &memory->efficiency_high);
    read_band(in, idle, &latency, &memory->read_latency_s, &memory->read_latency_low_s,
              &memory->read_latency_high_s);
    read_capacity(in, capacity, memory);
    read_band(in, per_bit, &energy, &memory->energy_j_per_bit, &memory->energy_low_j_per_bit,
              &memory->energy_high_j_per_bit);
    read_fact(in, node, "memory %.60s", memory->name);
    read_fact(in, rate, "memory %.60s rate", memory->name);
    read_fact(in, sustained, "memory %.60s efficiency", memory->name);
    read_fact(in, idle, "memory %.60s latency", memory->name);
    read_fact(in, capacity, "memory %.60s capacity", memory->name);
    read_fact(in, per_bit, "memory %.60s energy", memory->name);
}

/* False for a memory whose socket is empty as delivered. */
static bool is_fitted(struct reader *in, dse_xml_node node)
{
    static const char *const answers[] = {"yes", "no", NULL};
    return !dse_xml_has(node, "fitted") || dse_xml_choice(in->doc, node, "fitted", answers) == 0;
}

static void read_memory(struct reader *in, dse_xml_node node, struct dse_memory *memory)
{
    static const char *const attributes[] = {"name",       "kind",   "technology", "channels",
                                             "width_bits", "fitted", "source",     NULL};
    static const char *const children[] = {"rate", "efficiency", "latency",     "capacity",
                                           "energy", "note",     "alternative", NULL};
    dse_xml_allow(in->doc, node, attributes, children);
    memory->name = words(in, node, "name");
    if (dse_xml_has(node, "name"))
        check_name(in, node, "name", memory->name);
    memory->kind = (enum dse_memory_kind)dse_xml_choice(in->doc, node, "kind", dse_memory_kind_names);
    memory->technology = words(in, node, "technology");
    memory->channels = dse_xml_int(in->doc, node, "channels", 1, 1024);
    memory->width_bits = dse_xml_int(in->doc, node, "width_bits", 8, 4096);
    if (memory->width_bits % 8 != 0)
        dse_xml_problem(in->doc, node, "width_bits", "must be a multiple of 8");
    read_memory_values(in, node, memory);
}

static void read_memories(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"memory", NULL};
    dse_xml_allow(in->doc, node, NULL, children);
    struct dse_board *board = in->board;
    struct dse_memory *memories = dse_xml_room(in->doc, node, "memory", 0, sizeof *memories);
    if (memories == NULL)
        return;
    board->memories = memories;
    for (dse_xml_node n = dse_xml_first(node, "memory"); n != NULL; n = dse_xml_next(n, "memory")) {
        struct dse_memory memory = {0};
        read_memory(in, n, &memory);
        if (is_fitted(in, n))
            memories[board->memory_count++] = memory;
    }
    dse_board_rules_memories(in->doc, node);
}

static void read_port(struct reader *in, dse_xml_node node, struct dse_port *port)
{
    static const char *const attributes[] = {"name",       "memory",          "count",
                                             "width_bits", "max_burst_beats", "source",
                                             NULL};
    dse_xml_allow(in->doc, node, attributes, value_children);
    port->name = words(in, node, "name");
    if (dse_xml_has(node, "name"))
        check_name(in, node, "name", port->name);
    port->memory = words(in, node, "memory");
    port->count = dse_xml_int(in->doc, node, "count", 1, 1024);
    port->width_bits = dse_xml_int(in->doc, node, "width_bits", 8, 4096);
    port->max_burst_beats = dse_xml_int(in->doc, node, "max_burst_beats", 1, 256);
    read_fact(in, node, "port %.60s", port->name);
}

static void read_ports(struct reader *in, dse_xml_node node, dse_xml_node memories)
{
    static const char *const children[] = {"port", NULL};
    dse_xml_allow(in->doc, node, NULL, children);
    struct dse_board *board = in->board;
    struct dse_port *ports = dse_xml_room(in->doc, node, "port", 0, sizeof *ports);
    if (ports == NULL)
        return;
    board->ports = ports;
    for (dse_xml_node n = dse_xml_first(node, "port"); n != NULL; n = dse_xml_next(n, "port")) {
        struct dse_port port = {0};
        read_port(in, n, &port);
        if (dse_board_memory(board, port.memory) != NULL) /* a port of an empty socket leads nowhere */
            ports[board->port_count++] = port;
    }
    dse_board_rules_ports(in->doc, node, memories);
}

static void read_cap(struct reader *in, dse_xml_node node, struct dse_clock_cap *cap)
{
    static const char *const attributes[] = {"mhz", "bram18", "uram",   "dsp",   "lut",
                                             "ff",  "lutram", "source", NULL};
    dse_xml_allow(in->doc, node, attributes, value_children);
    cap->clock_hz = read_real(in, node, "mhz", 1, 5000) * 1e6;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        cap->utilisation[r] = read_real(in, node, dse_resource_names[r], 0, 1);
    read_fact(in, node, "cap %g MHz", cap->clock_hz / 1e6);
}

static void read_clock_input(struct reader *in, dse_xml_node node, struct dse_clock_input *input)
{
    static const char *const attributes[] = {"name", "mhz", "source", NULL};
    dse_xml_allow(in->doc, node, attributes, value_children);
    input->name = words(in, node, "name");
    input->clock_hz = read_real(in, node, "mhz", 0.001, 5000) * 1e6;
    read_fact(in, node, "clock %.60s", input->name);
}

static void read_clock_inputs(struct reader *in, dse_xml_node clocks)
{
    struct dse_board *board = in->board;
    struct dse_clock_input *inputs = dse_xml_room(in->doc, clocks, "input", 0, sizeof *inputs);
    for (dse_xml_node n = dse_xml_first(clocks, "input"); n != NULL && inputs != NULL; n = dse_xml_next(n, "input"))
        read_clock_input(in, n, &inputs[board->clock_input_count++]);
    board->clock_inputs = inputs;
}

static void read_clocks(struct reader *in, dse_xml_node node)
{
    static const char *const attributes[] = {"default_mhz", "max_mhz", "source", NULL};
    static const char *const children[] = {"cap", "input", "note", "alternative", NULL};
    if (node == NULL)
        return;
    dse_xml_allow(in->doc, node, attributes, children);
    struct dse_board *board = in->board;
    board->default_clock_hz = read_real(in, node, "default_mhz", 1, 5000) * 1e6;
    board->max_clock_hz = read_real(in, node, "max_mhz", 1, 5000) * 1e6;
    read_fact(in, node, "clocks");
    read_clock_inputs(in, node);
    struct dse_clock_cap *caps = dse_xml_room(in->doc, node, "cap", 0, sizeof *caps);
    if (caps == NULL)
        return;
    for (dse_xml_node n = dse_xml_first(node, "cap"); n != NULL; n = dse_xml_next(n, "cap"))
        read_cap(in, n, &caps[board->cap_count++]);
    board->caps = caps;
    dse_board_rules_clocks(in->doc, board, node);
}

static void read_power(struct reader *in, dse_xml_node node)
{
    static const char *const children[] = {"static", "ps", NULL};
    static const struct band watts = {"w", "low_w", "high_w", 0, 1000, 1};
    struct dse_board *board = in->board;
    dse_xml_allow(in->doc, node, NULL, children);
    dse_xml_node idle = dse_xml_one(in->doc, node, "static");
    dse_xml_node ps = dse_xml_first(node, "ps");
    if (dse_xml_next(ps, "ps") != NULL)
        dse_xml_problem(in->doc, dse_xml_next(ps, "ps"), NULL, "stands twice in <power>");
    read_band(in, idle, &watts, &board->static_power_w, &board->static_power_low_w,
              &board->static_power_high_w);
    board->ps_power_w = board->ps_power_low_w = board->ps_power_high_w = NAN;
    read_band(in, ps, &watts, &board->ps_power_w, &board->ps_power_low_w, &board->ps_power_high_w);
    read_fact(in, idle, "static power");
    read_fact(in, ps, "ps power");
}

static void read_aliases(struct reader *in, dse_xml_node root)
{
    const char *text = dse_xml_text(in->doc, root, "aliases");
    if (text == NULL)
        return;
    static const char *const space = " \t\r\n";
    char *list = (char *)(uintptr_t)dse_xml_keep(in->doc, text); /* nobody else has it yet */
    const char **aliases = dse_xml_room(in->doc, NULL, NULL, strlen(text) / 2, sizeof *aliases);
    if (aliases == NULL)
        return;
    char *rest = NULL;
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
    static const char *const attributes[] = {"version", "name", "title", "aliases",
                                             "noNamespaceSchemaLocation", NULL};
    static const char *const children[] = {"sources", "part",   "resources", "memories",
                                           "ports",   "clocks", "power",     NULL};
    if (root == NULL)
        return;
    struct dse_xml *doc = in->doc;
    if (!dse_xml_has(root, "version") && dse_xml_has(root, "schema_version")) {
        dse_xml_problem(doc, root, "schema_version",
                        "is a board file of Vivado; `nysx-dse boards import` makes one of this program of it");
        return;
    }
    dse_xml_allow(doc, root, attributes, children);
    dse_xml_int(doc, root, "version", 1, 1);
    in->board->name = words(in, root, "name");
    if (dse_xml_has(root, "name"))
        check_name(in, root, "name", in->board->name);
    in->board->title = words(in, root, "title");
    read_aliases(in, root);
    read_sources(in, dse_xml_one(doc, root, "sources"));
    read_part(in, dse_xml_one(doc, root, "part"));
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
    if (in.board == NULL)
        return NULL;
    dse_xml_node root = dse_xml_root(doc, "board");
    size_t elements = count_elements(root);
    dse_xml_keep_in(doc, &in.board->arena);
    in.board->file = dse_xml_keep(doc, name);
    in.board->facts = in.facts = dse_xml_room(doc, NULL, NULL, elements, sizeof *in.facts);
    in.board->alternatives = in.alternatives = dse_xml_room(doc, NULL, NULL, elements, sizeof *in.alternatives);
    if (in.facts != NULL && in.alternatives != NULL)
        read_root(&in, root);
    return in.board;
}

/* Takes the document over. */
static enum dse_status finish(struct dse_xml *doc, const char *name, struct dse_board **out,
                              struct dse_error *err)
{
    struct dse_board *board = dse_board_of_document(doc, name);
    enum dse_status status = board != NULL ? dse_xml_verdict(doc, err) : dse_fail_memory(err);
    dse_xml_free(doc);
    if (status != DSE_OK) {
        dse_board_free(board);
        return status;
    }
    *out = board;
    return DSE_OK;
}

enum dse_status dse_board_read(const char *path, struct dse_board **out, struct dse_error *err)
{
    struct dse_xml *doc = NULL;
    *out = NULL;
    DSE_TRY(dse_xml_read_file(path, DSE_BOARD_BYTES_MAX, &doc, err));
    return finish(doc, path, out, err);
}

enum dse_status dse_board_read_memory(const char *data, size_t size, const char *name,
                                      struct dse_board **out, struct dse_error *err)
{
    struct dse_xml *doc = NULL;
    *out = NULL;
    if (size > DSE_BOARD_BYTES_MAX)
        return dse_fail(err, DSE_BAD_INPUT, "%s: larger than the %zu bytes that are allowed here", name,
                        DSE_BOARD_BYTES_MAX);
    DSE_TRY(dse_xml_read_memory(data, size, name, &doc, err));
    return finish(doc, name, out, err);
}
