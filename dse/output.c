#include "dse/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/rehearsal.h"
#include "core/utf8.h"
#include "dse/joint.h"
#include "explore/record.h"
#include "reports/json.h"
#include "reports/terminal.h"

enum dse_status dse_output_text(const struct dse_cli *cli, struct dse_strbuf *text, struct dse_error *err)
{
    enum dse_status status = dse_cli_print(cli, dse_strbuf_text(text), err);
    dse_strbuf_free(text);
    return status;
}

enum dse_status dse_output_script(const struct dse_cli *cli, const char *name, struct dse_strbuf *text, struct dse_error *err)
{
    struct dse_strbuf json = {0};
    if (dse_cli_format(cli) == DSE_FORMAT_TABLE)
        return dse_output_text(cli, text, err);
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        dse_json_add(&json, json_pack("{s:s, s:s, s:s}", "schema", "nysx-dse.script/1", "name", name, "text", dse_strbuf_text(text)));
    dse_strbuf_free(text);
    if (json.length == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--format csv: %s is text without a table", name);
    return dse_output_text(cli, &json, err);
}

#define HELD (1u << 20) /* bytes of an answer that wait for its end */

static enum dse_status put(struct dse_output_stream *stream, const char *bytes, size_t count, struct dse_error *err)
{
    bool file = stream->writer.stream != NULL;
    dse_rehearsal_ends();
    if (fwrite(bytes, 1, count, file ? stream->writer.stream : dse_cli_answers()) == count)
        return DSE_OK;
    stream->closed = !file && errno == EPIPE;
    return dse_fail_errno(err, DSE_LIMIT, file ? stream->writer.path : "standard output", "write", errno);
}

enum dse_status dse_output_flush(struct dse_output_stream *stream, struct dse_error *err)
{
    if (stream->flows || stream->writer.stream != NULL)
        return DSE_OK;
    stream->flows = true;
    enum dse_status status = put(stream, dse_strbuf_text(&stream->held), stream->held.length, err);
    dse_strbuf_free(&stream->held);
    return status;
}

static enum dse_status take(void *user, const char *bytes, size_t count, struct dse_error *err)
{
    struct dse_output_stream *stream = user;
    if (stream->writer.stream == NULL && !stream->flows) {
        if (stream->held.length + count <= HELD) {
            dse_strbuf_add_n(&stream->held, bytes, count);
            return DSE_OK;
        }
        DSE_TRY(dse_output_flush(stream, err));
    }
    return put(stream, bytes, count, err);
}

enum dse_status dse_output_open(const struct dse_cli *cli, struct dse_output_stream *stream, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "output");
    *stream = (struct dse_output_stream){.sink = {take, stream}};
    if (path != NULL)
        return dse_file_begin(path, &stream->writer, err);
    dse_cli_clear(cli);
    return DSE_OK;
}

enum dse_status dse_output_close(struct dse_output_stream *stream, enum dse_status status, struct dse_error *err)
{
    if (stream->writer.stream == NULL) {
        if (status == DSE_OK)
            status = dse_output_flush(stream, err);
        dse_strbuf_free(&stream->held);
        if (status == DSE_OK && fflush(dse_cli_answers()) != 0 && errno != EPIPE)
            return dse_fail_errno(err, DSE_LIMIT, "standard output", "write", errno);
        return stream->closed ? DSE_OK : status; /* the reader closed the pipe (`| head`): not a failure */
    }
    if (status == DSE_OK)
        return dse_file_commit(&stream->writer, err);
    dse_file_abort(&stream->writer);
    return status;
}

enum dse_status dse_output_standard(const struct dse_cli *cli, const struct dse_strbuf *text, struct dse_error *err)
{
    DSE_TEXT(shown);
    DSE_TEXT(painted);
    dse_utf8_show(&shown, dse_strbuf_text(text), true);
    if (dse_cli_format(cli) != DSE_FORMAT_TABLE)
        return dse_cli_put(dse_strbuf_text(&shown), err);
    dse_terminal_paint(dse_strbuf_text(&shown), dse_terminal_width(), dse_terminal_colour(), &painted);
    return dse_cli_put(dse_strbuf_text(&painted), err);
}

void dse_output_notes(const struct dse_cli *cli, const char *lines)
{
    for (; *lines != '\0'; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        dse_cli_note(cli, "%.*s", (int)strcspn(lines, "\n"), lines);
}

enum dse_status dse_output_json(const struct dse_cli *cli, const char *schema, json_t *results, bool alone,
                                struct dse_error *err)
{
    struct dse_strbuf text = {0};
    json_t *written = alone ? json_incref(json_array_get(results, 0)) : json_object();
    if (!alone) {
        json_object_set_new(written, "schema", json_string(schema));
        json_object_set(written, "results", results);
    }
    json_decref(results);
    dse_json_add(&text, written);
    return dse_output_text(cli, &text, err);
}

void dse_output_join(const struct dse_cli *cli, struct dse_strbuf *part, struct dse_strbuf *text)
{
    bool csv = dse_cli_format(cli) == DSE_FORMAT_CSV, first = text->length == 0;
    const char *rows = dse_strbuf_text(part);
    dse_strbuf_add(text, first || csv ? "" : "\n\n");
    dse_strbuf_add(text, csv && !first ? rows + strcspn(rows, "\n") + 1 : rows);
    dse_strbuf_free(part);
}

enum dse_status dse_output_csv(const struct dse_cli *cli, struct dse_table *table, struct dse_error *err)
{
    struct dse_strbuf text = {0};
    dse_table_finish_csv(table, &text);
    return dse_output_text(cli, &text, err);
}

void dse_output_why_tell(const struct dse_why_report *report)
{
    struct dse_strbuf text = {0};
    if (report->message[0] != '\0')
        dse_terminal_tell("nysx-dse: ", report->message);
    if (report->why == NULL)
        return;
    dse_why_write(report, dse_terminal_width(), &text);
    dse_terminal_tell_lines("", dse_strbuf_text(&text));
    dse_strbuf_free(&text);
}

static struct dse_why_report report_of(const struct dse_exploration *e)
{
    return (struct dse_why_report){&e->question, e->profile->dataset, dse_profile_quality_name(e->profile), e->why, e->ended.message, e->answer.rejection,
                                   .choices = &e->choices, .load_s = e->terms->p99_load_s, .least_load_s = e->least_load.s};
}

void dse_output_tell(void *user, const struct dse_exploration *exploration)
{
    (void)user;
    struct dse_why_report report = report_of(exploration);
    if (exploration->answer.outcome != DSE_OUTCOME_INTERRUPTED && exploration->answer.front_count == 0)
        dse_output_why_tell(&report);
}

/* Whether there is something to print. */
static bool is_due(const struct dse_cli *cli, const struct dse_explored *explored)
{
    bool why = false;
    for (size_t i = 0; i < explored->count; i++)
        why |= explored->each[i].why != NULL;
    if (explored->ended.message[0] != '\0') /* a file of -o is for whole results */
        return (explored->answered > 0 || (why && dse_cli_format(cli) == DSE_FORMAT_JSON)) && dse_cli_value(cli, "output") == NULL;
    return explored->answered > 0 || (dse_cli_format(cli) == DSE_FORMAT_JSON && (explored->count > 1 || why));
}

/* How to continue after an interruption: the command with --resume, or the option that would have kept the results. */
static void tell_resuming(const struct dse_cli *cli, const struct dse_explored *explored, const char *command, struct dse_strbuf *out)
{
    if (explored->study == NULL && !dse_cli_parted()) {
        dse_strbuf_add(out, "--study FILE.db saves a search, and --resume continues it");
        return;
    }
    dse_strbuf_add(out, "to continue: ");
    dse_record_command(dse_cli_request(cli), command, out);
    if (explored->study == NULL) /* measurements of the survey are kept without a study */
        return;
    dse_strbuf_add(out, " --study ");
    dse_strbuf_add_shell(out, dse_cli_value(cli, "study"));
    dse_strbuf_add(out, " --resume");
}

/* The outcome of the command, after its output; `printed` is the status of that output (DSE_OK if there was none). */
static enum dse_status verdict(const struct dse_cli *cli, const struct dse_explored *explored, const char *command, enum dse_status printed,
                               struct dse_error *err)
{
    bool studied = explored->study != NULL;
    DSE_TEXT(resuming);
    tell_resuming(cli, explored, command, &resuming);
    if (printed != DSE_OK)
        return printed;
    if (explored->ended.message[0] == '\0' && explored->answered > 0 && dse_cli_parted())
        return dse_fail(err, DSE_LIMIT, "interrupted: this is the best design so far; %s", dse_strbuf_text(&resuming));
    if (explored->ended.message[0] == '\0')
        return explored->answered > 0 ? DSE_OK : dse_fail(err, explored->cut ? DSE_LIMIT : DSE_ANSWER_NO, "%s", "");
    if (is_due(cli, explored))
        return dse_fail(err, DSE_LIMIT, "interrupted: these are the results so far; %s", dse_strbuf_text(&resuming));
    if (explored->interrupted && studied)
        return dse_fail(err, DSE_LIMIT, "interrupted: the results so far are in the study; %s", dse_strbuf_text(&resuming));
    return dse_fail(err, DSE_LIMIT, "%s", explored->ended.message);
}

enum dse_status dse_output_explored(const struct dse_cli *cli, const struct dse_terms *terms, const char *command, dse_output_printing *print,
                                    struct dse_error *err)
{
    if (dse_cli_value(cli, "combine") != NULL)
        return dse_joint_run(cli, terms, command, err);
    struct dse_explored explored;
    enum dse_status status = dse_explore(dse_cli_request(cli), terms, command, dse_output_tell, NULL, &explored, err);
    if (status == DSE_OK && is_due(cli, &explored))
        status = print(cli, &explored, err);
    status = verdict(cli, &explored, command, status, err);
    dse_explored_free(&explored);
    return status;
}

json_t *dse_output_why(const struct dse_exploration *exploration)
{
    struct dse_why_report report = report_of(exploration);
    return exploration->why != NULL ? dse_why_json(&report) : NULL;
}

static enum dse_status read_legend(const char *word, enum dse_chart_legend *out, struct dse_error *err)
{
    for (int i = 0; dse_chart_legends[i] != NULL; i++)
        if (strcmp(word, dse_chart_legends[i]) == 0) {
            *out = (enum dse_chart_legend)i;
            return DSE_OK;
        }
    return dse_fail(err, DSE_BAD_USAGE, "--legend %s: must be above, outside, inside or none", word);
}

enum dse_status dse_output_style(const struct dse_cli *cli, struct dse_chart_style plain, struct dse_chart_style *style, struct dse_error *err)
{
    const char *size = dse_cli_value(cli, "size"), *font = dse_cli_value(cli, "font");
    const char *named = dse_cli_value(cli, "style"), *legend = dse_cli_value(cli, "legend");
    *style = plain;
    if (named != NULL)
        DSE_TRY(dse_chart_style_named(named, style, err));
    style->title = dse_cli_value(cli, "title");
    style->x_label = dse_cli_value(cli, "xlabel");
    style->y_label = dse_cli_value(cli, "ylabel");
    style->log_x = dse_cli_flag(cli, "logx");
    style->log_y = dse_cli_flag(cli, "logy");
    style->x_range = dse_cli_value(cli, "xlim");
    style->y_range = dse_cli_value(cli, "ylim");
    if (legend != NULL)
        DSE_TRY(read_legend(legend, &style->legend, err));
    if (size != NULL)
        DSE_TRY(dse_chart_size(size, style, err));
    if (font != NULL && *font == '\0')
        return dse_fail(err, DSE_BAD_USAGE, "--font: the name is empty");
    style->font = font != NULL ? font : style->font;
    DSE_TRY(dse_cli_real(cli, "dpi", 36, 1200, style->dpi, &style->dpi, err));
    return dse_cli_real(cli, "text", 4, 72, style->text, &style->text, err);
}
