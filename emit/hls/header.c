/* The configuration header: identification, knobs, sizes, types, and what must hold among them. The pragmas and
 * ports are in pragmas.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/version.h"
#include "emit/hls/hls.h"
#include "emit/hls/parts.h"
#include "emit/hls/words.h"

#define VENDOR_BITS_MOST 1024 /* of an ap_uint, unless AP_INT_MAX_W is raised (AMD UG1399, "Arbitrary Precision Data Types") */

void dse_hls_macro(const struct dse_hls_design *design, struct dse_strbuf *out, const char *name)
{
    dse_words_macro(out, design->setup->family->name);
    dse_strbuf_add_char(out, '_', 1);
    dse_words_macro(out, name);
}

/* "#define NYSX_NAME " */
static void define(const struct dse_hls_design *design, struct dse_strbuf *out, const char *name)
{
    dse_strbuf_add(out, "#define ");
    dse_hls_macro(design, out, name);
    dse_strbuf_add_char(out, ' ', 1);
}

/* "#define NYSX_NAMErest" */
static void define_after(const struct dse_hls_design *design, struct dse_strbuf *out, const char *name, const char *rest)
{
    dse_strbuf_add(out, "#define ");
    dse_hls_macro(design, out, name);
    dse_strbuf_add(out, rest);
}

static void section(struct dse_strbuf *out, const char *title)
{
    dse_strbuf_printf(out, "\n/* %s */\n", title);
}

static void write_headline(const struct dse_hls_design *design, struct dse_strbuf *out)
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

static void write_configuration(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_space *space = design->setup->space;
    dse_strbuf_add(out, " * Configuration:");
    for (size_t k = 0; k < space->count; k++) {
        char text[64];
        const struct dse_config *config = &design->estimate->config;
        bool active = dse_knob_active(space, config, k);
        dse_strbuf_printf(out, "%s %s=%s%s\n", k == 0 ? "" : " *               ", space->knobs[k].name,
                          dse_knob_format(&space->knobs[k], config->value[k], text, sizeof text),
                          active ? "" : " (does not matter here)");
    }
}

static void write_identification(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_setup *setup = design->setup;
    dse_strbuf_printf(out,
                      "/* %s\n *\n * Written by nysx-dse %s; a change of knobs is made there, and this file written "
                      "anew.\n *\n",
                      setup->family->title, DSE_VERSION);
    dse_strbuf_printf(out, " * Family:        %s\n * Board:         ", setup->family->name);
    dse_words_plain(out, setup->board->name);
    dse_strbuf_add(out, ", part ");
    dse_words_plain(out, setup->board->part);
    dse_strbuf_add(out, "\n * Data set:      ");
    dse_words_plain(out, design->dataset);
    dse_strbuf_printf(out, ", hash %016" PRIx64 "\n", design->dataset_hash);
    write_headline(design, out);
    write_configuration(design, out);
    dse_strbuf_add(out, " */\n");
}

/* What the rest is written in: assertions that both languages know, and pragmas that only synthesis sees. */
static void write_language(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    struct dse_strbuf prefix = {0};
    dse_words_macro(&prefix, design->setup->family->name);
    const char *p = dse_strbuf_text(&prefix);
    dse_strbuf_printf(out, "#ifndef %s_CONFIG_H\n#define %s_CONFIG_H\n\n#include <stdint.h>\n\n#include \"%s_origin.h\"\n", p, p,
                      design->setup->family->name);
    section(out, "Assertions. C99 has none: GCC and Clang know C11's there too, others take an array of negative length.");
    dse_strbuf_printf(out,
                      "#if defined(__cplusplus)\n"
                      "#define %s_ASSERT(condition, message) static_assert(condition, message)\n"
                      "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n"
                      "#define %s_ASSERT(condition, message) _Static_assert(condition, message)\n"
                      "#elif defined(__GNUC__)\n"
                      "#define %s_NOTHING /* glibc's macro of that name, which has no message, is kept away */\n"
                      "#define %s_ASSERT(condition, message) __extension__ _Static_assert %s_NOTHING(condition, message)\n"
                      "#else\n"
                      "#define %s_ASSERT_NAME(line) %s_assertion_of_line_##line\n"
                      "#define %s_ASSERT_AT(condition, line) typedef char %s_ASSERT_NAME(line)[(condition) ? 1 : -1]\n"
                      "#define %s_ASSERT(condition, message) %s_ASSERT_AT(condition, __LINE__)\n"
                      "#endif\n",
                      p, p, p, p, p, p, design->setup->family->name, p, p, p, p);
    section(out, "Directives: nothing outside synthesis, and where directives.tcl gives them instead.");
    dse_strbuf_printf(out,
                      "#if (defined(__SYNTHESIS__) || defined(__VITIS_HLS__)) && !defined(%s_NO_PRAGMAS)\n"
                      "#define %s_PRAGMA_TEXT(text) _Pragma(#text)\n"
                      "#else\n"
                      "#define %s_PRAGMA_TEXT(text)\n"
                      "#endif\n"
                      "#define %s_PRAGMA(text) %s_PRAGMA_TEXT(text)\n",
                      p, p, p, p, p);
    out->failed = out->failed || prefix.failed;
    dse_strbuf_free(&prefix);
}

/* The vendor's classes, where the language is C++ and their headers are found. */
static void write_vendor(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    struct dse_strbuf prefix = {0};
    dse_words_macro(&prefix, design->setup->family->name);
    const char *p = dse_strbuf_text(&prefix);
    section(out, "The vendor's streams and words in C++ where its headers are found, else arrays and structures that mean the same;\n"
                 " * with the macro of plain types these in any case.");
    dse_strbuf_printf(out,
                      "#if defined(__cplusplus) && defined(__has_include) && !defined(%s_PLAIN_TYPES) && !defined(__HLS_CHECKER__)\n"
                      "#if __has_include(<ap_int.h>) && __has_include(<hls_stream.h>)\n"
                      "#include <ap_int.h>\n#include <hls_stream.h>\n#define %s_VENDOR_TYPES 1\n"
                      "#endif\n#endif\n", p, p);
    out->failed = out->failed || prefix.failed;
    dse_strbuf_free(&prefix);
}

/* A word that a port brings as it lies in memory; others stay inside, where a structure serves as well. */
static bool is_vendor_word(const struct dse_hls_design *design, const struct dse_hls_type *type)
{
    bool port = false;
    for (size_t i = 0; i < design->hls->port_count; i++)
        port = port || strcmp(design->hls->ports[i].type, type->name) == 0;
    return port && type->bits <= VENDOR_BITS_MOST && (type->bits & (type->bits - 1)) == 0;
}

/* A structure of 32-bit parts; its parts are read and written by macros, NYSX_PART_QUERY_WORD(word, i). */
static void write_word(const struct dse_hls_design *design, const struct dse_hls_type *type, struct dse_strbuf *out)
{
    const char *family = design->setup->family->name;
    struct dse_strbuf name = {0};
    bool vendor = is_vendor_word(design, type);
    size_t length = strlen(type->name) - strlen("_t");
    dse_strbuf_printf(&name, "PART_%.*s", (int)length, type->name);
    if (vendor) {
        dse_strbuf_add(out, "#ifdef ");
        dse_hls_macro(design, out, "VENDOR_TYPES");
        dse_strbuf_printf(out, "\ntypedef ap_uint<%" PRId64 "> %s_%s; /* %s */\n", type->bits, family, type->name, type->title);
        define_after(design, out, dse_strbuf_text(&name), "(word, i) ((uint32_t)(word).range(32 * (i) + 31, 32 * (i)).to_uint())\n#else\n");
    }
    dse_strbuf_printf(out, "typedef struct {\n    uint32_t part[%" PRId64 "];\n} %s_%s; /* %s */\n", type->bits / 32, family, type->name,
                      type->title);
    define_after(design, out, dse_strbuf_text(&name), "(word, i) ((word).part[i])\n");
    dse_strbuf_add(out, vendor ? "#endif\n" : "");
    out->failed = out->failed || name.failed;
    dse_strbuf_free(&name);
}

static bool is_whole_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && text[digits] == '\0';
}

bool dse_hls_knob_counts(const struct dse_knob *knob)
{
    for (size_t c = 0; c < knob->choice_count; c++)
        if (!is_whole_number(knob->choices[c]))
            return false;
    return knob->type != DSE_KNOB_DECIMAL;
}

/* A choice of words: a macro a word, and the knob as one of them. */
static void write_words(const struct dse_hls_design *design, const struct dse_knob *knob, int64_t value,
                        struct dse_strbuf *out)
{
    struct dse_strbuf name = {0};
    for (size_t c = 0; c < knob->choice_count; c++) {
        dse_strbuf_free(&name);
        dse_strbuf_printf(&name, "%s_%s", knob->name, knob->choices[c]);
        define(design, out, dse_strbuf_text(&name));
        dse_strbuf_printf(out, "%zu\n", c);
    }
    dse_strbuf_free(&name);
    dse_strbuf_printf(&name, "%s_%s", knob->name, knob->choices[value]);
    define(design, out, knob->name);
    dse_hls_macro(design, out, dse_strbuf_text(&name));
    out->failed = out->failed || name.failed;
    dse_strbuf_free(&name);
}

static void write_knobs(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_space *space = design->setup->space;
    section(out, "Knobs. Those that do not matter in this configuration stand at their defaults.");
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        int64_t value = design->estimate->config.value[k];
        char text[64];
        if (knob->type == DSE_KNOB_CHOICE && !dse_hls_knob_counts(knob)) {
            write_words(design, knob, value, out);
        } else {
            define(design, out, knob->name);
            dse_strbuf_add(out, dse_knob_format(knob, value, text, sizeof text));
            if (knob->type == DSE_KNOB_DECIMAL && strchr(text, '.') == NULL)
                dse_strbuf_add(out, ".0");
        }
        dse_strbuf_printf(out, " /* %s */\n", knob->title);
    }
}

static void write_sizes(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    section(out, "Sizes that follow from the knobs, the workload and the board.");
    for (size_t i = 0; i < design->hls->size_count; i++) {
        const struct dse_hls_size *size = &design->hls->sizes[i];
        define(design, out, size->name);
        dse_strbuf_printf(out, "%" PRId64 " /* %s */\n", size->value, size->title);
    }
}

static void write_types(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    section(out, "Types: plain ones that hold the hardware's values. fp16 and bf16 are kept as their 16 bits.");
    for (size_t i = 0; i < design->hls->type_count; i++) {
        const struct dse_hls_type *type = &design->hls->types[i];
        const char *family = design->setup->family->name;
        if (type->c != NULL)
            dse_strbuf_printf(out, "typedef %s %s_%s; /* %s */\n", type->c, family, type->name, type->title);
        else
            write_word(design, type, out);
    }
}

/* "NYSX_ASSERT(condition, "message");" with the condition given. */
static void open_assertion(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    dse_hls_macro(design, out, "ASSERT");
    dse_strbuf_add_char(out, '(', 1);
}

static void assert_knob(const struct dse_hls_design *design, const struct dse_knob *knob, struct dse_strbuf *out)
{
    bool words = knob->type == DSE_KNOB_CHOICE && !dse_hls_knob_counts(knob);
    char allowed[256];
    if (knob->type == DSE_KNOB_DECIMAL)
        return;
    open_assertion(design, out);
    if (words || knob->type == DSE_KNOB_INTEGER) {
        dse_hls_macro(design, out, knob->name);
        dse_strbuf_printf(out, " >= %" PRId64 " && ", words ? 0 : knob->minimum);
        dse_hls_macro(design, out, knob->name);
        dse_strbuf_printf(out, " <= %" PRId64, words ? (int64_t)knob->choice_count - 1 : knob->maximum);
    }
    for (size_t c = 0; !words && c < knob->choice_count; c++) {
        dse_strbuf_add(out, c == 0 ? "" : " || ");
        dse_hls_macro(design, out, knob->name);
        dse_strbuf_printf(out, " == %s", knob->choices[c]);
    }
    if (knob->power_of_two) {
        dse_strbuf_add(out, " && (");
        dse_hls_macro(design, out, knob->name);
        dse_strbuf_add(out, " & (");
        dse_hls_macro(design, out, knob->name);
        dse_strbuf_add(out, " - 1)) == 0");
    }
    dse_strbuf_printf(out, ", \"%s: %s\");\n", knob->name, dse_knob_allowed(knob, allowed, sizeof allowed));
}

static void write_assertions(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_space *space = design->setup->space;
    const struct dse_hls *hls = design->hls;
    section(out, "What must hold: a value changed by hand has to fit the others.");
    for (size_t k = 0; k < space->count; k++)
        assert_knob(design, &space->knobs[k], out);
    for (size_t i = 0; i < hls->size_count; i++) {
        open_assertion(design, out);
        dse_hls_macro(design, out, hls->sizes[i].name);
        dse_strbuf_printf(out, " >= %" PRId64 ", \"%s: %" PRId64 " or more\");\n", hls->sizes[i].minimum,
                          hls->sizes[i].title, hls->sizes[i].minimum);
    }
    for (size_t i = 0; i < hls->check_count; i++) {
        open_assertion(design, out);
        dse_strbuf_printf(out, "%s, \"%s\");\n", hls->checks[i].condition, hls->checks[i].message);
    }
}

void dse_hls_header(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    write_identification(design, out);
    write_language(design, out);
    write_knobs(design, out);
    write_sizes(design, out);
    write_vendor(design, out);
    write_types(design, out);
    section(out, "Loops and arrays, by the label or name that they have in the source.");
    dse_hls_write_pragmas(design, out);
    section(out, "The kernel's memory ports: parameters, arguments, and a read of an element of each.");
    dse_hls_write_ports(design, out);
    write_assertions(design, out);
    dse_strbuf_add(out, "\n#endif\n");
}
