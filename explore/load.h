/* Latency under load: items arrive at a rate and wait for an accelerator that serves them in arrival order.
 *
 * Each compute unit is a server. A run of its kernel answers one item, or up to `items` (a batch of queries) in the same time. A free server takes all
 * waiting items, up to those of the host's batch of runs, in one launch. With a batch, the kernel has a queue of two
 * halves, and the host prepares one launch while another is at work. All items of a launch are answered at its end. The host handles one launch at a time,
 * for any unit. The units share the memories, which transfer the bytes of one launch after another.
 * Service times are drawn from measured ones. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "core/status.h"
#include "models/estimate.h"

#define DSE_LOAD_ITEMS 4000000 /* items of a Poisson stream: the mean wait is within 1 % up to a rate of about 0.85 of the capacity */
#define DSE_LOAD_STEADY 0.98   /* share of the saturation from which it varies by more than some 5 % between seeds, as 2 / ((1 − share) √items) */

/* A simulation with a limit only finds whether the 99th percentile meets it, and ends once it certainly does not. */
struct dse_load_limit {
    double p99_s;
    double *drawn; /* NULL at first; then a Poisson stream's arrivals for further calls with its rate and seed; owned by the caller */
};

struct dse_load {
    double rate_hz;          /* mean rate of a Poisson stream */
    const double *arrivals;  /* or arrival_count times in seconds, ascending; NULL: Poisson */
    size_t arrival_count;
    const double *service_s; /* service_count measured kernel times of a run, equally likely */
    size_t service_count;
    double item_s, launch_s; /* time of the host, per run and per launch */
    double memory_s;         /* time of all memories together for a run's bytes */
    size_t items;            /* that a run answers; 0: one */
    size_t batch, units;     /* runs per launch (for dse_load_run: at most as many, if not 0), and servers; at least 1 */
    bool waits;              /* a launch starts after the answers of the last one */
    bool drains;             /* the first run of a launch does not overlap the last run of the launch before */
    double overlap;          /* share of its kernel time that a run saves after another of its launch: 0 without overlap; less if the hand-over takes time */
    uint64_t seed;
    struct dse_load_limit *limit; /* or NULL. The result's times are then the limit if it is met, and infinite if not */
};

/* NEAR: from DSE_LOAD_STEADY of the saturation the times depend on the seed. OVER: the rate reaches the saturation. The queue of a Poisson stream then grows
 * without bound; its times are infinite, and no item is simulated. The queue of a file grows until its last arrival; its times are those simulated. */
enum dse_load_state { DSE_LOAD_IS_STEADY, DSE_LOAD_IS_NEAR, DSE_LOAD_IS_OVER };
extern const char *const dse_load_states[]; /* "steady", "near saturation", "overloaded" and a NULL */
extern const char *const dse_load_limits[]; /* "units", "host", "memory" and a NULL */

struct dse_load_result {
    double rate_hz;          /* rate of the stream */
    double capacity_hz;      /* items per second of full launches on all units, none of which waits for another */
    double saturation_hz;    /* items per second that a queue which never empties delivers: less where units of unequal times wait for host or memory */
    double utilisation;      /* time that the limiting part needs for the items served, in full launches, as a share of the time from first arrival to last answer; at most 1 */
    int limit;               /* what limits the capacity: index of dse_load_limits */
    int state;               /* a dse_load_state */
    double mean_s, p50_s, p99_s, p999_s; /* from arrival to answer */
    double formula_s;        /* mean by Pollaczek and Khinchine (M/G/1), for one unit and launches of one item; otherwise NaN */
    double items_per_launch; /* mean */
    size_t items;            /* items in the statistics: the first tenth of a Poisson stream is excluded */
};

/* Simulates the load of `--rate TEXT` on a board with a host path. The caller gives in `load` service times, units, seed, and the host's times. `interval_s` is the steady-state time between the runs of a launch; 0 if each run has its own start and launch. */
enum dse_status dse_load_run(const char *text, const struct dse_host *host, struct dse_load load, double interval_s, const struct dse_monitor *monitor,
                             struct dse_load_result *out, struct dse_error *err);

#define DSE_LOAD_QUANTILES 1000 /* quantiles of service times that the models give by mean and 99th percentile */

/* Simulated times that replace those of an estimate. */
struct dse_load_times {
    const double *service_s; /* count */
    size_t count;
    double interval_s; /* as in dse_load_run() */
};

/* As dse_load_run, for a design by its estimate: its units, which share the host and the board's memories. Service times are log-normal, unless `times` has them. */
enum dse_status dse_load_estimate(const char *text, const struct dse_host *host, const struct dse_estimate *estimate, const struct dse_load_times *times,
                                  uint64_t seed, const struct dse_monitor *monitor, struct dse_load_result *out, struct dse_error *err);

/* As dse_load_estimate, with the limit of struct dse_load. */
enum dse_status dse_load_until(const char *text, const struct dse_host *host, const struct dse_estimate *estimate, const struct dse_load_times *times,
                               uint64_t seed, struct dse_load_limit *limit, const struct dse_monitor *monitor, struct dse_load_result *out, struct dse_error *err);

/* "20.00 k inferences/s". Returns `text`. */
char *dse_load_rate(double hz, const char *items, char text[64]);

/* DSE_ANSWER_NO, with both rates, if the queue grows without bound; `items` names what arrives. */
enum dse_status dse_load_verdict(const struct dse_load_result *result, const char *items, struct dse_error *err);

/* Items per second, as in throughput, that a design delivers with full launches. */
double dse_load_capacity(const struct dse_estimate *estimate);

/* Times of one item, or one run, in seconds. */
struct dse_load_shares {
    size_t units;
    bool streams;    /* the host prepares one launch while the kernel works on another */
    double kernel_s; /* mean; between the items of a stream, their interval */
    double spread_s; /* standard deviation of kernel_s; of a stream, of the mean over a launch */
    double host_s, memory_s;
};

/* The least share of capacity that a design delivers while the queue is never empty. Kernels of unequal times wait for the one host and the
 * memories. The share is 1 if all times are equal, or if one unit waits for its host anyway. O(units). */
double dse_load_least_share(const struct dse_load_shares *of);

/* Parses `text` as a rate ("50k/s", "2 MHz") or reads it as a file of arrival times, one number in seconds per line. `arrivals` (owned by the caller) is NULL
 * for a rate. DSE_BAD_USAGE for a rate of 0 or less; DSE_BAD_INPUT names file, line and value of an invalid or descending time. */
enum dse_status dse_load_read(const char *option, const char *text, double *rate_hz, double **arrivals, size_t *count, struct dse_error *err);

/* Simulates the queue. O(items log items); deterministic per seed. DSE_CANCELLED. */
enum dse_status dse_load_simulate(const struct dse_load *load, const struct dse_monitor *monitor, struct dse_load_result *out,
                                  struct dse_error *err);

/* `count` service times with the models' mean and 99th percentile: quantiles of the log-normal distribution with both. */
void dse_load_quantiles(double mean_s, double p99_s, double *out, size_t count);
