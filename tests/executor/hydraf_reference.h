/* HyDRAF's encoder and kernels, slow and plain: the fast forms equal them. */
#pragma once

#include "models/hydraf/executor/encoder.h"
#include "models/hydraf/executor/kernels.h"

/* Element `i` of an encoded hypervector. */
double hydraf_encode_reference(const struct hydraf_encoder *encoder, const float *features, size_t i);

void hydraf_products_reference(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count, double *out);
void hydraf_learn_reference(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update);
