/* A family's table of knobs: its checks, and the settings that are read and made with it. */
#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "core/strbuf.h"
#include "space/knob.h"

/* ---- rules for a table ---- */

static const char *wrong_values(const struct dse_knobs *knobs, const struct dse_knob *knob)
{
    if (knob->minimum > knob->maximum)
        return "its bounds are not in order";
    if (!dse_knob_within(knob, knob->fallback))
        return "its default is outside its bounds";
    for (size_t i = 0; i < knob->domain_count; i++)
        if (!dse_knob_within(knob, knob->domain[i]))
            return "a sweep's value is outside its bounds";
    for (const struct dse_knob_preset *preset = knob->presets; preset != NULL && preset->name != NULL; preset++) {
        const char *const *name = knobs->presets + 1;
        while (*name != NULL && strcmp(*name, preset->name) != 0)
            name++;
        if (*name == NULL || !dse_knob_within(knob, preset->value))
            return "a preset is unknown to the family, or its value is outside the bounds";
    }
    return NULL;
}

static const char *wrong_words(const struct dse_knob *knob)
{
    if ((knob->type == DSE_KNOB_CHOICE) != (knob->choice_count > 0) || knob->choice_count > 64)
        return "a choice needs 1 to 64 words, a number needs none";
    for (size_t i = 0; i < knob->choice_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(knob->choices[i], knob->choices[k]) == 0)
                return "a word occurs twice";
    return NULL;
}

static const char *wrong_place(const struct dse_knobs *knobs, size_t index)
{
    const struct dse_knob *knob = &knobs->knobs[index];
    if (knob->condition_choices != 0 &&
        ((size_t)knob->condition >= index || knobs->knobs[knob->condition].type != DSE_KNOB_CHOICE))
        return "it depends on a knob that is not a choice declared before it";
    if (knob->shapes_work && !dse_knob_trains(knob))
        return "it changes the workload but is not algorithmic";
    for (size_t i = 0; i < index; i++)
        if (strcmp(knobs->knobs[i].name, knob->name) == 0 ||
            strcmp(dse_knob_option(&knobs->knobs[i]), dse_knob_option(knob)) == 0)
            return "its name or its option occurs twice";
    return NULL;
}

enum dse_status dse_knobs_check(const struct dse_knobs *knobs, struct dse_error *err)
{
    if (knobs->count > DSE_KNOB_MAX)
        return dse_fail(err, DSE_LIMIT, "the family %s declares %zu knobs: at most %d", knobs->family, knobs->count, DSE_KNOB_MAX);
    if (knobs->presets == NULL || knobs->presets[0] == NULL)
        return dse_fail(err, DSE_LIMIT, "the family %s declares no preset", knobs->family);
    for (size_t i = 0; i < knobs->count; i++) {
        const struct dse_knob *knob = &knobs->knobs[i];
        if (knob->name == NULL || knob->title == NULL)
            return dse_fail(err, DSE_LIMIT, "the family %s: knob %zu has no name or title", knobs->family, i);
        const char *wrong = wrong_words(knob);
        wrong = wrong != NULL ? wrong : wrong_place(knobs, i);
        wrong = wrong != NULL ? wrong : wrong_values(knobs, knob);
        if (wrong != NULL)
            return dse_fail(err, DSE_LIMIT, "the family %s, knob %s: %s", knobs->family, knob->name, wrong);
    }
    return DSE_OK;
}

/* ---- looked up ---- */

const struct dse_knob *dse_knobs_find(const struct dse_knobs *knobs, const char *name)
{
    for (size_t i = 0; i < knobs->count; i++)
        if (strcmp(knobs->knobs[i].name, name) == 0)
            return &knobs->knobs[i];
    return NULL;
}

const struct dse_knob *dse_knobs_trained(const struct dse_knobs *knobs, const char *name)
{
    const struct dse_knob *knob = dse_knobs_find(knobs, name);
    return knob != NULL && dse_knob_trains(knob) ? knob : NULL;
}

const struct dse_knob *dse_knobs_option(const struct dse_knobs *knobs, const char *option)
{
    for (size_t i = 0; i < knobs->count; i++)
        if (dse_knob_trains(&knobs->knobs[i]) && strcmp(dse_knob_option(&knobs->knobs[i]), option) == 0)
            return &knobs->knobs[i];
    return NULL;
}

dse_knob_set dse_knobs_shaping(const struct dse_knobs *knobs)
{
    dse_knob_set set = {{0}};
    for (size_t i = 0; i < knobs->count; i++)
        if (knobs->knobs[i].shapes_work)
            dse_bits_add(&set, i);
    return set;
}

/* ---- settings ---- */

static enum dse_status reject_name(const struct dse_knobs *knobs, const char *name, struct dse_error *err)
{
    const char *names[DSE_KNOB_MAX];
    size_t count = 0;
    if (dse_knobs_find(knobs, name) != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: not a parameter of %s: training does not read this hardware knob", name,
                        knobs->family);
    for (size_t i = 0; i < knobs->count; i++)
        if (dse_knob_trains(&knobs->knobs[i]))
            names[count++] = knobs->knobs[i].name;
    const char *near = dse_names_nearest(name, names, count);
    return dse_fail(err, DSE_BAD_USAGE, "%s: not a parameter of %s%s%s%s", name, knobs->family, near != NULL ? "; did you mean " : "",
                    near != NULL ? near : "", near != NULL ? "?" : "");
}

enum dse_status dse_knobs_put(const struct dse_knobs *knobs, const char *name, const char *value, struct dse_setting *setting,
                              struct dse_error *err)
{
    const struct dse_knob *knob = dse_knobs_trained(knobs, name);
    return knob != NULL ? dse_knob_put(knob, value, setting, err) : reject_name(knobs, name, err);
}

const char *dse_knobs_presets(const struct dse_knobs *knobs, const char *last, struct dse_arena *texts)
{
    struct dse_strbuf list DSE_CLEANUP(dse_strbuf_free) = {0};
    for (const char *const *name = knobs->presets; *name != NULL; name++)
        dse_strbuf_printf(&list, "%s%s", name == knobs->presets ? "" : name[1] == NULL ? last : ", ", *name);
    return dse_arena_strdup(texts, dse_strbuf_text(&list));
}

static enum dse_status reject_preset(const struct dse_knobs *knobs, const char *preset, struct dse_error *err)
{
    struct dse_arena texts DSE_CLEANUP(dse_arena_free) = {0};
    return dse_fail(err, DSE_BAD_USAGE, "--preset %s: must be %s", preset, dse_knobs_presets(knobs, " or ", &texts));
}

static int64_t value_in(const struct dse_knob *knob, const char *preset)
{
    for (const struct dse_knob_preset *other = knob->presets; other != NULL && other->name != NULL; other++)
        if (strcmp(other->name, preset) == 0)
            return other->value;
    return knob->fallback;
}

enum dse_status dse_knobs_preset(const struct dse_knobs *knobs, const char *preset, struct dse_setting *out,
                                 struct dse_error *err)
{
    *out = (struct dse_setting){0};
    if (!dse_knobs_has_preset(knobs, preset))
        return reject_preset(knobs, preset, err);
    for (size_t i = 0; i < knobs->count; i++) {
        const struct dse_knob *knob = &knobs->knobs[i];
        char text[64];
        if (dse_knob_trains(knob))
            dse_setting_put(out, knob->name, dse_knob_format(knob, value_in(knob, preset), text, sizeof text));
    }
    return DSE_OK;
}

bool dse_knobs_has_preset(const struct dse_knobs *knobs, const char *preset)
{
    const char *const *name = knobs->presets;
    while (*name != NULL && strcmp(*name, preset) != 0)
        name++;
    return *name != NULL;
}

void dse_knobs_over(const struct dse_knobs *knobs, const char *preset, const char *other, struct dse_setting *setting)
{
    char text[64];
    other = other != NULL ? other : knobs->presets[0];
    for (size_t i = 0; i < knobs->count; i++) {
        const struct dse_knob *knob = &knobs->knobs[i];
        if (dse_knob_trains(knob) && value_in(knob, preset) != value_in(knob, other))
            dse_setting_put(setting, knob->name, dse_knob_format(knob, value_in(knob, preset), text, sizeof text));
    }
}

void dse_knobs_complete(const struct dse_knobs *knobs, struct dse_setting *setting)
{
    char text[64];
    for (size_t i = 0; i < knobs->count; i++) {
        const struct dse_knob *knob = &knobs->knobs[i];
        if (dse_knob_trains(knob) && knob->later && dse_setting_get(setting, knob->name) == NULL)
            dse_setting_put(setting, knob->name, dse_knob_format(knob, knob->fallback, text, sizeof text));
    }
}

/* Checks the text, and reads it: a number as written, or the index of the word. */
static enum dse_status read_value(const struct dse_knob *knob, const char *text, double *value, struct dse_error *err)
{
    struct dse_setting checked = {0};
    int64_t word = 0;
    enum dse_status status = dse_knob_put(knob, text, &checked, err);
    if (status == DSE_OK && knob->type == DSE_KNOB_CHOICE)
        status = dse_knob_parse(knob, text, &word, err);
    *value = knob->type == DSE_KNOB_CHOICE ? (double)word : strtod(text, NULL);
    dse_setting_free(&checked);
    return status;
}

enum dse_status dse_knobs_trained_values(const struct dse_knobs *knobs, const struct dse_setting *setting, double *values,
                                         struct dse_error *err)
{
    for (size_t i = 0; i < setting->count; i++)
        if (dse_knobs_trained(knobs, setting->pairs[i].name) == NULL)
            return reject_name(knobs, setting->pairs[i].name, err);
    for (size_t i = 0; i < knobs->count; i++) {
        const struct dse_knob *knob = &knobs->knobs[i];
        const char *text = dse_knob_trains(knob) ? dse_setting_get(setting, knob->name) : "";
        double value = 0.0;
        if (text == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s: has no value", knob->name);
        if (dse_knob_trains(knob))
            DSE_TRY(read_value(knob, text, &value, err));
        if (values != NULL)
            values[i] = value;
    }
    return DSE_OK;
}

static bool same_value(const struct dse_knob *knob, const char *a, const char *b)
{
    return knob->type == DSE_KNOB_CHOICE ? strcmp(a, b) == 0 : strtod(a, NULL) == strtod(b, NULL);
}

void dse_knobs_default(const struct dse_knobs *knobs, struct dse_config *config)
{
    *config = (struct dse_config){0};
    for (size_t i = 0; i < knobs->count; i++)
        config->value[i] = knobs->knobs[i].fallback;
}

enum dse_status dse_knobs_hardware(const struct dse_knobs *knobs, const struct dse_setting *given, const struct dse_setting *trained,
                                   struct dse_config *config, struct dse_error *err)
{
    for (size_t i = 0; i < given->count; i++) {
        const struct dse_setting_pair *pair = &given->pairs[i];
        const struct dse_knob *knob = dse_knobs_find(knobs, pair->name);
        const char *own = dse_setting_get(trained, pair->name);
        double value = 0.0;
        if (knob == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s: is not a knob of the family %s", pair->name, knobs->family);
        DSE_TRY(read_value(knob, pair->value, &value, err));
        if (own != NULL && !same_value(knob, own, pair->value))
            return dse_fail(err, DSE_BAD_USAGE, "%s=%s: the model was trained with %s", pair->name, pair->value, own);
        if (own == NULL || knob->kind == DSE_KNOB_BOTH)
            DSE_TRY(dse_knob_parse(knob, pair->value, &config->value[knob - knobs->knobs], err));
    }
    return DSE_OK;
}

void dse_knobs_of_model(const struct dse_knobs *knobs, const struct dse_setting *trained, struct dse_config *config)
{
    for (size_t i = 0; i < knobs->count; i++) {
        const char *text = dse_setting_get(trained, knobs->knobs[i].name);
        if (text != NULL && knobs->knobs[i].kind == DSE_KNOB_BOTH)
            dse_knob_parse(&knobs->knobs[i], text, &config->value[i], NULL);
    }
}

/* Whether a knob matters given the words of a full setting. A knob that it depends on and that the setting names is a choice. */
static bool matters(const struct dse_knobs *knobs, const struct dse_knob *knob, const struct dse_setting *setting)
{
    int64_t word = 0;
    if (knob->condition_choices == 0)
        return true;
    const struct dse_knob *other = &knobs->knobs[knob->condition];
    const char *text = dse_setting_get(setting, other->name);
    if (text == NULL || dse_knob_parse(other, text, &word, NULL) != DSE_OK)
        return true;
    return (knob->condition_choices >> word & 1) != 0 && matters(knobs, other, setting);
}

void dse_knobs_mattering(const struct dse_knobs *knobs, const struct dse_setting *setting, struct dse_setting *out)
{
    *out = (struct dse_setting){0};
    for (size_t i = 0; i < knobs->count; i++) {
        const char *value = dse_setting_get(setting, knobs->knobs[i].name);
        if (value != NULL && matters(knobs, &knobs->knobs[i], setting))
            dse_setting_put(out, knobs->knobs[i].name, value);
    }
}

void dse_knobs_quality_key(const struct dse_knobs *knobs, struct dse_setting *setting)
{
    struct dse_setting whole = {0}, key;
    char text[64];
    for (size_t i = 0; i < knobs->count; i++)
        if (dse_knob_trains(&knobs->knobs[i]))
            dse_setting_put(&whole, knobs->knobs[i].name, dse_knob_format(&knobs->knobs[i], knobs->knobs[i].fallback, text, sizeof text));
    for (size_t i = 0; i < setting->count; i++)
        dse_setting_put(&whole, setting->pairs[i].name, setting->pairs[i].value);
    dse_knobs_mattering(knobs, &whole, &key);
    for (size_t i = 0; i < setting->count; i++)
        if (dse_knobs_find(knobs, setting->pairs[i].name) == NULL)
            dse_setting_put(&key, setting->pairs[i].name, setting->pairs[i].value);
    dse_setting_free(&whole);
    dse_setting_free(setting);
    *setting = key;
}

void dse_knobs_work_key(const struct dse_knobs *knobs, const struct dse_setting *setting, struct dse_setting *key)
{
    for (size_t i = 0; i < knobs->count; i++) {
        const struct dse_knob *knob = &knobs->knobs[i];
        if (knob->shapes_work && matters(knobs, knob, setting))
            dse_setting_put(key, knob->name, dse_setting_get(setting, knob->name));
    }
}
