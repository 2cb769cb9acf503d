/* What a fit of cost factors found, for people and for programs. */
#ifndef DSE_REPORTS_CALIBRATION_H
#define DSE_REPORTS_CALIBRATION_H

#include <jansson.h>

#include "core/strbuf.h"
#include "models/loops.h"
#include "resources/synthesis/report.h"
#include "validation/calibrate.h"

struct dse_calibration_report {
    const char *engine; /* as --engine says it */
    const struct dse_costs *costs;
    const struct dse_calibration *found;
    const struct dse_calibration_point *points; /* those that it was fitted to */
    const struct dse_model_family *family; /* whose engines the points are of */
};

/* What synthesis made of a design's loops beside what the models count: `expected` (expected_count, of a mean graph) against the loops
 * of the reports, by label. Adds a table to `text`; the same as an object, the caller's reference, or NULL where no report has
 * any of them. A loop that stands in several modules counts with its largest interval and depth. */
json_t *dse_loops_report(const struct dse_loop *expected, size_t expected_count, const struct dse_report *const *reports,
                         size_t report_count, struct dse_strbuf *text);

/* Adds the factors and what each point is off by to `text`; the same as an object, the caller's reference. */
json_t *dse_calibration_report(const struct dse_calibration_report *report, struct dse_strbuf *text);

#endif
