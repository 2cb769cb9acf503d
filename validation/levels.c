/* The registry of levels, and requests to them. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "validation/published.h"

#define SEEDS 20 /* draws of a published case that is measured */

static enum dse_status open_ground_data(const struct dse_validation_ground *g, const char *name, struct dse_dataset **out,
                                        struct dse_error *err)
{
    return dse_dataset_open(name, g->request->data_dir, out, err);
}

/* ---- level 3: published cases ---- */

/* The data sets of measured cases, each once however often it is named. */
struct sets {
    struct dse_dataset **items; /* count */
    size_t count;
};

static enum dse_status open_set(const struct dse_validation_ground *g, const char *name, struct sets *sets,
                                struct dse_error *err)
{
    struct dse_dataset *data = NULL;
    DSE_TRY(open_ground_data(g, name, &data, err));
    for (size_t i = 0; i < sets->count; i++)
        if (strcmp(sets->items[i]->name, data->name) == 0) {
            dse_dataset_free(data);
            return DSE_OK;
        }
    sets->items[sets->count++] = data;
    return DSE_OK;
}

static enum dse_status open_sets(const struct dse_validation_ground *g, struct sets *sets, struct dse_error *err)
{
    const struct dse_validation_request *request = g->request;
    const struct dse_published_file *file = g->figures;
    for (size_t i = 0; i < request->dataset_count; i++)
        DSE_TRY(open_set(g, request->datasets[i], sets, err));
    for (size_t i = 0; i < request->predicted_count; i++)
        DSE_TRY(open_set(g, request->predicted[i], sets, err));
    if (request->dataset_count + request->predicted_count > 0)
        return DSE_OK;
    for (size_t i = 0; i < file->case_count; i++) { /* those with published latencies */
        const struct dse_published_figure *latency = dse_published_figure_find(&file->cases[i], "latency_s", "");
        if (*file->cases[i].dataset != '\0' && dse_published_value(latency) > 0.0)
            DSE_TRY(open_set(g, file->cases[i].dataset, sets, err));
    }
    return DSE_OK;
}

static void free_sets(struct sets *sets)
{
    for (size_t i = 0; i < sets->count; i++)
        dse_dataset_free(sets->items[i]);
    free(sets->items);
}

static enum dse_status make_measured(const struct dse_validation_ground *g, struct dse_validation *out, struct dse_error *err)
{
    const struct dse_validation_request *request = g->request;
    size_t most = request->dataset_count + request->predicted_count + g->figures->case_count;
    struct sets sets DSE_CLEANUP(free_sets) = {.items = dse_calloc(most + 1, sizeof *sets.items)};
    DSE_TRY(open_sets(g, &sets, err));
    return dse_validate_measured(g, (const struct dse_dataset *const *)sets.items, sets.count, SEEDS, out, err);
}

enum dse_status dse_validate_published(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                       struct dse_error *err)
{
    (void)count; /* draws nothing */
    if (dse_published_has_designs(g->figures))
        DSE_TRY(dse_validate_designs(g, out, err));
    if (dse_published_has_measured(g->figures))
        DSE_TRY(make_measured(g, out, err));
    dse_published_rest(g->figures, g->request->dataset_count + g->request->predicted_count == 0, out);
    return DSE_OK;
}

/* ---- the registry ---- */

static const struct dse_validation_level levels[] = {
#define LEVEL(word, what, all, data, function) {.name = word, .is = what, .in_all = all, .needs_dataset = data, .make = function},
#include "validation/levels.def"
#undef LEVEL
};
#define LEVELS (sizeof levels / sizeof *levels)

const char dse_validation_words[] =
#define LEVEL(word, ...) word "|"
#include "validation/levels.def"
#undef LEVEL
    "all";

const struct dse_validation_level *dse_validation_levels(size_t *count)
{
    *count = LEVELS;
    return levels;
}

/* ---- the request ---- */

/* Owned by the ground. */
struct opened {
    struct dse_published_file file;
    struct dse_space *space;
    struct dse_board *board;
    struct dse_costs *costs;
};

static enum dse_status open_ground(const struct dse_validation_request *request, struct opened *o,
                                   struct dse_validation_ground *g, struct dse_error *err)
{
    *g = (struct dse_validation_ground){.request = request, .figures = &o->file, .seed = request->seed,
                                        .jobs = request->jobs, .monitor = request->monitor,
                                        .executor = dse_executor_find(request->family),
                                        .family = dse_model_find(request->family)};
    if (g->executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: has no executor to compare the models with; the shipped families have one", request->family);
    if (g->family == NULL || g->executor->simulate == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: has no models or no simulation", request->family);
    DSE_TRY(dse_published_open(g->family->name, &o->file, err));
    DSE_TRY(dse_model_space(g->family, NULL, &o->space, err));
    DSE_TRY(dse_board_open(request->board != NULL ? request->board : o->file.board, &o->board, err));
    DSE_TRY(dse_costs_for_board(o->board, request->calibration, &o->costs, err));
    g->space = o->space;
    g->board = o->board;
    g->costs = o->costs;
    return DSE_OK;
}

/* Whether "all" includes a level. Levels that draw over data sets, and those of other people's reports, are excluded if the request is for
 * published figures alone. */
static bool all_has(const struct dse_validation_ground *g, const struct dse_validation_level *level)
{
    bool published = g->request->predicted_count > 0 ||
                     (g->request->dataset_count == 0 && dse_published_has_designs(g->figures));
    return level->in_all && (!published || level->make == dse_validate_published);
}

static enum dse_status make_rows(const struct dse_validation_ground *g, const struct dse_validation_level *level, struct dse_validation *out, struct dse_error *err)
{
    size_t count = g->request->configurations;
    if (!level->needs_dataset)
        DSE_TRY(level->make(g, count, out, err));
    for (size_t i = 0; level->needs_dataset && i < g->request->dataset_count; i++) { /* each data set on its own */
        struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
        struct dse_validation_ground on = *g;
        DSE_TRY(open_ground_data(g, g->request->datasets[i], &data, err));
        on.data = data;
        DSE_TRY(level->make(&on, count, out, err));
    }
    return DSE_OK;
}

static enum dse_status make_level(const struct dse_validation_ground *g, const struct dse_validation_level *level,
                                  struct dse_validation *out, struct dse_error *err)
{
    size_t before = out->count;
    enum dse_status status = make_rows(g, level, out, err);
    for (size_t i = before; i < out->count; i++)
        out->rows[i].level = level->name;
    return status;
}

static bool asks_for(const struct dse_validation_ground *g, const struct dse_validation_level *level, const char *against)
{
    bool all = against == NULL || strcmp(against, "all") == 0;
    return all ? all_has(g, level) : strcmp(against, level->name) == 0;
}

static enum dse_status make_levels(const struct dse_validation_ground *g, const char *against, struct dse_validation *out,
                                   struct dse_error *err)
{
    for (size_t i = 0; i < LEVELS; i++)
        if (asks_for(g, &levels[i], against) && levels[i].needs_dataset && g->request->dataset_count == 0)
            return dse_fail(err, DSE_BAD_USAGE, "needs --dataset: the folder or file of a data set, or a name in --data-dir");
    for (size_t i = 0; i < LEVELS; i++)
        if (asks_for(g, &levels[i], against))
            DSE_TRY(make_level(g, &levels[i], out, err));
    return DSE_OK;
}

static enum dse_status check_level(const char *against, struct dse_error *err)
{
    if (against == NULL || strcmp(against, "all") == 0)
        return DSE_OK;
    for (size_t i = 0; i < LEVELS; i++)
        if (strcmp(levels[i].name, against) == 0)
            return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--against %s: must be %s", against, dse_validation_words);
}

static void close_ground(struct opened *o)
{
    dse_published_close(&o->file);
    dse_space_free(o->space);
    dse_board_free(o->board);
    dse_costs_free(o->costs);
}

enum dse_status dse_validate(const struct dse_validation_request *request, const char *against, struct dse_validation *out,
                             struct dse_error *err)
{
    struct opened opened DSE_CLEANUP(close_ground) = {0};
    struct dse_validation_ground ground;
    *out = (struct dse_validation){0};
    DSE_TRY(check_level(against, err));
    enum dse_status status = open_ground(request, &opened, &ground, err);
    if (status == DSE_OK)
        status = make_levels(&ground, against, out, err);
    if (status != DSE_OK && (status != DSE_CANCELLED || out->count == 0)) {
        dse_validation_free(out);
        return status;
    }
    out->family = ground.family;
    out->board = dse_arena_strdup(&out->arena, opened.board->name);
    return status;
}
