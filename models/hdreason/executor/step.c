#include "models/hdreason/executor/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "models/hdreason/executor/rank.h"

#define BLOCK 64
#define WEIGHT_LARGEST 32767
#define OUT_BITS 32

static int32_t last_of(const struct hdr_step *s)
{
    return hdr_step_one(s->setting->precision) - 1;
}

void hdr_step_make(const struct hdr_graph *graph, const struct hdr_setting *setting, size_t lanes, size_t jobs, struct hdr_step *out)
{
    const size_t entities = graph->entities, rows = entities + graph->relations, dim = setting->dim;
    *out = (struct hdr_step){.graph = graph, .setting = setting, .jobs = jobs, .rows = rows, .lanes = lanes};
    out->query = dse_arena_alloc(&out->arena, lanes, sizeof *out->query);
    out->hyper = dse_arena_alloc(&out->arena, rows * dim, sizeof *out->hyper);
    out->memory = dse_arena_alloc(&out->arena, entities * dim, sizeof *out->memory);
    out->distance = dse_arena_alloc(&out->arena, entities * lanes, sizeof *out->distance);
    out->weight = dse_arena_alloc(&out->arena, entities * lanes, sizeof *out->weight);
    out->most = dse_arena_alloc(&out->arena, entities, sizeof *out->most);
    out->gradient = dse_arena_alloc(&out->arena, (entities + lanes) * dim, sizeof *out->gradient);
    out->row = dse_arena_alloc(&out->arena, rows * dim, sizeof *out->row);
    out->row_shift = dse_arena_alloc(&out->arena, rows, sizeof *out->row_shift);
    out->embedding = dse_arena_alloc(&out->arena, rows * setting->embedding, sizeof *out->embedding);
}

void hdr_step_free(struct hdr_step *step)
{
    hdr_fixed_free(&step->fixed);
    dse_arena_free(&step->arena);
    *step = (struct hdr_step){0};
}

void hdr_step_forward(struct hdr_step *s, const struct hdr_embeddings *from)
{
    hdr_fixed_free(&s->fixed);
    hdr_fixed_make(s->setting, from, &s->fixed);
    hdr_fixed_memory(&s->fixed, s->setting, s->graph, from, s->jobs, s->hyper, s->memory, &s->memory_step);
}

/* ---- distances, loss and weights ---- */

/* M_s + H_r of every lane, saturated; [lanes × dim], free() it. */
static int32_t *make_queries(const struct hdr_step *s)
{
    const size_t dim = s->setting->dim;
    const int32_t last = last_of(s);
    int32_t *out = dse_malloc(s->lanes * dim * sizeof *out);
    for (size_t b = 0; b < s->lanes; b++)
        for (size_t k = 0; k < dim; k++) {
            const int32_t relation = s->hyper[(s->graph->entities + (size_t)s->query[b].b) * dim + k];
            const int32_t sum = s->memory[(size_t)s->query[b].a * dim + k] + hdr_fixed_relation(relation, s->memory_step, s->setting->precision);
            out[b * dim + k] = sum > last ? last : sum < -last ? -last : sum;
        }
    return out;
}

struct passing {
    struct hdr_step *step;
    const int32_t *query;
};

static enum dse_status measure_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct passing *p = user;
    struct hdr_step *s = p->step;
    const size_t dim = s->setting->dim;
    (void)thread, (void)err;
    for (size_t j = index * BLOCK; j < (index + 1) * BLOCK && j < s->graph->entities; j++)
        for (size_t b = 0; b < s->lanes; b++) {
            int32_t sum = 0;
            for (size_t k = 0; k < dim; k++)
                sum += abs(p->query[b * dim + k] - s->memory[j * dim + k]);
            s->distance[j * s->lanes + b] = sum;
        }
    return DSE_OK;
}

static void each_block(size_t count, size_t jobs, enum dse_status (*block)(void *, size_t, size_t, struct dse_error *), void *user)
{
    struct dse_error err;
    (void)dse_parallel_for((count + BLOCK - 1) / BLOCK, jobs, block, user, NULL, &err);
}

/* dL/dn of a query to every entity, and the loss; `number` is the query's index in the graph. */
static double weigh_query(const struct hdr_step *s, size_t number, size_t b, double *delta)
{
    const struct hdr_setting *set = s->setting;
    const struct hdr_queries *all = &s->graph->queries;
    const size_t entities = s->graph->entities, first = all->begin[number], of = all->begin[number + 1] - first;
    const double spread = set->smoothing / (double)entities, more = (1.0 - set->smoothing) / (set->loss == HDR_SOFTMAX ? (double)of : 1.0);
    double loss = 0.0, largest = -HUGE_VAL, total = 0.0;
    for (size_t j = 0; j < entities; j++) {
        delta[j] = set->margin - set->scale * (double)s->memory_step * s->distance[j * s->lanes + b]; /* the logit */
        largest = fmax(largest, delta[j]);
    }
    for (size_t j = 0; j < entities && set->loss == HDR_SOFTMAX; j++)
        total += exp(delta[j] - largest);
    for (size_t j = 0, at = 0; j < entities; j++) {
        const bool answer = at < of && (size_t)all->answer[first + at] == j;
        const double logit = delta[j], target = spread + (answer ? more : 0.0);
        const double p = set->loss == HDR_SOFTMAX ? exp(logit - largest) / total : 1.0 / (1.0 + exp(-logit));
        loss += set->loss == HDR_SOFTMAX ? -target * (logit - largest - log(total)) : log1p(exp(-fabs(logit))) + fmax(logit, 0.0) - target * logit;
        delta[j] = -set->scale * (p - target) / (double)s->count;
        at += answer;
    }
    return loss;
}

/* Magnitudes of sums of weights. An entity's sum is over the queries and includes the sums of the queries that it is subject of. A query's sum is
 * over the entities. */
struct sizes {
    int64_t *entity, *query;
};

static struct sizes sum_sizes(struct hdr_step *s, struct dse_arena *arena)
{
    struct sizes z = {dse_arena_alloc(arena, s->graph->entities, sizeof *z.entity), dse_arena_alloc(arena, s->lanes, sizeof *z.query)};
    for (size_t j = 0; j < s->graph->entities; j++)
        for (size_t b = 0; b < s->lanes; b++) {
            z.entity[j] += abs(s->weight[j * s->lanes + b]);
            z.query[b] += abs(s->weight[j * s->lanes + b]);
        }
    for (size_t b = 0; b < s->count; b++)
        z.entity[s->query[b].a] += z.query[b];
    return z;
}

static int64_t averaged(const struct hdr_step *s, size_t entity, int64_t sum)
{
    const size_t neighbours = hdr_degree(&s->graph->out, entity);
    return s->setting->memory == HDR_MEAN && neighbours > 0 ? sum / (int64_t)neighbours : sum;
}

/* Chooses the weights' step, the least power of two so that weights fit 16 bits and sums 32, and the least shift that saturates no `gradient`. */
static void put_weights(struct hdr_step *s, const double *delta)
{
    const size_t entities = s->graph->entities;
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    double largest = 0.0, sum = 0.0;
    for (size_t b = 0; b < s->count; b++) {
        double own = 0.0;
        for (size_t j = 0; j < entities; j++) {
            largest = fmax(largest, fabs(delta[b * entities + j]));
            own += fabs(delta[b * entities + j]);
        }
        sum = fmax(sum, own);
    }
    int exponent = 0, of_sum = 0;
    frexp(largest / WEIGHT_LARGEST, &exponent);
    frexp(sum / (INT32_MAX - (double)entities), &of_sum);
    s->weight_exponent = exponent > of_sum ? exponent : of_sum;
    for (size_t j = 0; j < entities; j++)
        for (size_t b = 0; b < s->lanes; b++)
            s->weight[j * s->lanes + b] = b < s->count ? (int32_t)lrint(ldexp(delta[b * entities + j], -s->weight_exponent)) : 0;
    const struct sizes z = sum_sizes(s, &arena);
    int64_t most = 0;
    for (size_t j = 0; j < entities; j++)
        most = averaged(s, j, z.entity[j]) > most ? averaged(s, j, z.entity[j]) : most;
    for (size_t b = 0; b < s->count; b++)
        most = z.query[b] > most ? z.query[b] : most;
    for (s->shift = 0; most >> s->shift > last_of(s); s->shift++)
        ;
    for (size_t j = 0; j < entities; j++) {
        const int64_t reached = (averaged(s, j, z.entity[j]) >> s->shift) + 2; /* it is rounded twice */
        s->most[j] = z.entity[j] == 0 ? 0 : reached < last_of(s) ? reached : last_of(s);
    }
}

void hdr_step_weigh(struct hdr_step *s, const int32_t *query, size_t count)
{
    s->count = count;
    s->loss = 0.0;
    for (size_t b = 0; b < s->lanes; b++)
        s->query[b] = b < count ? s->graph->queries.query[query[b]] : (struct hdr_pair){0, 0};
    DSE_CLEANUP(dse_free_at) int32_t *queries = make_queries(s);
    DSE_CLEANUP(dse_free_at) double *delta = dse_malloc((count * s->graph->entities + 1) * sizeof *delta);
    struct passing p = {s, queries};
    each_block(s->graph->entities, s->jobs, measure_block, &p);
    for (size_t b = 0; b < count; b++)
        s->loss += weigh_query(s, (size_t)query[b], b, delta + b * s->graph->entities);
    put_weights(s, delta);
}

/* ---- signs ---- */

/* An element's step is 2^shift steps of a sum of weights; hdr_share_of() assumes the steps of products. */
struct hdr_share hdr_step_share(const struct hdr_step *s, size_t neighbours)
{
    return hdr_share_by(s->setting, neighbours, s->shift);
}

static enum dse_status sign_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct passing *p = user;
    struct hdr_step *s = p->step;
    const size_t dim = s->setting->dim;
    DSE_CLEANUP(dse_free_at) int32_t *sum = dse_malloc(dim * sizeof *sum);
    (void)thread, (void)err;
    for (size_t j = index * BLOCK; j < (index + 1) * BLOCK && j < s->graph->entities; j++) {
        const struct hdr_share share = hdr_step_share(s, hdr_degree(&s->graph->out, j));
        memset(sum, 0, dim * sizeof *sum);
        for (size_t b = 0; b < s->count; b++)
            for (size_t k = 0; k < dim; k++)
                sum[k] -= p->query[b * dim + k] >= s->memory[j * dim + k] ? s->weight[j * s->lanes + b] : -s->weight[j * s->lanes + b];
        for (size_t k = 0; k < dim; k++)
            s->gradient[j * dim + k] = hdr_shared(sum[k], share, s->setting->precision);
    }
    return DSE_OK;
}

static enum dse_status query_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct passing *p = user;
    struct hdr_step *s = p->step;
    const size_t dim = s->setting->dim, entities = s->graph->entities;
    DSE_CLEANUP(dse_free_at) int32_t *sum = dse_malloc(dim * sizeof *sum);
    (void)thread, (void)err;
    for (size_t b = index * BLOCK; b < (index + 1) * BLOCK && b < s->lanes; b++) {
        memset(sum, 0, dim * sizeof *sum);
        for (size_t j = 0; j < entities; j++)
            for (size_t k = 0; k < dim; k++)
                sum[k] += p->query[b * dim + k] >= s->memory[j * dim + k] ? s->weight[j * s->lanes + b] : -s->weight[j * s->lanes + b];
        for (size_t k = 0; k < dim; k++)
            s->gradient[(entities + b) * dim + k] = hdr_shared(sum[k], hdr_step_share(s, 0), s->setting->precision);
    }
    return DSE_OK;
}

void hdr_step_signs(struct hdr_step *s)
{
    DSE_CLEANUP(dse_free_at) int32_t *queries = make_queries(s);
    struct passing p = {s, queries};
    each_block(s->graph->entities, s->jobs, sign_block, &p);
    each_block(s->lanes, s->jobs, query_block, &p);
}

void hdr_step_merge(struct hdr_step *s)
{
    const size_t dim = s->setting->dim, entities = s->graph->entities;
    for (size_t b = 0; b < s->count; b++) {
        const size_t subject = (size_t)s->query[b].a;
        bool first = true;
        for (size_t before = 0; before < b; before++)
            first = first && (size_t)s->query[before].a != subject;
        if (!first)
            continue;
        const struct hdr_share share = hdr_share_by(s->setting, hdr_degree(&s->graph->out, subject), 0);
        for (size_t k = 0; k < dim; k++) {
            int64_t sum = s->gradient[subject * dim + k] * ((int64_t)1 << share.shift);
            for (size_t other = b; other < s->count; other++)
                if ((size_t)s->query[other].a == subject)
                    sum += (int64_t)s->gradient[(entities + other) * dim + k] * share.factor;
            s->gradient[subject * dim + k] = hdr_fixed_shifted(sum, (int)share.shift, s->setting->precision);
        }
    }
}

/* ---- backward ---- */

/* The least shift that saturates no element of a sum. */
static int least_shift(const struct hdr_step *s, int64_t most)
{
    int shift = 0;
    while (most >> shift >= last_of(s))
        shift++;
    return shift;
}

/* Products of relations with the gradients of the memories that H of an entity is bound into. With gradient=paper, of the relations of its own edges
 * with its own memory's gradient. */
static void backward_entity(struct hdr_step *s, size_t j, int64_t *sum)
{
    const bool paper = s->setting->gradient == HDR_OF_PAPER;
    const struct hdr_edges *edges = paper ? &s->graph->out : &s->graph->in;
    const size_t dim = s->setting->dim;
    const int cut = hdr_product_shift(s->setting->precision);
    int64_t most = 0;
    s->row_shift[j] = -1;
    if (hdr_degree(&s->graph->in, j) == 0 || hdr_degree(edges, j) == 0) /* no entity has it as neighbour, or it has none */
        return;
    memset(sum, 0, dim * sizeof *sum);
    for (size_t e = edges->begin[j]; e < edges->begin[j + 1]; e++) {
        const size_t of = paper ? j : (size_t)edges->pair[e].a;
        for (size_t k = 0; k < dim; k++)
            sum[k] += hdr_rounded_shift(s->gradient[of * dim + k] * s->hyper[(size_t)edges->pair[e].b * dim + k], cut);
        most += ((s->most[of] * last_of(s)) >> cut) + 1;
    }
    s->row_shift[j] = least_shift(s, most);
    for (size_t k = 0; k < dim; k++)
        s->row[j * dim + k] = hdr_fixed_shifted(sum[k], s->row_shift[j], s->setting->precision);
}

static void backward_relation(struct hdr_step *s, size_t r, int64_t *sum)
{
    const struct hdr_edges *edges = &s->graph->by_relation;
    const size_t dim = s->setting->dim, entities = s->graph->entities, row = entities + r;
    const bool edge = s->setting->gradient == HDR_EXACT;
    const int32_t one = hdr_step_one(s->setting->precision);
    int64_t most = 0;
    memset(sum, 0, dim * sizeof *sum);
    for (size_t b = 0; b < s->count; b++)
        for (size_t k = 0; (size_t)s->query[b].b == r && k < dim; k++) {
            sum[k] += (int64_t)s->gradient[(entities + b) * dim + k] * one;
            most += k == 0 ? (int64_t)last_of(s) * one : 0;
        }
    for (size_t e = edges->begin[r]; edge && e < edges->begin[r + 1]; e++) {
        const size_t i = (size_t)edges->pair[e].a, j = (size_t)edges->pair[e].b;
        for (size_t k = 0; k < dim; k++)
            sum[k] += s->gradient[i * dim + k] * s->hyper[j * dim + k];
        most += s->most[i] * last_of(s);
    }
    s->row_shift[row] = least_shift(s, most);
    for (size_t k = 0; k < dim; k++)
        s->row[row * dim + k] = hdr_fixed_shifted(sum[k], s->row_shift[row], s->setting->precision);
}

static enum dse_status backward_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct hdr_step *s = user;
    DSE_CLEANUP(dse_free_at) int64_t *sum = dse_malloc(s->setting->dim * sizeof *sum);
    (void)thread, (void)err;
    for (size_t r = index * BLOCK; r < (index + 1) * BLOCK && r < s->rows; r++)
        if (r < s->graph->entities)
            backward_entity(s, r, sum);
        else
            backward_relation(s, r - s->graph->entities, sum);
    return DSE_OK;
}

void hdr_step_backward(struct hdr_step *s)
{
    each_block(s->rows, s->jobs, backward_block, s);
}

int hdr_embedding_shift(size_t dim, enum hdr_precision precision)
{
    int bits = 2 * (int)hdr_element_bits(precision) - 1;
    for (size_t terms = 1; terms < dim; terms *= 2)
        bits++;
    return bits > OUT_BITS ? bits - OUT_BITS : 0;
}

/* gradient=paper leaves the derivative of tanh out (section 4.4). */
static enum dse_status embed_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct hdr_step *s = user;
    const size_t dim = s->setting->dim, d = s->setting->embedding;
    const int64_t one = hdr_step_one(s->setting->precision);
    const int bits = (int)hdr_element_bits(s->setting->precision), shift = hdr_embedding_shift(dim, s->setting->precision);
    DSE_CLEANUP(dse_free_at) int32_t *through = dse_malloc(dim * sizeof *through);
    (void)thread, (void)err;
    for (size_t r = index * BLOCK; r < (index + 1) * BLOCK && r < s->rows; r++) {
        for (size_t k = 0; k < dim && s->row_shift[r] >= 0; k++) {
            const int64_t h = s->hyper[r * dim + k], g = s->row[r * dim + k];
            through[k] = s->setting->gradient == HDR_EXACT ? hdr_fixed_shifted(g * (one * one - h * h), 2 * (bits - 1), s->setting->precision) : (int32_t)g;
        }
        for (size_t i = 0; i < d; i++) {
            int64_t sum = 0;
            for (size_t k = 0; k < dim && s->row_shift[r] >= 0; k++)
                sum += (int64_t)through[k] * s->fixed.base[i * dim + k];
            s->embedding[r * d + i] = (int32_t)hdr_rounded_shift(sum, shift);
        }
    }
    return DSE_OK;
}

void hdr_step_embed(struct hdr_step *s)
{
    each_block(s->rows, s->jobs, embed_block, s);
}

void hdr_step_real(const struct hdr_step *s, size_t row, float *out)
{
    const enum hdr_precision precision = s->setting->precision;
    const int cut = row < s->graph->entities ? hdr_product_shift(precision) : 0;
    const int exponent = s->weight_exponent + s->shift + s->row_shift[row] + cut - ((int)hdr_element_bits(precision) - 1) +
                         hdr_embedding_shift(s->setting->dim, precision);
    for (size_t i = 0; i < s->setting->embedding; i++)
        out[i] = s->row_shift[row] < 0 ? 0.0f : (float)ldexp((double)s->fixed.base_step * s->embedding[row * s->setting->embedding + i], exponent);
}
