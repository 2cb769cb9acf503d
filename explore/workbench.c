#include "explore/workbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "devices/hosts.h"
#include "explore/cache.h"
#include "explore/calibrated.h"
#include "explore/point.h"
#include "explore/racing.h"
#include "explore/survey.h"
#include "explore/terms.h"
#include "models/described/described.h"
#include "executor/executor.h"
#include "search/profiled.h"

/* Splits per setting when an unknown data set is measured on the fly. They are enough to choose among the settings of the executor's survey, and few
 * enough to wait for. `datasets profile` measures more. */
#define QUICK_SEEDS 3

/* --flow: selects the HLS or the SystemVerilog accelerator. */
static enum dse_status choose_flow(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    bool in_rtl;
    DSE_TRY(dse_request_in_rtl(request, &in_rtl, err));
    if (!in_rtl)
        return DSE_OK;
    if (bench->family->in_rtl == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--flow rtl: the family %s has no RTL", bench->family->name);
    if (dse_request_word(request, "study") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--flow rtl: a study holds only designs of --flow hls");
    bench->family = bench->family->in_rtl;
    return DSE_OK;
}

static enum dse_status find_family(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    const char *word = dse_request_family(request);
    bench->family = dse_request_word(request, "family") == NULL ? dse_model_find(word) : NULL; /* as in the study of --from */
    if (bench->family == NULL)
        DSE_TRY(dse_model_open(word, &bench->family, err));
    return choose_flow(request, bench, err);
}

struct names {
    char **items; /* count */
    size_t count;
};

static void free_names(struct names *names)
{
    if (names->items != NULL)
        dse_share_names_free(names->items, names->count);
}

static size_t quick_seeds(const struct dse_executor *executor, const struct dse_dataset *data);

/* Whether the board was named before, by name or by pattern. */
static bool has_board(const struct dse_workbench *bench, const struct dse_board *board)
{
    for (size_t i = 0; i < bench->board_count; i++)
        if (dse_file_same(bench->boards[i]->file, board->file))
            return true;
    return false;
}

/* Calibrations by open synthesis apply only to the RTL. */
static enum dse_status check_level(const struct dse_workbench *bench, const struct dse_costs *costs, struct dse_error *err)
{
    bool in_rtl = bench->family == bench->family->in_rtl;
    if (dse_costs_of_open_synthesis(costs) == in_rtl)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "%s: fitted to %s, which does not apply to --flow %s", dse_costs_calibration(costs),
                    in_rtl ? "reports of high-level synthesis" : "open synthesis of SystemVerilog", in_rtl ? "rtl" : "hls");
}

/* Host path: the request's, that of the study's question, or the board's default. */
static enum dse_status choose_host(const struct dse_request *request, const struct dse_workbench *bench, struct dse_board *board, struct dse_error *err)
{
    int64_t batch = 1;
    const char *name = dse_request_word(request, "host");
    DSE_TRY(dse_request_integer(request, "batch", 1, 1000000000, bench->from_batch > 0 ? bench->from_batch : 1, &batch, err));
    if ((batch > 1 || dse_request_word(request, "rate") != NULL) && bench->board_count == 1 && !dse_family_queues(bench->family))
        dse_request_note(request, "the family %s has no queue: each item takes its own start of the host", bench->family->name);
    return dse_host_choose(board, name != NULL ? name : *bench->from_host != '\0' ? bench->from_host : NULL, batch, err);
}

/* Adds the board (takes ownership) with its cost library: shipped, or calibrated by `calibration` (NULL: none). */
static enum dse_status keep_board(const struct dse_request *request, struct dse_board *board, const char *calibration, struct dse_workbench *bench,
                                  struct dse_error *err)
{
    size_t count = bench->board_count;
    bench->boards = dse_realloc_array(bench->boards, count + 1, sizeof *bench->boards);
    bench->costs = dse_realloc_array(bench->costs, count + 1, sizeof *bench->costs);
    bench->boards[count] = board;
    bench->costs[count] = NULL;
    bench->board_count++;
    DSE_TRY(choose_host(request, bench, board, err));
    DSE_TRY(dse_costs_for_board(board, calibration, &bench->costs[count], err));
    return calibration != NULL ? check_level(bench, bench->costs[count], err) : DSE_OK;
}

/* Adds the board; takes ownership. */
static enum dse_status add_board(const struct dse_request *request, struct dse_board *board, struct dse_workbench *bench, struct dse_error *err)
{
    if (has_board(bench, board)) {
        dse_board_free(board);
        return DSE_OK;
    }
    char *calibration DSE_CLEANUP(dse_free_at) = dse_calibrated_of(request, board);
    return keep_board(request, board, calibration, bench, err);
}

/* Boards of one name, from files in different folders, are named by their files. */
static void tell_boards_apart(struct dse_workbench *bench)
{
    for (size_t i = 0; i < bench->board_count; i++) {
        const char *name = bench->boards[i]->name;
        bool named = false;
        for (size_t k = i + 1; k < bench->board_count; k++)
            if (strcmp(bench->boards[k]->name, name) == 0) {
                dse_board_rename(bench->boards[k], bench->boards[k]->file);
                named = true;
            }
        if (named)
            dse_board_rename(bench->boards[i], bench->boards[i]->file);
    }
}

/* Adds the boards that a word names; of several, those that have the path of --host. */
static enum dse_status add_boards(const struct dse_request *request, const char *word, struct dse_workbench *bench, struct dse_error *err)
{
    struct names names DSE_CLEANUP(free_names) = {0};
    const char *host = dse_request_word(request, "host");
    size_t without = 0;
    struct dse_error ignored;
    DSE_TRY(dse_board_names(word, &names.items, &names.count, err));
    for (size_t n = 0; n < names.count; n++) {
        struct dse_board *board = NULL;
        DSE_TRY(dse_board_open(names.items[n], &board, err));
        if (host != NULL && without + 1 < names.count && dse_host_choose(board, host, 1, &ignored) != DSE_OK) {
            dse_board_free(board);
            without++;
            continue;
        }
        DSE_TRY(add_board(request, board, bench, err));
    }
    if (without > 0)
        dse_request_note(request, "--board %s: %zu of %zu boards have no host path %s and are left out", word, without, names.count, host);
    return DSE_OK;
}

static enum dse_status open_boards(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    size_t given = dse_request_count(request, "board");
    struct dse_board *board = NULL;
    if (given == 0 && bench->board_count > 0)
        return DSE_OK;
    if (given == 0) {
        DSE_TRY(dse_described_board(bench->family, &board, err));
        return add_board(request, board, bench, err);
    }
    for (size_t i = 0; i < given; i++)
        DSE_TRY(add_boards(request, dse_request_word_at(request, "board", i), bench, err));
    tell_boards_apart(bench);
    return DSE_OK;
}

/* Automatic survey of new data. */
/* Figure of a model that --metric asks a search to optimise instead of the family's quality, or NULL. For other commands --metric names a design's
 * metric. */
static const char *judged_by(const struct dse_request *request, const struct dse_workbench *bench)
{
    const char *metric = bench->measures_later ? dse_request_word(request, "metric") : NULL;
    return metric != NULL ? dse_quality_gain(metric) : NULL;
}

/* Whether the profile's settings were judged by --metric's figure; true without --metric, or if none was judged. */
static bool judged_so(const struct dse_request *request, const struct dse_workbench *bench, const struct dse_profile *profile)
{
    const char *metric = judged_by(request, bench);
    return metric == NULL || profile->quality_count == 0 || strcmp(profile->qualities[0].name, metric) == 0;
}

static struct dse_survey survey_of(const struct dse_request *request, const struct dse_workbench *bench, const struct dse_executor *executor,
                                   struct dse_dataset *data)
{
    return (struct dse_survey){.metric = judged_by(request, bench), .executor = executor, .dataset = data, .seeds = quick_seeds(executor, data),
                               .first_seed = request->seed, .jobs = request->jobs, .monitor = request->monitor,
                               .command = DSE_SURVEY_QUICK};
}

/* Whether the same profile was named before, in any form. */
static enum dse_status has_profile(const struct dse_workbench *bench, const struct dse_profile *profile, bool *has,
                                   struct dse_error *err)
{
    struct dse_strbuf own DSE_CLEANUP(dse_strbuf_free) = {0};
    *has = false;
    if (bench->profile_count > 0)
        DSE_TRY(dse_profile_format(profile, &own, err));
    for (size_t i = 0; i < bench->profile_count && !*has; i++) {
        struct dse_strbuf other DSE_CLEANUP(dse_strbuf_free) = {0};
        if (strcmp(bench->profiles[i]->dataset, profile->dataset) != 0)
            continue;
        DSE_TRY(dse_profile_format(bench->profiles[i], &other, err));
        *has = strcmp(dse_strbuf_text(&own), dse_strbuf_text(&other)) == 0;
    }
    return DSE_OK;
}

/* Adds the profile once (takes ownership); `word` finds its data. */
static enum dse_status keep_profile(struct dse_workbench *bench, struct dse_profile *profile, const char *word,
                                    struct dse_error *err)
{
    bool has = false;
    dse_profile_complete(bench->family->knobs, profile);
    enum dse_status status = has_profile(bench, profile, &has, err);
    if (status != DSE_OK || has) {
        dse_profile_free(profile);
        return status;
    }
    size_t count = bench->profile_count++;
    bench->profiles = dse_realloc_array(bench->profiles, count + 1, sizeof *bench->profiles);
    bench->sources = dse_realloc_array(bench->sources, count + 1, sizeof *bench->sources);
    bench->sources[count] = (struct dse_source){.word = dse_strdup(word)};
    bench->profiles[count] = profile;
    return DSE_OK;
}

/* One axis of a survey: its numbers below the preset's, all its words, and the preset's own value. */
static enum dse_status survey_axis(const struct dse_executor *executor, const struct dse_survey_axis *axis,
                                   const struct dse_setting *preset, struct dse_grid *grid, struct dse_error *err)
{
    const char *own = dse_setting_get(preset, axis->parameter);
    bool words = dse_knobs_trained(executor->knobs, axis->parameter)->type == DSE_KNOB_CHOICE;
    struct dse_strbuf values DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t i = 0; axis->values[i] != NULL; i++)
        if (words ? strcmp(axis->values[i], own) != 0 : strtod(axis->values[i], NULL) < strtod(own, NULL))
            dse_strbuf_printf(&values, "%s,", axis->values[i]);
    dse_strbuf_add(&values, own);
    return dse_grid_add(grid, axis->parameter, dse_strbuf_text(&values), err);
}

/* Settings of a quick profile: the executor's survey around its preset. */
static enum dse_status quick_grid(const struct dse_executor *executor, const struct dse_dataset *data,
                                  struct dse_grid *grid, struct dse_error *err)
{
    struct dse_setting preset DSE_CLEANUP(dse_setting_free) = {0};
    DSE_TRY(dse_executor_preset(executor, NULL, data, 0, &preset, err));
    for (size_t i = 0; i < executor->survey_count; i++)
        DSE_TRY(survey_axis(executor, &executor->survey[i], &preset, grid, err));
    return DSE_OK;
}

/* Single-value lists that make a configuration's algorithmic setting. */
static enum dse_status one_setting(const struct dse_executor *executor, const struct dse_setting *setting,
                                   struct dse_grid *grid, struct dse_error *err)
{
    for (size_t i = 0; i < setting->count; i++)
        if (dse_knobs_trained(executor->knobs, setting->pairs[i].name) != NULL)
            DSE_TRY(dse_grid_add(grid, setting->pairs[i].name, setting->pairs[i].value, err));
    return DSE_OK;
}

/* Whether training runs on new data take too long to wait for: then only workloads are computed. */
static bool too_costly(const struct dse_executor *executor, const struct dse_dataset *data)
{
    return executor->costly && !dse_racing_affords(executor, data, DSE_RACING_UNITS);
}

/* Settings tried on new data by default. */
static size_t quick_seeds(const struct dse_executor *executor, const struct dse_dataset *data)
{
    return too_costly(executor, data) ? 0 : QUICK_SEEDS;
}

/* Adds the setting of --set to the survey's, if missing. The command itself reports errors in --set. */
static enum dse_status measure_asked(const struct dse_request *request, const struct dse_workbench *bench,
                                     const struct dse_survey *survey, struct dse_profile **profile,
                                     struct dse_error *err)
{
    struct dse_config config;
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    struct dse_grid grid DSE_CLEANUP(dse_grid_free) = {0};
    struct dse_profile *more = NULL;
    struct dse_survey what = *survey;
    what.grid = &grid;
    what.extend = *profile;
    if (dse_request_count(request, "set") == 0 || dse_workbench_config(request, bench, 0, *profile, &config, err) != DSE_OK)
        return DSE_OK;
    dse_config_setting(bench->space, &config, dse_space_of_kind(bench->space, DSE_KNOB_ALGORITHMIC), &setting);
    if (dse_profile_workload(*profile, &setting) != NULL)
        return DSE_OK;
    DSE_TRY(one_setting(what.executor, &setting, &grid, err));
    DSE_TRY(dse_survey_profile(&what, &more, err));
    dse_profile_free(*profile);
    *profile = more;
    return DSE_OK;
}

/* Rounds an estimate: one digit, or from 10 on multiples of five. */
static double round_to(double seconds)
{
    return seconds < 10 ? rint(seconds) : 5 * rint(seconds / 5);
}

/* Notes the course of a survey. */
static void tell_raced(const struct dse_request *request, const struct dse_dataset *data, const struct dse_executor *executor,
                       const struct dse_raced *raced, bool measured, const char *end, const char *kept)
{
    char found[64] = "", rest[64] = "";
    if (raced->found > 0)
        snprintf(found, sizeof found, ", %zu of them by an earlier interrupted survey", raced->found);
    dse_request_note(request, "%s: %zu settings raced in %zu training runs%s (%.0f of %s%.0f units of work); %zu stopped by paired tests at 5 %%, "
                     "%zu reported on held-out splits", data->name, raced->settings, raced->trainings, found,
                     raced->units, raced->cut ? "about " : "", raced->whole, raced->stopped, raced->reported);
    if (raced->cut && !isnan(raced->left_s))
        snprintf(rest, sizeof rest, ", whose rest takes about %.0f s at this pace", fmax(1, round_to(raced->left_s)));
    if (raced->cut || raced->ended)
        dse_request_note(request, "%s: %s ended the survey%s%s%s", data->name, end, rest,
                         *raced->untried != '\0' ? "; not measured, or only in part: " : "", raced->untried);
    if (!measured)
        dse_request_note(request, "%s: no quality was measured before %s ended the survey: this answer ignores quality; a longer survey measures it",
                         data->name, end);
    dse_request_note(request, "%s: a survey never varies %s; --free KNOB and `datasets profile` do", data->name,
                     executor->race->untried);
    if (kept != NULL)
        dse_request_note(request, "%s: kept in %s for later searches", data->name, kept);
    else if (raced->kept)
        dse_request_note(request, "%s: the training runs are saved; the next survey continues from them", data->name);
}

/* Path ending in ".part"; NULL if nothing can be stored. */
static char *part_of(const char *path)
{
    struct dse_strbuf text = {0};
    if (path == NULL || !dse_cache_prepare(path))
        return NULL;
    dse_strbuf_printf(&text, "%s.part", path);
    return text.text;
}

/* Profile of unmeasured data: an earlier survey's, or a new one. */
static enum dse_status race_data(const struct dse_request *request, const struct dse_executor *executor,
                                 const struct dse_dataset *data, const char *word, const char *path, const char *metric, struct dse_profile **out, struct dse_error *err)
{
    struct dse_raced raced;
    struct dse_racing what = {.executor = executor, .dataset = data, .first_seed = request->seed,
                              .metric = metric, .word = word, .data_dir = dse_request_word(request, "data-dir"), .crew = dse_request_crew(request),
                              .units = DSE_RACING_UNITS, .go_on = request->go_on, .user = request->user, .deadline_s = dse_clock_s() + dse_terms_seconds(request),
                              .monitor = request->monitor, .command = DSE_SURVEY_RACED};
    struct dse_setting preset = {0};
    DSE_TRY(dse_executor_preset(executor, NULL, data, 0, &preset, err)); /* first reports data that cannot be trained on */
    dse_setting_free(&preset);
    double whole_s = fmax(1, round_to(dse_racing_seconds(executor, data, what.units))), most_s = dse_terms_seconds(request);
    if (most_s < whole_s)
        dse_request_note(request, "%s is surveyed now, for %.3g s; a whole survey takes about %.0f s on two idle cores", data->name, most_s, whole_s);
    else
        dse_request_note(request, "%s is surveyed now, for about %.0f s on two idle cores", data->name, whole_s);
    char *part = part_of(path);
    what.scores = part;
    enum dse_status status = dse_racing_survey(&what, out, &raced, err);
    free(part);
    if (status == DSE_CANCELLED && raced.kept)
        dse_request_note(request, "%s: the training runs are saved; the next survey continues from them", data->name);
    DSE_TRY(status);
    bool kept = !raced.cut && dse_cache_keep(path, *out);
    tell_raced(request, data, executor, &raced, (*out)->quality_count > 0,
               raced.asked ? "an interrupt" : raced.cut ? "--budget" : "the budget of work", kept ? path : NULL);
    return DSE_OK;
}

/* Measures the settings of a survey, or stores the list if they are measured later. */
static enum dse_status survey_grid(const struct dse_request *request, const char *name, const struct dse_executor *executor,
                                   struct dse_dataset *data, const char *path, struct dse_workbench *bench, struct dse_profile **profile,
                                   struct dse_error *err)
{
    bool costly = too_costly(executor, data), later = bench->measures_later && !costly && judged_by(request, bench) == NULL; /* only workloads: nothing is left for later */
    struct dse_grid grid DSE_CLEANUP(dse_grid_free) = {0};
    struct dse_survey what = survey_of(request, bench, executor, data);
    what.grid = &grid;
    DSE_TRY(quick_grid(executor, data, &grid, err));
    if (costly)
        dse_request_note(request, "%s: its workload is measured now, but not its quality, because a training run of %s takes too long; --free KNOB, `train` or "
                         "`datasets profile` train", data->name, executor->family);
    else if (!later)
        dse_request_note(request, "%s is measured now%s%s%s", data->name, bench->ranks ? "" : "; `nysx-dse datasets profile ", bench->ranks ? "" : name,
                         bench->ranks ? "" : " -o FILE.xml` saves the result");
    DSE_TRY(later ? dse_survey_nothing(&what, profile, err) : dse_survey_profile(&what, profile, err));
    if (costly && dse_cache_keep(path, *profile))
        dse_request_note(request, "%s: kept in %s for later searches", data->name, path);
    if (!later)
        return DSE_OK;
    size_t before = bench->profile_count;
    enum dse_status status = keep_profile(bench, *profile, name, err);
    *profile = NULL;
    if (bench->profile_count > before) {
        bench->sources[before].survey = grid;
        bench->sources[before].bare = true;
        grid = (struct dse_grid){0};
    }
    return status;
}

/* Adds the setting of --set unless a search measures it, and adds the profile; takes ownership. */
static enum dse_status take_profile(const struct dse_request *request, const char *name, const struct dse_executor *executor,
                                    struct dse_dataset *data, struct dse_profile *profile, struct dse_workbench *bench, struct dse_error *err)
{
    struct dse_survey what = survey_of(request, bench, executor, data);
    enum dse_status status = bench->measures_later ? DSE_OK : measure_asked(request, bench, &what, &profile, err);
    if (status == DSE_OK)
        return keep_profile(bench, profile, name, err);
    dse_profile_free(profile);
    return status;
}

/* Profile of data without a shipped profile: an earlier survey's; otherwise, before a search, from a race. */
static enum dse_status measure_data(const struct dse_request *request, const char *name, const struct dse_executor *executor,
                                    struct dse_dataset *data, struct dse_workbench *bench, struct dse_error *err)
{
    bool keeps = (executor->race != NULL || executor->costly) && judged_by(request, bench) == NULL;
    char *path DSE_CLEANUP(dse_free_at) = keeps ? dse_cache_path(executor->family, data->hash, request->seed) : NULL;
    struct dse_profile *profile = NULL;
    DSE_TRY(dse_cache_find(path, executor->family, data->hash, &profile, err));
    if (profile != NULL && profile->quality_count > 0 && dse_profile_reference_quality(profile) == NULL) { /* from a version that did not measure the reference */
        dse_profile_free(profile);
        profile = NULL;
    }
    if (profile != NULL) {
        dse_request_note(request, "%s: surveyed before: %s", data->name, path);
        free(profile->dataset); /* the current name replaces it */
        profile->dataset = dse_strdup(data->name);
    } else if (executor->race != NULL && bench->measures_later && !too_costly(executor, data))
        DSE_TRY(race_data(request, executor, data, name, path, judged_by(request, bench), &profile, err));
    else
        DSE_TRY(survey_grid(request, name, executor, data, path, bench, &profile, err));
    return profile != NULL ? take_profile(request, name, executor, data, profile, bench, err) : DSE_OK;
}

/* Shipped profile of the family measured on the same data, by name or by hash; NULL if none. */
static enum dse_status find_known(const char *family, const char *dataset, uint64_t hash, struct dse_profile **out, struct dse_error *err)
{
    struct names names DSE_CLEANUP(free_names) = {0};
    *out = NULL;
    DSE_TRY(dse_profile_names("*", &names.items, &names.count, err));
    for (size_t n = 0; n < names.count && *out == NULL; n++) {
        struct dse_profile *profile = NULL;
        DSE_TRY(dse_profile_open(names.items[n], &profile, err));
        bool same = dataset != NULL ? strcmp(profile->dataset, dataset) == 0 : profile->dataset_hash == hash;
        if (same && strcmp(profile->family, family) == 0)
            *out = profile;
        else
            dse_profile_free(profile);
    }
    return DSE_OK;
}

static enum dse_status measure(const struct dse_request *request, const char *name, struct dse_workbench *bench,
                               struct dse_error *err)
{
    const struct dse_executor *executor = dse_executor_find(dse_request_family(request));
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    struct dse_profile *known = NULL;
    if (executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--dataset %s: the family %s cannot measure data sets; name a shipped profile",
                        name, dse_request_family(request));
    for (size_t i = 0; i < bench->profile_count; i++)
        if (strcmp(bench->sources[i].word, name) == 0)
            return DSE_OK; /* named twice */
    DSE_TRY(dse_dataset_open(name, dse_request_word(request, "data-dir"), &data, err));
    if (bench->ranks && data->kind->rank_edges != NULL)
        data->kind->rank_edges(data);
    const char *remark = data->kind->remark != NULL ? data->kind->remark(data->content) : NULL;
    if (remark != NULL && data->kind->set_target != NULL)
        dse_request_note(request, "%s %s", data->name, remark);
    DSE_TRY(find_known(executor->family, NULL, data->hash, &known, err));
    if (known != NULL && !judged_so(request, bench, known)) {
        dse_profile_free(known);
        known = NULL;
    }
    if (known == NULL)
        return measure_data(request, name, executor, data, bench, err);
    /* Data of a shipped profile are treated as if named, at any path. */
    dse_request_note(request, "%s: the content equals that of the shipped profile %s, which is used", name, known->dataset);
    return take_profile(request, name, executor, data, known, bench, err);
}

static enum dse_status open_named(const struct dse_request *request, const char *pattern, struct dse_workbench *bench, struct dse_error *err)
{
    struct names names DSE_CLEANUP(free_names) = {0};
    DSE_TRY(dse_profile_names(pattern, &names.items, &names.count, err));
    for (size_t n = 0; n < names.count; n++) {
        struct dse_profile *profile = NULL, *own = NULL;
        DSE_TRY(dse_profile_open(names.items[n], &profile, err));
        bool other = strcmp(profile->family, dse_model_profiles(bench->family)) != 0, pattern_only = strpbrk(pattern, "*?") != NULL;
        enum dse_status status = DSE_OK;
        if (other && !pattern_only) /* a data set that this family was also measured on */
            status = find_known(dse_model_profiles(bench->family), profile->dataset, 0, &own, err);
        if (own != NULL || status != DSE_OK || (other && pattern_only)) { /* a pattern selects only the family's */
            dse_profile_free(profile);
            profile = own;
        }
        if (status == DSE_OK && profile != NULL && !judged_so(request, bench, profile)) { /* measures its data by that figure */
            dse_profile_free(profile);
            status = measure(request, names.items[n], bench, err);
        } else if (status == DSE_OK && profile != NULL) {
            status = keep_profile(bench, profile, profile->dataset, err);
        }
        DSE_TRY(status);
    }
    return DSE_OK;
}

/* A name without profile may be a data set's. `err` already says that no profile has the name; it is replaced only if the data exist and
 * cannot be read, or after a system error. */
static enum dse_status measure_elsewhere(const struct dse_request *request, const char *name, struct dse_workbench *bench,
                                         struct dse_error *err)
{
    struct dse_error elsewhere;
    enum dse_status status = measure(request, name, bench, &elsewhere);
    if (status == DSE_OK)
        return DSE_OK;
    if (status == DSE_BAD_USAGE)
        return DSE_BAD_USAGE;
    *err = elsewhere;
    return status;
}

static enum dse_status open_dataset(const struct dse_request *request, const char *name, struct dse_workbench *bench,
                                    struct dse_error *err)
{
    struct dse_profile *profile = NULL;
    enum dse_status status;
    if (dse_ends_in(name, ".xml")) {
        status = dse_profile_open(name, &profile, err);
    } else if (dse_dataset_is_path(name) || bench->ranks) { /* shipped profiles are of graphs without ranks */
        status = measure(request, name, bench, err);
    } else {
        status = open_named(request, name, bench, err);
        if (status == DSE_BAD_USAGE && strpbrk(name, "*?") == NULL)
            status = measure_elsewhere(request, name, bench, err);
    }
    return status == DSE_OK && profile != NULL ? keep_profile(bench, profile, profile->dataset, err) : status;
}

/* Opens patterns of shipped profiles' names, comma-separated. */
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

/* The workload from the family's own file, with --workload applied. */
static enum dse_status open_own(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    struct dse_profile *profile = NULL;
    DSE_TRY(bench->family->own_profile(bench->family, dse_request_word(request, "workload"), &profile, err));
    return keep_profile(bench, profile, profile->dataset, err);
}

static enum dse_status open_datasets(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    size_t given = dse_request_count(request, "dataset"), lists = dse_request_count(request, "across");
    if (given + lists == 0 && bench->profile_count == 0 && bench->family->own_profile != NULL)
        return open_own(request, bench, err);
    if (dse_request_word(request, "workload") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--workload: %s", bench->family->own_profile != NULL ? given + lists == 0 ? "cannot be combined with --from, whose point has its own workload; use --family and --set" : "cannot be combined with --dataset" : "is for families that a file describes");
    if (given + lists == 0 && bench->profile_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "needs --dataset NAME|PATH; `nysx-dse datasets list` shows the shipped profiles");
    for (size_t i = 0; i < given; i++)
        DSE_TRY(open_dataset(request, dse_request_word_at(request, "dataset", i), bench, err));
    for (size_t i = 0; i < lists; i++)
        DSE_TRY(open_listed(request, dse_request_word_at(request, "across", i), bench, err));
    if (bench->profile_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--dataset: no shipped profile of the family %s matches", bench->family->name);
    for (size_t i = 0; i < bench->profile_count; i++)
        if (strcmp(bench->profiles[i]->family, dse_model_profiles(bench->family)) != 0 && strcmp(bench->profiles[i]->family, bench->family->name) != 0)
            return dse_fail(err, DSE_BAD_USAGE, "--dataset %s: the profile is of the family %s, not %s: use --family %s",
                            bench->profiles[i]->dataset, bench->profiles[i]->family, bench->family->name, bench->profiles[i]->family);
    for (size_t i = 0; i < bench->profile_count; i++) {
        if (!judged_so(request, bench, bench->profiles[i]))
            return dse_fail(err, DSE_BAD_USAGE, "--metric %s: the settings of the profile %s were judged by %s; `nysx-dse datasets profile %s --metric %s` "
                            "judges them again", judged_by(request, bench), bench->profiles[i]->dataset, bench->profiles[i]->qualities[0].name,
                            bench->profiles[i]->dataset, judged_by(request, bench));
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
    if (dse_request_word(request, "family") == NULL && strcmp(from->family, dse_model_word(bench->family)) != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--from %s: the study is of the family %s, not %s; --family says which",
                        dse_request_word(request, "from"), from->family, bench->family->name);
    dse_setting_copy(&from->config, &bench->from);
    if (bench->headroom < 0.0 && from->headroom[0] != '\0')
        dse_request_share(from->headroom, &bench->headroom);
    snprintf(bench->from_host, sizeof bench->from_host, "%s", from->host);
    bench->from_batch = from->batch;
    if (dse_request_count(request, "board") == 0) {
        struct dse_board *board = from->board;
        from->board = NULL;
        DSE_TRY(keep_board(request, board, calibration_of(request, from), bench, err));
    }
    bool named = dse_request_count(request, "dataset") + dse_request_count(request, "across") > 0;
    for (size_t i = 0; i < from->profile_count && !named; i++) {
        struct dse_profile *profile = from->profiles[i];
        from->profiles[i] = NULL;
        DSE_TRY(keep_profile(bench, profile, profile->dataset, err));
    }
    return DSE_OK;
}

/* Opens the space, and the point of --from with the boards and data sets that are not named otherwise. */
static enum dse_status open_from(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    const char *space = dse_request_word(request, "space");
    if (dse_request_word(request, "from") == NULL)
        return dse_model_space(bench->family, space, &bench->space, err);
    struct dse_stored from DSE_CLEANUP(dse_stored_free) = {0};
    DSE_TRY(dse_stored_open(request, &from, err));
    DSE_TRY(dse_model_space(bench->family, space != NULL ? space : from.space[0] != '\0' ? from.space : NULL, &bench->space, err));
    return take_from(request, &from, bench, err);
}

/* Applies "preset", DSE_REFERENCE or DSE_LITERAL, to the published design: the knobs in which the family's two differ. */
static enum dse_status take_preset(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    static const char *const names[] = {DSE_REFERENCE, DSE_LITERAL};
    const struct dse_knobs *knobs = bench->family->knobs;
    const char *preset = dse_request_word(request, "preset"), *from = dse_request_word(request, "from");
    if (preset != NULL && from != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--preset %s: cannot be combined with --from %s", preset, from);
    for (size_t i = 0; i < 2 && preset != NULL; i++)
        if (strcmp(preset, names[i]) == 0 && dse_knobs_has_preset(knobs, preset)) {
            dse_knobs_over(knobs, preset, names[1 - i], &bench->from);
            return DSE_OK;
        }
    return preset == NULL ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--preset %s: must be %s; --from STUDY:best is the best design of a search", preset,
                                              dse_knobs_has_preset(knobs, DSE_LITERAL) ? "paper or literal, the published design with this training" :
                                                                                         "paper, the published design");
}

/* Whether the model that the request names was trained on ranked edges. Its reader reports a model that cannot be read. */
static bool has_ranked_model(const struct dse_request *request, const struct dse_workbench *bench)
{
    const char *path = dse_request_word(request, "model");
    const struct dse_executor *executor = dse_executor_find(bench->family->name);
    struct dse_model *model DSE_CLEANUP(dse_model_free_at) = NULL;
    struct dse_error ignored;
    return path != NULL && executor != NULL && dse_model_load(executor, path, &model, &ignored) == DSE_OK && model->ranked;
}

static enum dse_status open_all(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err)
{
    DSE_TRY(find_family(request, bench, err));
    DSE_TRY(dse_request_real(request, "headroom", 0.0, 0.95, -1.0, &bench->headroom, err));
    bench->ranks = has_ranked_model(request, bench);
    DSE_TRY(take_preset(request, bench, err));
    DSE_TRY(open_from(request, bench, err));
    DSE_TRY(open_boards(request, bench, err));
    if (bench->measures_later && dse_executor_find(bench->family->name) != NULL)
        DSE_TRY(dse_executor_judges(dse_executor_find(bench->family->name), judged_by(request, bench), err));
    DSE_TRY(dse_terms_asked(request, bench->family, bench->space->file, bench->boards[0], err)); /* before data are measured */
    return open_datasets(request, bench, err);
}

static enum dse_status open_bench(const struct dse_request *request, bool measures_later, struct dse_workbench *bench,
                                  struct dse_error *err)
{
    *bench = (struct dse_workbench){.headroom = -1.0, .measures_later = measures_later};
    enum dse_status status = open_all(request, bench, err);
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

enum dse_status dse_workbench_base(const struct dse_workbench *bench, size_t board, const struct dse_profile *profile,
                                   struct dse_config *config, struct dse_error *err)
{
    DSE_TRY(dse_model_published(bench->family, bench->space, bench->boards[board], &profile->preset, config, err));
    DSE_TRY(dse_config_apply(bench->space, config, &bench->from, err));
    dse_config_canonical(bench->space, config);
    return DSE_OK;
}

enum dse_status dse_workbench_reaches(const struct dse_workbench *bench, const char *option, int64_t mhz, struct dse_error *err)
{
    double clock_hz = (double)mhz * 1e6, most = 0.0;
    for (size_t b = 0; b < bench->board_count; b++)
        most = bench->boards[b]->max_clock_hz > most ? bench->boards[b]->max_clock_hz : most;
    if (bench->board_count == 0 || clock_hz <= most)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "%s %s=%g: %s closes timing up to %g MHz", option, bench->space->knobs[bench->family->clock_knob].name, clock_hz / 1e6,
                    bench->board_count == 1 ? bench->boards[0]->name : "the fastest of the boards", most / 1e6);
}

/* Rejects a knob asked for beside a choice that it follows to another value: the assignments, made again, then change the configuration. */
static enum dse_status check_followers(const struct dse_request *request, const char *word, const struct dse_workbench *bench, const struct dse_config *config,
                                       struct dse_error *err)
{
    const struct dse_space *space = bench->space;
    for (size_t i = 0; i < dse_request_count(request, word); i++) {
        struct dse_config again = *config;
        DSE_TRY(dse_request_assign(request, word, i, space, &again, err));
        for (size_t k = 0; k < space->count; k++) {
            const struct dse_knob *knob = &space->knobs[k], *leader = &space->knobs[knob->follows];
            if (again.value[k] == config->value[k])
                continue;
            const char *taken = leader->choices[config->value[knob->follows]], *one = knob->choices[again.value[k]], *other = knob->choices[config->value[k]];
            return dse_fail(err, DSE_BAD_USAGE, "--%s %s=%s: %s=%s computes in %s", word, knob->name, strcmp(one, taken) == 0 ? other : one, leader->name, taken, taken);
        }
    }
    return DSE_OK;
}

enum dse_status dse_workbench_assign(const struct dse_request *request, const char *word, const struct dse_workbench *bench,
                                     struct dse_config *config, struct dse_error *err)
{
    char option[32];
    DSE_TRY(dse_request_pairs(request, word, err));
    DSE_TRY(dse_request_assigned_once(request, word, err));
    for (size_t i = 0; i < dse_request_count(request, word); i++)
        DSE_TRY(dse_request_assign(request, word, i, bench->space, config, err));
    DSE_TRY(check_followers(request, word, bench, config, err));
    dse_config_canonical(bench->space, config);
    snprintf(option, sizeof option, "--%s", word);
    if (!dse_request_assigns(request, word, bench->space->knobs[bench->family->clock_knob].name))
        return DSE_OK;
    return dse_workbench_reaches(bench, option, config->value[bench->family->clock_knob], err);
}

enum dse_status dse_workbench_set(const struct dse_request *request, const struct dse_workbench *bench, struct dse_config *config,
                                  struct dse_error *err)
{
    return dse_workbench_assign(request, "set", bench, config, err);
}

enum dse_status dse_workbench_config(const struct dse_request *request, const struct dse_workbench *bench, size_t board,
                                     const struct dse_profile *profile, struct dse_config *config,
                                     struct dse_error *err)
{
    DSE_TRY(dse_workbench_base(bench, board, profile, config, err));
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
