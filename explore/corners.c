#include "explore/corners.h"

#include <math.h>

#define SAME_PRODUCT 1.1 /* latency × energy, within which a smaller design is the more balanced */

const char *const dse_corner_names[DSE_CORNER_COUNT] = {
    [DSE_CORNER_BALANCED] = "balanced", [DSE_CORNER_FASTEST] = "fastest", [DSE_CORNER_LEAST_ENERGY] = "least_energy",
    [DSE_CORNER_SMALLEST] = "smallest", [DSE_CORNER_MOST_ACCURATE] = "most_accurate"};

double dse_corner_share(const int64_t limits[DSE_RESOURCE_COUNT], const double metrics[DSE_METRIC_COUNT],
                        enum dse_metric *most)
{
    double share = -1.0;
    *most = DSE_METRIC_LUT;
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        int r = dse_metrics[m].resource;
        double own = r < 0 || metrics[m] <= 0.0 ? 0.0 : metrics[m] / (double)limits[r];
        if (r >= 0 && own > share) {
            share = own;
            *most = (enum dse_metric)m;
        }
    }
    return share;
}

double dse_corner_standard_error(const struct dse_quality *quality)
{
    return quality != NULL && quality->n > 1 ? quality->std / sqrt((double)quality->n) : 0.0;
}

/* What a corner has least of, before latency, energy and the board break ties. */
static double cost_of(enum dse_corner corner, const struct dse_point *point, double share)
{
    double latency = point->metrics[DSE_METRIC_LATENCY], energy = point->metrics[DSE_METRIC_ENERGY];
    switch (corner) {
    case DSE_CORNER_BALANCED: return latency * energy;
    case DSE_CORNER_LEAST_ENERGY: return energy;
    case DSE_CORNER_SMALLEST: return share;
    case DSE_CORNER_FASTEST: case DSE_CORNER_MOST_ACCURATE: case DSE_CORNER_COUNT: break;
    }
    return latency;
}

struct finding {
    const struct dse_standard *standard;
    const struct dse_point *points;
    size_t count;
    int64_t limits[DSE_RESOURCE_COUNT];
    struct dse_corners *out;
};

static bool takes_part(const struct finding *f, enum dse_corner corner, const struct dse_point *point)
{
    double quality = point->metrics[DSE_METRIC_QUALITY];
    if (!dse_standard_beats_majority(f->standard, quality))
        return false;
    bool accurate = corner == DSE_CORNER_BALANCED || corner == DSE_CORNER_MOST_ACCURATE;
    return !accurate || isnan(f->out->best_quality) || quality >= f->out->best_quality - f->out->standard_error;
}

static double share_of(const struct finding *f, const struct dse_point *point)
{
    enum dse_metric most;
    return dse_corner_share(f->limits, point->metrics, &most);
}

/* Lexicographic: cost, latency, energy, share. */
static bool is_less(const struct finding *f, enum dse_corner corner, const struct dse_point *a, const struct dse_point *b)
{
    double share_a = share_of(f, a), share_b = share_of(f, b);
    double of_a[] = {cost_of(corner, a, share_a), a->metrics[DSE_METRIC_LATENCY], a->metrics[DSE_METRIC_ENERGY], share_a};
    double of_b[] = {cost_of(corner, b, share_b), b->metrics[DSE_METRIC_LATENCY], b->metrics[DSE_METRIC_ENERGY], share_b};
    for (size_t i = 0; i < sizeof of_a / sizeof *of_a; i++)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i];
    return false;
}

/* The point with the least cost; with `most` of those alone whose latency × energy is no more than that. */
static size_t least(const struct finding *f, enum dse_corner corner, enum dse_corner by, double most)
{
    size_t best = DSE_CORNER_NONE;
    for (size_t i = 0; i < f->count; i++)
        if (takes_part(f, corner, &f->points[i]) && cost_of(DSE_CORNER_BALANCED, &f->points[i], 0.0) <= most &&
            (best == DSE_CORNER_NONE || is_less(f, by, &f->points[i], &f->points[best])))
            best = i;
    return best;
}

void dse_corners_find(const struct dse_question *question, const struct dse_profile *profile,
                      const struct dse_standard *standard, const struct dse_point *points, size_t count,
                      struct dse_corners *out)
{
    struct finding f = {.standard = standard, .points = points, .count = count, .out = out};
    size_t best = DSE_CORNER_NONE;
    *out = (struct dse_corners){.best_quality = NAN};
    dse_board_limits(question->board, question->headroom, f.limits);
    for (size_t i = 0; i < count; i++)
        if (!isnan(points[i].metrics[DSE_METRIC_QUALITY]) &&
            (best == DSE_CORNER_NONE || points[i].metrics[DSE_METRIC_QUALITY] > out->best_quality)) {
            best = i;
            out->best_quality = points[i].metrics[DSE_METRIC_QUALITY];
        }
    if (best != DSE_CORNER_NONE)
        out->standard_error =
            dse_corner_standard_error(dse_profile_quality_of(question->space, profile, &points[best].config));
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        out->at[c] = least(&f, (enum dse_corner)c, (enum dse_corner)c, INFINITY);
    size_t *balanced = &out->at[DSE_CORNER_BALANCED];
    if (*balanced != DSE_CORNER_NONE)
        *balanced = least(&f, DSE_CORNER_BALANCED, DSE_CORNER_SMALLEST,
                          SAME_PRODUCT * cost_of(DSE_CORNER_BALANCED, &points[*balanced], 0.0));
}
