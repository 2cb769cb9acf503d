/* The whole question as one integer program in a file. */
#ifndef DSE_SEARCH_ILP_MODEL_H
#define DSE_SEARCH_ILP_MODEL_H

#include "search/groups.h"

/* Writes the program of these slices (slice_count indices) together: each has a binary, one of which is chosen; each value
 * of a knob that slices fix, and each setting, has a coupling column that is the sum of its slices' binaries; the objective
 * is bounded from below by each slice's least. Where power is the objective, what is minimised is the energy less that of `power_w`
 * over the same time: its least is nothing where no design draws less than that. The product of idle power and time is exact.
 * Designs whose objective costs more than `worst` (infinity: none) may be left out. As CPLEX LP where `path` ends in ".lp", as free MPS where it ends in ".mps". DSE_LIMIT where there would be more than DSE_ILP_COLUMNS_MAX columns, when
 * interrupted, and when the file cannot be written, which then is not there. */
#define DSE_ILP_COLUMNS_MAX 1000000

enum dse_status dse_ilp_write(const struct dse_question *question, const struct dse_plan *plan, void *const *work,
                              const uint64_t *slices, size_t slice_count, double power_w, double worst, const char *path,
                              struct dse_error *err);

#endif
