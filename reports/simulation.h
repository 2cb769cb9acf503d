/* The counts of a simulation, as a table, CSV and JSON: mean and percentiles of each engine's and stage's cycles. */
#pragma once

#include "core/strbuf.h"
#include "devices/board.h"
#include "executor/executor.h"
#include "explore/load.h"
#include "reports/format.h"

/* The spread of a list of cycles: mean, and percentiles by nearest rank. Sorts the list; 0 of an empty one. */
struct dse_cycles_spread {
    double mean;
    unsigned long long p50, p95, p99, most;
};
struct dse_cycles_spread dse_cycles_spread(uint64_t *cycles, size_t count);

struct dse_simulation_report {
    const struct dse_executor *executor;
    const struct dse_board *board;
    const struct dse_dataset *data; /* or NULL: a program, */
    const char *program;            /* by this name */
    struct dse_simulation *found; /* its lists of cycles are sorted on the way */
    const struct dse_load_result *load; /* NULL: not asked for */
};

/* `width` is that of the table for people (reports/table.h). */
void dse_simulation_write(const struct dse_simulation_report *report, enum dse_format format, size_t width, struct dse_strbuf *out);

/* A line an item: its place, the cycles of each stage and of each engine ("stage.NAME", "engine.NAME"), and its total. Before
 * dse_simulation_write, which puts cycles in order. */
void dse_simulation_write_cycles(const struct dse_simulation *found, const char *item, struct dse_strbuf *out);
