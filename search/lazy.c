#include "search/lazy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/saturate.h"
#include "search/archive.h"
#include "search/run.h"

/* Facts on a candidate besides its quality. */
struct prospect {
    struct dse_answer answer; /* with the best possible quality */
    double first;             /* least cost of its points in the first objective other than quality */
};

struct looking {
    struct dse_lazy *lazy;
    struct prospect *prospects;
    struct dse_archive front; /* front of everything with known quality */
    size_t measured;
    uint64_t evaluated, feasible, space_size;
    bool proven; /* every search was proven */
};

/* The question about one candidate, without requirements on its quality. */
static void ask_one(const struct dse_lazy *lazy, const struct dse_alternative *alternative, struct dse_question *out)
{
    *out = *lazy->question;
    out->alternatives = alternative;
    out->alternative_count = 1;
    out->checkpoint = NULL;
    out->limit_count = 0;
    for (size_t i = 0; i < lazy->question->limit_count; i++)
        if (lazy->question->limits[i].metric != DSE_METRIC_QUALITY)
            out->limits[out->limit_count++] = lazy->question->limits[i];
}

static bool good_enough(const struct dse_lazy *lazy, double quality)
{
    bool good = quality >= lazy->least_quality;
    for (size_t i = 0; i < lazy->question->limit_count; i++) {
        const struct dse_limit *limit = &lazy->question->limits[i];
        good &= limit->metric != DSE_METRIC_QUALITY || dse_limit_holds(limit, quality);
    }
    return good;
}

/* Whether some quality would be sufficient. */
static bool can_be_good_enough(const struct dse_lazy *lazy)
{
    bool can = lazy->best_quality >= lazy->least_quality;
    for (size_t i = 0; i < lazy->question->limit_count; i++) {
        const struct dse_limit *limit = &lazy->question->limits[i];
        can &= limit->metric != DSE_METRIC_QUALITY || !limit->at_least || lazy->best_quality >= limit->bound;
    }
    return can;
}

static enum dse_status look_at(struct looking *d, size_t index, struct dse_error *err)
{
    struct dse_lazy *lazy = d->lazy;
    struct dse_candidate *candidate = &lazy->candidates[index];
    struct prospect *prospect = &d->prospects[index];
    struct dse_alternative hoped = candidate->alternative;
    struct dse_question question;
    hoped.quality = lazy->best_quality;
    ask_one(lazy, &hoped, &question);
    enum dse_status status = lazy->search(lazy->user, index, &question, &prospect->answer, err);
    d->evaluated += prospect->answer.evaluated;
    d->proven &= prospect->answer.proven;
    d->space_size = dse_saturating_add(d->space_size, prospect->answer.space_size);
    if (status == DSE_OK && (prospect->answer.outcome == DSE_OUTCOME_NOTHING || !can_be_good_enough(lazy))) {
        candidate->fate = DSE_FATE_INFEASIBLE;
        return DSE_OK;
    }
    size_t by = question.objectives[0] == DSE_METRIC_QUALITY && question.objective_count > 1 ? 1 : 0;
    prospect->first = INFINITY;
    for (size_t i = 0; i < prospect->answer.front_count; i++)
        prospect->first = fmin(prospect->first,
                               dse_objective_cost(question.objectives[by], prospect->answer.front[i].metrics));
    return status;
}

/* Whether some of the candidate's designs would be on the front with this quality. */
static bool may_reach_front(const struct looking *d, const struct prospect *prospect, double quality)
{
    const struct dse_question *question = d->lazy->question;
    for (size_t i = 0; i < prospect->answer.front_count; i++) {
        double costs[DSE_OBJECTIVE_MAX], metrics[DSE_METRIC_COUNT];
        memcpy(metrics, prospect->answer.front[i].metrics, sizeof metrics);
        metrics[DSE_METRIC_QUALITY] = quality;
        for (size_t o = 0; o < question->objective_count; o++)
            costs[o] = dse_objective_cost(question->objectives[o], metrics);
        if (!dse_archive_dominates(&d->front, costs))
            return true;
    }
    return false;
}

/* Size of a wave: a quarter of the measurements so far, or `batch`. With a thousand machines all soon have work, and at most a quarter more is
 * measured than sequentially. The size depends on nothing else. */
static size_t wave_of(const struct looking *d)
{
    return d->measured / 4 > d->lazy->batch ? d->measured / 4 : d->lazy->batch;
}

/* Priority of the open candidates that may reach the front: lowest first, NaN for the others. */
static void find_turns(struct looking *d, double *turns)
{
    struct dse_lazy *lazy = d->lazy;
    for (size_t i = 0; i < lazy->candidate_count; i++) {
        bool open = lazy->candidates[i].fate == DSE_FATE_OPEN;
        if (open && !may_reach_front(d, &d->prospects[i], lazy->best_quality))
            lazy->candidates[i].fate = DSE_FATE_DOMINATED;
        turns[i] = lazy->candidates[i].fate == DSE_FATE_OPEN ? d->prospects[i].first : NAN;
    }
}

/* The first open candidates that may reach the front, at most a wave. */
static size_t choose(const struct looking *d, const double *turns, size_t *which)
{
    size_t count = 0, wave = wave_of(d);
    for (size_t i = 0; i < d->lazy->candidate_count; i++) {
        size_t place = count;
        if (isnan(turns[i]))
            continue;
        while (place > 0 && turns[which[place - 1]] > turns[i])
            place--;
        if (place == wave)
            continue;
        size_t last = count < wave ? count : wave - 1;
        memmove(&which[place + 1], &which[place], (last - place) * sizeof *which);
        which[place] = i;
        count = last + 1;
    }
    return count;
}

static void take_in(struct looking *d, size_t index, double quality)
{
    struct dse_candidate *candidate = &d->lazy->candidates[index];
    const struct dse_answer *answer = &d->prospects[index].answer;
    candidate->alternative.quality = quality;
    candidate->fate = good_enough(d->lazy, quality) ? DSE_FATE_MEASURED : DSE_FATE_BELOW;
    if (candidate->fate == DSE_FATE_BELOW)
        return;
    d->feasible += answer->feasible;
    for (size_t i = 0; i < answer->front_count; i++) {
        struct dse_point point = answer->front[i];
        point.alternative = d->lazy->question->alternative_count + index;
        point.metrics[DSE_METRIC_QUALITY] = quality;
        dse_archive_insert(&d->front, &point);
    }
}

static enum dse_status measure_all(struct looking *d, struct dse_error *err)
{
    struct dse_lazy *lazy = d->lazy;
    size_t most = lazy->candidate_count + lazy->batch;
    size_t *which DSE_CLEANUP(dse_free_at) = dse_calloc(most + 1, sizeof *which), count = 0;
    double *quality DSE_CLEANUP(dse_free_at) = dse_calloc(most + 1, sizeof *quality);
    double *turns DSE_CLEANUP(dse_free_at) = dse_calloc(most + 1, sizeof *turns);
    bool ended = false;
    while (!ended) {
        find_turns(d, turns);
        if ((count = choose(d, turns, which)) == 0)
            break;
        for (size_t i = 0; i < count; i++)
            quality[i] = NAN;
        enum dse_status status = lazy->measure(lazy->user, which, count, quality, &ended, err);
        d->measured += count;
        DSE_TRY(status);
        for (size_t i = 0; i < count; i++)
            if (!isnan(quality[i]))
                take_in(d, which[i], quality[i]);
    }
    return DSE_OK;
}

/* Moves the front so far to the answer. */
static void hand_over(struct looking *d, struct dse_answer *answer)
{
    free(answer->front);
    dse_archive_hand_over(&d->front, answer);
    answer->evaluated += d->evaluated;
    answer->feasible += d->feasible;
    answer->space_size = dse_saturating_add(answer->space_size, d->space_size);
    bool open = false;
    for (size_t i = 0; i < d->lazy->candidate_count; i++)
        open |= d->lazy->candidates[i].fate == DSE_FATE_OPEN;
    answer->proven &= !open;
    if (open)
        answer->outcome = DSE_OUTCOME_BUDGET;
}

enum dse_status dse_lazy_search(struct dse_lazy *lazy, struct dse_answer *answer, struct dse_error *err)
{
    struct looking d = {.lazy = lazy, .proven = true, .prospects = dse_calloc(lazy->candidate_count + 1, sizeof *d.prospects)};
    enum dse_status status = DSE_OK;
    dse_archive_init(&d.front, lazy->question->objectives, lazy->question->objective_count);
    for (size_t i = 0; i < answer->front_count; i++)
        dse_archive_insert(&d.front, &answer->front[i]);
    for (size_t i = 0; i < lazy->candidate_count && status == DSE_OK; i++)
        if (lazy->candidates[i].fate == DSE_FATE_OPEN)
            status = look_at(&d, i, err);
    if (status == DSE_OK)
        status = measure_all(&d, err);
    hand_over(&d, answer);
    answer->proven &= status == DSE_OK && d.proven;
    for (size_t i = 0; i < lazy->candidate_count; i++)
        dse_answer_free(&d.prospects[i].answer);
    free(d.prospects);
    return status;
}
