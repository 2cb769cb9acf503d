#include "reports/synthesis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/json.h"
#include "reports/table.h"

/* The resources of a report, in the order of the JSON keys. */
static const enum dse_resource shown[] = {DSE_BRAM18, DSE_URAM, DSE_DSP, DSE_LUT, DSE_FF, DSE_LUTRAM};
#define SHOWN (sizeof shown / sizeof *shown)

/* ---- JSON ---- */

/* null for what is not known; a whole number without a point. */
static json_t *number_json(double value)
{
    if (isnan(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 9e15)
        return json_integer((json_int_t)value);
    return json_real(value);
}

static json_t *text_json(const char *text)
{
    json_t *value = text != NULL ? json_string(text) : json_null();
    return value != NULL ? value : json_string("(not UTF-8)");
}

static json_t *range_json(const struct dse_report_range *range)
{
    return json_pack("{s:o, s:o}", "min", number_json(range->min), "max", number_json(range->max));
}

static json_t *resources_json(const double values[DSE_RESOURCE_COUNT])
{
    json_t *object = json_object();
    for (size_t i = 0; i < SHOWN; i++)
        json_object_set_new(object, dse_resource_names[shown[i]], number_json(values[shown[i]]));
    return object;
}

static json_t *instances_json(const struct dse_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->instance_count; i++) {
        const struct dse_report_instance *item = &report->instances[i];
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", text_json(item->name), "module",
                                               text_json(item->module), "latency_cycles",
                                               range_json(&item->latency_cycles), "interval_cycles",
                                               range_json(&item->interval_cycles), "used",
                                               resources_json(item->used)));
    }
    return array;
}

static json_t *refused_json(const struct dse_report_row *row)
{
    static const char *const keys[] = {"kind", "tool", "version", "part", "top", "level", "clock_target_ns",
                                       "clock_estimated_ns", "latency_cycles", "interval_cycles", "used",
                                       "available", "wns_ns", "power_w", "dynamic_power_w", "static_power_w",
                                       "instances"};
    json_t *object = json_object();
    json_object_set_new(object, "file", text_json(row->file));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set_new(object, keys[i], json_null());
    json_object_set_new(object, "error", text_json(row->error.message));
    return object;
}

static json_t *row_json(const struct dse_report_row *row)
{
    const struct dse_report *r = row->report;
    if (r == NULL)
        return refused_json(row);
    json_t *object = json_object();
    json_object_set_new(object, "file", text_json(row->file));
    json_object_set_new(object, "kind", json_string(dse_report_kind_names[r->kind]));
    json_object_set_new(object, "tool", text_json(r->tool));
    json_object_set_new(object, "version", text_json(r->version));
    json_object_set_new(object, "part", text_json(r->part));
    json_object_set_new(object, "top", text_json(r->top));
    json_object_set_new(object, "level", json_string(dse_report_level_names[r->level]));
    json_object_set_new(object, "clock_target_ns", dse_json_number(r->clock_target_ns));
    json_object_set_new(object, "clock_estimated_ns", dse_json_number(r->clock_estimated_ns));
    json_object_set_new(object, "latency_cycles", range_json(&r->latency_cycles));
    json_object_set_new(object, "interval_cycles", range_json(&r->interval_cycles));
    json_object_set_new(object, "used", resources_json(r->used));
    json_object_set_new(object, "available", resources_json(r->available));
    json_object_set_new(object, "wns_ns", dse_json_number(r->wns_ns));
    json_object_set_new(object, "power_w", dse_json_number(r->power_w));
    json_object_set_new(object, "dynamic_power_w", dse_json_number(r->dynamic_power_w));
    json_object_set_new(object, "static_power_w", dse_json_number(r->static_power_w));
    json_object_set_new(object, "instances", instances_json(r));
    json_object_set_new(object, "error", json_null());
    return object;
}

json_t *dse_report_rows_json(const struct dse_report_row *rows, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, row_json(&rows[i]));
    return json_pack("{s:s, s:o}", "schema", "nysx-dse.calibrate/1", "reports", array);
}

void dse_synthesis_write_json(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count, json_t *fit)
{
    json_t *object = dse_report_rows_json(rows, count);
    if (object != NULL && fit != NULL)
        json_object_set(object, "fit", fit);
    dse_json_add_digits(out, 15, object);
}

/* ---- CSV ---- */

static void add_field(struct dse_strbuf *out, const char *text)
{
    dse_strbuf_add(out, ",");
    if (text != NULL)
        dse_csv_field(out, text);
}

static void add_number(struct dse_strbuf *out, double value)
{
    if (isnan(value))
        dse_strbuf_add(out, ",");
    else
        dse_strbuf_printf(out, ",%.15g", value);
}

static void write_csv_row(struct dse_strbuf *out, const struct dse_report_row *row)
{
    const struct dse_report *r = row->report;
    struct dse_strbuf line = {0};
    add_field(&line, row->file);
    if (r == NULL) {
        dse_strbuf_add_char(&line, ',', 10 + 2 * SHOWN + 4 + 2);
    } else {
        const char *const texts[] = {dse_report_kind_names[r->kind], r->tool, r->version, r->part, r->top,
                                     dse_report_level_names[r->level]};
        const double numbers[] = {r->clock_target_ns, r->clock_estimated_ns, r->latency_cycles.min,
                                  r->latency_cycles.max, r->interval_cycles.min, r->interval_cycles.max};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            add_field(&line, texts[i]);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            add_number(&line, numbers[i]);
        for (size_t i = 0; i < SHOWN; i++)
            add_number(&line, r->used[shown[i]]);
        for (size_t i = 0; i < SHOWN; i++)
            add_number(&line, r->available[shown[i]]);
        add_number(&line, r->wns_ns);
        add_number(&line, r->power_w);
        add_number(&line, r->dynamic_power_w);
        add_number(&line, r->static_power_w);
    }
    add_field(&line, r == NULL ? row->error.message : NULL);
    dse_strbuf_printf(out, "%s\n", dse_strbuf_text(&line) + 1);
    dse_strbuf_free(&line);
}

void dse_synthesis_write_csv(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count)
{
    dse_strbuf_add(out, "file,kind,tool,version,part,top,level,clock_target_ns,clock_estimated_ns,latency_min_cycles,"
                        "latency_max_cycles,interval_min_cycles,interval_max_cycles");
    for (size_t i = 0; i < SHOWN; i++)
        dse_strbuf_printf(out, ",%s", dse_resource_names[shown[i]]);
    for (size_t i = 0; i < SHOWN; i++)
        dse_strbuf_printf(out, ",%s_available", dse_resource_names[shown[i]]);
    dse_strbuf_add(out, ",wns_ns,power_w,dynamic_power_w,static_power_w,error\n");
    for (size_t i = 0; i < count; i++)
        write_csv_row(out, &rows[i]);
}

/* ---- table ---- */

static const char *or_dash(const char *text)
{
    return text != NULL ? text : "-";
}

/* "12", "3.594" or "-", counts in full; returns `buffer`. */
static const char *number_text(char buffer[32], double value)
{
    if (isnan(value))
        snprintf(buffer, 32, "-");
    else
        snprintf(buffer, 32, value == floor(value) ? "%.0f" : "%.6g", value);
    return buffer;
}

static void write_pair(struct dse_strbuf *out, const char *label, double value, double other, const char *between,
                       const char *unit)
{
    char a[32], b[32];
    if (isnan(value) && isnan(other))
        return;
    dse_strbuf_printf(out, "  %-10s %s%s%s%s\n", label, number_text(a, value), between, number_text(b, other), unit);
}

static void write_resources(struct dse_strbuf *out, const struct dse_report *r)
{
    char a[32], b[32];
    bool any = false;
    for (size_t i = 0; i < SHOWN; i++)
        any |= !isnan(r->used[shown[i]]) || !isnan(r->available[shown[i]]);
    if (!any)
        return;
    dse_strbuf_add(out, "  resources ");
    for (size_t i = 0; i < SHOWN; i++) {
        dse_strbuf_printf(out, " %s %s", dse_resource_names[shown[i]], number_text(a, r->used[shown[i]]));
        if (!isnan(r->available[shown[i]]))
            dse_strbuf_printf(out, "/%s", number_text(b, r->available[shown[i]]));
    }
    dse_strbuf_add(out, "\n");
}

static void write_instances(struct dse_strbuf *out, const struct dse_report *r)
{
    const size_t most = 20; /* JSON has all */
    for (size_t i = 0; i < r->instance_count && i < most; i++) {
        const struct dse_report_instance *item = &r->instances[i];
        char a[32];
        /* the rows of a system estimate all bear the name of their compute unit */
        bool by_module = r->kind == DSE_REPORT_SYSTEM_ESTIMATE && item->module != NULL;
        dse_strbuf_printf(out, "    %-40s", by_module ? item->module : item->name);
        for (size_t k = 0; k < SHOWN; k++)
            if (!isnan(item->used[shown[k]]))
                dse_strbuf_printf(out, " %s %s", dse_resource_names[shown[k]],
                                  number_text(a, item->used[shown[k]]));
        dse_strbuf_add(out, "\n");
    }
    if (r->instance_count > most)
        dse_strbuf_printf(out, "    … and %zu more (--format json has all)\n", r->instance_count - most);
}

void dse_synthesis_write(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct dse_report *r = rows[i].report;
        char a[32];
        dse_strbuf_printf(out, "%s%s\n", i > 0 ? "\n" : "", rows[i].file);
        if (r == NULL) {
            dse_strbuf_printf(out, "  refused    %s\n", rows[i].error.message);
            continue;
        }
        dse_strbuf_printf(out, "  kind       %s (%s)\n  tool       %s %s\n", dse_report_kind_names[r->kind],
                          dse_report_level_names[r->level], or_dash(r->tool), or_dash(r->version));
        dse_strbuf_printf(out, "  part       %s\n  top        %s\n", or_dash(r->part), or_dash(r->top));
        write_pair(out, "clock", r->clock_target_ns, r->clock_estimated_ns, " ns asked, ", " ns estimated");
        write_pair(out, "latency", r->latency_cycles.min, r->latency_cycles.max, " to ", " cycles");
        write_pair(out, "interval", r->interval_cycles.min, r->interval_cycles.max, " to ", " cycles");
        write_resources(out, r);
        if (!isnan(r->wns_ns))
            dse_strbuf_printf(out, "  WNS        %s ns\n", number_text(a, r->wns_ns));
        write_pair(out, "power", r->dynamic_power_w, r->static_power_w, " W dynamic, ", " W static");
        write_instances(out, r);
    }
}
