#include "executor/calls.h"

static void put(struct dse_strbuf *out, uint32_t word)
{
    const char bytes[4] = {(char)(word & 255), (char)(word >> 8 & 255), (char)(word >> 16 & 255), (char)(word >> 24)};
    dse_strbuf_add_n(out, bytes, sizeof bytes);
}

static void set(struct dse_strbuf *out, size_t at, uint32_t word)
{
    for (size_t b = 0; b < 4; b++)
        out->text[at + b] = (char)(word >> (8 * b) & 255);
}

/* Counts one more in the open list. */
static void count_one(struct dse_calls *calls)
{
    const unsigned char *at = (const unsigned char *)calls->out->text + calls->part;
    set(calls->out, calls->part, (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24) + 1);
}

static void open_list(struct dse_calls *calls)
{
    calls->part = calls->out->length;
    put(calls->out, 0);
}

void dse_calls_begin(struct dse_calls *calls, struct dse_strbuf *out)
{
    *calls = (struct dse_calls){.out = out, .head = out->length};
    put(out, 0);
    put(out, 0);
}

void dse_calls_call(struct dse_calls *calls, uint32_t items, const uint32_t *registers, size_t register_count)
{
    set(calls->out, calls->head, calls->items += items);
    set(calls->out, calls->head + 4, ++calls->calls);
    put(calls->out, items);
    for (size_t i = 0; i < register_count; i++)
        put(calls->out, registers[i]);
    open_list(calls);
}

void dse_calls_part(struct dse_calls *calls, bool counted, const uint32_t *registers, size_t register_count)
{
    calls->last = counted ? calls->out->length : calls->last;
    dse_calls_call(calls, 0, registers, register_count);
    if (counted)
        set(calls->out, calls->last, DSE_CALLS_GOES_ON);
}

void dse_calls_end(struct dse_calls *calls, uint32_t items)
{
    set(calls->out, calls->head, calls->items += items);
    if (calls->last > 0)
        set(calls->out, calls->last, items);
}

static void put_range(struct dse_calls *calls, uint32_t port, uint32_t first, size_t words)
{
    count_one(calls);
    put(calls->out, port);
    put(calls->out, first);
    put(calls->out, (uint32_t)words);
}

static void put_words(struct dse_calls *calls, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(calls->out, words[i]);
}

void dse_calls_write(struct dse_calls *calls, uint32_t port, uint32_t first, const uint32_t *words, size_t count)
{
    put_range(calls, port, first, count);
    put(calls->out, 0);
    put_words(calls, words, count);
}

void dse_calls_write_array(struct dse_calls *calls, uint32_t port, uint32_t first, uint32_t number, size_t count)
{
    put_range(calls, port, first, count);
    put(calls->out, number);
}

void dse_calls_expect(struct dse_calls *calls)
{
    open_list(calls);
}

void dse_calls_words(struct dse_calls *calls, uint32_t port, uint32_t first, const uint32_t *words, size_t count)
{
    put_range(calls, port, first, count);
    put_words(calls, words, count);
}
