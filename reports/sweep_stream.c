/* Streams a front as JSON or CSV: it may have a hundred thousand designs, with half a gigabyte of text. */
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "reports/corners.h"
#include "reports/sweep.h"

#define PART_DESIGNS 2  /* designs formatted by one thread */
#define WAVE_PARTS 16    /* parts formatted at the same time */
#define AFTER_INTERRUPT_S 0.02

struct stream {
    const struct dse_sweep_report *report;
    const struct dse_front *front;
    size_t *rank;        /* count: 1 is the most balanced */
    size_t depth;        /* nesting depth of JSON */
    bool ids;            /* CSV: with design IDs */
    const char *provenance; /* CSV: in the first row */
    void (*add)(const struct stream *stream, const struct dse_design *design, size_t place, struct dse_table *table,
                struct dse_strbuf *out);
    bool tabled; /* table rows written as CSV */
    size_t begin;
    struct dse_strbuf part[WAVE_PARTS];
};

/* ---- JSON ---- */

static void add_json(const struct stream *stream, const struct dse_design *design, size_t place, struct dse_table *table,
                     struct dse_strbuf *out)
{
    (void)table;
    const bool compact = stream->report->compact;
    struct dse_json_writer w = {.out = out, .indent = stream->depth + 4, .one_line = compact};
    dse_strbuf_printf(out, "%s\n%*s", place > 0 ? "," : "", (int)stream->depth + 4, "");
    dse_json_open(&w, NULL, '{');
    dse_estimate_write_json(design, compact ? DSE_ESTIMATE_COMPACT : DSE_ESTIMATE_OF_MANY, &w);
    dse_json_write_whole(&w, "rank", (int64_t)stream->rank[place]);
    dse_json_write_tree(&w, "corners", dse_corners_names(&stream->front->corners, place));
    dse_json_close(&w, '}');
}

/* ---- CSV ---- */

static void add_headings(const struct stream *stream, struct dse_table *table)
{
    const struct dse_workbench *bench = stream->report->exploration->bench;
    if (stream->ids)
        dse_table_column(table, "id", true);
    if (stream->report->compact)
        dse_estimate_compact_columns(bench, table);
    else
        dse_estimate_columns(bench, table);
    dse_table_columns(table, "front_chance>|rank>|corners|provenance");
}

static void add_row(const struct stream *stream, const struct dse_design *design, size_t place, struct dse_table *table,
                    struct dse_strbuf *out)
{
    (void)out;
    char corners[128];
    if (stream->ids)
        dse_table_cell(table, "%lld", (long long)design->id);
    if (stream->report->compact)
        dse_estimate_compact_row(design, table);
    else
        dse_estimate_row(design, table);
    dse_table_real(table, "%g", design->chance > 0.0 ? design->chance : NAN, "");
    dse_table_cell(table, "%zu", stream->rank[place]);
    dse_table_text(table, dse_corners_words(&stream->front->corners, place, corners));
    dse_table_text(table, place == 0 ? stream->provenance : "");
}

/* ---- the front ---- */

static enum dse_status write_part(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct stream *stream = user;
    struct dse_strbuf *out = &stream->part[index];
    struct dse_table table DSE_CLEANUP(dse_table_free) = {0};
    struct dse_estimate *room DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *room);
    size_t first = stream->begin + index * PART_DESIGNS, end = first + PART_DESIGNS;
    if (stream->tabled)
        add_headings(stream, &table);
    for (size_t place = first; place < end && place < stream->front->count; place++) {
        struct dse_design design;
        DSE_TRY(dse_front_design(stream->front, place, room, &design, err));
        stream->add(stream, &design, place, &table, out);
    }
    if (stream->tabled)
        dse_table_write_csv_rows(&table, out);
    return DSE_OK;
}

static enum dse_status write_wave(struct stream *stream, const struct dse_sink *sink, struct dse_error *err)
{
    size_t left = stream->front->count - stream->begin, parts = (left + PART_DESIGNS - 1) / PART_DESIGNS;
    parts = parts < WAVE_PARTS ? parts : WAVE_PARTS;
    enum dse_status status =
        dse_parallel_for(parts, stream->report->exploration->question.jobs, write_part, stream, NULL, err);
    for (size_t i = 0; i < parts; i++) {
        if (status == DSE_OK)
            status = dse_sink_flush(sink, &stream->part[i], err);
        dse_strbuf_free(&stream->part[i]);
    }
    stream->begin += parts * PART_DESIGNS;
    return status;
}

/* Writes until the end, or until the time left after an interruption is used up. */
static enum dse_status write_front(struct stream *stream, const struct dse_sink *sink, struct dse_sweep_written *count,
                                   struct dse_error *err)
{
    const struct dse_monitor *monitor = stream->report->exploration->question.monitor;
    double deadline_s = INFINITY;
    while (stream->begin < stream->front->count) {
        if (isinf(deadline_s) && dse_monitor_cancelled(monitor))
            deadline_s = dse_clock_s() + AFTER_INTERRUPT_S;
        if (dse_clock_s() > deadline_s)
            break;
        DSE_TRY(write_wave(stream, sink, err));
    }
    count->written += stream->begin < stream->front->count ? stream->begin : stream->front->count;
    count->of += stream->front->count;
    return DSE_OK;
}

static struct stream open_stream(const struct dse_sweep_report *report)
{
    const struct dse_front *front = &report->exploration->front;
    struct stream stream = {.report = report, .front = front, .rank = dse_calloc(front->count + 1, sizeof *stream.rank)};
    for (size_t i = 0; i < front->count; i++)
        stream.rank[front->order[i]] = i + 1;
    return stream;
}

static void close_stream(struct stream *stream)
{
    free(stream->rank);
}

enum dse_status dse_sweep_write_json(const struct dse_sweep_report *report, size_t depth, const struct dse_sink *sink,
                                     struct dse_sweep_written *count, struct dse_error *err)
{
    struct stream stream DSE_CLEANUP(close_stream) = open_stream(report);
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    stream.depth = depth;
    stream.add = add_json;
    dse_sweep_write_head(report, depth, &text);
    dse_strbuf_printf(&text, ",\n%*s\"front\": [", (int)depth + 2, "");
    DSE_TRY(dse_sink_flush(sink, &text, err));
    DSE_TRY(write_front(&stream, sink, count, err));
    if (stream.begin > 0)
        dse_strbuf_printf(&text, "\n%*s", (int)depth + 2, "");
    dse_strbuf_printf(&text, "]%s%*s%s", depth > 0 ? "\n" : "", (int)depth, "", depth > 0 ? "}" : "");
    return dse_sink_flush(sink, &text, err);
}

enum dse_status dse_sweep_write_csv(const struct dse_sweep_report *report, bool headed, const struct dse_sink *sink,
                                    struct dse_sweep_written *count, struct dse_error *err)
{
    struct stream stream DSE_CLEANUP(close_stream) = open_stream(report);
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0}, provenance DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_table table DSE_CLEANUP(dse_table_free) = {0};
    dse_json_add_line(&provenance, dse_sweep_provenance(report));
    stream.add = add_row;
    stream.tabled = true;
    stream.ids = stream.front->count > 0 && stream.front->designs[0].id > 0;
    stream.provenance = dse_strbuf_text(&provenance);
    if (headed) {
        add_headings(&stream, &table);
        dse_table_write_csv(&table, &text);
        DSE_TRY(dse_sink_flush(sink, &text, err));
    }
    return write_front(&stream, sink, count, err);
}
