#include "explore/loaded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/units.h"
#include "explore/load.h"
#include "search/archive.h"

static const enum dse_metric followed[] = {DSE_METRIC_LATENCY_P99, DSE_METRIC_THROUGHPUT, DSE_METRIC_LATENCY_SYSTEM};
#define FOLLOWED (sizeof followed / sizeof *followed)

static const struct dse_host *host_of(const struct dse_exploration *e)
{
    return &e->question.board->host;
}

static enum dse_status add_limit(struct dse_question *question, struct dse_limit limit, struct dse_error *err)
{
    if (question->limit_count == DSE_LIMIT_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--where: more than %d limits, p99_load among them", DSE_LIMIT_MAX);
    question->limits[question->limit_count++] = limit;
    return DSE_OK;
}

enum dse_status dse_loaded_bound(struct dse_exploration *e, struct dse_question *question, struct dse_error *err)
{
    const struct dse_terms *terms = e->terms;
    double rate_hz = 0.0, *arrivals DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0;
    if (terms->p99_load_s <= 0.0)
        return DSE_OK;
    DSE_TRY(dse_load_read("rate", terms->rate, &rate_hz, &arrivals, &count, err));
    double launch_s = host_of(e)->launch.s + host_of(e)->item.s, kernel_s = terms->p99_load_s - launch_s;
    char asked[32], launch[32];
    if (kernel_s <= 0.0) {
        e->least_load_s = launch_s;
        dse_fail(&e->ended, DSE_ANSWER_NO, "p99_load<=%s: one launch by %s already takes %s", dse_quantity_format(asked, sizeof asked, DSE_DIMENSION_TIME, terms->p99_load_s),
                 host_of(e)->name, dse_quantity_format(launch, sizeof launch, DSE_DIMENSION_TIME, launch_s));
        return DSE_OK;
    }
    DSE_TRY(add_limit(question, dse_limit_of(DSE_METRIC_LATENCY_P99, false, kernel_s), err));
    return arrivals == NULL ? add_limit(question, dse_limit_of(DSE_METRIC_THROUGHPUT_SYSTEM, true, rate_hz), err) : DSE_OK;
}

static enum dse_status queue_of(const struct dse_exploration *e, const struct dse_estimate *estimate, struct dse_load_result *out, struct dse_error *err)
{
    return dse_load_estimate(e->terms->rate, host_of(e), estimate, NULL, e->request->seed, e->request->monitor, out, err);
}

static enum dse_status simulate(const struct dse_exploration *e, const struct dse_point *point, double *p99_s, struct dse_error *err)
{
    const struct dse_question *q = &e->question;
    const struct dse_alternative *alternative = &q->alternatives[point->alternative];
    const struct dse_setup setup = {.family = q->family, .space = q->space, .board = q->board, .costs = q->costs, .workload = alternative->workload,
                                    .headroom = q->headroom};
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    struct dse_load_result load;
    DSE_TRY(dse_estimate_built(&setup, &point->config, estimate, err));
    DSE_TRY(queue_of(e, estimate, &load, err));
    *p99_s = load.p99_s;
    return DSE_OK;
}

/* ---- the limit ---- */

/* A simulated design. */
struct seen {
    double costs[FOLLOWED];
    bool holds;
};

struct judging {
    const struct dse_exploration *exploration;
    struct seen *seen; /* count */
    size_t count;
    double least_s;
};

static bool nowhere_more(const double *a, const double *b)
{
    bool more = false;
    for (size_t i = 0; i < FOLLOWED; i++)
        more |= a[i] > b[i];
    return !more;
}

/* Whether a design meets the limit: known from a simulated design, or by its own simulation. */
static enum dse_status judge(struct judging *judging, const struct dse_point *point, bool *holds, struct dse_error *err)
{
    struct seen own;
    double p99_s = 0.0;
    for (size_t i = 0; i < FOLLOWED; i++)
        own.costs[i] = dse_objective_cost(followed[i], point->metrics);
    for (const struct seen *s = judging->seen; s < judging->seen + judging->count; s++)
        if (s->holds ? nowhere_more(own.costs, s->costs) : nowhere_more(s->costs, own.costs)) {
            *holds = s->holds;
            return DSE_OK;
        }
    DSE_TRY(simulate(judging->exploration, point, &p99_s, err));
    judging->least_s = fmin(judging->least_s, p99_s);
    *holds = own.holds = p99_s <= judging->exploration->terms->p99_load_s;
    struct seen *more = dse_list_more(&judging->seen, &judging->count, sizeof *more);
    *more = own;
    return DSE_OK;
}

/* Whether an ideal design could meet the limit: one with the front's best value of everything that determines a queue (times, units, items, no bytes). */
static enum dse_status judge_ideal(const struct dse_exploration *e, const struct dse_answer *answer, double *p99_s, struct dse_error *err)
{
    double mean_s = INFINITY, tail_s = INFINITY, service_s[DSE_LOAD_QUANTILES];
    struct dse_load_result result;
    struct dse_load load = {.service_s = service_s, .service_count = DSE_LOAD_QUANTILES, .seed = e->request->seed};
    for (size_t i = 0; i < answer->front_count; i++) {
        size_t units = (size_t)answer->front[i].config.value[e->question.family->units_knob];
        mean_s = fmin(mean_s, answer->front[i].metrics[DSE_METRIC_LATENCY]);
        tail_s = fmin(tail_s, answer->front[i].metrics[DSE_METRIC_LATENCY_P99]);
        const struct dse_model_family *family = e->question.family;
        size_t items = family->items != NULL ? (size_t)family->items(family, &answer->front[i].config) : 1;
        load.units = units > load.units ? units : load.units;
        load.items = items > load.items ? items : load.items;
    }
    dse_load_quantiles(mean_s, tail_s, service_s, DSE_LOAD_QUANTILES);
    DSE_TRY(dse_load_run(e->terms->rate, host_of(e), load, 1e-9 * mean_s, e->request->monitor, &result, err));
    *p99_s = result.p99_s;
    return DSE_OK;
}

/* Reduces an answer to the designs that meet the limit, by the question's own objectives. */
static enum dse_status keep_holding(struct judging *judging, const struct dse_question *question, struct dse_answer *answer, struct dse_error *err)
{
    struct dse_archive archive;
    enum dse_status status = DSE_OK;
    struct dse_point *front = answer->front;
    dse_archive_init(&archive, question->objectives, question->objective_count);
    for (size_t i = 0; i < answer->front_count && status == DSE_OK; i++) {
        double costs[DSE_OBJECTIVE_MAX];
        bool holds = false;
        for (size_t o = 0; o < question->objective_count; o++)
            costs[o] = dse_question_cost(question, o, front[i].metrics);
        if (!dse_archive_dominates(&archive, costs))
            status = judge(judging, &front[i], &holds, err);
        if (holds)
            dse_archive_insert(&archive, &front[i]);
    }
    enum dse_outcome outcome = answer->outcome;
    dse_archive_hand_over(&archive, answer);
    answer->outcome = outcome == DSE_OUTCOME_BUDGET || outcome == DSE_OUTCOME_INTERRUPTED ? outcome : answer->outcome;
    free(front);
    return status;
}

enum dse_status dse_loaded_answer(const struct dse_exploration *e, const struct dse_question *question, dse_loaded_search *search, void *user,
                                  struct dse_answer *answer, double *least_s, struct dse_error *err)
{
    struct judging judging = {.exploration = e, .least_s = INFINITY};
    struct dse_question wide = *question;
    bool one = e->terms->method == DSE_METHOD_ILP;
    wide.checkpoint = NULL;
    for (size_t i = 0; i < FOLLOWED && !one; i++) {
        bool there = false;
        for (size_t o = 0; o < wide.objective_count; o++)
            there |= wide.objectives[o] == followed[i];
        if (!there)
            wide.objectives[wide.objective_count++] = followed[i];
    }
    DSE_TRY(search(user, &wide, answer, err));
    bool any = answer->front_count > 0;
    double ideal_s = 0.0;
    if (any && !one) /* a single design says nothing of the others */
        DSE_TRY(judge_ideal(e, answer, &ideal_s, err));
    if (ideal_s > e->terms->p99_load_s) { /* then no design meets it */
        *least_s = ideal_s;
        answer->front_count = 0;
        answer->outcome = DSE_OUTCOME_NOTHING;
        return DSE_OK;
    }
    enum dse_status status = keep_holding(&judging, question, answer, err);
    free(judging.seen);
    *least_s = any ? judging.least_s : 0.0;
    char least[32];
    return status == DSE_OK && one && any && answer->front_count == 0
               ? dse_fail(err, DSE_LIMIT, "--method ilp: the design that is best without p99_load has %s, beyond the limit; another design may meet it: --method exact finds it",
                          dse_quantity_format(least, sizeof least, DSE_DIMENSION_TIME, judging.least_s))
               : status;
}

/* ---- designs shown ---- */

static enum dse_status show(struct dse_exploration *e, struct dse_design *design, struct dse_load_result *load, struct dse_error *err)
{
    if (design->estimate == NULL || design->load != NULL)
        return DSE_OK;
    DSE_TRY(queue_of(e, design->estimate, load, err));
    design->load = load;
    return DSE_OK;
}

enum dse_status dse_loaded_corners(struct dse_exploration *e, struct dse_error *err)
{
    struct dse_front *front = &e->front;
    if (!e->terms->shows_load || e->terms->rate == NULL || front->count == 0)
        return DSE_OK;
    e->loads = dse_calloc(DSE_CORNER_COUNT + 2, sizeof *e->loads);
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (front->corners.at[c] != DSE_CORNER_NONE)
            DSE_TRY(show(e, &front->designs[front->corners.at[c]], &e->loads[c], err));
    if (front->has_paper)
        DSE_TRY(show(e, &front->paper, &e->loads[DSE_CORNER_COUNT], err));
    return e->terms->one ? show(e, &front->designs[0], &e->loads[DSE_CORNER_COUNT + 1], err) : DSE_OK;
}
