/* Knowledge graphs: ids, facts and rejections of the reader, every way of writing, the published split, fewer entities, and made-up
 * graphs that are read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "datasets/triples.h"
#include "tests/ok.h"
#include "tests/test.h"

/* Each text in memory of its own size, so that a sanitizer sees reads beyond it. NULL: a missing part. */
static enum dse_status parse_bytes(const char *const parts[3], const size_t sizes[3], struct dse_triple_set **set, struct dse_error *err)
{
    static char names[3][10] = {"train.txt", "valid.txt", "test.txt"};
    struct dse_text texts[3] = {0};
    for (int i = 0; i < 3; i++) {
        texts[i] = (struct dse_text){.name = names[i], .data = parts[i] != NULL ? malloc(sizes[i] + 1) : NULL, .size = sizes[i]};
        if (parts[i] != NULL)
            memcpy(texts[i].data, parts[i], sizes[i] + 1);
    }
    enum dse_status status = dse_triple_set_parse(texts, set, err);
    for (int i = 0; i < 3; i++)
        free(texts[i].data);
    return status;
}

static enum dse_status parse(const char *train, const char *valid, const char *test, struct dse_triple_set **set, struct dse_error *err)
{
    const char *const parts[] = {train, valid, test};
    const size_t sizes[] = {strlen(train), valid != NULL ? strlen(valid) : 0, strlen(test)};
    return parse_bytes(parts, sizes, set, err);
}

static const char plain_train[] = "b\tlikes\ta\na\tis part of\tc\nb\tlikes\ta\nc\tlikes\tc\n";
static const char plain_valid[] = "d\tlikes\ta\n", plain_test[] = "a\tis part of\tc\ne\tnew\tb\n";

TEST(test_ids_by_appearance)
{
    struct dse_triple_set *set;
    static const char *const entities[] = {"b", "a", "c", "d", "e"}, *const relations[] = {"likes", "is part of", "new"};
    static const struct dse_triple triples[] = {{0, 0, 1}, {1, 1, 2}, {0, 0, 1}, {2, 0, 2}, {3, 0, 1}, {1, 1, 2}, {4, 2, 0}};
    static const size_t begin[] = {0, 4, 5, 7};
    OK(parse(plain_train, plain_valid, plain_test, &set, &why));
    assert_int_equal(set->entity.count, 5);
    assert_int_equal(set->relation.count, 3);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(dse_triple_name(&set->entity, i), entities[i]);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(dse_triple_name(&set->relation, i), relations[i]);
    assert_memory_equal(set->begin, begin, sizeof begin);
    assert_memory_equal(set->triple, triples, sizeof triples);
    dse_triple_set_free(set);
}

TEST(test_same_in_every_writing)
{
    struct dse_triple_set *plain, *other;
    OK(parse(plain_train, plain_valid, plain_test, &plain, &why));
    OK(parse("\xEF\xBB\xBF" "b\tlikes\ta\r\na\tis part of\tc\r\nb\tlikes\ta\r\nc\tlikes\tc", "\xEF\xBB\xBF" "d\tlikes\ta\r\n\r\n\n",
             "a\tis part of\tc\ne\tnew\tb\r\n", &other, &why));
    assert_int_equal(other->hash, plain->hash);
    dse_triple_set_free(other);
    OK(parse("b\tlikes\ta\na\tis part of \tc\nb\tlikes\ta\nc\tlikes\tc\n", plain_valid, plain_test, &other, &why));
    assert_int_not_equal(other->hash, plain->hash); /* blanks belong to a name */
    dse_triple_set_free(other);
    OK(parse(plain_train, NULL, plain_test, &other, &why));
    assert_int_equal(dse_triple_count(other, DSE_VALID_PART), 0);
    assert_int_equal(dse_triple_count(other, DSE_TEST_PART), 2);
    dse_triple_set_free(other);
    dse_triple_set_free(plain);
}

static void expect_rejection(const char *train, const char *valid, const char *where, const char *what)
{
    struct dse_error err = {0};
    struct dse_triple_set *set = NULL;
    assert_int_equal(parse(train, valid, plain_test, &set, &err), DSE_BAD_INPUT);
    assert_null(set);
    if (strncmp(err.message, where, strlen(where)) != 0 || strstr(err.message, what) == NULL)
        fail_msg("\"%s\" does not begin with \"%s\" or not say \"%s\"", err.message, where, what);
}

TEST(test_rejections)
{
    expect_rejection("", NULL, "train.txt", "holds no triple");
    expect_rejection("\xEF\xBB\xBF\r\n\n", NULL, "train.txt", "holds no triple");
    expect_rejection("a\tr\tb\na\n", NULL, "train.txt:2:", "has one field");
    expect_rejection("a\tr\tb\n \n", NULL, "train.txt:2:", "has one field");
    expect_rejection("a\tr\n", NULL, "train.txt:1:", "has two fields");
    expect_rejection("a\tr\tb\tc\n", NULL, "train.txt:1:", "more than three fields");
    expect_rejection("a\tr\tb\t\n", NULL, "train.txt:1:", "more than three fields");
    expect_rejection("a\tr\tb\n\na\tr\tb\n", NULL, "train.txt:2:", "empty line");
    expect_rejection("\tr\tb\n", NULL, "train.txt:1:", "the head is empty");
    expect_rejection("a\tr\tb\na\t\tb\n", NULL, "train.txt:2:", "the relation is empty");
    expect_rejection("a\tr\tb\n", "a\tr\tb\na\tr\t\r\n", "valid.txt:2:", "the tail is empty");
    expect_rejection("a\tr\tb\nx\xFFy\tr\tb\n", NULL, "train.txt:2:", "the head is not UTF-8");
    expect_rejection("a\tr\tb\na\tr\xC0\x80\tb\n", NULL, "train.txt:2:", "the relation is not UTF-8");
    expect_rejection("a\tr\tb\na\tr\t\xE2\x82\n", NULL, "train.txt:2:", "the tail is not UTF-8");
    static const char nul[] = "a\tr\tb\0c\n";
    const char *const parts[] = {nul, NULL, plain_test};
    const size_t sizes[] = {sizeof nul - 1, 0, strlen(plain_test)};
    struct dse_triple_set *set = NULL;
    FAILS(DSE_BAD_INPUT, "train.txt:1:", parse_bytes(parts, sizes, &set, &why));
}

/* The most connected of: a 3 times, b 4, c 4, d 1 (twice in one triple counts twice). */
TEST(test_fewer_entities)
{
    struct dse_triple_set *set;
    struct dse_error err = {0};
    OK(parse("d\tonly d\ta\na\tr\tb\nb\tr\tc\nb\ts\tc\nc\ts\tc\na\tt\tb\n", "d\tr\ta\n", "b\ts\tb\na\tr\tc\n", &set, &why));
    OK(dse_triple_set_keep(set, 3, &why));
    static const struct dse_triple triples[] = {{0, 0, 1}, {1, 0, 2}, {1, 1, 2}, {2, 1, 2}, {0, 2, 1}, {1, 1, 1}, {0, 0, 2}};
    static const size_t begin[] = {0, 5, 5, 7};
    assert_int_equal(set->entity.count, 3);
    assert_int_equal(set->relation.count, 3);
    assert_string_equal(dse_triple_name(&set->entity, 0), "a");
    assert_string_equal(dse_triple_name(&set->relation, 0), "r");
    assert_memory_equal(set->begin, begin, sizeof begin);
    assert_memory_equal(set->triple, triples, sizeof triples);
    OK(dse_triple_set_keep(set, 2, &why));
    assert_string_equal(dse_triple_name(&set->entity, 0), "b");
    assert_string_equal(dse_triple_name(&set->entity, 1), "c");
    dse_triple_set_free(set);
    OK(parse("a\tr\tb\nc\tr\td\n", NULL, "a\tr\tb\n", &set, &why)); /* all once: a and b stay */
    OK(dse_triple_set_keep(set, 2, &why));
    assert_string_equal(dse_triple_name(&set->entity, 1), "b");
    dse_triple_set_free(set);
    OK(parse("a\tr\tb\na\tr\tc\nd\tr\tb\nd\tr\tc\nd\tr\tb\n", NULL, "a\tr\tb\n", &set, &why));
    assert_int_equal(dse_triple_set_keep(set, 1, &err), DSE_BAD_INPUT);
    dse_triple_set_free(set);
}

static const char *fact(const struct dse_setting *facts, const char *name)
{
    const char *value = dse_setting_get(facts, name);
    return value != NULL ? value : "none";
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char *path = dse_path_join(folder, name);
    OK(dse_folder_create(folder, &why));
    OK(dse_file_write(path, text, strlen(text), &why));
    free(path);
}

TEST(test_facts_and_split)
{
    struct dse_dataset *data;
    struct dse_setting facts = {0};
    struct dse_split split;
    struct dse_error err = {0};
    write_text("triples_facts", "train.txt", plain_train);
    write_text("triples_facts", "valid.txt", plain_valid);
    write_text("triples_facts", "test.txt", plain_test);
    OK(dse_dataset_open("./triples_facts", NULL, &data, &why));
    assert_ptr_equal(data->kind, &dse_kind_triples);
    assert_string_equal(data->name, "triples_facts");
    assert_int_equal(dse_dataset_items(data), 7);
    dse_dataset_facts(data, &facts);
    static const char *const wanted[][2] = {
        {"entities", "5"}, {"relations", "3"}, {"train_triples", "4"}, {"valid_triples", "1"}, {"test_triples", "2"},
        {"average_degree", "0.8"}, {"objects_most", "1"}, {"entities_without_object", "2"}, {"entities_unseen", "2"},
        {"repeated_triples", "1"}, {"triples_in_two_parts", "1"}, {"head_is_tail", "1"}, {"entities_left_out", "none"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(fact(&facts, wanted[i][0]), wanted[i][1]);
    dse_setting_free(&facts);
    const struct dse_draw draw = {.seed = 3}, folds = {.folds = 5};
    OK(dse_dataset_split(data, &draw, &split, &why));
    assert_int_equal(split.n_train, 4);
    assert_int_equal(split.validation[0], 4);
    assert_int_equal(split.test[1], 6);
    dse_split_free(&split);
    assert_int_equal(dse_dataset_split(data, &folds, &split, &err), DSE_BAD_USAGE);
    assert_int_equal(data->kind->keep_entities(data, "1.5", &err), DSE_BAD_USAGE);
    assert_int_equal(data->kind->keep_entities(data, "6", &err), DSE_BAD_USAGE);
    OK(data->kind->keep_entities(data, "0.6", &why));
    assert_string_equal(data->name, "triples_facts-3");
    assert_int_equal(dse_dataset_triples(data)->entity.count, 3);
    dse_dataset_free(data);
    unlink("triples_facts/test.txt");
    FAILS(DSE_BAD_INPUT, "test.txt is missing", dse_dataset_open("./triples_facts", NULL, &data, &why));
    unlink("triples_facts/train.txt");
    unlink("triples_facts/valid.txt");
    rmdir("triples_facts");
}

static struct dse_dataset *made_up(double awkward, struct dse_setting *facts)
{
    struct dse_dataset *data;
    const double values[DSE_TRIPLES_OPTIONS] = {60, 4, 500, 0.8, 0, awkward};
    const struct dse_generation what = {.name = "m", .values = values, .seed = 7};
    OK(dse_triples_generate(&what, "triples_made", &why));
    OK(dse_dataset_open("./triples_made", NULL, &data, &why));
    *facts = (struct dse_setting){0};
    dse_dataset_facts(data, facts);
    unlink("triples_made/train.txt");
    unlink("triples_made/valid.txt");
    unlink("triples_made/test.txt");
    rmdir("triples_made");
    return data;
}

TEST(test_made_up)
{
    struct dse_setting facts;
    struct dse_dataset *plain = made_up(0, &facts);
    assert_string_equal(fact(&facts, "train_triples"), "400");
    assert_string_equal(fact(&facts, "valid_triples"), "50");
    assert_string_equal(fact(&facts, "test_triples"), "50");
    assert_string_equal(fact(&facts, "repeated_triples"), "0");
    assert_string_equal(fact(&facts, "triples_in_two_parts"), "0");
    const int loops = atoi(fact(&facts, "head_is_tail"));
    dse_setting_free(&facts);
    struct dse_dataset *awkward = made_up(1 + 2 + 4, &facts); /* for the variants in notation only */
    assert_int_equal(awkward->hash, plain->hash);
    dse_setting_free(&facts);
    dse_dataset_free(awkward);
    dse_dataset_free(plain);
    awkward = made_up(1023, &facts);
    assert_string_equal(fact(&facts, "valid_triples"), "0");
    assert_string_equal(fact(&facts, "entities_unseen"), "1");
    dse_setting_free(&facts);
    dse_dataset_free(awkward);
    static const char *const there[] = {"repeated_triples", "triples_in_two_parts", "head_is_tail"};
    for (int i = 0; i < 3; i++) { /* `repeated`, `shared`, `loops`, each by itself: one line in ten */
        awkward = made_up(32 << i, &facts);
        assert_int_equal(atoi(fact(&facts, there[i])), i == 0 ? 50 : i == 1 ? 10 : loops + 50);
        dse_setting_free(&facts);
        dse_dataset_free(awkward);
    }
}

TESTS(NULL, NULL)
