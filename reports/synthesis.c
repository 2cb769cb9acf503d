#include "reports/calibration.h"

#include <math.h>

#include "reports/schema.h"
#include "reports/fields.h"
#include "reports/json.h"

/* The resources of a report, in the order of the JSON keys. */
static const enum dse_resource shown[] = {DSE_BRAM18, DSE_URAM, DSE_DSP, DSE_LUT, DSE_FF, DSE_LUTRAM};
#define SHOWN (sizeof shown / sizeof *shown)

/* ---- contents of a report, shared by both forms ---- */

/* A file's report, or the reason for its rejection. */
struct row {
    struct dse_report r;
    int kind, level; /* −1: rejected */
    const char *file, *error;
    json_t *latency, *interval, *used, *available, *instances; /* JSON */
};
#define AT(member) offsetof(struct row, member)
#define NUMBER(key, member) DSE_FIELD(key, NULL, REAL, AT(r.member), .csv = "%.15g", .how = DSE_FIELD_NO_JSON)
#define AMOUNTS(suffix, member) \
    NUMBER("bram18" suffix, member[DSE_BRAM18]), NUMBER("uram" suffix, member[DSE_URAM]), NUMBER("dsp" suffix, member[DSE_DSP]), \
    NUMBER("lut" suffix, member[DSE_LUT]), NUMBER("ff" suffix, member[DSE_FF]), NUMBER("lutram" suffix, member[DSE_LUTRAM])

const struct dse_field dse_fields_synthesis[] = {
    DSE_FIELD("file", NULL, TEXT, AT(file)),
    DSE_FIELD("kind", NULL, WORD, AT(kind), .words = dse_report_kind_names),
    DSE_FIELD("tool", NULL, TEXT, AT(r.tool)),
    DSE_FIELD("version", NULL, TEXT, AT(r.version)),
    DSE_FIELD("part", NULL, TEXT, AT(r.part)),
    DSE_FIELD("top", NULL, TEXT, AT(r.top)),
    DSE_FIELD("level", NULL, WORD, AT(level), .words = dse_report_level_names),
    DSE_FIELD("clock_target_ns", NULL, REAL, AT(r.clock_target_ns), .csv = "%.15g"),
    DSE_FIELD("clock_estimated_ns", NULL, REAL, AT(r.clock_estimated_ns), .csv = "%.15g"),
    DSE_FIELD("latency_cycles", NULL, JSON, AT(latency)),
    NUMBER("latency_min_cycles", latency_cycles.min),
    NUMBER("latency_max_cycles", latency_cycles.max),
    DSE_FIELD("interval_cycles", NULL, JSON, AT(interval)),
    NUMBER("interval_min_cycles", interval_cycles.min),
    NUMBER("interval_max_cycles", interval_cycles.max),
    DSE_FIELD("used", NULL, JSON, AT(used)),
    DSE_FIELD("available", NULL, JSON, AT(available)),
    AMOUNTS("", used),
    AMOUNTS("_available", available),
    DSE_FIELD("wns_ns", NULL, REAL, AT(r.wns_ns), .csv = "%.15g"),
    DSE_FIELD("power_w", NULL, REAL, AT(r.power_w), .unit = DSE_DIMENSION_POWER, .csv = "%.15g"),
    DSE_FIELD("dynamic_power_w", NULL, REAL, AT(r.dynamic_power_w), .unit = DSE_DIMENSION_POWER, .csv = "%.15g"),
    DSE_FIELD("static_power_w", NULL, REAL, AT(r.static_power_w), .unit = DSE_DIMENSION_POWER, .csv = "%.15g"),
    DSE_FIELD("instances", NULL, JSON, AT(instances)),
    DSE_FIELD("error", NULL, TEXT, AT(error)),
    {0},
};

static struct row make_row(const struct dse_report_row *row)
{
    static const struct dse_report_range unknown = {NAN, NAN};
    struct row made = {.file = row->file, .kind = -1, .level = -1, .error = row->report == NULL ? row->error.message : NULL};
    if (row->report != NULL) {
        made.r = *row->report;
        made.kind = (int)row->report->kind;
        made.level = (int)row->report->level;
        return made;
    }
    made.r.latency_cycles = made.r.interval_cycles = unknown;
    made.r.clock_target_ns = made.r.clock_estimated_ns = made.r.wns_ns = made.r.power_w = made.r.dynamic_power_w = made.r.static_power_w = NAN;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        made.r.used[r] = made.r.available[r] = NAN;
    return made;
}

/* ---- JSON ---- */

/* null if unknown; integers without a point. */
static json_t *number_json(double value)
{
    if (isnan(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 9e15)
        return json_integer((json_int_t)value);
    return json_real(value);
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
        json_array_append_new(array, json_pack("{s:s?, s:s?, s:o, s:o, s:o}", "name", item->name, "module", item->module, "latency_cycles",
                                               range_json(&item->latency_cycles), "interval_cycles", range_json(&item->interval_cycles), "used",
                                               resources_json(item->used)));
    }
    return array;
}

static json_t *report_rows_json(const struct dse_report_row *rows, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct dse_report *r = rows[i].report;
        struct row row = make_row(&rows[i]);
        if (r != NULL) {
            row.latency = range_json(&r->latency_cycles);
            row.interval = range_json(&r->interval_cycles);
            row.used = resources_json(r->used);
            row.available = resources_json(r->available);
            row.instances = instances_json(r);
        }
        json_array_append_new(array, dse_fields_json(dse_fields_synthesis, &row));
    }
    return json_pack("{s:s, s:o}", "schema", "nysx-dse.calibrate/1", "reports", array);
}

void dse_synthesis_write_json(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count, json_t *fit)
{
    json_t *object = report_rows_json(rows, count);
    if (fit != NULL)
        json_object_set(object, "fit", fit);
    dse_json_add_digits(out, 15, object);
}

void dse_synthesis_write_csv(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count)
{
    dse_fields_csv(dse_fields_synthesis, NULL, 0, 0, out);
    for (size_t i = 0; i < count; i++) {
        struct row row = make_row(&rows[i]);
        dse_fields_values(dse_fields_synthesis, &row, out);
        dse_strbuf_add(out, "\n");
    }
}

/* ---- table ---- */

static const char *or_dash(const char *text)
{
    return text != NULL ? text : "-";
}

/* "12", "3.594" or "-"; counts in full; returns `buffer`. */
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
        dse_strbuf_printf(out, "    … and %zu more (--format json lists all)\n", r->instance_count - most);
}

void dse_synthesis_write(struct dse_strbuf *out, const struct dse_report_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct dse_report *r = rows[i].report;
        char a[32];
        dse_strbuf_printf(out, "%s%s\n", i > 0 ? "\n" : "", rows[i].file);
        if (r == NULL) {
            dse_strbuf_printf(out, "  rejected   %s\n", rows[i].error.message);
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
