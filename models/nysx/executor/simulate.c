/* The `simulate` verb: graphs through the engines of one configuration, by models/nysx/microarchitecture.md. It does not call
 * the analytical models. Both share only that page and the cost library. */

#include "core/parallel.h"
#include "models/nysx/executor/simulate.h"
#include "executor/simulated.h"

static const char *const stages[NYSX_SIM_STAGES] = {"prepare",   "query",      "propagate", "lookup",
                                                    "histogram", "similarity", "encode",    "classify"};

static const struct dse_sim_engine engines[NYSX_ENGINES] = {
    [NYSX_QUERY] = {"query", NYSX_SIM_QUERY, NYSX_SIM_QUERY},
    [NYSX_LSHU] = {"lshu", NYSX_SIM_PROPAGATE, NYSX_SIM_LOOKUP},
    [NYSX_MPHE] = {"mphe", NYSX_SIM_LOOKUP, NYSX_SIM_LOOKUP},
    [NYSX_HUE] = {"hue", NYSX_SIM_LOOKUP, NYSX_SIM_HISTOGRAM},
    [NYSX_KSE] = {"kse", NYSX_SIM_SIMILARITY, NYSX_SIM_SIMILARITY},
    [NYSX_NEE] = {"nee", NYSX_SIM_ENCODE, NYSX_SIM_ENCODE},
    [NYSX_PORT] = {"port", NYSX_SIM_ENCODE, NYSX_SIM_ENCODE},
    [NYSX_SCE] = {"sce", NYSX_SIM_CLASSIFY, NYSX_SIM_CLASSIFY},
};

#define COUNTER(engine, name, place) {engine, name, offsetof(struct nysx_record, count[place])}
static const struct dse_sim_counter counters[] = {
    COUNTER(NYSX_QUERY, "bytes", NYSX_COUNT_QUERY_BYTES),
    COUNTER(NYSX_QUERY, "schedule_cycles", NYSX_COUNT_SCHEDULE),
    {NYSX_QUERY, "processor_cycles", offsetof(struct nysx_record, stage[NYSX_SIM_PREPARE])},
    COUNTER(NYSX_QUERY, "over_capacity", NYSX_COUNT_OVERSIZE),
    COUNTER(NYSX_LSHU, "passes", NYSX_COUNT_PASSES),
    COUNTER(NYSX_LSHU, "idle_pe_cycles", NYSX_COUNT_LSHU_UNEVEN),
    COUNTER(NYSX_LSHU, "stall_queue_cycles", NYSX_COUNT_HELD),
    COUNTER(NYSX_LSHU, "codes", NYSX_COUNT_CODES),
    COUNTER(NYSX_LSHU, "codes_off_exact", NYSX_COUNT_OFF_EXACT),
    COUNTER(NYSX_MPHE, "probes", NYSX_COUNT_PROBES),
    COUNTER(NYSX_MPHE, "stall_codes_cycles", NYSX_COUNT_STARVED),
    COUNTER(NYSX_MPHE, "queue_most", NYSX_COUNT_QUEUE),
    COUNTER(NYSX_HUE, "updates", NYSX_COUNT_FOUND),
};

static const struct dse_sim_form form = {
    .record_bytes = sizeof(struct nysx_record),
    .stages = stages, .stage_count = NYSX_SIM_STAGES, .stage_at = offsetof(struct nysx_record, stage),
    .engines = engines, .engine_count = NYSX_ENGINES, .work_at = offsetof(struct nysx_record, work),
    .counters = counters, .counter_count = sizeof counters / sizeof *counters,
};

/* Runs the engines whose cycles are equal for all queries. */
static void run_constant(struct nysx_simulating *s)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    const struct nysx_prototypes *prototypes = &s->model->prototypes;
    const struct nysx_hardware *h = &s->hardware;
    s->similarity = nysx_simulate_similarity(h, encoder);
    for (size_t t = 0; t < encoder->tables; t++)
        s->merge_cycles += dse_pipeline_cycles(h->merge_depth, 1, (encoder->hop[t].codes + 1) / 2); /* two bins per word */
    if (s->model->nee.form == NYSX_STREAMED) {
        nysx_simulate_stream(h, &s->model->nee, &s->stream);
        s->encode_cycles = s->stream.cycles + h->gather_depth + h->nee_depth - 1;
    } else if (s->model->nee.form != NYSX_DIRECT) { /* the direct form's cycles depend on the query's nodes */
        s->encode_cycles = nysx_simulate_on_chip(h, &s->model->nee);
    }
    size_t words = (prototypes->dim + h->sce_bits - 1) / h->sce_bits, rows = h->sce_all ? prototypes->classes : 1;
    for (size_t first = 0; first < prototypes->classes; first += rows) {
        s->sce_cycles += dse_pipeline_cycles(h->sce_depth, h->sce_interval, words);
        if (prototypes->bits == 32)
            s->sce_cycles += rows * dse_pipeline_cycles(h->sum_depth, h->sum_interval, 64);
    }
    s->sce_cycles += dse_pipeline_cycles(h->argmax_depth, h->argmax_interval, prototypes->classes);
}

/* Counts that are constant over queries. For the hashes of all hops: the largest number of levels, and level bits per key. */
static void add_constant_counts(const struct nysx_simulating *s, struct dse_simulation *out)
{
    size_t levels = 0, bits = 0, keys = 0;
    for (size_t t = 0; t < s->model->encoder.tables; t++) {
        levels = s->mph[t].levels > levels ? s->mph[t].levels : levels;
        bits += nysx_mph_bits(&s->mph[t]);
        keys += s->mph[t].key_count;
    }
    const struct {
        enum nysx_engine engine;
        const char *name;
        double value;
    } counts[] = {
        {NYSX_MPHE, "levels", (double)levels},
        {NYSX_MPHE, "bits_per_key", keys > 0 ? (double)bits / (double)keys : 0.0},
        {NYSX_HUE, "merge_cycles", (double)s->merge_cycles},
        {NYSX_KSE, "idle_pe_cycles", (double)s->similarity.uneven},
        {NYSX_KSE, "stall_memory_cycles", (double)s->similarity.starved},
        {NYSX_KSE, "bytes", (double)s->similarity.bytes},
        {NYSX_NEE, "stall_memory_cycles", (double)s->stream.stall_memory},
        {NYSX_PORT, "bytes", (double)s->stream.bytes},
        {NYSX_PORT, "stall_credit_cycles", (double)s->stream.stall_credit},
        {NYSX_PORT, "fifo_most", (double)s->stream.fifo_most},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        dse_simulation_count(out, counts[i].engine, counts[i].name, counts[i].value);
}

/* Sums the graphs' records by engine and stage. */
static void gather(const struct nysx_simulating *s, struct dse_simulation *out)
{
    size_t n = s->items->count, right = 0;
    dse_simulation_gather(&form, s->records, n, NYSX_SIM_STAGES, 0, out);
    for (size_t i = 0; i < n; i++) {
        out->equal += s->records[i].equal;
        right += s->records[i].right;
    }
    out->clock_hz = s->hardware.clock_hz;
    out->quality = n > 0 ? (double)right / (double)n : 0.0;
    add_constant_counts(s, out);
}

static size_t largest_codebook(const struct nysx_encoder *encoder)
{
    size_t largest = 1;
    for (size_t t = 0; t < encoder->tables; t++)
        largest = encoder->hop[t].codes > largest ? encoder->hop[t].codes : largest;
    return largest;
}

static struct nysx_place make_place(const struct nysx_simulating *s, struct dse_arena *arena)
{
    size_t n = nysx_largest_graph(s->features->set) + 1, words = s->model->nee.words;
    return (struct nysx_place){
        .scratch = nysx_scratch_make(&s->model->encoder, n, arena),
        .nee = nysx_nee_scratch_make(&s->model->nee, arena),
        .hypervector = dse_arena_alloc(arena, words, sizeof(uint64_t)),
        .expected = dse_arena_alloc(arena, words, sizeof(uint64_t)),
        .added = dse_arena_alloc(arena, s->model->prototypes.classes, sizeof(int64_t)),
        .expected_added = dse_arena_alloc(arena, s->model->prototypes.classes, sizeof(int64_t)),
        .row_counts = dse_arena_alloc(arena, n, sizeof(int32_t)),
        .order = dse_arena_alloc(arena, n, sizeof(int32_t)),
        .code = dse_arena_alloc(arena, n, sizeof(struct nysx_lookup_code)),
        .exact = dse_arena_alloc(arena, n, sizeof(int64_t)),
        .copies = dse_arena_alloc(arena, largest_codebook(&s->model->encoder) * s->hardware.hue_pe, sizeof(int32_t)),
    };
}

/* Builds the minimal perfect hashes of the configuration's γ; the model keeps its own. */
static enum dse_status make_hashes(struct nysx_simulating *s, struct dse_error *err)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    s->mph = dse_arena_alloc(&s->arena, encoder->tables, sizeof *s->mph);
    for (size_t t = 0; t < encoder->tables; t++)
        DSE_TRY(nysx_mph_build(encoder->hop[t].codebook, encoder->hop[t].codes, s->hardware.gamma, &s->mph[t], err));
    return DSE_OK;
}

/* Simulates all graphs, on run->jobs threads. */
static enum dse_status run(struct nysx_simulating *s, const struct dse_run *run, struct dse_error *err)
{
    s->records = dse_arena_alloc(&s->arena, s->items->count, sizeof *s->records);
    s->places = dse_arena_alloc(&s->arena, run->jobs, sizeof *s->places);
    for (size_t i = 0; i < run->jobs; i++)
        s->places[i] = make_place(s, &s->arena);
    return dse_parallel_for(s->items->count, run->jobs, run->in_rtl ? nysx_simulate_rtl_graph : nysx_simulate_graph, s, run->monitor, err);
}

static void free_simulating(struct nysx_simulating *s)
{
    for (size_t t = 0; s->mph != NULL && t < s->model->encoder.tables; t++)
        nysx_mph_free(&s->mph[t]);
    dse_arena_free(&s->arena);
}

/* The interval with a queue that is never empty, and the mean time of the processor, which prepares graphs ahead for all units. */
static void flow(const struct dse_config *config, struct dse_simulation *result)
{
    nysx_simulate_flow(config, result);
    for (size_t i = 0; i < result->items && config->value[NYSX_OVERLAP] != NYSX_OVERLAP_NONE; i++)
        result->prepare_cycles += (double)(result->stages[NYSX_SIM_PREPARE].cycles[i] * (uint64_t)config->value[NYSX_UNITS]) / (double)result->items;
}

enum dse_status nysx_simulate(const struct dse_model *base, const struct dse_dataset *data,
                              const struct dse_config *config, const struct dse_board *board,
                              const struct dse_run *how, struct dse_simulation *result, struct dse_error *err)
{
    DSE_CLEANUP(dse_inference_free) struct dse_inference items = {0};
    DSE_CLEANUP(nysx_features_free) struct nysx_features features = {0};
    DSE_CLEANUP(free_simulating) struct nysx_simulating s = {.model = nysx_model_of(base), .features = &features, .items = &items};
    DSE_TRY(nysx_infer_items(s.model, data, how, &items, err));
    DSE_TRY(nysx_hardware_read(config, board, &s.hardware, err));
    DSE_TRY(make_hashes(&s, err));
    DSE_TRY(nysx_hardware_fit(s.model, dse_dataset_graphs(data), s.mph, how->costs, &s.hardware, err));
    DSE_TRY(nysx_features_make(dse_dataset_graphs(data), &s.model->columns, &features, err));
    if (nysx_rejected(config) != NULL)
        return dse_fail(err, DSE_ANSWER_NO, "%s", nysx_rejected(config));
    if (how->in_rtl)
        DSE_TRY(nysx_simulate_rtl_constant(&s, config, err));
    else
        run_constant(&s);
    DSE_TRY(run(&s, how, err));
    gather(&s, result);
    flow(config, result);
    return DSE_OK;
}
