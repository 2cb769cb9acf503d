#include "models/path.h"

#include <math.h>
#include <string.h>

#include "devices/board.h"

/* Delay of a LUT with its net, for speed grades 1 to 3: budgets of report_failfast from the vendor's Tcl store (Xilinx/XilinxTclStore, designutils). */
static const struct {
    const char *family; /* suffix of the family's name */
    double ns[3];
    double factor_bits; /* width of a multiplier's wider input without sign: 27 bits for DSP48E2, 25 for DSP48E1 */
} budgets[] = {{"ultrascale-plus", {0.350, 0.300, 0.250}, 26.0}, {"kria", {0.350, 0.300, 0.250}, 26.0}, {"ultrascale", {0.490, 0.425, 0.360}, 26.0},
               {"-7", {0.575, 0.500, 0.425}, 24.0}, {"-7000", {0.575, 0.500, 0.425}, 24.0}};

/* Delays that a family's budgets do not state are taken from another family, and scaled by the ratio of the families' level budgets.
 * - The 7 series at grade 1 (SEVEN_LEVEL) give memory block, multiplier and four carry bits, from Yosys' cell library
 *   (techlibs/xilinx/cells_sim.v). RAMB36E1 without output register has 2.454 ns, less 0.303 ns of the flip-flop that a path's begin includes.
 *   DSP48E1 without registers has 2.823 ns, plus a level for the net after it. CARRY4 has 0.114 ns.
 * - UltraScale+ at grade 2 (PLUS_LEVEL) gives a load. It is from the clocks that HDCU published for 32, 128 and 512 bits on ZCU106
 *   (klessydra/HDCU, Table IV: 234, 218, 160 MHz), whose unit broadcasts to as many lanes.
 * - The ECP5 (below) gives a path's begin, the ends of a carry chain, and a net across an engine.
 * No design was routed on a part of these families.
 * The band is assumed. A level of UltraScale+ at grade 2 is 4.0 times as fast as the ECP5's; a factor of 1.6 on it leaves 2.5 times. */
#define SEVEN_LEVEL 0.575
#define SEVEN_RAM 2.151
#define SEVEN_DSP (2.823 + SEVEN_LEVEL)
#define SEVEN_CARRY_BIT (0.114 / 4.0)
#define PLUS_LEVEL 0.300
#define PLUS_LOAD 0.0042

/* Cells, from nextpnr's database (Project Trellis): DP16KD 5.83 ns, MULT18X18D 3.93, flip-flop 0.52, LUT4 0.24, two carry bits 0.07, 0.45 into a
 * carry chain and 0.44 out of it. A six-input LUT takes 1.4 times a LUT4 plus one net; a chain's ends replace a LUT4 of their level.
 * Nets, fitted to 93 nets on the slowest paths of 25 engines routed alone, of 650 to 68,000 LUT4: 0.81 ns plus 0.052 per tile. Default net:
 * ECP5_NET, the mean of those within six tiles; to and from a multiplier ECP5_TO_DSP, after a memory ECP5_FROM_RAM. A path begins with a
 * flip-flop and its net, so a memory or a multiplier in their place counts the difference.
 * span: A six-input LUT is 2.2 LUT4, including carries and memories. A tile has eight. A net across an area runs 1.25 sides of a square of tiles.
 * crowd: Two whole designs were routed, of the device's 83,640 LUT4. One has 9,300 (MUTAG:1 of tests/validation/routed.csv, with today's RTL), and
 * was as slow as its slowest engine alone. The other has 14,600, and was 20 % slower. Per share of the device these are 0 and 1.15; 0.6 is about
 * their mean. */
#define ECP5_LUT4 0.24
#define ECP5_NET 0.87
#define ECP5_TO_DSP 1.98
#define ECP5_FROM_RAM 1.65
const struct dse_path_delays dse_path_ecp5 = {
    .level = 1.4 * ECP5_LUT4 + ECP5_NET, .carry_bit = 0.07 / 2.0, .chain = 0.45 + 0.44 - ECP5_LUT4, .begin = 0.52 + ECP5_NET,
    .ram = 5.83 - 0.52 + ECP5_FROM_RAM - ECP5_NET, .dsp = ECP5_TO_DSP + 3.93 + ECP5_TO_DSP - ECP5_NET, .dsp_out = 3.93 - 0.52 + ECP5_TO_DSP - ECP5_NET,
    .factor_bits = 18.0, .span = 0.0343 /* 1.25 * 0.052 * sqrt(2.2 / 8) */, .crowd = 0.6 * 2.2 / 83640.0, .low = 0.85, .high = 1.15};

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
    double ns = delays->begin + path->levels * delays->level + path->carry_bits * delays->carry_bit + (path->carry_bits > 0.0 ? delays->chain : 0.0) +
                fmax(path->fanout - DSE_PATH_FANOUT, 0.0) * delays->load + path->rams * delays->ram + path->dsps * delays->dsp +
                delays->span * sqrt(path->area);
    /* A product wider than a multiplier: the partial products are summed before the next register. */
    if (delays->factor_bits > 0.0 && path->factor_bits > delays->factor_bits)
        ns += (path->dsps > 0.0 ? 0.0 : delays->dsp_out) + delays->level + delays->chain + path->factor_bits * delays->carry_bit;
    return ns;
}
