#include "models/loops.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"

void dse_loops_note(struct dse_loops *loops, enum dse_case which, const char *name, double entries, double iterations,
                    double interval, double depth)
{
    if (loops == NULL)
        return;
    struct dse_loop *loop = NULL;
    for (size_t i = 0; i < loops->count; i++)
        if (strcmp(loops->loop[i].name, name) == 0)
            loop = &loops->loop[i];
    if (loop == NULL)
        loop = dse_list_more(&loops->loop, &loops->count, sizeof *loop);
    loop->name = name;
    loop->block = loops->block;
    loop->entries[which] = entries;
    loop->iterations[which] = iterations;
    loop->interval = interval * loops->stretch;
    loop->depth = depth;
}

void dse_loops_spread(struct dse_loops *loops, const char *name, double calls)
{
    for (size_t i = 0; loops != NULL && i < loops->count; i++)
        if (strcmp(loops->loop[i].name, name) == 0)
            loops->loop[i].calls = calls;
}

const struct dse_loop *dse_loops_find(const struct dse_loops *loops, const char *name)
{
    for (size_t i = 0; i < loops->count; i++)
        if (strcmp(loops->loop[i].name, name) == 0)
            return &loops->loop[i];
    return NULL;
}

double dse_loop_cycles(const struct dse_loop *loop, enum dse_case which)
{
    return loop->entries[which] * (loop->depth - loop->interval) + loop->iterations[which] * loop->interval;
}

enum dse_status dse_loops_of(const struct dse_setup *setup, const struct dse_config *config, struct dse_loops *out,
                             struct dse_error *err)
{
    const struct dse_model_family *family = setup->family;
    struct dse_rejection rejection = {0};
    struct dse_config canonical = *config;
    void *work = NULL;
    *out = (struct dse_loops){.stretch = 1.0};
    dse_config_canonical(setup->space, &canonical);
    DSE_TRY(family->prepare(family, setup->workload, &work, err));
    struct dse_context context = {.board = setup->board, .costs = setup->costs, .work = work, .fitted = setup->fitted,
                                  .rejection = &rejection, .loops = out};
    enum dse_status status = DSE_OK;
    for (size_t b = 0; b < family->block_count && status == DSE_OK; b++) {
        struct dse_accumulators sums;
        out->block = b;
        status = dse_block_cost(family, b, &context, &canonical, &sums, err);
    }
    family->release(work);
    if (status != DSE_OK || rejection.rejected)
        dse_loops_free(out);
    return status;
}

void dse_loops_free(struct dse_loops *loops)
{
    free(loops->loop);
    *loops = (struct dse_loops){0};
}
