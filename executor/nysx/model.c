#include "executor/nysx/model.h"

#include <stdlib.h>

void nysx_model_free(struct dse_model *base)
{
    if (base == NULL)
        return;
    struct nysx_model *model = (struct nysx_model *)(void *)base;
    dse_setting_free(&model->words);
    free(model->dataset);
    nysx_columns_free(&model->columns);
    nysx_encoder_free(&model->encoder);
    nysx_nee_free(&model->nee);
    nysx_prototypes_free(&model->prototypes);
    free(model->class_values);
    free(model->landmarks);
    dse_split_free(&model->split);
    free(model);
}
