/* Processors other than the boards, CPUs and GPUs: their roofs, from devices/machines/machines.xml.
 *
 * Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore architectures", CACM 52(4), 2009. The file describes
 * machines; the distance of a program from its roof is not part of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"

struct dse_machine {
    const char *name;           /* "cpu" */
    const char *title;          /* "CPU Ryzen 5 5625U" */
    double peak_flops;          /* operations per second, fp32 */
    double bandwidth_bytes_per_s;
    double power_w;             /* under load */
    const char *kind;           /* "processor" or "graphics": machines of a kind run the same software */
    const char *source;
    bool drawn;                 /* beside a board's roofs */
};

struct dse_machines {
    struct dse_machine *items; /* count */
    size_t count;
    struct dse_arena arena; /* owns the texts and the array */
};

/* Reads the shipped file. DSE_BAD_INPUT if it is missing or malformed. */
enum dse_status dse_machines_open(struct dse_machines *out, struct dse_error *err);
void dse_machines_free(struct dse_machines *machines);

/* Keeps only those that are drawn. */
void dse_machines_keep_drawn(struct dse_machines *machines);

/* The machine called `name`, or NULL. */
const struct dse_machine *dse_machines_find(const struct dse_machines *machines, const char *name);

/* Lower bound in seconds for that many operations and bytes: the longer time by the two roofs. */
double dse_machine_seconds(const struct dse_machine *machine, double operations, double bytes);
