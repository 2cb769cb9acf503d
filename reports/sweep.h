/* The answer of a sweep. */
#ifndef DSE_REPORTS_SWEEP_H
#define DSE_REPORTS_SWEEP_H

#include "explore/exploration.h"
#include "reports/estimate.h"

/* A sweep and what of it is shown. Nothing is owned. */
struct dse_sweep_report {
    const struct dse_exploration *exploration; /* with a front */
    const char *command; /* what asked: "sweep" */
    /* What a table shows besides the corners; 0: nothing of it. */
    size_t best;  /* most balanced designs */
    size_t shown; /* rows of the front; the rest is counted */
};

/* "nysx-dse.sweep/1": what was asked, "method", "proven", counts, "corners" and "provenance", and "best" and "front" with an
 * estimate a point; `depth` spaces in, as dse_json_add_at. */
void dse_sweep_write_json(const struct dse_sweep_report *report, size_t depth, struct dse_strbuf *out);

/* The corners, in 25 lines of 80 characters, and the tables that are asked for. */
void dse_sweep_write(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out);

/* The front, every number. */
void dse_sweep_write_csv(const struct dse_sweep_report *report, struct dse_strbuf *out);

#endif
