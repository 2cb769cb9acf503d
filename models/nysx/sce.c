/* SCE: similarity of h with every class prototype, and the largest (paper, section 5.2.6). */
#include "models/build.h"
#include "models/nysx/nysx.h"

static const int64_t prototype_bits[] = {1, 2, 4, 8, 32};

/* Adds up `elements` signed prototype elements a cycle: one bit by xnor and popcount, integers by a tree of adders
 * behind the sign, floats likewise in single precision. Returns the tree's depth in cycles. */
static int64_t build_row(struct dse_build *build, int64_t bits, int64_t elements, double rows)
{
    double n = (double)elements;
    if (bits == 1) {
        dse_build_structure(build, DSE_STRUCTURE_XNOR_DOT, n, rows);
        return dse_bits_for(elements);
    }
    if (bits == 32)
        return dse_bits_for(elements) * dse_build_operator(build, DSE_OP_ADD, DSE_FP32, rows * n);
    double width = (double)(bits + dse_bits_for(elements));
    dse_build_structure(build, DSE_STRUCTURE_ADDER, width, rows * n);
    return dse_bits_for(elements);
}

enum dse_status nysx_account_sce(const struct dse_context *context, const struct dse_config *config,
                                 struct dse_accumulators *out, struct dse_error *err)
{
    static const enum dse_storage storage[] = {DSE_STORAGE_BRAM, DSE_STORAGE_URAM, DSE_STORAGE_LUTRAM};
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t bits = prototype_bits[config->value[NYSX_SCE_PROTOTYPE_BITS]];
    int64_t elements = config->value[NYSX_SCE_BITS];
    int64_t rows = config->value[NYSX_SCE_PE] == 0 ? 1 : work->classes;
    int64_t words = dse_ceil_div(config->value[NYSX_DIM], elements);
    int64_t cycles = words * dse_ceil_div(work->classes, rows) + work->classes; /* and the argmax */
    int64_t depth = build_row(&build, bits, elements, (double)rows);
    bool cosine = config->value[NYSX_PROTOTYPES] == NYSX_BUNDLED;
    if (!cosine) /* an offset a class */
        dse_build_structure(&build, DSE_STRUCTURE_ADDER, 32.0, 1.0);
    if (cosine && bits > 1) /* cosine: prototypes of several bits differ in length, one division a class */
        depth += dse_build_operator(&build, DSE_OP_DIVIDE, DSE_FP32, 1.0);
    dse_build_datapath(&build);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_CLASSIFY] = cycles;
        out->fill_cycles[c][NYSX_STAGE_CLASSIFY] = depth;
    }
    static const enum dse_precision precision_of[] = {DSE_BINARY, DSE_INT4, DSE_INT4, DSE_INT8, DSE_FP32};
    int64_t products = config->value[NYSX_DIM] * work->classes;
    out->operations[precision_of[config->value[NYSX_SCE_PROTOTYPE_BITS]]] = 2 * products;
    out->operations[DSE_FP32] += work->classes * (!cosine || bits > 1 ? 2 : 1); /* the largest, and the offsets or the cosine's divisions */
    out->on_chip_bytes = products * bits / 8 + config->value[NYSX_DIM] * dse_ceil_div(work->classes, rows) / 8;
    enum dse_storage place = storage[config->value[NYSX_PLACE_PROTOTYPES]];
    if (place == DSE_STORAGE_URAM && context->board->chip[DSE_URAM] == 0)
        dse_build_refuse(&build, "place.prototypes=uram: the board %s has no URAM", context->board->name);
    dse_build_array(&build, place, words * work->classes, elements * bits, rows, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_COMPARATOR, 32.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, (double)cycles, out);
}

int64_t nysx_sce_interval(int64_t elements, int64_t bits, int64_t addition_cycles)
{
    int64_t sums = 64, chained = dse_ceil_div(elements, sums);
    if (bits != 32)
        return 1;
    return elements >= sums ? chained * addition_cycles + 1 : dse_ceil_div((addition_cycles + 1) * elements, sums);
}
