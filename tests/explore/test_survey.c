/* Measuring a profile over a grid, with an executor that answers by a formula. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generate.h"
#include "datasets/graphs.h"
#include "executor/model_file.h"
#include "explore/survey.h"
#include "tests/test.h"

static enum dse_status preset(const char *name, const struct dse_dataset *data, size_t trained, struct dse_setting *out,
                              struct dse_error *err)
{
    (void)data;
    (void)trained;
    *out = (struct dse_setting){0};
    if (strcmp(name, "paper") != 0 && strcmp(name, "best") != 0)
        return dse_fail(err, DSE_BAD_USAGE, "no preset %s", name);
    dse_setting_put(out, "landmarks", strcmp(name, "paper") == 0 ? "4" : "6");
    dse_setting_put(out, "precision", "fp32");
    return DSE_OK;
}

/* A model that stores only its words; `fit` rejects many landmarks. */
static enum dse_status fit(struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                           struct dse_training *result, struct dse_error *err)
{
    (void)data;
    (void)run;
    (void)result;
    double landmarks = strtod(dse_setting_get(&model->words, "landmarks"), NULL);
    return landmarks > 50 ? dse_fail(err, DSE_BAD_USAGE, "landmarks=%g: more than there are graphs", landmarks) : DSE_OK;
}

/* landmarks + seed, and 0.25 less with int8. */
static enum dse_status infer(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                             struct dse_inference *result, struct dse_error *err)
{
    DSE_TRY(dse_inference_begin(model, data, run, DSE_ANSWER_CLASSES, result, err));
    bool fine = strcmp(dse_setting_get(&model->words, "precision"), "fp32") == 0;
    result->quality = strtod(dse_setting_get(&model->words, "landmarks"), NULL) + (double)model->seed - (fine ? 0 : 0.25);
    return DSE_OK;
}

/* One series, independent of the precision. */
static enum dse_status profile(const struct dse_dataset *data, const struct dse_setting *setting,
                               const struct dse_run *run, struct dse_workload *out, struct dse_error *err)
{
    (void)data;
    *out = (struct dse_workload){0};
    const char *landmarks = dse_setting_get(setting, "landmarks");
    double values[2] = {strtod(landmarks, NULL), (double)run->seed};
    dse_setting_put(&out->setting, "landmarks", landmarks);
    enum dse_status status = DSE_OK;
    return status == DSE_OK ? dse_workload_add_series(out, "numbers", 1, 2, values, err) : status;
}

static const char *const presets[] = {"paper", "best", NULL};
static const char *chosen = "paper";
static const struct dse_knob declared[] = {
    DSE_KNOB_ROW(0, "landmarks", ALGORITHMIC, "l", DSE_WHOLE(1, 1000, 4)),
    DSE_KNOB_ROW(1, "precision", ALGORITHMIC, "p", DSE_WORDS(0, "fp32", "int8")),
};
static const struct dse_knobs knobs = {"formula", declared, 2, presets, NULL, 0, NULL};
static const struct dse_model_form form = {.bytes = sizeof(struct dse_model)};
static const struct dse_executor executor = {.family = "formula", .kind = &dse_kind_graphs, .quality_name = "landmarks_and_seed",
                                             .higher_is_better = true, .knobs = &knobs,
                                             .model = &form, .preset = preset, .fit = fit, .infer = infer,
                                             .profile = profile};

static const struct dse_profile *before; /* the profile that the next measurement extends */

/* Measures TOY over the lists given; the caller frees the profile. */
static enum dse_status measure(const char *landmarks, const char *precision, size_t seeds, size_t jobs,
                               const struct dse_monitor *monitor, struct dse_profile **out, struct dse_error *err)
{
    struct dse_generate what = dse_generate_defaults();
    static char name[] = "TOY";
    struct dse_dataset dataset = {.kind = &dse_kind_graphs, .name = name};
    struct dse_graph_set *set;
    assert_int_equal(dse_generate_set(&what, &set, err), DSE_OK);
    dataset.content = set;
    dataset.hash = set->hash;
    struct dse_grid grid = {0};
    if (landmarks != NULL)
        assert_int_equal(dse_grid_add(&grid, "landmarks", landmarks, err), DSE_OK);
    if (precision != NULL)
        assert_int_equal(dse_grid_add(&grid, "precision", precision, err), DSE_OK);
    struct dse_survey measurement = {.executor = &executor, .dataset = &dataset, .preset = chosen, .grid = &grid,
                                          .seeds = seeds, .first_seed = 5, .jobs = jobs, .monitor = monitor,
                                          .command = "the command", .extend = before};
    enum dse_status status = dse_survey_profile(&measurement, out, err);
    dse_grid_free(&grid);
    dse_graph_set_free(set);
    return status;
}

TEST(a_grid_gives_means_and_deviations)
{
    struct dse_profile *p;
    struct dse_error err = {0};
    if (measure("4,8", "int8,fp32", 3, 2, NULL, &p, &err) != DSE_OK)
        fail_msg("%s", err.message);
    assert_string_equal(p->family, "formula");
    assert_string_equal(p->dataset, "TOY");
    assert_string_equal(p->command, "the command");
    assert_string_equal(dse_setting_get(&p->preset, "precision"), "fp32");
    assert_string_equal(dse_setting_get(&p->facts, "graphs"), "100");
    assert_int_equal(p->quality_count, 4);
    assert_int_equal(p->workload_count, 2);
    static const double means[] = {9.75, 10, 13.75, 14}; /* seeds 5, 6, 7 */
    for (size_t i = 0; i < 4; i++) {
        assert_true(p->qualities[i].mean == means[i]);
        assert_true(p->qualities[i].std == 1);
        assert_int_equal(p->qualities[i].n, 3);
        assert_string_equal(p->qualities[i].protocol, "stratified 80/20 splits, seeds 5 to 7");
    }
    const struct dse_quality *q = dse_profile_quality(p, &p->preset);
    assert_true(q->mean == 10 && q->higher_is_better);
    assert_true(dse_workload_series(dse_profile_workload(p, &p->preset), "numbers")->values[1] == 5);
    dse_profile_free(p);
}

TEST(the_profile_does_not_depend_on_jobs)
{
    struct dse_strbuf first = {0};
    for (size_t jobs = 1; jobs <= 4; jobs++) {
        struct dse_profile *p;
        struct dse_strbuf xml = {0};
        assert_int_equal(measure("1,2,3,4,5,6,7", "fp32,int8", 4, jobs, NULL, &p, NULL), DSE_OK);
        assert_int_equal(dse_profile_format(p, jobs == 1 ? &first : &xml, NULL), DSE_OK);
        if (jobs > 1)
            assert_string_equal(xml.text, first.text);
        dse_strbuf_free(&xml);
        dse_profile_free(p);
    }
    dse_strbuf_free(&first);
}

TEST(one_seed_or_none_is_enough)
{
    struct dse_profile *p;
    assert_int_equal(measure(NULL, NULL, 1, 1, NULL, &p, NULL), DSE_OK);
    assert_int_equal(p->quality_count, 1);
    assert_true(p->qualities[0].mean == 9 && p->qualities[0].std == 0);
    assert_string_equal(p->qualities[0].protocol, "stratified 80/20 split, seed 5");
    dse_profile_free(p);
    assert_int_equal(measure("2,3", NULL, 0, 1, NULL, &p, NULL), DSE_OK);
    assert_int_equal(p->quality_count, 0);
    assert_int_equal(p->workload_count, 3); /* the preset's own is there as well */
    assert_non_null(dse_profile_workload(p, &p->preset));
    dse_profile_free(p);
}

/* The published setting stays the profile's preset and is measured. */
TEST(a_grid_starts_from_any_preset)
{
    struct dse_profile *p;
    struct dse_error err = {0};
    for (size_t seeds = 0; seeds <= 1; seeds++) {
        chosen = "best";
        if (measure(NULL, "int8", seeds, 1, NULL, &p, &err) != DSE_OK)
            fail_msg("%s", err.message);
        chosen = "paper";
        assert_string_equal(dse_setting_get(&p->preset, "landmarks"), "4");
        assert_int_equal(p->workload_count, 2);
        assert_int_equal(p->quality_count, 3 * seeds);
        assert_true(seeds == 0 || (p->qualities[0].mean == 10.75 && p->qualities[1].mean == 11 && p->qualities[2].mean == 9));
        dse_profile_free(p);
    }
}

TEST(a_profile_is_extended_and_not_measured_twice)
{
    struct dse_profile *first, *second;
    struct dse_error err = {0};
    assert_int_equal(measure("4,8", NULL, 3, 1, NULL, &first, &err), DSE_OK);
    first->qualities[1].mean = -1; /* a mark that a repeated measurement would remove */
    before = first;
    if (measure("8,6", "int8,fp32", 2, 2, NULL, &second, &err) != DSE_OK)
        fail_msg("%s", err.message);
    assert_int_equal(second->workload_count, 3);
    assert_int_equal(second->quality_count, 5);
    assert_true(second->qualities[0].mean == 10 && second->qualities[1].mean == -1);
    assert_string_equal(dse_setting_get(&second->qualities[2].setting, "precision"), "int8");
    assert_int_equal(second->qualities[2].n, 2);
    assert_int_equal(dse_profile_workload(second, &second->preset)->series_count, 1);
    dse_profile_free(second);
    first->dataset_hash++;
    FAILS(DSE_BAD_USAGE, "the profile to extend was measured on other data", measure("4", NULL, 1, 1, NULL, &second, &why));
    first->dataset_hash--;
    dse_setting_put(&first->preset, "precision", "int8");
    assert_int_equal(measure("4", NULL, 1, 1, NULL, &second, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "the profile to extend has another preset: measure the data again");
    first->family[0] = 'x';
    assert_int_equal(measure("4", NULL, 1, 1, NULL, &second, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "the profile to extend is of the family xormula, not formula");
    before = NULL;
    dse_profile_free(first);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

TEST(what_cannot_be_measured_is_rejected)
{
    struct dse_profile *p;
    struct dse_error err = {0};
    assert_int_equal(measure("4,60", NULL, 2, 2, NULL, &p, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "landmarks=60: more than there are graphs");
    assert_null(p);
    FAILS(DSE_BAD_USAGE, "fp8", measure(NULL, "fp32,fp8", 2, 2, NULL, &p, &why));
    assert_int_equal(measure("4,x", NULL, 2, 2, NULL, &p, &err), DSE_BAD_USAGE);
    struct dse_monitor stop = {.cancelled = always};
    assert_int_equal(measure("4", NULL, 2, 2, &stop, &p, &err), DSE_CANCELLED);
    assert_null(p);
}

TEST(grids_are_checked)
{
    struct dse_grid grid = {0};
    struct dse_error err = {0};
    assert_int_equal(dse_grid_size(&grid), 1);
    assert_int_equal(dse_grid_add(&grid, "a", "1,2,3", &err), DSE_OK);
    assert_int_equal(dse_grid_add(&grid, "b", "x", &err), DSE_OK);
    assert_int_equal(dse_grid_size(&grid), 3);
    assert_int_equal(dse_grid_add(&grid, "a", "4", &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "a: has two lists of values");
    assert_int_equal(dse_grid_add(&grid, "c", "1,,2", &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "c=1,,2: an empty value in the list; separate values by one comma");
    assert_int_equal(dse_grid_add(&grid, "c", "", &err), DSE_BAD_USAGE);
    assert_int_equal(dse_grid_add(&grid, "c", "1,10,1", &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "c: 1 occurs twice in the list");
    assert_int_equal(grid.count, 2);
    dse_grid_free(&grid);
}

TESTS(NULL, NULL)
