/* Training steps as calls of the accelerator: encode and memorise; distances; gradients of memories and queries; subjects with their queries'
 * gradients; gradients through the memory by the dispatcher; gradients of relations; gradients of embeddings. Each call's result is the executor's
 * (step.h). */
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "models/hdreason/executor/casing.h"
#include "models/hdreason/executor/net.h"
#include "models/hdreason/executor/step.h"

#define PORTS_MOST 16 /* half of the channels */
#define NEIGHBOURS_MOST 65535 /* as many 16-bit products as a 32-bit sum holds */

struct stepping {
    struct dse_calls *calls;
    const struct hdreason_layout *l;
    const struct hdr_setting *setting;
    const struct hdr_graph *graph;
    struct hdr_graph back;           /* the dispatcher's graph on the way back: its arrays are those of `graph`, or in its own arena */
    struct hdr_orders orders, backward;
    struct hdr_step step;
    struct hdr_embeddings from;
    float *rows, *mean, *square;     /* [rows × embedding] */
    int32_t *place;                  /* [entities] index among the encoded entities, or −1 */
    uint32_t *vertices, *requests;   /* lists of a call */
    size_t vertex_count, request_count, read_count;
};

static void close_stepping(struct stepping *s)
{
    hdr_graph_free(&s->back);
    hdr_orders_free(&s->orders);
    hdr_orders_free(&s->backward);
    hdr_step_free(&s->step);
    dse_free_at(&s->rows);
    dse_free_at(&s->mean);
    dse_free_at(&s->square);
    dse_free_at(&s->place);
    dse_free_at(&s->vertices);
    dse_free_at(&s->requests);
}

/* ---- lists of a call ---- */

static uint32_t place_of(const struct stepping *s, enum hdreason_region region, size_t row)
{
    return (uint32_t)(hdreason_region_begin(s->l, region) + (int64_t)row);
}

/* A row of the memory that receives sums, times factor / 2^shift. */
static void add_vertex(struct stepping *s, uint32_t place, uint32_t factor, uint32_t shift)
{
    uint32_t *vertex = s->vertices + HDREASON_VERTEX_WORDS * s->vertex_count++;
    vertex[0] = (uint32_t)(s->l->entities + s->l->relations) + place;
    vertex[1] = factor | shift << 16;
}

static void add_request(struct stepping *s, uint32_t flags, uint32_t number, uint32_t shift, uint32_t place)
{
    uint32_t *request = s->requests + HDREASON_REQUEST_WORDS * s->request_count++;
    request[0] = flags;
    request[1] = number;
    request[2] = shift;
    request[3] = place;
    s->read_count += (flags & HDREASON_READS) != 0;
}

static void begin_lists(struct stepping *s)
{
    s->vertex_count = s->request_count = s->read_count = 0;
}

static void call(struct stepping *s, uint32_t command, uint64_t trips)
{
    const uint32_t registers[HDR_REGISTERS] = {command, 0, (uint32_t)s->request_count, (uint32_t)s->read_count, (uint32_t)s->vertex_count, (uint32_t)trips};
    const uint32_t ports = (uint32_t)s->l->ports;
    dse_calls_part(s->calls, true, registers, HDR_REGISTERS);
    if (s->request_count > 0)
        dse_calls_write(s->calls, ports + HDR_PORT_REQUESTS, 0, s->requests, s->request_count * HDREASON_REQUEST_WORDS);
    if (s->vertex_count > 0)
        dse_calls_write(s->calls, ports + HDR_PORT_VERTICES, 0, s->vertices, s->vertex_count * HDREASON_VERTEX_WORDS);
}

/* Expects rows of the memory from `first` on, at every port. */
static void expect_rows(struct stepping *s, size_t first, size_t count, const int32_t *row)
{
    const size_t words = (size_t)(s->l->beats * s->l->axi_bits / 32);
    DSE_CLEANUP(dse_free_at) uint32_t *all = dse_calloc((size_t)s->l->ports * count * words + 1, sizeof *all);
    uint32_t *port[PORTS_MOST];
    for (size_t p = 0; p < (size_t)s->l->ports; p++)
        port[p] = all + p * count * words;
    for (size_t r = 0; r < count; r++)
        hdreason_put_row(s->l, port, r, row + r * s->setting->dim);
    for (size_t p = 0; p < (size_t)s->l->ports; p++)
        dse_calls_words(s->calls, (uint32_t)p, (uint32_t)(first * words), port[p], count * words);
}

static void expect_place(struct stepping *s, uint32_t place, size_t count, const int32_t *row)
{
    expect_rows(s, (size_t)(s->l->entities + s->l->relations) + place, count, row);
}

/* ---- forward ---- */

static void memorise(struct stepping *s)
{
    const struct hdr_orders *o = &s->orders;
    const uint32_t registers[HDR_REGISTERS] = {HDR_MEMORISE_CALL, (uint32_t)o->encoded_count, (uint32_t)o->request_count, (uint32_t)o->read_count, (uint32_t)o->vertex_count,
                                               (uint32_t)o->trips, (uint32_t)s->step.fixed.address_shift,
                                               (uint32_t)hdr_relation_shift(s->step.memory_step, s->setting->precision)};
    dse_calls_part(s->calls, true, registers, HDR_REGISTERS);
    hdr_write_rows(s->calls, s->l, &s->from, &s->step.fixed, o);
    dse_calls_write(s->calls, (uint32_t)s->l->ports + HDR_PORT_REQUESTS, 0, o->request, o->request_count * HDREASON_REQUEST_WORDS);
    hdr_write_vertices(s->calls, s->l, s->setting, s->graph, o, s->step.memory_step);
    dse_calls_expect(s->calls);
    expect_rows(s, 0, s->graph->entities, s->step.memory);
}

static void score(struct stepping *s)
{
    const struct hdreason_layout *l = s->l;
    const uint32_t registers[HDR_REGISTERS] = {HDR_INFER_CALL}, ports = (uint32_t)l->ports;
    const size_t row = (size_t)l->words * HDREASON_HOST_BITS / 32, a_part = 32 / (size_t)l->distance_bits, count = s->graph->entities * row;
    DSE_CLEANUP(dse_free_at) uint32_t *ids = dse_malloc(2 * s->step.lanes * sizeof *ids);
    DSE_CLEANUP(dse_free_at) uint32_t *words = dse_calloc(count, sizeof *words);
    for (size_t b = 0; b < s->step.lanes; b++) {
        ids[2 * b] = (uint32_t)s->step.query[b].a;
        ids[2 * b + 1] = (uint32_t)s->step.query[b].b;
    }
    for (size_t j = 0; j < s->graph->entities; j++)
        for (size_t b = 0; b < s->step.lanes; b++)
            words[j * row + b / a_part] |= (uint32_t)s->step.distance[j * s->step.lanes + b] << (b % a_part * (size_t)l->distance_bits);
    dse_calls_part(s->calls, true, registers, HDR_REGISTERS);
    dse_calls_write(s->calls, ports + HDR_PORT_QUERIES, 0, ids, 2 * s->step.lanes);
    dse_calls_expect(s->calls);
    dse_calls_words(s->calls, ports + HDR_PORT_DISTANCES, 0, words, count);
}

/* ---- backward ---- */

static void sign(struct stepping *s)
{
    const size_t entities = s->graph->entities, lanes = s->step.lanes, row = (size_t)s->l->weight_words * HDREASON_HOST_BITS / 32;
    DSE_CLEANUP(dse_free_at) uint32_t *words = dse_calloc(entities * row, sizeof *words);
    begin_lists(s);
    for (size_t j = 0; j < entities + lanes; j++) {
        const struct hdr_share share = hdr_step_share(&s->step, j < entities ? hdr_degree(&s->graph->out, j) : 0);
        add_vertex(s, place_of(s, HDREASON_OF_MEMORIES, j), share.factor, share.shift);
        for (size_t b = 0; j < entities && b < lanes; b++)
            words[j * row + b / 2] |= ((uint32_t)s->step.weight[j * lanes + b] & 0xffff) << b % 2 * 16;
    }
    call(s, HDR_SIGNS_CALL, 0);
    dse_calls_write(s->calls, (uint32_t)s->l->ports + HDR_PORT_WEIGHTS, 0, words, entities * row);
    dse_calls_expect(s->calls);
    expect_place(s, place_of(s, HDREASON_OF_MEMORIES, 0), entities + lanes, s->step.gradient);
}

/* One vertex per subject, with all of its queries. */
static void merge(struct stepping *s)
{
    const struct hdr_step *step = &s->step;
    DSE_CLEANUP(dse_free_at) bool *done = dse_calloc(step->lanes, sizeof *done);
    begin_lists(s);
    for (size_t b = 0; b < step->count; b++) {
        const int32_t subject = step->query[b].a;
        const struct hdr_share share = hdr_share_by(s->setting, hdr_degree(&s->graph->out, (size_t)subject), 0);
        const uint32_t place = place_of(s, HDREASON_OF_MEMORIES, (size_t)subject);
        if (done[b])
            continue;
        add_vertex(s, place, 1, 0);
        add_request(s, HDREASON_READS | HDREASON_BEGINS, UINT32_C(1) << share.shift, share.shift, place);
        for (size_t other = b; other < step->count; other++)
            if (step->query[other].a == subject) {
                done[other] = true;
                add_request(s, HDREASON_READS, share.factor, share.shift, place_of(s, HDREASON_OF_QUERIES, other));
            }
        s->requests[HDREASON_REQUEST_WORDS * (s->request_count - 1)] |= HDREASON_ENDS;
    }
    call(s, HDR_SUM_CALL, 0);
    dse_calls_expect(s->calls);
    expect_place(s, place_of(s, HDREASON_OF_MEMORIES, 0), s->graph->entities, step->gradient);
}

static void bind_back(struct stepping *s)
{
    begin_lists(s);
    for (size_t i = 0; i < s->backward.vertex_count; i++) {
        const int32_t entity = s->backward.vertex[i];
        add_vertex(s, place_of(s, HDREASON_OF_ENCODED, (size_t)s->place[entity]), UINT32_C(1) << HDR_SHARE_BITS, (uint32_t)(HDR_SHARE_BITS + s->step.row_shift[entity]));
    }
    memcpy(s->requests, s->backward.request, s->backward.request_count * HDREASON_REQUEST_WORDS * sizeof *s->requests);
    s->request_count = s->backward.request_count;
    s->read_count = s->backward.read_count;
    call(s, HDR_BIND_CALL, s->backward.trips);
    dse_calls_expect(s->calls);
    for (size_t j = 0; j < s->graph->entities; j++)
        if (s->step.row_shift[j] >= 0)
            expect_place(s, place_of(s, HDREASON_OF_ENCODED, (size_t)s->place[j]), 1, s->step.row + j * s->setting->dim);
}

/* Sums, per relation, its queries' gradients and the products of its edges; a row times 0 starts the sum. */
static void sum_relations(struct stepping *s)
{
    const struct hdr_edges *edges = &s->graph->by_relation;
    const size_t entities = s->graph->entities;
    begin_lists(s);
    for (size_t r = 0; r < s->graph->relations; r++) {
        const uint32_t shift = (uint32_t)s->step.row_shift[entities + r];
        add_vertex(s, place_of(s, HDREASON_OF_RELATIONS, r), 1, 0);
        add_request(s, HDREASON_READS | HDREASON_BEGINS, 0, shift, place_of(s, HDREASON_OF_QUERIES, 0));
        for (size_t b = 0; b < s->step.count; b++)
            if ((size_t)s->step.query[b].b == r)
                add_request(s, HDREASON_READS, (uint32_t)hdr_step_one(s->setting->precision), shift, place_of(s, HDREASON_OF_QUERIES, b));
        for (size_t e = edges->begin[r]; s->setting->gradient == HDR_EXACT && e < edges->begin[r + 1]; e++) {
            add_request(s, HDREASON_READS | HDREASON_KEEPS, 0, 0, place_of(s, HDREASON_H, (size_t)s->place[edges->pair[e].b]));
            add_request(s, HDREASON_READS | HDREASON_BY_ROW, 0, shift, place_of(s, HDREASON_OF_MEMORIES, (size_t)edges->pair[e].a));
        }
        s->requests[HDREASON_REQUEST_WORDS * (s->request_count - 1)] |= HDREASON_ENDS;
    }
    call(s, HDR_SUM_CALL, 0);
    dse_calls_expect(s->calls);
    expect_place(s, place_of(s, HDREASON_OF_RELATIONS, 0), s->graph->relations, s->step.row + entities * s->setting->dim);
}

/* Expects the embeddings' gradients in output order: by blocks of rows, sweeps, rows. */
static void expect_gradients(struct stepping *s, const size_t *row, size_t count)
{
    const struct hdreason_layout *l = s->l;
    const size_t block = (size_t)l->chunk, columns = (size_t)l->columns, sweeps = (size_t)l->train_sweeps, words = (size_t)l->column_words * HDREASON_HOST_BITS / 32, d = s->setting->embedding;
    DSE_CLEANUP(dse_free_at) uint32_t *out = dse_calloc(count * sweeps * words + 1, sizeof *out);
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < d; i++) {
            const size_t first = n / block * block, rows = count - first < block ? count - first : block;
            out[(first * sweeps + i / columns * rows + (n - first)) * words + i % columns] = (uint32_t)s->step.embedding[row[n] * d + i];
        }
    dse_calls_words(s->calls, (uint32_t)l->ports + HDR_PORT_GRADIENTS, 0, out, count * sweeps * words);
}

static void derive(struct stepping *s)
{
    const size_t entities = s->graph->entities;
    DSE_CLEANUP(dse_free_at) size_t *row = dse_malloc(s->step.rows * sizeof *row);
    size_t count = 0;
    begin_lists(s);
    for (size_t r = 0; r < s->step.rows; r++) {
        const bool entity = r < entities;
        if (s->step.row_shift[r] < 0)
            continue;
        row[count++] = r;
        add_request(s, HDREASON_READS, 0, 0, entity ? place_of(s, HDREASON_OF_ENCODED, (size_t)s->place[r]) : place_of(s, HDREASON_OF_RELATIONS, r - entities));
        add_request(s, entity ? HDREASON_READS : 0, entity ? 0 : (uint32_t)(r - entities), 0, entity ? place_of(s, HDREASON_H, (size_t)s->place[r]) : 0);
    }
    s->vertex_count = count;
    call(s, s->setting->gradient == HDR_EXACT ? HDR_DERIVE_CALL : HDR_PASS_ON_CALL, 0);
    dse_calls_expect(s->calls);
    expect_gradients(s, row, count);
}

static void update(struct stepping *s, size_t steps)
{
    const size_t d = s->setting->embedding;
    DSE_CLEANUP(dse_free_at) float *gradient = dse_malloc(d * sizeof *gradient);
    for (size_t r = 0; r < s->step.rows; r++) {
        hdr_step_real(&s->step, r, gradient);
        hdr_update_row(s->setting, steps, s->rows + r * d, s->mean + r * d, s->square + r * d, gradient);
    }
}

/* ---- the whole ---- */

static enum dse_status make_orders(struct stepping *s, const struct dse_config *config, struct dse_error *err)
{
    const enum hdr_schedule schedule = (enum hdr_schedule)config->value[HDR_SCHEDULE];
    const enum hdr_policy policy = (enum hdr_policy)config->value[HDR_POLICY];
    hdr_graph_reverse(s->graph, s->setting->gradient == HDR_EXACT, &s->back);
    if (hdr_degree_most(&s->back.out) > NEIGHBOURS_MOST)
        return dse_fail(err, DSE_ANSWER_NO, "an entity is the object of %zu triples: the sum of their gradients has more than 32 bits (%d triples)", hdr_degree_most(&s->back.out),
                        NEIGHBOURS_MOST);
    hdr_orders_make(s->graph, s->l, schedule, policy, &s->orders);
    hdr_orders_make(&s->back, s->l, schedule, policy, &s->backward);
    DSE_TRY(hdr_orders_fit(&s->orders, s->l, err));
    for (size_t i = 0; i < s->backward.request_count; i++) {
        uint32_t *place = &s->backward.request[i * HDREASON_REQUEST_WORDS + 3];
        *place = place_of(s, HDREASON_OF_MEMORIES, (size_t)s->backward.encoded[*place]);
    }
    for (size_t v = 0; v < s->graph->entities; v++)
        s->place[v] = -1;
    for (size_t i = 0; i < s->orders.encoded_count; i++)
        s->place[s->orders.encoded[i]] = (int32_t)i;
    return DSE_OK;
}

static void take_step(struct stepping *s, const int32_t *query, size_t count)
{
    hdr_step_forward(&s->step, &s->from);
    hdr_step_weigh(&s->step, query, count);
    hdr_step_signs(&s->step);
    memorise(s);
    score(s);
    sign(s);
    hdr_step_merge(&s->step);
    hdr_step_backward(&s->step);
    hdr_step_embed(&s->step);
    merge(s);
    bind_back(s);
    sum_relations(s);
    derive(s);
    dse_calls_end(s->calls, (uint32_t)count);
}

enum dse_status hdr_step_cases(struct dse_calls *calls, const struct hdr_model *model, const struct hdr_graph *graph, const struct dse_config *config, const struct hdreason_layout *l,
                               size_t steps, struct dse_error *err)
{
    const size_t d = model->setting.embedding, entities = graph->entities, rows = entities + graph->relations, queries = graph->queries.count, batch = (size_t)l->batch;
    struct stepping s DSE_CLEANUP(close_stepping) = {.calls = calls, .l = l, .setting = &model->setting, .graph = graph, .rows = dse_malloc(rows * d * sizeof(float)),
                                                     .mean = dse_calloc(rows * d, sizeof(float)), .square = dse_calloc(rows * d, sizeof(float)),
                                                     .place = dse_malloc((entities + 1) * sizeof(int32_t)),
                                                     .vertices = dse_malloc((size_t)l->subjects * HDREASON_VERTEX_WORDS * sizeof(uint32_t)),
                                                     .requests = dse_malloc((size_t)l->edges * HDREASON_REQUEST_WORDS * sizeof(uint32_t))};
    memcpy(s.rows, model->entity, entities * d * sizeof *s.rows);
    memcpy(s.rows + entities * d, model->relation, graph->relations * d * sizeof *s.rows);
    s.from = (struct hdr_embeddings){model->base_rows, s.rows, s.rows + entities * d, entities, graph->relations};
    hdr_step_make(graph, &model->setting, batch, 1, &s.step);
    s.step.memory_step = model->memory_step;
    DSE_TRY(make_orders(&s, config, err));
    DSE_CLEANUP(dse_free_at) int32_t *query = dse_malloc(batch * sizeof *query);
    for (size_t step = 0; step < steps; step++) { /* the last step has fewer queries than a batch if possible */
        const size_t count = step + 1 < steps || batch == 1 ? (batch < queries ? batch : queries) : (batch + 1) / 2 < queries ? (batch + 1) / 2 : queries;
        for (size_t b = 0; b < count; b++)
            query[b] = (int32_t)((step * batch + b) % queries);
        take_step(&s, query, count);
        update(&s, step + 1);
    }
    return DSE_OK;
}
