/* The optional tools of the program as a table: what each is for, whether it is there, and what installs it. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "core/strbuf.h"

struct dse_tool {
    const char *name;     /* "verilator" */
    const char *purpose;  /* "simulates emitted SystemVerilog" */
    const char *remedy;   /* "apt-get install verilator" */
    char found[256];      /* its path; "": not there */
};

/* For people, with the remedies of what is missing below; {"schema", "results"}; a line a tool. */
void dse_tools_write(const struct dse_tool *tools, size_t count, size_t width, struct dse_strbuf *out);
json_t *dse_tools_json(const struct dse_tool *tools, size_t count);
void dse_tools_csv(const struct dse_tool *tools, size_t count, struct dse_strbuf *out);
