/* Fronts as figures. */
#ifndef DSE_REPORTS_FRONT_FIGURE_H
#define DSE_REPORTS_FRONT_FIGURE_H

#include "reports/page.h"

/* Draws each view's front in a panel of its own, the first objective across, the second up (of a single objective: latency,
 * or energy where it is latency itself), the third by the area of the marks; with the paper's design and the chosen one. The
 * ending of `path` says the form: .svg, .pdf or .png. Written atomically. DSE_BAD_USAGE for another ending, DSE_LIMIT where
 * drawing or writing fails. */
enum dse_status dse_fronts_draw(const struct dse_page_view *views, size_t count, const char *path, struct dse_error *err);

#endif
