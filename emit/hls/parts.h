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

/* True for a port of one word that is written: a register of the control port, since an adapter for one word is waste. */
bool dse_hls_is_register(const struct dse_hls_port *port);

/* Elements behind one pointer of the port. The first port also brings the tables that are loaded. */
int64_t dse_hls_port_words(const struct dse_hls_design *design, const struct dse_hls_port *port);

/* Bytes of the image from the first array that is loaded on; 0 where none is. */
size_t dse_hls_image_loaded(const struct dse_pack *pack);

/* The clock that the design is made for. */
double dse_hls_clock_mhz(const struct dse_hls_design *design);

/* What a unit's port is connected to, by the names that platforms and Vivado have: "HP0", "HBM[3]", "DDR[0]". */
void dse_hls_memory_tag(const struct dse_hls_design *design, const struct dse_hls_port *port, int64_t unit, int64_t index,
                        char *buffer, size_t size);

/* XXH3 of the image. */
uint64_t dse_hls_model_hash(const struct dse_hls_design *design);

/* The name of a port's argument `index`: "query", "p0". */
const char *dse_hls_argument(const struct dse_hls_port *port, int64_t index, char *buffer, size_t size);

#endif
