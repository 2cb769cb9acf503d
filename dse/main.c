/* The program: the tables of its commands, in the order of --help, and of the options that they share. */
#include <stdio.h>

#include "dse/commands.h"
#include "models/model.h"

/* What every command takes. */
static char family_help[128];

__attribute__((constructor)) static void name_default(void)
{
    snprintf(family_help, sizeof family_help, "the kind of accelerator (default %s)", dse_model_default()->name);
}

static const struct dse_option options[] = {
    {.name = "family", .argument = "NAME", .help = family_help},
    {.name = "board", .argument = "NAME|FILE.xml", .repeatable = true,
     .help = "a shipped board (see `boards list`; * stands for anything) or a board file"},
    {.name = "dataset", .argument = "NAME|PATH", .repeatable = true,
     .help = "a shipped profile's name (* stands for anything), a folder or .zip of graphs, .npz, .graphml, a table (.csv, .dat …)"},
    {.name = "data-dir", .argument = "DIR",
     .help = "where named data sets lie (default $NYSX_DATA_DIR)"},
    {.name = "format", .argument = "table|json|csv", .help = "the form of the result (default table)"},
    {.name = "output", .letter = 'o', .argument = "FILE", .written = true,
     .help = "write the result there instead of printing it; .json, .csv and .txt say its form"},
    {.name = "seed", .argument = "N", .help = "the seed of every random choice (default 1)"},
    {.name = "jobs", .argument = "N", .help = "threads to use (default: the processors at hand); results do not depend on it"},
    {.name = "quiet", .letter = 'q', .help = "no notes and no progress on standard error"},
    {.name = "verbose", .letter = 'v', .help = "say more on standard error"},
    {.name = "no-progress", .help = "no progress line on a terminal"},
    {.name = "save-experiment", .argument = "FILE.yaml", .help = "write the command line as an experiment that `run` takes, too", .written = true},
    {.name = "help", .letter = 'h', .help = "print this help"},
    {.name = "man", .help = "print the manual page, as in `nysx-dse sweep --man | man -l -`"},
    {.name = "version", .letter = 'V', .help = "print the version"},
};

static const struct dse_command *const commands[] = {
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

const struct dse_program dse_program = {
    .name = "nysx-dse",
    .purpose = "explore designs of FPGA accelerators for hyperdimensional computing on graphs",
    .summary = "Design-space exploration and analytical models for FPGA accelerators of hyperdimensional computing on graphs.",
    .commands = commands,
    .command_count = sizeof commands / sizeof *commands,
    .options = options,
    .option_count = sizeof options / sizeof *options,
};
