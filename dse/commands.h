/* The commands: each in a file of its own, cmd_NAME.c, and in commands.txt. */
#pragma once

#include "dse/cli.h"

#define DSE_COMMANDS(COMMAND) \
    COMMAND(train) COMMAND(infer) COMMAND(simulate) COMMAND(validate) COMMAND(sweep) COMMAND(optimize) COMMAND(serve) COMMAND(estimate) COMMAND(compare) COMMAND(whatif) \
    COMMAND(roofline) COMMAND(plot) COMMAND(report) COMMAND(emit) COMMAND(study) COMMAND(run) COMMAND(calibrate) COMMAND(boards) COMMAND(family) \
    COMMAND(datasets) COMMAND(completions) COMMAND(doctor) COMMAND(schema) COMMAND(version)

#define DSE_DECLARE_COMMAND(name) enum dse_status dse_run_##name(const struct dse_cli *cli, struct dse_error *err);
DSE_COMMANDS(DSE_DECLARE_COMMAND)
