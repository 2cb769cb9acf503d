/* The `simulate` verb: one batch through the machine of one configuration. The batch's ranks come from the distances that the score engines add;
 * they equal `infer`'s only if the machine is right. The ranks of later queries are `infer`'s. The verb does not call the
 * analytical models. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "devices/board.h"
#include "models/hdreason/executor/machine.h"
#include "executor/simulated.h"

#define URAM_BITS (4096.0 * 72.0)

static const char *const stages[HDR_STAGES_COUNT] = {"encode", "memorise", "score", "signs", "bind", "sums", "train"};

/* One row per stage and unit, in the record's order. */
#define STAGE(stage, third) {"pcie", stage, stage}, {"hypervectors", stage, stage}, {"gradients", stage, stage}, {"encoder", stage, stage}, \
    {"tanh", stage, stage}, {third, stage, stage}, {"memorisation", stage, stage}, {"score", stage, stage}, {"training", stage, stage}
#define ROW(stage, unit) ((size_t)(stage) * HDR_UNITS_COUNT + (size_t)(unit))
#define BIT(unit) ((uint64_t)1 << (unit))
static const struct dse_sim_engine units[] = {
    STAGE(HDR_STAGE_ENCODE, "dispatcher"), STAGE(HDR_STAGE_MEMORISE, "dispatcher"), STAGE(HDR_STAGE_SCORE, "norm"), STAGE(HDR_STAGE_SIGNS, "norm"),
    STAGE(HDR_STAGE_BIND, "dispatcher"), STAGE(HDR_STAGE_SUMS, "dispatcher"), STAGE(HDR_STAGE_TRAIN, "dispatcher")};

#define MOVES (BIT(HDR_UNIT_PCIE) | BIT(HDR_UNIT_HYPERVECTORS))
#define SCORES (MOVES | BIT(HDR_UNIT_SCORE) | BIT(HDR_UNIT_NORM))

/* The units that a stage of this hardware has work for. */
static uint64_t at_work(const struct hdr_hardware *h, enum hdr_machine_stage stage)
{
    static const uint64_t infers[HDR_STAGES_COUNT] = {[HDR_STAGE_SCORE] = SCORES};
    static const uint64_t publication[HDR_STAGES_COUNT] = {
        [HDR_STAGE_MEMORISE] = MOVES | BIT(HDR_UNIT_GRADIENTS) | BIT(HDR_UNIT_ENCODER) | BIT(HDR_UNIT_TANH) | BIT(HDR_UNIT_DISPATCHER) | BIT(HDR_UNIT_MEMORISATION),
        [HDR_STAGE_SCORE] = SCORES | BIT(HDR_UNIT_GRADIENTS),
        [HDR_STAGE_TRAIN] = BIT(HDR_UNIT_PCIE) | BIT(HDR_UNIT_GRADIENTS) | BIT(HDR_UNIT_TRAINING)};
    static const uint64_t source[HDR_STAGES_COUNT] = {
        [HDR_STAGE_ENCODE] = MOVES | BIT(HDR_UNIT_ENCODER) | BIT(HDR_UNIT_TANH), [HDR_STAGE_MEMORISE] = MOVES | BIT(HDR_UNIT_MEMORISATION),
        [HDR_STAGE_SCORE] = SCORES, [HDR_STAGE_SIGNS] = MOVES | BIT(HDR_UNIT_SCORE) | BIT(HDR_UNIT_GRADIENTS) | BIT(HDR_UNIT_MEMORISATION),
        [HDR_STAGE_BIND] = MOVES | BIT(HDR_UNIT_MEMORISATION), [HDR_STAGE_SUMS] = MOVES | BIT(HDR_UNIT_GRADIENTS) | BIT(HDR_UNIT_MEMORISATION),
        [HDR_STAGE_TRAIN] = MOVES | BIT(HDR_UNIT_TRAINING)};
    return (h->task == HDR_INFER ? infers : h->forward ? publication : source)[stage];
}

#define COUNTER(stage, unit, name, member) {ROW(stage, unit), name, offsetof(struct hdr_record, member)}
#define BYTES(stage)                                                                           \
    COUNTER(stage, HDR_UNIT_HYPERVECTORS, "bytes_per_channel", hypervector_bytes[stage]),        \
    COUNTER(stage, HDR_UNIT_GRADIENTS, "bytes_per_channel", gradient_bytes[stage]), COUNTER(stage, HDR_UNIT_PCIE, "bytes", pcie_bytes[stage])
#define STALLS(stage)                                                                                                    \
    COUNTER(stage, HDR_UNIT_HYPERVECTORS, "stall_memory_cycles", stalls[stage][0]), COUNTER(stage, HDR_UNIT_PCIE, "stall_memory_cycles", stalls[stage][1])
static const struct dse_sim_counter counters[] = {
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_ENCODER, "encodings", encoded),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_DISPATCHER, "hits", hits),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_DISPATCHER, "misses", misses),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_DISPATCHER, "victims", victims),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_DISPATCHER, "read_again", rereads),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_DISPATCHER, "stall_encoder", encoder_waits),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_MEMORISATION, "lists", lists),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_MEMORISATION, "steps", steps),
    COUNTER(HDR_STAGE_MEMORISE, HDR_UNIT_MEMORISATION, "idle_ips", idle_ips),
    COUNTER(HDR_STAGE_SCORE, HDR_UNIT_HYPERVECTORS, "hidden_memory_cycles", hidden[0]),
    COUNTER(HDR_STAGE_SCORE, HDR_UNIT_PCIE, "hidden_memory_cycles", hidden[1]),
    STALLS(HDR_STAGE_ENCODE), STALLS(HDR_STAGE_MEMORISE), STALLS(HDR_STAGE_SCORE), STALLS(HDR_STAGE_SIGNS), STALLS(HDR_STAGE_BIND), STALLS(HDR_STAGE_SUMS), STALLS(HDR_STAGE_TRAIN),
    BYTES(HDR_STAGE_ENCODE), BYTES(HDR_STAGE_MEMORISE), BYTES(HDR_STAGE_SCORE), BYTES(HDR_STAGE_SIGNS), BYTES(HDR_STAGE_BIND), BYTES(HDR_STAGE_SUMS), BYTES(HDR_STAGE_TRAIN),
};

/* All items of a batch share its cycles. */
static const struct dse_sim_form form = {
    .stages = stages, .stage_count = HDR_STAGES_COUNT, .stage_at = offsetof(struct hdr_record, stage),
    .engines = units, .engine_count = sizeof units / sizeof *units, .work_at = offsetof(struct hdr_record, work),
    .counters = counters, .counter_count = sizeof counters / sizeof *counters,
};

static enum dse_status read_hardware(const struct hdr_model *model, const struct dse_config *config, const struct dse_board *board,
                                     struct hdr_hardware *out, struct dse_error *err)
{
    const int64_t *v = config->value;
    if (board->memory_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "the board %s has no memory", board->name);
    const struct dse_memory *memory = &board->memories[0];
    const struct hdr_setting *s = &model->setting;
    *out = (struct hdr_hardware){
        .ips = (size_t)v[HDR_IPS], .lane_width = (size_t)v[HDR_LANE_WIDTH], .encoder = (size_t)v[HDR_ENCODER],
        .score_lanes = (size_t)v[HDR_SCORE_LANES], .chunk = (size_t)v[HDR_CHUNK], .products = (size_t)v[HDR_TRAIN_PRODUCTS],
        .channels = (size_t)fmin((double)v[HDR_CHANNELS], (double)memory->channels), .policy = (enum hdr_policy)v[HDR_POLICY],
        .schedule = (enum hdr_schedule)v[HDR_SCHEDULE], .once = v[HDR_REUSE] == HDR_ENCODE_ONCE, .forward = v[HDR_BACKWARD] == HDR_FORWARD, .exact = s->gradient == HDR_EXACT,
        .task = (enum hdr_task)v[HDR_TASK], .dim = s->dim, .kept = s->kept, .embedding = s->embedding, .batch = s->batch,
        .bits = hdr_element_bits(s->precision), .clock_hz = (double)v[HDR_CLOCK_MHZ] * 1e6};
    out->cache_vectors = (size_t)floor((double)v[HDR_CACHE] * URAM_BITS / (double)(s->dim * out->bits));
    out->cache_uram = (size_t)v[HDR_CACHE];
    out->bytes_a_cycle = dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / out->clock_hz;
    out->read_cycles = ceil(memory->read_latency_s * out->clock_hz);
    out->beat_bits = (size_t)v[HDR_AXI] * (out->channels > 1 ? out->channels / 2 : 1);
    return DSE_OK;
}

/* The filtered rank of an answer among the machine's distances. */
static double rank_of(const struct hdr_queries *known, const struct hdr_question *q, const int32_t *distance, size_t entities)
{
    const int32_t own = distance[q->answer];
    double less = 0.0, equal = 0.0;
    size_t number = hdr_queries_find(known, q->query.a, q->query.b), at = 0, end = 0;
    if (number < known->count) {
        at = known->begin[number];
        end = known->begin[number + 1];
    }
    for (size_t j = 0; j < entities; j++) {
        bool other = at < end && known->answer[at] == (int32_t)j;
        at += other;
        if ((int32_t)j == q->answer || other)
            continue;
        less += distance[j] < own;
        equal += distance[j] == own;
    }
    return 1.0 + less + equal / 2.0;
}

/* Replaces infer's ranks of the first batch; counts the equal ones. */
static void score_batch(const struct hdr_model *model, const struct dse_triple_set *set, struct dse_inference *items, size_t *equal)
{
    struct hdr_ranker ranker = {0};
    struct hdr_queries known = {0};
    const size_t ways = items->ways, first = model->setting.batch / ways < items->count ? model->setting.batch / ways : items->count;
    int32_t *distance = dse_malloc((model->entities + 1) * sizeof *distance);
    hdr_ranker_make(model, &ranker);
    hdr_queries_make(set, DSE_TRAIN_PART, DSE_TEST_PART, ways == 2, &known);
    *equal = items->count;
    for (size_t i = 0; i < first; i++) {
        bool same = true;
        for (size_t w = 0; w < ways; w++) {
            const struct hdr_question q = hdr_question_of(set, items->item[i], w);
            hdr_machine_score(&ranker, q.query, distance);
            double rank = rank_of(&known, &q, distance, model->entities);
            same = same && rank == items->rank[i * ways + w];
            items->rank[i * ways + w] = rank;
        }
        *equal -= !same;
    }
    free(distance);
    hdr_ranker_free(&ranker);
    hdr_queries_free(&known);
}

static void gather(const struct hdr_hardware *h, const struct hdr_record *record, const struct dse_inference *items,
                   struct dse_simulation *result)
{
    uint64_t there = 0;
    for (int stage = 0; stage < HDR_STAGES_COUNT; stage++)
        there |= at_work(h, (enum hdr_machine_stage)stage) << ROW(stage, 0);
    result->quality = items->quality;
    result->clock_hz = h->clock_hz;
    dse_simulation_gather(&form, record, items->count, h->task == HDR_INFER ? HDR_STAGE_SIGNS : HDR_STAGES_COUNT, ~there, result);
}

enum dse_status hdreason_simulate(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                                  const struct dse_board *board, const struct dse_run *how, struct dse_simulation *result,
                                  struct dse_error *err)
{
    const struct hdr_model *model = hdr_model_of(base);
    struct hdr_hardware hardware;
    DSE_CLEANUP(dse_inference_free) struct dse_inference items = {0};
    struct dse_triple_set set;
    struct hdr_graph graph = {0};
    struct hdr_record record;
    DSE_TRY(read_hardware(model, config, board, &hardware, err));
    DSE_TRY(hdreason_infer(base, data, how, &items, err));
    DSE_TRY(hdr_model_map(model, data, &set, err));
    score_batch(model, &set, &items, &result->equal);
    hdr_graph_make(&set, hdr_both_ways(model), &graph);
    double batches = ceil((double)graph.queries.count / (double)model->setting.batch) * (double)model->setting.epochs;
    hdr_machine_run(&hardware, &graph, hardware.task == HDR_FIT ? batches : 1.0, &record);
    gather(&hardware, &record, &items, result);
    result->reruns = hardware.task == HDR_FIT ? (uint64_t)batches - 1 : 0;
    hdr_graph_free(&graph);
    free(set.triple);
    return DSE_OK;
}
