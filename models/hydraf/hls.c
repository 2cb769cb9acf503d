/* The HyDRAF accelerator as its header describes it: what the blocks account for, in the words of a source to be written
 * with it. Every size here has its counterpart in the block's account. */
#include "models/hls.h"
#include "models/hydraf/hydraf.h"

#define TARGET_BYTES 4 /* as in port.c: single precision */

/* What a design has, as bits: samples are encoded on the chip; all models are updated. */
enum { ENCODES = 1, DENSE = 2 };

#define ADD(hls, rows, has) dse_hls_add_rules(hls, rows, sizeof(rows) / sizeof *(rows), has)

/* A matrix of chunks, rows and dimensions of a chunk: every element a register of its own (paper, section IV.B). */
#define IN_REGISTERS(array) \
    DSE_HLS_APART(0, "hydraf_top", array, 1), DSE_HLS_APART(0, "hydraf_top", array, 2), DSE_HLS_APART(0, "hydraf_top", array, 3)

static void add_rules(const struct hydraf_shape *s, int64_t encoder_lanes, unsigned has, struct dse_hls *hls)
{
    const struct dse_hls_rule rules[] = {
        DSE_HLS_EVERY(ENCODES, "hydraf_encode", "encode_steps", 1),
        DSE_HLS_UNROLLED(ENCODES, "hydraf_encode", "encode_features", encoder_lanes, "ENCODER_LANES"),
        DSE_HLS_UNROLLED(ENCODES, "hydraf_encode", "encode_lanes", s->lanes, "LANES"), DSE_HLS_APART(ENCODES, "hydraf_encode", "encode_base", 2),
        IN_REGISTERS("batch"), IN_REGISTERS("clusters"), IN_REGISTERS("models"),
        DSE_HLS_EVERY(0, "hydraf_cluster", "cluster_steps", 1), DSE_HLS_UNROLLED(0, "hydraf_cluster", "cluster_rows", s->batch, "BATCH"),
        DSE_HLS_UNROLLED(0, "hydraf_cluster", "cluster_columns", s->clusters, "CLUSTERS"),
        DSE_HLS_UNROLLED(0, "hydraf_cluster", "cluster_lanes", s->lanes, "LANES"),
        DSE_HLS_EVERY(0, "hydraf_regress", "regress_steps", 1), DSE_HLS_UNROLLED(0, "hydraf_regress", "regress_rows", s->batch, "BATCH"),
        DSE_HLS_UNROLLED(0, "hydraf_regress", "regress_columns", s->clusters, "CLUSTERS"),
        DSE_HLS_UNROLLED(0, "hydraf_regress", "regress_lanes", s->lanes, "LANES"),
        DSE_HLS_EVERY(0, "hydraf_learn", "learn_samples", 1), DSE_HLS_UNROLLED(0, "hydraf_learn", "learn_models", s->clusters, "CLUSTERS"),
        DSE_HLS_UNROLLED(0, "hydraf_learn", "learn_lanes", s->lanes, "LANES"), DSE_HLS_EVERY(DENSE, "hydraf_learn", "learn_select", 1)};
    ADD(hls, rules, has);
}

static const struct dse_hls_check checks[] = {
    {0, "the chunks cover the dimension", "1LL * HYDRAF_CHUNKS * HYDRAF_CHUNK >= HYDRAF_DIM"},
    {0, "a chunk is taken in whole steps", "HYDRAF_CHUNK % HYDRAF_LANES == 0"},
    {0, "an element's type holds its bits", "sizeof(hydraf_element_t) * 8 == HYDRAF_ELEMENT_BITS"},
    {0, "a sum's type holds its bits", "sizeof(hydraf_sum_t) * 8 >= HYDRAF_SUM_BITS"},
    {0, "a word's type is as wide as the port", "sizeof(hydraf_word_t) * 8 == HYDRAF_AXI_BITS"},
    {ENCODES, "the encoder's steps cover the features", "1LL * HYDRAF_ENCODER_STEPS * HYDRAF_ENCODER_LANES >= HYDRAF_FEATURES"},
};

enum dse_status hydraf_hardware(const struct dse_context *context, const struct dse_config *config,
                                struct dse_hls *hls, struct dse_error *err)
{
    const struct hydraf_work *work = context->work;
    const struct hydraf_shape s = hydraf_shape_of(config, work);
    bool real = s.precision == DSE_FP32, encodes = config->value[HYDRAF_ENCODING] == HYDRAF_ON_CHIP, dense = config->value[HYDRAF_UPDATE] == HYDRAF_DENSE;
    int64_t sum = 2 * s.bits + dse_bits_for(s.dim), axi = config->value[HYDRAF_AXI_BITS], lanes = config->value[HYDRAF_ENCODER_FEATURES];
    int64_t words = dse_ceil_div(encodes ? work->features * TARGET_BYTES : s.dim * s.bits / 8, axi / 8);
    unsigned has = (encodes ? ENCODES : 0) | (dense ? DENSE : 0);
    (void)err;
    lanes = lanes < work->features ? lanes : work->features;
    hls->top = "hydraf_top";
    dse_hls_add_size(hls, work->features, 1, "features of a sample", "FEATURES");
    dse_hls_add_size(hls, s.bits, 1, "bits of an element", "ELEMENT_BITS");
    dse_hls_add_size(hls, s.chunks, 1, "chunks of a hypervector", "CHUNKS");
    dse_hls_add_size(hls, s.lanes, 1, "dimensions that an engine takes at once", "LANES");
    dse_hls_add_size(hls, real ? 32 : sum, 1, "bits of a sum over all dimensions", "SUM_BITS");
    dse_hls_add_size(hls, words, 1, encodes ? "words of a sample's features" : "words of an encoded sample", "SAMPLE_WORDS");
    if (encodes) {
        dse_hls_add_size(hls, lanes, 1, "features that the encoder adds at once", "ENCODER_LANES");
        dse_hls_add_size(hls, dse_ceil_div(work->features, lanes), 1, "steps of a chunk's encoding", "ENCODER_STEPS");
    }
    dse_hls_add_size(hls, dense ? s.batch * s.clusters : s.batch, 1, "entries of the select matrix", "SELECTED");
    dse_hls_add_type(hls, "element_t", real ? "float" : s.bits == 16 ? "int16_t" : "int8_t", s.bits, "element of a hypervector");
    dse_hls_add_type(hls, "sum_t", real ? "float" : sum <= 32 ? "int32_t" : "int64_t", real ? 32 : sum, "sum of products over all dimensions");
    dse_hls_add_type(hls, "value_t", "float", 32, "target, prediction, confidence or loss");
    dse_hls_add_type(hls, "word_t", NULL, axi, "word of the samples' port");
    dse_hls_add_memory(hls, "samples", "samples, one after the other", "word_t", false, words * s.batch, 16); /* encoded, or as their features */
    dse_hls_add_memory(hls, "targets", "their targets, when learning", "value_t", false, s.batch, 1);
    dse_hls_add_memory(hls, "predictions", "what is predicted for them", "value_t", true, s.batch, 1);
    add_rules(&s, lanes, has, hls);
    dse_hls_add_checks(hls, checks, sizeof checks / sizeof *checks, has);
    return DSE_OK;
}
