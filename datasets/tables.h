/* The kind `table`: tables of numbers, as a file or as the one table of a folder or archive. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/table.h"

/* Of several tables in a folder or archive that was found by a name it is the one that the shipped profile of that name was
 * measured on. Its facts: "rows", "inputs" (its columns without the target), "header" (yes or no), "separator" (semicolon,
 * tab, comma, blanks), "target" (its name, blanks as _), "target_mean", "target_std" (of all rows), "target_min",
 * "target_max", and where there are any "constant_inputs". */
extern const struct dse_kind dse_kind_table;

/* The content of a data set of this kind, or NULL. */
static inline struct dse_data_table *dse_dataset_table(const struct dse_dataset *data)
{
    return data->kind == &dse_kind_table ? data->content : NULL;
}
