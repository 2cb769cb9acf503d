/* Shared by the parts of the `rtl` verb (rtl.c: the whole; rtl_tables.c: hashes, histograms, projection). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "executor/pack.h"
#include "executor/rtl.h"
#include "models/nysx/layout.h"

#define NYSX_RTL_PHI_INTERLEAVE 6 /* rows that a φ lane interleaves: latency of models/nysx/rtl/nysx_fp32_add.sv */

struct nysx_rtl_writer {
    const struct dse_config *config;
    const struct nysx_layout *layout;
    const struct dse_pack *pack;
    struct dse_rtl *out;
};

/* Values of an array of the pack, or NULL. */
const void *nysx_rtl_values(const struct nysx_rtl_writer *w, const char *name);

/* Rejects what the RTL lacks (DSE_ANSWER_NO): values of knobs, attributes, more elements than indices in a port word. */
enum dse_status nysx_rtl_check(const struct dse_config *config, bool onehot, int64_t index_bits, struct dse_error *err);

/* Starts of the LSHU for a graph: one per hop; with landmarks one per code of a node. */
size_t nysx_rtl_starts(const struct nysx_rtl_writer *w);

/* Bits of a number up to `most`, at least 1. */
size_t nysx_rtl_bits(uint64_t most);

/* rom_style of a table placed by a knob. */
const char *nysx_rtl_style(const struct dse_config *config, enum nysx_knob place);

/* Largest weight sum of a graph's codes per class, in steps; 0 without a table. */
uint64_t nysx_rtl_weights_most(const struct nysx_rtl_writer *w);

void nysx_rtl_add_hashes(struct nysx_rtl_writer *w);
void nysx_rtl_add_histograms(struct nysx_rtl_writer *w);
void nysx_rtl_add_projection(struct nysx_rtl_writer *w);
