/* Request of `calibrate`: the reports' points for a design, and the fitted factors. */
#pragma once

#include "explore/emitted.h"
#include "explore/workbench.h"
#include "validation/calibrate.h"

struct dse_fitting_question {
    const struct dse_request *request;    /* board, data set, "engine", "config", "instance", "force", … */
    const struct dse_emitted *emitted;    /* emitted_count folders of --from: any number for SystemVerilog, otherwise at most one */
    size_t emitted_count;
    const char *const *assignments;       /* assignment_count words "knob=value" among the operands */
    size_t assignment_count;
    const struct dse_report *const *reports; /* report_count */
    size_t report_count;
};

struct dse_fitting {
    struct dse_request own; /* the question's words, plus those answered by the emitted folder */
    struct dse_workbench bench; /* uses the first board and data set */
    struct dse_setup setup;
    const char *engine_name; /* as in "engine"; "all" */
    struct dse_calibration_point *points; /* found.point_count */
    double **sums;                        /* sum_count: over the modules of a SystemVerilog engine */
    size_t sum_count;
    struct dse_calibration_design *designs; /* design_count: designs of the points */
    size_t design_count;
    struct dse_calibration found;
};

/* Opens the request's inputs and fits. A report gives its totals if its top is the design's (or that of "engine"). With "engine" all it also gives
 * the rows of the engines that it lists. Loops of HLS reports give engines' cycles. A report that names neither is rejected (DSE_BAD_USAGE) unless
 * "instance" selects a row or "force" accepts its totals. An unusable fit is DSE_ANSWER_NO unless "force" is set; `out` then holds it anyway.
 * dse_fitting_close must be called in any case. */
enum dse_status dse_fitting_make(const struct dse_fitting_question *question, struct dse_fitting *out, struct dse_error *err);
void dse_fitting_close(struct dse_fitting *fitting);

/* Writes the calibration's XML. */
void dse_fitting_write(const struct dse_fitting *fitting, struct dse_strbuf *xml);
