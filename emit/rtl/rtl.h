/* What a chosen design hands to simulation and synthesis of its RTL: sources, parameters, memory images, a test bench
 * for Verilator, scripts for Yosys and Vivado. Nothing in them depends on when or where they were made. */
#ifndef DSE_EMIT_RTL_RTL_H
#define DSE_EMIT_RTL_RTL_H

#include "core/status.h"
#include "core/strbuf.h"
#include "executor/rtl.h"
#include "models/estimate.h"

/* What is written about. Nothing is owned. */
struct dse_rtl_design {
    const struct dse_setup *setup;
    const struct dse_estimate *estimate; /* of the configuration that is written */
    const struct dse_rtl *rtl;
    const char *dataset;
    const struct dse_strbuf *cases; /* for the test bench; NULL: none */
    bool overwrite; /* also what another design left in the folder */
    const char *prefix; /* of names in place of the family's; NULL: the family's own */
};

/* FAMILY_design.svh: a localparam a parameter. */
void dse_rtl_parameters(const struct dse_rtl_design *design, struct dse_strbuf *out);

/* FAMILY_design.h: the whole numbers of the same for the test bench. */
void dse_rtl_header(const struct dse_rtl_design *design, struct dse_strbuf *out);

/* NAME.hex: the contents of a memory for $readmemh, a word a line. */
void dse_rtl_image(const struct dse_rtl_table *table, struct dse_strbuf *out);

/* Makefile (`sim`, `lint`, `synth`), synth.conf (what rtl/synth.sh counts, and what the estimate says of it), vivado.tcl, README.md. */
void dse_rtl_makefile(const struct dse_rtl_design *design, struct dse_strbuf *out);
void dse_rtl_synthesis(const struct dse_rtl_design *design, struct dse_strbuf *out);
void dse_rtl_vivado(const struct dse_rtl_design *design, struct dse_strbuf *out);
void dse_rtl_readme(const struct dse_rtl_design *design, struct dse_strbuf *out);

/* All of it into a folder, which is made when missing; all files, or on DSE_LIMIT what was there before. */
enum dse_status dse_rtl_write(const struct dse_rtl_design *design, const char *folder, struct dse_error *err);

#endif
