/* Pipelined loops counted by an accelerator's cost model; reports compare them with synthesis loop by loop.
 *
 * A block's cost records its loops while it sums their cycles (models/build.h), only if the context asks for
 * it; otherwise nothing is recorded. Each entry of a loop takes depth + interval · (iterations − 1) cycles. */
#pragma once

#include "models/estimate.h"

struct dse_loop {
    const char *name; /* label in the source, static */
    size_t block;     /* block index whose cost recorded it */
    double entries[DSE_CASE_COUNT], iterations[DSE_CASE_COUNT]; /* per graph, summed over entries */
    double interval, depth;
    double calls; /* kernel calls per graph that share the entries, or their mean over the loop's places in the source; 0: one */
};

/* Zero-initialised is empty; dse_loops_free releases it. */
struct dse_loops {
    struct dse_loop *loop; /* `count` loops */
    size_t count;
    size_t block; /* block being evaluated */
    double stretch; /* calibration factor of its intervals */
};

/* Records a loop of one case, once each; no effect if `loops` is NULL. O(loops). */
void dse_loops_note(struct dse_loops *loops, enum dse_case which, const char *name, double entries, double iterations,
                    double interval, double depth);

/* Sets the kernel calls that share a recorded loop's entries. No effect if `loops` is NULL. O(loops). */
void dse_loops_spread(struct dse_loops *loops, const char *name, double calls);

/* Finds a loop by name, or NULL. O(loops). */
const struct dse_loop *dse_loops_find(const struct dse_loops *loops, const char *name);

/* Cycles of the loop per graph. */
double dse_loop_cycles(const struct dse_loop *loop, enum dse_case which);

/* Loops of a configuration (made canonical first); empty if the family's costs record none or the design is infeasible
 * on the board. */
enum dse_status dse_loops_of(const struct dse_setup *setup, const struct dse_config *config, struct dse_loops *out,
                             struct dse_error *err);

void dse_loops_free(struct dse_loops *loops);
