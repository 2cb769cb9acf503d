#include "executor/depths.h"

uint64_t dse_latency_in(struct dse_latencies *latencies, enum dse_operator op, enum dse_precision precision, enum dse_form form)
{
    struct dse_cost cost = {0};
    if (latencies->status == DSE_OK)
        latencies->status = dse_costs_operator(latencies->costs, op, precision, form, latencies->clock_hz, &cost, latencies->err);
    return (uint64_t)cost.latency_cycles;
}

uint64_t dse_latency(struct dse_latencies *latencies, enum dse_operator op, enum dse_precision precision)
{
    return dse_latency_in(latencies, op, precision, DSE_FORM_ANY);
}

uint64_t dse_tree_levels(size_t inputs)
{
    uint64_t levels = 0;
    while (((size_t)1 << levels) < inputs)
        levels++;
    return levels;
}
