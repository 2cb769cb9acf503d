#include "reports/calibration.h"

#include <math.h>

#include "reports/json.h"

static void add_factor(const struct dse_fit *fit, int r, int k, struct dse_strbuf *text, json_t *factors)
{
    const struct dse_fitted_factor *f = &fit->factors[k];
    if (isnan(f->value))
        return;
    dse_strbuf_printf(text, "  %-7s %-10s %8.3f  (%.0f to %.0f %%, from %zu points; %.0f %% learned, prior 1 ± %.2f)\n",
                      dse_resource_names[r], dse_cost_classes[k].name, f->value, 100 * f->low, 100 * f->high, fit->points,
                      100 * f->learned, f->prior);
    json_array_append_new(factors, json_pack("{s:s, s:s, s:f, s:f, s:f, s:I, s:f, s:f}", "resource", dse_resource_names[r], "class",
                                             dse_cost_classes[k].name, "value", f->value, "low", f->low, "high", f->high,
                                             "points", (json_int_t)fit->points, "learned", f->learned, "prior", f->prior));
}

/* Lists factors with too few points, which stay as in the library. */
static void add_unlearned(const struct dse_calibration *c, struct dse_strbuf *text, json_t *array)
{
    size_t count = 0;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        for (int k = 0; k < DSE_COST_CLASSES; k++) {
            const struct dse_fitted_factor *f = &c->fits[r].factors[k];
            if (c->fits[r].points == 0 || !isnan(f->value) || isnan(f->learned))
                continue;
            dse_strbuf_printf(text, "%s %s of %s (%.0f %%)", count++ == 0 ? "\nnot learned, unchanged from the library:" : ",",
                              dse_resource_names[r], dse_cost_classes[k].name, 100 * fmax(0, f->learned));
            json_array_append_new(array, json_pack("{s:s, s:s, s:f}", "resource", dse_resource_names[r], "class",
                                                   dse_cost_classes[k].name, "learned", f->learned));
        }
    dse_strbuf_add(text, count > 0 ? "\n" : "");
}

static void add_point(const struct dse_calibration *c, size_t i, int r, const char *file, const char *engine, struct dse_strbuf *text,
                      json_t *residuals)
{
    double measured = c->measured[i][r], before = c->before[i][r], after = c->after[i][r];
    double error = measured > 0 ? after / measured - 1 : NAN;
    if (isnan(measured))
        return;
    dse_strbuf_printf(text, "  %-7s %-6s %-30s %10.0f measured, %10.0f before, %10.0f after", dse_resource_names[r], engine, file, measured,
                      before, after);
    if (!isnan(error))
        dse_strbuf_printf(text, " (%+.1f %%)", 100 * error);
    dse_strbuf_add(text, "\n");
    json_array_append_new(residuals, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:o}", "file", file, "engine", engine, "resource", dse_resource_names[r],
                                               "measured", measured, "before", before, "after", after, "error",
                                               dse_json_number(error)));
}

static const char *engine_of(const struct dse_calibration_report *report, size_t i)
{
    size_t engine = report->points[i].engine;
    return engine < report->family->engine_count ? report->family->engines[engine].name : "all";
}

/* Factors on an engine's loops; those with too little evidence in the reports stay as in the models. */
static void add_cycles(const struct dse_calibration *c, size_t engine, int what, struct dse_strbuf *text, json_t *array)
{
    const struct dse_cycle_fit *fit = &c->cycles[engine][what];
    static const char *const many[DSE_CYCLES_COUNT] = {[DSE_CYCLES_DEPTH] = "depths", [DSE_CYCLES_INTERVAL] = "intervals"};
    const char *name = c->family->engines[engine].name;
    if (!isnan(fit->value))
        dse_strbuf_printf(text, "  %-7s %-10s %8.3f  (from %zu design%s; %.0f %% learned, prior 1 ± %.2f; error %.1f %% before, %.1f %% after)\n", name, many[what],
                          fit->value, fit->points, fit->points == 1 ? "" : "s", 100 * fit->learned, fit->prior,
                          100 * fit->before, 100 * fit->residual);
    else if (fit->points > 0)
        dse_strbuf_printf(text, "  %-7s %-10s not learned (%.0f %%): unchanged from the models\n", name, many[what], 100 * fit->learned);
    else
        dse_strbuf_printf(text, "  %-7s %-10s not learned: the reports have no such loop of this engine\n", name, many[what]);
    json_array_append_new(array, json_pack("{s:s, s:s, s:o, s:o, s:I, s:f, s:o, s:o}", "engine", name, "of", dse_cycle_names[what],
                                           "value", dse_json_number(fit->value), "learned", dse_json_number(fit->learned),
                                           "points", (json_int_t)fit->points, "prior", fit->prior,
                                           "before", dse_json_number(fit->points > 0 ? fit->before : NAN),
                                           "after", dse_json_number(fit->residual)));
}

static json_t *all_cycles(const struct dse_calibration *c, struct dse_strbuf *text)
{
    json_t *array = json_array();
    for (size_t e = 0; c->family != NULL && e < c->family->engine_count; e++)
        for (int what = 0; c->has_loops[e] && what < DSE_CYCLES_COUNT; what++) {
            if (json_array_size(array) == 0)
                dse_strbuf_add(text, "\ncycles: factors on loop depths and initiation intervals\n");
            add_cycles(c, e, what, text, array);
        }
    return array;
}

/* Factors on the resources of SystemVerilog engines. */
static json_t *all_amounts(const struct dse_calibration *c, struct dse_strbuf *text)
{
    json_t *array = json_array();
    for (size_t e = 0; c->level == DSE_REPORT_LEVEL_OPEN && c->family != NULL && e < c->family->engine_count; e++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
            const struct dse_amount_fit *fit = &c->amounts[e][r];
            const char *name = c->family->engines[e].name;
            if (fit->points == 0)
                continue;
            dse_strbuf_printf(text, "  %-7s %-7s %8.3f  (%.0f to %.0f %%, from %zu design%s; error %.1f %% before, %.1f %% after", name,
                              dse_resource_names[r], fit->value, 100 * fit->low, 100 * fit->high, fit->points, fit->points == 1 ? "" : "s",
                              100 * fit->before, 100 * fit->residual);
            dse_strbuf_printf(text, isnan(fit->held_out) ? ")\n" : ", %.1f %% held out)\n", 100 * fit->held_out);
            json_array_append_new(array, json_pack("{s:s, s:s, s:f, s:f, s:f, s:I, s:f, s:f, s:o}", "engine", name, "resource",
                                                   dse_resource_names[r], "value", fit->value, "low", fit->low, "high", fit->high, "points",
                                                   (json_int_t)fit->points, "before", fit->before, "after", fit->residual, "held_out",
                                                   dse_json_number(fit->held_out)));
        }
    return array;
}

json_t *dse_calibration_report(const struct dse_calibration_report *report, struct dse_strbuf *text)
{
    const struct dse_calibration *c = report->found;
    const char *family = dse_costs_family(report->costs), *level = dse_report_level_names[c->level];
    json_t *factors = json_array(), *residuals = json_array(), *unlearned = json_array();
    dse_strbuf_printf(text, "\nfactors of %s on %s, level %s\n", report->engine, family, level);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        for (int k = 0; k < DSE_COST_CLASSES; k++)
            add_factor(&c->fits[r], r, k, text, factors);
    add_unlearned(c, text, unlearned);
    json_t *amounts = all_amounts(c, text);
    json_t *cycles = all_cycles(c, text);
    dse_strbuf_add(text, "\nresiduals\n");
    for (size_t i = 0; i < c->point_count; i++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (c->fits[r].points > 0)
                add_point(c, i, r, report->points[i].report->file, engine_of(report, i), text, residuals);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (c->fits[r].points > 0)
            dse_strbuf_printf(text, "  %-7s root mean square %.1f %% before, %.1f %% after\n", dse_resource_names[r],
                              100 * c->fits[r].rms_before, 100 * c->fits[r].rms_after);
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "engine", report->engine, "family", family, "level", level, "factors", factors, "amounts",
                     amounts, "cycles", cycles,
                     "not_learned", unlearned, "residuals", residuals);
}

json_t *dse_loops_report(const struct dse_calibration_design *design, struct dse_strbuf *text)
{
    const struct dse_loop *expected = design->loops.loop;
    json_t *array = json_array();
    double before = 0.0, after = 0.0;
    for (size_t i = 0; i < design->loops.count; i++) {
        struct dse_report_loop found;
        if (!dse_report_loop_find(expected[i].name, design->reports, design->report_count, &found))
            continue;
        struct dse_loop made = expected[i];
        made.interval = found.interval;
        made.depth = found.depth > 0.0 ? dse_report_depth(&found) : made.depth;
        double cycles = dse_loop_cycles(&expected[i], DSE_CASE_MEAN), reported = dse_loop_cycles(&made, DSE_CASE_MEAN);
        if (before == 0.0)
            dse_strbuf_add(text, "\nloops for a mean graph: the models' intervals and depths -> the reports'\n");
        before += cycles;
        after += reported;
        dse_strbuf_printf(text, "  %-20s II %3.0f -> %3.0f, depth %3.0f -> %3.0f, cycles %10.0f -> %10.0f (%+.1f %%)\n", made.name,
                          expected[i].interval, made.interval, expected[i].depth, made.depth, cycles, reported,
                          cycles > 0.0 ? 100.0 * (reported / cycles - 1.0) : 0.0);
        json_array_append_new(array, json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "loop", made.name, "ii", expected[i].interval,
                                               "reported_ii", made.interval, "depth", expected[i].depth, "reported_depth", made.depth,
                                               "cycles", cycles, "reported_cycles", reported));
    }
    if (json_array_size(array) == 0) {
        json_decref(array);
        return NULL;
    }
    dse_strbuf_printf(text, "  all loops in sequence: %.0f -> %.0f cycles (%+.1f %%)\n", before, after, before > 0.0 ? 100.0 * (after / before - 1.0) : 0.0);
    return array;
}
