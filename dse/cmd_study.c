/* `nysx-dse study`: what a study holds. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "dse/commands.h"
#include "explore/shard.h"
#include "explore/workbench.h"
#include "reports/study.h"
#include "reports/terminal.h"

static enum dse_status show(const struct dse_cli *cli, struct dse_study *study, struct dse_strbuf *text, struct dse_error *err)
{
    (void)cli;
    return dse_study_write(study, dse_terminal_width(), text, err);
}

static enum dse_status export(const struct dse_cli *cli, struct dse_study *study, struct dse_strbuf *text,
                              struct dse_error *err)
{
    const char *only = dse_cli_value(cli, "points");
    if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        return dse_study_write_csv(study, dse_cli_flag(cli, "all"), only, text, err);
    if (only != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--points: goes with `export --format csv`");
    json_t *json = NULL;
    DSE_TRY(dse_study_json(study, &json, err));
    return dse_json_write(json, text, err);
}

static enum dse_status look(const struct dse_cli *cli, enum dse_status (*make)(const struct dse_cli *, struct dse_study *, struct dse_strbuf *,
                                                                               struct dse_error *),
                            struct dse_error *err)
{
    struct dse_study *study = NULL;
    struct dse_strbuf text = {0};
    enum dse_status status = dse_study_open(dse_cli_operand(cli, 1), &study, err);
    if (status == DSE_OK)
        status = make(cli, study, &text, err);
    if (status == DSE_OK)
        status = text.failed ? dse_fail_memory(err) : dse_cli_print(cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    dse_study_close(study);
    return status;
}

static enum dse_status run_show(const struct dse_cli *cli, struct dse_error *err)
{
    return look(cli, show, err);
}

static enum dse_status run_export(const struct dse_cli *cli, struct dse_error *err)
{
    return look(cli, export, err);
}

/* -o names the part, a study of its own; what was done goes to standard output. */
static enum dse_status run_tasks(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_operand(cli, 1), *part = dse_cli_value(cli, "output"), *share = dse_cli_value(cli, "shard");
    struct dse_shard shard;
    struct dse_shard_done done;
    char line[256];
    if (part == NULL || share == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "study tasks: needs --shard I/N and -o PART.db");
    DSE_TRY(dse_shard_read(share, &shard, err));
    DSE_TRY(dse_cli_ending(cli, ".db", err));
    if (dse_file_same(path, part))
        return dse_fail(err, DSE_BAD_USAGE, "-o %s: is the study itself", part);
    DSE_TRY(dse_shard_train(dse_cli_request(cli), path, part, &shard, &done, err));
    snprintf(line, sizeof line, "%zu settings may have to be measured; %zu trainings of them are this share's: %zu made, %zu found\n",
             done.settings, done.tasks, done.made, done.found);
    return dse_cli_put(line, err);
}

static enum dse_status run_merge(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_operand(cli, 1);
    struct dse_study_merged merged = {0};
    char line[256];
    if (dse_cli_operand_count(cli) < 3)
        return dse_fail(err, DSE_BAD_USAGE, "study merge: needs FILE.db and its parts");
    if (!dse_file_exists(path))
        return dse_fail(err, DSE_BAD_INPUT, "%s: there is no such study", path);
    for (size_t i = 2; i < dse_cli_operand_count(cli); i++) {
        struct dse_study *part = NULL, *study = NULL;
        if (dse_file_same(path, dse_cli_operand(cli, i)))
            return dse_fail(err, DSE_BAD_USAGE, "%s: is the study itself", dse_cli_operand(cli, i));
        enum dse_status status = dse_study_open(dse_cli_operand(cli, i), &part, err);
        if (status == DSE_OK)
            status = dse_study_reopen(path, part, &study, err);
        if (status == DSE_OK)
            status = dse_study_merge(study, part, &merged, err);
        dse_study_close(study);
        dse_study_close(part);
        DSE_TRY(status);
    }
    snprintf(line, sizeof line, "%zu trainings are new, %zu were there; `--resume` answers with them\n", merged.runs, merged.known);
    return dse_cli_put(line, err);
}

static enum dse_status run(const struct dse_cli *cli, struct dse_error *err)
{
    static const struct {
        const char *name;
        enum dse_status (*run)(const struct dse_cli *cli, struct dse_error *err);
        size_t operands; /* at most */
    } actions[] = {{"show", run_show, 2}, {"export", run_export, 2}, {"tasks", run_tasks, 2}, {"merge", run_merge, SIZE_MAX}};
    const char *action = dse_cli_operand(cli, 0);
    for (size_t i = 0; i < sizeof actions / sizeof *actions && dse_cli_operand_count(cli) > 1; i++)
        if (strcmp(action, actions[i].name) == 0 && dse_cli_operand_count(cli) <= actions[i].operands) {
            if (actions[i].run != run_tasks)
                DSE_TRY(dse_cli_ending(cli, ".json .csv .txt", err));
            return actions[i].run(cli, err);
        }
    return dse_fail(err, DSE_BAD_USAGE, "study: needs `show FILE.db`, `export FILE.db`, `tasks FILE.db --shard I/N -o PART.db` or "
                    "`merge FILE.db PART.db …`");
}

static const struct dse_option options[] = {
    {.name = "all", .help = "with `export --format csv`: also the points that better ones drove from the front"},
    {.name = "points", .argument = "LIST", .help = "with `export --format csv`: only these points, as 3-9,12"},
    {.name = "shard", .argument = "I/N", .help = "with `tasks`: which share of the trainings, as 3/16"},
};

const struct dse_command dse_cmd_study = {
    .name = "study",
    .summary = "what a study of `sweep` or `optimize` holds",
    .operands = "show|export|tasks FILE.db | merge FILE.db PART.db …",
    .details = "`show` says what was asked, of which inputs, and how far it has come. `export` writes everything that was found "
               "as JSON, or its points with --format csv: equal questions give equal bytes, however often the search was "
               "ended and taken up again. `tasks` makes a share of the trainings that the study still needs, into a file of its own, and `merge` "
               "takes such files in: for machines without MPI. docs/studies.md describes the file itself.\n\n"
               "    nysx-dse study show mutag.db\n"
               "    nysx-dse study export mutag.db --format csv -o points.csv\n"
               "    nysx-dse study export mutag.db --points 1-3 -o some.csv\n"
               "    nysx-dse study tasks mutag.db --shard 3/16 -o part3.db\n"
               "    nysx-dse study merge mutag.db part*.db\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .endings = ".db",
    .run = run,
};
