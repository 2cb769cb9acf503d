/* The engines of the kernel (paper, sections 4.2 to 4.4). Cycles are those of models/hdreason/microarchitecture.md, "The micro-architecture". */
#include <math.h>

#include "models/hdreason/hdreason.h"

/* Adds cycles, operations (products with their sums, then additions alone) and on-chip bytes of one batch, over all batches, for stages
 * that the task has. */
static void work(struct hdreason_cost *a, int stage, double cycles, double products, double additions, double bits,
                 struct dse_accumulators *out)
{
    const struct hdreason_shape *s = &a->shape;
    if (stage != HDREASON_SCORE && !s->trains)
        return;
    hdreason_put(out, s, stage, cycles);
    hdreason_put_work(a, products, additions, bits, out);
    a->cycles += cycles;
}

static enum dse_status finish(struct hdreason_cost *a, struct dse_accumulators *out)
{
    return dse_build_finish(&a->build, a->cycles * a->shape.times, out);
}

/* Adders of elements, wider by some bits for integers. */
static void build_adders(struct hdreason_cost *a, double wider, double times)
{
    if (a->shape.precision == DSE_FP32)
        dse_build_operator(&a->build, DSE_OP_ADD, DSE_FP32, times);
    else
        dse_build_structure(&a->build, DSE_STRUCTURE_ADDER, (double)a->shape.bits + wider, times);
}

#define QUEUE_VECTORS 512
#define POINTER_BITS 10

/* Queues of hypervectors: memories with a write port and a read port, and two compared pointers. The kernels are
 * SystemVerilog (section 5.1), without the registers and narrow words of an HLS stream. */
static void build_queues(struct hdreason_cost *a, int64_t count)
{
    dse_build_array(&a->build, DSE_STORAGE_AUTO, QUEUE_VECTORS, a->shape.dim * a->shape.bits, 1, count, 1);
    dse_build_structure(&a->build, DSE_STRUCTURE_ADDER, POINTER_BITS, 2.0 * (double)count);
    dse_build_structure(&a->build, DSE_STRUCTURE_COMPARATOR, POINTER_BITS, (double)count);
}

/* Embeddings times H^B: `products` of a vector's d · D per cycle. Rows of the array take elements of one embedding in sequence,
 * its columns hold elements of H^B (section 4.2.2). */
enum dse_status hdreason_cost_encoder(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                         struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double products = (double)config->value[HDR_ENCODER], each = (double)(s->dim * s->embedding);
    double vectors = hdreason_encodings(s);
    if (s->stepped)
        hdreason_step_encoder(&a, config, out);
    else
        work(&a, HDREASON_MEMORISE, vectors * ceil(each / products), 2.0 * vectors * each, 0.0, vectors * (double)(s->embedding * s->bits), out);
    dse_build_operator(&a.build, DSE_OP_MAC, s->precision, products);
    /* H^B, read by all columns; double-buffered embeddings; the queue after tanh */
    dse_build_array(&a.build, DSE_STORAGE_AUTO, s->embedding * s->dim, s->bits, 1, 1, 1);
    dse_build_array(&a.build, DSE_STORAGE_AUTO, 1024, s->embedding * s->bits > 72 ? 72 : s->embedding * s->bits, 1, 2, 1);
    build_queues(&a, 1);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 3.0, 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return finish(&a, out);
}

/* One tanh table per column that completes per cycle: 1024 words, addressed by the leading bits. Overlaps with the array. */
enum dse_status hdreason_cost_tanh(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double elements = (double)s->dim * hdreason_encodings(s);
    int64_t tables = dse_ceil_div(config->value[HDR_ENCODER], s->embedding);
    if (s->stepped)
        hdreason_step_tanh(&a, config, out);
    else
        work(&a, HDREASON_MEMORISE, ceil(elements / (double)tables), elements, 0.0, elements * (double)s->bits, out);
    dse_build_array(&a.build, DSE_STORAGE_AUTO, 1024, s->bits, 1, 1, tables);
    return finish(&a, out);
}

#define FIFO_STEPS 16.0 /* steps that the dispatcher may be ahead of the memorisation IPs */
#define DISPATCH_CYCLES 1.0 /* per neighbour: of an UltraRAM's two ports, one reads for the IPs, the other writes encoded or refetched vectors */

/* Lists in arrival order: step s of a list has one request per vertex with more than s neighbours, and the list continues while one has. The steps were
 * counted; their occupancy assumes randomly drawn lists. The dispatcher is ahead by at most the FIFO. */
static struct hdreason_lists dispatch_arrival(const struct hdreason_work *w, int64_t ips, double each, double step, double steps, double fifo_steps)
{
    const double vertices = w->vertices, lists = vertices / (double)ips, scale = steps / fmax(hdreason_steps_of(w, ips)->expected * lists, 1.0);
    double left = vertices, before = 0.0, whole = 0.0, light = 0.0, heavy = 0.0;
    for (size_t i = 0; i < w->degree_count; i++) {
        double width = w->neighbours[2 * i] - before, share = left / vertices, goes_on = hdreason_goes_on(share, ips);
        double idle = goes_on * step * scale - (double)ips * share * each; /* IP cycles beyond the dispatcher's */
        whole += width * goes_on * step * scale;
        *(idle > 0.0 ? &light : &heavy) += width * fabs(idle);
        before = w->neighbours[2 * i];
        left -= w->neighbours[2 * i + 1];
    }
    double ahead = fmin(fmin(light, heavy), fifo_steps * step); /* a step takes the slower of both: the IPs' cycles, or their wait */
    return (struct hdreason_lists){{(double)w->edges, 0.0}, {lists * (whole + heavy - ahead), 0.0}};
}

/* All lists of the configuration, at `each` cycles per request, with queues of `fifo_steps` before the IPs. */
static struct hdreason_lists dispatch(const struct hdreason_shape *s, const struct dse_config *config, double each, double fifo_steps)
{
    const enum hdr_schedule schedule = (enum hdr_schedule)config->value[HDR_SCHEDULE];
    const int64_t ips = config->value[HDR_IPS];
    const double step = (double)dse_ceil_div(s->dim, config->value[HDR_LANE_WIDTH]);
    return schedule == HDR_DENSITY ? hdreason_density_lists(s->work, ips, each, step)
                                   : dispatch_arrival(s->work, ips, each, step, hdreason_steps(s->work, schedule, ips), fifo_steps);
}

struct hdreason_lists hdreason_request_lists(const struct hdreason_shape *s, const struct dse_config *config)
{
    return dispatch(s, config, 1.0, 0.0);
}

/* Remaining time of the phases after a share of all requests has been served. */
static double rest_of(const struct hdreason_lists *d, double share)
{
    double served = share * (d->requests[0] + d->requests[1]), first = fmin(served, d->requests[0]), second = served - first, rest = 0.0;
    rest += d->requests[0] > 0.0 ? d->cycles[0] * (1.0 - first / d->requests[0]) : 0.0;
    rest += d->requests[1] > 0.0 ? d->cycles[1] * (1.0 - fmin(second / d->requests[1], 1.0)) : 0.0;
    return rest;
}

/* Cycles to the encoder's next vector: the slowest of array, tanh tables and the embedding's PCIe transfer. */
static double encoding_cycles(const struct hdreason_shape *s, int64_t products)
{
    double array = ceil((double)(s->dim * s->embedding) / (double)products), tables = (double)dse_ceil_div(products, s->embedding);
    return fmax(fmax(array, (double)s->dim / tables), s->row_bytes / s->pcie_bytes_a_cycle);
}

/* One neighbour per cycle through CAM, UltraRAM and FIFOs; a neighbour evicted from the cache waits for its hypervector. A vector must be
 * encoded before dispatch. After any share of the requests, their vertices are encoded (for every request, if encodings
 * are not kept), and the remaining requests and steps follow. The result is the longest such path. */
static double dispatch_cycles(const struct hdreason_shape *s, const struct dse_config *config)
{
    const struct hdreason_work *w = s->work;
    const enum hdr_schedule schedule = (enum hdr_schedule)config->value[HDR_SCHEDULE];
    const double *appeared = w->appeared[schedule], edges = (double)w->edges;
    const double encoding = encoding_cycles(s, config->value[HDR_ENCODER]);
    const double each = DISPATCH_CYCLES + hdreason_rereads(s, config) * s->vector_cycles / fmax(edges, 1.0);
    const double step = (double)dse_ceil_div(s->dim, config->value[HDR_LANE_WIDTH]);
    struct hdreason_lists d = dispatch(s, config, each, FIFO_STEPS);
    const double rereads = hdreason_rereads(s, config) * s->vector_cycles, whole = rest_of(&d, 0.0), again = fmax(edges - appeared[HDREASON_PARTS], 1.0);
    const double seen = whole > 0.0 ? 1.0 - fmin(1.0, hdreason_steps(w, schedule, config->value[HDR_IPS]) * step / whole) : 0.0;
    double longest = whole;
    for (size_t i = 0; i <= HDREASON_PARTS; i++) {
        double share = (double)i / HDREASON_PARTS, encoded = s->once ? appeared[i] : edges * share;
        /* re-reads follow the first request, so they come late. They count as far as the IPs do not hide them */
        double later = (edges * (1.0 - share) - (appeared[HDREASON_PARTS] - appeared[i])) / again - (1.0 - share);
        longest = fmax(longest, encoding * ((double)s->relation_rows + encoded) + rest_of(&d, share) + seen * rereads * fmax(later, 0.0));
    }
    return longest;
}

/* H^r of both directions is on chip in either mode: one bitstream serves both. */
enum dse_status hdreason_cost_dispatcher(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                            struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    const int64_t vector = s->dim * s->bits, uram = config->value[HDR_CACHE];
    bool ultra = context->board->chip[DSE_URAM] > 0;
    if (uram > 0 && !ultra)
        dse_build_reject(&a.build, "cache.uram=%lld: the board %s has no UltraRAM", (long long)uram, context->board->name);
    if (!ultra && config->value[HDR_POLICY] != HDR_LFU)
        dse_build_reject(&a.build, "cache.policy: the board %s has no UltraRAM, so there is no cache", context->board->name);
    if (s->stepped) /* a part of the memorisation IPs' loop, once forward and once backward */
        hdreason_put_work(&a, 0.0, 0.0, 4.0 * (double)(s->work->edges * vector), out);
    else
        work(&a, HDREASON_MEMORISE, s->trains ? dispatch_cycles(s, config) : 0.0, 0.0, 0.0, 2.0 * (double)(s->work->edges * vector), out);
    if (uram > 0)
        dse_build_array(&a.build, DSE_STORAGE_URAM, uram * 4096, 72, uram, 1, 1);
    dse_build_array(&a.build, ultra ? DSE_STORAGE_URAM : DSE_STORAGE_BRAM, dse_ceil_div(2 * s->work->relations * vector, 72), 72, 1, 1, 1);
    build_queues(&a, 2); /* for H^v and H^r */
    /* CAM: an id is hashed to a vector place and stored there */
    dse_build_array(&a.build, DSE_STORAGE_AUTO, s->vectors >= 1.0 ? (int64_t)s->vectors : 1, 2 * dse_bits_for(s->work->entities), 1, 1, 1);
    dse_build_structure(&a.build, DSE_STRUCTURE_COMPARATOR, (double)dse_bits_for(s->work->entities), 4.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    return finish(&a, out);
}

/* `ips` vertices in parallel, each over its neighbours in sequence, at `lanes` elements per cycle. An element takes a product, a sum, and
 * with `backward` on the fly the sum of the relations. Products use LUTs (Table 5's DSPs are the encoder's): one row of adders per bit,
 * truncated to the kept half and five guard bits. */
enum dse_status hdreason_cost_memorisation(const struct dse_context *context, const struct dse_config *config,
                                              struct dse_accumulators *out, struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double ips = (double)config->value[HDR_IPS], lanes = (double)config->value[HDR_LANE_WIDTH];
    double steps = hdreason_steps(s->work, (enum hdr_schedule)config->value[HDR_SCHEDULE], config->value[HDR_IPS]);
    double cycles = steps * ceil((double)s->dim / lanes), elements = (double)(s->work->edges * s->dim), bits = (double)s->bits;
    if (s->stepped)
        hdreason_step_memorisation(&a, config, out);
    else
        work(&a, HDREASON_MEMORISE, cycles, elements, 2.0 * elements, 2.0 * elements * bits, out);
    if (s->precision == DSE_FP32) {
        dse_build_operator(&a.build, DSE_OP_MUL, DSE_FP32, ips * lanes);
    } else {
        dse_build_combinational(&a.build, DSE_STRUCTURE_ADDER, bits / 2.0 + 5.0, ips * lanes * (bits - 1.0));
        dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, 6.0 * bits, ips * lanes); /* operands, and two stages of the product */
    }
    build_adders(&a, 8.0, 2.0 * ips * lanes);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, ips, 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, ips, 1.0);
    return finish(&a, out);
}

/* Cycles of all entities through the score engines, one vector at a time. */
static double score_cycles(const struct hdreason_shape *s)
{
    return (double)(s->work->entities * s->score_steps);
}

/* Delays of logic, as in the checker of emitted designs. */
#define USABLE 0.73 /* share of a cycle */
#define ADDER_S 0.9e-9
#define CHOICE_S 0.3e-9

/* Depth of a score engine's step: query with saturation, absolute difference, tree, sum; one cycle to read and one to pass on. */
static int64_t score_depth(const struct hdreason_cost *a, const struct dse_config *config)
{
    int64_t levels = config->value[HDR_SCORE_LANES] > 1 ? dse_bits_for(config->value[HDR_SCORE_LANES]) : 0;
    double ns = (double)(6 + levels) * ADDER_S + 3.0 * CHOICE_S;
    return 2 + (int64_t)ceil(ns * a->build.clock_hz / USABLE - 1e-9);
}

/* One engine per query: M_s + H_r minus an entity's memory, `lanes` elements per cycle (Figure 6b). */
enum dse_status hdreason_cost_score(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double units = (double)(s->batch * config->value[HDR_SCORE_LANES]), cycles = score_cycles(s);
    double pairs = (double)s->batch * (double)(s->work->entities * s->kept);
    work(&a, HDREASON_SCORE, cycles, 0.0, 2.0 * pairs, pairs * (double)s->bits, out);
    hdreason_put_fill(out, s, HDREASON_SCORE, (double)score_depth(&a, config));
    hdreason_note(&a.build, s, 1, "score_steps", s->work->entities * s->score_steps, score_depth(&a, config));
    if (s->stepped)
        hdreason_step_score(&a, config, out);
    build_adders(&a, 1.0, 2.0 * units);
    if (s->precision != DSE_FP32)
        dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, 3.0 * (double)s->bits, units);
    /* M_q of subject and relation of every query, read by that query's engine */
    dse_build_array(&a.build, DSE_STORAGE_LUTRAM, s->batch * 2 * s->dim, s->bits, s->batch * config->value[HDR_SCORE_LANES], 1, 1);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return finish(&a, out);
}

/* Absolute values and signs, and the tree that sums: one add-or-subtract operation per lane. */
enum dse_status hdreason_cost_norm(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    double pairs = (double)s->batch * (double)(s->work->entities * s->kept);
    work(&a, HDREASON_SCORE, score_cycles(s), 0.0, pairs, 0.0, out);
    build_adders(&a, 2.0, (double)(s->batch * config->value[HDR_SCORE_LANES]));
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 1.0, 1.0);
    return finish(&a, out);
}

/* Chunks of T vertices through three queues: `in`, `array` and `out` are cycles of a full chunk and of the last, possibly smaller, chunk. */
struct chunks {
    double whole, in[2], array[2], out[2];
};

/* Cycles of the first n chunks. */
static double of_first(const struct chunks *c, const double each[2], double n)
{
    return n > c->whole ? c->whole * each[0] + each[1] : n * each[0];
}

/* Time of the last result: the longest path that enters the array after chunk i and leaves it after chunk j. For equal chunks the maximum
 * is at an end. */
static double chunks_end(const struct chunks *c)
{
    const double all = c->in[1] > 0.0 ? c->whole + 1.0 : c->whole, at[] = {1.0, c->whole, all};
    double longest = 0.0;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = i; j < 3; j++)
            if (at[i] >= 1.0 && at[j] >= at[i]) /* there may be no full chunk */
                longest = fmax(longest, of_first(c, c->in, at[i]) + of_first(c, c->array, at[j]) - of_first(c, c->array, at[i] - 1.0) +
                                            of_first(c, c->out, all) - of_first(c, c->out, at[j] - 1.0));
    return longest;
}

/* Gradients and δ arrive in parallel, SA2 makes `products` of a vertex's D · d per cycle, results leave. */
static struct chunks chunks_of(const struct hdreason_shape *s, const struct dse_config *config)
{
    const double chunk = (double)config->value[HDR_CHUNK], entities = (double)s->work->entities, whole = floor(entities / chunk);
    const double vertex = (double)(s->dim * s->embedding) / (double)config->value[HDR_TRAIN_PRODUCTS];
    const double in = fmax(2.0 * s->vector_cycles, (double)s->batch * HDREASON_WORD_BYTES / s->pcie_bytes_a_cycle);
    const double out = s->row_bytes / s->pcie_bytes_a_cycle, rest = entities - whole * chunk;
    return (struct chunks){whole, {chunk * in, rest * in}, {ceil(chunk * vertex), ceil(rest * vertex)}, {chunk * out, rest * out}};
}

/* SA2 by chunks; SA1 and MUL run within the same time (section 4.4), as the stated time allows only that. */
enum dse_status hdreason_cost_training(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                          struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct hdreason_shape *s = &a.shape;
    const struct chunks c = chunks_of(s, config);
    double products = (double)config->value[HDR_TRAIN_PRODUCTS], chunk = (double)config->value[HDR_CHUNK], bits = (double)s->bits;
    double cycles = c.whole * c.array[0] + c.array[1];
    if (s->stepped)
        hdreason_step_training(&a, config, out);
    else
        work(&a, HDREASON_TRAIN, cycles, 2.0 * (double)s->work->entities * (double)(s->dim * s->embedding), 0.0,
             (double)(s->work->entities * (s->dim + s->embedding)) * bits, out);
    /* besides the slowest of array, reads and PCIe, which other blocks count */
    const double slowest = fmax(fmax(cycles, of_first(&c, c.in, c.whole + 1.0)), hdreason_pcie_training(s));
    if (s->trains && !s->stepped)
        hdreason_put(out, s, HDREASON_TRAIN, cycles + fmax(chunks_end(&c) - slowest, 0.0));
    dse_build_operator(&a.build, DSE_OP_MAC, s->precision, products);
    /* per row of a chunk: rounding of a 48-bit sum, addresses, and the skew between rows and columns */
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, 48.0, 2.0 * chunk);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, 2.0 * bits, chunk + products / chunk);
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, 4.0 * bits, chunk + products / chunk);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 3.0 * chunk / 4.0, 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 3.0, 1.0);
    return finish(&a, out);
}

/* Path of all chunks; in the emitted source a block of rows is multiplied before its gradients leave. */
enum dse_status hdreason_cost_chunks(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                        struct dse_error *err)
{
    struct hdreason_cost a = hdreason_cost_start(context, config, err);
    const struct chunks c = chunks_of(&a.shape, config);
    if (a.shape.trains && !a.shape.stepped)
        hdreason_put(out, &a.shape, HDREASON_TRAIN, chunks_end(&c));
    if (a.shape.stepped)
        hdreason_step_path(&a, config, out);
    return finish(&a, out);
}
