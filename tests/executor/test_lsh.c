/* Node codes: by hand on a small graph, and the restructured form against the unrestructured. */
#include "sets.h"

#include "models/nysx/executor/lsh.h"
#include "tests/test.h"

/* A path 0 − 1 − 2 and a node of its own, with labels 0, 1, 0, 1. */
static const size_t row_begin[] = {0, 1, 3, 4, 4};
static const int32_t neighbour[] = {1, 0, 2, 1};
static const int32_t column[] = {0, 1, 0, 1};

static struct nysx_query path_query(void)
{
    return (struct nysx_query){.nodes = 4, .row_begin = row_begin, .neighbour = neighbour, .column = column};
}

static void check_codes(const struct nysx_lsh *lsh, size_t hop, const int64_t *expected)
{
    struct nysx_query query = path_query();
    float scratch[12];
    int64_t codes[4];
    nysx_lsh_codes(lsh, &query, hop, scratch, codes);
    for (int v = 0; v < 4; v++)
        assert_int_equal(codes[v], expected[v]);
}

TEST(test_by_hand)
{
    float u[] = {1.0f, 10.0f, 1.0f, 10.0f, 1.0f, 10.0f}, b[] = {0.25f, 0.25f, 0.25f};
    struct nysx_lsh lsh = {.hops = 3, .columns = 2, .width = 0.5f, .u = u, .b = b};
    check_codes(&lsh, 0, (int64_t[]){2, 20, 2, 20});
    check_codes(&lsh, 1, (int64_t[]){20, 4, 20, 0});
    check_codes(&lsh, 2, (int64_t[]){4, 40, 4, 0});
    lsh.normalised = true;
    check_codes(&lsh, 1, (int64_t[]){20, 2, 20, 0}); /* (1 + 1) / 2 at the middle */
    check_codes(&lsh, 2, (int64_t[]){2, 20, 2, 0});
}

TEST(test_tuple_by_hand)
{
    float u[] = {1.0f, 10.0f}, b[] = {0.25f, 0.0f};
    struct nysx_lsh lsh = {.hops = 1, .columns = 2, .tuple = true, .width = 0.5f, .u = u, .b = b};
    int64_t zero = (int64_t)nysx_tuple_step(nysx_tuple_step(0, 2), 0);
    int64_t one = (int64_t)nysx_tuple_step(nysx_tuple_step(0, 0), 20);
    check_codes(&lsh, 0, (int64_t[]){zero, one, zero, one});
}

/* Rows of 0 to 11 neighbours, longer ones than molecules have: node v's are all before it. */
TEST(test_long_rows)
{
    enum { NODES = 12 };
    size_t begin[NODES + 1] = {0};
    int32_t before[NODES * NODES], label[NODES];
    float u[] = {1.0f, 10.0f, 1.0f, 10.0f}, b[] = {0.25f, 0.25f}, scratch[3 * NODES];
    int64_t codes[NODES], sum = 0;
    for (size_t v = 0; v < NODES; v++) {
        begin[v + 1] = begin[v] + v;
        label[v] = (int32_t)(v % 2);
        for (size_t i = 0; i < v; i++)
            before[begin[v] + i] = (int32_t)i;
    }
    struct nysx_lsh lsh = {.hops = 2, .columns = 2, .width = 0.5f, .u = u, .b = b};
    struct nysx_query query = {.nodes = NODES, .row_begin = begin, .neighbour = before, .column = label};
    nysx_lsh_codes(&lsh, &query, 1, scratch, codes);
    for (size_t v = 0; v < NODES; v++) {
        assert_int_equal(codes[v], 2 * sum);
        sum += v % 2 ? 10 : 1;
    }
}

TEST(test_floor)
{
    assert_int_equal(nysx_lsh_floor(-0.1f, 0.0f, 1.0f), -1);
    assert_int_equal(nysx_lsh_floor(1.0f, 0.5f, 0.5f), 3);
    assert_int_equal(nysx_lsh_floor(1e30f, 0.0f, 1e-3f), (int64_t)1 << 62);
    assert_int_equal(nysx_lsh_floor(-1e30f, 0.0f, 1e-3f), -((int64_t)1 << 62));
}

/* A^k (F u) in fp32 and (A^k F) u in double fall into the same bin but for values near an edge: codes never
 * differ by more than one bin where values are moderate, and few do at all. */
static void compare_forms(struct dse_dataset *data, enum nysx_feature_kind kind, enum nysx_codes codes,
                          enum nysx_propagation propagation)
{
    struct dse_error err = {0};
    struct nysx_setting setting = {.hops = 4, .width = 0.1, .features = kind, .codes = codes,
                                   .propagation = propagation, .direction = NYSX_GAUSS};
    struct nysx_columns columns;
    struct nysx_features features;
    struct nysx_lsh lsh;
    assert_int_equal(nysx_columns_make(dse_dataset_graphs(data), kind, &columns, &err), DSE_OK);
    assert_int_equal(nysx_features_make(dse_dataset_graphs(data), &columns, &features, &err), DSE_OK);
    lsh = nysx_lsh_draw(&setting, columns.labels + columns.attributes, 7);
    size_t largest = nysx_largest_graph(dse_dataset_graphs(data)), differ = 0, total = 0;
    float *scratch = malloc(3 * largest * sizeof *scratch);
    int64_t *fast = malloc(largest * sizeof *fast), *plain = malloc(largest * sizeof *plain);
    for (size_t g = 0; g < dse_dataset_graphs(data)->graph_count; g++) {
        struct nysx_query query = nysx_query_at(&features, g);
        for (size_t t = 0; t < setting.hops; t++) {
            nysx_lsh_codes(&lsh, &query, t, scratch, fast);
            nysx_lsh_codes_unrestructured(&lsh, &query, t, plain);
            for (size_t v = 0; v < query.nodes; v++, total++) {
                differ += fast[v] != plain[v];
                if (codes == NYSX_CODES_SCALAR)
                    assert_true(fast[v] - plain[v] <= 1 && plain[v] - fast[v] <= 1);
            }
        }
    }
    assert_true(total > 1000);
    assert_true(differ * 100 < total);
    free(scratch);
    free(fast);
    free(plain);
    nysx_lsh_free(&lsh);
    nysx_features_free(&features);
    nysx_columns_free(&columns);
}

TEST(test_forms_agree)
{
    struct dse_dataset *data = test_set(40, 5, 3, 3);
    for (int kind = NYSX_LABELS; kind <= NYSX_BOTH; kind++)
        for (int codes = NYSX_CODES_SCALAR; codes <= NYSX_CODES_TUPLE; codes++)
            for (int propagation = NYSX_PROPAGATION_A; propagation <= NYSX_PROPAGATION_ROW_NORMALISED; propagation++)
                compare_forms(data, (enum nysx_feature_kind)kind, (enum nysx_codes)codes,
                              (enum nysx_propagation)propagation);
    dse_dataset_free(data);
}

/* Codes of real graphs that fall into another bin than exact arithmetic puts them: counted and bounded. */
static void count_differences(const char *name, const char *propagation)
{
    struct dse_error err = {0};
    struct dse_dataset *data = test_real_set(name);
    struct dse_setting words = test_setting(dse_executor_find("nysx"), data, "propagation", propagation, NULL);
    struct nysx_setting setting;
    struct nysx_columns columns;
    struct nysx_features features;
    struct nysx_lsh lsh;
    assert_int_equal(nysx_setting_parse(&words, &setting, &err), DSE_OK);
    assert_int_equal(nysx_columns_make(dse_dataset_graphs(data), setting.features, &columns, &err), DSE_OK);
    assert_int_equal(nysx_features_make(dse_dataset_graphs(data), &columns, &features, &err), DSE_OK);
    lsh = nysx_lsh_draw(&setting, columns.labels + columns.attributes, 1);
    size_t largest = nysx_largest_graph(dse_dataset_graphs(data)), differ = 0, total = 0;
    float *scratch = malloc(3 * largest * sizeof *scratch);
    int64_t *fast = malloc(largest * sizeof *fast), *plain = malloc(largest * sizeof *plain);
    for (size_t g = 0; g < dse_dataset_graphs(data)->graph_count; g += 7) {
        struct nysx_query query = nysx_query_at(&features, g);
        for (size_t t = 0; t < setting.hops; t++) {
            nysx_lsh_codes(&lsh, &query, t, scratch, fast);
            nysx_lsh_codes_unrestructured(&lsh, &query, t, plain);
            for (size_t v = 0; v < query.nodes; v++, total++)
                differ += fast[v] != plain[v];
        }
    }
    fprintf(stderr, "%s, %s: %zu of %zu codes differ from the unrestructured form (%.3f%%)\n", name, propagation, differ, total,
            100.0 * (double)differ / (double)total);
    assert_true(differ * 20 < total);
    free(scratch);
    free(fast);
    free(plain);
    nysx_lsh_free(&lsh);
    nysx_features_free(&features);
    nysx_columns_free(&columns);
    dse_setting_free(&words);
    dse_dataset_free(data);
}

TEST(test_real_differences)
{
    static const char *const sets[] = {"MUTAG", "NCI1", "ENZYMES", "DD"};
    for (size_t i = 0; i < 4; i++) {
        count_differences(sets[i], "row-normalised");
        count_differences(sets[i], "A");
    }
}

/* Fewer hops draw the same first directions. */
TEST(test_directions_by_hop)
{
    struct nysx_setting setting = {.hops = 2, .width = 0.5};
    struct nysx_lsh two, five;
    two = nysx_lsh_draw(&setting, 6, 3);
    setting.hops = 5;
    five = nysx_lsh_draw(&setting, 6, 3);
    assert_memory_equal(two.u, five.u, 12 * sizeof(float));
    assert_memory_equal(two.b, five.b, 2 * sizeof(float));
    for (int t = 0; t < 5; t++)
        assert_true(five.b[t] >= 0.0f && five.b[t] <= 0.5f);
    nysx_lsh_free(&two);
    nysx_lsh_free(&five);
}

TESTS(NULL, NULL)
