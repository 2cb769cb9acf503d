#include "explore/oracle.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "search/bounds.h"
#include "search/question.h"
#include "search/tables.h"

static void list_variables(struct dse_oracle *oracle)
{
    const struct dse_question *q = &oracle->exploration.question;
    struct dse_variable *next = oracle->variables;
    if (q->alternative_count > 1)
        *next++ = (struct dse_variable){"setting", DSE_KNOB_MAX, (uint32_t)q->alternative_count};
    for (size_t k = 0; k < q->space->count; k++)
        if (dse_bits_has(q->free, k) && q->space->knobs[k].domain_count > 1)
            *next++ = (struct dse_variable){q->space->knobs[k].name, k, (uint32_t)q->space->knobs[k].domain_count};
    oracle->variable_count = (size_t)(next - oracle->variables);
    for (size_t o = 0; o < q->objective_count; o++)
        oracle->reported[q->objectives[o]] = true;
    for (size_t i = 0; i < q->limit_count; i++)
        oracle->reported[q->limits[i].metric] = true;
}

/* Sets free knobs with a single value to it; the base may differ. */
static void settle(struct dse_exploration *e)
{
    for (size_t k = 0; k < e->space->count; k++)
        if (dse_bits_has(e->question.free, k) && !dse_knob_in_domain(&e->space->knobs[k], e->question.base.value[k]))
            e->question.base.value[k] = e->space->knobs[k].domain[0];
}

enum dse_status dse_oracle_open(const struct dse_request *request, struct dse_oracle **out, struct dse_error *err)
{
    struct dse_oracle *oracle = *out = dse_calloc(1, sizeof *oracle);
    struct dse_exploration *e = &oracle->exploration;
    oracle->request = request;
    DSE_TRY(dse_terms_read(request, false, "latency,energy,error", &oracle->terms, err));
    DSE_TRY(dse_workbench_open(request, &oracle->bench, err));
    const dse_knob_set algorithmic = dse_space_of_kind(oracle->bench.space, DSE_KNOB_ALGORITHMIC);
    for (size_t i = 0; i < oracle->terms.free_count; i++) {
        const int knob = dse_space_find(oracle->bench.space, oracle->terms.frees[i]);
        if (knob >= 0 && dse_bits_has(algorithmic, (size_t)knob))
            return dse_fail(err, DSE_BAD_USAGE, "--free: `serve` measures no settings; use `sweep --free` or `datasets profile`");
    }
    if (oracle->bench.board_count * oracle->bench.profile_count != 1)
        return dse_fail(err, DSE_BAD_USAGE, "`serve` takes one board and one data set, not %zu and %zu", oracle->bench.board_count,
                        oracle->bench.profile_count);
    DSE_TRY(dse_exploration_open(request, &oracle->terms, &oracle->bench, 0, NULL, e, err));
    if (e->answer.outcome == DSE_OUTCOME_NOTHING)
        return dse_fail(err, DSE_ANSWER_NO, "%s", e->ended.message);
    settle(e);
    list_variables(oracle);
    return dse_judge_open(&e->question, &oracle->judge, err);
}

void dse_oracle_close(struct dse_oracle **out)
{
    struct dse_oracle *oracle = *out;
    if (oracle == NULL)
        return;
    dse_judge_close(&oracle->judge);
    dse_exploration_free(&oracle->exploration);
    dse_workbench_close(&oracle->bench);
    free(oracle);
    *out = NULL;
}

enum dse_status dse_oracle_config(const struct dse_oracle *oracle, const uint32_t *choices, struct dse_config *config, size_t *alternative,
                                  struct dse_error *err)
{
    const struct dse_question *q = &oracle->exploration.question;
    *config = q->base;
    *alternative = 0;
    for (size_t v = 0; v < oracle->variable_count; v++) {
        const struct dse_variable *variable = &oracle->variables[v];
        if (choices[v] >= variable->count)
            return dse_fail(err, DSE_BAD_USAGE, "%s: choice %lu: must be from 0 to %lu", variable->name, (unsigned long)choices[v],
                            (unsigned long)variable->count - 1);
        if (variable->knob == DSE_KNOB_MAX)
            *alternative = choices[v];
        else
            config->value[variable->knob] = q->space->knobs[variable->knob].domain[choices[v]];
    }
    dse_question_take(q, *alternative, config);
    return DSE_OK;
}

enum dse_status dse_oracle_values(struct dse_oracle *oracle, const uint32_t *choices, size_t count, double *values, double *violations,
                                  struct dse_error *err)
{
    const struct dse_question *q = &oracle->exploration.question;
    for (size_t i = 0; i < count; i++) {
        struct dse_config config;
        struct dse_verdict verdict;
        size_t alternative = 0;
        DSE_TRY(dse_oracle_config(oracle, choices + i * oracle->variable_count, &config, &alternative, err));
        DSE_TRY(dse_judge_design(oracle->judge, &config, alternative, &verdict, err));
        violations[i] = verdict.violation;
        for (size_t o = 0; o < q->objective_count; o++)
            values[i * q->objective_count + o] = verdict.built ? verdict.metrics[q->objectives[o]] : NAN;
        if (i % 256 == 255 && dse_monitor_cancelled(q->monitor))
            return dse_fail_cancelled(err);
    }
    return DSE_OK;
}

/* ---- bounds ---- */

/* Keeps the alternatives with the fixed algorithmic knobs of `config`, in order. */
static size_t keep_alternatives(const struct dse_question *q, const struct dse_config *config, dse_knob_set fixed, struct dse_alternative *kept)
{
    dse_knob_set asked = dse_bits_and(fixed, dse_space_of_kind(q->space, DSE_KNOB_ALGORITHMIC));
    size_t count = 0;
    for (size_t a = 0; a < q->alternative_count; a++) {
        bool same = true;
        for (size_t k = 0; k < q->space->count; k++)
            same &= !dse_bits_has(asked, k) || q->alternatives[a].config.value[k] == config->value[k];
        if (same)
            kept[count++] = q->alternatives[a];
    }
    return count;
}

static enum dse_status bound_slices(const struct dse_question *q, double *costs, bool *none, struct dse_error *err)
{
    struct dse_plan *plan DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *plan);
    struct dse_bounds *bounds DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *bounds);
    struct dse_bounds_table *table = NULL;
    void **work = NULL;
    double own[DSE_OBJECTIVE_MAX];
    *none = true;
    DSE_TRY(dse_plan_make(q, false, plan, err));
    enum dse_status status = dse_work_prepare(q, &work, err);
    if (status == DSE_OK)
        status = dse_bounds_make(q, plan, work, &table, err);
    for (uint64_t i = 0; status == DSE_OK && i < plan->slices_per_alternative * q->alternative_count; i++) {
        dse_bounds_get(table, i, bounds);
        if (dse_bounds_infeasible(q, bounds, own))
            continue;
        for (size_t o = 0; o < q->objective_count; o++)
            costs[o] = *none ? own[o] : fmin(costs[o], own[o]);
        *none = false;
    }
    dse_bounds_free(table);
    dse_work_release(q, work);
    return status;
}

enum dse_status dse_oracle_bounds(const struct dse_oracle *oracle, const struct dse_config *config, dse_knob_set fixed, double *best, bool *none,
                                  struct dse_error *err)
{
    struct dse_question part = oracle->exploration.question;
    const struct dse_question *q = &oracle->exploration.question;
    struct dse_space *space DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *space); /* a copy that owns nothing */
    struct dse_alternative *kept DSE_CLEANUP(dse_free_at) = dse_calloc(part.alternative_count + 1, sizeof *kept);
    *space = *part.space;
    for (size_t k = 0; k < space->count; k++)
        if (dse_bits_has(fixed, k) && dse_bits_has(part.free, k)) {
            space->knobs[k].domain = &config->value[k];
            space->knobs[k].domain_count = 1;
        }
    part.space = space;
    part.alternatives = kept;
    part.alternative_count = keep_alternatives(q, config, fixed, kept);
    part.tables = NULL;
    part.own = NULL;
    part.checkpoint = NULL;
    *none = true;
    if (part.alternative_count == 0)
        return DSE_OK;
    struct dse_question shared = dse_question_sharing(&part);
    enum dse_status status = bound_slices(&shared, best, none, err);
    dse_question_end_sharing(&part, &shared);
    for (size_t o = 0; o < q->objective_count && !*none; o++)
        if (dse_metrics[q->objectives[o]].higher_is_better)
            best[o] = -best[o];
    return status;
}
