/* The rows and summaries of validation, as JSON ("nysx-dse.validate/1"), CSV and tables: one form for every level and family. */
#pragma once

#include "core/strbuf.h"
#include "validation/validation.h"

/* "rows", "summary" (levels apart; of a simulation also within each bottleneck), and where constants were fitted "fitted",
 * "fit" and "design" (docs/evidence/validation.md). */
void dse_validation_write_json(const struct dse_validation *validation, struct dse_strbuf *out);

/* A row each. */
/* A case a row, and one for the worst mean error: a row fails that lies below what physics or the board allows, or contradicts the board; the
 * mean where it is above `limit` (infinity: none). */
void dse_validation_write_junit(const struct dse_validation *validation, double limit, struct dse_strbuf *out);

void dse_validation_write_csv(const struct dse_validation *validation, struct dse_strbuf *out);

/* Rows (of drawn configurations the summary alone), what must be known of them, constants, blocks, summary; columns that
 * no row fills are left out. */
void dse_validation_write(const struct dse_validation *validation, size_t width, struct dse_strbuf *out);

/* The summary with the largest mean error, of all levels; `what` NULL without any. */
struct dse_validation_summary dse_validation_worst(const struct dse_validation *validation);

/* One publication's tables in its order, each figure beside its prediction, and errors by what predicted ("nysx-dse.paper/1"). */

/* "paper", "tables" (each "number", "title", "rows"), "summary" (each "by", "mean_abs_error", "max_abs_error", "n"), "published"
 * (figures with a value) and "not_predicted" of them. */
void dse_paper_write_json(const struct dse_validation *validation, struct dse_strbuf *out);

/* A row each, in the publication's order. */
void dse_paper_write_csv(const struct dse_validation *validation, struct dse_strbuf *out);

/* A table each, what must be known of its rows below it, and the summary. */
void dse_paper_write(const struct dse_validation *validation, size_t width, struct dse_strbuf *out);
