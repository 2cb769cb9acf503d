/* Work on independent items by several threads. */
#pragma once

#include <stddef.h>

#include "core/monitor.h"
#include "core/status.h"

/* Handles item `index` of 0 … count−1. `thread` is 0 … jobs−1, for scratch memory. */
typedef enum dse_status dse_parallel_body(void *user, size_t index, size_t thread,
                                          struct dse_error *err);

/* Calls `body` for every item on up to `jobs` threads (1: on the caller's own), in no fixed order. Each item writes to places of its own, so results
 * do not depend on `jobs`. Stops starting items once one fails or the monitor cancels. Then returns the failure of the lowest failed item, or
 * DSE_LIMIT "interrupted". */
enum dse_status dse_parallel_for(size_t count, size_t jobs, dse_parallel_body *body, void *user,
                                 const struct dse_monitor *monitor, struct dse_error *err);

/* The processors that this process may run on. */
size_t dse_parallel_default_jobs(void);
