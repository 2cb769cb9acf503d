/* The loops of synthesis reports beside those that a design's models and checker expect, and what fits the one to the other. */
#ifndef DSE_REPORTS_LOOPS_H
#define DSE_REPORTS_LOOPS_H

#include <jansson.h>

#include "core/strbuf.h"
#include "reports/synthesis.h"

/* `expected` is a folder's expected.json; `checked` the report of its checker, or NULL where that cannot run: then depths are
 * not known. Reports that could not be read, or have no loops, are passed over. A loop is known by its label. `text` receives
 * a table and the fits; the result is {"loops": […], "depth": fit, "cycles": fit, "whole": […]}, a new reference, NULL when
 * memory runs out. A fit is the factor that takes what was expected to what is reported, by least squares through 0, with the
 * root mean square of the relative errors before and after. O(reported × expected loops). */
json_t *dse_loops_compare(const json_t *expected, const json_t *checked, const struct dse_report_row *rows, size_t count,
                          struct dse_strbuf *text);

#endif
