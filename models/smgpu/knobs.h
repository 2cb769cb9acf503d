/* The knobs of the SMGPU (listed in docs/reference/knobs.md): their names in models and executor, and their words. */
#pragma once

#include "space/knob.h"

/* The order of each enum is the order of the knob's words in the table. */
enum smgpu_precision { SMGPU_Q8_24, SMGPU_Q16_16 };
enum smgpu_recall_by { SMGPU_BY_PROTOTYPES, SMGPU_BY_EXEMPLARS };

#define SMGPU_LEVELS_MAX 64

enum smgpu_knob {
#define KNOB(id, ...) SMGPU_KNOB_##id,
#include "models/smgpu/table.def"
#undef KNOB
    SMGPU_KNOB_COUNT
};

extern const struct dse_knobs smgpu_knobs;
