#include "reports/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/order.h"
#include "core/units.h"
#include "reports/json.h"
#include "reports/load.h"

struct dse_cycles_spread dse_cycles_spread(uint64_t *cycles, size_t count)
{
    struct dse_cycles_spread spread = {0};
    if (count == 0)
        return spread;
    for (size_t i = 0; i < count; i++)
        spread.mean += (double)cycles[i];
    spread.mean /= (double)count;
    qsort(cycles, count, sizeof *cycles, dse_by_uint64);
    spread.p50 = cycles[(50 * count + 99) / 100 - 1];
    spread.p95 = cycles[(95 * count + 99) / 100 - 1];
    spread.p99 = cycles[(99 * count + 99) / 100 - 1];
    spread.most = cycles[count - 1];
    return spread;
}

static json_t *spread_json(struct dse_cycles_spread s)
{
    return json_pack("{s:f, s:I, s:I, s:I, s:I}", "cycles_mean", s.mean, "cycles_p50", (json_int_t)s.p50, "cycles_p95",
                     (json_int_t)s.p95, "cycles_p99", (json_int_t)s.p99, "cycles_max", (json_int_t)s.most);
}

static json_t *engine_json(const struct dse_simulated_engine *engine, size_t items)
{
    json_t *object = spread_json(dse_cycles_spread(engine->cycles, items)), *counts = json_object();
    for (size_t i = 0; i < engine->count_count; i++)
        json_object_set_new(counts, engine->counts[i].name, json_real(engine->counts[i].mean));
    json_object_update_new(object, json_pack("{s:s, s:s, s:f, s:o}", "name", engine->name, "stage", engine->stage, "waiting_cycles",
                                             engine->waiting_cycles, "counts", counts));
    return object;
}

static json_t *simulation_json(const struct dse_simulation_report *r)
{
    const struct dse_simulation *found = r->found;
    json_t *engines = json_array(), *stages = json_array();
    for (size_t i = 0; i < found->engine_count; i++)
        json_array_append_new(engines, engine_json(&found->engines[i], found->items));
    for (size_t i = 0; i < found->stage_count; i++) {
        json_t *stage = spread_json(dse_cycles_spread(found->stages[i].cycles, found->items));
        json_object_set_new(stage, "name", json_string(found->stages[i].name));
        json_array_append_new(stages, stage);
    }
    struct dse_cycles_spread total = dse_cycles_spread(found->total, found->items);
    json_t *totals = spread_json(total);
    json_object_set_new(totals, "latency_s", json_real(total.mean / found->clock_hz));
    json_object_set_new(totals, "latency_p99_s", json_real((double)total.p99 / found->clock_hz));
    if (found->interval_cycles > 0.0) {
        json_object_set_new(totals, "interval_cycles", json_real(found->interval_cycles));
        json_object_set_new(totals, "throughput_hz", json_real(found->clock_hz / found->interval_cycles));
    }
    if (r->data == NULL)
        return json_pack("{s:s, s:s, s:s, s:s, s:f, s:o, s:o, s:o}", "schema", "nysx-dse.simulate/1", "family", r->executor->family, "board",
                         r->board->name, "program", r->program, "clock_hz", found->clock_hz, "engines", engines, "stages", stages, "total",
                         totals);
    char equal[64];
    snprintf(equal, sizeof equal, "%s_equal", r->executor->compared);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:o, s:o, s:o}", "schema", "nysx-dse.simulate/1", "family",
                     r->executor->family, "board", r->board->name, "dataset", r->data->name, r->executor->kind->items,
                     (json_int_t)found->items, equal, (json_int_t)found->equal, r->executor->quality_name, found->quality,
                     "clock_hz", found->clock_hz, "engines", engines, "stages", stages, "total", totals);
}

/* `width` of the names' column; 0: CSV. */
static void add_line(struct dse_strbuf *out, int width, const char *name, const char *stage, struct dse_cycles_spread s)
{
    if (width == 0)
        dse_strbuf_printf(out, "%s,%s,%.17g,%llu,%llu,%llu,%llu", name, stage, s.mean, s.p50, s.p95, s.p99, s.most);
    else
        dse_strbuf_printf(out, "%-*s %-12s %12.0f %10llu %10llu %10llu %10llu", width, name, stage, s.mean, s.p50, s.p95, s.p99, s.most);
}

/* Of the longest engine's name, at least 8. */
static int name_width(const struct dse_simulation *found)
{
    size_t width = 8;
    for (size_t i = 0; i < found->engine_count; i++)
        width = strlen(found->engines[i].name) > width ? strlen(found->engines[i].name) : width;
    return (int)width;
}

static void write_lines(const struct dse_simulation_report *r, bool csv, struct dse_strbuf *out)
{
    const struct dse_simulation *found = r->found;
    const int width = csv ? 0 : name_width(found);
    char time[32];
    if (csv)
        dse_strbuf_add(out, "engine,stage,cycles_mean,cycles_p50,cycles_p95,cycles_p99,cycles_max,waiting_cycles\n");
    else if (r->data == NULL)
        dse_strbuf_printf(out, "%s on %s\n", r->program, r->board->name);
    else
        dse_strbuf_printf(out, "%s on %s: %zu %s, %s %.4f, %zu %s equal to infer's\n", r->data->name, r->board->name, found->items,
                          r->executor->kind->items, r->executor->quality_name, found->quality, found->equal, r->executor->compared);
    if (!csv)
        dse_strbuf_printf(out, "%-*s %-12s %12s %10s %10s %10s %10s %10s\n", width, "engine", "stage", "mean cycles", "p50", "p95", "p99", "max",
                          "waits");
    for (size_t i = 0; i < found->engine_count; i++) {
        const struct dse_simulated_engine *engine = &found->engines[i];
        add_line(out, width, engine->name, engine->stage, dse_cycles_spread(engine->cycles, found->items));
        dse_strbuf_printf(out, csv ? ",%.17g" : " %10.0f ", engine->waiting_cycles);
        for (size_t k = 0; !csv && k < engine->count_count; k++)
            dse_strbuf_printf(out, "  %s %.6g", engine->counts[k].name, engine->counts[k].mean);
        dse_strbuf_add(out, "\n");
    }
    for (size_t i = 0; i < found->stage_count; i++) {
        add_line(out, width, "", found->stages[i].name, dse_cycles_spread(found->stages[i].cycles, found->items));
        dse_strbuf_add(out, csv ? ",\n" : "\n");
    }
    struct dse_cycles_spread total = dse_cycles_spread(found->total, found->items);
    add_line(out, width, "total", "", total);
    if (csv)
        dse_strbuf_add(out, ",\n");
    else
        dse_strbuf_printf(out, "  %s at %.0f MHz\n",
                          dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, total.mean / found->clock_hz),
                          found->clock_hz / 1e6);
    if (!csv && found->interval_cycles > 0.0)
        dse_strbuf_printf(out, "%-*s %-12s %12.1f cycles between answers with a full queue, %.6g %s/s\n", width, "interval", "",
                          found->interval_cycles, found->clock_hz / found->interval_cycles, r->executor->kind->items);
}

void dse_simulation_write(const struct dse_simulation_report *report, enum dse_format format, struct dse_strbuf *out)
{
    if (format == DSE_FORMAT_JSON) {
        json_t *object = simulation_json(report);
        if (report->load != NULL)
            json_object_set_new(object, "load", dse_load_json(report->load));
        dse_json_add_digits(out, 17, object);
        return;
    }
    write_lines(report, format == DSE_FORMAT_CSV, out);
    if (report->load != NULL)
        dse_load_write(report->load, &report->board->host, out);
}

void dse_simulation_write_cycles(const struct dse_simulation *found, const char *item, struct dse_strbuf *out)
{
    dse_strbuf_add(out, item);
    for (size_t i = 0; i < found->stage_count; i++)
        dse_strbuf_printf(out, ",stage.%s", found->stages[i].name);
    for (size_t i = 0; i < found->engine_count; i++)
        dse_strbuf_printf(out, ",engine.%s", found->engines[i].name);
    dse_strbuf_add(out, ",total\n");
    for (size_t n = 0; n < found->items; n++) {
        dse_strbuf_printf(out, "%zu", n);
        for (size_t i = 0; i < found->stage_count; i++)
            dse_strbuf_printf(out, ",%" PRIu64, found->stages[i].cycles[n]);
        for (size_t i = 0; i < found->engine_count; i++)
            dse_strbuf_printf(out, ",%" PRIu64, found->engines[i].cycles[n]);
        dse_strbuf_printf(out, ",%" PRIu64 "\n", found->total[n]);
    }
}
