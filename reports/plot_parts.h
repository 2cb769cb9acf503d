/* Shared by the files of `plot`: quantities and the designs to draw (plot_samples.c, plot_study.c), and series of a chart
 * (plot_series.c). Charts and texts are in the first chart's arena. */
#pragma once

#include "explore/meant.h"
#include "reports/estimate.h"
#include "reports/plot.h"
#include "search/study.h"

#define DSE_PLOT_VALUES_MOST 64 /* values of a knob */
#define DSE_PLOT_CHARTS_MOST 3

/* A metric or a knob. */
struct dse_plot_quantity {
    const char *name;
    bool knob;
    const struct dse_metric_alias *error; /* NULL: it is none */
    size_t index; /* index of the knob, or the metric */
    int64_t values[DSE_PLOT_VALUES_MOST]; /* value_count: replace the knob's domain; none: the domain */
    size_t value_count;
};

/* A design and its known values. */
struct dse_plot_sample {
    int64_t id;
    struct dse_config config;
    double metrics[DSE_METRIC_COUNT];
    double low[DSE_METRIC_COUNT], high[DSE_METRIC_COUNT]; /* the models' error, if requested and known; otherwise NaN */
    bool published[DSE_METRIC_COUNT]; /* the metric is the publication's, not the models' */
    const struct dse_quality *quality;
    const char *name; /* NULL: none */
};

struct dse_plotting {
    const struct dse_plot_question *question;
    struct dse_plot *out;
    struct dse_workbench *bench;
    const struct dse_profile *profile;
    struct dse_config base;
    char origin[DSE_ORIGIN_MAX]; /* origin of the base design */
    struct dse_plot_sample *samples; /* count */
    size_t count;
    struct dse_plot_sample paper;
    bool has_paper;
    struct dse_study *study;
    const struct dse_study_exploration *exploration; /* number `at` in the study */
    size_t at;
    char settled[64 + DSE_ORIGIN_MAX]; /* description of the settings drawn */
    char bands[96];    /* description of the metrics with error bars */
    struct dse_error *err;
};

/* Finds a quantity by name; `option` is where it was given ("--x "). find_values also accepts "KNOB=VALUE,VALUE …". DSE_BAD_USAGE
 * for a name that is neither metric nor knob. */
enum dse_status dse_plot_find(const struct dse_plotting *p, const char *option, const char *name, struct dse_plot_quantity *out);
enum dse_status dse_plot_find_values(const struct dse_plotting *p, const char *option, const char *text,
                                     struct dse_plot_quantity *out);
bool dse_plot_is_quality(const struct dse_plot_quantity *q);
const struct dse_knob *dse_plot_knob(const struct dse_plotting *p, const struct dse_plot_quantity *q);
/* Position of a design on the quantity's axis: a word's index or a number; NaN if undefined. */
double dse_plot_value(const struct dse_plotting *p, const struct dse_plot_quantity *q, const struct dse_plot_sample *s);
const char *dse_plot_keep(struct dse_chart *chart, const char *text);
/* The title of an axis with the items that the metric covers, if they are the same for all samples: "energy per 128 queries". */
const char *dse_plot_amount(const struct dse_plotting *p, const char *title, enum dse_metric metric, struct dse_chart *chart);
struct dse_chart_axis dse_plot_axis(const struct dse_plotting *p, const struct dse_plot_quantity *q, struct dse_chart *chart);

/* Collects designs: measured ones, variations of the base design over x and by, or a study's. `evaluate` fills in values from models and profile. */
struct dse_plot_sample *dse_plot_add_sample(struct dse_plotting *p, const struct dse_config *config);
enum dse_status dse_plot_check_simulated(const struct dse_plotting *p, const struct dse_plot_quantity *y,
                                         const struct dse_plot_quantity *x, const struct dse_plot_quantity *by);
enum dse_status dse_plot_evaluate(struct dse_plotting *p, struct dse_plot_sample *s);
enum dse_status dse_plot_add_measured(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *by);
enum dse_status dse_plot_add_varied(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *by);
enum dse_status dse_plot_open_study(struct dse_plotting *p, struct dse_request *own);
void dse_plot_keep_named(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *by); /* keeps only the values named in x and by (NULL: none) */
enum dse_status dse_plot_add_stored(struct dse_plotting *p, bool front);
enum dse_status dse_plot_name_corners(struct dse_plotting *p);

/* Adds the models' errors of the two metrics to all samples; DSE_BAD_INPUT if unknown for both. */
enum dse_status dse_plot_add_bands(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y);

/* Pictures of one or several designs (plot_designs.c). They show cycles, energy and resources by engine; steps from the baseline to the design, knob
 * by knob; variance explained by each knob. */
enum dse_status dse_plot_engines(struct dse_plotting *p);
enum dse_status dse_plot_waterfall(struct dse_plotting *p);
enum dse_status dse_plot_importance(struct dse_plotting *p);

/* Series of a chart: designs by colour, the non-dominated ones in two directions, a constant prediction; and the line below. */
bool dse_plot_is_drawn(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y,
                       const struct dse_plot_sample *s);
void dse_plot_put(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y,
                  const struct dse_plot_sample *s, struct dse_chart_series *series);
void dse_plot_add_series(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y,
                                    const struct dse_plot_quantity *by, enum dse_chart_kind kind, struct dse_chart *chart);
void dse_plot_add_stairs(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y,
                                    struct dse_chart *chart);
void dse_plot_add_majority(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y,
                                    struct dse_chart *chart);
void dse_plot_note(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y,
                   struct dse_chart *chart);
