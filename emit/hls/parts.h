/* Parts of the header that several files write. */
#ifndef DSE_EMIT_HLS_PARTS_H
#define DSE_EMIT_HLS_PARTS_H

#include "emit/hls/hls.h"

/* Appends the macro of a name: NYSX_KSE_PE of "kse.pe". */
void dse_hls_macro(const struct dse_hls_design *design, struct dse_strbuf *out, const char *name);

/* True where the knob's macro is its number; else it is a word's. */
bool dse_hls_knob_counts(const struct dse_knob *knob);

/* A macro a directive, and the macros of the memory ports. */
void dse_hls_write_pragmas(const struct dse_hls_design *design, struct dse_strbuf *out);
void dse_hls_write_ports(const struct dse_hls_design *design, struct dse_strbuf *out);

/* The type of memory that BIND_STORAGE asks for: "rom_2p". */
const char *dse_hls_storage(const struct dse_hls_directive *directive);

/* The name of a port's argument `index`: "query", "p0". */
const char *dse_hls_argument(const struct dse_hls_port *port, int64_t index, char *buffer, size_t size);

#endif
