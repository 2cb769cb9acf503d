/* The knobs of NysX (docs/reference/knobs.md lists them): what models and executor call them and their words. */
#pragma once

#include "space/knob.h"

/* The order of each enum is that of the knob's words in the table. */
enum nysx_sampling { NYSX_UNIFORM, NYSX_DPP };
enum nysx_propagation { NYSX_PROPAGATION_A, NYSX_PROPAGATION_ROW_NORMALISED };
enum nysx_feature_kind { NYSX_LABELS, NYSX_ATTRIBUTES, NYSX_BOTH };
enum nysx_codes { NYSX_CODES_SCALAR, NYSX_CODES_TUPLE, NYSX_CODES_WL };
enum nysx_direction { NYSX_CAUCHY, NYSX_GAUSS };
enum nysx_entries { NYSX_GAUSS_ENTRIES, NYSX_UNIFORM_ENTRIES };
enum nysx_loop { NYSX_LOOP_FLOAT, NYSX_LOOP_QUANTISED };
enum nysx_lshu_balance { NYSX_BALANCE_NONE, NYSX_BALANCE_PS, NYSX_BALANCE_PL };
enum nysx_kse_balance { NYSX_KSE_NONE, NYSX_KSE_STATIC };
enum nysx_form { NYSX_STREAMED, NYSX_RESIDENT, NYSX_FACTORED, NYSX_DIRECT };
enum nysx_method { NYSX_BUNDLED, NYSX_ADAPTIVE, NYSX_RIDGE };
enum nysx_precision { NYSX_FP32, NYSX_FP16, NYSX_BF16, NYSX_INT16, NYSX_INT8, NYSX_INT4, NYSX_BINARY };
enum nysx_generator { NYSX_UNIFORM8, NYSX_BITS8, NYSX_SIGN };
enum nysx_sce_rows { NYSX_SCE_ONE, NYSX_SCE_ALL };
enum nysx_memory { NYSX_PLACE_BRAM, NYSX_PLACE_URAM, NYSX_PLACE_LUTRAM, NYSX_PLACE_DDR };
enum nysx_overlap { NYSX_OVERLAP_NONE, NYSX_OVERLAP_QUEUE, NYSX_OVERLAP_ENGINES, NYSX_OVERLAP_GRAPHS };
enum nysx_capacity { NYSX_CAPACITY_P99, NYSX_CAPACITY_MAX };

/* Bounds that are also sizes of tables. */
#define NYSX_HOPS_MAX 64
#define NYSX_LANES_MAX 16 /* of the MPHE, and PEs of the HUE */
#define NYSX_OUTSTANDING_MAX 64

enum nysx_knob {
#define KNOB(id, ...) NYSX_##id,
#include "models/nysx/table.def"
#undef KNOB
    NYSX_KNOB_COUNT
};

extern const struct dse_knobs nysx_knobs;

/* Why a setting cannot have its table of class weights (nee.table), or NULL where it can. */
const char *nysx_table_refused(int64_t table, int64_t prototypes, int64_t prototype_bits);

/* Why a configuration cannot have its overlap or its table of class weights, or NULL where it can. */
const char *nysx_refused(const struct dse_config *config);
