/* The knobs of the knowledge graph accelerator (listed in docs/reference/knobs.md): their names in models and executor, and their words. */
#pragma once

#include "space/knob.h"

/* The order of each enum is the order of the knob's words in the table. */
enum hdr_direction { HDR_SINGLE, HDR_DOUBLE };
enum hdr_memory { HDR_SUM, HDR_MEAN };
enum hdr_loss { HDR_BCE, HDR_SOFTMAX };
enum hdr_gradient { HDR_EXACT, HDR_OF_PAPER };
enum hdr_optimizer { HDR_SGD, HDR_ADAM };
enum hdr_precision { HDR_FP32, HDR_FIX16, HDR_FIX8, HDR_FIX4 };
enum hdr_policy { HDR_LRU, HDR_LFU, HDR_RANDOM };
enum hdr_schedule { HDR_ARRIVAL, HDR_DENSITY };
enum hdr_reuse { HDR_ENCODE_EACH, HDR_ENCODE_ONCE };
enum hdr_backward { HDR_AFTER, HDR_FORWARD };
enum hdr_task { HDR_TRAIN, HDR_INFER, HDR_FIT };

/* Bounds that also size tables. */
#define HDR_DIM_MAX 4096
#define HDR_IPS_MAX 256 /* N_c */

enum hdr_knob {
#define KNOB(id, ...) HDR_##id,
#include "models/hdreason/table.def"
#undef KNOB
    HDR_KNOB_COUNT
};

extern const struct dse_knobs hdreason_knobs;

/* Bits of an element by precision. */
static inline unsigned hdr_element_bits(enum hdr_precision precision)
{
    static const unsigned bits[] = {32, 16, 8, 4};
    return bits[precision];
}
