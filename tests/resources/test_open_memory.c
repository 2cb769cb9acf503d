/* Memories of the RTL compared with Yosys 0.23: `debug memory_libmap` over models/nysx/rtl/nysx_ram.sv of these widths and depths, in one column, and
 * tables by whole engines. */

#include "resources/open_memory.h"
#include "tests/test.h"

/* Blocks of 18 Kbit, or 0 and cells RAM32M16 of eight LUTs. */
static const struct { double bits, words, bram18, cells; } rams[] = {
    {2, 16, 0, 1},    {2, 64, 0, 1},    {2, 282, 0, 5},   {2, 400, 0, 7},   {2, 1100, 0, 18}, {8, 16, 0, 1},   {8, 64, 0, 2},
    {8, 150, 0, 5},   {8, 200, 0, 8},   {8, 282, 0, 10},  {8, 400, 1, 0},   {8, 1100, 1, 0},  {10, 64, 0, 2},  {10, 150, 0, 5},
    {10, 200, 0, 8},  {10, 282, 1, 0},  {10, 1100, 2, 0}, {12, 100, 0, 4},  {12, 150, 0, 5},  {12, 200, 0, 8}, {12, 1100, 2, 0},
    {20, 16, 0, 2},   {20, 64, 0, 3},   {20, 100, 0, 6},  {20, 150, 1, 0},  {20, 600, 2, 0},  {20, 1100, 3, 0}, {32, 16, 0, 3},
    {32, 64, 0, 5},   {32, 100, 1, 0},  {32, 600, 2, 0},  {32, 1100, 3, 0}, {50, 64, 0, 8},   {50, 100, 0, 16}, {50, 150, 2, 0},
    {50, 600, 3, 0},  {50, 1100, 5, 0},
};

TEST(rams_are_where_yosys_puts_them)
{
    for (size_t i = 0; i < sizeof rams / sizeof *rams; i++) {
        struct dse_open_memory memory = {.words = rams[i].words, .bits = rams[i].bits, .latency = 1};
        struct dse_open_cells cells = dse_open_memory(&memory);
        if (cells.bram18 != rams[i].bram18 || cells.lutram != 8.0 * rams[i].cells || cells.block != (rams[i].bram18 > 0.0))
            fail_msg("%g words of %g bits: %g blocks and %g LUTs, must be %g and %g", rams[i].words, rams[i].bits, cells.bram18,
                     cells.lutram, rams[i].bram18, 8.0 * rams[i].cells);
        assert_true(cells.lut >= cells.lutram && cells.ff >= (cells.block ? 0.0 : rams[i].bits));
    }
}

TEST(tables_are_where_yosys_puts_them)
{
    struct dse_open_memory entries = {.words = 3810, .bits = 61, .rom = true, .style = DSE_OPEN_BLOCK, .latency = 2}; /* entries of a KSE */
    struct dse_open_memory prototypes = {.words = 16, .bits = 1024, .rom = true, .style = DSE_OPEN_BLOCK, .latency = 2};
    struct dse_open_memory codebook = {.words = 2570, .bits = 42, .rom = true, .style = DSE_OPEN_BLOCK, .latency = 2}; /* codebook of an MPHE */
    struct dse_open_memory phi = {.words = 1152, .bits = 128, .rom = true, .latency = 2};
    struct dse_open_memory rows = {.words = 380, .bits = 32, .rom = true, .latency = 1};
    struct dse_open_memory thresholds = {.words = 4, .bits = 2304, .rom = true, .latency = 2};
    assert_true(dse_open_memory(&entries).bram18 == 14.0 && dse_open_memory(&entries).ff == 61.0);
    assert_true(dse_open_memory(&prototypes).bram18 == 29.0);
    assert_true(dse_open_memory(&codebook).bram18 == 7.0 && dse_open_memory(&phi).bram18 == 11.0); /* per bit: read-only */
    assert_true(dse_open_memory(&rows).bram18 == 1.0);
    /* Class weights (nysx_weights.sv): two words are read per cycle. */
    static const struct { double words, bits, bram18; } pairs[] = {
        {1024, 32, 2}, {2048, 32, 4}, {4096, 32, 8}, {8192, 32, 15}, {16384, 32, 30}, {65536, 32, 114}, {1024, 96, 6}, {4096, 48, 11}, {16384, 48, 44}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct dse_open_memory pair = {.words = pairs[i].words, .bits = pairs[i].bits, .rom = true, .latency = 2, .paired = true};
        if (dse_open_memory(&pair).bram18 != pairs[i].bram18)
            fail_msg("%g words of %g bits, two a cycle: %g blocks, must be %g", pairs[i].words, pairs[i].bits, dse_open_memory(&pair).bram18, pairs[i].bram18);
    }
    assert_true(dse_open_memory(&thresholds).bram18 == 0.0 && dse_open_memory(&thresholds).ff == 2.0 * 14.0); /* equal columns are one */
    prototypes.style = DSE_OPEN_LUTS;
    assert_true(!dse_open_memory(&prototypes).block && dse_open_memory(&prototypes).lut == 1024.0);
}

TESTS(NULL, NULL)
