/* Graphs of labelled nodes: kept and dropped content and citations, every rejection with its line, the split, and generated graphs read
 * back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/nodes.h"
#include "tests/ok.h"
#include "tests/test.h"

/* Each text in memory of its own size, so that a sanitizer sees reads beyond it. */
static enum dse_status parse(const char *content, const char *cites, struct dse_node_graph **graph, struct dse_error *err)
{
    const char *const given[] = {content, cites};
    struct dse_text texts[2];
    for (int i = 0; i < 2; i++) {
        static char names[2][10] = {"g.content", "g.cites"};
        texts[i] = (struct dse_text){.name = names[i], .data = strdup(given[i]), .size = strlen(given[i])};
        assert_non_null(texts[i].data);
    }
    enum dse_status status = dse_node_graph_parse("g", &texts[0], &texts[1], graph, err);
    free(texts[0].data);
    free(texts[1].data);
    return status;
}

static const char plain_content[] = "a\t1\t0\t2\tx\nb\t0\t0\t0\ty\nc\t0\t0.5\t0\tx\nd\t1\t1\t1\tz\n";
static const char plain_cites[] = "a\tb\nc\ta\n";

TEST(test_what_is_kept)
{
    struct dse_node_graph *g;
    OK(parse(plain_content, plain_cites, &g, &why));
    static const size_t begin[] = {0, 2, 2, 3, 6}, rows[] = {0, 2, 3, 4, 4};
    static const int32_t columns[] = {0, 2, 1, 0, 1, 2}, neighbours[] = {1, 2, 0, 0}, labels[] = {0, 1, 0, 2};
    static const double values[] = {1, 2, 0.5, 1, 1, 1};
    assert_int_equal(g->node_count, 4);
    assert_int_equal(g->feature_count, 3);
    assert_memory_equal(g->feature_begin, begin, sizeof begin);
    assert_memory_equal(g->feature_column, columns, sizeof columns);
    assert_memory_equal(g->feature_value, values, sizeof values);
    assert_memory_equal(g->row_begin, rows, sizeof rows);
    assert_memory_equal(g->neighbour, neighbours, sizeof neighbours);
    assert_memory_equal(g->label, labels, sizeof labels);
    assert_int_equal(g->class_count, 3);
    assert_string_equal(g->class_name[1], "y");
    assert_int_equal(g->citations, 2);
    assert_int_equal(g->arc_count, 4);
    dse_node_graph_free(g);
}

TEST(test_same_in_every_writing)
{
    static const char *const contents[] = {
        "a 1 0 2 x\r\nb 0 0 0 y\r\nc 0 0.5 0 x\r\nd 1 1 1 z\r\n",
        "  a\t 1  0 2 x \nb\t0\t0\t0\ty\nc\t0\t5e-1\t-0\tx\nd\t1.0\t1\t1\tz",
        "\xEF\xBB\xBF" "a\t1\t0\t2\tx\nb\t0\t0\t0\ty\nc\t0\t0.5\t0\tx\nd\t1\t1\t1\tz\n\n \n"};
    static const char *const cites[] = {"b a\r\na c\r\n", "a\tb\na\tc\nb\ta\nc\ta\na\tb", "\xEF\xBB\xBF" "c a\na b\n\n"};
    struct dse_node_graph *plain, *other;
    OK(parse(plain_content, plain_cites, &plain, &why));
    for (size_t i = 0; i < 3; i++) {
        OK(parse(contents[i], cites[i], &other, &why));
        assert_int_equal(other->hash, plain->hash);
        assert_int_equal(other->repeated_citations, i == 1 ? 3 : 0);
        dse_node_graph_free(other);
    }
    OK(parse("a 1 0 2 x\nb 0 0 0 y\nc 0 0.5 0 x\nd 1 1 1 Z\n", plain_cites, &other, &why));
    assert_int_not_equal(other->hash, plain->hash);
    dse_node_graph_free(other);
    dse_node_graph_free(plain);
}

TEST(test_what_is_left_out)
{
    struct dse_node_graph *g;
    OK(parse(plain_content, "a a\nnobody a\nb nobody\na b\nb a\nd d\n", &g, &why));
    assert_int_equal(g->citations, 6);
    assert_int_equal(g->self_citations, 2);
    assert_int_equal(g->unknown_citations, 2);
    assert_int_equal(g->repeated_citations, 1);
    assert_int_equal(g->arc_count, 2);
    dse_node_graph_free(g);
}

static void expect_rejection(const char *content, const char *cites, const char *where, const char *what)
{
    struct dse_error err = {0};
    struct dse_node_graph *g = NULL;
    assert_int_equal(parse(content, cites, &g, &err), DSE_BAD_INPUT);
    assert_null(g);
    if (strncmp(err.message, where, strlen(where)) != 0 || strstr(err.message, what) == NULL)
        fail_msg("\"%s\" does not begin with \"%s\" or not say \"%s\"", err.message, where, what);
}

TEST(test_rejections)
{
    expect_rejection("", plain_cites, "g.content", "holds no node");
    expect_rejection("\n\n", plain_cites, "g.content", "holds no node");
    expect_rejection("a\n", plain_cites, "g.content:1:", "must be an id, the features and a class");
    expect_rejection("a 1 x\nb 1 2 x\n", plain_cites, "g.content:2:", "has more than the 1 features");
    expect_rejection("a 1 1 x\nb 1 x\n", plain_cites, "g.content:2:", "ends after 1 features");
    expect_rejection("a 1 1 x\nb 1 1\n", plain_cites, "g.content:2:", "ends after 1 features");
    expect_rejection("a 1 1 x\nb 1 1 \n", plain_cites, "g.content:2:", "ends after 2 features, without a class");
    expect_rejection("a 1 1 x\nb\n", plain_cites, "g.content:2:", "ends after 0 features");
    expect_rejection("a 1 x\nb 2 y\na 1 x\n", plain_cites, "g.content:3:", "\"a\" occurs twice");
    expect_rejection("a 1 x\nb one y\n", plain_cites, "g.content:2:", "feature 1, \"one\"");
    expect_rejection("a 1 x\nb nan y\n", plain_cites, "g.content:2:", "feature 1, \"nan\"");
    expect_rejection("a 1 x\nb 1e999 y\n", plain_cites, "g.content:2:", "feature 1");
    expect_rejection("a 1 x\nb 0x1 y\n", plain_cites, "g.content:2:", "feature 1, \"0x1\"");
    expect_rejection("a 1 x\n\nb 1 y\n", plain_cites, "g.content:2:", "empty line");
    expect_rejection(plain_content, "a b\na\n", "g.cites:2:", "must be two ids");
    expect_rejection(plain_content, "a b c\n", "g.cites:1:", "must be two ids");
}

/* A separate folder below the working folder, with a generated graph. */
static struct dse_dataset *make(const char *folder, const double values[DSE_NODES_OPTIONS], uint64_t seed)
{
    struct dse_generation what = {.name = "toy", .values = values, .seed = seed};
    struct dse_dataset *data;
    char path[64];
    OK(dse_nodes_generate(&what, folder, &why));
    snprintf(path, sizeof path, "./%s", folder);
    OK(dse_dataset_open(path, NULL, &data, &why));
    snprintf(path, sizeof path, "%s/toy.content", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/toy.cites", folder);
    unlink(path);
    rmdir(folder);
    assert_ptr_equal(data->kind, &dse_kind_nodes);
    assert_string_equal(data->name, "toy");
    return data;
}

TEST(test_made_up)
{
    double values[DSE_NODES_OPTIONS] = {300, 3, 60, 8, 4, 0.6, 0};
    struct dse_dataset *plain = make("nodes-plain", values, 1);
    const struct dse_node_graph *g = dse_dataset_nodes(plain);
    assert_int_equal(g->node_count, 300);
    assert_int_equal(g->self_citations + g->unknown_citations, 0);
    for (int writing = 1; writing < 16; writing <<= 1) { /* crlf, blanks, no final newline, blank tail */
        values[DSE_NODES_AWKWARD] = writing;
        struct dse_dataset *other = make("nodes-other", values, 1);
        assert_int_equal(other->hash, plain->hash);
        dse_dataset_free(other);
    }
    values[DSE_NODES_AWKWARD] = 255;
    struct dse_dataset *odd = make("nodes-odd", values, 1);
    g = dse_dataset_nodes(odd);
    assert_true(g->self_citations > 0 && g->unknown_citations > 0 && g->repeated_citations > 0);
    assert_int_equal(g->row_begin[8] - g->row_begin[7], 0);
    dse_dataset_free(odd);
    dse_dataset_free(plain);
}

TEST(test_split)
{
    const double values[DSE_NODES_OPTIONS] = {2000, 4, 10, 3, 2, 0.5, 0}, few[DSE_NODES_OPTIONS] = {61, 3, 10, 3, 2, 0.5, 0};
    struct dse_dataset *data = make("nodes-split", values, 2), *small = make("nodes-few", few, 2);
    struct dse_draw draw = {.seed = 5, .stream = 1};
    struct dse_split split;
    OK(dse_dataset_split(data, &draw, &split, &why));
    const struct dse_node_graph *g = dse_dataset_nodes(data);
    size_t of_class[4] = {0};
    char *seen = calloc(g->node_count, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < split.n_train; i++) {
        of_class[g->label[split.train[i]]]++;
        seen[split.train[i]]++;
    }
    for (size_t i = 0; i < split.n_validation; i++)
        seen[split.validation[i]]++;
    for (size_t i = 0; i < split.n_test; i++)
        seen[split.test[i]]++;
    for (size_t c = 0; c < 4; c++)
        assert_int_equal(of_class[c], 20);
    for (size_t v = 0; v < g->node_count; v++)
        assert_true(seen[v] <= 1);
    assert_int_equal(split.n_validation, 500);
    assert_int_equal(split.n_test, 1000);
    free(seen);
    dse_split_free(&split);
    OK(dse_dataset_split(small, &draw, &split, &why)); /* 21, 20 and 20 nodes a class: half of each, then a third */
    assert_int_equal(split.n_train, 31);
    assert_int_equal(split.n_validation, 10);
    assert_int_equal(split.n_test, 20);
    dse_split_free(&split);
    draw.folds = 5;
    FAILS(DSE_BAD_USAGE, "20 nodes per class", dse_dataset_split(data, &draw, &split, &why));
    dse_dataset_free(data);
    dse_dataset_free(small);
}

TESTS(NULL, NULL)
