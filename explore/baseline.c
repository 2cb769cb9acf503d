#include "explore/baseline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "validation/published.h"

/* Shipped data are identified by content, others by name. */
static bool is_data(const struct dse_published_case *c, const struct dse_profile *profile)
{
    const char *name = *c->dataset != '\0' ? c->dataset : c->profile;
    uint64_t hash = dse_profile_hash_of(name);
    return hash != 0 ? hash == profile->dataset_hash : strcmp(name, profile->dataset) == 0;
}

static bool is_design(const struct dse_model_family *family, const struct dse_space *space, const struct dse_board *board, const struct dse_profile *profile,
                      const struct dse_published_case *c, const struct dse_published_figure *figure, const struct dse_config *config)
{
    struct dse_config published;
    struct dse_error other;
    if (dse_model_published(family, space, board, &profile->preset, &published, &other) != DSE_OK ||
        dse_published_words_apply(space, c->set, &published, &other) != DSE_OK ||
        dse_published_words_apply(space, figure->set, &published, &other) != DSE_OK)
        return false;
    dse_config_canonical(space, &published);
    for (size_t k = 0; k < space->count; k++)
        if (published.value[k] != config->value[k])
            return false;
    return true;
}

/* Metric corresponding to a figure of this boundary. */
static enum dse_metric at_boundary(enum dse_metric metric, enum dse_boundary boundary)
{
    bool system = boundary == DSE_BOUNDARY_SYSTEM;
    return metric == DSE_METRIC_ENERGY              ? dse_energy_metrics[boundary]
           : metric == DSE_METRIC_POWER             ? dse_power_metrics[boundary]
           : metric == DSE_METRIC_LATENCY && system ? DSE_METRIC_LATENCY_SYSTEM
                                                    : metric;
}

static void take(const struct dse_published_figure *figure, enum dse_boundary boundary, double clock_hz, struct dse_baseline *out)
{
    bool cycles = strcmp(figure->metric, dse_metrics[DSE_METRIC_CYCLES].key) == 0;
    double value = cycles ? figure->value / clock_hz : figure->value;
    int found = dse_metric_find(cycles ? dse_metrics[DSE_METRIC_LATENCY].key : figure->metric);
    enum dse_metric m = found >= 0 ? at_boundary((enum dse_metric)found, cycles ? DSE_BOUNDARY_KERNEL : boundary) : DSE_METRIC_COUNT;
    if (m == DSE_METRIC_COUNT || !isnan(out->published[m]))
        return;
    out->published[m] = value;
    snprintf(out->source[m], sizeof out->source[m], "%s", figure->source);
}

static void describe(const struct dse_published_file *file, const struct dse_board *board, struct dse_baseline *out)
{
    int64_t widest = 0;
    for (size_t i = 0; i < board->port_count; i++)
        widest = board->ports[i].width_bits > widest ? board->ports[i].width_bits : widest;
    if (file->port_bits > widest)
        snprintf(out->modelled, sizeof out->modelled, "on one %lld-bit port", (long long)widest);
}

void dse_baseline_find(const struct dse_model_family *family, const struct dse_space *space, const struct dse_board *board,
                       const struct dse_profile *profile, const struct dse_config *config, struct dse_baseline *out)
{
    struct dse_published_file file = {0};
    struct dse_error missing;
    *out = (struct dse_baseline){0};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        out->published[m] = NAN;
    if (dse_published_open(family->name, &file, &missing) == DSE_OK) {
        for (const struct dse_published_case *c = file.cases; c < file.cases + file.case_count; c++)
            for (const struct dse_published_figure *f = c->figures; f < c->figures + c->figure_count; f++)
                if (!isnan(f->value) && f->as == DSE_PUBLISHED_VALUE && *f->machine == '\0' && *f->than == '\0' && *c->engine == '\0' && strcmp(c->board, board->name) == 0 &&
                    is_design(family, space, board, profile, c, f, config) && (file.any_data || is_data(c, profile)))
                    take(f, file.boundary, (double)config->value[family->clock_knob] * 1e6, out);
        describe(&file, board, out);
    }
    dse_published_close(&file);
}

double dse_baseline_value(const struct dse_baseline *baseline, const struct dse_estimate *modelled, enum dse_metric metric)
{
    double kernel_s = baseline->published[DSE_METRIC_LATENCY];
    if (metric == DSE_METRIC_LATENCY_SYSTEM && isnan(baseline->published[metric]) && !isnan(kernel_s) && modelled != NULL)
        return modelled->metrics[metric] + modelled->platform.batch * (kernel_s - modelled->metrics[DSE_METRIC_LATENCY]);
    return !isnan(baseline->published[metric]) ? baseline->published[metric] : modelled != NULL ? modelled->metrics[metric] : NAN;
}
