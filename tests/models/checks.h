/* Invariants of the models of every family: blocks read what they declare, and metrics move one way. */
#pragma once

#include "models/estimate.h"

/* The designs of a check, and all designs that differ from one of them in one knob. */
struct check_designs {
    const struct dse_setup *setup;
    void (*draw)(uint64_t index, struct dse_config *config);
    uint64_t count;
    bool all_built; /* no design may fail; otherwise failing designs are skipped, or distinguished from the others */
};

/* The values to try for a knob: every word, or the numbers that a sweep visits. */
size_t check_value_count(const struct dse_knob *knob);
int64_t check_value_at(const struct dse_knob *knob, size_t index);

/* The knobs that change a block's cost for some design. */
dse_knob_set check_dependence(const struct check_designs *designs, size_t block);

/* A larger value of the knob moves the metric in one direction only. */
struct check_direction {
    int knob;
    enum dse_metric metric;
    bool grows;
};

void check_directions(const struct check_designs *designs, const struct check_direction *rows, size_t count);
