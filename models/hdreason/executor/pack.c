/* The `pack` verb. It writes rows of M, then of H_r, as the score engines read them. A row's beats go to the memory ports, each with its own array
 * (models/hdreason/hls/memory.c). H^B follows in the words of the encoder's array, then the table of tanh. */
#include <stdio.h>
#include <string.h>

#include "models/hdreason/executor/fixed.h"
#include "models/hdreason/executor/rank.h"
#include "models/hdreason/executor/scheduler.h"

#define PORTS_MOST 16 /* half of the channels */

void hdreason_put_row(const struct hdreason_layout *l, uint32_t *const *port, size_t row, const int32_t *element)
{
    const size_t bits = (size_t)l->bits, a_word = (size_t)l->axi_bits / bits, ports = (size_t)l->ports, beats = (size_t)l->beats;
    for (size_t k = 0; k < (size_t)l->kept; k++) {
        size_t bit = (row * beats + k / (size_t)l->beat) * (size_t)l->axi_bits + k % a_word * bits;
        port[k / a_word % ports][bit / 32] |= ((uint32_t)element[k] & ((UINT32_C(1) << bits) - 1)) << bit % 32;
    }
}

/* One word per step of the encoder: per element of the embedding, the dimensions of the group. Dimensions that the score reads come first. */
static void put_base(const struct hdr_fixed *fixed, const struct hdr_ranker *ranker, const struct hdreason_layout *l, struct dse_pack *out)
{
    const size_t bits = (size_t)l->bits, depth = (size_t)l->depth, width = (size_t)l->width, sweeps = (size_t)l->sweeps, parts = (depth * width * bits + 31) / 32;
    uint32_t *base = dse_pack_add(out, "base", DSE_PACK_U32, (size_t)l->groups * sweeps, parts, 0, "base hypervectors, one word per step of the encoder")->values;
    out->arrays[out->count - 1].apart = true;
    for (size_t i = 0; i < fixed->embedding; i++)
        for (size_t k = 0; k < fixed->dim; k++) {
            const size_t product = i % depth * width + k % width, bit = product * bits;
            const uint32_t element = (uint32_t)fixed->base[i * fixed->dim + ranker->dim[k]] & ((UINT32_C(1) << bits) - 1);
            base[(k / width * sweeps + i / depth) * parts + bit / 32] |= element << bit % 32;
        }
    int32_t *table = dse_pack_add(out, "tanh", DSE_PACK_I32, HDR_TANH_WORDS, 0, 0, "tanh of whole numbers, in steps of an element")->values;
    memcpy(table, fixed->tanh, sizeof fixed->tanh);
}

/* H^B again for SA2. A word per step has one dimension's entries for the elements of the embedding that a step computes. */
static void put_base_turned(const struct hdr_fixed *fixed, const struct hdreason_layout *l, struct dse_pack *out)
{
    const size_t bits = (size_t)l->bits, columns = (size_t)l->columns, parts = (columns * bits + 31) / 32;
    uint32_t *base = dse_pack_add(out, "base_turned", DSE_PACK_U32, (size_t)l->train_sweeps * fixed->dim, parts, 0, "base hypervectors, one word per step of SA2")->values;
    out->arrays[out->count - 1].apart = true;
    for (size_t i = 0; i < fixed->embedding; i++)
        for (size_t k = 0; k < fixed->dim; k++) {
            const size_t bit = i % columns * bits;
            const uint32_t element = (uint32_t)fixed->base[i * fixed->dim + k] & ((UINT32_C(1) << bits) - 1);
            base[(i / columns * fixed->dim + k) * parts + bit / 32] |= element << bit % 32;
        }
}

enum dse_status hdreason_pack(const struct dse_model *base, const struct dse_config *config, const void *layout, struct dse_pack *out,
                              struct dse_error *err)
{
    static const char *const reads[] = {"precision", "ENTITIES", "RELATIONS", "SCORE_DIM", "BEATS", "MEMORY_PORTS", "AXI_BITS", "dim", "embedding", "ENCODER_DEPTH", "ENCODER_WIDTH",
                                        "ENCODER_SWEEPS", "GROUPS", NULL};
    static const char *const train_reads[] = {"precision", "ENTITIES", "RELATIONS", "SCORE_DIM", "BEATS", "MEMORY_PORTS", "AXI_BITS", "dim", "embedding", "ENCODER_DEPTH", "ENCODER_WIDTH",
                                              "ENCODER_SWEEPS", "GROUPS", "TRAIN_COLUMNS", "TRAIN_SWEEPS", NULL};
    const struct hdr_model *model = hdr_model_of(base);
    const struct hdreason_layout *l = layout;
    const struct hdr_embeddings from = {model->base_rows, model->entity, model->relation, model->entities, model->relation_rows};
    DSE_CLEANUP(hdr_ranker_free) struct hdr_ranker ranker = {0};
    DSE_CLEANUP(hdr_fixed_free) struct hdr_fixed fixed = {0};
    uint32_t *port[PORTS_MOST];
    char name[32];
    (void)config;
    DSE_TRY(dse_pack_expect("entities", model->entities, l->entities, err));
    DSE_TRY(dse_pack_expect("relations", model->relation_rows, l->relations, err));
    DSE_TRY(dse_pack_expect("kept_dims", model->setting.kept, l->kept, err));
    DSE_TRY(dse_pack_expect("dim", model->setting.dim, l->dim, err));
    DSE_TRY(dse_pack_expect("embedding", model->setting.embedding, l->embedding, err));
    DSE_TRY(dse_pack_expect("bits", hdr_element_bits(model->setting.precision), l->bits, err));
    for (size_t p = 0; p < (size_t)l->ports; p++) {
        snprintf(name, sizeof name, "memory%zu", p);
        struct dse_pack_array *array = dse_pack_add(out, name, DSE_PACK_U32, hdreason_memory_words(l), 0, 0,
                                                    "this port's words of M of the entities, then of H of the relations");
        array->place = DSE_PACK_MEMORY;
        port[p] = array->values;
    }
    hdr_ranker_make(model, &ranker);
    for (size_t i = 0; i < ranker.entities; i++)
        hdreason_put_row(l, port, i, ranker.row + i * ranker.stride);
    for (size_t r = 0; r < model->relation_rows; r++)
        hdreason_put_row(l, port, ranker.entities + r, ranker.relation + r * ranker.stride);
    hdr_fixed_make(&model->setting, &from, &fixed);
    put_base(&fixed, &ranker, l, out);
    if (l->trains)
        put_base_turned(&fixed, l, out);
    out->reads = l->trains ? train_reads : reads;
    return DSE_OK;
}
