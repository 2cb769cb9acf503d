/* Loops of reports beside a design's, by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/loops.h"
#include "tests/ok.h"

static const char report[] =
    "<profile><ReportVersion><Version>2023.2</Version></ReportVersion><UserAssignments><Part>p</Part>"
    "<TopModelName>k_top</TopModelName></UserAssignments><PerformanceEstimates><SummaryOfTimingAnalysis/>"
    "<SummaryOfOverallLatency><Best-caseLatency>100</Best-caseLatency><Worst-caseLatency>900</Worst-caseLatency>"
    "</SummaryOfOverallLatency><SummaryOfLoopLatency><outer><TripCount>4</TripCount><Latency>160</Latency>"
    "<IterationLatency>40</IterationLatency><inner><TripCount>5</TripCount><Latency>20</Latency><PipelineII>2</PipelineII>"
    "<PipelineDepth>12</PipelineDepth></inner></outer></SummaryOfLoopLatency></PerformanceEstimates><AreaEstimates><Resources/>"
    "<AvailableResources/></AreaEstimates><ModuleInformation><Module><Name>k_m</Name><PerformanceEstimates>"
    "<SummaryOfOverallLatency/><SummaryOfLoopLatency><wide><Name>wide</Name><TripCount><range><min>1</min><max>11</max></range>"
    "</TripCount><Latency>1 ~ 40</Latency><PipelineII>3</PipelineII><PipelineDepth>10</PipelineDepth></wide></SummaryOfLoopLatency>"
    "</PerformanceEstimates><AreaEstimates><Resources/></AreaEstimates></Module></ModuleInformation></profile>";

static json_t *parse(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    assert_non_null(value);
    return value;
}

static double at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void loops_are_read(void **state)
{
    (void)state;
    struct dse_report *r;
    OK(dse_report_read_memory(report, strlen(report), "r.xml", &r, &why));
    assert_int_equal(r->loop_count, 3);
    assert_string_equal(r->loops[0].name, "outer");
    assert_null(r->loops[0].module);
    assert_true(isnan(r->loops[0].interval_cycles));
    assert_float_equal(r->loops[0].depth_cycles, 40, 0);
    assert_string_equal(r->loops[1].name, "inner");
    assert_float_equal(r->loops[1].interval_cycles, 2, 0);
    assert_float_equal(r->loops[1].depth_cycles, 12, 0);
    assert_string_equal(r->loops[2].module, "k_m");
    assert_float_equal(r->loops[2].trips.min, 1, 0);
    assert_float_equal(r->loops[2].trips.max, 11, 0);
    assert_float_equal(r->loops[2].latency_cycles.max, 40, 0);
    dse_report_free(r);
}

/* inner: 10 + 2 · 4 = 18 of 20; wide: 8 + 3 · 10 = 38 of 40. Ratios .9 and .95: factor 1.85 / (.81 + .9025) = 1.080292;
 * before √((.01 + .0025) / 2) = 7.906 %. Depths 10 of 12 and 8 of 10: .8333 and .8: 1.6333 / (.69444 + .64) = 1.223980. */
static void loops_stand_beside_one_another(void **state)
{
    (void)state;
    struct dse_report_row rows[2] = {{.file = "r.xml"}, {.file = "refused"}};
    struct dse_strbuf text = {0};
    json_t *expected = parse("{\"top\": \"k_top\", \"cycles\": 500, \"loops\": [{\"loop\": \"inner\", \"ii\": 2}, {\"loop\": \"wide\", "
                             "\"ii\": 3}, {\"loop\": \"gone\", \"ii\": 1}]}");
    json_t *checked = parse("{\"loops\": [{\"loop\": \"inner\", \"depth\": 7}, {\"loop\": \"inner\", \"depth\": 10}, {\"loop\": "
                            "\"wide\", \"depth\": 8}]}");
    OK(dse_report_read_memory(report, strlen(report), "r.xml", &rows[0].report, &why));
    json_t *found = dse_loops_compare(expected, checked, rows, 2, &text);
    const json_t *loops = json_object_get(found, "loops"), *depth = json_object_get(found, "depth"), *cycles = json_object_get(found, "cycles");
    assert_int_equal(json_array_size(loops), 3);
    assert_true(json_is_false(json_object_get(json_array_get(loops, 0), "expected")));
    assert_float_equal(at(json_array_get(loops, 1), "cycles_expected"), 18, 0);
    assert_float_equal(at(json_array_get(loops, 1), "error"), -0.1, 1e-12);
    assert_float_equal(at(json_array_get(loops, 2), "cycles_expected"), 38, 0);
    assert_float_equal(at(cycles, "factor"), 1.85 / 1.7125, 1e-12);
    assert_float_equal(at(cycles, "rms_before"), 0.0790569415, 1e-9);
    assert_float_equal(at(depth, "factor"), (10.0 / 12 + 0.8) / (100.0 / 144 + 0.64), 1e-12);
    assert_float_equal(at(json_array_get(json_object_get(found, "whole"), 0), "max"), 900, 0);
    assert_non_null(strstr(dse_strbuf_text(&text), "in no report: gone"));
    assert_non_null(strstr(dse_strbuf_text(&text), "not of the design"));
    json_decref(found);

    json_t *blind = dse_loops_compare(expected, NULL, rows, 2, &text); /* without a checker: intervals alone */
    assert_true(json_is_null(json_object_get(blind, "cycles")));
    assert_float_equal(at(json_array_get(json_object_get(blind, "loops"), 1), "ii_expected"), 2, 0);
    json_decref(blind);
    json_decref(expected);
    json_decref(checked);
    dse_report_free(rows[0].report);
    dse_strbuf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_are_read), cmocka_unit_test(loops_stand_beside_one_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
