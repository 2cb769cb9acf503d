/* A folder that `emit` wrote, read back: what it was emitted for, as a request, and the reports that tools left in it. */
#pragma once

#include "core/arena.h"
#include "explore/request.h"

struct dse_emitted {
    const char *folder;
    const char *top;          /* of its source: "nysx_top" */
    const char *family, *board, *dataset, *flow;
    const char *const *config; /* config_count assignments, "knob=value" */
    size_t config_count;
    const char *const (*modules)[2]; /* module_count of a design in SystemVerilog: each with the engine that it is of */
    size_t module_count;
    const char *const *reports; /* report_count paths, sorted: every .xml and .rpt below the folder, of SystemVerilog every .json */
    size_t report_count;
    struct dse_arena arena;
};

/* Reads FOLDER/expected.json and looks through the folder, 12 levels deep. DSE_BAD_INPUT where it is no emitted folder, or one
 * of a program before 0.2, which did not write the design down. */
enum dse_status dse_emitted_open(const char *folder, struct dse_emitted *out, struct dse_error *err);
void dse_emitted_free(struct dse_emitted *emitted);
