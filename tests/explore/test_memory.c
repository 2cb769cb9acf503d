/* Memory that runs out when a search's time is over already is a failure, not the end of its budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
    assert_int_equal(status, failed ? DSE_LIMIT : DSE_OK);
    if (failed)
        assert_string_equal(err.message, "out of memory");
    else
        assert_int_equal(e.answer.outcome, DSE_OUTCOME_BUDGET);
    dse_exploration_free(&e);
    return failed;
}

static void test_budget_and_memory(void **state)
{
    (void)state;
    struct dse_request request;
    struct dse_terms terms;
    struct dse_workbench bench;
    struct dse_error err = {0};
    dse_request_init(&request);
    request.jobs = 1;
    assert_int_equal(dse_request_add(&request, "dataset", "MUTAG", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "minimize", "latency", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "method", "exact", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "budget", "1us", &err), DSE_OK);
    assert_int_equal(dse_terms_read(&request, true, NULL, &terms, &err), DSE_OK);
    assert_int_equal(dse_workbench_open(&request, &bench, &err), DSE_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_budget_and_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
