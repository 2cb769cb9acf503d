/* The `cases` verb: rows of a table as calls of the accelerator (executor/calls.h). It loads the state. It answers rows one by one, and some at once.
 * It learns from the rows as a stream, one batch at a time. It stores its state. Only calls of the design's task are counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "executor/calls.h"
#include "models/hydraf/executor/model.h"
#include "models/hydraf/layout.h"

#define SAMPLES 0 /* ports */
#define TARGETS 1
#define ANSWERS 2
#define INFER 0 /* commands */
#define LEARN 1
#define LOAD 2
#define STORE 3
#define GOLDEN UINT32_C(0x9e3779b9)

struct casing {
    const struct hydraf_model *model;
    const struct hydraf_layout *layout;
    const struct dse_data_table *table;
    size_t *columns, target;
    struct dse_inference items;
    struct dse_calls calls;
    struct hydraf_regressor learner; /* a copy that learns */
    struct hydraf_scratch scratch;
    uint32_t *words; /* [port_words] */
    size_t port_words;
};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const double *row_of(const struct casing *c, size_t item)
{
    return c->table->values + c->items.item[item] * c->table->columns;
}

/* The features of an item in its words: standardised. */
static void put_features(struct casing *c, size_t item, size_t at)
{
    const struct hydraf_encoder *encoder = &c->learner.encoder;
    for (size_t i = 0; i < encoder->inputs; i++)
        c->scratch.raw[i] = row_of(c, item)[c->columns[i]];
    hydraf_encoder_features(encoder, c->scratch.raw, c->scratch.features);
    for (size_t i = 0; i < encoder->features; i++)
        c->words[at * encoder->features + i] = bits_of(c->scratch.features[i]);
}

/* Encodes items and writes them in the port's order; returns the number of 32-bit words. */
static size_t put_samples(struct casing *c, size_t first, size_t count)
{
    const struct hydraf_layout *l = c->layout;
    size_t chunks = (size_t)l->shape.chunks, bits = (size_t)(l->rows_a_word > 1 ? l->shape.chunk * l->shape.bits : l->words_a_row * l->axi_bits);
    memset(c->words, 0, c->port_words * sizeof *c->words);
    for (size_t j = 0; j < count; j++) {
        hydraf_encode_row(&c->learner, row_of(c, first + j), c->columns, &c->scratch, j);
        if (l->encodes)
            put_features(c, first + j, j);
        for (size_t chunk = 0; !l->encodes && chunk < chunks; chunk++)
            hydraf_pack_row(l, &c->scratch.rows, j, chunk, c->words, (chunk * count + j) * bits);
    }
    if (l->encodes)
        return count * (size_t)l->features;
    return (size_t)(dse_ceil_div((int64_t)(count * chunks * bits), l->axi_bits) * l->axi_bits / 32);
}

static void expect_answers(struct casing *c, size_t count)
{
    uint32_t answers[HYDRAF_BATCH_MAX];
    for (size_t j = 0; j < count; j++)
        answers[j] = bits_of(c->scratch.estimate[j]);
    dse_calls_expect(&c->calls);
    dse_calls_words(&c->calls, ANSWERS, 0, answers, count);
}

static void answer(struct casing *c, size_t first, size_t count, bool counted)
{
    const uint32_t registers[] = {INFER, (uint32_t)count, 0, 0, 0};
    size_t words = put_samples(c, first, count);
    dse_calls_call(&c->calls, counted ? (uint32_t)count : 0, registers, sizeof registers / sizeof *registers);
    dse_calls_write(&c->calls, SAMPLES, 0, c->words, words);
    hydraf_predict(&c->learner, &c->scratch, count);
    expect_answers(c, count);
}

static void learn(struct casing *c, size_t first, size_t count, uint32_t update, bool counted)
{
    const struct hydraf_rates rates = hydraf_rates_of(&c->learner, count, HYDRAF_STREAM_PACE);
    const uint32_t registers[] = {LEARN, (uint32_t)count, 2 * update * GOLDEN, bits_of(rates.models), bits_of(rates.clusters)};
    uint32_t targets[HYDRAF_BATCH_MAX];
    float target[HYDRAF_BATCH_MAX];
    size_t words = put_samples(c, first, count);
    for (size_t j = 0; j < count; j++) {
        target[j] = (float)((c->items.target[first + j] - c->learner.target_mean) / c->learner.target_scale);
        targets[j] = bits_of(target[j]);
    }
    dse_calls_call(&c->calls, counted ? (uint32_t)count : 0, registers, sizeof registers / sizeof *registers);
    dse_calls_write(&c->calls, SAMPLES, 0, c->words, words);
    dse_calls_write(&c->calls, TARGETS, 0, targets, count);
    hydraf_predict(&c->learner, &c->scratch, count);
    expect_answers(c, count);
    hydraf_regressor_learn(&c->learner, &c->scratch, target, count, HYDRAF_STREAM_PACE, update);
}

/* Clusters and models by hypervector, dimensions ascending, padded to whole chunks. */
static void store(struct casing *c)
{
    const struct hydraf_layout *l = c->layout;
    const struct hydraf_block *blocks[] = {&c->learner.clusters, &c->learner.models};
    const uint32_t registers[] = {STORE, 0, 0, 0, 0};
    size_t dim = (size_t)(l->shape.chunks * l->shape.chunk), clusters = (size_t)l->shape.clusters;
    uint32_t *state DSE_CLEANUP(dse_free_at) = dse_calloc(2 + 2 * clusters * dim, sizeof *state);
    for (size_t b = 0; b < 2; b++) {
        state[b] = (uint32_t)ilogb(blocks[b]->step);
        for (size_t k = 0; k < clusters; k++)
            for (size_t d = 0; d < (size_t)l->shape.dim; d++) {
                double element = hydraf_block_get(blocks[b], k, d);
                state[2 + (b * clusters + k) * dim + d] = l->real ? bits_of((float)element) : (uint32_t)(int32_t)element;
            }
    }
    dse_calls_call(&c->calls, 0, registers, sizeof registers / sizeof *registers);
    dse_calls_expect(&c->calls);
    dse_calls_words(&c->calls, ANSWERS, 0, state, 2 + 2 * clusters * dim);
}

static void load(struct casing *c)
{
    const struct hydraf_layout *l = c->layout;
    const uint32_t registers[] = {LOAD, 0, 0, 0, 0};
    dse_calls_call(&c->calls, 0, registers, sizeof registers / sizeof *registers);
    dse_calls_write_array(&c->calls, SAMPLES, 0, 1, (size_t)((l->head_words + 2 * l->shape.clusters * l->shape.chunks * l->words_a_row) * l->axi_bits / 32));
    dse_calls_expect(&c->calls);
}

static void make_calls(struct casing *c, size_t count, bool learns)
{
    size_t batch = (size_t)c->layout->shape.batch, at_once = count < batch ? count : batch;
    load(c);
    for (size_t i = 0; i < count; i++)
        answer(c, i, 1, !learns);
    answer(c, 0, at_once, false);
    for (size_t first = 0, update = 0; first < count; first += batch, update++)
        learn(c, first, count - first < batch ? count - first : batch, (uint32_t)update, learns);
    store(c);
}

static void close_casing(struct casing *c)
{
    hydraf_block_free(&c->learner.clusters);
    hydraf_block_free(&c->learner.models);
    hydraf_scratch_free(&c->scratch);
    dse_inference_free(&c->items);
    free(c->columns);
    free(c->words);
}

enum dse_status hydraf_cases(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                             const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err)
{
    const struct hydraf_layout *l = layout;
    const struct dse_run run = {.seed = base->seed, .jobs = 1};
    struct casing c DSE_CLEANUP(close_casing) = {.model = hydraf_model_of(base), .layout = l, .table = dse_dataset_table(data)};
    DSE_TRY(hydraf_infer(base, data, &run, &c.items, err));
    DSE_TRY(hydraf_model_columns(c.model, c.table, &c.columns, &c.target, err));
    size_t batch = (size_t)l->shape.batch, row = (size_t)(l->words_a_row * l->axi_bits / 32);
    c.port_words = batch * ((size_t)l->shape.chunks * row + (size_t)l->features) + row;
    c.words = dse_calloc(c.port_words, sizeof *c.words);
    hydraf_regressor_copy(&c.model->regressor, &c.learner);
    hydraf_scratch_make(&c.learner, batch, &c.scratch);
    dse_calls_begin(&c.calls, out);
    make_calls(&c, c.items.count < most ? c.items.count : most, config->value[HYDRAF_TASK] != HYDRAF_INFER);
    return DSE_OK;
}
