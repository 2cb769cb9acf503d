/* Readers and the import with the allocator failing at its first, second, third … call, until they pass: they must
 * say so and leave nothing behind (the sanitizer's build counts). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "devices/board.h"
#include "devices/vivado.h"
#include "tests/devices/sample.h"
#include "tests/failing_memory.h"

static char *folder, *board_path, *vivado_path;

/* What is tried; each frees what it made. */
typedef enum dse_status attempt(struct dse_error *err);

static enum dse_status open_shipped(struct dse_error *err)
{
    struct dse_board *board = NULL;
    enum dse_status status = dse_board_open("u280", &board, err);
    assert_true((status == DSE_OK) == (board != NULL));
    dse_board_free(board);
    return status;
}

static enum dse_status open_by_alias(struct dse_error *err)
{
    struct dse_board *board = NULL;
    enum dse_status status = dse_board_open("f1", &board, err);
    assert_true((status == DSE_OK) == (board != NULL));
    dse_board_free(board);
    return status;
}

static enum dse_status list_names(struct dse_error *err)
{
    char **names = NULL;
    size_t count = 0;
    enum dse_status status = dse_board_names("zcu*", &names, &count, err);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return status;
}

static enum dse_status check_file(struct dse_error *err)
{
    struct dse_strbuf problems = {0};
    size_t count = 0;
    enum dse_status status = dse_board_check(board_path, &problems, &count, err);
    if (status == DSE_OK)
        assert_int_equal(count, 2);
    dse_strbuf_free(&problems);
    return status;
}

static enum dse_status import_board(struct dse_error *err)
{
    static const char *const memory = "capacity mib=\"2048\"";
    struct dse_strbuf xml = {0}, warnings = {0};
    enum dse_status status = dse_vivado_import(vivado_path, NULL, &xml, &warnings, err);
    if (status == DSE_OK)
        assert_non_null(strstr(xml.text, memory)); /* nothing was lost on the way */
    dse_strbuf_free(&xml);
    dse_strbuf_free(&warnings);
    return status;
}

static void fail_each_call(attempt *tried, long least)
{
    for (long call = 0;; call += 1 + call / 20) { /* each of the first twenty, then ever fewer: libxml2 alone asks thousands of times */
        struct dse_error err = {0};
        dse_memory_lost(true);
        calls_left = call;
        enum dse_status status = tried(&err);
        bool reached = calls_left < 0;
        calls_left = -1;
        if (!reached) {
            assert_int_equal(status, DSE_OK);
            assert_true(call >= least);
            return;
        }
        /* The search for shipped files skips a place that it has no memory for, and may find it in none. */
        bool not_found = status == DSE_BAD_INPUT && strstr(err.message, "not among the shipped files") != NULL;
        if (status != DSE_LIMIT && status != DSE_OK && !not_found)
            fail_msg("call %ld: status %d: %s", call, (int)status, err.message);
        if (status == DSE_LIMIT)
            assert_string_equal(err.message, "out of memory");
    }
}

static void boards(void **state)
{
    (void)state;
    fail_each_call(open_shipped, 5);
    fail_each_call(open_by_alias, 20);
    fail_each_call(list_names, 10);
}

static void checks(void **state)
{
    (void)state;
    struct dse_error err;
    assert_int_equal(check_file(&err), DSE_OK); /* libxml2 makes its table of types once, and a half of it would stay one */
    fail_each_call(check_file, 5);
}

static void imports(void **state)
{
    (void)state;
    fail_each_call(import_board, 20);
}

static int set_up(void **state)
{
    (void)state;
    char *one = replaced(sample_board, "dsp=\"220\"", "dsp=\"many\"");
    char *two = replaced(one, "count=\"4\"", "count=\"0\"");
    folder = make_folder();
    board_path = put_file(folder, "mine.xml", two);
    vivado_path = put_file(
        folder, "board.xml",
        "<board schema_version=\"2.2\" name=\"b\"><components><component name=\"part0\" type=\"fpga\" "
        "part_name=\"xczu3eg-sbva484-1-e\"><interfaces><interface name=\"ps8\" "
        "type=\"xilinx.com:zynq_ultra_ps_e:fixedio_rtl:1.0\" preset_proc=\"p\"/><interface name=\"ddr4\" "
        "type=\"xilinx.com:interface:ddr4_rtl:1.0\" preset_proc=\"d\"/></interfaces></component></components></board>");
    free(put_file(
        folder, "preset.xml",
        "<ip_presets><ip_preset preset_proc_name=\"p\"><ip name=\"zynq_ultra_ps_e\"><user_parameters>"
        "<user_parameter name=\"CONFIG.PSU__DDRC__BUS_WIDTH\" value=\"32 Bit\"/>"
        "<user_parameter name=\"CONFIG.PSU__DDRC__DRAM_WIDTH\" value=\"32 Bits\"/>"
        "<user_parameter name=\"CONFIG.PSU__DDRC__MEMORY_TYPE\" value=\"LPDDR 4\"/>"
        "<user_parameter name=\"CONFIG.PSU__CRF_APB__DDR_CTRL__FREQMHZ\" value=\"533\"/>"
        "<user_parameter name=\"CONFIG.PSU__DDRC__DEVICE_CAPACITY\" value=\"16384 MBits\"/>"
        "</user_parameters></ip></ip_preset><ip_preset preset_proc_name=\"d\"><ip name=\"ddr4\"><user_parameters>"
        "<user_parameter name=\"CONFIG.C0.DDR4_MemoryPart\" value=\"MT40A256M16GE-083E\"/>"
        "<user_parameter name=\"CONFIG.C0.DDR4_TimePeriod\" value=\"833\"/>"
        "<user_parameter name=\"CONFIG.C0.DDR4_DataWidth\" value=\"64\"/>"
        "</user_parameters></ip></ip_preset></ip_presets>"));
    free(one);
    free(two);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(board_path);
    free(vivado_path);
    remove_folder(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards),
        cmocka_unit_test(checks),
        cmocka_unit_test(imports),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
