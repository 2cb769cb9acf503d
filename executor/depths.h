/* Depths of pipelines from the cost library: the latencies of a simulation. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "resources/costs.h"

/* Looks operators up in one library at one clock, until one is missing. */
struct dse_latencies {
    const struct dse_costs *costs;
    double clock_hz;
    struct dse_error *err;
    enum dse_status status; /* DSE_OK, or the reason why the first one is missing; err has the message */
};

/* An operator's latency in cycles; 0 once `status` is not DSE_OK. */
uint64_t dse_latency(struct dse_latencies *latencies, enum dse_operator op, enum dse_precision precision);
uint64_t dse_latency_in(struct dse_latencies *latencies, enum dse_operator op, enum dse_precision precision, enum dse_form form);

/* Levels of a binary tree over that many inputs: ⌈log₂ inputs⌉. */
uint64_t dse_tree_levels(size_t inputs);
