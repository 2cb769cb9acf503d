/* The exact front of a slice, without visiting its designs.
 *
 * A design is one row per group, and its metrics are monotone in every component of its sums. A row that is nowhere better than another row of its
 * group can therefore be dropped. So can a partial design (rows of some groups) that is nowhere better than another of the same groups: every
 * completion of the other is no worse. Groups are merged one after another and pruned in between. Dynamic energy and standby power are not compared
 * separately, but as the energy that results for every possible rest (costs_no_more_energy()).
 *
 * Only components relevant to the question are compared: times of the stages, energy, standby power, and resources that are objectives. A stage that
 * no further group touches closes into one sum. The board's caps on other resources are ignored at first. If every design of the resulting front
 * meets the caps, this front also answers the capped question. A capped design missing from it would be dominated by an uncapped one, and that by one
 * of the front. Otherwise the violated resources join the comparison and the slice is merged again. A limit on power, which falls as a design takes
 * longer, is treated in the same way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "search/filter.h"
#include "search/merge.h"
#include "search/question.h"

#define CANDIDATES 65536 /* partial designs collected between prunings */

/* Values of knobs shared by partial designs, as digits of one number. */
struct digits {
    struct {
        size_t group; /* a group with the knob */
        uint64_t divisor, count; /* position among the group's combinations */
    } at[DSE_KNOB_MAX];
    size_t count;
    double values; /* number of possible values of the number */
};

/* Joined knobs with groups on both sides, located in the rows of the first side. */
static void find_digits(const struct dse_merge *merge, dse_group_set mine, dse_group_set others, struct digits *out)
{
    out->count = 0;
    out->values = 1.0;
    for DSE_BITS_EACH(knob, merge->plan->joined) {
        size_t group = dse_bits_next(dse_bits_and(merge->readers[knob], mine), 0);
        uint64_t divisor = 1;
        if (group == DSE_BITS_MAX || !dse_bits_meet(merge->readers[knob], others))
            continue;
        const struct dse_plan_group *knobs = &merge->plan->groups[group];
        for (size_t i = knobs->knob_count; i > 0 && knobs->knobs[i - 1] != knob; i--)
            divisor *= merge->slice->space->knobs[knobs->knobs[i - 1]].domain_count;
        size_t values = merge->slice->space->knobs[knob].domain_count;
        out->at[out->count].group = group;
        out->at[out->count].divisor = divisor;
        out->at[out->count++].count = values;
        out->values *= (double)values;
    }
}

static int64_t number_of(const struct dse_merge *merge, const struct digits *digits, const uint32_t *rows)
{
    int64_t number = 0;
    for (size_t i = 0; i < digits->count; i++) {
        size_t group = digits->at[i].group;
        uint64_t combination = merge->slice->groups[group].combinations[rows[group]];
        number = number * (int64_t)digits->at[i].count + (int64_t)(combination / digits->at[i].divisor % digits->at[i].count);
    }
    return number;
}

static bool within_caps(const struct dse_layout *layout, const int64_t *vector)
{
    for (size_t d = 0; d < layout->count; d++)
        if (vector[d] > layout->cap[d])
            return false;
    return true;
}

static bool row_fits(const struct dse_accumulators *sums, const int64_t *left)
{
    bool fits = true;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        fits &= sums->resources[r] <= left[r];
    return fits;
}

/* Computes the share of the caps available to each group: the cap less the minimum of all other groups. A row above its share is in no design that
 * fits. Removing such rows can raise the others' minimum; hence two passes. */
static void find_left(struct dse_merge *merge)
{
    size_t groups = merge->plan->group_count, sets = dse_question_sets(merge->question);
    for (size_t g = 0; g < groups; g++)
        memcpy(merge->left[g], merge->caps, sizeof merge->caps);
    for (int pass = 0; pass < 2; pass++) {
        int64_t least[DSE_GROUP_MAX][DSE_RESOURCE_COUNT], all[DSE_RESOURCE_COUNT] = {0};
        for (size_t g = 0; g < groups; g++) {
            const struct dse_group *group = &merge->slice->groups[g];
            for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
                least[g][r] = INT64_MAX / 64;
            for (size_t row = 0; row < group->count; row++) {
                const struct dse_accumulators *sums = &group->sums[row * sets];
                bool fits = row_fits(sums, merge->left[g]);
                for (int r = 0; r < DSE_RESOURCE_COUNT && fits; r++)
                    least[g][r] = sums->resources[r] < least[g][r] ? sums->resources[r] : least[g][r];
            }
            for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
                all[r] += least[g][r];
        }
        for (size_t g = 0; g < groups; g++)
            for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
                merge->left[g][r] = merge->caps[r] - (all[r] - least[g][r]);
    }
}

/* Rows of a group, without those that no board can hold beside the minimum of the others. */
static void start_partial(const struct dse_merge *merge, size_t group, struct dse_partial *out)
{
    const struct dse_group *source = &merge->slice->groups[group];
    size_t dimensions = merge->layout.count, groups = merge->plan->group_count;
    const dse_group_set own = dse_bits_one(group);
    struct digits open;
    find_digits(merge, own, dse_bits_without(dse_bits_all(), own), &open);
    *out = (struct dse_partial){.members = own,
                            .values = dse_calloc((source->count + 1) * (dimensions + 1), sizeof *out->values),
                            .rows = dse_calloc((source->count + 1) * groups, sizeof *out->rows)};
    for (size_t row = 0; row < source->count; row++) {
        const struct dse_accumulators *sums = &source->sums[row * merge->layout.sets];
        int64_t *vector = out->values + out->count * dimensions;
        if (!row_fits(sums, merge->left[group]))
            continue;
        dse_merge_row_vector(merge, sums, vector);
        if (merge->layout.changes >= 0)
            vector[merge->layout.changes] = (int64_t)dse_row_changes(merge->question, merge->plan, merge->slice, group, row);
        if (!within_caps(&merge->layout, vector))
            continue;
        out->rows[out->count * groups + group] = (uint32_t)row;
        if (merge->layout.key >= 0)
            vector[merge->layout.key] = number_of(merge, &open, out->rows + out->count * groups);
        out->count++;
    }
}

/* ---- merging two parts ---- */

/* Pairs are processed in tasks of fixed size, one wave of tasks at a time on several threads. The results of a wave are in the order of the pairs, so
 * they do not depend on the number of threads. */
#define TASK_PAIRS 8192
#define WAVE_TASKS 8
#define ASKED_EVERY 64 /* one in this many joined designs is tested against all known designs */

struct wave {
    const struct dse_merge *merge;
    unsigned closing;
    const struct dse_partial *left, *right;
    uint64_t begin, end; /* range of pairs, the right one varying fastest */
    int64_t *left_meets, *right_meets; /* values of the common knobs; NULL: none */
    struct digits open;                /* knobs shared by the two and the rest */
    struct dse_partial found[WAVE_TASKS];
    struct dse_recent recent[WAVE_TASKS]; /* in, and out */
};

/* Appends one pair to `out`; returns whether to keep it. */
static bool join(const struct wave *wave, size_t l, size_t r, struct dse_recent *recent, bool ask_all, struct dse_partial *out)
{
    const struct dse_partial *left = wave->left, *right = wave->right;
    const struct dse_layout *layout = &wave->merge->layout;
    size_t dimensions = layout->count, groups = wave->merge->plan->group_count;
    int64_t *vector = out->values + out->count * dimensions;
    const int64_t *a = left->values + l * dimensions, *b = right->values + r * dimensions;
    if (wave->left_meets != NULL && wave->left_meets[l] != wave->right_meets[r])
        return false;
    for (size_t d = 0; d < dimensions; d++)
        vector[d] = layout->takes_maximum[d] ? (a[d] > b[d] ? a[d] : b[d]) : a[d] + b[d];
    if (!within_caps(layout, vector))
        return false;
    dse_merge_close(wave->merge, wave->closing, vector);
    if (dse_merge_hopeless(wave->merge, vector, recent, !ask_all))
        return false;
    uint32_t *rows = out->rows + out->count * groups;
    for (size_t g = 0; g < groups; g++)
        rows[g] = dse_bits_has(left->members, g) ? left->rows[l * groups + g] : right->rows[r * groups + g];
    if (layout->key >= 0)
        vector[layout->key] = number_of(wave->merge, &wave->open, rows);
    return true;
}

static enum dse_status join_task(void *user, size_t task, size_t thread, struct dse_error *err)
{
    (void)thread;
    (void)err;
    struct wave *wave = user;
    struct dse_partial *out = &wave->found[task];
    uint64_t first = wave->begin + task * TASK_PAIRS, last = first + TASK_PAIRS < wave->end ? first + TASK_PAIRS : wave->end;
    out->values = dse_malloc((last - first + 1) * (wave->merge->layout.count + 1) * sizeof *out->values);
    out->rows = dse_malloc((last - first + 1) * wave->merge->plan->group_count * sizeof *out->rows);
    size_t l = (size_t)(first / wave->right->count), r = (size_t)(first % wave->right->count);
    for (uint64_t pair = first; pair < last; pair++) {
        out->count += join(wave, l, r, &wave->recent[task], out->count % ASKED_EVERY == 0, out);
        if (++r == wave->right->count) {
            r = 0;
            l++;
        }
    }
    return DSE_OK;
}

/* Appends the results of a wave's tasks to `out`. */
static void collect(struct wave *wave, struct dse_partial *out)
{
    size_t count = out->count, width = wave->merge->layout.count, groups = wave->merge->plan->group_count;
    for (size_t t = 0; t < WAVE_TASKS; t++)
        count += wave->found[t].count;
    out->values = dse_realloc(out->values, (count + 1) * (width + 1) * sizeof *out->values);
    out->rows = dse_realloc(out->rows, (count + 1) * groups * sizeof *out->rows);
    for (size_t t = 0; t < WAVE_TASKS; t++) {
        const struct dse_partial *found = &wave->found[t];
        if (found->count == 0)
            continue;
        memcpy(out->values + out->count * width, found->values, found->count * width * sizeof *out->values);
        memcpy(out->rows + out->count * groups, found->rows, found->count * groups * sizeof *out->rows);
        out->count += found->count;
    }
}

static enum dse_status join_wave(struct wave *wave, struct dse_partial *out, struct dse_error *err)
{
    size_t tasks = (size_t)((wave->end - wave->begin + TASK_PAIRS - 1) / TASK_PAIRS);
    for (size_t t = 1; t < WAVE_TASKS; t++)
        wave->recent[t] = wave->recent[0];
    enum dse_status status = dse_parallel_for(tasks, wave->merge->jobs, join_task, wave, wave->merge->question->monitor, err);
    if (status == DSE_OK)
        collect(wave, out);
    for (size_t t = 0; t < WAVE_TASKS; t++)
        dse_partial_free(&wave->found[t]);
    return status;
}

/* For each design of `part`, the values of the knobs shared with `other`. */
static int64_t *list_meets(const struct dse_merge *merge, const struct dse_partial *part, const struct dse_partial *other)
{
    struct digits digits;
    int64_t *meets = dse_malloc((part->count + 1) * sizeof *meets);
    find_digits(merge, part->members, other->members, &digits);
    for (size_t i = 0; i < part->count; i++)
        meets[i] = number_of(merge, &digits, part->rows + i * merge->plan->group_count);
    return meets;
}

static enum dse_status combine_all(const struct dse_merge *merge, struct wave *wave, struct dse_partial *out, uint64_t *evaluated, struct dse_error *err)
{
    const struct dse_partial *left = wave->left, *right = wave->right;
    uint64_t pairs = (uint64_t)left->count * right->count, most = (uint64_t)TASK_PAIRS * WAVE_TASKS;
    size_t pruned = 0; /* size after the last pruning */
    for (; wave->begin < pairs; wave->begin = wave->end) {
        wave->end = pairs - wave->begin < most ? pairs : wave->begin + most;
        *evaluated += wave->end - wave->begin;
        DSE_TRY(join_wave(wave, out, err));
        if (*evaluated > merge->most)
            return dse_fail(err, DSE_LIMIT, "the search would form more than %llu designs", (unsigned long long)merge->most);
        if (wave->end < pairs && out->count - pruned < CANDIDATES)
            continue;
        DSE_TRY(dse_merge_prune(merge, out, err));
        pruned = out->count;
    }
    return DSE_OK;
}

#define KEYS_MAX 9e15 /* largest number of joined knob values exact in a double */

static enum dse_status combine(const struct dse_merge *merge, const struct dse_partial *left, const struct dse_partial *right,
                               struct dse_partial *out, uint64_t *evaluated, struct dse_error *err)
{
    struct wave wave = {.merge = merge, .left = left, .right = right,
                        .closing = dse_merge_closing(merge, left->members, right->members)};
    *out = (struct dse_partial){.members = dse_bits_or(left->members, right->members)};
    if (merge->layout.key >= 0) {
        find_digits(merge, out->members, dse_bits_without(dse_bits_all(), out->members), &wave.open);
        if (wave.open.values > KEYS_MAX)
            return dse_fail(err, DSE_LIMIT, "%zu knobs are read by blocks on both sides of any cut, too many for the exact merge; use --method heuristic",
                            wave.open.count);
        wave.left_meets = list_meets(merge, left, right);
        wave.right_meets = list_meets(merge, right, left);
    }
    enum dse_status status = combine_all(merge, &wave, out, evaluated, err);
    free(wave.left_meets);
    free(wave.right_meets);
    return status;
}

/* ---- the slice ---- */

/* Minimum and maximum of each dimension over a part, and the longest open time per lane. */
struct extent {
    int64_t least[DSE_MERGE_DIMENSIONS], most[DSE_MERGE_DIMENSIONS];
    int64_t longest_fs[DSE_SETS_MAX]; /* closed plus open time */
    int64_t open_fs[DSE_SETS_MAX];
};

static void measure(const struct dse_layout *layout, const struct dse_partial *part, struct extent *out)
{
    memset(out->longest_fs, 0, sizeof out->longest_fs);
    memset(out->open_fs, 0, sizeof out->open_fs);
    for (size_t i = 0; i < part->count; i++) {
        const int64_t *vector = part->values + i * layout->count;
        for (size_t lane = 0; lane < layout->lanes; lane++) {
            int64_t open = dse_merge_open_fs(layout, lane, vector), longest = open + vector[layout->time[lane][DSE_CASE_MEAN]];
            out->open_fs[lane] = open > out->open_fs[lane] ? open : out->open_fs[lane];
            out->longest_fs[lane] = longest > out->longest_fs[lane] ? longest : out->longest_fs[lane];
        }
        for (size_t d = 0; d < layout->count; d++) {
            out->least[d] = i == 0 || vector[d] < out->least[d] ? vector[d] : out->least[d];
            out->most[d] = i == 0 || vector[d] > out->most[d] ? vector[d] : out->most[d];
        }
    }
}

/* Adds a part's extent to the extent of the rest. A part of the merged pair adds only its open time. */
static void add_to_rest(struct dse_merge *merge, const struct extent *extent, bool of_pair)
{
    const struct dse_layout *layout = &merge->layout;
    for (size_t lane = 0; lane < layout->lanes; lane++) {
        merge->rest_longest_fs[lane] += (double)(of_pair ? extent->open_fs[lane] : extent->longest_fs[lane]);
        merge->rest_shortest_fs[lane] += of_pair ? 0.0 : (double)extent->least[layout->time[lane][DSE_CASE_MEAN]];
    }
    if (of_pair)
        return;
    merge->rest_idle_nw += (double)extent->least[layout->idle];
    merge->rest_most_idle_nw += (double)extent->most[layout->idle];
    for (size_t d = 0; d < layout->count; d++) {
        int64_t *least = &merge->rest_least[d], *most = &merge->rest_most[d];
        bool largest = layout->takes_maximum[d];
        *least = !largest ? *least + extent->least[d] : extent->least[d] > *least ? extent->least[d] : *least;
        *most = !largest ? *most + extent->most[d] : extent->most[d] > *most ? extent->most[d] : *most;
        merge->slack[d] -= layout->only_capped[d] ? extent->most[d] : 0;
    }
}

/* Contribution of the parts other than two (possibly equal ones): minimum and maximum per dimension, shortest and
 * longest time. A stage that the two leave open takes at most the sum of all parts' times. */
static void bound_rest(struct dse_merge *merge, const struct dse_partial *parts, size_t count, const size_t pair[2])
{
    const struct dse_layout *layout = &merge->layout;
    merge->rest_idle_nw = merge->rest_most_idle_nw = 0.0;
    memset(merge->rest_shortest_fs, 0, sizeof merge->rest_shortest_fs);
    memset(merge->rest_longest_fs, 0, sizeof merge->rest_longest_fs);
    memset(merge->rest_least, 0, sizeof merge->rest_least);
    memset(merge->rest_most, 0, sizeof merge->rest_most);
    for (size_t d = 0; d < layout->count; d++)
        merge->slack[d] = layout->loose[d] ? INT64_MAX : layout->only_capped[d] ? layout->cap[d] : INT64_MIN;
    for (size_t p = 0; p < count; p++) {
        struct extent extent;
        measure(layout, &parts[p], &extent);
        add_to_rest(merge, &extent, p == pair[0] || p == pair[1]);
    }
}

/* Joined knobs of each part; of at least two parts; of at least three. */
struct sharing {
    dse_knob_set *own; /* per part */
    dse_knob_set two, three;
};

static dse_knob_set joined_of(const struct dse_merge *merge, dse_group_set members)
{
    dse_knob_set own = {{0}};
    for DSE_BITS_EACH(knob, merge->plan->joined)
        if (dse_bits_meet(merge->readers[knob], members))
            dse_bits_add(&own, knob);
    return own;
}

static void note_sharing(size_t count, struct sharing *sharing)
{
    dse_knob_set one = {{0}};
    sharing->two = sharing->three = one;
    for (size_t p = 0; p < count; p++) {
        sharing->three = dse_bits_or(sharing->three, dse_bits_and(sharing->two, sharing->own[p]));
        sharing->two = dse_bits_or(sharing->two, dse_bits_and(one, sharing->own[p]));
        one = dse_bits_or(one, sharing->own[p]);
    }
}

/* Number of values of the knobs that two parts, once merged, share with others; very large for parts without a common knob. */
static double values_open(const struct dse_merge *merge, const struct sharing *sharing, size_t left, size_t right)
{
    const dse_knob_set both = dse_bits_and(sharing->own[left], sharing->own[right]), either = dse_bits_or(sharing->own[left], sharing->own[right]);
    double values = dse_bits_any(both) || !dse_bits_any(merge->plan->joined) ? 1.0 : 1e150;
    for DSE_BITS_EACH(knob, dse_bits_or(dse_bits_and(both, sharing->three), dse_bits_and(dse_bits_without(either, both), sharing->two)))
        values *= (double)merge->slice->space->knobs[knob].domain_count;
    return values;
}

static int rank_of(const struct dse_merge *merge, dse_group_set left, dse_group_set right)
{
    int rank = 2 * __builtin_popcount(dse_merge_closing(merge, left, right));
    for (size_t s = 0; s < DSE_STAGE_MAX && rank == 0; s++)
        rank = dse_bits_meet(merge->touches[s], left) && dse_bits_meet(merge->touches[s], right);
    return rank;
}

/* Chooses the next two of `count` partial designs to merge. Order: fewest values in common with the rest, then most closed stages, then fewest
 * combinations. Pairs without a common open stage come last. */
static void choose_pair(const struct dse_merge *merge, struct sharing *sharing, const struct dse_partial *parts, size_t count, size_t pair[2])
{
    int best_rank = -1;
    double best_work = 0.0, best_open = INFINITY;
    note_sharing(count, sharing);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            double open = values_open(merge, sharing, i, j);
            if (open > best_open)
                continue;
            int rank = rank_of(merge, parts[i].members, parts[j].members);
            double work = (double)parts[i].count * (double)parts[j].count;
            if (open < best_open || rank > best_rank || (rank == best_rank && work < best_work)) {
                best_open = open;
                best_rank = rank;
                best_work = work;
                pair[0] = i;
                pair[1] = j;
            }
        }
    }
}

/* Merges two parts into the first; the last part moves to the second's position. */
static enum dse_status merge_pair(struct dse_merge *merge, struct sharing *sharing, struct dse_partial *parts, size_t *count, const size_t pair[2],
                                  uint64_t *evaluated, struct dse_error *err)
{
    struct dse_partial merged = {0};
    bound_rest(merge, parts, *count, pair);
    enum dse_status status = combine(merge, &parts[pair[0]], &parts[pair[1]], &merged, evaluated, err);
    dse_partial_free(&parts[pair[0]]);
    dse_partial_free(&parts[pair[1]]);
    parts[pair[0]] = merged;
    parts[pair[1]] = parts[--*count];
    sharing->own[pair[0]] = dse_bits_or(sharing->own[pair[0]], sharing->own[pair[1]]);
    sharing->own[pair[1]] = sharing->own[*count];
    parts[*count] = (struct dse_partial){0};
    return status;
}

static enum dse_status merge_groups(struct dse_merge *merge, struct dse_partial *front, uint64_t *evaluated,
                                    struct dse_error *err)
{
    struct dse_partial *parts DSE_CLEANUP(dse_free_at) = dse_calloc(merge->plan->group_count, sizeof *parts);
    dse_knob_set *own DSE_CLEANUP(dse_free_at) = dse_calloc(merge->plan->group_count, sizeof *own);
    struct sharing sharing = {.own = own};
    size_t count = 0;
    enum dse_status status = DSE_OK;
    bool any = true;
    for (; count < merge->plan->group_count && any; count++) {
        start_partial(merge, count, &parts[count]);
        own[count] = joined_of(merge, parts[count].members);
        any = parts[count].count > 0;
    }
    for (size_t p = 0; p < count && status == DSE_OK && any; p++) {
        bound_rest(merge, parts, count, (size_t[2]){p, p});
        status = dse_merge_prune(merge, &parts[p], err);
        any = parts[p].count > 0;
    }
    while (count > 1 && status == DSE_OK && any) {
        size_t pair[2] = {0, 1};
        choose_pair(merge, &sharing, parts, count, pair);
        status = merge_pair(merge, &sharing, parts, &count, pair, evaluated, err);
        any = parts[pair[0]].count > 0;
    }
    *front = any ? parts[0] : (struct dse_partial){0};
    for (size_t i = any ? 1 : 0; i < count; i++)
        dse_partial_free(&parts[i]);
    return status;
}

/* Sums of a design per data set. */
static void sum_rows(const struct dse_merge *merge, const uint32_t *rows, struct dse_accumulators *sums)
{
    size_t sets = dse_question_sets(merge->question);
    memset(sums, 0, sets * sizeof *sums);
    for (size_t g = 0; g < merge->plan->group_count; g++)
        for (size_t set = 0; set < sets; set++)
            dse_accumulators_combine(&sums[set], &merge->slice->groups[g].sums[rows[g] * sets + set]);
}

/* Uncompared resources whose caps a design of the front violates. */
static unsigned broken_caps(const struct dse_merge *merge, const struct dse_partial *front)
{
    unsigned broken = 0;
    for (size_t i = 0; i < front->count; i++) {
        struct dse_accumulators sums[DSE_SETS_MAX];
        sum_rows(merge, front->rows + i * merge->plan->group_count, sums);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (sums->resources[r] > merge->caps[r])
                broken |= 1u << r;
    }
    return broken & ~merge->capped;
}

static void set_caps(struct dse_merge *merge)
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

/* Sets the power caps: a limit on power is ignored at first, power as an objective is not. The cap is slightly below the limit, so that
 * rounding does not carry a design over it. */
static void set_power(struct dse_merge *merge)
{
    const struct dse_question *q = merge->question;
    enum dse_boundary at;
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
        merge->power_cap_nw[b] = INFINITY;
    for (size_t i = 0; i < q->limit_count; i++)
        if (dse_metric_is_power(q->limits[i].metric, &at) && !q->limits[i].at_least)
            merge->power_cap_nw[at] = fmin(merge->power_cap_nw[at], q->limits[i].bound * 1e9 * (1.0 - 1e-12));
    for (size_t i = 0; i < q->objective_count && q->goal == DSE_GOAL_FRONT; i++)
        if (dse_metric_is_power(q->objectives[i], &at)) {
            merge->powered[at] = true;
            merge->power_cap_nw[at] = -INFINITY;
        }
}

/* Uses designs of an uncapped front that meet all caps. They belong to the capped question too, so the next merge prunes the designs that they
 * dominate. They are tried first. */
static void learn(struct dse_merge *merge, const struct dse_partial *front)
{
    const struct dse_question *q = merge->question;
    size_t count = merge->learned_count + front->count, objectives = q->objective_count;
    double *learned = dse_realloc(merge->learned, (count * objectives + 1) * sizeof *learned);
    merge->learned = learned;
    for (size_t i = 0; i < front->count; i++) {
        struct dse_accumulators sums[DSE_SETS_MAX];
        double metrics[DSE_METRIC_COUNT];
        sum_rows(merge, front->rows + i * merge->plan->group_count, sums);
        dse_slice_metrics(q, merge->slice, sums, metrics);
        if (!dse_fits(&merge->slice->platform, sums, NULL) || !dse_limits_hold(q, metrics))
            continue;
        for (size_t o = 0; o < objectives; o++)
            learned[merge->learned_count * objectives + o] = dse_question_cost(q, o, metrics);
        merge->learned_count++;
    }
    if (merge->learned_forest == NULL)
        merge->learned_forest = dse_forest_create(objectives);
    dse_forest_fill(merge->learned_forest, learned, merge->learned_count);
}

/* Whether power at a boundary was not compared and some design of the front exceeds a limit. */
static bool breaks_power(const struct dse_merge *merge, enum dse_boundary at, const struct dse_partial *front)
{
    for (size_t i = 0; i < front->count && !merge->powered[at] && merge->power_cap_nw[at] < INFINITY; i++) {
        struct dse_accumulators sums[DSE_SETS_MAX];
        double metrics[DSE_METRIC_COUNT];
        sum_rows(merge, front->rows + i * merge->plan->group_count, sums);
        dse_slice_metrics(merge->question, merge->slice, sums, metrics);
        if (!(metrics[dse_power_metrics[at]] * 1e9 <= merge->power_cap_nw[at]))
            return true;
    }
    return false;
}

/* Merges until the front meets all caps and power limits. */
static enum dse_status merge_until_it_fits(struct dse_merge *merge, struct dse_partial *front, uint64_t *evaluated,
                                           struct dse_error *err)
{
    for (;;) {
        DSE_TRY(dse_merge_lay_out(merge, err));
        enum dse_status status = merge_groups(merge, front, evaluated, err);
        unsigned broken = status == DSE_OK ? broken_caps(merge, front) : 0;
        bool powered[DSE_BOUNDARY_COUNT];
        for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
            powered[b] = status == DSE_OK && breaks_power(merge, (enum dse_boundary)b, front);
        if (broken == 0 && !powered[DSE_BOUNDARY_KERNEL] && !powered[DSE_BOUNDARY_SYSTEM])
            return status;
        learn(merge, front);
        merge->capped |= broken;
        for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
            merge->powered[b] |= powered[b];
        dse_partial_free(front);
    }
}

static enum dse_status merge_slice(const struct dse_question *question, const struct dse_plan *plan,
                                   const struct dse_slice *slice, struct dse_slice_result *result,
                                   struct dse_error *err)
{
    for (size_t g = 0; g < plan->group_count; g++)
        if (slice->groups[g].count == 0)
            return DSE_OK;
    size_t own = question->from != NULL ? dse_slice_changes(question, plan, &slice->config) : 0;
    if (!slice->platform.clock_allowed || own > (question->from != NULL ? question->changes : 0))
        return DSE_OK;
    struct dse_merge merge = {.question = question, .plan = plan, .slice = slice, .changes = question->changes - own, .jobs = result->jobs,
                              .most = dse_run_most(result)};
    struct dse_partial front = {0};
    set_caps(&merge);
    find_left(&merge);
    set_power(&merge);
    dse_merge_note_touches(&merge);
    merge.others = dse_run_known(result, &merge.other_count, &merge.others_forest);
    enum dse_status status = merge_until_it_fits(&merge, &front, &result->evaluated, err);
    for (size_t i = 0; i < front.count && status == DSE_OK; i++) {
        struct dse_accumulators sums[DSE_SETS_MAX];
        const uint32_t *rows = front.rows + i * plan->group_count;
        sum_rows(&merge, rows, sums);
        dse_slice_offer(question, plan, slice, rows, sums, result);
    }
    dse_partial_free(&front);
    free(merge.learned);
    dse_forest_free(merge.learned_forest);
    return status;
}

#define VISITED_MAX 20000000 /* designs visited one by one */

/* Front over all branches: the branches' fronts merged in one archive. */
static enum dse_status search_branches(const struct dse_question *question, struct dse_answer *answer, struct dse_error *err)
{
    struct dse_archive archive;
    double start = dse_clock_s();
    enum dse_status status = DSE_OK;
    dse_archive_init(&archive, question->objectives, question->objective_count);
    archive.worst = question->goal == DSE_GOAL_WORST;
    *answer = (struct dse_answer){0};
    for (size_t b = 0; b < question->branch_count && status == DSE_OK; b++) {
        struct dse_question one = dse_question_of_branch(question, b);
        struct dse_answer part;
        status = dse_search_exact(&one, &part, err);
        for (size_t i = 0; i < part.front_count; i++)
            dse_archive_insert(&archive, &part.front[i]);
        answer->space_size = part.space_size;
        answer->evaluated += part.evaluated;
        answer->feasible += part.feasible;
        answer->unbuildable += part.unbuildable;
        memcpy(answer->rejection, part.rejection, sizeof answer->rejection);
        dse_answer_free(&part);
    }
    dse_archive_hand_over(&archive, answer);
    answer->proven = status == DSE_OK;
    answer->seconds = dse_clock_s() - start;
    return status;
}

enum dse_status dse_search_exact(const struct dse_question *question, struct dse_answer *answer,
                                 struct dse_error *err)
{
    if (question->branch_count > 0)
        return search_branches(question, answer, err);
    if (dse_filters_on_metrics(question)) { /* sums give no bound for a condition: every design is visited */
        bool plain = question->goal == DSE_GOAL_FRONT && question->sets == NULL;
        *answer = (struct dse_answer){0};
        return plain && dse_question_size(question) <= VISITED_MAX ? dse_search_exhaustive(question, answer, err)
                                                                   : dse_filters_reject(question, UINT32_MAX, "the exact method (beyond 20 million designs, or several data sets)", "exhaustive or heuristic", err);
    }
    return dse_search_run(question, merge_slice, true, answer, err);
}
