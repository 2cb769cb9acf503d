/* What the executor computes, for the C simulation's bench. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim.h"

static void put(FILE *file, uint32_t word)
{
    assert_int_equal(fwrite(&word, 4, 1, file), 1);
}

static void put_features(FILE *file, const struct nysx_model *model, const struct nysx_query *query, size_t node)
{
    size_t labels = model->columns.labels;
    if (query->attributes == 0) {
        put(file, query->column[node] >= 0 ? (uint32_t)query->column[node] : (uint32_t)labels);
        return;
    }
    for (size_t j = 0; j < labels + query->attributes; j++) {
        float value = j >= labels ? query->attribute[node * query->attributes + j - labels]
                                  : (float)(query->column[node] == (int32_t)j);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        put(file, bits);
    }
}

static void put_lookups(FILE *file, struct nysx_encoder *encoder, const struct nysx_query *query,
                        struct nysx_scratch *scratch)
{
    struct nysx_hop_counts counts[32];
    size_t probes = 0, hits = 0;
    assert_true(encoder->lsh.hops <= 32);
    nysx_encoder_count(encoder, query, scratch, counts);
    for (size_t t = 0; t < encoder->lsh.hops; t++) {
        probes += counts[t].probes_hit + counts[t].probes_miss;
        hits += counts[t].hits;
    }
    put(file, (uint32_t)probes);
    put(file, (uint32_t)hits);
}

static void put_case(FILE *file, const struct nysx_model *model, const struct nysx_query *query,
                     struct nysx_encoder *encoder)
{
    struct nysx_scratch scratch;
    struct nysx_nee_scratch nee_scratch;
    uint64_t *hypervector = calloc(model->nee.words, sizeof *hypervector);
    size_t begin = query->row_begin[0];
    OK(nysx_scratch_make(encoder, query->nodes, &scratch, &why));
    OK(nysx_nee_scratch_alloc(&model->nee, &nee_scratch, &why));
    put(file, (uint32_t)query->nodes);
    put(file, (uint32_t)(query->row_begin[query->nodes] - begin));
    for (size_t v = 0; v <= query->nodes; v++)
        put(file, (uint32_t)(query->row_begin[v] - begin));
    for (size_t e = begin; e < query->row_begin[query->nodes]; e++)
        put(file, (uint32_t)query->neighbour[e]);
    for (size_t v = 0; v < query->nodes; v++)
        put_features(file, model, query, v);
    put(file, (uint32_t)nysx_infer_query(model, query, &scratch, &nee_scratch, hypervector));
    for (size_t j = 0; j < model->encoder.landmarks; j++)
        put(file, (uint32_t)scratch.kernel[j]);
    for (size_t w = 0; w < 2 * model->nee.words; w++)
        put(file, (uint32_t)(hypervector[w / 2] >> (w % 2 * 32)));
    put_lookups(file, encoder, query, &scratch);
    free(hypervector);
    nysx_scratch_free(&scratch);
    nysx_nee_scratch_free(&nee_scratch);
}

/* The probes are those of the design's γ: the model's hashes are built anew for the count. */
void csim_write_cases(const struct bench *b, struct design *design, const char *folder)
{
    struct nysx_model *model = (struct nysx_model *)(void *)design->model;
    struct nysx_features features;
    char path[256];
    snprintf(path, sizeof path, "%s/cases.bin", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    OK(nysx_encoder_hash(&model->encoder, strtod(dse_setting_get(&design->layout, "mphe.gamma"), NULL), &why));
    OK(nysx_features_make(b->data.graphs, &model->columns, &features, &why));
    put(file, (uint32_t)model->split.n_test);
    for (size_t g = 0; g < model->split.n_test; g++) {
        struct nysx_query query = nysx_query_at(&features, (size_t)model->split.test[g]);
        put_case(file, model, &query, &model->encoder);
    }
    nysx_features_free(&features);
    fclose(file);
}
