/* Benchmark of the search: designs per second, fronts, proofs, explanations and model evaluations, beside this machine's limits measured
 * in the same run.
 *
 * usage: bench_search [JOBS [all|boards]]   (JOBS: of the searches that use several threads, default 2; `all`: also the exact front of
 * every shipped board and NysX profile; `boards`: only these)
 *
 * Prints processor seconds beside seconds: on a shared machine only the former measure the program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/rng.h"
#include "models/estimate.h"
#include "search/ilp.h"
#include "search/lanes.h"
#include "search/question.h"
#include "search/why.h"
#include "tests/bench/must.h"
#include "tests/worked.h"

struct bench {
    struct dse_space *space, *whole;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_profile *profile;
    struct dse_alternative *alternatives;
    struct dse_question question;
    size_t jobs;
};

struct watch {
    double wall_s, cpu_s;
};

static struct watch start(void)
{
    return (struct watch){dse_clock_s(), worked_together_s()};
}

static struct watch since(struct watch begin)
{
    struct watch now = start();
    return (struct watch){now.wall_s - begin.wall_s, now.cpu_s - begin.cpu_s};
}

static double megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

static void open_bench(struct bench *b, const char *board, const char *profile, const char *where, size_t jobs)
{
    const struct dse_model_family *family = dse_model_find("nysx");
    struct dse_choice choice = {.quality_drop = 0.01};
    struct dse_choice_count left_out;
    struct dse_expression expression = {0};
    *b = (struct bench){.jobs = jobs};
    MUST(dse_model_space(family, NULL, &b->space, &why));
    MUST(dse_model_space(family, NULL, &b->whole, &why));
    MUST(dse_board_open(board, &b->board, &why));
    MUST(dse_costs_for_board(b->board, NULL, &b->costs, &why));
    MUST(dse_profile_open(profile, &b->profile, &why));
    struct dse_question *q = &b->question;
    *q = (struct dse_question){.family = family, .space = b->space, .board = b->board, .costs = b->costs,
                               .headroom = -1.0, .jobs = jobs};
    dse_space_default(b->space, &q->base);
    MUST(dse_config_apply(b->space, &q->base, &b->profile->preset, &why));
    MUST(dse_question_objectives(q, "latency,energy,bram18", &why));
    if (where != NULL)
        MUST(dse_expression_parse(where, &expression, &why));
    MUST(dse_question_constrain(q, b->space, &expression, &choice, &why));
    q->free = dse_bits_without(dse_space_of_kind(b->space, DSE_KNOB_HARDWARE), dse_space_of_kind(b->space, DSE_KNOB_ALGORITHMIC));
    MUST(dse_question_alternatives(q, b->profile, &choice, &b->alternatives, &q->alternative_count, &left_out, &why));
    q->alternatives = b->alternatives;
}

static void close_bench(struct bench *b)
{
    free(b->alternatives);
    dse_profile_free(b->profile);
    dse_costs_free(b->costs);
    dse_board_free(b->board);
    dse_space_free(b->space);
    dse_space_free(b->whole);
}

/* ---- the machine ---- */

/* Only loads whose values are used: eight sums of vectors as wide as an instruction takes. */
#define READER(name, attributes)                                                                                       \
    attributes static double name(const double *values, size_t count)                                                  \
    {                                                                                                                  \
        typedef double lanes __attribute__((vector_size(64)));                                                         \
        lanes sums[8] = {{0}};                                                                                         \
        for (size_t i = 0; i + 64 <= count; i += 64)                                                                   \
            for (size_t k = 0; k < 8; k++)                                                                             \
                sums[k] += *(const lanes *)(const void *)(values + i + 8 * k);                                         \
        double total = 0.0;                                                                                            \
        for (size_t k = 0; k < 8; k++)                                                                                 \
            total += sums[k][0];                                                                                       \
        return total;                                                                                                  \
    }

READER(read_portable, )
#if defined(__x86_64__)
READER(read_avx2, __attribute__((target("avx2"))))
READER(read_avx512, __attribute__((target("avx512f"))))
#endif

static double read_once(const double *values, size_t count)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return read_avx512(values, count);
    if (__builtin_cpu_supports("avx2"))
        return read_avx2(values, count);
#endif
    return read_portable(values, count);
}

/* Bytes per second that one thread reads from an array of this size, read many times. */
static double read_rate(size_t bytes)
{
    size_t count = bytes / sizeof(double);
    double *values = aligned_alloc(64, bytes), best = INFINITY;
    volatile double keep = 0.0;
    if (values == NULL)
        return NAN;
    for (size_t i = 0; i < count; i++)
        values[i] = (double)i;
    for (int repeat = 0; repeat < 20; repeat++) {
        double begin = worked_s();
        for (int pass = 0; pass < 200; pass++)
            keep = keep + read_once(values, count);
        best = fmin(best, (worked_s() - begin) / 200.0);
    }
    free(values);
    return (double)(count * sizeof(double)) / best;
}

/* ---- the exhaustive visit ---- */

static void bench_exhaustive(const char *what, const char *board, const char *where)
{
    struct bench b;
    struct dse_answer answer;
    open_bench(&b, board, "MUTAG", where, 1);
    struct watch begin = start();
    MUST(dse_search_exhaustive(&b.question, &answer, &why));
    struct watch taken = since(begin);
    printf("%-34s %11.0f visited, %3.0f %% feasible, front %4zu: %6.2f s, %6.2f processor s, %6.1f M/s per core\n", what,
           (double)answer.evaluated, 100.0 * (double)answer.feasible / (double)answer.evaluated, answer.front_count,
           taken.wall_s, taken.cpu_s, 1e-6 * (double)answer.evaluated / taken.cpu_s);
    dse_answer_free(&answer);
    close_bench(&b);
}

/* A made-up slice of two groups. */
static void make_slice(struct dse_slice *slice, const size_t counts[2])
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 1);
    *slice = (struct dse_slice){.platform = {.fs_per_cycle = 3333333, .fs_per_byte = {60000}, .still_nw = {400000000, 2900000000}, .share_nw = {4e8, 2.9e9}, .batch = 1.0,
                                             .units = 1, .at_once = 1, .clock_allowed = true, .bytes_per_s = 1e10}};
    for (size_t g = 0; g < 2; g++) {
        slice->groups[g].count = counts[g];
        slice->groups[g].sums = calloc(counts[g], sizeof *slice->groups[g].sums);
        for (size_t row = 0; row < counts[g] && slice->groups[g].sums != NULL; row++) {
            struct dse_accumulators *sums = &slice->groups[g].sums[row];
            sums->busy_cycles[DSE_CASE_MEAN][0] = (int64_t)dse_rng_below(&rng, 10000);
            sums->bytes[DSE_CASE_MEAN][0][0] = (int64_t)dse_rng_below(&rng, 10000);
            sums->energy_fj = (int64_t)dse_rng_below(&rng, 1000000);
            sums->idle_nw = (int64_t)dse_rng_below(&rng, 1000000);
            sums->resources[DSE_BRAM18] = (int64_t)dse_rng_below(&rng, 100);
        }
    }
}

static void bench_visit(const struct dse_lanes_rules *rules, const struct dse_lanes_table *table, struct dse_lanes_block *block,
                        double read)
{
    double width = 8.0 * (double)(3 + 3 + DSE_RESOURCE_COUNT + 1); /* bytes of a row that are read */
    double begin = worked_s();
    size_t designs = 0, feasible = 0;
    while (designs < 100000000)
        for (size_t row = 0; row < table->rows; row += DSE_LANES) {
            block->columns = table->columns + row;
            block->stride = table->stride;
            block->count = DSE_LANES;
            feasible += dse_lanes_visit(rules, block);
            designs += DSE_LANES;
        }
    double taken = worked_s() - begin;
    printf("the visit %7.0f M designs/s, %4.2f ns per design, %3.0f %% of that read%s\n", 1e-6 * (double)designs / taken, 1e9 * taken / (double)designs, 100.0 * width * (double)designs / taken / read,
           feasible == designs ? "" : " (some do not fit?)");
}

/* All designs fit: measures only the metrics, without the front. */
static void bench_lanes(void)
{
    struct dse_plan plan = {.group_count = 2};
    struct dse_slice slice;
    struct dse_lanes_table table;
    make_slice(&slice, (const size_t[]){4096, 2});
    dse_lanes_table_make(&plan, &slice, &table);
    struct dse_lanes_rules rules = {.layout = &table.layout, .wants = 1u << DSE_METRIC_BRAM18, .units = 1.0, .at_once = 1.0,
                                    .share_nw = {4e8, 2.9e9}, .batch = 1.0, .fs_per_cycle = 3333333.0, .bytes_per_s = 1e10,
                                    .objectives = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18},
                                    .objective_count = 3};
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        rules.caps[r] = 1e9;
    struct dse_lanes_block *block = aligned_alloc(64, (sizeof *block + 63) / 64 * 64);
    double columns[DSE_LANES_COLUMNS_MAX], read = read_rate(256 * 1024);
    dse_lanes_columns(&table.layout, &slice.platform, &slice.groups[1].sums[0], columns);
    printf("one thread reads %.0f GB/s from 256 KB\n", 1e-9 * read);
    block->outer = columns;
    bench_visit(&rules, &table, block, read);
    free(block);
    free(table.columns);
    free(slice.groups[0].sums);
    free(slice.groups[1].sums);
}

/* ---- the others ---- */

static void bench_exact(struct bench *b)
{
    struct dse_answer answer;
    struct watch begin = start();
    MUST(dse_search_exact(&b->question, &answer, &why));
    struct watch taken = since(begin);
    printf("exact front, whole space           %.4g designs, front %zu: %.2f s with %zu threads, %.2f processor s\n",
           (double)answer.space_size, answer.front_count, taken.wall_s, b->jobs, taken.cpu_s);
    dse_answer_free(&answer);
}

/* Questions that make fronts wide: more objectives, and limits from the wrong side. */
static void bench_wide(struct bench *b)
{
    static const struct {
        const char *name, *objectives;
        struct dse_limit limit;
    } wide[] = {{"four objectives", "latency,energy,bram18,dsp", {0}},
                {"five objectives", "latency,energy,bram18,dsp,lut", {0}},
                {"six objectives", "latency,energy,bram18,dsp,lut,ff", {0}},
                {"latency>=20us", "latency,energy,bram18", {DSE_METRIC_LATENCY, true, 20e-6}},
                {"bram18>=200", "latency,energy,bram18", {DSE_METRIC_BRAM18, true, 200.0}},
                {"dsp>=500", "latency,energy,bram18", {DSE_METRIC_DSP, true, 500.0}}};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        struct dse_question question = b->question;
        struct dse_answer answer;
        MUST(dse_question_objectives(&question, wide[i].objectives, &why));
        question.limits[0] = wide[i].limit;
        question.limit_count = wide[i].limit.at_least ? 1 : 0;
        struct watch begin = start();
        MUST(dse_search_exact(&question, &answer, &why));
        struct watch taken = since(begin);
        printf("exact front, %-21s front %5zu of %llu evaluated: %.2f s with %zu threads, %.2f processor s\n", wide[i].name,
               answer.front_count, (unsigned long long)answer.evaluated, taken.wall_s, b->jobs, taken.cpu_s);
        dse_answer_free(&answer);
    }
}

static void bench_ilp(struct bench *b)
{
    static const enum dse_metric metrics[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18, DSE_METRIC_POWER};
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        struct dse_question one = b->question;
        struct dse_optimum optimum;
        struct dse_answer answer;
        one.objectives[0] = metrics[i];
        one.objective_count = 1;
        struct watch begin = start();
        MUST(dse_search_ilp(&one, NULL, &optimum, &why));
        struct watch taken = since(begin);
        MUST(dse_search_exact(&one, &answer, &why));
        double best = answer.front[0].metrics[metrics[i]];
        printf("ilp, least %-8s whole space    %.6g, %s, gap %.1g; the exact merge %s: %.2f s, %.2f processor s, %llu nodes\n",
               dse_metrics[metrics[i]].name, optimum.objective, optimum.proven ? "proven" : "NOT PROVEN", optimum.gap,
               fabs(best - optimum.objective) <= 1e-8 * best ? "agrees" : "DISAGREES", taken.wall_s, taken.cpu_s,
               (unsigned long long)optimum.nodes);
        dse_answer_free(&answer);
    }
}

static void bench_why(struct bench *b)
{
    struct dse_question impossible = b->question;
    struct dse_why *reasons = need(1, sizeof *reasons);
    impossible.limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, 1e-6);
    impossible.limits[1] = dse_limit_of(DSE_METRIC_DSP, false, 400.0);
    impossible.limit_count = 2;
    struct watch begin = start();
    MUST(dse_why_make(&impossible, b->whole, INFINITY, reasons, &why));
    struct watch taken = since(begin);
    printf("why nothing fits, whole space      %.2f s, %.2f processor s\n", taken.wall_s, taken.cpu_s);
    free(reasons);
}

/* All blocks of random configurations, model by model. */
static void bench_models(struct bench *b)
{
    const struct dse_question *q = &b->question;
    struct dse_rejection rejection = {0};
    struct dse_context context = {.board = b->board, .costs = b->costs, .rejection = &rejection};
    struct dse_error err = {0};
    void *work = NULL;
    struct dse_rng rng;
    dse_rng_seed(&rng, 3, 3);
    MUST(q->family->prepare(q->family, b->alternatives[0].workload, &work, &why));
    context.work = work;
    size_t designs = 20000;
    double begin = worked_s();
    for (size_t i = 0; i < designs; i++) {
        struct dse_config config = b->alternatives[0].config;
        struct dse_accumulators sums = {0};
        struct dse_platform platform;
        double metrics[DSE_METRIC_COUNT];
        dse_space_draw(b->space, q->free, &rng, &config);
        for (size_t block = 0; block < q->family->block_count; block++) {
            struct dse_accumulators part;
            rejection.rejected = false;
            if (dse_block_cost(q->family, block, &context, &config, &part, &err) == DSE_OK && !rejection.rejected)
                dse_accumulators_combine(&sums, &part);
        }
        dse_question_platform(q, &config, &platform);
        dse_derive(&platform, &sums, metrics);
    }
    printf("models, all blocks of a design     %.2f µs\n", 1e6 * (worked_s() - begin) / (double)designs);
    q->family->release(work);
}

static void bench_all(size_t jobs)
{
    char **boards = NULL, **profiles = NULL;
    size_t board_count = 0, profile_count = 0, fronts = 0;
    MUST(dse_board_names("*", &boards, &board_count, &why));
    MUST(dse_profile_names("*", &profiles, &profile_count, &why));
    struct watch begin = start();
    for (size_t p = 0; p < profile_count; p++)
        for (size_t i = 0; i < board_count; i++) {
            struct dse_profile *profile = NULL;
            MUST(dse_profile_open(profiles[p], &profile, &why));
            bool nysx = strcmp(profile->family, "nysx") == 0;
            dse_profile_free(profile);
            if (!nysx)
                continue;
            struct bench b;
            struct dse_answer answer;
            open_bench(&b, boards[i], profiles[p], NULL, jobs);
            MUST(dse_search_exact(&b.question, &answer, &why));
            fronts++;
            dse_answer_free(&answer);
            close_bench(&b);
        }
    struct watch taken = since(begin);
    printf("exact fronts, all boards, profiles %zu fronts: %.1f s with %zu threads, %.1f processor s\n", fronts, taken.wall_s,
           jobs, taken.cpu_s);
    dse_share_names_free(boards, board_count);
    dse_share_names_free(profiles, profile_count);
}

int main(int argc, char **argv)
{
    dse_memory_keep(); /* as the program does */
    size_t jobs = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 2;
    if (argc > 2 && strcmp(argv[2], "boards") == 0) {
        bench_all(jobs);
        return 0;
    }
    bench_lanes();
    /* Fixed knobs give spaces of about 10^8 designs: one in which most designs fit, and one in which most do not. */
    const char *held = "nee.outstanding=16 && nee.fifo_depth=512 && nee.ports=1 && nee.memory=1 && clock_mhz=200 && "
                       "lshu.balance=ps && mphe.gamma=2 && landmarks=150";
    char few[512], most[512];
    snprintf(most, sizeof most, "%s && nee.lanes<=128 && kse.pe<=16 && lshu.pe<=16 && sce.bits<=128", held);
    snprintf(few, sizeof few, "%s && bram18<=12%% && lut<=20%%", held);
    bench_exhaustive("exhaustive, most designs fit", "vcu118", most);
    bench_exhaustive("exhaustive, some of them fit", "zcu104", held);
    bench_exhaustive("exhaustive, few of them fit", "zcu104", few);
    struct bench b;
    open_bench(&b, "zcu104", "MUTAG", NULL, jobs);
    bench_exact(&b);
    bench_wide(&b);
    bench_ilp(&b);
    bench_why(&b);
    bench_models(&b);
    close_bench(&b);
    if (argc > 2 && strcmp(argv[2], "all") == 0)
        bench_all(jobs);
    printf("most memory                        %.0f MB\n", megabytes());
    return 0;
}
