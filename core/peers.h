/* The other processes of a program that was started as one of several, by `mpirun` or `srun`. Rank 0 sends requests, the others answer.
 * This file does not interpret the texts that they exchange.
 *
 * Each process reports to the others every second. A process that is silent for DSE_PEERS_SILENCE_S is lost: a process that asked it gets an
 * error, and asks another. A process that has lost rank 0 ends. If MPI itself ends all processes with one (OpenMPI 4 does, without `--enable-recovery`), that
 * comes first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/monitor.h"
#include "core/status.h"
#include "core/strbuf.h"

#define DSE_PEERS_SILENCE_S 10.0

struct dse_peers;

/* Joins the others. `out` is NULL if the program was started alone. DSE_LIMIT if it is one of several and MPI, or the module that uses it, is
 * missing. The same thread must leave. */
enum dse_status dse_peers_join(struct dse_peers **out, struct dse_error *err);

/* Whether this process was started as one of several and is not the first, joined or not. Rank 0 alone reports errors in the command line,
 * which all ranks share. */
bool dse_peers_is_other(void);

/* Tells the others that this is the end (rank 0), without waiting. Does nothing for NULL. */
void dse_peers_leave(struct dse_peers *peers);

/* The rank of this process, and the number of other processes, which are numbered from 1. Both are 0 for NULL. */
size_t dse_peers_rank(const struct dse_peers *peers);
size_t dse_peers_others(const struct dse_peers *peers);

/* ---- rank 0 ---- */

/* Asks one process and waits for its answer, which is put into `reply`. `lost` if there will be none: nothing failed, another process must be asked.
 * DSE_CANCELLED if the monitor ends it; the other process then ends its work too. Any thread. */
enum dse_status dse_peers_ask(struct dse_peers *peers, size_t rank, const char *request, size_t size, const struct dse_monitor *monitor,
                              struct dse_strbuf *reply, bool *lost, struct dse_error *err);

/* Excludes a process whose answers are malformed from further requests. */
void dse_peers_drop(struct dse_peers *peers, size_t rank);

/* ---- the others ---- */

/* Waits for the next request; false at the end, and if rank 0 is lost. */
bool dse_peers_next(struct dse_peers *peers, struct dse_strbuf *request);

/* Whether rank 0 no longer needs the answer to the current request. Any thread. */
bool dse_peers_called_off(struct dse_peers *peers);

void dse_peers_answer(struct dse_peers *peers, const char *reply, size_t size);
