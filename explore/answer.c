/* Answers an exploration: searches by its method, within its budget, over measured settings and settings
 * that may be measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/timed.h"
#include "core/units.h"
#include "explore/corners.h"
#include "explore/loaded.h"
#include "search/filter.h"
#include "search/tables.h"

/* ---- the search ---- */

/* Time left for the search; infinity: no limit. */
static double seconds_of(const struct dse_exploration *e)
{
    return (e->terms->method == DSE_METHOD_HEURISTIC ? e->terms->effort.seconds : e->terms->search_s) - e->spent_s;
}

/* Under a time limit the exact merge gets half; if it has no design by then, the heuristic gets the rest. */
static enum dse_status search_exactly(const struct dse_exploration *e, const struct dse_question *question, double seconds, struct dse_answer *answer,
                                      struct dse_error *err)
{
    const struct dse_fallback fallback = {.after_s = 0.5 * seconds,
                                          .effort = {.seed = e->request->seed, .evaluations = UINT64_MAX, .seconds = 0.5 * seconds}};
    struct dse_question own = *question;
    own.fallback = isfinite(seconds) && e->settings.count == 0 ? &fallback : NULL;
    return dse_search_exact(&own, answer, err);
}

/* The best design of the heuristic, beside the bound of programs that have found none. */
static enum dse_status take_heuristic(struct dse_exploration *e, const struct dse_question *question, double seconds, struct dse_answer *answer,
                                      struct dse_error *err)
{
    const struct dse_effort effort = {.seed = e->request->seed, .evaluations = UINT64_MAX, .seconds = seconds};
    struct dse_answer found DSE_CLEANUP(dse_answer_free) = {0};
    DSE_TRY(dse_search_heuristic(question, &effort, &found, err));
    e->optimum.seconds += found.seconds;
    if (found.front_count > 0) {
        struct dse_optimum *optimum = &e->optimum;
        optimum->found = true;
        optimum->point = found.front[0];
        optimum->objective = found.front[0].metrics[question->objectives[0]];
        optimum->gap = fabs((optimum->objective - optimum->bound) / optimum->objective);
    }
    dse_optimum_answer(&e->optimum, answer);
    answer->history = found.history;
    answer->history_count = found.history_count;
    found.history = NULL;
    return dse_fail_cancelled(err);
}

/* Integer programs, which have half of a time, as the exact merge. */
static enum dse_status search_by_programs(struct dse_exploration *e, const struct dse_question *question, double seconds, struct dse_answer *answer,
                                          struct dse_error *err)
{
    const bool again = e->terms->p99_load_s > 0.0 && e->optimum.slices > 0; /* one of the further programs of a load: the first is written */
    const struct dse_ilp_model model = {again ? NULL : dse_request_word(e->request, "write-lp"), dse_request_flag(e->request, "cutoff")};
    const double half = 0.5 * seconds;
    struct dse_question own = *question;
    struct dse_timed timed;
    dse_timed_begin(&timed, question->monitor, half);
    own.monitor = isfinite(half) ? &timed.monitor : question->monitor;
    enum dse_status status = dse_search_ilp(&own, model.path != NULL ? &model : NULL, &e->optimum, err);
    if (status == DSE_CANCELLED && !e->optimum.found && isfinite(half) && !dse_monitor_cancelled(question->monitor))
        return take_heuristic(e, question, half, answer, err);
    if (status == DSE_OK || status == DSE_CANCELLED)
        dse_optimum_answer(&e->optimum, answer); /* an interrupted search may have a design and a bound */
    return status;
}

static enum dse_status search_by_method(void *user, const struct dse_question *question, const struct dse_effort *effort, struct dse_answer *answer,
                                        struct dse_error *err)
{
    struct dse_exploration *e = user;
    *answer = (struct dse_answer){0};
    DSE_TRY(dse_question_bounds(question, e->terms->method == DSE_METHOD_EXACT || e->terms->method == DSE_METHOD_ILP ? dse_method_names[e->terms->method] : NULL, err));
    switch (e->terms->method) {
    case DSE_METHOD_EXACT: return search_exactly(e, question, effort->seconds, answer, err);
    case DSE_METHOD_EXHAUSTIVE: return dse_search_exhaustive(question, answer, err);
    case DSE_METHOD_HEURISTIC: return dse_search_heuristic(question, effort, answer, err);
    case DSE_METHOD_ILP: break;
    }
    return search_by_programs(e, question, effort->seconds, answer, err);
}

static enum dse_status search(struct dse_exploration *e, const struct dse_question *question, struct dse_answer *answer, struct dse_error *err)
{
    struct dse_effort effort = e->terms->effort;
    const bool loaded = e->terms->p99_load_s > 0.0, measures = e->settings.count > 0 && e->terms->method != DSE_METHOD_HEURISTIC;
    effort.seconds = loaded && measures ? INFINITY : seconds_of(e); /* then the budget is for training runs */
    DSE_TRY(loaded ? dse_loaded_answer(e, question, &effort, search_by_method, e, &e->optimum, answer, &e->least_load, err)
                   : search_by_method(e, question, &effort, answer, err));
    return dse_filters_computed(question, err);
}

/* ---- lazy quality ---- */

struct asking {
    struct dse_exploration *exploration;
    struct dse_lazy lazy;
};

static enum dse_status search_one(void *user, size_t which, const struct dse_question *question, struct dse_answer *answer,
                                  struct dse_error *err)
{
    const struct asking *asking = user;
    (void)which;
    return search(asking->exploration, question, answer, err);
}

static enum dse_status measure(void *user, const size_t *which, size_t count, double *quality, bool *ended,
                               struct dse_error *err)
{
    struct asking *asking = user;
    struct dse_trainings *trainings = &asking->exploration->trainings;
    struct dse_setting *settings = dse_calloc(count + 1, sizeof *settings); /* borrowed */
    size_t open = 0;
    for (size_t i = 0; i < count; i++)
        settings[i] = asking->exploration->settings.full[which[i]];
    for (size_t i = 0; i < asking->lazy.candidate_count; i++)
        open += asking->lazy.candidates[i].fate == DSE_FATE_OPEN;
    trainings->total = trainings->trainings + trainings->found + open * trainings->seeds;
    enum dse_status status = dse_trainings_quality(trainings, settings, count, quality, ended, err);
    free(settings);
    return status;
}

static enum dse_status make_candidates(const struct dse_exploration *e, struct dse_candidate *out, struct dse_error *err)
{
    for (size_t i = 0; i < e->settings.count; i++) {
        out[i].alternative = (struct dse_alternative){.config = e->settings.configs[i], .quality = NAN};
        if (e->settings.possible[i])
            DSE_TRY(dse_profile_work(e->space, e->own, &e->settings.configs[i], &out[i].alternative.workload, err));
        else
            out[i].fate = DSE_FATE_INFEASIBLE;
    }
    return DSE_OK;
}

/* Adds settings without a measured quality to the answer. */
static enum dse_status answer_lazily(struct dse_exploration *e, struct dse_fates *counts, struct dse_error *err)
{
    struct dse_candidate *candidates DSE_CLEANUP(dse_free_at) = dse_calloc(e->settings.count + 1, sizeof *candidates);
    struct asking asking = {.exploration = e};
    asking.lazy = (struct dse_lazy){.question = &e->question, .candidates = candidates, .candidate_count = e->settings.count,
                                    .least_quality = e->standard.floor,
                                    .best_quality = e->trainings.executor->higher_is_better ? 1.0 : 0.0,
                                    .batch = (8 + e->trainings.seeds - 1) / e->trainings.seeds, .search = search_one,
                                    .measure = measure, .user = &asking};
    DSE_TRY(make_candidates(e, candidates, err));
    enum dse_status status = dse_lazy_search(&asking.lazy, &e->answer, err);
    e->answer.proven &= e->settings.crossed == 0;
    dse_fates_count(&asking.lazy, counts);
    counts->crossed = e->settings.crossed;
    counts->trainings = e->trainings.trainings + e->trainings.found;
    return status;
}

/* ---- the whole answer ---- */

/* Searches measured settings, then unmeasured ones. If there are unmeasured ones, the budget is for training runs. */
static enum dse_status answer_all(struct dse_exploration *e, struct dse_fates *counts, struct dse_error *err)
{
    struct dse_question *question = &e->question;
    struct dse_timed timed;
    dse_timed_begin(&timed, question->monitor, seconds_of(e));
    bool lazy = e->settings.count > 0, ends_itself = e->terms->method == DSE_METHOD_HEURISTIC && e->terms->p99_load_s <= 0.0;
    enum dse_status status = DSE_OK;
    e->answer = (struct dse_answer){.outcome = DSE_OUTCOME_NOTHING, .proven = true};
    if (!lazy && !ends_itself && isfinite(seconds_of(e)))
        question->monitor = &timed.monitor;
    if (question->alternative_count > 0)
        status = search(e, question, &e->answer, err);
    question->monitor = timed.inner;
    bool cancelled = dse_monitor_cancelled(question->monitor);
    /* An interrupted heuristic has an answer, but not with its full effort. */
    if (status == DSE_CANCELLED || (status == DSE_OK && !e->answer.proven && cancelled)) {
        e->answer.outcome = cancelled ? DSE_OUTCOME_INTERRUPTED : DSE_OUTCOME_BUDGET;
        if (!lazy) /* the search counted the visited designs */
            e->answer.space_size = dse_question_size(question);
        return DSE_OK;
    }
    return status == DSE_OK && lazy ? answer_lazily(e, counts, err) : status;
}

/* ---- outcome ---- */

static bool launch_exceeds(const struct dse_exploration *e)
{
    return e->terms->p99_load_s > 0.0 && dse_loaded_launch_s(e) >= e->terms->p99_load_s;
}

static void tell_load(struct dse_exploration *e)
{
    char asked[32], least[32], launch[32];
    const bool served = isfinite(e->least_load.s), exceeds = launch_exceeds(e);
    dse_quantity_format(least, sizeof least, DSE_DIMENSION_TIME, e->least_load.s);
    dse_quantity_format(launch, sizeof launch, DSE_DIMENSION_TIME, dse_loaded_launch_s(e));
    dse_fail(&e->ended, e->answer.proven ? DSE_ANSWER_NO : DSE_LIMIT, "p99_load<=%s: no design found %s at --rate %s%s%s%s%s%s%s",
             dse_quantity_format(asked, sizeof asked, DSE_DIMENSION_TIME, e->terms->p99_load_s), served ? "meets it" : "keeps up", e->terms->rate,
             served ? "; the nearest design simulated takes " : "", served ? least : "", exceeds ? "; one launch by " : "", exceeds ? e->question.board->host.name : "",
             exceeds ? " already takes " : "", exceeds ? launch : "");
}

/* The limits that p99_load puts on every design take part in the explanation. */
static void tell_bounds(struct dse_exploration *e)
{
    const struct dse_error found = e->ended;
    char launch[32];
    dse_quantity_format(launch, sizeof launch, DSE_DIMENSION_TIME, dse_loaded_launch_s(e));
    dse_fail(&e->ended, found.status, "%s; p99_load needs a throughput_system of at least --rate %s, and %s%s%s%s", found.message, e->terms->rate,
             launch_exceeds(e) ? "one launch by " : "a latency_p99 of at most the limit less a launch by ", e->question.board->host.name,
             launch_exceeds(e) ? " already takes " : "", launch_exceeds(e) ? launch : "");
}

static void tell_nothing(struct dse_exploration *e)
{
    dse_answer_nothing(&e->answer, &e->ended);
    if (e->least_load.s > 0.0 && !e->least_load.bound)
        tell_load(e);
    else if (e->terms->p99_load_s > 0.0)
        tell_bounds(e);
}

static void end(struct dse_exploration *e, const struct dse_fates *counts)
{
    struct dse_answer *answer = &e->answer;
    size_t open = counts->of[DSE_FATE_OPEN];
    dse_fates_write(counts, e->remark, sizeof e->remark);
    if (launch_exceeds(e)) { /* whatever the search has looked at */
        answer->proven = true;
        answer->outcome = answer->outcome == DSE_OUTCOME_INTERRUPTED ? answer->outcome : DSE_OUTCOME_NOTHING;
    }
    switch (answer->outcome) {
    case DSE_OUTCOME_FOUND: break;
    case DSE_OUTCOME_NOTHING:
        tell_nothing(e);
        answer->outcome = answer->proven ? DSE_OUTCOME_NOTHING : DSE_OUTCOME_BUDGET; /* a heuristic or a sample may have missed a design */
        break;
    case DSE_OUTCOME_INTERRUPTED: dse_fail_cancelled(&e->ended); break;
    case DSE_OUTCOME_BUDGET:
        answer->proven = false;
        if (open > 0 && answer->front_count == 0)
            dse_fail(&e->ended, DSE_LIMIT, "--budget ended: none of the %zu settings measured so far is feasible; %zu are "
                     "not measured", counts->of[DSE_FATE_MEASURED] + counts->of[DSE_FATE_BELOW], open);
        else if (answer->front_count == 0)
            dse_fail(&e->ended, DSE_LIMIT, "--budget ended before a feasible design was found; this is no proof of infeasibility");
        else if (open == 0 && dse_exploration_found_by(e) != e->terms->method)
            snprintf(e->remark, sizeof e->remark, "%s had no design after half of --budget: the heuristic found %s, not proven%s", dse_method_names[e->terms->method],
                     answer->front_count > 1 ? "these" : "this", e->terms->method == DSE_METHOD_ILP ? "; try --method exact" : e->study != NULL ? "; --resume continues" : "");
        else if (open == 0) {
            char share[48] = "before the search";
            if (answer->looked_at > 0.0)
                snprintf(share, sizeof share, "the search after %.2g %% of the space", 100.0 * answer->looked_at);
            snprintf(e->remark, sizeof e->remark, "--budget ended %s: this is the best so far, not proven%s", share,
                     e->study != NULL ? "; --resume continues" : "");
        }
        break;
    }
}

/* Stores a complete result, or one that lacks only settings, as the exploration's answer; an interrupted search continues on resumption. */
static enum dse_status keep(const struct dse_exploration *e, const struct dse_fates *counts, struct dse_error *err)
{
    size_t open = counts->of[DSE_FATE_OPEN];
    enum dse_study_state state = DSE_STUDY_OPEN;
    switch (e->answer.outcome) {
    case DSE_OUTCOME_FOUND: state = DSE_STUDY_DONE; break;
    case DSE_OUTCOME_NOTHING: state = DSE_STUDY_NOTHING; break;
    case DSE_OUTCOME_BUDGET: state = open > 0 && e->answer.front_count > 0 ? DSE_STUDY_PARTIAL : DSE_STUDY_OPEN; break;
    case DSE_OUTCOME_INTERRUPTED: break;
    }
    return e->study == NULL || state == DSE_STUDY_OPEN
               ? DSE_OK
               : dse_study_finish(e->study, e->index, &e->question, &e->answer, state, e->remark, err);
}

/* Takes the best design and its proof status; the integer program has already set both. `value`: the objective before ties were broken. For a quality,
 * breaking ties may choose a design within one standard error. NaN: unknown, because the study was resumed after such a choice. */
static void take_optimum(struct dse_exploration *e, double value)
{
    const struct dse_answer *answer = &e->answer;
    if (!e->terms->one || answer->front_count == 0 || e->optimum.slices > 0)
        return;
    e->optimum = (struct dse_optimum){.found = true, .point = answer->front[0],
                                      .objective = isnan(value) ? answer->front[0].metrics[e->question.objectives[0]] : value,
                                      .bound = answer->proven ? value : NAN, .gap = answer->proven && !isnan(value) ? 0.0 : NAN,
                                      .proven = answer->proven, .space_size = answer->space_size,
                                      .seconds = answer->seconds};
}

/* Tie-breakers between designs of equal objective, in order. */
static const enum dse_metric deciding[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_DSP, DSE_METRIC_LUT, DSE_METRIC_BRAM18};

/* Limit for designs as good as the best: for a quality, within one standard error of the best. */
static struct dse_limit as_good(const struct dse_exploration *e, enum dse_metric metric, const struct dse_point *point)
{
    bool up = dse_metrics[metric].higher_is_better;
    double error = metric == DSE_METRIC_QUALITY ? dse_corner_standard_error(dse_profile_quality_of(e->space, e->profile, &point->config))
                                                : 0.0;
    return dse_limit_of(metric, up, point->metrics[metric] - error);
}

/* Whether `a` precedes `b` by the tie-breakers. */
static bool decides(const struct dse_point *a, const struct dse_point *b)
{
    for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++)
        if (a->metrics[deciding[i]] != b->metrics[deciding[i]])
            return a->metrics[deciding[i]] < b->metrics[deciding[i]];
    return false;
}

/* The first design, by the tie-breakers, on the front of `question`, which allows designs as good as `best`. */
static enum dse_status best_deciding(const struct dse_question *question, struct dse_point *best, struct dse_error *err)
{
    struct dse_answer answer DSE_CLEANUP(dse_answer_free) = {0};
    DSE_TRY(dse_search_exact(question, &answer, err));
    for (size_t i = 0; i < answer.front_count; i++)
        if (i == 0 || decides(&answer.front[i], best))
            *best = answer.front[i];
    return DSE_OK;
}

/* Among several best designs, chooses the least by the tie-breakers, with the same proof status. The first tie-breaker is searched alone. The designs
 * left are then usually a front of few. If they are not, or `seconds` end, the best design so far is the answer. */
#define TIES_LEAST 1000000 /* designs that a search among ties may form, besides twice those of the first search */
static enum dse_status break_ties(struct dse_exploration *e, double seconds, struct dse_error *err)
{
    struct dse_answer *answer = &e->answer;
    struct dse_allowance allowance = {.designs = 4 * (2 * answer->evaluated + TIES_LEAST)}; /* each search takes a quarter */
    const size_t count = sizeof deciding / sizeof *deciding;
    enum dse_metric asked = e->question.objectives[0];
    bool measured_now = e->settings.count > 0, proves = e->terms->method != DSE_METHOD_HEURISTIC;
    if (!e->terms->one || !answer->proven || answer->front_count == 0 || measured_now || !proves || e->terms->p99_load_s > 0.0 ||
        e->question.limit_count + 2 > DSE_LIMIT_MAX)
        return DSE_OK;
    struct dse_question question = e->question;
    struct dse_timed timed;
    dse_timed_begin(&timed, question.monitor, seconds);
    question.monitor = &timed.monitor;
    question.checkpoint = NULL;
    question.allowance = &allowance;
    question.limits[question.limit_count++] = as_good(e, asked, &answer->front[0]);
    const size_t first = asked == deciding[0] ? 1 : 0;
    double start = dse_clock_s();
    question.objectives[0] = deciding[first];
    enum dse_status status = best_deciding(&question, &answer->front[0], err);
    question.limits[question.limit_count++] = as_good(e, deciding[first], &answer->front[0]);
    question.objective_count = 0;
    for (size_t i = first + 1; i < count; i++)
        if (deciding[i] != asked)
            question.objectives[question.objective_count++] = deciding[i];
    if (status == DSE_OK)
        status = best_deciding(&question, &answer->front[0], err);
    answer->seconds += dse_clock_s() - start;
    if (e->optimum.slices > 0)
        e->optimum.seconds = answer->seconds;
    return status == DSE_CANCELLED || status == DSE_LIMIT ? DSE_OK : status; /* the first design is also a best one */
}

/* Makes the chosen design the optimum. */
static void tell_ties(struct dse_exploration *e, double best)
{
    const struct dse_answer *answer = &e->answer;
    enum dse_metric metric = e->question.objectives[0];
    if (!e->terms->one || answer->front_count == 0 || e->answer.outcome != DSE_OUTCOME_FOUND)
        return;
    if (e->optimum.slices > 0) {
        e->optimum.point = answer->front[0];
        if (e->optimum.proven && e->optimum.gap == 0.0) /* without the rounding of the programs */
            e->optimum.objective = e->optimum.bound = best;
    }
    char text[80];
    if (metric == DSE_METRIC_QUALITY && answer->front[0].metrics[metric] != best && *e->remark == '\0')
        snprintf(e->remark, sizeof e->remark, "the best mean is %s; among the designs within one standard error of it, "
                 "this one has the least latency, then energy, then resources", dse_quality_amount(e->question.quality, best, text, sizeof text));
}

/* ---- robust design ---- */

/* Candidates for the robust design: the front of the objective, latency, energy and quality. */
static enum dse_status find_rivals(const struct dse_exploration *e, struct dse_question *question, struct dse_answer *answer,
                                   struct dse_error *err)
{
    static const enum dse_metric besides[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY};
    *question = e->question;
    question->checkpoint = NULL;
    for (size_t i = 0; i < sizeof besides / sizeof *besides; i++)
        if (besides[i] != question->objectives[0] && (besides[i] != DSE_METRIC_QUALITY || e->profile->quality_count > 0))
            question->objectives[question->objective_count++] = besides[i];
    DSE_TRY(dse_search_exact(question, answer, err));
    for (double resolution = 0.01; answer->front_count > DSE_BANDS_POINTS && resolution < 1.0; resolution *= 2.0)
        dse_front_cover(question, resolution, answer);
    return DSE_OK;
}

/* Replaces the models' best design by the one with the least regret over the models' errors. */
static enum dse_status choose_robust(struct dse_exploration *e, struct dse_error *err)
{
    const struct dse_bands_regret regret = {{e->question.objectives[0]}, 1};
    const struct dse_front_view view = {.seed = e->request->seed, .regret = &regret};
    struct dse_question question;
    struct dse_answer answer DSE_CLEANUP(dse_answer_free) = {0};
    struct dse_front front DSE_CLEANUP(dse_front_free) = {0};
    if (!e->terms->one || !e->terms->robust || e->answer.front_count == 0)
        return DSE_OK;
    DSE_TRY(find_rivals(e, &question, &answer, err));
    DSE_TRY(dse_front_make(e->bench, e->index / e->bench->profile_count, e->profile, &e->standard, &question, &answer, &view, &front, err));
    if (front.robust != DSE_CORNER_NONE) {
        enum dse_metric asked = e->question.objectives[0];
        bool other = front.regret < front.plain_regret;
        e->optimum.regret = other ? front.regret : front.plain_regret;
        e->optimum.plain_regret = front.plain_regret;
        e->optimum.plain_objective = e->answer.front[0].metrics[asked];
        if (other) { /* not the optimum: the bound is the value of the models' best design */
            e->answer.front[0] = e->optimum.point = answer.front[front.robust];
            e->optimum.objective = e->optimum.point.metrics[asked];
            e->optimum.gap = fabs(e->optimum.objective - e->optimum.bound) / fabs(e->optimum.objective);
            e->optimum.proven = false;
        }
    }
    return DSE_OK;
}

/* Finds out whether the settings that the quality rule excludes have feasible designs. */
static enum dse_status explain_rule(const struct dse_exploration *e, double seconds, struct dse_error *err)
{
    struct dse_choice any = e->terms->choice;
    struct dse_choice_count counted;
    struct dse_alternative *alternatives DSE_CLEANUP(dse_free_at) = NULL;
    struct dse_question all = e->question;
    any.quality_drop = INFINITY;
    if (e->choices.below_quality == 0)
        return DSE_OK;
    DSE_TRY(dse_question_alternatives(&e->question, e->profile, &any, &alternatives, &all.alternative_count, &counted, err));
    all.alternatives = alternatives;
    return dse_why_rule(&all, seconds, e->why, err);
}

/* Explains the outcome over all measured settings, within the remaining search time. */
static enum dse_status explain(struct dse_exploration *e, double seconds, struct dse_error *err)
{
    if (e->answer.outcome != DSE_OUTCOME_NOTHING)
        return DSE_OK;
    if (e->settings.count > 0)
        DSE_TRY(dse_exploration_refresh(e, err));
    e->why = dse_calloc(1, sizeof *e->why);
    if (e->least_load.s > 0.0 && !e->least_load.bound) { /* `ended` has the reason */
        e->why->space_size = e->answer.space_size;
        e->why->has_nearest = isfinite(e->least_load.s);
        e->why->nearest = e->least_load.nearest;
        e->why->ratio = e->least_load.s / e->terms->p99_load_s;
        return DSE_OK;
    }
    if (e->question.alternative_count == 0 && e->least_load.bound) /* no setting can help */
        return DSE_OK;
    if (e->question.alternative_count == 0) {
        dse_choice_nothing(&e->question, e->profile, &e->choices, &e->ended);
        return DSE_OK;
    }
    if (e->settings.count > 0)
        tell_nothing(e);
    double begin = dse_clock_s();
    DSE_TRY(dse_why_make(&e->question, e->bench->space, seconds, e->why, err));
    return explain_rule(e, seconds - (dse_clock_s() - begin), err);
}

/* Adds the hosts and the batch that would help the nearest design against a limit of its queue. */
static enum dse_status help(struct dse_exploration *e, struct dse_error *err)
{
    const struct dse_why *why = e->why != NULL ? dse_why_nearest_side(e->why) : NULL;
    const struct dse_error found = e->ended;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (e->terms->p99_load_s <= 0.0 || why == NULL || !why->has_nearest ||
        (why->count > 0 && why->reasons[why->worst].metric != DSE_METRIC_THROUGHPUT_SYSTEM && why->reasons[why->worst].metric != DSE_METRIC_LATENCY_P99))
        return DSE_OK;
    const enum dse_status status = dse_loaded_help(e, &why->nearest, &text, err);
    if (status != DSE_OK)
        return status == DSE_CANCELLED ? DSE_OK : status;
    dse_fail(&e->ended, found.status, "%s%s", found.message, dse_strbuf_text(&text));
    return DSE_OK;
}

static enum dse_status answer_and_explain(struct dse_exploration *e, struct dse_error *err)
{
    struct dse_question *question = &e->question;
    const struct dse_study_exploration *kept = e->study != NULL ? dse_study_exploration_at(e->study, e->index) : NULL;
    struct dse_checkpoint checkpoint = {0};
    struct dse_fates counts = {0};
    double begin = dse_clock_s();
    if (e->ended.message[0] != '\0')
        return keep(e, &counts, err);
    if (kept != NULL && kept->state == DSE_STUDY_DONE) {
        snprintf(e->remark, sizeof e->remark, "%s", kept->remark);
        DSE_TRY(dse_study_answer(e->study, e->index, question, &e->answer, err));
        bool chosen = question->objectives[0] == DSE_METRIC_QUALITY && e->remark[0] != '\0';
        take_optimum(e, chosen || e->answer.front_count == 0 ? NAN : e->answer.front[0].metrics[question->objectives[0]]);
        return DSE_OK;
    }
    if (e->study != NULL)
        DSE_TRY(dse_study_checkpoint(e->study, e->index, question, &checkpoint, err));
    question->checkpoint = e->study != NULL ? &checkpoint : NULL;
    struct dse_error stopped = {0};
    enum dse_status status = answer_all(e, &counts, &stopped);
    question->checkpoint = NULL;
    if (status == DSE_CANCELLED)
        e->answer.outcome = DSE_OUTCOME_INTERRUPTED;
    else if (status != DSE_OK) {
        if (err != NULL)
            *err = stopped; /* with the lines of the error */
        return status;
    }
    double best = e->answer.front_count > 0 ? e->answer.front[0].metrics[question->objectives[0]] : NAN;
    DSE_TRY(break_ties(e, e->terms->search_s - e->spent_s - (dse_clock_s() - begin), err));
    end(e, &counts);
    tell_ties(e, best);
    DSE_TRY(keep(e, &counts, err));
    take_optimum(e, best);
    DSE_TRY(choose_robust(e, err));
    DSE_TRY(explain(e, e->terms->search_s - e->spent_s - (dse_clock_s() - begin), err));
    return help(e, err);
}

/* Search, tie-breaking and explanation share the blocks' tables, which are keyed by workload. If more workloads may
 * come (settings to measure), each makes its own. */
enum dse_status dse_exploration_answer(struct dse_exploration *e, struct dse_error *err)
{
    if (e->settings.count == 0)
        e->question.tables = dse_tables_create();
    enum dse_status status = answer_and_explain(e, err);
    dse_tables_free(e->question.tables);
    e->question.tables = NULL;
    return status;
}

#define KEPT 512 /* designs whose engines are stored in the study per step */

struct keeping {
    const struct dse_front *front;
    struct dse_estimate *rooms;            /* KEPT, for designs without an estimate */
    const struct dse_estimate **estimates; /* KEPT */
    size_t begin;
};

static enum dse_status estimate_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct keeping *keeping = user;
    struct dse_design design;
    DSE_TRY(dse_front_design(keeping->front, keeping->begin + index, &keeping->rooms[index], &design, err));
    keeping->estimates[index] = design.estimate;
    return DSE_OK;
}

/* Stores the engines of the front's designs in the study. */
static enum dse_status keep_engines(const struct dse_exploration *e, const int64_t *ids, struct dse_error *err)
{
    struct dse_estimate *rooms DSE_CLEANUP(dse_free_at) = dse_malloc(KEPT * sizeof *rooms);
    const struct dse_estimate *estimates[KEPT];
    struct keeping keeping = {.front = &e->front, .rooms = rooms, .estimates = estimates};
    for (; keeping.begin < e->front.count; keeping.begin += KEPT) {
        size_t left = e->front.count - keeping.begin, count = left < KEPT ? left : KEPT;
        DSE_TRY(dse_parallel_for(count, e->question.jobs, estimate_one, &keeping, NULL, err));
        DSE_TRY(dse_study_keep_engines(e->study, e->bench->family, estimates, ids + keeping.begin, count, err));
    }
    return DSE_OK;
}

enum dse_status dse_exploration_evaluate(struct dse_exploration *e, struct dse_error *err)
{
    const struct dse_workbench *bench = e->bench;
    bool kept = e->study != NULL && e->answer.outcome != DSE_OUTCOME_INTERRUPTED;
    const struct dse_front_view view = {.best = e->terms->best, .shown = e->terms->shown, .others = kept || e->terms->estimates_all,
                                         .seed = e->request->seed};
    DSE_TRY(dse_front_make(bench, e->index / bench->profile_count, e->profile, &e->standard, &e->question, &e->answer, &view,
                           &e->front, err));
    DSE_TRY(dse_loaded_corners(e, err));
    if (!kept)
        return DSE_OK;
    int64_t *ids DSE_CLEANUP(dse_free_at) = dse_calloc(e->front.count + 1, sizeof *ids);
    DSE_TRY(dse_study_ids(e->study, e->index, &e->question, &e->answer, ids, err));
    for (size_t i = 0; i < e->front.count; i++)
        e->front.designs[i].id = ids[i];
    return keep_engines(e, ids, err);
}
