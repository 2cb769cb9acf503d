/* The writer of board files: a board in memory, with its facts and alternatives, as devices/schema/board.xsd. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/strbuf.h"
#include "core/xml.h"
#include "devices/board.h"

static void add_number(struct dse_strbuf *out, const char *name, double value)
{
    dse_strbuf_printf(out, " %s=\"%.10g\"", name, value);
}

/* Ends an open tag with its source, and writes the note and the alternatives of the fact. `tail` closes the
 * element, or is "" where children follow. */
static void DSE_PRINTF(6, 7) add_fact(struct dse_strbuf *out, const struct dse_board *board, int indent, const char *tag,
                                      bool children, const char *format, ...)
{
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const struct dse_board_fact *fact = dse_board_fact_find(board, what);
    dse_xml_write_attribute(out, "source", fact != NULL ? fact->source->id : "");
    size_t alternatives = 0;
    for (size_t i = 0; i < board->alternative_count; i++)
        alternatives += strcmp(board->alternatives[i].what, what) == 0;
    bool note = fact != NULL && fact->note[0] != '\0';
    if (!note && alternatives == 0 && !children) {
        dse_strbuf_add(out, "/>\n");
        return;
    }
    dse_strbuf_add(out, ">\n");
    if (note) {
        dse_strbuf_printf(out, "%*s<note>", indent + 2, "");
        dse_xml_escape(out, fact->note);
        dse_strbuf_add(out, "</note>\n");
    }
    for (size_t i = 0; i < board->alternative_count; i++) {
        const struct dse_board_alternative *a = &board->alternatives[i];
        if (strcmp(a->what, what) != 0)
            continue;
        dse_strbuf_printf(out, "%*s<alternative", indent + 2, "");
        dse_xml_write_attribute(out, "value", a->value);
        dse_xml_write_attribute(out, "source", a->source->id);
        dse_xml_write_attribute(out, "why", a->why);
        dse_strbuf_add(out, "/>\n");
    }
    if (!children)
        dse_strbuf_printf(out, "%*s</%s>\n", indent, "", tag);
}

static void add_sources(struct dse_strbuf *out, const struct dse_board *board)
{
    dse_strbuf_add(out, "\n  <sources>\n");
    for (size_t i = 0; i < board->source_count; i++) {
        dse_strbuf_add(out, "    <source");
        dse_xml_write_attribute(out, "id", board->sources[i].id);
        dse_xml_write_attribute(out, "evidence", board->sources[i].evidence);
        dse_strbuf_add(out, ">");
        dse_xml_escape(out, board->sources[i].text);
        dse_strbuf_add(out, "</source>\n");
    }
    dse_strbuf_add(out, "  </sources>\n");
}

static void add_resources(struct dse_strbuf *out, const struct dse_board *board)
{
    dse_strbuf_add(out, "\n  <resources>\n    <chip");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, " %s=\"%lld\"", dse_resource_names[r], (long long)board->chip[r]);
    add_fact(out, board, 4, "chip", false, "chip");
    dse_strbuf_add(out, "    <platform");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, " %s=\"%lld\"", dse_resource_names[r], (long long)board->platform[r]);
    add_fact(out, board, 4, "platform", false, "platform");
    dse_strbuf_add(out, "    <headroom");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        add_number(out, dse_resource_names[r], board->headroom[r]);
    add_fact(out, board, 4, "headroom", false, "headroom");
    dse_strbuf_add(out, "  </resources>\n");
}

static void add_memory(struct dse_strbuf *out, const struct dse_board *board, const struct dse_memory *m)
{
    dse_strbuf_add(out, "    <memory");
    dse_xml_write_attribute(out, "name", m->name);
    dse_xml_write_attribute(out, "kind", dse_memory_kind_names[m->kind]);
    dse_xml_write_attribute(out, "technology", m->technology);
    dse_strbuf_printf(out, " channels=\"%lld\" width_bits=\"%lld\"", (long long)m->channels,
                      (long long)m->width_bits);
    add_fact(out, board, 4, "memory", true, "memory %.60s", m->name);
    dse_strbuf_add(out, "      <rate");
    add_number(out, "preset_mtps", m->preset_transfers_hz / 1e6);
    add_number(out, "nominal_mtps", m->nominal_transfers_hz / 1e6);
    add_fact(out, board, 6, "rate", false, "memory %.60s rate", m->name);
    dse_strbuf_add(out, "      <efficiency");
    add_number(out, "share", m->efficiency);
    add_number(out, "low", m->efficiency_low);
    add_number(out, "high", m->efficiency_high);
    add_fact(out, board, 6, "efficiency", false, "memory %.60s efficiency", m->name);
    dse_strbuf_add(out, "      <latency");
    add_number(out, "read_ns", m->read_latency_s * 1e9);
    add_number(out, "low_ns", m->read_latency_low_s * 1e9);
    add_number(out, "high_ns", m->read_latency_high_s * 1e9);
    add_fact(out, board, 6, "latency", false, "memory %.60s latency", m->name);
    dse_strbuf_printf(out, "      <capacity mib=\"%lld\"", (long long)(m->capacity_bytes >> 20));
    add_fact(out, board, 6, "capacity", false, "memory %.60s capacity", m->name);
    dse_strbuf_add(out, "      <energy");
    add_number(out, "pj_per_bit", m->energy_j_per_bit * 1e12);
    add_number(out, "low", m->energy_low_j_per_bit * 1e12);
    add_number(out, "high", m->energy_high_j_per_bit * 1e12);
    add_fact(out, board, 6, "energy", false, "memory %.60s energy", m->name);
    dse_strbuf_add(out, "    </memory>\n");
}

static void add_port(struct dse_strbuf *out, const struct dse_board *board, const struct dse_port *port)
{
    dse_strbuf_add(out, "    <port");
    dse_xml_write_attribute(out, "name", port->name);
    dse_xml_write_attribute(out, "memory", port->memory);
    dse_strbuf_printf(out, " count=\"%lld\" width_bits=\"%lld\" max_burst_beats=\"%lld\"", (long long)port->count,
                      (long long)port->width_bits, (long long)port->max_burst_beats);
    add_fact(out, board, 4, "port", false, "port %.60s", port->name);
}

static void add_clocks(struct dse_strbuf *out, const struct dse_board *board)
{
    dse_strbuf_add(out, "\n  <clocks");
    add_number(out, "default_mhz", board->default_clock_hz / 1e6);
    add_number(out, "max_mhz", board->max_clock_hz / 1e6);
    add_fact(out, board, 2, "clocks", true, "clocks");
    for (size_t i = 0; i < board->clock_input_count; i++) {
        dse_strbuf_add(out, "    <input");
        dse_xml_write_attribute(out, "name", board->clock_inputs[i].name);
        add_number(out, "mhz", board->clock_inputs[i].clock_hz / 1e6);
        add_fact(out, board, 4, "input", false, "clock %.60s", board->clock_inputs[i].name);
    }
    for (size_t i = 0; i < board->cap_count; i++) {
        const struct dse_clock_cap *cap = &board->caps[i];
        dse_strbuf_add(out, "    <cap");
        add_number(out, "mhz", cap->clock_hz / 1e6);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            add_number(out, dse_resource_names[r], cap->utilisation[r]);
        add_fact(out, board, 4, "cap", false, "cap %g MHz", cap->clock_hz / 1e6);
    }
    dse_strbuf_add(out, "  </clocks>\n");
}

static void add_watts(struct dse_strbuf *out, const struct dse_board *board, const char *tag, const char *what,
                      double value, double low, double high)
{
    dse_strbuf_printf(out, "    <%s", tag);
    add_number(out, "w", value);
    add_number(out, "low_w", low);
    add_number(out, "high_w", high);
    add_fact(out, board, 4, tag, false, "%s", what);
}

void dse_board_write(const struct dse_board *board, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<board version=\"1\"");
    dse_xml_write_attribute(out, "name", board->name);
    dse_xml_write_attribute(out, "title", board->title);
    for (size_t i = 0; i < board->alias_count; i++)
        dse_strbuf_printf(out, "%s%s", i == 0 ? " aliases=\"" : " ", board->aliases[i]);
    dse_strbuf_add(out, board->alias_count > 0 ? "\">\n" : ">\n");
    add_sources(out, board);
    dse_strbuf_add(out, "\n  <part");
    dse_xml_write_attribute(out, "name", board->part);
    dse_xml_write_attribute(out, "family", board->family);
    dse_xml_write_attribute(out, "dsp", board->dsp_type);
    dse_strbuf_printf(out, " process_nm=\"%lld\" slrs=\"%lld\"", (long long)board->process_nm,
                      (long long)board->slrs);
    add_fact(out, board, 2, "part", false, "part");
    add_resources(out, board);
    dse_strbuf_add(out, "\n  <memories>\n");
    for (size_t i = 0; i < board->memory_count; i++)
        add_memory(out, board, &board->memories[i]);
    dse_strbuf_add(out, "  </memories>\n\n  <ports>\n");
    for (size_t i = 0; i < board->port_count; i++)
        add_port(out, board, &board->ports[i]);
    dse_strbuf_add(out, "  </ports>\n");
    add_clocks(out, board);
    dse_strbuf_add(out, "\n  <power>\n");
    add_watts(out, board, "static", "static power", board->static_power_w, board->static_power_low_w,
              board->static_power_high_w);
    if (!isnan(board->ps_power_w))
        add_watts(out, board, "ps", "ps power", board->ps_power_w, board->ps_power_low_w,
                  board->ps_power_high_w);
    dse_strbuf_add(out, "  </power>\n</board>\n");
}
