/* Training and held-out parts: sizes, folds that cover every item once, and what cannot be split. */

#include <string.h>

#include "datasets/split.h"
#include "tests/test.h"

/* Table 4 of the paper; for D&D it has 943 and 235, which no rounding of a fifth gives together with MUTAG's. */
TEST(test_split_sizes)
{
    static const size_t table[][2] = {{600, 120}, {4110, 822}, {405, 81}, {188, 38},
                                      {467, 94},  {4127, 826}, {4337, 868}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(dse_split_test_count(table[i][0]), table[i][1]);
    assert_int_equal(dse_split_test_count(1178), 236);
}

TEST(test_split_parts)
{
    struct dse_error err = {0};
    int held_out[50] = {0};
    for (size_t fold = 0; fold < 7; fold++) {
        struct dse_draw draw = {.seed = 1, .stream = 1, .folds = 7, .fold = fold};
        struct dse_split split;
        int seen[50] = {0};
        assert_int_equal(dse_split_draw(50, "graphs", &draw, &split, &err), DSE_OK);
        assert_int_equal(split.n_train + split.n_test, 50);
        for (size_t i = 0; i < split.n_train; i++)
            seen[split.train[i]]++;
        for (size_t i = 0; i < split.n_test; i++) {
            seen[split.test[i]]++;
            held_out[split.test[i]]++;
        }
        for (int g = 0; g < 50; g++)
            assert_int_equal(seen[g], 1);
        dse_split_free(&split);
    }
    for (int g = 0; g < 50; g++)
        assert_int_equal(held_out[g], 1);
}

/* As many folds as items leave one out; one more is refused, and so are sets that have no two parts. */
TEST(test_split_limits)
{
    struct dse_error err = {0};
    struct dse_split split;
    struct dse_draw draw = {.seed = 1, .stream = 1, .folds = 9, .fold = 8};
    assert_int_equal(dse_split_draw(9, "graphs", &draw, &split, &err), DSE_OK);
    assert_int_equal(split.n_test, 1);
    assert_int_equal(split.n_train, 8);
    dse_split_free(&split);
    for (draw.fold = 0; draw.fold < 9; draw.fold++) {
        assert_int_equal(dse_split_draw(8, "graphs", &draw, &split, &err), DSE_BAD_USAGE);
        assert_non_null(strstr(err.message, "folds=9"));
    }
    draw = (struct dse_draw){.seed = 1};
    assert_int_equal(dse_split_draw(1, "graphs", &draw, &split, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_split_draw(0, "graphs", &draw, &split, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_split_draw(2, "graphs", &draw, &split, &err), DSE_OK);
    assert_int_equal(split.n_test, 1);
    dse_split_free(&split);
    assert_int_equal(dse_split_train_least(50, 0), 40);
    assert_int_equal(dse_split_train_least(50, 7), 42); /* the largest fold has 8 */
}

TESTS(NULL, NULL)
