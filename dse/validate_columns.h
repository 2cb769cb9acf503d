/* `nysx-dse validate` for families whose published designs are the columns of a table (validation/columns.h). */
#ifndef DSE_DSE_VALIDATE_COLUMNS_H
#define DSE_DSE_VALIDATE_COLUMNS_H

#include <jansson.h>

#include "core/strbuf.h"
#include "dse/cli.h"

/* Answers the command where it asks for published figures alone, or for all and names no data set, and the family has
 * columns; `done` says whether it did. A data set has no say in them. DSE_ANSWER_NO where a mean error is above --max-error. */
enum dse_status dse_validate_columns(const struct dse_cli *cli, bool *done, struct dse_error *err);

/* What the columns add to an answer about data sets too: elements for the arrays of the JSON form, the constants (NULL for
 * none), tables, and the largest mean error. Nothing for a family without columns. */
struct dse_validate_columns_part {
    json_t *rows, *summary; /* the answer's arrays, added to */
    json_t *fitted;         /* new, the caller's to release */
    struct dse_strbuf *table; /* appended to */
    double worst;
};
enum dse_status dse_validate_columns_add(const struct dse_cli *cli, struct dse_validate_columns_part *part,
                                         struct dse_error *err);

#endif
