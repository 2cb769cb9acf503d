#include "reports/usage/command.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"

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
