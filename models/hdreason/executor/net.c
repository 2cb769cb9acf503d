#include "models/hdreason/executor/net.h"

#include <math.h>
#include <string.h>

#include "core/parallel.h"

#define BLOCK 64 /* rows that are encoded together */
#define NEAR_BYTES (1 << 20) /* size of a slice of all rows, unless the narrowest slice has more */
#define EDGES_A_ROW 16
#define ROW_PARTS 256

/* ---- beginning and end ---- */

static size_t block_count(const struct hdr_net *net)
{
    return (net->graph->entities + BLOCK - 1) / BLOCK;
}

static size_t scratch_floats(const struct hdr_net *net)
{
    return BLOCK * (net->stride + 2 * net->width);
}

static void allocate(struct hdr_net *net, bool training)
{
    const size_t entities = net->graph->entities, f = sizeof(float);
    bool adam = training && net->setting->optimizer == HDR_ADAM, literal = net->setting->gradient == HDR_OF_PAPER;
    const struct {
        void *at;
        size_t count, size;
        bool wanted;
    } parts[] = {
        {&net->base, net->setting->embedding * net->stride, f, true},
        {&net->base_turned, net->setting->dim * net->width, f, true},
        {&net->embedding, net->rows * net->width, f, true},
        {&net->hyper, net->rows * net->stride, f, true},
        {&net->memory, entities * net->stride, f, true},
        {&net->moment[0], net->rows * net->width, f, adam},
        {&net->moment[1], net->rows * net->width, f, adam},
        {&net->memory_gradient, entities * net->stride, f, training},
        {&net->hyper_gradient, net->rows * net->stride, f, training},
        {&net->relation_gradient, net->graph->relations * net->stride, f, training},
        {&net->score, entities * HDR_QUERIES, f, training},
        {&net->query, HDR_QUERIES * net->stride, f, training},
        {&net->query_turned, HDR_QUERIES * net->stride, f, training},
        {&net->query_gradient, HDR_SLABS * HDR_QUERIES * net->stride, f, training},
        {&net->partial, 3 * HDR_SLABS * HDR_QUERIES, sizeof(double), training},
        {&net->near, net->jobs * 2 * net->rows * net->slice, f, net->slice < net->stride},
        {&net->scratch, net->jobs * scratch_floats(net), f, training},
        {&net->cosine, block_count(net) + net->graph->relations, sizeof *net->cosine, training && literal},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        void *memory = parts[i].wanted ? dse_arena_alloc(&net->arena, parts[i].count, parts[i].size) : NULL;
        memcpy(parts[i].at, &memory, sizeof memory);
    }
}

/* Copies are worth their time only if rows have many edges. */
static void slice_rows(struct hdr_net *net)
{
    net->slice = net->stride;
    net->parts = ROW_PARTS;
    if (net->graph->edges < EDGES_A_ROW * net->rows)
        return;
    net->slice = HDR_PAD;
    while (net->slice > HDR_REGISTER && (net->rows * net->slice * sizeof(float) > NEAR_BYTES || net->stride / net->slice < net->jobs))
        net->slice /= 2;
    net->parts = (net->jobs + net->stride / net->slice - 1) / (net->stride / net->slice);
}

void hdr_net_make(const struct hdr_graph *graph, const struct hdr_setting *setting, const struct dse_run *run, bool training,
                  struct hdr_net *out)
{
    *out = (struct hdr_net){.graph = graph, .setting = setting, .vectors = hdr_vectors_best(), .jobs = run->jobs > 0 ? run->jobs : 1,
                            .monitor = run->monitor, .rows = graph->entities + graph->relations,
                            .width = hdr_padded(setting->embedding, HDR_REGISTER), .stride = hdr_padded(setting->dim, HDR_PAD)};
    slice_rows(out);
    allocate(out, training);
}

void hdr_net_free(struct hdr_net *net)
{
    dse_arena_free(&net->arena);
    *net = (struct hdr_net){0};
}

void hdr_net_start(struct hdr_net *net, uint64_t seed)
{
    const size_t d = net->setting->embedding, dim = net->setting->dim;
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, HDR_STREAM_BASE);
    for (size_t i = 0; i < d; i++)
        for (size_t k = 0; k < dim; k++)
            net->base[i * net->stride + k] = net->base_turned[k * net->width + i] = (float)dse_rng_normal(&rng);
    dse_rng_seed(&rng, seed, HDR_STREAM_EMBEDDING);
    for (size_t r = 0; r < net->rows; r++)
        for (size_t i = 0; i < d; i++)
            net->embedding[r * net->width + i] = (float)(net->setting->init * dse_rng_normal(&rng));
}

/* ---- forward ---- */

static enum dse_status encode_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct hdr_net *net = user;
    size_t first = index * BLOCK, count = net->rows - first < BLOCK ? net->rows - first : BLOCK;
    float *out = net->hyper + first * net->stride;
    (void)thread, (void)err;
    hdr_product(net->vectors, net->embedding + first * net->width, count, net->width, net->base, net->stride, net->setting->embedding, out);
    hdr_tanh(net->vectors, out, count * net->stride);
    return DSE_OK;
}

/* The divisor of a sum over the edges of entity i. */
static float divisor(const struct hdr_net *net, size_t i)
{
    size_t count = hdr_degree(&net->graph->out, i);
    return net->setting->memory == HDR_MEAN && count > 0 ? 1.0f / (float)count : 1.0f;
}

static void scale_row(float *row, size_t count, float by)
{
    for (size_t k = 0; k < count && by != 1.0f; k++)
        row[k] *= by;
}

/* Items of a pass over all edges. If rows have many edges, an item is a slice of the elements of all rows, copied side by side to stay in cache.
 * Otherwise an item has whole rows. If there are more threads than slices, the rows are also split into parts. */
struct item {
    size_t first, part; /* first element; part of the rows */
    float *copy;
};

static struct item item_of(const struct hdr_net *net, size_t index, size_t thread)
{
    return (struct item){index / net->parts * net->slice, index % net->parts, net->near == NULL ? NULL : net->near + thread * 2 * net->rows * net->slice};
}

/* The slice of some rows: `number` 0 or 1 of an item. */
static const float *near_rows(const struct hdr_net *net, const struct item *at, size_t number, const float *from, size_t rows)
{
    if (at->copy == NULL)
        return from;
    float *out = at->copy + number * net->rows * net->slice;
    for (size_t r = 0; r < rows; r++)
        memcpy(out + r * net->slice, from + r * net->stride + at->first, net->slice * sizeof *out);
    return out;
}

static size_t item_count(const struct hdr_net *net)
{
    return net->stride / net->slice * net->parts;
}

static enum dse_status memorise_item(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct hdr_net *net = user;
    const struct hdr_edges *out = &net->graph->out;
    const struct item at = item_of(net, index, thread);
    (void)err;
    const float *hyper = near_rows(net, &at, 0, net->hyper, net->rows);
    for (size_t i = at.part; i < net->graph->entities; i += net->parts) {
        float *row = net->memory + i * net->stride + at.first;
        memset(row, 0, net->slice * sizeof *row);
        hdr_bind(net->vectors, hyper, hyper, out->pair + out->begin[i], hdr_degree(out, i), net->slice, row);
        scale_row(row, net->slice, divisor(net, i));
    }
    return DSE_OK;
}

enum dse_status hdr_net_encode(struct hdr_net *net, struct dse_error *err)
{
    return dse_parallel_for((net->rows + BLOCK - 1) / BLOCK, net->jobs, encode_block, net, net->monitor, err);
}

enum dse_status hdr_net_memorise(struct hdr_net *net, struct dse_error *err)
{
    return dse_parallel_for(item_count(net), net->jobs, memorise_item, net, net->monitor, err);
}

/* ---- scores and their gradient ---- */

/* Some queries of a batch against all entities. */
struct scoring {
    struct hdr_net *net;
    const int32_t *batch;
    size_t count;      /* queries, at most HDR_QUERIES */
    size_t whole;      /* queries of the batch; the loss is their mean */
    size_t slab_rows;
    bool learn;
    float nearest[HDR_QUERIES], total[HDR_QUERIES]; /* the least distance; Σ e^logit relative to it */
};

enum part { LEAST, SUM, LOSS };

static double *partial(const struct scoring *s, enum part part, size_t slab)
{
    return s->net->partial + ((size_t)part * HDR_SLABS + slab) * HDR_QUERIES;
}

static size_t slab_begin(const struct scoring *s, size_t slab)
{
    size_t first = slab * s->slab_rows;
    return first < s->net->graph->entities ? first : s->net->graph->entities;
}

static double sum_of(const struct scoring *s, enum part part, size_t b)
{
    double sum = 0.0;
    for (size_t slab = 0; slab < HDR_SLABS; slab++)
        sum += partial(s, part, slab)[b];
    return sum;
}

/* Q_b = M_s + H_r; lanes without a query hold zeros. */
static void gather_queries(struct scoring *s)
{
    struct hdr_net *net = s->net;
    const size_t stride = net->stride;
    memset(net->query, 0, HDR_QUERIES * stride * sizeof *net->query);
    for (size_t b = 0; b < s->count; b++) {
        const struct hdr_pair *q = &net->graph->queries.query[s->batch[b]];
        const float *m = net->memory + (size_t)q->a * stride, *h = net->hyper + (net->graph->entities + (size_t)q->b) * stride;
        for (size_t k = 0; k < stride; k++)
            net->query[b * stride + k] = m[k] + h[k];
    }
    for (size_t k = 0; k < stride; k++)
        for (size_t b = 0; b < HDR_QUERIES; b++)
            net->query_turned[k * HDR_QUERIES + b] = net->query[b * stride + k];
}

static enum dse_status measure_slab(void *user, size_t slab, size_t thread, struct dse_error *err)
{
    struct scoring *s = user;
    struct hdr_net *net = s->net;
    size_t first = slab_begin(s, slab), count = slab_begin(s, slab + 1) - first;
    float *score = net->score + first * HDR_QUERIES;
    double *least = partial(s, LEAST, slab), *sum = partial(s, SUM, slab);
    (void)thread, (void)err;
    hdr_distances(net->vectors, net->memory + first * net->stride, count, net->stride, net->query_turned, HDR_QUERIES, net->setting->dim, score);
    for (size_t b = 0; b < HDR_QUERIES; b++)
        least[b] = HUGE_VAL, sum[b] = 0.0;
    for (size_t j = 0; j < count; j++)
        for (size_t b = 0; b < HDR_QUERIES; b++) {
            double n = (double)score[j * HDR_QUERIES + b];
            least[b] = n < least[b] ? n : least[b];
            sum[b] += n;
        }
    return DSE_OK;
}

/* Distances become e^logit relative to the nearest, and are summed. */
static enum dse_status exponent_slab(void *user, size_t slab, size_t thread, struct dse_error *err)
{
    struct scoring *s = user;
    size_t first = slab_begin(s, slab), count = slab_begin(s, slab + 1) - first;
    float *score = s->net->score + first * HDR_QUERIES, scale = (float)s->net->setting->scale;
    double *sum = partial(s, SUM, slab);
    (void)thread, (void)err;
    for (size_t j = 0; j < count; j++)
        for (size_t b = 0; b < HDR_QUERIES; b++)
            score[j * HDR_QUERIES + b] = scale * (s->nearest[b] - score[j * HDR_QUERIES + b]);
    hdr_exp(s->net->vectors, score, count * HDR_QUERIES);
    for (size_t b = 0; b < HDR_QUERIES; b++)
        sum[b] = 0.0;
    for (size_t j = 0; j < count; j++)
        for (size_t b = 0; b < HDR_QUERIES; b++)
            sum[b] += (double)score[j * HDR_QUERIES + b];
    return DSE_OK;
}

/* The answers of a query. */
static const int32_t *answers(const struct scoring *s, size_t b, size_t *count)
{
    const struct hdr_queries *q = &s->net->graph->queries;
    size_t number = (size_t)s->batch[b];
    *count = q->begin[number + 1] - q->begin[number];
    return q->answer + q->begin[number];
}

/* Cross-entropy with the targets (1 − s) y / Σy + s / V. The scores become e^logit. */
static enum dse_status softmax(struct scoring *s, double *loss, struct dse_error *err)
{
    const struct hdr_setting *set = s->net->setting;
    const double entities = (double)s->net->graph->entities;
    double wanted[HDR_QUERIES] = {0}; /* Σ t scale (n − nearest) */
    for (size_t b = 0; b < HDR_QUERIES; b++) {
        double least = HUGE_VAL;
        for (size_t slab = 0; slab < HDR_SLABS; slab++)
            least = fmin(least, partial(s, LEAST, slab)[b]);
        s->nearest[b] = (float)least;
        size_t count = 0;
        const int32_t *answer = b < s->count ? answers(s, b, &count) : NULL;
        for (size_t i = 0; i < count; i++)
            wanted[b] += ((double)s->net->score[(size_t)answer[i] * HDR_QUERIES + b] - least) / (double)count;
        wanted[b] = set->scale * ((1.0 - set->smoothing) * wanted[b] + set->smoothing * (sum_of(s, SUM, b) / entities - least));
    }
    DSE_TRY(dse_parallel_for(HDR_SLABS, s->net->jobs, exponent_slab, s, s->net->monitor, err));
    for (size_t b = 0; b < HDR_QUERIES; b++) {
        double sum = sum_of(s, SUM, b);
        s->total[b] = (float)sum;
        *loss += b < s->count ? wanted[b] + log(sum) : 0.0;
    }
    return DSE_OK;
}

/* dL/dn of the entities without an answer, from e^logit or the distance: −scale (p − t) / |B|. */
static void weigh_plain(struct scoring *s, size_t slab, size_t first, size_t count)
{
    const struct hdr_setting *set = s->net->setting;
    const float spread = (float)(set->smoothing / (double)s->net->graph->entities), step = (float)(-set->scale / (double)s->whole);
    double *loss = partial(s, LOSS, slab);
    for (size_t b = 0; b < HDR_QUERIES; b++)
        loss[b] = 0.0;
    for (size_t j = first; j < first + count; j++)
        for (size_t b = 0; b < HDR_QUERIES; b++) {
            float *at = &s->net->score[j * HDR_QUERIES + b], p;
            if (set->loss == HDR_SOFTMAX) {
                p = *at / s->total[b];
            } else {
                double logit = set->margin - set->scale * (double)*at, size = exp(-fabs(logit));
                p = (float)(logit >= 0.0 ? 1.0 / (1.0 + size) : size / (1.0 + size));
                loss[b] += log1p(size) + (logit > 0.0 ? logit : 0.0) - (double)spread * logit;
            }
            *at = b < s->count ? step * (p - spread) : 0.0f;
        }
}

/* The answers' share: their t is larger by (1 − s) / Σy, or by 1 − s. */
static void weigh_answers(struct scoring *s, size_t slab, size_t first, size_t count)
{
    const struct hdr_setting *set = s->net->setting;
    for (size_t b = 0; b < s->count; b++) {
        size_t of = 0, at_answer = 0;
        const int32_t *answer = answers(s, b, &of);
        double more = (1.0 - set->smoothing) / (set->loss == HDR_SOFTMAX ? (double)of : 1.0);
        while (at_answer < of && (size_t)answer[at_answer] < first)
            at_answer++;
        for (; at_answer < of && (size_t)answer[at_answer] < first + count; at_answer++) {
            const size_t entity = (size_t)answer[at_answer];
            float *at = &s->net->score[entity * HDR_QUERIES + b];
            if (set->loss == HDR_BCE) { /* −more · logit; the score no longer holds the distance, so it is computed again from M */
                const float *m = s->net->memory + entity * s->net->stride, *q = s->net->query + b * s->net->stride;
                double n = 0.0;
                for (size_t k = 0; k < set->dim; k++)
                    n += (double)fabsf(q[k] - m[k]);
                partial(s, LOSS, slab)[b] -= more * (set->margin - set->scale * n);
            }
            *at += (float)(set->scale * more / (double)s->whole);
        }
    }
}

static enum dse_status gradient_slab(void *user, size_t slab, size_t thread, struct dse_error *err)
{
    struct scoring *s = user;
    struct hdr_net *net = s->net;
    size_t first = slab_begin(s, slab), count = slab_begin(s, slab + 1) - first;
    float *gradient = net->query_gradient + slab * HDR_QUERIES * net->stride;
    (void)thread, (void)err;
    weigh_plain(s, slab, first, count);
    weigh_answers(s, slab, first, count);
    if (!s->learn)
        return DSE_OK;
    memset(gradient, 0, HDR_QUERIES * net->stride * sizeof *gradient);
    const struct hdr_signs signs = {.rows = net->memory + first * net->stride, .queries = net->query,
                                    .weight = net->score + first * HDR_QUERIES, .count = count, .lanes = HDR_QUERIES, .stride = net->stride,
                                    .row_gradient = net->memory_gradient + first * net->stride, .query_gradient = gradient};
    hdr_signs(net->vectors, &signs);
    return DSE_OK;
}

/* dL/dQ goes to the memory of the subject and to the relation. */
static void hand_back(struct scoring *s)
{
    struct hdr_net *net = s->net;
    for (size_t b = 0; b < s->count; b++) {
        const struct hdr_pair *q = &net->graph->queries.query[s->batch[b]];
        float *m = net->memory_gradient + (size_t)q->a * net->stride, *r = net->relation_gradient + (size_t)q->b * net->stride;
        for (size_t k = 0; k < net->stride; k++) {
            float sum = 0.0f;
            for (size_t slab = 0; slab < HDR_SLABS; slab++)
                sum += net->query_gradient[(slab * HDR_QUERIES + b) * net->stride + k];
            m[k] += sum;
            r[k] += sum;
        }
    }
}

static enum dse_status score_part(struct scoring *s, double *loss, struct dse_error *err)
{
    const struct hdr_net *net = s->net;
    s->slab_rows = hdr_padded((net->graph->entities + HDR_SLABS - 1) / HDR_SLABS, 4);
    gather_queries(s);
    DSE_TRY(dse_parallel_for(HDR_SLABS, net->jobs, measure_slab, s, net->monitor, err));
    if (net->setting->loss == HDR_SOFTMAX)
        DSE_TRY(softmax(s, loss, err));
    if (!s->learn && net->setting->loss == HDR_SOFTMAX)
        return DSE_OK;
    DSE_TRY(dse_parallel_for(HDR_SLABS, net->jobs, gradient_slab, s, net->monitor, err));
    for (size_t b = 0; b < s->count && net->setting->loss == HDR_BCE; b++)
        *loss += sum_of(s, LOSS, b);
    if (s->learn)
        hand_back(s);
    return DSE_OK;
}

/* ---- backward through memory and encoding ---- */

static void tanh_back(float *gradient, const float *h, size_t count)
{
    for (size_t k = 0; k < count; k++)
        gradient[k] *= 1.0f - h[k] * h[k];
}

/* dL/dH, from the memories that each row of H is bound into. */
static enum dse_status gradient_item(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct hdr_net *net = user;
    const struct hdr_graph *g = net->graph;
    const struct item at = item_of(net, index, thread);
    (void)err;
    const float *memory = near_rows(net, &at, 0, net->memory_gradient, g->entities), *hyper = near_rows(net, &at, 1, net->hyper, net->rows);
    for (size_t row = at.part; row < net->rows; row += net->parts) {
        const bool entity = row < g->entities;
        const struct hdr_edges *edges = entity ? &g->in : &g->by_relation;
        const size_t group = entity ? row : row - g->entities;
        float *out = net->hyper_gradient + row * net->stride + at.first;
        if (entity)
            memset(out, 0, net->slice * sizeof *out);
        else
            memcpy(out, net->relation_gradient + group * net->stride + at.first, net->slice * sizeof *out);
        hdr_bind(net->vectors, memory, hyper, edges->pair + edges->begin[group], hdr_degree(edges, group), net->slice, out);
        tanh_back(out, hyper + row * net->slice, net->slice);
    }
    return DSE_OK;
}

/* Equations 11 to 14: dL/dM of a row times the sum of the relations of its own edges. Relations get the gradient of the score alone. The
 * derivative of tanh is left out (section 4.4). */
static void paper_gradient(const struct hdr_net *net, size_t row, float *out)
{
    const struct hdr_graph *g = net->graph;
    const size_t stride = net->stride;
    if (row >= g->entities) {
        memcpy(out, net->relation_gradient + (row - g->entities) * stride, stride * sizeof *out);
        return;
    }
    memset(out, 0, stride * sizeof *out);
    for (size_t e = g->out.begin[row]; e < g->out.begin[row + 1]; e++)
        for (size_t k = 0; k < stride; k++)
            out[k] += net->hyper[(size_t)g->out.pair[e].b * stride + k];
    for (size_t k = 0; k < stride; k++)
        out[k] *= net->memory_gradient[row * stride + k];
}

void hdr_update_row(const struct hdr_setting *setting, size_t steps, float *e, float *mean, float *square, const float *gradient)
{
    const float rate = (float)setting->rate;
    if (setting->optimizer == HDR_SGD) {
        for (size_t i = 0; i < setting->embedding; i++)
            e[i] -= rate * gradient[i];
        return;
    }
    const float first = (float)(1.0 - pow(0.9, (double)steps)), second = (float)(1.0 - pow(0.999, (double)steps));
    for (size_t i = 0; i < setting->embedding; i++) {
        mean[i] = 0.9f * mean[i] + 0.1f * gradient[i];
        square[i] = 0.999f * square[i] + 0.001f * gradient[i] * gradient[i];
        e[i] -= rate * (mean[i] / first) / (sqrtf(square[i] / second) + 1e-8f);
    }
}

static void update_row(struct hdr_net *net, size_t row, const float *gradient)
{
    const bool adam = net->setting->optimizer == HDR_ADAM;
    float *mean = adam ? net->moment[0] + row * net->width : NULL, *square = adam ? net->moment[1] + row * net->width : NULL;
    hdr_update_row(net->setting, net->steps, net->embedding + row * net->width, mean, square, gradient);
}

static void compare(const struct hdr_net *net, size_t block, bool relation, const float *own, const float *other, size_t count)
{
    double *at = net->cosine[block] + (relation ? 3 : 0);
    for (size_t i = 0; i < count; i++) {
        at[0] += (double)own[i] * (double)other[i];
        at[1] += (double)own[i] * (double)own[i];
        at[2] += (double)other[i] * (double)other[i];
    }
}

/* Relations first, one per item, because some have far more edges than others; then blocks of entities. */
static enum dse_status update_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct hdr_net *net = user;
    const size_t entities = net->graph->entities, relations = net->graph->relations, stride = net->stride;
    bool relation = index < relations;
    size_t first = relation ? entities + index : (index - relations) * BLOCK;
    size_t count = relation ? 1 : entities - first < BLOCK ? entities - first : BLOCK;
    float *paper = net->scratch + thread * scratch_floats(net), *gradient = paper + BLOCK * stride, *other = gradient + BLOCK * net->width;
    const float *truth = net->hyper_gradient + first * stride;
    bool literal = net->setting->gradient == HDR_OF_PAPER;
    (void)err;
    for (size_t r = 0; literal && r < count; r++)
        paper_gradient(net, first + r, paper + r * stride);
    hdr_product(net->vectors, literal ? paper : truth, count, stride, net->base_turned, net->width, net->setting->dim, gradient);
    if (literal && net->steps == 1) {
        hdr_product(net->vectors, truth, count, stride, net->base_turned, net->width, net->setting->dim, other);
        compare(net, index, relation, gradient, other, count * net->width);
    }
    for (size_t r = 0; r < count; r++)
        update_row(net, first + r, gradient + r * net->width);
    return DSE_OK;
}

static enum dse_status divide_block(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct hdr_net *net = user;
    size_t end = (index + 1) * BLOCK < net->graph->entities ? (index + 1) * BLOCK : net->graph->entities;
    (void)thread, (void)err;
    for (size_t i = index * BLOCK; i < end; i++)
        scale_row(net->memory_gradient + i * net->stride, net->stride, divisor(net, i));
    return DSE_OK;
}

enum dse_status hdr_net_step(struct hdr_net *net, const int32_t *batch, size_t count, bool learn, double *loss, struct dse_error *err)
{
    const struct hdr_graph *g = net->graph;
    *loss = 0.0;
    DSE_TRY(hdr_net_encode(net, err));
    DSE_TRY(hdr_net_memorise(net, err));
    memset(net->memory_gradient, 0, g->entities * net->stride * sizeof(float));
    memset(net->relation_gradient, 0, g->relations * net->stride * sizeof(float));
    for (size_t at = 0; at < count; at += HDR_QUERIES) {
        struct scoring s = {.net = net, .batch = batch + at, .count = count - at < HDR_QUERIES ? count - at : HDR_QUERIES, .whole = count,
                            .learn = learn};
        DSE_TRY(score_part(&s, loss, err));
    }
    if (!learn)
        return DSE_OK;
    net->steps++;
    if (net->setting->memory == HDR_MEAN)
        DSE_TRY(dse_parallel_for(block_count(net), net->jobs, divide_block, net, net->monitor, err));
    if (net->setting->gradient == HDR_EXACT || net->steps == 1) /* the first step also computes it to compare the two gradients */
        DSE_TRY(dse_parallel_for(item_count(net), net->jobs, gradient_item, net, net->monitor, err));
    return dse_parallel_for(g->relations + block_count(net), net->jobs, update_block, net, net->monitor, err);
}

void hdr_net_cosines(const struct hdr_net *net, double *entities, double *relations)
{
    double sums[6] = {0};
    for (size_t block = 0; net->cosine != NULL && block < block_count(net) + net->graph->relations; block++)
        for (size_t i = 0; i < 6; i++)
            sums[i] += net->cosine[block][i];
    *entities = sums[1] > 0.0 && sums[2] > 0.0 ? sums[0] / sqrt(sums[1] * sums[2]) : 0.0;
    *relations = sums[4] > 0.0 && sums[5] > 0.0 ? sums[3] / sqrt(sums[4] * sums[5]) : 0.0;
}
