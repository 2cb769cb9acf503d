#include "core/memory.h"
#include "models/hdreason/executor/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "datasets/numbering.h"

#define LETTERS_MOST ((size_t)1 << 26) /* letters of all names, padded as NumPy does */

enum dse_status hdr_setting_parse(const struct dse_setting *words, struct hdr_setting *out, struct dse_error *err)
{
    double v[DSE_KNOB_MAX];
    DSE_TRY(dse_knobs_trained_values(&hdreason_knobs, words, v, err));
    *out = (struct hdr_setting){
        .dim = (size_t)v[HDR_DIM], .embedding = (size_t)v[HDR_EMBEDDING], .batch = (size_t)v[HDR_BATCH], .epochs = (size_t)v[HDR_EPOCHS],
        .rate = v[HDR_RATE], .init = v[HDR_INIT], .margin = v[HDR_MARGIN], .scale = v[HDR_SCALE], .smoothing = v[HDR_SMOOTHING],
        .direction = (enum hdr_direction)v[HDR_DIRECTION], .memory = (enum hdr_memory)v[HDR_MEMORY], .loss = (enum hdr_loss)v[HDR_LOSS],
        .optimizer = (enum hdr_optimizer)v[HDR_OPTIMIZER], .gradient = (enum hdr_gradient)v[HDR_GRADIENT],
        .precision = (enum hdr_precision)v[HDR_PRECISION], .kept = (size_t)v[HDR_KEPT_DIMS],
    };
    if (out->kept > out->dim)
        return dse_fail(err, DSE_BAD_USAGE, "kept_dims = %zu: must be 0 (all) or at most dim = %zu", out->kept, out->dim);
    if (out->kept == 0)
        out->kept = out->dim;
    return DSE_OK;
}

/* Counts the letters of a UTF-8 name, and writes them to `out` unless it is NULL. */
static size_t letters_of(const char *name, uint32_t *out)
{
    size_t letters = 0, size = strlen(name);
    for (size_t at = 0; at < size; letters++) {
        const unsigned char *c = (const unsigned char *)name + at;
        size_t length = dse_utf8_length(c, size - at); /* the reader has rejected invalid UTF-8 */
        if (out != NULL)
            out[letters] = dse_utf8_code(c, length);
        at += length > 0 ? length : 1;
    }
    return letters;
}

enum dse_status hdr_names_make(const struct dse_triple_names *names, uint32_t **out, size_t *letters, struct dse_error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < names->count; i++) {
        size_t own = letters_of(dse_triple_name(names, i), NULL);
        most = own > most ? own : most;
    }
    *out = NULL;
    *letters = most;
    if (names->count > LETTERS_MOST / most)
        return dse_fail(err, DSE_LIMIT, "%zu names of up to %zu letters exceed the %zu letters of a model file", names->count,
                        most, LETTERS_MOST);
    *out = dse_calloc(names->count * most + 1, sizeof **out);
    for (size_t i = 0; i < names->count; i++)
        letters_of(dse_triple_name(names, i), *out + i * most);
    return DSE_OK;
}

/* For each name of a set, the model's number, or −1; malloc'd. */
static enum dse_status numbers_of(const struct dse_triple_names *names, const uint32_t *own, size_t count, size_t letters, int32_t **out,
                                  struct dse_error *err)
{
    DSE_CLEANUP(dse_numbering_free) struct dse_numbering numbering = {0};
    DSE_CLEANUP(dse_free_at) uint32_t *row = dse_malloc((letters + 1) * sizeof *row);
    *out = dse_malloc((names->count + 1) * sizeof **out);
    for (size_t i = 0; i < count; i++) {
        bool known;
        int32_t number;
        DSE_TRY(dse_numbering_add(&numbering, (struct dse_word){(const char *)(own + i * letters), letters * sizeof *own}, &number, &known, err));
    }
    for (size_t i = 0; i < names->count; i++) {
        const char *name = dse_triple_name(names, i);
        bool fits = letters_of(name, NULL) <= letters;
        memset(row, 0, letters * sizeof *row);
        if (fits)
            letters_of(name, row);
        (*out)[i] = fits ? dse_numbering_find(&numbering, (struct dse_word){(const char *)row, letters * sizeof *row}) : -1;
    }
    return DSE_OK;
}

static size_t renumber(struct dse_triple_set *out, const int32_t *entity, const int32_t *relation)
{
    size_t known = 0;
    for (size_t i = 0; i < out->begin[DSE_TRIPLE_PARTS]; i++) {
        struct dse_triple *t = &out->triple[i];
        *t = (struct dse_triple){entity[t->head], relation[t->relation], entity[t->tail]};
        if (t->head < 0 || t->relation < 0 || t->tail < 0)
            t->head = -1;
        known += t->head >= 0;
    }
    return known;
}

enum dse_status hdr_model_map(const struct hdr_model *model, const struct dse_dataset *data, struct dse_triple_set *out, struct dse_error *err)
{
    const struct dse_triple_set *set = dse_dataset_triples(data);
    const size_t count = set->begin[DSE_TRIPLE_PARTS];
    DSE_CLEANUP(dse_free_at) int32_t *entity = NULL, *relation = NULL;
    const bool same = data->hash == model->base.dataset_hash;
    if (!same) {
        DSE_TRY(numbers_of(&set->entity, model->entity_name, model->entities, model->entity_letters, &entity, err));
        DSE_TRY(numbers_of(&set->relation, model->relation_name, model->relations, model->relation_letters, &relation, err));
    }
    *out = *set;
    out->entity.count = model->entities;
    out->relation.count = model->relations;
    out->triple = dse_malloc((count + 1) * sizeof *out->triple);
    memcpy(out->triple, set->triple, count * sizeof *out->triple);
    if (same || renumber(out, entity, relation) > 0)
        return DSE_OK;
    free(out->triple);
    return dse_fail(err, DSE_BAD_USAGE, "%s: no triple has entities and relations of the model, which was trained on %s", data->name,
                    model->base.dataset);
}

void hdr_model_graph(const struct hdr_model *model, const struct dse_triple_set *set, struct hdr_graph *out)
{
    struct dse_triple_set learnt = *set;
    size_t count = set->begin[DSE_VALID_PART];
    learnt.triple = dse_malloc((count + 1) * sizeof *learnt.triple);
    memcpy(learnt.triple, set->triple, count * sizeof *learnt.triple);
    for (size_t i = 0; i < model->base.split.n_test; i++)
        if ((size_t)model->base.split.test[i] < count)
            learnt.triple[model->base.split.test[i]].head = -1;
    hdr_graph_make(&learnt, hdr_both_ways(model), out);
    free(learnt.triple);
}
