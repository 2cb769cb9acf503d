/* Models of the RTL against open synthesis. Yosys synthesises the modules of each engine of each drawn design (rtl_design.h), with the whole design's
 * parameters. Their cells are the reference of the estimate's resources, by engine and in sum. All designs are drawn first. Then as many at a time as there are
 * jobs are synthesised, except modules that the table of counts (counted.h) has. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "resources/synthesis/report.h"
#include "validation/counted.h"
#include "validation/rtl_design.h"

#define STREAM_SYNTHESIS 0x7276
#define LUT_MOST 12000.0 /* maximum of a whole design: Yosys takes less than a minute for an engine of it */
#define TEXT_BYTES 512
#define SCRIPT_BYTES_MAX (1u << 20)
#define MODULES_MOST 16 /* modules of an engine */
#define WHOLE "whole" /* rows of a design's engines in sum */

/* An engine of a drawn design; `modules` are numbers of the work's. */
struct part {
    const char *engine;
    double predicted[DSE_COUNTED_RESOURCES];
    size_t modules[MODULES_MOST], module_count;
};

struct design {
    char folder[64];
    struct dse_drawn_row drawn;
    struct part parts[DSE_ENGINE_MAX];
    size_t part_count;
};

/* A module to be counted; its key may be shared by many designs. */
struct module {
    struct dse_counted_row row;
    char folder[64];
    bool there; /* the table has its count */
};

struct work {
    const struct dse_validation_ground *g;
    struct dse_counted counted;
    pthread_mutex_t lock; /* guards `counted` */
    struct design *designs;
    struct module *modules;
    size_t design_count, module_count;
};

/* The text between the quotes of OPTIONS in the script. */
static enum dse_status options_of(const char *folder, char out[TEXT_BYTES], struct dse_error *err)
{
    char path[128], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/synth.sh", folder);
    DSE_TRY(dse_file_read(path, SCRIPT_BYTES_MAX, &text, &size, err));
    const char *at = strstr(text, "\nOPTIONS='");
    at = at != NULL ? at + strlen("\nOPTIONS='") : "";
    snprintf(out, TEXT_BYTES, "%.*s", (int)strcspn(at, "'"), at);
    free(text);
    return DSE_OK;
}

/* ---- modules to synthesise ---- */

static enum dse_status add_module(struct work *w, const char *folder, struct part *part, const char *name, const char *options, struct dse_error *err)
{
    struct module m = {0};
    size_t i = 0;
    DSE_TRY(dse_counted_key(folder, name, w->g->family->name, options, m.row.key, err));
    while (i < w->module_count && strcmp(w->modules[i].row.key, m.row.key) != 0)
        i++;
    part->modules[part->module_count++] = i;
    if (i < w->module_count)
        return DSE_OK;
    const struct dse_counted_row *known = dse_counted_find(&w->counted, m.row.key);
    snprintf(m.row.module, sizeof m.row.module, "%s", name);
    snprintf(m.folder, sizeof m.folder, "%s", folder);
    m.there = known != NULL;
    m.row = m.there ? *known : m.row;
    struct module *added = dse_list_more(&w->modules, &w->module_count, sizeof *added);
    *added = m;
    return DSE_OK;
}

/* Adds the engine's modules and the estimate of its resources; an engine without modules is none of this design. */
static enum dse_status add_part(struct work *w, const struct dse_rtl_drawn *d, size_t engine, const char *options, struct design *design, struct dse_error *err)
{
    struct part *part = &design->parts[design->part_count];
    *part = (struct part){.engine = d->family->engines[engine].name};
    for (const struct dse_rtl_module *m = d->rtl.modules; m->name != NULL && part->module_count < MODULES_MOST; m++)
        if (strcmp(m->engine, part->engine) == 0)
            DSE_TRY(add_module(w, design->folder, part, m->name, options, err));
    for (size_t r = 0; r < DSE_COUNTED_RESOURCES; r++)
        part->predicted[r] = (double)d->estimate->engines[engine].sums.resources[dse_counted_resources[r]];
    design->part_count += part->module_count > 0;
    return DSE_OK;
}

static enum dse_status fill_design(struct work *w, const struct dse_rtl_drawn *d, size_t index, struct design *design, struct dse_error *err)
{
    char options[TEXT_BYTES];
    snprintf(design->folder, sizeof design->folder, "%s", d->folder);
    dse_rtl_drawn_row(d, index, NULL, &design->drawn);
    DSE_TRY(options_of(design->folder, options, err));
    for (size_t e = 0; e < d->family->engine_count; e++)
        DSE_TRY(add_part(w, d, e, options, design, err));
    return DSE_OK;
}

static enum dse_status draw_designs(struct work *w, size_t count, struct dse_error *err)
{
    static const struct dse_rtl_plan plan = {.level = "open-synthesis", .tools = "", .most_lut = LUT_MOST, .stream = STREAM_SYNTHESIS};
    struct dse_rtl_drawn drawn DSE_CLEANUP(dse_rtl_drawn_end) = {0};
    w->designs = dse_calloc(count, sizeof *w->designs);
    DSE_TRY(dse_rtl_drawn_begin(w->g, &plan, &drawn, err));
    for (size_t i = 0; i < count; i++) {
        DSE_TRY(dse_rtl_drawn_next(&drawn, i, err));
        enum dse_status status = fill_design(w, &drawn, i, &w->designs[w->design_count++], err);
        dse_rtl_drawn_clear(&drawn, true); /* `designs` has its folder now */
        DSE_TRY(status);
    }
    return DSE_OK;
}

/* ---- synthesis ---- */

/* The reason why the tool ended: its first error, else its last line. */
static void keep_line(const char *line, void *to)
{
    if (line[0] != '\n' && strstr(to, "ERROR") == NULL)
        snprintf(to, TEXT_BYTES, "%.*s", (int)strcspn(line, "\n"), line);
}

static enum dse_status read_counts(struct module *m, const char *target, struct dse_error *err)
{
    char path[192], options[TEXT_BYTES];
    struct dse_report *report = NULL;
    snprintf(path, sizeof path, "%s/%s", m->folder, target);
    DSE_TRY(options_of(m->folder, options, err));
    DSE_TRY(dse_report_read(path, &report, err));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        m->row.used[r] = report->used[r] > 0.0 ? report->used[r] : 0.0;
    snprintf(m->row.source, sizeof m->row.source, "%.16s %.16s synth_xilinx %.100s", report->tool, report->version, options);
    dse_report_free(report);
    return DSE_OK;
}

static enum dse_status synthesise(struct work *w, struct module *m, struct dse_error *err)
{
    char target[128], said[TEXT_BYTES] = "make synth failed";
    snprintf(target, sizeof target, "synth/%s.json", m->row.module);
    if (dse_rtl_make(m->folder, target, keep_line, said) != 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s: %s: %s", m->folder, m->row.module, said);
    DSE_TRY(read_counts(m, target, err));
    pthread_mutex_lock(&w->lock); /* finished counts stay, even if others fail */
    enum dse_status status = dse_counted_add(&w->counted, &m->row, err);
    pthread_mutex_unlock(&w->lock);
    return status;
}

/* The modules of one folder, one after another: two at a time would elaborate the design twice. */
static enum dse_status synthesise_design(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct work *w = user;
    (void)thread;
    for (size_t i = 0; i < w->module_count; i++)
        if (!w->modules[i].there && strcmp(w->modules[i].folder, w->designs[index].folder) == 0)
            DSE_TRY(synthesise(w, &w->modules[i], err));
    return DSE_OK;
}

static enum dse_status synthesise_all(struct work *w, struct dse_error *err)
{
    size_t missing = 0;
    for (size_t i = 0; i < w->module_count; i++)
        missing += !w->modules[i].there;
    if (missing == 0)
        return DSE_OK;
    DSE_TRY(dse_rtl_need_tools("open-synthesis", "yosys make awk", err));
    DSE_TRY(w->counted.path != NULL ? dse_file_check(w->counted.path, err) : DSE_OK); /* before work of a minute could be lost */
    return dse_parallel_for(w->design_count, w->g->jobs, synthesise_design, w, w->g->monitor, err);
}

/* ---- rows ---- */

/* One row per resource that is predicted or counted. Of an engine it adds to both sums, of the whole design (NULL) it reports them. */
static void add_part_rows(const struct work *w, const struct design *design, const struct part *part, double used[], double predicted[],
                          struct dse_validation *out)
{
    struct dse_validation_row row = design->drawn.row;
    row.where = design->drawn.where;
    row.group = part != NULL ? part->engine : WHOLE;
    row.config = row.note = design->drawn.config; /* also where a table has no column of it */
    row.source = design->part_count > 0 ? w->modules[design->parts[0].modules[0]].row.source : NULL;
    for (size_t r = 0; r < DSE_COUNTED_RESOURCES; r++) {
        row.what = dse_resource_names[dse_counted_resources[r]];
        row.predicted = part != NULL ? part->predicted[r] : predicted[r];
        row.reference = part != NULL ? 0.0 : used[r];
        for (size_t i = 0; part != NULL && i < part->module_count; i++)
            row.reference += w->modules[part->modules[i]].row.used[dse_counted_resources[r]];
        used[r] += part != NULL ? row.reference : 0.0;
        predicted[r] += part != NULL ? row.predicted : 0.0;
        if (row.predicted > 0.0 || row.reference > 0.0)
            dse_validation_add(out, &row);
    }
}

static void add_rows(const struct work *w, const struct design *design, struct dse_validation *out)
{
    double used[DSE_COUNTED_RESOURCES] = {0}, predicted[DSE_COUNTED_RESOURCES] = {0};
    for (size_t p = 0; p < design->part_count; p++)
        add_part_rows(w, design, &design->parts[p], used, predicted, out);
    add_part_rows(w, design, NULL, used, predicted, out);
}

/* The folder that the error names stays for inspection. */
enum dse_status dse_validate_open_synthesis(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                            struct dse_error *err)
{
    struct work w = {.g = g, .lock = PTHREAD_MUTEX_INITIALIZER};
    DSE_TRY(dse_counted_open(&w.counted, err));
    enum dse_status status = draw_designs(&w, count, err);
    if (status == DSE_OK)
        status = synthesise_all(&w, err);
    for (size_t i = 0; i < w.design_count && status == DSE_OK; i++)
        add_rows(&w, &w.designs[i], out);
    for (size_t i = 0; i < w.design_count; i++)
        if (status != DSE_ANSWER_NO || err == NULL || strstr(err->message, w.designs[i].folder) == NULL)
            dse_rtl_remove(w.designs[i].folder);
    free(w.designs);
    free(w.modules);
    dse_counted_free(&w.counted);
    return status;
}
