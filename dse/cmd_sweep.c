/* `nysx-dse sweep`: explores a space and prints the best and the Pareto front. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dse/asking.h"
#include "dse/combining.h"
#include "dse/commands.h"
#include "dse/demanding.h"
#include "dse/evaluating.h"
#include "dse/studying.h"
#include "reports/sweep.h"

typedef enum dse_status search_method(const struct dse_question *, struct dse_answer *, struct dse_error *);

static const struct {
    const char *name;
    search_method *search;
} methods[] = {{"exact", dse_search_exact}, {"exhaustive", dse_search_exhaustive}, {"heuristic", NULL}};

/* What the command line asks, the same for every board and data set. */
struct asked {
    struct dse_asked question;
    size_t method;
    const char *objectives;
    int64_t top, front;
    bool table;
};

/* One board and data set: everything that its report needs, in the order it is made. */
struct sweep {
    struct dse_asking asking;
    struct dse_answer answer;
    char remark[256];
    json_t *why; /* in place of a report, where nothing is feasible */
    struct dse_setup *setups;
    struct dse_estimate *estimates;
    struct dse_reported *front, *best;
    struct dse_sweep_report report;
};

static void free_sweep(struct sweep *sweep)
{
    dse_answer_free(&sweep->answer);
    dse_asking_free(&sweep->asking);
    json_decref(sweep->why);
    free(sweep->setups);
    free(sweep->estimates);
    free(sweep->front);
    free(sweep->best);
}

static enum dse_status read_method(const struct dse_cli *cli, struct asked *asked, struct dse_error *err)
{
    const char *name = dse_cli_value(cli, "method");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (name == NULL || strcmp(name, methods[i].name) == 0) {
            asked->method = i;
            return DSE_OK;
        }
    return dse_fail(err, DSE_BAD_USAGE, "--method %s: must be exact, exhaustive or heuristic", name);
}

static enum dse_status read_asked(const struct dse_cli *cli, struct asked *asked, struct dse_error *err)
{
    memset(asked, 0, sizeof *asked);
    DSE_TRY(dse_cli_apart(cli, "study", err));
    DSE_TRY(read_method(cli, asked, err));
    asked->objectives = dse_cli_value(cli, "objectives");
    asked->table = dse_cli_format(cli) == DSE_FORMAT_TABLE;
    if (asked->objectives == NULL)
        asked->objectives = "latency,energy,bram18";
    DSE_TRY(dse_asked_read(cli, &asked->question, err));
    if (methods[asked->method].search != NULL && dse_cli_value(cli, "combine") == NULL)
        DSE_TRY(dse_budget_in_time(&asked->question, methods[asked->method].name, err));
    DSE_TRY(dse_cli_integer(cli, "top", 1, 1000, 5, &asked->top, err));
    return dse_cli_integer(cli, "front", 1, 100000, 20, &asked->front, err);
}

/* The points' IDs, and what their engines take, into the study. */
static enum dse_status keep_front(struct dse_study *study, size_t index, struct sweep *sweep, struct dse_error *err)
{
    size_t count = sweep->answer.front_count;
    int64_t *ids = calloc(count + 1, sizeof *ids);
    if (ids == NULL)
        return dse_fail_memory(err);
    enum dse_status status = dse_study_ids(study, index, &sweep->asking.question, &sweep->answer, ids, err);
    for (size_t i = 0; i < count; i++)
        sweep->front[i].id = ids[i];
    if (status == DSE_OK)
        status = dse_study_keep_engines(study, sweep->asking.question.family, sweep->estimates, ids, count, err);
    free(ids);
    return status;
}

/* A table shows some designs of a front, and only these are estimated; a study and the other formats hold all. */
static enum dse_status estimate_front(const struct dse_workbench *bench, size_t board, const struct asked *asked,
                                      const size_t *order, bool all, struct sweep *sweep, struct dse_error *err)
{
    size_t count = sweep->answer.front_count, shown = count < (size_t)asked->front ? count : (size_t)asked->front;
    bool *wanted = calloc(count + 1, sizeof *wanted);
    if (wanted == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < shown; i++)
        wanted[dse_sweep_picked(count, shown, i)] = true;
    for (size_t i = 0; i < count && i < (size_t)asked->top; i++)
        wanted[order[i]] = true;
    struct dse_evaluating evaluating = {bench, board, sweep->asking.profile, &sweep->answer,
                                        all || !asked->table ? NULL : wanted, sweep->asking.question.jobs};
    enum dse_status status = dse_evaluating_run(&evaluating, sweep->setups, sweep->estimates, sweep->front, err);
    free(wanted);
    return status;
}

static enum dse_status evaluate_front(const struct dse_workbench *bench, size_t index, const struct asked *asked,
                                      struct dse_study *study, struct sweep *sweep, struct dse_error *err)
{
    size_t board = index / bench->profile_count, count = sweep->answer.front_count;
    sweep->setups = calloc(count + 1, sizeof *sweep->setups);
    sweep->estimates = calloc(count + 1, sizeof *sweep->estimates);
    sweep->front = calloc(count + 1, sizeof *sweep->front);
    sweep->best = calloc(count + 1, sizeof *sweep->best);
    size_t *order = calloc(count + 1, sizeof *order);
    enum dse_status status = DSE_OK;
    if (sweep->setups == NULL || sweep->estimates == NULL || sweep->front == NULL || sweep->best == NULL || order == NULL)
        status = dse_fail_memory(err);
    if (status == DSE_OK) {
        dse_sweep_balance(&sweep->asking.question, &sweep->answer, order);
        status = estimate_front(bench, board, asked, order, study != NULL, sweep, err);
    }
    if (status == DSE_OK && study != NULL)
        status = keep_front(study, index, sweep, err);
    if (status == DSE_OK) {
        size_t best = count < (size_t)asked->top ? count : (size_t)asked->top;
        for (size_t i = 0; i < best; i++)
            sweep->best[i] = sweep->front[order[i]];
        sweep->report = (struct dse_sweep_report){&sweep->asking.question, &sweep->answer, methods[asked->method].name,
                                                  sweep->front, sweep->best, best, sweep->remark, (size_t)asked->front};
    }
    free(order);
    return status;
}

static enum dse_status search(void *user, const struct dse_question *question, struct dse_answer *answer,
                              struct dse_error *err)
{
    const struct asked *asked = user;
    search_method *method = methods[asked->method].search;
    return method != NULL ? method(question, answer, err) : dse_search_heuristic(question, &asked->question.effort, answer, err);
}

/* After an interruption what was found so far is evaluated like an answer, and the status stays DSE_LIMIT. Its study has the
 * points already; what their engines take comes in when it is resumed. */
static enum dse_status sweep_one(const struct dse_cli *cli, const struct dse_workbench *bench, size_t index,
                                 struct asked *asked, struct dse_study *study, struct sweep *sweep, struct dse_error *err)
{
    enum dse_status status =
        dse_ask(cli, bench, index, &asked->question, asked->objectives, study, &sweep->asking, err);
    if (status == DSE_OK)
        status = dse_asking_say_size(cli, &sweep->asking, err);
    if (status != DSE_OK)
        return status;
    enum dse_status found =
        dse_demanding_answer(&sweep->asking, study, index, search, asked, &sweep->answer, sweep->remark, err);
    if (*sweep->remark != '\0')
        dse_cli_note(cli, "%s", sweep->remark);
    if (found == DSE_ANSWER_NO && methods[asked->method].search != NULL && sweep->asking.question.alternative_count > 0)
        return dse_explain_nothing(cli, bench, &sweep->asking, &sweep->why, err);
    bool partial = found == DSE_LIMIT && sweep->answer.front_count > 0 && dse_monitor_cancelled(dse_cli_monitor(cli));
    if (found != DSE_OK && !partial)
        return found;
    struct dse_error second = {0};
    status = evaluate_front(bench, index, asked, partial ? NULL : study, sweep, &second);
    if (status != DSE_OK)
        *err = second;
    return status == DSE_OK ? found : status;
}

static void write_json(const struct sweep *sweeps, size_t count, struct dse_strbuf *text)
{
    size_t depth = count == 1 ? 0 : 4;
    bool first = true;
    if (count > 1)
        dse_strbuf_add(text, "{\n  \"schema\": \"nysx-dse.sweeps/1\",\n  \"results\": [");
    for (size_t i = 0; i < count; i++) {
        if (sweeps[i].report.answer == NULL && sweeps[i].why == NULL)
            continue;
        if (count > 1)
            dse_strbuf_printf(text, "%s\n%*s", first ? "" : ",", (int)depth, "");
        first = false;
        if (sweeps[i].report.answer != NULL)
            dse_sweep_write_json(&sweeps[i].report, depth, text);
        else
            dse_json_add_at(text, depth, json_incref(sweeps[i].why));
    }
    if (count > 1)
        dse_strbuf_add(text, first ? "]\n}" : "\n  ]\n}");
    dse_strbuf_add(text, "\n");
}

static enum dse_status write_sweeps(const struct dse_cli *cli, const struct sweep *sweeps, size_t count,
                                    struct dse_error *err)
{
    struct dse_strbuf text = {0};
    enum dse_status status = DSE_OK;
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        write_json(sweeps, count, &text);
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV) {
        /* One table: the header stands once. */
        for (size_t i = 0; i < count; i++) {
            struct dse_strbuf part = {0};
            if (sweeps[i].report.answer == NULL)
                continue;
            dse_sweep_write_csv(&sweeps[i].report, &part);
            const char *rows = dse_strbuf_text(&part);
            dse_strbuf_add(&text, text.length > 0 ? rows + strcspn(rows, "\n") + 1 : rows);
            text.failed |= part.failed;
            dse_strbuf_free(&part);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            if (sweeps[i].report.answer == NULL)
                continue;
            dse_strbuf_add(&text, text.length > 0 ? "\n\n" : "");
            dse_sweep_write(&sweeps[i].report, dse_terminal_width(), &text);
        }
    }
    if (status == DSE_OK)
        status = text.failed ? dse_fail_memory(err) : dse_cli_print(cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    return status;
}

static enum dse_status describe(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_model_family *family = dse_model_find(dse_cli_family(cli));
    if (family == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: no such family", dse_cli_family(cli));
    struct dse_space *space = NULL;
    enum dse_status status = dse_model_space(family, dse_cli_value(cli, "space"), &space, err);
    if (status != DSE_OK)
        return status;
    dse_knob_set hardware = dse_space_of_kind(space, DSE_KNOB_HARDWARE) & ~dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC);
    struct dse_strbuf text = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        status = dse_json_write(dse_space_json(space, hardware), &text, err);
    else
        dse_space_write(space, hardware, dse_terminal_width(), &text);
    if (status == DSE_OK)
        status = dse_cli_print(cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    dse_space_free(space);
    return status;
}

static enum dse_status open_study(const struct dse_cli *cli, const struct dse_workbench *bench, const struct asked *asked,
                                  struct dse_study **study, struct dse_error *err)
{
    struct dse_setting resolved = {0};
    enum dse_status status = dse_setting_put(&resolved, "objectives", asked->objectives, err);
    if (status == DSE_OK)
        status = dse_setting_put(&resolved, "method", methods[asked->method].name, err);
    if (status == DSE_OK)
        status = dse_studying_begin(cli, bench, "sweep", &resolved, study, err);
    dse_setting_free(&resolved);
    return status;
}

/* What to print: all, or after an interruption those that have found something. A file of -o is for whole results. */
static enum dse_status print_found(const struct dse_cli *cli, struct sweep *sweeps, size_t count, size_t shown, bool studied,
                                   enum dse_status found, struct dse_error *err)
{
    struct dse_error second = {0};
    if (found == DSE_LIMIT && studied && dse_monitor_cancelled(dse_cli_monitor(cli)))
        dse_fail(err, DSE_LIMIT, "interrupted: what was found is in the study, and --resume goes on");
    if (found != DSE_OK && (found != DSE_LIMIT || shown == 0 || dse_cli_value(cli, "output") != NULL))
        return found;
    if (shown == 0 && dse_cli_format(cli) != DSE_FORMAT_JSON)
        return dse_fail(err, DSE_ANSWER_NO, "%s", "");
    enum dse_status status = write_sweeps(cli, sweeps, count, &second);
    if (status != DSE_OK) {
        *err = second;
        return status;
    }
    if (found == DSE_OK && shown == 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s", "");
    return found == DSE_OK ? DSE_OK
                           : dse_fail(err, DSE_LIMIT, "interrupted: shown is what was found so far%s",
                                      studied ? "; --resume goes on" : "");
}

static enum dse_status sweep_all(const struct dse_cli *cli, const struct dse_workbench *bench, struct asked *asked,
                                 struct dse_study *study, struct dse_error *err)
{
    size_t count = bench->board_count * bench->profile_count, shown = 0;
    struct sweep *sweeps = calloc(count + 1, sizeof *sweeps);
    enum dse_status status = sweeps != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        status = sweep_one(cli, bench, i, asked, study, &sweeps[i], err);
        shown += sweeps[i].report.answer != NULL;
        /* Of several questions the others still have an answer. */
        if (status == DSE_ANSWER_NO && (count > 1 || sweeps[i].why != NULL))
            status = dse_answered_no(err);
    }
    status = sweeps != NULL ? print_found(cli, sweeps, count, shown, study != NULL, status, err) : status;
    for (size_t i = 0; sweeps != NULL && i < count; i++)
        free_sweep(&sweeps[i]);
    free(sweeps);
    return status;
}

/* One design for all data sets. */
static enum dse_status combine(const struct dse_cli *cli, const struct asked *asked, struct dse_error *err)
{
    struct dse_combining_job job = {.asked = &asked->question, .command = "sweep", .objectives = asked->objectives,
                                    .method = dse_cli_value(cli, "method"), .best = (size_t)asked->top,
                                    .shown = (size_t)asked->front};
    return dse_combining_run(cli, &job, err);
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    if (dse_cli_flag(cli, "describe"))
        return describe(cli, err);
    struct asked asked;
    enum dse_status status = read_asked(cli, &asked, err);
    if (status != DSE_OK)
        return status;
    if (dse_cli_value(cli, "combine") != NULL)
        return combine(cli, &asked, err);
    struct dse_workbench bench;
    struct dse_study *study = NULL;
    status = dse_workbench_open_bare(cli, &bench, err);
    if (status != DSE_OK)
        return status;
    status = open_study(cli, &bench, &asked, &study, err);
    if (status == DSE_OK)
        status = sweep_all(cli, &bench, &asked, study, err);
    dse_study_close(study);
    dse_workbench_close(&bench);
    return status;
}

static const struct dse_option options[] = {
    {.name = "objectives", .argument = "METRIC,…",
     .help = "what a better design has less of (more of throughput and quality; default latency,energy,bram18)"},
    {.name = "method", .argument = "exact|exhaustive|heuristic",
     .help = "exact merges fronts and proves the result (default); exhaustive visits every configuration; heuristic "
             "searches at random from --seed within --budget and proves nothing"},
    DSE_BUDGET_OPTION,
    DSE_STUDY_OPTIONS,
    DSE_ASKING_OPTIONS,
    DSE_COMBINE_OPTIONS,
    {.name = "top", .argument = "N", .help = "how many best designs to print (default 5)"},
    {.name = "front", .argument = "N", .help = "how many designs of the front a table shows (default 20)"},
    {.name = "describe", .help = "print the knobs with their domains and the size of the space, and stop"},
    DSE_WORKBENCH_OPTIONS,
};

const struct dse_command dse_cmd_sweep = {
    .name = "sweep",
    .summary = "explores a space of configurations and prints the best and the Pareto front",
    .operands = "",
    .details = "Hardware knobs take every value of their domains; algorithmic knobs the settings that the profile has "
               "measured, as long as their mean quality is within --quality-drop of the preset's. Every point of the "
               "front evaluates to the same numbers by `estimate`.\n\n"
               "With --study every finished part is kept in a file that survives whatever ends the program; --resume "
               "goes on from there, and --from FILE.db:ID gives a point to other commands.\n\n"
               "    nysx-dse sweep --board zcu104 --dataset MUTAG\n"
               "    nysx-dse sweep --dataset MUTAG --study mutag.db\n"
               "    nysx-dse sweep --dataset NCI1 --where 'dsp<=25% && latency<=0.5ms' --objectives energy,lut --format csv\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
