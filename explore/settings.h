/* Settings that a search may measure. */
#pragma once

#include "core/setting.h"
#include "explore/grid.h"
#include "search/lazy.h"
#include "search/question.h"

/* Configurations with distinct algorithmic settings. Empty when zeroed. */
struct dse_settings {
    struct dse_config *configs;  /* count */
    struct dse_setting *full;    /* in every parameter of the executor, once known; otherwise NULL */
    bool *possible;              /* feasible for the data; NULL until known */
    size_t count;
    uint64_t crossed; /* size of the crossed set that the settings sample; 0: no sample */
};

#define DSE_SETTINGS_MAX 4096

#define DSE_SETTINGS_SAMPLED 1024

/* Adds the question's base with the knobs of `free` at all values of their domains, crossed. If there are more than the maximum,
 * adds DSE_SETTINGS_SAMPLED of them, drawn by `seed`, and sets `crossed`. If --fix or --where excludes the base's value
 * of another knob, its first remaining value is used. */
enum dse_status dse_settings_cross(const struct dse_question *question, dse_knob_set free, uint64_t seed, struct dse_settings *out,
                                    struct dse_error *err);

/* Adds the base with the grid's values, crossed. */
enum dse_status dse_settings_grid(const struct dse_question *question, const struct dse_grid *grid,
                                    struct dse_settings *out, struct dse_error *err);

/* Drops settings measured in the profile or excluded by --fix or --where. */
void dse_settings_reduce(const struct dse_question *question, const struct dse_profile *profile,
                           struct dse_settings *settings);

void dse_settings_free(struct dse_settings *settings);

/* Outcomes of a search's unmeasured settings; the budget left the open ones. */
struct dse_fates {
    size_t settings, of[DSE_FATE_COUNT], trainings;
    uint64_t crossed; /* size of the set that the settings sample; 0: they are all of it */
};

/* Counts the outcomes of a search's candidates. */
void dse_fates_count(const struct dse_lazy *lazy, struct dse_fates *out);

/* Describes the outcomes in words; empty without settings. */
void dse_fates_write(const struct dse_fates *fates, char *text, size_t size);
