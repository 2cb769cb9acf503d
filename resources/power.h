/* Power of programmable logic, from resources, clock and switching.
 *
 * dynamic = clock × ( activity/toggle × ( LUTs as logic, LUTs as memory, FF, signals by LUT, BRAM18, URAM, DSP, each with its coefficient ) + clock
 * tree by FF ). The coefficients are those of Vivado's vectorless reports, divided by the units used and by the clock (costs/FAMILY.xml, <power>).
 * Against reports that they were not taken from, they are accurate to about ± 50 %. */
#pragma once

#include "resources/costs.h"

struct dse_power {
    double watt, low_w, high_w;
    double term_w[DSE_POWER_TERM_COUNT]; /* parts of `watt` */
};

/* Dynamic power of resources in use, in W. `amounts` may be those of a single block: power adds over blocks. `toggle_rate` is the share of clocks in
 * which a signal changes; 0 or less takes the rate of the coefficients (0.125). O(1). */
void dse_power_dynamic(const struct dse_costs *costs, const double amounts[DSE_RESOURCE_COUNT],
                       double clock_hz, double toggle_rate, struct dse_power *out);

/* As dse_power_dynamic, from a tally: its low amounts at the low coefficients, its high at the high. */
void dse_power_of_tally(const struct dse_costs *costs, const struct dse_tally *tally, double clock_hz,
                        double toggle_rate, struct dse_power *out);

/* Static power of a chip with `chip_luts` LUTs, for boards without a known value. */
void dse_power_static(const struct dse_costs *costs, int64_t chip_luts, struct dse_power *out);
