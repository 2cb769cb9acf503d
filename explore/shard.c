#include "explore/shard.h"

#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/memory.h"
#include "core/number.h"
#include "explore/exploration.h"
#include "explore/record.h"

enum dse_status dse_shard_read(const char *text, struct dse_shard *out, struct dse_error *err)
{
    char first[24];
    int64_t index = 0, count = 0;
    const char *slash = strchr(text, '/');
    size_t length = slash != NULL ? (size_t)(slash - text) : 0;
    if (length > 0 && length < sizeof first) {
        memcpy(first, text, length);
        first[length] = '\0';
        if (dse_number_whole(first, &index) == DSE_NUMBER_READ && dse_number_whole(slash + 1, &count) == DSE_NUMBER_READ && index >= 1 &&
            index <= count && count <= 1000000) {
            *out = (struct dse_shard){(size_t)index - 1, (size_t)count};
            return DSE_OK;
        }
    }
    return dse_fail(err, DSE_BAD_USAGE, "--shard %s: must be I/N, with I from 1 to N, as 3/16", text);
}

/* ---- what a study was asked ---- */

/* The next word of a command as dse_record_command() writes it; NULL at the end. */
static char *next_word(const char **text, struct dse_arena *arena)
{
    const char *at = *text + strspn(*text, " ");
    if (*at == '\0')
        return NULL;
    char *word = dse_arena_alloc(arena, strlen(at) + 1, 1), *to = word;
    for (bool quoted = false; word != NULL && *at != '\0' && (quoted || *at != ' '); at++) {
        if (*at == '\'')
            quoted = !quoted;
        else if (*at == '\\' && !quoted && at[1] != '\0')
            *to++ = *++at;
        else
            *to++ = *at;
    }
    if (word != NULL)
        *to = '\0';
    *text = at;
    return word;
}

/* The words of the study, with those of the caller that say where data lie. */
static enum dse_status read_request(const char *command, const struct dse_request *given, struct dse_arena *arena,
                                    const char **verb, struct dse_request *out, struct dse_error *err)
{
    const char *text = command;
    char *name = next_word(&text, arena), *word = next_word(&text, arena);
    int64_t seed = 1;
    *verb = word;
    if (name == NULL || word == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "the study does not say what makes it again: \"%s\"", command);
    *out = *given;
    out->words = NULL;
    out->word_count = 0;
    out->tells_sizes = false;
    while ((name = next_word(&text, arena)) != NULL) {
        word = next_word(&text, arena);
        if (strncmp(name, "--", 2) != 0 || word == NULL)
            return dse_fail(err, DSE_BAD_INPUT, "the study does not say what makes it again: \"%s\"", command);
        bool time = strcmp(name, "--budget") == 0 && word[strspn(word, "0123456789")] != '\0'; /* the search's, not a share's */
        if (!time)
            DSE_TRY(dse_request_take(out, name + 2, word, err));
    }
    if (dse_request_word(given, "data-dir") != NULL)
        DSE_TRY(dse_request_take(out, "data-dir", dse_request_word(given, "data-dir"), err));
    DSE_TRY(dse_request_integer(out, "seed", 0, INT64_MAX, 1, &seed, err));
    out->seed = (uint64_t)seed;
    return DSE_OK;
}

/* ---- the share ---- */

static enum dse_status train_share(struct dse_exploration *e, const struct dse_shard *shard, struct dse_shard_done *done,
                                   struct dse_error *err)
{
    struct dse_trainings *trainings = &e->trainings;
    struct dse_setting *settings = dse_calloc(e->open_count + 1, sizeof *settings); /* borrowed */
    double *quality = dse_calloc(e->open_count + 1, sizeof *quality);
    bool ended = false;
    size_t made = trainings->trainings, found = trainings->found;
    enum dse_status status = settings != NULL && quality != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t i = 0; i < e->open_count && status == DSE_OK; i++)
        settings[i] = e->settings.full[e->open[i]];
    trainings->shard = shard->index;
    trainings->shards = shard->count;
    size_t all = e->open_count * trainings->seeds;
    size_t mine = all / shard->count + (shard->index < all % shard->count);
    trainings->total = made + found + mine;
    if (status == DSE_OK)
        status = dse_trainings_quality(trainings, settings, e->open_count, quality, &ended, err);
    done->settings += e->open_count;
    done->tasks += mine;
    done->made += trainings->trainings - made;
    done->found += trainings->found - found;
    free(settings);
    free(quality);
    return status;
}

static enum dse_status answer_share(const struct dse_request *request, const struct dse_terms *terms, const struct dse_workbench *bench,
                                    struct dse_study *study, const struct dse_shard *shard, struct dse_shard_done *done,
                                    struct dse_error *err)
{
    size_t asked = 0;
    for (size_t i = 0; i < bench->board_count * bench->profile_count; i++) {
        struct dse_exploration e;
        enum dse_status status = dse_exploration_open(request, terms, bench, i, study, &e, err);
        asked += e.settings.count;
        if (status == DSE_OK && e.settings.count > 0)
            status = dse_exploration_list(&e, err);
        if (status == DSE_OK && e.open_count > 0)
            status = train_share(&e, shard, done, err);
        dse_exploration_free(&e);
        DSE_TRY(status);
    }
    return asked > 0 ? DSE_OK
                     : dse_fail(err, DSE_BAD_USAGE, "the study's question has no settings to measure: they come with --free, or with a "
                                "data set that nobody has surveyed");
}

static enum dse_status train_into(struct dse_request *request, const char *verb, struct dse_study *whole, const char *part,
                                  const struct dse_shard *shard, struct dse_shard_done *done, struct dse_error *err)
{
    struct dse_terms terms;
    struct dse_workbench bench = {0};
    struct dse_study *study = NULL;
    struct dse_study_merged merged = {0};
    bool one = strcmp(verb, "optimize") == 0;
    DSE_TRY(dse_request_take(request, "study", part, err));
    DSE_TRY(dse_request_take(request, "resume", "", err));
    if (dse_request_word(request, "combine") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: combined data sets are measured by `sweep` itself", dse_study_path(whole));
    DSE_TRY(dse_terms_read(request, one, one ? NULL : dse_setting_get(dse_study_question(whole), "objectives"), &terms, err));
    enum dse_status status = dse_workbench_open_bare(request, &bench, err);
    if (status == DSE_OK)
        status = dse_record_begin(request, &bench, verb, &terms, &study, err);
    if (status == DSE_OK)
        status = dse_study_merge(study, whole, &merged, err);
    if (status == DSE_OK)
        status = answer_share(request, &terms, &bench, study, shard, done, err);
    dse_study_abandon(study); /* stays where it holds a training */
    dse_workbench_close(&bench);
    return status;
}

enum dse_status dse_shard_train(const struct dse_request *given, const char *path, const char *part, const struct dse_shard *shard,
                                struct dse_shard_done *out, struct dse_error *err)
{
    struct dse_study *whole = NULL;
    struct dse_arena arena = {0};
    struct dse_request request = {0};
    const char *verb = "";
    *out = (struct dse_shard_done){0};
    DSE_TRY(dse_study_open(path, &whole, err));
    enum dse_status status = read_request(dse_study_command(whole), given, &arena, &verb, &request, err);
    if (status == DSE_OK)
        status = train_into(&request, verb, whole, part, shard, out, err);
    dse_request_free(&request);
    dse_arena_free(&arena);
    dse_study_close(whole);
    return status;
}
