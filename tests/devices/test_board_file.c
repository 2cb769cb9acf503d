/* Good and bad board files: each fault has its own message, all are found, and reader and schema agree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "devices/board.h"
#include "tests/devices/sample.h"
#include "tests/test.h"

static enum dse_status read_text(const char *text, struct dse_error *err)
{
    struct dse_board *board = NULL;
    enum dse_status status = dse_board_read_memory(text, strlen(text), "t.xml", &board, err);
    assert_true((status == DSE_OK) == (board != NULL));
    dse_board_free(board);
    return status;
}

static bool schema_accepts(const char *text)
{
    struct dse_xml *doc = NULL;
    struct dse_error err = {0};
    char *schema = NULL;
    if (dse_xml_read_memory(text, strlen(text), "t.xml", &doc, &err) != DSE_OK)
        return false;
    assert_int_equal(dse_share_find("schema/board.xsd", &schema, &err), DSE_OK);
    assert_int_equal(dse_xml_validate(doc, schema, &err), DSE_OK);
    bool good = dse_xml_problem_count(doc) == 0;
    free(schema);
    dse_xml_free(doc);
    return good;
}

TEST(the_sample_is_read_in_full)
{
    struct dse_board *board = NULL;
    struct dse_error err = {0};
    if (dse_board_read_memory(sample_board, strlen(sample_board), "t.xml", &board, &err) != DSE_OK)
        fail_msg("%s", err.message);
    assert_true(schema_accepts(sample_board));
    assert_string_equal(board->name, "tiny");
    assert_int_equal(board->alias_count, 2);
    assert_string_equal(board->aliases[1], "wee");
    assert_int_equal(board->platform[DSE_LUTRAM], 100);
    assert_int_equal(board->memories[0].capacity_bytes, 512 << 20);
    assert_true(fabs(board->memories[0].read_latency_s - 250e-9) < 1e-15);
    assert_true(fabs(board->memories[0].energy_high_j_per_bit - 90e-12) < 1e-18);
    assert_int_equal(board->clock_input_count, 1);
    assert_true(board->clock_inputs[0].clock_hz == 125e6);
    assert_int_equal(board->cap_count, 2);
    assert_true(board->ps_power_high_w == 1.8);
    assert_int_equal(board->alternative_count, 1);
    assert_string_equal(board->alternatives[0].what, "chip");
    assert_string_equal(board->alternatives[0].source->evidence, "assumed");
    assert_string_equal(board->file, "t.xml");
    dse_board_free(board);
}

TEST(without_ps_its_power_is_not_known)
{
    char *text = replaced(sample_board, "<ps w=\"1.5\" low_w=\"1.3\" high_w=\"1.8\" source=\"report\"/>\n", "");
    struct dse_board *board = NULL;
    struct dse_error err = {0};
    assert_int_equal(dse_board_read_memory(text, strlen(text), "t.xml", &board, &err), DSE_OK);
    assert_true(isnan(board->ps_power_w));
    dse_board_free(board);
    free(text);
}

/* A written board reads back equal: writing it again gives the same text. */
TEST(written_boards_read_back_equal)
{
    struct dse_error err = {0};
    struct dse_board *first = NULL, *second = NULL;
    struct dse_strbuf once = {0}, twice = {0};
    assert_int_equal(dse_board_read_memory(sample_board, strlen(sample_board), "t", &first, &err), DSE_OK);
    dse_board_write(first, &once);
    assert_true(schema_accepts(dse_strbuf_text(&once)));
    if (dse_board_read_memory(once.text, once.length, "t", &second, &err) != DSE_OK)
        fail_msg("%s", err.message);
    dse_board_write(second, &twice);
    assert_string_equal(dse_strbuf_text(&once), dse_strbuf_text(&twice));
    assert_int_equal(first->fact_count, second->fact_count);
    assert_memory_equal(first->chip, second->chip, sizeof first->chip);
    assert_memory_equal(first->headroom, second->headroom, sizeof first->headroom);
    assert_memory_equal(first->caps, second->caps, first->cap_count * sizeof *first->caps);
    assert_true(first->memories[0].read_latency_s == second->memories[0].read_latency_s);
    dse_strbuf_free(&once);
    dse_strbuf_free(&twice);
    dse_board_free(first);
    dse_board_free(second);
}

#define PORT(n) "<port name=\"p" #n "\" memory=\"ps-ddr\" count=\"1\" width_bits=\"64\" max_burst_beats=\"16\" source=\"report\"/>"
#define FOUR(n) PORT(n##0) PORT(n##1) PORT(n##2) PORT(n##3)

/* One fault and its complete message. */
static const struct {
    const char *from, *to, *message;
} faults[] = {
    {"version=\"1\" ", "", "t.xml:1: <board>: needs the attribute \"version\""},
    {"version=\"1\"", "version=\"2\"", "t.xml:1: <board version=\"2\">: must be from 1 to 1"},
    {"name=\"tiny\"", "name=\"Tiny Board\"",
     "t.xml:1: <board name=\"Tiny Board\">: must be of lower-case letters, digits, '.', '_' and '-', beginning with a "
     "letter or digit"},
    {"title=\"Tiny board\"", "title=\" \"", "t.xml:1: <board title=\" \">: must not be empty"},
    {"<power>", "<power><fan/>", "t.xml:30: <fan>: unknown element \"fan\"; allowed: static or ps"},
    {"slrs=\"1\"", "slrs=\"1\" colour=\"red\"",
     "t.xml:6: <part>: unknown attribute \"colour\"; allowed: name, family, dsp, process_nm, slrs or source"},
    {"count=\"4\"", "count=\"-3\"", "t.xml:23: <port count=\"-3\">: must be from 1 to 1024"},
    {"dsp=\"220\"", "dsp=\"-3\"", "t.xml:8: <chip dsp=\"-3\">: must be from 0 to 100000000"},
    {"dsp=\"220\"", "dsp=\"2.5\"", "t.xml:8: <chip dsp=\"2.5\">: must be a whole number"},
    {"dsp=\"220\"", "dsp=\"99999999999999999999\"",
     "t.xml:8: <chip dsp=\"99999999999999999999\">: must be a whole number"},
    {"lut=\"53200\"", "lut=\"0\"", "t.xml:8: <chip lut=\"0\">: must be from 1 to 100000000"},
    {"lut=\"53200\"", "lut=\"17000\"",
     "t.xml:8: <chip lutram=\"17400\">: must not be above lut, which includes it"},
    {"lut=\"2000\"", "lut=\"60000\"", "t.xml:10: <platform lut=\"60000\">: must not be above the chip's 53200"},
    {"bram18=\"0.1\"", "bram18=\"1\"", "t.xml:11: <headroom bram18=\"1\">: must be from 0 to 0.99"},
    {"dsp=\"DSP48E1\"", "dsp=\"DSP99\"", "t.xml:6: <part dsp=\"DSP99\">: must be DSP48E1, DSP48E2 or DSP58"},
    {"kind=\"ps-ddr\"", "kind=\"tape\"", "t.xml:14: <memory kind=\"tape\">: must be ps-ddr, pl-ddr or hbm"},
    {"width_bits=\"16\"", "width_bits=\"17\"", "t.xml:14: <memory width_bits=\"17\">: must be a multiple of 8"},
    {"preset_mtps=\"1050\"", "preset_mtps=\"2000\"",
     "t.xml:15: <rate preset_mtps=\"2000\">: must not be above nominal_mtps, unless a <note> says why"},
    {"share=\"0.87\"", "share=\"1.87\"", "t.xml:16: <efficiency share=\"1.87\">: must be from 0.01 to 1"},
    {"share=\"0.87\"", "share=\"nan\"", "t.xml:16: <efficiency share=\"nan\">: must be a number"},
    {"low=\"0.75\"", "low=\"0.9\"", "t.xml:16: <efficiency low=\"0.9\">: must not be above share"},
    {"high=\"0.97\"", "high=\"0.8\"", "t.xml:16: <efficiency high=\"0.8\">: must not be below share"},
    {"<capacity mib=\"512\" source=\"report\"/>\n", "",
     "t.xml:14: <memory>: needs a child element <capacity>"},
    {"<capacity mib=\"512\" source=\"report\"/>",
     "<capacity mib=\"512\" source=\"report\"/><capacity mib=\"1\" source=\"report\"/>",
     "t.xml:18: <capacity>: occurs twice in <memory>"},
    {"<note>Mixed</note>", "<note> </note>", "t.xml:16: <note>: must hold text"},
    {"<note>Mixed</note>", "<note>a</note><note>b</note>", "t.xml:16: <note>: occurs twice in <efficiency>"},
    {"memory=\"ps-ddr\"", "memory=\"moon\"", "t.xml:23: <port memory=\"moon\">: no <memory> has this name (and 1 more)"},
    {"width_bits=\"64\"", "width_bits=\"96\"", "t.xml:23: <port width_bits=\"96\">: must be a power of two"},
    {"width_bits=\"64\" max_burst_beats=\"16\"", "width_bits=\"512\" max_burst_beats=\"128\"",
     "t.xml:23: <port max_burst_beats=\"128\">: a burst must not pass 4096 bytes (AXI4): at most 64"},
    {"</ports>", FOUR(1) FOUR(2) FOUR(3) FOUR(4) "</ports>", "t.xml:24: <port>: a board has 16 at most"},
    {"</ports>", "<port name=\"hp\" memory=\"ps-ddr\" count=\"1\" width_bits=\"64\" max_burst_beats=\"16\" "
                 "source=\"report\"/></ports>",
     "t.xml:24: <port name=\"hp\">: is the name of an earlier <port>"},
    {"<port name=\"hp\" memory=\"ps-ddr\" count=\"4\" width_bits=\"64\" max_burst_beats=\"16\" source=\"report\"/>", "",
     "t.xml:14: <memory name=\"ps-ddr\">: no <port> leads to this memory"},
    {"width_bits=\"16\" source", "width_bits=\"16\" fitted=\"no\" source",
     "t.xml:13: <memories>: needs a child element <memory> that is fitted"},
    {"<cap mhz=\"200\"", "<cap mhz=\"100\"", "t.xml:28: <cap mhz=\"100\">: must be above the 100 of the cap before (and 1 more)"},
    {"ff=\"0.4\"", "ff=\"0.95\"",
     "t.xml:28: <cap ff=\"0.95\">: must not be above the 0.85 of the cap before, which is for a slower clock"},
    {"default_mhz=\"100\"", "default_mhz=\"201\"",
     "t.xml:25: <clocks default_mhz=\"201\">: must not be above max_mhz"},
    {"max_mhz=\"200\"", "max_mhz=\"300\"", "t.xml:25: <clocks max_mhz=\"300\">: must not be above the last cap's 200"},
    {"w=\"0.13\" low_w=\"0.11\"", "w=\"0.13\" low_w=\"0.14\"",
     "t.xml:31: <static low_w=\"0.14\">: must not be above w"},
    {"slrs=\"1\" source=\"report\"", "slrs=\"1\" source=\"rumour\"",
     "t.xml:6: <part source=\"rumour\">: <sources> has no <source id=\"rumour\">"},
    {"id=\"guess\"", "id=\"report\"", "t.xml:4: <source id=\"report\">: is the id of an earlier source (and 8 more)"},
    {"evidence=\"assumed\"", "evidence=\"hearsay\"",
     "t.xml:4: <source evidence=\"hearsay\">: must be tool-report, vendor-document, board-files, repository, paper, "
     "derived or assumed"},
    {">Assumed<", "><", "t.xml:4: <source>: must hold the source's name as text"},
    {"aliases=\"small wee\"", "aliases=\"\"", "t.xml:1: <board aliases=\"\">: must hold a name, or be left out"},
    {"<ports>", "<ports>ahoy", "t.xml:22: <ports>: must not hold text; put text into <source> and <note>"},
    {"<board ", "<plank ", "t.xml:34: not well-formed XML: an end tag of another name; the open element is: plank"},
};

TEST(each_fault_has_its_message)
{
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct dse_error err = {0};
        char *text = replaced(sample_board, faults[i].from, faults[i].to);
        enum dse_status status = read_text(text, &err);
        if (status != DSE_BAD_INPUT || strcmp(err.message, faults[i].message) != 0) {
            print_error("%s -> %s:\n  got  %s\n  want %s\n", faults[i].from, faults[i].to, err.message,
                        faults[i].message);
            wrong++;
        }
        free(text);
    }
    assert_int_equal(wrong, 0);
}

TEST(files_that_are_no_board_are_rejected)
{
    static const struct {
        const char *text, *message;
    } texts[] = {
        {"", "t.xml"},
        {"hello", "t.xml:1: not well-formed XML"},
        {"<board version=\"1\">", "t.xml:1: not well-formed XML"},
        {"<profile/>", "t.xml:1: <profile>: the root element must be <board>"},
        {"<board schema_version=\"2.2\" vendor=\"xilinx.com\"/>", "boards import"},
        {"<!DOCTYPE board [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><board>&b;</board>",
         "t.xml: document type declarations (<!DOCTYPE …>) are not allowed"},
        {"<!DOCTYPE board SYSTEM \"file:///etc/passwd\"><board/>", "document type declarations"},
        {"<board>&lol;</board>", "t.xml:1: not well-formed XML"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct dse_error err = {0};
        assert_int_equal(read_text(texts[i].text, &err), DSE_BAD_INPUT);
        if (strstr(err.message, texts[i].message) == NULL)
            fail_msg("%s: %s", texts[i].text, err.message);
    }
    struct dse_board *board = NULL;
    FAILS(DSE_BAD_INPUT, "NUL", dse_board_read_memory("<board\0/>", 9, "t.xml", &board, &why));
}

/* Any prefix of a good file is rejected, and nothing is read beyond its end. */
TEST(truncated_files_are_rejected)
{
    size_t length = strlen(sample_board) - strlen("</board>\n");
    for (size_t cut = 0; cut < length; cut += 7) {
        struct dse_board *board = NULL;
        struct dse_error err = {0};
        char *part = malloc(cut + 1);
        assert_non_null(part);
        memcpy(part, sample_board, cut);
        assert_int_equal(dse_board_read_memory(part, cut, "t.xml", &board, &err), DSE_BAD_INPUT);
        assert_null(board);
        free(part);
    }
}

TEST(huge_files_are_rejected)
{
    size_t size = (size_t)2 << 20;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, ' ', size);
    text[size] = '\0';
    memcpy(text, sample_board, strlen(sample_board));
    FAILS(DSE_BAD_INPUT, "larger than", read_text(text, &why));
    char *folder = make_folder();
    char *path = put_file(folder, "huge.xml", text);
    struct dse_board *board = NULL;
    FAILS(DSE_BAD_INPUT, "larger than", dse_board_read(path, &board, &why));
    free(path);
    free(text);
    remove_folder(folder);
}

/* A wrong value does not hide other errors: the rules between values are checked for all others. */
TEST(one_problem_hides_no_other)
{
    static const struct {
        const char *from, *to, *message;
    } slips[] = {
        {"dsp=\"220\"", "dsp=\"-3\"", ":8: <chip dsp=\"-3\">: must be from 0"},
        {"lutram=\"17400\"", "lutram=\"60000\"", ":8: <chip lutram=\"60000\">: must not be above lut"},
        {"bram18=\"4\"", "bram18=\"400\"", ":10: <platform bram18=\"400\">: must not be above the chip's 280"},
        {"share=\"0.87\" low=\"0.75\" high=\"0.97\"", "share=\"1.87\" low=\"0.75\" high=\"0.5\"",
         ":16: <efficiency high=\"0.5\">: must not be below low"},
        {"read_ns=\"250\" low_ns=\"150\"", "read_ns=\"250\" low_ns=\"300\"", ":17: <latency low_ns=\"300\">: must not be above"},
        {"width_bits=\"64\" max_burst_beats=\"16\"", "width_bits=\"96\" max_burst_beats=\"300\"",
         ":23: <port width_bits=\"96\">: must be a power of two"},
        {"default_mhz=\"100\"", "default_mhz=\"300\"", ":25: <clocks default_mhz=\"300\">: must not be above max_mhz"},
        {"<input name=\"sys_clock\" mhz=\"125\"", "<input name=\"sys_clock\" mhz=\"none\"", ":26: <input mhz=\"none\">"},
        {"<cap mhz=\"200\" bram18=\"0.6\"", "<cap mhz=\"90\" bram18=\"0.6\"", ":28: <cap mhz=\"90\">: must be above the 100"},
        {"w=\"0.13\"", "w=\"0.23\"", ":31: <static high_w=\"0.15\">: must not be below w"},
    };
    char *text = strdup(sample_board);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        char *worse = replaced(text, slips[i].from, slips[i].to);
        free(text);
        text = worse;
    }
    char *folder = make_folder();
    char *path = put_file(folder, "bad.xml", text);
    struct dse_strbuf problems = {0};
    struct dse_error err = {0};
    size_t count = 0;
    assert_int_equal(dse_board_check(path, &problems, &count, &err), DSE_OK);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        if (strstr(dse_strbuf_text(&problems), slips[i].message) == NULL)
            fail_msg("not said: %s, in:\n%s", slips[i].message, dse_strbuf_text(&problems));
    assert_int_equal(count, 13); /* the share itself, the beats, and max_mhz above the last cap beside them */
    dse_strbuf_free(&problems);
    free(path);
    free(text);
    remove_folder(folder);
}

/* `check` prints all problems of a file, each of them once, in the order of reading. */
TEST(all_problems_are_reported)
{
    char *one = replaced(sample_board, "dsp=\"220\"", "dsp=\"many\"");
    char *two = replaced(one, "count=\"4\"", "count=\"0\"");
    char *three = replaced(two, "technology=\"DDR3\" ", "");
    char *folder = make_folder();
    char *path = put_file(folder, "bad.xml", three);
    struct dse_strbuf problems = {0};
    struct dse_error err = {0};
    size_t count = 0;
    assert_int_equal(dse_board_check(path, &problems, &count, &err), DSE_OK);
    assert_int_equal(count, 3);
    assert_non_null(strstr(problems.text, "bad.xml:8: <chip dsp=\"many\">: must be a whole number\n"));
    assert_non_null(strstr(problems.text, "bad.xml:14: <memory>: needs the attribute \"technology\"\n"));
    assert_non_null(strstr(problems.text, "bad.xml:23: <port count=\"0\">: must be from 1 to 1024\n"));
    dse_strbuf_free(&problems);
    char *missing = dse_path_join(folder, "not-there.xml");
    assert_int_equal(dse_board_check(missing, &problems, &count, &err), DSE_OK);
    assert_int_equal(count, 1);
    dse_strbuf_free(&problems);
    free(missing);
    free(path);
    free(three);
    free(two);
    free(one);
    remove_folder(folder);
}

/* A chip has half to twice the resources of its part; for a part missing in the catalogue, half of the family's smallest to twice its largest. No clock is
 * above that of the family's clock network, and no memory is faster than its technology. */
TEST(implausible_values_are_problems)
{
    static const struct {
        const char *part, *from, *to, *message;
    } counts[] = {
        {"xc7z999", "dsp=\"220\"", "dsp=\"4040\"", NULL},
        {"xc7z999", "dsp=\"220\"", "dsp=\"4041\"", "bad.xml:8: <chip dsp=\"4041\">: must be at most 4040, 2 times the value of the largest part of zynq-7000\n"},
        {"xc7z999", "dsp=\"220\"", "dsp=\"0\"", "of the smallest part of zynq-7000\n"},
        {"xc7z020", "uram=\"0\"", "uram=\"1\"", "bad.xml:8: <chip uram=\"1\">: must be at most 0, 2 times the value of xc7z020\n"},
        {"xc7z020", "dsp=\"220\"", "dsp=\"441\"", "bad.xml:8: <chip dsp=\"441\">: must be at most 440, 2 times the value of xc7z020\n"},
        {"xc7z020", "dsp=\"220\"", "dsp=\"0\"", "bad.xml:8: <chip dsp=\"0\">: must be at least 110, half of the value of xc7z020\n"},
        {"xc7z020", "<cap mhz=\"200\"", "<cap mhz=\"741\"", NULL},
        {"xc7z020", "<cap mhz=\"200\"", "<cap mhz=\"742\"", "bad.xml:28: <cap mhz=\"742\">: must be at most 741, which the clock network of zynq-7000 carries in its fastest speed grade\n"},
        {"xc7z020", "nominal_mtps=\"1066\"", "nominal_mtps=\"2133\"", NULL},
        {"xc7z020", "nominal_mtps=\"1066\"", "nominal_mtps=\"2134\"", "bad.xml:15: <rate nominal_mtps=\"2134\">: must be at most 2133, the fastest of DDR3\n"},
        {"xc7z020", "\"DDR3\" channels=\"1\"", "\"DDR3\" channels=\"65\"", "bad.xml:14: <memory channels=\"65\">: must be at most 64\n"},
        {"xc7z020", "lut=\"53200\"", "lut=\"0\"", "bad.xml:8: <chip lut=\"0\">: must be from 1 to 100000000\n"},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char *of_part = replaced(sample_board, "xc7z020", counts[i].part);
        char *text = replaced(of_part, counts[i].from, counts[i].to), *folder = make_folder();
        char *path = put_file(folder, "bad.xml", text);
        struct dse_strbuf problems = {0};
        struct dse_error err = {0};
        size_t count = 0;
        assert_int_equal(dse_board_check(path, &problems, &count, &err), DSE_OK);
        if (count != (counts[i].message != NULL))
            fail_msg("%s: %s", counts[i].to, dse_strbuf_text(&problems));
        if (counts[i].message != NULL)
            assert_non_null(strstr(problems.text, counts[i].message));
        dse_strbuf_free(&problems);
        free(path);
        free(text);
        free(of_part);
        remove_folder(folder);
    }
}

/* Schema and reader accept the same files: every attribute in turn is removed, emptied and made wrong. */
TEST(reader_takes_nothing_that_the_schema_rejects)
{
    static const char *const values[] = {"", "-1", "0", "1", "abc", "1e9", "-0.5", "0.5", " 7 ", "INF", "0x1", "a b"};
    size_t accepted = 0, tried = 0;
    for (const char *p = strstr(sample_board, "=\""); p != NULL; p = strstr(p + 2, "=\"")) {
        const char *name = p;
        while (name[-1] != ' ')
            name--;
        size_t name_length = (size_t)(p - name), value_length = strcspn(p + 2, "\"");
        for (size_t v = 0; v <= sizeof values / sizeof *values; v++) {
            struct dse_strbuf text = {0};
            struct dse_error err = {0};
            dse_strbuf_add_n(&text, sample_board, (size_t)(name - sample_board));
            if (v < sizeof values / sizeof *values) {
                dse_strbuf_add_n(&text, name, name_length);
                dse_strbuf_printf(&text, "=\"%s\"", values[v]);
            }
            dse_strbuf_add(&text, p + 2 + value_length + 1);
            tried++;
            if (read_text(text.text, &err) == DSE_OK) {
                accepted++;
                if (!schema_accepts(text.text))
                    fail_msg("the schema rejects %.*s=\"%s\"", (int)name_length, name,
                             v < sizeof values / sizeof *values ? values[v] : "(left out)");
            }
            dse_strbuf_free(&text);
        }
    }
    assert_true(tried > 1000);
    assert_true(accepted > 50);
}

/* Reader and schema agree on files with a removed or a repeated element. */
TEST(missing_and_doubled_elements_are_judged_alike)
{
    for (const char *line = sample_board; *line != '\0';) {
        size_t length = strcspn(line, "\n") + 1;
        bool whole = strncmp(line + length - 3, "/>", 2) == 0; /* the element is one line */
        for (size_t copies = 0; whole && copies <= 2; copies += 2) {
            struct dse_strbuf text = {0};
            struct dse_error err = {0};
            dse_strbuf_add_n(&text, sample_board, (size_t)(line - sample_board));
            for (size_t c = 0; c < copies; c++)
                dse_strbuf_add_n(&text, line, length);
            dse_strbuf_add(&text, line + length);
            bool taken = read_text(text.text, &err) == DSE_OK;
            if (taken && !schema_accepts(text.text))
                fail_msg("the schema rejects %zu of %.*s", copies, (int)length, line);
            dse_strbuf_free(&text);
        }
        line += length;
    }
}

TESTS(NULL, NULL)
