#include "reports/calibration.h"

#include <math.h>

#include "reports/json.h"

static void add_factor(const struct dse_fit *fit, int r, int k, struct dse_strbuf *text, json_t *factors)
{
    const struct dse_fitted_factor *f = &fit->factors[k];
    if (isnan(f->value))
        return;
    dse_strbuf_printf(text, "  %-7s %-10s %8.3f  (%.0f to %.0f %%, from %zu points)\n", dse_resource_names[r],
                      dse_cost_classes[k].name, f->value, 100 * f->low, 100 * f->high, fit->points);
    json_array_append_new(factors, json_pack("{s:s, s:s, s:f, s:f, s:f, s:I}", "resource", dse_resource_names[r], "class",
                                             dse_cost_classes[k].name, "value", f->value, "low", f->low, "high", f->high,
                                             "points", (json_int_t)fit->points));
}

static void add_point(const struct dse_calibration *c, size_t i, int r, const char *file, struct dse_strbuf *text,
                      json_t *residuals)
{
    double measured = c->measured[i][r], before = c->before[i][r], after = c->after[i][r];
    double error = measured > 0 ? after / measured - 1 : NAN;
    if (isnan(measured))
        return;
    dse_strbuf_printf(text, "  %-7s %-30s %10.0f measured, %10.0f before, %10.0f after", dse_resource_names[r], file, measured,
                      before, after);
    if (!isnan(error))
        dse_strbuf_printf(text, " (%+.1f %%)", 100 * error);
    dse_strbuf_add(text, "\n");
    json_array_append_new(residuals, json_pack("{s:s, s:s, s:f, s:f, s:f, s:o}", "file", file, "resource", dse_resource_names[r],
                                               "measured", measured, "before", before, "after", after, "error",
                                               dse_json_number(error)));
}

json_t *dse_calibration_report(const struct dse_calibration_report *report, struct dse_strbuf *text)
{
    const struct dse_calibration *c = report->found;
    const char *family = dse_costs_family(report->costs), *level = dse_report_level_names[c->level];
    json_t *factors = json_array(), *residuals = json_array();
    dse_strbuf_printf(text, "\nfactors of %s on %s, level %s\n", report->engine, family, level);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        for (int k = 0; c->fits[r].points > 0 && k < DSE_COST_CLASSES; k++)
            add_factor(&c->fits[r], r, k, text, factors);
    dse_strbuf_add(text, "\nresiduals\n");
    for (size_t i = 0; i < c->point_count; i++)
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (c->fits[r].points > 0)
                add_point(c, i, r, report->points[i].report->file, text, residuals);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (c->fits[r].points > 0)
            dse_strbuf_printf(text, "  %-7s root mean square %.1f %% before, %.1f %% after\n", dse_resource_names[r],
                              100 * c->fits[r].rms_before, 100 * c->fits[r].rms_after);
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "engine", report->engine, "family", family, "level", level, "factors", factors,
                     "residuals", residuals);
}
