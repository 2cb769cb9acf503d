/* Shared by the files of the exact merge: partial designs as vectors, and the tests that prune them
 * (search/exact.c explains the merge). */
#pragma once

#include "search/run.h"

#define DSE_MERGE_DIMENSIONS 64 /* bits in a set of dimensions */
#define DSE_MERGE_RECENT 24
#define DSE_MERGE_STAGES (DSE_SETS_MAX * DSE_STAGE_MAX) /* stage s of data set d has index d × DSE_STAGE_MAX + s */

/* Contents of a slice's vectors. */
struct dse_layout {
    size_t count;
    size_t compared; /* dimensions before energy and standby power; in a pipeline with an energy objective or limit all: the energy grows with each of them */
    bool asks[DSE_BOUNDARY_COUNT];    /* energies at this boundary are compared */
    bool powered[DSE_BOUNDARY_COUNT]; /* power is */
    bool carefree;   /* neither time, energy nor power is minimised: they are not compared */
    bool takes_maximum[DSE_MERGE_DIMENSIONS]; /* otherwise added */
    size_t sets, lanes;                 /* data sets; compared sets of times and energies */
    int time[DSE_SETS_MAX][DSE_CASE_COUNT]; /* per lane: dimension of the closed stages' time, or −1 */
    int busy[DSE_CASE_COUNT][DSE_MERGE_STAGES];                  /* index of an open stage's slowest block, or −1 */
    int moving[DSE_CASE_COUNT][DSE_MERGE_STAGES][DSE_MEMORY_MAX]; /* index of an open stage's shared memory, or −1 */
    int energy[DSE_BOUNDARY_COUNT][DSE_SETS_MAX], idle, bytes[DSE_SETS_MAX][DSE_MEMORY_MAX]; /* per lane */
    int host[DSE_SETS_MAX]; /* per lane, host time for the items' bytes, or −1 */
    int prepare[DSE_SETS_MAX]; /* per lane, time of the stages that the host's processor works in, or −1 if no metric depends on it beyond the latency */
    int traffic[DSE_SETS_MAX]; /* per lane, bytes over all memories, or −1 if they cannot limit the time between items */
    bool streams; /* the platform's */
    bool flows;   /* a pipeline with an objective or limit that follows its slowest step; ties are then not broken by energy */
    int interval; /* the longest stage used by one block only; or −1 */
    int kernel;   /* time of the closed stages without the processor's, if a pipeline is empty between starts and not all its stages are in steps; or −1 */
    size_t steps; /* in a pipeline whose steps are shared by several blocks: closed time per step; or 0 */
    int step[DSE_STAGE_MAX][DSE_CASE_COUNT]; /* tail: −1 if items do not differ */
    int resource[DSE_RESOURCE_COUNT];
    int changes; /* from the question's design, or −1 */
    int key; /* knobs that a partial design shares with its complement: only vectors with equal keys compare; or −1 */
    int64_t cap[DSE_MERGE_DIMENSIONS];     /* for resources; INT64_MAX elsewhere */
    bool only_capped[DSE_MERGE_DIMENSIONS]; /* a resource that is not minimised: complete designs only need to fit */
    bool loose[DSE_MERGE_DIMENSIONS];       /* not minimised at all */
    /* Reverse limits (latency ≥ …). */
    struct dse_reverse {
        enum dse_metric metric;
        double cost;         /* value that the metric's cost must reach */
        uint64_t dimensions; /* bit mask: a design not smaller in these meets the limit if another does */
    } reverse[DSE_LIMIT_MAX + 1];
    size_t reverse_count;
    uint64_t reversed; /* the dimensions of all reverse limits */
};

/* Bit set of groups; there are no more groups than knobs. */
typedef dse_knob_set dse_group_set;

/* Partial designs: one row each of some groups. */
struct dse_partial {
    dse_group_set members;
    int64_t *values; /* count × the layout's count */
    uint32_t *rows;  /* count × the plan's group_count; entries of members are set */
    size_t count;
};

struct dse_merge {
    const struct dse_question *question;
    const struct dse_plan *plan;
    const struct dse_slice *slice;
    size_t jobs;
    uint64_t most; /* maximum number of designs to form */
    struct dse_layout layout;
    dse_group_set readers[DSE_KNOB_MAX];                /* groups that have a knob in the plan's joined */
    dse_group_set touches[DSE_STAGE_MAX];               /* groups with cycles or bytes in the stage */
    dse_group_set moves[DSE_STAGE_MAX][DSE_MEMORY_MAX]; /* groups with bytes for the memory there */
    size_t changes;                  /* knobs in which all rows together may differ from the question's design, if it has one */
    unsigned capped;                 /* bit mask of resources whose caps are compared */
    int64_t caps[DSE_RESOURCE_COUNT]; /* limits of board and question, per unit */
    int64_t left[DSE_GROUP_MAX][DSE_RESOURCE_COUNT]; /* per group: the part of the cap left by the minimum of all other groups */
    bool powered[DSE_BOUNDARY_COUNT];        /* power is an objective, or its limit does not always hold */
    double power_cap_nw[DSE_BOUNDARY_COUNT]; /* power up to which it does not matter; −∞ if it always matters */
    /* Contribution of the missing part of a partial design. Standby powers are over all units. */
    int64_t rest_least[DSE_MERGE_DIMENSIONS]; /* minimum that the rest adds to each dimension, or its minimum for maxima */
    int64_t rest_most[DSE_MERGE_DIMENSIONS];  /* maximum that the rest adds */
    int64_t slack[DSE_MERGE_DIMENSIONS]; /* for a resource that only needs to fit: it fits up to this value, whatever is added */
    double rest_idle_nw, rest_shortest_fs[DSE_SETS_MAX], rest_longest_fs[DSE_SETS_MAX]; /* per lane */
    double rest_most_idle_nw;
    /* Costs of feasible designs: from other slices, and from a merge without caps in this slice. */
    const double *others;
    size_t other_count;
    const struct dse_forest *others_forest;
    double *learned;
    size_t learned_count;
    struct dse_forest *learned_forest;
};

/* Members that recently pruned something, most useful first: indices into `others`. */
struct dse_recent {
    uint32_t places[DSE_MERGE_RECENT];
    size_t count;
};

/* ---- search/merge_layout.c: relevant dimensions ---- */

/* Determines the groups that take part in each stage. */
void dse_merge_note_touches(struct dse_merge *merge);

/* DSE_LIMIT if several data sets need too many dimensions. */
enum dse_status dse_merge_lay_out(struct dse_merge *merge, struct dse_error *err);

/* Dimensions that must be equal for designs of a pipeline to be compared in power by energy and standby power: power falls as items take longer. Otherwise 0. */
uint64_t dse_merge_power_bits(const struct dse_layout *layout);

/* `sums`: one per data set. */
void dse_merge_row_vector(const struct dse_merge *merge, const struct dse_accumulators *sums, int64_t *vector);

/* Lane of a stage. */
static inline size_t dse_merge_lane(const struct dse_layout *layout, size_t stage)
{
    return layout->lanes > 1 ? stage / DSE_STAGE_MAX : 0;
}

/* Stages that are complete with the members of both, and were not before. */
unsigned dse_merge_closing(const struct dse_merge *merge, dse_group_set left, dse_group_set right);

/* Adds the open times of these stages to the closed time. */
void dse_merge_close(const struct dse_merge *merge, unsigned closing, int64_t *vector);

/* Host time of a lane of `vector`, in fs; 0 at a boundary without the host. */
static inline double dse_merge_host_fs(const struct dse_layout *layout, enum dse_boundary boundary, size_t lane, const int64_t *vector)
{
    return boundary == DSE_BOUNDARY_SYSTEM && layout->host[lane] >= 0 ? (double)vector[layout->host[lane]] : 0.0;
}

/* As dse_merge_host_fs, for the stages in which the host's processor works, where units contend for it. */
static inline double dse_merge_prepare_fs(const struct dse_layout *layout, enum dse_boundary boundary, size_t lane, const int64_t *vector)
{
    return (boundary == DSE_BOUNDARY_SYSTEM || layout->flows) && layout->prepare[lane] >= 0 ? (double)vector[layout->prepare[lane]] : 0.0;
}

/* Host time per item, for all runs of a lane. */
double dse_merge_launch_fs(const struct dse_merge *merge, enum dse_boundary boundary);

/* The part of it in which a unit waits (dse_wait_s). */
static inline double dse_merge_wait_fs(const struct dse_merge *merge, enum dse_boundary boundary)
{
    return merge->slice->platform.waits ? dse_merge_launch_fs(merge, boundary) : 0.0;
}

/* Writes the contribution of a partial design to each of the three times whose longest is that between two items at a boundary: a unit's own, and its share of memories
 * and host (dse_delivery_s); `time_fs`: its share of the latency, `launch_fs` of the launch. Returns how many of them count. */
#define DSE_MERGE_CLOCKS 3
static inline size_t dse_merge_clocks(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const int64_t *vector, double time_fs,
                                      double launch_fs, double out[DSE_MERGE_CLOCKS])
{
    const struct dse_layout *layout = &merge->layout;
    const struct dse_platform *platform = &merge->slice->platform;
    double host_fs = launch_fs + dse_merge_host_fs(layout, boundary, lane, vector);
    out[0] = time_fs + (!layout->streams ? host_fs : platform->waits ? launch_fs : 0.0);
    if (layout->traffic[lane] < 0)
        return 1;
    out[1] = (double)platform->units * (double)vector[layout->traffic[lane]] * platform->s_per_byte * 1e15;
    out[2] = (double)platform->units * (host_fs + dse_merge_prepare_fs(layout, boundary, lane, vector));
    return boundary == DSE_BOUNDARY_SYSTEM || (layout->flows && layout->prepare[lane] >= 0) ? 3 : 2;
}

/* Whether lanes are data sets that the metrics add up: the longest of their summed times is then less than the sum of their longest. */
static inline bool dse_merge_sums_lanes(const struct dse_merge *merge)
{
    return merge->layout.lanes > 1 && merge->question->sets->times_all > 0;
}

/* Interval of a pipeline with its open stages as they are: a lower bound over all completions of the vector. */
int64_t dse_merge_interval_fs(const struct dse_merge *merge, const int64_t *vector);

/* Time of the stages without the processor's (dse_item.kernel_s), with the open ones as they are, of a pipeline that is empty between starts. */
int64_t dse_merge_kernel_fs(const struct dse_layout *layout, const int64_t *vector);

/* Maximum time of a lane's open stages in a vector. */
int64_t dse_merge_open_fs(const struct dse_layout *layout, size_t lane, const int64_t *vector);

/* ---- search/merge_bounds.c: bounds on completions ---- */

/* Reverse limits met by every completion, as a bit mask. */
uint64_t dse_merge_reached(const struct dse_merge *merge, const int64_t *vector);

/* Whether every completion of a partial design is useless: it violates a limit, or a known design dominates it.
 * With `only_recent`, tests only a few known designs. */
bool dse_merge_hopeless(const struct dse_merge *merge, const int64_t *vector, struct dse_recent *recent, bool only_recent);

/* ---- search/merge_prune.c: fronts of vectors ---- */

/* Keeps vectors that neither others nor designs of other slices dominate; of equal vectors the one with the smaller rows. */
enum dse_status dse_merge_prune(const struct dse_merge *merge, struct dse_partial *partial, struct dse_error *err);
void dse_partial_free(struct dse_partial *partial);
