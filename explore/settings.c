#include "explore/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "core/saturate.h"

#define SAMPLING_STREAM 77

/* The base, moved into the narrowed domains. */
static struct dse_config narrowed_base(const struct dse_question *question)
{
    struct dse_config config = question->base;
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < question->space->count; k++) {
        const struct dse_knob *knob = &question->space->knobs[k];
        if (dse_bits_has(algorithmic, k) && knob->domain_count > 0 && !dse_question_allows_value(question, k, config.value[k]))
            config.value[k] = knob->domain[0];
    }
    return config;
}

static enum dse_status add(const struct dse_question *question, const struct dse_config *config,
                           struct dse_settings *out, struct dse_error *err)
{
    struct dse_config canonical = *config;
    dse_config_canonical(question->space, &canonical);
    for (size_t i = 0; i < out->count; i++)
        if (memcmp(&out->configs[i], &canonical, sizeof canonical) == 0)
            return DSE_OK;
    if (out->count == DSE_SETTINGS_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "more than %d settings to measure: narrow them with --where or --fix",
                        DSE_SETTINGS_MAX);
    out->configs = dse_realloc(out->configs, (out->count + 1) * sizeof *out->configs);
    out->configs[out->count++] = canonical;
    return DSE_OK;
}

/* Crosses the free knobs from `knob` on. */
static enum dse_status cross(const struct dse_question *question, dse_knob_set free, size_t knob, struct dse_config *config,
                             struct dse_settings *out, struct dse_error *err)
{
    while (knob < question->space->count && !dse_bits_has(free, knob))
        knob++;
    if (knob == question->space->count)
        return add(question, config, out, err);
    const struct dse_knob *domain = &question->space->knobs[knob];
    for (size_t i = 0; i < domain->domain_count; i++) {
        config->value[knob] = domain->domain[i];
        DSE_TRY(cross(question, free, knob + 1, config, out, err));
    }
    return DSE_OK;
}

static uint64_t count_crossed(const struct dse_question *question, dse_knob_set free)
{
    uint64_t count = 1;
    for (size_t k = 0; k < question->space->count; k++)
        if (dse_bits_has(free, k))
            count = dse_saturating_multiply(count, question->space->knobs[k].domain_count);
    return count;
}

/* Draws until there are enough distinct settings. Gives up when most draws repeat, because irrelevant knobs leave few distinct settings. */
static enum dse_status sample(const struct dse_question *question, dse_knob_set free, uint64_t seed, struct dse_settings *out,
                              struct dse_error *err)
{
    struct dse_config base = narrowed_base(question);
    struct dse_rng rng;
    size_t wanted = out->count + DSE_SETTINGS_SAMPLED;
    dse_rng_seed(&rng, seed, SAMPLING_STREAM);
    for (size_t draw = 0; draw < 16 * DSE_SETTINGS_SAMPLED && out->count < wanted; draw++) {
        struct dse_config config = base;
        for (size_t k = 0; k < question->space->count; k++)
            if (dse_bits_has(free, k))
                config.value[k] = question->space->knobs[k].domain[dse_rng_below(&rng, question->space->knobs[k].domain_count)];
        DSE_TRY(add(question, &config, out, err));
    }
    return DSE_OK;
}

enum dse_status dse_settings_cross(const struct dse_question *question, dse_knob_set free, uint64_t seed, struct dse_settings *out,
                                    struct dse_error *err)
{
    struct dse_config config = narrowed_base(question);
    uint64_t crossed = count_crossed(question, free);
    if (crossed <= DSE_SETTINGS_MAX)
        return cross(question, free, 0, &config, out, err);
    out->crossed = crossed;
    return sample(question, free, seed, out, err);
}

enum dse_status dse_settings_grid(const struct dse_question *question, const struct dse_grid *grid,
                                    struct dse_settings *out, struct dse_error *err)
{
    size_t size = dse_grid_size(grid);
    struct dse_config base = narrowed_base(question);
    DSE_TRY(add(question, &base, out, err));
    for (size_t i = 0; i < size && i < DSE_SETTINGS_MAX; i++) {
        struct dse_config config = base;
        size_t rest = i;
        for (size_t a = grid->count; a > 0; a--) {
            const struct dse_axis *axis = &grid->axes[a - 1];
            if (dse_space_find(question->space, axis->name) >= 0)
                DSE_TRY(dse_config_set(question->space, &config, axis->name, axis->values[rest % axis->count], err));
            rest /= axis->count;
        }
        DSE_TRY(add(question, &config, out, err));
    }
    return DSE_OK;
}

void dse_settings_reduce(const struct dse_question *question, const struct dse_profile *profile,
                           struct dse_settings *settings)
{
    size_t kept = 0;
    for (size_t i = 0; i < settings->count; i++) {
        const struct dse_config *config = &settings->configs[i];
        if (dse_question_allows(question, config) && dse_profile_quality_of(question->space, profile, config) == NULL)
            settings->configs[kept++] = *config;
    }
    settings->count = kept;
}

void dse_settings_free(struct dse_settings *settings)
{
    for (size_t i = 0; settings->full != NULL && i < settings->count; i++)
        dse_setting_free(&settings->full[i]);
    free(settings->full);
    free(settings->possible);
    free(settings->configs);
    *settings = (struct dse_settings){0};
}

void dse_fates_count(const struct dse_lazy *lazy, struct dse_fates *out)
{
    out->settings = lazy->candidate_count;
    for (size_t i = 0; i < lazy->candidate_count; i++)
        out->of[lazy->candidates[i].fate]++;
}

void dse_fates_write(const struct dse_fates *fates, char *text, size_t size)
{
    const size_t *of = fates->of, below = of[DSE_FATE_BELOW];
    if (fates->settings > 0)
        snprintf(text, size, "%zu settings without a measured quality: %zu measured now, %zu of them below the required quality; %zu do not fit, "
                 "%zu are dominated with any quality; %zu not measured because of --budget (%zu training runs)", fates->settings,
                 of[DSE_FATE_MEASURED] + below, below, of[DSE_FATE_INFEASIBLE], of[DSE_FATE_DOMINATED], of[DSE_FATE_OPEN],
                 fates->trainings);
    size_t length = strlen(text);
    if (fates->crossed > 0)
        snprintf(text + length, size - length, "; they are a sample by --seed of %" PRIu64 ", which proves nothing for the "
                                   "others", fates->crossed);
}
