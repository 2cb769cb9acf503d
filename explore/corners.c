#include "explore/corners.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"

#define SAME_PRODUCT 1.1 /* ratio of latency × energy within which the smaller design is balanced */

const char *const dse_corner_names[DSE_CORNER_COUNT] = {
    [DSE_CORNER_BALANCED] = "balanced", [DSE_CORNER_FASTEST] = "fastest", [DSE_CORNER_LEAST_ENERGY] = "least_energy",
    [DSE_CORNER_SMALLEST] = "smallest", [DSE_CORNER_MOST_ACCURATE] = "most_accurate"};

const char *const dse_corner_titles[DSE_CORNER_COUNT] = {
    [DSE_CORNER_BALANCED] = "balanced", [DSE_CORNER_FASTEST] = "fastest", [DSE_CORNER_LEAST_ENERGY] = "least energy",
    [DSE_CORNER_SMALLEST] = "smallest", [DSE_CORNER_MOST_ACCURATE] = "most accurate"};

const char *dse_corner_meaning(const struct dse_corners *corners, enum dse_corner corner, char text[DSE_CORNER_MEANING])
{
    static const char *const meanings[DSE_CORNER_COUNT] = {
        [DSE_CORNER_BALANCED] = "balanced: least latency × energy", [DSE_CORNER_FASTEST] = "fastest", [DSE_CORNER_LEAST_ENERGY] = "least energy",
        [DSE_CORNER_SMALLEST] = "smallest footprint (largest share of a resource)", [DSE_CORNER_MOST_ACCURATE] = "highest mean"};
    const char *name = corners->best != NULL && corners->best->name != NULL ? corners->best->name : "quality", *quality = dse_quality_title(name);
    int used = snprintf(text, DSE_CORNER_MEANING, "%s", meanings[corner]);
    if (corner == DSE_CORNER_MOST_ACCURATE)
        snprintf(text + used, DSE_CORNER_MEANING - (size_t)used, " %.20s", quality);
    else if (corner == DSE_CORNER_BALANCED && corners->best != NULL)
        snprintf(text + used, DSE_CORNER_MEANING - (size_t)used, " within 1 SE of the best %.20s", quality);
    else if (corner != DSE_CORNER_BALANCED && isfinite(corners->required))
        snprintf(text + used, DSE_CORNER_MEANING - (size_t)used, " with %.20s of at %s %.3f", quality,
                 dse_quality_is_negative(name, NULL) ? "most" : "least", dse_quality_plain(name, corners->required));
    return text;
}

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

bool dse_corner_as_good(const struct dse_quality *best, const struct dse_quality *other)
{
    return (other->validation_count == 0 || other->validation_count >= best->validation_count) &&
           other->mean >= best->mean - dse_corner_standard_error(best);
}

/* A validated quality that stopped earlier than the other does not precede it. */
static bool chooses(const struct dse_quality *a, const struct dse_quality *b)
{
    return a->validation_count != b->validation_count ? a->validation_count > b->validation_count : a->mean > b->mean;
}

struct finding {
    const struct dse_standard *standard;
    const struct dse_point *points;
    size_t count;
    const struct dse_quality *const *qualities; /* qualities of the points */
    const int64_t *limits;
    enum dse_metric latency, energy; /* at the boundary that the objectives name */
    struct dse_corners *out;
};

/* The metric at the boundary that the objectives name: the kernel's, unless they have only the system's. */
static enum dse_metric metric_of(const struct dse_question *question, enum dse_metric kernel, enum dse_metric system)
{
    bool has_system = false;
    for (size_t o = 0; o < question->objective_count; o++) {
        if (question->objectives[o] == kernel)
            return kernel;
        has_system |= question->objectives[o] == system;
    }
    return has_system ? system : kernel;
}

/* Quantity that a corner minimises, before the tie-breakers latency, energy and footprint. */
static double cost_of(const struct finding *f, enum dse_corner corner, const struct dse_point *point, double share)
{
    double latency = point->metrics[f->latency], energy = point->metrics[f->energy];
    switch (corner) {
    case DSE_CORNER_BALANCED: return latency * energy;
    case DSE_CORNER_LEAST_ENERGY: return energy;
    case DSE_CORNER_SMALLEST: return share;
    case DSE_CORNER_FASTEST: case DSE_CORNER_MOST_ACCURATE: case DSE_CORNER_COUNT: break;
    }
    return latency;
}

static bool takes_part(const struct finding *f, enum dse_corner corner, size_t point)
{
    if (!dse_standard_beats_majority(f->standard, f->points[point].metrics[DSE_METRIC_QUALITY]))
        return false;
    const struct dse_quality *quality = f->qualities[point], *best = f->out->best;
    if (best == NULL || (corner != DSE_CORNER_BALANCED && corner != DSE_CORNER_MOST_ACCURATE))
        return true;
    return quality != NULL && (corner == DSE_CORNER_BALANCED ? dse_corner_as_good(best, quality) : !chooses(best, quality));
}

static double share_of(const struct finding *f, const struct dse_point *point)
{
    enum dse_metric most;
    return dse_corner_share(f->limits, point->metrics, &most);
}

/* Lexicographic order: cost, latency, energy, share. */
static bool is_less(const struct finding *f, enum dse_corner corner, const struct dse_point *a, const struct dse_point *b)
{
    double share_a = share_of(f, a), share_b = share_of(f, b);
    double of_a[] = {cost_of(f, corner, a, share_a), a->metrics[f->latency], a->metrics[f->energy], share_a};
    double of_b[] = {cost_of(f, corner, b, share_b), b->metrics[f->latency], b->metrics[f->energy], share_b};
    for (size_t i = 0; i < sizeof of_a / sizeof *of_a; i++)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i];
    return false;
}

/* The point with the least cost; with `most`, only among points whose latency × energy is at most that. */
static size_t least(const struct finding *f, enum dse_corner corner, enum dse_corner by, double most)
{
    size_t best = DSE_CORNER_NONE;
    for (size_t i = 0; i < f->count; i++)
        if (takes_part(f, corner, i) && cost_of(f, DSE_CORNER_BALANCED, &f->points[i], 0.0) <= most &&
            (best == DSE_CORNER_NONE || is_less(f, by, &f->points[i], &f->points[best])))
            best = i;
    return best;
}

/* Points of one setting share a quality: look each setting up once. */
static void look_up(const struct dse_question *question, const struct dse_profile *profile, const struct dse_point *points, size_t count,
                    const struct dse_quality **out)
{
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0;
        for (size_t k = 0; same && k < question->space->count; k++)
            same = !dse_bits_has(algorithmic, k) || points[i].config.value[k] == points[i - 1].config.value[k];
        out[i] = same ? out[i - 1] : dse_profile_quality_of(question->space, profile, &points[i].config);
    }
}

void dse_corners_among(const struct dse_question *question, const int64_t limits[DSE_RESOURCE_COUNT], const struct dse_standard *standard,
                       const struct dse_point *points, const struct dse_quality *const *qualities, size_t count, struct dse_corners *out)
{
    struct finding f = {.standard = standard, .points = points, .count = count, .out = out, .qualities = qualities, .limits = limits,
                        .latency = metric_of(question, DSE_METRIC_LATENCY, DSE_METRIC_LATENCY_SYSTEM),
                        .energy = metric_of(question, DSE_METRIC_ENERGY, DSE_METRIC_ENERGY_SYSTEM)};
    *out = (struct dse_corners){.best_quality = NAN, .required = standard != NULL ? standard->floor : NAN};
    for (size_t i = 0; i < count; i++)
        if (qualities[i] != NULL && (out->best == NULL || chooses(qualities[i], out->best)))
            out->best = qualities[i];
    if (out->best != NULL)
        out->best_quality = out->best->mean;
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        out->at[c] = c == DSE_CORNER_MOST_ACCURATE && out->best == NULL
                         ? DSE_CORNER_NONE
                         : least(&f, (enum dse_corner)c, (enum dse_corner)c, INFINITY);
    size_t *balanced = &out->at[DSE_CORNER_BALANCED];
    if (*balanced != DSE_CORNER_NONE)
        *balanced = least(&f, DSE_CORNER_BALANCED, DSE_CORNER_SMALLEST,
                          SAME_PRODUCT * cost_of(&f, DSE_CORNER_BALANCED, &points[*balanced], 0.0));
}

void dse_corners_find(const struct dse_question *question, const struct dse_profile *profile,
                      const struct dse_standard *standard, const struct dse_point *points, size_t count,
                      struct dse_corners *out)
{
    int64_t limits[DSE_RESOURCE_COUNT];
    const struct dse_quality **qualities = dse_calloc(count + 1, sizeof *qualities);
    dse_board_limits(question->board, question->headroom, limits);
    look_up(question, profile, points, count, qualities);
    dse_corners_among(question, limits, standard, points, qualities, count, out);
    free(qualities);
}
