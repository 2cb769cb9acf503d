/* The options of `datasets generate`: those of all kinds of data that can be generated. */
#pragma once

#include "datasets/kind.h"
#include "dse/cli.h"

#define DSE_GENERATE_OPTIONS 32 /* options of one kind, at most */

/* For dse_command.more_options. */
void dse_generate_more_options(const char *family, struct dse_option_list *list);

/* The kind of --kind (default: the first that can be generated) and a value for each of its options. DSE_BAD_USAGE for a value out of its range, and
 * for an option of another kind. */
enum dse_status dse_generate_options(const struct dse_cli *cli, const struct dse_kind **kind,
                                     double values[DSE_GENERATE_OPTIONS], struct dse_error *err);
