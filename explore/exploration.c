#include "explore/exploration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/timed.h"
#include "core/units.h"
#include "executor/executor.h"
#include "explore/loaded.h"
#include "search/filter.h"

void dse_restrict_to_set(const struct dse_request *request, const struct dse_config *config,
                         struct dse_space *space)
{
    for (size_t i = 0; i < dse_request_count(request, "set"); i++) {
        char name[64];
        const char *assignment = dse_request_word_at(request, "set", i);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
        int knob = dse_space_find(space, name);
        if (knob >= 0)
            dse_space_restrict(space, (size_t)knob, &config->value[knob], 1);
    }
}

/* ---- settings to measure ---- */

/* Settings of --free, and of a data set's survey if nothing was measured yet. */
static enum dse_status find_settings(struct dse_exploration *e, struct dse_error *err)
{
    const struct dse_source *source = &e->bench->sources[e->index % e->bench->profile_count];
    dse_knob_set free = {{0}}, algorithmic = dse_space_of_kind(e->space, DSE_KNOB_ALGORITHMIC);
    for (size_t i = 0; i < e->terms->free_count; i++) {
        int knob = -1;
        DSE_TRY(dse_space_need(e->space, e->terms->frees[i], &knob, err));
        if (dse_bits_has(algorithmic, (size_t)knob)) /* the others are free anyway */
            dse_bits_add(&free, (size_t)knob);
    }
    if (source->bare)
        DSE_TRY(dse_settings_grid(&e->question, &source->survey, &e->settings, err));
    if (dse_bits_any(free))
        DSE_TRY(dse_settings_cross(&e->question, free, e->request->seed, &e->settings, err));
    dse_settings_reduce(&e->question, e->profile, &e->settings);
    return e->settings.count == 0 ? DSE_OK : dse_filters_reject(&e->question, 1u << DSE_METRIC_QUALITY, "a search that measures settings", "exhaustive or heuristic", err);
}

/* Makes a separate profile to which measurements are added. */
static enum dse_status copy_profile(struct dse_exploration *e, struct dse_error *err)
{
    struct dse_strbuf xml DSE_CLEANUP(dse_strbuf_free) = {0};
    DSE_TRY(dse_profile_format(e->profile, &xml, err));
    DSE_TRY(dse_profile_parse(dse_strbuf_text(&xml), xml.length, e->profile->dataset, &e->own, err));
    e->profile = e->own;
    return DSE_OK;
}

static void open_trainings(struct dse_exploration *e)
{
    const struct dse_request *request = e->request;
    const struct dse_quality *preset = dse_profile_reference_quality(e->own);
    size_t seeds = preset != NULL ? (size_t)preset->n : 3;
    e->trainings = (struct dse_trainings){
        .executor = dse_executor_find(e->bench->family->name),
        .word = dse_strdup(e->bench->sources[e->index % e->bench->profile_count].word), .hash = e->own->dataset_hash,
        .data_dir = dse_request_word(request, "data-dir"), .profile = e->own, .study = e->study,
        .seeds = e->terms->seeds > 0 ? (size_t)e->terms->seeds : seeds, .first_seed = request->seed, .crew = dse_request_crew(request),
        .monitor = request->monitor, .deadline_s = dse_clock_s() + e->terms->effort.seconds};
}

/* "quality-drop" compares with the reference preset: measures it first if missing. */
static enum dse_status measure_preset(struct dse_exploration *e, struct dse_error *err)
{
    struct dse_config config;
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0}, reference DSE_CLEANUP(dse_setting_free) = {0};
    bool possible = false, ended = false;
    double quality = NAN;
    if (dse_question_replaces_rule(&e->question, e->own, false) || isinf(e->terms->choice.quality_drop) || dse_profile_reference_quality(e->own) != NULL)
        return DSE_OK;
    dse_space_default(e->space, &config);
    dse_profile_reference(e->own, &reference);
    DSE_TRY(dse_config_apply(e->space, &config, &reference, err));
    DSE_TRY(dse_trainings_setting(&e->trainings, e->space, &config, &setting, err));
    DSE_TRY(dse_trainings_work(&e->trainings, &setting, 1, &possible, err));
    if (possible)
        DSE_TRY(dse_trainings_quality(&e->trainings, &setting, 1, &quality, &ended, err));
    if (isnan(quality))
        DSE_TRY(dse_fail(err, DSE_LIMIT, "%s: %s; the quality of its preset, the reference of --quality-drop, is not known",
                         e->own->dataset, possible ? "--budget ended" : "the data do not support its preset"));
    return DSE_OK;
}

/* Completes the settings and computes their workloads. */
static enum dse_status prepare_settings(struct dse_exploration *e, struct dse_error *err)
{
    struct dse_settings *settings = &e->settings;
    dse_settings_reduce(&e->question, e->own, settings);
    settings->full = dse_calloc(settings->count + 1, sizeof *settings->full);
    settings->possible = dse_calloc(settings->count + 1, sizeof *settings->possible);
    for (size_t i = 0; i < settings->count; i++)
        DSE_TRY(dse_trainings_setting(&e->trainings, e->space, &settings->configs[i], &settings->full[i], err));
    return dse_trainings_work(&e->trainings, settings->full, settings->count, settings->possible, err);
}

static enum dse_status prepare_trainings(struct dse_exploration *e, struct dse_error *err)
{
    DSE_TRY(copy_profile(e, err));
    bool alone = dse_request_word(e->request, "combine") == NULL; /* otherwise the study has no exploration of this data set */
    if (e->study != NULL && alone && dse_study_exploration_at(e->study, e->index)->state == DSE_STUDY_DONE)
        return dse_study_extend(e->study, e->own, err);
    open_trainings(e);
    DSE_TRY(measure_preset(e, err));
    return prepare_settings(e, err);
}

/* ---- the question ---- */

/* Without any measured quality, drops quality from the question, unless it will be measured. */
static void drop_unmeasured(struct dse_exploration *e)
{
    struct dse_question *question = &e->question;
    const struct dse_source *source = &e->bench->sources[e->index % e->bench->profile_count];
    size_t kept = 0;
    if (!e->terms->by_default || e->profile->quality_count > 0 || source->bare || e->terms->free_count > 0)
        return;
    for (size_t i = 0; i < question->objective_count; i++)
        if (question->objectives[i] != DSE_METRIC_QUALITY)
            question->objectives[kept++] = question->objectives[i];
    question->objective_count = kept;
}

/* The figure that judges the settings; the family's own if none is measured yet. */
static const char *judging(const struct dse_exploration *e, const struct dse_profile *profile)
{
    const struct dse_executor *executor = dse_executor_find(e->bench->family->name);
    return profile->quality_count == 0 && executor != NULL ? executor->quality_name : dse_profile_quality_name(profile);
}

/* Starts the question and its space, without objectives and limits. */
static enum dse_status start_question(const struct dse_exploration *e, const struct dse_profile *profile, struct dse_question *question,
                                      struct dse_space **space, struct dse_error *err)
{
    size_t board = e->index / e->bench->profile_count;
    *question = (struct dse_question){.family = e->bench->family, .board = e->bench->boards[board],
                                      .costs = e->bench->costs[board], .headroom = e->bench->headroom, .quality = judging(e, profile),
                                      .jobs = e->request->jobs, .monitor = e->request->monitor};
    DSE_TRY(dse_model_space(e->bench->family, e->bench->space->file, space, err));
    DSE_TRY(dse_workbench_config(e->request, e->bench, board, profile, &question->base, err));
    dse_restrict_to_set(e->request, &question->base, *space);
    question->free = dse_bits_without(dse_space_of_kind(*space, DSE_KNOB_HARDWARE), dse_space_of_kind(*space, DSE_KNOB_ALGORITHMIC));
    return DSE_OK;
}

#define LOOKED_AT_MOST 1000000 /* designs, if no bound prunes: some seconds */

/* Whether some design may satisfy the question; true if unknown. For most limits a few random designs show it, without complete tables. */
static bool may_be_held(struct dse_question *question)
{
    const struct dse_effort few = {.seed = 1, .evaluations = 64, .seconds = INFINITY};
    struct dse_error ignored;
    struct dse_answer answer = {0};
    question->goal = DSE_GOAL_ANY;
    enum dse_status tried = dse_search_heuristic(question, &few, &answer, &ignored);
    bool held = tried != DSE_OK || answer.front_count > 0;
    dse_answer_free(&answer);
    if (held)
        return true;
    struct dse_allowance allowance = {.designs = DSE_WHY_DESIGNS};
    bool bounded = dse_question_bounds(question, "exact", &ignored) == DSE_OK && (!dse_filters_on_metrics(question) || question->branch_count > 0);
    question->allowance = &allowance;
    enum dse_status status = bounded                                            ? dse_search_exact(question, &answer, &ignored)
                             : dse_question_size(question) <= LOOKED_AT_MOST ? dse_search_exhaustive(question, &answer, &ignored)
                                                                             : DSE_LIMIT;
    bool found = answer.front_count > 0;
    dse_answer_free(&answer);
    return status != DSE_OK || found;
}

/* Whether a design with the fewest units fails a term, over all designs that fit the board, regardless of other terms. A limit that all designs
 * satisfy has no effect, and this must not depend on other limits. */
static enum dse_status fails(const struct dse_exploration *e, const struct dse_profile *profile, const struct dse_term *term,
                             const struct dse_monitor *monitor, bool *out, struct dse_error *err)
{
    struct dse_space *space DSE_CLEANUP(dse_space_free_at) = NULL;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_alternative *alternatives DSE_CLEANUP(dse_free_at) = NULL;
    const struct dse_choice any = {.quality_drop = INFINITY};
    struct dse_question question;
    struct dse_expression opposite;
    struct dse_choice_count counted;
    struct dse_error ignored;
    DSE_TRY(start_question(e, profile, &question, &space, err));
    question.monitor = monitor;
    DSE_TRY(dse_question_objectives(&question, dse_metrics[DSE_METRIC_LUT].name, err));
    dse_question_few_units(&question, space);
    dse_strbuf_printf(&text, "!(%.*s)", (int)term->length, term->text);
    DSE_TRY(dse_expression_parse(dse_strbuf_text(&text), &opposite, err));
    enum dse_status status = dse_question_constrain(&question, space, &opposite, &any, &ignored);
    if (status == DSE_OK) /* otherwise nothing fails it, or the question reports the error */
        status = dse_question_alternatives(&question, profile, &any, &alternatives, &question.alternative_count, &counted, &ignored);
    question.alternatives = alternatives;
    *out = status == DSE_OK && question.alternative_count > 0 && may_be_held(&question);
    return DSE_OK;
}

/* Restricts the space to the fewest units if the question needs no more and they are not free. If the question asks about a stream of items, they may
 * overlap. They may not with one design for several data sets, whose slowest steps may differ. */
static enum dse_status restrict_units(struct dse_exploration *e, struct dse_error *err)
{
    const struct dse_expression *where = &e->terms->where;
    size_t sets = e->bench->profile_count, first = e->index % sets;
    bool joint = dse_request_word(e->request, "combine") != NULL, open = e->terms->p99_load_s > 0.0;
    const struct dse_model_family *family = e->question.family;
    const struct dse_knob *knobs = e->space->knobs;
    const bool frees_overlap = family->steps != NULL && dse_terms_free(e->terms, knobs[family->overlap_knob].name);
    double begin = dse_clock_s();
    struct dse_timed timed;
    if (joint && frees_overlap)
        return dse_fail(err, DSE_BAD_USAGE, "--free %s: not with --combine, because the slowest step may differ between data sets", knobs[family->overlap_knob].name);
    dse_timed_begin(&timed, e->request->monitor, e->terms->effort.seconds);
    bool flows = open;
    for (size_t i = 0; i < where->count && !flows; i++) {
        const struct dse_term *term = &where->terms[i];
        bool flow = dse_question_term_on_flow(e->space, term), failed = false;
        for (size_t set = joint ? 0 : first; set < (joint ? sets : first + 1) && !failed && (flow || (!open && dse_question_term_on_units(&e->question, e->space, term))); set++)
            DSE_TRY(fails(e, set == first ? e->profile : e->bench->profiles[set], term, &timed.monitor, &failed, err));
        open |= failed;
        flows |= failed && flow;
    }
    if (!open && !dse_terms_free(e->terms, knobs[family->units_knob].name))
        dse_question_few_units(&e->question, e->space);
    bool alone = e->terms->p99_load_s > 0.0 && e->question.board->host.batch <= 1; /* single-item launches do not overlap */
    bool shared = e->question.board->host.batch > 1; /* launches overlap only with a queue */
    bool overlap = !joint && ((flows && !alone) || shared || frees_overlap || dse_question_asks_rate(&e->question)) && dse_question_every_overlap(family, e->space);
    bool units = open && !knobs[family->units_knob].restricted && !dse_terms_fix(e->terms, knobs[family->units_knob].name);
    overlap &= !dse_terms_fix(e->terms, knobs[family->overlap_knob].name);
    e->widened = overlap && flows ? (units ? "; overlap and units tried for the limit" : "; overlap tried for the limit") :
                 units ? "; units tried for the limit" : overlap && shared ? "; overlap tried for the batch" : "";
    e->spent_s = dse_clock_s() - begin;
    return DSE_OK;
}

/* Rejects a fixed clock that no board reaches. */
static enum dse_status check_clock(const struct dse_exploration *e, struct dse_error *err)
{
    const size_t clock = e->bench->family->clock_knob;
    const struct dse_knob *knob = &e->bench->space->knobs[clock];
    for (size_t i = 0; i < e->terms->choice.fix_count; i++) {
        const char *text = e->terms->fixes[i];
        int64_t mhz = 0;
        if (strcspn(text, "=") != strlen(knob->name) || strncmp(text, knob->name, strlen(knob->name)) != 0 || strchr(text, '=') == NULL)
            continue;
        DSE_TRY(dse_knob_parse(knob, strchr(text, '=') + 1, &mhz, err));
        DSE_TRY(dse_workbench_reaches(e->bench, "--fix", mhz, err));
    }
    return DSE_OK;
}

static enum dse_status make_question(struct dse_exploration *e, struct dse_error *err)
{
    struct dse_question *question = &e->question;
    DSE_TRY(start_question(e, e->profile, question, &e->space, err));
    DSE_TRY(check_clock(e, err));
    DSE_TRY(dse_question_objectives(question, e->terms->objectives, err));
    drop_unmeasured(e);
    DSE_TRY(restrict_units(e, err));
    enum dse_status status = dse_question_constrain(question, e->space, &e->terms->where, &e->terms->choice, &e->ended);
    if (status != DSE_OK && status != DSE_ANSWER_NO) {
        if (err != NULL)
            *err = e->ended; /* with the lines of the error */
        return status;
    }
    DSE_TRY(dse_loaded_bound(e, question, err));
    struct dse_strbuf note DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_question_note(question, &note);
    if (e->index == 0 && note.length > 0)
        dse_request_note(e->request, "%s", dse_strbuf_text(&note));
    return DSE_OK;
}

/* Notes the size of the space before its search. */
void dse_exploration_tell_size(const struct dse_exploration *e)
{
    uint64_t size = 0;
    char count[64], more[160] = "";
    size = dse_question_size(&e->question);
    if (!e->request->tells_sizes)
        return;
    if (e->settings.count > 0)
        snprintf(more, sizeof more, "; %zu more without a measured quality", e->settings.count);
    else if (size > INT64_MAX && isinf(e->terms->search_s) && (e->terms->method == DSE_METHOD_ILP || (e->terms->method == DSE_METHOD_EXACT && !e->terms->one)))
        snprintf(more, sizeof more, "; if the proof takes too long, --method %s or --budget TIME answers without one",
                 e->terms->method == DSE_METHOD_ILP ? "exact may be faster, and --method heuristic" : "heuristic");
    dse_request_note(e->request, "%s on %s: %s designs, %zu setting%s%s%s", e->profile->dataset,
                     e->question.board->name,
                     dse_count_format(count, sizeof count, dse_count_of(size)),
                     e->question.alternative_count, e->question.alternative_count == 1 ? "" : "s", e->widened, more);
}

enum dse_status dse_exploration_refresh(struct dse_exploration *e, struct dse_error *err)
{
    struct dse_question *question = &e->question;
    struct dse_choice choice = e->terms->choice;
    choice.measures = e->settings.count > 0;
    question->quality = judging(e, e->profile);
    free(e->alternatives);
    e->alternatives = NULL;
    DSE_TRY(dse_question_judged(question, e->profile->dataset, err));
    DSE_TRY(dse_question_alternatives(question, e->profile, &choice, &e->alternatives, &question->alternative_count,
                                      &e->choices, err));
    question->alternatives = e->alternatives;
    e->standard = e->choices.standard;
    return DSE_OK;
}

static bool contradicts(const struct dse_question *question)
{
    size_t least, most;
    bool contradicts = false;
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        contradicts |= dse_limits_contradict(question, (enum dse_metric)m, &least, &most);
    return contradicts;
}

/* Sets `ended` if nothing is left. */
static void tell_unmeasured(const struct dse_exploration *e)
{
    struct dse_strbuf note DSE_CLEANUP(dse_strbuf_free) = {0};
    if (e->question.alternative_count == 0)
        return;
    dse_question_note_unmeasured(&e->question, e->profile, e->settings.count > 0, &note);
    if (note.length > 0)
        dse_request_note(e->request, "%s", dse_strbuf_text(&note));
}

enum dse_status dse_exploration_open(const struct dse_request *request, const struct dse_terms *terms,
                                     const struct dse_workbench *bench, size_t index, struct dse_study *study,
                                     struct dse_exploration *e, struct dse_error *err)
{
    *e = (struct dse_exploration){.request = request, .terms = terms, .bench = bench, .index = index, .study = study,
                                  .profile = bench->profiles[index % bench->profile_count]};
    DSE_TRY(make_question(e, err));
    bool knobs = e->ended.message[0] != '\0', metrics = contradicts(&e->question);
    if (!knobs && !metrics) {
        DSE_TRY(find_settings(e, err));
        if (e->settings.count > 0)
            DSE_TRY(prepare_trainings(e, err));
    }
    if (!knobs) {
        DSE_TRY(dse_exploration_refresh(e, err));
        tell_unmeasured(e);
    }
    if (!knobs && !metrics && e->question.alternative_count + e->settings.count > 0)
        return DSE_OK;
    e->answer = (struct dse_answer){.outcome = DSE_OUTCOME_NOTHING, .proven = true, .space_size = dse_question_size(&e->question)};
    e->why = dse_calloc(1, sizeof *e->why);
    if (knobs || metrics)
        DSE_TRY(dse_why_make(&e->question, NULL, INFINITY, e->why, err));
    if (!knobs && e->question.alternative_count == 0)
        dse_choice_nothing(&e->question, e->profile, &e->choices, &e->ended);
    else if (!knobs)
        dse_answer_nothing(&e->answer, &e->ended);
    return DSE_OK;
}

void dse_exploration_free(struct dse_exploration *e)
{
    dse_settings_free(&e->settings);
    dse_trainings_close(&e->trainings);
    dse_answer_free(&e->answer);
    dse_front_free(&e->front);
    dse_profile_free(e->own);
    dse_space_free(e->space);
    free(e->alternatives);
    dse_why_free(e->why);
    free(e->loads);
    *e = (struct dse_exploration){0};
}
