/* Figures as SVG, PDF and PNG: one drawing, three forms, by Cairo. */
#pragma once

#include <stdbool.h>

#include "core/status.h"
#include "core/strbuf.h"

typedef struct _cairo cairo_t;

enum dse_figure_form { DSE_FIGURE_SVG, DSE_FIGURE_PDF, DSE_FIGURE_PNG, DSE_FIGURE_FORM_COUNT };

/* Format selected by the path's extension (.svg, .pdf, .png, case-insensitive), or −1. */
int dse_figure_form_of(const char *path);

/* As dse_figure_form_of; DSE_BAD_USAGE for another extension. */
enum dse_status dse_figure_form(const char *path, enum dse_figure_form *out, struct dse_error *err);

/* Draws on a white background of width × height (points; for PNG pixels) with the font selected. */
typedef void dse_figure_draw(cairo_t *cr, const void *user);

struct dse_drawing {
    double width, height;
    double text; /* font size */
    dse_figure_draw *draw;
    const void *user;
    const char *font; /* NULL: DejaVu Sans */
};

/* Appends the figure's bytes. DSE_LIMIT if Cairo fails. */
enum dse_status dse_figure_render(const struct dse_drawing *figure, enum dse_figure_form form, struct dse_strbuf *out,
                                  struct dse_error *err);
