/* FAMILY_config.h and FAMILY_origin.h: knobs, sizes, types and assertions; command, seed, hashes and estimate as macros. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "core/version.h"
#include "emit/fields.h"

#define VENDOR_BITS_MOST 1024 /* largest width of ap_uint, unless AP_INT_MAX_W is raised (AMD UG1399, "Arbitrary Precision Data Types") */

struct dse_macro dse_emit_macro(const struct dse_emission *design, const char *name)
{
    struct dse_macro macro;
    snprintf(macro.text, sizeof macro.text, "%s_%s", design->setup->family->name, name);
    for (char *c = macro.text; *c != '\0'; c++)
        *c = (unsigned char)*c < 128 && isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    return macro;
}

void dse_emit_plain(struct dse_strbuf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = c < 128 && (isalnum(c) || strchr(" ._+-:,()", c) != NULL);
        dse_strbuf_add_char(out, plain ? (char)c : '_', 1);
    }
}

void dse_write_estimate(const struct dse_emission *design, struct dse_strbuf *out)
{
    static const enum dse_metric metrics[] = {DSE_METRIC_LATENCY, DSE_METRIC_LATENCY_P99, DSE_METRIC_ENERGY,
                                              DSE_METRIC_POWER};
    const struct dse_estimate *estimate = design->estimate;
    int64_t units = estimate->platform.units;
    char text[64];
    dse_strbuf_printf(out, " * Estimate:      %.0f cycles", estimate->metrics[DSE_METRIC_CYCLES]);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        const struct dse_metric_info *info = &dse_metrics[metrics[i]];
        dse_strbuf_printf(out, ", %s %s", info->heading,
                          dse_quantity_format(text, sizeof text, info->dimension, estimate->metrics[metrics[i]]));
    }
    dse_strbuf_add(out, "\n *               ");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, "%s %s %" PRId64 " of %" PRId64, r == 0 ? "" : ",", dse_resource_names[r],
                          estimate->sums.resources[r] * units, estimate->platform.limits[r]);
    dse_strbuf_printf(out, "\n *                %s, bottleneck %s\n", estimate->fits ? "fits" : "DOES NOT FIT",
                      design->setup->family->engines[estimate->bottleneck].name);
}

void dse_write_configuration(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_space *space = design->setup->space;
    const struct dse_config *config = &design->estimate->config;
    char text[64];
    for (size_t k = 0; k < space->count; k++)
        dse_strbuf_printf(out, " * %s %s=%s%s\n", k == 0 ? "Configuration:" : "              ", space->knobs[k].name,
                          dse_knob_format(&space->knobs[k], config->value[k], text, sizeof text),
                          dse_knob_active(space, config, k) ? "" : " (not used by this design)");
}

/* Whether a port reads or writes words of the type. */
static bool of_port(const struct dse_emission *design, const struct dse_hls_type *type, bool writes)
{
    bool port = false;
    for (size_t i = 0; i < design->hls->port_count; i++)
        port = port || (strcmp(design->hls->ports[i].type, type->name) == 0 && (!writes || design->hls->ports[i].writes));
    return port;
}

/* Whether a port transfers a word as it lies in memory. Other words stay inside the kernel; a structure suffices for them. */
static bool is_vendor_word(const struct dse_emission *design, const struct dse_hls_type *type)
{
    return of_port(design, type, false) && type->bits <= VENDOR_BITS_MOST && (type->bits & (type->bits - 1)) == 0;
}

/* A structure of 32-bit parts, which macros read and write: NYSX_PART_QUERY_WORD(word, i). A part of a port's word has a macro of its own for
 * writing: HDREASON_SET_HOST(word, i, value). */
static void write_word(const struct dse_emission *design, const struct dse_hls_type *type, struct dse_strbuf *out)
{
    const char *family = design->setup->family->name;
    char name[DSE_HLS_TEXT_MAX];
    bool vendor = is_vendor_word(design, type), written = of_port(design, type, true);
    int length = (int)(strlen(type->name) - strlen("_t"));
    snprintf(name, sizeof name, "PART_%.*s", length, type->name);
    struct dse_macro part = dse_emit_macro(design, name);
    snprintf(name, sizeof name, "SET_%.*s", length, type->name);
    struct dse_macro set = dse_emit_macro(design, name);
    char by_vendor[DSE_HLS_TEXT_MAX] = "", by_part[DSE_HLS_TEXT_MAX] = "";
    if (written) {
        snprintf(by_vendor, sizeof by_vendor, "#define %s(word, i, value) ((word).range(32 * (i) + 31, 32 * (i)) = (value))\n", set.text);
        snprintf(by_part, sizeof by_part, "#define %s(word, i, value) ((word).part[i] = (value))\n", set.text);
    }
    if (vendor)
        dse_strbuf_printf(out, "#ifdef %s\ntypedef ap_uint<%" PRId64 "> %s_%s; /* %s */\n"
                               "#define %s(word, i) ((uint32_t)(word).range(32 * (i) + 31, 32 * (i)).to_uint())\n%s#else\n",
                          dse_emit_macro(design, "VENDOR_TYPES").text, type->bits, family, type->name, type->title, part.text, by_vendor);
    dse_strbuf_printf(out, "typedef struct {\n    uint32_t part[%" PRId64 "];\n} %s_%s; /* %s */\n#define %s(word, i) ((word).part[i])\n%s%s",
                      type->bits / 32, family, type->name, type->title, part.text, by_part, vendor ? "#endif\n" : "");
}

void dse_write_types(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->hls->type_count; i++) {
        const struct dse_hls_type *type = &design->hls->types[i];
        if (type->c != NULL)
            dse_strbuf_printf(out, "typedef %s %s_%s; /* %s */\n", type->c, design->setup->family->name, type->name, type->title);
        else
            write_word(design, type, out);
    }
}

bool dse_emit_counts(const struct dse_knob *knob)
{
    for (size_t c = 0; c < knob->choice_count; c++)
        if (knob->choices[c][0] == '\0' || knob->choices[c][strspn(knob->choices[c], "0123456789")] != '\0')
            return false;
    return knob->type != DSE_KNOB_DECIMAL;
}

static bool is_word(const struct dse_knob *knob)
{
    return knob->type == DSE_KNOB_CHOICE && !dse_emit_counts(knob);
}

/* The macro of a word of a choice. */
static struct dse_macro word_macro(const struct dse_emission *design, const struct dse_knob *knob, size_t choice)
{
    char name[DSE_HLS_TEXT_MAX];
    snprintf(name, sizeof name, "%s_%s", knob->name, knob->choices[choice]);
    return dse_emit_macro(design, name);
}

/* The macro of a number; for a choice a macro per word, and the knob as one of them. */
void dse_write_knobs(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_space *space = design->setup->space;
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        int64_t value = design->estimate->config.value[k];
        char text[64];
        dse_knob_format(knob, value, text, sizeof text);
        for (size_t c = 0; is_word(knob) && c < knob->choice_count; c++)
            dse_strbuf_printf(out, "#define %s %zu\n", word_macro(design, knob, c).text, c);
        dse_strbuf_printf(out, "#define %s %s%s /* %s */\n", dse_emit_macro(design, knob->name).text,
                          is_word(knob) ? word_macro(design, knob, (size_t)value).text : text,
                          knob->type == DSE_KNOB_DECIMAL && strchr(text, '.') == NULL ? ".0" : "", knob->title);
        if (design->hls->aliases != NULL && design->hls->aliases[k] != NULL)
            dse_strbuf_printf(out, "#define %s %s\n", design->hls->aliases[k], dse_emit_macro(design, knob->name).text);
    }
}

void dse_write_sizes(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->hls->size_count; i++) {
        const struct dse_hls_size *size = &design->hls->sizes[i];
        dse_strbuf_printf(out, "#define %s %" PRId64 " /* %s */\n", dse_emit_macro(design, size->name).text, size->value, size->title);
    }
}

static void assert_knob(const struct dse_emission *design, const struct dse_knob *knob, struct dse_strbuf *out)
{
    bool words = is_word(knob);
    struct dse_macro macro = dse_emit_macro(design, knob->name);
    const char *m = macro.text;
    char allowed[256];
    if (knob->type == DSE_KNOB_DECIMAL)
        return;
    dse_strbuf_printf(out, "%s(", dse_emit_macro(design, "ASSERT").text);
    if (words || knob->type == DSE_KNOB_INTEGER)
        dse_strbuf_printf(out, "%s >= %" PRId64 " && %s <= %" PRId64, m, words ? 0 : knob->minimum, m,
                          words ? (int64_t)knob->choice_count - 1 : knob->maximum);
    for (size_t c = 0; !words && c < knob->choice_count; c++)
        dse_strbuf_printf(out, "%s%s == %s", c == 0 ? "" : " || ", m, knob->choices[c]);
    if (knob->power_of_two)
        dse_strbuf_printf(out, " && (%s & (%s - 1)) == 0", m, m);
    dse_strbuf_printf(out, ", \"%s: %s\");\n", knob->name, dse_knob_allowed(knob, allowed, sizeof allowed));
}

void dse_write_assertions(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_space *space = design->setup->space;
    const struct dse_hls *hls = design->hls;
    struct dse_macro assertion = dse_emit_macro(design, "ASSERT");
    for (size_t k = 0; k < space->count; k++)
        assert_knob(design, &space->knobs[k], out);
    for (size_t i = 0; i < hls->size_count; i++)
        dse_strbuf_printf(out, "%s(%s >= %" PRId64 ", \"%s: %" PRId64 " or more\");\n", assertion.text,
                          dse_emit_macro(design, hls->sizes[i].name).text, hls->sizes[i].minimum, hls->sizes[i].title, hls->sizes[i].minimum);
    for (size_t i = 0; i < hls->check_count; i++)
        dse_strbuf_printf(out, "%s(%s, \"%s\");\n", assertion.text, hls->checks[i].condition, hls->checks[i].message);
}

/* A text as a literal of C, C++, Python and JSON alike: any other character than printable ASCII becomes "?". */
static void define_text(const struct dse_emission *design, struct dse_strbuf *out, const char *name, const char *text)
{
    dse_strbuf_printf(out, "#define %s \"", dse_emit_macro(design, name).text);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            dse_strbuf_add_char(out, '\\', 1);
        dse_strbuf_add_char(out, c >= 32 && c < 127 ? (char)c : '?', 1);
    }
    dse_strbuf_add(out, "\"\n");
}

static void define_number(const struct dse_emission *design, struct dse_strbuf *out, const char *name, const char *more, double value)
{
    char whole[DSE_HLS_TEXT_MAX];
    snprintf(whole, sizeof whole, "%s%s", name, more);
    dse_strbuf_printf(out, "#define %s %.17g\n", dse_emit_macro(design, whole).text, value);
}

void dse_write_origin(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_setup *setup = design->setup;
    const struct dse_estimate *estimate = design->estimate;
    const struct dse_quality *quality = design->quality;
    define_text(design, out, "PROGRAM", "nysx-dse " DSE_VERSION);
    define_text(design, out, "COMMAND_LINE", design->command != NULL ? design->command : "");
    define_text(design, out, "BOARD", setup->board->name);
    define_text(design, out, "PART", setup->board->part);
    if (dse_costs_calibration(setup->costs) != NULL)
        define_text(design, out, "CALIBRATION", dse_costs_calibration(setup->costs));
    define_text(design, out, "DATASET", design->dataset);
    dse_strbuf_printf(out, "#define %s UINT64_C(0x%016" PRIx64 ")\n", dse_emit_macro(design, "DATASET_HASH").text, design->dataset_hash);
    if (design->assumed != NULL)
        define_text(design, out, "ASSUMED", design->assumed);
    dse_strbuf_printf(out, "#define %s UINT64_C(%" PRIu64 ")\n", dse_emit_macro(design, "SEED").text, design->seed);
    if (design->pack != NULL)
        dse_strbuf_printf(out, "#define %s UINT64_C(0x%016" PRIx64 ") /* XXH3 of %s_model.bin */\n", dse_emit_macro(design, "MODEL_HASH").text,
                          dse_emit_model_hash(design), setup->family->name);
    if (quality != NULL) {
        define_number(design, out, quality->name, "", quality->mean);
        define_number(design, out, quality->name, "_DEVIATION", quality->std);
        define_number(design, out, quality->name, "_RUNS", (double)quality->n);
    }
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (isfinite(estimate->metrics[m]))
            define_number(design, out, "ESTIMATE_", dse_metrics[m].key, estimate->metrics[m]);
    define_number(design, out, "ESTIMATE_FITS", "", estimate->fits);
    define_text(design, out, "ESTIMATE_BOTTLENECK", setup->family->engines[estimate->bottleneck].name);
}
