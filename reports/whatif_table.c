/* What-if answers as tables and CSV. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "reports/whatif.h"

#define SENSITIVITIES_SHOWN 20 /* knobs; JSON and CSV have all */

static const char *value_text(enum dse_metric metric, double value, char *text, size_t size)
{
    if (isnan(value))
        snprintf(text, size, "-");
    else if (metric == DSE_METRIC_QUALITY)
        snprintf(text, size, "%.3f", value);
    else if (dse_metrics[metric].dimension == DSE_DIMENSION_NONE)
        dse_count_format(text, size, (long long)value);
    else
        dse_quantity_format(text, size, dse_metrics[metric].dimension, value);
    return text;
}

static void cell_ratio(struct dse_table *table, double from, double to)
{
    double ratio = dse_whatif_ratio(from, to);
    if (isfinite(ratio))
        dse_table_cell(table, "%.3f", ratio);
    else
        dse_table_cell(table, "-");
}

static void cell_count(struct dse_table *table, int64_t value)
{
    char text[64];
    dse_table_cell(table, "%s", dse_count_format(text, sizeof text, value));
}

static void add_columns(struct dse_table *table, const char *const *headings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dse_table_column(table, headings[i], true);
}

static void finish(struct dse_table *table, size_t width, struct dse_strbuf *out)
{
    out->failed |= table->failed;
    dse_table_write(table, width, out);
    dse_table_free(table);
    dse_strbuf_add(out, "\n");
}

static void write_changes(const struct dse_whatif_report *report, struct dse_strbuf *out)
{
    const struct dse_space *space = report->baseline->setup.space;
    const struct dse_config *from = &report->baseline->estimate.config, *to = &report->changed->estimate.config;
    dse_knob_set set = dse_whatif_changes(space, from, to);
    dse_strbuf_add(out, set == 0 ? "nothing changed" : "changed");
    for (size_t k = 0; k < space->count; k++) {
        char before[64] = "-", after[64];
        if ((set >> k & 1) == 0)
            continue;
        if (dse_knob_active(space, from, k))
            dse_knob_format(&space->knobs[k], from->value[k], before, sizeof before);
        dse_knob_format(&space->knobs[k], to->value[k], after, sizeof after);
        dse_strbuf_printf(out, "\n  %s: %s to %s", space->knobs[k].name, before, after);
    }
    dse_strbuf_add(out, "\n\n");
}

static void write_metrics(const struct dse_whatif_report *report, size_t width, struct dse_strbuf *out)
{
    static const char *const headings[] = {"from", "to", "ratio"};
    struct dse_table table = {0};
    dse_table_column(&table, "metric", false);
    add_columns(&table, headings, 3);
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        double from = report->baseline->estimate.metrics[m], to = report->changed->estimate.metrics[m];
        const struct dse_quality *quality = report->baseline->quality;
        char text[64];
        dse_table_cell(&table, "%s", m == DSE_METRIC_QUALITY && quality != NULL ? quality->name : dse_metrics[m].name);
        dse_table_cell(&table, "%s", value_text((enum dse_metric)m, from, text, sizeof text));
        dse_table_cell(&table, "%s", value_text((enum dse_metric)m, to, text, sizeof text));
        cell_ratio(&table, from, to);
    }
    finish(&table, width, out);
}

static void write_engines(const struct dse_whatif_report *report, size_t width, struct dse_strbuf *out)
{
    static const char *const headings[] = {"cycles", "to", "ratio", "DSP", "to", "LUT", "to", "BRAM18", "to"};
    static const enum dse_resource shown[] = {DSE_DSP, DSE_LUT, DSE_BRAM18};
    const struct dse_estimate *from = &report->baseline->estimate, *to = &report->changed->estimate;
    const struct dse_model_family *family = report->baseline->setup.family;
    struct dse_table table = {0};
    dse_table_column(&table, "engine", false);
    add_columns(&table, headings, sizeof headings / sizeof *headings);
    dse_table_column(&table, "bound", false);
    dse_table_column(&table, "to", false);
    for (size_t e = 0; e < family->engine_count; e++) {
        const struct dse_engine_estimate *a = &from->engines[e], *b = &to->engines[e];
        dse_table_cell(&table, "%s", family->engines[e].name);
        cell_count(&table, a->cycles);
        cell_count(&table, b->cycles);
        cell_ratio(&table, (double)a->cycles, (double)b->cycles);
        for (size_t r = 0; r < sizeof shown / sizeof *shown; r++) {
            cell_count(&table, a->sums.resources[shown[r]] * from->platform.units);
            cell_count(&table, b->sums.resources[shown[r]] * to->platform.units);
        }
        dse_table_cell(&table, "%s", a->bound == DSE_BOUND_MEMORY ? "memory" : "compute");
        dse_table_cell(&table, "%s", b->bound == DSE_BOUND_MEMORY ? "memory" : "compute");
    }
    finish(&table, width, out);
    dse_strbuf_printf(out, "bottleneck: %s before, %s after\n", family->engines[from->bottleneck].name,
                      family->engines[to->bottleneck].name);
}

static void write_breaks(const struct dse_estimate *changed, struct dse_strbuf *out)
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        int64_t used = changed->sums.resources[r] * changed->platform.units;
        char a[32], b[32];
        if (used > changed->platform.capped[r])
            dse_strbuf_printf(out, "breaks: %s, %s used of %s\n", dse_resource_names[r],
                              dse_count_format(a, sizeof a, used),
                              dse_count_format(b, sizeof b, changed->platform.capped[r]));
    }
    if (!changed->platform.clock_allowed)
        dse_strbuf_add(out, "breaks: the board does not reach this clock\n");
    if (changed->fits)
        dse_strbuf_add(out, "breaks: nothing, it fits\n");
}

/* The end of a knob's moves: they stand together, from best to worst. */
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
    dse_table_cell(table, "%s", dse_knob_format(&space->knobs[move->knob], move->value, value, sizeof value));
    cell_ratio(table, 1.0, move->ratio[metric]);
    dse_table_cell(table, "%s", move->fits ? "yes" : "no");
}

static void write_sensitivity(const struct dse_whatif_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_space *space = report->changed->setup.space;
    const struct dse_whatif_moves *moves = report->moves;
    struct dse_table table = {0};
    dse_table_column(&table, "knob", false);
    dse_table_column(&table, "now", true);
    for (int end = 0; end < 2; end++) {
        dse_table_column(&table, end == 0 ? "best" : "worst", true);
        dse_table_column(&table, "ratio", true);
        dse_table_column(&table, "fits", false);
    }
    size_t shown = 0;
    for (size_t i = 0; i < moves->count && shown < SENSITIVITIES_SHOWN; i = last_of_knob(moves, i) + 1, shown++) {
        size_t knob = moves->moves[i].knob;
        char value[64];
        dse_table_cell(&table, "%s", space->knobs[knob].name);
        dse_table_cell(&table, "%s", dse_knob_format(&space->knobs[knob], report->changed->estimate.config.value[knob],
                                                     value, sizeof value));
        add_move(&table, space, &moves->moves[i], report->metric);
        add_move(&table, space, &moves->moves[last_of_knob(moves, i)], report->metric);
    }
    dse_strbuf_printf(out, "\nEach knob moved alone: %s as a share of what it is now.\n\n",
                      dse_metrics[report->metric].name);
    finish(&table, width, out);
    dse_strbuf_printf(out, "%zu moves evaluated; %zu cannot be built, %zu have no work in the profile.\n", moves->count,
                      moves->unbuildable, moves->not_profiled);
}

static void write_quality(const struct dse_whatif_report *report, struct dse_strbuf *out)
{
    const struct dse_quality *from = report->baseline->quality, *to = report->changed->quality;
    if (from != NULL && to != NULL && from != to)
        dse_strbuf_printf(out, "%s: %.3f \u00b1 %.3f (n = %lld) before, %.3f \u00b1 %.3f (n = %lld) after\n", to->name, from->mean,
                          from->std, (long long)from->n, to->mean, to->std, (long long)to->n);
    else if (to != NULL)
        dse_strbuf_printf(out, "%s: %.3f \u00b1 %.3f (n = %lld)%s\n", to->name, to->mean, to->std, (long long)to->n,
                          from != NULL ? ", the same setting" : "; not measured before");
    else
        dse_strbuf_add(out, "quality: not measured at the changed setting; --measure does it now, on the data set\n");
}

/* The costs that both designs rest on. */
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
    if (report->least != NULL) {
        char space[32];
        dse_strbuf_printf(out, "%s: needs %zu change%s; no configuration of %s with fewer meets it\n", report->target,
                          report->least->changes, report->least->changes == 1 ? "" : "s",
                          dse_count_format(space, sizeof space, (long long)report->least->space_size));
    }
    /* Where nothing is changed the question is what would change most. */
    bool same = dse_whatif_changes(setup->space, &report->baseline->estimate.config, &report->changed->estimate.config) == 0;
    if (same && report->moves != NULL) {
        write_sensitivity(report, width, out);
        dse_strbuf_add(out, "\nThe design as it is; --set KNOB=VALUE changes it, --target 'latency=0.2ms' looks for the least change.\n");
    } else {
        write_changes(report, out);
    }
    write_metrics(report, width, out);
    write_engines(report, width, out);
    write_breaks(&report->changed->estimate, out);
    write_quality(report, out);
    if (!same && report->moves != NULL)
        write_sensitivity(report, width, out);
}

void dse_whatifs_write(const struct dse_whatif_report *reports, size_t count, size_t width, struct dse_strbuf *out)
{
    static const enum dse_metric shown[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY};
    struct dse_table table = {0};
    dse_table_column(&table, "data set", false);
    dse_table_column(&table, "board", false);
    for (size_t m = 0; m < sizeof shown / sizeof *shown; m++) {
        dse_table_column(&table, dse_metrics[shown[m]].heading, true);
        dse_table_column(&table, "to", true);
        dse_table_column(&table, "ratio", true);
    }
    dse_table_column(&table, "bottleneck", false);
    dse_table_column(&table, "to", false);
    dse_table_column(&table, "fits", false);
    for (size_t i = 0; i < count; i++) {
        const struct dse_estimate *from = &reports[i].baseline->estimate, *to = &reports[i].changed->estimate;
        const struct dse_engine *engines = reports[i].baseline->setup.family->engines;
        dse_table_cell(&table, "%s", reports[i].dataset);
        dse_table_cell(&table, "%s", reports[i].baseline->setup.board->name);
        for (size_t m = 0; m < sizeof shown / sizeof *shown; m++) {
            char text[64];
            dse_table_cell(&table, "%s", value_text(shown[m], from->metrics[shown[m]], text, sizeof text));
            dse_table_cell(&table, "%s", value_text(shown[m], to->metrics[shown[m]], text, sizeof text));
            cell_ratio(&table, from->metrics[shown[m]], to->metrics[shown[m]]);
        }
        dse_table_cell(&table, "%s", engines[from->bottleneck].name);
        dse_table_cell(&table, "%s", engines[to->bottleneck].name);
        dse_table_cell(&table, "%s", to->fits ? "yes" : "no");
    }
    finish(&table, width, out);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || reports[i].baseline->setup.costs != reports[i - 1].baseline->setup.costs)
            write_costs(reports[i].baseline->setup.costs, out);
}

void dse_whatif_columns(struct dse_table *table)
{
    static const char *const texts[] = {"board", "dataset", "part", "what"};
    static const char *const numbers[] = {"from", "to", "ratio"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        dse_table_column(table, texts[i], false);
    add_columns(table, numbers, 3);
}

static void add_row(const struct dse_whatif_report *report, const char *part, const char *what, double from, double to,
                    struct dse_table *table)
{
    const double values[] = {from, to, dse_whatif_ratio(from, to)};
    dse_table_cell(table, "%s", report->baseline->setup.board->name);
    dse_table_cell(table, "%s", report->dataset);
    dse_table_cell(table, "%s", part);
    dse_table_cell(table, "%s", what);
    for (int i = 0; i < 3; i++) {
        char text[40];
        dse_table_cell(table, "%s", isfinite(values[i]) ? dse_number_shortest(text, sizeof text, values[i]) : "");
    }
}

void dse_whatif_rows(const struct dse_whatif_report *report, struct dse_table *table)
{
    const struct dse_estimate *from = &report->baseline->estimate, *to = &report->changed->estimate;
    const struct dse_model_family *family = report->baseline->setup.family;
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        add_row(report, "total", dse_metrics[m].key, from->metrics[m], to->metrics[m], table);
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
