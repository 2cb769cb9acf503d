/* Trainings and workloads from one study into another of the same question: what shards of a cluster bring home. */
#include <inttypes.h>
#include <stdlib.h>

#include "search/study_store.h"

/* A row that is there already stays; one that says another quality was not the same training. */
static enum dse_status take_run(struct dse_study *study, const struct dse_study *from, const struct dse_study_run *run,
                                struct dse_study_merged *merged, struct dse_error *err)
{
    struct dse_study_run known = *run;
    bool found = false;
    DSE_TRY(dse_study_run_known(study, &known, &found, err));
    if (!found) {
        merged->runs++;
        return dse_study_run_put(study, run, err);
    }
    merged->known++;
    if (known.quality == run->quality || (known.quality != known.quality && run->quality != run->quality))
        return DSE_OK;
    return dse_fail(err, DSE_BAD_INPUT, "%s: the training of %s with seed %" PRIu64 " came to %.17g, and in %s to %.17g: one of the "
                    "two was made by another program or on another machine's arithmetic", from->path, run->setting, run->seed,
                    run->quality, study->path, known.quality);
}

static enum dse_status take_workloads(struct dse_study *study, struct dse_study *from, struct dse_study_merged *merged,
                                      struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    struct dse_rows rows = dse_rows_open(from, err, "SELECT family, program, dataset_hash, setting, seed, profile FROM workloads "
                                         "ORDER BY family, program, dataset_hash, setting, seed", "");
    while (status == DSE_OK && dse_rows_next(&rows)) {
        const char *family = dse_rows_text(&rows), *program = dse_rows_text(&rows), *hash = dse_rows_text(&rows);
        const char *setting = dse_rows_text(&rows);
        int64_t seed = dse_rows_integer(&rows);
        status = dse_study_do(study, err, "INSERT OR IGNORE INTO workloads VALUES (?, ?, ?, ?, ?, ?)", "ttttit", family, program, hash,
                              setting, seed, dse_rows_peek(&rows));
        merged->workloads++;
    }
    enum dse_status read = dse_rows_close(&rows);
    return status == DSE_OK ? read : status;
}

/* What a study was made for, as one that goes on with it says. */
static struct dse_study_description describe(const struct dse_study *study)
{
    return (struct dse_study_description){.family = study->family, .program = study->program, .command = study->command,
                                          .question = &study->question, .inputs = study->inputs,
                                          .input_count = study->input_count, .explorations = study->explorations,
                                          .exploration_count = study->exploration_count};
}

enum dse_status dse_study_merge(struct dse_study *study, struct dse_study *from, struct dse_study_merged *merged,
                                struct dse_error *err)
{
    const struct dse_study_description same = describe(from);
    struct dse_study_run *runs = NULL;
    size_t count = 0;
    DSE_TRY(dse_study_compare(study, &same, err));
    DSE_TRY(dse_study_runs(from, &runs, &count, err));
    enum dse_status status = dse_study_begin_step(study, err);
    if (status == DSE_OK) {
        for (size_t i = 0; i < count && status == DSE_OK; i++)
            status = take_run(study, from, &runs[i], merged, err);
        if (status == DSE_OK)
            status = take_workloads(study, from, merged, err);
        status = dse_study_end_step(study, status, err);
    }
    free(runs);
    return status;
}

enum dse_status dse_study_reopen(const char *path, const struct dse_study *like, struct dse_study **out, struct dse_error *err)
{
    const struct dse_study_description same = describe(like);
    return dse_study_begin(path, &same, true, out, err);
}
