/* Counting what a constraint kills.
 *
 * A quantity that adds over parts which share nothing has a distribution that is the convolution of the parts'. For
 * resources and bytes the parts are the groups; for times they are sets of groups that share no stage, since a stage
 * takes as long as its slowest group. Distributions are folded into three, and pairs of the first two look up in the
 * running sum of the third how many of its rows carry them over the threshold. */
#include "search/kills.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "search/run.h"

#define SPREAD_MAX ((size_t)1 << 18) /* values of a folded distribution; wider ones are cut to their least */
#define COMPONENT_ROWS_MAX ((uint64_t)1 << 18)

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply_saturating(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* ---- distributions ---- */

struct value {
    int64_t amount;
    uint64_t count;
};

struct distribution {
    struct value *values; /* count, ascending, each amount once */
    size_t count;
};

static int compare_values(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return (x->amount > y->amount) - (x->amount < y->amount);
}

static void sort_and_unite(struct distribution *d)
{
    size_t kept = 0;
    qsort(d->values, d->count, sizeof *d->values, compare_values);
    for (size_t i = 0; i < d->count; i++) {
        if (kept > 0 && d->values[kept - 1].amount == d->values[i].amount)
            d->values[kept - 1].count = add_saturating(d->values[kept - 1].count, d->values[i].count);
        else
            d->values[kept++] = d->values[i];
    }
    d->count = kept;
}

/* All rows at the least amount: counts with it are lower bounds. */
static void cut_to_least(struct distribution *d)
{
    for (size_t i = 1; i < d->count; i++)
        d->values[0].count = add_saturating(d->values[0].count, d->values[i].count);
    d->count = d->count > 0;
}

/* a becomes the distribution of the sum; b is released. */
static enum dse_status fold(struct distribution *a, struct distribution *b, bool *at_least, struct dse_error *err)
{
    if (a->count * b->count > SPREAD_MAX) {
        *at_least = true;
        cut_to_least(a->count < b->count ? a : b);
    }
    struct distribution sum = {.values = malloc((a->count * b->count + 1) * sizeof *sum.values)};
    if (sum.values == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            sum.values[sum.count++] = (struct value){a->values[i].amount + b->values[j].amount,
                                                     multiply_saturating(a->values[i].count, b->values[j].count)};
    sort_and_unite(&sum);
    free(a->values);
    free(b->values);
    *a = sum;
    *b = (struct distribution){0};
    return DSE_OK;
}

static int compare_widths(const void *a, const void *b)
{
    const struct distribution *x = a, *y = b;
    return (x->count > y->count) - (x->count < y->count);
}

/* Rows of `sorted` with more than `amount`, from `above[i]`, the rows from place i on. */
static uint64_t count_above(const struct distribution *sorted, const uint64_t *above, int64_t amount)
{
    size_t low = 0, high = sorted->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sorted->values[middle].amount > amount)
            high = middle;
        else
            low = middle + 1;
    }
    return above[low];
}

/* The combinations of one value of each distribution whose sum is more than `threshold`. */
static enum dse_status count_combinations(struct distribution parts[3], int64_t threshold, uint64_t *out,
                                          struct dse_error *err)
{
    qsort(parts, 3, sizeof *parts, compare_widths);
    const struct distribution *widest = &parts[2];
    uint64_t *above = calloc(widest->count + 1, sizeof *above);
    if (above == NULL)
        return dse_fail_memory(err);
    for (size_t i = widest->count; i > 0; i--)
        above[i - 1] = add_saturating(above[i], widest->values[i - 1].count);
    uint64_t total = 0;
    for (size_t a = 0; a < parts[0].count; a++)
        for (size_t b = 0; b < parts[1].count; b++) {
            const struct value *x = &parts[0].values[a], *y = &parts[1].values[b];
            uint64_t rows = count_above(widest, above, threshold - x->amount - y->amount);
            total = add_saturating(total, multiply_saturating(rows, multiply_saturating(x->count, y->count)));
        }
    free(above);
    *out = total;
    return DSE_OK;
}

/* ---- quantities ---- */

/* A quantity of a design as a sum over its parts. */
struct quantity {
    enum dse_metric metric;
    bool timed;              /* its parts must not share a stage */
    enum dse_case which;     /* of times */
    double idle_nw;          /* of the bound of energy: the least power that any design draws */
};

static int64_t part_of(const struct dse_platform *platform, const struct quantity *quantity,
                       const struct dse_accumulators *sums)
{
    int64_t total = 0;
    if (quantity->timed)
        for (size_t s = 0; s < DSE_STAGE_MAX; s++)
            total += dse_stage_fs(platform, sums, quantity->which, s);
    if (quantity->metric == DSE_METRIC_ENERGY)
        return sums->energy_fj + (int64_t)(quantity->idle_nw * 1e-9 * (double)total);
    if (quantity->timed)
        return total;
    if (dse_metrics[quantity->metric].resource >= 0)
        return sums->resources[dse_metrics[quantity->metric].resource];
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            total += sums->bytes[DSE_CASE_MEAN][s][m] *
                     (quantity->metric == DSE_METRIC_DRAM_ENERGY ? platform->dram_fj_per_byte[m] : 1);
    return total;
}

/* The metric of a design with this sum; for energy and throughput no worse than it is. */
static double metric_of(const struct dse_platform *platform, const struct quantity *quantity, int64_t sum)
{
    double real = (double)sum * 1e-15;
    if (dse_metrics[quantity->metric].resource >= 0)
        return (double)(sum * platform->units);
    switch (quantity->metric) {
    case DSE_METRIC_DDR_BYTES: return (double)sum;
    case DSE_METRIC_CYCLES: return round(real * 1e15 / (double)platform->fs_per_cycle);
    case DSE_METRIC_THROUGHPUT: return real > 0.0 ? (double)platform->at_once / real * (1.0 + 1e-9) : INFINITY;
    case DSE_METRIC_ENERGY: return real * (1.0 - 1e-9);
    default: return real;
    }
}

static bool holds(const struct dse_platform *platform, const struct quantity *quantity, const struct dse_limit *limit,
                  int64_t sum)
{
    double value = metric_of(platform, quantity, sum);
    return limit->at_least ? value >= limit->bound : value <= limit->bound;
}

/* The largest sum that holds (or, where `falling`, breaks) a limit that changes sides once; −1 where none does. */
static int64_t last_before(const struct dse_platform *platform, const struct quantity *quantity,
                           const struct dse_limit *limit, bool wanted)
{
    int64_t low = -1, high = INT64_MAX / 64;
    while (low + 1 < high) {
        int64_t middle = low + (high - low) / 2;
        if (holds(platform, quantity, limit, middle) == wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- parts ---- */

typedef uint64_t group_set;

static unsigned stages_of(const struct dse_group *group, enum dse_case which)
{
    unsigned stages = 0;
    for (size_t row = 0; row < group->count; row++)
        for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
            bool there = group->sums[row].busy_cycles[which][s] > 0;
            for (int m = 0; m < DSE_MEMORY_MAX; m++)
                there |= group->sums[row].bytes[which][s][m] > 0;
            stages |= there ? 1u << s : 0;
        }
    return stages;
}

/* The groups as sets that share no stage. */
static size_t part_groups(const struct dse_plan *plan, const struct dse_slice *slice, const struct quantity *quantity,
                          group_set sets[DSE_GROUP_MAX])
{
    unsigned stages[DSE_GROUP_MAX];
    size_t count = 0;
    for (size_t g = 0; g < plan->group_count; g++) {
        group_set set = (group_set)1 << g;
        unsigned mine = quantity->timed ? stages_of(&slice->groups[g], quantity->which) : 0;
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            if ((stages[i] & mine) != 0) {
                set |= sets[i];
                mine |= stages[i];
            } else {
                sets[kept] = sets[i];
                stages[kept++] = stages[i];
            }
        }
        sets[kept] = set;
        stages[kept] = mine;
        count = kept + 1;
    }
    return count;
}

/* The distribution of the quantity over the rows of a set of groups, together. Where they are too many, the last
 * groups' least rows stand for all (their times count as nothing). */
static enum dse_status distribute(const struct dse_plan *plan, const struct dse_slice *slice,
                                  const struct quantity *quantity, group_set set, bool *at_least,
                                  struct distribution *out, struct dse_error *err)
{
    uint64_t rows = 1, hidden = 1;
    group_set seen = 0;
    for (size_t g = 0; g < plan->group_count; g++) {
        if ((set >> g & 1) == 0)
            continue;
        if (rows * slice->groups[g].count > COMPONENT_ROWS_MAX) {
            hidden *= slice->groups[g].count;
            *at_least = true;
        } else {
            rows *= slice->groups[g].count;
            seen |= (group_set)1 << g;
        }
    }
    out->count = 0;
    out->values = malloc((rows + 1) * sizeof *out->values);
    if (out->values == NULL)
        return dse_fail_memory(err);
    for (uint64_t row = 0; row < rows; row++) {
        struct dse_accumulators sums = {0};
        uint64_t rest = row;
        for (size_t g = 0; g < plan->group_count; g++)
            if ((seen >> g & 1) != 0) {
                dse_accumulators_combine(&sums, &slice->groups[g].sums[rest % slice->groups[g].count]);
                rest /= slice->groups[g].count;
            }
        out->values[out->count++] = (struct value){part_of(&slice->platform, quantity, &sums), hidden};
    }
    sort_and_unite(out);
    return DSE_OK;
}

/* How many designs of the slice have a sum above the threshold. */
static enum dse_status count_slice(const struct dse_plan *plan, const struct dse_slice *slice,
                                   const struct quantity *quantity, int64_t threshold, bool *at_least, uint64_t *out,
                                   struct dse_error *err)
{
    group_set sets[DSE_GROUP_MAX];
    struct distribution parts[DSE_GROUP_MAX + 3] = {{0}};
    size_t count = part_groups(plan, slice, quantity, sets);
    int64_t least = 0, most = 0;
    uint64_t all = 1;
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        status = distribute(plan, slice, quantity, sets[i], at_least, &parts[i], err);
        if (status == DSE_OK) {
            least += parts[i].values[0].amount;
            most += parts[i].values[parts[i].count - 1].amount;
        }
    }
    for (size_t g = 0; g < plan->group_count; g++)
        all = multiply_saturating(all, slice->groups[g].count);
    *out = least > threshold ? all : 0;
    bool open = status == DSE_OK && least <= threshold && most > threshold;
    for (; count < 3 && open; count++) { /* nothing, once */
        parts[count].values = calloc(1, sizeof *parts[count].values);
        if (parts[count].values == NULL)
            status = dse_fail_memory(err);
        else
            parts[count].values[parts[count].count++].count = 1;
    }
    for (; count > 3 && open && status == DSE_OK; count--) {
        qsort(parts, count, sizeof *parts, compare_widths);
        status = fold(&parts[0], &parts[1], at_least, err);
        parts[1] = parts[count - 1];
        parts[count - 1] = (struct distribution){0};
    }
    if (open && status == DSE_OK)
        status = count_combinations(parts, threshold, out, err);
    for (size_t i = 0; i < DSE_GROUP_MAX + 3; i++)
        free(parts[i].values);
    return status;
}

/* ---- constraints ---- */

static double least_idle_nw(const struct dse_plan *plan, const struct dse_slice *slice)
{
    double total = 0.0;
    for (size_t g = 0; g < plan->group_count; g++) {
        int64_t least = INT64_MAX;
        for (size_t row = 0; row < slice->groups[g].count; row++)
            if (slice->groups[g].sums[row].idle_nw < least)
                least = slice->groups[g].sums[row].idle_nw;
        total += (double)least;
    }
    return (double)slice->platform.static_nw + (double)slice->platform.units * total;
}

static enum dse_status count_limit(const struct dse_question *question, const struct dse_plan *plan,
                                   const struct dse_slice *slice, const struct dse_limit *limit, uint64_t all,
                                   struct dse_kill_count *out, struct dse_error *err)
{
    const struct dse_platform *platform = &slice->platform;
    out->configurations = 0;
    out->at_least = limit->metric == DSE_METRIC_ENERGY || limit->metric == DSE_METRIC_THROUGHPUT ||
                    limit->metric == DSE_METRIC_POWER;
    if (limit->metric == DSE_METRIC_QUALITY) {
        double quality = question->alternatives[slice->alternative].quality;
        out->configurations = (limit->at_least ? quality >= limit->bound : quality <= limit->bound) ? 0 : all;
        return DSE_OK;
    }
    bool reverse = limit->at_least != dse_metrics[limit->metric].higher_is_better;
    if (limit->metric == DSE_METRIC_POWER || (out->at_least && reverse))
        return DSE_OK;
    struct quantity quantity = {.metric = limit->metric, .idle_nw = least_idle_nw(plan, slice)};
    quantity.timed = limit->metric == DSE_METRIC_LATENCY || limit->metric == DSE_METRIC_LATENCY_P99 ||
                     limit->metric == DSE_METRIC_CYCLES || limit->metric == DSE_METRIC_THROUGHPUT ||
                     limit->metric == DSE_METRIC_ENERGY;
    quantity.which = limit->metric == DSE_METRIC_LATENCY_P99 ? DSE_CASE_TAIL : DSE_CASE_MEAN;
    /* Small sums hold an upper limit and break a lower one. */
    int64_t threshold = last_before(platform, &quantity, limit, !reverse);
    uint64_t above = 0;
    enum dse_status status = count_slice(plan, slice, &quantity, threshold, &out->at_least, &above, err);
    out->configurations = reverse ? (out->at_least ? 0 : all - above) : above;
    out->at_least &= out->configurations < all;
    return status;
}

struct counting {
    const struct dse_question *question;
    struct dse_kills *kills;
    pthread_mutex_t lock;
};

static void add_count(struct dse_kill_count *total, const struct dse_kill_count *part)
{
    total->configurations = add_saturating(total->configurations, part->configurations);
    total->at_least |= part->at_least;
}

static void add_kills(struct counting *counting, const struct dse_kills *part)
{
    pthread_mutex_lock(&counting->lock);
    struct dse_kills *total = counting->kills;
    total->space_size = add_saturating(total->space_size, part->space_size);
    total->unbuildable = add_saturating(total->unbuildable, part->unbuildable);
    total->clock = add_saturating(total->clock, part->clock);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        add_count(&total->resources[r], &part->resources[r]);
    for (size_t i = 0; i < counting->question->limit_count; i++)
        add_count(&total->limits[i], &part->limits[i]);
    pthread_mutex_unlock(&counting->lock);
}

static enum dse_status count_resource(const struct dse_plan *plan, const struct dse_slice *slice, int resource,
                                      struct dse_kill_count *out, struct dse_error *err)
{
    struct quantity quantity = {0};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (dse_metrics[m].resource == resource)
            quantity.metric = (enum dse_metric)m;
    if (dse_metrics[quantity.metric].resource != resource)
        return DSE_OK; /* no metric counts it */
    int64_t cap = slice->platform.capped[resource];
    return count_slice(plan, slice, &quantity, cap < 0 ? -1 : cap / slice->platform.units, &out->at_least,
                       &out->configurations, err);
}

static enum dse_status count_one(void *user, const struct dse_plan *plan, uint64_t index,
                                 const struct dse_slice *slice, struct dse_error *err)
{
    (void)index;
    struct counting *counting = user;
    struct dse_kills kills = {.space_size = slice->size};
    if (slice->size == 0)
        return DSE_OK;
    uint64_t buildable = 1;
    for (size_t g = 0; g < plan->group_count; g++)
        buildable = multiply_saturating(buildable, slice->groups[g].count);
    kills.unbuildable = slice->size - buildable;
    kills.clock = slice->platform.clock_allowed ? 0 : buildable;
    enum dse_status status = DSE_OK;
    for (int r = 0; r < DSE_RESOURCE_COUNT && status == DSE_OK && buildable > 0 && kills.clock == 0; r++)
        status = count_resource(plan, slice, r, &kills.resources[r], err);
    for (size_t i = 0; i < counting->question->limit_count && status == DSE_OK && buildable > 0; i++)
        status = count_limit(counting->question, plan, slice, &counting->question->limits[i], buildable,
                             &kills.limits[i], err);
    if (status == DSE_OK)
        add_kills(counting, &kills);
    return status;
}

enum dse_status dse_kills_count(const struct dse_question *question, struct dse_kills *out, struct dse_error *err)
{
    struct counting counting = {.question = question, .kills = out};
    *out = (struct dse_kills){0};
    pthread_mutex_init(&counting.lock, NULL);
    enum dse_status status = dse_slices_visit(question, count_one, &counting, err);
    pthread_mutex_destroy(&counting.lock);
    return status;
}
