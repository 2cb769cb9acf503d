/* A training step of the emitted source (backward=after): seven calls of the kernel, as models/hdreason/microarchitecture.md, "The emitted source", has them.
 * In a call its loops run side by side, so a stage takes the longest of them and the depths of all. */
#include <math.h>

#include "models/hdreason/layout.h"

/* A loop's iterations in each stage. */
struct loop {
    const char *name;
    double interval, depth;
    double places;                  /* in the source */
    double each;                    /* cycles per iteration that memory or PCIe sustain, if more than the interval */
    double trips[HDREASON_STAGES];  /* 0: not there */
};

/* Counts of a step's lists. */
struct lists {
    struct hdreason_layout l;
    double entities, rows, requests[HDREASON_STAGES], reads[HDREASON_STAGES], vertices[HDREASON_STAGES];
};

#define FIRST_ROW 1.0 /* starts a relation's sum */

/* Requests of both calls that sum rows: the memories of the subjects and their queries; per relation its queries and, by the exact gradient, two rows per edge. */
static double summed(const struct hdreason_shape *s, const struct dse_config *config, double *vertices)
{
    const struct hdreason_work *w = s->work;
    const double batch = fmin((double)s->batch, (double)w->queries), relations = (double)s->relation_rows;
    const double subjects = 1.0 + (batch - 1.0) * fmin((double)w->subjects / (double)w->queries, 1.0); /* subjects of queries in ascending order */
    *vertices = subjects + relations;
    return subjects + batch + relations * FIRST_ROW + batch + (config->value[HDR_GRADIENT] == HDR_EXACT ? 2.0 * (double)w->edges : 0.0);
}

static struct lists lists_of(const struct hdreason_cost *a, const struct dse_config *config)
{
    const struct hdreason_shape *s = &a->shape;
    const struct hdreason_work *w = s->work;
    struct lists out = {.l = hdreason_layout_of(a->build.context, config), .entities = (double)w->entities, .rows = (double)(w->encoded + s->relation_rows)};
    const double misses = hdreason_misses(w, (enum hdr_schedule)config->value[HDR_SCHEDULE], (enum hdr_policy)config->value[HDR_POLICY], (double)out.l.cache);
    out.requests[HDREASON_MEMORISE] = out.requests[HDREASON_BIND] = (double)w->edges;
    out.reads[HDREASON_MEMORISE] = out.reads[HDREASON_BIND] = misses; /* the reversed graph is taken to miss as often */
    out.vertices[HDREASON_MEMORISE] = (double)w->subjects;
    out.vertices[HDREASON_BIND] = (double)w->encoded;
    out.vertices[HDREASON_SIGNS] = (double)(w->entities + s->batch);
    out.requests[HDREASON_SUMS] = out.reads[HDREASON_SUMS] = summed(s, config, &out.vertices[HDREASON_SUMS]);
    out.requests[HDREASON_TRAIN] = 2.0 * out.rows;
    out.reads[HDREASON_TRAIN] = 2.0 * (double)w->encoded + (double)s->relation_rows;
    return out;
}

/* Calls per step in which the stage's loops are entered. */
static double entries_of(int stage)
{
    return stage == HDREASON_SUMS ? 2.0 : 1.0;
}

/* `longest`: of the block's loops so far, per stage. */
static void put(struct hdreason_cost *a, const struct loop *loop, double longest[HDREASON_STAGES], struct dse_accumulators *out)
{
    double entries = 0.0, trips = 0.0;
    for (int stage = 0; stage < HDREASON_STAGES; stage++) {
        if (loop->trips[stage] <= 0.0)
            continue;
        const double busy = loop->trips[stage] * fmax(loop->interval, loop->each);
        hdreason_put_more(out, &a->shape, stage, busy, entries_of(stage) * (loop->depth - loop->interval));
        longest[stage] = fmax(longest[stage], busy);
        entries += entries_of(stage);
        trips += loop->trips[stage];
    }
    if (loop->name != NULL)
        hdreason_note_trips(&a->build, &a->shape, loop->name, loop->places, entries, trips, loop->interval, loop->depth);
}

static void put_all(struct hdreason_cost *a, const struct loop *loops, size_t count, struct dse_accumulators *out)
{
    double longest[HDREASON_STAGES] = {0.0};
    for (size_t i = 0; i < count; i++)
        put(a, &loops[i], longest, out);
    for (int stage = 0; stage < HDREASON_STAGES; stage++)
        a->cycles += longest[stage];
}

#define PUT(a, loops, out) put_all(a, loops, sizeof(loops) / sizeof *(loops), out)

/* Copies a factor's product with a list's counts into a loop. */
static struct loop with(struct loop loop, const double counts[HDREASON_STAGES], double factor)
{
    for (int stage = 0; stage < HDREASON_STAGES; stage++)
        loop.trips[stage] += counts[stage] * factor;
    return loop;
}

/* Depths are those that the checker of emitted designs finds. Sums of many terms take more cycles at a higher clock: `registers`, and the terms' delay. */
static double depth_of(const struct hdreason_cost *a, double registers, double ns)
{
    return registers + ceil(ns * 1e-9 * a->build.clock_hz - 1e-9);
}

void hdreason_step_pcie(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const struct hdreason_layout *l = &of.l;
    const double read = (double)hdreason_read_depth(&a->build), word = (double)HDREASON_HOST_BITS / 8.0 / a->shape.pcie_bytes_a_cycle;
    const struct loop loops[] = {
        {"pcie_rows", 1.0, read, 1.0, word, {[HDREASON_ENCODE] = of.rows * (double)l->row_words}},
        with((struct loop){"pcie_requests", 1.0, read, 4.0, 0.0, {0}}, of.requests, 1.0),
        with((struct loop){"pcie_vertices", 1.0, read, 4.0, 0.0, {0}}, of.vertices, 1.0),
        {"pcie_weights", 1.0, read, 1.0, word, {[HDREASON_SIGNS] = of.entities * (double)l->weight_words}}};
    PUT(a, loops, out);
}

void hdreason_step_pcie_out(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const double words = of.rows * (double)(of.l.train_sweeps * of.l.column_words);
    const struct loop loops[] = {{"pcie_gradients", 1.0, 2.0, 1.0, (double)HDREASON_HOST_BITS / 8.0 / a->shape.pcie_bytes_a_cycle, {[HDREASON_TRAIN] = words}}};
    PUT(a, loops, out);
}

void hdreason_step_hypervectors(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const struct hdreason_layout *l = &of.l;
    const struct hdreason_shape *s = &a->shape;
    const double read = (double)hdreason_read_depth(&a->build), beats = (double)l->vector_beats, each = s->vector_cycles / beats;
    const struct loop loops[] = {
        {"hypervectors_encoded", 1.0, 9.0, 1.0, each, {[HDREASON_ENCODE] = of.rows * beats}},
        with((struct loop){"hypervectors_wanted", 1.0, read + 2.0, 4.0, each, {0}}, of.reads, beats),
        {NULL, 1.0, read, 1.0, s->kept_cycles / (double)l->beats, {[HDREASON_SIGNS] = of.entities * (double)l->beats}}, /* noted with the pass */
        {NULL, 1.0, 3.0, 1.0, 0.0, {[HDREASON_SIGNS] = of.entities * (double)l->trips}},
        {NULL, 1.0, 1.0, 1.0, 0.0, {[HDREASON_SIGNS] = of.vertices[HDREASON_SIGNS] * (double)l->steps}}}; /* gradients_bundles, with more lanes in the IPs */
    const double vectors[HDREASON_STAGES] = {[HDREASON_ENCODE] = of.rows, [HDREASON_SIGNS] = of.entities};
    PUT(a, loops, out);
    for (int stage = 0; stage < HDREASON_STAGES; stage++)
        hdreason_put_bytes(out, s, stage, (vectors[stage] + of.reads[stage] + of.vertices[stage]) * (double)(s->dim * s->bits) / 8.0);
}

#define LUT_WORDS 32 /* words of two bits in one LUT of a memory */
#define WEIGHT_BITS 16.0
#define SUM_BITS 32.0   /* width of a weight's sum; a row's sum has twice as many bits */
#define HELD_WORDS 2.0 /* words of 32 bits per element, besides its sum: a row and its factor, or a gradient and H */

static void build_held(struct hdreason_cost *a, const struct hdreason_layout *l, double bits)
{
    dse_build_operator(&a->build, DSE_OP_MAC, a->shape.precision, 2.0 * (double)l->ip_lanes);
    dse_build_structure(&a->build, DSE_STRUCTURE_REGISTER, bits * (double)a->shape.dim, 1.0);
}

void hdreason_step_gradients(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const struct hdreason_layout *l = &of.l;
    const double elements = of.requests[HDREASON_SUMS] * (double)a->shape.dim;
    const struct loop loops[] = {
        {NULL, 1.0, 3.0, 1.0, 0.0, {[HDREASON_SIGNS] = of.vertices[HDREASON_SIGNS] * (double)l->ip_steps}}, /* with fewer lanes in the IPs than in the engines */
        {"gradients_sums", 1.0, 17.0, 1.0, 0.0, {[HDREASON_SUMS] = of.requests[HDREASON_SUMS] * (double)l->ip_steps}}};
    PUT(a, loops, out);
    hdreason_note_trips(&a->build, &a->shape, "gradients_bundles", 1.0, 1.0, of.vertices[HDREASON_SIGNS] * (double)l->bundle_trips, 1.0, 3.0);
    hdreason_put_work(a, 2.0 * elements, 0.0, elements * (double)a->shape.bits, out);
    build_held(a, l, (HELD_WORDS + 2.0) * SUM_BITS); /* an element times a number of 32 bits takes two products */
    dse_build_combinational(&a->build, DSE_STRUCTURE_ADDER, 2.0 * SUM_BITS, (double)l->ip_lanes);
}

void hdreason_step_encoder(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const double products = of.rows * (double)(a->shape.dim * a->shape.embedding);
    const struct loop loops[] = {{"encoder_steps", 1.0, depth_of(a, 8.0, 25.0), 1.0, 0.0, {[HDREASON_ENCODE] = (of.rows + 1.0) * (double)of.l.row_trips}}};
    PUT(a, loops, out);
    hdreason_put_work(a, 2.0 * products, 0.0, of.rows * (double)(a->shape.embedding * a->shape.bits), out);
}

void hdreason_step_tanh(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const double elements = of.rows * (double)a->shape.dim;
    const struct loop loops[] = {{"tanh_steps", 1.0, 4.0, 1.0, 0.0, {[HDREASON_ENCODE] = of.rows * (double)(of.l.groups * of.l.table_trips)}}};
    PUT(a, loops, out);
    hdreason_put_work(a, elements, 0.0, elements * (double)a->shape.bits, out);
}

/* Iterations of lists: of their requests, of the chunks of their finished vertices, and of both if no list overlaps with another. */
struct phase {
    double requests, leaving, alone;
};

/* Time if ring - 1 of a phase's lists overlap: `hidden` if all do, `alone` if none does. An IP keeps the sums of `ring` vertices. */
static double overlap(double hidden, double alone, const struct hdreason_layout *l)
{
    return hidden + fmax(alone - hidden, 0.0) / (double)(l->ring - 1);
}

/* Full lists, then the others. Vertices of full lists that wait in the IPs leave during the others' requests. */
static double density_trips(const struct hdreason_work *w, const struct hdreason_lists *lists, const struct hdreason_layout *l, double vertices)
{
    const struct hdreason_steps *steps = hdreason_steps_of(w, l->ips);
    const double chunks = (double)l->ip_steps;
    struct phase of[2] = {{lists->cycles[0], 0.0, 0.0}, {lists->cycles[1], 0.0, 0.0}};
    for (size_t i = 0; i < steps->list_count; i++) {
        const struct hdreason_list *list = &steps->list[i];
        const double leaving = list->vertices * chunks * vertices / w->vertices;
        of[list->mixed].leaving += list->lists * leaving;
        of[list->mixed].alone += list->lists * fmax(fmax(list->requests, list->steps * chunks), leaving);
    }
    const double wait = fmin(fmax(of[0].leaving - of[0].requests, 0.0), (double)((l->ring - 1) * l->ips) * chunks);
    return overlap(fmax(of[0].requests, of[0].leaving), of[0].alone, l) - wait + overlap(fmax(of[1].requests, wait + of[1].leaving), of[1].alone, l) + chunks;
}

/* The vertex with most neighbours is in the middle of its list, on average: half of the list leaves after it. The next list waits in its first vertex that
 * ends, if sums of the list before are in that IP. Half of the last list leaves after all requests. */
static double arrival_trips(const struct hdreason_work *w, double requests, const struct hdreason_layout *l, double vertices)
{
    const double ips = (double)l->ips, chunks = (double)l->ip_steps, lists = ceil(vertices / ips), leaving = vertices * chunks;
    const double first = w->neighbours[0] * fmax(ips, chunks), apart = (double)(l->ring - 1);
    const double wait = fmax(fmin(requests, leaving) / 2.0 - lists * first, 0.0) / (apart * apart);
    return fmax(requests, leaving) + wait + fmax(chunks, (vertices - (lists - 1.0) * ips) * chunks / 2.0);
}

/* Iterations of the memorisation IPs: an IP adds a chunk per iteration, one request is dispatched per iteration, and one chunk of a finished vertex leaves. */
static double ip_trips(const struct hdreason_cost *a, const struct dse_config *config, const struct hdreason_layout *l, double vertices)
{
    const struct hdreason_work *w = a->shape.work;
    const struct hdreason_lists lists = hdreason_request_lists(&a->shape, config);
    const double trips = config->value[HDR_SCHEDULE] == HDR_DENSITY ? density_trips(w, &lists, l, vertices) : arrival_trips(w, lists.cycles[0] + lists.cycles[1], l, vertices);
    return trips + (double)l->ip_steps + 3.0;
}

void hdreason_step_memorisation(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const struct hdreason_layout *l = &of.l;
    const struct hdreason_shape *s = &a->shape;
    const double interval = (double)hdreason_trip_interval(l->ips, a->build.clock_hz), elements = 2.0 * (double)(s->work->edges * s->dim);
    const struct loop loops[] = {
        {"memorisation_trips", interval, 8.0, 2.0, 0.0,
         {[HDREASON_MEMORISE] = ip_trips(a, config, l, of.vertices[HDREASON_MEMORISE]), [HDREASON_BIND] = ip_trips(a, config, l, of.vertices[HDREASON_BIND])}},
        with((struct loop){"memorisation_shares", 1.0, 15.0, 4.0, s->vector_cycles / (double)l->store_trips, {0}}, of.vertices, (double)l->store_trips)};
    PUT(a, loops, out);
    hdreason_put_work(a, elements, 2.0 * elements, 2.0 * elements * (double)s->bits, out);
}

/* Per query and lane: the saturated sum, its comparison, the weight or its negative, and the adders of both sums. */
static void build_signs(struct hdreason_cost *a, const struct hdreason_layout *l)
{
    const double lanes = (double)(l->batch * l->lanes), bits = (double)a->shape.bits;
    dse_build_combinational(&a->build, DSE_STRUCTURE_ADDER, bits + 1.0, lanes);
    dse_build_combinational(&a->build, DSE_STRUCTURE_MULTIPLEXER, bits, lanes);
    dse_build_combinational(&a->build, DSE_STRUCTURE_COMPARATOR, bits, lanes);
    dse_build_combinational(&a->build, DSE_STRUCTURE_ADDER, WEIGHT_BITS, lanes);
    dse_build_structure(&a->build, DSE_STRUCTURE_ADDER, SUM_BITS, 2.0 * lanes);
    if (hdreason_keeps_sums(l))
        dse_build_array(&a->build, DSE_STORAGE_LUTRAM, l->batch * l->lanes * LUT_WORDS * dse_ceil_div(l->steps, LUT_WORDS), (int64_t)SUM_BITS, l->batch * l->lanes, 1, 1);
    else
        dse_build_structure(&a->build, DSE_STRUCTURE_REGISTER, SUM_BITS * (double)(l->steps - 1), lanes); /* the last is the adder's */
    dse_build_structure(&a->build, DSE_STRUCTURE_REGISTER, 3.0 * bits, lanes); /* between the stages: subject, relation, memory */
}

void hdreason_step_score(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const double pairs = of.entities * (double)(a->shape.batch * a->shape.dim);
    const struct loop loops[] = {{"score_signs", 1.0, depth_of(a, 2.0, 12.0), 1.0, 0.0, {[HDREASON_SIGNS] = of.vertices[HDREASON_SIGNS] * (double)of.l.steps}}};
    PUT(a, loops, out);
    hdreason_put_work(a, 0.0, 4.0 * pairs, pairs * (double)a->shape.bits, out); /* sum, comparison, and the weight in both sums */
    build_signs(a, &of.l);
}

void hdreason_step_training(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const struct hdreason_layout *l = &of.l;
    const struct hdreason_shape *s = &a->shape;
    const double blocks = ceil(of.rows / (double)l->chunk) + 1.0, elements = of.rows * (double)s->dim;
    const struct loop loops[] = {
        {"training_through", 1.0, 37.0, 1.0, 0.0, {[HDREASON_TRAIN] = of.rows * (double)(l->ip_steps + 1)}},
        {"training_steps", 1.0, 16.0, 1.0, 0.0, {[HDREASON_TRAIN] = blocks * (double)l->train_trips + (double)l->chunk}}};
    PUT(a, loops, out);
    /* 1 − H² and its product with the gradient; then the products with H^B transposed */
    hdreason_put_work(a, 2.0 * elements * (double)(s->embedding + 1), elements, of.rows * (double)((s->dim + s->embedding) * s->bits), out);
    build_held(a, l, HELD_WORDS * SUM_BITS);
    dse_build_array(&a->build, DSE_STORAGE_AUTO, l->train_sweeps * s->dim, l->columns * s->bits, 1, 1, 1); /* H^B transposed */
    dse_build_array(&a->build, DSE_STORAGE_AUTO, 2 * l->ip_steps, l->ip_lanes * s->bits, 1, l->chunk, 1); /* two blocks of rows */
}

void hdreason_step_path(struct hdreason_cost *a, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct lists of = lists_of(a, config);
    const struct hdreason_layout *l = &of.l;
    const double words = of.rows * (double)(l->train_sweeps * l->column_words), word = fmax(1.0, (double)HDREASON_HOST_BITS / 8.0 / a->shape.pcie_bytes_a_cycle);
    hdreason_put_more(out, &a->shape, HDREASON_TRAIN, (double)(l->train_sweeps * l->sweep_trips) + words * word, 0.0);
}
