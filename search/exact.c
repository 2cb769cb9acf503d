/* The exact front of a slice, without visiting its designs.
 *
 * A design is one row of each group, and its metrics grow with every component of its sums. So a row that is
 * nowhere better than another row of its group can be dropped, and so can a partial design (a row of each of some
 * groups) against another of the same groups: whatever completes the one completes the other no worse. Groups are
 * merged one after another and pruned in between. Dynamic energy and idle power need not each be no worse: what
 * matters is the energy that they lead to, over all that the rest may still add (costs_no_more_energy()).
 *
 * Only the components that the question can see are compared: the times of the stages (a stage that no further
 * group touches closes into one sum), energy, idle power, and the resources that are objectives. The board's caps
 * on the other resources are at first left out. If every design of the front found so holds them, it is the front of
 * the capped question too: a capped design that it lacked would be dominated by an uncapped one, and that by one of
 * the front. If not, the resources that are over join the comparison and the slice is merged again. A limit on power, which
 * falls as a design takes longer, is left out in the same way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/run.h"

#define DIMENSIONS_MAX 40
#define QUICK_TRIES 24   /* known designs that a partial one is held against before it is kept for the pruning */
#define CANDIDATES 65536 /* partial designs collected between two prunings */

/* What the vectors of a slice hold. */
struct layout {
    size_t count;
    size_t compared; /* the dimensions before energy and idle power */
    bool weighs_energy; /* energy and idle power count by the energy they lead to, not each by itself */
    bool powered;       /* power is compared (draws_no_more_power()) */
    bool takes_maximum[DIMENSIONS_MAX]; /* else added */
    bool both_ways[DIMENSIONS_MAX];     /* some metric falls as it grows: only equals compare */
    int time[DSE_CASE_COUNT];           /* dimension of the closed stages' time, or −1 */
    int busy[DSE_CASE_COUNT][DSE_STAGE_MAX];                  /* of an open stage's slowest block, or −1 */
    int moving[DSE_CASE_COUNT][DSE_STAGE_MAX][DSE_MEMORY_MAX]; /* of an open stage's shared memory, or −1 */
    int energy, idle, bytes[DSE_MEMORY_MAX];
    int resource[DSE_RESOURCE_COUNT];
    int64_t cap[DIMENSIONS_MAX];        /* of a resource; INT64_MAX elsewhere */
    bool only_capped[DIMENSIONS_MAX];   /* a resource that nobody asked about: whole designs need only fit */
};

/* A set of groups: bit g stands for group g. */
typedef uint64_t group_set;

/* Partial designs: a row of each of some groups. */
struct partial {
    group_set members;
    int64_t *values; /* count × the layout's count */
    uint32_t *rows;  /* count × the plan's group_count; those of the members are set */
    size_t count;
};

struct merge {
    const struct dse_question *question;
    const struct dse_plan *plan;
    const struct dse_slice *slice;
    struct layout layout;
    group_set touches[DSE_STAGE_MAX];               /* the groups that have cycles or bytes in the stage */
    group_set moves[DSE_STAGE_MAX][DSE_MEMORY_MAX]; /* those that have bytes for the memory there */
    unsigned capped;                            /* resources whose caps are compared, a bit each */
    int64_t caps[DSE_RESOURCE_COUNT];           /* the board's and the question's, for one unit */
    bool powered;                               /* power is an objective, or its limit does not hold by itself */
    double power_cap_nw;                        /* up to which power does not matter; −∞ where it always does */
    /* What the parts that a partial design is not made of will add to it. Idle powers are those of all units together. */
    int64_t rest_least[DIMENSIONS_MAX]; /* the least that the rest adds to each dimension, or makes of it */
    int64_t slack[DIMENSIONS_MAX];      /* of a resource that need only fit: up to here it does, whatever is added */
    double *known;                      /* known_count × objectives: costs of designs that are feasible */
    uint32_t *known_order;              /* in which they are tried */
    size_t known_count;
    double static_nw, rest_idle_nw, rest_shortest_fs, rest_longest_fs;
    double rest_most_fj, rest_most_idle_nw; /* the most dynamic energy and idle power */
};

/* ---- what the question can see ---- */

static bool asks(const struct dse_question *question, enum dse_metric metric)
{
    for (size_t i = 0; i < question->objective_count; i++)
        if (question->objectives[i] == metric)
            return true;
    for (size_t i = 0; i < question->limit_count; i++)
        if (question->limits[i].metric == metric)
            return true;
    return false;
}

/* A limit from the wrong side (latency ≥ …) makes a worse value necessary: nothing may be dropped for being
 * better elsewhere. */
static bool has_reverse_limit(const struct dse_question *question)
{
    for (size_t i = 0; i < question->limit_count; i++)
        if (question->limits[i].at_least != dse_metrics[question->limits[i].metric].higher_is_better)
            return true;
    return false;
}

static int add_dimension(struct layout *layout, bool takes_maximum, bool both_ways, int64_t cap)
{
    layout->takes_maximum[layout->count] = takes_maximum;
    layout->both_ways[layout->count] = both_ways;
    layout->cap[layout->count] = cap;
    return (int)layout->count++;
}

static void note_touches(struct merge *merge)
{
    for (size_t g = 0; g < merge->plan->group_count; g++) {
        const struct dse_group *group = &merge->slice->groups[g];
        group_set bit = (group_set)1 << g;
        for (size_t row = 0; row < group->count; row++) {
            const struct dse_accumulators *sums = &group->sums[row];
            for (int c = 0; c < DSE_CASE_COUNT; c++)
                for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
                    merge->touches[s] |= sums->busy_cycles[c][s] > 0 ? bit : 0;
                    for (int m = 0; m < DSE_MEMORY_MAX; m++)
                        merge->moves[s][m] |= sums->bytes[c][s][m] > 0 ? bit : 0;
                }
        }
    }
    for (size_t s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            merge->touches[s] |= merge->moves[s][m];
}

static bool is_shared(group_set set)
{
    return (set & (set - 1)) != 0;
}

static void lay_out_time(struct merge *merge, enum dse_case which, bool both_ways)
{
    struct layout *layout = &merge->layout;
    layout->time[which] = add_dimension(layout, false, both_ways, INT64_MAX);
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        if (!is_shared(merge->touches[s]))
            continue;
        layout->busy[which][s] = add_dimension(layout, true, both_ways, INT64_MAX);
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (is_shared(merge->moves[s][m]))
                layout->moving[which][s][m] = add_dimension(layout, false, both_ways, INT64_MAX);
    }
}

static void lay_out(struct merge *merge)
{
    const struct dse_question *q = merge->question;
    struct layout *layout = &merge->layout;
    memset(layout, 0, sizeof *layout);
    memset(layout->time, -1, sizeof layout->time);
    memset(layout->busy, -1, sizeof layout->busy);
    memset(layout->moving, -1, sizeof layout->moving);
    memset(layout->bytes, -1, sizeof layout->bytes);
    memset(layout->resource, -1, sizeof layout->resource);
    layout->energy = layout->idle = -1;
    bool reverse = has_reverse_limit(q);
    bool throughput = asks(q, DSE_METRIC_THROUGHPUT);
    /* Time and energy are always seen: energy decides among designs with equal objectives. */
    lay_out_time(merge, DSE_CASE_MEAN, reverse);
    if (asks(q, DSE_METRIC_LATENCY_P99))
        lay_out_time(merge, DSE_CASE_TAIL, reverse);
    if (throughput || asks(q, DSE_METRIC_DDR_BYTES) || asks(q, DSE_METRIC_DRAM_ENERGY))
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            layout->bytes[m] = add_dimension(layout, false, reverse, INT64_MAX);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        bool asked = reverse;
        for (int metric = 0; metric < DSE_METRIC_COUNT; metric++)
            asked |= dse_metrics[metric].resource == r && asks(q, (enum dse_metric)metric);
        if (!asked && (merge->capped >> r & 1) == 0)
            continue;
        layout->resource[r] = add_dimension(layout, false, reverse, merge->caps[r]);
        layout->only_capped[layout->resource[r]] = !asked;
    }
    /* Last, so that vectors equal in all else stand side by side when sorted. */
    layout->compared = layout->count;
    bool more_energy = reverse && (asks(q, DSE_METRIC_ENERGY) || asks(q, DSE_METRIC_POWER));
    layout->energy = add_dimension(layout, false, more_energy, INT64_MAX);
    layout->idle = add_dimension(layout, false, more_energy, INT64_MAX);
    layout->weighs_energy = !reverse;
    layout->powered = merge->powered && !reverse;
}

/* ---- rows as vectors ---- */

static int64_t bytes_fs(const struct merge *merge, const struct dse_accumulators *sums, enum dse_case which,
                        size_t stage, int memory)
{
    return sums->bytes[which][stage][memory] * merge->slice->platform.fs_per_byte[memory];
}

static void put_time(const struct merge *merge, const struct dse_accumulators *sums, enum dse_case which,
                     int64_t *vector)
{
    const struct layout *layout = &merge->layout;
    if (layout->time[which] < 0)
        return;
    int64_t *closed = &vector[layout->time[which]];
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        int64_t busy = sums->busy_cycles[which][s] * merge->slice->platform.fs_per_cycle;
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            int64_t moving = bytes_fs(merge, sums, which, s, m);
            if (layout->moving[which][s][m] >= 0)
                vector[layout->moving[which][s][m]] = moving;
            else if (moving > busy)
                busy = moving; /* nobody else moves bytes there and then */
        }
        *closed += sums->fill_cycles[which][s] * merge->slice->platform.fs_per_cycle;
        if (layout->busy[which][s] >= 0)
            vector[layout->busy[which][s]] = busy;
        else
            *closed += busy;
    }
}

static void row_vector(const struct merge *merge, const struct dse_accumulators *sums, int64_t *vector)
{
    const struct layout *layout = &merge->layout;
    memset(vector, 0, layout->count * sizeof *vector);
    put_time(merge, sums, DSE_CASE_MEAN, vector);
    put_time(merge, sums, DSE_CASE_TAIL, vector);
    vector[layout->energy] = sums->energy_fj;
    vector[layout->idle] = sums->idle_nw * merge->slice->platform.units;
    for (int m = 0; m < DSE_MEMORY_MAX; m++)
        if (layout->bytes[m] >= 0)
            for (size_t s = 0; s < DSE_STAGE_MAX; s++)
                vector[layout->bytes[m]] += sums->bytes[DSE_CASE_MEAN][s][m];
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (layout->resource[r] >= 0)
            vector[layout->resource[r]] = sums->resources[r];
}

/* The stages that all their groups have joined with the members of both, and not before. */
static unsigned closing_stages(const struct merge *merge, group_set left, group_set right)
{
    unsigned closing = 0;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        group_set touching = merge->touches[s];
        bool now = (touching & ~(left | right)) == 0, before = (touching & ~left) == 0 || (touching & ~right) == 0;
        closing |= is_shared(touching) && now && !before ? 1u << s : 0;
    }
    return closing;
}

/* Turns the open times of these stages into time that has passed. */
static void close_stages(const struct merge *merge, unsigned closing, int64_t *vector)
{
    const struct layout *layout = &merge->layout;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
            if (layout->busy[c][s] < 0 || (closing >> s & 1) == 0)
                continue;
            int64_t longest = vector[layout->busy[c][s]];
            vector[layout->busy[c][s]] = 0;
            for (int m = 0; m < DSE_MEMORY_MAX; m++) {
                if (layout->moving[c][s][m] < 0)
                    continue;
                int64_t *moving = &vector[layout->moving[c][s][m]];
                longest = *moving > longest ? *moving : longest;
                *moving = 0;
            }
            vector[layout->time[c]] += longest;
        }
    }
}

/* ---- what other slices know ---- */

/* The least that a metric can become with a vector's components, all times closed, in a design that takes at most
 * `longest_fs`; −∞ where no vector tells. */
static double least_of(const struct merge *merge, enum dse_metric metric, const int64_t *vector, double longest_fs)
{
    const struct layout *layout = &merge->layout;
    const struct dse_platform *platform = &merge->slice->platform;
    double time_s[DSE_CASE_COUNT] = {0.0};
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        int64_t fs = layout->time[c] >= 0 ? vector[layout->time[c]] : 0;
        for (size_t s = 0; s < DSE_STAGE_MAX && layout->time[c] >= 0; s++)
            fs += layout->busy[c][s] >= 0 ? vector[layout->busy[c][s]] : 0;
        time_s[c] = (double)fs * 1e-15;
    }
    if (dse_metrics[metric].resource >= 0)
        return (double)(vector[layout->resource[dse_metrics[metric].resource]] * platform->units);
    switch (metric) {
    case DSE_METRIC_LATENCY: return time_s[DSE_CASE_MEAN];
    case DSE_METRIC_LATENCY_P99: return time_s[DSE_CASE_TAIL];
    case DSE_METRIC_THROUGHPUT: return -(double)platform->at_once / time_s[DSE_CASE_MEAN];
    case DSE_METRIC_ENERGY:
        return (double)vector[layout->energy] * 1e-15 +
               ((double)platform->static_nw + (double)vector[layout->idle]) * 1e-9 * time_s[DSE_CASE_MEAN];
    case DSE_METRIC_POWER: /* fJ / fs is a watt; a little less, since dse_derive() rounds on another way */
        return (1.0 - 1e-12) * (((double)platform->static_nw + (double)vector[layout->idle]) * 1e-9 +
                                (longest_fs > 0.0 ? (double)vector[layout->energy] / longest_fs : 0.0));
    case DSE_METRIC_QUALITY: return -merge->question->alternatives[merge->slice->alternative].quality;
    default: return -INFINITY;
    }
}

/* Whether whatever a partial design can become breaks a limit, by more than rounding. */
static bool breaks_limit(const struct merge *merge, const int64_t *least, double longest_fs)
{
    const struct dse_question *q = merge->question;
    for (size_t i = 0; i < q->limit_count; i++) {
        const struct dse_limit *limit = &q->limits[i];
        bool higher = dse_metrics[limit->metric].higher_is_better;
        if (limit->at_least != higher)
            continue; /* from the wrong side: the least says nothing */
        if (limit->metric == DSE_METRIC_POWER && !merge->powered)
            continue; /* what it rules out may have driven others away: breaks_power() must see it */
        double cost = least_of(merge, limit->metric, least, longest_fs), bound = higher ? -limit->bound : limit->bound;
        if (cost - 1e-12 * fabs(cost) > bound)
            return true;
    }
    return false;
}

/* Whether nothing that a partial design can become is worth having: it breaks a limit, or a known design dominates it. The
 * arithmetic is that of dse_derive(), whose every step rounds monotonically: the least is no more than what comes of it,
 * to the last bit. At most `tries` of the known designs are tried, the most useful first. */
static bool is_hopeless(const struct merge *merge, const int64_t *vector, size_t tries)
{
    const struct dse_question *q = merge->question;
    const struct layout *layout = &merge->layout;
    if (merge->known_count == 0 && q->limit_count == 0)
        return false;
    int64_t least[DIMENSIONS_MAX];
    for (size_t d = 0; d < layout->count; d++) {
        int64_t rest = merge->rest_least[d];
        least[d] = layout->takes_maximum[d] ? (vector[d] > rest ? vector[d] : rest) : vector[d] + rest;
    }
    double longest_fs = (double)vector[layout->time[DSE_CASE_MEAN]] + merge->rest_longest_fs;
    if (breaks_limit(merge, least, longest_fs))
        return true;
    double costs[DSE_OBJECTIVE_MAX];
    for (size_t o = 0; o < q->objective_count; o++)
        costs[o] = least_of(merge, q->objectives[o], least, longest_fs);
    for (size_t k = 0; k < merge->known_count && k < tries; k++) {
        const double *known = merge->known + merge->known_order[k] * q->objective_count;
        bool no_worse = true, better = false;
        for (size_t o = 0; o < q->objective_count && no_worse; o++) {
            no_worse = known[o] <= costs[o];
            better |= known[o] < costs[o];
        }
        if (!no_worse || !better)
            continue;
        uint32_t useful = merge->known_order[k];
        merge->known_order[k] = merge->known_order[k / 2];
        merge->known_order[k / 2] = useful;
        return true;
    }
    return false;
}

/* ---- fronts of vectors ---- */

/* Whether whatever completes a costs no more energy than what completes b, given that a takes no longer.
 *
 * A design's energy is E + (S + I) T with dynamic energy E, static power S, idle power I and time T, each of them a sum
 * of the partial design's part and of the rest's. With a's final time at most b's final time Tb less the lead
 * tb − ta that a has already, the difference is at most (Ea − Eb) − (S + Irest + Ia)(tb − ta) + (Ia − Ib) Tb: largest
 * for the least idle power of the rest, and for the longest or shortest Tb by the sign of Ia − Ib. */
static bool costs_no_more_energy(const struct merge *merge, const int64_t *a, const int64_t *b)
{
    const struct layout *layout = &merge->layout;
    if (layout->both_ways[layout->energy])
        return a[layout->energy] == b[layout->energy] && a[layout->idle] == b[layout->idle];
    if (a[layout->energy] <= b[layout->energy] && a[layout->idle] <= b[layout->idle])
        return true;
    if (!layout->weighs_energy)
        return false;
    int time = layout->time[DSE_CASE_MEAN];
    double lead_fs = (double)(b[time] - a[time]), idle_a = (double)a[layout->idle];
    double idle_more = idle_a - (double)b[layout->idle];
    double final_fs = (double)b[time] + (idle_more > 0.0 ? merge->rest_longest_fs : merge->rest_shortest_fs);
    /* nW × fs is 10⁻⁹ fJ */
    double difference = (double)(a[layout->energy] - b[layout->energy]) -
                        (merge->static_nw + merge->rest_idle_nw + idle_a) * lead_fs * 1e-9 +
                        idle_more * final_fs * 1e-9;
    /* Rounding must not turn a tie into a loss: what is nearly equal is kept. */
    return difference < -1e-12 * (double)b[layout->energy];
}

/* The longest that a vector makes the stages that are still open. */
static int64_t open_fs(const struct layout *layout, const int64_t *vector)
{
    int64_t total = 0;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        if (layout->busy[DSE_CASE_MEAN][s] < 0)
            continue;
        int64_t longest = vector[layout->busy[DSE_CASE_MEAN][s]];
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (layout->moving[DSE_CASE_MEAN][s][m] >= 0 && vector[layout->moving[DSE_CASE_MEAN][s][m]] > longest)
                longest = vector[layout->moving[DSE_CASE_MEAN][s][m]];
        total += longest;
    }
    return total;
}

/* By how much b may end after a at most, whatever completes both; given that it is nowhere shorter. */
static double lag_fs(const struct layout *layout, const int64_t *a, const int64_t *b)
{
    int time = layout->time[DSE_CASE_MEAN];
    int64_t lag = b[time] - a[time];
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        int busy = layout->busy[DSE_CASE_MEAN][s];
        if (busy < 0)
            continue;
        int64_t most = b[busy] - a[busy];
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            int moving = layout->moving[DSE_CASE_MEAN][s][m];
            if (moving >= 0 && b[moving] - a[moving] > most)
                most = b[moving] - a[moving];
        }
        lag += most;
    }
    return (double)lag;
}

/* Whether whatever completes a draws no more power than what completes b, or so little that it does not matter; given that
 * a takes no longer.
 *
 * Power is S + I + E / T. With b's final time Tb = Ta + δ and R the rest's dynamic energy, a draws more dynamic power by
 * ((Ea + R) δ − (Eb − Ea) Ta) / (Ta Tb). For Eb ≥ Ea, where this is positive for the longest δ, the most R and the
 * shortest Ta, it is largest there; where it is not, it is not anywhere. For Eb < Ea each of its two terms is at most what it
 * is for the shortest Ta, the first with the longest δ, the second with none. */
static bool draws_no_more_power(const struct merge *merge, const int64_t *a, const int64_t *b)
{
    const struct layout *layout = &merge->layout;
    if (!layout->powered)
        return true;
    double energy_a = (double)a[layout->energy], energy_b = (double)b[layout->energy];
    double idle_a = (double)a[layout->idle], idle_gain = (double)b[layout->idle] - idle_a;
    double lag = lag_fs(layout, a, b), all = energy_a + merge->rest_most_fj;
    if (lag <= 0.0 && energy_a <= energy_b && idle_gain >= 0.0)
        return true;
    double shortest = (double)(a[layout->time[DSE_CASE_MEAN]] + open_fs(layout, a)) + merge->rest_shortest_fs;
    if (shortest <= 0.0)
        return false;
    double most_nw = merge->static_nw + idle_a + merge->rest_most_idle_nw + 1e9 * all / shortest;
    if (most_nw * (1.0 + 1e-9) <= merge->power_cap_nw)
        return true;
    /* Rounding must not turn a tie into a loss: what is nearly equal is kept. */
    double more = all * lag - (energy_b - energy_a) * shortest;
    if (energy_a <= energy_b && more < -1e-9 * energy_b * shortest)
        return idle_gain >= 0.0;
    double loss_nw = energy_a <= energy_b ? 1e9 * fmax(more, 0.0) / (shortest * (shortest + lag))
                                          : 1e9 * (all * lag / (shortest + lag) + energy_a - energy_b) / shortest;
    return loss_nw < idle_gain - 1e-9 * (merge->static_nw + (double)b[layout->idle]);
}

static bool dominates(const struct merge *merge, const int64_t *a, const int64_t *b)
{
    const struct layout *layout = &merge->layout;
    for (size_t d = 0; d < layout->compared; d++)
        if ((a[d] > b[d] || (layout->both_ways[d] && a[d] != b[d])) && a[d] > merge->slack[d])
            return false;
    return costs_no_more_energy(merge, a, b) && draws_no_more_power(merge, a, b);
}

struct sorting {
    const int64_t *vector;
    const uint32_t *rows;
    size_t dimensions, groups;
};

static int compare_sorting(const void *a, const void *b)
{
    const struct sorting *x = a, *y = b;
    for (size_t d = 0; d < x->dimensions; d++)
        if (x->vector[d] != y->vector[d])
            return x->vector[d] < y->vector[d] ? -1 : 1;
    for (size_t g = 0; g < x->groups; g++)
        if (x->rows[g] != y->rows[g])
            return x->rows[g] < y->rows[g] ? -1 : 1;
    return 0;
}

/* Whether one of the kept vectors dominates. `tried` is the order in which they are tried: one that dominates moves half
 * way to the front, since a few of them do most of the work. */
static bool is_dominated(const struct merge *merge, const struct partial *kept, uint32_t *tried, const int64_t *vector)
{
    size_t dimensions = merge->layout.count;
    for (size_t k = 0; k < kept->count; k++) {
        if (!dominates(merge, kept->values + tried[k] * dimensions, vector))
            continue;
        uint32_t useful = tried[k];
        tried[k] = tried[k / 2];
        tried[k / 2] = useful;
        return true;
    }
    return false;
}

/* Keeps what nothing else dominates and no other slice rules out; of equals the one with the smaller rows. After sorting
 * hardly any vector can dominate an earlier one. */
static enum dse_status prune(const struct merge *merge, struct partial *partial, struct dse_error *err)
{
    size_t dimensions = merge->layout.count, groups = merge->plan->group_count;
    struct sorting *order = malloc((partial->count + 1) * sizeof *order);
    struct partial kept = {.members = partial->members,
                           .values = malloc((partial->count + 1) * (dimensions + 1) * sizeof *kept.values),
                           .rows = malloc((partial->count + 1) * groups * sizeof *kept.rows)};
    uint32_t *tried = malloc((partial->count + 1) * sizeof *tried);
    if (order == NULL || tried == NULL || kept.values == NULL || kept.rows == NULL) {
        free(order);
        free(tried);
        free(kept.values);
        free(kept.rows);
        return dse_fail_memory(err);
    }
    for (size_t i = 0; i < partial->count; i++)
        order[i] = (struct sorting){partial->values + i * dimensions, partial->rows + i * groups, dimensions, groups};
    qsort(order, partial->count, sizeof *order, compare_sorting);
    bool interrupted = false;
    for (size_t i = 0; i < partial->count && !interrupted; i++) {
        interrupted = (i & 0xff) == 0 && dse_monitor_cancelled(merge->question->monitor);
        const int64_t *vector = order[i].vector;
        if (is_dominated(merge, &kept, tried, vector) || is_hopeless(merge, vector, SIZE_MAX))
            continue;
        tried[kept.count] = (uint32_t)kept.count;
        memcpy(kept.values + kept.count * dimensions, vector, dimensions * sizeof *vector);
        memcpy(kept.rows + kept.count * groups, order[i].rows, groups * sizeof *kept.rows);
        kept.count++;
    }
    free(order);
    free(tried);
    free(partial->values);
    free(partial->rows);
    *partial = kept;
    return interrupted ? dse_fail(err, DSE_LIMIT, "interrupted") : DSE_OK;
}

static bool within_caps(const struct layout *layout, const int64_t *vector)
{
    for (size_t d = 0; d < layout->count; d++)
        if (vector[d] > layout->cap[d])
            return false;
    return true;
}

/* The rows of a group; those that no board could hold alone are left out. */
static enum dse_status start_partial(const struct merge *merge, size_t group, struct partial *out,
                                     struct dse_error *err)
{
    const struct dse_group *source = &merge->slice->groups[group];
    size_t dimensions = merge->layout.count, groups = merge->plan->group_count;
    *out = (struct partial){.members = (group_set)1 << group,
                            .values = calloc((source->count + 1) * (dimensions + 1), sizeof *out->values),
                            .rows = calloc((source->count + 1) * groups, sizeof *out->rows)};
    if (out->values == NULL || out->rows == NULL)
        return dse_fail_memory(err);
    for (size_t row = 0; row < source->count; row++) {
        bool fits = true;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            fits &= source->sums[row].resources[r] <= merge->caps[r];
        if (!fits)
            continue;
        row_vector(merge, &source->sums[row], out->values + out->count * dimensions);
        out->rows[out->count * groups + group] = (uint32_t)row;
        out->count++;
    }
    return DSE_OK;
}

static void join(const struct merge *merge, unsigned closing, const struct partial *left, size_t l,
                 const struct partial *right, size_t r, struct partial *out)
{
    const struct layout *layout = &merge->layout;
    size_t dimensions = layout->count, groups = merge->plan->group_count;
    int64_t *vector = out->values + out->count * dimensions;
    const int64_t *a = left->values + l * dimensions, *b = right->values + r * dimensions;
    for (size_t d = 0; d < dimensions; d++)
        vector[d] = layout->takes_maximum[d] ? (a[d] > b[d] ? a[d] : b[d]) : a[d] + b[d];
    if (!within_caps(layout, vector))
        return;
    close_stages(merge, closing, vector);
    if (is_hopeless(merge, vector, QUICK_TRIES))
        return;
    uint32_t *rows = out->rows + out->count * groups;
    for (size_t g = 0; g < groups; g++)
        rows[g] = (left->members >> g & 1) != 0 ? left->rows[l * groups + g] : right->rows[r * groups + g];
    out->count++;
}

/* Makes room for `more` behind what a pruning left. */
static enum dse_status widen(const struct merge *merge, struct partial *partial, size_t more, size_t *capacity,
                             struct dse_error *err)
{
    *capacity = partial->count + more;
    int64_t *values = realloc(partial->values, *capacity * (merge->layout.count + 1) * sizeof *values);
    if (values != NULL)
        partial->values = values;
    uint32_t *rows = realloc(partial->rows, *capacity * merge->plan->group_count * sizeof *rows);
    if (rows != NULL)
        partial->rows = rows;
    return values == NULL || rows == NULL ? dse_fail_memory(err) : DSE_OK;
}

static enum dse_status combine(const struct merge *merge, const struct partial *left, const struct partial *right,
                               struct partial *out, uint64_t *evaluated, struct dse_error *err)
{
    size_t capacity = 0, all = left->count * right->count, more = all < CANDIDATES ? all + 1 : CANDIDATES;
    unsigned closing = closing_stages(merge, left->members, right->members);
    *out = (struct partial){.members = left->members | right->members};
    enum dse_status status = widen(merge, out, more, &capacity, err);
    for (size_t l = 0; l < left->count && status == DSE_OK; l++) {
        if (dse_monitor_cancelled(merge->question->monitor))
            status = dse_fail(err, DSE_LIMIT, "interrupted");
        for (size_t r = 0; r < right->count && status == DSE_OK; r++) {
            if (out->count == capacity) {
                status = prune(merge, out, err);
                if (status == DSE_OK)
                    status = widen(merge, out, more, &capacity, err);
                if (status != DSE_OK)
                    break;
            }
            join(merge, closing, left, l, right, r, out);
            ++*evaluated;
        }
    }
    return status == DSE_OK ? prune(merge, out, err) : status;
}

/* ---- the slice ---- */

/* Least and most of each dimension over a part, and its longest open time. */
struct extent {
    int64_t least[DIMENSIONS_MAX], most[DIMENSIONS_MAX];
    int64_t longest_fs; /* of closed and open time together */
    int64_t open_fs;
};

static void measure(const struct layout *layout, const struct partial *part, struct extent *out)
{
    out->longest_fs = out->open_fs = 0;
    for (size_t i = 0; i < part->count; i++) {
        const int64_t *vector = part->values + i * layout->count;
        int64_t open = open_fs(layout, vector), longest = open + vector[layout->time[DSE_CASE_MEAN]];
        out->open_fs = open > out->open_fs ? open : out->open_fs;
        out->longest_fs = longest > out->longest_fs ? longest : out->longest_fs;
        for (size_t d = 0; d < layout->count; d++) {
            out->least[d] = i == 0 || vector[d] < out->least[d] ? vector[d] : out->least[d];
            out->most[d] = i == 0 || vector[d] > out->most[d] ? vector[d] : out->most[d];
        }
    }
}

/* What the parts besides two (which may be the same) will add: the least and the most of each dimension, the shortest and
 * the longest time; a stage that the two leave open takes at most as long as all parts make it, one after the other. */
static void bound_rest(struct merge *merge, const struct partial *parts, size_t count, const size_t pair[2])
{
    const struct layout *layout = &merge->layout;
    merge->rest_idle_nw = merge->rest_shortest_fs = merge->rest_longest_fs = 0.0;
    merge->rest_most_fj = merge->rest_most_idle_nw = 0.0;
    merge->static_nw = (double)merge->slice->platform.static_nw;
    memset(merge->rest_least, 0, sizeof merge->rest_least);
    for (size_t d = 0; d < layout->count; d++)
        merge->slack[d] = layout->only_capped[d] ? layout->cap[d] : INT64_MIN;
    for (size_t p = 0; p < count; p++) {
        struct extent extent;
        measure(layout, &parts[p], &extent);
        if (p == pair[0] || p == pair[1]) {
            merge->rest_longest_fs += (double)extent.open_fs;
            continue;
        }
        merge->rest_longest_fs += (double)extent.longest_fs;
        merge->rest_shortest_fs += (double)extent.least[layout->time[DSE_CASE_MEAN]];
        merge->rest_idle_nw += (double)extent.least[layout->idle];
        merge->rest_most_fj += (double)extent.most[layout->energy];
        merge->rest_most_idle_nw += (double)extent.most[layout->idle];
        for (size_t d = 0; d < layout->count; d++) {
            int64_t *least = &merge->rest_least[d];
            if (!layout->takes_maximum[d])
                *least += extent.least[d];
            else if (extent.least[d] > *least)
                *least = extent.least[d];
            merge->slack[d] -= layout->only_capped[d] ? extent.most[d] : 0;
        }
    }
}

static void free_partial(struct partial *partial)
{
    free(partial->values);
    free(partial->rows);
    *partial = (struct partial){0};
}

/* Two of `count` partial designs that shall be merged next: a pair that closes the most stages, of equals the one with
 * the fewest combinations; pairs that share no open stage come last. */
static void choose_pair(const struct merge *merge, const struct partial *parts, size_t count, size_t pair[2])
{
    int best_rank = -1;
    double best_work = 0.0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            int rank = 2 * __builtin_popcount(closing_stages(merge, parts[i].members, parts[j].members));
            for (size_t s = 0; s < DSE_STAGE_MAX && rank == 0; s++)
                rank = (merge->touches[s] & parts[i].members) != 0 && (merge->touches[s] & parts[j].members) != 0;
            double work = (double)parts[i].count * (double)parts[j].count;
            if (rank > best_rank || (rank == best_rank && work < best_work)) {
                best_rank = rank;
                best_work = work;
                pair[0] = i;
                pair[1] = j;
            }
        }
    }
}

/* Merges two parts into the first; the last takes the place of the second. */
static enum dse_status merge_pair(struct merge *merge, struct partial *parts, size_t *count, const size_t pair[2],
                                  uint64_t *evaluated, struct dse_error *err)
{
    struct partial merged = {0};
    bound_rest(merge, parts, *count, pair);
    enum dse_status status = combine(merge, &parts[pair[0]], &parts[pair[1]], &merged, evaluated, err);
    free_partial(&parts[pair[0]]);
    free_partial(&parts[pair[1]]);
    parts[pair[0]] = merged;
    parts[pair[1]] = parts[--*count];
    parts[*count] = (struct partial){0};
    return status;
}

static enum dse_status merge_groups(struct merge *merge, struct partial *front, uint64_t *evaluated,
                                    struct dse_error *err)
{
    struct partial parts[DSE_GROUP_MAX] = {{0}};
    size_t count = 0;
    enum dse_status status = DSE_OK;
    bool any = true;
    for (; count < merge->plan->group_count && status == DSE_OK && any; count++) {
        status = start_partial(merge, count, &parts[count], err);
        any = parts[count].count > 0;
    }
    for (size_t p = 0; p < count && status == DSE_OK && any; p++) {
        bound_rest(merge, parts, count, (size_t[2]){p, p});
        status = prune(merge, &parts[p], err);
        any = parts[p].count > 0;
    }
    while (count > 1 && status == DSE_OK && any) {
        size_t pair[2] = {0, 1};
        choose_pair(merge, parts, count, pair);
        status = merge_pair(merge, parts, &count, pair, evaluated, err);
        any = parts[pair[0]].count > 0;
    }
    *front = any ? parts[0] : (struct partial){0};
    for (size_t i = any ? 1 : 0; i < count; i++)
        free_partial(&parts[i]);
    return status;
}

static void sum_rows(const struct merge *merge, const uint32_t *rows, struct dse_accumulators *sums)
{
    memset(sums, 0, sizeof *sums);
    for (size_t g = 0; g < merge->plan->group_count; g++)
        dse_accumulators_combine(sums, &merge->slice->groups[g].sums[rows[g]]);
}

/* The resources whose caps some design of the front breaks, though they were not compared. */
static unsigned broken_caps(const struct merge *merge, const struct partial *front)
{
    unsigned broken = 0;
    for (size_t i = 0; i < front->count; i++) {
        struct dse_accumulators sums;
        sum_rows(merge, front->rows + i * merge->plan->group_count, &sums);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (sums.resources[r] > merge->caps[r])
                broken |= 1u << r;
    }
    return broken & ~merge->capped;
}

static void set_caps(struct merge *merge)
{
    const struct dse_platform *platform = &merge->slice->platform;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        double cap = (double)platform->capped[r];
        for (size_t i = 0; i < merge->question->limit_count; i++) {
            const struct dse_limit *limit = &merge->question->limits[i];
            if (dse_metrics[limit->metric].resource == r && !limit->at_least)
                cap = fmin(cap, floor(limit->bound));
        }
        merge->caps[r] = cap < 0.0 ? -1 : (int64_t)cap / platform->units;
    }
}

/* A limit on power is at first left out; power as an objective is not. The cap is a little less than the limit, so that no
 * rounding carries a design over it. */
static void set_power(struct merge *merge)
{
    const struct dse_question *q = merge->question;
    merge->power_cap_nw = INFINITY;
    for (size_t i = 0; i < q->limit_count; i++)
        if (q->limits[i].metric == DSE_METRIC_POWER && !q->limits[i].at_least)
            merge->power_cap_nw = fmin(merge->power_cap_nw, q->limits[i].bound * 1e9 * (1.0 - 1e-12));
    for (size_t i = 0; i < q->objective_count; i++)
        merge->powered |= q->objectives[i] == DSE_METRIC_POWER;
    if (merge->powered)
        merge->power_cap_nw = -INFINITY;
}

/* The designs of other slices that are known. */
static enum dse_status start_known(struct merge *merge, const struct dse_slice_result *result, struct dse_error *err)
{
    const double *known = dse_run_known(result, &merge->known_count);
    size_t values = merge->known_count * merge->question->objective_count;
    merge->known = malloc((values + 1) * sizeof *merge->known);
    merge->known_order = malloc((merge->known_count + 1) * sizeof *merge->known_order);
    if (merge->known == NULL || merge->known_order == NULL)
        return dse_fail_memory(err);
    if (values > 0)
        memcpy(merge->known, known, values * sizeof *known);
    for (size_t k = 0; k < merge->known_count; k++)
        merge->known_order[k] = (uint32_t)k;
    return DSE_OK;
}

/* Those of a front found without some caps that hold them all are designs of the capped front too: the next merge is spared
 * what they dominate. They are tried first. */
static enum dse_status learn(struct merge *merge, const struct partial *front, struct dse_error *err)
{
    const struct dse_question *q = merge->question;
    size_t count = merge->known_count + front->count, objectives = q->objective_count;
    double *known = realloc(merge->known, (count * objectives + 1) * sizeof *known);
    if (known != NULL)
        merge->known = known;
    uint32_t *order = realloc(merge->known_order, (count + 1) * sizeof *order);
    if (order != NULL)
        merge->known_order = order;
    if (known == NULL || order == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < front->count; i++) {
        struct dse_accumulators sums;
        double metrics[DSE_METRIC_COUNT];
        sum_rows(merge, front->rows + i * merge->plan->group_count, &sums);
        dse_slice_metrics(q, merge->slice, &sums, metrics);
        if (!dse_fits(&merge->slice->platform, &sums, NULL) || !dse_limits_hold(q, metrics))
            continue;
        for (size_t o = 0; o < objectives; o++)
            known[merge->known_count * objectives + o] = dse_objective_cost(q->objectives[o], metrics);
        order[merge->known_count] = order[merge->known_count / 2];
        order[merge->known_count / 2] = (uint32_t)merge->known_count;
        merge->known_count++;
    }
    return DSE_OK;
}

/* Whether power was not compared and some design of the front draws more than a limit admits. */
static bool breaks_power(const struct merge *merge, const struct partial *front)
{
    for (size_t i = 0; i < front->count && !merge->powered && merge->power_cap_nw < INFINITY; i++) {
        struct dse_accumulators sums;
        double metrics[DSE_METRIC_COUNT];
        sum_rows(merge, front->rows + i * merge->plan->group_count, &sums);
        dse_slice_metrics(merge->question, merge->slice, &sums, metrics);
        if (!(metrics[DSE_METRIC_POWER] * 1e9 <= merge->power_cap_nw))
            return true;
    }
    return false;
}

/* Merges until no design of the front breaks a cap or a limit on power that was left out. */
static enum dse_status merge_until_it_fits(struct merge *merge, struct partial *front, uint64_t *evaluated,
                                           struct dse_error *err)
{
    for (;;) {
        lay_out(merge);
        enum dse_status status = merge_groups(merge, front, evaluated, err);
        unsigned broken = status == DSE_OK ? broken_caps(merge, front) : 0;
        bool powered = status == DSE_OK && breaks_power(merge, front);
        if (broken == 0 && !powered)
            return status;
        status = learn(merge, front, err);
        merge->capped |= broken;
        merge->powered |= powered;
        free_partial(front);
        if (status != DSE_OK)
            return status;
    }
}

static enum dse_status merge_slice(const struct dse_question *question, const struct dse_plan *plan,
                                   const struct dse_slice *slice, struct dse_slice_result *result,
                                   struct dse_error *err)
{
    for (size_t g = 0; g < plan->group_count; g++)
        if (slice->groups[g].count == 0)
            return DSE_OK;
    if (!slice->platform.clock_allowed)
        return DSE_OK;
    struct merge merge = {.question = question, .plan = plan, .slice = slice};
    struct partial front = {0};
    set_caps(&merge);
    set_power(&merge);
    note_touches(&merge);
    enum dse_status status = start_known(&merge, result, err);
    if (status == DSE_OK)
        status = merge_until_it_fits(&merge, &front, &result->evaluated, err);
    for (size_t i = 0; i < front.count && status == DSE_OK; i++) {
        struct dse_accumulators sums;
        const uint32_t *rows = front.rows + i * plan->group_count;
        sum_rows(&merge, rows, &sums);
        status = dse_slice_offer(question, plan, slice, rows, &sums, result, err);
    }
    free_partial(&front);
    free(merge.known);
    free(merge.known_order);
    return status;
}

/* Compute units multiply resources and idle power, and bring nothing but throughput: where nobody asks for that, a
 * design with more of them is no better than the same with the fewest. `space` becomes a copy of the question's with
 * that one value; returns how many values it stands for. */
static size_t pin_units(const struct dse_question *question, struct dse_space *space)
{
    *space = *question->space;
    struct dse_knob *units = &space->knobs[question->family->units_knob];
    bool free = (question->free >> question->family->units_knob & 1) != 0;
    if (!free || asks(question, DSE_METRIC_THROUGHPUT) || has_reverse_limit(question))
        return 1;
    size_t values = units->domain_count, fewest = 0;
    for (size_t i = 1; i < values; i++)
        if (units->domain[i] < units->domain[fewest])
            fewest = i;
    units->domain += fewest;
    units->domain_count = 1;
    return values;
}

enum dse_status dse_search_exact(const struct dse_question *question, struct dse_answer *answer,
                                 struct dse_error *err)
{
    struct dse_space *space = malloc(sizeof *space);
    if (space == NULL)
        return dse_fail_memory(err);
    struct dse_question pinned = *question;
    uint64_t stands_for = pin_units(question, space);
    pinned.space = space;
    enum dse_status status = dse_search_run(&pinned, merge_slice, answer, err);
    answer->space_size = answer->space_size > UINT64_MAX / stands_for ? UINT64_MAX : answer->space_size * stands_for;
    free(space); /* the copy owns nothing */
    return status == DSE_ANSWER_NO ? dse_answer_nothing(answer, err) : status;
}
