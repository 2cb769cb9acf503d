#include "search/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define LANES 16       /* vectors per leaf, in parallel lanes */
#define LEVELS 32
#define FIRST 64       /* capacity of the first tree; each next one doubles it */
#define NOBODY UINT32_MAX

/* A balanced binary tree over the leaves b … e−1, with 2 (e − b) − 1 nodes in preorder. The left child follows its node, the right child follows the
 * left subtree. The first tree has only leaves. */
struct tree {
    size_t count;  /* used places, including vectors removed since */
    size_t leaves;
    double *values; /* leaves × dimensions × LANES; NaN in unused places */
    uint32_t *ids;  /* leaves × LANES */
    double *low, *high; /* nodes × dimensions */
};

struct dse_forest {
    size_t dimensions;
    struct tree trees[LEVELS];
    uint64_t *where; /* tree and place of each member, by number */
    size_t where_capacity;
};

/* ---- making ---- */

static void free_tree(struct tree *tree)
{
    free(tree->values);
    free(tree->ids);
    free(tree->low);
    free(tree->high);
    *tree = (struct tree){0};
}

void dse_forest_free(struct dse_forest *forest)
{
    if (forest == NULL)
        return;
    for (size_t i = 0; i < LEVELS; i++)
        free_tree(&forest->trees[i]);
    free(forest->where);
    free(forest);
}

static void allocate_tree(const struct dse_forest *forest, size_t vectors, struct tree *tree)
{
    size_t leaves = (vectors + LANES - 1) / LANES, places = leaves * LANES;
    *tree = (struct tree){.leaves = leaves,
                          .values = dse_malloc((places * forest->dimensions + 1) * sizeof *tree->values),
                          .ids = dse_malloc((places + 1) * sizeof *tree->ids),
                          .low = dse_malloc((2 * leaves + 1) * forest->dimensions * sizeof *tree->low),
                          .high = dse_malloc((2 * leaves + 1) * forest->dimensions * sizeof *tree->high)};
    for (size_t i = 0; i < places * forest->dimensions; i++)
        tree->values[i] = NAN;
    for (size_t i = 0; i < places; i++)
        tree->ids[i] = NOBODY;
}

struct dse_forest *dse_forest_create(size_t dimensions)
{
    struct dse_forest *forest = dse_calloc(1, sizeof *forest);
    forest->dimensions = dimensions;
    allocate_tree(forest, FIRST, &forest->trees[0]);
    return forest;
}

static double *lane(const struct dse_forest *forest, const struct tree *tree, size_t place)
{
    return tree->values + place / LANES * LANES * forest->dimensions + place % LANES;
}

static void put(struct dse_forest *forest, size_t level, size_t place, uint32_t id, const double *vector)
{
    struct tree *tree = &forest->trees[level];
    double *values = lane(forest, tree, place);
    for (size_t d = 0; d < forest->dimensions; d++)
        values[d * LANES] = vector[d];
    tree->ids[place] = id;
    forest->where[id] = (uint64_t)level << 32 | place;
}

/* ---- a tree over given vectors ---- */

struct member {
    uint32_t id;
    const double *vector;
};

struct building {
    struct dse_forest *forest;
    size_t level;
    struct member *members;
};

/* Partitions the members by one component: the `middle` smallest first. */
static void part(struct member *members, size_t count, size_t middle, size_t dimension)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        double pivot = members[low + (high - low) / 2].vector[dimension];
        size_t less = low, at = low, more = high;
        while (at < more) {
            struct member m = members[at];
            if (m.vector[dimension] < pivot) {
                members[at++] = members[less];
                members[less++] = m;
            } else if (m.vector[dimension] > pivot) {
                members[at] = members[--more];
                members[more] = m;
            } else {
                at++;
            }
        }
        if (middle < less)
            high = less;
        else if (middle >= more)
            low = more;
        else
            return;
    }
}

static void bound(const struct building *building, size_t first, size_t last, double *low, double *high)
{
    size_t dimensions = building->forest->dimensions;
    memcpy(low, building->members[first].vector, dimensions * sizeof *low);
    memcpy(high, low, dimensions * sizeof *high);
    for (size_t i = first + 1; i < last; i++) {
        const double *vector = building->members[i].vector;
        for (size_t d = 0; d < dimensions; d++) {
            low[d] = vector[d] < low[d] ? vector[d] : low[d];
            high[d] = vector[d] > high[d] ? vector[d] : high[d];
        }
    }
}

/* The component with the largest spread, relative to the whole tree's. */
static size_t widest(const struct building *building, const double *low, const double *high)
{
    const struct tree *tree = &building->forest->trees[building->level];
    size_t best = 0;
    double most = -1.0;
    for (size_t d = 0; d < building->forest->dimensions; d++) {
        double share = (high[d] - low[d]) / (tree->high[d] - tree->low[d]);
        if (share > most) {
            most = share;
            best = d;
        }
    }
    return best;
}

static void grow(const struct building *building, size_t node, size_t first_leaf, size_t last_leaf, size_t count)
{
    struct dse_forest *forest = building->forest;
    struct tree *tree = &forest->trees[building->level];
    size_t first = first_leaf * LANES, last = last_leaf * LANES < count ? last_leaf * LANES : count;
    double *low = tree->low + node * forest->dimensions, *high = tree->high + node * forest->dimensions;
    bound(building, first, last, low, high);
    if (last_leaf - first_leaf == 1) {
        for (size_t i = first; i < last; i++)
            put(forest, building->level, i, building->members[i].id, building->members[i].vector);
        return;
    }
    size_t middle = first_leaf + (last_leaf - first_leaf) / 2;
    part(building->members + first, last - first, middle * LANES - first, widest(building, low, high));
    grow(building, node + 1, first_leaf, middle, count);
    grow(building, node + 2 * (middle - first_leaf), middle, last_leaf, count);
}

static void build(struct dse_forest *forest, size_t level, struct member *members, size_t count)
{
    struct tree *tree = &forest->trees[level];
    if (count == 0)
        return;
    allocate_tree(forest, count, tree);
    tree->count = count;
    struct building building = {forest, level, members};
    grow(&building, 0, 0, tree->leaves, count);
}

/* ---- adding ---- */

static void number_up_to(struct dse_forest *forest, size_t id)
{
    if (id < forest->where_capacity)
        return;
    forest->where_capacity = 2 * id + FIRST;
    forest->where = dse_realloc(forest->where, forest->where_capacity * sizeof *forest->where);
}

/* Removes the members of trees 0 … level, as contiguous vectors. */
static size_t empty(struct dse_forest *forest, size_t level, struct member *members, double *vectors)
{
    size_t count = 0, dimensions = forest->dimensions;
    for (size_t t = 0; t <= level; t++) {
        struct tree *tree = &forest->trees[t];
        for (size_t place = 0; place < tree->count; place++) {
            if (tree->ids[place] == NOBODY)
                continue;
            double *vector = vectors + count * dimensions, *values = lane(forest, tree, place);
            for (size_t d = 0; d < dimensions; d++) {
                vector[d] = values[d * LANES];
                if (t == 0)
                    values[d * LANES] = NAN;
            }
            members[count++] = (struct member){tree->ids[place], vector};
            if (t == 0)
                tree->ids[place] = NOBODY;
        }
        tree->count = 0;
        if (t > 0)
            free_tree(tree);
    }
    return count;
}

/* Rebuilds the first trees as one tree, in the first free slot. */
static void gather(struct dse_forest *forest)
{
    size_t level = 1, most = FIRST;
    while (level + 1 < LEVELS && forest->trees[level].count > 0)
        most += forest->trees[level++].count;
    struct member *members = dse_malloc((most + 1) * sizeof *members);
    double *vectors = dse_malloc((most * forest->dimensions + 1) * sizeof *vectors);
    build(forest, level, members, empty(forest, level, members, vectors));
    free(members);
    free(vectors);
}

void dse_forest_add(struct dse_forest *forest, uint32_t id, const double *vector)
{
    number_up_to(forest, id);
    if (forest->trees[0].count == FIRST)
        gather(forest);
    put(forest, 0, forest->trees[0].count++, id, vector);
}

void dse_forest_fill(struct dse_forest *forest, const double *vectors, size_t count)
{
    size_t level = 1;
    for (size_t t = 1; t < LEVELS; t++)
        free_tree(&forest->trees[t]);
    for (size_t place = 0; place < forest->trees[0].count; place++) {
        forest->trees[0].ids[place] = NOBODY;
        for (size_t d = 0; d < forest->dimensions; d++)
            lane(forest, &forest->trees[0], place)[d * LANES] = NAN;
    }
    forest->trees[0].count = 0;
    if (count == 0)
        return;
    while (level + 1 < LEVELS && (size_t)FIRST << level < count)
        level++;
    number_up_to(forest, count);
    struct member *members = dse_malloc((count + 1) * sizeof *members);
    for (size_t i = 0; i < count; i++)
        members[i] = (struct member){(uint32_t)i, vectors + i * forest->dimensions};
    build(forest, level, members, count);
    free(members);
}

void dse_forest_rename(struct dse_forest *forest, uint32_t from, uint32_t to)
{
    uint64_t where = forest->where[from];
    forest->trees[where >> 32].ids[where & UINT32_MAX] = to;
    forest->where[to] = where;
}

/* ---- finding ---- */

/* Bit mask of a leaf's lanes that are nowhere larger (or nowhere smaller). */
static unsigned lanes_below(const double *values, const double *vector, size_t dimensions)
{
    int64_t below[LANES];
    memset(below, -1, sizeof below);
    for (size_t d = 0; d < dimensions; d++) {
        const double *component = values + d * LANES;
        double bound = vector[d];
        int64_t any = 0;
        for (size_t l = 0; l < LANES; l++) {
            below[l] &= component[l] <= bound ? -1 : 0;
            any |= below[l];
        }
        if (any == 0)
            return 0;
    }
    unsigned lanes = 0;
    for (size_t l = 0; l < LANES; l++)
        lanes |= below[l] != 0 ? 1u << l : 0;
    return lanes;
}

static bool any_below(const double *low, const double *vector, size_t dimensions)
{
    for (size_t d = 0; d < dimensions; d++)
        if (low[d] > vector[d])
            return false;
    return true;
}

struct finding {
    const struct dse_forest *forest;
    const struct tree *tree;
    const double *vector;
    dse_forest_judge *judge;
    void *user;
    uint32_t id;
};

static bool look_at_leaf(struct finding *finding, size_t leaf)
{
    size_t dimensions = finding->forest->dimensions;
    unsigned lanes = lanes_below(finding->tree->values + leaf * LANES * dimensions, finding->vector, dimensions);
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t id = finding->tree->ids[leaf * LANES + (size_t)__builtin_ctz(lanes)];
        if (finding->judge == NULL || finding->judge(finding->user, id)) {
            finding->id = id;
            return true;
        }
    }
    return false;
}

static bool look_below(struct finding *finding, size_t node, size_t first_leaf, size_t last_leaf)
{
    size_t dimensions = finding->forest->dimensions, middle = first_leaf + (last_leaf - first_leaf) / 2;
    if (!any_below(finding->tree->low + node * dimensions, finding->vector, dimensions))
        return false;
    if (last_leaf - first_leaf == 1)
        return look_at_leaf(finding, first_leaf);
    return look_below(finding, node + 1, first_leaf, middle) ||
           look_below(finding, node + 2 * (middle - first_leaf), middle, last_leaf);
}

bool dse_forest_find_below(const struct dse_forest *forest, const double *vector, dse_forest_judge *judge, void *user,
                           uint32_t *id)
{
    struct finding finding = {.forest = forest, .vector = vector, .judge = judge, .user = user};
    bool found = false;
    for (size_t t = LEVELS; t > 1 && !found; t--) {
        finding.tree = &forest->trees[t - 1];
        found = finding.tree->count > 0 && look_below(&finding, 0, 0, finding.tree->leaves);
    }
    finding.tree = &forest->trees[0];
    for (size_t leaf = 0; leaf * LANES < finding.tree->count && !found; leaf++)
        found = look_at_leaf(&finding, leaf);
    if (found)
        *id = finding.id;
    return found;
}

/* ---- removing ---- */

struct taking {
    const struct dse_forest *forest;
    struct tree *tree;
    const double *vector;
    uint32_t *ids;
    size_t count;
};

static void take_of_leaf(struct taking *taking, size_t leaf)
{
    size_t dimensions = taking->forest->dimensions;
    for (size_t place = leaf * LANES; place < (leaf + 1) * LANES; place++) {
        double *values = lane(taking->forest, taking->tree, place);
        bool above = taking->tree->ids[place] != NOBODY;
        for (size_t d = 0; d < dimensions && above; d++)
            above = values[d * LANES] >= taking->vector[d];
        if (!above)
            continue;
        taking->ids[taking->count++] = taking->tree->ids[place];
        taking->tree->ids[place] = NOBODY;
        for (size_t d = 0; d < dimensions; d++)
            values[d * LANES] = NAN;
    }
}

static void take_above(struct taking *taking, size_t node, size_t first_leaf, size_t last_leaf)
{
    size_t dimensions = taking->forest->dimensions, middle = first_leaf + (last_leaf - first_leaf) / 2;
    if (!any_below(taking->vector, taking->tree->high + node * dimensions, dimensions))
        return;
    if (last_leaf - first_leaf == 1) {
        take_of_leaf(taking, first_leaf);
        return;
    }
    take_above(taking, node + 1, first_leaf, middle);
    take_above(taking, node + 2 * (middle - first_leaf), middle, last_leaf);
}

size_t dse_forest_take_above(struct dse_forest *forest, const double *vector, uint32_t *ids)
{
    struct taking taking = {.forest = forest, .vector = vector, .ids = ids};
    for (size_t t = 1; t < LEVELS; t++) {
        taking.tree = &forest->trees[t];
        if (taking.tree->count > 0)
            take_above(&taking, 0, 0, taking.tree->leaves);
    }
    taking.tree = &forest->trees[0];
    for (size_t leaf = 0; leaf * LANES < taking.tree->count; leaf++)
        take_of_leaf(&taking, leaf);
    return taking.count;
}
