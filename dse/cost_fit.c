#include "dse/cost_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/names.h"
#include "devices/catalogue.h"
#include "explore/workbench.h"
#include "reports/calibration.h"
#include "validation/calibrate.h"

/* What a fit stands on. */
struct ground {
    struct dse_workbench bench; /* the first board and data set count */
    struct dse_setup setup;
    size_t engine;
    const char *engine_name;
};

bool dse_cost_fit_is_assignment(const char *operand)
{
    return strchr(operand, '=') != NULL && !dse_file_exists(operand);
}

/* The family's engine called --engine; "all" is the whole design. */
static enum dse_status find_engine(const char *name, struct ground *g, struct dse_error *err)
{
    const struct dse_model_family *family = g->bench.family;
    const char *names[DSE_ENGINE_MAX];
    g->engine_name = name;
    g->engine = family->engine_count;
    if (strcmp(name, "all") == 0)
        return DSE_OK;
    for (size_t e = 0; e < family->engine_count; e++) {
        names[e] = family->engines[e].name;
        if (strcmp(names[e], name) == 0)
            g->engine = e;
    }
    if (g->engine < family->engine_count)
        return DSE_OK;
    const char *near = dse_names_nearest(name, names, family->engine_count);
    return dse_fail(err, DSE_BAD_USAGE, "--engine %s: no engine of %s; %s%s%s`all` is the whole design", name,
                    family->name, near != NULL ? "did you mean " : "", near != NULL ? near : "",
                    near != NULL ? "? " : "");
}

static enum dse_status open_ground(const struct dse_cli *cli, struct ground *g, struct dse_error *err)
{
    if (dse_cli_value(cli, "calibration") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "calibrate: --engine fits to the library as it is, without --calibration");
    DSE_TRY(dse_workbench_open(dse_cli_request(cli), &g->bench, err));
    if (g->bench.board_count > 1 || g->bench.profile_count > 1)
        return dse_fail(err, DSE_BAD_USAGE, "calibrate: --engine takes one board and one data set");
    return find_engine(dse_cli_value(cli, "engine"), g, err);
}

/* "a=1 b=2" or "a=1,b=2", one after the other. */
static enum dse_status assign_all(const struct ground *g, const char *text, struct dse_config *config,
                                  struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    while (status == DSE_OK && *(text += strspn(text, " ,\t")) != '\0') {
        size_t length = strcspn(text, " ,\t");
        char *one = strndup(text, length);
        status = one != NULL ? dse_config_assign(g->bench.space, config, one, err) : dse_fail_memory(err);
        free(one);
        text += length;
    }
    return status;
}

/* The preset's design with --config on top: the index-th where there are as many as reports, else all of them; and
 * the assignments among the operands. */
static enum dse_status make_config(const struct dse_cli *cli, const struct ground *g, size_t index, size_t reports,
                                   struct dse_config *config, struct dse_error *err)
{
    size_t given = dse_cli_count(cli, "config");
    bool one_each = given > 1 && given == reports;
    DSE_TRY(dse_workbench_config(dse_cli_request(cli), &g->bench, g->bench.profiles[0], config, err));
    for (size_t i = 0; i < given; i++)
        if (!one_each || i == index)
            DSE_TRY(assign_all(g, dse_cli_value_at(cli, "config", i), config, err));
    for (size_t i = 0; i < dse_cli_operand_count(cli); i++)
        if (dse_cost_fit_is_assignment(dse_cli_operand(cli, i)))
            DSE_TRY(assign_all(g, dse_cli_operand(cli, i), config, err));
    dse_config_canonical(g->bench.space, config);
    return DSE_OK;
}

/* True where two texts of assignments name a knob in common; it is copied. */
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

/* As many --config as reports are one for each; any other number is one design, in which no knob stands twice. */
static enum dse_status check_configs(const struct dse_cli *cli, size_t reports, struct dse_error *err)
{
    size_t given = dse_cli_count(cli, "config");
    char name[64];
    for (size_t i = 0; given != reports && i < given; i++)
        for (size_t k = i + 1; k < given; k++)
            if (share_knob(dse_cli_value_at(cli, "config", i), dse_cli_value_at(cli, "config", k), name, sizeof name))
                return dse_fail(err, DSE_BAD_USAGE,
                                "--config: %s is given twice, and there are %zu for %zu reports; give one for each report, or "
                                "each knob once",
                                name, given, reports);
    return DSE_OK;
}

/* A report of another family of devices says nothing of this one's costs. A part that no catalogue has is trusted. */
static enum dse_status check_parts(const struct ground *g, const struct dse_calibration_point *points, size_t count,
                                   struct dse_error *err)
{
    const struct dse_board *board = g->bench.boards[0];
    struct dse_catalogue *catalogue = NULL;
    enum dse_status status = dse_catalogue_open(&catalogue, err);
    for (size_t i = 0; status == DSE_OK && i < count; i++) {
        const char *part = points[i].report->part;
        const struct dse_device *device = part != NULL ? dse_catalogue_device(catalogue, part) : NULL;
        if (device != NULL && strcmp(device->family, board->family) != 0)
            status = dse_fail(err, DSE_BAD_USAGE, "%s is for %s (%s), but %s is of %s, whose costs are others; name a board "
                                                  "of the report's family by --board",
                              points[i].report->file, part, device->family, board->name, board->family);
    }
    dse_catalogue_free(catalogue);
    return status;
}

/* Every report that was read, at its configuration. */
static enum dse_status make_points(const struct dse_cli *cli, const struct ground *g,
                                   const struct dse_report_row *rows, size_t count,
                                   struct dse_calibration_point *points, size_t *used, struct dse_error *err)
{
    *used = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].report == NULL)
            continue;
        points[*used].report = rows[i].report;
        points[*used].instance = dse_cli_value(cli, "instance");
        DSE_TRY(make_config(cli, g, i, count, &points[(*used)++].config, err));
    }
    return DSE_OK;
}

/* All points stand on one workload: the knobs that select it must agree. */
static enum dse_status check_one_workload(const struct ground *g, const struct dse_calibration_point *points,
                                          size_t count, struct dse_error *err)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < g->bench.space->count; k++)
            if ((dse_knobs_shaping(g->bench.family->knobs) & DSE_KNOB_BIT(k)) != 0 &&
                points[i].config.value[k] != points[0].config.value[k])
                return dse_fail(err, DSE_BAD_USAGE,
                                "%s and %s differ in %s, which selects the workload: fit them apart",
                                points[0].report->file, points[i].report->file, g->bench.space->knobs[k].name);
    return DSE_OK;
}

static enum dse_status write_calibration(const struct ground *g, const struct dse_calibration *c,
                                         const struct dse_calibration_point *points, const char *path,
                                         struct dse_error *err)
{
    struct dse_strbuf source = {0}, xml = {0};
    dse_strbuf_printf(&source, "%s of %s on %s:", g->engine_name, g->bench.profiles[0]->dataset, g->setup.board->name);
    for (size_t i = 0; i < c->point_count && source.length < 300; i++)
        dse_strbuf_printf(&source, " %s", points[i].report->file);
    dse_calibration_write(c, g->setup.costs, dse_strbuf_text(&source), &xml);
    enum dse_status status = xml.failed || source.failed ? dse_fail_memory(err)
                                                         : dse_file_write(path, xml.text, xml.length, err);
    dse_strbuf_free(&source);
    dse_strbuf_free(&xml);
    return status;
}

enum dse_status dse_cost_fit(const struct dse_cli *cli, const struct dse_report_row *rows, size_t count,
                             const char *path, struct dse_strbuf *text, json_t **json, struct dse_error *err)
{
    struct ground g = {0};
    struct dse_calibration calibration = {0};
    size_t used = 0;
    *json = NULL;
    struct dse_calibration_point *points = calloc(count + 1, sizeof *points);
    enum dse_status status = points != NULL ? open_ground(cli, &g, err) : dse_fail_memory(err);
    if (status == DSE_OK)
        status = check_configs(cli, count, err);
    if (status == DSE_OK)
        status = make_points(cli, &g, rows, count, points, &used, err);
    if (status == DSE_OK && used == 0)
        status = dse_fail(err, DSE_BAD_INPUT, "%s", rows[0].error.message);
    if (status == DSE_OK)
        status = check_parts(&g, points, used, err);
    if (status == DSE_OK)
        status = check_one_workload(&g, points, used, err);
    if (status == DSE_OK)
        status = dse_workbench_setup(&g.bench, 0, g.bench.profiles[0], &points[0].config, &g.setup, err);
    if (status == DSE_OK)
        status = dse_calibrate(&g.setup, g.engine, points, used, &calibration, err);
    if (status == DSE_OK)
        *json = dse_calibration_report(&(struct dse_calibration_report){g.engine_name, g.setup.costs, &calibration, points}, text);
    if (status == DSE_OK && path != NULL)
        status = write_calibration(&g, &calibration, points, path, err);
    dse_calibration_free(&calibration);
    dse_workbench_close(&g.bench);
    free(points);
    return status;
}
