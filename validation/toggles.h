/* Changes of nets in a simulation, counted while reading a value change dump (IEEE 1800, VCD). They are counted by the part of the design that drives
 * the net, and by the kind of driver. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"

/* The driver of a net, by its name (the RTL's style). Registers end in _q. Words of memories are data_o or read_q. Products are product… or pNN_q.
 * All others are logic. */
enum dse_net { DSE_NET_LOGIC, DSE_NET_REGISTER, DSE_NET_MEMORY, DSE_NET_PRODUCT, DSE_NET_COUNT };

#define DSE_TOGGLES_PARTS 16

/* For one part: the bits of its nets, and the number of their changes. */
struct dse_toggles_part {
    double bits[DSE_NET_COUNT], changes[DSE_NET_COUNT];
};

struct dse_toggles_net;

/* Empty when zeroed except `part_of`: the part of an instance of that name ("sce"), or −1 for none. Nets of no part are those of `rest`. Instances
 * below a part's instance belong to the same part. */
struct dse_toggles {
    int (*part_of)(const void *user, const char *instance);
    const void *user;
    int rest;
    struct dse_toggles_part parts[DSE_TOGGLES_PARTS];
    double instants;             /* length of the dump: cycles */
    char other[256];             /* the last line that is not of a dump: a program's message */
    /* its own */
    struct dse_toggles_net *nets; /* by their codes */
    size_t net_count, known;
    int scope_part[64];
    int depth;
    bool begun, values, first;
    const char *failed;
};

/* One line of the dump. Amortised O(its length). */
void dse_toggles_line(const char *line, void *toggles);

/* After the last line: sums the nets into `parts`. DSE_BAD_INPUT for a missing or damaged dump. */
enum dse_status dse_toggles_finish(struct dse_toggles *toggles, struct dse_error *err);

void dse_toggles_free(struct dse_toggles *toggles);
