#include "datasets/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/order.h"
#include "core/rng.h"
#include "core/strbuf.h"
#include "datasets/facts.h"

#define FILE_BYTES_MAX ((size_t)1 << 30) /* bytes of one file once unpacked, as for graph sets */

static const char content_ending[] = ".content", cites_ending[] = ".cites";

static bool holds_content(const struct dse_bundle *pack)
{
    return dse_bundle_ending(pack, content_ending, NULL) > 0;
}

/* The citations of a content file: the entry with the same stem. */
static enum dse_status read_cites(struct dse_bundle *pack, const char *content, struct dse_text *out, struct dse_error *err)
{
    struct dse_strbuf entry DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_add_n(&entry, content, strlen(content) - strlen(content_ending));
    dse_strbuf_add(&entry, cites_ending);
    DSE_TRY(dse_bundle_read(pack, entry.text, FILE_BYTES_MAX, out, err));
    return out->data != NULL ? DSE_OK
                             : dse_fail(err, DSE_BAD_INPUT, "%s: %s is missing: %s needs it", dse_bundle_path(pack), entry.text, content);
}

static enum dse_status read_nodes(const struct dse_data_source *source, struct dse_dataset *out, struct dse_error *err)
{
    struct dse_text content DSE_CLEANUP(dse_text_free) = {0}, cites DSE_CLEANUP(dse_text_free) = {0};
    struct dse_node_graph *graph = NULL;
    const char *entries[2];
    if (dse_bundle_ending(source->pack, content_ending, entries) > 1)
        return dse_fail(err, DSE_BAD_INPUT, "%s: holds several graphs: %s, %s", dse_bundle_path(source->pack), entries[0], entries[1]);
    out->name = dse_path_stem(entries[0], content_ending);
    DSE_TRY(dse_bundle_read(source->pack, entries[0], FILE_BYTES_MAX, &content, err));
    DSE_TRY(read_cites(source->pack, entries[0], &cites, err));
    DSE_TRY(dse_node_graph_parse(out->name, &content, &cites, &graph, err));
    out->content = graph;
    out->hash = graph->hash;
    return DSE_OK;
}

static void free_nodes(void *content)
{
    dse_node_graph_free(content);
}

static size_t count_nodes(const void *content)
{
    return ((const struct dse_node_graph *)content)->node_count;
}

/* ---- facts ---- */

static void put_degrees(const struct dse_node_graph *g, struct dse_setting *facts)
{
    size_t most = 0, isolated = 0;
    for (size_t v = 0; v < g->node_count; v++) {
        size_t degree = g->row_begin[v + 1] - g->row_begin[v];
        most = degree > most ? degree : most;
        isolated += degree == 0;
    }
    dse_facts_ratio(facts, "degree_mean", g->arc_count, g->node_count);
    dse_facts_count(facts, "degree_max", most);
    dse_facts_count(facts, "isolated", isolated);
}

static void node_facts(const void *content, struct dse_setting *facts)
{
    const struct dse_node_graph *g = content;
    const size_t nonzeros = g->feature_begin[g->node_count];
    const struct {
        const char *name;
        size_t count;
        bool always;
    } counts[] = {
        {"nodes", g->node_count, true},
        {"features", g->feature_count, true},
        {"classes", g->class_count, true},
        {"feature_nonzeros", nonzeros, true},
        {"citations", g->arc_count / 2, true},
        {"arcs", g->arc_count, true},
        {"self_citations", g->self_citations, false},
        {"unknown_citations", g->unknown_citations, false},
        {"repeated_citations", g->repeated_citations, false},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].always || counts[i].count > 0)
            dse_facts_count(facts, counts[i].name, counts[i].count);
    if (g->feature_count > 0)
        dse_facts_ratio(facts, "feature_density", nonzeros, g->node_count * g->feature_count);
    put_degrees(g, facts);
    dse_facts_majority(facts, g->label, g->node_count, g->class_count);
}

/* ---- the split ---- */

/* How many nodes of a class train. */
static size_t training_share(size_t of_class)
{
    return of_class < 2 * DSE_NODES_TRAIN_A_CLASS ? (of_class + 1) / 2 : DSE_NODES_TRAIN_A_CLASS;
}

/* The first nodes of each class in `order` go to the training part, the others move to the front of `order`. Returns the number of the latter. */
static size_t take_training(const struct dse_node_graph *g, int32_t *order, size_t *quota, struct dse_split *out)
{
    size_t rest = 0;
    for (size_t i = 0; i < g->node_count; i++) {
        int32_t v = order[i];
        if (quota[g->label[v]] > 0) {
            quota[g->label[v]]--;
            out->train[out->n_train++] = v;
        } else {
            order[rest++] = v;
        }
    }
    return rest;
}

static enum dse_status fill_parts(const struct dse_node_graph *g, int32_t *order, size_t *quota, struct dse_split *out,
                                  struct dse_error *err)
{
    for (size_t v = 0; v < g->node_count; v++)
        quota[g->label[v]]++;
    for (size_t c = 0; c < g->class_count; c++)
        quota[c] = training_share(quota[c]);
    size_t rest = take_training(g, order, quota, out);
    bool few = rest < DSE_NODES_VALIDATION + DSE_NODES_TEST;
    out->n_validation = few ? rest / 3 : DSE_NODES_VALIDATION;
    out->n_test = few ? rest - out->n_validation : DSE_NODES_TEST;
    if (out->n_validation == 0 || out->n_test == 0)
        return dse_fail(err, DSE_BAD_INPUT, "a graph of %zu nodes and %zu classes cannot be split: training takes %zu of the nodes, and "
                        "validation and test need at least two", g->node_count, g->class_count, out->n_train);
    memcpy(out->validation, order, out->n_validation * sizeof *order);
    memcpy(out->test, order + out->n_validation, out->n_test * sizeof *order);
    qsort(out->train, out->n_train, sizeof *order, dse_by_int32);
    qsort(out->validation, out->n_validation, sizeof *order, dse_by_int32);
    qsort(out->test, out->n_test, sizeof *order, dse_by_int32);
    return DSE_OK;
}

static enum dse_status split_nodes(const void *content, const struct dse_draw *draw, struct dse_split *out,
                                   struct dse_error *err)
{
    const struct dse_node_graph *g = content;
    int32_t *order DSE_CLEANUP(dse_free_at) = dse_malloc(g->node_count * sizeof *order);
    size_t *quota DSE_CLEANUP(dse_free_at) = dse_calloc(g->class_count, sizeof *quota);
    *out = (struct dse_split){.train = dse_malloc(g->node_count * sizeof *order), .test = dse_malloc(g->node_count * sizeof *order),
                              .validation = dse_malloc(g->node_count * sizeof *order)};
    struct dse_rng rng;
    for (size_t v = 0; v < g->node_count; v++)
        order[v] = (int32_t)v;
    dse_rng_seed(&rng, draw->seed, draw->stream);
    dse_rng_shuffle(&rng, order, g->node_count);
    enum dse_status status = fill_parts(g, order, quota, out, err);
    if (status != DSE_OK)
        dse_split_free(out);
    return status;
}

const struct dse_kind dse_kind_nodes = {
    .name = "nodes",
    .title = "a graph of labelled nodes",
    .item = "node",
    .items = "nodes",
    .sign = "NAME.content",
    .holds = holds_content,
    .read = read_nodes,
    .free = free_nodes,
    .count = count_nodes,
    .facts = node_facts,
    .split = split_nodes,
    .split_title = "20 nodes per class to train, 500 to validate, 1000 to test",
    .generate = dse_nodes_generate,
    .options = dse_nodes_options,
    .option_count = DSE_NODES_OPTIONS,
};
