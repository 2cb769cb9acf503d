/* Described accelerators in the searches:
 * - 60 random ones by the exact merge and integer programs, compared with estimates of every design. Some are pipelines, and some have more stages
 *   than a family in C may have.
 * - Networks of 100 layers, with and without converters between them.
 * - The folding of FINN's chain, compared with FINN's own greedy rule. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "devices/hosts.h"
#include "models/described/described.h"
#include "models/estimate.h"
#include "search/archive.h"
#include "search/heuristic.h"
#include "search/ilp.h"
#include "search/question.h"
#include "search/whatif.h"
#include "tests/test.h"

#define ACCELERATORS TRIALS_OF(60)
#define LAYERS 100

/* A family and a question about it. */
struct asked {
    const struct dse_model_family *family;
    struct dse_profile *profile;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_space *space;
    struct dse_alternative *alternatives;
    struct dse_question question;
    struct dse_setup setup;
};

static void ask(const struct dse_model_family *family, const char *objectives, const char *limits, struct asked *out)
{
    struct dse_expression where;
    struct dse_choice choice = {.quality_drop = INFINITY};
    struct dse_choice_count found;
    *out = (struct asked){.family = family};
    OK(family->own_profile(family, NULL, &out->profile, &why));
    OK(dse_board_open(family->board, &out->board, &why));
    OK(dse_costs_for_board(out->board, NULL, &out->costs, &why));
    OK(dse_model_space(family, NULL, &out->space, &why));
    struct dse_question *q = &out->question;
    *q = (struct dse_question){.family = family, .board = out->board, .costs = out->costs, .headroom = -1.0, .jobs = 2};
    dse_space_default(out->space, &q->base);
    OK(dse_question_objectives(q, objectives, &why));
    OK(dse_expression_parse(limits, &where, &why));
    OK(dse_question_constrain(q, out->space, &where, &choice, &why));
    q->free = dse_bits_without(dse_space_of_kind(out->space, DSE_KNOB_HARDWARE), dse_space_of_kind(out->space, DSE_KNOB_ALGORITHMIC));
    OK(dse_question_alternatives(q, out->profile, &choice, &out->alternatives, &q->alternative_count, &found, &why));
    q->alternatives = out->alternatives;
    assert_int_equal(q->alternative_count, 1);
    out->setup = (struct dse_setup){.family = family, .space = out->space, .board = out->board, .costs = out->costs,
                                    .workload = out->alternatives[0].workload, .headroom = -1.0};
}

static void forget(struct asked *asked)
{
    free(asked->alternatives);
    dse_space_free(asked->space);
    dse_costs_free(asked->costs);
    dse_board_free(asked->board);
    dse_profile_free(asked->profile);
}

/* ---- random accelerators ---- */

static const char *pick(struct dse_rng *rng, const char *const *words, size_t count)
{
    return words[dse_rng_below(rng, count)];
}

/* A formula of at least 1 over one or two of the knobs k0 … and the workload. */
static void write_amount(struct dse_rng *rng, size_t knobs, struct dse_strbuf *out)
{
    static const char *const forms[] = {"%d + k%d * k%d", "ceildiv(n, k%2$d) + %1$d * k%3$d", "%d * max(k%d, k%d)", "(k%2$d > k%3$d ? %1$d : k%2$d + k%3$d)",
                                        "sum(i in 1..k%2$d, i + %1$d) + k%3$d", "%d + ceil(log2(k%d * k%d + 1))", "1 + ((k%2$d + k%3$d) %% 3) * %1$d"};
    char text[160];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
    snprintf(text, sizeof text, pick(rng, forms, sizeof forms / sizeof *forms), 1 + (int)dse_rng_below(rng, 9), (int)dse_rng_below(rng, knobs),
             (int)dse_rng_below(rng, knobs));
#pragma GCC diagnostic pop
    dse_strbuf_add(out, text);
}

/* One third has two stages shared by blocks. One third has 14 separate stages in sequence. In the last third the stages form a pipeline, as in every other
   one of the first third. */
static bool is_pipeline(uint64_t number)
{
    return number % 3 == 2 || number % 6 == 3;
}

static void write_accelerator(struct dse_rng *rng, uint64_t number, struct dse_strbuf *out)
{
    size_t knobs = 3 + dse_rng_below(rng, 3), blocks = 2 + dse_rng_below(rng, 4), own = number % 3;
    dse_strbuf_printf(out, "accelerator: 1\nname: random%llu\nboard: zcu104\nsources: {t: a test}\nworkload:\n  n: {min: 1, max: 1000, default: %d}\nknobs:\n",
                      (unsigned long long)number, 20 + (int)dse_rng_below(rng, 200));
    for (size_t k = 0; k < knobs; k++)
        dse_strbuf_printf(out, "  k%zu: {oneof: [1, 2, %d, %d], default: 1}\n", k, 3 + (int)dse_rng_below(rng, 3), 6 + (int)dse_rng_below(rng, 10));
    dse_strbuf_printf(out, "  clock_mhz: {oneof: [100, 200], default: 100}\nstages: {compose: %s, names: [first%s", is_pipeline(number) ? "pipeline" : "serial",
                      own > 0 ? "" : ", second");
    for (size_t s = 0; s < 3 * blocks && own > 0; s++)
        dse_strbuf_printf(out, ", s%zu", s);
    dse_strbuf_add(out, "]}\nblocks:\n  all:\n    parts:\n      - cycles: {stage: first, busy: \"n");
    for (size_t k = 0; k < knobs; k++) /* every knob has an effect */
        dse_strbuf_printf(out, " + k%zu", k);
    dse_strbuf_add(out, "\"}\n");
    for (size_t b = 0; b < blocks; b++) {
        char stage[16];
        snprintf(stage, sizeof stage, own > 0 ? "s%zu" : b % 2 == 0 ? "first" : "second", 3 * b);
        dse_strbuf_printf(out, "  b%zu:\n    engine: e%zu\n    parts:\n", b, b % 3);
        for (size_t s = 1; s < 3 && own > 0; s++) {
            dse_strbuf_printf(out, "      - loop: {stage: s%zu, depth: 9, trips: \"n * (", 3 * b + s);
            write_amount(rng, knobs, out);
            dse_strbuf_printf(out, ")\"}\n      - traffic: {stage: s%zu, bytes: \"%d * (", 3 * b + s, (int)dse_rng_below(rng, 20000));
            write_amount(rng, knobs, out);
            dse_strbuf_add(out, ")\"}\n");
        }
        dse_strbuf_printf(out, "      - cycles: {stage: %s, busy: \"40 * (", stage);
        write_amount(rng, knobs, out);
        dse_strbuf_add(out, ")\", fill: 3}\n      - raw: {source: t, lut: \"100 * (");
        write_amount(rng, knobs, out);
        dse_strbuf_add(out, ")\", ff: 50}\n      - memory: {place: bram, bits: 16, words: \"200 * (");
        write_amount(rng, knobs, out);
        dse_strbuf_add(out, ")\"}\n      - operator: {op: mac, type: int16, times: \"");
        write_amount(rng, knobs, out);
        dse_strbuf_add(out, "\"}\n");
    }
    if (dse_rng_below(rng, 2) == 0)
        dse_strbuf_printf(out, "constraints:\n  - {require: \"k0 * k1 <= %d\", because: it is too large}\n", 4 + (int)dse_rng_below(rng, 40));
}

/* Estimates every design individually; with `either` only designs that meet `k0*k1<=20 || k2=1`. */
static size_t visit(const struct asked *a, bool either, struct dse_archive *archive)
{
    size_t knobs[DSE_KNOB_MAX], digits[DSE_KNOB_MAX] = {0}, count = 0, visited = 0;
    struct dse_point point = {.config = a->question.base};
    for (size_t k = 0; k < a->space->count; k++)
        if (dse_bits_has(a->question.free, k)) {
            knobs[count++] = k;
            point.config.value[k] = a->space->knobs[k].domain[0];
        }
    do {
        struct dse_estimate estimate;
        OK(dse_estimate_make(&a->setup, &point.config, &estimate, &why));
        memcpy(point.metrics, estimate.metrics, sizeof point.metrics);
        visited++;
        const int64_t *k = point.config.value;
        if (either && k[0] * k[1] > 20 && k[2] != 1)
            continue;
        if (!estimate.rejection.rejected && estimate.fits && dse_limits_hold(&a->question, point.metrics))
            dse_archive_insert(archive, &point);
    } while (dse_space_step(a->space, knobs, count, digits, &point.config));
    dse_archive_sort(archive);
    return visited;
}

/* Any of a pipeline's designs with equal objectives may be kept. */
static void compare(const struct dse_question *question, const char *text, const struct dse_archive *all, const struct dse_answer *answer)
{
    bool tied = question->family->pipelined;
    if (answer->front_count != all->count)
        fail_msg("%zu designs, one by one %zu:\n%s", answer->front_count, all->count, text);
    for (size_t i = 0; i < all->count; i++) {
        for (size_t o = 0; o < question->objective_count; o++)
            assert_true(answer->front[i].metrics[question->objectives[o]] == all->points[i].metrics[question->objectives[o]]);
        if (tied)
            continue;
        assert_memory_equal(&answer->front[i].config, &all->points[i].config, sizeof(struct dse_config));
        assert_memory_equal(answer->front[i].metrics, all->points[i].metrics, sizeof(double) * DSE_METRIC_QUALITY);
    }
}

static bool ends_soon(void *user)
{
    return --*(int *)user < 0;
}

/* Interrupts an integer program at various times. During branch and bound, the relaxation is a close bound on the optimum; returns how
 * often it was interrupted there. */
static size_t break_off(struct dse_question question, double best)
{
    size_t ended = 0;
    enum dse_status status = DSE_CANCELLED;
    for (int looks = 1; status == DSE_CANCELLED; looks += 1 + looks / 32) {
        int left = looks;
        const struct dse_monitor monitor = {.cancelled = ends_soon, .user = &left};
        const double sign = dse_metrics[question.objectives[0]].higher_is_better ? -1.0 : 1.0;
        struct dse_optimum optimum;
        question.monitor = &monitor;
        status = dse_search_ilp(&question, NULL, &optimum, NULL);
        assert_true(!(sign * optimum.bound > sign * best + 1e-7 * fabs(best)));
        if (status == DSE_CANCELLED && optimum.nodes > 1) {
            assert_true(fabs(optimum.bound / best - 1.0) < 0.2);
            ended++;
        }
    }
    return ended;
}

TEST(test_random_accelerators)
{
    size_t found = 0, linear = 0, designs = 0;
    for (uint64_t number = 0; number < ACCELERATORS; number++) {
        struct dse_rng rng;
        struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
        char limits[128], name[64];
        const struct dse_model_family *family = NULL;
        struct dse_error err = {0};
        dse_rng_seed(&rng, 38, number);
        write_accelerator(&rng, number, &text);
        snprintf(name, sizeof name, "random%llu.yaml", (unsigned long long)number);
        if (dse_described_read(name, dse_strbuf_text(&text), &family, &err) != DSE_OK)
            fail_msg("%s\n%s", err.message, dse_strbuf_text(&text));
        snprintf(limits, sizeof limits, "lut<=%d && %s", 3000 + (int)dse_rng_below(&rng, 40000), dse_rng_below(&rng, 2) == 0 ? "(k0*k1<=20 || k2=1)" : "bram18<=5%");
        for (int objectives = 1; objectives <= 2; objectives++) {
            struct asked a;
            struct dse_archive all;
            struct dse_answer answer;
            struct dse_optimum optimum;
            enum dse_metric metric = is_pipeline(number) ? DSE_METRIC_THROUGHPUT : DSE_METRIC_LATENCY;
            static const char *const both[] = {"energy,lut", "energy,lut,ddr_bytes", "throughput,lut,ddr_bytes", "energy,lut", "energy_per_item,latency,ddr_bytes", "energy,throughput,bram18", "power,throughput", "throughput_system,lut", "throughput_system,bram18,ddr_bytes"};
            bool reverse = objectives == 2 && number % 4 == 1; /* a limit from the wrong side */
            if (reverse)
                snprintf(limits + strlen(limits), sizeof limits - strlen(limits), " && energy>=%guJ", 1.0 + (double)dse_rng_below(&rng, 200));
            ask(family, objectives == 1 ? dse_metrics[metric].name : both[is_pipeline(number) ? 2 + number / 3 % 7 : number % 3], limits, &a);
            if (objectives == 2 && number % 5 > 0) /* a queue */
                OK(dse_host_choose(a.board, NULL, 3 * (int64_t)(number % 5), &why));
            dse_archive_init(&all, a.question.objectives, a.question.objective_count);
            designs += visit(&a, strstr(limits, "||") != NULL, &all);
            OK(dse_search_exact(&a.question, &answer, &why));
            compare(&a.question, dse_strbuf_text(&text), &all, &answer);
            found += answer.front_count > 0;
            if (objectives == 1 && dse_search_ilp(&a.question, NULL, &optimum, &err) == DSE_OK) {
                assert_int_equal(optimum.found, answer.front_count > 0);
                if (optimum.found)
                    assert_true(fabs(optimum.objective - answer.front[0].metrics[metric]) <= 1e-8 * optimum.objective);
                linear++;
            }
            dse_answer_free(&answer);
            dse_archive_free(&all);
            forget(&a);
        }
    }
    print_message("%d accelerators, %zu designs one by one, %zu fronts, %zu by integer programs\n", ACCELERATORS, designs, found, linear);
    assert_true(found > ACCELERATORS / 3 && linear == ACCELERATORS - ACCELERATORS / 6); /* all except pipelines with shared stages */
}

/* ---- a network of 100 layers ---- */

/* A pipeline of as many layers, each of its own knob, stage and engine: ceil(work / lanes) + 6 cycles and as many DSP slices as lanes. The
 * exact merge and the integer program find the largest throughput for a number of slices, which follows from the layers individually. */
TEST(test_layers)
{
    static const int64_t lanes[] = {1, 2, 3, 4, 6, 8};
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    const struct dse_model_family *family = NULL;
    int64_t work[LAYERS], least = INT64_MAX;
    dse_strbuf_add(&text, "accelerator: 1\nname: layers\nboard: u280\nsources: {t: a test}\nknobs:\n  clock_mhz: {oneof: [200], default: 200}\n");
    for (int l = 0; l < LAYERS; l++)
        dse_strbuf_printf(&text, "  k%d: {oneof: [1, 2, 3, 4, 6, 8], default: 1}\n", l);
    dse_strbuf_add(&text, "stages: {compose: pipeline, names: [l0");
    for (int l = 1; l < LAYERS; l++)
        dse_strbuf_printf(&text, ", l%d", l);
    dse_strbuf_add(&text, "]}\nblocks:\n");
    for (int l = 0; l < LAYERS; l++) {
        work[l] = 900 + 7919 * l % 1500;
        dse_strbuf_printf(&text, "  b%d: {parts: [{loop: {stage: l%d, trips: \"ceildiv(%d, k%d)\", depth: 7}}, {raw: {dsp: k%d, source: t}}]}\n", l, l, (int)work[l], l, l);
    }
    for (int64_t cycles = 1; cycles < 3000 && least == INT64_MAX; cycles++) { /* the fewest cycles that no stage exceeds with 300 slices */
        int64_t slices = 0;
        for (int l = 0; l < LAYERS; l++) {
            size_t i = 0;
            while (i < 6 && (work[l] + lanes[i] - 1) / lanes[i] + 6 > cycles)
                i++;
            slices += i < 6 ? lanes[i] : 1000;
        }
        least = slices <= 300 ? cycles : least;
    }
    OK(dse_described_read("layers.yaml", dse_strbuf_text(&text), &family, &why));
    struct asked a;
    struct dse_answer answer;
    struct dse_optimum optimum;
    ask(family, "throughput", "dsp<=300", &a);
    OK(dse_search_exact(&a.question, &answer, &why));
    OK(dse_search_ilp(&a.question, NULL, &optimum, &why));
    assert_true(answer.proven && answer.front_count == 1 && optimum.found && optimum.proven);
    assert_true(fabs(answer.front[0].metrics[DSE_METRIC_THROUGHPUT] * (double)least / 2e8 - 1.0) < 1e-9);
    assert_true(fabs(optimum.objective * (double)least / 2e8 - 1.0) < 1e-7);
    dse_answer_free(&answer);
    /* If the merge has no time, the heuristic answers; it comes near by ladders, which random steps on 100 knobs do not. */
    const struct dse_fallback fallback = {.effort = {.seed = 1, .evaluations = 20000, .seconds = INFINITY}};
    a.question.fallback = &fallback;
    assert_int_equal(dse_search_exact(&a.question, &answer, NULL), DSE_CANCELLED);
    assert_true(!answer.proven && answer.front_count == 1 && dse_limits_hold(&a.question, answer.front[0].metrics));
    print_message("throughput by the heuristic: %.3f of the optimum\n", answer.front[0].metrics[DSE_METRIC_THROUGHPUT] * (double)least / 2e8);
    assert_true(answer.front[0].metrics[DSE_METRIC_THROUGHPUT] * (double)least / 2e8 > 0.95);
    dse_answer_free(&answer);
    forget(&a);
    ask(family, "latency", "dsp<=300", &a);
    OK(dse_search_exact(&a.question, &answer, &why));
    OK(dse_search_ilp(&a.question, NULL, &optimum, &why));
    assert_true(answer.front_count == 1 && fabs(optimum.objective / answer.front[0].metrics[DSE_METRIC_LATENCY] - 1.0) < 1e-7);
    dse_answer_free(&answer);
    forget(&a);
}

/* The fewest slices with which a stage of test_deep_layers takes at most that many cycles; 1000: none. */
static int64_t slices_of(int64_t products, int64_t sums, int64_t cycles)
{
    int64_t least = 1000;
    for (int64_t a = 1; a <= 4; a *= 2)
        for (int64_t b = 1; b <= 4; b *= 2)
            for (int64_t c = 1; c <= 4; c *= 2) {
                int64_t p = (products + a * b - 1) / (a * b), s = (sums + c - 1) / c;
                if ((p > s ? p : s) + 6 + 2 + 5 <= cycles && a * b + c < least)
                    least = a * b + c;
            }
    return least;
}

/* Stages of four blocks over three knobs: 302 knobs and 400 blocks, more stages than a search can hold separately. */
TEST(test_deep_layers)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    const struct dse_model_family *family = NULL;
    int64_t products[LAYERS], sums[LAYERS], least = INT64_MAX;
    dse_strbuf_add(&text, "accelerator: 1\nname: deep\nboard: u280\nsources: {t: a test}\nknobs:\n  clock_mhz: {oneof: [200], default: 200}\n");
    for (int l = 0; l < LAYERS; l++)
        dse_strbuf_printf(&text, "  a%d: {oneof: [1, 2, 4]}\n  b%d: {oneof: [1, 2, 4]}\n  c%d: {oneof: [1, 2, 4]}\n", l, l, l);
    dse_strbuf_add(&text, "stages: {compose: pipeline, names: [l0");
    for (int l = 1; l < LAYERS; l++)
        dse_strbuf_printf(&text, ", l%d", l);
    dse_strbuf_add(&text, "]}\nblocks:\n");
    for (int l = 0; l < LAYERS; l++) {
        products[l] = 900 + 7919 * l % 1500;
        sums[l] = 300 + 6007 * l % 700;
        dse_strbuf_printf(&text, "  products%d: {parts: [{loop: {stage: l%d, trips: \"ceildiv(%d, a%d * b%d)\", depth: 7}}, {raw: {dsp: a%d * b%d, source: t}}]}\n", l, l,
                          (int)products[l], l, l, l, l);
        dse_strbuf_printf(&text, "  sums%d: {parts: [{loop: {stage: l%d, trips: \"ceildiv(%d, c%d)\", depth: 3}}, {raw: {dsp: c%d, source: t}}]}\n", l, l, (int)sums[l], l, l);
        dse_strbuf_printf(&text, "  wait%d: {parts: [{cycles: {stage: l%d, fill: 5}}]}\n  bytes%d: {parts: [{traffic: {stage: l%d, bytes: 64}}]}\n", l, l, l, l);
    }
    for (int64_t cycles = 1; cycles < 3000 && least == INT64_MAX; cycles++) {
        int64_t slices = 0;
        for (int l = 0; l < LAYERS; l++)
            slices += slices_of(products[l], sums[l], cycles);
        least = slices <= 500 ? cycles : least;
    }
    OK(dse_described_read("deep.yaml", dse_strbuf_text(&text), &family, &why));
    assert_int_equal(family->knobs->count, 3 * LAYERS + 2);
    assert_string_equal(family->blocks[0].name, "products0, sums0, wait0, bytes0");
    struct asked a;
    struct dse_answer answer;
    struct dse_optimum optimum;
    ask(family, "throughput", "dsp<=500", &a);
    OK(dse_search_exact(&a.question, &answer, &why));
    OK(dse_search_ilp(&a.question, NULL, &optimum, &why));
    assert_true(answer.proven && answer.front_count == 1 && optimum.found && optimum.proven);
    assert_true(fabs(answer.front[0].metrics[DSE_METRIC_THROUGHPUT] * (double)least / 2e8 - 1.0) < 1e-9);
    assert_true(fabs(optimum.objective * (double)least / 2e8 - 1.0) < 1e-7);
    dse_answer_free(&answer);
    forget(&a);
}

/* ---- a chain of layers ---- */

#define CHAIN_LUTS 260   /* at most */
#define CHAIN_CHOICES 34 /* at most */

struct chain {
    int layers, choices; /* a layer has 1 … choices lanes */
    int64_t luts, work[LAYERS], step[LAYERS]; /* cap; cycles of a layer with one lane; LUTs per lane of difference to the next layer */
};

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The fewest cycles of all layers together (least_sum), or of the longest one, within the cap: dynamic programming over layers, by number
 * of lanes and LUTs. */
static int64_t chain_least(const struct chain *chain, bool least_sum)
{
    static int64_t best[2][CHAIN_CHOICES + 1][CHAIN_LUTS + 1];
    int64_t least = INT64_MAX;
    for (int l = 0; l < chain->layers; l++)
        for (int lanes = 1; lanes <= chain->choices; lanes++)
            for (int64_t luts = 0; luts <= chain->luts; luts++) {
                int64_t *cell = &best[l % 2][lanes][luts], own = (chain->work[l] + lanes - 1) / lanes;
                *cell = l == 0 && luts >= lanes ? own : INT64_MAX;
                for (int before = 1; l > 0 && before <= chain->choices; before++) {
                    int64_t rest = luts - lanes - chain->step[l - 1] * abs(before - lanes), so_far = rest >= 0 ? best[(l + 1) % 2][before][rest] : INT64_MAX;
                    if (so_far < INT64_MAX)
                        *cell = sooner(*cell, least_sum ? so_far + own : so_far > own ? so_far : own);
                }
            }
    for (int lanes = 1; lanes <= chain->choices; lanes++)
        least = sooner(least, best[(chain->layers - 1) % 2][lanes][chain->luts]);
    return least;
}

static void write_chain(const struct chain *chain, const char *name, bool pipeline, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "accelerator: 1\nname: %s\nboard: u280\nsources: {t: a test}\nknobs:\n  clock_mhz: {oneof: [200], default: 200}\n", name);
    for (int l = 0; l < chain->layers; l++)
        dse_strbuf_printf(out, "  k%d: {range: 1..%d, default: 1}\n", l, chain->choices);
    dse_strbuf_printf(out, "stages: {compose: %s, names: [l0", pipeline ? "pipeline" : "serial");
    for (int l = 1; l < chain->layers; l++)
        dse_strbuf_printf(out, ", l%d", l);
    dse_strbuf_add(out, "]}\nblocks:\n");
    for (int l = 0; l < chain->layers; l++)
        dse_strbuf_printf(out, "  b%d: {parts: [{cycles: {stage: l%d, busy: \"ceildiv(%d, k%d)\"}}, {raw: {lut: k%d, source: t}}]}\n", l, l, (int)chain->work[l], l, l);
    for (int l = 0; l + 1 < chain->layers; l++)
        dse_strbuf_printf(out, "  c%d: {parts: [{raw: {lut: \"%d * abs(k%d - k%d)\", source: t}}]}\n", l, (int)chain->step[l], l, l + 1);
}

/* The front of throughput and LUTs of a pipeline: every point equals the result of dynamic programming for that number of LUTs, and it needs few
 * partial designs. */
static void check_chain_front(struct chain chain, const struct dse_model_family *family, const char *limit)
{
    struct asked a;
    struct dse_answer answer;
    size_t steps = 0;
    ask(family, "throughput,lut", limit, &a);
    OK(dse_search_exact(&a.question, &answer, &why));
    const int64_t most = chain.luts;
    int64_t before = INT64_MAX;
    for (chain.luts = 0; chain.luts <= most; chain.luts++) {
        int64_t cycles = chain_least(&chain, false);
        steps += cycles < before;
        before = cycles;
    }
    assert_int_equal(answer.front_count, steps);
    for (size_t i = 0; i < answer.front_count; i++) {
        chain.luts = (int64_t)answer.front[i].metrics[DSE_METRIC_LUT];
        assert_true(fabs(answer.front[i].metrics[DSE_METRIC_THROUGHPUT] * (double)chain_least(&chain, false) / 2e8 - 1.0) < 1e-9);
    }
    assert_true(answer.evaluated < 2000000);
    dse_answer_free(&answer);
    forget(&a);
}

/* Layers with converters, blocks that read the lanes of both neighbours: no knob can be fixed without fixing many others. The exact merge
 * and, for short chains (GLPK takes minutes for long ones), the integer program find the optimum of dynamic programming over the chain. */
TEST(test_chains)
{
    size_t broken_off = 0;
    for (uint64_t number = 0; number < 12; number++) {
        bool pipeline = number % 2 == 1, whole = number >= 6;
        struct chain chain = {.layers = number >= 9 ? LAYERS : whole ? 40 : 7, .choices = whole ? 4 : CHAIN_CHOICES, .luts = whole ? CHAIN_LUTS : 70};
        enum dse_metric metric = pipeline ? DSE_METRIC_THROUGHPUT : DSE_METRIC_LATENCY;
        struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
        const struct dse_model_family *family = NULL;
        struct dse_rng rng;
        struct asked a;
        struct dse_answer answer;
        struct dse_optimum optimum;
        char name[32], limit[32];
        dse_rng_seed(&rng, 100, number);
        for (int l = 0; l < chain.layers; l++) {
            chain.work[l] = 500 + (int64_t)dse_rng_below(&rng, 30000);
            chain.step[l] = 1 + (int64_t)dse_rng_below(&rng, 3);
        }
        snprintf(name, sizeof name, "chain%d", (int)number);
        snprintf(limit, sizeof limit, "lut<=%d", (int)chain.luts);
        write_chain(&chain, name, pipeline, &text);
        OK(dse_described_read(name, dse_strbuf_text(&text), &family, &why));
        double least_s = (double)chain_least(&chain, !pipeline) / 2e8, wanted = pipeline ? 1.0 / least_s : least_s;
        ask(family, dse_metrics[metric].name, limit, &a);
        OK(dse_search_exact(&a.question, &answer, &why));
        assert_true(answer.proven && answer.front_count == 1);
        assert_true(fabs(answer.front[0].metrics[metric] / wanted - 1.0) < 1e-9);
        dse_answer_free(&answer);
        if (!whole) {
            OK(dse_search_ilp(&a.question, NULL, &optimum, &why));
            assert_true(optimum.proven && fabs(optimum.objective / wanted - 1.0) < 1e-7);
            broken_off += break_off(a.question, wanted);
        }
        forget(&a);
        if (pipeline && whole)
            check_chain_front(chain, family, limit);
    }
    print_message("%zu integer programs interrupted in branch and bound\n", broken_off);
    assert_true(broken_off > 10);
}

/* The fewest layers with more than 1 lane such that no layer exceeds the cycles, within the cap; INT64_MAX: none. */
static int64_t fewest_changes(const struct chain *chain, int64_t cycles)
{
    static int64_t best[2][CHAIN_CHOICES + 1][CHAIN_LUTS + 1];
    int64_t least = INT64_MAX;
    for (int l = 0; l < chain->layers; l++)
        for (int lanes = 1; lanes <= chain->choices; lanes++)
            for (int64_t luts = 0; luts <= chain->luts; luts++) {
                int64_t *cell = &best[l % 2][lanes][luts];
                bool holds = (chain->work[l] + lanes - 1) / lanes <= cycles;
                *cell = l == 0 && luts >= lanes && holds ? lanes > 1 : INT64_MAX;
                for (int before = 1; l > 0 && before <= chain->choices && holds; before++) {
                    int64_t rest = luts - lanes - chain->step[l - 1] * abs(before - lanes), so_far = rest >= 0 ? best[(l + 1) % 2][before][rest] : INT64_MAX;
                    if (so_far < INT64_MAX)
                        *cell = sooner(*cell, so_far + (lanes > 1));
                }
            }
    for (int lanes = 1; lanes <= chain->choices; lanes++)
        least = sooner(least, best[(chain->layers - 1) % 2][lanes][chain->luts]);
    return least;
}

/* The fewest changes of a pipeline with converters that reach a throughput within a cap of LUTs: both limits compete. */
TEST(test_chain_changes)
{
    static const struct chain sizes[] = {{.layers = 11, .choices = 4, .luts = 32}, {.layers = 7, .choices = CHAIN_CHOICES, .luts = 70},
                                         {.layers = LAYERS, .choices = 4, .luts = 150}};
    size_t reached = 0, most = 0;
    for (size_t number = 0; number < TRIALS_OF(9); number++) {
        struct chain chain = sizes[number % 3];
        struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
        const struct dse_model_family *family = NULL;
        struct dse_rng rng;
        char limits[64];
        dse_rng_seed(&rng, 101, number);
        for (int l = 0; l < chain.layers; l++) {
            chain.work[l] = 500 + (int64_t)dse_rng_below(&rng, 30000);
            chain.step[l] = 1 + (int64_t)dse_rng_below(&rng, 3);
        }
        snprintf(limits, sizeof limits, "changes%zu", number);
        write_chain(&chain, limits, true, &text);
        OK(dse_described_read(limits, dse_strbuf_text(&text), &family, &why));
        for (int64_t cycles = 30000; cycles > 2000; cycles -= 3000) {
            struct asked a;
            struct dse_least_change least;
            int64_t fewest = fewest_changes(&chain, cycles);
            snprintf(limits, sizeof limits, "throughput>=%.17g && lut<=%d", 2e8 / (double)cycles, (int)chain.luts);
            ask(family, "throughput", limits, &a);
            OK(dse_whatif_least(&a.question, &least, &why));
            assert_int_equal(least.found, fewest < INT64_MAX);
            if (least.found) {
                struct dse_estimate estimate;
                OK(dse_estimate_built(&a.setup, &least.config, &estimate, &why));
                assert_int_equal(least.changes, fewest);
                assert_int_equal(dse_bits_count(dse_whatif_changes(a.space, &a.question.base, &least.config)), fewest);
                assert_true(dse_limits_hold(&a.question, estimate.metrics));
                most = least.changes > most ? least.changes : most;
                reached++;
            }
            forget(&a);
        }
    }
    print_message("%zu targets reached, with up to %zu changes\n", reached, most);
    assert_true(reached > TRIALS_OF(20) && most > TRIALS_OF(10));
}

/* ---- FINN's chain ---- */

static const int rows_of[] = {64, 64, 64, 10}, columns_of[] = {784, 64, 64, 64};

/* FINN's own rule (transformation/fpgadataflow/set_folding.py): SIMD of a layer is raised until the layer needs fewer cycles than the
 * target or a row's weights are wider than `widest` bits (36 by default). Then PE is raised until the target is met or PE is at its maximum. */
static void fold_greedily(const struct asked *a, double target, double widest, struct dse_config *config)
{
    *config = a->question.base;
    for (int layer = 0; layer < 4; layer++) {
        char names[2][16];
        int index[2];
        snprintf(names[0], sizeof names[0], "simd%d", layer + 1);
        snprintf(names[1], sizeof names[1], "pe%d", layer + 1);
        for (int i = 0; i < 2; i++) {
            index[i] = dse_space_find(a->space, names[i]);
            const struct dse_knob *knob = &a->space->knobs[index[i]];
            for (size_t v = 0; v < knob->domain_count; v++) {
                if (i == 0 && v > 0 && 2.0 * (double)knob->domain[v] > widest)
                    break;
                config->value[index[i]] = knob->domain[v];
                double simd = (double)config->value[index[0]], pe = i == 0 ? 1.0 : (double)config->value[index[1]];
                if (rows_of[layer] / pe * (columns_of[layer] / simd) < target)
                    break;
            }
        }
    }
}

static int64_t knob_of(const struct asked *a, const struct dse_config *config, const char *name, int layer)
{
    char text[16];
    snprintf(text, sizeof text, "%s%d", name, layer + 1);
    return config->value[dse_space_find(a->space, text)];
}

/* LUTs by an independent implementation of FINN's estimates (MVAU_hls.lut_estimation, StreamingDataWidthConverter.lut_estimation): 2 bits, signed. */
static int64_t finn_luts(const struct asked *a, const struct dse_config *config)
{
    int64_t luts = 0;
    for (int l = 0; l < 4; l++) {
        int64_t pe = knob_of(a, config, "pe", l), simd = knob_of(a, config, "simd", l), memory = rows_of[l] * columns_of[l] / (pe * simd);
        double alpha = log2(columns_of[l]) + 2.0, sum = ceil(alpha + log2(1.0 + exp2(-alpha)) + 1.0);
        double thresholds = l < 3 ? 3.0 * sum * (ceil((double)rows_of[l] / (double)pe / 64.0) + 1.0) : 0.0;
        double weights = knob_of(a, config, "ram", l) == 1 ? (double)(pe * simd * 2 * ((memory + 63) / 64)) : 0.0;
        luts += (int64_t)(300.0 + 1.1 * ((double)pe * (4.0 * (double)simd + 4.0 * (2.0 * (double)simd - 1.0) + sum + thresholds)) + weights);
        int64_t in = 2 * pe, out = l < 3 ? 2 * knob_of(a, config, "simd", l + 1) : in;
        luts += in < out ? (int64_t)log2((double)out / (double)in) + out : in > out ? (int64_t)log2((double)in / (double)out) + out : 0;
    }
    return luts;
}

TEST(test_finn_costs_what_finn_says)
{
    const struct dse_model_family *family = NULL;
    struct asked a;
    struct dse_rng rng;
    OK(dse_model_open("examples/accelerators/finn.yaml", &family, &why));
    ask(family, "latency", "lut<=1000000", &a);
    dse_rng_seed(&rng, 7, 0);
    for (int d = 0; d < 500; d++) {
        struct dse_config config;
        struct dse_estimate estimate;
        dse_space_draw(a.space, dse_bits_all(), &rng, &config);
        OK(dse_estimate_make(&a.setup, &config, &estimate, &why));
        assert_int_equal(estimate.sums.resources[DSE_LUT], finn_luts(&a, &config));
    }
    forget(&a);
}

/* The folding with the least latency under a limit on LUTs is proven. No number of cycles makes the greedy rule better. */
TEST(test_folding)
{
    static const int limits[] = {3000, 5000, 8000, 12000, 20000, 40000};
    const struct dse_model_family *family = NULL;
    size_t better = 0;
    OK(dse_model_open("examples/accelerators/finn.yaml", &family, &why));
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        char where[64];
        struct asked a;
        struct dse_answer answer;
        double greedy = INFINITY;
        snprintf(where, sizeof where, "lut<=%d", limits[i]);
        ask(family, "latency", where, &a);
        OK(dse_search_exact(&a.question, &answer, &why));
        for (double cycles = 2.0; cycles <= 100352.0; cycles = cycles < 0.0 ? floor(-cycles * 1.1) + 1.0 : -cycles) { /* −: without the limit on width */
            struct dse_config config;
            struct dse_estimate estimate;
            fold_greedily(&a, fabs(cycles), cycles < 0.0 ? INFINITY : 36.0, &config);
            OK(dse_estimate_make(&a.setup, &config, &estimate, &why));
            if (estimate.fits && estimate.metrics[DSE_METRIC_LUT] <= limits[i])
                greedy = fmin(greedy, estimate.metrics[DSE_METRIC_LATENCY]);
        }
        if (answer.front_count > 0) {
            double least = answer.front[0].metrics[DSE_METRIC_LATENCY];
            print_message("%d LUTs: %.2f µs proven, %.2f µs by the greedy rule\n", limits[i], 1e6 * least, 1e6 * greedy);
            assert_true(answer.proven && least <= greedy && answer.front[0].metrics[DSE_METRIC_LUT] <= limits[i]);
            better += least < greedy;
        } else
            assert_true(isinf(greedy));
        dse_answer_free(&answer);
        forget(&a);
    }
    assert_true(better >= 3);
}

TESTS(NULL, NULL)
