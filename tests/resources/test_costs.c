/* The shipped cost libraries, the look-up rules, and errors of bad libraries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/xml.h"
#include "resources/costs.h"
#include "tests/test.h"
#include "tests/worked.h"

static struct dse_costs *open_family(const char *family, const char *part)
{
    struct dse_costs *costs = NULL;
    struct dse_error err = {0};
    if (dse_costs_open(family, part, NULL, &costs, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return costs;
}

static struct dse_cost get(const struct dse_costs *costs, enum dse_operator op, enum dse_precision precision,
                           enum dse_form form, double clock_hz)
{
    struct dse_cost cost;
    struct dse_error err = {0};
    if (dse_costs_operator(costs, op, precision, form, clock_hz, &cost, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return cost;
}

TEST(every_shipped_library_opens_and_is_valid)
{
    char **names = NULL, *schema = NULL;
    size_t count = 0;
    assert_int_equal(dse_share_names("costs", ".xml", &names, &count, NULL), DSE_OK);
    assert_int_equal(dse_share_find("costs-schema/costs.xsd", &schema, NULL), DSE_OK);
    assert_true(count >= 9);
    for (size_t i = 0; i < count; i++) {
        struct dse_costs *costs = open_family(names[i], NULL);
        assert_string_equal(dse_costs_family(costs), names[i]);
        for (size_t e = 0; e < dse_costs_entry_count(costs); e++) {
            const struct dse_cost_entry *entry = dse_costs_entry(costs, e);
            assert_true(strlen(entry->source) > 10 && entry->line > 0);
            for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
                assert_true(entry->low[r] <= 1 && entry->high[r] >= 1);
        }
        dse_costs_free(costs);
        char relative[256], *path = NULL;
        snprintf(relative, sizeof relative, "costs/%s.xml", names[i]);
        assert_int_equal(dse_share_find(relative, &path, NULL), DSE_OK);
        struct dse_xml *doc = NULL;
        assert_int_equal(dse_xml_read_file(path, 1 << 20, &doc, NULL), DSE_OK);
        assert_int_equal(dse_xml_validate(doc, schema, NULL), DSE_OK);
        if (dse_xml_problem_count(doc) > 0)
            fail_msg("%s", dse_xml_problem_at(doc, 0));
        dse_xml_free(doc);
        free(path);
    }
    free(schema);
    dse_share_names_free(names, count);
}

/* Every library has the required operators. */
TEST(every_family_has_the_operators)
{
    static const char *const families[] = {"zynq-ultrascale-plus", "virtex-ultrascale-plus", "kria", "zynq-7000",
                                           "kintex-7", "artix-7", "versal", "virtex-7", "spartan-7",
                                           "kintex-ultrascale", "virtex-ultrascale", "kintex-ultrascale-plus",
                                           "artix-ultrascale-plus"};
    static const struct { enum dse_operator op; enum dse_precision precision; } needed[] = {
        {DSE_OP_ADD, DSE_FP32}, {DSE_OP_MUL, DSE_FP32}, {DSE_OP_MAC, DSE_FP32}, {DSE_OP_MAC, DSE_FP16},
        {DSE_OP_MAC, DSE_BF16}, {DSE_OP_MAC, DSE_INT32}, {DSE_OP_MAC, DSE_INT16}, {DSE_OP_MAC, DSE_INT8},
        {DSE_OP_MAC, DSE_INT4}, {DSE_OP_MAC, DSE_BINARY}, {DSE_OP_ADD, DSE_INT32}, {DSE_OP_ADDSUB, DSE_INT32},
        {DSE_OP_ADDSUB, DSE_INT16}, {DSE_OP_COMPARE, DSE_FP32}, {DSE_OP_COMPARE, DSE_INT64},
        {DSE_OP_TO_FP32, DSE_INT32}, {DSE_OP_TO_FP32, DSE_INT8}, {DSE_OP_TO_FP32, DSE_BF16},
        {DSE_OP_TO_FP32, DSE_FP16}, {DSE_OP_FROM_FP32, DSE_INT32}, {DSE_OP_FROM_FP32, DSE_INT64},
        {DSE_OP_FROM_FP32, DSE_INT8}, {DSE_OP_FROM_FP32, DSE_INT4},
        {DSE_OP_DIVIDE, DSE_FP32}, {DSE_OP_HASH, DSE_INT64}, {DSE_OP_REMAINDER, DSE_INT64},
        {DSE_OP_REMAINDER, DSE_INT32}, {DSE_OP_RANGE, DSE_INT64}, {DSE_OP_POPCOUNT, DSE_INT64},
        {DSE_OP_XOR, DSE_INT64}};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        struct dse_costs *costs = open_family(families[f], NULL);
        for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
            for (double clock_hz = 50e6; clock_hz < 600e6; clock_hz += 50e6) {
                struct dse_cost cost = get(costs, needed[i].op, needed[i].precision, DSE_FORM_ANY, clock_hz);
                assert_true(cost.interval_cycles >= 1 && cost.latency_cycles >= 0);
            }
        /* Add, multiply, multiply-accumulate and compare of all precisions; both forms of every product that has two. */
        for (int p = 0; p < DSE_PRECISION_COUNT; p++) {
            static const enum dse_operator all[] = {DSE_OP_ADD, DSE_OP_MUL, DSE_OP_MAC, DSE_OP_COMPARE};
            for (size_t i = 0; i < sizeof all / sizeof *all; i++)
                get(costs, all[i], (enum dse_precision)p, DSE_FORM_ANY, 200e6);
            if (p != DSE_INT64 && p != DSE_BINARY)
                for (size_t i = 1; i < 3; i++) { /* products */
                    assert_true(get(costs, all[i], (enum dse_precision)p, DSE_FORM_DSP, 200e6).amount[DSE_DSP] > 0);
                    assert_true(get(costs, all[i], (enum dse_precision)p, DSE_FORM_LUT, 200e6).amount[DSE_DSP] == 0);
                }
            if (p != DSE_BINARY)
                get(costs, DSE_OP_TO_FP32, (enum dse_precision)p, DSE_FORM_ANY, 200e6);
        }
        static const enum dse_precision words[] = {DSE_INT64, DSE_INT32, DSE_INT16, DSE_INT8};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            get(costs, DSE_OP_REMAINDER, words[i], DSE_FORM_LUT, 200e6);
            get(costs, DSE_OP_POPCOUNT, words[i], DSE_FORM_LUT, 200e6);
        }
        static const enum dse_precision floats[] = {DSE_FP32, DSE_FP16, DSE_BF16};
        for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) { /* with DSPs and in LUTs alone */
            assert_true(get(costs, DSE_OP_MAC, floats[i], DSE_FORM_DSP, 200e6).amount[DSE_DSP] > 0);
            assert_true(get(costs, DSE_OP_MAC, floats[i], DSE_FORM_LUT, 200e6).amount[DSE_DSP] == 0);
        }
        struct dse_cost cost;
        for (int s = 0; s < DSE_STRUCTURE_COUNT; s++)
            assert_int_equal(dse_costs_structure(costs, (enum dse_structure)s, 100, &cost, NULL), DSE_OK);
        dse_costs_free(costs);
    }
}

/* Near 300 MHz a fp32 MAC is 5 DSP, about 460 FF and 280 LUT, 3 + 6 cycles at -2. */
TEST(figures_of_the_reports_come_back)
{
    struct dse_costs *zynq = open_family("zynq-ultrascale-plus", "xczu7ev-ffvc1156-2-e");
    struct dse_cost mac = get(zynq, DSE_OP_MAC, DSE_FP32, DSE_FORM_ANY, 300e6);
    assert_true(mac.amount[DSE_DSP] == 5 && mac.amount[DSE_LUT] == 276 && mac.amount[DSE_FF] == 461);
    assert_int_equal(mac.latency_cycles, 9);
    assert_int_equal(get(zynq, DSE_OP_MUL, DSE_INT8, DSE_FORM_ANY, 300e6).amount[DSE_DSP], 0);
    assert_int_equal(get(zynq, DSE_OP_MAC, DSE_INT8, DSE_FORM_ANY, 300e6).amount[DSE_DSP], 1);
    assert_int_equal(get(zynq, DSE_OP_MUL, DSE_INT64, DSE_FORM_ANY, 300e6).amount[DSE_DSP], 10);
    dse_costs_free(zynq);
    struct dse_costs *kria = open_family("zynq-ultrascale-plus", "xck26-sfvc784-2LV-c");
    assert_string_equal(dse_costs_family(kria), "kria");
    assert_int_equal(get(kria, DSE_OP_MAC, DSE_FP32, DSE_FORM_DSP, 300e6).latency_cycles, 16);
    assert_true(get(kria, DSE_OP_MAC, DSE_INT8, DSE_FORM_DSP, 300e6).amount[DSE_DSP] == 1);
    dse_costs_free(kria);
    struct dse_costs *seven = open_family("zynq-7000", NULL);
    assert_true(get(seven, DSE_OP_ADD, DSE_FP32, DSE_FORM_DSP, 100e6).amount[DSE_LUT] == 390);
    dse_costs_free(seven);
}

TEST(the_clock_picks_the_entry)
{
    struct dse_costs *costs = open_family("zynq-ultrascale-plus", NULL);
    static const struct { double asked, taken; int64_t latency; bool beyond; } cases[] = {
        {100e6, 250e6, 4, false}, {250e6, 250e6, 4, false}, {250.1e6, 300e6, 6, false},
        {300e6, 300e6, 6, false}, {333e6, 333e6, 9, false}, {400e6, 333e6, 11, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_cost add = get(costs, DSE_OP_ADD, DSE_FP32, DSE_FORM_DSP, cases[i].asked);
        assert_true(add.clock_hz == cases[i].taken && add.extrapolated == cases[i].beyond);
        assert_int_equal(add.latency_cycles, cases[i].latency);
    }
    dse_costs_free(costs);
}

/* A faster clock never takes fewer cycles, nor a slower one more. */
TEST(latency_grows_with_the_clock)
{
    static const char *const families[] = {"zynq-ultrascale-plus", "kria", "zynq-7000", "versal", "kintex-ultrascale"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        struct dse_costs *costs = open_family(families[f], NULL);
        for (int op = 0; op < DSE_OP_COUNT; op++)
            for (int p = 0; p < DSE_PRECISION_COUNT; p++)
                for (int form = 0; form < DSE_FORM_COUNT; form++) {
                    if (!dse_costs_has_operator(costs, (enum dse_operator)op, (enum dse_precision)p,
                                                (enum dse_form)form))
                        continue;
                    int64_t before = 0;
                    for (double clock_hz = 25e6; clock_hz < 900e6; clock_hz += 25e6) {
                        int64_t latency = get(costs, (enum dse_operator)op, (enum dse_precision)p,
                                              (enum dse_form)form, clock_hz).latency_cycles;
                        assert_true(latency >= before);
                        before = latency;
                    }
                }
        dse_costs_free(costs);
    }
}

TEST(structures_are_linear_between_sizes)
{
    struct dse_costs *costs = open_family("virtex-ultrascale-plus", NULL);
    struct dse_cost cost;
    assert_int_equal(dse_costs_structure(costs, DSE_STRUCTURE_M_AXI, 512, &cost, NULL), DSE_OK);
    assert_true(cost.amount[DSE_LUT] == 2695 && cost.amount[DSE_FF] == 3521 && !cost.extrapolated);
    dse_costs_structure(costs, DSE_STRUCTURE_M_AXI, 80, &cost, NULL);
    assert_true(cost.amount[DSE_LUT] == (630 + 815) / 2.0);
    dse_costs_structure(costs, DSE_STRUCTURE_M_AXI, 1024, &cost, NULL);
    assert_true(cost.extrapolated && cost.amount[DSE_LUT] > 2695);
    dse_costs_structure(costs, DSE_STRUCTURE_RANDOM, 65, &cost, NULL);
    assert_true(cost.amount[DSE_LUT] == 224); /* whole lanes of 64 bits */
    dse_costs_structure(costs, DSE_STRUCTURE_REGISTER, 1000, &cost, NULL);
    assert_true(cost.amount[DSE_FF] == 1000);
    dse_costs_structure(costs, DSE_STRUCTURE_LOOP, 0, &cost, NULL);
    assert_true(cost.amount[DSE_LUT] == 0);
    dse_costs_free(costs);
}

TEST(a_missing_operator_is_named)
{
    struct dse_costs *costs = open_family("zynq-ultrascale-plus", NULL);
    struct dse_cost cost;
    struct dse_error err = {0};
    assert_int_equal(dse_costs_operator(costs, DSE_OP_HASH, DSE_FP16, DSE_FORM_ANY, 3e8, &cost, &err),
                     DSE_BAD_USAGE);
    assert_non_null(strstr(err.message, "\"hash\" at fp16"));
    assert_non_null(strstr(err.message, "zynq-ultrascale-plus"));
    assert_false(dse_costs_has_operator(costs, DSE_OP_ADD, DSE_INT8, DSE_FORM_DSP));
    dse_costs_free(costs);
    assert_int_equal(dse_costs_open("stratix", NULL, NULL, &costs, &err), DSE_BAD_USAGE);
    assert_non_null(strstr(err.message, "\"stratix\""));
    assert_non_null(strstr(err.message, "kria, "));
    assert_int_equal(dse_costs_open("/nowhere/x.xml", NULL, NULL, &costs, &err), DSE_BAD_INPUT);
}

TEST(tallies_carry_bands_and_provenance)
{
    struct dse_costs *costs = open_family("zynq-ultrascale-plus", NULL);
    struct dse_cost mac = get(costs, DSE_OP_MAC, DSE_FP32, DSE_FORM_DSP, 300e6);
    struct dse_tally all = {0};
    dse_tally_add(&all, costs, &mac, 32);
    const struct dse_cost_entry *entry = dse_costs_entry(costs, mac.entry);
    assert_string_equal(entry->name, "mac fp32 dsp 300 MHz");
    assert_int_equal(entry->level, DSE_LEVEL_HLS_REPORT);
    assert_true(all.nominal[DSE_DSP] == 160 && all.nominal[DSE_LUT] == 32 * 276.0);
    assert_true(all.low[DSE_LUT] == 0.5 * all.nominal[DSE_LUT] && all.high[DSE_LUT] == all.nominal[DSE_LUT]);
    assert_true(all.used[mac.entry / 64] == UINT64_C(1) << mac.entry % 64);
    dse_costs_free(costs);
}

TEST(looking_up_is_fast)
{
    struct dse_costs *costs = open_family("zynq-ultrascale-plus", NULL);
    double sum = 0;
    const int times = 200000;
    const double begin = worked_s();
    for (int i = 0; i < times; i++)
        sum += get(costs, DSE_OP_MAC, (enum dse_precision)(i % 3), DSE_FORM_ANY, 2e8 + 1e3 * i).amount[DSE_LUT];
    double ns = 1e9 * (worked_s() - begin) / times;
    print_message("operator lookup: %.1f ns (sum %g)\n", ns, sum);
    assert_true(ns < 5000); /* processor time, and generous for sanitizers; 10 ns when built for speed */
    dse_costs_free(costs);
}

#define TAIL                                                                                                    \
    "<packing><array level='derived' source='s' shared_width_bits='18' uram_words='4096' uram_width_bits='72' " \
    "lutram_threshold_bits='1024' lutram_bits_per_lut='64' register_threshold_words='4' "                       \
    "register_bits_per_lut='4' bram_latency='1' uram_latency='2' lutram_latency='1' register_latency='0'>"      \
    "<aspect words='512' width_bits='36'/></array>"                                                             \
    "<fifo level='derived' source='s' shift_words='2' shift_bits='1024' srl_words='32' memory_words='1024' "    \
    "memory_width_bits='18'/><m_axi level='derived' source='s' extra_bits='2' buffers='2' burst_beats='16' "    \
    "outstanding='16' latency_cycles='64' burst_beats_max='256' boundary_bytes='4096'/></packing>"              \
    "<power toggle_rate='0.125'>" TERM("lut-logic") TERM("lutram") TERM("ff") TERM("signals") TERM("clock")     \
        TERM("bram18") TERM("uram") TERM("dsp")                                                                 \
    "<static uw_per_lut='1' low='1' high='1' level='derived' source='s'/></power></costs>"
#define TERM(name) "<term name='" name "' nw_per_mhz='1' low='1' high='1' level='derived' source='s'/>"
#define HEAD "<costs family='f' title='t'><source id='s'>somewhere on page 3</source>"

TEST(bad_libraries_are_explained)
{
    static const struct { const char *text, *says; } cases[] = {
        {"<costs family='f' title='t'/>", "have <packing>"},
        {"<cost/>", "root element must be <costs>"},
        {HEAD "<operator name='multiply' precision='fp32' form='dsp'/>" TAIL, "must be add, addsub, mul"},
        {HEAD "<operator name='mul' precision='fp32' form='dsp'/>" TAIL, "needs at least one <at>"},
        {HEAD "<operator name='mul' precision='fp32' form='dsp'><at clock_mhz='300' dsp='-3' latency='1' "
              "level='derived' source='s'/></operator>" TAIL, "dsp=\"-3\">: must be"},
        {HEAD "<operator name='mul' precision='fp32' form='dsp'><at clock_mhz='300' latency='1' "
              "level='derived' source='t'/></operator>" TAIL, "no <source> of this file has that id"},
        {HEAD "<operator name='mul' precision='fp32' form='dsp'><at clock_mhz='300' latency='1' "
              "level='derived' source='s'/><at clock_mhz='200' latency='1' level='derived' source='s'/>"
              "</operator>" TAIL, "must be above"},
        {HEAD "<operator name='mul' precision='fp32' form='dsp'><at clock_mhz='nan' latency='1' "
              "level='derived' source='s'/></operator>" TAIL, "must be a number"},
        {HEAD "<structure name='loop'><at size='0' level='derived' source='s'/></structure>" TAIL,
         "needs a size above 0"},
        {HEAD "<structure name='loop' colour='red'><at size='1' level='derived' source='s'/></structure>" TAIL,
         "unknown attribute \"colour\""},
        {"<costs family='f' title='t' base='kria'>" TAIL, "cannot have a base"},
        {"<!DOCTYPE x [<!ENTITY a 'b'>]><costs family='f' title='t'/>", "document type"},
    };
    struct dse_costs *costs = NULL;
    struct dse_error err = {0};
    const char *good = HEAD TAIL;
    assert_int_equal(dse_costs_read_memory(good, strlen(good), "good.xml", &costs, &err), DSE_OK);
    dse_costs_free(costs);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dse_costs_read_memory(cases[i].text, strlen(cases[i].text), "bad.xml", &costs, &err),
                         DSE_BAD_INPUT);
        assert_null(costs);
        if (strstr(err.message, cases[i].says) == NULL || strncmp(err.message, "bad.xml", 7) != 0)
            fail_msg("case %zu: %s", i, err.message);
    }
}

static void write_file(const char *path, const char *text)
{
    assert_int_equal(dse_file_write(path, text, strlen(text), NULL), DSE_OK);
}

TEST(bases_in_a_circle_are_rejected)
{
    char folder[] = "/tmp/nysx-costs-XXXXXX", path[64], text[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.xml", folder);
    snprintf(text, sizeof text, "<costs family='a' title='a' base='%s'/>", path);
    write_file(path, text);
    struct dse_costs *costs = NULL;
    FAILS(DSE_BAD_INPUT, "or a cycle", dse_costs_open(path, NULL, NULL, &costs, &why));
    remove(path);
    remove(folder);
}

TEST(a_calibration_scales_and_narrows)
{
    char path[] = "/tmp/nysx-calibration-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    fclose(fdopen(descriptor, "w"));
    write_file(path, "<calibration family='zynq-ultrascale-plus' level='routed-report' source='three designs'>"
                     "<factor entries='mac fp32 *' resource='lut' value='0.7' low='0.9' high='1.1' points='3'/>"
                     "</calibration>");
    struct dse_costs *costs = NULL;
    struct dse_error err = {0};
    if (dse_costs_open("zynq-ultrascale-plus", NULL, path, &costs, &err) != DSE_OK)
        fail_msg("%s", err.message);
    struct dse_cost mac = get(costs, DSE_OP_MAC, DSE_FP32, DSE_FORM_DSP, 300e6);
    const struct dse_cost_entry *entry = dse_costs_entry(costs, mac.entry);
    assert_float_equal(mac.amount[DSE_LUT], 276 * 0.7, 1e-9);
    assert_true(mac.amount[DSE_FF] == 461 && entry->high[DSE_LUT] == 1.1 && entry->low[DSE_LUT] == 0.9);
    assert_int_equal(entry->level, DSE_LEVEL_FITTED);
    assert_non_null(strstr(entry->source, "routed-report"));
    assert_string_equal(dse_costs_calibration(costs), path);
    dse_costs_free(costs);
    /* The library's band for DSPs is 0.97 to 1.03: a factor inside it keeps the bands' intersection, one outside keeps its own band. */
    write_file(path, "<calibration family='zynq-ultrascale-plus' level='routed-report' source='one design'>"
                     "<factor entries='mac fp32 *' resource='dsp' value='0.98' low='0.75' high='1.01' points='1'/>"
                     "<factor entries='add fp32 *' resource='dsp' value='0.5' low='0.75' high='1.25' points='1'/>"
                     "</calibration>");
    assert_int_equal(dse_costs_open("zynq-ultrascale-plus", NULL, NULL, &costs, &err), DSE_OK);
    mac = get(costs, DSE_OP_MAC, DSE_FP32, DSE_FORM_DSP, 300e6);
    double low = dse_costs_entry(costs, mac.entry)->low[DSE_DSP];
    assert_true(low > 0.75 && low <= 0.98 && dse_costs_entry(costs, mac.entry)->high[DSE_DSP] >= 1);
    dse_costs_free(costs);
    if (dse_costs_open("zynq-ultrascale-plus", NULL, path, &costs, &err) != DSE_OK)
        fail_msg("%s", err.message);
    mac = get(costs, DSE_OP_MAC, DSE_FP32, DSE_FORM_DSP, 300e6);
    entry = dse_costs_entry(costs, mac.entry);
    assert_float_equal(entry->low[DSE_DSP], low / 0.98, 1e-12);
    assert_float_equal(entry->high[DSE_DSP], 1.01, 1e-12);
    struct dse_cost add = get(costs, DSE_OP_ADD, DSE_FP32, DSE_FORM_DSP, 300e6);
    assert_true(dse_costs_entry(costs, add.entry)->low[DSE_DSP] == 0.75);
    dse_costs_free(costs);
    FAILS(DSE_BAD_INPUT, "not for kria", dse_costs_open("kria", NULL, path, &costs, &why));
    write_file(path, "<calibration family='kria' level='routed-report' source='x'>"
                     "<factor entries='nothing' resource='lut' value='0.7' low='0.9' high='1.1' points='3'/>"
                     "</calibration>");
    FAILS(DSE_BAD_INPUT, "matches no entry", dse_costs_open("kria", NULL, path, &costs, &why));
    remove(path);
}

TESTS(NULL, NULL)
