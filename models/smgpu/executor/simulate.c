/* The `simulate` verb: each graph's two programs on the machine, with the processor's steps between them. The hypervector and the answer
 * come from the machine's arrays. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "core/parallel.h"
#include "datasets/graphs.h"
#include "devices/board.h"
#include "executor/simulated.h"
#include "models/smgpu/executor/model.h"
#include "models/smgpu/executor/rtl.h"
#include "models/smgpu/executor/vectors.h"

#define VOTES_MOST 131071 /* that an 18-bit accumulator holds, of the vectors of a bundle */
#define TILE 1024

enum stage { FIND, ENCODE, STAGES, EXTRA = STAGES };
enum part { SPECTRAL, TOPOLOGY, REWRITE, DMA, HD, CACHE, PARTS };

struct record {
    uint64_t stage[STAGES], work[PARTS];
    uint64_t stalls[PARTS], bytes[PARTS];
    uint64_t flits, mesh_stalls, hbm_stalls, overflows;
};

static const char *const stages[STAGES] = {"find", "encode"};
static const enum smgpu_engine engine_of[PARTS] = {SMGPU_SPECTRAL, SMGPU_TOPOLOGY, SMGPU_REWRITE, SMGPU_DMA, SMGPU_HD, SMGPU_CACHE};
static const struct dse_sim_engine engines[PARTS] = {
    {"spectral", FIND, FIND}, {"topology", FIND, FIND}, {"rewrite", FIND, FIND}, {"dma", FIND, ENCODE}, {"hd", ENCODE, ENCODE},
    {"cache", ENCODE, ENCODE}};

#define STALL(p) {p, "stall_operand_cycles", offsetof(struct record, stalls) + (p) * sizeof(uint64_t)}
#define BYTES(p) {p, "bytes_in", offsetof(struct record, bytes) + (p) * sizeof(uint64_t)}
static const struct dse_sim_counter counters[] = {
    STALL(SPECTRAL), BYTES(SPECTRAL), {SPECTRAL, "overflows", offsetof(struct record, overflows)}, STALL(TOPOLOGY), BYTES(TOPOLOGY),
    STALL(REWRITE), BYTES(REWRITE), {DMA, "flits", offsetof(struct record, flits)}, {DMA, "stall_mesh_cycles", offsetof(struct record, mesh_stalls)},
    {DMA, "stall_hbm_cycles", offsetof(struct record, hbm_stalls)}, STALL(HD), BYTES(HD), STALL(CACHE), BYTES(CACHE)};

static const struct dse_sim_form form = {
    .record_bytes = sizeof(struct record), .stages = stages, .stage_count = STAGES, .stage_at = offsetof(struct record, stage),
    .engines = engines, .engine_count = PARTS, .work_at = offsetof(struct record, work),
    .counters = counters, .counter_count = sizeof counters / sizeof *counters};

struct simulating {
    const struct smgpu_model *model;
    const struct dse_graph_set *set;
    const struct dse_run *run;
    const int32_t *label_of;
    const struct dse_inference *items; /* infer's results, with hypervectors */
    struct smgpu_hardware hardware;
    char *find, *encode;               /* the texts of both programs */
    const char *extra;                 /* another program after them, or NULL */
    struct record *record;
    uint8_t *equal;                    /* [items] */
    int64_t *predicted;
};

void smgpu_hardware_limits(struct smgpu_hardware *hardware, size_t nodes, size_t entries)
{
    hardware->limits = (struct smgpu_limits){.nodes = nodes, .nonzeros = SMGPU_ARCS_A_NODE * nodes, .edges = nodes * nodes / 2,
                                             .pattern = SMGPU_PATTERN_MAX, .matches = SMGPU_MATCHES_MOST, .entries = entries, .vectors = 4096,
                                             .tile = TILE};
}

static void configure(const struct dse_config *config, struct smgpu_hardware *out)
{
    const int64_t *v = config->value;
    *out = (struct smgpu_hardware){
        .array_rows = (int64_t)v[SMGPU_KNOB_ROWS], .banks = (int64_t)v[SMGPU_KNOB_BANKS], .key_bits = (int64_t)v[SMGPU_KNOB_REDUCED], .mesh = (int64_t)v[SMGPU_KNOB_MESH],
        .buffer_flits = (int64_t)v[SMGPU_KNOB_BUFFER], .payload_bits = (int64_t)v[SMGPU_KNOB_PAYLOAD],
        .channels = (int64_t)v[SMGPU_KNOB_CHANNELS], .tiles = (int64_t)v[SMGPU_KNOB_TILES], .queue = (int64_t)v[SMGPU_KNOB_QUEUE],
        .fraction = v[SMGPU_KNOB_PRECISION] == SMGPU_Q8_24 ? 24 : 16, .latencies = (enum smgpu_latencies)v[SMGPU_KNOB_LATENCIES],
        .chained = v[SMGPU_KNOB_CHAINED] != 0,
        .core_hz = 1e6 * (double)v[SMGPU_KNOB_CLOCK_MHZ], .hbm_hz = 300e6, .crossbar_hz = 100e6};
    smgpu_hardware_limits(out, (size_t)v[SMGPU_KNOB_NODES], (size_t)v[SMGPU_KNOB_ENTRIES]);
}

enum dse_status smgpu_hardware_read(const struct dse_config *config, const struct dse_board *board,
                                    struct smgpu_hardware *out, struct dse_error *err)
{
    if (board->memory_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "the board %s has no memory", board->name);
    configure(config, out);
    return DSE_OK;
}

/* ---- programs ---- */

/* Orders instructions such that none waits at the decoder for an engine longer than necessary. */
static void write_find(const struct smgpu_setting *t, const char *flags, struct dse_strbuf *out)
{
    char time[32];
    if (t->spectral)
        dse_strbuf_printf(out, "SPECTRAL.COMPUTE_LAP A -> L%s\n", flags);
    if (t->topology)
        dse_strbuf_printf(out, "TOPOLOGY.BUILD_FILTRATION E -> P%s\n", flags);
    for (int p = 0; p < SMGPU_PATTERNS; p++) {
        if (t->rewriting)
            dse_strbuf_printf(out, "REWRITE.DPO_MATCH G pattern%d most=%d -> m%d%s\n", p, SMGPU_MATCHES_MOST, p, flags);
        if (t->spectral && p == 0)
            dse_strbuf_printf(out, "SPECTRAL.WAVELET_XFORM L x time=%s order=%zu -> heat%s\n", dse_number_shortest(time, sizeof time, t->time),
                              t->order, flags);
    }
}

static void write_programs(struct simulating *s)
{
    const struct smgpu_setting *t = &s->model->setting;
    struct dse_strbuf find = {0}, encode = {0};
    const char *flags = s->hardware.chained ? " chained" : "";
    write_find(t, flags, &find);
    dse_strbuf_printf(&encode,
                      "DMA.GATHER book second -> S%s\nDMA.GATHER book first -> F%s\nHD.PERMUTE S by=1 dim=%zu -> R%s\nHD.BIND F R dim=%zu -> T%s\n"
                      "HD.BUNDLE T dim=%zu -> g%s\nCACHE.QUERY C g threshold=0 dim=%zu reduced=%zu seed=%u -> a\n",
                      flags, flags, t->dim, flags, t->dim, flags, t->dim, flags, t->dim, t->reduced, SMGPU_LFSR_SEED);
    s->find = find.text;
    s->encode = encode.text;
}

/* Copies an array into the machine's memory. */
static enum dse_status put(struct smgpu_memory *memory, const char *name, enum smgpu_type type, size_t rank, size_t rows, size_t columns,
                           const void *data, struct dse_error *err)
{
    struct smgpu_array *array;
    DSE_TRY(smgpu_memory_put(memory, name, type, rank, (size_t[]){rows, columns}, &array, err));
    if (smgpu_array_elements(array) > 0)
        memcpy(array->data, data, smgpu_array_elements(array) * smgpu_type_bytes(type));
    array->made = false;
    return DSE_OK;
}

static enum dse_status put_graph(struct smgpu_memory *memory, const char *name, const struct smgpu_graph *graph, size_t home, struct dse_error *err)
{
    char nodes[16];
    snprintf(nodes, sizeof nodes, "%s_nodes", name);
    DSE_TRY(put(memory, name, SMGPU_I32, 2, graph->edges, 2, graph->edge, err));
    DSE_TRY(put(memory, nodes, SMGPU_I32, 1, graph->nodes, 1, graph->node, err));
    smgpu_memory_find(memory, name)->home = smgpu_memory_find(memory, nodes)->home = home;
    return DSE_OK;
}

static enum dse_status put_item(struct smgpu_memory *memory, const struct smgpu_item *item, struct dse_error *err)
{
    const struct smgpu_matrix *a = &item->adjacency;
    const struct smgpu_graph graph = {item->nodes, item->edges, item->node, item->pair};
    char name[16];
    DSE_TRY(put(memory, "A_indptr", SMGPU_I32, 1, item->nodes + 1, 1, a->begin, err));
    DSE_TRY(put(memory, "A_indices", SMGPU_I32, 1, a->nonzeros, 1, a->column, err));
    DSE_TRY(put(memory, "A_data", SMGPU_I32, 1, a->nonzeros, 1, a->value, err));
    DSE_TRY(put(memory, "x", SMGPU_I32, 1, item->nodes, 1, item->ones, err));
    DSE_TRY(put(memory, "E", SMGPU_I32, 2, item->edges, 3, item->edge, err));
    DSE_TRY(put_graph(memory, "G", &graph, SMGPU_IN_HBM, err));
    for (int p = 0; p < SMGPU_PATTERNS; p++) {
        snprintf(name, sizeof name, "pattern%d", p);
        DSE_TRY(put_graph(memory, name, smgpu_pattern((size_t)p), SMGPU_REWRITE, err));
    }
    return DSE_OK;
}

/* Runs a text; adds the engines' counts to the record. */
static enum dse_status run_text(const struct simulating *s, enum stage stage, struct smgpu_memory *memory, struct record *record,
                                struct dse_error *err)
{
    DSE_CLEANUP(smgpu_program_free) struct smgpu_program program = {0};
    struct smgpu_record did;
    const char *text = stage == FIND ? s->find : stage == ENCODE ? s->encode : s->extra;
    if (text == NULL)
        return DSE_OK;
    DSE_CLEANUP(dse_free_at) char *copy = dse_strdup(text);
    DSE_TRY(smgpu_program_parse("the task's program", copy, &program, err));
    DSE_TRY(smgpu_machine_run(&s->hardware, &program, memory, s->run->monitor, &did, err));
    for (size_t p = 0; p < PARTS; p++) {
        const struct smgpu_engine_record *engine = &did.engine[engine_of[p]];
        record->work[p] += engine->busy_cycles;
        record->stalls[p] += engine->operand_stall_cycles;
        record->bytes[p] += engine->in_bytes;
    }
    if (stage < STAGES)
        record->stage[stage] = did.cycles;
    record->hbm_stalls += did.hbm_stall_cycles;
    record->flits += did.flits;
    record->mesh_stalls += did.mesh_stall_cycles;
    record->overflows += did.overflows;
    return DSE_OK;
}

/* Memory after the first program. */
static struct smgpu_found read_found(const struct smgpu_memory *memory)
{
    struct smgpu_found found = {.stride = 2};
    const struct smgpu_array *heat = smgpu_memory_find(memory, "heat"), *pairs = smgpu_memory_find(memory, "P");
    char name[8];
    if (heat != NULL)
        found.heat = heat->data;
    if (pairs != NULL) {
        found.death = (const int32_t *)pairs->data + 1;
        found.deaths = pairs->shape[0];
    }
    for (int p = 0; p < SMGPU_PATTERNS; p++) {
        snprintf(name, sizeof name, "m%d", p);
        const struct smgpu_array *match = smgpu_memory_find(memory, name);
        found.matches[p] = match != NULL ? match->shape[0] : 0;
    }
    return found;
}

static enum dse_status put_tokens(const struct simulating *s, const struct smgpu_tokens *tokens, struct smgpu_memory *memory, struct dse_error *err)
{
    const struct smgpu_model *model = s->model;
    DSE_TRY(put(memory, "book", SMGPU_U32, 2, smgpu_book_rows(&model->book), model->setting.words, model->rows, err));
    DSE_TRY(put(memory, "first", SMGPU_I32, 1, tokens->count, 1, tokens->first, err));
    DSE_TRY(put(memory, "second", SMGPU_I32, 1, tokens->count, 1, tokens->second, err));
    DSE_TRY(put(memory, "C", SMGPU_U32, 2, model->entry_count, smgpu_words(model->setting.reduced), model->keys, err));
    smgpu_memory_find(memory, "C")->home = SMGPU_CACHE;
    return DSE_OK;
}

static void compare(const struct simulating *s, size_t i, const struct smgpu_memory *memory)
{
    const struct smgpu_array *vector = smgpu_memory_find(memory, "g"), *answer = smgpu_memory_find(memory, "a");
    const int8_t *wanted = s->items->hypervector + i * s->items->dim;
    const uint32_t *word = vector->data;
    int32_t entry = *(const int32_t *)answer->data;
    bool equal = entry >= 0;
    for (size_t k = 0; k < s->items->dim; k++)
        equal = equal && ((word[k / 32] >> k % 32 & 1) != 0) == (wanted[k] > 0);
    s->predicted[i] = entry >= 0 ? s->model->class_value[s->model->entry_class[entry]] : 0;
    s->equal[i] = equal && s->predicted[i] == s->items->predicted[i];
}

/* Coefficients of both signs, and a vector whose products saturate. */
static enum dse_status run_extra(const struct simulating *s, struct smgpu_memory *memory, struct record *record, struct dse_error *err)
{
    static const int32_t theta[] = {1 << 23, -(1 << 22), 3 << 20, INT32_MAX, -12345, 1 << 24};
    size_t nodes = smgpu_memory_find(memory, "x")->shape[0];
    DSE_CLEANUP(dse_free_at) int32_t *wide = dse_malloc((nodes + 1) * sizeof *wide);
    for (size_t i = 0; i < nodes; i++)
        wide[i] = (int32_t)((i % 3 == 0 ? INT32_MIN : INT32_MAX) / (int32_t)(i + 1));
    DSE_TRY(put(memory, "theta", SMGPU_I32, 1, sizeof theta / sizeof *theta, 1, theta, err));
    DSE_TRY(put(memory, "wide", SMGPU_I32, 1, nodes, 1, wide, err));
    return run_text(s, EXTRA, memory, record, err);
}

static enum dse_status simulate_one(void *user, size_t i, size_t thread, struct dse_error *err)
{
    struct simulating *s = user;
    const struct smgpu_setting *setting = &s->model->setting;
    DSE_CLEANUP(smgpu_item_free) struct smgpu_item item = {0};
    DSE_CLEANUP(smgpu_memory_free) struct smgpu_memory memory = {0};
    DSE_CLEANUP(smgpu_tokens_free) struct smgpu_tokens tokens = {0};
    (void)thread;
    DSE_TRY(smgpu_item_make(setting, s->set, s->items->item[i], s->label_of, &item, err));
    DSE_TRY(put_item(&memory, &item, err));
    DSE_TRY(run_text(s, FIND, &memory, &s->record[i], err));
    struct smgpu_found found = read_found(&memory);
    smgpu_tokens_make(setting, &s->model->book, &item, &found, s->model->cut, &tokens);
    DSE_TRY(put_tokens(s, &tokens, &memory, err));
    DSE_TRY(run_text(s, ENCODE, &memory, &s->record[i], err));
    compare(s, i, &memory);
    return s->extra != NULL ? run_extra(s, &memory, &s->record[i], err) : DSE_OK;
}

static void gather(const struct simulating *s, struct dse_simulation *result)
{
    const struct smgpu_setting *t = &s->model->setting;
    size_t right = 0, count = s->items->count;
    uint64_t absent = (uint64_t)!t->spectral << SPECTRAL | (uint64_t)!t->topology << TOPOLOGY | (uint64_t)!t->rewriting << REWRITE;
    for (size_t i = 0; i < count; i++) {
        right += s->predicted[i] == s->items->label[i];
        result->equal += s->equal[i];
    }
    result->quality = count > 0 ? (double)right / (double)count : 0.0;
    result->clock_hz = s->hardware.core_hz;
    dse_simulation_gather(&form, s->record, count, STAGES, absent, result);
}

static void free_simulating(struct simulating *s)
{
    free(s->find);
    free(s->encode);
    free(s->record);
    free(s->equal);
    free(s->predicted);
}

static enum dse_status begin(struct simulating *s, const struct dse_model *base, const struct dse_dataset *data, struct dse_run *run,
                             struct dse_inference *items, int32_t **label_of, struct dse_error *err)
{
    run->hypervectors = true;
    s->hardware.limits.vectors = VOTES_MOST;
    DSE_TRY(smgpu_infer(base, data, run, items, err));
    s->record = dse_calloc(items->count + 1, sizeof *s->record);
    s->equal = dse_calloc(items->count + 1, 1);
    s->predicted = dse_calloc(items->count + 1, sizeof *s->predicted);
    write_programs(s);
    DSE_TRY(smgpu_model_labels(s->model, s->set, label_of, err));
    s->label_of = *label_of;
    return DSE_OK;
}

enum dse_status smgpu_simulate(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                               const struct dse_board *board, const struct dse_run *how, struct dse_simulation *result, struct dse_error *err)
{
    DSE_CLEANUP(dse_inference_free) struct dse_inference items = {0};
    struct dse_run run = *how;
    DSE_CLEANUP(dse_free_at) int32_t *label_of = NULL;
    DSE_CLEANUP(free_simulating) struct simulating s = {.model = smgpu_model_of(base), .set = dse_dataset_graphs(data), .run = &run, .items = &items};
    DSE_TRY(smgpu_hardware_read(config, board, &s.hardware, err));
    DSE_TRY(begin(&s, base, data, &run, &items, &label_of, err));
    DSE_TRY(dse_parallel_for(items.count, run.jobs, simulate_one, &s, run.monitor, err));
    gather(&s, result);
    return DSE_OK;
}

enum dse_status smgpu_watch_graphs(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config, size_t most,
                                   const char *extra, size_t extras, const struct smgpu_watch *watch, size_t *graphs, struct dse_error *err)
{
    DSE_CLEANUP(dse_inference_free) struct dse_inference items = {0};
    struct dse_run run = {.seed = model->seed, .jobs = 1};
    DSE_CLEANUP(dse_free_at) int32_t *label_of = NULL;
    DSE_CLEANUP(free_simulating) struct simulating s = {.model = smgpu_model_of(model), .set = dse_dataset_graphs(data), .run = &run, .items = &items};
    configure(config, &s.hardware);
    s.hardware.watch = watch;
    DSE_TRY(begin(&s, model, data, &run, &items, &label_of, err));
    *graphs = items.count < most ? items.count : most;
    for (size_t i = 0; i < *graphs; i++) {
        s.extra = i < extras ? extra : NULL;
        DSE_TRY(simulate_one(&s, i, 0, err));
    }
    return DSE_OK;
}
