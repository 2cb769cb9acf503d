/* The workload's series and the configuration's sizes as the blocks read them. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/hdreason/hdreason.h"

#define COUNT_MOST 4000000000
#define URAM_BITS (4096.0 * 72.0)
#define PCIE_BYTES_PER_S 12e9 /* sustained by DMA, of the 15.75 GB/s of sixteen lanes of generation 3 */
#define TRIPLE_BYTES 12       /* three ids of 32 bits */

#define SERIES(member, least) {#member, least, COUNT_MOST, offsetof(struct hdreason_work, member)}
static const struct dse_series_whole series[] = {
    SERIES(entities, 2), SERIES(relations, 1), SERIES(triples, 1), SERIES(edges, 1), SERIES(encoded, 1), SERIES(subjects, 1),
    SERIES(queries, 1),
};

/* Reads a series of counts with that many rows and columns (0: any number). */
static enum dse_status take(const struct hdreason_work *w, const char *name, size_t rows, size_t columns, const double **out, size_t *count,
                            struct dse_error *err)
{
    const struct dse_series *s;
    DSE_TRY(dse_workload_need(&w->own, name, rows, columns, &s, err));
    for (size_t i = 0; i < s->rows * s->columns; i++)
        if (!(s->values[i] >= 0.0 && s->values[i] <= COUNT_MOST))
            return dse_fail(err, DSE_BAD_INPUT, "the workload's series \"%s\" has %g, which is not a count", name, s->values[i]);
    *out = s->values;
    *count = rows == 0 ? s->rows : s->columns;
    return DSE_OK;
}

static enum dse_status read_tables(struct hdreason_work *w, struct dse_error *err)
{
    size_t ignored;
    DSE_TRY(take(w, "neighbours", 0, 2, &w->neighbours, &w->degree_count, err));
    DSE_TRY(take(w, "cache_vectors", 1, 0, &w->capacity, &w->capacity_count, err));
    DSE_TRY(take(w, "arrival_steps", 1, HDREASON_POWERS, &w->arrival_steps, &ignored, err));
    DSE_TRY(take(w, "appeared_arrival", 1, HDREASON_PARTS + 1, &w->appeared[HDR_ARRIVAL], &ignored, err));
    DSE_TRY(take(w, "appeared_density", 1, HDREASON_PARTS + 1, &w->appeared[HDR_DENSITY], &ignored, err));
    DSE_TRY(take(w, "misses_arrival", w->capacity_count, 3, &w->misses[HDR_ARRIVAL], &ignored, err));
    DSE_TRY(take(w, "misses_density", w->capacity_count, 3, &w->misses[HDR_DENSITY], &ignored, err));
    for (size_t i = 0; i < w->degree_count; i++) {
        const double *row = w->neighbours + 2 * i;
        if (row[0] != floor(row[0]) || row[1] != floor(row[1]) || row[0] < 1.0 || (i > 0 && row[0] <= row[-2]))
            return dse_fail(err, DSE_BAD_INPUT, "the workload's series \"neighbours\" must have whole numbers, and ascend from 1 or more");
        w->vertices += row[1];
    }
    for (size_t c = 0; c < w->capacity_count; c++)
        if (!(c > 0 ? w->capacity[c] > w->capacity[c - 1] : w->capacity[c] >= 1.0))
            return dse_fail(err, DSE_BAD_INPUT, "the workload's series \"cache_vectors\" must ascend from 1 or more");
    return w->capacity_count > 1 ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "the workload's series \"cache_vectors\" must have two or more");
}

/* Linear interpolation in both logarithms. */
static double between(double x, double x0, double x1, double y0, double y1)
{
    return exp(log(y0) + (log(y1) - log(y0)) * (log(x) - log(x0)) / (log(x1) - log(x0)));
}

/* Adds the steps of a list of `active` vertices, given as rows of neighbours and vertices, in ascending order. */
static void add_list(struct hdreason_steps *steps, double (*rows)[2], size_t count, size_t active)
{
    struct hdreason_list list = {.lists = 1.0, .vertices = (double)active, .mixed = true};
    for (size_t i = 0; i < count; i++) {
        steps->tail[active].steps += rows[i][0] - list.steps;
        list.steps = rows[i][0];
        list.requests += rows[i][0] * rows[i][1];
        active -= (size_t)rows[i][1];
    }
    steps->list[steps->list_count++] = list;
}

static void count_lists(const struct hdreason_work *w, size_t ips, struct hdreason_steps *steps)
{
    struct hdreason_tail *tail = steps->tail;
    double list[HDR_IPS_MAX][2], most = (double)ips, waiting = 0.0;
    size_t rows = 0;
    for (size_t k = 0; k < w->degree_count; k++) {
        double neighbours = w->neighbours[2 * k], full = floor(w->neighbours[2 * k + 1] / most), rest = w->neighbours[2 * k + 1] - full * most;
        steps->full += neighbours * full;
        steps->list[steps->list_count++] = (struct hdreason_list){full, neighbours, neighbours * most, most, false};
        while (rest > 0.0) {
            double taken = fmin(rest, most - waiting);
            list[rows][0] = neighbours;
            list[rows++][1] = taken;
            waiting += taken;
            rest -= taken;
            if (waiting < most)
                continue;
            add_list(steps, list, rows, ips);
            rows = 0;
            waiting = 0.0;
        }
    }
    add_list(steps, list, rows, (size_t)waiting);
    for (size_t active = 1; active <= ips; active++) {
        tail[active].requests = tail[active - 1].requests + tail[active].steps * (double)active;
        tail[active].steps += tail[active - 1].steps;
    }
}

static void expect_steps(const struct hdreason_work *w, int64_t ips, struct hdreason_steps *steps)
{
    double left = w->vertices, before = 0.0;
    for (size_t i = 0; i < w->degree_count; i++) {
        steps->expected += (w->neighbours[2 * i] - before) * hdreason_goes_on(left / w->vertices, ips);
        before = w->neighbours[2 * i];
        left -= w->neighbours[2 * i + 1];
    }
}

const struct hdreason_steps *hdreason_steps_of(const struct hdreason_work *w, int64_t ips)
{
    struct hdreason_steps *before = atomic_load(&w->steps[ips]), *steps;
    if (before != NULL)
        return before;
    const size_t lists = 2 * w->degree_count + 1, own = sizeof *steps + ((size_t)ips + 1) * sizeof *steps->tail; /* per number of neighbours, full lists and at most one other */
    steps = dse_calloc(1, own + lists * sizeof *steps->list);
    steps->list = (struct hdreason_list *)((char *)steps + own);
    count_lists(w, (size_t)ips, steps);
    expect_steps(w, ips, steps);
    if (atomic_compare_exchange_strong(&w->steps[ips], &before, steps))
        return steps;
    free(steps); /* another thread counted the same */
    return before;
}

enum dse_status hdreason_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **out, struct dse_error *err)
{
    (void)family;
    DSE_TRY(dse_workload_take(workload, series, sizeof series / sizeof *series, sizeof(struct hdreason_work), out, err));
    struct hdreason_work *work = *out;
    enum dse_status status = dse_workload_put_all(&work->own, workload, err);
    if (status == DSE_OK)
        status = read_tables(work, err);
    if (status == DSE_OK)
        work->steps = dse_calloc(HDR_IPS_MAX + 1, sizeof *work->steps);
    if (status != DSE_OK) {
        hdreason_work_release(work);
        *out = NULL;
    }
    return status;
}

void hdreason_work_release(void *work)
{
    struct hdreason_work *w = work;
    if (w != NULL) {
        for (size_t ips = 0; w->steps != NULL && ips <= HDR_IPS_MAX; ips++)
            free(w->steps[ips]);
        free(w->steps);
        dse_workload_clear(&w->own);
    }
    free(w);
}

/* A step with more than `few` vertices takes its requests' cycles, otherwise the IPs' cycles. */
struct hdreason_lists hdreason_density_lists(const struct hdreason_work *w, int64_t ips, double each, double step)
{
    const struct hdreason_steps *steps = hdreason_steps_of(w, ips);
    const struct hdreason_tail *tail = steps->tail, *all = tail + ips;
    const struct hdreason_tail *few = each * (double)ips > step ? tail + (size_t)(step / each) : all;
    const double most = (double)ips, full = steps->full;
    return (struct hdreason_lists){.requests = {full * most, all->requests},
                                   .cycles = {full * fmax(most * each, step), few->steps * step + (all->requests - few->requests) * each}};
}

double hdreason_steps(const struct hdreason_work *w, enum hdr_schedule schedule, int64_t ips)
{
    if (schedule == HDR_DENSITY) {
        struct hdreason_lists lists = hdreason_density_lists(w, ips, 0.0, 1.0); /* one cycle per step */
        return lists.cycles[0] + lists.cycles[1];
    }
    size_t power = 0;
    while (power + 2 < HDREASON_POWERS && (int64_t)2 << power <= ips)
        power++;
    return between((double)ips, ldexp(1.0, (int)power), ldexp(1.0, (int)power + 1), w->arrival_steps[power], w->arrival_steps[power + 1]);
}

double hdreason_misses(const struct hdreason_work *w, enum hdr_schedule schedule, enum hdr_policy policy, double vectors)
{
    const double *misses = w->misses[schedule];
    size_t c = 0;
    if (vectors < 1.0)
        return (double)w->edges;
    if (vectors >= w->capacity[w->capacity_count - 1])
        return misses[3 * (w->capacity_count - 1) + policy];
    if (vectors <= w->capacity[0])
        return vectors < w->capacity[0] ? between(vectors, 1.0, w->capacity[0] + 1e-9, (double)w->edges, misses[policy]) : misses[policy];
    while (w->capacity[c + 1] < vectors)
        c++;
    return between(vectors, w->capacity[c], w->capacity[c + 1], misses[3 * c + policy], misses[3 * (c + 1) + policy]);
}

static double cache_vectors(const struct dse_config *config, int64_t dim, int64_t bits)
{
    return floor((double)config->value[HDR_CACHE] * URAM_BITS / (double)(dim * bits));
}

double hdreason_quantity(const char *name, const struct dse_config *config, const void *work)
{
    const struct hdreason_work *w = work;
    const int64_t *v = config->value;
    const int64_t bits = hdr_element_bits((enum hdr_precision)v[HDR_PRECISION]);
    const double vectors = cache_vectors(config, v[HDR_DIM], bits);
    const enum hdr_schedule schedule = (enum hdr_schedule)v[HDR_SCHEDULE];
    const struct {
        const char *name;
        double value;
    } counts[] = {
        /* H, M and both gradients of every entity, and the triples: Table 6's figure */
        {"memory_bytes", 4.0 * (double)(w->entities * v[HDR_DIM] * bits) / 8.0 + TRIPLE_BYTES * (double)w->triples},
        {"steps", hdreason_steps(w, schedule, v[HDR_IPS])},
        {"misses", hdreason_misses(w, schedule, (enum hdr_policy)v[HDR_POLICY], vectors)},
        {"cache_vectors", vectors},
        {"edges", (double)w->edges},
        {"entities", (double)w->entities},
        {"norm_units", (double)(v[HDR_BATCH] * v[HDR_DIM])},
        {"norm_lanes", (double)(v[HDR_BATCH] * v[HDR_SCORE_LANES])},
        {"train_share", (double)(v[HDR_DIM] * v[HDR_EMBEDDING]) / (double)v[HDR_TRAIN_PRODUCTS] * (double)w->entities},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(counts[i].name, name) == 0)
            return counts[i].value;
    return NAN;
}

static const enum dse_precision precisions[] = {[HDR_FP32] = DSE_FP32, [HDR_FIX16] = DSE_INT16, [HDR_FIX8] = DSE_INT8, [HDR_FIX4] = DSE_INT4};

int64_t hdreason_ports(const struct dse_context *context, const struct dse_config *config)
{
    int64_t there = (int64_t)context->board->memories[0].channels, asked = config->value[HDR_CHANNELS], channels = asked < there ? asked : there;
    return channels > 1 ? channels / 2 : 1;
}

struct hdreason_shape hdreason_shape_of(const struct dse_context *context, const struct dse_config *config)
{
    const struct hdreason_work *w = context->work;
    const int64_t *v = config->value;
    const double clock_hz = (double)v[HDR_CLOCK_MHZ] * 1e6;
    struct hdreason_shape s = {.work = w, .dim = v[HDR_DIM], .embedding = v[HDR_EMBEDDING], .batch = v[HDR_BATCH],
                               .bits = hdr_element_bits((enum hdr_precision)v[HDR_PRECISION]), .precision = precisions[v[HDR_PRECISION]],
                               .relation_rows = w->relations * (v[HDR_DIRECTION] == HDR_DOUBLE ? 2 : 1), .times = 1.0,
                               .trains = v[HDR_TASK] != HDR_INFER, .stepped = v[HDR_TASK] != HDR_INFER && v[HDR_BACKWARD] == HDR_AFTER,
                               .once = v[HDR_REUSE] == HDR_ENCODE_ONCE, .pcie_bytes_a_cycle = PCIE_BYTES_PER_S / clock_hz};
    s.row_bytes = (double)(s.embedding * s.bits) / 8.0;
    s.kept = v[HDR_KEPT_DIMS] > 0 && v[HDR_KEPT_DIMS] < s.dim ? v[HDR_KEPT_DIMS] : s.dim;
    s.vectors = cache_vectors(config, s.dim, s.bits);
    s.score_trips = s.score_steps = dse_ceil_div(s.kept, v[HDR_SCORE_LANES]);
    s.answer_words = dse_ceil_div(s.batch * hdreason_distance_bits(s.kept, s.bits), HDREASON_HOST_BITS);
    if (v[HDR_TASK] == HDR_FIT)
        s.times = ceil((double)w->queries / (double)s.batch) * (double)v[HDR_EPOCHS] / (double)hdreason_parts(NULL, config);
    if (context->board->memory_count == 0)
        return s;
    const struct dse_memory *memory = &context->board->memories[0];
    double there = (double)memory->channels, channels = (double)v[HDR_CHANNELS] < there ? (double)v[HDR_CHANNELS] : there;
    double bits = 8.0 * dse_memory_sustained_bytes_per_s(memory) / there / clock_hz * channels / 2.0;
    const int64_t beat = hdreason_ports(context, config) * v[HDR_AXI];
    s.score_beats = dse_ceil_div(s.kept * s.bits, beat);
    s.vector_cycles = fmax((double)dse_ceil_div(s.dim * s.bits, beat), (double)(s.dim * s.bits) / bits);
    s.kept_cycles = fmax((double)s.score_beats, (double)(s.kept * s.bits) / bits);
    s.score_trips = s.score_steps > s.score_beats ? s.score_steps : s.score_beats;
    return s;
}

int64_t hdreason_read_depth(const struct dse_build *build)
{
    return 2 + (int64_t)ceil(build->context->board->memories[0].read_latency_s * build->clock_hz - 1e-9);
}

void hdreason_note_trips(const struct dse_build *build, const struct hdreason_shape *s, const char *name, double places, double entries, double trips, double interval, double depth)
{
    const double calls = entries * s->times / places;
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        dse_loops_note(build->context->loops, (enum dse_case)c, name, entries * s->times, trips * s->times, interval, depth);
    dse_loops_spread(build->context->loops, name, calls == 1.0 ? 0.0 : calls);
}

void hdreason_note(const struct dse_build *build, const struct hdreason_shape *s, int passes, const char *name, int64_t iterations, int64_t depth)
{
    hdreason_note_trips(build, s, name, passes, passes, (double)(passes * iterations), 1.0, (double)depth);
}

struct hdreason_cost hdreason_cost_start(const struct dse_context *context, const struct dse_config *config, struct dse_error *err)
{
    struct hdreason_cost a = {.shape = hdreason_shape_of(context, config),
                                 .build = dse_build_start(context, config->value[HDR_CLOCK_MHZ], err)};
    if (context->board->memory_count == 0)
        dse_build_reject(&a.build, "the board %s has no memory", context->board->name);
    if (a.shape.times == 0.0)
        dse_build_reject(&a.build, "epochs=0: task=fit needs at least one epoch");
    return a;
}

double hdreason_encodings(const struct hdreason_shape *s)
{
    return (double)((s->once ? s->work->encoded : s->work->edges) + s->relation_rows);
}

double hdreason_rereads(const struct hdreason_shape *s, const struct dse_config *config)
{
    if (!s->once)
        return 0.0;
    double misses = hdreason_misses(s->work, (enum hdr_schedule)config->value[HDR_SCHEDULE], (enum hdr_policy)config->value[HDR_POLICY],
                                    s->vectors);
    return fmax(misses - (double)s->work->encoded, 0.0);
}

/* Cycles of the task or of a part of it, at least one. */
static int64_t in_part(const struct hdreason_shape *s, double cycles)
{
    return cycles > 0.0 ? dse_count(fmax(round(cycles * s->times), s->times < 1.0 ? 1.0 : 0.0)) : 0;
}

void hdreason_put(struct dse_accumulators *out, const struct hdreason_shape *s, int stage, double cycles)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->busy_cycles[c][stage] = in_part(s, cycles);
}

void hdreason_put_fill(struct dse_accumulators *out, const struct hdreason_shape *s, int stage, double cycles)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->fill_cycles[c][stage] = in_part(s, cycles);
}

void hdreason_put_more(struct dse_accumulators *out, const struct hdreason_shape *s, int stage, double cycles, double fill)
{
    const int64_t busy = in_part(s, cycles);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][stage] = busy > out->busy_cycles[c][stage] ? busy : out->busy_cycles[c][stage];
        out->fill_cycles[c][stage] += in_part(s, fill);
    }
}

void hdreason_put_bytes(struct dse_accumulators *out, const struct hdreason_shape *s, int stage, double bytes)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->bytes[c][stage][0] += dse_count(round(bytes * s->times));
}

void hdreason_put_work(const struct hdreason_cost *a, double products, double additions, double bits, struct dse_accumulators *out)
{
    const struct hdreason_shape *s = &a->shape;
    out->operations[s->precision] += dse_count((products + additions) * s->times);
    out->additions[s->precision] += dse_count(additions * s->times);
    out->on_chip_bytes += dse_count(bits / 8.0 * s->times);
}
