/* What-if answers as JSON, CSV and tables. */
#pragma once

#include "reports/estimate.h"
#include "search/whatif.h"

/* One board and data set. Nothing is owned. */
struct dse_whatif_report {
    const char *dataset;
    const char *origin;                    /* of the baseline: "balanced, the answer of `sweep`" */
    const struct dse_whatif_design *baseline, *changed;
    struct dse_standard standard;          /* what their qualities are held against */
    enum dse_metric metric;                /* that sensitivities are ranked by */
    const struct dse_whatif_moves *moves;  /* NULL where none were asked for */
    const struct dse_least_change *least;  /* NULL without a target; else `changed` is its design */
    const char *target;                    /* as it was asked, or NULL */
};

/* "nysx-dse.whatif/1": baseline, changed, delta {metric: {from, to, ratio}}, engines, bottleneck, breaks, sensitivity,
 * least. The caller's reference. */
json_t *dse_whatif_json(const struct dse_whatif_report *report);

void dse_whatif_write(const struct dse_whatif_report *report, size_t width, struct dse_strbuf *out);

/* Several data sets or boards in one table, for people. */
void dse_whatifs_write(const struct dse_whatif_report *reports, size_t count, size_t width, struct dse_strbuf *out);

/* Every number: a line a metric and engine's cycles, for CSV. */
void dse_whatif_columns(struct dse_table *table);
void dse_whatif_rows(const struct dse_whatif_report *report, struct dse_table *table);
