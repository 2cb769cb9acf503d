#include "explore/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/percentile.h"
#include "core/rng.h"
#include "core/units.h"

#define RATE_MOST 1e15 /* items per second: no machine serves more */
#define FILE_BYTES_MAX (1u << 30)
#define UNITS_MAX 1024

/* ---- arrivals ---- */

/* Reads "50k/s" as "50kHz". */
static bool read_rate(const char *text, double *rate_hz)
{
    char hertz[64];
    size_t length = strlen(text);
    bool each_second = length > 2 && length + 1 < sizeof hertz && strcmp(text + length - 2, "/s") == 0, percent = false;
    const char *end;
    snprintf(hertz, sizeof hertz, "%.*s%s", (int)(each_second ? length - 2 : length), text, each_second ? "Hz" : "");
    return length + 1 < sizeof hertz && dse_quantity_parse(hertz, DSE_DIMENSION_FREQUENCY, rate_hz, &percent, &end) && *end == '\0' && !percent;
}

static enum dse_status read_times(const char *path, double **arrivals, size_t *count, struct dse_error *err)
{
    char *data DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0, line = 0, room = 0;
    DSE_TRY(dse_file_read(path, FILE_BYTES_MAX, &data, &size, err));
    for (char *next = data, *text; (text = next) != NULL && *text != '\0';) {
        size_t length = strcspn(text, "\r\n");
        next = text[length] != '\0' ? text + length + 1 : NULL;
        text[length] = '\0';
        line++;
        double time = 0.0;
        if (length == 0 || *text == '#')
            continue;
        if (dse_number_real(text, &time) != DSE_NUMBER_READ || (*count > 0 && time < (*arrivals)[*count - 1]))
            return dse_fail_at(err, DSE_BAD_INPUT, path, (long)line, "\"%.40s\": must be a time in seconds, not before the previous one", text);
        dse_list_room(arrivals, &room, *count, sizeof **arrivals);
        (*arrivals)[(*count)++] = time;
    }
    if (*count < 2 || !((*arrivals)[*count - 1] > (*arrivals)[0]))
        return dse_fail(err, DSE_BAD_INPUT, "%s: needs at least two different arrival times", path);
    for (size_t i = *count; i-- > 0;) /* from 0: a clock's seconds since 1970 would leave no digits for a queue's nanoseconds */
        (*arrivals)[i] -= (*arrivals)[0];
    return DSE_OK;
}

enum dse_status dse_load_read(const char *option, const char *text, double *rate_hz, double **arrivals, size_t *count, struct dse_error *err)
{
    *arrivals = NULL;
    *count = 0;
    if (read_rate(text, rate_hz))
        return *rate_hz > 0.0 && *rate_hz <= RATE_MOST ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--%s %s: must be above 0 and at most 1e15/s", option, text);
    if (!dse_file_exists(text))
        return dse_fail(err, DSE_BAD_USAGE, "--%s %s: must be a rate such as 50k/s, or a file of arrival times", option, text);
    enum dse_status status = read_times(text, arrivals, count, err);
    if (status != DSE_OK) {
        free(*arrivals);
        *arrivals = NULL;
        return status;
    }
    *rate_hz = (double)(*count - 1) / ((*arrivals)[*count - 1] - (*arrivals)[0]);
    return DSE_OK;
}

static double *draw_arrivals(const struct dse_load *load, size_t count)
{
    double *times = dse_malloc(count * sizeof *times), now = 0.0;
    struct dse_rng rng;
    dse_rng_seed(&rng, load->seed, 1);
    for (size_t i = 0; i < count; i++) {
        now -= log1p(-dse_rng_uniform(&rng)) / load->rate_hz;
        times[i] = now;
    }
    return times;
}

/* The times of a load: given, drawn before, or drawn now, into `own` if no limit keeps them. */
static const double *arrivals_of(const struct dse_load *load, size_t count, double **own)
{
    if (load->arrivals != NULL)
        return load->arrivals;
    double **kept = load->limit != NULL ? &load->limit->drawn : own;
    if (*kept == NULL)
        *kept = draw_arrivals(load, count);
    return *kept;
}

/* ---- the queue ---- */

struct moments {
    double mean_s, square_s2; /* mean and mean square of a run's time on a unit, without the launch */
};

static struct moments moments_of(const struct dse_load *load)
{
    struct moments m = {0};
    for (size_t i = 0; i < load->service_count; i++) {
        double s = load->service_s[i] + load->item_s;
        m.mean_s += s / (double)load->service_count;
        m.square_s2 += s * s / (double)load->service_count;
    }
    return m;
}

/* Whether the host fills a queue while the kernel works; otherwise it waits for each item. */
static bool streams(const struct dse_load *load)
{
    return load->batch > 1;
}

/* Items that a run answers. */
static size_t items_of(const struct dse_load *load)
{
    return load->items > 0 ? load->items : 1;
}

const char *const dse_load_limits[] = {"units", "host", "memory", NULL}, *const dse_load_states[] = {"steady", "near saturation", "overloaded", NULL};

/* Capacity with full launches of a mean kernel time, as in dse_delivery_s(). Limits: the units, the host's one launch at a time, and the memories' total traffic. */
static double capacity_of(const struct dse_load *load, double kernel_s, int *limit)
{
    double host_s = load->item_s + load->launch_s / fmax((double)load->batch, 1.0);
    const double saved = fmin(load->overlap, load->drains ? load->overlap * (1.0 - 1.0 / (double)load->batch) : load->overlap), wait_s = load->waits ? host_s - load->item_s : 0.0;
    const double run_s[] = {(streams(load) ? kernel_s * (1.0 - saved) + wait_s : host_s + kernel_s) / (double)load->units, host_s, load->memory_s};
    int longest = run_s[1] > run_s[0];
    if (run_s[2] > run_s[longest])
        longest = 2;
    *limit = longest == 0 && !streams(load) && host_s > kernel_s ? 1 : longest; /* the unit waits for the host longer than it works */
    return (double)items_of(load) / run_s[longest];
}

/* E[T] = E[S] + λ E[S²] / (2 (1 − λ E[S])), with the launch a part of S (L. Kleinrock, Queueing Systems I, 1975, 5.63). */
static double formula_of(const struct dse_load *load, const struct moments *m)
{
    double mean_s = m->mean_s + load->launch_s, square = m->square_s2 + 2.0 * m->mean_s * load->launch_s + load->launch_s * load->launch_s;
    if (load->arrivals != NULL || load->batch > 1 || load->units > 1 || items_of(load) > 1 || load->rate_hz * mean_s >= 1.0) /* a single unit already includes its transfer time */
        return NAN;
    return mean_s + load->rate_hz * square / (2.0 * (1.0 - load->rate_hz * mean_s));
}

static double later(double one_s, double other_s)
{
    return one_s > other_s ? one_s : other_s;
}

/* A unit: when its last launch ends, and the one before it, whose half of the queue is then free. */
struct unit {
    double free_s, half_s;
};

static size_t first_free(const struct unit *of, size_t units)
{
    size_t first = 0;
    for (size_t u = 1; u < units; u++)
        if (of[u].free_s < of[first].free_s)
            first = u;
    return first;
}

struct served {
    size_t launches;
    double run_s, end_s; /* mean kernel time that the runs drew; end of the last launch */
    bool late;           /* ended, as more items exceeded the load's limit than a 99th percentile leaves out */
};

/* Rank, from 1, of a percentile among sorted values. */
static size_t rank_of(double share, size_t count)
{
    return (size_t)ceil(share * (double)count);
}

/* Computes each item's time from arrival to answer; the first `warm` do not count as late. */
static struct served serve(const struct dse_load *load, const double *arrivals, size_t count, size_t warm, double *sojourn_s)
{
    const double limit_s = load->limit != NULL ? load->limit->p99_s : INFINITY;
    const size_t late_most = count - warm - rank_of(0.99, count - warm);
    struct unit units[UNITS_MAX] = {{0.0, 0.0}};
    double host_free_s = 0.0, memory_free_s = 0.0, drawn_s = 0.0;
    size_t launches = 0, served = 0, late = 0, items = items_of(load), most = load->batch * items;
    bool flows = streams(load);
    struct dse_rng rng;
    dse_rng_seed(&rng, load->seed, 2);
    double latest_s = 0.0;
    for (size_t i = 0; i < count && late <= late_most; launches++) {
        struct unit *unit = &units[first_free(units, load->units)];
        size_t last = i + 1;
        double start = later(later(flows ? unit->half_s : unit->free_s, host_free_s), arrivals[i]);
        while (last < count && last - i < most && arrivals[last] <= start)
            last++;
        const size_t runs = most == 1 ? 1 : (last - i + items - 1) / items;
        const bool waits = flows && load->waits;
        host_free_s = start + (waits ? 0.0 : load->launch_s) + (double)runs * load->item_s;
        bool behind = flows && launches > 0 && unit->free_s >= host_free_s; /* another launch, without a pause */
        if (waits)
            host_free_s = later(host_free_s, unit->free_s) + load->launch_s;
        memory_free_s = later(memory_free_s, host_free_s) + (double)runs * load->memory_s;
        double begin = behind && !waits ? unit->free_s : host_free_s, end = begin;
        for (size_t k = 0; k < runs; k++) {
            const double run_s = load->service_s[load->service_count > 1 ? dse_rng_below(&rng, load->service_count) : 0];
            drawn_s += run_s;
            end += run_s * (k > 0 || (behind && !load->drains) ? 1.0 - load->overlap : 1.0);
        }
        served += runs;
        if (load->units > 1) /* transfers wait for those of earlier launches */
            end = later(end, memory_free_s);
        for (; i < last; i++) {
            sojourn_s[i] = end - arrivals[i];
            late += i >= warm && sojourn_s[i] > limit_s;
        }
        *unit = (struct unit){.free_s = end, .half_s = unit->free_s};
        latest_s = later(latest_s, end);
    }
    return (struct served){.launches = launches, .run_s = drawn_s / (double)served, .end_s = latest_s, .late = late > late_most};
}

#define SATURATION_ITEMS 400000
#define SATURATION_LAUNCHES 32 /* at least, per unit */

/* Throughput with all items available: between the ends of a short and of a long simulation, so that the first and last launches do not count. */
static double saturation_of(const struct dse_load *load, double capacity_hz)
{
    struct dse_load runs = *load;
    if (load->units == 1 && !streams(load))
        return capacity_hz;
    runs.items = 1;
    runs.limit = NULL;
    size_t count = SATURATION_LAUNCHES * load->units * load->batch;
    if (count < SATURATION_ITEMS || count > DSE_LOAD_ITEMS)
        count = count < SATURATION_ITEMS ? SATURATION_ITEMS : DSE_LOAD_ITEMS;
    double *arrivals DSE_CLEANUP(dse_free_at) = dse_calloc(2 * count, sizeof *arrivals), *sojourn_s DSE_CLEANUP(dse_free_at) = dse_calloc(2 * count, sizeof *sojourn_s);
    const double short_s = serve(&runs, arrivals, count, 0, sojourn_s).end_s, long_s = serve(&runs, arrivals, 2 * count, 0, sojourn_s).end_s;
    return fmin(capacity_hz, (double)(count * items_of(load)) / (long_s - short_s));
}

/* Value at a share of the sorted values, whose first `sorted` are already at most as large as the rest. Returns in `sorted` its own rank. */
static double percentile(double *values, size_t count, double share, size_t *sorted)
{
    size_t rank = rank_of(share, count), before = *sorted;
    *sorted = rank > 0 ? rank - 1 : 0;
    return dse_select(values + before, count - before, *sorted - before);
}

static void measure(double *sojourn_s, size_t count, struct dse_load_result *out)
{
    size_t sorted = 0;
    for (size_t i = 0; i < count; i++)
        out->mean_s += sojourn_s[i] / (double)count;
    out->p50_s = percentile(sojourn_s, count, 0.5, &sorted);
    out->p99_s = percentile(sojourn_s, count, 0.99, &sorted);
    out->p999_s = percentile(sojourn_s, count, 0.999, &sorted);
    out->items = count;
}

static void set_times(struct dse_load_result *out, double s)
{
    out->mean_s = out->p50_s = out->p99_s = out->p999_s = s;
}

enum dse_status dse_load_simulate(const struct dse_load *load, const struct dse_monitor *monitor, struct dse_load_result *out,
                                  struct dse_error *err)
{
    const struct moments m = moments_of(load);
    size_t count = load->arrivals != NULL ? load->arrival_count : DSE_LOAD_ITEMS, warm = load->arrivals != NULL ? 0 : count / 10;
    *out = (struct dse_load_result){.rate_hz = load->rate_hz, .formula_s = formula_of(load, &m)};
    out->capacity_hz = capacity_of(load, m.mean_s - load->item_s, &out->limit);
    if (load->units > UNITS_MAX)
        return dse_fail(err, DSE_LIMIT, "a queue for more than %d compute units", UNITS_MAX);
    out->saturation_hz = saturation_of(load, out->capacity_hz);
    out->state = load->rate_hz >= out->saturation_hz ? DSE_LOAD_IS_OVER : load->rate_hz > DSE_LOAD_STEADY * out->saturation_hz ? DSE_LOAD_IS_NEAR : DSE_LOAD_IS_STEADY;
    if (load->arrivals == NULL && out->state == DSE_LOAD_IS_OVER) {
        out->utilisation = out->saturation_hz / out->capacity_hz;
        set_times(out, INFINITY);
        return DSE_OK;
    }
    if (dse_monitor_cancelled(monitor))
        return dse_fail_cancelled(err);
    double *own DSE_CLEANUP(dse_free_at) = NULL;
    double *sojourn_s DSE_CLEANUP(dse_free_at) = dse_malloc(count * sizeof *sojourn_s);
    const double *arrivals = arrivals_of(load, count, &own);
    const struct served served = serve(load, arrivals, count, warm, sojourn_s);
    if (load->limit != NULL) {
        set_times(out, served.late ? INFINITY : load->limit->p99_s);
        return DSE_OK;
    }
    int limit;
    out->items_per_launch = (double)count / (double)served.launches;
    out->utilisation = fmin(1.0, (double)count / (capacity_of(load, served.run_s, &limit) * (served.end_s - arrivals[0]))); /* above 1 only by rounding */
    measure(sojourn_s + warm, count - warm, out);
    return DSE_OK;
}

char *dse_load_rate(double hz, const char *items, char text[64])
{
    char *per = strrchr(dse_quantity_format(text, 64, DSE_DIMENSION_RATE, hz), '/');
    if (per != NULL)
        snprintf(per, 64 - (size_t)(per - text), "%s%.30s/s", per[-1] == ' ' ? "" : " ", items);
    return text;
}

enum dse_status dse_load_verdict(const struct dse_load_result *result, const char *items, struct dse_error *err)
{
    char rate[64], most[64];
    return !isinf(result->p99_s) ? DSE_OK : dse_fail(err, DSE_ANSWER_NO, "%s arrive, but the throughput is %s: the queue grows without limit",
                                                             dse_load_rate(result->rate_hz, items, rate), dse_load_rate(result->saturation_hz, items, most));
}

/* Adds the host's batch and the overlap of a stream of items to a load. */
static void take_host(const struct dse_host *host, double interval_s, struct dse_load *load)
{
    const size_t most = load->batch > 0 ? load->batch : SIZE_MAX, wanted = host->batch > 0 && interval_s > 0.0 ? (size_t)host->batch : 1;
    load->batch = wanted < most ? wanted : most;
    load->overlap = interval_s > 0.0 ? 1.0 - interval_s / (moments_of(load).mean_s - load->item_s) : 0.0;
}

enum dse_status dse_load_run(const char *text, const struct dse_host *host, struct dse_load load, double interval_s, const struct dse_monitor *monitor,
                             struct dse_load_result *out, struct dse_error *err)
{
    double *arrivals DSE_CLEANUP(dse_free_at) = NULL;
    take_host(host, interval_s, &load);
    DSE_TRY(dse_load_read("rate", text, &load.rate_hz, &arrivals, &load.arrival_count, err));
    load.arrivals = arrivals;
    return dse_load_simulate(&load, monitor, out, err);
}

/* ---- service times of models ---- */

/* Standard normal quantile by bisection of erfc, to sufficient precision. */
static double normal_quantile(double share)
{
    double low = -10.0, high = 10.0;
    for (int i = 0; i < 80; i++) {
        double middle = 0.5 * (low + high);
        if (0.5 * erfc(-middle / sqrt(2.0)) < share)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

void dse_load_quantiles(double mean_s, double p99_s, double *out, size_t count)
{
    double sigma = dse_log_normal_sigma(mean_s, p99_s), total = 0.0;
    for (size_t i = 0; i < count; i++) {
        out[i] = exp(sigma * normal_quantile(((double)i + 0.5) / (double)count));
        total += out[i];
    }
    for (size_t i = 0; i < count; i++)
        out[i] *= mean_s * (double)count / total;
}

/* ---- designs ---- */

enum dse_status dse_load_until(const char *text, const struct dse_host *host, const struct dse_estimate *estimate, const struct dse_load_times *times,
                               uint64_t seed, struct dse_load_limit *limit, const struct dse_monitor *monitor, struct dse_load_result *out, struct dse_error *err)
{
    const struct dse_platform *platform = &estimate->platform;
    double service_s[DSE_LOAD_QUANTILES];
    const struct dse_load_times modelled = {service_s, DSE_LOAD_QUANTILES, platform->queued ? dse_interval_s(platform, &estimate->sums) : 0.0};
    if (times == NULL)
        dse_load_quantiles(estimate->metrics[DSE_METRIC_LATENCY], estimate->metrics[DSE_METRIC_LATENCY_P99], service_s, DSE_LOAD_QUANTILES);
    struct dse_load_times used = times != NULL ? *times : modelled;
    const double prepare_s = dse_prepare_s(platform, &estimate->sums); /* the host is busy, and no unit */
    if (platform->queued && used.interval_s <= 0.0) /* a queue without overlap */
        for (size_t i = 0; i < used.count; i++)
            used.interval_s += used.service_s[i] / (double)used.count;
    double *alone_s DSE_CLEANUP(dse_free_at) = dse_malloc((used.count + 1) * sizeof *alone_s);
    for (size_t i = 0; i < used.count; i++)
        alone_s[i] = fmax(used.service_s[i] - prepare_s, 0.0);
    used.service_s = alone_s;
    const struct dse_load load = {.service_s = used.service_s, .service_count = used.count, .units = (size_t)platform->units, .seed = seed,
                                  .items = (size_t)dse_platform_items(platform),
                                  .item_s = (double)dse_host_work_fs(platform, &estimate->sums) * platform->femto + prepare_s,
                                  .memory_s = estimate->metrics[DSE_METRIC_DDR_BYTES] * platform->s_per_byte, .launch_s = platform->launch_s, .waits = platform->waits, .drains = platform->drain > 0.0,
                                  .batch = (size_t)platform->shared, .limit = limit};
    return dse_load_run(text, host, load, used.interval_s, monitor, out, err);
}

enum dse_status dse_load_estimate(const char *text, const struct dse_host *host, const struct dse_estimate *estimate, const struct dse_load_times *times,
                                  uint64_t seed, const struct dse_monitor *monitor, struct dse_load_result *out, struct dse_error *err)
{
    return dse_load_until(text, host, estimate, times, seed, NULL, monitor, out, err);
}

/* Units as a closed network whose host and memories have exponential times, by mean value analysis (M. Reiser, S. S. Lavenberg, JACM 27, 1980). Constant times
 * make fewer units wait; the kernels' distribution has no influence there. */
static double network_s(const struct dse_load_shares *of)
{
    double waiting[2] = {0.0, 0.0}, own[2] = {of->host_s, of->memory_s}, cycle_s = 0.0;
    for (size_t n = 1; n <= of->units; n++) {
        double answer_s[2];
        cycle_s = fmax(of->kernel_s - of->memory_s, 0.0);
        for (int i = 0; i < 2; i++)
            cycle_s += answer_s[i] = own[i] * (1.0 + waiting[i]);
        for (int i = 0; i < 2; i++)
            waiting[i] = (double)n / cycle_s * answer_s[i];
    }
    return cycle_s;
}

/* Host and kernel wait for each other at each launch; E[max(a, X)] for a mean and a deviation is at most this (H. Scarf, 1958). */
static double rendezvous_s(double a, double mean, double spread)
{
    return 0.5 * (a + mean + hypot(spread, a - mean));
}

double dse_load_least_share(const struct dse_load_shares *of)
{
    const double shared_s = (double)of->units * fmax(of->host_s, of->units > 1 ? of->memory_s : 0.0), own_s = of->streams ? of->kernel_s : of->kernel_s + of->host_s;
    if (!(of->spread_s > 0.0) || (of->units == 1 && !of->streams))
        return 1.0;
    return fmin(1.0, fmax(own_s, shared_s) / (of->streams ? rendezvous_s(shared_s, own_s, of->spread_s) : network_s(of)));
}

double dse_load_capacity(const struct dse_estimate *estimate)
{
    return estimate->metrics[DSE_METRIC_THROUGHPUT_SYSTEM];
}
