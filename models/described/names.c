/* Names in formulas besides knobs: workload, constants with evidence, board, and named expressions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "models/described/reading.h"

/* Default band of a constant, as factors, by its level of evidence. */
static const struct {
    double low, high;
} bands[DSE_LEVEL_COUNT] = {
    [DSE_LEVEL_VENDOR_TABLE] = {1.0, 1.0}, [DSE_LEVEL_ROUTED_REPORT] = {0.95, 1.05}, [DSE_LEVEL_HLS_REPORT] = {0.9, 1.1},
    [DSE_LEVEL_FITTED] = {0.8, 1.25},      [DSE_LEVEL_DERIVED] = {0.7, 1.4},         [DSE_LEVEL_ASSUMED] = {0.5, 2.0},
};

enum dse_status dse_describing_source(const struct dse_describing *d, const struct dse_yaml *map, bool needed, const char **out)
{
    const struct dse_yaml *sources;
    const char *name, *keys[64];
    size_t count = 0;
    DSE_TRY(dse_describing_members(d, &d->out->root, "sources", "names and texts", &sources));
    DSE_TRY(dse_describing_text(d, map, "source", needed, &name));
    *out = NULL;
    for (size_t i = 0; name != NULL && i < sources->count; i++) {
        if (strcmp(sources->children[i].key, name) == 0) {
            *out = sources->children[i].text;
            return DSE_OK;
        }
        if (count < 64)
            keys[count++] = sources->children[i].key;
    }
    return name == NULL ? DSE_OK : dse_describing_reject_word(d, dse_yaml_member(map, "source"), false, "key of `sources`", keys, count);
}

static enum dse_status check_sources(const struct dse_describing *d)
{
    const struct dse_yaml *sources;
    DSE_TRY(dse_describing_members(d, &d->out->root, "sources", "names and texts", &sources));
    for (size_t i = 0; i < sources->count; i++)
        if (sources->children[i].kind != DSE_YAML_SCALAR)
            return dse_describing_reject_key(d, &sources->children[i], "must be one text");
    return DSE_OK;
}

static enum dse_status read_band(const struct dse_describing *d, const struct dse_yaml *node, struct dse_constant *c)
{
    static const char *const ends[] = {"low", "high"};
    double *values[] = {&c->low, &c->high};
    for (int i = 0; i < 2; i++) {
        const struct dse_yaml *end = dse_yaml_member(node, ends[i]);
        struct dse_unit unit = c->unit;
        DSE_TRY(dse_describing_number(d, end, values[i], &unit));
        if (end != NULL && !dse_unit_equal(unit, c->unit) && !dse_unit_equal(unit, DSE_UNIT_COUNT))
            return dse_describing_reject(d, end, "must have the unit of the value");
        if (end != NULL && (i == 0 ? *values[i] > c->value : *values[i] < c->value))
            return dse_describing_reject(d, end, "low must not be above the value, nor high below it");
    }
    return DSE_OK;
}

/* Reads `depth: 14 cycles`, or a map with its evidence. */
static enum dse_status read_constant(struct dse_describing *d, const struct dse_yaml *node, struct dse_constant *c)
{
    static const char *const keys[] = {"value", "low", "high", "level", "source", "fit", "help", "largest", NULL};
    struct dse_symbol *symbol;
    const struct dse_yaml *value = node->kind == DSE_YAML_MAP ? dse_yaml_member(node, "value") : node;
    int level = -1;
    bool fit = false;
    *c = (struct dse_constant){.name = node->key, .level = DSE_LEVEL_ASSUMED, .fitted = -1};
    if (node->kind == DSE_YAML_MAP) {
        DSE_TRY(dse_describing_map(d, node, "a constant", keys));
        DSE_TRY(dse_describing_word(d, node, "level", false, dse_level_names, &level));
        DSE_TRY(dse_describing_source(d, node, false, &c->source));
        DSE_TRY(dse_describing_yes(d, node, "fit", &fit));
    }
    if (value == NULL)
        return dse_describing_reject_key(d, node, "needs `value`");
    if (level >= 0 && level != DSE_LEVEL_ASSUMED && c->source == NULL)
        return dse_describing_reject_key(d, dse_yaml_member(node, "level"), "needs `source`: without a source the level is assumed");
    DSE_TRY(dse_describing_number(d, value, &c->value, &c->unit));
    c->level = level >= 0 ? (enum dse_level)level : c->source != NULL ? DSE_LEVEL_DERIVED : DSE_LEVEL_ASSUMED;
    c->low = c->value * (c->value < 0.0 ? bands[c->level].high : bands[c->level].low);
    c->high = c->value * (c->value < 0.0 ? bands[c->level].low : bands[c->level].high);
    const double low = c->low, high = c->high;
    DSE_TRY(node->kind == DSE_YAML_MAP ? read_band(d, node, c) : DSE_OK);
    if (c->source == NULL) { /* its band is at least that of an assumed constant */
        c->low = fmin(c->low, low);
        c->high = fmax(c->high, high);
    }
    c->fitted = fit ? (int)d->out->family.fitted_count++ : -1;
    DSE_TRY(dse_describing_declare(d, node, node->key, &symbol));
    symbol->unit = c->unit;
    return DSE_OK;
}

/* Lists the constants that `calibrate` fits. */
static enum dse_status list_fitted(struct dse_describing *d, const struct dse_yaml *section)
{
    struct dse_fitted *fitted = dse_arena_alloc(d->arena, d->out->family.fitted_count + 1, sizeof *fitted);
    for (size_t i = 0; i < d->out->constant_count; i++) {
        const struct dse_constant *c = &d->constants[i];
        const char *help = NULL;
        double largest = fmax(100.0 * fabs(c->high), 1.0);
        if (c->fitted < 0)
            continue;
        DSE_TRY(dse_describing_text(d, &section->children[i], "help", false, &help));
        DSE_TRY(dse_describing_number(d, dse_yaml_member(&section->children[i], "largest"), &largest, NULL));
        fitted[c->fitted] = (struct dse_fitted){c->name, help != NULL ? help : c->name, c->value, c->low, c->high, 0.0, largest};
    }
    d->out->family.fitted = fitted;
    return DSE_OK;
}

static enum dse_status read_constants(struct dse_describing *d)
{
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, &d->out->root, "constants", "names and values", &section));
    size_t count = section->count;
    d->out->first_constant = d->symbol_count;
    d->constants = dse_arena_alloc(d->arena, count + 1, sizeof *d->constants);
    for (size_t i = 0; i < count; i++)
        DSE_TRY(dse_describing_go_on(d, read_constant(d, &section->children[i], &d->constants[i])));
    DSE_TRY(dse_describing_settle(d));
    d->out->constants = d->constants;
    d->out->constant_count = count;
    return list_fitted(d, section);
}

static enum dse_status read_quantity(struct dse_describing *d, const struct dse_yaml *node, struct dse_quantity *q)
{
    static const char *const keys[] = {"min", "max", "default", "series", "help", NULL};
    struct dse_symbol *symbol;
    struct dse_strbuf most DSE_CLEANUP(dse_strbuf_free) = {0};
    const struct dse_yaml *standard = dse_yaml_member(node, "default");
    *q = (struct dse_quantity){.name = node->key, .least = 0.0, .most = 1e15, .fallback = NAN};
    DSE_TRY(dse_describing_map(d, node, "a quantity of the workload", keys));
    DSE_TRY(dse_describing_text(d, node, "series", false, &q->series));
    DSE_TRY(dse_describing_text(d, node, "help", false, &q->title));
    q->series = q->series != NULL ? q->series : q->name;
    DSE_TRY(dse_describing_number(d, dse_yaml_member(node, "min"), &q->least, NULL));
    DSE_TRY(dse_describing_number(d, dse_yaml_member(node, "max"), &q->most, NULL));
    DSE_TRY(dse_describing_number(d, standard, &q->fallback, NULL));
    if (q->least > q->most)
        return dse_describing_reject_key(d, node, "its min is %g, above its max %g", q->least, q->most);
    if (standard != NULL && (q->fallback < q->least || q->fallback > q->most))
        return dse_describing_reject(d, standard, "must be from %g to %g", q->least, q->most);
    DSE_TRY(dse_describing_declare(d, node, q->name, &symbol));
    dse_strbuf_printf(&most, "%s.most", q->name);
    return dse_describing_declare(d, node, dse_strbuf_text(&most), &symbol);
}

static enum dse_status read_workload(struct dse_describing *d)
{
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, &d->out->root, "workload", "names and ranges", &section));
    size_t count = section->count;
    d->out->first_quantity = d->symbol_count;
    d->quantities = dse_arena_alloc(d->arena, count + 1, sizeof *d->quantities);
    for (size_t i = 0; i < count; i++)
        DSE_TRY(dse_describing_go_on(d, read_quantity(d, &section->children[i], &d->quantities[i])));
    d->out->quantities = d->quantities;
    d->out->quantity_count = count;
    return DSE_OK;
}

/* Declares the board's quantities (cost.c fills them in). */
static enum dse_status declare_board(struct dse_describing *d)
{
    static const struct {
        const char *name;
        struct dse_unit unit;
    } of_memory[] = {{"bytes_per_s", {.bytes = 1, .seconds = -1}}, {"channels", {0}}, {"channel_bytes_per_s", {.bytes = 1, .seconds = -1}},
                     {"read_latency", {.seconds = 1}},             {"port_bits", {.bits = 1}}, {"ports", {0}}, {"efficiency", {0}}, {"efficiency_at", {0}}};
    struct dse_symbol *symbol;
    const struct dse_yaml *root = &d->out->root;
    d->out->first_board = d->symbol_count;
    DSE_TRY(dse_describing_declare(d, root, "clock", &symbol));
    symbol->unit = (struct dse_unit){.cycles = 1, .seconds = -1};
    DSE_TRY(dse_describing_declare(d, root, "board.uram", &symbol));
    for (int m = 0; m < DSE_MEMORY_MAX; m++)
        for (size_t i = 0; i < sizeof of_memory / sizeof *of_memory; i++) {
            char name[64];
            snprintf(name, sizeof name, "board.memory%d.%s", m, of_memory[i].name);
            DSE_TRY(dse_describing_declare(d, root, name, &symbol));
            symbol->unit = of_memory[i].unit;
        }
    return DSE_OK;
}

/* Dependencies of a let, including those of earlier lets that it reads. */
static void depend(const struct dse_describing *d, struct dse_let *let, size_t index)
{
    let->plain = true;
    for (size_t r = 0; r < let->code->read_count; r++) {
        size_t slot = let->code->reads[r];
        bool earlier = slot >= d->out->first_let && slot < d->out->first_let + index;
        let->knobs = dse_bits_or(let->knobs, slot < d->out->knobs.count ? dse_bits_one(slot) : earlier ? d->lets[slot - d->out->first_let].knobs : (dse_knob_set){{0}});
        let->plain = let->plain && (slot < d->out->first_constant || (earlier && d->lets[slot - d->out->first_let].plain));
    }
}

static enum dse_status read_lets(struct dse_describing *d)
{
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, &d->out->root, "let", "names and formulas", &section));
    size_t count = section->count;
    d->out->first_let = d->symbol_count;
    d->lets = dse_arena_alloc(d->arena, count + 1, sizeof *d->lets);
    for (size_t i = 0; i < count; i++) {
        const struct dse_yaml *node = &section->children[i];
        struct dse_symbol *symbol;
        enum dse_status read = dse_describing_any(d, node, &d->lets[i].code);
        d->lets[i].name = node->key;
        if (read != DSE_OK && d->reported)
            d->err->message[0] = '\0';
        DSE_TRY(dse_describing_go_on(d, read));
        DSE_TRY(dse_describing_declare(d, node, node->key, &symbol));
        if (read != DSE_OK)
            continue;
        depend(d, &d->lets[i], i);
        symbol->sort = d->lets[i].code->sort;
        symbol->unit = d->lets[i].code->unit;
    }
    d->out->lets = d->lets;
    d->out->let_count = count;
    return dse_describing_settle(d);
}

/* ---- names that a formula cannot read ---- */

/* The formula of a `let`, or the part with a `name`, that defines a name. */
struct definition {
    const struct dse_yaml *node, *block; /* block: in which formulas may read it; NULL: all */
    size_t reader;                       /* in a list, the definition that reads this one */
};

static bool defines(const struct dse_yaml *block, const char *name, struct definition *out)
{
    const struct dse_yaml *parts = dse_yaml_member(block, "parts");
    *out = (struct definition){.block = block};
    for (size_t i = 0; parts != NULL && i < parts->count && out->node == NULL; i++) {
        const struct dse_yaml *part = parts->children[i].children, *label = part != NULL ? dse_yaml_member(part, "name") : NULL;
        const size_t length = label != NULL && label->kind == DSE_YAML_SCALAR ? strlen(label->text) : 0;
        if (part != NULL && part->key != NULL && strcmp(part->key, "let") == 0)
            out->node = dse_yaml_member(part, name);
        else if (length > 0 && strncmp(name, label->text, length) == 0 && strcmp(name + length, ".latency") == 0)
            out->node = part;
    }
    return out->node != NULL;
}

/* Prefers the file's `let`, then the block being read. */
static bool find_definition(const struct dse_describing *d, const char *name, struct definition *out)
{
    const struct dse_yaml *lets = dse_yaml_member(&d->out->root, "let"), *blocks = dse_yaml_member(&d->out->root, "blocks");
    *out = (struct definition){.node = lets != NULL ? dse_yaml_member(lets, name) : NULL};
    bool found = out->node != NULL || (d->block != NULL && defines(d->block, name, out));
    for (size_t b = 0; !found && blocks != NULL && b < blocks->count; b++)
        found = defines(&blocks->children[b], name, out);
    return found;
}

static void add_path(const struct definition *list, size_t at, struct dse_strbuf *out)
{
    if (at > 0) {
        add_path(list, list[at].reader, out);
        dse_strbuf_printf(out, ", %s reads ", list[list[at].reader].node->key);
    }
    dse_strbuf_add(out, list[at].node->key);
}

/* Appends "a cycle: a reads b, b reads a" if `first` reads the formula being read, itself or by others: the shortest such cycle. */
static bool find_cycle(struct dse_describing *d, const struct definition *first, struct dse_strbuf *out)
{
    struct definition *list DSE_CLEANUP(dse_free_at) = NULL, next;
    size_t count = 0, at = 0;
    *(struct definition *)dse_list_more(&list, &count, sizeof *list) = *first;
    for (; at < count && list[at].node != d->formula; at++) {
        struct dse_formula formula = {0};
        struct dse_error ignored;
        if (list[at].node->kind != DSE_YAML_SCALAR || dse_formula_parse(d->arena, list[at].node->text, &(struct dse_place){0}, &formula, &ignored) != DSE_OK)
            continue;
        for (size_t i = 0; i < formula.name_count; i++) {
            bool listed = !find_definition(d, formula.names[i], &next);
            for (size_t k = 0; k < count && !listed; k++)
                listed = list[k].node == next.node;
            next.reader = at;
            if (!listed)
                *(struct definition *)dse_list_more(&list, &count, sizeof *list) = next;
        }
    }
    if (at == count)
        return false;
    dse_strbuf_printf(out, "a cycle: %s reads ", d->formula->key);
    add_path(list, at, out);
    for (; at > 0; at = list[at].reader)
        d->reported |= list[list[at].reader].node->key_line < d->formula->key_line;
    return true;
}

const char *dse_describing_absent(void *describing, const char *name)
{
    struct dse_describing *d = describing;
    struct dse_strbuf why DSE_CLEANUP(dse_strbuf_free) = {0};
    struct definition found;
    if (!find_definition(d, name, &found))
        return NULL;
    bool cycle = find_cycle(d, &found, &why), below = found.block == NULL || found.block == d->block;
    if (!cycle && below)
        dse_strbuf_printf(&why, "is defined below, in line %ld: a formula reads only names above it", found.node->key_line);
    else if (!cycle)
        dse_strbuf_printf(&why, "is a name of the block %s, line %ld, for its own formulas: put it into the file's `let`", found.block->key, found.node->key_line);
    return dse_arena_strdup(d->arena, dse_strbuf_text(&why));
}

enum dse_status dse_describing_names(struct dse_describing *d)
{
    DSE_TRY(check_sources(d));
    DSE_TRY(read_workload(d));
    DSE_TRY(read_constants(d));
    DSE_TRY(declare_board(d));
    return read_lets(d);
}
