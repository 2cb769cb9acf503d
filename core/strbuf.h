/* A growing string. */
#pragma once

#include <stddef.h>

#include "core/status.h"

/* Empty when zeroed. `text` is NULL until something is added, and NUL-terminated from then on. */
struct dse_strbuf {
    char *text;
    size_t length, capacity;
};

void dse_strbuf_add(struct dse_strbuf *buf, const char *text);
void dse_strbuf_add_n(struct dse_strbuf *buf, const char *bytes, size_t count);
void dse_strbuf_add_char(struct dse_strbuf *buf, char c, size_t times);
void dse_strbuf_printf(struct dse_strbuf *buf, const char *format, ...) DSE_PRINTF(2, 3);

/* A word as a POSIX shell takes it: unchanged if no character is special to a shell, else between single quotes. */
void dse_strbuf_add_shell(struct dse_strbuf *buf, const char *word);

/* The text so far; "" if nothing was added. Valid until the next addition. */
const char *dse_strbuf_text(const struct dse_strbuf *buf);

/* Releases the memory and leaves the buffer empty. */
void dse_strbuf_free(struct dse_strbuf *buf);
