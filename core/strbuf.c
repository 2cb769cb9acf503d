#include "core/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static void reserve(struct dse_strbuf *buf, size_t more)
{
    if (more > SIZE_MAX / 4 - buf->length)
        dse_memory_exhausted();
    size_t needed = buf->length + more + 1;
    if (needed <= buf->capacity)
        return;
    size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;
    while (capacity < needed)
        capacity *= 2;
    buf->text = dse_realloc(buf->text, capacity);
    buf->capacity = capacity;
}

void dse_strbuf_add_n(struct dse_strbuf *buf, const char *bytes, size_t count)
{
    reserve(buf, count);
    if (count > 0)
        memcpy(buf->text + buf->length, bytes, count);
    buf->length += count;
    buf->text[buf->length] = '\0';
}

void dse_strbuf_add(struct dse_strbuf *buf, const char *text)
{
    dse_strbuf_add_n(buf, text, strlen(text));
}

void dse_strbuf_add_char(struct dse_strbuf *buf, char c, size_t times)
{
    reserve(buf, times);
    memset(buf->text + buf->length, c, times);
    buf->length += times;
    buf->text[buf->length] = '\0';
}

void dse_strbuf_printf(struct dse_strbuf *buf, const char *format, ...)
{
    va_list arguments;
    reserve(buf, 64);
    for (size_t room = buf->capacity - buf->length;; room = buf->capacity - buf->length) {
        va_start(arguments, format);
        int needed = vsnprintf(buf->text + buf->length, room, format, arguments);
        va_end(arguments);
        if (needed < 0)
            break; /* a format that the C library rejects */
        if ((size_t)needed < room) {
            buf->length += (size_t)needed;
            return;
        }
        reserve(buf, (size_t)needed);
    }
    buf->text[buf->length] = '\0';
}

void dse_strbuf_add_shell(struct dse_strbuf *buf, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        dse_strbuf_add(buf, word);
        return;
    }
    dse_strbuf_add(buf, "'");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            dse_strbuf_add(buf, "'\\''");
        else
            dse_strbuf_add_char(buf, *word, 1);
    dse_strbuf_add(buf, "'");
}

const char *dse_strbuf_text(const struct dse_strbuf *buf)
{
    return buf->text != NULL ? buf->text : "";
}

void dse_strbuf_free(struct dse_strbuf *buf)
{
    free(buf->text);
    *buf = (struct dse_strbuf){0};
}
