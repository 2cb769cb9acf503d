/* Counts of the loops of an emitted folder on its test graphs: its C simulation with added counters, compiled and run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* One loop with a label. */
struct dse_loop_count {
    char name[64];
    uint64_t *entered, *turned; /* [calls]: entries with at least one iteration, and iterations */
};

/* Empty when zeroed. */
struct dse_loop_counts {
    struct dse_loop_count *loops; /* count */
    size_t count, calls, answers; /* several calls may lead to one answer */
};

/* Copies the sources of a folder that emit wrote with model and cases. Adds a counter to each labelled loop whose body is in braces. Compiles
 * the copies (`cc`, or $CC) and runs the program. `macros` is the prefix of the source's macros ("NYSX"). DSE_LIMIT without a compiler or disk space;
 * DSE_BAD_INPUT for a folder that does not compile or whose answers differ from the executor's. */
enum dse_status dse_count_loops(const char *folder, const char *macros, struct dse_loop_counts *out, struct dse_error *err);

void dse_loop_counts_free(struct dse_loop_counts *counts);

/* The loop of that name, or NULL. */
const struct dse_loop_count *dse_loop_count_find(const struct dse_loop_counts *counts, const char *name);
