/* A design in SystemVerilog: parameters for its modules and its test bench, memory images, and the modules that synthesis counts. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emit/fields.h"
#include "models/path.h"

void dse_write_rtl_parameters(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->rtl->parameter_count; i++) {
        const struct dse_rtl_parameter *p = &design->rtl->parameters[i];
        dse_strbuf_printf(out, "localparam %s%s%s = %s; // %s\n", p->type, *p->type != '\0' ? " " : "", p->name, p->value, p->title);
    }
}

/* Words of the second port per cycle that one channel of its memory sustains, through the board's widest port: 1 at most. */
static double port_rate(const struct dse_emission *design, const struct dse_memory *memory)
{
    const struct dse_board *board = design->setup->board;
    int64_t widest = 0;
    for (size_t i = 0; i < board->port_count; i++)
        if (strcmp(board->ports[i].memory, memory->name) == 0 && board->ports[i].width_bits > widest)
            widest = board->ports[i].width_bits;
    double channel = dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / (dse_emit_clock_mhz(design) * 1e6);
    return fmin(1.0, fmin((double)widest / 8.0, channel) / ((double)design->rtl->port_bits / 8.0));
}

/* The second port for the test bench. */
static void add_port_macros(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_rtl *rtl = design->rtl;
    const struct dse_memory *memory = &design->setup->board->memories[rtl->port_memory];
    dse_strbuf_printf(out, "#define %s %zuu // bits of a word of %s\n", dse_emit_macro(design, "P_PORT_BITS").text, rtl->port_bits, rtl->port);
    dse_strbuf_printf(out, "#define %s %.0fu // cycles until its memory answers\n", dse_emit_macro(design, "P_LATENCY").text,
                      memory->read_latency_s * dse_emit_clock_mhz(design) * 1e6);
    dse_strbuf_printf(out, "#define %s %.0fu // words that it sustains,\n", dse_emit_macro(design, "P_RATE").text,
                      floor(DSE_RTL_RATE_CYCLES * port_rate(design, memory)));
    dse_strbuf_printf(out, "#define %s %du // in so many cycles\n", dse_emit_macro(design, "P_RATE_CYCLES").text, DSE_RTL_RATE_CYCLES);
}

/* The whole numbers among them, and the estimate's cycles of a mean graph. */
void dse_write_rtl_macros(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->rtl->parameter_count; i++) {
        const struct dse_rtl_parameter *p = &design->rtl->parameters[i];
        struct dse_macro macro = dse_emit_macro(design, p->name);
        if (strcmp(p->type, DSE_RTL_WHOLE) == 0)
            dse_strbuf_printf(out, "#define %s %su // %s\n", macro.text, p->value, p->title);
        else if (strcmp(p->type, DSE_RTL_BIT) == 0)
            dse_strbuf_printf(out, "#define %s %c // %s\n", macro.text, p->value[strlen(p->value) - 1], p->title);
    }
    dse_strbuf_add_n(out, dse_strbuf_text(&design->rtl->macros), design->rtl->macros.length);
    const struct dse_estimate *estimate = design->of_cases != NULL ? design->of_cases : design->estimate;
    const struct dse_accumulators *sums = &estimate->sums;
    dse_strbuf_printf(out, "#define %s \\\n    {", dse_emit_macro(design, "PREDICTED").text);
    for (size_t k = 0; design->rtl->stages[k] != NULL; k++)
        dse_strbuf_printf(out, "%s{\"%s\", %" PRId64 "}", k > 0 ? ", " : "", design->rtl->stages[k],
                          sums->busy_cycles[DSE_CASE_MEAN][k] + sums->fill_cycles[DSE_CASE_MEAN][k]);
    dse_strbuf_printf(out, "} // cycles of a mean graph by the estimate\n#define %s %.0fu // cycles until the board's memory answers\n",
                      dse_emit_macro(design, "MEMORY_LATENCY").text,
                      design->setup->board->memories[0].read_latency_s * dse_emit_clock_mhz(design) * 1e6);
    if (design->rtl->port != NULL)
        add_port_macros(design, out);
    if (estimate->platform.pipelined)
        dse_strbuf_printf(out, "#define %s %.2f // cycles from an answer to the next by the estimate\n", dse_emit_macro(design, "PREDICTED_INTERVAL").text,
                          dse_emit_clock_mhz(design) * 1e6 / estimate->metrics[DSE_METRIC_THROUGHPUT]);
    dse_strbuf_printf(out, "#define %s %.0f.0\n", dse_emit_macro(design, "CLOCK_HZ").text, dse_emit_clock_mhz(design) * 1e6);
    if (design->setup->family->prepare_stages != 0)
        dse_strbuf_printf(out, "#define %s %.17g\n", dse_emit_macro(design, "OPERATION_S").text, design->setup->board->host.operation.s);
}

void dse_write_rtl_register_words(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (const struct dse_rtl_register *r = design->rtl->registers; r->name != NULL; r++)
        dse_strbuf_printf(out, "localparam logic [5:0] REG_%s = 6'h%02x; // %s\n", r->name, r->address, r->title);
}

void dse_write_rtl_register_macros(const struct dse_emission *design, struct dse_strbuf *out)
{
    char name[64];
    for (const struct dse_rtl_register *r = design->rtl->registers; r->name != NULL; r++) {
        snprintf(name, sizeof name, "REG_%s", r->name);
        dse_strbuf_printf(out, "#define %s 0x%02xu /* %s */\n", dse_emit_macro(design, name).text, r->address, r->title);
    }
}

void dse_write_rtl_register_rows(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (const struct dse_rtl_register *r = design->rtl->registers; r->name != NULL; r++)
        dse_strbuf_printf(out, "| 0x%02x | %s | %s |\n", r->address, r->name, r->title);
}

/* The accelerator as an IP in a block design (templates/hls/block_design.tcl): one unit, whose port is on the first port of the board's memory. */
void dse_write_rtl_cell(const struct dse_emission *design, struct dse_strbuf *out)
{
    const char *ip = design->rtl->ip;
    dse_strbuf_printf(out,
                      "create_bd_cell -type ip -vlnv nysx-dse:user:%s:1.0 %s_1\n"
                      "connect_bd_net $clock [get_bd_pins %s_1/aclk]\n"
                      "connect_bd_net [get_bd_pins resets/peripheral_aresetn] [get_bd_pins %s_1/aresetn]\n"
                      "if {$control eq {}} { outside %s_1/s_axi } else {\n"
                      "    connect_bd_intf_net [get_bd_intf_pins controls/M00_AXI] [get_bd_intf_pins %s_1/s_axi]\n"
                      "    set_property -dict [lrange $interrupts 1 end] $ps\n"
                      "    connect_bd_net [get_bd_pins %s_1/interrupt] [get_bd_pins ps/[lindex $interrupts 0]]\n}\n",
                      ip, ip, ip, ip, ip, ip, ip);
}

/* Port number `index` of the accelerator on a memory. */
static void add_net(const struct dse_emission *design, const char *name, size_t memory, int64_t index, struct dse_strbuf *out)
{
    const struct dse_board *board = design->setup->board;
    if (board->memories[memory].kind == DSE_MEMORY_PS_DDR) {
        char port[64];
        dse_ps_port(board, board->memories[memory].name, index, port, sizeof port);
        dse_strbuf_printf(out, "to_ps %s_1/%s %s\n", design->rtl->ip, name, port);
    } else
        dse_strbuf_printf(out, "outside %s_1/%s ;# %s\n", design->rtl->ip, name, board->memories[memory].name);
}

void dse_write_rtl_net(const struct dse_emission *design, struct dse_strbuf *out)
{
    add_net(design, "m_axi", 0, 0, out);
    if (design->rtl->port != NULL)
        add_net(design, design->rtl->port, design->rtl->port_memory, design->rtl->port_memory == 0, out);
}

void dse_write_rtl_port_macros(const struct dse_emission *design, struct dse_strbuf *out)
{
    if (design->rtl->port != NULL)
        dse_strbuf_printf(out, "`define %s %zu // of %s\n", dse_emit_macro(design, "P_PORT_BITS").text, design->rtl->port_bits, design->rtl->port);
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

void dse_write_rtl_modules(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (const struct dse_rtl_module *m = design->rtl->modules; m->name != NULL; m++)
        dse_strbuf_printf(out, " %s", m->name);
}

void dse_write_rtl_engines(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (const struct dse_rtl_module *m = design->rtl->modules; m->name != NULL; m++)
        dse_strbuf_printf(out, "%s%s:%s", m == design->rtl->modules ? "" : " ", m->name, m->engine);
}

void dse_write_rtl_predicted(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t e = 0; e < design->setup->family->engine_count; e++) {
        const int64_t *r = design->estimate->engines[e].sums.resources;
        dse_strbuf_printf(out, "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", design->setup->family->engines[e].name,
                          r[DSE_LUT], r[DSE_LUTRAM], r[DSE_FF], r[DSE_BRAM18], r[DSE_DSP]);
    }
}

double dse_rtl_lut_ns(const struct dse_board *board)
{
    struct dse_path_delays delays;
    return dse_path_delays_of(board, &delays) ? delays.level : 0.0;
}
