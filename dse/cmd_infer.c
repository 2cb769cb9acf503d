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
    const char *predictions = dse_cli_value(cli, "predictions"), *hypervectors = dse_cli_value(cli, "hypervectors");
    struct dse_run run = {.seed = dse_cli_seed(cli), .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli), .margins = true, .hypervectors = hypervectors != NULL};
    struct dse_inference result DSE_CLEANUP(dse_inference_free) = {0};
    int64_t batch = 0;
    DSE_TEXT(out);
    DSE_TRY(dse_cli_integer(cli, "batch", 1, 4096, 0, &batch, err));
    run.batch = (size_t)batch;
    const struct dse_inference_report report = {executor, data, dse_cli_value(cli, "model"), &result};
    DSE_TRY(executor->infer(model, data, &run, &result, err));
    if (model->dataset_hash != data->hash)
        dse_cli_note(cli, "the model was trained on %s, not %s: every %s was run, not a held-out part", model->dataset, data->name, executor->kind->item);
    else if (model->split.n_test == 0)
        dse_cli_note(cli, "the model was trained on every %s of %s: the figures are those of training data", executor->kind->item, data->name);
    if (hypervectors != NULL)
        DSE_TRY(dse_inference_write_hypervectors(&report, hypervectors, err));
    if (predictions != NULL)
        DSE_TRY(dse_inference_write_answers(&report, predictions, err));
    dse_inference_write(&report, dse_cli_format(cli), &out);
    return dse_output_text(cli, &out, err);
}

enum dse_status dse_run_infer(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_executor *executor = NULL;
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    struct dse_model *model DSE_CLEANUP(dse_model_free_at) = NULL;
    const char *path = dse_cli_value(cli, "model");
    DSE_TRY(dse_training_executor(cli, &executor, err));
    if (path == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "needs --model FILE.npz, which `train` writes");
    /* Reads the data first: the memory used for reading them is free again when the model is loaded. */
    DSE_TRY(dse_training_dataset(cli, NULL, &data, err));
    DSE_TRY(dse_model_load(executor, path, &model, err));
    dse_model_rank(model, data);
    return infer(cli, executor, model, data, err);
}
