/* A forest against a list: searches below a vector and removals above one, while members are added, removed and renamed. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "search/forest.h"
#include "tests/test.h"

#define MOST 3000
#define DIMENSIONS_MAX 7
#define SEED 77

/* The members as a list: vectors by their number. */
struct list {
    size_t dimensions, count; /* members have the numbers 0 … count − 1 */
    double vectors[MOST][DIMENSIONS_MAX];
};

static bool is_below(const double *a, const double *b, size_t dimensions)
{
    for (size_t d = 0; d < dimensions; d++)
        if (!(a[d] <= b[d]))
            return false;
    return true;
}

/* Few values, so that equal components are common; sometimes NaN or infinity. */
static void draw(struct dse_rng *rng, size_t dimensions, double *vector)
{
    for (size_t d = 0; d < dimensions; d++) {
        vector[d] = (double)dse_rng_below(rng, 40);
        if (dse_rng_below(rng, 200) == 0)
            vector[d] = dse_rng_below(rng, 2) == 0 ? INFINITY : -1e300;
    }
}

struct counting {
    const struct list *list;
    const double *vector;
    size_t count;
};

/* Rejects everything, so that all members below are visited. */
static bool count_it(void *user, uint32_t id)
{
    struct counting *counting = user;
    assert_true(id < counting->list->count);
    assert_true(is_below(counting->list->vectors[id], counting->vector, counting->list->dimensions));
    counting->count++;
    return false;
}

static void check_below(const struct dse_forest *forest, const struct list *list, const double *vector)
{
    size_t below = 0;
    uint32_t id = UINT32_MAX;
    for (size_t i = 0; i < list->count; i++)
        below += is_below(list->vectors[i], vector, list->dimensions);
    struct counting counting = {list, vector, 0};
    assert_false(dse_forest_find_below(forest, vector, count_it, &counting, &id));
    assert_int_equal(counting.count, below);
    assert_int_equal(dse_forest_find_below(forest, vector, NULL, NULL, &id), below > 0);
    if (below > 0)
        assert_true(is_below(list->vectors[id], vector, list->dimensions));
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* Removes members above, and gives the last members the free numbers. */
static size_t take(struct dse_forest *forest, struct list *list, const double *vector)
{
    static uint32_t ids[MOST];
    size_t above = 0;
    for (size_t i = 0; i < list->count; i++)
        above += is_below(vector, list->vectors[i], list->dimensions);
    size_t taken = dse_forest_take_above(forest, vector, ids);
    assert_int_equal(taken, above);
    qsort(ids, taken, sizeof *ids, descending);
    for (size_t i = 0; i < taken; i++) {
        size_t last = --list->count;
        assert_true(is_below(vector, list->vectors[ids[i]], list->dimensions));
        if (ids[i] == last)
            continue;
        memcpy(list->vectors[ids[i]], list->vectors[last], sizeof list->vectors[last]);
        dse_forest_rename(forest, (uint32_t)last, ids[i]);
    }
    return taken;
}

static void run_trial(uint64_t trial, size_t *taken)
{
    struct dse_rng rng;
    struct dse_forest *forest = NULL;
    struct list *list = calloc(1, sizeof *list);
    assert_non_null(list);
    dse_rng_seed(&rng, SEED, trial);
    list->dimensions = 1 + dse_rng_below(&rng, DIMENSIONS_MAX);
    forest = dse_forest_create(list->dimensions);
    for (int step = 0; step < 4000 && list->count < MOST; step++) {
        double vector[DIMENSIONS_MAX];
        draw(&rng, list->dimensions, vector);
        if (step % 50 == 7)
            check_below(forest, list, vector);
        if (step % 400 == 399)
            *taken += take(forest, list, vector);
        memcpy(list->vectors[list->count], vector, sizeof vector);
        dse_forest_add(forest, (uint32_t)list->count++, vector);
    }
    double *flat = malloc((list->count * list->dimensions + 1) * sizeof *flat);
    assert_non_null(flat);
    for (size_t i = 0; i < list->count; i++)
        memcpy(flat + i * list->dimensions, list->vectors[i], list->dimensions * sizeof *flat);
    dse_forest_fill(forest, flat, list->count);
    for (int i = 0; i < 20; i++) {
        double vector[DIMENSIONS_MAX];
        draw(&rng, list->dimensions, vector);
        check_below(forest, list, vector);
    }
    dse_forest_fill(forest, NULL, 0);
    list->count = 0;
    check_below(forest, list, flat);
    free(flat);
    dse_forest_free(forest);
    free(list);
}

TEST(test_is_the_list)
{
    size_t taken = 0;
    for (uint64_t trial = 0; trial < 20; trial++)
        run_trial(trial, &taken);
    print_message("20 forests, seed %d: %zu members taken out\n", SEED, taken);
    assert_true(taken > 1000);
}

/* A vector with a NaN component dominates nothing. */
TEST(test_not_a_number)
{
    struct dse_forest *forest = NULL;
    uint32_t id = 0;
    const double unknown[] = {1.0, NAN}, known[] = {2.0, 2.0}, all[] = {INFINITY, INFINITY};
    forest = dse_forest_create(2);
    dse_forest_add(forest, 0, unknown);
    assert_false(dse_forest_find_below(forest, all, NULL, NULL, &id));
    dse_forest_add(forest, 1, known);
    assert_true(dse_forest_find_below(forest, all, NULL, NULL, &id));
    assert_int_equal(id, 1);
    dse_forest_free(forest);
}

TESTS(NULL, NULL)
