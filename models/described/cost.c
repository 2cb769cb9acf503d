/* Cost model shared by all described blocks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/described/reading.h"

/* A number or a single name needs no program. */
static inline enum dse_status evaluate(const struct dse_code *code, const double *slots, double *out, struct dse_error *err)
{
    if (code->constant)
        *out = code->value;
    else if (code->slot >= 0)
        *out = slots[code->slot];
    else
        return dse_code_evaluate(code, slots, out, err);
    return DSE_OK;
}

#define SLOTS_AT_HAND 512 /* on the stack; a block with more symbols uses the heap */

static double constant_at(const struct dse_constant *c, const struct dse_context *context)
{
    if (context->fitted != NULL && c->fitted >= 0)
        return context->fitted[c->fitted];
    return context->band == DSE_BAND_LOW ? c->low : context->band == DSE_BAND_HIGH ? c->high : c->value;
}

/* The widest kind of port to a memory, or NULL. */
static const struct dse_port *port_to(const struct dse_board *board, const struct dse_memory *memory)
{
    const struct dse_port *best = NULL;
    for (size_t i = 0; i < board->port_count; i++)
        if (strcmp(board->ports[i].memory, memory->name) == 0 && (best == NULL || board->ports[i].width_bits > best->width_bits))
            best = &board->ports[i];
    return best;
}

/* In the order of declaration in names.c; a memory that the board lacks is all zero, and the block is rejected. */
static void put_board(const struct dse_context *context, double clock_hz, unsigned memories, double *slots)
{
    const struct dse_board *board = context->board;
    slots[0] = clock_hz;
    slots[1] = (double)board->chip[DSE_URAM];
    for (size_t m = 0; memories >> m != 0; m++) {
        double *own = &slots[2 + m * DSE_DESCRIBED_OF_MEMORY];
        if ((memories >> m & 1) == 0)
            continue;
        memset(own, 0, DSE_DESCRIBED_OF_MEMORY * sizeof *own);
        if (m >= board->memory_count)
            continue;
        const struct dse_memory *memory = &board->memories[m];
        const struct dse_port *port = port_to(board, memory);
        own[0] = dse_memory_sustained_bytes_per_s(memory);
        own[1] = (double)memory->channels;
        own[2] = own[0] / own[1];
        own[3] = memory->read_latency_s;
        own[4] = port != NULL ? (double)port->width_bits : 0.0;
        own[5] = port != NULL ? (double)port->count : 0.0;
        own[6] = memory->efficiency;
        own[7] = context->band == DSE_BAND_HIGH ? memory->efficiency_low : memory->efficiency;
    }
}

/* Cached values of the first lets that depend only on knobs and workload, for the last configuration. The blocks of a design
 * share them, and few knobs change between rows of a table. The cache saves time only; values equal those of the formulas. */
#define REMEMBERED 64
static _Thread_local struct {
    uint64_t key; /* key of the prepared workload and case; 0: empty */
    uint64_t known; /* bit mask of cached lets */
    struct dse_config config;
    double values[REMEMBERED];
} remembered;

static void forget_changed(const struct dse_described *described, const struct dse_config *config, uint64_t key)
{
    const size_t size = described->knobs.count * sizeof config->value[0];
    dse_knob_set changed = {{0}};
    if (remembered.key == key && memcmp(remembered.config.value, config->value, size) == 0)
        return;
    if (remembered.key != key)
        remembered.known = 0;
    for (size_t k = 0; k < described->knobs.count; k++)
        if (remembered.config.value[k] != config->value[k])
            dse_bits_add(&changed, k);
    for (uint64_t left = remembered.known; left != 0; left &= left - 1) {
        const size_t l = (size_t)__builtin_ctzll(left);
        remembered.known &= dse_bits_meet(described->lets[l].knobs, changed) ? ~((uint64_t)1 << l) : ~(uint64_t)0;
    }
    remembered.key = key;
    memcpy(remembered.config.value, config->value, size);
}

static enum dse_status put_lets(const struct dse_described *described, const struct dse_described_block *block, const struct dse_config *config, uint64_t key,
                                double *slots, struct dse_error *err)
{
    double *values = slots + described->first_let;
    if (block->let_count > 0)
        forget_changed(described, config, key);
    for (size_t i = 0; i < block->let_count; i++) {
        size_t l = block->lets[i];
        bool kept = l < REMEMBERED && described->lets[l].plain;
        if (kept && (remembered.known >> l & 1) != 0) {
            values[l] = remembered.values[l];
            continue;
        }
        DSE_TRY(evaluate(described->lets[l].code, slots, &values[l], err));
        if (kept) {
            remembered.values[l] = values[l];
            remembered.known |= (uint64_t)1 << l;
        }
    }
    return DSE_OK;
}

enum dse_status dse_described_slots(const struct dse_described *described, const struct dse_described_block *block,
                                    const struct dse_context *context, const struct dse_config *config, enum dse_case which, double *slots,
                                    struct dse_error *err)
{
    const struct dse_described_work *work = context->work;
    double *quantities = slots + described->first_quantity, *constants = slots + described->first_constant;
    for (size_t i = 0; i < block->knob_count; i++)
        slots[block->knobs[i]] = dse_slot_of_knob(&described->knobs.knobs[block->knobs[i]], config->value[block->knobs[i]]);
    for (size_t i = 0, q; i < block->quantity_count; i++) {
        q = block->quantities[i];
        quantities[2 * q] = work->values[q][which];
        quantities[2 * q + 1] = work->values[q][DSE_CASE_COUNT];
    }
    for (size_t i = 0; i < block->constant_count; i++)
        constants[block->constants[i]] = constant_at(&described->constants[block->constants[i]], context);
    put_board(context, (double)config->value[described->family.clock_knob] * 1e6, block->memories, slots + described->first_board);
    return put_lets(described, block, config, work->serial * DSE_CASE_COUNT + (uint64_t)which, slots, err);
}

static inline bool is_traced(const struct dse_running *run)
{
    return run->tracer != NULL && !run->timing;
}

static void trace(const struct dse_running *run, const struct dse_part *part, const char *kind, const char *name, const struct dse_code *code, double value)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0}, numbers DSE_CLEANUP(dse_strbuf_free) = {0};
    const struct dse_scope scope = {.symbols = run->block->symbols, .count = run->block->symbol_count};
    dse_formula_format(code->formula, &scope, NULL, &text);
    dse_formula_format(code->formula, &scope, run->slots, &numbers);
    run->tracer(run->user, &(struct dse_traced){part, kind, name, code, dse_strbuf_text(&text), dse_strbuf_text(&numbers), value});
}

/* As trace, for a word, a stage or a type. */
static void trace_word(const struct dse_running *run, const struct dse_part *part, size_t i, double value)
{
    const struct dse_part_argument *argument = &part->kind->arguments[i];
    const char *const *words = argument->kind == DSE_ARGUMENT_STAGE  ? run->described->stages
                               : argument->kind == DSE_ARGUMENT_TYPE ? dse_precision_names
                               : argument->kind == DSE_ARGUMENT_WORD ? argument->words
                                                                     : NULL;
    if (words != NULL)
        run->tracer(run->user, &(struct dse_traced){part, part->kind->name, argument->name, NULL, words[(size_t)value], NULL, value});
}

/* Value of a varying argument. An amount may be 0, but not negative. */
static inline enum dse_status take(const struct dse_running *run, const struct dse_part *part, const struct dse_argument *argument, const struct dse_config *config,
                                   double *out, struct dse_error *err)
{
    const struct dse_part_argument *kind = &part->kind->arguments[argument->index];
    if (argument->by_word != NULL) {
        *out = argument->by_word[config->value[argument->knob]];
        return DSE_OK;
    }
    DSE_TRY(evaluate(argument->code, run->slots, out, err));
    if (*out < 0.0 && kind->kind == DSE_ARGUMENT_NUMBER)
        return dse_formula_fail(argument->code->formula, 0, err, "%s is %g: must be at least 0", kind->name, *out);
    return dse_described_whole(kind, argument->code, *out, err);
}

static void trace_arguments(const struct dse_running *run, const struct dse_part *part, const double *values)
{
    for (size_t i = 0; part->kind->arguments[i].name != NULL; i++) {
        if (part->arguments[i].code != NULL)
            trace(run, part, part->kind->name, part->kind->arguments[i].name, part->arguments[i].code, values[i]);
        else
            trace_word(run, part, i, values[i]);
    }
}

static enum dse_status holds(const struct dse_running *run, const struct dse_part *part, bool *out, struct dse_error *err)
{
    double value;
    DSE_TRY(evaluate(part->when, run->slots, &value, err));
    *out = value != 0.0;
    if (!*out && part->slot > 0) /* an absent operator has no latency */
        run->slots[part->slot] = 0.0;
    return DSE_OK;
}

/* Prepends a part's place to an error of the cost library. */
static enum dse_status place_error(const struct dse_running *run, const struct dse_part *part, struct dse_error *err)
{
    const struct dse_formula at = {.text = part->kind->name, .place = {.file = run->described->family.file, .line = part->line, .column = part->column}};
    struct dse_error own = err != NULL ? *err : (struct dse_error){0};
    return dse_formula_fail(&at, 0, err, "%s", own.message);
}

static enum dse_status add_once(struct dse_running *run, const struct dse_part *part, const struct dse_config *config, struct dse_error *err)
{
    double arguments[DSE_DESCRIBED_ARGUMENTS];
    memcpy(arguments, part->values, sizeof arguments);
    for (const struct dse_argument *a = part->varying, *end = a + part->varying_count; a < end; a++)
        DSE_TRY(take(run, part, a, config, &arguments[a->index], err));
    if (is_traced(run))
        trace_arguments(run, part, arguments);
    part->kind->add(run, part, arguments);
    return run->build->status == DSE_OK || part->kind->timed ? run->build->status : place_error(run, part, err); /* a timed part uses no library */
}

static enum dse_status add_part(struct dse_running *run, const struct dse_part *part, const struct dse_config *config, struct dse_error *err)
{
    double first, last;
    bool there = true;
    if (run->timing && !part->kind->timed)
        return DSE_OK;
    if (part->when != NULL && !part->when_trips)
        DSE_TRY(holds(run, part, &there, err));
    if (part->first == NULL || !there)
        return there ? add_once(run, part, config, err) : DSE_OK;
    DSE_TRY(evaluate(part->first, run->slots, &first, err));
    DSE_TRY(evaluate(part->last, run->slots, &last, err));
    if (last - first >= DSE_FORMULA_ITERATIONS)
        return dse_formula_fail(part->last->formula, 0, err, "from %g to %g are more than %d iterations", first, last, DSE_FORMULA_ITERATIONS);
    for (double turn = first; turn <= last; turn += 1.0) {
        run->slots[part->variable] = turn;
        if (part->when_trips)
            DSE_TRY(holds(run, part, &there, err));
        if (there)
            DSE_TRY(add_once(run, part, config, err));
    }
    return DSE_OK;
}

/* One pass over the parts: for the mean, all costs; for the tail, cycles and bytes. */
static enum dse_status add_parts(struct dse_running *run, const struct dse_config *config, struct dse_error *err)
{
    for (size_t i = 0; i < run->block->part_count; i++) {
        DSE_TRY(add_part(run, &run->block->parts[i], config, err));
        if (run->context->rejection->rejected || run->build->status != DSE_OK)
            return run->build->status;
    }
    return DSE_OK;
}

static enum dse_status working_cycles(const struct dse_running *run, double *out, struct dse_error *err)
{
    if (run->block->working != NULL) {
        DSE_TRY(evaluate(run->block->working, run->slots, out, err));
        if (is_traced(run))
            trace(run, NULL, "block", "working", run->block->working, *out);
        return *out >= 0.0 ? DSE_OK : dse_formula_fail(run->block->working->formula, 0, err, "working is %g cycles: must be at least 0", *out);
    }
    *out = 0.0;
    for (size_t i = 0, s; i < run->block->stage_count; i++) {
        s = run->block->stages[i];
        *out += (double)(run->stages != NULL ? run->stages[s].busy[DSE_CASE_MEAN] : run->out->busy_cycles[DSE_CASE_MEAN][s]);
    }
    return DSE_OK;
}

/* Cycles of a stage that only this block uses, including its bytes and the library's calibration; rounded up, because a stage begins at a
 * cycle. */
static int64_t cycles_alone(const struct dse_context *context, const struct dse_platform *platform, const struct dse_own_stage *stage, int c)
{
    double pace = context->pace.interval, longest = pace != 0.0 ? round((double)stage->busy[c] * pace) : (double)stage->busy[c];
    for (int m = 0; m < DSE_MEMORY_MAX; m++)
        longest = fmax(longest, ceil((double)stage->bytes[c][m] * (double)platform->fs_per_byte[m] / (double)platform->fs_per_cycle));
    return dse_count(longest) + stage->fill[c];
}

/* Adds a block's stages to those of its leader: within a stage, merged blocks run in parallel. */
static void join_stages(const struct dse_described_block *block, const struct dse_own_stage *own, struct dse_own_stage *all)
{
    for (size_t i = 0; i < block->stage_count; i++)
        for (int c = 0; c < DSE_CASE_COUNT; c++) {
            const struct dse_own_stage *from = &own[block->stages[i]];
            struct dse_own_stage *to = &all[block->stages[i]];
            to->busy[c] = from->busy[c] > to->busy[c] ? from->busy[c] : to->busy[c];
            to->fill[c] += from->fill[c];
            for (int m = 0; m < DSE_MEMORY_MAX; m++)
                to->bytes[c][m] += from->bytes[c][m];
        }
}

/* Adds a stage of the file to the family's (models/model.h, DSE_STAGE_MAX). */
static void fold(const struct dse_described *d, const struct dse_context *context, const struct dse_platform *platform, size_t stage,
                 const struct dse_own_stage *own, struct dse_accumulators *out)
{
    const size_t place = d->places[stage];
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        int64_t cycles = d->alone[stage] ? cycles_alone(context, platform, own, c) : 0, *longest = &out->busy_cycles[c][DSE_STAGE_APART];
        if (place != DSE_STAGE_APART)
            out->busy_cycles[c][place] += own->busy[c];
        out->fill_cycles[c][place] += place != DSE_STAGE_APART ? own->fill[c] : cycles;
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            out->bytes[c][place][m] += own->bytes[c][m];
        if (d->family.pipelined && c == DSE_CASE_MEAN && cycles > *longest)
            *longest = cycles;
    }
}

/* Adds all stages of merged blocks as fold does; resets the stages. */
static void fold_all(const struct dse_described *d, const struct dse_described_block *first, const struct dse_context *context, const struct dse_config *config,
                     struct dse_own_stage *stages, struct dse_accumulators *out)
{
    struct dse_platform platform;
    dse_platform_make(&d->family, context->board, 0.0, config, context->band, &platform);
    for (const struct dse_described_block *block = first; block != NULL; block = block->next)
        for (size_t i = 0; i < block->stage_count; i++) {
            fold(d, context, &platform, block->stages[i], &stages[block->stages[i]], out);
            stages[block->stages[i]] = (struct dse_own_stage){0}; /* several of the blocks may use it */
        }
}

static enum dse_status cost(struct dse_running *run, const struct dse_config *config, struct dse_error *err)
{
    const struct dse_described_work *work = run->context->work;
    double holds = 1.0, working;
    DSE_TRY(dse_described_slots(run->described, run->block, run->context, config, DSE_CASE_MEAN, run->slots, err));
    for (size_t i = 0; run->tracer != NULL && i < run->block->let_count; i++) {
        const struct dse_let *let = &run->described->lets[run->block->lets[i]];
        trace(run, NULL, "let", let->name, let->code, run->slots[run->described->first_let + run->block->lets[i]]);
    }
    if (run->block->when != NULL)
        DSE_TRY(evaluate(run->block->when, run->slots, &holds, err));
    if (run->block->when != NULL && is_traced(run))
        trace(run, NULL, "block", "when", run->block->when, holds);
    if (holds == 0.0)
        return DSE_OK;
    for (size_t m = 0; run->block->memories >> m != 0; m++)
        if ((run->block->memories >> m & 1) != 0 && m >= run->context->board->memory_count) {
            dse_build_reject(run->build, "the board %s has no memory %zu", run->context->board->name, m);
            return DSE_OK;
        }
    run->last = work->varies ? DSE_CASE_MEAN : DSE_CASE_TAIL;
    DSE_TRY(add_parts(run, config, err));
    if (run->context->rejection->rejected)
        return DSE_OK;
    DSE_TRY(working_cycles(run, &working, err));
    if (work->varies) {
        run->first = run->last = DSE_CASE_TAIL;
        run->timing = true;
        DSE_TRY(dse_described_slots(run->described, run->block, run->context, config, DSE_CASE_TAIL, run->slots, err));
        DSE_TRY(add_parts(run, config, err));
    }
    return dse_build_finish(run->build, working, run->out);
}

static enum dse_status run_block(const struct dse_described *described, const struct dse_described_block *block, const struct dse_context *context,
                                 const struct dse_config *config, dse_tracer *tracer, void *user, struct dse_own_stage *stages, struct dse_accumulators *out,
                                 struct dse_error *err)
{
    double at_hand[SLOTS_AT_HAND];
    double *more DSE_CLEANUP(dse_free_at) = block->symbol_count > SLOTS_AT_HAND ? dse_calloc(block->symbol_count, sizeof *more) : NULL;
    struct dse_build build = dse_build_start(context, config->value[described->family.clock_knob], err);
    struct dse_running run = {.described = described, .block = block, .context = context, .build = &build, .out = out, .stages = stages, .slots = more != NULL ? more : at_hand,
                              .tracer = tracer, .user = user};
    return cost(&run, config, err);
}

/* Cost of a family block: of its file blocks. */
static enum dse_status run_blocks(const struct dse_described *described, const struct dse_described_block *first, const struct dse_context *context,
                                  const struct dse_config *config, dse_tracer *tracer, void *user, struct dse_accumulators *out, struct dse_error *err)
{
    struct dse_own_stage *all DSE_CLEANUP(dse_free_at) = NULL;
    bool stays = false;
    for (const struct dse_described_block *b = first; b != NULL; b = b->next)
        stays |= b->stage_count > 0;
    if (described->folded && stays)
        all = dse_calloc(described->stage_count, sizeof *all);
    DSE_TRY(run_block(described, first, context, config, tracer, user, all, out, err));
    for (const struct dse_described_block *block = first->next; block != NULL && (tracer != NULL || !context->rejection->rejected); block = block->next) {
        struct dse_own_stage *own DSE_CLEANUP(dse_free_at) = all != NULL && block->stage_count > 0 ? dse_calloc(described->stage_count, sizeof *own) : NULL;
        struct dse_accumulators part = {0};
        DSE_TRY(run_block(described, block, context, config, tracer, user, own, &part, err));
        if (own != NULL)
            join_stages(block, own, all);
        dse_accumulators_combine(out, &part);
    }
    if (all != NULL)
        fold_all(described, first, context, config, all, out);
    return DSE_OK;
}

enum dse_status dse_described_cost(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    const struct dse_described *described = context->family->data;
    return run_blocks(described, described->blocks[context->block - context->family->blocks], context, config, NULL, NULL, out, err);
}

enum dse_status dse_described_trace(const struct dse_model_family *family, size_t index, const struct dse_context *context,
                                    const struct dse_config *config, dse_tracer *tracer, void *user, struct dse_error *err)
{
    const struct dse_described *described = family->data;
    struct dse_accumulators out = {0};
    return run_blocks(described, described->blocks[index], context, config, tracer, user, &out, err);
}

struct largest {
    const struct dse_formula *formula;
    double weight, fs_per_cycle, fs_per_byte; /* largest values so far; times in fs */
};

static void keep_largest(void *user, const struct dse_traced *traced)
{
    struct largest *largest = user;
    bool bytes = strcmp(traced->kind, "traffic") == 0;
    double weight = traced->value * (bytes ? largest->fs_per_byte : traced->part != NULL && traced->part->kind->timed ? largest->fs_per_cycle : 1.0);
    if (traced->part != NULL && traced->code != NULL && (largest->formula == NULL || weight > largest->weight)) {
        largest->formula = traced->code->formula;
        largest->weight = weight;
    }
}

void dse_described_locate(const struct dse_context *context, const struct dse_config *config, const char *what, struct dse_error *err)
{
    struct largest largest = {.fs_per_cycle = 1e9 / (double)config->value[context->family->clock_knob],
                              .fs_per_byte = 1e15 / dse_memory_sustained_bytes_per_s(&context->board->memories[0])};
    if (dse_described_trace(context->family, (size_t)(context->block - context->family->blocks), context, config, keep_largest, &largest, err) == DSE_OK)
        dse_formula_fail(largest.formula, 0, err, "%s", what);
}
