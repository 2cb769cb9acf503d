/* The constants of a described accelerator that say `fit: yes`, fitted to designs that somebody has measured or synthesised.
 *
 * Non-negative least squares of relative errors over all figures at once, by figures that are linear in the constants (parts whose amounts are
 * sums of constants times formulas are). Errors are those of held-out designs: each fold is predicted by the constants fitted to
 * the others; designs of equal knobs stand in one fold. A constant's band is the 10th to 90th percentile of measured over predicted, of
 * the designs kept out and the figures that it is part of; where a fold holds all designs that depend on it, nothing was kept out, and the band is at
 * least that of an assumed constant. */
#pragma once

#include "models/described/described.h"
#include "models/estimate.h"

#define DSE_DESIGN_FIGURES DSE_METRIC_COUNT

/* How well one figure is predicted; shares of what was measured. */
struct dse_figure_error {
    enum dse_metric metric;
    size_t designs;     /* in which it is not 0 */
    double mean, median, p90, worst; /* of the absolute errors of designs kept out */
    double within;      /* the mean error of the fit to all, on the same designs */
};

struct dse_designs {
    const struct dse_model_family *family;
    const char *path;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_space *space;
    size_t count;                     /* of designs */
    struct dse_config *configs;
    void **work;                      /* a design each, as the family prepares it */
    enum dse_metric metrics[DSE_DESIGN_FIGURES];
    size_t metric_count;
    double *measured;                 /* [designs × metrics]; NaN: not said */
    size_t *fold;                     /* of a design */
    size_t folds;
    double *values, *low, *high;      /* of the family's fitted constants */
    struct dse_design_evidence {
        size_t figures; /* measured figures that depend on the constant; 0: it is as the file has it */
        size_t outside; /* of those that were predicted by designs of other folds, the ones beyond the band */
        bool alone;     /* a fold holds all of them */
    } *evidence; /* a fitted constant each */
    struct dse_figure_error errors[DSE_DESIGN_FIGURES]; /* metric_count */
    bool clocked;                     /* the table has a column for the clock */
    struct dse_strbuf unread;         /* columns that nothing reads, by name */
};

/* Reads the table (a line of names, then a design a line: knobs and quantities of the workload by their names, figures by the names or
 * keys of metrics; or `report`, the path of a synthesis report beside the table, whose figures count), fits and holds out. DSE_BAD_INPUT names file, line, column and value. */
enum dse_status dse_designs_fit(const struct dse_model_family *family, const char *board, const char *path, size_t folds, uint64_t seed,
                                struct dse_designs *out, struct dse_error *err);

/* The family's file with the constants' new values and bands in place of the old; all else stays as it is. */
enum dse_status dse_designs_rewrite(const struct dse_designs *designs, struct dse_strbuf *out, struct dse_error *err);

void dse_designs_free(struct dse_designs *designs);
