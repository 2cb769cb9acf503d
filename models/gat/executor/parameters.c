#include "models/gat/executor/model.h"

enum dse_status gat_setting_parse(const struct dse_setting *words, struct gat_setting *out, struct dse_error *err)
{
    double v[DSE_KNOB_MAX];
    DSE_TRY(dse_knobs_trained_values(&gat_knobs, words, v, err));
    *out = (struct gat_setting){
        .arithmetic = (enum gat_arithmetic)v[GAT_ARITHMETIC],
        .channels = (size_t)v[GAT_CHANNELS],
        .heads = (size_t)v[GAT_HEADS],
        .steps = v[GAT_PRECISION] == GAT_INT8 ? 127.0 : 7.0,
        .epochs = (size_t)v[GAT_EPOCHS],
        .patience = (size_t)v[GAT_PATIENCE],
        .rate = v[GAT_RATE],
        .decay = v[GAT_DECAY],
        .dropout = {(float)v[GAT_DROPOUT_INPUT], (float)v[GAT_DROPOUT_ATTENTION], (float)v[GAT_DROPOUT_HIDDEN]},
    };
    return DSE_OK;
}

struct gat_functions gat_functions_of(const struct gat_setting *setting)
{
    bool real = setting->arithmetic == GAT_FLOAT;
    return (struct gat_functions){.base_two = !real, .relu = !real, .steps = real ? 0.0f : (float)setting->steps};
}

void gat_model_shape(struct gat_model *model)
{
    const struct gat_setting *s = &model->setting;
    struct gat_layer *layer = model->network.layer;
    layer[0].inputs = model->features;
    layer[0].heads = s->heads;
    layer[0].channels = s->channels;
    layer[1].inputs = s->heads * s->channels;
    layer[1].heads = 1;
    layer[1].channels = model->classes;
    model->network.functions = gat_functions_of(s);
}
