/* Tables of numbers: every common way of writing them, and every rejection with its line and column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "datasets/tables.h"
#include "tests/test.h"

static enum dse_status parse(const char *words, size_t size, struct dse_data_table **table, struct dse_error *err)
{
    char *copy = malloc(size + 1); /* a copy of its own size, so that a sanitizer sees reads beyond it */
    assert_non_null(copy);
    memcpy(copy, words, size);
    copy[size] = '\0';
    struct dse_text text = {.name = (char *)(uintptr_t)"t.csv", .data = copy, .size = size};
    enum dse_status status = dse_data_table_read("t", &text, NULL, table, err);
    free(copy);
    return status;
}

/* The table of three columns and two rows that most of the texts below contain: 1 2 3 / 4 5 -60. */
static void expect_table(const char *words, char separator, bool header, const char *first)
{
    static const double values[] = {1, 2, 3, 4, 5, -60};
    struct dse_error err = {0};
    struct dse_data_table *table = NULL;
    if (parse(words, strlen(words), &table, &err) != DSE_OK)
        fail_msg("\"%s\": %s", words, err.message);
    if (table->columns != 3 || table->rows != 2 || table->separator != separator || table->header != header)
        fail_msg("\"%s\": %zu x %zu, separator %d, header %d", words, table->rows, table->columns, table->separator,
                 table->header);
    assert_memory_equal(table->values, values, sizeof values);
    assert_string_equal(table->column[0], first);
    assert_int_equal(table->target, 2);
    dse_data_table_free(table);
}

/* The limits of single precision, in which families compute. */
TEST(test_largest)
{
    static const char *const beyond[] = {"a,b\n1,2\n3.5e38,4\n", "a,b\n1,2\n-1e308,4\n"};
    struct dse_error err = {0};
    struct dse_data_table *table = NULL;
    OK(parse("a,b\n1,2\n3.4e38,-3.4e38\n", strlen("a,b\n1,2\n3.4e38,-3.4e38\n"), &table, &err));
    dse_data_table_free(table);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        FAILS(DSE_BAD_INPUT, "t.csv:3: column 1 (\"a\")", parse(beyond[i], strlen(beyond[i]), &table, &why));
    }
}

TEST(test_ways_of_writing)
{
    expect_table("1,2,3\n4,5,-60\n", ',', false, "column 1");
    expect_table("1;2;3\n4;5;-60", ';', false, "column 1");
    expect_table("1\t2\t3\r\n4\t5\t-60\r\n", '\t', false, "column 1");
    expect_table("1 2  3\n 4   5 -60  \n", ' ', false, "column 1");
    expect_table("  1\t 2  3\n4 5\t\t-60\n\n \n", ' ', false, "column 1");
    expect_table("1,2,3\r4,5,-60\r", ',', false, "column 1");
    expect_table("\xEF\xBB\xBF" "a,b,c\n1, 2 ,3\n4,5,-6e1\n", ',', true, "a");
    expect_table("\"a b\";\"b,1\";\"c;2\"\n1;2;3\n\"4\";\" 5 \";-60\n", ';', true, "a b");
    expect_table("\"say \"\"a\"\"\",b,c\n1,2,3\n4,5,-60.0\n", ',', true, "say \"a\"");
    expect_table("\"a\nb\",b,c\n1,2,3\n4,5,-60\n", ',', true, "a b");
    expect_table("a b c\n1 2 3\n4 5 -60\n", ' ', true, "a");
    expect_table("a;b, and more;c\n1;2;3\n4;5;-60\n", ';', true, "a");
    expect_table("1990,y,z\n1,2,3\n4,5,-60\n", ',', true, "1990");
    expect_table(",b,c\n1,2,3\n4,5,-60\n", ',', true, "column 1");
    expect_table("\xB0" "C,b,c\n+1,2.,3\n4,.5e1,-60\n", ',', true, "?C");
    expect_table("\xC2\xB0" "C,b,c\n1,2,3\n4,5,-60\n", ',', true, "\xC2\xB0" "C");
}

static void expect_rejection(const char *words, size_t size, enum dse_status expected, const char *const *parts)
{
    struct dse_error err = {0};
    struct dse_data_table *table = NULL;
    enum dse_status status = parse(words, size, &table, &err);
    if (status != expected)
        fail_msg("\"%s\": status %d, %s", words, (int)status, err.message);
    assert_null(table);
    for (; *parts != NULL; parts++)
        if (strstr(err.message, *parts) == NULL)
            fail_msg("\"%s\": \"%s\" does not say \"%s\"", words, err.message, *parts);
}

#define REJECTED(words, ...)                                                                                  \
    expect_rejection(words, sizeof words - 1, DSE_BAD_INPUT, (const char *const[]){__VA_ARGS__, NULL})

TEST(test_rejections)
{
    REJECTED("", "t.csv", "empty");
    REJECTED(" \n\n", "empty");
    REJECTED("a,b\n", "no rows");
    REJECTED("1\n2\n", "single column");
    REJECTED("1,2\n3\n", "t.csv:2", "1 cells", "has 2");
    REJECTED("1,2\n3,4,5,6\n", "t.csv:2", "more than 2 cells");
    REJECTED("1,2\n\n3,4\n", "t.csv:2", "empty line");
    REJECTED("x,day,y\n1,mon,2\n2,7,2\n", "t.csv:2", "\"day\"", "\"mon\"", "--drop");
    REJECTED("x,month,day,y\n1,mar,fri,2\n2,3,4,5\n", "columns", "\"month\" (\"mar\"), \"day\" (\"fri\")");
    REJECTED("x,y\n1,low\n2,high\n", "t.csv:2", "target", "\"y\"", "\"low\"");
    REJECTED("x,s,y\n1,1;5,2\n", "t.csv:2", "\"1;5\"");
    REJECTED("x,s,y\n1,1e999,2\n", "t.csv:2", "\"1e999\"");
    REJECTED("a,b,c\n1,,3\n", "t.csv:2", "column 2 (\"b\")", "missing");
    REJECTED("1,,3\n1,2,3\n", "t.csv:1", "column 2", "missing");
    REJECTED("a;b;c\n1;2;3\n1;2;NA\n", "t.csv:3", "column 3 (\"c\")", "missing");
    REJECTED("a b c\n1 2 3\n1 ? 3\n", "t.csv:3", "column 2 (\"b\")", "missing");
    REJECTED("a,b\n1,nan\n", "t.csv:2", "column 2", "missing");
    REJECTED("a,b\n1,inf\n", "t.csv:2", "\"b\"", "inf");
    REJECTED("a,b\n1,1e999\n", "t.csv:2", "1e999");
    REJECTED("a,b\n1,0x10\n", "t.csv:2", "0x10");
    REJECTED("a;b;c\n1,5;2;3\n", "t.csv:2", "\"1,5\"");
    REJECTED("a,b\n1,\"2\n3,4\n", "t.csv:2", "quote");
    REJECTED("a,b\n1,\"2\"x\n", "t.csv:2", "quote");
    REJECTED("a,b\n1,2\0\n", "not text", "NUL");
    REJECTED("PAR1\0\0\0\0", "not text but a Parquet file; what is read: text, .npz, .zip, .tar, .tar.gz, .gz");
    REJECTED("\xff\xfe" "1\0,\0", "not text but text in UTF-16");
    REJECTED("a,b\n\"1\n2\",3\n4\n", "t.csv:4", "1 cells");
}

/* A column of the parts that --split reads is no input, and no target where it is the last. */
TEST(test_split_column)
{
    static const char *const tables[] = {"split,x,y\ntrain,1,10\ntest,2,20\n", "x,y,split\n1,10,training\n2,20,val\n"};
    struct dse_error err = {0};
    for (size_t i = 0; i < 2; i++) {
        struct dse_data_table *table = NULL;
        assert_int_equal(parse(tables[i], strlen(tables[i]), &table, &err), DSE_OK);
        assert_int_equal(table->columns, 2);
        assert_string_equal(table->column[0], "x");
        assert_string_equal(table->column[table->target], "y");
        assert_non_null(strstr(table->remark, "column split"));
        dse_data_table_free(table);
    }
    REJECTED("split,y\ntrain,1\ntest,2\n", "only 1 columns remain");
}

/* A column of words becomes one column per word, in alphabetical order; rows without a value are dropped on request, including their words. */
TEST(test_categories_and_choices)
{
    static const char words[] = "id,town,x,y\n7,Salem,1,10\n8,Boston,2,20\n9,,3,30\n10,Salem,?,40\n11,Avon,?,50\n12,Boston,5,60\n";
    char id[] = "id", x[] = "x", fourth[] = "4", none[] = "idd", *drop[] = {id}, *columns[] = {x, fourth}, *wrong[] = {none};
    struct dse_table_reading reading = {.drop = drop, .drop_count = 1, .drops_missing = true};
    const struct dse_text text = {(char *)(uintptr_t)"t.csv", (char *)(uintptr_t)words, sizeof words - 1};
    struct dse_data_table *table = NULL;
    struct dse_error err = {0};
    assert_int_equal(dse_data_table_read("t", &text, &reading, &table, &err), DSE_OK);
    const char *const names[] = {"town=Boston", "town=Salem", "x", "y"};
    const double values[] = {0, 1, 1, 10, 1, 0, 2, 20, 1, 0, 5, 60};
    assert_int_equal(table->columns, 4);
    assert_int_equal(table->rows, 3);
    assert_int_equal(table->dropped_rows, 3);
    for (size_t c = 0; c < 4; c++)
        assert_string_equal(table->column[c], names[c]);
    assert_memory_equal(table->values, values, sizeof values);
    assert_non_null(strstr(table->remark, "town (2 words)"));
    assert_non_null(strstr(table->remark, "3 of 6 rows"));
    dse_data_table_free(table);
    reading = (struct dse_table_reading){.columns = columns, .column_count = 2, .drops_missing = true};
    assert_int_equal(dse_data_table_read("t", &text, &reading, &table, &err), DSE_OK);
    assert_int_equal(table->columns, 2);
    assert_int_equal(table->rows, 4);
    assert_string_equal(table->remark, "leaves out 2 of 6 rows without a value");
    dse_data_table_free(table);
    reading = (struct dse_table_reading){.drop = wrong, .drop_count = 1};
    FAILS(DSE_BAD_USAGE, "did you mean \"id\"", dse_data_table_read("t", &text, &reading, &table, &why));
    reading = (struct dse_table_reading){.columns = drop, .column_count = 1};
    FAILS(DSE_BAD_USAGE, "only 1 columns remain", dse_data_table_read("t", &text, &reading, &table, &why));
    FAILS(DSE_BAD_INPUT, "t.csv:4", dse_data_table_read("t", &text, NULL, &table, &why));
}

TEST(test_huge_cells)
{
    struct dse_error err = {0};
    struct dse_data_table *table = NULL;
    size_t size = 3000000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text + size - 7, ",b\n1,2\n", 7);
    FAILS(DSE_BAD_INPUT, "1000 bytes", parse(text, size, &table, &why));
    memcpy(text, "a,b\n1,", 6);
    text[size - 1] = '\n';
    assert_int_equal(parse(text, size, &table, &err), DSE_BAD_INPUT);
    memset(text, '0', size - 7); /* a number of millions of digits is a number */
    memcpy(text + size - 7, ",7\n1,2\n", 7);
    assert_int_equal(parse(text, size, &table, &err), DSE_OK);
    assert_true(table->values[0] == 0.0);
    dse_data_table_free(table);
    memset(text, ',', size);
    FAILS(DSE_BAD_INPUT, "65536 columns", parse(text, size, &table, &why));
    free(text);
}

TEST(test_targets)
{
    struct dse_error err = {0};
    struct dse_data_table *table = NULL;
    static const char words[] = "speed,chord,speed,2\n1,2,3,4\n";
    assert_int_equal(parse(words, sizeof words - 1, &table, &err), DSE_OK);
    assert_int_equal(dse_data_table_set_target(table, "chord", &err), DSE_OK);
    assert_int_equal(table->target, 1);
    assert_int_equal(dse_data_table_set_target(table, "2", &err), DSE_OK); /* a name takes precedence over a number */
    assert_int_equal(table->target, 3);
    assert_int_equal(dse_data_table_set_target(table, "1", &err), DSE_OK);
    assert_int_equal(table->target, 0);
    FAILS(DSE_BAD_USAGE, "2 columns", dse_data_table_set_target(table, "speed", &why));
    FAILS(DSE_BAD_USAGE, "did you mean \"chord\"", dse_data_table_set_target(table, "cord", &why));
    assert_int_equal(dse_data_table_set_target(table, "5", &err), DSE_BAD_USAGE);
    assert_int_equal(dse_data_table_set_target(table, "0", &err), DSE_BAD_USAGE);
    dse_data_table_free(table);
}

/* The hash covers the numbers, not their notation or names. */
TEST(test_hash)
{
    static const char *const same[] = {"1,2\n3,4\n", "a;b\r\n1.0;2\r\n3;4e0\r\n", " 1 2\n 3 4\n"};
    static const char *const others[] = {"1,2\n3,5\n", "1,2,3,4\n", "3,4\n1,2\n"};
    uint64_t hash = 0;
    for (size_t i = 0; i < 6; i++) {
        struct dse_error err = {0};
        struct dse_data_table *table = NULL;
        const char *words = i < 3 ? same[i] : others[i - 3];
        assert_int_equal(parse(words, strlen(words), &table, &err), DSE_OK);
        if (i == 0)
            hash = table->hash;
        assert_true((table->hash == hash) == (i < 3));
        dse_data_table_free(table);
    }
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(dse_file_write(path, text, strlen(text), NULL), DSE_OK);
}

static void expect_open(const char *name, const char *folder, const char *expected)
{
    struct dse_error err = {0};
    struct dse_dataset *data = NULL;
    enum dse_status status = dse_dataset_open(name, folder, &data, &err);
    if (status != DSE_OK)
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(data->kind == &dse_kind_table, true);
    assert_int_equal(dse_dataset_items(data), dse_dataset_table(data)->rows);
    assert_string_equal(data->name, expected);
    assert_true(data->hash == dse_dataset_table(data)->hash);
    dse_dataset_free(data);
}

/* Places of tables: a file, the only one in a folder, a name in the data sets' folder. */
TEST(test_places)
{
    struct dse_error err = {0};
    struct dse_dataset *data = NULL;
    char folder[] = "/tmp/nysx-table-XXXXXX", command[128];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("sets", 0700) | mkdir("sets/air", 0700) | mkdir("sets/two", 0700), 0);
    write_text("sets/air/noise.dat", "1 2\n3 4\n");
    write_text("sets/air/readme.txt", "no table\n");
    write_text("sets/two/red.csv", "1,2\n");
    write_text("sets/two/white.csv", "1,2\n");
    write_text("sets/Power.CSV", "1,2\n");
    write_text("plain", "1,2\n");
    expect_open("plain", NULL, "plain");
    expect_open("./plain", NULL, "plain");
    expect_open("sets/air", NULL, "noise");
    expect_open("air", "sets", "noise");
    expect_open("air/noise.dat", "sets", "noise");
    expect_open("power", "sets", "Power");
    expect_open("power.csv", "sets", "Power");
    expect_open("two/red.csv", "sets", "red");
    FAILS(DSE_BAD_USAGE, "red.csv, white.csv", dse_dataset_open("two", "sets", &data, &why));
    assert_int_equal(dse_dataset_open("nowhere", "sets", &data, &err), DSE_BAD_USAGE);
    assert_int_equal(dse_dataset_open("sets/nowhere.csv", NULL, &data, &err), DSE_BAD_INPUT);
    assert_null(data);
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

TEST(test_facts)
{
    struct dse_error err = {0};
    struct dse_setting facts = {0};
    static const char words[] = "a b;k;the target\n1;7;2\n2;7;4\n3;7;9\n";
    struct dse_data_table *table = NULL;
    assert_int_equal(parse(words, sizeof words - 1, &table, &err), DSE_OK);
    struct dse_dataset data = {.kind = &dse_kind_table, .content = table};
    dse_dataset_facts(&data, &facts);
    static const char *const expected[][2] = {{"rows", "3"}, {"inputs", "2"}, {"header", "yes"},
                                              {"separator", "semicolon"}, {"target", "the_target"}, {"target_mean", "5"},
                                              {"target_min", "2"}, {"target_max", "9"}, {"constant_inputs", "1"},
                                              {"target_std", "2.94392029"}, {"target_mad", "2.66666667"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(dse_setting_get(&facts, expected[i][0]), expected[i][1]);
    dse_setting_free(&facts);
    dse_data_table_free(table);
}

/* The real sets, compared with independent counts. */
TEST(test_real)
{
    static const struct {
        const char *path;
        size_t rows, columns;
    } sets[] = {{"airfoil", 1503, 6}, {"ccpp", 9568, 5}, {"wine/winequality-red.csv", 1599, 12},
                {"wine/winequality-white.csv", 4898, 12}};
    const char *chosen = getenv("NYSX_DATA_DIR");
    const char *folder = chosen != NULL && *chosen != '\0' ? chosen : NYSX_TEST_SOURCE_DIR "/../shared/datasets";
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct dse_error err = {0};
        struct dse_dataset *data = NULL;
        if (dse_dataset_open(sets[i].path, folder, &data, &err) != DSE_OK) {
            fprintf(stderr, "SKIPPED: %s: set NYSX_DATA_DIR to the folder of the real data sets\n", err.message);
            skip();
        }
        assert_int_equal(dse_dataset_table(data)->rows, sets[i].rows);
        assert_int_equal(dse_dataset_table(data)->columns, sets[i].columns);
        dse_dataset_free(data);
    }
}

TESTS(NULL, NULL)
