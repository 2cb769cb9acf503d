/* A packed model as text and bytes: initialisers for what lies on the chip, binaries for what lies in memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/version.h"
#include "emit/hls/parts.h"
#include "emit/hls/words.h"

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

/* "uint32_t nysx_codebook_code[12]" */
static void add_declarator(const struct dse_hls_design *design, const struct dse_pack_array *array,
                           struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "%s %s_%s", type_words[array->type], design->setup->family->name, array->name);
    for (size_t d = 0; d < array->dimension_count; d++)
        dse_strbuf_printf(out, "[%zu]", array->dimensions[d]);
}

static void add_initialiser(const struct dse_hls_design *design, const struct dse_pack_array *array,
                            struct dse_strbuf *out)
{
    dse_strbuf_add(out, "static const ");
    add_declarator(design, array, out);
    dse_strbuf_add(out, " = ");
    add_values(array, 0, 0, out);
    dse_strbuf_add(out, ";\n");
}

/* Where the array is in the binary: its offset and bytes as macros. */
static void add_place(const struct dse_hls_design *design, size_t index, struct dse_strbuf *out)
{
    const struct dse_pack_array *array = &design->pack->arrays[index];
    static const char *const ends[] = {"OFFSET", "BYTES"};
    const size_t values[] = {dse_hls_image_offset(design->pack, index),
                             dse_pack_elements(array) * dse_pack_type_bytes(array->type)};
    for (size_t i = 0; i < 2; i++) {
        dse_strbuf_add(out, "#define ");
        dse_hls_macro(design, out, "BIN_");
        dse_words_macro(out, array->name);
        dse_strbuf_printf(out, "_%s %zu\n", ends[i], values[i]);
    }
}

static void add_array(const struct dse_hls_design *design, size_t index, struct dse_strbuf *out)
{
    static const char *const places[] = {[DSE_PACK_CHIP] = "on the chip", [DSE_PACK_LOADED] = "loaded into UltraRAM",
                                         [DSE_PACK_MEMORY] = "in external memory"};
    const struct dse_pack_array *array = &design->pack->arrays[index];
    dse_strbuf_printf(out, "\n/* %s: %s, %s", array->title, places[array->place], type_words[array->type]);
    for (size_t d = 0; d < array->dimension_count; d++)
        dse_strbuf_printf(out, "%s%zu", d == 0 ? " " : " x ", array->dimensions[d]);
    dse_strbuf_add(out, " */\n");
    add_place(design, index, out);
    if (array->place == DSE_PACK_LOADED) {
        dse_strbuf_add(out, "extern ");
        add_declarator(design, array, out);
        dse_strbuf_add(out, ";\n");
    } else if (array->place == DSE_PACK_CHIP && !array->apart) {
        add_initialiser(design, array, out);
    }
}

static void open_header(const struct dse_hls_design *design, const char *name, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "/* The trained model for %s_config.h beside it. Written by nysx-dse %s. */\n#ifndef ",
                      design->setup->family->name, DSE_VERSION);
    dse_hls_macro(design, out, name);
    dse_strbuf_add(out, "_H\n#define ");
    dse_hls_macro(design, out, name);
    dse_strbuf_add(out, "_H\n\n#include <stdint.h>\n");
}

/* The value of a knob or size as its macro has it, or false where the preprocessor cannot compare it: a fraction. */
static bool value_of(const struct dse_hls_design *design, const char *name, int64_t *value)
{
    const struct dse_hls_size *size = dse_hls_find_size(design->hls, name);
    int k = size == NULL ? dse_space_find(design->setup->space, name) : -1;
    char text[64];
    if (size != NULL)
        *value = size->value;
    if (k < 0)
        return size != NULL;
    const struct dse_knob *knob = &design->setup->space->knobs[k];
    *value = design->estimate->config.value[k];
    if (knob->type == DSE_KNOB_CHOICE && dse_hls_knob_counts(knob))
        *value = strtoll(dse_knob_format(knob, *value, text, sizeof text), NULL, 10);
    return knob->type != DSE_KNOB_DECIMAL;
}

/* Refuses a configuration that was changed by hand where these tables would no longer be right. */
static void add_guards(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_pack *pack = design->pack;
    dse_strbuf_printf(out, "\n/* What the tables were made for: a change is made in nysx-dse, and both files written anew. */\n"
                           "#include \"%s_config.h\"\n", design->setup->family->name);
    for (size_t i = 0; pack->reads[i] != NULL; i++) {
        int64_t value = 0;
        if (!value_of(design, pack->reads[i], &value))
            continue;
        dse_strbuf_add(out, "#if ");
        dse_hls_macro(design, out, pack->reads[i]);
        dse_strbuf_printf(out, " != %" PRId64 "\n#error \"", value);
        dse_hls_macro(design, out, pack->reads[i]);
        dse_strbuf_printf(out, ": the model's tables are for %" PRId64 "\"\n#endif\n", value);
    }
}

void dse_hls_model(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_pack *pack = design->pack;
    const char *family = design->setup->family->name;
    open_header(design, "model", out);
    dse_strbuf_printf(out,
                      "\n/* %s_model.bin holds every array below, little-endian, each from its offset on. It begins with "
                      "64 bytes (\"dse-pack\",\n * then as 64-bit numbers the format's version 1 and the number of "
                      "arrays), and 64 bytes an array: its name (24\n * bytes), as 32-bit numbers its type, its place "
                      "and three dimensions (0: none) and a 0, as 64-bit numbers its offset\n * and its bytes. Types: 0 "
                      "uint32_t, 1 int32_t, 2 uint64_t, 3 int64_t, 4 float, 5 double. Places: 0 on the chip, 1\n * loaded, "
                      "2 in external memory. */\n",
                      family);
    add_guards(design, out);
    size_t first = pack->count;
    for (size_t i = pack->count; i-- > 0;)
        first = pack->arrays[i].place == DSE_PACK_LOADED ? i : first;
    if (first < pack->count) {
        dse_strbuf_add(out, "\n/* Where the kernel is to load its UltraRAM from. */\n#define ");
        dse_hls_macro(design, out, "BIN_LOAD_OFFSET");
        dse_strbuf_printf(out, " %zu\n", dse_hls_image_offset(pack, first));
    }
    for (size_t i = 0; i < pack->count; i++)
        add_array(design, i, out);
    dse_strbuf_add(out, "\n#endif\n");
}

void dse_hls_table(const struct dse_hls_design *design, const struct dse_pack_array *array, struct dse_strbuf *out)
{
    open_header(design, array->name, out);
    dse_strbuf_printf(out, "\n/* %s */\n", array->title);
    if (array->place == DSE_PACK_CHIP)
        add_initialiser(design, array, out);
    dse_strbuf_add(out, "\n#endif\n");
}
