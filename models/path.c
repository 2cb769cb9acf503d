#include "models/path.h"

#include <math.h>
#include <string.h>

#include "devices/board.h"

/* A LUT with its net, by speed grade 1 to 3: the budgets of report_failfast, of the vendor's own Tcl store (Xilinx/XilinxTclStore, designutils). */
static const struct {
    const char *family; /* what a family's name ends with */
    double ns[3];
    double factor_bits; /* without a sign: of 27 bits, of 25 */
} budgets[] = {{"ultrascale-plus", {0.350, 0.300, 0.250}, 26.0}, {"kria", {0.350, 0.300, 0.250}, 26.0}, {"ultrascale", {0.490, 0.425, 0.360}, 26.0},
               {"-7", {0.575, 0.500, 0.425}, 24.0}, {"-7000", {0.575, 0.500, 0.425}, 24.0}};

/* Of the 7 series at grade 1, where a level has SEVEN_LEVEL: a memory block without output register, a multiplier and four bits of carry as
 * Yosys' library of cells states them (techlibs/xilinx/cells_sim.v: RAMB36E1 2.454 ns less the flip-flop's 0.303, DSP48E1 2.823 and the net
 * behind it, CARRY4 0.114); a load by the clocks that HDCU published for 32, 128 and 512 bits on ZCU106 (klessydra/HDCU, Table IV: 234,
 * 218, 160 MHz), whose unit is one broadcast to as many lanes. Other families by their budgets. A path's begin, the ends of a chain and a net
 * across an engine are the ECP5's, by the ratio of the budget to its level: no open router has a part of these families. The band's upper end
 * is what 2.5 times an ECP5's clock would be, where the budgets give 4 times on UltraScale+ at grade 2. */
#define SEVEN_LEVEL 0.575
#define SEVEN_RAM 2.151
#define SEVEN_DSP (2.823 + SEVEN_LEVEL)
#define SEVEN_CARRY_BIT (0.114 / 4.0)
#define PLUS_LEVEL 0.300
#define PLUS_LOAD 0.0042

/* The cells' delays are nextpnr's, of Project Trellis: 5.83 ns of DP16KD, 3.93 of MULT18X18D, 0.52 of a flip-flop, 0.24 of a LUT4, 0.07 of
 * two bits of carry, 0.45 into a chain and 0.44 out of it; a LUT of six inputs is 1.4 levels of four. Its nets are those of 93 hops on the longest ways
 * of 25 routed engines alone, of 650 to 68,000 LUT4: 0.81 ns and 0.052 per tile, which is 0.87 within six tiles, 1.98 to and from a
 * multiplier, 1.65 behind a memory. A tile has eight LUT4, 2.2 of which a LUT of six inputs takes with carries and memories; of a square
 * of them a net across goes 1.25 sides. Of two whole designs one was as slow as its slowest engine alone, with 9,300 LUT4 of the 83,640, and
 * one by 20 % slower, with 14,600. */
#define ECP5_LUT4 0.24
#define ECP5_NET 0.87
#define ECP5_TO_DSP 1.98
const struct dse_path_delays dse_path_ecp5 = {.level = 1.4 * ECP5_LUT4 + ECP5_NET, .carry_bit = 0.07 / 2.0, .load = 0.0, .ram = 5.83 - 0.52 + 1.65 - ECP5_NET,
                                              .dsp = 3.93 + 2.0 * ECP5_TO_DSP - ECP5_NET, .begin = 0.52 + ECP5_NET, .chain = 0.45 + 0.44 - ECP5_LUT4,
                                              .span = 0.0343 /* 1.25 * 0.052 * sqrt(2.2 / 8) */, .factor_bits = 18.0, .dsp_out = 3.93 - 0.52 + ECP5_TO_DSP - ECP5_NET, .crowd = 0.6 * 2.2 / 83640.0,
                                              .low = 0.85, .high = 1.15};

bool dse_path_delays_of(const struct dse_board *board, struct dse_path_delays *out)
{
    const char *grade = strrchr(board->part, '-');
    for (; grade != NULL && grade > board->part && (grade[1] < '1' || grade[1] > '3'); grade--) /* "-2-e", "-2LV-e" */
        continue;
    size_t index = grade != NULL && grade > board->part ? (size_t)(grade[1] - '1') : 0, length = strlen(board->family);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        size_t end = strlen(budgets[i].family);
        if (length < end || strcmp(board->family + length - end, budgets[i].family) != 0)
            continue;
        double level = budgets[i].ns[index], seven = level / SEVEN_LEVEL, plus = level / PLUS_LEVEL, routed = level / dse_path_ecp5.level;
        *out = (struct dse_path_delays){.level = level, .carry_bit = SEVEN_CARRY_BIT * seven, .load = PLUS_LOAD * plus, .ram = SEVEN_RAM * seven,
                                        .dsp = SEVEN_DSP * seven, .factor_bits = budgets[i].factor_bits, .dsp_out = SEVEN_DSP * seven, .begin = dse_path_ecp5.begin * routed,
                                        .chain = dse_path_ecp5.chain * routed, .span = dse_path_ecp5.span * routed, .low = 0.85, .high = 1.6};
        return true;
    }
    return false;
}

double dse_path_ns(const struct dse_path_delays *delays, const struct dse_path *path)
{
    double chains = path->carry_bits > 0.0 ? fmax(path->chains, 1.0) : 0.0;
    double ns = delays->begin + path->levels * delays->level + path->carry_bits * delays->carry_bit + chains * delays->chain +
                fmax(path->fanout - DSE_PATH_FANOUT, 0.0) * delays->load + path->rams * delays->ram + path->dsps * delays->dsp +
                delays->span * sqrt(path->area);
    /* A wider product's parts leave the multipliers in the middle and are summed. */
    if (delays->factor_bits > 0.0 && path->factor_bits > delays->factor_bits)
        ns += (path->dsps > 0.0 ? 0.0 : delays->dsp_out) + delays->level + delays->chain + path->factor_bits * delays->carry_bit;
    return ns;
}
