/* Reads one cost library file into a library; see schema/costs.xsd for the format. */
#include <stdio.h>
#include <string.h>

#include "resources/costs_library.h"

#define SOURCES_MAX 64
#define WATT_PER_HERTZ_OF_NW_PER_MHZ 1e-15 /* 1 nW/MHz: a unit, not a cost */
#define WATT_OF_MICROWATT 1e-6

/* What one file's elements are read with. */
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
            dse_xml_problem(r->doc, n, "id", "a source needs a text that says where to look");
        for (size_t i = 0; i < r->source_count; i++)
            if (strcmp(r->source_ids[i], id) == 0)
                dse_xml_problem(r->doc, n, "id", "stands twice");
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
    const char *levels[DSE_LEVEL_COUNT + 1] = {0};
    memcpy(levels, dse_level_names, sizeof dse_level_names);
    for (dse_xml_node n = dse_xml_first(root, "band"); n != NULL; n = dse_xml_next(n, "band")) {
        dse_xml_allow(r->doc, n, attributes, NULL);
        find_source(r, n);
        struct level_band *band = &r->costs->bands[dse_xml_choice(r->doc, n, "level", levels)];
        for (int i = 0; i < DSE_RESOURCE_COUNT; i++) {
            /* The attributes stand in the order of enum dse_resource, low and high in turn. */
            band->low[i] = dse_xml_real_or(r->doc, n, attributes[1 + 2 * i], 0, 1, 1);
            band->high[i] = dse_xml_real_or(r->doc, n, attributes[2 + 2 * i], 1, 100, 1);
        }
    }
}

/* A new entry from an element's `level`, `source`, `low` and `high`. */
static uint16_t add_entry(struct reader *r, dse_xml_node node, const char *name)
{
    struct dse_costs *costs = r->costs;
    const char *levels[DSE_LEVEL_COUNT + 1] = {0};
    memcpy(levels, dse_level_names, sizeof dse_level_names);
    enum dse_level level = (enum dse_level)dse_xml_choice(r->doc, node, "level", levels);
    const char *source = find_source(r, node);
    double low = dse_xml_real_or(r->doc, node, "low", 0, 1, 1);
    double high = dse_xml_real_or(r->doc, node, "high", 1, 100, 1);
    if (costs->entry_count == DSE_COST_ENTRIES_MAX) {
        dse_xml_problem(r->doc, node, NULL, "more than %d entries in one library", DSE_COST_ENTRIES_MAX);
        return 0;
    }
    struct dse_cost_entry *entry = &costs->entries[costs->entry_count];
    entry->name = dse_xml_keep(r->doc, name);
    entry->source = source;
    entry->file = r->file;
    entry->line = dse_xml_line(node);
    entry->level = level;
    for (int i = 0; i < DSE_RESOURCE_COUNT; i++) {
        entry->factor[i] = 1;
        entry->low[i] = dse_xml_has(node, "low") ? low : costs->bands[level].low[i];
        entry->high[i] = dse_xml_has(node, "high") ? high : costs->bands[level].high[i];
    }
    return (uint16_t)costs->entry_count++;
}

/* The attributes of an <at>, the resources in the order of enum dse_resource from the second on. */
static const char *const at_operator[] = {"clock_mhz", "bram18",   "uram",  "dsp",    "lut", "ff",  "lutram",
                                          "latency",   "interval", "level", "source", "low", "high", NULL};
static const char *const at_structure[] = {"size",    "bram18",   "uram",  "dsp",    "lut", "ff",  "lutram",
                                           "latency", "interval", "level", "source", "low", "high", NULL};
static const char *const child_at[] = {"at", NULL};

/* The amounts of one <at>; keys must ascend within the group. */
static void read_point(struct reader *r, dse_xml_node node, const char *name, struct cost_group *group,
                       const char *key_attribute, double key_scale)
{
    struct dse_costs *costs = r->costs;
    double key = dse_xml_real(r->doc, node, key_attribute, 0, 1e6) * key_scale;
    if (group->count > 0 && key <= costs->points[group->first + group->count - 1].key)
        dse_xml_problem(r->doc, node, key_attribute, "must be above that of the <at> before it");
    if (costs->point_count == DSE_COST_ENTRIES_MAX) {
        dse_xml_problem(r->doc, node, NULL, "more than %d entries in one library", DSE_COST_ENTRIES_MAX);
        return;
    }
    struct cost_point *point = &costs->points[costs->point_count++];
    group->count++;
    *point = (struct cost_point){.key = key};
    for (int i = 0; i < DSE_RESOURCE_COUNT; i++)
        point->amount[i] = dse_xml_real_or(r->doc, node, at_operator[1 + i], 0, 1e9, 0);
    point->latency_cycles = dse_xml_int_or(r->doc, node, "latency", 0, 100000, 0);
    point->interval_cycles = dse_xml_int_or(r->doc, node, "interval", 1, 100000, 1);
    point->entry = add_entry(r, node, name);
}

/* An empty group at the end of the points, in place of what a base file said. */
static void start_group(struct reader *r, dse_xml_node node, struct cost_group *group)
{
    if (group->count > 0 && group->layer == r->layer)
        dse_xml_problem(r->doc, node, "name", "stands twice in this file");
    if (dse_xml_first(node, "at") == NULL)
        dse_xml_problem(r->doc, node, "name", "needs at least one <at>");
    *group = (struct cost_group){.first = (uint16_t)r->costs->point_count, .layer = (uint8_t)r->layer};
}

static void read_operator(struct reader *r, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "precision", "form", NULL};
    const char *names[DSE_OP_COUNT + 1] = {0}, *precisions[DSE_PRECISION_COUNT + 1] = {0};
    const char *forms[DSE_FORM_COUNT + 1] = {0};
    memcpy(names, dse_operator_names, sizeof dse_operator_names);
    memcpy(precisions, dse_precision_names, sizeof dse_precision_names);
    memcpy(forms, dse_form_names, sizeof dse_form_names);
    dse_xml_allow(r->doc, node, attributes, child_at);
    int op = dse_xml_choice(r->doc, node, "name", names);
    int precision = dse_xml_choice(r->doc, node, "precision", precisions);
    int form = dse_xml_choice(r->doc, node, "form", forms);
    struct cost_group *group = &r->costs->operators[op][precision][form];
    start_group(r, node, group);
    uint8_t *first = &r->costs->first_form[op][precision], *layer = &r->costs->first_layer[op][precision];
    if (*first == 0 || *layer != r->layer) {
        *first = (uint8_t)(form + 1);
        *layer = (uint8_t)r->layer;
    }
    for (dse_xml_node at = dse_xml_first(node, "at"); at != NULL; at = dse_xml_next(at, "at")) {
        char name[96];
        const char *clock = dse_xml_text(r->doc, at, "clock_mhz");
        snprintf(name, sizeof name, "%s %s %s %.12s MHz", names[op], precisions[precision], forms[form],
                 clock != NULL ? clock : "?");
        dse_xml_allow(r->doc, at, at_operator, NULL);
        read_point(r, at, name, group, "clock_mhz", 1e6);
        if (!dse_xml_has(at, "latency"))
            dse_xml_problem(r->doc, at, NULL, "needs the attribute \"latency\"");
    }
}

static void read_structure(struct reader *r, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "step", NULL};
    const char *names[DSE_STRUCTURE_COUNT + 1] = {0};
    memcpy(names, dse_structure_names, sizeof dse_structure_names);
    dse_xml_allow(r->doc, node, attributes, child_at);
    int structure = dse_xml_choice(r->doc, node, "name", names);
    struct cost_group *group = &r->costs->structures[structure];
    start_group(r, node, group);
    group->step = dse_xml_real_or(r->doc, node, "step", 0, 1e6, 0);
    for (dse_xml_node at = dse_xml_first(node, "at"); at != NULL; at = dse_xml_next(at, "at")) {
        char name[96];
        const char *size = dse_xml_text(r->doc, at, "size");
        snprintf(name, sizeof name, "%s %.12s", names[structure], size != NULL ? size : "?");
        dse_xml_allow(r->doc, at, at_structure, NULL);
        read_point(r, at, name, group, "size", 1);
    }
    if (group->count == 1 && r->costs->points[group->first].key <= 0)
        dse_xml_problem(r->doc, node, "name", "a single <at> needs a size above 0");
}

static void read_arrays(struct reader *r, dse_xml_node node, struct dse_packing_rules *rules)
{
    static const char *const attributes[] = {"shared_width_bits", "uram_words", "uram_width_bits",
                                             "lutram_threshold_bits", "lutram_bits_per_lut",
                                             "register_threshold_words", "register_bits_per_lut",
                                             "bram_latency", "uram_latency", "lutram_latency",
                                             "register_latency",
                                             "level", "source", "low", "high", NULL};
    static const char *const children[] = {"aspect", NULL};
    static const char *const aspect_attributes[] = {"words", "width_bits", NULL};
    struct dse_xml *doc = r->doc;
    dse_xml_allow(doc, node, attributes, children);
    rules->bram18_shared_width_bits = dse_xml_int(doc, node, "shared_width_bits", 1, 1024);
    rules->uram_words = dse_xml_int(doc, node, "uram_words", 1, 1 << 20);
    rules->uram_width_bits = dse_xml_int(doc, node, "uram_width_bits", 1, 1024);
    rules->lutram_threshold_bits = dse_xml_int(doc, node, "lutram_threshold_bits", 0, 1 << 20);
    rules->lutram_bits_per_lut = dse_xml_int(doc, node, "lutram_bits_per_lut", 1, 1024);
    rules->register_threshold_words = dse_xml_int(doc, node, "register_threshold_words", 0, 1 << 20);
    rules->register_bits_per_lut = dse_xml_int(doc, node, "register_bits_per_lut", 1, 1024);
    for (int i = 0; i < 4; i++) /* the attributes from the eighth on, in the order of enum dse_storage */
        rules->read_latency_cycles[i] = dse_xml_int(doc, node, attributes[7 + i], 0, 64);
    rules->array_entry = add_entry(r, node, "array packing");
    rules->bram18_aspects = 0;
    const size_t most = sizeof rules->bram18 / sizeof *rules->bram18;
    for (dse_xml_node n = dse_xml_first(node, "aspect"); n != NULL; n = dse_xml_next(n, "aspect")) {
        dse_xml_allow(doc, n, aspect_attributes, NULL);
        struct dse_aspect aspect = {.words = dse_xml_int(doc, n, "words", 1, 1 << 20),
                                    .width_bits = dse_xml_int(doc, n, "width_bits", 1, 1024)};
        if (rules->bram18_aspects == most) {
            dse_xml_problem(doc, n, NULL, "more than %zu aspects", most);
            return;
        }
        if (rules->bram18_aspects > 0 && aspect.words <= rules->bram18[rules->bram18_aspects - 1].words)
            dse_xml_problem(doc, n, "words", "must be above that of the <aspect> before it");
        rules->bram18[rules->bram18_aspects++] = aspect;
    }
    if (rules->bram18_aspects == 0)
        dse_xml_problem(doc, node, NULL, "needs at least one <aspect>");
}

static void read_packing(struct reader *r, dse_xml_node node)
{
    static const char *const none[] = {NULL};
    static const char *const children[] = {"array", "fifo", "m_axi", NULL};
    static const char *const fifo_attributes[] = {"shift_words", "shift_bits", "srl_words", "memory_words",
                                                  "memory_width_bits", "level", "source", "low", "high", NULL};
    static const char *const m_axi_attributes[] = {"extra_bits", "buffers", "burst_beats", "outstanding",
                                                   "latency_cycles", "burst_beats_max", "boundary_bytes",
                                                   "level", "source", "low", "high", NULL};
    struct dse_xml *doc = r->doc;
    struct dse_packing_rules *rules = &r->costs->packing;
    dse_xml_allow(doc, node, none, children);
    dse_xml_node array = dse_xml_one(doc, node, "array"), fifo = dse_xml_one(doc, node, "fifo");
    dse_xml_node m_axi = dse_xml_one(doc, node, "m_axi");
    if (array == NULL || fifo == NULL || m_axi == NULL)
        return;
    read_arrays(r, array, rules);
    dse_xml_allow(doc, fifo, fifo_attributes, NULL);
    rules->fifo_shift_words = dse_xml_int(doc, fifo, "shift_words", 0, 1 << 20);
    rules->fifo_shift_bits = dse_xml_int(doc, fifo, "shift_bits", 0, 1 << 20);
    rules->fifo_srl_words = dse_xml_int(doc, fifo, "srl_words", 1, 1024);
    rules->fifo_memory.words = dse_xml_int(doc, fifo, "memory_words", 1, 1 << 20);
    rules->fifo_memory.width_bits = dse_xml_int(doc, fifo, "memory_width_bits", 1, 1024);
    rules->fifo_entry = add_entry(r, fifo, "FIFO packing");
    dse_xml_allow(doc, m_axi, m_axi_attributes, NULL);
    rules->m_axi_extra_bits = dse_xml_int(doc, m_axi, "extra_bits", 0, 1024);
    rules->m_axi_buffers = dse_xml_int(doc, m_axi, "buffers", 0, 16);
    rules->m_axi_burst_beats = dse_xml_int(doc, m_axi, "burst_beats", 1, 4096);
    rules->m_axi_outstanding = dse_xml_int(doc, m_axi, "outstanding", 1, 4096);
    rules->m_axi_latency_cycles = dse_xml_int(doc, m_axi, "latency_cycles", 0, 100000);
    rules->m_axi_burst_beats_max = dse_xml_int(doc, m_axi, "burst_beats_max", 1, 4096);
    rules->m_axi_boundary_bytes = dse_xml_int(doc, m_axi, "boundary_bytes", 1, 1 << 20);
    rules->m_axi_entry = add_entry(r, m_axi, "m_axi buffers");
    r->costs->has_packing = true;
}

static void read_power(struct reader *r, dse_xml_node node)
{
    static const char *const attributes[] = {"toggle_rate", NULL};
    static const char *const children[] = {"term", "static", NULL};
    static const char *const term_attributes[] = {"name", "nw_per_mhz", "level", "source", "low", "high", NULL};
    static const char *const static_attributes[] = {"uw_per_lut", "level", "source", "low", "high", NULL};
    const char *names[DSE_POWER_TERM_COUNT + 1] = {0};
    memcpy(names, dse_power_term_names, sizeof dse_power_term_names);
    struct dse_xml *doc = r->doc;
    struct dse_power_rules *rules = &r->costs->power;
    bool seen[DSE_POWER_TERM_COUNT] = {0};
    dse_xml_allow(doc, node, attributes, children);
    rules->toggle_rate = dse_xml_real(doc, node, "toggle_rate", 1e-6, 1);
    for (dse_xml_node n = dse_xml_first(node, "term"); n != NULL; n = dse_xml_next(n, "term")) {
        dse_xml_allow(doc, n, term_attributes, NULL);
        int term = dse_xml_choice(doc, n, "name", names);
        if (seen[term])
            dse_xml_problem(doc, n, "name", "stands twice");
        seen[term] = true;
        char name[64];
        snprintf(name, sizeof name, "power of %s", names[term]);
        rules->w_per_hz[term] = dse_xml_real(doc, n, "nw_per_mhz", 0, 1e9) * WATT_PER_HERTZ_OF_NW_PER_MHZ;
        rules->low[term] = dse_xml_real(doc, n, "low", 0, 1);
        rules->high[term] = dse_xml_real(doc, n, "high", 1, 100);
        rules->entry[term] = add_entry(r, n, name);
    }
    for (int i = 0; i < DSE_POWER_TERM_COUNT; i++)
        if (!seen[i])
            dse_xml_problem(doc, node, NULL, "needs a <term name=\"%s\">", names[i]);
    dse_xml_node fixed = dse_xml_one(doc, node, "static");
    dse_xml_allow(doc, fixed, static_attributes, NULL);
    if (fixed != NULL) {
        rules->static_w_per_lut = dse_xml_real(doc, fixed, "uw_per_lut", 0, 1e6) * WATT_OF_MICROWATT;
        rules->static_low = dse_xml_real(doc, fixed, "low", 0, 1);
        rules->static_high = dse_xml_real(doc, fixed, "high", 1, 100);
        rules->static_entry = add_entry(r, fixed, "static power");
    }
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
