/* `nysx-dse train`: trains a model and says how well it classifies. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/strbuf.h"
#include "core/units.h"
#include "dse/commands.h"
#include "dse/training.h"
#include "executor/measure.h"

/* All runs of one command: seeds × folds. */
struct runs {
    size_t seeds, folds;
    struct dse_training *result; /* [seeds × folds], fold innermost */
    double mean, deviation, seconds, s_per_item;
    struct dse_figure figures[DSE_FIGURES]; /* their means */
};

static size_t run_count(const struct runs *runs)
{
    return runs->seeds * runs->folds;
}

/* Mean and sample deviation of the quality; mean figures and times. */
static void summarise(const struct dse_executor *executor, struct runs *runs)
{
    struct dse_measured measured;
    dse_measured_summarise(executor, runs->result, run_count(runs), &measured);
    runs->mean = measured.mean;
    runs->deviation = measured.std;
    runs->seconds = measured.seconds;
    memcpy(runs->figures, measured.figures, sizeof runs->figures);
    for (size_t i = 0; i < run_count(runs); i++)
        runs->s_per_item += runs->result[i].s_per_item / (double)run_count(runs);
}

static enum dse_status train_all(const struct dse_cli *cli, const struct dse_executor *executor,
                                 const struct dse_dataset *data, const struct dse_setting *setting,
                                 struct runs *runs, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "output");
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < run_count(runs); i++) {
        struct dse_run run = {.seed = dse_cli_seed(cli) + i / runs->folds, .jobs = dse_cli_jobs(cli),
                              .monitor = dse_cli_monitor(cli), .folds = runs->folds, .fold = i % runs->folds};
        struct dse_model *model = NULL;
        status = dse_train(executor, data, setting, &run, &model, &runs->result[i], err);
        if (status == DSE_OK && path != NULL)
            status = dse_model_save(model, path, err);
        dse_model_free(model);
    }
    return status;
}

static void write_table(struct dse_strbuf *out, const struct dse_cli *cli, const struct dse_executor *executor,
                        const struct dse_dataset *data,
                        const struct dse_setting *setting, const struct runs *runs)
{
    const struct dse_training *first = &runs->result[0];
    char time[32], per_graph[32];
    dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, runs->seconds);
    dse_quantity_format(per_graph, sizeof per_graph, DSE_DIMENSION_TIME, runs->s_per_item);
    dse_strbuf_printf(out, "%s: %zu %s to train, %zu held out\n", data->name, first->n_train, executor->kind->items, first->n_test);
    dse_strbuf_add(out, "setting ");
    for (size_t i = 0; i < setting->count; i++)
        dse_strbuf_printf(out, " %s=%s", setting->pairs[i].name, setting->pairs[i].value);
    dse_strbuf_add_char(out, '\n', 1);
    for (size_t i = 0; i < run_count(runs); i++) {
        dse_strbuf_printf(out, "seed %llu", (unsigned long long)(dse_cli_seed(cli) + i / runs->folds));
        if (runs->folds > 1)
            dse_strbuf_printf(out, "  fold %zu of %zu", i % runs->folds + 1, runs->folds);
        dse_strbuf_printf(out, "  %s %.4f  (training part %.4f)", runs->result[i].quality_name,
                          runs->result[i].quality, runs->result[i].train_quality);
        dse_training_figures_text(out, runs->result[i].figures, runs->result[i].figure_count);
        dse_training_verdict_text(out, runs->result[i].quality, runs->result[i].figures, runs->result[i].figure_count);
        dse_strbuf_add(out, "\n");
    }
    if (run_count(runs) > 1) {
        dse_strbuf_printf(out, "mean %.4f, standard deviation %.4f over %zu runs", runs->mean, runs->deviation,
                          run_count(runs));
        dse_training_figures_text(out, runs->figures, first->figure_count);
        dse_training_verdict_text(out, runs->mean, runs->figures, first->figure_count);
        dse_strbuf_add(out, "\n");
    }
    dse_strbuf_printf(out, "trained in %s; inference %s a %s\n", time, per_graph, executor->kind->item);
}

static void write_csv(struct dse_strbuf *out, const struct dse_cli *cli, const struct dse_executor *executor,
                      const struct dse_dataset *data, const struct runs *runs)
{
    dse_strbuf_printf(out, "dataset,seed,fold,quality,train_quality,n_train,n_test,seconds,s_per_%s", executor->kind->item);
    for (size_t i = 0; i < runs->result[0].figure_count; i++)
        dse_strbuf_printf(out, ",%s", runs->result[0].figures[i].name);
    dse_strbuf_add(out, "\n");
    for (size_t i = 0; i < run_count(runs); i++) {
        const struct dse_training *r = &runs->result[i];
        dse_strbuf_printf(out, "%s,%llu,%zu,%.17g,%.17g,%zu,%zu,%.6g,%.6g", data->name,
                          (unsigned long long)(dse_cli_seed(cli) + i / runs->folds), i % runs->folds, r->quality,
                          r->train_quality, r->n_train, r->n_test, r->seconds, r->s_per_item);
        for (size_t f = 0; f < r->figure_count; f++)
            dse_strbuf_printf(out, ",%.17g", r->figures[f].value);
        dse_strbuf_add(out, "\n");
    }
}

static void write_json(struct dse_strbuf *out, const struct dse_cli *cli, const struct dse_executor *executor,
                       const struct dse_dataset *data, const struct dse_setting *setting,
                       const struct runs *runs)
{
    const struct dse_training *first = &runs->result[0];
    char name[64], time[64];
    snprintf(time, sizeof time, "s_per_%s", executor->kind->item);
    json_t *list = json_array();
    json_t *object = json_pack("{s:s, s:s, s:s, s:I, s:o, s:f, s:f, s:I, s:I, s:f, s:f}", "schema",
                               "nysx-dse.train/1", "family", executor->family, "dataset", data->name, "seed",
                               (json_int_t)dse_cli_seed(cli), "setting",
                               dse_training_setting_json(executor, setting), first->quality_name,
                               run_count(runs) > 1 ? runs->mean : first->quality, "train_quality",
                               first->train_quality, "n_train", (json_int_t)first->n_train, "n_test",
                               (json_int_t)first->n_test, "seconds", runs->seconds, time,
                               runs->s_per_item);
    dse_training_figures_json(object, runs->figures, first->figure_count);
    for (size_t i = 0; i < run_count(runs); i++) {
        json_t *one = json_pack("{s:I, s:I, s:f, s:f}", "seed", (json_int_t)(dse_cli_seed(cli) + i / runs->folds),
                                "fold", (json_int_t)(i % runs->folds), first->quality_name, runs->result[i].quality,
                                "train_quality", runs->result[i].train_quality);
        dse_training_figures_json(one, runs->result[i].figures, runs->result[i].figure_count);
        json_array_append_new(list, one);
    }
    if (run_count(runs) > 1) {
        snprintf(name, sizeof name, "%s_mean", first->quality_name);
        json_object_set_new(object, name, json_real(runs->mean));
        snprintf(name, sizeof name, "%s_std", first->quality_name);
        json_object_set_new(object, name, json_real(runs->deviation));
    }
    json_object_set_new(object, "runs", list);
    char *text = json_dumps(object, JSON_INDENT(1));
    json_decref(object);
    dse_strbuf_printf(out, "%s\n", text != NULL ? text : "");
    out->failed = out->failed || text == NULL;
    free(text);
}

/* -o names the model, so the result always goes to standard output. */
static enum dse_status print_runs(const struct dse_cli *cli, const struct dse_executor *executor,
                                  const struct dse_dataset *data, const struct dse_setting *setting,
                                  const struct runs *runs, struct dse_error *err)
{
    struct dse_strbuf out = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        write_json(&out, cli, executor, data, setting, runs);
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        write_csv(&out, cli, executor, data, runs);
    else
        write_table(&out, cli, executor, data, setting, runs);
    enum dse_status status = out.failed ? dse_fail_memory(err) : DSE_OK;
    if (status == DSE_OK && (fputs(dse_strbuf_text(&out), stdout) < 0 || fflush(stdout) != 0))
        status = dse_fail_errno(err, DSE_LIMIT, "standard output", "write", errno);
    dse_strbuf_free(&out);
    return status;
}

static enum dse_status train(const struct dse_cli *cli, const struct dse_executor *executor,
                             const struct dse_dataset *data, const struct dse_stored *from, struct runs *runs,
                             struct dse_error *err)
{
    struct dse_setting setting;
    DSE_TRY(dse_training_setting(cli, executor, data, runs->folds, from, &setting, err));
    runs->result = calloc(run_count(runs), sizeof *runs->result);
    enum dse_status status = runs->result == NULL ? dse_fail_memory(err)
                                                  : train_all(cli, executor, data, &setting, runs, err);
    if (status == DSE_OK) {
        summarise(executor, runs);
        status = print_runs(cli, executor, data, &setting, runs, err);
    }
    free(runs->result);
    dse_setting_free(&setting);
    return status;
}

/* With the point of --from, which names the data set where no --dataset does: `from` is NULL without it. */
static enum dse_status train_on(const struct dse_cli *cli, const struct dse_executor *executor, const struct dse_stored *from,
                                struct runs *runs, struct dse_error *err)
{
    struct dse_dataset *data = NULL;
    const char *known = from != NULL && from->profile_count == 1 ? from->profiles[0]->dataset : NULL;
    enum dse_status status = from != NULL ? dse_training_of_family(cli, from, executor, err) : DSE_OK;
    if (status == DSE_OK)
        status = dse_training_dataset(cli, known, &data, err);
    if (status == DSE_OK)
        status = train(cli, executor, data, from, runs, err);
    dse_dataset_free(data);
    return status;
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    int64_t folds = 1, seeds = 1;
    const struct dse_executor *executor = NULL;
    struct dse_stored from;
    DSE_TRY(dse_cli_integer(cli, "folds", 2, 1000, 1, &folds, err));
    DSE_TRY(dse_cli_integer(cli, "seeds", 1, 100000, 1, &seeds, err));
    if (folds * seeds > 1 && dse_cli_flag(cli, "output"))
        return dse_fail(err, DSE_BAD_USAGE, "-o %s: one file cannot hold the models of several folds or seeds",
                        dse_cli_value(cli, "output"));
    if (dse_cli_flag(cli, "from") && dse_cli_flag(cli, "preset"))
        return dse_fail(err, DSE_BAD_USAGE, "--preset %s: beside --from %s, and only one can hold", dse_cli_value(cli, "preset"),
                        dse_cli_value(cli, "from"));
    DSE_TRY(dse_training_executor(cli, &executor, err));
    struct runs runs = {.seeds = (size_t)seeds, .folds = (size_t)folds};
    if (!dse_cli_flag(cli, "from"))
        return train_on(cli, executor, NULL, &runs, err);
    enum dse_status status = dse_stored_open(dse_cli_request(cli), &from, err);
    if (status == DSE_OK)
        status = train_on(cli, executor, &from, &runs, err);
    dse_stored_free(&from);
    return status;
}

static const struct dse_option options[] = {
    {.name = "preset", .argument = "NAME",
     .help = "the setting to start from: paper (the default), what the family's paper ran; nysx has best, what is recommended where "
             "nothing was measured"},
    {.name = "from", .argument = "STUDY:POINT",
     .help = "the setting of a study's point to start from, on the study's data set where none is named"},
    {.name = "set", .argument = "KNOB=VALUE", .repeatable = true,
     .help = "a parameter by its knob's name, as --set has it elsewhere: nee.precision=int8 is --precision int8"},
    {.name = "folds", .argument = "K", .help = "cross-validation over K folds instead of one 80/20 split"},
    DSE_TARGET_OPTION,
    {.name = "seeds", .argument = "N", .help = "train with N seeds from --seed on; mean and deviation"},
};

const struct dse_command dse_cmd_train = {
    .name = "train",
    .summary = "train a model on a data set and measure it on the part held out",
    .operands = "",
    .details =
        "Starts from a preset; every parameter given by hand replaces the preset's. -o writes the model as a "
        "NumPy .npz. A fifth of the data, drawn by the seed, is held out. The parameters are those of --family: "
        "`train --family NAME --help` shows them.\n"
        "  nysx-dse train --dataset MUTAG.zip --preset paper --seed 1 -o mutag.npz\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .more_options = dse_training_options,
    .knows_option = dse_training_knows_option,
    .run = run,
};
