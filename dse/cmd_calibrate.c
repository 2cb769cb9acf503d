/* `nysx-dse calibrate`: contents of synthesis reports, and cost factors fitted from them. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "explore/calibrated.h"
#include "explore/designs.h"
#include "explore/fitting.h"
#include "reports/calibration.h"
#include "reports/json.h"

/* The inputs of one run. */
struct calibrating {
    const struct dse_cli *cli;
    struct dse_emitted *emitted; /* emitted_count folders of --from */
    size_t emitted_count;
    bool from_folder, fits;
    const char **assignments; /* assignment_count operands "knob=value" */
    size_t assignment_count;
    struct dse_report_row *rows; /* row_count */
    size_t row_count;
};

static enum dse_status read_row(struct calibrating *c, const char *file, struct dse_error *err)
{
    struct dse_report_row *row = &c->rows[c->row_count];
    *row = (struct dse_report_row){.file = file};
    enum dse_status status = dse_report_read(file, &row->report, &row->error);
    if (status == DSE_LIMIT)
        return dse_fail(err, status, "%s", row->error.message);
    c->row_count += row->report != NULL || !c->from_folder; /* a folder holds other files too */
    return DSE_OK;
}

/* A repeated report would count twice, unless it is of several configurations. */
static enum dse_status check_twice(const struct calibrating *c, struct dse_error *err)
{
    size_t operands = dse_cli_operand_count(c->cli);
    const bool each = dse_cli_count(c->cli, "config") == operands;
    for (size_t k = 1; c->fits && k < operands; k++)
        for (size_t i = 0; i < k; i++)
            if (dse_file_same(dse_cli_operand(c->cli, i), dse_cli_operand(c->cli, k)) &&
                !(each && strcmp(dse_cli_value_at(c->cli, "config", i), dse_cli_value_at(c->cli, "config", k)) != 0))
                return dse_fail(err, DSE_BAD_USAGE, "%s: given twice; the fit would count it twice", dse_cli_operand(c->cli, k));
    return DSE_OK;
}

static enum dse_status read_rows(struct calibrating *c, struct dse_error *err)
{
    size_t operands = dse_cli_operand_count(c->cli), reports = 0;
    DSE_TRY(check_twice(c, err));
    for (size_t k = 0; k < c->emitted_count; k++)
        reports += c->emitted[k].report_count;
    c->rows = dse_calloc(operands + reports + 1, sizeof *c->rows);
    c->assignments = dse_calloc(operands + 1, sizeof *c->assignments);
    for (size_t i = 0; i < operands; i++) {
        const char *word = dse_cli_operand(c->cli, i);
        if (c->fits && strchr(word, '=') != NULL && !dse_file_exists(word))
            c->assignments[c->assignment_count++] = word;
        else
            DSE_TRY(read_row(c, word, err));
    }
    for (size_t k = 0; k < c->emitted_count; k++)
        for (size_t i = 0; i < c->emitted[k].report_count; i++)
            DSE_TRY(read_row(c, c->emitted[k].reports[i], err));
    if (c->row_count > 0)
        return DSE_OK;
    return c->from_folder ? dse_fail(err, DSE_BAD_INPUT, "%s: the folder holds no synthesis report", c->emitted->folder)
                          : dse_fail(err, DSE_BAD_USAGE, "calibrate: needs at least one report");
}

/* DSE_BAD_INPUT, with the first reason, if any report was rejected. */
static enum dse_status verdict(const struct dse_report_row *rows, size_t count, struct dse_error *err)
{
    size_t rejected = 0, first = 0;
    for (size_t i = count; i-- > 0;)
        if (rows[i].report == NULL) {
            rejected++;
            first = i;
        }
    if (rejected == 0)
        return DSE_OK;
    if (rejected == 1)
        return dse_fail(err, DSE_BAD_INPUT, "%s", rows[first].error.message);
    return dse_fail(err, DSE_BAD_INPUT, "%s (and %zu more of %zu reports)", rows[first].error.message,
                    rejected - 1, count);
}

/* Where the calibration goes: -o, and with --apply beside the board. */
static enum dse_status keep(const struct calibrating *c, const struct dse_fitting *fitting, struct dse_error *err)
{
    const char *path = dse_cli_value(c->cli, "output"), *flow = dse_request_word(&fitting->own, "flow");
    DSE_TEXT(xml);
    dse_fitting_write(fitting, &xml);
    if (path != NULL)
        DSE_TRY(dse_calibrated_keep(path, &xml, err));
    if (!dse_cli_flag(c->cli, "apply"))
        return DSE_OK;
    char *beside DSE_CLEANUP(dse_free_at) = dse_calibrated_path(fitting->setup.board, flow != NULL ? flow : "hls");
    if (beside == NULL)
        return dse_fail(err, DSE_LIMIT, "--apply: no folder to save the calibration: neither $XDG_DATA_HOME nor $HOME is set");
    DSE_TRY(dse_calibrated_keep(beside, &xml, err));
    dse_cli_note(c->cli, "%s: later searches on %s use it; --calibration none ignores it", beside, fitting->setup.board->name);
    return DSE_OK;
}

/* Fits, prints the results, and keeps them unless they are rejected. */
static enum dse_status fit(const struct calibrating *c, struct dse_strbuf *found, json_t **json, struct dse_error *err)
{
    struct dse_fitting fitting DSE_CLEANUP(dse_fitting_close) = {0};
    const struct dse_report **reports DSE_CLEANUP(dse_free_at) = dse_calloc(c->row_count + 1, sizeof *reports);
    struct dse_fitting_question question = {
        .request = dse_cli_request(c->cli), .emitted = c->from_folder ? c->emitted : NULL, .emitted_count = c->emitted_count, .assignments = c->assignments,
        .assignment_count = c->assignment_count, .reports = reports};
    for (size_t i = 0; i < c->row_count; i++)
        if (c->rows[i].report != NULL)
            reports[question.report_count++] = c->rows[i].report;
    if (question.report_count == 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s", c->rows[0].error.message);
    enum dse_status status = dse_fitting_make(&question, &fitting, err);
    if (status == DSE_OK || (status == DSE_ANSWER_NO && fitting.found.point_count > 0))
        *json = dse_calibration_report(&(struct dse_calibration_report){fitting.engine_name, fitting.setup.costs, &fitting.found,
                                                                        fitting.points, fitting.bench.family}, found);
    json_t *loops = *json != NULL && fitting.design_count == 1 ? dse_loops_report(fitting.designs, found) : NULL;
    if (loops != NULL)
        json_object_set_new(*json, "loops", loops);
    return status == DSE_OK ? keep(c, &fitting, err) : status;
}

/* A fit uses -o for its calibration; its findings go to standard output. */
static enum dse_status write_rows(const struct calibrating *c, struct dse_error *err)
{
    DSE_TEXT(text);
    DSE_TEXT(found);
    json_t *json DSE_CLEANUP(json_decrefp) = NULL;
    enum dse_status status = c->fits ? fit(c, &found, &json, err) : DSE_OK, printed = DSE_OK;
    struct dse_error unprinted;
    switch (dse_cli_format(c->cli)) {
    case DSE_FORMAT_JSON: dse_synthesis_write_json(&text, c->rows, c->row_count, json); break;
    case DSE_FORMAT_CSV: dse_synthesis_write_csv(&text, c->rows, c->row_count); break;
    case DSE_FORMAT_TABLE:
        if (c->row_count > 1 || c->rows->report != NULL) /* otherwise the error says why */
            dse_synthesis_write(&text, c->rows, c->row_count);
        dse_strbuf_add(&text, dse_strbuf_text(&found));
        break;
    }
    if (c->fits && (status == DSE_OK || json != NULL))
        printed = dse_output_standard(c->cli, &text, &unprinted);
    else if (status == DSE_OK)
        status = dse_output_text(c->cli, &text, err);
    return status == DSE_OK && printed != DSE_OK ? dse_fail(err, printed, "%s", unprinted.message) : status;
}

static enum dse_status open_folder(struct calibrating *c, struct dse_error *err)
{
    const char *from = dse_cli_value(c->cli, "from");
    c->from_folder = from != NULL && strchr(from, ':') == NULL;
    c->fits = c->from_folder || dse_cli_value(c->cli, "engine") != NULL;
    static const char *const of_a_fit[] = {"config", "instance", "set", "space", "headroom", "calibration", "apply", "force"};
    for (size_t i = 0; i < sizeof of_a_fit / sizeof *of_a_fit; i++)
        if (dse_cli_value(c->cli, of_a_fit[i]) != NULL && !c->fits)
            return dse_fail(err, DSE_BAD_USAGE, "calibrate: --%s needs --engine or --from DIR", of_a_fit[i]);
    size_t count = c->from_folder ? dse_cli_count(c->cli, "from") : 0;
    c->emitted = dse_calloc(count + 1, sizeof *c->emitted);
    for (size_t k = 0; k < count; k++) {
        DSE_TRY(dse_emitted_open(dse_cli_value_at(c->cli, "from", k), &c->emitted[k], err));
        c->emitted_count++;
    }
    return count < 2 || c->emitted->module_count > 0
               ? DSE_OK
               : dse_fail(err, DSE_BAD_USAGE, "--from is given twice: only SystemVerilog folders can be combined");
}

static void release(struct calibrating *c)
{
    for (size_t i = 0; i < c->row_count; i++)
        dse_report_free(c->rows[i].report);
    free(c->rows);
    free(c->assignments);
    for (size_t k = 0; k < c->emitted_count; k++)
        dse_emitted_free(&c->emitted[k]);
    free(c->emitted);
}

/* ---- the constants of a file ---- */

static enum dse_status write_designs(const struct dse_cli *cli, const struct dse_designs *designs, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "output");
    DSE_TEXT(text);
    DSE_TEXT(yaml);
    if (path != NULL || dse_cli_flag(cli, "apply"))
        DSE_TRY(dse_designs_rewrite(designs, &yaml, err));
    if (path != NULL)
        DSE_TRY(dse_file_write(path, yaml.text, yaml.length, err));
    if (dse_cli_flag(cli, "apply"))
        DSE_TRY(dse_file_write(designs->family->file, yaml.text, yaml.length, err));
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        dse_json_add(&text, dse_designs_json(designs));
    else if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        dse_designs_write_csv(designs, &text);
    else
        dse_designs_write(designs, &text);
    return dse_output_standard(cli, &text, err);
}

static enum dse_status fit_designs(const struct dse_cli *cli, struct dse_error *err)
{
    static const char *const others[] = {"engine", "from", "config", "instance", "set", "force"};
    const struct dse_model_family *family = NULL;
    struct dse_designs designs DSE_CLEANUP(dse_designs_free) = {0};
    int64_t folds = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (dse_cli_value(cli, others[i]) != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "calibrate: --%s cannot be combined with --designs", others[i]);
    if (dse_cli_operand_count(cli) > 0)
        return dse_fail(err, DSE_BAD_USAGE, "calibrate: %s cannot be combined with --designs", dse_cli_operand(cli, 0));
    DSE_TRY(dse_cli_ending(cli, ".yaml", err));
    DSE_TRY(dse_request_integer(dse_cli_request(cli), "folds", 2, 1000, 10, &folds, err));
    if (dse_cli_flag(cli, "apply"))
        dse_file_replaces(dse_request_family(dse_cli_request(cli)));
    DSE_TRY(dse_model_open(dse_request_family(dse_cli_request(cli)), &family, err));
    DSE_TRY(dse_designs_fit(family, dse_cli_value(cli, "board"), dse_cli_value(cli, "designs"), (size_t)folds, dse_cli_request(cli)->seed, &designs, err));
    return write_designs(cli, &designs, err);
}

enum dse_status dse_run_calibrate(const struct dse_cli *cli, struct dse_error *err)
{
    if (dse_cli_value(cli, "designs") != NULL)
        return fit_designs(cli, err);
    if (dse_cli_value(cli, "folds") != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "calibrate: --folds needs --designs");
    struct calibrating c DSE_CLEANUP(release) = {.cli = cli};
    DSE_TRY(open_folder(&c, err));
    DSE_TRY(dse_cli_ending(cli, c.fits ? ".xml" : ".json .csv .txt", err));
    DSE_TRY(read_rows(&c, err));
    DSE_TRY(write_rows(&c, err));
    return verdict(c.rows, c.row_count, err);
}
