#include "explore/fitting.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/names.h"
#include "devices/catalogue.h"

/* Index of the family's engine called `name`; engine_count for "all", the whole design. */
static enum dse_status find_engine(const struct dse_model_family *family, const char *name, size_t *engine, struct dse_error *err)
{
    const char *names[DSE_ENGINE_MAX];
    *engine = family->engine_count;
    if (strcmp(name, "all") == 0)
        return DSE_OK;
    for (size_t e = 0; e < family->engine_count; e++) {
        names[e] = family->engines[e].name;
        if (strcmp(names[e], name) == 0)
            *engine = e;
    }
    if (*engine < family->engine_count)
        return DSE_OK;
    const char *near = dse_names_nearest(name, names, family->engine_count);
    return dse_fail(err, DSE_BAD_USAGE, "--engine %s: not an engine of %s; %s%s%s`all` is the whole design", name,
                    family->name, near != NULL ? "did you mean " : "", near != NULL ? near : "",
                    near != NULL ? "? " : "");
}

/* ---- words from the folder of --from ---- */

static void take_words(const struct dse_fitting_question *q, struct dse_request *own)
{
    const struct dse_request *request = q->request;
    dse_request_init(own);
    own->family = request->family;
    own->seed = request->seed;
    own->jobs = request->jobs;
    own->monitor = request->monitor;
    own->note = request->note;
    own->user = request->user;
    for (size_t i = 0; q->emitted != NULL && i < q->emitted->config_count; i++) /* so that its setting is measured on the user's data */
        dse_request_take(own, "set", q->emitted->config[i]);
    for (size_t i = 0; i < request->word_count; i++)
        if (q->emitted == NULL || strcmp(request->words[i].name, "from") != 0)
            dse_request_take(own, request->words[i].name, request->words[i].value);
    dse_request_take(own, "calibration", "none"); /* factors apply to the unchanged library */
    if (q->emitted == NULL)
        return;
    const char *const answers[][2] = {{"family", q->emitted->family}, {"flow", q->emitted->flow}, {"board", q->emitted->board},
                                      {"dataset", q->emitted->dataset}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (dse_request_count(own, answers[i][0]) == 0)
            dse_request_take(own, answers[i][0], answers[i][1]);
}

/* ---- configurations ---- */

/* Assigns "a=1 b=2" or "a=1,b=2" in order. */
static enum dse_status assign_all(const struct dse_space *space, const char *text, struct dse_config *config,
                                  struct dse_error *err)
{
    while (*(text += strspn(text, " ,\t")) != '\0') {
        size_t length = strcspn(text, " ,\t");
        char *one DSE_CLEANUP(dse_free_at) = dse_strndup(text, length);
        DSE_TRY(dse_config_assign(space, config, one, err));
        text += length;
    }
    return DSE_OK;
}

/* The preset's or the emitted design with --config applied, then the assignments among the operands. If there are as many --config as reports, the
 * index-th applies, otherwise all of them. */
static enum dse_status make_config(const struct dse_fitting_question *q, const struct dse_fitting *f, const struct dse_emitted *emitted,
                                   size_t index, struct dse_config *config, struct dse_error *err)
{
    size_t given = dse_request_count(&f->own, "config");
    bool one_each = given > 1 && given == q->report_count;
    DSE_TRY(dse_workbench_config(&f->own, &f->bench, 0, f->bench.profiles[0], config, err));
    for (size_t i = 0; emitted != NULL && i < emitted->config_count; i++)
        DSE_TRY(dse_config_assign(f->bench.space, config, emitted->config[i], err));
    for (size_t i = 0; i < given; i++)
        if (!one_each || i == index)
            DSE_TRY(assign_all(f->bench.space, dse_request_word_at(&f->own, "config", i), config, err));
    for (size_t i = 0; i < q->assignment_count; i++)
        DSE_TRY(assign_all(f->bench.space, q->assignments[i], config, err));
    dse_config_canonical(f->bench.space, config);
    return DSE_OK;
}

/* Whether two texts of assignments share a knob; copies its name. */
static bool share_knob(const char *a, const char *b, char *name, size_t size)
{
    static const char *const between = " ,\t";
    for (a += strspn(a, between); *a != '\0'; a += strcspn(a, between), a += strspn(a, between)) {
        size_t length = strcspn(a, "= ,\t");
        for (const char *p = b + strspn(b, between); *p != '\0'; p += strcspn(p, between), p += strspn(p, between))
            if (strcspn(p, "= ,\t") == length && strncmp(a, p, length) == 0) {
                snprintf(name, size, "%.*s", (int)length, a);
                return true;
            }
    }
    return false;
}

/* As many --config as reports: one per report. Any other number: one design, in which no knob may repeat. */
static enum dse_status check_configs(const struct dse_request *request, size_t reports, struct dse_error *err)
{
    size_t given = dse_request_count(request, "config");
    char name[64];
    for (size_t i = 0; given != reports && i < given; i++)
        for (size_t k = i + 1; k < given; k++)
            if (share_knob(dse_request_word_at(request, "config", i), dse_request_word_at(request, "config", k), name, sizeof name))
                return dse_fail(err, DSE_BAD_USAGE,
                                "--config: %s is given twice, but %zu values do not match %zu reports; give one per report, or "
                                "each knob once",
                                name, given, reports);
    return DSE_OK;
}

/* ---- report rows of the design ---- */

/* Whether a report's name is the function or module `PREFIX_PIECE`. Tools prepend the top or "grp_" and append instance numbers. Names of its parts
 * ("nysx_kse_Pipeline_kse_slots") do not match. */
static bool names_piece(const char *name, const char *prefix, const char *piece)
{
    char pattern[256];
    regex_t expression;
    snprintf(pattern, sizeof pattern, "^(.*[^A-Za-z0-9])?%s_%s(_s|_i|_inst|_U?[0-9]+|_fu_[0-9]+)*$", prefix, piece);
    if (name == NULL || regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool same = regexec(&expression, name, 0, NULL, 0) == 0;
    regfree(&expression);
    return same;
}

/* Name prefix of the design: that of the emitted top, otherwise the family's name. */
static void find_prefix(const struct dse_fitting_question *q, const struct dse_fitting *f, char *prefix, size_t size)
{
    snprintf(prefix, size, "%s", q->emitted != NULL ? q->emitted->top : f->bench.family->name);
    char *end = strrchr(prefix, '_');
    if (q->emitted != NULL && end != NULL)
        *end = '\0';
}

static void add_point(struct dse_fitting *f, const struct dse_report *report, const char *instance, size_t engine,
                      const struct dse_config *config)
{
    struct dse_calibration_point *point = dse_list_more(&f->points, &f->found.point_count, sizeof *point);
    *point = (struct dse_calibration_point){.report = report, .instance = instance, .engine = engine, .config = *config};
}

/* Whether an emitted folder already gave a point of the engine: synthesis writes one module to several files. */
static bool has_point(const struct dse_fitting_question *q, const struct dse_fitting *f, size_t engine)
{
    for (size_t i = 0; q->emitted != NULL && i < f->found.point_count; i++)
        if (f->points[i].engine == engine)
            return true;
    return false;
}

/* Adds the report's top, or the row named like the piece. */
static void add_piece(struct dse_fitting *f, const struct dse_report *report, const char *prefix, const char *piece,
                      size_t engine, const struct dse_config *config)
{
    const char *instance = NULL;
    bool found = names_piece(report->top, prefix, piece);
    for (size_t i = 0; i < report->instance_count && !found; i++) {
        const struct dse_report_instance *row = &report->instances[i];
        found = names_piece(row->name, prefix, piece) || names_piece(row->module, prefix, piece);
        instance = row->name;
    }
    if (found)
        add_point(f, report, instance, engine, config);
}

static enum dse_status add_report(const struct dse_fitting_question *q, struct dse_fitting *f, size_t index, size_t wanted,
                                  const char *prefix, struct dse_error *err)
{
    const struct dse_report *report = q->reports[index];
    const struct dse_model_family *family = f->bench.family;
    const char *instance = dse_request_word(&f->own, "instance");
    size_t before = f->found.point_count;
    struct dse_config config;
    DSE_TRY(make_config(q, f, q->emitted, index, &config, err));
    if (instance != NULL) {
        add_point(f, report, instance, wanted, &config);
        return DSE_OK;
    }
    if (wanted == family->engine_count && !has_point(q, f, wanted))
        add_piece(f, report, prefix, "top", wanted, &config);
    for (size_t e = 0; e < family->engine_count; e++)
        if ((wanted == family->engine_count || wanted == e) && !has_point(q, f, e))
            add_piece(f, report, prefix, family->engines[e].name, e, &config);
    if (f->found.point_count > before || q->emitted != NULL)
        return DSE_OK;
    if (dse_request_flag(&f->own, "force")) {
        add_point(f, report, NULL, wanted, &config);
        return DSE_OK;
    }
    const char *piece = wanted < family->engine_count ? family->engines[wanted].name : "top";
    return dse_fail(err, DSE_BAD_USAGE, "%s: its top is %s and it has no row %s_%s, so it is not of this design; --instance "
                                        "NAME selects a row, --force uses the totals",
                    report->file, report->top != NULL ? report->top : "not named", prefix, piece);
}

static bool can_fit(const struct dse_report *report)
{
    return report->level == DSE_REPORT_LEVEL_HLS || report->level == DSE_REPORT_LEVEL_ROUTED;
}

/* ---- SystemVerilog: an engine is the list of modules in the folder, each counted separately ---- */

static const struct dse_report *report_of_module(const struct dse_fitting_question *q, const struct dse_emitted *folder, const char *module)
{
    size_t length = strlen(folder->folder);
    for (size_t i = 0; i < q->report_count; i++) {
        const struct dse_report *report = q->reports[i];
        if (report->level == DSE_REPORT_LEVEL_OPEN && report->top != NULL && strcmp(report->top, module) == 0 &&
            strncmp(report->file, folder->folder, length) == 0 && (report->file[length] == '/' || (length > 0 && report->file[length - 1] == '/')))
            return report;
    }
    return NULL;
}

/* Adds the sum over an engine's modules; nothing if one was not synthesised. */
static void add_engine(const struct dse_fitting_question *q, struct dse_fitting *f, const struct dse_emitted *folder, size_t engine,
                       const struct dse_config *config)
{
    const struct dse_report *first = NULL;
    double sum[DSE_RESOURCE_COUNT] = {0};
    for (size_t i = 0; i < folder->module_count; i++) {
        if (strcmp(folder->modules[i][1], f->bench.family->engines[engine].name) != 0)
            continue;
        const struct dse_report *report = report_of_module(q, folder, folder->modules[i][0]);
        if (report == NULL)
            return;
        first = first != NULL ? first : report;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            sum[r] += report->used[r];
    }
    if (first == NULL)
        return;
    double **kept = dse_list_more(&f->sums, &f->sum_count, sizeof *kept);
    *kept = memcpy(dse_malloc(sizeof sum), sum, sizeof sum);
    add_point(f, first, NULL, engine, config);
    f->points[f->found.point_count - 1].sums = *kept;
}

static enum dse_status check_folder(const struct dse_fitting_question *q, const struct dse_emitted *folder, struct dse_error *err)
{
    const char *const same[][3] = {{"family", folder->family, q->emitted->family}, {"flow", folder->flow, q->emitted->flow},
                                   {"board", folder->board, q->emitted->board}, {"data set", folder->dataset, q->emitted->dataset}};
    if (folder->module_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--from %s: only SystemVerilog folders can be combined", folder->folder);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(same[i][1], same[i][2]) != 0)
            return dse_fail(err, DSE_BAD_USAGE, "--from %s: its %s is %s, but that of %s is %s", folder->folder, same[i][0], same[i][1],
                            q->emitted->folder, same[i][2]);
    return DSE_OK;
}

static enum dse_status make_module_points(const struct dse_fitting_question *q, struct dse_fitting *f, size_t wanted, struct dse_error *err)
{
    for (size_t k = 0; k < q->emitted_count; k++) {
        struct dse_config config;
        DSE_TRY(check_folder(q, &q->emitted[k], err));
        DSE_TRY(make_config(q, f, &q->emitted[k], k, &config, err));
        for (size_t e = 0; e < f->bench.family->engine_count; e++)
            if (wanted == f->bench.family->engine_count || wanted == e)
                add_engine(q, f, &q->emitted[k], e, &config);
    }
    return f->found.point_count > 0 ? DSE_OK
                                    : dse_fail(err, DSE_BAD_INPUT, "%s: `make synth` has counted no engine in it", q->emitted->folder);
}

/* Points from the rows of every report; for an emitted folder only the reports of the level closest to hardware. */
static enum dse_status make_points(const struct dse_fitting_question *q, struct dse_fitting *f, size_t wanted, struct dse_error *err)
{
    char prefix[64];
    if (q->emitted != NULL && q->emitted->module_count > 0)
        return make_module_points(q, f, wanted, err);
    for (size_t i = 0; i < q->report_count; i++)
        if (q->reports[i]->level == DSE_REPORT_LEVEL_OPEN)
            return dse_fail(err, DSE_BAD_USAGE, "%s: a single module counted by Yosys; use --from DIR with the folder of `emit --flow rtl`, which groups modules to engines",
                            q->reports[i]->file);
    find_prefix(q, f, prefix, sizeof prefix);
    for (int level = DSE_REPORT_LEVEL_ROUTED; q->emitted != NULL && level >= DSE_REPORT_LEVEL_HLS && f->found.point_count == 0; level--)
        for (size_t i = 0; i < q->report_count; i++)
            if (q->reports[i]->level == (enum dse_report_level)level && can_fit(q->reports[i]))
                DSE_TRY(add_report(q, f, i, wanted, prefix, err));
    for (size_t i = 0; q->emitted == NULL && i < q->report_count; i++)
        DSE_TRY(add_report(q, f, i, wanted, prefix, err));
    if (f->found.point_count == 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: none of its %zu reports is an HLS estimate or a routed report of %s",
                        q->emitted->folder, q->report_count, q->emitted->top);
    return DSE_OK;
}

/* Rejects reports of another device family. Trusts parts that no catalogue lists. */
static enum dse_status check_parts(const struct dse_fitting *f, struct dse_error *err)
{
    const struct dse_board *board = f->bench.boards[0];
    struct dse_catalogue *catalogue DSE_CLEANUP(dse_catalogue_free_at) = NULL;
    DSE_TRY(dse_catalogue_open(&catalogue, err));
    for (size_t i = 0; i < f->found.point_count; i++) {
        const char *part = f->points[i].report->part;
        const struct dse_device *device = part != NULL ? dse_catalogue_device(catalogue, part) : NULL;
        if (device != NULL && strcmp(device->family, board->family) != 0)
            DSE_TRY(dse_fail(err, DSE_BAD_USAGE, "%s is for %s (%s), but %s is of %s, which has other costs; name a board "
                                                 "of the report's family by --board",
                             f->points[i].report->file, part, device->family, board->name, board->family));
    }
    return DSE_OK;
}

/* All points must share one workload: the knobs that select it must agree. */
static enum dse_status check_one_workload(const struct dse_fitting *f, struct dse_error *err)
{
    const struct dse_calibration_point *points = f->points;
    for (size_t i = 1; i < f->found.point_count; i++)
        for (size_t k = 0; k < f->bench.space->count; k++)
            if (dse_bits_has(dse_knobs_shaping(f->bench.family->knobs), k) &&
                points[i].config.value[k] != points[0].config.value[k])
                return dse_fail(err, DSE_BAD_USAGE, "%s and %s differ in %s, which selects the workload: fit them separately",
                                points[0].report->file, points[i].report->file, f->bench.space->knobs[k].name);
    return DSE_OK;
}

/* Loops of a design counted by the models with the unchanged library: of engine `wanted`, or of all engines if `wanted` is the engine count. */
static enum dse_status take_loops(struct dse_fitting *f, const struct dse_config *config, size_t wanted, struct dse_loops *out,
                                  struct dse_error *err)
{
    size_t kept = 0;
    DSE_TRY(dse_loops_of(&f->setup, config, out, err));
    for (size_t i = 0; i < out->count; i++)
        if (wanted == f->bench.family->engine_count || f->bench.family->blocks[out->loop[i].block].engine == wanted)
            out->loop[kept++] = out->loop[i];
    out->count = kept;
    return DSE_OK;
}

static bool stands_before(const struct dse_fitting *f, size_t point)
{
    for (size_t i = 0; i < point; i++)
        if (memcmp(f->points[i].config.value, f->points[point].config.value, sizeof f->points[i].config.value) == 0)
            return true;
    return false;
}

/* Makes one design per configuration among the points, with its reports. An emitted folder's only design has all reports of the folder. */
static enum dse_status make_designs(const struct dse_fitting_question *q, struct dse_fitting *f, size_t wanted, struct dse_error *err)
{
    for (size_t i = 0; i < f->found.point_count; i++) {
        if (stands_before(f, i))
            continue;
        const struct dse_report **reports = dse_calloc(f->found.point_count + 1, sizeof *reports);
        struct dse_calibration_design *design = dse_list_more(&f->designs, &f->design_count, sizeof *design);
        *design = (struct dse_calibration_design){.reports = reports};
        for (size_t k = i; k < f->found.point_count; k++)
            if (memcmp(f->points[k].config.value, f->points[i].config.value, sizeof f->points[i].config.value) == 0)
                reports[design->report_count++] = f->points[k].report;
        DSE_TRY(take_loops(f, &f->points[i].config, wanted, &design->loops, err));
    }
    if (q->emitted != NULL && q->emitted->module_count == 0 && f->design_count == 1) {
        const struct dse_report **all = dse_calloc(q->report_count + 1, sizeof *all);
        memcpy(all, q->reports, q->report_count * sizeof *all);
        free((void *)f->designs[0].reports);
        f->designs[0].reports = all;
        f->designs[0].report_count = q->report_count;
    }
    return DSE_OK;
}

enum dse_status dse_fitting_make(const struct dse_fitting_question *q, struct dse_fitting *f, struct dse_error *err)
{
    const char *engine = dse_request_word(q->request, "engine");
    size_t wanted = 0, points = 0;
    *f = (struct dse_fitting){.engine_name = engine != NULL ? engine : "all"};
    if (dse_request_word(q->request, "calibration") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "calibrate: --engine fits to the unchanged library, so it cannot be combined with --calibration");
    take_words(q, &f->own);
    DSE_TRY(dse_workbench_open(&f->own, &f->bench, err));
    if (f->bench.board_count > 1 || f->bench.profile_count > 1)
        return dse_fail(err, DSE_BAD_USAGE, "calibrate: --engine takes one board and one data set");
    DSE_TRY(find_engine(f->bench.family, f->engine_name, &wanted, err));
    DSE_TRY(check_configs(&f->own, q->report_count, err));
    DSE_TRY(make_points(q, f, wanted, err));
    DSE_TRY(check_parts(f, err));
    DSE_TRY(check_one_workload(f, err));
    DSE_TRY(dse_workbench_setup(&f->bench, 0, f->bench.profiles[0], &f->points[0].config, &f->setup, err));
    points = f->found.point_count;
    DSE_TRY(make_designs(q, f, wanted, err));
    DSE_TRY(dse_calibrate(&f->setup, f->points, points, &f->found, err));
    dse_calibrate_cycles(f->bench.family, f->designs, f->design_count, &f->found);
    return dse_request_flag(&f->own, "force") ? dse_calibration_check_forced(&f->found, err)
                                              : dse_calibration_check(&f->found, f->points, err);
}

void dse_fitting_close(struct dse_fitting *f)
{
    dse_calibration_free(&f->found);
    dse_workbench_close(&f->bench);
    dse_request_free(&f->own);
    free(f->points);
    for (size_t i = 0; i < f->sum_count; i++)
        free(f->sums[i]);
    free(f->sums);
    for (size_t i = 0; i < f->design_count; i++) {
        dse_loops_free(&f->designs[i].loops);
        free((void *)f->designs[i].reports);
    }
    free(f->designs);
    *f = (struct dse_fitting){0};
}

void dse_fitting_write(const struct dse_fitting *f, struct dse_strbuf *xml)
{
    struct dse_strbuf source = {0};
    dse_strbuf_printf(&source, "%s of %s on %s:", f->engine_name, f->bench.profiles[0]->dataset, f->setup.board->name);
    for (size_t i = 0; i < f->found.point_count && source.length < 300; i++)
        if (i == 0 || f->points[i].report != f->points[i - 1].report)
            dse_strbuf_printf(&source, " %s", f->points[i].report->file);
    dse_calibration_write(&f->found, f->setup.costs, dse_strbuf_text(&source), xml);
    dse_strbuf_free(&source);
}
