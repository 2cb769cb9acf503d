/* Settings that a search may have measured. */
#pragma once

#include "core/setting.h"
#include "explore/grid.h"
#include "search/lazy.h"
#include "search/question.h"

/* Configurations of different algorithmic settings. Empty when zeroed. */
struct dse_settings {
    struct dse_config *configs;  /* count */
    struct dse_setting *full;    /* the same in every parameter of the executor, once that is known; else NULL */
    bool *possible;              /* which of them the data can serve; NULL until it is known */
    size_t count;
    uint64_t crossed; /* of how many the settings are a sample; 0: of none */
};

#define DSE_SETTINGS_MAX 4096

#define DSE_SETTINGS_SAMPLED 1024

/* Adds the question's base with the knobs of `free` at every value of their domains, crossed. Where that would be more than the maximum,
 * it adds DSE_SETTINGS_SAMPLED of them, drawn by `seed`, and `crossed` says of how many. Where --fix or --where narrowed another knob
 * to values without the base's, its first one counts. */
enum dse_status dse_settings_cross(const struct dse_question *question, dse_knob_set free, uint64_t seed, struct dse_settings *out,
                                    struct dse_error *err);

/* Adds the base with the grid's values, crossed. */
enum dse_status dse_settings_grid(const struct dse_question *question, const struct dse_grid *grid,
                                    struct dse_settings *out, struct dse_error *err);

/* Drops settings that the profile has measured or that --fix or --where exclude. */
void dse_settings_reduce(const struct dse_question *question, const struct dse_profile *profile,
                           struct dse_settings *settings);

void dse_settings_free(struct dse_settings *settings);

/* How the settings of a search ended that nobody had measured; what is open was left by the budget. */
struct dse_fates {
    size_t settings, of[DSE_FATE_COUNT], trainings;
    uint64_t crossed; /* that the settings are a sample of; 0: they are all */
};

/* Counts the candidates of a search. */
void dse_fates_count(const struct dse_lazy *lazy, struct dse_fates *out);

/* In words; nothing where there are no settings. */
void dse_fates_write(const struct dse_fates *fates, char *text, size_t size);
