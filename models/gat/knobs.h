/* The knobs of the graph attention accelerator (listed in docs/reference/knobs.md): their names in models and executor, and their words. */
#pragma once

#include "space/knob.h"

/* The order of each enum is the order of the knob's words in the table. */
enum gat_arithmetic { GAT_FLOAT, GAT_QUANTISED, GAT_AS_LAYERBREAK, GAT_AS_STREAMLINE };
enum gat_precision { GAT_INT4, GAT_INT8 };
enum gat_approach { GAT_LAYERBREAK, GAT_STREAMLINE };
enum gat_capacity { GAT_OF_DATA, GAT_OF_THESIS };
enum gat_h_memory { GAT_IN_BRAM, GAT_IN_URAM };
enum gat_rtl { GAT_EMITTED, GAT_RTL_OF_THESIS };
enum gat_task { GAT_EXECUTE, GAT_TRANSFER, GAT_WHOLE, GAT_TRANSFER_1, GAT_TRANSFER_2 };

/* Bounds that also size tables. */
#define GAT_CHANNELS_MAX 256
#define GAT_HEADS_MAX 16
#define GAT_SUBGRAPHS_MAX 64

enum gat_knob {
#define KNOB(id, ...) GAT_##id,
#include "models/gat/table.def"
#undef KNOB
    GAT_KNOB_COUNT
};

extern const struct dse_knobs gat_knobs;
