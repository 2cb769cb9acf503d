/* From the command line to a study: what `sweep` and `optimize` keep, and where they go on. */
#ifndef DSE_DSE_STUDYING_H
#define DSE_DSE_STUDYING_H

#include "dse/workbench.h"
#include "search/study.h"

/* The options that go with it, for a command's table. */
#define DSE_STUDY_OPTIONS                                                                                    \
    {.name = "study", .argument = "FILE.db",                                                                 \
     .help = "keep what is found in this file, point by point, with its inputs and their hashes"},           \
    {.name = "resume", .help = "go on with the study of --study where it was ended; the same question only"}

/* Opens the study of --study (NULL without it): for these boards and data sets and everything on the command line that
 * the answer depends on. `resolved` are further words that it depends on, by name, in place of the command line's own
 * ("objectives", "method"). */
enum dse_status dse_studying_begin(const struct dse_cli *cli, const struct dse_workbench *bench, const char *command,
                                   const struct dse_setting *resolved, struct dse_study **out, struct dse_error *err);

#endif
