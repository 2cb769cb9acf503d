/* The order of a front and which of its rows are shown, by hand. */

#include <math.h>

#include "explore/front.h"
#include "tests/test.h"

/* Product of the ratios to the best. The first design has 2 x 1, for half the throughput. The second has 1.5 x 1, for 1.5 times the latency.
 * The third has 3 x 1.25 x 2. If the best has none of a resource, one counts as twice as many. */
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

/* The most accurate design has the highest mean: not a faster design within one standard error, nor a higher mean over fewer splits. */
TEST(test_most_accurate)
{
    double scores[10] = {0};
    struct dse_quality qualities[] = {{.mean = 0.823, .std = 0.03, .n = 10, .validation = scores, .validation_count = 10},
                                      {.mean = 0.816, .std = 0.03, .n = 10, .validation = scores, .validation_count = 10},
                                      {.mean = 0.828, .std = 0.03, .n = 3, .validation = scores, .validation_count = 3}};
    const struct dse_quality *of[] = {&qualities[0], &qualities[1], &qualities[2]};
    struct dse_point points[3] = {0};
    struct dse_standard standard = {.majority = NAN, .preset = NAN, .floor = -INFINITY};
    struct dse_corners corners;
    char label[DSE_CORNER_MEANING], name[] = "accuracy";
    int64_t limits[DSE_RESOURCE_COUNT];
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        limits[r] = 100;
    for (size_t i = 0; i < 3; i++) {
        points[i].metrics[DSE_METRIC_LATENCY] = points[i].metrics[DSE_METRIC_ENERGY] = 3.0 - (double)i;
        points[i].metrics[DSE_METRIC_LUT] = 30.0 - 10.0 * (double)i;
        points[i].metrics[DSE_METRIC_QUALITY] = qualities[i].mean;
    }
    const struct dse_question question = {.objectives = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY}, .objective_count = 3};
    dse_corners_among(&question, limits, &standard, points, of, 3, &corners);
    assert_true(corners.best == &qualities[0]);
    assert_int_equal(corners.at[DSE_CORNER_MOST_ACCURATE], 0);
    assert_int_equal(corners.at[DSE_CORNER_BALANCED], 1);
    assert_int_equal(corners.at[DSE_CORNER_SMALLEST], 2);
    assert_string_equal(dse_corner_meaning(&corners, DSE_CORNER_FASTEST, label), "fastest"); /* without a rule */
    standard.floor = 0.8;
    qualities[0].name = name;
    dse_corners_among(&question, limits, &standard, points, of, 3, &corners);
    assert_string_equal(dse_corner_meaning(&corners, DSE_CORNER_FASTEST, label), "fastest with accuracy of at least 0.800");
    assert_string_equal(dse_corner_meaning(&corners, DSE_CORNER_BALANCED, label), "balanced: least latency × energy within 1 SE of the best accuracy");
}

/* Corners follow the boundary of the objectives: the kernel's if it is named, else the system's. */
TEST(test_boundaries)
{
    static const struct {
        enum dse_metric objectives[3];
        size_t balanced, fastest, least_energy;
    } cases[] = {{{DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY}, 0, 0, 1},
                 {{DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_QUALITY}, 2, 2, 3},
                 {{DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_THROUGHPUT, DSE_METRIC_LUT}, 3, 0, 3},
                 {{DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_ENERGY_SYSTEM}, 0, 0, 1}};
    static const double latency[] = {1, 4, 3, 4}, energy[] = {2, 1, 4, 3}, of_system[] = {9, 8, 1, 7}, of_item[] = {9, 7, 5, 1.5}; /* by design */
    const struct dse_standard standard = {.majority = NAN, .preset = NAN, .floor = -INFINITY};
    const struct dse_quality *none[4] = {NULL};
    struct dse_point points[4] = {0};
    int64_t limits[DSE_RESOURCE_COUNT];
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        limits[r] = 100;
    for (size_t i = 0; i < 4; i++) {
        points[i].metrics[DSE_METRIC_LATENCY] = latency[i];
        points[i].metrics[DSE_METRIC_ENERGY] = energy[i];
        points[i].metrics[DSE_METRIC_LATENCY_SYSTEM] = of_system[i];
        points[i].metrics[DSE_METRIC_ENERGY_SYSTEM] = of_item[i];
        points[i].metrics[DSE_METRIC_LUT] = 10.0 + 10.0 * (double)i;
    }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct dse_question question = {.objective_count = 3};
        struct dse_corners corners;
        memcpy(question.objectives, cases[c].objectives, sizeof cases[c].objectives);
        dse_corners_among(&question, limits, &standard, points, none, 4, &corners);
        assert_int_equal(corners.at[DSE_CORNER_FASTEST], cases[c].fastest);
        assert_int_equal(corners.at[DSE_CORNER_LEAST_ENERGY], cases[c].least_energy);
        assert_int_equal(corners.at[DSE_CORNER_BALANCED], cases[c].balanced);
    }
}

TESTS(NULL, NULL)
