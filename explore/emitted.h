/* Reads back a folder written by `emit`: the request that it answers, and the tool reports in it. */
#pragma once

#include "core/arena.h"
#include "explore/request.h"

struct dse_emitted {
    const char *folder;
    const char *top;          /* top of its source: "nysx_top" */
    const char *family, *board, *dataset, *flow;
    const char *const *config; /* config_count assignments, "knob=value" */
    size_t config_count;
    const char *const (*modules)[2]; /* module_count modules of a SystemVerilog design, each with its engine */
    size_t module_count;
    const char *const *reports; /* report_count paths, sorted: every .xml and .rpt below the folder; for SystemVerilog every .json */
    size_t report_count;
    struct dse_arena arena;
};

/* Reads FOLDER/expected.json and searches the folder, 12 levels deep. DSE_BAD_INPUT if it is not an emitted folder, or if a program before 0.2, which
 * did not store the design, wrote it. */
enum dse_status dse_emitted_open(const char *folder, struct dse_emitted *out, struct dse_error *err);
void dse_emitted_free(struct dse_emitted *emitted);
