/* `nysx-dse optimize`: one provably best configuration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dse/asking.h"
#include "dse/combining.h"
#include "dse/commands.h"
#include "dse/demanding.h"
#include "dse/studying.h"
#include "reports/optimum.h"

typedef enum dse_status front_search(const struct dse_question *, struct dse_answer *, struct dse_error *);

static const struct {
    const char *name;
    front_search *search; /* NULL: it takes more than a question */
} methods[] = {{"exact", dse_search_exact}, {"exhaustive", dse_search_exhaustive}, {"ilp", NULL}, {"heuristic", NULL}};

#define METHOD_ILP 2
#define METHOD_HEURISTIC 3

struct optimized {
    struct dse_asking asking;
    struct dse_optimum optimum;
    int64_t id;   /* in the study */
    bool found;
    bool partial; /* an interruption came first */
    json_t *why;  /* where nothing is feasible */
    struct dse_setup setup;
    struct dse_estimate estimate;
    struct dse_reported reported;
    struct dse_optimum_report report;
};

/* Other solvers tell the two forms of a model file by the ending of its name. */
static enum dse_status check_model_name(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "write-lp"), *ending = path != NULL ? strrchr(path, '.') : ".lp";
    if (ending != NULL && (strcmp(ending, ".lp") == 0 || strcmp(ending, ".mps") == 0))
        return dse_cli_apart(cli, "write-lp", err);
    return dse_fail(err, DSE_BAD_USAGE, "--write-lp %s: must end in .lp or .mps", path);
}

static enum dse_status read_method(const struct dse_cli *cli, size_t *method, struct dse_error *err)
{
    const char *name = dse_cli_value(cli, "method");
    if (name == NULL)
        name = dse_cli_value(cli, "write-lp") != NULL ? "ilp" : "exact";
    for (*method = 0; *method < sizeof methods / sizeof *methods; ++*method)
        if (strcmp(name, methods[*method].name) == 0)
            return *method == METHOD_ILP || dse_cli_value(cli, "write-lp") == NULL
                       ? DSE_OK
                       : dse_fail(err, DSE_BAD_USAGE, "--write-lp: goes with --method ilp, not with %s", name);
    return dse_fail(err, DSE_BAD_USAGE, "--method %s: must be ilp, exact, exhaustive or heuristic", name);
}

/* A search for one optimum. */
struct seeking {
    const struct dse_cli *cli;
    size_t method;
    struct optimized *one;
};

/* The ILP's optimum as an answer of one point. */
static enum dse_status answer_of(const struct dse_optimum *optimum, struct dse_answer *answer, struct dse_error *err)
{
    *answer = (struct dse_answer){.front = malloc(sizeof *answer->front), .front_count = 1,
                                  .space_size = optimum->space_size, .seconds = optimum->seconds,
                                  .proven = optimum->proven};
    if (answer->front == NULL)
        return dse_fail_memory(err);
    answer->front[0] = optimum->point;
    return DSE_OK;
}

static enum dse_status seek(void *user, const struct dse_question *question, struct dse_answer *answer,
                            struct dse_error *err)
{
    const struct seeking *seeking = user;
    struct dse_optimum *optimum = &seeking->one->optimum;
    *answer = (struct dse_answer){0};
    if (methods[seeking->method].search != NULL)
        return methods[seeking->method].search(question, answer, err);
    if (seeking->method == METHOD_HEURISTIC)
        return dse_search_heuristic(question, &seeking->one->asking.asked->effort, answer, err);
    enum dse_status status = dse_search_ilp(question, dse_cli_value(seeking->cli, "write-lp"), optimum, err);
    /* An interrupted one may have found something, with a bound. */
    bool found = status == DSE_OK || (status == DSE_LIMIT && !isnan(optimum->objective));
    struct dse_error second;
    enum dse_status kept = found ? answer_of(optimum, answer, &second) : DSE_OK;
    if (kept != DSE_OK)
        *err = second;
    return kept == DSE_OK ? status : kept;
}

static enum dse_status search(const struct dse_cli *cli, size_t method, struct dse_study *study, size_t index,
                              struct optimized *one, struct dse_error *err)
{
    struct dse_question *question = &one->asking.question;
    struct seeking seeking = {cli, method, one};
    struct dse_answer answer;
    char remark[256];
    enum dse_status status = dse_demanding_answer(&one->asking, study, index, seek, &seeking, &answer, remark, err);
    if (*remark != '\0')
        dse_cli_note(cli, "%s", remark);
    /* After an interruption the best so far is shown, and the status stays DSE_LIMIT. */
    one->partial = status == DSE_LIMIT && answer.front_count > 0 && dse_monitor_cancelled(dse_cli_monitor(cli)) &&
                   dse_cli_value(cli, "output") == NULL;
    if (status == DSE_OK && study != NULL)
        status = dse_study_ids(study, index, question, &answer, &one->id, err);
    if ((status == DSE_OK || one->partial) && one->optimum.slices == 0) {
        double value = answer.front[0].metrics[question->objectives[0]];
        one->optimum = (struct dse_optimum){.point = answer.front[0], .objective = value,
                                            .bound = answer.proven ? value : NAN, .gap = answer.proven ? 0.0 : NAN,
                                            .proven = answer.proven, .space_size = answer.space_size,
                                            .seconds = answer.seconds};
    }
    dse_answer_free(&answer);
    return status;
}

/* The design found, evaluated again for its report. */
static enum dse_status report_one(const struct dse_workbench *bench, size_t board, size_t method, struct dse_study *study,
                                  struct optimized *one, struct dse_error *err)
{
    const struct dse_profile *profile = one->asking.profile;
    const struct dse_config *config = &one->optimum.point.config;
    DSE_TRY(dse_workbench_setup(bench, board, profile, config, &one->setup, err));
    DSE_TRY(dse_estimate_make(&one->setup, config, &one->estimate, err));
    if (study != NULL && one->id > 0)
        DSE_TRY(dse_study_keep_engines(study, bench->family, &one->estimate, &one->id, 1, err));
    one->reported = (struct dse_reported){&one->setup, profile->dataset, &one->estimate,
                                          dse_profile_quality_of(bench->space, profile, config), one->id};
    one->report = (struct dse_optimum_report){&one->reported, &one->optimum, methods[method].name,
                                              one->asking.question.objectives[0]};
    one->found = true;
    return DSE_OK;
}

static enum dse_status optimize_one(const struct dse_cli *cli, const struct dse_workbench *bench, size_t index,
                                    const struct dse_asked *asked, size_t method, struct dse_study *study,
                                    struct optimized *one, struct dse_error *err)
{
    const char *objective = NULL;
    enum dse_status status = dse_objective_read(cli, &objective, err);
    if (status == DSE_OK)
        status = dse_ask(cli, bench, index, asked, objective, study, &one->asking, err);
    if (status == DSE_OK)
        status = dse_asking_say_size(cli, &one->asking, err);
    if (status != DSE_OK)
        return status;
    enum dse_status found = search(cli, method, study, index, one, err);
    if (found == DSE_ANSWER_NO && one->asking.question.alternative_count > 0 && method != METHOD_HEURISTIC)
        return dse_explain_nothing(cli, bench, &one->asking, &one->why, err);
    if (found != DSE_OK && !one->partial)
        return found;
    struct dse_error second = {0};
    status = report_one(bench, index / bench->profile_count, method, study, one, &second);
    if (status != DSE_OK)
        *err = second;
    return status == DSE_OK ? found : status;
}

static void write_csv(const struct optimized *all, size_t count, struct dse_strbuf *text)
{
    struct dse_table table = {0};
    for (size_t i = 0; i < count; i++) {
        if (!all[i].found)
            continue;
        if (table.columns == 0)
            dse_estimate_columns(all[i].setup.family, all[i].setup.space, &table);
        dse_estimate_row(&all[i].reported, &table);
    }
    dse_table_write_csv(&table, text);
    text->failed |= table.failed;
    dse_table_free(&table);
}

static enum dse_status write_json(const struct optimized *all, size_t count, struct dse_strbuf *text,
                                  struct dse_error *err)
{
    json_t *object = json_object(), *results = json_array();
    for (size_t i = 0; i < count; i++)
        if (all[i].found)
            json_array_append_new(results, dse_optimum_json(&all[i].report));
        else if (all[i].why != NULL)
            json_array_append(results, all[i].why);
    json_object_set_new(object, "schema", json_string("nysx-dse.optima/1"));
    json_object_set(object, "results", results);
    json_t *written = count == 1 ? json_array_get(results, 0) : object;
    enum dse_status status = dse_json_write(json_incref(written), text, err);
    json_decref(object);
    json_decref(results);
    return status;
}

static enum dse_status write_all(const struct dse_cli *cli, const struct optimized *all, size_t count,
                                 struct dse_error *err)
{
    struct dse_strbuf text = {0};
    enum dse_status status = DSE_OK;
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        status = write_json(all, count, &text, err);
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        write_csv(all, count, &text);
    else
        for (size_t i = 0; i < count; i++) {
            if (!all[i].found)
                continue;
            dse_strbuf_add(&text, text.length > 0 ? "\n\n" : "");
            dse_optimum_write(&all[i].report, dse_terminal_width(), &text);
        }
    if (status == DSE_OK)
        status = text.failed ? dse_fail_memory(err) : dse_cli_print(cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    return status;
}

static enum dse_status open_study(const struct dse_cli *cli, const struct dse_workbench *bench, const char *objective,
                                  size_t method, struct dse_study **study, struct dse_error *err)
{
    struct dse_setting resolved = {0};
    enum dse_status status = dse_setting_put(&resolved, "objectives", objective, err);
    if (status == DSE_OK)
        status = dse_setting_put(&resolved, "method", methods[method].name, err);
    if (status == DSE_OK)
        status = dse_studying_begin(cli, bench, "optimize", &resolved, study, err);
    dse_setting_free(&resolved);
    return status;
}

static enum dse_status optimize_all(const struct dse_cli *cli, const struct dse_workbench *bench,
                                    const struct dse_asked *asked, size_t method, struct dse_study *study,
                                    struct dse_error *err)
{
    size_t count = bench->board_count * bench->profile_count;
    struct optimized *all = calloc(count + 1, sizeof *all);
    enum dse_status status = all != NULL ? DSE_OK : dse_fail_memory(err);
    size_t found = 0;
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        status = optimize_one(cli, bench, i, asked, method, study, &all[i], err);
        found += all[i].found;
        /* Of several questions the others still have an answer. */
        if (status == DSE_ANSWER_NO && (count > 1 || all[i].why != NULL))
            status = dse_answered_no(err);
    }
    bool partial = status == DSE_LIMIT && found > 0 && dse_monitor_cancelled(dse_cli_monitor(cli)) &&
                   dse_cli_value(cli, "output") == NULL;
    if (partial || (status == DSE_OK && (found > 0 || dse_cli_format(cli) == DSE_FORMAT_JSON)))
        status = write_all(cli, all, count, err);
    if (partial && status == DSE_OK)
        status = dse_fail(err, DSE_LIMIT, "interrupted: shown is what was found so far%s",
                          study != NULL ? "; --resume goes on" : "");
    for (size_t i = 0; all != NULL && i < count; i++) {
        dse_asking_free(&all[i].asking);
        json_decref(all[i].why);
    }
    free(all);
    return status == DSE_OK && found == 0 ? dse_fail(err, DSE_ANSWER_NO, "%s", "") : status;
}

/* One design for all data sets. */
static enum dse_status combine(const struct dse_cli *cli, const struct dse_asked *asked, const char *objective,
                               struct dse_error *err)
{
    struct dse_combining_job job = {.asked = asked, .command = "optimize", .objectives = objective,
                                    .method = dse_cli_value(cli, "method"), .one = true, .best = 1, .shown = 1};
    if (dse_cli_value(cli, "write-lp") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--write-lp: does not go with --combine");
    return dse_combining_run(cli, &job, err);
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_asked asked;
    size_t method = 0;
    const char *objective = NULL;
    enum dse_status status = dse_objective_read(cli, &objective, err);
    if (status == DSE_OK)
        status = check_model_name(cli, err);
    if (status == DSE_OK)
        status = dse_cli_apart(cli, "study", err);
    if (status == DSE_OK)
        status = read_method(cli, &method, err);
    if (status == DSE_OK)
        status = dse_asked_read(cli, &asked, err);
    if (status == DSE_OK && dse_cli_value(cli, "combine") != NULL)
        return combine(cli, &asked, objective, err);
    if (status == DSE_OK && method != METHOD_HEURISTIC)
        status = dse_budget_in_time(&asked, methods[method].name, err);
    struct dse_workbench bench;
    if (status == DSE_OK)
        status = dse_workbench_open_bare(cli, &bench, err);
    if (status != DSE_OK)
        return status;
    if (bench.board_count * bench.profile_count > 1 && dse_cli_value(cli, "write-lp") != NULL)
        status = dse_fail(err, DSE_BAD_USAGE, "--write-lp: takes one board and one data set");
    struct dse_study *study = NULL;
    if (status == DSE_OK)
        status = open_study(cli, &bench, objective, method, &study, err);
    if (status == DSE_OK)
        status = optimize_all(cli, &bench, &asked, method, study, err);
    dse_study_close(study);
    dse_workbench_close(&bench);
    return status;
}

static const struct dse_option options[] = {
    DSE_OBJECTIVE_OPTIONS,
    {.name = "method", .argument = "exact|ilp|exhaustive|heuristic",
     .help = "exact merges fronts (default), ilp proves by integer programs, exhaustive visits every configuration; heuristic "
             "searches at random from --seed within --budget and proves nothing"},
    {.name = "write-lp", .argument = "FILE.lp|FILE.mps", .written = true,
     .help = "write the integer program of the whole question, for other solvers"},
    DSE_BUDGET_OPTION,
    DSE_ASKING_OPTIONS,
    DSE_COMBINE_OPTIONS,
    DSE_STUDY_OPTIONS,
    DSE_WORKBENCH_OPTIONS,
};

const struct dse_command dse_cmd_optimize = {
    .name = "optimize",
    .summary = "one provably best configuration under constraints",
    .operands = "",
    .details = "All methods but the heuristic prove the optimum over the whole space, and agree. Where nothing is feasible it says why: what "
               "each constraint kills, the smallest relaxation, and the nearest miss.\n\n"
               "    nysx-dse optimize --dataset MUTAG --minimize energy --where 'latency<=0.2ms && bram18<=50%'\n"
               "    nysx-dse optimize --dataset MUTAG --minimize bram18 --method ilp --write-lp question.lp\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
