/* Crossed lists of parameter values: the settings at which a profile is measured. */
#pragma once

#include <stddef.h>

#include "core/status.h"

/* One parameter of the grid. */
struct dse_axis {
    char *name;
    char **values; /* count, at least 1 */
    size_t count;
};

/* Empty when zeroed: only the preset's setting. */
struct dse_grid {
    struct dse_axis *axes; /* count */
    size_t count;
};

/* Adds an axis from "name" and "v1,v2,…". DSE_BAD_USAGE for a name already present, an empty or a repeated value. */
enum dse_status dse_grid_add(struct dse_grid *grid, const char *name, const char *values, struct dse_error *err);

/* Number of settings: the product of the axes' counts; SIZE_MAX on overflow. */
size_t dse_grid_size(const struct dse_grid *grid);

void dse_grid_free(struct dse_grid *grid);
