/* Clock frequency that a block reaches: its longest register-to-register path, built from its knobs and the delays of a chip
 * family. A design's f_max is the minimum over its blocks; the board's utilisation caps per clock account for a full chip. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct dse_board;

struct dse_path {
    const char *where; /* "nysx_query: an index compared with the previous one" */
    double levels;     /* LUTs in series, each with its net */
    double carry_bits; /* bits of adders and comparisons on the path */
    double fanout;     /* loads of the path's net with the largest fan-out */
    double rams;       /* memory blocks without output register at the start of the path: 0 or 1 */
    double dsps;       /* multipliers without registers */
    double factor_bits; /* bits of a product's wider factor; if a multiplier is narrower, partial products are summed. The multipliers have input
                         * registers unless `dsps` counts them */
    double area;       /* LUTs of the area that the path's longest net crosses: an engine or part of one; 0: no longer net than elsewhere */
};

#define DSE_PATH_FANOUT 64.0 /* fan-out that the delay of a level includes */

/* Delays of a chip family, in nanoseconds. */
struct dse_path_delays {
    double level, carry_bit, load, ram, dsp, begin; /* begin: clock to output, set-up, and the first net */
    double chain;       /* into and out of a carry chain, besides its level */
    double span;        /* a net across an area, per square root of its LUTs */
    double factor_bits; /* width of a multiplier's wider input, without sign; 0: any */
    double dsp_out;     /* from a multiplier's input registers to the sum of partial products */
    double crowd;       /* factor of a whole design's delays over those of its engines alone, per LUT. 0 for boards,
                         * whose utilisation caps account for it */
    double low, high; /* band: factors on the total */
};

/* Delays of a board's chip; false if unknown. */
bool dse_path_delays_of(const struct dse_board *board, struct dse_path_delays *out);

/* Delays of Lattice's ECP5, speed grade 6, with open place and route. */
extern const struct dse_path_delays dse_path_ecp5;

/* Total delay of a path in nanoseconds. */
double dse_path_ns(const struct dse_path_delays *delays, const struct dse_path *path);

/* Slowest path recorded so far. */
struct dse_clock_limit {
    const struct dse_path_delays *delays; /* override the board's, or NULL */
    size_t at, engine; /* current engine; engine of the slowest path */
    double ns;         /* 0: none recorded */
    double low, high;  /* band of its delays */
    const char *where;
    bool unknown; /* a block has a path, but the chip family's delays are not known */
};
