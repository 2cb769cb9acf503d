/* Describes the accelerator under models/hdreason/hls/ for its header: sizes, types, ports, registers, directives and conditions on them. */
#include <math.h>
#include <string.h>

#include "models/hdreason/layout.h"
#include "models/hls.h"

#define LANES_MOST 16384  /* over all score engines: sums, differences and absolute values of one loop */
#define ENGINES_MOST 1024 /* their sums fit in one FIFO word */
#define HELD_BITS_MOST 65536 /* largest size of the beats of one chunk */
#define IP_ELEMENTS_MOST 65536 /* held by all memorisation IPs */
#define PRODUCTS_MOST 16384    /* products of the encoder, or of the memorisation IPs */
#define RING_WORDS 64          /* words of a LUT memory */
#define URAM_WORDS 4096
#define URAM_BITS 72
#define PRODUCT_BITS 16        /* at most, of H_j and H_r */
#define SUM_BITS 32            /* width of a neighbour's sum */

#define BURST 16 /* beats, all of which a FIFO holds */

#define EVERY DSE_HLS_LOOP
#define WHOLLY(function, loop) DSE_HLS_UNROLLED(0, function, loop, 0, NULL)
#define APART(function, array, dimension) DSE_HLS_APART(0, function, array, dimension)

/* Chooses the array with the fewest steps per row; on ties the deepest. */
static void choose_array(int64_t products, struct hdreason_layout *l)
{
    int64_t fewest = INT64_MAX;
    for (int64_t depth = 1; depth <= products; depth *= 2) {
        const int64_t steps = dse_ceil_div(l->dim, products / depth) * dse_ceil_div(l->embedding, depth);
        if (steps > fewest || depth / 2 >= l->embedding)
            continue;
        fewest = steps;
        l->depth = depth;
    }
    l->width = products / l->depth < l->dim ? products / l->depth : l->dim;
    l->sweeps = dse_ceil_div(l->embedding, l->depth);
    l->groups = dse_ceil_div(l->dim, l->width);
    l->tables = dse_ceil_div(l->width, l->sweeps);
    l->table_trips = dse_ceil_div(l->width, l->tables);
    l->row_words = dse_ceil_div(l->embedding * l->bits, HDREASON_HOST_BITS);
    l->row_trips = l->groups * l->sweeps > l->row_words ? l->groups * l->sweeps : l->row_words;
}

static void add_memorising(const struct hdreason_work *work, const struct dse_config *config, struct hdreason_layout *l)
{
    l->dim = config->value[HDR_DIM];
    l->embedding = config->value[HDR_EMBEDDING];
    l->encoded = work->encoded;
    l->subjects = work->subjects;
    l->edges = work->edges;
    l->sum_bits = (2 * l->bits - 1 < PRODUCT_BITS ? 2 * l->bits - 1 : PRODUCT_BITS) + dse_bits_for(work->degree_count > 0 ? (int64_t)work->neighbours[2 * (work->degree_count - 1)] + 1 : 1);
    choose_array(config->value[HDR_ENCODER], l);
    l->vector_beats = dse_ceil_div(l->dim, l->beat);
    l->ips = config->value[HDR_IPS];
    l->ip_lanes = config->value[HDR_LANE_WIDTH];
    l->ip_steps = dse_ceil_div(l->dim, l->ip_lanes);
    l->ring = l->ip_steps * 2 < RING_WORDS ? RING_WORDS / l->ip_steps : 2;
    l->store_trips = l->ip_lanes > l->beat ? l->vector_beats : l->ip_steps;
    l->cache = config->value[HDR_CACHE] / dse_ceil_div(l->dim * l->bits, URAM_BITS) * URAM_WORDS; /* blocks in parallel, as wide as a hypervector */
}

/* A block of rows takes at least the time in which its rows arrive, a sweep the time in which its rows leave. Calls also have the batch's rows and requests. */
static void add_training(const struct dse_config *config, struct hdreason_layout *l)
{
    l->trains = config->value[HDR_TASK] != HDR_INFER;
    l->weight_words = dse_ceil_div(l->batch * 8 * HDREASON_WORD_BYTES, HDREASON_HOST_BITS);
    l->bundle_trips = l->lanes > l->ip_lanes ? l->ip_steps : l->steps;
    l->chunk = config->value[HDR_CHUNK];
    l->columns = config->value[HDR_TRAIN_PRODUCTS] / l->chunk < l->embedding ? config->value[HDR_TRAIN_PRODUCTS] / l->chunk : l->embedding;
    l->columns = l->columns > 0 ? l->columns : 1;
    l->train_sweeps = dse_ceil_div(l->embedding, l->columns);
    l->sweep_trips = l->dim > l->chunk ? l->dim : l->chunk;
    l->train_trips = l->train_sweeps * l->sweep_trips > l->chunk * l->ip_steps ? l->train_sweeps * l->sweep_trips : l->chunk * l->ip_steps;
    l->gradient_shift = 2 * l->bits - 1 + (l->dim > 1 ? dse_bits_for(l->dim) : 0) - SUM_BITS;
    l->gradient_shift = l->gradient_shift > 0 ? l->gradient_shift : 0;
    l->column_words = dse_ceil_div(l->columns * 32, HDREASON_HOST_BITS);
    if (l->trains) {
        const int64_t rows = l->encoded + l->relations, signs = l->entities + l->batch;
        l->subjects = rows > signs ? rows : signs;
        l->edges = (l->edges > rows ? l->edges : rows) * 2 + l->batch + l->relations;
    }
}

struct hdreason_layout hdreason_layout_of(const struct dse_context *context, const struct dse_config *config)
{
    const struct hdreason_shape s = hdreason_shape_of(context, config);
    struct hdreason_layout l = {.entities = s.work->entities, .relations = s.relation_rows, .kept = s.kept, .bits = s.bits, .batch = s.batch,
                                .lanes = config->value[HDR_SCORE_LANES], .ports = hdreason_ports(context, config), .axi_bits = config->value[HDR_AXI], .steps = s.score_steps, .trips = s.score_trips, .words = s.answer_words,
                                .distance_bits = hdreason_distance_bits(s.kept, s.bits)};
    l.beat = l.ports * l.axi_bits / l.bits;
    l.beats = s.score_beats;
    add_memorising(s.work, config, &l);
    add_training(config, &l);
    return l;
}

/* Why a design has no source, and what to do; NULL if it has one. */
static const char *unwritten(const struct hdreason_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    if (l->trains && config->value[HDR_BACKWARD] == HDR_FORWARD)
        return "training (task=train, task=fit) with backward=forward adds up the signs of all queries, so they cannot be weighted by query; add --fix backward=after or --set task=infer";
    if (l->trains && l->kept < l->dim)
        return dse_hls_text(hls, "training has a gradient of every dimension, not of kept_dims=%lld; add --set kept_dims=0 or --set task=infer", (long long)l->kept);
    if (l->trains && (config->value[HDR_TRAIN_PRODUCTS] < l->chunk || l->chunk * l->columns > PRODUCTS_MOST))
        return dse_hls_text(hls, "train.products=%lld must be at least train.chunk=%lld, one per row, and at most %d, the tools' limit for one loop",
                            (long long)config->value[HDR_TRAIN_PRODUCTS], (long long)l->chunk, PRODUCTS_MOST);
    if (config->value[HDR_PRECISION] == HDR_FP32)
        return "sums of precision=fp32 must keep their order, so each would wait for the previous one; add --set precision=fix16, fix8 or fix4";
    if ((l->ports & (l->ports - 1)) != 0)
        return dse_hls_text(hls, "half of hbm.channels=%lld, %lld, must be a power of two, because the source splits a beat into halves",
                            (long long)config->value[HDR_CHANNELS], (long long)l->ports);
    if (l->batch > ENGINES_MOST || l->batch * l->lanes > LANES_MOST || l->lanes * l->bits > HELD_BITS_MOST)
        return dse_hls_text(hls, "batch=%lld with score.lanes=%lld exceeds the tools' limit for one loop (%d engines, %d lanes)",
                            (long long)l->batch, (long long)l->lanes, ENGINES_MOST, LANES_MOST);
    if (l->width * l->depth > PRODUCTS_MOST || l->ips * l->ip_lanes > PRODUCTS_MOST || l->ips * l->dim > IP_ELEMENTS_MOST)
        return dse_hls_text(hls, "memorise.ips=%lld with memorise.lanes=%lld exceeds the tools' limit for one loop (%d lanes, %d elements of hypervectors)",
                            (long long)l->ips, (long long)l->ip_lanes, PRODUCTS_MOST, IP_ELEMENTS_MOST);
    if (l->sum_bits > SUM_BITS)
        return dse_hls_text(hls, "an entity has so many neighbours that their sum needs %lld bits, more than %d", (long long)l->sum_bits, SUM_BITS);
    if (hdreason_layout_beats(l) > INT32_MAX || l->edges * l->vector_beats > INT32_MAX || (l->encoded + l->relations) * l->row_trips > INT32_MAX || l->entities * (l->trips > l->words ? l->trips : l->words) > INT32_MAX)
        return dse_hls_text(hls, "the beats of a pass over %lld entities do not fit the 32-bit counters of the source", (long long)l->entities);
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
    dse_hls_add_size(hls, l->trips, 1, "iterations to move a vector from memory to its chunks", "TRIPS");
    dse_hls_add_size(hls, dse_ceil_div(l->lanes * l->bits, 32), 1, "32-bit parts of a chunk", "CHUNK_PARTS");
    dse_hls_add_size(hls, l->distance_bits, 1, "bits of a distance", "DISTANCE_BITS");
    dse_hls_add_size(hls, HDREASON_HOST_BITS, 1, "bits of a word of the host's port", "HOST_BITS");
    dse_hls_add_size(hls, l->words, 1, "words of an entity's distances", "DISTANCE_WORDS");
    dse_hls_add_size(hls, l->encoded, 1, "maximum of encoded entities", "ENCODED");
    dse_hls_add_size(hls, l->subjects, 1, "maximum of entities with a neighbour", "SUBJECTS");
    dse_hls_add_size(hls, l->edges, 1, "maximum of neighbours of all entities", "EDGES");
    dse_hls_add_size(hls, l->depth, 1, "elements of an embedding per cycle of the encoder", "ENCODER_DEPTH");
    dse_hls_add_size(hls, l->width, 1, "dimensions that the encoder computes in parallel", "ENCODER_WIDTH");
    dse_hls_add_size(hls, l->sweeps, 1, "steps through an embedding", "ENCODER_SWEEPS");
    dse_hls_add_size(hls, l->groups, 1, "groups of dimensions", "GROUPS");
    dse_hls_add_size(hls, l->row_words, 1, "host words of an embedding", "ROW_WORDS");
    dse_hls_add_size(hls, l->row_trips, 1, "cycles of an embedding in the encoder", "ENCODER_TRIPS");
    dse_hls_add_size(hls, l->tables, 1, "tables of tanh", "TANH_TABLES");
    dse_hls_add_size(hls, l->table_trips, 1, "cycles of a group in the tables of tanh", "TANH_TRIPS");
    dse_hls_add_size(hls, dse_ceil_div(l->dim * l->bits, 32), 1, "32-bit parts of a hypervector", "VECTOR_PARTS");
    dse_hls_add_size(hls, l->vector_beats, 1, "beats of a hypervector", "VECTOR_BEATS");
    dse_hls_add_size(hls, l->ip_steps, 1, "chunks of a hypervector, by the lanes of a memorisation IP", "IP_STEPS");
    dse_hls_add_size(hls, l->ring, 2, "vertices whose sums a memorisation IP keeps", "RING");
    dse_hls_add_size(hls, l->store_trips, 1, "cycles of a vertex's sums to the memory", "STORE_TRIPS");
    dse_hls_add_size(hls, l->cache > 0 ? l->cache : 1, 1, "hypervectors that the cache holds", "CACHE_VECTORS");
    dse_hls_add_size(hls, l->trains, 0, "1: training", "TRAINS");
    dse_hls_add_size(hls, hdreason_h_rows(l), 1, "rows of the memory behind M and H_r", "H_ROWS");
    if (!l->trains)
        return;
    dse_hls_add_size(hls, l->weight_words, 1, "host words of an entity's weights", "WEIGHT_WORDS");
    dse_hls_add_size(hls, l->bundle_trips, 1, "cycles of a row of sums to chunks of a memorisation IP", "BUNDLE_TRIPS");
    dse_hls_add_size(hls, l->ip_steps + 1, 1, "cycles of a row through the derivative of tanh", "THROUGH_TRIPS");
    dse_hls_add_size(hls, l->columns, 1, "elements of a row's embedding that SA2 computes in parallel", "TRAIN_COLUMNS");
    dse_hls_add_size(hls, l->train_sweeps, 1, "sweeps through the dimensions", "TRAIN_SWEEPS");
    dse_hls_add_size(hls, l->sweep_trips, 1, "cycles of a sweep", "SWEEP_TRIPS");
    dse_hls_add_size(hls, l->train_trips, 1, "cycles of a block of rows", "TRAIN_TRIPS");
    dse_hls_add_size(hls, l->column_words, 1, "host words of those elements", "COLUMN_WORDS");
    dse_hls_add_size(hls, l->gradient_shift, 0, "low bits that a sum of SA2 drops", "GRADIENT_SHIFT");
}

static void add_ports(const struct hdreason_layout *l, struct dse_hls *hls)
{
    dse_hls_add_type(hls, "element_t", l->bits == 16 ? "int16_t" : "int8_t", l->bits, "element of a hypervector");
    dse_hls_add_type(hls, "id_t", "uint32_t", 32, "number of an entity or a relation");
    dse_hls_add_type(hls, "word_t", NULL, l->axi_bits, "word of a memory port");
    dse_hls_add_type(hls, "host_t", NULL, HDREASON_HOST_BITS, "word of the host's port");
    dse_hls_add_type(hls, "beat_t", NULL, l->ports * l->axi_bits, "words of all memory ports");
    dse_hls_add_type(hls, "chunk_t", NULL, 32 * dse_ceil_div(l->lanes * l->bits, 32), "elements per cycle of the score engines");
    dse_hls_add_type(hls, "group_t", NULL, 32 * dse_ceil_div(l->width, 2), "addresses of tanh's table for a group of dimensions");
    dse_hls_add_type(hls, "vector_t", NULL, 32 * dse_ceil_div(l->dim * l->bits, 32), "hypervector");
    dse_hls_add_type(hls, "bundle_t", NULL, SUM_BITS * l->ip_lanes, "sums of a memorisation IP's chunk");
    dse_hls_add_type(hls, "request_t", NULL, 32 * HDREASON_REQUEST_WORDS, "request: flags and IP, relation, place in the cache, encoded entity");
    dse_hls_add_type(hls, "vertex_t", NULL, 32 * HDREASON_VERTEX_WORDS, "vertex: row, factor and shift of its sum");
    dse_hls_add_type(hls, "sums_t", NULL, HDREASON_HOST_BITS * l->words, "distances of an entity to all queries");
    dse_hls_add_port(hls, &(struct dse_hls_port){.name = "memory", .title = "M of the entities, H of the relations in M's steps, H of the encoded entities: a word of each beat", .type = "word_t", .writes = true,
                                                  .reads_too = true, .numbered = true, .count = l->ports, .words = hdreason_layout_beats(l), .burst_words = BURST, .outstanding = 16});
    dse_hls_add_memory(hls, "queries", "entity and relation of each query", "id_t", false, 2 * l->batch, 1);
    dse_hls_add_memory(hls, "rows", "embeddings to encode: entities', then relations'", "host_t", false, (l->encoded + l->relations) * l->row_words, 16);
    dse_hls_add_memory(hls, "requests", "neighbours in the scheduler's order", "request_t", false, l->edges, 16);
    dse_hls_add_memory(hls, "vertices", "vertices in the order of their lists", "vertex_t", false, l->subjects, 16);
    for (size_t p = hls->port_count - 3; p < hls->port_count; p++) /* ports of encoding and memorising, which write the kernel's own memory */
        hls->ports[p].alone = true;
    dse_hls_add_memory(hls, "distances", "distances of every entity to every query", "host_t", true, l->entities * l->words, 16);
    if (l->trains) {
        dse_hls_add_type(hls, "weights_t", NULL, 32 * dse_ceil_div(l->batch * 8 * HDREASON_WORD_BYTES, 32), "weights of an entity's distances");
        dse_hls_add_type(hls, "signs_t", NULL, SUM_BITS * l->lanes, "sums of a chunk of the score engines");
        dse_hls_add_type(hls, "through_t", NULL, 32 * dse_ceil_div(l->ip_lanes * l->bits, 32), "elements of a memorisation IP's chunk");
        dse_hls_add_type(hls, "columns_t", NULL, SUM_BITS * l->columns, "elements of an embedding's gradient");
        dse_hls_add_memory(hls, "weights", "weights of every entity's distances to the queries, 16 bits each", "host_t", false, l->entities * l->weight_words, 16);
        dse_hls_add_memory(hls, "gradients", "gradients of embeddings, by blocks of rows and sweeps", "host_t", true, (l->encoded + l->relations) * l->train_sweeps * l->column_words, 16);
    }
    dse_hls_add_scalar(hls, "command", "0 answers the queries of a batch, 1 encodes and memorises; 2 makes gradients of memories and queries, 3 sums rows, 4 memorises, 5 and 6 make gradients of embeddings");
    dse_hls_add_scalar(hls, "encoded_count", "entities to encode");
    dse_hls_add_scalar(hls, "request_count", "neighbours");
    dse_hls_add_scalar(hls, "read_count", "entities whose hypervector is read from memory");
    dse_hls_add_scalar(hls, "vertex_count", "vertices");
    dse_hls_add_scalar(hls, "trips", "cycles of the memorisation IPs, by the scheduler");
    dse_hls_add_scalar(hls, "address_shift", "right shift of a sum to the address of tanh's table");
    dse_hls_add_scalar(hls, "relation_shift", "right shift of H to steps of M");
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

/* Iterations of loops that no cost records: they delay no query. */
struct turning {
    const char *loop;
    int64_t iterations;
};

static void put_trips(struct dse_hls *hls, const struct turning *trips, size_t count)
{
    for (size_t i = 0; i < hls->directive_count; i++)
        for (size_t t = 0; t < count; t++)
            if (hls->directives[i].kind == DSE_HLS_LOOP_TRIPCOUNT && strcmp(hls->directives[i].target, trips[t].loop) == 0)
                hls->directives[i].number = hls->directives[i].mean = trips[t].iterations;
}

/* Delays of logic, as in the checker of emitted designs: dispatching a request, over all IPs, decides the next one; state kept per IP is counted. */
#define USABLE 0.73 /* share of a cycle */
#define CHOICE_S 0.3e-9
#define CHOICES 6 /* multiplexers, besides one per IP */
#define COUNT_S 6.0e-9

int64_t hdreason_trip_interval(int64_t ips, double clock_hz)
{
    return (int64_t)ceil(fmax((double)(CHOICES + ips) * CHOICE_S, COUNT_S) * clock_hz / USABLE);
}

static void add_memorising_rules(const struct hdreason_layout *l, bool ultra, double clock_hz, struct dse_hls *hls)
{
    const int64_t interval = hdreason_trip_interval(l->ips, clock_hz);
    const char *cache = l->cache > 0 ? "uram" : "bram"; /* without a cache one place, which keeps nothing */
    const struct dse_hls_rule rules[] = {
        EVERY(0, "hdreason_rows", "pcie_rows", 1), APART("hdreason_encode", "hdreason_base", 2), APART("hdreason_encode", "encoder_next", 0),
        APART("hdreason_encode", "encoder_row", 0), APART("hdreason_encode", "encoder_sums", 0), WHOLLY("hdreason_encode", "encoder_begin"), WHOLLY("hdreason_encode", "encoder_empty"),
        EVERY(0, "hdreason_encode", "encoder_steps", 1), DSE_HLS_UNROLLED(0, "hdreason_encode", "encoder_width", l->width, "ENCODER_WIDTH"),
        DSE_HLS_UNROLLED(0, "hdreason_encode", "encoder_depth", l->depth, "ENCODER_DEPTH"),
        DSE_HLS_STORED(0, "hdreason_tanh_steps", "hdreason_tanh", "bram", l->tables), APART("hdreason_tanh_steps", "tanh_addresses", 0),
        APART("hdreason_tanh_steps", "tanh_made", 0), APART("hdreason_tanh_steps", "tanh_words", 0), WHOLLY("hdreason_tanh_steps", "tanh_begin"), WHOLLY("hdreason_tanh_steps", "tanh_empty"),
        EVERY(0, "hdreason_tanh_steps", "tanh_steps", 1), DSE_HLS_UNROLLED(0, "hdreason_tanh_steps", "tanh_tables", l->tables, "TANH_TABLES"),
        APART("hdreason_write_rows", "write_parts", 0), APART("hdreason_write_rows", "word", 0), WHOLLY("hdreason_write_rows", "hypervectors_empty"),
        EVERY(0, "hdreason_write_rows", "hypervectors_encoded", 1), DSE_HLS_PLAIN(0, DATAFLOW, "hdreason_encoding", NULL, 0),
        DSE_HLS_STREAMED(0, "hdreason_encoding", "embeddings", BURST, NULL), DSE_HLS_STREAMED(0, "hdreason_encoding", "addresses", 2, NULL),
        DSE_HLS_STREAMED(0, "hdreason_encoding", "encodings", 2, NULL),
        EVERY(0, "hdreason_requests", "pcie_requests", 1), EVERY(0, "hdreason_fetch_wanted", "hypervectors_wanted", 1),
        APART("hdreason_fetch_wanted", "fetch_parts", 0), APART("hdreason_fetch_wanted", "word", 0), WHOLLY("hdreason_fetch_wanted", "hypervectors_clear"),
        APART("hdreason_memorise", "ip_vertex", 0), APART("hdreason_memorise", "ip_relation", 0), APART("hdreason_memorise", "ip_sums", 0),
        APART("hdreason_memorise", "ip_done", 1), APART("hdreason_memorise", "ip_done", 3), DSE_HLS_STORED(0, "hdreason_memorise", "ip_done", "bram", 0),
        APART("hdreason_memorise", "ip_left", 0), APART("hdreason_memorise", "ip_begins", 0), APART("hdreason_memorise", "ip_ends", 0),
        APART("hdreason_memorise", "ip_full", 0), APART("hdreason_memorise", "ip_slot", 0), WHOLLY("clear_ips", "memorisation_clear"), WHOLLY("clear_ips", "memorisation_chunks"), WHOLLY("clear_ips", "memorisation_lanes"),
        WHOLLY("no_vector", "dispatcher_begin"), APART("hdreason_memorise", "ip_busy", 0), APART("hdreason_memorise", "ip_crowded", 0), APART("hdreason_memorise", "ip_wanted", 0), APART("hdreason_memorise", "now_works", 0), APART("hdreason_memorise", "now_keeps", 0),
        APART("hdreason_memorise", "now_ends", 0), APART("hdreason_memorise", "now_place", 0), APART("hdreason_memorise", "now_takes", 0),
        EVERY(0, "hdreason_memorise", "memorisation_trips", interval), DSE_HLS_UNROLLED(0, "bind_chunks", "memorisation_ips", l->ips, "MEMORISE_IPS"),
        DSE_HLS_UNROLLED(0, "hdreason_memorise", "dispatcher_ips", l->ips, "MEMORISE_IPS"), DSE_HLS_UNROLLED(0, "hdreason_memorise", "dispatcher_wanted", l->ips, "MEMORISE_IPS"),
        EVERY(0, "hdreason_vertices", "pcie_vertices", 1), APART("hdreason_write_memory", "store_elements", 0), APART("hdreason_write_memory", "word", 0),
        WHOLLY("hdreason_write_memory", "memorisation_empty"), EVERY(0, "hdreason_write_memory", "memorisation_shares", 1),
        DSE_HLS_PLAIN(0, DATAFLOW, "hdreason_memorising", NULL, 0), DSE_HLS_STREAMED(0, "hdreason_memorising", "orders", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_memorising", "wanted", BURST, NULL), DSE_HLS_STREAMED(0, "hdreason_memorising", "fetched", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_memorising", "bundles", 2, NULL), DSE_HLS_STREAMED(0, "hdreason_memorising", "shares", BURST, NULL),
        DSE_HLS_PLAIN(0, AGGREGATE, "hdreason_top", "cache", 0), DSE_HLS_PLAIN(0, AGGREGATE, "hdreason_top", "bindings", 0),
        DSE_HLS_STORED(0, "hdreason_top", "cache", cache, 0), DSE_HLS_STORED(0, "hdreason_top", "bindings", ultra ? "uram" : "bram", 0)};
    const int64_t rows = l->encoded + l->relations;
    const struct turning trips[] = {{"pcie_rows", rows * l->row_words}, {"encoder_steps", (rows + 1) * l->row_trips}, {"tanh_steps", rows * l->groups * l->table_trips},
                 {"hypervectors_encoded", rows * l->vector_beats}, {"pcie_requests", l->edges}, {"hypervectors_wanted", l->encoded * l->vector_beats},
                 {"memorisation_trips", l->edges * l->ip_steps}, {"pcie_vertices", l->subjects}, {"memorisation_shares", l->subjects * l->store_trips}};
    dse_hls_add_rules(hls, rules, sizeof rules / sizeof *rules, 0);
    put_trips(hls, trips, sizeof trips / sizeof *trips);
}

static void add_training_rules(const struct hdreason_layout *l, struct dse_hls *hls)
{
    const struct dse_hls_rule rules[] = {
        APART("hdreason_weights", "weight_parts", 0), WHOLLY("hdreason_weights", "pcie_empty"), EVERY(0, "hdreason_weights", "pcie_weights", 1),
        DSE_HLS_CYCLIC(0, "hdreason_signs", "signs_sums", hdreason_keeps_sums(l) ? 1 : 0, NULL, 1), APART("hdreason_signs", "signs_sums", 2), APART("hdreason_signs", "signs_sums", 3),
        {0, false, {DSE_HLS_DEPENDENCE, "hdreason_signs", "signs_sums", l->steps, "STEPS", 0, NULL, 0}}, APART("hdreason_signs", "signs_weights", 0),
        EVERY(0, "hdreason_signs", "score_signs", 1), DSE_HLS_UNROLLED(0, "hdreason_signs", "score_elements", l->lanes, "SCORE_LANES"),
        DSE_HLS_UNROLLED(0, "hdreason_signs", "score_weights", l->batch, "BATCH"),
        APART("hdreason_bundles", "bundle_held", 0), WHOLLY("hdreason_bundles", "gradients_begin"), EVERY(0, "hdreason_bundles", "gradients_bundles", 1),
        APART("hdreason_sum_rows", "sums_row", 0), APART("hdreason_sum_rows", "sums_factor", 0), APART("hdreason_sum_rows", "sums_whole", 0),
        WHOLLY("hdreason_sum_rows", "gradients_empty"), EVERY(0, "hdreason_sum_rows", "gradients_sums", 1), DSE_HLS_UNROLLED(0, "hdreason_sum_rows", "gradients_lanes", l->ip_lanes, "MEMORISE_LANES"),
        APART("hdreason_through", "through_row", 0), APART("hdreason_through", "through_hyper", 0), WHOLLY("hdreason_through", "training_begin"),
        EVERY(0, "hdreason_through", "training_through", 1), DSE_HLS_UNROLLED(0, "hdreason_through", "training_lanes", l->ip_lanes, "MEMORISE_LANES"),
        APART("hdreason_train", "hdreason_base_turned", 2), APART("hdreason_train", "train_rows", 1), DSE_HLS_PLAIN(0, AGGREGATE, "hdreason_train", "train_rows", 0),
        APART("hdreason_train", "train_front", 0), APART("hdreason_train", "train_sums", 0), APART("hdreason_train", "train_done", 0), WHOLLY("hdreason_train", "training_clear"), WHOLLY("hdreason_train", "training_empty"),
        EVERY(0, "hdreason_train", "training_steps", 1), DSE_HLS_UNROLLED(0, "hdreason_train", "training_rows", l->chunk, "TRAIN_CHUNK"),
        DSE_HLS_UNROLLED(0, "hdreason_train", "training_columns", l->columns, "TRAIN_COLUMNS"), DSE_HLS_UNROLLED(0, "hdreason_train", "training_loads", l->chunk, "TRAIN_CHUNK"),
        APART("hdreason_embeddings", "column_parts", 0), WHOLLY("hdreason_embeddings", "pcie_clear"), EVERY(0, "hdreason_embeddings", "pcie_gradients", 1),
        DSE_HLS_PLAIN(0, DATAFLOW, "hdreason_signing", NULL, 0), DSE_HLS_STREAMED(0, "hdreason_signing", "signs_beats", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_signing", "signs_chunks", 2, NULL), DSE_HLS_STREAMED(0, "hdreason_signing", "weighted", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_signing", "signs", 2, NULL), DSE_HLS_STREAMED(0, "hdreason_signing", "signs_bundles", 2, NULL),
        DSE_HLS_STREAMED(0, "hdreason_signing", "signs_shares", BURST, NULL),
        DSE_HLS_PLAIN(0, DATAFLOW, "hdreason_summing", NULL, 0), DSE_HLS_STREAMED(0, "hdreason_summing", "sums_orders", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_summing", "sums_wanted", BURST, NULL), DSE_HLS_STREAMED(0, "hdreason_summing", "sums_fetched", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_summing", "sums_bundles", 2, NULL), DSE_HLS_STREAMED(0, "hdreason_summing", "sums_shares", BURST, NULL),
        DSE_HLS_PLAIN(0, DATAFLOW, "hdreason_deriving", NULL, 0), DSE_HLS_STREAMED(0, "hdreason_deriving", "through_orders", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_deriving", "through_wanted", BURST, NULL), DSE_HLS_STREAMED(0, "hdreason_deriving", "through_fetched", BURST, NULL),
        DSE_HLS_STREAMED(0, "hdreason_deriving", "through", 2, NULL), DSE_HLS_STREAMED(0, "hdreason_deriving", "columns", 2, NULL)};
    const int64_t rows = l->encoded + l->relations;
    const struct turning trips[] = {
        {"pcie_weights", l->entities * l->weight_words}, {"score_signs", (l->entities + l->batch) * l->steps},
        {"gradients_bundles", (l->entities + l->batch) * l->bundle_trips}, {"gradients_sums", l->edges * l->ip_steps}, {"training_through", rows * (l->ip_steps + 1)},
        {"training_steps", (dse_ceil_div(rows, l->chunk) + 1) * l->train_trips + l->chunk}, {"pcie_gradients", rows * l->train_sweeps * l->column_words}};
    dse_hls_add_rules(hls, rules, sizeof rules / sizeof *rules, 0);
    put_trips(hls, trips, sizeof trips / sizeof *trips);
}

static const struct dse_hls_check checks[] = {
    {0, "the chunks cover the kept dimensions", "1LL * HDREASON_STEPS * HDREASON_SCORE_LANES >= HDREASON_SCORE_DIM"},
    {0, "the beats cover the kept dimensions", "1LL * HDREASON_BEATS * HDREASON_MEMORY_PORTS * HDREASON_AXI_BITS >= 1LL * HDREASON_SCORE_DIM * HDREASON_ELEMENT_BITS"},
    {0, "an element's type holds its bits", "sizeof(hdreason_element_t) * 8 >= HDREASON_ELEMENT_BITS"},
    {0, "a word's type is as wide as the port", "sizeof(hdreason_word_t) * 8 == HDREASON_AXI_BITS"},
    {0, "a chunk's type holds its lanes", "sizeof(hdreason_chunk_t) * 8 >= HDREASON_SCORE_LANES * HDREASON_ELEMENT_BITS"},
    {0, "the encoder's steps cover the embedding", "1LL * HDREASON_ENCODER_SWEEPS * HDREASON_ENCODER_DEPTH >= HDREASON_EMBEDDING"},
    {0, "the encoder's groups cover the dimensions", "1LL * HDREASON_GROUPS * HDREASON_ENCODER_WIDTH >= HDREASON_DIM"},
    {0, "a hypervector's type holds its elements", "sizeof(hdreason_vector_t) * 8 >= HDREASON_DIM * HDREASON_ELEMENT_BITS"},
    {0, "the beats cover a hypervector", "1LL * HDREASON_VECTOR_BEATS * HDREASON_MEMORY_PORTS * HDREASON_AXI_BITS >= 1LL * HDREASON_DIM * HDREASON_ELEMENT_BITS"},
    {0, "a memorisation IP's chunks cover the dimensions", "1LL * HDREASON_IP_STEPS * HDREASON_MEMORISE_LANES >= HDREASON_DIM"},
    {0, "the words hold a distance to every query", "1LL * HDREASON_DISTANCE_WORDS * HDREASON_HOST_BITS >= 1LL * HDREASON_BATCH * HDREASON_DISTANCE_BITS"},
    {0, "a distance holds the largest", "HDREASON_DISTANCE_BITS == 32 || HDREASON_SCORE_DIM * ((2LL << (HDREASON_ELEMENT_BITS - 1)) - 2) < 65536"},
};

enum dse_status hdreason_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                                  struct dse_error *err)
{
    static const char *const sources[] = {"hdreason.h", "encoder.c", "memorise.c", "memory.c", "chunks.c", "score.c", "host.c", "top.c", NULL};
    static const char *const with_training[] = {"hdreason.h", "encoder.c", "memorise.c", "memory.c", "chunks.c", "score.c", "training.c", "host.c", "top.c", NULL};
    struct hdreason_layout *l = dse_arena_alloc(&hls->arena, 1, sizeof *l);
    if (context->board->memory_count == 0)
        return dse_fail(err, DSE_ANSWER_NO, "the board %s has no memory", context->board->name);
    *l = hdreason_layout_of(context, config);
    hls->layout = l;
    hls->top = "hdreason_top";
    hls->unwritten = unwritten(l, config, hls);
    hls->sources = hls->unwritten != NULL ? NULL : l->trains ? with_training : sources;
    add_sizes(l, hls);
    add_ports(l, hls);
    add_rules(l, hls);
    add_memorising_rules(l, context->board->chip[DSE_URAM] > 0, (double)config->value[HDR_CLOCK_MHZ] * 1e6, hls);
    if (l->trains)
        add_training_rules(l, hls);
    dse_hls_add_checks(hls, checks, sizeof checks / sizeof *checks, 0);
    return DSE_OK;
}
