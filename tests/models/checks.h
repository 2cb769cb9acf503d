/* Invariants of the models of every family: blocks read what they declare, and metrics move one way. */
#pragma once

#include "models/estimate.h"

/* The designs that a check looks at, and all those that differ from one of them in one knob. */
struct check_designs {
    const struct dse_setup *setup;
    void (*draw)(uint64_t index, struct dse_config *config);
    uint64_t count;
    bool all_built; /* none of them may fail; else those that do are passed over, or distinguished from the others */
};

/* The values that a knob is tried with: every word, or the numbers that a sweep visits. */
size_t check_value_count(const struct dse_knob *knob);
int64_t check_value_at(const struct dse_knob *knob, size_t index);

/* The knobs that change what a block says of some design. */
dse_knob_set check_dependence(const struct check_designs *designs, size_t block);

/* More of the knob moves the metric one way only. */
struct check_direction {
    int knob;
    enum dse_metric metric;
    bool grows;
};

void check_directions(const struct check_designs *designs, const struct check_direction *rows, size_t count);
