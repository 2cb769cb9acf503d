/* The order of a front and which of its rows are shown, by hand. */

#include "explore/front.h"
#include "tests/test.h"

/* Times worse than the best, multiplied: the first design is 2 x 1 for half the throughput, the second 1.5 x 1 for half as much
 * latency again, the third 3 x 1.25 x 2. Of a resource that the best has none of, one is twice as many. */
TEST(test_balance)
{
    struct dse_point points[3] = {0};
    struct dse_question question = {.objectives = {DSE_METRIC_LATENCY, DSE_METRIC_THROUGHPUT, DSE_METRIC_URAM}, .objective_count = 2};
    struct dse_answer answer = {.front = points, .front_count = 3};
    static const double latency[] = {1e-6, 1.5e-6, 3e-6}, throughput[] = {4e5, 8e5, 6.4e5}, uram[] = {0.0, 1.0, 0.0};
    size_t order[3];
    for (size_t i = 0; i < 3; i++) {
        points[i].metrics[DSE_METRIC_LATENCY] = latency[i];
        points[i].metrics[DSE_METRIC_THROUGHPUT] = throughput[i];
        points[i].metrics[DSE_METRIC_URAM] = uram[i];
    }
    dse_front_balance(&question, &answer, order);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 0);
    assert_int_equal(order[2], 2);
    question.objective_count = 3; /* 2, 1.5 x 2 and 3.75 */
    dse_front_balance(&question, &answer, order);
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 2);
}

/* Four of ten rows: the first, the last, and two between at equal steps. */
TEST(test_rows_are_spread)
{
    for (size_t row = 0; row < 4; row++)
        assert_int_equal(dse_front_picked(10, 4, row), 3 * row);
    assert_int_equal(dse_front_picked(10, 1, 0), 0);
}

TESTS(NULL, NULL)
