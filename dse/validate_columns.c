#include "dse/validate_columns.h"
#include "dse/terminal.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "explore/workbench.h"
#include "reports/estimate.h"
#include "reports/table.h"
#include "validation/columns.h"

struct asked {
    const struct dse_cli *cli;
    const struct dse_model_family *family;
    struct dse_columns columns;
    struct dse_column_answer answer;
};

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* What a reader must know of a row: the file's note, and what contradicts the board. */
static void note_of(const struct dse_column_row *row, struct dse_strbuf *out)
{
    bool refused = strcmp(row->figure->metric, "fits") == 0 && row->predicted == 0.0;
    if (isfinite(row->contradicts))
        dse_strbuf_printf(out, "published %.0f, and the chip of %s has %.0f: cannot be", row->figure->value,
                          row->column->board, row->contradicts);
    if (refused)
        dse_strbuf_printf(out, "%sdoes not fit %s: %s", out->length > 0 ? "; " : "", row->column->board, row->worst);
    if (*row->figure->note != '\0')
        dse_strbuf_printf(out, "%s%s", out->length > 0 ? "; " : "", row->figure->note);
}

/* ---- JSON ---- */

static json_t *row_json(const struct asked *a, const struct dse_column_row *row)
{
    struct dse_strbuf note = {0};
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:s}", "family", a->family->name, "what",
                               row->figure->what, "case", row->column->name, "board", row->column->board, "predicted",
                               row->predicted, "low", row->low, "high", row->high, "reference",
                               number_or_null(row->figure->value), "error", number_or_null(row->error), "source",
                               row->figure->source);
    if (isfinite(row->left_out)) {
        json_object_set_new(object, "predicted_left_out", json_real(row->left_out));
        json_object_set_new(object, "error_left_out", number_or_null(row->left_out_error));
    }
    if (isfinite(row->contradicts))
        json_object_set_new(object, "contradicts_board", json_true());
    json_object_set_new(object, "level", json_string("published"));
    note_of(row, &note);
    if (note.length > 0)
        json_object_set_new(object, "note", json_string(dse_strbuf_text(&note)));
    dse_strbuf_free(&note);
    return object;
}

static json_t *summary_json(const struct dse_column_summary *s)
{
    json_t *object = json_pack("{s:s, s:s, s:f, s:f, s:I}", "what", s->what, "against", "published", "mean_abs_error",
                               s->mean, "max_abs_error", s->worst, "n", (json_int_t)s->n);
    if (isfinite(s->left_out_mean)) {
        json_object_set_new(object, "mean_abs_error_left_out", json_real(s->left_out_mean));
        json_object_set_new(object, "max_abs_error_left_out", json_real(s->left_out_worst));
    }
    return object;
}

static void fill_json(const struct asked *a, json_t *rows, json_t *summary, json_t *fitted)
{
    for (size_t i = 0; i < a->answer.row_count; i++)
        json_array_append_new(rows, row_json(a, &a->answer.rows[i]));
    for (size_t i = 0; i < a->answer.summary_count; i++)
        json_array_append_new(summary, summary_json(&a->answer.summaries[i]));
    for (size_t k = 0; k < a->family->fitted_count; k++) {
        const struct dse_fitted *constant = &a->family->fitted[k];
        json_array_append_new(fitted, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "name", constant->name, "meaning",
                                                constant->meaning, "value", constant->value, "low", constant->low, "high",
                                                constant->high, "refitted", a->answer.refitted[k]));
    }
}

static json_t *whole_json(const struct asked *a)
{
    json_t *rows = json_array(), *summary = json_array(), *fitted = json_array();
    fill_json(a, rows, summary, fitted);
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "schema", "nysx-dse.validate/1", "family", a->family->name, "board",
                     a->columns.board, "rows", rows, "summary", summary, "fitted", fitted);
}

/* ---- tables ---- */

static void cell_number(struct dse_table *table, double value)
{
    if (isfinite(value))
        dse_table_cell(table, "%.7g", value);
    else
        dse_table_cell(table, "%s", "");
}

static void cell_percent(struct dse_table *table, const char *sign, double value)
{
    if (isfinite(value))
        dse_table_cell(table, "%s%.1f %%", value < 0.0 ? "-" : sign, 100.0 * fabs(value));
    else
        dse_table_cell(table, "%s", "");
}

static void fill_rows(const struct asked *a, bool csv, struct dse_table *table)
{
    dse_table_column(table, "what", false);
    dse_table_column(table, "case", false);
    dse_table_column(table, "board", false);
    dse_table_column(table, "predicted", true);
    dse_table_column(table, csv ? "reference" : "published", true);
    dse_table_column(table, "error", true);
    dse_table_column(table, csv ? "error_left_out" : "left out", true);
    dse_table_column(table, "source", false);
    if (csv)
        dse_table_column(table, "note", false);
    for (size_t i = 0; i < a->answer.row_count; i++) {
        const struct dse_column_row *row = &a->answer.rows[i];
        struct dse_strbuf note = {0};
        note_of(row, &note);
        dse_table_cell(table, "%s", row->figure->what);
        dse_table_cell(table, "%s", row->column->name);
        dse_table_cell(table, "%s", row->column->board);
        cell_number(table, row->predicted);
        cell_number(table, row->figure->value);
        if (csv) {
            cell_number(table, row->error);
            cell_number(table, row->left_out_error);
        } else {
            cell_percent(table, "+", row->error);
            cell_percent(table, "+", row->left_out_error);
        }
        dse_table_cell(table, "%s", row->figure->source);
        if (csv)
            dse_table_cell(table, "%s", dse_strbuf_text(&note));
        dse_strbuf_free(&note);
    }
}

static void fill_summary(const struct asked *a, struct dse_table *table)
{
    dse_table_column(table, "what", false);
    dse_table_column(table, "mean error", true);
    dse_table_column(table, "worst", true);
    dse_table_column(table, "left out, mean", true);
    dse_table_column(table, "worst", true);
    dse_table_column(table, "n", true);
    for (size_t i = 0; i < a->answer.summary_count; i++) {
        const struct dse_column_summary *s = &a->answer.summaries[i];
        dse_table_cell(table, "%s", s->what);
        cell_percent(table, "", s->mean);
        cell_percent(table, "", s->worst);
        cell_percent(table, "", s->left_out_mean);
        cell_percent(table, "", s->left_out_worst);
        dse_table_cell(table, "%zu", s->n);
    }
}

static void write_notes(const struct asked *a, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "\n");
    for (size_t i = 0; i < a->answer.row_count; i++) {
        struct dse_strbuf note = {0};
        note_of(&a->answer.rows[i], &note);
        if (note.length > 0)
            dse_strbuf_printf(out, "%s, %s: %s\n", a->answer.rows[i].column->name, a->answer.rows[i].figure->what,
                              dse_strbuf_text(&note));
        dse_strbuf_free(&note);
    }
    if (a->family->fitted_count > 0)
        dse_strbuf_add(out, "\nfitted constants (now again, to all columns); left out: fitted without the row's own column\n");
    for (size_t k = 0; k < a->family->fitted_count; k++)
        dse_strbuf_printf(out, "  %-18s %8.4g (%.4g)  %s\n", a->family->fitted[k].name, a->family->fitted[k].value,
                          a->answer.refitted[k], a->family->fitted[k].meaning);
}

static void write_tables(const struct asked *a, bool csv, struct dse_strbuf *out)
{
    struct dse_table rows = {0}, summary = {0};
    fill_rows(a, csv, &rows);
    if (csv) {
        dse_table_write_csv(&rows, out);
    } else {
        fill_summary(a, &summary);
        dse_table_write(&rows, dse_terminal_width(), out);
        dse_strbuf_add(out, "\n");
        dse_table_write(&summary, dse_terminal_width(), out);
        write_notes(a, out);
    }
    out->failed = out->failed || rows.failed || summary.failed;
    dse_table_free(&rows);
    dse_table_free(&summary);
}

/* ---- the command ---- */

static enum dse_status print(const struct asked *a, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    enum dse_status status = DSE_OK;
    if (dse_cli_format(a->cli) == DSE_FORMAT_JSON)
        status = dse_json_write(whole_json(a), &text, err);
    else
        write_tables(a, dse_cli_format(a->cli) == DSE_FORMAT_CSV, &text);
    if (status == DSE_OK)
        status = text.failed ? dse_fail_memory(err) : dse_cli_print(a->cli, dse_strbuf_text(&text), err);
    dse_strbuf_free(&text);
    return status;
}

static enum dse_status hold_threshold(const struct asked *a, struct dse_error *err)
{
    double limit = INFINITY;
    DSE_TRY(dse_cli_real(a->cli, "max-error", 0.0, 1e9, INFINITY, &limit, err));
    for (size_t i = 0; i < a->answer.summary_count; i++)
        if (a->answer.summaries[i].mean > limit)
            return dse_fail(err, DSE_ANSWER_NO, "a mean error of %.4g of %s is above --max-error %.4g",
                            a->answer.summaries[i].mean, a->answer.summaries[i].what, limit);
    return DSE_OK;
}

/* The family's columns predicted; none where it has none. */
static enum dse_status ask(const struct dse_cli *cli, struct asked *a, struct dse_error *err)
{
    *a = (struct asked){.cli = cli, .family = dse_model_find(dse_cli_family(cli))};
    DSE_TRY(a->family != NULL ? dse_columns_open(a->family->name, &a->columns, err) : DSE_OK);
    if (a->columns.column_count > 0)
        DSE_TRY(dse_columns_validate(a->family, &a->columns, dse_cli_value(cli, "calibration"), &a->answer, err));
    return DSE_OK;
}

static void forget(struct asked *a)
{
    dse_column_answer_free(&a->answer);
    dse_columns_free(&a->columns);
}

enum dse_status dse_validate_columns(const struct dse_cli *cli, bool *done, struct dse_error *err)
{
    const char *against = dse_cli_value(cli, "against");
    bool all = against == NULL || strcmp(against, "all") == 0;
    struct asked a;
    *done = false;
    if (all ? dse_cli_count(cli, "dataset") > 0 : strcmp(against, "published") != 0)
        return DSE_OK;
    DSE_TRY(ask(cli, &a, err));
    *done = a.columns.column_count > 0;
    if (*done)
        DSE_TRY(print(&a, err));
    if (*done)
        DSE_TRY(hold_threshold(&a, err));
    forget(&a);
    return DSE_OK;
}

enum dse_status dse_validate_columns_add(const struct dse_cli *cli, struct dse_validate_columns_part *part,
                                         struct dse_error *err)
{
    struct asked a;
    DSE_TRY(ask(cli, &a, err));
    if (a.columns.column_count > 0) {
        part->fitted = json_array();
        fill_json(&a, part->rows, part->summary, part->fitted);
        write_tables(&a, false, part->table);
        dse_strbuf_add(part->table, "\n");
        for (size_t i = 0; i < a.answer.summary_count; i++)
            part->worst = fmax(part->worst, a.answer.summaries[i].mean);
    }
    forget(&a);
    return DSE_OK;
}
