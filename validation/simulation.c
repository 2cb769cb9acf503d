/* Models against the executor's simulation. */
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "validation/draw.h"

#define CONFIGS_A_MODEL 8 /* configurations that share one training run */
#define TRAINED_DRAWS 16  /* maximum for a model on which the wanted engine can be the bottleneck */
#define MISSES_MOST 6     /* unsuccessful draws after which an engine is no longer required */
#define WORKLOADS 8       /* algorithmic settings, the preset first; profiled once each */
#define WORKLOADS_MOST 32 /* more where a wanted engine is not found */
#define AIMED_TRIES 4     /* tries to find another design for the engine that a model was chosen for */
#define LANDMARK_DRAWS 50
#define STREAM_TRAINED 0x7661
#define STREAM_DRAWN 0x7662

struct drawing {
    const struct dse_validation_ground *g;
    struct dse_drawn_knobs knobs;
    struct dse_setting setting[WORKLOADS_MOST]; /* in full */
    struct dse_workload workload[WORKLOADS_MOST];
    size_t workloads;
    size_t at;                    /* workload of the current model */
    struct dse_drawing draw;
    struct dse_rng rng;           /* draws of algorithmic and trained knobs */
    size_t found[DSE_ENGINE_MAX]; /* configurations with each engine as the bottleneck */
    bool out_of_reach[DSE_ENGINE_MAX]; /* with this model */
    bool never[DSE_ENGINE_MAX];        /* given up */
    size_t missed[DSE_ENGINE_MAX];     /* models in a row for which it was not found */
    size_t aimed;                      /* the engine that this model was drawn for; the family's engine count: none */
    struct dse_validation *out;
};

/* Workload `i`: the published one with the algorithmic knobs drawn. A draw that the data cannot serve (more landmarks than graphs) is repeated. */
static enum dse_status make_workload(struct drawing *d, size_t i, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    struct dse_error why = {0};
    for (size_t k = 0; k < LANDMARK_DRAWS; k++) {
        struct dse_config config;
        dse_setting_free(&d->setting[i]);
        dse_space_default(g->space, &config);
        dse_draw_algorithm(g->space, d->knobs.algorithmic, &d->rng, &config);
        dse_draw_setting(g->space, &d->setting[0], &config, d->knobs.algorithmic, &d->setting[i]);
        if (dse_executor_serves(g->executor, g->data, &d->setting[i], dse_run_trained(g->data, &run), &why))
            return g->executor->profile(g->data, &d->setting[i], &run, &d->workload[i], err);
    }
    return dse_fail(err, DSE_BAD_USAGE, "%s", why.message);
}

static enum dse_status make_workloads(struct drawing *d, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    DSE_TRY(dse_executor_preset(g->executor, NULL, g->data, 0, &d->setting[0], err));
    DSE_TRY(g->executor->profile(g->data, &d->setting[0], &run, &d->workload[0], err));
    for (d->workloads = 1; d->workloads < WORKLOADS; d->workloads++)
        DSE_TRY(make_workload(d, d->workloads, err));
    return DSE_OK;
}

/* The model for `config`'s trained knobs. */
static enum dse_status train(struct drawing *d, const struct dse_config *config, struct dse_model **model,
                             struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_training training;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    dse_draw_setting(g->space, &d->setting[d->at], config, d->knobs.trained, &setting);
    return dse_train(g->executor, g->data, &setting, &run, model, &training, err);
}

/* The engine with the fewest configurations so far, among those not out of reach; the family's engine count if there is none. */
static size_t wanted(const struct drawing *d, const bool *out_of_reach)
{
    size_t count = d->g->family->engine_count, best = count;
    for (size_t e = 0; e < count; e++)
        if (!out_of_reach[e] && (best == count || d->found[e] < d->found[best]))
            best = e;
    return best;
}

/* On workload `at`, the trained knobs climbed with the others. */
static enum dse_status climb_trained(struct drawing *d, size_t at, size_t engine, struct dse_estimate *estimate,
                                     struct dse_config *config, bool *found, struct dse_error *err)
{
    struct dse_config base;
    d->draw.setup.workload = &d->workload[at];
    d->draw.knobs = dse_bits_or(d->knobs.simulated, d->knobs.trained);
    dse_space_default(d->g->space, &base);
    DSE_TRY(dse_config_apply(d->g->space, &base, &d->setting[at], err));
    DSE_TRY(dse_draw_bottleneck(&d->draw, &base, engine, estimate, found, err));
    for (size_t k = 0; *found && k < d->g->space->count; k++)
        if (dse_bits_has(d->knobs.trained, k))
            base.value[k] = estimate->config.value[k];
    if (*found) {
        *config = base;
        d->at = at;
    }
    d->draw.setup.workload = &d->workload[d->at]; /* that of `config` */
    d->draw.knobs = d->knobs.simulated;
    return DSE_OK;
}

/* Whether a workload with the algorithmic knobs of `config` is there already. */
static bool has_workload(const struct drawing *d, const struct dse_config *config, struct dse_error *err)
{
    for (size_t i = 0; i < d->workloads; i++) {
        struct dse_config other;
        bool same = true;
        dse_space_default(d->g->space, &other);
        if (dse_config_apply(d->g->space, &other, &d->setting[i], err) != DSE_OK)
            return true; /* the data cannot serve it */
        for (size_t k = 0; k < d->g->space->count; k++)
            same = same && (!dse_bits_has(d->knobs.algorithmic, k) || other.value[k] == config->value[k]);
        if (same)
            return true;
    }
    return false;
}

/* Adds the workload of `config`, unless it is there or the data cannot serve it. */
static enum dse_status add_workload(struct drawing *d, size_t from, const struct dse_config *config, bool *added, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    struct dse_error why = {0};
    *added = false;
    if (has_workload(d, config, &why))
        return DSE_OK;
    struct dse_setting *setting = &d->setting[d->workloads];
    dse_setting_free(setting);
    dse_draw_setting(g->space, &d->setting[from], config, d->knobs.algorithmic, setting);
    if (!dse_executor_serves(g->executor, g->data, setting, dse_run_trained(g->data, &run), &why))
        return DSE_OK;
    *added = true;
    return g->executor->profile(g->data, setting, &run, &d->workload[d->workloads++], err);
}

/* Adds a new neighbour of workload `from`: an algorithmic knob at the first or last value that a sweep visits, or a step on. Adds none if all
 * neighbours are there. */
static enum dse_status add_neighbour(struct drawing *d, size_t from, bool *added, struct dse_error *err)
{
    const struct dse_space *space = d->g->space;
    struct dse_config base;
    dse_space_default(space, &base);
    DSE_TRY(dse_config_apply(space, &base, &d->setting[from], err));
    *added = false;
    for (size_t step = 0; step < 4; step++)
        for (size_t k = 0; k < space->count && !*added; k++) {
            const struct dse_knob *knob = &space->knobs[k];
            struct dse_config config = base;
            size_t last = knob->domain_count - 1, at = 0;
            if (!dse_bits_has(d->knobs.algorithmic, k))
                continue;
            while (at < last && knob->domain[at] != base.value[k])
                at++;
            const size_t to[] = {0, last, at > 0 ? at - 1 : 0, at < last ? at + 1 : last};
            config.value[k] = knob->domain[to[step]];
            DSE_TRY(add_workload(d, from, &config, added, err));
        }
    return DSE_OK;
}

/* For an engine that random workloads do not serve: tries all existing workloads, then neighbours of the one that came nearest. */
static enum dse_status climb_workloads(struct drawing *d, size_t engine, struct dse_estimate *estimate,
                                       struct dse_config *config, bool *found, struct dse_error *err)
{
    double best = -1.0;
    size_t nearest = 0, first = dse_rng_below(&d->rng, d->workloads), old = d->workloads;
    for (size_t i = 0; i < WORKLOADS_MOST && !*found; i++) {
        size_t at = i < old ? (first + i) % old : i;
        bool added = true;
        if (at >= old)
            DSE_TRY(add_neighbour(d, nearest, &added, err));
        if (!added)
            break;
        DSE_TRY(climb_trained(d, at, engine, estimate, config, found, err));
        if (d->draw.nearest > best) {
            best = d->draw.nearest;
            nearest = at;
        }
    }
    return DSE_OK;
}

/* A workload and trained knobs, drawn until the engine can be the bottleneck with them, or at least a few times; then climbed. Other knobs are at the
 * space's defaults. */
static enum dse_status draw_for(struct drawing *d, size_t engine, struct dse_config *config, bool *found, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *estimate);
    bool any = engine == g->family->engine_count;
    *found = false;
    for (size_t i = 0; i < (any ? 1 : TRAINED_DRAWS) && !*found; i++) {
        d->at = dse_rng_below(&d->rng, d->workloads);
        d->draw.setup.workload = &d->workload[d->at];
        dse_space_default(g->space, config);
        DSE_TRY(dse_config_apply(g->space, config, &d->setting[d->at], err));
        dse_draw_algorithm(g->space, d->knobs.trained, &d->rng, config);
        if (!any)
            DSE_TRY(dse_draw_bottleneck(&d->draw, config, engine, estimate, found, err));
    }
    return *found || any ? DSE_OK : climb_workloads(d, engine, estimate, config, found, err);
}

/* Finds a configuration for the engine with the fewest configurations, or for the next engine that has one. Otherwise models would be wasted on which
 * only engines with many configurations can be the bottleneck. */
static enum dse_status draw_trained(struct drawing *d, struct dse_config *config, struct dse_error *err)
{
    size_t count = d->g->family->engine_count, engine;
    bool found = false, tried[DSE_ENGINE_MAX];
    memcpy(tried, d->never, sizeof tried);
    do {
        engine = wanted(d, tried);
        DSE_TRY(draw_for(d, engine, config, &found, err));
        if (engine == count)
            break;
        tried[engine] = true;
        d->missed[engine] = found ? 0 : d->missed[engine] + 1;
        d->never[engine] = d->missed[engine] == MISSES_MOST;
    } while (!found);
    d->aimed = engine;
    memset(d->out_of_reach, 0, sizeof d->out_of_reach);
    return DSE_OK;
}

/* A configuration of this model for the engine with the fewest, or for the next for which one is found. */
static enum dse_status draw(struct drawing *d, const struct dse_config *trained, struct dse_estimate *out,
                            struct dse_error *err)
{
    bool found = false;
    while (!found) {
        size_t engine = wanted(d, d->out_of_reach);
        if (engine == d->g->family->engine_count)
            return dse_fail(err, DSE_ANSWER_NO, "no drawn design can be built on %s", d->g->board->name);
        for (size_t i = 0; i < (engine == d->aimed ? AIMED_TRIES : 1) && !found; i++)
            DSE_TRY(dse_draw_bottleneck(&d->draw, trained, engine, out, &found, err));
        d->out_of_reach[engine] = !found;
        d->found[engine] += found;
    }
    return DSE_OK;
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
        double cycles = mean_of(s->engines[i].cycles, s->items);
        bool counted = false;
        for (size_t j = 0; j < s->engine_count; j++) {
            if (j == i || strcmp(s->engines[i].stage, s->engines[j].stage) != 0 ||
                !block_of(family, s->engines[j].name, engine))
                continue;
            double other = mean_of(s->engines[j].cycles, s->items);
            counted = counted || other > cycles || (other == cycles && j < i);
        }
        sum += counted ? 0.0 : cycles;
    }
    return sum;
}

static void add_rows(struct drawing *d, size_t index, const struct dse_estimate *e,
                     const struct dse_simulation *s)
{
    const struct dse_model_family *family = d->g->family;
    struct dse_drawn_row drawn;
    dse_draw_row(d->g, family, e, dse_bits_or(dse_bits_or(d->knobs.algorithmic, d->knobs.trained), d->knobs.simulated), index, "simulation", &drawn);
    drawn.row.board = NULL; /* the same board for all rows */
    dse_drawn_add(d->out, &drawn, NULL, e->metrics[DSE_METRIC_CYCLES], mean_of(s->total, s->items));
    for (size_t i = 0; i < family->engine_count; i++)
        dse_drawn_add(d->out, &drawn, family->engines[i].name, e->engines[i].latency_s * s->clock_hz, simulated_engine(family, s, i));
}

static enum dse_status one(struct drawing *d, size_t index, const struct dse_config *trained,
                           const struct dse_model *model, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor, .costs = g->costs};
    struct dse_simulation simulation DSE_CLEANUP(dse_simulation_free) = {0};
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *estimate);
    DSE_TRY(draw(d, trained, estimate, err));
    DSE_TRY(dse_simulate_config(model, g->data, &estimate->config, g->board, &run, &simulation, err));
    if (simulation.equal != simulation.items)
        return dse_fail(err, DSE_ANSWER_NO, "%s: %zu of %zu simulated hypervectors differ from infer's", g->data->name,
                        simulation.items - simulation.equal, simulation.items);
    add_rows(d, index, estimate, &simulation);
    return DSE_OK;
}

static enum dse_status all(struct drawing *d, size_t count, struct dse_error *err)
{
    struct dse_model *model DSE_CLEANUP(dse_model_free_at) = NULL;
    struct dse_config trained;
    for (size_t i = 0; i < count; i++) {
        if (dse_monitor_cancelled(d->g->monitor))
            DSE_TRY(dse_fail_cancelled(err));
        if (i % CONFIGS_A_MODEL == 0) {
            if (model != NULL)
                dse_model_free(model);
            model = NULL;
            DSE_TRY(draw_trained(d, &trained, err));
            DSE_TRY(train(d, &trained, &model, err));
        }
        DSE_TRY(one(d, i, &trained, model, err));
    }
    return DSE_OK;
}

static void close_drawing(struct drawing *d)
{
    for (size_t i = 0; i < WORKLOADS_MOST; i++) {
        dse_workload_clear(&d->workload[i]);
        dse_setting_free(&d->setting[i]);
    }
}

enum dse_status dse_validate_simulation(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                        struct dse_error *err)
{
    struct drawing d DSE_CLEANUP(close_drawing) = {.g = g, .out = out};
    dse_rng_seed(&d.rng, g->seed, STREAM_TRAINED);
    dse_rng_seed(&d.draw.rng, g->seed, STREAM_DRAWN);
    DSE_TRY(dse_draw_read(g->space, g->executor->knobs, g->figures, &d.knobs, err));
    DSE_TRY(make_workloads(&d, err));
    d.draw.knobs = d.knobs.simulated;
    d.draw.setup = (struct dse_setup){.family = g->family, .space = g->space, .board = g->board, .costs = g->costs,
                                      .headroom = -1.0};
    return all(&d, count, err);
}
