/* The `cases` verb as calls of the accelerator (executor/calls.h). First the graph is encoded and memorised; the model's memory is expected. Then
 * each call has a batch of queries of the held-out triples; the distances that `infer` ranks by are expected. On data that the model was not
 * trained on, the memory is loaded. A design that trains then takes training steps; only these count. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/hdreason/executor/casing.h"
#include "models/hdreason/executor/rank.h"

struct casing {
    const struct hdreason_layout *layout;
    struct hdr_ranker ranker;
    struct dse_triple_set set;
    struct dse_inference items;
    struct dse_calls calls;
    size_t ways, lanes;  /* queries per triple; per batch, rounded up to registers */
    struct hdr_pair *query; /* [lanes] */
    int32_t *turned, *distance; /* [lanes × stride], [entities × lanes] */
    uint32_t *words;     /* words of an answer, or of the queries */
    bool memorised;      /* the memory is there */
};

/* The queries of one batch, from query `first` on. After the last query the first entity and relation pad the batch. Returns how many triples
 * begin in it. */
static size_t put_queries(struct casing *c, size_t first, size_t count)
{
    const size_t batch = (size_t)c->layout->batch, taken = count - first < batch ? count - first : batch;
    memset(c->query, 0, c->lanes * sizeof *c->query);
    for (size_t b = 0; b < taken; b++)
        c->query[b] = hdr_question_of(&c->set, c->items.item[(first + b) / c->ways], (first + b) % c->ways).query;
    for (size_t b = 0; b < batch; b++) {
        c->words[2 * b] = (uint32_t)c->query[b].a;
        c->words[2 * b + 1] = (uint32_t)c->query[b].b;
    }
    return (first + taken + c->ways - 1) / c->ways - (first + c->ways - 1) / c->ways;
}

/* Distances of each entity in whole words of the host. */
static size_t put_distances(struct casing *c)
{
    const struct hdreason_layout *l = c->layout;
    const size_t row = (size_t)l->words * HDREASON_HOST_BITS / 32, a_part = 32 / (size_t)l->distance_bits, batch = (size_t)l->batch;
    hdr_ranker_turn(&c->ranker, c->query, batch, c->lanes, c->turned);
    hdr_ranker_distances(&c->ranker, 0, c->ranker.entities, c->turned, c->lanes, c->distance);
    memset(c->words, 0, c->ranker.entities * row * sizeof *c->words);
    for (size_t j = 0; j < c->ranker.entities; j++)
        for (size_t b = 0; b < batch; b++)
            c->words[j * row + b / a_part] |= (uint32_t)c->distance[j * c->lanes + b] << (b % a_part * (size_t)l->distance_bits);
    return c->ranker.entities * row;
}

static void answer(struct casing *c, size_t first, size_t count)
{
    const uint32_t registers[HDR_REGISTERS] = {HDR_INFER_CALL};
    const uint32_t ports = (uint32_t)c->layout->ports, begins = (uint32_t)put_queries(c, first, count);
    dse_calls_call(&c->calls, c->layout->trains ? 0 : begins, registers, HDR_REGISTERS);
    for (uint32_t p = 0; !c->memorised && p < ports; p++)
        dse_calls_write_array(&c->calls, p, 0, 1 + p, hdreason_memory_words(c->layout));
    c->memorised = true;
    dse_calls_write(&c->calls, ports + HDR_PORT_QUERIES, 0, c->words, 2 * (size_t)c->layout->batch);
    dse_calls_expect(&c->calls);
    const size_t answers = put_distances(c);
    dse_calls_words(&c->calls, ports + HDR_PORT_DISTANCES, 0, c->words, answers);
}

/* ---- encoding and memorising ---- */

enum dse_status hdr_orders_fit(const struct hdr_orders *orders, const struct hdreason_layout *l, struct dse_error *err)
{
    if (orders->encoded_count > (size_t)l->encoded || orders->vertex_count > (size_t)l->subjects || orders->request_count > (size_t)l->edges)
        return dse_fail(err, DSE_BAD_USAGE, "the graph has %zu neighbours of %zu entities, but the design allows %lld of %lld: its workload is of another data set",
                        orders->request_count, orders->vertex_count, (long long)l->edges, (long long)l->subjects);
    return DSE_OK;
}

void hdr_write_rows(struct dse_calls *calls, const struct hdreason_layout *l, const struct hdr_embeddings *from, const struct hdr_fixed *fixed, const struct hdr_orders *orders)
{
    const size_t d = fixed->embedding, bits = (size_t)l->bits, row = (size_t)l->row_words * HDREASON_HOST_BITS / 32;
    const size_t count = orders->encoded_count + from->relations;
    DSE_CLEANUP(dse_free_at) int32_t *element = dse_malloc(d * sizeof *element);
    DSE_CLEANUP(dse_free_at) uint32_t *words = dse_calloc(count * row + 1, sizeof *words);
    for (size_t r = 0; r < count; r++) {
        const bool entity = r < orders->encoded_count;
        hdr_fixed_embedding(fixed, entity ? from->entity + (size_t)orders->encoded[r] * d : from->relation + (r - orders->encoded_count) * d, element);
        for (size_t i = 0; i < d; i++)
            words[r * row + i * bits / 32] |= ((uint32_t)element[i] & ((UINT32_C(1) << bits) - 1)) << i * bits % 32;
    }
    dse_calls_write(calls, (uint32_t)l->ports + HDR_PORT_ROWS, 0, words, count * row);
}

void hdr_write_vertices(struct dse_calls *calls, const struct hdreason_layout *l, const struct hdr_setting *setting, const struct hdr_graph *graph, const struct hdr_orders *orders,
                        float step)
{
    const uint32_t ports = (uint32_t)l->ports, row = (uint32_t)(l->beats * l->axi_bits / 32);
    DSE_CLEANUP(dse_free_at) uint32_t *words = dse_calloc(HDREASON_VERTEX_WORDS * orders->vertex_count + row + 1, sizeof *words);
    for (uint32_t v = 0; v < (uint32_t)graph->entities; v++)
        for (uint32_t p = 0; hdr_degree(&graph->out, v) == 0 && p < ports; p++)
            dse_calls_write(calls, p, v * row, words, row);
    for (size_t i = 0; i < orders->vertex_count; i++) {
        const struct hdr_share share = hdr_share_of(setting, hdr_degree(&graph->out, (size_t)orders->vertex[i]), step);
        words[2 * i] = (uint32_t)orders->vertex[i];
        words[2 * i + 1] = share.factor | share.shift << 16;
    }
    dse_calls_write(calls, ports + HDR_PORT_VERTICES, 0, words, HDREASON_VERTEX_WORDS * orders->vertex_count);
}

static enum dse_status memorise(struct casing *c, const struct hdr_model *model, const struct dse_config *config, struct dse_error *err)
{
    const struct hdreason_layout *l = c->layout;
    const struct hdr_embeddings from = {model->base_rows, model->entity, model->relation, model->entities, model->relation_rows};
    DSE_CLEANUP(hdr_graph_free) struct hdr_graph graph = {0};
    DSE_CLEANUP(hdr_fixed_free) struct hdr_fixed fixed = {0};
    DSE_CLEANUP(hdr_orders_free) struct hdr_orders orders = {0};
    DSE_CLEANUP(dse_pack_free) struct dse_pack image = {0};
    hdr_model_graph(model, &c->set, &graph);
    hdr_fixed_make(&model->setting, &from, &fixed);
    hdr_orders_make(&graph, l, (enum hdr_schedule)config->value[HDR_SCHEDULE], (enum hdr_policy)config->value[HDR_POLICY], &orders);
    DSE_TRY(hdr_orders_fit(&orders, l, err));
    DSE_TRY(hdreason_pack(&model->base, config, l, &image, err));
    const uint32_t registers[HDR_REGISTERS] = {HDR_MEMORISE_CALL, (uint32_t)orders.encoded_count, (uint32_t)orders.request_count, (uint32_t)orders.read_count,
                                           (uint32_t)orders.vertex_count, (uint32_t)orders.trips, (uint32_t)fixed.address_shift,
                                           (uint32_t)hdr_relation_shift(model->memory_step, model->setting.precision)};
    dse_calls_call(&c->calls, 0, registers, HDR_REGISTERS);
    hdr_write_rows(&c->calls, l, &from, &fixed, &orders);
    dse_calls_write(&c->calls, (uint32_t)l->ports + HDR_PORT_REQUESTS, 0, orders.request, orders.request_count * HDREASON_REQUEST_WORDS);
    hdr_write_vertices(&c->calls, l, &model->setting, &graph, &orders, model->memory_step);
    dse_calls_expect(&c->calls);
    for (uint32_t p = 0; p < (uint32_t)l->ports; p++)
        dse_calls_words(&c->calls, p, 0, image.arrays[p].values, hdreason_memory_words(l));
    c->memorised = true;
    return DSE_OK;
}

#define STEPS 2 /* the second starts from the parameters that the first has updated */

static enum dse_status train(struct casing *c, const struct hdr_model *model, const struct dse_config *config, struct dse_error *err)
{
    DSE_CLEANUP(hdr_graph_free) struct hdr_graph graph = {0};
    hdr_model_graph(model, &c->set, &graph);
    return hdr_step_cases(&c->calls, model, &graph, config, c->layout, STEPS, err);
}

static void close_casing(struct casing *c)
{
    hdr_ranker_free(&c->ranker);
    dse_inference_free(&c->items);
    free(c->set.triple);
    free(c->query);
    free(c->turned);
    free(c->distance);
    free(c->words);
}

enum dse_status hdreason_cases(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                               const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err)
{
    const struct hdr_model *model = hdr_model_of(base);
    const struct dse_run run = {.seed = base->seed, .jobs = 1};
    struct casing c DSE_CLEANUP(close_casing) = {.layout = layout};
    DSE_TRY(hdreason_infer(base, data, &run, &c.items, err));
    DSE_TRY(hdr_model_map(model, data, &c.set, err));
    hdr_ranker_make(model, &c.ranker);
    c.ways = c.items.ways;
    c.lanes = hdr_padded((size_t)c.layout->batch, HDR_REGISTER);
    const size_t count = (c.items.count < most ? c.items.count : most) * c.ways;
    const size_t answers = c.ranker.entities * (size_t)c.layout->words * HDREASON_HOST_BITS / 32;
    if (count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s: no test case: the model knows no held-out triple", data->name);
    c.query = dse_malloc(c.lanes * sizeof *c.query);
    c.turned = dse_malloc((c.lanes * c.ranker.stride + 1) * sizeof *c.turned);
    c.distance = dse_malloc((c.lanes * c.ranker.entities + 1) * sizeof *c.distance);
    c.words = dse_malloc((answers + 2 * c.lanes + 1) * sizeof *c.words);
    dse_calls_begin(&c.calls, out);
    if (data->hash == base->dataset_hash)
        DSE_TRY(memorise(&c, model, config, err));
    for (size_t first = 0; first < count; first += (size_t)c.layout->batch)
        answer(&c, first, count);
    return c.layout->trains ? train(&c, model, config, err) : DSE_OK;
}
