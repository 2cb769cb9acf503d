/* How HLS packs arrays, FIFOs and adapters' buffers into memories.
 *
 * The rule for block RAM reproduces 27 of the 32 distinct shapes collected from published HLS reports. It rounds the depth up to a power of two and
 * uses one aspect ratio for the whole array. The five misses are tested as known misses in tests/resources. Sizes of the primitives: AMD UG573, UG953
 * (RAMB18, URAM288), UG574 (SLICEM). All numbers come from the library's <packing>. Implementation may merge or split banks afterwards; the band
 * covers this. */
#pragma once

#include "resources/costs.h"

enum dse_storage {
    DSE_STORAGE_BRAM,
    DSE_STORAGE_URAM,
    DSE_STORAGE_LUTRAM,
    DSE_STORAGE_REGISTERS,
    DSE_STORAGE_COUNT,
    DSE_STORAGE_AUTO = DSE_STORAGE_COUNT /* registers, LUTRAM or BRAM by the tool's thresholds */
};
extern const char *const dse_storage_names[DSE_STORAGE_COUNT]; /* "bram", "uram", "lutram", "registers" */

/* An array as the source code declares it. */
struct dse_array {
    int64_t words;      /* in all, over every bank */
    int64_t width_bits; /* width of one word */
    int64_t banks;      /* cyclic or block partition factor; every bank rounds up on its own */
    int64_t buffers;    /* 2 for ping-pong (a dataflow channel), else 1 */
    int64_t readers;    /* reads of one bank in a cycle */
    int64_t writers;    /* writes to one bank in a cycle; 0 if it is only written while there is no reader */
};

/* An initial array with one reader and one writer in one bank. */
struct dse_array dse_array_of(int64_t words, int64_t width_bits);

/* The storage that DSE_STORAGE_AUTO chooses for an array. */
enum dse_storage dse_pack_choose(const struct dse_costs *costs, const struct dse_array *array);

/* The resources of one array. A memory has two ports. One reader and one writer, or two readers without a writer, need one copy; more readers need
 * more copies. DSE_BAD_USAGE for a size below 1, or for ports that no number of copies gives (two writers beside a reader): partition instead.
 * DSE_LIMIT if a count overflows. O(1). */
enum dse_status dse_pack_array(const struct dse_costs *costs, const struct dse_array *array,
                               enum dse_storage storage, struct dse_cost *out, struct dse_error *err);

/* BRAM18 of one bank. `shared`: both ports write, or a second reader exists. At least 1 for words and width of at least 1; INT64_MAX if it overflows. */
int64_t dse_pack_bram18(const struct dse_packing_rules *rules, int64_t words, int64_t width_bits, bool shared);

/* URAM288 of one bank. */
int64_t dse_pack_uram(const struct dse_packing_rules *rules, int64_t words, int64_t width_bits);

/* True if a FIFO becomes a shift register: depth ≤ 2 or at most 1024 bits (AMD UG1399, config_storage). */
bool dse_pack_fifo_is_shift(const struct dse_packing_rules *rules, int64_t depth, int64_t width_bits);

/* A FIFO with its memory and control, `times` over, into a tally. */
enum dse_status dse_pack_fifo(const struct dse_costs *costs, int64_t depth, int64_t width_bits, double times,
                              struct dse_tally *tally, struct dse_error *err);

/* Adds an m_axi adapter of `data_bits` to a tally, with read and write buffers of `outstanding` × `burst_beats` words (0 for the tool's default of
 * either). BRAM18: buffers × ceil((W + 2) / 36) at 256 words. */
enum dse_status dse_pack_m_axi(const struct dse_costs *costs, int64_t data_bits, int64_t outstanding,
                               int64_t burst_beats, double times, struct dse_tally *tally,
                               struct dse_error *err);
