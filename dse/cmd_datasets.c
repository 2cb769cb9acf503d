/* `nysx-dse datasets`: shows the facts of data sets, measures more of them, and generates some. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "datasets/dataset.h"
#include "dse/commands.h"
#include "dse/generate_options.h"
#include "dse/output.h"
#include "dse/training.h"
#include "emit/swap.h"
#include "explore/survey.h"
#include "reports/datasets.h"
#include "reports/terminal.h"

/* The profiles that a command's words name. */
struct selection {
    struct dse_profile **profiles;
    size_t count;
};

static void release(struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        dse_profile_free(selection->profiles[i]);
    free(selection->profiles);
}

/* Appends the profile; takes ownership. */
static void keep(struct selection *selection, struct dse_profile *profile)
{
    *(struct dse_profile **)dse_list_more(&selection->profiles, &selection->count, sizeof profile) = profile;
}

/* The storage that the family of --family gives the data. */
static enum dse_status add_storage(const struct dse_cli *cli, const struct dse_dataset *dataset, struct dse_setting *facts,
                                   struct dse_error *err)
{
    const struct dse_executor *executor = dse_cli_value(cli, "family") != NULL ? dse_executor_find(dse_cli_family(cli)) : NULL;
    if (executor == NULL || executor->storage == NULL || executor->kind != dataset->kind)
        return DSE_OK;
    return executor->storage(dataset, facts, err);
}

/* A data set that is not measured yet: only its facts. */
static enum dse_status add_raw(const struct dse_cli *cli, struct selection *selection, const char *path,
                               struct dse_error *err)
{
    struct dse_dataset *dataset DSE_CLEANUP(dse_dataset_free_at) = NULL;
    struct dse_profile *profile DSE_CLEANUP(dse_profile_free_at) = NULL;
    DSE_TRY(dse_dataset_open(path, dse_cli_value(cli, "data-dir"), &dataset, err));
    /* generated data: --entities is an option of the generator, not a choice among entities */
    bool made = dse_cli_operand_count(cli) > 0 && strcmp(dse_cli_operand(cli, 0), "generate") == 0;
    if (!made)
        DSE_TRY(dse_training_choose(cli, dataset, err));
    profile = dse_profile_create("", dataset->name, dataset->hash, "", "");
    dse_dataset_facts(dataset, &profile->facts);
    DSE_TRY(add_storage(cli, dataset, &profile->facts, err));
    keep(selection, profile);
    profile = NULL;
    return DSE_OK;
}

static enum dse_status add_profile(struct selection *selection, const char *name, struct dse_error *err)
{
    struct dse_profile *profile;
    DSE_TRY(dse_profile_open(name, &profile, err));
    keep(selection, profile);
    return DSE_OK;
}

/* A profile's file, a data set's path, or the shipped profiles that a pattern matches. */
static enum dse_status add_named(const struct dse_cli *cli, struct selection *selection, const char *name,
                                 struct dse_error *err)
{
    if (dse_ends_in(name, ".xml"))
        return add_profile(selection, name, err);
    if (dse_dataset_is_path(name))
        return add_raw(cli, selection, name, err);
    char **names;
    size_t count;
    enum dse_status status = dse_profile_names(name, &names, &count, err);
    struct dse_error elsewhere = {0};
    if (status == DSE_BAD_USAGE && add_raw(cli, selection, name, &elsewhere) == DSE_OK)
        return DSE_OK;
    bool meant = elsewhere.status == DSE_LIMIT || dse_file_exists(name) || dse_cli_flag(cli, "data-dir") || dse_cli_flag(cli, "target");
    if (status == DSE_BAD_USAGE && meant) /* data instead of a profile */
        return dse_fail(err, elsewhere.status, "%s", elsewhere.message);
    if (status != DSE_OK)
        return status;
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        status = add_profile(selection, names[i], err);
    dse_share_names_free(names, count);
    return status;
}

/* Whether the profile's family is not the one of --family. */
static bool is_foreign(const struct dse_cli *cli, const struct dse_profile *profile)
{
    return dse_cli_value(cli, "family") != NULL && *profile->family != '\0' &&
           strcmp(profile->family, dse_cli_family(cli)) != 0;
}

/* Drops the profiles of other families from `first` on. DSE_BAD_USAGE if the name stood for nothing else. */
static enum dse_status drop_foreign(const struct dse_cli *cli, struct selection *selection, const char *name, size_t first, struct dse_error *err)
{
    size_t kept = first;
    char family[64] = "";
    for (size_t i = first; i < selection->count; i++) {
        if (!is_foreign(cli, selection->profiles[i])) {
            selection->profiles[kept++] = selection->profiles[i];
            continue;
        }
        snprintf(family, sizeof family, "%s", selection->profiles[i]->family);
        dse_profile_free(selection->profiles[i]);
    }
    selection->count = kept;
    char second[256]; /* profiles of other families have the family's name in front */
    struct dse_error unheard;
    snprintf(second, sizeof second, "%s_%s", dse_cli_family(cli), name);
    if (kept == first && add_profile(selection, second, &unheard) == DSE_OK)
        return DSE_OK;
    return kept > first ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "%s: the family %s has no profile of that name; --family %s has one", name,
                                            dse_cli_family(cli), family);
}

typedef void write_profiles(struct dse_strbuf *out, struct dse_profile *const *profiles, size_t count,
                            enum dse_format format, size_t width);

static enum dse_status print_selection(const struct dse_cli *cli, struct selection *selection, write_profiles *write,
                                       struct dse_error *err)
{
    DSE_TEXT(text);
    write(&text, selection->profiles, selection->count, dse_cli_format(cli), dse_terminal_width());
    return dse_output_text(cli, &text, err);
}

/* Writes the profiles named after the verb or by --dataset; `fallback` if there is none. */
static enum dse_status print_named(const struct dse_cli *cli, const char *fallback, write_profiles *write,
                                   struct dse_error *err)
{
    struct selection selection DSE_CLEANUP(release) = {0};
    size_t operands = dse_cli_operand_count(cli), named = operands > 0 ? operands - 1 : 0, given = dse_cli_count(cli, "dataset");
    for (size_t i = 0; i < named + given; i++) {
        const char *name = i < named ? dse_cli_operand(cli, i + 1) : dse_cli_value_at(cli, "dataset", i - named);
        size_t first = selection.count;
        DSE_TRY(add_named(cli, &selection, name, err));
        DSE_TRY(drop_foreign(cli, &selection, name, first, err));
    }
    if (named + given == 0 && fallback == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "datasets show: needs the name of a profile (see `nysx-dse datasets list`) or a path");
    if (named + given == 0)
        DSE_TRY(add_named(cli, &selection, fallback, err));
    if (named + given == 0)
        DSE_TRY(drop_foreign(cli, &selection, fallback, 0, err));
    return print_selection(cli, &selection, write, err);
}

static enum dse_status run_list(const struct dse_cli *cli, struct dse_error *err)
{
    return print_named(cli, "*", dse_profiles_list, err);
}

static enum dse_status run_show(const struct dse_cli *cli, struct dse_error *err)
{
    return print_named(cli, NULL, dse_profiles_show, err);
}

/* The one data set or folder that a verb works on. */
static enum dse_status one_operand(const struct dse_cli *cli, const char *what, const char **operand,
                                   struct dse_error *err)
{
    size_t operands = dse_cli_operand_count(cli) - 1, options = dse_cli_count(cli, "dataset");
    if (operands + options != 1)
        return dse_fail(err, DSE_BAD_USAGE, "datasets %s: needs one %s", dse_cli_operand(cli, 0), what);
    *operand = operands == 1 ? dse_cli_operand(cli, 1) : dse_cli_value_at(cli, "dataset", 0);
    return DSE_OK;
}

static enum dse_status read_grid(const struct dse_cli *cli, struct dse_grid *grid, struct dse_error *err)
{
    if (dse_cli_value(cli, "landmarks") != NULL)
        DSE_TRY(dse_grid_add(grid, "landmarks", dse_cli_value(cli, "landmarks"), err));
    for (size_t i = 0; i < dse_cli_count(cli, "grid"); i++) {
        const char *pair = dse_cli_value_at(cli, "grid", i), *equals = strchr(pair, '=');
        if (equals == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--grid %s: must be NAME=VALUE,VALUE,…", pair);
        char *name DSE_CLEANUP(dse_free_at) = dse_strndup(pair, (size_t)(equals - pair));
        DSE_TRY(dse_grid_add(grid, name, equals + 1, err));
    }
    return DSE_OK;
}

/* The word by which a command finds the data: their name, or that of the folder or archive if it differs. */
static char *word_of(const char *path, const char *name)
{
    char *place = dse_path_stem(path, ".zip");
    size_t length = strlen(name);
    bool same = strncasecmp(place, name, length) == 0 && (place[length] == '\0' || place[length] == '.');
    if (same) {
        free(place);
        place = dse_strdup(name);
    }
    return place;
}

/* The commands that reproduce the profile, without this machine's paths and threads. */
static void describe(const struct dse_cli *cli, const char *dataset, const struct dse_profile *before,
                     struct dse_strbuf *out)
{
    static const char *const options[] = {"family", "entities", "preset", "metric", "landmarks", "seeds", "seed"};
    if (before != NULL)
        dse_strbuf_printf(out, "%s; then continue with --extend: ", before->command);
    dse_strbuf_printf(out, "nysx-dse datasets profile %s", dataset);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (dse_cli_value(cli, options[i]) != NULL)
            dse_strbuf_printf(out, " --%s %s", options[i], dse_cli_value(cli, options[i]));
    for (size_t i = 0; i < dse_cli_count(cli, "grid"); i++)
        dse_strbuf_printf(out, " --grid %s", dse_cli_value_at(cli, "grid", i));
}

static enum dse_status measure(const struct dse_cli *cli, const struct dse_executor *executor, const char *path,
                               struct dse_dataset *dataset, struct dse_survey_part *part, struct dse_profile **profile, struct dse_error *err)
{
    struct dse_profile *before DSE_CLEANUP(dse_profile_free_at) = NULL;
    struct dse_grid grid DSE_CLEANUP(dse_grid_free) = {0};
    DSE_TEXT(command);
    int64_t seeds = 0;
    DSE_TRY(read_grid(cli, &grid, err));
    DSE_TRY(dse_cli_integer(cli, "seeds", 0, 10000, 10, &seeds, err));
    if (dse_cli_value(cli, "extend") != NULL)
        dse_file_replaces(dse_cli_value(cli, "extend"));
    if (dse_cli_value(cli, "extend") != NULL)
        DSE_TRY(dse_profile_open(dse_cli_value(cli, "extend"), &before, err));
    if (before != NULL) {
        dse_profile_complete(executor->knobs, before);
        dataset->unstratified = dse_profile_unstratified(before);
    }
    char *word DSE_CLEANUP(dse_free_at) = word_of(path, dataset->name);
    describe(cli, word, before, &command);
    const char *preset = dse_cli_value(cli, "preset"), *metric = dse_cli_value(cli, "metric");
    struct dse_survey what = {
        .executor = executor, .dataset = dataset, .preset = preset, .grid = &grid,
        .seeds = (size_t)seeds, .first_seed = dse_cli_seed(cli), .metric = metric != NULL ? dse_quality_gain(metric) : NULL, .jobs = dse_cli_jobs(cli),
        .monitor = dse_cli_monitor(cli), .command = dse_strbuf_text(&command), .extend = before, .partly = part};
    return dse_survey_profile(&what, profile, err);
}

static enum dse_status run_profile(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = NULL, *output = dse_cli_value(cli, "output");
    const struct dse_executor *executor = NULL;
    struct dse_dataset *dataset DSE_CLEANUP(dse_dataset_free_at) = NULL;
    struct dse_profile *profile DSE_CLEANUP(dse_profile_free_at) = NULL;
    DSE_TEXT(xml);
    DSE_TRY(one_operand(cli, "data set", &path, err));
    DSE_TRY(dse_training_executor(cli, &executor, err));
    if (executor->profile == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: its executor cannot measure workloads", executor->family);
    DSE_TRY(dse_dataset_open(path, dse_cli_value(cli, "data-dir"), &dataset, err));
    DSE_TRY(dse_training_choose(cli, dataset, err));
    struct dse_survey_part part = {0};
    enum dse_status status = measure(cli, executor, path, dataset, &part, &profile, err);
    if (status != DSE_OK && (part.whole == 0 || (output != NULL && dse_file_exists(output) && dse_cli_value(cli, "extend") == NULL)))
        return status; /* a whole profile of an earlier run stays */
    bool shows = dse_cli_value(cli, "format") != NULL || dse_cli_format(cli) != DSE_FORMAT_TABLE;
    if (shows) /* as `datasets show` prints an existing set */
        dse_profiles_show(&xml, &profile, 1, dse_cli_format(cli), dse_terminal_width());
    else
        DSE_TRY(dse_profile_format(profile, &xml, err));
    DSE_TRY(dse_output_text(cli, &xml, err));
    if (status != DSE_OK)
        return dse_fail(err, DSE_LIMIT, "interrupted: these are %zu of %zu settings; --extend FILE.xml, which holds them, measures the rest", part.whole, part.of);
    if (output != NULL && !shows)
        dse_cli_note(cli, "%s: %zu settings of %s; `nysx-dse sweep --dataset %s` explores with it", output, profile->workload_count,
                     profile->dataset, output);
    return DSE_OK;
}

/* Writes beside the destination first, so that it holds everything or nothing. Rejects an existing destination by name. */
static enum dse_status generate(const struct dse_kind *kind, const struct dse_generation *what, const char *folder, struct dse_error *err)
{
    struct dse_swap swap;
    char *parent DSE_CLEANUP(dse_free_at) = dse_strdup(folder);
    size_t end = strlen(parent);
    while (end > 0 && parent[end - 1] == '/')
        end--;
    while (end > 0 && parent[end - 1] != '/')
        end--;
    parent[end] = '\0';
    if (end > 0 && !dse_file_exists(folder))
        DSE_TRY(dse_folder_create(parent, err));
    if (dse_file_exists(folder) || !dse_swap_begin(folder, &swap))
        return kind->generate(what, folder, err);
    rmdir(swap.made); /* a temporary name, which must not exist for the generator */
    enum dse_status status = kind->generate(what, swap.made, err);
    if (status == DSE_OK && !dse_swap_commit(&swap))
        return dse_fail_errno(err, DSE_LIMIT, folder, "rename", errno);
    if (status != DSE_OK)
        dse_swap_abort(&swap);
    return status;
}

static enum dse_status run_generate(const struct dse_cli *cli, struct dse_error *err)
{
    const char *folder = NULL;
    const struct dse_kind *kind = NULL;
    double values[DSE_GENERATE_OPTIONS];
    struct selection selection DSE_CLEANUP(release) = {0};
    DSE_TRY(one_operand(cli, "folder to write", &folder, err));
    DSE_TRY(dse_generate_options(cli, &kind, values, err));
    char *name DSE_CLEANUP(dse_free_at) = dse_path_stem(folder, "");
    struct dse_generation what = {.name = name, .values = values, .seed = dse_cli_seed(cli),
                                  .monitor = dse_cli_monitor(cli)};
    DSE_TRY(generate(kind, &what, folder, err));
    DSE_TRY(add_raw(cli, &selection, folder, err));
    /* the CSV of `show` has one line per measured setting, and none is measured yet */
    return print_selection(cli, &selection, dse_cli_format(cli) == DSE_FORMAT_CSV ? dse_profiles_list : dse_profiles_show, err);
}

static const struct dse_verb verbs[] = {
    {"list", run_list, ".json .csv .txt", {"spread", NULL}},
    {"show", run_show, ".json .csv .txt", {"target", "entities", "spread", NULL}},
    {"profile", run_profile, ".xml .json .csv .txt", {"target", "entities", "preset", "landmarks", "grid", "metric", "seeds", "extend", "spread", NULL}},
    {"generate", run_generate, ".json .csv .txt", {"kind", "entities", "spread", "*", NULL}}, /* options of the kinds */
};

enum dse_status dse_run_datasets(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_verb *verb;
    DSE_TRY(dse_cli_verb(cli, verbs, sizeof verbs / sizeof *verbs, "list, show NAME, profile PATH or generate DIR", &verb, err));
    DSE_TRY(dse_cli_ending(cli, verb->endings, err));
    if (verb->run != run_generate) /* kinds of data with a spread of their own */
        DSE_TRY(dse_cli_spread(cli, err));
    return verb->run(cli, err);
}
