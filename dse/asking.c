#include "dse/asking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/why.h"

enum dse_status dse_asked_read(const struct dse_cli *cli, struct dse_asked *asked, struct dse_error *err)
{
    memset(asked, 0, sizeof *asked);
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
    asked->choice.fix = asked->fixes;
    asked->choice.fix_count = fixes;
    if (status == DSE_OK)
        status = dse_cli_real(cli, "quality-drop", 0.0, 1e9, 0.01, &asked->choice.quality_drop, err);
    return status;
}

/* Values given by --set are fixed for the sweep. */
static enum dse_status restrict_to_set(const struct dse_cli *cli, const struct dse_config *config,
                                       struct dse_space *space, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < dse_cli_count(cli, "set") && status == DSE_OK; i++) {
        char name[64];
        const char *assignment = dse_cli_value_at(cli, "set", i);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
        int knob = dse_space_find(space, name);
        if (knob >= 0)
            status = dse_space_restrict(space, (size_t)knob, &config->value[knob], 1, err);
    }
    return status;
}

enum dse_status dse_ask(const struct dse_cli *cli, const struct dse_workbench *bench, size_t board,
                        const struct dse_profile *profile, const struct dse_asked *asked, const char *objectives,
                        struct dse_asking *asking, struct dse_error *err)
{
    struct dse_question *question = &asking->question;
    *question = (struct dse_question){.family = bench->family, .board = bench->boards[board],
                                      .costs = bench->costs[board], .headroom = bench->headroom,
                                      .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli)};
    enum dse_status status = dse_model_space(bench->family, bench->space->file, &asking->space, err);
    if (status == DSE_OK)
        status = dse_workbench_config(cli, bench, profile, &question->base, err);
    if (status == DSE_OK)
        status = restrict_to_set(cli, &question->base, asking->space, err);
    if (status == DSE_OK)
        status = dse_question_objectives(question, objectives, err);
    if (status == DSE_OK)
        status = dse_question_constrain(question, asking->space, &asked->where, &asked->choice, err);
    if (status != DSE_OK)
        return status;
    question->free = dse_space_of_kind(asking->space, DSE_KNOB_HARDWARE) &
                     ~dse_space_of_kind(asking->space, DSE_KNOB_ALGORITHMIC);
    struct dse_choice_count why;
    status = dse_question_alternatives(question, profile, &asked->choice, &asking->alternatives,
                                       &question->alternative_count, &why, err);
    question->alternatives = asking->alternatives;
    return status;
}

void dse_asking_free(struct dse_asking *asking)
{
    dse_space_free(asking->space);
    free(asking->alternatives);
    *asking = (struct dse_asking){0};
}

enum dse_status dse_explain_nothing(const struct dse_cli *cli, const struct dse_workbench *bench,
                                    const struct dse_profile *profile, const struct dse_asking *asking,
                                    struct dse_error *err)
{
    struct dse_why *why = malloc(sizeof *why);
    if (why == NULL)
        return dse_fail_memory(err);
    fprintf(stderr, "nysx-dse: %s\n", err->message);
    struct dse_why_report report = {&asking->question, profile->dataset, why};
    struct dse_strbuf text = {0};
    enum dse_status status = dse_why_make(&asking->question, bench->space, why, err);
    if (status == DSE_OK)
        err->message[0] = '\0'; /* the searches that explain had nothing to find either */
    if (status == DSE_OK) {
        dse_why_write(&report, dse_terminal_width(), &text);
        fputs(dse_strbuf_text(&text), stderr);
        dse_strbuf_free(&text);
    }
    if (status == DSE_OK && dse_cli_format(cli) == DSE_FORMAT_JSON)
        status = dse_json_write(dse_why_json(&report), &text, err);
    if (status == DSE_OK && text.length > 0)
        status = dse_cli_print(cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    free(why);
    return status == DSE_OK ? DSE_ANSWER_NO : status;
}

enum dse_status dse_effort_read(const struct dse_cli *cli, struct dse_effort *effort, struct dse_error *err)
{
    const char *budget = dse_cli_value(cli, "budget"), *end = budget;
    *effort = (struct dse_effort){.seed = dse_cli_seed(cli), .evaluations = 200000, .seconds = INFINITY};
    if (budget == NULL)
        return DSE_OK;
    double value = 0.0;
    bool percent = false;
    if (budget[strspn(budget, "0123456789")] == '\0' && *budget != '\0') {
        effort->evaluations = strtoull(budget, NULL, 10);
        return effort->evaluations > 0 ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--budget %s: must be 1 or more", budget);
    }
    if (!dse_quantity_parse(budget, DSE_DIMENSION_TIME, &value, &percent, &end) || *end != '\0' || percent || !(value > 0.0))
        return dse_fail(err, DSE_BAD_USAGE, "--budget %s: must be a time such as 10s, or a number of evaluations", budget);
    effort->evaluations = UINT64_MAX;
    effort->seconds = value;
    return DSE_OK;
}
