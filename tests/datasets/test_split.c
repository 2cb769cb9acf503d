/* Training and held-out parts: sizes, folds that cover every item once, and what cannot be split. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        assert_int_equal(dse_split_draw(50, "graphs", NULL, &draw, &split, &err), DSE_OK);
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

/* With as many folds as items, each fold has one item; one more fold is rejected, and so are sets too small for two parts. */
TEST(test_split_limits)
{
    struct dse_error err = {0};
    struct dse_split split;
    struct dse_draw draw = {.seed = 1, .stream = 1, .folds = 9, .fold = 8};
    assert_int_equal(dse_split_draw(9, "graphs", NULL, &draw, &split, &err), DSE_OK);
    assert_int_equal(split.n_test, 1);
    assert_int_equal(split.n_train, 8);
    dse_split_free(&split);
    for (draw.fold = 0; draw.fold < 9; draw.fold++) {
        FAILS(DSE_BAD_USAGE, "folds=9", dse_split_draw(8, "graphs", NULL, &draw, &split, &why));
    }
    draw = (struct dse_draw){.seed = 1};
    assert_int_equal(dse_split_draw(1, "graphs", NULL, &draw, &split, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_split_draw(0, "graphs", NULL, &draw, &split, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_split_draw(2, "graphs", NULL, &draw, &split, &err), DSE_OK);
    assert_int_equal(split.n_test, 1);
    dse_split_free(&split);
    assert_int_equal(dse_split_train_least(50, 0), 40);
    assert_int_equal(dse_split_train_least(50, 7), 42); /* the largest fold has 8 */
}

/* Each part holds the share of every class, rounded by largest remainder; folds differ by at most one item per class. */
TEST(stratified_splits_keep_shares)
{
    enum { ITEMS = 47 };
    int32_t classes[ITEMS];
    size_t members[3] = {0};
    struct dse_error err = {0};
    struct dse_split split;
    for (int i = 0; i < ITEMS; i++)
        members[classes[i] = i % 7 == 0 ? 2 : i % 3 == 0 ? 1 : 0]++;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct dse_draw draw = {.seed = seed, .stream = 3};
        size_t held[3] = {0};
        assert_int_equal(dse_split_draw(ITEMS, "graphs", classes, &draw, &split, &err), DSE_OK);
        assert_int_equal(split.n_test, dse_split_test_count(ITEMS));
        assert_int_equal(split.n_train, ITEMS - split.n_test);
        for (size_t i = 0; i < split.n_test; i++)
            held[classes[split.test[i]]]++;
        for (size_t c = 0; c < 3; c++)
            assert_in_range(held[c], members[c] * split.n_test / ITEMS, members[c] * split.n_test / ITEMS + 1);
        dse_split_free(&split);
        for (draw.folds = 5, draw.fold = 0; draw.fold < 5; draw.fold++) {
            assert_int_equal(dse_split_draw(ITEMS, "graphs", classes, &draw, &split, &err), DSE_OK);
            memset(held, 0, sizeof held);
            for (size_t i = 0; i < split.n_test; i++)
                held[classes[split.test[i]]]++;
            for (size_t c = 0; c < 3; c++)
                assert_in_range(held[c], members[c] / 5, members[c] / 5 + 1);
            dse_split_free(&split);
        }
    }
}

/* With 2 of 10 held out, classes of 7, 2 and 1 have 1.4, 0.4 and 0.2: the first of equal remainders gets the second; of 6, 3 and 1 the
 * largest, 0.6, does. */
TEST(the_largest_remainders_get_the_rest)
{
    static const struct {
        int32_t classes[10];
        size_t held[3];
    } cases[] = {{{0, 0, 0, 0, 0, 0, 0, 1, 1, 2}, {2, 0, 0}}, {{0, 0, 0, 0, 0, 0, 1, 1, 1, 2}, {1, 1, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_draw draw = {.seed = 5};
        struct dse_split split;
        size_t held[3] = {0};
        OK(dse_split_draw(10, "graphs", cases[i].classes, &draw, &split, &why));
        for (size_t k = 0; k < split.n_test; k++)
            held[cases[i].classes[split.test[k]]]++;
        assert_memory_equal(held, cases[i].held, sizeof held);
        dse_split_free(&split);
    }
}

/* As NumPy gives them: sorted(RandomState(s).permutation(n)[:ceil(0.2 * n)]). */
TEST(the_split_of_scikit_learn)
{
    static const struct {
        size_t items;
        uint32_t seed;
        int32_t first[6];
    } cases[] = {{10, 42, {1, 8}}, {30, 42, {8, 9, 15, 17, 23, 27}}, {188, 42, {5, 9, 15, 16, 18, 19}}, {1000, 7, {9, 13, 24, 25, 26, 34}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_split split;
        OK(dse_split_sklearn(cases[i].items, "graphs", cases[i].seed, &split, &why));
        assert_int_equal(split.n_test, dse_split_test_count(cases[i].items));
        for (size_t k = 0; k < 6 && k < split.n_test; k++)
            assert_int_equal(split.test[k], cases[i].first[k]);
        dse_split_free(&split);
    }
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The three forms of a file are equivalent; each wrong line is named. */
TEST(splits_from_files)
{
    static const struct {
        const char *text, *error; /* NULL: items 0 and 3 are held out, 2 validates where `validation` */
        bool validation;
    } cases[] = {{"test\ntrain\nvalidation\ntest\ntrain\n", NULL, true}, {"0\n3\n", NULL, false}, {"3\r\n0", NULL, false},
                 {"id,split\n7,test\n8,train\n9,val\n10,test\n11,training\n", NULL, true},
                 {"\"split\",id\ntest,1\ntrain,2\ntrain,3\ntest,4\ntrain,5\n", NULL, false},
                 {"test\ntrain\n", ": gives the part of 2 items, but the data set has 5", false},
                 {"0\n5\n", ":2: \"5\": must be the index of one of the 5 items, 0 to 4", false},
                 {"0\n0\n", ":2: \"0\": occurs twice", false}, {"-1\n", ":1: \"-1\": must be the index", false}, {"1.5\n", ":1: \"1.5\"", false},
                 {"test\ntrian\n", ":2: \"trian\": must be train, test or validation", false},
                 {"id,part\n7,test\n", ":1: \"id\": must be train, test or validation, or a heading with a column `split`", false},
                 {"1,3\n", ":1: \"1\": must stand alone on its line", false},
                 {"id,split\n7\n", ":2: 1 columns, but column 2 is `split`", false},
                 {"test\ntest\ntest\ntest\ntest\n", ": leaves no items to train on", false},
                 {"train\ntrain\ntrain\ntrain\ntrain\n", ": leaves no items to test on", false},
                 {"test\ntest\ntest\ntest\ntrain\ntrain\n", ":6: one line too many: the data set has 5 items", false},
                 {"", ": is empty", false}};
    char path[] = "/tmp/nysx-split-XXXXXX";
    close(mkstemp(path));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_split split;
        struct dse_error err = {0};
        write_text(path, cases[i].text);
        enum dse_status status = dse_split_read(path, 5, "items", &split, &err);
        if (cases[i].error != NULL) {
            assert_int_equal(status, DSE_BAD_INPUT);
            if (strstr(err.message, cases[i].error) == NULL)
                fail_msg("%zu: %s", i, err.message);
            continue;
        }
        if (status != DSE_OK)
            fail_msg("%zu: %s", i, err.message);
        assert_int_equal(split.n_test, 2);
        assert_int_equal(split.test[0], 0);
        assert_int_equal(split.test[1], 3);
        assert_int_equal(split.n_validation, cases[i].validation ? 1 : 0);
        assert_int_equal(split.n_train, cases[i].validation ? 2 : 3);
        struct dse_split again;
        assert_int_equal(dse_split_write(&split, 5, "items", path, &err), DSE_OK);
        assert_int_equal(dse_split_read(path, 5, "items", &again, &err), DSE_OK);
        assert_true(again.n_train == split.n_train && again.n_test == 2 && again.test[1] == 3 && again.n_validation == split.n_validation);
        assert_int_equal(dse_split_write(&split, 6, "items", path, &err), DSE_BAD_USAGE);
        dse_split_free(&again);
        dse_split_free(&split);
    }
    unlink(path);
}

TESTS(NULL, NULL)
