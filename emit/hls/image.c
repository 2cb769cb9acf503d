/* A packed model as bytes: every array, behind a table that says where and what it is. Little-endian on any machine. */
#include <string.h>

#include "emit/hls/hls.h"
#include "emit/hls/parts.h"

#define LINE 64 /* bytes: of a line of the table, and what arrays start at a multiple of */
#define NAME_BYTES 24
#define VERSION 1

static size_t lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static size_t bytes_of(const struct dse_pack_array *array)
{
    return dse_pack_elements(array) * dse_pack_type_bytes(array->type);
}

/* Arrays that are loaded come last, one behind another; the others in the order of the pack. */
static bool comes_before(const struct dse_pack *pack, size_t a, size_t b)
{
    bool a_loaded = pack->arrays[a].place == DSE_PACK_LOADED, b_loaded = pack->arrays[b].place == DSE_PACK_LOADED;
    return a_loaded != b_loaded ? b_loaded : a < b;
}

size_t dse_hls_image_offset(const struct dse_pack *pack, size_t index)
{
    size_t offset = LINE * (1 + pack->count);
    for (size_t i = 0; i < pack->count; i++)
        if (comes_before(pack, i, index))
            offset += lines(bytes_of(&pack->arrays[i]));
    return offset;
}

size_t dse_hls_image_loaded(const struct dse_pack *pack)
{
    size_t begin = SIZE_MAX, end = 0;
    for (size_t i = 0; i < pack->count; i++) {
        if (pack->arrays[i].place != DSE_PACK_LOADED)
            continue;
        size_t offset = dse_hls_image_offset(pack, i), behind = offset + lines(bytes_of(&pack->arrays[i]));
        begin = offset < begin ? offset : begin;
        end = behind > end ? behind : end;
    }
    return end > begin ? end - begin : 0;
}

static void add_number(struct dse_strbuf *out, uint64_t value, size_t bytes)
{
    char text[8];
    for (size_t b = 0; b < bytes; b++)
        text[b] = (char)(unsigned char)(value >> (8 * b) & 255);
    dse_strbuf_add_n(out, text, bytes);
}

static void pad(struct dse_strbuf *out, size_t length)
{
    static const char zeros[LINE] = {0};
    while (!out->failed && out->length < length)
        dse_strbuf_add_n(out, zeros, length - out->length < LINE ? length - out->length : LINE);
}

static void add_line(const struct dse_pack *pack, size_t index, struct dse_strbuf *out)
{
    const struct dse_pack_array *array = &pack->arrays[index];
    char name[NAME_BYTES] = {0};
    memcpy(name, array->name, strnlen(array->name, NAME_BYTES - 1));
    dse_strbuf_add_n(out, name, sizeof name);
    add_number(out, (uint64_t)array->type, 4);
    add_number(out, (uint64_t)array->place, 4);
    for (size_t d = 0; d < DSE_PACK_DIMENSIONS; d++)
        add_number(out, d < array->dimension_count ? array->dimensions[d] : 0, 4);
    add_number(out, 0, 4);
    add_number(out, dse_hls_image_offset(pack, index), 8);
    add_number(out, bytes_of(array), 8);
}

static void add_values(const struct dse_pack_array *array, struct dse_strbuf *out)
{
    size_t elements = dse_pack_elements(array), bytes = dse_pack_type_bytes(array->type);
    for (size_t i = 0; i < elements; i++) {
        uint64_t value = 0;
        uint32_t half = 0;
        if (bytes == 8) {
            memcpy(&value, (const char *)array->values + i * bytes, bytes);
        } else {
            memcpy(&half, (const char *)array->values + i * bytes, bytes);
            value = half;
        }
        add_number(out, value, bytes);
    }
}

void dse_hls_image(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_pack *pack = design->pack;
    dse_strbuf_add_n(out, "dse-pack", 8);
    add_number(out, VERSION, 8);
    add_number(out, pack->count, 8);
    pad(out, LINE);
    for (size_t i = 0; i < pack->count; i++)
        add_line(pack, i, out);
    for (int loaded = 0; loaded < 2; loaded++)
        for (size_t i = 0; i < pack->count; i++) {
            if ((pack->arrays[i].place == DSE_PACK_LOADED) != (loaded == 1))
                continue;
            pad(out, dse_hls_image_offset(pack, i));
            add_values(&pack->arrays[i], out);
        }
    pad(out, lines(out->length));
}
