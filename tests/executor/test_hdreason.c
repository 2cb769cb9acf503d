/* HDReason's executor by hand: kernels against plain loops, one step against differences of the loss in double precision, the
 * cache's victims, the scheduler's lists, ranks with ties, and fixed point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/hdreason/executor/fixed.h"
#include "models/hdreason/executor/model.h"
#include "models/hdreason/executor/machine.h"
#include "models/hdreason/executor/net.h"
#include "models/hdreason/executor/step.h"
#include "tests/ok.h"
#include "tests/test.h"

/* ---- kernels ---- */

#define ROWS 37
#define LANES 32
#define STRIDE 128
#define ELEMENTS 101 /* elements of a row; behind them zeros */

static float rows[ROWS * STRIDE], queries[LANES * STRIDE], turned[STRIDE * LANES], weights[ROWS * LANES];

static void fill(void)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 0);
    for (size_t i = 0; i < ROWS * STRIDE; i++)
        rows[i] = i % STRIDE < ELEMENTS ? (float)dse_rng_normal(&rng) : 0.0f;
    for (size_t i = 0; i < LANES * STRIDE; i++)
        queries[i] = i % STRIDE < ELEMENTS ? (float)dse_rng_normal(&rng) : 0.0f;
    for (size_t k = 0; k < STRIDE; k++)
        for (size_t b = 0; b < LANES; b++)
            turned[k * LANES + b] = queries[b * STRIDE + k];
    for (size_t i = 0; i < ROWS * LANES; i++)
        weights[i] = (float)dse_rng_normal(&rng);
}

TEST(test_distances)
{
    static float out[ROWS * LANES];
    static int32_t whole_rows[ROWS * STRIDE], whole_turned[STRIDE * LANES], whole[ROWS * LANES], bytes[ROWS * LANES];
    static uint8_t byte_rows[ROWS * STRIDE], byte_turned[STRIDE * LANES];
    fill();
    for (size_t i = 0; i < ROWS * STRIDE; i++)
        byte_rows[i] = (uint8_t)(128 + (whole_rows[i] = (int32_t)(rows[i] * 40.0f) % 128));
    for (size_t k = 0; k < STRIDE; k++)
        for (size_t b = 0; b < LANES; b++)
            byte_turned[(k / 8 * LANES + b) * 8 + k % 8] =
                (uint8_t)(128 + (whole_turned[k * LANES + b] = (int32_t)(turned[k * LANES + b] * 40.0f) % 128));
    for (int v = HDR_PORTABLE; v <= (int)hdr_vectors_best(); v++) {
        hdr_distances(v, rows, ROWS, STRIDE, turned, LANES, ELEMENTS, out);
        hdr_distances_whole(v, whole_rows, ROWS, STRIDE, whole_turned, LANES, STRIDE, whole);
        hdr_distances_bytes(v, byte_rows, ROWS, STRIDE, byte_turned, LANES, bytes);
        for (size_t r = 0; r < ROWS; r++)
            for (size_t b = 0; b < LANES; b++) {
                float sum = 0.0f;
                int32_t exact = 0;
                for (size_t k = 0; k < ELEMENTS; k++) {
                    sum += fabsf(queries[b * STRIDE + k] - rows[r * STRIDE + k]);
                    exact += abs(whole_turned[k * LANES + b] - whole_rows[r * STRIDE + k]);
                }
                assert_true(out[r * LANES + b] == sum);
                assert_int_equal(whole[r * LANES + b], exact);
                assert_int_equal(bytes[r * LANES + b], exact);
            }
    }
}

TEST(test_signs_and_products)
{
    static float by_row[2][ROWS * STRIDE], by_query[2][LANES * STRIDE], product[ROWS * LANES];
    fill();
    for (size_t r = 0; r < ROWS; r++)
        for (size_t k = 0; k < STRIDE; k++)
            for (size_t b = 0; b < LANES; b++) {
                float g = queries[b * STRIDE + k] - rows[r * STRIDE + k] < 0.0f ? -weights[r * LANES + b] : weights[r * LANES + b];
                by_row[0][r * STRIDE + k] -= g;
                by_query[0][b * STRIDE + k] += g;
            }
    for (int v = HDR_PORTABLE; v <= (int)hdr_vectors_best(); v++) {
        memset(by_row[1], 0, sizeof by_row[1]);
        memset(by_query[1], 0, sizeof by_query[1]);
        const struct hdr_signs what = {rows, queries, weights, ROWS, LANES, STRIDE, by_row[1], by_query[1]};
        hdr_signs(v, &what);
        assert_memory_equal(by_row[0], by_row[1], sizeof by_row[0]);
        assert_memory_equal(by_query[0], by_query[1], sizeof by_query[0]);
        hdr_product(v, rows, ROWS, STRIDE, turned, LANES, ELEMENTS, product);
        for (size_t i = 0; i < ROWS * LANES; i++) {
            float sum = 0.0f;
            for (size_t k = 0; k < ELEMENTS; k++)
                sum += rows[i / LANES * STRIDE + k] * turned[k * LANES + i % LANES];
            assert_true(product[i] == sum);
        }
        const struct hdr_pair pairs[] = {{3, 1}, {0, 2}, {36, 31}};
        float bound[STRIDE] = {0};
        hdr_bind(v, rows, queries, pairs, 3, STRIDE, bound);
        for (size_t k = 0; k < STRIDE; k++)
            assert_true(bound[k] == (0.0f + rows[3 * STRIDE + k] * queries[STRIDE + k]) + rows[k] * queries[2 * STRIDE + k] +
                                        rows[36 * STRIDE + k] * queries[31 * STRIDE + k]);
        for (float x = -12.0f; x < 12.0f; x += 0.37f) {
            float t[HDR_REGISTER] = {x, x / 50.0f}, e[HDR_REGISTER] = {-fabsf(x), -8.0f * fabsf(x)};
            hdr_tanh(v, t, HDR_REGISTER);
            hdr_exp(v, e, HDR_REGISTER);
            assert_true(fabs((double)t[0] - tanh((double)x)) < 2e-7 && fabs((double)t[1] - tanh((double)(x / 50.0f))) < 6e-8);
            assert_true(fabs((double)e[0] / exp(-fabs((double)x)) - 1.0) < 4e-7);
            assert_true(8.0f * fabsf(x) > 87.0f ? e[1] == 0.0f : e[1] > 0.0f);
        }
    }
}

/* ---- one step ---- */

static const struct dse_triple drawn[] = {{0, 0, 1}, {1, 1, 2}, {2, 0, 0}, {0, 1, 3}, {3, 0, 3}, {0, 0, 1}, {4, 1, 0}, {1, 0, 4},
                                          {0, 0, 2}}; /* numbers of test.txt, where there is one */
#define ENTITIES 5
#define RELATIONS 2
#define WIDTH 6
#define DIM 20

static struct dse_triple_set tiny(void)
{
    struct dse_triple_set set = {.triple = (struct dse_triple *)(uintptr_t)drawn, .begin = {0, 8, 8, 8}};
    set.entity.count = ENTITIES;
    set.relation.count = RELATIONS;
    return set;
}

/* The loss of all queries in double precision, from the definition alone. */
static double loss_of(const struct hdr_graph *g, const struct hdr_setting *s, const double *base, const double *e)
{
    static double h[(ENTITIES + 2 * RELATIONS) * DIM], m[ENTITIES * DIM];
    memset(m, 0, sizeof m);
    for (size_t r = 0; r < g->entities + g->relations; r++)
        for (size_t k = 0; k < DIM; k++) {
            double sum = 0.0;
            for (size_t i = 0; i < WIDTH; i++)
                sum += e[r * WIDTH + i] * base[i * DIM + k];
            h[r * DIM + k] = tanh(sum);
        }
    for (size_t i = 0; i < g->entities; i++) {
        size_t begin = g->out.begin[i], end = g->out.begin[i + 1];
        for (size_t p = begin; p < end; p++)
            for (size_t k = 0; k < DIM; k++)
                m[i * DIM + k] += h[(size_t)g->out.pair[p].a * DIM + k] * h[(size_t)g->out.pair[p].b * DIM + k] /
                                  (s->memory == HDR_MEAN ? (double)(end - begin) : 1.0);
    }
    double all = 0.0;
    for (size_t q = 0; q < g->queries.count; q++) {
        double logit[ENTITIES], sum = 0.0;
        size_t count = g->queries.begin[q + 1] - g->queries.begin[q];
        for (size_t j = 0; j < ENTITIES; j++) {
            double n = 0.0;
            for (size_t k = 0; k < DIM; k++)
                n += fabs(m[(size_t)g->queries.query[q].a * DIM + k] + h[(ENTITIES + (size_t)g->queries.query[q].b) * DIM + k] - m[j * DIM + k]);
            logit[j] = s->margin - s->scale * n;
            sum += exp(logit[j]);
        }
        for (size_t j = 0; j < ENTITIES; j++) {
            double y = 0.0;
            for (size_t a = g->queries.begin[q]; a < g->queries.begin[q + 1]; a++)
                y += g->queries.answer[a] == (int32_t)j;
            double t = (1.0 - s->smoothing) * y / (s->loss == HDR_SOFTMAX ? (double)count : 1.0) + s->smoothing / ENTITIES;
            all += s->loss == HDR_SOFTMAX ? -t * (logit[j] - log(sum)) : log1p(exp(logit[j])) - t * logit[j];
        }
    }
    return all / (double)g->queries.count;
}

static void check_step(struct hdr_setting setting)
{
    struct dse_triple_set set = tiny();
    struct hdr_graph graph;
    struct hdr_net net;
    const struct dse_run run = {.jobs = 2};
    double base[WIDTH * DIM], e[(ENTITIES + 2 * RELATIONS) * WIDTH], loss = 0.0, largest = 0.0, wrong = 0.0;
    int32_t batch[64];
    hdr_graph_make(&set, setting.direction == HDR_DOUBLE, &graph);
    hdr_net_make(&graph, &setting, &run, true, &net);
    hdr_net_start(&net, 3);
    for (size_t i = 0; i < WIDTH * DIM; i++)
        base[i] = (double)net.base[i / DIM * net.stride + i % DIM];
    for (size_t i = 0; i < net.rows * WIDTH; i++)
        e[i] = (double)net.embedding[i / WIDTH * net.width + i % WIDTH];
    for (size_t q = 0; q < graph.queries.count; q++)
        batch[q] = (int32_t)q;
    OK(hdr_net_step(&net, batch, graph.queries.count, true, &loss, &why));
    assert_true(fabs(loss / (double)graph.queries.count - loss_of(&graph, &setting, base, e)) < 1e-4);
    for (size_t i = 0; i < net.rows * WIDTH; i++) {
        const double step = 1e-6, before = e[i];
        e[i] = before + step;
        double up = loss_of(&graph, &setting, base, e);
        e[i] = before - step;
        double slope = (up - loss_of(&graph, &setting, base, e)) / (2.0 * step);
        e[i] = before;
        double taken = (before - (double)net.embedding[i / WIDTH * net.width + i % WIDTH]) / setting.rate;
        largest = fmax(largest, fabs(slope));
        wrong = fmax(wrong, fabs(slope - taken));
    }
    assert_true(wrong < 0.005 * largest);
    hdr_net_free(&net);
    hdr_graph_free(&graph);
}

TEST(test_steps)
{
    struct hdr_setting s = {.dim = DIM, .embedding = WIDTH, .kept = DIM, .batch = 64, .rate = 0.01, .init = 0.4, .margin = 2.0, .scale = 0.2,
                            .smoothing = 0.1, .direction = HDR_DOUBLE, .memory = HDR_MEAN, .loss = HDR_SOFTMAX, .optimizer = HDR_SGD,
                            .gradient = HDR_EXACT};
    check_step(s);
    s.loss = HDR_BCE;
    check_step(s);
    s.direction = HDR_SINGLE;
    s.memory = HDR_SUM;
    check_step(s);
    s.loss = HDR_SOFTMAX;
    s.smoothing = 0.0;
    check_step(s);
}

/* ---- test triples are not used for training ---- */

/* 2, 3 and 4 have one triple each, lines 2, 4 and 6: if a survey of a set without valid.txt holds them out, they have no memory. */
TEST(test_survey)
{
    static const size_t only_line[] = {[2] = 2, [3] = 4, [4] = 6};
    struct dse_triple_set set = tiny();
    char text[] = "e0\0e1\0e2\0e3\0e4";
    size_t at[] = {0, 3, 6, 9, 12, 15}, held_out = 0;
    set.begin[DSE_TRIPLE_PARTS] = 9;
    set.entity = (struct dse_triple_names){text, at, ENTITIES};
    set.relation = (struct dse_triple_names){text, at, RELATIONS};
    char name[] = "tiny";
    const struct dse_dataset data = {.kind = &dse_kind_triples, .name = name, .content = &set};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const struct dse_run run = {.seed = seed, .jobs = 1, .validation = true};
        struct dse_setting words = {0};
        struct dse_model *base = NULL;
        struct dse_training result = {0};
        OK(dse_executor_preset(&hdreason_executor, "paper", &data, 0, &words, &why));
        OK(dse_knobs_put(&hdreason_knobs, "epochs", "0", &words, &why));
        OK(dse_knobs_put(&hdreason_knobs, "direction", "single", &words, &why));
        OK(dse_train(&hdreason_executor, &data, &words, &run, &base, &result, &why));
        const struct hdr_model *model = hdr_model_of(base);
        for (size_t i = 2; i < ENTITIES; i++) {
            bool judges = false, empty = true;
            for (size_t t = 0; t < base->split.n_test; t++)
                judges |= (size_t)base->split.test[t] == only_line[i];
            for (size_t k = 0; k < model->setting.dim; k++)
                empty &= ((const int16_t *)model->memory)[i * model->setting.dim + k] == 0;
            assert_int_equal(judges, empty);
            held_out += judges;
        }
        dse_model_free(base);
        dse_setting_free(&words);
    }
    assert_true(held_out > 0);
}

/* ---- cache and schedule ---- */

/* Requests in this order to a cache of two: + is a hit, by hand. With `lru` 2 pushes 1, 1 pushes 2, 2 pushes 0, and 1 is there;
 * with `lfu` 2 pushes 1 (once), 1 pushes 2 (once), 2 pushes 1 (twice), 1 pushes 2 (twice), and 0 (four times) stays. */
TEST(test_victims)
{
    static const int32_t asked[] = {0, 1, 0, 0, 2, 0, 1, 2, 1};
    static const char *const hits[] = {[HDR_LRU] = "--++-+--+", [HDR_LFU] = "--++-+---"};
    for (int policy = HDR_LRU; policy <= HDR_RANDOM; policy++) {
        struct hdr_cache cache;
        char found[16] = "";
        hdr_cache_make((enum hdr_policy)policy, 2, 3, 9, &cache);
        for (size_t i = 0; i < 9; i++)
            found[i] = hdr_cache_ask(&cache, asked[i]) ? '+' : '-';
        if (policy != HDR_RANDOM)
            assert_string_equal(found, hits[policy]);
        assert_int_equal(cache.hits + cache.misses, 9);
        assert_int_equal(cache.victims, cache.misses - 2);
        hdr_cache_free(&cache);
    }
}

static bool note(void *user, const struct hdr_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        dse_strbuf_printf(user, "%d", (int)list->vertex[i]);
    dse_strbuf_printf(user, "/%zu ", list->steps);
    return true;
}

/* Different neighbours: of the tiny graph's 0 … 4 are 2 (one line twice), 2, 1, 1, 1; a list of vertices with 1, 3 and 2 goes on until the
 * second has none left. Vertices that never fill a list are sent together, fewest neighbours first. */
TEST(test_lists)
{
    static const struct dse_triple uneven[] = {{0, 0, 1}, {1, 0, 2}, {1, 0, 3}, {1, 0, 0}, {2, 0, 0}, {2, 0, 1}};
    static const struct {
        const struct dse_triple *triple;
        size_t count, ips;
        enum hdr_schedule schedule;
        const char *lists;
    } cases[] = {{drawn, 8, 2, HDR_ARRIVAL, "01/2 23/1 4/1 "}, {drawn, 8, 2, HDR_DENSITY, "01/2 23/1 4/1 "},
                 {drawn, 8, 3, HDR_ARRIVAL, "012/2 34/1 "},    {drawn, 8, 3, HDR_DENSITY, "234/1 01/2 "},
                 {uneven, 6, 4, HDR_ARRIVAL, "012/3 "},        {uneven, 6, 4, HDR_DENSITY, "021/3 "},
                 {uneven, 6, 2, HDR_DENSITY, "02/2 1/3 "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_triple_set set = tiny();
        struct hdr_graph graph;
        struct dse_strbuf found = {0};
        set.triple = (struct dse_triple *)(uintptr_t)cases[i].triple;
        set.begin[DSE_VALID_PART] = set.begin[DSE_TEST_PART] = set.begin[DSE_TRIPLE_PARTS] = cases[i].count;
        hdr_graph_make(&set, false, &graph);
        hdr_schedule_walk(&graph, cases[i].schedule, cases[i].ips, note, &found);
        assert_string_equal(dse_strbuf_text(&found), cases[i].lists);
        dse_strbuf_free(&found);
        hdr_graph_free(&graph);
    }
}

/* ---- fixed point ---- */

TEST(test_fixed_point)
{
    assert_true(hdr_step(1.0f, HDR_FIX8) == 0x1p-6f && hdr_step(127.0f / 128.0f, HDR_FIX8) == 0x1p-7f);
    assert_true(hdr_step(7.0f, HDR_FIX4) == 1.0f && hdr_step(7.01f, HDR_FIX4) == 2.0f && hdr_step(0.0f, HDR_FIX16) == 1.0f);
    assert_int_equal(hdr_rounded(0.5f, 1.0f, HDR_FIX8), 0);
    assert_int_equal(hdr_rounded(1.5f, 1.0f, HDR_FIX8), 2);
    assert_int_equal(hdr_rounded(-2.5f, 1.0f, HDR_FIX8), -2);
    assert_int_equal(hdr_rounded(-900.0f, 1.0f, HDR_FIX8), -127);
    assert_int_equal(hdr_rounded(9.0f, 1.0f, HDR_FIX4), 7);
    /* a query's elements saturate there, too */
    int32_t row[] = {7, -7, 3, -3}, relation[] = {5, -5, 4, -5};
    const struct hdr_ranker ranker = {.precision = HDR_FIX4, .entities = 1, .dims = 4, .stride = 4, .row = row, .relation = relation};
    static const int32_t sums[] = {7, -7, 7, -7};
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(hdr_ranker_query(&ranker, 0, 0, k), sums[k]);
}

/* fix8 by hand: embeddings and H^B in steps of 2^-6, so that sums over 16 are addresses; 2 has the neighbours 1 and 0 by the relation. */
TEST(test_memory_of_whole_numbers)
{
    static const float base[] = {1.0f, 0.5f, -1.0f, 0.25f}, entity[] = {0.5f, 0.5f, 0.25f, -0.25f, 0.0f, 0.0f}, relation[] = {1.0f, 0.0f};
    static const int32_t hyper[3][2] = {{0, 46}, {59, 8}, {0, 0}}; /* 128 tanh of 0, 3/8; 1/2, 1/16 */
    static const int32_t wanted[] = {0, 0, 0, 0, 89, 50};          /* (59 · 97 + 0) / 2 and (8 · 59 + 46 · 59) / 2 over 2^14, in steps of 2^-9 */
    static const struct dse_triple triples[] = {{2, 0, 0}, {2, 0, 1}};
    struct dse_triple_set set = {.triple = (struct dse_triple *)(uintptr_t)triples, .begin = {0, 2, 2, 2}};
    struct hdr_setting s = {.dim = 2, .embedding = 2, .precision = HDR_FIX8, .memory = HDR_MEAN};
    const struct hdr_embeddings from = {base, entity, relation, 3, 1};
    struct hdr_fixed fixed;
    struct hdr_graph graph;
    int32_t own[2], memory[6], all[8];
    float step = 0.0f;
    set.entity.count = 3;
    set.relation.count = 1;
    hdr_graph_make(&set, false, &graph);
    hdr_fixed_make(&s, &from, &fixed);
    for (size_t i = 0; i < 3; i++) {
        hdr_fixed_encode(&fixed, entity + 2 * i, own);
        assert_memory_equal(own, hyper[i], sizeof own);
    }
    hdr_fixed_encode(&fixed, relation, own);
    assert_true(own[0] == 97 && own[1] == 59);
    hdr_fixed_memory(&fixed, &s, &graph, &from, 2, all, memory, &step);
    assert_true(step == 0x1p-9f && all[6] == 97);
    assert_memory_equal(memory, wanted, sizeof memory);
    assert_int_equal(hdr_fixed_relation(97, step, HDR_FIX8), 127);
    assert_int_equal(hdr_fixed_relation(-97, 1.0f, HDR_FIX8), -1);
    s.memory = HDR_SUM;
    step = 0.0f;
    hdr_fixed_memory(&fixed, &s, &graph, &from, 1, all, memory, &step);
    assert_true(step == 0x1p-8f && memory[4] == 89 && memory[5] == 50);
    hdr_fixed_free(&fixed);
    hdr_graph_free(&graph);
}

/* A hub whose sum over neighbours exceeds 32 bits: H is tanh(1023/256) everywhere, 32,746 steps of fix16, of whose square 32,724 stay. */
TEST(test_memory_of_a_hub)
{
    enum { LEAVES = 70000 };
    static const float base[] = {1.0f}, relation[] = {10.0f};
    static struct dse_triple triples[LEAVES];
    static float entity[LEAVES + 1];
    static int32_t memory[LEAVES + 1], hyper[LEAVES + 2];
    struct dse_triple_set set = {.triple = triples, .begin = {0, LEAVES, LEAVES, LEAVES}, .entity.count = LEAVES + 1, .relation.count = 1};
    const struct hdr_setting s = {.dim = 1, .embedding = 1, .precision = HDR_FIX16, .memory = HDR_SUM};
    const struct hdr_embeddings from = {base, entity, relation, LEAVES + 1, 1};
    struct hdr_fixed fixed;
    struct hdr_graph graph;
    float step = 0.0f;
    for (int32_t i = 0; i <= LEAVES; i++)
        entity[i] = 10.0f;
    for (int32_t i = 0; i < LEAVES; i++)
        triples[i] = (struct dse_triple){0, 0, i + 1};
    hdr_graph_make(&set, false, &graph);
    hdr_fixed_make(&s, &from, &fixed);
    hdr_fixed_memory(&fixed, &s, &graph, &from, 1, hyper, memory, &step);
    assert_true(step == 4.0f);
    assert_int_equal(memory[0], 17477); /* 70,000 · 32,724 / 2^17, rounded */
    hdr_fixed_free(&fixed);
    hdr_graph_free(&graph);
}

/* Compares the gradient of an integer step with that of a single-precision step: 1 − cosine for entities and relations, and the ratio of
 * the entities' lengths. Entities that are no object have no gradient. */
static void compare_step(const struct hdr_setting *s, double *entities, double *relations, double *length)
{
    enum { MOST = 16 };
    struct dse_triple_set set = tiny();
    struct hdr_graph graph;
    struct hdr_net net;
    struct hdr_step step;
    const struct dse_run run = {.jobs = 2};
    static const int32_t batch[] = {0, 1, 2, 3, 4, 5};
    static float base[MOST * STRIDE], row[2 * MOST * MOST], real[MOST], before[2 * MOST * MOST];
    double loss, dots[2][3] = {{0}};
    hdr_graph_make(&set, s->direction == HDR_DOUBLE, &graph);
    hdr_net_make(&graph, s, &run, true, &net);
    hdr_net_start(&net, 5);
    for (size_t i = 0; i < s->embedding; i++)
        memcpy(base + i * s->dim, net.base + i * net.stride, s->dim * sizeof *base);
    for (size_t r = 0; r < net.rows; r++)
        memcpy(row + r * s->embedding, net.embedding + r * net.width, s->embedding * sizeof *row);
    memcpy(before, row, sizeof row);
    OK(hdr_net_step(&net, batch, 6, true, &loss, &why));
    hdr_step_make(&graph, s, 8, 2, &step);
    hdr_step_forward(&step, &(struct hdr_embeddings){base, row, row + graph.entities * s->embedding, graph.entities, graph.relations});
    hdr_step_weigh(&step, batch, 6);
    hdr_step_signs(&step);
    hdr_step_merge(&step);
    hdr_step_backward(&step);
    hdr_step_embed(&step);
    assert_true(fabs(step.loss / loss - 1.0) < 0.05);
    for (size_t r = 0; r < net.rows; r++) {
        hdr_step_real(&step, r, real);
        for (size_t i = 0; i < s->embedding && (r >= graph.entities || hdr_degree(&graph.in, r) > 0); i++) {
            const double truth = ((double)before[r * s->embedding + i] - (double)net.embedding[r * net.width + i]) / s->rate, own = (double)real[i];
            double *at = dots[r >= graph.entities];
            at[0] += truth * own;
            at[1] += truth * truth;
            at[2] += own * own;
        }
    }
    *entities = 1.0 - dots[0][0] / sqrt(dots[0][1] * dots[0][2]);
    *relations = 1.0 - dots[1][0] / sqrt(dots[1][1] * dots[1][2]);
    *length = sqrt(dots[0][2] / dots[0][1]);
    hdr_step_free(&step);
    hdr_net_free(&net);
    hdr_graph_free(&graph);
}

TEST(test_steps_of_whole_numbers)
{
    for (int form = 0; form < 32; form++) {
        struct hdr_setting s = {.dim = 40, .embedding = 8, .kept = 40, .batch = 8, .rate = 1.0, .init = 0.3, .scale = 0.05, .smoothing = 0.1, .optimizer = HDR_SGD,
                                .direction = form % 2 ? HDR_SINGLE : HDR_DOUBLE, .memory = form / 2 % 2 ? HDR_SUM : HDR_MEAN, .loss = form / 4 % 2 ? HDR_BCE : HDR_SOFTMAX,
                                .gradient = form / 8 % 2 ? HDR_OF_PAPER : HDR_EXACT, .precision = form / 16 ? HDR_FIX8 : HDR_FIX16};
        const double most = s.precision == HDR_FIX16 ? 0.02 : 0.15; /* a few steps of 8 bits hold an element, since a bound decides on them */
        double entities, relations, length;
        compare_step(&s, &entities, &relations, &length);
        if (!(entities < most && relations < most && fabs(length - 1.0) < 2.0 * most + 0.06))
            fail_msg("form %d: 1 - cosine %.2g of the entities, %.2g of the relations; length %.3f", form, entities, relations, length);
    }
}

/* Adam steps on the tiny graph's queries, in integers or in single precision; returns the last loss. */
static double learn(const struct hdr_setting *s, bool whole)
{
    enum { STEPS = 60, WIDE = 8 };
    static float base[WIDE * STRIDE], row[16 * WIDE], mean[16 * WIDE], square[16 * WIDE];
    struct dse_triple_set set = tiny();
    struct hdr_graph graph;
    struct hdr_net net;
    struct hdr_step step;
    const struct dse_run run = {.jobs = 1};
    static const int32_t batch[] = {0, 1, 2, 3, 4, 5, 6, 7};
    double loss = 0.0;
    hdr_graph_make(&set, true, &graph);
    hdr_net_make(&graph, s, &run, true, &net);
    hdr_net_start(&net, 5);
    hdr_step_make(&graph, s, 8, 1, &step);
    for (size_t i = 0; i < s->embedding; i++)
        memcpy(base + i * s->dim, net.base + i * net.stride, s->dim * sizeof *base);
    for (size_t r = 0; r < net.rows; r++)
        memcpy(row + r * s->embedding, net.embedding + r * net.width, s->embedding * sizeof *row);
    memset(mean, 0, sizeof mean);
    memset(square, 0, sizeof square);
    for (size_t n = 1; n <= STEPS; n++) {
        float gradient[WIDE];
        if (!whole) {
            OK(hdr_net_step(&net, batch, 8, true, &loss, &why));
            continue;
        }
        step.memory_step = n % 10 == 1 ? 0.0f : step.memory_step; /* recomputed, since M grows */
        hdr_step_forward(&step, &(struct hdr_embeddings){base, row, row + graph.entities * s->embedding, graph.entities, graph.relations});
        hdr_step_weigh(&step, batch, 8);
        hdr_step_signs(&step);
        hdr_step_merge(&step);
        hdr_step_backward(&step);
        hdr_step_embed(&step);
        loss = step.loss;
        for (size_t r = 0; r < net.rows; r++) {
            hdr_step_real(&step, r, gradient);
            hdr_update_row(s, n, row + r * s->embedding, mean + r * s->embedding, square + r * s->embedding, gradient);
        }
    }
    hdr_step_free(&step);
    hdr_net_free(&net);
    hdr_graph_free(&graph);
    return loss;
}

TEST(test_learning_in_whole_numbers)
{
    struct hdr_setting s = {.dim = 64, .embedding = 8, .kept = 64, .batch = 8, .rate = 0.02, .init = 0.3, .scale = 0.2, .smoothing = 0.1, .optimizer = HDR_ADAM,
                            .direction = HDR_DOUBLE, .memory = HDR_MEAN, .precision = HDR_FIX16};
    static const double most[] = {[HDR_FIX16] = 1.05, [HDR_FIX8] = 1.2};
    for (s.loss = HDR_BCE; s.loss <= HDR_SOFTMAX; s.loss++)
        for (s.precision = HDR_FIX16; s.precision <= HDR_FIX8; s.precision++) {
            const double real = learn(&s, false), whole = learn(&s, true);
            if (!(whole < real * most[s.precision]))
                fail_msg("loss %d, precision %d: %.4f in whole numbers, %.4f in single precision", s.loss, s.precision, whole, real);
        }
}

/* Six entities of one dimension: memories 0, 3, 1, 1, 1, 9; the query 0 + 1 is at 1, 2, 0, 0, 0, 8. */
TEST(test_ranks_with_ties)
{
    static const struct dse_triple triples[] = {{0, 0, 4}, {0, 0, 2}, {0, 0, 1}, {0, 0, 5}};
    static int8_t memory[] = {0, 3, 1, 1, 1, 9};
    static float base[] = {100.0f}, relation[] = {1.0f}, entity[6] = {0}; /* tanh 100 = 1: 127/128 of fix8, one step of 1 */
    struct dse_triple_set set = {.triple = (struct dse_triple *)(uintptr_t)triples, .begin = {0, 1, 1, 4}};
    set.entity.count = 6;
    set.relation.count = 1;
    struct hdr_model model = {.entities = 6, .relations = 1, .relation_rows = 1, .base_rows = base, .entity = entity, .relation = relation, .memory = memory,
                              .memory_step = 1.0f};
    model.setting = (struct hdr_setting){.dim = 1, .embedding = 1, .kept = 1, .direction = HDR_SINGLE, .precision = HDR_FIX8};
    const size_t item[] = {1, 2, 3};
    const struct dse_run run = {.jobs = 3};
    double rank[3];
    OK(hdr_rank(&model, &set, item, 3, &run, rank, &why));
    assert_true(rank[0] == 1.5); /* 2: 4 is known, 3 is equally near */
    assert_true(rank[1] == 3.0); /* 1: behind 3 and 0; 2 and 4 are known */
    assert_true(rank[2] == 3.0); /* 5: behind 3 and 0 */
}

TESTS(NULL, NULL)
