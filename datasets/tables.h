/* The kind `table`: tables of numbers, as a file or as the one table of a folder or archive. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/table.h"

/* If a folder or archive was found by name and has several tables, the one that the shipped profile of that name was measured on. Its facts: "rows",
 * "inputs" (its columns without the target), "header" (yes or no), "separator" (semicolon, tab, comma, blanks), "target" (its name, blanks as _),
 * "target_mean", "target_std", "target_mad" (standard and mean absolute deviation, of all rows), "target_min", "target_max". If there are any also "constant_inputs",
 * "one_hot_columns" (columns of words before their encoding) and "rows_left_out". */
extern const struct dse_kind dse_kind_table;

/* The options of `generate`, in the order of their values. */
enum dse_tables_option { DSE_TABLES_ROWS, DSE_TABLES_INPUTS, DSE_TABLES_NOISE, DSE_TABLES_OPTIONS };
extern const struct dse_generate_option dse_tables_options[DSE_TABLES_OPTIONS];

/* Generates a table and writes it as NAME.csv into the new folder `folder`; equal values give equal bytes. After a failure nothing of it is left.
 * O(cells). */
enum dse_status dse_tables_generate(const struct dse_generation *what, const char *folder, struct dse_error *err);

/* The content of a data set of this kind, or NULL. */
static inline struct dse_data_table *dse_dataset_table(const struct dse_dataset *data)
{
    return data->kind == &dse_kind_table ? data->content : NULL;
}
