/* Every method ends within half a second of its own processor time after an interruption, in every phase: the time between two checks of the monitor,
 * and from the check that finds the interruption to the return. Processor time is measured, so that a busy machine causes no failure. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/nysx/nysx.h"
#include "search/heuristic.h"
#include "search/ilp.h"
#include "search/why.h"
#include "tests/models/opened.h"
#include "tests/test.h"
#include "tests/worked.h"

#define ANSWER_S 0.5

/* Receives all checks of the monitor; cancels from number `stop_at` on. */
struct listener {
    uint64_t looks, stop_at;
    double last_s, longest_s; /* between two checks */
    double stopped_s;         /* time of the first cancelled check */
};

static bool listen(void *user)
{
    struct listener *listener = user;
    double now = worked_together_s();
    listener->longest_s = fmax(listener->longest_s, now - listener->last_s);
    listener->last_s = now;
    if (++listener->looks == listener->stop_at)
        listener->stopped_s = now;
    return listener->looks >= listener->stop_at;
}

typedef enum dse_status attempt(const struct dse_question *question, struct dse_error *err);

static enum dse_status try_exact(const struct dse_question *question, struct dse_error *err)
{
    struct dse_answer answer;
    enum dse_status status = dse_search_exact(question, &answer, err);
    dse_answer_free(&answer);
    return status;
}

static enum dse_status try_exhaustive(const struct dse_question *question, struct dse_error *err)
{
    struct dse_answer answer;
    enum dse_status status = dse_search_exhaustive(question, &answer, err);
    dse_answer_free(&answer);
    return status;
}

static enum dse_status try_ilp(const struct dse_question *question, struct dse_error *err)
{
    struct dse_optimum optimum;
    struct dse_question one = *question;
    one.objectives[0] = DSE_METRIC_ENERGY;
    one.objective_count = 1;
    return dse_search_ilp(&one, NULL, &optimum, err);
}

static enum dse_status try_power(const struct dse_question *question, struct dse_error *err)
{
    struct dse_optimum optimum;
    struct dse_question one = *question;
    one.objectives[0] = DSE_METRIC_POWER;
    one.objective_count = 1;
    one.limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, 50e-6);
    one.limit_count = 1;
    return dse_search_ilp(&one, NULL, &optimum, err);
}

/* Six objectives: wide parts, in the command line's order. */
static enum dse_status try_wide(const struct dse_question *question, struct dse_error *err)
{
    static const enum dse_metric six[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18,
                                          DSE_METRIC_DSP,     DSE_METRIC_LUT,    DSE_METRIC_FF};
    struct dse_question wide = *question;
    memcpy(wide.objectives, six, sizeof six);
    wide.objective_count = sizeof six / sizeof *six;
    return try_exact(&wide, err);
}

/* A reverse limit: few vectors can be compared. */
static enum dse_status try_reverse(const struct dse_question *question, struct dse_error *err)
{
    struct dse_question reverse = *question;
    reverse.limits[0] = dse_limit_of(DSE_METRIC_ENERGY, true, 40e-6);
    reverse.limit_count = 1;
    return try_exact(&reverse, err);
}

/* Ends orderly when interrupted, with the findings so far. */
static enum dse_status try_heuristic(const struct dse_question *question, struct dse_error *err)
{
    struct dse_answer answer;
    struct dse_effort effort = {.seed = 1, .evaluations = 20000000, .seconds = INFINITY};
    enum dse_status status = dse_search_heuristic(question, &effort, &answer, err);
    assert_true(answer.evaluated < effort.evaluations);
    assert_false(answer.proven);
    dse_answer_free(&answer);
    return status == DSE_OK ? dse_fail_cancelled(err) : status;
}

static enum dse_status try_why(const struct dse_question *question, struct dse_error *err)
{
    struct dse_question impossible = *question;
    struct dse_why *why = malloc(sizeof *why);
    assert_non_null(why);
    impossible.limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, 1e-7);
    impossible.limits[1] = dse_limit_of(DSE_METRIC_LUT, false, 20000.0);
    impossible.limit_count = 2;
    enum dse_status status = dse_why_make(&impossible, fixture.space, INFINITY, why, err);
    if (status == DSE_OK && why->end == DSE_WHY_INTERRUPTED)
        status = dse_fail_cancelled(err);
    free(why);
    return status;
}

static void check(const char *name, attempt *method, const struct dse_question *question)
{
    uint64_t interrupted = 0;
    for (uint64_t stop_at = 1; stop_at <= 1000; stop_at *= 10) {
        struct listener listener = {.stop_at = stop_at, .last_s = worked_together_s()};
        struct dse_monitor monitor = {.cancelled = listen, .user = &listener};
        struct dse_question asked = *question;
        struct dse_error err = {0};
        asked.monitor = &monitor;
        enum dse_status status = method(&asked, &err);
        if (listener.looks < stop_at)
            break; /* the search finished before the interruption */
        assert_int_equal(status, DSE_CANCELLED);
        assert_string_equal(err.message, "interrupted: no result yet; repeat the command, which keeps finished surveys");
        double answered_s = listener.longest_s + worked_together_s() - listener.stopped_s;
        if (answered_s > ANSWER_S)
            fail_msg("%s: answered after %.2f s at look %llu", name, answered_s, (unsigned long long)stop_at);
        interrupted++;
    }
    assert_true(interrupted >= 3);
    print_message("%s: interrupted at %llu of its looks\n", name, (unsigned long long)interrupted);
}

/* On the whole space, so that every phase is long enough to be interrupted. */
TEST(test_all)
{
    static const struct {
        const char *name;
        attempt *method;
    } methods[] = {{"exact", try_exact}, {"exhaustive", try_exhaustive}, {"ilp", try_ilp}, {"heuristic", try_heuristic},
                   {"why", try_why}, {"six objectives", try_wide}, {"a limit from the wrong side", try_reverse},
                   {"least power by integer programs", try_power}};
    struct dse_alternative alternative = {.workload = fixture.workload, .quality = 0.8};
    dse_space_default(fixture.space, &alternative.config);
    struct dse_question question = {.family = fixture.setup.family, .space = fixture.space, .board = fixture.board,
                                    .costs = fixture.costs, .headroom = -1.0, .alternatives = &alternative,
                                    .alternative_count = 1, .jobs = 1,
                                    .objectives = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18},
                                    .objective_count = 3};
    question.free = dse_bits_without(dse_space_of_kind(fixture.space, DSE_KNOB_HARDWARE), dse_space_of_kind(fixture.space, DSE_KNOB_ALGORITHMIC));
    dse_space_default(fixture.space, &question.base);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        check(methods[i].name, methods[i].method, &question);
}

TESTS(open_fixture, close_fixture)
