/* Answers of `calibrate`, for people and for programs: reports of synthesis (nysx-dse.calibrate/1), cost factors, and constants of a
 * described accelerator by a table of designs. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "explore/designs.h"
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

/* One file that was to be read: either its report or why there is none. */
struct dse_report_row {
    const char *file;
    struct dse_report *report; /* NULL where it was rejected */
    struct dse_error error;
};

/* The three forms; the JSON is {"reports": […]}, and `fit`, of which a reference is taken, joins it as "fit" and may be NULL. */
void dse_synthesis_write_json(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count, json_t *fit);
void dse_synthesis_write_csv(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count);
void dse_synthesis_write(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count);

/* How well a described accelerator's fitted constants predict designs (`--designs`). */
void dse_designs_write(const struct dse_designs *designs, struct dse_strbuf *out);
void dse_designs_write_csv(const struct dse_designs *designs, struct dse_strbuf *out);
json_t *dse_designs_json(const struct dse_designs *designs);
