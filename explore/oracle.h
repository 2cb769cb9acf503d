/* A question that stays open and judges designs one at a time or in batches: `nysx-dse serve`, nysx.Evaluator, optimisers in C.
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

/* A design is one choice of each variable: of a knob the place of a value in its domain, of the setting the place of a measured algorithmic
 * setting among the question's alternatives. Knobs with one value are no variables. */
struct dse_variable {
    const char *name; /* the knob's, or "setting" */
    size_t knob;      /* DSE_KNOB_MAX: the setting */
    uint32_t count;   /* choices, 2 or more */
};

struct dse_oracle {
    const struct dse_request *request;
    struct dse_terms terms;
    struct dse_workbench bench;
    struct dse_exploration exploration; /* its question is what is judged */
    struct dse_judge *judge;
    struct dse_variable variables[DSE_KNOB_MAX + 1]; /* variable_count, the setting first */
    size_t variable_count;
    bool reported[DSE_METRIC_COUNT]; /* objectives, and metrics that limits name */
    int next[DSE_KNOB_MAX + 1]; /* by names: the knob that came behind each knob before, and first (0); a program's configurations are alike */
};

/* Opens what a request asks for one board and one data set: the words of `sweep` that say what is looked for. The request is borrowed.
 * DSE_ANSWER_NO where limits leave no design. Close it in any case. */
enum dse_status dse_oracle_open(const struct dse_request *request, struct dse_oracle **out, struct dse_error *err);
void dse_oracle_close(struct dse_oracle **oracle); /* for DSE_CLEANUP too */

/* The configuration of variable_count choices. DSE_BAD_USAGE names the variable whose choice is too large. */
enum dse_status dse_oracle_config(const struct dse_oracle *oracle, const uint32_t *choices, struct dse_config *config, size_t *alternative,
                                  struct dse_error *err);

/* Judges `count` designs of choices (count × variable_count). `values` (count × the question's objectives) receives the metrics, NaN where
 * a design cannot be built; `violations` (count) 0 for a feasible design, infinity for one that cannot be built, else the sum of the shares by
 * which it exceeds caps and limits, and 1 for a clock or conditions that do not hold. Values are in SI units. One thread at a time. O(count × blocks). */
enum dse_status dse_oracle_values(struct dse_oracle *oracle, const uint32_t *choices, size_t count, double *values, double *violations,
                                  struct dse_error *err);

/* Bounds that no feasible design is better than: `best` (the question's objectives), of designs whose knobs of `fixed` are as in `config`.
 * `none` where no design is feasible by these bounds. */
enum dse_status dse_oracle_bounds(const struct dse_oracle *oracle, const struct dse_config *config, dse_knob_set fixed, double *best, bool *none,
                                  struct dse_error *err);
