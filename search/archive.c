#include "search/archive.h"

#include <stdlib.h>
#include <string.h>

double dse_objective_cost(enum dse_metric metric, const double metrics[DSE_METRIC_COUNT])
{
    return dse_metrics[metric].higher_is_better ? -metrics[metric] : metrics[metric];
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
    *archive = (struct dse_archive){0};
}

/* −1: a is nowhere worse and somewhere better; 1: the other way; 0: neither (or equal). */
static int dominance(const double *a, const double *b, size_t count, bool *equal)
{
    bool a_better = false, b_better = false;
    for (size_t i = 0; i < count; i++) {
        a_better |= a[i] < b[i];
        b_better |= b[i] < a[i];
    }
    *equal = !a_better && !b_better;
    return a_better && !b_better ? -1 : b_better && !a_better ? 1 : 0;
}

bool dse_archive_dominates(const struct dse_archive *archive, const double *costs)
{
    bool equal = false;
    for (size_t i = 0; i < archive->count; i++)
        if (dominance(archive->costs + i * archive->objective_count, costs, archive->objective_count, &equal) < 0)
            return true;
    return false;
}

static int compare_configs(const struct dse_config *a, const struct dse_config *b)
{
    for (size_t k = 0; k < DSE_KNOB_MAX; k++)
        if (a->value[k] != b->value[k])
            return a->value[k] < b->value[k] ? -1 : 1;
    return 0;
}

/* Of two points with equal objectives, whether the first is the one to keep. */
static bool is_preferred(const struct dse_point *a, const struct dse_point *b)
{
    double ea = a->metrics[DSE_METRIC_ENERGY], eb = b->metrics[DSE_METRIC_ENERGY];
    return ea != eb ? ea < eb : compare_configs(&a->config, &b->config) < 0;
}

static enum dse_status reserve(struct dse_archive *archive, struct dse_error *err)
{
    if (archive->count < archive->capacity)
        return DSE_OK;
    size_t capacity = archive->capacity > 0 ? archive->capacity * 2 : 64;
    struct dse_point *points = realloc(archive->points, capacity * sizeof *points);
    if (points != NULL)
        archive->points = points;
    double *costs = realloc(archive->costs, capacity * archive->objective_count * sizeof *costs);
    if (costs != NULL)
        archive->costs = costs;
    if (points == NULL || costs == NULL)
        return dse_fail_memory(err);
    archive->capacity = capacity;
    return DSE_OK;
}

static void put(struct dse_archive *archive, size_t place, const struct dse_point *point,
                const double *costs)
{
    archive->points[place] = *point;
    memcpy(archive->costs + place * archive->objective_count, costs,
           archive->objective_count * sizeof *costs);
}

enum dse_status dse_archive_insert(struct dse_archive *archive, const struct dse_point *point,
                                   struct dse_error *err)
{
    double costs[DSE_OBJECTIVE_MAX];
    for (size_t o = 0; o < archive->objective_count; o++)
        costs[o] = dse_objective_cost(archive->objectives[o], point->metrics);
    size_t kept = 0;
    for (size_t i = 0; i < archive->count; i++) {
        bool equal = false;
        const double *theirs = archive->costs + i * archive->objective_count;
        int order = dominance(theirs, costs, archive->objective_count, &equal);
        if (order < 0)
            return DSE_OK; /* nothing was dropped: whoever dominates us was dominated by none of ours */
        if (equal) {
            if (is_preferred(point, &archive->points[i]))
                put(archive, i, point, costs);
            return DSE_OK;
        }
        if (order == 0) {
            if (kept != i)
                put(archive, kept, &archive->points[i], theirs);
            kept++;
        }
    }
    archive->count = kept;
    enum dse_status status = reserve(archive, err);
    if (status == DSE_OK)
        put(archive, archive->count++, point, costs);
    return status;
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
    return compare_configs(&x->archive->points[x->index].config, &y->archive->points[y->index].config);
}

void dse_archive_sort(struct dse_archive *archive)
{
    struct ranked *order = malloc((archive->count + 1) * sizeof *order);
    struct dse_point *points = malloc((archive->count + 1) * sizeof *points);
    double *costs = malloc((archive->count + 1) * archive->objective_count * sizeof *costs);
    if (order != NULL && points != NULL && costs != NULL) {
        for (size_t i = 0; i < archive->count; i++)
            order[i] = (struct ranked){archive, i};
        qsort(order, archive->count, sizeof *order, compare_ranked);
        for (size_t i = 0; i < archive->count; i++) {
            points[i] = archive->points[order[i].index];
            memcpy(costs + i * archive->objective_count,
                   archive->costs + order[i].index * archive->objective_count,
                   archive->objective_count * sizeof *costs);
        }
        struct dse_point *old_points = archive->points;
        double *old_costs = archive->costs;
        archive->points = points;
        archive->costs = costs;
        archive->capacity = archive->count + 1;
        points = old_points;
        costs = old_costs;
    }
    free(order);
    free(points);
    free(costs);
}
