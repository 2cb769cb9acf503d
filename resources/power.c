#include "resources/power.h"

/* The units that each coefficient is counted by. */
static void count_units(const double amounts[DSE_RESOURCE_COUNT], double units[DSE_POWER_TERM_COUNT])
{
    double logic = amounts[DSE_LUT] - amounts[DSE_LUTRAM];
    units[DSE_POWER_LUT_LOGIC] = logic > 0 ? logic : 0;
    units[DSE_POWER_LUTRAM] = amounts[DSE_LUTRAM];
    units[DSE_POWER_FF] = amounts[DSE_FF];
    units[DSE_POWER_SIGNALS] = amounts[DSE_LUT];
    units[DSE_POWER_CLOCK] = amounts[DSE_FF];
    units[DSE_POWER_BRAM18] = amounts[DSE_BRAM18];
    units[DSE_POWER_URAM] = amounts[DSE_URAM];
    units[DSE_POWER_DSP] = amounts[DSE_DSP];
}

/* Watts of one term per unit; the clock tree switches every cycle, independent of the data. */
static double watt_per_unit(const struct dse_power_rules *rules, int term, double clock_hz, double toggle_rate)
{
    double activity = toggle_rate > 0 && term != DSE_POWER_CLOCK ? toggle_rate / rules->toggle_rate : 1;
    return rules->w_per_hz[term] * clock_hz * activity;
}

static void add_terms(const struct dse_costs *costs, const double *nominal, const double *low,
                      const double *high, double clock_hz, double toggle_rate, struct dse_power *out)
{
    const struct dse_power_rules *rules = dse_costs_power(costs);
    double units[DSE_POWER_TERM_COUNT], few[DSE_POWER_TERM_COUNT], many[DSE_POWER_TERM_COUNT];
    count_units(nominal, units);
    count_units(low, few);
    count_units(high, many);
    *out = (struct dse_power){0};
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++) {
        double watt = watt_per_unit(rules, t, clock_hz, toggle_rate);
        out->term_w[t] = units[t] * watt;
        out->watt += units[t] * watt;
        out->low_w += few[t] * watt * rules->low[t];
        out->high_w += many[t] * watt * rules->high[t];
    }
}

void dse_power_dynamic(const struct dse_costs *costs, const double amounts[DSE_RESOURCE_COUNT],
                       double clock_hz, double toggle_rate, struct dse_power *out)
{
    add_terms(costs, amounts, amounts, amounts, clock_hz, toggle_rate, out);
}

void dse_power_of_tally(const struct dse_costs *costs, const struct dse_tally *tally, double clock_hz,
                        double toggle_rate, struct dse_power *out)
{
    add_terms(costs, tally->nominal, tally->low, tally->high, clock_hz, toggle_rate, out);
}

void dse_power_static(const struct dse_costs *costs, int64_t chip_luts, struct dse_power *out)
{
    const struct dse_power_rules *rules = dse_costs_power(costs);
    *out = (struct dse_power){.watt = rules->static_w_per_lut * (double)chip_luts};
    out->low_w = out->watt * rules->static_low;
    out->high_w = out->watt * rules->static_high;
}
