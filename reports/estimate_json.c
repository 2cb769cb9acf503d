/* Estimates as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/estimate.h"

/* Words that are numbers ("1.5", "8") are written as numbers. */
static json_t *choice_json(const char *word)
{
    char *end = NULL;
    double value = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(value))
        return json_string(word);
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

json_t *dse_config_json(const struct dse_space *space, const struct dse_config *config)
{
    json_t *object = json_object();
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        int64_t value = config->value[k];
        if (!dse_knob_active(space, config, k))
            continue;
        json_t *json = knob->type == DSE_KNOB_INTEGER   ? json_integer(value)
                       : knob->type == DSE_KNOB_DECIMAL ? json_real(dse_knob_number(knob, value))
                                                        : choice_json(knob->choices[value]);
        json_object_set_new(object, knob->name, json);
    }
    return object;
}

static const char *bound_word(enum dse_bound bound)
{
    return bound == DSE_BOUND_MEMORY ? "memory" : "compute";
}

static void set_resources(json_t *object, const int64_t *amounts, int64_t times)
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(object, dse_resource_names[r], json_integer(amounts[r] * times));
}

static json_t *engines_json(const struct dse_design *reported)
{
    const struct dse_model_family *family = reported->setup->family;
    json_t *array = json_array();
    for (size_t e = 0; e < family->engine_count; e++) {
        const struct dse_engine_estimate *engine = &reported->estimate->engines[e];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(family->engines[e].name));
        json_object_set_new(object, "title", json_string(family->engines[e].title));
        json_object_set_new(object, "cycles", json_integer(engine->cycles));
        json_object_set_new(object, "latency_s", json_real(engine->latency_s));
        set_resources(object, engine->sums.resources, reported->estimate->platform.units);
        json_object_set_new(object, "ddr_bytes", json_integer(engine->bytes));
        json_object_set_new(object, "dynamic_energy_j", json_real((double)engine->sums.energy_fj * 1e-15));
        json_object_set_new(object, "bound", json_string(bound_word(engine->bound)));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *stages_json(const struct dse_design *reported)
{
    const struct dse_model_family *family = reported->setup->family;
    json_t *array = json_array();
    for (size_t s = 0; s < family->stage_count; s++) {
        const struct dse_stage_estimate *stage = &reported->estimate->stages[s];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(family->stages[s]));
        json_object_set_new(object, "cycles", json_integer(stage->cycles));
        json_object_set_new(object, "latency_s", json_real(stage->latency_s));
        json_object_set_new(object, "bound", json_string(bound_word(stage->bound)));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *quality_json(const struct dse_design *reported)
{
    const struct dse_quality *quality = reported->quality;
    const struct dse_standard *standard = reported->standard;
    if (quality == NULL)
        return json_null();
    json_t *object = json_pack("{s:s, s:f, s:f, s:I, s:s}", "name", quality->name, "mean", quality->mean, "std",
                               quality->std, "n", (json_int_t)quality->n, "protocol",
                               quality->protocol != NULL ? quality->protocol : "");
    if (quality->reported_n > 0) /* a mean that is not what was reported chose */
        json_object_set_new(object, "held_out", json_boolean(quality->validation_count == 0 && quality->mean == quality->reported_mean));
    if (quality->reported_n > 0)
        json_object_set_new(object, "reported",
                            json_pack("{s:f, s:f, s:I, s:b}", "mean", quality->reported_mean, "std", quality->reported_std, "n",
                                      (json_int_t)quality->reported_n, "held_out", 1));
    if (standard == NULL)
        return object;
    dse_json_put_number(object, "majority", standard->majority);
    dse_json_put_number(object, "preset", standard->preset);
    dse_json_put_number(object, "floor", standard->floor);
    if (!isnan(standard->majority))
        json_object_set_new(object, "beats_majority", json_boolean(dse_standard_beats_majority(standard, quality->mean)));
    return object;
}

/* The metrics that are given with the ends of their bands. */
static void set_band(json_t *object, const char *family, enum dse_metric metric, const struct dse_estimate *estimate)
{
    char key[64];
    const char *name = dse_metrics[metric].key;
    bool whole = dse_metrics[metric].resource >= 0;
    double values[2];
    dse_bands_ends(family, metric, estimate, &values[0], &values[1]);
    const char *const ends[] = {"low", "high"};
    for (int i = 0; i < 2; i++) {
        snprintf(key, sizeof key, "%s_%s", name, ends[i]);
        json_object_set_new(object, key, whole ? json_integer((json_int_t)values[i]) : dse_json_number(values[i]));
    }
}

/* Dynamic power by what draws it; the clock tree is that of the flip-flops. */
static json_t *dynamic_json(const struct dse_estimate *estimate)
{
    json_t *array = json_array();
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++)
        json_array_append_new(array, json_pack("{s:s, s:f, s:f, s:f}", "of", dse_power_term_names[t], "power_w",
                                               estimate->term_w[DSE_BAND_NOMINAL][t], "power_w_low",
                                               estimate->term_w[DSE_BAND_LOW][t], "power_w_high",
                                               estimate->term_w[DSE_BAND_HIGH][t]));
    return array;
}

static void set_metric(json_t *object, enum dse_metric metric, double value)
{
    bool whole = dse_metrics[metric].resource >= 0 || metric == DSE_METRIC_CYCLES || metric == DSE_METRIC_DDR_BYTES;
    json_object_set_new(object, dse_metrics[metric].key, whole ? json_integer((json_int_t)value) : dse_json_number(value));
}

static json_t *total_json(const struct dse_design *reported)
{
    const struct dse_estimate *estimate = reported->estimate;
    json_t *object = json_object();
    for (int m = 0; m < DSE_METRIC_QUALITY; m++) {
        set_metric(object, (enum dse_metric)m, estimate->metrics[m]);
        if (m != DSE_METRIC_DDR_BYTES && m != DSE_METRIC_CYCLES) /* of counts there is no doubt that the constants make */
            set_band(object, reported->setup->family->name, (enum dse_metric)m, estimate);
    }
    json_object_set_new(object, "static_power_w", json_real((double)estimate->platform.static_nw * 1e-9));
    json_object_set_new(object, "ps_power_w", dse_json_number(reported->setup->board->ps_power_w));
    const struct dse_board *board = reported->setup->board;
    json_object_set_new(object, "static_power_w_low", json_real(board->static_power_low_w));
    json_object_set_new(object, "static_power_w_high", json_real(board->static_power_high_w));
    json_object_set_new(object, "ps_power_w_low", dse_json_number(board->ps_power_low_w));
    json_object_set_new(object, "ps_power_w_high", dse_json_number(board->ps_power_high_w));
    json_object_set_new(object, "dynamic_power", dynamic_json(estimate));
    json_object_set_new(object, "quality", quality_json(reported));
    return object;
}

/* What the models were off by, by the level of validation that says so: the bands' other part. */
static json_t *errors_json(const char *name)
{
    const struct dse_model_family *family = dse_model_find(name);
    json_t *array = json_array();
    for (const struct dse_model_error *e = family->errors; e < family->errors + family->error_count; e++) {
        json_t *item = json_pack("{s:s, s:f}", "level", e->level, "share", e->share);
        json_object_set_new(item, e->engine != NULL ? "engine" : "metric",
                            json_string(e->engine == NULL ? dse_metrics[e->metric].key : *e->engine != '\0' ? e->engine : "each"));
        json_array_append_new(array, item);
    }
    return array;
}

/* The limit that holds at the design's clock, and what stands behind it; null above the last. */
static json_t *cap_json(const struct dse_design *reported)
{
    const struct dse_board_source *source;
    const struct dse_clock_cap *cap = dse_design_cap(reported, &source);
    return cap == NULL ? json_null()
                       : json_pack("{s:f, s:s?, s:s?}", "clock_hz", cap->clock_hz, "evidence", source != NULL ? source->evidence : NULL,
                                   "source", source != NULL ? source->text : NULL);
}

/* What the numbers rest on: the board's file, the calibration, the clock's cap, and every cost entry that was used. */
static json_t *provenance_json(const struct dse_design *reported)
{
    const struct dse_costs *costs = reported->setup->costs;
    const char *calibration = dse_costs_calibration(costs);
    json_t *object = json_object(), *entries = json_array();
    for (size_t i = 0; i < dse_costs_entry_count(costs); i++) {
        if ((reported->estimate->provenance.used[i / 64] >> (i % 64) & 1) == 0)
            continue;
        const struct dse_cost_entry *entry = dse_costs_entry(costs, i);
        json_t *item = json_object();
        json_object_set_new(item, "entry", json_string(entry->name));
        json_object_set_new(item, "level", json_string(dse_level_names[entry->level]));
        json_object_set_new(item, "source", json_string(entry->source));
        json_object_set_new(item, "lut_low", json_real(entry->low[DSE_LUT]));
        json_object_set_new(item, "lut_high", json_real(entry->high[DSE_LUT]));
        json_array_append_new(entries, item);
    }
    json_object_set_new(object, "cost_library", json_string(dse_costs_family(costs)));
    json_object_set_new(object, "calibration", calibration != NULL ? json_string(calibration) : json_null());
    json_object_set_new(object, "errors", errors_json(reported->setup->family->name));
    json_object_set_new(object, "clock_cap", cap_json(reported));
    json_object_set_new(object, "costs", entries);
    return object;
}

json_t *dse_estimate_json(const struct dse_design *reported)
{
    const struct dse_setup *setup = reported->setup;
    const struct dse_estimate *estimate = reported->estimate;
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string("nysx-dse.estimate/1"));
    if (reported->id > 0)
        json_object_set_new(object, "id", json_integer(reported->id));
    if (reported->chance > 0.0)
        json_object_set_new(object, "front_chance", json_real(reported->chance));
    json_object_set_new(object, "family", json_string(setup->family->name));
    json_object_set_new(object, "board", json_string(setup->board->name));
    json_object_set_new(object, "dataset", json_string(reported->dataset));
    json_object_set_new(object, "config", dse_config_json(setup->space, &estimate->config));
    json_object_set_new(object, "engines", engines_json(reported));
    json_object_set_new(object, "stages", stages_json(reported));
    json_object_set_new(object, "total", total_json(reported));
    json_t *limits = json_object(), *capped = json_object(), *chip = json_object();
    set_resources(limits, estimate->platform.limits, 1);
    set_resources(capped, estimate->platform.capped, 1);
    set_resources(chip, setup->board->chip, 1);
    json_object_set_new(object, "limits", limits);
    json_object_set_new(object, "limits_at_clock", capped);
    json_object_set_new(object, "chip", chip);
    json_object_set_new(object, "fits", json_boolean(estimate->fits));
    json_object_set_new(object, "over",
                        estimate->worst >= 0 ? json_string(dse_resource_names[estimate->worst]) : json_null());
    json_object_set_new(object, "provenance", provenance_json(reported));
    json_object_set_new(object, "bottleneck", json_string(setup->family->engines[estimate->bottleneck].name));
    return object;
}

json_t *dse_estimate_compact_json(const struct dse_design *reported)
{
    const struct dse_setup *setup = reported->setup;
    const struct dse_estimate *estimate = reported->estimate;
    const struct dse_quality *quality = reported->quality;
    json_t *object = json_object(), *total = json_object();
    if (reported->id > 0)
        json_object_set_new(object, "id", json_integer(reported->id));
    if (reported->chance > 0.0)
        json_object_set_new(object, "front_chance", json_real(reported->chance));
    json_object_set_new(object, "config", dse_config_json(setup->space, &estimate->config));
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        set_metric(total, (enum dse_metric)m, estimate->metrics[m]);
    json_object_set_new(total, "quality",
                        quality == NULL ? json_null()
                                        : json_pack("{s:s, s:f, s:f, s:I}", "name", quality->name, "mean", quality->mean, "std",
                                                    quality->std, "n", (json_int_t)quality->n));
    json_object_set_new(object, "total", total);
    json_object_set_new(object, "fits", json_boolean(estimate->fits));
    json_object_set_new(object, "bottleneck", json_string(setup->family->engines[estimate->bottleneck].name));
    return object;
}
