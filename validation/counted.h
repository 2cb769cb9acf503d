/* Earlier counts of modules by open synthesis: a comma-separated table with one row per module and its cells. A minute of synthesis is thus spent
 * only once on each module. */
#pragma once

#include "core/status.h"
#include "devices/board.h"

/* The table's path, in the environment; not set: nothing is kept. */
#define DSE_COUNTED_VARIABLE "NYSX_SYNTHESIS"

#define DSE_COUNTED_KEY_BYTES 17 /* 16 hexadecimal digits */
#define DSE_COUNTED_TEXT_BYTES 160

/* One module. Figures of resources that it is not counted in are 0. */
struct dse_counted_row {
    char key[DSE_COUNTED_KEY_BYTES], module[64];
    char source[DSE_COUNTED_TEXT_BYTES]; /* the tool, its version and options */
    double used[DSE_RESOURCE_COUNT];
};

/* Empty when zeroed. */
struct dse_counted {
    const char *path; /* NULL: nothing is kept */
    struct dse_counted_row *rows; /* count */
    size_t count;
};

/* The resources that are counted, in the order of the columns. */
#define DSE_COUNTED_RESOURCES 5
extern const enum dse_resource dse_counted_resources[DSE_COUNTED_RESOURCES];

/* Reads the table that the environment names; a missing file is an empty table. DSE_BAD_INPUT, with file and line, for a file that is no table.
 * dse_counted_free releases it. */
enum dse_status dse_counted_open(struct dse_counted *out, struct dse_error *err);
void dse_counted_free(struct dse_counted *counted);

/* The key of a module of an emitted folder: a hash of everything that its synthesis depends on. It covers, without comments, its source and that of
 * all modules that it instantiates. It also covers the tables that these read, the design's parameters and the options of synthesis. O(bytes). */
enum dse_status dse_counted_key(const char *folder, const char *module, const char *prefix, const char *options,
                                char key[DSE_COUNTED_KEY_BYTES], struct dse_error *err);

/* The row of a key, or NULL. O(rows). */
const struct dse_counted_row *dse_counted_find(const struct dse_counted *counted, const char *key);

/* Adds a row and rewrites the table, sorted by key. DSE_LIMIT if it cannot be written. */
enum dse_status dse_counted_add(struct dse_counted *counted, const struct dse_counted_row *row, struct dse_error *err);
