/* Shared by `train`, `infer` and `datasets profile`: options from the executors' parameters, the resulting setting, and the requested data set. */
#pragma once

#include "core/setting.h"
#include "datasets/dataset.h"
#include "dse/cli.h"
#include "executor/executor.h"
#include "explore/point.h"

/* For dse_command.more_options and knows_option: an option for each parameter of the family's executor. */
void dse_training_options(const char *family, struct dse_option_list *list);
bool dse_training_knows_option(const char *family, const char *option, struct dse_error *err);

/* The executor of --family. DSE_BAD_USAGE if that family has none. */
enum dse_status dse_training_executor(const struct dse_cli *cli, const struct dse_executor **out,
                                      struct dse_error *err);

/* Notes how the data were read, makes the column of --target a table's target, and keeps only the entities of --entities. DSE_BAD_USAGE for a missing column, and for data without
 * columns or entities. */
enum dse_status dse_training_choose(const struct dse_cli *cli, struct dse_dataset *data, struct dse_error *err);

/* The single data set of --dataset (absent: `otherwise`, which may be NULL), with its --target and --entities. */
enum dse_status dse_training_dataset(const struct dse_cli *cli, const char *otherwise, struct dse_dataset **out,
                                     struct dse_error *err);

/* The setting for a run: the preset's, overridden by the point's (`from` may be NULL), then by --set and the knobs' own options. The caller frees
 * `out`, also after a failure. */
enum dse_status dse_training_setting(const struct dse_cli *cli, const struct dse_executor *executor,
                                     const struct dse_dataset *data, const struct dse_run *run, const struct dse_stored *from,
                                     struct dse_setting *out, struct dse_error *err);

/* Puts the values of --set KNOB=VALUE, each knob once: values of parameters checked by `knobs`, or, if that is NULL, any. */
enum dse_status dse_training_assign(const struct dse_cli *cli, const struct dse_knobs *knobs, struct dse_setting *out,
                                    struct dse_error *err);

/* DSE_BAD_USAGE if the study of --from is of another family. */
enum dse_status dse_training_of_family(const struct dse_cli *cli, const struct dse_stored *from,
                                       const struct dse_executor *executor, struct dse_error *err);
