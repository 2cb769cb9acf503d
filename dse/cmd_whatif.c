/* `nysx-dse whatif`: a baseline beside a change, sensitivities, and the least change that meets a target. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/exploration.h"
#include "dse/commands.h"
#include "dse/options.h"
#include "dse/terminal.h"
#include "explore/missing.h"
#include "explore/workbench.h"
#include "reports/whatif.h"

/* What the command line asks, the same for every board and data set. */
struct asked {
    bool sensitivity;
    enum dse_metric metric;
    const char *target; /* NULL without one */
    struct dse_expression where; /* the target's comparisons */
    double quality_drop;
};

/* One board and data set. */
struct whatif_answer {
    struct dse_whatif whatif;
    struct dse_whatif_design baseline, changed;
    struct dse_whatif_moves moves;
    struct dse_least_change least;
    struct dse_whatif_report report;
};

/* "latency=0.2ms" asks for that or better. */
static enum dse_status read_target(const char *text, struct dse_expression *where, struct dse_error *err)
{
    DSE_TRY(dse_expression_parse(text, where, err));
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
        return dse_fail(err, DSE_BAD_USAGE, "--target %s: must name a metric, as in latency=0.2ms", text);
    return DSE_OK;
}

static enum dse_status no_metric(const char *name, struct dse_error *err)
{
    struct dse_strbuf names = {0};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_strbuf_printf(&names, "%s%s", m > 0 ? ", " : "", dse_metrics[m].name);
    enum dse_status status =
        dse_fail(err, DSE_BAD_USAGE, "--metric %s: no such metric; there are %s", name, dse_strbuf_text(&names));
    dse_strbuf_free(&names);
    return status;
}

static enum dse_status read_asked(const struct dse_cli *cli, struct asked *asked, struct dse_error *err)
{
    memset(asked, 0, sizeof *asked);
    asked->sensitivity = dse_cli_flag(cli, "sensitivity");
    asked->target = dse_cli_value(cli, "target");
    const char *name = dse_cli_value(cli, "metric");
    int metric = name != NULL ? dse_metric_find(name) : DSE_METRIC_LATENCY;
    if (metric < 0)
        return no_metric(name, err);
    asked->metric = (enum dse_metric)metric;
    DSE_TRY(dse_cli_real(cli, "quality-drop", 0.0, 1e9, 0.01, &asked->quality_drop, err));
    if (asked->target != NULL)
        DSE_TRY(read_target(asked->target, &asked->where, err));
    return DSE_OK;
}

static enum dse_status assign_all(const struct dse_cli *cli, const char *option, const struct dse_space *space,
                                  struct dse_config *config, struct dse_error *err)
{
    DSE_TRY(dse_cli_assigned_once(cli, option, err));
    for (size_t i = 0; i < dse_cli_count(cli, option); i++)
        DSE_TRY(dse_config_assign(space, config, dse_cli_value_at(cli, option, i), err));
    dse_config_canonical(space, config);
    return DSE_OK;
}

/* The paper's design, or that of --from, with every --base on it, and the same with every --set. */
static enum dse_status read_configs(const struct dse_cli *cli, const struct dse_workbench *bench,
                                    const struct dse_profile *profile, struct dse_config *base,
                                    struct dse_config *changed, struct dse_error *err)
{
    DSE_TRY(dse_workbench_base(bench, profile, base, err));
    DSE_TRY(assign_all(cli, "base", bench->space, base, err));
    *changed = *base;
    return assign_all(cli, "set", bench->space, changed, err);
}

/* A domain that lacks the base's own value would count staying as a change. */
static enum dse_status admit_base(struct dse_space *space, const struct dse_config *base, dse_knob_set varied,
                                  struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    for (size_t k = 0; k < space->count && status == DSE_OK; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        bool there = (varied >> k & 1) == 0;
        for (size_t v = 0; v < knob->domain_count && !there; v++)
            there = knob->domain[v] == base->value[k];
        if (there)
            continue;
        int64_t *values = malloc((knob->domain_count + 1) * sizeof *values);
        if (values == NULL)
            return dse_fail_memory(err);
        memcpy(values, knob->domain, knob->domain_count * sizeof *values);
        values[knob->domain_count] = base->value[k];
        status = dse_space_restrict(space, k, values, knob->domain_count + 1, err);
        free(values);
    }
    return status;
}

/* The base's own setting is always among those to choose from, measured or not. */
static enum dse_status add_own_setting(const struct dse_whatif *whatif, struct dse_question *question,
                                       struct dse_alternative **alternatives, struct dse_error *err)
{
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t a = 0; a < question->alternative_count; a++) {
        bool same = true;
        for (size_t k = 0; k < question->space->count; k++)
            same &= (algorithmic >> k & 1) == 0 || (*alternatives)[a].config.value[k] == question->base.value[k];
        if (same)
            return DSE_OK;
    }
    struct dse_alternative *grown = realloc(*alternatives, (question->alternative_count + 1) * sizeof *grown);
    if (grown == NULL)
        return dse_fail_memory(err);
    *alternatives = grown;
    struct dse_alternative *own = &grown[question->alternative_count];
    const struct dse_quality *quality = dse_profile_quality_of(question->space, whatif->profile, &question->base);
    *own = (struct dse_alternative){.config = question->base, .quality = quality != NULL ? quality->mean : NAN};
    enum dse_status status =
        dse_profile_work(question->space, whatif->profile, &question->base, &own->workload, err);
    question->alternative_count += status == DSE_OK;
    return status;
}

static enum dse_status ask_for_least(const struct dse_cli *cli, const struct asked *asked, struct dse_space *space,
                                     const struct dse_config *start, struct whatif_answer *answer,
                                     struct dse_error *err)
{
    const struct dse_setup *setup = &answer->whatif.setup;
    struct dse_question question = {.family = setup->family, .board = setup->board, .costs = setup->costs,
                                    .headroom = setup->headroom, .base = *start, .jobs = dse_cli_jobs(cli),
                                    .monitor = dse_cli_monitor(cli)};
    question.free = dse_space_of_kind(space, DSE_KNOB_HARDWARE) & ~dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC);
    struct dse_choice choice = {.quality_drop = asked->quality_drop};
    enum dse_status status = admit_base(space, start, question.free, err);
    if (status == DSE_OK)
        status = dse_restrict_to_set(dse_cli_request(cli), start, space, err);
    if (status == DSE_OK)
        status = dse_question_constrain(&question, space, &asked->where, &choice, err);
    if (status != DSE_OK)
        return status;
    question.objectives[question.objective_count++] = question.limits[0].metric;
    struct dse_alternative *alternatives = NULL;
    struct dse_choice_count why;
    status = dse_question_alternatives(&question, answer->whatif.profile, &choice, &alternatives,
                                       &question.alternative_count, &why, err);
    if (status == DSE_OK || status == DSE_ANSWER_NO)
        status = add_own_setting(&answer->whatif, &question, &alternatives, err);
    question.alternatives = alternatives;
    if (status == DSE_OK)
        status = dse_whatif_least(&question, &answer->least, err);
    free(alternatives);
    return status;
}

static enum dse_status find_least(const struct dse_cli *cli, const struct dse_workbench *bench,
                                  const struct asked *asked, struct dse_config *changed, struct whatif_answer *answer,
                                  struct dse_error *err)
{
    struct dse_space *space = NULL; /* its own: the target restricts it */
    enum dse_status status = dse_model_space(bench->family, bench->space->file, &space, err);
    if (status == DSE_OK)
        status = ask_for_least(cli, asked, space, changed, answer, err);
    dse_space_free(space);
    *changed = status == DSE_OK ? answer->least.config : *changed;
    return status;
}

static enum dse_status answer_one(const struct dse_cli *cli, const struct dse_workbench *bench, size_t board,
                                  const struct dse_profile *profile, const struct asked *asked,
                                  struct whatif_answer *answer, struct dse_error *err)
{
    answer->whatif = (struct dse_whatif){
        .setup = {.family = bench->family, .space = bench->space, .board = bench->boards[board],
                  .costs = bench->costs[board], .headroom = bench->headroom},
        .profile = profile};
    struct dse_config base, changed;
    DSE_TRY(read_configs(cli, bench, profile, &base, &changed, err));
    DSE_TRY(dse_whatif_evaluate(&answer->whatif, &base, &answer->baseline, err));
    if (asked->target != NULL)
        DSE_TRY(find_least(cli, bench, asked, &changed, answer, err));
    DSE_TRY(dse_whatif_evaluate(&answer->whatif, &changed, &answer->changed, err));
    if (asked->sensitivity)
        DSE_TRY(dse_whatif_sensitivity(&answer->whatif, &changed, asked->metric, &answer->moves, err));
    answer->report = (struct dse_whatif_report){.dataset = profile->dataset, .baseline = &answer->baseline,
                                                .changed = &answer->changed, .metric = asked->metric,
                                                .moves = asked->sensitivity ? &answer->moves : NULL,
                                                .least = asked->target != NULL ? &answer->least : NULL,
                                                .target = asked->target};
    return DSE_OK;
}

static enum dse_status write_json(const struct dse_whatif_report *reports, size_t count, struct dse_strbuf *text,
                                  struct dse_error *err)
{
    if (count == 1)
        return dse_json_write(dse_whatif_json(&reports[0]), text, err);
    json_t *object = json_object(), *results = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(results, dse_whatif_json(&reports[i]));
    json_object_set_new(object, "schema", json_string("nysx-dse.whatifs/1"));
    json_object_set_new(object, "results", results);
    return dse_json_write(object, text, err);
}

static enum dse_status write_reports(const struct dse_cli *cli, const struct dse_whatif_report *reports, size_t count,
                                     struct dse_error *err)
{
    struct dse_strbuf text = {0};
    enum dse_status status = DSE_OK;
    if (dse_cli_format(cli) == DSE_FORMAT_JSON) {
        status = write_json(reports, count, &text, err);
    } else if (dse_cli_format(cli) == DSE_FORMAT_CSV) {
        struct dse_table table = {0};
        dse_whatif_columns(&table);
        for (size_t i = 0; i < count; i++)
            dse_whatif_rows(&reports[i], &table);
        dse_table_write_csv(&table, &text);
        text.failed |= table.failed;
        dse_table_free(&table);
    } else if (count == 1) {
        dse_whatif_write(&reports[0], dse_terminal_width(), &text);
    } else {
        dse_whatifs_write(reports, count, dse_terminal_width(), &text);
    }
    if (status == DSE_OK)
        status = text.failed ? dse_fail_memory(err) : dse_cli_print(cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    return status;
}

/* With --measure, what the profiles lack of the baseline's and the change's settings. */
static enum dse_status measure_lacking(const struct dse_cli *cli, struct dse_workbench *bench, struct dse_error *err)
{
    if (!dse_cli_flag(cli, "measure"))
        return dse_cli_value(cli, "runs") == NULL ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--runs: goes with --measure");
    for (size_t i = 0; i < bench->profile_count; i++) {
        struct dse_config base, changed;
        DSE_TRY(read_configs(cli, bench, bench->profiles[i], &base, &changed, err));
        DSE_TRY(dse_missing_fill(dse_cli_request(cli), bench, i, &base, err));
        DSE_TRY(dse_missing_fill(dse_cli_request(cli), bench, i, &changed, err));
    }
    return DSE_OK;
}

static enum dse_status answer_all(const struct dse_cli *cli, const struct dse_workbench *bench,
                                  const struct asked *asked, struct dse_error *err)
{
    size_t count = bench->board_count * bench->profile_count;
    struct whatif_answer *answers = calloc(count + 1, sizeof *answers);
    struct dse_whatif_report *reports = calloc(count + 1, sizeof *reports);
    enum dse_status status = answers != NULL && reports != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        status = answer_one(cli, bench, i / bench->profile_count, bench->profiles[i % bench->profile_count], asked,
                            &answers[i], err);
        reports[i] = answers[i].report;
    }
    if (status == DSE_OK)
        status = write_reports(cli, reports, count, err);
    for (size_t i = 0; answers != NULL && i < count; i++)
        dse_whatif_moves_free(&answers[i].moves);
    free(answers);
    free(reports);
    return status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    struct asked asked;
    enum dse_status status = read_asked(cli, &asked, err);
    if (status != DSE_OK)
        return status;
    struct dse_workbench bench;
    status = dse_workbench_open(dse_cli_request(cli), &bench, err);
    if (status != DSE_OK)
        return status;
    status = measure_lacking(cli, &bench, err);
    if (status == DSE_OK)
        status = answer_all(cli, &bench, &asked, err);
    dse_workbench_close(&bench);
    return status;
}

static const struct dse_option options[] = {
    {.name = "base", .argument = "KNOB=VALUE", .repeatable = true,
     .help = "a knob of the baseline (default: that of --from, or the paper's design at the data set's preset)"},
    {.name = "sensitivity", .help = "move each knob of the changed design alone through its domain and rank the effects"},
    {.name = "metric", .argument = "METRIC", .help = "what sensitivities are ranked by (default latency)"},
    {.name = "target", .argument = "EXPR",
     .help = "find the fewest further knob changes that meet it: 'latency=0.2ms', 'energy<=1mJ && dsp<=50%'"},
    {.name = "quality-drop", .argument = "X",
     .help = "how far a --target's design may fall below the preset's mean quality (default 0.01)"},
    {.name = "across", .argument = "NAME,…", .repeatable = true,
     .help = "ask the same of several shipped profiles, in one table: 'NCI*,DD'"},
    DSE_MEASURING_OPTIONS,
    DSE_WORKBENCH_OPTIONS,
};

const struct dse_command dse_cmd_whatif = {
    .name = "whatif",
    .summary = "a baseline beside a change: what moves, by how much, and the new bottleneck",
    .operands = "",
    .details = "The baseline is the paper's design with every --base; the change is the same with every --set. "
               "--target searches on from there, keeping what --set names, and proves that no design with fewer changes "
               "meets the target; its algorithmic knobs take measured settings within --quality-drop. Quality is what the "
               "profile has measured at a setting; with --measure what it lacks is trained and measured now, on the data "
               "set itself.\n\n"
               "    nysx-dse whatif --dataset NCI1 --set nee.precision=int8 --set kse.pe=8\n"
               "    nysx-dse whatif --dataset MUTAG --data-dir data --set nee.precision=int8 --measure\n"
               "    nysx-dse whatif --dataset MUTAG --sensitivity --metric energy\n"
               "    nysx-dse whatif --dataset DD --target latency=0.5ms\n"
               "    nysx-dse whatif --across 'NCI*,DD' --set nee.ports=4\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
