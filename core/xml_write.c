/* Writing XML. */
#include <stdlib.h>
#include <string.h>

#include "core/strbuf.h"
#include "core/utf8.h"
#include "core/xml.h"

/* The length of the UTF-8 sequence at `at` that XML 1.0 can hold, or 0. */
static size_t sequence_length(const unsigned char *at)
{
    if (*at < 0x80)
        return *at >= 0x20 || *at == '\t' || *at == '\n' || *at == '\r';
    const size_t length = dse_utf8_length(at, 4); /* never beyond the NUL, which continues nothing */
    const uint32_t code = dse_utf8_code(at, length);
    return code != 0xFFFE && code != 0xFFFF ? length : 0;
}

/* A character that XML can hold: the five special ones by name, and by number those that an editor would act on. */
static void add_character(struct dse_strbuf *buf, const char *at, size_t length)
{
    char shown[DSE_UTF8_SHOWN];
    dse_utf8_shown(at, shown);
    switch (*at) {
    case '&': dse_strbuf_add(buf, "&amp;"); break;
    case '<': dse_strbuf_add(buf, "&lt;"); break;
    case '>': dse_strbuf_add(buf, "&gt;"); break;
    case '"': dse_strbuf_add(buf, "&quot;"); break;
    case '\'': dse_strbuf_add(buf, "&apos;"); break;
    case '\\': dse_strbuf_add(buf, "\\"); break;
    default:
        if (*shown == '\\')
            dse_strbuf_printf(buf, "&#%lu;", strtoul(shown + strlen("\\u"), NULL, 16));
        else
            dse_strbuf_add_n(buf, at, length);
    }
}

static void add_text(struct dse_strbuf *buf, const char *text, const char *kept)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = sequence_length((const unsigned char *)at);
        if (length == 0)
            dse_strbuf_add(buf, "\xEF\xBF\xBD");
        else if (strchr(kept, *at) != NULL)
            dse_strbuf_add_n(buf, at, 1);
        else
            add_character(buf, at, length);
        at += length > 0 ? length : 1;
    }
}

void dse_xml_escape(struct dse_strbuf *buf, const char *text)
{
    add_text(buf, text, "\t\n");
}

void dse_xml_write_text(struct dse_strbuf *buf, const char *text)
{
    add_text(buf, text, "");
}

void dse_xml_write_attribute(struct dse_strbuf *buf, const char *name, const char *value)
{
    dse_strbuf_printf(buf, " %s=\"", name);
    dse_xml_write_text(buf, value);
    dse_strbuf_add(buf, "\"");
}
