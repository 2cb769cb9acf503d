/* The HyDRAF accelerator as its header describes it: what the blocks account for, in the words of a source to be written
 * with it. Every size here has its counterpart in the block's account. */
#include "models/hls.h"
#include "models/hydraf/hydraf.h"

#define TARGET_BYTES 4 /* as in port.c: single precision */

struct writer {
    struct dse_hls *hls;
    const struct dse_config *config;
    const struct hydraf_work *work;
    struct hydraf_shape shape;
};

static int64_t knob(const struct writer *w, enum hydraf_knob index)
{
    return w->config->value[index];
}

static void direct(struct writer *w, enum dse_hls_directive_kind kind, const char *function, const char *target,
                   int64_t number, const char *by, int dimension)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = kind, .function = function, .target = target, .number = number, .by = by, .dimension = dimension});
}

static void every_cycle(struct writer *w, const char *function, const char *loop)
{
    direct(w, DSE_HLS_PIPELINE, function, loop, 1, NULL, 0);
}

static void unroll(struct writer *w, const char *function, const char *loop, int64_t factor, const char *by)
{
    direct(w, DSE_HLS_UNROLL, function, loop, factor, by, 0);
}

/* A matrix of chunks, rows and dimensions of a chunk: every element a register of its own (paper, section IV.B). */
static void in_registers(struct writer *w, const char *array)
{
    for (int dimension = 1; dimension <= 3; dimension++)
        direct(w, DSE_HLS_ARRAY_PARTITION, "hydraf_top", array, 0, NULL, dimension);
}

static void describe_sizes(struct writer *w)
{
    const struct hydraf_shape *shape = &w->shape;
    int64_t product = 2 * shape->bits, sum = product + dse_bits_for(shape->dim);
    bool real = shape->precision == DSE_FP32;
    dse_hls_add_size(w->hls, w->work->features, "features of a sample", "FEATURES");
    dse_hls_add_size(w->hls, shape->bits, "bits of an element", "ELEMENT_BITS");
    dse_hls_add_size(w->hls, shape->chunks, "chunks of a hypervector", "CHUNKS");
    dse_hls_add_size(w->hls, shape->lanes, "dimensions that an engine takes at once", "LANES");
    dse_hls_add_size(w->hls, real ? 32 : sum, "bits of a sum over all dimensions", "SUM_BITS");
    dse_hls_add_type(w->hls, "element_t", real ? "float" : shape->bits == 16 ? "int16_t" : "int8_t", shape->bits,
                     "element of a hypervector");
    dse_hls_add_type(w->hls, "sum_t", real ? "float" : sum <= 32 ? "int32_t" : "int64_t", real ? 32 : sum,
                     "sum of products over all dimensions");
    dse_hls_add_type(w->hls, "value_t", "float", 32, "target, prediction, confidence or loss");
    dse_hls_add_check(w->hls, "the chunks cover the dimension", "1LL * HYDRAF_CHUNKS * HYDRAF_CHUNK >= HYDRAF_DIM");
    dse_hls_add_check(w->hls, "a chunk is taken in whole steps", "HYDRAF_CHUNK %% HYDRAF_LANES == 0");
    dse_hls_add_check(w->hls, "an element's type holds its bits", "sizeof(hydraf_element_t) * 8 == HYDRAF_ELEMENT_BITS");
    dse_hls_add_check(w->hls, "a sum's type holds its bits", "sizeof(hydraf_sum_t) * 8 >= HYDRAF_SUM_BITS");
}

/* Samples come encoded, or as their features. */
static void describe_ports(struct writer *w)
{
    const struct hydraf_shape *shape = &w->shape;
    int64_t bits = knob(w, HYDRAF_AXI_BITS), word = bits / 8;
    bool on_chip = knob(w, HYDRAF_ENCODING) == HYDRAF_ON_CHIP;
    int64_t bytes = on_chip ? w->work->features * TARGET_BYTES : shape->dim * shape->bits / 8;
    int64_t words = dse_ceil_div(bytes, word);
    dse_hls_add_size(w->hls, words, on_chip ? "words of a sample's features" : "words of an encoded sample", "SAMPLE_WORDS");
    dse_hls_add_type(w->hls, "word_t", NULL, bits, "word of the samples' port");
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "samples", .title = "samples, one after the other",
                                                    .type = "word_t", .count = 1, .words = words * shape->batch,
                                                    .burst_words = 16, .outstanding = 16});
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "targets", .title = "their targets, when learning",
                                                    .type = "value_t", .count = 1, .words = shape->batch,
                                                    .burst_words = 16, .outstanding = 1});
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "predictions", .title = "what is predicted for them",
                                                    .type = "value_t", .writes = true, .count = 1,
                                                    .words = shape->batch, .burst_words = 16, .outstanding = 1});
    dse_hls_add_check(w->hls, "a word's type is as wide as the port", "sizeof(hydraf_word_t) * 8 == HYDRAF_AXI_BITS");
}

static void describe_encoder(struct writer *w)
{
    if (knob(w, HYDRAF_ENCODING) != HYDRAF_ON_CHIP)
        return;
    int64_t at_once = knob(w, HYDRAF_ENCODER_FEATURES);
    if (at_once > w->work->features)
        at_once = w->work->features;
    dse_hls_add_size(w->hls, at_once, "features that the encoder adds at once", "ENCODER_LANES");
    dse_hls_add_size(w->hls, dse_ceil_div(w->work->features, at_once), "steps of a chunk's encoding", "ENCODER_STEPS");
    every_cycle(w, "hydraf_encode", "encode_steps");
    unroll(w, "hydraf_encode", "encode_features", at_once, "ENCODER_LANES");
    unroll(w, "hydraf_encode", "encode_lanes", w->shape.lanes, "LANES");
    direct(w, DSE_HLS_ARRAY_PARTITION, "hydraf_encode", "encode_base", 0, NULL, 2);
    dse_hls_add_check(w->hls, "the encoder's steps cover the features",
                      "1LL * HYDRAF_ENCODER_STEPS * HYDRAF_ENCODER_LANES >= HYDRAF_FEATURES");
}

static void describe_arrays(struct writer *w)
{
    static const char *const functions[] = {"hydraf_cluster", "hydraf_regress"};
    static const char *const loops[][4] = {{"cluster_steps", "cluster_rows", "cluster_columns", "cluster_lanes"},
                                           {"regress_steps", "regress_rows", "regress_columns", "regress_lanes"}};
    in_registers(w, "batch");
    in_registers(w, "clusters");
    in_registers(w, "models");
    for (int array = 0; array < 2; array++) {
        every_cycle(w, functions[array], loops[array][0]);
        unroll(w, functions[array], loops[array][1], w->shape.batch, "BATCH");
        unroll(w, functions[array], loops[array][2], w->shape.clusters, "CLUSTERS");
        unroll(w, functions[array], loops[array][3], w->shape.lanes, "LANES");
    }
}

static void describe_update(struct writer *w)
{
    bool dense = knob(w, HYDRAF_UPDATE) == HYDRAF_DENSE;
    dse_hls_add_size(w->hls, dense ? w->shape.batch * w->shape.clusters : w->shape.batch, "entries of the select matrix",
                     "SELECTED");
    every_cycle(w, "hydraf_learn", "learn_samples");
    unroll(w, "hydraf_learn", "learn_models", w->shape.clusters, "CLUSTERS");
    unroll(w, "hydraf_learn", "learn_lanes", w->shape.lanes, "LANES");
    if (dense)
        every_cycle(w, "hydraf_learn", "learn_select");
}

enum dse_status hydraf_hardware(const struct dse_context *context, const struct dse_config *config,
                                struct dse_hls *out, struct dse_error *err)
{
    struct writer w = {.hls = out, .config = config, .work = context->work,
                       .shape = hydraf_shape_of(config, context->work)};
    (void)err;
    out->top = "hydraf_top";
    describe_sizes(&w);
    describe_ports(&w);
    describe_encoder(&w);
    describe_arrays(&w);
    describe_update(&w);
    return DSE_OK;
}
