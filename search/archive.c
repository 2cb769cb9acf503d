#include "search/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

double dse_quality_compared(double quality)
{
    double size = fabs(quality), scale = 1e12;
    if (!(size < 1e15)) /* NaN, or too large to have decimals */
        return quality;
    for (; size >= 1.0; size /= 10.0)
        scale /= 10.0;
    return round(quality * scale) / scale;
}

double dse_objective_cost(enum dse_metric metric, const double metrics[DSE_METRIC_COUNT])
{
    if (metric == DSE_METRIC_QUALITY)
        return -dse_quality_compared(metrics[metric]);
    return dse_metrics[metric].higher_is_better ? -metrics[metric] : metrics[metric];
}

double dse_question_cost(const struct dse_question *question, size_t o, const double metrics[DSE_METRIC_COUNT])
{
    double cost = dse_objective_cost(question->objectives[o], metrics);
    return question->goal == DSE_GOAL_WORST ? -cost : cost;
}

void dse_archive_init(struct dse_archive *archive, const enum dse_metric *objectives, size_t count)
{
    *archive = (struct dse_archive){.objective_count = count};
    memcpy(archive->objectives, objectives, count * sizeof *objectives);
}

void dse_archive_free(struct dse_archive *archive)
{
    free(archive->points);
    free(archive->costs);
    free(archive->beaten);
    dse_forest_free(archive->forest);
    *archive = (struct dse_archive){0};
}

/* Key of a point: an unknown cost counts as the worst. */
static void find_as(const struct dse_archive *archive, const double *costs, double *out)
{
    for (size_t o = 0; o < archive->objective_count; o++)
        out[o] = isnan(costs[o]) ? INFINITY : costs[o];
}

static bool is_no_worse(const struct dse_archive *archive, size_t place, const double *known, bool *equal)
{
    double theirs[DSE_OBJECTIVE_MAX];
    find_as(archive, archive->costs + place * archive->objective_count, theirs);
    *equal = true;
    for (size_t o = 0; o < archive->objective_count; o++) {
        if (theirs[o] > known[o])
            return false;
        *equal &= theirs[o] == known[o];
    }
    return true;
}

/* Finds a point that is nowhere worse. If one equals the costs, no point dominates them, because it would dominate the equal one. */
static bool find_no_worse(const struct dse_archive *archive, const double *known, size_t *place, bool *equal)
{
    uint32_t id = 0;
    if (!dse_forest_find_below(archive->forest, known, NULL, NULL, &id))
        return false;
    *place = id;
    return is_no_worse(archive, id, known, equal);
}

bool dse_archive_dominates(const struct dse_archive *archive, const double *costs)
{
    double known[DSE_OBJECTIVE_MAX];
    bool equal = false;
    size_t place = 0;
    find_as(archive, costs, known);
    if (archive->forest != NULL)
        return find_no_worse(archive, known, &place, &equal) && !equal;
    for (size_t i = 0; i < archive->count; i++)
        if (is_no_worse(archive, i, known, &equal) && !equal)
            return true;
    return false;
}

int dse_config_compare(const struct dse_config *a, const struct dse_config *b)
{
    for (size_t k = 0; k < DSE_KNOB_MAX; k++)
        if (a->value[k] != b->value[k])
            return a->value[k] < b->value[k] ? -1 : 1;
    return 0;
}

/* Whether to keep the first of two points with equal objectives: the same rule as in the exact merge (search/merge_prune.c). */
static bool is_preferred(const struct dse_point *a, const struct dse_point *b)
{
    static const enum dse_metric ties[] = {DSE_METRIC_ENERGY, DSE_METRIC_DRAM_ENERGY};
    for (size_t t = 0; t < sizeof ties / sizeof *ties; t++)
        if (a->metrics[ties[t]] != b->metrics[ties[t]])
            return a->metrics[ties[t]] < b->metrics[ties[t]];
    return dse_config_compare(&a->config, &b->config) < 0;
}

static void reserve(struct dse_archive *archive)
{
    if (archive->count < archive->capacity && archive->beaten != NULL)
        return;
    archive->capacity = archive->count > 32 ? archive->count * 2 : 64;
    archive->points = dse_realloc(archive->points, archive->capacity * sizeof *archive->points);
    archive->costs = dse_realloc(archive->costs, archive->capacity * archive->objective_count * sizeof *archive->costs);
    archive->beaten = dse_realloc(archive->beaten, archive->capacity * sizeof *archive->beaten);
}

/* Rebuilds the forest from the costs, after sorting. */
static void plant(struct dse_archive *archive)
{
    if (archive->forest != NULL)
        return;
    double *known = dse_malloc((archive->count * archive->objective_count + 1) * sizeof *known);
    for (size_t i = 0; i < archive->count; i++)
        find_as(archive, archive->costs + i * archive->objective_count, known + i * archive->objective_count);
    archive->forest = dse_forest_create(archive->objective_count);
    dse_forest_fill(archive->forest, known, archive->count);
    free(known);
}

static void put(struct dse_archive *archive, size_t place, const struct dse_point *point,
                const double *costs)
{
    archive->points[place] = *point;
    memcpy(archive->costs + place * archive->objective_count, costs,
           archive->objective_count * sizeof *costs);
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* Removes points dominated by the new point; the last ones fill the gaps. */
static void drop_beaten(struct dse_archive *archive, const double *known)
{
    size_t beaten = dse_forest_take_above(archive->forest, known, archive->beaten);
    qsort(archive->beaten, beaten, sizeof *archive->beaten, descending);
    for (size_t i = 0; i < beaten; i++) {
        size_t place = archive->beaten[i], last = --archive->count;
        if (place == last)
            continue;
        put(archive, place, &archive->points[last], archive->costs + last * archive->objective_count);
        dse_forest_rename(archive->forest, (uint32_t)last, (uint32_t)place);
    }
}

void dse_archive_insert(struct dse_archive *archive, const struct dse_point *point)
{
    double costs[DSE_OBJECTIVE_MAX], known[DSE_OBJECTIVE_MAX];
    bool equal = false;
    size_t place = 0;
    for (size_t o = 0; o < archive->objective_count; o++)
        costs[o] = (archive->worst ? -1.0 : 1.0) * dse_objective_cost(archive->objectives[o], point->metrics);
    find_as(archive, costs, known);
    plant(archive);
    if (find_no_worse(archive, known, &place, &equal)) {
        if (equal && is_preferred(point, &archive->points[place]))
            put(archive, place, point, costs);
        return;
    }
    reserve(archive);
    drop_beaten(archive, known);
    put(archive, archive->count, point, costs);
    dse_forest_add(archive->forest, (uint32_t)archive->count++, known);
}

struct ranked {
    const struct dse_archive *archive;
    size_t index;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    size_t count = x->archive->objective_count;
    const double *cx = x->archive->costs + x->index * count, *cy = y->archive->costs + y->index * count;
    for (size_t o = 0; o < count; o++)
        if (cx[o] != cy[o])
            return cx[o] < cy[o] ? -1 : 1;
    return dse_config_compare(&x->archive->points[x->index].config, &y->archive->points[y->index].config);
}

/* Permutes the points in place, cycle by cycle, since they take most of the memory. Consumes `order`. */
static void permute(struct dse_point *points, struct ranked *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (order[i].index == i)
            continue;
        const struct dse_point first = points[i];
        size_t to = i;
        for (size_t from = order[to].index; from != i; from = order[to].index) {
            points[to] = points[from];
            order[to].index = to;
            to = from;
        }
        points[to] = first;
        order[to].index = to;
    }
}

/* Applies an order; frees the memory of `beaten`. */
static void arrange(struct dse_archive *archive, struct ranked *order, double *costs)
{
    size_t width = archive->objective_count;
    for (size_t i = 0; i < archive->count; i++)
        memcpy(costs + i * width, archive->costs + order[i].index * width, width * sizeof *costs);
    permute(archive->points, order, archive->count);
    free(archive->costs);
    free(archive->beaten);
    dse_forest_free(archive->forest);
    archive->points = dse_realloc(archive->points, (archive->count + 1) * sizeof *archive->points);
    archive->costs = costs;
    archive->capacity = archive->count;
    archive->beaten = NULL;
    archive->forest = NULL;
}

void dse_archive_sort(struct dse_archive *archive)
{
    struct ranked *order = dse_malloc((archive->count + 1) * sizeof *order);
    double *costs = dse_malloc((archive->count + 1) * archive->objective_count * sizeof *costs);
    for (size_t i = 0; i < archive->count; i++)
        order[i] = (struct ranked){archive, i};
    qsort(order, archive->count, sizeof *order, compare_ranked);
    arrange(archive, order, costs);
    free(order);
}

void dse_archive_hand_over(struct dse_archive *archive, struct dse_answer *answer)
{
    dse_archive_sort(archive);
    answer->front = archive->points;
    answer->front_count = archive->count;
    answer->outcome = archive->count > 0 ? DSE_OUTCOME_FOUND : DSE_OUTCOME_NOTHING;
    archive->points = NULL;
    dse_archive_free(archive);
}
