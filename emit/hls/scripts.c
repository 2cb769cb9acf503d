/* The texts for the tools: v++'s configuration and the directives of older Vitis HLS. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/version.h"
#include "emit/hls/parts.h"
#include "emit/hls/words.h"

double dse_hls_clock_mhz(const struct dse_hls_design *design)
{
    return (double)design->estimate->config.value[design->setup->family->clock_knob];
}

static void write_configuration(const struct dse_hls_design *design, const char *file, const char *folder, const char *flow,
                                const char *package, struct dse_strbuf *out)
{
    const struct dse_hls *hls = design->hls;
    dse_strbuf_printf(out, "# Written by nysx-dse %s; v++ -c --mode hls --config %s --work_dir %s\npart=", DSE_VERSION, file, folder);
    dse_words_plain(out, design->setup->board->part);
    dse_strbuf_printf(out, "\n\n[hls]\nflow_target=%s\nclock=%gMHz\nsyn.top=%s\n", flow, dse_hls_clock_mhz(design), hls->top);
    if (design->pack != NULL && hls->sources != NULL)
        for (const char *const *source = hls->sources; *source != NULL; source++)
            dse_strbuf_printf(out, "syn.file=%s\n", *source);
    dse_strbuf_printf(out, "syn.cflags=-I.\npackage.output.format=%s\n", package);
    if (design->cases != NULL && hls->bench != NULL) {
        const char *family = design->setup->family->name;
        dse_strbuf_printf(out, "tb.file=%s\ntb.file=%s_pack.c\ntb.file=%s_pack.h\ntb.file=%s_cases.bin\ntb.file=%s_model.bin\ntb.cflags=-I.\n",
                          hls->bench, family, family, family, family);
    }
}

void dse_hls_configuration(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    write_configuration(design, "hls_config.cfg", design->hls->top, "vitis", "xo", out);
}

void dse_hls_ip_configuration(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    write_configuration(design, "ip_config.cfg", "ip", "vivado", "ip_catalog", out);
}

/* How many memory ports of a unit come before one: those of the stream of P_nys first, since they work at once, the others
 * behind them. */
static int64_t place_of(const struct dse_hls *hls, const struct dse_hls_port *port, int64_t index)
{
    int64_t before = index;
    for (size_t p = 0; p < hls->port_count; p++) {
        const struct dse_hls_port *other = &hls->ports[p];
        if (other != port && !dse_hls_is_register(other) && other->memory == port->memory &&
            (other->numbered != port->numbered ? other->numbered : other < port))
            before += other->count;
    }
    return before;
}

static int64_t ports_of_unit(const struct dse_hls *hls, size_t memory)
{
    int64_t count = 0;
    for (size_t p = 0; p < hls->port_count; p++)
        if (hls->ports[p].memory == memory && !dse_hls_is_register(&hls->ports[p]))
            count += hls->ports[p].count;
    return count;
}

/* "HP2": of the processing system's ports to a memory, in the order of the board's file, one after another. */
static void name_ps_port(const struct dse_board *board, const char *memory, int64_t index, char *buffer, size_t size)
{
    int64_t available = 0;
    for (size_t i = 0; i < board->port_count; i++)
        available += strcmp(board->ports[i].memory, memory) == 0 ? board->ports[i].count : 0;
    snprintf(buffer, size, "PS");
    index = available > 0 ? index % available : 0;
    for (size_t i = 0; i < board->port_count; i++) {
        const struct dse_port *kind = &board->ports[i];
        if (strcmp(kind->memory, memory) != 0)
            continue;
        if (index < kind->count) {
            snprintf(buffer, size, "%s%" PRId64, kind->name, index);
            break;
        }
        index -= kind->count;
    }
    for (char *c = buffer; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
}

void dse_hls_memory_tag(const struct dse_hls_design *design, const struct dse_hls_port *port, int64_t unit, int64_t index,
                        char *buffer, size_t size)
{
    const struct dse_board *board = design->setup->board;
    const struct dse_memory *memory = &board->memories[port->memory];
    if (memory->kind == DSE_MEMORY_PS_DDR)
        name_ps_port(board, memory->name, unit * ports_of_unit(design->hls, port->memory) + place_of(design->hls, port, index),
                     buffer, size);
    else
        snprintf(buffer, size, "%s[%" PRId64 "]", memory->kind == DSE_MEMORY_HBM ? "HBM" : "DDR",
                 (unit * port->count + index) % memory->channels);
}

/* A unit's ports, from channel to channel, as the models have them. */
static void connect_unit(const struct dse_hls_design *design, int64_t unit, struct dse_strbuf *out)
{
    const struct dse_hls *hls = design->hls;
    for (size_t p = 0; p < hls->port_count; p++) {
        const struct dse_hls_port *port = &hls->ports[p];
        for (int64_t i = 0; i < port->count && !dse_hls_is_register(port); i++) {
            char name[DSE_HLS_TEXT_MAX], tag[64];
            dse_hls_argument(port, i, name, sizeof name);
            dse_hls_memory_tag(design, port, unit, i, tag, sizeof tag);
            dse_strbuf_printf(out, "sp=%s_%" PRId64 ".%s:%s\n", hls->top, unit + 1, name, tag);
        }
    }
}

void dse_hls_linking(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    int64_t units = design->estimate->platform.units;
    dse_strbuf_printf(out,
                      "# Written by nysx-dse %s; v++ -l -t hw --platform PLATFORM --config link_config.cfg %s.xo\n"
                      "# Memories have the names that AMD's platforms give them; `platforminfo` shows a platform's own.\n"
                      "[connectivity]\nnk=%s:%" PRId64 "\n",
                      DSE_VERSION, design->hls->top, design->hls->top, units);
    for (int64_t unit = 0; unit < units; unit++)
        connect_unit(design, unit, out);
    dse_strbuf_add(out, "\n[clock]\n");
    for (int64_t unit = 0; unit < units; unit++)
        dse_strbuf_printf(out, "freqHz=%.0f:%s_%" PRId64 "\n", dse_hls_clock_mhz(design) * 1e6, design->hls->top, unit + 1);
}

/* "nysx_kse/kse_pes", or the function alone. */
static void add_location(const struct dse_hls_directive *directive, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, " \"%s%s%s\"\n", directive->function, directive->target != NULL ? "/" : "",
                      directive->target != NULL ? directive->target : "");
}

static void add_directive(const struct dse_hls_directive *directive, struct dse_strbuf *out)
{
    int64_t number = directive->number;
    switch (directive->kind) {
    case DSE_HLS_PIPELINE:
        dse_strbuf_printf(out, "set_directive_pipeline -II %" PRId64, number);
        add_location(directive, out);
        return;
    case DSE_HLS_UNROLL:
        dse_strbuf_add(out, "set_directive_unroll");
        if (number > 0)
            dse_strbuf_printf(out, " -factor %" PRId64, number);
        add_location(directive, out);
        return;
    case DSE_HLS_LOOP_TRIPCOUNT:
        dse_strbuf_printf(out, "set_directive_loop_tripcount -min 1 -max %" PRId64 " -avg %" PRId64, number, directive->mean);
        add_location(directive, out);
        return;
    case DSE_HLS_DATAFLOW:
        dse_strbuf_add(out, "set_directive_dataflow");
        add_location(directive, out);
        return;
    case DSE_HLS_INLINE:
        dse_strbuf_printf(out, "set_directive_inline -off \"%s\"\n", directive->function);
        return;
    case DSE_HLS_ALLOCATION:
        dse_strbuf_printf(out, "set_directive_allocation -limit 1 -type function \"%s\" %s\n", directive->function,
                          directive->target);
        return;
    case DSE_HLS_ARRAY_RESHAPE:
        dse_strbuf_printf(out, "set_directive_array_reshape -type complete -dim %d \"%s\" %s\n", directive->dimension,
                          directive->function, directive->target);
        return;
    case DSE_HLS_AGGREGATE:
        dse_strbuf_printf(out, "set_directive_aggregate \"%s\" %s\n", directive->function, directive->target);
        return;
    case DSE_HLS_DEPENDENCE:
        dse_strbuf_printf(out, "set_directive_dependence -type inter -dependent false \"%s\" %s\n",
                          directive->function, directive->target);
        return;
    case DSE_HLS_ARRAY_PARTITION:
        if (number == 0)
            dse_strbuf_add(out, "set_directive_array_partition -type complete");
        else
            dse_strbuf_printf(out, "set_directive_array_partition -type cyclic -factor %" PRId64, number);
        dse_strbuf_printf(out, " -dim %d", directive->dimension);
        break;
    case DSE_HLS_BIND_STORAGE:
        dse_strbuf_printf(out, "set_directive_bind_storage -type %s -impl %s", dse_hls_storage(directive),
                          directive->word);
        break;
    default:
        dse_strbuf_printf(out, "set_directive_stream -depth %" PRId64, number);
        break;
    }
    dse_strbuf_printf(out, " \"%s\" %s\n", directive->function, directive->target);
}

static void add_port(const struct dse_hls_design *design, const struct dse_hls_port *port, struct dse_strbuf *out)
{
    const char *top = design->hls->top;
    for (int64_t i = 0; i < port->count; i++) {
        char name[DSE_HLS_TEXT_MAX];
        const char *way = port->writes ? "write" : "read";
        dse_hls_argument(port, i, name, sizeof name);
        if (dse_hls_is_register(port)) {
            dse_strbuf_printf(out, "set_directive_interface -mode s_axilite \"%s\" %s\n", top, name);
            continue;
        }
        dse_strbuf_printf(out,
                          "set_directive_interface -mode m_axi -offset slave -bundle gmem_%s -depth %" PRId64
                          " -max_%s_burst_length %" PRId64 " -num_%s_outstanding %" PRId64 " \"%s\" %s\n",
                          name, dse_hls_port_words(design, port), way, port->burst_words, way, port->outstanding, top, name);
    }
}

void dse_hls_directives(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_hls *hls = design->hls;
    dse_strbuf_printf(out,
                      "# Written by nysx-dse %s. For Vitis HLS up to 2023.1, inside a solution:\n"
                      "#   source directives.tcl\n"
                      "# with the source compiled without the header's own pragmas: -cflags -D",
                      DSE_VERSION);
    dse_hls_macro(design, out, "NO_PRAGMAS");
    dse_strbuf_add(out, "\nset_part {");
    dse_words_plain(out, design->setup->board->part);
    dse_strbuf_printf(out, "}\ncreate_clock -period %gMHz -name default\nset_directive_top -name %s \"%s\"\n",
                      dse_hls_clock_mhz(design), hls->top, hls->top);
    for (size_t i = 0; i < hls->port_count; i++)
        add_port(design, &hls->ports[i], out);
    dse_strbuf_printf(out, "set_directive_interface -mode s_axilite \"%s\" return\n", hls->top);
    for (size_t i = 0; i < hls->directive_count; i++)
        if (hls->directives[i].kind != DSE_HLS_ARRAY_PARTITION || hls->directives[i].number != 1)
            add_directive(&hls->directives[i], out);
}
