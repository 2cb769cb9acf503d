/* FAMILY_model.h: the on-chip part of a packed model as C initialisers, and the place of each array in FAMILY_model.bin. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit/fields.h"

#define A_LINE 8 /* values */

static const char *const type_words[] = {[DSE_PACK_I16] = "int16_t",  [DSE_PACK_U32] = "uint32_t", [DSE_PACK_I32] = "int32_t",
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
    case DSE_PACK_I16:
        dse_strbuf_printf(out, "%d", ((const int16_t *)values)[index]);
        break;
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
static void add_declarator(const struct dse_emission *design, const struct dse_pack_array *array, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "%s %s_%s", type_words[array->type], design->setup->family->name, array->name);
    for (size_t d = 0; d < array->dimension_count; d++)
        dse_strbuf_printf(out, "[%zu]", array->dimensions[d]);
}

void dse_emit_initialiser(const struct dse_emission *design, const struct dse_pack_array *array, struct dse_strbuf *out)
{
    if (array->place != DSE_PACK_CHIP && array->place != DSE_PACK_HOST)
        return;
    dse_strbuf_add(out, "static const ");
    add_declarator(design, array, out);
    dse_strbuf_add(out, " = ");
    add_values(array, 0, 0, out);
    dse_strbuf_add(out, ";\n");
}

/* The array's place in the binary, as macros; and the array itself if it has no file of its own. */
static void add_array(const struct dse_emission *design, size_t index, struct dse_strbuf *out)
{
    static const char *const places[] = {[DSE_PACK_CHIP] = "on the chip", [DSE_PACK_LOADED] = "loaded into UltraRAM",
                                         [DSE_PACK_MEMORY] = "in external memory", [DSE_PACK_HOST] = "read by the host"};
    const struct dse_pack_array *array = &design->pack->arrays[index];
    char name[64];
    dse_strbuf_printf(out, "\n/* %s: %s, %s", array->title, places[array->place], type_words[array->type]);
    for (size_t d = 0; d < array->dimension_count; d++)
        dse_strbuf_printf(out, "%s%zu", d == 0 ? " " : " x ", array->dimensions[d]);
    snprintf(name, sizeof name, "BIN_%s", array->name);
    struct dse_macro macro = dse_emit_macro(design, name);
    dse_strbuf_printf(out, " */\n#define %s_OFFSET %zu\n#define %s_BYTES %zu\n", macro.text, dse_emission_image_offset(design->pack, index),
                      macro.text, dse_pack_elements(array) * dse_pack_type_bytes(array->type));
    if (array->place == DSE_PACK_LOADED) {
        dse_strbuf_add(out, "extern ");
        add_declarator(design, array, out);
        dse_strbuf_add(out, ";\n");
    } else if (!array->apart) {
        dse_emit_initialiser(design, array, out);
    }
}

void dse_write_arrays(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->pack->count; i++)
        add_array(design, i, out);
}

void dse_write_array_list(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->pack->count; i++) {
        const struct dse_pack_array *array = &design->pack->arrays[i];
        struct dse_macro macro = dse_emit_macro(design, array->name);
        dse_strbuf_printf(out, " \\\n    %s(%s, %s)", array->place == DSE_PACK_CHIP && !array->apart ? "HERE" : "ELSEWHERE", array->name,
                          macro.text + strlen(design->setup->family->name) + 1);
    }
}

/* The value of a knob or size as in its macro; false for a fraction, which the preprocessor cannot compare. */
static bool value_of(const struct dse_emission *design, const char *name, int64_t *value)
{
    const struct dse_hls_size *size = dse_hls_find_size(design->hls, name);
    int k = size == NULL ? dse_space_find(design->setup->space, name) : -1;
    if (k < 0) {
        *value = size != NULL ? size->value : 0;
        return size != NULL;
    }
    const struct dse_knob *knob = &design->setup->space->knobs[k];
    *value = design->estimate->config.value[k];
    if (knob->type == DSE_KNOB_CHOICE && dse_emit_counts(knob))
        *value = (int64_t)dse_knob_number(knob, *value);
    return knob->type != DSE_KNOB_DECIMAL;
}

/* Guards that reject a configuration changed by hand if these tables would be wrong for it. */
void dse_write_guards(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (const char *const *name = design->pack->reads; *name != NULL; name++) {
        int64_t value;
        struct dse_macro macro = dse_emit_macro(design, *name);
        if (value_of(design, *name, &value))
            dse_strbuf_printf(out, "#if %s != %" PRId64 "\n#error \"%s: the model's tables are for %" PRId64 "\"\n#endif\n", macro.text, value,
                              macro.text, value);
    }
}

void dse_write_load_offset(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->pack->count; i++)
        if (design->pack->arrays[i].place == DSE_PACK_LOADED) {
            dse_strbuf_printf(out, "\n/* Offset from which the kernel loads its UltraRAM. */\n#define %s %zu\n",
                              dse_emit_macro(design, "BIN_LOAD_OFFSET").text, dse_emission_image_offset(design->pack, i));
            return;
        }
}
