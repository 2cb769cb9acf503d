#include "explore/meant.h"

#include <stdio.h>
#include <string.h>

#include "explore/explore.h"

bool dse_meant_default(const struct dse_request *request, const char *assigns)
{
    return dse_request_word(request, "from") == NULL && dse_request_word(request, "preset") == NULL && dse_request_count(request, assigns) == 0;
}

enum dse_status dse_meant_preset(const struct dse_request *request, struct dse_error *err)
{
    const char *preset = dse_request_word(request, "preset");
    if (preset == NULL || strcmp(preset, "paper") == 0)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--preset %s: must be paper, the published design; --from STUDY:best is the best design of a search", preset);
}

/* The balanced design of the question without further words. */
static enum dse_status ask(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *fix, struct dse_meant *out,
                           struct dse_error *err)
{
    struct dse_monitor quiet = request->monitor != NULL ? *request->monitor : (struct dse_monitor){0};
    struct dse_request plain DSE_CLEANUP(dse_request_free) = {.seed = request->seed, .jobs = request->jobs, .monitor = &quiet,
                                                              .family = dse_request_family(request)};
    quiet.progress = NULL; /* an intermediate step: shows no progress */
    struct dse_exploration exploration DSE_CLEANUP(dse_exploration_free) = {0};
    struct dse_terms terms;
    if (fix != NULL)
        dse_request_take(&plain, "fix", fix);
    DSE_TRY(dse_terms_read(&plain, false, DSE_DEFAULT_OBJECTIVES, &terms, err));
    DSE_TRY(dse_exploration_open(&plain, &terms, bench, index, NULL, &exploration, err));
    if (exploration.ended.message[0] == '\0')
        DSE_TRY(dse_exploration_answer(&exploration, err));
    if (exploration.answer.outcome == DSE_OUTCOME_INTERRUPTED)
        return dse_fail_cancelled(err);
    if (exploration.answer.front_count == 0)
        return DSE_OK;
    DSE_TRY(dse_exploration_evaluate(&exploration, err));
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        size_t corner = exploration.front.corners.at[c];
        out->has[c] = corner != DSE_CORNER_NONE;
        if (out->has[c])
            out->corners[c] = exploration.answer.front[corner].config;
    }
    out->answered = out->has[DSE_CORNER_BALANCED];
    out->config = out->corners[DSE_CORNER_BALANCED];
    return DSE_OK;
}

const char *dse_meant_base(const struct dse_model_family *family)
{
    return family->own_profile != NULL ? "the file's defaults" : "as published";
}

enum dse_status dse_meant_find(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                               struct dse_meant *out, struct dse_error *err)
{
    return dse_meant_find_fixed(request, bench, index, assigns, NULL, out, err);
}

enum dse_status dse_meant_find_fixed(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                                     const char *fix, struct dse_meant *out, struct dse_error *err)
{
    struct dse_request fixed DSE_CLEANUP(dse_request_free) = {0};
    const struct dse_profile *profile = bench->profiles[index % bench->profile_count];
    const char *from = dse_request_word(request, "from"), *why = "";
    *out = (struct dse_meant){0};
    DSE_TRY(dse_meant_preset(request, err));
    if (dse_meant_default(request, assigns)) {
        if (profile->quality_count > 0)
            DSE_TRY(ask(request, bench, index, fix, out, err));
        why = profile->quality_count > 0 ? ": the default search finds no design" : bench->family->own_profile == NULL ? ": no survey of the data set" : "";
    }
    if (out->answered) {
        snprintf(out->origin, sizeof out->origin, "balanced, the answer of `sweep`");
        return DSE_OK;
    }
    DSE_TRY(dse_workbench_base(bench, index / bench->profile_count, profile, &out->config, err));
    if (fix != NULL)
        dse_request_take(&fixed, "set", fix);
    DSE_TRY(dse_workbench_assign(&fixed, "set", bench, &out->config, err));
    DSE_TRY(dse_workbench_assign(request, assigns, bench, &out->config, err));
    snprintf(out->origin, sizeof out->origin, "%s%.100s%s%s%s", from != NULL ? "point " : dse_meant_base(bench->family), from != NULL ? from : "", why,
             dse_request_count(request, assigns) > 0 ? ", with --" : "", dse_request_count(request, assigns) > 0 ? assigns : "");
    return DSE_OK;
}
