/* The catalogue of parts, and the decoding of DRAM part numbers and sizes. */
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "devices/catalogue.h"
#include "devices/vivado_dram.h"
#include "tests/test.h"

static struct dse_catalogue *open_catalogue(void)
{
    struct dse_catalogue *catalogue = NULL;
    struct dse_error err = {0};
    if (dse_catalogue_open(&catalogue, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return catalogue;
}

/* Every board that the catalogue names is shipped, with the memory that is asked of it. */
TEST(what_stands_in_is_there)
{
    struct dse_catalogue *catalogue = open_catalogue();
    struct dse_error err = {0};
    struct dse_board *board = NULL;
    for (size_t i = 0; i < catalogue->memory_count; i++) {
        assert_int_equal(dse_board_open(catalogue->memories[i].board, &board, &err), DSE_OK);
        assert_non_null(dse_board_memory(board, catalogue->memories[i].memory));
        dse_board_free(board);
    }
    for (size_t i = 0; i < catalogue->family_count; i++) {
        assert_int_equal(dse_board_open(catalogue->families[i].like_slow, &board, &err), DSE_OK);
        dse_board_free(board);
        assert_int_equal(dse_board_open(catalogue->families[i].like_fast, &board, &err), DSE_OK);
        dse_board_free(board);
    }
    for (size_t i = 0; i < catalogue->device_count; i++) {
        const struct dse_device *device = &catalogue->devices[i];
        assert_non_null(dse_catalogue_family(catalogue, device->family));
        assert_ptr_equal(dse_catalogue_device(catalogue, device->name), device); /* no name twice */
        assert_true(device->chip[DSE_LUTRAM] <= device->chip[DSE_LUT]);
        if (device->like == NULL)
            continue;
        assert_int_equal(dse_board_open(device->like, &board, &err), DSE_OK);
        dse_board_free(board);
    }
    dse_catalogue_free(catalogue);
}

/* The shipped boards and the catalogue agree on each chip. */
TEST(catalogue_and_boards_agree)
{
    struct dse_catalogue *catalogue = open_catalogue();
    struct dse_error err = {0};
    char **names = NULL;
    size_t count = 0;
    assert_int_equal(dse_board_names("*", &names, &count, &err), DSE_OK);
    for (size_t i = 0; i < count; i++) {
        struct dse_board *board = NULL;
        assert_int_equal(dse_board_open(names[i], &board, &err), DSE_OK);
        const struct dse_device *device = dse_catalogue_device(catalogue, board->part);
        if (device == NULL)
            fail_msg("%s: %s is not in the catalogue", names[i], board->part);
        assert_string_equal(device->family, board->family);
        assert_int_equal(device->slrs, board->slrs);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (device->chip[r] != board->chip[r])
                fail_msg("%s: %s %lld, catalogue %lld", names[i], dse_resource_names[r], (long long)board->chip[r],
                         (long long)device->chip[r]);
        const struct dse_memory *hbm = dse_board_memory(board, "hbm");
        assert_int_equal(device->hbm_bytes, hbm != NULL ? hbm->capacity_bytes : 0);
        dse_board_free(board);
    }
    dse_share_names_free(names, count);
    dse_catalogue_free(catalogue);
}

TEST(parts_are_found_as_tools_write_them)
{
    static const struct {
        const char *part, *device;
        int grade;
    } parts[] = {
        {"xczu7ev-ffvc1156-2-e", "xczu7ev", 2},       {"xc7z020clg400-1", "xc7z020", 1},
        {"XC7Z020CLG400-1", "xc7z020", 1},            {"xa7a35ticsg324-1L", "xc7a35t", 1},
        {"xck26-sfvc784-2LV-c", "xck26", 2},          {"xcvc1902-vsva2197-2MP-e-S", "xcvc1902", 2},
        {"xcvu37p-fsvh2892-2L-e-es1", "xcvu37p", 2},  {"xcu55c-fsvh2892-2L-e", "xcu55c", 2},
        {"xc7a100tcsg324", "xc7a100t", 0},            {"xcku115-flva1517-2-e", "xcku115", 2},
        {"xqku040-rfa1156-1-i", "xcku040", 1},        {"xc7vx485tffg1761-2", "xc7vx485t", 2},
        {"xcau25p-ffvb676-2-e", "xcau25p", 2},        {"7k325tffg900-3", "xc7k325t", 3},
        {"xqrku060-cna1509-1-m", "xcku060", 1},       {"xcvh1582-vsva3697-2MP-e-S", "xcvh1582", 2},
        {"xczu67dr-fsve1156-2-i", "xczu67dr", 2},     {"xc2ve3858-ssva2112-2MP-e-S", "xc2ve3858", 2},
        {"xcau10p-sbvb484-2-e", "xcau10p", 2},        {"xcu30-fbvb900-2-e", "xcu30", 2},
    };
    struct dse_catalogue *catalogue = open_catalogue();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct dse_device *device = dse_catalogue_device(catalogue, parts[i].part);
        if (device == NULL)
            fail_msg("%s is not found", parts[i].part);
        assert_string_equal(device->name, parts[i].device);
        assert_int_equal(dse_part_speed_grade(parts[i].part), parts[i].grade);
    }
    assert_null(dse_catalogue_device(catalogue, "xc7a1000tcsg324-1"));
    assert_null(dse_catalogue_device(catalogue, "5csema5f31c6"));
    assert_null(dse_catalogue_device(catalogue, ""));
    dse_catalogue_free(catalogue);
}

TEST(dram_part_numbers_are_decoded)
{
    static const struct {
        const char *part;
        int64_t mib, width;
        bool module;
        double mtps;
    } parts[] = {
        {"MT40A512M16HA-075E", 1024, 16, false, 2667}, {"MT40A256M16GE-083E", 512, 16, false, 2400},
        {"MT41K128M16 JT-125", 256, 16, false, 1600},  {"MT41J256M8HX-15E", 256, 8, false, 1333},
        {"MT53D512M32D2DS-053", 2048, 32, false, 0},   {"MT40A1G8SA-062E", 1024, 8, false, 3200},
        {"MTA8ATF51264HZ-2G1", 4096, 64, true, 2133},  {"MT8JTF12864HZ-1G6G1", 1024, 64, true, 1600},
        {"MTA18ASF2G72PZ-2G3", 16384, 64, true, 2400}, {"MT4KTF25664HZ-1G9", 2048, 64, true, 1866},
        {"K4A8G165WB-BCRC", 1024, 16, false, 0},       {"K4B2G0846D", 256, 8, false, 0},
        {"IS43TR16256A-125KBL", 512, 16, false, 1600},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct dse_dram dram = dse_dram_decode(parts[i].part);
        if (dram.capacity_bits != (parts[i].mib << 23) || dram.width_bits != parts[i].width ||
            dram.module != parts[i].module || dram.transfers_hz != parts[i].mtps * 1e6)
            fail_msg("%s: %lld bits, %lld wide, %g", parts[i].part, (long long)dram.capacity_bits,
                     (long long)dram.width_bits, dram.transfers_hz);
    }
    static const char *const unknown[] = {"", "Custom", "MT", "MTATF", "MT40A", "K4", "K4A8G", "IS4", "MT8JTF1", "x"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_int_equal(dse_dram_decode(unknown[i]).capacity_bits, 0);
}

TEST(sizes_are_read_with_their_units)
{
    static const struct {
        const char *text;
        double mib;
        bool in_bits;
    } sizes[] = {
        {"1GB", 1024, false},  {"512 MB", 512, false},        {"8Gb", 1024, true},     {"4096 MBits", 512, true},
        {"2 GiB", 2048, false}, {"128M x 16", 256, true},     {"0.5GB", 512, false},   {"1 Gbyte", 1024, false},
        {"16GB RDIMM", 16384, false}, {"1073741824", 1024, false}, {"0x20000000", 512, false},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t bits = 0;
        bool in_bits = false;
        if (!dse_dram_size(sizes[i].text, &bits, &in_bits) || bits != (int64_t)(sizes[i].mib * 8388608) ||
            in_bits != sizes[i].in_bits)
            fail_msg("%s: %lld bits", sizes[i].text, (long long)bits);
    }
    static const char *const wrong[] = {"", "GB", "8", "1000000", "-1GB", "0GB", "8 bananas", "1e30GB", "nanGB", "128M x -4", "infGB"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t bits = 0;
        bool in_bits = false;
        assert_false(dse_dram_size(wrong[i], &bits, &in_bits));
    }
}

TEST(technologies_and_rates_are_named_as_sold)
{
    assert_string_equal(dse_dram_technology("DDR 3"), "DDR3");
    assert_string_equal(dse_dram_technology("DDR 3 (Low Voltage)"), "DDR3L");
    assert_string_equal(dse_dram_technology("DDR 3L"), "DDR3L");
    assert_string_equal(dse_dram_technology("LPDDR4_SDRAM"), "LPDDR4");
    assert_string_equal(dse_dram_technology("xilinx.com:interface:ddr4_rtl:1.0"), "DDR4");
    assert_string_equal(dse_dram_technology("SRAM"), "");
    assert_string_equal(dse_dram_part_technology("mt41k256m16 re-125"), "DDR3L");
    assert_string_equal(dse_dram_part_technology("MTA8ATF51264HZ-2G1"), "DDR4");
    assert_string_equal(dse_dram_part_technology("MT53E512M32D1ZW-046"), "LPDDR4");
    assert_string_equal(dse_dram_part_technology("Custom"), "");
    assert_true(dse_dram_rate(2e12 / 938) == 2133e6);
    assert_true(dse_dram_rate(2e12 / 833) == 2400e6);
    assert_true(dse_dram_rate(2e12 / 3000) == 667e6);
    assert_true(dse_dram_rate(1050e6) == 1050e6);
}

TESTS(NULL, NULL)
