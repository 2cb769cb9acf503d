/* Pictures of `plot`: fronts, a metric or measured quality over a knob or metric, bars by engine, a simulated timeline. */
#pragma once

#include "executor/executor.h"
#include "explore/workbench.h"
#include "reports/chart.h"

/* Metrics cycles, latency and p99 of a simulated run; `knobs` are the design's hardware knobs. */
typedef enum dse_status dse_plot_simulate(void *user, const struct dse_setting *knobs, double metrics[DSE_METRIC_COUNT], struct dse_error *err);

struct dse_plot_question {
    const struct dse_request *request; /* board, data set, set, from, … */
    const char *what;  /* "front", "engines", "waterfall", "importance", or the y quantity: a metric, "quality", "error" */
    const char *x, *y; /* x quantity, and for a front y (NULL: the study's objectives); for waterfall and importance a metric (NULL: latency) */
    const char *by;    /* colour by a metric or knob; NULL: none */
    int64_t choose;    /* front: ID of the point marked as chosen; 0: none */
    size_t exploration; /* number of the study's exploration, from 1; 0: that of the request's board and data set */
    dse_plot_simulate *simulate; /* replaces the models for a metric over a hardware knob; NULL: the models */
    void *user;
    const char *study; /* source of points; NULL: the models' answers and the profile's measured settings */
    bool ranged; /* the axes' ends are chosen: no broken axis */
    bool bands;  /* error bars: the models' errors in the metrics of a front */
};

/* Charts in a column. DSE_BAD_USAGE for an unknown metric or knob, or incompatible words;
 * DSE_BAD_INPUT if there is nothing to draw. dse_plot_free must be called in any case. */
struct dse_plot {
    struct dse_chart *charts; /* count */
    size_t count;
    struct dse_workbench bench; /* owns names used by the charts */
};
enum dse_status dse_plot_make(const struct dse_plot_question *question, struct dse_plot *out, struct dse_error *err);
void dse_plot_free(struct dse_plot *plot);

/* All fronts of a study in a column: `-o` of `report`. */
enum dse_status dse_plot_fronts(const char *study, int64_t choose, const char *path, struct dse_error *err);

/* Stages of one simulated item in sequence, with the engines' work in each. DSE_BAD_USAGE for a missing
 * item. */
enum dse_status dse_plot_timeline(const struct dse_simulation *simulation, size_t item, const char *title, struct dse_plot *out,
                                  struct dse_error *err);
