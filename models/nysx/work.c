/* A workload's series as the NysX blocks read them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/percentile.h"
#include "models/nysx/nysx.h"

#define TAIL_PERCENT 99

struct reader {
    const struct dse_workload *workload;
    struct dse_error *err;
    enum dse_status status;
};

/* Reads a series and checks its shape; 0 `rows` or `columns` accept any. NULL after any failure. */
static const struct dse_series *need(struct reader *reader, const char *name, size_t rows, size_t columns)
{
    const struct dse_series *series = NULL;
    if (reader->status == DSE_OK)
        reader->status = dse_workload_need(reader->workload, name, rows, columns, &series, reader->err);
    return reader->status == DSE_OK ? series : NULL;
}

static double scalar(struct reader *reader, const char *name)
{
    const struct dse_series *series = need(reader, name, 1, 1);
    return series != NULL ? series->values[0] : 0.0;
}

static int64_t whole(struct reader *reader, const char *name, int64_t minimum)
{
    double value = scalar(reader, name);
    if (reader->status == DSE_OK && (value < (double)minimum || value > 1e15 || value != floor(value)))
        reader->status = dse_fail(reader->err, DSE_BAD_INPUT,
                                  "the workload's series \"%s\" is %g, but must be a whole number of %lld or more",
                                  name, value, (long long)minimum);
    return reader->status == DSE_OK ? (int64_t)value : minimum;
}

/* The 99th percentile of one column over the rows (nearest rank). */
static double tail_of_column(const struct dse_series *series, size_t column)
{
    double *values DSE_CLEANUP(dse_free_at) = dse_malloc(series->rows * sizeof *values);
    for (size_t r = 0; r < series->rows; r++)
        values[r] = series->values[r * series->columns + column];
    double tail = series->rows > 0 ? dse_percentile(values, series->rows, TAIL_PERCENT) : 0.0;
    return tail;
}

static double tail_of(struct reader *reader, const char *name)
{
    const struct dse_series *series = need(reader, name, 0, 1);
    return series != NULL ? tail_of_column(series, 0) : 0.0;
}

/* Mean of ⌈x / share⌉ over graphs when only x's mean is known. The rounding excess is taken from the sample, so
 * the sample's own deviation from the mean cancels. */
static double mean_of_shares(const struct dse_series *sample, size_t column, double mean, double share)
{
    double added = 0.0;
    for (size_t r = 0; r < sample->rows; r++) {
        double x = sample->values[r * sample->columns + column];
        added += ceil(x / share) - x / share;
    }
    return mean / share + added / (double)sample->rows;
}

/* Rounding excess of a graph's rounds over all hops at several rounds per word: from the sample, as in mean_of_shares. */
static void count_listed(const struct dse_series *nodes, int p, struct nysx_work *work)
{
    double pe = (double)((int64_t)1 << p), hops = (double)work->hops;
    for (int q = 0; q < NYSX_SCHEDULES; q++) {
        double share = (double)((int64_t)1 << q), added = 0.0;
        for (size_t r = 0; r < nodes->rows; r++) {
            double words = hops * ceil(nodes->values[r * nodes->columns] / pe) / share;
            added += ceil(words) - words;
        }
        work->listed[DSE_CASE_MEAN][p][q] = hops * work->trips[DSE_CASE_MEAN][p] / share + added / (double)nodes->rows;
        work->listed[DSE_CASE_TAIL][p][q] = ceil(hops * work->trips[DSE_CASE_TAIL][p] / share);
    }
}

/* A stream takes a column's values one after another, each for as many rounds; a code's next value comes no earlier than its loop. */
static void count_hashed(const struct dse_series *nodes, int p, struct nysx_work *work)
{
    double streams = (double)((int64_t)1 << p);
    for (int q = 0; q < NYSX_HASH_ROUNDS; q++) {
        double rounds = (double)((int64_t)1 << q), added = 0.0;
        for (size_t r = 0; r < nodes->rows; r++)
            added += fmax(NYSX_HASH_LOOP - rounds * ceil(nodes->values[r * nodes->columns] / streams), 0.0);
        work->hashed[DSE_CASE_MEAN][p][q] = rounds * work->trips[DSE_CASE_MEAN][p] + added / (double)nodes->rows;
        work->hashed[DSE_CASE_TAIL][p][q] = fmax(rounds * work->trips[DSE_CASE_TAIL][p], NYSX_HASH_LOOP);
    }
}

static void read_trips(struct reader *reader, struct nysx_work *work)
{
    const struct dse_series *nodes = need(reader, "sample.nodes", 0, 1);
    for (int p = 0; nodes != NULL && p < NYSX_SCHEDULES; p++) {
        double pe = (double)((int64_t)1 << p);
        work->trips[DSE_CASE_MEAN][p] = fmax(mean_of_shares(nodes, 0, work->nodes[DSE_CASE_MEAN], pe), 1.0); /* at least one per graph */
        work->trips[DSE_CASE_TAIL][p] = ceil(work->nodes[DSE_CASE_TAIL] / pe);
        count_listed(nodes, p, work);
        count_hashed(nodes, p, work);
    }
}

static void read_schedules_of_a(struct reader *reader, struct nysx_work *work)
{
    static const char *const means[] = {"mean.a.none", "mean.a.static"};
    static const char *const samples[] = {"sample.a.none", "sample.a.static"};
    for (int balance = 0; balance < 2; balance++) {
        const struct dse_series *mean = need(reader, means[balance], 1, NYSX_SCHEDULES);
        const struct dse_series *sample = need(reader, samples[balance], 0, NYSX_SCHEDULES);
        for (size_t p = 0; mean != NULL && sample != NULL && p < NYSX_SCHEDULES; p++) {
            work->a_schedule[DSE_CASE_MEAN][balance][p] = mean->values[p];
            work->a_schedule[DSE_CASE_TAIL][balance][p] = tail_of_column(sample, p);
        }
    }
}

/* Reads an optional series with one row per case into `out` [cases × columns], `stride` numbers per case. */
static bool read_cases(struct reader *reader, const char *name, size_t columns, double *out, size_t stride)
{
    const struct dse_series *series = NULL;
    if (dse_workload_series(reader->workload, name) != NULL)
        series = need(reader, name, DSE_CASE_COUNT, columns);
    for (size_t c = 0; series != NULL && c < DSE_CASE_COUNT; c++)
        memcpy(out + c * stride, series->values + c * columns, columns * sizeof *out);
    return series != NULL;
}

static const double rings[NYSX_RINGS] = {4.0, 5.0, 6.0, 7.0, 8.0, 12.0};

/* For a profile without the series. A group has as many rounds as are interleaved, and is as long as its longest row. The
 * schedules of more PEs provide such groups. */
static void guess_rings(struct nysx_work *work, int which, int balance)
{
    for (int p = 0; p < NYSX_SCHEDULES; p++)
        for (int r = 0; r < NYSX_RINGS; r++) {
            double at = fmin((double)p + log2(rings[r]), (double)NYSX_SCHEDULES - 1.0), part = at - floor(at);
            const double *schedule = work->a_schedule[which][balance];
            int low = (int)at, high = low < NYSX_SCHEDULES - 1 ? low + 1 : low;
            double rounds = schedule[low] * pow(schedule[high] / fmax(schedule[low], 1e-9), part);
            work->ring[which][balance][p][r] = fmax(rings[r] * rounds, schedule[p]) + 2.0;
        }
}

/* For a profile without the series, from the schedules. Rows do not wait for each other, so the slowest element exceeds the mean by one
 * round's excess. For unsorted rows the excess is a share that grows with the root of the rounds. Six interleaved rows act as six times the
 * elements. */
static void guess_alone(struct nysx_work *work, int which, int balance)
{
    for (int p = 0; p < NYSX_SCHEDULES; p++) {
        double pe = (double)((int64_t)1 << p), trips = work->nodes[which] / (6.0 * pe), mean = work->nnz_a[which] / pe;
        int low = p + 2 < NYSX_SCHEDULES ? p + 2 : NYSX_SCHEDULES - 1, high = low + 1 < NYSX_SCHEDULES ? low + 1 : low;
        const double *schedule = work->a_schedule[which][balance];
        double rows = schedule[p], threads = schedule[high] + (trips <= 1.0 ? 0.0 : (schedule[low] - schedule[high]) / 3.0);
        if (balance == 0 && rows > mean)
            rows = mean + (rows - mean) / sqrt(fmax(work->trips[which][p], 1.0));
        if (threads > mean / 6.0)
            threads = mean / 6.0 + (threads - mean / 6.0) / fmax(trips, 1.0);
        work->alone[which][balance][p][0] = rows;
        work->alone[which][balance][p][1] = 6.0 * threads - 2.0;
    }
}

/* Reads passes over A, by balance. */
static void read_passes(struct reader *reader, struct nysx_work *work)
{
    static const char *const ring[] = {"ring.none", "ring.static"}, *const alone[] = {"alone.none", "alone.static"};
    for (int balance = 0; balance < 2; balance++) {
        bool has_ring = read_cases(reader, ring[balance], NYSX_SCHEDULES * NYSX_RINGS, &work->ring[0][balance][0][0],
                                   2 * NYSX_SCHEDULES * NYSX_RINGS);
        bool has_alone = read_cases(reader, alone[balance], NYSX_SCHEDULES * NYSX_ALONE, &work->alone[0][balance][0][0],
                                    2 * NYSX_SCHEDULES * NYSX_ALONE);
        for (int c = 0; c < DSE_CASE_COUNT; c++) {
            if (!has_ring)
                guess_rings(work, c, balance);
            if (!has_alone)
                guess_alone(work, c, balance);
        }
    }
}

double nysx_ring_cycles(const struct nysx_work *work, enum dse_case which, int balanced, int64_t pe, int64_t contexts)
{
    const double *cycles = work->ring[which][balanced][nysx_schedule_index(pe)];
    double at = (double)contexts;
    int low = 0;
    while (low < NYSX_RINGS - 2 && rings[low + 1] < at)
        low++;
    return cycles[low] + (cycles[low + 1] - cycles[low]) * (at - rings[low]) / (rings[low + 1] - rings[low]);
}

double nysx_words_of_codes(const struct nysx_work *work, enum dse_case which, int64_t lanes)
{
    return work->trips[which][nysx_schedule_index(lanes)];
}

/* Mean of rounding up to multiples of `share`: adds half of the missing part; at least one share. */
double nysx_rounded_up(double x, double share, enum dse_case which)
{
    return which == DSE_CASE_MEAN ? fmax(x + (share - 1.0) / 2.0, share) : ceil(x / share) * share;
}

/* Codes found take the probes of a hit, others those of a miss. */
static void read_lookups(struct reader *reader, struct nysx_work *work)
{
    size_t hops = (size_t)work->hops;
    const struct dse_series *hits = need(reader, "hits.mean", hops, 1);
    const struct dse_series *sampled = need(reader, "sample.hits", 0, hops);
    const struct dse_series *hit_probes = need(reader, "mph.probes_hit", hops, NYSX_GAMMAS);
    const struct dse_series *miss_probes = need(reader, "mph.probes_miss", hops, NYSX_GAMMAS);
    if (hits == NULL || sampled == NULL || hit_probes == NULL || miss_probes == NULL)
        return;
    for (size_t t = 0; t < hops; t++) {
        double found[DSE_CASE_COUNT] = {hits->values[t], tail_of_column(sampled, t)};
        for (int k = 0; k <= NYSX_BANKINGS; k++) {
            double pe = (double)((int64_t)1 << k);
            work->updates[DSE_CASE_MEAN][k] += mean_of_shares(sampled, t, hits->values[t], pe);
            work->updates[DSE_CASE_TAIL][k] += ceil(found[DSE_CASE_TAIL] / pe);
        }
        for (int c = 0; c < DSE_CASE_COUNT; c++) {
            double missed = fmax(work->nodes[c] - found[c], 0.0);
            work->hits[c] += found[c];
            for (size_t g = 0; g < NYSX_GAMMAS; g++)
                work->probes[c][t][g] = found[c] * hit_probes->values[t * NYSX_GAMMAS + g] +
                                      missed * miss_probes->values[t * NYSX_GAMMAS + g];
        }
    }
}

static void read_hops(struct reader *reader, struct nysx_work *work)
{
    size_t hops = (size_t)work->hops;
    const struct dse_series *codebook = need(reader, "codebook", hops, 1);
    const struct dse_series *nnz = need(reader, "nnz_h", hops, 1);
    const struct dse_series *count = need(reader, "max_count", hops, 1);
    const struct dse_series *bits = need(reader, "mph.bits", hops, NYSX_GAMMAS);
    const struct dse_series *levels = need(reader, "mph.levels", hops, NYSX_GAMMAS);
    const struct dse_series *none = need(reader, "kse.schedule.none", hops, NYSX_SCHEDULES);
    const struct dse_series *balanced = need(reader, "kse.schedule.static", hops, NYSX_SCHEDULES);
    if (reader->status != DSE_OK)
        return;
    for (size_t t = 0; t < hops; t++) {
        work->codebook[t] = (int64_t)codebook->values[t];
        work->nnz_h[t] = (int64_t)nnz->values[t];
        work->max_count[t] = (int64_t)count->values[t];
        for (size_t g = 0; g < NYSX_GAMMAS; g++) {
            work->mph_bits[t][g] = bits->values[t * NYSX_GAMMAS + g];
            work->mph_levels[t][g] = levels->values[t * NYSX_GAMMAS + g];
        }
        for (size_t p = 0; p < NYSX_SCHEDULES; p++) {
            work->h_schedule[t][NYSX_KSE_NONE][p] = none->values[t * NYSX_SCHEDULES + p];
            work->h_schedule[t][NYSX_KSE_STATIC][p] = balanced->values[t * NYSX_SCHEDULES + p];
        }
    }
}

static void read_sizes(struct reader *reader, struct nysx_work *work)
{
    work->classes = whole(reader, "classes", 1);
    work->features = whole(reader, "features", 1);
    work->onehot = scalar(reader, "features.onehot") != 0.0;
    bool direct = dse_workload_series(reader->workload, "codebook") == NULL;
    work->landmarks = direct ? 0 : whole(reader, "landmarks", 1);
    work->rank = direct ? 0 : whole(reader, "rank", 1);
    work->nodes_capacity[NYSX_CAPACITY_P99] = whole(reader, "nodes.p99", 1);
    work->nodes_capacity[NYSX_CAPACITY_MAX] = whole(reader, "nodes.max", 1);
    work->nnz_capacity[NYSX_CAPACITY_P99] = whole(reader, "nnz_a.p99", 0);
    work->nnz_capacity[NYSX_CAPACITY_MAX] = whole(reader, "nnz_a.max", 0);
    work->nodes[DSE_CASE_MEAN] = scalar(reader, "nodes.mean");
    work->nodes[DSE_CASE_TAIL] = tail_of(reader, "sample.nodes");
    work->nnz_a[DSE_CASE_MEAN] = scalar(reader, "nnz_a.mean");
    work->nnz_a[DSE_CASE_TAIL] = tail_of(reader, "sample.nnz_a");
    const struct dse_series *codebook = direct ? NULL : need(reader, "codebook", 0, 1);
    work->hops = direct ? whole(reader, "hops", 1) : codebook != NULL ? (int64_t)codebook->rows : 1;
    work->draws = dse_workload_series(reader->workload, "draws") != NULL ? whole(reader, "draws", 1) : 1;
    if (reader->status == DSE_OK && work->hops % work->draws != 0)
        reader->status = dse_fail(reader->err, DSE_BAD_INPUT, "the workload has %lld codes per node, which are no multiple of its %lld draws",
                                  (long long)work->hops, (long long)work->draws);
    if (reader->status == DSE_OK && work->hops > NYSX_HOPS_MAX)
        reader->status = dse_fail(reader->err, DSE_BAD_INPUT, "the workload has %lld hops; at most %d are modelled",
                                  (long long)work->hops, NYSX_HOPS_MAX);
}

enum dse_status nysx_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **out, struct dse_error *err)
{
    (void)family;
    *out = NULL;
    struct nysx_work *work = dse_calloc(1, sizeof *work);
    struct reader reader = {.workload = workload, .err = err, .status = DSE_OK};
    read_sizes(&reader, work);
    if (reader.status == DSE_OK) {
        read_trips(&reader, work);
        read_schedules_of_a(&reader, work);
        read_passes(&reader, work);
        (void)read_cases(&reader, "merged", NYSX_MERGES, &work->merged[0][0], NYSX_MERGES);
    }
    if (reader.status == DSE_OK && work->landmarks > 0) {
        read_lookups(&reader, work);
        read_hops(&reader, work);
    }
    if (reader.status != DSE_OK) {
        free(work);
        return reader.status;
    }
    *out = work;
    return DSE_OK;
}

void nysx_work_release(void *work)
{
    free(work);
}

int nysx_schedule_index(int64_t pe)
{
    int index = 0;
    while (((int64_t)1 << index) < pe && index < NYSX_SCHEDULES - 1)
        index++;
    return index;
}
