#include "models/hdreason/executor/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/parallel.h"
#include "models/hdreason/executor/fixed.h"

#define LANES 64        /* queries that share a pass over the memory */
#define ENTROPY_BINS 64 /* bins for a dimension's elements, over the whole array's range */

/* ---- fixed point ---- */

static int32_t last_of(enum hdr_precision precision)
{
    return (int32_t)(1u << (hdr_element_bits(precision) - 1)) - 1;
}

float hdr_step(float largest, enum hdr_precision precision)
{
    int exponent = 0;
    if (!(largest > 0.0f))
        return 1.0f;
    frexp((double)largest / (double)last_of(precision), &exponent);
    float step = ldexpf(1.0f, exponent); /* above the quotient; half of it may be enough */
    return largest <= step / 2.0f * (float)last_of(precision) ? step / 2.0f : step;
}

int32_t hdr_rounded(float value, float step, enum hdr_precision precision)
{
    float last = (float)last_of(precision), steps = nearbyintf(value / step);
    return (int32_t)(steps > last ? last : steps < -last ? -last : steps);
}

/* ---- inputs of the score ---- */

static float memory_value(const struct hdr_model *model, size_t at)
{
    switch (model->setting.precision) {
    case HDR_FP32:
        return ((const float *)model->memory)[at];
    case HDR_FIX16:
        return (float)((const int16_t *)model->memory)[at];
    default:
        return (float)((const int8_t *)model->memory)[at];
    }
}

/* Shannon's entropy of one dimension's elements in equal bins. */
static double entropy(const struct hdr_model *model, size_t k, float largest)
{
    size_t bins[ENTROPY_BINS] = {0};
    double sum = 0.0;
    for (size_t i = 0; i < model->entities; i++) {
        float at = (memory_value(model, i * model->setting.dim + k) / largest + 1.0f) / 2.0f * ENTROPY_BINS;
        bins[at >= ENTROPY_BINS ? ENTROPY_BINS - 1 : at > 0.0f ? (size_t)at : 0]++;
    }
    for (size_t b = 0; b < ENTROPY_BINS; b++) {
        double share = (double)bins[b] / (double)model->entities;
        sum -= share > 0.0 ? share * log2(share) : 0.0;
    }
    return sum;
}

/* Keeps the dimensions of the largest entropy, of equals the first. */
static void choose_dims(const struct hdr_model *model, struct hdr_ranker *r)
{
    const size_t dim = model->setting.dim;
    struct dse_ranked *order = dse_arena_alloc(&r->arena, dim, sizeof *order);
    r->dim = dse_arena_alloc(&r->arena, dim, sizeof *r->dim);
    bool all = r->dims == dim;
    float largest = 0.0f;
    for (size_t i = 0; !all && i < model->entities * dim; i++)
        largest = fmaxf(largest, fabsf(memory_value(model, i)));
    for (size_t k = 0; k < dim; k++)
        order[k] = (struct dse_ranked){all || !(largest > 0.0f) ? 0.0 : -entropy(model, k, largest), k};
    qsort(order, dim, sizeof *order, dse_by_rank);
    for (size_t k = 0; k < dim; k++)
        order[k].value = k < r->dims ? 0.0 : 1.0;
    qsort(order, dim, sizeof *order, dse_by_rank); /* by number */
    for (size_t k = 0; k < dim; k++)
        r->dim[k] = order[k].index;
}

static void put_memory(const struct hdr_model *model, struct hdr_ranker *r)
{
    for (size_t i = 0; i < r->entities; i++)
        for (size_t k = 0; k < r->dims; k++) {
            float value = memory_value(model, i * model->setting.dim + r->dim[k]);
            r->row[i * r->stride + k] = r->precision == HDR_FP32 ? hdr_bits_of(value) : (int32_t)value;
        }
    if (r->byte != NULL)
        for (size_t i = 0; i < r->entities * r->stride; i++)
            r->byte[i] = (uint8_t)(r->row[i] + 128);
}

/* H_r as training encodes it. */
static void put_relations_fp32(const struct hdr_model *model, struct hdr_ranker *r)
{
    const size_t d = model->setting.embedding, dim = model->setting.dim, stride = hdr_padded(dim, HDR_PAD);
    float *base = dse_arena_alloc(&r->arena, d * stride, sizeof *base);
    float *hyper = dse_arena_alloc(&r->arena, model->relation_rows * stride, sizeof *hyper);
    for (size_t i = 0; i < d; i++)
        memcpy(base + i * stride, model->base_rows + i * dim, dim * sizeof *base);
    hdr_product(r->vectors, model->relation, model->relation_rows, d, base, stride, d, hyper);
    hdr_tanh(r->vectors, hyper, model->relation_rows * stride);
    for (size_t i = 0; i < model->relation_rows; i++)
        for (size_t k = 0; k < r->dims; k++)
            r->relation[i * r->stride + k] = hdr_bits_of(hyper[i * stride + r->dim[k]]);
}

/* H_r as whole numbers, in steps of the memory. */
static void put_relations(const struct hdr_model *model, struct hdr_ranker *r)
{
    const struct hdr_embeddings from = {model->base_rows, model->entity, model->relation, model->entities, model->relation_rows};
    DSE_CLEANUP(hdr_fixed_free) struct hdr_fixed fixed = {0};
    int32_t *hyper = dse_arena_alloc(&r->arena, model->setting.dim, sizeof *hyper);
    hdr_fixed_make(&model->setting, &from, &fixed);
    for (size_t i = 0; i < model->relation_rows; i++) {
        hdr_fixed_encode(&fixed, model->relation + i * model->setting.embedding, hyper);
        for (size_t k = 0; k < r->dims; k++)
            r->relation[i * r->stride + k] = hdr_fixed_relation(hyper[r->dim[k]], model->memory_step, r->precision);
    }
}

void hdr_ranker_make(const struct hdr_model *model, struct hdr_ranker *out)
{
    const struct hdr_setting *s = &model->setting;
    *out = (struct hdr_ranker){.vectors = hdr_vectors_best(), .precision = s->precision, .entities = model->entities, .dims = s->kept,
                               .stride = hdr_padded(s->kept, HDR_PAD)};
    bool bytes = s->precision == HDR_FIX8 || s->precision == HDR_FIX4;
    out->row = dse_arena_alloc(&out->arena, out->entities * out->stride, sizeof *out->row);
    out->relation = dse_arena_alloc(&out->arena, model->relation_rows * out->stride, sizeof *out->relation);
    out->byte = bytes ? dse_arena_alloc(&out->arena, out->entities * out->stride, 1) : NULL;
    choose_dims(model, out);
    put_memory(model, out);
    (out->precision == HDR_FP32 ? put_relations_fp32 : put_relations)(model, out);
}

void hdr_ranker_free(struct hdr_ranker *r)
{
    dse_arena_free(&r->arena);
    *r = (struct hdr_ranker){0};
}

int32_t hdr_ranker_query(const struct hdr_ranker *r, size_t subject, size_t relation, size_t k)
{
    int32_t m = r->row[subject * r->stride + k], h = r->relation[relation * r->stride + k];
    if (r->precision == HDR_FP32)
        return hdr_bits_of(hdr_float_of(m) + hdr_float_of(h));
    int32_t last = last_of(r->precision), sum = m + h;
    return sum > last ? last : sum < -last ? -last : sum;
}

void hdr_ranker_turn(const struct hdr_ranker *r, const struct hdr_pair *query, size_t count, size_t lanes, int32_t *turned)
{
    uint8_t *bytes = (uint8_t *)turned;
    for (size_t b = 0; b < lanes; b++)
        for (size_t k = 0; k < r->stride; k++) {
            int32_t q = b < count ? hdr_ranker_query(r, (size_t)query[b].a, (size_t)query[b].b, k) : 0;
            if (r->byte != NULL)
                bytes[(k / 8 * lanes + b) * 8 + k % 8] = (uint8_t)(q + 128);
            else
                turned[k * lanes + b] = q;
        }
}

void hdr_ranker_distances(const struct hdr_ranker *r, size_t first, size_t count, const int32_t *turned, size_t lanes, int32_t *out)
{
    const void *rows = r->row + first * r->stride, *queries = turned;
    if (r->precision == HDR_FP32)
        hdr_distances(r->vectors, rows, count, r->stride, queries, lanes, r->dims, (void *)out);
    else if (r->byte != NULL)
        hdr_distances_bytes(r->vectors, r->byte + first * r->stride, count, r->stride, queries, lanes, out);
    else
        hdr_distances_whole(r->vectors, rows, count, r->stride, turned, lanes, r->dims, out);
}

/* ---- ranking ---- */

struct ranking {
    const struct hdr_ranker *ranker;
    const struct hdr_queries *known;
    const struct hdr_question *question; /* [count] */
    size_t count;
    int32_t *scratch; /* [jobs] turned queries and distances */
    double *rank;
};

static size_t scratch_words(const struct hdr_ranker *r)
{
    return LANES * (r->stride + r->entities);
}

/* Takes the other known answers out of the counts. */
static void take_out_known(const struct ranking *work, const struct hdr_question *q, const int32_t *distance, int32_t own, int32_t *less,
                           int32_t *equal)
{
    size_t number = hdr_queries_find(work->known, q->query.a, q->query.b);
    if (number == work->known->count)
        return;
    for (size_t i = work->known->begin[number]; i < work->known->begin[number + 1]; i++) {
        int32_t other = work->known->answer[i];
        if (other == q->answer)
            continue;
        *less -= distance[(size_t)other * LANES] < own;
        *equal -= distance[(size_t)other * LANES] == own;
    }
}

static enum dse_status rank_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct ranking *work = user;
    const struct hdr_ranker *r = work->ranker;
    const struct hdr_question *question = work->question + index * LANES;
    size_t count = work->count - index * LANES < LANES ? work->count - index * LANES : LANES;
    int32_t *turned = work->scratch + thread * scratch_words(r), *distance = turned + LANES * r->stride;
    int32_t wanted[LANES] = {0}, less[LANES] = {0}, equal[LANES] = {0};
    struct hdr_pair query[LANES] = {{0, 0}};
    (void)err;
    for (size_t b = 0; b < count; b++)
        query[b] = question[b].query;
    hdr_ranker_turn(r, query, count, LANES, turned);
    hdr_ranker_distances(r, 0, r->entities, turned, LANES, distance);
    for (size_t b = 0; b < count; b++)
        wanted[b] = distance[(size_t)question[b].answer * LANES + b];
    hdr_beaten(r->vectors, distance, r->entities, LANES, wanted, less, equal);
    for (size_t b = 0; b < count; b++) {
        take_out_known(work, &question[b], distance + b, wanted[b], &less[b], &equal[b]);
        work->rank[index * LANES + b] = 1.0 + (double)less[b] + (double)(equal[b] - 1) / 2.0;
    }
    return DSE_OK;
}

static enum dse_status rank_all(struct ranking *work, const struct dse_run *run, struct dse_error *err)
{
    size_t jobs = run->jobs > 0 ? run->jobs : 1, blocks = (work->count + LANES - 1) / LANES;
    jobs = jobs < blocks ? jobs : blocks > 0 ? blocks : 1;
    work->scratch = dse_malloc(jobs * scratch_words(work->ranker) * sizeof *work->scratch);
    enum dse_status status = dse_parallel_for(blocks, jobs, rank_block, work, run->monitor, err);
    free(work->scratch);
    return status;
}

enum dse_status hdr_rank(const struct hdr_model *model, const struct dse_triple_set *set, const size_t *item, size_t count,
                         const struct dse_run *run, double *rank, struct dse_error *err)
{
    const size_t ways = hdr_both_ways(model) ? 2 : 1;
    DSE_CLEANUP(hdr_ranker_free) struct hdr_ranker ranker = {0};
    DSE_CLEANUP(hdr_queries_free) struct hdr_queries known = {0};
    DSE_CLEANUP(dse_free_at) struct hdr_question *question = dse_malloc((count * ways + 1) * sizeof *question);
    for (size_t i = 0; i < count * ways; i++)
        question[i] = hdr_question_of(set, item[i / ways], i % ways);
    hdr_ranker_make(model, &ranker);
    hdr_queries_make(set, DSE_TRAIN_PART, DSE_TEST_PART, ways == 2, &known);
    struct ranking work = {.ranker = &ranker, .known = &known, .question = question, .count = count * ways, .rank = rank};
    return rank_all(&work, run, err);
}
