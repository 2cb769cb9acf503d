/* The `pack` verb: W and the attention vector of each layer as the CDMA transfers them, one number per word (models/gat/hls/cdma.c). */
#include "models/gat/executor/model.h"
#include "models/gat/layout.h"

static void put(uint32_t **at, const int8_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *(*at)++ = (uint32_t)(int32_t)values[i];
}

static void pack_layer(const struct gat_fixed_layer *layer, const char *name, struct dse_pack *pack)
{
    size_t outputs = layer->heads * layer->channels;
    uint32_t *at = dse_pack_add(pack, name, DSE_PACK_U32, (layer->inputs + 2) * outputs, 0, 0, "W by rows, then the attention vector's halves for source and neighbour")->values;
    pack->arrays[pack->count - 1].place = DSE_PACK_MEMORY;
    put(&at, layer->weight, layer->inputs * outputs);
    put(&at, layer->source, outputs);
    put(&at, layer->neighbour, outputs);
}

enum dse_status gat_pack(const struct dse_model *base, const struct dse_config *config, const void *layout, struct dse_pack *out,
                         struct dse_error *err)
{
    static const char *const reads[] = {"channels", "heads", "precision", "approach", "CLASSES", NULL};
    const struct gat_model *model = gat_model_of(base);
    const struct gat_layout *l = layout;
    struct gat_fixed fixed;
    DSE_TRY(dse_pack_expect("channels", model->setting.channels, l->shape.channels[0], err));
    DSE_TRY(dse_pack_expect("heads", model->setting.heads, l->shape.heads[0], err));
    DSE_TRY(dse_pack_expect("features", model->features, l->features, err));
    DSE_TRY(dse_pack_expect("classes", model->classes, l->classes, err));
    DSE_TRY(dse_pack_expect("steps", (size_t)model->setting.steps, (INT64_C(1) << (l->shape.bits - 1)) - 1, err));
    gat_fixed_make(&model->network, model->feature_largest, (enum gat_approach)config->value[GAT_APPROACH], model->setting.steps, &fixed);
    pack_layer(&fixed.layer[0], "weights_1", out);
    pack_layer(&fixed.layer[1], "weights_2", out);
    gat_fixed_free(&fixed);
    out->reads = reads;
    return DSE_OK;
}
