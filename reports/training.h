/* Results of training and inference, as table, CSV and JSON. */
#pragma once

#include "core/strbuf.h"
#include "executor/executor.h"
#include "reports/format.h"

/* The finished runs of one command: seeds × folds, or fewer after Ctrl-C. */
struct dse_training_report {
    const struct dse_executor *executor;
    const struct dse_dataset *data;
    const struct dse_setting *setting;
    const char *split;         /* description: "random 80/20 split" */
    const struct dse_run *run; /* protocol of the split; seed and fold are counted up */
    uint64_t first_seed; /* first of the seeds */
    size_t seeds, folds;
    size_t count;                    /* finished runs */
    const struct dse_training *runs; /* [count], folds vary fastest */
};

void dse_training_write(const struct dse_training_report *report, enum dse_format format, struct dse_strbuf *out);

struct dse_inference_report {
    const struct dse_executor *executor;
    const struct dse_dataset *data;
    const char *model; /* file of the model */
    const struct dse_inference *found;
};

void dse_inference_write(const struct dse_inference_report *report, enum dse_format format, struct dse_strbuf *out);

/* File of --predictions: one line per item, with index, expected and predicted value. */
enum dse_status dse_inference_write_answers(const struct dse_inference_report *report, const char *path, struct dse_error *err);

/* File of --hypervectors: a NumPy file with one row of −1 and +1 per item, in the order of the predictions. If the family has them, the classes'
 * scores and the predicted class follow. DSE_BAD_USAGE if the family has no hypervectors. */
enum dse_status dse_inference_write_hypervectors(const struct dse_inference_report *report, const char *path,
                                                 struct dse_error *err);
