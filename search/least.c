/* The fewest changes that meet a question's limits (search/whatif.h). */
#include <math.h>
#include <stdio.h>

#include "search/filter.h"
#include "search/tables.h"
#include "search/whatif.h"

/* The best design with at most `changes` changes (SIZE_MAX: any number). `found`: whether there is one. */
static enum dse_status find_within(const struct dse_question *question, size_t changes, struct dse_least_change *out, bool *found, struct dse_error *err)
{
    struct dse_question one = *question;
    struct dse_config base = question->base;
    struct dse_answer answer;
    dse_config_canonical(question->space, &base);
    one.objective_count = 1;
    one.from = changes < SIZE_MAX ? &base : NULL;
    one.changes = changes;
    enum dse_status status = dse_search_exact(&one, &answer, err);
    out->evaluated += answer.evaluated;
    *found = answer.front_count > 0 && (status == DSE_OK || changes < SIZE_MAX);
    if (*found) {
        out->config = answer.front[0].config;
        dse_config_canonical(question->space, &out->config);
        out->known = dse_bits_count(dse_whatif_changes(question->space, &base, &out->config));
    }
    if (changes == SIZE_MAX) {
        out->space_size = answer.space_size;
        out->best = *found ? answer.front[0].metrics[question->objectives[0]] : NAN;
    }
    dse_answer_free(&answer);
    return status;
}

/* Explains why no design meets the limits: the best values without them. */
static enum dse_status explain(const struct dse_question *question, struct dse_least_change *out, struct dse_error *err)
{
    struct dse_question free_of_limits = *question;
    free_of_limits.limit_count = 0;
    struct dse_least_change best = {0};
    bool found = false;
    char text[64], count[64];
    DSE_TRY(find_within(&free_of_limits, SIZE_MAX, &best, &found, err));
    if (!found) {
        snprintf(out->why, sizeof out->why, "none of the %s designs of the search space is feasible",
                 dse_count_format(text, sizeof text, dse_count_of(best.space_size)));
        return DSE_OK;
    }
    const struct dse_metric_info *metric = &dse_metrics[question->objectives[0]];
    if (metric->dimension == DSE_DIMENSION_NONE)
        snprintf(text, sizeof text, "%.6g", best.best);
    else
        dse_quantity_format(text, sizeof text, metric->dimension, best.best);
    snprintf(out->why, sizeof out->why,
             "no change reaches the target: of the %s designs of the search space, the best feasible one has %s %s%s",
             dse_count_format(count, sizeof count, dse_count_of(best.space_size)), metric->name, text,
             question->limit_count > 1 ? ", and none meets all limits" : "");
    return DSE_OK;
}

/* Narrows the number of changes. No design with fewer than out->changes reaches the target; the best design with out->known changes does. The
 * number is doubled until it suffices, then found by bisection. */
static enum dse_status narrow(const struct dse_question *question, struct dse_least_change *out, struct dse_error *err)
{
    bool found = false;
    for (size_t step = 0; out->changes < out->known; step = found ? (out->known - out->changes) / 2 : 2 * step + 1) {
        size_t most = out->known - 1, allowed = out->changes + step < most ? out->changes + step : most;
        bool any = false;
        enum dse_status status = find_within(question, allowed, out, &any, err);
        out->cut = status == DSE_CANCELLED && any && out->known == out->changes;
        if (status != DSE_OK)
            return out->cut ? DSE_OK : status;
        if (!any)
            out->changes = allowed + 1;
        found |= any;
    }
    return DSE_OK;
}

enum dse_status dse_whatif_least(const struct dse_question *question, struct dse_least_change *out,
                                 struct dse_error *err)
{
    *out = (struct dse_least_change){0};
    DSE_TRY(dse_filters_reject(question, UINT32_MAX, "the search for the least change", "exhaustive or heuristic", err));
    struct dse_question shared = dse_question_sharing(question);
    enum dse_status status = find_within(&shared, SIZE_MAX, out, &out->found, err);
    if (status == DSE_OK)
        status = out->found ? narrow(&shared, out, err) : explain(&shared, out, err);
    out->found &= status == DSE_OK;
    dse_question_end_sharing(question, &shared);
    return status;
}
