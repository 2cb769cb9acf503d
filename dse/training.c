#include "dse/training.h"

#include <stdlib.h>
#include <string.h>

static bool listed(const struct dse_option *options, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0)
            return true;
    return false;
}

size_t dse_training_options(struct dse_option *room, size_t capacity)
{
    size_t count = 0, families = 0;
    const struct dse_executor *const *executors = dse_executors(&families);
    for (size_t f = 0; f < families; f++) {
        for (size_t i = 0; i < executors[f]->parameter_count && count < capacity; i++) {
            const struct dse_parameter *parameter = &executors[f]->parameters[i];
            if (!listed(room, count, parameter->option))
                room[count++] = (struct dse_option){.name = parameter->option, .argument = parameter->argument,
                                                    .help = parameter->help};
        }
    }
    return count;
}

enum dse_status dse_training_executor(const struct dse_cli *cli, const struct dse_executor **out,
                                      struct dse_error *err)
{
    *out = dse_executor_find(dse_cli_family(cli));
    return *out != NULL ? DSE_OK
                        : dse_fail(err, DSE_BAD_USAGE, "--family %s: has no executor", dse_cli_family(cli));
}

enum dse_status dse_training_target(const struct dse_cli *cli, struct dse_dataset *data, struct dse_error *err)
{
    const char *target = dse_cli_value(cli, "target");
    if (target == NULL)
        return DSE_OK;
    if (data->kind->set_target == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--target %s: %s is %s, which has no columns", target, data->name,
                        data->kind->title);
    return data->kind->set_target(data->content, target, err);
}

enum dse_status dse_training_dataset(const struct dse_cli *cli, struct dse_dataset **out,
                                     struct dse_error *err)
{
    *out = NULL;
    if (dse_cli_count(cli, "dataset") != 1)
        return dse_fail(err, DSE_BAD_USAGE, "needs one --dataset: a TUDataset folder, its .zip, a table's file, or a name in "
                                            "--data-dir");
    enum dse_status status = dse_dataset_open(dse_cli_value(cli, "dataset"), dse_cli_value(cli, "data-dir"), out, err);
    const char *remark = status == DSE_OK && (*out)->kind->remark != NULL ? (*out)->kind->remark((*out)->content) : NULL;
    if (remark != NULL)
        dse_cli_note(cli, "%s %s", (*out)->name, remark);
    if (status == DSE_OK)
        status = dse_training_target(cli, *out, err);
    if (status != DSE_OK) {
        dse_dataset_free(*out);
        *out = NULL;
    }
    return status;
}

static const struct dse_parameter *find_option(const struct dse_executor *executor, const char *option)
{
    for (size_t i = 0; i < executor->parameter_count; i++)
        if (strcmp(executor->parameters[i].option, option) == 0)
            return &executor->parameters[i];
    return NULL;
}

/* An option of another family would silently do nothing: it is refused, with the family that has it and what there is. */
static enum dse_status refuse_foreign(const struct dse_cli *cli, const struct dse_executor *executor,
                                      struct dse_error *err)
{
    size_t families = 0;
    const struct dse_executor *const *executors = dse_executors(&families);
    for (size_t f = 0; f < families; f++)
        for (size_t i = 0; i < executors[f]->parameter_count; i++) {
            const char *option = executors[f]->parameters[i].option;
            if (dse_cli_value(cli, option) == NULL || find_option(executor, option) != NULL)
                continue;
            struct dse_strbuf names = {0};
            for (size_t k = 0; k < executor->parameter_count; k++)
                dse_strbuf_printf(&names, "%s--%s", k > 0 ? ", " : "", executor->parameters[k].option);
            enum dse_status status = dse_fail(err, DSE_BAD_USAGE, "--%s: is an option of the family %s; %s has %s", option,
                                              executors[f]->family, executor->family, dse_strbuf_text(&names));
            dse_strbuf_free(&names);
            return status;
        }
    return DSE_OK;
}

enum dse_status dse_training_setting(const struct dse_cli *cli, const struct dse_executor *executor,
                                     const struct dse_dataset *data, size_t folds, struct dse_setting *out,
                                     struct dse_error *err)
{
    const char *preset = dse_cli_value(cli, "preset");
    enum dse_status status = refuse_foreign(cli, executor, err);
    if (status == DSE_OK)
        status = executor->preset(preset != NULL ? preset : "paper", data, folds, out, err);
    if (status != DSE_OK)
        return status;
    for (size_t i = 0; status == DSE_OK && i < executor->parameter_count; i++) {
        const struct dse_parameter *parameter = &executor->parameters[i];
        const char *value = dse_cli_value(cli, parameter->option);
        char allowed[256];
        if (value == NULL)
            continue;
        status = dse_parameter_put(parameter, value, out, err);
        if (status == DSE_BAD_USAGE)
            status = dse_fail(err, status, "--%s %s: must be %s", parameter->option, value,
                              dse_parameter_allowed(parameter, allowed, sizeof allowed));
    }
    if (status != DSE_OK)
        dse_setting_free(out);
    return status;
}

json_t *dse_training_setting_json(const struct dse_executor *executor, const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++) {
        const char *name = setting->pairs[i].name, *value = setting->pairs[i].value;
        const struct dse_parameter *parameter = dse_parameter_find(executor, name);
        json_t *json = json_string(value);
        if (parameter != NULL && parameter->choices == NULL) {
            json_decref(json);
            json = parameter->whole ? json_integer(strtoll(value, NULL, 10)) : json_real(strtod(value, NULL));
        }
        json_object_set_new(object, name, json);
    }
    return object;
}

void dse_training_figures_json(json_t *object, const struct dse_figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, figures[i].name, json_real(figures[i].value));
}

void dse_training_figures_text(struct dse_strbuf *out, const struct dse_figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dse_strbuf_printf(out, ", %s %.5g", figures[i].name, figures[i].value);
}
