/* The commands: each in a file of its own, cmd_NAME.c. */
#ifndef DSE_DSE_COMMANDS_H
#define DSE_DSE_COMMANDS_H

#include "dse/cli.h"

extern const struct dse_command dse_cmd_boards;
extern const struct dse_command dse_cmd_calibrate;
extern const struct dse_command dse_cmd_completions;
extern const struct dse_command dse_cmd_datasets;
extern const struct dse_command dse_cmd_emit;
extern const struct dse_command dse_cmd_estimate;
extern const struct dse_command dse_cmd_infer;
extern const struct dse_command dse_cmd_report;
extern const struct dse_command dse_cmd_plot;
extern const struct dse_command dse_cmd_roofline;
extern const struct dse_command dse_cmd_run;
extern const struct dse_command dse_cmd_sweep;
extern const struct dse_command dse_cmd_optimize;
extern const struct dse_command dse_cmd_simulate;
extern const struct dse_command dse_cmd_study;
extern const struct dse_command dse_cmd_train;
extern const struct dse_command dse_cmd_validate;
extern const struct dse_command dse_cmd_version;
extern const struct dse_command dse_cmd_whatif;

#endif
