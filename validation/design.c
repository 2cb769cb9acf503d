/* One design for all data sets of a publication: every block as large as the set that needs the most of it. */
#include <string.h>

#include "validation/published.h"

struct sums {
    int64_t nominal[32][DSE_RESOURCE_COUNT], low[32][DSE_RESOURCE_COUNT], high[32][DSE_RESOURCE_COUNT];
};

static void widen(int64_t most[DSE_RESOURCE_COUNT], const int64_t part[DSE_RESOURCE_COUNT])
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (part[r] > most[r])
            most[r] = part[r];
}

/* Accounts every block at a band for one set, into the largest so far. */
static enum dse_status take_set(const struct dse_validation_ground *g, const struct dse_board *board,
                                const struct dse_config *config, const void *work, enum dse_band band,
                                int64_t most[32][DSE_RESOURCE_COUNT], struct dse_error *err)
{
    struct dse_context context = {.board = board, .costs = g->costs, .work = work, .band = band};
    enum dse_status status = DSE_OK;
    for (size_t b = 0; b < g->family->block_count && b < 32 && status == DSE_OK; b++) {
        struct dse_accumulators part;
        status = dse_block_account(g->family, b, &context, config, &part, err);
        if (status == DSE_OK)
            widen(most[b], part.resources);
    }
    return status;
}

static enum dse_status take(const struct dse_validation_ground *g, const struct dse_board *board,
                            const struct dse_dataset *data, const char *words, struct sums *sums, struct dse_error *err)
{
    struct dse_published_draw draw;
    void *work = NULL;
    enum dse_status status = dse_published_draw_make(g, data, "", g->seed, &draw, err);
    if (status == DSE_OK)
        status = dse_published_words_apply(g->space, words, &draw.config, err);
    if (status == DSE_OK)
        status = g->family->prepare(&draw.workload, &work, err);
    if (status == DSE_OK)
        status = take_set(g, board, &draw.config, work, DSE_BAND_NOMINAL, sums->nominal, err);
    if (status == DSE_OK)
        status = take_set(g, board, &draw.config, work, DSE_BAND_LOW, sums->low, err);
    if (status == DSE_OK)
        status = take_set(g, board, &draw.config, work, DSE_BAND_HIGH, sums->high, err);
    if (work != NULL)
        g->family->release(work);
    dse_published_draw_clear(&draw);
    return status;
}

enum dse_status dse_published_design_make(const struct dse_validation_ground *g, const struct dse_dataset *const *sets,
                                          size_t count, const char *words, struct dse_published_design *out,
                                          struct dse_error *err)
{
    struct sums sums = {0};
    struct dse_stated_board stated;
    enum dse_status status = DSE_OK;
    *out = (struct dse_published_design){0};
    dse_stated_board_make(g->board, g->figures, &stated);
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        status = take(g, &stated.board, sets[i], words, &sums, err);
    for (size_t b = 0; b < g->family->block_count && b < 32; b++) {
        struct dse_published_part *part = &out->parts[out->part_count++];
        part->block = g->family->blocks[b].name;
        memcpy(part->resources, sums.nominal[b], sizeof part->resources);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
            out->nominal[r] += sums.nominal[b][r];
            out->low[r] += sums.low[b][r];
            out->high[r] += sums.high[b][r];
        }
    }
    return status;
}
