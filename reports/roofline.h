/* Rooflines as tables, JSON and figures. */
#pragma once

#include "reports/chart.h"
#include "reports/estimate.h"
#include "reports/figure.h"
#include "devices/machines.h"
#include "roofline/roofline.h"

/* A roofline with its title: "MUTAG", "MUTAG, chosen". */
struct dse_roofline_report {
    const char *title;
    const struct dse_roofline *roofline;
    const struct dse_estimate *estimate;
    const struct dse_setting *facts;     /* facts of the data set's profile */
    const struct dse_machines *machines; /* references to compare with, of the first report; may be NULL */
};

/* "nysx-dse.roofline/1": "results", each with roofs and points, and "references", the machines. Owned by the
 * caller. */
json_t *dse_rooflines_json(const struct dse_roofline_report *reports, size_t count);
void dse_rooflines_write(const struct dse_roofline_report *reports, size_t count, size_t width, struct dse_strbuf *out);

/* One line per roof, machine roof and engine: title, board, kind, name, level, operations and bytes per second, operations per byte. */
void dse_rooflines_write_csv(const struct dse_roofline_report *reports, size_t count, struct dse_strbuf *out);

/* Default picture style. */
#define DSE_ROOFLINE_STYLE ((struct dse_chart_style){1200.0, 840.0, 72.0, "DejaVu Sans", 0.0, .title = NULL})

/* Draws all rooflines into one figure, one panel of the style's size per board; the extension of `path` selects .svg, .pdf or .png. Written
 * atomically. DSE_BAD_USAGE for another extension or if the size leaves no room, DSE_LIMIT if drawing or writing fails. */
enum dse_status dse_rooflines_draw(const struct dse_roofline_report *reports, size_t count, const struct dse_chart_style *style,
                                   const char *path, struct dse_error *err);

/* As dse_rooflines_draw, but appends the bytes to `out`. */
enum dse_status dse_rooflines_render(const struct dse_roofline_report *reports, size_t count, const struct dse_chart_style *style,
                                     enum dse_figure_form form, struct dse_strbuf *out, struct dse_error *err);
