/* Cost libraries and reports with the allocator failing at its first, second, third … call, until they pass: they
 * must say so, never give half an answer, and leave nothing behind (the sanitizer's build counts). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/file.h"
#include "core/memory.h"
#include "resources/costs.h"
#include "resources/synthesis/report.h"
#include "tests/failing_memory.h"

#define OWN NYSX_TEST_SOURCE_DIR "/tests/resources/reports/"

static void costs_survive(void **state)
{
    (void)state;
    struct dse_costs *costs = NULL;
    bool last = false;
    size_t failures = 0;
    assert_int_equal(dse_costs_open("kria", NULL, NULL, &costs, NULL), DSE_OK);
    size_t entries = dse_costs_entry_count(costs);
    dse_costs_free(costs);
    for (long n = 0; !last; n++) {
        struct dse_error err = {0};
        calls_left = n;
        enum dse_status status =
            dse_costs_open("zynq-ultrascale-plus", "xck26-sfvc784-2LV-c", NULL, &costs, &err);
        last = calls_left >= 0;
        calls_left = -1;
        dse_memory_lost(true);
        if (status == DSE_OK) {
            assert_int_equal(dse_costs_entry_count(costs), entries);
            assert_string_equal(dse_costs_family(costs), "kria");
        } else {
            assert_null(costs);
            assert_int_equal(status, DSE_LIMIT); /* and no other: nothing is wrong with the files */
            assert_true(err.message[0] != '\0');
            failures++;
        }
        dse_costs_free(costs);
    }
    assert_true(failures > 10);
}

static bool same_text(const char *a, const char *b)
{
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

static void assert_same_report(const struct dse_report *a, const struct dse_report *b)
{
    assert_true(a->kind == b->kind && a->level == b->level && a->instance_count == b->instance_count);
    assert_true(same_text(a->tool, b->tool) && same_text(a->version, b->version));
    assert_true(same_text(a->part, b->part) && same_text(a->top, b->top));
    assert_memory_equal(a->used, b->used, sizeof a->used);
    assert_memory_equal(a->available, b->available, sizeof a->available);
    for (size_t i = 0; i < a->instance_count; i++)
        assert_true(same_text(a->instances[i].name, b->instances[i].name) &&
                    same_text(a->instances[i].module, b->instances[i].module));
}

static void check_report(const char *path)
{
    struct dse_report *good = NULL, *report = NULL;
    bool last = false;
    size_t failures = 0;
    assert_int_equal(dse_report_read(path, &good, NULL), DSE_OK);
    for (long n = 0; !last; n++) {
        struct dse_error err = {0};
        calls_left = n;
        enum dse_status status = dse_report_read(path, &report, &err);
        last = calls_left >= 0;
        calls_left = -1;
        dse_memory_lost(true);
        if (status == DSE_OK) {
            assert_same_report(good, report);
        } else {
            assert_null(report);
            assert_int_equal(status, DSE_LIMIT);
            failures++;
        }
        dse_report_free(report);
    }
    dse_report_free(good);
    assert_true(failures >= 2);
}

static void reports_survive(void **state)
{
    (void)state;
    static const char *const names[] = {
        OWN "own_csynth_2022.xml",  OWN "own_csynth_module_2021.rpt", OWN "own_csynth_summary_2022.rpt",
        OWN "own_hierarchy_2022.rpt", OWN "own_utilization_2019.rpt", OWN "own_timing_2023.rpt",
        OWN "own_power_2022.rpt",   OWN "own_estimate_2020.xtxt",     OWN "own_cosim_2022.rpt",
        OWN "own_yosys_stat.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_report(names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(costs_survive), cmocka_unit_test(reports_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
