/* How fast HDReason trains, ranks and reads on a data set, and the memory it takes, each beside a plain reference that its result must
 * equal and beside what this machine can do at all.
 *
 * usage: bench_reasoning DATA.zip [PASSES]
 * D = 256, d = 96, batch 128, both directions, single precision. Times are processor time of one thread, the least of the passes (3);
 * those of two threads are of both, and by the clock. The machine's limit is the work's additions and products at the rate that registers alone
 * reach here, and for a training step besides the edges' rows at the rate of reading memory in order. Exit 1 where a result differs, or
 * distances of bytes are less than four times as fast as those of single precision by the best instructions of this machine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "models/hdreason/executor/machine.h"
#include "models/hdreason/executor/net.h"
#include "tests/bench/must.h"
#include "tests/worked.h"

enum { DIM = 256, WIDTH = 96, BATCH = HDR_QUERIES, CHECKED = 64, PEAK_STEPS = 2 };

static const char *path;
static size_t bad;
static bool slow;

/* ---- what the machine can do ---- */

typedef float lanes __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) double add_in_registers(int sums)
{
    lanes sum[16], by = {1.5f};
    for (int k = 0; k < sums; k++)
        sum[k] = by * (float)k; /* equal sums would be made once */
    double begin = worked_s();
    for (int i = 0; i < 4000000; i++)
#pragma GCC unroll 16
        for (int k = 0; k < sums; k++)
            sum[k] += by;
    double took = worked_s() - begin;
    for (int k = 1; k < sums; k++)
        sum[0] += sum[k];
    return sum[0][0] > 0.0f ? 16.0 * sums * 4e6 / took : 0.0;
}

__attribute__((target("avx512f"))) static double add_wide(void)
{
    return add_in_registers(16);
}

/* Additions and products of single precision a second, in registers alone. */
static double operations_a_second(size_t passes)
{
    double best = 0.0;
    for (size_t pass = 0; pass < passes; pass++)
        best = fmax(best, hdr_vectors_best() == HDR_AVX512 ? add_wide() : add_in_registers(3)); /* of four registers each */
    return best;
}

static double bytes_a_second(void)
{
    const size_t count = (size_t)1 << 25;
    double *row = need(count, sizeof *row), sum[8] = {0}, best = 1e9;
    for (int pass = 0; pass < 3; pass++) {
        double begin = worked_s();
        for (size_t i = 0; i < count; i += 8)
            for (size_t k = 0; k < 8; k++)
                sum[k] += row[i + k];
        best = fmin(best, worked_s() - begin);
    }
    free(row);
    return sum[0] == 0.0 ? (double)count * sizeof *row / best : 0.0;
}

/* ---- a training step, plainly ---- */

struct plain {
    float *e, *h, *m, *gm, *gh, *n; /* rows of entities and relations; n: [entities × BATCH] */
};

static void add_bound(float *out, const float *a, const float *b)
{
    for (size_t k = 0; k < DIM; k++)
        out[k] += a[k] * b[k];
}

static void plain_forward(const struct hdr_net *net, struct plain *p)
{
    const struct hdr_graph *g = net->graph;
    for (size_t r = 0; r < net->rows; r++) {
        for (size_t i = 0; i < WIDTH; i++)
            for (size_t k = 0; k < DIM; k++)
                p->h[r * DIM + k] += p->e[r * WIDTH + i] * net->base[i * DIM + k];
        for (size_t k = 0; k < DIM; k++)
            p->h[r * DIM + k] = tanhf(p->h[r * DIM + k]);
    }
    for (size_t i = 0; i < g->entities; i++) {
        size_t begin = g->out.begin[i], end = g->out.begin[i + 1];
        for (size_t at = begin; at < end; at++)
            add_bound(p->m + i * DIM, p->h + (size_t)g->out.pair[at].a * DIM, p->h + (size_t)g->out.pair[at].b * DIM);
        for (size_t k = 0; k < DIM && end > begin; k++)
            p->m[i * DIM + k] /= (float)(end - begin);
    }
}

/* Distances to a query, and from them dL/dn. */
static void plain_scores(const struct hdr_net *net, struct plain *p, size_t query, const float *q, float *n)
{
    const struct hdr_graph *g = net->graph;
    const struct hdr_setting *s = net->setting;
    double least = HUGE_VAL, sum = 0.0;
    size_t first = g->queries.begin[query], last = g->queries.begin[query + 1];
    for (size_t j = 0; j < g->entities; j++) {
        float part[16] = {0};
        for (size_t k = 0; k < DIM; k += 16)
            for (size_t i = 0; i < 16; i++)
                part[i] += fabsf(q[k + i] - p->m[j * DIM + k + i]);
        n[j] = 0.0f;
        for (size_t i = 0; i < 16; i++)
            n[j] += part[i];
        least = fmin(least, (double)n[j]);
    }
    for (size_t j = 0; j < g->entities; j++)
        sum += (double)(n[j] = expf((float)(s->scale * (least - (double)n[j]))));
    for (size_t j = 0; j < g->entities; j++)
        n[j] = (float)(s->scale / BATCH * (s->smoothing / (double)g->entities - (double)n[j] / sum));
    for (size_t a = first; a < last; a++)
        n[g->queries.answer[a]] += (float)(s->scale / BATCH * (1.0 - s->smoothing) / (double)(last - first));
}

static void plain_query(const struct hdr_net *net, struct plain *p, size_t query)
{
    const struct hdr_graph *g = net->graph;
    const size_t subject = (size_t)g->queries.query[query].a, relation = g->entities + (size_t)g->queries.query[query].b;
    float q[DIM], gq[DIM] = {0};
    for (size_t k = 0; k < DIM; k++)
        q[k] = p->m[subject * DIM + k] + p->h[relation * DIM + k];
    plain_scores(net, p, query, q, p->n);
    for (size_t j = 0; j < g->entities; j++)
        for (size_t k = 0; k < DIM; k++) {
            float w = q[k] - p->m[j * DIM + k] < 0.0f ? -p->n[j] : p->n[j];
            p->gm[j * DIM + k] -= w;
            gq[k] += w;
        }
    for (size_t k = 0; k < DIM; k++) {
        p->gm[subject * DIM + k] += gq[k];
        p->gh[relation * DIM + k] += gq[k];
    }
}

/* Once: its sums begin with the zeros of their memory. */
static void plain_step(const struct hdr_net *net, struct plain *p, const int32_t *batch)
{
    const struct hdr_graph *g = net->graph;
    plain_forward(net, p);
    for (size_t b = 0; b < BATCH; b++)
        plain_query(net, p, (size_t)batch[b]);
    for (size_t i = 0; i < g->entities; i++) {
        size_t begin = g->out.begin[i], end = g->out.begin[i + 1];
        for (size_t k = 0; k < DIM && end > begin; k++)
            p->gm[i * DIM + k] /= (float)(end - begin);
        for (size_t at = begin; at < end; at++) {
            size_t j = (size_t)g->out.pair[at].a, r = (size_t)g->out.pair[at].b;
            add_bound(p->gh + j * DIM, p->gm + i * DIM, p->h + r * DIM);
            add_bound(p->gh + r * DIM, p->gm + i * DIM, p->h + j * DIM);
        }
    }
    for (size_t r = 0; r < net->rows; r++) {
        float gradient[WIDTH] = {0};
        for (size_t k = 0; k < DIM; k++) {
            float h = p->h[r * DIM + k], back = p->gh[r * DIM + k] * (1.0f - h * h);
            for (size_t i = 0; i < WIDTH; i++)
                gradient[i] += back * net->base_turned[k * WIDTH + i];
        }
        for (size_t i = 0; i < WIDTH; i++)
            p->e[r * WIDTH + i] -= (float)net->setting->rate * gradient[i];
    }
}

/* ---- measurements ---- */

static struct dse_dataset *open_data(void)
{
    struct dse_dataset *data = NULL;
    MUST(dse_dataset_open(path, NULL, &data, &why));
    if (dse_dataset_triples(data) == NULL)
        MUST(dse_fail(&why, DSE_BAD_USAGE, "%s is no set of triples", path));
    return data;
}

struct opened {
    struct dse_dataset *data;
    const struct dse_triple_set *set;
    struct hdr_graph graph;
    struct hdr_setting setting;
    struct hdr_net net; /* for two threads */
};

static void open_net(enum hdr_optimizer optimizer, struct opened *o)
{
    o->data = open_data();
    o->set = dse_dataset_triples(o->data);
    o->setting = (struct hdr_setting){.dim = DIM, .embedding = WIDTH, .kept = DIM, .batch = BATCH, .rate = optimizer == HDR_SGD ? 1.0 : 0.005,
                                      .init = 0.1, .scale = 0.05, .smoothing = 0.1, .direction = HDR_DOUBLE, .memory = HDR_MEAN,
                                      .loss = HDR_SOFTMAX, .optimizer = optimizer, .gradient = HDR_EXACT, .precision = HDR_FP32};
    hdr_graph_make(o->set, true, &o->graph);
    hdr_net_make(&o->graph, &o->setting, &(struct dse_run){.jobs = 2}, true, &o->net);
    hdr_net_start(&o->net, 1);
}

/* The model's arrays are the net's own, which need no padding. */
static struct hdr_model model_of(const struct hdr_net *net, const struct dse_triple_set *set)
{
    return (struct hdr_model){.setting = *net->setting, .entities = net->graph->entities, .relations = set->relation.count,
                              .relation_rows = net->graph->relations, .base_rows = net->base, .relation = net->embedding + net->graph->entities * WIDTH,
                              .memory = net->memory, .memory_step = 1.0f};
}

static void draw_batch(const struct hdr_graph *g, size_t step, int32_t batch[BATCH])
{
    for (size_t b = 0; b < BATCH; b++)
        batch[b] = (int32_t)((b * 7919 + step) % g->queries.count);
}

static void take_step(struct hdr_net *net, size_t step)
{
    int32_t batch[BATCH];
    double loss;
    draw_batch(net->graph, step, batch);
    MUST(hdr_net_step(net, batch, BATCH, true, &loss, &why));
}

/* The most memory of a process that opens the data, trains by Adam and ranks: steps and rankings take no more the longer they go on. */
static double peak_mb(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct opened o;
        size_t item[CHECKED];
        double rank[2 * CHECKED];
        open_net(HDR_ADAM, &o);
        for (size_t step = 0; step < PEAK_STEPS; step++)
            take_step(&o.net, step);
        struct hdr_model model = model_of(&o.net, o.set);
        for (size_t i = 0; i < CHECKED; i++)
            item[i] = i;
        MUST(hdr_rank(&model, o.set, item, CHECKED, &(struct dse_run){.jobs = 2}, rank, &why));
        _exit(0);
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0)
        bad++;
    return (double)used.ru_maxrss * 1024e-6;
}

/* Beside it a loop that finds the fields of train.txt, valid.txt and test.txt, and keeps and checks nothing. */
static void measure_reader(size_t passes)
{
    struct dse_bundle *pack = NULL;
    size_t bytes = 0, lines = 0, fields = 0;
    double best = 1e9, plain = 1e9;
    MUST(dse_bundle_open(path, &pack, &why));
    for (size_t pass = 0; pass < passes; pass++) {
        double begin = worked_s(), finding = 0.0;
        struct dse_dataset *data = open_data();
        best = fmin(best, worked_s() - begin);
        lines = dse_dataset_triples(data)->begin[DSE_TRIPLE_PARTS];
        dse_dataset_free(data);
        bytes = fields = 0;
        for (size_t i = 0; i < dse_bundle_count(pack); i++) {
            const char *entry = dse_bundle_entry(pack, i), *slash = strrchr(entry, '/'), *name = slash != NULL ? slash + 1 : entry;
            struct dse_text text;
            if (strcmp(name, "train.txt") != 0 && strcmp(name, "valid.txt") != 0 && strcmp(name, "test.txt") != 0)
                continue;
            MUST(dse_bundle_read(pack, entry, SIZE_MAX / 2, &text, &why));
            begin = worked_s();
            for (size_t c = 0; c < text.size; c++)
                fields += text.data[c] == '\t' || text.data[c] == '\n';
            finding += worked_s() - begin;
            bytes += text.size;
            dse_text_free(&text);
        }
        plain = fmin(plain, finding);
    }
    bad += fields / 3 != lines; /* three fields a line */
    printf("reading, unpacking, checking and numbering %.1f MB: %.0f ms, %.0f MB/s; a plain loop that finds its %zu fields alone: %.0f MB/s\n",
           1e-6 * (double)bytes, 1e3 * best, 1e-6 * (double)bytes / best, fields, 1e-6 * (double)bytes / plain);
    dse_bundle_close(pack);
}

static void measure_step(struct hdr_net *net, size_t passes, double rate, double memory)
{
    const struct hdr_graph *g = net->graph;
    struct plain p = {.e = need(net->rows * WIDTH, 4), .h = need(net->rows * DIM, 4), .m = need(g->entities * DIM, 4),
                      .gm = need(g->entities * DIM, 4), .gh = need(net->rows * DIM, 4), .n = need(g->entities, 4)};
    const size_t elements = net->rows * WIDTH;
    float *before = need(elements, 4);
    double one = 1e9, two = 1e9, both = 1e9, largest = 0.0, wrong = 0.0;
    int32_t batch[BATCH];
    memcpy(p.e, net->embedding, elements * sizeof *p.e);
    memcpy(before, p.e, elements * sizeof *p.e);
    draw_batch(g, 0, batch);
    double begin = worked_s();
    plain_step(net, &p, batch);
    const double plain = worked_s() - begin;
    for (size_t pass = 0; pass < 2 * passes; pass++) {
        net->jobs = pass < passes ? 1 : 2;
        double clock = dse_clock_s(), worked = worked_together_s();
        take_step(net, pass);
        worked = worked_together_s() - worked;
        two = net->jobs == 2 ? fmin(two, dse_clock_s() - clock) : two;
        *(net->jobs == 2 ? &both : &one) = fmin(net->jobs == 2 ? both : one, worked);
        for (size_t i = 0; pass == 0 && i < elements; i++) {
            largest = fmax(largest, fabs((double)(before[i] - p.e[i])));
            wrong = fmax(wrong, fabs((double)(net->embedding[i] - p.e[i])));
        }
    }
    const double pairs = (double)g->entities * BATCH * DIM, products = (double)net->rows * WIDTH * DIM, bound = (double)g->edges * DIM;
    const double limit = (7.0 * pairs + 4.0 * products + 6.0 * bound) / rate, rows = 3.0 * bound * sizeof(float) / memory;
    bad += !(wrong < 0.01 * largest);
    printf("a training step of %d queries, %zu entities, %zu edges: one thread %.0f ms, two %.0f ms together and %.0f ms by the clock; plain %.0f ms, "
           "farthest from its step %.4f %%\n    limit of one thread: operations %.0f ms, rows of the edges in order %.0f ms\n", BATCH, g->entities, g->edges,
           1e3 * one, 1e3 * both, 1e3 * two, 1e3 * plain, 100.0 * wrong / largest, 1e3 * limit, 1e3 * rows);
    free(before), free(p.e), free(p.h), free(p.m), free(p.gm), free(p.gh), free(p.n);
}

/* The rank of one answer by the definition alone. */
static double plain_rank(const struct hdr_net *net, const struct hdr_queries *known, struct hdr_question asked)
{
    const float *q = net->memory + (size_t)asked.query.a * DIM, *h = net->hyper + (net->graph->entities + (size_t)asked.query.b) * DIM;
    size_t number = hdr_queries_find(known, asked.query.a, asked.query.b), less = 0, equal = 0;
    float own = -1.0f;
    for (size_t j = 0; j <= net->graph->entities; j++) { /* its own distance first */
        const size_t of = j == 0 ? (size_t)asked.answer : j - 1;
        float n = 0.0f;
        bool other = true;
        for (size_t k = 0; k < DIM; k++)
            n += fabsf(q[k] + h[k] - net->memory[of * DIM + k]);
        for (size_t i = known->begin[number]; i < known->begin[number + 1] && other; i++)
            other = known->answer[i] != (int32_t)of;
        own = j == 0 ? n : own;
        less += j > 0 && other && n < own;
        equal += j > 0 && other && n == own;
    }
    return 1.0 + (double)less + (double)equal / 2.0;
}

static void measure_ranks(struct hdr_net *net, const struct dse_triple_set *set, double rate)
{
    const size_t first = set->begin[DSE_TEST_PART], count = set->begin[DSE_TRIPLE_PARTS] - first;
    size_t *item = need(count, sizeof *item), checked = count < CHECKED ? count : CHECKED;
    double *rank = need(2 * count, sizeof *rank);
    const struct dse_run run = {.jobs = 1};
    struct hdr_queries known;
    MUST(hdr_net_encode(net, &why));
    MUST(hdr_net_memorise(net, &why));
    hdr_queries_make(set, DSE_TRAIN_PART, DSE_TEST_PART, true, &known);
    struct hdr_model model = model_of(net, set);
    for (size_t i = 0; i < count; i++)
        item[i] = first + i;
    double begin = worked_s();
    MUST(hdr_rank(&model, set, item, count, &run, rank, &why));
    double between = worked_s();
    for (size_t i = 0; i < 2 * checked; i++)
        bad += plain_rank(net, &known, hdr_question_of(set, first + i / 2, i % 2)) != rank[i];
    double end = worked_s(), operations = 3.0 * 2.0 * (double)(count * net->graph->entities) * DIM;
    printf("ranking %zu queries: one thread %.2f s; plain, by %zu of them, %.0f s; limit of one thread %.2f s\n", 2 * count, between - begin,
           2 * checked, (end - between) * (double)count / (double)checked, operations / rate);
    hdr_queries_free(&known);
    free(item);
    free(rank);
}

/* Distances of a batch to every entity, in single precision and in bytes, by each set of instructions; a simulated score engine, which is
 * plain loops, must add the same. */
static void measure_distances(const struct hdr_net *net, const struct dse_triple_set *set, size_t passes)
{
    static const char *const names[] = {"portable", "AVX2", "AVX-512"};
    const size_t entities = net->graph->entities;
    const struct hdr_pair *query = net->graph->queries.query;
    int32_t *turned = need(BATCH * DIM, 4), *distance = need(BATCH * entities, 4), *plain = need(entities, 4);
    int8_t *bytes = need(entities * DIM, 1);
    struct hdr_model models[2] = {model_of(net, set), model_of(net, set)};
    double ratio = 0.0;
    models[1].setting.precision = HDR_FIX8;
    models[1].memory = bytes;
    models[1].memory_step = hdr_step(1.0f, HDR_FIX8); /* means of products of what is below 1 */
    for (size_t i = 0; i < entities * DIM; i++)
        bytes[i] = (int8_t)hdr_rounded(net->memory[i], models[1].memory_step, HDR_FIX8);
    for (int v = HDR_PORTABLE; v <= (int)hdr_vectors_best(); v++) {
        double took[2] = {1e9, 1e9};
        for (size_t m = 0; m < 2; m++) {
            struct hdr_ranker ranker;
            hdr_ranker_make(&models[m], &ranker);
            ranker.vectors = (enum hdr_vectors)v;
            hdr_ranker_turn(&ranker, query, BATCH, BATCH, turned);
            for (size_t pass = 0; pass < passes; pass++) {
                double begin = worked_s();
                hdr_ranker_distances(&ranker, 0, entities, turned, BATCH, distance);
                took[m] = fmin(took[m], worked_s() - begin);
            }
            for (size_t b = 0; b < BATCH; b += BATCH / 4) {
                hdr_machine_score(&ranker, query[b], plain);
                for (size_t j = 0; j < entities; j++)
                    bad += plain[j] != distance[j * BATCH + b];
            }
            hdr_ranker_free(&ranker);
        }
        ratio = took[0] / took[1];
        printf("%-8s distances of %d queries: fp32 %.1f ms, bytes %.1f ms, %.1f times\n", names[v], BATCH, 1e3 * took[0], 1e3 * took[1], ratio);
    }
    slow = ratio < 4.0;
    free(turned), free(distance), free(plain), free(bytes);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3)
        MUST(dse_fail(&why, DSE_BAD_USAGE, "usage: bench_reasoning DATA.zip [PASSES]"));
    path = argv[1];
    size_t passes = argc > 2 && atoi(argv[2]) > 0 ? (size_t)atoi(argv[2]) : 3;
    double peak = peak_mb(), rate = operations_a_second(passes), memory = bytes_a_second();
    printf("this machine: %.0f G operations/s in registers, %.1f GB/s of memory in order\n", 1e-9 * rate, 1e-9 * memory);
    measure_reader(passes);
    struct opened o;
    open_net(HDR_SGD, &o);
    measure_step(&o.net, passes, rate, memory);
    measure_ranks(&o.net, o.set, rate);
    measure_distances(&o.net, o.set, passes);
    printf("most memory of opening, training by Adam with two threads and ranking: %.0f MB\n", peak);
    hdr_net_free(&o.net);
    hdr_graph_free(&o.graph);
    dse_dataset_free(o.data);
    if (bad > 0)
        printf("%zu results are not the plain reference's\n", bad);
    return bad == 0 && !slow ? 0 : 1;
}
