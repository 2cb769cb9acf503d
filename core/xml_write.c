/* Writing XML. */
#include "core/strbuf.h"
#include "core/xml.h"

void dse_xml_escape(struct dse_strbuf *buf, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': dse_strbuf_add(buf, "&amp;"); break;
        case '<': dse_strbuf_add(buf, "&lt;"); break;
        case '>': dse_strbuf_add(buf, "&gt;"); break;
        case '"': dse_strbuf_add(buf, "&quot;"); break;
        case '\'': dse_strbuf_add(buf, "&apos;"); break;
        default: dse_strbuf_add_char(buf, *text, 1);
        }
    }
}

/* The length of the UTF-8 sequence at `at` that XML 1.0 can hold, or 0. */
static size_t sequence_length(const unsigned char *at)
{
    if (*at < 0x80)
        return *at >= 0x20 || *at == '\t' || *at == '\n' || *at == '\r';
    size_t length = *at >= 0xF0 && *at < 0xF5 ? 4 : *at >= 0xE0 ? 3 : *at >= 0xC2 ? 2 : 0;
    if (length == 0 || *at >= 0xF5)
        return 0;
    unsigned long code = *at & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3F);
    }
    static const unsigned long smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    bool allowed = code >= smallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) &&
                   code != 0xFFFE && code != 0xFFFF;
    return allowed ? length : 0;
}

void dse_xml_write_text(struct dse_strbuf *buf, const char *text)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = sequence_length((const unsigned char *)at);
        if (length == 0)
            dse_strbuf_add(buf, "\xEF\xBF\xBD");
        else if (length > 1)
            dse_strbuf_add_n(buf, at, length);
        else if (*at < ' ')
            dse_strbuf_printf(buf, "&#%d;", *at);
        else
            dse_xml_escape(buf, (const char[]){*at, '\0'});
        at += length > 0 ? length : 1;
    }
}

void dse_xml_write_attribute(struct dse_strbuf *buf, const char *name, const char *value)
{
    dse_strbuf_printf(buf, " %s=\"", name);
    dse_xml_write_text(buf, value);
    dse_strbuf_add(buf, "\"");
}
