/* Shell completions, generated from the tables of commands and options. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "datasets/profile.h"
#include "devices/board.h"
#include "models/model.h"
#include "reports/usage/command.h"

const char *const dse_shell_names[DSE_SHELL_COUNT] = {"bash", "zsh", "fish"};

/* Kind of an option's value. */
enum value { VALUE_NONE, VALUE_FREE, VALUE_WORDS, VALUE_FILE, VALUE_FOLDER, VALUE_BOARD, VALUE_DATASET, VALUE_FAMILY, VALUE_KNOB };

/* Words to complete values from, space-separated. */
struct words {
    struct dse_strbuf boards, datasets, families, knobs;
    const struct dse_program *program;
    const char *command; /* command whose options are being written */
};

/* Whether an argument lists words, "table|json|csv": lower-case words between bars. */
static bool lists_words(const char *argument)
{
    bool bar = false;
    for (const char *c = argument; *c != '\0'; c++) {
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '|' && *c != '-')
            return false;
        bar |= *c == '|';
    }
    return bar;
}

static enum value value_of(const struct dse_option *option)
{
    static const struct {
        const char *name;
        enum value value;
    } named[] = {{"board", VALUE_BOARD}, {"dataset", VALUE_DATASET}, {"family", VALUE_FAMILY}};
    if (option->argument == NULL)
        return VALUE_NONE;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(option->name, named[i].name) == 0)
            return named[i].value;
    if (strncmp(option->argument, "KNOB", 4) == 0)
        return VALUE_KNOB;
    if (lists_words(option->argument))
        return VALUE_WORDS;
    if (strncmp(option->argument, "DIR", 3) == 0)
        return VALUE_FOLDER;
    return strstr(option->argument, "FILE") != NULL || strstr(option->argument, ".npz") != NULL || strstr(option->argument, "STUDY") != NULL
               ? VALUE_FILE
               : VALUE_FREE;
}

/* Adds the words of a value for completion. */
static void add_words(const struct dse_option *option, const struct words *words, struct dse_strbuf *out)
{
    switch (value_of(option)) {
    case VALUE_BOARD: dse_strbuf_add(out, dse_strbuf_text(&words->boards)); break;
    case VALUE_DATASET: dse_strbuf_add(out, dse_strbuf_text(&words->datasets)); break;
    case VALUE_FAMILY: dse_strbuf_add(out, dse_strbuf_text(&words->families)); break;
    case VALUE_KNOB: dse_strbuf_add(out, dse_strbuf_text(&words->knobs)); break;
    case VALUE_WORDS:
        for (const char *c = option->argument; *c != '\0'; c++)
            dse_strbuf_add_char(out, *c == '|' ? ' ' : *c, 1);
        break;
    default: break;
    }
}

/* Adds the verbs of a command whose operands begin with one: for "list | show|check NAME …" list, show and check. */
static void add_verbs(const struct dse_command *command, struct dse_strbuf *out)
{
    const char *before = "";
    for (const char *c = command->operands; *c != '\0'; c += strcspn(c, " "), c += *c == ' ') {
        size_t length = strspn(c, "|abcdefghijklmnopqrstuvwxyz");
        if (*c == '|' || length == 0 || (c[length] != ' ' && c[length] != '\0'))
            continue;
        dse_strbuf_add(out, before);
        for (size_t i = 0; i < length; i++)
            dse_strbuf_add_char(out, c[i] == '|' ? ' ' : c[i], 1);
        before = " ";
    }
}

static void add_commands(const struct dse_program *program, struct dse_strbuf *out)
{
    for (size_t i = 0; i < program->command_count; i++)
        dse_strbuf_printf(out, "%s%s", i > 0 ? " " : "", program->commands[i]->name);
}

static bool also_a_path(enum value value)
{
    return value == VALUE_FILE || value == VALUE_BOARD || value == VALUE_DATASET || value == VALUE_FAMILY;
}

/* ---- bash ---- */

typedef void for_option(const struct dse_option *option, const struct words *words, struct dse_strbuf *out);

/* Calls `call` for every option of a command: its own, the default family's, the shared ones. */
static void each_option(const struct dse_command *command, for_option *call, const struct words *words, struct dse_strbuf *out)
{
    struct dse_options all DSE_CLEANUP(dse_options_free) = dse_options_of(command, dse_model_default()->name);
    for (size_t i = 0; i < all.count; i++)
        call(all.items[i], words, out);
}

static void bash_name(const struct dse_option *option, const struct words *words, struct dse_strbuf *out)
{
    (void)words;
    dse_strbuf_printf(out, " --%s", option->name);
    if (option->letter != 0)
        dse_strbuf_printf(out, " -%c", option->letter);
}

static void bash_value(const struct dse_option *option, const struct words *words, struct dse_strbuf *out)
{
    enum value value = value_of(option);
    if (value == VALUE_NONE)
        return;
    dse_strbuf_printf(out, "        --%s", option->name);
    if (option->letter != 0)
        dse_strbuf_printf(out, "|-%c", option->letter);
    dse_strbuf_printf(out, ") _nysx_dse_value %s '", value == VALUE_FOLDER ? "folders" : also_a_path(value) ? "files" : "words");
    add_words(option, words, out);
    dse_strbuf_add(out, "'; return ;;\n");
}

static void write_bash(const struct words *words, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "# Completion of nysx-dse for bash, written by `nysx-dse completions bash`.\n"
                        "_nysx_dse_value() # words, files or folders; words to complete from\n{\n"
                        "    COMPREPLY=($(compgen -W \"$2\" -- \"$cur\"))\n"
                        "    [ \"$1\" = files ] && COMPREPLY+=($(compgen -f -- \"$cur\")) && compopt -o filenames\n"
                        "    [ \"$1\" = folders ] && COMPREPLY+=($(compgen -d -- \"$cur\")) && compopt -o filenames\n"
                        "    [ ${#COMPREPLY[@]} -eq 1 ] && [ \"${COMPREPLY[0]: -1}\" = = ] && compopt -o nospace\n}\n\n"
                        "_nysx_dse()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
                        "    [ \"$cur\" = = ] && cur= && prev=${COMP_WORDS[COMP_CWORD-1]}\n    COMPREPLY=()\n"
                        "    if [ \"$COMP_CWORD\" -eq 1 ] || { [ \"$COMP_CWORD\" -eq 2 ] && [ \"$command\" = help ]; }; then\n"
                        "        COMPREPLY=($(compgen -W 'help ");
    add_commands(words->program, out);
    dse_strbuf_add(out, " --help --man --version' -- \"$cur\"))\n        return\n    fi\n    case $command in\n");
    for (size_t i = 0; i < words->program->command_count; i++) {
        dse_strbuf_printf(out, "    %s)\n        case $prev in\n", words->program->commands[i]->name);
        each_option(words->program->commands[i], bash_value, words, out);
        dse_strbuf_add(out, "        esac\n        case $cur in\n        -*) COMPREPLY=($(compgen -W '");
        each_option(words->program->commands[i], bash_name, words, out);
        dse_strbuf_add(out, "' -- \"$cur\")) ;;\n        *) [ -n '");
        dse_strbuf_add(out, words->program->commands[i]->operands[0] != '\0' ? "x" : "");
        dse_strbuf_add(out, "' ] && _nysx_dse_value files '");
        add_verbs(words->program->commands[i], out);
        dse_strbuf_add(out, "' ;;\n        esac ;;\n");
    }
    dse_strbuf_add(out, "    esac\n}\ncomplete -F _nysx_dse nysx-dse\n");
}

/* ---- zsh ---- */

/* A text in shell quotes, with the characters in `escaped`, special to the completion system, escaped by a backslash. */
static void add_quoted(struct dse_strbuf *out, const char *text, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            dse_strbuf_add(out, "'\\''");
        else
            dse_strbuf_printf(out, strchr(escaped, *text) != NULL ? "\\%c" : "%c", *text);
    }
}

static void zsh_option(const struct dse_option *option, const struct words *words, struct dse_strbuf *out)
{
    enum value value = value_of(option);
    char forms[2][80] = {"", ""};
    snprintf(forms[0], sizeof forms[0], "--%s%s", option->name, value != VALUE_NONE ? "=" : "");
    if (option->letter != 0)
        snprintf(forms[1], sizeof forms[1], "-%c%s", option->letter, value != VALUE_NONE ? "+" : "");
    for (int form = 0; form < 2 && forms[form][0] != '\0'; form++) {
        dse_strbuf_printf(out, "        '%s%s[", option->repeatable ? "*" : "", forms[form]);
        add_quoted(out, option->help, "[]:\\");
        dse_strbuf_add(out, "]");
        if (value != VALUE_NONE) {
            dse_strbuf_add(out, ":");
            add_quoted(out, option->argument, "[]:\\");
            dse_strbuf_add(out, ":");
            if (value == VALUE_FOLDER)
                dse_strbuf_add(out, "_files -/");
            else if (value == VALUE_FILE)
                dse_strbuf_add(out, "_files");
            else if (also_a_path(value)) {
                dse_strbuf_add(out, "{compadd ");
                add_words(option, words, out);
                dse_strbuf_add(out, "; _files}");
            } else if (value != VALUE_FREE) {
                dse_strbuf_add(out, value == VALUE_KNOB ? "{compadd -S \"\" " : "{compadd ");
                add_words(option, words, out);
                dse_strbuf_add(out, "}");
            }
        }
        dse_strbuf_add(out, "' \\\n");
    }
}

static void write_zsh(const struct words *words, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "#compdef nysx-dse\n# Completion of nysx-dse for zsh, written by `nysx-dse completions zsh`.\n\n"
                        "_nysx_dse()\n{\n    local -a commands=(\n        'help:purpose and options of a command'\n");
    for (size_t i = 0; i < words->program->command_count; i++) {
        dse_strbuf_printf(out, "        '%s:", words->program->commands[i]->name);
        add_quoted(out, words->program->commands[i]->summary, ":\\");
        dse_strbuf_add(out, "'\n");
    }
    dse_strbuf_add(out, "    )\n    if (( CURRENT == 2 )) || [[ $CURRENT -eq 3 && $words[2] = help ]]; then\n"
                        "        _describe command commands\n        return\n    fi\n"
                        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (size_t i = 0; i < words->program->command_count; i++) {
        dse_strbuf_printf(out, "    %s) _arguments \\\n", words->program->commands[i]->name);
        each_option(words->program->commands[i], zsh_option, words, out);
        dse_strbuf_add(out, "        '1:operand:{compadd -- ");
        add_verbs(words->program->commands[i], out);
        dse_strbuf_add(out, "; _files}' \\\n        '*:operand:_files' ;;\n");
    }
    dse_strbuf_add(out, "    esac\n}\n\nif [ \"$funcstack[1]\" = _nysx-dse ]; then\n    _nysx_dse \"$@\"\nelse\n    compdef _nysx_dse nysx-dse\nfi\n");
}

/* ---- fish ---- */

static void fish_option(const struct dse_option *option, const struct words *words, struct dse_strbuf *out)
{
    enum value value = value_of(option);
    dse_strbuf_printf(out, "complete -c nysx-dse -n '__fish_seen_subcommand_from %s' -l %s", words->command, option->name);
    if (option->letter != 0)
        dse_strbuf_printf(out, " -s %c", option->letter);
    if (value != VALUE_NONE)
        dse_strbuf_add(out, also_a_path(value) || value == VALUE_FOLDER ? " -r -F" : " -x");
    if (value == VALUE_BOARD || value == VALUE_DATASET || value == VALUE_FAMILY || value == VALUE_KNOB || value == VALUE_WORDS) {
        dse_strbuf_add(out, " -a '");
        add_words(option, words, out);
        dse_strbuf_add(out, "'");
    }
    dse_strbuf_add(out, " -d '");
    for (const char *c = option->help; *c != '\0'; c++)
        dse_strbuf_printf(out, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
    dse_strbuf_add(out, "'\n");
}

/* Words of a command's verbs, offered until one is present. */
static void fish_verbs(const struct dse_command *command, struct dse_strbuf *out)
{
    struct dse_strbuf verbs DSE_CLEANUP(dse_strbuf_free) = {0};
    add_verbs(command, &verbs);
    if (verbs.length > 0)
        dse_strbuf_printf(out, "complete -c nysx-dse -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from %s' -a '%s'\n",
                          command->name, dse_strbuf_text(&verbs), dse_strbuf_text(&verbs));
}

static void write_fish(const struct words *words, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "# Completion of nysx-dse for fish, written by `nysx-dse completions fish`.\n"
                        "complete -c nysx-dse -n __fish_use_subcommand -f -a help -d 'purpose and options of a command'\n"
                        "complete -c nysx-dse -n '__fish_seen_subcommand_from help' -f -a '");
    add_commands(words->program, out);
    dse_strbuf_add(out, "'\n");
    for (size_t i = 0; i < words->program->command_count; i++) {
        dse_strbuf_printf(out, "complete -c nysx-dse -n __fish_use_subcommand -f -a %s -d '", words->program->commands[i]->name);
        for (const char *c = words->program->commands[i]->summary; *c != '\0'; c++)
            dse_strbuf_printf(out, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
        dse_strbuf_add(out, "'\n");
    }
    for (size_t i = 0; i < words->program->command_count; i++) {
        struct words of = *words;
        of.command = words->program->commands[i]->name;
        fish_verbs(words->program->commands[i], out);
        each_option(words->program->commands[i], fish_option, &of, out);
    }
}

/* ---- all ---- */

static void join_names(char **names, size_t count, struct dse_strbuf *out)
{
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(out, "%s%s", i > 0 ? " " : "", names[i]);
    if (names != NULL)
        dse_share_names_free(names, count);
}

static enum dse_status gather(struct words *words, struct dse_error *err)
{
    char **names = NULL;
    size_t count = 0;
    struct dse_space *space = NULL;
    DSE_TRY(dse_board_names("*", &names, &count, err));
    join_names(names, count, &words->boards);
    names = NULL;
    DSE_TRY(dse_profile_names("*", &names, &count, err));
    join_names(names, count, &words->datasets);
    const struct dse_model_family *const *families = dse_model_families(&count);
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(&words->families, "%s%s", i > 0 ? " " : "", families[i]->name);
    DSE_TRY(dse_model_space(families[0], NULL, &space, err));
    for (size_t k = 0; k < space->count; k++)
        dse_strbuf_printf(&words->knobs, "%s%s=", k > 0 ? " " : "", space->knobs[k].name);
    dse_space_free(space);
    return DSE_OK;
}

static void free_words(struct words *words)
{
    dse_strbuf_free(&words->boards);
    dse_strbuf_free(&words->datasets);
    dse_strbuf_free(&words->families);
    dse_strbuf_free(&words->knobs);
}

enum dse_status dse_completion_write(const struct dse_program *program, enum dse_shell shell, struct dse_strbuf *out,
                                     struct dse_error *err)
{
    static void (*const writers[DSE_SHELL_COUNT])(const struct words *, struct dse_strbuf *) = {write_bash, write_zsh, write_fish};
    struct words words DSE_CLEANUP(free_words) = {.program = program};
    DSE_TRY(gather(&words, err));
    writers[shell](&words, out);
    return DSE_OK;
}
