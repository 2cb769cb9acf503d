/* Models against the executor's simulation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "validation/validation.h"

#define TRIES 300           /* draws for one configuration of a bottleneck that is still wanted */
#define CONFIGS_A_MODEL 8   /* configurations that share one training */
#define STREAM_TRAINED 0x7661
#define STREAM_DRAWN 0x7662

struct drawing {
    const struct dse_validation_ground *g;
    dse_knob_set trained, simulated;
    struct dse_setting preset;
    struct dse_workload workload;
    struct dse_setup setup;
    struct dse_rng rng;
    size_t found[DSE_ENGINE_MAX]; /* configurations with each engine as the bottleneck */
    struct dse_validation *out;
};

/* The knobs named in `text`, a blank between two. */
static enum dse_status knobs_of(const struct dse_space *space, const char *text, dse_knob_set *set, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    char *copy = strdup(text), *rest = NULL;
    if (copy == NULL)
        return dse_fail_memory(err);
    *set = 0;
    for (char *word = strtok_r(copy, " ", &rest); word != NULL && status == DSE_OK; word = strtok_r(NULL, " ", &rest)) {
        int knob = -1;
        status = dse_space_need(space, word, &knob, err);
        if (status == DSE_OK)
            *set |= DSE_KNOB_BIT(knob);
    }
    free(copy);
    return status;
}

/* A model of random trained knobs at the preset; `config` has them. */
static enum dse_status train(struct drawing *d, size_t index, struct dse_config *config, struct dse_model **model,
                             struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_rng rng;
    struct dse_setting setting = {0}, drawn = {0};
    struct dse_training training;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    dse_rng_seed(&rng, g->seed, ((uint64_t)STREAM_TRAINED << 32) + index);
    dse_space_default(g->space, config);
    enum dse_status status = dse_config_apply(g->space, config, &d->preset, err);
    if (status == DSE_OK)
        dse_space_draw(g->space, d->trained, &rng, config);
    if (status == DSE_OK)
        status = dse_setting_copy(&d->preset, &setting, err);
    if (status == DSE_OK)
        status = dse_config_setting(g->space, config, d->trained, &drawn, err);
    for (size_t i = 0; status == DSE_OK && i < drawn.count; i++)
        status = dse_setting_put(&setting, drawn.pairs[i].name, drawn.pairs[i].value, err);
    if (status == DSE_OK)
        status = g->executor->train(g->data, &setting, &run, model, &training, err);
    dse_setting_free(&setting);
    dse_setting_free(&drawn);
    return status;
}

/* A configuration that can be built, and whose bottleneck has the fewest so far where that is found. */
static enum dse_status draw(struct drawing *d, const struct dse_config *trained, struct dse_estimate *best,
                            struct dse_error *err)
{
    struct dse_estimate *next = malloc(sizeof *next);
    bool any = false;
    enum dse_status status = next == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < TRIES; i++) {
        struct dse_config config = *trained;
        dse_space_draw(d->g->space, d->simulated, &d->rng, &config);
        status = dse_estimate_make(&d->setup, &config, next, err);
        if (status == DSE_ANSWER_NO) {
            status = DSE_OK;
            continue;
        }
        if (status == DSE_OK && (!any || d->found[next->bottleneck] < d->found[best->bottleneck])) {
            *best = *next;
            any = true;
        }
    }
    free(next);
    if (status == DSE_OK && !any)
        return dse_fail(err, DSE_ANSWER_NO, "no drawn configuration can be built on %s", d->g->board->name);
    if (status == DSE_OK)
        d->found[best->bottleneck]++;
    return status;
}

static double mean_of(const uint64_t *values, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (double)values[i];
    return count > 0 ? sum / (double)count : 0.0;
}

static bool block_of(const struct dse_model_family *family, const char *name, size_t engine)
{
    for (size_t b = 0; b < family->block_count; b++)
        if (family->blocks[b].engine == engine && strcmp(family->blocks[b].name, name) == 0)
            return true;
    return false;
}

/* The simulated cycles of a model's engine: parts in one stage overlap, stages add up. */
static double simulated_engine(const struct dse_model_family *family, const struct dse_simulation *s, size_t engine)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->engine_count; i++) {
        if (!block_of(family, s->engines[i].name, engine))
            continue;
        double cycles = mean_of(s->engines[i].cycles, s->graphs);
        bool counted = false;
        for (size_t j = 0; j < s->engine_count; j++) {
            if (j == i || strcmp(s->engines[i].stage, s->engines[j].stage) != 0 ||
                !block_of(family, s->engines[j].name, engine))
                continue;
            double other = mean_of(s->engines[j].cycles, s->graphs);
            counted = counted || other > cycles || (other == cycles && j < i);
        }
        sum += counted ? 0.0 : cycles;
    }
    return sum;
}

static enum dse_status add_rows(struct drawing *d, size_t index, const struct dse_estimate *e,
                                const struct dse_simulation *s, struct dse_error *err)
{
    char where[128], what[64];
    snprintf(where, sizeof where, "%s %zu", d->g->data->name, index);
    struct dse_validation_row row = {.what = "cycles", .where = where, .source = "simulation",
                                     .group = d->g->family->engines[e->bottleneck].name, .floor = NAN,
                                     .predicted = e->metrics[DSE_METRIC_CYCLES], .reference = mean_of(s->total, s->graphs)};
    enum dse_status status = dse_validation_add(d->out, &row, err);
    for (size_t i = 0; i < d->g->family->engine_count && status == DSE_OK; i++) {
        row.predicted = e->engines[i].latency_s * s->clock_hz;
        row.reference = simulated_engine(d->g->family, s, i);
        if (row.reference == 0.0)
            continue;
        snprintf(what, sizeof what, "%s.cycles", d->g->family->engines[i].name);
        row.what = what;
        status = dse_validation_add(d->out, &row, err);
    }
    return status;
}

static enum dse_status one(struct drawing *d, size_t index, const struct dse_config *trained,
                           const struct dse_model *model, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    struct dse_setting knobs = {0};
    struct dse_simulation simulation = {0};
    struct dse_estimate *estimate = malloc(sizeof *estimate);
    if (estimate == NULL)
        return dse_fail_memory(err);
    enum dse_status status = draw(d, trained, estimate, err);
    if (status == DSE_OK)
        status = dse_config_setting(g->space, &estimate->config, d->simulated, &knobs, err);
    if (status == DSE_OK)
        status = g->executor->simulate(model, g->data, &knobs, g->board, &run, &simulation, err);
    if (status == DSE_OK && simulation.equal != simulation.graphs)
        status = dse_fail(err, DSE_ANSWER_NO, "%s: %zu of %zu simulated hypervectors differ from infer's", g->data->name,
                          simulation.graphs - simulation.equal, simulation.graphs);
    if (status == DSE_OK)
        status = add_rows(d, index, estimate, &simulation, err);
    dse_simulation_free(&simulation);
    dse_setting_free(&knobs);
    free(estimate);
    return status;
}

static enum dse_status all(struct drawing *d, size_t count, struct dse_error *err)
{
    struct dse_model *model = NULL;
    struct dse_config trained;
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        if (dse_monitor_cancelled(d->g->monitor))
            status = dse_fail(err, DSE_LIMIT, "interrupted");
        if (status == DSE_OK && i % CONFIGS_A_MODEL == 0) {
            if (model != NULL)
                d->g->executor->free_model(model);
            model = NULL;
            status = train(d, i / CONFIGS_A_MODEL, &trained, &model, err);
        }
        if (status == DSE_OK)
            status = one(d, i, &trained, model, err);
    }
    if (model != NULL)
        d->g->executor->free_model(model);
    return status;
}

enum dse_status dse_validate_simulation(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                        struct dse_error *err)
{
    struct drawing d = {.g = g, .out = out};
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    dse_rng_seed(&d.rng, g->seed, STREAM_DRAWN);
    enum dse_status status = g->executor->preset("paper", g->data, &d.preset, err);
    if (status == DSE_OK)
        status = knobs_of(g->space, g->figures->simulated, &d.simulated, err);
    if (status == DSE_OK)
        status = knobs_of(g->space, g->figures->trained, &d.trained, err);
    if (status == DSE_OK)
        status = g->executor->profile(g->data, &d.preset, &run, &d.workload, err);
    d.setup = (struct dse_setup){.family = g->family, .space = g->space, .board = g->board, .costs = g->costs,
                                 .workload = &d.workload, .headroom = -1.0};
    if (status == DSE_OK)
        status = all(&d, count, err);
    dse_workload_clear(&d.workload);
    dse_setting_free(&d.preset);
    return status;
}
