#include "search/heuristic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/rng.h"
#include "search/filter.h"
#include "search/archive.h"
#include "search/judge.h"
#include "search/question.h"

#define HISTORY_MAX 64
#define HYPERVOLUME_DIMENSIONS 3 /* with more objectives it takes longer than the search */

/* Of one alternative's designs what violates least: where it is gone on from while its feasible ones are few and the front has
 * none of them, as where a limit lies on the far side of what it is good at. */
struct nearest {
    struct dse_point point;
    double violation; /* 0: feasible; infinity: none was tried */
};

struct search {
    const struct dse_question *question;
    struct dse_judge *judge;
    struct dse_verdict verdict; /* of the last design */
    size_t knobs[DSE_KNOB_MAX], knob_count; /* free, with a choice */
    struct dse_archive archive;
    struct nearest *nearest; /* an alternative each */
    size_t closest;          /* the alternative whose violation is least */
    uint64_t evaluated, feasible;
    uint64_t merged; /* of those evaluated, in neighbourhoods */
    double deadline_s;
    struct dse_rng rng;
};

/* ---- hypervolume ---- */

struct ranked_point {
    const double *values;
    size_t last; /* the dimension that they are sorted by */
};

static int by_last(const void *a, const void *b)
{
    const struct ranked_point *x = a, *y = b;
    double u = x->values[x->last], v = y->values[y->last];
    return (u > v) - (u < v);
}

/* Slices along the last dimension: between two neighbouring values the volume of those below, one dimension less. */
static double slice_volume(struct ranked_point *points, size_t count, size_t dimensions, const double *reference)
{
    if (dimensions == 1) {
        double least = reference[0];
        for (size_t i = 0; i < count; i++)
            least = fmin(least, points[i].values[0]);
        return reference[0] - least;
    }
    for (size_t i = 0; i < count; i++)
        points[i].last = dimensions - 1;
    qsort(points, count, sizeof *points, by_last);
    if (dimensions == 2) { /* a staircase */
        double volume = 0.0, least = reference[0];
        for (size_t i = 0; i < count; i++) {
            double next = i + 1 < count ? fmin(points[i + 1].values[1], reference[1]) : reference[1];
            least = fmin(least, points[i].values[0]);
            volume += (reference[0] - least) * fmax(next - points[i].values[1], 0.0);
        }
        return volume;
    }
    struct ranked_point *below = dse_malloc((count + 1) * sizeof *below);
    double volume = 0.0;
    for (size_t i = 0; i < count; i++) {
        double low = points[i].values[dimensions - 1];
        double high = i + 1 < count ? fmin(points[i + 1].values[dimensions - 1], reference[dimensions - 1])
                                    : reference[dimensions - 1];
        if (high <= low)
            continue;
        memcpy(below, points, (i + 1) * sizeof *below);
        volume += (high - low) * slice_volume(below, i + 1, dimensions - 1, reference);
    }
    free(below);
    return volume;
}

/* The volume that points (count × dimensions, smaller is better) dominate below `reference`. O(count^(dimensions−1)). */
static double hypervolume(const double *points, size_t count, size_t dimensions, const double *reference)
{
    struct ranked_point *inside = dse_malloc((count + 1) * sizeof *inside);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool below = true;
        for (size_t d = 0; d < dimensions; d++)
            below &= points[i * dimensions + d] < reference[d];
        if (below)
            inside[kept++] = (struct ranked_point){points + i * dimensions, 0};
    }
    double volume = kept > 0 ? slice_volume(inside, kept, dimensions, reference) : 0.0;
    free(inside);
    return volume;
}

/* ---- one design ---- */

static enum dse_status try_design(struct search *search, struct dse_point *point, struct dse_error *err)
{
    struct dse_verdict *verdict = &search->verdict;
    search->evaluated++;
    DSE_TRY(dse_judge_design(search->judge, &point->config, point->alternative, verdict, err));
    if (!verdict->built)
        return DSE_OK; /* a step that was for nothing */
    memcpy(point->metrics, verdict->metrics, sizeof point->metrics);
    struct nearest *nearest = &search->nearest[point->alternative];
    if (verdict->violation < nearest->violation) {
        *nearest = (struct nearest){*point, verdict->violation};
        if (verdict->violation < search->nearest[search->closest].violation)
            search->closest = point->alternative;
    }
    if (verdict->violation > 0.0)
        return DSE_OK;
    search->feasible++;
    dse_archive_insert(&search->archive, point);
    return DSE_OK;
}

/* ---- moves ---- */

static void set_alternative(struct search *search, struct dse_point *point, size_t alternative)
{
    const struct dse_question *q = search->question;
    dse_knob_set algorithmic = dse_space_of_kind(q->space, DSE_KNOB_ALGORITHMIC);
    point->alternative = alternative;
    for (size_t k = 0; k < q->space->count; k++)
        if ((algorithmic >> k & 1) != 0)
            point->config.value[k] = q->alternatives[alternative].config.value[k];
}

/* Replaces the values that the question does not allow: those of the base, and defaults of knobs that begin to matter. */
static void admit(const struct search *search, struct dse_point *point)
{
    const struct dse_question *q = search->question;
    for (size_t k = 0; k < q->space->count; k++) {
        const struct dse_knob *knob = &q->space->knobs[k];
        bool admitted = (q->free >> k & 1) == 0;
        for (size_t i = 0; i < knob->domain_count && !admitted; i++)
            admitted = knob->domain[i] == point->config.value[k];
        if (!admitted)
            point->config.value[k] = knob->domain[0];
    }
}

static void set_random(struct search *search, struct dse_point *point, size_t knob)
{
    const struct dse_knob *k = &search->question->space->knobs[knob];
    point->config.value[knob] = k->domain[dse_rng_below(&search->rng, k->domain_count)];
}

static void draw(struct search *search, struct dse_point *point)
{
    const struct dse_question *q = search->question;
    point->config = q->base;
    for (size_t k = 0; k < q->space->count; k++)
        if ((q->free >> k & 1) != 0)
            set_random(search, point, k);
    set_alternative(search, point, dse_rng_below(&search->rng, q->alternative_count));
}

/* To a neighbouring value of the domain two times in three, else to any. */
static void move_knob(struct search *search, struct dse_point *point, size_t knob)
{
    const struct dse_knob *k = &search->question->space->knobs[knob];
    size_t at = 0;
    while (at < k->domain_count && k->domain[at] != point->config.value[knob])
        at++;
    if (at == k->domain_count || dse_rng_below(&search->rng, 3) == 0) {
        set_random(search, point, knob);
        return;
    }
    bool up = at == 0 || (at + 1 < k->domain_count && dse_rng_below(&search->rng, 2) == 0);
    point->config.value[knob] = k->domain[up && at + 1 < k->domain_count ? at + 1 : at > 0 ? at - 1 : 0];
}

static void move_some(struct search *search, struct dse_point *point)
{
    struct dse_rng *rng = &search->rng;
    for (uint64_t moves = 1 + dse_rng_below(rng, 3); moves > 0 && search->knob_count > 0; moves--)
        move_knob(search, point, search->knobs[dse_rng_below(rng, search->knob_count)]);
}

static void propose(struct search *search, struct dse_point *point)
{
    const struct dse_question *q = search->question;
    struct dse_rng *rng = &search->rng;
    size_t count = search->archive.count;
    if (dse_rng_below(rng, 32) == 0 || (count == 0 && isinf(search->nearest[search->closest].violation))) {
        draw(search, point);
        return;
    }
    const struct nearest *other_way = q->alternative_count > 1 && dse_rng_below(rng, 8) == 0
                                          ? &search->nearest[dse_rng_below(rng, q->alternative_count)] : NULL;
    if (other_way != NULL && isfinite(other_way->violation)) {
        *point = other_way->point;
        move_some(search, point);
        return;
    }
    *point = count > 0 ? search->archive.points[dse_rng_below(rng, count)] : search->nearest[search->closest].point;
    if (count > 1 && dse_rng_below(rng, 4) == 0) {
        const struct dse_point *other = &search->archive.points[dse_rng_below(rng, count)];
        for (size_t i = 0; i < search->knob_count; i++)
            if (dse_rng_below(rng, 2) == 0)
                point->config.value[search->knobs[i]] = other->config.value[search->knobs[i]];
    }
    if (q->alternative_count > 1 && dse_rng_below(rng, 8) == 0)
        set_alternative(search, point, dse_rng_below(rng, q->alternative_count));
    move_some(search, point);
}

/* ---- neighbourhoods ----
 *
 * Single steps do not find a front that is a needle: designs just beyond a limit on its far side differ from one another in
 * many knobs at once. So some knobs of a design are held, and of all that the others can make of it the exact merge finds the
 * front: at once, what no sequence of better and better designs leads to. (Large neighbourhood search: P. Shaw, "Using
 * constraint programming and local search methods to solve vehicle routing problems", CP 1998.) */

#define NEIGHBOURHOOD 2e6 /* configurations at most */
#define MERGED_FROM 2048       /* evaluations after which there is a front worth looking around */
#define MERGED_SHARE 2         /* one in so many evaluations is a neighbourhood's */

static bool merge_is_over(void *user)
{
    const struct search *search = user;
    return dse_monitor_cancelled(search->question->monitor) || dse_clock_s() > search->deadline_s;
}

/* Lets knobs in a random order vary while the neighbourhood stays small; the others keep the point's values. `space` becomes a
 * copy of the question's, and owns nothing. */
static void narrow(struct search *search, const struct dse_point *point, struct dse_space *space)
{
    size_t order[DSE_KNOB_MAX];
    double size = 1.0;
    *space = *search->question->space;
    for (size_t i = 0; i < search->knob_count; i++) {
        size_t place = dse_rng_below(&search->rng, i + 1);
        order[i] = order[place];
        order[place] = search->knobs[i];
    }
    for (size_t i = 0; i < search->knob_count; i++) {
        struct dse_knob *knob = &space->knobs[order[i]];
        if (size * (double)knob->domain_count <= NEIGHBOURHOOD) {
            size *= (double)knob->domain_count;
            continue;
        }
        size_t at = 0; /* a canonical configuration may hold a value that is not in a narrowed domain: any stands for it */
        while (at + 1 < knob->domain_count && knob->domain[at] != point->config.value[order[i]])
            at++;
        knob->domain += at;
        knob->domain_count = 1;
    }
}

/* Takes the front of a neighbourhood of a design of the front, or of what is nearest to feasible, into the archive. */
static enum dse_status merge_neighbourhood(struct search *search, struct dse_error *err)
{
    const struct dse_question *q = search->question;
    size_t count = search->archive.count;
    const struct dse_point *centre = count > 0 ? &search->archive.points[dse_rng_below(&search->rng, count)]
                                               : &search->nearest[search->closest].point;
    struct dse_monitor monitor = {.cancelled = merge_is_over, .user = search};
    size_t alternative = dse_rng_below(&search->rng, 2) == 0 ? centre->alternative
                                                             : dse_rng_below(&search->rng, q->alternative_count);
    struct dse_space *space DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *space);
    narrow(search, centre, space);
    struct dse_question near = *q;
    near.space = space;
    near.alternatives = &q->alternatives[alternative];
    near.alternative_count = 1;
    near.own = q->own != NULL ? &q->own[alternative] : NULL;
    near.jobs = 1;
    near.monitor = &monitor;
    near.checkpoint = NULL;
    near.tables = NULL; /* a question's know its alternatives by their places */
    struct dse_answer answer;
    enum dse_status status = dse_search_exact(&near, &answer, err);
    uint64_t formed = answer.evaluated + answer.unbuildable + 1;
    search->evaluated += formed;
    search->merged += formed;
    search->feasible += answer.feasible;
    for (size_t i = 0; i < answer.front_count && (status == DSE_OK || status == DSE_CANCELLED); i++) {
        answer.front[i].alternative = alternative;
        dse_archive_insert(&search->archive, &answer.front[i]);
    }
    dse_answer_free(&answer);
    return status == DSE_CANCELLED ? DSE_OK : status; /* the next look at the clock ends the search */
}

static bool merge_is_due(const struct search *search)
{
    return search->question->evaluator == NULL && !dse_filters_on_metrics(search->question) && search->evaluated >= MERGED_FROM &&
           search->merged < search->evaluated / MERGED_SHARE &&
           (search->archive.count > 0 || isfinite(search->nearest[search->closest].violation));
}

/* ---- the search ---- */

/* The front found so far, measured at the end against one reference: the worst of the last front in each objective,
 * and a tenth of its range more. */
struct snapshot {
    uint64_t evaluated;
    double seconds;
    double *costs; /* count × objectives */
    size_t count;
};

static void take_snapshot(const struct search *search, double seconds, struct snapshot *out)
{
    size_t bytes = search->archive.count * search->archive.objective_count * sizeof *out->costs;
    *out = (struct snapshot){search->evaluated, seconds, dse_malloc(bytes + sizeof *out->costs), 0};
    out->count = search->archive.count;
    if (bytes > 0)
        memcpy(out->costs, search->archive.costs, bytes);
}

static void measure_history(const struct search *search, struct snapshot *snapshots, size_t count,
                            struct dse_answer *answer)
{
    size_t objectives = search->archive.objective_count;
    double reference[DSE_OBJECTIVE_MAX];
    for (size_t o = 0; o < objectives; o++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < search->archive.count; i++) {
            low = fmin(low, search->archive.costs[i * objectives + o]);
            high = fmax(high, search->archive.costs[i * objectives + o]);
        }
        reference[o] = high + 0.1 * (high - low) + 1e-12 * fabs(high);
    }
    answer->history = dse_malloc((count + 1) * sizeof *answer->history);
    for (size_t i = 0; i < count; i++) {
        answer->history[answer->history_count++] = (struct dse_progress_point){
            snapshots[i].evaluated, snapshots[i].seconds,
            objectives <= HYPERVOLUME_DIMENSIONS ? hypervolume(snapshots[i].costs, snapshots[i].count, objectives, reference) : NAN};
        free(snapshots[i].costs);
    }
}

static void tell(const struct search *search, const struct dse_effort *effort, double seconds)
{
    const struct dse_monitor *monitor = search->question->monitor;
    if (isfinite(effort->seconds))
        dse_monitor_progress(monitor, "time used", (uint64_t)(seconds / effort->seconds * DSE_MONITOR_WHOLE), DSE_MONITOR_WHOLE);
    else
        dse_monitor_progress(monitor, "evaluations", search->evaluated, effort->evaluations);
}

static enum dse_status climb(struct search *search, const struct dse_effort *effort, double start,
                             struct dse_answer *answer, struct dse_error *err)
{
    struct snapshot snapshots[HISTORY_MAX];
    size_t count = 0;
    uint64_t next = 256, looked = 0;
    enum dse_status status = DSE_OK;
    struct dse_point point;
    point.config = search->question->base;
    set_alternative(search, &point, 0);
    admit(search, &point);
    while (status == DSE_OK && search->evaluated < effort->evaluations) {
        status = merge_is_due(search) ? merge_neighbourhood(search, err) : try_design(search, &point, err);
        if (search->evaluated - looked >= 256) {
            looked = search->evaluated;
            double seconds = dse_clock_s() - start;
            if (dse_monitor_cancelled(search->question->monitor) || seconds > effort->seconds)
                break;
            tell(search, effort, seconds);
        }
        if (search->evaluated >= next && status == DSE_OK && count + 1 < HISTORY_MAX) {
            take_snapshot(search, dse_clock_s() - start, &snapshots[count++]);
            while (next <= search->evaluated)
                next *= 2;
        }
        propose(search, &point);
        admit(search, &point);
    }
    if (status == DSE_OK)
        take_snapshot(search, dse_clock_s() - start, &snapshots[count++]);
    measure_history(search, snapshots, count, answer);
    return status;
}

static enum dse_status open_search(struct search *search, uint64_t seed, struct dse_error *err)
{
    const struct dse_question *q = search->question;
    dse_rng_seed(&search->rng, seed, 0);
    dse_archive_init(&search->archive, q->objectives, q->objective_count);
    for (size_t k = 0; k < q->space->count; k++)
        if ((q->free >> k & 1) != 0 && q->space->knobs[k].domain_count > 1)
            search->knobs[search->knob_count++] = k;
    search->nearest = dse_malloc((q->alternative_count + 1) * sizeof *search->nearest);
    for (size_t a = 0; a < q->alternative_count; a++)
        search->nearest[a].violation = INFINITY;
    return dse_judge_open(q, &search->judge, err);
}

enum dse_status dse_search_heuristic(const struct dse_question *question, const struct dse_effort *effort,
                                     struct dse_answer *answer, struct dse_error *err)
{
    double start = dse_clock_s();
    struct search search = {.question = question, .deadline_s = start + effort->seconds};
    *answer = (struct dse_answer){0};
    enum dse_status status = open_search(&search, effort->seed, err);
    if (status == DSE_OK)
        status = climb(&search, effort, start, answer, err);
    dse_judge_close(&search.judge);
    free(search.nearest);
    dse_archive_hand_over(&search.archive, answer);
    answer->space_size = dse_question_size(question);
    answer->evaluated = search.evaluated;
    answer->feasible = search.feasible;
    answer->seconds = dse_clock_s() - start;
    return status;
}
