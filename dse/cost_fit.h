/* `calibrate --engine`: cost factors from the reports that were read. */
#ifndef DSE_DSE_COST_FIT_H
#define DSE_DSE_COST_FIT_H

#include "dse/cli.h"
#include "reports/synthesis.h"

/* True for an operand that is an assignment of a configuration ("kse.pe=4") and no file. */
bool dse_cost_fit_is_assignment(const char *operand);

/* Fits the factors of --engine to the reports of `rows` that could be read, for --board and --dataset, each at its
 * configuration, and writes the calibration to `path` (NULL: nowhere). `text` receives what people read, `json`
 * (a new reference) what programs read. */
enum dse_status dse_cost_fit(const struct dse_cli *cli, const struct dse_report_row *rows, size_t count,
                             const char *path, struct dse_strbuf *text, json_t **json, struct dse_error *err);

#endif
