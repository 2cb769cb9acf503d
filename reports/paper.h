/* One publication's tables in its order, each figure beside its prediction, and errors by what predicted: as JSON
 * ("nysx-dse.paper/1"), CSV and tables. */
#pragma once

#include "core/strbuf.h"
#include "validation/validation.h"

/* "paper", "tables" (each "number", "title", "rows"), "summary" (each "by", "mean_abs_error", "max_abs_error", "n"), "published"
 * (figures with a value) and "not_predicted" of them. */
void dse_paper_write_json(const struct dse_validation *validation, struct dse_strbuf *out);

/* A row each, in the publication's order. */
void dse_paper_write_csv(const struct dse_validation *validation, struct dse_strbuf *out);

/* A table each, what must be known of its rows below it, and the summary. */
void dse_paper_write(const struct dse_validation *validation, size_t width, struct dse_strbuf *out);
