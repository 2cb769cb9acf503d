/* How long the models take: all blocks of one configuration, and a whole estimate with its bands.
 * usage: bench_models [PROFILE [BOARD]] */
#include <stdio.h>
#include <stdlib.h>

#include "core/rng.h"
#include "models/estimate.h"
#include "tests/bench/must.h"
#include "tests/worked.h"

#define CONFIGURATIONS 2000

int main(int argc, char **argv)
{
    const struct dse_model_family *family = dse_model_find("nysx");
    struct dse_error err = {0};
    struct dse_space *space = NULL;
    struct dse_board *board = NULL;
    struct dse_costs *costs = NULL;
    struct dse_profile *profile = NULL;
    void *work = NULL;
    MUST(dse_model_space(family, NULL, &space, &why));
    MUST(dse_profile_open(argc > 1 ? argv[1] : "MUTAG", &profile, &why));
    MUST(dse_board_open(argc > 2 ? argv[2] : "zcu104", &board, &why));
    MUST(dse_costs_for_board(board, NULL, &costs, &why));
    struct dse_setup setup = {.family = family, .space = space, .board = board, .costs = costs,
                              .workload = &profile->workloads[profile->workload_count - 1], .headroom = -1.0};
    MUST(family->prepare(setup.workload, &work, &why));
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
    double begin = worked_together_s();
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        struct dse_accumulators sums = {0}, part;
        refusal.refused = false;
        for (size_t b = 0; b < family->block_count; b++)
            if (dse_block_account(family, b, &context, &configs[i], &part, &err) == DSE_OK && !refusal.refused)
                dse_accumulators_combine(&sums, &part);
    }
    double blocks = worked_together_s() - begin;
    begin = worked_together_s();
    for (size_t i = 0; i < CONFIGURATIONS; i++)
        (void)dse_estimate_make(&setup, &configs[i], estimate, &err);
    printf("%s on %s: %.1f us for all %zu blocks (aim: 50), %.1f us for an estimate with its bands\n", profile->dataset,
           board->name, 1e6 * blocks / CONFIGURATIONS, family->block_count, 1e6 * (worked_together_s() - begin) / CONFIGURATIONS);
    free(estimate);
    free(configs);
    family->release(work);
    dse_profile_free(profile);
    dse_costs_free(costs);
    dse_board_free(board);
    dse_space_free(space);
    return 0;
}
