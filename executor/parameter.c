/* Checks of settings against the parameters that an executor declares. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/strbuf.h"
#include "executor/executor.h"

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

static enum dse_status check_choice(const struct dse_parameter *parameter, const char *value,
                                    struct dse_error *err)
{
    struct dse_strbuf allowed = {0};
    for (const char *const *choice = parameter->choices; *choice != NULL; choice++) {
        if (strcmp(*choice, value) == 0) {
            dse_strbuf_free(&allowed);
            return DSE_OK;
        }
        dse_strbuf_printf(&allowed, "%s%s", allowed.length > 0 ? ", " : "", *choice);
    }
    enum dse_status status = dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be one of %s", parameter->name,
                                      value, dse_strbuf_text(&allowed));
    dse_strbuf_free(&allowed);
    return status;
}

enum dse_status dse_parameter_check(const struct dse_parameter *parameter, const char *value,
                                    struct dse_error *err)
{
    if (parameter->choices != NULL)
        return check_choice(parameter, value, err);
    char *end = NULL;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number))
        return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be a number", parameter->name, value);
    if (parameter->whole && number != floor(number))
        return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be a whole number", parameter->name, value);
    if (number < parameter->minimum || number > parameter->maximum)
        return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be %.10g to %.10g", parameter->name, value,
                        parameter->minimum, parameter->maximum);
    return DSE_OK;
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
        enum dse_status status = dse_parameter_check(parameter, value, err);
        if (status != DSE_OK)
            return status;
    }
    return DSE_OK;
}
