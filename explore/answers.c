#include "explore/answers.h"

#include "core/memory.h"
#include "explore/explore.h"

/* Corners that are the same design or near-clones are reported once: under the first one, as in the table. */
static enum dse_status visit_corners(const struct dse_exploration *e, dse_answered_visitor *visit, void *user, struct dse_error *err)
{
    struct dse_estimate *room DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *room);
    const struct dse_front *front = &e->front;
    if (front->count == 0)
        return visit(user, &(struct dse_answered_design){e->ended.message[0] != '\0' ? e->ended.message : "the default search finds no design",
                                                         e->profile, NULL, NULL, NULL}, err);
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        struct dse_design design;
        if (front->corners.at[c] == DSE_CORNER_NONE || front->shown_as[c] != c)
            continue;
        DSE_TRY(dse_front_design(front, front->corners.at[c], room, &design, err));
        DSE_TRY(visit(user, &(struct dse_answered_design){dse_corner_names[c], e->profile, design.setup, design.estimate, design.quality}, err));
    }
    return DSE_OK;
}

static void put_words(const struct dse_validation_request *from, struct dse_request *request)
{
    request->seed = from->seed;
    request->jobs = from->jobs;
    request->monitor = from->monitor;
    request->family = from->family;
    for (size_t i = 0; i < from->dataset_count; i++)
        dse_request_take(request, "dataset", from->datasets[i]);
    if (from->dataset_count == 0)
        dse_request_take(request, "dataset", "*");
    const char *const words[][2] = {{"board", from->board}, {"calibration", from->calibration}, {"data-dir", from->data_dir}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i][1] != NULL)
            dse_request_take(request, words[i][0], words[i][1]);
}

enum dse_status dse_answers_each(const struct dse_validation_request *from, dse_answered_visitor *visit, void *user, struct dse_error *err)
{
    struct dse_request request DSE_CLEANUP(dse_request_free);
    struct dse_explored explored DSE_CLEANUP(dse_explored_free) = {0};
    struct dse_terms terms;
    dse_request_init(&request);
    put_words(from, &request);
    DSE_TRY(dse_terms_read(&request, false, DSE_DEFAULT_OBJECTIVES, &terms, err));
    DSE_TRY(dse_explore(&request, &terms, "validate", NULL, NULL, &explored, err));
    if (explored.ended.message[0] != '\0')
        return dse_fail(err, explored.ended.status, "%s", explored.ended.message);
    for (size_t i = 0; i < explored.count; i++)
        DSE_TRY(visit_corners(&explored.each[i], visit, user, err));
    return DSE_OK;
}
