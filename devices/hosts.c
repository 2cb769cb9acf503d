#include "devices/hosts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "core/xml.h"

#define FILE_BYTES_MAX (1 << 16)

enum each { EACH_LAUNCH, EACH_TRANSFER, EACH_ANSWER, EACH_BYTE, EACH_OPERATION };
enum flow { BOTH_FLOWS, HLS, RTL };

const char *const dse_host_each_names[] = {"launch", "transfer", "answer", "byte", "operation", NULL};
const char *const dse_host_flow_names[] = {"both", "hls", "rtl", NULL};
static const char *const places[] = {"processor", "card", "ethernet", NULL};
static const char *const answers[] = {"no", "yes", "hls", NULL}; /* in HLS sources a launch is a start */
static const char *const evidences[] = {"measured", "derived", "assumed", NULL};

#define AT(type, member) offsetof(struct type, member)
static const struct dse_xml_field path_fields[] = {
    {.attribute = "name", DSE_XML_WORDS, AT(dse_host_path, name)}, {.attribute = "title", DSE_XML_WORDS, AT(dse_host_path, title)},
    {.attribute = "waits", DSE_XML_CHOICE, AT(dse_host_path, waits), .names = answers, .optional = true}, {.attribute = "on", DSE_XML_OTHER}, {0}};
static const struct dse_xml_field power_fields[] = {
    {.attribute = "w", DSE_XML_NUMBER, AT(dse_host_path, power_w), 0, 1000},
    {.attribute = "low_w", DSE_XML_NUMBER, AT(dse_host_path, power_low_w), 0, 1000},
    {.attribute = "high_w", DSE_XML_NUMBER, AT(dse_host_path, power_high_w), 0, 1000}, {.attribute = "source", DSE_XML_OTHER}, {0}};
static const struct dse_xml_field step_fields[] = {
    {.attribute = "name", DSE_XML_WORDS, AT(dse_host_step, name)},
    {.attribute = "each", DSE_XML_CHOICE, AT(dse_host_step, each), .names = dse_host_each_names},
    {.attribute = "flow", DSE_XML_CHOICE, AT(dse_host_step, flow), .names = dse_host_flow_names, .optional = true},
    {.attribute = "times", DSE_XML_NUMBER, AT(dse_host_step, times), 0, 1000, .optional = true},
    {.attribute = "queued", DSE_XML_NUMBER, AT(dse_host_step, queued), 0, 1000, .optional = true},
    {.attribute = "us", DSE_XML_NUMBER, AT(dse_host_step, s), 0, 1e6, 1e-6},
    {.attribute = "low", DSE_XML_NUMBER, AT(dse_host_step, low_s), 0, 1e6, 1e-6},
    {.attribute = "high", DSE_XML_NUMBER, AT(dse_host_step, high_s), 0, 1e6, 1e-6},
    {.attribute = "evidence", DSE_XML_WORD, AT(dse_host_step, evidence), .names = evidences},
    {.attribute = "source", DSE_XML_OTHER}, {0}};

/* The text of a source by its id; a problem if there is none. */
static const char *source_of(struct dse_xml *doc, dse_xml_node root, dse_xml_node node)
{
    const char *id = dse_xml_need_text(doc, node, "source");
    for (dse_xml_node n = dse_xml_first(root, "source"); n != NULL && id != NULL; n = dse_xml_next(n, "source"))
        if (strcmp(dse_xml_need_text(doc, n, "id"), id) == 0)
            return dse_xml_keep(doc, dse_xml_content(doc, n));
    if (id != NULL)
        dse_xml_problem(doc, node, "source", "no <source> has this id");
    return "";
}

static void check_band(struct dse_xml *doc, dse_xml_node node, double low, double value, double high)
{
    if (value < low || value > high)
        dse_xml_problem(doc, node, NULL, "the value must lie between low and high");
}

static void read_step(struct dse_xml *doc, dse_xml_node root, dse_xml_node node, struct dse_host_step *step)
{
    static const char *const children[] = {"note", NULL};
    *step = (struct dse_host_step){.times = 1.0, .queued = -1.0};
    dse_xml_read_fields(doc, node, step_fields, children, step);
    step->queued = step->queued < 0.0 ? step->times : step->queued;
    check_band(doc, node, step->low_s, step->s, step->high_s);
    step->source = source_of(doc, root, node);
    dse_xml_node note = dse_xml_first(node, "note");
    step->note = note != NULL ? dse_xml_keep(doc, dse_xml_content(doc, note)) : "";
}

static void read_path(struct dse_xml *doc, dse_xml_node root, dse_xml_node node, struct dse_host_path *path)
{
    static const char *const children[] = {"step", "processor", NULL};
    *path = (struct dse_host_path){.on = (enum dse_host_place)dse_xml_choice(doc, node, "on", places), .power_w = NAN, .power_low_w = NAN, .power_high_w = NAN};
    dse_xml_read_fields(doc, node, path_fields, children, path);
    dse_xml_node processor = dse_xml_first(node, "processor");
    if (processor != NULL) {
        dse_xml_read_fields(doc, processor, power_fields, NULL, path);
        check_band(doc, processor, path->power_low_w, path->power_w, path->power_high_w);
        source_of(doc, root, processor);
    }
    for (dse_xml_node n = dse_xml_first(node, "step"); n != NULL; n = dse_xml_next(n, "step"))
        if (path->step_count == DSE_HOST_STEPS_MAX)
            dse_xml_problem(doc, n, NULL, "a path has at most %d steps", DSE_HOST_STEPS_MAX);
        else
            read_step(doc, root, n, &path->steps[path->step_count++]);
}

enum dse_status dse_host_paths_open(struct dse_host_paths *out, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = (struct dse_host_paths){0};
    DSE_TRY(dse_xml_read_shared("hosts/hosts.xml", FILE_BYTES_MAX, &doc, err));
    dse_xml_node root = dse_xml_root(doc, "hosts");
    dse_xml_keep_in(doc, &out->arena);
    out->items = dse_xml_room(doc, root, "path", 0, sizeof *out->items);
    for (dse_xml_node n = dse_xml_first(root, "path"); n != NULL; n = dse_xml_next(n, "path"))
        read_path(doc, root, n, &out->items[out->count++]);
    enum dse_status status = dse_xml_verdict(doc, err);
    if (status != DSE_OK)
        dse_host_paths_free(out);
    return status;
}

void dse_host_paths_free(struct dse_host_paths *paths)
{
    dse_arena_free(&paths->arena);
    *paths = (struct dse_host_paths){0};
}

enum dse_host_place dse_host_place(const struct dse_board *board)
{
    return isnan(board->ps_power_w) ? (enum dse_host_place)(DSE_HOST_CARD + board->link) : DSE_HOST_PROCESSOR;
}

static void add_times(struct dse_host_cost *cost, double times, const struct dse_host_step *step)
{
    cost->s += times * step->s;
    cost->low_s += times * step->low_s;
    cost->high_s += times * step->high_s;
}

static void add_to_flow(struct dse_host_flow *flow, const struct dse_host_step *step)
{
    struct dse_host_cost *costs[] = {[EACH_LAUNCH] = &flow->launch, [EACH_TRANSFER] = &flow->transfer, [EACH_ANSWER] = &flow->answer};
    add_times(costs[step->each], step->times, step);
    if (step->each == EACH_LAUNCH)
        add_times(&flow->queue, step->queued, step);
}

static void add_step(struct dse_host *host, const struct dse_host_step *step)
{
    if (step->each == EACH_BYTE || step->each == EACH_OPERATION) {
        add_times(step->each == EACH_BYTE ? &host->byte : &host->operation, step->times, step);
        return;
    }
    if (step->flow != RTL)
        add_to_flow(&host->hls, step);
    if (step->flow != HLS)
        add_to_flow(&host->rtl, step);
}

static void take(const struct dse_host_path *path, int64_t batch, struct dse_board *board)
{
    struct dse_host *host = &board->host;
    *host = (struct dse_host){.batch = batch, .waits = path->waits, .power_w = path->power_w, .power_low_w = path->power_low_w, .power_high_w = path->power_high_w};
    snprintf(host->name, sizeof host->name, "%s", path->name);
    if (isnan(path->power_w)) {
        host->power_w = board->ps_power_w;
        host->power_low_w = board->ps_power_low_w;
        host->power_high_w = board->ps_power_high_w;
    }
    for (size_t i = 0; i < path->step_count; i++)
        add_step(host, &path->steps[i]);
}

enum dse_status dse_host_choose(struct dse_board *board, const char *name, int64_t batch, struct dse_error *err)
{
    struct dse_host_paths paths DSE_CLEANUP(dse_host_paths_free) = {0};
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    static const char *const usual[] = {"linux", "xrt", "ethernet"}, *const has[] = {"a processor of its own", "no processor of its own", "neither a processor of its own nor PCIe"};
    const enum dse_host_place on = dse_host_place(board);
    const char *wanted = name != NULL ? name : usual[on];
    DSE_TRY(dse_host_paths_open(&paths, err));
    for (size_t i = 0; i < paths.count; i++) {
        if (paths.items[i].on != on)
            continue;
        if (strcmp(paths.items[i].name, wanted) == 0) {
            take(&paths.items[i], batch, board);
            return DSE_OK;
        }
        dse_strbuf_printf(&names, "%s%s", names.length > 0 ? ", " : "", paths.items[i].name);
    }
    return dse_fail(err, DSE_BAD_USAGE, "--host %s: the board %s, which has %s, has no such host path; it has %s", wanted, board->name,
                    has[on], dse_strbuf_text(&names));
}
