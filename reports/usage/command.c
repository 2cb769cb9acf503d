#include "reports/usage/command.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/names.h"

bool dse_option_among(const char *word, const char *words)
{
    size_t length = word != NULL ? strlen(word) : 0;
    for (const char *at = word != NULL ? words : NULL; at != NULL && *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncasecmp(at, word, length) == 0)
            return true;
    return false;
}

void dse_option_list_add(struct dse_option_list *list, struct dse_option option)
{
    struct dse_option *room = dse_list_more(&list->items, &list->count, sizeof *room);
    if (option.argument != NULL)
        option.argument = dse_arena_strdup(&list->texts, option.argument);
    *room = option;
}

void dse_option_list_free(struct dse_option_list *list)
{
    free(list->items);
    dse_arena_free(&list->texts);
    *list = (struct dse_option_list){0};
}

struct dse_options dse_options_of(const struct dse_command *command, const char *family)
{
    struct dse_options all = {0};
    if (command->more_options != NULL)
        command->more_options(family, &all.more);
    const struct dse_option *const lists[] = {command->options, all.more.items, command->shared};
    const size_t counts[] = {command->option_count, all.more.count, command->shared_count};
    for (int l = 0; l < 3; l++)
        for (size_t i = 0; i < counts[l]; i++)
            *(const struct dse_option **)dse_list_more(&all.items, &all.count, sizeof *all.items) = &lists[l][i];
    return all;
}

void dse_options_free(struct dse_options *options)
{
    free(options->items);
    dse_option_list_free(&options->more);
}

const struct dse_option *dse_options_find(const struct dse_options *options, const char *name)
{
    for (size_t i = 0; i < options->count; i++)
        if (strcmp(options->items[i]->name, name) == 0)
            return options->items[i];
    return NULL;
}

const char *dse_options_nearest(const struct dse_options *options, const char *name, const char *const *also, size_t also_count)
{
    const char **names DSE_CLEANUP(dse_free_at) = dse_calloc(options->count + also_count, sizeof *names);
    for (size_t i = 0; i < options->count; i++)
        names[i] = options->items[i]->name;
    for (size_t i = 0; i < also_count; i++)
        names[options->count + i] = also[i];
    return dse_names_nearest(name, names, options->count + also_count);
}

const struct dse_command *dse_program_find(const struct dse_program *program, const char *name)
{
    for (size_t i = 0; i < program->command_count; i++)
        if (strcmp(program->commands[i]->name, name) == 0)
            return program->commands[i];
    return NULL;
}

const char **dse_program_names(const struct dse_program *program)
{
    const char **names = dse_calloc(program->command_count, sizeof *names);
    for (size_t i = 0; i < program->command_count; i++)
        names[i] = program->commands[i]->name;
    return names;
}
