/* Counts of a simulation, as table, CSV and JSON: mean and percentiles of the cycles of each engine and stage. */
#pragma once

#include "core/strbuf.h"
#include "devices/board.h"
#include "executor/executor.h"
#include "explore/load.h"
#include "reports/format.h"

/* Spread of a list of cycles: mean, and percentiles by nearest rank. Sorts the list; 0 if empty. */
struct dse_cycles_spread {
    double mean;
    unsigned long long p50, p95, p99, most;
};
struct dse_cycles_spread dse_cycles_spread(uint64_t *cycles, size_t count);

struct dse_simulation_report {
    const struct dse_executor *executor;
    const struct dse_board *board;
    const struct dse_dataset *data; /* NULL for a program, */
    const char *program;            /* with this name */
    struct dse_simulation *found; /* its lists of cycles are sorted by the report */
    const struct dse_load_result *load; /* NULL: not requested */
    const char *items; /* name of the load's items */
    const char *origin; /* origin of the design (explore/meant.h), or NULL for a program */
};

/* `width`: limit of the table (reports/table.h). */
void dse_simulation_write(const struct dse_simulation_report *report, enum dse_format format, size_t width, struct dse_strbuf *out);

/* One line per item: index, cycles of each stage and engine ("stage.NAME", "engine.NAME"), total. Call it before
 * dse_simulation_write, which sorts the cycles. */
void dse_simulation_write_cycles(const struct dse_simulation *found, const char *item, struct dse_strbuf *out);
