/* Generated sets: equal for equal seeds, of the requested sizes, and learnable only by their signal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "datasets/generate.h"
#include "datasets/graphs.h"
#include "tests/test.h"

static struct dse_graph_set *make(const struct dse_generate *what)
{
    struct dse_error err = {0};
    struct dse_graph_set *set;
    if (dse_generate_set(what, &set, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return set;
}

static uint64_t hash_of(const struct dse_generate *what)
{
    struct dse_graph_set *set = make(what);
    uint64_t hash = set->hash;
    dse_graph_set_free(set);
    return hash;
}

TEST(equal_seeds_give_equal_bytes)
{
    struct dse_generate what = dse_generate_defaults();
    what.attributes = 3;
    struct dse_text first[DSE_TUDATASET_PARTS], second[DSE_TUDATASET_PARTS];
    assert_int_equal(dse_generate_texts(&what, first, NULL), DSE_OK);
    assert_int_equal(dse_generate_texts(&what, second, NULL), DSE_OK);
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++) {
        assert_int_equal(first[i].size, second[i].size);
        assert_true(first[i].size > 0 || i == DSE_TUDATASET_EDGE_LABELS); /* generated sets have no edge labels */
        assert_memory_equal(first[i].data, second[i].data, first[i].size);
        assert_int_equal(first[i].data != NULL ? strlen(first[i].data) : 0, first[i].size);
        dse_text_free(&first[i]);
        dse_text_free(&second[i]);
    }
    uint64_t one = hash_of(&what);
    what.seed = 2;
    assert_true(hash_of(&what) != one);
}

TEST(awkward_writings_are_read_alike)
{
    struct dse_generate what = dse_generate_defaults();
    what.attributes = 2;
    uint64_t plain = hash_of(&what);
    for (unsigned flag = 1; flag < DSE_AWKWARD_WRITINGS; flag *= 2) {
        what.awkward = flag;
        assert_true(hash_of(&what) == plain);
    }
    what.awkward = DSE_AWKWARD_WRITINGS;
    assert_true(hash_of(&what) == plain);
    what.awkward = DSE_AWKWARD_REPEATED;
    struct dse_graph_set *set = make(&what);
    assert_true(set->duplicate_arcs > 0);
    dse_graph_set_free(set);
}

TEST(sizes_are_those_asked_for)
{
    struct dse_generate what = dse_generate_defaults();
    what.graphs = 300;
    what.classes = 3;
    what.mean_nodes = 40;
    what.mean_degree = 4;
    what.labels = 7;
    what.attributes = 2;
    struct dse_graph_set *set = make(&what);
    assert_int_equal(set->graph_count, 300);
    assert_int_equal(set->class_count, 3);
    assert_int_equal(set->node_label_count, 7);
    assert_int_equal(set->attribute_count, 2);
    assert_int_equal(set->duplicate_arcs + set->one_way_arcs + set->self_loops, 0);
    double nodes = (double)set->node_count / 300, degree = (double)set->arc_count / (double)set->node_count;
    assert_true(fabs(nodes - 40) < 2);
    assert_true(degree > 3.2 && degree < 4.2);
    dse_graph_set_free(set);
    what = dse_generate_defaults();
    what.labels = 0;
    set = make(&what);
    assert_true(set->labelled_by_degree);
    assert_null(set->node_attribute);
    dse_graph_set_free(set);
}

TEST(gaps_and_lonely_nodes_come_when_asked_for)
{
    struct dse_generate what = dse_generate_defaults();
    what.mean_degree = 6; /* more edges than a tree, so that no node is isolated */
    what.awkward = DSE_AWKWARD_LABEL_GAPS | DSE_AWKWARD_ISOLATED;
    struct dse_graph_set *set = make(&what);
    assert_int_equal(set->node_label_values[0], -3);
    assert_int_equal(set->node_label_values[4], 109);
    assert_int_equal(set->class_values[0], -1);
    assert_int_equal(set->class_values[1], 9);
    size_t lonely = 0, expected = 0;
    for (size_t g = 0; g < set->graph_count; g++)
        expected += dse_graph_nodes(set, g) / 8;
    for (size_t v = 0; v < set->node_count; v++)
        lonely += set->row_begin[v] == set->row_begin[v + 1];
    assert_true(expected > 0);
    assert_int_equal(lonely, expected);
    dse_graph_set_free(set);
}

/* One number of a graph by which a threshold could tell two classes apart. */
typedef double feature_of(const struct dse_graph_set *set, size_t graph);

static double share_of_even_labels(const struct dse_graph_set *set, size_t graph)
{
    double even = 0;
    for (size_t v = set->graph_begin[graph]; v < set->graph_begin[graph + 1]; v++)
        even += set->node_label[v] % 2 == 0;
    return even / (double)dse_graph_nodes(set, graph);
}

static double share_of_largest_degree(const struct dse_graph_set *set, size_t graph)
{
    size_t largest = 0;
    for (size_t v = set->graph_begin[graph]; v < set->graph_begin[graph + 1]; v++) {
        size_t degree = set->row_begin[v + 1] - set->row_begin[v];
        largest = degree > largest ? degree : largest;
    }
    return (double)largest / (double)dse_graph_nodes(set, graph);
}

/* Accuracy of the nearer class mean. */
static double accuracy_by(const struct dse_graph_set *set, feature_of *feature)
{
    double sum[2] = {0}, count[2] = {0}, right = 0;
    for (size_t g = 0; g < set->graph_count; g++) {
        sum[set->graph_label[g]] += feature(set, g);
        count[set->graph_label[g]]++;
    }
    for (size_t g = 0; g < set->graph_count; g++) {
        double value = feature(set, g);
        int nearer = fabs(value - sum[1] / count[1]) < fabs(value - sum[0] / count[0]);
        right += nearer == set->graph_label[g];
    }
    return right / (double)set->graph_count;
}

TEST(a_class_can_be_learnt_by_its_signal_alone)
{
    struct dse_generate what = dse_generate_defaults();
    what.graphs = 400;
    what.labels = 6;
    const struct {
        double feature, structure;
        feature_of *by;
        double at_least, at_most;
    } cases[] = {
        {0.8, 0, share_of_even_labels, 0.95, 1},   {0, 0.8, share_of_even_labels, 0.4, 0.6},
        {0, 0.8, share_of_largest_degree, 0.95, 1}, {0.8, 0, share_of_largest_degree, 0.4, 0.6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        what.feature_signal = cases[i].feature;
        what.structure_signal = cases[i].structure;
        struct dse_graph_set *set = make(&what);
        double accuracy = accuracy_by(set, cases[i].by);
        if (accuracy < cases[i].at_least || accuracy > cases[i].at_most)
            fail_msg("case %zu: accuracy %g", i, accuracy);
        dse_graph_set_free(set);
    }
}

TEST(a_folder_is_read_back)
{
    char parent[] = "/tmp/nysx-generate-XXXXXX";
    assert_non_null(mkdtemp(parent));
    char folder[64], command[96];
    snprintf(folder, sizeof folder, "%s/G", parent);
    struct dse_generate what = dse_generate_defaults();
    what.name = "G";
    struct dse_error err = {0};
    struct dse_graph_set *set;
    assert_int_equal(dse_generate_folder(&what, folder, &err), DSE_OK);
    assert_int_equal(dse_graph_set_read(folder, &set, &err), DSE_OK);
    assert_string_equal(set->name, "G");
    assert_true(set->hash == hash_of(&what));
    dse_graph_set_free(set);
    FAILS(DSE_BAD_USAGE, "already exists", dse_generate_folder(&what, folder, &why));
    assert_int_equal(dse_generate_folder(&what, "/proc/nysx/G", &err), DSE_LIMIT);
    snprintf(command, sizeof command, "rm -rf '%s'", parent);
    assert_int_equal(system(command), 0);
}

TEST(parameters_out_of_range_are_rejected)
{
    struct dse_error err = {0};
    struct dse_graph_set *set;
    struct dse_generate what = dse_generate_defaults();
    what.classes = 101;
    assert_int_equal(dse_generate_set(&what, &set, &err), DSE_BAD_USAGE);
    assert_string_equal(err.message, "classes = 101: must be from 1 to 100");
    what = dse_generate_defaults();
    what.feature_signal = NAN;
    assert_int_equal(dse_generate_set(&what, &set, &err), DSE_BAD_USAGE);
    what = dse_generate_defaults();
    what.name = "a/b";
    assert_int_equal(dse_generate_set(&what, &set, &err), DSE_BAD_USAGE);
    what = dse_generate_defaults();
    what.graphs = 1000000;
    what.mean_nodes = 1000;
    assert_int_equal(dse_generate_set(&what, &set, &err), DSE_LIMIT);
    assert_null(set);
}

TESTS(NULL, NULL)
