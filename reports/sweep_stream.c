/* A front as JSON or CSV, a piece at a time: it may have a hundred thousand designs, whose text is half a gigabyte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "reports/sweep.h"

#define PART_DESIGNS 8  /* that one thread turns into text */
#define WAVE_PARTS 16    /* that are text at the same time */
#define AFTER_INTERRUPT_S 0.05

struct stream {
    const struct dse_sweep_report *report;
    const struct dse_front *front;
    size_t *rank;        /* count: 1 is the most balanced */
    size_t depth;        /* of JSON */
    bool ids;            /* CSV: the designs have numbers */
    const char *provenance; /* CSV: of the first row */
    void (*add)(const struct stream *stream, const struct dse_design *design, size_t place, struct dse_table *table,
                struct dse_strbuf *out);
    bool tabled; /* rows of a table, written as CSV */
    size_t begin;
    struct dse_strbuf part[WAVE_PARTS];
};

/* ---- JSON ---- */

static json_t *corners_of(const struct dse_front *front, size_t place)
{
    json_t *names = json_array();
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (front->corners.at[c] == place)
            json_array_append_new(names, json_string(dse_corner_names[c]));
    return names;
}

static void add_json(const struct stream *stream, const struct dse_design *design, size_t place, struct dse_table *table,
                     struct dse_strbuf *out)
{
    (void)table;
    bool compact = stream->report->compact;
    json_t *object = compact ? dse_estimate_compact_json(design) : dse_estimate_json(design);
    json_object_del(json_object_get(object, "provenance"), "costs"); /* `estimate` lists the entries */
    json_object_set_new(object, "rank", json_integer((json_int_t)stream->rank[place]));
    json_object_set_new(object, "corners", corners_of(stream->front, place));
    dse_strbuf_printf(out, "%s\n%*s", place > 0 ? "," : "", (int)stream->depth + 4, "");
    if (compact)
        dse_json_add_line(out, object);
    else
        dse_json_add_at(out, stream->depth + 4, object);
}

/* ---- CSV ---- */

static void add_headings(const struct stream *stream, struct dse_table *table)
{
    const struct dse_question *question = &stream->report->exploration->question;
    if (stream->ids)
        dse_table_column(table, "id", true);
    if (stream->report->compact)
        dse_estimate_compact_columns(question->space, table);
    else
        dse_estimate_columns(question->family, question->space, table);
    dse_table_column(table, "front_chance", true);
    dse_table_column(table, "rank", true);
    dse_table_column(table, "corners", false);
    dse_table_column(table, "provenance", false);
}

static void add_row(const struct stream *stream, const struct dse_design *design, size_t place, struct dse_table *table,
                    struct dse_strbuf *out)
{
    (void)out;
    char corners[128] = "";
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (stream->front->corners.at[c] == place) {
            strcat(corners, *corners != '\0' ? " " : "");
            strcat(corners, dse_corner_names[c]);
        }
    if (stream->ids)
        dse_table_cell(table, "%lld", (long long)design->id);
    if (stream->report->compact)
        dse_estimate_compact_row(design, table);
    else
        dse_estimate_row(design, table);
    if (design->chance > 0.0)
        dse_table_cell(table, "%g", design->chance);
    else
        dse_table_text(table, "");
    dse_table_cell(table, "%zu", stream->rank[place]);
    dse_table_cell(table, "%s", corners);
    dse_table_text(table, place == 0 ? stream->provenance : "");
}

/* ---- the front ---- */

static enum dse_status write_part(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct stream *stream = user;
    struct dse_strbuf *out = &stream->part[index];
    struct dse_table table = {0};
    struct dse_estimate *room = dse_malloc(sizeof *room);
    enum dse_status status = room != NULL ? DSE_OK : dse_fail_memory(err);
    size_t first = stream->begin + index * PART_DESIGNS, end = first + PART_DESIGNS;
    if (stream->tabled)
        add_headings(stream, &table);
    for (size_t place = first; place < end && place < stream->front->count && status == DSE_OK; place++) {
        struct dse_design design;
        status = dse_front_design(stream->front, place, room, &design, err);
        if (status == DSE_OK)
            stream->add(stream, &design, place, &table, out);
    }
    if (stream->tabled)
        dse_table_write_csv_rows(&table, out);
    if (status == DSE_OK && (table.failed || out->failed))
        status = dse_fail_memory(err);
    dse_table_free(&table);
    free(room);
    return status;
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

/* Until its end, or until what an interruption leaves is used up. */
static enum dse_status write_front(struct stream *stream, const struct dse_sink *sink, struct dse_sweep_written *count,
                                   struct dse_error *err)
{
    const struct dse_monitor *monitor = stream->report->exploration->question.monitor;
    double deadline_s = INFINITY;
    enum dse_status status = DSE_OK;
    while (stream->begin < stream->front->count && status == DSE_OK) {
        if (isinf(deadline_s) && dse_monitor_cancelled(monitor))
            deadline_s = dse_clock_s() + AFTER_INTERRUPT_S;
        if (dse_clock_s() > deadline_s)
            break;
        status = write_wave(stream, sink, err);
    }
    count->written += stream->begin < stream->front->count ? stream->begin : stream->front->count;
    count->of += stream->front->count;
    return status;
}

static enum dse_status open_stream(const struct dse_sweep_report *report, struct stream *stream, struct dse_error *err)
{
    const struct dse_front *front = &report->exploration->front;
    *stream = (struct stream){.report = report, .front = front, .rank = dse_calloc(front->count + 1, sizeof *stream->rank)};
    for (size_t i = 0; i < front->count; i++)
        stream->rank[front->order[i]] = i + 1;
    return DSE_OK;
}

enum dse_status dse_sweep_write_json(const struct dse_sweep_report *report, size_t depth, const struct dse_sink *sink,
                                     struct dse_sweep_written *count, struct dse_error *err)
{
    struct stream stream;
    struct dse_strbuf text = {0};
    enum dse_status status = open_stream(report, &stream, err);
    stream.depth = depth;
    stream.add = add_json;
    if (status == DSE_OK) {
        dse_sweep_write_head(report, depth, &text);
        dse_strbuf_printf(&text, ",\n%*s\"front\": [", (int)depth + 2, "");
        status = dse_sink_flush(sink, &text, err);
    }
    if (status == DSE_OK)
        status = write_front(&stream, sink, count, err);
    if (status == DSE_OK) {
        if (stream.begin > 0)
            dse_strbuf_printf(&text, "\n%*s", (int)depth + 2, "");
        dse_strbuf_printf(&text, "]\n%*s}", (int)depth, "");
        status = dse_sink_flush(sink, &text, err);
    }
    dse_strbuf_free(&text);
    free(stream.rank);
    return status;
}

enum dse_status dse_sweep_write_csv(const struct dse_sweep_report *report, bool headed, const struct dse_sink *sink,
                                    struct dse_sweep_written *count, struct dse_error *err)
{
    struct stream stream;
    struct dse_strbuf text = {0}, provenance = {0};
    struct dse_table table = {0};
    enum dse_status status = open_stream(report, &stream, err);
    dse_json_add_line(&provenance, dse_sweep_provenance(report));
    stream.add = add_row;
    stream.tabled = true;
    stream.ids = stream.front->count > 0 && stream.front->designs[0].id > 0;
    stream.provenance = dse_strbuf_text(&provenance);
    if (status == DSE_OK && provenance.failed)
        status = dse_fail_memory(err);
    if (status == DSE_OK && headed) {
        add_headings(&stream, &table);
        dse_table_write_csv(&table, &text);
        text.failed |= table.failed;
        status = dse_sink_flush(sink, &text, err);
    }
    if (status == DSE_OK)
        status = write_front(&stream, sink, count, err);
    dse_table_free(&table);
    dse_strbuf_free(&text);
    dse_strbuf_free(&provenance);
    free(stream.rank);
    return status;
}
