/* Every report against golden values typed from the report by hand. Public reports lie outside the tree (NYSX_REPORTS_DIR, else
 * ../shared/reports); small ones in the tree cover every format. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <jansson.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "resources/synthesis/report.h"
#include "tests/test.h"

#define OWN NYSX_TEST_SOURCE_DIR "/tests/resources/reports"
#define GOLDEN NYSX_TEST_SOURCE_DIR "/tests/resources/golden"

static const char *public_folder(void)
{
    const char *chosen = getenv("NYSX_REPORTS_DIR");
    return chosen != NULL && *chosen != '\0' ? chosen : NYSX_TEST_SOURCE_DIR "/../shared/reports";
}

static const char *golden_name;

static void same_number(const json_t *expected, double got, const char *key)
{
    if (expected == NULL)
        return;
    double value = json_is_null(expected) ? NAN : json_number_value(expected);
    if (isnan(value) != isnan(got) || (!isnan(value) && fabs(value - got) > 1e-9 * fabs(value)))
        fail_msg("%s: %s is %g, the report says %g", golden_name, key, got, value);
}

static void same_text(const json_t *object, const char *key, const char *got)
{
    const json_t *expected = json_object_get(object, key);
    if (expected == NULL)
        return;
    const char *text = json_string_value(expected);
    if ((text == NULL) != (got == NULL) || (text != NULL && strcmp(text, got) != 0))
        fail_msg("%s: %s is %s, the report says %s", golden_name, key, got != NULL ? got : "null",
                 text != NULL ? text : "null");
}

static void same_range(const json_t *object, const char *key, const struct dse_report_range *got)
{
    const json_t *range = json_object_get(object, key);
    same_number(json_object_get(range, "min"), got->min, key);
    same_number(json_object_get(range, "max"), got->max, key);
}

static void same_resources(const json_t *object, const char *key, const double got[DSE_RESOURCE_COUNT])
{
    const json_t *resources = json_object_get(object, key);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        same_number(json_object_get(resources, dse_resource_names[r]), got[r], dse_resource_names[r]);
}

static const struct dse_report_instance *find_instance(const struct dse_report *report, const char *name,
                                                       const char *module)
{
    for (size_t i = 0; i < report->instance_count; i++)
        if (strcmp(report->instances[i].name, name) == 0 &&
            (module == NULL || (report->instances[i].module != NULL &&
                                strcmp(report->instances[i].module, module) == 0)))
            return &report->instances[i];
    fail_msg("%s: no instance %s", golden_name, name);
    return NULL;
}

static void compare(const json_t *golden, const struct dse_report *report)
{
    same_text(golden, "kind", dse_report_kind_names[report->kind]);
    same_text(golden, "level", dse_report_level_names[report->level]);
    same_text(golden, "tool", report->tool);
    same_text(golden, "version", report->version);
    same_text(golden, "part", report->part);
    same_text(golden, "top", report->top);
    same_number(json_object_get(golden, "clock_target_ns"), report->clock_target_ns, "clock_target_ns");
    same_number(json_object_get(golden, "clock_estimated_ns"), report->clock_estimated_ns, "clock_estimated_ns");
    same_number(json_object_get(golden, "wns_ns"), report->wns_ns, "wns_ns");
    same_number(json_object_get(golden, "power_w"), report->power_w, "power_w");
    same_number(json_object_get(golden, "dynamic_power_w"), report->dynamic_power_w, "dynamic_power_w");
    same_number(json_object_get(golden, "static_power_w"), report->static_power_w, "static_power_w");
    same_range(golden, "latency_cycles", &report->latency_cycles);
    same_range(golden, "interval_cycles", &report->interval_cycles);
    same_resources(golden, "used", report->used);
    same_resources(golden, "available", report->available);
    size_t index;
    json_t *item;
    json_array_foreach (json_object_get(golden, "instances"), index, item) {
        const struct dse_report_instance *instance =
            find_instance(report, json_string_value(json_object_get(item, "name")),
                          json_string_value(json_object_get(item, "module")));
        same_range(item, "latency_cycles", &instance->latency_cycles);
        same_range(item, "interval_cycles", &instance->interval_cycles);
        same_resources(item, "used", instance->used);
    }
}

static void check_golden(const char *folder, const char *name)
{
    char path[1024];
    golden_name = name;
    snprintf(path, sizeof path, GOLDEN "/%s.json", name);
    json_error_t why;
    json_t *golden = json_load_file(path, 0, &why);
    if (golden == NULL)
        fail_msg("%s:%d: %s", path, why.line, why.text);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    struct dse_report *report = NULL;
    struct dse_error err = {0};
    enum dse_status status = dse_report_read(path, &report, &err);
    const char *reason = json_string_value(json_object_get(golden, "error"));
    if (reason != NULL) {
        assert_int_equal(status, DSE_BAD_INPUT);
        assert_null(report);
        if (strstr(err.message, reason) == NULL || strstr(err.message, name) == NULL)
            fail_msg("%s: rejected with \"%s\", not with \"%s\"", name, err.message, reason);
    } else {
        if (status != DSE_OK)
            fail_msg("%s", err.message);
        compare(golden, report);
    }
    dse_report_free(report);
    json_decref(golden);
}

/* Checks each golden file whose report is in the folder; returns their number. */
static size_t check_folder(const char *folder)
{
    size_t checked = 0;
    DIR *entries = opendir(GOLDEN);
    assert_non_null(entries);
    for (struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        char name[512], path[1024];
        size_t length = strlen(e->d_name);
        if (length < 6 || length >= sizeof name || strcmp(e->d_name + length - 5, ".json") != 0)
            continue;
        memcpy(name, e->d_name, length - 5);
        name[length - 5] = '\0';
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (!dse_file_exists(path))
            continue;
        check_golden(folder, name);
        checked++;
    }
    closedir(entries);
    return checked;
}

TEST(our_own_reports)
{
    assert_true(check_folder(OWN) >= 20);
}

TEST(public_reports)
{
    if (!dse_file_is_folder(public_folder())) {
        fprintf(stderr, "test_reports: SKIPPED the public reports: no folder %s (set NYSX_REPORTS_DIR)\n",
                public_folder());
        skip();
    }
    assert_true(check_folder(public_folder()) >= 40);
}

static enum dse_status read_bytes(const char *data, size_t size, struct dse_report **report, struct dse_error *err)
{
    return dse_report_read_memory(data, size, "cut", report, err);
}

static bool only_space(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* A report truncated at any place is rejected, never read as zeros. */
TEST(every_cut_is_rejected)
{
    static const char *const names[] = {"own_csynth_2022.xml",     "own_csynth_module_2021.rpt",
                                        "own_csynth_summary_2022.rpt", "own_utilization_2019.rpt",
                                        "own_csynth_summary_2024.rpt",
                                        "own_hierarchy_2022.rpt",  "own_power_2022.rpt",
                                        "own_estimate_2020.xtxt",  "own_cosim_2022.rpt",
                                        "own_yosys_stat.json"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char path[1024], *data = NULL;
        size_t size = 0;
        snprintf(path, sizeof path, OWN "/%s", names[n]);
        assert_int_equal(dse_file_read(path, 1 << 20, &data, &size, NULL), DSE_OK);
        for (size_t cut = 0; cut < size; cut += 7) {
            struct dse_report *report = NULL;
            struct dse_error err = {0};
            char *part = strndup(data, cut);
            enum dse_status status = read_bytes(part, cut, &report, &err);
            /* A note behind the last table, and blank lines, may be missing. */
            if (status == DSE_OK && !only_space(data + cut) && strchr(data + cut, '|') != NULL)
                fail_msg("%s cut at %zu of %zu bytes was read", names[n], cut, size);
            dse_report_free(report);
            free(part);
        }
        free(data);
    }
}

/* The reader takes Windows line ends, a byte order mark and leading blank lines. */
TEST(line_ends_do_not_matter)
{
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(dse_file_read(OWN "/own_utilization_2019.rpt", 1 << 20, &data, &size, NULL), DSE_OK);
    struct dse_strbuf text = {0};
    dse_strbuf_add(&text, "\xef\xbb\xbf\r\n\r\n");
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\n')
            dse_strbuf_add(&text, "\r");
        dse_strbuf_add_n(&text, &data[i], 1);
    }
    struct dse_report *report = NULL;
    struct dse_error err = {0};
    if (dse_report_read_memory(text.text, text.length, "crlf", &report, &err) != DSE_OK)
        fail_msg("%s", err.message);
    assert_true(report->used[DSE_BRAM18] == 7 && report->used[DSE_LUT] == 402);
    dse_report_free(report);
    dse_strbuf_free(&text);
    free(data);
}

TEST(nul_bytes_and_giants_are_rejected)
{
    struct dse_report *report = NULL;
    struct dse_error err = {0};
    FAILS(DSE_BAD_INPUT, "NUL", read_bytes("== Vitis\0HLS", 12, &report, &why));
    FAILS(DSE_BAD_INPUT, "NUL", read_bytes("<profile>\0</profile>", 20, &report, &why));
    /* One element of 32 MB: rejected by the XML reader's own limit, at bounded memory. */
    size_t size = 32u << 20;
    char *giant = malloc(size + 1);
    assert_non_null(giant);
    memset(giant, 'a', size);
    memcpy(giant, "<profile><UserAssignments><Part>", 32);
    giant[size] = '\0';
    assert_int_equal(read_bytes(giant, size, &report, &err), DSE_BAD_INPUT);
    free(giant);
    /* Larger than any report: rejected without parsing. */
    assert_int_equal(read_bytes("", (size_t)65 << 20, &report, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_report_read("/dev/zero", &report, &err), DSE_BAD_INPUT);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    assert_true(usage.ru_maxrss < 1024L * 1024); /* kB */
    FAILS(DSE_BAD_INPUT, "/nowhere.rpt", dse_report_read("/nowhere.rpt", &report, &why));
}

/* Sixteen million elements in 64 MB would take 2 GB once parsed. */
TEST(too_many_elements_are_rejected)
{
    size_t size = 60u << 20;
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i += 4)
        memcpy(text + i, "<a/>", 4);
    memcpy(text, "<profile>   ", 12);
    text[size] = '\0';
    struct dse_report *report = NULL;
    FAILS(DSE_BAD_INPUT, "more elements and attributes", read_bytes(text, size, &report, &why));
    free(text);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    assert_true(usage.ru_maxrss < 1024L * 1024); /* kB */
}

TEST(outside_entities_are_rejected)
{
    const char *text = "<!DOCTYPE profile [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                       "<profile><UserAssignments><Part>&x;</Part></UserAssignments></profile>";
    struct dse_report *report = NULL;
    FAILS(DSE_BAD_INPUT, "document type", read_bytes(text, strlen(text), &report, &why));
}

/* The tool follows from the version: Vitis HLS begins with 2020.2. If the report names the flow, the tool is Vitis for any version. */
TEST(tool_follows_version)
{
    static const struct {
        const char *version, *flow, *tool;
    } cases[] = {{"2019.2", "", "Vivado HLS"},          {"2020.1", "", "Vivado HLS"},
                 {"2020.2", "", "Vitis HLS"},           {"2021.1", "", "Vitis HLS"},
                 {"2020.1", "<FlowTarget>vitis</FlowTarget>", "Vitis HLS"}};
    char *text = NULL;
    size_t size = 0;
    struct dse_error err = {0};
    assert_int_equal(dse_file_read(OWN "/own_csynth_2022.xml", 1 << 20, &text, &size, &err), DSE_OK);
    char *version = strstr(text, "2022.2"), *flow = strstr(text, "<FlowTarget>");
    assert_true(version != NULL && flow != NULL);
    const char *between = version + strlen("2022.2"), *rest = strstr(flow, "</FlowTarget>") + strlen("</FlowTarget>");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_strbuf made = {0};
        struct dse_report *report = NULL;
        dse_strbuf_printf(&made, "%.*s%s%.*s%s%s", (int)(version - text), text, cases[i].version, (int)(flow - between), between,
                          cases[i].flow, rest);
        if (dse_report_read_memory(made.text, made.length, "made.xml", &report, &err) != DSE_OK)
            fail_msg("%s", err.message);
        assert_string_equal(report->version, cases[i].version);
        assert_string_equal(report->tool, cases[i].tool);
        dse_report_free(report);
        dse_strbuf_free(&made);
    }
    free(text);
}

TESTS(NULL, NULL)
