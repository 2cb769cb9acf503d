/* Data that are a part of a data set, as profiles name them. */
#pragma once

#include "datasets/dataset.h"

/* Opens NAME-N, as --entities calls it: the N most connected entities of the data set NAME, which is looked for as dse_dataset_open
 * does. DSE_BAD_USAGE for another form of name and for data without entities; else what dse_dataset_open returns. `out` is the caller's. */
enum dse_status dse_dataset_open_part(const char *name, const char *data_dir, struct dse_dataset **out, struct dse_error *err);
