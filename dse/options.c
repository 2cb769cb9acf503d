/* The options that every command shares. */
#include "dse/options.h"

const struct dse_option dse_shared_options[] = {
    {.name = "family", .argument = "NAME", .help = "the kind of accelerator (default nysx)"},
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

const size_t dse_shared_option_count = sizeof dse_shared_options / sizeof *dse_shared_options;
