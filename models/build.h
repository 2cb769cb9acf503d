/* Builds a block's cost from the library's parts; every family's cost functions use it.
 *
 * A build collects operators, structures, memories and adapters with their bands in a tally. dse_build_finish()
 * converts the tally to resources, dynamic energy and standby power at the context's band, and returns the first error
 * of the build. A block's cost therefore reads as a list of its parts. */
#pragma once

#include "models/loops.h"
#include "models/path.h"
#include "resources/packing.h"

struct dse_build {
    const struct dse_context *context;
    double clock_hz;
    struct dse_tally tally;
    double operator_lut, operator_ff; /* resources of the operators so far, before calibration */
    struct dse_error *err;
    enum dse_status status;
};

struct dse_build dse_build_start(const struct dse_context *context, int64_t clock_mhz,
                                 struct dse_error *err);

/* Adds `times` operators; returns the latency of one in cycles (0 after an error). DSE_FORM_ANY is the library's
 * first. */
int64_t dse_build_operator(struct dse_build *build, enum dse_operator op, enum dse_precision precision,
                           double times);

int64_t dse_build_operator_in(struct dse_build *build, enum dse_operator op, enum dse_precision precision, enum dse_form form,
                              double times);

/* Adds `times` structures of `size` (unit: see enum dse_structure). */
void dse_build_structure(struct dse_build *build, enum dse_structure structure, double size, double times);

/* As dse_build_structure, without flip-flops for the result: logic within a chain that is registered at its end. */
void dse_build_combinational(struct dse_build *build, enum dse_structure structure, double size, double times);

/* Adds an array of `words` × `width_bits` in `banks` banks, each with `readers` readers and one writer, `buffers` times
 * (2: ping-pong). A size of 0 costs nothing. */
void dse_build_array(struct dse_build *build, enum dse_storage storage, int64_t words, int64_t width_bits,
                     int64_t banks, int64_t buffers, int64_t readers);

/* As dse_build_array, from a full description; `writers` = 0: written only while there is no reader. */
void dse_build_memory(struct dse_build *build, enum dse_storage storage, const struct dse_array *array);

/* Adds the logic that high-level synthesis puts around the operators so far: pipeline registers, operand
 * and array-port multiplexers, loop and address logic. It is in proportion to the operators' LUTs and FFs. Once per block. */
void dse_build_datapath(struct dse_build *build);

void dse_build_fifo(struct dse_build *build, int64_t depth, int64_t width_bits, double times);

/* Adds `times` m_axi adapters with buffers for `outstanding` bursts of `burst_beats` words. */
void dse_build_m_axi(struct dse_build *build, int64_t data_bits, int64_t outstanding, int64_t burst_beats,
                     double times);

/* If `queued` and the host launches several items at once, adds the queue in front of a kernel with `registers` words of registers
 * (emit/templates/hls/queue.c). The queue has the ring's port, a process that prefetches one descriptor, and a FIFO. */
void dse_build_queue(struct dse_build *build, bool queued, int64_t registers);

/* Loop depth after the library's calibration for this engine, from the models' depth; at least 1. */
int64_t dse_build_depth(const struct dse_build *build, int64_t depth);

/* Records a loop that is the same for every graph, if the context asks for loops. */
void dse_build_loop(const struct dse_build *build, const char *name, int64_t entries, int64_t iterations, int64_t interval,
                    int64_t depth);

/* The block's longest register-to-register paths with the board's delays: a path longer than the clock period makes the knobs
 * infeasible at this clock. No check for chip families without known delays. */
void dse_build_paths(struct dse_build *build, const struct dse_path *paths, size_t count);

/* Marks these knobs infeasible, with the reason, in the context's rejection; later additions are ignored. */
void dse_build_reject(struct dse_build *build, const char *format, ...) DSE_PRINTF(2, 3);

/* Fills `out`'s resources, and from them energy and standby power: the clock tree draws power all the time, the
 * rest during `working_cycles` of a mean graph. Returns the build's status;
 * it is DSE_OK for an infeasible block, and `out` is then meaningless. */
enum dse_status dse_build_finish(struct dse_build *build, double working_cycles,
                                 struct dse_accumulators *out);

/* Rounds a count of cycles, bytes or anything else to the nearest integer, at least 0. A count too large for a block's cost becomes a
 * number that dse_block_cost rejects. */
int64_t dse_count(double number);

/* Bits that address or count 0 … n−1; at least 1. */
int64_t dse_bits_for(int64_t n);

/* ⌈a / b⌉ for a ≥ 0, b ≥ 1. */
int64_t dse_ceil_div(int64_t a, int64_t b);
