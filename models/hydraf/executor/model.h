/* A trained HyDRAF model. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "executor/executor.h"
#include "models/hydraf/executor/regressor.h"
#include "datasets/tables.h"

struct hydraf_model {
    struct dse_model base;
    char **column;             /* [inputs] names of the inputs, in the table's order */
    char *target;              /* the target's name */
    size_t target_column;      /* its index in the training table */
    size_t epochs;             /* run in training */
    struct hydraf_regressor regressor;
};

extern const struct dse_model_form hydraf_model_form;
extern const struct dse_executor hydraf_executor;

/* The settings that a survey of new data races through. */
extern const struct dse_race_plan hydraf_race;

dse_fit_verb hydraf_train;
dse_infer_verb hydraf_infer;
dse_profile_verb hydraf_profile;
dse_simulate_verb hydraf_simulate;
dse_work_verb hydraf_model_work;
enum dse_status hydraf_pack(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_pack *out,
                            struct dse_error *err);
enum dse_status hydraf_cases(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config,
                             const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err);

/* Writes chunk `chunk` of the encoded row `at` to words that hold zeros, from `bit` of `row` on. */
struct hydraf_layout;
void hydraf_pack_row(const struct hydraf_layout *layout, const struct hydraf_rows *rows, size_t at, size_t chunk, uint32_t *row, size_t bit);

/* Learns from the rows `split.train` of a table. `stored` encodes every row once and keeps it (encoding off chip); otherwise
 * every epoch encodes rows again (on chip). Both give the same bits. The model has its setting, columns and split. */
enum dse_status hydraf_fit(struct hydraf_model *model, const struct dse_data_table *table, bool stored,
                           const struct dse_monitor *monitor, struct dse_error *err);

/* Columns of the model's inputs ([inputs], malloc'd) and its target in a table. They are found by name, or by position if the
 * model or the table has no names. DSE_BAD_USAGE names the missing column. */
enum dse_status hydraf_model_columns(const struct hydraf_model *model, const struct dse_data_table *table,
                                     size_t **inputs, size_t *target, struct dse_error *err);

/* Quality, with its standard error, and figures of estimates, relative to the target's range in the training part. */
double hydraf_quality(const struct hydraf_regressor *regressor, const double *target, const double *estimate,
                      size_t count, struct dse_figure figures[DSE_FIGURES], size_t *figure_count, double *error);

/* The estimate of an encoded row in the target's own unit. */
static inline double hydraf_estimate(const struct hydraf_regressor *regressor, float estimate)
{
    return (double)estimate * regressor->target_scale + regressor->target_mean;
}

static inline const struct hydraf_model *hydraf_model_of(const struct dse_model *model)
{
    return (const struct hydraf_model *)(const void *)model;
}
