/* The knobs of NysX (listed in docs/reference/knobs.md): their names in models and executor, and their words. */
#pragma once

#include "space/knob.h"

/* The order of each enum is the order of the knob's words in the table. */
enum nysx_sampling { NYSX_UNIFORM, NYSX_DPP };
enum nysx_propagation { NYSX_PROPAGATION_A, NYSX_PROPAGATION_ROW_NORMALISED };
enum nysx_feature_kind { NYSX_LABELS, NYSX_ATTRIBUTES, NYSX_BOTH, NYSX_CORES };
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

/* Bounds that also size tables. */
#define NYSX_HOPS_MAX 64  /* also of hops × draws */
#define NYSX_DRAWS_MAX 16
#define NYSX_LANES_MAX 16 /* lanes of the MPHE, PEs of the HUE */
#define NYSX_OUTSTANDING_MAX 64

enum nysx_knob {
#define KNOB(id, ...) NYSX_##id,
#include "models/nysx/table.def"
#undef KNOB
    NYSX_KNOB_COUNT
};

extern const struct dse_knobs nysx_knobs;

/* Reason why a setting excludes a table of class weights (nee.table), or NULL. */
const char *nysx_table_rejected(int64_t table, int64_t prototypes, int64_t prototype_bits);

/* Reasons why the RTL excludes the port of a streamed P_nys, or its steps in the port's words, or NULL. */
const char *nysx_rtl_port_rejected(const struct dse_config *config);
const char *nysx_rtl_steps_rejected(const struct dse_config *config);

/* Bits of an element of P_nys, and of its exponent (0: whole numbers), by enum nysx_precision. */
extern const int64_t nysx_p_bits[], nysx_p_exponent_bits[];

/* Rounds that a lane of the RTL takes in turn for a stored P_nys (models/nysx/rtl/nysx_nee.sv). */
#define NYSX_RTL_SLOTS 8
int64_t nysx_rtl_slots(const struct dse_config *config);

/* Reason why a configuration excludes its overlap or table of class weights, or NULL. */
const char *nysx_rejected(const struct dse_config *config);
