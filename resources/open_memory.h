/* A memory as Yosys maps it for UltraScale+ (memory_libmap with +/xilinx/lutrams_xcu.txt and brams_xc4v.txt, 0.23). It takes the cheapest option of
 * its library, by the library's own costs. Nothing is rounded to powers of two, as HLS does (packing.h). */
#pragma once

#include <stdbool.h>

enum dse_open_style { DSE_OPEN_AUTO, DSE_OPEN_BLOCK, DSE_OPEN_LUTS };

/* If both are "old data": one port writes, one reads a cycle later. A ROM has `latency` registers, one of which is inside a block. */
struct dse_open_memory {
    double words, bits; /* at least 1 each */
    bool rom, paired; /* paired: a ROM with two words read per cycle */
    enum dse_open_style style;
    int latency; /* 1 or more */
};

/* LUTs, the part of them that is memory, registers, and blocks of 18 Kbit. `block`: it is in blocks. O(1). */
struct dse_open_cells {
    double lut, lutram, ff, bram18;
    bool block;
};
struct dse_open_cells dse_open_memory(const struct dse_open_memory *memory);

/* LUTs per bit for selecting one of `words`: four words per LUT of six inputs. */
double dse_open_select_luts(double words);
