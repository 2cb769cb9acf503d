/* One best design, with its proof status. */
#pragma once

#include "reports/estimate.h"
#include "search/ilp.h"

struct dse_optimum_report {
    const struct dse_design *design;
    const struct dse_optimum *optimum;
    const char *method, *proof; /* the method asked; dse_proof_words() */
    enum dse_metric metric;
    bool compact;    /* JSON: only the design's knobs, metrics and quality */
};

/* The estimate's object with "method", "objective", "optimal", "bound", "gap", "solve_s", "space_size" and, of the ILP,
 * "slices", "solved", "models", "nodes". */
json_t *dse_optimum_json(const struct dse_optimum_report *report);

void dse_optimum_write(const struct dse_optimum_report *report, size_t width, struct dse_strbuf *out);
