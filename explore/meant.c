#include "explore/meant.h"

#include <stdio.h>
#include <string.h>

#include "explore/explore.h"

bool dse_meant_default(const struct dse_request *request)
{
    return dse_request_word(request, "from") == NULL && dse_request_word(request, "preset") == NULL;
}

/* The balanced design of the question without further words but its objectives. */
static enum dse_status ask(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *const *fixes, size_t fix_count,
                           const char *objectives, struct dse_meant *out, struct dse_error *err)
{
    struct dse_monitor quiet = request->monitor != NULL ? *request->monitor : (struct dse_monitor){0};
    struct dse_request plain DSE_CLEANUP(dse_request_free) = {.seed = request->seed, .jobs = request->jobs, .monitor = &quiet,
                                                              .family = dse_request_family(request)};
    quiet.progress = NULL; /* an intermediate step: shows no progress */
    struct dse_exploration exploration DSE_CLEANUP(dse_exploration_free) = {0};
    struct dse_terms terms;
    for (size_t i = 0; i < fix_count; i++)
        dse_request_take(&plain, "fix", fixes[i]);
    DSE_TRY(dse_terms_read(&plain, false, objectives, &terms, err));
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

void dse_meant_of_model(const struct dse_request *request, const struct dse_model_family *family, char origin[DSE_ORIGIN_MAX])
{
    const char *from = dse_request_word(request, "from");
    snprintf(origin, DSE_ORIGIN_MAX, "%s%.100s, at the model's setting%s", from != NULL ? "point " : dse_meant_base(family), from != NULL ? from : "",
             dse_request_count(request, "set") > 0 ? ", with --set" : "");
}

enum dse_status dse_meant_find(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                               struct dse_meant *out, struct dse_error *err)
{
    DSE_TRY(dse_meant_find_fixed(request, bench, index, assigns, NULL, 0, DSE_DEFAULT_OBJECTIVES, out, err));
    dse_meant_note_idle(request, bench, index, assigns, &out->config);
    return DSE_OK;
}

/* Whether the words assign every knob that has an effect. */
static bool assigns_all(const struct dse_request *request, const char *assigns, const struct dse_space *space, const struct dse_config *config)
{
    for (size_t k = 0; k < space->count; k++)
        if (dse_knob_active(space, config, k) && !dse_request_assigns(request, assigns, space->knobs[k].name))
            return false;
    return true;
}

enum dse_status dse_meant_find_fixed(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                                     const char *const *fixes, size_t fix_count, const char *objectives, struct dse_meant *out, struct dse_error *err)
{
    struct dse_request fixed DSE_CLEANUP(dse_request_free) = {0};
    const struct dse_profile *profile = bench->profiles[index % bench->profile_count];
    const char *from = dse_request_word(request, "from"), *preset = dse_request_word(request, "preset"), *base = dse_meant_base(bench->family), *why = "";
    bool trained = preset != NULL && strcmp(preset, bench->family->knobs->presets[0]) != 0; /* otherwise than as published */
    bool with = dse_request_count(request, assigns) > 0;
    *out = (struct dse_meant){0};
    DSE_TRY(dse_workbench_base(bench, index / bench->profile_count, profile, &out->config, err));
    for (size_t i = 0; i < fix_count; i++)
        if (strchr(fixes[i], '=') != NULL) /* otherwise: the published value */
            dse_request_take(&fixed, "set", fixes[i]);
    DSE_TRY(dse_workbench_assign(&fixed, "set", bench, &out->config, err));
    DSE_TRY(dse_workbench_assign(request, assigns, bench, &out->config, err)); /* before the search, which would report a wrong one late */
    if (with && assigns_all(request, assigns, bench->space, &out->config)) {
        snprintf(out->origin, sizeof out->origin, "every knob by --%s", assigns);
        return DSE_OK;
    }
    if (dse_meant_default(request) && profile->quality_count > 0)
        DSE_TRY(ask(request, bench, index, fixes, fix_count, objectives, out, err));
    if (out->answered)
        base = "balanced, `sweep`'s choice by quality, latency and energy";
    else if (dse_meant_default(request))
        why = profile->quality_count > 0 ? "; the default search finds no design" : bench->family->own_profile == NULL ? "; the profile has no measured quality" : "";
    snprintf(out->origin, sizeof out->origin, "%s%.100s%s%.20s%s%s%s", from != NULL ? "point " : base, from != NULL ? from : "",
             trained ? ", trained by preset " : "", trained ? preset : "", with ? ", with --" : "", with ? assigns : "", why);
    if (!out->answered || !with)
        return DSE_OK;
    out->answered = false;
    return dse_workbench_assign(request, assigns, bench, &out->config, err);
}

void dse_meant_idle(const struct dse_space *space, const struct dse_config *config, size_t knob, char *why, size_t size)
{
    char value[64];
    while (!dse_knob_active(space, config, knob))
        knob = (size_t)space->knobs[knob].condition;
    snprintf(why, size, "%s=%s", space->knobs[knob].name, dse_knob_format(&space->knobs[knob], config->value[knob], value, sizeof value));
}

void dse_meant_note_idle(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                         const struct dse_config *config)
{
    const struct dse_space *space = bench->space;
    struct dse_strbuf idle DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; i < dse_request_count(request, assigns); i++) {
        const char *text = dse_request_word_at(request, assigns, i);
        char name[64], why[128];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
        int knob = dse_space_find(space, name);
        if (knob < 0 || dse_knob_active(space, config, (size_t)knob))
            continue;
        dse_meant_idle(space, config, (size_t)knob, why, sizeof why);
        dse_strbuf_printf(&idle, "%s--%s %s (%s)", idle.length > 0 ? ", " : "", assigns, text, why);
    }
    if (idle.length > 0)
        dse_request_note(request, "%s on %s: without effect in this design: %s", bench->profiles[index % bench->profile_count]->dataset,
                         bench->boards[index / bench->profile_count]->name, dse_strbuf_text(&idle));
}
