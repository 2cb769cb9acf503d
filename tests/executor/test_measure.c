/* Means over training runs, settings by name, rejections and interruptions. */
#include "sets.h"

#include <math.h>

#include "executor/measure.h"
#include "tests/test.h"

TEST(test_is_the_trainings)
{
    const struct dse_executor *executor = dse_executor_find("nysx");
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 4, 0, 6);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(executor, data, "dim", "200", "landmarks", "12", NULL);
    struct dse_measured one;
    struct dse_training runs[4];
    double sum = 0.0, squares = 0.0, value[4];
    for (size_t i = 0; i < 4; i++) {
        struct dse_model *model = NULL;
        struct dse_run single = {.seed = 5 + i, .jobs = 1};
        OK(dse_train(executor, data, &setting, &single, &model, &runs[i], &why));
        dse_model_free(model);
        value[i] = runs[i].quality;
        sum += value[i];
    }
    dse_measured_summarise(executor, runs, 4, &one);
    for (size_t i = 0; i < 4; i++)
        squares += (value[i] - sum / 4) * (value[i] - sum / 4);
    assert_true(fabs(one.mean - sum / 4) < 1e-12);
    assert_true(fabs(one.std - sqrt(squares / 3)) < 1e-12);
    assert_int_equal(one.n, 4);
    assert_string_equal(one.name, "accuracy");
    assert_true(one.higher_is_better);
}

/* A model is judged by the requested figure on both parts, and also has the family's own. */
TEST(another_metric_judges)
{
    const struct dse_executor *executor = dse_executor_find("nysx");
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 4, 0, 6);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(executor, data, "dim", "200", "landmarks", "12", NULL);
    struct dse_training runs[3];
    struct dse_measured all;
    double balanced[3], apart = 0.0, own = NAN;
    for (size_t i = 0; i < 3; i++) {
        struct dse_training plain;
        struct dse_run run = {.seed = 5 + i, .jobs = 1};
        DSE_CLEANUP(dse_model_free_at) struct dse_model *first = NULL, *second = NULL;
        OK(dse_train(executor, data, &setting, &run, &first, &plain, &why));
        run.metric = "macro_f1";
        OK(dse_train(executor, data, &setting, &run, &second, &runs[i], &why));
        for (size_t f = 0; f < plain.figure_count; f++)
            if (strcmp(plain.figures[f].name, "macro_f1") == 0)
                balanced[i] = plain.figures[f].value;
        for (size_t f = 0; f < runs[i].figure_count; f++)
            if (strcmp(runs[i].figures[f].name, "accuracy") == 0)
                own = runs[i].figures[f].value;
        assert_float_equal(runs[i].quality, balanced[i], 0.0);
        assert_float_equal(own, plain.quality, 0.0);
        assert_string_equal(runs[i].quality_name, "macro_f1");
    }
    dse_measured_summarise(executor, runs, 3, &all);
    assert_string_equal(all.name, "macro_f1");
    double mean = (balanced[0] + balanced[1] + balanced[2]) / 3;
    for (size_t i = 0; i < 3; i++)
        apart += (balanced[i] - mean) * (balanced[i] - mean);
    for (size_t f = 0; f < all.figure_count; f++)
        if (strcmp(all.figures[f].name, "macro_f1") == 0)
            assert_float_equal(all.figure_std[f], sqrt(apart / 2), 1e-12);
    struct dse_run wrong = {.seed = 5, .jobs = 1, .metric = "rmse"};
    struct dse_model *none = NULL;
    FAILS(DSE_BAD_USAGE, "must be accuracy, balanced (balanced accuracy), macro_f1 (macro F1), auc (AUC)", dse_train(executor, data, &setting, &wrong, &none, &runs[0], &why));
    const char *of = NULL;
    assert_string_equal(dse_quality_gain("mean_rank"), "neg_mean_rank");
    assert_string_equal(dse_quality_gain("mrr"), "mrr");
    assert_true(dse_quality_is_negative("neg_mean_rank", &of) && strcmp(of, "mean_rank") == 0 && !dse_quality_is_negative("mrr", NULL));
    assert_true(dse_quality_is_cost("rmse") && dse_quality_is_cost("mean_rank") && !dse_quality_is_cost("r2") && !dse_quality_is_cost("hits10"));
}

/* Attributes are read together with labels, unless they are positions: then every edge has nearly the same length. */
TEST(the_preset_best_reads_attributes_that_are_no_position)
{
    const struct dse_executor *executor = dse_executor_find("nysx");
    static const char *const expected[][5] = {{"wl", "cores", "4", "1"}, {"tuple", "both", "1", "8"}, {"tuple", "attributes", "2", "8"}};
    for (size_t i = 0; i < 3; i++) {
        DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(20, i < 2 ? 4 : 0, 3, 6);
        struct dse_graph_set *set = data->content;
        DSE_CLEANUP(dse_setting_free) struct dse_setting setting = {0};
        for (size_t g = 0; i == 0 && g < set->graph_count; g++) /* stars of radius 1 */
            for (size_t first = set->graph_begin[g], v = first; v < set->graph_begin[g + 1]; v++) {
                for (size_t k = 0; k < 3; k++)
                    set->node_attribute[3 * v + k] = v > first && v % 3 == k;
                for (size_t e = set->row_begin[v]; e < set->row_begin[v + 1]; e++)
                    set->column[e] = v == first;
            }
        assert_true(dse_graph_set_has_positions(set) == (i == 0));
        OK(dse_executor_preset(executor, "best", data, 0, &setting, &why));
        assert_string_equal(dse_setting_get(&setting, "codes"), expected[i][0]);
        assert_string_equal(dse_setting_get(&setting, "features"), expected[i][1]);
        assert_string_equal(dse_setting_get(&setting, "hops"), expected[i][2]);
        assert_string_equal(dse_setting_get(&setting, "draws"), expected[i][3]);
        assert_string_equal(dse_setting_get(&setting, "nee.form"), "direct");
        assert_string_equal(dse_setting_get(&setting, "landmarks"), "300");
    }
}

/* The width follows the attributes' scale, to a power of two. */
TEST(the_preset_best_scales_the_width)
{
    const struct dse_executor *executor = dse_executor_find("nysx");
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(20, 4, 4, 6);
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    double scale[] = {1.0, 8.0, 0.0}, width[3];
    for (size_t i = 0; i < 3; i++) {
        DSE_CLEANUP(dse_setting_free) struct dse_setting setting = {0};
        for (size_t k = 0; k < set->node_count * set->attribute_count; k++)
            set->node_attribute[k] *= scale[i];
        OK(dse_executor_preset(executor, "best", data, 0, &setting, &why));
        width[i] = strtod(dse_setting_get(&setting, "width"), NULL);
    }
    assert_true(width[0] >= 0.25 && width[0] <= 16.0 && exp2(round(log2(width[0]))) == width[0]);
    assert_true(width[1] == 8.0 * width[0]);
    assert_true(width[2] == 1.0);
}

TEST(test_settings_by_name)
{
    struct dse_error err = {0};
    const struct dse_executor *executor = dse_executor_find("nysx");
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 4, 0, 6);
    struct dse_setting changes = {0}, out;
    dse_setting_put(&changes, "landmarks", "7");
    assert_int_equal(dse_executor_setting(executor, NULL, data, &changes, false, &out, &err), DSE_OK);
    assert_string_equal(dse_setting_get(&out, "landmarks"), "7");
    size_t trained = 0;
    for (size_t i = 0; i < executor->knobs->count; i++)
        trained += dse_knob_trains(&executor->knobs->knobs[i]);
    assert_int_equal(out.count, trained);
    dse_setting_free(&out);
    dse_setting_put(&changes, "kse.pe", "4");
    assert_int_equal(dse_executor_setting(executor, NULL, data, &changes, true, &out, &err), DSE_OK);
    assert_null(dse_setting_get(&out, "kse.pe"));
    dse_setting_free(&out);
    FAILS(DSE_BAD_USAGE, "kse.pe", dse_executor_setting(executor, NULL, data, &changes, false, &out, &why));
    dse_setting_put(&changes, "landmarks", "-1");
    assert_int_equal(dse_executor_setting(executor, NULL, data, &changes, true, &out, &err), DSE_BAD_USAGE);
    assert_int_equal(out.count, 0);
    dse_setting_free(&changes);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

TEST(test_rejections)
{
    struct dse_error err = {0};
    const struct dse_executor *executor = dse_executor_find("nysx");
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 4, 0, 6);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(executor, data, "landmarks", "12", NULL);
    struct dse_model *model;
    struct dse_training out;
    struct dse_monitor monitor = {.cancelled = always};
    struct dse_run run = {.seed = 1, .jobs = 2}, stopped = {.seed = 1, .jobs = 2, .monitor = &monitor};
    assert_int_equal(dse_train(executor, data, &setting, &stopped, &model, &out, &err), DSE_CANCELLED);
    assert_null(model);
    dse_setting_put(&setting, "landmarks", "1000");
    assert_int_equal(dse_train(executor, data, &setting, &run, &model, &out, &err), DSE_BAD_USAGE);
    assert_null(model);
}

/* By hand: of five items of class 7 three are right, of three of class −1 two; of the 15 pairs the margins order 9, and tie in 2. */
TEST(classes_are_judged)
{
    int64_t label[] = {7, 7, 7, 7, 7, -1, -1, -1}, predicted[] = {7, 7, 7, -1, -1, -1, -1, 7}, *values;
    double margin[] = {3, 2, 1, -1, -2, -2, 1, 2.5};
    struct dse_inference found = {.count = 8, .label = label, .predicted = predicted, .margin = margin};
    OK(dse_inference_judge(&found, &why));
    /* Influences on the sum of the F1 scores: 2/27 for the right items of 7, 6/49 for those of -1, -6/81 - 4/49 for the three wrong ones. The
     * shares of pairs that the margins put in order are 1, 2/3, 1/2, 1/3 and 1/6, and 0.9, 0.5 and 0.2. */
    const double wrong = 6.0 / 81 + 4.0 / 49, area = 64.0 / 225;
    const struct dse_figure expected[] = {
        {"balanced", (0.6 + 2.0 / 3) / 2, sqrt(0.6 * 0.4 / 5 + 2.0 / 27) / 2},
        {"macro_f1", (2 * 3.0 / 9 + 2 * 2.0 / 7) / 2, sqrt(3 * 4.0 / 729 + 2 * 36.0 / 2401 + 3 * wrong * wrong) / 2},
        {"majority", 5.0 / 8, NAN},
        {"auc", 8.0 / 15, sqrt(((1 + 4.0 / 9 + 0.25 + 1.0 / 9 + 1.0 / 36) / 5 - area) / 5 + ((0.81 + 0.25 + 0.04) / 3 - area) / 3)}};
    assert_float_equal(found.quality, 5.0 / 8, 1e-15);
    assert_float_equal(found.error, sqrt(5.0 / 8 * 3.0 / 8 / 8), 1e-15);
    assert_int_equal(found.figure_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(found.figures[i].name, expected[i].name);
        assert_float_equal(found.figures[i].value, expected[i].value, 1e-15);
        assert_true(isnan(expected[i].error) ? isnan(found.figures[i].error) : fabs(found.figures[i].error - expected[i].error) < 1e-15);
    }
    assert_int_equal(found.present, 2); /* always 7: classes 7 and -1 have F1 10/13 and 0 */
    assert_float_equal(dse_quality_constant("macro_f1", &(struct dse_chance){.majority = 5.0 / 8, .classes = 2}), 5.0 / 13, 1e-15);
    assert_int_equal(dse_inference_classes(&found, &values), 2);
    assert_int_equal(values[0], -1);
    size_t *table = dse_inference_confusion(&found, values, 2);
    assert_memory_equal(table, ((const size_t[]){2, 1, 2, 3}), 4 * sizeof *table);
    free(table);
    free(values);
}

/* A class that is only predicted has an F1 score of 0, as in scikit-learn: (2·1/3 + 0)/2. */
TEST(predicted_classes_lower_macro_f1)
{
    int64_t label[] = {1, 1}, predicted[] = {1, 2};
    struct dse_inference found = {.count = 2, .label = label, .predicted = predicted};
    OK(dse_inference_judge(&found, &why));
    assert_string_equal(found.figures[1].name, "macro_f1");
    assert_float_equal(found.figures[1].value, 1.0 / 3, 1e-15);
}

TESTS(NULL, NULL)
