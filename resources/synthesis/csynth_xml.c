/* csynth.xml of Vivado HLS and Vitis HLS, and the export report of Vivado HLS. */
#include <math.h>
#include <string.h>

#include "core/list.h"
#include "core/xml.h"
#include "resources/synthesis/reading.h"

/* Elements of each resource; the first that is there counts. */
static const char *const elements[DSE_RESOURCE_COUNT][4] = {
    [DSE_BRAM18] = {"BRAM_18K"}, [DSE_URAM] = {"URAM"}, [DSE_DSP] = {"DSP", "DSP48E", "DSP58"},
    [DSE_LUT] = {"LUT"},         [DSE_FF] = {"FF"}};

#define LOOP_LEVELS 32 /* nesting depth of loops */

/* A document being read, with its report. */
struct xml_reading {
    struct reading *r;
    struct dse_xml *doc;
};

/* The text of a child, in the report's arena; NULL if there is no child, or it is empty. */
static const char *child_text(const struct xml_reading *x, dse_xml_node parent, const char *name)
{
    dse_xml_node child = dse_xml_first(parent, name);
    const char *text = child != NULL ? dse_xml_content(x->doc, child) : "";
    return *text != '\0' ? reading_keep(x->r, text, strlen(text)) : NULL;
}

static enum dse_status child_count(const struct xml_reading *x, dse_xml_node parent, const char *name,
                                   double *value)
{
    dse_xml_node child = dse_xml_first(parent, name);
    if (child == NULL)
        return DSE_OK;
    return reading_count(x->r, (size_t)dse_xml_line(child), dse_xml_content(x->doc, child), value);
}

static enum dse_status read_resources(const struct xml_reading *x, dse_xml_node node,
                                      double values[DSE_RESOURCE_COUNT])
{
    for (int i = 0; i < DSE_RESOURCE_COUNT; i++)
        for (size_t k = 0; k < 4 && elements[i][k] != NULL; k++) {
            if (dse_xml_first(node, elements[i][k]) == NULL)
                continue;
            DSE_TRY(child_count(x, node, elements[i][k], &values[i]));
            break;
        }
    return DSE_OK;
}

/* One of a pair of names for the ends of a range. */
static enum dse_status read_ends(const struct xml_reading *x, dse_xml_node node, const char *min, const char *max,
                                 struct dse_report_range *range)
{
    DSE_TRY(child_count(x, node, min, &range->min));
    return child_count(x, node, max, &range->max);
}

static enum dse_status read_overall(const struct xml_reading *x, dse_xml_node performance,
                                    struct dse_report_range *latency, struct dse_report_range *interval)
{
    dse_xml_node overall = dse_xml_first(performance, "SummaryOfOverallLatency");
    DSE_TRY(read_ends(x, overall, "Best-caseLatency", "Worst-caseLatency", latency));
    DSE_TRY(read_ends(x, overall, "Interval-min", "Interval-max", interval));
    /* An inner module has only "PipelineInitiationInterval", as "10" or "10 ~ 20". */
    dse_xml_node alone = dse_xml_first(overall, "PipelineInitiationInterval");
    if (alone != NULL && dse_xml_first(overall, "Interval-min") == NULL)
        DSE_TRY(reading_range(x->r, (size_t)dse_xml_line(alone), dse_xml_content(x->doc, alone), interval));
    return DSE_OK;
}

static enum dse_status child_range(const struct xml_reading *x, dse_xml_node parent, const char *name, struct dse_report_range *range)
{
    dse_xml_node child = dse_xml_first(parent, name);
    return child == NULL ? DSE_OK : reading_range(x->r, (size_t)dse_xml_line(child), dse_xml_content(x->doc, child), range);
}

/* Loops with an interval, including nested ones: elements with the loop's name in a child, or as their own name. */
static enum dse_status read_loops(const struct xml_reading *x, dse_xml_node parent, const char *module, int levels)
{
    struct dse_report *report = x->r->report;
    for (dse_xml_node l = dse_xml_first(parent, NULL); l != NULL && levels > 0; l = dse_xml_next(l, NULL)) {
        const char *name = child_text(x, l, "Name"), *element = dse_xml_name(l);
        struct dse_report_range interval = {NAN, NAN}, depth = {NAN, NAN};
        if (name == NULL && dse_xml_first(l, "TripCount") == NULL)
            continue;
        if (name == NULL)
            name = reading_keep(x->r, element, strlen(element));
        DSE_TRY(read_loops(x, l, module, levels - 1));
        DSE_TRY(child_range(x, l, "PipelineII", &interval));
        DSE_TRY(child_range(x, l, "PipelineDepth", &depth));
        if (isnan(interval.max))
            continue;
        struct dse_report_loop *loop = dse_list_more(&report->loops, &report->loop_count, sizeof *loop);
        bool own = module != NULL && strstr(module, "_Pipeline_") != NULL;
        *loop = (struct dse_report_loop){name, interval.max, depth.max, own};
    }
    return DSE_OK;
}

static enum dse_status read_modules(const struct xml_reading *x, dse_xml_node root)
{
    struct instance_list list = {0};
    dse_xml_node modules = dse_xml_first(root, "ModuleInformation");
    for (dse_xml_node m = dse_xml_first(modules, "Module"); m != NULL; m = dse_xml_next(m, "Module")) {
        const char *name = child_text(x, m, "Name");
        struct dse_report_instance *item = instance_add(x->r, &list, name != NULL ? name : "");
        item->module = item->name;
        dse_xml_node performance = dse_xml_first(m, "PerformanceEstimates");
        DSE_TRY(read_overall(x, performance, &item->latency_cycles, &item->interval_cycles));
        DSE_TRY(read_resources(x, dse_xml_first(dse_xml_first(m, "AreaEstimates"), "Resources"), item->used));
        DSE_TRY(read_loops(x, dse_xml_first(performance, "SummaryOfLoopLatency"), name, LOOP_LEVELS));
    }
    return DSE_OK;
}

/* Vitis HLS from 2020.2 on, and if the flow is named; Vivado HLS before. */
static const char *tool_name(const char *version, dse_xml_node user)
{
    bool vitis = dse_xml_first(user, "FlowTarget") != NULL || (version != NULL && strcmp(version, "2020.2") >= 0);
    return vitis ? "Vitis HLS" : "Vivado HLS";
}

static enum dse_status need(const struct xml_reading *x, dse_xml_node root, const char *name, dse_xml_node *found)
{
    *found = dse_xml_first(root, name);
    return *found != NULL ? DSE_OK
                          : reading_fail(x->r, (size_t)dse_xml_line(root), "not complete: <%s> has no <%s>",
                                         dse_xml_name(root), name);
}

/* Both lists of an area: used and available resources. */
static enum dse_status need_resources(const struct xml_reading *x, dse_xml_node area, dse_xml_node *used,
                                      dse_xml_node *available)
{
    DSE_TRY(need(x, area, "Resources", used));
    return need(x, area, "AvailableResources", available);
}

static enum dse_status read_csynth(const struct xml_reading *x, dse_xml_node root)
{
    struct dse_report *report = x->r->report;
    dse_xml_node user, performance, area, used, available, timing;
    DSE_TRY(need(x, root, "UserAssignments", &user));
    DSE_TRY(need(x, root, "PerformanceEstimates", &performance));
    DSE_TRY(need(x, performance, "SummaryOfTimingAnalysis", &timing));
    DSE_TRY(need(x, root, "AreaEstimates", &area));
    DSE_TRY(need_resources(x, area, &used, &available));
    report->kind = DSE_REPORT_CSYNTH_XML;
    report->level = DSE_REPORT_LEVEL_HLS;
    report->version = child_text(x, dse_xml_first(root, "ReportVersion"), "Version");
    report->tool = tool_name(report->version, user);
    report->part = child_text(x, user, "Part");
    report->top = child_text(x, user, "TopModelName");
    DSE_TRY(child_count(x, user, "TargetClockPeriod", &report->clock_target_ns));
    DSE_TRY(child_count(x, timing, "EstimatedClockPeriod", &report->clock_estimated_ns));
    DSE_TRY(read_overall(x, performance, &report->latency_cycles, &report->interval_cycles));
    DSE_TRY(read_resources(x, used, report->used));
    DSE_TRY(read_resources(x, available, report->available));
    DSE_TRY(read_loops(x, dse_xml_first(performance, "SummaryOfLoopLatency"), report->top, LOOP_LEVELS));
    return read_modules(x, root);
}

/* The export report counts block RAM in tiles: 140 are available on an xc7z020, which has 280 halves. */
static enum dse_status read_export_area(const struct xml_reading *x, dse_xml_node node,
                                        double values[DSE_RESOURCE_COUNT])
{
    dse_xml_node lut, ff;
    double tiles = values[DSE_BRAM18];
    DSE_TRY(need(x, node, "LUT", &lut));
    DSE_TRY(need(x, node, "FF", &ff));
    DSE_TRY(read_resources(x, node, values));
    DSE_TRY(child_count(x, node, "BRAM", &tiles));
    values[DSE_BRAM18] = 2 * tiles;
    return DSE_OK;
}

static enum dse_status read_export(const struct xml_reading *x, dse_xml_node root)
{
    struct dse_report *report = x->r->report;
    dse_xml_node area, used, available, timing;
    DSE_TRY(need(x, root, "AreaReport", &area));
    DSE_TRY(need(x, root, "TimingReport", &timing));
    DSE_TRY(need_resources(x, area, &used, &available));
    report->kind = DSE_REPORT_UTILIZATION;
    report->level = DSE_REPORT_LEVEL_SYNTHESIZED;
    report->tool = "Vivado HLS";
    DSE_TRY(read_export_area(x, used, report->used));
    DSE_TRY(read_export_area(x, available, report->available));
    DSE_TRY(child_count(x, timing, "TargetClockPeriod", &report->clock_target_ns));
    return child_count(x, timing, "AchievedClockPeriod", &report->clock_estimated_ns);
}

static enum dse_status read_profile(const struct xml_reading *x)
{
    dse_xml_node root = dse_xml_root(x->doc, "profile");
    if (root == NULL)
        return reading_fail(x->r, 0, "XML, but not an HLS report: its root is not <profile>");
    if (dse_xml_first(root, "AreaReport") != NULL)
        return read_export(x, root);
    if (dse_xml_first(root, "UserAssignments") == NULL && dse_xml_first(root, "AreaEstimates") == NULL)
        return reading_fail(x->r, dse_xml_line(root) > 0 ? (size_t)dse_xml_line(root) : 0,
                            "a <profile>, but not of HLS: neither estimates nor an export report");
    return read_csynth(x, root);
}

/* A parsed element takes a hundred times the four bytes of its shortest text. The largest known report has 71 thousand marks (a kernel of 49
 * modules). Each element has two marks, each attribute one. */
#define MARKS_MAX 1000000

static bool is_too_many_marks(const struct reading *r)
{
    size_t marks = 0;
    for (size_t i = 0; i < r->size; i++)
        marks += r->data[i] == '<' || r->data[i] == '=';
    return marks > MARKS_MAX;
}

enum dse_status read_csynth_xml(struct reading *r)
{
    struct xml_reading x = {.r = r};
    if (is_too_many_marks(r))
        return reading_fail(r, 0, "more elements and attributes than any HLS report has");
    size_t start = strspn(r->data, "\xef\xbb\xbf \t\r\n");
    enum dse_status status = dse_xml_read_memory(r->data + start, r->size - start, r->name, &x.doc, r->err);
    if (status == DSE_OK)
        status = read_profile(&x);
    dse_xml_free(x.doc);
    return status;
}
