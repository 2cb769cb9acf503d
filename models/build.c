#include "models/build.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "resources/power.h"

#define QUEUE_BITS 32 /* bits per word of a descriptor */

/* Stands for a number too large for any cost; several may be added before dse_block_cost rejects them. */
#define TOO_LARGE (1LL << 60)

static bool goes_on(const struct dse_build *build)
{
    return build->status == DSE_OK && !build->context->rejection->rejected;
}

struct dse_build dse_build_start(const struct dse_context *context, int64_t clock_mhz,
                                 struct dse_error *err)
{
    return (struct dse_build){.context = context, .clock_hz = (double)clock_mhz * 1e6, .err = err,
                              .status = DSE_OK};
}

int64_t dse_build_operator(struct dse_build *build, enum dse_operator op, enum dse_precision precision,
                           double times)
{
    return dse_build_operator_in(build, op, precision, DSE_FORM_ANY, times);
}

int64_t dse_build_operator_in(struct dse_build *build, enum dse_operator op, enum dse_precision precision, enum dse_form form,
                              double times)
{
    struct dse_cost cost;
    if (goes_on(build))
        build->status = dse_costs_operator(build->context->costs, op, precision, form, build->clock_hz, &cost, build->err);
    if (!goes_on(build))
        return 0;
    dse_tally_add(&build->tally, build->context->costs, &cost, times);
    const struct dse_cost_entry *entry = dse_costs_entry(build->context->costs, cost.entry);
    build->operator_lut += times * cost.amount[DSE_LUT] / entry->factor[DSE_LUT];
    build->operator_ff += times * cost.amount[DSE_FF] / entry->factor[DSE_FF];
    return cost.latency_cycles;
}

void dse_build_structure(struct dse_build *build, enum dse_structure structure, double size, double times)
{
    struct dse_cost cost;
    if (goes_on(build))
        build->status = dse_costs_structure(build->context->costs, structure, size, &cost, build->err);
    if (goes_on(build))
        dse_tally_add(&build->tally, build->context->costs, &cost, times);
}

void dse_build_combinational(struct dse_build *build, enum dse_structure structure, double size, double times)
{
    struct dse_cost cost;
    if (goes_on(build))
        build->status = dse_costs_structure(build->context->costs, structure, size, &cost, build->err);
    if (!goes_on(build))
        return;
    cost.amount[DSE_FF] = 0.0;
    dse_tally_add(&build->tally, build->context->costs, &cost, times);
}

void dse_build_array(struct dse_build *build, enum dse_storage storage, int64_t words, int64_t width_bits,
                     int64_t banks, int64_t buffers, int64_t readers)
{
    struct dse_array array = dse_array_of(words > 0 && words < banks ? banks : words, width_bits);
    array.banks = banks;
    array.buffers = buffers;
    array.readers = readers;
    dse_build_memory(build, storage, &array);
}

void dse_build_memory(struct dse_build *build, enum dse_storage storage, const struct dse_array *array)
{
    struct dse_cost cost;
    if (!goes_on(build) || array->words <= 0 || array->width_bits <= 0)
        return;
    build->status = dse_pack_array(build->context->costs, array, storage, &cost, build->err);
    if (goes_on(build))
        dse_tally_add(&build->tally, build->context->costs, &cost, 1.0);
}

void dse_build_datapath(struct dse_build *build)
{
    dse_build_structure(build, DSE_STRUCTURE_DATAPATH_LUT, build->operator_lut, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_DATAPATH_FF, build->operator_ff, 1.0);
}

void dse_build_fifo(struct dse_build *build, int64_t depth, int64_t width_bits, double times)
{
    if (goes_on(build))
        build->status = dse_pack_fifo(build->context->costs, depth, width_bits, times, &build->tally,
                                      build->err);
}

void dse_build_m_axi(struct dse_build *build, int64_t data_bits, int64_t outstanding, int64_t burst_beats,
                     double times)
{
    if (goes_on(build))
        build->status = dse_pack_m_axi(build->context->costs, data_bits, outstanding, burst_beats, times,
                                       &build->tally, build->err);
}

void dse_build_queue(struct dse_build *build, bool queued, int64_t registers)
{
    if (build->context->board->host.batch <= 1 || !queued)
        return;
    dse_build_m_axi(build, QUEUE_BITS, 0, 0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, (double)(QUEUE_BITS * registers), 1.0);
    dse_build_fifo(build, 2, QUEUE_BITS * registers, 1.0);
}

int64_t dse_build_depth(const struct dse_build *build, int64_t depth)
{
    double factor = build->context->pace.depth;
    if (factor == 1.0 || factor == 0.0) /* 0: context without a library */
        return depth;
    int64_t paced = llround((double)depth * factor);
    return paced > 1 ? paced : 1;
}

void dse_build_loop(const struct dse_build *build, const char *name, int64_t entries, int64_t iterations, int64_t interval,
                    int64_t depth)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        dse_loops_note(build->context->loops, (enum dse_case)c, name, (double)entries, (double)iterations, (double)interval,
                       (double)depth);
}

void dse_build_paths(struct dse_build *build, const struct dse_path *paths, size_t count)
{
    struct dse_clock_limit *limit = build->context->clock;
    struct dse_path_delays delays;
    if (limit != NULL && limit->delays != NULL)
        delays = *limit->delays;
    else if (!dse_path_delays_of(build->context->board, &delays)) {
        if (limit != NULL)
            limit->unknown = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double ns = dse_path_ns(&delays, &paths[i]);
        if (limit != NULL && ns > limit->ns)
            *limit = (struct dse_clock_limit){.delays = limit->delays, .at = limit->at, .engine = limit->at, .ns = ns, .low = delays.low,
                                              .high = delays.high, .where = paths[i].where};
        if (ns * build->clock_hz > 1e9 && (limit == NULL || limit->delays == NULL))
            dse_build_reject(build, "clock_mhz=%.0f: %s takes %.2f ns, which is at most %.0f MHz", build->clock_hz / 1e6, paths[i].where, ns,
                             floor(1e3 / ns));
    }
}

void dse_build_reject(struct dse_build *build, const char *format, ...)
{
    struct dse_rejection *rejection = build->context->rejection;
    if (!goes_on(build))
        return;
    rejection->rejected = true;
    if (rejection->reason[0] != '\0') /* keeps the first reason */
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rejection->reason, sizeof rejection->reason, format, arguments);
    va_end(arguments);
}

static const double *banded_amounts(const struct dse_build *build)
{
    return build->context->band == DSE_BAND_LOW    ? build->tally.low
           : build->context->band == DSE_BAND_HIGH ? build->tally.high
                                                   : build->tally.nominal;
}

/* Value of a power constant at the end of its band that matches the context's band. */
static double banded_power(const struct dse_power *power, enum dse_band band)
{
    return band == DSE_BAND_LOW ? power->low_w : band == DSE_BAND_HIGH ? power->high_w : power->watt;
}

/* Scales resources by an engine's calibration against open synthesis. */
static void scale_amounts(struct dse_build *build)
{
    const struct dse_amount *amounts = build->context->pace.amounts;
    for (int r = 0; amounts != NULL && r < DSE_RESOURCE_COUNT; r++) {
        build->tally.nominal[r] *= amounts[r].value;
        build->tally.low[r] *= amounts[r].value * amounts[r].low;
        build->tally.high[r] *= amounts[r].value * amounts[r].high;
    }
}

enum dse_status dse_build_finish(struct dse_build *build, double working_cycles,
                                 struct dse_accumulators *out)
{
    if (!goes_on(build))
        return build->status;
    scale_amounts(build);
    const double *amounts = banded_amounts(build);
    struct dse_provenance *provenance = build->context->provenance;
    for (size_t i = 0; provenance != NULL && i < DSE_COST_ENTRIES_MAX / 64; i++)
        provenance->used[i] |= build->tally.used[i];
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out->resources[r] = dse_count(ceil(amounts[r] - 1e-9));
    struct dse_power power;
    dse_power_of_tally(build->context->costs, &build->tally, build->clock_hz, 0.0, &power);
    double clock_share = power.watt > 0.0 ? power.term_w[DSE_POWER_CLOCK] / power.watt : 0.0;
    double total_w = banded_power(&power, build->context->band);
    double working_s = working_cycles / build->clock_hz;
    out->idle_nw = dse_count(total_w * clock_share * 1e9);
    out->energy_fj = dse_count(total_w * (1.0 - clock_share) * working_s * 1e15);
    return DSE_OK;
}

int64_t dse_count(double number)
{
    return number < (double)TOO_LARGE ? llround(fmax(number, 0.0)) : TOO_LARGE; /* also maps NaN */
}

int64_t dse_bits_for(int64_t n)
{
    int64_t bits = 1;
    while (bits < 62 && ((int64_t)1 << bits) < n)
        bits++;
    return bits;
}

int64_t dse_ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}
