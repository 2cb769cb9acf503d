/* The `simulate` verb: the whole graph through the machine of one configuration. The answers come from the machine's units, so
 * they equal `infer`'s only if the simulation is right. The verb does not call the analytical models. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "devices/board.h"
#include "models/gat/executor/machine.h"
#include "models/gat/executor/model.h"
#include "models/gat/transfers.h"
#include "executor/simulated.h"

static const char *const stages[GAT_STAGES] = {"layer1", "dispatch", "layer2", "transfer"};

static const struct dse_sim_engine units[GAT_UNIT_COUNT] = {
    [GAT_UNIT_LOADER] = {"loader", GAT_STAGE_LAYER1, GAT_STAGE_LAYER2},
    [GAT_UNIT_SPMM] = {"spmm", GAT_STAGE_LAYER1, GAT_STAGE_LAYER2},
    [GAT_UNIT_DMVM] = {"dmvm", GAT_STAGE_LAYER1, GAT_STAGE_LAYER2},
    [GAT_UNIT_SOFTMAX] = {"softmax", GAT_STAGE_LAYER1, GAT_STAGE_LAYER2},
    [GAT_UNIT_AGGREGATOR] = {"aggregator", GAT_STAGE_LAYER1, GAT_STAGE_LAYER2},
    [GAT_UNIT_DISPATCHER] = {"dispatcher", GAT_STAGE_DISPATCH, GAT_STAGE_DISPATCH},
    [GAT_UNIT_CDMA] = {"cdma", GAT_STAGE_TRANSFER, GAT_STAGE_TRANSFER},
};

#define COUNTER(unit, name, member) {unit, name, offsetof(struct gat_record, member)}
static const struct dse_sim_counter counters[] = {
    COUNTER(GAT_UNIT_SPMM, "products", products),
    COUNTER(GAT_UNIT_SPMM, "stall_full_cycles", spmm_full),
    COUNTER(GAT_UNIT_DMVM, "stall_full_cycles", dmvm_full),
    COUNTER(GAT_UNIT_SOFTMAX, "stall_divisor_cycles", divider_empty),
    COUNTER(GAT_UNIT_SOFTMAX, "dividends_most", dividends_most),
    COUNTER(GAT_UNIT_AGGREGATOR, "stall_softmax_cycles", aggregator_empty),
    COUNTER(GAT_UNIT_DISPATCHER, "copies", copies),
    COUNTER(GAT_UNIT_CDMA, "words", words),
    COUNTER(GAT_UNIT_CDMA, "processor_cycles", processor),
    COUNTER(GAT_UNIT_CDMA, "stall_memory_cycles", memory),
};

/* All items of the graph share the run's cycles. */
static const struct dse_sim_form form = {
    .stages = stages, .stage_count = GAT_STAGES, .stage_at = offsetof(struct gat_record, stage),
    .engines = units, .engine_count = GAT_UNIT_COUNT, .work_at = offsetof(struct gat_record, work),
    .counters = counters, .counter_count = sizeof counters / sizeof *counters,
};

void gat_assume(const struct dse_model *base, const struct dse_run *run, struct dse_config *config)
{
    (void)run;
    if (gat_model_of(base)->setting.arithmetic == GAT_AS_STREAMLINE)
        config->value[GAT_APPROACH] = GAT_STREAMLINE;
}

static enum dse_status read_hardware(const struct dse_config *config, const struct dse_board *board, struct gat_hardware *out,
                                     struct dse_error *err)
{
    const int64_t *v = config->value;
    *out = (struct gat_hardware){.approach = (enum gat_approach)v[GAT_APPROACH], .pes = (size_t)v[GAT_PES],
                                 .lanes = (size_t)v[GAT_SUBGRAPHS], .task = (enum gat_task)v[GAT_TASK],
                                 .clock_hz = (double)v[GAT_CLOCK_MHZ] * 1e6};
    if (out->approach == GAT_STREAMLINE && out->task == GAT_TRANSFER_2)
        return dse_fail(err, DSE_BAD_USAGE, "task=transfer-2: approach=streamline transfers before layer 1 alone");
    if (board->memory_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "the board %s has no memory", board->name);
    const struct dse_memory *memory = &board->memories[0];
    out->bytes_a_cycle = dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / out->clock_hz;
    out->latency_cycles = memory->read_latency_s * out->clock_hz;
    out->setup_cycles = v[GAT_RTL] == GAT_RTL_OF_THESIS ? GAT_SETUP_US * 1e-6 * out->clock_hz : 0.0;
    out->first_cycles = GAT_FIRST_US * 1e-6 * out->clock_hz;
    return DSE_OK;
}

struct simulating {
    const struct gat_model *model;
    const struct dse_node_graph *graph;
    struct gat_hardware hardware;
    struct gat_fixed fixed;
    struct gat_subgraphs subgraphs;
    struct gat_gcsr gcsr;
    struct gat_scores wanted; /* infer's */
    int64_t *score;           /* the machine's */
    struct gat_record record;
};

static enum dse_status run_machine(struct simulating *s, const struct dse_run *how, struct dse_error *err)
{
    const struct gat_model *model = s->model;
    enum gat_approach approach = s->hardware.approach;
    enum gat_arithmetic same = approach == GAT_STREAMLINE ? GAT_AS_STREAMLINE : GAT_AS_LAYERBREAK;
    DSE_TRY(gat_model_run(model, s->graph, same, &s->wanted, err));
    gat_fixed_make(&model->network, model->feature_largest, approach, model->setting.steps, &s->fixed);
    gat_subgraphs_make(s->graph, &s->subgraphs);
    DSE_TRY(gat_gcsr_make(&s->fixed, s->graph, &s->subgraphs, &s->gcsr, err));
    s->score = dse_malloc((s->graph->node_count * model->classes + 1) * sizeof *s->score);
    return gat_machine_run(&s->hardware, &s->fixed, &s->gcsr, s->graph->node_count, how->monitor, s->score, &s->record, err);
}

static void gather(const struct simulating *s, const struct dse_dataset *data, const struct dse_inference *items,
                   struct dse_simulation *result)
{
    size_t classes = s->model->classes, right = 0;
    int64_t *class_of = NULL;
    gat_model_classes(s->model, data, &class_of);
    for (size_t i = 0; i < items->count; i++) {
        size_t at = items->item[i] * classes;
        right += class_of[gat_largest_whole(s->score + at, classes)] == items->label[i];
        result->equal += memcmp(s->score + at, s->wanted.whole + at, classes * sizeof *s->score) == 0;
    }
    result->quality = items->count > 0 ? (double)right / (double)items->count : 0.0;
    result->clock_hz = s->hardware.clock_hz;
    uint64_t absent = (uint64_t)(s->hardware.approach == GAT_LAYERBREAK) << GAT_UNIT_DISPATCHER |
                      (uint64_t)(s->hardware.task == GAT_EXECUTE) << GAT_UNIT_CDMA;
    free(class_of);
    dse_simulation_gather(&form, &s->record, items->count, s->hardware.task == GAT_EXECUTE ? GAT_STAGE_TRANSFER : GAT_STAGES, absent,
                                 result);
}

static void free_simulating(struct simulating *s)
{
    gat_gcsr_free(&s->gcsr);
    gat_subgraphs_free(&s->subgraphs);
    gat_fixed_free(&s->fixed);
    gat_scores_free(&s->wanted);
    free(s->score);
}

enum dse_status gat_simulate(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                             const struct dse_board *board, const struct dse_run *how, struct dse_simulation *result,
                             struct dse_error *err)
{
    DSE_CLEANUP(dse_inference_free) struct dse_inference items = {0};
    DSE_CLEANUP(free_simulating) struct simulating s = {.model = gat_model_of(base), .graph = dse_dataset_nodes(data)};
    DSE_TRY(read_hardware(config, board, &s.hardware, err));
    DSE_TRY(gat_infer(base, data, how, &items, err));
    DSE_TRY(run_machine(&s, how, err));
    gather(&s, data, &items, result);
    return DSE_OK;
}
