/* `nysx-dse train`: trains a model and reports its quality. */
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "dse/training.h"
#include "reports/training.h"

/* Trains the runs of a report one after the other, and counts the finished ones. -o writes a run's model, --write-split its split. */
static enum dse_status train_all(const struct dse_cli *cli, struct dse_training_report *what, struct dse_training *results,
                                 struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "output"), *split = dse_cli_value(cli, "write-split");
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < what->seeds * what->folds; i++) {
        struct dse_run run = *what->run;
        run.seed = what->first_seed + i / what->folds;
        run.fold = i % what->folds;
        struct dse_model *model = NULL;
        status = dse_train(what->executor, what->data, what->setting, &run, &model, &results[i], err);
        if (status == DSE_OK && path != NULL)
            status = dse_model_save(model, path, err);
        if (status == DSE_OK && split != NULL)
            status = dse_split_write(&model->split, dse_dataset_items(what->data), what->data->kind->items, split, err);
        dse_model_free(model);
        what->count += status == DSE_OK;
    }
    return status;
}

static enum dse_status train(const struct dse_cli *cli, struct dse_training_report *what, const struct dse_stored *from,
                             struct dse_error *err)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    DSE_TEXT(out);
    DSE_TRY(dse_training_setting(cli, what->executor, what->data, what->run, from, &setting, err));
    struct dse_training *results DSE_CLEANUP(dse_free_at) = dse_calloc(what->seeds * what->folds, sizeof *results);
    what->setting = &setting;
    what->runs = results;
    enum dse_status status = train_all(cli, what, results, err);
    if (status != DSE_OK && (status != DSE_CANCELLED || what->count == 0))
        return status;
    dse_training_write(what, dse_cli_format(cli), &out);
    DSE_TRY(dse_output_standard(cli, &out, err));
    size_t seeds = what->count / what->folds; /* finished ones */
    return status == DSE_OK ? DSE_OK
                            : dse_fail(err, DSE_LIMIT, "interrupted: these are the results of %zu of %zu training runs; --seed %" PRIu64 " --seeds %zu "
                                       "begins with the first unfinished seed", what->count, what->seeds * what->folds, what->first_seed + seeds, what->seeds - seeds);
}

#define SKLEARN "sklearn:"

static enum dse_status take_sklearn(const struct dse_dataset *data, const char *split, struct dse_split *given, struct dse_error *err)
{
    int64_t seed;
    if (dse_number_whole(split + strlen(SKLEARN), &seed) != DSE_NUMBER_READ || seed < 0 || seed > UINT32_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--split %s: the seed must be a number from 0 to 4294967295", split);
    return dse_split_sklearn(dse_dataset_items(data), data->kind->items, (uint32_t)seed, given, err);
}

/* The split of the items, by --split, --folds and --all; a given split is stored in `given`. */
static enum dse_status choose_split(const struct dse_cli *cli, struct dse_dataset *data, struct dse_split *given, struct dse_run *run,
                                    const char **title, struct dse_error *err)
{
    const char *split = dse_cli_value(cli, "split");
    bool all = dse_cli_flag(cli, "all"), drawn = split == NULL || strcmp(split, "random") == 0 || strcmp(split, "stratified") == 0;
    if (all + (split != NULL) + (run->folds > 1) > 1 && (all || !drawn))
        return dse_fail(err, DSE_BAD_USAGE, "--%s%s: cannot be combined with %s; each chooses the held-out items", all ? "all" : "split ", all ? "" : split,
                        run->folds > 1 ? "--folds" : "--split");
    if (drawn && split != NULL && data->kind->split != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--split %s: %s is %s, whose split is %s; a file can give another split", split, data->name,
                        data->kind->title, data->kind->split_title);
    data->unstratified = split != NULL && strcmp(split, "random") == 0;
    if (split != NULL && strcmp(split, "stratified") == 0 && dse_dataset_classes(data) == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--split stratified: needs classes, but the %s of %s have none", data->kind->items, data->name);
    if (all)
        *given = dse_split_all(dse_dataset_items(data));
    else if (!drawn && strncmp(split, SKLEARN, strlen(SKLEARN)) == 0)
        DSE_TRY(take_sklearn(data, split, given, err));
    else if (!drawn)
        DSE_TRY(dse_split_read(split, dse_dataset_items(data), data->kind->items, given, err));
    run->given = all || !drawn ? given : NULL;
    *title = all ? "all items train" : !drawn ? split : split == NULL && data->kind->split != NULL ? data->kind->split_title
             : dse_dataset_strata(data) != NULL ? "stratified" : "random";
    return DSE_OK;
}

/* Trains with the point of --from, which names the data set if --dataset is absent. `from` is NULL without it. */
static enum dse_status train_on(const struct dse_cli *cli, struct dse_training_report *what, const struct dse_stored *from,
                                struct dse_error *err)
{
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    const char *known = from != NULL && from->profile_count == 1 ? from->profiles[0]->dataset : NULL;
    if (from != NULL)
        DSE_TRY(dse_training_of_family(cli, from, what->executor, err));
    DSE_TRY(dse_training_dataset(cli, known, &data, err));
    struct dse_split given DSE_CLEANUP(dse_split_free) = {0};
    struct dse_inference pool DSE_CLEANUP(dse_inference_free) = {0};
    struct dse_run run = {.jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli), .folds = what->folds, .metric = dse_cli_value(cli, "metric"), .pool = &pool};
    DSE_TRY(choose_split(cli, data, &given, &run, &what->split, err));
    what->data = data;
    what->run = &run;
    return train(cli, what, from, err);
}

enum dse_status dse_run_train(const struct dse_cli *cli, struct dse_error *err)
{
    int64_t folds = 1, seeds = 1;
    const struct dse_executor *executor = NULL;
    struct dse_stored from DSE_CLEANUP(dse_stored_free) = {0};
    DSE_TRY(dse_cli_integer(cli, "folds", 2, 1000, 1, &folds, err));
    DSE_TRY(dse_cli_integer(cli, "seeds", 1, 100000, 1, &seeds, err));
    if (folds * seeds > 1 && dse_cli_flag(cli, "output"))
        return dse_fail(err, DSE_BAD_USAGE, "-o %s: a file holds one model, but several folds or seeds give several",
                        dse_cli_value(cli, "output"));
    if (folds * seeds > 1 && dse_cli_flag(cli, "write-split"))
        return dse_fail(err, DSE_BAD_USAGE, "--write-split %s: a file holds one split, but several folds or seeds have several",
                        dse_cli_value(cli, "write-split"));
    if (dse_cli_flag(cli, "from") && dse_cli_flag(cli, "preset"))
        return dse_fail(err, DSE_BAD_USAGE, "--preset %s: cannot be combined with --from %s", dse_cli_value(cli, "preset"),
                        dse_cli_value(cli, "from"));
    DSE_TRY(dse_training_executor(cli, &executor, err));
    struct dse_training_report what = {.executor = executor, .first_seed = dse_cli_seed(cli), .seeds = (size_t)seeds,
                                       .folds = (size_t)folds};
    if (!dse_cli_flag(cli, "from"))
        return train_on(cli, &what, NULL, err);
    DSE_TRY(dse_stored_open(dse_cli_request(cli), &from, err));
    return train_on(cli, &what, &from, err);
}
