#include "search/heuristic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/rng.h"
#include "search/filter.h"
#include "search/archive.h"
#include "search/judge.h"
#include "search/question.h"
#include "search/tables.h"

#define HISTORY_MAX 64
#define HYPERVOLUME_DIMENSIONS 3 /* with more objectives it takes longer than the search */
#define HYPERVOLUME_POINTS 2000  /* maximum front size for that many objectives, for the same reason */

/* The least violating design of one alternative. The search continues from it while the alternative has few feasible designs and none on the front.
 * This helps, for example, if a limit is far from the alternative's usual range. */
struct nearest {
    struct dse_point point;
    double violation; /* 0: feasible; infinity: none tried */
};

struct search {
    const struct dse_question *question;
    struct dse_judge *judge;
    struct dse_verdict verdict; /* verdict on the last design */
    size_t knobs[DSE_KNOB_MAX], knob_count; /* free knobs with more than one value */
    struct dse_archive archive;
    struct nearest *nearest; /* per alternative */
    size_t closest;          /* the alternative with the least violation */
    uint64_t evaluated, feasible;
    uint64_t merged; /* designs among `evaluated` that neighbourhoods merged */
    uint64_t laddered; /* designs among `evaluated` that lie on ladders */
    uint64_t most;   /* maximum of `evaluated` */
    double reach;    /* 1; reduced after neighbourhoods whose merge was ended */
    dse_knob_set *reads; /* per block */
    double deadline_s;
    struct dse_rng rng;
    uint64_t *seen; /* hash set of judged designs, seen_capacity a power of two; 0: empty */
    size_t seen_count, seen_capacity;
    size_t again; /* consecutive designs that were already judged */
};

/* ---- hypervolume ---- */

struct ranked_point {
    const double *values;
    size_t last; /* dimension by which the points are sorted */
};

static int by_last(const void *a, const void *b)
{
    const struct ranked_point *x = a, *y = b;
    double u = x->values[x->last], v = y->values[y->last];
    return (u > v) - (u < v);
}

/* Slices along the last dimension: between neighbouring values, the volume of the points below in one dimension less. */
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
    struct ranked_point *below DSE_CLEANUP(dse_free_at) = dse_malloc((count + 1) * sizeof *below);
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
    return volume;
}

/* Volume that points (count × dimensions, lower is better) dominate below `reference`. O(count^(dimensions−1)). */
static double hypervolume(const double *points, size_t count, size_t dimensions, const double *reference)
{
    struct ranked_point *inside DSE_CLEANUP(dse_free_at) = dse_malloc((count + 1) * sizeof *inside);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool below = true;
        for (size_t d = 0; d < dimensions; d++)
            below &= points[i * dimensions + d] < reference[d];
        if (below)
            inside[kept++] = (struct ranked_point){points + i * dimensions, 0};
    }
    double volume = kept > 0 ? slice_volume(inside, kept, dimensions, reference) : 0.0;
    return volume;
}

/* ---- one design ---- */

#define SEEN_MOST ((size_t)1 << 22)

static uint64_t *seen_place(struct search *search, uint64_t hash)
{
    size_t place = (hash >> 1) % search->seen_capacity;
    while (search->seen[place] != 0 && search->seen[place] != hash)
        place = (place + 1) % search->seen_capacity;
    return &search->seen[place];
}

/* Makes the design canonical and marks it as judged; returns whether it already was. */
static bool was_seen(struct search *search, struct dse_point *point)
{
    const struct dse_space *space = search->question->space;
    dse_config_canonical(space, &point->config);
    uint64_t hash = XXH3_64bits_withSeed(point->config.value, space->count * sizeof *point->config.value, point->alternative) | 1;
    if (2 * search->seen_count >= search->seen_capacity && search->seen_capacity < SEEN_MOST) {
        size_t before = search->seen_capacity;
        uint64_t *old = search->seen;
        search->seen_capacity = before > 0 ? 2 * before : 1024;
        search->seen = dse_calloc(search->seen_capacity, sizeof *search->seen);
        for (size_t i = 0; i < before; i++)
            if (old[i] != 0)
                *seen_place(search, old[i]) = old[i];
        free(old);
    }
    uint64_t *place = seen_place(search, hash);
    if (*place == hash)
        return true;
    if (2 * search->seen_count < search->seen_capacity) {
        *place = hash;
        search->seen_count++;
    }
    return false;
}

static enum dse_status try_design(struct search *search, struct dse_point *point, struct dse_error *err)
{
    struct dse_verdict *verdict = &search->verdict;
    if (was_seen(search, point)) {
        search->again++;
        return DSE_OK;
    }
    search->again = 0;
    search->evaluated++;
    DSE_TRY(dse_judge_design(search->judge, &point->config, point->alternative, verdict, err));
    if (!verdict->built)
        return DSE_OK; /* a step without effect */
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
    point->alternative = alternative;
    dse_question_take(search->question, alternative, &point->config);
}

/* Replaces values that the question does not allow: base values, and defaults of knobs that become active. */
static void allow(const struct search *search, struct dse_point *point)
{
    const struct dse_question *q = search->question;
    for (size_t k = 0; k < q->space->count; k++) {
        const struct dse_knob *knob = &q->space->knobs[k];
        bool allowed = !dse_bits_has(q->free, k);
        for (size_t i = 0; i < knob->domain_count && !allowed; i++)
            allowed = knob->domain[i] == point->config.value[k];
        if (!allowed)
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
        if (dse_bits_has(q->free, k))
            set_random(search, point, k);
    set_alternative(search, point, dse_rng_below(&search->rng, q->alternative_count));
}

/* Moves to a neighbouring value of the domain with probability 2/3, otherwise to any value. */
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
    for (uint64_t moves = 1 + dse_rng_below(rng, 2) * dse_rng_below(rng, 3); moves > 0 && search->knob_count > 0; moves--)
        move_knob(search, point, search->knobs[dse_rng_below(rng, search->knob_count)]);
}

#define AGAIN_DRAWS 16 /* consecutive judged designs after which a new random one is drawn */

/* Picks a design of the front: with probability 1/4 the one with the least value of some objective, an end of the front. */
static const struct dse_point *pick(struct search *search)
{
    const struct dse_archive *archive = &search->archive;
    if (dse_rng_below(&search->rng, 4) != 0)
        return &archive->points[dse_rng_below(&search->rng, archive->count)];
    size_t objective = dse_rng_below(&search->rng, archive->objective_count), best = 0;
    for (size_t i = 1; i < archive->count; i++)
        if (archive->costs[i * archive->objective_count + objective] < archive->costs[best * archive->objective_count + objective])
            best = i;
    return &archive->points[best];
}

static void propose(struct search *search, struct dse_point *point)
{
    const struct dse_question *q = search->question;
    struct dse_rng *rng = &search->rng;
    size_t count = search->archive.count;
    if (dse_rng_below(rng, 32) == 0 || search->again > AGAIN_DRAWS || (count == 0 && isinf(search->nearest[search->closest].violation))) {
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
    *point = count > 0 ? *pick(search) : search->nearest[search->closest].point;
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
 * Single steps do not find a needle-like front: designs just beyond a limit differ from one another in many knobs at once. So some knobs of a design
 * are fixed, and the exact merge finds the front over all values of the others at once. No sequence of improving designs reaches this front. (Large
 * neighbourhood search: P. Shaw, "Using constraint programming and local search methods to solve vehicle routing problems", CP 1998.) */

#define MANY_KNOBS 64
#define MERGED_FROM 1024 /* evaluations after which the front is worth exploring */
#define MERGED_SHARE 4  /* one in this many evaluations is a neighbourhood's */
#define TABLED_SHARE 2  /* one in this many evaluations so far may be spent on the tables of one neighbourhood */

static bool merge_is_over(void *user)
{
    const struct search *search = user;
    return dse_monitor_cancelled(search->question->monitor) || dse_clock_s() > search->deadline_s;
}

/* Table cost in designs: one table row is one block, a design has all blocks. */
static double tabled(const struct search *search, const double *rows)
{
    double sum = 0.0;
    for (size_t b = 0; b < search->question->family->block_count; b++)
        sum += rows[b];
    return sum / (double)search->question->family->block_count;
}

/* Frees the knob unless the tables of its blocks would cost more than `most` designs. */
static bool widen(const struct search *search, size_t knob, double most, double *rows)
{
    const struct dse_question *q = search->question;
    double count = (double)q->space->knobs[knob].domain_count;
    for (size_t b = 0; b < q->family->block_count; b++)
        rows[b] *= dse_bits_has(search->reads[b], knob) ? count : 1.0;
    if (tabled(search, rows) <= most)
        return true;
    for (size_t b = 0; b < q->family->block_count; b++)
        rows[b] /= dse_bits_has(search->reads[b], knob) ? count : 1.0;
    return false;
}

/* Frees knobs in random order while the tables stay small; the others keep the point's values. `space` becomes a copy of the
 * question's that owns nothing; `near` is the question about it. Returns the tables' cost in designs. */
static uint64_t narrow(struct search *search, const struct dse_point *point, struct dse_space *space, struct dse_question *near)
{
    size_t order[DSE_KNOB_MAX];
    double rows[DSE_BLOCK_MAX], most = search->reach * (double)search->evaluated / TABLED_SHARE;
    *space = *search->question->space;
    for (size_t b = 0; b < search->question->family->block_count; b++)
        rows[b] = 1.0;
    for (size_t i = 0; i < search->knob_count; i++) {
        size_t place = dse_rng_below(&search->rng, i + 1);
        order[i] = order[place];
        order[place] = search->knobs[i];
    }
    for (size_t i = 0; i < search->knob_count; i++) {
        struct dse_knob *knob = &space->knobs[order[i]];
        if (widen(search, order[i], most, rows))
            continue;
        size_t at = 0; /* a canonical configuration may have a value outside a narrowed domain: any value represents it */
        while (at + 1 < knob->domain_count && knob->domain[at] != point->config.value[order[i]])
            at++;
        knob->domain += at;
        knob->domain_count = 1;
        if (search->knob_count >= MANY_KNOBS) { /* a merge orders the free knobs; fixed ones need not be in it */
            dse_bits_drop(&near->free, order[i]);
            near->base.value[order[i]] = *knob->domain;
        }
    }
    return (uint64_t)ceil(tabled(search, rows));
}

/* Merges the neighbourhood of a front design, or of the nearest to feasible, into the archive. */
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
    struct dse_question near = *q;
    uint64_t tables = narrow(search, centre, space, &near);
    near.space = space;
    near.alternatives = &q->alternatives[alternative];
    near.alternative_count = 1;
    near.own = q->own != NULL ? &q->own[alternative] : NULL;
    near.jobs = 1;
    near.monitor = &monitor;
    near.checkpoint = NULL;
    near.fallback = NULL;
    near.tables = NULL; /* the question's tables index its alternatives */
    /* An eighth of the evaluations so far, within the remaining ones; a search takes a quarter of an allowance. */
    struct dse_allowance allowance = {.designs = search->evaluated / 2};
    if (allowance.designs / 4 > search->most - search->evaluated)
        allowance.designs = 4 * (search->most - search->evaluated);
    near.allowance = &allowance;
    struct dse_answer answer;
    enum dse_status status = dse_search_exact(&near, &answer, err);
    uint64_t formed = answer.evaluated + tables;
    search->reach = status == DSE_LIMIT ? search->reach / 4.0 : fmin(2.0 * search->reach, 1.0);
    search->evaluated += formed;
    search->merged += formed;
    search->feasible += answer.feasible;
    for (size_t i = 0; i < answer.front_count; i++) { /* also valid designs if the merge was ended */
        answer.front[i].alternative = alternative;
        dse_archive_insert(&search->archive, &answer.front[i]);
    }
    dse_answer_free(&answer);
    return status == DSE_CANCELLED || status == DSE_LIMIT ? DSE_OK : status; /* the next time check ends the search */
}

static bool merge_is_due(const struct search *search)
{
    return search->question->evaluator == NULL && !dse_filters_on_metrics(search->question) && search->evaluated >= MERGED_FROM &&
           search->merged < search->evaluated / MERGED_SHARE &&
           (search->archive.count > 0 || isfinite(search->nearest[search->closest].violation));
}

/* ---- ladders ----
 *
 * With hundreds of knobs a random step seldom hits the slowest block. If two blocks are equally slow, a step on one has no effect. So the slowest
 * block is made faster, then the next slowest, until none can be. This is the greedy rule by which FINN folds its layers. Among the steps that make a
 * block faster, the one with the least cost per gain is taken, by weights drawn per ladder. */

#define LADDER_SHARE 4   /* one in this many evaluations is a ladder's */

struct ladder {
    struct search *search;
    struct dse_point at, best; /* current design, and best next one */
    double least;              /* cost per gain of `best`; infinity: none */
    double weights[DSE_OBJECTIVE_MAX];
};

/* Judges the current design with another value of a knob, and records it if it is the best step so far. */
static enum dse_status try_step(struct ladder *ladder, size_t block, size_t knob, int64_t value, struct dse_error *err)
{
    struct search *search = ladder->search;
    const struct dse_question *q = search->question;
    struct dse_point next = ladder->at;
    next.config.value[knob] = value;
    search->evaluated++;
    search->laddered++;
    DSE_TRY(dse_judge_design(search->judge, &next.config, next.alternative, &search->verdict, err));
    if (!search->verdict.built || search->verdict.violation > 0.0)
        return DSE_OK;
    memcpy(next.metrics, search->verdict.metrics, sizeof next.metrics);
    search->feasible++;
    dse_archive_insert(&search->archive, &next);
    const double before = (double)dse_judge_busy(search->judge, block, &ladder->at.config, next.alternative),
                 after = (double)dse_judge_busy(search->judge, block, &next.config, next.alternative);
    double costs = 0.0;
    for (size_t o = 0; o < q->objective_count; o++) {
        double old = dse_question_cost(q, o, ladder->at.metrics), more = dse_question_cost(q, o, next.metrics) - old;
        costs += ladder->weights[o] * fmax(more, 0.0) / fmax(fabs(old), 1e-30);
    }
    if (after < before && costs / log(before / fmax(after, 1.0)) < ladder->least) {
        ladder->least = costs / log(before / fmax(after, 1.0));
        ladder->best = next;
    }
    return DSE_OK;
}

static enum dse_status try_steps(struct ladder *ladder, size_t block, struct dse_error *err)
{
    const struct search *search = ladder->search;
    ladder->least = INFINITY;
    for (size_t i = 0; i < search->knob_count; i++) {
        const struct dse_knob *knob = &search->question->space->knobs[search->knobs[i]];
        size_t at = 0;
        if (!dse_bits_has(search->reads[block], search->knobs[i]))
            continue;
        while (at < knob->domain_count && knob->domain[at] != ladder->at.config.value[search->knobs[i]])
            at++;
        if (at > 0 && at < knob->domain_count)
            DSE_TRY(try_step(ladder, block, search->knobs[i], knob->domain[at - 1], err));
        if (at + 1 < knob->domain_count)
            DSE_TRY(try_step(ladder, block, search->knobs[i], knob->domain[at + 1], err));
    }
    return DSE_OK;
}

static size_t slowest_block(const struct ladder *ladder)
{
    size_t slowest = 0;
    int64_t most = -1;
    for (size_t b = 0; b < ladder->search->question->family->block_count; b++) {
        int64_t busy = dse_judge_busy(ladder->search->judge, b, &ladder->at.config, ladder->at.alternative);
        slowest = busy > most ? b : slowest;
        most = busy > most ? busy : most;
    }
    return slowest;
}

/* Climbs a ladder from a design of the front. */
static enum dse_status climb_ladder(struct search *search, struct dse_error *err)
{
    struct ladder *ladder DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *ladder);
    ladder->search = search;
    ladder->at = *pick(search);
    for (size_t o = 0; o < search->question->objective_count; o++)
        ladder->weights[o] = dse_rng_uniform(&search->rng);
    DSE_TRY(dse_judge_design(search->judge, &ladder->at.config, ladder->at.alternative, &search->verdict, err)); /* caches the costs of its blocks */
    do {
        DSE_TRY(try_steps(ladder, slowest_block(ladder), err));
        if (isfinite(ladder->least))
            ladder->at = ladder->best;
    } while (isfinite(ladder->least) && search->evaluated < search->most && !merge_is_over(search));
    return DSE_OK;
}

static bool ladder_is_due(const struct search *search)
{
    return search->knob_count >= MANY_KNOBS && search->question->evaluator == NULL && search->archive.count > 0 &&
           search->laddered <= search->evaluated / LADDER_SHARE;
}

/* ---- the search ---- */

/* The front so far, measured at the end against a common reference: the worst of the final front in each objective,
 * plus a tenth of its range. */
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
            objectives < HYPERVOLUME_DIMENSIONS || (objectives == HYPERVOLUME_DIMENSIONS && snapshots[i].count <= HYPERVOLUME_POINTS) ? hypervolume(snapshots[i].costs, snapshots[i].count, objectives, reference) : NAN};
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

#define AGAIN_MOST 4096 /* consecutive judged designs that end the search: nothing new is near */

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
    allow(search, &point);
    while (status == DSE_OK && search->evaluated < effort->evaluations && search->again < AGAIN_MOST) {
        status = merge_is_due(search)    ? merge_neighbourhood(search, err)
                 : ladder_is_due(search) ? climb_ladder(search, err)
                                         : try_design(search, &point, err);
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
        allow(search, &point);
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
        if (dse_bits_has(q->free, k) && q->space->knobs[k].domain_count > 1)
            search->knobs[search->knob_count++] = k;
    search->nearest = dse_malloc((q->alternative_count + 1) * sizeof *search->nearest);
    for (size_t a = 0; a < q->alternative_count; a++)
        search->nearest[a].violation = INFINITY;
    search->reads = dse_malloc((q->family->block_count + 1) * sizeof *search->reads);
    for (size_t b = 0; b < q->family->block_count; b++)
        search->reads[b] = dse_block_reads(q, b);
    return dse_judge_open(q, &search->judge, err);
}

enum dse_status dse_search_heuristic(const struct dse_question *question, const struct dse_effort *effort,
                                     struct dse_answer *answer, struct dse_error *err)
{
    double start = dse_clock_s();
    struct search search = {.question = question, .most = effort->evaluations, .reach = 1.0, .deadline_s = start + effort->seconds};
    *answer = (struct dse_answer){0};
    enum dse_status status = open_search(&search, effort->seed, err);
    if (status == DSE_OK)
        status = climb(&search, effort, start, answer, err);
    dse_judge_close(&search.judge);
    free(search.nearest);
    free(search.reads);
    free(search.seen);
    dse_archive_hand_over(&search.archive, answer);
    answer->space_size = dse_question_size(question);
    answer->evaluated = search.evaluated;
    answer->feasible = search.feasible;
    answer->seconds = dse_clock_s() - start;
    return status;
}
