/* The tables of the blocks' costs, kept and shared.
 *
 * A block's cost depends on the knobs that it reads and on the workload alone. A table over its free knobs therefore
 * serves every slice, setting and later search in which its other knobs have the same values. Only accumulators
 * that are not zero in some row are kept, a tenth of them. */
#pragma once

#include "search/search.h"

/* The table of one block: a row for each combination of its free knobs, the last knob fastest. */
struct dse_block_table {
    uint16_t *knobs; /* knob_count, ascending */
    size_t knob_count;
    size_t *strides;
    size_t rows;
    int64_t **values;     /* rows: component_count each, or NULL where the block rejects the combination */
    size_t *components;   /* component_count places in struct dse_accumulators, taken as an array of int64_t */
    size_t component_count;
    uint64_t refused;     /* rows */
    char refusal[256];    /* the first one's reason */
    int64_t *store;       /* of the values */
};

/* Adds a row's accumulators to a total (busy cycles: takes the larger), as dse_accumulators_combine() does. */
void dse_block_table_combine(const struct dse_block_table *table, size_t row, struct dse_accumulators *total);

/* Knobs that a block reads, and those that decide whether they matter. */
dse_knob_set dse_block_reads(const struct dse_question *question, size_t block);

/* The least and the most of each component over rows. */
struct dse_extent {
    struct dse_accumulators least, most;
};

/* Bounds of all rows of some blocks together. */
struct dse_group_bounds {
    struct dse_extent extent; /* of the rows that can be built */
    uint64_t count;           /* of these */
    uint64_t distinct;        /* of all that are different designs */
    uint64_t unbuildable;     /* rows of blocks that are rejected */
    char refusal[256];        /* the first one's reason, or "" */
};

/* Tables of questions that share family, board and costs. Several threads may look at once. */
struct dse_tables;

struct dse_tables *dse_tables_create(void);
void dse_tables_free(struct dse_tables *tables);

/* The question with tables: its own, or new ones until the end. */
struct dse_question dse_question_sharing(const struct dse_question *question);
void dse_question_end_sharing(const struct dse_question *question, struct dse_question *shared);

/* The table of block `block` over those of `knobs` (knob_count, ascending) that it reads, the others as in `config`. `work`
 * is the prepared workload of alternative `alternative`. Valid until the tables are freed. Failures are the block's. */
enum dse_status dse_tables_get(struct dse_tables *tables, const struct dse_question *question, size_t block,
                               const uint16_t *knobs, size_t knob_count, const struct dse_config *config,
                               size_t alternative, const void *work, const struct dse_block_table **out,
                               struct dse_error *err);

/* Rows of blocks (a bit each) over some free knobs, the others as in `config`: their table, or their bounds. */
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

/* The bounds of rows, made where there is none yet (several threads may make the same; one is kept). Valid until the tables are freed. */
enum dse_status dse_tables_bounds(struct dse_tables *tables, const struct dse_question *question, const struct dse_rows_of *of,
                                  dse_bounds_maker *make, void *user, const struct dse_group_bounds **out, struct dse_error *err);
