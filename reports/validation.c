#include "reports/validation.h"

#include "reports/schema.h"
#include "reports/junit.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "reports/fields.h"
#include "reports/json.h"

#define ROWS_NAMED 5 /* remarks on more rows than this give only their number */

/* ---- a row's dse_fields_validation, shared by all forms ---- */

/* A row, with its derived fields. */
struct row {
    struct dse_validation_row v;
    const char *family;
    json_t *below_bound;   /* if there is a lower bound */
    json_t *left_out_error; /* null beside a prediction of a withheld figure */
    double left_out_shown;  /* for people: hidden if the left-out prediction equals the prediction */
};
#define AT(member) offsetof(struct row, member)
#define PEOPLE (DSE_FIELD_OPTIONAL | DSE_FIELD_NO_CSV | DSE_FIELD_WHERE_ANY)

const struct dse_field dse_fields_validation[] = {
    DSE_FIELD("family", NULL, TEXT, AT(family), .how = DSE_FIELD_NO_CSV),
    DSE_FIELD("what", "what", TEXT, AT(v.what), .how = DSE_FIELD_OPTIONAL | DSE_FIELD_WHERE_ANY),
    DSE_FIELD("case", "case", TEXT, AT(v.where), .how = DSE_FIELD_OPTIONAL | DSE_FIELD_WHERE_ANY),
    DSE_FIELD("bottleneck", NULL, TEXT, AT(v.group), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("board", "board", TEXT, AT(v.board), .how = PEOPLE),
    DSE_FIELD("predicted", "predicted", REAL, AT(v.predicted), .format = "%.4g", .csv = "%.9g", .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("low", "low", REAL, AT(v.low), .format = "%.4g", .how = PEOPLE),
    DSE_FIELD("high", "high", REAL, AT(v.high), .format = "%.4g", .how = PEOPLE),
    DSE_FIELD("reference", "reference", REAL, AT(v.reference), .format = "%.4g", .csv = "%.9g", .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("error", "error", REAL, AT(v.error), .scale = 100.0, .format = "%+.1f %%", .csv = "%.6g", .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("standard_errors", "std errors", REAL, AT(v.deviations), .format = "%+.1f", .how = PEOPLE),
    DSE_FIELD("breaks_floor", NULL, JSON, AT(below_bound), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("breaks_floor", NULL, FLAG, AT(v.below_bound), .how = DSE_FIELD_NO_JSON),
    DSE_FIELD("source", NULL, TEXT, AT(v.source), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("as_designed", "as designed", REAL, AT(v.as_designed), .format = "%.4g", .csv = "%.9g", .how = DSE_FIELD_OPTIONAL | DSE_FIELD_WHERE_ANY),
    DSE_FIELD("error_as_designed", "error", REAL, AT(v.error_as_designed), .scale = 100.0, .format = "%+.1f %%", .how = PEOPLE),
    DSE_FIELD("level", NULL, TEXT, AT(v.level)),
    DSE_FIELD("profile", NULL, TEXT, AT(v.profile), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("board", NULL, TEXT, AT(v.board), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("config", NULL, TEXT, AT(v.config), .how = DSE_FIELD_OPTIONAL | DSE_FIELD_NO_CSV),
    DSE_FIELD("predicted_left_out", NULL, REAL, AT(v.left_out), .csv = "%.9g", .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("error_left_out", NULL, JSON, AT(left_out_error), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("error_left_out", NULL, REAL, AT(v.error_left_out), .csv = "%.6g", .how = DSE_FIELD_NO_JSON),
    DSE_FIELD("", "held-out\nerror", REAL, AT(left_out_shown), .scale = 100.0, .format = "%+.1f %%", .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("floor", NULL, REAL, AT(v.lower_bound), .how = DSE_FIELD_OPTIONAL | DSE_FIELD_NO_CSV),
    DSE_FIELD("unexplained", NULL, FLAG, AT(v.unexplained), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("contradicts_board", NULL, FLAG, AT(v.contradicts), .how = DSE_FIELD_OPTIONAL | DSE_FIELD_NO_CSV),
    DSE_FIELD("", "source", TEXT, AT(v.source), .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("note", NULL, TEXT, AT(v.note), .how = DSE_FIELD_OPTIONAL),
    {0},
};
#undef AT

static struct row make_row(const struct dse_validation *v, size_t index, bool json)
{
    const struct dse_validation_row *row = &v->rows[index];
    struct row made = {.v = *row, .family = v->family->name, .left_out_shown = NAN};
    bool own = false;
    if (json && (row->below_bound || (isfinite(row->lower_bound) && isfinite(row->reference))))
        made.below_bound = json_boolean(row->below_bound);
    if (json && isfinite(row->left_out))
        made.left_out_error = dse_json_number(row->error_left_out);
    for (size_t i = 0; i < v->count && !own; i++)
        own = v->rows[i].group == NULL && isfinite(v->rows[i].left_out) && v->rows[i].left_out != v->rows[i].predicted;
    if (own)
        made.left_out_shown = row->error_left_out;
    return made;
}

/* ---- summaries ---- */

/* Calls `add` for each summary, level by level; for drawn configurations also for the totals per bottleneck. */
typedef void (*add_summary)(void *user, const struct dse_validation_summary *summary, const char *group);

static void summaries_of(const struct dse_validation *v, const char *level, const char *group, add_summary add, void *user)
{
    size_t count = 0;
    struct dse_validation_summary *list = dse_validation_summarise(v, level, group, &count);
    for (size_t i = 0; i < (group != NULL && count > 0 ? 1 : count); i++)
        add(user, &list[i], group);
    free(list);
}

static bool has_groups(const struct dse_validation *v, const char *level)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->rows[i].level, level) == 0 && v->rows[i].group != NULL)
            return true;
    return false;
}

static void each_summary(const struct dse_validation *v, add_summary add, void *user)
{
    size_t count;
    const struct dse_validation_level *levels = dse_validation_levels(&count);
    for (size_t i = 0; i < count; i++) {
        summaries_of(v, levels[i].name, NULL, add, user);
        for (size_t e = 0; has_groups(v, levels[i].name) && e < v->family->engine_count; e++)
            summaries_of(v, levels[i].name, v->family->engines[e].name, add, user);
    }
}

static void keep_worst(void *user, const struct dse_validation_summary *summary, const char *group)
{
    struct dse_validation_summary *worst = user;
    if (group == NULL && (worst->what == NULL || summary->mean_abs_error > worst->mean_abs_error))
        *worst = *summary;
}

struct dse_validation_summary dse_validation_worst(const struct dse_validation *v)
{
    struct dse_validation_summary worst = {0};
    each_summary(v, keep_worst, &worst);
    return worst;
}

/* ---- JSON ---- */

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

void dse_validation_write_json(const struct dse_validation *v, struct dse_strbuf *out)
{
    json_t *rows = json_array(), *summary = json_array(), *fitted = json_array();
    json_t *object = json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", "nysx-dse.validate/1", "family",
                               v->family->name, "board", v->board, "rows", rows, "summary", summary);
    for (size_t i = 0; i < v->count; i++) {
        struct row row = make_row(v, i, true);
        json_array_append_new(rows, dse_fields_json(dse_fields_validation, &row));
    }
    for (size_t i = 0; i < v->constant_count; i++)
        json_array_append_new(fitted, constant_json(&v->constants[i]));
    if (v->story.told)
        put_story(&v->story, object);
    if (v->constant_count > 0)
        json_object_set(object, "fitted", fitted);
    json_decref(fitted);
    each_summary(v, add_summary_json, summary);
    add_pool_json(v, summary);
    dse_json_add(out, object);
}

void dse_validation_write_junit(const struct dse_validation *v, double limit, struct dse_strbuf *out)
{
    struct dse_junit_case *cases DSE_CLEANUP(dse_free_at) = dse_calloc(v->count + 1, sizeof *cases);
    struct dse_arena texts DSE_CLEANUP(dse_arena_free) = {0};
    struct dse_validation_summary worst = dse_validation_worst(v);
    static const char *const words[] = {"predicted", "reference", "lower bound"};
    char text[256];
    for (size_t i = 0; i < v->count; i++) {
        const struct dse_validation_row *row = &v->rows[i];
        snprintf(text, sizeof text, "%s%s%s", row->what != NULL ? row->what : "", row->where != NULL ? ", " : "", row->where != NULL ? row->where : "");
        cases[i] = (struct dse_junit_case){.name = dse_arena_strdup(&texts, text), .group = row->level, .seconds = NAN};
        const double figures[] = {row->predicted, row->reference, row->lower_bound};
        int used = 0;
        for (size_t f = 0; f < 3; f++) /* those that exist */
            if (isfinite(figures[f]))
                used += snprintf(text + used, sizeof text - (size_t)used, "%s%s %.6g", used > 0 ? ", " : "", words[f], figures[f]);
        if (row->below_bound || row->contradicts)
            cases[i].failure = dse_arena_strdup(&texts, text);
        else
            cases[i].output = dse_arena_strdup(&texts, text);
    }
    snprintf(text, sizeof text, "a mean error of %.4g of %s", worst.mean_abs_error, worst.what != NULL ? worst.what : "nothing");
    cases[v->count] = (struct dse_junit_case){.name = "mean error", .group = v->family->name, .seconds = NAN};
    if (worst.what != NULL && worst.mean_abs_error > limit)
        cases[v->count].failure = text;
    else
        cases[v->count].output = text;
    dse_junit_write("validate", cases, v->count + 1, out);
}

void dse_validation_write_csv(const struct dse_validation *v, struct dse_strbuf *out)
{
    dse_fields_csv(dse_fields_validation, NULL, 0, 0, out);
    for (size_t i = 0; i < v->count; i++) {
        struct row row = make_row(v, i, false);
        dse_fields_values(dse_fields_validation, &row, out);
        dse_strbuf_add(out, "\n");
    }
}

/* ---- tables ---- */

/* Rows of drawn configurations appear only in their summary. */
static bool is_shown(const struct dse_validation_row *row)
{
    return row->group == NULL;
}

static void write_rows(const struct dse_validation *v, size_t width, struct dse_strbuf *out)
{
    struct row *rows DSE_CLEANUP(dse_free_at) = dse_calloc(v->count, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < v->count; i++)
        if (is_shown(&v->rows[i]))
            rows[count++] = make_row(v, i, false);
    dse_fields_write(dse_fields_validation, rows, count, sizeof *rows, width, out);
}

/* A remark on a row; NULL for none. */
static const char *remark(const struct dse_validation_row *row, int which)
{
    static const char below_bound_note[] = "published latency below the bound of the stated bandwidth";
    if (!is_shown(row))
        return NULL;
    return which == 0 ? row->note : row->below_bound ? below_bound_note : NULL;
}

static bool same_remark(const struct dse_validation *v, size_t a, size_t b, int which)
{
    const char *x = remark(&v->rows[a], which), *y = remark(&v->rows[b], which);
    return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* Writes a remark with all of its rows, at the first of them. */
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
        dse_strbuf_add(out, "\nconstants fitted to all cases, in this run (held-out error: fitted without the row's own case)\n");
    for (size_t k = 0; k < v->constant_count; k++) {
        const struct dse_validation_constant *c = &v->constants[k];
        dse_strbuf_printf(out, "  %-18s %8.4g (%.4g)  %s\n", c->name, c->value, c->refitted, c->meaning);
        if (c->alone != NULL)
            dse_strbuf_printf(out, "  %-18s only %s determines it (%.4g): it describes that row only and predicts no other\n",
                              "", c->alone, c->of_that_row);
    }
}

static void write_fit(const struct dse_published_story *story, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "\nconstants of the predictions, %s:\n",
                      story->refitted ? "each set's fitted to the other sets" : "as stored, fitted to the published sets");
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
        dse_table_text(&table, story->parts[i].block);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            dse_table_cell(&table, "%lld", (long long)story->parts[i].resources[r]);
    }
    dse_table_finish(&table, width, out);
}

/* A line of the summary; `group` is NULL for all bottlenecks. */
struct line {
    struct dse_validation_summary s;
    const char *group;
};

struct lines {
    struct line *at;
    size_t count;
};

#define PER_CENT .scale = 100.0, .format = "%.2f %%", .how = DSE_FIELD_WHERE_ANY
#define AT(member) offsetof(struct line, member)
static const struct dse_field summary_fields[] = {
    DSE_FIELD("", "against", TEXT, AT(s.level)),
    DSE_FIELD("", "quantity", TEXT, AT(s.what)),
    DSE_FIELD("", "bottleneck", TEXT, AT(group), .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("", "n", COUNT, AT(s.n)),
    DSE_FIELD("", "tau", REAL, AT(s.tau), .format = "%.3f", .how = DSE_FIELD_WHERE_ANY), /* none of a pool of quantities, or of one row */
    DSE_FIELD("", "mean\nerror", REAL, AT(s.mean_abs_error), PER_CENT),
    DSE_FIELD("", "worst\nerror", REAL, AT(s.max_abs_error), PER_CENT),
    DSE_FIELD("", "held out,\nmean", REAL, AT(s.mean_abs_error_left_out), PER_CENT),
    DSE_FIELD("", "held out,\nworst", REAL, AT(s.max_abs_error_left_out), PER_CENT),
    DSE_FIELD("", "as designed,\nmean", REAL, AT(s.mean_abs_error_designed), PER_CENT),
    {0},
};
#undef AT

static void add_line(void *user, const struct dse_validation_summary *s, const char *group)
{
    struct lines *lines = user;
    lines->at = dse_realloc(lines->at, (lines->count + 1) * sizeof *lines->at);
    lines->at[lines->count++] = (struct line){*s, group};
}

static void write_summary(const struct dse_validation *v, size_t width, struct dse_strbuf *out)
{
    struct lines lines = {0};
    struct dse_validation_pool pool;
    bool designed = false;
    each_summary(v, add_line, &lines);
    if (dse_validation_pooled(v, &pool))
        add_line(&lines, &(struct dse_validation_summary){
            .level = "published", .what = pool.what, .n = pool.n, .tau = NAN, .mean_abs_error = pool.mean_abs_error,
            .max_abs_error = pool.max_abs_error, .mean_abs_error_left_out = NAN, .max_abs_error_left_out = NAN,
            .mean_abs_error_designed = pool.mean_abs_error_designed}, NULL);
    dse_strbuf_add(out, lines.count > 0 ? "\n" : "\nno row has a reference: nothing to compare\n");
    if (lines.count == 0)
        return;
    dse_fields_write(summary_fields, lines.at, lines.count, sizeof *lines.at, width, out);
    for (size_t i = 0; i < lines.count; i++)
        designed |= isfinite(lines.at[i].s.mean_abs_error_designed);
    dse_strbuf_add(out, designed ? "\nas designed: predicted without a fitted constant\n" : "");
    free(lines.at);
}

static bool shows_rows(const struct dse_validation *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (is_shown(&v->rows[i]))
            return true;
    return false;
}

void dse_validation_write(const struct dse_validation *v, size_t width, struct dse_strbuf *out)
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
    write_summary(v, width, out);
}
