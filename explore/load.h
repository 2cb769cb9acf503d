/* Latency under load: items that arrive at a rate wait for an accelerator that serves them in the order of their arrival.
 *
 * Each compute unit is a server. A server that is free takes all that wait, up to the host's batch, in one launch; all items of a launch
 * are answered at its end. The host has one launch at hand, whichever unit it is for, and the units share the memories, which move the bytes of one
 * launch after the other. Service times are drawn from measured ones. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "core/status.h"
#include "models/estimate.h"

#define DSE_LOAD_ITEMS 4000000 /* of a Poisson stream: the mean wait is then within 1 % up to a utilisation of about 0.9 */

struct dse_load {
    double rate_hz;          /* mean rate of a Poisson stream */
    const double *arrivals;  /* or arrival_count times in seconds, not descending; NULL: Poisson */
    size_t arrival_count;
    const double *service_s; /* service_count measured kernel times, each as likely as the others */
    size_t service_count;
    double item_s, launch_s; /* the host's, of each item and of each launch */
    double memory_s;         /* that all memories together take for an item's bytes */
    size_t batch, units;     /* items of a launch, and servers; at least 1 */
    double overlap;          /* share of its kernel time that an item saves behind another of its launch: 0 where each waits for the one before */
    uint64_t seed;
};

struct dse_load_result {
    double rate_hz;          /* of the stream */
    double capacity_hz;      /* items per second of full launches on all units */
    double utilisation;      /* share of the units' time that is taken */
    double mean_s, p50_s, p99_s, p999_s; /* from arrival to answer */
    double formula_s;        /* mean by Pollaczek and Khinchine: M/G/1, of one unit and launches of one item; else NaN */
    double items_per_launch; /* mean */
    size_t items;            /* that the figures are of: the first tenth of a Poisson stream is left out */
};

/* The load of `--rate TEXT` on a board with a host path, simulated. Of `load` the caller gives service times, units, seed and what `item_s` is beside
 * the host's own; `interval_s` is the time between answers of a steady flow, which the items of a launch are; 0 where each takes a start, and a launch, of its own. */
enum dse_status dse_load_run(const char *text, const struct dse_host *host, struct dse_load load, double interval_s, const struct dse_monitor *monitor,
                             struct dse_load_result *out, struct dse_error *err);

#define DSE_LOAD_QUANTILES 1000 /* of service times that the models know by mean and 99th percentile */

/* The same of a design by its estimate: log-normal service times, as many units as it has, which share the board's memories. */
enum dse_status dse_load_estimate(const char *text, const struct dse_host *host, const struct dse_estimate *estimate, uint64_t seed,
                                  const struct dse_monitor *monitor, struct dse_load_result *out, struct dse_error *err);

/* Items per second, as throughput counts them, that a design delivers with launches that are full. */
double dse_load_capacity(const struct dse_host *host, const struct dse_estimate *estimate);

/* Reads `text` as a rate ("50k/s", "2 MHz") or as a file of arrival times, one number in seconds per line. `arrivals` (the caller's) is NULL
 * for a rate. DSE_BAD_USAGE for a rate of 0 or less, DSE_BAD_INPUT names file, line and value of a time that is none or goes back. */
enum dse_status dse_load_read(const char *option, const char *text, double *rate_hz, double **arrivals, size_t *count, struct dse_error *err);

/* Simulates the queue. DSE_ANSWER_NO where a Poisson stream brings as much as the units can take, or more: the queue grows without end.
 * O(items log items); the same for the same seed. DSE_CANCELLED. */
enum dse_status dse_load_simulate(const struct dse_load *load, const struct dse_monitor *monitor, struct dse_load_result *out,
                                  struct dse_error *err);

/* `count` service times of the mean and the 99th percentile that models give: quantiles of the log-normal distribution that has both. */
void dse_load_quantiles(double mean_s, double p99_s, double *out, size_t count);
