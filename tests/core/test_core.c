/* core/: units, random numbers, settings, strings, files, threads, names. */
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/csv.h"
#include "core/file.h"
#include "core/list.h"
#include "core/names.h"
#include "core/number.h"
#include "core/order.h"
#include "core/parallel.h"
#include "core/percentile.h"
#include "core/rng.h"
#include "core/setting.h"
#include "core/strbuf.h"
#include "core/units.h"
#include "core/utf8.h"
#include "tests/test.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Every percentile of lists of 1 to 300 values, many of them equal, is the one found by sorting: the first value with at least percent ·
 * count / 100 values at or before it. */
TEST(percentiles_are_of_nearest_rank)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 0);
    for (size_t count = 1; count <= 300; count += count < 20 ? 1 : 40)
        for (size_t percent = 0; percent <= 100; percent++) {
            double values[300], sorted[300];
            for (size_t i = 0; i < count; i++)
                sorted[i] = values[i] = (double)dse_rng_below(&rng, percent % 2 == 0 ? 10 : 1000);
            qsort(sorted, count, sizeof *sorted, ascending);
            size_t rank = 0;
            while ((rank + 1) * 100 < percent * count)
                rank++;
            assert_true(dse_percentile(values, count, percent) == sorted[rank]);
            qsort(values, count, sizeof *values, ascending);
            assert_memory_equal(values, sorted, count * sizeof *sorted);
        }
}

/* Few and many numbers of 1 to 8 bytes, of both signs, are sorted as by qsort. */
TEST(test_sort)
{
    enum { MOST = 1000 };
    struct dse_rng rng;
    dse_rng_seed(&rng, 7, 0);
    for (size_t count = 0; count <= MOST; count = 2 * count + 1)
        for (int bits = 0; bits < 64; bits += 7) {
            int64_t values[MOST], sorted[MOST];
            for (size_t i = 0; i < count; i++)
                sorted[i] = values[i] = (int64_t)(dse_rng_u64(&rng) >> bits) * (bits % 2 == 0 ? 1 : -1);
            qsort(sorted, count, sizeof *sorted, dse_by_int64);
            dse_sort_int64(values, count);
            assert_memory_equal(values, sorted, count * sizeof *sorted);
        }
}

static void check_quantity(const char *text, enum dse_dimension dimension, double expected, const char *rest)
{
    double value = NAN;
    bool percent = false;
    const char *end = NULL;
    if (!dse_quantity_parse(text, dimension, &value, &percent, &end))
        fail_msg("%s was rejected", text);
    if (fabs(value - expected) > 1e-12 * fabs(expected))
        fail_msg("%s was read as %.17g", text, value);
    assert_string_equal(end, rest);
}

TEST(test_quantities)
{
    check_quantity("0.5ms", DSE_DIMENSION_TIME, 0.5e-3, "");
    check_quantity("0.5 ms", DSE_DIMENSION_TIME, 0.5e-3, "");
    check_quantity("12us && x", DSE_DIMENSION_TIME, 12e-6, " && x");
    check_quantity("12µs", DSE_DIMENSION_TIME, 12e-6, "");
    check_quantity("12μs", DSE_DIMENSION_TIME, 12e-6, ""); /* a Greek mu */
    check_quantity("3", DSE_DIMENSION_TIME, 3.0, "");
    check_quantity("300MHz", DSE_DIMENSION_FREQUENCY, 300e6, "");
    check_quantity("1.5MiB", DSE_DIMENSION_BYTES, 1.5 * 1048576, "");
    check_quantity("2kB", DSE_DIMENSION_BYTES, 2000, "");
    check_quantity("3.425 k/s", DSE_DIMENSION_RATE, 3425, "");
    check_quantity("3.425k samples/s", DSE_DIMENSION_RATE, 3425, "");
    check_quantity("7 nodes/s", DSE_DIMENSION_RATE, 7, "");
    check_quantity("7 /s", DSE_DIMENSION_RATE, 7, "");
    check_quantity("3kHz", DSE_DIMENSION_RATE, 3000, "");
    check_quantity("19.2GB/s", DSE_DIMENSION_BANDWIDTH, 19.2e9, "");
    check_quantity("10mJ", DSE_DIMENSION_ENERGY, 0.01, "");
    static const char *const rejected[] = {"ms", "", "1e999s", "nan", "5kg", "5 m", "5msx"};
    for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
        double value;
        bool percent;
        const char *end;
        if (dse_quantity_parse(rejected[i], DSE_DIMENSION_TIME, &value, &percent, &end))
            fail_msg("\"%s\" was accepted", rejected[i]);
    }
}

TEST(test_numbers)
{
    static const char *const none[] = {"", " 5", "5 ", "0x10", "nan", "inf", "5,", "--5", "e5", ".", "+", "1e", "5m"};
    static const double sizes[] = {0.0, 1.0, -2.5, 0.01, 1e-6, 123456789.125, 1e22, 0.1 + 0.2, 5e-324, -1.7976931348623157e308};
    int64_t whole = 0;
    double real = 0.0;
    char text[400];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(dse_number_whole(none[i], &whole), DSE_NUMBER_NONE);
        assert_int_equal(dse_number_real(none[i], &real), DSE_NUMBER_NONE);
    }
    assert_int_equal(dse_number_whole("-007", &whole), DSE_NUMBER_READ);
    assert_int_equal(whole, -7);
    assert_int_equal(dse_number_whole("1e2", &whole), DSE_NUMBER_NONE);
    assert_int_equal(dse_number_whole("9223372036854775808", &whole), DSE_NUMBER_LARGE);
    assert_int_equal(dse_number_real("-.5E+1", &real), DSE_NUMBER_READ);
    assert_true(real == -5.0);
    assert_int_equal(dse_number_real("1e-400", &real), DSE_NUMBER_READ);
    assert_true(real == 0.0);
    assert_int_equal(dse_number_real("1e400", &real), DSE_NUMBER_LARGE);
    assert_int_equal(dse_number_length("5.min"), 2);
    assert_int_equal(dse_number_length("1e5x"), 3);
    assert_int_equal(dse_number_length("1ex"), 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        dse_number_format(text, sizeof text, sizes[i]);
        assert_null(strpbrk(text, "eE"));
        assert_int_equal(dse_number_real(text, &real), DSE_NUMBER_READ);
        assert_true(real == sizes[i]);
    }
    assert_string_equal(dse_number_format(text, sizeof text, 0.01), "0.01");
}

/* The definition of the shortest form: "%.15g", or more digits if these do not read back as the number. */
TEST(the_shortest_number_is_that_of_printf)
{
    static const double ends[] = {0.0, -1.5, 1e-8, 9.99999999999999e-9, 1e-5, 1e-4, 0.1, 10.0, 1e5, 123456789012345.0, 999999999999999.0, 1e15, INFINITY};
    struct dse_rng rng;
    dse_rng_seed(&rng, 7, 0);
    for (size_t i = 0; i < 100000; i++) {
        char text[32], slow[32];
        double drawn = ldexp((double)(dse_rng_u64(&rng) >> 11), (int)dse_rng_below(&rng, 100) - 110);
        double few = (double)dse_rng_below(&rng, 1000000) / pow(10.0, (double)dse_rng_below(&rng, 14));
        double power = ldexp(1.0, (int)dse_rng_below(&rng, 90) - 40), beside = nextafter(power, i % 9 < 3 ? 0.0 : i % 9 < 6 ? INFINITY : power);
        double value = i < sizeof ends / sizeof *ends ? ends[i] : i % 3 == 0 ? drawn : i % 3 == 1 ? few : beside;
        for (int digits = 15; digits <= 17; digits++)
            if (snprintf(slow, sizeof slow, "%.*g", digits, value) > 0 && strtod(slow, NULL) == value)
                break;
        assert_string_equal(dse_number_shortest(text, sizeof text, value), slow);
    }
}

TEST(test_formats)
{
    char text[64];
    assert_string_equal(dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, 1.2345e-3), "1.234 ms");
    assert_string_equal(dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, 59.68e-6), "59.68 µs");
    assert_string_equal(dse_ratio_format(text, sizeof text, 3, 1234.5), "1.23e+03");
    assert_string_equal(dse_ratio_format(text, sizeof text, 4, 1.0000149), "1.00001"); /* not "1", which would not be a violation */
    assert_string_equal(dse_ratio_format(text, sizeof text, 4, nextafter(1.0, 2.0)), "1.0000000000000002");
    assert_string_equal(dse_ratio_format(text, sizeof text, 4, 1.0), "1");
    assert_string_equal(dse_quantity_format(text, sizeof text, DSE_DIMENSION_BYTES, 6000000), "5.722 MiB");
    assert_string_equal(dse_quantity_format(text, sizeof text, DSE_DIMENSION_BYTES, 170), "170 B");
    assert_string_equal(dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, 0.0), "0.000 s");
    static const struct {
        enum dse_dimension dimension;
        double value;
        const char *text;
    } cases[] = {{DSE_DIMENSION_FREQUENCY, 300e6, "300.0 MHz"},  {DSE_DIMENSION_FREQUENCY, 1.25e9, "1.250 GHz"},
                 {DSE_DIMENSION_RATE, 16750.0, "16.75 k/s"},
                 {DSE_DIMENSION_FREQUENCY, 16750.0, "16.75 kHz"}, {DSE_DIMENSION_FREQUENCY, 42.0, "42.00 Hz"},
                 {DSE_DIMENSION_FREQUENCY, 0.5, "500.0 mHz"},     {DSE_DIMENSION_ENERGY, 41.2e-6, "41.20 µJ"},
                 {DSE_DIMENSION_ENERGY, 999e-12, "999.0 pJ"},     {DSE_DIMENSION_POWER, 0.7, "700.0 mW"},
                 {DSE_DIMENSION_POWER, -2.5, "-2.500 W"},         {DSE_DIMENSION_BANDWIDTH, 19.2e9, "19.20 GB/s"},
                 {DSE_DIMENSION_BYTES, 1023, "1023 B"},           {DSE_DIMENSION_BYTES, 1024, "1.000 KiB"},
                 {DSE_DIMENSION_NONE, 12.5, "12.50"},             {DSE_DIMENSION_TIME, 1e-3, "1.000 ms"},
                 {DSE_DIMENSION_TIME, INFINITY, "inf"},           {DSE_DIMENSION_TIME, NAN, "-"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(dse_quantity_format(text, sizeof text, cases[i].dimension, cases[i].value), cases[i].text);
    assert_string_equal(dse_count_format(text, sizeof text, 1728), "1,728");
    assert_string_equal(dse_count_format(text, sizeof text, -1234567), "-1,234,567");
    assert_string_equal(dse_count_format(text, sizeof text, 0), "0");
}

TEST(test_random_numbers)
{
    struct dse_rng a, b, c;
    dse_rng_seed(&a, 1, 0);
    dse_rng_seed(&b, 1, 0);
    dse_rng_seed(&c, 1, 1);
    size_t counts[6] = {0}, same = 0;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < 60000; i++) {
        uint64_t x = dse_rng_u64(&a);
        assert_true(x == dse_rng_u64(&b));
        same += x == dse_rng_u64(&c);
        counts[dse_rng_below(&c, 6)]++;
        double normal = dse_rng_normal(&c);
        sum += normal;
        squares += normal * normal;
    }
    assert_int_equal(same, 0);
    for (int i = 0; i < 6; i++)
        assert_true(counts[i] > 9500 && counts[i] < 10500); /* five deviations are 460 */
    assert_true(fabs(sum / 60000) < 0.02 && fabs(squares / 60000 - 1.0) < 0.03);
    int32_t items[50], seen[50] = {0};
    for (int i = 0; i < 50; i++)
        items[i] = i;
    dse_rng_shuffle(&a, items, 50);
    for (int i = 0; i < 50; i++)
        seen[items[i]]++;
    for (int i = 0; i < 50; i++)
        assert_int_equal(seen[i], 1);
}

TEST(test_settings)
{
    struct dse_setting setting = {0}, copy, part = {0};
    dse_setting_put(&setting, "hops", "3");
    dse_setting_put(&setting, "dim", "100");
    dse_setting_put(&setting, "hops", "4");
    assert_int_equal(setting.count, 2);
    assert_string_equal(setting.pairs[0].name, "dim");
    assert_string_equal(dse_setting_get(&setting, "hops"), "4");
    assert_null(dse_setting_get(&setting, "hop"));
    dse_setting_copy(&setting, &copy);
    assert_int_equal(dse_setting_compare(&setting, &copy), 0);
    dse_setting_put(&part, "hops", "4");
    assert_true(dse_setting_contains(&setting, &part));
    assert_false(dse_setting_contains(&part, &setting));
    assert_true(dse_setting_compare(&setting, &part) != 0);
    dse_setting_free(&setting);
    dse_setting_free(&copy);
    dse_setting_free(&part);
}

TEST(test_strings)
{
    struct dse_strbuf buf = {0};
    assert_string_equal(dse_strbuf_text(&buf), "");
    for (int i = 0; i < 1000; i++)
        dse_strbuf_printf(&buf, "%d,", i);
    dse_strbuf_add_char(&buf, '-', 3);
    assert_int_equal(buf.length, strlen(buf.text));
    assert_string_equal(buf.text + buf.length - 7, "999,---");
    dse_strbuf_free(&buf);
    assert_int_equal(buf.length, 0);
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

TEST(test_files)
{
    char folder[] = "/tmp/nysx-core-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = dse_path_join(folder, "a/b/c.txt"), *parent = dse_path_join(folder, "a/b");
    struct dse_error err;
    assert_int_equal(dse_file_check(path, &err), DSE_LIMIT);
    assert_int_equal(dse_folder_check(path, &err), DSE_OK); /* could be made */
    assert_int_equal(dse_file_write(path, "x", 1, &err), DSE_LIMIT); /* no such folder yet */
    assert_int_equal(files_in(folder), 0);
    assert_int_equal(dse_folder_create(parent, &err), DSE_OK);
    assert_int_equal(dse_folder_create(parent, &err), DSE_OK);
    assert_int_equal(dse_file_write(path, "first", 5, &err), DSE_OK);
    assert_int_equal(dse_file_check(path, &err), DSE_OK);
    assert_int_equal(dse_folder_check(path, &err), DSE_LIMIT); /* a file */
    assert_int_equal(dse_file_check(parent, &err), DSE_LIMIT);
    assert_int_equal(files_in(parent), 1);
    /* Discarding a file keeps the old one, and leaves nothing else. */
    struct dse_file_writer writer;
    assert_int_equal(dse_file_begin(path, &writer, &err), DSE_OK);
    fputs("second", writer.stream);
    dse_file_abort(&writer);
    assert_int_equal(files_in(parent), 1);
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(dse_file_read(path, 100, &data, &size, &err), DSE_OK);
    assert_string_equal(data, "first");
    free(data);
    assert_int_equal(dse_file_read(path, 4, &data, &size, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_file_read(path, 5, &data, &size, &err), DSE_OK);
    free(data);
    assert_int_equal(dse_file_read(parent, 100, &data, &size, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_file_read("/nowhere/at all", 100, &data, &size, &err), DSE_BAD_INPUT); /* an error of the caller's words, not of the system */
    assert_int_equal(dse_file_write(parent, "x", 1, &err), DSE_LIMIT); /* a folder */
    char *stem = dse_path_stem(path, ".txt");
    assert_string_equal(stem, "c");
    free(stem);
    unlink(path);
    rmdir(parent);
    free(path);
    free(parent);
    char *middle = dse_path_join(folder, "a");
    rmdir(middle);
    free(middle);
    assert_int_equal(rmdir(folder), 0);
}

/* The test's own fsync: counts calls, and can simulate a full disk. */
static int flushed;
static bool disk_full;

int __wrap_fsync(int descriptor);

int __wrap_fsync(int descriptor)
{
    (void)descriptor;
    flushed++;
    errno = ENOSPC;
    return disk_full ? -1 : 0;
}

/* A result is synced to disk before it replaces the old one; if it cannot be, only the old one remains. */
TEST(test_results_are_flushed)
{
    char folder[] = "/tmp/nysx-core-XXXXXX", *data = NULL;
    assert_non_null(mkdtemp(folder));
    char *path = dse_path_join(folder, "result.txt");
    size_t size = 0;
    struct dse_error err;
    flushed = 0;
    assert_int_equal(dse_file_write(path, "old", 3, &err), DSE_OK);
    assert_int_equal(flushed, 2); /* the file, and its name in the folder */
    disk_full = true;
    assert_int_equal(dse_file_write(path, "new", 3, &err), DSE_LIMIT);
    disk_full = false;
    assert_int_equal(flushed, 3);
    assert_non_null(strstr(err.message, strerror(ENOSPC)));
    assert_int_equal(files_in(folder), 1);
    assert_int_equal(dse_file_read(path, 100, &data, &size, &err), DSE_OK);
    assert_string_equal(data, "old");
    free(data);
    unlink(path);
    free(path);
    assert_int_equal(rmdir(folder), 0);
}

/* The size limit also applies while a file of unknown size is read: 65,536 bytes through a pipe, the size of a first read. */
TEST(test_pipes_are_bounded)
{
    enum { BYTES = 65536 };
    for (size_t room = BYTES - 1; room <= BYTES; room++) {
        char name[64], *data = NULL;
        size_t size = 0;
        int ends[2];
        struct dse_error err;
        assert_int_equal(pipe(ends), 0);
        char *bytes = calloc(BYTES, 1);
        assert_non_null(bytes);
        pid_t writer = fork(); /* a pipe may hold less */
        if (writer == 0)
            _exit(write(ends[1], bytes, BYTES) == BYTES ? 0 : 1);
        close(ends[1]);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        enum dse_status status = dse_file_read(name, room, &data, &size, &err);
        assert_int_equal(status, room < BYTES ? DSE_BAD_INPUT : DSE_OK);
        if (status == DSE_OK) {
            assert_int_equal(size, BYTES);
            free(data);
        }
        close(ends[0]);
        assert_int_equal(waitpid(writer, NULL, 0), writer);
        free(bytes);
    }
}

/* Below 3 · 2^62, truncating the product's low half without a check would give every third number twice as often. */
TEST(test_large_bounds_are_even)
{
    enum { DRAWS = 30000 };
    struct dse_rng rng;
    size_t thirds = 0;
    dse_rng_seed(&rng, 4, 0);
    for (int i = 0; i < DRAWS; i++)
        thirds += dse_rng_below(&rng, (uint64_t)3 << 62) % 3 == 0;
    assert_true(thirds > DRAWS / 3 - 500 && thirds < DRAWS / 3 + 500); /* six deviations; half of them would be 15000 */
}

struct squares {
    uint64_t out[1000];
    size_t fail_from;
};

static enum dse_status square(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct squares *squares = user;
    assert_true(thread < 3);
    if (index >= squares->fail_from)
        return dse_fail(err, DSE_LIMIT, "item %zu", index);
    squares->out[index] = index * index;
    return DSE_OK;
}

static bool always(void *user)
{
    (void)user;
    return true;
}

TEST(test_parallel)
{
    struct squares squares = {.fail_from = SIZE_MAX};
    struct dse_error err = {0};
    assert_int_equal(dse_parallel_for(1000, 3, square, &squares, NULL, &err), DSE_OK);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(squares.out[i], i * i);
    squares.fail_from = 500;
    assert_int_equal(dse_parallel_for(1000, 3, square, &squares, NULL, &err), DSE_LIMIT);
    assert_string_equal(err.message, "item 500"); /* the lowest index, whichever fails first */
    struct dse_monitor cancelled = {.cancelled = always};
    squares.fail_from = SIZE_MAX;
    assert_int_equal(dse_parallel_for(10, 2, square, &squares, &cancelled, &err), DSE_CANCELLED);
    assert_string_equal(err.message, "interrupted: no result yet; repeat the command, which keeps finished surveys");
    assert_int_equal(dse_parallel_for(0, 2, square, &squares, NULL, &err), DSE_OK);
    assert_true(dse_parallel_default_jobs() >= 1);
}

TEST(test_names)
{
    static const char *const names[] = {"zcu104", "zcu106", "pynq-z2", "latency", "kse.pe"};
    assert_string_equal(dse_names_nearest("ZCU1O4", names, 5), "zcu104");
    assert_string_equal(dse_names_nearest("latencey", names, 5), "latency");
    assert_string_equal(dse_names_nearest("latnecy", names, 5), "latency");
    assert_string_equal(dse_names_nearest("laod", (const char *const[]){"load", "multiply"}, 2), "load");
    assert_string_equal(dse_names_nearest("pynq", names, 5), "pynq-z2");
    assert_null(dse_names_nearest("entirely", names, 5));
    assert_null(dse_names_nearest("", names, 5));
}

TEST(test_errors_are_one_line)
{
    struct dse_error err;
    assert_int_equal(dse_fail_at(&err, DSE_BAD_INPUT, "f.xml", 7, "a\nb\tc"), DSE_BAD_INPUT);
    assert_string_equal(err.message, "f.xml:7: a\\u000ab\\u0009c");
    char longer[3000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    dse_fail(&err, DSE_LIMIT, "%s", longer);
    assert_int_equal(strlen(err.message), DSE_ERROR_CAPACITY - 1);
}

/* Control characters are escaped, whole, wherever the text is cut; everything else stays. */
TEST(test_names_are_shown)
{
    struct dse_strbuf out = {0};
    dse_utf8_show(&out, "a\\\x1b[2J\x7f\xc2\x9b" "31m \xe2\x80\xae" "b\xe2\x81\xa6\xd8\x9c\xef\xbb\xbf \xc3\xa9\xe4\xb8\xad\xff\xe4\xb8\n", false);
    assert_string_equal(dse_strbuf_text(&out), "a\\\\u001b[2J\\u007f\\u009b31m \\u202eb\\u2066\\u061c\\ufeff \xc3\xa9\xe4\xb8\xad\\xff\\xe4\\xb8\\u000a");
    out.length = 0;
    dse_utf8_show(&out, "a\n\x1b\n", true);
    assert_string_equal(dse_strbuf_text(&out), "a\n\\u001b\n");
    dse_strbuf_free(&out);
    struct dse_error err;
    char longer[3000];
    memset(longer, 27, sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    dse_fail(&err, DSE_LIMIT, "%s", longer);
    assert_int_equal(strlen(err.message) % strlen("\\u001b"), 0);
    assert_true(strlen(err.message) > DSE_ERROR_CAPACITY - 8);
}

/* No text is read as a formula by a spreadsheet, and numbers stay numbers. */
TEST(test_fields_of_csv)
{
    const struct {
        const char *text, *field;
    } cases[] = {
        {"", ""}, {"plain", "plain"}, {"a,b", "\"a,b\""}, {"say \"=1\"", "\"say \"\"=1\"\"\""}, {"a=b", "a=b"},
        {"=1+1", "'=1+1"}, {"=\"a\",b", "\"'=\"\"a\"\",b\""}, {"+1-2", "'+1-2"}, {"@SUM(A1)", "'@SUM(A1)"}, {"-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"},
        {"-5", "-5"}, {"+1e-3", "+1e-3"}, {"-0.25", "-0.25"}, {"-", "-"}, {"=", "="}, {"-inf", "'-inf"}, {"-1 ", "'-1 "},
        {"\t=1", "\\u0009=1"}, {"a\nb", "a\\u000ab"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_strbuf out = {0};
        dse_csv_field(&out, cases[i].text);
        assert_string_equal(dse_strbuf_text(&out), cases[i].field);
        dse_strbuf_free(&out);
    }
}

/* Elements keep their values while a list grows past every power of two; a new element is zero. */
TEST(lists_grow_by_one)
{
    size_t *list = NULL, count = 0;
    for (size_t i = 0; i < 1000; i++) {
        size_t *item = dse_list_more(&list, &count, sizeof *item);
        assert_non_null(item);
        assert_ptr_equal(item, &list[i]);
        assert_int_equal(*item, 0);
        *item = i + 1;
    }
    assert_int_equal(count, 1000);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(list[i], i + 1);
    free(list);
}

TEST(words_are_quoted_for_a_shell)
{
    static const char *const cases[][2] = {{"a/b-1.db:best", "a/b-1.db:best"}, {"", "''"}, {"two words", "'two words'"}, {"it's", "'it'\\''s'"}, {"$HOME;%d\\", "'$HOME;%d\\'"}, {"\xc3\xa9", "'\xc3\xa9'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_strbuf out = {0};
        dse_strbuf_add_shell(&out, cases[i][0]);
        assert_string_equal(dse_strbuf_text(&out), cases[i][1]);
        dse_strbuf_free(&out);
    }
}

TESTS(NULL, NULL)
