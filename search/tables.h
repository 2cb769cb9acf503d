/* Cached and shared tables of the blocks' costs.
 *
 * A block's cost depends only on the knobs that it reads and on the workload. A table over its free knobs therefore
 * serves every slice, setting and later search with equal values of its other knobs. Only accumulators
 * that are non-zero in some row are stored, a tenth of them, and equal rows once. */
#pragma once

#include "search/search.h"

/* Table of one block: one row per combination of its free knobs, the last knob varying fastest. */
struct dse_block_table {
    uint16_t *knobs; /* knob_count, ascending */
    size_t knob_count;
    size_t *strides;
    size_t rows;
    uint32_t *places;     /* per row: 1 + index of its values in the store, which equal rows share; 0 if the block rejects the combination */
    size_t *components;   /* component_count indices into struct dse_accumulators as an array of int64_t */
    size_t component_count;
    uint64_t rejected;     /* rejected rows */
    char rejection[256];    /* reason of the first */
    int64_t *store;       /* component_count values for each place */
};

/* The component_count values of a row, or NULL if the block rejects it. */
const int64_t *dse_block_table_row(const struct dse_block_table *table, size_t row);

/* Adds a row's accumulators to a total (busy cycles: maximum), as dse_accumulators_combine() does. */
void dse_block_table_combine(const struct dse_block_table *table, size_t row, struct dse_accumulators *total);

/* Sets the components that are not 0 in a row; counts and costs are not negative. */
static inline void dse_accumulators_or(struct dse_accumulators *any, const struct dse_accumulators *row)
{
    for (size_t c = 0; c < sizeof *row / sizeof(int64_t); c++)
        ((int64_t *)any)[c] |= ((const int64_t *)row)[c];
}

/* Knobs that a block reads, and knobs that decide whether those matter. */
dse_knob_set dse_block_reads(const struct dse_question *question, size_t block);

/* Minimum and maximum of each component over rows. */
struct dse_extent {
    struct dse_accumulators least, most;
};

/* Bounds on all rows of some blocks together. */
struct dse_group_bounds {
    struct dse_extent extent; /* over rows that can be built */
    uint64_t count;           /* number of these */
    uint64_t distinct;        /* number of distinct designs */
    uint64_t unbuildable;     /* block rows that are rejected */
    char rejection[256];        /* reason of the first, or "" */
};

/* Tables of questions with equal family, board and costs. Thread-safe. */
struct dse_tables;

struct dse_tables *dse_tables_create(void);
void dse_tables_free(struct dse_tables *tables);

/* The question with tables: its own, or new temporary ones. */
struct dse_question dse_question_sharing(const struct dse_question *question);
void dse_question_end_sharing(const struct dse_question *question, struct dse_question *shared);

/* Table of block `block` over the knobs of `knobs` (knob_count, ascending) that it reads, the others as in `config`. `work`
 * is the prepared workload of alternative `alternative`. Valid until the tables are freed. Returns the block's failures. */
enum dse_status dse_tables_get(struct dse_tables *tables, const struct dse_question *question, size_t block,
                               const uint16_t *knobs, size_t knob_count, const struct dse_config *config,
                               size_t alternative, const void *work, const struct dse_block_table **out,
                               struct dse_error *err);

/* Rows of blocks (bit mask) over some free knobs, the others as in `config`: their table, or their bounds. */
struct dse_rows_of {
    bool bounds;
    const uint16_t *blocks; /* block_count */
    size_t block_count;
    const uint16_t *knobs; /* knob_count, ascending */
    size_t knob_count;
    const struct dse_config *config;
    size_t alternative;
};

typedef enum dse_status dse_bounds_maker(void *user, struct dse_group_bounds *out, struct dse_error *err);

/* Bounds of rows, computed if missing (several threads may compute the same; one result is stored). Valid until the tables are freed. */
enum dse_status dse_tables_bounds(struct dse_tables *tables, const struct dse_question *question, const struct dse_rows_of *of,
                                  dse_bounds_maker *make, void *user, const struct dse_group_bounds **out, struct dse_error *err);
