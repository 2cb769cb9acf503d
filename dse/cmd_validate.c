/* `nysx-dse validate`: models against simulation and against published figures, row by row, with errors. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/strbuf.h"
#include "dse/commands.h"
#include "dse/published_forms.h"
#include "dse/training.h"
#include "dse/validate_columns.h"
#include "dse/terminal.h"
#include "explore/workbench.h"
#include "reports/estimate.h"
#include "validation/validation.h"

#define CONFIGURATIONS 40

struct question {
    bool simulation, constants, published;
    int64_t configurations;
    double max_error; /* infinity without a threshold */
};

static enum dse_status read_question(const struct dse_cli *cli, struct question *q, struct dse_error *err)
{
    const char *against = dse_cli_value(cli, "against");
    bool all = against == NULL || strcmp(against, "all") == 0;
    q->simulation = (all && dse_cli_count(cli, "predict") == 0) || (against != NULL && strcmp(against, "simulation") == 0);
    q->constants = (all && dse_cli_count(cli, "predict") == 0) || (against != NULL && strcmp(against, "constants") == 0);
    q->published = all || strcmp(against, "published") == 0;
    if (!q->simulation && !q->constants && !q->published)
        return dse_fail(err, DSE_BAD_USAGE, "--against %s: must be simulation, constants, published or all", against);
    DSE_TRY(dse_cli_integer(cli, "configurations", 1, 100000, CONFIGURATIONS, &q->configurations, err));
    return dse_cli_real(cli, "max-error", 0.0, 1e9, INFINITY, &q->max_error, err);
}

static enum dse_status open_ground(const struct dse_cli *cli, struct dse_validation_data *figures,
                                   struct dse_validation_ground *g, struct dse_space **space, struct dse_board **board,
                                   struct dse_costs **costs, struct dse_error *err)
{
    const char *named = dse_cli_value(cli, "board");
    DSE_TRY(dse_training_executor(cli, &g->executor, err));
    g->family = dse_model_find(dse_cli_family(cli));
    if (g->family == NULL || g->executor->simulate == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: has no models or no simulation", dse_cli_family(cli));
    DSE_TRY(dse_validation_data_open(g->family->name, figures, err));
    DSE_TRY(dse_model_space(g->family, NULL, space, err));
    DSE_TRY(dse_board_open(named != NULL ? named : figures->board, board, err));
    DSE_TRY(dse_costs_for_board(*board, dse_cli_value(cli, "calibration"), costs, err));
    g->figures = figures;
    g->space = *space;
    g->board = *board;
    g->costs = *costs;
    g->seed = dse_cli_seed(cli);
    g->jobs = dse_cli_jobs(cli);
    g->monitor = dse_cli_monitor(cli);
    return DSE_OK;
}

static enum dse_status validate_dataset(const struct dse_cli *cli, const struct question *q, const char *name,
                                        struct dse_validation_ground *g, struct dse_validation *simulation,
                                        struct dse_error *err)
{
    struct dse_dataset *data = NULL;
    enum dse_status status = dse_dataset_open(name, dse_cli_value(cli, "data-dir"), &data, err);
    g->data = data;
    if (status == DSE_OK)
        status = dse_validate_simulation(g, (size_t)q->configurations, simulation, err);
    dse_dataset_free(data);
    return status;
}

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void rows_json(const char *family, const char *level, const struct dse_validation *v, json_t *array)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct dse_validation_row *row = &v->rows[i];
        json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:o, s:o, s:s}", "family", family, "what", row->what, "case",
                                   row->where, "predicted", row->predicted, "reference", number_or_null(row->reference),
                                   "error", number_or_null(row->error), "source", row->source);
        if (row->group != NULL)
            json_object_set_new(object, "bottleneck", json_string(row->group));
        json_object_set_new(object, "level", json_string(level));
        if (row->config != NULL)
            json_object_set_new(object, "config", json_string(row->config));
        dse_published_row_json(row, object);
        json_array_append_new(array, object);
    }
}

static json_t *summary_json(const struct dse_validation_summary *s, const char *against, const char *group)
{
    json_t *object = json_pack("{s:s, s:s, s:f, s:f, s:I, s:o}", "what", s->what, "against", against, "mean_abs_error",
                               s->mean_abs_error, "max_abs_error", s->max_abs_error, "n", (json_int_t)s->n, "tau",
                               number_or_null(s->tau));
    if (isfinite(s->mean_abs_error_designed))
        json_object_set_new(object, "mean_abs_error_as_designed", json_real(s->mean_abs_error_designed));
    if (group != NULL)
        json_object_set_new(object, "bottleneck", json_string(group));
    return object;
}

static enum dse_status summaries(const struct dse_validation *v, const char *against, const char *group, bool first_only,
                                 json_t *array, double *worst, struct dse_error *err)
{
    struct dse_validation_summary *list = NULL;
    size_t count = 0;
    enum dse_status status = dse_validation_summarise(v, group, &list, &count, err);
    for (size_t i = 0; status == DSE_OK && i < count && !(first_only && i > 0); i++) {
        json_array_append_new(array, summary_json(&list[i], against, group));
        *worst = fmax(*worst, list[i].mean_abs_error);
    }
    free(list);
    return status;
}

static const char *text_of(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static void add_csv_number(struct dse_strbuf *out, const json_t *row, const char *key, int digits)
{
    const json_t *value = json_object_get(row, key);
    if (json_is_number(value))
        dse_strbuf_printf(out, "%.*g", digits, json_number_value(value));
}

static void write_csv(json_t *rows, struct dse_strbuf *out)
{
    size_t i;
    json_t *row;
    dse_strbuf_add(out, "what,case,bottleneck,predicted,reference,error,breaks_floor,source,as_designed,level\n");
    json_array_foreach(rows, i, row)
    {
        dse_strbuf_printf(out, "%s,%s,%s,", text_of(row, "what"), text_of(row, "case"), text_of(row, "bottleneck"));
        add_csv_number(out, row, "predicted", 9);
        dse_strbuf_add(out, ",");
        add_csv_number(out, row, "reference", 9);
        dse_strbuf_add(out, ",");
        add_csv_number(out, row, "error", 6);
        dse_strbuf_printf(out, ",%s,\"%s\",", json_is_true(json_object_get(row, "breaks_floor")) ? "yes" : "no",
                          text_of(row, "source"));
        add_csv_number(out, row, "as_designed", 9);
        dse_strbuf_printf(out, ",%s\n", text_of(row, "level"));
    }
}

static void write_summary(json_t *summary, struct dse_strbuf *out)
{
    size_t i;
    json_t *row;
    dse_strbuf_printf(out, "\n%-11s %-16s %-10s %10s %10s %6s %5s %12s\n", "against", "what", "bottleneck", "mean error",
                      "worst", "tau", "n", "as designed");
    json_array_foreach(summary, i, row)
    {
        dse_strbuf_printf(out, "%-11s %-16s %-10s %8.2f %% %8.2f %%", text_of(row, "against"), text_of(row, "what"),
                          text_of(row, "bottleneck"), 100.0 * json_number_value(json_object_get(row, "mean_abs_error")),
                          100.0 * json_number_value(json_object_get(row, "max_abs_error")));
        const json_t *tau = json_object_get(row, "tau");
        if (json_is_number(tau))
            dse_strbuf_printf(out, " %6.3f", json_number_value(tau));
        else /* of a pool of different quantities, or of one row */
            dse_strbuf_add(out, "      -");
        dse_strbuf_printf(out, " %5d", (int)json_integer_value(json_object_get(row, "n")));
        const json_t *designed = json_object_get(row, "mean_abs_error_as_designed");
        if (json_is_number(designed))
            dse_strbuf_printf(out, " %10.2f %%", 100.0 * json_number_value(designed));
        dse_strbuf_add(out, "\n");
    }
}

/* What was found, and what it rests on. */
struct answer {
    struct dse_validation simulation, constants, published; /* a level each */
    struct dse_published_story story;
    double worst; /* of the summaries' mean errors */
};

/* All rows, level by level; of the simulation also the totals within each bottleneck's group. */
static enum dse_status all_summaries(const struct dse_validation_ground *g, struct answer *answer, json_t *array,
                                     struct dse_error *err)
{
    double groups = 0.0;
    DSE_TRY(summaries(&answer->simulation, "simulation", NULL, false, array, &answer->worst, err));
    for (size_t e = 0; e < g->family->engine_count; e++)
        DSE_TRY(summaries(&answer->simulation, "simulation", g->family->engines[e].name, true, array, &groups, err));
    DSE_TRY(summaries(&answer->constants, "constants", NULL, false, array, &answer->worst, err));
    DSE_TRY(summaries(&answer->published, "published", NULL, false, array, &answer->worst, err));
    json_t *pooled = dse_published_pooled_json(&answer->published);
    if (pooled != NULL)
        json_array_append_new(array, pooled);
    return DSE_OK;
}

static enum dse_status write_json(const struct dse_validation_ground *g, const struct answer *answer, json_t *rows,
                                  json_t *summary, json_t *fitted, struct dse_strbuf *text, struct dse_error *err)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:O, s:O}", "schema", "nysx-dse.validate/1", "family", g->family->name,
                               "board", g->board->name, "rows", rows, "summary", summary);
    if (object != NULL && answer->published.count > 0)
        dse_published_story_json(g->figures, &answer->story, object);
    if (object != NULL && fitted != NULL)
        json_object_set(object, "fitted", fitted);
    return dse_json_write(object, text, err);
}

static enum dse_status print(const struct dse_cli *cli, const struct dse_validation_ground *g, bool columns,
                             struct answer *answer, struct dse_error *err)
{
    json_t *rows = json_array(), *summary = json_array();
    struct dse_strbuf text = {0}, table = {0};
    struct dse_validate_columns_part part = {.rows = rows, .summary = summary, .table = &table};
    rows_json(g->family->name, "simulation", &answer->simulation, rows);
    rows_json(g->family->name, "constants", &answer->constants, rows);
    rows_json(g->family->name, "published", &answer->published, rows);
    enum dse_status status = all_summaries(g, answer, summary, err);
    json_t *shown = json_copy(summary); /* the columns' table has its own */
    if (status == DSE_OK && columns)
        status = dse_validate_columns_add(cli, &part, err);
    answer->worst = fmax(answer->worst, part.worst);
    if (status == DSE_OK && dse_cli_format(cli) == DSE_FORMAT_JSON) {
        status = write_json(g, answer, rows, summary, part.fitted, &text, err);
    } else if (status == DSE_OK && dse_cli_format(cli) == DSE_FORMAT_CSV) {
        write_csv(rows, &text);
    } else if (status == DSE_OK) { /* of simulated rows the table has the summary */
        dse_strbuf_add(&text, dse_strbuf_text(&table));
        dse_validation_rows_write(&answer->constants, &text);
        if (answer->published.count > 0)
            dse_published_write(g->figures, &answer->published, &answer->story, dse_terminal_width(), &text);
        write_summary(shown, &text);
    }
    if (status == DSE_OK)
        status = text.failed || table.failed ? dse_fail_memory(err) : dse_cli_print(cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    dse_strbuf_free(&table);
    json_decref(part.fitted);
    json_decref(shown);
    json_decref(rows);
    json_decref(summary);
    return status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    struct question q;
    struct dse_validation_data figures = {0};
    struct dse_validation_ground g = {0};
    struct answer answer = {.worst = 0.0};
    struct dse_space *space = NULL;
    struct dse_board *board = NULL;
    struct dse_costs *costs = NULL;
    bool done = false;
    enum dse_status status = dse_validate_columns(cli, &done, err);
    if (status != DSE_OK || done)
        return status;
    status = read_question(cli, &q, err);
    if (status == DSE_OK)
        status = open_ground(cli, &figures, &g, &space, &board, &costs, err);
    if (status == DSE_OK && q.simulation && dse_cli_count(cli, "dataset") == 0)
        status = dse_fail(err, DSE_BAD_USAGE, "needs --dataset: a data set's folder or file, or a name in --data-dir");
    for (size_t i = 0; q.simulation && i < dse_cli_count(cli, "dataset") && status == DSE_OK; i++)
        status = validate_dataset(cli, &q, dse_cli_value_at(cli, "dataset", i), &g, &answer.simulation, err);
    if (status == DSE_OK && q.constants)
        status = dse_validate_constants(&answer.constants, err);
    if (status == DSE_OK && q.published && g.family->quantity != NULL)
        status = dse_published_run(cli, &g, &answer.published, &answer.story, err);
    if (status == DSE_OK)
        status = print(cli, &g, q.published, &answer, err);
    if (status == DSE_OK && answer.worst > q.max_error)
        status = dse_fail(err, DSE_ANSWER_NO, "a mean error of %.4g is above --max-error %.4g", answer.worst, q.max_error);
    dse_validation_free(&answer.simulation);
    dse_validation_free(&answer.constants);
    dse_validation_free(&answer.published);
    dse_validation_data_free(&figures);
    dse_space_free(space);
    dse_board_free(board);
    dse_costs_free(costs);
    return status;
}

static const struct dse_option options[] = {
    {.name = "against", .argument = "simulation|constants|published|all", .help = "what to hold the models against (default: all)"},
    {.name = "configurations", .argument = "N", .help = "random configurations a data set for the simulation (default: 40)"},
    {.name = "predict", .argument = "NAME,NAME …", .repeatable = true,
     .help = "data sets to predict the published figures of, withheld ones too; without --dataset these alone"},
    {.name = "max-error", .argument = "X", .help = "exit with 1 where a summary's mean error (a share) is larger"},
    {.name = "calibration", .argument = "FILE.xml", .help = "cost factors fitted by `calibrate`"},
};

const struct dse_command dse_cmd_validate = {
    .name = "validate",
    .summary = "models against simulation and against published figures, row by row, with errors",
    .operands = "",
    .details = "Against the simulation the models get the workload of the training graphs and are held against the graphs "
               "kept out, over random configurations (--seed) with every engine as the bottleneck as far as it can be; that is "
               "self-consistency. Published figures are predicted in two columns: as designed, without a fitted constant, and "
               "as published, with two constants fitted on the other sets. A latency below what the publication's own "
               "bandwidth allows is said to be. --against constants holds the cost libraries against synthesis reports of others' "
               "designs. The three levels are never mixed in one number.\n"
               "  nysx-dse validate --against simulation --dataset MUTAG.zip --configurations 100\n"
               "  nysx-dse validate --against published --data-dir DIR\n"
               "  nysx-dse validate --against published --predict COX2,NCI109,Mutagenicity --data-dir DIR\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
