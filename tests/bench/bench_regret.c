/* usage: bench_regret DATA SETTINGS JOBS [SCORES.csv]: what racing, random choice and all splits for all settings cost and miss.
 * The settings are drawn at random from all that a survey's plan can reach, each axis of each stage by itself. Each is trained once on
 * the ten splits of the choice and on twenty others, which say how good it is; then each way to choose is replayed. The regret is
 * how much better the best setting is, on those twenty, than the one that was chosen. SCORES.csv keeps what was measured: where it
 * is there already, nothing is trained. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/rng.h"
#include "executor/measure.h"
#include "explore/racing.h"

#define TRUE_SPLITS 20
#define TRUE_SEED 2000
#define DRAWS 2000
#define RACES 500
#define SETTINGS 512

struct bench {
    const struct dse_executor *executor;
    struct dse_dataset *data;
    struct dse_setting settings[SETTINGS];
    size_t count;
    double choice[SETTINGS][DSE_RACE_SPLITS], truth[SETTINGS][TRUE_SPLITS];
    int32_t setting_at[SETTINGS], split_at[DSE_RACE_SPLITS]; /* the order of a replay */
};

static enum dse_status train(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct bench *b = user;
    size_t all = DSE_RACE_SPLITS + TRUE_SPLITS, which = index / all, split = index % all;
    bool inside = split < DSE_RACE_SPLITS;
    struct dse_run run = {.seed = inside ? 1 + DSE_RACING_SEED + split : TRUE_SEED + split, .jobs = 1, .validation = inside,
                          .at_most = inside ? DSE_RACING_ITEMS : 0};
    struct dse_model *model = NULL;
    struct dse_training result;
    DSE_TRY(dse_train(b->executor, b->data, &b->settings[which], &run, &model, &result, err));
    dse_model_free(model);
    *(inside ? &b->choice[which][split] : &b->truth[which][split - DSE_RACE_SPLITS]) = result.quality;
    return DSE_OK;
}

static double mean(const double *values, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static double best_truth(const struct bench *b)
{
    double best = 0.0;
    for (size_t i = 0; i < b->count; i++)
        best = fmax(best, mean(b->truth[i], TRUE_SPLITS));
    return best;
}

static double regret(const struct bench *b, size_t chosen)
{
    return best_truth(b) - mean(b->truth[chosen], TRUE_SPLITS);
}

static enum dse_status look_up(void *user, const size_t *which, size_t count, size_t split, double *scores, struct dse_error *err)
{
    (void)err;
    const struct bench *b = user;
    for (size_t i = 0; i < count; i++)
        scores[i] = b->choice[b->setting_at[which[i]]][b->split_at[split]];
    return DSE_OK;
}

/* The settings race with no stages, in the bench's order; returns the trainings. */
static size_t race_once(struct bench *b, double budget, double *missed)
{
    struct dse_runner runners[SETTINGS] = {0};
    struct dse_error err;
    struct dse_race it = {.runners = runners, .count = b->count, .higher_is_better = true, .overlap = 0.25, .budget = budget,
                          .measure = look_up, .user = b};
    for (size_t i = 0; i < b->count; i++)
        runners[i].units = 1.0;
    if (dse_race_run(&it, DSE_RACE_SPLITS, 1.0, &err) != DSE_OK)
        exit(1);
    *missed = regret(b, (size_t)b->setting_at[dse_race_leader(&it)]);
    return it.measurements;
}

/* Mean and deviation over random orders of settings and splits; returns the mean of the trainings. */
static double race(struct bench *b, double budget, double *missed, double *deviation)
{
    struct dse_rng rng;
    double spent = 0.0, squares = 0.0;
    *missed = 0.0;
    dse_rng_seed(&rng, 18, 0);
    for (size_t d = 0; d < RACES; d++) {
        double one = 0.0;
        for (size_t i = 0; i < b->count; i++)
            b->setting_at[i] = (int32_t)i;
        for (size_t i = 0; i < DSE_RACE_SPLITS; i++)
            b->split_at[i] = (int32_t)i;
        dse_rng_shuffle(&rng, b->setting_at, b->count);
        dse_rng_shuffle(&rng, b->split_at, DSE_RACE_SPLITS);
        spent += (double)race_once(b, budget, &one) / RACES;
        *missed += one / RACES;
        squares += one * one / RACES;
    }
    *deviation = sqrt(fmax(0.0, squares - *missed * *missed));
    return spent;
}

/* `some` settings drawn at random, on all splits of the choice each: mean and deviation over draws. */
static void draw(const struct bench *b, size_t some, double *missed, double *deviation)
{
    struct dse_rng rng;
    double squares = 0.0;
    *missed = 0.0;
    dse_rng_seed(&rng, 17, some);
    for (size_t d = 0; d < DRAWS; d++) {
        int32_t order[SETTINGS];
        size_t chosen = 0;
        for (size_t i = 0; i < b->count; i++)
            order[i] = (int32_t)i;
        dse_rng_shuffle(&rng, order, b->count);
        for (size_t i = 0; i < some; i++)
            if (i == 0 || mean(b->choice[order[i]], DSE_RACE_SPLITS) > mean(b->choice[chosen], DSE_RACE_SPLITS))
                chosen = (size_t)order[i];
        *missed += regret(b, chosen) / DRAWS;
        squares += regret(b, chosen) * regret(b, chosen) / DRAWS;
    }
    *deviation = sqrt(fmax(0.0, squares - *missed * *missed));
}

static void fail(const struct dse_error *err)
{
    fprintf(stderr, "bench_regret: %s\n", err->message);
    exit(1);
}

/* ---- the settings ---- */

static bool has(const struct dse_setting *setting, const char *pair)
{
    char name[64], value[64];
    if (pair == NULL || sscanf(pair, "%63[^=]=%63s", name, value) < 2)
        return false;
    const char *own = dse_setting_get(setting, name);
    return own != NULL && strcmp(own, value) == 0;
}

static void put(const struct bench *b, const char *changes, struct dse_setting *setting)
{
    char name[64], value[64];
    struct dse_error err;
    int used = 0;
    for (const char *at = changes; sscanf(at, " %63[^= ]=%63[^ ] %n", name, value, &used) == 2; at += used)
        if (dse_knobs_put(b->executor->knobs, name, value, setting, &err) != DSE_OK)
            fail(&err);
}

/* Each axis at one of its values. */
static void draw_setting(const struct bench *b, struct dse_rng *rng, struct dse_setting *out)
{
    const struct dse_race_plan *plan = b->executor->race;
    struct dse_error err;
    if (dse_executor_preset(b->executor, plan->base, b->data, 0, out, &err) != DSE_OK)
        fail(&err);
    for (size_t s = 0; s < plan->stage_count; s++)
        for (size_t a = 0; a < plan->stages[s].axis_count; a++) {
            const struct dse_race_axis *axis = &plan->stages[s].axes[a];
            size_t count = 0;
            while (axis->changes[count] != NULL)
                count++;
            size_t choice = (size_t)dse_rng_below(rng, count); /* drawn in any case: an axis more does not shift the others */
            if (!has(out, axis->unless))
                put(b, axis->changes[choice], out);
        }
}

/* Takes a setting over that the data can serve and that is not there yet. */
static void keep_setting(struct bench *b, struct dse_setting *mattering, struct dse_setting *setting)
{
    struct dse_error why;
    bool good = dse_knobs_trained_values(b->executor->knobs, setting, NULL, &why) == DSE_OK &&
                dse_executor_serves(b->executor, b->data, setting, 2, &why) &&
                dse_knobs_mattering(b->executor->knobs, setting, &mattering[b->count], &why) == DSE_OK;
    bool known = false;
    for (size_t i = 0; good && i < b->count; i++)
        known |= dse_setting_compare(&mattering[i], &mattering[b->count]) == 0;
    if (good && !known)
        b->settings[b->count++] = *setting;
    else
        dse_setting_free(setting);
    if (good && known)
        dse_setting_free(&mattering[b->count]);
}

static void draw_settings(struct bench *b, size_t count)
{
    static struct dse_setting mattering[SETTINGS + 1];
    struct dse_rng rng;
    dse_rng_seed(&rng, 16, 0);
    for (size_t tries = 0; b->count < count && tries < 100 * count; tries++) {
        struct dse_setting setting = {0};
        draw_setting(b, &rng, &setting);
        keep_setting(b, mattering, &setting);
    }
    for (size_t i = 0; i < b->count; i++)
        dse_setting_free(&mattering[i]);
}

/* ---- what was measured ---- */

static bool load(struct bench *b, const char *path)
{
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    bool whole = file != NULL;
    for (size_t i = 0; whole && i < b->count; i++)
        for (size_t s = 0; whole && s < DSE_RACE_SPLITS + TRUE_SPLITS; s++)
            whole = fscanf(file, "%lf,", s < DSE_RACE_SPLITS ? &b->choice[i][s] : &b->truth[i][s - DSE_RACE_SPLITS]) == 1;
    if (file != NULL)
        fclose(file);
    return whole;
}

static void store(const struct bench *b, const char *path)
{
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    for (size_t i = 0; file != NULL && i < b->count; i++)
        for (size_t s = 0; s < DSE_RACE_SPLITS + TRUE_SPLITS; s++)
            fprintf(file, "%.17g%s", s < DSE_RACE_SPLITS ? b->choice[i][s] : b->truth[i][s - DSE_RACE_SPLITS],
                    s + 1 < DSE_RACE_SPLITS + TRUE_SPLITS ? "," : "\n");
    if (file != NULL)
        fclose(file);
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct dse_error err;
    if (argc < 4 || argc > 5 || atoi(argv[2]) < 2 || atoi(argv[2]) > SETTINGS) {
        fprintf(stderr, "usage: bench_regret DATA SETTINGS JOBS [SCORES.csv]\n");
        return 2;
    }
    if (dse_dataset_open(argv[1], NULL, &b.data, &err) != DSE_OK)
        fail(&err);
    b.executor = dse_executor_find("nysx");
    draw_settings(&b, (size_t)atoi(argv[2]));
    const char *scores = argc > 4 ? argv[4] : NULL;
    if (!load(&b, scores)) {
        if (dse_parallel_for(b.count * (DSE_RACE_SPLITS + TRUE_SPLITS), (size_t)atoi(argv[3]), train, &b, NULL, &err) != DSE_OK)
            fail(&err);
        store(&b, scores);
    }
    double missed = 0.0, deviation = 0.0;
    size_t all = b.count * DSE_RACE_SPLITS;
    double raced = race(&b, 1e9, &missed, &deviation);
    printf("| %s, %zu settings | trainings | regret |\n", argv[1], b.count);
    printf("| racing | %.0f | %.4f ± %.4f |\n", raced, missed, deviation);
    for (size_t share = 1; share <= 4; share *= 2) {
        size_t some = (size_t)ceil(raced / (double)share / DSE_RACE_SPLITS);
        if (share > 1) {
            double spent = race(&b, raced / (double)share, &missed, &deviation);
            printf("| racing, ended at 1/%zu of that | %.0f | %.4f ± %.4f |\n", share, spent, missed, deviation);
        }
        draw(&b, some, &missed, &deviation);
        printf("| random settings, all splits | %zu | %.4f ± %.4f |\n", some * DSE_RACE_SPLITS, missed, deviation);
    }
    draw(&b, b.count, &missed, &deviation);
    printf("| all splits for all | %zu | %.4f |\n", all, missed);
    double one = 0.0;
    for (size_t s = 0; s < DSE_RACE_SPLITS; s++) {
        size_t chosen = 0;
        for (size_t i = 0; i < b.count; i++)
            if (b.choice[i][s] > b.choice[chosen][s])
                chosen = i;
        one += regret(&b, chosen) / DSE_RACE_SPLITS;
    }
    printf("| one split for all | %zu | %.4f |\n", b.count, one);
    return 0;
}
