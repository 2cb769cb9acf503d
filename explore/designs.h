/* Fits the constants marked `fit: yes` of a described accelerator to measured or synthesised designs.
 *
 * Non-negative least squares of relative errors over all figures together. Figures must be linear in the constants (parts whose amounts are sums of
 * constants times formulas). Errors are of held-out designs: each fold is predicted by constants fitted to the others. Designs with equal knobs share
 * a fold. A constant's band is the 10th to 90th percentile of measured over predicted. It is taken over held-out designs and the figures that depend
 * on the constant. If one fold holds all designs that depend on it, nothing was held out, and the band is at least that of an assumed constant. */
#pragma once

#include "models/described/described.h"
#include "models/estimate.h"

#define DSE_DESIGN_FIGURES DSE_METRIC_COUNT

/* Prediction error of one figure, as shares of the measured value. */
struct dse_figure_error {
    enum dse_metric metric;
    size_t designs;     /* in which the figure is not 0 */
    double mean, median, p90, worst; /* statistics of the absolute errors of held-out designs */
    double within;      /* mean error of the fit to all, on the same designs */
};

struct dse_designs {
    const struct dse_model_family *family;
    const char *path;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_space *space;
    size_t count;                     /* number of designs */
    struct dse_config *configs;
    void **work;                      /* per design, prepared by the family */
    enum dse_metric metrics[DSE_DESIGN_FIGURES];
    size_t metric_count;
    double *measured;                 /* [designs × metrics]; NaN: not stated */
    size_t *fold;                     /* fold of a design */
    size_t folds;
    double *values, *low, *high;      /* value and band of the family's fitted constants */
    struct dse_design_evidence {
        size_t figures; /* measured figures that depend on the constant; 0: it is unchanged */
        size_t outside; /* designs predicted from other folds that lie beyond the band */
        bool alone;     /* one fold holds all of them */
    } *evidence; /* per fitted constant */
    struct dse_figure_error errors[DSE_DESIGN_FIGURES]; /* metric_count */
    bool clocked;                     /* the table has a column for the clock */
    struct dse_strbuf unread;         /* names of columns that nothing reads */
};

/* Reads the table, fits, and computes held-out errors. The table has a line of names, then one design per line. Knobs and workload quantities are
 * given by name, figures by metric name or key. Instead of figures, `report` names a synthesis report, by a path relative to the table. DSE_BAD_INPUT
 * names file, line, column and value. */
enum dse_status dse_designs_fit(const struct dse_model_family *family, const char *board, const char *path, size_t folds, uint64_t seed,
                                struct dse_designs *out, struct dse_error *err);

/* The family's file with the constants' values and bands replaced; nothing else changes. */
enum dse_status dse_designs_rewrite(const struct dse_designs *designs, struct dse_strbuf *out, struct dse_error *err);

void dse_designs_free(struct dse_designs *designs);
