/* Checks of settings against the parameters that an executor declares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "executor/executor.h"

#define NUMBER_SIZE 400 /* holds any number, as dse_number_format writes it */

const struct dse_parameter *dse_parameter_find(const struct dse_executor *executor, const char *name)
{
    for (size_t i = 0; i < executor->parameter_count; i++)
        if (strcmp(executor->parameters[i].name, name) == 0)
            return &executor->parameters[i];
    return NULL;
}

int dse_parameter_chosen(const struct dse_executor *executor, const struct dse_setting *words, const char *name)
{
    const char *const *choices = dse_parameter_find(executor, name)->choices;
    const char *value = dse_setting_get(words, name);
    int index = 0;
    while (choices[index] != NULL && strcmp(choices[index], value) != 0)
        index++;
    return index;
}

double dse_parameter_number(const struct dse_setting *words, const char *name)
{
    return strtod(dse_setting_get(words, name), NULL);
}

char *dse_parameter_allowed(const struct dse_parameter *parameter, char *buffer, size_t size)
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    if (parameter->choices == NULL) {
        snprintf(buffer, size, "a %snumber from %s to %s", parameter->whole ? "whole " : "",
                 dse_number_format(low, sizeof low, parameter->minimum),
                 dse_number_format(high, sizeof high, parameter->maximum));
        return buffer;
    }
    size_t used = (size_t)snprintf(buffer, size, "one of ");
    for (const char *const *choice = parameter->choices; *choice != NULL && used < size; choice++) {
        int added = snprintf(buffer + used, size - used, "%s%s", choice == parameter->choices ? "" : ", ", *choice);
        used += added > 0 ? (size_t)added : 0;
    }
    return buffer;
}

static bool is_choice(const struct dse_parameter *parameter, const char *value)
{
    for (const char *const *choice = parameter->choices; *choice != NULL; choice++)
        if (strcmp(*choice, value) == 0)
            return true;
    return false;
}

/* Writes the value as settings hold it, so that 0100 is 100 wherever it is looked up. False where it is not allowed. */
static bool read_value(const struct dse_parameter *parameter, const char *value, char text[NUMBER_SIZE])
{
    int64_t whole = 0;
    double number = 0.0;
    if (parameter->choices != NULL) {
        snprintf(text, NUMBER_SIZE, "%s", value);
        return is_choice(parameter, value);
    }
    if (parameter->whole ? dse_number_whole(value, &whole) != DSE_NUMBER_READ
                         : dse_number_real(value, &number) != DSE_NUMBER_READ)
        return false;
    number = parameter->whole ? (double)whole : number;
    dse_number_format(text, NUMBER_SIZE, number);
    return number >= parameter->minimum && number <= parameter->maximum;
}

static enum dse_status refuse(const struct dse_parameter *parameter, const char *value, struct dse_error *err)
{
    char allowed[256];
    return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be %s", parameter->name, value,
                    dse_parameter_allowed(parameter, allowed, sizeof allowed));
}

enum dse_status dse_parameter_put(const struct dse_parameter *parameter, const char *value,
                                  struct dse_setting *setting, struct dse_error *err)
{
    char text[NUMBER_SIZE];
    return read_value(parameter, value, text) ? dse_setting_put(setting, parameter->name, text, err)
                                              : refuse(parameter, value, err);
}

enum dse_status dse_executor_check(const struct dse_executor *executor, const struct dse_setting *setting,
                                   struct dse_error *err)
{
    for (size_t i = 0; i < setting->count; i++)
        if (dse_parameter_find(executor, setting->pairs[i].name) == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s: no parameter of %s", setting->pairs[i].name,
                            executor->family);
    for (size_t i = 0; i < executor->parameter_count; i++) {
        const struct dse_parameter *parameter = &executor->parameters[i];
        const char *value = dse_setting_get(setting, parameter->name);
        if (value == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s: has no value", parameter->name);
        char text[NUMBER_SIZE];
        if (!read_value(parameter, value, text))
            return refuse(parameter, value, err);
    }
    return DSE_OK;
}
