/* Shared by the files of the exact merge: partial designs as vectors, and when one of them need not be gone on with
 * (search/exact.c says what for). */
#pragma once

#include "search/run.h"

#define DSE_MERGE_DIMENSIONS 64 /* as many as a set of dimensions has bits */
#define DSE_MERGE_RECENT 24
#define DSE_MERGE_STAGES (DSE_SETS_MAX * DSE_STAGE_MAX) /* stage s of data set d is the one at d × DSE_STAGE_MAX + s */

/* Contents of the vectors of a slice. */
struct dse_layout {
    size_t count;
    size_t compared; /* the dimensions before energy and standby power; of a pipeline whose energy is asked for all: it grows with each of them */
    bool asks[DSE_BOUNDARY_COUNT];    /* energies at this boundary are compared */
    bool powered[DSE_BOUNDARY_COUNT]; /* power is */
    bool carefree;   /* nobody wants less of time, energy or power: they are not compared */
    bool takes_maximum[DSE_MERGE_DIMENSIONS]; /* else added */
    size_t sets, lanes;                 /* data sets; times and energies that are compared */
    int time[DSE_SETS_MAX][DSE_CASE_COUNT]; /* a lane's: dimension of the closed stages' time, or −1 */
    int busy[DSE_CASE_COUNT][DSE_MERGE_STAGES];                  /* of an open stage's slowest block, or −1 */
    int moving[DSE_CASE_COUNT][DSE_MERGE_STAGES][DSE_MEMORY_MAX]; /* of an open stage's shared memory, or −1 */
    int energy[DSE_BOUNDARY_COUNT][DSE_SETS_MAX], idle, bytes[DSE_SETS_MAX][DSE_MEMORY_MAX]; /* a lane's */
    int host[DSE_SETS_MAX]; /* a lane's time of the host for the items' bytes, or −1 */
    bool flows;   /* a pipeline whose throughput, energy or power is asked for; which of equal designs is kept then does not follow energy */
    int interval; /* the longest of the stages that each block has for itself; or −1 */
    size_t steps; /* of one whose steps several blocks make: what of each is closed; or 0 */
    int step[DSE_STAGE_MAX][DSE_CASE_COUNT]; /* of the tail −1 where items do not differ */
    int resource[DSE_RESOURCE_COUNT];
    int key; /* of the knobs that a partial design has in common with what it lacks: only equal ones compare; or −1 */
    int64_t cap[DSE_MERGE_DIMENSIONS];     /* of a resource; INT64_MAX elsewhere */
    bool only_capped[DSE_MERGE_DIMENSIONS]; /* a resource that nobody wants less of: whole designs need only fit */
    bool loose[DSE_MERGE_DIMENSIONS];       /* nobody wants less of it at all */
    /* Limits from the wrong side (latency ≥ …). */
    struct dse_reverse {
        enum dse_metric metric;
        double cost;         /* what the metric's cost must reach */
        uint64_t dimensions; /* what is no less in these, a bit each, reaches it where another does */
    } reverse[DSE_LIMIT_MAX + 1];
    size_t reverse_count;
    uint64_t reversed; /* the dimensions of all of them */
};

/* A set of groups: bit g stands for group g, of which there are no more than knobs. */
typedef dse_knob_set dse_group_set;

/* Partial designs: a row of each of some groups. */
struct dse_partial {
    dse_group_set members;
    int64_t *values; /* count × the layout's count */
    uint32_t *rows;  /* count × the plan's group_count; those of the members are set */
    size_t count;
};

struct dse_merge {
    const struct dse_question *question;
    const struct dse_plan *plan;
    const struct dse_slice *slice;
    size_t jobs;
    uint64_t most; /* designs that may be formed */
    struct dse_layout layout;
    dse_group_set readers[DSE_KNOB_MAX];                /* the groups that have a knob of the plan's joined */
    dse_group_set touches[DSE_STAGE_MAX];               /* the groups that have cycles or bytes in the stage */
    dse_group_set moves[DSE_STAGE_MAX][DSE_MEMORY_MAX]; /* those that have bytes for the memory there */
    unsigned capped;                 /* resources whose caps are compared, a bit each */
    int64_t caps[DSE_RESOURCE_COUNT]; /* the board's and the question's, for one unit */
    int64_t left[DSE_GROUP_MAX][DSE_RESOURCE_COUNT]; /* of these, for each group: what the least of all others leaves */
    bool powered[DSE_BOUNDARY_COUNT];        /* power is an objective, or its limit does not hold by itself */
    double power_cap_nw[DSE_BOUNDARY_COUNT]; /* up to which power does not matter; −∞ where it always does */
    /* The contribution of the parts that a partial design still lacks. Standby powers are those of all units together. */
    int64_t rest_least[DSE_MERGE_DIMENSIONS]; /* the least that the rest adds to each dimension, or makes of it */
    int64_t rest_most[DSE_MERGE_DIMENSIONS];  /* the most */
    int64_t slack[DSE_MERGE_DIMENSIONS]; /* of a resource that need only fit: up to here it does, whatever is added */
    double rest_idle_nw, rest_shortest_fs[DSE_SETS_MAX], rest_longest_fs[DSE_SETS_MAX]; /* of each lane */
    double rest_most_idle_nw;
    /* Costs of designs that are feasible: those of other slices, and those of this one that a merge without caps has found. */
    const double *others;
    size_t other_count;
    const struct dse_forest *others_forest;
    double *learned;
    size_t learned_count;
    struct dse_forest *learned_forest;
};

/* Members that lately pruned something, the most useful first: places of `others`. */
struct dse_recent {
    uint32_t places[DSE_MERGE_RECENT];
    size_t count;
};

/* ---- search/merge_layout.c: what the question can see ---- */

/* The groups that take part in each stage. */
void dse_merge_note_touches(struct dse_merge *merge);

/* DSE_LIMIT where several data sets make more dimensions than there may be. */
enum dse_status dse_merge_lay_out(struct dse_merge *merge, struct dse_error *err);

/* The dimensions in which designs of a pipeline are alike where their powers compare by energy and standby power: power falls as items take longer. 0 of others. */
uint64_t dse_merge_power_bits(const struct dse_layout *layout);

/* `sums`: of each data set. */
void dse_merge_row_vector(const struct dse_merge *merge, const struct dse_accumulators *sums, int64_t *vector);

/* The lane of a stage. */
static inline size_t dse_merge_lane(const struct dse_layout *layout, size_t stage)
{
    return layout->lanes > 1 ? stage / DSE_STAGE_MAX : 0;
}

/* The stages that all their groups have joined with the members of both, and not before. */
unsigned dse_merge_closing(const struct dse_merge *merge, dse_group_set left, dse_group_set right);

/* Turns the open times of these stages into time that has passed. */
void dse_merge_close(const struct dse_merge *merge, unsigned closing, int64_t *vector);

/* The time that a boundary adds to a lane in a vector, and in the rest at least or at most; the kernel adds none. */
static inline double dse_merge_host_fs(const struct dse_layout *layout, enum dse_boundary boundary, size_t lane, const int64_t *vector)
{
    return boundary == DSE_BOUNDARY_SYSTEM && layout->host[lane] >= 0 ? (double)vector[layout->host[lane]] : 0.0;
}

/* The host's time of an item, in all that a lane runs. */
double dse_merge_launch_fs(const struct dse_merge *merge, enum dse_boundary boundary);

/* The interval of a pipeline with its open stages as they are: a lower bound over all completions of the vector. */
int64_t dse_merge_interval_fs(const struct dse_merge *merge, const int64_t *vector);

/* The longest that a vector makes a lane's stages that are still open. */
int64_t dse_merge_open_fs(const struct dse_layout *layout, size_t lane, const int64_t *vector);

/* ---- search/merge_bounds.c: what a partial design can still become ---- */

/* The reverse limits that it holds whatever completes it, a bit each. */
uint64_t dse_merge_reached(const struct dse_merge *merge, const int64_t *vector);

/* Whether nothing that a partial design can become is worth having: it breaks a limit, or a known design dominates it.
 * Where `only_recent`, no more than a few known designs are tried. */
bool dse_merge_hopeless(const struct dse_merge *merge, const int64_t *vector, struct dse_recent *recent, bool only_recent);

/* ---- search/merge_prune.c: fronts of vectors ---- */

/* Keeps what nothing else dominates and no other slice rules out; of equals the one with the smaller rows. */
enum dse_status dse_merge_prune(const struct dse_merge *merge, struct dse_partial *partial, struct dse_error *err);
void dse_partial_free(struct dse_partial *partial);
