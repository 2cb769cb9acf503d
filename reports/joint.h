/* One design for several data sets, as JSON, CSV and tables. */
#pragma once

#include "explore/corners.h"
#include "explore/exploration.h"
#include "reports/estimate.h"
#include "search/search.h"

/* Owns nothing. */
struct dse_joint_report {
    const struct dse_request *request;
    const char *command;             /* calling command: "sweep" */
    const struct dse_exploration *parts; /* dataset_count: question of each data set */
    const struct dse_question *question;
    const struct dse_answer *answer;
    const char *how;                 /* "mean" */
    enum dse_method method;
    const char *const *datasets;     /* dataset_count */
    const double *weights;           /* NULL if unused */
    size_t dataset_count;
    const struct dse_design *each; /* design of point i and data set d: each[i × dataset_count + d] */
    const int64_t *ids;              /* IDs of the points in their study; 0: none */
    const size_t *order;             /* points of the front, most balanced first */
    const struct dse_corners *corners; /* corners of the front */
    const struct dse_quality *qualities; /* qualities of the points: combined metrics */
    bool one;                        /* `optimize` prints only the first point */
    bool compact;                    /* only knobs, combined metrics and each data set's metrics */
    size_t best, shown;              /* rows of the best and of the front in a table */
};

/* "nysx-dse.combined/1": "combine", "datasets", "method", "proven", counts, "provenance", and "best" and "front". Each design has "id", "rank" by
 * balance, "corners" that it is, "config" (the knobs of the one design), "combined" (its metrics, and the standard error of the quality) and
 * "results" (the estimate of each data set). */
json_t *dse_joint_json(const struct dse_joint_report *report);

void dse_joint_write(const struct dse_joint_report *report, size_t width, struct dse_strbuf *out);

/* One line per point: ID, board, combined metrics (the quality also by its name), each data set's latency and quality, knobs, rank by balance, corners
 * and, in the first line, the provenance as JSON. */
void dse_joint_write_csv(const struct dse_joint_report *report, struct dse_strbuf *out);
