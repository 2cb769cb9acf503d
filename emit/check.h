/* Checks that an emitted design meets its claims. The checker of emitted designs is a separate program (emit/checker/), since only it needs LLVM and
 * clang. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "core/status.h"

/* DSE_LIMIT if the checker cannot be started, with the command that builds it. To be called before a design is made. */
enum dse_status dse_check_ready(struct dse_error *err);

/* Path of the checker; its bare name if it is looked for in PATH. The text lasts until the next call. */
const char *dse_check_path(void);

/* Runs the checker over a folder that emit wrote with a model. `report` is its JSON object: "loops", "errors", "unanalysed"; json_decref() when done.
 * DSE_OK also if a claim does not hold; see dse_check_passes(). DSE_LIMIT if the checker or clang is not installed. DSE_BAD_INPUT for a folder that
 * emit did not write or that does not compile. */
enum dse_status dse_check_run(const char *folder, json_t **report, struct dse_error *err);

/* Whether no rule is broken and no loop claims an interval below its bound. `failed` (may be NULL) counts the loops with such a claim. */
bool dse_check_passes(const json_t *report, size_t *failed);

/* One loop of a report. */
struct dse_check_loop {
    const char *engine, *name, *by, *inside, *at;
    const char *region, *process; /* the dataflow function, and its call that contains the loop; "" outside dataflow */
    bool streams;                 /* the loop reads or writes a FIFO */
    bool beside;                  /* other calls of the dataflow region run in parallel */
    long claimed_ii, bound_ii, depth, trips; /* claimed_ii 0: no directive; trips -1: known at run time only */
    double clock_mhz;                        /* up to which it holds the claimed interval; 0: any */
};
struct dse_check_loop dse_check_loop_at(const json_t *report, size_t index);
