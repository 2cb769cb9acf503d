/* `nysx-dse simulate`: a model over graphs, through the engines cycle by cycle. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/strbuf.h"
#include "core/units.h"
#include "devices/board.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "explore/point.h"
#include "dse/training.h"

/* What is said of a list of cycles. */
struct spread {
    double mean;
    uint64_t p50, p95, p99, most;
};

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Percentiles by nearest rank; sorts the list. */
static struct spread spread_of(uint64_t *cycles, size_t count)
{
    struct spread spread = {0};
    if (count == 0)
        return spread;
    for (size_t i = 0; i < count; i++)
        spread.mean += (double)cycles[i];
    spread.mean /= (double)count;
    qsort(cycles, count, sizeof *cycles, ascending);
    spread.p50 = cycles[(50 * count + 99) / 100 - 1];
    spread.p95 = cycles[(95 * count + 99) / 100 - 1];
    spread.p99 = cycles[(99 * count + 99) / 100 - 1];
    spread.most = cycles[count - 1];
    return spread;
}

static json_t *spread_json(const struct spread *spread)
{
    return json_pack("{s:f, s:I, s:I, s:I, s:I}", "cycles_mean", spread->mean, "cycles_p50",
                     (json_int_t)spread->p50, "cycles_p95", (json_int_t)spread->p95, "cycles_p99",
                     (json_int_t)spread->p99, "cycles_max", (json_int_t)spread->most);
}

static json_t *engine_json(const struct dse_simulated_engine *engine, const struct spread *spread)
{
    json_t *object = spread_json(spread), *counts = json_object();
    json_object_set_new(object, "name", json_string(engine->name));
    json_object_set_new(object, "stage", json_string(engine->stage));
    for (size_t i = 0; i < engine->count_count; i++)
        json_object_set_new(counts, engine->counts[i].name, json_real(engine->counts[i].mean));
    json_object_set_new(object, "waiting_cycles", json_real(engine->waiting_cycles));
    json_object_set_new(object, "counts", counts);
    return object;
}

static json_t *stages_json(struct dse_simulation *result)
{
    json_t *stages = json_array();
    for (size_t i = 0; i < result->stage_count; i++) {
        struct spread spread = spread_of(result->stages[i].cycles, result->items);
        json_t *object = spread_json(&spread);
        json_object_set_new(object, "name", json_string(result->stages[i].name));
        json_array_append_new(stages, object);
    }
    return stages;
}

static void write_json(struct dse_strbuf *out, const struct dse_executor *executor, const struct dse_board *board,
                       const struct dse_dataset *data, struct dse_simulation *result)
{
    json_t *engines = json_array();
    for (size_t i = 0; i < result->engine_count; i++) {
        struct spread spread = spread_of(result->engines[i].cycles, result->items);
        json_array_append_new(engines, engine_json(&result->engines[i], &spread));
    }
    struct spread total = spread_of(result->total, result->items);
    json_t *totals = spread_json(&total);
    json_object_set_new(totals, "latency_s", json_real(total.mean / result->clock_hz));
    json_object_set_new(totals, "latency_p99_s", json_real((double)total.p99 / result->clock_hz));
    char equal[64];
    snprintf(equal, sizeof equal, "%s_equal", executor->compared);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:o, s:o, s:o}", "schema", "nysx-dse.simulate/1",
                               "family", executor->family, "board", board->name, "dataset", data->name,
                               executor->kind->items, (json_int_t)result->items, equal, (json_int_t)result->equal,
                               executor->quality_name, result->quality, "clock_hz", result->clock_hz, "engines",
                               engines, "stages", stages_json(result), "total", totals);
    char *text = json_dumps(object, JSON_INDENT(1));
    json_decref(object);
    dse_strbuf_printf(out, "%s\n", text != NULL ? text : "");
    out->failed = out->failed || text == NULL;
    free(text);
}

static void write_line(struct dse_strbuf *out, bool csv, const char *name, const char *stage,
                       const struct spread *s)
{
    dse_strbuf_printf(out, csv ? "%s,%s,%.17g,%llu,%llu,%llu,%llu" : "%-8s %-12s %12.0f %10llu %10llu %10llu %10llu",
                      name, stage, s->mean, (unsigned long long)s->p50, (unsigned long long)s->p95,
                      (unsigned long long)s->p99, (unsigned long long)s->most);
}

static void write_text(struct dse_strbuf *out, bool csv, const struct dse_executor *executor,
                       const struct dse_board *board,
                       const struct dse_dataset *data, struct dse_simulation *result)
{
    if (csv)
        dse_strbuf_add(out, "engine,stage,cycles_mean,cycles_p50,cycles_p95,cycles_p99,cycles_max,waiting_cycles\n");
    else
        dse_strbuf_printf(out, "%s on %s: %zu %s, %s %.4f, %zu %s equal to infer's\n%-8s %-12s %12s %10s %10s %10s %10s %10s\n",
                          data->name, board->name, result->items, executor->kind->items, executor->quality_name,
                          result->quality, result->equal, executor->compared, "engine", "stage", "mean cycles", "p50",
                          "p95", "p99", "max", "waits");
    for (size_t i = 0; i < result->engine_count; i++) {
        const struct dse_simulated_engine *engine = &result->engines[i];
        struct spread spread = spread_of(engine->cycles, result->items);
        write_line(out, csv, engine->name, engine->stage, &spread);
        if (csv)
            dse_strbuf_printf(out, ",%.17g", engine->waiting_cycles);
        else
            dse_strbuf_printf(out, " %10.0f ", engine->waiting_cycles);
        for (size_t k = 0; !csv && k < engine->count_count; k++)
            dse_strbuf_printf(out, "  %s %.6g", engine->counts[k].name, engine->counts[k].mean);
        dse_strbuf_add_char(out, '\n', 1);
    }
    for (size_t i = 0; i < result->stage_count; i++) {
        struct spread spread = spread_of(result->stages[i].cycles, result->items);
        write_line(out, csv, "", result->stages[i].name, &spread);
        dse_strbuf_add(out, csv ? ",\n" : "\n");
    }
    struct spread total = spread_of(result->total, result->items);
    write_line(out, csv, "total", "", &total);
    dse_strbuf_add(out, csv ? "," : "");
    char time[32];
    dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, total.mean / result->clock_hz);
    if (!csv)
        dse_strbuf_printf(out, "  %s at %.0f MHz", time, result->clock_hz / 1e6);
    dse_strbuf_add_char(out, '\n', 1);
}

static enum dse_status print(const struct dse_cli *cli, const struct dse_executor *executor,
                             const struct dse_board *board, const struct dse_dataset *data,
                             struct dse_simulation *result, struct dse_error *err)
{
    struct dse_strbuf out = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        write_json(&out, executor, board, data, result);
    else
        write_text(&out, dse_cli_format(cli) == DSE_FORMAT_CSV, executor, board, data, result);
    return dse_output_text(cli, DSE_OK, &out, err);
}

/* The point's knobs and board; what of them the model decides must be as the model has it, which `simulate` sees to. */
static enum dse_status read_point(const struct dse_cli *cli, const struct dse_executor *executor,
                                  struct dse_setting *knobs, struct dse_board **board, struct dse_error *err)
{
    struct dse_stored from;
    if (dse_cli_value(cli, "from") == NULL)
        return DSE_OK;
    enum dse_status status = dse_stored_open(dse_cli_request(cli), &from, err);
    if (status == DSE_OK)
        status = dse_training_of_family(cli, &from, executor, err);
    for (size_t i = 0; status == DSE_OK && i < from.config.count; i++)
        status = dse_setting_put(knobs, from.config.pairs[i].name, from.config.pairs[i].value, err);
    if (status == DSE_OK && dse_cli_value(cli, "board") == NULL) {
        *board = from.board;
        from.board = NULL;
    }
    dse_stored_free(&from);
    return status;
}

static enum dse_status simulate(const struct dse_cli *cli, const struct dse_executor *executor,
                                const struct dse_model *model, struct dse_error *err)
{
    struct dse_setting knobs = {0};
    struct dse_dataset *data = NULL;
    struct dse_board *board = NULL;
    const char *name = dse_cli_value(cli, "board");
    struct dse_run run = {.seed = dse_cli_seed(cli), .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli)};
    enum dse_status status = read_point(cli, executor, &knobs, &board, err);
    if (status == DSE_OK)
        status = dse_training_assign(cli, NULL, &knobs, err);
    if (status == DSE_OK && board == NULL)
        status = dse_board_open(name != NULL ? name : executor->board, &board, err);
    if (status == DSE_OK)
        status = dse_training_dataset(cli, NULL, &data, err);
    if (status == DSE_OK) {
        struct dse_simulation result;
        status = dse_simulate(model, data, &knobs, board, &run, &result, err);
        if (status == DSE_OK)
            status = print(cli, executor, board, data, &result, err);
        dse_simulation_free(&result);
    }
    dse_setting_free(&knobs);
    dse_dataset_free(data);
    dse_board_free(board);
    return status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_executor *executor = NULL;
    struct dse_model *model = NULL;
    if (dse_cli_value(cli, "model") == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "needs --model FILE.npz");
    enum dse_status status = dse_training_executor(cli, &executor, err);
    if (status == DSE_OK && executor->simulate == NULL)
        status = dse_fail(err, DSE_BAD_USAGE, "--family %s: has no simulation", executor->family);
    if (status == DSE_OK)
        status = dse_model_load(executor, dse_cli_value(cli, "model"), &model, err);
    if (status == DSE_OK)
        status = simulate(cli, executor, model, err);
    if (model != NULL)
        dse_model_free(model);
    return status;
}

static const struct dse_option options[] = {
    {.name = "model", .argument = "FILE.npz", .help = "the model that `train` wrote"},
    {.name = "set", .argument = "KNOB=VALUE", .repeatable = true,
     .help = "a hardware knob of the configuration (default: that of --from, or the paper's design)"},
    {.name = "from", .argument = "STUDY:POINT",
     .help = "the hardware of a study's point, and its board where none is named; the model must be of its setting"},
};

const struct dse_command dse_cmd_simulate = {
    .name = "simulate",
    .summary = "run a model over a data set through the engines of a configuration, cycle by cycle",
    .operands = "",
    .details =
        "Cycles of each engine over what `infer` would run, with what they waited for. The board (default: that of the "
        "family's paper) gives the memory.\n"
        "  nysx-dse simulate --model mutag.npz --dataset MUTAG.zip --set lshu.pe=8 --set nee.lanes=32\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
