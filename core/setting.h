/* A setting: names with values, ordered by name. It is the key of a measurement. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct dse_setting_pair {
    char *name, *value;
};

/* Empty when zeroed. Owns its texts. */
struct dse_setting {
    struct dse_setting_pair *pairs; /* count, ascending by name, no name twice */
    size_t count;
};

/* Adds the name, or replaces its value. O(count). */
void dse_setting_put(struct dse_setting *setting, const char *name, const char *value);

/* The value, or NULL. O(log count). */
const char *dse_setting_get(const struct dse_setting *setting, const char *name);

/* Deep copy into `copy`, which need not be initialised. */
void dse_setting_copy(const struct dse_setting *setting, struct dse_setting *copy);

/* Order by names, then values; 0 when equal. */
int dse_setting_compare(const struct dse_setting *a, const struct dse_setting *b);

/* Whether two values are the same, or have an alternative in common: "factored", "streamed|resident|factored". */
bool dse_setting_meet(const char *a, const char *b);

/* True if `whole` has every pair of `part` with the same value, or with one of its alternatives. */
bool dse_setting_contains(const struct dse_setting *whole, const struct dse_setting *part);

/* Releases the texts and leaves the setting empty. */
void dse_setting_free(struct dse_setting *setting);
