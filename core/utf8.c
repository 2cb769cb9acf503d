#include "core/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t dse_utf8_length(const unsigned char *at, size_t left)
{
    size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xC2 && at[0] < 0xE0 ? 2 : at[0] >= 0xE0 && at[0] < 0xF0 ? 3
                  : at[0] >= 0xF0 && at[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90);
    bool beyond = (at[0] == 0xED && at[1] > 0x9F) || (at[0] == 0xF4 && at[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

uint32_t dse_utf8_code(const unsigned char *at, size_t length)
{
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = at[0] & first_bits[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (at[i] & 0x3F);
    return code;
}

/* Characters that a terminal acts on instead of drawing, except C0. */
static const struct {
    uint32_t first, last;
} obeyed[] = {{0x7F, 0x9F}, {0x61C, 0x61C}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};

static bool is_obeyed(uint32_t code)
{
    bool found = code < 0x20;
    for (size_t i = 0; i < sizeof obeyed / sizeof *obeyed; i++)
        found |= code >= obeyed[i].first && code <= obeyed[i].last;
    return found;
}

size_t dse_utf8_shown(const char *text, char shown[static DSE_UTF8_SHOWN])
{
    const unsigned char *at = (const unsigned char *)text;
    size_t left = strnlen(text, 4), length = left > 0 ? dse_utf8_length(at, left) : 0;
    *shown = '\0';
    if (left == 0)
        return 0;
    const uint32_t code = dse_utf8_code(at, length);
    if (length == 0)
        snprintf(shown, DSE_UTF8_SHOWN, "\\x%02x", at[0]);
    else if (is_obeyed(code))
        snprintf(shown, DSE_UTF8_SHOWN, "\\u%04x", (unsigned)code & 0xFFFF);
    else
        snprintf(shown, DSE_UTF8_SHOWN, "%.*s", (int)length, text);
    return length > 0 ? length : 1;
}

/* Bytes at the start of the text that are printable ASCII, as most are. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    while (text[length] >= 0x20 && text[length] < 0x7F)
        length++;
    return length;
}

void dse_utf8_show(struct dse_strbuf *out, const char *text, bool lines)
{
    char shown[DSE_UTF8_SHOWN];
    for (;;) {
        size_t plain = plain_length(text);
        dse_strbuf_add_n(out, text, plain);
        text += plain;
        if (*text == '\0')
            return;
        bool end = lines && *text == '\n';
        text += end ? 1 : dse_utf8_shown(text, shown);
        dse_strbuf_add(out, end ? "\n" : shown);
    }
}

void dse_utf8_caret(const char *text, size_t offset, char *message, size_t size)
{
    size_t start = offset, end = offset, used = strlen(message), column = 0;
    while (start > 0 && text[start - 1] != '\n' && offset - start < 60)
        start--;
    while (((unsigned char)text[start] & 0xc0) == 0x80 && start < offset)
        start++;
    while (text[end] != '\0' && text[end] != '\n' && end - start < 100)
        end++;
    while (((unsigned char)text[end] & 0xc0) == 0x80)
        end++;
    if (end == start || used + 2 * (end - start) + 16 >= size)
        return;
    used += (size_t)snprintf(message + used, size - used, "\n  ");
    for (size_t at = start; at < end;) {
        char shown[DSE_UTF8_SHOWN];
        size_t taken = dse_utf8_shown(text + at, shown);
        if (used + sizeof shown + offset - start + 8 >= size)
            break;
        column += at < offset ? (((unsigned char)shown[0] >= 0x80) ? 1 : strlen(shown)) : 0;
        used += (size_t)snprintf(message + used, size - used, "%s", shown);
        at += taken;
    }
    snprintf(message + used, size - used, "\n  %*s^", (int)column, "");
}
