/* The shipped boards: each loads, is valid against the schema, and agrees with its sources. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "devices/board.h"
#include "devices/hosts.h"
#include "tests/devices/sample.h"
#include "tests/test.h"

static struct dse_board *open_board(const char *name)
{
    struct dse_board *board = NULL;
    struct dse_error err = {0};
    if (dse_board_open(name, &board, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return board;
}

/* Caps are published or derived, and the maximum clock is the last cap's. Above FINN's clock, caps are derived from its 70 %: paths take 1.15 times longer
   per share of the LUTs. */
static void check_caps(const struct dse_board *board)
{
    const double slower = 1.15;
    const struct dse_clock_cap *finn = NULL, *last = &board->caps[board->cap_count - 1];
    if (board->max_clock_hz != last->clock_hz || dse_board_fact_find(board, "clocks")->source != dse_board_cap_source(board, last))
        fail_msg("%s: the maximum clock is not that of the last cap, with its source", board->name);
    for (size_t c = 0; c < board->cap_count; c++) {
        const struct dse_clock_cap *cap = &board->caps[c];
        const struct dse_board_source *source = dse_board_cap_source(board, cap);
        if (source == NULL || strcmp(source->evidence, "assumed") == 0)
            fail_msg("%s: the cap at %.0f MHz has no source", board->name, cap->clock_hz / 1e6);
        finn = strcmp(source->id, "finn") == 0 ? cap : finn;
        if (strcmp(source->id, "routed") != 0)
            continue;
        assert_non_null(finn);
        double share = ((1.0 + 0.7 * slower) * finn->clock_hz / cap->clock_hz - 1.0) / slower;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (fabs(cap->utilisation[r] - finn->utilisation[r] * share / 0.7) > 0.006)
                fail_msg("%s: a cap at %.0f MHz is %.2f", board->name, cap->clock_hz / 1e6, cap->utilisation[r]);
    }
}

TEST(every_shipped_board_passes_its_check)
{
    char **names = NULL;
    size_t count = 0;
    struct dse_error err = {0};
    assert_int_equal(dse_board_names("*", &names, &count, &err), DSE_OK);
    assert_int_equal(count, 26);
    for (size_t i = 0; i < count; i++) {
        struct dse_board *board = open_board(names[i]);
        assert_string_equal(board->name, names[i]);
        struct dse_strbuf problems = {0};
        size_t problem_count = 1;
        assert_int_equal(dse_board_check(board->file, &problems, &problem_count, &err), DSE_OK);
        if (problem_count != 0)
            fail_msg("%s", problems.text);
        check_caps(board);
        dse_strbuf_free(&problems);
        dse_board_free(board);
    }
    dse_share_names_free(names, count);
}

/* Facts come from the file alone, so every value element must have given one. */
TEST(every_value_has_a_source)
{
    struct dse_board *board = open_board("zcu104");
    static const char *const expected[] = {"part", "chip", "platform", "headroom", "memory ps-ddr rate",
                                           "memory ps-ddr energy", "port hp", "clocks", "cap 300 MHz",
                                           "static power", "ps power"};
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        size_t found = 0;
        for (size_t i = 0; i < board->fact_count; i++)
            if (strcmp(board->facts[i].what, expected[e]) == 0) {
                assert_non_null(board->facts[i].source);
                found++;
            }
        if (found != 1)
            fail_msg("%s: %zu facts", expected[e], found);
    }
    dse_board_free(board);
}

TEST(zcu104_is_what_its_documents_say)
{
    struct dse_board *board = open_board("ZCU104");
    assert_string_equal(board->part, "xczu7ev-ffvc1156-2-e");
    assert_string_equal(board->family, "zynq-ultrascale-plus");
    assert_string_equal(board->dsp_type, "DSP48E2");
    assert_int_equal(board->chip[DSE_BRAM18], 624);
    assert_int_equal(board->chip[DSE_URAM], 96);
    assert_int_equal(board->chip[DSE_DSP], 1728);
    assert_int_equal(board->chip[DSE_LUT], 230400);
    assert_int_equal(board->chip[DSE_FF], 460800);
    assert_int_equal(board->memory_count, 1); /* the board's SODIMM socket is empty */
    const struct dse_memory *ddr = dse_board_memory(board, "ps-ddr");
    assert_non_null(ddr);
    assert_null(dse_board_memory(board, "pl-ddr"));
    assert_true(fabs(ddr->preset_transfers_hz * (double)ddr->width_bits / 8 - 17.06e9) < 0.01e9);
    assert_true(fabs(ddr->nominal_transfers_hz * (double)ddr->width_bits / 8 - 19.2e9) < 1);
    assert_int_equal(ddr->capacity_bytes, (int64_t)2 << 30);
    assert_int_equal(board->port_count, 2);
    assert_string_equal(board->ports[0].name, "hp");
    assert_int_equal(board->ports[0].count, 4);
    assert_int_equal(board->ports[0].width_bits, 128);
    assert_int_equal(board->ports[0].max_burst_beats, 16);
    dse_board_free(board);
}

/* Chip totals and preset rates in GB/s as tabulated from tool reports, vendor documents and board files: typed independently of the board
 * files, which must agree. A rate of 0: no such memory. */
static const struct {
    const char *name, *part;
    int64_t lut, ff, bram18, uram, dsp, slrs;
    double ps_gbps, pl_gbps, hbm_gbps;
} table[] = {
    {"zcu104", "xczu7ev-ffvc1156-2-e", 230400, 460800, 624, 96, 1728, 1, 17.06, 17.06, 0},
    {"zcu106", "xczu7ev-ffvc1156-2-e", 230400, 460800, 624, 96, 1728, 1, 17.06, 19.2, 0},
    {"zcu102", "xczu9eg-ffvb1156-2-e", 274080, 548160, 1824, 0, 2520, 1, 17.06, 4.8, 0},
    {"zcu111", "xczu28dr-ffvg1517-2-e", 425280, 850560, 2160, 80, 4272, 1, 17.06, 21.34, 0},
    {"ultra96-v2", "xczu3eg-sbva484-1-i", 70560, 141120, 432, 0, 360, 1, 4.26, 0, 0},
    {"kv260", "xck26-sfvc784-2LV-c", 117120, 234240, 288, 64, 1248, 1, 19.2, 0, 0},
    {"kr260", "xck26-sfvc784-2LV-c", 117120, 234240, 288, 64, 1248, 1, 19.2, 0, 0},
    {"kd240", "xck24-ubva530-2LV-c", 70560, 141120, 432, 0, 360, 1, 4.26, 0, 0},
    {"pynq-z1", "xc7z020clg400-1", 53200, 106400, 280, 0, 220, 1, 2.1, 0, 0},
    {"pynq-z2", "xc7z020clg400-1", 53200, 106400, 280, 0, 220, 1, 2.1, 0, 0},
    {"zybo-z7-20", "xc7z020clg400-1", 53200, 106400, 280, 0, 220, 1, 4.26, 0, 0},
    {"zc706", "xc7z045ffg900-2", 218600, 437200, 1090, 0, 900, 1, 4.26, 12.8, 0},
    {"vcu118", "xcvu9p-flga2104-2L-e", 1182240, 2364480, 4320, 960, 6840, 3, 0, 38.4, 0},
    {"vcu128", "xcvu37p-fsvh2892-2L-e", 1303680, 2607360, 4032, 960, 9024, 3, 0, 21.34, 460},
    {"vcu129", "xcvu29p-fsga2577-2L-e", 1728000, 3456000, 5376, 1280, 12288, 4, 0, 19.2, 0},
    {"u50", "xcu50-fsvh2104-2-e", 871680, 1743360, 2688, 640, 5952, 2, 0, 0, 460},
    {"u55c", "xcu55c-fsvh2892-2L-e", 1303680, 2607360, 4032, 960, 9024, 3, 0, 0, 460},
    {"u200", "xcu200-fsgd2104-2-e", 1182240, 2364480, 4320, 960, 6840, 3, 0, 76.8, 0},
    {"u250", "xcu250-figd2104-2L-e", 1728000, 3456000, 5376, 1280, 12288, 4, 0, 76.8, 0},
    {"u280", "xcu280-fsvh2892-2L-e", 1303680, 2607360, 4032, 960, 9024, 3, 0, 38.4, 460},
    {"vck190", "xcvc1902-vsva2197-2MP-e-S", 899840, 1799680, 1934, 463, 1968, 1, 0, 25.6, 0},
    {"vck5000", "xcvc1902-vsvd1760-2MP-e-S", 899840, 1799680, 1934, 463, 1968, 1, 0, 102.4, 0},
    {"aws-f1", "xcvu9p-flgb2104-2-i", 1182240, 2364480, 4320, 960, 6840, 3, 0, 68.26, 0},
    {"kc705", "xc7k325tffg900-2", 203800, 407600, 890, 0, 840, 1, 0, 12.8, 0},
    {"nexys-video", "xc7a200tsbg484-1", 134600, 269200, 730, 0, 740, 1, 0, 1.6, 0},
    {"arty-a7-100", "xc7a100tcsg324-1", 63400, 126800, 270, 0, 240, 1, 0, 1.33, 0},
};

static void assert_rate(const struct dse_board *board, const char *memory, double gbps)
{
    const struct dse_memory *found = dse_board_memory(board, memory);
    if (found == NULL && (gbps == 0 || strcmp(board->name, "zcu104") == 0)) /* whose socket is empty */
        return;
    if (found == NULL)
        fail_msg("%s has no %s", board->name, memory);
    double preset = dse_memory_sustained_bytes_per_s(found) / found->efficiency / 1e9;
    if (fabs(preset / gbps - 1) > 0.005)
        fail_msg("%s %s: %g GB/s, tabulated %g", board->name, memory, preset, gbps);
}

TEST(boards_agree_with_the_table)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct dse_board *board = open_board(table[i].name);
        assert_string_equal(board->part, table[i].part);
        assert_int_equal(board->chip[DSE_LUT], table[i].lut);
        assert_int_equal(board->chip[DSE_FF], table[i].ff);
        assert_int_equal(board->chip[DSE_BRAM18], table[i].bram18);
        assert_int_equal(board->chip[DSE_URAM], table[i].uram);
        assert_int_equal(board->chip[DSE_DSP], table[i].dsp);
        assert_int_equal(board->slrs, table[i].slrs);
        assert_rate(board, "ps-ddr", table[i].ps_gbps);
        assert_rate(board, "pl-ddr", table[i].pl_gbps);
        assert_rate(board, "hbm", table[i].hbm_gbps);
        dse_board_free(board);
    }
}

/* The design of NysX's Table 3 closes timing at 300 MHz on a ZCU104, so the board must allow it. */
TEST(zcu104_has_room_for_nysx)
{
    static const int64_t published[DSE_RESOURCE_COUNT] = {
        [DSE_LUT] = 71900, [DSE_FF] = 87800, [DSE_BRAM18] = 329, [DSE_DSP] = 156};
    struct dse_board *board = open_board("zcu104");
    int64_t limits[DSE_RESOURCE_COUNT];
    dse_board_limits(board, -1, limits);
    const struct dse_clock_cap *cap = dse_board_cap(board, 300e6);
    assert_non_null(cap);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        assert_true((double)published[r] <= cap->utilisation[r] * (double)limits[r]);
    dse_board_free(board);
}

/* A published design on ZCU106 closes at 225 MHz with 541 of 624 BRAM18 (GAT thesis, Table 6.1). */
TEST(zcu106_has_room_for_the_published_gat)
{
    struct dse_board *board = open_board("zcu106");
    int64_t limits[DSE_RESOURCE_COUNT];
    dse_board_limits(board, -1, limits);
    const struct dse_clock_cap *cap = dse_board_cap(board, 225e6);
    assert_non_null(cap);
    assert_true(541 <= cap->utilisation[DSE_BRAM18] * (double)limits[DSE_BRAM18]);
    assert_true(64486 <= cap->utilisation[DSE_LUT] * (double)limits[DSE_LUT]);
    assert_true(150633 <= cap->utilisation[DSE_FF] * (double)limits[DSE_FF]);
    dse_board_free(board);
}

TEST(limits_take_platform_and_headroom_off)
{
    struct dse_board board = {
        .chip = {[DSE_BRAM18] = 624, [DSE_DSP] = 100, [DSE_LUT] = 1000, [DSE_FF] = 7},
        .platform = {[DSE_BRAM18] = 24, [DSE_LUT] = 100},
        .headroom = {[DSE_BRAM18] = 0.1, [DSE_DSP] = 0.9, [DSE_FF] = 0.5}};
    int64_t limits[DSE_RESOURCE_COUNT];
    dse_board_limits(&board, -1, limits);
    assert_int_equal(limits[DSE_BRAM18], 540);
    assert_int_equal(limits[DSE_DSP], 10); /* not 9: 1 − 0.9 is a little under 0.1 */
    assert_int_equal(limits[DSE_LUT], 900);
    assert_int_equal(limits[DSE_FF], 3);
    assert_int_equal(limits[DSE_URAM], 0);
    dse_board_limits(&board, 0, limits);
    assert_int_equal(limits[DSE_BRAM18], 600);
    assert_int_equal(limits[DSE_FF], 7);
    dse_board_limits(&board, 0.25, limits);
    assert_int_equal(limits[DSE_BRAM18], 450);
    assert_int_equal(limits[DSE_LUT], 675);
}

TEST(caps_hold_up_to_their_clock)
{
    static const struct dse_clock_cap caps[] = {{.clock_hz = 150e6}, {.clock_hz = 300e6}};
    struct dse_board board = {.caps = caps, .cap_count = 2};
    assert_ptr_equal(dse_board_cap(&board, 1e6), &caps[0]);
    assert_ptr_equal(dse_board_cap(&board, 150e6), &caps[0]);
    assert_ptr_equal(dse_board_cap(&board, 150.1e6), &caps[1]);
    assert_ptr_equal(dse_board_cap(&board, 300e6), &caps[1]);
    assert_null(dse_board_cap(&board, 300.1e6));
}

TEST(sustained_rate_multiplies_out)
{
    struct dse_memory memory = {
        .channels = 4, .width_bits = 64, .preset_transfers_hz = 2400e6, .efficiency = 0.5};
    assert_true(fabs(dse_memory_sustained_bytes_per_s(&memory) - 38.4e9) < 1);
}

TEST(names_are_found_as_people_type_them)
{
    static const char *const spellings[] = {"u250", "U250", "alveo-u250", "Alveo_U250", "ALVEO U250"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        struct dse_board *board = open_board(spellings[i]);
        assert_string_equal(board->name, "u250");
        dse_board_free(board);
    }
}

/* A file with a shipped board's name is that board only if its values are equal. */
TEST(changed_boards_go_by_their_file)
{
    struct dse_board *shipped = open_board("zcu104");
    char *text = NULL, *folder = make_folder(), *path = dse_path_join(folder, "mine.xml");
    size_t size = 0;
    struct dse_error err;
    assert_int_equal(dse_file_read(shipped->file, 1u << 20, &text, &size, &err), DSE_OK);
    char *commented = replaced(text, "</board>", "<!-- mine --></board>"), *changed = replaced(text, "dsp=\"1728\"", "dsp=\"864\"");
    free(put_file(folder, "mine.xml", commented));
    struct dse_board *same = open_board(path);
    free(put_file(folder, "mine.xml", changed));
    struct dse_board *other = open_board(path);
    assert_string_equal(same->name, "zcu104");
    assert_string_equal(same->title, shipped->title);
    assert_string_equal(other->name, "mine.xml");
    assert_true(strncmp(other->title, shipped->title, strlen(shipped->title)) == 0);
    assert_non_null(strstr(other->title, " (mine.xml)"));
    dse_board_free(same);
    dse_board_free(other);
    dse_board_free(shipped);
    free(changed);
    free(commented);
    free(text);
    free(path);
    remove_folder(folder);
}

TEST(unknown_names_list_the_nearest)
{
    struct dse_board *board = NULL;
    struct dse_error err = {0};
    assert_int_equal(dse_board_open("zcu14", &board, &err), DSE_BAD_USAGE);
    assert_null(board);
    assert_non_null(strstr(err.message, "zcu14: no such board; nearest: zcu104"));
    char endless[3000];
    memset(endless, 'z', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_int_equal(dse_board_open(endless, &board, &err), DSE_BAD_USAGE);
    assert_int_equal(dse_board_open("", &board, &err), DSE_BAD_USAGE);
    FAILS(DSE_BAD_INPUT, "missing/board.xml", dse_board_open("missing/board.xml", &board, &why));
}

TEST(patterns_select_shipped_boards)
{
    char **names = NULL;
    size_t count = 0;
    struct dse_error err = {0};
    assert_int_equal(dse_board_names("ZCU10*", &names, &count, &err), DSE_OK);
    assert_int_equal(count, 3);
    assert_string_equal(names[0], "zcu102");
    assert_string_equal(names[2], "zcu106");
    dse_share_names_free(names, count);
    assert_int_equal(dse_board_names("mine.xml", &names, &count, &err), DSE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "mine.xml");
    dse_share_names_free(names, count);
    assert_int_equal(dse_board_names("nothing*", &names, &count, &err), DSE_BAD_USAGE);
    assert_null(names);
}

/* Each step of a host that `emit` writes follows from a published measurement, with a band. */
TEST(steps_of_emitted_hosts_are_measured)
{
    struct dse_host_paths paths;
    struct dse_error err = {0};
    size_t steps = 0;
    assert_int_equal(dse_host_paths_open(&paths, &err), DSE_OK);
    for (size_t p = 0; p < paths.count; p++) {
        for (size_t i = 0; i < paths.items[p].step_count && paths.items[p].on != DSE_HOST_ETHERNET; i++, steps++) {
            const struct dse_host_step *step = &paths.items[p].steps[i];
            if (strcmp(step->evidence, "assumed") == 0 || strlen(step->source) < 30 || !(step->low_s < step->s && step->s < step->high_s))
                fail_msg("%s, %s: %s, %g to %g s, %s", paths.items[p].name, step->name, step->evidence, step->low_s, step->high_s, step->source);
        }
    }
    assert_true(steps > 30);
    dse_host_paths_free(&paths);
}

TESTS(NULL, NULL)
