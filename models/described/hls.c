/* Emission for the user's own source: macros, types and directives of a file's `emit`, and the header description made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "models/described/reading.h"
#include "models/hls.h"

/* A directive, size or type whose number is a formula over knobs, workload and named expressions. */
struct dse_described_emit {
    struct rule {
        enum dse_hls_directive_kind kind; /* DSE_HLS_DIRECTIVE_COUNT: a size */
        const char *function, *target, *word;
        const struct dse_code *code; /* NULL: `number` */
        double number;
        int dimension;
    } *rules; /* rule_count */
    size_t rule_count;
    struct type {
        const char *name;
        int knob;           /* −1: `c` alone */
        const char **c;     /* a type for each word */
    } *types;
    size_t type_count;
    const char *top;
    const char **sources; /* NULL-ended, or NULL */
    struct dse_described_block block; /* the lets that the formulas need */
};

static struct rule *more(struct dse_describing *d, struct dse_described_emit *e, enum dse_hls_directive_kind kind, const char *target)
{
    struct rule *rule = dse_list_more(&e->rules, &e->rule_count, sizeof *rule);
    const char *slash = strchr(target, '/');
    *rule = (struct rule){.kind = kind, .function = slash != NULL ? dse_arena_strndup(d->arena, target, (size_t)(slash - target)) : e->top,
                          .target = slash != NULL ? slash + 1 : target};
    return rule;
}

/* C text of a name. */
static enum dse_status check_name(const struct dse_describing *d, const struct dse_yaml *node, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t slash = strcspn(name, "/"), length = strlen(name);
    bool one = strspn(name, letters) == slash && (slash == length || (strspn(name + slash + 1, letters) == length - slash - 1 && length > slash + 1));
    return slash > 0 && one && strspn(name, "0123456789") == 0 && length <= 80
               ? DSE_OK
               : dse_describing_refuse_key(d, node, "must be a name of C, or FUNCTION/NAME");
}

/* NAME: FORMULA for each member of a section. */
static enum dse_status read_numbers(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit, const char *key, enum dse_hls_directive_kind kind)
{
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, emit, key, "names and numbers", &section));
    for (size_t i = 0; i < section->count; i++) {
        const struct dse_yaml *node = &section->children[i];
        DSE_TRY(check_name(d, node, node->key));
        struct rule *rule = more(d, e, kind, node->key);
        DSE_TRY(dse_describing_formula(d, node, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &rule->code));
    }
    return DSE_OK;
}

/* `weights: {type: cyclic, factor: p_out, dim: 1}` */
static enum dse_status read_partitions(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit)
{
    static const char *const keys[] = {"type", "factor", "dim", NULL}, *const types[] = {"cyclic", "complete", NULL};
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, emit, "partition", "arrays and partitions", &section));
    for (size_t i = 0; i < section->count; i++) {
        const struct dse_yaml *node = &section->children[i], *factor = dse_yaml_member(node, "factor");
        int type;
        double dim = 1.0;
        DSE_TRY(check_name(d, node, node->key));
        DSE_TRY(dse_describing_map(d, node, "a partition", keys));
        DSE_TRY(dse_describing_word(d, node, "type", true, types, &type));
        DSE_TRY(dse_describing_number(d, dse_yaml_member(node, "dim"), &dim, NULL));
        if ((type == 0) != (factor != NULL) || dim < 1.0 || dim > 16.0 || dim != floor(dim))
            return dse_describing_refuse_key(d, node, "needs a factor where it is cyclic, and none where it is complete; dim is from 1 to 16");
        struct rule *rule = more(d, e, DSE_HLS_ARRAY_PARTITION, node->key);
        rule->dimension = (int)dim;
        if (factor != NULL)
            DSE_TRY(dse_describing_formula(d, factor, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &rule->code));
    }
    return DSE_OK;
}

/* `weights: {place: uram, reads: 2}` */
static enum dse_status read_storage(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit)
{
    static const char *const keys[] = {"place", "reads", NULL}, *const places[] = {"bram", "uram", "lutram", NULL};
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, emit, "storage", "arrays and places", &section));
    for (size_t i = 0; i < section->count; i++) {
        const struct dse_yaml *node = &section->children[i], *reads = dse_yaml_member(node, "reads");
        int place;
        DSE_TRY(check_name(d, node, node->key));
        DSE_TRY(dse_describing_map(d, node, "a storage", keys));
        DSE_TRY(dse_describing_word(d, node, "place", true, places, &place));
        struct rule *rule = more(d, e, DSE_HLS_BIND_STORAGE, node->key);
        rule->word = places[place];
        rule->number = 1.0;
        if (reads != NULL)
            DSE_TRY(dse_describing_formula(d, reads, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &rule->code));
    }
    return DSE_OK;
}

static enum dse_status read_list(struct dse_describing *d, const struct dse_yaml *emit, const char *key, const char ***out)
{
    const struct dse_yaml *list = dse_yaml_member(emit, key);
    *out = NULL;
    if (list == NULL)
        return DSE_OK;
    if (list->kind != DSE_YAML_LIST)
        return dse_describing_refuse_key(d, list, "must be a list of names");
    *out = dse_arena_alloc(d->arena, list->count + 1, sizeof **out);
    for (size_t i = 0; i < list->count; i++) {
        if (list->children[i].kind != DSE_YAML_SCALAR || *list->children[i].text == '\0')
            return dse_describing_refuse(d, &list->children[i], "must be a name");
        (*out)[i] = list->children[i].text;
    }
    return DSE_OK;
}

/* `element: {knob: type, int8: int8_t, fp32: float}`, or a type of C. */
static enum dse_status read_types(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit)
{
    const struct dse_knobs *knobs = &d->out->knobs;
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, emit, "types", "names and types", &section));
    for (size_t i = 0; i < section->count; i++) {
        const struct dse_yaml *node = &section->children[i];
        struct type *type = dse_list_more(&e->types, &e->type_count, sizeof *type);
        struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0};
        const char *knob;
        DSE_TRY(check_name(d, node, node->key));
        dse_strbuf_printf(&name, "%s_t", node->key);
        *type = (struct type){.name = dse_arena_strdup(d->arena, dse_strbuf_text(&name)), .knob = -1, .c = dse_arena_alloc(d->arena, 64, sizeof *type->c)};
        type->c[0] = node->text;
        if (node->kind == DSE_YAML_SCALAR)
            continue;
        DSE_TRY(dse_describing_text(d, node, "knob", true, &knob));
        const struct dse_knob *decides = dse_knobs_find(knobs, knob);
        if (decides == NULL || decides->type != DSE_KNOB_CHOICE)
            return dse_describing_refuse(d, dse_yaml_member(node, "knob"), "%s is no knob of words", knob);
        type->knob = (int)(decides - knobs->knobs);
        for (size_t w = 0; w < decides->choice_count; w++)
            DSE_TRY(dse_describing_text(d, node, decides->choices[w], true, &type->c[w]));
    }
    return DSE_OK;
}

static enum dse_status read_rules(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit)
{
    const char **dataflow;
    DSE_TRY(read_list(d, emit, "source", &e->sources));
    DSE_TRY(read_numbers(d, e, emit, "sizes", DSE_HLS_DIRECTIVE_COUNT));
    DSE_TRY(read_numbers(d, e, emit, "pipeline", DSE_HLS_PIPELINE));
    DSE_TRY(read_numbers(d, e, emit, "unroll", DSE_HLS_UNROLL));
    DSE_TRY(read_numbers(d, e, emit, "stream", DSE_HLS_STREAM));
    DSE_TRY(read_partitions(d, e, emit));
    DSE_TRY(read_storage(d, e, emit));
    DSE_TRY(read_types(d, e, emit));
    DSE_TRY(read_list(d, emit, "dataflow", &dataflow));
    for (; dataflow != NULL && *dataflow != NULL; dataflow++) {
        struct rule *rule = more(d, e, DSE_HLS_DATAFLOW, *dataflow);
        rule->function = strchr(*dataflow, '/') != NULL ? rule->function : *dataflow;
        rule->target = strchr(*dataflow, '/') != NULL ? rule->target : NULL;
    }
    return DSE_OK;
}

/* ---- a design ---- */

static int64_t number_of(const struct rule *rule, const double *slots, enum dse_status *status, struct dse_error *err)
{
    double value = rule->number;
    if (rule->code != NULL && *status == DSE_OK)
        *status = dse_code_evaluate(rule->code, slots, &value, err);
    if (*status == DSE_OK && (value != floor(value) || value < 0.0))
        *status = dse_formula_fail(rule->code->formula, 0, err, "is %g: must be a whole number of at least 0", value);
    return *status == DSE_OK ? (int64_t)value : 0;
}

static enum dse_status hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls, struct dse_error *err)
{
    const struct dse_described *d = context->family->data;
    const struct dse_described_emit *e = d->emit;
    double *slots DSE_CLEANUP(dse_free_at) = dse_calloc(d->symbol_count + 1, sizeof *slots);
    enum dse_status status = DSE_OK;
    DSE_TRY(dse_described_slots(d, &e->block, context, config, DSE_CASE_MEAN, slots, err));
    hls->top = e->top;
    hls->sources = (const char *const *)e->sources;
    hls->aliases = d->macros;
    hls->own_source = true;
    for (size_t i = 0; i < e->rule_count && status == DSE_OK; i++) {
        const struct rule *rule = &e->rules[i];
        int64_t number = number_of(rule, slots, &status, err);
        const struct dse_hls_rule made = {0, false, {rule->kind, rule->function, rule->target, number, NULL, rule->dimension, rule->word, 0}};
        if (rule->kind == DSE_HLS_DIRECTIVE_COUNT)
            dse_hls_add_size(hls, number, 0, "from the family's file", rule->target);
        else
            dse_hls_add_rules(hls, &made, 1, 0);
    }
    for (size_t i = 0; i < e->type_count && status == DSE_OK; i++)
        dse_hls_add_type(hls, e->types[i].name, e->types[i].c[e->types[i].knob >= 0 ? config->value[e->types[i].knob] : 0], 0, "from the family's file");
    return status;
}

enum dse_status dse_describing_emit(struct dse_describing *d)
{
    static const char *const keys[] = {"top", "source", "sizes", "types", "pipeline", "unroll", "partition", "storage", "stream", "dataflow", NULL};
    const struct dse_yaml *emit = dse_yaml_member(&d->out->root, "emit");
    struct dse_described_emit *e = dse_arena_alloc(d->arena, 1, sizeof *e), raw = {0};
    struct dse_strbuf top DSE_CLEANUP(dse_strbuf_free) = {0};
    if (emit == NULL)
        return DSE_OK;
    DSE_TRY(dse_describing_map(d, emit, "emit", keys));
    DSE_TRY(dse_describing_text(d, emit, "top", false, &raw.top));
    dse_strbuf_printf(&top, "%s_top", d->out->family.name);
    raw.top = raw.top != NULL ? raw.top : dse_arena_strdup(d->arena, dse_strbuf_text(&top));
    enum dse_status status = read_rules(d, &raw, emit);
    *e = raw;
    e->rules = dse_describing_copy(d, raw.rules, raw.rule_count, sizeof *raw.rules);
    e->types = dse_describing_copy(d, raw.types, raw.type_count, sizeof *raw.types);
    free(raw.rules);
    free(raw.types);
    DSE_TRY(status);
    const struct dse_code **codes = dse_arena_alloc(d->arena, e->rule_count + 1, sizeof *codes);
    for (size_t i = 0; i < e->rule_count; i++)
        codes[i] = e->rules[i].code;
    dse_describing_needs(d, codes, e->rule_count, &e->block);
    d->out->emit = e;
    d->out->family.hardware = hardware;
    return DSE_OK;
}
