/* Describes the accelerator under models/hydraf/hls/ for its header: sizes, types, ports, registers, directives and conditions on them. */
#include "models/hls.h"
#include "models/hydraf/layout.h"

#define VALUE_BYTES 4         /* single precision: features, targets, answers */
#define HEAD_BITS 256         /* size of the state's head: its scales, padded */
#define PRODUCTS_MOST 16384   /* parallel products of one array: twice those of the largest board */
#define REGISTERS_MOST 262144 /* elements of the lanes of all rows: limit of tools for one loop */

/* Feature bits of a design. */
enum { ENCODES = 1, STORED = 2, DENSE = 4, LISTED = 8 };

#define ADD(hls, rows, has) dse_hls_add_rules(hls, rows, sizeof(rows) / sizeof *(rows), has)
#define EVERY DSE_HLS_EVERY
#define LOOP DSE_HLS_LOOP
#define WHOLLY(when, function, loop) DSE_HLS_UNROLLED(when, function, loop, 0, NULL)
#define APART DSE_HLS_APART
/* A loop outside any answer's time, or one that contains others: iterations only. */
#define ONCE(when, function, loop, most) {(when), false, {DSE_HLS_LOOP_TRIPCOUNT, (function), (loop), (most), NULL, 0, NULL, (most)}}
#define SIDE_BY_SIDE(when, function) DSE_HLS_PLAIN(when, DATAFLOW, function, NULL, 0)
/* A matrix of chunks, rows and dimensions of a chunk: one register per element (paper, section IV.B). */
#define IN_REGISTERS(function, array) APART(0, function, array, 1), APART(0, function, array, 2), APART(0, function, array, 3)

struct hydraf_layout hydraf_layout_of(const struct dse_config *config, const struct hydraf_work *work)
{
    const struct hydraf_shape s = hydraf_shape_of(config, work);
    const int64_t axi = config->value[HYDRAF_AXI_BITS], row_bits = s.chunk * s.bits, lanes = config->value[HYDRAF_ENCODER_FEATURES];
    struct hydraf_layout l = {.shape = s, .features = work->features, .axi_bits = axi, .real = s.precision == DSE_FP32,
                              .encodes = config->value[HYDRAF_ENCODING] == HYDRAF_ON_CHIP, .dense = config->value[HYDRAF_UPDATE] == HYDRAF_DENSE};
    l.words_a_row = dse_ceil_div(row_bits, axi);
    l.rows_a_word = row_bits < axi ? axi / row_bits : 1;
    l.row_parts = dse_ceil_div(row_bits, 32);
    l.head_words = dse_ceil_div(HEAD_BITS, axi);
    l.encoder_lanes = l.real ? 1 : lanes < work->features ? lanes : work->features; /* sums of single precision keep their order */
    l.encoder_steps = dse_ceil_div(work->features, l.encoder_lanes);
    l.encoder_width = config->value[HYDRAF_PIPELINED] != 0 ? s.chunk : 1;
    return l;
}

bool hydraf_has_source(const struct hydraf_layout *l)
{
    const struct hydraf_shape *s = &l->shape;
    return s->lanes * s->batch * s->clusters <= PRODUCTS_MOST && s->chunks * s->chunk * (s->batch + 2 * s->clusters) <= REGISTERS_MOST;
}

static enum dse_status intervals_of(const struct dse_context *context, const struct dse_config *config, const struct hydraf_layout *l,
                                    struct hydraf_intervals *out, struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    *out = hydraf_intervals_of(&build, config, l);
    return build.status;
}

static void add_memory_rules(const struct hydraf_layout *l, unsigned has, struct dse_hls *hls)
{
    const struct hydraf_shape *s = &l->shape;
    const int64_t queue = hydraf_queue_rows(s);
    const struct dse_hls_rule rules[] = {
        LOOP(ENCODES, "hydraf_encode", "axi_features", 1), LOOP(STORED, "hydraf_samples", "axi_words", 1), LOOP(0, "hydraf_targets", "axi_targets", 1),
        LOOP(0, "hydraf_answers", "axi_answers", 1), ONCE(0, "hydraf_load", "axi_head", l->head_words), WHOLLY(0, "hydraf_load", "axi_head_parts"),
        ONCE(0, "hydraf_load", "axi_load", 2 * s->clusters * s->chunks * l->words_a_row), WHOLLY(0, "hydraf_load", "axi_load_lanes"),
        WHOLLY(0, "with_word", "axi_gather"), WHOLLY(0, "first_row", "axi_row"), ONCE(0, "hydraf_store", "axi_store", 2 * s->clusters * s->chunks * s->chunk), SIDE_BY_SIDE(0, "hydraf_compare"),
        DSE_HLS_STREAMED(0, "hydraf_compare", "encoded", queue, "ROW_QUEUE"),
        IN_REGISTERS("hydraf_top", "batch"), IN_REGISTERS("hydraf_top", "clusters"), IN_REGISTERS("hydraf_top", "models"),
        APART(0, "hydraf_top", "similarity", 0), APART(0, "hydraf_top", "prediction", 0)};
    ADD(hls, rules, has);
}

static void add_engine_rules(const struct hydraf_layout *l, const struct hydraf_intervals *every, unsigned has, struct dse_hls *hls)
{
    const struct hydraf_shape *s = &l->shape;
    const struct dse_hls_rule rules[] = {
        APART(ENCODES, "hydraf_encode", "hydraf_base", 2), DSE_HLS_CYCLIC(ENCODES, "hydraf_encode", "encoder_features", l->encoder_lanes, "ENCODER_LANES", 2),
        APART(ENCODES, "hydraf_encode", "encoder_sums", 1), APART(ENCODES, "hydraf_encode", "encoder_group", 1),
        APART(ENCODES, "hydraf_encode", "encoder_made", 1), WHOLLY(ENCODES, "hydraf_encode", "encoder_begin"),
        LOOP(ENCODES, "hydraf_encode", "encoder_steps", every->encoder),
        DSE_HLS_UNROLLED(ENCODES, "hydraf_encode", "encoder_width", l->encoder_width, "ENCODER_WIDTH"),
        APART(0, "hydraf_arrays", "array_rows", 0), APART(0, "hydraf_arrays", "array_clusters", 0), APART(0, "hydraf_arrays", "array_models", 0),
        APART(0, "hydraf_arrays", "similarities", 0), APART(0, "hydraf_arrays", "predictions", 0), WHOLLY(0, "hydraf_arrays", "clustering_clear"),
        WHOLLY(0, "hydraf_arrays", "clustering_begin"), WHOLLY(0, "hydraf_arrays", "clustering_end"),
        LOOP(0, "hydraf_arrays", "clustering_steps", every->arrays),
        DSE_HLS_UNROLLED(0, "hydraf_arrays", "clustering_rows", s->batch, "BATCH"),
        DSE_HLS_UNROLLED(0, "hydraf_arrays", "clustering_columns", s->clusters, "CLUSTERS"),
        ONCE(0, "hydraf_softmax", "softmax_rows", s->batch), EVERY(0, "hydraf_softmax", "softmax_entries", 1), WHOLLY(0, "hydraf_softmax", "softmax_clear"),
        APART(0, "hydraf_softmax", "exponentials", 1), APART(0, "hydraf_softmax", "weighted", 1), APART(0, "tree_sum", "terms", 1),
        WHOLLY(0, "tree_sum", "softmax_terms"), WHOLLY(0, "tree_sum", "softmax_levels"), WHOLLY(0, "tree_sum", "softmax_neighbours"),
        LOOP(0, "compute_gains", "update_largest", 1), LOOP(0, "take_gains", "update_gains", 1), ONCE(0, "hydraf_update", "update_passes", 1),
        APART(0, "hydraf_update", "gains.model", 2), APART(DENSE, "hydraf_update", "gains.select", 1), APART(DENSE, "hydraf_update", "gains.select", 2),
        APART(0, "run_pass", "model_sums", 0), APART(0, "run_pass", "cluster_sums", 0), APART(LISTED, "run_pass", "products", 1),
        LOOP(0, "run_pass", "update_steps", every->update), DSE_HLS_UNROLLED(0, "run_pass", "update_models", s->clusters, "CLUSTERS"),
        DSE_HLS_UNROLLED(0, "run_pass", "update_lanes", s->lanes, "LANES")};
    ADD(hls, rules, has);
}

static const struct dse_hls_check checks[] = {
    {0, "the chunks cover the dimension", "1LL * HYDRAF_CHUNKS * HYDRAF_CHUNK >= HYDRAF_DIM"},
    {0, "a chunk has whole steps", "HYDRAF_CHUNK % HYDRAF_LANES == 0"},
    {0, "an element's type holds its bits", "sizeof(hydraf_element_t) * 8 == HYDRAF_ELEMENT_BITS"},
    {0, "a sum's type holds its bits", "sizeof(hydraf_sum_t) * 8 >= HYDRAF_SUM_BITS"},
    {0, "a word's type is as wide as the port", "sizeof(hydraf_word_t) * 8 == HYDRAF_AXI_BITS"},
    {0, "a row's type holds a chunk", "sizeof(hydraf_row_t) * 8 >= HYDRAF_CHUNK * HYDRAF_ELEMENT_BITS"},
    {ENCODES, "the encoder's steps cover the features", "1LL * HYDRAF_ENCODER_STEPS * HYDRAF_ENCODER_LANES >= HYDRAF_FEATURES"},
};

static void add_sizes(const struct hydraf_layout *l, struct dse_hls *hls)
{
    const struct hydraf_shape *s = &l->shape;
    const int64_t sum = 2 * s->bits + dse_bits_for(s->dim);
    dse_hls_add_size(hls, l->features, 1, "features of a sample", "FEATURES");
    dse_hls_add_size(hls, s->bits, 1, "bits of an element", "ELEMENT_BITS");
    dse_hls_add_size(hls, s->chunks, 1, "chunks of a hypervector", "CHUNKS");
    dse_hls_add_size(hls, s->lanes, 1, "dimensions per cycle of an engine", "LANES");
    dse_hls_add_size(hls, l->real ? 32 : sum, 1, "bits of a sum over all dimensions", "SUM_BITS");
    dse_hls_add_size(hls, l->row_parts, 1, "32-bit parts of a chunk of a hypervector", "ROW_PARTS");
    dse_hls_add_size(hls, hydraf_queue_rows(s), 1, "chunks of hypervectors that wait for the arrays", "ROW_QUEUE");
    if (l->encodes) {
        dse_hls_add_size(hls, l->encoder_lanes, 1, "features per cycle of the encoder", "ENCODER_LANES");
        dse_hls_add_size(hls, l->encoder_steps, 1, "steps of a chunk's encoding", "ENCODER_STEPS");
        dse_hls_add_size(hls, l->encoder_width, 1, "dimensions that it makes at once", "ENCODER_WIDTH");
    }
    dse_hls_add_type(hls, "element_t", l->real ? "float" : s->bits == 16 ? "int16_t" : "int8_t", s->bits, "element of a hypervector");
    dse_hls_add_type(hls, "sum_t", l->real ? "float" : sum <= 32 ? "int32_t" : "int64_t", l->real ? 32 : sum, "sum of products over all dimensions");
    dse_hls_add_type(hls, "value_t", "uint32_t", 32, "bits of a target or an answer in single precision");
    dse_hls_add_type(hls, "word_t", NULL, l->axi_bits, "word of the samples' port");
    dse_hls_add_type(hls, "row_t", NULL, 32 * l->row_parts, "a chunk of a hypervector");
}

static void add_ports(const struct hydraf_layout *l, struct dse_hls *hls)
{
    const struct hydraf_shape *s = &l->shape;
    const int64_t state = l->head_words + 2 * s->clusters * s->chunks * l->words_a_row;
    int64_t samples = l->encodes ? dse_ceil_div(s->batch * l->features * 8 * VALUE_BYTES, l->axi_bits) : dse_ceil_div(s->batch * s->chunks * l->words_a_row, l->rows_a_word);
    samples = samples > state ? samples : state;
    dse_hls_add_memory(hls, "samples", "samples, chunk by chunk a row of each, or their features; or the state", "word_t", false, samples, 16);
    dse_hls_add_memory(hls, "targets", "their targets, when learning", "value_t", false, s->batch, 1);
    dse_hls_add_memory(hls, "answers", "the predictions for the samples; or the state", "value_t", true, 2 + 2 * s->clusters * s->chunks * s->chunk, 1);
    dse_hls_add_scalar(hls, "command", "0 answers, 1 answers and learns, 2 loads the state, 3 stores it");
    dse_hls_add_scalar(hls, "count", "samples, up to the batch");
    dse_hls_add_scalar(hls, "seed", "seed of the update's random numbers: twice its number times 0x9e3779b9");
    dse_hls_add_scalar(hls, "model_rate", "learning rate of the models for this batch, bits of single precision");
    dse_hls_add_scalar(hls, "cluster_rate", "learning rate of the clusters for this batch, likewise");
}

enum dse_status hydraf_hardware(const struct dse_context *context, const struct dse_config *config,
                                struct dse_hls *hls, struct dse_error *err)
{
    static const char *const sources[] = {"hydraf.h", "port.c", "encoder.c", "arrays.c", "softmax.c", "update.c", "top.c", NULL};
    struct hydraf_layout *l = dse_arena_alloc(&hls->arena, 1, sizeof *l);
    struct hydraf_intervals every;
    *l = hydraf_layout_of(config, context->work);
    const unsigned has = (l->encodes ? ENCODES : STORED) | (l->dense ? DENSE : LISTED);
    DSE_TRY(intervals_of(context, config, l, &every, err));
    hls->layout = l;
    hls->top = "hydraf_top";
    if (hydraf_has_source(l))
        hls->sources = sources;
    else
        hls->unwritten = dse_hls_text(hls, "chunk=%lld, batch=%lld and clusters=%lld need more parallel products or registers than the tools allow in one loop; lower one of them",
                                      (long long)l->shape.chunk, (long long)l->shape.batch, (long long)l->shape.clusters);
    add_sizes(l, hls);
    add_ports(l, hls);
    add_memory_rules(l, has, hls);
    add_engine_rules(l, &every, has, hls);
    dse_hls_add_checks(hls, checks, sizeof checks / sizeof *checks, has);
    return DSE_OK;
}
