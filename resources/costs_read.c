/* Reads one cost library file into a library; see schema/costs.xsd for the format. */
#include <stdio.h>
#include <string.h>

#include "resources/costs_library.h"

#define SOURCES_MAX 64
#define AT(type, member) offsetof(struct type, member)
#define RULE(name, member, least, most) {.attribute = name, DSE_XML_WHOLE, AT(dse_packing_rules, member), least, most}
#define ENTRY {.attribute = "level"}, {.attribute = "source"}, {.attribute = "low"}, {.attribute = "high"} /* read by add_entry */
#define AMOUNT(name, resource) {.attribute = name, DSE_XML_NUMBER, AT(cost_point, amount[resource]), 0, 1e9, .optional = true}
#define AMOUNTS                                                                                                     \
    AMOUNT("bram18", DSE_BRAM18), AMOUNT("uram", DSE_URAM), AMOUNT("dsp", DSE_DSP), AMOUNT("lut", DSE_LUT),         \
        AMOUNT("ff", DSE_FF), AMOUNT("lutram", DSE_LUTRAM)
#define LATENCY "latency", DSE_XML_WHOLE, AT(cost_point, latency_cycles), 0, 100000
#define INTERVAL {.attribute = "interval", DSE_XML_WHOLE, AT(cost_point, interval_cycles), 1, 100000, .optional = true}

static const struct dse_xml_field operator_point[] = {
    {.attribute = "clock_mhz", DSE_XML_NUMBER, AT(cost_point, key), 0, 1e6, 1e6}, AMOUNTS, {.attribute = LATENCY}, INTERVAL, ENTRY, {0}};
static const struct dse_xml_field structure_point[] = {
    {.attribute = "size", DSE_XML_NUMBER, AT(cost_point, key), 0, 1e6}, AMOUNTS, {.attribute = LATENCY, .optional = true}, INTERVAL, ENTRY, {0}};
static const struct dse_xml_field aspect_fields[] = {
    {.attribute = "words", DSE_XML_WHOLE, AT(dse_aspect, words), 1, 1 << 20}, {.attribute = "width_bits", DSE_XML_WHOLE, AT(dse_aspect, width_bits), 1, 1024}, {0}};
static const struct dse_xml_field array_fields[] = {
    RULE("shared_width_bits", bram18_shared_width_bits, 1, 1024), RULE("uram_words", uram_words, 1, 1 << 20),
    RULE("uram_width_bits", uram_width_bits, 1, 1024), RULE("lutram_threshold_bits", lutram_threshold_bits, 0, 1 << 20),
    RULE("lutram_bits_per_lut", lutram_bits_per_lut, 1, 1024), RULE("register_threshold_words", register_threshold_words, 0, 1 << 20),
    RULE("register_bits_per_lut", register_bits_per_lut, 1, 1024), RULE("bram_latency", read_latency_cycles[0], 0, 64),
    RULE("uram_latency", read_latency_cycles[1], 0, 64), RULE("lutram_latency", read_latency_cycles[2], 0, 64),
    RULE("register_latency", read_latency_cycles[3], 0, 64), ENTRY, {0}};
static const struct dse_xml_field fifo_fields[] = {
    RULE("shift_words", fifo_shift_words, 0, 1 << 20), RULE("shift_bits", fifo_shift_bits, 0, 1 << 20),
    RULE("srl_words", fifo_srl_words, 1, 1024), RULE("memory_words", fifo_memory.words, 1, 1 << 20),
    RULE("memory_width_bits", fifo_memory.width_bits, 1, 1024), ENTRY, {0}};
static const struct dse_xml_field m_axi_fields[] = {
    RULE("extra_bits", m_axi_extra_bits, 0, 1024), RULE("buffers", m_axi_buffers, 0, 16), RULE("burst_beats", m_axi_burst_beats, 1, 4096),
    RULE("outstanding", m_axi_outstanding, 1, 4096), RULE("latency_cycles", m_axi_latency_cycles, 0, 100000),
    RULE("burst_beats_max", m_axi_burst_beats_max, 1, 4096), RULE("boundary_bytes", m_axi_boundary_bytes, 1, 1 << 20), ENTRY, {0}};
static const struct dse_xml_field toggle_fields[] = {
    {.attribute = "toggle_rate", DSE_XML_NUMBER, AT(dse_power_rules, toggle_rate), 1e-6, 1}, {0}};
/* In watts at a hertz: 1 nW/MHz is 1e-15. */
static const struct dse_xml_field static_fields[] = {
    {.attribute = "uw_per_lut", DSE_XML_NUMBER, AT(dse_power_rules, static_w_per_lut), 0, 1e6, 1e-6}, {.attribute = "level"}, {.attribute = "source"},
    {.attribute = "low", DSE_XML_NUMBER, AT(dse_power_rules, static_low), 0, 1}, {.attribute = "high", DSE_XML_NUMBER, AT(dse_power_rules, static_high), 1, 100}, {0}};

/* Context of reading one file's elements. */
struct reader {
    struct dse_costs *costs;
    struct dse_xml *doc;
    const char *file;
    unsigned layer;
    const char *source_ids[SOURCES_MAX];
    const char *source_texts[SOURCES_MAX];
    size_t source_count;
};

static void read_sources(struct reader *r, dse_xml_node root)
{
    static const char *const attributes[] = {"id", NULL};
    for (dse_xml_node n = dse_xml_first(root, "source"); n != NULL; n = dse_xml_next(n, "source")) {
        dse_xml_allow(r->doc, n, attributes, NULL);
        const char *id = dse_xml_need_text(r->doc, n, "id");
        const char *text = dse_xml_content(r->doc, n);
        if (id == NULL)
            continue;
        if (*text == '\0')
            dse_xml_problem(r->doc, n, "id", "a source needs a text with its reference");
        for (size_t i = 0; i < r->source_count; i++)
            if (strcmp(r->source_ids[i], id) == 0)
                dse_xml_problem(r->doc, n, "id", "occurs twice");
        if (r->source_count == SOURCES_MAX) {
            dse_xml_problem(r->doc, n, NULL, "more than %d sources", SOURCES_MAX);
            return;
        }
        r->source_ids[r->source_count] = id;
        r->source_texts[r->source_count++] = dse_xml_keep(r->doc, text);
    }
}

static const char *find_source(struct reader *r, dse_xml_node node)
{
    const char *id = dse_xml_need_text(r->doc, node, "source");
    for (size_t i = 0; id != NULL && i < r->source_count; i++)
        if (strcmp(r->source_ids[i], id) == 0)
            return r->source_texts[i];
    if (id != NULL)
        dse_xml_problem(r->doc, node, "source", "no <source> of this file has that id");
    return "";
}

static void read_bands(struct reader *r, dse_xml_node root)
{
    static const char *const attributes[] = {"level",   "bram18_low", "bram18_high", "uram_low", "uram_high",
                                             "dsp_low", "dsp_high",   "lut_low",     "lut_high", "ff_low",
                                             "ff_high", "lutram_low", "lutram_high", "source",   NULL};
    for (dse_xml_node n = dse_xml_first(root, "band"); n != NULL; n = dse_xml_next(n, "band")) {
        dse_xml_allow(r->doc, n, attributes, NULL);
        find_source(r, n);
        struct level_band *band = &r->costs->bands[dse_xml_choice(r->doc, n, "level", dse_level_names)];
        for (int i = 0; i < DSE_RESOURCE_COUNT; i++) {
            /* The attributes are in the order of enum dse_resource, low and high alternating. */
            band->low[i] = dse_xml_real_or(r->doc, n, attributes[1 + 2 * i], 0, 1, 1);
            band->high[i] = dse_xml_real_or(r->doc, n, attributes[2 + 2 * i], 1, 100, 1);
        }
    }
}

/* A new entry from an element's `level`, `source`, `low` and `high`. */
static uint16_t add_entry(struct reader *r, dse_xml_node node, const char *name)
{
    struct dse_costs *costs = r->costs;
    enum dse_level level = (enum dse_level)dse_xml_choice(r->doc, node, "level", dse_level_names);
    const char *source = find_source(r, node);
    double low = dse_xml_real_or(r->doc, node, "low", 0, 1, 1);
    double high = dse_xml_real_or(r->doc, node, "high", 1, 100, 1);
    if (costs->entry_count == DSE_COST_ENTRIES_MAX) {
        dse_xml_problem(r->doc, node, NULL, "more than %d entries in one library", DSE_COST_ENTRIES_MAX);
        return 0;
    }
    struct dse_cost_entry *entry = &costs->entries[costs->entry_count];
    *entry = (struct dse_cost_entry){.name = dse_xml_keep(r->doc, name), .source = source, .file = r->file,
                                     .line = dse_xml_line(node), .level = level};
    for (int i = 0; i < DSE_RESOURCE_COUNT; i++) {
        entry->factor[i] = 1;
        entry->low[i] = dse_xml_has(node, "low") ? low : costs->bands[level].low[i];
        entry->high[i] = dse_xml_has(node, "high") ? high : costs->bands[level].high[i];
    }
    return (uint16_t)costs->entry_count++;
}

/* Reads the amounts of the <at>s of one operator or structure; they replace a base file's. Keys must ascend within it. The first field is the key; an
 * entry's name is the group and the key. */
static void read_group(struct reader *r, dse_xml_node node, const char *called, const struct dse_xml_field *fields, const char *unit,
                       struct cost_group *group)
{
    struct dse_costs *costs = r->costs;
    const char *key = fields[0].attribute;
    if (group->count > 0 && group->layer == r->layer)
        dse_xml_problem(r->doc, node, "name", "occurs twice in this file");
    if (dse_xml_first(node, "at") == NULL)
        dse_xml_problem(r->doc, node, "name", "needs at least one <at>");
    *group = (struct cost_group){.first = (uint16_t)costs->point_count, .layer = (uint8_t)r->layer};
    for (dse_xml_node at = dse_xml_first(node, "at"); at != NULL; at = dse_xml_next(at, "at")) {
        struct cost_point point = {.interval_cycles = 1};
        const char *text = dse_xml_text(r->doc, at, key);
        char name[96];
        dse_xml_read_fields(r->doc, at, fields, NULL, &point);
        if (group->count > 0 && point.key <= costs->points[costs->point_count - 1].key)
            dse_xml_problem(r->doc, at, key, "must be above that of the <at> before it");
        if (costs->point_count == DSE_COST_ENTRIES_MAX) {
            dse_xml_problem(r->doc, at, NULL, "more than %d entries in one library", DSE_COST_ENTRIES_MAX);
            return;
        }
        snprintf(name, sizeof name, "%s %.12s%s", called, text != NULL ? text : "?", unit);
        point.entry = add_entry(r, at, name);
        costs->points[costs->point_count++] = point;
        group->count++;
    }
}

static const char *const child_at[] = {"at", NULL};

static void read_operator(struct reader *r, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "precision", "form", NULL};
    char called[80];
    dse_xml_allow(r->doc, node, attributes, child_at);
    int op = dse_xml_choice(r->doc, node, "name", dse_operator_names);
    int precision = dse_xml_choice(r->doc, node, "precision", dse_precision_names);
    int form = dse_xml_choice(r->doc, node, "form", dse_form_names);
    uint8_t *first = &r->costs->first_form[op][precision], *layer = &r->costs->first_layer[op][precision];
    if (*first == 0 || *layer != r->layer) {
        *first = (uint8_t)(form + 1);
        *layer = (uint8_t)r->layer;
    }
    snprintf(called, sizeof called, "%s %s %s", dse_operator_names[op], dse_precision_names[precision], dse_form_names[form]);
    read_group(r, node, called, operator_point, " MHz", &r->costs->operators[op][precision][form]);
}

static void read_structure(struct reader *r, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "step", NULL};
    dse_xml_allow(r->doc, node, attributes, child_at);
    int structure = dse_xml_choice(r->doc, node, "name", dse_structure_names);
    struct cost_group *group = &r->costs->structures[structure];
    read_group(r, node, dse_structure_names[structure], structure_point, "", group);
    group->step = dse_xml_real_or(r->doc, node, "step", 0, 1e6, 0);
    if (group->count == 1 && r->costs->points[group->first].key <= 0)
        dse_xml_problem(r->doc, node, "name", "a single <at> needs a size above 0");
}

static void read_aspects(struct reader *r, dse_xml_node node, struct dse_packing_rules *rules)
{
    const size_t most = sizeof rules->bram18 / sizeof *rules->bram18;
    rules->bram18_aspects = 0;
    for (dse_xml_node n = dse_xml_first(node, "aspect"); n != NULL; n = dse_xml_next(n, "aspect")) {
        struct dse_aspect aspect = {0};
        dse_xml_read_fields(r->doc, n, aspect_fields, NULL, &aspect);
        if (rules->bram18_aspects == most) {
            dse_xml_problem(r->doc, n, NULL, "more than %zu aspects", most);
            return;
        }
        if (rules->bram18_aspects > 0 && aspect.words <= rules->bram18[rules->bram18_aspects - 1].words)
            dse_xml_problem(r->doc, n, "words", "must be above that of the <aspect> before it");
        rules->bram18[rules->bram18_aspects++] = aspect;
    }
    if (rules->bram18_aspects == 0)
        dse_xml_problem(r->doc, node, NULL, "needs at least one <aspect>");
}

static void read_packing(struct reader *r, dse_xml_node node)
{
    static const char *const none[] = {NULL}, *const children[] = {"array", "fifo", "m_axi", NULL}, *const array_children[] = {"aspect", NULL};
    struct dse_xml *doc = r->doc;
    struct dse_packing_rules *rules = &r->costs->packing;
    dse_xml_allow(doc, node, none, children);
    dse_xml_node array = dse_xml_one(doc, node, "array"), fifo = dse_xml_one(doc, node, "fifo"), m_axi = dse_xml_one(doc, node, "m_axi");
    if (array == NULL || fifo == NULL || m_axi == NULL)
        return;
    dse_xml_read_fields(doc, array, array_fields, array_children, rules);
    rules->array_entry = add_entry(r, array, "array packing");
    read_aspects(r, array, rules);
    dse_xml_read_fields(doc, fifo, fifo_fields, NULL, rules);
    rules->fifo_entry = add_entry(r, fifo, "FIFO packing");
    dse_xml_read_fields(doc, m_axi, m_axi_fields, NULL, rules);
    rules->m_axi_entry = add_entry(r, m_axi, "m_axi buffers");
    r->costs->has_packing = true;
}

static void read_term(struct reader *r, dse_xml_node node, struct dse_power_rules *rules, bool *seen)
{
    char name[64];
    int term = dse_xml_choice(r->doc, node, "name", dse_power_term_names);
    const struct dse_xml_field fields[] = {
        {.attribute = "name"}, {.attribute = "nw_per_mhz", DSE_XML_NUMBER, AT(dse_power_rules, w_per_hz[term]), 0, 1e9, 1e-15}, {.attribute = "level"}, {.attribute = "source"},
        {.attribute = "low", DSE_XML_NUMBER, AT(dse_power_rules, low[term]), 0, 1}, {.attribute = "high", DSE_XML_NUMBER, AT(dse_power_rules, high[term]), 1, 100}, {0}};
    if (seen[term])
        dse_xml_problem(r->doc, node, "name", "occurs twice");
    seen[term] = true;
    dse_xml_read_fields(r->doc, node, fields, NULL, rules);
    snprintf(name, sizeof name, "power of %s", dse_power_term_names[term]);
    rules->entry[term] = add_entry(r, node, name);
}

static void read_power(struct reader *r, dse_xml_node node)
{
    static const char *const children[] = {"term", "static", NULL};
    struct dse_power_rules *rules = &r->costs->power;
    bool seen[DSE_POWER_TERM_COUNT] = {0};
    dse_xml_read_fields(r->doc, node, toggle_fields, children, rules);
    for (dse_xml_node n = dse_xml_first(node, "term"); n != NULL; n = dse_xml_next(n, "term"))
        read_term(r, n, rules, seen);
    for (int i = 0; i < DSE_POWER_TERM_COUNT; i++)
        if (!seen[i])
            dse_xml_problem(r->doc, node, NULL, "needs a <term name=\"%s\">", dse_power_term_names[i]);
    dse_xml_node fixed = dse_xml_one(r->doc, node, "static");
    dse_xml_read_fields(r->doc, fixed, static_fields, NULL, rules);
    if (fixed != NULL)
        rules->static_entry = add_entry(r, fixed, "static power");
    r->costs->has_power = true;
}

void dse_costs_read_layer(struct dse_costs *costs, struct dse_xml *doc, dse_xml_node root, const char *file, unsigned layer)
{
    static const char *const attributes[] = {"family", "title", "base", NULL};
    static const char *const children[] = {"source", "for", "band", "operator", "structure",
                                           "packing", "power", NULL};
    struct reader r = {.costs = costs, .doc = doc, .layer = layer};
    dse_xml_keep_in(doc, &costs->arena);
    r.file = dse_xml_keep(doc, file);
    dse_xml_allow(doc, root, attributes, children);
    read_sources(&r, root);
    read_bands(&r, root);
    for (dse_xml_node n = dse_xml_first(root, "operator"); n != NULL; n = dse_xml_next(n, "operator"))
        read_operator(&r, n);
    for (dse_xml_node n = dse_xml_first(root, "structure"); n != NULL; n = dse_xml_next(n, "structure"))
        read_structure(&r, n);
    if (dse_xml_first(root, "packing") != NULL)
        read_packing(&r, dse_xml_one(doc, root, "packing"));
    if (dse_xml_first(root, "power") != NULL)
        read_power(&r, dse_xml_one(doc, root, "power"));
}

void dse_costs_check_complete(const struct dse_costs *costs, struct dse_xml *doc, dse_xml_node root)
{
    if (!costs->has_packing)
        dse_xml_problem(doc, root, NULL, "neither this library nor its bases have <packing>");
    if (!costs->has_power)
        dse_xml_problem(doc, root, NULL, "neither this library nor its bases have <power>");
}
