#include "search/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/order.h"
#include "search/archive.h"
#include "search/every.h"
#include "search/filter.h"
#include "search/groups.h"
#include "search/question.h"
#include "search/run.h"

const char *const dse_joining_names[] = {"mean", "worst", "weighted", NULL};

#define SETS_MAX 64

struct dse_joint {
    const struct dse_question *question;
    enum dse_joining how;
    const struct dse_joint_set *sets; /* count */
    size_t count;
    double weights[SETS_MAX];
    int64_t times[SETS_MAX], times_all; /* runs of each data set if metrics are sums; 0: they are not */
    bool one_lane;                      /* the exact merge sums over data sets: nothing else is needed */
    void **work; /* [set × alternatives] */
    dse_knob_set algorithmic;
};

/* ---- sums ---- */

#define TIMES_MOST 1000 /* over all data sets: femtoseconds are added this often */

int64_t dse_joint_reduce(enum dse_joining how, double *weights, size_t count)
{
    int64_t times[SETS_MAX], all = 0, common;
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        weights[i] = how == DSE_JOIN_WEIGHTED ? weights[i] : 1.0;
        largest = fmax(largest, weights[i]);
    }
    for (double scale = 1.0; scale <= TIMES_MOST && all == 0 && count <= SETS_MAX; scale *= 10.0)
        for (size_t i = 0; i < count; i++) {
            double scaled = weights[i] * scale;
            if (scaled > TIMES_MOST || fabs(scaled - round(scaled)) > 1e-9 * scaled) {
                all = 0;
                break;
            }
            times[i] = (int64_t)round(scaled);
            all += times[i];
        }
    if (all == 0 || all > TIMES_MOST) {
        for (size_t i = 0; i < count; i++)
            weights[i] /= largest;
        return 0;
    }
    common = all;
    for (size_t i = 0; i < count; i++)
        for (int64_t rest = times[i]; rest > 0;) { /* Euclid's algorithm */
            int64_t next = common % rest;
            common = rest;
            rest = next;
        }
    for (size_t i = 0; i < count; i++)
        weights[i] = (double)(times[i] / common);
    return all / common;
}

/* A mean equals running all data sets in sequence, each as often as its weight. This is exact for any question if the weights have an integer ratio. */
static void find_times(struct dse_joint *combination)
{
    combination->times_all = dse_joint_reduce(combination->how, combination->weights, combination->count);
    if (combination->how == DSE_JOIN_WORST)
        combination->times_all = 0;
    for (size_t i = 0; i < combination->count; i++)
        combination->times[i] = (int64_t)combination->weights[i];
    /* A throughput is not a sum. */
    combination->one_lane = combination->times_all > 0 && !dse_question_asks_rate(combination->question);
}

static bool adds_up(enum dse_metric metric)
{
    return metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_LATENCY_P99 || metric == DSE_METRIC_ENERGY ||
           metric == DSE_METRIC_DRAM_ENERGY || metric == DSE_METRIC_DDR_BYTES || metric == DSE_METRIC_CYCLES ||
           metric == DSE_METRIC_LATENCY_SYSTEM || metric == DSE_METRIC_ENERGY_SYSTEM;
}

/* The additive metrics of dse_derive(): sums over all runs, divided by the number of runs. */
static void derive_sums(const struct dse_joint *combination, const struct dse_platform *platform, const struct dse_accumulators *sums,
                        double metrics[DSE_METRIC_COUNT])
{
    int64_t fs[DSE_CASE_COUNT] = {0}, bytes = 0, dram_fj = 0, host_fs = combination->times_all * platform->host_fs, prepare_fs = 0, energy_fj[DSE_BOUNDARY_COUNT] = {0};
    for (size_t i = 0; i < combination->count; i++) {
        int64_t times = combination->times[i];
        host_fs += times * dse_host_work_fs(platform, &sums[i]);
        prepare_fs += times * dse_prepare_fs(platform, &sums[i]);
        for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
            energy_fj[b] += times * dse_dynamic_fj(platform, &sums[i], (enum dse_boundary)b);
        for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
            for (int c = 0; c < DSE_CASE_COUNT; c++)
                fs[c] += times * dse_stage_fs(platform, &sums[i], (enum dse_case)c, s);
            for (int m = 0; m < DSE_MEMORY_MAX; m++) {
                bytes += times * sums[i].bytes[DSE_CASE_MEAN][s][m];
                dram_fj += times * sums[i].bytes[DSE_CASE_MEAN][s][m] * platform->dram_fj_per_byte[m];
            }
        }
    }
    double latency = (double)fs[DSE_CASE_MEAN] * platform->femto, all = (double)combination->times_all;
    const double host_s = (double)host_fs * platform->femto, prepare_s = (double)prepare_fs * platform->femto;
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        double idle_w = (platform->share_nw[b] + (double)sums->idle_nw) * 1e-9;
        const bool system = b == DSE_BOUNDARY_SYSTEM;
        const struct dse_item item = {.latency_s = latency, .interval_s = latency, .wait_s = dse_wait_s(platform, (enum dse_boundary)b, combination->times_all),
                                      .host_s = system ? host_s : 0.0, .prepare_s = system ? prepare_s : 0.0, .bytes = (double)bytes * platform->parts};
        double elapsed = dse_delivery_s(platform, (enum dse_boundary)b, &item);
        metrics[dse_energy_metrics[b]] = dse_energy_at(platform, (enum dse_boundary)b, (double)energy_fj[b] * platform->femto + idle_w * elapsed) / all;
    }
    metrics[DSE_METRIC_LATENCY_SYSTEM] = platform->batch * (latency + host_s) / all;
    metrics[DSE_METRIC_LATENCY] = latency / all;
    metrics[DSE_METRIC_LATENCY_P99] = (double)fs[DSE_CASE_TAIL] * platform->femto / all;
    metrics[DSE_METRIC_DRAM_ENERGY] = (double)dram_fj * platform->femto / all;
    metrics[DSE_METRIC_DDR_BYTES] = (double)bytes * platform->parts / all;
    metrics[DSE_METRIC_CYCLES] = round(latency * 1e15 / (double)platform->fs_per_cycle) / all;
}

/* ---- making ---- */

void dse_joint_free(struct dse_joint *combination)
{
    if (combination == NULL)
        return;
    size_t works = combination->count * combination->question->alternative_count;
    for (size_t i = 0; i < works; i++)
        if (combination->work[i] != NULL)
            combination->question->family->release(combination->work[i]);
    free(combination->work);
    free(combination);
}

enum dse_status dse_joint_create(const struct dse_question *question, enum dse_joining how,
                                       const struct dse_joint_set *sets, size_t count,
                                       struct dse_joint **out, struct dse_error *err)
{
    *out = NULL;
    if (count > SETS_MAX)
        return dse_fail(err, DSE_LIMIT, "more than %d data sets for one design", SETS_MAX);
    struct dse_joint *combination = dse_calloc(1, sizeof *combination);
    size_t alternatives = question->alternative_count;
    combination->question = question;
    combination->how = how;
    combination->sets = sets;
    combination->count = count;
    combination->algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    combination->work = dse_calloc(count * alternatives + 1, sizeof *combination->work);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        combination->weights[i] = sets[i].weight;
        for (size_t a = 0; a < alternatives && status == DSE_OK; a++)
            status = question->family->prepare(question->family, sets[i].alternatives[a].workload, &combination->work[i * alternatives + a], err);
    }
    find_times(combination);
    if (status == DSE_OK)
        *out = combination;
    else
        dse_joint_free(combination);
    return status;
}

/* ---- one design ---- */

double dse_joint_sum(double *terms, size_t count)
{
    double sum = 0.0;
    qsort(terms, count, sizeof *terms, dse_by_double);
    for (size_t i = 0; i < count; i++)
        sum += terms[i];
    return sum;
}

double dse_joint_values(enum dse_joining how, enum dse_metric metric, const double *values, const double *weights,
                          size_t count)
{
    double parts[SETS_MAX], shares[SETS_MAX], worst = values[0];
    for (size_t i = 0; i < count; i++) {
        shares[i] = how == DSE_JOIN_WEIGHTED ? weights[i] : 1.0;
        parts[i] = shares[i] * values[i];
        if (isnan(values[i]) || (dse_metrics[metric].higher_is_better ? values[i] < worst : values[i] > worst))
            worst = values[i];
    }
    return how == DSE_JOIN_WORST ? worst : dse_joint_sum(parts, count) / dse_joint_sum(shares, count);
}

static void set_own(const struct dse_joint *combination, size_t set, size_t alternative, struct dse_config *config)
{
    const struct dse_config *own = &combination->sets[set].alternatives[alternative].config;
    for (size_t k = 0; k < combination->question->space->count; k++)
        if (dse_bits_has(combination->algorithmic, k))
            config->value[k] = own->value[k];
    dse_config_canonical(combination->question->space, config);
}

void dse_joint_config(const struct dse_joint *combination, const struct dse_point *point, size_t set,
                            struct dse_config *out)
{
    *out = point->config;
    set_own(combination, set, point->alternative, out);
}

/* Adds the block to each data set's sums; its resources are those of the most demanding data set. */
static enum dse_status add_block(const struct dse_joint *combination, size_t block, const struct dse_config *configs,
                                 size_t alternative, struct dse_accumulators *sums, struct dse_rejection *rejection,
                                 struct dse_error *err)
{
    const struct dse_question *question = combination->question;
    struct dse_accumulators parts[SETS_MAX], largest = {0};
    for (size_t i = 0; i < combination->count; i++) {
        struct dse_context context = {.board = question->board, .costs = question->costs,
                                      .work = combination->work[i * question->alternative_count + alternative],
                                      .rejection = rejection, .times = combination->times_all};
        DSE_TRY(dse_block_cost(question->family, block, &context, &configs[i], &parts[i], err));
        if (rejection->rejected)
            return DSE_OK;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (parts[i].resources[r] > largest.resources[r])
                largest.resources[r] = parts[i].resources[r];
        if (parts[i].idle_nw > largest.idle_nw)
            largest.idle_nw = parts[i].idle_nw;
    }
    for (size_t i = 0; i < combination->count; i++) {
        memcpy(parts[i].resources, largest.resources, sizeof largest.resources);
        parts[i].idle_nw = largest.idle_nw;
        dse_accumulators_combine(&sums[i], &parts[i]);
    }
    return DSE_OK;
}

/* All metrics, from the sums per data set, which share the resources. */
static void derive(const void *user, const struct dse_platform *platform, const struct dse_accumulators *sums, size_t alternative,
                   double metrics[DSE_METRIC_COUNT])
{
    const struct dse_joint *combination = user;
    double values[SETS_MAX][DSE_METRIC_COUNT], column[SETS_MAX];
    for (size_t i = 0; i < combination->count; i++) {
        dse_derive(platform, &sums[i], values[i]);
        values[i][DSE_METRIC_QUALITY] = combination->sets[i].alternatives[alternative].quality;
    }
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        for (size_t i = 0; i < combination->count; i++)
            column[i] = values[i][m];
        metrics[m] = dse_metrics[m].resource >= 0 ? column[0]
                                                  : dse_joint_values(combination->how, (enum dse_metric)m, column,
                                                                     combination->weights, combination->count);
    }
    if (combination->times_all > 0)
        derive_sums(combination, platform, sums, metrics);
}

enum dse_status dse_joint_evaluate(void *user, const struct dse_config *config, size_t alternative,
                                         struct dse_platform *platform, struct dse_accumulators *sums,
                                         double metrics[DSE_METRIC_COUNT], struct dse_rejection *rejection,
                                         struct dse_error *err)
{
    const struct dse_joint *combination = user;
    const struct dse_question *question = combination->question;
    struct dse_accumulators each[SETS_MAX];
    struct dse_config configs[SETS_MAX];
    memset(each, 0, combination->count * sizeof *each);
    for (size_t i = 0; i < combination->count; i++) {
        configs[i] = *config;
        set_own(combination, i, alternative, &configs[i]);
    }
    for (size_t b = 0; b < question->family->block_count && !rejection->rejected; b++)
        DSE_TRY(add_block(combination, b, configs, alternative, each, rejection, err));
    if (rejection->rejected)
        return DSE_OK;
    dse_question_platform(question, config, platform);
    derive(combination, platform, each, alternative, metrics);
    *sums = each[0];
    return DSE_OK;
}

/* ---- the exact merge ---- */

/* A joint metric from the merge's lanes: of the runs together, or per data set. */
static double combine_lanes(const void *user, enum dse_metric metric, const double *values)
{
    const struct dse_joint *combination = user;
    if (combination->one_lane)
        return adds_up(metric) ? values[0] / (double)combination->times_all : values[0];
    /* Sums are rounded differently from this mean. */
    double below = combination->times_all > 0 && adds_up(metric) ? 1.0 - 1e-12 : 1.0;
    return below * dse_joint_values(combination->how, metric, values, combination->weights, combination->count);
}

bool dse_joint_merges(const struct dse_joint *combination)
{
    return combination->count <= DSE_SETS_MAX && !dse_question_asks_power(combination->question);
}

bool dse_joint_programs(const struct dse_joint *combination)
{
    const struct dse_question *question = combination->question;
    return combination->count <= DSE_SETS_MAX && combination->how != DSE_JOIN_WORST && !dse_question_asks_power(question) &&
           !dse_question_asks_rate(question) && (combination->times_all > 0 || !dse_question_asks(question, DSE_METRIC_CYCLES));
}

/* Question for methods that use tables: `all` receives its alternatives, with combined qualities. */
static void ask_together(const struct dse_joint *combination, struct dse_alternative *all, struct dse_sets *sets, struct dse_question *question)
{
    double shares[SETS_MAX];
    *question = *combination->question;
    *sets = (struct dse_sets){.count = combination->count, .lanes = combination->one_lane ? 1 : combination->count,
                              .times_all = combination->times_all, .combine = combine_lanes, .derive = derive, .user = combination};
    for (size_t i = 0; i < sets->count; i++)
        shares[i] = combination->how == DSE_JOIN_WEIGHTED ? combination->weights[i] : 1.0;
    double total = dse_joint_sum(shares, sets->count);
    for (size_t i = 0; i < sets->count; i++) {
        sets->alternatives[i] = combination->sets[i].alternatives;
        sets->work[i] = combination->work + i * question->alternative_count;
        sets->times[i] = combination->times[i];
        sets->shares[i] = (combination->how == DSE_JOIN_WEIGHTED ? combination->weights[i] : 1.0) / total;
    }
    for (size_t a = 0; a < question->alternative_count; a++) {
        double quality[SETS_MAX];
        for (size_t i = 0; i < sets->count; i++)
            quality[i] = sets->alternatives[i][a].quality;
        all[a] = sets->alternatives[0][a];
        all[a].quality = dse_joint_values(combination->how, DSE_METRIC_QUALITY, quality, combination->weights, sets->count);
    }
    question->alternatives = all;
    question->sets = sets;
}

enum dse_status dse_joint_exact(const struct dse_joint *combination, struct dse_answer *answer, struct dse_error *err)
{
    struct dse_question question;
    struct dse_sets sets;
    *answer = (struct dse_answer){0};
    struct dse_alternative *all DSE_CLEANUP(dse_free_at) = dse_calloc(combination->question->alternative_count + 1, sizeof *all);
    ask_together(combination, all, &sets, &question);
    return dse_search_exact(&question, answer, err);
}

enum dse_status dse_joint_why(const struct dse_joint *combination, const struct dse_space *whole, double seconds, struct dse_why *out,
                              struct dse_error *err)
{
    struct dse_question question;
    struct dse_sets sets;
    struct dse_alternative *all DSE_CLEANUP(dse_free_at) = dse_calloc(combination->question->alternative_count + 1, sizeof *all);
    struct dse_question without = *combination->question; /* without conditions on knobs, which an explanation checks per design */
    struct dse_bare_family *bare DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *bare);
    struct dse_joint all_designs = *combination;
    struct dse_evaluator evaluator = {dse_joint_evaluate, &all_designs};
    dse_filters_drop(without.family, NULL, bare);
    without.family = &bare->family;
    all_designs.question = &without;
    question = *combination->question;
    if (dse_joint_merges(combination))
        ask_together(combination, all, &sets, &question);
    else
        question.evaluator = &evaluator;
    return dse_why_make(&question, whole, seconds, out, err);
}

enum dse_status dse_joint_ilp(const struct dse_joint *combination, struct dse_optimum *out, struct dse_error *err)
{
    struct dse_question question;
    struct dse_sets sets;
    *out = (struct dse_optimum){.objective = NAN, .bound = NAN};
    struct dse_alternative *all DSE_CLEANUP(dse_free_at) = dse_calloc(combination->question->alternative_count + 1, sizeof *all);
    ask_together(combination, all, &sets, &question);
    return dse_search_ilp(&question, NULL, out, err);
}

/* ---- searching ---- */

enum dse_status dse_joint_search(const struct dse_joint *combination, const struct dse_effort *effort,
                                    struct dse_answer *answer, struct dse_error *err)
{
    struct dse_question question = *combination->question;
    struct dse_evaluator evaluator = {dse_joint_evaluate, (void *)(uintptr_t)combination};
    question.evaluator = &evaluator;
    return dse_search_heuristic(&question, effort, answer, err);
}

struct visiting {
    const struct dse_joint *combination;
    struct dse_archive archive;
    struct dse_answer *answer;
};

static enum dse_status visit_one(void *user, const struct dse_config *config, size_t alternative, struct dse_error *err)
{
    struct visiting *visiting = user;
    const struct dse_question *question = visiting->combination->question;
    struct dse_answer *answer = visiting->answer;
    struct dse_point point = {.config = *config, .alternative = alternative};
    struct dse_platform platform;
    struct dse_accumulators sums;
    answer->space_size++;
    struct dse_rejection rejection = {0};
    DSE_TRY(dse_joint_evaluate((void *)(uintptr_t)visiting->combination, config, alternative, &platform, &sums, point.metrics,
                               &rejection, err));
    answer->unbuildable += rejection.rejected;
    if (rejection.rejected)
        return DSE_OK;
    answer->evaluated++;
    if (!dse_fits(&platform, &sums, NULL) || !dse_limits_hold(question, point.metrics) ||
        !dse_filters_hold(question, config, point.metrics, true))
        return DSE_OK;
    answer->feasible++;
    dse_archive_insert(&visiting->archive, &point);
    return DSE_OK;
}

enum dse_status dse_joint_visit(const struct dse_joint *combination, uint64_t most, struct dse_answer *answer,
                                   struct dse_error *err)
{
    const struct dse_question *question = combination->question;
    double start = dse_clock_s();
    *answer = (struct dse_answer){0};
    if (dse_question_size(question) > most)
        return dse_fail(err, DSE_LIMIT, "one design for several data sets: more than %llu designs; narrow the space with --where "
                        "or --fix, or use --method heuristic", (unsigned long long)most);
    struct visiting visiting = {.combination = combination, .answer = answer};
    dse_archive_init(&visiting.archive, question->objectives, question->objective_count);
    enum dse_status status = dse_question_configs(question, visit_one, &visiting, err);
    dse_archive_hand_over(&visiting.archive, answer);
    answer->proven = status == DSE_OK;
    answer->seconds = dse_clock_s() - start;
    return status;
}
