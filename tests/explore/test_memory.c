/* Memory that runs out when a search's time is over already is a failure, not the end of its budget; a front is told whole or not at
 * all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "explore/explore.h"
#include "tests/failing_memory.h"

#define MANY 1000000
#define ENDS 40

static long left; /* allocations that would still have succeeded */

/* Answers with one allocation failing, `calls` behind the beginning of the search; whether it came to that. The budget is over
 * before the search has looked at anything. */
static bool fails_at(const struct dse_request *request, const struct dse_terms *terms, const struct dse_workbench *bench,
                     long calls)
{
    struct dse_exploration e;
    struct dse_error err = {0};
    assert_int_equal(dse_exploration_open(request, terms, bench, 0, NULL, &e, &err), DSE_OK);
    calls_left = calls;
    enum dse_status status = dse_exploration_answer(&e, &err);
    bool failed = calls_left < 0;
    left = calls_left;
    calls_left = -1;
    dse_memory_lost(true);
    assert_int_equal(status, failed ? DSE_LIMIT : DSE_OK);
    if (failed)
        assert_string_equal(err.message, "out of memory");
    else
        assert_int_equal(e.answer.outcome, DSE_OUTCOME_BUDGET);
    dse_exploration_free(&e);
    return failed;
}

/* A question that opens with its workbench; both borrow `request`. */
static void ask(struct dse_request *request, const char *const (*words)[2], size_t count, bool one, struct dse_terms *terms,
                struct dse_workbench *bench)
{
    struct dse_error err = {0};
    dse_request_init(request);
    request->jobs = 1;
    for (size_t i = 0; i < count; i++)
        assert_int_equal(dse_request_add(request, words[i][0], words[i][1], &err), DSE_OK);
    assert_int_equal(dse_terms_read(request, one, NULL, terms, &err), DSE_OK);
    assert_int_equal(dse_workbench_open(request, bench, &err), DSE_OK);
}

static void test_budget_and_memory(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"dataset", "MUTAG"}, {"minimize", "latency"}, {"method", "exact"}, {"budget", "1us"}};
    struct dse_request request;
    struct dse_terms terms;
    struct dse_workbench bench;
    ask(&request, words, sizeof words / sizeof *words, true, &terms, &bench);
    assert_false(fails_at(&request, &terms, &bench, MANY));
    const long all = MANY - left;
    assert_true(all > 2 * ENDS); /* it has allocated that often after its deadline */
    for (long i = 0; i < ENDS; i++) {
        assert_true(fails_at(&request, &terms, &bench, i));
        assert_true(fails_at(&request, &terms, &bench, all - 1 - i));
    }
    dse_workbench_close(&bench);
    dse_request_free(&request);
}

/* A search by the heuristic ends with its answer or without memory, whichever of its allocations fails: those of its history too. */
static void test_heuristic_and_memory(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"dataset", "MUTAG"}, {"minimize", "latency"}, {"method", "heuristic"}, {"budget", "300"}};
    struct dse_request request;
    struct dse_terms terms;
    struct dse_workbench bench;
    struct dse_error err = {0};
    ask(&request, words, sizeof words / sizeof *words, true, &terms, &bench);
    size_t failures = 0;
    for (bool failed = true; failed; failures += failed) {
        struct dse_exploration e;
        assert_int_equal(dse_exploration_open(&request, &terms, &bench, 0, NULL, &e, &err), DSE_OK);
        calls_left = (long)failures;
        enum dse_status status = dse_exploration_answer(&e, &err);
        failed = calls_left < 0;
        calls_left = -1;
        dse_memory_lost(true);
        assert_true(status == DSE_LIMIT ? failed : status == DSE_OK && e.answer.front_count == 1);
        dse_exploration_free(&e);
    }
    assert_true(failures > ENDS);
    dse_workbench_close(&bench);
    dse_request_free(&request);
}

/* Whether two fronts say the same of each design. */
static bool is_told(const struct dse_front *a, const struct dse_front *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const struct dse_design *x = &a->designs[i], *y = &b->designs[i];
        same = x->quality == y->quality && x->chance == y->chance && a->order[i] == b->order[i];
    }
    return same && memcmp(a->corners.at, b->corners.at, sizeof a->corners.at) == 0;
}

/* Each allocation of telling a front of several settings fails once. */
static void test_front_is_told_whole(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"dataset", "MUTAG"}, {"objectives", "latency,energy,error"},
                                           {"where", "nee.lanes<=32 && lshu.pe=4 && clock_mhz=300 && nee.port_bits=512"}};
    struct dse_request request;
    struct dse_terms terms;
    struct dse_workbench bench;
    struct dse_exploration e;
    struct dse_error err = {0};
    ask(&request, words, sizeof words / sizeof *words, false, &terms, &bench);
    assert_int_equal(dse_exploration_open(&request, &terms, &bench, 0, NULL, &e, &err), DSE_OK);
    assert_int_equal(dse_exploration_answer(&e, &err), DSE_OK);
    assert_int_equal(dse_exploration_evaluate(&e, &err), DSE_OK);
    struct dse_front whole = e.front;
    assert_true(whole.count > 1 && whole.common_count > 1);
    size_t failures = 0;
    for (bool failed = true; failed; failures += failed) {
        e.front = (struct dse_front){0};
        calls_left = (long)failures;
        enum dse_status status = dse_exploration_evaluate(&e, &err);
        failed = calls_left < 0;
        calls_left = -1;
        dse_memory_lost(true);
        assert_true(status == DSE_OK ? is_told(&e.front, &whole) : status == DSE_LIMIT && failed);
        dse_front_free(&e.front);
    }
    assert_true(failures > whole.common_count);
    e.front = whole;
    dse_exploration_free(&e);
    dse_workbench_close(&bench);
    dse_request_free(&request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_budget_and_memory), cmocka_unit_test(test_heuristic_and_memory),
                                       cmocka_unit_test(test_front_is_told_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
