/* Manual pages in troff's man macros, generated from the same tables as --help. */
#include <stdio.h>
#include <string.h>

#include "core/version.h"
#include "reports/usage/command.h"

/* Exit codes; core/status.h. */
static const struct {
    int code;
    const char *meaning;
} exits[] = {
    {DSE_OK, "Done."},
    {DSE_ANSWER_NO, "The answer is no: nothing is feasible, a threshold is missed, the design does not fit."},
    {DSE_BAD_USAGE, "The command line is wrong."},
    {DSE_BAD_INPUT, "An input cannot be read, or holds a value that is not allowed."},
    {DSE_LIMIT, "A limit or the system: memory, disk, interrupted."},
};

static const struct {
    const char *name, *meaning;
} variables[] = {
    {"NYSX_DATA_DIR", "The folder of named data sets, without --data-dir."},
    {"NYSX_DSE_SHARE", "The folder of boards, costs, spaces and profiles, instead of the installed one."},
    {"COLUMNS", "The width of tables if standard output is not a terminal."},
    {"NO_COLOR", "If set and not empty, tables on a terminal have no colour."},
};

/* Escape for a byte that troff interprets, or typesets as a different character than the one to copy. */
static const char *escape_of(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    default: return NULL;
    }
}

static void add_escaped(struct dse_strbuf *out, const char *text, size_t length)
{
    if (length > 0 && *text == '.')
        dse_strbuf_add(out, "\\&");
    for (size_t i = 0; i < length; i++) {
        const char *escape = escape_of(text[i]);
        if (escape != NULL)
            dse_strbuf_add(out, escape);
        else
            dse_strbuf_add_n(out, &text[i], 1);
    }
}

static void add_text(struct dse_strbuf *out, const char *text)
{
    add_escaped(out, text, strlen(text));
}

/* Lines that begin with a space are verbatim; empty lines separate paragraphs. */
static void add_details(struct dse_strbuf *out, const char *text)
{
    bool literal = false, open = false; /* inside .EX; a paragraph or an example has begun */
    while (*text != '\0') {
        size_t length = strcspn(text, "\n"), indent = strspn(text, " ");
        if (length > 0 && (indent > 0) != literal) {
            dse_strbuf_add(out, literal ? ".EE\n.RE\n.PP\n" : open ? ".PP\n.RS 4\n.EX\n" : ".RS 4\n.EX\n");
            literal = !literal;
        } else if (length > 0 && open && !literal) {
            dse_strbuf_add(out, ".PP\n");
        }
        if (length > 0) {
            add_escaped(out, text + indent, length - indent);
            dse_strbuf_add(out, "\n");
            open = true;
        }
        text += length + (text[length] == '\n');
    }
    dse_strbuf_add(out, literal ? ".EE\n.RE\n" : "");
}

static void add_option(struct dse_strbuf *out, const struct dse_option *option)
{
    dse_strbuf_add(out, ".TP\n");
    if (option->letter != 0)
        dse_strbuf_printf(out, "\\fB\\-%c\\fR, ", option->letter);
    dse_strbuf_add(out, "\\fB\\-\\-");
    add_text(out, option->name);
    dse_strbuf_add(out, "\\fR");
    if (option->argument != NULL) {
        dse_strbuf_add(out, " \\fI");
        add_text(out, option->argument);
        dse_strbuf_add(out, "\\fR");
    }
    dse_strbuf_add(out, "\n");
    add_text(out, option->help);
    dse_strbuf_add(out, "\n");
}

static void add_options(struct dse_strbuf *out, const char *title, const struct dse_option *options, size_t count)
{
    if (count == 0)
        return;
    dse_strbuf_printf(out, ".SH %s\n", title);
    for (size_t i = 0; i < count; i++)
        add_option(out, &options[i]);
}

static void add_item(struct dse_strbuf *out, const char *name, const char *text)
{
    dse_strbuf_add(out, ".TP\n\\fB");
    add_text(out, name);
    dse_strbuf_add(out, "\\fR\n");
    add_text(out, text);
    dse_strbuf_add(out, "\n");
}

static void add_title(struct dse_strbuf *out, const char *command, const char *summary)
{
    dse_strbuf_add(out, ".TH NYSX\\-DSE");
    if (command != NULL) {
        dse_strbuf_add(out, "\\-");
        for (const char *c = command; *c != '\0'; c++)
            dse_strbuf_add_char(out, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c, 1);
    }
    dse_strbuf_printf(out, " 1 \"\" \"nysx\\-dse %s\" \"User Commands\"\n.SH NAME\nnysx\\-dse%s", DSE_VERSION,
                      command != NULL ? "\\-" : "");
    add_text(out, command != NULL ? command : "");
    dse_strbuf_add(out, " \\- ");
    add_text(out, summary);
    dse_strbuf_add(out, "\n.SH SYNOPSIS\n\\fBnysx\\-dse ");
}

static void add_tail(struct dse_strbuf *out, const struct dse_program *program, const struct dse_command *command)
{
    dse_strbuf_add(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
        char code[16];
        snprintf(code, sizeof code, "%d", exits[i].code);
        add_item(out, code, exits[i].meaning);
    }
    dse_strbuf_add(out, ".SH ENVIRONMENT\n");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        add_item(out, variables[i].name, variables[i].meaning);
    dse_strbuf_add(out, ".SH SEE ALSO\n");
    const char *separator = "";
    if (command != NULL) {
        dse_strbuf_add(out, "\\fBnysx\\-dse\\fR(1)");
        separator = ",\n";
    }
    for (size_t i = 0; i < program->command_count; i++)
        if (program->commands[i] != command) {
            dse_strbuf_printf(out, "%s\\fBnysx\\-dse\\-%s\\fR(1)", separator, program->commands[i]->name);
            separator = ",\n";
        }
    dse_strbuf_add(out, "\n");
}

static void write_program(struct dse_strbuf *out, const struct dse_program *program)
{
    add_title(out, NULL, program->purpose);
    dse_strbuf_add(out, "\\fICOMMAND\\fR [options]\n.SH DESCRIPTION\n");
    add_text(out, program->summary);
    dse_strbuf_add(out, "\nEach command has a page of its own. Results go to standard output, everything else to standard "
                        "error.\n.SH COMMANDS\n");
    for (size_t i = 0; i < program->command_count; i++)
        add_item(out, program->commands[i]->name, program->commands[i]->summary);
    add_options(out, "SHARED OPTIONS", program->options, program->option_count);
    add_tail(out, program, NULL);
}

void dse_manual_write(struct dse_strbuf *out, const struct dse_program *program, const struct dse_command *command,
                      const struct dse_option_list *more)
{
    if (command == NULL) {
        write_program(out, program);
        return;
    }
    add_title(out, command->name, command->summary);
    add_text(out, command->name);
    dse_strbuf_add(out, "\\fR ");
    add_text(out, command->operands);
    dse_strbuf_add(out, *command->operands != '\0' ? " [options]\n" : "[options]\n");
    if (command->details != NULL && *command->details != '\0') {
        dse_strbuf_add(out, ".SH DESCRIPTION\n");
        add_details(out, command->details);
    }
    add_options(out, "OPTIONS", command->options, command->option_count);
    add_options(out, "PARAMETERS", more->items, more->count);
    add_options(out, "SHARED OPTIONS", command->shared, command->shared_count);
    add_tail(out, program, command);
}
