/* Models against published figures, as designed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/validation.h"

/* "name=value name=value" over a setting. */
static enum dse_status put_words(struct dse_setting *setting, const char *text, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    char *copy = strdup(text), *rest = NULL;
    if (copy == NULL)
        return dse_fail_memory(err);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL && status == DSE_OK; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        if (equals == NULL) {
            status = dse_fail(err, DSE_BAD_INPUT, "published: \"%s\": must be NAME=VALUE", word);
            break;
        }
        *equals = '\0';
        status = dse_setting_put(setting, word, equals + 1, err);
    }
    free(copy);
    return status;
}

/* The paper's design at the preset with a row's words over it. */
static enum dse_status estimate_of(const struct dse_validation_ground *g, const char *words, struct dse_estimate *out,
                                   struct dse_error *err)
{
    struct dse_setting setting = {0};
    struct dse_workload workload = {0};
    struct dse_config config;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor};
    struct dse_setup setup = {.family = g->family, .space = g->space, .board = g->board, .costs = g->costs,
                              .workload = &workload, .headroom = -1.0};
    dse_space_default(g->space, &config);
    enum dse_status status = g->executor->preset("paper", g->data, &setting, err);
    if (status == DSE_OK)
        status = put_words(&setting, words, err);
    if (status == DSE_OK)
        status = dse_config_apply(g->space, &config, &setting, err);
    if (status == DSE_OK)
        status = g->executor->profile(g->data, &setting, &run, &workload, err);
    if (status == DSE_OK)
        status = dse_estimate_make(&setup, &config, out, err);
    dse_workload_clear(&workload);
    dse_setting_free(&setting);
    return status;
}

static double metric_called(const struct dse_estimate *estimate, const char *key)
{
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (strcmp(dse_metrics[m].key, key) == 0)
            return estimate->metrics[m];
    return NAN;
}

static enum dse_status add_row(const struct dse_validation_ground *g, const struct dse_published *figure,
                               const struct dse_estimate *estimate, struct dse_validation *out, struct dse_error *err)
{
    char where[128];
    snprintf(where, sizeof where, "%s%s%s", figure->dataset, figure->variant[0] != '\0' ? " " : "", figure->variant);
    bool latency = strcmp(figure->what, dse_metrics[DSE_METRIC_LATENCY].key) == 0;
    struct dse_validation_row row = {
        .what = figure->what, .where = where, .source = figure->source, .reference = figure->value,
        .predicted = metric_called(estimate, figure->what),
        .floor = latency ? estimate->metrics[DSE_METRIC_DDR_BYTES] / g->figures->bandwidth_bytes_per_s : NAN};
    return dse_validation_add(out, &row, err);
}

enum dse_status dse_validate_published(const struct dse_validation_ground *g, struct dse_validation *out,
                                       struct dse_error *err)
{
    struct dse_estimate *estimate = malloc(sizeof *estimate);
    const char *made = NULL; /* the words that it is of */
    enum dse_status status = estimate == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < g->figures->published_count; i++) {
        const struct dse_published *figure = &g->figures->published[i];
        if (strcmp(figure->dataset, g->data->name) != 0)
            continue;
        if (made == NULL || strcmp(made, figure->set) != 0)
            status = estimate_of(g, figure->set, estimate, err);
        made = figure->set;
        if (status == DSE_OK)
            status = add_row(g, figure, estimate, out, err);
    }
    free(estimate);
    return status;
}
