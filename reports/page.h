/* A self-contained HTML page about a study: data, styles, scripts and the chart library in one file without external
 * resources. Equal contents give equal bytes.
 *
 * The page's parts are in reports/page/ and are compiled into the program; so is the system's Chart.js. */
#pragma once

#include <jansson.h>

#include "core/setting.h"
#include "explore/baseline.h"
#include "explore/corners.h"
#include "reports/estimate.h"
#include "reports/roofline.h"
#include "search/search.h"

/* Designs of the page, column by column. Filled point by point, so their estimates need not
 * be in memory together. */
struct dse_page_points;

/* For designs of one family and space, which must outlive the points. */
struct dse_page_points *dse_page_points_create(const struct dse_model_family *family, const struct dse_space *space);
void dse_page_points_free(struct dse_page_points *points); /* accepts NULL */

/* Adds a design: its name in the study, the metrics with which it was found, its estimate, and its measured quality. NULL for a quality that was not
 * measured, or is combined over data sets. */
void dse_page_points_add(struct dse_page_points *points, int64_t id, const double metrics[DSE_METRIC_COUNT],
                         const struct dse_estimate *estimate, const struct dse_quality *quality);
size_t dse_page_points_count(const struct dse_page_points *points);

/* One exploration: a board and a data set. Owns nothing. */
struct dse_page_view {
    const struct dse_board *board;
    const char *dataset;
    const enum dse_metric *objectives; /* objective_count */
    size_t objective_count;
    uint64_t space_size, evaluated, feasible;
    double seconds;
    bool proven;
    const char *remark;             /* "" or a sentence */
    const struct dse_page_points *points;
    struct dse_corners corners;     /* indices of points; DSE_CORNER_NONE if missing */
    size_t chosen;                  /* index of the design shown first */
    const char *chosen_because;     /* reason: "the most balanced of the front" */
    const struct dse_design *design; /* that design */
    const struct dse_design *paper;  /* the published design; NULL if infeasible */
    struct dse_baseline baseline;    /* published figures of that design */
    const struct dse_roofline_report *rooflines; /* roofline_count, drawn and listed */
    size_t roofline_count;
};

struct dse_page_input {
    const char *kind, *name, *source;
    uint64_t hash;
};

struct dse_page_command {
    const char *what, *command; /* "@ID@" in the command stands for the selected design's ID */
    bool of_design;             /* belongs to the selected design */
};

struct dse_page {
    const char *title;
    const struct dse_model_family *family;
    const struct dse_space *space;
    dse_knob_set free;
    const struct dse_setting *question; /* other words of the question, by name */
    const struct dse_page_input *inputs; /* input_count */
    size_t input_count;
    const struct dse_page_command *commands; /* command_count */
    size_t command_count;
    const char *study;          /* the study as a shell argument, for exporting selections; NULL: none */
    const struct dse_page_view *views; /* view_count, at least 1 */
    size_t view_count;
};

/* Data of the page's script, "nysx-dse.report/1"; owned by the caller. */
enum dse_status dse_page_json(const struct dse_page *page, json_t **out, struct dse_error *err);

/* The points' columns as an object. */
json_t *dse_page_points_json(const struct dse_page_points *points);

/* Appends the page. O(points). */
enum dse_status dse_page_write(const struct dse_page *page, struct dse_strbuf *out, struct dse_error *err);
