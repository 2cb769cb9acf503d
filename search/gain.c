#include "search/gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "search/heuristic.h"
#include "search/lazy.h"

double dse_expected_above(const struct dse_belief *belief, double least)
{
    double u = (belief->mean - least) / belief->deviation;
    return belief->deviation * (0.3989422804014327 * exp(-0.5 * u * u) + u * 0.5 * erfc(-u * M_SQRT1_2));
}

static double probability_above(const struct dse_belief *belief, double least)
{
    return 0.5 * erfc((least - belief->mean) / belief->deviation * M_SQRT1_2);
}

bool dse_gain_takes(const struct dse_question *question)
{
    size_t others = 0;
    for (size_t o = 0; o < question->objective_count; o++)
        others += question->objectives[o] != DSE_METRIC_QUALITY;
    return others > 0 && others <= DSE_GAIN_OTHERS_MAX;
}

static int by_quality(const void *a, const void *b)
{
    const struct dse_point *const *x = a, *const *y = b;
    double u = (*x)->metrics[DSE_METRIC_QUALITY], v = (*y)->metrics[DSE_METRIC_QUALITY];
    return (u < v) - (u > v);
}

static void put_costs(const struct dse_gain *gain, const struct dse_point *point, double *costs)
{
    for (size_t o = 0; o < gain->others; o++)
        costs[o] = dse_objective_cost(gain->objectives[o], point->metrics);
}

/* Levels of one quality each, or one of all where the quality is no objective. */
static void find_levels(struct dse_gain *gain, const struct dse_point *const *sorted)
{
    for (size_t i = 0; i < gain->count; i++) {
        double quality = gain->by_quality ? sorted[i]->metrics[DSE_METRIC_QUALITY] : INFINITY;
        if (i == 0 || quality != gain->levels[gain->level_count - 1].quality)
            gain->levels[gain->level_count++].quality = quality;
        gain->levels[gain->level_count - 1].end = i + 1;
        put_costs(gain, sorted[i], &gain->costs[i * gain->others]);
    }
    for (size_t l = 0; l < gain->level_count; l++)
        gain->levels[l].volume = dse_hypervolume(gain->costs, gain->levels[l].end, gain->others, gain->reference);
}

enum dse_status dse_gain_open(const struct dse_question *question, const struct dse_point *front, size_t count, const double *reference,
                              double floor, struct dse_gain *out, struct dse_error *err)
{
    *out = (struct dse_gain){.floor = floor, .count = count};
    for (size_t o = 0; o < question->objective_count; o++) {
        out->by_quality |= question->objectives[o] == DSE_METRIC_QUALITY;
        if (question->objectives[o] != DSE_METRIC_QUALITY) {
            out->reference[out->others] = reference[out->others];
            out->objectives[out->others++] = question->objectives[o];
        }
    }
    const struct dse_point **sorted = dse_malloc((count + 1) * sizeof *sorted);
    out->costs = dse_malloc((count + 1) * out->others * sizeof *out->costs);
    out->levels = dse_calloc(count + 1, sizeof *out->levels);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &front[i];
    qsort(sorted, count, sizeof *sorted, by_quality);
    find_levels(out, sorted);
    free(sorted);
    if (out->level_count > 0 && out->by_quality && !isfinite(floor))
        out->floor = out->levels[out->level_count - 1].quality;
    return DSE_OK;
}

void dse_gain_close(struct dse_gain *gain)
{
    free(gain->costs);
    free(gain->levels);
    *gain = (struct dse_gain){0};
}

/* What points add to the volume of the front's first `end`; `all` holds the points and has room for those behind them. */
static double added(const struct dse_gain *gain, double *all, size_t count, size_t end, double volume)
{
    memcpy(&all[count * gain->others], gain->costs, end * gain->others * sizeof *all);
    return dse_hypervolume(all, count + end, gain->others, gain->reference) - volume;
}

enum dse_status dse_gain_expect(const struct dse_gain *gain, const struct dse_point *points, size_t count, const struct dse_belief *belief,
                                double *out, struct dse_error *err)
{
    double *all = dse_malloc((count + gain->count + 1) * gain->others * sizeof *all), sum = 0.0, above = 0.0;
    *out = 0.0;
    for (size_t i = 0; i < count; i++)
        put_costs(gain, &points[i], &all[i * gain->others]);
    /* From the best quality down: above the first level's nothing is on the front, below the last one's all of it. */
    for (size_t l = 0; gain->by_quality && l <= gain->level_count; l++) {
        bool last = l == gain->level_count;
        double low = fmax(last ? gain->floor : gain->levels[l].quality, gain->floor), next = isfinite(low) ? dse_expected_above(belief, low) : belief->mean;
        size_t end = l > 0 ? gain->levels[l - 1].end : 0;
        if (next > above)
            sum += (next - above) * added(gain, all, count, end, l > 0 ? gain->levels[l - 1].volume : 0.0);
        above = fmax(next, above);
    }
    if (!gain->by_quality)
        sum = (isfinite(gain->floor) ? probability_above(belief, gain->floor) : 1.0) *
              added(gain, all, count, gain->count, gain->level_count > 0 ? gain->levels[0].volume : 0.0);
    free(all);
    *out = sum;
    return DSE_OK;
}
