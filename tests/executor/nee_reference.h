/* The projection, slow and plain: the fast forms equal it. */
#pragma once

#include "models/nysx/executor/nee.h"

/* Computes the projection element by element. */
enum dse_status nysx_nee_encode_reference(const struct nysx_nee *nee, const int32_t *kernel, uint64_t *hypervector,
                                          struct dse_error *err);

/* Decodes 16-bit formats. */
float nysx_from_fp16(uint16_t half);
float nysx_from_bf16(uint16_t half);
