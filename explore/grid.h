/* Lists of parameters' values, crossed: the settings that a profile is measured at. */
#pragma once

#include <stddef.h>

#include "core/status.h"

/* One parameter that the grid goes through. */
struct dse_axis {
    char *name;
    char **values; /* count, at least 1 */
    size_t count;
};

/* Empty when zeroed: the preset's setting alone. */
struct dse_grid {
    struct dse_axis *axes; /* count */
    size_t count;
};

/* Adds an axis from "name" and "v1,v2,…". DSE_BAD_USAGE for a name that is there already, an empty or a repeated value. */
enum dse_status dse_grid_add(struct dse_grid *grid, const char *name, const char *values, struct dse_error *err);

/* The number of settings: the product of the axes' counts, SIZE_MAX where it overflows. */
size_t dse_grid_size(const struct dse_grid *grid);

void dse_grid_free(struct dse_grid *grid);
