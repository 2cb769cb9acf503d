/* Emission for the user's own source: macros, types and directives of a file's `emit`, and the header description built from them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "models/described/reading.h"
#include "models/hls.h"

#define NUMBER_MOST 1e12   /* largest number of sizes, factors and words */
#define BURST_WORDS 16     /* default max_read_burst_length and num_read_outstanding (AMD UG1399, "pragma HLS interface") */

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
        int knob;           /* −1: only `c` */
        const char **c;     /* one type per word */
        const struct dse_code *lanes; /* NULL, or the number of `c` elements per word */
    } *types;
    size_t type_count;
    struct port {
        struct dse_hls_port port; /* without its numbers */
        const struct dse_code *words, *burst, *outstanding; /* NULL: the tool's default */
        bool kept; /* its content stays from launch to launch */
    } *ports;
    size_t port_count;
    const char *top;
    const char **sources; /* NULL-terminated, or NULL */
    struct dse_described_block block; /* the lets that the formulas need */
};

static const char *joined(const struct dse_describing *d, const char *name, const char *behind)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_printf(&text, "%s%s", name, behind);
    return dse_arena_strdup(d->arena, dse_strbuf_text(&text));
}

static struct rule *more(struct dse_describing *d, struct dse_described_emit *e, enum dse_hls_directive_kind kind, const char *target)
{
    struct rule *rule = dse_list_more(&e->rules, &e->rule_count, sizeof *rule);
    const char *slash = strchr(target, '/');
    *rule = (struct rule){.kind = kind, .function = slash != NULL ? dse_arena_strndup(d->arena, target, (size_t)(slash - target)) : e->top,
                          .target = slash != NULL ? slash + 1 : target};
    return rule;
}

/* Checks that a name is valid in C. */
static enum dse_status check_name(const struct dse_describing *d, const struct dse_yaml *node, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t slash = strcspn(name, "/"), length = strlen(name);
    bool one = strspn(name, letters) == slash && (slash == length || (strspn(name + slash + 1, letters) == length - slash - 1 && length > slash + 1));
    return slash > 0 && one && strspn(name, "0123456789") == 0 && length <= 80
               ? DSE_OK
               : dse_describing_reject_key(d, node, "must be a name of C, or FUNCTION/NAME");
}

/* Reads NAME: FORMULA for each member of a section. */
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

/* Reads `weights: {type: cyclic, factor: p_out, dim: 1}`. */
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
        if ((type == 0) != (factor != NULL) || dim < 0.0 || dim > 16.0 || dim != floor(dim))
            return dse_describing_reject_key(d, node, "needs a factor where it is cyclic, and none where it is complete; dim is from 1 to 16, or 0 for all");
        struct rule *rule = more(d, e, DSE_HLS_ARRAY_PARTITION, node->key);
        rule->dimension = (int)dim;
        if (factor != NULL)
            DSE_TRY(dse_describing_formula(d, factor, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &rule->code));
    }
    return DSE_OK;
}

/* Reads `weights: {place: uram, reads: 2}`. */
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

/* Reads `pipeline: [steps]`: each loop gets the interval counted by its part (models/hls.c). */
static enum dse_status read_counted(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *list)
{
    const struct dse_described *out = d->out;
    for (size_t i = 0; i < list->count; i++) {
        const struct dse_yaml *node = &list->children[i];
        const char *names[64];
        size_t count = 0;
        bool found = false;
        if (node->kind != DSE_YAML_SCALAR)
            return dse_describing_reject(d, node, "must be the label of a loop");
        for (size_t b = 0; b < out->family.block_count; b++)
            for (const struct dse_described_block *block = out->blocks[b]; block != NULL; block = block->next)
                for (size_t p = 0; p < block->part_count; p++) {
                    if (strcmp(block->parts[p].kind->name, "loop") != 0)
                        continue;
                    found = found || strcmp(block->parts[p].label, node->text) == 0;
                    if (count < sizeof names / sizeof *names)
                        names[count++] = block->parts[p].label;
                }
        if (!found)
            return dse_describing_reject_word(d, node, false, "label of a loop", names, count);
        for (size_t j = 0; j < i; j++)
            if (strcmp(list->children[j].text, node->text) == 0)
                return dse_describing_reject(d, node, "%s stands twice", node->text);
        more(d, e, DSE_HLS_PIPELINE, node->text);
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
        return dse_describing_reject_key(d, list, "must be a list of names");
    *out = dse_arena_alloc(d->arena, list->count + 1, sizeof **out);
    for (size_t i = 0; i < list->count; i++) {
        if (list->children[i].kind != DSE_YAML_SCALAR || *list->children[i].text == '\0')
            return dse_describing_reject(d, &list->children[i], "must be a name");
        (*out)[i] = list->children[i].text;
    }
    return DSE_OK;
}

static enum dse_status need_type(const struct dse_describing *d, const struct dse_described_emit *e, const struct dse_yaml *node, const char *what, const char *name)
{
    const char **names = dse_arena_alloc(d->arena, e->type_count + 1, sizeof *names);
    for (size_t t = 0; t < e->type_count; t++) {
        if (strcmp(e->types[t].name, name) == 0)
            return DSE_OK;
        names[t] = dse_arena_strndup(d->arena, e->types[t].name, strlen(e->types[t].name) - strlen("_t"));
    }
    return dse_describing_reject_word(d, node, false, what, names, e->type_count);
}

static enum dse_status read_type_by_knob(struct dse_describing *d, const struct dse_yaml *node, struct type *type)
{
    const char *knob;
    DSE_TRY(dse_describing_text(d, node, "knob", true, &knob));
    const struct dse_knob *decides = dse_knobs_find(&d->out->knobs, knob);
    if (decides == NULL || decides->type != DSE_KNOB_CHOICE)
        return dse_describing_reject_knob(d, dse_yaml_member(node, "knob"), false, d->out->knobs.knobs, d->out->knobs.count);
    type->knob = (int)(decides - d->out->knobs.knobs);
    for (size_t w = 0; w < decides->choice_count; w++)
        DSE_TRY(dse_describing_text(d, node, decides->choices[w], true, &type->c[w]));
    return DSE_OK;
}

/* Reads `{of: element, lanes: lanes}`: elements that a port transfers as one word. */
static enum dse_status read_word_type(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *node, struct type *out)
{
    static const char *const keys[] = {"of", "lanes", NULL};
    const struct dse_yaml *lanes = dse_yaml_member(node, "lanes");
    const char *of;
    DSE_TRY(dse_describing_map(d, node, "a word", keys));
    DSE_TRY(dse_describing_text(d, node, "of", true, &of));
    if (lanes == NULL)
        return dse_describing_reject_key(d, node, "needs `lanes`");
    DSE_TRY(dse_describing_formula(d, lanes, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &out->lanes));
    out->c[0] = joined(d, of, "_t");
    return need_type(d, e, dse_yaml_member(node, "of"), "type among those above", out->c[0]);
}

/* Reads `element: {knob: type, int8: int8_t, fp32: float}`, a C type, or a word of several elements. */
static enum dse_status read_types(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit)
{
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, emit, "types", "names and types", &section));
    for (size_t i = 0; i < section->count; i++) {
        const struct dse_yaml *node = &section->children[i];
        DSE_TRY(check_name(d, node, node->key));
        struct type made = {.name = joined(d, node->key, "_t"), .knob = -1, .c = dse_arena_alloc(d->arena, 64, sizeof *made.c)}, *type = &made;
        type->c[0] = node->text;
        if (node->kind != DSE_YAML_SCALAR)
            DSE_TRY(dse_yaml_member(node, "of") != NULL ? read_word_type(d, e, node, type) : read_type_by_knob(d, node, type));
        *(struct type *)dse_list_more(&e->types, &e->type_count, sizeof *type) = made;
    }
    return DSE_OK;
}

/* Reads `a: {type: element, words: m * k, burst: 64}`. */
static enum dse_status read_ports(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit)
{
    static const char *const keys[] = {"type", "words", "access", "burst", "outstanding", "memory", "kept", NULL}, *const accesses[] = {"read", "write", "both", NULL};
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, emit, "ports", "arguments and memory ports", &section));
    for (size_t i = 0; i < section->count; i++) {
        const struct dse_yaml *node = &section->children[i];
        const char *type;
        int access;
        double memory = 0.0;
        DSE_TRY(check_name(d, node, node->key));
        DSE_TRY(dse_describing_map(d, node, "a port", keys));
        DSE_TRY(dse_describing_text(d, node, "type", true, &type));
        const char *name = joined(d, type, "_t");
        DSE_TRY(need_type(d, e, dse_yaml_member(node, "type"), "type of emit", name));
        DSE_TRY(dse_describing_word(d, node, "access", false, accesses, &access));
        DSE_TRY(dse_describing_number(d, dse_yaml_member(node, "memory"), &memory, NULL));
        if (memory < 0.0 || memory >= DSE_MEMORY_MAX || memory != floor(memory))
            return dse_describing_reject(d, dse_yaml_member(node, "memory"), "a memory's index must be a whole number from 0 to %d", DSE_MEMORY_MAX - 1);
        struct port *port = dse_list_more(&e->ports, &e->port_count, sizeof *port);
        *port = (struct port){.port = {.name = node->key, .title = node->key, .type = name, .writes = access > 0, .reads_too = access == 2, .count = 1, .memory = (size_t)memory}};
        const struct dse_code **numbers[] = {&port->words, &port->burst, &port->outstanding};
        static const char *const of[] = {"words", "burst", "outstanding"};
        DSE_TRY(dse_describing_yes(d, node, "kept", &port->kept));
        for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
            const struct dse_yaml *formula = dse_yaml_member(node, of[n]);
            DSE_TRY(formula != NULL ? dse_describing_formula(d, formula, DSE_SORT_NUMBER, DSE_UNIT_COUNT, numbers[n]) : DSE_OK);
        }
        if (port->words == NULL)
            return dse_describing_reject_key(d, node, "needs `words`");
    }
    return DSE_OK;
}

static enum dse_status read_rules(struct dse_describing *d, struct dse_described_emit *e, const struct dse_yaml *emit)
{
    const char **dataflow;
    DSE_TRY(read_list(d, emit, "source", &e->sources));
    DSE_TRY(read_numbers(d, e, emit, "sizes", DSE_HLS_DIRECTIVE_COUNT));
    const struct dse_yaml *pipeline = dse_yaml_member(emit, "pipeline");
    DSE_TRY(pipeline != NULL && pipeline->kind == DSE_YAML_LIST ? read_counted(d, e, pipeline) : read_numbers(d, e, emit, "pipeline", DSE_HLS_PIPELINE));
    DSE_TRY(read_numbers(d, e, emit, "unroll", DSE_HLS_UNROLL));
    DSE_TRY(read_numbers(d, e, emit, "stream", DSE_HLS_STREAM));
    DSE_TRY(read_partitions(d, e, emit));
    DSE_TRY(read_storage(d, e, emit));
    DSE_TRY(read_types(d, e, emit));
    DSE_TRY(read_ports(d, e, emit));
    DSE_TRY(read_list(d, emit, "dataflow", &dataflow));
    for (; dataflow != NULL && *dataflow != NULL; dataflow++) {
        struct rule *rule = more(d, e, DSE_HLS_DATAFLOW, *dataflow);
        rule->function = strchr(*dataflow, '/') != NULL ? rule->function : *dataflow;
        rule->target = strchr(*dataflow, '/') != NULL ? rule->target : NULL;
    }
    return DSE_OK;
}

/* ---- a design ---- */

/* Evaluates a formula to a number; without a formula returns `otherwise`. */
static int64_t number_of(const struct dse_code *code, double otherwise, double least, const double *slots, enum dse_status *status, struct dse_error *err)
{
    double value = otherwise;
    if (code != NULL && *status == DSE_OK)
        *status = dse_code_evaluate(code, slots, &value, err);
    if (*status == DSE_OK && (value != floor(value) || value < least || value > NUMBER_MOST))
        *status = dse_formula_fail(code->formula, 0, err, "is %g: must be a whole number from %g to %g", value, least, NUMBER_MOST);
    return *status == DSE_OK ? (int64_t)value : 0;
}

static void add_ports(const struct dse_described_emit *e, const struct dse_context *context, const double *slots, struct dse_hls *hls, enum dse_status *status,
                      struct dse_error *err)
{
    for (size_t i = 0; i < e->port_count && *status == DSE_OK; i++) {
        struct dse_hls_port port = e->ports[i].port;
        port.words = number_of(e->ports[i].words, 0.0, 1.0, slots, status, err);
        port.burst_words = number_of(e->ports[i].burst, BURST_WORDS, 1.0, slots, status, err);
        port.outstanding = number_of(e->ports[i].outstanding, BURST_WORDS, 1.0, slots, status, err);
        if (port.memory >= context->board->memory_count)
            *status = dse_fail(err, DSE_ANSWER_NO, "the board %s has no memory %zu", context->board->name, port.memory);
        dse_hls_add_port(hls, &port);
    }
}

static void add_types(const char *family, const struct dse_described_emit *e, const struct dse_config *config, const double *slots, struct dse_hls *hls, enum dse_status *status,
                      struct dse_error *err)
{
    for (size_t i = 0; i < e->type_count && *status == DSE_OK; i++) {
        const struct type *type = &e->types[i];
        const char *c = type->c[type->knob >= 0 ? config->value[type->knob] : 0];
        int64_t lanes = number_of(type->lanes, 1.0, 1.0, slots, status, err);
        if (type->lanes != NULL)
            c = dse_hls_text(hls, "struct { %s_%s lane[%" PRId64 "]; }", family, c, lanes);
        dse_hls_add_type(hls, type->name, c, 0, "from the family's file");
    }
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
        int64_t number = number_of(rule->code, rule->number, rule->kind == DSE_HLS_PIPELINE && rule->code != NULL ? 1.0 : 0.0, slots, &status, err);
        const struct dse_hls_rule made = {0, false, {rule->kind, rule->function, rule->target, number, NULL, rule->dimension, rule->word, 0}};
        if (rule->kind == DSE_HLS_DIRECTIVE_COUNT)
            dse_hls_add_size(hls, number, 0, "from the family's file", rule->target);
        else
            dse_hls_add_rules(hls, &made, 1, 0);
    }
    add_types(context->family->name, e, config, slots, hls, &status, err);
    add_ports(e, context, slots, hls, &status, err);
    return status;
}

/* As the emitted hosts of the families in C: a launch transfers each port that is read or written, and the ring of a queue. A file without
 * ports has one of each. */
static int64_t transfers(const struct dse_model_family *family, const struct dse_config *config, bool queued)
{
    const struct dse_described_emit *e = ((const struct dse_described *)family->data)->emit;
    (void)config;
    if (e == NULL || e->port_count == 0)
        return 2 + queued;
    int64_t count = queued;
    for (size_t i = 0; i < e->port_count; i++)
        count += e->ports[i].kept ? 0 : (!e->ports[i].port.writes || e->ports[i].port.reads_too) + e->ports[i].port.writes;
    return count;
}

enum dse_status dse_describing_emit(struct dse_describing *d)
{
    static const char *const keys[] = {"top", "source", "sizes", "types", "pipeline", "unroll", "partition", "storage", "stream", "dataflow", "ports", NULL};
    const struct dse_yaml *emit = dse_yaml_member(&d->out->root, "emit");
    struct dse_described_emit *e = dse_arena_alloc(d->arena, 1, sizeof *e), raw = {0};
    d->out->family.transfers = transfers;
    if (emit == NULL)
        return DSE_OK;
    DSE_TRY(dse_describing_map(d, emit, "emit", keys));
    DSE_TRY(dse_describing_text(d, emit, "top", false, &raw.top));
    raw.top = raw.top != NULL ? raw.top : joined(d, d->out->family.name, "_top");
    enum dse_status status = read_rules(d, &raw, emit);
    *e = raw;
    e->rules = dse_describing_copy(d, raw.rules, raw.rule_count, sizeof *raw.rules);
    e->types = dse_describing_copy(d, raw.types, raw.type_count, sizeof *raw.types);
    e->ports = dse_describing_copy(d, raw.ports, raw.port_count, sizeof *raw.ports);
    free(raw.rules);
    free(raw.types);
    free(raw.ports);
    DSE_TRY(status);
    const struct dse_code **codes = dse_arena_alloc(d->arena, e->rule_count + e->type_count + 3 * e->port_count + 1, sizeof *codes);
    size_t count = 0;
    for (size_t i = 0; i < e->rule_count; i++)
        codes[count++] = e->rules[i].code;
    for (size_t i = 0; i < e->type_count; i++)
        codes[count++] = e->types[i].lanes;
    for (size_t i = 0; i < e->port_count; i++) {
        codes[count++] = e->ports[i].words;
        codes[count++] = e->ports[i].burst;
        codes[count++] = e->ports[i].outstanding;
    }
    dse_describing_needs(d, codes, count, &e->block);
    d->out->emit = e;
    d->out->family.hardware = hardware;
    return DSE_OK;
}
