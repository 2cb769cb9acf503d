#include "explore/chosen.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "executor/measure.h"
#include "explore/athand.h"
#include "explore/explore.h"
#include "explore/meant.h"
#include "models/hls.h"

#define NOTED_S 60.0 /* a training that takes longer is announced */

/* Knobs that any block's hardware depends on. */
static dse_knob_set knobs_in_hardware(const struct dse_model_family *family)
{
    dse_knob_set all = {{0}};
    for (size_t b = 0; b < family->block_count; b++)
        all = dse_bits_or(all, family->blocks[b].reads);
    return all;
}

/* Compares a model's setting with the configuration, for knobs that the hardware depends on. */
static enum dse_status compare(const struct dse_workbench *bench, const char *file, const struct dse_setting *setting,
                               const struct dse_config *config, struct dse_error *err)
{
    dse_knob_set matter = knobs_in_hardware(bench->family);
    for (size_t i = 0; i < setting->count; i++) {
        const struct dse_setting_pair *pair = &setting->pairs[i];
        int64_t value = 0;
        char text[64];
        int k = dse_space_find(bench->space, pair->name);
        if (k < 0 || !dse_bits_has(matter, k) || !dse_knob_active(bench->space, config, (size_t)k))
            continue;
        const struct dse_knob *knob = &bench->space->knobs[k];
        if (dse_knob_parse(knob, pair->value, &value, NULL) != DSE_OK || value != config->value[k])
            return dse_fail(err, DSE_BAD_USAGE, "%s: the model has %s=%s, but the design %s=%s", file, knob->name,
                            pair->value, knob->name, dse_knob_format(knob, config->value[k], text, sizeof text));
    }
    return DSE_OK;
}

void dse_chosen_flow(const struct dse_request *given, struct dse_request *out)
{
    const char *family = dse_request_family(given);
    *out = *given;
    out->words = NULL;
    out->word_count = 0;
    for (size_t i = 0; i < given->word_count; i++)
        dse_request_take(out, given->words[i].name, given->words[i].value);
    if (dse_request_flag(given, "flow") || dse_request_flag(given, "only") || !dse_executor_in_rtl_alone(dse_executor_find(family)))
        return;
    dse_request_take(out, "flow", "rtl");
    dse_request_note(given, "--flow rtl: the family %s has source in SystemVerilog only", family);
}

enum dse_status dse_chosen_load(struct dse_chosen *c, const char *file, struct dse_error *err)
{
    c->executor = dse_executor_find(c->bench->family->name);
    if (c->executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--model %s: the family %s has no models", file, c->bench->family->name);
    DSE_TRY(dse_model_load(c->executor, file, &c->model, err));
    dse_setting_copy(&c->model->words, &c->trained);
    return DSE_OK;
}

/* Measures the data set's workload at the model's setting. */
static enum dse_status measure(struct dse_chosen *c, const char *name, struct dse_error *err)
{
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    struct dse_run run = {.seed = c->request->seed, .jobs = c->request->jobs, .monitor = c->request->monitor};
    DSE_TRY(dse_dataset_open(name, dse_request_word(c->request, "data-dir"), &data, err));
    dse_model_rank(c->model, data);
    DSE_TRY(c->executor->profile(data, &c->trained, &run, &c->measured, err));
    c->setup = (struct dse_setup){.family = c->bench->family, .space = c->bench->space, .board = c->bench->boards[0],
                                  .costs = c->bench->costs[0], .workload = &c->measured,
                                  .headroom = c->bench->headroom};
    return DSE_OK;
}

/* Workload of the configuration. If the profile lacks the model's setting, measures it, provided that the data set is
 * found. */
static enum dse_status set_up(struct dse_chosen *c, struct dse_error *err)
{
    const char *name = dse_request_word(c->request, "dataset");
    struct dse_error why = {0};
    enum dse_status status = dse_workbench_setup(c->bench, 0, c->profile, &c->config, &c->setup, err);
    if (status != DSE_BAD_USAGE || c->model == NULL || name == NULL)
        return status;
    enum dse_status measured = measure(c, name, &why);
    if (measured == DSE_LIMIT || measured == DSE_CANCELLED)
        return dse_fail(err, measured, "%s", why.message);
    return measured == DSE_OK ? DSE_OK : status; /* otherwise the data are missing */
}

/* Fixes the model's knobs in addition to --fix: a search must not change them. */
static enum dse_status fix_model(struct dse_chosen *c, struct dse_error *err)
{
    struct dse_terms *terms = &c->terms;
    dse_knob_set matter = knobs_in_hardware(c->bench->family);
    for (size_t i = 0; i < c->trained.count; i++) {
        const struct dse_setting_pair *pair = &c->trained.pairs[i];
        int k = dse_space_find(c->bench->space, pair->name);
        if (k < 0 || !dse_bits_has(matter, k))
            continue;
        if (terms->choice.fix_count == DSE_KNOB_MAX || i >= DSE_KNOB_MAX)
            return dse_fail(err, DSE_BAD_USAGE, "--fix: too many knobs beside those of the model");
        snprintf(c->fixes[i], sizeof c->fixes[i], "%s=%s", pair->name, pair->value);
        terms->fixes[terms->choice.fix_count++] = c->fixes[i];
    }
    return DSE_OK;
}

/* Fixes the knob of which only one value has a source, unless the request gives it another. */
static void fix_source(struct dse_chosen *c)
{
    const char *source = c->bench->family->knobs->source;
    struct dse_choice *choice = &c->terms.choice;
    char knob[DSE_FIX_MAX];
    if (!c->for_source || source == NULL || choice->fix_count == DSE_KNOB_MAX)
        return;
    snprintf(knob, sizeof knob, "%.*s", (int)strcspn(source, "="), source);
    if (dse_terms_fix(&c->terms, knob) || dse_request_assigns(c->request, "set", knob))
        return;
    c->terms.fixes[choice->fix_count++] = source;
    if (strchr(source, '=') != NULL)
        dse_request_note(c->request, "the search has --fix %s, which `sweep` needs too, so that the design has a source; --fix %s=VALUE replaces it", source, knob);
}

/* Answers a question about designs; --model fixes its knobs. */
static enum dse_status ask(struct dse_chosen *c, bool one, const char *objectives, struct dse_error *err)
{
    struct dse_exploration *exploration = &c->exploration;
    DSE_TRY(dse_terms_read(c->request, one, objectives, &c->terms, err));
    DSE_TRY(fix_model(c, err));
    fix_source(c);
    DSE_TRY(dse_exploration_open(c->request, &c->terms, c->bench, 0, NULL, exploration, err));
    if (exploration->ended.message[0] == '\0')
        DSE_TRY(dse_exploration_answer(exploration, err));
    if (one && *exploration->remark != '\0')
        dse_request_note(c->request, "%s", exploration->remark);
    c->asked = true;
    if (exploration->answer.outcome == DSE_OUTCOME_NOTHING)
        return dse_fail(err, DSE_ANSWER_NO, "%s", "");
    c->profile = exploration->profile;
    return exploration->ended.message[0] == '\0'
               ? DSE_OK : dse_fail(err, exploration->ended.status, "%s", exploration->ended.message);
}

/* The best design by --minimize or --maximize (default: the fastest) under --where, with its profile. */
static enum dse_status search(struct dse_chosen *c, struct dse_error *err)
{
    DSE_TRY(ask(c, true, "latency", err));
    c->config = c->exploration.answer.front[0].config;
    return DSE_OK;
}

/* The balanced design of the default question. */
static enum dse_status answer(struct dse_chosen *c, struct dse_error *err)
{
    struct dse_exploration *exploration = &c->exploration;
    DSE_TRY(ask(c, false, DSE_DEFAULT_OBJECTIVES, err));
    DSE_TRY(dse_exploration_evaluate(exploration, err));
    c->corner = exploration->front.corners.at[DSE_CORNER_BALANCED];
    if (c->corner == DSE_CORNER_NONE)
        return dse_fail(err, DSE_ANSWER_NO, "no design is better than a constant prediction; --preset %s emits the published design",
                        c->bench->family->knobs->presets[0]);
    c->config = exploration->answer.front[c->corner].config;
    return DSE_OK;
}

/* The published design at the model's setting, with --set applied. */
static enum dse_status follow_model(struct dse_chosen *c, struct dse_error *err)
{
    DSE_TRY(dse_workbench_base(c->bench, 0, c->profile, &c->config, err));
    for (size_t i = 0; i < c->trained.count; i++) {
        const struct dse_setting_pair *pair = &c->trained.pairs[i];
        if (dse_space_find(c->bench->space, pair->name) >= 0)
            DSE_TRY(dse_config_set(c->bench->space, &c->config, pair->name, pair->value, err));
    }
    dse_meant_of_model(c->request, c->bench->family, c->origin);
    return dse_workbench_set(c->request, c->bench, &c->config, err);
}

/* The design of "from" or "preset", or the default; with --set applied. */
static enum dse_status follow_words(struct dse_chosen *c, struct dse_error *err)
{
    struct dse_meant meant;
    if (dse_meant_default(c->request) && c->profile->quality_count > 0) /* a search */
        fix_source(c);
    DSE_TRY(dse_meant_find_fixed(c->request, c->bench, 0, "set", c->terms.fixes, c->terms.choice.fix_count, DSE_DEFAULT_OBJECTIVES, &meant, err));
    c->config = meant.config;
    memcpy(c->origin, meant.origin, sizeof c->origin);
    return DSE_OK;
}

enum dse_status dse_chosen_choose(struct dse_chosen *c, struct dse_error *err)
{
    static const char *const asks[] = {"where", "fix", "free", "minimize", "maximize", "quality-drop"};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        if (dse_request_count(c->request, asks[i]) == 0)
            continue;
        if (dse_request_word(c->request, "from") != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--%s: cannot be combined with --from, which names a design", asks[i]);
        return search(c, err);
    }
    if (dse_meant_default(c->request) && c->model == NULL && dse_request_count(c->request, "set") == 0 && c->profile->quality_count > 0)
        return answer(c, err);
    DSE_TRY(c->model != NULL && dse_request_word(c->request, "from") == NULL ? follow_model(c, err) : follow_words(c, err));
    dse_meant_note_idle(c->request, c->bench, 0, "set", &c->config);
    return DSE_OK;
}

enum dse_status dse_chosen_find_data(struct dse_chosen *c, const char *must, struct dse_error *err)
{
    struct dse_error why = {0};
    c->executor = dse_executor_find(c->bench->family->name);
    if (c->executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "the family %s has no models", c->bench->family->name);
    enum dse_status status = dse_data_find(c->request, c->profile, &c->data, &why);
    if (status == DSE_LIMIT)
        return dse_fail(err, status, "%s", why.message);
    if (status != DSE_OK && must != NULL)
        return dse_fail(err, status, "the data of %s are missing: %s%s", c->profile->dataset, why.message, must);
    if (status != DSE_OK)
        DSE_TRY(dse_data_imitate(c->executor->kind, c->profile, c->request->seed, &c->data, err));
    if (c->model != NULL)
        dse_model_rank(c->model, c->data);
    if (status == DSE_OK)
        return DSE_OK;
    c->made_up = true;
    dse_request_note(c->request, "the data of %s are missing: %s from generated data of the same shape, which test the design but "
                     "not its quality; --data-dir DIR, where DIR holds %s or %s.zip, uses the data",
                     c->profile->dataset, c->model != NULL ? "the test cases are" : "model and test cases are", c->profile->dataset,
                     c->profile->dataset);
    return DSE_OK;
}

/* Notes the trained model's quality and, for items with classes, that of a constant prediction. */
static void tell_trained(struct dse_chosen *c, const struct dse_training *result)
{
    char majority[64] = "";
    for (size_t i = 0; i < result->figure_count; i++)
        if (strcmp(result->figures[i].name, "majority") == 0)
            snprintf(majority, sizeof majority, "; constant prediction %.4f", result->figures[i].value);
    dse_request_note(c->request, "trained on %s with seed %llu: %s %.4f on one split, %zu held out (n = 1, no standard error%s)", c->data->name, (unsigned long long)c->request->seed,
                     dse_quality_title(result->quality_name), result->quality, result->n_test, majority);
}

/* Passes progress on; notes once how long a training of minutes takes, at the rate of its first second. */
struct paced {
    const struct dse_chosen *chosen;
    double began_s;
    atomic_bool told;
};

static bool is_cancelled(void *user)
{
    return dse_monitor_cancelled(((struct paced *)user)->chosen->request->monitor);
}

static void pace(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct paced *p = user;
    const struct dse_chosen *c = p->chosen;
    double passed = dse_clock_s() - p->began_s, whole = passed * (double)total / (double)done;
    if (done > 0 && passed >= 1.0 && !atomic_exchange(&p->told, true) && whole >= NOTED_S)
        dse_request_note(c->request, "training takes about %.0f min here; shorter: %sa smaller data set, or --model FILE.npz of `nysx-dse train`", ceil(whole / 60),
                         dse_space_find(c->bench->space, "epochs") >= 0 ? "--set epochs=1, " : "");
    dse_monitor_progress(c->request->monitor, what, done, total);
}

enum dse_status dse_chosen_train(struct dse_chosen *c, struct dse_error *err)
{
    struct paced paced = {.chosen = c, .began_s = dse_clock_s()};
    const struct dse_monitor monitor = {is_cancelled, pace, &paced};
    struct dse_run run = {.seed = c->request->seed, .jobs = c->request->jobs, .monitor = &monitor};
    struct dse_setting changes DSE_CLEANUP(dse_setting_free) = {0}, setting DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_training result = {0};
    dse_config_setting(c->bench->space, &c->config, dse_space_of_kind(c->bench->space, DSE_KNOB_ALGORITHMIC), &changes);
    DSE_TRY(dse_executor_setting(c->executor, NULL, c->data, &changes, true, &setting, err));
    DSE_TRY(dse_train(c->executor, c->data, &setting, &run, &c->model, &result, err));
    dse_setting_copy(&c->model->words, &c->trained);
    if (!c->made_up)
        c->quality = (struct dse_quality){.name = (char *)(uintptr_t)result.quality_name, .mean = result.quality, .n = 1};
    tell_trained(c, &result);
    return DSE_OK;
}

void dse_chosen_note_data(const struct dse_chosen *c)
{
    const uint64_t hash = c->model->dataset_hash;
    const char *name = c->model->dataset;
    if (!c->made_up && hash != c->profile->dataset_hash)
        dse_request_note(c->request, "the model was trained on %s (hash %016" PRIx64 "), the design is sized for %s (hash %016" PRIx64
                     "): the accelerator answers larger graphs with an error code", name, hash, c->profile->dataset,
                     c->profile->dataset_hash);
}

void dse_chosen_note_ring(const struct dse_chosen *c, const struct dse_platform *platform, int64_t slots)
{
    const struct dse_board *board = c->setup.board;
    const int64_t calls = dse_queued_calls(c->setup.family, board, &c->config), items = calls > 0 ? slots / 2 / calls : 0;
    const double shared = calls > 0 ? platform->shared : 0.0;
    char own[32], modelled[32];
    if (items < 1 || (double)items >= shared)
        return;
    dse_request_note(c->request, "--batch %.0f: the memory has room for a ring of %" PRId64 " slots; a start answers %" PRId64
                     " item%s, each with %s of the launch, the estimate counts %s", platform->batch, slots, items, items > 1 ? "s" : "",
                     dse_quantity_format(own, sizeof own, DSE_DIMENSION_TIME, platform->launch_s / (double)items),
                     dse_quantity_format(modelled, sizeof modelled, DSE_DIMENSION_TIME, platform->launch_s / shared));
}

/* With a model, the workload is computed from it: its codebooks differ from those of the profile. */
enum dse_status dse_chosen_set_up(struct dse_chosen *c, const char *file, struct dse_error *err)
{
    if (c->model != NULL)
        DSE_TRY(compare(c->bench, file, &c->trained, &c->config, err));
    DSE_TRY(set_up(c, err));
    if (c->model == NULL)
        return DSE_OK;
    DSE_TRY(dse_executor_work(c->executor, c->model, c->setup.workload, &c->work, err));
    c->setup.workload = &c->work;
    return DSE_OK;
}

void dse_chosen_free(struct dse_chosen *c)
{
    if (c->model != NULL)
        dse_model_free(c->model);
    dse_setting_free(&c->trained);
    dse_exploration_free(&c->exploration);
    dse_workload_clear(&c->measured);
    dse_workload_clear(&c->work);
    dse_dataset_free(c->data);
}
