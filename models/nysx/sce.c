/* SCE: similarity of h with every class prototype, and the maximum (paper, section 5.2.6). */
#include "models/build.h"
#include "models/nysx/nysx.h"

static const int64_t prototype_bits[] = {1, 2, 4, 8, 32};

#define SUMS 64              /* running sums of a row of fp32 elements */
#define SUM_INTERVAL 6       /* cycles of the double-precision addition that sums them */
#define SUM_DEPTH 9
#define COSINE_DEPTH 33      /* double-precision division and comparison */
#define OFFSET_DEPTH 11      /* double-precision addition and comparison */
#define OFFSET_LOGIC 4       /* integer addition of an offset and comparison */
#define CROSS_PRODUCTS 2     /* sequential products with carries that compare two integer cosines */
#define CROSS_LOGIC 4

/* Sums `elements` signed prototype elements per cycle. One-bit elements take an xnor and a population count, integers a sign and an
 * adder tree. Floats are added to the running sums in turn. */
static void build_row(struct dse_build *build, int64_t bits, int64_t elements, double rows)
{
    double n = (double)elements;
    if (bits == 1)
        dse_build_structure(build, DSE_STRUCTURE_XNOR_DOT, n, rows);
    else if (bits == 32)
        dse_build_operator(build, DSE_OP_ADD, DSE_FP32, rows * n);
    else
        dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)(bits + dse_bits_for(elements)), rows * n);
}

int64_t nysx_sce_interval(int64_t elements, int64_t bits, int64_t addition_cycles)
{
    return bits == 32 ? dse_ceil_div(elements, SUMS) * addition_cycles + 1 : 1;
}

int64_t nysx_sce_argmax_interval(int64_t bits, bool cosine, int64_t product_cycles)
{
    if (bits == 32)
        return 2;
    return !cosine || bits == 1 ? 1 : CROSS_LOGIC + CROSS_PRODUCTS * product_cycles;
}

/* Cycles of the SCE: iterations and pipeline fill. */
struct run {
    int64_t busy, fill;
};

/* Rounds of rows: their words and, for fp32, the addition of each row's sums; then the search for the maximum. */
static struct run run_of(struct dse_build *build, const struct dse_config *config, int64_t rows, int64_t bits)
{
    const struct nysx_work *work = build->context->work;
    int64_t elements = config->value[NYSX_SCE_BITS], words = dse_ceil_div(config->value[NYSX_DIM], elements);
    int64_t trips = dse_ceil_div(work->classes, rows), add = bits == 32 ? nysx_latency(build, DSE_OP_ADD, DSE_FP32) : 1;
    int64_t interval = nysx_sce_interval(elements, bits, add > 1 ? add : 1);
    bool cosine = config->value[NYSX_PROTOTYPES] == NYSX_BUNDLED;
    int64_t argmax = nysx_sce_argmax_interval(bits, cosine, nysx_latency(build, DSE_OP_MUL, DSE_INT64));
    int64_t depth = dse_build_depth(build, bits == 32 ? interval + 1 : 1 + nysx_logic(build, nysx_levels(elements) + 3));
    int64_t last = bits == 32 ? (cosine ? COSINE_DEPTH : OFFSET_DEPTH)
                   : argmax > 1 ? argmax + 1 : 1 + nysx_logic(build, cosine ? 1 : OFFSET_LOGIC); /* depth of the loop that finds the maximum */
    last = dse_build_depth(build, last);
    struct run out = {.busy = trips * words * interval + work->classes * argmax, .fill = trips * (depth - interval) + last - argmax};
    dse_build_loop(build, "sce_words", trips, trips * words, interval, depth);
    if (bits == 32) {
        out.busy += trips * rows * SUMS * SUM_INTERVAL;
        int64_t sum = dse_build_depth(build, SUM_DEPTH);
        out.fill += trips * rows * (sum - SUM_INTERVAL);
        dse_build_loop(build, "sce_sum", trips * rows, trips * rows * SUMS, SUM_INTERVAL, sum);
    }
    dse_build_loop(build, "sce_argmax", 1, work->classes, argmax, last);
    return out;
}

enum dse_status nysx_cost_sce(const struct dse_context *context, const struct dse_config *config,
                                 struct dse_accumulators *out, struct dse_error *err)
{
    static const enum dse_storage storage[] = {DSE_STORAGE_BRAM, DSE_STORAGE_URAM, DSE_STORAGE_LUTRAM};
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t bits = prototype_bits[config->value[NYSX_SCE_PROTOTYPE_BITS]];
    int64_t elements = config->value[NYSX_SCE_BITS];
    int64_t rows = config->value[NYSX_SCE_PE] == 0 ? 1 : work->classes;
    int64_t words = dse_ceil_div(config->value[NYSX_DIM], elements);
    build_row(&build, bits, elements, (double)rows);
    struct run run = run_of(&build, config, rows, bits);
    bool cosine = config->value[NYSX_PROTOTYPES] == NYSX_BUNDLED;
    if (!cosine) /* one offset per class */
        dse_build_structure(&build, DSE_STRUCTURE_ADDER, 32.0, 1.0);
    if (cosine && bits > 1 && bits < 32) /* multi-bit prototypes differ in length: squares times norms, 64 x 64 bits */
        dse_build_operator(&build, DSE_OP_MUL, DSE_INT64, 4.0);
    dse_build_datapath(&build);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_CLASSIFY] = run.busy;
        out->fill_cycles[c][NYSX_STAGE_CLASSIFY] = run.fill > 0 ? run.fill : 0;
    }
    static const enum dse_precision precision_of[] = {DSE_BINARY, DSE_INT4, DSE_INT4, DSE_INT8, DSE_FP32};
    int64_t products = config->value[NYSX_DIM] * work->classes;
    out->operations[precision_of[config->value[NYSX_SCE_PROTOTYPE_BITS]]] = 2 * products;
    out->operations[DSE_FP32] += work->classes * (!cosine || bits > 1 ? 2 : 1); /* the maximum, and the additions of offsets or divisions of cosines */
    out->on_chip_bytes = products * bits / 8 + config->value[NYSX_DIM] * dse_ceil_div(work->classes, rows) / 8;
    enum dse_storage place = storage[config->value[NYSX_PLACE_PROTOTYPES]];
    if (place == DSE_STORAGE_URAM && context->board->chip[DSE_URAM] == 0)
        dse_build_reject(&build, "place.prototypes=uram: the board %s has no URAM", context->board->name);
    dse_build_array(&build, place, words * work->classes, elements * bits, rows, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_COMPARATOR, 32.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, (double)run.busy, out);
}
