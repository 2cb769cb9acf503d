/* Estimates as JSON, CSV and tables. */
#pragma once

#include <jansson.h>

#include "explore/front.h"
#include "reports/fields.h"
#include "reports/json.h"
#include "reports/table.h"

/* An engine of a design, or one stored in a study. */
struct dse_engine_row {
    const char *name, *title; /* title NULL for a study's engine */
    char marked[80];          /* for people: the bottleneck has an asterisk */
    int64_t cycles, resources[DSE_RESOURCE_COUNT], bytes; /* over all units */
    double latency_s, energy_j;
    int bound; /* enum dse_bound */
};
extern const struct dse_field dse_engine_fields[];
extern const char *const dse_bound_words[];
struct dse_engine_row dse_engine_row(const struct dse_model_family *family, const struct dse_estimate *estimate, size_t engine);
/* Whether a design has the engine: cycles, resources or traffic. Tables for people leave out the others. */
bool dse_engine_present(const struct dse_engine_row *row);

/* Resource rows of a struct's array, as entries of a field table. */
#define DSE_FIELDS_RESOURCES(type, amounts) \
    DSE_FIELD("bram18", "BRAM18", WHOLE, offsetof(type, amounts[DSE_BRAM18])), DSE_FIELD("uram", "URAM", WHOLE, offsetof(type, amounts[DSE_URAM])), \
    DSE_FIELD("dsp", "DSP", WHOLE, offsetof(type, amounts[DSE_DSP])), DSE_FIELD("lut", "LUT", WHOLE, offsetof(type, amounts[DSE_LUT])), \
    DSE_FIELD("ff", "FF", WHOLE, offsetof(type, amounts[DSE_FF])), DSE_FIELD("lutram", NULL, WHOLE, offsetof(type, amounts[DSE_LUTRAM]))

/* Formats an amount as limits do: resources as counts, other metrics as quantities, throughput in the configuration's items per second. */
char *dse_amount_text(const struct dse_model_family *family, const struct dse_config *config, enum dse_metric metric, double value, char *text, size_t size);

/* Adds a metric for people: a count, or a quantity with unit; quality with three digits, "-" if unknown. */
void dse_table_metric(struct dse_table *table, enum dse_metric metric, double value);

/* As dse_amount_text, for an estimate's metric; throughput in the family's items per second. Returns `text`. */
char *dse_estimate_text(const struct dse_model_family *family, enum dse_metric metric, const struct dse_estimate *estimate, char text[64]);

/* The items that an amount of a design covers, if a run answers several: " per 128 queries", " per query"; otherwise "". A launch of the host has
 * `batch` runs. Returns `text`. */
const char *dse_amount_per(const struct dse_model_family *family, enum dse_metric metric, const struct dse_config *config, double batch, char text[64]);

/* Adds a knob's value, or `otherwise` if inactive. */
void dse_table_knob(struct dse_table *table, const struct dse_space *space, const struct dse_config *config, size_t knob,
                    const char *otherwise);

/* Formats a knob as "NAME=VALUE". Returns text. */
const char *dse_knob_text(const struct dse_space *space, const struct dse_config *config, size_t knob, char *text, size_t size);

/* The board's utilisation cap at the design's clock, and its source (NULL: none stated); NULL above the last. */
const struct dse_clock_cap *dse_design_cap(const struct dse_design *design, const struct dse_board_source **source);

/* "the cap at clocks up to 400 MHz is assumed", if the board's file says so for the cap at this clock; otherwise "". Returns text. */
const char *dse_cap_words(const struct dse_board *board, double clock_hz, char text[80]);

/* As dse_cap_words, for the fastest of several clocks with an assumed cap. */
const char *dse_caps_words(const struct dse_board *board, const int64_t *clocks_mhz, size_t count, char text[80]);

/* Assumed part of the design's workload: description, the stage whose cycles depend on it, and that stage's share of all cycles (NaN
 * if no stage is named). False if everything was measured. */
struct dse_assumed {
    const char *what, *stage; /* `stage` NULL: none named */
    double share;
};
bool dse_design_assumed(const struct dse_design *design, struct dse_assumed *out);

/* As dse_design_assumed, as an object of the caller's: "what", "stage", "share_of_cycles"; NULL if everything was measured. */
json_t *dse_assumed_json(const struct dse_design *design);

/* Adds it as a sentence between two texts; nothing if everything was measured. */
void dse_assumed_add(const struct dse_design *design, const char *before, const char *after, struct dse_strbuf *out);

/* Adds "at most 425 MHz (354 to 500), by sce: …" between two texts. These are the clock allowed by the slowest register-to-register path, its band,
 * and the path's engine. Where the chip family's delays are unknown it says that the clock is not checked. Adds nothing if the family states no paths. */
void dse_clock_add(const struct dse_design *design, const char *before, const char *after, struct dse_strbuf *out);

/* "nysx-dse.estimate/1": "config" (the knobs), "engines" and "stages" (cycles and what bounds them), "total" (metrics and
 * quality), "limits", "limits_at_clock" and "chip" (resources), "provenance" (of costs and the cap at the clock); names of numbers end in their
 * unit. */
enum dse_estimate_form {
    DSE_ESTIMATE_WHOLE,
    DSE_ESTIMATE_OF_MANY, /* without the provenance's "costs", which `estimate` lists */
    DSE_ESTIMATE_COMPACT  /* "id", "config", "total" (nominal metrics and quality with deviation and n), "fits", "bottleneck": without data common to
                           * all designs of an answer */
};
json_t *dse_estimate_json(const struct dse_design *reported, enum dse_estimate_form form); /* the caller's reference */

/* Writes the members into an open object: several times faster than a tree. */
void dse_estimate_write_json(const struct dse_design *reported, enum dse_estimate_form form, struct dse_json_writer *w);

/* A configuration's active knobs; numbers as JSON numbers. */
json_t *dse_knob_json(const struct dse_knob *knob, int64_t value); /* a number, or a word */
json_t *dse_config_json(const struct dse_space *space, const struct dse_config *config);

/* One design for people: description, engines, totals and limits. */
void dse_estimate_write(const struct dse_design *reported, size_t width, struct dse_strbuf *out);

/* CSV columns of every number: board, data set, metrics, resources, cycles per engine, every knob. The quality is also in a column of its name. */
void dse_estimate_columns(const struct dse_workbench *bench, struct dse_table *table);
void dse_estimate_row(const struct dse_design *reported, struct dse_table *table);

/* As dse_estimate_columns and dse_estimate_row, without bands, quality references and engines' cycles. */
void dse_estimate_compact_columns(const struct dse_workbench *bench, struct dse_table *table);
void dse_estimate_compact_row(const struct dse_design *reported, struct dse_table *table);

/* Designs side by side for people: metrics and engines' cycles in one table, differing knobs in another, equal
 * knobs in a line. */
void dse_estimates_write(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out);

/* The part of dse_estimates_write about knobs. */
void dse_estimates_write_knobs(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out);
