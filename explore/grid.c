#include "explore/grid.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"

static const struct dse_axis *find_axis(const struct dse_grid *grid, const char *name)
{
    for (size_t i = 0; i < grid->count; i++)
        if (strcmp(grid->axes[i].name, name) == 0)
            return &grid->axes[i];
    return NULL;
}

static void free_axis(struct dse_axis *axis)
{
    for (size_t i = 0; i < axis->count; i++)
        free(axis->values[i]);
    free(axis->values);
    free(axis->name);
}

static enum dse_status add_value(struct dse_axis *axis, const char *list, const char *start, size_t length, struct dse_error *err)
{
    if (length == 0)
        return dse_fail(err, DSE_BAD_USAGE, "%s=%s: an empty value in the list; separate values by one comma", axis->name, list);
    for (size_t i = 0; i < axis->count; i++)
        if (strlen(axis->values[i]) == length && strncmp(axis->values[i], start, length) == 0)
            return dse_fail(err, DSE_BAD_USAGE, "%s: %s occurs twice in the list", axis->name, axis->values[i]);
    *(char **)dse_list_more(&axis->values, &axis->count, sizeof *axis->values) = dse_strndup(start, length);
    return DSE_OK;
}

static enum dse_status add_values(struct dse_axis *axis, const char *values, struct dse_error *err)
{
    const char *list = values;
    for (size_t length;; values += length + 1) {
        length = strcspn(values, ",");
        DSE_TRY(add_value(axis, list, values, length, err));
        if (values[length] == '\0')
            return DSE_OK;
    }
}

enum dse_status dse_grid_add(struct dse_grid *grid, const char *name, const char *values, struct dse_error *err)
{
    if (find_axis(grid, name) != NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: has two lists of values", name);
    struct dse_axis *axis = dse_list_more(&grid->axes, &grid->count, sizeof *axis);
    axis->name = dse_strdup(name);
    enum dse_status status = add_values(axis, values, err);
    if (status != DSE_OK) {
        free_axis(axis);
        grid->count--;
    }
    return status;
}

size_t dse_grid_size(const struct dse_grid *grid)
{
    size_t size = 1;
    for (size_t i = 0; i < grid->count; i++) {
        if (size > SIZE_MAX / grid->axes[i].count)
            return SIZE_MAX;
        size *= grid->axes[i].count;
    }
    return size;
}

void dse_grid_free(struct dse_grid *grid)
{
    for (size_t i = 0; i < grid->count; i++)
        free_axis(&grid->axes[i]);
    free(grid->axes);
    *grid = (struct dse_grid){0};
}
