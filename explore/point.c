#include "explore/point.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "search/study.h"

static enum dse_status read_board(const struct dse_study *study, const char *name, struct dse_stored *from,
                                  struct dse_error *err)
{
    const struct dse_study_input *input = dse_study_input_find(study, "board", name);
    if (input == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study does not hold its board %s", dse_study_path(study), name);
    return dse_board_read_memory(input->content, strlen(input->content), input->source, &from->board, err);
}

static enum dse_status read_profile(struct dse_study *study, const char *name, struct dse_stored *from,
                                    struct dse_error *err)
{
    const struct dse_study_input *input = dse_study_input_find(study, "profile", name);
    if (input == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study does not hold its data set %s", dse_study_path(study), name);
    struct dse_profile **grown = realloc(from->profiles, (from->profile_count + 1) * sizeof *grown);
    if (grown == NULL)
        return dse_fail_memory(err);
    from->profiles = grown;
    enum dse_status status =
        dse_profile_parse(input->content, strlen(input->content), name, &grown[from->profile_count], err);
    if (status != DSE_OK)
        return status;
    /* With the settings that were measured for the study: the point's may be one of them. */
    return dse_study_extend(study, grown[from->profile_count++], err);
}

/* Combined data sets stand in one exploration, parted by commas. */
static enum dse_status read_profiles(struct dse_study *study, const char *names, struct dse_stored *from,
                                     struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    if (dse_study_input_find(study, "profile", names) != NULL)
        return read_profile(study, names, from, err);
    while (*names != '\0' && status == DSE_OK) {
        size_t length = strcspn(names, ",");
        char *name = strndup(names, length);
        status = name != NULL ? read_profile(study, name, from, err) : dse_fail_memory(err);
        free(name);
        names += length + (names[length] == ',');
    }
    return status;
}

static void copy_word(const struct dse_study *study, const char *name, char *out, size_t size)
{
    const char *word = dse_setting_get(dse_study_question(study), name);
    snprintf(out, size, "%s", word != NULL ? word : "");
}

static enum dse_status read_point(struct dse_study *study, int64_t id, struct dse_stored *from, struct dse_error *err)
{
    struct dse_study_point point;
    DSE_TRY(dse_study_point(study, id, &point, err));
    const struct dse_study_exploration *exploration = dse_study_exploration_at(study, point.exploration);
    from->id = id;
    from->config = point.config;
    snprintf(from->family, sizeof from->family, "%s", dse_study_family(study));
    copy_word(study, "space", from->space, sizeof from->space);
    copy_word(study, "calibration", from->calibration, sizeof from->calibration);
    copy_word(study, "headroom", from->headroom, sizeof from->headroom);
    DSE_TRY(read_board(study, exploration->board, from, err));
    return read_profiles(study, exploration->dataset, from, err);
}

enum dse_status dse_stored_open(const struct dse_request *request, struct dse_stored *out, struct dse_error *err)
{
    *out = (struct dse_stored){0};
    const char *word = dse_request_word(request, "from"), *colon = strrchr(word, ':');
    int64_t id = 0;
    if (colon == NULL || colon == word || colon[1] < '0' || dse_number_whole(colon + 1, &id) != DSE_NUMBER_READ)
        return dse_fail(err, DSE_BAD_USAGE, "--from %s: must be STUDY:ID, a study's file and the number of a point", word);
    char *path = strndup(word, (size_t)(colon - word));
    struct dse_study *study = NULL;
    enum dse_status status = path != NULL ? dse_study_open(path, &study, err) : dse_fail_memory(err);
    if (status == DSE_OK)
        status = read_point(study, id, out, err);
    dse_study_close(study);
    free(path);
    return status;
}

void dse_stored_free(struct dse_stored *from)
{
    dse_setting_free(&from->config);
    if (from->board != NULL)
        dse_board_free(from->board);
    for (size_t i = 0; i < from->profile_count; i++)
        if (from->profiles[i] != NULL)
            dse_profile_free(from->profiles[i]);
    free(from->profiles);
    *from = (struct dse_stored){0};
}
