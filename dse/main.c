/* The program: the table of its commands, in the order of --help. */
#include <stdlib.h>

#include "dse/cli.h"
#include "dse/commands.h"

const struct dse_command *const dse_commands[] = {
    &dse_cmd_train,
    &dse_cmd_infer,
    &dse_cmd_simulate,
    &dse_cmd_validate,
    &dse_cmd_sweep,
    &dse_cmd_optimize,
    &dse_cmd_estimate,
    &dse_cmd_whatif,
    &dse_cmd_roofline,
    &dse_cmd_plot,
    &dse_cmd_report,
    &dse_cmd_emit,
    &dse_cmd_study,
    &dse_cmd_run,
    &dse_cmd_calibrate,
    &dse_cmd_boards,
    &dse_cmd_datasets,
    &dse_cmd_completions,
    &dse_cmd_version,
};

const size_t dse_command_count = sizeof dse_commands / sizeof *dse_commands;

int main(int argc, char **argv)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* before there are threads: executor/algebra.h */
    return dse_cli_main(argc, argv);
}
