/* The values of the templates' fields, and functions shared by several of their writers. */
#pragma once

#include "emit/emission.h"
#include "emit/template.h"

/* hls/header.c */
dse_field_writer dse_write_estimate, dse_write_configuration, dse_write_knobs, dse_write_sizes, dse_write_types, dse_write_assertions,
    dse_write_origin;
/* hls/directives.c: a macro per directive, the memory ports' macros, and both as Tcl. */
dse_field_writer dse_write_directives, dse_write_ports, dse_write_tcl_directives, dse_write_tcl_ports;
/* hls/calls.c: a call of the kernel as macros and as Python, if test cases are calls (executor/calls.h). */
dse_field_writer dse_write_calls, dse_write_python_ports, dse_write_python_registers;
bool dse_emit_calls(const struct dse_emission *design);
/* 32-bit words per pointer of the port. */
int64_t dse_emit_port_words(const struct dse_emission *design, const struct dse_hls_port *port);
/* The name of the kernel's parameter number `i` after its memory ports, which is a register; NULL behind the last. */
const char *dse_emit_register(const struct dse_emission *design, size_t i);
/* The addresses of all parameters' registers, in order, as the header of the IP's driver names them. */
dse_field_writer dse_write_register_addresses;
/* hls/connections.c: units and their ports to memory, for v++, for Vivado and as a table. */
void dse_ps_port(const struct dse_board *board, const char *memory, int64_t index, char *buffer, size_t size); /* "HP2", in the order of the board's file, one after another */
dse_field_writer dse_write_connections, dse_write_clocks, dse_write_unit_cells, dse_write_port_nets, dse_write_memories;
/* hls/model.c */
dse_field_writer dse_write_guards, dse_write_load_offset, dse_write_arrays, dse_write_array_list;
/* hls/expected.c: expected.json of either flow: the design in a folder, and its estimates. */
dse_field_writer dse_write_expected;
/* rtl/rtl.c */
dse_field_writer dse_write_rtl_parameters, dse_write_rtl_macros, dse_write_rtl_modules, dse_write_rtl_engines, dse_write_rtl_predicted,
    dse_write_rtl_register_words, dse_write_rtl_register_macros, dse_write_rtl_register_rows, dse_write_rtl_cell, dse_write_rtl_net,
    dse_write_rtl_port_macros;
/* The delay of a level of LUTs with the net after it; 0: unknown. */
double dse_rtl_lut_ns(const struct dse_board *board);
void dse_rtl_image(const struct dse_rtl_table *table, struct dse_strbuf *out); /* for $readmemh, one word per line */

/* The macro of a name: NYSX_KSE_PE of "kse.pe". Names are cut at the struct's length. */
struct dse_macro {
    char text[128];
};
struct dse_macro dse_emit_macro(const struct dse_emission *design, const char *name);

/* Appends a text for use in a comment or after "=". Characters other than ASCII letters, digits and " ._+-:,()" become "_", so that the text
 * never ends a line, a comment or a quotation. */
void dse_emit_plain(struct dse_strbuf *out, const char *text);

/* True if the knob's macro is its number; else the macro is that of a word. */
bool dse_emit_counts(const struct dse_knob *knob);

/* The initialiser of an array that is too large for the common header; nothing if the array is loaded. */
void dse_emit_initialiser(const struct dse_emission *design, const struct dse_pack_array *array, struct dse_strbuf *out);

/* XXH3 of the image; bytes of the image from the first loaded array on, 0 if none is loaded. */
uint64_t dse_emit_model_hash(const struct dse_emission *design);
size_t dse_emit_loaded_bytes(const struct dse_pack *pack);

double dse_emit_clock_mhz(const struct dse_emission *design);

/* True for a written port of one word: it is a register of the control port, because an adapter for one word would be waste. */
bool dse_port_is_register(const struct dse_hls_port *port);
/* The name of a port's argument `index`: "query", "p0". */
const char *dse_port_argument(const struct dse_hls_port *port, int64_t index, char *buffer, size_t size);
/* The memory port that a unit's port is connected to, by its name in platforms and Vivado: "HP0", "HBM[3]", "DDR[0]". */
void dse_port_memory(const struct dse_emission *design, const struct dse_hls_port *port, int64_t unit, int64_t index, char *buffer, size_t size);
