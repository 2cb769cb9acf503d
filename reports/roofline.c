/* Rooflines as tables and JSON. */
#include <math.h>
#include <stdio.h>

#include "reports/roofline.h"
#include "reports/json.h"

static const char *const kinds[] = {"compute", "memory", "on-chip"};

static json_t *roof_json(const struct dse_roof *roof)
{
    json_t *object = json_pack("{s:s, s:s, s:s}", "kind", kinds[roof->kind], "name", roof->name, "level", roof->level);
    json_object_set_new(object, roof->kind == DSE_ROOF_COMPUTE ? "operations_per_s" : "bytes_per_s", dse_json_number(roof->height));
    if (roof->kind == DSE_ROOF_COMPUTE) {
        json_object_set_new(object, "lanes", json_integer(roof->lanes));
        json_object_set_new(object, "exhausts",
                            roof->resource >= 0 ? json_string(dse_resource_names[roof->resource]) : json_null());
    }
    return object;
}

static json_t *point_json(const struct dse_roofline_point *point)
{
    json_t *object = json_pack("{s:s, s:s}", "name", point->name, "bound", point->bound);
    json_object_set_new(object, "operations", dse_json_number(point->operations));
    json_object_set_new(object, "bytes", dse_json_number(point->bytes));
    json_object_set_new(object, "on_chip_bytes", dse_json_number(point->on_chip_bytes));
    json_object_set_new(object, "seconds", dse_json_number(point->seconds));
    json_object_set_new(object, "operations_per_s", dse_json_number(point->performance));
    json_object_set_new(object, "intensity", dse_json_number(point->intensity));
    json_object_set_new(object, "on_chip_intensity", dse_json_number(point->on_chip_intensity));
    json_object_set_new(object, "attainable_operations_per_s", dse_json_number(point->attainable));
    return object;
}

json_t *dse_rooflines_json(const struct dse_roofline_report *reports, size_t count)
{
    json_t *object = json_object(), *results = json_array(), *references = json_array();
    json_object_set_new(object, "schema", json_string("nysx-dse.roofline/1"));
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        json_t *one = json_object(), *roofs = json_array(), *points = json_array();
        json_object_set_new(one, "title", json_string(reports[i].title));
        json_object_set_new(one, "board", json_string(roofline->setup->board->name));
        json_object_set_new(one, "clock_hz", dse_json_number(roofline->clock_hz));
        json_object_set_new(one, "ridge", dse_json_number(roofline->ridge));
        for (size_t r = 0; r < roofline->roof_count; r++)
            json_array_append_new(roofs, roof_json(&roofline->roofs[r]));
        for (size_t p = 0; p < roofline->point_count; p++)
            json_array_append_new(points, point_json(&roofline->points[p]));
        const char *calibration = dse_costs_calibration(roofline->setup->costs);
        json_object_set_new(one, "calibration", calibration != NULL ? json_string(calibration) : json_null());
        json_object_set_new(one, "roofs", roofs);
        json_object_set_new(one, "points", points);
        json_array_append_new(results, one);
    }
    const struct dse_machines *machines = count > 0 ? reports[0].machines : NULL;
    for (size_t i = 0; machines != NULL && i < machines->count; i++)
        json_array_append_new(references, json_pack("{s:s, s:f, s:f, s:s}", "name", machines->items[i].title,
                                                    "operations_per_s", machines->items[i].peak_flops, "bytes_per_s",
                                                    machines->items[i].bandwidth_bytes_per_s, "source",
                                                    machines->items[i].source));
    json_object_set_new(object, "results", results);
    json_object_set_new(object, "references", references);
    return object;
}

/* "209.4 Gop/s", "35.15 Top/s". */
static const char *rate_text(char *text, size_t size, double rate, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t step = 0;
    for (; rate >= 1000.0 && step + 1 < sizeof prefixes / sizeof *prefixes; step++)
        rate /= 1000.0;
    snprintf(text, size, "%.4g %s%s", rate, prefixes[step], unit);
    return text;
}

static void write_roofs(const struct dse_roofline *roofline, size_t width, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    dse_table_column(&table, "roof", false);
    dse_table_column(&table, "level", false);
    dse_table_column(&table, "height", true);
    dse_table_column(&table, "lanes", true);
    dse_table_column(&table, "runs out", false);
    for (size_t i = 0; i < roofline->roof_count; i++) {
        const struct dse_roof *roof = &roofline->roofs[i];
        bool compute = roof->kind == DSE_ROOF_COMPUTE;
        char lanes[32], rate[48];
        dse_table_cell(&table, "%s", roof->name);
        dse_table_cell(&table, "%s", roof->level);
        dse_table_cell(&table, "%s", rate_text(rate, sizeof rate, roof->height, compute ? "op/s" : "B/s"));
        dse_table_cell(&table, "%s", compute ? dse_count_format(lanes, sizeof lanes, roof->lanes) : "-");
        dse_table_cell(&table, "%s", roof->resource >= 0 ? dse_resource_names[roof->resource] : "-");
    }
    out->failed |= table.failed;
    dse_table_write(&table, width, out);
    dse_table_free(&table);
}

static void cell_real(struct dse_table *table, double value)
{
    if (isfinite(value))
        dse_table_cell(table, "%.4g", value);
    else
        dse_table_cell(table, "-");
}

static void write_points(const struct dse_roofline *roofline, size_t width, struct dse_strbuf *out)
{
    static const char *const headings[] = {"operations", "op/byte", "op/byte on chip", "reaches", "attainable", "share"};
    struct dse_table table = {0};
    dse_table_column(&table, "engine", false);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        dse_table_column(&table, headings[i], true);
    dse_table_column(&table, "waits for", false);
    for (size_t i = 0; i < roofline->point_count; i++) {
        const struct dse_roofline_point *point = &roofline->points[i];
        char text[32];
        dse_table_cell(&table, "%s", point->name);
        dse_table_cell(&table, "%s", dse_count_format(text, sizeof text, (long long)point->operations));
        cell_real(&table, point->intensity);
        cell_real(&table, point->on_chip_intensity);
        dse_table_cell(&table, "%s", rate_text(text, sizeof text, point->performance, "op/s"));
        dse_table_cell(&table, "%s", isfinite(point->attainable) ? rate_text(text, sizeof text, point->attainable, "op/s") : "-");
        if (isfinite(point->attainable) && point->attainable > 0.0)
            dse_table_cell(&table, "%.2f %%", 100.0 * point->performance / point->attainable);
        else
            dse_table_cell(&table, "-");
        dse_table_cell(&table, "%s", point->operations > 0.0 || point->bytes > 0.0 ? point->bound : "-");
    }
    out->failed |= table.failed;
    dse_table_write(&table, width, out);
    dse_table_free(&table);
}

void dse_rooflines_write(const struct dse_roofline_report *reports, size_t count, size_t width, struct dse_strbuf *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        dse_strbuf_printf(out, "%s%s on %s at %.0f MHz; ridge at %.3g op/byte\n\n", i > 0 ? "\n" : "", reports[i].title,
                          roofline->setup->board->title, roofline->clock_hz * 1e-6, roofline->ridge);
        if (i == 0 || reports[i - 1].roofline->setup->board != roofline->setup->board)
            write_roofs(roofline, width, out);
        dse_strbuf_add(out, "\n");
        write_points(roofline, width, out);
        const char *calibration = dse_costs_calibration(roofline->setup->costs);
        if (calibration != NULL)
            dse_strbuf_printf(out, "\ncosts calibrated by %s\n", calibration);
    }
}

/* ---- as data ---- */

static void csv_row(struct dse_table *table, const char *title, const char *board, const char *is, const char *name, const char *level, const double *numbers)
{
    const char *const words[] = {title, board, is, name, level};
    for (int i = 0; i < 5; i++)
        dse_table_cell(table, "%s", words[i]);
    for (int i = 0; i < 4; i++)
        if (isfinite(numbers[i]))
            dse_table_cell(table, "%.17g", numbers[i]);
        else
            dse_table_cell(table, "%s", "");
}

void dse_rooflines_write_csv(const struct dse_roofline_report *reports, size_t count, struct dse_strbuf *out)
{
    static const char *const heads[] = {"title", "board", "is", "name", "level", "operations_per_s", "bytes_per_s", "intensity", "on_chip_intensity"};
    struct dse_table table = {0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        dse_table_column(&table, heads[i], i > 4);
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        const char *title = reports[i].title, *board = roofline->setup->board->name;
        for (size_t r = 0; r < roofline->roof_count; r++) {
            const struct dse_roof *roof = &roofline->roofs[r];
            bool compute = roof->kind == DSE_ROOF_COMPUTE;
            csv_row(&table, title, board, kinds[roof->kind], roof->name, roof->level,
                    (const double[]){compute ? roof->height : NAN, compute ? NAN : roof->height, NAN, NAN});
        }
        for (size_t p = 0; p < roofline->point_count; p++) {
            const struct dse_roofline_point *point = &roofline->points[p];
            csv_row(&table, title, board, p + 1 == roofline->point_count ? "whole" : "engine", point->name, point->bound,
                    (const double[]){point->performance, NAN, point->intensity, point->on_chip_intensity});
        }
    }
    const struct dse_machines *machines = count > 0 ? reports[0].machines : NULL;
    for (size_t i = 0; machines != NULL && i < machines->count; i++)
        csv_row(&table, "", "", "machine", machines->items[i].title, "",
                (const double[]){machines->items[i].peak_flops, machines->items[i].bandwidth_bytes_per_s, NAN, NAN});
    dse_table_write_csv(&table, out);
    out->failed |= table.failed;
    dse_table_free(&table);
}
