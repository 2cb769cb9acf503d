#include "models/path.h"

#include <math.h>
#include <string.h>

#include "devices/board.h"

/* A LUT with its net, by speed grade 1 to 3: the budgets of report_failfast, of the vendor's own Tcl store (Xilinx/XilinxTclStore, designutils). */
static const struct {
    const char *family; /* what a family's name ends with */
    double ns[3];
} budgets[] = {{"ultrascale-plus", {0.350, 0.300, 0.250}}, {"kria", {0.350, 0.300, 0.250}}, {"ultrascale", {0.490, 0.425, 0.360}},
               {"-7", {0.575, 0.500, 0.425}}, {"-7000", {0.575, 0.500, 0.425}}};

/* Of the 7 series at grade 1, where a level has SEVEN_LEVEL: a memory block without output register and a multiplier as Yosys' library of
 * cells states them (techlibs/xilinx/cells_sim.v: RAMB36E1 2.454 ns less the flip-flop's 0.303, DSP48E1 2.823 and the net behind it);
 * four bits of carry as 0.05 ns of UltraScale+ at grade 2, assumed; a load by the clocks that HDCU published for 32, 128 and 512 bits on
 * ZCU106 (klessydra/HDCU, Table IV: 234, 218, 160 MHz), whose unit is one broadcast to as many lanes. Other families by their budgets. */
#define SEVEN_LEVEL 0.575
#define SEVEN_RAM 2.151
#define SEVEN_DSP (2.823 + SEVEN_LEVEL)
#define PLUS_LEVEL 0.300
#define PLUS_CARRY_BIT 0.0125
#define PLUS_LOAD 0.0042

/* nextpnr's own delays (5.83 ns of DP16KD, 3.93 of MULT18X18D, 0.52 of a flip-flop, 0.24 of a LUT4), and its nets' as they were routed in
 * designs of 1,000 to 11,000 LUTs: 1.0 ns the usual, 1.6 to and from multipliers; a LUT of six inputs is 1.4 levels of four. */
const struct dse_path_delays dse_path_ecp5 = {.level = 1.4 * 0.24 + 0.75, .carry_bit = 0.035, .load = 0.004, .ram = 5.83 - 0.52, .dsp = 3.93 + 2.2,
                                              .begin = 1.4, .low = 0.85, .high = 1.15};

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
        double level = budgets[i].ns[index], seven = level / SEVEN_LEVEL, plus = level / PLUS_LEVEL;
        *out = (struct dse_path_delays){.level = level, .carry_bit = PLUS_CARRY_BIT * plus, .load = PLUS_LOAD * plus,
                                        .ram = SEVEN_RAM * seven, .dsp = SEVEN_DSP * seven, .low = 0.85, .high = 1.2};
        return true;
    }
    return false;
}

double dse_path_ns(const struct dse_path_delays *delays, const struct dse_path *path)
{
    return delays->begin + path->levels * delays->level + path->carry_bits * delays->carry_bit +
           fmax(path->fanout - DSE_PATH_FANOUT, 0.0) * delays->load + path->rams * delays->ram + path->dsps * delays->dsp;
}
