/* The program's commands and options, read from commands.txt, which is built in. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "dse/commands.h"
#include "dse/generate_options.h"
#include "dse/training.h"
#include "dse_commands.h"
#include "validation/validation.h"

#define SECTIONS_MAX 64

static const struct {
    const char *name;
    enum dse_status (*run)(const struct dse_cli *cli, struct dse_error *err);
} code[] = {
#define CODE(name) {#name, dse_run_##name},
    DSE_COMMANDS(CODE)
#undef CODE
};
#define COMMANDS (sizeof code / sizeof *code)

/* A group, the program or a command, with its options. */
struct section {
    const char *group; /* NULL: of no group */
    struct dse_command *command; /* NULL: of no command */
    struct dse_option *options; /* count */
    size_t count;
};

static struct dse_command commands[COMMANDS];
static const struct dse_command *listed[COMMANDS];
static struct dse_program program = {
    .name = "nysx-dse",
    .purpose = "explore designs of FPGA accelerators for hyperdimensional computing on graphs",
    .summary = "Design-space exploration and analytical models for FPGA accelerators of hyperdimensional computing on graphs.",
    .commands = listed,
};

/* Joins texts (the first NULL: none yet), of which lines of the file are parts. */
static const char *joined(const char *text, const char *between, const char *more)
{
    static struct dse_arena texts; /* as long as the program lasts */
    struct dse_strbuf all DSE_CLEANUP(dse_strbuf_free) = {0};
    const char *levels = strstr(more, "@LEVELS@");
    dse_strbuf_printf(&all, "%s%s", text != NULL ? text : "", text != NULL ? between : "");
    dse_strbuf_add_n(&all, more, levels != NULL ? (size_t)(levels - more) : strlen(more));
    if (levels != NULL) {
        size_t count;
        const struct dse_validation_level *level = dse_validation_levels(&count);
        for (size_t i = 0; i < count; i++)
            dse_strbuf_printf(&all, "%s%s", i > 0 ? ", " : "", level[i].name);
        dse_strbuf_add(&all, levels + strlen("@LEVELS@"));
    }
    return dse_arena_strdup(&texts, dse_strbuf_text(&all));
}

static void add_option(struct section *section, char *line)
{
    struct dse_option *option = dse_list_more(&section->options, &section->count, sizeof *option);
    for (; *line == '*' || *line == '!'; line++)
        *(*line == '*' ? &option->repeatable : &option->written) = true;
    option->name = line + strlen("--");
    option->argument = strchr(line, ' ') != NULL ? strchr(line, ' ') + 1 : NULL;
    line[strcspn(line, " ")] = '\0';
    char *comma = strchr(line, ',');
    if (comma != NULL) {
        option->letter = comma[1];
        *comma = '\0';
    }
}

static void use_group(const struct section *sections, struct section *section, const char *name)
{
    const struct section *group = sections;
    while (group->group == NULL || strcmp(group->group, name) != 0)
        group++;
    assert(group < section);
    for (size_t i = 0; i < group->count; i++)
        *(struct dse_option *)dse_list_more(&section->options, &section->count, sizeof *group->options) = group->options[i];
}

static struct dse_command *next_command(const char *name)
{
    size_t at = program.command_count++;
    assert(at < COMMANDS && strcmp(code[at].name, name) == 0);
    listed[at] = &commands[at];
    commands[at] = (struct dse_command){.name = name, .operands = "", .run = code[at].run};
    if (strcmp(name, "train") == 0) {
        commands[at].more_options = dse_training_options;
        commands[at].knows_option = dse_training_knows_option;
    } else if (strcmp(name, "datasets") == 0) {
        commands[at].more_options = dse_generate_more_options;
    }
    return &commands[at];
}

/* A line that begins with a word. */
static void read_word(struct section *sections, struct section **section, char *line)
{
    char *value = line + strcspn(line, " ");
    if (*value != '\0')
        *value++ = '\0';
    struct dse_command *command = *section != NULL ? (*section)->command : NULL;
    if (strcmp(line, "group") == 0 || strcmp(line, "program") == 0 || strcmp(line, "command") == 0) {
        *section = *section != NULL ? *section + 1 : sections;
        assert(*section < sections + SECTIONS_MAX);
        (*section)->group = *line == 'g' ? value : NULL;
        (*section)->command = *line == 'c' ? next_command(value) : NULL;
    } else if (strcmp(line, "use") == 0) {
        use_group(sections, *section, value);
    } else if (strcmp(line, "summary") == 0) {
        command->summary = joined(command->summary, " ", value);
    } else if (strcmp(line, "operands") == 0) {
        command->operands = value;
    } else if (strcmp(line, "endings") == 0) {
        command->endings = value;
    } else if (strcmp(line, "without") == 0) {
        command->without = value;
    } else {
        assert(strcmp(line, "flags") == 0);
        command->output_is_folder = strstr(value, "folder") != NULL;
        command->crewed = strstr(value, "crewed") != NULL;
        command->reports_cases = strstr(value, "junit") != NULL;
        command->formless = strstr(value, "formless") != NULL;
    }
}

/* The program's options that a command uses. */
static void share_options(struct dse_command *command)
{
    struct dse_option *shared = NULL;
    for (size_t i = 0; i < program.option_count; i++)
        if (!dse_option_among(program.options[i].name, command->without))
            *(struct dse_option *)dse_list_more(&shared, &command->shared_count, sizeof *shared) = program.options[i];
    command->shared = shared;
}

static void read_program(void)
{
    static struct section sections[SECTIONS_MAX];
    struct section *section = NULL;
    static char *text; /* kept: names and arguments point into the text */
    char *rest = NULL;
    text = dse_strndup((const char *)commands_txt, commands_txt_size);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        struct dse_option *option = section != NULL && section->count > 0 ? &section->options[section->count - 1] : NULL;
        struct dse_command *command = section != NULL ? section->command : NULL;
        switch (*line) {
        case '#': break;
        case ' ': option->help = joined(option->help, " ", line + 2); break;
        case '|': command->details = joined(command->details, "\n", line + 1); break;
        case '+': command->details = joined(command->details, " ", line + 1); break;
        case '*': case '!': case '-': add_option(section, line); break;
        default: read_word(sections, &section, line);
        }
    }
    assert(program.command_count == COMMANDS);
    for (section = sections; section < sections + SECTIONS_MAX; section++)
        if (section->command != NULL) {
            section->command->options = section->options;
            section->command->option_count = section->count;
        } else if (section->group == NULL && section->count > 0) {
            program.options = section->options;
            program.option_count = section->count;
        }
    for (size_t i = 0; i < COMMANDS; i++)
        share_options(&commands[i]);
}

const struct dse_program *dse_program(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_program);
    return &program;
}
