#include "models/hdreason/executor/fixed.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "models/hdreason/executor/rank.h"

#define SHIFT_LEAST (-10) /* any sum other than 0 is past the table */
#define SHIFT_MOST 42     /* every sum is 0 */

static int exponent_of(float power)
{
    int exponent;
    frexpf(power, &exponent);
    return exponent - 1;
}

static double squared_error(const float *value, size_t count, float step, enum hdr_precision precision)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double d = (double)value[i] - (double)step * hdr_rounded(value[i], step, precision);
        sum += d * d;
    }
    return sum;
}

/* The power of two with the least sum of squared rounding errors. The search starts at the step that reaches the largest value, and halves it until
 * the error grows by saturation. */
static float best_step(const float *one, size_t one_count, const float *other, size_t other_count, enum hdr_precision precision)
{
    float largest = 0.0f, step;
    double error = HUGE_VAL, next;
    for (size_t i = 0; i < one_count + other_count; i++)
        largest = fmaxf(largest, fabsf(i < one_count ? one[i] : other[i - one_count]));
    for (step = hdr_step(largest, precision);; step /= 2.0f) {
        next = squared_error(one, one_count, step, precision) + squared_error(other, other_count, step, precision);
        if (!(next < error))
            return step * 2.0f;
        error = next;
    }
}

static int32_t last_of(enum hdr_precision precision)
{
    return (int32_t)(1u << (hdr_element_bits(precision) - 1)) - 1;
}

static int32_t clamped(int64_t value, enum hdr_precision precision)
{
    const int32_t last = last_of(precision);
    return value > last ? last : value < -last ? -last : (int32_t)value;
}

/* To the nearest, half up. */
int64_t hdr_rounded_shift(int64_t value, int right)
{
    return right > 0 ? (value + ((int64_t)1 << (right - 1))) >> right : value * ((int64_t)1 << -right);
}

int32_t hdr_fixed_shifted(int64_t value, int right, enum hdr_precision precision)
{
    return clamped(hdr_rounded_shift(value, right), precision);
}

void hdr_fixed_make(const struct hdr_setting *s, const struct hdr_embeddings *from, struct hdr_fixed *out)
{
    const size_t count = s->embedding * s->dim;
    const float base_step = best_step(from->base, count, NULL, 0, s->precision);
    const float step = best_step(from->entity, from->entities * s->embedding, from->relation, from->relations * s->embedding, s->precision);
    *out = (struct hdr_fixed){.embedding = s->embedding, .dim = s->dim, .precision = s->precision, .step = step, .base_step = base_step};
    const int shift = -exponent_of(out->step) - exponent_of(base_step) - HDR_TANH_BITS;
    out->address_shift = shift < SHIFT_LEAST ? SHIFT_LEAST : shift > SHIFT_MOST ? SHIFT_MOST : shift;
    out->base = dse_arena_alloc(&out->arena, count, sizeof *out->base);
    for (size_t i = 0; i < count; i++)
        out->base[i] = hdr_rounded(from->base[i], base_step, s->precision);
    for (size_t a = 0; a < HDR_TANH_WORDS; a++)
        out->tanh[a] = clamped(llrint(ldexp(tanh(ldexp((double)a, -HDR_TANH_BITS)), (int)hdr_element_bits(s->precision) - 1)), s->precision);
}

void hdr_fixed_free(struct hdr_fixed *fixed)
{
    dse_arena_free(&fixed->arena);
    *fixed = (struct hdr_fixed){0};
}

void hdr_fixed_embedding(const struct hdr_fixed *f, const float *row, int32_t *out)
{
    for (size_t i = 0; i < f->embedding; i++)
        out[i] = hdr_rounded(row[i], f->step, f->precision);
}

/* Looks up the sum's magnitude and applies its sign. A sum past the table takes the last word. */
static int32_t tanh_of(const struct hdr_fixed *f, int64_t sum)
{
    const int64_t address = hdr_rounded_shift(sum < 0 ? -sum : sum, f->address_shift), most = HDR_TANH_WORDS - 1;
    const int32_t value = f->tanh[address < most ? address : most];
    return sum < 0 ? -value : value;
}

void hdr_fixed_encode(const struct hdr_fixed *f, const float *row, int32_t *hyper)
{
    DSE_CLEANUP(dse_free_at) int32_t *embedding = dse_malloc(f->embedding * sizeof *embedding);
    DSE_CLEANUP(dse_free_at) int64_t *sum = dse_calloc(f->dim, sizeof *sum);
    hdr_fixed_embedding(f, row, embedding);
    for (size_t i = 0; i < f->embedding; i++)
        for (size_t k = 0; k < f->dim; k++)
            sum[k] += embedding[i] * f->base[i * f->dim + k]; /* 15 bits each */
    for (size_t k = 0; k < f->dim; k++)
        hyper[k] = tanh_of(f, sum[k]);
}

int hdr_product_shift(enum hdr_precision precision)
{
    const int bits = 2 * (int)hdr_element_bits(precision) - 1;
    return bits > HDR_PRODUCT_BITS ? bits - HDR_PRODUCT_BITS : 0;
}

/* Exponent of a product's step: both factors have steps of 2^(1 − bits). */
static int product_exponent(enum hdr_precision precision)
{
    return hdr_product_shift(precision) - 2 * ((int)hdr_element_bits(precision) - 1);
}

struct hdr_share hdr_share_by(const struct hdr_setting *s, size_t neighbours, int right)
{
    int power = 0; /* exponent of the largest power of two up to the number of neighbours */
    double factor = ldexp(1.0, HDR_SHARE_BITS);
    if (s->memory == HDR_MEAN && neighbours > 0) {
        frexp((double)neighbours, &power);
        power--;
        factor = ldexp(1.0, HDR_SHARE_BITS + power) / (double)neighbours;
    }
    return (struct hdr_share){(uint32_t)llrint(factor), (uint32_t)(HDR_SHARE_BITS + power + right)};
}

struct hdr_share hdr_share_of(const struct hdr_setting *s, size_t neighbours, float step)
{
    /* the memory's step is at least that of the largest element's sum over its neighbours, so no shift is to the left */
    return hdr_share_by(s, neighbours, exponent_of(step) - product_exponent(s->precision));
}

int32_t hdr_shared(int64_t sum, struct hdr_share share, enum hdr_precision precision)
{
    return hdr_fixed_shifted(sum * (int64_t)share.factor, (int)share.shift, precision);
}

int hdr_relation_shift(float step, enum hdr_precision precision)
{
    return exponent_of(step) + (int)hdr_element_bits(precision) - 1;
}

int32_t hdr_fixed_relation(int32_t hyper, float step, enum hdr_precision precision)
{
    return hdr_fixed_shifted(hyper, hdr_relation_shift(step, precision), precision);
}

/* ---- all entities ---- */

#define BLOCK 64

struct memorising {
    const struct hdr_fixed *fixed;
    const struct hdr_setting *setting;
    const struct hdr_graph *graph;
    const struct hdr_embeddings *from;
    int32_t *hyper; /* [(entities + relations) × dim] */
    int64_t *sum;   /* [entities × dim] */
};

static enum dse_status encode_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct memorising *m = user;
    const size_t d = m->fixed->embedding, dim = m->fixed->dim, rows = m->graph->entities + m->graph->relations;
    (void)thread, (void)err;
    for (size_t r = index * BLOCK; r < (index + 1) * BLOCK && r < rows; r++) {
        const float *row = r < m->graph->entities ? m->from->entity + r * d : m->from->relation + (r - m->graph->entities) * d;
        hdr_fixed_encode(m->fixed, row, m->hyper + r * dim);
    }
    return DSE_OK;
}

/* Products, each cut to its upper bits, and their sum. */
static enum dse_status bind_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct memorising *m = user;
    const struct hdr_edges *out = &m->graph->out;
    const size_t dim = m->fixed->dim;
    const int cut = hdr_product_shift(m->fixed->precision);
    (void)thread, (void)err;
    for (size_t i = index * BLOCK; i < (index + 1) * BLOCK && i < m->graph->entities; i++)
        for (size_t e = out->begin[i]; e < out->begin[i + 1]; e++) {
            const int32_t *one = m->hyper + (size_t)out->pair[e].a * dim, *other = m->hyper + (size_t)out->pair[e].b * dim;
            for (size_t k = 0; k < dim; k++)
                m->sum[i * dim + k] += hdr_rounded_shift(one[k] * other[k], cut);
        }
    return DSE_OK;
}

/* The largest element of M before it is rounded. */
static float largest_memory(const struct memorising *m)
{
    const size_t dim = m->fixed->dim;
    double largest = 0.0;
    for (size_t i = 0; i < m->graph->entities; i++) {
        const size_t neighbours = hdr_degree(&m->graph->out, i);
        int64_t own = 0;
        for (size_t k = 0; k < dim; k++)
            own = llabs(m->sum[i * dim + k]) > own ? llabs(m->sum[i * dim + k]) : own;
        largest = fmax(largest, (double)own / (m->setting->memory == HDR_MEAN && neighbours > 0 ? (double)neighbours : 1.0));
    }
    return (float)ldexp(largest, product_exponent(m->fixed->precision));
}

void hdr_fixed_memory(const struct hdr_fixed *fixed, const struct hdr_setting *setting, const struct hdr_graph *graph, const struct hdr_embeddings *from,
                      size_t jobs, int32_t *hyper, int32_t *memory, float *step)
{
    struct dse_error err;
    const size_t dim = fixed->dim, rows = graph->entities + graph->relations;
    DSE_CLEANUP(dse_free_at) int64_t *sum = dse_calloc(graph->entities * dim + 1, sizeof *sum);
    struct memorising m = {fixed, setting, graph, from, hyper, sum};
    (void)dse_parallel_for((rows + BLOCK - 1) / BLOCK, jobs, encode_block, &m, NULL, &err);
    (void)dse_parallel_for((graph->entities + BLOCK - 1) / BLOCK, jobs, bind_block, &m, NULL, &err);
    if (!(*step > 0.0f))
        *step = hdr_step(largest_memory(&m), setting->precision);
    for (size_t i = 0; i < graph->entities; i++) {
        const struct hdr_share share = hdr_share_of(setting, hdr_degree(&graph->out, i), *step);
        for (size_t k = 0; k < dim; k++)
            memory[i * dim + k] = hdr_shared(sum[i * dim + k], share, setting->precision);
    }
}
