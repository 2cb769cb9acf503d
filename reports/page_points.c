/* Designs of a page, column by column: one number per metric, knobs as indices into their values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/order.h"
#include "explore/bands.h"
#include "reports/page.h"

#define INACTIVE INT64_MIN /* value of an inactive knob */
#define POINT_DIGITS 9     /* digits of values by which designs are compared */
#define BAND_DIGITS 4      /* digits of band ends */

/* Columns per engine. */
static const char *const engine_keys[] = {"latency_s", "dynamic_energy_j", "bram18", "uram", "dsp", "lut", "ff", "ddr_bytes"};
#define ENGINE_KEYS (sizeof engine_keys / sizeof *engine_keys)

/* Columns of a measured quality besides its mean. */
enum { MEASURED_STD, MEASURED_N, MEASURED_ERROR, MEASURED };
static const char *const measured_keys[MEASURED] = {"std", "n", "error"};

/* A column is a JSON array extended by each design; knobs become columns at the end. */
struct dse_page_points {
    const struct dse_model_family *family;
    const struct dse_space *space;
    size_t count, capacity;
    int64_t *knobs; /* count × space->count */
    json_t *ids, *bottleneck;
    json_t *metrics;              /* one column each */
    json_t *low, *high, *limits;  /* columns by key, for metrics with bands and for resources */
    json_t *measured;             /* deviation, runs and standard error of the quality */
    json_t *engines;              /* columns by key, per engine */
};

static bool has_band(int metric)
{
    return metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_ENERGY || metric == DSE_METRIC_POWER ||
           dse_metrics[metric].resource >= 0;
}

static json_t *columns(size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_array());
    return array;
}

struct dse_page_points *dse_page_points_create(const struct dse_model_family *family, const struct dse_space *space)
{
    struct dse_page_points *points = dse_malloc(sizeof *points);
    *points = (struct dse_page_points){.family = family, .space = space, .ids = json_array(), .bottleneck = json_array(),
                                       .metrics = columns(DSE_METRIC_COUNT), .low = json_object(), .high = json_object(),
                                       .limits = json_object(), .measured = json_object(), .engines = json_object()};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (has_band(m)) {
            json_object_set_new(points->low, dse_metrics[m].key, json_array());
            json_object_set_new(points->high, dse_metrics[m].key, json_array());
        }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(points->limits, dse_resource_names[r], json_array());
    for (int k = 0; k < MEASURED; k++)
        json_object_set_new(points->measured, measured_keys[k], json_array());
    for (size_t k = 0; k < ENGINE_KEYS; k++)
        json_object_set_new(points->engines, engine_keys[k], columns(family->engine_count));
    return points;
}

void dse_page_points_free(struct dse_page_points *points)
{
    if (points == NULL)
        return;
    json_t *const owned[] = {points->ids, points->bottleneck, points->metrics, points->low, points->high, points->limits, points->measured, points->engines};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        json_decref(owned[i]);
    free(points->knobs);
    free(points);
}

/* A number with a fixed number of digits; integers as such, null if not finite. */
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
        const double values[ENGINE_KEYS] = {engine->latency_s, engine->energy_j,
                                            (double)resources[DSE_BRAM18] * units, (double)resources[DSE_URAM] * units,
                                            (double)resources[DSE_DSP] * units, (double)resources[DSE_LUT] * units,
                                            (double)resources[DSE_FF] * units, (double)engine->bytes};
        for (size_t k = 0; k < ENGINE_KEYS; k++)
            json_array_append_new(json_array_get(json_object_get(points->engines, engine_keys[k]), e), number(values[k], BAND_DIGITS + 2));
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
        json_array_append_new(json_array_get(points->metrics, (size_t)m), number(metrics[m], POINT_DIGITS));
        double low, high;
        bool own = metrics[m] == estimate->metrics[m]; /* not combined over data sets: the bands are for one data set */
        if (!has_band(m))
            continue;
        dse_bands_known(points->family, (enum dse_metric)m, estimate, &low, &high);
        json_array_append_new(json_object_get(points->low, dse_metrics[m].key), number(own ? low : NAN, BAND_DIGITS));
        json_array_append_new(json_object_get(points->high, dse_metrics[m].key), number(own ? high : NAN, BAND_DIGITS));
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_array_append_new(json_object_get(points->limits, dse_resource_names[r]), json_integer(estimate->platform.limits[r]));
    for (int k = 0; k < MEASURED; k++)
        json_array_append_new(json_object_get(points->measured, measured_keys[k]), number(measured[k], POINT_DIGITS));
    add_engines(points, estimate);
}

size_t dse_page_points_count(const struct dse_page_points *points)
{
    return points->count;
}

/* {"values": […], "at": […]}: the values used, ascending, and each design's index into them, -1 for none. */
static json_t *knob_json(const struct dse_page_points *points, size_t k)
{
    size_t knobs = points->space->count, different = 0;
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc((points->count + 1) * sizeof *values);
    for (size_t i = 0; i < points->count; i++)
        if (points->knobs[i * knobs + k] != INACTIVE)
            values[different++] = points->knobs[i * knobs + k];
    qsort(values, different, sizeof *values, dse_by_int64);
    size_t kept = 0;
    for (size_t i = 0; i < different; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[kept++] = values[i];
    json_t *texts = json_array(), *at = json_array();
    char text[64];
    for (size_t i = 0; i < kept; i++)
        json_array_append_new(texts, json_string(dse_knob_format(&points->space->knobs[k], values[i], text, sizeof text)));
    for (size_t i = 0; i < points->count; i++) {
        const int64_t *found = bsearch(&points->knobs[i * knobs + k], values, kept, sizeof *values, dse_by_int64);
        json_array_append_new(at, json_integer(found != NULL ? found - values : -1));
    }
    return json_pack("{s:o, s:o}", "values", texts, "at", at);
}

json_t *dse_page_points_json(const struct dse_page_points *points)
{
    json_t *knobs = json_array();
    for (size_t k = 0; k < points->space->count; k++)
        json_array_append_new(knobs, knob_json(points, k));
    return json_pack("{s:O, s:O, s:O, s:O, s:O, s:o, s:O, s:O, s:O}", "measured", points->measured, "ids", points->ids, "metrics",
                     points->metrics, "low", points->low, "high", points->high, "knobs", knobs, "engines", points->engines, "limits",
                     points->limits, "bottleneck", points->bottleneck);
}
