#include "reports/validation.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "reports/json.h"
#include "reports/table.h"

#define ROWS_NAMED 5 /* a remark on more rows than these says how many */

/* ---- a row's fields, once for all forms ---- */

enum kind { TEXT, NUMBER, SHARE, FLAG };

struct field {
    const char *key;     /* in JSON and CSV */
    const char *heading; /* in tables; NULL: not there */
    enum kind kind;
    size_t at;           /* in the row */
    bool always;         /* in JSON null where it is not known; the others are left out */
    bool csv;
};

#define AT(member) offsetof(struct dse_validation_row, member)

static const struct field fields[] = {
    {"what", "what", TEXT, AT(what), true, true},
    {"case", "case", TEXT, AT(where), true, true},
    {"bottleneck", NULL, TEXT, AT(group), false, true},
    {"board", "board", TEXT, AT(board), false, false},
    {"predicted", "predicted", NUMBER, AT(predicted), true, true},
    {"low", "low", NUMBER, AT(low), false, false},
    {"high", "high", NUMBER, AT(high), false, false},
    {"reference", "reference", NUMBER, AT(reference), true, true},
    {"error", "error", SHARE, AT(error), true, true},
    {"breaks_floor", NULL, FLAG, AT(breaks_floor), false, true},
    {"source", NULL, TEXT, AT(source), true, true},
    {"as_designed", "as designed", NUMBER, AT(as_designed), false, true},
    {"error_as_designed", "error", SHARE, AT(error_as_designed), false, false},
    {"level", NULL, TEXT, AT(level), true, true},
    {"profile", NULL, TEXT, AT(profile), false, true},
    {"board", NULL, TEXT, AT(board), false, true},
    {"config", NULL, TEXT, AT(config), false, false},
    {"predicted_left_out", NULL, NUMBER, AT(left_out), false, true},
    {"error_left_out", "left out", SHARE, AT(error_left_out), false, true},
    {"floor", NULL, NUMBER, AT(floor), false, false},
    {"unexplained", NULL, FLAG, AT(unexplained), false, true},
    {"contradicts_board", NULL, FLAG, AT(contradicts), false, false},
    {"source", "source", TEXT, AT(source), true, false},
    {"note", NULL, TEXT, AT(note), false, true},
};
#define FIELDS (sizeof fields / sizeof *fields)

static const char *text_at(const struct field *field, const struct dse_validation_row *row)
{
    return *(const char *const *)((const char *)row + field->at);
}

static double number_at(const struct field *field, const struct dse_validation_row *row)
{
    return *(const double *)((const char *)row + field->at);
}

static bool flag_at(const struct field *field, const struct dse_validation_row *row)
{
    return *(const bool *)((const char *)row + field->at);
}

/* Whether a row has something to say in a field. */
static bool says(const struct field *field, const struct dse_validation_row *row)
{
    if (field->kind == FLAG)
        return flag_at(field, row) || (field->at == AT(breaks_floor) && isfinite(row->floor) && isfinite(row->reference));
    if (field->at == AT(error_left_out)) /* null beside a prediction of what is withheld */
        return isfinite(row->left_out);
    return field->kind == TEXT ? text_at(field, row) != NULL : isfinite(number_at(field, row));
}

/* ---- summaries ---- */

/* Calls `add` with each summary, level by level; of drawn configurations also the totals within each bottleneck's group. */
typedef void (*add_summary)(void *user, const struct dse_validation_summary *summary, const char *group);

static enum dse_status summaries_of(const struct dse_validation *v, const char *level, const char *group, add_summary add,
                                    void *user, struct dse_error *err)
{
    struct dse_validation_summary *list = NULL;
    size_t count = 0;
    DSE_TRY(dse_validation_summarise(v, level, group, &list, &count, err));
    for (size_t i = 0; i < (group != NULL && count > 0 ? 1 : count); i++)
        add(user, &list[i], group);
    free(list);
    return DSE_OK;
}

static bool has_groups(const struct dse_validation *v, const char *level)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->rows[i].level, level) == 0 && v->rows[i].group != NULL)
            return true;
    return false;
}

static enum dse_status each_summary(const struct dse_validation *v, add_summary add, void *user, struct dse_error *err)
{
    size_t count;
    const struct dse_validation_level *levels = dse_validation_levels(&count);
    for (size_t i = 0; i < count; i++) {
        DSE_TRY(summaries_of(v, levels[i].name, NULL, add, user, err));
        for (size_t e = 0; has_groups(v, levels[i].name) && e < v->family->engine_count; e++)
            DSE_TRY(summaries_of(v, levels[i].name, v->family->engines[e].name, add, user, err));
    }
    return DSE_OK;
}

static void keep_worst(void *user, const struct dse_validation_summary *summary, const char *group)
{
    struct dse_validation_summary *worst = user;
    if (group == NULL && (worst->what == NULL || summary->mean_abs_error > worst->mean_abs_error))
        *worst = *summary;
}

enum dse_status dse_validation_worst(const struct dse_validation *v, struct dse_validation_summary *out,
                                     struct dse_error *err)
{
    *out = (struct dse_validation_summary){0};
    return each_summary(v, keep_worst, out, err);
}

/* ---- JSON ---- */

static json_t *row_json(const struct dse_validation *v, const struct dse_validation_row *row)
{
    json_t *object = json_pack("{s:s}", "family", v->family->name);
    for (size_t i = 0; i < FIELDS; i++) {
        const struct field *field = &fields[i];
        if (!field->always && !says(field, row))
            continue;
        if (field->kind == FLAG)
            json_object_set_new(object, field->key, json_boolean(flag_at(field, row)));
        else if (field->kind == TEXT)
            dse_json_put_text(object, field->key, text_at(field, row));
        else
            json_object_set_new(object, field->key, dse_json_number(number_at(field, row)));
    }
    return object;
}

static void add_summary_json(void *user, const struct dse_validation_summary *s, const char *group)
{
    json_t *object = json_pack("{s:s, s:s, s:f, s:f, s:I, s:o}", "what", s->what, "against", s->level, "mean_abs_error",
                               s->mean_abs_error, "max_abs_error", s->max_abs_error, "n", (json_int_t)s->n, "tau",
                               dse_json_number(s->tau));
    dse_json_put_number(object, "mean_abs_error_as_designed", s->mean_abs_error_designed);
    dse_json_put_number(object, "mean_abs_error_left_out", s->mean_abs_error_left_out);
    dse_json_put_number(object, "max_abs_error_left_out", s->max_abs_error_left_out);
    if (s->unexplained > 0)
        json_object_set_new(object, "unexplained", json_integer((json_int_t)s->unexplained));
    dse_json_put_text(object, "bottleneck", group);
    json_array_append_new(user, object);
}

static void add_pool_json(const struct dse_validation *v, json_t *array)
{
    struct dse_validation_pool pool;
    if (!dse_validation_pooled(v, &pool))
        return;
    json_t *object = json_pack("{s:s, s:s, s:f, s:f, s:I, s:n, s:f}", "what", pool.what, "against", "published",
                               "mean_abs_error", pool.mean_abs_error, "max_abs_error", pool.max_abs_error, "n",
                               (json_int_t)pool.n, "tau", "mean_abs_error_as_designed", pool.mean_abs_error_designed);
    dse_json_put_number(object, "mean_abs_error_above_floor", pool.mean_abs_error_above_floor);
    json_array_append_new(array, object);
}

static json_t *fit_json(const struct dse_published_fit *fit)
{
    return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "without", fit->without, "seconds", fit->seconds, "seconds_low",
                     fit->seconds_low, "seconds_high", fit->seconds_high, "activity", fit->activity, "activity_low",
                     fit->activity_low, "activity_high", fit->activity_high);
}

static void put_story(const struct dse_published_story *story, json_t *object)
{
    json_t *fit = fit_json(&story->fit), *left_out = json_array(), *parts = json_array();
    if (fit == NULL)
        return;
    json_object_del(fit, "without");
    dse_json_put_text(fit, "quantity", story->quantity);
    dse_json_put_text(fit, "seconds_means", story->seconds_means);
    dse_json_put_text(fit, "activity_means", story->activity_means);
    json_object_set_new(fit, "refitted", json_boolean(story->refitted));
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

static json_t *constant_json(const struct dse_validation_constant *constant)
{
    json_t *object = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "name", constant->name, "meaning", constant->meaning, "value",
                               constant->value, "low", constant->low, "high", constant->high, "refitted", constant->refitted);
    dse_json_put_text(object, "explains_alone", constant->alone);
    dse_json_put_number(object, "of_that_row", constant->of_that_row);
    return object;
}

enum dse_status dse_validation_write_json(const struct dse_validation *v, struct dse_strbuf *out, struct dse_error *err)
{
    json_t *rows = json_array(), *summary = json_array(), *fitted = json_array();
    for (size_t i = 0; i < v->count; i++)
        json_array_append_new(rows, row_json(v, &v->rows[i]));
    for (size_t i = 0; i < v->constant_count; i++)
        json_array_append_new(fitted, constant_json(&v->constants[i]));
    enum dse_status status = each_summary(v, add_summary_json, summary, err);
    add_pool_json(v, summary);
    json_t *object = json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", "nysx-dse.validate/1", "family", v->family->name,
                               "board", v->board, "rows", rows, "summary", summary);
    if (object != NULL && v->story.told)
        put_story(&v->story, object);
    if (object != NULL && v->constant_count > 0)
        json_object_set(object, "fitted", fitted);
    json_decref(fitted);
    if (status == DSE_OK)
        dse_json_add(out, json_incref(object));
    json_decref(object);
    return status;
}

/* ---- CSV ---- */

void dse_validation_write_csv(const struct dse_validation *v, struct dse_strbuf *out)
{
    const char *between = "";
    for (size_t k = 0; k < FIELDS; k++) {
        if (fields[k].csv)
            dse_strbuf_printf(out, "%s%s", between, fields[k].key);
        between = fields[k].csv ? "," : between;
    }
    dse_strbuf_add(out, "\n");
    for (size_t i = 0; i < v->count; i++) {
        between = "";
        for (size_t k = 0; k < FIELDS; k++) {
            const struct field *field = &fields[k];
            if (!field->csv)
                continue;
            dse_strbuf_add(out, between);
            between = ",";
            if (field->kind == FLAG)
                dse_strbuf_add(out, flag_at(field, &v->rows[i]) ? "yes" : "no");
            else if (field->kind == TEXT)
                dse_csv_field(out, says(field, &v->rows[i]) ? text_at(field, &v->rows[i]) : "");
            else if (isfinite(number_at(field, &v->rows[i])))
                dse_strbuf_printf(out, "%.*g", field->kind == SHARE ? 6 : 9, number_at(field, &v->rows[i]));
        }
        dse_strbuf_add(out, "\n");
    }
}

/* ---- tables ---- */

static void cell_number(struct dse_table *table, double value)
{
    if (!isfinite(value))
        dse_table_cell(table, "-");
    else
        dse_table_cell(table, fabs(value) >= 1000.0 ? "%.0f" : "%.4g", value);
}

/* An error with its sign; and of many, without. */
static void cell_error(struct dse_table *table, double value)
{
    if (isfinite(value))
        dse_table_cell(table, "%+.1f %%", 100.0 * value);
    else
        dse_table_cell(table, "-");
}

static void cell_mean(struct dse_table *table, double value)
{
    if (isfinite(value))
        dse_table_cell(table, "%.2f %%", 100.0 * value);
    else
        dse_table_cell(table, "-");
}

/* Rows of drawn configurations are for their summary. */
static bool is_shown(const struct dse_validation_row *row)
{
    return row->group == NULL;
}

/* A column that says something, and something of its own: left-out predictions that are the predictions do not. */
static bool is_column(const struct dse_validation *v, const struct field *field)
{
    for (size_t i = 0; field->heading != NULL && i < v->count; i++) {
        const struct dse_validation_row *row = &v->rows[i];
        if (is_shown(row) && says(field, row) && (field->at != AT(error_left_out) || row->left_out != row->predicted))
            return true;
    }
    return false;
}

static void write_rows(const struct dse_validation *v, size_t width, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    bool column[FIELDS];
    for (size_t k = 0; k < FIELDS; k++)
        if ((column[k] = is_column(v, &fields[k])))
            dse_table_column(&table, fields[k].heading, fields[k].kind != TEXT);
    for (size_t i = 0; i < v->count; i++)
        for (size_t k = 0; k < FIELDS && is_shown(&v->rows[i]); k++) {
            if (!column[k])
                continue;
            if (fields[k].kind == TEXT)
                dse_table_cell(&table, "%s", says(&fields[k], &v->rows[i]) ? text_at(&fields[k], &v->rows[i]) : "-");
            else if (fields[k].kind == SHARE)
                cell_error(&table, number_at(&fields[k], &v->rows[i]));
            else
                cell_number(&table, number_at(&fields[k], &v->rows[i]));
        }
    dse_table_finish(&table, width, out);
}

/* What must be known of a row; NULL for nothing. */
static const char *remark(const struct dse_validation_row *row, int which)
{
    static const char floor_broken[] = "published below what the stated bandwidth allows";
    if (!is_shown(row))
        return NULL;
    return which == 0 ? row->note : row->breaks_floor ? floor_broken : NULL;
}

static bool same_remark(const struct dse_validation *v, size_t a, size_t b, int which)
{
    const char *x = remark(&v->rows[a], which), *y = remark(&v->rows[b], which);
    return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* One remark with the rows that it is of, at the first of them. */
static void write_remark(const struct dse_validation *v, size_t first, int which, struct dse_strbuf *out)
{
    size_t count = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (!same_remark(v, first, i, which))
            continue;
        if (i < first)
            return;
        count++;
    }
    if (count > ROWS_NAMED)
        dse_strbuf_printf(out, "%zu rows", count);
    const char *between = "";
    for (size_t i = first; i < v->count && count <= ROWS_NAMED; i++) {
        if (!same_remark(v, first, i, which))
            continue;
        dse_strbuf_printf(out, "%s%s, %s", between, v->rows[i].where, v->rows[i].what);
        between = "; ";
    }
    dse_strbuf_printf(out, ": %s\n", remark(&v->rows[first], which));
}

static void write_remarks(const struct dse_validation *v, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "\n");
    for (size_t i = 0; i < v->count; i++)
        for (int which = 0; which < 2; which++)
            if (remark(&v->rows[i], which) != NULL)
                write_remark(v, i, which, out);
}

static void write_constants(const struct dse_validation *v, struct dse_strbuf *out)
{
    if (v->constant_count > 0)
        dse_strbuf_add(out, "\nfitted constants (now again, to all cases); left out: fitted without the row's own case\n");
    for (size_t k = 0; k < v->constant_count; k++) {
        const struct dse_validation_constant *c = &v->constants[k];
        dse_strbuf_printf(out, "  %-18s %8.4g (%.4g)  %s\n", c->name, c->value, c->refitted, c->meaning);
        if (c->alone != NULL)
            dse_strbuf_printf(out, "  %-18s only %s could be fitted by it (%.4g): it explains that row alone and predicts no other\n",
                              "", c->alone, c->of_that_row);
    }
}

static void write_fit(const struct dse_published_story *story, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "\nconstants of the predictions, %s:\n",
                      story->refitted ? "each set's from a fit on the others" : "as stored, fitted on the published sets");
    dse_strbuf_printf(out, "  %.4g s (single rows %.3g to %.3g): %s\n", story->fit.seconds, story->fit.seconds_low,
                      story->fit.seconds_high, story->seconds_means);
    dse_strbuf_printf(out, "  %.4g (single rows %.3g to %.3g): %s\n", story->fit.activity, story->fit.activity_low,
                      story->fit.activity_high, story->activity_means);
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
    dse_table_finish(&table, width, out);
}

static void summary_row(struct dse_table *table, const struct dse_validation_summary *s, const char *group)
{
    dse_table_cell(table, "%s", s->level);
    dse_table_cell(table, "%s", s->what);
    dse_table_cell(table, "%s", group != NULL ? group : "-");
    cell_mean(table, s->mean_abs_error);
    cell_mean(table, s->max_abs_error);
    cell_mean(table, s->mean_abs_error_left_out);
    cell_mean(table, s->max_abs_error_left_out);
    if (isfinite(s->tau))
        dse_table_cell(table, "%.3f", s->tau);
    else /* of a pool of different quantities, or of one row */
        dse_table_cell(table, "-");
    dse_table_cell(table, "%zu", s->n);
    cell_mean(table, s->mean_abs_error_designed);
}

static void add_summary_row(void *user, const struct dse_validation_summary *s, const char *group)
{
    summary_row(user, s, group);
}

static enum dse_status write_summary(const struct dse_validation *v, size_t width, struct dse_strbuf *out,
                                     struct dse_error *err)
{
    static const char *const headings[] = {"against", "what", "bottleneck", "mean error", "worst", "left out, mean",
                                           "worst",   "tau",  "n",          "as designed"};
    struct dse_table table = {0};
    struct dse_validation_pool pool;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        dse_table_column(&table, headings[i], i > 2);
    enum dse_status status = each_summary(v, add_summary_row, &table, err);
    if (dse_validation_pooled(v, &pool)) {
        struct dse_validation_summary whole = {.level = "published", .what = pool.what, .n = pool.n, .tau = NAN,
                                               .mean_abs_error = pool.mean_abs_error, .max_abs_error = pool.max_abs_error,
                                               .mean_abs_error_left_out = NAN, .max_abs_error_left_out = NAN,
                                               .mean_abs_error_designed = pool.mean_abs_error_designed};
        summary_row(&table, &whole, NULL);
    }
    dse_strbuf_add(out, "\n");
    dse_table_finish(&table, width, out);
    return status;
}

static bool shows_rows(const struct dse_validation *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (is_shown(&v->rows[i]))
            return true;
    return false;
}

enum dse_status dse_validation_write(const struct dse_validation *v, size_t width, struct dse_strbuf *out,
                                     struct dse_error *err)
{
    if (shows_rows(v)) {
        write_rows(v, width, out);
        write_remarks(v, out);
    }
    write_constants(v, out);
    if (v->story.told) {
        write_fit(&v->story, out);
        write_parts(&v->story, width, out);
    }
    return write_summary(v, width, out, err);
}
