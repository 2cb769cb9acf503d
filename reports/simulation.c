#include "reports/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/order.h"
#include "core/units.h"
#include "reports/json.h"
#include "reports/load.h"
#include "reports/table.h"

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

/* Cycles between answers: of the accelerator, or of the processor if it is slower. */
static double delivered_of(const struct dse_simulation *found)
{
    return found->interval_cycles > found->prepare_cycles ? found->interval_cycles : found->prepare_cycles;
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
        json_object_set_new(totals, "interval_cycles", json_real(delivered_of(found)));
        json_object_set_new(totals, "throughput_hz", json_real(found->clock_hz / delivered_of(found)));
    }
    if (r->data == NULL)
        return json_pack("{s:s, s:s, s:s, s:s, s:f, s:o, s:o, s:o}", "schema", "nysx-dse.simulate/1", "family", r->executor->family, "board",
                         r->board->name, "program", r->program, "clock_hz", found->clock_hz, "engines", engines, "stages", stages, "total",
                         totals);
    char equal[64];
    snprintf(equal, sizeof equal, "%s_equal", r->executor->compared);
    return json_pack("{s:s, s:s, s:s, s:s, s:s*, s:I, s:I, s:f, s:f, s:o, s:o, s:o}", "schema", "nysx-dse.simulate/1", "family",
                     r->executor->family, "board", r->board->name, "dataset", r->data->name, "origin", r->origin, r->executor->kind->items,
                     (json_int_t)found->items, equal, (json_int_t)found->equal, r->executor->quality_name, found->quality,
                     "clock_hz", found->clock_hz, "engines", engines, "stages", stages, "total", totals);
}

static void write_csv_line(const char *name, const char *stage, struct dse_cycles_spread s, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "%s,%s,%.17g,%llu,%llu,%llu,%llu,", name, stage, s.mean, s.p50, s.p95, s.p99, s.most);
}

static void write_csv(const struct dse_simulation *found, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "engine,stage,cycles_mean,cycles_p50,cycles_p95,cycles_p99,cycles_max,waiting_cycles\n");
    for (size_t i = 0; i < found->engine_count; i++) {
        write_csv_line(found->engines[i].name, found->engines[i].stage, dse_cycles_spread(found->engines[i].cycles, found->items), out);
        dse_strbuf_printf(out, "%.17g\n", found->engines[i].waiting_cycles);
    }
    for (size_t i = 0; i < found->stage_count; i++) {
        write_csv_line("", found->stages[i].name, dse_cycles_spread(found->stages[i].cycles, found->items), out);
        dse_strbuf_add(out, "\n");
    }
    write_csv_line("total", "", dse_cycles_spread(found->total, found->items), out);
    dse_strbuf_add(out, "\n");
}

/* A line without its last cell. */
static void add_line(struct dse_table *table, const char *name, const char *stage, struct dse_cycles_spread s)
{
    const unsigned long long ranks[] = {s.p50, s.p95, s.p99, s.most};
    dse_table_text(table, name);
    dse_table_text(table, stage);
    dse_table_cell(table, "%.0f", s.mean);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        dse_table_cell(table, "%llu", ranks[i]);
}

/* Cycles of engines, stages and the whole; then the counters of the engines that have any. */
static void write_table(const struct dse_simulation *found, size_t width, struct dse_strbuf *out)
{
    struct dse_table table = {0}, counters = {0};
    dse_table_columns(&table, "engine|stage|mean>|p50>|p95>|p99>|max>|waits>");
    dse_table_columns(&counters, "engine|counts, mean");
    for (size_t i = 0; i < found->engine_count; i++) {
        const struct dse_simulated_engine *engine = &found->engines[i];
        struct dse_strbuf counts DSE_CLEANUP(dse_strbuf_free) = {0};
        add_line(&table, engine->name, engine->stage, dse_cycles_spread(engine->cycles, found->items));
        dse_table_cell(&table, "%.0f", engine->waiting_cycles);
        for (size_t k = 0; k < engine->count_count; k++)
            dse_strbuf_printf(&counts, engine->counts[k].mean < 1e5 ? "%s%s=%.5g" : "%s%s=%.0f", k > 0 ? " " : "", engine->counts[k].name, engine->counts[k].mean);
        if (engine->count_count == 0)
            continue;
        dse_table_text(&counters, engine->name);
        dse_table_text(&counters, dse_strbuf_text(&counts));
    }
    for (size_t i = 0; i < found->stage_count; i++) {
        add_line(&table, "whole stage", found->stages[i].name, dse_cycles_spread(found->stages[i].cycles, found->items));
        dse_table_text(&table, "");
    }
    add_line(&table, "total", "", dse_cycles_spread(found->total, found->items));
    dse_table_text(&table, "");
    dse_table_finish(&table, width, out);
    if (counters.cell_count > 0)
        dse_strbuf_add(out, "\n");
    if (counters.cell_count > 0)
        dse_table_finish(&counters, width, out);
    else
        dse_table_free(&counters);
}

static void write_people(const struct dse_simulation_report *r, size_t width, struct dse_strbuf *out)
{
    const struct dse_simulation *found = r->found;
    char time[32];
    if (r->data == NULL)
        dse_strbuf_printf(out, "%s on %s\n", r->program, r->board->name);
    else
        dse_strbuf_printf(out, "%s on %s: %zu %s, %s %.4f; %s equal those of `infer` for %zu\n", r->data->name, r->board->name, found->items,
                          r->executor->kind->items, dse_quality_title(r->executor->quality_name), found->quality, r->executor->compared, found->equal);
    if (r->origin != NULL)
        dse_strbuf_printf(out, "design: %s\n", r->origin);
    if (r->data != NULL)
        dse_strbuf_printf(out, "cycles per %s; waits: cycles of its stages in which an engine waits, mean\n", r->executor->kind->item);
    write_table(found, width, out);
    dse_strbuf_printf(out, "mean latency: %s at %.0f MHz\n",
                      dse_quantity_format(time, sizeof time, DSE_DIMENSION_TIME, dse_cycles_spread(found->total, found->items).mean / found->clock_hz),
                      found->clock_hz / 1e6);
    if (found->interval_cycles > 0.0)
        dse_strbuf_printf(out, "interval: %.1f cycles between answers with a full queue, %.0f %s/s\n", delivered_of(found),
                          found->clock_hz / delivered_of(found), r->executor->kind->items);
}

void dse_simulation_write(const struct dse_simulation_report *report, enum dse_format format, size_t width, struct dse_strbuf *out)
{
    if (format == DSE_FORMAT_JSON) {
        json_t *object = simulation_json(report);
        if (report->load != NULL)
            json_object_set_new(object, "load", dse_load_json(report->load));
        dse_json_add_digits(out, 17, object);
        return;
    }
    if (format == DSE_FORMAT_CSV)
        write_csv(report->found, out);
    else
        write_people(report, width, out);
    if (report->load != NULL)
        dse_load_write(report->load, &report->board->host, report->items, out);
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
