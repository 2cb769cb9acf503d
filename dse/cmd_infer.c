/* `nysx-dse infer`: runs a trained model over graphs. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "core/units.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "dse/training.h"
#include "executor/npz.h"

static double per_item(const struct dse_inference *result)
{
    return result->count > 0 ? result->seconds / (double)result->count : 0.0;
}

/* A number by as few digits as bring it back. */
static void add_number(struct dse_strbuf *out, double value)
{
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    dse_strbuf_printf(out, ",%s", text);
}

static enum dse_status write_predictions(const char *path, const struct dse_executor *executor,
                                         const struct dse_inference *result, struct dse_error *err)
{
    struct dse_strbuf out = {0};
    dse_strbuf_printf(&out, "%s,label,predicted\n", executor->kind->item);
    for (size_t i = 0; i < result->count; i++) {
        dse_strbuf_printf(&out, "%zu", result->item[i]);
        if (result->label != NULL) {
            dse_strbuf_printf(&out, ",%" PRId64 ",%" PRId64, result->label[i], result->predicted[i]);
        } else {
            add_number(&out, result->target[i]);
            add_number(&out, result->estimate[i]);
        }
        dse_strbuf_add(&out, "\n");
    }
    enum dse_status status = out.failed ? dse_fail_memory(err)
                                        : dse_file_write(path, dse_strbuf_text(&out), out.length, err);
    dse_strbuf_free(&out);
    return status;
}

/* A NumPy file with one row of −1 and +1 for each graph, in the order of the predictions. */
static enum dse_status write_hypervectors(const char *path, const struct dse_executor *executor,
                                          const struct dse_inference *result, struct dse_error *err)
{
    struct dse_npz_writer *file;
    size_t shape[2] = {result->count, result->dim};
    if (result->hypervector == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--hypervectors: the family %s gives none", executor->family);
    DSE_TRY(dse_npz_begin(&file, err));
    int64_t *items = dse_npz_add(file, executor->kind->item, "<i8", 8, 1, shape);
    for (size_t i = 0; items != NULL && i < result->count; i++) {
        int64_t item = (int64_t)result->item[i];
        memcpy(items + i, &item, sizeof item);
    }
    dse_npz_add_copy(file, "hypervectors", "|i1", 1, 2, shape, result->hypervector);
    return dse_npz_finish(file, path, err);
}

static void write_json(struct dse_strbuf *out, const struct dse_executor *executor, const char *model,
                       const struct dse_dataset *data, const struct dse_inference *result)
{
    char time[64];
    snprintf(time, sizeof time, "s_per_%s", executor->kind->item);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:f, s:f}", "schema", "nysx-dse.infer/1",
                               "family", executor->family, "dataset", data->name, "model", model,
                               executor->quality_name, result->quality, "n_train", (json_int_t)result->n_train,
                               "n_test", (json_int_t)result->count, "seconds", result->seconds, time,
                               per_item(result));
    dse_training_figures_json(object, result->figures, result->figure_count);
    char *text = json_dumps(object, JSON_INDENT(1));
    json_decref(object);
    dse_strbuf_printf(out, "%s\n", text != NULL ? text : "");
    out->failed = out->failed || text == NULL;
    free(text);
}

static void write_csv(struct dse_strbuf *out, const struct dse_executor *executor, const struct dse_dataset *data,
                      const struct dse_inference *result)
{
    dse_strbuf_printf(out, "dataset,n_test,%s,seconds,s_per_%s", executor->quality_name, executor->kind->item);
    for (size_t i = 0; i < result->figure_count; i++)
        dse_strbuf_printf(out, ",%s", result->figures[i].name);
    dse_strbuf_printf(out, "\n%s,%zu,%.17g,%.6g,%.6g", data->name, result->count, result->quality, result->seconds,
                      per_item(result));
    for (size_t i = 0; i < result->figure_count; i++)
        dse_strbuf_printf(out, ",%.17g", result->figures[i].value);
    dse_strbuf_add(out, "\n");
}

static void write_table(struct dse_strbuf *out, const struct dse_executor *executor, const struct dse_dataset *data,
                        const struct dse_inference *result)
{
    char time[32];
    dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, per_item(result));
    dse_strbuf_printf(out, "%s: %zu %s, %s %.4f", data->name, result->count, executor->kind->items, executor->quality_name,
                      result->quality);
    dse_training_figures_text(out, result->figures, result->figure_count);
    dse_strbuf_printf(out, ", %s a %s", time, executor->kind->item);
    dse_training_verdict_text(out, result->quality, result->figures, result->figure_count);
    dse_strbuf_add(out, "\n");
}

static enum dse_status print_result(const struct dse_cli *cli, const struct dse_executor *executor,
                                    const struct dse_dataset *data, const struct dse_inference *result,
                                    struct dse_error *err)
{
    struct dse_strbuf out = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        write_json(&out, executor, dse_cli_value(cli, "model"), data, result);
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        write_csv(&out, executor, data, result);
    else
        write_table(&out, executor, data, result);
    return dse_output_text(cli, DSE_OK, &out, err);
}

static enum dse_status infer(const struct dse_cli *cli, const struct dse_executor *executor,
                             const struct dse_model *model, const struct dse_dataset *data,
                             struct dse_error *err)
{
    struct dse_run run = {.seed = dse_cli_seed(cli), .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli)};
    struct dse_inference result = {0};
    const char *predictions = dse_cli_value(cli, "predictions");
    int64_t batch = 0;
    enum dse_status status = dse_cli_integer(cli, "batch", 1, 4096, 0, &batch, err);
    const char *hypervectors = dse_cli_value(cli, "hypervectors");
    run.batch = (size_t)batch;
    run.hypervectors = hypervectors != NULL;
    if (status == DSE_OK)
        status = executor->infer(model, data, &run, &result, err);
    if (status == DSE_OK && hypervectors != NULL)
        status = write_hypervectors(hypervectors, executor, &result, err);
    if (status == DSE_OK && predictions != NULL)
        status = write_predictions(predictions, executor, &result, err);
    if (status == DSE_OK)
        status = print_result(cli, executor, data, &result, err);
    dse_inference_free(&result);
    return status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_executor *executor = NULL;
    struct dse_dataset *data = NULL;
    struct dse_model *model = NULL;
    const char *path = dse_cli_value(cli, "model");
    if (path == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "needs --model FILE.npz");
    const char *predictions = dse_cli_value(cli, "predictions"), *hypervectors = dse_cli_value(cli, "hypervectors");
    enum dse_status status = dse_cli_apart(cli, "predictions", err);
    if (status == DSE_OK)
        status = dse_cli_apart(cli, "hypervectors", err);
    if (status == DSE_OK && predictions != NULL && hypervectors != NULL && dse_file_same(predictions, hypervectors))
        status = dse_fail(err, DSE_BAD_USAGE, "--hypervectors %s: is the file of --predictions, and one would replace the other",
                          hypervectors);
    if (status == DSE_OK)
        status = dse_training_executor(cli, &executor, err);
    /* The data first: what reading them took is free again when the model comes. */
    if (status == DSE_OK)
        status = dse_training_dataset(cli, NULL, &data, err);
    if (status == DSE_OK)
        status = dse_model_load(executor, path, &model, err);
    if (status == DSE_OK)
        status = infer(cli, executor, model, data, err);
    dse_dataset_free(data);
    if (executor != NULL)
        dse_model_free(model);
    return status;
}

static const struct dse_option options[] = {
    {.name = "model", .argument = "FILE.npz", .help = "the model that `train` wrote"},
    DSE_TARGET_OPTION,
    {.name = "batch", .argument = "N", .help = "items that share a pass over the projection (default: nysx 1, hydraf 64)"},
    {.name = "predictions", .argument = "FILE.csv", .written = true,
     .help = "write each item's index, label and prediction there"},
    {.name = "hypervectors", .argument = "FILE.npz", .written = true,
     .help = "write each graph's hypervector there, of -1 and +1, as a NumPy array"},
};

const struct dse_command dse_cmd_infer = {
    .name = "infer",
    .summary = "run a trained model over a data set: predictions, quality, time",
    .operands = "",
    .details =
        "Over the data that the model was trained on, the part held out is run; over other data everything.\n"
        "  nysx-dse infer --model mutag.npz --dataset MUTAG.zip --predictions mutag.csv\n"
        "  nysx-dse infer --family hydraf --model airfoil.npz --dataset airfoil_self_noise.dat\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
