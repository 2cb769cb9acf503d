#include "dse/demanding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"

/* How the settings of a search ended; what is not decided was left by the budget. */
struct counts {
    size_t settings, measured, below, infeasible, dominated, open, trainings;
};

/* What the parts of a search on demand share. */
struct demanding {
    struct dse_asking *asking;
    struct dse_demand demand;
    dse_front_search *search;
    void *user;
};

static enum dse_status search_one(void *user, const struct dse_question *question, struct dse_answer *answer,
                                  struct dse_error *err)
{
    const struct demanding *d = user;
    return d->search(d->user, question, answer, err);
}

static size_t open_candidates(const struct dse_demand *demand)
{
    size_t open = 0;
    for (size_t i = 0; i < demand->candidate_count; i++)
        open += demand->candidates[i].fate == DSE_FATE_OPEN;
    return open;
}

static enum dse_status measure(void *user, const size_t *which, size_t count, double *quality, bool *ended,
                               struct dse_error *err)
{
    struct demanding *d = user;
    struct dse_trainings *trials = &d->asking->trials;
    struct dse_setting *settings = calloc(count + 1, sizeof *settings); /* borrowed */
    if (settings == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < count; i++)
        settings[i] = d->asking->settings[which[i]];
    trials->total = trials->trainings + trials->found + open_candidates(&d->demand) * trials->seeds;
    enum dse_status status = dse_trainings_quality(trials, settings, count, quality, ended, err);
    free(settings);
    return status;
}

static enum dse_status make_candidates(struct demanding *d, struct dse_error *err)
{
    struct dse_asking *asking = d->asking;
    struct dse_demand *demand = &d->demand;
    demand->candidates = calloc(asking->candidates.count + 1, sizeof *demand->candidates);
    if (demand->candidates == NULL)
        return dse_fail_memory(err);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < asking->candidates.count && status == DSE_OK; i++) {
        struct dse_candidate *candidate = &demand->candidates[demand->candidate_count++];
        candidate->alternative = (struct dse_alternative){.config = asking->candidates.configs[i], .quality = NAN};
        if (asking->possible[i])
            status = dse_profile_work(asking->space, asking->own, &asking->candidates.configs[i],
                                      &candidate->alternative.workload, err);
        else
            candidate->fate = DSE_FATE_INFEASIBLE;
    }
    return status;
}

static void count_fates(const struct demanding *d, struct counts *counts)
{
    size_t *const of[] = {[DSE_FATE_OPEN] = &counts->open, [DSE_FATE_MEASURED] = &counts->measured,
                          [DSE_FATE_BELOW] = &counts->below, [DSE_FATE_INFEASIBLE] = &counts->infeasible,
                          [DSE_FATE_DOMINATED] = &counts->dominated};
    counts->settings = d->demand.candidate_count;
    for (size_t i = 0; i < d->demand.candidate_count; i++)
        ++*of[d->demand.candidates[i].fate];
    counts->trainings = d->asking->trials.trainings + d->asking->trials.found;
}

static void write_counts(const struct counts *counts, char *text, size_t size)
{
    *text = '\0';
    if (counts->settings > 0)
        snprintf(text, size, "%zu settings that nobody had measured: %zu measured now, %zu of them below what was asked; %zu do not fit, "
                 "%zu are dominated whatever their quality; %zu left by --budget (%zu trainings)", counts->settings,
                 counts->measured + counts->below, counts->below, counts->infeasible, counts->dominated, counts->open, counts->trainings);
}

static enum dse_status run_demand(struct dse_asking *asking, dse_front_search *search, void *user,
                                  struct dse_answer *answer, struct counts *counts, struct dse_error *err)
{
    const struct dse_trainings *trials = &asking->trials;
    struct demanding d = {.asking = asking, .search = search, .user = user};
    bool higher = trials->executor->higher_is_better;
    d.demand = (struct dse_demand){.question = &asking->question, .least_quality = asking->least_quality,
                                   .best_quality = higher ? 1.0 : 0.0, .batch = (8 + trials->seeds - 1) / trials->seeds,
                                   .search = search_one, .measure = measure, .user = &d};
    enum dse_status status = make_candidates(&d, err);
    if (status == DSE_OK)
        status = dse_demand_run(&d.demand, answer, err);
    count_fates(&d, counts);
    if (status == DSE_ANSWER_NO && counts->open > 0)
        status = dse_fail(err, DSE_LIMIT, "--budget ended: nothing of the %zu settings measured so far is feasible, and %zu are "
                          "not measured", counts->measured + counts->below, counts->open);
    free(d.demand.candidates);
    return status;
}

/* The settings that are measured already, then the others. */
static enum dse_status answer_all(struct dse_asking *asking, dse_front_search *search, void *user,
                                  struct dse_answer *answer, struct counts *counts, struct dse_error *err)
{
    struct dse_question *question = &asking->question;
    enum dse_status status = DSE_ANSWER_NO;
    *answer = (struct dse_answer){.proven = true};
    if (question->alternative_count > 0)
        status = search(user, question, answer, err);
    /* A heuristic that was interrupted has an answer, but not that of its whole effort. */
    if (status == DSE_OK && !answer->proven && dse_monitor_cancelled(question->monitor))
        status = dse_fail(err, DSE_LIMIT, "interrupted");
    if ((status != DSE_OK && status != DSE_ANSWER_NO) || asking->candidates.count == 0)
        return status;
    status = run_demand(asking, search, user, answer, counts, err);
    if (status == DSE_ANSWER_NO) {
        /* Why is asked about everything that was measured. */
        struct dse_error none = {0};
        if (dse_asking_refresh(asking, &none) != DSE_OK)
            *err = none;
    }
    return status;
}

/* ---- a search's time ---- */

/* A monitor that also hears of the end of a search's time. */
struct timed {
    const struct dse_monitor *inner;
    struct dse_monitor monitor;
    double deadline_s;
};

static bool is_over(void *user)
{
    const struct timed *timed = user;
    return dse_monitor_cancelled(timed->inner) || dse_clock_s() >= timed->deadline_s;
}

static void pass_on(void *user, const char *what, uint64_t done, uint64_t total)
{
    const struct timed *timed = user;
    dse_monitor_progress(timed->inner, what, done, total);
}

/* As answer_all, within --budget: what is found by then is an answer that is not proven. Where settings are to be measured
 * the budget is the trials'. */
static enum dse_status answer_in_time(struct dse_asking *asking, dse_front_search *search, void *user, bool *ended,
                                      struct dse_answer *answer, struct counts *counts, struct dse_error *err)
{
    struct dse_question *question = &asking->question;
    struct timed timed = {.inner = question->monitor, .deadline_s = dse_clock_s() + asking->asked->search_s};
    bool limited = asking->candidates.count == 0 && isfinite(asking->asked->search_s);
    *ended = false;
    if (!limited)
        return answer_all(asking, search, user, answer, counts, err);
    timed.monitor = (struct dse_monitor){is_over, pass_on, &timed};
    question->monitor = &timed.monitor;
    enum dse_status status = answer_all(asking, search, user, answer, counts, err);
    *ended = status == DSE_LIMIT && is_over(&timed) && !dse_monitor_cancelled(timed.inner);
    question->monitor = timed.inner;
    if (!*ended)
        return status;
    answer->proven = false;
    err->message[0] = '\0';
    return answer->front_count > 0 ? DSE_OK
                                   : dse_fail(err, DSE_LIMIT, "--budget ended before a feasible design was found, which proves "
                                              "nothing");
}

enum dse_status dse_demanding_answer(struct dse_asking *asking, struct dse_study *study, size_t exploration,
                                     dse_front_search *search, void *user, struct dse_answer *answer,
                                     char remark[256], struct dse_error *err)
{
    struct dse_question *question = &asking->question;
    struct dse_checkpoint checkpoint = {0};
    struct counts counts = {0};
    *answer = (struct dse_answer){0};
    *remark = '\0';
    const struct dse_study_exploration *kept_as = study != NULL ? dse_study_exploration_at(study, exploration) : NULL;
    if (kept_as != NULL && kept_as->state == DSE_STUDY_DONE) {
        snprintf(remark, 256, "%s", kept_as->remark);
        return dse_study_answer(study, exploration, question, answer, err);
    }
    enum dse_status status = study != NULL ? dse_study_checkpoint(study, exploration, question, &checkpoint, err) : DSE_OK;
    if (status != DSE_OK)
        return status;
    bool ended = false;
    question->checkpoint = study != NULL ? &checkpoint : NULL;
    status = answer_in_time(asking, search, user, &ended, answer, &counts, err);
    question->checkpoint = NULL;
    write_counts(&counts, remark, 256);
    if (ended && status == DSE_OK)
        snprintf(remark, 256, "--budget ended before the search: this is the best so far, not proven%s",
                 study != NULL ? "; --resume goes on" : "");
    if (study == NULL || ended || (status != DSE_OK && status != DSE_ANSWER_NO))
        return status;
    struct dse_error kept = {0};
    enum dse_study_state state =
        status != DSE_OK ? DSE_STUDY_NOTHING : counts.open > 0 ? DSE_STUDY_PARTIAL : DSE_STUDY_DONE;
    enum dse_status finished = dse_study_finish(study, exploration, question, answer, state, remark, &kept);
    if (finished != DSE_OK)
        *err = kept;
    return finished == DSE_OK ? status : finished;
}
