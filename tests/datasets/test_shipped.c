/* The shipped profiles: each is read, follows the schema, has its data set's name, and contains everything for a sweep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "core/file.h"
#include "core/xml.h"
#include "datasets/dataset.h"
#include "executor/executor.h"
#include "datasets/profile.h"

#define SOURCE NYSX_TEST_SOURCE_DIR

static void follows_schema(const char *name)
{
    char path[1024];
    struct dse_xml *doc;
    struct dse_error err = {0};
    snprintf(path, sizeof path, NYSX_TEST_SHARE "/profiles/%s.xml", name);
    assert_int_equal(dse_xml_read_file(path, 1 << 26, &doc, &err), DSE_OK);
    assert_int_equal(dse_xml_validate(doc, SOURCE "/datasets/schema/profile.xsd", &err), DSE_OK);
    if (dse_xml_verdict(doc, &err) != DSE_OK)
        fail_msg("%s", err.message);
    dse_xml_free(doc);
}

/* Each measured setting has its workload, and the preset has both, its quality over `runs` or more. */
static void can_be_swept(const struct dse_profile *profile, const char *name, int64_t runs)
{
    assert_non_null(dse_profile_workload(profile, &profile->preset));
    const struct dse_quality *quality = dse_profile_quality(profile, &profile->preset);
    assert_non_null(quality);
    assert_true(quality->n >= runs);
    assert_string_equal(quality->name, name);
    for (size_t i = 0; i < profile->quality_count; i++)
        assert_non_null(dse_profile_workload(profile, &profile->qualities[i].setting));
}

static void every_shipped_profile_is_whole(void **state)
{
    (void)state;
    static const char *const needed[] = {"BZR", "DD", "ENZYMES", "MUTAG", "NCI1", "airfoil", "ccpp", "cora", "wine"};
    char **names;
    size_t count, found = 0;
    struct dse_error err = {0};
    assert_int_equal(dse_profile_names("*", &names, &count, &err), DSE_OK);
    for (size_t i = 0; i < count; i++) {
        struct dse_profile *profile;
        if (dse_profile_open(names[i], &profile, &err) != DSE_OK)
            fail_msg("%s", err.message);
        /* A second family's profile of the same data has the family's name in front. */
        size_t family = strlen(profile->family);
        bool second = strncmp(names[i], profile->family, family) == 0 && names[i][family] == '_';
        assert_int_equal(second ? strcasecmp(profile->dataset, names[i] + family + 1) : strcmp(profile->dataset, names[i]), 0);
        follows_schema(names[i]);
        bool classes = strcmp(profile->family, "hydraf") != 0;
        const struct dse_executor *executor = dse_executor_find(profile->family);
        if (executor->costly) /* a sweep needs settings that were trained */
            assert_non_null(dse_profile_workload(profile, &profile->preset));
        else if (profile->dataset_hash != 0) /* without data: from the counts of a publication */
            can_be_swept(profile, classes ? "accuracy" : "quality", classes ? 10 : 3);
        for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
            found += strcmp(needed[k], names[i]) == 0;
        dse_profile_free(profile);
    }
    dse_share_names_free(names, count);
    assert_int_equal(found, sizeof needed / sizeof *needed);
}

/* The data that they were measured on is the data that this program reads. */
static void hashes_are_those_of_the_data(void **state)
{
    (void)state;
    const char *chosen = getenv("NYSX_DATA_DIR");
    const char *folder = chosen != NULL && *chosen != '\0' ? chosen : SOURCE "/../shared/datasets";
    static const char *const names[] = {"BZR", "DD", "ENZYMES", "MUTAG", "NCI1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct dse_profile *profile;
        struct dse_dataset *dataset;
        struct dse_error err = {0};
        if (dse_dataset_open(names[i], folder, &dataset, &err) != DSE_OK) {
            fprintf(stderr, "SKIPPED: %s: set NYSX_DATA_DIR to the folder of the real data sets\n", err.message);
            skip();
        }
        assert_int_equal(dse_profile_open(names[i], &profile, &err), DSE_OK);
        assert_true(profile->dataset_hash == dataset->hash);
        dse_profile_free(profile);
        dse_dataset_free(dataset);
    }
}

int main(void)
{
    setenv("NYSX_DSE_SHARE", NYSX_TEST_SHARE, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_profile_is_whole),
        cmocka_unit_test(hashes_are_those_of_the_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
