/* Designs under a load: the limit `p99_load` of a search, and the queues of the designs shown. */
#pragma once

#include "explore/exploration.h"

/* Adds necessary conditions of `p99_load` to the question. A kernel's 99th percentile and a host launch are within the limit. For a Poisson stream
 * the throughput reaches its rate. All are monotone in the stages' times, so every method prunes by them. If a launch alone exceeds the limit, this is
 * the exploration's `least_load`, and the question has no limit on the kernel. */
enum dse_status dse_loaded_bound(struct dse_exploration *exploration, struct dse_question *question, struct dse_error *err);

/* No launch takes less. */
double dse_loaded_launch_s(const struct dse_exploration *exploration);

/* One search of a question, within an effort. */
typedef enum dse_status dse_loaded_search(void *user, const struct dse_question *question, const struct dse_effort *effort, struct dse_answer *answer,
                                          struct dse_error *err);

/* The answer of a question under `p99_load`. There is one search for each number of units, and for each value of the knobs that decide how the host starts the kernel.
 * It finds the front of the objectives and of what decides a queue: 99th percentile of latency, the system's throughput, latency with the host and, for
 * several units, bytes. The designs of this front are then simulated. If a design is no worse in these quantities, its queue is no longer (of several units: if its
 * processor prepares items as fast). The best design within the limit is therefore on the
 * front. `least` has a value if no design meets the limit. Integer programs leave their result in `optimum`. They find the best design, simulate it, exclude the
 * designs known to break the limit, and repeat. `optimum` then receives the result of the answer, with the counts of all programs. The searches share
 * the effort; half of each share of its time is for the simulations. DSE_CANCELLED. */
enum dse_status dse_loaded_answer(const struct dse_exploration *exploration, const struct dse_question *question, const struct dse_effort *effort,
                                  dse_loaded_search *search, void *user, struct dse_optimum *optimum, struct dse_answer *answer, struct dse_loaded_least *least, struct dse_error *err);

/* Appends the p99 under load of an infeasible answer's nearest design with each other host, and with a batch, where it is less:
 * "; the nearest design takes 4.380 µs with --host baremetal or 56.78 µs with --batch 4, units=1, overlap=queue". */
enum dse_status dse_loaded_help(const struct dse_exploration *exploration, const struct dse_point *nearest, struct dse_strbuf *out, struct dse_error *err);

/* Simulates the queue of each corner of the front and of the baseline, and attaches it to their designs. A queue that grows without bound has no items. */
enum dse_status dse_loaded_corners(struct dse_exploration *exploration, struct dse_error *err);
