/* Slices and groups of a question, and the tables of their rows.
 *
 * A slice fixes one algorithmic setting and the knobs that nearly every block reads. These are the clock, the compute units, and other knobs that
 * would join the blocks. Within a slice the free knobs fall into groups that share no block. A group has one row per combination of its knobs; a row
 * is the sum of its blocks' tables. A design of the slice is one row of every group.
 *
 * A chain (layers, each with a converter to the next that reads the knobs of both) would need too many slices. There the knobs shared by blocks stay
 * free, so groups have knobs in common (`joined`). A design is then one row per group, with equal values of the common knobs. */
#pragma once

#include "search/search.h"

#define DSE_GROUP_MAX DSE_KNOB_MAX
#define DSE_GROUP_ROWS_MAX ((size_t)1 << 20) /* wider groups are rejected */
#define DSE_GROUP_ROWS_WANTED 4096          /* above this a shared knob is fixed by slices instead */
#define DSE_SLICES_FEW 2048                 /* per setting: above this, shared knobs stay free if all groups are narrow */
#define DSE_SLICES_WANTED 65536             /* per setting: above this, shared knobs stay free if the method joins groups */
#define DSE_SLICES_MAX ((uint64_t)1 << 20)  /* over all settings: above this, the question is rejected */

/* Division of a question. */
struct dse_plan {
    size_t fixed[DSE_KNOB_MAX]; /* fixed_count knobs fixed per slice */
    size_t fixed_count;
    struct dse_plan_group {
        uint16_t knobs[DSE_KNOB_MAX]; /* knob_count, ascending */
        size_t knob_count;
        uint16_t blocks[DSE_BLOCK_MAX]; /* block_count; blocks without free knobs are in group 0 */
        size_t block_count;
    } groups[DSE_GROUP_MAX];
    size_t group_count;
    uint64_t slices_per_alternative;
    dse_knob_set joined; /* free knobs in several groups */
};

/* Divides the question into slices and groups. Groups have knobs in common only if the caller `joins` and there would be too many slices otherwise.
 * Too many are more than DSE_SLICES_WANTED, more than DSE_SLICES_MAX over all settings, or more than DSE_SLICES_FEW if joined groups have at most
 * DSE_GROUP_ROWS_WANTED rows. DSE_LIMIT, with width and limit, if every division has a group of more than DSE_GROUP_ROWS_MAX rows or more than
 * DSE_SLICES_MAX slices. */
enum dse_status dse_plan_make(const struct dse_question *question, bool joins, struct dse_plan *plan, struct dse_error *err);

/* Number of designs of a slice with the fixed knobs of `config`, in a plan whose groups have common knobs. Saturates. */
uint64_t dse_plan_designs(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config);

struct dse_group_bounds;

/* Rows of one group in one slice. */
struct dse_group {
    struct dse_accumulators *sums; /* count × the question's data sets */
    uint64_t *combinations;        /* count: combination of the group's knobs, the last varying fastest (dse_slice_row_config()) */
    size_t count;
};

/* Number of data sets of a question: 1, or those that share the design. */
static inline size_t dse_question_sets(const struct dse_question *question)
{
    return question->sets != NULL ? question->sets->count : 1;
}

/* Weight of a data set in a mean over all. */
static inline double dse_question_share(const struct dse_question *question, size_t set)
{
    return question->sets != NULL ? question->sets->shares[set] : 1.0;
}

/* Adds a row's sums per data set to others. */
static inline void dse_sums_combine(const struct dse_question *question, struct dse_accumulators *total, const struct dse_accumulators *part)
{
    for (size_t set = 0; set < dse_question_sets(question); set++)
        dse_accumulators_combine(&total[set], &part[set]);
}

/* Sums of a row per data set. */
static inline const struct dse_accumulators *dse_group_row(const struct dse_question *question, const struct dse_group *group, size_t row)
{
    return &group->sums[row * dse_question_sets(question)];
}

/* One slice. */
struct dse_slice {
    const struct dse_space *space;
    size_t alternative;
    struct dse_config config; /* the fixed knobs and the alternative's knobs */
    struct dse_platform platform;
    struct dse_group groups[DSE_GROUP_MAX]; /* group_count of the plan */
    uint64_t size;        /* configurations: the product of the groups' counts before rows were dropped */
    uint64_t unbuildable; /* rows that a block rejected */
    char rejection[256];
};

/* The configuration fixed by slice `index`, with the other knobs at base values; returns its alternative. */
size_t dse_slice_fixed(const struct dse_question *question, const struct dse_plan *plan, uint64_t index,
                       struct dse_config *config);

/* Number of knobs in which a slice with this configuration, or some row of a group, differs from the question's `from`. For a slice its own knobs
 * count, for a group the knobs that no group before it has. */
size_t dse_slice_changes(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config);
size_t dse_row_changes(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, size_t group, size_t row);

/* Whether the slice counts: if a fixed knob does not matter, only the slice with its first value does. */
bool dse_slice_canonical(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config);

/* Facts on all rows of a group for the fixed knobs of `config`, stored in the question's tables, which must exist. */
enum dse_status dse_group_bounds_get(const struct dse_question *question, const struct dse_plan_group *group,
                                      const struct dse_config *config, size_t alternative, const void *work,
                                     const struct dse_group_bounds **out, struct dse_error *err);

/* Tabulates slice `index` (alternatives outermost, then the fixed knobs, the last varying fastest), for DSE_CLEANUP(dse_slice_drop). Rows that a
 * block rejects are omitted and counted. `work` holds the alternatives' prepared workloads. Uses and extends the question's tables. */
enum dse_status dse_slice_open(const struct dse_question *question, const struct dse_plan *plan, uint64_t index, void *const *work,
                               struct dse_slice **out, struct dse_error *err);
void dse_slice_drop(struct dse_slice **slice);

/* Prepares the alternatives' workloads; released by dse_work_release. */
enum dse_status dse_work_prepare(const struct dse_question *question, void ***out, struct dse_error *err);
void dse_work_release(const struct dse_question *question, void **work);

/* Platform of a configuration, with the question's scaling of the board's caps. */
void dse_question_platform(const struct dse_question *question, const struct dse_config *config,
                           struct dse_platform *out);

/* Converts a slice to another number of compute units: its rows do not depend on the units and are kept. `index` is
 * that of the slice that differs only in the units. */
void dse_slice_reuse(const struct dse_question *question, const struct dse_plan *plan, uint64_t index,
                     struct dse_slice *slice);

/* Whether some block's cost depends on a knob. A block may reject designs by the number of compute units. */
bool dse_question_reads(const struct dse_question *question, size_t knob);

/* Number of slices that differ only in their compute units, and the distance of their indices. */
size_t dse_plan_units(const struct dse_question *question, const struct dse_plan *plan, uint64_t *stride);

/* Sets the knobs of one group to those of one of its rows. */
void dse_slice_row_config(const struct dse_plan *plan, const struct dse_slice *slice, size_t group, size_t row,
                          struct dse_config *config);

/* Configuration of the slice from one row per group. */
void dse_slice_config(const struct dse_plan *plan, const struct dse_slice *slice, const uint32_t *rows,
                      struct dse_config *config);

/* All metrics except quality, of a complete design or of its bounds, from the sums per data set. */
void dse_question_derive(const struct dse_question *question, const struct dse_platform *platform, const struct dse_accumulators *sums,
                         size_t alternative, double metrics[DSE_METRIC_COUNT]);

/* Objectives' and limits' metrics of a complete design from its sums per data set; the quality is the alternative's. */
void dse_slice_metrics(const struct dse_question *question, const struct dse_slice *slice,
                       const struct dse_accumulators *sums, double metrics[DSE_METRIC_COUNT]);
