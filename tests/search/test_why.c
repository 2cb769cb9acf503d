/* The smallest relaxation makes the space feasible; a smaller one does not. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/nysx.h"
#include "search/run.h"
#include "search/why.h"
#include "tests/models/opened.h"
#include "tests/test.h"

struct asked {
    struct dse_space *space;
    struct dse_alternative alternative;
    struct dse_question question;
};

static void keep(struct dse_space *space, size_t knob, size_t count)
{
    size_t there = fixture.space->knobs[knob].domain_count;
    dse_space_restrict(space, knob, fixture.space->knobs[knob].domain, count < there ? count : there);
}

/* A space of about ten thousand designs; some are too large, some cannot be built. */
static void ask(struct asked *asked)
{
    struct dse_error err;
    memset(asked, 0, sizeof *asked);
    assert_int_equal(dse_model_space(fixture.setup.family, NULL, &asked->space, &err), DSE_OK);
    for (size_t k = 0; k < asked->space->count; k++)
        keep(asked->space, k, 1);
    const size_t wide[] = {NYSX_LSHU_PE, NYSX_KSE_PE, NYSX_NEE_LANES, NYSX_NEE_PORTS, NYSX_PLACE_H};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        keep(asked->space, wide[i], 9);
    keep(asked->space, NYSX_UNITS, 9);
    struct dse_question *q = &asked->question;
    *q = (struct dse_question){.family = fixture.setup.family, .space = asked->space, .board = fixture.board,
                               .costs = fixture.costs, .headroom = -1.0, .alternative_count = 1, .jobs = 2,
                               .objectives = {DSE_METRIC_LATENCY}, .objective_count = 1};
    q->free = dse_bits_without(dse_space_of_kind(asked->space, DSE_KNOB_HARDWARE), dse_space_of_kind(asked->space, DSE_KNOB_ALGORITHMIC));
    dse_space_default(asked->space, &q->base);
    asked->alternative = (struct dse_alternative){.workload = fixture.workload, .quality = 0.8};
    dse_space_default(asked->space, &asked->alternative.config);
    q->alternatives = &asked->alternative;
}

static enum dse_outcome outcome_of(enum dse_status (*search)(const struct dse_question *, struct dse_answer *, struct dse_error *),
                                   const struct dse_question *question)
{
    struct dse_answer answer;
    struct dse_error err;
    assert_int_equal(search(question, &answer, &err), DSE_OK);
    enum dse_outcome outcome = answer.outcome;
    dse_answer_free(&answer);
    return outcome;
}

TEST(test_relaxations)
{
    struct asked asked;
    ask(&asked);
    struct dse_question *q = &asked.question;
    q->limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, 1e-9);
    q->limits[1] = dse_limit_of(DSE_METRIC_DSP, false, 400.0);
    q->limit_count = 2;
    struct dse_error err;
    assert_int_equal(outcome_of(dse_search_exact, q), DSE_OUTCOME_NOTHING);
    struct dse_why *why = dse_malloc(sizeof *why);
    assert_int_equal(dse_why_make(q, fixture.space, INFINITY, why, &err), DSE_OK);
    const struct dse_reason *latency = NULL;
    for (size_t i = 0; i < why->count; i++)
        if (why->reasons[i].kind == DSE_REASON_LIMIT && why->reasons[i].metric == DSE_METRIC_LATENCY)
            latency = &why->reasons[i];
    assert_non_null(latency);
    assert_true(latency->suffices);
    assert_true(why->has_nearest);
    assert_true(why->ratio > 1.0);
    double needed = latency->best.metrics[DSE_METRIC_LATENCY];
    assert_true(latency->best.metrics[DSE_METRIC_DSP] <= 400.0);
    q->limits[0].bound = needed;
    assert_int_equal(outcome_of(dse_search_exhaustive, q), DSE_OUTCOME_FOUND);
    q->limits[0].bound = nextafter(needed, 0.0);
    assert_int_equal(outcome_of(dse_search_exhaustive, q), DSE_OUTCOME_NOTHING);
    free(why);
    dse_space_free(asked.space);
}

/* Two constraints that each exclude everything: only relaxing both helps, and the ratio is minimal. */
TEST(test_two_at_once)
{
    struct asked asked;
    ask(&asked);
    struct dse_question *q = &asked.question;
    q->limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, 1e-9);
    q->limits[1] = dse_limit_of(DSE_METRIC_LUT, false, 10.0);
    q->limit_count = 2;
    struct dse_why *why = malloc(sizeof *why);
    struct dse_error err;
    assert_non_null(why);
    assert_int_equal(dse_why_make(q, fixture.space, INFINITY, why, &err), DSE_OK);
    assert_true(why->has_nearest);
    for (size_t i = 0; i < why->count; i++)
        assert_false(why->reasons[i].suffices && why->reasons[i].kind == DSE_REASON_LIMIT);
    assert_true(why->space_size <= DSE_WHY_ENUMERATED); /* so that the ratio is exact */
    q->limits[0].bound *= why->ratio * (1.0 + 1e-12);
    q->limits[1].bound *= why->ratio * (1.0 + 1e-12);
    assert_int_equal(outcome_of(dse_search_exact, q), DSE_OUTCOME_FOUND);
    q->limits[0].bound *= 1.0 - 1e-11;
    q->limits[1].bound *= 1.0 - 1e-11;
    assert_int_equal(outcome_of(dse_search_exact, q), DSE_OUTCOME_NOTHING);
    free(why);
    dse_space_free(asked.space);
}

/* With the limits as loose as a design needs, something is feasible; with one of its violated limits tighter, nothing is. Returns the
 * number of violated limits. */
static size_t check_together(const struct dse_question *question, const struct dse_point *nearest)
{
    struct dse_question loose = *question;
    size_t broken = 0;
    for (size_t i = 0; i < loose.limit_count; i++)
        loose.limits[i].bound = fmax(loose.limits[i].bound, nearest->metrics[loose.limits[i].metric]);
    assert_int_equal(outcome_of(dse_search_exhaustive, &loose), DSE_OUTCOME_FOUND);
    for (size_t i = 0; i < loose.limit_count; i++) {
        struct dse_question tight = loose;
        if (loose.limits[i].bound == question->limits[i].bound)
            continue;
        tight.limits[i].bound = nextafter(tight.limits[i].bound, 0.0);
        assert_int_equal(outcome_of(dse_search_exhaustive, &tight), DSE_OUTCOME_NOTHING);
        broken++;
    }
    return broken;
}

static double least_excess(const struct dse_question *question);

/* Random limits: if no single one is to blame, the joint relaxation is as tight as possible, and no design misses the limits by a smaller
 * ratio. */
TEST(test_together)
{
    struct asked asked;
    struct dse_error err;
    struct dse_rng rng;
    ask(&asked);
    struct dse_question *q = &asked.question;
    struct dse_why *why = dse_malloc(sizeof *why);
    dse_rng_seed(&rng, 1006, 0);
    size_t together = 0, several = 0;
    for (int trial = 0; trial < TRIALS_OF(25); trial++) {
        q->limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, pow(10.0, -5.0 + 2.0 * dse_rng_uniform(&rng)));
        q->limits[1] = dse_limit_of(DSE_METRIC_LUT, false, pow(10.0, 3.0 + 1.5 * dse_rng_uniform(&rng)));
        q->limits[2] = dse_limit_of(DSE_METRIC_ENERGY, false, pow(10.0, -5.5 + 2.0 * dse_rng_uniform(&rng)));
        q->limit_count = 3;
        if (outcome_of(dse_search_exact, q) == DSE_OUTCOME_FOUND)
            continue;
        assert_int_equal(dse_why_make(q, fixture.space, INFINITY, why, &err), DSE_OK);
        assert_true(why->has_nearest);
        if (!why->together)
            continue;
        together++;
        assert_true(why->ratio == least_excess(q));
        several += check_together(q, &why->nearest) > 1;
    }
    print_message("%zu of 25 questions need several limits relaxed together\n", several);
    assert_true(several > 3);
    assert_true(several == together);
    /* Limits of zero. */
    q->limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, 0.0);
    q->limits[1] = dse_limit_of(DSE_METRIC_BRAM18, false, 0.0);
    q->limit_count = 2;
    assert_int_equal(dse_why_make(q, fixture.space, INFINITY, why, &err), DSE_OK);
    assert_true(why->together && isfinite(why->ratio));
    assert_int_equal(check_together(q, &why->nearest), 2);
    free(why);
    dse_space_free(asked.space);
}

/* ---- minimal conflicts, against every design ---- */

struct seen {
    double metrics[DSE_METRIC_COUNT];
    int64_t lanes;
    unsigned over; /* one bit per resource whose cap it exceeds */
};

struct sight {
    struct seen *designs;
    size_t count, room;
};

static void see_slice(struct sight *sight, const struct dse_plan *plan, const struct dse_slice *slice)
{
    uint64_t designs = slice->platform.clock_allowed ? 1 : 0;
    for (size_t g = 0; g < plan->group_count; g++)
        designs *= slice->groups[g].count;
    for (uint64_t d = 0; d < designs; d++) {
        struct dse_accumulators sums = {0};
        struct seen seen = {0};
        struct dse_config config;
        uint32_t rows[DSE_GROUP_MAX];
        uint64_t rest = d;
        for (size_t g = 0; g < plan->group_count; g++) {
            rows[g] = (uint32_t)(rest % slice->groups[g].count);
            dse_accumulators_combine(&sums, &slice->groups[g].sums[rows[g]]);
            rest /= slice->groups[g].count;
        }
        dse_derive(&slice->platform, &sums, seen.metrics);
        dse_slice_config(plan, slice, rows, &config);
        seen.lanes = config.value[NYSX_NEE_LANES];
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            seen.over |= (unsigned)(sums.resources[r] * slice->platform.units > slice->platform.capped[r]) << r;
        dse_list_room(&sight->designs, &sight->room, sight->count, sizeof *sight->designs);
        sight->designs[sight->count++] = seen;
    }
}

static void see(const struct dse_question *question, struct sight *sight)
{
    static struct dse_plan plan;
    struct dse_error err;
    void **work = NULL;
    assert_int_equal(dse_plan_make(question, false, &plan, &err), DSE_OK);
    assert_int_equal(dse_work_prepare(question, &work, &err), DSE_OK);
    for (uint64_t i = 0; i < plan.slices_per_alternative * question->alternative_count; i++) {
        struct dse_slice *slice = NULL;
        assert_int_equal(dse_slice_open(question, &plan, i, work, &slice, &err), DSE_OK);
        if (slice->size > 0)
            see_slice(sight, &plan, slice);
        dse_slice_drop(&slice);
    }
    dse_work_release(question, work);
}

/* The smallest of all designs' worst ratios, if all limits are upper bounds. */
static double least_excess(const struct dse_question *question)
{
    struct sight sight = {0};
    double least = INFINITY;
    see(question, &sight);
    for (size_t d = 0; d < sight.count; d++) {
        double worst = sight.designs[d].over != 0 ? INFINITY : 1.0;
        for (size_t i = 0; i < question->limit_count; i++)
            worst = fmax(worst, sight.designs[d].metrics[question->limits[i].metric] / question->limits[i].bound);
        least = fmin(least, worst);
    }
    free(sight.designs);
    return least;
}

static bool reason_holds(const struct dse_question *q, const struct dse_reason *reason, const struct seen *seen)
{
    switch (reason->kind) {
    case DSE_REASON_LIMIT: return dse_limit_holds(&q->limits[reason->which], seen->metrics[reason->metric]);
    case DSE_REASON_RESOURCE: return (seen->over >> reason->which & 1) == 0;
    case DSE_REASON_KNOB_LIMIT:
    case DSE_REASON_BLOCK:
    case DSE_REASON_CONDITION: break; /* reasons that are not searched */
    case DSE_REASON_KNOB: return seen->lanes == q->space->knobs[NYSX_NEE_LANES].domain[0];
    }
    return true;
}

/* The number of designs that meet all reasons but one of a conflict (0: all reasons), and their value nearest to a limit. */
static size_t count_holding(const struct dse_question *q, const struct dse_why *why, const struct sight *sight, size_t conflict,
                            size_t but, const struct dse_limit *limit, double *nearest)
{
    size_t count = 0;
    for (size_t d = 0; d < sight->count; d++) {
        bool holds = true;
        for (size_t i = 0; i < why->count && holds; i++)
            if (i != but && (conflict == 0 || why->reasons[i].conflict == conflict))
                holds = reason_holds(q, &why->reasons[i], &sight->designs[d]);
        if (!holds)
            continue;
        double value = limit != NULL ? sight->designs[d].metrics[limit->metric] : 0.0;
        if (limit != NULL && (count == 0 || (limit->at_least ? value > *nearest : value < *nearest)))
            *nearest = value;
        count++;
    }
    return count;
}

/* The text of one binding reason. */
static void check_reason(const struct dse_question *q, const struct dse_why *why, const struct sight *sight, size_t index)
{
    const struct dse_reason *reason = &why->reasons[index];
    const struct dse_limit *limit = reason->kind == DSE_REASON_LIMIT ? &q->limits[reason->which] : NULL;
    double nearest = NAN;
    assert_true(count_holding(q, why, sight, reason->conflict, index, NULL, NULL) > 0); /* the reason is necessary */
    if (reason->alone) { /* the reported value is the board's amount */
        size_t fits = 0;
        for (size_t d = 0; d < sight->count; d++) {
            double value = sight->designs[d].metrics[reason->metric];
            if (sight->designs[d].over == 0 && (fits++ == 0 || (limit->at_least ? value > nearest : value < nearest)))
                nearest = value;
        }
        assert_int_equal(reason->has_reachable, fits > 0);
        assert_true(fits == 0 || reason->reachable.metrics[reason->metric] == nearest);
    }
    size_t others = count_holding(q, why, sight, 0, index, limit, &nearest);
    assert_int_equal(reason->suffices, others > 0);
    if (reason->suffices && limit != NULL)
        assert_true(reason->best.metrics[reason->metric] == nearest);
}

/* Returns the number of reasons that bind. */
static size_t check_why(const struct dse_question *q, const struct dse_why *why, const struct sight *sight)
{
    size_t members = 0, held = 0;
    for (size_t c = 1; c <= why->conflicts; c++)
        assert_int_equal(count_holding(q, why, sight, c, SIZE_MAX, NULL, NULL), 0); /* no design meets all reasons of a conflict */
    for (size_t i = 0; i < why->count; i++)
        if (why->reasons[i].conflict > 0) {
            check_reason(q, why, sight, i);
            members++;
        } else if (why->reasons[i].kind == DSE_REASON_LIMIT) {
            assert_true(count_holding(q, why, sight, SIZE_MAX, i, NULL, NULL) > 0);
        }
    for (size_t d = 0; d < sight->count; d++) { /* without these reasons some design remains */
        bool holds = true;
        for (size_t i = 0; i < why->count; i++)
            holds = holds && (why->reasons[i].conflict > 0 || reason_holds(q, &why->reasons[i], &sight->designs[d]));
        held += holds;
    }
    assert_true(held > 0);
    return members;
}

/* Contradictory pairs of one metric, with no number between them; none is missing. Returns the number of pairs. */
static size_t check_contradictions(const struct dse_question *q, const struct dse_why *why)
{
    size_t pairs = 0, metrics = 0;
    for (size_t i = 0; i < why->count && why->reasons[0].contradicts; i += 2, pairs++) {
        const struct dse_reason *least = &why->reasons[i], *most = &why->reasons[i + 1];
        assert_true(least->conflict == pairs + 1 && most->conflict == pairs + 1 && least->metric == most->metric);
        assert_true(q->limits[least->which].at_least && !q->limits[most->which].at_least);
        assert_true(q->limits[least->which].bound > q->limits[most->which].bound);
    }
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        double least = -INFINITY, most = INFINITY;
        for (size_t i = 0; i < q->limit_count; i++)
            if ((int)q->limits[i].metric == m && q->limits[i].at_least)
                least = fmax(least, q->limits[i].bound);
            else if ((int)q->limits[i].metric == m)
                most = fmin(most, q->limits[i].bound);
        metrics += least > most;
    }
    assert_int_equal(pairs, metrics);
    return pairs;
}

/* A limit, upper or lower, whose bound is some design's value. */
static struct dse_limit random_limit(const struct sight *sight, struct dse_rng *rng)
{
    static const enum dse_metric metrics[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_DSP, DSE_METRIC_LUT,
                                              DSE_METRIC_BRAM18, DSE_METRIC_THROUGHPUT};
    enum dse_metric metric = metrics[dse_rng_below(rng, sizeof metrics / sizeof *metrics)];
    const struct seen *design = &sight->designs[dse_rng_below(rng, (uint32_t)sight->count)];
    static const double factor[] = {0.01, 0.7, 1.0, 1.4, 100.0};
    return dse_limit_of(metric, dse_rng_below(rng, 3) == 0, design->metrics[metric] * factor[dse_rng_below(rng, 5)]);
}

TEST(test_conflicts)
{
    struct asked asked;
    struct dse_rng rng;
    struct dse_error err;
    struct sight sight = {0};
    ask(&asked);
    struct dse_question *q = &asked.question;
    q->headroom = 0.6; /* the board's caps bind too */
    struct dse_space *whole = dse_malloc(sizeof *whole);
    struct dse_why *why = dse_malloc(sizeof *why);
    *whole = *asked.space;
    see(q, &sight);
    keep(asked.space, NYSX_NEE_LANES, 1);
    dse_rng_seed(&rng, 1017, 0);
    size_t infeasible = 0, of_kind[DSE_REASON_KNOB + 1] = {0}, several = 0, alone = 0, far = 0, conflicts = 0, contradictions = 0;
    for (int trial = 0; infeasible < 24 && trial < 200; trial++) {
        q->limit_count = 1 + dse_rng_below(&rng, 4);
        for (size_t i = 0; i < q->limit_count; i++)
            q->limits[i] = random_limit(&sight, &rng);
        if (outcome_of(dse_search_exact, q) == DSE_OUTCOME_FOUND)
            continue;
        infeasible++;
        assert_int_equal(dse_why_make(q, whole, INFINITY, why, &err), DSE_OK);
        if (check_contradictions(q, why) > 0) {
            contradictions++;
            continue;
        }
        several += check_why(q, why, &sight) > 1;
        conflicts += why->conflicts > 1;
        for (size_t i = 0; i < why->count; i++) {
            const struct dse_reason *reason = &why->reasons[i];
            of_kind[reason->kind] += reason->conflict > 0;
            alone += reason->alone;
            far += reason->kind == DSE_REASON_LIMIT && reason->suffices &&
                   q->limits[reason->which].at_least != dse_metrics[reason->metric].higher_is_better;
        }
    }
    print_message("%zu infeasible questions over %zu designs: %zu with several constraints that bind, %zu with several conflicts; "
                  "limits %zu (%zu impossible alone, %zu relaxed on their far side), caps %zu, knobs %zu; %zu contradict themselves\n", infeasible, sight.count,
                  several, conflicts, of_kind[DSE_REASON_LIMIT], alone, far, of_kind[DSE_REASON_RESOURCE], of_kind[DSE_REASON_KNOB], contradictions);
    assert_true(infeasible >= 10 && several > 0 && conflicts > 0 && alone > 0 && far > 0 && contradictions > 0 && of_kind[DSE_REASON_RESOURCE] > 0);
    free(sight.designs);
    free(whole);
    free(why);
    dse_space_free(asked.space);
}

TESTS(open_fixture, close_fixture)
