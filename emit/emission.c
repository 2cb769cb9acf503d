/* The list of a design's files, and the fields of their templates. */
#include "emit/emission.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "core/units.h"
#include "core/version.h"
#include "emit/fields.h"
#include "emit/folder.h"
#include "executor/executor.h"

/* A field that is printed. */
#define FIELD(name, ...) \
    static void write_##name(const struct dse_emission *design, struct dse_strbuf *out) \
    { \
        (void)design; \
        dse_strbuf_printf(out, __VA_ARGS__); \
    }

/* A field that is a text of the board, the data set or the family. */
#define PLAIN(name, text) \
    static void write_##name(const struct dse_emission *design, struct dse_strbuf *out) \
    { \
        dse_emit_plain(out, text); \
    }

static const char *top_of(const struct dse_emission *design)
{
    return design->rtl != NULL ? design->rtl->top : design->hls->top;
}

static const char *bench_of(const struct dse_emission *design)
{
    const char *bench = design->cases == NULL ? NULL : design->rtl != NULL ? design->rtl->bench : dse_emit_calls(design) ? "testbench.c" : design->hls->bench;
    return bench != NULL ? bench : "";
}

static const char *if_true(bool condition)
{
    return condition ? "yes" : "";
}

/* Whether the board's processing system has the memory, and whether it is that of a Zynq-7000. */
static bool has_ps(const struct dse_emission *design)
{
    return design->setup->board->memories[0].kind == DSE_MEMORY_PS_DDR;
}

static bool is_zynq_7000(const struct dse_emission *design)
{
    return strncmp(design->setup->board->family, "zynq-7000", 9) == 0;
}

FIELD(version, "%s", DSE_VERSION)
FIELD(family, "%s", design->setup->family->name)
FIELD(title, "%s", design->setup->family->title)
FIELD(top, "%s", top_of(design))
FIELD(chained, "%s", design->hls->chained ? "true" : "false")
FIELD(bench, "%s", bench_of(design))
FIELD(calls, "%s", if_true(dse_emit_calls(design)))
FIELD(slots, "%" PRId64, design->hls->slots)
FIELD(queue, "%s", if_true(design->hls != NULL && design->hls->slots > 0))
FIELD(pack_c, "%s%s", dse_emit_calls(design) ? "" : design->setup->family->name, dse_emit_calls(design) ? "" : "_pack.c")
FIELD(rtl_bench, "%s", design->rtl->bench)
FIELD(bench_note, "%s", *bench_of(design) != '\0' ? "; with the test bench" : "")
FIELD(cases, "%s", if_true(design->cases != NULL))
FIELD(rtl, "%s", if_true(design->rtl != NULL))
FIELD(ip, "%s", design->rtl->ip != NULL ? design->rtl->ip : "")
FIELD(from_model, "%s", design->pack != NULL ? "command, model" : "command")
FIELD(units, "%" PRId64, design->estimate->platform.units)
FIELD(clock_mhz, "%g", dse_emit_clock_mhz(design))
FIELD(period_ns, "%.3f", 1e3 / dse_emit_clock_mhz(design))
FIELD(lut_ns, "%.3f", dse_rtl_lut_ns(design->setup->board))
FIELD(dataset_hash, "%016" PRIx64, design->dataset_hash)
FIELD(zynq_7000, "%s", if_true(has_ps(design) && is_zynq_7000(design)))
FIELD(ultrascale, "%s", if_true(has_ps(design) && !is_zynq_7000(design)))
FIELD(ps, "%s", if_true(has_ps(design)))
FIELD(no_ps, "%s", if_true(!has_ps(design)))
FIELD(once, "%s", design->rtl->once)
FIELD(notes, "%s", design->rtl->notes)
FIELD(within, "%s", design->rtl->within != NULL ? design->rtl->within : "")
FIELD(second_port, "%s", design->rtl->port != NULL ? design->rtl->port : "")
PLAIN(trained_on, design->trained_on != NULL ? design->trained_on : design->dataset)
FIELD(data_note, "%s", design->made_up ? ", which is generated: its answers serve only as a test" : "")
PLAIN(board, design->setup->board->name)
PLAIN(board_title, design->setup->board->title)
PLAIN(part, design->setup->board->part)
PLAIN(dataset, design->dataset)

static void write_prefix(const struct dse_emission *design, struct dse_strbuf *out)
{
    struct dse_macro macro = dse_emit_macro(design, "");
    dse_strbuf_add_n(out, macro.text, strlen(macro.text) - 1);
}

static void write_top_upper(const struct dse_emission *design, struct dse_strbuf *out)
{
    char top[DSE_HLS_TEXT_MAX];
    snprintf(top, sizeof top, "%s", top_of(design));
    dse_strbuf_add(out, dse_upper(top));
}

static const char *const none[] = {NULL};

static const char *const *sources_of(const struct dse_emission *design)
{
    return (design->pack != NULL || design->hls->own_source) && design->hls->sources != NULL ? design->hls->sources : none;
}

static void write_sources(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (const char *const *source = sources_of(design); *source != NULL; source++)
        if (strcmp(*source + strlen(*source) - 2, ".c") == 0)
            dse_strbuf_printf(out, " %s", *source);
    dse_strbuf_add(out, design->hls->slots > 0 ? " queue.c" : "");
}

static void write_syn_files(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (const char *const *source = sources_of(design); *source != NULL; source++)
        dse_strbuf_printf(out, "syn.file=%s\n", *source);
    dse_strbuf_add(out, design->hls->slots > 0 ? "syn.file=queue.c\n" : "");
}

/* Differences between families with a library that packs queries and families whose cases are calls. */
static void write_tb_files(const struct dse_emission *design, struct dse_strbuf *out)
{
    const char *family = design->setup->family->name;
    if (dse_emit_calls(design))
        dse_strbuf_printf(out, "tb.file=%s_calls.h\ntb.file=%s_kit.h\n", family, family);
    for (const char *const *file = design->hls->host; file != NULL && *file != NULL; file++)
        if (strchr(*file, '/') == NULL)
            dse_strbuf_printf(out, "tb.file=%s\n", *file);
}

static void write_pack_rows(const struct dse_emission *design, struct dse_strbuf *out)
{
    const char *family = design->setup->family->name;
    if (dse_emit_calls(design))
        dse_strbuf_printf(out, "| `%s_kit.h`, `%s_calls.h` | FIFOs, names of loops, counters; the test cases as calls of the kernel |\n", family, family);
    else
        dse_strbuf_printf(out, "| `%s_pack.c`, `%s_pack.h` | packs queries for the kernel: a library for hosts |\n", family, family);
}

static void write_pack_step(const struct dse_emission *design, struct dse_strbuf *out)
{
    if (!dse_emit_calls(design))
        dse_strbuf_printf(out, "    make host/%s_pack.so       # on the board\n", design->setup->family->name);
}

static void write_hosts_do(const struct dse_emission *design, struct dse_strbuf *out)
{
    dse_strbuf_add(out, dse_emit_calls(design)
                            ? "The hosts load the model, make the calls of the test cases, compare the memory after each call, and print the times.\n"
                            : "The hosts load the model (and UltraRAM, if it holds tables), and send the test graphs to all units in turn. They compare the "
                              "classes and print the times.\n");
    if (dse_emit_calls(design) && design->hls->slots > 0)
        dse_strbuf_printf(out, "The ring has %" PRId64 " slots, as far as their words fit its memory. A start takes up to half of them, while the host fills the other half.\n", design->hls->slots);
}

static void write_summary(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_estimate *estimate = design->estimate;
    const struct dse_executor *executor = dse_executor_find(design->setup->family->name);
    char text[64];
    dse_strbuf_printf(out, "%.0f cycles at %g MHz, %s per %s;", estimate->metrics[DSE_METRIC_CYCLES], dse_emit_clock_mhz(design),
                      dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, estimate->metrics[DSE_METRIC_LATENCY]),
                      executor != NULL ? executor->kind->item : "item");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, "%s %" PRId64 " %s", r == 0 ? "" : ",", estimate->sums.resources[r], dse_resource_names[r]);
}

static const struct dse_template_field fields[] = {
    {"VERSION", write_version}, {"FAMILY", write_family}, {"PREFIX", write_prefix}, {"TITLE", write_title}, {"TOP", write_top}, {"TOP_UPPER", write_top_upper}, {"CHAINED", write_chained},
    {"BENCH", write_bench}, {"RTL_BENCH", write_rtl_bench}, {"BENCH_NOTE", write_bench_note}, {"CASES", write_cases},
    {"FROM_MODEL", write_from_model}, {"UNITS", write_units}, {"CLOCK_MHZ", write_clock_mhz}, {"PERIOD_NS", write_period_ns},
    {"LUT_NS", write_lut_ns}, {"TRAINED_ON", write_trained_on}, {"DATA_NOTE", write_data_note}, {"BOARD", write_board}, {"BOARD_TITLE", write_board_title}, {"PART", write_part}, {"DATASET", write_dataset},
    {"DATASET_HASH", write_dataset_hash}, {"SOURCES", write_sources}, {"SYN_FILES", write_syn_files}, {"SUMMARY", write_summary},
    {"ZYNQ_7000", write_zynq_7000}, {"ULTRASCALE", write_ultrascale}, {"PS", write_ps}, {"NO_PS", write_no_ps}, {"NOTES", write_notes}, {"ONCE", write_once},
    {"ESTIMATE", dse_write_estimate}, {"CONFIGURATION", dse_write_configuration}, {"KNOBS", dse_write_knobs}, {"SIZES", dse_write_sizes},
    {"TYPES", dse_write_types}, {"ASSERTIONS", dse_write_assertions}, {"ORIGIN", dse_write_origin}, {"DIRECTIVES", dse_write_directives},
    {"PORTS", dse_write_ports}, {"CALLS", dse_write_calls}, {"CALLED", write_calls}, {"QUEUE", write_queue}, {"SLOTS", write_slots}, {"PACK_C", write_pack_c}, {"TB_FILES", write_tb_files}, {"PACK_ROWS", write_pack_rows}, {"PACK_STEP", write_pack_step},
    {"HOSTS_DO", write_hosts_do}, {"ADDRESSES", dse_write_register_addresses},
    {"PYTHON_PORTS", dse_write_python_ports}, {"PYTHON_REGISTERS", dse_write_python_registers}, {"TCL_DIRECTIVES", dse_write_tcl_directives}, {"TCL_PORTS", dse_write_tcl_ports},
    {"CONNECTIONS", dse_write_connections}, {"CLOCKS", dse_write_clocks}, {"UNIT_CELLS", dse_write_unit_cells},
    {"PORT_NETS", dse_write_port_nets}, {"MEMORIES", dse_write_memories}, {"GUARDS", dse_write_guards}, {"LOAD_OFFSET", dse_write_load_offset},
    {"ARRAYS", dse_write_arrays}, {"ARRAY_LIST", dse_write_array_list}, {"EXPECTED", dse_write_expected}, {"PARAMETERS", dse_write_rtl_parameters}, {"MACROS", dse_write_rtl_macros},
    {"MODULES", dse_write_rtl_modules}, {"MODULE_ENGINES", dse_write_rtl_engines}, {"PREDICTED", dse_write_rtl_predicted},
    {"RTL", write_rtl}, {"IP", write_ip}, {"SECOND_PORT", write_second_port}, {"WITHIN", write_within}, {"PORT_MACROS", dse_write_rtl_port_macros},
    {"REGISTER_WORDS", dse_write_rtl_register_words}, {"REGISTER_MACROS", dse_write_rtl_register_macros},
    {"REGISTER_ROWS", dse_write_rtl_register_rows}};

enum dse_status dse_emission_text(const struct dse_emission *design, const char *name, struct dse_strbuf *out, struct dse_error *err)
{
    return dse_template_fill(name, fields, sizeof fields / sizeof *fields, design, out, err);
}

enum dse_status dse_emission_check_fit(const struct dse_emission *design, struct dse_error *err)
{
    const struct dse_estimate *estimate = design->estimate;
    const struct dse_board *board = design->setup->board;
    double clock_mhz = dse_emit_clock_mhz(design);
    if (estimate->fits)
        return DSE_OK;
    if (!estimate->platform.clock_allowed || estimate->worst < 0)
        return dse_fail(err, DSE_ANSWER_NO, "does not fit %s: %g MHz, but the board reaches at most %g MHz", board->name, clock_mhz,
                        board->max_clock_hz / 1e6);
    return dse_fail(err, DSE_ANSWER_NO, "does not fit %s: needs %" PRId64 " %s, but a kernel may use %" PRId64 " at %g MHz", board->name,
                    estimate->sums.resources[estimate->worst] * estimate->platform.units, dse_resource_names[estimate->worst],
                    estimate->platform.capped[estimate->worst], clock_mhz);
}

/* A folder that is being filled. */
struct filling {
    const struct dse_emission *design;
    struct dse_folder *folder;
    const char *flow; /* "hls" */
    struct dse_error *err;
};

/* A file with its template's name; for NAME.in with the family's name in front: nysx_config.h of config.h.in. */
static enum dse_status add_text(const struct filling *f, const char *template)
{
    char name[128], from[64];
    size_t length = strlen(template);
    bool named = length > 3 && strcmp(template + length - 3, ".in") == 0;
    snprintf(name, sizeof name, "%s%s%.*s", named ? f->design->setup->family->name : "", named ? "_" : "", (int)(named ? length - 3 : length), template);
    snprintf(from, sizeof from, "%s/%s", f->flow, template);
    return dse_emission_text(f->design, from, dse_folder_add(f->folder, name), f->err);
}

static enum dse_status add_shipped(const struct filling *f, const char *name)
{
    char from[128];
    bool header = strcmp(name + strlen(name) - 2, ".h") == 0; /* whether it is a header of the hosts of both flows */
    snprintf(from, sizeof from, "%s/%s", header ? "hls" : f->flow, f->design->setup->family->name);
    return dse_folder_add_shipped(f->folder, from, name, f->err);
}

static enum dse_status add_all_shipped(const struct filling *f, const char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        DSE_TRY(add_shipped(f, *names));
    return DSE_OK;
}

/* A file with the family's name, and its text buffer, to be filled next. */
static struct dse_strbuf *add_named(const struct filling *f, const char *name, const char *end)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s_%s%s", f->design->setup->family->name, name, end);
    return dse_folder_add(f->folder, whole);
}

static enum dse_status add_bench(const struct filling *f)
{
    const char *bench = bench_of(f->design);
    if (*bench == '\0')
        return DSE_OK;
    dse_strbuf_add_n(add_named(f, "cases", ".bin"), dse_strbuf_text(f->design->cases), f->design->cases->length);
    if (f->design->rtl == NULL)
        DSE_TRY(add_text(f, "bench.h.in"));
    return dse_emit_calls(f->design) ? add_text(f, bench) : add_shipped(f, bench);
}

/* Host programs with their shared files. Families whose cases are calls share the programs and the source's kit. */
static enum dse_status add_hosts(const struct filling *f)
{
    static const char *const names[] = {"host/host.hpp", "host/bench.py", "kit.h.in", "calls.h.in", "host/host.cpp", "host/host.py"};
    size_t shared = dse_emit_calls(f->design) ? sizeof names / sizeof *names : f->design->hls->host != NULL ? 2 : 0;
    for (size_t i = 0; i < shared; i++)
        DSE_TRY(add_text(f, names[i]));
    if (shared > 0 && has_ps(f->design)) {
        DSE_TRY(add_text(f, "host/uio.hpp"));
        DSE_TRY(add_text(f, "host/udmabuf.h"));
    }
    return dse_emit_calls(f->design) ? DSE_OK : add_all_shipped(f, f->design->hls->host);
}

/* The initialiser of a large array in a header of its own. */
static void add_table(const struct filling *f, const struct dse_pack_array *array)
{
    struct dse_strbuf *out = add_named(f, array->name, ".h");
    struct dse_macro macro = dse_emit_macro(f->design, array->name);
    dse_strbuf_printf(out, "/* SPDX-License-Identifier: MIT */ /* The trained model for %s_config.h beside it. Written by nysx-dse %s. */\n#ifndef %s_H\n#define %s_H\n\n"
                           "#include <stdint.h>\n\n/* %s */\n",
                      f->design->setup->family->name, DSE_VERSION, macro.text, macro.text, array->title);
    dse_emit_initialiser(f->design, array, out);
    dse_strbuf_add(out, "\n#endif\n");
}

/* The model's tables, the source that reads them, and the scripts that build it. */
static enum dse_status add_model(const struct filling *f)
{
    const struct dse_pack *pack = f->design->pack;
    DSE_TRY(add_text(f, "model.h.in"));
    dse_emission_image(f->design, add_named(f, "model", ".bin"));
    for (size_t i = 0; i < pack->count; i++)
        if (pack->arrays[i].apart)
            add_table(f, &pack->arrays[i]);
    DSE_TRY(add_all_shipped(f, f->design->hls->sources));
    DSE_TRY(f->design->hls->slots > 0 ? add_text(f, "queue.c") : DSE_OK);
    DSE_TRY(add_hosts(f));
    DSE_TRY(add_text(f, "Makefile"));
    DSE_TRY(add_text(f, "README.md"));
    DSE_TRY(add_text(f, "hls_config.cfg"));
    DSE_TRY(add_text(f, "link_config.cfg"));
    DSE_TRY(add_text(f, "directives.tcl"));
    DSE_TRY(add_text(f, "ip_config.cfg"));
    DSE_TRY(add_text(f, "block_design.tcl"));
    return add_bench(f);
}

static enum dse_status add_hls(const struct filling *f)
{
    DSE_TRY(dse_emission_check_names(f->design, f->err));
    DSE_TRY(add_text(f, "config.h.in"));
    DSE_TRY(add_text(f, "origin.h.in"));
    dse_write_expected(f->design, dse_folder_add(f->folder, "expected.json"));
    static const char *const own[] = {"hls_config.cfg", "link_config.cfg", "directives.tcl"};
    for (size_t i = 0; f->design->hls->own_source && i < sizeof own / sizeof *own; i++)
        DSE_TRY(add_text(f, own[i]));
    return f->design->pack != NULL ? add_model(f) : DSE_OK;
}

/* An IP of it: its Verilog module, registers and hosts. */
static enum dse_status add_ip(const struct filling *f)
{
    char from[128];
    DSE_TRY(add_text(f, "vivado.tcl"));
    DSE_TRY(add_text(f, "package.tcl"));
    DSE_TRY(add_text(f, "clock.xdc"));
    DSE_TRY(dse_emission_text(f->design, "hls/block_design.tcl", dse_folder_add(f->folder, "block_design.tcl"), f->err));
    DSE_TRY(add_text(f, "ports.svh.in"));
    DSE_TRY(add_text(f, "registers.svh.in"));
    DSE_TRY(add_text(f, "registers.h.in"));
    DSE_TRY(dse_emission_text(f->design, "hls/host/udmabuf.h", dse_folder_add(f->folder, "udmabuf.h"), f->err));
    DSE_TRY(add_all_shipped(f, f->design->rtl->hosts));
    snprintf(from, sizeof from, "%s.v", f->design->rtl->ip);
    DSE_TRY(add_shipped(f, from));
    return DSE_OK;
}

static enum dse_status add_rtl(const struct filling *f)
{
    char from[128], **names = NULL;
    size_t count = 0;
    DSE_TRY(add_text(f, "design.svh.in"));
    DSE_TRY(add_text(f, "design.h.in"));
    DSE_TRY(add_text(f, "Makefile"));
    dse_write_expected(f->design, dse_folder_add(f->folder, "expected.json"));
    DSE_TRY(add_text(f, "synth.conf"));
    DSE_TRY(dse_folder_add_shipped(f->folder, "templates/rtl", "synth.sh", f->err));
    DSE_TRY(dse_folder_add_shipped(f->folder, "templates/rtl", "timing.py", f->err));
    DSE_TRY(add_text(f, "README.md"));
    DSE_TRY(f->design->rtl->ip != NULL ? add_ip(f) : DSE_OK);
    for (size_t t = 0; t < f->design->rtl->table_count; t++) {
        const struct dse_rtl_table *table = &f->design->rtl->tables[t];
        snprintf(from, sizeof from, "%s.hex", table->name);
        if (table->external)
            dse_strbuf_add_n(add_named(f, table->name, ".bin"), (const char *)table->bytes, table->words * (table->bits / 8));
        else
            dse_rtl_image(table, dse_folder_add(f->folder, from));
    }
    snprintf(from, sizeof from, "rtl/%s", f->design->setup->family->name);
    DSE_TRY(dse_share_names(from, ".sv", &names, &count, f->err));
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < count; i++) {
        snprintf(from, sizeof from, "%s.sv", names[i]);
        status = add_shipped(f, from);
    }
    dse_share_names_free(names, count);
    return status == DSE_OK ? add_bench(f) : status;
}

enum dse_status dse_emission_write(const struct dse_emission *design, const char *path, struct dse_error *err)
{
    struct dse_folder folder DSE_CLEANUP(dse_folder_free) = {.path = path, .overwrite = design->overwrite,
                                                             .family = design->setup->family->name, .prefix = design->prefix};
    const struct filling f = {.design = design, .folder = &folder, .flow = design->rtl != NULL ? "rtl" : "hls", .err = err};
    DSE_TRY(design->rtl != NULL ? add_rtl(&f) : add_hls(&f));
    return dse_folder_write(&folder, err);
}
