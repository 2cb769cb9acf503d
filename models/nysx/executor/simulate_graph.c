/* One graph through the stages. Its class comes from the histograms of the simulated lookups, so it equals
 * `infer`'s only if the simulation is right. */
#include <math.h>
#include <string.h>

#include "models/nysx/executor/schedule.h"
#include "models/nysx/executor/simulate.h"

/* Operations of the processor for A's schedule, and for the 2-core: per row or node 4, per entry of A 1, per schedule 200 (microarchitecture.md). */
#define SCHEDULE_OPERATIONS(nodes) (200.0 + 4.0 * (double)(nodes))
#define CORE_OPERATIONS(nodes, entries) (4.0 * (double)(nodes) + (double)(entries))

#define QUERY_WORD_BYTES 16
#define LENGTH_BINS 64 /* bins of the logic; rows longer than 63 share the last bin */

/* Orders rows like the logic: counts lengths, sums counts, places rows. */
static void order_by_logic(size_t nodes, const int32_t *row_counts, int32_t *order)
{
    int32_t next[LENGTH_BINS + 1] = {0};
    for (size_t v = 0; v < nodes; v++)
        next[(row_counts[v] < LENGTH_BINS ? row_counts[v] : LENGTH_BINS - 1) + 1]++;
    for (int b = 0; b < LENGTH_BINS; b++)
        next[b + 1] += next[b];
    for (size_t v = 0; v < nodes; v++)
        order[next[row_counts[v] < LENGTH_BINS ? row_counts[v] : LENGTH_BINS - 1]++] = (int32_t)v;
}

uint64_t nysx_simulate_order(const struct nysx_simulating *s, const struct nysx_query *query, struct nysx_place *place)
{
    const struct nysx_hardware *h = &s->hardware;
    for (size_t v = 0; v < query->nodes; v++) {
        place->row_counts[v] = (int32_t)(query->row_begin[v + 1] - query->row_begin[v]);
        place->order[v] = (int32_t)v;
    }
    if (!nysx_lsh_propagates(&s->model->encoder.lsh) || h->lshu_balance == NYSX_BALANCE_NONE)
        return 0;
    if (h->lshu_balance == NYSX_BALANCE_PL) {
        order_by_logic(query->nodes, place->row_counts, place->order);
        return 2 * dse_pipeline_cycles(h->order_depth, 1, query->nodes) + dse_pipeline_cycles(h->order_sum_depth, 1, LENGTH_BINS);
    }
    nysx_schedule_order(place->row_counts, query->nodes, place->order);
    return (uint64_t)llround(SCHEDULE_OPERATIONS(query->nodes) * h->operation_s * h->clock_hz);
}

uint64_t nysx_simulate_core(const struct nysx_simulating *s, const struct nysx_query *query)
{
    if (s->model->columns.kind != NYSX_CORES)
        return 0;
    size_t entries = query->row_begin[query->nodes] - query->row_begin[0];
    return (uint64_t)llround(CORE_OPERATIONS(query->nodes, entries) * s->hardware.operation_s * s->hardware.clock_hz);
}

/* Words of the query's port for `count` numbers of `bytes` bytes. */
static uint64_t words_of(uint64_t count, uint64_t bytes)
{
    return (count * bytes + QUERY_WORD_BYTES - 1) / QUERY_WORD_BYTES;
}

/* A and F are read, each array from a new word on; then A's schedule is made, with a slot per row. */
static void run_query(const struct nysx_simulating *s, const struct nysx_query *query, struct nysx_place *place,
                      struct nysx_record *record)
{
    const struct nysx_hardware *h = &s->hardware;
    uint64_t n = query->nodes, arcs = query->row_begin[n] - query->row_begin[0], schedule = nysx_simulate_order(s, query, place);
    uint64_t bytes = (n + 1 + arcs) * h->index_bytes + n * h->feature_bytes;
    uint64_t words = words_of(n + 1, h->index_bytes) + words_of(arcs, h->index_bytes) + words_of(n, h->feature_bytes);
    if (schedule > 0 && h->lshu_balance == NYSX_BALANCE_PS) { /* the processor's list */
        bytes += n * h->index_bytes;
        words += words_of(n, h->index_bytes);
    }
    record->count[NYSX_COUNT_QUERY_BYTES] = bytes;
    record->count[NYSX_COUNT_SCHEDULE] = schedule;
    bool outside = h->lshu_balance == NYSX_BALANCE_PS;
    record->stage[NYSX_SIM_PREPARE] = nysx_simulate_core(s, query) + (outside ? schedule : 0);
    record->count[NYSX_COUNT_OVERSIZE] = n > h->nodes_capacity;
    uint64_t come = (uint64_t)ceil((double)bytes / h->query_bytes_a_cycle);
    record->stage[NYSX_SIM_QUERY] = dse_pipeline_cycles(h->words_depth, 1, words > come ? words : come) + (outside ? 0 : schedule) +
                                    dse_pipeline_cycles(h->slots_depth, 1, n);
    record->work[NYSX_QUERY] = record->stage[NYSX_SIM_QUERY];
}

/* PE cycles of a sparse pass that are spent waiting for a round's longest row. */
static uint64_t uneven(const struct nysx_place *place, size_t nodes, size_t pe)
{
    uint64_t cycles = nysx_schedule_cycles(place->row_counts, nodes, place->order, pe) * pe;
    for (size_t v = 0; v < nodes; v++)
        cycles -= (uint64_t)place->row_counts[v];
    return cycles;
}

static uint64_t round_up(uint64_t count, uint64_t share)
{
    return (count + share - 1) / share * share;
}

/* Cycles of the LSHU's passes for one hop, one loop after another. */
static uint64_t propagate(const struct nysx_simulating *s, const struct nysx_query *query, size_t t,
                          struct nysx_place *place, struct nysx_record *record)
{
    const struct nysx_lsh *lsh = &s->model->encoder.lsh;
    const struct nysx_hardware *h = &s->hardware;
    size_t n = query->nodes, pe = h->lshu_pe, f = lsh->columns;
    uint64_t trips = (n + pe - 1) / pe, dense = trips, waits = uneven(place, n, pe);
    bool attributes = query->attributes > 0;
    if (lsh->wl) { /* each hop continues from the previous hop's codes */
        record->count[NYSX_COUNT_PASSES]++;
        record->count[NYSX_COUNT_LSHU_UNEVEN] += t > 0 ? waits : 0;
        if (t == 0)
            return dse_pipeline_cycles(h->wl_first_depth, 1, attributes ? round_up(trips, h->wl_rounds) * f : trips);
        return h->wl_depth + nysx_schedule_cycles(place->row_counts, n, place->order, pe); /* one round is prefetched */
    }
    size_t sparse = !lsh->tuple ? t : t > 0 && t % lsh->draws == 0 ? f : 0; /* a hop's draws read the same columns */
    if (!lsh->tuple && attributes)
        dense = round_up(trips, h->contexts) * f;
    record->count[NYSX_COUNT_PASSES] += sparse + 1;
    record->count[NYSX_COUNT_LSHU_UNEVEN] += sparse * waits;
    uint64_t ring = nysx_schedule_ring(place->row_counts, n, place->order, pe, h->contexts);
    uint64_t dense_passes = !lsh->tuple ? 1 : t == 0 ? f : 0;
    return dense_passes * dse_pipeline_cycles(h->dense_depth, 1, dense) + sparse * dse_pipeline_cycles(h->sparse_depth, 1, ring);
}

/* Adds the private histograms to the merged one, and clears them. */
static void merge(const struct nysx_simulating *s, size_t nodes, size_t bins, struct nysx_place *place)
{
    for (size_t i = 0; i < nodes; i++) {
        int32_t bin = place->code[i].bin;
        for (size_t p = 0; bin >= 0 && p < s->hardware.hue_pe; p++) {
            place->scratch.histogram[bin] += place->copies[p * bins + (size_t)bin];
            place->copies[p * bins + (size_t)bin] = 0;
        }
    }
}

static void add_lookup(const struct nysx_lookup_run *run, struct nysx_record *record)
{
    uint64_t *count = record->count;
    count[NYSX_COUNT_HELD] += run->held;
    count[NYSX_COUNT_PROBES] += run->probes;
    count[NYSX_COUNT_STARVED] += run->starved;
    count[NYSX_COUNT_FOUND] += run->found;
    count[NYSX_COUNT_QUEUE] = run->queue_most > count[NYSX_COUNT_QUEUE] ? run->queue_most : count[NYSX_COUNT_QUEUE];
}

void nysx_simulate_off_exact(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t t, struct nysx_place *place,
                             struct nysx_record *record)
{
    nysx_lsh_codes_unrestructured(lsh, query, t, place->exact);
    for (size_t v = 0; v < query->nodes; v++)
        record->count[NYSX_COUNT_OFF_EXACT] += place->exact[v] != place->scratch.codes[v];
    record->count[NYSX_COUNT_CODES] += query->nodes;
}

/* One hop: LSHU, MPHE, HUE, and its part of C. */
static void run_hop(const struct nysx_simulating *s, const struct nysx_query *query, size_t t, struct nysx_place *place,
                    struct nysx_record *record)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    const struct nysx_hardware *h = &s->hardware;
    struct nysx_scratch *scratch = &place->scratch;
    size_t n = query->nodes, bins = encoder->hop[t].codes;
    struct nysx_lookup_run lookup;
    struct nysx_emission emission = nysx_emission_of(h, n, h->mphe_lookups, encoder->lsh.tuple ? encoder->lsh.columns : 1, 1);
    uint64_t inside = propagate(s, query, t, place, record);
    nysx_lsh_codes(&encoder->lsh, query, t, scratch->values, scratch->codes);
    for (size_t i = 0; i < n; i++)
        nysx_lookup_trace(&s->mph[t], scratch->codes[place->order[i]], &place->code[i]);
    nysx_simulate_lookup(h, &emission, place->code, n, bins, place->copies, &lookup);
    merge(s, n, bins, place);
    nysx_csr_multiply_add(&encoder->hop[t].counts, scratch->histogram, scratch->kernel);
    memset(scratch->histogram, 0, bins * sizeof *scratch->histogram);
    add_lookup(&lookup, record);
    record->work[NYSX_LSHU] += inside + lookup.lshu_cycles;
    record->work[NYSX_MPHE] += lookup.mphe_cycles;
    record->work[NYSX_HUE] += lookup.hue_cycles;
    record->stage[NYSX_SIM_PROPAGATE] += inside;
    record->stage[NYSX_SIM_LOOKUP] += lookup.cycles;
    nysx_simulate_off_exact(&encoder->lsh, query, t, place, record);
}

void nysx_simulate_list_codes(const struct nysx_simulating *s, const struct nysx_query *query, size_t t, struct nysx_place *place)
{
    const struct nysx_lsh *lsh = &s->model->encoder.lsh;
    struct nysx_direct_scratch *direct = &place->scratch.direct;
    nysx_lsh_codes(lsh, query, t, place->scratch.values, place->scratch.codes);
    for (size_t v = 0; v < query->nodes; v++) {
        int64_t code = place->scratch.codes[place->order[v]]; /* in the schedule's order */
        uint32_t listed = lsh->wl ? (uint32_t)code : nysx_code_fold(code, t);
        if (s->hardware.nee_merge > 0)
            nysx_direct_count(direct, listed);
        else
            direct->item[direct->count++] = (struct nysx_counted){listed, 1};
    }
}

/* Cycles of the NEE. With a table for merged codes, a code enters the table per cycle, then the table is emptied, and every round reads the
 * merged codes. Without a table every round reads the codes hop by hop; each hop begins with a new word. An empty graph has one word. */
static uint64_t direct_cycles(const struct nysx_simulating *s, const struct nysx_query *query, size_t items)
{
    const struct nysx_hardware *h = &s->hardware;
    uint64_t trips = (s->model->nee.dim + h->nee_lanes - 1) / h->nee_lanes, hops = s->model->encoder.lsh.hops;
    uint64_t listed = h->nee_merge > 0 ? items : query->nodes, words = (listed + h->nee_codes - 1) / h->nee_codes;
    uint64_t cycles = dse_pipeline_cycles(h->nee_depth, 1, trips * (words > 0 ? words : 1) * (h->nee_merge > 0 ? 1 : hops));
    return h->nee_merge > 0 ? cycles + dse_pipeline_cycles(h->table_depth, 1, hops * query->nodes + h->nee_merge) : cycles;
}

/* The signs by their definition, one word of each code at a time; `infer` computes them by a transform. */
static void direct_signs(const struct nysx_simulating *s, struct nysx_place *place)
{
    const struct nysx_nee *nee = &s->model->nee;
    struct nysx_direct_scratch *direct = &place->scratch.direct;
    direct->places = NYSX_MERGE_PLACES; /* as in `infer`, which the answer is compared with */
    memset(place->hypervector, 0, nee->words * sizeof *place->hypervector);
    int32_t total = 0;
    uint32_t bit[32]; /* not every processor has vector shifts by a variable */
    for (unsigned b = 0; b < 32; b++)
        bit[b] = 1u << b;
    for (size_t i = 0; i < direct->count; i++)
        total += direct->item[i].count;
    for (size_t first = 0; first < nee->dim; first += 32) {
        int32_t minus[32] = {0};
        for (size_t i = 0; i < direct->count; i++) {
            uint32_t word = nysx_direct_word(direct->item[i].code, first / 32);
            for (unsigned b = 0; b < 32; b++)
                minus[b] += direct->item[i].count & -(int32_t)((word & bit[b]) == 0);
        }
        for (size_t e = first; e < nee->dim && e < first + 32; e++) {
            int64_t sum = (int64_t)total - 2 * (int64_t)minus[e - first];
            place->hypervector[e / 64] |= (uint64_t)(sum >= (nee->threshold != NULL ? nee->threshold[e] : 0)) << (e % 64);
        }
    }
    nysx_table_scores(&s->model->prototypes, direct->item, direct->count, place->added); /* in the first round of the lanes */
}

/* The direct form: writes codes to the list; then the lanes sum over the whole list, round by round. */
static void run_direct(const struct nysx_simulating *s, const struct nysx_query *query, struct nysx_place *place,
                       struct nysx_record *record)
{
    const struct nysx_hardware *h = &s->hardware;
    struct nysx_direct_scratch *direct = &place->scratch.direct;
    direct->count = 0;
    direct->places = h->nee_merge;
    for (size_t t = 0; t < s->model->encoder.lsh.hops; t++) {
        const struct nysx_lsh *lsh = &s->model->encoder.lsh;
        struct nysx_emission list = nysx_emission_of(h, query->nodes, h->nee_codes, lsh->tuple ? lsh->columns : 1, lsh->draws);
        bool starts = !lsh->wl && t % lsh->draws == 0; /* the draws of a hop are emitted in one pass */
        uint64_t inside = propagate(s, query, t, place, record);
        uint64_t codes = !starts ? 0 : dse_pipeline_cycles(h->codes_depth, list.interval, list.iterations);
        uint64_t listing = !starts ? 0 : dse_pipeline_cycles(h->list_depth, 1, list.words);
        record->work[NYSX_LSHU] += inside + codes;
        record->work[NYSX_NEE] += listing;
        record->stage[NYSX_SIM_PROPAGATE] += inside;
        record->stage[NYSX_SIM_LOOKUP] += !starts ? 0 : codes + h->list_depth - 1; /* one word per cycle */
        nysx_simulate_list_codes(s, query, t, place);
        nysx_simulate_off_exact(&s->model->encoder.lsh, query, t, place, record);
    }
    if (h->nee_merge > 0)
        nysx_direct_sweep(direct);
}

void nysx_simulate_end(const struct nysx_simulating *s, const struct nysx_query *query, size_t index, uint64_t encode_cycles,
                       struct nysx_place *place, struct nysx_record *record)
{
    if (s->model->nee.form == NYSX_DIRECT)
        direct_signs(s, place);
    else
        nysx_nee_encode(&s->model->nee, place->scratch.kernel, &place->nee, place->hypervector);
    size_t class_index = nysx_classify(&s->model->prototypes, place->hypervector, place->added);
    size_t expected = nysx_infer_query(s->model, query, &place->scratch, &place->nee, place->expected, place->expected_added);
    record->equal = class_index == expected &&
                    memcmp(place->hypervector, place->expected, s->model->nee.words * sizeof(uint64_t)) == 0 &&
                    memcmp(place->added, place->expected_added, s->model->prototypes.classes * sizeof *place->added) == 0;
    record->right = s->model->class_values[class_index] == s->items->label[index];
    record->stage[NYSX_SIM_HISTOGRAM] = s->merge_cycles;
    record->stage[NYSX_SIM_SIMILARITY] = record->work[NYSX_KSE] = s->similarity.cycles;
    record->stage[NYSX_SIM_ENCODE] = encode_cycles;
    record->stage[NYSX_SIM_CLASSIFY] = record->work[NYSX_SCE] = s->sce_cycles;
    record->work[NYSX_HUE] += s->merge_cycles;
    record->work[NYSX_NEE] += encode_cycles;
    record->work[NYSX_PORT] = s->stream.port_cycles;
}

enum dse_status nysx_simulate_graph(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)err;
    const struct nysx_simulating *s = user;
    struct nysx_place *place = &s->places[thread];
    struct nysx_record *record = &s->records[index];
    struct nysx_query query = nysx_query_at(s->features, s->items->item[index]);
    *record = (struct nysx_record){0};
    memset(place->scratch.kernel, 0, s->model->encoder.landmarks * sizeof *place->scratch.kernel);
    run_query(s, &query, place, record);
    bool direct = s->model->nee.form == NYSX_DIRECT;
    if (direct)
        run_direct(s, &query, place, record);
    for (size_t t = 0; t < s->model->encoder.lsh.hops && !direct; t++)
        run_hop(s, &query, t, place, record);
    nysx_simulate_end(s, &query, index, direct ? direct_cycles(s, &query, place->scratch.direct.count) : s->encode_cycles, place, record);
    return DSE_OK;
}
