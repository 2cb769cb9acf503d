/* A request as any program fills it, and what an exploration comes to. */

#include <string.h>

#include "explore/explore.h"
#include "tests/test.h"

TEST(test_words)
{
    struct dse_request request;
    struct dse_error err = {0};
    int64_t whole = 0;
    dse_request_init(&request);
    assert_int_equal(dse_request_add(&request, "objectivs", "latency", &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "objectivs: no word of a request; did you mean objectives?");
    assert_int_equal(dse_request_add(&request, "fix", "kse.pe=2", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "fix", "kse.pe=4", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "seeds", "0", &err), DSE_OK);
    assert_int_equal(dse_request_count(&request, "fix"), 2);
    assert_string_equal(dse_request_word(&request, "fix"), "kse.pe=4");
    assert_string_equal(dse_request_word_at(&request, "fix", 0), "kse.pe=2");
    assert_null(dse_request_word_at(&request, "fix", 2));
    assert_int_equal(dse_request_assigned_once(&request, "fix", &err), DSE_BAD_USAGE);
    assert_int_equal(dse_request_integer(&request, "seeds", 1, 9, 3, &whole, &err), DSE_BAD_USAGE);
    assert_int_equal(dse_request_integer(&request, "runs", 1, 9, 3, &whole, &err), DSE_OK);
    assert_int_equal(whole, 3);
    assert_string_equal(dse_request_family(&request), "nysx");
    dse_request_free(&request);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

/* The outcome of the fastest design of MUTAG under a word more. */
static enum dse_outcome outcome_of(const char *word, const char *value, const struct dse_monitor *monitor)
{
    struct dse_request request;
    struct dse_terms terms;
    struct dse_explored explored;
    struct dse_error err = {0};
    dse_request_init(&request);
    request.monitor = monitor;
    assert_int_equal(dse_request_add(&request, "dataset", "MUTAG", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "minimize", "latency", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, word, value, &err), DSE_OK);
    assert_int_equal(dse_terms_read(&request, true, NULL, &terms, &err), DSE_OK);
    enum dse_status status = dse_explore(&request, &terms, "optimize", NULL, NULL, &explored, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, DSE_OK);
    assert_int_equal(explored.count, 1);
    const struct dse_exploration *e = &explored.each[0];
    enum dse_outcome outcome = e->answer.outcome;
    assert_int_equal(explored.answered, outcome == DSE_OUTCOME_FOUND);
    assert_int_equal(e->front.count, outcome == DSE_OUTCOME_FOUND);
    assert_int_equal(e->ended.message[0] != '\0', outcome != DSE_OUTCOME_FOUND);
    assert_int_equal(e->why != NULL, outcome == DSE_OUTCOME_NOTHING);
    assert_int_equal(explored.interrupted, outcome == DSE_OUTCOME_INTERRUPTED);
    dse_explored_free(&explored);
    dse_request_free(&request);
    return outcome;
}

TEST(test_outcomes)
{
    const struct dse_monitor cancelled = {.cancelled = always};
    assert_int_equal(outcome_of("where", "bram18<=50%", NULL), DSE_OUTCOME_FOUND);
    assert_int_equal(outcome_of("where", "latency<=1ns", NULL), DSE_OUTCOME_NOTHING);
    assert_int_equal(outcome_of("budget", "1us", NULL), DSE_OUTCOME_BUDGET);
    assert_int_equal(outcome_of("where", "bram18<=50%", &cancelled), DSE_OUTCOME_INTERRUPTED);
}

TESTS(NULL, NULL)
