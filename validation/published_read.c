/* The data file of a family: what is simulated, what was published, what was fitted to it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "validation/published.h"

#define FILE_BYTES_MAX (1 << 20)

static const char *const none[] = {NULL};

/* The document being read into `out`; memory that runs out sticks, as the document's problems do. */
struct reading {
    struct dse_xml *doc;
    struct dse_published_file *out;
    bool no_memory;
};

static const char *keep(struct reading *r, const char *text)
{
    const char *kept = dse_arena_strdup(&r->out->arena, text != NULL ? text : "");
    r->no_memory |= kept == NULL;
    return kept != NULL ? kept : "";
}

static const char *need(struct reading *r, dse_xml_node node, const char *attribute)
{
    return keep(r, dse_xml_need_text(r->doc, node, attribute));
}

/* An attribute's text, or another where it is absent. */
static const char *text_or(struct reading *r, dse_xml_node node, const char *attribute, const char *other)
{
    const char *text = dse_xml_text(r->doc, node, attribute);
    return text != NULL ? keep(r, text) : other;
}

/* Room for all children so called, or NULL for want of memory. */
static void *room(struct reading *r, dse_xml_node parent, const char *name, size_t more, size_t size)
{
    size_t count = more;
    for (dse_xml_node node = dse_xml_first(parent, name); node != NULL; node = dse_xml_next(node, name))
        count++;
    void *made = dse_arena_alloc(&r->out->arena, count + 1, size);
    r->no_memory |= made == NULL;
    return made;
}

/* What a figure of a case on a profile can be; of a family's quantities only its models know the names. */
static bool is_metric(const char *family, const char *key)
{
    const struct dse_model_family *found = dse_model_find(family);
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        if (strcmp(dse_metrics[m].key, key) == 0)
            return true;
    return strcmp(key, "fits") == 0 || strcmp(key, "kernel_w") == 0 || (found != NULL && found->quantity != NULL);
}

static void read_figure(struct reading *r, dse_xml_node node, const struct dse_published_case *of,
                        struct dse_published_figure *out)
{
    static const char *const attributes[] = {"what", "metric", "set",  "machine", "than",
                                             "value", "source", "note", "fit",    NULL};
    static const char *const no_yes[] = {"no", "yes", NULL};
    dse_xml_allow(r->doc, node, attributes, none);
    out->what = need(r, node, "what");
    out->metric = text_or(r, node, "metric", out->what);
    out->set = text_or(r, node, "set", "");
    out->machine = text_or(r, node, "machine", "");
    out->than = text_or(r, node, "than", "");
    out->source = need(r, node, "source");
    out->note = text_or(r, node, "note", "");
    out->value = dse_xml_real_or(r->doc, node, "value", 0.0, 1e15, NAN);
    if (*of->profile != '\0' && !is_metric(r->out->family, out->metric))
        dse_xml_problem(r->doc, node, "metric", "must be a metric's key, fits or kernel_w");
    out->fitted_to = dse_xml_has(node, "fit") && dse_xml_choice(r->doc, node, "fit", no_yes) == 1;
}

static void read_case(struct reading *r, dse_xml_node node, const char *profile)
{
    static const char *const attributes[] = {"name", "profile", "dataset", "board", "engine", "set", NULL};
    static const char *const children[] = {"figure", NULL};
    struct dse_published_case *out = &r->out->cases[r->out->case_count++];
    dse_xml_allow(r->doc, node, attributes, children);
    out->name = need(r, node, "name");
    out->dataset = text_or(r, node, "dataset", "");
    out->profile = text_or(r, node, "profile", *out->dataset != '\0' ? "" : profile);
    out->board = text_or(r, node, "board", r->out->board);
    out->engine = text_or(r, node, "engine", "");
    out->set = text_or(r, node, "set", "");
    if (*out->profile != '\0' && *out->dataset != '\0')
        dse_xml_problem(r->doc, node, "profile", "must be absent beside dataset");
    out->figures = room(r, node, "figure", 0, sizeof *out->figures);
    dse_xml_node child = dse_xml_first(node, "figure");
    for (; child != NULL && out->figures != NULL; child = dse_xml_next(child, "figure"))
        read_figure(r, child, out, &out->figures[out->figure_count++]);
}

static void read_plan(struct reading *r, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "set", NULL};
    dse_xml_allow(r->doc, node, attributes, none);
    r->out->plans[r->out->plan_count++] =
        (struct dse_published_plan){.name = need(r, node, "name"), .set = need(r, node, "set")};
}

static void read_constants(struct reading *r, dse_xml_node node, const char *without)
{
    r->out->fits[r->out->fit_count++] = (struct dse_published_fit){
        .without = without,
        .seconds = dse_xml_real(r->doc, node, "seconds", 0.0, 1.0),
        .seconds_low = dse_xml_real(r->doc, node, "seconds_low", 0.0, 1.0),
        .seconds_high = dse_xml_real(r->doc, node, "seconds_high", 0.0, 1.0),
        .activity = dse_xml_real(r->doc, node, "activity", 0.0, 100.0),
        .activity_low = dse_xml_real(r->doc, node, "activity_low", 0.0, 100.0),
        .activity_high = dse_xml_real(r->doc, node, "activity_high", 0.0, 100.0)};
}

#define CONSTANTS "seconds", "seconds_low", "seconds_high", "activity", "activity_low", "activity_high"

static void read_fit(struct reading *r, dse_xml_node node)
{
    static const char *const attributes[] = {"quantity", "seconds_means", "activity_means", "pooled", CONSTANTS, NULL};
    static const char *const left_out[] = {"dataset", CONSTANTS, NULL};
    static const char *const children[] = {"without", NULL};
    dse_xml_allow(r->doc, node, attributes, children);
    r->out->quantity = need(r, node, "quantity");
    r->out->seconds_means = need(r, node, "seconds_means");
    r->out->activity_means = need(r, node, "activity_means");
    r->out->pooled = need(r, node, "pooled");
    r->out->fits = room(r, node, "without", 1, sizeof *r->out->fits);
    if (r->out->fits == NULL)
        return;
    read_constants(r, node, "");
    for (dse_xml_node child = dse_xml_first(node, "without"); child != NULL; child = dse_xml_next(child, "without")) {
        dse_xml_allow(r->doc, child, left_out, none);
        read_constants(r, child, need(r, child, "dataset"));
    }
}

static void read_memory(struct reading *r, dse_xml_node node)
{
    static const char *const attributes[] = {"bandwidth", "efficiency_low", "port_bits", "burst_beats", NULL};
    dse_xml_allow(r->doc, node, attributes, none);
    r->out->bandwidth_bytes_per_s = dse_xml_real(r->doc, node, "bandwidth", 1.0, 1e15);
    r->out->efficiency_low = dse_xml_real(r->doc, node, "efficiency_low", 0.01, 1.0);
    r->out->port_bits = dse_xml_int(r->doc, node, "port_bits", 8, 4096);
    r->out->burst_beats = dse_xml_int(r->doc, node, "burst_beats", 1, 256);
}

/* Knobs that are drawn, by the name of their element. */
static const char *read_drawn(struct reading *r, dse_xml_node root, const char *name)
{
    dse_xml_node node = dse_xml_one(r->doc, root, name);
    return keep(r, node != NULL ? dse_xml_need_text(r->doc, node, "knobs") : NULL);
}

static void read_root(struct reading *r, const char *family)
{
    static const char *const attributes[] = {"family", "board", "profile", NULL};
    static const char *const children[] = {"memory", "simulated", "trained", "algorithmic", "design", "fit", "case", NULL};
    struct dse_published_file *out = r->out;
    dse_xml_node root = dse_xml_root(r->doc, "validation"), node;
    dse_xml_allow(r->doc, root, attributes, children);
    out->family = need(r, root, "family");
    if (root != NULL && strcmp(out->family, family) != 0)
        dse_xml_problem(r->doc, root, "family", "must be %s", family);
    out->board = need(r, root, "board");
    out->simulated = read_drawn(r, root, "simulated");
    out->algorithmic = read_drawn(r, root, "algorithmic");
    out->trained = read_drawn(r, root, "trained");
    out->cases = room(r, root, "case", 0, sizeof *out->cases);
    out->plans = room(r, root, "design", 0, sizeof *out->plans);
    if (r->no_memory)
        return;
    if (dse_xml_first(root, "memory") != NULL || dse_xml_first(root, "fit") != NULL) { /* of measured cases: both */
        read_memory(r, dse_xml_one(r->doc, root, "memory"));
        read_fit(r, dse_xml_one(r->doc, root, "fit"));
    }
    for (node = dse_xml_first(root, "design"); node != NULL; node = dse_xml_next(node, "design"))
        read_plan(r, node);
    const char *profile = text_or(r, root, "profile", "");
    for (node = dse_xml_first(root, "case"); node != NULL; node = dse_xml_next(node, "case"))
        read_case(r, node, profile);
}

enum dse_status dse_published_open(const char *family, struct dse_published_file *out, struct dse_error *err)
{
    *out = (struct dse_published_file){0};
    struct reading r = {.out = out};
    struct dse_strbuf name = {0};
    char *path = NULL;
    dse_strbuf_printf(&name, "published/%s.xml", family);
    enum dse_status status = name.failed ? dse_fail_memory(err) : dse_share_find(dse_strbuf_text(&name), &path, err);
    if (status == DSE_OK)
        status = dse_xml_read_file(path, FILE_BYTES_MAX, &r.doc, err);
    if (status == DSE_OK) {
        read_root(&r, family);
        status = r.no_memory ? dse_fail_memory(err) : dse_xml_verdict(r.doc, err);
    }
    dse_xml_free(r.doc);
    free(path);
    dse_strbuf_free(&name);
    if (status != DSE_OK)
        dse_published_close(out);
    return status;
}

void dse_published_close(struct dse_published_file *file)
{
    dse_arena_free(&file->arena);
    *file = (struct dse_published_file){0};
}

const struct dse_published_case *dse_published_case_find(const struct dse_published_file *file, const char *name)
{
    for (size_t i = 0; i < file->case_count; i++)
        if (strcmp(file->cases[i].name, name) == 0)
            return &file->cases[i];
    return NULL;
}

const struct dse_published_figure *dse_published_figure_find(const struct dse_published_case *c, const char *what,
                                                             const char *machine)
{
    for (size_t i = 0; c != NULL && i < c->figure_count; i++)
        if (strcmp(c->figures[i].what, what) == 0 && strcmp(c->figures[i].machine, machine) == 0)
            return &c->figures[i];
    return NULL;
}

double dse_published_value(const struct dse_published_figure *figure)
{
    return figure != NULL ? figure->value : NAN;
}

const char *dse_published_source(const struct dse_published_figure *figure)
{
    return figure != NULL ? figure->source : "not published, or withheld";
}

bool dse_published_has_designs(const struct dse_published_file *file)
{
    for (size_t i = 0; i < file->case_count; i++)
        if (*file->cases[i].profile != '\0')
            return true;
    return false;
}

bool dse_published_has_measured(const struct dse_published_file *file)
{
    return file->quantity != NULL;
}
