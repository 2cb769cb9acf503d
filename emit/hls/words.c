#include "emit/hls/words.h"

#include <ctype.h>
#include <string.h>

void dse_words_macro(struct dse_strbuf *out, const char *name)
{
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        dse_strbuf_add_char(out, c < 128 && isalnum(c) ? (char)toupper(c) : '_', 1);
    }
}

void dse_words_plain(struct dse_strbuf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = c < 128 && (isalnum(c) || strchr(" ._+-:,()", c) != NULL);
        dse_strbuf_add_char(out, plain ? (char)c : '_', 1);
    }
}

void dse_words_literal(struct dse_strbuf *out, const char *text)
{
    dse_strbuf_add_char(out, '"', 1);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            dse_strbuf_add_char(out, '\\', 1);
        dse_strbuf_add_char(out, c >= 32 && c < 127 ? (char)c : '?', 1);
    }
    dse_strbuf_add_char(out, '"', 1);
}
