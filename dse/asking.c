#include "dse/asking.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/number.h"
#include "core/units.h"
#include "reports/why.h"

enum dse_status dse_asked_read(const struct dse_cli *cli, struct dse_asked *asked, struct dse_error *err)
{
    *asked = (struct dse_asked){.search_s = INFINITY};
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < dse_cli_count(cli, "where") && status == DSE_OK; i++) {
        struct dse_expression more;
        status = dse_expression_parse(dse_cli_value_at(cli, "where", i), &more, err);
        if (status == DSE_OK)
            status = dse_expression_append(&asked->where, &more, err);
    }
    size_t fixes = dse_cli_count(cli, "fix");
    if (status == DSE_OK && fixes > DSE_KNOB_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--fix: given more than %d times", DSE_KNOB_MAX);
    for (size_t i = 0; i < fixes; i++)
        asked->fixes[i] = dse_cli_value_at(cli, "fix", i);
    if (status == DSE_OK && dse_cli_count(cli, "free") > DSE_KNOB_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--free: given more than %d times", DSE_KNOB_MAX);
    for (; status == DSE_OK && asked->free_count < dse_cli_count(cli, "free"); asked->free_count++)
        asked->frees[asked->free_count] = dse_cli_value_at(cli, "free", asked->free_count);
    if (status == DSE_OK)
        status = dse_cli_assigned_once(cli, "fix", err);
    if (status == DSE_OK)
        status = dse_effort_read(cli, &asked->effort, err);
    asked->counted = dse_cli_value(cli, "budget") != NULL && asked->effort.evaluations < UINT64_MAX;
    if (status == DSE_OK)
        status = dse_cli_integer(cli, "seeds", 1, 10000, 0, &asked->seeds, err);
    asked->choice.fix = asked->fixes;
    asked->choice.fix_count = fixes;
    if (status == DSE_OK)
        status = dse_cli_real(cli, "quality-drop", 0.0, 1e9, 0.01, &asked->choice.quality_drop, err);
    return status;
}

enum dse_status dse_objective_read(const struct dse_cli *cli, const char **objective, struct dse_error *err)
{
    const char *least = dse_cli_value(cli, "minimize"), *most = dse_cli_value(cli, "maximize");
    *objective = least != NULL ? least : most;
    if ((least != NULL) == (most != NULL))
        return dse_fail(err, DSE_BAD_USAGE, "needs one of --minimize METRIC and --maximize METRIC");
    if (strchr(*objective, ',') != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: one metric; `sweep --objectives` takes several", *objective);
    int metric = dse_metric_find(*objective);
    bool higher = metric >= 0 && dse_metrics[metric].higher_is_better && !dse_metric_is_error(*objective);
    if (metric >= 0 && higher != (most != NULL))
        return dse_fail(err, DSE_BAD_USAGE, "--%s %s: more of it is %s; say --%s", most != NULL ? "maximize" : "minimize",
                        *objective, most != NULL ? "worse" : "better", most != NULL ? "minimize" : "maximize");
    return DSE_OK;
}

enum dse_status dse_restrict_to_set(const struct dse_cli *cli, const struct dse_config *config,
                                    struct dse_space *space, struct dse_error *err)
{
    for (size_t i = 0; i < dse_cli_count(cli, "set"); i++) {
        char name[64];
        const char *assignment = dse_cli_value_at(cli, "set", i);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
        int knob = dse_space_find(space, name);
        if (knob >= 0)
            DSE_TRY(dse_space_restrict(space, (size_t)knob, &config->value[knob], 1, err));
    }
    return DSE_OK;
}

/* ---- settings to measure ---- */

/* Those of --free, and of a data set's survey where nothing was measured yet. */
static enum dse_status find_candidates(const struct dse_workbench *bench, size_t profile, struct dse_asking *asking,
                                       struct dse_error *err)
{
    const struct dse_asked *asked = asking->asked;
    const struct dse_source *source = &bench->sources[profile];
    dse_knob_set free = 0, algorithmic = dse_space_of_kind(asking->space, DSE_KNOB_ALGORITHMIC);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < asked->free_count && status == DSE_OK; i++) {
        int knob = -1;
        status = dse_space_need(asking->space, asked->frees[i], &knob, err);
        free |= status == DSE_OK ? DSE_KNOB_BIT(knob) & algorithmic : 0; /* the others are free anyway */
    }
    if (status == DSE_OK && source->bare)
        status = dse_settings_grid(&asking->question, &source->survey, &asking->candidates, err);
    if (status == DSE_OK && free != 0)
        status = dse_settings_free(&asking->question, free, &asking->candidates, err);
    if (status == DSE_OK)
        dse_settings_reduce(&asking->question, asking->profile, &asking->candidates);
    return status;
}

/* A profile of its own, that grows. */
static enum dse_status copy_profile(struct dse_asking *asking, struct dse_error *err)
{
    struct dse_strbuf xml = {0};
    enum dse_status status = dse_profile_format(asking->profile, &xml, err);
    if (status == DSE_OK)
        status = dse_profile_parse(dse_strbuf_text(&xml), xml.length, asking->profile->dataset, &asking->own, err);
    if (status == DSE_OK)
        asking->profile = asking->own;
    dse_strbuf_free(&xml);
    return status;
}

static enum dse_status open_trials(const struct dse_cli *cli, const struct dse_workbench *bench, size_t profile,
                                   struct dse_study *study, struct dse_asking *asking, struct dse_error *err)
{
    const struct dse_asked *asked = asking->asked;
    const struct dse_quality *preset = dse_profile_quality(asking->own, &asking->own->preset);
    size_t seeds = preset != NULL ? (size_t)preset->n : 3;
    asking->trials = (struct dse_trainings){
        .executor = dse_executor_find(bench->family->name), .word = strdup(bench->sources[profile].word),
        .hash = asking->own->dataset_hash, .data_dir = dse_cli_value(cli, "data-dir"), .profile = asking->own,
        .study = study, .seeds = asked->seeds > 0 ? (size_t)asked->seeds : seeds, .first_seed = dse_cli_seed(cli),
        .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli), .deadline_s = dse_clock_s() + asked->effort.seconds};
    return asking->trials.word != NULL ? DSE_OK : dse_fail_memory(err);
}

/* The rule of --quality-drop compares with the preset: it is measured first where nobody has. */
static enum dse_status measure_preset(struct dse_asking *asking, struct dse_error *err)
{
    struct dse_config config;
    struct dse_setting setting = {0};
    bool possible = false, ended = false;
    double quality = NAN;
    if (dse_question_asks_quality(&asking->question) || dse_profile_quality(asking->own, &asking->own->preset) != NULL)
        return DSE_OK;
    dse_space_default(asking->space, &config);
    enum dse_status status = dse_config_apply(asking->space, &config, &asking->own->preset, err);
    if (status == DSE_OK)
        status = dse_trainings_setting(&asking->trials, asking->space, &config, &setting, err);
    if (status == DSE_OK)
        status = dse_trainings_work(&asking->trials, &setting, 1, &possible, err);
    if (status == DSE_OK && possible)
        status = dse_trainings_quality(&asking->trials, &setting, 1, &quality, &ended, err);
    if (status == DSE_OK && isnan(quality))
        status = dse_fail(err, DSE_LIMIT, "%s: %s; the quality of its preset, with which others are compared, is not known",
                          asking->own->dataset, possible ? "--budget ended" : "the data cannot serve its preset");
    dse_setting_free(&setting);
    return status;
}

/* The candidates' settings and workloads. */
static enum dse_status prepare_candidates(struct dse_asking *asking, struct dse_error *err)
{
    size_t count = asking->candidates.count;
    asking->settings = calloc(count + 1, sizeof *asking->settings);
    asking->possible = calloc(count + 1, sizeof *asking->possible);
    DSE_TRY(asking->settings != NULL && asking->possible != NULL ? DSE_OK : dse_fail_memory(err));
    for (size_t i = 0; i < count; i++)
        DSE_TRY(dse_trainings_setting(&asking->trials, asking->space, &asking->candidates.configs[i], &asking->settings[i], err));
    return dse_trainings_work(&asking->trials, asking->settings, count, asking->possible, err);
}

static enum dse_status prepare_trials(const struct dse_cli *cli, const struct dse_workbench *bench, size_t exploration,
                                      struct dse_study *study, struct dse_asking *asking, struct dse_error *err)
{
    size_t profile = exploration % bench->profile_count;
    enum dse_status status = copy_profile(asking, err);
    if (status == DSE_OK && study != NULL && dse_study_exploration_at(study, exploration)->state == DSE_STUDY_DONE)
        return dse_study_extend(study, asking->own, err);
    if (status == DSE_OK)
        status = open_trials(cli, bench, profile, study, asking, err);
    if (status == DSE_OK)
        status = measure_preset(asking, err);
    if (status == DSE_OK) {
        dse_settings_reduce(&asking->question, asking->own, &asking->candidates);
        status = prepare_candidates(asking, err);
    }
    return status;
}

/* ---- the question ---- */

static enum dse_status make_question(const struct dse_cli *cli, const struct dse_workbench *bench, const char *objectives,
                                     struct dse_asking *asking, struct dse_error *err)
{
    struct dse_question *question = &asking->question;
    enum dse_status status = dse_model_space(bench->family, bench->space->file, &asking->space, err);
    if (status == DSE_OK)
        status = dse_workbench_config(cli, bench, asking->profile, &question->base, err);
    if (status == DSE_OK)
        status = dse_restrict_to_set(cli, &question->base, asking->space, err);
    if (status == DSE_OK)
        status = dse_question_objectives(question, objectives, err);
    if (status == DSE_OK)
        status = dse_question_constrain(question, asking->space, &asking->asked->where, &asking->asked->choice, err);
    if (status == DSE_OK)
        question->free = dse_space_of_kind(asking->space, DSE_KNOB_HARDWARE) &
                         ~dse_space_of_kind(asking->space, DSE_KNOB_ALGORITHMIC);
    return status;
}

enum dse_status dse_asking_say_size(const struct dse_cli *cli, const struct dse_asking *asking, struct dse_error *err)
{
    uint64_t size = 0;
    char count[64], more[96] = "";
    enum dse_status status = dse_question_size(&asking->question, &size, err);
    if (status != DSE_OK || dse_cli_format(cli) != DSE_FORMAT_TABLE)
        return status;
    if (asking->candidates.count > 0)
        snprintf(more, sizeof more, "; %zu settings that nobody has measured besides", asking->candidates.count);
    dse_cli_note(cli, "%s on %s: %s%s configurations with %zu algorithmic setting%s%s", asking->profile->dataset,
                 asking->question.board->name, size > INT64_MAX ? "more than " : "",
                 dse_count_format(count, sizeof count, size > INT64_MAX ? INT64_MAX : (long long)size),
                 asking->question.alternative_count, asking->question.alternative_count == 1 ? "" : "s", more);
    return DSE_OK;
}

enum dse_status dse_asking_refresh(struct dse_asking *asking, struct dse_error *err)
{
    struct dse_question *question = &asking->question;
    struct dse_choice_count why;
    free(asking->alternatives);
    asking->alternatives = NULL;
    enum dse_status status = dse_question_alternatives(question, asking->profile, &asking->asked->choice,
                                                       &asking->alternatives, &question->alternative_count, &why, err);
    question->alternatives = asking->alternatives;
    asking->least_quality = why.least_quality;
    return status;
}

enum dse_status dse_ask(const struct dse_cli *cli, const struct dse_workbench *bench, size_t exploration,
                        const struct dse_asked *asked, const char *objectives, struct dse_study *study,
                        struct dse_asking *asking, struct dse_error *err)
{
    size_t board = exploration / bench->profile_count, profile = exploration % bench->profile_count;
    *asking = (struct dse_asking){.asked = asked, .profile = bench->profiles[profile]};
    asking->question = (struct dse_question){.family = bench->family, .board = bench->boards[board],
                                             .costs = bench->costs[board], .headroom = bench->headroom,
                                             .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli)};
    enum dse_status status = make_question(cli, bench, objectives, asking, err);
    if (status == DSE_OK)
        status = find_candidates(bench, profile, asking, err);
    if (status == DSE_OK && asking->candidates.count > 0)
        status = prepare_trials(cli, bench, exploration, study, asking, err);
    if (status != DSE_OK)
        return status;
    status = dse_asking_refresh(asking, err);
    return status == DSE_ANSWER_NO && asking->candidates.count > 0 ? DSE_OK : status;
}

void dse_asking_free(struct dse_asking *asking)
{
    for (size_t i = 0; asking->settings != NULL && i < asking->candidates.count; i++)
        dse_setting_free(&asking->settings[i]);
    free(asking->settings);
    free(asking->possible);
    dse_settings_free_all(&asking->candidates);
    dse_trainings_close(&asking->trials);
    dse_profile_free(asking->own);
    dse_space_free(asking->space);
    free(asking->alternatives);
    *asking = (struct dse_asking){0};
}

enum dse_status dse_explain_nothing(const struct dse_cli *cli, const struct dse_workbench *bench,
                                    const struct dse_asking *asking, json_t **json, struct dse_error *err)
{
    struct dse_why *why = malloc(sizeof *why);
    if (json != NULL)
        *json = NULL;
    if (why == NULL)
        return dse_fail_memory(err);
    fprintf(stderr, "nysx-dse: %s\n", err->message);
    struct dse_why_report report = {&asking->question, asking->profile->dataset, why};
    struct dse_strbuf text = {0};
    enum dse_status status = dse_why_make(&asking->question, bench->space, why, err);
    if (status == DSE_OK)
        err->message[0] = '\0'; /* the searches that explain had nothing to find either */
    if (status == DSE_OK) {
        dse_why_write(&report, dse_terminal_width(), &text);
        fputs(dse_strbuf_text(&text), stderr);
        dse_strbuf_free(&text);
        if (json != NULL && dse_cli_format(cli) == DSE_FORMAT_JSON)
            *json = dse_why_json(&report);
    }
    free(why);
    return status == DSE_OK ? DSE_ANSWER_NO : status;
}

enum dse_status dse_answered_no(struct dse_error *err)
{
    if (err->message[0] != '\0')
        fprintf(stderr, "nysx-dse: %s\n", err->message);
    *err = (struct dse_error){0};
    return DSE_OK;
}

/* A time in seconds, with its unit: "10s", "500ms", and what people wait for: "10min", "2h". */
static bool parse_time(const char *text, double *seconds)
{
    const char *end = text, *unit = text + dse_number_length(text);
    bool percent = false;
    double number = unit != text ? strtod(text, NULL) : 0.0;
    if (unit != text && strcmp(unit, "min") == 0)
        *seconds = 60.0 * number;
    else if (unit != text && strcmp(unit, "h") == 0)
        *seconds = 3600.0 * number;
    else if (unit == text || *unit == '\0' ||
             !dse_quantity_parse(text, DSE_DIMENSION_TIME, seconds, &percent, &end) || *end != '\0' || percent)
        return false;
    return *seconds > 0.0 && isfinite(*seconds);
}

enum dse_status dse_budget_in_time(struct dse_asked *asked, const char *method, struct dse_error *err)
{
    asked->search_s = asked->effort.seconds;
    if (!asked->counted)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--budget %llu: a number of evaluations goes with --method heuristic; %s takes a time "
                    "such as 10s or 5min", (unsigned long long)asked->effort.evaluations, method);
}

enum dse_status dse_effort_read(const struct dse_cli *cli, struct dse_effort *effort, struct dse_error *err)
{
    const char *budget = dse_cli_value(cli, "budget");
    *effort = (struct dse_effort){.seed = dse_cli_seed(cli), .evaluations = 200000, .seconds = INFINITY};
    if (budget == NULL)
        return DSE_OK;
    double value = 0.0;
    if (budget[strspn(budget, "0123456789")] == '\0' && *budget != '\0') {
        errno = 0;
        effort->evaluations = strtoull(budget, NULL, 10);
        return effort->evaluations > 0 && errno == 0
                   ? DSE_OK
                   : dse_fail(err, DSE_BAD_USAGE, "--budget %s: must be a number of evaluations from 1 to 2^64 - 1", budget);
    }
    if (!parse_time(budget, &value))
        return dse_fail(err, DSE_BAD_USAGE, "--budget %s: must be a time such as 10s or 5min, or a number of evaluations", budget);
    effort->evaluations = UINT64_MAX;
    effort->seconds = value;
    return DSE_OK;
}
