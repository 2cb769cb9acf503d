/* The request of `calibrate`: which points the reports give, for which design, and the factors that follow. */
#pragma once

#include "explore/emitted.h"
#include "explore/workbench.h"
#include "validation/calibrate.h"

struct dse_fitting_question {
    const struct dse_request *request;    /* board, data set, "engine", "config", "instance", "force", … */
    const struct dse_emitted *emitted;    /* emitted_count folders of --from: of SystemVerilog any number, else at most one */
    size_t emitted_count;
    const char *const *assignments;       /* assignment_count words "knob=value" among the operands */
    size_t assignment_count;
    const struct dse_report *const *reports; /* report_count */
    size_t report_count;
};

struct dse_fitting {
    struct dse_request own; /* the question's words, with those that the emitted folder answers */
    struct dse_workbench bench; /* the first board and data set count */
    struct dse_setup setup;
    const char *engine_name; /* as "engine" says it; "all" */
    struct dse_calibration_point *points; /* found.point_count */
    double **sums;                        /* sum_count: of the modules of an engine in SystemVerilog */
    size_t sum_count;
    struct dse_calibration_design *designs; /* design_count: what the points are of */
    size_t design_count;
    struct dse_calibration found;
};

/* Opens what the request names and fits: each report gives its totals where its top is the design's (or that of "engine"),
 * and with "engine" all also the rows of engines that it lists; loops
 * of HLS reports give the cycles of engines. A report that names neither is rejected (DSE_BAD_USAGE) unless
 * "instance" says which row counts or "force" takes its totals. A fit that nobody should use is DSE_ANSWER_NO unless "force"
 * stands; `out` then holds it all the same, and is freed in any case by dse_fitting_close. */
enum dse_status dse_fitting_make(const struct dse_fitting_question *question, struct dse_fitting *out, struct dse_error *err);
void dse_fitting_close(struct dse_fitting *fitting);

/* The calibration's XML. */
void dse_fitting_write(const struct dse_fitting *fitting, struct dse_strbuf *xml);
