/* Estimates as JSON, CSV and tables. */
#ifndef DSE_REPORTS_ESTIMATE_H
#define DSE_REPORTS_ESTIMATE_H

#include <jansson.h>

#include "explore/front.h"
#include "reports/json.h"
#include "reports/table.h"

/* The board's limits of utilisation at the design's clock, and what stands behind them (NULL: nothing is said); NULL above the last. */
const struct dse_clock_cap *dse_design_cap(const struct dse_design *design, const struct dse_board_source **source);

/* "nysx-dse.estimate/1": "config" (the knobs), "engines" and "stages" (cycles and what bounds them), "total" (metrics and
 * quality), "limits", "limits_at_clock" and "chip" (resources), "provenance" (of costs and the cap at the clock); names of numbers end in their
 * unit. NULL when memory runs out; the caller's reference. */
json_t *dse_estimate_json(const struct dse_design *reported);

/* What a design is and what it comes to: "id", "config", "total" (nominal metrics and quality with deviation and n), "fits",
 * "bottleneck". What all designs of an answer share is not repeated. The caller's reference. */
json_t *dse_estimate_compact_json(const struct dse_design *reported);

/* A configuration's knobs that matter, numbers as numbers. */
json_t *dse_config_json(const struct dse_space *space, const struct dse_config *config);

/* One design for people: what it is, its engines, its totals beside the limits. */
void dse_estimate_write(const struct dse_design *reported, size_t width, struct dse_strbuf *out);

/* Columns of every number, for CSV: board, data set, metrics, resources, cycles per engine, every knob. */
void dse_estimate_columns(const struct dse_model_family *family, const struct dse_space *space,
                          struct dse_table *table);
void dse_estimate_row(const struct dse_design *reported, struct dse_table *table);

/* The same without bands, standards and engines' cycles. */
void dse_estimate_compact_columns(const struct dse_space *space, struct dse_table *table);
void dse_estimate_compact_row(const struct dse_design *reported, struct dse_table *table);

/* Designs side by side for people: metrics and cycles of engines in one table, the knobs that differ in another, those
 * that do not in a line. */
void dse_estimates_write(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out);

/* The part of it about knobs. */
void dse_estimates_write_knobs(const struct dse_design *reported, size_t count, size_t width, struct dse_strbuf *out);

#endif
