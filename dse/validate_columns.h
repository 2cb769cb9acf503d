/* `nysx-dse validate` for families whose published designs are the columns of a table (validation/columns.h). */
#ifndef DSE_DSE_VALIDATE_COLUMNS_H
#define DSE_DSE_VALIDATE_COLUMNS_H

#include "dse/cli.h"

/* Answers the command where it asks for published figures, names no data set, and the family has columns; `done` says
 * whether it did. DSE_ANSWER_NO where a mean error is above --max-error. */
enum dse_status dse_validate_columns(const struct dse_cli *cli, bool *done, struct dse_error *err);

#endif
