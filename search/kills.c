/* Counting what a constraint kills.
 *
 * A quantity that adds over parts which share nothing has a distribution that is the convolution of the parts'. For
 * resources and bytes the parts are the groups; for times they are sets of groups that share no stage, since a stage
 * takes as long as its slowest group. Distributions are folded into three, and pairs of the first two find in the
 * running sum of the third how many of its rows carry them over the threshold. */
#include "search/kills.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/saturate.h"
#include "search/outline.h"
#include "search/tables.h"

#define SPREAD_MAX ((size_t)1 << 18) /* values of a folded distribution; wider ones are cut to their least */
#define COMPONENT_ROWS_MAX ((uint64_t)1 << 18)

/* ---- distributions ---- */

struct value {
    int64_t amount;
    uint64_t count;
};

struct distribution {
    struct value *values; /* count, ascending, each amount once */
    size_t count;
};

/* Counts by amount, in the making: an open hash table, a power of two large. */
struct tally {
    struct value *slots; /* capacity; free where the count is 0 */
    size_t capacity, used;
};

static size_t slot_of(const struct tally *tally, int64_t amount)
{
    size_t slot = (size_t)(((uint64_t)amount * 11400714819323198485u) >> 20) & (tally->capacity - 1);
    while (tally->slots[slot].count != 0 && tally->slots[slot].amount != amount)
        slot = (slot + 1) & (tally->capacity - 1);
    return slot;
}

static enum dse_status widen(struct tally *tally, struct dse_error *err)
{
    struct tally wider = {.capacity = tally->capacity > 0 ? 4 * tally->capacity : 256};
    wider.slots = dse_calloc(wider.capacity, sizeof *wider.slots);
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->slots[i].count != 0)
            wider.slots[slot_of(&wider, tally->slots[i].amount)] = tally->slots[i];
    wider.used = tally->used;
    free(tally->slots);
    *tally = wider;
    return DSE_OK;
}

static enum dse_status add_amount(struct tally *tally, int64_t amount, uint64_t count, struct dse_error *err)
{
    if (2 * tally->used >= tally->capacity) {
        DSE_TRY(widen(tally, err));
    }
    struct value *slot = &tally->slots[slot_of(tally, amount)];
    tally->used += slot->count == 0;
    *slot = (struct value){amount, dse_saturating_add(slot->count, count)};
    return DSE_OK;
}

static int compare_values(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return (x->amount > y->amount) - (x->amount < y->amount);
}

#define DIGIT_BITS 11
#define DIGITS ((size_t)1 << DIGIT_BITS)

/* One pass of a radix sort, by the digit of amount − least that begins at `shift`. */
static void sort_digit(const struct value *in, size_t count, int64_t least, unsigned shift, struct value *out)
{
    size_t begin[DIGITS] = {0}, total = 0;
    for (size_t i = 0; i < count; i++)
        begin[(uint64_t)(in[i].amount - least) >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t here = begin[d];
        begin[d] = total;
        total += here;
    }
    for (size_t i = 0; i < count; i++)
        out[begin[(uint64_t)(in[i].amount - least) >> shift & (DIGITS - 1)]++] = in[i];
}

/* By amount: many values digit by digit, few by comparison. */
static void sort_values(struct distribution *d)
{
    struct value *other = d->count > DIGITS ? dse_malloc(d->count * sizeof *other) : NULL;
    if (other == NULL) {
        qsort(d->values, d->count, sizeof *d->values, compare_values);
        return;
    }
    int64_t least = d->values[0].amount, most = least;
    for (size_t i = 1; i < d->count; i++) {
        least = d->values[i].amount < least ? d->values[i].amount : least;
        most = d->values[i].amount > most ? d->values[i].amount : most;
    }
    for (unsigned shift = 0; shift < 64 && (uint64_t)(most - least) >> shift != 0; shift += DIGIT_BITS) {
        sort_digit(d->values, d->count, least, shift, other);
        struct value *sorted = other;
        other = d->values;
        d->values = sorted;
    }
    free(other);
}

/* The tally's slots become the distribution's values. */
static void settle(struct tally *tally, struct distribution *out)
{
    *out = (struct distribution){.values = tally->slots};
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->slots[i].count != 0)
            out->values[out->count++] = tally->slots[i];
    *tally = (struct tally){0};
    sort_values(out);
}

/* All rows at the least amount: counts with it are lower bounds. */
static void cut_to_least(struct distribution *d)
{
    for (size_t i = 1; i < d->count; i++)
        d->values[0].count = dse_saturating_add(d->values[0].count, d->values[i].count);
    d->count = d->count > 0;
}

/* a becomes the distribution of the sum; b is released. */
static enum dse_status fold(struct distribution *a, struct distribution *b, bool *at_least, struct dse_error *err)
{
    if (a->count * b->count > SPREAD_MAX) {
        *at_least = true;
        cut_to_least(a->count < b->count ? a : b);
    }
    struct tally tally = {0};
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < a->count && status == DSE_OK; i++)
        for (size_t j = 0; j < b->count && status == DSE_OK; j++)
            status = add_amount(&tally, a->values[i].amount + b->values[j].amount,
                                dse_saturating_multiply(a->values[i].count, b->values[j].count), err);
    if (status != DSE_OK) {
        free(tally.slots);
        return status;
    }
    free(a->values);
    free(b->values);
    settle(&tally, a);
    *b = (struct distribution){0};
    return DSE_OK;
}

static int compare_widths(const void *a, const void *b)
{
    const struct distribution *x = a, *y = b;
    return (x->count > y->count) - (x->count < y->count);
}

/* The first of some ascending values whose amount is more than `amount`; their count if none is. */
static size_t first_above(const struct distribution *d, int64_t amount)
{
    size_t low = 0, high = d->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->values[middle].amount > amount)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Rows of a distribution from each place on; to be released with free(). */
static uint64_t *count_from(const struct distribution *d)
{
    uint64_t *from = dse_calloc(d->count + 1, sizeof *from);
    for (size_t i = d->count; from != NULL && i > 0; i--)
        from[i - 1] = dse_saturating_add(from[i], d->values[i - 1].count);
    return from;
}

/* Of the second and the widest distribution the pairs whose sum is more than `left`: the more the second gives, the less is asked of
 * the widest. Only of the values of the second for which some of the widest are more and some are not is one looked at by itself. */
static uint64_t count_pairs(const struct distribution *second, const uint64_t *second_from, const struct distribution *widest,
                            const uint64_t *widest_from, int64_t left)
{
    size_t begin = first_above(second, left - widest->values[widest->count - 1].amount);
    size_t end = first_above(second, left - widest->values[0].amount);
    size_t place = begin < end ? first_above(widest, left - second->values[begin].amount) : 0;
    uint64_t rows = dse_saturating_multiply(second_from[end], widest_from[0]);
    for (size_t b = begin; b < end; b++) {
        while (place > 0 && widest->values[place - 1].amount > left - second->values[b].amount)
            place--;
        rows = dse_saturating_add(rows, dse_saturating_multiply(widest_from[place], second->values[b].count));
    }
    return rows;
}

/* The combinations of one value of each of three distributions whose sum is more than `threshold`. */
static enum dse_status count_combinations(const struct distribution *parts, int64_t threshold,
                                          const struct dse_monitor *monitor, uint64_t *out, struct dse_error *err)
{
    uint64_t *second = count_from(&parts[1]), *widest = count_from(&parts[2]);
    bool interrupted = false, made = second != NULL && widest != NULL;
    *out = 0;
    for (size_t a = 0; a < parts[0].count && made && !interrupted; a++) {
        const struct value *x = &parts[0].values[a];
        interrupted = dse_monitor_cancelled(monitor);
        uint64_t rows = count_pairs(&parts[1], second, &parts[2], widest, threshold - x->amount);
        *out = dse_saturating_add(*out, dse_saturating_multiply(rows, x->count));
    }
    free(second);
    free(widest);
    return !made ? dse_fail_memory(err) : interrupted ? dse_fail_cancelled(err) : DSE_OK;
}

/* ---- quantities ---- */

/* A quantity of a design as a sum over its parts. */
struct quantity {
    enum dse_metric metric;
    bool timed;              /* its parts must not share a stage */
    enum dse_case which;     /* of times */
    double idle_nw;          /* of the bound of energy: the least power that any design draws */
};

/* What a quantity sees of a row: the time that has passed whatever the other rows of its set do, and for each stage that
 * several groups of the set share its busy time, and the time of the bytes over each memory that several of them use. */
#define SHARED_MAX (DSE_STAGE_MAX * (1 + DSE_MEMORY_MAX))

struct seen {
    int64_t amount; /* of what is no time, all there is */
    int64_t closed_fs;
    int64_t shared_fs[SHARED_MAX];
};

/* Which of them are there: places among `shared_fs`, or −1. */
struct view {
    const struct dse_platform *platform;
    const struct quantity *quantity;
    size_t shared;
    int busy[DSE_STAGE_MAX], moving[DSE_STAGE_MAX][DSE_MEMORY_MAX];
};

static int64_t plain_amount(const struct view *view, const struct dse_accumulators *sums)
{
    const struct quantity *quantity = view->quantity;
    if (quantity->timed)
        return quantity->metric == DSE_METRIC_ENERGY ? sums->energy_fj : 0;
    if (dse_metrics[quantity->metric].resource >= 0)
        return sums->resources[dse_metrics[quantity->metric].resource];
    if (quantity->metric == DSE_METRIC_POWER)
        return sums->idle_nw;
    int64_t total = 0;
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            total += sums->bytes[DSE_CASE_MEAN][s][m] *
                     (quantity->metric == DSE_METRIC_DRAM_ENERGY ? view->platform->dram_fj_per_byte[m] : 1);
    return total;
}

static void see(const struct view *view, const struct dse_accumulators *sums, struct seen *out)
{
    const struct dse_platform *platform = view->platform;
    enum dse_case which = view->quantity->which;
    memset(out, 0, sizeof *out);
    out->amount = plain_amount(view, sums);
    for (size_t s = 0; s < DSE_STAGE_MAX && view->quantity->timed; s++) {
        if (view->busy[s] < 0) {
            out->closed_fs += dse_stage_fs(platform, sums, which, s);
            continue;
        }
        int64_t busy = sums->busy_cycles[which][s] * platform->fs_per_cycle;
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            int64_t moving = sums->bytes[which][s][m] * platform->fs_per_byte[m];
            if (view->moving[s][m] >= 0)
                out->shared_fs[view->moving[s][m]] = moving;
            else
                busy = moving > busy ? moving : busy;
        }
        out->shared_fs[view->busy[s]] = busy;
        out->closed_fs += sums->fill_cycles[which][s] * platform->fs_per_cycle;
    }
}

static void add_seen(const struct view *view, const struct seen *a, const struct seen *b, struct seen *out)
{
    out->amount = a->amount + b->amount;
    out->closed_fs = a->closed_fs + b->closed_fs;
    for (size_t i = 0; i < view->shared; i++)
        out->shared_fs[i] = a->shared_fs[i] + b->shared_fs[i];
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        int at = view->busy[s];
        if (at >= 0)
            out->shared_fs[at] = a->shared_fs[at] > b->shared_fs[at] ? a->shared_fs[at] : b->shared_fs[at];
    }
}

static int64_t amount_of(const struct view *view, const struct seen *seen)
{
    if (!view->quantity->timed)
        return seen->amount;
    int64_t total = seen->closed_fs;
    for (size_t s = 0; s < DSE_STAGE_MAX && view->shared > 0; s++) {
        if (view->busy[s] < 0)
            continue;
        int64_t longest = seen->shared_fs[view->busy[s]];
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (view->moving[s][m] >= 0 && seen->shared_fs[view->moving[s][m]] > longest)
                longest = seen->shared_fs[view->moving[s][m]];
        total += longest;
    }
    if (view->quantity->metric == DSE_METRIC_ENERGY)
        return seen->amount + (int64_t)(view->quantity->idle_nw * 1e-9 * (double)total);
    return total;
}

/* The metric of a design with this sum; for energy, throughput and power (without its dynamic part) no worse than it is. */
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
    case DSE_METRIC_POWER:
        return ((double)platform->static_nw + (double)platform->units * (double)sum) * 1e-9 * (1.0 - 1e-9);
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

/* What the groups of a set share. */
static void lay_out(const struct dse_plan *plan, const struct dse_slice *slice, const struct quantity *quantity,
                    group_set set, struct view *out)
{
    unsigned users[DSE_STAGE_MAX] = {0}, movers[DSE_STAGE_MAX][DSE_MEMORY_MAX] = {{0}};
    *out = (struct view){.platform = &slice->platform, .quantity = quantity};
    memset(out->busy, -1, sizeof out->busy);
    memset(out->moving, -1, sizeof out->moving);
    for (size_t g = 0; g < plan->group_count && quantity->timed; g++) {
        bool uses[DSE_STAGE_MAX] = {false}, moves[DSE_STAGE_MAX][DSE_MEMORY_MAX] = {{false}};
        for (size_t row = 0; row < slice->groups[g].count && (set >> g & 1) != 0; row++)
            for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
                uses[s] |= slice->groups[g].sums[row].busy_cycles[quantity->which][s] > 0;
                for (int m = 0; m < DSE_MEMORY_MAX; m++)
                    moves[s][m] |= slice->groups[g].sums[row].bytes[quantity->which][s][m] > 0;
            }
        for (size_t s = 0; s < DSE_STAGE_MAX; s++)
            for (int m = 0; m < DSE_MEMORY_MAX; m++) {
                uses[s] |= moves[s][m];
                movers[s][m] += moves[s][m];
            }
        for (size_t s = 0; s < DSE_STAGE_MAX; s++)
            users[s] += uses[s];
    }
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        if (users[s] < 2)
            continue;
        out->busy[s] = (int)out->shared++;
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (movers[s][m] > 1)
                out->moving[s][m] = (int)out->shared++;
    }
}

/* The different rows of a group, as a quantity sees them. */
struct kinds {
    struct kind {
        struct seen seen;
        uint64_t count;
    } *kinds; /* count */
    size_t count;
};

static int compare_kinds(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct seen)); /* any order will do */
}

static enum dse_status list_kinds(const struct view *view, const struct dse_group *group, struct kinds *out,
                                  struct dse_error *err)
{
    out->count = 0;
    out->kinds = dse_malloc((group->count + 1) * sizeof *out->kinds);
    for (size_t row = 0; row < group->count; row++) {
        see(view, &group->sums[row], &out->kinds[row].seen);
        out->kinds[row].count = 1;
    }
    qsort(out->kinds, group->count, sizeof *out->kinds, compare_kinds);
    for (size_t row = 0; row < group->count; row++) {
        if (out->count > 0 && compare_kinds(&out->kinds[out->count - 1], &out->kinds[row]) == 0)
            out->kinds[out->count - 1].count++;
        else
            out->kinds[out->count++] = out->kinds[row];
    }
    return DSE_OK;
}

/* The distribution over the rows of one group by itself. */
static enum dse_status distribute_one(const struct view *view, const struct dse_group *group, struct distribution *out,
                                      struct dse_error *err)
{
    struct tally tally = {0};
    for (size_t row = 0; row < group->count; row++) {
        struct seen seen;
        see(view, &group->sums[row], &seen);
        DSE_TRY(add_amount(&tally, amount_of(view, &seen), 1, err));
    }
    settle(&tally, out);
    return DSE_OK;
}

/* Adds the combinations of these kinds to what has been seen of the groups before; `rows` stand behind it. */
static enum dse_status combine_kinds(const struct view *view, const struct kinds *kinds, size_t count,
                                     const struct seen *before, uint64_t rows, struct tally *tally, struct dse_error *err)
{
    if (count == 0)
        return add_amount(tally, amount_of(view, before), rows, err);
    for (size_t k = 0; k < kinds->count; k++) {
        struct seen sum;
        add_seen(view, before, &kinds->kinds[k].seen, &sum);
        DSE_TRY(combine_kinds(view, kinds + 1, count - 1, &sum, dse_saturating_multiply(rows, kinds->kinds[k].count), tally, err));
    }
    return DSE_OK;
}

/* The distribution of the quantity over the rows of a set of groups, together. Where they are too many, the last
 * groups' least rows stand for all (their times count as nothing). */
static enum dse_status distribute(const struct dse_plan *plan, const struct dse_slice *slice,
                                  const struct quantity *quantity, group_set set, bool *at_least,
                                  struct distribution *out, struct dse_error *err)
{
    struct view view;
    lay_out(plan, slice, quantity, set, &view);
    if ((set & (set - 1)) == 0)
        return distribute_one(&view, &slice->groups[__builtin_ctzll(set)], out, err);
    struct kinds kinds[DSE_GROUP_MAX];
    size_t count = 0;
    uint64_t combinations = 1, hidden = 1;
    enum dse_status status = DSE_OK;
    for (size_t g = 0; g < plan->group_count && status == DSE_OK; g++) {
        if ((set >> g & 1) == 0)
            continue;
        status = list_kinds(&view, &slice->groups[g], &kinds[count], err);
        if (status != DSE_OK)
            break;
        if (combinations * kinds[count].count > COMPONENT_ROWS_MAX) {
            hidden = dse_saturating_multiply(hidden, slice->groups[g].count);
            *at_least = true;
            free(kinds[count].kinds);
        } else {
            combinations *= kinds[count++].count;
        }
    }
    struct tally tally = {0};
    if (status == DSE_OK)
        status = combine_kinds(&view, kinds, count, &(struct seen){0}, hidden, &tally, err);
    settle(&tally, out);
    for (size_t i = 0; i < count; i++)
        free(kinds[i].kinds);
    return status;
}

/* The distributions of a quantity over a slice, kept for the slices that share its rows. */
struct spread {
    struct spread *next;
    struct quantity quantity;
    struct distribution parts[DSE_GROUP_MAX + 3];
    size_t count;        /* parts; 3 once they are folded */
    int64_t least, most; /* sums */
    bool at_least;
    bool folded;
};

/* What is kept of a slice: its spreads so far. */
struct kept {
    struct spread *spreads;
};

static void release_kept(void *data)
{
    struct kept *kept = data;
    while (kept->spreads != NULL) {
        struct spread *spread = kept->spreads;
        kept->spreads = spread->next;
        for (size_t i = 0; i < DSE_GROUP_MAX + 3; i++)
            free(spread->parts[i].values);
        free(spread);
    }
    free(kept);
}

static enum dse_status get_kept(const struct dse_slice *slice, struct kept **out, struct dse_error *err)
{
    *out = slice->note->data;
    if (*out != NULL)
        return DSE_OK;
    *out = dse_calloc(1, sizeof **out);
    *slice->note = (struct dse_slice_note){*out, release_kept};
    return DSE_OK;
}

/* The quantity of sums taken as one design. */
static int64_t amount_of_sums(const struct dse_platform *platform, const struct quantity *quantity,
                              const struct dse_accumulators *sums)
{
    struct view view = {.platform = platform, .quantity = quantity};
    struct seen seen;
    memset(view.busy, -1, sizeof view.busy);
    see(&view, sums, &seen);
    return amount_of(&view, &seen);
}

static bool is_same(const struct quantity *a, const struct quantity *b)
{
    return a->metric == b->metric && a->timed == b->timed && a->which == b->which && a->idle_nw == b->idle_nw;
}

static enum dse_status find_spread(const struct dse_plan *plan, const struct dse_slice *slice, struct kept *kept,
                                   const struct quantity *quantity, struct spread **out, struct dse_error *err)
{
    for (*out = kept->spreads; *out != NULL; *out = (*out)->next)
        if (is_same(&(*out)->quantity, quantity))
            return DSE_OK;
    struct spread *spread = dse_calloc(1, sizeof *spread);
    spread->quantity = *quantity;
    spread->next = kept->spreads;
    kept->spreads = *out = spread;
    group_set sets[DSE_GROUP_MAX];
    spread->count = part_groups(plan, slice, quantity, sets);
    for (size_t i = 0; i < spread->count; i++) {
        struct distribution *part = &spread->parts[i];
        DSE_TRY(distribute(plan, slice, quantity, sets[i], &spread->at_least, part, err));
        spread->least += part->values[0].amount;
        spread->most += part->values[part->count - 1].amount;
    }
    return DSE_OK;
}

/* Makes the parts three, the narrowest first. */
static enum dse_status fold_to_three(struct distribution *parts, size_t *count, bool *at_least, struct dse_error *err)
{
    for (; *count < 3; ++*count) { /* nothing, once */
        parts[*count].values = dse_calloc(1, sizeof *parts->values);
        parts[*count].values[0].count = 1;
        parts[*count].count = 1;
    }
    enum dse_status status = DSE_OK;
    for (; *count > 3 && status == DSE_OK; --*count) {
        qsort(parts, *count, sizeof *parts, compare_widths);
        status = fold(&parts[0], &parts[1], at_least, err);
        parts[1] = parts[*count - 1];
        parts[*count - 1] = (struct distribution){0};
    }
    qsort(parts, 3, sizeof *parts, compare_widths);
    return status;
}

/* How many designs of a tabulated slice have a time, or an energy, above the threshold. */
static enum dse_status count_slice(const struct dse_plan *plan, const struct dse_slice *slice, const struct quantity *quantity,
                                   int64_t threshold, uint64_t all, const struct dse_monitor *monitor, bool *at_least, uint64_t *out,
                                   struct dse_error *err)
{
    struct kept *kept = NULL;
    struct spread *spread = NULL;
    DSE_TRY(get_kept(slice, &kept, err));
    DSE_TRY(find_spread(plan, slice, kept, quantity, &spread, err));
    *out = spread->least > threshold ? all : 0;
    bool open = spread->least <= threshold && spread->most > threshold;
    if (open && !spread->folded)
        DSE_TRY(fold_to_three(spread->parts, &spread->count, &spread->at_least, err));
    spread->folded |= open;
    if (open)
        DSE_TRY(count_combinations(spread->parts, threshold, monitor, out, err));
    *at_least |= spread->at_least;
    return DSE_OK;
}

/* ---- what slices share ---- */

/* Resources, bytes and idle power add over groups, whose rows slices share by the hundred (search/outline.h): of each group that is
 * different the distribution is found once, equal ones are one, and so are the counts of equal groups over an equal threshold. */
struct shared {
    struct shared *next; /* of its bucket */
    struct distribution own;
};

struct known_count {
    struct known_count *next; /* of its bucket */
    uint64_t count;
    bool at_least;
    uint64_t key[]; /* group_count distributions, and the threshold */
};

#define BUCKETS ((size_t)1 << 14)
#define PLAIN_MAX (DSE_RESOURCE_COUNT + DSE_LIMIT_MAX)

struct counting {
    struct dse_question question;
    struct dse_plan plan;
    struct dse_outlines *outlines;
    void **work;
    size_t units;
    uint64_t stride;
    struct dse_kills *kills;
    enum dse_metric plain[PLAIN_MAX]; /* plain_count: the metrics whose quantity is no time */
    size_t plain_count;
    pthread_mutex_t lock; /* guards all below, and kills */
    struct shared **known[DSE_GROUP_MAX]; /* [places × plain_count]; NULL: not known yet */
    struct shared *shared[BUCKETS];
    struct known_count *counts[BUCKETS];
};

/* The one that is equal to it, which it becomes where there is none. */
static enum dse_status share(struct counting *c, struct distribution *own, struct shared **out, struct dse_error *err)
{
    size_t bucket = XXH3_64bits(own->values, own->count * sizeof *own->values) & (BUCKETS - 1);
    struct shared *fresh = dse_malloc(sizeof *fresh), *there;
    pthread_mutex_lock(&c->lock);
    for (there = c->shared[bucket]; there != NULL; there = there->next)
        if (there->own.count == own->count && memcmp(there->own.values, own->values, own->count * sizeof *own->values) == 0)
            break;
    if (there == NULL) {
        *fresh = (struct shared){c->shared[bucket], *own};
        c->shared[bucket] = there = fresh;
        fresh = NULL;
        *own = (struct distribution){0};
    }
    pthread_mutex_unlock(&c->lock);
    free(fresh);
    *out = there;
    return DSE_OK;
}

/* The distributions of all plain quantities over the rows of one group of a slice. */
static enum dse_status distribute_group(struct counting *c, size_t group, uint64_t index, struct shared **out, struct dse_error *err)
{
    struct dse_slice *slice = dse_calloc(1, sizeof *slice);
    slice->space = c->question.space;
    dse_slice_reuse(&c->question, &c->plan, index, slice);
    enum dse_status status = dse_slice_make_group(&c->question, &c->plan, group, c->work[slice->alternative], slice, err);
    for (size_t q = 0; q < c->plain_count && status == DSE_OK; q++) {
        struct quantity quantity = {.metric = c->plain[q]};
        struct view view = {.platform = &slice->platform, .quantity = &quantity};
        struct tally tally = {0};
        struct distribution own = {0};
        for (size_t row = 0; row < slice->groups[group].count && status == DSE_OK; row++)
            status = add_amount(&tally, plain_amount(&view, &slice->groups[group].sums[row]), 1, err);
        settle(&tally, &own);
        if (status == DSE_OK)
            status = share(c, &own, &out[q], err);
        free(own.values);
    }
    dse_group_free(&slice->groups[group]);
    free(slice);
    return status;
}

static enum dse_status get_shared(struct counting *c, size_t group, uint64_t index, size_t plain, struct shared **out, struct dse_error *err)
{
    struct shared *found[PLAIN_MAX], **place = &c->known[group][dse_outline_place(c->outlines, group, index) * c->plain_count];
    pthread_mutex_lock(&c->lock);
    *out = place[plain];
    pthread_mutex_unlock(&c->lock);
    if (*out != NULL)
        return DSE_OK;
    DSE_TRY(distribute_group(c, group, index, found, err));
    pthread_mutex_lock(&c->lock);
    memcpy(place, found, c->plain_count * sizeof *place);
    pthread_mutex_unlock(&c->lock);
    *out = found[plain];
    return DSE_OK;
}

static struct known_count *look_up(struct counting *c, const uint64_t *key, size_t length, size_t bucket)
{
    pthread_mutex_lock(&c->lock);
    struct known_count *known = c->counts[bucket];
    while (known != NULL && memcmp(known->key, key, length * sizeof *key) != 0)
        known = known->next;
    pthread_mutex_unlock(&c->lock);
    return known;
}

/* Counts the combinations of the groups' distributions above a threshold. */
static enum dse_status count_new(const struct counting *c, struct shared *const *groups, int64_t threshold, struct known_count *out,
                                 struct dse_error *err)
{
    struct distribution parts[DSE_GROUP_MAX + 3] = {{0}};
    size_t count = 0;
    enum dse_status status = DSE_OK;
    for (; count < c->plan.group_count && status == DSE_OK; count++) {
        const struct distribution *own = &groups[count]->own;
        parts[count] = (struct distribution){dse_malloc(own->count * sizeof *own->values), own->count};
        if (parts[count].values == NULL)
            status = dse_fail_memory(err);
        else
            memcpy(parts[count].values, own->values, own->count * sizeof *own->values);
    }
    if (status == DSE_OK)
        status = fold_to_three(parts, &count, &out->at_least, err);
    if (status == DSE_OK)
        status = count_combinations(parts, threshold, c->question.monitor, &out->count, err);
    for (size_t i = 0; i < DSE_GROUP_MAX + 3; i++)
        free(parts[i].values);
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How many designs of a slice have a plain quantity above the threshold. */
static enum dse_status count_plain(struct counting *c, uint64_t index, size_t plain, int64_t threshold, bool *at_least, uint64_t *out,
                                   struct dse_error *err)
{
    uint64_t key[DSE_GROUP_MAX + 1];
    struct shared *groups[DSE_GROUP_MAX];
    size_t length = c->plan.group_count;
    for (size_t g = 0; g < length; g++) {
        DSE_TRY(get_shared(c, g, index, plain, &groups[g], err));
        key[g] = (uint64_t)(uintptr_t)groups[g];
    }
    qsort(key, length, sizeof *key, compare_keys); /* whatever their order, they come to the same */
    key[length++] = (uint64_t)threshold;
    size_t bucket = XXH3_64bits(key, length * sizeof *key) & (BUCKETS - 1);
    struct known_count *known = look_up(c, key, length, bucket);
    if (known == NULL) {
        known = dse_calloc(1, sizeof *known + length * sizeof *key);
        enum dse_status status = known != NULL ? count_new(c, groups, threshold, known, err) : dse_fail_memory(err);
        if (status != DSE_OK) {
            free(known);
            return status;
        }
        memcpy(known->key, key, length * sizeof *key);
        pthread_mutex_lock(&c->lock); /* another thread may have the same there by now, which does no harm */
        known->next = c->counts[bucket];
        c->counts[bucket] = known;
        pthread_mutex_unlock(&c->lock);
    }
    *at_least |= known->at_least;
    *out = known->count;
    return DSE_OK;
}

/* ---- constraints ---- */

/* One slice; it is tabulated where outlines leave a time undecided. */
struct look {
    struct counting *c;
    uint64_t index;
    const struct dse_outline *outline;
    struct dse_slice *slice;
    bool made;
};

static enum dse_status tabulate(struct look *look, struct dse_error *err)
{
    const struct counting *c = look->c;
    if (!look->made)
        DSE_TRY(dse_slice_make(&c->question, &c->plan, look->index, c->work[look->outline->alternative], look->slice, err));
    look->made = true;
    dse_slice_reuse(&c->question, &c->plan, look->index, look->slice);
    return DSE_OK;
}

static enum dse_status count_above(struct look *look, const struct quantity *quantity, int64_t threshold, bool *at_least, uint64_t *out,
                                   struct dse_error *err)
{
    struct counting *c = look->c;
    const struct dse_platform *platform = &look->outline->platform;
    uint64_t all = look->outline->buildable;
    size_t plain = 0;
    bool none = amount_of_sums(platform, quantity, look->outline->least) > threshold;
    *out = none ? all : 0;
    if (none || amount_of_sums(platform, quantity, look->outline->most) <= threshold)
        return DSE_OK;
    while (plain < c->plain_count && c->plain[plain] != quantity->metric)
        plain++;
    if (plain < c->plain_count)
        return count_plain(c, look->index, plain, threshold, at_least, out, err);
    DSE_TRY(tabulate(look, err));
    return count_slice(&c->plan, look->slice, quantity, threshold, all, c->question.monitor, at_least, out, err);
}

static bool is_timed(enum dse_metric metric)
{
    return metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_LATENCY_P99 || metric == DSE_METRIC_CYCLES ||
           metric == DSE_METRIC_THROUGHPUT || metric == DSE_METRIC_ENERGY;
}

static enum dse_status count_limit(struct look *look, const struct dse_limit *limit, struct dse_kill_count *out, struct dse_error *err)
{
    const struct dse_platform *platform = &look->outline->platform;
    uint64_t all = look->outline->buildable;
    out->configurations = 0;
    out->at_least = limit->metric == DSE_METRIC_ENERGY || limit->metric == DSE_METRIC_THROUGHPUT ||
                    limit->metric == DSE_METRIC_POWER;
    if (limit->metric == DSE_METRIC_QUALITY) {
        double quality = look->c->question.alternatives[look->outline->alternative].quality;
        out->configurations = (limit->at_least ? quality >= limit->bound : quality <= limit->bound) ? 0 : all;
        return DSE_OK;
    }
    bool reverse = limit->at_least != dse_metrics[limit->metric].higher_is_better;
    if (out->at_least && reverse)
        return DSE_OK;
    struct quantity quantity = {.metric = limit->metric, .timed = is_timed(limit->metric),
                                .idle_nw = (double)platform->static_nw + (double)platform->units * (double)look->outline->least->idle_nw};
    quantity.which = limit->metric == DSE_METRIC_LATENCY_P99 ? DSE_CASE_TAIL : DSE_CASE_MEAN;
    /* Small sums hold an upper limit and break a lower one. */
    int64_t threshold = last_before(platform, &quantity, limit, !reverse);
    uint64_t above = 0;
    enum dse_status status = count_above(look, &quantity, threshold, &out->at_least, &above, err);
    out->configurations = reverse ? (out->at_least ? 0 : all - above) : above;
    out->at_least &= out->configurations < all;
    return status;
}

/* The metric that counts a resource; DSE_METRIC_COUNT: none does. */
static enum dse_metric metric_of_resource(int resource)
{
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (dse_metrics[m].resource == resource)
            return (enum dse_metric)m;
    return DSE_METRIC_COUNT;
}

static enum dse_status count_resource(struct look *look, int resource, struct dse_kill_count *out, struct dse_error *err)
{
    struct quantity quantity = {.metric = metric_of_resource(resource)};
    int64_t cap = look->outline->platform.capped[resource];
    if (quantity.metric == DSE_METRIC_COUNT)
        return DSE_OK;
    return count_above(look, &quantity, cap < 0 ? -1 : cap / look->outline->platform.units, &out->at_least, &out->configurations, err);
}

static void add_count(struct dse_kill_count *total, const struct dse_kill_count *part)
{
    total->configurations = dse_saturating_add(total->configurations, part->configurations);
    total->at_least |= part->at_least;
}

static void add_kills(struct counting *c, const struct dse_kills *part)
{
    pthread_mutex_lock(&c->lock);
    struct dse_kills *total = c->kills;
    total->space_size = dse_saturating_add(total->space_size, part->space_size);
    total->unbuildable = dse_saturating_add(total->unbuildable, part->unbuildable);
    total->clock = dse_saturating_add(total->clock, part->clock);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        add_count(&total->resources[r], &part->resources[r]);
    for (size_t i = 0; i < c->question.limit_count; i++)
        add_count(&total->limits[i], &part->limits[i]);
    pthread_mutex_unlock(&c->lock);
}

static enum dse_status count_one(struct look *look, struct dse_error *err)
{
    struct counting *c = look->c;
    const struct dse_outline *outline = look->outline;
    struct dse_kills kills = {.space_size = outline->size, .unbuildable = outline->size - outline->buildable};
    kills.clock = outline->size == 0 || outline->platform.clock_allowed ? 0 : outline->buildable;
    for (int r = 0; r < DSE_RESOURCE_COUNT && outline->buildable > 0 && kills.clock == 0; r++)
        DSE_TRY(count_resource(look, r, &kills.resources[r], err));
    for (size_t i = 0; i < c->question.limit_count && outline->buildable > 0; i++)
        DSE_TRY(count_limit(look, &c->question.limits[i], &kills.limits[i], err));
    add_kills(c, &kills);
    return DSE_OK;
}

/* Slices that differ in their compute units alone share their rows. */
static enum dse_status count_bundle(void *user, size_t bundle, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct counting *c = user;
    struct dse_outline outline;
    struct look look = {.c = c, .outline = &outline, .slice = dse_malloc(sizeof *look.slice)};
    uint64_t first = bundle / c->stride * c->stride * c->units + bundle % c->stride;
    enum dse_status status = look.slice != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t u = 0; u < c->units && status == DSE_OK; u++) {
        look.index = first + u * c->stride;
        dse_outline_get(c->outlines, look.index, &outline);
        status = count_one(&look, err);
    }
    if (look.made)
        dse_slice_free(&c->plan, look.slice);
    free(look.slice);
    return status;
}

/* ---- all of it ---- */

static void add_plain(struct counting *c, enum dse_metric metric)
{
    bool there = metric == DSE_METRIC_COUNT || metric == DSE_METRIC_QUALITY || is_timed(metric);
    for (size_t q = 0; q < c->plain_count && !there; q++)
        there = c->plain[q] == metric;
    if (!there)
        c->plain[c->plain_count++] = metric;
}

static enum dse_status open_counting(struct counting *c, struct dse_error *err)
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        add_plain(c, metric_of_resource(r));
    for (size_t i = 0; i < c->question.limit_count; i++)
        add_plain(c, c->question.limits[i].metric);
    DSE_TRY(dse_plan_make(&c->question, &c->plan, err));
    DSE_TRY(dse_work_prepare(&c->question, &c->work, err));
    DSE_TRY(dse_outlines_make(&c->question, &c->plan, c->work, &c->outlines, err));
    c->units = dse_plan_units(&c->question, &c->plan, &c->stride);
    for (size_t g = 0; g < c->plan.group_count; g++) {
        c->known[g] = dse_calloc(dse_outline_places(c->outlines, g) * c->plain_count + 1, sizeof *c->known[g]);
    }
    return DSE_OK;
}

static void close_counting(struct counting *c)
{
    for (size_t b = 0; b < BUCKETS; b++) {
        while (c->shared[b] != NULL) {
            struct shared *shared = c->shared[b];
            c->shared[b] = shared->next;
            free(shared->own.values);
            free(shared);
        }
        while (c->counts[b] != NULL) {
            struct known_count *known = c->counts[b];
            c->counts[b] = known->next;
            free(known);
        }
    }
    for (size_t g = 0; g < DSE_GROUP_MAX; g++)
        free(c->known[g]);
    dse_outlines_free(c->outlines);
    dse_work_release(&c->question, c->work);
    pthread_mutex_destroy(&c->lock);
}

enum dse_status dse_kills_count(const struct dse_question *question, struct dse_kills *out, struct dse_error *err)
{
    struct counting *c = dse_calloc(1, sizeof *c);
    *out = (struct dse_kills){0};
    c->question = *question;
    c->kills = out;
    pthread_mutex_init(&c->lock, NULL);
    enum dse_status status = question->tables == NULL ? dse_tables_create(&c->question.tables, err) : DSE_OK;
    if (status == DSE_OK)
        status = open_counting(c, err);
    if (status == DSE_OK)
        status = dse_parallel_for((size_t)(c->plan.slices_per_alternative * question->alternative_count / c->units), question->jobs, count_bundle, c,
                                  question->monitor, err);
    close_counting(c);
    if (question->tables == NULL)
        dse_tables_free(c->question.tables);
    free(c);
    return status;
}
