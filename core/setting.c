#include "core/setting.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* The place of `name`, or the place where it would be inserted. */
static size_t lower_bound(const struct dse_setting *setting, const char *name)
{
    size_t low = 0, high = setting->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(setting->pairs[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool stands_at(const struct dse_setting *setting, size_t place, const char *name)
{
    return place < setting->count && strcmp(setting->pairs[place].name, name) == 0;
}

void dse_setting_put(struct dse_setting *setting, const char *name, const char *value)
{
    size_t place = lower_bound(setting, name);
    char *new_value = dse_strdup(value);
    if (stands_at(setting, place, name)) {
        free(setting->pairs[place].value);
        setting->pairs[place].value = new_value;
        return;
    }
    char *new_name = dse_strdup(name);
    struct dse_setting_pair *pairs = setting->pairs = dse_realloc_array(setting->pairs, setting->count + 1, sizeof *pairs);
    memmove(pairs + place + 1, pairs + place, (setting->count - place) * sizeof *pairs);
    pairs[place] = (struct dse_setting_pair){new_name, new_value};
    setting->count++;
}

const char *dse_setting_get(const struct dse_setting *setting, const char *name)
{
    size_t place = lower_bound(setting, name);
    return stands_at(setting, place, name) ? setting->pairs[place].value : NULL;
}

void dse_setting_copy(const struct dse_setting *setting, struct dse_setting *copy)
{
    *copy = (struct dse_setting){.pairs = dse_calloc(setting->count, sizeof *copy->pairs), .count = setting->count};
    for (size_t i = 0; i < setting->count; i++)
        copy->pairs[i] = (struct dse_setting_pair){dse_strdup(setting->pairs[i].name), dse_strdup(setting->pairs[i].value)};
}

int dse_setting_compare(const struct dse_setting *a, const struct dse_setting *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        int order = strcmp(a->pairs[i].name, b->pairs[i].name);
        if (order == 0)
            order = strcmp(a->pairs[i].value, b->pairs[i].value);
        if (order != 0)
            return order;
    }
    return (a->count > b->count) - (a->count < b->count);
}

bool dse_setting_meet(const char *a, const char *b)
{
    for (;;) {
        size_t length = strcspn(a, "|");
        for (const char *other = b;;) {
            size_t theirs = strcspn(other, "|");
            if (length == theirs && memcmp(a, other, length) == 0)
                return true;
            if (other[theirs] == '\0')
                break;
            other += theirs + 1;
        }
        if (a[length] == '\0')
            return false;
        a += length + 1;
    }
}

bool dse_setting_contains(const struct dse_setting *whole, const struct dse_setting *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const char *value = dse_setting_get(whole, part->pairs[i].name);
        if (value == NULL || !dse_setting_meet(value, part->pairs[i].value))
            return false;
    }
    return true;
}

void dse_setting_free(struct dse_setting *setting)
{
    for (size_t i = 0; i < setting->count; i++) {
        free(setting->pairs[i].name);
        free(setting->pairs[i].value);
    }
    free(setting->pairs);
    *setting = (struct dse_setting){0};
}
