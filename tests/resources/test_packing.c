/* Memory packing against memory rows of published HLS reports. */
#include <stdio.h>
#include <string.h>

#include "resources/packing.h"
#include "tests/test.h"

static struct dse_costs *costs;

static int open_library(void **state)
{
    (void)state;
    return dse_costs_open("zynq-ultrascale-plus", NULL, NULL, &costs, NULL) == DSE_OK ? 0 : -1;
}

static int close_library(void **state)
{
    (void)state;
    dse_costs_free(costs);
    return 0;
}

static double amount(struct dse_array array, enum dse_storage storage, enum dse_resource resource)
{
    struct dse_cost cost;
    struct dse_error err = {0};
    if (dse_pack_array(costs, &array, storage, &cost, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return cost.amount[resource];
}

/* Depth, width and BRAM18 as published csynth reports list them; and what the rule gives. Where the two differ,
 * the rows look like copies for more ports or ping-pong buffers, or are not explained: known misses. */
static const struct { int64_t words, width, reported, ours; } shapes[] = {
    {9, 128, 4, 4},      {24, 128, 4, 4},     {24, 256, 8, 8},     {48, 288, 8, 8},     {50, 32, 1, 1},
    {125, 32, 1, 1},     {177, 20, 1, 1},     {256, 46, 2, 2},     {256, 50, 2, 2},     {1352, 16, 2, 2},
    {576, 4096, 228, 228}, {2048, 32, 4, 4},  {4096, 32, 8, 8},    {10000, 8, 8, 8},    {10000, 9, 9, 9},
    {10000, 32, 32, 32}, {1152, 2048, 176, 228}, {5408, 16, 7, 8}, {1568, 16, 6, 2},    {8192, 8, 8, 4},
    {192, 512, 58, 15}};

TEST(shapes_pack_as_reported)
{
    int misses = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        double got = amount(dse_array_of(shapes[i].words, shapes[i].width), DSE_STORAGE_BRAM, DSE_BRAM18);
        if (got != (double)shapes[i].ours)
            fail_msg("%lld x %lld: %g", (long long)shapes[i].words, (long long)shapes[i].width, got);
        misses += shapes[i].ours != shapes[i].reported;
    }
    assert_int_equal(misses, 5);
}

/* Reported as 1 with one reader and one writer, as 2 where a second reader or writer exists. */
/* Beyond the deepest shape, 16,384 × 1, memories are stacked: a power of two of them, because the depth is rounded. */
TEST(deep_arrays_round_to_powers_of_two)
{
    static const struct { int64_t words, memories; } deep[] = {{16384, 1}, {16385, 2}, {32768, 2}, {32769, 4}, {40000, 4}, {70000, 8}};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++)
        assert_true(amount(dse_array_of(deep[i].words, 1), DSE_STORAGE_BRAM, DSE_BRAM18) == (double)deep[i].memories);
}

TEST(second_ports_halve_the_width)
{
    for (int64_t words = 256; words <= 512; words *= 2) {
        struct dse_array array = dse_array_of(words, 32);
        assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 1);
        array.writers = 0, array.readers = 2;
        assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 2);
        array.writers = 1, array.readers = 3; /* a copy each */
        assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 3);
        array.writers = 0, array.readers = 4; /* two copies with two readers */
        assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 4);
        array.readers = 16;
        assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 16);
    }
}

/* Every bank rounds up separately; a ping-pong buffer counts twice. */
TEST(banks_and_buffers_multiply)
{
    struct dse_array array = dse_array_of(1200, 32);
    assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 4); /* 2048 x 9: four of them */
    array.banks = 4;
    assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 4); /* 300 x 32 each */
    array.buffers = 2;
    assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 8);
    array.words = 1201, array.banks = 5, array.buffers = 1; /* 241 each */
    assert_true(amount(array, DSE_STORAGE_BRAM, DSE_BRAM18) == 5);
}

/* 16384 x 32 in URAM is reported as 4; Yosys packs 4096 x 72, 8192 x 64 and 16384 x 72 as 1, 2 and 4. */
TEST(uram_packs)
{
    assert_true(amount(dse_array_of(16384, 32), DSE_STORAGE_URAM, DSE_URAM) == 4);
    assert_true(amount(dse_array_of(4096, 72), DSE_STORAGE_URAM, DSE_URAM) == 1);
    assert_true(amount(dse_array_of(8192, 64), DSE_STORAGE_URAM, DSE_URAM) == 2);
    assert_true(amount(dse_array_of(16384, 72), DSE_STORAGE_URAM, DSE_URAM) == 4);
    assert_true(amount(dse_array_of(1, 73), DSE_STORAGE_URAM, DSE_URAM) == 2);
}

/* Reports: 24x32, 48x16, 16x32 and 16x8 in LUTRAM, 32x32 and 48x32 in BRAM. LUT = ceil(D W / 64), FF = W. */
TEST(small_arrays_leave_block_ram)
{
    static const struct { int64_t words, width; enum dse_storage storage; } cases[] = {
        {24, 32, DSE_STORAGE_LUTRAM}, {48, 16, DSE_STORAGE_LUTRAM}, {16, 32, DSE_STORAGE_LUTRAM},
        {16, 8, DSE_STORAGE_LUTRAM},  {32, 32, DSE_STORAGE_BRAM},   {48, 32, DSE_STORAGE_BRAM},
        {9, 128, DSE_STORAGE_BRAM},   {3, 512, DSE_STORAGE_REGISTERS}, {4, 8, DSE_STORAGE_LUTRAM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_array array = dse_array_of(cases[i].words, cases[i].width);
        assert_int_equal(dse_pack_choose(costs, &array), cases[i].storage);
    }
    struct dse_array array = dse_array_of(24, 32);
    assert_true(amount(array, DSE_STORAGE_AUTO, DSE_LUT) == 12 && amount(array, DSE_STORAGE_AUTO, DSE_FF) == 32);
    assert_true(amount(array, DSE_STORAGE_AUTO, DSE_LUTRAM) == 12);
    array.readers = 2;
    assert_true(amount(array, DSE_STORAGE_AUTO, DSE_LUT) == 24);
    assert_true(amount(dse_array_of(100, 7), DSE_STORAGE_REGISTERS, DSE_FF) == 700);
}

/* UG1399 and csynth rows: 48 x 512 is 29, 1024 bits and less a shift register, depth 2 as well. */
TEST(fifos_follow_the_newer_rule)
{
    const struct dse_packing_rules *rules = dse_costs_packing(costs);
    assert_true(dse_pack_fifo_is_shift(rules, 2, 4096) && dse_pack_fifo_is_shift(rules, 16, 32));
    assert_true(dse_pack_fifo_is_shift(rules, 32, 32) && !dse_pack_fifo_is_shift(rules, 33, 32));
    struct dse_tally tally = {0};
    assert_int_equal(dse_pack_fifo(costs, 48, 512, 1, &tally, NULL), DSE_OK);
    assert_true(tally.nominal[DSE_BRAM18] == 29);
    tally = (struct dse_tally){0};
    assert_int_equal(dse_pack_fifo(costs, 512, 512, 2, &tally, NULL), DSE_OK);
    assert_true(tally.nominal[DSE_BRAM18] == 58 && tally.low[DSE_BRAM18] <= 2 * 15);
    tally = (struct dse_tally){0};
    assert_int_equal(dse_pack_fifo(costs, 16, 32, 1, &tally, NULL), DSE_OK);
    assert_true(tally.nominal[DSE_BRAM18] == 0 && tally.nominal[DSE_LUTRAM] == 32);
    assert_int_equal(dse_pack_fifo(costs, 0, 32, 1, &tally, NULL), DSE_BAD_USAGE);
}

/* csynth rows: 2, 8, 16 and 30 BRAM18 at 32, 128, 256 and 512 bits with the default buffers. */
TEST(adapters_buffers_are_as_reported)
{
    static const struct { int64_t bits; double bram18; } cases[] = {{32, 2}, {128, 8}, {256, 16}, {512, 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_tally tally = {0};
        assert_int_equal(dse_pack_m_axi(costs, cases[i].bits, 0, 0, 1, &tally, NULL), DSE_OK);
        assert_true(tally.nominal[DSE_BRAM18] == cases[i].bram18 && tally.nominal[DSE_FF] > 500);
    }
    struct dse_tally deep = {0};
    assert_int_equal(dse_pack_m_axi(costs, 512, 64, 64, 1, &deep, NULL), DSE_OK);
    assert_true(deep.nominal[DSE_BRAM18] > 200); /* 4096 words */
}

TEST(impossible_arrays_are_rejected)
{
    struct dse_cost cost;
    struct dse_error err = {0};
    struct dse_array array = dse_array_of(0, 8);
    assert_int_equal(dse_pack_array(costs, &array, DSE_STORAGE_BRAM, &cost, &err), DSE_BAD_USAGE);
    array = dse_array_of(100, 8);
    array.readers = array.writers = 2;
    FAILS(DSE_BAD_USAGE, "partition", dse_pack_array(costs, &array, DSE_STORAGE_BRAM, &cost, &why));
    array = dse_array_of(INT64_MAX, INT64_MAX);
    assert_int_equal(dse_pack_array(costs, &array, DSE_STORAGE_BRAM, &cost, &err), DSE_LIMIT);
    assert_int_equal(dse_pack_array(costs, &array, DSE_STORAGE_URAM, &cost, &err), DSE_LIMIT);
    assert_int_equal(dse_pack_choose(costs, &array), DSE_STORAGE_BRAM);
}

/* More words, bits, banks or readers never reduce the cost. */
TEST(packing_is_monotone)
{
    for (int storage = 0; storage < DSE_STORAGE_COUNT; storage++)
        for (int64_t width = 1; width < 600; width += 37) {
            double before[DSE_RESOURCE_COUNT] = {0};
            for (int64_t words = 1; words < 40000; words = words * 3 / 2 + 1) {
                struct dse_cost cost;
                struct dse_array array = dse_array_of(words, width);
                assert_int_equal(dse_pack_array(costs, &array, (enum dse_storage)storage, &cost, NULL), DSE_OK);
                for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
                    assert_true(cost.amount[r] >= before[r]);
                    before[r] = cost.amount[r];
                }
            }
        }
}

TESTS(open_library, close_library)
