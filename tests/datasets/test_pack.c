/* Folders and zip archives: places of files, and damaged archives. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "core/file.h"
#include "datasets/graphs.h"
#include "datasets/bundle.h"
#include "tests/test.h"

static const char *const parts[][2] = {
    {"A.txt", "1, 2\n2, 1\n"}, {"graph_indicator.txt", "1\n1\n"}, {"graph_labels.txt", "1\n"}};
#define PART_COUNT (sizeof parts / sizeof *parts)

/* A folder of its own for each test, gone afterwards. */
static int enter_folder(void **state)
{
    static char folder[] = "/tmp/nysx-pack-XXXXXX";
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    *state = mkdtemp(folder);
    return *state != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    return chdir("/") == 0 ? system(command) : -1;
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(dse_file_write(path, text, strlen(text), NULL), DSE_OK);
}

static void write_set(const char *prefix)
{
    for (size_t i = 0; i < PART_COUNT; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", prefix, parts[i][0]);
        write_text(path, parts[i][1]);
    }
}

static void add_member(zip_t *archive, const char *name, const char *text)
{
    zip_source_t *source = zip_source_buffer(archive, text, strlen(text), 0);
    assert_true(source != NULL && zip_file_add(archive, name, source, 0) >= 0);
}

/* An archive with a set at each of the NULL-ended prefixes, and optionally one more member. */
static void zip_sets(const char *path, const char *const *prefixes, const char *extra, const char *extra_text)
{
    int code;
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(archive);
    for (; *prefixes != NULL; prefixes++)
        for (size_t i = 0; i < PART_COUNT; i++) {
            char name[128];
            snprintf(name, sizeof name, "%s%s", *prefixes, parts[i][0]);
            add_member(archive, name, parts[i][1]);
        }
    if (extra != NULL)
        add_member(archive, extra, extra_text);
    assert_int_equal(zip_close(archive), 0);
}

static void zip_one(const char *path, const char *prefix)
{
    zip_sets(path, (const char *const[]){prefix, NULL}, NULL, NULL);
}

static void is_read(const char *path, const char *name)
{
    struct dse_error err = {0};
    struct dse_graph_set *set;
    if (dse_graph_set_read(path, &set, &err) != DSE_OK)
        fail_msg("%s", err.message);
    assert_string_equal(set->name, name);
    assert_int_equal(set->arc_count, 2);
    dse_graph_set_free(set);
}

static void is_rejected(const char *path, const char *message)
{
    struct dse_error err = {0};
    struct dse_graph_set *set;
    assert_int_equal(dse_graph_set_read(path, &set, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, message);
    assert_null(set);
}

TEST_IN(sets_are_found_wherever_they_lie, enter_folder, leave_folder)
{
    assert_int_equal(mkdir("T", 0777) + mkdir("copy", 0777), 0);
    write_set("T/T_");
    write_set("copy/T_");
    zip_one("T.zip", "T/T_");
    zip_one("flat.zip", "T_");
    zip_one("deep.zip", "data/raw/T_");
    zip_sets("U.zip", (const char *const[]){"__MACOSX/U/._U_", "U/old/U_", "U/U_", "U/._U_", "other/X_", NULL}, NULL,
             NULL);
    static const char *const places[] = {"T", "T/", "./T", "copy", "T.zip", "flat.zip", "deep.zip"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        is_read(places[i], "T");
    is_read("U.zip", "U");
    zip_one("windows.zip", "T\\\\T_");
    is_read("windows.zip", "T");
    assert_int_equal(chdir("T"), 0);
    is_read(".", "T");
    assert_int_equal(chdir(".."), 0);
}

TEST_IN(places_without_a_set_are_rejected, enter_folder, leave_folder)
{
    assert_int_equal(mkdir("E", 0777) + mkdir("V", 0777), 0);
    write_set("V/a_");
    write_set("V/b_");
    write_text("note.txt", "no archive at all");
    write_text("empty.zip", "");
    zip_sets("N.zip", (const char *const[]){NULL}, "N/readme.txt", "no set");
    zip_sets("W.zip", (const char *const[]){"x/a_", "y/a_", NULL}, NULL, NULL);
    zip_sets("M.zip", (const char *const[]){"__MACOSX/M/._M_", NULL}, NULL, NULL);
    zip_sets("P.zip", (const char *const[]){NULL}, "P/P_A.txt", "1, 2\n");
    zip_one("L.zip", "L/L_");
    is_rejected("E", "E: not a TUDataset: holds no E_A.txt");
    is_rejected("V", "V: holds several data sets, but none is called V: a_A.txt, b_A.txt");
    is_rejected("W.zip", "W.zip: holds several data sets, but none is called W: x/a_A.txt, y/a_A.txt");
    is_rejected("N.zip", "N.zip: not a TUDataset: holds no N_A.txt");
    is_rejected("M.zip", "M.zip: not a TUDataset: holds no M_A.txt");
    is_rejected("P.zip", "P.zip:P/P_graph_indicator.txt: missing: a TUDataset needs it");
    is_rejected("note.txt", "note.txt: neither a folder nor a zip archive");
    is_rejected("empty.zip", "empty.zip: neither a folder nor a zip archive");
    is_rejected("nowhere.zip", "nowhere.zip: cannot open: No such file or directory");
    is_rejected("/dev/null", "/dev/null: neither a folder nor a file");
    is_rejected("nowhere/", "nowhere/: cannot open: No such file or directory");
}

TEST_IN(messages_name_the_member_and_line, enter_folder, leave_folder)
{
    assert_int_equal(mkdir("B", 0777), 0);
    write_set("B/B_");
    write_text("B/B_node_labels.txt", "1\nx\n");
    zip_sets("B.zip", (const char *const[]){"B/B_", NULL}, "B/B_node_labels.txt", "1\nx\n");
    is_rejected("B", "B/B_node_labels.txt:2: \"x\": must be one whole number, the node's label");
    is_rejected("./B.zip", "./B.zip:B/B_node_labels.txt:2: \"x\": must be one whole number, the node's label");
}

/* Cuts or changes the bytes of T.zip. */
static void damage(const char *path, size_t keep, size_t flip)
{
    char *data;
    size_t size;
    assert_int_equal(dse_file_read("T.zip", 1 << 20, &data, &size, NULL), DSE_OK);
    if (flip > 0)
        data[flip] ^= 0x55;
    assert_int_equal(dse_file_write(path, data, keep > 0 ? keep : size, NULL), DSE_OK);
    free(data);
}

static size_t find_bytes(const char *needle)
{
    char *data;
    size_t size;
    assert_int_equal(dse_file_read("T.zip", 1 << 20, &data, &size, NULL), DSE_OK);
    const char *found = memmem(data, size, needle, strlen(needle));
    assert_non_null(found);
    size_t place = (size_t)(found - data);
    free(data);
    return place;
}

TEST_IN(damaged_archives_are_rejected, enter_folder, leave_folder)
{
    zip_one("T.zip", "T/T_");
    damage("cut.zip", 100, 0);
    is_rejected("cut.zip", "cut.zip: truncated zip archive: the directory at its end is missing");
    damage("flipped.zip", 0, find_bytes("1, 2"));
    is_rejected("flipped.zip", "flipped.zip:T/T_A.txt: damaged: its check sum (CRC-32) is wrong");
    /* An archive cut at any place is rejected. */
    char *data;
    size_t size;
    assert_int_equal(dse_file_read("T.zip", 1 << 20, &data, &size, NULL), DSE_OK);
    for (size_t keep = 0; keep < size; keep++) {
        struct dse_error err = {0};
        struct dse_graph_set *set;
        assert_int_equal(dse_file_write("part.zip", data, keep, NULL), DSE_OK);
        assert_int_equal(dse_graph_set_read("part.zip", &set, &err), DSE_BAD_INPUT);
    }
    free(data);
}

TEST_IN(an_archive_cannot_blow_up_memory, enter_folder, leave_folder)
{
    size_t size = 1 << 20;
    char *zeros = malloc(size + 1);
    assert_non_null(zeros);
    memset(zeros, '0', size);
    zeros[size] = '\0';
    zip_sets("bomb.zip", (const char *const[]){NULL}, "b.txt", zeros);
    free(zeros);
    struct dse_bundle *pack;
    struct dse_text text;
    struct dse_error err = {0};
    assert_int_equal(dse_bundle_open("bomb.zip", &pack, &err), DSE_OK);
    assert_int_equal(dse_bundle_read(pack, "b.txt", size - 1, &text, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, "bomb.zip:b.txt: larger than the allowed 1048575 bytes");
    assert_null(text.data);
    assert_int_equal(dse_bundle_read(pack, "b.txt", size, &text, &err), DSE_OK);
    assert_int_equal(text.size, size);
    dse_text_free(&text);
    assert_int_equal(dse_bundle_read(pack, "none.txt", size, &text, &err), DSE_OK);
    assert_null(text.data);
    dse_text_free(&text);
    dse_bundle_close(pack);
}

TEST_IN(a_member_that_lies_about_its_size_is_rejected, enter_folder, leave_folder)
{
    zip_one("T.zip", "T/T_");
    char *data;
    size_t size;
    assert_int_equal(dse_file_read("T.zip", 1 << 20, &data, &size, NULL), DSE_OK);
    /* The central directory's entry: the uncompressed size stands 24 bytes behind its signature. */
    char *entry = memmem(data, size, "PK\1\2", 4);
    assert_non_null(entry);
    entry[24] = 4;
    assert_int_equal(dse_file_write("lie.zip", data, size, NULL), DSE_OK);
    entry[24] = 100;
    assert_int_equal(dse_file_write("short.zip", data, size, NULL), DSE_OK);
    free(data);
    struct dse_error err = {0};
    struct dse_graph_set *set;
    assert_int_equal(dse_graph_set_read("lie.zip", &set, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_graph_set_read("short.zip", &set, &err), DSE_BAD_INPUT);
}

TEST_IN(data_sets_are_found_by_name_or_path, enter_folder, leave_folder)
{
    assert_int_equal(mkdir("data", 0777) + mkdir("data/T", 0777), 0);
    write_set("data/T/T_");
    zip_one("data/U.zip", "U/U_");
    static const char *const found[][3] = {
        {"T", "data", "T"}, {"U", "data", "U"}, {"data/T", NULL, "T"}, {"data/U.zip", NULL, "U"}, {"T", NULL, "T"},
        {"t", "data", "T"}, {"u", "data/", "U"}, {"v", "data", "V"}, {"V", "data", "V"}};
    assert_int_equal(mkdir("data/v", 0777) + mkdir("data/V", 0777), 0);
    write_set("data/v/V_");
    write_set("data/V/V_");
    write_text("data/t", "no folder");
    setenv("NYSX_DATA_DIR", "data", 1);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        struct dse_error err = {0};
        struct dse_dataset *dataset;
        if (dse_dataset_open(found[i][0], found[i][1], &dataset, &err) != DSE_OK)
            fail_msg("%s", err.message);
        assert_string_equal(dataset->name, found[i][2]);
        assert_true(dataset->hash == dse_dataset_graphs(dataset)->hash);
        dse_dataset_free(dataset);
    }
    unsetenv("NYSX_DATA_DIR");
}

TEST_IN(names_that_are_nowhere_are_rejected, enter_folder, leave_folder)
{
    struct dse_error err = {0};
    struct dse_dataset *dataset;
    assert_int_equal(dse_dataset_open("X", "data", &dataset, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "no data set \"X\": looked for data/X/, data/X.zip and tables such as data/X.csv (--data-dir or NYSX_DATA_DIR sets the folder of data sets; a path needs a /)");
    assert_int_equal(dse_dataset_open("", "data", &dataset, &err), DSE_BAD_USAGE);
    assert_int_equal(dse_dataset_open("X.zip", "data", &dataset, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, "X.zip: cannot open: No such file or directory");
    assert_int_equal(dse_dataset_open("some/X", NULL, &dataset, &err), DSE_BAD_INPUT);
    assert_null(dataset);
}

TESTS(NULL, NULL)
