/* What-if answers as tables and CSV. */

#include <stdio.h>
#include <string.h>

#include "reports/spread.h"
#include "reports/whatif.h"

#define SENSITIVITIES_SHOWN 20 /* maximum number of knobs; JSON and CSV have all */

static void cell_ratio(struct dse_table *table, double from, double to)
{
    dse_table_real(table, "%.3f", dse_whatif_ratio(from, to), "-");
}

static void finish(struct dse_table *table, size_t width, struct dse_strbuf *out)
{
    dse_table_finish(table, width, out);
    dse_strbuf_add(out, "\n");
}

/* The knobs that differ. */
static dse_knob_set changes_of(const struct dse_whatif_report *report)
{
    return dse_whatif_changes(report->baseline->setup.space, &report->baseline->estimate.config, &report->changed->estimate.config);
}

static void write_changes(const struct dse_whatif_report *report, struct dse_strbuf *out)
{
    const struct dse_space *space = report->baseline->setup.space;
    const struct dse_config *from = &report->baseline->estimate.config, *to = &report->changed->estimate.config;
    dse_knob_set set = changes_of(report);
    if (!dse_bits_any(set)) {
        dse_strbuf_add(out, "No knob changes: these are the baseline's figures.\n"
                            "--set KNOB=VALUE changes a knob; --target 'latency=0.2ms' finds a change.\n\n");
        return;
    }
    dse_strbuf_add(out, "changed");
    for (size_t k = 0; k < space->count; k++) {
        char before[64] = "-", after[64];
        if (!dse_bits_has(set, k))
            continue;
        if (dse_knob_active(space, from, k))
            dse_knob_format(&space->knobs[k], from->value[k], before, sizeof before);
        dse_knob_format(&space->knobs[k], to->value[k], after, sizeof after);
        dse_strbuf_printf(out, "\n  %s: %s to %s (%s)", space->knobs[k].name, before, after, space->knobs[k].title);
    }
    dse_strbuf_add(out, "\n\n");
}

/* A metric before and after, and the ratio; if no knob changes, before only. */
static void cells_metric(struct dse_table *table, enum dse_metric metric, const struct dse_whatif_report *report, bool same)
{
    const struct dse_model_family *family = report->baseline->setup.family;
    const struct dse_estimate *from = &report->baseline->estimate, *to = &report->changed->estimate;
    char text[64];
    dse_table_text(table, dse_estimate_text(family, metric, from, text));
    if (same)
        return;
    dse_table_text(table, dse_estimate_text(family, metric, to, text));
    cell_ratio(table, from->metrics[metric], to->metrics[metric]);
}

static void write_metrics(const struct dse_whatif_report *report, bool same, size_t width, struct dse_strbuf *out)
{
    const struct dse_quality *quality = report->baseline->quality;
    struct dse_table table = {0};
    dse_table_columns(&table, same ? "metric|value>" : "metric|from>|to>|ratio>");
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        const struct dse_model_family *family = report->baseline->setup.family;
        char per[64], other[64];
        dse_amount_per(family, (enum dse_metric)m, &report->baseline->estimate.config, report->baseline->estimate.platform.batch, per);
        bool both = strcmp(per, dse_amount_per(family, (enum dse_metric)m, &report->changed->estimate.config, report->changed->estimate.platform.batch, other)) == 0;
        dse_table_cell(&table, "%s%s", m != DSE_METRIC_QUALITY || quality == NULL ? dse_metrics[m].name : dse_quality_is_negative(quality->name, NULL) ? quality->name : dse_quality_title(quality->name), both ? per : ""); /* else a run answers more or fewer */
        cells_metric(&table, (enum dse_metric)m, report, same);
    }
    finish(&table, width, out);
}

/* Notes on what is assumed of the data set, and on the cap at the changed design's clock. */
static void write_notes(const struct dse_whatif_report *report, struct dse_strbuf *out)
{
    const struct dse_setup *setup = &report->changed->setup;
    char text[80];
    dse_assumed_add(&(struct dse_design){.setup = setup, .estimate = &report->changed->estimate, .facts = report->facts}, "", "\n", out);
    if (*dse_cap_words(setup->board, (double)report->changed->estimate.config.value[setup->family->clock_knob] * 1e6, text) != '\0')
        dse_strbuf_printf(out, "%s\n", text);
}

static void write_engines(const struct dse_whatif_report *report, bool same, size_t width, struct dse_strbuf *out)
{
    static const enum dse_resource shown[] = {DSE_DSP, DSE_LUT, DSE_BRAM18};
    const struct dse_estimate *from = &report->baseline->estimate, *to = &report->changed->estimate;
    const struct dse_model_family *family = report->baseline->setup.family;
    struct dse_table table = {0};
    dse_table_columns(&table, same ? "engine|cycles>|DSP>|LUT>|BRAM18>|bound" :
                      "engine|cycles\nfrom>|cycles\nto>|cycles\nratio>|DSP\nfrom>|DSP\nto>|LUT\nfrom>|LUT\nto>|BRAM18\nfrom>|BRAM18\nto>|bound");
    for (size_t e = 0; e < family->engine_count; e++) {
        struct dse_engine_row a = dse_engine_row(family, from, e), b = dse_engine_row(family, to, e);
        if (!dse_engine_present(&a) && !dse_engine_present(&b))
            continue;
        dse_table_text(&table, a.name);
        dse_table_count(&table, a.cycles);
        if (!same) {
            dse_table_count(&table, b.cycles);
            cell_ratio(&table, (double)a.cycles, (double)b.cycles);
        }
        for (size_t r = 0; r < sizeof shown / sizeof *shown; r++) {
            dse_table_count(&table, a.resources[shown[r]]);
            if (!same)
                dse_table_count(&table, b.resources[shown[r]]);
        }
        dse_table_cell(&table, a.bound == b.bound ? "%s" : "%s, then %s", dse_bound_words[a.bound], dse_bound_words[b.bound]);
    }
    finish(&table, width, out);
    const char *before = family->engines[from->bottleneck].name;
    if (same)
        dse_strbuf_printf(out, "bottleneck: %s\n", before);
    else
        dse_strbuf_printf(out, "bottleneck: %s before, %s after\n", before, family->engines[to->bottleneck].name);
}

/* Stages whose cycles change: an engine may work in several. */
static void write_stages(const struct dse_whatif_report *report, struct dse_strbuf *out)
{
    const struct dse_estimate *from = &report->baseline->estimate, *to = &report->changed->estimate;
    const struct dse_model_family *family = report->baseline->setup.family;
    const char *before = "stages, in cycles: ";
    for (size_t s = 0; s < family->stage_count; s++) {
        char a[32], b[32];
        if (from->stages[s].cycles == to->stages[s].cycles)
            continue;
        dse_strbuf_printf(out, "%s%s %s to %s", before, family->stages[s], dse_count_format(a, sizeof a, from->stages[s].cycles),
                          dse_count_format(b, sizeof b, to->stages[s].cycles));
        before = ", ";
    }
    dse_strbuf_add(out, *before == ',' ? "\n" : "");
}

static void write_exceeded(const struct dse_estimate *changed, struct dse_strbuf *out)
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        int64_t used = changed->sums.resources[r] * changed->platform.units;
        char a[32], b[32];
        if (used > changed->platform.capped[r])
            dse_strbuf_printf(out, "exceeded: %s, %s used of %s\n", dse_resource_names[r],
                              dse_count_format(a, sizeof a, used),
                              dse_count_format(b, sizeof b, changed->platform.capped[r]));
    }
    if (!changed->platform.clock_allowed)
        dse_strbuf_add(out, "exceeded: the clock; the board does not reach it\n");
    if (changed->fits)
        dse_strbuf_add(out, "exceeded: nothing; the design fits\n");
}

/* End of a knob's moves, which are adjacent, from best to worst. */
static size_t last_of_knob(const struct dse_whatif_moves *moves, size_t first)
{
    size_t last = first;
    while (last + 1 < moves->count && moves->moves[last + 1].knob == moves->moves[first].knob)
        last++;
    return last;
}

static void add_move(struct dse_table *table, const struct dse_space *space, const struct dse_whatif_move *move,
                     enum dse_metric metric)
{
    char value[64];
    dse_table_text(table, dse_knob_format(&space->knobs[move->knob], move->value, value, sizeof value));
    cell_ratio(table, 1.0, move->ratio[metric]);
    dse_table_text(table, move->fits ? "yes" : "no");
}

static void write_sensitivity(const struct dse_whatif_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_space *space = report->changed->setup.space;
    const struct dse_whatif_moves *moves = report->moves;
    struct dse_table table = {0};
    dse_table_columns(&table, "knob|now>|best>|best\nratio>|best\nfits|worst>|worst\nratio>|worst\nfits");
    size_t shown = 0;
    for (size_t i = 0; i < moves->count && shown < SENSITIVITIES_SHOWN; i = last_of_knob(moves, i) + 1, shown++) {
        size_t knob = moves->moves[i].knob;
        char value[64];
        dse_table_text(&table, space->knobs[knob].name);
        dse_table_text(&table, dse_knob_format(&space->knobs[knob], report->changed->estimate.config.value[knob],
                                                     value, sizeof value));
        add_move(&table, space, &moves->moves[i], report->metric);
        add_move(&table, space, &moves->moves[last_of_knob(moves, i)], report->metric);
    }
    dse_strbuf_printf(out, "\nEach knob varied alone: %s relative to its present value.\n\n",
                      dse_metrics[report->metric].name);
    finish(&table, width, out);
    dse_strbuf_printf(out, "%zu changes evaluated; left out: %zu impossible, %zu without a workload in the profile", moves->count,
                      moves->unbuildable, moves->not_profiled);
    if (moves->unmeasured > 0)
        dse_strbuf_printf(out, ", %zu without a measured quality", moves->unmeasured);
    dse_strbuf_add(out, ".\n");
}

static void write_quality(const struct dse_whatif_report *report, struct dse_strbuf *out)
{
    const struct dse_quality *from = report->baseline->quality, *to = report->changed->quality;
    if (from != NULL && to != NULL && from != to)
        dse_strbuf_printf(out, "%s \u00b1 %s: %.3f \u00b1 %.3f (n = %lld) before, %.3f \u00b1 %.3f (n = %lld) after\n", to->name, dse_spread_name(),
                          from->mean, dse_spread_of(from), (long long)from->n, to->mean, dse_spread_of(to), (long long)to->n);
    else if (to != NULL)
        dse_strbuf_printf(out, "%s \u00b1 %s: %.3f \u00b1 %.3f (n = %lld)%s\n", to->name, dse_spread_name(), to->mean, dse_spread_of(to),
                          (long long)to->n, from == NULL ? "; not measured before" : dse_bits_any(changes_of(report)) ? ", the same setting" : "");
    else
        dse_strbuf_printf(out, "quality: not measured at the %s setting%s\n", dse_bits_any(changes_of(report)) ? "changed" : "baseline's",
                          report->changed->setup.family->own_profile != NULL ? "" : "; --measure trains it now, on the data set");
}

/* Costs used by both designs. */
static void write_costs(const struct dse_costs *costs, struct dse_strbuf *out)
{
    const char *calibration = dse_costs_calibration(costs);
    dse_strbuf_printf(out, "costs of %s, %s%s\n", dse_costs_family(costs), calibration != NULL ? "calibrated by " : "not calibrated",
                      calibration != NULL ? calibration : "");
}

void dse_whatif_write(const struct dse_whatif_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_setup *setup = &report->baseline->setup;
    dse_strbuf_printf(out, "%s on %s with %s\n", setup->family->name, setup->board->title, report->dataset);
    write_costs(setup->costs, out);
    dse_strbuf_printf(out, "baseline: %s\n", report->origin);
    if (report->least != NULL && report->least->changes == 0) {
        dse_strbuf_printf(out, "%s: reached without a further change\n", report->target);
    } else if (report->least != NULL) {
        char space[32];
        dse_strbuf_printf(out, "%s: reached with %zu change%s; proven: no design with fewer changes reaches it (%s designs)\n", report->target,
                          report->least->changes, report->least->changes == 1 ? "" : "s",
                          dse_count_format(space, sizeof space, dse_count_of(report->least->space_size)));
    }
    /* Without a change, the question is which change has the largest effect. */
    bool same = !dse_bits_any(changes_of(report));
    if (same && report->moves != NULL) {
        write_sensitivity(report, width, out);
        dse_strbuf_add(out, "\n");
    }
    write_changes(report, out);
    write_metrics(report, same, width, out);
    write_engines(report, same, width, out);
    write_stages(report, out);
    write_exceeded(&report->changed->estimate, out);
    write_quality(report, out);
    write_notes(report, out);
    if (!same && report->moves != NULL)
        write_sensitivity(report, width, out);
}

void dse_whatifs_write(const struct dse_whatif_report *reports, size_t count, size_t width, struct dse_strbuf *out)
{
    static const enum dse_metric shown[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY};
    struct dse_table table = {0};
    dse_table_columns(&table, "data set|board");
    for (size_t m = 0; m < sizeof shown / sizeof *shown; m++) {
        const char *name = dse_metrics[shown[m]].heading;
        char headings[96];
        snprintf(headings, sizeof headings, "%s\nfrom>|%s\nto>|%s\nratio>", name, name, name);
        dse_table_columns(&table, headings);
    }
    dse_table_columns(&table, "bottleneck\nfrom|bottleneck\nto|fits");
    for (size_t i = 0; i < count; i++) {
        const struct dse_estimate *from = &reports[i].baseline->estimate, *to = &reports[i].changed->estimate;
        const struct dse_engine *engines = reports[i].baseline->setup.family->engines;
        dse_table_text(&table, reports[i].dataset);
        dse_table_text(&table, reports[i].baseline->setup.board->name);
        for (size_t m = 0; m < sizeof shown / sizeof *shown; m++)
            cells_metric(&table, shown[m], &reports[i], false);
        dse_table_text(&table, engines[from->bottleneck].name);
        dse_table_text(&table, engines[to->bottleneck].name);
        dse_table_text(&table, to->fits ? "yes" : "no");
    }
    finish(&table, width, out);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || reports[i].baseline->setup.costs != reports[i - 1].baseline->setup.costs)
            write_costs(reports[i].baseline->setup.costs, out);
}

void dse_whatif_columns(struct dse_table *table)
{
    dse_table_columns(table, "board|dataset|part|what|from>|to>|ratio>");
}

static void add_row(const struct dse_whatif_report *report, const char *part, const char *what, double from, double to,
                    struct dse_table *table)
{
    dse_table_text(table, report->baseline->setup.board->name);
    dse_table_text(table, report->dataset);
    dse_table_text(table, part);
    dse_table_text(table, what);
    dse_table_number(table, from);
    dse_table_number(table, to);
    dse_table_number(table, dse_whatif_ratio(from, to));
}

void dse_whatif_rows(const struct dse_whatif_report *report, struct dse_table *table)
{
    const struct dse_estimate *from = &report->baseline->estimate, *to = &report->changed->estimate;
    const struct dse_model_family *family = report->baseline->setup.family;
    const struct dse_quality *quality = report->baseline->quality;
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        add_row(report, "total", m == DSE_METRIC_QUALITY && quality != NULL ? quality->name : dse_metrics[m].key, from->metrics[m], to->metrics[m], table);
    for (size_t e = 0; e < family->engine_count; e++)
        add_row(report, family->engines[e].name, "cycles", (double)from->engines[e].cycles,
                (double)to->engines[e].cycles, table);
    const struct dse_space *space = report->changed->setup.space;
    for (size_t i = 0; report->moves != NULL && i < report->moves->count; i++) {
        const struct dse_whatif_move *move = &report->moves->moves[i];
        char value[64], what[160];
        snprintf(what, sizeof what, "%s %s=%s", dse_metrics[report->metric].key, space->knobs[move->knob].name,
                 dse_knob_format(&space->knobs[move->knob], move->value, value, sizeof value));
        double now = to->metrics[report->metric];
        add_row(report, "sensitivity", what, now, now * move->ratio[report->metric], table);
    }
}
