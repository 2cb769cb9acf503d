/* The options of `datasets generate`, read into what they ask for. */
#ifndef DSE_DSE_GENERATE_OPTIONS_H
#define DSE_DSE_GENERATE_OPTIONS_H

#include "datasets/generate.h"
#include "dse/cli.h"

/* Replaces what the options say in `what`. DSE_BAD_USAGE names the option, its value and what is allowed. */
enum dse_status dse_generate_options(const struct dse_cli *cli, struct dse_generate *what, struct dse_error *err);

#endif
