/* The results of training and inference, as a table, CSV and JSON. */
#pragma once

#include "core/strbuf.h"
#include "executor/executor.h"
#include "reports/format.h"

/* All runs of one command: seeds × folds. */
struct dse_training_report {
    const struct dse_executor *executor;
    const struct dse_dataset *data;
    const struct dse_setting *setting;
    const char *split;         /* in words: "random 80/20 split" */
    const struct dse_run *run; /* how its items are split; seed and fold are counted up */
    uint64_t first_seed; /* seeds count up from it */
    size_t seeds, folds;
    const struct dse_training *runs; /* [seeds × folds], fold innermost */
};

void dse_training_write(const struct dse_training_report *report, enum dse_format format, struct dse_strbuf *out);

struct dse_inference_report {
    const struct dse_executor *executor;
    const struct dse_dataset *data;
    const char *model; /* its file */
    const struct dse_inference *found;
};

void dse_inference_write(const struct dse_inference_report *report, enum dse_format format, struct dse_strbuf *out);

/* The file of --predictions: a line an item, its index and what was meant and answered. */
enum dse_status dse_inference_write_answers(const struct dse_inference_report *report, const char *path, struct dse_error *err);

/* The file of --hypervectors: a NumPy file with one row of −1 and +1 for each item, in the order of the predictions,
 * and beside it the classes' scores and the predicted class where the family has such.
 * DSE_BAD_USAGE where the family has none. */
enum dse_status dse_inference_write_hypervectors(const struct dse_inference_report *report, const char *path,
                                                 struct dse_error *err);
