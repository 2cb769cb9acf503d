/* Costs of hardware: operators, adapters, FIFOs and control, by device family, from XML.
 *
 * No cost is in C. A library is read from `costs/FAMILY.xml` (schema `costs.xsd`) and from the libraries that it is based on. Each entry names its
 * source, the level of evidence and a band. Amounts are those of one instance; BRAM counts 18 Kb halves; LUTRAM is contained in LUT. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "devices/board.h"

/* The operation of an operator. The precision is that of its operands. Results are as wide as usual in the field (int8 × int8 accumulates in 32
 * bits). */
enum dse_operator {
    DSE_OP_ADD,         /* a + b, result registered */
    DSE_OP_ADDSUB,      /* a ± b by a sign bit: a bipolar (±1) multiply-accumulate */
    DSE_OP_MUL,         /* only a × b */
    DSE_OP_MAC,         /* acc + a × b; its latency is that from one product to the sum */
    DSE_OP_COMPARE,     /* less-than or equality */
    DSE_OP_TO_FP32,     /* the precision to fp32 */
    DSE_OP_FROM_FP32,   /* fp32 to the precision */
    DSE_OP_DIVIDE,      /* a / b */
    DSE_OP_REMAINDER,   /* a mod b, b known at run time only */
    DSE_OP_RANGE,       /* a hash to [0, n): the high half of a × n, instead of a remainder */
    DSE_OP_HASH,        /* a 64-bit mix: three xor-shifts, in the dsp form with a multiplication */
    DSE_OP_POPCOUNT,    /* ones in a word of the precision's width */
    DSE_OP_XOR,         /* bitwise */
    DSE_OP_SHIFT,       /* by a variable amount */
    DSE_OP_EXP,         /* e to the power of a */
    DSE_OP_COUNT
};
extern const char *const dse_operator_names[DSE_OP_COUNT + 1]; /* "add", … */

enum dse_precision {
    DSE_FP32, DSE_FP16, DSE_BF16, DSE_INT64, DSE_INT32, DSE_INT16, DSE_INT8, DSE_INT4, DSE_BINARY,
    DSE_PRECISION_COUNT
};
extern const char *const dse_precision_names[DSE_PRECISION_COUNT + 1]; /* "fp32", …, "binary" */

/* Storage bits of one value: 32, 16, 16, 64, 32, 16, 8, 4, 1. */
int64_t dse_precision_bits(enum dse_precision precision);

enum dse_form {
    DSE_FORM_DSP,        /* uses DSP slices */
    DSE_FORM_LUT,        /* none */
    DSE_FORM_SEQUENTIAL, /* none, and takes a new input every so many cycles only */
    DSE_FORM_COUNT,
    DSE_FORM_ANY = DSE_FORM_COUNT /* the one that the library lists first for operator and precision */
};
extern const char *const dse_form_names[DSE_FORM_COUNT + 1]; /* "dsp", "lut", "sequential" */

/* Structures with a size, besides operators. Each comment gives the unit of the size. Amounts are linear between the sizes that the library lists,
 * and beyond them. */
enum dse_structure {
    DSE_STRUCTURE_M_AXI,           /* LUT and FF of one m_axi adapter, by data bits; its buffers: dse_pack_m_axi */
    DSE_STRUCTURE_S_AXILITE,       /* the control slave, by 32-bit registers of arguments */
    DSE_STRUCTURE_FIFO_MEMORY,     /* LUT and FF of a FIFO without its memory, by bits of a word */
    DSE_STRUCTURE_FIFO_SHIFT,      /* a FIFO of shift registers: its control; the bits: dse_pack_fifo */
    DSE_STRUCTURE_LOOP,            /* control of pipelined loops, by their number */
    DSE_STRUCTURE_PROCESS,         /* handshake of a function or dataflow process, by their number */
    DSE_STRUCTURE_REGISTER,        /* pipeline registers, by bits */
    DSE_STRUCTURE_ADDER,           /* one integer adder with its result register, by bits of the result */
    DSE_STRUCTURE_COMPARATOR,      /* less-than of integers, by bits */
    DSE_STRUCTURE_MULTIPLEXER,     /* by bits × (inputs − 1) */
    DSE_STRUCTURE_POPCOUNT,        /* ones in a vector, by bits */
    DSE_STRUCTURE_XNOR_DOT,        /* bipolar dot product with its accumulator, by bits per cycle */
    DSE_STRUCTURE_RANDOM,          /* xor-shift generators, by random bits per cycle; whole 64-bit lanes */
    DSE_STRUCTURE_DATAPATH_LUT,    /* LUTs around the operators of pipelined loops, by the operators' LUTs */
    DSE_STRUCTURE_DATAPATH_FF,     /* FFs around them, by the operators' FFs */
    DSE_STRUCTURE_DDR_CONTROLLER,  /* by controllers in programmable logic */
    DSE_STRUCTURE_HBM_INTERFACE,   /* by interfaces */
    DSE_STRUCTURE_COUNT
};
extern const char *const dse_structure_names[DSE_STRUCTURE_COUNT + 1]; /* "m_axi", … */

/* Strength of the evidence, best first. A calibrated entry is DSE_LEVEL_FITTED. */
enum dse_level {
    DSE_LEVEL_VENDOR_TABLE, DSE_LEVEL_ROUTED_REPORT, DSE_LEVEL_HLS_REPORT, DSE_LEVEL_FITTED,
    DSE_LEVEL_DERIVED, DSE_LEVEL_ASSUMED, DSE_LEVEL_COUNT
};
extern const char *const dse_level_names[DSE_LEVEL_COUNT + 1]; /* "vendor-table", … */

#define DSE_COST_ENTRIES_MAX 512

/* Where an amount comes from. */
struct dse_cost_entry {
    const char *name;   /* "mac fp32 dsp 300 MHz", "m_axi 512", "packing", "power" */
    const char *source; /* document, section, repository */
    const char *file;   /* the library or calibration that it was read from */
    long line;
    enum dse_level level;
    double low[DSE_RESOURCE_COUNT], high[DSE_RESOURCE_COUNT]; /* factors on the amount: low ≤ 1 ≤ high */
    double factor[DSE_RESOURCE_COUNT]; /* factors of the calibration, already in every amount given out; else 1 */
};

/* One operator or structure, with the entry that it came from (dse_costs_entry). */
struct dse_cost {
    double amount[DSE_RESOURCE_COUNT];
    int64_t latency_cycles;  /* from operands to result; 0 is combinational */
    int64_t interval_cycles; /* between two inputs; 1 is fully pipelined */
    double clock_hz;         /* clock that the entry was characterised for; 0 if it does not depend on it */
    bool extrapolated;       /* asked beyond the fastest clock or outside the listed sizes */
    uint16_t entry;
};

/* How depth × width turns into memories; see packing.h for the rules. */
struct dse_aspect {
    int64_t words, width_bits;
};
struct dse_packing_rules {
    struct dse_aspect bram18[8]; /* bram18_aspects, words ascending */
    size_t bram18_aspects;
    int64_t bram18_shared_width_bits; /* the widest word where both ports write or a second reader exists */
    int64_t uram_words, uram_width_bits;
    int64_t lutram_threshold_bits;    /* smaller arrays go to LUTRAM */
    int64_t lutram_bits_per_lut;
    int64_t register_threshold_words; /* arrays with fewer words become registers */
    int64_t register_bits_per_lut;    /* bits of the read multiplexer that one LUT serves */
    int64_t read_latency_cycles[4];   /* latency of BRAM, URAM, LUTRAM, registers (enum dse_storage) */
    int64_t fifo_shift_words, fifo_shift_bits; /* a FIFO up to either is a shift register */
    int64_t fifo_srl_words;           /* words of one shift-register LUT */
    struct dse_aspect fifo_memory;    /* one BRAM18 of a FIFO's memory */
    int64_t m_axi_extra_bits;         /* flags stored with each word of the adapter's buffers */
    int64_t m_axi_buffers;            /* read and write */
    int64_t m_axi_burst_beats, m_axi_outstanding, m_axi_latency_cycles; /* the tool's defaults */
    int64_t m_axi_burst_beats_max, m_axi_boundary_bytes; /* the protocol's limits of one burst */
    uint16_t array_entry, fifo_entry, m_axi_entry; /* their sources and bands */
};

/* Power of one used unit at one hertz; see power.h. */
enum dse_power_term {
    DSE_POWER_LUT_LOGIC, DSE_POWER_LUTRAM, DSE_POWER_FF, DSE_POWER_SIGNALS, DSE_POWER_CLOCK, DSE_POWER_BRAM18,
    DSE_POWER_URAM, DSE_POWER_DSP, DSE_POWER_TERM_COUNT
};
extern const char *const dse_power_term_names[DSE_POWER_TERM_COUNT + 1]; /* "lut-logic", … */

struct dse_power_rules {
    double w_per_hz[DSE_POWER_TERM_COUNT]; /* at the activity below */
    double low[DSE_POWER_TERM_COUNT], high[DSE_POWER_TERM_COUNT]; /* factors */
    double toggle_rate;        /* the switching that the coefficients were reported at */
    double static_w_per_lut;   /* static power per LUT of the whole chip */
    double static_low, static_high; /* factors */
    uint16_t entry[DSE_POWER_TERM_COUNT], static_entry;
};

/* A library. Constant after opening; any number of threads may look things up in it. */
struct dse_costs;

/* Reads the shipped library of a family ("zynq-ultrascale-plus") or of a file (a name that holds a '/' or ends in .xml), and its bases. If
 * `calibration` is not NULL, the factors of that file are applied on top. `part` (may be NULL) selects a library for certain parts: "xck26-…-2LV-c"
 * takes that of the slower grade. DSE_BAD_USAGE for an unknown family, listing the existing ones; DSE_BAD_INPUT for a bad file. */
enum dse_status dse_costs_open(const char *family, const char *part, const char *calibration,
                               struct dse_costs **out, struct dse_error *err);

/* The library of a board's family and part. */
enum dse_status dse_costs_for_board(const struct dse_board *board, const char *calibration,
                                    struct dse_costs **out, struct dse_error *err);

/* From memory, for tests and fuzzing: `base` names are rejected. */
enum dse_status dse_costs_read_memory(const char *data, size_t size, const char *name,
                                      struct dse_costs **out, struct dse_error *err);

/* A copy for trials of a fit: one resource of every entry whose name matches one of the NULL-ended shell patterns is multiplied by `factor`. Shares
 * the texts of `costs`, which must outlive it. */
void dse_costs_copy_scaled(const struct dse_costs *costs, const char *const *patterns,
                                      enum dse_resource resource, double factor, struct dse_costs **out);

void dse_costs_free(struct dse_costs *costs);
static inline void dse_costs_free_at(struct dse_costs **costs) /* for DSE_CLEANUP */
{
    dse_costs_free(*costs);
}

const char *dse_costs_family(const struct dse_costs *costs);
const char *dse_costs_calibration(const struct dse_costs *costs); /* its file, or NULL */

/* True if the calibration's level is open synthesis: it then holds only for engines in SystemVerilog. */
bool dse_costs_of_open_synthesis(const struct dse_costs *costs);

/* One operator at a clock. Among the entries for operator, precision and form, takes the one with the slowest clock that is at least as fast as
 * requested. Beyond all, takes the fastest, with its latency stretched in proportion and `extrapolated` set. DSE_BAD_USAGE, naming all three and the
 * family, if the library has none. O(entries of the group), a few. */
enum dse_status dse_costs_operator(const struct dse_costs *costs, enum dse_operator op,
                                   enum dse_precision precision, enum dse_form form, double clock_hz,
                                   struct dse_cost *out, struct dse_error *err);

/* True if the library holds it. */
bool dse_costs_has_operator(const struct dse_costs *costs, enum dse_operator op,
                            enum dse_precision precision, enum dse_form form);

/* One structure of a size (see enum dse_structure for its unit). A size of 0 or less costs nothing. DSE_BAD_USAGE if the library does not have it.
 * O(listed sizes). */
enum dse_status dse_costs_structure(const struct dse_costs *costs, enum dse_structure structure, double size,
                                    struct dse_cost *out, struct dse_error *err);

const struct dse_packing_rules *dse_costs_packing(const struct dse_costs *costs);
const struct dse_power_rules *dse_costs_power(const struct dse_costs *costs);

/* The range of a calibration factor, forced or not: on amounts, and on depths and intervals of loops. */
#define DSE_FACTOR_MIN 1e-3
#define DSE_FACTOR_MAX 1e3
#define DSE_PACE_MIN 0.1
#define DSE_PACE_MAX 10.0

/* How an engine's amounts and loops differ from the models' counts, as a calibration learned from synthesis. For loops: factors on their depths and
 * on the cycles between their iterations. 1 if nothing was learned. O(calibrated engines), none as shipped. */
struct dse_amount {
    double value, low, high; /* a factor on the models' count; its band, factors on the fitted amount */
};
struct dse_pace {
    double depth, interval;
    const struct dse_amount *amounts; /* [DSE_RESOURCE_COUNT] of an engine that open synthesis counted; else NULL */
};
struct dse_pace dse_costs_pace(const struct dse_costs *costs, const char *family, const char *engine);

size_t dse_costs_entry_count(const struct dse_costs *costs);
const struct dse_cost_entry *dse_costs_entry(const struct dse_costs *costs, size_t index);

/* Amounts that add up, with low and high ends from the bands, and the entries used. Lows add to a low and highs to a high, as if all errors went the
 * same way: an outer band. Empty when zeroed. */
struct dse_tally {
    double nominal[DSE_RESOURCE_COUNT], low[DSE_RESOURCE_COUNT], high[DSE_RESOURCE_COUNT];
    uint64_t used[DSE_COST_ENTRIES_MAX / 64]; /* a bit an entry */
};

/* Adds `times` instances. O(1). */
void dse_tally_add(struct dse_tally *tally, const struct dse_costs *costs, const struct dse_cost *cost,
                   double times);

/* Index of a name in one of the tables above, or -1: dse_costs_name_index(dse_precision_names,
 * DSE_PRECISION_COUNT, "int8"). */
int dse_costs_name_index(const char *const *names, int count, const char *name);
