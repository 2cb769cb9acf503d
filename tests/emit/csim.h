/* The accelerator's C simulation against the executor: one design at a time, emitted, compiled and run. */
#pragma once

#include "datasets/dataset.h"
#include "models/nysx/executor/model.h"
#include "models/hls.h"
#include "emit/emission.h"
#include "tests/ok.h"

#define CASES_MOST 32 /* graphs per design, for the counters */

/* Inputs of every design. */
struct bench {
    struct dse_dataset data;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_space *space;
    const struct dse_model_family *family;
    const struct dse_executor *executor;
};

/* A design with its model. */
struct design {
    const struct dse_config *config;
    struct dse_model *model;
    struct dse_setup setup;
    struct dse_estimate estimate;
    const struct dse_hls *hls;
};

/* Counts of the engines of the C simulation, per graph (models/nysx/hls/nysx.h). */
struct counter {
    char name[32];
    uint64_t of[CASES_MOST];
};

struct counters {
    struct counter items[24];
    size_t count, cases;
};

/* Reads the lines of the bench's output. */
void csim_read_counters(const char *path, size_t cases, struct counters *out);

/* Compares the counts with those of `simulate`, and, if independent of the graph, with the models. */
void csim_compare_simulation(const struct bench *b, const struct design *design, const struct counters *counters);
void csim_compare_models(const struct bench *b, const struct design *design, const struct counters *counters);
