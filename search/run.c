#include "search/run.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/order.h"
#include "core/parallel.h"
#include "core/saturate.h"
#include "core/timed.h"
#include "search/filter.h"
#include "search/bounds.h"
#include "search/heuristic.h"
#include "search/tables.h"

/* Rounds of 2, 4, 8 … bundles, for any number of threads. A slice uses only results of earlier rounds, so the work does not
 * depend on thread timing. */
#define ROUND_FIRST 2
#define ROUND_LARGEST 8
#define ASKED_EVERY 256 /* bundles excluded between checks of the monitor */

/* Slices of a question to be processed by a method. */
struct visit {
    const struct dse_question *question;
    struct dse_plan plan;
    void **work; /* an alternative's prepared workload each */
    struct dse_run_state *run;
    struct dse_bounds_table *bounds; /* NULL: every slice is visited */
    size_t round_begin, round_end;   /* range in the order */
    size_t round[ROUND_LARGEST], round_count; /* indices in this range that are visited */
    /* Slices that differ only in their compute units form a bundle: they share their tables. */
    size_t bundles, units;
    uint64_t stride;
    /* Order: first the slices whose designs prune most of the rest: those with the best bounds, otherwise those most like the base configuration. */
    struct bundle_place {
        size_t rank, unlike;
        uint64_t first;
    } *order;
};

struct dse_run_state {
    const struct dse_question *question;
    dse_slice_method *method;
    pthread_mutex_t lock; /* guards the members below */
    struct dse_archive archive;
    struct dse_answer *answer;
    uint64_t rejection_slice;
    uint64_t most; /* designs that may be formed */
    double *known; /* costs in the archive before this round: known_count × objectives */
    struct dse_forest *known_forest;
    size_t known_count;
    size_t jobs; /* threads per slice in this round */
    uint64_t before, slices; /* done before this round; total */
    atomic_uint_fast64_t parts; /* progress in this round, PARTS per slice */
};

#define PARTS 1000000 /* resolution of a slice's progress */
#define LOOKED_AT "space searched"

static void configure(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, const uint32_t *rows,
                      struct dse_config *config)
{
    dse_slice_config(plan, slice, rows, config);
    dse_config_canonical(question->space, config);
}

void dse_slice_offer(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, const uint32_t *rows,
                     const struct dse_accumulators *sums, struct dse_slice_result *result)
{
    struct dse_point point;
    result->evaluated++;
    if (!dse_fits(&slice->platform, sums, NULL))
        return;
    dse_slice_metrics(question, slice, sums, point.metrics);
    if (!dse_limits_hold(question, point.metrics))
        return;
    bool filtered = dse_filters_on_metrics(question);
    if (filtered) {
        configure(question, plan, slice, rows, &point.config);
        if (!dse_filters_hold(question, &point.config, point.metrics, true))
            return;
    }
    result->feasible++;
    double costs[DSE_OBJECTIVE_MAX];
    for (size_t o = 0; o < question->objective_count; o++)
        costs[o] = dse_question_cost(question, o, point.metrics);
    if (dse_archive_dominates(&result->archive, costs))
        return;
    if (!filtered)
        configure(question, plan, slice, rows, &point.config);
    point.alternative = slice->alternative;
    dse_archive_insert(&result->archive, &point);
}

const double *dse_run_known(const struct dse_slice_result *result, size_t *count, const struct dse_forest **forest)
{
    *count = result->run->known_count;
    if (forest != NULL)
        *forest = result->run->known_forest;
    return result->run->known;
}

uint64_t dse_run_most(const struct dse_slice_result *result)
{
    return result->run->most;
}

void dse_run_progress(struct dse_slice_result *result, uint64_t done, uint64_t total)
{
    struct dse_run_state *run = result->run;
    uint64_t parts = total > done ? (uint64_t)((double)done / (double)total * PARTS) : PARTS;
    if (parts <= result->shown)
        return;
    uint64_t sum = atomic_fetch_add(&run->parts, parts - result->shown) + parts - result->shown;
    result->shown = parts;
    dse_monitor_progress(run->question->monitor, LOOKED_AT,
                         (uint64_t)(((double)run->before + (double)sum / PARTS) / (double)run->slices * DSE_MONITOR_WHOLE),
                         DSE_MONITOR_WHOLE);
}

/* Between rounds, when no slice is active: updates the knowledge for the next round. */
static void take_note(struct dse_run_state *run)
{
    size_t values = run->archive.count * run->archive.objective_count;
    run->known = dse_realloc(run->known, (values + 1) * sizeof *run->known);
    run->known_count = run->archive.count;
    if (values > 0)
        memcpy(run->known, run->archive.costs, values * sizeof *run->known);
    if (run->known_forest == NULL)
        run->known_forest = dse_forest_create(run->archive.objective_count);
    dse_forest_fill(run->known_forest, run->known, run->known_count);
}

/* Before a round: prepares the knowledge for its slices. */
static void begin_round(const struct visit *visit)
{
    struct dse_run_state *run = visit->run;
    run->before = visit->round_begin * visit->units;
    run->slices = visit->bundles * visit->units;
    atomic_store(&run->parts, 0);
    run->jobs = (visit->question->jobs + visit->round_count - 1) / visit->round_count;
}

/* Adds a slice to the answer's counts. */
static void count_slice(struct dse_run_state *run, uint64_t index, uint64_t size, uint64_t unbuildable, const char *rejection)
{
    run->answer->space_size = dse_saturating_add(run->answer->space_size, size);
    run->answer->unbuildable += unbuildable;
    if (unbuildable > 0 && index < run->rejection_slice) {
        run->rejection_slice = index; /* the first slice's reason, whichever thread finishes first */
        snprintf(run->answer->rejection, sizeof run->answer->rejection, "%s", rejection);
    }
}

struct contest {
    const double *known, *costs;
    size_t objectives;
};

static bool contest_won(void *user, uint32_t id)
{
    const struct contest *contest = user;
    return dse_costs_beat(contest->known + id * contest->objectives, contest->costs, contest->objectives);
}

bool dse_costs_beat(const double *known, const double *costs, size_t count)
{
    bool better = false;
    for (size_t o = 0; o < count; o++) {
        if (known[o] > costs[o])
            return false;
        better |= known[o] < costs[o];
    }
    return better;
}

bool dse_costs_find(const struct dse_forest *forest, const double *known, const double *costs, size_t objectives, uint32_t *place)
{
    struct contest contest = {known, costs, objectives};
    return dse_forest_find_below(forest, costs, contest_won, &contest, place);
}

/* Whether a bundle's bounds exclude all of its slices from the front; if so, counts it as done. */
static bool rules_out(const struct visit *visit, size_t place)
{
    struct dse_run_state *run = visit->run;
    struct dse_bounds bounds;
    double costs[DSE_OBJECTIVE_MAX];
    uint64_t first = visit->order[place].first;
    bool out = true;
    for (size_t u = 0; u < visit->units && out; u++) {
        dse_bounds_get(visit->bounds, first + u * visit->stride, &bounds);
        uint32_t winner = 0;
        out = dse_bounds_infeasible(run->question, &bounds, costs) ||
              dse_costs_find(run->known_forest, run->known, costs, run->question->objective_count, &winner);
    }
    for (size_t u = 0; u < visit->units && out; u++) {
        dse_bounds_get(visit->bounds, first + u * visit->stride, &bounds);
        count_slice(run, first + u * visit->stride, bounds.size, bounds.unbuildable, bounds.rejection);
    }
    return out;
}

/* Merges a slice's result into the answer. */
static void absorb(struct dse_run_state *run, uint64_t index, const struct dse_slice *slice, const struct dse_slice_result *result)
{
    pthread_mutex_lock(&run->lock);
    count_slice(run, index, slice->size, slice->unbuildable, slice->rejection);
    run->answer->evaluated = dse_saturating_add(run->answer->evaluated, result->evaluated);
    run->answer->feasible = dse_saturating_add(run->answer->feasible, result->feasible);
    for (size_t i = 0; i < result->archive.count; i++)
        dse_archive_insert(&run->archive, &result->archive.points[i]);
    pthread_mutex_unlock(&run->lock);
}

static enum dse_status run_slice(struct dse_run_state *run, const struct dse_plan *plan, uint64_t index, const struct dse_slice *slice,
                                 struct dse_error *err)
{
    struct dse_slice_result result = {.run = run, .jobs = run->jobs};
    dse_archive_init(&result.archive, run->question->objectives, run->question->objective_count);
    result.archive.worst = run->archive.worst;
    enum dse_status status = slice->size > 0 ? run->method(run->question, plan, slice, &result, err) : DSE_OK;
    absorb(run, index, slice, &result); /* an interrupted slice has results too */
    dse_archive_free(&result.archive);
    return status;
}

static enum dse_status visit_bundle(void *user, size_t place, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct visit *visit = user;
    const struct dse_question *question = visit->question;
    uint64_t first = visit->order[visit->round[place]].first;
    struct dse_slice *slice DSE_CLEANUP(dse_slice_drop) = NULL;
    DSE_TRY(dse_slice_open(question, &visit->plan, first, visit->work, &slice, err));
    for (size_t u = 0; u < visit->units; u++) {
        uint64_t index = first + u * visit->stride;
        if (u > 0)
            dse_slice_reuse(question, &visit->plan, index, slice);
        DSE_TRY(run_slice(visit->run, &visit->plan, index, slice, err));
    }
    return DSE_OK;
}

static int compare_places(const void *a, const void *b)
{
    const struct bundle_place *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->unlike != y->unlike)
        return x->unlike < y->unlike ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static void order_bundles(struct visit *visit)
{
    const struct dse_question *question = visit->question;
    uint64_t slices = visit->plan.slices_per_alternative * question->alternative_count;
    visit->units = dse_plan_units(question, &visit->plan, &visit->stride);
    visit->order = dse_calloc(slices / visit->units + 1, sizeof *visit->order);
    for (uint64_t i = 0; i < slices; i++) {
        if (i / visit->stride % visit->units != 0)
            continue;
        struct dse_config config;
        dse_slice_fixed(question, &visit->plan, i, &config);
        if (question->from != NULL && visit->units > 1) /* some slice of the bundle has them */
            config.value[question->family->units_knob] = question->from->value[question->family->units_knob];
        if (question->from != NULL && dse_slice_changes(question, &visit->plan, &config) > question->changes)
            continue;
        struct bundle_place *place = &visit->order[visit->bundles++];
        place->first = i;
        for (size_t f = 0; f < visit->plan.fixed_count; f++) {
            size_t knob = visit->plan.fixed[f];
            place->unlike += knob != question->family->units_knob && config.value[knob] != question->base.value[knob];
        }
    }
    qsort(visit->order, visit->bundles, sizeof *visit->order, compare_places);
}

/* Counts, per bundle, the bundles that are better in each objective, by the bounds of their first slices. `costs` has room for the bundles. */
static void rank_by(struct visit *visit, size_t objective, struct dse_ranked *costs)
{
    for (size_t p = 0; p < visit->bundles; p++) {
        struct dse_bounds bounds;
        double all[DSE_OBJECTIVE_MAX];
        dse_bounds_get(visit->bounds, visit->order[p].first, &bounds);
        bool none = dse_bounds_infeasible(visit->question, &bounds, all);
        costs[p] = (struct dse_ranked){none || isnan(all[objective]) ? INFINITY : all[objective], p};
    }
    qsort(costs, visit->bundles, sizeof *costs, dse_by_rank);
    for (size_t i = 0, better = 0; i < visit->bundles; i++) {
        better = i > 0 && costs[i].value != costs[i - 1].value ? i : better;
        visit->order[costs[i].index].rank += better;
    }
}

static enum dse_status order_by_bounds(struct visit *visit, struct dse_error *err)
{
    DSE_TRY(dse_bounds_make(visit->question, &visit->plan, visit->work, &visit->bounds, err));
    struct dse_ranked *costs DSE_CLEANUP(dse_free_at) = dse_malloc((visit->bundles + 1) * sizeof *costs);
    for (size_t o = 0; o < visit->question->objective_count; o++)
        rank_by(visit, o, costs);
    qsort(visit->order, visit->bundles, sizeof *visit->order, compare_places);
    return DSE_OK;
}

/* Passes a finished round to the question's checkpoint. The front is sorted first, so the stored order does not
 * depend on threads. */
static enum dse_status keep_round(struct dse_run_state *run, uint64_t done, uint64_t total, struct dse_error *err)
{
    const struct dse_checkpoint *checkpoint = run->question->checkpoint;
    const struct dse_answer *answer = run->answer;
    dse_archive_sort(&run->archive);
    struct dse_search_state state = {.done = done, .total = total, .space_size = answer->space_size,
                                     .evaluated = answer->evaluated, .feasible = answer->feasible,
                                     .unbuildable = answer->unbuildable, .rejection_slice = run->rejection_slice,
                                     .front = run->archive.points, .front_count = run->archive.count};
    memcpy(state.rejection, answer->rejection, sizeof state.rejection);
    return checkpoint->keep(checkpoint->user, &state, err);
}

/* Takes over an earlier run's results. A state with different rounds belongs to another search and is ignored. */
static void take_up(struct dse_run_state *run, uint64_t total, uint64_t *done)
{
    const struct dse_checkpoint *checkpoint = run->question->checkpoint;
    const struct dse_search_state *state = checkpoint != NULL ? checkpoint->from : NULL;
    struct dse_answer *answer = run->answer;
    if (state == NULL || state->total != total || state->done > total)
        return;
    *done = state->done;
    answer->space_size = state->space_size;
    answer->evaluated = state->evaluated;
    answer->feasible = state->feasible;
    answer->unbuildable = state->unbuildable;
    run->rejection_slice = state->rejection_slice;
    memcpy(answer->rejection, state->rejection, sizeof answer->rejection);
    for (size_t i = 0; i < state->front_count; i++)
        dse_archive_insert(&run->archive, &state->front[i]);
}

static enum dse_status visit_round(struct visit *visit, struct dse_error *err)
{
    const struct dse_question *question = visit->question;
    struct dse_run_state *run = visit->run;
    if (visit->round_count > 0)
        begin_round(visit);
    DSE_TRY(dse_parallel_for(visit->round_count, question->jobs, visit_bundle, visit, question->monitor, err));
    if (question->checkpoint != NULL && question->checkpoint->keep != NULL)
        DSE_TRY(keep_round(run, visit->round_end, visit->bundles, err));
    if (atomic_load(&run->parts) == 0)
        dse_monitor_progress(question->monitor, LOOKED_AT,
                             (uint64_t)((double)visit->round_end / (double)visit->bundles * DSE_MONITOR_WHOLE), DSE_MONITOR_WHOLE);
    return DSE_OK;
}

/* Chooses the next bundles that are not excluded. Their number depends only on the search's progress, so a resumed search
 * makes the same rounds. */
static enum dse_status choose_round(struct visit *visit, struct dse_error *err)
{
    size_t begin = visit->round_begin, size = begin < ROUND_FIRST ? ROUND_FIRST : begin < 3 * ROUND_FIRST ? 2 * ROUND_FIRST : ROUND_LARGEST;
    visit->round_count = 0;
    for (visit->round_end = begin; visit->round_end < visit->bundles && visit->round_count < size; visit->round_end++) {
        if (visit->round_end % ASKED_EVERY == 0 && dse_monitor_cancelled(visit->question->monitor))
            return dse_fail_cancelled(err);
        if (visit->bounds == NULL || !rules_out(visit, visit->round_end))
            visit->round[visit->round_count++] = visit->round_end;
    }
    return DSE_OK;
}

/* Charges the designs formed to the question's allowance. */
static void charge(const struct dse_question *question, const struct dse_run_state *run, enum dse_status status)
{
    if (question->allowance == NULL)
        return;
    question->allowance->designs -= run->answer->evaluated < run->most ? run->answer->evaluated : run->most;
    question->allowance->exceeded |= status == DSE_LIMIT;
}

static enum dse_status visit_all(struct visit *visit, bool screens, struct dse_error *err)
{
    struct dse_run_state *run = visit->run;
    uint64_t done = 0;
    DSE_TRY(dse_plan_make(visit->question, screens, &visit->plan, err));
    DSE_TRY(dse_work_prepare(visit->question, &visit->work, err));
    order_bundles(visit);
    if (screens && visit->bundles > ROUND_FIRST)
        DSE_TRY(order_by_bounds(visit, err));
    take_up(run, visit->bundles, &done);
    for (visit->round_begin = (size_t)done; visit->round_begin < visit->bundles; visit->round_begin = visit->round_end) {
        take_note(run);
        DSE_TRY(choose_round(visit, err));
        DSE_TRY(visit_round(visit, err));
        if (run->answer->evaluated > run->most)
            return dse_fail(err, DSE_LIMIT, "the search would form more than %llu designs", (unsigned long long)run->most);
        if (run->question->goal == DSE_GOAL_ANY && run->archive.count > 0)
            break;
    }
    return DSE_OK;
}

/* Adds the heuristic's designs, found in the remaining time. */
static enum dse_status fall_back(struct visit *visit, const struct dse_monitor *monitor, struct dse_error *err)
{
    struct dse_run_state *run = visit->run;
    struct dse_question question = *visit->question;
    struct dse_answer found;
    question.monitor = monitor;
    question.checkpoint = NULL;
    enum dse_status status = dse_search_heuristic(&question, &question.fallback->effort, &found, err);
    for (size_t i = 0; i < found.front_count; i++)
        dse_archive_insert(&run->archive, &found.front[i]);
    run->answer->evaluated = dse_saturating_add(run->answer->evaluated, found.evaluated);
    run->answer->feasible = dse_saturating_add(run->answer->feasible, found.feasible);
    run->answer->history = found.history;
    run->answer->history_count = found.history_count;
    found.history = NULL;
    dse_answer_free(&found);
    if (status == DSE_OK && run->question->checkpoint != NULL && run->question->checkpoint->keep != NULL)
        status = keep_round(run, visit->round_begin, visit->bundles, err);
    return status == DSE_OK ? dse_fail_cancelled(err) : status;
}

enum dse_status dse_search_run(const struct dse_question *question, dse_slice_method *method, bool screens,
                               struct dse_answer *answer, struct dse_error *err)
{
    struct visit *visit DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *visit); /* on the heap: 387 KiB may exceed the stack */
    double start = dse_clock_s();
    *answer = (struct dse_answer){0};
    struct dse_run_state run = {.question = question, .method = method, .answer = answer, .rejection_slice = UINT64_MAX};
    dse_archive_init(&run.archive, question->objectives, question->objective_count);
    run.most = question->allowance != NULL ? question->allowance->designs / 4 : UINT64_MAX;
    run.archive.worst = question->goal == DSE_GOAL_WORST;
    pthread_mutex_init(&run.lock, NULL);
    struct dse_question shared = dse_question_sharing(question);
    visit->question = run.question = &shared;
    visit->run = &run;
    struct dse_timed timed;
    dse_timed_begin(&timed, question->monitor, question->fallback != NULL ? question->fallback->after_s : INFINITY);
    shared.monitor = question->fallback != NULL ? &timed.monitor : question->monitor;
    enum dse_status status = visit_all(visit, screens, err);
    if (status == DSE_CANCELLED && run.archive.count == 0 && question->fallback != NULL && !dse_monitor_cancelled(question->monitor))
        status = fall_back(visit, question->monitor, err);
    charge(question, &run, status);
    dse_bounds_free(visit->bounds);
    dse_work_release(&shared, visit->work);
    dse_question_end_sharing(question, &shared);
    free(visit->order);
    pthread_mutex_destroy(&run.lock);
    dse_archive_hand_over(&run.archive, answer);
    answer->proven = status == DSE_OK;
    answer->looked_at = status == DSE_CANCELLED && run.slices > 0 ? ((double)run.before + (double)atomic_load(&run.parts) / PARTS) / (double)run.slices : 0.0;
    answer->seconds = dse_clock_s() - start;
    free(run.known);
    dse_forest_free(run.known_forest);
    return status;
}

void dse_answer_nothing(const struct dse_answer *answer, struct dse_error *words)
{
    char count[64];
    if (answer->proven)
        dse_fail(words, DSE_ANSWER_NO, "none of the %s designs of the search space is feasible",
                 dse_count_format(count, sizeof count, dse_count_of(answer->space_size)));
    else
        dse_fail(words, DSE_LIMIT, "no feasible design was found among the %s designs that were tried; this is no proof of infeasibility",
                 dse_count_format(count, sizeof count, dse_count_of(answer->evaluated)));
}

void dse_answer_free(struct dse_answer *answer)
{
    free(answer->front);
    free(answer->history);
    *answer = (struct dse_answer){0};
}
