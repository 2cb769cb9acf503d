/* The slices and groups of a question, and the tables of their rows.
 *
 * A slice fixes one algorithmic setting and the knobs that nearly every block reads (the clock, the compute units,
 * and other knobs that would join the blocks). In a slice the free knobs fall into groups that share no
 * block, and a group's rows (one for each combination of its knobs) are sums of its blocks' tables. A design of the
 * slice is one row of every group.
 *
 * A chain (layers, each with a converter to the next that reads the knobs of both) would make too many slices. There the
 * knobs that blocks share stay free: groups have knobs in common (`joined`), and a design is one row of every group, which agree in them. */
#pragma once

#include "search/search.h"

#define DSE_GROUP_MAX DSE_KNOB_MAX
#define DSE_GROUP_ROWS_MAX ((size_t)1 << 20) /* wider groups are rejected */
#define DSE_GROUP_ROWS_WANTED 4096          /* above this a shared knob is fixed by slices instead */
#define DSE_SLICES_FEW 2048                 /* of a setting: above this shared knobs stay free where all groups are narrow */
#define DSE_SLICES_WANTED 65536             /* of a setting: above this shared knobs stay free where the method joins groups */
#define DSE_SLICES_MAX ((uint64_t)1 << 20)  /* of all settings: above this the question is rejected */

/* How a question is cut. */
struct dse_plan {
    size_t fixed[DSE_KNOB_MAX]; /* fixed_count knobs that a slice fixes */
    size_t fixed_count;
    struct dse_plan_group {
        uint16_t knobs[DSE_KNOB_MAX]; /* knob_count, ascending */
        size_t knob_count;
        uint16_t blocks[DSE_BLOCK_MAX]; /* block_count; the blocks that read no free knob are in group 0 */
        size_t block_count;
    } groups[DSE_GROUP_MAX];
    size_t group_count;
    uint64_t slices_per_alternative;
    dse_knob_set joined; /* free knobs that several groups have */
};

/* Divides the question into slices and groups. Groups have knobs in common only if the caller `joins` and there would otherwise be more than
 * DSE_SLICES_WANTED slices, or more than DSE_SLICES_FEW while joined groups have at most DSE_GROUP_ROWS_WANTED rows. DSE_LIMIT, with width and
 * limit, if every division has a group of more than DSE_GROUP_ROWS_MAX rows or more than DSE_SLICES_MAX slices. */
enum dse_status dse_plan_make(const struct dse_question *question, bool joins, struct dse_plan *plan, struct dse_error *err);

/* The designs of a slice whose fixed knobs `config` has, of a plan whose groups have knobs in common. Saturates. */
uint64_t dse_plan_designs(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config);

struct dse_group_bounds;

/* The rows of one group in one slice. */
struct dse_group {
    struct dse_accumulators *sums; /* count × the question's data sets */
    uint32_t *combinations;        /* count: of the group's knobs, the last fastest (dse_slice_row_config()) */
    size_t count;
};

/* The data sets of a question: 1, or those that share the design. */
static inline size_t dse_question_sets(const struct dse_question *question)
{
    return question->sets != NULL ? question->sets->count : 1;
}

/* The weight of a data set in a mean over all. */
static inline double dse_question_share(const struct dse_question *question, size_t set)
{
    return question->sets != NULL ? question->sets->shares[set] : 1.0;
}

/* Adds a row's sums on each data set to those of others. */
static inline void dse_sums_combine(const struct dse_question *question, struct dse_accumulators *total, const struct dse_accumulators *part)
{
    for (size_t set = 0; set < dse_question_sets(question); set++)
        dse_accumulators_combine(&total[set], &part[set]);
}

/* The sums of a row on each data set. */
static inline const struct dse_accumulators *dse_group_row(const struct dse_question *question, const struct dse_group *group, size_t row)
{
    return &group->sums[row * dse_question_sets(question)];
}

/* One slice. */
struct dse_slice {
    const struct dse_space *space;
    size_t alternative;
    struct dse_config config; /* the fixed knobs and the alternative's */
    struct dse_platform platform;
    struct dse_group groups[DSE_GROUP_MAX]; /* the plan's group_count */
    uint64_t size;        /* configurations: the product of the groups' counts before anything was dropped */
    uint64_t unbuildable; /* rows that a block rejected */
    char refusal[256];
};

/* The configuration that slice `index` fixes, the other knobs at their base values; returns its alternative. */
size_t dse_slice_fixed(const struct dse_question *question, const struct dse_plan *plan, uint64_t index,
                       struct dse_config *config);

/* Where a fixed knob does not matter, only the slice with its first value counts. */
bool dse_slice_canonical(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config);

/* Facts of all rows of a group where the fixed knobs are as in `config`. The question's tables, which there are, keep it. */
enum dse_status dse_group_bounds_get(const struct dse_question *question, const struct dse_plan_group *group,
                                      const struct dse_config *config, size_t alternative, const void *work,
                                     const struct dse_group_bounds **out, struct dse_error *err);

/* Tabulates slice `index` (alternatives outermost, then the fixed knobs, the last fastest), for DSE_CLEANUP(dse_slice_drop). Rows that a
 * block rejects are left out and counted. `work` holds the alternatives' prepared workloads. The question's tables are used and added to. */
enum dse_status dse_slice_open(const struct dse_question *question, const struct dse_plan *plan, uint64_t index, void *const *work,
                               struct dse_slice **out, struct dse_error *err);
void dse_slice_drop(struct dse_slice **slice);

/* The alternatives' prepared workloads, for dse_work_release. */
enum dse_status dse_work_prepare(const struct dse_question *question, void ***out, struct dse_error *err);
void dse_work_release(const struct dse_question *question, void **work);

/* The platform of a configuration, with the question's scale on the board's caps. */
void dse_question_platform(const struct dse_question *question, const struct dse_config *config,
                           struct dse_platform *out);

/* Makes a slice one of another number of compute units: its rows do not depend on it, so they are kept. `index` is
 * that of a slice that differs in nothing else. */
void dse_slice_reuse(const struct dse_question *question, const struct dse_plan *plan, uint64_t index,
                     struct dse_slice *slice);

/* Whether some block's cost depends on a knob. Fewer compute units may be what a block rejects. */
bool dse_question_reads(const struct dse_question *question, size_t knob);

/* How many slices differ in their compute units alone, and how far their indices lie apart. */
size_t dse_plan_units(const struct dse_question *question, const struct dse_plan *plan, uint64_t *stride);

/* Sets the knobs of one group as one of its rows has them. */
void dse_slice_row_config(const struct dse_plan *plan, const struct dse_slice *slice, size_t group, size_t row,
                          struct dse_config *config);

/* A configuration of the slice from one row of each group. */
void dse_slice_config(const struct dse_plan *plan, const struct dse_slice *slice, const uint32_t *rows,
                      struct dse_config *config);

/* All metrics but the quality, of a whole design or of bounds of one, from the sums on each data set. */
void dse_question_derive(const struct dse_question *question, const struct dse_platform *platform, const struct dse_accumulators *sums,
                         size_t alternative, double metrics[DSE_METRIC_COUNT]);

/* Objectives' and limits' metrics of a whole design from its sums on each data set; the quality is the alternative's. */
void dse_slice_metrics(const struct dse_question *question, const struct dse_slice *slice,
                       const struct dse_accumulators *sums, double metrics[DSE_METRIC_COUNT]);
