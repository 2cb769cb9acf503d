/* Profiles: round trip to the bit, look-up by containment, and every rejection of the reader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/rng.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "datasets/profile.h"
#include "tests/test.h"

/* The end of the message about an unknown name. */
#define OWN "; data of your own: a path such as ./graphs.zip, or --data-dir DIR"

static char accuracy[] = "accuracy", protocol[] = "80/20 splits, seeds 1 to 10";

#define SCHEMA NYSX_TEST_SOURCE_DIR "/datasets/schema/profile.xsd"

static struct dse_setting setting_of(const char *a, const char *a_value, const char *b, const char *b_value)
{
    struct dse_setting setting = {0};
    dse_setting_put(&setting, a, a_value);
    if (b != NULL)
        dse_setting_put(&setting, b, b_value);
    return setting;
}

static void add_workload_at(struct dse_profile *profile, const char *landmarks, const double *values, size_t rows,
                            size_t columns)
{
    struct dse_setting setting = setting_of("landmarks", landmarks, "hops", "10");
    struct dse_workload *workload;
    assert_int_equal(dse_profile_add_workload(profile, &setting, &workload, NULL), DSE_OK);
    assert_int_equal(dse_workload_add_series(workload, "nnz_h", 0, 1, NULL, NULL), DSE_OK);
    assert_int_equal(dse_workload_add_series(workload, "a.first", rows, columns, values, NULL), DSE_OK);
    double one = 1.0 / 3;
    assert_int_equal(dse_workload_add_series(workload, "mean", 1, 1, &one, NULL), DSE_OK);
    dse_setting_free(&setting);
}

static void add_quality_at(struct dse_profile *profile, const char *landmarks, const char *precision, double mean)
{
    struct dse_quality quality = {.setting = setting_of("landmarks", landmarks, "nee.precision", precision),
                                  .name = accuracy, .higher_is_better = true, .mean = mean, .std = 0.1 * mean,
                                  .n = 10, .protocol = protocol};
    assert_int_equal(dse_profile_add_quality(profile, &quality, NULL), DSE_OK);
    dse_setting_free(&quality.setting);
}

static struct dse_profile *small_profile(const double *values, size_t rows, size_t columns)
{
    struct dse_profile *profile = dse_profile_create("nysx", "MUTAG", UINT64_C(0xfedcba9876543210), "0.1.0",
                                                     "nysx-dse datasets profile \"a & b\" <c> \xff\x01 é");
    assert_non_null(profile);
    dse_setting_put(&profile->facts, "graphs", "188");
    dse_setting_put(&profile->facts, "origin", "two words & <more>");
    dse_setting_put(&profile->preset, "landmarks", "150");
    dse_setting_put(&profile->preset, "hops", "10");
    add_workload_at(profile, "150", values, rows, columns);
    add_workload_at(profile, "50", values, rows / 2, columns);
    add_quality_at(profile, "150", "fp32", 0.78);
    add_quality_at(profile, "150", "int8", 0.7799999999999999);
    return profile;
}

static void round_trip(const struct dse_profile *profile, struct dse_profile **out)
{
    char path[] = "/tmp/nysx-profile-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    struct dse_error err = {0};
    assert_int_equal(dse_profile_write(profile, path, &err), DSE_OK);
    if (dse_profile_read(path, out, &err) != DSE_OK)
        fail_msg("%s", err.message);
    struct dse_xml *doc;
    assert_int_equal(dse_xml_read_file(path, 1 << 24, &doc, &err), DSE_OK);
    assert_int_equal(dse_xml_validate(doc, SCHEMA, &err), DSE_OK);
    if (dse_xml_verdict(doc, &err) != DSE_OK)
        fail_msg("%s", err.message);
    dse_xml_free(doc);
    unlink(path);
}

static void same_workloads(const struct dse_profile *a, const struct dse_profile *b)
{
    assert_int_equal(a->workload_count, b->workload_count);
    for (size_t i = 0; i < a->workload_count; i++) {
        const struct dse_workload *left = &a->workloads[i], *right = &b->workloads[i];
        assert_int_equal(dse_setting_compare(&left->setting, &right->setting), 0);
        assert_int_equal(left->series_count, right->series_count);
        for (size_t s = 0; s < left->series_count; s++) {
            assert_string_equal(left->series[s].name, right->series[s].name);
            assert_int_equal(left->series[s].rows, right->series[s].rows);
            assert_int_equal(left->series[s].columns, right->series[s].columns);
            assert_memory_equal(left->series[s].values, right->series[s].values,
                                left->series[s].rows * left->series[s].columns * sizeof(double));
        }
    }
}

static void same_qualities(const struct dse_profile *a, const struct dse_profile *b)
{
    assert_int_equal(a->quality_count, b->quality_count);
    for (size_t i = 0; i < a->quality_count; i++) {
        assert_int_equal(dse_setting_compare(&a->qualities[i].setting, &b->qualities[i].setting), 0);
        assert_string_equal(a->qualities[i].name, b->qualities[i].name);
        assert_string_equal(a->qualities[i].protocol, b->qualities[i].protocol);
        assert_int_equal(a->qualities[i].higher_is_better, b->qualities[i].higher_is_better);
        assert_memory_equal(&a->qualities[i].mean, &b->qualities[i].mean, sizeof(double));
        assert_memory_equal(&a->qualities[i].std, &b->qualities[i].std, sizeof(double));
        assert_int_equal(a->qualities[i].n, b->qualities[i].n);
    }
}

/* Doubles of every size: random bit patterns, and the awkward ones. */
TEST(every_number_comes_back_to_the_bit)
{
    static double values[4000];
    static const uint64_t awkward[] = {0, UINT64_C(1) << 63, 1, UINT64_C(0x000fffffffffffff), UINT64_C(0x0010000000000000),
                                       UINT64_C(0x7fefffffffffffff), UINT64_C(0x3fb999999999999a), UINT64_C(0x4340000000000001)};
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < 4000; i++) {
        uint64_t bits = i < 8 ? awkward[i] : dse_rng_u64(&rng);
        if ((bits >> 52 & 0x7ff) == 0x7ff)
            bits ^= UINT64_C(1) << 62;
        memcpy(&values[i], &bits, sizeof bits);
    }
    struct dse_profile *written = small_profile(values, 1000, 4), *read;
    round_trip(written, &read);
    same_workloads(written, read);
    same_qualities(written, read);
    dse_profile_free(written);
    dse_profile_free(read);
}

TEST(texts_come_back)
{
    double one = 1;
    struct dse_profile *written = small_profile(&one, 1, 1), *read;
    round_trip(written, &read);
    assert_string_equal(read->family, "nysx");
    assert_string_equal(read->dataset, "MUTAG");
    assert_true(read->dataset_hash == UINT64_C(0xfedcba9876543210));
    assert_string_equal(read->tool_version, "0.1.0");
    assert_string_equal(read->command, "nysx-dse datasets profile \"a & b\" <c> \xEF\xBF\xBD\xEF\xBF\xBD é");
    assert_string_equal(dse_setting_get(&read->facts, "origin"), "two words & <more>");
    assert_int_equal(dse_setting_compare(&read->preset, &written->preset), 0);
    dse_profile_free(written);
    dse_profile_free(read);
}

TEST(look_ups_go_by_containment)
{
    double one = 1;
    struct dse_profile *profile = small_profile(&one, 1, 1);
    struct dse_setting full = setting_of("landmarks", "50", "hops", "10");
    assert_ptr_equal(dse_profile_workload(profile, &full), &profile->workloads[1]);
    assert_null(dse_profile_quality(profile, &full));
    dse_setting_put(&full, "landmarks", "150");
    dse_setting_put(&full, "nee.precision", "int8");
    dse_setting_put(&full, "dim", "10000");
    assert_ptr_equal(dse_profile_workload(profile, &full), &profile->workloads[0]);
    assert_ptr_equal(dse_profile_quality(profile, &full), &profile->qualities[1]);
    dse_setting_put(&full, "hops", "9");
    assert_null(dse_profile_workload(profile, &full));
    const struct dse_workload *workload = &profile->workloads[0];
    assert_string_equal(workload->series[0].name, "a.first");
    assert_true(dse_workload_series(workload, "mean")->values[0] == 1.0 / 3);
    assert_int_equal(dse_workload_series(workload, "nnz_h")->rows, 0);
    assert_null(dse_workload_series(workload, "nnz"));
    dse_setting_free(&full);
    dse_profile_free(profile);
}

static void rejected_workload(struct dse_profile *profile, struct dse_setting setting, const char *message)
{
    struct dse_error err = {0};
    size_t before = profile->workload_count;
    assert_int_equal(dse_profile_add_workload(profile, &setting, NULL, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, message);
    assert_int_equal(profile->workload_count, before);
    dse_setting_free(&setting);
}

TEST(growing_rejects_what_cannot_be_kept)
{
    double one = 1, bad[2] = {1, 1.0 / 0.0};
    struct dse_error err = {0};
    struct dse_profile *profile = small_profile(&one, 1, 1);
    rejected_workload(profile, setting_of("landmarks", "150", "hops", "10"), "a second workload at one setting");
    rejected_workload(profile, setting_of("landmarks", "150", NULL, NULL),
                     "the setting of this workload overlaps with that of another: a look-up could not choose between them");
    rejected_workload(profile, setting_of("land marks", "150", NULL, NULL),
                     "the setting \"land marks\" = \"150\" cannot be stored in a profile: both must be words without "
                     "white space and \"=\"");
    struct dse_workload *workload = &profile->workloads[0];
    assert_int_equal(dse_workload_add_series(workload, "mean", 1, 1, &one, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "series mean: a series of this name exists");
    assert_int_equal(dse_workload_add_series(workload, "x", 2, 1, bad, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "series x: number 2 is not finite");
    assert_int_equal(dse_workload_add_series(workload, "x", SIZE_MAX, 2, bad, &err), DSE_LIMIT);
    assert_int_equal(workload->series_count, 3);
    struct dse_quality quality = {.name = accuracy, .mean = 1, .std = -1, .n = 1};
    assert_int_equal(dse_profile_add_quality(profile, &quality, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "quality accuracy: mean and deviation must be finite, the deviation 0 or more, "
                                     "and n at least 1");
    dse_profile_free(profile);
}

#define HEAD "<profile schema=\"nysx-dse.profile/1\" family=\"nysx\" dataset=\"M\" hash=\"0123456789abcdef\" " \
             "tool-version=\"0.1.0\">\n<command>c</command><facts/><preset/>\n"
#define QUALITY(mean, n, setting) \
    "<quality name=\"accuracy\" better=\"higher\" mean=\"" mean "\" std=\"0\" n=\"" n "\"><setting>" setting \
    "</setting></quality>\n"

/* A document and its error message. */
static const struct rejection {
    const char *xml, *message;
} rejections[] = {
    {"", "p.xml:1: not well-formed XML: the file does not begin with an element"},
    {"<board/>", "p.xml:1: <board>: the root element must be <profile>"},
    {"<!DOCTYPE profile [<!ENTITY a \"b\">]><profile/>",
     "p.xml: document type declarations (<!DOCTYPE …>) are not allowed"},
    {"<profile schema=\"nysx-dse.profile/2\" family=\"nysx\" dataset=\"M\" hash=\"0123456789abcdef\" "
     "tool-version=\"0\"><command/><facts/><preset/></profile>",
     "p.xml:1: <profile schema=\"nysx-dse.profile/2\">: must be nysx-dse.profile/1"},
    {"<profile schema=\"nysx-dse.profile/1\" family=\"nysx\" dataset=\"M\" hash=\"12\" "
     "tool-version=\"0\"><command/><facts/><preset/></profile>",
     "p.xml:1: <profile hash=\"12\">: must be 16 digits of 0 to 9 and a to f"},
    {"<profile schema=\"nysx-dse.profile/1\" family=\"nysx\" dataset=\"M\" hash=\"0123456789abcdef\" "
     "tool-version=\"0\"><command/><facts/></profile>",
     "p.xml:1: <profile>: needs a child element <preset>"},
    {"<profile schema=\"nysx-dse.profile/1\" family=\"nysx\" dataset=\"M\" hash=\"0123456789abcdef\" "
     "tool-version=\"0\"><command/><facts/>\n<preset>a=\x7f</preset></profile>",
     "p.xml:2: <preset>: the setting \"a\" = \"\\u007f\" cannot be stored in a profile: both must be words without white space "
     "and \"=\""},
    {HEAD "<workload>\n<setting>landmarks</setting></workload></profile>",
     "p.xml:4: <setting>: \"landmarks\": must be name=value"},
    {HEAD "<workload>\n<setting>a=1 a=2</setting></workload></profile>", "p.xml:4: <setting>: \"a\" has two values"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"2\" columns=\"2\">1 2\n3</series>"
          "</workload></profile>",
     "p.xml:4: <series>: holds 3 numbers: must be rows × columns = 4"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"1\" columns=\"2\">1 2\n3</series>"
          "</workload></profile>",
     "p.xml:4: <series>: holds more than rows × columns = 2 numbers"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"1\" columns=\"2\">1 nan</series>"
          "</workload></profile>",
     "p.xml:4: <series>: number 2, \"nan\": must be a finite decimal number"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"1\" columns=\"2\">1 0x2</series>"
          "</workload></profile>",
     "p.xml:4: <series>: number 2, \"0x2\": must be a finite decimal number"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"1\" columns=\"2\">1,2</series>"
          "</workload></profile>",
     "p.xml:4: <series>: number 1, \"1,2\": must be a finite decimal number"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"-1\" columns=\"1\"/></workload></profile>",
     "p.xml:4: <series rows=\"-1\">: must be from 0 to 400000"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"400000\" columns=\"400000\"/>"
          "</workload></profile>",
     "p.xml:4: <series>: rows × columns must be at most 400000"},
    {HEAD "<workload><setting>a=1</setting>\n<series name=\"x\" rows=\"0\" columns=\"1\"/>\n"
          "<series name=\"x\" rows=\"0\" columns=\"1\"/></workload></profile>",
     "p.xml:5: <series>: series x: a series of this name exists"},
    {HEAD "<workload><setting>a=1</setting></workload>\n<workload><setting>a=1</setting></workload></profile>",
     "p.xml:4: <workload>: a second workload at one setting"},
    {HEAD "<workload><setting>a=1</setting></workload>\n<workload><setting>b=1</setting></workload></profile>",
     "p.xml:4: <workload>: the setting of this workload overlaps with that of another: a look-up could not choose between them"},
    {HEAD QUALITY("0.5", "3", "a=1") QUALITY("0.5", "3", "a=1") "</profile>",
     "p.xml:4: <quality>: a second quality at one setting"},
    {HEAD QUALITY("inf", "3", "a=1") "</profile>", "p.xml:3: <quality mean=\"inf\">: must be a number"},
    {HEAD QUALITY("0.5", "0", "a=1") "</profile>", "p.xml:3: <quality n=\"0\">: must be 1 or more"},
    {HEAD "<quality name=\"accuracy\" better=\"most\" mean=\"1\" std=\"0\" n=\"1\"><setting/></quality></profile>",
     "p.xml:3: <quality better=\"most\">: must be higher or lower"},
    {HEAD "<wrokload/></profile>",
     "p.xml:3: <wrokload>: unknown element \"wrokload\"; allowed: command, facts, preset, workload or quality"},
    {HEAD QUALITY("x", "3", "a=1") QUALITY("y", "3", "a=1") "</profile>",
     "p.xml:3: <quality mean=\"x\">: must be a number (and 1 more)"},
};

TEST(bad_documents_say_where_and_what)
{
    for (size_t i = 0; i < sizeof rejections / sizeof *rejections; i++) {
        struct dse_error err = {0};
        struct dse_profile *profile;
        assert_int_equal(dse_profile_parse(rejections[i].xml, strlen(rejections[i].xml), "p.xml", &profile, &err),
                         DSE_BAD_INPUT);
        assert_string_equal(err.message, rejections[i].message);
        assert_null(profile);
    }
}

TEST(a_profile_that_cannot_be_held_is_not_written)
{
    double one = 1;
    struct dse_error err = {0};
    struct dse_profile *profile = small_profile(&one, 1, 1);
    dse_setting_put(&profile->preset, "codes", "two words");
    assert_int_equal(dse_profile_write(profile, "/tmp/nysx-never-there.xml", &err), DSE_BAD_USAGE);
    assert_false(dse_file_exists("/tmp/nysx-never-there.xml"));
    dse_setting_put(&profile->preset, "codes", "tuple");
    assert_int_equal(dse_profile_write(profile, "/tmp/nysx-no-folder/p.xml", &err), DSE_LIMIT);
    dse_profile_free(profile);
}

/* A share folder of its own with two profiles. */
TEST(shipped_names_are_found_and_suggested)
{
    char share[] = "/tmp/nysx-share-XXXXXX", path[128];
    assert_non_null(mkdtemp(share));
    struct dse_error err = {0};
    double one = 1;
    struct dse_profile *profile = small_profile(&one, 1, 1), *read;
    snprintf(path, sizeof path, "%s/profiles", share);
    assert_int_equal(dse_folder_create(path, &err), DSE_OK);
    snprintf(path, sizeof path, "%s/profiles/MUTAG.xml", share);
    assert_int_equal(dse_profile_write(profile, path, &err), DSE_OK);
    setenv("NYSX_DSE_SHARE", share, 1);
    assert_int_equal(dse_profile_open("mutag", &read, &err), DSE_OK);
    assert_string_equal(read->dataset, "MUTAG");
    dse_profile_free(read);
    assert_int_equal(dse_profile_open(path, &read, &err), DSE_OK);
    dse_profile_free(read);
    assert_int_equal(dse_profile_open("MUTGA", &read, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "no profile \"MUTGA\" (did you mean MUTAG?); shipped: MUTAG" OWN);
    char **names;
    size_t count;
    assert_int_equal(dse_profile_names("mu*a?", &names, &count, &err), DSE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "MUTAG");
    dse_share_names_free(names, count);
    assert_int_equal(dse_profile_names("*x*", &names, &count, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "*x*: matches no shipped profile");
    assert_int_equal(dse_profile_names("MUTAGG", &names, &count, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "no profile \"MUTAGG\" (did you mean MUTAG?); shipped: MUTAG" OWN);
    assert_int_equal(dse_profile_open("whatever", &read, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "no profile \"whatever\"; shipped: MUTAG" OWN);
    assert_int_equal(dse_profile_open("./none.xml", &read, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, "./none.xml: cannot open: No such file or directory");
    unsetenv("NYSX_DSE_SHARE");
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(share);
    dse_profile_free(profile);
}

TESTS(NULL, NULL)
