#include "reports/figure.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"

static const char *const endings[DSE_FIGURE_FORM_COUNT] = {".svg", ".pdf", ".png"};

int dse_figure_form_of(const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < DSE_FIGURE_FORM_COUNT; i++)
        if (length > 4 && strcasecmp(path + length - 4, endings[i]) == 0)
            return i;
    return -1;
}

enum dse_status dse_figure_form(const char *path, enum dse_figure_form *out, struct dse_error *err)
{
    int form = dse_figure_form_of(path);
    if (form < 0)
        return dse_fail(err, DSE_BAD_USAGE, "%s: must end in .svg, .pdf or .png", path);
    *out = (enum dse_figure_form)form;
    return DSE_OK;
}

static cairo_status_t collect(void *user, const unsigned char *bytes, unsigned int count)
{
    struct dse_strbuf *out = user;
    dse_strbuf_add_n(out, (const char *)bytes, count);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *create(const struct dse_drawing *figure, enum dse_figure_form form, struct dse_strbuf *out)
{
    if (form == DSE_FIGURE_PNG)
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)figure->width, (int)figure->height);
    if (form == DSE_FIGURE_SVG)
        return cairo_svg_surface_create_for_stream(collect, out, figure->width, figure->height);
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(collect, out, figure->width, figure->height);
    /* Equal figures must give equal bytes: fixed creation time. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    return surface;
}

/* Cairo numbers a program's surfaces and writes the number into the file; removes it, so that equal figures give equal bytes. */
static void drop_number(struct dse_strbuf *out, size_t from)
{
    static const char name[] = "id=\"surface";
    char *at = out->text != NULL ? strstr(out->text + from, name) : NULL;
    if (at == NULL)
        return;
    at += sizeof name - 1;
    size_t digits = strspn(at, "0123456789");
    memmove(at, at + digits, strlen(at + digits) + 1);
    out->length -= digits;
}

#define FONTS_ROOM ((size_t)4 << 20) /* Fontconfig reads its files in this room; without it, it prints errors of its own and goes on */

enum dse_status dse_figure_render(const struct dse_drawing *figure, enum dse_figure_form form, struct dse_strbuf *out,
                                  struct dse_error *err)
{
    size_t from = out->length;
    free(dse_malloc(FONTS_ROOM));
    cairo_surface_t *surface = create(figure, form, out);
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
    cairo_paint(cr);
    cairo_select_font_face(cr, figure->font != NULL ? figure->font : "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, figure->text);
    figure->draw(cr, figure->user);
    cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    if (drawn == CAIRO_STATUS_SUCCESS && form == DSE_FIGURE_PNG)
        drawn = cairo_surface_write_to_png_stream(surface, collect, out);
    cairo_surface_finish(surface);
    if (drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (drawn == CAIRO_STATUS_NO_MEMORY)
        dse_memory_exhausted();
    if (drawn != CAIRO_STATUS_SUCCESS)
        return dse_fail(err, DSE_LIMIT, "cannot draw a picture of %.0f by %.0f points", figure->width, figure->height);
    if (form == DSE_FIGURE_SVG)
        drop_number(out, from);
    return DSE_OK;
}
