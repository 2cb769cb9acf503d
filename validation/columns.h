/* Models against published designs that stand in the columns of a table: each column a setting on a board, no data set
 * to be measured. What was published is a data file a family (validation/published/FAMILY.xml, root <columns>).
 *
 * A family's fitted constants (models/model.h) are fitted again here to the figures that are marked for it, over all
 * columns and without each one in turn, so that beside the error of every prediction stands the error that it has when
 * nothing of its own column was known. */
#ifndef DSE_VALIDATION_COLUMNS_H
#define DSE_VALIDATION_COLUMNS_H

#include <stdbool.h>

#include "core/arena.h"
#include "models/estimate.h"

#define DSE_FITTED_MAX 16

struct dse_column_figure {
    const char *what;   /* "train_cycles" */
    const char *metric; /* a metric's key; "fits": 1 where the design fits its board, else 0; "kernel_w": power
                         * without what the chip draws when it is empty */
    const char *set;    /* knobs over the column's, "" for none */
    const char *source; /* "Table II" */
    const char *note;   /* what contradicts it, "" for nothing */
    double value;       /* NaN where nothing is published, or it is withheld */
    bool fitted_to;     /* it takes part in fitting */
};

struct dse_column {
    const char *name;  /* "D=2k": a row's case */
    const char *board, *set;
    struct dse_column_figure *figures; /* figure_count */
    size_t figure_count;
};

struct dse_columns {
    const char *family, *board;
    const char *profile; /* the shipped profile that gives the workload */
    struct dse_column *columns; /* column_count */
    size_t column_count;
    struct dse_arena arena;
};

/* Reads the family's file. Where it has none of this kind, `out` is empty and column_count 0. DSE_BAD_INPUT names file,
 * line, element and value. */
enum dse_status dse_columns_open(const char *family, struct dse_columns *out, struct dse_error *err);
void dse_columns_free(struct dse_columns *columns);

/* One figure beside its prediction. An error is (predicted − reference) / reference, NaN without a reference. */
struct dse_column_row {
    const struct dse_column *column;
    const struct dse_column_figure *figure;
    double predicted, low, high, error;
    double left_out, left_out_error; /* by constants fitted without the column; NaN for what was not fitted to */
    double contradicts;              /* the chip's amount that a published resource passes; NaN where it does not */
    char worst[64];                  /* of "fits": what does not, "" where all does */
};

/* Over the rows of one `what` that have an error. */
struct dse_column_summary {
    const char *what;
    double mean, worst;                   /* of the absolute errors */
    double left_out_mean, left_out_worst; /* NaN for what was not fitted to */
    size_t n;
};

struct dse_column_answer {
    struct dse_column_row *rows; /* row_count, in the file's order */
    size_t row_count;
    struct dse_column_summary *summaries; /* summary_count, in order of appearance */
    size_t summary_count;
    double refitted[DSE_FITTED_MAX]; /* the family's constants, fitted to all columns now */
};

/* Predicts every figure. `calibration` (may be NULL) goes to the boards' costs. O(columns² × constants) estimates. */
enum dse_status dse_columns_validate(const struct dse_model_family *family, const struct dse_columns *columns,
                                     const char *calibration, struct dse_column_answer *out, struct dse_error *err);
void dse_column_answer_free(struct dse_column_answer *answer);

#endif
