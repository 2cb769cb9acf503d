/* Parts of a block: their arguments, and the costs that each adds. */
#include <math.h>
#include <string.h>

#include "models/described/reading.h"

#define AXI_WIDTHS "must be a power of two from 8 to 1024"

/* Count of cycles or bytes of `times` runs, rounded per run. */
static int64_t counted(double of_one, double times)
{
    return dse_count(round(of_one) * times);
}

static void put_cycles(struct dse_running *run, double stage, double busy, double fill, double times)
{
    for (int c = (int)run->first; c <= (int)run->last; c++) {
        *(run->stages != NULL ? &run->stages[(size_t)stage].busy[c] : &run->out->busy_cycles[c][(size_t)stage]) += counted(busy, times);
        *(run->stages != NULL ? &run->stages[(size_t)stage].fill[c] : &run->out->fill_cycles[c][(size_t)stage]) += counted(fill, times);
    }
}

/* A loop takes depth + ii · (trips − 1) cycles per entry. */
static void add_loop(struct dse_running *run, const struct dse_part *part, const double *a)
{
    double trips = a[1], interval = a[2], entries = trips > 0.0 ? a[4] : 0.0, depth = a[3] > 0.0 ? a[3] : interval;
    if (interval < 1.0) {
        run->build->status = dse_formula_fail(part->arguments[2].code->formula, 0, run->build->err, "the interval is %g cycles: must be at least 1", interval);
        return;
    }
    if (depth < interval) {
        run->build->status = dse_formula_fail(part->arguments[3].code->formula, 0, run->build->err, "the depth is %g cycles, less than the interval of %g",
                                              depth, interval);
        return;
    }
    depth = (double)dse_build_depth(run->build, dse_count(depth));
    if (a[6] > 0.0)
        put_cycles(run, a[0], trips * interval, entries * fmax(depth - interval, 0.0), a[5]);
    for (int c = (int)run->first; c <= (int)run->last; c++)
        dse_loops_note(run->context->loops, (enum dse_case)c, part->label, entries * a[5], trips * a[5], interval, depth);
}

static void add_cycles(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    put_cycles(run, a[0], a[1], a[2], a[3]);
}

static void add_traffic(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    if ((size_t)a[1] >= run->context->board->memory_count) {
        dse_build_reject(run->build, "the board %s has no memory %.0f", run->context->board->name, a[1]);
        return;
    }
    for (int c = (int)run->first; c <= (int)run->last; c++)
        *(run->stages != NULL ? &run->stages[(size_t)a[0]].bytes[c][(size_t)a[1]] : &run->out->bytes[c][(size_t)a[0]][(size_t)a[1]]) += dse_count(a[2] * a[3]);
}

static void add_operator(struct dse_running *run, const struct dse_part *part, const double *a)
{
    run->slots[part->slot] = (double)dse_build_operator_in(run->build, (enum dse_operator)a[0], (enum dse_precision)a[1], (enum dse_form)a[3], a[2]);
}

/* Latency of an operator that is counted elsewhere or in no block. */
static void add_latency(struct dse_running *run, const struct dse_part *part, const double *a)
{
    struct dse_cost cost = {0};
    run->build->status = dse_costs_operator(run->context->costs, (enum dse_operator)a[0], (enum dse_precision)a[1], (enum dse_form)a[2], run->build->clock_hz, &cost,
                                            run->build->err);
    run->slots[part->slot] = (double)cost.latency_cycles;
}

static void add_structure(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    (a[3] != 0.0 ? dse_build_structure : dse_build_combinational)(run->build, (enum dse_structure)a[0], a[1], a[2]);
}

static void add_memory(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    int64_t words = dse_count(a[1]), banks = dse_count(a[3]);
    struct dse_array array = dse_array_of(words > 0 && words < banks ? banks : words, dse_count(a[2]));
    array.banks = banks;
    array.buffers = dse_count(a[4]);
    array.readers = dse_count(a[5]);
    array.writers = dse_count(a[6]);
    dse_build_memory(run->build, (enum dse_storage)a[0], &array);
}

static void add_fifo(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    dse_build_fifo(run->build, dse_count(a[0]), dse_count(a[1]), a[2]);
}

/* AXI4 data bus widths (ARM IHI 0022, A1.2.1): 8, 16, …, 1024 bits. */
static bool is_axi_width(double bits)
{
    return bits >= 8.0 && bits <= 1024.0 && bits == floor(bits) && ((unsigned)bits & ((unsigned)bits - 1)) == 0;
}

static void add_m_axi(struct dse_running *run, const struct dse_part *part, const double *a)
{
    if (a[0] >= 1.0 && !is_axi_width(a[0])) {
        dse_build_reject(run->build, "%s:%ld: m_axi: bits is %g: " AXI_WIDTHS, run->described->family.file, part->line, a[0]);
        return;
    }
    dse_build_m_axi(run->build, dse_count(a[0]), dse_count(a[1]), dse_count(a[2]), a[3]);
}

static void add_operations(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    run->out->operations[(size_t)a[0]] += dse_count(a[1]);
    run->out->additions[(size_t)a[0]] += dse_count(a[2]);
}

static void add_on_chip(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    run->out->on_chip_bytes += dse_count(a[0]);
}

static void add_restarts(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part;
    run->out->reruns += dse_count(a[0]);
}

static void add_datapath(struct dse_running *run, const struct dse_part *part, const double *a)
{
    (void)part, (void)a;
    dse_build_datapath(run->build);
}

static void add_raw(struct dse_running *run, const struct dse_part *part, const double *a)
{
    static const enum dse_resource resources[] = {DSE_LUT, DSE_FF, DSE_BRAM18, DSE_URAM, DSE_DSP, DSE_LUTRAM};
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        run->build->tally.nominal[resources[i]] += a[i] * a[6];
        run->build->tally.low[resources[i]] += a[i] * a[6] * part->low;
        run->build->tally.high[resources[i]] += a[i] * a[6] * part->high;
    }
}

static void add_path(struct dse_running *run, const struct dse_part *part, const double *a)
{
    const struct dse_path path = {.where = part->label, .levels = a[0], .carry_bits = a[1], .fanout = a[2], .rams = a[3], .dsps = a[4]};
    dse_build_paths(run->build, &path, 1);
}

static void add_require(struct dse_running *run, const struct dse_part *part, const double *a)
{
    if (a[0] == 0.0)
        dse_build_reject(run->build, "%s: %s", part->text, part->arguments[0].code->formula->text);
}

static void add_let(struct dse_running *run, const struct dse_part *part, const double *a)
{
    run->slots[part->slot] = a[0];
}

static const char *const forms[] = {"dsp", "lut", "sequential", "any", NULL}; /* in the order of enum dse_form; DSE_FORM_ANY is last */
static const char *const places[] = {"bram", "uram", "lutram", "registers", "auto", NULL};

/* Units as constant initialisers. */
#define IN_COUNT {0}
#define IN_CYCLES {.cycles = 1}
#define IN_BYTES {.bytes = 1}
#define IN_BITS {.bits = 1}
#define NUMBER(name, unit_name, meaning) {name, meaning, DSE_ARGUMENT_NUMBER, true, 0.0, IN_##unit_name, NULL, false}
#define NUMBER_FROM_1(name, unit_name, meaning) {name, meaning, DSE_ARGUMENT_NUMBER, true, 1.0, IN_##unit_name, NULL, false}
#define NUMBER_OR(name, unit_name, fallback, meaning) {name, meaning, DSE_ARGUMENT_NUMBER, false, fallback, IN_##unit_name, NULL, false}
#define WHOLE_OR(name, fallback, meaning) {name, meaning, DSE_ARGUMENT_NUMBER, false, fallback, IN_COUNT, NULL, true}
#define STAGE {"stage", "the stage of the part", DSE_ARGUMENT_STAGE, true, 0.0, IN_COUNT, NULL, false}
#define TYPE {"type", "of the operands: a type, a knob of types, or {knob: NAME, WORD: TYPE}", DSE_ARGUMENT_TYPE, true, 0.0, IN_COUNT, NULL, false}
#define WORD(name, words, meaning) {name, meaning, DSE_ARGUMENT_WORD, true, 0.0, IN_COUNT, words, false}
#define FORM {"form", "implementation; any: the first of the library", DSE_ARGUMENT_WORD, false, DSE_FORM_ANY, IN_COUNT, forms, false}
#define TIMES WHOLE_OR("times", 1.0, "number of copies")

const struct dse_part_kind dse_part_kinds[] = {
    {"loop", "a pipelined loop: ii · trips cycles, and (depth − ii) for each entry",
     {STAGE, NUMBER("trips", COUNT, "iterations of all entries together"), NUMBER_OR("ii", CYCLES, 1.0, "initiation interval"),
      NUMBER_OR("depth", CYCLES, 0.0, "cycles of one iteration; the default is the interval"), NUMBER_OR("entries", COUNT, 1.0, "number of entries"),
      NUMBER_OR("times", COUNT, 1.0, "number of complete runs"),
      NUMBER_OR("counted", COUNT, 1.0, "0: for reports only, because `cycles` counts its time")},
     true, false, add_loop},
    {"cycles", "cycles of an engine in a stage: overlapping with other engines, and not overlapping",
     {STAGE, NUMBER_OR("busy", CYCLES, 0.0, "overlapping with other engines"), NUMBER_OR("fill", CYCLES, 0.0, "not overlapping"),
      NUMBER_OR("times", COUNT, 1.0, "how often")},
     true, false, add_cycles},
    {"traffic", "bytes between the chip and a memory of the board",
     {STAGE, {"memory", "its index on the board, from 0", DSE_ARGUMENT_MEMORY, false, 0.0, IN_COUNT, NULL, false}, NUMBER("bytes", BYTES, "in a stage"),
      NUMBER_OR("times", COUNT, 1.0, "how often")},
     true, false, add_traffic},
    {"operator", "arithmetic, from the cost library; `name: x` defines x.latency, its latency in cycles",
     {WORD("op", dse_operator_names, "the operator"), TYPE, TIMES, FORM}, false, true, add_operator},
    {"latency", "looks up an operator's latency in cycles as x.latency, given `name: x`; adds no cost",
     {WORD("op", dse_operator_names, "the operator"), TYPE, FORM}, false, true, add_latency},
    {"structure", "logic of a given size, from the cost library",
     {WORD("structure", dse_structure_names, "the structure"), NUMBER("size", COUNT, "in the structure's unit"), TIMES,
      {"registered", "whether its result has flip-flops", DSE_ARGUMENT_CONDITION, false, 1.0, IN_COUNT, NULL, false}},
     false, false, add_structure},
    {"memory", "an array on chip, packed as synthesis packs it",
     {WORD("place", places, "kind of memory"), NUMBER_FROM_1("words", COUNT, "over all banks; 0: no array"), NUMBER_FROM_1("bits", BITS, "of a word"),
      WHOLE_OR("banks", 1.0, "of the partition"), WHOLE_OR("buffers", 1.0, "2 for ping-pong"),
      WHOLE_OR("readers", 1.0, "reads of a bank in one cycle"), WHOLE_OR("writers", 1.0, "writes of a bank in one cycle; 0: only without a read")},
     false, false, add_memory},
    {"fifo", "a FIFO with its control", {NUMBER("depth", COUNT, "words"), NUMBER("bits", BITS, "of a word"), TIMES}, false, false, add_fifo},
    {"m_axi", "adapters of memory ports, with their buffers",
     {NUMBER("bits", BITS, "of a word"), NUMBER_OR("outstanding", COUNT, 0.0, "bursts in flight; 0: the tool's default"),
      NUMBER_OR("burst", COUNT, 0.0, "words of a burst; 0: the tool's default"), TIMES},
     false, false, add_m_axi},
    {"operations", "arithmetic of one item, for the roofline",
     {TYPE, NUMBER_OR("count", COUNT, 0.0, "operations; a multiply-accumulate counts as two"), NUMBER_OR("additions", COUNT, 0.0, "the additions among them")},
     false, false, add_operations},
    {"on_chip", "bytes that the loops of one item read and write on chip, for the roofline", {NUMBER("bytes", BYTES, "of one item")}, false, false, add_on_chip},
    {"restarts", "starts of the kernel by the host after the first, as of each step of a training run", {NUMBER("starts", COUNT, "over all parts of the job")},
     false, false, add_restarts},
    {"datapath", "logic that synthesis adds around the operators above", {{0}}, false, false, add_datapath},
    {"raw", "amounts from a report; needs `source`",
     {NUMBER_OR("lut", COUNT, 0.0, "LUTs"), NUMBER_OR("ff", COUNT, 0.0, "flip-flops"), NUMBER_OR("bram18", COUNT, 0.0, "18 Kb halves of block RAM"),
      NUMBER_OR("uram", COUNT, 0.0, "UltraRAMs"), NUMBER_OR("dsp", COUNT, 0.0, "DSP slices"), NUMBER_OR("lutram", COUNT, 0.0, "LUTs used as memory; included in lut"), TIMES},
     false, false, add_raw},
    {"path", "the longest register-to-register path; a faster clock is infeasible",
     {NUMBER_OR("levels", COUNT, 0.0, "LUT levels"), NUMBER_OR("carry", BITS, 0.0, "bits of adders and comparisons on the path"),
      NUMBER_OR("fanout", COUNT, 0.0, "loads of the widest net"), NUMBER_OR("ram", COUNT, 0.0, "1: the path begins at a memory without an output register"),
      NUMBER_OR("dsp", COUNT, 0.0, "multipliers without registers")},
     false, false, add_path},
    {"require", "a condition that each feasible design meets",
     {{"condition", "the condition", DSE_ARGUMENT_CONDITION, true, 1.0, IN_COUNT, NULL, false}}, false, false, add_require},
    {"let", "a named expression of the block, from here on", {{"value", "its formula", DSE_ARGUMENT_ANY, true, 0.0, IN_COUNT, NULL, false}}, true, true, add_let},
    {0},
};

/* ---- reading ---- */

/* Rejects a type that is neither one of the library nor a knob of words. */
static enum dse_status reject_type(struct dse_describing *d, const struct dse_yaml *node)
{
    const struct dse_knobs *knobs = &d->out->knobs;
    const char **allowed = dse_arena_alloc(d->arena, DSE_PRECISION_COUNT + knobs->count, sizeof *allowed);
    size_t count = 0;
    for (size_t k = 0; k < knobs->count; k++)
        if (knobs->knobs[k].type == DSE_KNOB_CHOICE)
            allowed[count++] = knobs->knobs[k].name;
    for (size_t p = 0; p < DSE_PRECISION_COUNT; p++)
        allowed[count++] = dse_precision_names[p];
    return dse_describing_reject_word(d, node, false, "type, and no knob of words", allowed, count);
}

/* Reads a type that a word knob selects: the knob's own words, or a map. */
static enum dse_status read_type_of(struct dse_describing *d, const struct dse_yaml *node, const char *name, const struct dse_yaml *map, struct dse_argument *out)
{
    const struct dse_knob *knob = dse_knobs_find(&d->out->knobs, name);
    if (knob == NULL || knob->type != DSE_KNOB_CHOICE)
        return map != NULL ? dse_describing_reject_knob(d, node, false, d->out->knobs.knobs, d->out->knobs.count)
                           : reject_type(d, node);
    double *types = dse_arena_alloc(d->arena, knob->choice_count, sizeof *types);
    for (size_t w = 0; w < knob->choice_count; w++) {
        const struct dse_yaml *own = map != NULL ? dse_yaml_member(map, knob->choices[w]) : NULL;
        int index = dse_costs_name_index(dse_precision_names, DSE_PRECISION_COUNT, knob->choices[w]);
        if (own != NULL)
            DSE_TRY(dse_describing_index(d, own, "type", dse_precision_names, DSE_PRECISION_COUNT, &index));
        if (index < 0)
            return dse_describing_reject(d, node, "the knob %s may be %s, which is not a type: write {knob: %s, %s: int16}", name, knob->choices[w], name,
                                         knob->choices[w]);
        types[w] = index;
    }
    for (size_t i = 0; map != NULL && i < map->count; i++) {
        const char *key = map->children[i].key;
        int64_t value;
        struct dse_error ignored;
        if (strcmp(key, "knob") != 0 && dse_knob_parse(knob, key, &value, &ignored) != DSE_OK)
            return dse_describing_reject_word(d, &map->children[i], true, "word of the knob", knob->choices, knob->choice_count);
    }
    *out = (struct dse_argument){.knob = (int)(knob - d->out->knobs.knobs), .by_word = types};
    d->used[out->knob] = true;
    return DSE_OK;
}

static enum dse_status read_type(struct dse_describing *d, const struct dse_yaml *node, struct dse_argument *out)
{
    if (node->kind == DSE_YAML_MAP) {
        const char *name;
        DSE_TRY(dse_describing_text(d, node, "knob", true, &name));
        return read_type_of(d, dse_yaml_member(node, "knob"), name, node, out);
    }
    if (node->kind != DSE_YAML_SCALAR)
        return dse_describing_reject_key(d, node, "must be a type, a knob of types, or {knob: NAME, WORD: TYPE}");
    int index = dse_costs_name_index(dse_precision_names, DSE_PRECISION_COUNT, node->text);
    if (index < 0)
        return read_type_of(d, node, node->text, NULL, out);
    out->value = index;
    return DSE_OK;
}

static enum dse_status read_memory(struct dse_describing *d, const struct dse_yaml *node, struct dse_argument *out)
{
    DSE_TRY(dse_describing_number(d, node, &out->value, NULL));
    return out->value >= 0.0 && out->value < DSE_MEMORY_MAX && out->value == floor(out->value)
               ? DSE_OK
               : dse_describing_reject(d, node, "a memory's index must be a whole number from 0 to %d", DSE_MEMORY_MAX - 1);
}

enum dse_status dse_described_whole(const struct dse_part_argument *argument, const struct dse_code *code, double value, struct dse_error *err)
{
    return !argument->whole || (fabs(value) < 1e15 && value == (double)(int64_t)value) || fabs(value - round(value)) <= 1e-9 * fabs(value)
               ? DSE_OK
               : dse_formula_fail(code->formula, 0, err, "is %g: must be a whole number; use ceil or round", value);
}

static enum dse_status read_argument(struct dse_describing *d, const struct dse_yaml *node, const struct dse_part_argument *argument, struct dse_argument *out)
{
    int index = 0;
    size_t words = 0;
    switch (argument->kind) {
    case DSE_ARGUMENT_NUMBER:
        DSE_TRY(dse_describing_formula(d, node, DSE_SORT_NUMBER, argument->unit, &out->code));
        if (out->code->constant)
            DSE_TRY(dse_described_whole(argument, out->code, out->code->value, d->err));
        return !out->code->constant || !argument->needed || out->code->value >= argument->fallback
                   ? DSE_OK
                   : dse_formula_fail(out->code->formula, 0, d->err, "is %g: must be at least %g", out->code->value, argument->fallback);
    case DSE_ARGUMENT_CONDITION: return dse_describing_formula(d, node, DSE_SORT_CONDITION, DSE_UNIT_COUNT, &out->code);
    case DSE_ARGUMENT_ANY: return dse_describing_any(d, node, &out->code);
    case DSE_ARGUMENT_TYPE: return read_type(d, node, out);
    case DSE_ARGUMENT_MEMORY: return read_memory(d, node, out);
    case DSE_ARGUMENT_STAGE: DSE_TRY(dse_describing_index(d, node, "stage", d->stages.names, d->stages.count, &index)); break;
    case DSE_ARGUMENT_WORD:
        while (argument->words[words] != NULL)
            words++;
        DSE_TRY(dse_describing_index(d, node, argument->name, argument->words, words, &index));
    }
    out->value = index;
    return DSE_OK;
}

/* Reads the arguments by name; with a single stage, parts need not name it. */
static enum dse_status read_arguments(struct dse_describing *d, const struct dse_yaml *map, struct dse_part *part)
{
    const struct dse_part_argument *arguments = part->kind->arguments;
    size_t given = 0;
    for (size_t i = 0; arguments[i].name != NULL; i++) {
        const struct dse_yaml *node = dse_yaml_member(map, arguments[i].name);
        part->arguments[i] = (struct dse_argument){.value = arguments[i].fallback, .knob = -1};
        given += node != NULL;
        if (node != NULL)
            DSE_TRY(read_argument(d, node, &arguments[i], &part->arguments[i]));
        else if (arguments[i].needed && !(arguments[i].kind == DSE_ARGUMENT_STAGE && d->stages.count == 1))
            return dse_describing_reject_key(d, map, "needs `%s`: %s", arguments[i].name, arguments[i].meaning);
    }
    return given > 0 || arguments[0].name == NULL ? DSE_OK : dse_describing_reject_key(d, map, "adds nothing: give at least one amount");
}

/* Reads `for: {i: 1..n}`: both ends are formulas. */
static enum dse_status read_for(struct dse_describing *d, const struct dse_yaml *node, struct dse_part *part)
{
    struct dse_symbol *symbol;
    const char *dots = node->kind == DSE_YAML_MAP && node->count == 1 && node->children[0].kind == DSE_YAML_SCALAR ? strstr(node->children[0].text, "..") : NULL;
    if (dots == NULL)
        return dse_describing_reject_key(d, node, "must be {NAME: FIRST..LAST}");
    const struct dse_yaml *range = &node->children[0];
    struct dse_yaml first = *range, last = *range;
    first.text = dse_arena_strndup(d->arena, range->text, (size_t)(dots - range->text));
    last.text = dots + 2;
    last.column += dots + 2 - range->text;
    DSE_TRY(dse_describing_formula(d, &first, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &part->first));
    DSE_TRY(dse_describing_formula(d, &last, DSE_SORT_NUMBER, DSE_UNIT_COUNT, &part->last));
    part->variable = d->symbol_count;
    return dse_describing_declare(d, range, range->key, &symbol);
}

/* Declares a let's or an operator's name as a symbol. */
static enum dse_status declare_result(struct dse_describing *d, const struct dse_yaml *node, const char *name, const char *suffix, struct dse_unit unit,
                                      enum dse_sort sort, struct dse_part *part)
{
    struct dse_symbol *symbol;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_printf(&text, "%s%s", name, suffix);
    part->slot = d->symbol_count;
    DSE_TRY(dse_describing_declare(d, node, dse_strbuf_text(&text), &symbol));
    symbol->unit = unit;
    symbol->sort = sort;
    return DSE_OK;
}

/* Reads `- let: {name: formula}`. */
static enum dse_status read_let(struct dse_describing *d, const struct dse_yaml *map, struct dse_part *part)
{
    if (map->kind != DSE_YAML_MAP || map->count != 1)
        return dse_describing_reject_key(d, map, "must be {NAME: FORMULA}");
    const struct dse_yaml *only = &map->children[0];
    part->arguments[0] = (struct dse_argument){.knob = -1};
    DSE_TRY(dse_describing_any(d, only, &part->arguments[0].code));
    return declare_result(d, only, only->key, "", part->arguments[0].code->unit, part->arguments[0].code->sort, part);
}

static enum dse_status read_raw(struct dse_describing *d, const struct dse_yaml *map, struct dse_part *part)
{
    DSE_TRY(dse_describing_source(d, map, true, &part->text));
    part->low = part->high = 1.0;
    DSE_TRY(dse_describing_number(d, dse_yaml_member(map, "low"), &part->low, NULL));
    DSE_TRY(dse_describing_number(d, dse_yaml_member(map, "high"), &part->high, NULL));
    return part->low > 0.0 && part->low <= 1.0 && part->high >= 1.0
               ? DSE_OK
               : dse_describing_reject_key(d, map, "low and high are factors, low from above 0 to 1, high at least 1");
}

/* Checks the keys allowed for a part's kind. */
static enum dse_status check_keys(const struct dse_describing *d, const struct dse_yaml *map, const struct dse_part_kind *kind)
{
    const char *keys[DSE_DESCRIBED_ARGUMENTS + 8];
    size_t count = 0;
    for (size_t i = 0; kind->arguments[i].name != NULL; i++)
        keys[count++] = kind->arguments[i].name;
    keys[count++] = "when";
    keys[count++] = "for";
    if (kind->named)
        keys[count++] = "name";
    if (kind->add == add_loop || kind->add == add_memory || kind->add == add_cycles || kind->add == add_path)
        keys[count++] = "label";
    if (kind->add == add_require)
        keys[count++] = "because";
    if (kind->add == add_raw) {
        keys[count++] = "source";
        keys[count++] = "low";
        keys[count++] = "high";
    }
    keys[count] = NULL;
    return dse_describing_map(d, map, kind->name, keys);
}

static enum dse_status read_common(struct dse_describing *d, const struct dse_yaml *map, struct dse_part *out)
{
    const struct dse_yaml *turns = dse_yaml_member(map, "for"), *when = dse_yaml_member(map, "when");
    const char *name;
    DSE_TRY(check_keys(d, map, out->kind));
    DSE_TRY(turns != NULL ? read_for(d, turns, out) : DSE_OK);
    DSE_TRY(when != NULL ? dse_describing_formula(d, when, DSE_SORT_CONDITION, DSE_UNIT_COUNT, &out->when) : DSE_OK);
    for (size_t i = 0; turns != NULL && when != NULL && i < out->when->read_count; i++)
        out->when_trips |= out->when->reads[i] == out->variable;
    DSE_TRY(dse_describing_text(d, map, "label", false, &out->label));
    if (out->label == NULL && (out->kind->add == add_loop || out->kind->add == add_path)) {
        struct dse_strbuf own DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&own, "%s_%ld", out->kind->name, out->line);
        out->label = dse_arena_strdup(d->arena, dse_strbuf_text(&own));
    }
    DSE_TRY(read_arguments(d, map, out));
    DSE_TRY(out->kind->add == add_raw ? read_raw(d, map, out) : DSE_OK);
    if (out->kind->add == add_m_axi && out->arguments[0].code->constant && !is_axi_width(out->arguments[0].code->value))
        return dse_formula_fail(out->arguments[0].code->formula, 0, d->err, "is %g: " AXI_WIDTHS, out->arguments[0].code->value);
    DSE_TRY(out->kind->add == add_require ? dse_describing_text(d, map, "because", true, &out->text) : DSE_OK);
    DSE_TRY(dse_describing_text(d, map, "name", out->kind->add == add_latency, &name));
    if (name == NULL && out->kind->add == add_operator) { /* nothing reads its latency */
        struct dse_strbuf own DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&own, "operator_%zu", d->symbol_count);
        return declare_result(d, map, dse_strbuf_text(&own), ".latency", DSE_UNIT_CYCLES, DSE_SORT_NUMBER, out);
    }
    return name != NULL ? declare_result(d, dse_yaml_member(map, "name"), name, ".latency", DSE_UNIT_CYCLES, DSE_SORT_NUMBER, out) : DSE_OK;
}

void dse_describing_vary(struct dse_describing *d, struct dse_part *part)
{
    const struct dse_part_argument *kind = part->kind->arguments;
    struct dse_argument varying[DSE_DESCRIBED_ARGUMENTS], *kept;
    double *values = dse_arena_alloc(d->arena, DSE_DESCRIBED_ARGUMENTS, sizeof *values);
    for (size_t i = 0; kind[i].name != NULL; i++) {
        const struct dse_argument *a = &part->arguments[i];
        const bool fixed = a->code == NULL ? a->by_word == NULL : a->code->constant && (kind[i].kind != DSE_ARGUMENT_NUMBER || a->code->value >= 0.0);
        values[i] = a->code != NULL ? a->code->value : a->value;
        if (fixed)
            continue;
        varying[part->varying_count] = *a;
        varying[part->varying_count++].index = i;
    }
    kept = dse_arena_alloc(d->arena, part->varying_count, sizeof *kept); /* beside the values, for the cache */
    memcpy(kept, varying, part->varying_count * sizeof *kept);
    part->values = values;
    part->varying = kept;
}

static enum dse_status read_part(struct dse_describing *d, const struct dse_yaml *node, struct dse_part *out)
{
    const char *names[32];
    size_t count = 0;
    *out = (struct dse_part){.line = node->line};
    if (node->kind != DSE_YAML_MAP || node->count != 1)
        return dse_describing_reject(d, node, "a part is one key with its arguments, such as `- loop: {trips: 64}`");
    const struct dse_yaml *only = &node->children[0];
    for (const struct dse_part_kind *kind = dse_part_kinds; kind->name != NULL; kind++) {
        names[count++] = kind->name;
        if (strcmp(kind->name, only->key) == 0)
            out->kind = kind;
    }
    if (out->kind == NULL)
        return dse_describing_reject_word(d, only, true, "part", names, count);
    out->column = only->key_column;
    if (out->kind->add == add_let)
        return read_let(d, only, out);
    if (out->kind->arguments[0].name == NULL && only->kind == DSE_YAML_SCALAR && *only->text == '\0') /* `- datapath:` */
        return DSE_OK;
    return read_common(d, only, out);
}

enum dse_status dse_describing_part(struct dse_describing *d, const struct dse_yaml *node, struct dse_part *out)
{
    DSE_TRY(read_part(d, node, out));
    dse_describing_vary(d, out);
    return DSE_OK;
}
