/* The `cases` verb: queries of the triples held out as calls of the accelerator (executor/calls.h), a batch a call. Expected are the distances that
 * `infer` ranks by. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "executor/calls.h"
#include "models/hdreason/executor/rank.h"
#include "models/hdreason/layout.h"

#define INFER 0 /* commands */

struct casing {
    const struct hdreason_layout *layout;
    struct hdr_ranker ranker;
    struct dse_triple_set set;
    struct dse_inference items;
    struct dse_calls calls;
    size_t ways, lanes;  /* queries of a triple; of a batch, filled up to registers */
    struct hdr_pair *query; /* [lanes] */
    int32_t *turned, *distance; /* [lanes × stride], [entities × lanes] */
    uint32_t *words;     /* an answer's, or the queries' */
};

/* The queries of one batch, from number `first` of all on; behind the last one the first entity and relation fill it up. Returns how many triples
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
    const uint32_t registers[] = {INFER};
    const uint32_t ports = (uint32_t)c->layout->ports, begins = (uint32_t)put_queries(c, first, count);
    const size_t words = (size_t)((c->layout->entities + c->layout->relations) * c->layout->beats * c->layout->axi_bits / 32);
    dse_calls_call(&c->calls, begins, registers, sizeof registers / sizeof *registers);
    for (uint32_t p = 0; first == 0 && p < ports; p++)
        dse_calls_write_array(&c->calls, p, 0, 1 + p, words);
    dse_calls_write(&c->calls, ports, 0, c->words, 2 * (size_t)c->layout->batch);
    dse_calls_expect(&c->calls);
    const size_t answers = put_distances(c);
    dse_calls_words(&c->calls, ports + 1, 0, c->words, answers);
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
    (void)config;
    DSE_TRY(hdreason_infer(base, data, &run, &c.items, err));
    DSE_TRY(hdr_model_map(model, data, &c.set, err));
    hdr_ranker_make(model, &c.ranker);
    c.ways = c.items.ways;
    c.lanes = hdr_padded((size_t)c.layout->batch, HDR_REGISTER);
    const size_t count = (c.items.count < most ? c.items.count : most) * c.ways;
    const size_t answers = c.ranker.entities * (size_t)c.layout->words * HDREASON_HOST_BITS / 32;
    if (count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s: no test case: no triple is held out whose names the model knows", data->name);
    c.query = dse_malloc(c.lanes * sizeof *c.query);
    c.turned = dse_malloc((c.lanes * c.ranker.stride + 1) * sizeof *c.turned);
    c.distance = dse_malloc((c.lanes * c.ranker.entities + 1) * sizeof *c.distance);
    c.words = dse_malloc((answers + 2 * c.lanes + 1) * sizeof *c.words);
    dse_calls_begin(&c.calls, out);
    for (size_t first = 0; first < count; first += (size_t)c.layout->batch)
        answer(&c, first, count);
    return DSE_OK;
}
