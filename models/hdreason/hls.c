/* The accelerator under models/hdreason/hls/ as its header describes it: sizes, types, ports, registers, directives and the conditions among them. */
#include "models/hdreason/layout.h"
#include "models/hls.h"

#define LANES_MOST 16384  /* of all score engines: sums, differences and sizes of one loop */
#define ENGINES_MOST 1024 /* whose sums lie in one word of a FIFO */
#define HELD_BITS_MOST 65536 /* of beats that one chunk is made of */


#define BURST 16 /* beats, which a FIFO holds */

#define EVERY DSE_HLS_LOOP
#define WHOLLY(function, loop) DSE_HLS_UNROLLED(0, function, loop, 0, NULL)
#define APART(function, array, dimension) DSE_HLS_APART(0, function, array, dimension)

struct hdreason_layout hdreason_layout_of(const struct dse_context *context, const struct dse_config *config)
{
    const struct hdreason_shape s = hdreason_shape_of(context, config);
    struct hdreason_layout l = {.entities = s.work->entities, .relations = s.relation_rows, .kept = s.kept, .bits = s.bits, .batch = s.batch,
                                .lanes = config->value[HDR_SCORE_LANES], .ports = hdreason_ports(context, config), .axi_bits = config->value[HDR_AXI], .steps = s.score_steps, .turns = s.score_turns, .words = s.answer_words,
                                .distance_bits = hdreason_distance_bits(s.kept, s.bits)};
    l.beat = l.ports * l.axi_bits / l.bits;
    l.beats = s.score_beats;
    return l;
}

/* Why no source is written for a design, by the knob; NULL where one is. */
static const char *unwritten(const struct hdreason_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    if (config->value[HDR_TASK] != HDR_INFER)
        return "task=train, task=fit: the emitted source answers queries; task=infer has a source";
    if (config->value[HDR_PRECISION] == HDR_FP32)
        return "precision=fp32: sums of single precision keep their order, and each would wait for the last; fix16, fix8 and fix4 have a source";
    if ((l->ports & (l->ports - 1)) != 0)
        return dse_hls_text(hls, "hbm.channels=%lld: half of them, %lld, is no power of two, and the emitted source takes a beat apart by halves",
                            (long long)config->value[HDR_CHANNELS], (long long)l->ports);
    if (l->batch > ENGINES_MOST || l->batch * l->lanes > LANES_MOST || l->lanes * l->bits > HELD_BITS_MOST)
        return dse_hls_text(hls, "batch=%lld, score.lanes=%lld: more engines or lanes than a tool takes in one loop (%d engines, %d lanes)",
                            (long long)l->batch, (long long)l->lanes, ENGINES_MOST, LANES_MOST);
    if ((l->entities + l->relations) * l->beats > INT32_MAX || l->entities * (l->turns > l->words ? l->turns : l->words) > INT32_MAX)
        return dse_hls_text(hls, "%lld entities: beats of a pass do not fit the 32-bit counters of the emitted source", (long long)l->entities);
    return NULL;
}

static void add_sizes(const struct hdreason_layout *l, struct dse_hls *hls)
{
    dse_hls_add_size(hls, l->entities, 1, "entities", "ENTITIES");
    dse_hls_add_size(hls, l->relations, 1, "relations, with the inverse ones", "RELATIONS");
    dse_hls_add_size(hls, l->kept, 1, "dimensions that the score reads", "SCORE_DIM");
    dse_hls_add_size(hls, l->bits, 1, "bits of an element", "ELEMENT_BITS");
    dse_hls_add_size(hls, l->ports, 1, "memory ports of hypervectors", "MEMORY_PORTS");
    dse_hls_add_size(hls, l->axi_bits, 1, "bits of a memory port's word", "AXI_BITS");
    dse_hls_add_size(hls, l->steps, 1, "chunks of a vector, by the lanes of a score engine", "STEPS");
    dse_hls_add_size(hls, l->beats, 1, "beats of a vector", "BEATS");
    dse_hls_add_size(hls, l->turns, 1, "iterations that a vector takes from memory to its chunks", "TURNS");
    dse_hls_add_size(hls, dse_ceil_div(l->lanes * l->bits, 32), 1, "32-bit parts of a chunk", "CHUNK_PARTS");
    dse_hls_add_size(hls, l->distance_bits, 1, "bits of a distance", "DISTANCE_BITS");
    dse_hls_add_size(hls, HDREASON_HOST_BITS, 1, "bits of a word of the host's port", "HOST_BITS");
    dse_hls_add_size(hls, l->words, 1, "words of an entity's distances", "DISTANCE_WORDS");
}

static void add_ports(const struct hdreason_layout *l, struct dse_hls *hls)
{
    dse_hls_add_type(hls, "element_t", l->bits == 16 ? "int16_t" : "int8_t", l->bits, "element of a hypervector");
    dse_hls_add_type(hls, "id_t", "uint32_t", 32, "number of an entity or a relation");
    dse_hls_add_type(hls, "word_t", NULL, l->axi_bits, "word of a memory port");
    dse_hls_add_type(hls, "host_t", NULL, HDREASON_HOST_BITS, "word of the host's port");
    dse_hls_add_type(hls, "beat_t", NULL, l->ports * l->axi_bits, "words of all memory ports");
    dse_hls_add_type(hls, "chunk_t", NULL, 32 * dse_ceil_div(l->lanes * l->bits, 32), "elements that the score engines take at once");
    dse_hls_add_type(hls, "sums_t", NULL, HDREASON_HOST_BITS * l->words, "distances of an entity to all queries");
    dse_hls_add_port(hls, &(struct dse_hls_port){.name = "memory", .title = "M of the entities and H of the relations, a word of each beat", .type = "word_t", .numbered = true,
                                                  .count = l->ports, .words = (l->entities + l->relations) * l->beats, .burst_words = BURST, .outstanding = 16});
    dse_hls_add_memory(hls, "queries", "entity and relation of each query", "id_t", false, 2 * l->batch, 1);
    dse_hls_add_memory(hls, "distances", "of every entity to every query", "host_t", true, l->entities * l->words, 16);
    dse_hls_add_scalar(hls, "command", "0 answers the queries of a batch");
}

static void add_rules(const struct hdreason_layout *l, struct dse_hls *hls)
{
    const struct dse_hls_rule rules[] = {
        EVERY(0, "hdreason_ids", "pcie_queries", 1), EVERY(0, "hdreason_fetch_queries", "hypervectors_queries", 1),
        EVERY(0, "hdreason_keep", "hypervectors_gather", 1), EVERY(0, "hdreason_fetch", "hypervectors_beats", 1),
        EVERY(0, "hdreason_chunks", "hypervectors_chunks", 1), APART("hdreason_fetch", "word", 0), APART("hdreason_fetch_queries", "word", 0),
        WHOLLY("beat_of", "hypervectors_words"), WHOLLY("with_beat", "hypervectors_held"), WHOLLY("first_chunk", "hypervectors_chunk"),
        WHOLLY("hdreason_keep", "hypervectors_lanes"), DSE_HLS_PLAIN(0, DATAFLOW, "hdreason_gather", NULL, 0),
        DSE_HLS_STREAMED(0, "hdreason_gather", "asked", BURST, NULL), DSE_HLS_STREAMED(0, "hdreason_pass", "beats", BURST, NULL),
        EVERY(0, "hdreason_score", "score_steps", 1), WHOLLY("hdreason_score", "score_begin"), WHOLLY("row_of", "score_row"),
        DSE_HLS_UNROLLED(0, "hdreason_score", "score_queries", l->batch, "BATCH"),
        DSE_HLS_UNROLLED(0, "hdreason_score", "score_lanes", l->lanes, "SCORE_LANES"), APART("hdreason_score", "score_sums", 0), APART("hdreason_score", "score_memory", 0),
        EVERY(0, "hdreason_answer", "pcie_distances", 1), WHOLLY("hdreason_answer", "pcie_begin"), APART("hdreason_answer", "answer_parts", 0),
        DSE_HLS_PLAIN(0, DATAFLOW, "hdreason_pass", NULL, 0),
        DSE_HLS_STREAMED(0, "hdreason_pass", "chunks", 2, NULL), DSE_HLS_STREAMED(0, "hdreason_pass", "sums", 2, NULL),
        APART("hdreason_top", "subjects", 2), APART("hdreason_top", "subjects", 3), APART("hdreason_top", "relations", 2), APART("hdreason_top", "relations", 3)};
    dse_hls_add_rules(hls, rules, sizeof rules / sizeof *rules, 0);
}

static const struct dse_hls_check checks[] = {
    {0, "the chunks cover the kept dimensions", "1LL * HDREASON_STEPS * HDREASON_SCORE_LANES >= HDREASON_SCORE_DIM"},
    {0, "the beats cover the kept dimensions", "1LL * HDREASON_BEATS * HDREASON_MEMORY_PORTS * HDREASON_AXI_BITS >= 1LL * HDREASON_SCORE_DIM * HDREASON_ELEMENT_BITS"},
    {0, "an element's type holds its bits", "sizeof(hdreason_element_t) * 8 >= HDREASON_ELEMENT_BITS"},
    {0, "a word's type is as wide as the port", "sizeof(hdreason_word_t) * 8 == HDREASON_AXI_BITS"},
    {0, "a chunk's type holds its lanes", "sizeof(hdreason_chunk_t) * 8 >= HDREASON_SCORE_LANES * HDREASON_ELEMENT_BITS"},
    {0, "the words hold a distance to every query", "1LL * HDREASON_DISTANCE_WORDS * HDREASON_HOST_BITS >= 1LL * HDREASON_BATCH * HDREASON_DISTANCE_BITS"},
    {0, "a distance holds the largest", "HDREASON_DISTANCE_BITS == 32 || HDREASON_SCORE_DIM * ((2LL << (HDREASON_ELEMENT_BITS - 1)) - 2) < 65536"},
};

enum dse_status hdreason_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                                  struct dse_error *err)
{
    static const char *const sources[] = {"hdreason.h", "memory.c", "chunks.c", "score.c", "host.c", "top.c", NULL};
    struct hdreason_layout *l = dse_arena_alloc(&hls->arena, 1, sizeof *l);
    if (context->board->memory_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "the board %s has no memory", context->board->name);
    *l = hdreason_layout_of(context, config);
    hls->layout = l;
    hls->top = "hdreason_top";
    hls->unwritten = unwritten(l, config, hls);
    hls->sources = hls->unwritten == NULL ? sources : NULL;
    add_sizes(l, hls);
    add_ports(l, hls);
    add_rules(l, hls);
    dse_hls_add_checks(hls, checks, sizeof checks / sizeof *checks, 0);
    return DSE_OK;
}
