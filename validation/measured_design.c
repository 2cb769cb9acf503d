/* One design for all data sets of a publication: every block as large as the most demanding set needs. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "validation/published.h"

/* The design of one draw of every set. */
struct drawn {
    int64_t blocks[3][DSE_BLOCK_MAX][DSE_RESOURCE_COUNT]; /* by band, the most over the sets */
    int64_t sums[3][DSE_RESOURCE_COUNT];
    double nodes, nonzeros;
};

struct designs {
    const struct dse_validation_ground *g;
    const struct dse_board *board;
    const struct dse_dataset *const *sets;
    size_t set_count;
    const char *words;
    struct drawn *drawn; /* one per draw */
};

static void widen(int64_t most[DSE_RESOURCE_COUNT], const int64_t part[DSE_RESOURCE_COUNT])
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (part[r] > most[r])
            most[r] = part[r];
}

/* Costs every block for one set at every band, and keeps the largest so far. */
static enum dse_status take_work(const struct designs *d, const struct dse_config *config, const void *work,
                                 struct drawn *out, struct dse_error *err)
{
    const struct dse_model_family *family = d->g->family;
    for (int band = 0; band < 3; band++) {
        struct dse_rejection rejection = {0};
        struct dse_context context = {.board = d->board, .costs = d->g->costs, .work = work, .band = (enum dse_band)band,
                                      .rejection = &rejection};
        for (size_t b = 0; b < family->block_count; b++) {
            struct dse_accumulators part;
            DSE_TRY(dse_block_cost(family, b, &context, config, &part, err));
            DSE_TRY(dse_rejection_verdict(&rejection, err));
            widen(out->blocks[band][b], part.resources);
        }
    }
    double nodes = family->quantity("capacity_nodes", config, work);
    double nonzeros = family->quantity("capacity_nonzeros", config, work);
    out->nodes = nodes > out->nodes ? nodes : out->nodes;
    out->nonzeros = nonzeros > out->nonzeros ? nonzeros : out->nonzeros;
    return DSE_OK;
}

static enum dse_status take_set(const struct designs *d, size_t set, uint64_t seed, struct drawn *out,
                                struct dse_error *err)
{
    struct dse_measured_draw draw DSE_CLEANUP(dse_measured_draw_clear) = {0};
    void *work = NULL;
    DSE_TRY(dse_measured_draw_make(d->g, d->sets[set], "", seed, &draw, err));
    DSE_TRY(dse_published_words_apply(d->g->space, d->words, &draw.config, err));
    DSE_TRY(d->g->family->prepare(d->g->family, &draw.workload, &work, err));
    enum dse_status status = take_work(d, &draw.config, work, out, err);
    d->g->family->release(work);
    return status;
}

static enum dse_status draw_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct designs *d = user;
    struct drawn *out = &d->drawn[index];
    (void)thread;
    for (size_t set = 0; set < d->set_count; set++)
        DSE_TRY(take_set(d, set, d->g->seed + index, out, err));
    for (int band = 0; band < 3; band++)
        for (size_t b = 0; b < d->g->family->block_count; b++)
            for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
                out->sums[band][r] += out->blocks[band][b][r];
    return DSE_OK;
}

static int by_block_ram(const void *a, const void *b)
{
    int64_t x = ((const struct drawn *)a)->sums[DSE_BAND_NOMINAL][DSE_BRAM18];
    int64_t y = ((const struct drawn *)b)->sums[DSE_BAND_NOMINAL][DSE_BRAM18];
    return (x > y) - (x < y);
}

static void take_median(const struct designs *d, size_t draws, struct dse_published_design *out)
{
    qsort(d->drawn, draws, sizeof *d->drawn, by_block_ram);
    const struct drawn *median = &d->drawn[draws / 2];
    memcpy(out->nominal, median->sums[DSE_BAND_NOMINAL], sizeof out->nominal);
    memcpy(out->low, median->sums[DSE_BAND_LOW], sizeof out->low);
    memcpy(out->high, median->sums[DSE_BAND_HIGH], sizeof out->high);
    out->nodes = median->nodes;
    out->nonzeros = median->nonzeros;
    for (size_t i = 0; i < draws; i++) /* the needs of other draws belong to the band */
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
            int64_t low = d->drawn[i].sums[DSE_BAND_LOW][r], high = d->drawn[i].sums[DSE_BAND_HIGH][r];
            out->low[r] = low < out->low[r] ? low : out->low[r];
            out->high[r] = high > out->high[r] ? high : out->high[r];
        }
    for (size_t b = 0; b < d->g->family->block_count; b++) {
        struct dse_published_part *part = &out->parts[out->part_count++];
        part->block = d->g->family->blocks[b].name;
        memcpy(part->resources, median->blocks[DSE_BAND_NOMINAL][b], sizeof part->resources);
    }
}

enum dse_status dse_published_design_make(const struct dse_validation_ground *g, const struct dse_dataset *const *sets,
                                          size_t count, size_t draws, const char *words, struct dse_published_design *out,
                                          struct dse_error *err)
{
    struct dse_stated_board stated;
    *out = (struct dse_published_design){0};
    dse_stated_board_make(g->board, g->figures, &stated);
    struct drawn *drawn DSE_CLEANUP(dse_free_at) = dse_calloc(draws + 1, sizeof *drawn);
    struct designs d = {.g = g, .board = &stated.board, .sets = sets, .set_count = count, .words = words, .drawn = drawn};
    DSE_TRY(dse_parallel_for(draws, g->jobs, draw_one, &d, g->monitor, err));
    take_median(&d, draws, out);
    return DSE_OK;
}
