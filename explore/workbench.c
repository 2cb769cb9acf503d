#include "explore/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "explore/cache.h"
#include "explore/calibrated.h"
#include "explore/point.h"
#include "explore/racing.h"
#include "explore/survey.h"
#include "explore/terms.h"
#include "executor/executor.h"

/* The splits that an on-the-fly profile measures each setting of the executor's survey on: enough to choose among,
 * little enough to wait for. `datasets profile` measures more. */
#define QUICK_SEEDS 3

/* --flow: the accelerator that high-level synthesis makes, or the one in SystemVerilog. */
static enum dse_status choose_flow(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    bool in_rtl;
    DSE_TRY(dse_request_in_rtl(request, &in_rtl, err));
    if (!in_rtl)
        return DSE_OK;
    if (bench->family->in_rtl == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--flow=rtl: the family %s has no RTL", bench->family->name);
    if (dse_request_word(request, "study") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--flow=rtl: a study keeps designs of --flow=hls");
    bench->family = bench->family->in_rtl;
    return DSE_OK;
}

static enum dse_status find_family(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    bench->family = dse_model_find(dse_request_family(request));
    if (bench->family != NULL)
        return choose_flow(request, bench, err);
    struct dse_strbuf names = {0};
    size_t count = 0;
    const struct dse_model_family *const *families = dse_model_families(&count);
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(&names, "%s%s", i > 0 ? ", " : "", families[i]->name);
    enum dse_status status = dse_fail(err, DSE_BAD_USAGE, "--family %s: no such family; there are %s", dse_request_family(request),
                                      dse_strbuf_text(&names));
    dse_strbuf_free(&names);
    return status;
}

/* Whether the board is among those named before: a name and a pattern may both mean it. */
static bool has_board(const struct dse_workbench *bench, const struct dse_board *board)
{
    for (size_t i = 0; i < bench->board_count; i++)
        if (dse_file_same(bench->boards[i]->file, board->file))
            return true;
    return false;
}

/* Factors of open synthesis are those of the RTL, and of nothing else. */
static enum dse_status check_level(const struct dse_workbench *bench, const struct dse_costs *costs, struct dse_error *err)
{
    bool in_rtl = bench->family == bench->family->in_rtl;
    if (dse_costs_of_open_synthesis(costs) == in_rtl)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "%s: fitted to %s, which says nothing of --flow %s", dse_costs_calibration(costs),
                    in_rtl ? "reports of high-level synthesis" : "open synthesis of SystemVerilog", in_rtl ? "rtl" : "hls");
}

/* Takes the board over, with the cost library as shipped or as `calibration` (NULL: none) has it. */
static enum dse_status keep_board(struct dse_board *board, const char *calibration, struct dse_workbench *bench,
                                  struct dse_error *err)
{
    struct dse_board **boards = dse_realloc(bench->boards, (bench->board_count + 1) * sizeof *boards);
    if (boards != NULL)
        bench->boards = boards;
    struct dse_costs **costs = dse_realloc(bench->costs, (bench->board_count + 1) * sizeof *costs);
    if (costs != NULL)
        bench->costs = costs;
    enum dse_status status = boards != NULL && costs != NULL ? DSE_OK : dse_fail_memory(err);
    if (status == DSE_OK)
        status = dse_costs_for_board(board, calibration, &bench->costs[bench->board_count], err);
    if (status == DSE_OK && calibration != NULL && (status = check_level(bench, bench->costs[bench->board_count], err)) != DSE_OK)
        dse_costs_free(bench->costs[bench->board_count]);
    if (status != DSE_OK) {
        dse_board_free(board);
        return status;
    }
    bench->boards[bench->board_count++] = board;
    return DSE_OK;
}

static enum dse_status add_board(const struct dse_request *request, const char *name, struct dse_workbench *bench,
                                 struct dse_error *err)
{
    struct dse_board *board = NULL;
    enum dse_status status = dse_board_open(name, &board, err);
    if (status != DSE_OK)
        return status;
    if (has_board(bench, board)) {
        dse_board_free(board);
        return DSE_OK;
    }
    char *calibration = NULL;
    status = dse_calibrated_of(request, board, &calibration, err);
    if (status == DSE_OK)
        status = keep_board(board, calibration, bench, err);
    else
        dse_board_free(board);
    free(calibration);
    return status;
}

static enum dse_status open_boards(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    size_t given = dse_request_count(request, "board");
    if (given == 0 && bench->board_count > 0)
        return DSE_OK;
    if (given == 0)
        return add_board(request, bench->family->board, bench, err);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < given && status == DSE_OK; i++) {
        char **names = NULL;
        size_t count = 0;
        status = dse_board_names(dse_request_word_at(request, "board", i), &names, &count, err);
        for (size_t n = 0; n < count && status == DSE_OK; n++)
            status = add_board(request, names[n], bench, err);
        if (names != NULL)
            dse_share_names_free(names, count);
    }
    return status;
}

/* Whether the same profile was named before, by whatever word. */
static enum dse_status has_profile(const struct dse_workbench *bench, const struct dse_profile *profile, bool *has,
                                   struct dse_error *err)
{
    struct dse_strbuf own = {0};
    *has = false;
    enum dse_status status = bench->profile_count > 0 ? dse_profile_format(profile, &own, err) : DSE_OK;
    for (size_t i = 0; i < bench->profile_count && status == DSE_OK && !*has; i++) {
        struct dse_strbuf other = {0};
        if (strcmp(bench->profiles[i]->dataset, profile->dataset) != 0)
            continue;
        status = dse_profile_format(bench->profiles[i], &other, err);
        *has = status == DSE_OK && strcmp(dse_strbuf_text(&own), dse_strbuf_text(&other)) == 0;
        dse_strbuf_free(&other);
    }
    dse_strbuf_free(&own);
    return status;
}

/* Takes the profile over, once; its data is found by `word`. */
static enum dse_status keep_profile(struct dse_workbench *bench, struct dse_profile *profile, const char *word,
                                    struct dse_error *err)
{
    bool has = false;
    enum dse_status status = has_profile(bench, profile, &has, err);
    if (status != DSE_OK || has) {
        dse_profile_free(profile);
        return status;
    }
    struct dse_profile **profiles = dse_realloc(bench->profiles, (bench->profile_count + 1) * sizeof *profiles);
    if (profiles != NULL)
        bench->profiles = profiles;
    struct dse_source *sources = dse_realloc(bench->sources, (bench->profile_count + 1) * sizeof *sources);
    if (sources != NULL)
        bench->sources = sources;
    char *copy = dse_strdup(word);
    sources[bench->profile_count] = (struct dse_source){.word = copy};
    profiles[bench->profile_count++] = profile;
    return DSE_OK;
}

/* One axis of a survey: its numbers below the preset's, all its words, and the preset's own value. */
static enum dse_status survey_axis(const struct dse_executor *executor, const struct dse_survey_axis *axis,
                                   const struct dse_setting *preset, struct dse_grid *grid, struct dse_error *err)
{
    const char *own = dse_setting_get(preset, axis->parameter);
    bool words = dse_knobs_trained(executor->knobs, axis->parameter)->type == DSE_KNOB_CHOICE;
    struct dse_strbuf values = {0};
    for (size_t i = 0; axis->values[i] != NULL; i++)
        if (words ? strcmp(axis->values[i], own) != 0 : strtod(axis->values[i], NULL) < strtod(own, NULL))
            dse_strbuf_printf(&values, "%s,", axis->values[i]);
    dse_strbuf_add(&values, own);
    enum dse_status status = values.failed ? dse_fail_memory(err)
                                           : dse_grid_add(grid, axis->parameter, dse_strbuf_text(&values), err);
    dse_strbuf_free(&values);
    return status;
}

/* The settings of a quick profile: the executor's survey around its preset. */
static enum dse_status quick_grid(const struct dse_executor *executor, const struct dse_dataset *data,
                                  struct dse_grid *grid, struct dse_error *err)
{
    struct dse_setting preset = {0};
    enum dse_status status = dse_executor_preset(executor, "paper", data, 0, &preset, err);
    for (size_t i = 0; i < executor->survey_count && status == DSE_OK; i++)
        status = survey_axis(executor, &executor->survey[i], &preset, grid, err);
    dse_setting_free(&preset);
    return status;
}

/* The lists of one value each that make a configuration's algorithmic setting. */
static enum dse_status one_setting(const struct dse_executor *executor, const struct dse_setting *setting,
                                   struct dse_grid *grid, struct dse_error *err)
{
    for (size_t i = 0; i < setting->count; i++)
        if (dse_knobs_trained(executor->knobs, setting->pairs[i].name) != NULL)
            DSE_TRY(dse_grid_add(grid, setting->pairs[i].name, setting->pairs[i].value, err));
    return DSE_OK;
}

/* New data are too large for their trainings to be waited for: their work alone is measured. */
static bool too_costly(const struct dse_executor *executor, const struct dse_dataset *data)
{
    return executor->costly && !dse_racing_affords(executor, data, DSE_RACING_UNITS);
}

/* What is tried on new data without being asked for. */
static size_t quick_seeds(const struct dse_executor *executor, const struct dse_dataset *data)
{
    return too_costly(executor, data) ? 0 : QUICK_SEEDS;
}

/* The setting of --set beside the survey's, where that lacks it. What is wrong about --set its command will say. */
static enum dse_status measure_asked(const struct dse_request *request, const struct dse_workbench *bench,
                                     const struct dse_survey *survey, struct dse_profile **profile,
                                     struct dse_error *err)
{
    struct dse_config config;
    struct dse_setting setting = {0};
    struct dse_grid grid = {0};
    struct dse_profile *more = NULL;
    struct dse_survey what = *survey;
    what.grid = &grid;
    what.extend = *profile;
    if (dse_request_count(request, "set") == 0)
        return DSE_OK;
    enum dse_status status = dse_workbench_config(request, bench, *profile, &config, err);
    if (status != DSE_OK)
        return status == DSE_LIMIT ? status : DSE_OK;
    dse_knob_set algorithmic = dse_space_of_kind(bench->space, DSE_KNOB_ALGORITHMIC);
    dse_config_setting(bench->space, &config, algorithmic, &setting);
    if (status == DSE_OK && dse_profile_workload(*profile, &setting) == NULL) {
        status = one_setting(what.executor, &setting, &grid, err);
        if (status == DSE_OK)
            status = dse_survey_profile(&what, &more, err);
    }
    if (more != NULL) {
        dse_profile_free(*profile);
        *profile = more;
    }
    dse_setting_free(&setting);
    dse_grid_free(&grid);
    return status;
}

/* What a survey did, in words. */
static void tell_raced(const struct dse_request *request, const struct dse_dataset *data, const struct dse_executor *executor,
                       const struct dse_raced *raced, const char *kept)
{
    char found[64] = "";
    if (raced->found > 0)
        snprintf(found, sizeof found, ", %zu of them by one before that was ended", raced->found);
    dse_request_note(request, "%s: %zu settings raced in %zu trainings%s (%.0f of %.0f units of work); %zu stopped by paired tests at 5 %%, "
                     "%zu reported on splits that took no part in the choice", data->name, raced->settings, raced->trainings, found,
                     raced->units, DSE_RACING_UNITS, raced->stopped, raced->reported);
    if (raced->cut || raced->ended)
        dse_request_note(request, "%s: %s ended the survey%s%s", data->name, raced->cut ? "--budget" : "the budget of work",
                         *raced->untried != '\0' ? "; not tried, or not to the end: " : "", raced->untried);
    dse_request_note(request, "%s: never tried by a survey: %s; --free KNOB and `datasets profile` measure more", data->name,
                     executor->race->untried);
    if (kept != NULL)
        dse_request_note(request, "%s: kept in %s for the next question", data->name, kept);
    else if (raced->kept)
        dse_request_note(request, "%s: the trainings are kept: the next survey goes on from them", data->name);
}

/* Ends in ".part"; NULL where nothing can be kept. */
static char *part_of(const char *path)
{
    struct dse_strbuf text = {0};
    if (path != NULL)
        dse_strbuf_printf(&text, "%s.part", path);
    char *part = path != NULL && dse_cache_prepare(path) && !text.failed ? dse_strdup(dse_strbuf_text(&text)) : NULL;
    dse_strbuf_free(&text);
    return part;
}

/* The survey of data that nobody has measured, or what one found before. */
static enum dse_status race_data(const struct dse_request *request, const struct dse_executor *executor,
                                 const struct dse_dataset *data, const char *word, const char *path, struct dse_profile **out, struct dse_error *err)
{
    struct dse_raced raced;
    struct dse_racing what = {.executor = executor, .dataset = data, .first_seed = request->seed,
                              .word = word, .data_dir = dse_request_word(request, "data-dir"), .crew = dse_request_crew(request),
                              .units = DSE_RACING_UNITS, .deadline_s = dse_clock_s() + dse_terms_seconds(request),
                              .monitor = request->monitor, .command = "surveyed by racing"};
    struct dse_setting preset = {0};
    DSE_TRY(dse_executor_preset(executor, "paper", data, 0, &preset, err)); /* data that cannot be trained on are told first */
    dse_setting_free(&preset);
    dse_request_note(request, "%s is surveyed now, for about a minute on two cores", data->name);
    char *part = part_of(path);
    what.scores = part;
    enum dse_status status = dse_racing_survey(&what, out, &raced, err);
    free(part);
    if (status == DSE_CANCELLED && raced.kept)
        dse_request_note(request, "%s: the trainings are kept: the next survey goes on from them", data->name);
    DSE_TRY(status);
    bool kept = !raced.cut && dse_cache_keep(path, *out);
    tell_raced(request, data, executor, &raced, kept ? path : NULL);
    return DSE_OK;
}

/* Measures what a survey asks for, or, where that is for later, keeps what is to be measured. */
static enum dse_status survey_grid(const struct dse_request *request, const char *name, const struct dse_executor *executor,
                                   struct dse_dataset *data, const char *path, struct dse_workbench *bench, struct dse_error *err)
{
    bool costly = too_costly(executor, data), later = bench->measures_later && !costly; /* its work alone: nothing is left for later */
    struct dse_grid grid = {0};
    struct dse_profile *profile = NULL;
    struct dse_survey what = {.executor = executor, .dataset = data, .preset = "paper", .grid = &grid,
                                   .seeds = quick_seeds(executor, data), .first_seed = request->seed, .jobs = request->jobs,
                                   .monitor = request->monitor, .command = "measured on the fly"};
    enum dse_status status = quick_grid(executor, data, &grid, err);
    if (status == DSE_OK && costly)
        dse_request_note(request, "%s: its work is measured now, its quality is not: a training of %s takes too long; --free KNOB, `train` and "
                         "`datasets profile` train", data->name, executor->family);
    else if (status == DSE_OK && !later)
        dse_request_note(request, "%s is measured now; `nysx-dse datasets profile %s -o FILE.xml` keeps it for the next time",
                         data->name, name);
    if (status == DSE_OK)
        status = later ? dse_survey_nothing(&what, &profile, err) : dse_survey_profile(&what, &profile, err);
    if (status == DSE_OK && costly && dse_cache_keep(path, profile))
        dse_request_note(request, "%s: kept in %s for the next question", data->name, path);
    if (status == DSE_OK && !bench->measures_later)
        status = measure_asked(request, bench, &what, &profile, err);
    if (status != DSE_OK)
        dse_profile_free(profile);
    size_t before = bench->profile_count;
    if (status == DSE_OK)
        status = keep_profile(bench, profile, name, err);
    if (bench->profile_count > before && later) {
        bench->sources[bench->profile_count - 1].survey = grid;
        bench->sources[bench->profile_count - 1].bare = true;
        return DSE_OK;
    }
    dse_grid_free(&grid);
    return status;
}

/* Data without a shipped profile: what was found before; else, where a search is to come, a race. */
static enum dse_status measure_data(const struct dse_request *request, const char *name, const struct dse_executor *executor,
                                    struct dse_dataset *data, struct dse_workbench *bench, struct dse_error *err)
{
    struct dse_survey what = {.executor = executor, .dataset = data, .preset = "paper", .seeds = quick_seeds(executor, data),
                              .first_seed = request->seed, .jobs = request->jobs, .monitor = request->monitor,
                              .command = "measured on the fly"};
    bool keeps = executor->race != NULL || executor->costly;
    char *path = keeps ? dse_cache_path(executor->family, data->hash, request->seed) : NULL;
    struct dse_profile *profile = NULL;
    enum dse_status status = dse_cache_find(path, executor->family, data->hash, &profile, err);
    if (profile != NULL)
        dse_request_note(request, "%s: surveyed before: %s", data->name, path);
    else if (status == DSE_OK && executor->race != NULL && bench->measures_later && !too_costly(executor, data))
        status = race_data(request, executor, data, name, path, &profile, err);
    bool surveys = status == DSE_OK && profile == NULL;
    if (surveys)
        status = survey_grid(request, name, executor, data, path, bench, err);
    free(path);
    if (surveys)
        return status;
    if (status == DSE_OK && !bench->measures_later)
        status = measure_asked(request, bench, &what, &profile, err);
    if (status == DSE_OK)
        return keep_profile(bench, profile, name, err);
    dse_profile_free(profile);
    return status;
}

/* The shipped profile of the family that was measured on these very data, by name or by hash; NULL where there is none. */
static enum dse_status find_known(const char *family, const char *dataset, uint64_t hash, struct dse_profile **out, struct dse_error *err)
{
    char **names = NULL;
    size_t count = 0;
    *out = NULL;
    enum dse_status status = dse_profile_names("*", &names, &count, err);
    for (size_t n = 0; n < count && status == DSE_OK && *out == NULL; n++) {
        struct dse_profile *profile = NULL;
        status = dse_profile_open(names[n], &profile, err);
        bool same = status == DSE_OK && (dataset != NULL ? strcmp(profile->dataset, dataset) == 0 : profile->dataset_hash == hash);
        if (same && strcmp(profile->family, family) == 0)
            *out = profile;
        else if (status == DSE_OK)
            dse_profile_free(profile);
    }
    if (names != NULL)
        dse_share_names_free(names, count);
    return status;
}

/* The data that a shipped profile was measured on are treated as if they were named, whatever their path. */
static enum dse_status use_known(const struct dse_request *request, const char *name, const struct dse_executor *executor,
                                 struct dse_dataset *data, struct dse_profile *profile, struct dse_workbench *bench,
                                 struct dse_error *err)
{
    struct dse_survey what = {.executor = executor, .dataset = data, .preset = "paper", .seeds = quick_seeds(executor, data),
                              .first_seed = request->seed, .jobs = request->jobs, .monitor = request->monitor,
                              .command = "measured on the fly"};
    dse_request_note(request, "%s: these are the data of the shipped profile %s, which is used", name, profile->dataset);
    enum dse_status status = bench->measures_later ? DSE_OK : measure_asked(request, bench, &what, &profile, err);
    if (status == DSE_OK)
        return keep_profile(bench, profile, name, err);
    dse_profile_free(profile);
    return status;
}

static enum dse_status measure(const struct dse_request *request, const char *name, struct dse_workbench *bench,
                               struct dse_error *err)
{
    const struct dse_executor *executor = dse_executor_find(dse_request_family(request));
    if (executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--dataset %s: the family %s cannot measure data sets; name a shipped profile",
                        name, dse_request_family(request));
    for (size_t i = 0; i < bench->profile_count; i++)
        if (strcmp(bench->sources[i].word, name) == 0)
            return DSE_OK; /* named twice */
    struct dse_dataset *data = NULL;
    enum dse_status status = dse_dataset_open(name, dse_request_word(request, "data-dir"), &data, err);
    struct dse_profile *known = NULL;
    if (status == DSE_OK)
        status = find_known(executor->family, NULL, data->hash, &known, err);
    if (status == DSE_OK)
        status = known != NULL ? use_known(request, name, executor, data, known, bench, err)
                               : measure_data(request, name, executor, data, bench, err);
    dse_dataset_free(data);
    return status;
}

static bool is_profile_file(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".xml") == 0;
}

static enum dse_status open_named(const char *pattern, struct dse_workbench *bench,
                                  struct dse_error *err)
{
    char **names = NULL;
    size_t count = 0;
    enum dse_status status = dse_profile_names(pattern, &names, &count, err);
    for (size_t n = 0; n < count && status == DSE_OK; n++) {
        struct dse_profile *profile = NULL;
        bool other = (status = dse_profile_open(names[n], &profile, err)) == DSE_OK && strcmp(profile->family, bench->family->name) != 0;
        if (other && strpbrk(pattern, "*?") == NULL) { /* a data set that this family was measured on too */
            struct dse_profile *own = NULL;
            status = find_known(bench->family->name, profile->dataset, 0, &own, err);
            if (own != NULL) {
                dse_profile_free(profile);
                profile = own;
            }
            other = own == NULL && status != DSE_OK;
        }
        if (other)
            dse_profile_free(profile); /* a pattern means those of the family */
        else if (status == DSE_OK)
            status = keep_profile(bench, profile, profile->dataset, err);
    }
    if (names != NULL)
        dse_share_names_free(names, count);
    return status;
}

/* A name that no profile has may be a data set's: `err` says already what is wrong with it, and is left as it is unless the system
 * refuses. */
static enum dse_status measure_elsewhere(const struct dse_request *request, const char *name, struct dse_workbench *bench,
                                         struct dse_error *err)
{
    struct dse_error elsewhere;
    enum dse_status status = measure(request, name, bench, &elsewhere);
    if (status == DSE_OK)
        return DSE_OK;
    if (status != DSE_LIMIT && status != DSE_CANCELLED)
        return DSE_BAD_USAGE;
    *err = elsewhere;
    return status;
}

static enum dse_status open_dataset(const struct dse_request *request, const char *name, struct dse_workbench *bench,
                                    struct dse_error *err)
{
    struct dse_profile *profile = NULL;
    enum dse_status status;
    if (is_profile_file(name)) {
        status = dse_profile_open(name, &profile, err);
    } else if (dse_dataset_is_path(name)) {
        status = measure(request, name, bench, err);
    } else {
        status = open_named(name, bench, err);
        if (status == DSE_BAD_USAGE && strpbrk(name, "*?") == NULL)
            status = measure_elsewhere(request, name, bench, err);
    }
    return status == DSE_OK && profile != NULL ? keep_profile(bench, profile, profile->dataset, err) : status;
}

/* Patterns of shipped profiles' names, parted by commas. */
static enum dse_status open_listed(const struct dse_request *request, const char *patterns, struct dse_workbench *bench,
                                   struct dse_error *err)
{
    while (*patterns != '\0') {
        char pattern[256];
        size_t length = strcspn(patterns, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)(length < sizeof pattern ? length : sizeof pattern - 1), patterns);
        DSE_TRY(open_dataset(request, pattern, bench, err));
        patterns += length + (patterns[length] == ',');
    }
    return DSE_OK;
}

static enum dse_status open_datasets(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    size_t given = dse_request_count(request, "dataset"), lists = dse_request_count(request, "across");
    if (given + lists == 0 && bench->profile_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "needs --dataset NAME|PATH; `nysx-dse datasets list` shows the shipped profiles");
    for (size_t i = 0; i < given; i++)
        DSE_TRY(open_dataset(request, dse_request_word_at(request, "dataset", i), bench, err));
    for (size_t i = 0; i < lists; i++)
        DSE_TRY(open_listed(request, dse_request_word_at(request, "across", i), bench, err));
    if (bench->profile_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--dataset: no shipped profile of the family %s matches", bench->family->name);
    for (size_t i = 0; i < bench->profile_count; i++)
        if (strcmp(bench->profiles[i]->family, bench->family->name) != 0)
            return dse_fail(err, DSE_BAD_USAGE, "--dataset %s: the profile is of the family %s, not %s",
                            bench->profiles[i]->dataset, bench->profiles[i]->family, bench->family->name);
    for (size_t i = 0; i < bench->profile_count; i++) {
        const char *assumed = dse_setting_get(&bench->profiles[i]->facts, DSE_PROFILE_ASSUMED);
        if (assumed != NULL)
            dse_request_note(request, "%s: assumed, not measured: %s", bench->profiles[i]->dataset, assumed);
    }
    return DSE_OK;
}

static const char *calibration_of(const struct dse_request *request, const struct dse_stored *from)
{
    const char *given = dse_request_word(request, "calibration");
    if (given != NULL)
        return strcmp(given, "none") != 0 ? given : NULL;
    return from->calibration[0] != '\0' ? from->calibration : NULL;
}

static enum dse_status take_from(const struct dse_request *request, struct dse_stored *from, struct dse_workbench *bench,
                                 struct dse_error *err)
{
    if (strcmp(from->family, bench->family->name) != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--from %s: the study is of the family %s, not %s; --family says which",
                        dse_request_word(request, "from"), from->family, bench->family->name);
    dse_setting_copy(&from->config, &bench->from);
    enum dse_status status = DSE_OK;
    if (bench->headroom < 0.0 && from->headroom[0] != '\0')
        dse_request_share(from->headroom, &bench->headroom);
    if (status == DSE_OK && dse_request_count(request, "board") == 0) {
        status = keep_board(from->board, calibration_of(request, from), bench, err);
        from->board = NULL;
    }
    bool named = dse_request_count(request, "dataset") + dse_request_count(request, "across") > 0;
    for (size_t i = 0; i < from->profile_count && status == DSE_OK && !named; i++) {
        status = keep_profile(bench, from->profiles[i], from->profiles[i]->dataset, err);
        from->profiles[i] = NULL;
    }
    return status;
}

/* The space, and the point of --from with the board and the data sets that are not named otherwise. */
static enum dse_status open_from(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    if (dse_request_word(request, "from") == NULL)
        return dse_model_space(bench->family, dse_request_word(request, "space"), &bench->space, err);
    struct dse_stored from;
    enum dse_status status = dse_stored_open(request, &from, err);
    const char *space = dse_request_word(request, "space");
    if (space == NULL && from.space[0] != '\0')
        space = from.space;
    if (status == DSE_OK)
        status = dse_model_space(bench->family, space, &bench->space, err);
    if (status == DSE_OK)
        status = take_from(request, &from, bench, err);
    dse_stored_free(&from);
    return status;
}

static enum dse_status open_bench(const struct dse_request *request, bool measures_later, struct dse_workbench *bench,
                                  struct dse_error *err)
{
    *bench = (struct dse_workbench){.headroom = -1.0, .measures_later = measures_later};
    enum dse_status status = find_family(request, bench, err);
    if (status == DSE_OK)
        status = dse_request_real(request, "headroom", 0.0, 0.95, -1.0, &bench->headroom, err);
    if (status == DSE_OK)
        status = open_from(request, bench, err);
    if (status == DSE_OK)
        status = open_boards(request, bench, err);
    if (status == DSE_OK)
        status = open_datasets(request, bench, err);
    if (status != DSE_OK)
        dse_workbench_close(bench);
    return status;
}

enum dse_status dse_workbench_open(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    return open_bench(request, false, bench, err);
}

enum dse_status dse_workbench_open_bare(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    return open_bench(request, true, bench, err);
}

void dse_workbench_close(struct dse_workbench *bench)
{
    for (size_t i = 0; i < bench->board_count; i++) {
        dse_board_free(bench->boards[i]);
        dse_costs_free(bench->costs[i]);
    }
    for (size_t i = 0; i < bench->profile_count; i++) {
        dse_profile_free(bench->profiles[i]);
        dse_grid_free(&bench->sources[i].survey);
        free(bench->sources[i].word);
    }
    free(bench->sources);
    free(bench->boards);
    free(bench->costs);
    free(bench->profiles);
    dse_space_free(bench->space);
    dse_setting_free(&bench->from);
    *bench = (struct dse_workbench){0};
}

enum dse_status dse_workbench_base(const struct dse_workbench *bench, const struct dse_profile *profile,
                                   struct dse_config *config, struct dse_error *err)
{
    dse_space_default(bench->space, config);
    enum dse_status status = dse_config_apply(bench->space, config, &profile->preset, err);
    if (status == DSE_OK)
        status = dse_config_apply(bench->space, config, &bench->from, err);
    dse_config_canonical(bench->space, config);
    return status;
}

enum dse_status dse_workbench_set(const struct dse_request *request, const struct dse_workbench *bench, struct dse_config *config,
                                  struct dse_error *err)
{
    DSE_TRY(dse_request_assigned_once(request, "set", err));
    for (size_t i = 0; i < dse_request_count(request, "set"); i++)
        DSE_TRY(dse_config_assign(bench->space, config, dse_request_word_at(request, "set", i), err));
    dse_config_canonical(bench->space, config);
    return DSE_OK;
}

enum dse_status dse_workbench_config(const struct dse_request *request, const struct dse_workbench *bench,
                                     const struct dse_profile *profile, struct dse_config *config,
                                     struct dse_error *err)
{
    DSE_TRY(dse_workbench_base(bench, profile, config, err));
    return dse_workbench_set(request, bench, config, err);
}

enum dse_status dse_workbench_setup(const struct dse_workbench *bench, size_t board,
                                    const struct dse_profile *profile, const struct dse_config *config,
                                    struct dse_setup *setup, struct dse_error *err)
{
    *setup = (struct dse_setup){.family = bench->family, .space = bench->space, .board = bench->boards[board],
                                .costs = bench->costs[board], .headroom = bench->headroom};
    return dse_profile_work(bench->space, profile, config, &setup->workload, err);
}
