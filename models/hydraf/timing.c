/* Initiation intervals and depths of the loops of models/hydraf/hls/, from the operators of an iteration. */
#include <math.h>

#include "models/hydraf/layout.h"

#define QUEUE_LEAST 16 /* rows: one burst of the port */

/* Share of a cycle that logic may use (the rest is the tool's uncertainty), and delays of logic, as in the checker of emitted designs. */
#define USABLE 0.73
#define ADDER_S 0.9e-9
#define WIDE_ADDER_S 1.3e-9 /* more than 32 bits */
#define PACKED 0.62  /* usable share of a cycle for many unlike steps, which do not fill it */
#define ROUND_S 6.2e-9 /* a sum, its rounding and shift, the element, the comparison with its range */
#define OR_S 0.3e-9
#define CHOICE_S 1.0e-9 /* a comparison and its multiplexer */
#define ELEMENT_S 3.0e-9 /* an element is read, changed, halved and written back: three adders and a multiplexer */

int64_t hydraf_queue_rows(const struct hydraf_shape *shape)
{
    return 2 * shape->batch > QUEUE_LEAST ? 2 * shape->batch : QUEUE_LEAST;
}

/* Single-precision sums wait for their own last addition, and at a restart also for its multiplexer, which takes another cycle. A
 * non-pipelined array restarts at each multiply-accumulate ("the single PE execution time", paper, section IV.C). */
struct hydraf_intervals hydraf_intervals_of(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *l)
{
    int64_t add = hydraf_latency(build, DSE_OP_ADD, DSE_FP32, DSE_FORM_ANY), accumulate = hydraf_latency(build, DSE_OP_MAC, l->shape.precision, DSE_FORM_ANY);
    struct hydraf_intervals out = {.arrays = 1, .update = l->real ? add + 1 : (int64_t)ceil(ELEMENT_S * build->clock_hz / USABLE - 1e-9), .encoder = l->real && l->encoder_steps > 1 ? add + 1 : 1};
    if (config->value[HYDRAF_PIPELINED] == 0)
        out.arrays = accumulate > 1 ? accumulate : 1;
    else if (l->real)
        out.arrays = add;
    return out;
}

int64_t hydraf_array_steps(const struct hydraf_shape *shape)
{
    return shape->lanes > 1 && !shape->learns ? shape->rows : shape->chunk + (shape->rows > shape->clusters ? shape->rows : shape->clusters);
}

/* Row j of chunk c arrives after all rows before it. From then on the arrays have the rest of its chunk and all later chunks to do. Both
 * times are linear in c and j, so the longest path passes a first or last one. */
double hydraf_meeting(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *l, double row, double interval)
{
    const struct hydraf_shape *s = &l->shape;
    double every = (double)hydraf_intervals_of(build, config, l).arrays, steps = (double)hydraf_array_steps(s), longest = 0.0;
    double chunks = (double)s->chunks, rows = (double)s->rows;
    for (int corner = 0; corner < 4; corner++) {
        double c = corner & 1 ? chunks - 1.0 : 0.0, j = corner & 2 ? rows - 1.0 : 0.0;
        longest = fmax(longest, row * (c * rows + j + 1.0) - interval + every * (steps * (chunks - c) - j - 1.0));
    }
    return longest - fmax(row * chunks * rows - interval, every * (steps * chunks - 1.0));
}

/* Cycles of `count` sequential logic steps, with as many per cycle as fit its usable time. */
static int64_t chain(const struct dse_build *build, int64_t count, double step_s)
{
    int64_t held = (int64_t)(USABLE / (step_s * build->clock_hz));
    return dse_ceil_div(count, held > 0 ? held : 1);
}

struct hydraf_depths hydraf_depths_of(struct dse_build *build, const struct hydraf_layout *l, const struct dse_config *config)
{
    const struct hydraf_shape *s = &l->shape;
    const struct dse_memory *memory = &build->context->board->memories[0];
    const int64_t add = hydraf_latency(build, DSE_OP_ADD, DSE_FP32, DSE_FORM_ANY), mul = hydraf_latency(build, DSE_OP_MUL, DSE_FP32, DSE_FORM_ANY);
    const int64_t div = hydraf_latency(build, DSE_OP_DIVIDE, DSE_FP32, DSE_FORM_ANY), real = hydraf_latency(build, DSE_OP_TO_FP32, DSE_INT32, DSE_FORM_ANY);
    const int64_t whole = hydraf_latency(build, DSE_OP_FROM_FP32, DSE_INT32, DSE_FORM_ANY), product = l->real ? mul : 1;
    const double adder_s = l->real ? 0.0 : s->bits == 16 ? WIDE_ADDER_S : ADDER_S;
    const bool weighted = config->value[HYDRAF_CLUSTER_WEIGHT] == HYDRAF_WEIGHT_CONFIDENCE, relative = config->value[HYDRAF_CLUSTER_LOSS] == HYDRAF_LOSS_RELATIVE;
    const bool shared = config->value[HYDRAF_SHARING] == HYDRAF_BY_CONFIDENCE;
    struct hydraf_depths d = {.read = (int64_t)ceil(1.0 + memory->read_latency_s * build->clock_hz - 1e-9) + 1, .answers = 2};
    d.features = d.read + 1 + (l->real ? 0 : mul + 2 + (whole > add + 1 ? whole : add + 1) + 1);
    d.encoder = l->real ? 2 + add * (l->encoder_steps > 1 ? 2 : 1) : 3 + chain(build, hydraf_levels(l->encoder_lanes) + 4, ADDER_S);
    d.arrays = s->lanes > 1 ? 3 + chain(build, hydraf_levels(s->chunk) + 1, adder_s) : 2 + product + (l->real ? add : chain(build, 1, adder_s));
    /* the largest and the difference from it, in logic or an addition; scaled; the exponential; a product; a tree; a division */
    const double choice_s = CHOICE_S + (s->bits == 16 ? WIDE_ADDER_S - ADDER_S : 0.0);
    int64_t difference = 1 + (int64_t)ceil((2.0 * ADDER_S + (double)(s->clusters - 1) * choice_s) * build->clock_hz / USABLE - 1e-9) + (l->real ? add : real);
    int64_t tree = hydraf_latency(build, DSE_OP_ADD, DSE_FP32, DSE_FORM_ANY) * hydraf_levels(s->clusters);
    d.entry = difference + mul + 5 * mul + 5 * add + 3 + mul + tree + div + 1;
    int64_t loss = 1 + add + 2, confidence = 1 + div + mul, rated = loss + mul;
    int64_t model = shared ? (rated > confidence ? rated : confidence) + mul : rated;
    int64_t cluster = relative ? rated + mul : rated;
    cluster = weighted ? (cluster > confidence ? cluster : confidence) + mul : cluster;
    d.gains = (model > cluster ? model : cluster) + 3;
    d.taken = l->real ? 2 : 1 + mul + add + 2 + whole + 2;
    d.update = (l->dense ? 1 : 0) + (l->real ? 2 + mul + 2 * add : 2 + (int64_t)ceil((ROUND_S + 5.0 * (adder_s - ADDER_S) + OR_S * (double)hydraf_levels(2 * s->clusters * s->lanes)) * build->clock_hz / PACKED - 1e-9));
    return d;
}

void hydraf_note(const struct dse_context *context, const struct hydraf_shape *shape, const char *name, int64_t entries, int64_t iterations,
                 int64_t interval, int64_t depth)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        dse_loops_note(context->loops, (enum dse_case)c, name, (double)entries * shape->runs, (double)iterations * shape->runs, (double)interval, (double)depth);
}
