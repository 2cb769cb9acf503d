/* Accelerators as files. A file that is accepted has blocks with finite costs or an error with its place, for the default design and random
 * designs; a rejected file gives one line with the reason. */
#include "core/rng.h"
#include "models/described/described.h"
#include "models/estimate.h"
#include "tests/fuzz/input.h"

static struct dse_board *board;
static struct dse_costs *costs;

static void use(const struct dse_model_family *family)
{
    struct dse_space *space = NULL;
    struct dse_profile *profile = NULL;
    struct dse_error err = {0};
    struct dse_estimate *estimate = malloc(sizeof *estimate);
    struct dse_rng rng;
    require(estimate != NULL && dse_model_space(family, NULL, &space, &err) == DSE_OK);
    dse_rng_seed(&rng, 1, 0);
    if (family->own_profile(family, NULL, &profile, &err) == DSE_OK) {
        struct dse_setup setup = {.family = family, .space = space, .board = board, .costs = costs, .workload = &profile->workloads[0], .headroom = -1.0};
        for (int i = 0; i < 3; i++) {
            struct dse_config config;
            dse_space_default(space, &config);
            if (i > 0)
                dse_space_draw(space, dse_bits_all(), &rng, &config);
            require(dse_estimate_make(&setup, &config, estimate, &err) == DSE_OK || err.message[0] != '\0');
        }
        dse_profile_free(profile);
    }
    free(estimate);
    dse_space_free(space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dse_error err = {0};
    const struct dse_model_family *family = NULL;
    if (board == NULL)
        require(dse_board_open("zcu104", &board, &err) == DSE_OK && dse_costs_for_board(board, NULL, &costs, &err) == DSE_OK);
    char *text = copy_input(data, size);
    if (dse_described_read("fuzzed.yaml", text, &family, &err) == DSE_OK)
        use(family);
    else
        require(err.message[0] != '\0');
    dse_described_close();
    free(text);
    return 0;
}
