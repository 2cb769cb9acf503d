/* The pictures of `plot`: fronts, any metric or measured quality over any knob or metric, bars by engine, a timeline by simulation. */
#pragma once

#include "executor/executor.h"
#include "explore/workbench.h"
#include "reports/chart.h"

/* The metrics cycles, latency and p99 of a run through the engines; `knobs` are the design's hardware knobs. */
typedef enum dse_status dse_plot_simulate(void *user, const struct dse_setting *knobs, double metrics[DSE_METRIC_COUNT], struct dse_error *err);

struct dse_plot_question {
    const struct dse_request *request; /* board, data set, set, from, … */
    const char *what;  /* "front", "engines", "waterfall", "importance", or the quantity up: a metric, "quality", "error" */
    const char *x, *y; /* across, and of a front up (NULL: the study's objectives), of a waterfall and of importance a metric (NULL: latency) */
    const char *by;    /* what colours: a metric or knob; NULL: nothing */
    int64_t choose;    /* of a front: the point that is called chosen; 0: none */
    size_t exploration; /* of the study, from 1; 0: the one that the request's board and data set say */
    dse_plot_simulate *simulate; /* asked in place of the models, of a metric over a hardware knob; NULL: the models */
    void *user;
    const char *study; /* its points; NULL: the models' answers and the profile's measured settings */
    bool ranged; /* the picture's ends are chosen: no axis is broken */
    bool bands;  /* whiskers: the models' error of the metrics of a front */
};

/* Charts, one below the other. DSE_BAD_USAGE for a name that is neither metric nor knob, and for what does not go together;
 * DSE_BAD_INPUT where there is nothing to draw. Freed by dse_plot_free in any case. */
struct dse_plot {
    struct dse_chart *charts; /* count */
    size_t count;
    struct dse_workbench bench; /* whose names the charts borrow */
};
enum dse_status dse_plot_make(const struct dse_plot_question *question, struct dse_plot *out, struct dse_error *err);
void dse_plot_free(struct dse_plot *plot);

/* Every front of a study, one below the other: `-o` of `report`. */
enum dse_status dse_plot_fronts(const char *study, int64_t choose, const char *path, struct dse_error *err);

/* The stages of one item of a simulation one after the other, and in each the engines' work. DSE_BAD_USAGE for an item that is not
 * there. */
enum dse_status dse_plot_timeline(const struct dse_simulation *simulation, size_t item, const char *title, struct dse_plot *out,
                                  struct dse_error *err);
