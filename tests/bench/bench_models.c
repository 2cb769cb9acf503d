/* How long the models take: all blocks of one configuration, and a whole estimate with its bands.
 * usage: bench_models [PROFILE [BOARD]] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/rng.h"
#include "models/estimate.h"

#define CONFIGURATIONS 2000

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void need(enum dse_status status, const struct dse_error *err)
{
    if (status == DSE_OK)
        return;
    fprintf(stderr, "bench_models: %s\n", err->message);
    exit(1);
}

int main(int argc, char **argv)
{
    const struct dse_model_family *family = dse_model_find("nysx");
    struct dse_error err = {0};
    struct dse_space *space = NULL;
    struct dse_board *board = NULL;
    struct dse_costs *costs = NULL;
    struct dse_profile *profile = NULL;
    void *work = NULL;
    need(dse_model_space(family, NULL, &space, &err), &err);
    need(dse_profile_open(argc > 1 ? argv[1] : "MUTAG", &profile, &err), &err);
    need(dse_board_open(argc > 2 ? argv[2] : "zcu104", &board, &err), &err);
    need(dse_costs_for_board(board, NULL, &costs, &err), &err);
    struct dse_setup setup = {.family = family, .space = space, .board = board, .costs = costs,
                              .workload = &profile->workloads[profile->workload_count - 1], .headroom = -1.0};
    need(family->prepare(setup.workload, &work, &err), &err);
    struct dse_refusal refusal = {0};
    struct dse_context context = {.board = board, .costs = costs, .work = work, .refusal = &refusal};
    struct dse_config *configs = malloc(CONFIGURATIONS * sizeof *configs);
    struct dse_estimate *estimate = malloc(sizeof *estimate);
    struct dse_rng rng;
    if (configs == NULL || estimate == NULL)
        return 1;
    dse_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        dse_space_default(space, &configs[i]);
        dse_space_draw(space, ~(dse_knob_set)0, &rng, &configs[i]);
    }
    double begin = now_s();
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        struct dse_accumulators sums = {0}, part;
        refusal.refused = false;
        for (size_t b = 0; b < family->block_count; b++)
            if (dse_block_account(family, b, &context, &configs[i], &part, &err) == DSE_OK && !refusal.refused)
                dse_accumulators_combine(&sums, &part);
    }
    double blocks = now_s() - begin;
    begin = now_s();
    for (size_t i = 0; i < CONFIGURATIONS; i++)
        (void)dse_estimate_make(&setup, &configs[i], estimate, &err);
    printf("%s on %s: %.1f us for all %zu blocks (aim: 50), %.1f us for an estimate with its bands\n", profile->dataset,
           board->name, 1e6 * blocks / CONFIGURATIONS, family->block_count, 1e6 * (now_s() - begin) / CONFIGURATIONS);
    free(estimate);
    free(configs);
    family->release(work);
    dse_profile_free(profile);
    dse_costs_free(costs);
    dse_board_free(board);
    dse_space_free(space);
    return 0;
}
