#include "dse/published_forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/workbench.h"
#include "reports/table.h"

#define SETS_MAX 64
#define SEEDS 20

/* ---- the data sets ---- */

struct sets {
    struct dse_dataset *items[SETS_MAX];
    size_t count;
};

static enum dse_status open_set(const struct dse_cli *cli, const char *name, struct sets *sets, struct dse_error *err)
{
    if (sets->count == SETS_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "more than %d data sets", SETS_MAX);
    struct dse_dataset *data = NULL;
    enum dse_status status = dse_dataset_open(name, dse_cli_value(cli, "data-dir"), &data, err);
    for (size_t i = 0; status == DSE_OK && i < sets->count; i++)
        if (strcmp(sets->items[i]->name, data->name) == 0) { /* named twice: once is enough */
            dse_dataset_free(data);
            return DSE_OK;
        }
    if (status == DSE_OK)
        sets->items[sets->count++] = data;
    return status;
}

static enum dse_status open_list(const struct dse_cli *cli, const char *names, struct sets *sets, struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    char *copy = strdup(names), *rest = NULL;
    if (copy == NULL)
        return dse_fail_memory(err);
    for (char *name = strtok_r(copy, ",", &rest); name != NULL && status == DSE_OK; name = strtok_r(NULL, ",", &rest))
        status = open_set(cli, name, sets, err);
    free(copy);
    return status;
}

static enum dse_status open_published(const struct dse_cli *cli, const struct dse_validation_data *figures,
                                      struct sets *sets, struct dse_error *err)
{
    for (size_t i = 0; i < figures->set_count; i++)
        if (isfinite(dse_published_value(figures, "latency_s", figures->sets[i].dataset, "", "")))
            DSE_TRY(open_set(cli, figures->sets[i].dataset, sets, err));
    return DSE_OK;
}

enum dse_status dse_published_run(const struct dse_cli *cli, const struct dse_validation_ground *ground,
                                  struct dse_validation *out, struct dse_published_story *story, struct dse_error *err)
{
    struct sets sets = {.count = 0};
    enum dse_status status = DSE_OK;
    size_t named = dse_cli_count(cli, "dataset"), predicted = dse_cli_count(cli, "predict");
    for (size_t i = 0; i < named && status == DSE_OK; i++)
        status = open_set(cli, dse_cli_value_at(cli, "dataset", i), &sets, err);
    for (size_t i = 0; i < predicted && status == DSE_OK; i++)
        status = open_list(cli, dse_cli_value_at(cli, "predict", i), &sets, err);
    if (named == 0 && predicted == 0)
        status = open_published(cli, ground->figures, &sets, err);
    if (status == DSE_OK)
        status = dse_validate_published(ground, (const struct dse_dataset *const *)sets.items, sets.count, SEEDS, out, story,
                                        err);
    for (size_t i = 0; i < sets.count; i++)
        dse_dataset_free(sets.items[i]);
    return status;
}

/* ---- JSON ---- */

static void put_real(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

static double error_of(double value, double reference)
{
    return reference != 0.0 ? (value - reference) / reference : NAN;
}

void dse_published_row_json(const struct dse_validation_row *row, json_t *object)
{
    put_real(object, "low", row->low);
    put_real(object, "high", row->high);
    put_real(object, "as_designed", row->as_designed);
    put_real(object, "error_as_designed", error_of(row->as_designed, row->reference));
    if (row->note != NULL)
        json_object_set_new(object, "note", json_string(row->note));
    put_real(object, "floor", row->floor);
    if (isfinite(row->floor) && isfinite(row->reference))
        json_object_set_new(object, "breaks_floor", json_boolean(row->reference < row->floor));
}

struct pool {
    double sum, worst, designed, kept;
    size_t n, kept_n;
};

static bool is_pooled(const struct dse_validation_row *row)
{
    static const char *const whats[] = {"latency_s", "power_w", "energy_j"};
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++)
        if (strcmp(row->what, whats[i]) == 0)
            return isfinite(row->error);
    return false;
}

json_t *dse_published_pooled_json(const struct dse_validation *rows)
{
    struct pool pool = {0};
    for (size_t i = 0; i < rows->count; i++) {
        const struct dse_validation_row *row = &rows->rows[i];
        if (!is_pooled(row))
            continue;
        pool.n++;
        pool.sum += fabs(row->error);
        pool.worst = fmax(pool.worst, fabs(row->error));
        pool.designed += fabs(error_of(row->as_designed, row->reference));
        if (isfinite(row->floor) && row->reference < row->floor)
            continue;
        pool.kept_n++;
        pool.kept += fabs(row->error);
    }
    if (pool.n == 0 || pool.kept_n == 0)
        return NULL;
    double n = (double)pool.n;
    return json_pack("{s:s, s:s, s:f, s:f, s:I, s:n, s:f, s:f}", "what", "tables 6 and 7", "against", "published",
                     "mean_abs_error", pool.sum / n, "max_abs_error", pool.worst, "n", (json_int_t)pool.n, "tau",
                     "mean_abs_error_as_designed", pool.designed / n, "mean_abs_error_above_floor",
                     pool.kept / (double)pool.kept_n);
}

static json_t *fit_json(const struct dse_published_fit *fit)
{
    return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "without", fit->without, "seconds", fit->seconds, "seconds_low",
                     fit->seconds_low, "seconds_high", fit->seconds_high, "activity", fit->activity, "activity_low",
                     fit->activity_low, "activity_high", fit->activity_high);
}

void dse_published_story_json(const struct dse_validation_data *figures, const struct dse_published_story *story,
                              json_t *object)
{
    json_t *fit = json_pack("{s:s, s:s, s:s, s:b, s:f, s:f, s:f, s:f, s:f, s:f}", "quantity", figures->quantity,
                            "seconds_means", figures->seconds_means, "activity_means", figures->activity_means, "refitted",
                            story->refitted, "seconds", story->fit.seconds, "seconds_low", story->fit.seconds_low,
                            "seconds_high", story->fit.seconds_high, "activity", story->fit.activity, "activity_low",
                            story->fit.activity_low, "activity_high", story->fit.activity_high);
    json_t *left_out = json_array(), *parts = json_array();
    for (size_t i = 0; i < story->left_out_count; i++)
        json_array_append_new(left_out, fit_json(&story->left_out[i]));
    json_object_set_new(fit, "left_out", left_out);
    json_object_set_new(object, "fit", fit);
    for (size_t i = 0; i < story->part_count; i++) {
        json_t *part = json_pack("{s:s}", "block", story->parts[i].block);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            json_object_set_new(part, dse_resource_names[r], json_integer(story->parts[i].resources[r]));
        json_array_append_new(parts, part);
    }
    json_object_set_new(object, "design", parts);
}

/* ---- a table ---- */

static void cell(struct dse_table *table, double value)
{
    if (isfinite(value))
        dse_table_cell(table, "%.4g", value);
    else
        dse_table_cell(table, "-");
}

static void cell_error(struct dse_table *table, double error)
{
    if (isfinite(error))
        dse_table_cell(table, "%+.1f %%", 100.0 * error);
    else
        dse_table_cell(table, "-");
}

static void write_row(const struct dse_validation_row *row, struct dse_table *table)
{
    dse_table_cell(table, "%s", row->what);
    dse_table_cell(table, "%s", row->where);
    cell(table, row->predicted);
    cell(table, row->low);
    cell(table, row->high);
    cell(table, row->reference);
    cell_error(table, row->error);
    cell(table, row->as_designed);
    cell_error(table, error_of(row->as_designed, row->reference));
    bool broken = isfinite(row->floor) && row->reference < row->floor;
    dse_table_cell(table, "%s%s%s%s", row->source, row->note != NULL ? "; " : "", row->note != NULL ? row->note : "",
                   broken ? "; published below what the stated bandwidth allows" : "");
}

static void write_constants(const struct dse_validation_data *figures, const struct dse_published_story *story,
                            struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "\nconstants of the predictions, %s:\n",
                      story->refitted ? "each set's from a fit on the others" : "as stored, fitted on the published sets");
    dse_strbuf_printf(out, "  %.4g s (single rows %.3g to %.3g): %s\n", story->fit.seconds, story->fit.seconds_low,
                      story->fit.seconds_high, figures->seconds_means);
    dse_strbuf_printf(out, "  %.4g (single rows %.3g to %.3g): %s\n", story->fit.activity, story->fit.activity_low,
                      story->fit.activity_high, figures->activity_means);
    for (size_t i = 0; i < story->left_out_count; i++)
        dse_strbuf_printf(out, "  without %s: %.4g s, %.4g\n", story->left_out[i].without, story->left_out[i].seconds,
                          story->left_out[i].activity);
}

static void write_parts(const struct dse_published_story *story, size_t width, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    if (story->part_count == 0)
        return;
    dse_strbuf_add(out, "\nthe one design for all sets, block by block:\n");
    dse_table_column(&table, "block", false);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_table_column(&table, dse_resource_names[r], true);
    for (size_t i = 0; i < story->part_count; i++) {
        dse_table_cell(&table, "%s", story->parts[i].block);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            dse_table_cell(&table, "%lld", (long long)story->parts[i].resources[r]);
    }
    out->failed |= table.failed;
    dse_table_write(&table, width, out);
    dse_table_free(&table);
}

void dse_validation_rows_write(const struct dse_validation *rows, struct dse_strbuf *out)
{
    static const char *const headings[] = {"predicted", "low", "high", "published", "error", "as designed", "error"};
    struct dse_table table = {0};
    if (rows->count == 0)
        return;
    dse_table_column(&table, "what", false);
    dse_table_column(&table, "case", false);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        dse_table_column(&table, headings[i], true);
    dse_table_column(&table, "source", false);
    for (size_t i = 0; i < rows->count; i++)
        write_row(&rows->rows[i], &table);
    out->failed |= table.failed;
    dse_table_write(&table, 0, out);
    dse_table_free(&table);
}

void dse_published_write(const struct dse_validation_data *figures, const struct dse_validation *rows,
                         const struct dse_published_story *story, size_t width, struct dse_strbuf *out)
{
    if (rows->count == 0)
        return;
    dse_validation_rows_write(rows, out);
    write_constants(figures, story, out);
    write_parts(story, width, out);
}
