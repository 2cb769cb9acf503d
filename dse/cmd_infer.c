/* `nysx-dse infer`: runs a trained model over graphs. */
#include "core/file.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "dse/training.h"
#include "reports/training.h"

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
    const struct dse_inference_report report = {executor, data, dse_cli_value(cli, "model"), &result};
    struct dse_strbuf out = {0};
    if (status == DSE_OK)
        status = executor->infer(model, data, &run, &result, err);
    if (status == DSE_OK && hypervectors != NULL)
        status = dse_inference_write_hypervectors(&report, hypervectors, err);
    if (status == DSE_OK && predictions != NULL)
        status = dse_inference_write_answers(&report, predictions, err);
    if (status == DSE_OK)
        dse_inference_write(&report, dse_cli_format(cli), &out);
    status = dse_output_text(cli, status, &out, err);
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
    DSE_ENTITIES_OPTION,
    {.name = "batch", .argument = "N", .help = "items that share a pass over the projection (default: the family's own number)"},
    {.name = "predictions", .argument = "FILE.csv", .written = true,
     .help = "write each item's index, label and prediction there"},
    {.name = "hypervectors", .argument = "FILE.npz", .written = true,
     .help = "write each graph's hypervector there, of -1 and +1, its classes' scores and its class, as NumPy arrays"},
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
