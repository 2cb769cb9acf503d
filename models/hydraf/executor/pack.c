/* The `pack` verb: a model's state in the format that the accelerator loads (models/hydraf/hls/port.c), and its base hypervectors in the
 * encoder's words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/hydraf/executor/model.h"
#include "models/hydraf/layout.h"

#define STEP_MOST 90 /* exponent; the power of the sum of two fits single precision */

/* Writes an element to its lane of a row that begins at `row`. */
static void put_element(const struct hydraf_layout *l, uint32_t *row, size_t lane, double element)
{
    float real = (float)element;
    uint32_t bits = (uint32_t)(int32_t)(l->real ? 0.0 : element), width = (uint32_t)l->shape.bits;
    if (l->real)
        memcpy(&bits, &real, sizeof bits);
    bits = width == 32 ? bits : bits & ((UINT32_C(1) << width) - 1);
    row[lane * width / 32] |= bits << (lane * width % 32);
}

void hydraf_pack_row(const struct hydraf_layout *l, const struct hydraf_rows *rows, size_t at, size_t chunk, uint32_t *row, size_t bit)
{
    uint32_t *parts = row + bit / 32;
    size_t first = bit % 32 / (size_t)l->shape.bits, dim = (size_t)l->shape.dim, width = (size_t)l->shape.chunk;
    for (size_t t = 0; t < width && chunk * width + t < dim; t++) {
        size_t d = at * dim + chunk * width + t;
        put_element(l, parts, first + t, l->real ? (double)rows->real[d] : rows->whole[d]);
    }
}

static void pack_block(const struct hydraf_layout *l, const struct hydraf_block *block, size_t chunk, size_t k, uint32_t *row)
{
    size_t width = (size_t)l->shape.chunk;
    for (size_t t = 0; t < width && chunk * width + t < block->dim; t++)
        put_element(l, row, t, hydraf_block_get(block, k, chunk * width + t));
}

/* Exponents of the steps, the encoder's shift, and β times a sample's step; then chunk after chunk the clusters' rows and the models'. */
static enum dse_status pack_state(const struct hydraf_regressor *r, const struct hydraf_layout *l, struct dse_pack *pack, struct dse_error *err)
{
    const double row_step = hydraf_encoder_step(&r->encoder);
    const int exponents[] = {ilogb(r->clusters.step), ilogb(r->models.step), ilogb(row_step), r->encoder.shift};
    const float sharpness = (float)(r->beta * row_step);
    size_t clusters = (size_t)l->shape.clusters, row = (size_t)(l->words_a_row * l->axi_bits / 32), head = (size_t)(l->head_words * l->axi_bits / 32);
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
        if (abs(exponents[i]) > STEP_MOST)
            return dse_fail(err, DSE_ANSWER_NO, "a step of the model is 2^%d, but the accelerator supports 2^-%d to 2^%d", exponents[i], STEP_MOST, STEP_MOST);
    uint32_t *state = dse_pack_add(pack, "state", DSE_PACK_U32, head + 2 * clusters * (size_t)l->shape.chunks * row, 0, 0,
                                   "clusters and models with their scales")->values;
    pack->arrays[pack->count - 1].place = DSE_PACK_MEMORY;
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
        state[i] = (uint32_t)exponents[i];
    memcpy(state + 4, &sharpness, sizeof sharpness);
    for (size_t c = 0; c < (size_t)l->shape.chunks; c++)
        for (size_t k = 0; k < clusters; k++) {
            pack_block(l, &r->clusters, c, k, state + head + (2 * c * clusters + k) * row);
            pack_block(l, &r->models, c, k, state + head + ((2 * c + 1) * clusters + k) * row);
        }
    return DSE_OK;
}

/* One word per step: a bit per feature and dimension of the step. */
static void pack_base(const struct hydraf_encoder *encoder, const struct hydraf_layout *l, struct dse_pack *pack)
{
    size_t width = (size_t)l->encoder_width, lanes = (size_t)l->encoder_lanes, steps = (size_t)l->encoder_steps, chunk = (size_t)l->shape.chunk;
    size_t groups = (size_t)l->shape.chunks * chunk / width, parts = (width * lanes + 31) / 32;
    uint32_t *base = dse_pack_add(pack, "base", DSE_PACK_U32, groups * steps, parts, 0, "base hypervectors, one bit per feature and dimension")->values;
    pack->arrays[pack->count - 1].apart = true;
    for (size_t g = 0; g < groups; g++)
        for (size_t i = 0; i < encoder->features; i++)
            for (size_t t = 0; t < width && g * width + t < encoder->dim; t++) {
                size_t bit = i % lanes * width + t;
                base[(g * steps + i / lanes) * parts + bit / 32] |= (uint32_t)encoder->base[i * encoder->dim + g * width + t] << (bit % 32);
            }
}

enum dse_status hydraf_pack(const struct dse_model *base, const struct dse_config *config, const void *layout, struct dse_pack *out,
                            struct dse_error *err)
{
    static const char *const reads[] = {"dim", "clusters", "precision", "chunk", "axi.bits", "encoding", "FEATURES", "ENCODER_LANES",
                                        "ENCODER_STEPS", "ENCODER_WIDTH", NULL};
    const struct hydraf_regressor *r = &hydraf_model_of(base)->regressor;
    const struct hydraf_layout *l = layout;
    (void)config;
    if (!hydraf_has_source(l))
        return dse_fail(err, DSE_ANSWER_NO, "this design has no HLS source: chunk=%lld, batch=%lld and clusters=%lld need more parallel products or registers than "
                        "the tools allow in one loop; lower one of them", (long long)l->shape.chunk, (long long)l->shape.batch, (long long)l->shape.clusters);
    DSE_TRY(dse_pack_expect("dim", r->setting.dim, l->shape.dim, err));
    DSE_TRY(dse_pack_expect("clusters", r->setting.clusters, l->shape.clusters, err));
    DSE_TRY(dse_pack_expect("batch", r->setting.batch, l->shape.batch, err));
    DSE_TRY(dse_pack_expect("features", r->encoder.features, l->features, err));
    DSE_TRY(pack_state(r, l, out, err));
    if (l->encodes)
        pack_base(&r->encoder, l, out);
    out->reads = reads;
    return DSE_OK;
}
