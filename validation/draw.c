#include "validation/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define CLIMBS 6
#define STEPS 160
#define CYCLES_MAX 3e7 /* maximum of a design: the simulation steps every cycle */

/* A power of two from a quarter of the least value that a sweep visits to four times the largest: values that a user may set by hand. */
static int64_t draw_beyond(const struct dse_knob *knob, struct dse_rng *rng)
{
    int64_t least = knob->domain[0], most = knob->domain[0];
    for (size_t i = 1; i < knob->domain_count; i++) {
        least = knob->domain[i] < least ? knob->domain[i] : least;
        most = knob->domain[i] > most ? knob->domain[i] : most;
    }
    least = least / 4 > knob->minimum ? least / 4 : knob->minimum;
    most = most <= knob->maximum / 4 ? 4 * most : knob->maximum;
    int first = 0, count = 0;
    while (((int64_t)1 << first) < least)
        first++;
    while (((int64_t)1 << (first + count)) <= most)
        count++;
    return count > 0 ? (int64_t)1 << (first + (int)dse_rng_below(rng, (uint64_t)count)) : least;
}

/* A value that the sweep visits; or, with probability 1/2, another: any word, or a number beyond the sweep's. */
static int64_t draw_value(const struct dse_knob *knob, struct dse_rng *rng)
{
    if (dse_rng_below(rng, 2) == 0 || knob->type == DSE_KNOB_DECIMAL)
        return knob->domain[dse_rng_below(rng, knob->domain_count)];
    if (knob->type == DSE_KNOB_CHOICE)
        return (int64_t)dse_rng_below(rng, knob->choice_count);
    return draw_beyond(knob, rng);
}

void dse_draw_algorithm(const struct dse_space *space, dse_knob_set set, struct dse_rng *rng, struct dse_config *config)
{
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        if (dse_bits_has(set, k))
            config->value[k] = knob->domain_count > 1 ? knob->domain[dse_rng_below(rng, knob->domain_count)] : draw_value(knob, rng);
    }
    dse_config_canonical(space, config);
}

static void draw_all(struct dse_drawing *d, struct dse_config *config)
{
    for (size_t k = 0; k < d->setup.space->count; k++)
        if (dse_bits_has(d->knobs, k))
            config->value[k] = draw_value(&d->setup.space->knobs[k], &d->rng);
}

/* Redraws a few knobs. */
static void draw_some(struct dse_drawing *d, struct dse_config *config)
{
    size_t count = d->setup.space->count, changes = 1 + dse_rng_below(&d->rng, 3);
    while (changes > 0) {
        size_t k = dse_rng_below(&d->rng, count);
        if (!dse_bits_has(d->knobs, k))
            continue;
        config->value[k] = draw_value(&d->setup.space->knobs[k], &d->rng);
        changes--;
    }
}

/* Nearness of the engine to being the bottleneck: the longest time of any stage by this engine alone, over the longest stage. */
static double nearness(const struct dse_setup *setup, const struct dse_estimate *e, size_t engine)
{
    int64_t own = 0, longest = 1;
    for (size_t s = 0; s < setup->family->stage_count; s++) {
        int64_t mine = dse_stage_fs(&e->platform, &e->engines[engine].sums, DSE_CASE_MEAN, s);
        int64_t stage = dse_stage_fs(&e->platform, &e->sums, DSE_CASE_MEAN, s);
        own = mine > own ? mine : own;
        longest = stage > longest ? stage : longest;
    }
    return (double)own / (double)longest;
}

/* Evaluates; `good` if it can be built and simulated. */
static enum dse_status evaluate(const struct dse_drawing *d, const struct dse_config *config, struct dse_estimate *out,
                                bool *good, struct dse_error *err)
{
    DSE_TRY(dse_estimate_make(&d->setup, config, out, err));
    *good = !out->rejection.rejected && out->metrics[DSE_METRIC_CYCLES] <= (d->most_cycles > 0.0 ? d->most_cycles : CYCLES_MAX) &&
            (d->most_lut == 0.0 || (double)out->sums.resources[DSE_LUT] <= d->most_lut);
    return DSE_OK;
}

static enum dse_status climb(struct dse_drawing *d, const struct dse_config *base, size_t engine,
                             struct dse_estimate *out, struct dse_estimate *next, bool *found, struct dse_error *err)
{
    struct dse_config at = *base;
    double best = -1.0;
    bool good = false;
    draw_all(d, &at);
    for (size_t i = 0; i < STEPS && !*found; i++) {
        struct dse_config config = at;
        if (i > 0 && d->anew && best < 0.0)
            draw_all(d, &config); /* most drawn designs cannot be built, and redrawing a few knobs would not change that */
        else if (i > 0)
            draw_some(d, &config);
        DSE_TRY(evaluate(d, &config, next, &good, err));
        if (!good)
            continue;
        double near = nearness(&d->setup, next, engine);
        if (near < best)
            continue;
        best = near;
        d->nearest = near > d->nearest ? near : d->nearest;
        at = config;
        *out = *next;
        *found = next->bottleneck == engine;
    }
    return DSE_OK;
}

enum dse_status dse_draw_bottleneck(struct dse_drawing *d, const struct dse_config *base, size_t engine,
                                    struct dse_estimate *out, bool *found, struct dse_error *err)
{
    struct dse_estimate *next DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *next);
    *found = false;
    d->nearest = 0.0;
    for (size_t i = 0; i < CLIMBS && !*found && !(d->anew && i > 0 && d->nearest == 0.0); i++)
        DSE_TRY(climb(d, base, engine, out, next, found, err));
    return DSE_OK;
}

void dse_draw_describe(const struct dse_space *space, const struct dse_config *config, dse_knob_set set, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < space->count; k++) {
        char value[64];
        if (!dse_bits_has(set, k) || !dse_knob_active(space, config, k))
            continue;
        int added = snprintf(text + used, size - used, "%s%s=%s", used > 0 ? " " : "", space->knobs[k].name,
                             dse_knob_format(&space->knobs[k], config->value[k], value, sizeof value));
        if (added < 0 || (size_t)added >= size - used)
            return;
        used += (size_t)added;
    }
}

void dse_draw_row(const struct dse_validation_ground *ground, const struct dse_model_family *family, const struct dse_estimate *estimate,
                  dse_knob_set drawn, size_t index, const char *source, struct dse_drawn_row *out)
{
    dse_draw_describe(ground->space, &estimate->config, drawn, out->config, sizeof out->config);
    snprintf(out->where, sizeof out->where, "%s %zu", ground->data->name, index);
    out->row = dse_validation_row_empty;
    out->row.where = out->where;
    out->row.config = out->config;
    out->row.source = source;
    out->row.profile = ground->data->name;
    out->row.board = ground->board->name;
    out->row.group = family->engines[estimate->bottleneck].name;
}

void dse_drawn_add(struct dse_validation *validation, struct dse_drawn_row *drawn, const char *name, double predicted, double reference)
{
    snprintf(drawn->what, sizeof drawn->what, "%s.cycles", name != NULL ? name : "");
    drawn->row.what = name != NULL ? drawn->what : "cycles";
    drawn->row.predicted = predicted;
    drawn->row.reference = reference;
    if (name == NULL || reference != 0.0)
        dse_validation_add(validation, &drawn->row);
}

static enum dse_status read_knobs(const struct dse_space *space, const char *text, dse_knob_set *set, struct dse_error *err)
{
    char *copy DSE_CLEANUP(dse_free_at) = dse_strdup(text), *rest = NULL;
    *set = (dse_knob_set){{0}};
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        int knob = -1;
        DSE_TRY(dse_space_need(space, word, &knob, err));
        dse_bits_add(set, (size_t)knob);
    }
    return DSE_OK;
}

enum dse_status dse_draw_read(const struct dse_space *space, const struct dse_knobs *knobs, const struct dse_published_file *file,
                              struct dse_drawn_knobs *out, struct dse_error *err)
{
    DSE_TRY(read_knobs(space, file->simulated, &out->simulated, err));
    DSE_TRY(read_knobs(space, file->trained, &out->trained, err));
    DSE_TRY(read_knobs(space, file->algorithmic, &out->algorithmic, err));
    DSE_TRY(read_knobs(space, file->emitted, &out->emitted, err));
    const dse_knob_set shaping = dse_bits_and(out->trained, dse_knobs_shaping(knobs));
    for (size_t k = 0; k < space->count; k++)
        if (dse_bits_has(shaping, k))
            return dse_fail(err, DSE_BAD_INPUT, "family %s: <trained> names %s, which changes the workload: list it in <algorithmic>", file->family,
                            space->knobs[k].name);
    return DSE_OK;
}

void dse_draw_setting(const struct dse_space *space, const struct dse_setting *base, const struct dse_config *config,
                      dse_knob_set set, struct dse_setting *out)
{
    struct dse_setting drawn DSE_CLEANUP(dse_setting_free) = {0};
    dse_setting_copy(base, out);
    dse_config_setting(space, config, set, &drawn);
    for (size_t i = 0; i < drawn.count; i++)
        dse_setting_put(out, drawn.pairs[i].name, drawn.pairs[i].value);
}
