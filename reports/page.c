/* Assembles the page: fills the template with styles, scripts and data. */
#include "reports/page.h"

#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/utf8.h"
#include "core/version.h"
#include "page_parts.h"

struct part {
    const unsigned char *bytes;
    const size_t *size;
};

/* Scripts in dependency order. */
static const struct part scripts[] = {
    {page_core_js, &page_core_js_size},       {page_points_js, &page_points_js_size},
    {page_scatter_js, &page_scatter_js_size}, {page_filters_js, &page_filters_js_size},
    {page_rows_js, &page_rows_js_size},       {page_design_js, &page_design_js_size},
    {page_compare_js, &page_compare_js_size}, {page_exports_js, &page_exports_js_size},
    {page_facts_js, &page_facts_js_size},     {page_start_js, &page_start_js_size},
};

static void add_part(struct dse_strbuf *out, const unsigned char *bytes, size_t size)
{
    dse_strbuf_add_n(out, (const char *)bytes, size);
}

static void add_escaped(struct dse_strbuf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '&': dse_strbuf_add(out, "&amp;"); break;
        case '<': dse_strbuf_add(out, "&lt;"); break;
        case '>': dse_strbuf_add(out, "&gt;"); break;
        case '"': dse_strbuf_add(out, "&quot;"); break;
        default: dse_strbuf_add_n(out, text + i, 1);
        }
}

static void add_title(struct dse_strbuf *out, const char *title)
{
    struct dse_strbuf shown = {0};
    dse_utf8_show(&shown, title, false);
    add_escaped(out, dse_strbuf_text(&shown), shown.length);
    dse_strbuf_free(&shown);
}

/* Escapes JSON for a script element: nothing may look like the element's end or like markup. Already escaped
 * control characters stay escaped: the page shows the escape. */
static void add_json(struct dse_strbuf *out, const char *text)
{
    while (*text != '\0') {
        size_t plain = strcspn(text, "<>&\\");
        dse_strbuf_add_n(out, text, plain);
        text += plain;
        if (*text == '\\') {
            dse_strbuf_add(out, text[1] == 'u' ? "\\" : "");
            dse_strbuf_add_n(out, text, 2);
            text += 2;
        } else if (*text != '\0') {
            dse_strbuf_printf(out, "\\u%04x", (unsigned)*text++);
        }
    }
}

static enum dse_status add_data(const struct dse_page *page, struct dse_strbuf *out, struct dse_error *err)
{
    json_t *json = NULL;
    enum dse_status status = dse_page_json(page, &json, err);
    if (status != DSE_OK)
        return status;
    char *text = dse_json_text(json, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(json);
    add_json(out, text);
    free(text);
    return DSE_OK;
}

static bool is_place(const char *name, size_t length, const char *place)
{
    return strlen(place) == length && strncmp(name, place, length) == 0;
}

static enum dse_status fill_place(const struct dse_page *page, const char *name, size_t length, struct dse_strbuf *out,
                                  struct dse_error *err)
{
    if (is_place(name, length, "DATA"))
        return add_data(page, out, err);
    if (is_place(name, length, "TITLE"))
        add_title(out, page->title);
    else if (is_place(name, length, "GENERATOR"))
        dse_strbuf_add(out, "nysx-dse " DSE_VERSION);
    else if (is_place(name, length, "STYLE"))
        add_part(out, page_css, page_css_size);
    else if (is_place(name, length, "CHART"))
        add_part(out, page_chart, page_chart_size);
    else if (is_place(name, length, "LICENCE"))
        add_escaped(out, (const char *)page_licence, page_licence_size);
    else
        for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
            add_part(out, scripts[i].bytes, *scripts[i].size);
    return DSE_OK;
}

enum dse_status dse_page_write(const struct dse_page *page, struct dse_strbuf *out, struct dse_error *err)
{
    const char *at = (const char *)page_html, *end = at + page_html_size;
    while (at < end) {
        const char *place = memchr(at, '@', (size_t)(end - at));
        size_t plain = (size_t)((place != NULL ? place : end) - at);
        dse_strbuf_add_n(out, at, plain);
        at += plain;
        if (place == NULL)
            break;
        size_t length = strspn(place + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        DSE_TRY(fill_place(page, place + 1, length, out, err));
        at = place + length + 2;
    }
    return DSE_OK;
}
