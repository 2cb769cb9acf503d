/* A model run through the engines of a design: the common options of `simulate` and `plot timeline`. */
#pragma once

#include "dse/cli.h"
#include "executor/executor.h"

struct dse_simulating {
    const struct dse_executor *executor;
    struct dse_model *model;
    struct dse_dataset *data;
    struct dse_board *board;
    struct dse_setting knobs;
    struct dse_simulation result;
};

/* Opens --model, --dataset, --set, --from and --board; then its run. Free in any case. */
enum dse_status dse_simulating_open(const struct dse_cli *cli, struct dse_simulating *out, struct dse_error *err);
enum dse_status dse_simulating_run(const struct dse_cli *cli, struct dse_simulating *out, struct dse_error *err);
void dse_simulating_free(struct dse_simulating *run);
