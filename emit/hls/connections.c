/* Units of the accelerator and the memories that their ports are connected to: for v++, for Vivado's block design, and as a table. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "emit/fields.h"

#define INTERRUPTS 8 /* lines of pl_ps_irq0; IRQ_F2P has 16 */

double dse_emit_clock_mhz(const struct dse_emission *design)
{
    return (double)design->estimate->config.value[design->setup->family->clock_knob];
}

/* Memory ports of a unit to one memory that come before an argument of one of them (NULL: all). Those of numbered streams are first, since they work
 * at once; the others follow. */
static int64_t ports_before(const struct dse_hls *hls, size_t memory, const struct dse_hls_port *port, int64_t index)
{
    int64_t before = index;
    for (size_t p = 0; p < hls->port_count; p++) {
        const struct dse_hls_port *other = &hls->ports[p];
        if (other == port || dse_port_is_register(other) || other->memory != memory)
            continue;
        if (port == NULL || (other->numbered != port->numbered ? other->numbered : other < port))
            before += other->count;
    }
    return before;
}

void dse_ps_port(const struct dse_board *board, const char *memory, int64_t index, char *buffer, size_t size)
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
    dse_upper(buffer);
}

void dse_port_memory(const struct dse_emission *design, const struct dse_hls_port *port, int64_t unit, int64_t index, char *buffer, size_t size)
{
    const struct dse_board *board = design->setup->board;
    const struct dse_memory *memory = &board->memories[port->memory];
    if (memory->kind == DSE_MEMORY_PS_DDR)
        dse_ps_port(board, memory->name,
                     unit * ports_before(design->hls, port->memory, NULL, 0) + ports_before(design->hls, port->memory, port, index), buffer, size);
    else
        snprintf(buffer, size, "%s[%" PRId64 "]", memory->kind == DSE_MEMORY_HBM ? "HBM" : "DDR",
                 (unit * port->count + index) % memory->channels);
}

/* A line for each memory port of each unit: U the unit's name, A the argument's, M the memory that it is connected to. `behind_ps` for ports of the
 * processing system's memory. */
static void add_ports(const struct dse_emission *design, const char *line, const char *behind_ps, struct dse_strbuf *out)
{
    const struct dse_hls *hls = design->hls;
    char name[DSE_HLS_TEXT_MAX], tag[64];
    for (int64_t unit = 0; unit < design->estimate->platform.units; unit++)
        for (size_t p = 0; p < hls->port_count; p++)
            for (int64_t i = 0; i < hls->ports[p].count && !dse_port_is_register(&hls->ports[p]); i++) {
                bool ps = design->setup->board->memories[hls->ports[p].memory].kind == DSE_MEMORY_PS_DDR;
                dse_port_memory(design, &hls->ports[p], unit, i, tag, sizeof tag);
                for (const char *c = ps ? behind_ps : line; *c != '\0'; c++)
                    if (*c == 'U')
                        dse_strbuf_printf(out, "%s_%" PRId64, hls->top, unit + 1);
                    else if (*c == 'A' || *c == 'M')
                        dse_strbuf_add(out, *c == 'M' ? tag : dse_port_argument(&hls->ports[p], i, name, sizeof name));
                    else
                        dse_strbuf_add_char(out, *c, 1);
            }
}

void dse_write_connections(const struct dse_emission *design, struct dse_strbuf *out)
{
    add_ports(design, "sp=U.A:M\n", "sp=U.A:M\n", out);
}

void dse_write_port_nets(const struct dse_emission *design, struct dse_strbuf *out)
{
    if (design->rtl != NULL) {
        dse_write_rtl_net(design, out);
        return;
    }
    add_ports(design, "outside U/m_axi_gmem_A ;# M\n", "to_ps U/m_axi_gmem_A M\n", out);
}

void dse_write_memories(const struct dse_emission *design, struct dse_strbuf *out)
{
    add_ports(design, "| U | A | M |\n", "| U | A | M |\n", out);
}

void dse_write_clocks(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (int64_t unit = 0; unit < design->estimate->platform.units; unit++)
        dse_strbuf_printf(out, "freqHz=%.0f:%s_%" PRId64 "\n", dse_emit_clock_mhz(design) * 1e6, design->hls->top, unit + 1);
}

void dse_write_unit_cells(const struct dse_emission *design, struct dse_strbuf *out)
{
    if (design->rtl != NULL) {
        dse_write_rtl_cell(design, out);
        return;
    }
    const char *top = design->hls->top;
    for (int64_t unit = 0, n = 1; unit < design->estimate->platform.units; unit++, n++)
        dse_strbuf_printf(out,
                          "create_bd_cell -type ip -vlnv xilinx.com:hls:%s %s_%" PRId64 "\n"
                          "connect_bd_net $clock [get_bd_pins %s_%" PRId64 "/ap_clk]\n"
                          "connect_bd_net [get_bd_pins resets/peripheral_aresetn] [get_bd_pins %s_%" PRId64 "/ap_rst_n]\n"
                          "if {$control eq {}} { outside %s_%" PRId64 "/s_axi_control } else {\n"
                          "    connect_bd_intf_net [get_bd_intf_pins controls/M%02" PRId64 "_AXI] [get_bd_intf_pins %s_%" PRId64 "/s_axi_control]\n}\n",
                          top, top, n, top, n, top, n, top, n, unit, top, n);
    const int64_t units = design->estimate->platform.units < INTERRUPTS ? design->estimate->platform.units : INTERRUPTS;
    dse_strbuf_printf(out,
                      "if {$control ne {}} {\n"
                      "    set_property -dict [lrange $interrupts 1 end] $ps\n"
                      "    set_property CONFIG.NUM_PORTS %" PRId64 " [create_bd_cell -type ip -vlnv xilinx.com:ip:xlconcat interrupts]\n"
                      "    connect_bd_net [get_bd_pins interrupts/dout] [get_bd_pins ps/[lindex $interrupts 0]]\n",
                      units);
    for (int64_t unit = 0; unit < units; unit++)
        dse_strbuf_printf(out, "    connect_bd_net [get_bd_pins %s_%" PRId64 "/interrupt] [get_bd_pins interrupts/In%" PRId64 "]\n", top, unit + 1, unit);
    dse_strbuf_add(out, "}\n");
}
