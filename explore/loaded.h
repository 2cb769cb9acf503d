/* Designs under a load: the limit `p99_load` of a search, and the queues of designs that are shown. */
#pragma once

#include "explore/exploration.h"

/* Adds to the question what every design within `p99_load` holds: a kernel's 99th percentile and a launch of the host within it, and of a Poisson
 * stream a throughput of its rate. Both grow with the stages' times, so every method prunes by them. Where a launch alone takes longer the exploration has `ended`. */
enum dse_status dse_loaded_bound(struct dse_exploration *exploration, struct dse_question *question, struct dse_error *err);

/* One search of a question. */
typedef enum dse_status dse_loaded_search(void *user, const struct dse_question *question, struct dse_answer *answer, struct dse_error *err);

/* The answer of a question under `p99_load`: the search is asked for the front of the objectives and of what a queue follows (the 99th percentile
 * of latency, throughput, latency with the host), whose designs are then simulated. A design that is no worse in these has no longer a queue, so what holds
 * the limit and is best is among them. `least_s` receives the least p99 that was simulated, where no design
 * holds the limit a bound of all; infinity where none was. DSE_LIMIT of
 * the integer programs, which have one design, where that breaks the limit. DSE_CANCELLED. */
enum dse_status dse_loaded_answer(const struct dse_exploration *exploration, const struct dse_question *question, dse_loaded_search *search, void *user,
                                  struct dse_answer *answer, double *least_s, struct dse_error *err);

/* Simulates the queue of each corner of the front, and of the baseline, and hands it to their designs. A queue that grows without end has no items. */
enum dse_status dse_loaded_corners(struct dse_exploration *exploration, struct dse_error *err);
