/* The designs of a page, column by column: numbers a metric, knobs as indices into their values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "explore/bands.h"
#include "reports/page.h"

#define INACTIVE INT64_MIN /* of a knob that does not matter in a design */
#define POINT_DIGITS 9     /* of what a design is compared by */
#define BAND_DIGITS 4      /* of the ends of bands */

/* What is shown of each engine. */
static const char *const engine_keys[] = {"latency_s", "dynamic_energy_j", "bram18", "uram", "dsp", "lut", "ff", "ddr_bytes"};
#define ENGINE_KEYS (sizeof engine_keys / sizeof *engine_keys)

/* What is shown of a measured quality besides its mean. */
enum { MEASURED_STD, MEASURED_N, MEASURED_ERROR, MEASURED };
static const char *const measured_keys[MEASURED] = {"std", "n", "error"};

struct dse_page_points {
    const struct dse_model_family *family;
    const struct dse_space *space;
    size_t count, capacity;
    int64_t *knobs; /* count × space->count */
    json_t *ids, *bottleneck;
    json_t *metrics[DSE_METRIC_COUNT], *low[DSE_METRIC_COUNT], *high[DSE_METRIC_COUNT];
    json_t *limits[DSE_RESOURCE_COUNT];
    json_t *measured[MEASURED]; /* deviation, runs and standard error of the quality */
    json_t *engines[ENGINE_KEYS][DSE_ENGINE_MAX];
};

static bool has_band(int metric)
{
    return metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_ENERGY || metric == DSE_METRIC_POWER ||
           dse_metrics[metric].resource >= 0;
}

struct dse_page_points *dse_page_points_create(const struct dse_model_family *family, const struct dse_space *space)
{
    struct dse_page_points *points = dse_calloc(1, sizeof *points);
    points->family = family;
    points->space = space;
    points->ids = json_array();
    points->bottleneck = json_array();
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        points->metrics[m] = json_array();
        points->low[m] = json_array();
        points->high[m] = json_array();
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        points->limits[r] = json_array();
    for (int k = 0; k < MEASURED; k++)
        points->measured[k] = json_array();
    for (size_t k = 0; k < ENGINE_KEYS; k++)
        for (size_t e = 0; e < family->engine_count; e++)
            points->engines[k][e] = json_array();
    return points;
}

void dse_page_points_free(struct dse_page_points *points)
{
    if (points == NULL)
        return;
    json_decref(points->ids);
    json_decref(points->bottleneck);
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        json_decref(points->metrics[m]);
        json_decref(points->low[m]);
        json_decref(points->high[m]);
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_decref(points->limits[r]);
    for (int k = 0; k < MEASURED; k++)
        json_decref(points->measured[k]);
    for (size_t k = 0; k < ENGINE_KEYS; k++)
        for (size_t e = 0; e < points->family->engine_count; e++)
            json_decref(points->engines[k][e]);
    free(points->knobs);
    free(points);
}

/* With so many digits; whole numbers as such, what is not finite as null. */
static json_t *number(double value, int digits)
{
    if (!isfinite(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 1e15)
        return json_integer((json_int_t)value);
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return json_real(strtod(text, NULL));
}

static void add_engines(struct dse_page_points *points, const struct dse_estimate *estimate)
{
    for (size_t e = 0; e < points->family->engine_count; e++) {
        const struct dse_engine_estimate *engine = &estimate->engines[e];
        const int64_t *resources = engine->sums.resources;
        double units = (double)estimate->platform.units;
        const double values[ENGINE_KEYS] = {engine->latency_s, (double)engine->sums.energy_fj * 1e-15,
                                            (double)resources[DSE_BRAM18] * units, (double)resources[DSE_URAM] * units,
                                            (double)resources[DSE_DSP] * units, (double)resources[DSE_LUT] * units,
                                            (double)resources[DSE_FF] * units, (double)engine->bytes};
        for (size_t k = 0; k < ENGINE_KEYS; k++)
            json_array_append_new(points->engines[k][e], number(values[k], BAND_DIGITS + 2));
    }
}

static void add_knobs(struct dse_page_points *points, const struct dse_config *config)
{
    size_t knobs = points->space->count;
    dse_list_room(&points->knobs, &points->capacity, points->count, knobs * sizeof *points->knobs);
    for (size_t k = 0; k < knobs; k++)
        points->knobs[points->count * knobs + k] =
            dse_knob_active(points->space, config, k) ? config->value[k] : INACTIVE;
    points->count++;
}

void dse_page_points_add(struct dse_page_points *points, int64_t id, const double metrics[DSE_METRIC_COUNT],
                         const struct dse_estimate *estimate, const struct dse_quality *quality)
{
    const double measured[MEASURED] = {quality != NULL ? quality->std : NAN, quality != NULL ? (double)quality->n : NAN,
                                       quality != NULL ? dse_corner_standard_error(quality) : NAN};
    add_knobs(points, &estimate->config);
    json_array_append_new(points->ids, json_integer(id));
    json_array_append_new(points->bottleneck, json_integer((json_int_t)estimate->bottleneck));
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        json_array_append_new(points->metrics[m], number(metrics[m], POINT_DIGITS));
        double low, high;
        bool own = metrics[m] == estimate->metrics[m]; /* not of several data sets together: the bands are one's */
        dse_bands_ends(points->family->name, (enum dse_metric)m, estimate, &low, &high);
        json_array_append_new(points->low[m], number(own ? low : NAN, BAND_DIGITS));
        json_array_append_new(points->high[m], number(own ? high : NAN, BAND_DIGITS));
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_array_append_new(points->limits[r], json_integer(estimate->platform.capped[r]));
    for (int k = 0; k < MEASURED; k++)
        json_array_append_new(points->measured[k], number(measured[k], POINT_DIGITS));
    add_engines(points, estimate);
}

size_t dse_page_points_count(const struct dse_page_points *points)
{
    return points->count;
}

double dse_page_points_metric(const struct dse_page_points *points, enum dse_metric metric, size_t index)
{
    const json_t *value = json_array_get(points->metrics[metric], index);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int compare_values(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* {"values": […], "at": […]}: the values that stand there, ascending, and each design's index into them, -1 for none. */
static json_t *knob_json(const struct dse_page_points *points, size_t k)
{
    size_t knobs = points->space->count, different = 0;
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc((points->count + 1) * sizeof *values);
    for (size_t i = 0; i < points->count; i++)
        if (points->knobs[i * knobs + k] != INACTIVE)
            values[different++] = points->knobs[i * knobs + k];
    qsort(values, different, sizeof *values, compare_values);
    size_t kept = 0;
    for (size_t i = 0; i < different; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[kept++] = values[i];
    json_t *object = json_object(), *texts = json_array(), *at = json_array();
    char text[64];
    for (size_t i = 0; i < kept; i++)
        json_array_append_new(texts, json_string(dse_knob_format(&points->space->knobs[k], values[i], text, sizeof text)));
    for (size_t i = 0; i < points->count; i++) {
        const int64_t *found = bsearch(&points->knobs[i * knobs + k], values, kept, sizeof *values, compare_values);
        json_array_append_new(at, json_integer(found != NULL ? found - values : -1));
    }
    json_object_set_new(object, "values", texts);
    json_object_set_new(object, "at", at);
    return object;
}

json_t *dse_page_points_json(const struct dse_page_points *points)
{
    json_t *object = json_object(), *metrics = json_array(), *low = json_object(), *high = json_object();
    json_t *knobs = json_array(), *engines = json_object(), *limits = json_object();
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        json_array_append(metrics, points->metrics[m]);
        if (has_band(m)) {
            json_object_set(low, dse_metrics[m].key, points->low[m]);
            json_object_set(high, dse_metrics[m].key, points->high[m]);
        }
    }
    for (size_t k = 0; k < points->space->count; k++)
        json_array_append_new(knobs, knob_json(points, k));
    for (size_t k = 0; k < ENGINE_KEYS; k++) {
        json_t *rows = json_array();
        for (size_t e = 0; e < points->family->engine_count; e++)
            json_array_append(rows, points->engines[k][e]);
        json_object_set_new(engines, engine_keys[k], rows);
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set(limits, dse_resource_names[r], points->limits[r]);
    json_t *measured = json_object();
    for (int k = 0; k < MEASURED; k++)
        json_object_set(measured, measured_keys[k], points->measured[k]);
    json_object_set_new(object, "measured", measured);
    json_object_set(object, "ids", points->ids);
    json_object_set_new(object, "metrics", metrics);
    json_object_set_new(object, "low", low);
    json_object_set_new(object, "high", high);
    json_object_set_new(object, "knobs", knobs);
    json_object_set_new(object, "engines", engines);
    json_object_set_new(object, "limits", limits);
    json_object_set(object, "bottleneck", points->bottleneck);
    return object;
}
