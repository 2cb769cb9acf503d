/* "combine": one design for several data sets, for `sweep` and `optimize`. */
#pragma once

#include "dse/cli.h"
#include "explore/terms.h"

/* Answers and prints for each board. */
enum dse_status dse_joint_run(const struct dse_cli *cli, const struct dse_terms *terms, const char *command,
                              struct dse_error *err);
