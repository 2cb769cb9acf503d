#include "reports/family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "models/described/reading.h"
#include "models/loops.h"
#include "reports/schema.h"
#include "reports/fields.h"
#include "reports/json.h"

void dse_family_lines_free(struct dse_family_lines *lines)
{
    free(lines->line);
    dse_arena_free(&lines->texts);
    *lines = (struct dse_family_lines){0};
}

static const char *keep(struct dse_family_lines *lines, const char *text)
{
    return text != NULL ? dse_arena_strdup(&lines->texts, text) : NULL;
}

static struct dse_family_line *add(struct dse_family_lines *lines, const char *block, const char *part, const char *what, double value, const char *unit)
{
    struct dse_family_line *line = dse_list_more(&lines->line, &lines->count, sizeof *line);
    *line = (struct dse_family_line){.block = block, .part = part, .what = keep(lines, what), .value = value, .unit = unit};
    return line;
}

/* ---- an explanation ---- */

struct explaining {
    struct dse_family_lines *out;
    const struct dse_model_family *family;
    const char *block;
};

static void take_formula(void *user, const struct dse_traced *traced)
{
    struct explaining *e = user;
    char unit[64] = "";
    if (traced->code != NULL && traced->code->sort == DSE_SORT_NUMBER)
        dse_unit_format(traced->code->unit, unit, sizeof unit);
    struct dse_family_line *line = add(e->out, e->block, traced->kind, traced->name, traced->code != NULL ? traced->value : NAN,
                                       strcmp(unit, "count") != 0 ? keep(e->out, unit) : "");
    line->line = traced->code != NULL ? traced->code->formula->place.line : traced->part->line;
    line->formula = keep(e->out, traced->text);
    if (traced->numbers != NULL && strcmp(traced->numbers, traced->text) != 0)
        line->numbers = keep(e->out, traced->numbers);
    if (traced->part != NULL && traced->part->text != NULL)
        line->source = traced->part->text;
}

static void add_sums(struct explaining *e, const struct dse_accumulators *sums)
{
    char what[128];
    size_t before = e->out->count;
    for (size_t s = 0; s < e->family->stage_count; s++) {
        const struct {
            const char *word;
            int64_t count;
        } cycles[] = {{"busy", sums->busy_cycles[DSE_CASE_MEAN][s]}, {"fill", sums->fill_cycles[DSE_CASE_MEAN][s]}};
        for (int i = 0; i < 2; i++) {
            snprintf(what, sizeof what, "%s in %s", cycles[i].word, e->family->stages[s]);
            if (cycles[i].count != 0)
                add(e->out, e->block, "sum", what, (double)cycles[i].count, "cycles");
        }
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            snprintf(what, sizeof what, "memory %d in %s", m, e->family->stages[s]);
            if (sums->bytes[DSE_CASE_MEAN][s][m] != 0)
                add(e->out, e->block, "sum", what, (double)sums->bytes[DSE_CASE_MEAN][s][m], "bytes");
        }
    }
    for (int i = DSE_METRIC_BRAM18; i <= DSE_METRIC_LUTRAM; i++)
        if (sums->resources[dse_metrics[i].resource] != 0)
            add(e->out, e->block, "sum", dse_metrics[i].heading, (double)sums->resources[dse_metrics[i].resource], "");
    if (sums->energy_fj != 0)
        add(e->out, e->block, "sum", "dynamic energy", (double)sums->energy_fj * 1e-15, "joules");
    if (e->out->count == before)
        add(e->out, e->block, "sum", "nothing in this design", 0.0, "");
}

static void add_loops(struct explaining *e, const struct dse_loops *loops)
{
    for (size_t i = 0; i < loops->count; i++) {
        const struct dse_loop *loop = &loops->loop[i];
        char text[160];
        snprintf(text, sizeof text, "%g · %g + %g · (%g − %g)", loop->iterations[DSE_CASE_MEAN], loop->interval, loop->entries[DSE_CASE_MEAN], loop->depth,
                 loop->interval);
        struct dse_family_line *line = add(e->out, e->block, "loop", loop->name != NULL ? loop->name : "", dse_loop_cycles(loop, DSE_CASE_MEAN), "cycles");
        line->formula = loop->iterations[DSE_CASE_MEAN] > 0.0 ? "trips · ii + entries · (depth − ii)" : "trips · ii + entries · (depth − ii), not entered without a trip";
        line->numbers = keep(e->out, text);
    }
}

static void add_costs(struct explaining *e, const struct dse_costs *costs, const struct dse_provenance *provenance)
{
    for (size_t i = 0; i < dse_costs_entry_count(costs); i++) {
        const struct dse_cost_entry *entry = dse_costs_entry(costs, i);
        if ((provenance->used[i / 64] >> i % 64 & 1) == 0)
            continue;
        struct dse_family_line *line = add(e->out, e->block, "cost entry", entry->name, NAN, "");
        line->formula = dse_level_names[entry->level];
        line->source = entry->source;
    }
}

static enum dse_status explain_block(struct explaining *e, const struct dse_setup *setup, size_t b, const void *work, const struct dse_config *config,
                                     struct dse_error *err)
{
    struct dse_rejection rejection = {0};
    struct dse_provenance provenance = {0};
    struct dse_loops loops DSE_CLEANUP(dse_loops_free) = {.stretch = 1.0};
    struct dse_accumulators sums;
    struct dse_context context = {.board = setup->board, .costs = setup->costs, .work = work, .rejection = &rejection, .pace = {1.0, 1.0, NULL}};
    e->block = e->family->blocks[b].name;
    if (dse_described_of(e->family) != NULL)
        DSE_TRY(dse_described_trace(e->family, b, &context, config, take_formula, e, err));
    context.loops = &loops;
    context.provenance = &provenance;
    DSE_TRY(dse_block_cost(e->family, b, &context, config, &sums, err));
    DSE_TRY(dse_rejection_verdict(&rejection, err));
    add_loops(e, &loops);
    add_costs(e, setup->costs, &provenance);
    add_sums(e, &sums);
    return DSE_OK;
}

static void add_constants(struct explaining *e)
{
    const struct dse_described *d = dse_described_of(e->family);
    for (size_t i = 0; d != NULL && i < d->constant_count; i++) {
        const struct dse_constant *c = &d->constants[i];
        char unit[64], band[128];
        dse_unit_format(c->unit, unit, sizeof unit);
        struct dse_family_line *line = add(e->out, "", "constant", c->name, c->value, strcmp(unit, "count") != 0 ? keep(e->out, unit) : "");
        snprintf(band, sizeof band, "%g to %g, %s%s", c->low, c->high, dse_level_names[c->level], c->fitted >= 0 ? ", fitted by calibrate" : "");
        line->formula = keep(e->out, band);
        line->source = c->source;
    }
    for (size_t i = 0; d == NULL && i < e->family->fitted_count; i++) {
        const struct dse_fitted *f = &e->family->fitted[i];
        char band[128];
        snprintf(band, sizeof band, "%g to %g, fitted", f->low, f->high);
        struct dse_family_line *line = add(e->out, "", "constant", f->name, f->value, "");
        line->formula = keep(e->out, band);
        line->source = f->meaning;
    }
}

enum dse_status dse_family_explain(const struct dse_setup *setup, const struct dse_config *config, struct dse_family_lines *out,
                                   struct dse_error *err)
{
    struct explaining e = {.out = out, .family = setup->family};
    struct dse_config canonical = *config;
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    void *work = NULL;
    *out = (struct dse_family_lines){0};
    dse_config_canonical(setup->space, &canonical);
    DSE_TRY(dse_estimate_built(setup, &canonical, estimate, err));
    DSE_TRY(e.family->prepare(e.family, setup->workload, &work, err));
    add_constants(&e);
    enum dse_status status = DSE_OK;
    for (size_t b = 0; b < e.family->block_count && status == DSE_OK; b++)
        status = explain_block(&e, setup, b, work, &canonical, err);
    e.family->release(work);
    for (size_t s = 0; s < e.family->stage_count && status == DSE_OK; s++)
        add(out, "", "stage", e.family->stages[s], estimate->stages[s].latency_s, "s");
    for (int m = 0; m < DSE_METRIC_COUNT && status == DSE_OK; m++)
        if (isfinite(estimate->metrics[m]))
            add(out, "", "metric", dse_metrics[m].name, estimate->metrics[m], dse_dimension_unit(dse_metrics[m].dimension));
    if (status != DSE_OK)
        dse_family_lines_free(out);
    return status;
}

#define AT(member) offsetof(struct dse_family_line, member)
const struct dse_field dse_fields_family_line[] = {
    DSE_FIELD("block", "block", TEXT, AT(block)), DSE_FIELD("part", "part", TEXT, AT(part)), DSE_FIELD("what", "what", TEXT, AT(what)),
    DSE_FIELD("value", "value", REAL, AT(value), .format = "%.6g"), DSE_FIELD("unit", "unit", TEXT, AT(unit)),
    DSE_FIELD("formula", "formula", TEXT, AT(formula), .how = DSE_FIELD_OPTIONAL), DSE_FIELD("numbers", "with its numbers", TEXT, AT(numbers), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("line", "line", WHOLE, AT(line), .how = DSE_FIELD_WHERE_ANY | DSE_FIELD_OPTIONAL), DSE_FIELD("source", "source", TEXT, AT(source), .how = DSE_FIELD_OPTIONAL), {0}};

/* For people: one paragraph per block, one line per figure. */
static void write_line(const struct dse_family_line *line, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "  %-10s %s", line->part, line->what);
    if (line->formula != NULL)
        dse_strbuf_printf(out, "%s%s", strcmp(line->part, "constant") == 0 || strcmp(line->part, "cost entry") == 0 ? ": " : " = ", line->formula);
    char value[96] = "";
    if (isfinite(line->value))
        snprintf(value, sizeof value, "%.10g%s%s", line->value, *line->unit != '\0' ? " " : "", line->unit);
    if (line->numbers != NULL && strcmp(line->numbers, value) != 0)
        dse_strbuf_printf(out, " = %s", line->numbers);
    if (*value != '\0' && (line->formula == NULL || strcmp(line->formula, value) != 0))
        dse_strbuf_printf(out, " = %s", value);
    if (line->source != NULL)
        dse_strbuf_printf(out, "  [%s]", line->source);
    dse_strbuf_add(out, "\n");
}

void dse_family_write_lines(const struct dse_setup *setup, const struct dse_config *config, const struct dse_family_lines *lines,
                            enum dse_format format, struct dse_strbuf *out)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    dse_config_setting(setup->space, config, dse_bits_all(), &setting);
    if (format == DSE_FORMAT_CSV) {
        dse_fields_csv(dse_fields_family_line, lines->line, lines->count, sizeof *lines->line, out);
        return;
    }
    if (format == DSE_FORMAT_JSON) {
        dse_json_add(out, json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", "nysx-dse.family-explain/1", "family", setup->family->name, "board", setup->board->name, "config",
                                    dse_json_setting(&setting), "lines", dse_fields_list(dse_fields_family_line, lines->line, lines->count, sizeof *lines->line)));
        return;
    }
    dse_strbuf_printf(out, "%s: %s, on %s\n", setup->family->name, setup->family->title, setup->board->name);
    for (size_t i = 0; i < setting.count; i++)
        dse_strbuf_printf(out, "%s%s=%s", i > 0 ? " " : "", setting.pairs[i].name, setting.pairs[i].value);
    dse_strbuf_add(out, "\n");
    const char *block = "-";
    for (size_t i = 0; i < lines->count; i++) {
        if (strcmp(lines->line[i].block, block) != 0) {
            block = lines->line[i].block;
            dse_strbuf_printf(out, "\n%s%s\n", *block != '\0' ? "block " : i == 0 ? "constants" : "design", block);
        }
        write_line(&lines->line[i], out);
    }
}

/* ---- published cases ---- */

struct case_line {
    const char *name, *metric, *source;
    double stated, predicted, miss;
};

static enum dse_status estimate_case(const struct dse_model_family *family, const struct dse_space *space, const struct dse_described_case *one,
                                     struct dse_estimate *out, struct dse_error *err)
{
    struct dse_board *board DSE_CLEANUP(dse_board_free_at) = NULL;
    struct dse_costs *costs DSE_CLEANUP(dse_costs_free_at) = NULL;
    struct dse_profile *profile DSE_CLEANUP(dse_profile_free_at) = NULL;
    DSE_TRY(dse_board_open(one->board != NULL ? one->board : family->board, &board, err));
    DSE_TRY(dse_costs_for_board(board, NULL, &costs, err));
    DSE_TRY(family->own_profile(family, one->workload, &profile, err));
    struct dse_setup setup = {.family = family, .space = space, .board = board, .costs = costs, .workload = &profile->workloads[0], .headroom = -1.0};
    return dse_estimate_built(&setup, &one->config, out, err);
}

enum dse_status dse_family_published(const struct dse_model_family *family, enum dse_format format, size_t width, double *worst, struct dse_strbuf *out,
                                     struct dse_error *err)
{
    static const struct dse_field case_fields[] = {
        DSE_FIELD("case", "case", TEXT, offsetof(struct case_line, name)), DSE_FIELD("metric", "metric", TEXT, offsetof(struct case_line, metric)),
        DSE_FIELD("stated", "stated", REAL, offsetof(struct case_line, stated), .format = "%.4g"),
        DSE_FIELD("predicted", "predicted", REAL, offsetof(struct case_line, predicted), .format = "%.4g"),
        DSE_FIELD("miss", "miss", REAL, offsetof(struct case_line, miss), .format = "%.1f %%", .scale = 100.0),
        DSE_FIELD("source", "source", TEXT, offsetof(struct case_line, source)), {0}};
    const struct dse_described *d = dse_described_of(family);
    struct dse_space *space DSE_CLEANUP(dse_space_free_at) = NULL;
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    struct case_line *lines DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0;
    *worst = 0.0;
    if (d == NULL || d->case_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: the file has no `published` cases", dse_model_word(family));
    DSE_TRY(dse_model_space(family, NULL, &space, err));
    for (size_t i = 0; i < d->case_count; i++) {
        DSE_TRY(estimate_case(family, space, &d->cases[i], estimate, err));
        for (int m = 0; m < DSE_METRIC_COUNT; m++) {
            double stated = d->cases[i].stated[m], predicted = estimate->metrics[m];
            if (isnan(stated))
                continue;
            *(struct case_line *)dse_list_more(&lines, &count, sizeof *lines) =
                (struct case_line){d->cases[i].name, dse_metrics[m].key, d->cases[i].source, stated, predicted, predicted / stated - 1.0};
            *worst = fmax(*worst, fabs(predicted / stated - 1.0));
        }
    }
    if (format == DSE_FORMAT_JSON)
        dse_json_add(out, json_pack("{s:s, s:s, s:o, s:f}", "schema", "nysx-dse.family-published/1", "family", family->name, "cases",
                                    dse_fields_list(case_fields, lines, count, sizeof *lines), "worst", *worst));
    else if (format == DSE_FORMAT_CSV)
        dse_fields_csv(case_fields, lines, count, sizeof *lines, out);
    else
        dse_fields_write(case_fields, lines, count, sizeof *lines, width, out);
    return DSE_OK;
}

/* ---- the parts ---- */

struct part_line {
    const char *part, *argument, *needed, *meaning, *words;
};

#define PART(member) offsetof(struct part_line, member)
static const struct dse_field part_fields[] = {DSE_FIELD("part", "part", TEXT, PART(part)), DSE_FIELD("argument", "argument", TEXT, PART(argument)),
                                               DSE_FIELD("default", "default", TEXT, PART(needed)), DSE_FIELD("meaning", "meaning", TEXT, PART(meaning)),
                                               DSE_FIELD("words", "words", TEXT, PART(words), .how = DSE_FIELD_OPTIONAL), {0}};

struct part_lines {
    struct part_line *line; /* count */
    size_t count;
    struct dse_arena texts;
};

static void release_parts(struct part_lines *lines)
{
    free(lines->line);
    dse_arena_free(&lines->texts);
}

static const char *joined(struct part_lines *lines, const char *const *words)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; words[i] != NULL; i++)
        dse_strbuf_printf(&text, "%s%s", i > 0 ? " " : "", words[i]);
    return dse_arena_strdup(&lines->texts, dse_strbuf_text(&text));
}

static void add_kind(struct part_lines *lines, const struct dse_part_kind *kind)
{
    *(struct part_line *)dse_list_more(&lines->line, &lines->count, sizeof *lines->line) = (struct part_line){kind->name, "", "", kind->meaning, NULL};
    for (const struct dse_part_argument *argument = kind->arguments; argument->name != NULL; argument++) {
        char standard[32];
        struct part_line *line = dse_list_more(&lines->line, &lines->count, sizeof *line);
        if (argument->words != NULL)
            snprintf(standard, sizeof standard, "%s", argument->words[(size_t)argument->fallback]);
        else
            snprintf(standard, sizeof standard, "%g", argument->fallback);
        *line = (struct part_line){kind->name, argument->name, argument->needed ? "needed" : dse_arena_strdup(&lines->texts, standard), argument->meaning, NULL};
        if (argument->kind == DSE_ARGUMENT_WORD)
            line->words = joined(lines, argument->words);
        if (argument->kind == DSE_ARGUMENT_TYPE)
            line->words = joined(lines, dse_precision_names);
    }
}

void dse_family_parts(const struct dse_costs *costs, enum dse_format format, size_t width, struct dse_strbuf *out)
{
    static const struct dse_field entry_fields[] = {
        DSE_FIELD("name", "cost entry", TEXT, offsetof(struct dse_cost_entry, name)),
        DSE_FIELD("level", "level", WORD, offsetof(struct dse_cost_entry, level), .words = dse_level_names),
        DSE_FIELD("source", "source", TEXT, offsetof(struct dse_cost_entry, source)), {0}};
    struct part_lines lines DSE_CLEANUP(release_parts) = {0};
    size_t count = dse_costs_entry_count(costs);
    struct dse_cost_entry *entries DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *entries);
    for (const struct dse_part_kind *kind = dse_part_kinds; kind->name != NULL; kind++)
        add_kind(&lines, kind);
    for (size_t i = 0; i < count; i++)
        entries[i] = *dse_costs_entry(costs, i);
    if (format == DSE_FORMAT_JSON) {
        dse_json_add(out, json_pack("{s:s, s:s, s:o, s:o}", "schema", "nysx-dse.family-parts/1", "costs", dse_costs_family(costs), "parts",
                                    dse_fields_list(part_fields, lines.line, lines.count, sizeof *lines.line), "entries",
                                    dse_fields_list(entry_fields, entries, count, sizeof *entries)));
    } else if (format == DSE_FORMAT_CSV) {
        dse_fields_csv(part_fields, lines.line, lines.count, sizeof *lines.line, out);
    } else {
        dse_fields_write(part_fields, lines.line, lines.count, sizeof *lines.line, width, out);
        dse_strbuf_printf(out, "\nEvery part takes `when: CONDITION` and `for: {NAME: FIRST..LAST}`.\n\nCost entries of %s:\n\n", dse_costs_family(costs));
        dse_fields_write(entry_fields, entries, count, sizeof *entries, width, out);
    }
}

/* ---- a check ---- */

struct block_line {
    const char *name, *engine;
    char *reads;
    uint64_t rows;
};

static char *knobs_of(const struct dse_model_family *family, size_t block)
{
    struct dse_strbuf text = {0};
    for (size_t k = 0; k < family->knobs->count; k++)
        if (dse_bits_has(family->blocks[block].reads, k))
            dse_strbuf_printf(&text, "%s%s", text.length > 0 ? " " : "", family->knobs->knobs[k].name);
    return text.text;
}

static json_t *warnings_of(const struct dse_model_family *family, const struct dse_family_tried *tried)
{
    const struct dse_described *d = dse_described_of(family);
    json_t *list = json_array();
    for (size_t i = 0; d != NULL && i < d->constant_count; i++)
        if (d->constants[i].level == DSE_LEVEL_ASSUMED)
            json_array_append_new(list, json_sprintf("no reference is given for the constant %s: its level is assumed, its band %g to %g", d->constants[i].name,
                                                     d->constants[i].low, d->constants[i].high));
    for (size_t i = 0; d != NULL && i < d->quantity_count; i++)
        if (isnan(d->quantities[i].fallback))
            json_array_append_new(list, json_sprintf("the workload's %s has no default: searches need --workload or --dataset", d->quantities[i].name));
    if (tried->tried > 0 && tried->rejected == tried->tried)
        json_array_append_new(list, json_sprintf("none of %zu random designs is feasible: %s", tried->tried, tried->reason));
    return list;
}

void dse_family_write_check(const struct dse_model_family *family, const struct dse_space *space, const struct dse_family_tried *tried,
                            enum dse_format format, size_t width, struct dse_strbuf *out)
{
    static const struct dse_field block_fields[] = {DSE_FIELD("block", "block", TEXT, offsetof(struct block_line, name)),
                                                    DSE_FIELD("engine", "engine", TEXT, offsetof(struct block_line, engine)),
                                                    DSE_FIELD("rows", "rows", COUNT, offsetof(struct block_line, rows)),
                                                    DSE_FIELD("reads", "reads", TEXT, offsetof(struct block_line, reads)), {0}};
    struct block_line *blocks DSE_CLEANUP(dse_free_at) = dse_calloc(family->block_count + 1, sizeof *blocks);
    json_t *warnings DSE_CLEANUP(json_decrefp) = warnings_of(family, tried);
    uint64_t size = dse_space_size(space, dse_bits_all()), most = INT64_MAX;
    const struct dse_described *d = dse_described_of(family);
    for (size_t b = 0; b < family->block_count; b++)
        blocks[b] = (struct block_line){family->blocks[b].name, family->engines[family->blocks[b].engine].name, knobs_of(family, b), dse_described_rows(family, b)};
    if (format == DSE_FORMAT_JSON)
        dse_json_add(out, json_pack("{s:s, s:b, s:s, s:s?, s:o, s:I, s:I, s:o, s:O}", "schema", "nysx-dse.family-check/1", "valid", 1, "family", family->name, "file",
                                    family->file, "space_size", dse_json_count(size), "tried", (json_int_t)tried->tried, "refused", (json_int_t)tried->rejected, "blocks",
                                    dse_fields_list(block_fields, blocks, family->block_count, sizeof *blocks), "warnings", warnings));
    else if (format == DSE_FORMAT_CSV)
        dse_fields_csv(block_fields, blocks, family->block_count, sizeof *blocks, out);
    else {
        char count[64];
        dse_strbuf_printf(out, "%s: good\n%s: %s\n%zu knobs, %s designs; %zu stages, %zu engines, %zu blocks\n", family->file != NULL ? family->file : family->name,
                          family->name, family->title, family->knobs->count, dse_count_format(count, sizeof count, (long long)(size < most ? size : most)),
                          d != NULL ? d->stage_count : family->stage_count, d != NULL ? d->engine_count : family->engine_count, family->block_count);
        if (d != NULL && d->stage_count > family->stage_count)
            dse_strbuf_printf(out, "reports show %d stages, and the rest as `others`\n", DSE_STAGE_APART);
        if (d != NULL && d->engine_count > family->engine_count)
            dse_strbuf_printf(out, "reports show %d engines, and the rest as `others`\n", DSE_ENGINE_MAX - 1);
        if (tried->tried > 0)
            dse_strbuf_printf(out, "%zu random designs tried, %zu of them infeasible%s%s\n", tried->tried, tried->rejected, tried->rejected > 0 ? ": " : "", tried->reason);
        dse_strbuf_add(out, "\n");
        dse_fields_write(block_fields, blocks, family->block_count, sizeof *blocks, width, out);
        for (size_t i = 0; i < json_array_size(warnings); i++)
            dse_strbuf_printf(out, "%swarning: %s\n", i == 0 ? "\n" : "", json_string_value(json_array_get(warnings, i)));
    }
    for (size_t b = 0; b < family->block_count; b++)
        free(blocks[b].reads);
}
