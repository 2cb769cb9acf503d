/* The files of a design in SystemVerilog. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/version.h"
#include "emit/expected.h"
#include "emit/folder.h"
#include "emit/rtl/rtl.h"

void dse_rtl_parameters(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "// Written by nysx-dse %s; a change of knobs is made there, and this file written anew.\n", DSE_VERSION);
    for (size_t i = 0; i < design->rtl->parameter_count; i++) {
        const struct dse_rtl_parameter *p = &design->rtl->parameters[i];
        dse_strbuf_printf(out, "localparam %s%s%s = %s; // %s\n", p->type, *p->type != '\0' ? " " : "", p->name, p->value,
                          p->title);
    }
}

void dse_rtl_header(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    const struct dse_memory *memory = &design->setup->board->memories[0];
    double clock_hz = (double)design->estimate->config.value[design->setup->family->clock_knob] * 1e6;
    dse_strbuf_printf(out, "// Written by nysx-dse %s, as nysx_design.svh is.\n#pragma once\n", DSE_VERSION);
    for (size_t i = 0; i < design->rtl->parameter_count; i++) {
        const struct dse_rtl_parameter *p = &design->rtl->parameters[i];
        if (strcmp(p->type, DSE_RTL_WHOLE) == 0)
            dse_strbuf_printf(out, "#define NYSX_%s %su // %s\n", p->name, p->value, p->title);
        else if (strcmp(p->type, DSE_RTL_BIT) == 0)
            dse_strbuf_printf(out, "#define NYSX_%s %c // %s\n", p->name, p->value[strlen(p->value) - 1], p->title);
    }
    const struct dse_accumulators *sums = &design->estimate->sums;
    dse_strbuf_add(out, "#define NYSX_PREDICTED \\\n    {");
    for (size_t k = 0; design->rtl->stages[k] != NULL; k++)
        dse_strbuf_printf(out, "%s{\"%s\", %" PRId64 "}", k > 0 ? ", " : "", design->rtl->stages[k],
                          sums->busy_cycles[DSE_CASE_MEAN][k] + sums->fill_cycles[DSE_CASE_MEAN][k]);
    dse_strbuf_add(out, "} // cycles of a mean graph by the estimate\n");
    dse_strbuf_printf(out, "#define NYSX_MEMORY_LATENCY %.0fu // cycles until the board's memory answers\n",
                      memory->read_latency_s * clock_hz);
}

void dse_rtl_image(const struct dse_rtl_table *table, struct dse_strbuf *out)
{
    static const char digits[] = "0123456789abcdef";
    size_t bytes = (table->bits + 7) / 8, width = (table->bits + 3) / 4;
    for (size_t w = 0; w < table->words; w++) {
        for (size_t d = width; d-- > 0;) {
            unsigned byte = table->bytes[w * bytes + d / 2];
            dse_strbuf_add_char(out, digits[d % 2 == 0 ? byte & 15u : byte >> 4], 1);
        }
        dse_strbuf_add_char(out, '\n', 1);
    }
}

/* With the engine of each module that is synthesised by itself. */
static void write_expected(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    json_t *modules = json_object(), *root = dse_expected_json(&(struct dse_expected){
        .setup = design->setup, .estimate = design->estimate, .top = design->rtl->top, .flow = "rtl", .dataset = design->dataset});
    for (const struct dse_rtl_module *m = design->rtl->modules; m->name != NULL; m++)
        json_object_set_new(modules, m->name, json_string(m->engine));
    json_object_set_new(root, "modules", modules);
    dse_expected_write(root, out);
}

static enum dse_status add_text(const struct dse_rtl_design *design, const char *name,
                                void (*write)(const struct dse_rtl_design *, struct dse_strbuf *),
                                struct dse_folder *folder, struct dse_error *err)
{
    struct dse_strbuf *text = dse_folder_add(folder, name);
    write(design, text);
    return DSE_OK;
}

static enum dse_status add_tables(const struct dse_rtl_design *design, struct dse_folder *folder, struct dse_error *err)
{
    for (size_t t = 0; t < design->rtl->table_count; t++) {
        char name[64];
        snprintf(name, sizeof name, "%s.hex", design->rtl->tables[t].name);
        struct dse_strbuf *text = dse_folder_add(folder, name);
        dse_rtl_image(&design->rtl->tables[t], text);
    }
    return DSE_OK;
}

static const char *shipped_in(const struct dse_rtl_design *design, char *buffer, size_t size)
{
    snprintf(buffer, size, "rtl/%s", design->setup->family->name);
    return buffer;
}

static enum dse_status add_sources(const struct dse_rtl_design *design, struct dse_folder *folder, struct dse_error *err)
{
    char from[128], name[128], **names = NULL;
    size_t count = 0;
    enum dse_status status = dse_share_names(shipped_in(design, from, sizeof from), ".sv", &names, &count, err);
    for (size_t i = 0; status == DSE_OK && i < count; i++) {
        snprintf(name, sizeof name, "%s.sv", names[i]);
        status = dse_folder_add_shipped(folder, from, name, err);
    }
    dse_share_names_free(names, count);
    return status;
}

static enum dse_status add_bench(const struct dse_rtl_design *design, struct dse_folder *folder, struct dse_error *err)
{
    char from[128], name[128];
    snprintf(name, sizeof name, "%s_cases.bin", design->setup->family->name);
    struct dse_strbuf *text = dse_folder_add(folder, name);
    dse_strbuf_add_n(text, dse_strbuf_text(design->cases), design->cases->length);
    return dse_folder_add_shipped(folder, shipped_in(design, from, sizeof from), design->rtl->bench, err);
}

static enum dse_status add_all(const struct dse_rtl_design *design, struct dse_folder *folder, struct dse_error *err)
{
    const char *family = design->setup->family->name;
    char name[128];
    snprintf(name, sizeof name, "%s_design.svh", family);
    DSE_TRY(add_text(design, name, dse_rtl_parameters, folder, err));
    snprintf(name, sizeof name, "%s_design.h", family);
    DSE_TRY(add_text(design, name, dse_rtl_header, folder, err));
    DSE_TRY(add_text(design, "Makefile", dse_rtl_makefile, folder, err));
    DSE_TRY(add_text(design, "expected.json", write_expected, folder, err));
    DSE_TRY(add_text(design, "synth.conf", dse_rtl_synthesis, folder, err));
    DSE_TRY(dse_folder_add_shipped(folder, "rtl", "synth.sh", err));
    DSE_TRY(add_text(design, "vivado.tcl", dse_rtl_vivado, folder, err));
    DSE_TRY(add_text(design, "README.md", dse_rtl_readme, folder, err));
    DSE_TRY(add_tables(design, folder, err));
    DSE_TRY(add_sources(design, folder, err));
    return design->cases != NULL ? add_bench(design, folder, err) : DSE_OK;
}

enum dse_status dse_rtl_write(const struct dse_rtl_design *design, const char *path, struct dse_error *err)
{
    struct dse_folder folder = {.path = path, .overwrite = design->overwrite, .family = design->setup->family->name,
                                .prefix = design->prefix};
    enum dse_status status = add_all(design, &folder, err);
    if (status == DSE_OK)
        status = dse_folder_write(&folder, err);
    dse_folder_free(&folder);
    return status;
}
