#include "reports/optimum.h"
#include "reports/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *dse_optimum_json(const struct dse_optimum_report *report)
{
    const struct dse_optimum *optimum = report->optimum;
    json_t *object = dse_estimate_json(report->design, report->compact ? DSE_ESTIMATE_COMPACT : DSE_ESTIMATE_WHOLE);
    json_object_update_new(
        object, json_pack("{s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:f, s:o}", "schema", "nysx-dse.optimum/1", "method", report->method, "metric",
                          dse_metrics[report->metric].key, "objective", dse_json_number(optimum->objective), "optimal", optimum->proven, "bound",
                          dse_json_number(optimum->bound), "gap", dse_json_number(optimum->gap), "solve_s", optimum->seconds, "space_size",
                          dse_json_count(optimum->space_size)));
    if (optimum->regret > 0.0)
        json_object_update_new(object, json_pack("{s:f, s:f, s:o}", "regret", optimum->regret, "plain_regret", optimum->plain_regret,
                                                 "plain_objective", dse_json_number(optimum->plain_objective)));
    if (optimum->slices > 0)
        json_object_update_new(object, json_pack("{s:o, s:o, s:o, s:o}", "slices", dse_json_count(optimum->slices), "solved",
                                                 dse_json_count(optimum->solved), "models", dse_json_count(optimum->models), "nodes",
                                                 dse_json_count(optimum->nodes)));
    return object;
}

/* The error of which the objective is the negative, which people read instead; NULL: none. */
static const char *negated(const struct dse_optimum_report *report)
{
    const char *of = NULL;
    bool negative = report->metric == DSE_METRIC_QUALITY && report->design->quality != NULL && dse_quality_is_negative(report->design->quality->name, &of);
    return negative ? of : NULL;
}

static const char *name_of(const struct dse_optimum_report *report)
{
    bool measured = report->metric == DSE_METRIC_QUALITY && report->design->quality != NULL;
    return negated(report) != NULL ? negated(report) : measured ? report->design->quality->name : dse_metrics[report->metric].name;
}

static char *amount(const struct dse_optimum_report *report, double value, char *text, size_t size)
{
    char per[64];
    dse_amount_text(report->design->setup->family, &report->design->estimate->config, report->metric, negated(report) != NULL ? -value : value, text, size);
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", dse_amount_per(report->design->setup->family, report->metric, &report->design->estimate->config, report->design->estimate->platform.batch, per));
    return text;
}

void dse_optimum_write(const struct dse_optimum_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_optimum *optimum = report->optimum;
    char value[128], bound[128], size[64];
    bool most = dse_metrics[report->metric].higher_is_better && negated(report) == NULL;
    if (optimum->regret > 0.0)
        dse_strbuf_printf(out, "Robust: over the models' errors, at most %.3f times the best %s;\nthe best by the models, %s, at most %.3f times\n",
                          optimum->regret, name_of(report),
                          amount(report, optimum->plain_objective, value, sizeof value), optimum->plain_regret);
    dse_strbuf_printf(out, "%s %s %s, %s", optimum->regret > 0.0 ? "Its" : most ? "Most" : "Least", name_of(report),
                      amount(report, optimum->objective, value, sizeof value),
                      report->proof);
    dse_strbuf_printf(out, " among %s designs in %.2f s (bound %s",
                      dse_count_format(size, sizeof size, optimum->space_size > INT64_MAX ? INT64_MAX : (long long)optimum->space_size),
                      optimum->seconds,
                      isfinite(optimum->bound) ? amount(report, optimum->bound, bound, sizeof bound) : "none");
    if (isfinite(optimum->gap))
        dse_strbuf_printf(out, optimum->gap > 0.0 ? ", gap %.1e" : ", gap 0", optimum->gap);
    if (optimum->slices > 0)
        dse_strbuf_printf(out, "; %llu of %llu slices, %llu programs, %llu nodes", (unsigned long long)optimum->solved,
                          (unsigned long long)optimum->slices, (unsigned long long)optimum->models,
                          (unsigned long long)optimum->nodes);
    dse_strbuf_add(out, ")\n\n");
    dse_estimate_write(report->design, width, out);
}
