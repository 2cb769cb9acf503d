/* One self-contained HTML page about a study: data, styles, scripts and the chart library in one file that fetches
 * nothing. The same contents give the same bytes.
 *
 * The page's own parts lie in reports/page/ and are built into the program; so is Chart.js, as the system has it. */
#pragma once

#include <jansson.h>

#include "core/setting.h"
#include "explore/baseline.h"
#include "explore/corners.h"
#include "reports/estimate.h"
#include "reports/roofline.h"
#include "search/search.h"

/* Many designs as the page shows them, column by column. Filled point after point, so that their estimates need not
 * stand in memory together. */
struct dse_page_points;

/* For designs of one family and space, both of which must outlive the points. */
struct dse_page_points *dse_page_points_create(const struct dse_model_family *family, const struct dse_space *space);
void dse_page_points_free(struct dse_page_points *points); /* NULL is fine */

/* A design: what its study calls it, the metrics that it was found with, its estimate, and its quality as measured (NULL: it was
 * not, or is of several data sets together). */
void dse_page_points_add(struct dse_page_points *points, int64_t id, const double metrics[DSE_METRIC_COUNT],
                         const struct dse_estimate *estimate, const struct dse_quality *quality);
size_t dse_page_points_count(const struct dse_page_points *points);

/* One exploration: a board and a data set. Nothing is owned. */
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
    struct dse_corners corners;     /* indices of points, DSE_CORNER_NONE where there is none */
    size_t chosen;                  /* the index of the design that the page begins with */
    const char *chosen_because;     /* "the most balanced of the front" */
    const struct dse_design *design; /* that design */
    const struct dse_design *paper;  /* the paper's; NULL where it cannot be built */
    struct dse_baseline baseline;    /* what was published of that */
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
    const struct dse_setting *question; /* what else was asked, by name */
    const struct dse_page_input *inputs; /* input_count */
    size_t input_count;
    const struct dse_page_command *commands; /* command_count */
    size_t command_count;
    const char *study;          /* the study as a shell takes it, of which selections are exported; NULL: none */
    const struct dse_page_view *views; /* view_count, at least 1 */
    size_t view_count;
};

/* The data of the page's script, "nysx-dse.report/1"; the caller's reference. */
enum dse_status dse_page_json(const struct dse_page *page, json_t **out, struct dse_error *err);

/* The points' columns as one object. */
json_t *dse_page_points_json(const struct dse_page_points *points);

/* Appends the page. O(points). */
enum dse_status dse_page_write(const struct dse_page *page, struct dse_strbuf *out, struct dse_error *err);
