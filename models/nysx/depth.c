/* Depths of pipelined loops: the latency of one iteration, in clock cycles. Operators and memories take whole cycles;
 * logic takes steps, as many per cycle as fit (models/nysx/microarchitecture.md, "Loops"). */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

#define STEP_S 0.9e-9    /* a 32-bit addition, or logic of equal delay */
#define ROUNDING 1e-6    /* nanoseconds times megahertz miss an integer by rounding */
#define CYCLE_SHARE 0.73 /* usable share of a clock period after clock uncertainty */

int64_t nysx_logic(const struct dse_build *build, int64_t steps)
{
    int64_t a_cycle = (int64_t)(CYCLE_SHARE / build->clock_hz / STEP_S);
    return dse_ceil_div(steps, a_cycle > 1 ? a_cycle : 1);
}

int64_t nysx_latency(struct dse_build *build, enum dse_operator op, enum dse_precision precision)
{
    return dse_build_operator(build, op, precision, 0.0);
}

int64_t nysx_levels(int64_t inputs)
{
    int64_t levels = 0;
    while (((int64_t)1 << levels) < inputs)
        levels++;
    return levels;
}

int64_t nysx_port_depth(const struct dse_build *build, size_t memory)
{
    double cycles = build->context->board->memories[memory].read_latency_s * build->clock_hz;
    return (int64_t)ceil(1.0 + cycles - ROUNDING);
}

int64_t nysx_contexts(struct dse_build *build)
{
    int64_t add = nysx_latency(build, DSE_OP_ADD, DSE_FP32);
    return (add > 1 ? add : 1) + 1;
}
