/* Estimates as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reports/estimate.h"
#include "reports/load.h"

/* Words that are numbers ("1.5", "8") become JSON numbers. */
static json_t *choice_json(const char *word)
{
    char *end = NULL;
    double value = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(value))
        return json_string(word);
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

json_t *dse_knob_json(const struct dse_knob *knob, int64_t value)
{
    return knob->type == DSE_KNOB_INTEGER   ? json_integer(value)
           : knob->type == DSE_KNOB_DECIMAL ? json_real(dse_knob_number(knob, value))
                                            : choice_json(knob->choices[value]);
}

json_t *dse_config_json(const struct dse_space *space, const struct dse_config *config)
{
    json_t *object = json_object();
    for (size_t k = 0; k < space->count; k++) {
        if (dse_knob_active(space, config, k))
            json_object_set_new(object, space->knobs[k].name, dse_knob_json(&space->knobs[k], config->value[k]));
    }
    return object;
}

const char *const dse_bound_words[] = {[DSE_BOUND_COMPUTE] = "compute", [DSE_BOUND_MEMORY] = "memory", NULL};

#define AT(member) offsetof(struct dse_engine_row, member)
const struct dse_field dse_engine_fields[] = {
    DSE_FIELD("name", NULL, TEXT, AT(name)),
    DSE_FIELD("title", NULL, TEXT, AT(title), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("", "engine", CHARS, AT(marked)),
    DSE_FIELD("cycles", "cycles", WHOLE, AT(cycles)),
    DSE_FIELD("latency_s", "latency", REAL, AT(latency_s), .unit = DSE_DIMENSION_TIME),
    DSE_FIELDS_RESOURCES(struct dse_engine_row, resources),
    DSE_FIELD("ddr_bytes", NULL, WHOLE, AT(bytes)),
    DSE_FIELD("", "DDR", BYTES, AT(bytes)),
    DSE_FIELD("dynamic_energy_j", NULL, REAL, AT(energy_j), .unit = DSE_DIMENSION_ENERGY),
    DSE_FIELD("bound", "bound", WORD, AT(bound), .words = dse_bound_words),
    {0},
};

struct dse_engine_row dse_engine_row(const struct dse_model_family *family, const struct dse_estimate *estimate, size_t engine)
{
    const struct dse_engine_estimate *e = &estimate->engines[engine];
    struct dse_engine_row row = {.name = family->engines[engine].name, .title = family->engines[engine].title, .cycles = e->cycles,
                                 .bytes = e->bytes, .latency_s = e->latency_s, .energy_j = e->energy_j, .bound = e->bound};
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        row.resources[r] = e->sums.resources[r] * estimate->platform.units;
    snprintf(row.marked, sizeof row.marked, "%s%s", row.name, engine == estimate->bottleneck ? " *" : "");
    return row;
}

static json_t *engines_json(const struct dse_design *reported)
{
    const struct dse_model_family *family = reported->setup->family;
    json_t *array = json_array();
    for (size_t e = 0; e < family->engine_count; e++) {
        struct dse_engine_row row = dse_engine_row(family, reported->estimate, e);
        json_array_append_new(array, dse_fields_json(dse_engine_fields, &row));
    }
    return array;
}

static json_t *stages_json(const struct dse_design *reported)
{
    const struct dse_model_family *family = reported->setup->family;
    json_t *array = json_array();
    for (size_t s = 0; s < family->stage_count; s++) {
        const struct dse_stage_estimate *stage = &reported->estimate->stages[s];
        json_array_append_new(array, json_pack("{s:s, s:I, s:f, s:s}", "name", family->stages[s], "cycles", (json_int_t)stage->cycles,
                                               "latency_s", stage->latency_s, "bound", dse_bound_words[stage->bound]));
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
    if (quality->reported_n > 0) /* a reported mean, which did not influence the choice */
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

/* Metrics given with the ends of their bands. */
static void set_band(json_t *object, const struct dse_model_family *family, enum dse_metric metric, const struct dse_estimate *estimate)
{
    char key[64];
    const char *name = dse_metrics[metric].key;
    bool whole = dse_metrics[metric].resource >= 0;
    double values[2];
    bool known = dse_bands_known(family, metric, estimate, &values[0], &values[1]);
    const char *const ends[] = {"low", "high"};
    for (int i = 0; i < 2; i++) {
        snprintf(key, sizeof key, "%s_%s", name, ends[i]);
        json_object_set_new(object, key, whole && known ? json_integer((json_int_t)values[i]) : dse_json_number(values[i]));
    }
}

/* {"latency_s": {"kernel": [low, high], "system": null}}: bands per scope; low and high are the wider known one. */
static json_t *bands_json(const struct dse_model_family *family, const struct dse_estimate *estimate)
{
    static const enum dse_metric banded[] = {DSE_METRIC_LATENCY, DSE_METRIC_LATENCY_P99, DSE_METRIC_ENERGY, DSE_METRIC_POWER,
                                             DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM};
    static const char *const scopes[] = {[DSE_BANDS_KERNEL] = "kernel", [DSE_BANDS_SYSTEM] = "system"};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof banded / sizeof *banded; i++) {
        json_t *of = json_object();
        for (int scope = DSE_BANDS_KERNEL; scope <= DSE_BANDS_SYSTEM; scope++) {
            double low, high;
            bool known = dse_bands_ends(family, (enum dse_bands_scope)scope, banded[i], estimate, &low, &high);
            json_object_set_new(of, scopes[scope], known ? json_pack("[f, f]", low, high) : json_null());
        }
        json_object_set_new(object, dse_metrics[banded[i]].key, of);
    }
    return object;
}

/* Dynamic power by consumer; the clock tree is that of the flip-flops. */
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

/* The host path and its rates; null if none was chosen. */
static json_t *host_json(const struct dse_host *host, const struct dse_estimate *estimate)
{
    if (*host->name == '\0')
        return json_null();
    return json_pack("{s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "path", host->name, "batch", (json_int_t)host->batch, "starts", (json_int_t)dse_starts(&estimate->platform, &estimate->sums), "launch_s", host->launch.s,
                     "item_s", host->item.s, "byte_s", host->byte.s, "processor_power_w", host->power_w, "capacity_hz", dse_load_capacity(host, estimate),
                     "overlapped_s", dse_launch_s(&estimate->platform, &estimate->sums, estimate->metrics));
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
        if (m != DSE_METRIC_DDR_BYTES && m != DSE_METRIC_CYCLES) /* counts do not depend on uncertain constants */
            set_band(object, reported->setup->family, (enum dse_metric)m, estimate);
    }
    const struct dse_board *board = reported->setup->board;
    json_object_update_new(
        object, json_pack("{s:f, s:o, s:f, s:f, s:o, s:o, s:o, s:o}", "static_power_w", (double)estimate->platform.still_nw[DSE_BOUNDARY_KERNEL] * 1e-9, "ps_power_w",
                          dse_json_number(board->ps_power_w), "static_power_w_low", board->static_power_low_w, "static_power_w_high",
                          board->static_power_high_w, "ps_power_w_low", dse_json_number(board->ps_power_low_w), "ps_power_w_high",
                          dse_json_number(board->ps_power_high_w), "dynamic_power", dynamic_json(estimate), "quality", quality_json(reported)));
    json_object_set_new(object, "host", host_json(&board->host, estimate));
    json_object_set_new(object, "bands", bands_json(reported->setup->family, estimate));
    return object;
}

/* The models' validated errors, by level of validation: the other part of the bands. */
static json_t *errors_json(const struct dse_model_family *family)
{
    json_t *array = json_array();
    for (const struct dse_model_error *e = family->errors; e < family->errors + family->error_count; e++) {
        json_t *item = json_pack("{s:s, s:f}", "level", e->level, "share", e->share);
        json_object_set_new(item, e->engine != NULL ? "engine" : "metric",
                            json_string(e->engine == NULL ? dse_metrics[e->metric].key : *e->engine != '\0' ? e->engine : "each"));
        json_array_append_new(array, item);
    }
    return array;
}

/* Utilisation cap at the design's clock, and its source; null above the last. */
static json_t *cap_json(const struct dse_design *reported)
{
    const struct dse_board_source *source;
    const struct dse_clock_cap *cap = dse_design_cap(reported, &source);
    return cap == NULL ? json_null()
                       : json_pack("{s:f, s:s?, s:s?}", "clock_hz", cap->clock_hz, "evidence", source != NULL ? source->evidence : NULL,
                                   "source", source != NULL ? source->text : NULL);
}

json_t *dse_assumed_json(const struct dse_design *design)
{
    struct dse_assumed assumed;
    if (!dse_design_assumed(design, &assumed))
        return NULL;
    return json_pack("{s:s, s:s?, s:o}", "what", assumed.what, "stage", assumed.stage, "share_of_cycles", dse_json_number(assumed.share));
}

/* Sources of the numbers: the board's file, the calibration, the clock's cap, and every cost entry used. */
static json_t *provenance_json(const struct dse_design *reported)
{
    const struct dse_costs *costs = reported->setup->costs;
    json_t *entries = json_array();
    for (size_t i = 0; i < dse_costs_entry_count(costs); i++) {
        if ((reported->estimate->provenance.used[i / 64] >> (i % 64) & 1) == 0)
            continue;
        const struct dse_cost_entry *entry = dse_costs_entry(costs, i);
        json_array_append_new(entries, json_pack("{s:s, s:s, s:s, s:f, s:f}", "entry", entry->name, "level", dse_level_names[entry->level],
                                                 "source", entry->source, "lut_low", entry->low[DSE_LUT], "lut_high", entry->high[DSE_LUT]));
    }
    json_t *object = json_pack("{s:s, s:s?, s:o, s:o, s:o}", "cost_library", dse_costs_family(costs), "calibration", dse_costs_calibration(costs),
                     "errors", errors_json(reported->setup->family), "clock_cap", cap_json(reported), "costs", entries);
    json_t *assumed = dse_assumed_json(reported);
    if (assumed != NULL)
        json_object_set_new(object, "assumed", assumed);
    return object;
}

/* Common start of all forms of a design. */
static json_t *begin_json(const struct dse_design *reported, const char *schema)
{
    json_t *object = json_object();
    dse_json_put_text(object, "schema", schema);
    if (reported->id > 0)
        json_object_set_new(object, "id", json_integer(reported->id));
    if (reported->chance > 0.0)
        json_object_set_new(object, "front_chance", json_real(reported->chance));
    return object;
}

json_t *dse_estimate_json(const struct dse_design *reported)
{
    const struct dse_setup *setup = reported->setup;
    const struct dse_estimate *estimate = reported->estimate;
    json_t *object = begin_json(reported, "nysx-dse.estimate/1");
    json_object_update_new(object, json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:s?, s:o, s:s}", "family", setup->family->name, "board", setup->board->name,
        "dataset", reported->dataset, "config", dse_config_json(setup->space, &estimate->config), "engines", engines_json(reported),
        "stages", stages_json(reported), "total", total_json(reported), "limits", dse_json_resources(estimate->platform.limits),
        "limits_at_clock", dse_json_resources(estimate->platform.capped), "chip", dse_json_resources(setup->board->chip), "fits",
        estimate->fits, "over", estimate->worst >= 0 ? dse_resource_names[estimate->worst] : NULL, "provenance",
        provenance_json(reported), "bottleneck", setup->family->engines[estimate->bottleneck].name));
    dse_json_put_text(object, "origin", reported->origin);
    if (reported->load != NULL)
        json_object_set_new(object, "load", dse_load_json(reported->load));
    if (estimate->clock.ns > 0.0) /* for blocks that state their register-to-register paths */
        json_object_set_new(object, "clock_mhz_most", json_pack("{s:f, s:f, s:f, s:s, s:s}", "value", 1e3 / estimate->clock.ns, "low",
                            1e3 / (estimate->clock.ns * estimate->clock.high), "high", 1e3 / (estimate->clock.ns * estimate->clock.low), "engine",
                            setup->family->engines[estimate->clock.engine].name, "path", estimate->clock.where));
    return object;
}

json_t *dse_estimate_compact_json(const struct dse_design *reported)
{
    const struct dse_setup *setup = reported->setup;
    const struct dse_estimate *estimate = reported->estimate;
    const struct dse_quality *quality = reported->quality;
    json_t *object = begin_json(reported, NULL), *total = json_object();
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
