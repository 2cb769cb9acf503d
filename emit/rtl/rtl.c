/* A design in SystemVerilog: parameters for its modules and its test bench, memory images, and the modules that synthesis counts. */
#include <inttypes.h>
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

void dse_write_rtl_net(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_board *board = design->setup->board;
    if (board->memories[0].kind == DSE_MEMORY_PS_DDR) {
        char port[64];
        dse_ps_port(board, board->memories[0].name, 0, port, sizeof port);
        dse_strbuf_printf(out, "to_ps %s_1/m_axi %s\n", design->rtl->ip, port);
    } else
        dse_strbuf_printf(out, "outside %s_1/m_axi ;# %s\n", design->rtl->ip, board->memories[0].name);
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
