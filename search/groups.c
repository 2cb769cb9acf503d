#include "search/groups.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/saturate.h"
#include "search/question.h"
#include "search/tables.h"
#include "search/whatif.h"

/* ---- division ---- */

/* Knobs in `left` that a block reads, with the knobs that decide whether those matter. */
static dse_knob_set reads_of(const struct dse_question *question, size_t block, dse_knob_set left)
{
    dse_knob_set reads = dse_bits_and(question->family->blocks[block].reads, left);
    const dse_knob_set named = reads;
    for DSE_BITS_EACH(k, named)
        for (int c = question->space->knobs[k].condition; c >= 0 && dse_bits_has(left, (size_t)c) && !dse_bits_has(reads, (size_t)c); c = question->space->knobs[c].condition)
            dse_bits_add(&reads, (size_t)c);
    return reads;
}

/* Whether a knob can matter for an alternative; one that depends on a free knob can. */
static bool may_matter(const struct dse_question *question, size_t alternative, size_t knob)
{
    int condition = question->space->knobs[knob].condition;
    if (condition < 0)
        return true;
    if (!may_matter(question, alternative, (size_t)condition))
        return false;
    bool algorithmic = dse_bits_has(dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC), (size_t)condition);
    if (dse_bits_has(question->free, (size_t)condition) || (algorithmic && alternative >= question->alternative_count))
        return true;
    int64_t value = algorithmic ? question->alternatives[alternative].config.value[condition] : question->base.value[condition];
    return (question->space->knobs[knob].condition_choices >> value & 1) != 0;
}

/* Number of distinct combinations of the knobs, in the alternative with the most. */
static uint64_t rows_of(const struct dse_question *question, dse_knob_set knobs)
{
    uint64_t most = 1;
    for (size_t a = 0; a == 0 || a < question->alternative_count; a++) {
        uint64_t rows = 1;
        for (size_t k = 0; k < question->space->count; k++)
            if (dse_bits_has(knobs, k) && rows < UINT64_MAX / DSE_KNOB_MAX / 4096 && may_matter(question, a, k))
                rows *= question->space->knobs[k].domain_count;
        most = rows > most ? rows : most;
    }
    return most;
}

static size_t root_of(uint16_t *parent, size_t knob)
{
    while (parent[knob] != knob)
        knob = parent[knob] = parent[parent[knob]];
    return knob;
}

/* Unites knobs that a block reads together; returns the number of groups and their knob sets, in the order of each group's last block. */
static size_t unite(const struct dse_question *question, dse_knob_set left, dse_knob_set sets[DSE_GROUP_MAX])
{
    uint16_t parent[DSE_KNOB_MAX], last[DSE_KNOB_MAX], place[DSE_KNOB_MAX], of_block[DSE_BLOCK_MAX]; /* last: per root, its last block */
    const size_t blocks = question->family->block_count;
    dse_knob_set all = {{0}};
    size_t count = 0;
    for (size_t k = 0; k < DSE_KNOB_MAX; k++)
        parent[k] = (uint16_t)k;
    for (size_t b = 0; b < blocks; b++) {
        const dse_knob_set reads = reads_of(question, b, left);
        const size_t first = dse_bits_next(reads, 0);
        of_block[b] = DSE_KNOB_MAX;
        for DSE_BITS_EACH(k, reads)
            parent[root_of(parent, k)] = (uint16_t)root_of(parent, first);
        if (first < DSE_KNOB_MAX)
            last[root_of(parent, first)] = (uint16_t)b;
        all = dse_bits_or(all, reads);
    }
    for DSE_BITS_EACH(k, all)
        of_block[last[root_of(parent, k)]] = (uint16_t)root_of(parent, k);
    for (size_t b = 0; b < blocks; b++)
        if (of_block[b] < DSE_KNOB_MAX) {
            sets[count] = (dse_knob_set){{0}};
            place[of_block[b]] = (uint16_t)count++;
        }
    for DSE_BITS_EACH(k, all)
        dse_bits_add(&sets[place[root_of(parent, k)]], k);
    return count;
}

static uint64_t widest_of(const struct dse_question *question, dse_knob_set left, dse_knob_set within)
{
    dse_knob_set sets[DSE_GROUP_MAX];
    size_t count = unite(question, left, sets);
    uint64_t widest = 1;
    for (size_t g = 0; g < count; g++)
        if (dse_bits_meet(sets[g], within)) {
            uint64_t rows = rows_of(question, sets[g]);
            widest = rows > widest ? rows : widest;
        }
    return widest;
}

/* The knob of the set, read by several blocks, whose fixing gives the narrowest groups; on ties the one with
 * fewer values. */
static size_t best_to_fix(const struct dse_question *question, dse_knob_set left, dse_knob_set set)
{
    size_t best = DSE_KNOB_MAX;
    uint64_t best_rows = UINT64_MAX;
    dse_knob_set once = {{0}}, twice = {{0}};
    for (size_t b = 0; b < question->family->block_count; b++) {
        const dse_knob_set reads = reads_of(question, b, set);
        twice = dse_bits_or(twice, dse_bits_and(once, reads));
        once = dse_bits_or(once, reads);
    }
    for DSE_BITS_EACH(k, twice) {
        uint64_t rows = widest_of(question, dse_bits_without(left, dse_bits_one(k)), set);
        if (rows < best_rows || (rows == best_rows && question->space->knobs[k].domain_count < question->space->knobs[best].domain_count)) {
            best = k;
            best_rows = rows;
        }
    }
    return best;
}

static void fix(struct dse_plan *plan, const struct dse_question *question, size_t knob, dse_knob_set *left)
{
    plan->fixed[plan->fixed_count++] = knob;
    plan->slices_per_alternative = dse_saturating_multiply(plan->slices_per_alternative, question->space->knobs[knob].domain_count);
    dse_bits_drop(left, knob);
}

#define NAMES 256 /* bytes of knob names in a message */

static const char *names_of(const struct dse_question *question, dse_knob_set set, char names[NAMES])
{
    size_t used = 0;
    names[0] = '\0';
    for (size_t k = 0; k < question->space->count; k++) {
        if (!dse_bits_has(set, k))
            continue;
        if (used + strlen(question->space->knobs[k].name) + sizeof ", …" > NAMES - 2) {
            snprintf(names + used, NAMES - used, ", …");
            break;
        }
        used += (size_t)snprintf(names + used, NAMES - used, "%s%s", used > 0 ? ", " : "", question->space->knobs[k].name);
    }
    return names;
}

static enum dse_status too_wide(const struct dse_question *question, dse_knob_set set, struct dse_error *err)
{
    char names[NAMES];
    return dse_fail(err, DSE_LIMIT,
                    "the blocks that read the knobs %s need one table of %llu combinations, but the exact merge allows %zu; "
                    "fix one of them or use --method heuristic",
                    names_of(question, set, names), (unsigned long long)rows_of(question, set), DSE_GROUP_ROWS_MAX);
}

static enum dse_status too_many(const struct dse_question *question, const struct dse_plan *plan, struct dse_error *err)
{
    char names[NAMES];
    dse_knob_set set = {{0}};
    for (size_t i = 0; i < plan->fixed_count; i++)
        dse_bits_add(&set, plan->fixed[i]);
    return dse_fail(err, DSE_LIMIT,
                    "several blocks read each of the knobs %s; their combinations exceed the limit of %llu parts of the space; narrow "
                    "them with --where, or use `optimize` or `sweep` with --method exact or heuristic",
                    names_of(question, set, names), (unsigned long long)DSE_SLICES_MAX);
}

static void fill_groups(const struct dse_question *question, dse_knob_set left, const dse_knob_set *sets,
                        size_t count, struct dse_plan *plan)
{
    plan->group_count = count > 0 ? count : 1;
    for (size_t g = 0; g < count; g++)
        for (size_t k = 0; k < question->space->count; k++)
            if (dse_bits_has(sets[g], k))
                plan->groups[g].knobs[plan->groups[g].knob_count++] = (uint16_t)k;
    for (size_t b = 0; b < question->family->block_count; b++) {
        dse_knob_set reads = reads_of(question, b, left);
        size_t home = 0;
        while (home + 1 < count && !dse_bits_within(reads, sets[home]))
            home++;
        plan->groups[home].blocks[plan->groups[home].block_count++] = (uint16_t)b;
    }
}

/* Fixes the knobs common to all slices; returns the remaining knobs. */
static dse_knob_set begin_plan(const struct dse_question *question, struct dse_plan *plan)
{
    *plan = (struct dse_plan){.slices_per_alternative = 1};
    dse_knob_set left = question->free;
    const size_t always[] = {question->family->clock_knob, question->family->units_knob};
    for (size_t i = 0; i < 2; i++)
        if (dse_bits_has(left, always[i]))
            fix(plan, question, always[i], &left);
    for (size_t k = 0; k < question->space->count; k++)
        if (dse_bits_has(left, k) && dse_bits_has(question->family->decides_items, k))
            fix(plan, question, k, &left);
    return left;
}

static bool too_many_slices(const struct dse_question *question, const struct dse_plan *plan)
{
    return dse_saturating_multiply(plan->slices_per_alternative, question->alternative_count) > DSE_SLICES_MAX;
}

/* ---- groups that share knobs ---- */

/* Lists the knob sets that blocks read, without subsets of others. */
static size_t list_reads(const struct dse_question *question, dse_knob_set left, dse_knob_set sets[DSE_BLOCK_MAX])
{
    size_t count = 0;
    for (size_t b = 0; b < question->family->block_count; b++) {
        dse_knob_set reads = reads_of(question, b, left);
        bool held = !dse_bits_any(reads);
        for (size_t g = 0; g < count && !held; g++)
            held = dse_bits_within(reads, sets[g]);
        if (held)
            continue;
        size_t kept = 0;
        for (size_t g = 0; g < count; g++)
            if (!dse_bits_within(sets[g], reads))
                sets[kept++] = sets[g];
        sets[kept] = reads;
        count = kept + 1;
    }
    return count;
}

/* Unites the two sets with a common knob and the fewest joint rows; if none have a common knob, any two. */
static void unite_cheapest(const struct dse_question *question, dse_knob_set *sets, size_t *count)
{
    size_t a = 0, b = 1;
    uint64_t least = UINT64_MAX;
    for (int apart = 0; apart < 2 && least == UINT64_MAX; apart++)
        for (size_t i = 0; i < *count; i++)
            for (size_t j = i + 1; j < *count; j++) {
                uint64_t rows = dse_bits_meet(sets[i], sets[j]) || apart ? rows_of(question, dse_bits_or(sets[i], sets[j])) : UINT64_MAX;
                if (rows < least) {
                    least = rows;
                    a = i;
                    b = j;
                }
            }
    sets[a] = dse_bits_or(sets[a], sets[b]);
    memmove(&sets[b], &sets[b + 1], (*count - b - 1) * sizeof *sets);
    --*count;
}

/* Makes groups of the knobs that blocks read together. */
static enum dse_status join_groups(const struct dse_question *question, struct dse_plan *plan, struct dse_error *err)
{
    dse_knob_set sets[DSE_BLOCK_MAX], left = begin_plan(question, plan), seen = {{0}};
    size_t count = list_reads(question, left, sets);
    if (too_many_slices(question, plan))
        return too_many(question, plan, err);
    while (count > DSE_GROUP_MAX)
        unite_cheapest(question, sets, &count);
    for (size_t g = 0; g < count; g++) {
        if (rows_of(question, sets[g]) > DSE_GROUP_ROWS_MAX)
            return too_wide(question, sets[g], err);
        plan->joined = dse_bits_or(plan->joined, dse_bits_and(seen, sets[g]));
        seen = dse_bits_or(seen, sets[g]);
    }
    fill_groups(question, left, sets, count, plan);
    return DSE_OK;
}

/* Whether the joint knobs give few rows each, as in a chain: merging such groups is faster than visiting thousands of slices. */
static bool joins_fast(const struct dse_question *question)
{
    struct dse_plan *plan DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *plan);
    dse_knob_set sets[DSE_BLOCK_MAX], left = begin_plan(question, plan);
    size_t count = list_reads(question, left, sets);
    bool fast = true;
    for (size_t g = 0; g < count && fast; g++)
        fast = rows_of(question, sets[g]) <= DSE_GROUP_ROWS_WANTED;
    return fast;
}

enum dse_status dse_plan_make(const struct dse_question *question, bool joins, struct dse_plan *plan, struct dse_error *err)
{
    dse_knob_set sets[DSE_GROUP_MAX], left = begin_plan(question, plan);
    for (;;) {
        size_t count = unite(question, left, sets), widest = 0;
        for (size_t g = 1; g < count; g++)
            if (rows_of(question, sets[g]) > rows_of(question, sets[widest]))
                widest = g;
        uint64_t rows = count > 0 ? rows_of(question, sets[widest]) : 1;
        size_t knob = rows > DSE_GROUP_ROWS_WANTED ? best_to_fix(question, left, sets[widest]) : DSE_KNOB_MAX;
        if (knob < DSE_KNOB_MAX && dse_bits_count(sets[widest]) > 1) {
            fix(plan, question, knob, &left);
            continue;
        }
        uint64_t slices = plan->slices_per_alternative;
        if (joins && slices > DSE_SLICES_FEW && (slices > DSE_SLICES_WANTED || too_many_slices(question, plan) || joins_fast(question)))
            return join_groups(question, plan, err);
        if (too_many_slices(question, plan))
            return too_many(question, plan, err);
        if (rows > DSE_GROUP_ROWS_MAX)
            return too_wide(question, sets[widest], err);
        fill_groups(question, left, sets, count, plan);
        return DSE_OK;
    }
}

/* ---- tables ---- */

static void first_combination(const struct dse_space *space, const uint16_t *knobs, size_t count, size_t *digits,
                              struct dse_config *config)
{
    for (size_t i = 0; i < count; i++) {
        digits[i] = 0;
        config->value[knobs[i]] = space->knobs[knobs[i]].domain[0];
    }
}

/* Table of one block over the group's knobs that it reads. */
typedef const struct dse_block_table *block_table;

/* Row index for these digits of the group's knobs. */
static size_t row_of(block_table table, const struct dse_plan_group *group, const size_t *digits)
{
    size_t row = 0, t = 0;
    for (size_t i = 0; i < group->knob_count && t < table->knob_count; i++)
        if (group->knobs[i] == table->knobs[t])
            row += digits[i] * table->strides[t++];
    return row;
}

/* Whether a combination is canonical, so that equal designs count once. An inactive knob is at its default, or at the first value of its domain if
 * that lacks the default. */
static bool is_canonical(const struct dse_space *space, const struct dse_plan_group *group,
                         const struct dse_config *config, const size_t *digits)
{
    for (size_t i = 0; i < group->knob_count; i++)
        if (digits[i] != 0 && !dse_knob_active(space, config, group->knobs[i]))
            return false;
    return true;
}

/* The group's knobs that can matter in the slice (indices in the group); the others stay at their first value. `nested`: some
 * depend on others of the group, so not every combination is canonical. */
static size_t live_knobs(const struct dse_question *question, const struct dse_plan_group *group, const struct dse_config *config, size_t *live,
                         bool *nested)
{
    size_t count = 0;
    dse_knob_set own = {{0}};
    for (size_t i = 0; i < group->knob_count; i++)
        dse_bits_add(&own, group->knobs[i]);
    for (size_t i = 0; i < group->knob_count; i++) {
        int condition = question->space->knobs[group->knobs[i]].condition;
        bool hangs = condition >= 0 && dse_bits_has(own, (size_t)condition);
        *nested |= hangs;
        if (hangs || dse_knob_active(question->space, config, group->knobs[i]))
            live[count++] = i;
    }
    return count;
}

/* Next combination of the live knobs, the last varying fastest. Returns the number of leading knobs that kept their values, plus 1; 0 after the last combination. */
static size_t next_live(const struct dse_space *space, const struct dse_plan_group *group, const size_t *live, size_t count, size_t *digits,
                      struct dse_config *config)
{
    for (size_t i = count; i > 0; i--) {
        size_t at = live[i - 1];
        const struct dse_knob *knob = &space->knobs[group->knobs[at]];
        digits[at] = digits[at] + 1 < knob->domain_count ? digits[at] + 1 : 0;
        config->value[group->knobs[at]] = knob->domain[digits[at]];
        if (digits[at] != 0)
            return i;
    }
    return 0;
}

static uint64_t combination_of(const struct dse_space *space, const struct dse_plan_group *group, const size_t *digits)
{
    uint64_t combination = 0;
    for (size_t i = 0; i < group->knob_count; i++)
        combination = combination * space->knobs[group->knobs[i]].domain_count + digits[i];
    return combination;
}

/* Lists canonical combinations that no block rejects for any data set; returns the number of canonical ones. `tables` are those of
 * the group's blocks, per data set. */
static void list_rows(const struct dse_question *question, const struct dse_plan_group *group, const block_table *tables,
                      const struct dse_slice *slice, struct dse_group *out, uint64_t *distinct)
{
    struct dse_config config = slice->config;
    bool nested = false;
    size_t digits[DSE_KNOB_MAX], live[DSE_KNOB_MAX], count = live_knobs(question, group, &slice->config, live, &nested);
    uint64_t rows = 1;
    for (size_t i = 0; i < count; i++)
        rows *= question->space->knobs[group->knobs[live[i]]].domain_count;
    out->combinations = dse_malloc(rows * sizeof *out->combinations);
    first_combination(question->space, group->knobs, group->knob_count, digits, &config);
    *distinct = 0;
    do {
        if (nested && !is_canonical(question->space, group, &config, digits))
            continue;
        bool buildable = true;
        ++*distinct;
        for (size_t b = 0; b < group->block_count * dse_question_sets(question) && buildable; b++)
            buildable = tables[b]->places[row_of(tables[b], group, digits)] != 0;
        if (buildable)
            out->combinations[out->count++] = combination_of(question->space, group, digits);
    } while (next_live(question->space, group, live, count, digits, &config));
}

static void find_digits(const struct dse_space *space, const struct dse_plan_group *group, uint64_t combination,
                        size_t *digits)
{
    for (size_t i = group->knob_count; i > 0; i--) {
        size_t count = space->knobs[group->knobs[i - 1]].domain_count;
        digits[i - 1] = combination % count;
        combination /= count;
    }
}

/* Component of a row; the row may be rejected or the component absent. */
static int64_t component_of(block_table table, size_t row, size_t component)
{
    for (size_t i = 0; i < table->component_count; i++)
        if (table->components[i] == component)
            return dse_block_table_row(table, row)[i];
    return 0;
}

/* With several data sets each block has the size and the standby power that the most demanding one needs. */
static void share_hardware(const struct dse_plan_group *group, const block_table *tables, size_t sets, const size_t *digits,
                           struct dse_accumulators *sums)
{
    const size_t first = offsetof(struct dse_accumulators, resources) / sizeof(int64_t), idle = offsetof(struct dse_accumulators, idle_nw) / sizeof(int64_t);
    for (size_t r = 0; r <= DSE_RESOURCE_COUNT; r++) {
        size_t component = r < DSE_RESOURCE_COUNT ? first + r : idle;
        int64_t total = 0;
        for (size_t b = 0; b < group->block_count; b++) {
            int64_t largest = 0;
            for (size_t set = 0; set < sets; set++) {
                block_table table = tables[set * group->block_count + b];
                int64_t own = component_of(table, row_of(table, group, digits), component);
                largest = own > largest ? own : largest;
            }
            total += largest;
        }
        for (size_t set = 0; set < sets; set++)
            ((int64_t *)&sums[set])[component] = total;
    }
}

static enum dse_status fill_group(const struct dse_question *question, const struct dse_plan_group *group,
                                  const block_table *tables, struct dse_slice *slice, struct dse_group *out,
                                  struct dse_error *err)
{
    uint64_t distinct = 0;
    size_t sets = dse_question_sets(question);
    list_rows(question, group, tables, slice, out, &distinct);
    slice->size = dse_saturating_multiply(slice->size, distinct);
    out->sums = dse_calloc(out->count * sets + 1, sizeof *out->sums);
    for (size_t row = 0; row < out->count; row++) {
        size_t digits[DSE_KNOB_MAX];
        if ((row & 0xfff) == 0 && dse_monitor_cancelled(question->monitor))
            return dse_fail_cancelled(err);
        find_digits(question->space, group, out->combinations[row], digits);
        for (size_t t = 0; t < group->block_count * sets; t++)
            dse_block_table_combine(tables[t], row_of(tables[t], group, digits), &out->sums[row * sets + t / group->block_count]);
        if (sets > 1)
            share_hardware(group, tables, sets, digits, &out->sums[row * sets]);
    }
    return DSE_OK;
}

/* Gets the tables of a group's blocks; sums the rejections, and keeps the first reason, preferring a block that rejects all. */
static enum dse_status get_tables(const struct dse_question *question, const struct dse_plan_group *group, const struct dse_config *config,
                                  size_t alternative, const void *work, block_table *tables, uint64_t *unbuildable, char rejection[256],
                                  struct dse_error *err)
{
    for (size_t b = 0; b < group->block_count; b++) {
        DSE_TRY(dse_tables_get(question->tables, question, group->blocks[b], group->knobs, group->knob_count, config, alternative, work,
                               &tables[b], err));
        if (tables[b]->rejected > 0 && (*unbuildable == 0 || tables[b]->rejected == tables[b]->rows))
            memcpy(rejection, tables[b]->rejection, sizeof tables[b]->rejection);
        *unbuildable += tables[b]->rejected;
    }
    return DSE_OK;
}

/* As get_tables, for one of several data sets, with its own algorithmic knobs. */
static enum dse_status get_tables_of_set(const struct dse_question *question, const struct dse_plan_group *group, size_t set,
                                         const struct dse_slice *slice, block_table *tables, uint64_t *unbuildable, char rejection[256],
                                         struct dse_error *err)
{
    struct dse_question own = *question;
    struct dse_config config = slice->config;
    own.alternatives = question->sets->alternatives[set];
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for DSE_BITS_EACH(knob, algorithmic)
        config.value[knob] = own.alternatives[slice->alternative].config.value[knob];
    return get_tables(&own, group, &config, slice->alternative, question->sets->work[set][slice->alternative], tables, unbuildable,
                      rejection, err);
}

static enum dse_status make_group(const struct dse_question *question, const struct dse_plan *plan, size_t which, const void *work,
                                  struct dse_slice *slice, struct dse_error *err)
{
    const struct dse_plan_group *group = &plan->groups[which];
    block_table tables[DSE_BLOCK_MAX * DSE_SETS_MAX];
    if (question->sets == NULL)
        DSE_TRY(get_tables(question, group, &slice->config, slice->alternative, work, tables, &slice->unbuildable, slice->rejection, err));
    for (size_t set = 0; question->sets != NULL && set < question->sets->count; set++)
        DSE_TRY(get_tables_of_set(question, group, set, slice, &tables[set * group->block_count], &slice->unbuildable, slice->rejection, err));
    return fill_group(question, group, tables, slice, &slice->groups[which], err);
}

/* ---- bounds of groups ---- */

#define COMPONENTS (sizeof(struct dse_accumulators) / sizeof(int64_t))

/* Components present in a group's blocks, and each table's positions among them. */
struct packing {
    uint16_t components[COMPONENTS]; /* count, ascending */
    uint16_t places[DSE_BLOCK_MAX][COMPONENTS];
    size_t count, maxima; /* the first `maxima` take the maximum, the others are added */
};

static void pack(const struct dse_plan_group *group, const block_table *tables, struct packing *out)
{
    uint16_t place[COMPONENTS];
    bool there[COMPONENTS] = {false};
    out->count = out->maxima = 0;
    for (size_t b = 0; b < group->block_count; b++)
        for (size_t i = 0; i < tables[b]->component_count; i++)
            there[tables[b]->components[i]] = true;
    for (size_t c = 0; c < COMPONENTS; c++) {
        place[c] = (uint16_t)out->count;
        if (!there[c])
            continue;
        out->maxima += c < DSE_CASE_COUNT * DSE_STAGE_MAX; /* busy cycles come first (search/tables.c) */
        out->components[out->count++] = (uint16_t)c;
    }
    for (size_t b = 0; b < group->block_count; b++)
        for (size_t i = 0; i < tables[b]->component_count; i++)
            out->places[b][i] = place[tables[b]->components[i]];
}

/* Sums of the blocks, level by level: the blocks of a level read the live knob before it, and none after it. */
struct levels {
    const struct dse_plan_group *group;
    const block_table *tables;
    struct packing packing;
    size_t count;                /* number of live knobs; levels 0 to count */
    uint16_t of[DSE_BLOCK_MAX];  /* index of a block */
    bool there[DSE_KNOB_MAX + 1]; /* false: a block of this level or before rejects the row */
    int64_t *sums;               /* [(count + 1) × packing.count] */
};

static bool reads(block_table table, uint16_t knob)
{
    size_t k = 0;
    while (k < table->knob_count && table->knobs[k] != knob)
        k++;
    return k < table->knob_count;
}

/* Puts the live knobs that most blocks read first, since later knobs vary faster; and puts the blocks on their levels. */
static void place_blocks(struct levels *levels, size_t *live)
{
    size_t readers[DSE_KNOB_MAX] = {0}, blocks = levels->group->block_count;
    for (size_t i = 0; i < levels->count; i++) {
        size_t at = i, knob = live[i], of = 0;
        for (size_t b = 0; b < blocks; b++)
            of += reads(levels->tables[b], levels->group->knobs[knob]);
        for (; at > 0 && readers[at - 1] < of; at--) {
            readers[at] = readers[at - 1];
            live[at] = live[at - 1];
        }
        readers[at] = of;
        live[at] = knob;
    }
    for (size_t i = 0; i < levels->count; i++)
        for (size_t b = 0; b < blocks; b++)
            levels->of[b] = reads(levels->tables[b], levels->group->knobs[live[i]]) ? (uint16_t)(i + 1) : levels->of[b];
}

static void sum_level(struct levels *levels, size_t level, const size_t *digits)
{
    const struct packing *packing = &levels->packing;
    int64_t *sums = levels->sums + level * packing->count;
    levels->there[level] = level == 0 || levels->there[level - 1];
    if (level > 0)
        memcpy(sums, sums - packing->count, packing->count * sizeof *sums);
    for (size_t b = 0; b < levels->group->block_count && levels->there[level]; b++) {
        block_table table = levels->tables[b];
        if (levels->of[b] != level)
            continue;
        const int64_t *values = dse_block_table_row(table, row_of(table, levels->group, digits));
        levels->there[level] = values != NULL;
        for (size_t i = 0; values != NULL && i < table->component_count; i++) {
            int64_t *sum = &sums[packing->places[b][i]];
            *sum = packing->places[b][i] >= packing->maxima ? *sum + values[i] : values[i] > *sum ? values[i] : *sum;
        }
    }
}

struct bounding {
    const struct dse_question *question;
    const struct dse_plan_group *group;
    const struct dse_config *config;
    size_t alternative;
    const void *work;
};

static void bound_rows(const struct bounding *of, const block_table *tables, struct dse_group_bounds *out)
{
    const struct dse_space *space = of->question->space;
    struct dse_config config = *of->config;
    bool nested = false;
    size_t digits[DSE_KNOB_MAX], live[DSE_KNOB_MAX], stale = 0, changed = 0;
    struct levels levels = {.group = of->group, .tables = tables, .count = live_knobs(of->question, of->group, &config, live, &nested)};
    const struct packing *packing = &levels.packing;
    int64_t least[COMPONENTS], most[COMPONENTS] = {0};
    pack(of->group, tables, &levels.packing);
    place_blocks(&levels, live);
    levels.sums = dse_calloc((levels.count + 1) * packing->count + 1, sizeof *levels.sums);
    const int64_t *sums = levels.sums + levels.count * packing->count;
    for (size_t i = 0; i < packing->count; i++)
        least[i] = INT64_MAX;
    first_combination(space, of->group->knobs, of->group->knob_count, digits, &config);
    do {
        if (!nested || is_canonical(space, of->group, &config, digits)) {
            for (; stale <= levels.count; stale++)
                sum_level(&levels, stale, digits);
            out->distinct++;
            out->count += levels.there[levels.count];
            for (size_t i = 0; i < packing->count && levels.there[levels.count]; i++) {
                least[i] = sums[i] < least[i] ? sums[i] : least[i];
                most[i] = sums[i] > most[i] ? sums[i] : most[i];
            }
        }
        changed = next_live(space, of->group, live, levels.count, digits, &config);
        stale = changed < stale ? changed : stale;
    } while (changed > 0);
    free(levels.sums);
    for (size_t i = 0; i < packing->count && out->count > 0; i++) {
        ((int64_t *)&out->extent.least)[packing->components[i]] = least[i];
        ((int64_t *)&out->extent.most)[packing->components[i]] = most[i];
    }
}

static enum dse_status make_bounds(void *user, struct dse_group_bounds *out, struct dse_error *err)
{
    const struct bounding *of = user;
    block_table tables[DSE_BLOCK_MAX];
    DSE_TRY(get_tables(of->question, of->group, of->config, of->alternative, of->work, tables, &out->unbuildable, out->rejection, err));
    bound_rows(of, tables, out);
    return DSE_OK;
}

enum dse_status dse_group_bounds_get(const struct dse_question *question, const struct dse_plan_group *group,
                                      const struct dse_config *config, size_t alternative, const void *work,
                                     const struct dse_group_bounds **out, struct dse_error *err)
{
    struct bounding of = {question, group, config, alternative, work};
    struct dse_rows_of rows = {true, group->blocks, group->block_count, group->knobs, group->knob_count, config, alternative};
    return dse_tables_bounds(question->tables, question, &rows, make_bounds, &of, out, err);
}

/* ---- slices ---- */

size_t dse_slice_fixed(const struct dse_question *question, const struct dse_plan *plan, uint64_t index,
                       struct dse_config *config)
{
    size_t alternative = (size_t)(index / plan->slices_per_alternative);
    *config = question->base;
    dse_question_take(question, alternative, config);
    uint64_t rest = index % plan->slices_per_alternative;
    for (size_t i = plan->fixed_count; i > 0; i--) {
        const struct dse_knob *knob = &question->space->knobs[plan->fixed[i - 1]];
        config->value[plan->fixed[i - 1]] = knob->domain[rest % knob->domain_count];
        rest /= knob->domain_count;
    }
    return alternative;
}

bool dse_slice_canonical(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config)
{
    for (size_t i = 0; i < plan->fixed_count; i++) {
        const struct dse_knob *knob = &question->space->knobs[plan->fixed[i]];
        if (config->value[plan->fixed[i]] != knob->domain[0] && !dse_knob_active(question->space, config, plan->fixed[i]))
            return false;
    }
    return true;
}

/* Larger than any design's use, with room for additions. */
#define NO_CAP (INT64_MAX / 8)

static int64_t scaled_cap(int64_t cap, double scale)
{
    if (scale == 0.0 || scale == 1.0)
        return cap;
    double scaled = floor((double)cap * scale);
    return scaled < (double)NO_CAP ? (int64_t)scaled : NO_CAP;
}

void dse_question_platform(const struct dse_question *question, const struct dse_config *config,
                           struct dse_platform *out)
{
    dse_platform_make(question->family, question->board, question->headroom, config, DSE_BAND_NOMINAL, out);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out->capped[r] = scaled_cap(out->capped[r], question->cap_scale[r]);
}

void dse_slice_reuse(const struct dse_question *question, const struct dse_plan *plan, uint64_t index,
                     struct dse_slice *slice)
{
    slice->alternative = dse_slice_fixed(question, plan, index, &slice->config);
    dse_question_platform(question, &slice->config, &slice->platform);
}

bool dse_question_reads(const struct dse_question *question, size_t knob)
{
    bool reads = false;
    for (size_t b = 0; b < question->family->block_count; b++)
        reads |= dse_bits_has(question->family->blocks[b].reads, knob);
    return reads;
}

size_t dse_plan_units(const struct dse_question *question, const struct dse_plan *plan, uint64_t *stride)
{
    size_t units = question->family->units_knob, count = 1;
    *stride = 1;
    for (size_t i = plan->fixed_count; i > 0; i--) {
        size_t domain = question->space->knobs[plan->fixed[i - 1]].domain_count;
        if (plan->fixed[i - 1] != units)
            *stride *= domain;
        else if (!dse_question_reads(question, units) && question->space->knobs[units].condition < 0) {
            count = domain;
            break;
        } else
            break;
    }
    return count;
}

enum dse_status dse_work_prepare(const struct dse_question *question, void ***out, struct dse_error *err)
{
    void **work = *out = dse_calloc(question->alternative_count + 1, sizeof *work);
    for (size_t a = 0; a < question->alternative_count; a++)
        DSE_TRY(question->family->prepare(question->family, question->alternatives[a].workload, &work[a], err));
    return DSE_OK;
}

void dse_work_release(const struct dse_question *question, void **work)
{
    for (size_t a = 0; work != NULL && a < question->alternative_count; a++)
        if (work[a] != NULL)
            question->family->release(work[a]);
    free(work);
}

enum dse_status dse_slice_open(const struct dse_question *question, const struct dse_plan *plan, uint64_t index, void *const *work,
                               struct dse_slice **out, struct dse_error *err)
{
    struct dse_slice *slice = *out = dse_calloc(1, sizeof *slice);
    slice->space = question->space;
    dse_slice_reuse(question, plan, index, slice);
    if (!dse_slice_canonical(question, plan, &slice->config))
        return DSE_OK; /* size 0 */
    slice->size = 1;
    struct dse_question shared = dse_question_sharing(question);
    enum dse_status status = DSE_OK;
    for (size_t g = 0; g < plan->group_count && status == DSE_OK; g++)
        status = make_group(&shared, plan, g, work[index / plan->slices_per_alternative], slice, err);
    if (dse_bits_any(plan->joined))
        slice->size = dse_plan_designs(question, plan, &slice->config);
    dse_question_end_sharing(question, &shared);
    return status;
}

uint64_t dse_plan_designs(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config)
{
    struct dse_space *space DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *space); /* a copy that owns nothing */
    dse_knob_set single = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    *space = *question->space;
    for (size_t i = 0; i < plan->fixed_count; i++)
        dse_bits_add(&single, plan->fixed[i]);
    for (size_t k = 0; k < space->count; k++)
        if (dse_bits_has(single, k)) {
            space->knobs[k].domain = &config->value[k];
            space->knobs[k].domain_count = 1;
        }
    return dse_space_size(space, dse_bits_or(question->free, single));
}

void dse_slice_drop(struct dse_slice **slice)
{
    for (size_t g = 0; *slice != NULL && g < DSE_GROUP_MAX; g++) {
        free((*slice)->groups[g].sums);
        free((*slice)->groups[g].combinations);
    }
    free(*slice);
}

void dse_slice_row_config(const struct dse_plan *plan, const struct dse_slice *slice, size_t group, size_t row,
                          struct dse_config *config)
{
    const struct dse_plan_group *knobs = &plan->groups[group];
    size_t digits[DSE_KNOB_MAX];
    find_digits(slice->space, knobs, slice->groups[group].combinations[row], digits);
    for (size_t i = 0; i < knobs->knob_count; i++)
        config->value[knobs->knobs[i]] = slice->space->knobs[knobs->knobs[i]].domain[digits[i]];
}

size_t dse_slice_changes(const struct dse_question *question, const struct dse_plan *plan, const struct dse_config *config)
{
    dse_knob_set own = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t i = 0; i < plan->fixed_count; i++)
        dse_bits_add(&own, plan->fixed[i]);
    return dse_bits_count(dse_bits_and(own, dse_whatif_changes(question->space, question->from, config)));
}

size_t dse_row_changes(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, size_t group, size_t row)
{
    struct dse_config config = slice->config;
    dse_knob_set own = {{0}};
    dse_slice_row_config(plan, slice, group, row, &config);
    for (size_t i = 0; i < plan->groups[group].knob_count; i++)
        dse_bits_add(&own, plan->groups[group].knobs[i]);
    for (size_t g = 0; g < group && dse_bits_any(plan->joined); g++)
        for (size_t i = 0; i < plan->groups[g].knob_count; i++)
            dse_bits_drop(&own, plan->groups[g].knobs[i]);
    return dse_bits_count(dse_bits_and(own, dse_whatif_changes(question->space, question->from, &config)));
}

void dse_slice_config(const struct dse_plan *plan, const struct dse_slice *slice, const uint32_t *rows,
                      struct dse_config *config)
{
    *config = slice->config;
    for (size_t g = 0; g < plan->group_count; g++)
        dse_slice_row_config(plan, slice, g, rows[g], config);
}

void dse_question_derive(const struct dse_question *question, const struct dse_platform *platform, const struct dse_accumulators *sums,
                         size_t alternative, double metrics[DSE_METRIC_COUNT])
{
    if (question->sets != NULL)
        question->sets->derive(question->sets->user, platform, sums, alternative, metrics);
    else
        dse_derive(platform, sums, metrics);
}

void dse_slice_metrics(const struct dse_question *question, const struct dse_slice *slice,
                       const struct dse_accumulators *sums, double metrics[DSE_METRIC_COUNT])
{
    dse_question_derive(question, &slice->platform, sums, slice->alternative, metrics);
    metrics[DSE_METRIC_QUALITY] = question->alternatives[slice->alternative].quality; /* for several data sets, the combined quality */
}

bool dse_limits_hold(const struct dse_question *question, const double metrics[DSE_METRIC_COUNT])
{
    bool hold = true;
    for (size_t i = 0; i < question->limit_count; i++)
        hold &= dse_limit_holds(&question->limits[i], metrics[question->limits[i].metric]);
    return hold;
}
