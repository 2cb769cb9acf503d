/* What-if answers as JSON, CSV and tables. */
#pragma once

#include "reports/estimate.h"
#include "search/whatif.h"

/* One board and data set. Owns nothing. */
struct dse_whatif_report {
    const char *dataset;
    const char *origin;                    /* source of the baseline: "balanced, `sweep`'s choice by quality, latency and energy" */
    const struct dse_whatif_design *baseline, *changed;
    const struct dse_setting *facts;       /* facts of the data set's profile */
    struct dse_standard standard;          /* reference of their qualities */
    enum dse_metric metric;                /* ranks the sensitivities */
    const struct dse_whatif_moves *moves;  /* NULL if not requested */
    const struct dse_least_change *least;  /* NULL without a target; otherwise `changed` is its design */
    const char *target;                    /* as given, or NULL */
};

/* "nysx-dse.whatif/1": baseline, changed, delta {metric: {from, to, ratio}}, engines, bottleneck, breaks, sensitivity,
 * least. Owned by the caller. */
json_t *dse_whatif_json(const struct dse_whatif_report *report);

void dse_whatif_write(const struct dse_whatif_report *report, size_t width, struct dse_strbuf *out);

/* Several data sets or boards in one table, for people. */
void dse_whatifs_write(const struct dse_whatif_report *reports, size_t count, size_t width, struct dse_strbuf *out);

/* CSV with every number: one line per metric and per engine's cycles. */
void dse_whatif_columns(struct dse_table *table);
void dse_whatif_rows(const struct dse_whatif_report *report, struct dse_table *table);
