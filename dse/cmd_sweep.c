/* `nysx-dse sweep`: explores a space and prints the designs that stand out. */
#include <stdlib.h>
#include <string.h>

#include "dse/commands.h"
#include "dse/output.h"
#include "reports/space.h"
#include "reports/sweep.h"
#include "reports/terminal.h"

static enum dse_status put(const struct dse_sink *sink, struct dse_error *err, const char *text)
{
    return sink->take(sink->user, text, strlen(text), err);
}

/* For a single board and data set: the answer's members, and `results` with the answer as its only element. */
static enum dse_status write_alone(const struct dse_exploration *e, bool compact, const struct dse_sink *sink, struct dse_sweep_written *count,
                                   struct dse_error *err)
{
    struct dse_sweep_report report = {.exploration = e, .command = "sweep", .compact = compact};
    struct dse_sweep_written again = {0};
    DSE_TEXT(why);
    if (e->front.count == 0) {
        dse_json_add(&why, dse_output_why(e));
        return dse_sink_flush(sink, &why, err);
    }
    DSE_TRY(dse_sweep_write_json(&report, 0, sink, count, err));
    DSE_TRY(put(sink, err, ",\n  \"results\": [\n    "));
    DSE_TRY(dse_sweep_write_json(&report, 4, sink, &again, err));
    if (count->written == count->of) /* otherwise an interruption cut the first copy, and the second holds only those designs */
        count->written = again.written;
    return put(sink, err, "\n  ]\n}\n");
}

static enum dse_status write_json(const struct dse_explored *explored, bool compact, const struct dse_sink *sink,
                                  struct dse_sweep_written *count, struct dse_error *err)
{
    bool alone = explored->bench.board_count * explored->bench.profile_count == 1, first = true;
    if (alone && explored->count == 1)
        return write_alone(&explored->each[0], compact, sink, count, err);
    DSE_TRY(put(sink, err, "{\n  \"$schema\": \"urn:nysx-dse:schema:sweeps:1\",\n  \"schema\": \"nysx-dse.sweeps/1\",\n  \"results\": ["));
    for (size_t i = 0; i < explored->count; i++) {
        const struct dse_exploration *e = &explored->each[i];
        struct dse_sweep_report report = {.exploration = e, .command = "sweep", .compact = compact};
        struct dse_strbuf why = {0};
        if (e->front.count == 0 && e->why == NULL)
            continue;
        DSE_TRY(put(sink, err, first ? "\n    " : ",\n    "));
        first = false;
        if (e->front.count > 0) {
            DSE_TRY(dse_sweep_write_json(&report, 4, sink, count, err));
        } else {
            dse_json_add_at(&why, 4, dse_output_why(e));
            DSE_TRY(dse_sink_flush(sink, &why, err));
        }
    }
    return put(sink, err, first ? "]\n}\n" : "\n  ]\n}\n");
}

static enum dse_status write_csv(const struct dse_explored *explored, bool compact, const struct dse_sink *sink,
                                 struct dse_sweep_written *count, struct dse_error *err)
{
    bool headed = true;
    for (size_t i = 0; i < explored->count; i++) {
        struct dse_sweep_report report = {.exploration = &explored->each[i], .command = "sweep", .compact = compact};
        if (explored->each[i].front.count == 0)
            continue;
        DSE_TRY(dse_sweep_write_csv(&report, headed, sink, count, err));
        headed = false;
    }
    return DSE_OK;
}

static enum dse_status stream(const struct dse_cli *cli, const struct dse_explored *explored, struct dse_error *err)
{
    struct dse_output_stream stream;
    struct dse_sweep_written count = {0};
    bool compact = dse_cli_flag(cli, "compact");
    DSE_TRY(dse_output_open(cli, &stream, err));
    enum dse_status status = dse_cli_format(cli) == DSE_FORMAT_JSON ? write_json(explored, compact, &stream.sink, &count, err)
                                                                    : write_csv(explored, compact, &stream.sink, &count, err);
    bool cut = status == DSE_OK && count.written < count.of;
    if (cut)
        status = dse_output_flush(&stream, err);
    if (cut && status == DSE_OK)
        status = dse_fail(err, DSE_LIMIT, "interrupted: %zu of %zu designs were written%s", count.written, count.of,
                          explored->study != NULL ? "; the study holds all of them" : "");
    return dse_output_close(&stream, status, err);
}

static enum dse_status print(const struct dse_cli *cli, const struct dse_explored *explored, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    bool wide = dse_cli_flag(cli, "wide");
    size_t best = wide || dse_cli_flag(cli, "top") ? explored->each[0].terms->best : 0;
    size_t shown = wide || dse_cli_flag(cli, "front") ? explored->each[0].terms->shown : 0;
    if (dse_cli_format(cli) != DSE_FORMAT_TABLE)
        return stream(cli, explored, err);
    for (size_t i = 0; i < explored->count; i++) {
        struct dse_sweep_report report = {.exploration = &explored->each[i], .command = "sweep", .best = best, .shown = shown};
        struct dse_strbuf part = {0};
        if (explored->each[i].front.count == 0)
            continue;
        dse_sweep_write(&report, dse_terminal_width(), &part);
        dse_output_join(cli, &part, &text);
    }
    return dse_output_text(cli, &text, err);
}

static enum dse_status describe(const struct dse_cli *cli, struct dse_error *err)
{
    const struct dse_model_family *family = NULL;
    DSE_TRY(dse_model_open(dse_cli_family(cli), &family, err));
    struct dse_space *space = NULL;
    DSE_TEXT(text);
    DSE_TRY(dse_model_space(family, dse_cli_value(cli, "space"), &space, err));
    dse_knob_set hardware = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    dse_space_write(family, space, hardware, dse_cli_format(cli), dse_terminal_width(), &text);
    dse_space_free(space);
    return dse_output_text(cli, &text, err);
}

enum dse_status dse_run_sweep(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_terms terms;
    int64_t top = 0, front = 0;
    if (dse_cli_flag(cli, "describe"))
        return describe(cli, err);
    DSE_TRY(dse_cli_apart(cli, "study", err));
    if (dse_cli_flag(cli, "compact") && dse_cli_format(cli) == DSE_FORMAT_TABLE)
        return dse_fail(err, DSE_BAD_USAGE, "--compact: is for --format json and csv");
    DSE_TRY(dse_terms_read(dse_cli_request(cli), false, DSE_DEFAULT_OBJECTIVES, &terms, err));
    DSE_TRY(dse_cli_integer(cli, "top", 1, 1000, 5, &top, err));
    DSE_TRY(dse_cli_integer(cli, "front", 1, 100000, 20, &front, err));
    terms.shows_load = true;
    terms.best = (size_t)top;
    terms.shown = (size_t)front;
    terms.estimates_all = dse_cli_format(cli) != DSE_FORMAT_TABLE;
    return dse_output_explored(cli, &terms, "sweep", print, err);
}
