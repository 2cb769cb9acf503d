/* Reports of a simulation's cycles. */

#include "reports/simulation.h"
#include "tests/test.h"

/* By nearest rank: of 1 to 200 the 100th, the 190th, the 198th; of 1 to 10 the 5th and, rounded up, the last. */
TEST(test_percentiles)
{
    uint64_t cycles[200];
    for (size_t i = 0; i < 200; i++)
        cycles[i] = 200 - i;
    struct dse_cycles_spread spread = dse_cycles_spread(cycles, 200);
    assert_true(spread.mean == 100.5);
    assert_int_equal(spread.p50, 100);
    assert_int_equal(spread.p95, 190);
    assert_int_equal(spread.p99, 198);
    assert_int_equal(spread.most, 200);
    spread = dse_cycles_spread(cycles, 10);
    assert_int_equal(spread.p50, 5);
    assert_int_equal(spread.p95, 10);
    assert_int_equal(dse_cycles_spread(cycles, 0).most, 0);
}

TESTS(NULL, NULL)
