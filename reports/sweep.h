/* The answer of a sweep. */
#ifndef DSE_REPORTS_SWEEP_H
#define DSE_REPORTS_SWEEP_H

#include "reports/estimate.h"
#include "search/search.h"

/* A sweep with everything that its report needs. Nothing is owned. */
struct dse_sweep_report {
    const struct dse_question *question;
    const struct dse_answer *answer;
    const char *method;
    const struct dse_design *front; /* answer->front_count, in its order; a table looks at those picked alone */
    const struct dse_design *best;  /* best_count: the front's most balanced points */
    size_t best_count;
    const char *remark; /* a line more about the search; "" for none */
    size_t shown; /* rows of the front that a table shows; the rest is counted */
};

/* "nysx-dse.sweep/1": what was asked, "method", "proven", counts, and "best" and "front" with an estimate a point; `depth`
 * spaces in, as dse_json_add_at. */
void dse_sweep_write_json(const struct dse_sweep_report *report, size_t depth, struct dse_strbuf *out);

void dse_sweep_write(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out);

/* The front, every number. */
void dse_sweep_write_csv(const struct dse_sweep_report *report, struct dse_strbuf *out);

#endif
