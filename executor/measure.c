#include "executor/measure.h"

#include <math.h>
#include <stdlib.h>

#include "core/parallel.h"

struct measuring {
    const struct dse_executor *executor;
    const struct dse_dataset *data;
    const struct dse_setting *setting;
    const struct dse_run *run;
    struct dse_monitor quiet; /* hears of an interruption, says nothing: seeds are counted by the caller's */
    struct dse_training *runs;
    size_t inner_jobs;
};

static bool heard(void *user)
{
    return dse_monitor_cancelled(user);
}

static enum dse_status measure_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    const struct measuring *m = user;
    struct dse_run run = *m->run;
    struct dse_model *model = NULL;
    run.seed += index;
    run.jobs = m->inner_jobs;
    run.monitor = &m->quiet;
    enum dse_status status = dse_train(m->executor, m->data, m->setting, &run, &model, &m->runs[index], err);
    dse_model_free(model);
    return status;
}

void dse_measured_summarise(const struct dse_executor *executor, const struct dse_training *runs, size_t count,
                            struct dse_measured *out)
{
    double squares = 0.0;
    *out = (struct dse_measured){.name = executor->quality_name, .higher_is_better = executor->higher_is_better,
                                 .n = count, .figure_count = runs[0].figure_count};
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
    out->std = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0;
}

enum dse_status dse_executor_setting(const struct dse_executor *executor, const char *preset,
                                     const struct dse_dataset *data, const struct dse_setting *changes, bool lenient,
                                     struct dse_setting *out, struct dse_error *err)
{
    enum dse_status status = executor->preset(preset, data, 0, out, err);
    if (status != DSE_OK)
        return status;
    for (size_t i = 0; status == DSE_OK && changes != NULL && i < changes->count; i++) {
        const struct dse_setting_pair *pair = &changes->pairs[i];
        if (!lenient || dse_knobs_trained(executor->knobs, pair->name) != NULL)
            status = dse_knobs_put(executor->knobs, pair->name, pair->value, out, err);
    }
    if (status == DSE_OK)
        status = dse_knobs_trained_values(executor->knobs, out, NULL, err);
    if (status != DSE_OK)
        dse_setting_free(out);
    return status;
}

enum dse_status dse_executor_measure(const struct dse_executor *executor, const struct dse_dataset *data,
                                     const struct dse_setting *setting, const struct dse_run *run, size_t seeds,
                                     struct dse_measured *out, struct dse_error *err)
{
    if (seeds == 0)
        return dse_fail(err, DSE_BAD_USAGE, "a quality needs one seed at least");
    enum dse_status status = dse_knobs_trained_values(executor->knobs, setting, NULL, err);
    if (status != DSE_OK)
        return status;
    struct measuring m = {.executor = executor, .data = data, .setting = setting, .run = run,
                          .quiet = {.cancelled = heard, .user = (void *)(uintptr_t)run->monitor},
                          .runs = calloc(seeds, sizeof *m.runs),
                          .inner_jobs = seeds == 1 ? run->jobs : 1};
    if (m.runs == NULL)
        return dse_fail_memory(err);
    status = dse_parallel_for(seeds, run->jobs, measure_one, &m, run->monitor, err);
    if (status == DSE_OK)
        dse_measured_summarise(executor, m.runs, seeds, out);
    free(m.runs);
    return status;
}
