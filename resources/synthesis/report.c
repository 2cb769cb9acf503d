/* Recognises reports by their contents, and passes each to its reader. */
#include "resources/synthesis/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "resources/synthesis/reading.h"

#define REPORT_BYTES_MAX (64u << 20)
#define TITLE_LINES 400 /* within these lines a report names its kind */

const char *const dse_report_kind_names[DSE_REPORT_KIND_COUNT + 1] = {
    "csynth-xml", "csynth-rpt", "utilization", "timing", "system-estimate", "power", "cosim", "yosys"};
const char *const dse_report_level_names[DSE_REPORT_LEVEL_COUNT + 1] = {"unknown", "hls", "cosim", "synthesized",
                                                                    "routed", "open-synthesis"};

/* Marks of each kind of text report, in search order. */
static const struct {
    const char *pattern;
    enum dse_report_kind kind;
    enum dse_status (*read)(struct reading *r);
} kinds[] = {
    {"^== (Vivado|Vitis) HLS Report for '", DSE_REPORT_CSYNTH_RPT, read_csynth_module},
    {"^== Synthesis Summary Report of '", DSE_REPORT_CSYNTH_RPT, read_csynth_summary},
    {"^(Accelerator )?Utilization Design Information\\s*$", DSE_REPORT_UTILIZATION, read_utilization},
    {"^Timing Summary Report\\s*$", DSE_REPORT_TIMING, read_timing},
    {"^Power Report\\s*$", DSE_REPORT_POWER, read_power},
    {"^(Simulation tool\\s*:|.*\\|\\s*RTL\\s*\\|)", DSE_REPORT_COSIM, read_cosim},
    {"^(Timing Information \\(MHz\\)|Area Information|Total number of kernels:|Design Name:)",
     DSE_REPORT_SYSTEM_ESTIMATE, read_system_estimate},
};

/* Texts of other kinds that users may pass: the error names the kind. */
static const struct {
    const char *pattern, *what;
} others[] = {
    {"(?i)quartus|Intel\\(R\\)|Altera", "a report of Intel Quartus"},
    {"(?i)\\byosys\\b|Number of wires:", "a text report of Yosys; only stat -json is read"},
    {"(?i)Lattice|Radiant|Diamond", "a report of a Lattice tool"},
    {"(?i)Libero|Microsemi|Microchip", "a report of Microchip Libero"},
    {"(?i)Catapult", "a report of Catapult"},
    {"(?i)\\bISE\\b|Release 1[0-4]\\.[0-9]", "a report of ISE"},
    {"^module_status[0-9]+,|^File Name,Total Value", "a table of RealProbe's cycle counts"},
    {"^AXI_MASTER_PORTS", "a list of ports of TaPaSCo"},
    {"^\\s*[{\\[]\\s*([{\\[\"]|$)", "JSON"},
    {"(?i)^\\s*<(!doctype )?html", "a web page"},
};

static enum dse_status reject_text(struct reading *r)
{
    char *command = reading_header(r, "Command");
    if (command != NULL)
        return reading_fail(r, 0,
                            "a Vivado report of %.*s, or a truncated one; readable are "
                            "report_utilization, report_timing_summary and report_power",
                            (int)strcspn(command, " "), command);
    if (reading_header(r, "Tool Version") != NULL)
        return reading_fail(r, 0, "truncated: a Vivado report that ends before its title");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (reading_find(r, 0, others[i].pattern) < r->line_count)
            return reading_fail(r, 0, "%s, not a report of Vitis or Vivado", others[i].what);
    return reading_fail(r, 0, "not a report of Vitis or Vivado");
}

static enum dse_status read_text(struct reading *r)
{
    size_t all = r->line_count;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        r->line_count = all < TITLE_LINES ? all : TITLE_LINES;
        bool found = reading_find(r, 0, kinds[i].pattern) < r->line_count;
        r->line_count = all;
        if (!found)
            continue;
        r->report->kind = kinds[i].kind;
        return kinds[i].read(r);
    }
    r->line_count = all < TITLE_LINES ? all : TITLE_LINES;
    return reject_text(r);
}

/* Cuts the text at its line ends; carriage returns go with them. */
static void split_lines(struct reading *r)
{
    char *text = dse_arena_strndup(r->arena, r->data, r->size);
    size_t count = 1;
    for (size_t i = 0; i < r->size; i++)
        count += r->data[i] == '\n';
    r->lines = dse_arena_alloc(r->arena, count, sizeof *r->lines);
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        r->lines[r->line_count++] = line;
        line = end != NULL ? end + 1 : NULL;
    }
}

static struct dse_report *new_report(const char *name)
{
    struct dse_report *report = dse_calloc(1, sizeof *report);
    report->clock_target_ns = report->clock_estimated_ns = report->wns_ns = NAN;
    report->latency_cycles = report->interval_cycles = (struct dse_report_range){NAN, NAN};
    report->power_w = report->dynamic_power_w = report->static_power_w = NAN;
    report_all_unknown(report->used);
    report_all_unknown(report->available);
    report->file = dse_arena_strdup(&report->arena, name);
    return report;
}

/* Matches "# A heading" and "#!/bin/sh". */
static bool is_heading(const char *text, size_t size)
{
    size_t marks = 0;
    while (marks < size && text[marks] == '#')
        marks++;
    return marks > 0 && marks <= 6 && marks < size && (text[marks] == ' ' || text[marks] == '!');
}

static enum dse_status read_any(struct reading *r)
{
    size_t start = 0;
    if (r->size >= 3 && memcmp(r->data, "\xef\xbb\xbf", 3) == 0)
        start = 3;
    while (start < r->size && strchr(" \t\r\n", r->data[start]) != NULL)
        start++;
    if (start == r->size)
        return reading_fail(r, 0, "is empty");
    if (memchr(r->data, '\0', r->size) != NULL)
        return reading_fail(r, 0, "holds a NUL byte, so it is not a report");
    if (r->data[start] == '<')
        return read_csynth_xml(r);
    if (r->data[start] == '{' && strstr(r->data, "\"creator\": \"Yosys") != NULL)
        return read_yosys(r);
    if (r->data[start] == '#' && is_heading(r->data + start, r->size - start))
        return reading_fail(r, 0, "Markdown or a script, not a report of Vitis or Vivado");
    split_lines(r);
    return read_text(r);
}

enum dse_status dse_report_read_memory(const char *data, size_t size, const char *name,
                                       struct dse_report **out, struct dse_error *err)
{
    *out = NULL;
    struct dse_report *report = new_report(name);
    struct reading r = {.report = report, .arena = &report->arena, .name = name, .data = data, .size = size, .err = err};
    enum dse_status status = size <= REPORT_BYTES_MAX
                                 ? read_any(&r)
                                 : reading_fail(&r, 0, "larger than any report (%u MiB)", REPORT_BYTES_MAX >> 20);
    if (status != DSE_OK) {
        dse_report_free(report);
        return status;
    }
    *out = report;
    return DSE_OK;
}

enum dse_status dse_report_read(const char *path, struct dse_report **out, struct dse_error *err)
{
    char *data DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    *out = NULL;
    DSE_TRY(dse_file_read(path, REPORT_BYTES_MAX, &data, &size, err));
    return dse_report_read_memory(data, size, path, out, err);
}

void dse_report_free(struct dse_report *report)
{
    if (report == NULL)
        return;
    free(report->loops);
    dse_arena_free(&report->arena);
    free(report);
}
