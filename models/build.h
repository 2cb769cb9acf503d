/* Putting a block together from the library's parts: what every family's cost functions are written in.
 *
 * A build collects operators, structures, memories and adapters in a tally with their bands; dse_build_finish()
 * turns it into resources, dynamic energy and standby power at the context's band. Errors stick: the first one
 * is what dse_build_finish() returns, so a block's cost reads as the list of its parts. */
#pragma once

#include "models/loops.h"
#include "models/path.h"
#include "resources/packing.h"

struct dse_build {
    const struct dse_context *context;
    double clock_hz;
    struct dse_tally tally;
    double operator_lut, operator_ff; /* of the operators so far, before any calibration */
    struct dse_error *err;
    enum dse_status status;
};

struct dse_build dse_build_start(const struct dse_context *context, int64_t clock_mhz,
                                 struct dse_error *err);

/* `times` operators; returns one's latency in cycles (0 after an error). DSE_FORM_ANY is the library's
 * first. */
int64_t dse_build_operator(struct dse_build *build, enum dse_operator op, enum dse_precision precision,
                           double times);

int64_t dse_build_operator_in(struct dse_build *build, enum dse_operator op, enum dse_precision precision, enum dse_form form,
                              double times);

/* `times` structures of `size` (its unit stands with enum dse_structure). */
void dse_build_structure(struct dse_build *build, enum dse_structure structure, double size, double times);

/* The same without their result's flip-flops: within a chain of logic that is registered at its end. */
void dse_build_combinational(struct dse_build *build, enum dse_structure structure, double size, double times);

/* An array of `words` × `width_bits` in `banks`, each with `readers` readers beside one writer, `buffers` of it
 * (2: ping-pong). A size of 0 costs nothing. */
void dse_build_array(struct dse_build *build, enum dse_storage storage, int64_t words, int64_t width_bits,
                     int64_t banks, int64_t buffers, int64_t readers);

/* The same, of a whole description: with `writers` of 0 for what is only written while nobody reads. */
void dse_build_memory(struct dse_build *build, enum dse_storage storage, const struct dse_array *array);

/* Logic that high-level synthesis puts around the operators so far: registers that carry values past their stages, operand
 * and array-port multiplexers, loop and address logic; in proportion to the operators' own LUTs and FFs. Once a block. */
void dse_build_datapath(struct dse_build *build);

void dse_build_fifo(struct dse_build *build, int64_t depth, int64_t width_bits, double times);

/* `times` m_axi adapters with buffers for `outstanding` bursts of `burst_beats` words. */
void dse_build_m_axi(struct dse_build *build, int64_t data_bits, int64_t outstanding, int64_t burst_beats,
                     double times);

/* The queue in front of a kernel that is called with so many words of registers (emit/templates/hls/queue.c), where a launch of the board's host has
 * several items and its calls are `queued`: the ring's port, a process that reads a descriptor a call ahead, and the FIFO behind it. */
void dse_build_queue(struct dse_build *build, bool queued, int64_t registers);

/* The depth that a loop has by the models' count, as the library's calibration knows it of this engine: at least 1. */
int64_t dse_build_depth(const struct dse_build *build, int64_t depth);

/* Notes a loop that is the same for every graph, where the context asks for loops. */
void dse_build_loop(const struct dse_build *build, const char *name, int64_t entries, int64_t iterations, int64_t interval,
                    int64_t depth);

/* The longest ways of the block from register to register, by the board's delays: where one is longer than the clock's period, the knobs
 * cannot be built at this clock. Of families of chips whose delays are not known nothing is said. */
void dse_build_paths(struct dse_build *build, const struct dse_path *paths, size_t count);

/* Notes that these knobs cannot be built, and why, in the context's refusal; nothing more is added. */
void dse_build_refuse(struct dse_build *build, const char *format, ...) DSE_PRINTF(2, 3);

/* Fills `out`'s resources, and its energy and standby power from them: the clock tree draws power all the time, the
 * rest while the block works, `working_cycles` of a mean graph. Returns
 * the build's status; one that was rejected is well, and `out` means nothing. */
enum dse_status dse_build_finish(struct dse_build *build, double working_cycles,
                                 struct dse_accumulators *out);

/* A whole number of cycles, bytes or anything else counted: rounded to nearest, at least 0. What is too large for a block's cost becomes a
 * number that dse_block_cost rejects. */
int64_t dse_count(double number);

/* Bits that address or count 0 … n−1; at least 1. */
int64_t dse_bits_for(int64_t n);

/* ⌈a / b⌉ for a ≥ 0, b ≥ 1. */
int64_t dse_ceil_div(int64_t a, int64_t b);
