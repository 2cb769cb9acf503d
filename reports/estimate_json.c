/* Estimates as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/bands.h"
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

bool dse_engine_present(const struct dse_engine_row *row)
{
    bool present = row->cycles > 0 || row->bytes > 0;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        present = present || row->resources[r] > 0;
    return present;
}

static void write_engines(struct dse_json_writer *w, const struct dse_design *reported)
{
    const struct dse_model_family *family = reported->setup->family;
    dse_json_open(w, "engines", '[');
    for (size_t e = 0; e < family->engine_count; e++) {
        struct dse_engine_row row = dse_engine_row(family, reported->estimate, e);
        dse_fields_write_json(dse_engine_fields, &row, w);
    }
    dse_json_close(w, ']');
}

static void write_stages(struct dse_json_writer *w, const struct dse_design *reported)
{
    const struct dse_model_family *family = reported->setup->family;
    dse_json_open(w, "stages", '[');
    for (size_t s = 0; s < family->stage_count; s++) {
        const struct dse_stage_estimate *stage = &reported->estimate->stages[s];
        dse_json_open(w, NULL, '{');
        dse_json_write_text(w, "name", family->stages[s]);
        dse_json_write_whole(w, "cycles", stage->cycles);
        dse_json_write_real(w, "latency_s", stage->latency_s);
        dse_json_write_text(w, "bound", dse_bound_words[stage->bound]);
        dse_json_close(w, '}');
    }
    dse_json_close(w, ']');
}

static void write_known(struct dse_json_writer *w, const char *key, double value)
{
    if (isfinite(value))
        dse_json_write_real(w, key, value);
}

static void write_quality(struct dse_json_writer *w, const struct dse_design *reported, bool compact)
{
    const struct dse_quality *quality = reported->quality;
    const struct dse_standard *standard = compact ? NULL : reported->standard;
    if (quality == NULL) {
        dse_json_write_text(w, "quality", NULL);
        return;
    }
    dse_json_open(w, "quality", '{');
    dse_json_write_text(w, "name", quality->name);
    dse_json_write_real(w, "mean", quality->mean);
    dse_json_write_real(w, "std", quality->std);
    dse_json_write_whole(w, "n", (int64_t)quality->n);
    if (!compact)
        dse_json_write_text(w, "protocol", quality->protocol != NULL ? quality->protocol : "");
    if (!compact)
        dse_json_write_text(w, "training", dse_quality_training(reported->setup->family->knobs, quality));
    if (!compact && quality->reported_n > 0) { /* a reported mean, which did not influence the choice */
        dse_json_write_flag(w, "held_out", quality->validation_count == 0 && quality->mean == quality->reported_mean);
        dse_json_open(w, "reported", '{');
        dse_json_write_real(w, "mean", quality->reported_mean);
        dse_json_write_real(w, "std", quality->reported_std);
        dse_json_write_whole(w, "n", (int64_t)quality->reported_n);
        dse_json_write_flag(w, "held_out", true);
        dse_json_close(w, '}');
    }
    if (standard != NULL) {
        write_known(w, "majority", standard->majority);
        write_known(w, "preset", standard->preset);
        write_known(w, "floor", standard->floor);
        if (!isnan(standard->majority))
            dse_json_write_flag(w, "beats_majority", dse_standard_beats_majority(standard, quality->mean));
    }
    dse_json_close(w, '}');
}

static void write_amount(struct dse_json_writer *w, const char *key, bool whole, double value)
{
    if (whole)
        dse_json_write_whole(w, key, (int64_t)value);
    else
        dse_json_write_real(w, key, value);
}

static void write_metric(struct dse_json_writer *w, enum dse_metric metric, double value)
{
    bool whole = dse_metrics[metric].resource >= 0 || metric == DSE_METRIC_CYCLES || metric == DSE_METRIC_DDR_BYTES;
    write_amount(w, dse_metrics[metric].key, whole, value);
}

/* Metrics given with the ends of their bands. */
static void write_band(struct dse_json_writer *w, const struct dse_model_family *family, enum dse_metric metric, const struct dse_estimate *estimate)
{
    static const char *const ends[] = {"_low", "_high"};
    char key[64];
    const size_t length = strlen(dse_metrics[metric].key);
    double values[2];
    bool whole = dse_bands_known(family, metric, estimate, &values[0], &values[1]) && dse_metrics[metric].resource >= 0;
    memcpy(key, dse_metrics[metric].key, length);
    for (int i = 0; i < 2; i++) {
        strcpy(key + length, ends[i]);
        write_amount(w, key, whole, values[i]);
    }
}

/* {"latency_s": {"kernel": [low, high], "system": null}}: bands per scope; low and high are the wider known one. */
static void write_bands(struct dse_json_writer *w, const struct dse_model_family *family, const struct dse_estimate *estimate)
{
    static const enum dse_metric banded[] = {DSE_METRIC_LATENCY, DSE_METRIC_LATENCY_P99, DSE_METRIC_ENERGY, DSE_METRIC_POWER,
                                             DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM};
    static const char *const scopes[] = {[DSE_BANDS_KERNEL] = "kernel", [DSE_BANDS_SYSTEM] = "system"};
    dse_json_open(w, "bands", '{');
    for (size_t i = 0; i < sizeof banded / sizeof *banded; i++) {
        dse_json_open(w, dse_metrics[banded[i]].key, '{');
        for (int scope = DSE_BANDS_KERNEL; scope <= DSE_BANDS_SYSTEM; scope++) {
            double low, high;
            if (!dse_bands_ends(family, (enum dse_bands_scope)scope, banded[i], estimate, &low, &high)) {
                dse_json_write_text(w, scopes[scope], NULL);
                continue;
            }
            dse_json_open(w, scopes[scope], '[');
            dse_json_write_real(w, NULL, low);
            dse_json_write_real(w, NULL, high);
            dse_json_close(w, ']');
        }
        dse_json_close(w, '}');
    }
    dse_json_close(w, '}');
}

/* Dynamic power by consumer; the clock tree is that of the flip-flops. */
static void write_dynamic(struct dse_json_writer *w, const struct dse_estimate *estimate)
{
    dse_json_open(w, "dynamic_power", '[');
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++) {
        dse_json_open(w, NULL, '{');
        dse_json_write_text(w, "of", dse_power_term_names[t]);
        dse_json_write_real(w, "power_w", estimate->term_w[DSE_BAND_NOMINAL][t]);
        dse_json_write_real(w, "power_w_low", estimate->term_w[DSE_BAND_LOW][t]);
        dse_json_write_real(w, "power_w_high", estimate->term_w[DSE_BAND_HIGH][t]);
        dse_json_close(w, '}');
    }
    dse_json_close(w, ']');
}

/* The host path and its rates; null if none was chosen. */
static void write_host(struct dse_json_writer *w, const struct dse_host *host, const struct dse_estimate *estimate)
{
    if (*host->name == '\0') {
        dse_json_write_text(w, "host", NULL);
        return;
    }
    dse_json_open(w, "host", '{');
    dse_json_write_text(w, "path", host->name);
    dse_json_write_whole(w, "batch", host->batch);
    dse_json_write_whole(w, "starts", dse_starts(&estimate->platform, &estimate->sums));
    dse_json_write_whole(w, "transfers", estimate->platform.transfers * (1 + estimate->sums.reruns));
    dse_json_write_real(w, "launch_s", estimate->platform.launch_s / (double)estimate->platform.starts);
    dse_json_write_real(w, "item_s", 0.0); /* kept for scripts: its steps are part of the launch, which the items of a queue share */
    dse_json_write_real(w, "byte_s", host->byte.s);
    dse_json_write_real(w, "operation_s", host->operation.s);
    dse_json_write_real(w, "processor_power_w", host->power_w);
    dse_json_write_real(w, "capacity_hz", dse_load_capacity(estimate));
    dse_json_write_real(w, "overlapped_s", estimate->metrics[DSE_METRIC_LATENCY_SYSTEM]);
    dse_json_close(w, '}');
}

static void write_total(struct dse_json_writer *w, const struct dse_design *reported)
{
    const struct dse_estimate *estimate = reported->estimate;
    const struct dse_board *board = reported->setup->board;
    dse_json_open(w, "total", '{');
    for (int m = 0; m < DSE_METRIC_QUALITY; m++) {
        write_metric(w, (enum dse_metric)m, estimate->metrics[m]);
        if (m != DSE_METRIC_DDR_BYTES && m != DSE_METRIC_CYCLES) /* counts do not depend on uncertain constants */
            write_band(w, reported->setup->family, (enum dse_metric)m, estimate);
    }
    dse_json_write_whole(w, "items_per_run", llround(dse_platform_items(&estimate->platform)));
    dse_json_write_text(w, "items", dse_items_word(reported->setup->family, &estimate->config));
    dse_json_write_real(w, "static_power_w", (double)estimate->platform.still_nw[DSE_BOUNDARY_KERNEL] * 1e-9);
    dse_json_write_real(w, "ps_power_w", board->ps_power_w);
    dse_json_write_real(w, "static_power_w_low", board->static_power_low_w);
    dse_json_write_real(w, "static_power_w_high", board->static_power_high_w);
    dse_json_write_real(w, "ps_power_w_low", board->ps_power_low_w);
    dse_json_write_real(w, "ps_power_w_high", board->ps_power_high_w);
    write_dynamic(w, estimate);
    write_quality(w, reported, false);
    write_host(w, &board->host, estimate);
    write_bands(w, reported->setup->family, estimate);
    dse_json_close(w, '}');
}

/* The models' validated errors of this design's engines and metrics, by level of validation: the other part of the bands. */
static void write_errors(struct dse_json_writer *w, const struct dse_model_family *family, const struct dse_estimate *estimate)
{
    dse_json_open(w, "errors", '[');
    for (const struct dse_model_error *e = family->errors; e < family->errors + family->error_count; e++) {
        bool works = e->engine == NULL || *e->engine == '\0';
        for (size_t i = 0; i < family->engine_count && !works; i++)
            works = strcmp(family->engines[i].name, e->engine) == 0 && estimate->engines[i].cycles > 0;
        if (!works || !dse_error_applies(family, &estimate->config, e))
            continue;
        dse_json_open(w, NULL, '{');
        dse_json_write_text(w, "level", e->level);
        dse_json_write_real(w, "share", e->share);
        dse_json_write_text(w, e->engine != NULL ? "engine" : "metric", e->engine == NULL ? dse_metrics[e->metric].key : *e->engine != '\0' ? e->engine : "each");
        dse_json_close(w, '}');
    }
    dse_json_close(w, ']');
}

/* Utilisation cap at the design's clock, and its source; null above the last. */
static void write_cap(struct dse_json_writer *w, const struct dse_design *reported)
{
    const struct dse_board_source *source;
    const struct dse_clock_cap *cap = dse_design_cap(reported, &source);
    if (cap == NULL) {
        dse_json_write_text(w, "clock_cap", NULL);
        return;
    }
    dse_json_open(w, "clock_cap", '{');
    dse_json_write_real(w, "clock_hz", cap->clock_hz);
    dse_json_write_text(w, "evidence", source != NULL ? source->evidence : NULL);
    dse_json_write_text(w, "source", source != NULL ? source->text : NULL);
    dse_json_close(w, '}');
}

json_t *dse_assumed_json(const struct dse_design *design)
{
    struct dse_assumed assumed;
    if (!dse_design_assumed(design, &assumed))
        return NULL;
    return json_pack("{s:s, s:s?, s:o}", "what", assumed.what, "stage", assumed.stage, "share_of_cycles", dse_json_number(assumed.share));
}

/* Every cost entry used. */
static void write_costs(struct dse_json_writer *w, const struct dse_costs *costs, const struct dse_estimate *estimate)
{
    dse_json_open(w, "costs", '[');
    for (size_t i = 0; i < dse_costs_entry_count(costs); i++) {
        if ((estimate->provenance.used[i / 64] >> (i % 64) & 1) == 0)
            continue;
        const struct dse_cost_entry *entry = dse_costs_entry(costs, i);
        dse_json_open(w, NULL, '{');
        dse_json_write_text(w, "entry", entry->name);
        dse_json_write_text(w, "level", dse_level_names[entry->level]);
        dse_json_write_text(w, "source", entry->source);
        dse_json_write_real(w, "lut_low", entry->low[DSE_LUT]);
        dse_json_write_real(w, "lut_high", entry->high[DSE_LUT]);
        dse_json_close(w, '}');
    }
    dse_json_close(w, ']');
}

/* Sources of the numbers: the board's file, the calibration, the clock's cap, the cost entries. */
static void write_provenance(struct dse_json_writer *w, const struct dse_design *reported, bool costs)
{
    json_t *assumed = dse_assumed_json(reported);
    dse_json_open(w, "provenance", '{');
    dse_json_write_text(w, "cost_library", dse_costs_family(reported->setup->costs));
    dse_json_write_text(w, "calibration", dse_costs_calibration(reported->setup->costs));
    write_errors(w, reported->setup->family, reported->estimate);
    write_cap(w, reported);
    if (costs)
        write_costs(w, reported->setup->costs, reported->estimate);
    if (assumed != NULL)
        dse_json_write_tree(w, "assumed", assumed);
    dse_json_close(w, '}');
}

static void write_config(struct dse_json_writer *w, const struct dse_space *space, const struct dse_config *config)
{
    dse_json_open(w, "config", '{');
    for (size_t k = 0; k < space->count; k++)
        if (dse_knob_active(space, config, k))
            dse_json_write_tree(w, space->knobs[k].name, dse_knob_json(&space->knobs[k], config->value[k]));
    dse_json_close(w, '}');
}

/* Common start of all forms of a design. */
static void write_begin(struct dse_json_writer *w, const struct dse_design *reported)
{
    if (reported->id > 0)
        dse_json_write_whole(w, "id", reported->id);
    if (reported->chance > 0.0)
        dse_json_write_real(w, "front_chance", reported->chance);
}

static void write_compact(struct dse_json_writer *w, const struct dse_design *reported)
{
    const struct dse_estimate *estimate = reported->estimate;
    write_begin(w, reported);
    write_config(w, reported->setup->space, &estimate->config);
    dse_json_open(w, "total", '{');
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        write_metric(w, (enum dse_metric)m, estimate->metrics[m]);
    write_quality(w, reported, true);
    dse_json_close(w, '}');
    dse_json_write_flag(w, "fits", estimate->fits);
    dse_json_write_text(w, "bottleneck", reported->setup->family->engines[estimate->bottleneck].name);
}

/* The clock that the slowest path of blocks that state their register-to-register paths allows. */
static void write_clock(struct dse_json_writer *w, const struct dse_design *reported)
{
    const struct dse_estimate *estimate = reported->estimate;
    if (!(estimate->clock.ns > 0.0))
        return;
    dse_json_open(w, "clock_mhz_most", '{');
    dse_json_write_real(w, "value", 1e3 / estimate->clock.ns);
    dse_json_write_real(w, "low", 1e3 / (estimate->clock.ns * estimate->clock.high));
    dse_json_write_real(w, "high", 1e3 / (estimate->clock.ns * estimate->clock.low));
    dse_json_write_text(w, "engine", reported->setup->family->engines[estimate->clock.engine].name);
    dse_json_write_text(w, "path", estimate->clock.where);
    dse_json_close(w, '}');
}

void dse_estimate_write_json(const struct dse_design *reported, enum dse_estimate_form form, struct dse_json_writer *w)
{
    const struct dse_setup *setup = reported->setup;
    const struct dse_estimate *estimate = reported->estimate;
    if (form == DSE_ESTIMATE_COMPACT) {
        write_compact(w, reported);
        return;
    }
    dse_json_write_text(w, "schema", "nysx-dse.estimate/1");
    write_begin(w, reported);
    dse_json_write_text(w, "family", setup->family->name);
    dse_json_write_text(w, "board", setup->board->name);
    dse_json_write_text(w, "dataset", reported->dataset);
    write_config(w, setup->space, &estimate->config);
    write_engines(w, reported);
    write_stages(w, reported);
    write_total(w, reported);
    dse_json_write_resources(w, "limits", estimate->platform.limits);
    dse_json_write_resources(w, "limits_at_clock", estimate->platform.capped);
    dse_json_write_resources(w, "chip", setup->board->chip);
    dse_json_write_flag(w, "fits", estimate->fits);
    dse_json_write_text(w, "over", estimate->worst >= 0 ? dse_resource_names[estimate->worst] : NULL);
    write_provenance(w, reported, form == DSE_ESTIMATE_WHOLE);
    dse_json_write_text(w, "bottleneck", setup->family->engines[estimate->bottleneck].name);
    if (reported->origin != NULL)
        dse_json_write_text(w, "origin", reported->origin);
    if (reported->load != NULL)
        dse_json_write_tree(w, "load", dse_load_json(reported->load));
    write_clock(w, reported);
}

json_t *dse_estimate_json(const struct dse_design *reported, enum dse_estimate_form form)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_json_writer w = {.out = &text, .one_line = true};
    dse_json_open(&w, NULL, '{');
    dse_estimate_write_json(reported, form, &w);
    dse_json_close(&w, '}');
    return json_loadb(text.text, text.length, 0, NULL);
}
