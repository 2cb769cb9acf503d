/* The `simulate` verb: rows through the machine of one configuration. The answers come from the sums of its processing
 * elements, so they equal `infer`'s only if the simulation is right. The verb does not call the analytical models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "models/hydraf/executor/machine.h"
#include "models/hydraf/executor/model.h"
#include "executor/simulated.h"

#define ROWS_A_TASK 16

static const char *const stages[HYDRAF_STAGE_COUNT] = {"compare", "predict", "update"};

static const struct dse_sim_engine units[HYDRAF_UNIT_COUNT] = {
    [HYDRAF_UNIT_PORT] = {"port", HYDRAF_STAGE_COMPARE, HYDRAF_STAGE_COMPARE},
    [HYDRAF_UNIT_ENCODER] = {"encoder", HYDRAF_STAGE_COMPARE, HYDRAF_STAGE_COMPARE},
    [HYDRAF_UNIT_CLUSTERS] = {"clusters", HYDRAF_STAGE_COMPARE, HYDRAF_STAGE_COMPARE},
    [HYDRAF_UNIT_REGRESSION] = {"regression", HYDRAF_STAGE_COMPARE, HYDRAF_STAGE_COMPARE},
    [HYDRAF_UNIT_CONFIDENCE] = {"confidence", HYDRAF_STAGE_PREDICT, HYDRAF_STAGE_PREDICT},
    [HYDRAF_UNIT_REGRESSION_UPDATE] = {"regression_update", HYDRAF_STAGE_UPDATE, HYDRAF_STAGE_UPDATE},
    [HYDRAF_UNIT_CLUSTER_UPDATE] = {"cluster_update", HYDRAF_STAGE_UPDATE, HYDRAF_STAGE_UPDATE},
};

#define COUNTER(unit, name, member) {unit, name, offsetof(struct hydraf_record, member)}
static const struct dse_sim_counter counters[] = {
    COUNTER(HYDRAF_UNIT_PORT, "bytes", bytes),
    COUNTER(HYDRAF_UNIT_PORT, "stall_latency_cycles", port_latency),
    COUNTER(HYDRAF_UNIT_PORT, "stall_memory_cycles", port_credit),
    COUNTER(HYDRAF_UNIT_ENCODER, "stall_memory_cycles", encoder_memory),
    COUNTER(HYDRAF_UNIT_CLUSTERS, "stall_memory_cycles", array_memory),
    COUNTER(HYDRAF_UNIT_CLUSTERS, "stall_encoder_cycles", array_encoder),
    COUNTER(HYDRAF_UNIT_CLUSTERS, "idle_element_steps", array_skew),
    COUNTER(HYDRAF_UNIT_CLUSTERS, "products", products),
    COUNTER(HYDRAF_UNIT_REGRESSION, "stall_memory_cycles", array_memory),
    COUNTER(HYDRAF_UNIT_REGRESSION, "stall_encoder_cycles", array_encoder),
    COUNTER(HYDRAF_UNIT_CLUSTER_UPDATE, "select_product_cycles", select_products),
    COUNTER(HYDRAF_UNIT_CLUSTER_UPDATE, "rescales", rescales),
};

static const struct dse_sim_form form = {
    .record_bytes = sizeof(struct hydraf_record),
    .stages = stages, .stage_count = HYDRAF_STAGE_COUNT, .stage_at = offsetof(struct hydraf_record, stage),
    .engines = units, .engine_count = HYDRAF_UNIT_COUNT, .work_at = offsetof(struct hydraf_record, busy),
    .counters = counters, .counter_count = sizeof counters / sizeof *counters,
};

struct place {
    struct hydraf_scratch scratch;
    double *similarity, *prediction;
};

struct simulating {
    const struct hydraf_model *model;
    const struct dse_data_table *table;
    struct hydraf_hardware hardware;
    size_t *columns, target;
    const struct dse_inference *items; /* the rows, and infer's answers */
    struct hydraf_record *records;     /* [items] */
    double *estimate;                  /* [items] the machine's */
    struct place *places;
    size_t equal;
};

static void make_place(const struct hydraf_regressor *regressor, size_t rows, struct place *out)
{
    size_t sums = rows * regressor->clusters.lanes;
    hydraf_scratch_make(regressor, rows, &out->scratch);
    out->similarity = dse_malloc(sums * sizeof *out->similarity);
    out->prediction = dse_malloc(sums * sizeof *out->prediction);
}

static void free_place(struct place *place)
{
    hydraf_scratch_free(&place->scratch);
    free(place->similarity);
    free(place->prediction);
}

static void encode(const struct simulating *s, const struct hydraf_regressor *regressor, size_t item, struct place *place,
                   size_t at)
{
    hydraf_encode_row(regressor, s->table->values + s->items->item[item] * s->table->columns, s->columns, &place->scratch,
                      at);
}

/* Answers one row. */
static void answer_one(const struct simulating *s, size_t item, struct place *place)
{
    const struct hydraf_regressor *regressor = &s->model->regressor;
    struct hydraf_record *record = &s->records[item];
    encode(s, regressor, item, place, 0);
    hydraf_machine_predict(&s->hardware, regressor->setting.clusters, 1, record);
    hydraf_machine_compare(&s->hardware, regressor, &place->scratch.rows, 1, place->similarity, place->prediction, record);
    hydraf_answer(regressor, place->similarity, place->prediction, &place->scratch, 1);
    s->estimate[item] = hydraf_estimate(regressor, place->scratch.estimate[0]);
}

static enum dse_status answer_some(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)err;
    const struct simulating *s = user;
    for (size_t i = index * ROWS_A_TASK; i < (index + 1) * ROWS_A_TASK && i < s->items->count; i++)
        answer_one(s, i, &s->places[thread]);
    return DSE_OK;
}

static enum dse_status answer_all(struct simulating *s, const struct dse_run *run, struct dse_error *err)
{
    s->places = dse_calloc(run->jobs, sizeof *s->places);
    for (size_t i = 0; i < run->jobs; i++)
        make_place(&s->model->regressor, 1, &s->places[i]);
    enum dse_status status = dse_parallel_for((s->items->count + ROWS_A_TASK - 1) / ROWS_A_TASK, run->jobs, answer_some, s,
                                              run->monitor, err);
    for (size_t i = 0; i < run->jobs; i++)
        free_place(&s->places[i]);
    free(s->places);
    for (size_t i = 0; status == DSE_OK && i < s->items->count; i++)
        s->equal += s->estimate[i] == s->items->estimate[i];
    return status;
}

/* ---- learning from a stream ---- */

static void free_copy(struct hydraf_regressor *copy)
{
    hydraf_block_free(&copy->clusters);
    hydraf_block_free(&copy->models);
}

static size_t halvings(double before, double after)
{
    return (size_t)lround(log2(after / before));
}

/* The machine answers one batch, then learns from it. A second regressor does the same with only the fast kernels. */
static void learn_batch(struct simulating *s, struct hydraf_regressor *machine, struct hydraf_regressor *check,
                        struct place *place, size_t first, size_t count, uint32_t update)
{
    struct hydraf_record record = {0};
    float target[HYDRAF_BATCH_MAX], estimate[HYDRAF_BATCH_MAX];
    for (size_t j = 0; j < count; j++) {
        encode(s, machine, first + j, place, j);
        target[j] = (float)((s->items->target[first + j] - machine->target_mean) / machine->target_scale);
    }
    hydraf_machine_predict(&s->hardware, machine->setting.clusters, count, &record);
    hydraf_machine_compare(&s->hardware, machine, &place->scratch.rows, count, place->similarity, place->prediction, &record);
    hydraf_answer(machine, place->similarity, place->prediction, &place->scratch, count);
    memcpy(estimate, place->scratch.estimate, count * sizeof *estimate);
    double model_step = machine->models.step, cluster_step = machine->clusters.step;
    hydraf_regressor_learn(machine, &place->scratch, target, count, HYDRAF_STREAM_PACE, update);
    hydraf_machine_update(&s->hardware, machine, count, halvings(model_step, machine->models.step),
                          halvings(cluster_step, machine->clusters.step), &record);
    hydraf_predict(check, &place->scratch, count);
    for (size_t j = 0; j < count; j++) {
        s->equal += place->scratch.estimate[j] == estimate[j];
        s->estimate[first + j] = hydraf_estimate(machine, estimate[j]);
        s->records[first + j] = record;
    }
    hydraf_regressor_learn(check, &place->scratch, target, count, HYDRAF_STREAM_PACE, update);
}

/* Streams the rows, one batch at a time; each is predicted before it is learned from. */
static enum dse_status learn_all(struct simulating *s, const struct dse_run *run, struct dse_error *err)
{
    DSE_CLEANUP(free_copy) struct hydraf_regressor machine = {0}, check = {0};
    DSE_CLEANUP(free_place) struct place place = {0};
    size_t batch = s->model->regressor.setting.batch;
    hydraf_regressor_copy(&s->model->regressor, &machine);
    hydraf_regressor_copy(&s->model->regressor, &check);
    make_place(&machine, batch, &place);
    for (size_t first = 0; first < s->items->count; first += batch) {
        size_t count = s->items->count - first < batch ? s->items->count - first : batch;
        if (dse_monitor_cancelled(run->monitor))
            return dse_fail_cancelled(err);
        learn_batch(s, &machine, &check, &place, first, count, (uint32_t)(first / batch));
    }
    return DSE_OK;
}

/* ---- results ---- */

static void gather(const struct simulating *s, struct dse_simulation *result)
{
    const struct hydraf_hardware *h = &s->hardware;
    size_t n = s->items->count, figures = 0;
    struct dse_figure figure[DSE_FIGURES];
    double error;
    uint64_t absent = (uint64_t)!h->on_chip << HYDRAF_UNIT_ENCODER |
                      (h->learns ? 0 : UINT64_C(1) << HYDRAF_UNIT_REGRESSION_UPDATE | UINT64_C(1) << HYDRAF_UNIT_CLUSTER_UPDATE);
    result->quality = hydraf_quality(&s->model->regressor, s->items->target, s->estimate, n, figure, &figures, &error);
    result->equal = s->equal;
    result->clock_hz = h->clock_hz;
    dse_simulation_gather(&form, s->records, n, h->learns ? HYDRAF_STAGE_COUNT : HYDRAF_STAGE_UPDATE, absent, result);
}

static enum dse_status prepare(struct simulating *s, const struct dse_config *config, const struct dse_board *board,
                               const struct dse_run *how, struct dse_error *err)
{
    DSE_TRY(hydraf_hardware_read(&s->model->regressor, config, board, how->costs, &s->hardware, err));
    DSE_TRY(hydraf_model_columns(s->model, s->table, &s->columns, &s->target, err));
    s->records = dse_calloc(s->items->count + 1, sizeof *s->records);
    s->estimate = dse_calloc(s->items->count + 1, sizeof *s->estimate);
    return DSE_OK;
}

static void free_simulating(struct simulating *s)
{
    free(s->columns);
    free(s->records);
    free(s->estimate);
}

enum dse_status hydraf_simulate(const struct dse_model *base, const struct dse_dataset *data,
                                const struct dse_config *config, const struct dse_board *board,
                                const struct dse_run *how, struct dse_simulation *result, struct dse_error *err)
{
    DSE_CLEANUP(dse_inference_free) struct dse_inference items = {0};
    DSE_CLEANUP(free_simulating) struct simulating s = {.model = hydraf_model_of(base), .table = dse_dataset_table(data), .items = &items};
    DSE_TRY(hydraf_infer(base, data, how, &items, err));
    DSE_TRY(prepare(&s, config, board, how, err));
    DSE_TRY(s.hardware.learns ? learn_all(&s, how, err) : answer_all(&s, how, err));
    gather(&s, result);
    return DSE_OK;
}
