/* Node codes: by hand on a small graph, and the restructured form against the unrestructured. */
#include "sets.h"

#include "models/nysx/executor/lsh.h"
#include "tests/test.h"

/* A path 0 − 1 − 2 and an isolated node, with labels 0, 1, 0, 1. */
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
    struct nysx_lsh lsh = {.hops = 3, .draws = 1, .columns = 2, .width = 0.5f, .u = u, .b = b};
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
    struct nysx_lsh lsh = {.hops = 1, .draws = 1, .columns = 2, .tuple = true, .width = 0.5f, .u = u, .b = b};
    int64_t zero = (int64_t)nysx_tuple_step(nysx_tuple_step(0, 2), 0);
    int64_t one = (int64_t)nysx_tuple_step(nysx_tuple_step(0, 0), 20);
    check_codes(&lsh, 0, (int64_t[]){zero, one, zero, one});
}

/* Two draws of two hops: codes 2 and 3 hash A F with their own directions. */
TEST(test_draws_by_hand)
{
    float u[] = {1.0f, 10.0f, 2.0f, 20.0f, 1.0f, 10.0f, 0.0f, 0.5f}, b[8] = {0};
    struct nysx_lsh lsh = {.hops = 4, .draws = 2, .columns = 2, .tuple = true, .width = 0.5f, .u = u, .b = b};
#define CODE(first, second) (int64_t)nysx_tuple_step(nysx_tuple_step(0, first), second)
    check_codes(&lsh, 0, (int64_t[]){CODE(2, 0), CODE(0, 20), CODE(2, 0), CODE(0, 20)});
    check_codes(&lsh, 1, (int64_t[]){CODE(4, 0), CODE(0, 40), CODE(4, 0), CODE(0, 40)});
    check_codes(&lsh, 2, (int64_t[]){CODE(0, 20), CODE(4, 0), CODE(0, 20), CODE(0, 0)});
    check_codes(&lsh, 3, (int64_t[]){CODE(0, 1), CODE(0, 0), CODE(0, 1), CODE(0, 0)});
#undef CODE
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
    struct nysx_lsh lsh = {.hops = 2, .draws = 1, .columns = 2, .width = 0.5f, .u = u, .b = b};
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

/* A^k (F u) in fp32 and (A^k F) u in double fall into the same bin, except near an edge. For every `step`-th graph, counts codes and
 * differences; `near`: by at most one bin. */
static size_t count_differing(const struct dse_dataset *data, const struct nysx_setting *setting, uint64_t seed, size_t step, bool near,
                              size_t *total)
{
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    DSE_CLEANUP(nysx_columns_free) struct nysx_columns columns = {0};
    DSE_CLEANUP(nysx_features_free) struct nysx_features features = {0};
    OK(nysx_columns_make(set, setting->features, &columns, &why));
    OK(nysx_features_make(set, &columns, &features, &why));
    DSE_CLEANUP(nysx_lsh_free) struct nysx_lsh lsh = nysx_lsh_draw(setting, columns.labels + columns.attributes, seed);
    size_t largest = nysx_largest_graph(set), differ = 0;
    DSE_CLEANUP(dse_free_at) float *scratch = malloc(3 * largest * sizeof *scratch);
    DSE_CLEANUP(dse_free_at) int64_t *fast = malloc(largest * sizeof *fast), *plain = malloc(largest * sizeof *plain);
    *total = 0;
    for (size_t g = 0; g < set->graph_count; g += step) {
        struct nysx_query query = nysx_query_at(&features, g);
        for (size_t t = 0; t < lsh.hops; t++) {
            nysx_lsh_codes(&lsh, &query, t, scratch, fast);
            nysx_lsh_codes_unrestructured(&lsh, &query, t, plain);
            for (size_t v = 0; v < query.nodes; v++, ++*total) {
                differ += fast[v] != plain[v];
                assert_true(!near || (fast[v] - plain[v] <= 1 && plain[v] - fast[v] <= 1));
            }
        }
    }
    return differ;
}

TEST(test_forms_agree)
{
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(40, 5, 3, 3);
    for (int kind = NYSX_LABELS; kind <= NYSX_BOTH; kind++)
        for (int codes = NYSX_CODES_SCALAR; codes <= NYSX_CODES_TUPLE; codes++)
            for (int propagation = NYSX_PROPAGATION_A; propagation <= NYSX_PROPAGATION_ROW_NORMALISED; propagation++) {
                struct nysx_setting setting = {.hops = 4, .draws = codes == NYSX_CODES_TUPLE ? 2 : 1, .width = 0.1, .features = (enum nysx_feature_kind)kind,
                                               .codes = (enum nysx_codes)codes, .propagation = (enum nysx_propagation)propagation,
                                               .direction = NYSX_GAUSS};
                size_t total, differ = count_differing(data, &setting, 7, 1, codes == NYSX_CODES_SCALAR, &total);
                assert_true(total > 1000);
                assert_true(differ * 100 < total);
            }
}

/* Counts and bounds the codes of real graphs whose bin differs from exact arithmetic. */
static void check_real(const char *name, const char *propagation)
{
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_real_set(name);
    DSE_CLEANUP(dse_setting_free) struct dse_setting words = test_setting(dse_executor_find("nysx"), data, "propagation", propagation, NULL);
    struct nysx_setting setting;
    OK(nysx_setting_parse(&words, &setting, &why));
    size_t total, differ = count_differing(data, &setting, 1, 7, false, &total);
    fprintf(stderr, "%s, %s: %zu of %zu codes differ from the unrestructured form (%.3f%%)\n", name, propagation, differ, total,
            100.0 * (double)differ / (double)total);
    assert_true(differ * 20 < total);
}

TEST(test_real_differences)
{
    static const char *const sets[] = {"MUTAG", "NCI1", "ENZYMES", "DD"};
    for (size_t i = 0; i < 4; i++) {
        check_real(sets[i], "row-normalised");
        check_real(sets[i], "A");
    }
}

/* With fewer hops, the first directions are the same. */
TEST(test_directions_by_hop)
{
    struct nysx_setting setting = {.hops = 2, .draws = 1, .width = 0.5};
    DSE_CLEANUP(nysx_lsh_free) struct nysx_lsh two = {0}, five = {0};
    two = nysx_lsh_draw(&setting, 6, 3);
    setting.hops = 5;
    five = nysx_lsh_draw(&setting, 6, 3);
    assert_memory_equal(two.u, five.u, 12 * sizeof(float));
    assert_memory_equal(two.b, five.b, 2 * sizeof(float));
    for (int t = 0; t < 5; t++)
        assert_true(five.b[t] >= 0.0f && five.b[t] <= 0.5f);
}

TESTS(NULL, NULL)
