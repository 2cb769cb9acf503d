/* The integer programs of slices. search/ilp.c solves them and search/ilp_model.c writes them; no other file knows GLPK.
 *
 * A slice has a binary of its own (`chosen`). Each of its groups chooses one row if the slice is chosen, otherwise none. A stage's time is a
 * variable: at least each group's busy time, and at least the time of all bytes over each memory. Resources and bytes add. Latency, tails, throughput
 * (as its inverse) and resources are therefore linear. If a longer time is an advantage (power; latency ≥ …), a binary per contender says which of
 * them the stage's time equals. With several data sets each has its own stages, and times, energies and bytes are their mean by shares. Times are in
 * us, energies in uJ, bytes in kB. */
#pragma once

#include <glpk.h>

#include "search/presolve.h"

/* Linearisation of the product of standby power and time. */
enum dse_product {
    /* Lower bound over a bracket of the time (G. P. McCormick, "Computability of global solutions to factorable nonconvex
     * programs: Part I", Math. Programming 10, 1976): small, and exact if the bracket is a point. */
    DSE_PRODUCT_BRACKET,
    /* Exact: one time variable per standby power of a group's rows, equal to the whole time for the chosen power and 0
     * for the others. */
    DSE_PRODUCT_EXACT
};

/* A program under construction, slice by slice. */
struct dse_program {
    const struct dse_question *question;
    const struct dse_plan *plan;
    glp_prob *problem;
    size_t number;                /* number of the slice, in names */
    const struct dse_slice *slice;
    const struct dse_kept_rows *kept;
    int chosen;                   /* column of the slice's binary */
    int first[DSE_GROUP_MAX];     /* column of a group's first row */
    int time[DSE_CASE_COUNT];     /* column of the whole time; 0 if not needed */
    int elapsed[DSE_BOUNDARY_COUNT]; /* column of an item's time; 0 if not needed */
    int product[DSE_BOUNDARY_COUNT]; /* column of standby power × that time; 0 if none */
    double low_us[DSE_BOUNDARY_COUNT], high_us[DSE_BOUNDARY_COUNT]; /* scaled bounds of that time */
    int inverse;                  /* column of 1 / throughput */
    bool attained[DSE_CASE_COUNT]; /* the time must not exceed the design's: something improves with a longer time */
    double scale;                 /* factor of times, energies and bytes in µs, µJ and KB: 1, or less for jobs beyond a solver's tolerances */
    double power_w;               /* offset of the power metric (dse_program_put_metric) */
    int *columns;                 /* row under construction: `length` entries, from index 1 */
    double *values;
    int length, capacity;
};

void dse_program_start(const struct dse_question *question, const struct dse_plan *plan, struct dse_program *out);
void dse_program_free(struct dse_program *program);

/* Adds a slice: columns, choices, agreement of groups with common knobs, times, caps, limits and energy. */
void dse_program_add_slice(struct dse_program *program, size_t number, const struct dse_slice *slice,
                           const struct dse_kept_rows *kept, enum dse_product product, double low_us, double high_us);

/* Adds a column with lower bound 0 (GLP_CV), or a binary (GLP_BV). */
int dse_program_add_column(struct dse_program *program, int kind, const char *name);

/* Puts a metric of the slice added last together, in the program's units. Power is not linear: its entry is the energy
 * minus power_w · time, which is negative if the design draws less than power_w. */
void dse_program_put_metric(struct dse_program *program, enum dse_metric metric);
void dse_program_put(struct dse_program *program, int column, double value);

/* Adds the choice of one row of a group to the row under construction. */
void dse_program_put_row(struct dse_program *program, size_t group, uint32_t row, double value);

/* Adds a lower bound of a design's power in W that is linear in its rows: dynamic energy over the longest time of its bracket, standby and static power. */
void dse_program_put_least_power(struct dse_program *program, enum dse_boundary boundary);

/* Makes a row (GLP_LO, GLP_UP or GLP_FX) of the entries, or adds them to the objective. */
void dse_program_close_row(struct dse_program *program, int type, double bound, const char *format, ...) DSE_PRINTF(4, 5);
void dse_program_close_as(struct dse_program *program, int type, double bound, const char *name); /* without the slice's number as prefix */
void dse_program_minimise(struct dse_program *program);

/* A metric's value in the program's units. */
double dse_program_value(const struct dse_program *program, enum dse_metric metric, double value);

/* ---- search/ilp_model.c: the whole question as one program in a file ---- */

/* Writes one program of these slices (slice_count indices). Each slice has a binary, and one of them is chosen. Each setting, and each value of a
 * knob that slices fix, has a coupling column: the sum of its slices' binaries. The objective is bounded from below by each slice's minimum. If power
 * is the objective, the program minimises the energy less that of `power_w` over the same time. Its minimum is zero if no design draws less power.
 * The product of standby power and time is exact. Designs whose objective costs more than `worst` (infinity: none) may be left out. The format is
 * CPLEX LP if `path` ends in ".lp", free MPS if it ends in ".mps". DSE_LIMIT for more than DSE_ILP_COLUMNS_MAX columns, when interrupted, and if the
 * file cannot be written; no file is left then. */
#define DSE_ILP_COLUMNS_MAX 1000000

enum dse_status dse_ilp_write(const struct dse_question *question, const struct dse_plan *plan, void *const *work,
                              const uint64_t *slices, size_t slice_count, double power_w, double worst, const char *path,
                              struct dse_error *err);
