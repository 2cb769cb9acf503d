/* The data file of a family: simulated cases, published figures, and fitted constants. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/xml.h"
#include "validation/published.h"

#define FILE_BYTES_MAX (1 << 20)

static const char *const none[] = {NULL};

/* The document being read into `out`. */
struct reading {
    struct dse_xml *doc;
    struct dse_published_file *out;
};

int dse_published_resource(const char *key, size_t length)
{
    static const char whole[] = "whole.";
    const size_t begin = sizeof whole - 1;
    for (int r = 0; r < DSE_RESOURCE_COUNT && length > begin && strncmp(key, whole, begin) == 0; r++)
        if (strlen(dse_resource_names[r]) == length - begin && strncmp(dse_resource_names[r], key + begin, length - begin) == 0)
            return r;
    return -1;
}

/* Kinds of figures of a case with a profile; only the family's models know the names of its quantities. */
static bool is_key(const struct dse_model_family *family, const char *key, size_t length)
{
    static const char *const others[] = {"quality", "fits", "kernel_w"};
    if (dse_published_resource(key, length) >= 0)
        return true;
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        if (strlen(dse_metrics[m].key) == length && strncmp(dse_metrics[m].key, key, length) == 0)
            return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == length && strncmp(others[i], key, length) == 0)
            return true;
    return family != NULL && family->quantity != NULL;
}

static bool is_metric(const char *family, const char *keys)
{
    bool known = true;
    for (const char *key = keys; known && key != NULL; key = strchr(key, '*') != NULL ? strchr(key, '*') + 1 : NULL)
        known = is_key(dse_model_find(family), key, strcspn(key, "*"));
    return known;
}

/* The table whose number the figure's source begins with: the longest such. */
static void find_table(struct reading *r, dse_xml_node node, struct dse_published_figure *out)
{
    size_t longest = 0;
    for (size_t i = 0; i < r->out->table_count; i++) {
        const char *number = r->out->tables[i].number;
        size_t length = strlen(number);
        bool begins = strncmp(out->source, number, length) == 0 && strchr(" ,:", out->source[length]) != NULL;
        if (begins && length > longest) {
            out->table = number;
            longest = length;
        }
    }
    if (longest == 0)
        dse_xml_problem(r->doc, node, "source", "must begin with the number of a table of this file");
}

static void read_figure(struct reading *r, dse_xml_node node, const struct dse_published_case *of,
                        struct dse_published_figure *out)
{
    static const char *const attributes[] = {"what", "metric",  "set",     "machine", "than",  "as",    "against",
                                             "fitting", "unpredicted", "bound", "value", "source", "note", "fit", "other", NULL};
    static const char *const no_yes[] = {"no", "yes", NULL}, *const as[] = {"value", "saving", "times", "growth", NULL};
    static const char *const bounds[] = {"equal", "most", "least", NULL};
    dse_xml_allow(r->doc, node, attributes, none);
    out->what = dse_xml_keep_need(r->doc, node, "what");
    out->metric = dse_xml_keep_or(r->doc, node, "metric", out->what);
    out->set = dse_xml_keep_or(r->doc, node, "set", "");
    out->machine = dse_xml_keep_or(r->doc, node, "machine", "");
    out->than = dse_xml_keep_or(r->doc, node, "than", "");
    out->against = dse_xml_keep_or(r->doc, node, "against", "");
    out->fitting = dse_xml_keep_or(r->doc, node, "fitting", "");
    out->unpredicted = dse_xml_keep_or(r->doc, node, "unpredicted", "");
    out->as = *out->than != '\0' ? DSE_PUBLISHED_SAVING : DSE_PUBLISHED_VALUE;
    if (dse_xml_has(node, "as"))
        out->as = (enum dse_published_as)dse_xml_choice(r->doc, node, "as", as);
    if (dse_xml_has(node, "bound"))
        out->bound = (enum dse_published_bound)dse_xml_choice(r->doc, node, "bound", bounds);
    out->place = r->out->figure_count++;
    out->source = dse_xml_keep_need(r->doc, node, "source");
    out->note = dse_xml_keep_or(r->doc, node, "note", "");
    out->value = dse_xml_real_or(r->doc, node, "value", 0.0, 1e15, NAN);
    find_table(r, node, out);
    if (out->as == DSE_PUBLISHED_VALUE && (*out->than != '\0' || *out->against != '\0'))
        dse_xml_problem(r->doc, node, "as", "must be saving or times beside than or against");
    if (out->as != DSE_PUBLISHED_VALUE && *out->than == '\0' && *out->against == '\0' && *out->machine == '\0')
        dse_xml_problem(r->doc, node, "as", "needs than, against or machine");
    if (*out->unpredicted == '\0' && *of->profile != '\0' && !is_metric(r->out->family, out->metric))
        dse_xml_problem(r->doc, node, "metric", "must be a metric's key, quality, fits or kernel_w, or several with * between them");
    out->other = dse_xml_has(node, "other") && dse_xml_choice(r->doc, node, "other", no_yes) == 1;
    out->fitted_to = dse_xml_has(node, "fit") && dse_xml_choice(r->doc, node, "fit", no_yes) == 1;
}

static void read_case(struct reading *r, dse_xml_node node, const char *profile)
{
    static const char *const attributes[] = {"name", "profile", "dataset", "board", "engine", "set", "software", NULL};
    static const char *const children[] = {"figure", NULL};
    struct dse_published_case *out = &r->out->cases[r->out->case_count++];
    dse_xml_allow(r->doc, node, attributes, children);
    out->name = dse_xml_keep_need(r->doc, node, "name");
    out->dataset = dse_xml_keep_or(r->doc, node, "dataset", "");
    out->profile = dse_xml_keep_or(r->doc, node, "profile", *out->dataset != '\0' ? "" : profile);
    out->board = dse_xml_keep_or(r->doc, node, "board", r->out->board);
    out->engine = dse_xml_keep_or(r->doc, node, "engine", "");
    out->set = dse_xml_keep_or(r->doc, node, "set", "");
    out->software = dse_xml_real_or(r->doc, node, "software", 0.0, 1e15, NAN);
    if (*out->profile != '\0' && *out->dataset != '\0')
        dse_xml_problem(r->doc, node, "profile", "must be absent beside dataset");
    out->figures = dse_xml_room(r->doc, node, "figure", 0, sizeof *out->figures);
    dse_xml_node child = dse_xml_first(node, "figure");
    for (; child != NULL; child = dse_xml_next(child, "figure"))
        read_figure(r, child, out, &out->figures[out->figure_count++]);
}

static void read_plan(struct reading *r, dse_xml_node node)
{
    static const char *const attributes[] = {"name", "set", NULL};
    dse_xml_allow(r->doc, node, attributes, none);
    r->out->plans[r->out->plan_count++] =
        (struct dse_published_plan){.name = dse_xml_keep_need(r->doc, node, "name"), .set = dse_xml_keep_need(r->doc, node, "set")};
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
    r->out->quantity = dse_xml_keep_need(r->doc, node, "quantity");
    r->out->seconds_means = dse_xml_keep_need(r->doc, node, "seconds_means");
    r->out->activity_means = dse_xml_keep_need(r->doc, node, "activity_means");
    r->out->pooled = dse_xml_keep_need(r->doc, node, "pooled");
    r->out->fits = dse_xml_room(r->doc, node, "without", 1, sizeof *r->out->fits);
    read_constants(r, node, "");
    for (dse_xml_node child = dse_xml_first(node, "without"); child != NULL; child = dse_xml_next(child, "without")) {
        dse_xml_allow(r->doc, child, left_out, none);
        read_constants(r, child, dse_xml_keep_need(r->doc, child, "dataset"));
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
    return dse_xml_keep_need(r->doc, node, "knobs");
}

static void read_root(struct reading *r, const char *family)
{
    static const char *const attributes[] = {"family", "board", "profile", "software", "boundary", "data", NULL};
    static const char *const data[] = {"own", "any", NULL};
    static const char *const children[] = {"memory", "simulated", "trained", "algorithmic", "emitted", "design", "fit", "table", "case", NULL};
    static const char *const of_table[] = {"number", "title", NULL};
    struct dse_published_file *out = r->out;
    dse_xml_node root = dse_xml_root(r->doc, "validation"), node;
    dse_xml_allow(r->doc, root, attributes, children);
    out->family = dse_xml_keep_need(r->doc, root, "family");
    if (root != NULL && strcmp(out->family, family) != 0)
        dse_xml_problem(r->doc, root, "family", "must be %s", family);
    out->board = dse_xml_keep_need(r->doc, root, "board");
    out->software = dse_xml_keep_or(r->doc, root, "software", "");
    if (dse_xml_has(root, "boundary"))
        out->boundary = (enum dse_boundary)dse_xml_choice(r->doc, root, "boundary", dse_boundary_names);
    out->any_data = dse_xml_has(root, "data") && dse_xml_choice(r->doc, root, "data", data) == 1;
    out->simulated = read_drawn(r, root, "simulated");
    out->algorithmic = read_drawn(r, root, "algorithmic");
    out->trained = read_drawn(r, root, "trained");
    out->emitted = dse_xml_first(root, "emitted") != NULL ? read_drawn(r, root, "emitted") : "";
    out->cases = dse_xml_room(r->doc, root, "case", 0, sizeof *out->cases);
    out->plans = dse_xml_room(r->doc, root, "design", 0, sizeof *out->plans);
    out->tables = dse_xml_room(r->doc, root, "table", 0, sizeof *out->tables);
    for (node = dse_xml_first(root, "table"); node != NULL; node = dse_xml_next(node, "table")) {
        dse_xml_allow(r->doc, node, of_table, none);
        out->tables[out->table_count++] = (struct dse_published_table){.number = dse_xml_keep_need(r->doc, node, "number"),
                                                                       .title = dse_xml_keep_need(r->doc, node, "title")};
    }
    if (dse_xml_first(root, "memory") != NULL || dse_xml_first(root, "fit") != NULL) { /* measured cases have both */
        read_memory(r, dse_xml_one(r->doc, root, "memory"));
        read_fit(r, dse_xml_one(r->doc, root, "fit"));
    }
    for (node = dse_xml_first(root, "design"); node != NULL; node = dse_xml_next(node, "design"))
        read_plan(r, node);
    const char *profile = dse_xml_keep_or(r->doc, root, "profile", "");
    for (node = dse_xml_first(root, "case"); node != NULL; node = dse_xml_next(node, "case"))
        read_case(r, node, profile);
}

enum dse_status dse_published_open(const char *family, struct dse_published_file *out, struct dse_error *err)
{
    struct reading r = {.out = out};
    char name[128];
    *out = (struct dse_published_file){0};
    snprintf(name, sizeof name, "published/%.100s.xml", family);
    DSE_TRY(dse_xml_read_shared(name, FILE_BYTES_MAX, &r.doc, err));
    dse_xml_keep_in(r.doc, &out->arena);
    read_root(&r, family);
    enum dse_status status = dse_xml_verdict(r.doc, err);
    dse_xml_free(r.doc);
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

void dse_published_name(const struct dse_published_figure *figure, char *out, size_t size)
{
    bool prefixed = *figure->machine != '\0' && strchr(figure->what, '.') == NULL;
    snprintf(out, size, "%s%s%s", prefixed ? figure->machine : "", prefixed ? "." : "", figure->what);
}

void dse_published_row_put(const struct dse_published_figure *figure, struct dse_validation_row *row)
{
    row->source = dse_published_source(figure);
    row->reference = dse_published_value(figure);
    if (figure == NULL)
        return;
    row->table = figure->table;
    row->place = figure->place;
    row->bound = figure->bound == DSE_PUBLISHED_MOST ? -1 : figure->bound == DSE_PUBLISHED_LEAST ? 1 : 0;
}

double dse_published_compare(enum dse_published_as as, double own, double other)
{
    return as == DSE_PUBLISHED_SAVING ? 1.0 - other / own : as == DSE_PUBLISHED_TIMES ? other / own : as == DSE_PUBLISHED_GROWTH ? own - other : NAN;
}

static void add_unpredicted(const struct dse_published_case *c, const struct dse_published_figure *figure, const char *why, struct dse_validation *out)
{
    struct dse_validation_row row = dse_validation_row_empty;
    char name[96];
    dse_published_name(figure, name, sizeof name);
    dse_published_row_put(figure, &row);
    row.what = name;
    row.where = c->name;
    row.profile = *c->profile != '\0' ? c->profile : *c->dataset != '\0' ? c->dataset : NULL;
    row.board = c->board;
    row.note = why;
    row.unpredicted = true;
    row.other = figure->other;
    dse_validation_add(out, &row);
}

/* Whether rows have the case's data set. */
static bool is_seen(const struct dse_validation *out, const struct dse_published_case *c)
{
    bool seen = false;
    for (size_t i = 0; i < out->count && !seen; i++)
        seen = !out->rows[i].unpredicted && out->rows[i].profile != NULL && strcmp(out->rows[i].profile, c->dataset) == 0;
    return seen;
}

void dse_published_rest(const struct dse_published_file *file, bool every, struct dse_validation *out)
{
    for (size_t i = 0; i < file->case_count; i++)
        for (size_t f = 0; f < file->cases[i].figure_count; f++) {
            const struct dse_published_case *c = &file->cases[i];
            const struct dse_published_figure *figure = &c->figures[f];
            char why[160];
            snprintf(why, sizeof why, "%.60s is not among the data sets here", c->dataset);
            if (*figure->unpredicted != '\0')
                add_unpredicted(c, figure, figure->unpredicted, out);
            else if (every && *c->dataset != '\0' && !isnan(figure->value) && !is_seen(out, c))
                add_unpredicted(c, figure, why, out);
        }
    out->tables = dse_arena_alloc(&out->arena, file->table_count + 1, sizeof *out->tables);
    out->table_count = file->table_count;
    for (size_t i = 0; i < file->table_count; i++)
        out->tables[i] = (struct dse_published_table){dse_arena_strdup(&out->arena, file->tables[i].number),
                                                      dse_arena_strdup(&out->arena, file->tables[i].title)};
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
