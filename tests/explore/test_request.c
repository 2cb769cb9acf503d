/* Requests filled in by a program, and the exploration's result. */

#include <string.h>

#include "explore/explore.h"
#include "tests/test.h"
#include "tests/worked.h"

TEST(test_words)
{
    struct dse_request request;
    struct dse_error err = {0};
    int64_t whole = 0;
    dse_request_init(&request);
    assert_int_equal(dse_request_add(&request, "objectivs", "latency", &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "objectivs: not a key of a request; did you mean objectives?");
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

/* The outcome of the search for MUTAG's fastest design with one more word. */
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

/* ---- explanations that take long ---- */

struct listener {
    uint64_t looks, stop_at; /* 0: never */
};

static bool listen(void *user)
{
    struct listener *listener = user;
    return ++listener->looks == listener->stop_at || (listener->stop_at > 0 && listener->looks > listener->stop_at);
}

/* 24 designs, and limits from both sides that are hard to decide with the full domains of the fixed knobs. */
static void explain_hard(const char *budget, size_t jobs, struct listener *listener, struct dse_explored *out)
{
    static const char *const fixes[] = {
        "nee.form", "codes", "landmarks", "sampling", "hops", "width", "propagation", "features", "lsh", "prototypes", "rank_tolerance",
        "retrain", "retrain.loop", "lshu.pe", "lshu.balance", "mphe.lookups", "hue.pe", "kse.pe", "kse.balance", "nee.precision",
        "nee.center", "nee.lanes", "nee.memory", "nee.port_bits", "nee.outstanding", "nee.fifo_depth", "sce.prototype_bits", "sce.pe",
        "sce.bits", "place.h", "place.codebook", "place.prototypes", "capacity", "units", "clock_mhz"};
    const struct dse_monitor monitor = {.cancelled = listen, .user = listener};
    struct dse_request request;
    struct dse_terms terms;
    struct dse_error err = {0};
    dse_request_init(&request);
    request.monitor = &monitor;
    request.jobs = jobs;
    assert_int_equal(dse_request_add(&request, "dataset", "MUTAG", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "where", "energy<=1.6mJ && latency<=1.02ms && dsp>=155 && bram18<=132 && power>=1.65W",
                                     &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "quality-drop", "0.081", &err), DSE_OK); /* settings slightly worse than the published training */
    for (size_t i = 0; i < sizeof fixes / sizeof *fixes; i++)
        assert_int_equal(dse_request_add(&request, "fix", fixes[i], &err), DSE_OK);
    if (budget != NULL)
        assert_int_equal(dse_request_add(&request, "budget", budget, &err), DSE_OK);
    assert_int_equal(dse_terms_read(&request, false, DSE_DEFAULT_OBJECTIVES, &terms, &err), DSE_OK);
    assert_int_equal(dse_explore(&request, &terms, "sweep", NULL, NULL, out, &err), DSE_OK);
    assert_int_equal(out->count, 1);
    dse_request_free(&request);
}

static void check_same(const struct dse_why *a, const struct dse_why *b)
{
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->conflicts, b->conflicts);
    assert_true(a->ratio == b->ratio);
    assert_memory_equal(&a->nearest.config, &b->nearest.config, sizeof a->nearest.config);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->reasons[i].conflict, b->reasons[i].conflict);
        assert_int_equal(a->reasons[i].stays, b->reasons[i].stays);
        assert_int_equal(a->reasons[i].unproven, b->reasons[i].unproven);
    }
}

/* The work (checks of the monitor) is bounded, and the findings are equal for any number of threads. */
TEST(test_effort)
{
    struct listener one = {0}, two = {0};
    struct dse_explored alone, together;
    explain_hard(NULL, 1, &one, &alone);
    explain_hard(NULL, 2, &two, &together);
    const struct dse_why *why = alone.each[0].why;
    print_message("%llu looks at the monitor\n", (unsigned long long)one.looks);
    assert_true(one.looks < 100000);
    assert_int_equal(why->end, DSE_WHY_EFFORT);
    assert_true(why->conflicts > 0 && why->has_nearest && why->together);
    check_same(why, together.each[0].why);
    assert_string_equal(alone.ended.message, "");
    dse_explored_free(&alone);
    dse_explored_free(&together);
}

/* An interruption at any time loses no findings, and is reported. */
TEST(test_interrupted)
{
    size_t explained = 0;
    for (uint64_t stop_at = 64; stop_at <= 4096; stop_at *= 2) {
        struct listener listener = {.stop_at = stop_at};
        struct dse_explored explored;
        explain_hard(NULL, 1, &listener, &explored);
        const struct dse_why *why = explored.each[0].why;
        assert_true(explored.interrupted);
        assert_true(explored.ended.message[0] != '\0');
        if (why != NULL) {
            assert_int_equal(why->end, DSE_WHY_INTERRUPTED);
            assert_int_equal(explored.each[0].answer.outcome, DSE_OUTCOME_NOTHING);
            assert_string_equal(explored.ended.message, "interrupted: nothing is feasible, which is proven; the explanation is partial");
            explained += why->has_nearest;
        }
        dse_explored_free(&explored);
    }
    print_message("%zu explanations were interrupted and have a nearest miss\n", explained);
    assert_true(explained >= 2);
}

/* The budget covers search and explanation together. On one thread, processor time is at most elapsed time. */
TEST(test_budget)
{
    struct listener listener = {0};
    struct dse_explored explored;
    double begin = worked_together_s();
    explain_hard("0.4s", 1, &listener, &explored);
    double worked = worked_together_s() - begin;
    const struct dse_why *why = explored.each[0].why; /* NULL where the machine was so busy that the search was not done */
    print_message("%.2f s of processor time\n", worked);
    assert_true(worked < 0.9);
    assert_true(why == NULL || why->end == DSE_WHY_BUDGET);
    assert_false(explored.interrupted);
    dse_explored_free(&explored);
}

/* Whether a limit needs more than the fewest units is decided within the budget; here every design meets the limit, in a large space. */
TEST(test_budget_of_units)
{
    struct dse_request request;
    struct dse_terms terms;
    struct dse_explored explored;
    struct dse_error err = {0};
    dse_request_init(&request);
    request.family = "hdreason";
    request.jobs = 1;
    assert_int_equal(dse_request_add(&request, "dataset", "FB15K-237", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "where", "throughput>=1/s", &err), DSE_OK);
    assert_int_equal(dse_request_add(&request, "budget", "0.2s", &err), DSE_OK);
    assert_int_equal(dse_terms_read(&request, false, DSE_DEFAULT_OBJECTIVES, &terms, &err), DSE_OK);
    double begin = worked_together_s();
    assert_int_equal(dse_explore(&request, &terms, "sweep", NULL, NULL, &explored, &err), DSE_OK);
    double worked = worked_together_s() - begin;
    print_message("%.2f s of processor time\n", worked);
    assert_true(worked < 0.6);
    assert_int_equal(explored.each[0].answer.outcome, DSE_OUTCOME_BUDGET);
    dse_explored_free(&explored);
    dse_request_free(&request);
}

TESTS(NULL, NULL)
