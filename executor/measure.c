#include "executor/measure.h"

#include <math.h>
#include <stddef.h>

/* Mean and sample deviation of a number of each run. */
static void mean_of(const struct dse_training *runs, size_t count, size_t offset, double *mean, double *std)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += *(const double *)((const char *)&runs[i] + offset) / (double)count;
    for (size_t i = 0; i < count; i++) {
        double off = *(const double *)((const char *)&runs[i] + offset) - sum;
        squares += off * off;
    }
    *mean = sum;
    *std = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0;
}

void dse_measured_summarise(const struct dse_executor *executor, const struct dse_training *runs, size_t count,
                            struct dse_measured *out)
{
    *out = (struct dse_measured){.name = executor->quality_name, .higher_is_better = executor->higher_is_better,
                                 .n = count, .figure_count = runs[0].figure_count};
    if (runs[0].quality_name != NULL) { /* the metric that they were judged by */
        out->name = runs[0].quality_name;
        out->higher_is_better = runs[0].higher_is_better;
    }
    for (size_t i = 0; i < count; i++)
        out->seconds += runs[i].seconds;
    mean_of(runs, count, offsetof(struct dse_training, quality), &out->mean, &out->std);
    mean_of(runs, count, offsetof(struct dse_training, constant), &out->constant, &out->constant_std);
    for (size_t f = 0; f < out->figure_count; f++) {
        out->figures[f].name = runs[0].figures[f].name;
        mean_of(runs, count, offsetof(struct dse_training, figures) + f * sizeof runs->figures[0] + offsetof(struct dse_figure, value), &out->figures[f].value,
                &out->figure_std[f]);
    }
}

enum dse_status dse_executor_setting(const struct dse_executor *executor, const char *preset,
                                     const struct dse_dataset *data, const struct dse_setting *changes, bool lenient,
                                     struct dse_setting *out, struct dse_error *err)
{
    struct dse_setting made DSE_CLEANUP(dse_setting_free) = {0};
    DSE_TRY(dse_executor_preset(executor, preset, data, 0, &made, err));
    for (size_t i = 0; changes != NULL && i < changes->count; i++) {
        const struct dse_setting_pair *pair = &changes->pairs[i];
        if (!lenient || dse_knobs_trained(executor->knobs, pair->name) != NULL)
            DSE_TRY(dse_knobs_put(executor->knobs, pair->name, pair->value, &made, err));
    }
    DSE_TRY(dse_knobs_trained_values(executor->knobs, &made, NULL, err));
    *out = made;
    made = (struct dse_setting){0};
    return DSE_OK;
}
