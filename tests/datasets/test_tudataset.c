/* The TUDataset parser on hand-made texts: every accepted form, every rejection with its message. */
#include <stdlib.h>
#include <string.h>

#include "datasets/graphs.h"
#include "datasets/tudataset.h"
#include "tests/test.h"

/* Two graphs of three and two nodes: a path with a repeated edge and an isolated node, and a single edge. */
#define ARCS "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n"
#define INDICATOR "1\n1\n1\n2\n2\n"
#define CLASSES "-1\n1\n"
#define LABELS "7\n-2\n7\n100\n-2\n"
#define WIDE ",,,,,,,,,,,,,,,,,,,,,,,,,"
#define ATTRIBUTES "1, 2.5\n  0.5,-1e-3\n3,4\n5,6\n7,8\n"

static enum dse_status parse(const char *const texts[DSE_TUDATASET_PARTS], struct dse_graph_set **set,
                             struct dse_error *err)
{
    static char names[DSE_TUDATASET_PARTS][24] = {"T_A.txt", "T_graph_indicator.txt", "T_graph_labels.txt",
                                                  "T_node_labels.txt", "T_node_attributes.txt", "T_edge_labels.txt"};
    struct dse_text parts[DSE_TUDATASET_PARTS];
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++)
        parts[i] = (struct dse_text){names[i], (char *)(uintptr_t)texts[i], texts[i] != NULL ? strlen(texts[i]) : 0};
    return dse_tudataset_parse("T", parts, set, err);
}

static struct dse_graph_set *parse_well(const char *arcs, const char *indicator, const char *classes,
                                        const char *labels, const char *attributes)
{
    const char *const texts[DSE_TUDATASET_PARTS] = {arcs, indicator, classes, labels, attributes};
    struct dse_error err = {0};
    struct dse_graph_set *set = NULL;
    if (parse(texts, &set, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return set;
}

TEST(plain_set_is_read)
{
    struct dse_graph_set *set = parse_well(ARCS, INDICATOR, CLASSES, LABELS, ATTRIBUTES);
    static const size_t graph_begin[] = {0, 3, 5}, row_begin[] = {0, 1, 3, 4, 5, 6};
    static const int32_t column[] = {1, 0, 2, 1, 1, 0}, labels[] = {1, 0, 1, 2, 0}, classes[] = {0, 1};
    static const int64_t label_values[] = {-2, 7, 100}, class_values[] = {-1, 1};
    static const double attributes[] = {1, 2.5, 0.5, -1e-3, 3, 4, 5, 6, 7, 8};
    assert_string_equal(set->name, "T");
    assert_int_equal(set->graph_count, 2);
    assert_int_equal(set->node_count, 5);
    assert_int_equal(set->arc_count, 6);
    assert_memory_equal(set->graph_begin, graph_begin, sizeof graph_begin);
    assert_memory_equal(set->row_begin, row_begin, sizeof row_begin);
    assert_memory_equal(set->column, column, sizeof column);
    assert_int_equal(set->node_label_count, 3);
    assert_memory_equal(set->node_label, labels, sizeof labels);
    assert_memory_equal(set->node_label_values, label_values, sizeof label_values);
    assert_int_equal(set->class_count, 2);
    assert_memory_equal(set->graph_label, classes, sizeof classes);
    assert_memory_equal(set->class_values, class_values, sizeof class_values);
    assert_int_equal(set->attribute_count, 2);
    assert_memory_equal(set->node_attribute, attributes, sizeof attributes);
    assert_int_equal(dse_graph_nodes(set, 1), 2);
    assert_int_equal(dse_graph_arcs(set, 0), 4);
    dse_graph_set_free(set);
}

/* One data set in several notations. */
static const char *const writings[][DSE_TUDATASET_PARTS] = {
    {"1,2\n2,1\n2,3\n3,2\n4,5\n5,4", "1\n1\n1\n2\n2", "-1\n1", "7\n-2\n7\n100\n-2", "1,2.5\n.5,-0.001\n3,4\n5,6\n7,8"},
    {"1, 2\r\n2, 1\r\n2, 3\r\n3, 2\r\n4, 5\r\n5, 4\r\n", "1\r\n1\r\n1\r\n2\r\n2\r\n", "-1\r\n1\r\n",
     "7\r\n-2\r\n7\r\n100\r\n-2\r\n", "1, 2.5\r\n0.5,-1E-3\r\n3,4\r\n5,6\r\n7,8\r\n"},
    {"\xEF\xBB\xBF  1 ,\t2 \n 2,1\t\n5, 4\n4, 5\n3, 2\n2, 3\n\n \r\n\t\n", "  1\n1 \n1\n2\n2\n\n", "\t-1\n+1\n\n\n",
     "7\n-2 \n 07\n100\n-2\n  ", "  1.000000,  2.500000 \n 0.50,-0.1e-2\n3.0,4.\n5,6e0\n70e-1,+8\n\n"},
    {"2,3\n1,2\n2,1\n1,2\n3,2\n4,5\n5,4\n5,4\n", INDICATOR, CLASSES, LABELS, ATTRIBUTES},
};

TEST(every_writing_gives_one_hash)
{
    struct dse_graph_set *plain = parse_well(ARCS, INDICATOR, CLASSES, LABELS, ATTRIBUTES);
    for (size_t i = 0; i < sizeof writings / sizeof *writings; i++) {
        const char *const *w = writings[i];
        struct dse_graph_set *other = parse_well(w[0], w[1], w[2], w[3], w[4]);
        assert_true(other->hash == plain->hash);
        assert_int_equal(other->duplicate_arcs, i == 3 ? 2 : 0);
        dse_graph_set_free(other);
    }
    dse_graph_set_free(plain);
}

/* A set that differs from the plain one in a single part. */
static const char *const others[][DSE_TUDATASET_PARTS] = {
    {"1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n5, 5\n", INDICATOR, CLASSES, LABELS, ATTRIBUTES},
    {"1, 3\n3, 1\n2, 3\n3, 2\n4, 5\n5, 4\n", INDICATOR, CLASSES, LABELS, ATTRIBUTES},
    {ARCS, INDICATOR, "1\n-1\n", LABELS, ATTRIBUTES},
    {ARCS, INDICATOR, "0\n1\n", LABELS, ATTRIBUTES},
    {ARCS, INDICATOR, CLASSES, "7\n-2\n7\n101\n-2\n", ATTRIBUTES},
    {ARCS, INDICATOR, CLASSES, "7\n7\n-2\n100\n-2\n", ATTRIBUTES},
    {ARCS, INDICATOR, CLASSES, LABELS, "1, 2.5\n0.5,-1.0000001e-3\n3,4\n5,6\n7,8\n"},
    {ARCS, INDICATOR, CLASSES, NULL, ATTRIBUTES},
    {ARCS, INDICATOR, CLASSES, LABELS, NULL},
};

TEST(other_content_gives_another_hash)
{
    struct dse_graph_set *plain = parse_well(ARCS, INDICATOR, CLASSES, LABELS, ATTRIBUTES);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *const *o = others[i];
        struct dse_graph_set *other = parse_well(o[0], o[1], o[2], o[3], o[4]);
        assert_true(other->hash != plain->hash);
        dse_graph_set_free(other);
    }
    dse_graph_set_free(plain);
}

TEST(unusual_arcs_are_kept_and_counted)
{
    struct dse_graph_set *set = parse_well("1,3\n3,3\n3,3\n3,3\n2,1\n1,2\n", "1\n1\n1\n", "4\n", NULL, NULL);
    static const size_t row_begin[] = {0, 2, 3, 4};
    static const int32_t column[] = {1, 2, 0, 2};
    assert_memory_equal(set->row_begin, row_begin, sizeof row_begin);
    assert_memory_equal(set->column, column, sizeof column);
    assert_int_equal(set->duplicate_arcs, 2);
    assert_int_equal(set->self_loops, 1);
    assert_int_equal(set->one_way_arcs, 1);
    dse_graph_set_free(set);
}

/* Nodes without labels and attributes get their degrees as labels; existing labels and attributes are unchanged. */
TEST(degrees_stand_in_for_labels)
{
    struct dse_graph_set *set = parse_well("1,2\n2,1\n2,3\n3,2\n2,1\n", "1\n1\n1\n2\n", "0\n1\n", NULL, NULL);
    static const int32_t labels[] = {1, 2, 1, 0};
    static const int64_t values[] = {0, 1, 2};
    struct dse_setting facts = {0};
    assert_true(set->labelled_by_degree);
    assert_int_equal(set->node_label_count, 3);
    assert_memory_equal(set->node_label, labels, sizeof labels);
    assert_memory_equal(set->node_label_values, values, sizeof values);
    assert_int_equal(set->attribute_count, 0);
    struct dse_dataset data = {.kind = &dse_kind_graphs, .content = set};
    dse_dataset_facts(&data, &facts);
    assert_string_equal(dse_setting_get(&facts, "node_labels_from"), "degrees");
    dse_setting_free(&facts);
    dse_graph_set_free(set);
    set = parse_well("1,2\n", "1\n1\n", "0\n", NULL, "1\n2\n");
    assert_null(set->node_label);
    assert_false(set->labelled_by_degree);
    dse_graph_set_free(set);
}

/* Integers as written by programs that store them as real numbers. */
TEST(whole_numbers_may_have_a_point)
{
    struct dse_graph_set *plain = parse_well(ARCS, INDICATOR, CLASSES, LABELS, NULL);
    struct dse_graph_set *real = parse_well("1.0, 2\n2e0,1\n20e-1, 3.\n3,2\n4,5\n5, 4.000000e+00\n", "1.\n1\n1\n2.0\n2\n",
                                            "-1.0000000e+00\n1.0\n", "7.0\n-2\n7\n1e2\n-2.00\n", NULL);
    assert_int_equal(real->hash, plain->hash);
    dse_graph_set_free(plain);
    dse_graph_set_free(real);
}

TEST(nodes_without_any_edge_are_nodes)
{
    struct dse_graph_set *set = parse_well("", "1\n2\n3\n", "0\n1\n0\n", NULL, NULL);
    assert_int_equal(set->arc_count, 0);
    assert_int_equal(set->node_count, 3);
    assert_int_equal(dse_graph_arcs(set, 2), 0);
    dse_graph_set_free(set);
}

/* Values far apart, many of them, and in one slot of the label table. */
TEST(labels_of_any_size_become_dense)
{
    struct dse_graph_set *set =
        parse_well("", "1\n1\n1\n1\n1\n", "9223372036854775799\n", "1025\n1\n-9000000000000000000\n2049\n1\n", NULL);
    static const int32_t labels[] = {2, 1, 0, 3, 1};
    static const int64_t values[] = {INT64_C(-9000000000000000000), 1, 1025, 2049};
    assert_int_equal(set->node_label_count, 4);
    assert_memory_equal(set->node_label, labels, sizeof labels);
    assert_memory_equal(set->node_label_values, values, sizeof values);
    dse_graph_set_free(set);
}

/* Attribute texts and the double that the C library reads from them. */
TEST(decimals_are_correctly_rounded)
{
    static const char *const texts[] = {"0.1", "123456789012345678", "9007199254740993", "1e22", "1e23", "4.9e-324",
                                        "2.2250738585072014e-308", "1.7976931348623157e308", "-0", "0.000000000000000000000000000001",
                                        "3.141592653589793238462643383279502884197", "5e-400", "100000000000000000000000e-23"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct dse_graph_set *set = parse_well("", "1\n", "1\n", NULL, texts[i]);
        double expected = strtod(texts[i], NULL);
        assert_memory_equal(set->node_attribute, &expected, sizeof expected);
        dse_graph_set_free(set);
    }
}

TEST(facts_are_counted)
{
    struct dse_graph_set *set = parse_well("1,3\n3,3\n2,1\n1,2\n4,5\n", "1\n1\n1\n2\n2\n3\n", "4\n4\n0\n", "1\n2\n1\n1\n1\n5\n",
                                           NULL);
    struct dse_dataset dataset = {.kind = &dse_kind_graphs, .name = set->name, .content = set};
    static const char *const expected[][2] = {
        {"graphs", "3"},      {"classes", "2"},   {"nodes", "6"},     {"edges", "4"},
        {"node_labels", "3"}, {"nodes_mean", "2"}, {"nodes_min", "1"}, {"nodes_max", "3"},
        {"arcs_max", "4"},    {"arcs_mean", "1.66667"}, {"majority", "0.666667"}, {"node_attributes", "0"},
        {"self_loops", "1"},  {"one_way_arcs", "2"},
    };
    struct dse_setting facts = {0};
    dse_dataset_facts(&dataset, &facts);
    assert_int_equal(facts.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(dse_setting_get(&facts, expected[i][0]), expected[i][1]);
    dse_setting_free(&facts);
    dse_graph_set_free(set);
}

TEST(edge_labels_are_counted_and_no_part_of_the_hash)
{
    static const char *const labels[] = {NULL, "3\n3\n-1\n-1\n7\n7\n", "0,1\n0,1\n0,2\n0,2\n0,1\n0,1\n"};
    static const size_t counts[] = {0, 3, 0};
    uint64_t hash = 0;
    for (size_t i = 0; i < 3; i++) {
        const char *const texts[DSE_TUDATASET_PARTS] = {ARCS, INDICATOR, CLASSES, LABELS, ATTRIBUTES, labels[i]};
        struct dse_error err = {0};
        struct dse_graph_set *set = NULL;
        assert_int_equal(parse(texts, &set, &err), DSE_OK);
        assert_int_equal(set->edge_label_count, counts[i]);
        assert_true(i == 0 || set->hash == hash);
        hash = set->hash;
        dse_graph_set_free(set);
    }
}

/* A set with one part replaced, and its error message. */
static const struct rejection {
    enum dse_tudataset_part part;
    const char *text, *message;
} rejections[] = {
    {DSE_TUDATASET_ARCS, NULL, "T_A.txt: missing: a TUDataset needs it"},
    {DSE_TUDATASET_INDICATOR, NULL, "T_graph_indicator.txt: missing: a TUDataset needs it"},
    {DSE_TUDATASET_GRAPH_LABELS, NULL, "T_graph_labels.txt: missing: a TUDataset needs it"},
    {DSE_TUDATASET_ARCS, "1, 2\n2, 6\n",
     "T_A.txt:2: \"2, 6\": node 6 is out of range: must be from 1 to 5"},
    {DSE_TUDATASET_ARCS, "0, 1\n", "T_A.txt:1: \"0, 1\": node 0 is out of range: must be from 1 to 5"},
    {DSE_TUDATASET_ARCS, "-1, 1\n", "T_A.txt:1: \"-1, 1\": node -1 is out of range: must be from 1 to 5"},
    {DSE_TUDATASET_ARCS, "4294967297, 1\n",
     "T_A.txt:1: \"4294967297, 1\": node 4294967297 is out of range: must be from 1 to 5"},
    {DSE_TUDATASET_ARCS, "99999999999999999999, 1\n",
     "T_A.txt:1: \"99999999999999999999, 1\": must be two node numbers with a comma between them"},
    {DSE_TUDATASET_ARCS, "1, 2\n\n3, 4\n", "T_A.txt:2: empty line: allowed only at the end of the file"},
    {DSE_TUDATASET_ARCS, "1, 2\n3, 4\n",
     "T_A.txt:2: \"3, 4\": the edge joins graph 1 and graph 2: both ends must lie in one"},
    {DSE_TUDATASET_ARCS, "1 2\n", "T_A.txt:1: \"1 2\": must be two node numbers with a comma between them"},
    {DSE_TUDATASET_ARCS, "1, 2, 3\n", "T_A.txt:1: \"1, 2, 3\": must be two node numbers with a comma between them"},
    {DSE_TUDATASET_ARCS, "1,", "T_A.txt:1: \"1,\": must be two node numbers with a comma between them"},
    {DSE_TUDATASET_ARCS, "1.5, 2\n", "T_A.txt:1: \"1.5, 2\": must be two node numbers with a comma between them"},
    {DSE_TUDATASET_ARCS, "1, 2\r3, 2\r", "T_A.txt:1: \"1, 2\": must be two node numbers with a comma between them"},
    {DSE_TUDATASET_ARCS, "a\tb\xff 0123456789012345678901234567890123456789012345678901234567890123\n",
     "T_A.txt:1: \"a?b? 0123456789012345678901234567890123456789012345678901234...\": must be two node numbers "
     "with a comma between them"},
    {DSE_TUDATASET_INDICATOR, "", "T_graph_indicator.txt: holds no node"},
    {DSE_TUDATASET_INDICATOR, "0\n1\n", "T_graph_indicator.txt:1: \"0\": the first node must be of graph 1"},
    {DSE_TUDATASET_INDICATOR, "1\n1\n3\n",
     "T_graph_indicator.txt:3: \"3\": graph 3 after graph 1: must be 1 or 2 (graphs are in order, each with at least one node)"},
    {DSE_TUDATASET_INDICATOR, "1\n2\n1\n",
     "T_graph_indicator.txt:3: \"1\": graph 1 after graph 2: must be 2 or 3 (graphs are in order, each with at least one node)"},
    {DSE_TUDATASET_INDICATOR, "1\nx\n", "T_graph_indicator.txt:2: \"x\": must be one whole number, the number of the node's graph"},
    {DSE_TUDATASET_INDICATOR, "1\n1\n1\n2\n2\n3\n",
     "T_graph_labels.txt:3: ends after 2 lines: the data set has 3 graphs"},
    {DSE_TUDATASET_INDICATOR, "1\n1\n1\n1\n1\n", "T_graph_labels.txt:2: \"1\": one line too many: the data set has 1 graphs"},
    {DSE_TUDATASET_GRAPH_LABELS, "1.5\n2\n", "T_graph_labels.txt:1: \"1.5\": must be one whole number, the graph's class"},
    {DSE_TUDATASET_GRAPH_LABELS, "1\n1e17\n", "T_graph_labels.txt:2: \"1e17\": must be one whole number, the graph's class"},
    {DSE_TUDATASET_GRAPH_LABELS, "-99999999999999999999\n1\n",
     "T_graph_labels.txt:1: \"-99999999999999999999\": must be one whole number of at most 18 digits, the graph's class"},
    {DSE_TUDATASET_GRAPH_LABELS, "1\nnan\n", "T_graph_labels.txt:2: \"nan\": must be one whole number, the graph's class"},
    {DSE_TUDATASET_NODE_LABELS, "1\n2\n3\n4\n", "T_node_labels.txt:5: ends after 4 lines: the data set has 5 nodes"},
    {DSE_TUDATASET_NODE_LABELS, "1\n2\n3\n4\n5\n6\n",
     "T_node_labels.txt:6: \"6\": one line too many: the data set has 5 nodes"},
    {DSE_TUDATASET_NODE_LABELS, "1, 0\n2, 0\n",
     "T_node_labels.txt:1: \"1, 0\": must be one whole number, the node's label: several columns are not supported"},
    {DSE_TUDATASET_NODE_LABELS, "1\n0.5\n", "T_node_labels.txt:2: \"0.5\": must be one whole number, the node's label"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1, 2\n3\n5,6\n7,8\n9,0\n",
     "T_node_attributes.txt:2: \"3\": has 1 attributes, the first node has 2"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1, 2\n3,4,5\n5,6\n7,8\n9,0\n",
     "T_node_attributes.txt:2: \"3,4,5\": has more attributes than the 2 of the first node"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1, nan\n3,4\n5,6\n7,8\n9,0\n",
     "T_node_attributes.txt:1: \"1, nan\": attribute 2 must be a finite decimal number"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1, 2\n-inf,4\n5,6\n7,8\n9,0\n",
     "T_node_attributes.txt:2: \"-inf,4\": attribute 1 must be a finite decimal number"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1e999\n2\n3\n4\n5\n",
     "T_node_attributes.txt:1: \"1e999\": attribute 1 must be a finite decimal number"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "0x10\n2\n3\n4\n5\n",
     "T_node_attributes.txt:1: \"0x10\": a comma is missing after attribute 1"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1 2\n2\n3\n4\n5\n",
     "T_node_attributes.txt:1: \"1 2\": a comma is missing after attribute 1"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1,\n2\n3\n4\n5\n",
     "T_node_attributes.txt:1: \"1,\": attribute 2 must be a finite decimal number"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1,,2\n", "T_node_attributes.txt:1: \"1,,2\": attribute 2 must be a finite decimal number"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, WIDE WIDE WIDE WIDE "\n1\n1\n1\n1\n",
     "T_node_attributes.txt:1: 101 attributes per line are more than the file can hold"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "1\n2\n", "T_node_attributes.txt:3: ends after 2 lines: the data set has 5 nodes"},
    {DSE_TUDATASET_NODE_ATTRIBUTES, "", "T_node_attributes.txt:1: ends after 0 lines: the data set has 5 nodes"},
    {DSE_TUDATASET_EDGE_LABELS, "0\n0\n1\n1\n0\n", "T_edge_labels.txt:6: ends after 5 lines: the data set has 6 edges"},
    {DSE_TUDATASET_EDGE_LABELS, "0\n0\n1\n1\n0\n0\n2\n", "T_edge_labels.txt:7: \"2\": one line too many: the data set has 6 edges"},
    {DSE_TUDATASET_EDGE_LABELS, "0\nx\n1\n1\n0\n0\n", "T_edge_labels.txt:2: \"x\": must be one whole number, the edge's label"},
};

TEST(bad_texts_say_where_and_what)
{
    for (size_t i = 0; i < sizeof rejections / sizeof *rejections; i++) {
        const char *texts[DSE_TUDATASET_PARTS] = {ARCS, INDICATOR, CLASSES, LABELS, ATTRIBUTES};
        struct dse_error err = {0};
        struct dse_graph_set *set = NULL;
        texts[rejections[i].part] = rejections[i].text;
        assert_int_equal(parse(texts, &set, &err), DSE_BAD_INPUT);
        assert_string_equal(err.message, rejections[i].message);
        assert_null(set);
    }
}

TEST(a_nul_byte_is_no_number)
{
    char arcs[] = "1,\0002\n", name[] = "T_A.txt", one[] = "1\n1\n", class_text[] = "1\n";
    struct dse_text parts[DSE_TUDATASET_PARTS] = {
        {name, arcs, sizeof arcs - 1}, {name, one, sizeof one - 1}, {name, class_text, sizeof class_text - 1}};
    struct dse_error err = {0};
    struct dse_graph_set *set;
    assert_int_equal(dse_tudataset_parse("T", parts, &set, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, "T_A.txt:1: \"1,?2\": must be two node numbers with a comma between them");
}

TESTS(NULL, NULL)
