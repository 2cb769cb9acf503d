/* An open question that judges designs one at a time or in batches: `nysx-dse serve`, nysx.Evaluator, optimisers in C.
 *
 *     struct dse_oracle *oracle;
 *     dse_request_init(&request);
 *     dse_request_add(&request, "dataset", "MUTAG", &err);
 *     dse_oracle_open(&request, &oracle, &err);
 *     dse_oracle_values(oracle, choices, count, values, violations, &err);
 */
#pragma once

#include "explore/exploration.h"
#include "search/judge.h"

/* A design is one choice per variable. For a knob, the choice is the index of a value in its domain. For the setting, it is the index of a measured
 * algorithmic setting among the question's alternatives. Knobs with one value are not variables. */
struct dse_variable {
    const char *name; /* the knob's, or "setting" */
    size_t knob;      /* DSE_KNOB_MAX: the setting is the variable */
    uint32_t count;   /* choices, 2 or more */
};

struct dse_oracle {
    const struct dse_request *request;
    struct dse_terms terms;
    struct dse_workbench bench;
    struct dse_exploration exploration; /* with the question that judges */
    struct dse_judge *judge;
    struct dse_variable variables[DSE_KNOB_MAX + 1]; /* variable_count, the setting first */
    size_t variable_count;
    bool reported[DSE_METRIC_COUNT]; /* objectives, and metrics that limits name */
    int next[DSE_KNOB_MAX + 1]; /* by name: the knob that followed each knob in the last configuration, and the first (0); speeds up similar configurations */
};

/* Opens a request for one board and one data set, with `sweep`'s words for the search. The request is borrowed.
 * DSE_ANSWER_NO if limits leave no design. Must be closed in any case. */
enum dse_status dse_oracle_open(const struct dse_request *request, struct dse_oracle **out, struct dse_error *err);
void dse_oracle_close(struct dse_oracle **oracle); /* usable with DSE_CLEANUP */

/* The configuration of variable_count choices. DSE_BAD_USAGE names the variable whose choice is too large. */
enum dse_status dse_oracle_config(const struct dse_oracle *oracle, const uint32_t *choices, struct dse_config *config, size_t *alternative,
                                  struct dse_error *err);

/* Judges `count` designs given as choices (count × variable_count). `values` (count × the question's objectives) receives the metrics, NaN if
 * infeasible. `violations` (count) receives 0 for a feasible design and infinity for one that cannot be built. Otherwise it receives the sum of the
 * shares by which the design exceeds caps and limits, plus 1 for a violated clock or condition. SI units. Not thread-safe. O(count × blocks). */
enum dse_status dse_oracle_values(struct dse_oracle *oracle, const uint32_t *choices, size_t count, double *values, double *violations,
                                  struct dse_error *err);

/* Lower bounds of feasible designs: `best` (the question's objectives) over designs whose knobs in `fixed` are as in `config`.
 * `none` if the bounds exclude every design. */
enum dse_status dse_oracle_bounds(const struct dse_oracle *oracle, const struct dse_config *config, dse_knob_set fixed, double *best, bool *none,
                                  struct dse_error *err);
