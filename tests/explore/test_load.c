/* The queue simulation against closed forms, and by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/percentile.h"
#include "explore/load.h"
#include "tests/test.h"

static struct dse_load_result simulate(struct dse_load load)
{
    struct dse_load_result out;
    struct dse_error err;
    load.units = load.units > 0 ? load.units : 1;
    load.batch = load.batch > 0 ? load.batch : 1;
    assert_int_equal(dse_load_simulate(&load, NULL, &out, &err), DSE_OK);
    return out;
}

static void within(double value, double expected, double share)
{
    if (!(fabs(value / expected - 1.0) <= share))
        fail_msg("%.9g where the closed form has %.9g", value, expected);
}

/* M/D/1: W = ρ S / (2 (1 − ρ)). */
TEST(test_constant_service)
{
    for (int i = 1; i <= 9; i += 2) {
        double rho = 0.1 * i, service = 2e-6;
        struct dse_load_result found = simulate((struct dse_load){.rate_hz = rho / service, .service_s = &service, .service_count = 1, .seed = 7});
        within(found.mean_s, service + rho * service / (2.0 * (1.0 - rho)), 0.01);
        within(found.formula_s, service + rho * service / (2.0 * (1.0 - rho)), 1e-12);
        within(found.utilisation, rho, 0.01);
        assert_true(found.p50_s <= found.p99_s && found.p99_s <= found.p999_s && found.p50_s >= service * (1.0 - 1e-9)); /* except rounding of large times */
    }
}

/* M/G/1 by Pollaczek and Khinchine, of two service times and a launch; and M/M/1, whose sojourn is exponential: p = −ln(1 − share) · mean. */
TEST(test_general_service)
{
    static const double two[] = {1e-6, 1e-6, 1e-6, 9e-6};
    double launch = 2e-6, mean = 5e-6, square = 0.75 * 9e-12 + 0.25 * 121e-12;
    for (int i = 2; i <= 8; i += 3) {
        double rate = 0.1 * i / mean;
        struct dse_load_result found = simulate((struct dse_load){.rate_hz = rate, .service_s = two, .service_count = 4, .launch_s = launch, .seed = 8});
        within(found.mean_s, mean + rate * square / (2.0 * (1.0 - rate * mean)), 0.01);
        within(found.formula_s, mean + rate * square / (2.0 * (1.0 - rate * mean)), 1e-12);
    }
    enum { MANY = 100000 };
    double *exponential = malloc(MANY * sizeof *exponential);
    assert_non_null(exponential);
    for (size_t i = 0; i < MANY; i++)
        exponential[i] = -log1p(-((double)i + 0.5) / MANY);
    struct dse_load_result found = simulate((struct dse_load){.rate_hz = 0.7, .service_s = exponential, .service_count = MANY, .seed = 9});
    within(found.mean_s, 1.0 / 0.3, 0.01);
    within(found.p50_s, log(2.0) / 0.3, 0.01);
    within(found.p99_s, log(100.0) / 0.3, 0.015);
    within(found.p999_s, log(1000.0) / 0.3, 0.03);
    free(exponential);
}

/* Several units, against Erlang's formula of M/M/2: T = 1 / (μ (1 − ρ²)). */
TEST(test_units)
{
    enum { MANY = 100000 };
    double *exponential = malloc(MANY * sizeof *exponential);
    assert_non_null(exponential);
    for (size_t i = 0; i < MANY; i++)
        exponential[i] = -log1p(-((double)i + 0.5) / MANY);
    struct dse_load_result found = simulate((struct dse_load){.rate_hz = 1.4, .service_s = exponential, .service_count = MANY, .units = 2, .seed = 10});
    within(found.mean_s, 1.0 / (1.0 - 0.49), 0.01);
    within(found.utilisation, 0.7, 0.01);
    assert_true(isnan(found.formula_s));
    free(exponential);
}

/* By hand: a launch of 10 and 1 for each item, at most two per launch. Items at 0, 1, 2, 3 and 50: the first goes alone (0 to 11). Two wait for the host
 * and go together (10 to 22), then one (20 to 31), then one (50 to 61). */
TEST(test_batches)
{
    static const double times[] = {0.0, 1.0, 2.0, 3.0, 50.0}, one = 1.0;
    struct dse_load_result found = simulate((struct dse_load){.rate_hz = 0.1, .arrivals = times, .arrival_count = 5, .service_s = &one, .service_count = 1,
                                                              .launch_s = 10.0, .batch = 2});
    within(found.mean_s, (11.0 + 21.0 + 20.0 + 28.0 + 11.0) / 5.0, 1e-12);
    within(found.utilisation, 5 * 5.0 / 61.0, 1e-12); /* share of the host, at 5 per item of a full launch */
    within(found.items_per_launch, 5.0 / 4.0, 1e-12);
    within(found.p50_s, 20.0, 1e-12);
}

/* Times of a file faster than the units: the queue grows until the last arrival, and each unit works all the time, whatever service times the items draw. */
TEST(test_overloaded_times)
{
    enum { MANY = 301 };
    static const double two[] = {1.0, 9.0};
    double arrivals[MANY];
    for (size_t i = 0; i < MANY; i++)
        arrivals[i] = (double)i;
    struct dse_load load = {.rate_hz = 1.0, .arrivals = arrivals, .arrival_count = MANY, .service_s = two, .service_count = 2};
    bool faster = false;
    for (load.seed = 1; load.seed < 20; load.seed++) {
        struct dse_load_result found = simulate(load);
        within(found.utilisation, 1.0, 1e-12);
        assert_true(found.utilisation <= 1.0 && found.state == DSE_LOAD_IS_OVER && found.p999_s > 500.0 && isfinite(found.p999_s));
        faster |= found.p999_s < 5.0 * (MANY - 1) - (MANY - 1); /* draws below the mean */
        struct dse_error err;
        assert_int_equal(dse_load_verdict(&found, "items", &err), DSE_OK);
        load.batch = 8;
        load.overlap = 0.5;
        found = simulate(load);
        assert_true(found.utilisation > 0.95 && found.utilisation <= 1.0);
        load.batch = 0;
        load.overlap = 0.0;
    }
    assert_true(faster);
}

/* A limit is met at the 99th percentile itself and broken just below it. */
TEST(test_limit)
{
    double service[DSE_LOAD_QUANTILES];
    dse_load_quantiles(14e-6, 22e-6, service, DSE_LOAD_QUANTILES);
    for (size_t units = 1; units <= 2; units++) {
        struct dse_load load = {.rate_hz = 20e3, .service_s = service, .service_count = DSE_LOAD_QUANTILES, .launch_s = 20e-6, .units = units, .seed = 7};
        const struct dse_load_result whole = simulate(load);
        struct dse_load_limit limit = {.p99_s = whole.p99_s};
        load.limit = &limit;
        assert_true(simulate(load).p99_s == whole.p99_s);
        limit.p99_s = nextafter(whole.p99_s, 0.0);
        const struct dse_load_result broken = simulate(load);
        assert_true(isinf(broken.p99_s) && broken.state == DSE_LOAD_IS_STEADY && broken.saturation_hz == whole.saturation_hz);
        free(limit.drawn);
    }
}

/* By hand: a run answers up to three items in a launch of 1 and a kernel of 4. The first item has a run of its own (0 to 5). The three items that wait
 * share a run (5 to 10). The two items behind them share the next run (10 to 15). With two runs per launch the five go together, and the second run follows the first. */
TEST(test_runs_of_items)
{
    static const double arrivals[] = {0.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const double kernel = 4.0;
    struct dse_load load = {.rate_hz = 0.1, .arrivals = arrivals, .arrival_count = 6, .service_s = &kernel, .service_count = 1, .launch_s = 1.0, .items = 3};
    struct dse_load_result one = simulate(load);
    within(one.mean_s, (5.0 + 3 * 9.0 + 2 * 14.0) / 6.0, 1e-12);
    within(one.capacity_hz, 3.0 / 5.0, 1e-12);
    within(one.items_per_launch, 2.0, 1e-12);
    assert_true(isnan(one.formula_s));
    load.batch = 2; /* a queue: the second launch is prepared from 1 to 2, and its runs are from 5 to 13 */
    struct dse_load_result two = simulate(load);
    within(two.mean_s, (5.0 + 5 * 12.0) / 6.0, 1e-12);
    within(two.capacity_hz, 3.0 / 4.0, 1e-12);
    within(two.utilisation, 6.0 / (0.75 * 13.0), 1e-12);
}

TEST(test_words)
{
    static const struct {
        const char *text;
        double rate;
        enum dse_status status;
    } cases[] = {{"50k/s", 5e4, DSE_OK},  {"2 MHz", 2e6, DSE_OK},        {"0.5/s", 0.5, DSE_OK},      {"0/s", 0.0, DSE_BAD_USAGE},
                 {"-1k/s", 0.0, DSE_BAD_USAGE}, {"5 ms", 0.0, DSE_BAD_USAGE}, {"k/s", 0.0, DSE_BAD_USAGE}, {"", 0.0, DSE_BAD_USAGE}};
    struct dse_error err;
    double rate = 0.0, *arrivals = NULL, over = 1.0;
    size_t count = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dse_load_read("rate", cases[i].text, &rate, &arrivals, &count, &err), cases[i].status);
        if (cases[i].status == DSE_OK)
            within(rate, cases[i].rate, 1e-12);
    }
    char path[] = "/tmp/nysx-load-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(dse_file_write(path, "# seconds\n0\n0.5\n0.5\n2\n", 23, &err), DSE_OK);
    assert_int_equal(dse_load_read("rate", path, &rate, &arrivals, &count, &err), DSE_OK);
    assert_int_equal(count, 4);
    within(rate, 1.5, 1e-12);
    free(arrivals);
    static const char *const clocks[] = {"-7\n-6.5\n-4\n", "1700000000\n1700000000.5\n1700000003\n"};
    for (size_t i = 0; i < 2; i++) { /* only the times between arrivals count */
        static const double kernel = 1e-6;
        assert_int_equal(dse_file_write(path, clocks[i], strlen(clocks[i]), &err), DSE_OK);
        assert_int_equal(dse_load_read("rate", path, &rate, &arrivals, &count, &err), DSE_OK);
        within(simulate((struct dse_load){.rate_hz = rate, .arrivals = arrivals, .arrival_count = count, .service_s = &kernel, .service_count = 1}).p999_s, kernel, 1e-9);
        assert_true(rate == 2.0 / 3.0);
        free(arrivals);
    }
    assert_int_equal(dse_file_write(path, "0\n2\n1\n", 6, &err), DSE_OK);
    assert_int_equal(dse_load_read("rate", path, &rate, &arrivals, &count, &err), DSE_BAD_INPUT);
    assert_non_null(strstr(err.message, ":3:"));
    unlink(path);
    struct dse_load_result out;
    const struct dse_load full = {.rate_hz = 1.0, .service_s = &over, .service_count = 1, .batch = 1, .units = 1};
    assert_int_equal(dse_load_simulate(&full, NULL, &out, &err), DSE_OK);
    assert_true(out.state == DSE_LOAD_IS_OVER && isinf(out.p50_s) && out.utilisation == 1.0);
    assert_int_equal(dse_load_verdict(&out, "items", &err), DSE_ANSWER_NO);
}

/* By hand: two units, whose kernels take 2, share a host that takes 3 per launch. Launches begin at 0, 3, 6 and 9, although a unit is free at 5.
 * With a single unit they begin at 0, 5, 10 and 15. */
TEST(test_shared_host)
{
    static const double at_once[] = {0.0, 0.0, 0.0, 0.0};
    const double kernel = 2.0;
    struct dse_load load = {.arrivals = at_once, .arrival_count = 4, .rate_hz = 1.0, .service_s = &kernel, .service_count = 1, .launch_s = 3.0, .units = 2};
    struct dse_load_result two = simulate(load);
    within(two.mean_s, (5.0 + 8.0 + 11.0 + 14.0) / 4.0, 1e-12);
    within(two.capacity_hz, 1.0 / 3.0, 1e-12);
    within(two.utilisation, 12.0 / 14.0, 1e-12); /* share of the host, which is the limit: the units work for 20 of 28 */
    assert_string_equal(dse_load_limits[two.limit], "host");
    load.units = 1;
    struct dse_load_result one = simulate(load);
    within(one.mean_s, (5.0 + 10.0 + 15.0 + 20.0) / 4.0, 1e-12);
    within(one.capacity_hz, 1.0 / 5.0, 1e-12);
    assert_string_equal(dse_load_limits[one.limit], "host");
}

/* Two units of exponential kernels with mean 1, and a host that takes 1 for each launch. When a launch begins, the other unit works; if it still does at the
 * end, the host waits for the first of two kernels: a launch every 1 + exp(-1) / 2. More than that arrive in a queue that grows, though each part is idle at times. */
TEST(test_units_that_wait)
{
    enum { MANY = 100000 };
    const double most = 1.0 / (1.0 + exp(-1.0) / 2.0);
    double *exponential = malloc(MANY * sizeof *exponential);
    assert_non_null(exponential);
    for (size_t i = 0; i < MANY; i++)
        exponential[i] = -log1p(-((double)i + 0.5) / MANY);
    struct dse_load load = {.service_s = exponential, .service_count = MANY, .launch_s = 1.0, .units = 2, .seed = 11};
    static const struct {
        double share;
        int state;
    } cases[] = {{0.5, DSE_LOAD_IS_STEADY}, {0.97, DSE_LOAD_IS_STEADY}, {0.99, DSE_LOAD_IS_NEAR}, {1.01, DSE_LOAD_IS_OVER}, {1.1, DSE_LOAD_IS_OVER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        load.rate_hz = cases[i].share * most;
        struct dse_load_result found = simulate(load);
        within(found.saturation_hz, most, 0.005);
        within(found.capacity_hz, 1.0, 1e-4); /* capacity by the mean of the quantiles */
        within(found.utilisation, fmin(load.rate_hz, most), 0.01);
        assert_int_equal(found.state, cases[i].state);
        assert_true(isinf(found.p50_s) == (found.state == DSE_LOAD_IS_OVER));
    }
    load.units = 1;
    load.rate_hz = 0.1;
    struct dse_load_result alone = simulate(load);
    within(alone.saturation_hz, alone.capacity_hz, 1e-12);
    free(exponential);
}

/* A queue that never empties delivers at least the stated share of its capacity, and somewhere loses more than half of the allowance. */
TEST(test_least_share)
{
    enum { MANY = 1000 };
    static const double ratios[] = {1.05, 2.0, 4.0}, kernels[] = {0.5, 1.0, 2.0, 7.0};
    double service[MANY], seen[2] = {0.0, 0.0};
    for (size_t draw = 0; draw < 2 * 4 * 3 * 4; draw++) {
        const size_t units = (size_t[]){1, 2, 3, 8}[draw % 4], batch = draw % 8 < 4 ? 1 : 6;
        const double kernel = kernels[draw / 8 % 4], ratio = ratios[draw / 32], sigma = dse_log_normal_sigma(kernel, ratio * kernel);
        dse_load_quantiles(kernel, ratio * kernel, service, MANY);
        struct dse_load_result found = simulate((struct dse_load){.rate_hz = 1e3, .service_s = service, .service_count = MANY, .item_s = 1.0, .units = units, .batch = batch,
                                                                  .memory_s = 0.3, .seed = draw});
        const struct dse_load_shares of = {units, batch > 1, kernel, kernel * sqrt(expm1(sigma * sigma) / (double)batch), 1.0, 0.3};
        const double least = dse_load_least_share(&of), share = found.saturation_hz / found.capacity_hz;
        if (share < 0.995 * least)
            fail_msg("%zu units, batch %zu, kernel %g, p99 %g: %g of the capacity, less than %g", units, batch, kernel, ratio * kernel, share, least);
        if (least < 1.0)
            seen[batch > 1] = fmax(seen[batch > 1], (1.0 - share) / (1.0 - least));
    }
    assert_true(seen[0] > 0.5 && seen[1] > 0.5);
}

/* By hand: two units whose kernels take 2, and memories that take 1.5 for the bytes of each: answers at 2, 3, 4.5 and 6. Alone, a unit has each 2 apart. */
TEST(test_shared_memory)
{
    static const double at_once[] = {0.0, 0.0, 0.0, 0.0};
    const double kernel = 2.0;
    struct dse_load load = {.arrivals = at_once, .arrival_count = 4, .rate_hz = 1.0, .service_s = &kernel, .service_count = 1, .memory_s = 1.5, .units = 2};
    struct dse_load_result two = simulate(load);
    within(two.mean_s, (2.0 + 3.0 + 4.5 + 6.0) / 4.0, 1e-12);
    within(two.capacity_hz, 1.0 / 1.5, 1e-12);
    within(two.utilisation, 4 * 1.5 / 6.0, 1e-12);
    assert_string_equal(dse_load_limits[two.limit], "memory");
    load.units = 1;
    struct dse_load_result one = simulate(load);
    within(one.mean_s, (2.0 + 4.0 + 6.0 + 8.0) / 4.0, 1e-12);
    within(one.capacity_hz, 0.5, 1e-12);
}

/* By hand: an item that overlaps with the one before takes a quarter of its time, an item alone all of it. The host prepares the second launch from 1.5 to
 * 4.5. The kernel has the first item until 5.5, and the others follow at once. */
TEST(test_overlapping_items)
{
    static const double arrivals[] = {0.0, 1.0, 1.0, 1.0, 1.0};
    const double kernel = 4.0;
    struct dse_load_result found = simulate((struct dse_load){.arrivals = arrivals, .arrival_count = 5, .rate_hz = 1.0, .service_s = &kernel, .service_count = 1,
                                                              .item_s = 0.5, .launch_s = 1.0, .batch = 4, .overlap = 0.75});
    const double first = 1.0 + 0.5 + 4.0, second = first + 4 * 1.0; /* at which a launch ends */
    within(found.mean_s, (first + 4.0 * (second - 1.0)) / 5.0, 1e-12);
    within(found.utilisation, 5 * 1.0 / second, 1e-12);
    within(found.capacity_hz, 1.0, 1e-12);
}

/* The quantiles have the mean and the 99th percentile from which they were made. */
TEST(test_quantiles)
{
    double s[1000], mean = 0.0;
    dse_load_quantiles(822.5e-9, 965e-9, s, 1000);
    for (size_t i = 0; i < 1000; i++)
        mean += s[i] / 1000.0;
    within(mean, 822.5e-9, 1e-9);
    within(s[989], 965e-9, 0.002);
}

TESTS(NULL, NULL)
