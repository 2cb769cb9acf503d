/* The `simulate` verb: graphs through the engines of one configuration, by docs/nysx-microarchitecture.md. The
 * classes come from what the simulated lookups put into the histograms, so that they are `infer`'s only if the
 * simulation is right. Calls nothing of the analytical models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "executor/nysx/engines.h"
#include "executor/nysx/model.h"
#include "executor/nysx/schedule.h"

#define PORT_BYTES_A_CYCLE 16 /* of the query's port */
#define PS_SCHEDULE_S 1e-6    /* the processor's schedule: once, and a row (assumed) */
#define PS_SCHEDULE_ROW_S 20e-9
#define PL_BINS 64

enum engine { QUERY, LSHU, MPHE, HUE, KSE, NEE, PORT, SCE, ENGINES };

static const char *const engine_names[ENGINES][2] = {
    {"query", "query"},       {"lshu", "propagate"}, {"mphe", "lookup"}, {"hue", "lookup"},
    {"kse", "similarity"}, {"nee", "encode"},     {"port", "encode"}, {"sce", "classify"},
};

/* What one graph did. */
struct record {
    uint64_t cycles[ENGINES], total;
    uint64_t query_bytes, passes, idle_pe, probes, conflicts, queue_most, found;
    bool right, equal;
};

/* One thread's memory. */
struct place {
    struct nysx_scratch scratch;
    struct nysx_nee_scratch nee;
    uint64_t *hypervector, *expected; /* by the simulated histograms, and by `infer` */
    int32_t *row_counts, *order;
    uint64_t *emitted;
};

struct simulating {
    const struct nysx_model *model;
    const struct nysx_features *features;
    struct nysx_hardware hardware;
    struct nysx_mph *mph;            /* [hops] of the configuration's γ */
    const struct dse_inference *items; /* the graphs, and what infer says */
    struct record *records;
    struct place *places;
    size_t index_bytes, capacity;    /* of A's pointers; the largest graph's nodes */
    uint64_t merge_cycles, kse_cycles, nee_cycles, port_cycles, sce_cycles;
    struct nysx_stream_run stream;
};

/* A and F come in, then A's schedule is made. Without propagation none is needed. */
static void run_query(const struct simulating *s, const struct nysx_query *query, struct record *record)
{
    const struct nysx_hardware *h = &s->hardware;
    const struct nysx_columns *columns = &s->model->columns;
    uint64_t n = query->nodes, arcs = query->row_begin[n] - query->row_begin[0];
    uint64_t bytes = (n + 1 + arcs) * s->index_bytes + n * 4 * columns->attributes;
    double schedule = 0.0;
    if (columns->labels > 0)
        bytes += n * (columns->labels <= 256 ? 1 : 2);
    if (s->model->encoder.lsh.hops > 1 && h->lshu_balance == NYSX_BALANCE_STATIC) {
        schedule = (PS_SCHEDULE_S + PS_SCHEDULE_ROW_S * (double)n) * h->clock_hz;
        bytes += n * s->index_bytes;
    }
    if (s->model->encoder.lsh.hops > 1 && h->lshu_balance == NYSX_BALANCE_PL)
        schedule = (double)(2 * n + PL_BINS);
    record->query_bytes = bytes;
    uint64_t transfer = (bytes + PORT_BYTES_A_CYCLE - 1) / PORT_BYTES_A_CYCLE;
    record->cycles[QUERY] = (uint64_t)ceil(h->latency_cycles + schedule) + transfer;
}

/* A dense pass: ⌈N/P⌉ turns of `each` cycles. `emitted`, where not NULL, gets when each row leaves. */
static uint64_t dense_pass(const struct simulating *s, size_t nodes, size_t each, uint64_t *emitted)
{
    size_t pe = s->hardware.lshu_pe;
    for (size_t v = 0; emitted != NULL && v < nodes; v++)
        emitted[v] = (v / pe + 1) * each;
    return (nodes + pe - 1) / pe * each;
}

/* A sparse pass: an iteration lasts as long as its longest row; its rows leave at its end. */
static uint64_t sparse_pass(const struct simulating *s, const struct place *place, size_t nodes,
                            uint64_t *emitted, uint64_t *idle)
{
    size_t pe = s->hardware.lshu_pe;
    uint64_t cycle = 0;
    for (size_t first = 0; first < nodes; first += pe) {
        int32_t longest = 1;
        size_t last = first + pe < nodes ? first + pe : nodes;
        for (size_t i = first; i < last; i++)
            longest = place->row_counts[place->order[i]] > longest ? place->row_counts[place->order[i]] : longest;
        cycle += (uint64_t)longest;
        *idle += (uint64_t)longest * pe;
        for (size_t i = first; i < last; i++) {
            *idle -= (uint64_t)place->row_counts[place->order[i]];
            if (emitted != NULL)
                emitted[place->order[i]] = cycle;
        }
    }
    return cycle;
}

/* The LSHU's passes of one hop that stay inside; fills place->emitted by the one that does not. */
static uint64_t propagate(const struct simulating *s, const struct nysx_query *query, size_t t,
                          struct place *place, struct record *record)
{
    const struct nysx_lsh *lsh = &s->model->encoder.lsh;
    size_t n = query->nodes, f = lsh->columns, each = query->attributes == 0 ? 1 : f;
    uint64_t cycles = 0;
    size_t inside = lsh->tuple ? (t > 0 ? f : 0) : t > 0 ? t : 0;
    if (!lsh->tuple && t > 0)
        cycles += dense_pass(s, n, each, NULL);
    for (size_t k = 0; k < (lsh->tuple ? inside : t - (t > 0)); k++)
        cycles += sparse_pass(s, place, n, NULL, &record->idle_pe);
    if (lsh->tuple)
        dense_pass(s, n, f, place->emitted);
    else if (t == 0)
        dense_pass(s, n, each, place->emitted);
    else
        sparse_pass(s, place, n, place->emitted, &record->idle_pe);
    record->passes += inside + 1;
    return cycles + inside * NYSX_FILL_LSHU;
}

static enum dse_status order_rows(const struct simulating *s, const struct nysx_query *query,
                                  struct place *place, struct dse_error *err)
{
    for (size_t v = 0; v < query->nodes; v++) {
        place->row_counts[v] = (int32_t)(query->row_begin[v + 1] - query->row_begin[v]);
        place->order[v] = (int32_t)v;
    }
    if (s->hardware.lshu_balance == NYSX_BALANCE_NONE)
        return DSE_OK;
    return nysx_schedule_order(place->row_counts, query->nodes, place->order, err);
}

/* All hops: the kernel vector, and the cycles of LSHU, MPHE and HUE. */
static enum dse_status run_hops(const struct simulating *s, const struct nysx_query *query, struct place *place,
                                struct record *record, struct dse_error *err)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    struct nysx_scratch *scratch = &place->scratch;
    memset(scratch->kernel, 0, encoder->landmarks * sizeof *scratch->kernel);
    enum dse_status status = order_rows(s, query, place, err);
    for (size_t t = 0; status == DSE_OK && t < encoder->lsh.hops; t++) {
        struct nysx_lookup_run lookup;
        uint64_t inside = propagate(s, query, t, place, record);
        nysx_lsh_codes(&encoder->lsh, query, t, scratch->values, scratch->codes);
        status = nysx_simulate_lookup(&s->hardware, &s->mph[t], scratch->codes, place->emitted, query->nodes,
                                      scratch->histogram, &lookup, err);
        nysx_csr_multiply_add(&encoder->hop[t].counts, scratch->histogram, scratch->kernel);
        memset(scratch->histogram, 0, encoder->hop[t].codes * sizeof *scratch->histogram);
        record->cycles[LSHU] += inside + lookup.lshu_cycles + NYSX_FILL_LSHU;
        record->cycles[MPHE] += lookup.mphe_cycles + NYSX_FILL_MPHE;
        record->cycles[HUE] += lookup.hue_cycles + NYSX_FILL_HUE;
        record->total += inside + lookup.cycles + NYSX_FILL_LSHU + NYSX_FILL_MPHE + NYSX_FILL_HUE;
        record->probes += lookup.probes;
        record->conflicts += lookup.bank_conflicts;
        record->found += lookup.found;
        record->queue_most = lookup.queue_most > record->queue_most ? lookup.queue_most : record->queue_most;
    }
    return status;
}

static enum dse_status simulate_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct simulating *s = user;
    struct place *place = &s->places[thread];
    struct record *record = &s->records[index];
    struct nysx_query query = nysx_query_at(s->features, s->items->item[index]);
    *record = (struct record){0};
    run_query(s, &query, record);
    enum dse_status status = run_hops(s, &query, place, record, err);
    if (status != DSE_OK)
        return status;
    nysx_nee_encode(&s->model->nee, place->scratch.kernel, &place->nee, place->hypervector);
    size_t class_index = nysx_classify(&s->model->prototypes, place->hypervector);
    nysx_infer_query(s->model, &query, &place->scratch, &place->nee, place->expected);
    record->equal = memcmp(place->hypervector, place->expected, s->model->nee.words * sizeof(uint64_t)) == 0;
    record->right = s->model->class_values[class_index] == s->items->label[index];
    record->cycles[HUE] += s->merge_cycles;
    record->cycles[KSE] = s->kse_cycles;
    record->cycles[NEE] = s->nee_cycles;
    record->cycles[PORT] = s->port_cycles;
    record->cycles[SCE] = s->sce_cycles;
    uint64_t encode = s->nee_cycles > s->port_cycles ? s->nee_cycles : s->port_cycles;
    record->total += record->cycles[QUERY] + s->merge_cycles + s->kse_cycles + encode + s->sce_cycles;
    return DSE_OK;
}

/* The engines whose time no query changes. */
static enum dse_status run_constant(struct simulating *s, struct dse_error *err)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    const struct nysx_prototypes *prototypes = &s->model->prototypes;
    size_t rows = encoder->landmarks;
    int32_t *counts = malloc((rows + 1) * sizeof *counts), *order = malloc((rows + 1) * sizeof *order);
    enum dse_status status = counts == NULL || order == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t t = 0; status == DSE_OK && t < encoder->lsh.hops; t++) {
        const struct nysx_csr *csr = &encoder->hop[t].counts;
        for (size_t r = 0; r < rows; r++)
            counts[r] = csr->begin[r + 1] - csr->begin[r];
        status = nysx_schedule_order(counts, rows, order, err);
        bool natural = s->hardware.kse_balance == NYSX_BALANCE_NONE;
        s->kse_cycles += nysx_schedule_cycles(counts, rows, natural ? NULL : order, s->hardware.kse_pe) +
                         NYSX_FILL_KSE;
        s->merge_cycles += (encoder->hop[t].codes + 1) / 2 + NYSX_FILL_MERGE; /* two bins a word and cycle */
    }
    free(counts);
    free(order);
    if (s->model->nee.form == NYSX_STREAMED) {
        nysx_simulate_stream(&s->hardware, &s->model->nee, &s->stream);
        s->nee_cycles = s->stream.cycles;
        s->port_cycles = s->stream.cycles - NYSX_FILL_NEE;
    } else {
        s->nee_cycles = nysx_simulate_on_chip(&s->hardware, &s->model->nee);
    }
    uint64_t row = (prototypes->dim + s->hardware.sce_bits - 1) / s->hardware.sce_bits;
    s->sce_cycles = row * (s->hardware.sce_all ? 1 : prototypes->classes) + prototypes->classes + NYSX_FILL_SCE;
    return status;
}

static void add_count(struct dse_simulated_engine *engine, const char *name, double mean)
{
    engine->counts[engine->count_count++] = (struct dse_simulated_count){name, mean};
}

/* From graphs' records to engines. */
static enum dse_status gather(const struct simulating *s, struct dse_simulation *out, struct dse_error *err)
{
    size_t n = s->items->count, right = 0;
    double sums[7] = {0}, count = n > 0 ? (double)n : 1.0;
    out->graphs = n;
    out->clock_hz = s->hardware.clock_hz;
    out->total = malloc((n + 1) * sizeof *out->total);
    for (size_t e = 0; e < ENGINES; e++) {
        struct dse_simulated_engine *engine = &out->engines[out->engine_count++];
        *engine = (struct dse_simulated_engine){.name = engine_names[e][0], .stage = engine_names[e][1],
                                                .cycles = malloc((n + 1) * sizeof *engine->cycles)};
        if (engine->cycles == NULL || out->total == NULL)
            return dse_fail_memory(err);
        for (size_t i = 0; i < n; i++)
            engine->cycles[i] = s->records[i].cycles[e];
    }
    for (size_t i = 0; i < n; i++) {
        const struct record *r = &s->records[i];
        const uint64_t values[7] = {r->query_bytes, r->passes, r->idle_pe, r->probes, r->conflicts, r->queue_most,
                                    r->found};
        out->total[i] = r->total;
        right += r->right;
        out->equal += r->equal;
        for (int k = 0; k < 7; k++)
            sums[k] += (double)values[k] / count;
    }
    out->quality = (double)right / count;
    add_count(&out->engines[QUERY], "bytes", sums[0]);
    add_count(&out->engines[LSHU], "passes", sums[1]);
    add_count(&out->engines[LSHU], "idle_pe_cycles", sums[2]);
    add_count(&out->engines[MPHE], "probes", sums[3]);
    add_count(&out->engines[MPHE], "bank_conflicts", sums[4]);
    add_count(&out->engines[MPHE], "queue_most", sums[5]);
    add_count(&out->engines[HUE], "updates", sums[6]);
    add_count(&out->engines[HUE], "merge_cycles", (double)s->merge_cycles);
    add_count(&out->engines[NEE], "stall_memory_cycles", (double)s->stream.stall_memory);
    add_count(&out->engines[PORT], "bytes", (double)s->stream.bytes);
    add_count(&out->engines[PORT], "stall_credit_cycles", (double)s->stream.stall_credit);
    add_count(&out->engines[PORT], "fifo_most", (double)s->stream.fifo_most);
    return DSE_OK;
}

static enum dse_status make_places(struct simulating *s, size_t jobs, struct dse_error *err)
{
    size_t nodes = s->capacity;
    s->places = calloc(jobs, sizeof *s->places);
    enum dse_status status = s->places == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < jobs; i++) {
        struct place *place = &s->places[i];
        status = nysx_scratch_make(&s->model->encoder, nodes, &place->scratch, err);
        if (status == DSE_OK)
            status = nysx_nee_scratch_alloc(&s->model->nee, &place->nee, err);
        place->hypervector = malloc(s->model->nee.words * sizeof *place->hypervector);
        place->expected = malloc(s->model->nee.words * sizeof *place->expected);
        place->row_counts = malloc((nodes + 1) * sizeof *place->row_counts);
        place->order = malloc((nodes + 1) * sizeof *place->order);
        place->emitted = malloc((nodes + 1) * sizeof *place->emitted);
        if (status == DSE_OK && (place->hypervector == NULL || place->expected == NULL || place->row_counts == NULL || place->order == NULL ||
                                 place->emitted == NULL))
            status = dse_fail_memory(err);
    }
    return status;
}

static void free_places(struct simulating *s, size_t jobs)
{
    for (size_t i = 0; s->places != NULL && i < jobs; i++) {
        nysx_scratch_free(&s->places[i].scratch);
        nysx_nee_scratch_free(&s->places[i].nee);
        free(s->places[i].hypervector);
        free(s->places[i].expected);
        free(s->places[i].row_counts);
        free(s->places[i].order);
        free(s->places[i].emitted);
    }
    free(s->places);
}

/* The minimal perfect hashes of the configuration's γ, beside the model's own. */
static enum dse_status make_hashes(struct simulating *s, struct dse_error *err)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    s->mph = calloc(encoder->lsh.hops, sizeof *s->mph);
    enum dse_status status = s->mph == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t t = 0; status == DSE_OK && t < encoder->lsh.hops; t++)
        status = nysx_mph_build(encoder->hop[t].codebook, encoder->hop[t].codes, s->hardware.gamma, &s->mph[t], err);
    return status;
}

static enum dse_status run(struct simulating *s, const struct dse_run *run, struct dse_simulation *result,
                           struct dse_error *err)
{
    const struct dse_graph_set *set = s->features->set;
    size_t arcs = 0;
    for (size_t g = 0; g < set->graph_count; g++)
        arcs = dse_graph_arcs(set, g) > arcs ? dse_graph_arcs(set, g) : arcs;
    s->capacity = nysx_largest_graph(set);
    s->index_bytes = arcs < 65536 && s->capacity < 65536 ? 2 : 4;
    s->records = calloc(s->items->count + 1, sizeof *s->records);
    enum dse_status status = s->records == NULL ? dse_fail_memory(err) : make_hashes(s, err);
    if (status == DSE_OK)
        status = run_constant(s, err);
    if (status == DSE_OK)
        status = make_places(s, run->jobs, err);
    if (status == DSE_OK)
        status = dse_parallel_for(s->items->count, run->jobs, simulate_one, s, run->monitor, err);
    if (status == DSE_OK)
        status = gather(s, result, err);
    free_places(s, run->jobs);
    for (size_t t = 0; s->mph != NULL && t < s->model->encoder.lsh.hops; t++)
        nysx_mph_free(&s->mph[t]);
    free(s->mph);
    free(s->records);
    return status;
}

enum dse_status nysx_simulate(const struct dse_model *base, const struct dse_dataset *data,
                              const struct dse_setting *knobs, const struct dse_board *board,
                              const struct dse_run *how, struct dse_simulation *result, struct dse_error *err)
{
    struct dse_inference items;
    struct nysx_features features = {0};
    struct simulating s = {.model = nysx_model_of(base), .features = &features, .items = &items};
    *result = (struct dse_simulation){0};
    enum dse_status status = nysx_hardware_read(knobs, board, &s.hardware, err);
    if (status == DSE_OK)
        status = nysx_infer(base, data, how, &items, err);
    if (status != DSE_OK)
        return status;
    status = nysx_features_make(data->graphs, &s.model->columns, &features, err);
    if (status == DSE_OK)
        status = run(&s, how, result, err);
    nysx_features_free(&features);
    dse_inference_free(&items);
    if (status != DSE_OK)
        dse_simulation_free(result);
    return status;
}
