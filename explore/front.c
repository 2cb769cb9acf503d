#include "explore/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/parallel.h"
#include "search/question.h"

/* ---- order ---- */

/* Ratio to the best value: at least 1 for positive metrics. A metric that can be 0 (no URAM) is counted
 * from 1 up, so 0 is best and ratios stay finite. */
static double times_worse(enum dse_metric metric, double value, double best)
{
    if (dse_metrics[metric].resource >= 0)
        return (value + 1.0) / (best + 1.0);
    return dse_metric_times_worse(metric, value, best);
}

void dse_front_balance(const struct dse_question *question, const struct dse_answer *answer, size_t *order)
{
    struct dse_ranked *scores DSE_CLEANUP(dse_free_at) = dse_calloc(answer->front_count + 1, sizeof *scores);
    for (size_t i = 0; i < answer->front_count; i++)
        scores[i].index = i;
    for (size_t o = 0; o < question->objective_count; o++) {
        enum dse_metric metric = question->objectives[o];
        double best = NAN;
        for (size_t i = 0; i < answer->front_count; i++) {
            double value = answer->front[i].metrics[metric];
            if (isnan(best) || (dse_metrics[metric].higher_is_better ? value > best : value < best))
                best = value;
        }
        for (size_t i = 0; i < answer->front_count; i++)
            scores[i].value += log(times_worse(metric, answer->front[i].metrics[metric], best));
    }
    qsort(scores, answer->front_count, sizeof *scores, dse_by_rank);
    for (size_t i = 0; i < answer->front_count; i++)
        order[i] = scores[i].index;
}

#define ALIKE 1.05 /* near-clones: every relevant metric within this ratio */

static bool is_clone(const struct dse_question *question, const int64_t limits[DSE_RESOURCE_COUNT],
                     const struct dse_point *a, const struct dse_point *b)
{
    enum dse_metric most;
    double share = dse_corner_share(limits, a->metrics, &most) / dse_corner_share(limits, b->metrics, &most);
    bool alike = share < ALIKE && share > 1.0 / ALIKE;
    for (size_t o = 0; o < question->objective_count && alike; o++) {
        enum dse_metric metric = question->objectives[o];
        double times = times_worse(metric, a->metrics[metric], b->metrics[metric]);
        alike = isnan(times) || (times < ALIKE && times > 1.0 / ALIKE);
    }
    return alike;
}

#define PARTED 1000 /* designs checked for near-clones: the maximum that is printed */

/* Moves near-clones of earlier designs to the end, keeping "balanced" first. Returns the number of designs that are not near-clones. */
static size_t put_clones_last(const struct dse_question *question, const struct dse_answer *answer, size_t balanced, size_t *order)
{
    int64_t limits[DSE_RESOURCE_COUNT];
    size_t count = answer->front_count < PARTED ? answer->front_count : PARTED, kept = 0, clones = 0;
    size_t later[PARTED];
    dse_board_limits(question->board, question->headroom, limits);
    for (size_t i = 0; i < answer->front_count && balanced != DSE_CORNER_NONE; i++)
        if (order[i] == balanced) {
            memmove(&order[1], order, i * sizeof *order);
            order[0] = balanced;
        }
    for (size_t i = 0; i < count; i++) {
        size_t point = order[i], k = 0;
        while (k < kept && !is_clone(question, limits, &answer->front[point], &answer->front[order[k]]))
            k++;
        if (k == kept)
            order[kept++] = point;
        else
            later[clones++] = point;
    }
    for (size_t i = 0; i < clones; i++)
        order[kept + i] = later[i];
    return answer->front_count - clones;
}

/* Whether a design is more than one standard error below the best accuracy: then the most accurate is not shown under it. */
static bool is_below_best(const struct dse_corners *corners, const struct dse_point *point)
{
    return corners->best != NULL && point->metrics[DSE_METRIC_QUALITY] < corners->best->mean - dse_corner_standard_error(corners->best);
}

/* A corner is shown once: under the first corner that is the same design or a near-clone. */
static void find_shown(const struct dse_question *question, struct dse_front *front)
{
    int64_t limits[DSE_RESOURCE_COUNT];
    const size_t *at = front->corners.at;
    dse_board_limits(question->board, question->headroom, limits);
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        int first = 0;
        while (first < c && at[c] != at[first] &&
               (front->shown_as[first] != first || at[first] == DSE_CORNER_NONE || at[c] == DSE_CORNER_NONE ||
                (c == DSE_CORNER_MOST_ACCURATE && is_below_best(&front->corners, &front->points[at[first]])) ||
                !is_clone(question, limits, &front->points[at[c]], &front->points[at[first]])))
            first++;
        front->shown_as[c] = first;
    }
}

void dse_front_rank(const struct dse_question *question, const struct dse_profile *profile, const struct dse_standard *standard,
                    const struct dse_answer *answer, struct dse_corners *corners, size_t *order, size_t *distinct)
{
    dse_front_balance(question, answer, order);
    dse_corners_find(question, profile, standard, answer->front, answer->front_count, corners);
    *distinct = put_clones_last(question, answer, corners->at[DSE_CORNER_BALANCED], order);
}

static bool covers(const struct dse_question *question, double resolution, const struct dse_point *a, const struct dse_point *b)
{
    bool does = true;
    for (size_t o = 0; o < question->objective_count && does; o++) {
        enum dse_metric metric = question->objectives[o];
        does = !(times_worse(metric, a->metrics[metric], b->metrics[metric]) > 1.0 + resolution);
    }
    return does;
}

/* Moves the best point of an objective to the front of the order. */
static void put_best_first(const struct dse_question *question, const struct dse_answer *answer, size_t objective, size_t *order)
{
    enum dse_metric metric = question->objectives[objective];
    size_t best = 0;
    for (size_t i = 1; i < answer->front_count; i++)
        if (dse_objective_cost(metric, answer->front[order[i]].metrics) < dse_objective_cost(metric, answer->front[order[best]].metrics))
            best = i;
    size_t point = order[best];
    memmove(&order[1], order, best * sizeof *order);
    order[0] = point;
}

void dse_front_cover(const struct dse_question *question, double resolution, struct dse_answer *answer)
{
    size_t count = answer->front_count, kept = 0;
    size_t *order DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *order);
    bool *stays DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *stays);
    dse_front_balance(question, answer, order);
    for (size_t o = 0; o < question->objective_count && count > 0; o++)
        put_best_first(question, answer, o, order);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && !covers(question, resolution, &answer->front[order[k]], &answer->front[order[i]]))
            k++;
        if (k == kept) {
            stays[order[i]] = true;
            order[kept++] = order[i];
        }
    }
    for (size_t i = 0, place = 0; i < count; i++)
        if (stays[i])
            answer->front[place++] = answer->front[i];
    answer->front_count = kept;
}

size_t dse_front_picked(size_t count, size_t shown, size_t row)
{
    return shown > 1 ? row * (count - 1) / (shown - 1) : 0;
}

/* ---- estimates ---- */

#define POINTS 32 /* designs per thread and step */

struct estimating {
    const struct dse_workbench *bench;
    size_t board;
    const struct dse_profile *profile;
    const struct dse_standard *standard;
    const struct dse_front_view *view;
    struct dse_front *front;
    bool *wanted;
    size_t *chosen; /* chosen_count indices to evaluate */
    size_t chosen_count;
    dse_knob_set algorithmic;
};

static bool is_alike(const struct estimating *e, const struct dse_config *a, const struct dse_config *b)
{
    for (size_t k = 0; k < DSE_KNOB_MAX; k++)
        if (dse_bits_has(e->algorithmic, k) && a->value[k] != b->value[k])
            return false;
    return true;
}

static enum dse_status find_common(struct estimating *e, const struct dse_config *config, struct dse_front_common **out,
                                   struct dse_error *err)
{
    struct dse_front *front = e->front;
    for (size_t i = front->common_count; i > 0; i--)
        if (is_alike(e, front->commons[i - 1].config, config)) {
            *out = &front->commons[i - 1];
            return DSE_OK;
        }
    *out = &front->commons[front->common_count];
    DSE_TRY(dse_workbench_setup(e->bench, e->board, e->profile, config, &(*out)->setup, err));
    (*out)->config = config;
    (*out)->quality = dse_profile_quality_of(e->bench->space, e->profile, config);
    front->common_count++;
    return DSE_OK;
}

static enum dse_status set_up(struct estimating *e, size_t place, struct dse_error *err)
{
    struct dse_front_common *common = NULL;
    DSE_TRY(find_common(e, &e->front->points[place].config, &common, err));
    if ((e->wanted[place] || e->view->others) && common->setup.work == NULL)
        DSE_TRY(common->setup.family->prepare(common->setup.family, common->setup.workload, &common->setup.work, err));
    struct dse_estimate *estimate = e->wanted[place] ? &e->front->estimates[e->chosen_count] : NULL;
    e->front->designs[place] =
        (struct dse_design){&common->setup, e->profile->dataset, estimate, common->quality, e->standard, 0, 0.0, &e->profile->facts, NULL, NULL};
    if (estimate != NULL)
        e->chosen[e->chosen_count++] = place;
    return DSE_OK;
}

static enum dse_status estimate_some(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct estimating *e = user;
    for (size_t i = index * POINTS; i < e->chosen_count && i < (index + 1) * POINTS; i++)
        DSE_TRY(dse_estimate_built(e->front->designs[e->chosen[i]].setup, &e->front->points[e->chosen[i]].config,
                                   &e->front->estimates[i], err));
    return DSE_OK;
}

static enum dse_status estimate(struct estimating *e, size_t jobs, struct dse_error *err)
{
    size_t wanted = 0;
    for (size_t i = 0; i < e->front->count; i++)
        wanted += e->wanted[i];
    e->front->estimates = dse_malloc((wanted + 1) * sizeof *e->front->estimates);
    for (size_t i = 0; i < e->front->count; i++)
        DSE_TRY(set_up(e, i, err));
    return dse_parallel_for((e->chosen_count + POINTS - 1) / POINTS, jobs, estimate_some, e, NULL, err);
}

enum dse_status dse_front_design(const struct dse_front *front, size_t place, struct dse_estimate *room, struct dse_design *out,
                                 struct dse_error *err)
{
    *out = front->designs[place];
    if (out->estimate != NULL)
        return DSE_OK;
    out->estimate = room;
    return dse_estimate_built(out->setup, &front->points[place].config, room, err);
}

static bool is_banded(const struct dse_front *front)
{
    return front->count > 1 && front->count <= DSE_BANDS_POINTS;
}

static void want(struct estimating *e)
{
    const struct dse_front *front = e->front;
    size_t count = front->count, shown = e->view->shown, rows = shown == 0 || shown > count || is_banded(front) ? count : shown;
    for (size_t i = 0; i < rows; i++)
        e->wanted[dse_front_picked(count, rows, i)] = true;
    for (size_t i = 0; i < count && i < e->view->best; i++)
        e->wanted[front->order[i]] = true;
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (front->corners.at[c] != DSE_CORNER_NONE)
            e->wanted[front->corners.at[c]] = true;
}

/* Quality of a design trained as the preset DSE_REFERENCE, and that configuration; NULL if not measured. `differs`: from the published training. */
static const struct dse_quality *reference_quality(const struct estimating *e, const struct dse_config *config, struct dse_config *trained, bool *differs)
{
    *trained = *config;
    struct dse_setting over DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_error none;
    dse_knobs_over(e->bench->family->knobs, DSE_REFERENCE, NULL, &over);
    *differs = over.count > 0;
    if (over.count == 0 || dse_config_apply(e->bench->space, trained, &over, &none) != DSE_OK)
        return NULL;
    dse_config_canonical(e->bench->space, trained);
    return dse_profile_quality_of(e->bench->space, e->profile, trained);
}

/* Adds the published design; none if it is infeasible on the board or its workload is unknown. */
static void add_paper(struct estimating *e, const struct dse_space *asked)
{
    struct dse_front *front = e->front;
    struct dse_config *config = &front->paper_config;
    struct dse_error unbuilt;
    if (dse_question_baseline(e->bench->family, asked, e->bench->boards[e->board], &e->profile->preset, config, &front->paper_fixed, &unbuilt) != DSE_OK)
        return;
    front->has_paper = dse_workbench_setup(e->bench, e->board, e->profile, config, &front->paper_setup, &unbuilt) == DSE_OK &&
                       dse_estimate_built(&front->paper_setup, config, &front->paper_estimate, &unbuilt) == DSE_OK;
    const struct dse_quality *own = dse_profile_quality_of(e->bench->space, e->profile, config), *reference = reference_quality(e, config, &front->paper_trained, &front->paper_differs);
    front->paper_own = reference != NULL ? own : NULL;
    front->paper_by_reference = reference != NULL;
    front->paper = (struct dse_design){&front->paper_setup, e->profile->dataset, &front->paper_estimate,
                                       reference != NULL ? reference : own, e->standard, 0, 0.0, &e->profile->facts, NULL, NULL};
    if (front->has_paper)
        dse_baseline_find(e->bench->family, e->bench->space, e->bench->boards[e->board], e->profile, config, &front->baseline);
}

/* Latency of a configuration on the publication's board, NaN if infeasible. */
static double latency_of(const struct estimating *e, struct dse_config config)
{
    struct dse_setup setup;
    struct dse_error unbuilt;
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *estimate);
    dse_config_canonical(e->bench->space, &config);
    bool built = dse_workbench_setup(e->bench, e->board, e->profile, &config, &setup, &unbuilt) == DSE_OK &&
                 dse_estimate_built(&setup, &config, estimate, &unbuilt) == DSE_OK;
    return built ? estimate->metrics[DSE_METRIC_LATENCY] : NAN;
}

/* Splits the balanced design's speed-up into steps that each change one thing. */
static void split(const struct estimating *e)
{
    struct dse_front *front = e->front;
    size_t balanced = front->corners.at[DSE_CORNER_BALANCED], clock = e->bench->family->clock_knob;
    front->split = (struct dse_speedup){NAN, NAN, NAN, -1};
    if (!front->has_paper || balanced == DSE_CORNER_NONE)
        return;
    struct dse_config retrained = front->paper_config, slowed = front->points[balanced].config;
    for (size_t k = 0; k < DSE_KNOB_MAX; k++)
        if (dse_bits_has(e->algorithmic, k))
            retrained.value[k] = slowed.value[k];
    slowed.value[clock] = front->paper_config.value[clock];
    double before_s = front->paper_estimate.metrics[DSE_METRIC_LATENCY], after_s = front->points[balanced].metrics[DSE_METRIC_LATENCY];
    double retrained_s = latency_of(e, retrained), slowed_s = latency_of(e, slowed);
    int with = -1;
    for (size_t k = 0; k < e->bench->space->count && isnan(retrained_s); k++) {
        struct dse_config needed = retrained;
        needed.value[k] = front->points[balanced].config.value[k];
        if (k != clock && needed.value[k] != retrained.value[k] && !isnan(retrained_s = latency_of(e, needed)))
            with = (int)k;
    }
    front->split = (struct dse_speedup){before_s / retrained_s, retrained_s / slowed_s, slowed_s / after_s, with};
}

static size_t least_of(const struct dse_front *front, enum dse_metric metric)
{
    size_t least = 0;
    for (size_t i = 1; i < front->count; i++)
        if (dse_objective_cost(metric, front->points[i].metrics) < dse_objective_cost(metric, front->points[least].metrics))
            least = i;
    return least;
}

/* Draws the models' errors over the front; evaluates all of its designs. */
static enum dse_status add_bands(const struct dse_question *question, const struct dse_front_view *view, struct dse_front *front,
                                 struct dse_error *err)
{
    static const struct dse_bands_regret product = {{DSE_METRIC_LATENCY, DSE_METRIC_ENERGY}, 2};
    struct dse_bands_of *bands DSE_CLEANUP(dse_free_at) = dse_calloc(front->count + 1, sizeof *bands);
    const struct dse_corners *corners = &front->corners;
    for (size_t i = 0; i < front->count; i++) {
        const struct dse_quality *quality = front->designs[i].quality;
        bool beats = quality == NULL || front->designs[i].standard == NULL ||
                     dse_standard_beats_majority(front->designs[i].standard, quality->mean);
        bool accurate = view->regret != NULL || corners->best == NULL || (quality != NULL && dse_corner_as_good(corners->best, quality));
        bands[i] = (struct dse_bands_of){.estimate = front->designs[i].estimate, .quality = quality, .takes_part = beats && accurate};
    }
    DSE_TRY(dse_bands_draw(question, view->regret != NULL ? view->regret : &product, view->seed, bands, front->count, err));
    for (size_t i = 0; i < front->count; i++) {
        front->designs[i].chance = bands[i].chance;
        if (bands[i].takes_part && (front->robust == DSE_CORNER_NONE || bands[i].regret < bands[front->robust].regret))
            front->robust = i;
    }
    size_t plain = view->regret != NULL ? least_of(front, view->regret->metrics[0]) : corners->at[DSE_CORNER_BALANCED];
    if (front->robust != DSE_CORNER_NONE && plain != DSE_CORNER_NONE) {
        front->regret = bands[front->robust].regret;
        front->plain_regret = bands[plain].regret;
    }
    return DSE_OK;
}

enum dse_status dse_front_make(const struct dse_workbench *bench, size_t board, const struct dse_profile *profile,
                               const struct dse_standard *standard, const struct dse_question *question,
                               const struct dse_answer *answer, const struct dse_front_view *view, struct dse_front *front,
                               struct dse_error *err)
{
    size_t count = answer->front_count;
    *front = (struct dse_front){.points = answer->front, .commons = dse_calloc(count + 1, sizeof *front->commons),
                                .designs = dse_calloc(count + 1, sizeof *front->designs),
                                .order = dse_calloc(count + 1, sizeof *front->order), .count = count, .robust = DSE_CORNER_NONE};
    bool *wanted DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *wanted);
    size_t *chosen DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *chosen);
    struct estimating e = {.bench = bench, .board = board, .profile = profile, .standard = standard, .view = view, .front = front,
                           .wanted = wanted, .chosen = chosen, .algorithmic = dse_space_of_kind(bench->space, DSE_KNOB_ALGORITHMIC)};
    dse_front_rank(question, profile, standard, answer, &front->corners, front->order, &front->distinct);
    find_shown(question, front);
    want(&e);
    DSE_TRY(estimate(&e, question->jobs, err));
    if (is_banded(front))
        DSE_TRY(add_bands(question, view, front, err));
    add_paper(&e, question->space);
    split(&e);
    return DSE_OK;
}

void dse_front_free(struct dse_front *front)
{
    for (size_t i = 0; front->commons != NULL && i < front->common_count; i++)
        if (front->commons[i].setup.work != NULL)
            front->commons[i].setup.family->release(front->commons[i].setup.work);
    free(front->commons);
    free(front->estimates);
    free(front->designs);
    free(front->order);
    *front = (struct dse_front){0};
}
