/* Reading reports of Vitis and Vivado, HLS and implementation, of the versions 2019 to 2024 and their neighbours, and of Yosys.
 *
 * The contents of a file decide its kind, never its name. Figures that a report lacks stay unknown (NaN or NULL): "undef", "?", "-", "N/A", "NA",
 * "inf" and empty cells are unknown, never zero. Columns are found by their headings. A truncated file, a file that is no such report, and a report
 * of another tool are rejected. Each has its own error (DSE_BAD_INPUT). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"
#include "devices/board.h"

enum dse_report_kind {
    DSE_REPORT_CSYNTH_XML,      /* csynth.xml of Vivado HLS or Vitis HLS */
    DSE_REPORT_CSYNTH_RPT,      /* the same as text: a module's report or the synthesis summary */
    DSE_REPORT_UTILIZATION,     /* report_utilization (whole, hierarchical, by SLR), report_accelerator_utilization,
                                 * and the export report of Vivado HLS */
    DSE_REPORT_TIMING,          /* report_timing_summary */
    DSE_REPORT_SYSTEM_ESTIMATE, /* system_estimate of xocc and v++ */
    DSE_REPORT_POWER,           /* report_power */
    DSE_REPORT_COSIM,           /* co-simulation */
    DSE_REPORT_YOSYS,           /* stat -json of Yosys */
    DSE_REPORT_KIND_COUNT
};
extern const char *const dse_report_kind_names[DSE_REPORT_KIND_COUNT + 1]; /* "csynth-xml", … */

/* How far towards hardware the numbers are; levels are never mixed. */
enum dse_report_level {
    DSE_REPORT_LEVEL_UNKNOWN,
    DSE_REPORT_LEVEL_HLS,
    DSE_REPORT_LEVEL_COSIM,
    DSE_REPORT_LEVEL_SYNTHESIZED,
    DSE_REPORT_LEVEL_ROUTED, /* placed or routed */
    DSE_REPORT_LEVEL_OPEN,   /* counted by open synthesis: more LUTs than a vendor's tool */
    DSE_REPORT_LEVEL_COUNT
};
extern const char *const dse_report_level_names[DSE_REPORT_LEVEL_COUNT + 1];

/* NaN if the report does not say. */
struct dse_report_range {
    double min, max;
};

/* A module, kernel, SLR or instance with figures of its own. */
struct dse_report_instance {
    const char *name;
    const char *module; /* NULL if there is none */
    struct dse_report_range latency_cycles, interval_cycles;
    double used[DSE_RESOURCE_COUNT];
};

/* A pipelined loop, by its label. */
struct dse_report_loop {
    const char *name;
    double interval, depth; /* cycles; the larger if the report has two; NaN if it has none */
    bool own_module;        /* the tool made a module of it, "…_Pipeline_NAME" */
};

struct dse_report {
    const char *file;
    enum dse_report_kind kind;
    enum dse_report_level level;
    const char *tool;    /* "Vitis HLS", "Vivado", …; NULL if the report does not say, as for all texts */
    const char *version; /* "2020.1" */
    const char *part;    /* as the report writes it */
    const char *top;     /* design, kernel or module */
    double clock_target_ns, clock_estimated_ns;
    struct dse_report_range latency_cycles, interval_cycles;
    double used[DSE_RESOURCE_COUNT]; /* BRAM in 18 Kb halves: a RAMB36 or block RAM tile is 2 */
    double available[DSE_RESOURCE_COUNT];
    double wns_ns;
    double power_w, dynamic_power_w, static_power_w;
    const struct dse_report_instance *instances;
    size_t instance_count;
    struct dse_report_loop *loops; /* loop_count, of csynth.xml: of the top and of every module */
    size_t loop_count;
    struct dse_arena arena; /* owns every text, and the instances */
};

/* Reads one file of at most 64 MiB. */
enum dse_status dse_report_read(const char *path, struct dse_report **out, struct dse_error *err);

/* As dse_report_read, from memory; `name` stands for the file's name. */
enum dse_status dse_report_read_memory(const char *data, size_t size, const char *name,
                                       struct dse_report **out, struct dse_error *err);

void dse_report_free(struct dse_report *report);
