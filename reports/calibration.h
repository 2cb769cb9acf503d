/* Fitted cost factors, for people and for programs. */
#pragma once

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

/* A design's loops after synthesis beside the models' count, of a mean graph, by label. Adds a table to `text`; the same
 * as an object, the caller's reference, or NULL where no report has any of them. */
json_t *dse_loops_report(const struct dse_calibration_design *design, struct dse_strbuf *text);

/* Adds the factors and what each point is off by to `text`; the same as an object, the caller's reference. */
json_t *dse_calibration_report(const struct dse_calibration_report *report, struct dse_strbuf *text);
