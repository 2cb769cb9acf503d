#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "search/forest.h"
#include "search/merge.h"

/* ---- dominance ---- */

/* Writes the contribution of a partial design to the times whose longest is that between two items; the launch belongs to the rest. */
static size_t clocks_of(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const int64_t *vector, double out[DSE_MERGE_CLOCKS])
{
    return dse_merge_clocks(merge, boundary, lane, vector, (double)vector[merge->layout.time[lane][DSE_CASE_MEAN]], 0.0, out);
}

/* The longest of the clocks `own` when the remaining blocks take their longest (`longest`) or their shortest time. */
static double with_rest(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const double own[DSE_MERGE_CLOCKS], bool longest)
{
    double rest[DSE_MERGE_CLOCKS];
    size_t count = dse_merge_clocks(merge, boundary, lane, longest ? merge->rest_most : merge->rest_least,
                                    longest ? merge->rest_longest_fs[lane] : merge->rest_shortest_fs[lane], dse_merge_launch_fs(merge, boundary), rest);
    double all = own[0] + rest[0];
    for (size_t k = 1; k < count && (longest || !dse_merge_sums_lanes(merge)); k++)
        all = fmax(all, own[k] + rest[k]);
    return all;
}

/* Whether a clock is not the longest in any completion. */
static bool never_longest(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const double own[DSE_MERGE_CLOCKS], size_t clock)
{
    double most[DSE_MERGE_CLOCKS], least[DSE_MERGE_CLOCKS], launch_fs = dse_merge_launch_fs(merge, boundary);
    dse_merge_clocks(merge, boundary, lane, merge->rest_most, merge->rest_longest_fs[lane], launch_fs, most);
    dse_merge_clocks(merge, boundary, lane, merge->rest_least, merge->rest_shortest_fs[lane], launch_fs, least);
    return own[clock] + most[clock] <= own[0] + least[0];
}

static double share_nw(const struct dse_merge *merge, enum dse_boundary boundary)
{
    return merge->slice->platform.share_nw[boundary];
}

/* Whether every completion costs no more energy with a than with b, given that a takes no longer.
 *
 * A design's energy is E + (S + I) T with dynamic energy E, static power S, standby power I and time T. Each of these is the sum of the partial
 * design's part and the rest's. The lead of a is tb − ta, so its final time is at most b's final time Tb minus the lead. The difference in energy is
 * then at most (Ea − Eb) − (S + Irest + Ia)(tb − ta) + (Ia − Ib) Tb. This is largest for the least standby power of the rest, and for the longest or
 * shortest Tb by the sign of Ia − Ib. If T is the longest of several times, its lead is at least the smallest of those that can be a's longest. */
static bool costs_no_more_energy(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const int64_t *a, const int64_t *b)
{
    const struct dse_layout *layout = &merge->layout;
    int energy = layout->energy[boundary][lane];
    if (a[energy] <= b[energy] && a[layout->idle] <= b[layout->idle])
        return true;
    double times_a[DSE_MERGE_CLOCKS], times_b[DSE_MERGE_CLOCKS], idle_a = (double)a[layout->idle], idle_more = idle_a - (double)b[layout->idle];
    size_t count = clocks_of(merge, boundary, lane, b, times_b);
    clocks_of(merge, boundary, lane, a, times_a);
    double lead_fs = times_b[0] - times_a[0], final_fs = with_rest(merge, boundary, lane, times_b, idle_more > 0.0);
    for (size_t k = 1; k < count; k++)
        if (times_b[k] - times_a[k] < lead_fs && !never_longest(merge, boundary, lane, times_a, k))
            lead_fs = times_b[k] - times_a[k];
    /* nW × fs is 10⁻⁹ fJ */
    double difference = (double)(a[energy] - b[energy]) -
                        (share_nw(merge, boundary) + merge->rest_idle_nw + idle_a) * lead_fs * 1e-9 +
                        idle_more * final_fs * 1e-9;
    /* Rounding must not turn a tie into a loss: nearly equal vectors are kept. */
    return difference < -1e-12 * (double)b[energy];
}

/* Maximum time by which b can end after a, over all completions, given that b is nowhere shorter: the largest lag of the times whose longest counts. */
static double lag_fs(const struct dse_merge *merge, enum dse_boundary boundary, const int64_t *a, const int64_t *b)
{
    const struct dse_layout *layout = &merge->layout;
    double times_a[DSE_MERGE_CLOCKS], times_b[DSE_MERGE_CLOCKS];
    size_t count = clocks_of(merge, boundary, 0, a, times_a);
    clocks_of(merge, boundary, 0, b, times_b);
    double lag = times_b[0] - times_a[0];
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
        lag += (double)most;
    }
    for (size_t k = 1; k < count; k++)
        lag = fmax(lag, times_b[k] - times_a[k]);
    return lag;
}

/* Whether every completion draws no more power with a than with b, or irrelevantly little, given that a takes no longer.
 *
 * Power is S + I + E / T. Let b's final time be Tb = Ta + δ, and R the rest's dynamic energy. Then a draws more dynamic power by ((Ea + R) δ − (Eb −
 * Ea) Ta) / (Ta Tb). Let Eb ≥ Ea, and take the longest δ, the largest R and the shortest Ta. If the expression is positive there, that is its
 * maximum; otherwise it is positive nowhere. Let Eb < Ea. Each of the two terms is at most its value for the shortest Ta, the first with the longest
 * δ, the second with δ = 0. */
static bool draws_no_more_power(const struct dse_merge *merge, enum dse_boundary boundary, const int64_t *a, const int64_t *b)
{
    const struct dse_layout *layout = &merge->layout;
    if (!layout->powered[boundary] || layout->flows)
        return true;
    int energy = layout->energy[boundary][0];
    double energy_a = (double)a[energy], energy_b = (double)b[energy];
    double idle_a = (double)a[layout->idle], idle_gain = (double)b[layout->idle] - idle_a;
    double lag = lag_fs(merge, boundary, a, b), all = energy_a + (double)merge->rest_most[energy];
    if (lag <= 0.0 && energy_a <= energy_b && idle_gain >= 0.0)
        return true;
    double times_a[DSE_MERGE_CLOCKS];
    clocks_of(merge, boundary, 0, a, times_a);
    times_a[0] += (double)dse_merge_open_fs(layout, 0, a);
    double shortest = with_rest(merge, boundary, 0, times_a, false);
    if (shortest <= 0.0)
        return false;
    double most_nw = share_nw(merge, boundary) + idle_a + merge->rest_most_idle_nw + 1e9 * all / shortest;
    if ((double)merge->slice->platform.units * most_nw * (1.0 + 1e-9) <= merge->power_cap_nw[boundary])
        return true;
    /* Rounding must not turn a tie into a loss: nearly equal vectors are kept. */
    double more = all * lag - (energy_b - energy_a) * shortest;
    if (energy_a <= energy_b && more < -1e-9 * energy_b * shortest)
        return idle_gain >= 0.0;
    double loss_nw = energy_a <= energy_b ? 1e9 * fmax(more, 0.0) / (shortest * (shortest + lag))
                                          : 1e9 * (all * lag / (shortest + lag) + energy_a - energy_b) / shortest;
    return loss_nw < idle_gain - 1e-9 * (share_nw(merge, boundary) + (double)b[layout->idle]);
}

/* Equal except in loose dimensions, where a is larger: both stay, because the displayed one must not depend on a limit that both meet. */
static bool is_larger_tie(const struct dse_layout *layout, const int64_t *a, const int64_t *b)
{
    bool larger = false;
    for (size_t d = 0; d < layout->count; d++) {
        if (!layout->loose[d] && a[d] != b[d])
            return false;
        larger |= layout->loose[d] && a[d] > b[d];
    }
    return larger;
}

/* `no_less`: bit mask of the dimensions in which a must not be less than b. */
static bool dominates(const struct dse_merge *merge, const int64_t *a, uint64_t no_less, const int64_t *b)
{
    const struct dse_layout *layout = &merge->layout;
    for (size_t d = 0; d < layout->compared; d++)
        if (a[d] > b[d] && a[d] > merge->slack[d])
            return false;
    for (; no_less != 0; no_less &= no_less - 1)
        if (a[__builtin_ctzll(no_less)] < b[__builtin_ctzll(no_less)])
            return false;
    for (int at = 0; at < DSE_BOUNDARY_COUNT; at++) {
        for (size_t lane = 0; lane < layout->lanes && layout->asks[at] && !layout->carefree && !layout->flows; lane++)
            if (!costs_no_more_energy(merge, (enum dse_boundary)at, lane, a, b))
                return false;
        if (!draws_no_more_power(merge, (enum dse_boundary)at, a, b))
            return false;
    }
    return layout->reversed == 0 || merge->question->goal != DSE_GOAL_FRONT || !is_larger_tie(layout, a, b);
}

/* ---- vectors of a forest ---- */

/* Components of a forest's vectors. First the dimensions in which the vectors differ. Then the energy: if a takes no longer than b, the
 * comparison above weighs the difference of E + (S + Irest + I) T, once with the shortest rest and once with the longest. Then, negated, the
 * dimensions of reverse limits. */
struct axes {
    size_t dimensions[DSE_MERGE_DIMENSIONS], count;
    size_t reversed[DSE_MERGE_DIMENSIONS], reversed_count;
    size_t all;
};

#define AXES_MAX (2 * DSE_MERGE_DIMENSIONS + 2 * DSE_BOUNDARY_COUNT * DSE_SETS_MAX)
#define NO_WAY (-1e300)

static void find_axes(const struct dse_merge *merge, const struct dse_partial *partial, struct axes *out)
{
    const struct dse_layout *layout = &merge->layout;
    uint64_t differing = 0;
    for (size_t i = 1; i < partial->count; i++)
        for (size_t d = 0; d < layout->count; d++)
            differing |= (uint64_t)(partial->values[i * layout->count + d] != partial->values[d]) << d;
    *out = (struct axes){0};
    for (size_t d = 0; d < layout->count; d++) {
        if ((differing >> d & 1) == 0)
            continue;
        if (d < layout->compared)
            out->dimensions[out->count++] = d;
        if ((layout->reversed >> d & 1) != 0)
            out->reversed[out->reversed_count++] = d;
    }
    out->all = out->count + 2 * layout->lanes * (layout->asks[DSE_BOUNDARY_KERNEL] + layout->asks[DSE_BOUNDARY_SYSTEM]) + out->reversed_count;
}

/* Energy with the shortest and with the longest rest, in fJ, per lane; returns the end. */
static double *put_energies(const struct dse_merge *merge, const int64_t *vector, double *out)
{
    const struct dse_layout *layout = &merge->layout;
    for (size_t i = 0; i < DSE_BOUNDARY_COUNT * layout->lanes; i++) {
        enum dse_boundary at = (enum dse_boundary)(i / layout->lanes);
        size_t lane = i % layout->lanes;
        if (!layout->asks[at])
            continue;
        double times[DSE_MERGE_CLOCKS], still = (share_nw(merge, at) + merge->rest_idle_nw + (double)vector[layout->idle]) * 1e-9;
        clocks_of(merge, at, lane, vector, times);
        for (int longest = 0; longest <= 1; longest++)
            *out++ = (double)vector[layout->energy[at][lane]] + still * with_rest(merge, at, lane, times, longest == 1);
    }
    return out;
}

/* A member's vector: it dominates only vectors that are nowhere smaller. */
static void put_member(const struct dse_merge *merge, const struct axes *axes, const int64_t *vector, uint64_t no_less,
                       double *out)
{
    for (size_t i = 0; i < axes->count; i++)
        *out++ = (double)vector[axes->dimensions[i]];
    out = put_energies(merge, vector, out);
    for (size_t i = 0; i < axes->reversed_count; i++)
        *out++ = (no_less >> axes->reversed[i] & 1) != 0 ? -(double)vector[axes->reversed[i]] : NO_WAY;
}

/* Upper bound of dominating vectors; rounding may allow more. */
static void put_wanted(const struct dse_merge *merge, const struct axes *axes, const int64_t *vector, double *out)
{
    for (size_t i = 0; i < axes->count; i++) {
        size_t d = axes->dimensions[i];
        *out++ = (double)(vector[d] > merge->slack[d] ? vector[d] : merge->slack[d]);
    }
    for (double *end = put_energies(merge, vector, out); out < end; out++)
        *out = merge->layout.carefree || merge->layout.flows ? -NO_WAY : *out * (1.0 + 1e-9) + 1.0;
    for (size_t i = 0; i < axes->reversed_count; i++)
        *out++ = -(double)vector[axes->reversed[i]];
}

/* Dimensions in which a vector must not be less than one that it dominates. */
static uint64_t must_not_be_less(const struct dse_merge *merge, const int64_t *vector)
{
    uint64_t no_less = merge->layout.key >= 0 ? (uint64_t)1 << merge->layout.key : 0;
    uint64_t reached = dse_merge_reached(merge, vector);
    if (merge->layout.powered[DSE_BOUNDARY_KERNEL] || merge->layout.powered[DSE_BOUNDARY_SYSTEM])
        no_less |= dse_merge_power_bits(&merge->layout);
    for (size_t i = 0; i < merge->layout.reverse_count; i++)
        no_less |= (reached >> i & 1) == 0 ? merge->layout.reverse[i].dimensions : 0;
    return no_less;
}

/* ---- pruning ---- */

struct sorting {
    const struct dse_layout *layout;
    const int64_t *vector;
    const uint32_t *rows;
    size_t dimensions, groups;
};

/* Sorts dominating vectors before dominated ones, so that kept vectors stay; uncompared dimensions decide last. */
static int compare_sorting(const void *a, const void *b)
{
    const struct sorting *x = a, *y = b;
    for (int last = 0; last <= 1; last++)
        for (size_t d = 0; d < x->dimensions; d++) {
            bool more = x->layout->loose[d] && (x->layout->reversed >> d & 1) != 0; /* a larger value excludes those with a smaller one */
            if ((x->layout->loose[d] && !more) == (bool)last && x->vector[d] != y->vector[d])
                return (x->vector[d] < y->vector[d]) != more ? -1 : 1;
        }
    for (size_t g = 0; g < x->groups; g++)
        if (x->rows[g] != y->rows[g])
            return x->rows[g] < y->rows[g] ? -1 : 1;
    return 0;
}

/* Vectors are processed in blocks. Several threads compare each with the vectors kept before its block; the survivors are then compared
 * one by one with those kept in the block. The result does not depend on the number of threads. */
#define BLOCK 2048
#define CHUNK 128 /* rows of a block, per thread */
#define THREADS_MAX 64
#define FAVOURITES 8

/* Cache of a thread; affects only speed. */
struct memory {
    struct dse_recent recent;
    uint32_t favourites[FAVOURITES]; /* kept vectors that recently dominated others */
    size_t favourite_count;
};

struct pruning {
    const struct dse_merge *merge;
    struct axes axes;
    struct sorting *order;
    size_t count, begin, end; /* rows of the block: number, first, end */
    struct dse_partial kept;
    uint64_t *no_less;            /* per kept vector */
    struct dse_forest *forest;  /* vectors kept before this block */
    struct dse_forest *fresh;   /* vectors kept in this block, numbered from `fresh_first` */
    size_t fresh_first;
    bool dropped[BLOCK];
    struct memory *memories;
};

struct duel {
    const struct pruning *pruning;
    const int64_t *vector;
    size_t first;
};

static bool duel_won(void *user, uint32_t id)
{
    const struct duel *duel = user;
    size_t place = duel->first + id, dimensions = duel->pruning->merge->layout.count;
    return dominates(duel->pruning->merge, duel->pruning->kept.values + place * dimensions, duel->pruning->no_less[place],
                     duel->vector);
}

static bool favourite_wins(struct duel *duel, struct memory *memory)
{
    for (size_t k = 0; k < memory->favourite_count; k++) {
        uint32_t place = memory->favourites[k];
        if (!duel_won(duel, place))
            continue;
        memory->favourites[k] = memory->favourites[k / 2];
        memory->favourites[k / 2] = place;
        return true;
    }
    return false;
}

static bool is_dominated(const struct pruning *pruning, const int64_t *vector, struct memory *memory)
{
    double wanted[AXES_MAX];
    uint32_t place = 0;
    struct duel duel = {pruning, vector, 0};
    if (favourite_wins(&duel, memory))
        return true;
    put_wanted(pruning->merge, &pruning->axes, vector, wanted);
    if (!dse_forest_find_below(pruning->forest, wanted, duel_won, &duel, &place))
        return false;
    if (memory->favourite_count < FAVOURITES)
        memory->favourite_count++;
    memory->favourites[memory->favourite_count - 1] = place;
    return true;
}

static enum dse_status judge_chunk(void *user, size_t chunk, size_t thread, struct dse_error *err)
{
    (void)err;
    struct pruning *pruning = user;
    struct memory *memory = &pruning->memories[thread];
    size_t first = pruning->begin + chunk * CHUNK, last = first + CHUNK < pruning->end ? first + CHUNK : pruning->end;
    for (size_t i = first; i < last; i++) {
        const int64_t *vector = pruning->order[i].vector;
        pruning->dropped[i - pruning->begin] = is_dominated(pruning, vector, memory) ||
                                               dse_merge_hopeless(pruning->merge, vector, &memory->recent, false);
    }
    return DSE_OK;
}

static void keep(struct pruning *pruning, const struct sorting *candidate)
{
    struct dse_partial *kept = &pruning->kept;
    size_t place = kept->count++;
    double member[AXES_MAX];
    memcpy(kept->values + place * candidate->dimensions, candidate->vector, candidate->dimensions * sizeof *kept->values);
    memcpy(kept->rows + place * candidate->groups, candidate->rows, candidate->groups * sizeof *kept->rows);
    pruning->no_less[place] = must_not_be_less(pruning->merge, candidate->vector);
    put_member(pruning->merge, &pruning->axes, candidate->vector, pruning->no_less[place], member);
    dse_forest_add(pruning->forest, (uint32_t)place, member);
    dse_forest_add(pruning->fresh, (uint32_t)(place - pruning->fresh_first), member);
}

/* Compares the survivors of the block with each other. */
static void keep_block(struct pruning *pruning)
{
    dse_forest_fill(pruning->fresh, NULL, 0);
    pruning->fresh_first = pruning->kept.count;
    for (size_t i = pruning->begin; i < pruning->end; i++) {
        if (pruning->dropped[i - pruning->begin])
            continue;
        double wanted[AXES_MAX];
        uint32_t place = 0;
        struct duel duel = {pruning, pruning->order[i].vector, pruning->fresh_first};
        put_wanted(pruning->merge, &pruning->axes, pruning->order[i].vector, wanted);
        if (!dse_forest_find_below(pruning->fresh, wanted, duel_won, &duel, &place))
            keep(pruning, &pruning->order[i]);
    }
}

static enum dse_status prune_all(struct pruning *pruning, struct dse_error *err)
{
    const struct dse_monitor *monitor = pruning->merge->question->monitor;
    size_t jobs = pruning->merge->jobs < THREADS_MAX ? pruning->merge->jobs : THREADS_MAX;
    for (size_t begin = 0; begin < pruning->count; begin += BLOCK) {
        pruning->begin = begin;
        pruning->end = begin + BLOCK < pruning->count ? begin + BLOCK : pruning->count;
        size_t chunks = (pruning->end - begin + CHUNK - 1) / CHUNK;
        DSE_TRY(dse_parallel_for(chunks, jobs, judge_chunk, pruning, monitor, err));
        keep_block(pruning);
    }
    return DSE_OK;
}

static void open_pruning(struct pruning *pruning, const struct dse_partial *partial)
{
    size_t dimensions = pruning->merge->layout.count, groups = pruning->merge->plan->group_count;
    pruning->count = partial->count;
    pruning->order = dse_malloc((partial->count + 1) * sizeof *pruning->order);
    pruning->kept = (struct dse_partial){
        .members = partial->members,
        .values = dse_malloc((partial->count + 1) * (dimensions + 1) * sizeof *pruning->kept.values),
        .rows = dse_malloc((partial->count + 1) * groups * sizeof *pruning->kept.rows)};
    pruning->no_less = dse_malloc((partial->count + 1) * sizeof *pruning->no_less);
    pruning->memories = dse_calloc(THREADS_MAX, sizeof *pruning->memories);
    for (size_t i = 0; i < partial->count; i++)
        pruning->order[i] =
            (struct sorting){&pruning->merge->layout, partial->values + i * dimensions, partial->rows + i * groups, dimensions, groups};
    qsort(pruning->order, partial->count, sizeof *pruning->order, compare_sorting);
    find_axes(pruning->merge, partial, &pruning->axes);
    pruning->forest = dse_forest_create(pruning->axes.all);
    pruning->fresh = dse_forest_create(pruning->axes.all);
}

enum dse_status dse_merge_prune(const struct dse_merge *merge, struct dse_partial *partial, struct dse_error *err)
{
    struct pruning *pruning DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *pruning);
    pruning->merge = merge;
    open_pruning(pruning, partial);
    enum dse_status status = prune_all(pruning, err);
    dse_forest_free(pruning->forest);
    dse_forest_free(pruning->fresh);
    free(pruning->order);
    free(pruning->no_less);
    free(pruning->memories);
    dse_partial_free(partial);
    *partial = pruning->kept;
    return status;
}

void dse_partial_free(struct dse_partial *partial)
{
    free(partial->values);
    free(partial->rows);
    *partial = (struct dse_partial){0};
}
