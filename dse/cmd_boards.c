/* `nysx-dse boards`: the catalogue of boards, and checks of files to be added to it. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/list.h"
#include "core/text.h"
#include "devices/board.h"
#include "devices/vivado.h"
#include "dse/commands.h"
#include "dse/output.h"
#include "reports/boards.h"
#include "reports/json.h"
#include "reports/terminal.h"

/* The boards that a command's words name. */
struct selection {
    struct dse_board **boards;
    size_t count;
};

static void release(struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        dse_board_free(selection->boards[i]);
    free(selection->boards);
}

static enum dse_status add_pattern(struct selection *selection, const char *pattern, struct dse_error *err)
{
    char **names = NULL;
    size_t count = 0;
    enum dse_status status = dse_board_names(pattern, &names, &count, err);
    for (size_t i = 0; status == DSE_OK && i < count; i++)
        status = dse_board_open(names[i], dse_list_more(&selection->boards, &selection->count, sizeof *selection->boards), err);
    dse_share_names_free(names, count);
    return status;
}

typedef void write_boards(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                          enum dse_format format, size_t width);

/* Writes the boards named by the operands after the verb, or by --board; `fallback` if there is none. */
static enum dse_status print_boards(const struct dse_cli *cli, const char *fallback, write_boards *write,
                                    struct dse_error *err)
{
    struct selection selection DSE_CLEANUP(release) = {0};
    DSE_TEXT(text);
    size_t operands = dse_cli_operand_count(cli), named = operands > 0 ? operands - 1 : 0, given = dse_cli_count(cli, "board");
    for (size_t i = 1; i < operands; i++)
        DSE_TRY(add_pattern(&selection, dse_cli_operand(cli, i), err));
    for (size_t i = 0; i < given; i++)
        DSE_TRY(add_pattern(&selection, dse_cli_value_at(cli, "board", i), err));
    if (named + given == 0 && fallback == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "boards show: needs the name of a board; see `nysx-dse boards list`");
    if (named + given == 0)
        DSE_TRY(add_pattern(&selection, fallback, err));
    write(&text, selection.boards, selection.count, dse_cli_format(cli), dse_terminal_width());
    return dse_output_text(cli, &text, err);
}

static enum dse_status run_list(const struct dse_cli *cli, struct dse_error *err)
{
    return print_boards(cli, "*", dse_boards_list, err);
}

/* `show NAME -o mine.xml`: the board's own file, to begin another with. */
static enum dse_status copy_board(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_board *board DSE_CLEANUP(dse_board_free_at) = NULL;
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    if (dse_cli_operand_count(cli) != 2)
        return dse_fail(err, DSE_BAD_USAGE, "boards show: a .xml file takes one board; name one");
    DSE_TRY(dse_board_open(dse_cli_operand(cli, 1), &board, err));
    DSE_TRY(dse_file_read(board->file, 1u << 20, &text, &size, err));
    return dse_cli_print(cli, text, err);
}

static enum dse_status run_show(const struct dse_cli *cli, struct dse_error *err)
{
    const char *path = dse_cli_value(cli, "output"), *ending = path != NULL ? strrchr(path, '.') : NULL;
    if (ending != NULL && strcmp(ending, ".xml") == 0)
        return copy_board(cli, err);
    return print_boards(cli, NULL, dse_boards_show, err);
}

/* Checks a file, or the file of a shipped board. */
static enum dse_status check_file(const char *named, struct dse_strbuf *text, json_t *files, size_t *bad,
                                  struct dse_error *first, struct dse_error *err)
{
    DSE_TEXT(problems);
    size_t count = 0;
    struct dse_board *shipped DSE_CLEANUP(dse_board_free_at) = NULL;
    if (!dse_is_xml_path(named) && !dse_file_exists(named))
        DSE_TRY(dse_board_open(named, &shipped, err));
    DSE_TRY(dse_board_check(shipped != NULL ? shipped->file : named, &problems, &count, err));
    const char *lines = dse_strbuf_text(&problems);
    count == 0 ? dse_strbuf_printf(text, "%s: good\n", named) : dse_strbuf_add(text, lines);
    json_array_append_new(files, json_pack("{s:s, s:b, s:o}", "file", named, "valid", count == 0, "problems", dse_lines_json(lines)));
    char more[40] = "";
    if (count > 1)
        snprintf(more, sizeof more, " (and %zu more)", count - 1);
    if (count > 0 && (*bad)++ == 0)
        dse_fail(first, DSE_BAD_INPUT, "%.*s%s", (int)strcspn(lines, "\n"), lines, more);
    return DSE_OK;
}

/* Checks every file and prints every problem; the first of them is also the error. */
static enum dse_status run_check(const struct dse_cli *cli, struct dse_error *err)
{
    if (dse_cli_operand_count(cli) < 2)
        return dse_fail(err, DSE_BAD_USAGE, "boards check: needs one or more board files");
    DSE_TEXT(text);
    json_t *object DSE_CLEANUP(json_decrefp) = NULL, *files = json_array();
    size_t bad = 0;
    struct dse_error first = {0};
    object = json_pack("{s:s, s:b, s:o}", "schema", "nysx-dse.boards-check/1", "valid", true, "files", files);
    for (size_t i = 1; i < dse_cli_operand_count(cli); i++)
        DSE_TRY(check_file(dse_cli_operand(cli, i), &text, files, &bad, &first, err));
    json_object_set_new(object, "valid", json_boolean(bad == 0));
    if (dse_cli_format(cli) == DSE_FORMAT_JSON) {
        dse_strbuf_free(&text);
        dse_json_add_digits(&text, 17, json_incref(object));
    } else if (dse_cli_format(cli) == DSE_FORMAT_CSV) {
        dse_strbuf_free(&text);
        dse_json_csv(&text, files);
    }
    DSE_TRY(dse_output_text(cli, &text, err));
    return bad > 0 ? dse_fail(err, DSE_BAD_INPUT, "%s", first.message) : DSE_OK;
}

/* The board file itself, or its contents as JSON or CSV. */
static enum dse_status print_imported(const struct dse_cli *cli, const char *path, const struct dse_strbuf *xml,
                                      const char *warnings, struct dse_error *err)
{
    if (dse_cli_format(cli) == DSE_FORMAT_TABLE)
        return dse_cli_print(cli, xml->text, err);
    struct dse_board *board DSE_CLEANUP(dse_board_free_at) = NULL;
    DSE_TEXT(text);
    DSE_TRY(dse_board_read_memory(xml->text, xml->length, path, &board, err));
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        dse_board_imported(&text, board, warnings);
    else
        dse_boards_show(&text, &board, 1, DSE_FORMAT_CSV, 0);
    return dse_output_text(cli, &text, err);
}

static enum dse_status run_import(const struct dse_cli *cli, struct dse_error *err)
{
    if (dse_cli_operand_count(cli) != 2)
        return dse_fail(err, DSE_BAD_USAGE, "boards import: needs one Vivado board file");
    const char *path = dse_cli_operand(cli, 1);
    DSE_TEXT(xml);
    DSE_TEXT(warnings);
    enum dse_status status = dse_vivado_import(path, dse_cli_value(cli, "preset"), &xml, &warnings, err);
    dse_output_notes(cli, dse_strbuf_text(&warnings));
    return status == DSE_OK ? print_imported(cli, path, &xml, dse_strbuf_text(&warnings), err) : status;
}

enum dse_status dse_run_boards(const struct dse_cli *cli, struct dse_error *err)
{
    static const struct dse_verb verbs[] = {{"list", run_list, ".json .csv .txt", {"board", NULL}}, {"show", run_show, ".xml .json .csv", {"board", NULL}},
                                            {"check", run_check, ".json .csv .txt", {NULL}}, {"import", run_import, ".xml .json .csv", {"preset", NULL}}};
    const struct dse_verb *verb;
    DSE_TRY(dse_cli_verb(cli, verbs, sizeof verbs / sizeof *verbs, "list, show NAME, check FILE.xml or import board.xml", &verb, err));
    DSE_TRY(dse_cli_ending(cli, dse_cli_value(cli, "format") == NULL ? verb->endings : ".json .csv .txt", err));
    return verb->run(cli, err);
}
