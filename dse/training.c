#include "dse/training.h"

#include <string.h>

#include "core/memory.h"

void dse_training_options(const char *family, struct dse_option_list *list)
{
    const struct dse_executor *executor = dse_executor_find(family);
    list->family = family;
    list->presets = executor != NULL ? dse_knobs_presets(executor->knobs, ", ", &list->texts) : NULL;
    for (size_t i = 0; executor != NULL && i < executor->knobs->count; i++) {
        const struct dse_knob *knob = &executor->knobs->knobs[i];
        char argument[256];
        if (dse_knob_trains(knob))
            dse_option_list_add(list, (struct dse_option){.name = dse_knob_option(knob), .help = knob->title,
                                                          .argument = dse_knob_argument(knob, argument, sizeof argument)});
    }
}

bool dse_training_knows_option(const char *family, const char *option, struct dse_error *err)
{
    size_t families = 0;
    const struct dse_executor *const *executors = dse_executors(&families), *own = dse_executor_find(family);
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    for (size_t f = 0; own != NULL && f < families; f++) {
        if (dse_knobs_option(executors[f]->knobs, option) == NULL)
            continue;
        for (size_t i = 0; i < own->knobs->count; i++)
            if (dse_knob_trains(&own->knobs->knobs[i]))
                dse_strbuf_printf(&names, "%s--%s", names.length > 0 ? ", " : "", dse_knob_option(&own->knobs->knobs[i]));
        dse_fail(err, DSE_BAD_USAGE, "--%s: is an option of the family %s; the options of %s are %s", option, executors[f]->family, family,
                 dse_strbuf_text(&names));
        return true;
    }
    return false;
}

enum dse_status dse_training_executor(const struct dse_cli *cli, const struct dse_executor **out,
                                      struct dse_error *err)
{
    *out = dse_executor_find(dse_cli_family(cli));
    return *out != NULL ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--family %s: has models only: it cannot be trained or simulated", dse_cli_family(cli));
}

enum dse_status dse_training_choose(const struct dse_cli *cli, struct dse_dataset *data, struct dse_error *err)
{
    const char *target = dse_cli_value(cli, "target"), *entities = dse_cli_value(cli, "entities");
    const char *remark = data->kind->remark != NULL ? data->kind->remark(data->content) : NULL;
    if (remark != NULL)
        dse_cli_note(cli, "%s %s", data->name, remark);
    if (target != NULL && data->kind->set_target == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--target %s: needs a table, but %s is %s", target, data->name, data->kind->title);
    if (target != NULL)
        DSE_TRY(data->kind->set_target(data->content, target, err));
    if (entities != NULL && data->kind->keep_entities == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--entities %s: needs a knowledge graph, but %s is %s", entities, data->name, data->kind->title);
    if (dse_cli_flag(cli, "ranked") && data->kind->rank_edges == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--ranked: needs graphs, but %s is %s", data->name, data->kind->title);
    if (dse_cli_flag(cli, "ranked") || (data->kind->rank_edges != NULL && dse_executor_ranks(dse_cli_family(cli), dse_cli_value(cli, "preset"))))
        data->kind->rank_edges(data);
    return entities != NULL ? data->kind->keep_entities(data, entities, err) : DSE_OK;
}

enum dse_status dse_training_dataset(const struct dse_cli *cli, const char *otherwise, struct dse_dataset **out,
                                     struct dse_error *err)
{
    const char *name = dse_cli_value(cli, "dataset") != NULL ? dse_cli_value(cli, "dataset") : otherwise;
    *out = NULL;
    if (dse_cli_count(cli, "dataset") > 1 || name == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "needs one --dataset: a TUDataset folder, its .zip, a table file, or a name in "
                                            "--data-dir");
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    DSE_TRY(dse_dataset_open(name, dse_cli_value(cli, "data-dir"), &data, err));
    DSE_TRY(dse_training_choose(cli, data, err));
    *out = data;
    data = NULL;
    return DSE_OK;
}

enum dse_status dse_training_assign(const struct dse_cli *cli, const struct dse_knobs *knobs, struct dse_setting *out,
                                    struct dse_error *err)
{
    DSE_TRY(dse_cli_assigned_once(cli, "set", err));
    for (size_t i = 0; i < dse_cli_count(cli, "set"); i++) {
        const char *text = dse_cli_value_at(cli, "set", i), *equals = strchr(text, '=');
        if (equals == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--set %s: must be KNOB=VALUE", text);
        char *name DSE_CLEANUP(dse_free_at) = dse_strndup(text, (size_t)(equals - text));
        if (knobs != NULL)
            DSE_TRY(dse_knobs_put(knobs, name, equals + 1, out, err));
        else
            dse_setting_put(out, name, equals + 1);
    }
    return DSE_OK;
}

/* The values of --set, and of the knobs' own options: one per knob. */
static enum dse_status put_given(const struct dse_cli *cli, const struct dse_knobs *knobs, struct dse_setting *out,
                                 struct dse_error *err)
{
    DSE_TRY(dse_training_assign(cli, knobs, out, err));
    for (size_t i = 0; i < knobs->count; i++) {
        const struct dse_knob *knob = &knobs->knobs[i];
        const char *option = dse_knob_option(knob), *value = dse_knob_trains(knob) ? dse_cli_value(cli, option) : NULL;
        char allowed[512];
        if (value == NULL)
            continue;
        for (size_t s = 0; s < dse_cli_count(cli, "set"); s++) {
            const char *set = dse_cli_value_at(cli, "set", s);
            if (strncmp(set, knob->name, strlen(knob->name)) == 0 && set[strlen(knob->name)] == '=')
                return dse_fail(err, DSE_BAD_USAGE, "--set %s: contradicts --%s %s", set, option, value);
        }
        enum dse_status status = dse_knob_put(knob, value, out, err);
        if (status != DSE_OK)
            return status == DSE_BAD_USAGE ? dse_fail(err, status, "--%s %s: must be %s", option, value,
                                                      dse_knob_allowed(knob, allowed, sizeof allowed))
                                           : status;
    }
    return DSE_OK;
}

/* Puts the parameters of a study's point that training reads. */
static enum dse_status put_point(const struct dse_knobs *knobs, const struct dse_stored *from, struct dse_setting *out,
                                 struct dse_error *err)
{
    for (size_t i = 0; from != NULL && i < from->config.count; i++)
        if (dse_knobs_trained(knobs, from->config.pairs[i].name) != NULL)
            DSE_TRY(dse_knobs_put(knobs, from->config.pairs[i].name, from->config.pairs[i].value, out, err));
    return DSE_OK;
}

/* The value given to a knob by its own option or by --set; NULL: by neither. */
static const char *given_by_hand(const struct dse_cli *cli, const struct dse_knob *knob)
{
    const char *value = dse_cli_value(cli, dse_knob_option(knob));
    size_t length = strlen(knob->name);
    for (size_t s = 0; value == NULL && s < dse_cli_count(cli, "set"); s++) {
        const char *set = dse_cli_value_at(cli, "set", s);
        value = strncmp(set, knob->name, length) == 0 && set[length] == '=' ? set + length + 1 : NULL;
    }
    return value;
}

/* Puts parameters that follow from options given by hand. */
static enum dse_status put_implied(const struct dse_cli *cli, const struct dse_executor *executor, struct dse_setting *out,
                                   struct dse_error *err)
{
    for (size_t i = 0; i < executor->implied_count; i++) {
        const char *const *rule = executor->implied[i];
        const struct dse_knob *given = dse_knobs_find(executor->knobs, rule[0]), *other = dse_knobs_find(executor->knobs, rule[1]);
        const char *value = given_by_hand(cli, given);
        if (value != NULL && strcmp(value, "0") != 0 && given_by_hand(cli, other) == NULL)
            DSE_TRY(dse_knob_put(other, rule[2], out, err));
    }
    return DSE_OK;
}

enum dse_status dse_training_setting(const struct dse_cli *cli, const struct dse_executor *executor,
                                     const struct dse_dataset *data, const struct dse_run *run, const struct dse_stored *from,
                                     struct dse_setting *out, struct dse_error *err)
{
    const char *preset = dse_cli_value(cli, "preset");
    DSE_TRY(dse_executor_preset(executor, preset != NULL ? preset : "paper", data, dse_run_trained(data, run), out, err));
    DSE_TRY(put_point(executor->knobs, from, out, err));
    DSE_TRY(put_implied(cli, executor, out, err));
    return put_given(cli, executor->knobs, out, err);
}

enum dse_status dse_training_of_family(const struct dse_cli *cli, const struct dse_stored *from,
                                       const struct dse_executor *executor, struct dse_error *err)
{
    return strcmp(from->family, executor->family) == 0
               ? DSE_OK
               : dse_fail(err, DSE_BAD_USAGE, "--from %s: the study is of the family %s, not %s; --family says which",
                          dse_cli_value(cli, "from"), from->family, executor->family);
}
