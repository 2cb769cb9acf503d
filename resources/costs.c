#include "resources/costs.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "resources/costs_library.h"

#define LIBRARY_BYTES_MAX (4u << 20)
#define LAYERS_MAX 8 /* files in a chain of bases */

const char *const dse_operator_names[DSE_OP_COUNT + 1] = {
    "add",    "addsub",    "mul",   "mac",  "compare",  "to-fp32", "from-fp32",
    "divide", "remainder", "range", "hash", "popcount", "xor",     "shift",
    "exp"};
const char *const dse_precision_names[DSE_PRECISION_COUNT + 1] = {"fp32",  "fp16", "bf16", "int64", "int32",
                                                              "int16", "int8", "int4", "binary"};
const char *const dse_form_names[DSE_FORM_COUNT + 1] = {"dsp", "lut", "sequential"};
const char *const dse_structure_names[DSE_STRUCTURE_COUNT + 1] = {
    "m_axi", "s_axilite",  "fifo-memory", "fifo-shift", "loop",     "process", "register",       "adder",
    "comparator", "multiplexer", "popcount",    "xnor-dot",   "random", "datapath-lut", "datapath-ff", "ddr-controller", "hbm-interface"};
const char *const dse_level_names[DSE_LEVEL_COUNT + 1] = {"vendor-table", "routed-report", "hls-report",
                                                      "fitted",       "derived",       "assumed"};
const char *const dse_power_term_names[DSE_POWER_TERM_COUNT + 1] = {
    "lut-logic", "lutram", "ff", "signals", "clock", "bram18", "uram", "dsp"};

int64_t dse_precision_bits(enum dse_precision precision)
{
    static const int64_t bits[DSE_PRECISION_COUNT] = {32, 16, 16, 64, 32, 16, 8, 4, 1};
    return bits[precision];
}

int dse_costs_name_index(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* The files of a chain: the requested one, then its bases. */
struct chain {
    struct dse_xml *docs[LAYERS_MAX];
    char *paths[LAYERS_MAX];
    size_t count;
};

static void free_chain(struct chain *chain) /* for DSE_CLEANUP, too */
{
    for (size_t i = 0; i < chain->count; i++) {
        dse_xml_free(chain->docs[i]);
        free(chain->paths[i]);
    }
}

/* The path of a family's library; for an unknown family, an error with the existing ones. */
static enum dse_status find_library(const char *name, char **path, struct dse_error *err)
{
    struct dse_strbuf relative DSE_CLEANUP(dse_strbuf_free) = {0}, list DSE_CLEANUP(dse_strbuf_free) = {0};
    char **names = NULL;
    size_t count = 0;
    *path = dse_is_xml_path(name) ? dse_strdup(name) : NULL;
    dse_strbuf_printf(&relative, "costs/%s.xml", name);
    if (*path != NULL || dse_share_find(relative.text, path, err) == DSE_OK)
        return DSE_OK;
    DSE_TRY(dse_share_names("costs", ".xml", &names, &count, err));
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    dse_share_names_free(names, count);
    return dse_fail(err, DSE_BAD_USAGE, "no operator costs for the device family \"%.80s\"; available: %s", name,
                    dse_strbuf_text(&list));
}

/* The library to which a <for parts="…" family="…"/> sends this part, or NULL. */
static const char *redirect(struct dse_xml *doc, dse_xml_node root, const char *part)
{
    static const char *const attributes[] = {"parts", "family", NULL};
    const char *found = NULL;
    for (dse_xml_node n = dse_xml_first(root, "for"); n != NULL; n = dse_xml_next(n, "for")) {
        dse_xml_allow(doc, n, attributes, NULL);
        const char *pattern = dse_xml_need_text(doc, n, "parts");
        const char *family = dse_xml_need_text(doc, n, "family");
        if (found == NULL && part != NULL && pattern != NULL && family != NULL &&
            fnmatch(pattern, part, 0) == 0)
            found = family;
    }
    return found;
}

/* Reads a library's file and its bases' files, following at most one redirection by part. */
static enum dse_status read_chain(const char *family, const char *part, struct chain *chain,
                                  struct dse_error *err)
{
    char next[256];
    bool redirected = false;
    snprintf(next, sizeof next, "%s", family);
    while (*next != '\0') {
        if (chain->count == LAYERS_MAX)
            return dse_fail(err, DSE_BAD_INPUT, "%s: more than %d bases in a chain (or a cycle)",
                            chain->paths[0], LAYERS_MAX - 1);
        char *path = NULL;
        struct dse_xml *doc = NULL;
        enum dse_status status = find_library(next, &path, err);
        if (status == DSE_OK)
            status = dse_xml_read_file(path, LIBRARY_BYTES_MAX, &doc, err);
        if (status != DSE_OK) {
            free(path);
            return status == DSE_BAD_USAGE && chain->count > 0 ? DSE_BAD_INPUT : status;
        }
        chain->docs[chain->count] = doc;
        chain->paths[chain->count++] = path;
        dse_xml_node root = dse_xml_root(doc, "costs");
        const char *other = redirect(doc, root, redirected || chain->count > 1 ? NULL : part);
        const char *base = dse_xml_text(doc, root, "base");
        snprintf(next, sizeof next, "%s", other != NULL ? other : base != NULL ? base : "");
        if (other != NULL) {
            free_chain(chain);
            *chain = (struct chain){0};
            redirected = true;
        }
    }
    return DSE_OK;
}

/* Puts the calibration's factors into the amounts. */
static void scale_points(struct dse_costs *costs)
{
    for (size_t i = 0; i < costs->point_count; i++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            costs->points[i].amount[r] *= costs->entries[costs->points[i].entry].factor[r];
}

static enum dse_status build(struct chain *chain, struct dse_costs *costs, struct dse_error *err)
{
    for (int level = 0; level < DSE_LEVEL_COUNT; level++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            costs->bands[level].low[r] = costs->bands[level].high[r] = 1;
    for (size_t i = chain->count; i-- > 0;) {
        dse_xml_node root = dse_xml_root(chain->docs[i], "costs");
        dse_costs_read_layer(costs, chain->docs[i], root, chain->paths[i], (unsigned)(chain->count - i));
        if (i == 0)
            dse_costs_check_complete(costs, chain->docs[i], root);
        costs->family = dse_xml_keep_need(chain->docs[i], root, "family");
        DSE_TRY(dse_xml_verdict(chain->docs[i], err));
    }
    return DSE_OK;
}

/* The library of a chain, with a calibration or without (NULL). */
static enum dse_status make_costs(struct chain *chain, const char *calibration, struct dse_costs **out, struct dse_error *err)
{
    struct dse_costs *costs = dse_calloc(1, sizeof *costs);
    enum dse_status status = build(chain, costs, err);
    if (status == DSE_OK && calibration != NULL)
        status = dse_costs_apply_calibration(costs, calibration, err);
    if (status != DSE_OK) {
        dse_costs_free(costs);
        return status;
    }
    scale_points(costs);
    *out = costs;
    return DSE_OK;
}

enum dse_status dse_costs_open(const char *family, const char *part, const char *calibration,
                               struct dse_costs **out, struct dse_error *err)
{
    struct chain chain DSE_CLEANUP(free_chain) = {0};
    *out = NULL;
    DSE_TRY(read_chain(family, part, &chain, err));
    return make_costs(&chain, calibration, out, err);
}

enum dse_status dse_costs_for_board(const struct dse_board *board, const char *calibration,
                                    struct dse_costs **out, struct dse_error *err)
{
    return dse_costs_open(board->family, board->part, calibration, out, err);
}

enum dse_status dse_costs_read_memory(const char *data, size_t size, const char *name,
                                      struct dse_costs **out, struct dse_error *err)
{
    struct chain chain DSE_CLEANUP(free_chain) = {0};
    *out = NULL;
    DSE_TRY(dse_xml_read_memory(data, size, name, &chain.docs[0], err));
    chain.count = 1;
    chain.paths[0] = dse_strdup(name);
    dse_xml_node root = dse_xml_root(chain.docs[0], "costs");
    if (dse_xml_has(root, "base"))
        dse_xml_problem(chain.docs[0], root, "base", "a library in memory cannot have a base");
    redirect(chain.docs[0], root, NULL);
    return make_costs(&chain, NULL, out, err);
}

static bool matches_any(const char *name, const char *const *patterns)
{
    for (; *patterns != NULL; patterns++)
        if (fnmatch(*patterns, name, 0) == 0)
            return true;
    return false;
}

void dse_costs_copy_scaled(const struct dse_costs *costs, const char *const *patterns,
                                      enum dse_resource resource, double factor, struct dse_costs **out)
{
    struct dse_costs *copy = *out = dse_malloc(sizeof *copy);
    *copy = *costs;
    copy->arena = (struct dse_arena){0}; /* the texts stay with the original */
    bool scaled[DSE_COST_ENTRIES_MAX] = {0};
    for (size_t i = 0; i < copy->entry_count; i++) {
        scaled[i] = matches_any(copy->entries[i].name, patterns);
        if (scaled[i])
            copy->entries[i].factor[resource] *= factor;
    }
    for (size_t i = 0; i < copy->point_count; i++)
        if (scaled[copy->points[i].entry])
            copy->points[i].amount[resource] *= factor;
}

void dse_costs_free(struct dse_costs *costs)
{
    if (costs == NULL)
        return;
    dse_arena_free(&costs->arena);
    free(costs);
}

const char *dse_costs_family(const struct dse_costs *costs)
{
    return costs->family;
}

const char *dse_costs_calibration(const struct dse_costs *costs)
{
    return costs->calibration;
}

bool dse_costs_of_open_synthesis(const struct dse_costs *costs)
{
    return costs->of_open_synthesis;
}

static const struct cost_group *operator_group(const struct dse_costs *costs, enum dse_operator op,
                                               enum dse_precision precision, enum dse_form form)
{
    if (form == DSE_FORM_ANY) {
        uint8_t first = costs->first_form[op][precision];
        if (first == 0)
            return NULL;
        form = (enum dse_form)(first - 1);
    }
    const struct cost_group *group = &costs->operators[op][precision][form];
    return group->count > 0 ? group : NULL;
}

bool dse_costs_has_operator(const struct dse_costs *costs, enum dse_operator op,
                            enum dse_precision precision, enum dse_form form)
{
    return operator_group(costs, op, precision, form) != NULL;
}

enum dse_status dse_costs_operator(const struct dse_costs *costs, enum dse_operator op,
                                   enum dse_precision precision, enum dse_form form, double clock_hz,
                                   struct dse_cost *out, struct dse_error *err)
{
    const struct cost_group *group = operator_group(costs, op, precision, form);
    if (group == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "no cost for the operator \"%s\" at %s (form %s) on %s",
                        dse_operator_names[op], dse_precision_names[precision],
                        form == DSE_FORM_ANY ? "any" : dse_form_names[form], costs->family);
    const struct cost_point *point = &costs->points[group->first];
    const struct cost_point *last = point + group->count - 1;
    while (point < last && point->key < clock_hz)
        point++;
    memcpy(out->amount, point->amount, sizeof out->amount);
    out->latency_cycles = point->latency_cycles;
    out->interval_cycles = point->interval_cycles;
    out->clock_hz = point->key;
    out->extrapolated = point->key < clock_hz;
    out->entry = point->entry;
    /* A pipeline of a fixed delay in seconds needs cycles in proportion to the clock. */
    if (out->extrapolated && point->key > 0)
        out->latency_cycles = (int64_t)ceil((double)point->latency_cycles * clock_hz / point->key);
    return DSE_OK;
}

/* The two listed points whose line passes through or beyond `size`. */
static void interpolate(const struct cost_point *points, size_t count, double size, struct dse_cost *out)
{
    size_t upper = 1;
    while (upper + 1 < count && points[upper].key < size)
        upper++;
    const struct cost_point *a = &points[upper - 1], *b = &points[upper];
    double t = (size - a->key) / (b->key - a->key);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        double value = a->amount[r] + t * (b->amount[r] - a->amount[r]);
        out->amount[r] = value > 0 ? value : 0;
    }
    double latency = (double)a->latency_cycles + t * (double)(b->latency_cycles - a->latency_cycles);
    out->latency_cycles = latency > 0 ? (int64_t)ceil(latency) : 0;
    out->interval_cycles = b->interval_cycles;
    out->extrapolated = size < points[0].key || size > points[count - 1].key;
    out->entry = t <= 0.5 ? a->entry : b->entry;
}

enum dse_status dse_costs_structure(const struct dse_costs *costs, enum dse_structure structure, double size,
                                    struct dse_cost *out, struct dse_error *err)
{
    const struct cost_group *group = &costs->structures[structure];
    if (group->count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "no cost for the structure \"%s\" on %s",
                        dse_structure_names[structure], costs->family);
    const struct cost_point *points = &costs->points[group->first];
    *out = (struct dse_cost){.interval_cycles = 1, .entry = points->entry};
    if (!(size > 0))
        return DSE_OK;
    if (group->step > 0)
        size = ceil(size / group->step) * group->step;
    if (group->count > 1) {
        interpolate(points, group->count, size, out);
        return DSE_OK;
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out->amount[r] = points->amount[r] * size / points->key;
    out->latency_cycles = points->latency_cycles;
    out->interval_cycles = points->interval_cycles;
    return DSE_OK;
}

const struct dse_packing_rules *dse_costs_packing(const struct dse_costs *costs)
{
    return &costs->packing;
}

const struct dse_power_rules *dse_costs_power(const struct dse_costs *costs)
{
    return &costs->power;
}

struct dse_pace dse_costs_pace(const struct dse_costs *costs, const char *family, const char *engine)
{
    for (size_t i = 0; costs != NULL && i < costs->pace_count; i++)
        if (strcmp(costs->paces[i].family, family) == 0 && strcmp(costs->paces[i].engine, engine) == 0)
            return costs->paces[i].pace;
    return (struct dse_pace){.depth = 1.0, .interval = 1.0};
}

size_t dse_costs_entry_count(const struct dse_costs *costs)
{
    return costs->entry_count;
}

const struct dse_cost_entry *dse_costs_entry(const struct dse_costs *costs, size_t index)
{
    return index < costs->entry_count ? &costs->entries[index] : NULL;
}

void dse_tally_add(struct dse_tally *tally, const struct dse_costs *costs, const struct dse_cost *cost,
                   double times)
{
    const struct dse_cost_entry *entry = &costs->entries[cost->entry];
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        double amount = cost->amount[r] * times;
        tally->nominal[r] += amount;
        tally->low[r] += amount * entry->low[r];
        tally->high[r] += amount * entry->high[r];
    }
    tally->used[cost->entry / 64] |= UINT64_C(1) << (cost->entry % 64);
}
