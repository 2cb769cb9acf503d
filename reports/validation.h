/* Rows and summaries of validation, as JSON ("nysx-dse.validate/1"), CSV and tables: one form for all levels and families. */
#pragma once

#include "core/strbuf.h"
#include "validation/validation.h"

/* "rows", "summary" (per level; for a simulation also per bottleneck), and with fitted constants "fitted",
 * "fit" and "design" (docs/evidence/validation.md). */
void dse_validation_write_json(const struct dse_validation *validation, struct dse_strbuf *out);

/* One line per row. */
/* One case per row, and one for the worst mean error. A row fails if it is below what physics or the board allows, or contradicts the board; the
 * mean fails above `limit` (infinity: none). */
void dse_validation_write_junit(const struct dse_validation *validation, double limit, struct dse_strbuf *out);

void dse_validation_write_csv(const struct dse_validation *validation, struct dse_strbuf *out);

/* Rows (for drawn configurations only the summary), notes on them, constants, blocks, summary; omits
 * empty columns. */
void dse_validation_write(const struct dse_validation *validation, size_t width, struct dse_strbuf *out);

/* Summary with the largest mean error over all levels; `what` NULL if there is none. */
struct dse_validation_summary dse_validation_worst(const struct dse_validation *validation);

/* One publication's tables in order, each figure with its prediction, and errors by predictor ("nysx-dse.paper/1"). */

/* "paper", "tables" (each "number", "title", "rows"), "summary" (each "by", "mean_abs_error", "max_abs_error", "n"), "published"
 * (figures with a value) and "not_predicted" of them. */
void dse_paper_write_json(const struct dse_validation *validation, struct dse_strbuf *out);

/* One line per row, in the publication's order. */
void dse_paper_write_csv(const struct dse_validation *validation, struct dse_strbuf *out);

/* One table each, notes on its rows, and the summary. */
void dse_paper_write(const struct dse_validation *validation, size_t width, struct dse_strbuf *out);
