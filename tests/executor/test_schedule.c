/* Schedule tables, and a profile made with them. */
#include "sets.h"

#include "core/rng.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/schedule.h"
#include "tests/test.h"

/* Section 4.2 by hand: counts 3 1 0 2 1 sorted are 0 1 1 2 3; two PEs take 1 + 2 + 3 cycles, in natural
 * order 3 + 2 + 1. */
TEST(test_by_hand)
{
    static const int32_t counts[] = {3, 1, 0, 2, 1};
    static const int32_t expected[] = {2, 1, 4, 3, 0};
    int32_t order[5];
    nysx_schedule_order(counts, 5, order);
    assert_memory_equal(order, expected, sizeof order);
    assert_int_equal(nysx_schedule_cycles(counts, 5, order, 2), 1 + 2 + 3);
    assert_int_equal(nysx_schedule_cycles(counts, 5, NULL, 2), 3 + 2 + 1);
    assert_int_equal(nysx_schedule_cycles(counts, 5, order, 1), 1 + 1 + 1 + 2 + 3);
    assert_int_equal(nysx_schedule_cycles(counts, 5, order, 64), 3);
    assert_int_equal(nysx_schedule_cycles(counts, 0, NULL, 4), 0);
    /* Two elements: rows 0, 2, 4 (3 + 1 + 1 steps) and 1, 3 (1 + 2); each with two rows under way: 0 and 4 (3 + 1), 2; 1, 3 */
    assert_int_equal(nysx_schedule_alone(counts, 5, NULL, 2, 1), 5);
    assert_int_equal(nysx_schedule_alone(counts, 5, NULL, 2, 2), 1 + 2 * 3);
    assert_int_equal(nysx_schedule_alone(counts, 5, order, 1, 6), 5 + 6 * 2); /* the fifth context's row of three */
    assert_int_equal(nysx_schedule_alone(counts, 0, NULL, 4, 6), 0);
}

/* Grouping equal lengths is optimal if P divides the rows. (Otherwise ascending order can lose: the last iteration, which has the longest
 * rows, leaves PEs unused.) */
TEST(test_best_where_full)
{
    struct dse_rng rng;
    int32_t counts[200], order[200];
    for (uint64_t seed = 0; seed < 50; seed++) {
        dse_rng_seed(&rng, seed, 0);
        size_t rows = 64 * (1 + dse_rng_below(&rng, 3));
        for (size_t r = 0; r < rows; r++)
            counts[r] = (int32_t)dse_rng_below(&rng, 20);
        nysx_schedule_order(counts, rows, order);
        for (size_t pe = 1; pe <= 64; pe *= 2)
            assert_true(nysx_schedule_cycles(counts, rows, order, pe) <=
                        nysx_schedule_cycles(counts, rows, NULL, pe));
    }
}

static const double *series(const struct dse_workload *workload, const char *name, size_t rows, size_t columns)
{
    const struct dse_series *found = dse_workload_series(workload, name);
    if (found == NULL)
        fail_msg("no series %s", name);
    assert_int_equal(found->rows, rows);
    assert_int_equal(found->columns, columns);
    return found->values;
}

static void profile(const struct dse_dataset *data, const struct dse_setting *setting, struct dse_workload *out)
{
    struct dse_run run = {.seed = 1, .jobs = 1};
    const struct dse_executor *nysx = dse_executor_find("nysx");
    OK(nysx->profile(data, setting, &run, out, &why));
}

static void free_workload(struct dse_workload *workload)
{
    for (size_t i = 0; i < workload->series_count; i++) {
        free(workload->series[i].name);
        free(workload->series[i].values);
    }
    free(workload->series);
    dse_setting_free(&workload->setting);
}

TEST(test_profile)
{
    const struct dse_executor *nysx = dse_executor_find("nysx");
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(150, 4, 0, 8);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(nysx, data, "landmarks", "50", "hops", "3", NULL);
    DSE_CLEANUP(free_workload) struct dse_workload workload = {0};
    profile(data, &setting, &workload);
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    size_t largest = 0;
    for (size_t g = 0; g < set->graph_count; g++)
        largest = dse_graph_nodes(set, g) > largest ? dse_graph_nodes(set, g) : largest;
    assert_true(*series(&workload, "nodes.max", 1, 1) == (double)largest);
    assert_true(*series(&workload, "nodes.p99", 1, 1) <= (double)largest);
    assert_true(*series(&workload, "features", 1, 1) == (double)set->node_label_count);
    assert_true(*series(&workload, "features.onehot", 1, 1) == 1.0);
    assert_true(*series(&workload, "landmarks", 1, 1) == 50.0);
    assert_in_range((size_t)*series(&workload, "rank", 1, 1), 1, 50);
    const double *nnz = series(&workload, "nnz_h", 3, 1), *codes = series(&workload, "codebook", 3, 1);
    const double *hits = series(&workload, "hits.mean", 3, 1), *bins = series(&workload, "bins.mean", 3, 1);
    const double *bits = series(&workload, "mph.bits", 3, 4);
    const double *balanced = series(&workload, "kse.schedule.static", 3, 7);
    const double *natural = series(&workload, "kse.schedule.none", 3, 7);
    for (size_t t = 0; t < 3; t++) {
        assert_true(codes[t] >= 1.0 && nnz[t] >= codes[t]);
        assert_true(bins[t] <= hits[t] && hits[t] <= (double)largest);
        assert_true(bits[t * 4] >= codes[t] && bits[t * 4 + 3] >= bits[t * 4]);
        assert_true(balanced[t * 7] == nnz[t]); /* one PE, no empty row */
        assert_true(natural[t * 7] == nnz[t]);
        for (size_t k = 1; k < 7; k++)
            assert_true(balanced[t * 7 + k] <= balanced[t * 7 + k - 1]);
    }
    const double *probes = series(&workload, "mph.probes_hit", 3, 4);
    for (size_t i = 0; i < 12; i++)
        assert_true(probes[i] >= 1.0);
    series(&workload, "sample.nodes", 70, 1);
    series(&workload, "sample.hits", 70, 3);
    series(&workload, "sample.a.static", 70, 7);
    series(&workload, "mean.a.none", 1, 7);
}

/* Statistics of real data by an independent program (mean N and nnz(A) over a training part, nnz(H) over all hops). */
TEST(test_real_statistics)
{
    static const struct {
        const char *name;
        double nodes, nnz_a, nnz_h;
    } expected[] = {{"MUTAG", 18, 40, 14300}, {"ENZYMES", 33, 124, 6700}, {"NCI1", 30, 65, 15700}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_real_set(expected[i].name);
        DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, NULL);
        DSE_CLEANUP(free_workload) struct dse_workload workload = {0};
        profile(data, &setting, &workload);
        const struct dse_series *nnz = dse_workload_series(&workload, "nnz_h");
        double sum = 0.0;
        for (size_t t = 0; t < nnz->rows; t++)
            sum += nnz->values[t];
        assert_float_equal(*series(&workload, "nodes.mean", 1, 1) / expected[i].nodes, 1.0, 0.06);
        assert_float_equal(*series(&workload, "nnz_a.mean", 1, 1) / expected[i].nnz_a, 1.0, 0.06);
        assert_float_equal(sum / expected[i].nnz_h, 1.0, 0.12);
    }
}

TESTS(NULL, NULL)
