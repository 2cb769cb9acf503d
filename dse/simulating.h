/* A model run through the engines of a design: the common options of `simulate` and `plot timeline`. */
#pragma once

#include "dse/cli.h"
#include "executor/executor.h"
#include "explore/meant.h"
#include "models/estimate.h"

struct dse_simulating {
    const struct dse_executor *executor;
    struct dse_model *model;
    struct dse_dataset *data;
    struct dse_board *board;
    struct dse_setting knobs;
    char origin[DSE_ORIGIN_MAX]; /* origin of the design: explore/meant.h */
    struct dse_simulation result;
};

/* Opens --model, --dataset, --set, --from and --board; then runs the simulation. Call free in any case, also after an error. */
enum dse_status dse_simulating_open(const struct dse_cli *cli, struct dse_simulating *out, struct dse_error *err);
enum dse_status dse_simulating_run(const struct dse_cli *cli, struct dse_simulating *out, struct dse_error *err);
void dse_simulating_free(struct dse_simulating *run);

/* The models' estimate of the simulated design, for the model and the items that were simulated. DSE_ANSWER_NO if the models say that it cannot be built. */
enum dse_status dse_simulating_estimate(const struct dse_cli *cli, const struct dse_simulating *run, struct dse_estimate *out, struct dse_error *err);
