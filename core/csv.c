#include "core/csv.h"

#include <stdbool.h>
#include <string.h>

#include "core/number.h"
#include "core/utf8.h"

static bool is_formula(const char *text)
{
    return *text != '\0' && strchr("=+-@", *text) != NULL && text[1] != '\0' && dse_number_length(text) != strlen(text);
}

void dse_csv_field(struct dse_strbuf *out, const char *text)
{
    char shown[DSE_UTF8_SHOWN];
    const char *mark = strpbrk(text, ",\"") != NULL ? "\"" : "";
    dse_strbuf_add(out, mark);
    dse_strbuf_add(out, is_formula(text) ? "'" : "");
    for (size_t taken; (taken = dse_utf8_shown(text, shown)) > 0; text += taken) {
        dse_strbuf_add(out, *text == '"' ? "\"" : "");
        dse_strbuf_add(out, shown);
    }
    dse_strbuf_add(out, mark);
}
