#include "explore/point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/strbuf.h"
#include "explore/front.h"
#include "explore/joint.h"
#include "models/model.h"
#include "search/study.h"

static enum dse_status read_board(const struct dse_study *study, const char *name, struct dse_stored *from,
                                  struct dse_error *err)
{
    const struct dse_study_input *input = dse_study_input_find(study, "board", name);
    if (input == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study does not hold its board %s", dse_study_path(study), name);
    DSE_TRY(dse_board_read_memory(input->content, strlen(input->content), input->source, &from->board, err));
    dse_board_rename(from->board, name);
    return DSE_OK;
}

static enum dse_status read_profile(struct dse_study *study, const char *name, struct dse_stored *from,
                                    struct dse_error *err)
{
    const struct dse_study_input *input = dse_study_input_find(study, "profile", name);
    if (input == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study does not hold its data set %s", dse_study_path(study), name);
    from->profiles = dse_realloc_array(from->profiles, from->profile_count + 1, sizeof *from->profiles);
    DSE_TRY(dse_profile_parse(input->content, strlen(input->content), name, &from->profiles[from->profile_count], err));
    /* Includes settings measured for the study: the point's may be one of them. */
    return dse_study_extend(study, from->profiles[from->profile_count++], err);
}

/* Combined data sets share one exploration; names are comma-separated. */
static enum dse_status read_profiles(struct dse_study *study, const char *names, struct dse_stored *from,
                                     struct dse_error *err)
{
    if (dse_study_input_find(study, "profile", names) != NULL)
        return read_profile(study, names, from, err);
    while (*names != '\0') {
        size_t length = strcspn(names, ",");
        char *name DSE_CLEANUP(dse_free_at) = dse_strndup(names, length);
        DSE_TRY(read_profile(study, name, from, err));
        names += length + (names[length] == ',');
    }
    return DSE_OK;
}

static void copy_word(const struct dse_study *study, const char *name, char *out, size_t size)
{
    const char *word = dse_setting_get(dse_study_question(study), name);
    snprintf(out, size, "%s", word != NULL ? word : "");
}

static enum dse_status read_inputs(struct dse_study *study, size_t exploration, struct dse_stored *from, struct dse_error *err)
{
    const struct dse_study_exploration *of = dse_study_exploration_at(study, exploration);
    snprintf(from->family, sizeof from->family, "%s", dse_study_family(study));
    copy_word(study, "space", from->space, sizeof from->space);
    const struct dse_study_input *calibration = dse_study_input_find(study, "calibration", of->board);
    snprintf(from->calibration, sizeof from->calibration, "%s", calibration != NULL ? calibration->source : "");
    copy_word(study, "headroom", from->headroom, sizeof from->headroom);
    copy_word(study, "host", from->host, sizeof from->host);
    const char *batch = dse_setting_get(dse_study_question(study), "batch");
    from->batch = batch != NULL ? strtoll(batch, NULL, 10) : 0;
    DSE_TRY(read_board(study, of->board, from, err));
    return read_profiles(study, of->dataset, from, err);
}

/* ---- points by name ---- */

/* Finds the exploration: the only one, or that of the request's board and data set. */
static enum dse_status find_exploration(const struct dse_request *request, const struct dse_study *study, const char *name,
                                        size_t *out, struct dse_error *err)
{
    const char *board = dse_request_word(request, "board"), *dataset = dse_request_word(request, "dataset");
    size_t count = dse_study_exploration_count(study), found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct dse_study_exploration *e = dse_study_exploration_at(study, i);
        if (count > 1 && ((board != NULL && strcmp(board, e->board) != 0) || (dataset != NULL && strcmp(dataset, e->dataset) != 0)))
            continue;
        *out = i;
        found++;
    }
    if (found == 1)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--from %s:%s: the study has %zu explorations%s; --board and --dataset must say which",
                    dse_study_path(study), name, count, found == 0 ? ", none of them of that board and data set" : "");
}

/* "#3" is index 2 of the order; a corner's name is its index. DSE_CORNER_NONE if there is no such design. */
static enum dse_status find_place(const char *name, const struct dse_corners *corners, const size_t *order, size_t count,
                                  size_t *place, struct dse_error *err)
{
    int64_t rank = 0;
    *place = DSE_CORNER_NONE;
    if (*name == '#') {
        if (dse_number_whole(name + 1, &rank) != DSE_NUMBER_READ || rank < 1 || (uint64_t)rank > count)
            return dse_fail(err, DSE_BAD_USAGE, "%s: must be a rank from #1 to #%zu", name, count);
        *place = order[rank - 1];
        return DSE_OK;
    }
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        char spelt[32];
        snprintf(spelt, sizeof spelt, "%s", dse_corner_names[c]);
        for (char *mark = strchr(spelt, '_'); mark != NULL; mark = strchr(mark, '_'))
            *mark = '-';
        if (strcmp(name, spelt) == 0 || strcmp(name, dse_corner_names[c]) == 0 ||
            (c == DSE_CORNER_BALANCED && strcmp(name, "best") == 0)) {
            *place = corners->at[c];
            return *place != DSE_CORNER_NONE ? DSE_OK : dse_fail(err, DSE_ANSWER_NO, "%s: %s", name,
                                                                 corners->best == NULL ? "the designs' quality is not measured"
                                                                                       : "no design is better than a constant prediction");
        }
    }
    return dse_fail(err, DSE_BAD_USAGE, "%s: must be best, fastest, least-energy, smallest, most-accurate, a rank such as #3, or an ID",
                    name);
}

/* Weight of a data set, 1 if not stated: "MUTAG=2 ; NCI1=3". */
static double weight_of(const char *weights, const char *dataset)
{
    size_t length = strlen(dataset);
    for (const char *at = weights; at != NULL; at = strstr(at, " ; ")) {
        at += *at == ' ' ? 3 : 0;
        if (strncmp(at, dataset, length) == 0 && at[length] == '=')
            return strtod(at + length + 1, NULL);
    }
    return 1.0;
}

/* Measured qualities of a stored design from the data sets' profiles: knobs that the design does not name are at each preset's value. */
static enum dse_status qualities_of(const struct dse_space *space, const struct dse_stored *from, const struct dse_study_point *point,
                                    const struct dse_quality **out, struct dse_error *err)
{
    for (size_t d = 0; d < from->profile_count; d++) {
        struct dse_config config;
        dse_space_default(space, &config);
        DSE_TRY(dse_config_apply(space, &config, &from->profiles[d]->preset, err));
        DSE_TRY(dse_config_apply(space, &config, &point->config, err));
        dse_config_canonical(space, &config);
        out[d] = dse_profile_quality_of(space, from->profiles[d], &config);
    }
    return DSE_OK;
}

/* A front as found, and its ranking criteria. */
struct stored_front {
    struct dse_space *space;
    struct dse_answer answer;
    struct dse_study_point *points; /* point_count: the exploration's, for combined data sets */
    size_t point_count;
    struct dse_corners corners;
    int64_t *ids;
    size_t *order;
    struct dse_arena arena; /* memory of these and of the corners' qualities */
};

static void free_front(struct stored_front *f)
{
    dse_study_points_free(f->points, f->point_count);
    dse_answer_free(&f->answer);
    dse_space_free(f->space);
    dse_arena_free(&f->arena);
}

/* Corners and order of one design for several data sets, as in the original sweep. */
static enum dse_status rank_combined(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                     const struct dse_stored *from, struct stored_front *f, struct dse_error *err)
{
    size_t sets = from->profile_count, at = 0, designs = f->answer.front_count;
    const char *how = dse_setting_get(dse_study_question(study), "combine");
    const struct dse_quality **each = dse_arena_alloc(&f->arena, designs * sets + 1, sizeof *each);
    double *weights = dse_arena_alloc(&f->arena, sets + 1, sizeof *weights);
    struct dse_quality *qualities = dse_arena_alloc(&f->arena, designs + 1, sizeof *qualities);
    DSE_TRY(dse_study_points(study, exploration, true, &f->points, &f->point_count, err));
    for (size_t i = 0; i < designs; i++) {
        size_t tried = 0;
        for (; tried < f->point_count && f->points[at].id != f->ids[i]; tried++)
            at = (at + 1) % f->point_count; /* usually in the same order */
        if (tried == f->point_count)
            return dse_fail(err, DSE_BAD_INPUT, "%s: a design of the front is not among the points", dse_study_path(study));
        DSE_TRY(qualities_of(question->space, from, &f->points[at], &each[i * sets], err));
    }
    for (size_t d = 0; d < sets; d++)
        weights[d] = weight_of(dse_setting_get(dse_study_question(study), "weight"), from->profiles[d]->dataset);
    struct dse_joint_ranking ranking = {DSE_JOIN_MEAN, weights, sets, each};
    while (how != NULL && dse_joining_names[ranking.how] != NULL && strcmp(dse_joining_names[ranking.how], how) != 0)
        ranking.how++;
    dse_joint_reduce(ranking.how, weights, sets);
    dse_joint_rank(question, &ranking, &f->answer, true, qualities, &f->corners, f->order);
    return DSE_OK;
}

/* ID of a design by name, on the front as found. */
static enum dse_status find_named(struct dse_study *study, size_t exploration, const char *name, const struct dse_stored *from,
                                  int64_t *id, struct dse_error *err)
{
    const char *objectives = dse_setting_get(dse_study_question(study), "objectives");
    struct dse_question question = {.family = dse_model_find(from->family), .board = from->board, .headroom = -1.0};
    struct stored_front f DSE_CLEANUP(free_front) = {0};
    size_t place = 0, distinct = 0;
    if (from->headroom[0] != '\0')
        dse_request_share(from->headroom, &question.headroom);
    if (question.family == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: no such family: %s", dse_study_path(study), from->family);
    DSE_TRY(dse_question_objectives(&question, objectives != NULL ? objectives : "latency", err));
    DSE_TRY(dse_model_space(question.family, from->space[0] != '\0' ? from->space : NULL, &f.space, err));
    question.space = f.space;
    DSE_TRY(dse_study_answer(study, exploration, &question, &f.answer, err));
    if (f.answer.front_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s: holds no design", dse_study_path(study));
    f.order = dse_arena_alloc(&f.arena, f.answer.front_count, sizeof *f.order);
    f.ids = dse_arena_alloc(&f.arena, f.answer.front_count, sizeof *f.ids);
    DSE_TRY(dse_study_ids(study, exploration, &question, &f.answer, f.ids, err));
    if (from->profile_count > 1) {
        DSE_TRY(rank_combined(study, exploration, &question, from, &f, err));
    } else {
        struct dse_standard standard;
        dse_standard_make(from->profiles[0], INFINITY, &standard);
        dse_front_rank(&question, from->profiles[0], &standard, &f.answer, &f.corners, f.order, &distinct);
    }
    DSE_TRY(find_place(name, &f.corners, f.order, f.answer.front_count, &place, err));
    *id = f.ids[place];
    return DSE_OK;
}

/* ---- requested point ---- */

/* --family must name the study's accelerator: its family in C, or a file of the same content. */
static enum dse_status check_family(const struct dse_request *request, const struct dse_study *study, struct dse_error *err)
{
    const char *word = dse_request_word(request, "family");
    const struct dse_study_input *then = dse_study_input_find(study, "family", NULL); /* NULL: of a family in C */
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    if (word == NULL || (then == NULL && strcmp(word, dse_study_family(study)) == 0))
        return DSE_OK;
    if (then == NULL || !dse_model_is_file(word))
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: %s is a study of the family %s; leave --family out", word, dse_study_path(study), dse_study_family(study));
    DSE_TRY(dse_file_read(word, (size_t)1 << 24, &text, &size, err));
    if (strcmp(text, then->content) == 0)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_INPUT, "%s: has changed since %s was made: leave --family out for the accelerator of the study, or search anew", word, dse_study_path(study));
}

enum dse_status dse_request_study(const struct dse_request *request, const char *path, struct dse_study **out, struct dse_error *err)
{
    DSE_TRY(dse_study_open(path, out, err));
    enum dse_status status = check_family(request, *out, err);
    if (status != DSE_OK) {
        dse_study_close(*out);
        *out = NULL;
    }
    return status;
}

static enum dse_status read_stored(const struct dse_request *request, struct dse_study *study, const char *name,
                                   struct dse_stored *out, struct dse_error *err)
{
    struct dse_study_point point;
    size_t exploration = 0;
    bool named = *name < '0' || *name > '9';
    if (named) {
        DSE_TRY(find_exploration(request, study, name, &exploration, err));
        DSE_TRY(read_inputs(study, exploration, out, err));
        DSE_TRY(find_named(study, exploration, name, out, &out->id, err));
    }
    DSE_TRY(dse_study_point(study, out->id, &point, err));
    out->config = point.config;
    return named ? DSE_OK : read_inputs(study, point.exploration, out, err);
}

const char *dse_point_family(const char *from)
{
    const char *colon = strrchr(from, ':');
    char *path = dse_file_exists(from) || colon == NULL ? dse_strdup(from) : dse_strndup(from, (size_t)(colon - from));
    struct dse_study *study = NULL;
    struct dse_error ignored;
    const struct dse_model_family *family = NULL;
    if (path != NULL && dse_file_exists(path) && !dse_file_is_folder(path) && dse_study_open(path, &study, &ignored) == DSE_OK)
        family = dse_model_find(dse_study_family(study));
    dse_study_close(study);
    free(path);
    return family != NULL ? dse_model_word(family) : NULL;
}

enum dse_status dse_stored_open(const struct dse_request *request, struct dse_stored *out, struct dse_error *err)
{
    *out = (struct dse_stored){0};
    const char *word = dse_request_word(request, "from"), *colon = strrchr(word, ':');
    bool numbered = colon != NULL && colon[1] >= '0' && colon[1] <= '9';
    if (colon == NULL || colon == word || colon[1] == '\0' || strchr("+-./", colon[1]) != NULL ||
        (numbered && dse_number_whole(colon + 1, &out->id) != DSE_NUMBER_READ))
        return dse_fail(err, DSE_BAD_USAGE, "--from %s: must be STUDY:POINT, a study's file and a point's number, rank (#1) or name "
                        "(best, fastest, …)", word);
    char *path DSE_CLEANUP(dse_free_at) = dse_strndup(word, (size_t)(colon - word));
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    DSE_TRY(dse_request_study(request, path, &study, err));
    return read_stored(request, study, colon + 1, out, err);
}

void dse_stored_free(struct dse_stored *from)
{
    dse_setting_free(&from->config);
    dse_board_free(from->board);
    for (size_t i = 0; i < from->profile_count; i++)
        dse_profile_free(from->profiles[i]);
    free(from->profiles);
    *from = (struct dse_stored){0};
}

void dse_stored_corners(const char *study, const char *board, const char *dataset, int64_t ids[DSE_CORNER_COUNT])
{
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        struct dse_request own DSE_CLEANUP(dse_request_free) = {0};
        struct dse_stored stored DSE_CLEANUP(dse_stored_free) = {0};
        struct dse_strbuf from DSE_CLEANUP(dse_strbuf_free) = {0};
        struct dse_error none;
        dse_strbuf_printf(&from, "%s:%s", study, dse_corner_names[c]);
        dse_request_init(&own);
        dse_request_take(&own, "from", dse_strbuf_text(&from));
        dse_request_take(&own, "board", board);
        dse_request_take(&own, "dataset", dataset);
        ids[c] = dse_stored_open(&own, &stored, &none) == DSE_OK ? stored.id : 0;
    }
}
