/* Converts sums to metrics; shared by all families. */
#include <math.h>
#include <string.h>

#include "core/percentile.h"
#include "models/hls.h"
#include "models/model.h"

const struct dse_metric_info dse_metrics[DSE_METRIC_COUNT] = {
    [DSE_METRIC_LATENCY] = {"latency", "latency_s", "latency", DSE_DIMENSION_TIME, false, -1},
    [DSE_METRIC_LATENCY_P99] = {"latency_p99", "latency_p99_s", "p99", DSE_DIMENSION_TIME, false, -1},
    [DSE_METRIC_THROUGHPUT] = {"throughput", "throughput_hz", "throughput", DSE_DIMENSION_RATE, true, -1},
    [DSE_METRIC_ENERGY] = {"energy", "energy_j", "energy", DSE_DIMENSION_ENERGY, false, -1},
    [DSE_METRIC_POWER] = {"power", "power_w", "power", DSE_DIMENSION_POWER, false, -1},
    [DSE_METRIC_DRAM_ENERGY] = {"dram_energy", "dram_energy_j", "DRAM", DSE_DIMENSION_ENERGY, false, -1},
    [DSE_METRIC_BRAM18] = {"bram18", "bram18", "BRAM18", DSE_DIMENSION_NONE, false, DSE_BRAM18},
    [DSE_METRIC_URAM] = {"uram", "uram", "URAM", DSE_DIMENSION_NONE, false, DSE_URAM},
    [DSE_METRIC_DSP] = {"dsp", "dsp", "DSP", DSE_DIMENSION_NONE, false, DSE_DSP},
    [DSE_METRIC_LUT] = {"lut", "lut", "LUT", DSE_DIMENSION_NONE, false, DSE_LUT},
    [DSE_METRIC_FF] = {"ff", "ff", "FF", DSE_DIMENSION_NONE, false, DSE_FF},
    [DSE_METRIC_LUTRAM] = {"lutram", "lutram", "LUTRAM", DSE_DIMENSION_NONE, false, DSE_LUTRAM},
    [DSE_METRIC_DDR_BYTES] = {"ddr_bytes", "ddr_bytes", "DDR", DSE_DIMENSION_BYTES, false, -1},
    [DSE_METRIC_CYCLES] = {"cycles", "cycles", "cycles", DSE_DIMENSION_NONE, false, -1},
    [DSE_METRIC_LATENCY_SYSTEM] = {"latency_system", "latency_system_s", "system latency", DSE_DIMENSION_TIME, false, -1},
    [DSE_METRIC_ENERGY_SYSTEM] = {"energy_per_item", "energy_per_item_j", "system energy per item", DSE_DIMENSION_ENERGY, false, -1},
    [DSE_METRIC_POWER_SYSTEM] = {"power_system", "power_system_w", "system power", DSE_DIMENSION_POWER, false, -1},
    [DSE_METRIC_THROUGHPUT_SYSTEM] = {"throughput_system", "throughput_system_hz", "system throughput", DSE_DIMENSION_RATE, true, -1},
    [DSE_METRIC_QUALITY] = {"quality", "quality", "quality", DSE_DIMENSION_NONE, true, -1},
};

const struct dse_metric_alias dse_metric_aliases[DSE_METRIC_ALIAS_COUNT] = {
    {"accuracy", DSE_METRIC_QUALITY, .error = false}, {"error", DSE_METRIC_QUALITY, .error = true}, {"energy_system", DSE_METRIC_ENERGY_SYSTEM, .error = false},
#define FIGURE(name) {name, DSE_METRIC_QUALITY, .figure = true}
#define FIGURE_OF_ERROR(name) {name, DSE_METRIC_QUALITY, .error = true, .figure = true}, FIGURE("neg_" name)
    FIGURE("balanced"), FIGURE("macro_f1"), FIGURE("auc"), FIGURE("r2"), FIGURE("mrr"), FIGURE("hits1"), FIGURE("hits3"), FIGURE("hits10"),
    FIGURE_OF_ERROR("mse"), FIGURE_OF_ERROR("rmse"), FIGURE_OF_ERROR("mae"), FIGURE_OF_ERROR("mean_rank")};

int dse_metric_find(const char *name)
{
    for (int i = 0; i < DSE_METRIC_COUNT; i++)
        if (strcmp(dse_metrics[i].name, name) == 0 || strcmp(dse_metrics[i].key, name) == 0)
            return i;
    const struct dse_metric_alias *alias = dse_metric_alias_of(name);
    return alias != NULL ? (int)alias->metric : -1;
}

const char *const dse_boundary_names[] = {"kernel", "system", NULL};
const enum dse_metric dse_energy_metrics[] = {DSE_METRIC_ENERGY, DSE_METRIC_ENERGY_SYSTEM};
const enum dse_metric dse_power_metrics[] = {DSE_METRIC_POWER, DSE_METRIC_POWER_SYSTEM};

static bool is_of(const enum dse_metric metrics[DSE_BOUNDARY_COUNT], enum dse_metric metric, enum dse_boundary *at)
{
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
        if (metrics[b] == metric) {
            if (at != NULL)
                *at = (enum dse_boundary)b;
            return true;
        }
    return false;
}

bool dse_metric_of_system(enum dse_metric metric)
{
    return metric == DSE_METRIC_LATENCY_SYSTEM || metric == DSE_METRIC_ENERGY_SYSTEM || metric == DSE_METRIC_POWER_SYSTEM ||
           metric == DSE_METRIC_THROUGHPUT_SYSTEM;
}

bool dse_metric_is_energy(enum dse_metric metric, enum dse_boundary *at)
{
    return is_of(dse_energy_metrics, metric, at);
}

bool dse_metric_is_power(enum dse_metric metric, enum dse_boundary *at)
{
    return is_of(dse_power_metrics, metric, at);
}

const struct dse_metric_alias *dse_metric_alias_of(const char *name)
{
    for (size_t i = 0; i < DSE_METRIC_ALIAS_COUNT; i++)
        if (strcmp(dse_metric_aliases[i].name, name) == 0)
            return &dse_metric_aliases[i];
    return NULL;
}

double dse_metric_error_from(const struct dse_metric_alias *error, const char *quality)
{
    return error->figure ? 0.0 : dse_quality_error_from(quality);
}

bool dse_metric_is_error(const char *name)
{
    const struct dse_metric_alias *alias = dse_metric_alias_of(name);
    return alias != NULL && alias->error;
}

double dse_metric_times_worse(enum dse_metric metric, double value, double than)
{
    if (!dse_metrics[metric].higher_is_better || (value < 0.0 && than < 0.0))
        return value / than;
    return value <= 0.0 && than > 0.0 ? INFINITY : than / value;
}

void dse_accumulators_combine(struct dse_accumulators *total, const struct dse_accumulators *part)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        for (int s = 0; s < DSE_STAGE_MAX; s++) {
            if (part->busy_cycles[c][s] > total->busy_cycles[c][s])
                total->busy_cycles[c][s] = part->busy_cycles[c][s];
            total->fill_cycles[c][s] += part->fill_cycles[c][s];
            for (int m = 0; m < DSE_MEMORY_MAX; m++)
                total->bytes[c][s][m] += part->bytes[c][s][m];
        }
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        total->resources[r] += part->resources[r];
    total->energy_fj += part->energy_fj;
    total->idle_nw += part->idle_nw;
    total->reruns += part->reruns;
    for (int p = 0; p < DSE_PRECISION_COUNT; p++) {
        total->operations[p] += part->operations[p];
        total->additions[p] += part->additions[p];
    }
    total->on_chip_bytes += part->on_chip_bytes;
}

static double at_band(enum dse_band band, double value, double low, double high)
{
    return band == DSE_BAND_LOW ? low : band == DSE_BAND_HIGH ? high : value;
}

static double static_power(const struct dse_board *board, enum dse_band band)
{
    return at_band(band, board->static_power_w, board->static_power_low_w, board->static_power_high_w);
}

static double host_cost(const struct dse_host_cost *cost, enum dse_band band)
{
    return at_band(band, cost->s, cost->low_s, cost->high_s);
}

double dse_operation_s(const struct dse_context *context)
{
    return host_cost(&context->board->host.operation, context->band);
}

static double dram_energy(const struct dse_memory *memory, enum dse_band band)
{
    return at_band(band, memory->energy_j_per_bit, memory->energy_low_j_per_bit, memory->energy_high_j_per_bit);
}

/* A higher efficiency makes results smaller, so the low band uses it. */
static double sustained(const struct dse_memory *memory, enum dse_band band)
{
    double efficiency = band == DSE_BAND_LOW    ? memory->efficiency_high
                        : band == DSE_BAND_HIGH ? memory->efficiency_low
                                                : memory->efficiency;
    return (double)(memory->channels * memory->width_bits) / 8.0 * memory->preset_transfers_hz * efficiency;
}

double dse_fitted_value(const struct dse_fitted *constants, size_t index, const struct dse_context *context)
{
    if (context->fitted != NULL)
        return context->fitted[index];
    return context->band == DSE_BAND_LOW    ? constants[index].low
           : context->band == DSE_BAND_HIGH ? constants[index].high
                                            : constants[index].value;
}

static int64_t calls_of(const struct dse_model_family *family, const struct dse_config *config)
{
    return family->calls != NULL ? family->calls(config) : 1;
}

bool dse_family_queues(const struct dse_model_family *family)
{
    return family->file != NULL || family->queues != NULL || family->steps != NULL;
}

int64_t dse_queued_calls(const struct dse_model_family *family, const struct dse_board *board, const struct dse_config *config)
{
    return family->queues != NULL && family->queues(config) && board->host.batch > 1 ? calls_of(family, config) : 0;
}

/* In RTL the ring lies between the inputs of its halves (models/nysx/rtl/host.c). */
static int64_t transfers_of(const struct dse_model_family *family, const struct dse_config *config, bool queued)
{
    return family->transfers != NULL ? family->transfers(family, config, queued) : !queued ? 1 : family == family->in_rtl ? 2 : 3;
}

static double launch_s(const struct dse_model_family *family, const struct dse_host *host, enum dse_band band, const struct dse_platform *platform)
{
    const struct dse_host_flow *flow = family == family->in_rtl ? &host->rtl : &host->hls;
    const double answers = platform->queued || family->transfers != NULL ? 0.0 : 1.0;
    return (double)platform->starts * host_cost(platform->queued ? &flow->queue : &flow->launch, band) + (double)platform->transfers * host_cost(&flow->transfer, band) +
           answers * host_cost(&flow->answer, band);
}

static void add_host(const struct dse_model_family *family, const struct dse_host *host, const struct dse_config *config, enum dse_band band, struct dse_platform *out)
{
    const int64_t calls = calls_of(family, config);
    out->batch = host->batch > 0 ? (double)host->batch : 1.0;
    out->streams = out->queued && host->batch > 1;
    out->waits = out->streams && (host->waits == DSE_HOST_WAITS || (host->waits == DSE_HOST_WAITS_AT_STARTS && family->in_rtl != family));
    out->starts = out->queued ? 1 : calls;
    out->shared = out->queued ? fmin(out->batch, (double)(DSE_RING_MOST / 2 / calls)) : 1.0;
    out->transfers = transfers_of(family, config, out->queued);
    out->launch_s = launch_s(family, host, band, out);
    out->drain = out->pipelined && out->streams && (out->waits || family->drains) ? 1.0 / out->shared : 0.0;
    out->host_fs = llround(out->launch_s / out->shared / out->femto);
    out->host_fs_per_byte = llround(1e15 * host_cost(&host->byte, band));
    out->host_stages = family->host_stages;
    out->prepare_stages = family->prepare_stages;
    out->still_nw[DSE_BOUNDARY_SYSTEM] = out->still_nw[DSE_BOUNDARY_KERNEL] +
                                         llround(at_band(band, host->power_w, host->power_low_w, host->power_high_w) * 1e9);
}

/* Highest clock known for a published design larger than a die: HDReason on U50, 620 K LUTs on dies of 436 K, at 200 MHz (Table 5).
 * 43 configurations of HLS designs on multi-die chips average 147 MHz as the tool places them, and 297 MHz with a floorplan and registers at the
 * crossings. The tool could not route 16 of them. (Guo et al., AutoBridge, FPGA 2021, doi:10.1145/3431920.3439289, abstract.) */
#define CROSSING_HZ 200e6

static void make_steps(const struct dse_model_family *family, const struct dse_config *config, struct dse_platform *out)
{
    int64_t extra[DSE_STAGE_MAX] = {0};
    if (family->steps != NULL)
        out->step_count = family->steps(family, config, out->steps, extra);
    for (size_t s = 0; s < DSE_STAGE_APART && family->pipelined; s++)
        out->steps[out->step_count++] = 1u << s;
    for (size_t k = 0; k < out->step_count; k++)
        out->extra_fs[k] = extra[k] * out->fs_per_cycle;
    out->pipelined = out->step_count > 0;
}

void dse_platform_make(const struct dse_model_family *family, const struct dse_board *board, double headroom,
                       const struct dse_config *config, enum dse_band band, struct dse_platform *out)
{
    int64_t units = config->value[family->units_knob];
    double clock_hz = (double)config->value[family->clock_knob] * 1e6;
    *out = (struct dse_platform){.units = units,
                                 .at_once = units * (family->items != NULL ? family->items(family, config) : 1),
                                 .parts = family->parts != NULL ? (double)family->parts(family, config) : 1.0};
    out->femto = 1e-15 * out->parts;
    out->fs_per_cycle = llround(1e15 / clock_hz);
    make_steps(family, config, out);
    out->queued = (family->file != NULL && board->host.batch > 1) || dse_queued_calls(family, board, config) > 0 || /* the author of the file writes the source */
                  (family->steps != NULL && config->value[family->overlap_knob] != 0);
    out->still_nw[DSE_BOUNDARY_KERNEL] = llround(static_power(board, band) * 1e9);
    add_host(family, &board->host, config, band, out);
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
        out->share_nw[b] = (double)out->still_nw[b] / (double)units;
    for (size_t m = 0; m < board->memory_count; m++) {
        double bandwidth = sustained(&board->memories[m], band);
        out->fs_per_byte[m] = llround(1e15 / bandwidth);
        out->dram_fj_per_byte[m] = llround(dram_energy(&board->memories[m], band) * 8e15);
        out->bytes_per_s += bandwidth;
    }
    out->s_per_byte = out->bytes_per_s > 0.0 ? 1.0 / out->bytes_per_s : 0.0;
    dse_board_limits(board, headroom, out->limits);
    const struct dse_clock_cap *cap = dse_board_cap(board, clock_hz);
    out->clock_allowed = cap != NULL;
    /* Emitted sources have no registers at die crossings: above CROSSING_HZ a unit must fit in one die. */
    int64_t dies = board->slrs > 1 && clock_hz > CROSSING_HZ ? board->slrs : 1;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        out->capped[r] = cap != NULL ? (int64_t)((double)out->limits[r] * cap->utilisation[r]) : 0;
        if (dies > 1)
            out->capped[r] = out->capped[r] / (dies * ((units + dies - 1) / dies)) * units;
    }
}

int64_t dse_stage_fs(const struct dse_platform *platform, const struct dse_accumulators *sums,
                     enum dse_case which, size_t stage)
{
    int64_t longest = stage == DSE_STAGE_APART ? 0 : sums->busy_cycles[which][stage] * platform->fs_per_cycle;
    for (int m = 0; m < DSE_MEMORY_MAX && stage != DSE_STAGE_APART; m++) {
        int64_t moving = sums->bytes[which][stage][m] * platform->fs_per_byte[m];
        if (moving > longest)
            longest = moving;
    }
    return longest + sums->fill_cycles[which][stage] * platform->fs_per_cycle;
}

static int64_t total_fs(const struct dse_platform *platform, const struct dse_accumulators *sums,
                        enum dse_case which)
{
    int64_t total = 0;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++)
        total += dse_stage_fs(platform, sums, which, s);
    return total;
}

/* The positive half of sixteen equally likely values of a normal variable: the means of its sixteen quantile intervals, scaled to standard deviation 1. */
static const double half[] = {0.07938033788737614, 0.24014290696183999, 0.40728645083706666, 0.58651791205050685,
                              0.78667233287537375, 1.0243341353419841,  1.3408977299442952,  1.9899809370175148};
#define HALF (sizeof half / sizeof *half)
#define POINTS (2 * HALF)
#define SIGMA_MOST 1.75 /* up to this σ no value falls when the mean grows at a fixed tail, because z − σ plus the mean of y exceeds the last value */

/* Equally likely times of a step, ascending: log-normal with this mean and σ, as `--rate` draws them (explore/load.c), at least `least`. */
static void step_times(double mean, double sigma, double extra, double least, double out[POINTS])
{
    double total = 0.0;
    for (size_t i = 0; i < POINTS; i++) {
        out[i] = exp(sigma * (i < HALF ? -half[HALF - 1 - i] : half[i - HALF]));
        total += out[i];
    }
    for (size_t i = 0; i < POINTS; i++)
        out[i] = fmax(round(out[i] * (mean * (double)POINTS / total) + extra), least);
}

/* Mean of the maximum of independent times. In ascending order, P(maximum ≤ time) is the product of the shares of times that are no longer. */
static double mean_longest(size_t count, double times[][POINTS])
{
    double mean = 0.0, below = 0.0;
    size_t next[DSE_STAGE_MAX] = {0};
    while (below < 1.0) {
        size_t least = count;
        double share = 1.0;
        for (size_t k = 0; k < count; k++)
            if (next[k] < POINTS && (least == count || times[k][next[k]] < times[least][next[least]]))
                least = k;
        next[least]++;
        for (size_t k = 0; k < count; k++)
            share *= (double)next[k] / (double)POINTS;
        mean += (share - below) * times[least][next[least] - 1];
        below = share;
    }
    return mean;
}

/* A step without a turn (no extra time) works ahead on queued items, so its mean counts. */
int64_t dse_interval_fs(const struct dse_platform *platform, const int64_t fs[][DSE_CASE_COUNT])
{
    double sigma[DSE_STAGE_MAX], fixed = 0.0, ahead = 0.0, times[DSE_STAGE_MAX][POINTS];
    size_t varying = 0;
    for (size_t k = 0; k < platform->step_count; k++) {
        double mean = (double)fs[k][DSE_CASE_MEAN], extra = (double)platform->extra_fs[k];
        sigma[k] = extra > 0.0 ? fmin(dse_log_normal_sigma(mean, (double)fs[k][DSE_CASE_TAIL]), SIGMA_MOST) : 0.0;
        if (extra <= 0.0)
            ahead = fmax(ahead, mean);
        else if (sigma[k] <= 0.0)
            fixed = fmax(fixed, mean + extra);
    }
    for (size_t k = 0; k < platform->step_count; k++)
        if (sigma[k] > 0.0)
            step_times((double)fs[k][DSE_CASE_MEAN], sigma[k], (double)platform->extra_fs[k], fixed, times[varying++]);
    return llround(fmax(ahead, varying > 0 ? mean_longest(varying, times) : fixed));
}

void dse_step_fs(const struct dse_platform *platform, const struct dse_accumulators *sums, int64_t fs[][DSE_CASE_COUNT])
{
    memset(fs, 0, platform->step_count * sizeof *fs);
    for (size_t k = 0; k < platform->step_count; k++)
        for (int c = 0; c < DSE_CASE_COUNT; c++)
            for (unsigned left = platform->steps[k]; left != 0; left &= left - 1)
                fs[k][c] += dse_stage_fs(platform, sums, (enum dse_case)c, (size_t)__builtin_ctz(left));
}

double dse_interval_s(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    int64_t fs[DSE_STAGE_MAX][DSE_CASE_COUNT], apart = sums->busy_cycles[DSE_CASE_MEAN][DSE_STAGE_APART] * platform->fs_per_cycle;
    if (!platform->pipelined)
        return (double)total_fs(platform, sums, DSE_CASE_MEAN) * platform->femto;
    dse_step_fs(platform, sums, fs);
    int64_t slowest = dse_interval_fs(platform, (const int64_t(*)[DSE_CASE_COUNT])fs);
    return (double)(slowest > apart ? slowest : apart) * platform->femto;
}

int64_t dse_host_work_fs(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    int64_t bytes = 0;
    for (unsigned left = platform->host_stages; left != 0; left &= left - 1)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            bytes += sums->bytes[DSE_CASE_MEAN][__builtin_ctz(left)][m];
    return sums->reruns * platform->host_fs + bytes * platform->host_fs_per_byte;
}

int64_t dse_starts(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    return platform->starts * (1 + sums->reruns);
}

static int64_t dram_fj(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    int64_t fj = 0;
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            fj += sums->bytes[DSE_CASE_MEAN][s][m] * platform->dram_fj_per_byte[m];
    return fj;
}

int64_t dse_dynamic_fj(const struct dse_platform *platform, const struct dse_accumulators *sums, enum dse_boundary boundary)
{
    return sums->energy_fj + (boundary == DSE_BOUNDARY_SYSTEM ? dram_fj(platform, sums) : 0);
}

double dse_launch_s(const struct dse_platform *platform, double latency_s, double interval_s, double host_s, double prepare_s)
{
    return dse_launch_overlaps(platform) ? platform->batch * host_s + (latency_s + (platform->batch - 1.0) * (interval_s + prepare_s)) : platform->batch * (latency_s + host_s);
}

int64_t dse_prepare_fs(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    int64_t fs = 0;
    for (unsigned left = platform->prepare_stages; left != 0; left &= left - 1)
        fs += sums->fill_cycles[DSE_CASE_MEAN][__builtin_ctz(left)] * platform->fs_per_cycle;
    return fs;
}

double dse_prepare_s(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    return (double)dse_prepare_fs(platform, sums) * platform->femto;
}

double dse_own_s(const struct dse_platform *platform, enum dse_boundary boundary, const struct dse_item *item)
{
    if (boundary == DSE_BOUNDARY_KERNEL)
        return item->interval_s;
    if (!platform->streams)
        return item->latency_s + item->host_s;
    return fmax(item->interval_s, (1.0 - platform->drain) * item->interval_s + platform->drain * item->kernel_s) + item->wait_s;
}

double dse_delivery_s(const struct dse_platform *platform, enum dse_boundary boundary, const struct dse_item *item)
{
    const double shared_s = fmax(item->host_s + item->prepare_s, item->bytes * platform->s_per_byte);
    return fmax(dse_own_s(platform, boundary, item), (double)platform->units * shared_s);
}

double dse_host_s(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    return (double)(platform->host_fs + dse_host_work_fs(platform, sums)) * platform->femto;
}

static double bytes_of(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    int64_t bytes = 0;
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            bytes += sums->bytes[DSE_CASE_MEAN][s][m];
    return (double)bytes * platform->parts;
}

double dse_elapsed_s(const struct dse_platform *platform, const struct dse_accumulators *sums, enum dse_boundary boundary, double latency_s, double interval_s)
{
    const double prepare_s = dse_prepare_s(platform, sums);
    const struct dse_item item = {.latency_s = latency_s, .kernel_s = latency_s - prepare_s, .interval_s = interval_s, .wait_s = dse_wait_s(platform, boundary, 1),
                                  .host_s = boundary == DSE_BOUNDARY_SYSTEM ? dse_host_s(platform, sums) : 0.0,
                                  .prepare_s = dse_prepare_contends(platform, boundary) ? prepare_s : 0.0, .bytes = bytes_of(platform, sums)};
    return dse_delivery_s(platform, boundary, &item);
}

/* An item's energy covers the time between two items that a unit delivers; at the system boundary, its latency is its share of the launch. */
static void derive_boundaries(const struct dse_platform *platform, const struct dse_accumulators *sums, double latency, double interval,
                              double metrics[DSE_METRIC_COUNT])
{
    static const enum dse_metric rates[] = {DSE_METRIC_THROUGHPUT, DSE_METRIC_THROUGHPUT_SYSTEM};
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        double idle_w = (platform->share_nw[b] + (double)sums->idle_nw) * 1e-9;
        double elapsed = dse_elapsed_s(platform, sums, (enum dse_boundary)b, latency, interval);
        double energy = (double)dse_dynamic_fj(platform, sums, (enum dse_boundary)b) * platform->femto + idle_w * elapsed;
        metrics[dse_energy_metrics[b]] = dse_energy_at(platform, (enum dse_boundary)b, energy);
        metrics[dse_power_metrics[b]] = (double)platform->units * (energy / elapsed);
        metrics[rates[b]] = (double)platform->at_once / elapsed;
    }
    metrics[DSE_METRIC_LATENCY] = latency;
    metrics[DSE_METRIC_LATENCY_SYSTEM] = dse_launch_s(platform, latency, interval, dse_host_s(platform, sums), dse_prepare_s(platform, sums));
}

void dse_derive(const struct dse_platform *platform, const struct dse_accumulators *sums,
                double metrics[DSE_METRIC_COUNT])
{
    double latency = (double)total_fs(platform, sums, DSE_CASE_MEAN) * platform->femto;
    derive_boundaries(platform, sums, latency, dse_interval_s(platform, sums), metrics);
    metrics[DSE_METRIC_LATENCY_P99] = (double)total_fs(platform, sums, DSE_CASE_TAIL) * platform->femto;
    metrics[DSE_METRIC_DRAM_ENERGY] = (double)dram_fj(platform, sums) * platform->femto;
    for (int i = DSE_METRIC_BRAM18; i <= DSE_METRIC_LUTRAM; i++)
        metrics[i] = (double)(sums->resources[dse_metrics[i].resource] * platform->units);
    metrics[DSE_METRIC_DDR_BYTES] = bytes_of(platform, sums);
    metrics[DSE_METRIC_CYCLES] = round(latency * 1e15 / (double)platform->fs_per_cycle);
    metrics[DSE_METRIC_QUALITY] = NAN;
}

bool dse_fits(const struct dse_platform *platform, const struct dse_accumulators *sums, int *worst)
{
    double worst_ratio = 1.0;
    int over = -1;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        int64_t used = sums->resources[r] * platform->units;
        if (used <= platform->capped[r])
            continue;
        double ratio = platform->capped[r] > 0 ? (double)used / (double)platform->capped[r] : INFINITY;
        if (over < 0 || ratio > worst_ratio) {
            worst_ratio = ratio;
            over = r;
        }
    }
    if (worst != NULL)
        *worst = over;
    return over < 0 && platform->clock_allowed;
}
