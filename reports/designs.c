#include "reports/calibration.h"

#include "core/memory.h"
#include "reports/terminal.h"
#include "reports/fields.h"

struct row {
    const char *figure;
    struct dse_figure_error e;
};

struct constant_row {
    const char *name;
    double value, low, high;
    size_t figures, outside;
};

#define AT(member) offsetof(struct row, member)
#define SHARE(key, heading, member) DSE_FIELD(key, heading, REAL, AT(e.member), .format = "%.1f %%", .scale = 100.0)
static const struct dse_field fields[] = {
    DSE_FIELD("figure", "figure", TEXT, AT(figure)),
    DSE_FIELD("designs", "designs", COUNT, AT(e.designs)),
    SHARE("mean_error", "mean error", mean),
    SHARE("median_error", "median", median),
    SHARE("p90_error", "90 % below", p90),
    SHARE("worst_error", "worst", worst),
    SHARE("mean_error_within", "mean, fitted", within),
    {0},
};
#undef AT
#define AT(member) offsetof(struct constant_row, member)
static const struct dse_field constants[] = {
    DSE_FIELD("name", "constant", TEXT, AT(name)),
    DSE_FIELD("value", "value", REAL, AT(value), .format = "%.6g"),
    DSE_FIELD("low", "low", REAL, AT(low), .format = "%.6g"),
    DSE_FIELD("high", "high", REAL, AT(high), .format = "%.6g"),
    DSE_FIELD("figures", "figures", COUNT, AT(figures)),
    DSE_FIELD("outside", "outside the band", COUNT, AT(outside)),
    {0},
};

static void fill(const struct dse_designs *d, struct row *rows)
{
    for (size_t m = 0; m < d->metric_count; m++)
        rows[m] = (struct row){dse_metrics[d->metrics[m]].name, d->errors[m]};
}

static struct constant_row constant_row(const struct dse_designs *d, size_t j)
{
    return (struct constant_row){d->family->fitted[j].name, d->values[j], d->low[j], d->high[j], d->evidence[j].figures, d->evidence[j].outside};
}

/* A line listing the constants with a property. */
static void name_constants(const struct dse_designs *d, bool alone, const char *what, struct dse_strbuf *out)
{
    size_t named = 0;
    for (size_t j = 0; j < d->family->fitted_count; j++)
        if (alone ? d->evidence[j].alone : d->evidence[j].figures == 0)
            dse_strbuf_printf(out, "%s%s", named++ == 0 ? what : ", ", d->family->fitted[j].name);
    dse_strbuf_add(out, named > 0 ? "\n" : "");
}

void dse_designs_write(const struct dse_designs *d, struct dse_strbuf *out)
{
    struct row rows[DSE_DESIGN_FIGURES];
    fill(d, rows);
    dse_strbuf_printf(out, "%s on %s: %zu constant%s fitted to %zu designs of %s\n", d->family->title, d->board->title, d->family->fitted_count,
                      d->family->fitted_count > 1 ? "s" : "", d->count, d->path);
    dse_strbuf_printf(out, "Errors are relative to the measured values, on held-out designs (%zu folds).\n\n", d->folds);
    dse_fields_write(fields, rows, d->metric_count, sizeof *rows, dse_terminal_width(), out);
    struct constant_row *all DSE_CLEANUP(dse_free_at) = dse_calloc(d->family->fitted_count + 1, sizeof *all);
    for (size_t j = 0; j < d->family->fitted_count; j++)
        all[j] = constant_row(d, j);
    dse_strbuf_add(out, "\nBands are the 10th to 90th percentile of measured over predicted, of the held-out figures that depend on a constant.\n\n");
    dse_fields_write(constants, all, d->family->fitted_count, sizeof *all, dse_terminal_width(), out);
    name_constants(d, false, "\nNo design depends on these constants, which stay as they were: ", out);
    name_constants(d, true, "\nNone of the designs that depend on these constants could be held out; their bands are those of an assumed constant: ", out);
    if (d->unread.length > 0)
        dse_strbuf_printf(out, "\nUnused columns: %s\n", dse_strbuf_text(&d->unread));
}

void dse_designs_write_csv(const struct dse_designs *d, struct dse_strbuf *out)
{
    struct row rows[DSE_DESIGN_FIGURES];
    fill(d, rows);
    dse_fields_csv(fields, rows, d->metric_count, sizeof *rows, out);
}

json_t *dse_designs_json(const struct dse_designs *d)
{
    struct row rows[DSE_DESIGN_FIGURES];
    json_t *figures = json_array(), *values = json_array();
    fill(d, rows);
    for (size_t m = 0; m < d->metric_count; m++)
        json_array_append_new(figures, dse_fields_json(fields, &rows[m]));
    for (size_t j = 0; j < d->family->fitted_count; j++)
        json_array_append_new(values, dse_fields_json(constants, &(struct constant_row[]){constant_row(d, j)}[0]));
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:o, s:o}", "schema", "nysx-dse.designs/1", "family", d->family->name, "board", d->board->name, "designs",
                     (int)d->count, "folds", (int)d->folds, "errors", figures, "constants", values);
}
