/* The clock that a block reaches: its longest way from register to register, made of what its knobs decide, and the delays of a family of
 * chips. A design's f_max is the least of its blocks'; how full the chip is enters by the board's caps on utilisation at each clock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct dse_board;

struct dse_path {
    const char *where; /* "nysx_query: an index beside the one before it" */
    double levels;     /* LUTs one behind the other, each with the net to the next */
    double carry_bits; /* of adders and comparisons on the way */
    double fanout;     /* loads of the widest net on the way */
    double rams;       /* memory blocks without an output register whose word begins the way: 0 or 1 */
    double dsps;       /* multipliers without registers of their own */
    double factor_bits; /* of the wider factor of a product, whose parts are summed where a multiplier is narrower; its multipliers have registers in
                         * front unless `dsps` counts them */
    double area;       /* LUTs of the engine, or part of one, that the longest net of the way crosses; 0: that net is as short as others */
};

#define DSE_PATH_FANOUT 64.0 /* loads whose net the delay of a level covers */

/* Delays of a family, in nanoseconds. */
struct dse_path_delays {
    double level, carry_bit, load, ram, dsp, begin; /* begin: clock to output, set-up, and the first net where no level has them */
    double chain;       /* into carries and out of them, beside their level */
    double span;        /* a net across an area, per root of its LUTs */
    double factor_bits; /* of a multiplier's wider input, without its sign; 0: any */
    double dsp_out;     /* from a multiplier's input registers to where parts of a wider product are summed */
    double crowd;       /* by which a whole design's delays are longer than its engines' alone: a share per LUT. 0 of boards,
                         * whose caps on utilisation stand for it */
    double low, high; /* the band: factors on the whole */
};

/* The delays of a board's chip; false where none are known. */
bool dse_path_delays_of(const struct dse_board *board, struct dse_path_delays *out);

/* Those of Lattice's ECP5, speed grade 6, as open place and route has them. */
extern const struct dse_path_delays dse_path_ecp5;

/* Nanoseconds of the whole way. */
double dse_path_ns(const struct dse_path_delays *delays, const struct dse_path *path);

/* The slowest way that was noted: a block's, of the engine `at`. */
struct dse_clock_limit {
    const struct dse_path_delays *delays; /* in place of the board's, or NULL */
    size_t at, engine; /* the engine under way; the engine of the slowest */
    double ns;         /* 0: none was noted */
    double low, high;  /* of the band of its delays */
    const char *where;
};
