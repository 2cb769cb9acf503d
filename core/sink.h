/* Receives a long text piece by piece, so that the whole text is never in memory. */
#pragma once

#include "core/strbuf.h"

/* `take` is handed pieces in order, by one thread. */
struct dse_sink {
    enum dse_status (*take)(void *user, const char *bytes, size_t count, struct dse_error *err);
    void *user;
};

/* Hands over the buffer's contents and frees it. */
static inline enum dse_status dse_sink_flush(const struct dse_sink *sink, struct dse_strbuf *piece, struct dse_error *err)
{
    enum dse_status status = sink->take(sink->user, dse_strbuf_text(piece), piece->length, err);
    dse_strbuf_free(piece);
    return status;
}
