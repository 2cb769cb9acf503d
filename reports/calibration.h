/* Results of `calibrate`, for people and programs: synthesis reports (nysx-dse.calibrate/1), cost factors, and constants of a
 * described accelerator fitted to a table of designs. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "explore/designs.h"
#include "models/loops.h"
#include "resources/synthesis/report.h"
#include "validation/calibrate.h"

struct dse_calibration_report {
    const char *engine; /* as in --engine */
    const struct dse_costs *costs;
    const struct dse_calibration *found;
    const struct dse_calibration_point *points; /* the fitted points */
    const struct dse_model_family *family; /* family of the points' engines */
};

/* A design's loops after synthesis and by the models' count, for a mean graph, by label. Adds a table to `text`; returns the same
 * as an object owned by the caller, or NULL if no report has any of the loops. */
json_t *dse_loops_report(const struct dse_calibration_design *design, struct dse_strbuf *text);

/* Adds the factors and each point's error to `text`; returns the same as an object owned by the caller. */
json_t *dse_calibration_report(const struct dse_calibration_report *report, struct dse_strbuf *text);

/* One input file: its report, or the reason why there is none. */
struct dse_report_row {
    const char *file;
    struct dse_report *report; /* NULL if rejected */
    struct dse_error error;
};

/* Table, CSV and JSON; the JSON is {"reports": […]}, with `fit` (may be NULL; a reference is taken) as "fit". */
void dse_synthesis_write_json(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count, json_t *fit);
void dse_synthesis_write_csv(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count);
void dse_synthesis_write(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count);

/* Prediction errors of a described accelerator's fitted constants (`--designs`). */
void dse_designs_write(const struct dse_designs *designs, struct dse_strbuf *out);
void dse_designs_write_csv(const struct dse_designs *designs, struct dse_strbuf *out);
json_t *dse_designs_json(const struct dse_designs *designs);
