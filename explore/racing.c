#include "explore/racing.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/version.h"
#include "datasets/split.h"
#include "executor/measure.h"
#include "explore/scores.h"
#include "search/profiled.h"

#define REPORTED_SPLITS 10
#define REPORTED_LEAST 3     /* minimum splits reported for the preset, at any cost */
#define REPORTED_SHARE 0.35  /* share of the budget reserved for the report */
#define WORKLOADS_MAX 48
#define SETTINGS_MAX 512
#define FIXED_MAX 2 /* settings that do not race: the reference of qualities, and the preset if it differs */

#define UNIT_S 0.75     /* core-seconds per unit: 0.5 to 1 by what else runs on the machine */
#define FORETELLS_S 0.2 /* seconds between progress reports before the first training run ends */

/* Reported settings are measured a second time. */
struct racing {
    const struct dse_racing *what;
    struct dse_race race;
    struct dse_setting *settings;  /* [SETTINGS_MAX], complete; race.count of them */
    struct dse_setting *mattering; /* the same without irrelevant parameters; identify the settings */
    double *reports;               /* [SETTINGS_MAX + FIXED_MAX][REPORTED_SPLITS]; the last rows are those of `fixed` */
    size_t *reported;              /* [SETTINGS_MAX + FIXED_MAX] number of reported splits */
    struct dse_setting preset, fixed[FIXED_MAX];
    size_t fixed_count;
    size_t twins[FIXED_MAX];       /* their indices among the racing settings, or SIZE_MAX */
    struct dse_monitor quiet;      /* receives Ctrl-C and the deadline */
    size_t stages;                 /* completed stages */
    bool rehearsed;                /* scores are artificial: only the work is counted */
    double expected;               /* units of the whole survey, by a rehearsal */
    double given;                  /* units of training runs of an interrupted survey */
    _Atomic uint64_t done;         /* completed part, in 1e-9 units, from finished training runs */
    double began_s, raced_s, first_units; /* times at which the survey and its race began; units of the first training run */
    _Atomic double foretold, foretold_s; /* units assumed complete before the first training run ended, and time of their report */
    struct dse_raced *told;
    struct dse_arena arena;        /* memory of the lists */
    struct dse_scores known;       /* all measurements, of this and of an interrupted survey */
};

#define LEFT_LEAST 0.1 /* part of the expected work that is left until the survey ends */

/* Units of work that are left after `done` ones. */
static double left_of(const struct racing *r, double done)
{
    return fmax(r->expected - r->given - done, LEFT_LEAST * r->expected);
}

/* Reports progress after a training run, relative to the expected total or to the deadline, whichever ends first. Before the
 * first training run ends, progress is estimated from the time. */
static void tell(struct racing *r, double units)
{
    const struct dse_racing *what = r->what;
    double done = 1e-9 * (double)atomic_fetch_add(&r->done, (uint64_t)(1e9 * units)) + units, elapsed_s = dse_clock_s() - r->began_s;
    if (done == 0)
        atomic_store(&r->foretold, (double)dse_crew_size(&what->crew) * fmin(elapsed_s / UNIT_S, 0.95 * r->first_units));
    done = fmax(done, atomic_load(&r->foretold));
    double share = fmax(done / (done + left_of(r, done)), fmin(elapsed_s / (what->deadline_s - r->began_s), 0.999));
    dse_monitor_progress(what->monitor, "survey by racing", (uint64_t)(share * DSE_MONITOR_WHOLE), DSE_MONITOR_WHOLE);
}

/* Asked often by training runs, which makes the time left count down before the first one ends. */
static bool heard(void *user)
{
    struct racing *r = user;
    double now = dse_clock_s();
    if (atomic_load(&r->done) == 0 && now >= atomic_load(&r->foretold_s) + FORETELLS_S) {
        atomic_store(&r->foretold_s, now);
        tell(r, 0);
    }
    return dse_monitor_cancelled(r->what->monitor) || now >= r->what->deadline_s;
}

static size_t items_of(const struct dse_racing *what)
{
    return what->dataset->kind->count(what->dataset->content);
}

/* Training items in a run of the choice, and in a run of the report. */
static size_t trained_inside(const struct dse_racing *what)
{
    size_t trained = dse_split_train_least(dse_split_train_least(items_of(what), 0), 0);
    return trained < DSE_RACING_ITEMS ? trained : DSE_RACING_ITEMS;
}

static double units_of(const struct racing *r, const struct dse_setting *setting, bool inside)
{
    const struct dse_racing *what = r->what;
    return what->executor->race->units(what->dataset, setting,
                                       inside ? trained_inside(what) : dse_split_train_least(items_of(what), 0));
}

/* ---- settings ---- */

/* Applies "name=value name=value …" to a setting. */
static enum dse_status change(const struct dse_knobs *knobs, const char *changes, struct dse_setting *setting, struct dse_error *err)
{
    for (const char *at = changes; *at != '\0';) {
        char name[64], value[64];
        int used = 0;
        if (sscanf(at, " %63[^= ]=%63[^ ] %n", name, value, &used) < 2)
            return dse_fail(err, DSE_BAD_USAGE, "race plan: \"%s\": must be name=value", at);
        DSE_TRY(dse_knobs_put(knobs, name, value, setting, err));
        at += used;
    }
    return DSE_OK;
}

static bool says_nothing(const struct dse_race_axis *axis, const struct dse_setting *setting)
{
    char name[64], value[64];
    if (axis->unless == NULL || sscanf(axis->unless, "%63[^=]=%63s", name, value) < 2)
        return false;
    const char *has = dse_setting_get(setting, name);
    return has != NULL && strcmp(has, value) == 0;
}

/* Adds a setting to the race if the data allow it and it is not racing yet. Takes ownership. */
static void enter(struct racing *r, struct dse_setting *setting)
{
    const struct dse_executor *executor = r->what->executor;
    struct dse_error why;
    struct dse_setting mattering = {0};
    /* The smallest training part inside a training part has more than half of the items. */
    bool known = dse_knobs_trained_values(executor->knobs, setting, NULL, &why) != DSE_OK ||
                 !dse_executor_serves(executor, r->what->dataset, setting, dse_split_train_least(items_of(r->what), 2), &why) || r->race.count == SETTINGS_MAX;
    if (!known)
        dse_knobs_mattering(executor->knobs, setting, &mattering);
    for (size_t i = 0; i < r->race.count && !known; i++)
        known = dse_setting_compare(&r->mattering[i], &mattering) == 0;
    if (known) {
        dse_setting_free(setting);
        dse_setting_free(&mattering);
        return;
    }
    struct dse_runner runner = {.units = units_of(r, setting, true), .kind = r->race.count};
    const char *kind = executor->race->kind, *own = kind != NULL ? dse_setting_get(setting, kind) : NULL;
    for (size_t i = 0; i < r->race.count && runner.kind == r->race.count; i++) /* kind: that of the first similar setting */
        if (own == NULL || strcmp(own, dse_setting_get(&r->settings[i], kind)) == 0)
            runner.kind = r->race.runners[i].kind;
    r->settings[r->race.count] = *setting;
    r->mattering[r->race.count] = mattering;
    r->race.runners[r->race.count++] = runner;
}

static void enter_copy(struct racing *r, const struct dse_setting *from)
{
    struct dse_setting whole = {0};
    dse_setting_copy(from, &whole);
    enter(r, &whole);
}

/* Crosses the axes of a stage from `axis` on. */
static enum dse_status cross(struct racing *r, const struct dse_race_stage *stage, size_t axis, const struct dse_setting *from,
                             struct dse_error *err)
{
    if (axis == stage->axis_count) {
        enter_copy(r, from);
        return DSE_OK;
    }
    const struct dse_race_axis *own = &stage->axes[axis];
    if (says_nothing(own, from))
        return cross(r, stage, axis + 1, from, err);
    for (size_t i = 0; own->changes[i] != NULL; i++) {
        struct dse_setting next DSE_CLEANUP(dse_setting_free) = {0};
        dse_setting_copy(from, &next);
        DSE_TRY(change(r->what->executor->knobs, own->changes[i], &next, err));
        DSE_TRY(cross(r, stage, axis + 1, &next, err));
    }
    return DSE_OK;
}

/* ---- training runs ---- */

/* Settings, each on `splits` splits from `first` on. */
struct task {
    struct racing *r;
    const size_t *which; /* from SETTINGS_MAX on: of `fixed` */
    size_t first, splits;
    bool inside;
    double *scores; /* [settings × splits]; NaN: not measured */
};

static const struct dse_setting *setting_of(const struct racing *r, size_t which)
{
    return which >= SETTINGS_MAX ? &r->fixed[which - SETTINGS_MAX] : &r->settings[which];
}

static uint64_t seed_of(const struct task *task, size_t split)
{
    return task->r->what->first_seed + (task->inside ? DSE_RACING_SEED : 0) + task->first + split;
}

static struct dse_job job_of(const struct dse_racing *what, const struct dse_setting *setting, uint64_t seed,
                                   const struct dse_monitor *monitor)
{
    return (struct dse_job){.executor = what->executor, .data = what->dataset, .word = what->word, .data_dir = what->data_dir,
                               .setting = setting, .run = {.seed = seed, .jobs = 1, .monitor = monitor, .metric = what->metric}};
}

static enum dse_status train_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct task *task = user;
    const struct dse_racing *what = task->r->what;
    const struct dse_setting *setting = setting_of(task->r, task->which[index / task->splits]);
    struct dse_job_result done = {0};
    struct dse_job job = job_of(what, setting, seed_of(task, index % task->splits), &task->r->quiet);
    job.run.validation = task->inside;
    job.run.at_most = task->inside ? DSE_RACING_ITEMS : 0;
    if (!isnan(task->scores[index]))
        return DSE_OK;
    enum dse_status status = dse_crew_do(&what->crew, thread, &job, &done, err);
    task->scores[index] = status == DSE_OK ? done.training.quality : NAN;
    if (status == DSE_OK)
        tell(task->r, units_of(task->r, setting, task->inside));
    return status;
}

#define EFFECT 0.2 /* spread of artificial settings relative to that of splits; fitted: docs/evidence/racing.md */

/* An artificial score: the setting's effect plus the split's. */
static double rehearse(const struct task *task, size_t index)
{
    struct dse_rng rng;
    size_t which = task->which[index / task->splits];
    dse_rng_seed(&rng, 1, which);
    double effect = dse_rng_normal(&rng);
    dse_rng_seed(&rng, seed_of(task, index % task->splits), which);
    return EFFECT * effect + dse_rng_normal(&rng);
}

/* Trains the missing runs, and stores results, also after an interruption. */
static enum dse_status train_all(struct task *task, size_t count, struct dse_error *err)
{
    struct racing *r = task->r;
    size_t all = count * task->splits;
    for (size_t i = 0; i < all && r->rehearsed; i++)
        task->scores[i] = rehearse(task, i);
    if (r->rehearsed)
        return DSE_OK;
    for (size_t i = 0; i < all; i++) {
        const struct dse_setting *setting = setting_of(r, task->which[i / task->splits]);
        task->scores[i] = NAN;
        bool found = dse_scores_find(&r->known, setting, seed_of(task, i % task->splits), task->inside, &task->scores[i]);
        r->told->found += found;
        r->given += found ? units_of(r, setting, task->inside) : 0;
    }
    enum dse_status status = dse_parallel_for(all, dse_crew_size(&r->what->crew), train_one, task, &r->quiet, err);
    for (size_t i = 0; i < all && r->what->scores != NULL; i++)
        if (!isnan(task->scores[i]))
            dse_scores_add(&r->known, setting_of(r, task->which[i / task->splits]), seed_of(task, i % task->splits), task->inside,
                           task->scores[i]);
    return status;
}

static enum dse_status measure(void *user, const size_t *which, size_t count, size_t split, double *scores, struct dse_error *err)
{
    struct racing *r = user;
    struct task task = {.r = r, .which = which, .first = split, .splits = 1, .inside = true, .scores = scores};
    return train_all(&task, count, err);
}

/* Reports settings in order, within the budget: each on all splits; with `least` each on at least three. */
static enum dse_status report(struct racing *r, const size_t *which, size_t count, bool least, double budget, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        double units = units_of(r, setting_of(r, which[i]), false);
        double reach = (budget - r->race.spent) / units;
        size_t splits = reach >= REPORTED_SPLITS ? REPORTED_SPLITS : least ? (reach > REPORTED_LEAST ? (size_t)reach : REPORTED_LEAST) : 0;
        struct task task = {.r = r, .which = &which[i], .splits = splits, .scores = &r->reports[which[i] * REPORTED_SPLITS]};
        if (splits == 0) {
            r->told->ended = true;
            return DSE_OK;
        }
        r->race.spent += (double)splits * units;
        enum dse_status status = train_all(&task, 1, err);
        size_t made = splits; /* an interrupted report uses the first splits, if they have a spread */
        for (size_t s = 0; s < splits && status != DSE_OK; s++)
            made = made == splits && isnan(task.scores[s]) ? s : made;
        made = status == DSE_OK || made >= 2 ? made : 0;
        r->reported[which[i]] = made;
        r->told->trainings += made;
        r->told->reported += which[i] < SETTINGS_MAX && made > 0;
        DSE_TRY(status);
    }
    return DSE_OK;
}

/* ---- the race ---- */

static void add_untried(struct dse_raced *told, const char *what)
{
    size_t length = strlen(told->untried);
    snprintf(told->untried + length, sizeof told->untried - length, "%s%s", length > 0 ? "; " : "", what);
}

/* One stage: the settings kept, crossed with the stage's axes; in the first stage the base, which races as it is, too. */
static enum dse_status run_stage(struct racing *r, size_t index, const struct dse_setting *base, struct dse_error *err)
{
    const struct dse_race_plan *plan = r->what->executor->race;
    const struct dse_race_stage *stage = &plan->stages[index];
    size_t before = r->race.count, last = index + 1 == plan->stage_count;
    if (index == 0) {
        enter_copy(r, base);
        DSE_TRY(cross(r, stage, 0, base, err));
    } else {
        dse_race_keep(&r->race, stage->keep);
    }
    for (size_t i = 0; i < before; i++)
        if (r->race.runners[i].fate == DSE_RACE_RUNNING)
            DSE_TRY(cross(r, stage, 0, &r->settings[i], err));
    return dse_race_run(&r->race, last ? DSE_RACE_SPLITS : DSE_RACE_LEAST + 1 + index / 2, 1.0 / (double)(plan->stage_count - index), err);
}

static enum dse_status run_race(struct racing *r, struct dse_error *err)
{
    const struct dse_race_plan *plan = r->what->executor->race;
    struct dse_setting base = {0};
    enum dse_status status = dse_executor_preset(r->what->executor, plan->base, r->what->dataset, 0, &base, err);
    for (size_t stage = 0; stage < plan->stage_count && status == DSE_OK; stage++) {
        size_t before = r->race.measurements;
        status = run_stage(r, stage, &base, err);
        r->stages += status == DSE_OK && r->race.measurements > before;
    }
    dse_setting_free(&base);
    return status;
}

/* Rank within its kind: kinds alternate. */
static size_t turn_of(const struct racing *r, size_t which)
{
    const struct dse_runner *own = &r->race.runners[which];
    size_t turn = 0;
    double sign = r->race.higher_is_better ? 1.0 : -1.0, mean = sign * dse_runner_mean(own);
    for (size_t i = 0; i < r->race.count; i++) {
        const struct dse_runner *other = &r->race.runners[i];
        double theirs = sign * dse_runner_mean(other);
        turn += i != which && other->fate == DSE_RACE_RUNNING && other->kind == own->kind && other->count > 0 &&
                (theirs > mean || (theirs == mean && i < which));
    }
    return turn;
}

/* Running settings: the best of each kind, then the second of each, …; better ones first. */
static size_t rank_running(const struct racing *r, size_t *order)
{
    size_t turns[SETTINGS_MAX];
    size_t count = 0;
    double sign = r->race.higher_is_better ? 1.0 : -1.0;
    for (size_t i = 0; i < r->race.count; i++) {
        if (r->race.runners[i].fate != DSE_RACE_RUNNING || r->race.runners[i].count == 0)
            continue;
        size_t place = count++;
        double mean = sign * dse_runner_mean(&r->race.runners[i]);
        turns[i] = turn_of(r, i);
        for (; place > 0; place--) {
            size_t before = order[place - 1];
            if (turns[before] < turns[i] ||
                (turns[before] == turns[i] && sign * dse_runner_mean(&r->race.runners[before]) >= mean))
                break;
            order[place] = before;
        }
        order[place] = i;
    }
    return count;
}

/* The racing setting that equals a fixed one, if any: it is already reported. */
static size_t find_twin(const struct racing *r, const struct dse_setting *mattering)
{
    size_t twin = 0;
    while (twin < r->race.count && (r->race.runners[twin].count < 2 || dse_setting_compare(&r->mattering[twin], mattering) != 0))
        twin++;
    return twin < r->race.count ? twin : SIZE_MAX;
}

static void report_twin(struct racing *r, size_t fixed)
{
    struct dse_setting mattering DSE_CLEANUP(dse_setting_free) = {0};
    size_t own = SETTINGS_MAX + fixed;
    dse_knobs_mattering(r->what->executor->knobs, &r->fixed[fixed], &mattering);
    size_t twin = r->twins[fixed] = find_twin(r, &mattering);
    if (twin == SIZE_MAX)
        return;
    memcpy(&r->reports[twin * REPORTED_SPLITS], &r->reports[own * REPORTED_SPLITS], REPORTED_SPLITS * sizeof *r->reports);
    r->reported[twin] = r->reported[own];
}

static bool is_twin(const struct racing *r, size_t which)
{
    bool found = false;
    for (size_t f = 0; f < r->fixed_count; f++)
        found |= r->twins[f] == which;
    return found;
}

static enum dse_status race_and_report(struct racing *r, struct dse_error *err)
{
    const struct dse_racing *what = r->what;
    const size_t fixed[FIXED_MAX] = {SETTINGS_MAX, SETTINGS_MAX + 1};
    size_t order[SETTINGS_MAX];
    DSE_TRY(report(r, fixed, r->fixed_count, true, REPORTED_SHARE / 2 * what->units, err));
    r->race.budget = (1.0 - REPORTED_SHARE) * what->units;
    DSE_TRY(run_race(r, err));
    r->told->ended |= r->race.ended;
    for (size_t f = 0; f < r->fixed_count; f++)
        report_twin(r, f);
    size_t running = rank_running(r, order), count = 0;
    for (size_t i = 0; i < running; i++)
        if (!is_twin(r, order[i]))
            order[count++] = order[i];
    return report(r, order, count, true, what->units, err);
}

/* ---- the profile ---- */

/* Estimated quality of a stopped setting over all splits: the mean of its own splits, corrected by how much easier they were for the leader. It is at
 * most the better of both scores. */
static double whole_mean(const struct racing *r, const struct dse_runner *runner)
{
    size_t leader = dse_race_leader(&r->race);
    const struct dse_runner *best = leader != SIZE_MAX ? &r->race.runners[leader] : runner;
    double easier = 0.0, sign = r->race.higher_is_better ? 1.0 : -1.0, most = -INFINITY;
    if (runner->count >= best->count)
        return dse_runner_mean(runner);
    for (size_t i = 0; i < best->count; i++)
        most = fmax(most, sign * best->score[i]);
    for (size_t i = 0; i < runner->count; i++) {
        easier += best->score[i] / (double)runner->count;
        most = fmax(most, sign * runner->score[i]);
    }
    return sign * fmin(most, sign * (dse_runner_mean(runner) + dse_runner_mean(best) - easier));
}

static void summarise(const struct racing *r, const double *scores, size_t count, struct dse_measured *out)
{
    struct dse_training runs[DSE_RACE_SPLITS > REPORTED_SPLITS ? DSE_RACE_SPLITS : REPORTED_SPLITS] = {0};
    for (size_t i = 0; i < count; i++)
        runs[i].quality = scores[i];
    runs[0].quality_name = r->what->metric;
    runs[0].higher_is_better = true;
    dse_measured_summarise(r->what->executor, runs, count, out);
}

/* A fixed setting was held out from the choice: its only quality is the reported one. */
static enum dse_status keep_fixed(const struct racing *r, size_t fixed, struct dse_profile *profile, struct dse_error *err)
{
    const struct dse_racing *what = r->what;
    char protocol[128];
    struct dse_measured reported;
    size_t own = SETTINGS_MAX + fixed, n = r->reported[own];
    summarise(r, &r->reports[own * REPORTED_SPLITS], n, &reported);
    dse_dataset_protocol(what->dataset, what->first_seed, n, protocol, sizeof protocol);
    struct dse_quality quality = {.name = (char *)(uintptr_t)reported.name, .higher_is_better = reported.higher_is_better,
                                  .mean = reported.mean, .std = reported.std, .n = (int64_t)n, .protocol = protocol,
                                  .reported_mean = reported.mean, .reported_std = reported.std, .reported_n = (int64_t)n};
    struct dse_setting mattering DSE_CLEANUP(dse_setting_free) = {0};
    dse_knobs_mattering(what->executor->knobs, &r->fixed[fixed], &mattering);
    quality.setting = mattering;
    return dse_profile_add_quality(profile, &quality, err);
}

static enum dse_status keep_quality(const struct racing *r, size_t which, struct dse_profile *profile, struct dse_error *err)
{
    const struct dse_racing *what = r->what;
    struct dse_runner *runner = &r->race.runners[which];
    char protocol[192];
    struct dse_measured measured, reported = {0};
    size_t n = r->reported[which];
    summarise(r, runner->score, runner->count, &measured);
    if (n > 0)
        summarise(r, &r->reports[which * REPORTED_SPLITS], n, &reported);
    snprintf(protocol, sizeof protocol, "validation parts, seeds %llu to %llu", (unsigned long long)what->first_seed + DSE_RACING_SEED,
             (unsigned long long)what->first_seed + DSE_RACING_SEED + runner->count - 1);
    struct dse_quality quality = {.setting = r->mattering[which], .name = (char *)(uintptr_t)measured.name,
                                  .higher_is_better = measured.higher_is_better, .mean = whole_mean(r, runner), .std = measured.std,
                                  .n = (int64_t)measured.n, .protocol = protocol, .validation = runner->score,
                                  .validation_count = runner->count, .reported_mean = reported.mean,
                                  .reported_std = reported.std, .reported_n = (int64_t)n};
    return dse_profile_quality(profile, &quality.setting) == NULL ? dse_profile_add_quality(profile, &quality, err) : DSE_OK;
}

struct measuring {
    const struct racing *r;
    const size_t *which;
    struct dse_workload *workloads;
};

static enum dse_status measure_workload(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct measuring *m = user;
    const struct dse_racing *what = m->r->what;
    struct dse_job job = job_of(what, setting_of(m->r, m->which[index]), what->first_seed, what->monitor);
    struct dse_job_result done = {0};
    job.workload = true;
    enum dse_status status = dse_crew_do(&what->crew, thread, &job, &done, err);
    m->workloads[index] = done.workload;
    return status;
}

/* Settings whose workloads are computed: the fixed and the reported ones, then those that got far, best first; one per distinct
 * workload. */
static size_t choose_workloads(const struct racing *r, size_t which[WORKLOADS_MAX])
{
    struct dse_setting keys[WORKLOADS_MAX] = {0};
    bool taken[SETTINGS_MAX + FIXED_MAX] = {false};
    size_t count = 0;
    double sign = r->race.higher_is_better ? 1.0 : -1.0;
    for (size_t turn = 0; turn < r->fixed_count + r->race.count && count < WORKLOADS_MAX; turn++) {
        bool fixed = turn < r->fixed_count;
        size_t best = fixed ? SETTINGS_MAX + turn : SIZE_MAX;
        for (size_t i = 0; !fixed && i < r->race.count; i++) {
            const struct dse_runner *own = &r->race.runners[i], *other = best < SIZE_MAX ? &r->race.runners[best] : NULL;
            if (!taken[i] && own->count > 0 &&
                (other == NULL || (r->reported[i] > 0) > (r->reported[best] > 0) ||
                 ((r->reported[i] > 0) == (r->reported[best] > 0) && sign * dse_runner_mean(own) > sign * dse_runner_mean(other))))
                best = i;
        }
        if (best == SIZE_MAX)
            break;
        taken[best] = true;
        dse_knobs_work_key(r->what->executor->knobs, setting_of(r, best), &keys[count]);
        bool known = false;
        for (size_t k = 0; k < count && !known; k++)
            known = dse_setting_compare(&keys[k], &keys[count]) == 0;
        if (known)
            dse_setting_free(&keys[count]);
        else
            which[count++] = best;
    }
    for (size_t k = 0; k < count; k++)
        dse_setting_free(&keys[k]);
    return count;
}

static enum dse_status keep_workloads(const struct racing *r, struct dse_profile *profile, struct dse_error *err)
{
    size_t which[WORKLOADS_MAX], count = choose_workloads(r, which);
    struct dse_workload workloads[WORKLOADS_MAX] = {0};
    struct measuring m = {r, which, workloads};
    enum dse_status status = dse_parallel_for(count, dse_crew_size(&r->what->crew), measure_workload, &m, r->what->monitor, err);
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        if (dse_profile_workload(profile, setting_of(r, which[i])) == NULL)
            status = dse_profile_take_workload(profile, &workloads[i], err);
    for (size_t i = 0; i < count; i++)
        dse_workload_clear(&workloads[i]);
    return status;
}

static enum dse_status fill(const struct racing *r, struct dse_profile *profile, struct dse_error *err)
{
    dse_setting_copy(&r->preset, &profile->preset);
    dse_dataset_facts(r->what->dataset, &profile->facts);
    DSE_TRY(keep_workloads(r, profile, err));
    for (size_t f = 0; f < r->fixed_count; f++)
        if (r->reported[SETTINGS_MAX + f] > 0 && r->twins[f] == SIZE_MAX)
            DSE_TRY(keep_fixed(r, f, profile, err));
    for (size_t i = 0; i < r->race.count; i++)
        if (r->race.runners[i].count > 1)
            DSE_TRY(keep_quality(r, i, profile, err));
    return DSE_OK;
}

static void sum_up(struct racing *r)
{
    struct dse_raced *told = r->told;
    char text[96];
    for (size_t i = 0; i < r->race.count; i++) {
        told->settings += r->race.runners[i].count > 0;
        told->stopped += r->race.runners[i].fate == DSE_RACE_LOST;
    }
    snprintf(text, sizeof text, "%zu settings of its plan", r->race.count - told->settings);
    if (told->settings < r->race.count)
        add_untried(told, text);
    for (size_t stage = r->stages; stage < r->what->executor->race->stage_count; stage++)
        add_untried(told, r->what->executor->race->stages[stage].what);
    told->trainings += r->race.measurements;
    double done = 1e-9 * (double)atomic_load(&r->done);
    told->units = told->cut ? done + r->given : r->race.spent;
    told->whole = told->cut ? told->units + left_of(r, done) : r->what->units;
    told->left_s = told->cut && done > 0 ? r->raced_s * left_of(r, done) / done : NAN;
}

/* Settings that are reported in any case: the reference first, whose quality decides the minimum. */
static enum dse_status find_fixed(struct racing *r, struct dse_error *err)
{
    const struct dse_executor *executor = r->what->executor;
    DSE_TRY(dse_executor_preset(executor, NULL, r->what->dataset, 0, &r->preset, err));
    for (size_t f = 0; f < FIXED_MAX; f++)
        dse_setting_copy(&r->preset, &r->fixed[f]);
    dse_knobs_over(executor->knobs, DSE_REFERENCE, NULL, &r->fixed[0]);
    r->fixed_count = dse_setting_compare(&r->fixed[0], &r->fixed[1]) == 0 ? 1 : FIXED_MAX;
    return DSE_OK;
}

static enum dse_status survey(struct racing *r, struct dse_profile **out, struct dse_error *err)
{
    const struct dse_racing *what = r->what;
    DSE_TRY(find_fixed(r, err));
    r->first_units = units_of(r, &r->fixed[0], false);
    enum dse_status status = race_and_report(r, err);
    bool asked = dse_monitor_cancelled(what->monitor);
    r->raced_s = dse_clock_s() - r->began_s;
    r->told->cut = status == DSE_CANCELLED && heard(r) && (!asked || what->go_on != NULL);
    r->told->asked = asked && r->told->cut;
    if (r->told->asked)
        what->go_on(what->user);
    if (status == DSE_OK)
        dse_scores_free(&r->known); /* the survey is complete: nothing to resume from */
    if (what->scores != NULL)
        r->told->kept = dse_scores_write(&r->known, what->scores) && status == DSE_CANCELLED;
    DSE_TRY(r->told->cut ? DSE_OK : status);
    sum_up(r);
    *out = dse_profile_create(what->executor->family, what->dataset->name, what->dataset->hash, DSE_VERSION, what->command);
    return fill(r, *out, err);
}

bool dse_racing_affords(const struct dse_executor *executor, const struct dse_dataset *data, double units)
{
    struct dse_setting preset = {0};
    struct dse_error ignored;
    bool affords = executor->race != NULL && dse_executor_preset(executor, NULL, data, 0, &preset, &ignored) == DSE_OK;
    size_t trained = dse_split_train_least(data->kind->count(data->content), 0);
    affords = affords && REPORTED_LEAST * executor->race->units(data, &preset, trained) <= REPORTED_SHARE / 2 * units;
    dse_setting_free(&preset);
    return affords;
}

static void free_racing(struct racing *r)
{
    for (size_t i = 0; i < r->race.count; i++) {
        dse_setting_free(&r->settings[i]);
        dse_setting_free(&r->mattering[i]);
    }
    dse_setting_free(&r->preset);
    for (size_t f = 0; f < FIXED_MAX; f++)
        dse_setting_free(&r->fixed[f]);
    dse_scores_free(&r->known);
    dse_arena_free(&r->arena);
}

static void open_racing(const struct dse_racing *what, struct dse_raced *told, struct racing *r)
{
    *r = (struct racing){.what = what, .told = told, .twins = {SIZE_MAX, SIZE_MAX}, .quiet = {.cancelled = heard, .user = r}, .began_s = dse_clock_s()};
    *told = (struct dse_raced){0};
    r->settings = dse_arena_alloc(&r->arena, SETTINGS_MAX, sizeof *r->settings);
    r->mattering = dse_arena_alloc(&r->arena, SETTINGS_MAX, sizeof *r->mattering);
    r->reports = dse_arena_alloc(&r->arena, (SETTINGS_MAX + FIXED_MAX) * REPORTED_SPLITS, sizeof *r->reports);
    r->reported = dse_arena_alloc(&r->arena, SETTINGS_MAX + FIXED_MAX, sizeof *r->reported);
    r->race = (struct dse_race){.runners = dse_arena_alloc(&r->arena, SETTINGS_MAX, sizeof *r->race.runners), .overlap = 0.25,
                                .measure = measure, .higher_is_better = what->executor->higher_is_better, .user = r};
}

/* Units of a survey whose training runs are only counted: its plan, stages, stops and budget. */
static double rehearsed_units(const struct dse_executor *executor, const struct dse_dataset *data, double units)
{
    struct dse_raced told;
    struct dse_error ignored;
    const struct dse_racing what = {.executor = executor, .dataset = data, .units = units};
    struct racing r DSE_CLEANUP(free_racing);
    open_racing(&what, &told, &r);
    r.rehearsed = true;
    bool served = find_fixed(&r, &ignored) == DSE_OK && race_and_report(&r, &ignored) == DSE_OK;
    return served ? r.race.spent : units;
}

double dse_racing_seconds(const struct dse_executor *executor, const struct dse_dataset *data, double units)
{
    const double cores = 2;
    return rehearsed_units(executor, data, units) * UNIT_S / cores;
}

enum dse_status dse_racing_survey(const struct dse_racing *what, struct dse_profile **out, struct dse_raced *told,
                                  struct dse_error *err)
{
    struct racing r DSE_CLEANUP(free_racing);
    *out = NULL;
    open_racing(what, told, &r);
    r.expected = rehearsed_units(what->executor, what->dataset, what->units);
    tell(&r, 0);
    dse_scores_read(what->scores, &r.known);
    enum dse_status status = survey(&r, out, err);
    if (status != DSE_OK) {
        dse_profile_free(*out);
        *out = NULL;
    }
    return status;
}
