/* The real data sets, compared with statistics counted independently of this reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/file.h"
#include "datasets/graphs.h"

/* Morris et al., TUDataset (2020), counted on the files by a separate script. */
static const struct facts {
    const char *name;
    size_t graphs, nodes, edges, node_labels, attributes, classes;
    size_t largest, smallest, isolated;
    int64_t class_value[2]; /* the first two classes and their graphs */
    size_t class_graphs[2];
    int64_t label_range[2];
} sets[] = {
    {"MUTAG", 188, 3371, 3721, 7, 0, 2, 28, 10, 0, {-1, 1}, {63, 125}, {0, 6}},
    {"ENZYMES", 600, 19580, 37282, 3, 18, 6, 126, 2, 106, {1, 2}, {100, 100}, {1, 3}},
    {"NCI1", 4110, 122747, 132753, 37, 0, 2, 111, 3, 428, {0, 1}, {2053, 2057}, {1, 37}},
    {"BZR", 405, 14479, 15535, 10, 3, 2, 57, 13, 0, {-1, 1}, {319, 86}, {1, 53}},
    {"DD", 1178, 334925, 843046, 82, 0, 2, 5748, 30, 0, {1, 2}, {691, 487}, {1, 89}},
};

static const char *data_folder(void)
{
    const char *chosen = getenv("NYSX_DATA_DIR");
    return chosen != NULL && *chosen != '\0' ? chosen : NYSX_TEST_SOURCE_DIR "/../shared/datasets";
}

static char *find_set(const char *name, const char *suffix)
{
    char *path = dse_path_join(data_folder(), name);
    assert_non_null(path);
    char *full = malloc(strlen(path) + strlen(suffix) + 1);
    assert_non_null(full);
    sprintf(full, "%s%s", path, suffix);
    free(path);
    if (dse_file_exists(full))
        return full;
    fprintf(stderr, "SKIPPED: %s is not there: set NYSX_DATA_DIR to the folder of the real data sets\n", full);
    free(full);
    skip();
    return NULL;
}

static size_t count_class(const struct dse_graph_set *set, int32_t class_index)
{
    size_t count = 0;
    for (size_t g = 0; g < set->graph_count; g++)
        count += set->graph_label[g] == class_index;
    return count;
}

static void check_sizes(const struct dse_graph_set *set, const struct facts *facts)
{
    size_t largest = 0, smallest = SIZE_MAX, isolated = 0;
    for (size_t g = 0; g < set->graph_count; g++) {
        size_t nodes = dse_graph_nodes(set, g);
        largest = nodes > largest ? nodes : largest;
        smallest = nodes < smallest ? nodes : smallest;
    }
    for (size_t v = 0; v < set->node_count; v++)
        isolated += set->row_begin[v] == set->row_begin[v + 1];
    assert_int_equal(largest, facts->largest);
    assert_int_equal(smallest, facts->smallest);
    assert_int_equal(isolated, facts->isolated);
}

/* Rows ascend, stay within their graph, and hold every arc in both directions. */
static void check_rows(const struct dse_graph_set *set)
{
    for (size_t g = 0; g < set->graph_count; g++) {
        int32_t nodes = (int32_t)dse_graph_nodes(set, g);
        for (size_t v = set->graph_begin[g]; v < set->graph_begin[g + 1]; v++)
            for (size_t i = set->row_begin[v]; i < set->row_begin[v + 1]; i++) {
                assert_in_range(set->column[i], 0, nodes - 1);
                if (i > set->row_begin[v])
                    assert_true(set->column[i - 1] < set->column[i]);
            }
    }
}

static void statistics_are_those_counted_apart(void **state)
{
    const struct facts *facts = *state;
    char *path = find_set(facts->name, ".zip");
    struct dse_error err = {0};
    struct dse_graph_set *set;
    if (dse_graph_set_read(path, &set, &err) != DSE_OK)
        fail_msg("%s", err.message);
    free(path);
    assert_string_equal(set->name, facts->name);
    assert_int_equal(set->graph_count, facts->graphs);
    assert_int_equal(set->node_count, facts->nodes);
    assert_int_equal(set->arc_count, 2 * facts->edges);
    assert_int_equal(set->node_label_count, facts->node_labels);
    assert_int_equal(set->node_label_values[0], facts->label_range[0]);
    assert_int_equal(set->node_label_values[set->node_label_count - 1], facts->label_range[1]);
    assert_int_equal(set->attribute_count, facts->attributes);
    assert_int_equal(set->class_count, facts->classes);
    assert_int_equal(set->duplicate_arcs + set->self_loops + set->one_way_arcs, 0);
    for (int32_t c = 0; c < 2; c++) {
        assert_int_equal(set->class_values[c], facts->class_value[c]);
        assert_int_equal(count_class(set, c), facts->class_graphs[c]);
    }
    check_sizes(set, facts);
    check_rows(set);
    dse_graph_set_free(set);
}

static void folder_and_zip_are_the_same(void **state)
{
    const struct facts *facts = *state;
    char *folder = find_set(facts->name, ""), *zip = find_set(facts->name, ".zip");
    struct dse_error err = {0};
    struct dse_dataset *unpacked, *packed, *named;
    assert_int_equal(dse_dataset_open(folder, NULL, &unpacked, &err), DSE_OK);
    assert_int_equal(dse_dataset_open(zip, NULL, &packed, &err), DSE_OK);
    assert_int_equal(dse_dataset_open(facts->name, data_folder(), &named, &err), DSE_OK);
    assert_true(unpacked->hash == packed->hash && packed->hash == named->hash && packed->hash != 0);
    assert_string_equal(unpacked->name, facts->name);
    assert_string_equal(packed->name, facts->name);
    dse_dataset_free(unpacked);
    dse_dataset_free(packed);
    dse_dataset_free(named);
    free(folder);
    free(zip);
}

/* The first and the thousandth line of ENZYMES_node_attributes.txt. */
static void attributes_are_those_of_the_file(void **state)
{
    (void)state;
    static const double first[18] = {11, 15.887014, 37.78, -0.51, 1.701, 93.9, 4, 5, 2,
                                     4,  4,         3,     3,     4,     4,    3, 6, 2};
    static const double thousandth[18] = {7, 9.741883, 28.98, 2.77, 1.314, 53.9, 2, 3, 2,
                                          2, 2,        3,     4,    1,     2,    2, 3, 2};
    char *path = find_set("ENZYMES", ".zip");
    struct dse_error err = {0};
    struct dse_graph_set *set;
    assert_int_equal(dse_graph_set_read(path, &set, &err), DSE_OK);
    assert_memory_equal(set->node_attribute, first, sizeof first);
    assert_memory_equal(set->node_attribute + 999 * 18, thousandth, sizeof thousandth);
    dse_graph_set_free(set);
    free(path);
}

#define SET_TEST(test, index) {#test " " #index, test, NULL, NULL, (void *)(uintptr_t)&sets[index]}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SET_TEST(statistics_are_those_counted_apart, 0), SET_TEST(statistics_are_those_counted_apart, 1),
        SET_TEST(statistics_are_those_counted_apart, 2), SET_TEST(statistics_are_those_counted_apart, 3),
        SET_TEST(statistics_are_those_counted_apart, 4), SET_TEST(folder_and_zip_are_the_same, 0),
        SET_TEST(folder_and_zip_are_the_same, 1),        cmocka_unit_test(attributes_are_those_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
