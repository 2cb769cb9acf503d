/* Data that are part of a data set, as profiles name them. */
#pragma once

#include "datasets/dataset.h"

/* Opens NAME-N, as --entities names it: the N most connected entities of the data set NAME, which is found as in dse_dataset_open. DSE_BAD_USAGE for
 * any other form of name and for data without entities; otherwise errors as of dse_dataset_open. `out` is the caller's. */
enum dse_status dse_dataset_open_part(const char *name, const char *data_dir, struct dse_dataset **out, struct dse_error *err);
