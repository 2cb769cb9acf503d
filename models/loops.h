/* The pipelined loops that an accelerator's costs count: what reports compare with synthesis, loop by loop.
 *
 * A block's cost that knows its loops notes each of them beside the cycles that it sums (models/build.h); nothing is noted, and
 * nothing spent, where the context does not ask. A loop takes depth + interval · (iterations − 1) cycles each time that it
 * is entered. */
#pragma once

#include "models/estimate.h"

struct dse_loop {
    const char *name; /* the label of the source, static */
    size_t block;     /* the family's, whose cost noted it */
    double entries[DSE_CASE_COUNT], iterations[DSE_CASE_COUNT]; /* of a graph, all entries together */
    double interval, depth;
    double calls; /* of the kernel that a graph takes and the entries are spread over; 0: one */
};

/* Empty when zeroed; dse_loops_free releases it. */
struct dse_loops {
    struct dse_loop *loop; /* count */
    size_t count;
    size_t block; /* that is being counted */
    double stretch; /* of its intervals, by the library's calibration */
};

/* Notes a loop of one case, once each; does nothing where `loops` is NULL. O(loops). */
void dse_loops_note(struct dse_loops *loops, enum dse_case which, const char *name, double entries, double iterations,
                    double interval, double depth);

/* Of a loop that was noted: the kernel's calls that its entries are spread over. Does nothing where `loops` is NULL. O(loops). */
void dse_loops_spread(struct dse_loops *loops, const char *name, double calls);

/* The loop called `name`, or NULL. O(loops). */
const struct dse_loop *dse_loops_find(const struct dse_loops *loops, const char *name);

/* Its cycles for a graph. */
double dse_loop_cycles(const struct dse_loop *loop, enum dse_case which);

/* The loops of a configuration (made canonical first); none where the family's costs note none, or the board cannot have
 * the design. */
enum dse_status dse_loops_of(const struct dse_setup *setup, const struct dse_config *config, struct dse_loops *out,
                             struct dse_error *err);

void dse_loops_free(struct dse_loops *loops);
