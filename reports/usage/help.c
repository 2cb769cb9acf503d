/* --help, generated from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "reports/terminal.h"
#include "reports/usage/command.h"

#define EXAMPLE_INDENT 7
#define LEFT_COLUMN 32 /* column of the explanations */

/* Adds an example line unchanged, or, if wider than `columns`, broken before options with a backslash. */
static void add_example(struct dse_strbuf *out, const char *line, size_t length, size_t columns)
{
    size_t at = 0, begin = 0;
    while (begin < length) {
        size_t end = begin + 1;
        while (end < length && !(line[end] == ' ' && line[end + 1] == '-'))
            end++;
        size_t wide = dse_terminal_columns(line + begin, end - begin), left = end < length ? 2 : 0;
        if (begin > 0 && at + wide + left > columns) {
            dse_strbuf_printf(out, " \\\n%*s", EXAMPLE_INDENT, "");
            at = EXAMPLE_INDENT;
        }
        dse_strbuf_add_n(out, line + begin, end - begin);
        at += wide;
        begin = end;
    }
}

/* Adds words of `text` from column `at` on, wrapped at `columns` and indented by `indent`.
 * Keeps newlines; a line that begins with a space is an example. */
static void add_wrapped(struct dse_strbuf *out, const char *text, size_t at, size_t indent, size_t columns)
{
    while (*text != '\0') {
        if (*text == '\n') {
            dse_strbuf_add(out, "\n");
            text++;
            at = 0;
            if (*text == ' ') {
                size_t line = strcspn(text, "\n");
                add_example(out, text, line, columns);
                text += line;
            } else if (*text != '\n' && *text != '\0') {
                dse_strbuf_add_char(out, ' ', indent);
                at = indent;
            }
            continue;
        }
        size_t word = strcspn(text, " \n");
        size_t wide = dse_terminal_columns(text, word);
        if (at + wide > columns && at > indent) {
            while (out->length > 0 && out->text[out->length - 1] == ' ')
                out->text[--out->length] = '\0';
            dse_strbuf_add(out, "\n");
            dse_strbuf_add_char(out, ' ', indent);
            at = indent;
        }
        dse_strbuf_add_n(out, text, word);
        at += wide;
        text += word;
        if (*text == ' ') {
            text++;
            if (at < columns) {
                dse_strbuf_add(out, " ");
                at++;
            }
        }
    }
    dse_strbuf_add(out, "\n");
}

static void add_option(struct dse_strbuf *out, const struct dse_option *option, size_t columns)
{
    size_t start = out->length;
    if (option->letter != 0)
        dse_strbuf_printf(out, "  -%c, --%s", option->letter, option->name);
    else
        dse_strbuf_printf(out, "      --%s", option->name);
    if (option->argument != NULL)
        dse_strbuf_printf(out, " %s", option->argument);
    size_t used = dse_terminal_columns(out->text + start, out->length - start);
    if (used + 2 > LEFT_COLUMN) {
        dse_strbuf_add(out, "\n");
        used = 0;
    }
    dse_strbuf_add_char(out, ' ', LEFT_COLUMN - used);
    add_wrapped(out, option->help, LEFT_COLUMN, LEFT_COLUMN, columns);
}

static void add_options(struct dse_strbuf *out, const char *title, const struct dse_option *options,
                        size_t count, size_t columns)
{
    if (count == 0)
        return;
    dse_strbuf_printf(out, "\n%s\n", title);
    for (size_t i = 0; i < count; i++)
        add_option(out, &options[i], columns);
}

static void add_command_list(struct dse_strbuf *out, const struct dse_program *program, size_t columns)
{
    dse_strbuf_add(out, "\nCommands\n");
    for (size_t i = 0; i < program->command_count; i++) {
        dse_strbuf_printf(out, "  %-12s", program->commands[i]->name);
        add_wrapped(out, program->commands[i]->summary, 14, 14, columns);
    }
}

void dse_help_write(struct dse_strbuf *out, const struct dse_program *program, const struct dse_command *command,
                    const struct dse_option_list *more, size_t columns)
{
    if (command == NULL) {
        dse_strbuf_add(out, program->name);
        dse_strbuf_add(out, " COMMAND [options]\n\n");
        add_wrapped(out, program->summary, 0, 0, columns);
        add_command_list(out, program, columns);
        add_options(out, "Shared options", program->options, program->option_count, columns);
        dse_strbuf_printf(out, "\n`%s COMMAND --help` describes a command.\n", program->name);
        return;
    }
    char usage[256];
    snprintf(usage, sizeof usage, "%s %s%s%s [options]", program->name, command->name, *command->operands != '\0' ? " " : "",
             command->operands);
    add_wrapped(out, usage, 0, EXAMPLE_INDENT, columns);
    dse_strbuf_add(out, "\n");
    add_wrapped(out, command->summary, 0, 0, columns);
    if (command->details != NULL && *command->details != '\0') {
        dse_strbuf_add(out, "\n");
        add_wrapped(out, command->details, 0, 0, columns);
        while (out->length > 1 && out->text[out->length - 1] == '\n' && out->text[out->length - 2] == '\n')
            out->text[--out->length] = '\0';
    }
    add_options(out, "Options", command->options, command->option_count, columns);
    char title[160];
    int used = snprintf(title, sizeof title, "Parameters%s%s", more->family != NULL ? " of " : "", more->family != NULL ? more->family : "");
    if (more->presets != NULL)
        snprintf(title + used, sizeof title - (size_t)used, " (presets: %s)", more->presets);
    add_options(out, title, more->items, more->count, columns);
    add_options(out, "Shared options", command->shared, command->shared_count, columns);
}
