#include "explore/loaded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/timed.h"
#include "core/units.h"
#include "devices/hosts.h"
#include "explore/load.h"
#include "search/archive.h"

/* The bytes count only where several units wait for one host and memory. */
static const enum dse_metric followed[] = {DSE_METRIC_LATENCY_P99, DSE_METRIC_THROUGHPUT_SYSTEM, DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_DDR_BYTES};
#define BATCH_MOST 64 /* the largest that an infeasible answer tries */
#define FOLLOWED (sizeof followed / sizeof *followed)

static const struct dse_host *host_of(const struct dse_exploration *e)
{
    return &e->question.board->host;
}

/* How many of the followed metrics decide the queues of a question's designs. */
static size_t followed_by(const struct dse_question *question)
{
    const struct dse_knob *units = &question->space->knobs[question->family->units_knob];
    return units->domain_count == 1 && units->domain[0] == 1 ? FOLLOWED - 1 : FOLLOWED;
}

static enum dse_status add_limit(struct dse_question *question, struct dse_limit limit, struct dse_error *err)
{
    if (question->limit_count == DSE_LIMIT_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--where: more than %d limits, p99_load among them", DSE_LIMIT_MAX);
    question->limits[question->limit_count++] = limit;
    return DSE_OK;
}

double dse_loaded_launch_s(const struct dse_exploration *e)
{
    const struct dse_model_family *family = e->question.family;
    const struct dse_host_flow *flow = family == family->in_rtl ? &host_of(e)->rtl : &host_of(e)->hls;
    return fmin(flow->launch.s, flow->queue.s) + (family->transfers == NULL ? flow->transfer.s : 0.0);
}

enum dse_status dse_loaded_bound(struct dse_exploration *e, struct dse_question *question, struct dse_error *err)
{
    const struct dse_terms *terms = e->terms;
    double rate_hz = 0.0, *arrivals DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0;
    if (terms->p99_load_s <= 0.0)
        return DSE_OK;
    DSE_TRY(dse_load_read("rate", terms->rate, &rate_hz, &arrivals, &count, err));
    const double launch_s = dse_loaded_launch_s(e);
    if (launch_s >= terms->p99_load_s) /* then the search finds the nearest design */
        e->least_load = (struct dse_loaded_least){.s = launch_s, .bound = true};
    else
        DSE_TRY(add_limit(question, dse_limit_of(DSE_METRIC_LATENCY_P99, false, terms->p99_load_s - launch_s), err));
    return arrivals == NULL ? add_limit(question, dse_limit_of(DSE_METRIC_THROUGHPUT_SYSTEM, true, rate_hz), err) : DSE_OK;
}

static enum dse_status queue_of(const struct dse_exploration *e, const struct dse_estimate *estimate, const struct dse_monitor *monitor, struct dse_load_result *out,
                                struct dse_error *err)
{
    return dse_load_estimate(e->terms->rate, host_of(e), estimate, NULL, e->request->seed, monitor, out, err);
}

static enum dse_status estimate_on(const struct dse_exploration *e, const struct dse_point *point, const struct dse_board *board, struct dse_estimate *estimate,
                                   struct dse_error *err)
{
    const struct dse_question *q = &e->question;
    const struct dse_setup setup = {.family = q->family, .space = q->space, .board = board, .costs = q->costs,
                                    .workload = q->alternatives[point->alternative].workload, .headroom = q->headroom};
    return dse_estimate_built(&setup, &point->config, estimate, err);
}

static enum dse_status estimate_of(const struct dse_exploration *e, const struct dse_point *point, struct dse_estimate *estimate, struct dse_error *err)
{
    return estimate_on(e, point, e->question.board, estimate, err);
}

/* ---- the limit ----
 *
 * A design that is no better in any followed metric than one that breaks the limit breaks it, too. The design with a faster kernel may break it as well;
 * then its costs exclude more. */

#define SHARE_LEAST 1e-3 /* share of a kernel's time that counts as none */
#define SHARE_STEPS 8    /* simulations per design that breaks the limit */

/* Followed costs of a simulated design, or costs that break the limit as it does. */
struct seen {
    double costs[FOLLOWED];
    bool holds;
};

struct judging {
    const struct dse_exploration *exploration;
    const struct dse_monitor *monitor; /* the question's */
    const struct dse_effort *effort;   /* for each search */
    const struct dse_archive *others;  /* designs of other parts that meet the limit */
    struct seen *seen; /* count */
    size_t count, followed; /* metrics that decide the queues */
    bool any;
    struct dse_point broken; /* if any: the last simulated design that broke the limit */
    struct dse_load_limit limit;
};

static bool nowhere_more(const double *a, const double *b)
{
    bool more = false;
    for (size_t i = 0; i < FOLLOWED; i++)
        more |= a[i] > b[i];
    return !more;
}

/* Costs of the first `count` followed metrics; the others are 0. */
static void costs_of(const struct dse_point *point, size_t count, double costs[FOLLOWED])
{
    for (size_t i = 0; i < FOLLOWED; i++)
        costs[i] = i < count ? dse_objective_cost(followed[i], point->metrics) : 0.0;
}

/* Simulates the queue until it meets or breaks the limit. */
static enum dse_status queue_until(struct judging *judging, const struct dse_estimate *estimate, const struct dse_load_times *times, bool *holds, struct dse_error *err)
{
    const struct dse_exploration *e = judging->exploration;
    struct dse_load_result load;
    DSE_TRY(dse_load_until(e->terms->rate, host_of(e), estimate, times, e->request->seed, &judging->limit, judging->monitor, &load, err));
    *holds = load.p99_s <= judging->limit.p99_s;
    return DSE_OK;
}

/* For a design that breaks the limit: finds about the largest share of its kernel's time at which its queue meets the limit. The costs become those of a design with
 * slightly more than this share. */
static enum dse_status find_broken(struct judging *judging, const struct dse_estimate *estimate, double costs[FOLLOWED], struct dse_error *err)
{
    struct dse_estimate *scaled DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *scaled);
    double broken = 1.0, holds = 0.0, service_s[DSE_LOAD_QUANTILES];
    const double *own = estimate->metrics, interval_s = dse_interval_s(&estimate->platform, &estimate->sums);
    for (int step = 0; step < SHARE_STEPS && holds < broken; step++) {
        const double share = step == 0 ? SHARE_LEAST : 0.5 * (broken + holds);
        const struct dse_load_times times = {service_s, DSE_LOAD_QUANTILES, estimate->platform.queued ? share * interval_s : 0.0};
        bool met = false;
        *scaled = *estimate;
        scaled->metrics[DSE_METRIC_DDR_BYTES] *= share;
        for (unsigned left = estimate->platform.prepare_stages; left != 0; left &= left - 1)
            scaled->sums.fill_cycles[DSE_CASE_MEAN][__builtin_ctz(left)] = (int64_t)(share * (double)estimate->sums.fill_cycles[DSE_CASE_MEAN][__builtin_ctz(left)]);
        dse_load_quantiles(share * own[DSE_METRIC_LATENCY], share * own[DSE_METRIC_LATENCY_P99], service_s, DSE_LOAD_QUANTILES);
        DSE_TRY(queue_until(judging, scaled, &times, &met, err));
        if (met)
            holds = share;
        else
            broken = share;
        if (step == 0 && broken == share) /* this load breaks the limit without a kernel */
            holds = broken;
    }
    double metrics[DSE_METRIC_COUNT] = {0}, latency_s = broken * own[DSE_METRIC_LATENCY], host_s = dse_host_s(&estimate->platform, &estimate->sums),
           prepare_s = broken * dse_prepare_s(&estimate->platform, &estimate->sums);
    metrics[DSE_METRIC_DDR_BYTES] = own[DSE_METRIC_DDR_BYTES]; /* not shared, because the host's part of them is not */
    metrics[DSE_METRIC_LATENCY_P99] = broken * own[DSE_METRIC_LATENCY_P99];
    metrics[DSE_METRIC_LATENCY_SYSTEM] = dse_launch_s(&estimate->platform, latency_s, broken * interval_s, host_s, prepare_s);
    const struct dse_item item = {.latency_s = latency_s, .kernel_s = latency_s - prepare_s, .interval_s = broken * interval_s,
                                  .wait_s = dse_wait_s(&estimate->platform, DSE_BOUNDARY_SYSTEM, 1), .host_s = host_s, .prepare_s = prepare_s, .bytes = broken * own[DSE_METRIC_DDR_BYTES]};
    metrics[DSE_METRIC_THROUGHPUT_SYSTEM] = (double)estimate->platform.at_once / dse_delivery_s(&estimate->platform, DSE_BOUNDARY_SYSTEM, &item);
    for (size_t i = 0; i < judging->followed; i++)
        costs[i] = fmin(dse_objective_cost(followed[i], metrics), costs[i]); /* the design itself at least */
    return DSE_OK;
}

/* Whether a design meets the limit: known from a simulated design, or by its own simulation. `seen` is owned by `judging`, until its next call. */
static enum dse_status judge(struct judging *judging, const struct dse_point *point, const struct seen **seen, struct dse_error *err)
{
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    struct seen own;
    costs_of(point, judging->followed, own.costs);
    for (*seen = judging->seen; *seen < judging->seen + judging->count; ++*seen)
        if ((*seen)->holds ? nowhere_more(own.costs, (*seen)->costs) : nowhere_more((*seen)->costs, own.costs))
            return DSE_OK;
    DSE_TRY(estimate_of(judging->exploration, point, estimate, err));
    DSE_TRY(queue_until(judging, estimate, NULL, &own.holds, err));
    if (!own.holds) {
        DSE_TRY(find_broken(judging, estimate, own.costs, err));
        judging->any = true;
        judging->broken = *point;
    }
    struct seen *more = dse_list_more(&judging->seen, &judging->count, sizeof *more);
    *more = own;
    *seen = more;
    return DSE_OK;
}

/* The least p99 under load of the designs that are best in a followed metric. */
static enum dse_status find_least(const struct judging *judging, const struct dse_point *points, size_t count, struct dse_loaded_least *least, struct dse_error *err)
{
    const struct dse_exploration *e = judging->exploration;
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    const struct dse_point *last = NULL;
    for (size_t f = 0; f < FOLLOWED && count > 0; f++) { /* all, because the fewest bytes may have the least wait */
        const struct dse_point *best = points;
        struct dse_load_result load;
        for (const struct dse_point *point = points; point < points + count; point++)
            if (dse_objective_cost(followed[f], point->metrics) < dse_objective_cost(followed[f], best->metrics))
                best = point;
        if (best == last)
            continue;
        DSE_TRY(estimate_of(e, best, estimate, err));
        DSE_TRY(queue_of(e, estimate, judging->monitor, &load, err));
        if (last == NULL || load.p99_s < least->s)
            *least = (struct dse_loaded_least){.s = load.p99_s, .nearest = *best};
        last = best;
    }
    return DSE_OK;
}

/* Whether an ideal design could meet the limit: one with the front's best value of everything that determines a queue (times, units, items, no bytes). */
static enum dse_status judge_ideal(const struct judging *judging, const struct dse_answer *answer, double *p99_s, struct dse_error *err)
{
    const struct dse_exploration *e = judging->exploration;
    double mean_s = INFINITY, tail_s = INFINITY, service_s[DSE_LOAD_QUANTILES];
    struct dse_load_result result;
    struct dse_load load = {.service_s = service_s, .service_count = DSE_LOAD_QUANTILES, .seed = e->request->seed, .launch_s = dse_loaded_launch_s(e)};
    for (size_t i = 0; i < answer->front_count; i++) {
        const struct dse_model_family *family = e->question.family;
        size_t units = (size_t)answer->front[i].config.value[family->units_knob];
        size_t items = family->items != NULL ? (size_t)family->items(family, &answer->front[i].config) : 1;
        mean_s = fmin(mean_s, answer->front[i].metrics[DSE_METRIC_LATENCY]);
        tail_s = fmin(tail_s, answer->front[i].metrics[DSE_METRIC_LATENCY_P99]);
        load.units = units > load.units ? units : load.units;
        load.items = items > load.items ? items : load.items;
    }
    dse_load_quantiles(mean_s, tail_s, service_s, DSE_LOAD_QUANTILES);
    DSE_TRY(dse_load_run(e->terms->rate, host_of(e), load, 1e-9 * mean_s, judging->monitor, &result, err));
    *p99_s = result.p99_s;
    return DSE_OK;
}

struct ranked {
    double cost;
    const struct dse_point *point;
};

static int by_cost(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost) : (x->point > y->point) - (x->point < y->point);
}

/* Whether a design is dominated by one that meets the limit: of this part so far, or of another part. */
static bool is_beaten(const struct judging *judging, const struct dse_question *question, const struct dse_archive *own, const struct dse_point *point)
{
    double costs[DSE_OBJECTIVE_MAX];
    for (size_t o = 0; o < question->objective_count; o++)
        costs[o] = dse_question_cost(question, o, point->metrics);
    return (own != NULL && dse_archive_dominates(own, costs)) || dse_archive_dominates(judging->others, costs);
}

/* Reduces an answer to the designs that meet the limit, by the question's own objectives. The lowest costs come first: of one objective, the first design that meets the limit
 * ends the simulations. */
static enum dse_status keep_holding(struct judging *judging, const struct dse_question *question, struct dse_answer *answer, struct dse_loaded_least *least, struct dse_error *err)
{
    struct dse_archive archive;
    enum dse_status status = DSE_OK;
    struct dse_point *front = answer->front;
    struct ranked *ranked DSE_CLEANUP(dse_free_at) = dse_calloc(answer->front_count + 1, sizeof *ranked);
    dse_archive_init(&archive, question->objectives, question->objective_count);
    for (size_t i = 0; i < answer->front_count; i++)
        ranked[i] = (struct ranked){dse_question_cost(question, 0, front[i].metrics), &front[i]};
    qsort(ranked, answer->front_count, sizeof *ranked, by_cost);
    for (size_t i = 0; i < answer->front_count && status == DSE_OK; i++) {
        const struct seen *seen = NULL;
        if (is_beaten(judging, question, &archive, ranked[i].point))
            continue;
        status = judge(judging, ranked[i].point, &seen, err);
        if (status == DSE_OK && seen->holds)
            dse_archive_insert(&archive, ranked[i].point);
    }
    if (status == DSE_OK && archive.count + judging->others->count == 0)
        status = find_least(judging, front, answer->front_count, least, err);
    enum dse_outcome outcome = answer->outcome;
    dse_archive_hand_over(&archive, answer);
    answer->outcome = outcome == DSE_OUTCOME_BUDGET || outcome == DSE_OUTCOME_INTERRUPTED ? outcome : answer->outcome;
    free(front);
    return status;
}

/* The front of the objectives and of what decides a queue, reduced to the designs that meet the limit. */
static enum dse_status answer_by_front(struct judging *judging, const struct dse_question *question, dse_loaded_search *search, void *user,
                                       struct dse_answer *answer, struct dse_loaded_least *least, struct dse_error *err)
{
    struct dse_question wide = *question;
    double ideal_s = 0.0;
    wide.checkpoint = NULL;
    for (size_t i = 0; i < judging->followed; i++) {
        bool there = false;
        for (size_t o = 0; o < wide.objective_count; o++)
            there |= wide.objectives[o] == followed[i];
        if (!there)
            wide.objectives[wide.objective_count++] = followed[i];
    }
    struct dse_timed timed;
    dse_timed_begin(&timed, question->monitor, judging->effort->seconds);
    if (isfinite(judging->effort->seconds))
        wide.monitor = &timed.monitor;
    enum dse_status searched = search(user, &wide, judging->effort, answer, err), judged = DSE_OK;
    if (searched == DSE_CANCELLED && !dse_monitor_cancelled(question->monitor)) { /* the rest of the time is for the simulations */
        answer->outcome = DSE_OUTCOME_BUDGET;
        answer->proven = false;
        searched = DSE_OK;
    }
    if (searched != DSE_OK && searched != DSE_CANCELLED)
        return searched;
    if (answer->front_count > 0 && searched == DSE_OK)
        judged = judge_ideal(judging, answer, &ideal_s, err);
    if (ideal_s > judging->exploration->terms->p99_load_s) { /* then no design meets the limit on p99 */
        judged = find_least(judging, answer->front, answer->front_count, least, err);
        answer->outcome = answer->outcome == DSE_OUTCOME_BUDGET ? answer->outcome : DSE_OUTCOME_NOTHING;
    }
    if (judged != DSE_OK || ideal_s > judging->exploration->terms->p99_load_s) {
        answer->front_count = 0;
        return judged;
    }
    enum dse_status status = keep_holding(judging, question, answer, least, err);
    answer->proven &= searched == DSE_OK && status == DSE_OK;
    return status == DSE_OK ? searched : status;
}

/* ---- the limit, by integer programs ----
 *
 * The designs that are not excluded lie in zones: boxes below upper bounds of the followed costs. A zone that has a design which breaks the limit is replaced by
 * one zone per metric, below the design's cost (K. Klamroth, R. Lacour, D. Vanderpooten, "On the representation of the search region in multi-objective
 * optimization", EJOR 245, 2015). The best design of each zone is an integer program's. The best over all zones is simulated; if it meets the limit, it is
 * the optimum. */

struct zone {
    double upper[FOLLOWED]; /* exclusive; infinity: none */
    bool solved;
    struct dse_optimum optimum;
};

struct zones {
    struct zone *items; /* count */
    size_t count;
    struct dse_optimum total; /* counts of all programs */
    bool proven;
};

static void add_zone(struct zones *zones, const struct zone *zone)
{
    for (size_t z = 0; z < zones->count; z++)
        if (nowhere_more(zone->upper, zones->items[z].upper)) /* another zone has all its designs */
            return;
    struct zone *added = dse_list_more(&zones->items, &zones->count, sizeof *added);
    *added = *zone;
}

/* Excludes the designs that are nowhere better than these costs. A part keeps its zone's best design if it has it. */
static void split_zones(struct zones *zones, size_t followed_count, const double costs[FOLLOWED])
{
    double own[FOLLOWED];
    struct zone *before DSE_CLEANUP(dse_free_at) = zones->items;
    const size_t count = zones->count;
    zones->items = NULL;
    zones->count = 0;
    for (int parts = 0; parts < 2; parts++) /* first the zones that stay whole */
        for (const struct zone *zone = before; zone < before + count; zone++) {
            bool split = true;
            for (size_t i = 0; i < followed_count; i++)
                split &= costs[i] < zone->upper[i];
            if (!split && parts == 0)
                add_zone(zones, zone);
            costs_of(&zone->optimum.point, followed_count, own);
            for (size_t i = 0; i < followed_count && split && parts == 1; i++) {
                struct zone part = *zone;
                part.upper[i] = costs[i];
                part.solved = zone->solved && own[i] < costs[i];
                add_zone(zones, &part);
            }
        }
}

static void count_programs(const struct dse_optimum *found, struct dse_optimum *total)
{
    total->slices += found->slices;
    total->solved += found->solved;
    total->models += found->models;
    total->nodes += found->nodes;
    total->seconds += found->seconds;
    total->space_size = found->space_size;
    if (*found->rejection != '\0')
        memcpy(total->rejection, found->rejection, sizeof found->rejection);
}

/* Gives an optimum the counts of all programs. */
static void put_counts(const struct dse_optimum *total, struct dse_optimum *optimum)
{
    optimum->slices = total->slices;
    optimum->solved = total->solved;
    optimum->models = total->models;
    optimum->nodes = total->nodes;
    optimum->seconds = total->seconds;
    optimum->space_size = total->space_size;
    memcpy(optimum->rejection, total->rejection, sizeof optimum->rejection);
}

/* The best design of a zone; a zone without one is taken out. */
static enum dse_status solve_zone(const struct judging *judging, const struct dse_question *question, dse_loaded_search *search, void *user,
                                  const struct dse_optimum *found, struct zones *zones, size_t which, struct dse_error *err)
{
    struct zone *zone = &zones->items[which];
    struct dse_question own = *question;
    struct dse_answer answer DSE_CLEANUP(dse_answer_free) = {0};
    own.checkpoint = NULL;
    for (size_t i = 0; i < FOLLOWED; i++) {
        const bool higher = dse_metrics[followed[i]].higher_is_better;
        if (isfinite(zone->upper[i]))
            DSE_TRY(add_limit(&own, dse_limit_of(followed[i], higher, nextafter(higher ? -zone->upper[i] : zone->upper[i], higher ? INFINITY : 0.0)), err));
    }
    DSE_TRY(search(user, &own, judging->effort, &answer, err));
    zone->optimum = *found;
    zone->solved = true;
    count_programs(found, &zones->total);
    zones->proven &= answer.proven;
    if (answer.front_count == 0)
        zones->items[which] = zones->items[--zones->count];
    return DSE_OK;
}

/* Solves the zones not solved yet; returns the index of the zone with the best design, or the count of zones if there is none. */
static enum dse_status best_zone(const struct judging *judging, const struct dse_question *question, dse_loaded_search *search, void *user,
                                 const struct dse_optimum *found, struct zones *zones, size_t *best, struct dse_error *err)
{
    for (size_t z = 0; z < zones->count;)
        if (zones->items[z].solved)
            z++;
        else
            DSE_TRY(solve_zone(judging, question, search, user, found, zones, z, err));
    *best = 0;
    for (size_t z = 1; z < zones->count; z++)
        if (dse_question_cost(question, 0, zones->items[z].optimum.point.metrics) < dse_question_cost(question, 0, zones->items[*best].optimum.point.metrics))
            *best = z;
    return DSE_OK;
}

static enum dse_status search_zones(struct judging *judging, const struct dse_question *question, dse_loaded_search *search, void *user, struct dse_optimum *optimum,
                                    struct zones *zones, struct dse_error *err)
{
    const struct zone all = {.upper = {INFINITY, INFINITY, INFINITY, INFINITY}};
    add_zone(zones, &all);
    for (;;) {
        size_t best = 0;
        const struct seen *seen = NULL;
        DSE_TRY(best_zone(judging, question, search, user, optimum, zones, &best, err));
        if (zones->count == 0 || is_beaten(judging, question, NULL, &zones->items[best].optimum.point)) {
            *optimum = (struct dse_optimum){.objective = NAN, .bound = NAN};
            return DSE_OK;
        }
        DSE_TRY(judge(judging, &zones->items[best].optimum.point, &seen, err));
        if (seen->holds) {
            *optimum = zones->items[best].optimum;
            return DSE_OK;
        }
        split_zones(zones, judging->followed, seen->costs);
    }
}

static enum dse_status answer_by_programs(struct judging *judging, const struct dse_question *question, dse_loaded_search *search, void *user, struct dse_optimum *optimum,
                                          struct dse_answer *answer, struct dse_loaded_least *least, struct dse_error *err)
{
    struct zones zones = {.proven = true};
    enum dse_status status = search_zones(judging, question, search, user, optimum, &zones, err);
    free(zones.items);
    if (status != DSE_OK) /* a design of an interrupted search was not simulated */
        *optimum = (struct dse_optimum){.objective = NAN, .bound = NAN};
    optimum->proven = status == DSE_OK && zones.proven;
    put_counts(&zones.total, optimum);
    dse_optimum_answer(optimum, answer);
    answer->proven = optimum->proven;
    if (status == DSE_OK && !optimum->found && judging->any && judging->others->count == 0)
        status = find_least(judging, &judging->broken, 1, least, err);
    return status;
}

static enum dse_status answer_part(const struct dse_exploration *e, const struct dse_question *question, const struct dse_effort *effort, const struct dse_archive *others,
                                   dse_loaded_search *search, void *user, struct dse_optimum *optimum, struct dse_answer *answer, struct dse_loaded_least *least, struct dse_error *err)
{
    struct judging judging = {.exploration = e, .monitor = question->monitor, .effort = effort, .others = others, .followed = followed_by(question), .limit = {.p99_s = e->terms->p99_load_s}};
    enum dse_status status = e->terms->method == DSE_METHOD_ILP ? answer_by_programs(&judging, question, search, user, optimum, answer, least, err)
                                                                : answer_by_front(&judging, question, search, user, answer, least, err);
    free(judging.seen);
    free(judging.limit.drawn);
    return status;
}

/* ---- parts ----
 *
 * More units that wait for one host or memory answer sooner, although no followed metric shows it. The host takes longer to start a kernel with a queue of
 * descriptors. In the metrics all items of a launch share this time, but a launch under load may have only one item. Each number of units, and each value of the knobs that
 * decide how the host starts the kernel, is therefore a question. */

struct parting {
    size_t knobs[DSE_KNOB_MAX]; /* count */
    size_t count, parts;        /* product of their numbers of values */
};

static struct parting parting_of(const struct dse_model_family *family, const struct dse_space *space)
{
    struct parting parting = {.parts = 1};
    dse_knob_set deciding = family->queues != NULL ? family->decides_items : dse_bits_one(family->units_knob);
    dse_bits_add(&deciding, family->units_knob);
    if (family->steps != NULL)
        dse_bits_add(&deciding, family->overlap_knob);
    for DSE_BITS_EACH (knob, deciding)
        if (space->knobs[knob].kind == DSE_KNOB_HARDWARE && space->knobs[knob].domain_count > 1) {
            parting.knobs[parting.count++] = knob;
            parting.parts *= space->knobs[knob].domain_count;
        }
    return parting;
}

/* Leaves these knobs the values of one part. */
static void take_part(const struct parting *parting, const struct dse_space *whole, size_t part, struct dse_space *space)
{
    for (size_t i = 0; i < parting->count; i++) {
        const struct dse_knob *knob = &whole->knobs[parting->knobs[i]];
        space->knobs[parting->knobs[i]].domain = &knob->domain[part % knob->domain_count];
        space->knobs[parting->knobs[i]].domain_count = 1;
        part /= knob->domain_count;
    }
}

struct joining {
    const struct dse_question *question;
    struct dse_archive archive;
    struct dse_answer answer; /* counts */
    struct dse_optimum best, total; /* the best program's, and counts of all */
    struct dse_loaded_least least;
};

static void join_counts(const struct dse_answer *one, size_t parts, struct dse_answer *out)
{
    out->space_size += one->space_size;
    out->evaluated += one->evaluated;
    out->feasible += one->feasible;
    out->unbuildable += one->unbuildable;
    out->seconds += one->seconds;
    out->looked_at += one->looked_at / (double)parts;
    out->proven &= one->proven;
    if (*out->rejection == '\0')
        memcpy(out->rejection, one->rejection, sizeof out->rejection);
    if (one->outcome == DSE_OUTCOME_BUDGET || one->outcome == DSE_OUTCOME_INTERRUPTED)
        out->outcome = one->outcome;
}

/* A value that a design reaches is preferred to a bound, and either to none. */
static int rank_of(const struct dse_loaded_least *least)
{
    return least->s <= 0.0 ? 3 : isinf(least->s) ? 2 : least->bound;
}

/* Joins the answer for one part; a search by integer programs has it in `found`. */
static void join(const struct dse_answer *one, const struct dse_optimum *found, const struct dse_loaded_least *least, size_t parts, struct joining *all)
{
    const struct dse_question *q = all->question;
    join_counts(one, parts, &all->answer);
    for (size_t i = 0; i < one->front_count; i++)
        dse_archive_insert(&all->archive, &one->front[i]);
    const int own = rank_of(least), other = rank_of(&all->least);
    if (own < other || (own == other && least->s < all->least.s))
        all->least = *least;
    if (found->found && (!all->best.found || dse_question_cost(q, 0, found->point.metrics) < dse_question_cost(q, 0, all->best.point.metrics)))
        all->best = *found;
    const uint64_t others = all->total.space_size;
    count_programs(found, &all->total);
    all->total.space_size += others;
    all->total.proven &= found->proven;
}

/* Answers one part in the time left until the deadline, of which the searches have half. A heuristic, which uses all its time, has an equal share of it. */
static enum dse_status answer_share(const struct dse_exploration *e, const struct dse_question *question, const struct dse_effort *whole, double deadline_s, size_t part,
                                    size_t parts, const struct dse_archive *others, dse_loaded_search *search, void *user, struct dse_optimum *optimum, struct dse_answer *answer,
                                    struct dse_loaded_least *least, struct dse_error *err)
{
    const double share_s = (deadline_s - dse_clock_s()) / (e->terms->method == DSE_METHOD_HEURISTIC ? (double)(parts - part) : 1.0);
    const struct dse_effort effort = {.seed = whole->seed, .seconds = 0.5 * share_s,
                                      .evaluations = whole->evaluations / parts + (part < whole->evaluations % parts)};
    struct dse_question own = *question;
    struct dse_timed timed;
    dse_timed_begin(&timed, question->monitor, share_s);
    if (isfinite(share_s))
        own.monitor = &timed.monitor;
    enum dse_status status = answer_part(e, &own, &effort, others, search, user, optimum, answer, least, err);
    if (status != DSE_CANCELLED || dse_monitor_cancelled(question->monitor))
        return status;
    answer->outcome = DSE_OUTCOME_BUDGET;
    return DSE_OK;
}

static enum dse_status answer_parts(const struct dse_exploration *e, const struct dse_question *question, const struct dse_effort *effort, dse_loaded_search *search,
                                    void *user, struct dse_optimum *optimum, struct dse_answer *answer, struct dse_loaded_least *least, struct dse_error *err)
{
    const struct parting parting = parting_of(question->family, question->space);
    const double deadline_s = dse_clock_s() + effort->seconds;
    struct dse_space *space DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *space);
    struct joining all = {.question = question, .answer = {.outcome = DSE_OUTCOME_FOUND, .proven = true},
                          .best = {.objective = NAN, .bound = NAN}, .total = {.proven = true}};
    struct dse_question own = *question;
    enum dse_status status = DSE_OK;
    dse_archive_init(&all.archive, question->objectives, question->objective_count);
    if (parting.parts == 1)
        return answer_share(e, question, effort, deadline_s, 0, 1, &all.archive, search, user, optimum, answer, least, err);
    *space = *question->space;
    own.space = space;
    own.checkpoint = NULL;
    for (size_t part = 0; part < parting.parts && status == DSE_OK && all.answer.outcome != DSE_OUTCOME_INTERRUPTED; part++) {
        struct dse_answer one DSE_CLEANUP(dse_answer_free) = {0};
        struct dse_loaded_least nearest = {0};
        take_part(&parting, question->space, part, space);
        status = answer_share(e, &own, effort, deadline_s, part, parting.parts, &all.archive, search, user, optimum, &one, &nearest, err);
        if (status == DSE_OK || status == DSE_CANCELLED)
            join(&one, optimum, &nearest, parting.parts, &all);
        all.answer.proven &= status == DSE_OK;
        all.total.proven &= status == DSE_OK;
    }
    *answer = all.answer;
    dse_archive_hand_over(&all.archive, answer);
    if (all.answer.outcome != DSE_OUTCOME_FOUND)
        answer->outcome = all.answer.outcome;
    if (rank_of(&all.least) < rank_of(least))
        *least = all.least;
    if (e->terms->method == DSE_METHOD_ILP) {
        *optimum = all.best;
        put_counts(&all.total, optimum);
        optimum->proven = all.total.proven;
        dse_answer_free(answer);
        dse_optimum_answer(optimum, answer);
        answer->proven = optimum->proven;
        answer->outcome = all.answer.outcome != DSE_OUTCOME_FOUND ? all.answer.outcome : answer->outcome;
    }
    return status;
}

enum dse_status dse_loaded_answer(const struct dse_exploration *e, const struct dse_question *question, const struct dse_effort *effort, dse_loaded_search *search, void *user,
                                  struct dse_optimum *optimum, struct dse_answer *answer, struct dse_loaded_least *least, struct dse_error *err)
{
    const double begin = dse_clock_s();
    enum dse_status status = answer_parts(e, question, effort, search, user, optimum, answer, least, err);
    answer->seconds = optimum->seconds = dse_clock_s() - begin; /* with the simulations */
    return status;
}

/* ---- help ---- */

/* Simulates the design behind another host path; `p99_s` is infinite if it cannot be built. */
static enum dse_status queue_behind(const struct dse_exploration *e, const struct dse_point *point, const char *host, int64_t batch, double *p99_s, struct dse_error *err)
{
    struct dse_board *board DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *board); /* shares the arrays */
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *estimate);
    struct dse_load_result load;
    *board = *e->question.board;
    *p99_s = INFINITY;
    DSE_TRY(dse_host_choose(board, host, batch, err));
    enum dse_status status = estimate_on(e, point, board, estimate, err);
    if (status != DSE_OK)
        return status == DSE_ANSWER_NO ? DSE_OK : status;
    DSE_TRY(dse_load_estimate(e->terms->rate, &board->host, estimate, NULL, e->request->seed, e->request->monitor, &load, err));
    *p99_s = load.p99_s;
    return DSE_OK;
}

static void add_help(const struct dse_exploration *e, const char *with, double p99_s, struct dse_strbuf *out)
{
    char text[32];
    const double own_s = e->least_load.s > 0.0 && !e->least_load.bound ? e->least_load.s : INFINITY;
    if (p99_s < own_s)
        dse_strbuf_printf(out, "%s%s with %s", out->length > 0 ? " or " : "; the nearest design takes ", dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, p99_s), with);
}

/* Options for a design that queues the items of a batch. */
static void name_batch(const struct dse_exploration *e, const struct dse_config *config, int64_t batch, char *out, size_t size)
{
    const struct dse_model_family *family = e->question.family;
    const struct dse_knob *overlap = &e->space->knobs[family->overlap_knob], *units = &e->space->knobs[family->units_knob];
    size_t length = (size_t)snprintf(out, size, "--batch %d, %s=%d", (int)batch, units->name, (int)config->value[family->units_knob]);
    if (family->steps != NULL)
        snprintf(out + length, size - length, ", %s=%s", overlap->name, overlap->choices[config->value[family->overlap_knob]]);
}

/* Batches of powers of 4, with each overlap that queues items; one unit, because more may have no room for the queue's memory. The first that meets the limit, or
 * else the least p99. */
static enum dse_status try_batches(const struct dse_exploration *e, const struct dse_point *nearest, struct dse_strbuf *out, struct dse_error *err)
{
    const struct dse_model_family *family = e->question.family;
    const int64_t overlaps = family->steps != NULL ? (int64_t)e->space->knobs[family->overlap_knob].choice_count : 2;
    double least_s = INFINITY;
    char with[160] = "";
    for (int64_t batch = 4; batch <= BATCH_MOST && dse_family_queues(family) && least_s > e->terms->p99_load_s; batch *= 4)
        for (int64_t i = 1; i < overlaps && batch > host_of(e)->batch && least_s > e->terms->p99_load_s; i++) {
            struct dse_point point = *nearest;
            double p99_s = INFINITY;
            point.config.value[family->units_knob] = 1;
            if (family->steps != NULL)
                point.config.value[family->overlap_knob] = i;
            DSE_TRY(queue_behind(e, &point, host_of(e)->name, batch, &p99_s, err));
            if (p99_s >= least_s)
                continue;
            least_s = p99_s;
            name_batch(e, &point.config, batch, with, sizeof with);
        }
    add_help(e, with, least_s, out);
    return DSE_OK;
}

enum dse_status dse_loaded_help(const struct dse_exploration *e, const struct dse_point *nearest, struct dse_strbuf *out, struct dse_error *err)
{
    struct dse_host_paths paths DSE_CLEANUP(dse_host_paths_free) = {0};
    DSE_TRY(dse_host_paths_open(&paths, err));
    for (size_t i = 0; i < paths.count; i++) {
        char with[64];
        double p99_s = INFINITY;
        if (paths.items[i].on != dse_host_place(e->question.board) || strcmp(paths.items[i].name, host_of(e)->name) == 0)
            continue;
        DSE_TRY(queue_behind(e, nearest, paths.items[i].name, host_of(e)->batch, &p99_s, err));
        snprintf(with, sizeof with, "--host %s", paths.items[i].name);
        add_help(e, with, p99_s, out);
    }
    return try_batches(e, nearest, out, err);
}

/* ---- designs shown ---- */

static enum dse_status show(struct dse_exploration *e, struct dse_design *design, struct dse_load_result *load, struct dse_error *err)
{
    if (design->estimate == NULL || design->load != NULL)
        return DSE_OK;
    DSE_TRY(queue_of(e, design->estimate, e->request->monitor, load, err));
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
