/* The options that every command shares, and the help made from option tables. */
#ifndef DSE_DSE_OPTIONS_H
#define DSE_DSE_OPTIONS_H

#include <stddef.h>

#include "core/strbuf.h"
#include "dse/cli.h"

#define DSE_PROGRAM_SUMMARY                                                                                  \
    "Design-space exploration and analytical models for FPGA accelerators of hyperdimensional "             \
    "computing on graphs."

extern const struct dse_option dse_shared_options[];
extern const size_t dse_shared_option_count;

/* Help for the program (`command` NULL) or for one command, wrapped to `columns`. */
void dse_help_write(struct dse_strbuf *out, const struct dse_command *command, size_t columns);

/* The manual page of the same, in troff's man macros. */
void dse_manual_write(struct dse_strbuf *out, const struct dse_command *command);

#endif
