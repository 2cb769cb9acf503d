#include "dse/simulating.h"

#include <string.h>

#include "core/memory.h"
#include "devices/board.h"
#include "dse/training.h"
#include "explore/point.h"

/* The point's knobs and board. Knobs that the model decides must have the model's values; `simulate` checks this. */
static enum dse_status read_point(const struct dse_cli *cli, const struct dse_executor *executor,
                                  struct dse_setting *knobs, struct dse_board **board, struct dse_error *err)
{
    struct dse_stored from DSE_CLEANUP(dse_stored_free) = {0};
    if (dse_cli_value(cli, "from") == NULL)
        return DSE_OK;
    DSE_TRY(dse_stored_open(dse_cli_request(cli), &from, err));
    DSE_TRY(dse_training_of_family(cli, &from, executor, err));
    for (size_t i = 0; i < from.config.count; i++)
        dse_setting_put(knobs, from.config.pairs[i].name, from.config.pairs[i].value);
    if (dse_cli_value(cli, "board") == NULL) {
        *board = from.board;
        from.board = NULL;
    }
    return DSE_OK;
}

/* Knobs of the published design on another board than the family's own. */
static void put_published(const struct dse_model_family *family, const struct dse_board *board, struct dse_setting *knobs)
{
    for (size_t i = 0; i < family->published_count; i++)
        for (const char *const *knob = family->published[i].knobs; strcmp(family->published[i].board, board->name) == 0 && *knob != NULL; knob++) {
            char *name DSE_CLEANUP(dse_free_at) = dse_strndup(*knob, strcspn(*knob, "="));
            dse_setting_put(knobs, name, strchr(*knob, '=') + 1);
        }
}

enum dse_status dse_simulating_open(const struct dse_cli *cli, struct dse_simulating *out, struct dse_error *err)
{
    const char *name = dse_cli_value(cli, "board");
    *out = (struct dse_simulating){0};
    DSE_TRY(dse_training_executor(cli, &out->executor, err));
    if (out->executor->simulate == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--family %s: has no simulation", out->executor->family);
    DSE_TRY(dse_model_load(out->executor, dse_cli_value(cli, "model"), &out->model, err));
    DSE_TRY(read_point(cli, out->executor, &out->knobs, &out->board, err));
    if (out->board == NULL)
        DSE_TRY(dse_board_open(name != NULL ? name : out->executor->board, &out->board, err));
    if (dse_cli_value(cli, "from") == NULL)
        put_published(dse_model_find(out->executor->family), out->board, &out->knobs);
    DSE_TRY(dse_training_assign(cli, NULL, &out->knobs, err));
    dse_meant_of_model(dse_cli_request(cli), dse_model_find(out->executor->family), out->origin);
    DSE_TRY(dse_training_dataset(cli, NULL, &out->data, err));
    dse_model_rank(out->model, out->data);
    return DSE_OK;
}

enum dse_status dse_simulating_run(const struct dse_cli *cli, struct dse_simulating *out, struct dse_error *err)
{
    struct dse_run run = {.seed = dse_cli_seed(cli), .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli)};
    DSE_TRY(dse_request_in_rtl(dse_cli_request(cli), &run.in_rtl, err));
    DSE_TRY(dse_simulating_open(cli, out, err));
    return dse_simulate(out->model, out->data, &out->knobs, out->board, &run, &out->result, err);
}

enum dse_status dse_simulating_estimate(const struct dse_cli *cli, const struct dse_simulating *run, struct dse_estimate *out, struct dse_error *err)
{
    const struct dse_model *model = run->model;
    const struct dse_run how = {.seed = model->seed, .jobs = dse_cli_jobs(cli), .monitor = dse_cli_monitor(cli), .of_held_out = model->split.n_test > 0};
    struct dse_workload measured DSE_CLEANUP(dse_workload_clear) = {0}, work DSE_CLEANUP(dse_workload_clear) = {0};
    struct dse_space *space DSE_CLEANUP(dse_space_free_at) = NULL;
    struct dse_costs *costs DSE_CLEANUP(dse_costs_free_at) = NULL;
    struct dse_setup setup = {.family = dse_model_find(run->executor->family), .board = run->board, .workload = &work, .headroom = -1.0};
    bool in_rtl = false;
    DSE_TRY(dse_request_in_rtl(dse_cli_request(cli), &in_rtl, err));
    setup.family = in_rtl && setup.family->in_rtl != NULL ? setup.family->in_rtl : setup.family;
    DSE_TRY(dse_model_space(setup.family, NULL, &space, err));
    DSE_TRY(dse_costs_for_board(run->board, NULL, &costs, err));
    DSE_TRY(run->executor->profile(run->data, &model->words, &how, &measured, err));
    DSE_TRY(dse_executor_work(run->executor, model, &measured, &work, err));
    setup.space = space;
    setup.costs = costs;
    return dse_estimate_built(&setup, &run->result.config, out, err);
}

void dse_simulating_free(struct dse_simulating *run)
{
    dse_simulation_free(&run->result);
    dse_setting_free(&run->knobs);
    dse_dataset_free(run->data);
    dse_board_free(run->board);
    if (run->model != NULL)
        dse_model_free(run->model);
    *run = (struct dse_simulating){0};
}
