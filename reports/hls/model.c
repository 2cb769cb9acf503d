/* A packed model as text and bytes: initialisers for what lies on the chip, binaries for what lies in memory. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/version.h"
#include "reports/hls/parts.h"
#include "reports/hls/words.h"

#define A_LINE 8 /* values */

static const char *const type_words[] = {[DSE_PACK_U32] = "uint32_t", [DSE_PACK_I32] = "int32_t",
                                         [DSE_PACK_U64] = "uint64_t", [DSE_PACK_I64] = "int64_t",
                                         [DSE_PACK_F32] = "float",    [DSE_PACK_F64] = "double"};

/* A real number that reads back bit for bit. */
static void add_real(struct dse_strbuf *out, double value, int digits, const char *suffix)
{
    char text[48];
    snprintf(text, sizeof text, "%.*g", digits, value);
    dse_strbuf_printf(out, "%s%s%s", text, strpbrk(text, ".en") == NULL ? ".0" : "", suffix);
}

static void add_value(const struct dse_pack_array *array, size_t index, struct dse_strbuf *out)
{
    const void *values = array->values;
    switch (array->type) {
    case DSE_PACK_U32:
        dse_strbuf_printf(out, "0x%" PRIx32 "u", ((const uint32_t *)values)[index]);
        break;
    case DSE_PACK_I32:
        dse_strbuf_printf(out, "(int32_t)%" PRId64, (int64_t)((const int32_t *)values)[index]);
        break;
    case DSE_PACK_U64:
        dse_strbuf_printf(out, "UINT64_C(0x%" PRIx64 ")", ((const uint64_t *)values)[index]);
        break;
    case DSE_PACK_I64:
        dse_strbuf_printf(out, "INT64_C(%" PRId64 ")", ((const int64_t *)values)[index]);
        break;
    case DSE_PACK_F32:
        add_real(out, (double)((const float *)values)[index], 9, "f");
        break;
    default:
        add_real(out, ((const double *)values)[index], 17, "");
        break;
    }
}

/* The initialiser of dimension `d` and those inside of it, from element `first` on. */
static size_t add_values(const struct dse_pack_array *array, size_t d, size_t first, struct dse_strbuf *out)
{
    size_t count = array->dimensions[d];
    dse_strbuf_add(out, "{");
    for (size_t i = 0; i < count; i++) {
        dse_strbuf_add(out, i == 0 ? "" : ",");
        if (d + 1 < array->dimension_count && d + 1 < DSE_PACK_DIMENSIONS) {
            dse_strbuf_add(out, "\n");
            first = add_values(array, d + 1, first, out);
        } else {
            dse_strbuf_add(out, i % A_LINE == 0 && count > A_LINE ? "\n " : " ");
            add_value(array, first++, out);
        }
    }
    dse_strbuf_add(out, "}");
    return first;
}

static void add_array(const struct dse_hls_design *design, const struct dse_pack_array *array,
                      struct dse_strbuf *out)
{
    const char *family = design->setup->family->name;
    dse_strbuf_printf(out, "\n/* %s", array->title);
    if (array->memory) {
        dse_strbuf_printf(out, ": %s_%s.bin, %s in little-endian order", family, array->name, type_words[array->type]);
        for (size_t d = 0; d < array->dimension_count; d++)
            dse_strbuf_printf(out, "%s%zu", d == 0 ? ", " : " x ", array->dimensions[d]);
        dse_strbuf_printf(out, ", %zu bytes */\n",
                          dse_pack_elements(array) * dse_pack_type_bytes(array->type));
        return;
    }
    dse_strbuf_printf(out, " */\nstatic const %s %s_%s", type_words[array->type], family, array->name);
    for (size_t d = 0; d < array->dimension_count; d++)
        dse_strbuf_printf(out, "[%zu]", array->dimensions[d]);
    dse_strbuf_add(out, " = ");
    add_values(array, 0, 0, out);
    dse_strbuf_add(out, ";\n");
}

void dse_hls_model(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    struct dse_strbuf prefix = {0};
    dse_words_macro(&prefix, design->setup->family->name);
    const char *p = dse_strbuf_text(&prefix);
    dse_strbuf_printf(out, "/* The trained model for %s_config.h beside it. Written by nysx-dse %s. */\n",
                      design->setup->family->name, DSE_VERSION);
    dse_strbuf_printf(out, "#ifndef %s_MODEL_H\n#define %s_MODEL_H\n\n#include <stdint.h>\n", p, p);
    for (size_t i = 0; i < design->pack->count; i++)
        add_array(design, &design->pack->arrays[i], out);
    dse_strbuf_add(out, "\n#endif\n");
    out->failed = out->failed || prefix.failed;
    dse_strbuf_free(&prefix);
}

void dse_hls_memory(const struct dse_pack_array *array, struct dse_strbuf *out)
{
    size_t elements = dse_pack_elements(array), bytes = dse_pack_type_bytes(array->type);
    for (size_t i = 0; i < elements; i++) {
        uint64_t value = 0;
        uint32_t half = 0;
        char text[8];
        if (bytes == 8) {
            memcpy(&value, (const char *)array->values + i * bytes, bytes);
        } else {
            memcpy(&half, (const char *)array->values + i * bytes, bytes);
            value = half;
        }
        for (size_t b = 0; b < bytes; b++)
            text[b] = (char)(unsigned char)(value >> (8 * b) & 255);
        dse_strbuf_add_n(out, text, bytes);
    }
}
