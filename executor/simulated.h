/* Shared by the simulations of all families. A family declares its stages, engines and counters as tables over the record that an item fills in; the
 * results follow from the records. */
#pragma once

#include "executor/executor.h"

struct dse_sim_engine {
    const char *name;
    size_t first, last; /* stages that it works in */
};

struct dse_sim_counter {
    size_t engine;
    const char *name; /* "bank_conflicts" */
    size_t at;        /* offset of its uint64_t in a record */
};

struct dse_sim_form {
    size_t record_bytes; /* from one item's record to the next; 0: all items take the cycles of one record together */
    const char *const *stages; /* stage_count; their cycles are a uint64_t [stage_count] of the record at `stage_at` */
    size_t stage_count, stage_at;
    const struct dse_sim_engine *engines; /* engine_count; their cycles of work likewise at `work_at` */
    size_t engine_count, work_at;
    const struct dse_sim_counter *counters;
    size_t counter_count;
};

/* Cycles, totals, waiting cycles and means of the counters from `items` records. `stages`: the number of stages of this configuration, which has the first
 * ones. Bit e of `absent`: engine e is absent. Fills in a zeroed result except quality, equal and clock; it must be released also after a failure. O(items
 * × (engines × stages + counters)). */
void dse_simulation_gather(const struct dse_sim_form *form, const void *records, size_t items, size_t stages,
                           uint64_t absent, struct dse_simulation *out);

/* A step of an accelerator with a queue: the consecutive stages first … last of an item. Also the cycles from the end of a step to its start on the
 * next item, if that item is waiting. */
struct dse_sim_step {
    size_t first, last, gap;
};

/* Sets the mean interval from the first item's answer to the last one's. Each step works on a different item. A step hands its item over once the
 * next step has handed over the item before. It then needs one cycle. `count`: 1 … DSE_SIM_STEPS. O(items × stages). */
#define DSE_SIM_STEPS 4
void dse_simulation_flow(const struct dse_sim_step *steps, size_t count, struct dse_simulation *out);

/* Adds a count of an engine (its index in the result) after those of the table. */
void dse_simulation_count(struct dse_simulation *simulation, size_t engine, const char *name, double mean);
