#include "explore/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/timed.h"
#include "explore/exploration.h"
#include "explore/missing.h"
#include "models/hls.h"

/* "latency=0.2ms" means that value or better. */
static enum dse_status read_target(const char *text, struct dse_expression *where, struct dse_error *err)
{
    DSE_TRY(dse_expression_parse_option("--target", text, where, err));
    bool metrics = false;
    for (size_t i = 0; i < where->count; i++) {
        int metric = dse_metric_find(where->terms[i].name);
        metrics |= metric >= 0;
        if (metric >= 0 && where->terms[i].comparison == DSE_EQUAL)
            where->terms[i].comparison =
                dse_metrics[metric].higher_is_better && !dse_metric_is_error(where->terms[i].name) ? DSE_AT_LEAST
                                                                                                    : DSE_AT_MOST;
    }
    if (!metrics)
        return dse_fail(err, DSE_BAD_USAGE, "--target %s: must name a metric, such as latency=0.2ms", text);
    return DSE_OK;
}

static enum dse_status no_metric(const char *name, struct dse_error *err)
{
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_strbuf_printf(&names, "%s%s", m > 0 ? ", " : "", dse_metrics[m].name);
    return dse_fail(err, DSE_BAD_USAGE, "--metric %s: no such metric; the metrics are %s", name, dse_strbuf_text(&names));
}

enum dse_status dse_change_read(const struct dse_request *request, struct dse_change_terms *terms, struct dse_error *err)
{
    memset(terms, 0, sizeof *terms);
    terms->sensitivity = dse_request_flag(request, "sensitivity");
    terms->target = dse_request_word(request, "target");
    /* Without a change, the question is which change would help. */
    terms->sensitivity |= terms->target == NULL && dse_request_count(request, "set") == 0;
    const char *name = dse_request_word(request, "metric");
    int metric = name != NULL ? dse_metric_find(name) : DSE_METRIC_LATENCY;
    if (metric < 0)
        return no_metric(name, err);
    terms->metric = (enum dse_metric)metric;
    DSE_TRY(dse_request_quality_drop(request, &terms->quality_drop, err));
    DSE_TRY(dse_terms_time(request, &terms->seconds, err));
    if (terms->target == NULL && dse_request_flag(request, "budget"))
        return dse_fail(err, DSE_BAD_USAGE, "--budget: needs --target");
    if (terms->target != NULL)
        DSE_TRY(read_target(terms->target, &terms->where, err));
    return DSE_OK;
}

/* The base design with every --base, and the same with every --set. */
static enum dse_status read_configs(const struct dse_request *request, const struct dse_workbench *bench, size_t index,
                                    struct dse_meant *base, struct dse_config *changed, struct dse_error *err)
{
    DSE_TRY(dse_meant_find(request, bench, index, "base", base, err));
    *changed = base->config;
    DSE_TRY(dse_workbench_set(request, bench, changed, err));
    dse_meant_note_idle(request, bench, index, "set", changed);
    return DSE_OK;
}

/* Adds the base's values to the domains: otherwise keeping a value would count as a change. */
static void allow_base(struct dse_space *space, const struct dse_config *base, dse_knob_set varied)
{
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        bool there = !dse_bits_has(varied, k);
        for (size_t v = 0; v < knob->domain_count && !there; v++)
            there = knob->domain[v] == base->value[k];
        if (there)
            continue;
        int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc((knob->domain_count + 1) * sizeof *values);
        memcpy(values, knob->domain, knob->domain_count * sizeof *values);
        values[knob->domain_count] = base->value[k];
        dse_space_restrict(space, k, values, knob->domain_count + 1);
    }
}

/* Adds the base's setting to the alternatives, even if it is not measured. */
static enum dse_status add_own_setting(const struct dse_whatif *whatif, struct dse_question *question,
                                       struct dse_alternative **alternatives, struct dse_error *err)
{
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t a = 0; a < question->alternative_count; a++) {
        bool same = true;
        for (size_t k = 0; k < question->space->count; k++)
            same &= !dse_bits_has(algorithmic, k) || (*alternatives)[a].config.value[k] == question->base.value[k];
        if (same)
            return DSE_OK;
    }
    *alternatives = dse_realloc_array(*alternatives, question->alternative_count + 1, sizeof **alternatives);
    struct dse_alternative *own = &(*alternatives)[question->alternative_count];
    const struct dse_quality *quality = dse_profile_quality_of(question->space, whatif->profile, &question->base);
    *own = (struct dse_alternative){.config = question->base, .quality = quality != NULL ? quality->mean : NAN};
    DSE_TRY(dse_profile_work(question->space, whatif->profile, &question->base, &own->workload, err));
    question->alternative_count++;
    return DSE_OK;
}

/* Searches within the budget. */
static enum dse_status search_in_time(const struct dse_request *request, const struct dse_timed *timed, struct dse_question *question,
                                      struct dse_change *answer, struct dse_error *err)
{
    struct dse_least_change *least = &answer->least;
    question->monitor = &timed->monitor;
    enum dse_status status = dse_whatif_least(question, least, err);
    if (dse_monitor_cancelled(request->monitor))
        return dse_fail_cancelled(err);
    if (status == DSE_OK && least->cut)
        dse_request_note(request, "--budget ended the search: another design with as many changes may be better");
    if (status != DSE_CANCELLED)
        return status;
    if (least->known > 0)
        dse_fail(&answer->ended, DSE_LIMIT, "--budget ended: no design with fewer than %zu change%s reaches the target; one with %zu does",
                 least->changes, least->changes == 1 ? "" : "s", least->known);
    else
        dse_fail(&answer->ended, DSE_LIMIT, "--budget ended before it was known whether any design reaches the target");
    return DSE_OK;
}

static enum dse_status ask_for_least(const struct dse_request *request, const struct dse_change_terms *terms, const struct dse_timed *timed, struct dse_space *space,
                                     const struct dse_config *start, struct dse_change *answer,
                                     struct dse_error *err)
{
    const struct dse_setup *setup = &answer->whatif.setup;
    struct dse_question question = {.family = setup->family, .board = setup->board, .costs = setup->costs,
                                    .headroom = setup->headroom, .base = *start, .jobs = request->jobs, .quality = dse_profile_quality_name(answer->whatif.profile)};
    struct dse_alternative *alternatives DSE_CLEANUP(dse_free_at) = NULL;
    struct dse_choice choice = {.quality_drop = terms->quality_drop};
    struct dse_choice_count why;
    question.free = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    allow_base(space, start, question.free);
    dse_restrict_to_set(request, start, space);
    enum dse_status status = dse_question_constrain(&question, space, &terms->where, &choice, &answer->ended);
    if (status != DSE_OK) {
        if (err != NULL)
            *err = answer->ended;
        return status == DSE_ANSWER_NO ? DSE_OK : status;
    }
    question.objectives[question.objective_count++] = question.limits[0].metric;
    DSE_TRY(dse_question_judged(&question, answer->whatif.profile->dataset, err));
    DSE_TRY(dse_question_alternatives(&question, answer->whatif.profile, &choice, &alternatives, &question.alternative_count, &why, err));
    DSE_TRY(add_own_setting(&answer->whatif, &question, &alternatives, err));
    question.alternatives = alternatives;
    return search_in_time(request, timed, &question, answer, err);
}

/* A copy of the workbench's space in which successive items may overlap. */
static enum dse_status open_space(const struct dse_workbench *bench, struct dse_space **out, struct dse_error *err)
{
    DSE_TRY(dse_model_space(bench->family, bench->space->file, out, err));
    dse_question_every_overlap(bench->family, *out);
    return DSE_OK;
}

static enum dse_status find_least(const struct dse_request *request, const struct dse_workbench *bench,
                                  const struct dse_change_terms *terms, const struct dse_timed *timed, struct dse_config *changed, struct dse_change *answer,
                                  struct dse_error *err)
{
    struct dse_space *space DSE_CLEANUP(dse_space_free_at) = NULL; /* a copy for this search, because the target restricts the space */
    DSE_TRY(open_space(bench, &space, err));
    DSE_TRY(ask_for_least(request, terms, timed, space, changed, answer, err));
    if (answer->least.found)
        *changed = answer->least.config;
    else if (answer->ended.message[0] == '\0')
        dse_fail(&answer->ended, DSE_ANSWER_NO, "%s", answer->least.why);
    return DSE_OK;
}

static bool is_ended(const struct dse_change *answer)
{
    return answer->ended.message[0] != '\0';
}

static enum dse_status evaluate(struct dse_change *answer, const struct dse_config *config, struct dse_whatif_design *out,
                                struct dse_error *err)
{
    DSE_TRY(dse_whatif_evaluate(&answer->whatif, config, out, err));
    DSE_TRY(out->estimate.rejection.rejected ? DSE_OK : dse_ring_check(&out->setup, &out->estimate.config, err));
    (void)dse_rejection_verdict(&out->estimate.rejection, &answer->ended);
    return DSE_OK;
}

enum dse_status dse_change_answer(const struct dse_request *request, const struct dse_workbench *bench, size_t index,
                                  const struct dse_change_terms *terms, struct dse_change *answer, struct dse_error *err)
{
    DSE_TRY(open_space(bench, &answer->space, err));
    answer->whatif = (struct dse_whatif){
        .setup = {.family = bench->family, .space = answer->space, .board = bench->boards[index / bench->profile_count],
                  .costs = bench->costs[index / bench->profile_count], .headroom = bench->headroom},
        .profile = bench->profiles[index % bench->profile_count]};
    struct dse_meant base;
    struct dse_config changed;
    struct dse_timed timed; /* the baseline's search uses the same --budget */
    struct dse_request timely = *request; /* shares the words of the request */
    dse_timed_begin(&timed, request->monitor, terms->seconds);
    timely.monitor = &timed.monitor;
    enum dse_status found = read_configs(&timely, bench, index, &base, &changed, err);
    if (found == DSE_CANCELLED && !dse_monitor_cancelled(request->monitor)) {
        dse_fail(&answer->ended, DSE_LIMIT, "--budget ended before the baseline was found; --preset %s needs no search", bench->family->knobs->presets[0]);
        return DSE_OK;
    }
    DSE_TRY(found);
    memcpy(answer->origin, base.origin, sizeof answer->origin);
    DSE_TRY(evaluate(answer, &base.config, &answer->baseline, err));
    if (!is_ended(answer) && terms->target != NULL)
        DSE_TRY(find_least(request, bench, terms, &timed, &changed, answer, err));
    if (!is_ended(answer))
        DSE_TRY(evaluate(answer, &changed, &answer->changed, err));
    if (!is_ended(answer) && terms->sensitivity)
        DSE_TRY(dse_whatif_sensitivity(&answer->whatif, &changed, terms->metric, &answer->moves, err));
    return DSE_OK;
}

void dse_change_free(struct dse_change *answer)
{
    dse_space_free(answer->space);
    dse_whatif_moves_free(&answer->moves);
}

/* With --measure: adds missing settings of the baseline and the change to the profiles. */
enum dse_status dse_change_measure(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    if (!dse_request_flag(request, "measure"))
        return dse_request_word(request, "runs") == NULL ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--runs: needs --measure");
    for (size_t i = 0; i < bench->profile_count; i++) {
        struct dse_meant base;
        struct dse_config changed;
        DSE_TRY(read_configs(request, bench, i, &base, &changed, err));
        DSE_TRY(dse_missing_fill(request, bench, i, &base.config, err));
        DSE_TRY(dse_missing_fill(request, bench, i, &changed, err));
    }
    return DSE_OK;
}
