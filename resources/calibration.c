/* A calibration: factors fitted from synthesis reports, put on a library's entries. */
#include <fnmatch.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "resources/costs_library.h"

#define CALIBRATION_BYTES_MAX (1u << 20)

static const char *const resource_attributes[] = {"bram18", "uram", "dsp", "lut", "ff", "lutram", NULL};

/* Scales a resource of an entry. If the factor lies inside the library's band, the two agree: the truth is inside both bands, so the result is no
 * wider than either. If it lies outside, the library was wrong, and only the calibration's band counts. */
static void scale(struct dse_cost_entry *entry, int resource, double value, double low, double high)
{
    bool agree = entry->factor[resource] == 1 && entry->low[resource] <= value && value <= entry->high[resource];
    entry->low[resource] = agree ? fmax(low, entry->low[resource] / value) : low;
    entry->high[resource] = agree ? fmin(high, entry->high[resource] / value) : high;
    entry->factor[resource] = value;
}

/* Applies one <factor>: every entry whose name matches `entries` gets it for one resource. */
static void apply_factor(struct dse_costs *costs, struct dse_xml *doc, dse_xml_node node, const char *source)
{
    static const char *const attributes[] = {"entries", "resource", "value",  "low",
                                             "high",    "points",   "residual", NULL};
    dse_xml_allow(doc, node, attributes, NULL);
    const char *pattern = dse_xml_need_text(doc, node, "entries");
    int resource = dse_xml_choice(doc, node, "resource", resource_attributes);
    double value = dse_xml_real(doc, node, "value", DSE_FACTOR_MIN, DSE_FACTOR_MAX);
    double low = dse_xml_real(doc, node, "low", 0, 1), high = dse_xml_real(doc, node, "high", 1, 100);
    dse_xml_int(doc, node, "points", 1, 1000000);
    bool matched = false;
    for (size_t i = 0; pattern != NULL && i < costs->entry_count; i++) {
        struct dse_cost_entry *entry = &costs->entries[i];
        if (fnmatch(pattern, entry->name, 0) != 0)
            continue;
        matched = true;
        scale(entry, resource, value, low, high);
        entry->level = DSE_LEVEL_FITTED;
        entry->source = source;
        entry->file = costs->calibration;
        entry->line = dse_xml_line(node);
    }
    if (pattern != NULL && !matched)
        dse_xml_problem(doc, node, "entries", "matches no entry of the library for %s", costs->family);
}

/* The entry of the engine, new if there is none; NULL if there are too many. */
static struct cost_pace *pace_of(struct dse_costs *costs, const char *family, const char *engine)
{
    for (size_t i = 0; i < costs->pace_count; i++)
        if (strcmp(costs->paces[i].family, family) == 0 && strcmp(costs->paces[i].engine, engine) == 0)
            return &costs->paces[i];
    if (costs->pace_count == COST_PACES_MAX)
        return NULL;
    struct cost_pace *made = &costs->paces[costs->pace_count++];
    *made = (struct cost_pace){.family = family, .engine = engine, .pace = {.depth = 1.0, .interval = 1.0}};
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        made->amounts[r] = (struct dse_amount){1.0, 1.0, 1.0};
    return made;
}

/* One <cycles> or <amount>. */
struct learned {
    const char *family, *engine;
    int of; /* quantity that it scales: DEPTH, INTERVAL, or a resource */
    struct dse_amount amount;
    int64_t points;
};
#define AT(member) offsetof(struct learned, member)
#define ENGINE {.attribute = "family", DSE_XML_TEXT, AT(family)}, {.attribute = "engine", DSE_XML_TEXT, AT(engine)}
#define POINTS {.attribute = "points", DSE_XML_WHOLE, AT(points), 1, 1000000}, {.attribute = "residual"}

/* A factor on the depths or the intervals of an engine's loops. */
static void apply_cycles(struct dse_costs *costs, struct dse_xml *doc, dse_xml_node node)
{
    static const char *const what[] = {"depth", "interval", NULL};
    static const struct dse_xml_field fields[] = {
        ENGINE, {.attribute = "of", DSE_XML_CHOICE, AT(of), .names = what},
        {.attribute = "value", DSE_XML_NUMBER, AT(amount.value), DSE_PACE_MIN, DSE_PACE_MAX}, POINTS, {0}};
    struct learned learned = {0};
    if (!dse_xml_read_fields(doc, node, fields, NULL, &learned))
        return;
    struct cost_pace *known = pace_of(costs, learned.family, learned.engine);
    if (known == NULL)
        dse_xml_problem(doc, node, "engine", "more than %d engines", COST_PACES_MAX);
    else if (learned.of == 0)
        known->pace.depth = learned.amount.value;
    else
        known->pace.interval = learned.amount.value;
}

/* A factor on one resource of an engine in SystemVerilog. */
static void apply_amount(struct dse_costs *costs, struct dse_xml *doc, dse_xml_node node)
{
    static const struct dse_xml_field fields[] = {
        ENGINE, {.attribute = "resource", DSE_XML_CHOICE, AT(of), .names = resource_attributes},
        {.attribute = "value", DSE_XML_NUMBER, AT(amount.value), DSE_FACTOR_MIN, DSE_FACTOR_MAX},
        {.attribute = "low", DSE_XML_NUMBER, AT(amount.low), 0, 1}, {.attribute = "high", DSE_XML_NUMBER, AT(amount.high), 1, 100}, POINTS, {0}};
    struct learned learned = {0};
    bool good = dse_xml_read_fields(doc, node, fields, NULL, &learned);
    if (!costs->of_open_synthesis)
        dse_xml_problem(doc, node, NULL, "amounts of engines belong to the level open-synthesis");
    struct cost_pace *known = good ? pace_of(costs, learned.family, learned.engine) : NULL;
    if (known != NULL) {
        known->amounts[learned.of] = learned.amount;
        known->pace.amounts = known->amounts;
    } else if (good) {
        dse_xml_problem(doc, node, "engine", "more than %d engines", COST_PACES_MAX);
    }
}

static enum dse_status apply(struct dse_costs *costs, struct dse_xml *doc, const char *path,
                             struct dse_error *err)
{
    static const char *const attributes[] = {"family", "level", "source", NULL};
    static const char *const children[] = {"factor", "cycles", "amount", NULL};
    static const char *const levels[] = {"hls-report", "routed-report", "open-synthesis", NULL};
    dse_xml_node root = dse_xml_root(doc, "calibration");
    dse_xml_allow(doc, root, attributes, children);
    dse_xml_keep_in(doc, &costs->arena);
    costs->calibration = dse_xml_keep(doc, path);
    const char *text = dse_xml_need_text(doc, root, "source");
    int chosen = dse_xml_choice(doc, root, "level", levels);
    const char *level = levels[chosen];
    costs->of_open_synthesis = chosen == 2;
    char source[512];
    snprintf(source, sizeof source, "calibration (%s): %.400s", level, text != NULL ? text : "");
    const char *kept = dse_xml_keep(doc, source);
    const char *family = dse_xml_need_text(doc, root, "family");
    if (family != NULL && strcmp(family, costs->family) != 0)
        dse_xml_problem(doc, root, "family", "this calibration is not for %s", costs->family);
    for (dse_xml_node n = dse_xml_first(root, "factor"); n != NULL; n = dse_xml_next(n, "factor"))
        apply_factor(costs, doc, n, kept);
    for (dse_xml_node n = dse_xml_first(root, "cycles"); n != NULL; n = dse_xml_next(n, "cycles"))
        apply_cycles(costs, doc, n);
    for (dse_xml_node n = dse_xml_first(root, "amount"); n != NULL; n = dse_xml_next(n, "amount"))
        apply_amount(costs, doc, n);
    if (root != NULL && costs->of_open_synthesis && (dse_xml_first(root, "factor") != NULL || dse_xml_first(root, "cycles") != NULL))
        dse_xml_problem(doc, root, "level", "open-synthesis has only amounts of engines: levels are never mixed");
    if (root != NULL && dse_xml_first(root, "factor") == NULL && dse_xml_first(root, "cycles") == NULL && dse_xml_first(root, "amount") == NULL)
        dse_xml_problem(doc, root, NULL, "needs at least one <factor>, <cycles> or <amount>");
    return dse_xml_verdict(doc, err);
}

enum dse_status dse_costs_apply_calibration(struct dse_costs *costs, const char *path, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    DSE_TRY(dse_xml_read_file(path, CALIBRATION_BYTES_MAX, &doc, err));
    return apply(costs, doc, path, err);
}
