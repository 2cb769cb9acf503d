#include "reports/validation.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "reports/schema.h"
#include "reports/fields.h"
#include "reports/json.h"

#define AT(member) offsetof(struct dse_validation_row, member)
const struct dse_field dse_fields_paper[] = {
    DSE_FIELD("table", NULL, TEXT, AT(table), .how = DSE_FIELD_NO_JSON),
    DSE_FIELD("what", "what", TEXT, AT(what)),
    DSE_FIELD("case", "case", TEXT, AT(where)),
    DSE_FIELD("board", "board", TEXT, AT(board), .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("predicted", "predicted", REAL, AT(predicted), .format = "%.4g", .csv = "%.9g"),
    DSE_FIELD("published", "published", REAL, AT(reference), .format = "%.4g", .csv = "%.9g"),
    DSE_FIELD("error", "error", REAL, AT(error), .scale = 100.0, .format = "%+.1f %%", .csv = "%.6g"),
    DSE_FIELD("error_left_out", "held-out\nerror", REAL, AT(error_left_out), .scale = 100.0, .format = "%+.1f %%", .csv = "%.6g", .how = DSE_FIELD_WHERE_ANY),
    DSE_FIELD("by", "by", TEXT, AT(by)),
    DSE_FIELD("source", NULL, TEXT, AT(source)),
    DSE_FIELD("config", NULL, TEXT, AT(config)),
    DSE_FIELD("not_predicted", NULL, FLAG, AT(unpredicted)),
    DSE_FIELD("other", NULL, FLAG, AT(other)),
    DSE_FIELD("note", NULL, TEXT, AT(note)),
    {0},
};
#undef AT

static int by_place(const void *a, const void *b)
{
    const struct dse_validation_row *x = *(const struct dse_validation_row *const *)a, *y = *(const struct dse_validation_row *const *)b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x > y) - (x < y); /* stable: in original order */
}

/* Rows of one table, in the file's order; release the list with free(). */
static struct dse_validation_row *rows_of(const struct dse_validation *v, const char *number, size_t *count)
{
    const struct dse_validation_row **list DSE_CLEANUP(dse_free_at) = dse_calloc(v->count + 1, sizeof *list);
    struct dse_validation_row *rows = dse_calloc(v->count + 1, sizeof *rows);
    *count = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->rows[i].table != NULL && strcmp(v->rows[i].table, number) == 0)
            list[(*count)++] = &v->rows[i];
    qsort(list, *count, sizeof *list, by_place);
    for (size_t i = 0; i < *count; i++)
        rows[i] = *list[i];
    return rows;
}

/* ---- errors by predictor ---- */

/* With constants fitted without the row's case, if the row uses any. */
static double error_of(const struct dse_validation_row *row)
{
    return isfinite(row->error_left_out) ? row->error_left_out : row->error;
}

struct line {
    const char *by;
    double mean, worst;
    int64_t n;
};

const struct dse_field dse_fields_paper_summary[] = {
    DSE_FIELD("by", "predicted by", TEXT, offsetof(struct line, by)),
    DSE_FIELD("mean_abs_error", "mean error", REAL, offsetof(struct line, mean), .scale = 100.0, .format = "%.1f %%"),
    DSE_FIELD("max_abs_error", "worst", REAL, offsetof(struct line, worst), .scale = 100.0, .format = "%.1f %%"),
    DSE_FIELD("n", "n", WHOLE, offsetof(struct line, n)),
    {0},
};

static const char *const levels[] = {"models", "fitted constants", "machines", "training"};
#define LEVELS (sizeof levels / sizeof *levels)

static void summarise(const struct dse_validation *v, struct line *out)
{
    for (size_t k = 0; k < LEVELS; k++) {
        out[k] = (struct line){.by = levels[k]};
        for (size_t i = 0; i < v->count; i++) {
            const struct dse_validation_row *row = &v->rows[i];
            if (row->table == NULL || row->by == NULL || strcmp(row->by, levels[k]) != 0 || !isfinite(error_of(row)))
                continue;
            out[k].mean += fabs(error_of(row));
            out[k].worst = fmax(out[k].worst, fabs(error_of(row)));
            out[k].n++;
        }
        out[k].mean = out[k].n > 0 ? out[k].mean / (double)out[k].n : NAN;
        out[k].worst = out[k].n > 0 ? out[k].worst : NAN;
    }
}

/* Figures with a value: of the publication's own design, those of them without a prediction, and those of other accelerators. */
struct counts {
    size_t published, unpredicted, others;
};

static struct counts count_published(const struct dse_validation *v)
{
    struct counts out = {0};
    for (size_t i = 0; i < v->count; i++) {
        const struct dse_validation_row *row = &v->rows[i];
        if (row->table == NULL || !isfinite(row->reference))
            continue;
        out.published += !row->other;
        out.unpredicted += !row->other && row->unpredicted;
        out.others += row->other;
    }
    return out;
}

/* ---- forms ---- */

void dse_paper_write_json(const struct dse_validation *v, struct dse_strbuf *out)
{
    struct line summary[LEVELS];
    const struct counts counts = count_published(v);
    json_t *tables = json_array();
    for (size_t t = 0; t < v->table_count; t++) {
        size_t count;
        struct dse_validation_row *rows DSE_CLEANUP(dse_free_at) = rows_of(v, v->tables[t].number, &count);
        json_array_append_new(tables, json_pack("{s:s, s:s, s:o}", "number", v->tables[t].number, "title", v->tables[t].title,
                                                "rows", dse_fields_list(dse_fields_paper, rows, count, sizeof *rows)));
    }
    summarise(v, summary);
    dse_json_add(out, json_pack("{s:s, s:s, s:o, s:o, s:I, s:I, s:I}", "schema", "nysx-dse.paper/1", "paper", v->family->name, "tables",
                                tables, "summary", dse_fields_list(dse_fields_paper_summary, summary, LEVELS, sizeof *summary), "published",
                                (json_int_t)counts.published, "not_predicted", (json_int_t)counts.unpredicted, "of_others", (json_int_t)counts.others));
}

void dse_paper_write_csv(const struct dse_validation *v, struct dse_strbuf *out)
{
    dse_fields_csv(dse_fields_paper, NULL, 0, 0, out);
    for (size_t t = 0; t < v->table_count; t++) {
        size_t count;
        struct dse_validation_row *rows DSE_CLEANUP(dse_free_at) = rows_of(v, v->tables[t].number, &count);
        for (size_t i = 0; i < count; i++) {
            dse_fields_values(dse_fields_paper, &rows[i], out);
            dse_strbuf_add(out, "\n");
        }
    }
}

static bool same_note(const struct dse_validation_row *a, const struct dse_validation_row *b)
{
    return b->note != NULL && a->unpredicted == b->unpredicted && strcmp(a->note, b->note) == 0;
}

/* Notes of row i; a note shared by later rows is written once, with their number. */
static void write_notes(const struct dse_validation_row *rows, size_t count, size_t i, struct dse_strbuf *out)
{
    const struct dse_validation_row *row = &rows[i];
    bool statement = row->unpredicted && !isfinite(row->reference), said = row->note == NULL;
    size_t more = 0;
    for (size_t j = 0; j < count && !said; j++) {
        said = j < i && same_note(row, &rows[j]);
        more += j > i && same_note(row, &rows[j]);
    }
    if (!said) {
        dse_strbuf_printf(out, "%s, %s", row->where, row->what);
        if (more > 0)
            dse_strbuf_printf(out, " and %zu more", more);
        dse_strbuf_printf(out, ": %s%s\n", row->unpredicted && !statement ? "not predicted: " : "", row->note);
    }
    if (row->below_bound)
        dse_strbuf_printf(out, "%s, %s: published latency below the bound of the stated bandwidth\n", row->where, row->what);
}

/* One table: figures, statements and notes. */
static void write_table(const struct dse_validation *v, const struct dse_published_table *table, size_t width, struct dse_strbuf *out)
{
    size_t count, figures = 0;
    struct dse_validation_row *rows DSE_CLEANUP(dse_free_at) = rows_of(v, table->number, &count);
    bool divided = false;
    struct dse_validation_row *shown DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *shown);
    for (size_t i = 0; i < count; i++)
        if (!rows[i].unpredicted || isfinite(rows[i].reference))
            shown[figures++] = rows[i];
    for (size_t i = 0; i < figures; i++)
        divided |= shown[i].source != NULL && strstr(shown[i].source, "of two figures") != NULL;
    dse_strbuf_printf(out, "%s: %s\n", table->number, table->title);
    if (figures > 0)
        dse_fields_write(dse_fields_paper, shown, figures, sizeof *shown, width, out);
    for (size_t i = 0; i < count; i++)
        write_notes(rows, count, i, out);
    if (divided)
        dse_strbuf_add(out, "published ratios: two published figures of the row's case, divided here; the publication may state a ratio to another case\n");
    dse_strbuf_add(out, "\n");
}

void dse_paper_write(const struct dse_validation *v, size_t width, struct dse_strbuf *out)
{
    struct line summary[LEVELS];
    const struct counts counts = count_published(v);
    for (size_t t = 0; t < v->table_count; t++)
        write_table(v, &v->tables[t], width, out);
    summarise(v, summary);
    dse_fields_write(dse_fields_paper_summary, summary, LEVELS, sizeof *summary, width, out);
    dse_strbuf_printf(out, "\n%zu published figures, %zu of them not predicted", counts.published, counts.unpredicted);
    if (counts.others > 0)
        dse_strbuf_printf(out, "; %zu of other accelerators, which the tool does not model", counts.others);
    dse_strbuf_add(out, ".\n");
}
