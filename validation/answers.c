/* Compares answers with the program itself: trains and simulates each design named by the default search. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "datasets/part.h"
#include "executor/measure.h"
#include "validation/draw.h"
#include "validation/validation.h"

#define FIRST_SEED 1001 /* above the seeds of every survey: no design was chosen by models trained here */
#define TRAININGS 10    /* maximum per setting: the n of the answer's quality */
#define FOLDS 5         /* models of a seed: together they hold out every item, so that few large graphs do not decide the mean cycles */
#define CYCLES_ERROR 0.01 /* relative standard error of mean cycles: models are simulated over their held-out graphs until it is reached */
#define SAMPLE 256      /* maximum number of held-out items that a model is simulated over, evenly spaced */
#define BAND 3.5        /* standard errors on both sides of a quality */

/* The models of a setting, a fold each. */
struct trained {
    struct dse_setting setting;
    struct dse_model *models[TRAININGS]; /* count */
    size_t count;
    struct dse_measured measured;
};

/* The open data set, and the models trained on it. Corners share a setting with other corners than their neighbours. */
struct holding {
    const struct dse_validation_ground *g;
    struct dse_validation *out;
    const struct dse_profile *profile; /* whose data set is open or was searched for */
    struct dse_dataset *data;          /* NULL: missing; the error has the reason */
    char why[200];
    struct trained *trained;           /* trained_count */
    size_t trained_count;
};

static void close_holding(struct holding *h)
{
    for (size_t i = 0; i < h->trained_count; i++) {
        for (size_t k = 0; k < h->trained[i].count; k++)
            dse_model_free(h->trained[i].models[k]);
        dse_setting_free(&h->trained[i].setting);
    }
    free(h->trained);
    h->trained = NULL;
    h->trained_count = 0;
    dse_dataset_free(h->data);
    h->data = NULL;
}

/* Opens the data that the profile was measured on. If they are missing or differ, the rows say so. */
static enum dse_status open_data(struct holding *h, const struct dse_profile *profile, struct dse_error *err)
{
    struct dse_error why = {0};
    if (h->profile == profile)
        return DSE_OK;
    close_holding(h);
    h->profile = profile;
    enum dse_status status = dse_dataset_open(profile->dataset, h->g->request->data_dir, &h->data, &why);
    if (status == DSE_BAD_USAGE)
        status = dse_dataset_open_part(profile->dataset, h->g->request->data_dir, &h->data, &why);
    if (status == DSE_LIMIT || status == DSE_CANCELLED)
        return dse_fail(err, status, "%s", why.message);
    snprintf(h->why, sizeof h->why, "not simulated: the data are not in --data-dir");
    if (status == DSE_OK)
        h->data->unstratified = dse_profile_unstratified(profile);
    if (status != DSE_OK || profile->dataset_hash == h->data->hash)
        return DSE_OK;
    snprintf(h->why, sizeof h->why, "not simulated: the data in --data-dir differ from the profile's");
    dse_dataset_free(h->data);
    h->data = NULL;
    return DSE_OK;
}

static bool same_setting(const struct dse_setting *a, const struct dse_setting *b)
{
    for (size_t i = 0; i < a->count; i++) {
        const char *other = dse_setting_get(b, a->pairs[i].name);
        if (other == NULL || strcmp(other, a->pairs[i].value) != 0)
            return false;
    }
    return a->count == b->count;
}

struct trainings {
    const struct holding *h;
    struct trained *into;
    struct dse_training runs[TRAININGS];
    size_t jobs;   /* jobs per run */
    size_t sample; /* 0: each model is judged by all its held-out items */
};

static enum dse_status train_one(void *user, size_t i, size_t thread, struct dse_error *err)
{
    struct trainings *t = user;
    const struct dse_validation_ground *g = t->h->g;
    const bool folded = t->h->data->kind->split == NULL; /* a kind without a split of its own */
    struct dse_run run = {.seed = FIRST_SEED + g->seed * TRAININGS + (folded ? i / FOLDS : i), .folds = folded ? FOLDS : 0, .fold = folded ? i % FOLDS : 0,
                          .jobs = t->jobs, .monitor = g->monitor, .sample = t->sample, .metric = dse_profile_metric(t->h->profile, g->executor->quality_name)};
    (void)thread;
    return dse_train(g->executor, t->h->data, &t->into->setting, &run, &t->into->models[i], &t->runs[i], err);
}

/* Trains the setting on folds with new seeds, side by side. */
static enum dse_status train(const struct holding *h, const struct dse_answered_design *design, struct trained *into, struct dse_error *err)
{
    size_t said = design->quality != NULL && design->quality->n > 1 ? (size_t)design->quality->n : 1, jobs = h->g->jobs;
    struct trainings t = {.h = h, .into = into, .jobs = said > 1 ? 1 : jobs, .sample = design->quality == NULL ? SAMPLE : 0};
    into->count = said < TRAININGS ? said : TRAININGS;
    DSE_TRY(dse_parallel_for(into->count, jobs, train_one, &t, h->g->monitor, err));
    dse_measured_summarise(h->g->executor, t.runs, into->count, &into->measured);
    return DSE_OK;
}

/* Without a quality only cycles are compared. They do not depend on the weights, so the fewest epochs will do. */
static void train_least(const struct dse_space *space, struct dse_setting *setting)
{
    int epochs = dse_space_find(space, "epochs");
    char least[32];
    if (epochs < 0 || dse_setting_get(setting, "epochs") == NULL)
        return;
    snprintf(least, sizeof least, "%lld", (long long)space->knobs[epochs].minimum);
    dse_setting_put(setting, "epochs", least);
}

static enum dse_status train_once(struct holding *h, const struct dse_answered_design *design, const struct trained **out, struct dse_error *err)
{
    const struct dse_space *space = design->setup->space;
    struct dse_setting changes DSE_CLEANUP(dse_setting_free) = {0}, setting DSE_CLEANUP(dse_setting_free) = {0};
    dse_config_setting(space, &design->estimate->config, dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC), &changes);
    DSE_TRY(dse_executor_setting(h->g->executor, "paper", h->data, &changes, true, &setting, err));
    if (design->quality == NULL)
        train_least(space, &setting);
    for (size_t i = 0; i < h->trained_count; i++)
        if (same_setting(&h->trained[i].setting, &setting)) {
            *out = &h->trained[i];
            return DSE_OK;
        }
    h->trained = dse_realloc(h->trained, (h->trained_count + 1) * sizeof *h->trained);
    struct trained *into = &h->trained[h->trained_count++];
    *into = (struct trained){0};
    dse_setting_copy(&setting, &into->setting);
    *out = into;
    return train(h, design, into, err);
}

/* The standard error of the difference of two means (Welch); NaN if the spread of one is unknown. */
static double error_of(const struct dse_quality *said, const struct dse_measured *found)
{
    double of_said = said->n > 1 ? said->std : found->n > 1 ? found->std : NAN, of_found = found->n > 1 ? found->std : of_said;
    return sqrt(of_said * of_said / (double)said->n + of_found * of_found / (double)found->n);
}

static void add_quality(struct holding *h, const struct dse_answered_design *design, const struct trained *trained, struct dse_validation_row *row)
{
    if (design->quality == NULL)
        return;
    row->what = "quality";
    row->predicted = design->quality->mean;
    row->reference = NAN;
    if (trained != NULL) {
        double difference = design->quality->mean - trained->measured.mean, error = error_of(design->quality, &trained->measured);
        row->reference = trained->measured.mean;
        row->deviations = error > 0.0 ? difference / error : difference == 0.0 ? 0.0 : NAN;
        row->low = row->predicted - BAND * error;
        row->high = row->predicted + BAND * error;
    }
    dse_validation_add(h->out, row);
}

/* Sums over the cycles of items, one item at a time. */
struct cycles {
    double sum, squares;
    size_t items;
};

static enum dse_status simulate_one(const struct holding *h, const struct dse_answered_design *design, const struct dse_model *model,
                                    struct cycles *cycles, struct dse_error *err)
{
    const struct dse_validation_ground *g = h->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor, .costs = design->setup->costs, .sample = SAMPLE};
    struct dse_simulation found DSE_CLEANUP(dse_simulation_free) = {0};
    DSE_TRY(dse_simulate_config(model, h->data, &design->estimate->config, design->setup->board, &run, &found, err));
    if (found.equal != found.items)
        return dse_fail(err, DSE_ANSWER_NO, "%s, %s: %zu of %zu simulated %s differ from infer's", h->data->name, design->corner,
                        found.items - found.equal, found.items, g->executor->compared);
    for (size_t i = 0; i < found.items; i++) {
        cycles->sum += (double)found.total[i];
        cycles->squares += (double)found.total[i] * (double)found.total[i];
    }
    cycles->items += found.items;
    return DSE_OK;
}

static enum dse_status simulate(const struct holding *h, const struct dse_answered_design *design, const struct trained *trained, double *mean,
                                struct dse_error *err)
{
    struct cycles cycles = {0};
    bool told = false;
    for (size_t i = 0; i < trained->count && !told; i++) {
        DSE_TRY(simulate_one(h, design, trained->models[i], &cycles, err));
        double n = (double)cycles.items, variance = fmax(cycles.squares / n - cycles.sum * cycles.sum / (n * n), 0.0);
        *mean = cycles.sum / n;
        told = sqrt(variance / n) <= CYCLES_ERROR * *mean;
    }
    return DSE_OK;
}

static enum dse_status hold(void *user, const struct dse_answered_design *design, struct dse_error *err)
{
    struct holding *h = user;
    char where[200], config[2048];
    if (design->estimate == NULL) {
        struct dse_validation_row none = dse_validation_row_empty;
        none.what = "cycles";
        none.where = design->profile->dataset;
        none.source = "simulation";
        none.note = design->corner;
        dse_validation_add(h->out, &none);
        return DSE_OK;
    }
    const struct dse_space *space = design->setup->space;
    DSE_TRY(open_data(h, design->profile, err));
    snprintf(where, sizeof where, "%s %s", design->profile->dataset, design->corner);
    dse_draw_describe(space, &design->estimate->config, dse_space_of_kind(space, DSE_KNOB_BOTH),
                      config, sizeof config);
    struct dse_validation_row row = dse_validation_row_empty;
    row.what = "cycles";
    row.where = where;
    row.profile = design->profile->dataset;
    row.board = design->setup->board->name;
    row.config = config;
    row.source = "simulation";
    row.predicted = design->estimate->metrics[DSE_METRIC_CYCLES];
    row.note = h->data == NULL ? h->why : NULL;
    const struct trained *trained = NULL;
    if (h->data != NULL) {
        DSE_TRY(train_once(h, design, &trained, err));
        DSE_TRY(simulate(h, design, trained, &row.reference, err));
    }
    dse_validation_add(h->out, &row);
    row.source = "training";
    add_quality(h, design, trained, &row);
    return DSE_OK;
}

enum dse_status dse_validate_answers(const struct dse_validation_ground *g, size_t count, struct dse_validation *out, struct dse_error *err)
{
    struct holding h DSE_CLEANUP(close_holding) = {.g = g, .out = out};
    (void)count; /* draws nothing */
    return g->request->answering(g->request, hold, &h, err);
}
