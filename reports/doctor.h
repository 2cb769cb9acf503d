/* Table of the program's optional tools: purpose, availability, and how to install them. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "core/strbuf.h"

struct dse_tool {
    const char *name;     /* "verilator" */
    const char *purpose;  /* "simulates emitted SystemVerilog" */
    const char *remedy;   /* "apt-get install verilator" */
    char found[256];      /* its path; "": missing */
};

/* Table with remedies for missing tools; JSON {"schema", "results"}; CSV with one line per tool. */
void dse_tools_write(const struct dse_tool *tools, size_t count, size_t width, struct dse_strbuf *out);
json_t *dse_tools_json(const struct dse_tool *tools, size_t count);
void dse_tools_csv(const struct dse_tool *tools, size_t count, struct dse_strbuf *out);
