/* Rooflines as tables, JSON and figures. */
#ifndef DSE_REPORTS_ROOFLINE_H
#define DSE_REPORTS_ROOFLINE_H

#include "reports/estimate.h"
#include "reports/figure.h"
#include "devices/machines.h"
#include "roofline/roofline.h"

/* A roofline with what it is called: "MUTAG", "MUTAG, chosen". */
struct dse_roofline_report {
    const char *title;
    const struct dse_roofline *roofline;
    const struct dse_machines *machines; /* references beside the board, those of the first report; may be NULL */
};

/* "nysx-dse.roofline/1": "results", each with its roofs and points, and "references", the machines. NULL when memory runs
 * out; the caller's reference. */
json_t *dse_rooflines_json(const struct dse_roofline_report *reports, size_t count);
void dse_rooflines_write(const struct dse_roofline_report *reports, size_t count, size_t width, struct dse_strbuf *out);

/* Draws all into one figure whose form the ending of `path` says: .svg, .pdf or .png. Written atomically. DSE_BAD_USAGE
 * for another ending, DSE_LIMIT where drawing or writing fails. */
enum dse_status dse_rooflines_draw(const struct dse_roofline_report *reports, size_t count, const char *path,
                                   struct dse_error *err);

/* The same as bytes. DSE_LIMIT where drawing fails. */
enum dse_status dse_rooflines_render(const struct dse_roofline_report *reports, size_t count, enum dse_figure_form form,
                                     struct dse_strbuf *out, struct dse_error *err);

#endif
