/* Rooflines as tables and JSON. */
#include <math.h>
#include <stdio.h>

#include "reports/roofline.h"
#include "reports/schema.h"
#include "reports/json.h"

static const char *const kinds[] = {"compute", "memory", "on-chip"};

/* "209.4 Gop/s", "35.15 Top/s"; NULL if the rate is unknown. */
static const char *rate_text(char text[48], double rate, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t step = 0;
    for (; rate >= 1000.0 && step + 1 < sizeof prefixes / sizeof *prefixes; step++)
        rate /= 1000.0;
    snprintf(text, 48, "%.4g %s%s", rate, prefixes[step], unit);
    return isfinite(rate) ? text : NULL;
}

/* ---- JSON ---- */

static json_t *roofs_json(const struct dse_roofline *roofline)
{
    json_t *array = json_array();
    for (const struct dse_roof *roof = roofline->roofs; roof < roofline->roofs + roofline->roof_count; roof++) {
        bool compute = roof->kind == DSE_ROOF_COMPUTE;
        json_t *object = json_pack("{s:s, s:s, s:s, s:o}", "kind", kinds[roof->kind], "name", roof->name, "level", roof->level,
                                   compute ? "operations_per_s" : "bytes_per_s", dse_json_number(roof->height));
        if (compute) {
            json_object_set_new(object, "lanes", json_integer(roof->lanes));
            json_object_set_new(object, "exhausts", roof->resource >= 0 ? json_string(dse_resource_names[roof->resource]) : json_null());
        }
        json_array_append_new(array, object);
    }
    return array;
}

#define AT(member) offsetof(struct dse_roofline_point, member)
const struct dse_field dse_fields_roofline_point[] = {
    DSE_FIELD("name", "engine", TEXT, AT(name)),
    DSE_FIELD("bound", NULL, TEXT, AT(bound)),
    DSE_FIELD("operations", NULL, REAL, AT(operations)),
    DSE_FIELD("bytes", NULL, REAL, AT(bytes), .unit = DSE_DIMENSION_BYTES),
    DSE_FIELD("on_chip_bytes", NULL, REAL, AT(on_chip_bytes), .unit = DSE_DIMENSION_BYTES),
    DSE_FIELD("seconds", NULL, REAL, AT(seconds), .unit = DSE_DIMENSION_TIME),
    DSE_FIELD("operations_per_s", NULL, REAL, AT(performance)),
    DSE_FIELD("intensity", NULL, REAL, AT(intensity)),
    DSE_FIELD("on_chip_intensity", NULL, REAL, AT(on_chip_intensity)),
    DSE_FIELD("attainable_operations_per_s", NULL, REAL, AT(attainable)),
    {0},
};
#undef AT

static struct dse_design design_of(const struct dse_roofline_report *report)
{
    return (struct dse_design){.setup = report->roofline->setup, .estimate = report->estimate, .facts = report->facts};
}

json_t *dse_rooflines_json(const struct dse_roofline_report *reports, size_t count)
{
    json_t *results = json_array(), *references = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        const struct dse_design design = design_of(&reports[i]);
        json_array_append_new(results, json_pack("{s:s, s:s, s:o, s:o, s:s?, s:o*, s:o, s:o}", "title", reports[i].title, "board",
                                                 roofline->setup->board->name, "clock_hz", dse_json_number(roofline->clock_hz), "ridge",
                                                 dse_json_number(roofline->ridge), "calibration",
                                                 dse_costs_calibration(roofline->setup->costs), "assumed", dse_assumed_json(&design), "roofs", roofs_json(roofline), "points",
                                                 dse_fields_list(dse_fields_roofline_point, roofline->points, roofline->point_count, sizeof *roofline->points)));
    }
    const struct dse_machines *machines = count > 0 ? reports[0].machines : NULL;
    for (size_t i = 0; machines != NULL && i < machines->count; i++)
        json_array_append_new(references, json_pack("{s:s, s:f, s:f, s:s}", "name", machines->items[i].title,
                                                    "operations_per_s", machines->items[i].peak_flops, "bytes_per_s",
                                                    machines->items[i].bandwidth_bytes_per_s, "source",
                                                    machines->items[i].source));
    return json_pack("{s:s, s:o, s:o}", "schema", "nysx-dse.roofline/1", "results", results, "references", references);
}

/* ---- for people ---- */

static void cell_rate(struct dse_table *table, double rate, const char *unit)
{
    char text[48];
    const char *shown = rate_text(text, rate, unit);
    dse_table_text(table, shown != NULL ? shown : "-");
}

static void write_roofs(const struct dse_roofline *roofline, size_t width, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    dse_table_columns(&table, "roof|level|height>|lanes>|binding");
    for (const struct dse_roof *roof = roofline->roofs; roof < roofline->roofs + roofline->roof_count; roof++) {
        bool compute = roof->kind == DSE_ROOF_COMPUTE;
        char lanes[32];
        dse_table_text(&table, roof->name);
        dse_table_text(&table, roof->level);
        cell_rate(&table, roof->height, compute ? "op/s" : "B/s");
        dse_table_text(&table, compute ? dse_count_format(lanes, sizeof lanes, roof->lanes) : "-");
        dse_table_text(&table, roof->resource >= 0 ? dse_resource_names[roof->resource] : "-");
    }
    dse_table_finish(&table, width, out);
}

static void write_points(const struct dse_roofline *roofline, size_t width, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    dse_table_columns(&table, "engine|operations>|op/byte>|op/byte\non chip>|achieved>|attainable>|share>|bound");
    for (const struct dse_roofline_point *point = roofline->points; point < roofline->points + roofline->point_count; point++) {
        if (!(point->operations > 0.0 || point->bytes > 0.0))
            continue;
        dse_table_text(&table, point->name);
        dse_table_count(&table, (int64_t)point->operations);
        dse_table_real(&table, "%.4g", point->intensity, "-");
        dse_table_real(&table, "%.4g", point->on_chip_intensity, "-");
        cell_rate(&table, point->performance, "op/s");
        cell_rate(&table, point->attainable, "op/s");
        dse_table_real(&table, "%.2f %%", isfinite(point->attainable) && point->attainable > 0.0 ? 100.0 * point->performance / point->attainable : NAN, "-");
        dse_table_text(&table, point->bound);
    }
    dse_table_finish(&table, width, out);
}

void dse_rooflines_write(const struct dse_roofline_report *reports, size_t count, size_t width, struct dse_strbuf *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        dse_strbuf_printf(out, "%s%s at %.0f MHz: %s\n", i > 0 ? "\n" : "", roofline->setup->board->title, roofline->clock_hz * 1e-6, reports[i].title);
        if (roofline->ridge > 0.0)
            dse_strbuf_printf(out, roofline->ridge >= 1000.0 ? "ridge at %.0f op/byte\n" : "ridge at %.3g op/byte\n", roofline->ridge);
        dse_strbuf_add(out, "\n");
        if (i == 0 || reports[i - 1].roofline->setup->board != roofline->setup->board)
            write_roofs(roofline, width, out);
        dse_strbuf_add(out, "\n");
        write_points(roofline, width, out);
        if (!roofline->fits)
            dse_strbuf_add(out, "\nThe design does not fit the board: its engines have no attainable performance.\n");
        const char *calibration = dse_costs_calibration(roofline->setup->costs);
        if (calibration != NULL)
            dse_strbuf_printf(out, "\ncosts calibrated by %s\n", calibration);
        const struct dse_design design = design_of(&reports[i]);
        dse_assumed_add(&design, "\n", "\n", out);
        char assumed[80];
        if (*dse_cap_words(roofline->setup->board, roofline->clock_hz, assumed) != '\0')
            dse_strbuf_printf(out, "\n%s\n", assumed);
    }
}

/* ---- as data ---- */

static void csv_row(struct dse_table *table, const char *const words[5], const double numbers[4])
{
    for (int i = 0; i < 5; i++)
        dse_table_text(table, words[i]);
    for (int i = 0; i < 4; i++)
        dse_table_real(table, "%.17g", numbers[i], "");
}
#define CSV_ROW(table, title, board, is, name, level, ...) \
    csv_row(table, (const char *const[]){title, board, is, name, level}, (const double[]){__VA_ARGS__})

void dse_rooflines_write_csv(const struct dse_roofline_report *reports, size_t count, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    dse_table_columns(&table, "title|board|is|name|level|operations_per_s>|bytes_per_s>|intensity>|on_chip_intensity>");
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        const char *title = reports[i].title, *board = roofline->setup->board->name;
        for (const struct dse_roof *roof = roofline->roofs; roof < roofline->roofs + roofline->roof_count; roof++) {
            bool compute = roof->kind == DSE_ROOF_COMPUTE;
            CSV_ROW(&table, title, board, kinds[roof->kind], roof->name, roof->level, compute ? roof->height : NAN, compute ? NAN : roof->height, NAN, NAN);
        }
        for (size_t p = 0; p < roofline->point_count; p++) {
            const struct dse_roofline_point *point = &roofline->points[p];
            CSV_ROW(&table, title, board, p + 1 == roofline->point_count ? "whole" : "engine", point->name, point->bound, point->performance, NAN,
                    point->intensity, point->on_chip_intensity);
        }
    }
    const struct dse_machines *machines = count > 0 ? reports[0].machines : NULL;
    for (size_t i = 0; machines != NULL && i < machines->count; i++)
        CSV_ROW(&table, "", "", "machine", machines->items[i].title, "", machines->items[i].peak_flops, machines->items[i].bandwidth_bytes_per_s, NAN, NAN);
    dse_table_finish_csv(&table, out);
}
