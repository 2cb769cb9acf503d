/* A packed model as bytes: a table with each array's place and type, then every array. Little-endian on any machine. */
#include <string.h>

#include <xxhash.h>

#include "emit/fields.h"

#define LINE 64 /* bytes of a line of the table; arrays start at a multiple of it */
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

/* Loaded arrays come last, one after another; the others are in the order of the pack. */
static bool comes_before(const struct dse_pack *pack, size_t a, size_t b)
{
    bool a_loaded = pack->arrays[a].place == DSE_PACK_LOADED, b_loaded = pack->arrays[b].place == DSE_PACK_LOADED;
    return a_loaded != b_loaded ? b_loaded : a < b;
}

size_t dse_emission_image_offset(const struct dse_pack *pack, size_t index)
{
    size_t offset = LINE * (1 + pack->count);
    for (size_t i = 0; i < pack->count; i++)
        if (comes_before(pack, i, index))
            offset += lines(bytes_of(&pack->arrays[i]));
    return offset;
}

size_t dse_emit_loaded_bytes(const struct dse_pack *pack)
{
    size_t bytes = 0;
    for (size_t i = 0; i < pack->count; i++)
        bytes += pack->arrays[i].place == DSE_PACK_LOADED ? lines(bytes_of(&pack->arrays[i])) : 0;
    return bytes;
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
    dse_strbuf_add_char(out, '\0', length - out->length);
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
    add_number(out, dse_emission_image_offset(pack, index), 8);
    add_number(out, bytes_of(array), 8);
}

static void add_values(const struct dse_pack_array *array, struct dse_strbuf *out)
{
    size_t elements = dse_pack_elements(array), bytes = dse_pack_type_bytes(array->type);
    for (size_t i = 0; i < elements; i++)
        add_number(out, bytes == 8 ? ((const uint64_t *)array->values)[i] : ((const uint32_t *)array->values)[i], bytes);
}

void dse_emission_image(const struct dse_emission *design, struct dse_strbuf *out)
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
            pad(out, dse_emission_image_offset(pack, i));
            add_values(&pack->arrays[i], out);
        }
    pad(out, lines(out->length));
}

uint64_t dse_emit_model_hash(const struct dse_emission *design)
{
    struct dse_strbuf image DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_emission_image(design, &image);
    return XXH3_64bits(image.text, image.length);
}
