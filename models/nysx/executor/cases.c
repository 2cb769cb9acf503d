/* The `cases` verb: graphs with the model's results, for the test bench of the accelerator's C simulation
 * (models/nysx/hls/testbench.c has the file's format). */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/nysx.h"
#include "models/nysx/layout.h"

struct casing {
    struct dse_arena arena;
    const struct nysx_model *model;
    const struct dse_graph_set *set;
    const int32_t *label; /* labels of the graph's nodes, if the packer finds the columns; otherwise NULL */
    struct nysx_mph *mph; /* [hops] of the design's γ */
    struct nysx_scratch scratch;
    struct nysx_nee_scratch nee;
    uint64_t *hypervector;
    int64_t *added; /* [classes] */
    struct dse_strbuf *out;
};

static void put(struct casing *c, uint32_t word)
{
    char bytes[4];
    for (int b = 0; b < 4; b++)
        bytes[b] = (char)(unsigned char)(word >> (8 * b) & 255);
    dse_strbuf_add_n(c->out, bytes, sizeof bytes);
}

/* A label's column (one past the last if training never saw it), with features=cores the label itself, or the numbers of a row of F. */
static void put_features(struct casing *c, const struct nysx_query *query, size_t node)
{
    size_t labels = c->model->columns.labels;
    if (c->label != NULL) {
        put(c, (uint32_t)c->set->node_label_values[c->label[node]]);
        return;
    }
    if (query->attributes == 0) {
        put(c, query->column[node] >= 0 ? (uint32_t)query->column[node] : (uint32_t)labels);
        return;
    }
    for (size_t j = 0; j < labels + query->attributes; j++) {
        float value = j >= labels ? query->attribute[node * query->attributes + j - labels]
                                  : (float)(query->column[node] == (int32_t)j);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        put(c, bits);
    }
}

static void put_graph(struct casing *c, const struct nysx_query *query)
{
    size_t begin = query->row_begin[0], end = query->row_begin[query->nodes];
    put(c, (uint32_t)query->nodes);
    put(c, (uint32_t)(end - begin));
    for (size_t v = 0; v <= query->nodes; v++)
        put(c, (uint32_t)(query->row_begin[v] - begin));
    for (size_t e = begin; e < end; e++)
        put(c, (uint32_t)query->neighbour[e]);
    for (size_t v = 0; v < query->nodes; v++)
        put_features(c, query, v);
}

/* The design's hashes may probe other levels than the model's own. */
static void put_lookups(struct casing *c, const struct nysx_query *query)
{
    const struct nysx_lsh *lsh = &c->model->encoder.lsh;
    size_t probes = 0, hits = 0;
    for (size_t t = 0; t < c->model->encoder.tables; t++) {
        nysx_lsh_codes(lsh, query, t, c->scratch.values, c->scratch.codes);
        for (size_t v = 0; v < query->nodes; v++)
            hits += nysx_mph_find(&c->mph[t], c->scratch.codes[v], &probes) >= 0;
    }
    put(c, (uint32_t)probes);
    put(c, (uint32_t)hits);
}

static void put_case(struct casing *c, const struct nysx_query *query)
{
    const struct nysx_model *model = c->model;
    put_graph(c, query);
    put(c, (uint32_t)nysx_infer_query(model, query, &c->scratch, &c->nee, c->hypervector, c->added));
    for (size_t j = 0; j < model->encoder.landmarks; j++)
        put(c, (uint32_t)c->scratch.kernel[j]);
    for (size_t w = 0; w < 2 * model->nee.words; w++)
        put(c, (uint32_t)(c->hypervector[w / 2] >> (w % 2 * 32)));
    put_lookups(c, query);
}

static enum dse_status open_casing(struct casing *c, const struct dse_graph_set *set, double gamma, struct dse_error *err)
{
    const struct nysx_encoder *encoder = &c->model->encoder;
    c->mph = dse_calloc(encoder->tables + 1, sizeof *c->mph);
    c->hypervector = dse_calloc(c->model->nee.words, sizeof *c->hypervector);
    c->added = dse_calloc(c->model->prototypes.classes, sizeof *c->added);
    for (size_t t = 0; t < encoder->tables; t++)
        DSE_TRY(nysx_mph_build(encoder->hop[t].codebook, encoder->hop[t].codes, gamma, &c->mph[t], err));
    c->scratch = nysx_scratch_make(encoder, nysx_largest_graph(set), &c->arena);
    c->nee = nysx_nee_scratch_make(&c->model->nee, &c->arena);
    return DSE_OK;
}

static void close_casing(struct casing *c)
{
    for (size_t t = 0; c->mph != NULL && t < c->model->encoder.tables; t++)
        nysx_mph_free(&c->mph[t]);
    free(c->mph);
    free(c->hypervector);
    free(c->added);
    dse_arena_free(&c->arena);
}

size_t nysx_fitting(const struct dse_graph_set *set, const void *layout, size_t *graphs, size_t count, size_t most)
{
    const struct nysx_layout *l = layout;
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < most; i++)
        if (graphs[i] < set->graph_count && dse_graph_nodes(set, graphs[i]) <= (size_t)l->max_nodes && dse_graph_arcs(set, graphs[i]) <= (size_t)l->max_nnz)
            graphs[kept++] = graphs[i];
    return kept;
}

enum dse_status nysx_model_cases(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                                 const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err)
{
    const struct nysx_model *model = nysx_model_of(base);
    struct nysx_features features DSE_CLEANUP(nysx_features_free) = {0};
    struct casing c DSE_CLEANUP(close_casing) = {.model = model, .out = out};
    DSE_TRY(dse_executor_takes(&nysx_executor, data, err));
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    c.set = set;
    bool own = data->hash == model->base.dataset_hash; /* the graphs that `infer` takes */
    size_t n = own ? model->base.split.n_test : set->graph_count;
    size_t *chosen DSE_CLEANUP(dse_free_at) = dse_malloc((n + 1) * sizeof *chosen);
    DSE_TRY(nysx_features_make(set, &model->columns, &features, err));
    DSE_TRY(open_casing(&c, set, dse_knob_number(&nysx_knobs.knobs[NYSX_MPHE_GAMMA], config->value[NYSX_MPHE_GAMMA]), err));
    for (size_t i = 0; i < n; i++)
        chosen[i] = own ? (size_t)model->base.split.test[i] : i;
    size_t count = nysx_fitting(set, layout, chosen, n, most);
    put(&c, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        struct nysx_query query = nysx_query_at(&features, chosen[i]);
        c.label = model->columns.kind == NYSX_CORES ? set->node_label + set->graph_begin[chosen[i]] : NULL;
        put_case(&c, &query);
    }
    return DSE_OK;
}
