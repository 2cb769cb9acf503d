#include "space/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "core/saturate.h"
#include "core/strbuf.h"

void dse_space_free(struct dse_space *space)
{
    if (space == NULL)
        return;
    struct dse_arena arena = space->arena;
    free(space);
    dse_arena_free(&arena);
}

int dse_space_find(const struct dse_space *space, const char *name)
{
    for (size_t i = 0; i < space->count; i++)
        if (strcmp(space->knobs[i].name, name) == 0)
            return (int)i;
    return -1;
}

enum dse_status dse_space_need(const struct dse_space *space, const char *name, int *index,
                               struct dse_error *err)
{
    *index = dse_space_find(space, name);
    if (*index >= 0)
        return DSE_OK;
    const char *names[DSE_KNOB_MAX];
    for (size_t i = 0; i < space->count; i++)
        names[i] = space->knobs[i].name;
    const char *near = dse_names_nearest(name, names, space->count);
    if (near != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: no such knob of the family %s; did you mean %s?", name,
                        space->family, near);
    return dse_fail(err, DSE_BAD_USAGE, "%s: no such knob of the family %s; `nysx-dse sweep --describe`, with the same --family, lists them",
                    name, space->family);
}

dse_knob_set dse_space_of_kind(const struct dse_space *space, unsigned kind)
{
    dse_knob_set set = {{0}};
    for (size_t i = 0; i < space->count; i++)
        if (((unsigned)space->knobs[i].kind & kind) != 0)
            dse_bits_add(&set, i);
    return set;
}

void dse_space_default(const struct dse_space *space, struct dse_config *config)
{
    *config = (struct dse_config){{0}};
    for (size_t i = 0; i < space->count; i++)
        config->value[i] = space->knobs[i].fallback;
}

bool dse_knob_active(const struct dse_space *space, const struct dse_config *config, size_t knob)
{
    const struct dse_knob *k = &space->knobs[knob];
    if (k->condition < 0)
        return true;
    return dse_knob_active(space, config, (size_t)k->condition) &&
           (k->condition_choices >> config->value[k->condition] & 1) != 0;
}

void dse_config_canonical(const struct dse_space *space, struct dse_config *config)
{
    /* A knob's condition precedes it in the file, so one pass in order suffices. */
    for (size_t i = 0; i < space->count; i++)
        if (!dse_knob_active(space, config, i))
            config->value[i] = space->knobs[i].fallback;
}

/* The place of a word among a choice's, or -1. */
static int64_t word_of(const struct dse_knob *knob, const char *word)
{
    for (size_t i = 0; i < knob->choice_count; i++)
        if (strcmp(knob->choices[i], word) == 0)
            return (int64_t)i;
    return -1;
}

void dse_config_put(const struct dse_space *space, struct dse_config *config, size_t knob, int64_t value)
{
    const struct dse_knob *leader = &space->knobs[knob];
    config->value[knob] = value;
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *follower = &space->knobs[k];
        if (knob == 0 || follower->follows != (int)knob)
            continue;
        int64_t word = word_of(follower, leader->choices[value]);
        if (word >= 0 && word_of(leader, follower->choices[config->value[k]]) >= 0)
            config->value[k] = word;
    }
}

enum dse_status dse_config_set(const struct dse_space *space, struct dse_config *config, const char *name,
                               const char *value, struct dse_error *err)
{
    int index = -1;
    int64_t parsed = 0;
    DSE_TRY(dse_space_need(space, name, &index, err));
    DSE_TRY(dse_knob_parse(&space->knobs[index], value, &parsed, err));
    dse_config_put(space, config, (size_t)index, parsed);
    return DSE_OK;
}

enum dse_status dse_config_assign(const struct dse_space *space, struct dse_config *config,
                                  const char *assignment, struct dse_error *err)
{
    const char *equals = strchr(assignment, '=');
    char name[64];
    if (equals == NULL || equals == assignment || (size_t)(equals - assignment) >= sizeof name)
        return dse_fail(err, DSE_BAD_USAGE, "%s: must be KNOB=VALUE", assignment);
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    enum dse_status status = dse_config_set(space, config, name, equals + 1, err);
    if (status == DSE_BAD_USAGE && strpbrk(equals + 1, ",=") != NULL)
        return dse_fail(err, status, "%s: one KNOB=VALUE at a time, as --set a=1 --set b=2", assignment);
    return status;
}

void dse_config_setting(const struct dse_space *space, const struct dse_config *config,
                                   dse_knob_set set, struct dse_setting *out)
{
    *out = (struct dse_setting){0};
    for (size_t i = 0; i < space->count; i++) {
        if (!dse_bits_has(set, i))
            continue;
        char text[64];
        dse_knob_format(&space->knobs[i], config->value[i], text, sizeof text);
        dse_setting_put(out, space->knobs[i].name, text);
    }
}

enum dse_status dse_config_apply(const struct dse_space *space, struct dse_config *config,
                                 const struct dse_setting *setting, struct dse_error *err)
{
    for (size_t i = 0; i < setting->count; i++)
        DSE_TRY(dse_config_set(space, config, setting->pairs[i].name, setting->pairs[i].value, err));
    return DSE_OK;
}

/* Configurations of a knob together with all knobs of `set` that depend on it, directly or not. For each of its values, this is the product over the
 * dependants that matter there. Conditions form a forest. */
static uint64_t subtree_size(const struct dse_space *space, dse_knob_set set, size_t knob)
{
    const struct dse_knob *k = &space->knobs[knob];
    bool visited = dse_bits_has(set, knob);
    uint64_t total = 0;
    size_t values = visited ? k->domain_count : 1;
    for (size_t v = 0; v < values; v++) {
        int64_t value = visited ? k->domain[v] : k->fallback;
        uint64_t product = 1;
        for (size_t i = 0; i < space->count; i++)
            if (space->knobs[i].condition == (int)knob && (space->knobs[i].condition_choices >> value & 1) != 0)
                product = dse_saturating_multiply(product, subtree_size(space, set, i));
        total = dse_saturating_add(total, product);
    }
    return total;
}

uint64_t dse_space_size(const struct dse_space *space, dse_knob_set set)
{
    uint64_t size = 1;
    for (size_t i = 0; i < space->count; i++)
        if (space->knobs[i].condition < 0)
            size = dse_saturating_multiply(size, subtree_size(space, set, i));
    return size;
}

bool dse_knob_in_domain(const struct dse_knob *knob, int64_t value)
{
    for (size_t i = 0; i < knob->domain_count; i++)
        if (knob->domain[i] == value)
            return true;
    return false;
}

bool dse_space_step(const struct dse_space *space, const size_t *knobs, size_t count, size_t *digits,
                    struct dse_config *config)
{
    for (size_t i = count; i > 0; i--) {
        const struct dse_knob *knob = &space->knobs[knobs[i - 1]];
        digits[i - 1] = digits[i - 1] + 1 < knob->domain_count ? digits[i - 1] + 1 : 0;
        config->value[knobs[i - 1]] = knob->domain[digits[i - 1]];
        if (digits[i - 1] > 0)
            return true;
    }
    return false;
}

void dse_space_draw(const struct dse_space *space, dse_knob_set set, struct dse_rng *rng,
                    struct dse_config *config)
{
    for (size_t i = 0; i < space->count; i++)
        if (dse_bits_has(set, i))
            dse_config_put(space, config, i, space->knobs[i].domain[dse_rng_below(rng, space->knobs[i].domain_count)]);
    dse_config_canonical(space, config);
}

void dse_space_restrict(struct dse_space *space, size_t knob, const int64_t *values,
                                   size_t count)
{
    int64_t *copy = dse_arena_alloc(&space->arena, count, sizeof *copy);
    memcpy(copy, values, count * sizeof *copy);
    space->knobs[knob].domain = copy;
    space->knobs[knob].domain_count = count;
    space->knobs[knob].restricted = true;
}
