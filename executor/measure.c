#include "executor/measure.h"

#include <math.h>

void dse_measured_summarise(const struct dse_executor *executor, const struct dse_training *runs, size_t count,
                            struct dse_measured *out)
{
    double squares = 0.0;
    *out = (struct dse_measured){.name = executor->quality_name, .higher_is_better = executor->higher_is_better,
                                 .n = count, .figure_count = runs[0].figure_count};
    if (runs[0].quality_name != NULL) { /* the metric that they were judged by */
        out->name = runs[0].quality_name;
        out->higher_is_better = runs[0].higher_is_better;
    }
    for (size_t i = 0; i < count; i++) {
        out->mean += runs[i].quality / (double)count;
        out->seconds += runs[i].seconds;
        for (size_t f = 0; f < out->figure_count; f++) {
            out->figures[f].name = runs[i].figures[f].name;
            out->figures[f].value += runs[i].figures[f].value / (double)count;
        }
    }
    for (size_t i = 0; i < count; i++)
        squares += (runs[i].quality - out->mean) * (runs[i].quality - out->mean);
    for (size_t f = 0; f < out->figure_count && count > 1; f++) {
        double apart = 0.0;
        for (size_t i = 0; i < count; i++)
            apart += (runs[i].figures[f].value - out->figures[f].value) * (runs[i].figures[f].value - out->figures[f].value);
        out->figure_std[f] = sqrt(apart / (double)(count - 1));
    }
    out->std = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0;
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
