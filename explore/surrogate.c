#include "explore/surrogate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "executor/algebra.h"

static const double lengths[] = {0.3, 0.6, 1.2, 2.4, 4.8};
static const double noises[] = {1e-3, 1e-2, 0.05, 0.2, 0.8}; /* shares of the process's own variance */

struct feature {
    size_t knob;
    int64_t value; /* of a word: 1 where the knob has it */
    bool is_word;
    const int64_t *places; /* of a number: the values that occur, ascending (count) */
    size_t count;
};

struct dse_surrogate {
    struct feature *features; /* feature_count */
    size_t feature_count;
    int64_t *values;          /* that the features' places point into */
    double *points;           /* [count × feature_count] */
    size_t count;
    double length, noise;     /* of the grid */
    double variance;          /* of the process, widened */
    double mean;
    double *inverse;          /* [count × count] of the covariance in units of `variance` */
    double *weights;          /* [count] the inverse times what is off the mean */
    double *off;              /* [count] by how many deviations each is off its prediction, ascending */
};

/* ---- settings as points ---- */

static int compare_values(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The values of a knob that occur, ascending. */
static size_t list_values(const struct dse_config *a, size_t a_count, const struct dse_config *b, size_t b_count, size_t knob,
                          int64_t *out)
{
    size_t count = 0, distinct = 0;
    for (size_t i = 0; i < a_count; i++)
        out[count++] = a[i].value[knob];
    for (size_t i = 0; i < b_count; i++)
        out[count++] = b[i].value[knob];
    qsort(out, count, sizeof *out, compare_values);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || out[i] != out[distinct - 1])
            out[distinct++] = out[i];
    return distinct;
}

static enum dse_status make_features(struct dse_surrogate *s, const struct dse_space *space, const struct dse_config *a, size_t a_count,
                                     const struct dse_config *b, size_t b_count, struct dse_error *err)
{
    dse_knob_set algorithmic = dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC);
    size_t all = a_count + b_count, used = 0, most = 0;
    for (size_t k = 0; k < space->count; k++)
        most += space->knobs[k].type == DSE_KNOB_CHOICE ? space->knobs[k].choice_count : 1;
    s->features = dse_calloc(most + 1, sizeof *s->features);
    s->values = dse_calloc(space->count * (all + 1), sizeof *s->values);
    DSE_TRY(s->features != NULL && s->values != NULL ? DSE_OK : dse_fail_memory(err));
    for (size_t k = 0; k < space->count; k++) {
        int64_t *values = s->values + used;
        size_t distinct = (algorithmic >> k & 1) != 0 ? list_values(a, a_count, b, b_count, k, values) : 0;
        if (distinct < 2)
            continue;
        used += distinct;
        if (space->knobs[k].type != DSE_KNOB_CHOICE)
            s->features[s->feature_count++] = (struct feature){.knob = k, .places = values, .count = distinct};
        for (size_t v = 0; v < distinct && space->knobs[k].type == DSE_KNOB_CHOICE; v++)
            s->features[s->feature_count++] = (struct feature){.knob = k, .value = values[v], .is_word = true};
    }
    return DSE_OK;
}

static void place(const struct dse_surrogate *s, const struct dse_config *config, double *point)
{
    for (size_t f = 0; f < s->feature_count; f++) {
        const struct feature *feature = &s->features[f];
        int64_t value = config->value[feature->knob];
        size_t at = 0;
        while (!feature->is_word && at + 1 < feature->count && feature->places[at] < value)
            at++;
        point[f] = feature->is_word ? (value == feature->value ? M_SQRT1_2 : 0.0) : (double)at / (double)(feature->count - 1);
    }
}

/* Matérn's covariance, of variance 1. */
static double covariance(const struct dse_surrogate *s, const double *a, const double *b)
{
    double square = 0.0;
    for (size_t f = 0; f < s->feature_count; f++)
        square += (a[f] - b[f]) * (a[f] - b[f]);
    double far = sqrt(5.0 * square) / s->length;
    return (1.0 + far + far * far / 3.0) * exp(-far);
}

/* ---- length and noise ---- */

static enum dse_status invert(struct dse_surrogate *s, double length, double noise, struct dse_error *err)
{
    size_t n = s->count;
    s->length = length;
    s->noise = noise;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            s->inverse[i * n + j] = s->inverse[j * n + i] =
                covariance(s, s->points + i * s->feature_count, s->points + j * s->feature_count) + (i == j ? noise + 1e-9 : 0.0);
    DSE_TRY(dse_algebra_invert(s->inverse, n, err));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            s->inverse[j * n + i] = s->inverse[i * n + j];
    return DSE_OK;
}

/* Predicts each setting from all others; returns the mean logarithm of how likely it was, at the variance that makes that largest,
 * which is the one at which they are as far off as they say. */
static double leave_one_out(struct dse_surrogate *s, const double *quality)
{
    double squares = 0.0, logs = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        const double *row = s->inverse + i * s->count;
        double weight = 0.0;
        for (size_t j = 0; j < s->count; j++)
            weight += row[j] * (quality[j] - s->mean);
        s->weights[i] = weight;
        squares += weight * weight / row[i]; /* (what it is off)² / its variance */
        logs += 0.5 * log(row[i]);
    }
    s->variance = fmax(squares / (double)s->count, 1e-12);
    return logs / (double)s->count - 0.5 * log(s->variance);
}

static int compare_reals(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static enum dse_status choose(struct dse_surrogate *s, const double *quality, struct dse_error *err)
{
    double best = -INFINITY, length = lengths[0], noise = noises[0];
    struct dse_error failed;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t n = 0; n < sizeof noises / sizeof *noises; n++) {
            if (invert(s, lengths[l], noises[n], &failed) != DSE_OK)
                continue;
            double likely = leave_one_out(s, quality);
            if (likely > best) {
                best = likely;
                length = lengths[l];
                noise = noises[n];
            }
        }
    DSE_TRY(invert(s, length, noise, err));
    leave_one_out(s, quality);
    for (size_t i = 0; i < s->count; i++)
        s->off[i] = fabs(s->weights[i]) / sqrt(s->inverse[i * s->count + i] * s->variance);
    qsort(s->off, s->count, sizeof *s->off, compare_reals);
    return DSE_OK;
}

enum dse_status dse_surrogate_fit(const struct dse_space *space, const struct dse_config *configs, const double *quality, size_t count,
                                  const struct dse_config *more, size_t more_count, struct dse_surrogate **out, struct dse_error *err)
{
    size_t skipped = count > DSE_SURROGATE_MOST ? count - DSE_SURROGATE_MOST : 0, n = count - skipped;
    *out = NULL;
    if (n < DSE_SURROGATE_LEAST)
        return DSE_OK;
    struct dse_surrogate *s = dse_calloc(1, sizeof *s);
    DSE_TRY(s != NULL ? dse_algebra_open(err) : dse_fail_memory(err));
    configs += skipped;
    quality += skipped;
    s->count = n;
    enum dse_status status = make_features(s, space, configs, n, more, more_count, err);
    s->points = dse_calloc(n * (s->feature_count + 1), sizeof *s->points);
    s->inverse = dse_calloc(n * n, sizeof *s->inverse);
    s->weights = dse_calloc(n, sizeof *s->weights);
    s->off = dse_calloc(n, sizeof *s->off);
    if (status == DSE_OK && (s->points == NULL || s->inverse == NULL || s->weights == NULL || s->off == NULL))
        status = dse_fail_memory(err);
    for (size_t i = 0; i < n && status == DSE_OK; i++) {
        place(s, &configs[i], s->points + i * s->feature_count);
        s->mean += quality[i] / (double)n;
    }
    if (status == DSE_OK)
        status = choose(s, quality, err);
    if (status != DSE_OK) {
        dse_surrogate_free(s);
        return status;
    }
    *out = s;
    return DSE_OK;
}

void dse_surrogate_at(const struct dse_surrogate *s, const struct dse_config *config, double *mean, double *deviation)
{
    double point[DSE_KNOB_MAX * 8], near[DSE_SURROGATE_MOST], known = 0.0;
    *mean = s->mean;
    *deviation = sqrt(s->variance * (1.0 + s->noise));
    if (s->feature_count > sizeof point / sizeof *point)
        return;
    place(s, config, point);
    for (size_t i = 0; i < s->count; i++) {
        near[i] = covariance(s, point, s->points + i * s->feature_count);
        *mean += near[i] * s->weights[i];
    }
    for (size_t i = 0; i < s->count; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < s->count; j++)
            sum += s->inverse[i * s->count + j] * near[j];
        known += near[i] * sum;
    }
    *deviation = sqrt(s->variance * (fmax(1.0 - known, 0.0) + s->noise));
}

double dse_surrogate_reach(const struct dse_surrogate *s, double level)
{
    size_t place = (size_t)ceil(level * (double)s->count);
    return fmax(dse_normal_quantile(level), s->off[place > 0 ? place - 1 : 0]);
}

void dse_surrogate_free(struct dse_surrogate *s)
{
    if (s == NULL)
        return;
    free(s->features);
    free(s->values);
    free(s->points);
    free(s->inverse);
    free(s->weights);
    free(s->off);
    free(s);
}

double dse_normal_quantile(double level)
{
    double t = sqrt(-2.0 * log(1.0 - level));
    return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}
