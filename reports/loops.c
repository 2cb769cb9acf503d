#include "reports/loops.h"

#include <math.h>
#include <string.h>

#include "reports/json.h"
#include "reports/table.h"

/* Pairs of what was expected and what is reported. */
struct fit {
    double products, squares; /* of expected over reported, and of its square */
    double errors_before;     /* squares of relative errors */
    size_t points;
};

/* A loop as the design has it; NaN for what is not known. */
struct expected_loop {
    bool there;
    double ii, depth;
};

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const json_t *named(const json_t *array, const char *name)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *loop = json_array_get(array, i);
        const char *text = json_string_value(json_object_get(loop, "loop"));
        if (text != NULL && strcmp(text, name) == 0)
            return loop;
    }
    return NULL;
}

/* A loop that stands several times (a hop's passes of either parity) has the deepest one's depth. */
static double depth_of(const json_t *loops, const char *name)
{
    double depth = NAN;
    for (size_t i = 0; i < json_array_size(loops); i++) {
        const json_t *loop = json_array_get(loops, i);
        const char *text = json_string_value(json_object_get(loop, "loop"));
        if (text != NULL && strcmp(text, name) == 0)
            depth = fmax(depth, number_at(loop, "depth"));
    }
    return depth;
}

static struct expected_loop expect(const json_t *expected, const json_t *checked, const char *name)
{
    const json_t *said = named(json_object_get(expected, "loops"), name), *loops = json_object_get(checked, "loops");
    const json_t *seen = named(loops, name);
    struct expected_loop out = {.there = said != NULL || seen != NULL, .ii = number_at(said, "ii"), .depth = depth_of(loops, name)};
    if (isnan(out.ii))
        out.ii = number_at(seen, "bound_ii");
    return out;
}

/* Cycles of a loop that is pipelined: the first iteration's, and an interval for each further one (docs/hls.md). */
static double cycles_of(const struct expected_loop *loop, double trips)
{
    return trips > 0 ? loop->depth + loop->ii * (trips - 1) : trips;
}

static void fit_add(struct fit *fit, double expected, double reported)
{
    if (isnan(expected) || isnan(reported) || expected <= 0 || reported <= 0)
        return;
    double ratio = expected / reported;
    fit->points++;
    fit->products += ratio; /* each point weighs by its relative error: Σ (f e/r − 1)² is least at Σ e/r over Σ (e/r)² */
    fit->squares += ratio * ratio;
    fit->errors_before += (ratio - 1) * (ratio - 1);
}

static json_t *fit_json(const struct fit *fit, const char *what, struct dse_strbuf *text)
{
    if (fit->points == 0)
        return json_null();
    double points = (double)fit->points, factor = fit->products / fit->squares;
    double after = sqrt(fmax(0, factor * factor * fit->squares - 2 * factor * fit->products + points) / points);
    double before = sqrt(fit->errors_before / points);
    dse_strbuf_printf(text, "  %-7s times %.3f fits %zu loops; root mean square %.1f %% before, %.1f %% after\n", what, factor,
                      fit->points, 100 * before, 100 * after);
    return json_pack("{s:f, s:I, s:f, s:f}", "factor", factor, "points", (json_int_t)fit->points, "rms_before", before, "rms_after",
                     after);
}

static void add_cell(struct dse_table *table, double value)
{
    if (isnan(value))
        dse_table_cell(table, "?");
    else
        dse_table_cell(table, "%.0f", value);
}

static json_t *add_loop(const struct dse_report_loop *loop, const struct expected_loop *said, struct dse_table *table,
                        struct fit *depths, struct fit *cycles)
{
    double trips = loop->trips.max, expected = cycles_of(said, trips), reported = loop->latency_cycles.max;
    double error = reported > 0 ? expected / reported - 1 : NAN;
    const double cells[] = {said->ii, loop->interval_cycles, said->depth, loop->depth_cycles, trips, expected, reported};
    dse_table_cell(table, "%s", loop->name);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        add_cell(table, cells[i]);
    if (said->there && !isnan(error))
        dse_table_cell(table, "%+.1f %%", 100 * error);
    else
        dse_table_cell(table, said->there ? "" : "not of the design");
    if (!isnan(loop->interval_cycles))
        fit_add(depths, said->depth, loop->depth_cycles);
    fit_add(cycles, expected, reported);
    return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "loop", loop->name, "expected", said->there, "ii_expected",
                     dse_json_number(said->ii), "ii", dse_json_number(loop->interval_cycles), "depth_expected",
                     dse_json_number(said->depth), "depth", dse_json_number(loop->depth_cycles), "trips", dse_json_number(trips),
                     "cycles_expected", dse_json_number(expected), "cycles", dse_json_number(reported), "error", dse_json_number(error));
}

static bool is_reported(const struct dse_report_row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; rows[i].report != NULL && l < rows[i].report->loop_count; l++)
            if (strcmp(rows[i].report->loops[l].name, name) == 0)
                return true;
    return false;
}

/* Loops of the design that no report has: dissolved, merged, or reported elsewhere. */
static void tell_missing(const json_t *expected, const struct dse_report_row *rows, size_t count, struct dse_strbuf *text)
{
    const json_t *loops = json_object_get(expected, "loops");
    size_t missing = 0;
    for (size_t i = 0; i < json_array_size(loops); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(loops, i), "loop"));
        if (name != NULL && !is_reported(rows, count, name))
            dse_strbuf_printf(text, "%s%s", missing++ == 0 ? "in no report: " : ", ", name);
    }
    dse_strbuf_add(text, missing > 0 ? "\n" : "");
}

/* The whole kernel: its reported range beside the models' mean graph. */
static json_t *tell_whole(const json_t *expected, const struct dse_report_row *rows, size_t count, struct dse_strbuf *text)
{
    json_t *array = json_array();
    double cycles = number_at(expected, "cycles");
    const char *top = json_string_value(json_object_get(expected, "top"));
    for (size_t i = 0; i < count; i++) {
        const struct dse_report *report = rows[i].report;
        if (report == NULL || report->top == NULL || top == NULL || strcmp(report->top, top) != 0 || isnan(report->latency_cycles.max))
            continue;
        dse_strbuf_printf(text, "%s: %.0f cycles expected of a mean graph, %.0f reported at most\n", top, cycles,
                          report->latency_cycles.max);
        json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:o}", "file", rows[i].file, "cycles_expected", dse_json_number(cycles),
                                               "min", dse_json_number(report->latency_cycles.min), "max",
                                               dse_json_number(report->latency_cycles.max)));
    }
    return array;
}

json_t *dse_loops_compare(const json_t *expected, const json_t *checked, const struct dse_report_row *rows, size_t count,
                          struct dse_strbuf *text)
{
    static const char *const headings[] = {"loop", "II", "reported", "depth", "reported", "trips", "cycles", "reported", "error"};
    struct dse_table table = {0};
    struct fit depths = {0}, cycles = {0};
    json_t *loops = json_array();
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        dse_table_column(&table, headings[i], i > 0 && i < 8);
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; rows[i].report != NULL && l < rows[i].report->loop_count; l++) {
            const struct dse_report_loop *loop = &rows[i].report->loops[l];
            struct expected_loop said = expect(expected, checked, loop->name);
            json_array_append_new(loops, add_loop(loop, &said, &table, &depths, &cycles));
        }
    dse_strbuf_add(text, "\n");
    if (json_array_size(loops) > 0)
        dse_table_write(&table, 0, text);
    text->failed |= table.failed;
    dse_table_free(&table);
    tell_missing(expected, rows, count, text);
    json_t *whole = tell_whole(expected, rows, count, text);
    json_t *depth_fit = fit_json(&depths, "depth", text), *cycle_fit = fit_json(&cycles, "cycles", text);
    return json_pack("{s:o, s:o, s:o, s:o}", "loops", loops, "depth", depth_fit, "cycles", cycle_fit, "whole", whole);
}
