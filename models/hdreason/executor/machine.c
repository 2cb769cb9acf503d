#include "models/hdreason/executor/machine.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "models/hdreason/executor/step_machine.h"

#define DISPATCH_CYCLES 1.0   /* per neighbour on chip: CAM, UltraRAM (writes use its second port) and FIFOs are pipelined */
#define FIFO_STEPS 16         /* steps that the dispatcher may be ahead of the memorisation IPs */
#define PCIE_BYTES_PER_S 12e9 /* as models/hdreason/microarchitecture.md has it */
#define WORD_BYTES 2          /* size of δ over PCIe */
#define TAKE_APART 2.0        /* registers of a stage that unpacks beats */
#define ADD_S 0.9e-9          /* delay of an adder; logic may take SHARE_OF_CYCLE of a cycle */
#define CHOOSE_S 0.3e-9
#define SHARE_OF_CYCLE 0.73
#define HOST_BYTES 64         /* size of a word of the host's port */

/* Times are cycles since the stage began. */
struct machine {
    const struct hdr_hardware *h;
    const struct hdr_graph *graph;
    struct hdr_record *record;
    struct hdr_cache cache;
    unsigned char *encoded;        /* [entities] */
    double vector, encoding, pcie; /* cycles of a vector over half of the channels, of one encoding, of a byte over PCIe */
    double encoder, dispatcher, ips, hypervectors, gradients;
    double left[FIFO_STEPS];       /* when the IPs ended the last steps */
};

static size_t in_whole(size_t count, size_t of)
{
    return (count + of - 1) / of;
}

/* The larger of the whole beats and the time that the channels need. */
static double vector_cycles(const struct hdr_hardware *h, size_t elements)
{
    double sustained = (double)(elements * h->bits) / 8.0 / (h->bytes_a_cycle * (double)h->channels / 2.0);
    return fmax((double)in_whole(elements * h->bits, h->beat_bits), sustained);
}

/* Cycles of the encoder's next vector: the slowest of its array, its tanh tables and the embedding's transfer. */
static double encoding_cycles(const struct hdr_hardware *h, double pcie)
{
    double tables = ceil((double)h->encoder / (double)h->embedding);
    double array = ceil((double)(h->dim * h->embedding) / (double)h->encoder), row = (double)(h->embedding * h->bits) / 8.0 * pcie;
    return fmax(fmax(array, (double)h->dim / tables), row);
}

/* One neighbour through the dispatcher. */
static void ask(struct machine *m, int32_t vertex)
{
    bool first = !m->encoded[vertex];
    if (!m->h->once) { /* encoded for this request alone */
        m->encoder += m->encoding;
        m->record->encoded++;
        m->dispatcher = fmax(m->dispatcher + DISPATCH_CYCLES, m->encoder);
        return;
    }
    bool hit = hdr_cache_ask(&m->cache, vertex);
    m->dispatcher += DISPATCH_CYCLES;
    if (first) {
        m->encoded[vertex] = 1;
        m->record->encoded++;
        m->encoder += m->encoding;
        m->hypervectors += m->vector;
        m->record->encoder_waits += m->encoder > m->dispatcher;
        m->dispatcher = fmax(m->dispatcher, m->encoder);
    } else if (!hit) {
        m->record->rereads++;
        m->dispatcher += m->vector;
        m->hypervectors += m->vector;
    }
}

static bool memorise_list(void *user, const struct hdr_list *list)
{
    struct machine *m = user;
    const double each = ceil((double)m->h->dim / (double)m->h->lane_width);
    for (size_t step = 0; step < list->steps; step++) {
        size_t slot = m->record->steps % FIFO_STEPS, busy = 0;
        m->dispatcher = fmax(m->dispatcher, m->left[slot]);
        for (size_t i = 0; i < list->count; i++) {
            int32_t neighbour = hdr_list_neighbour(m->graph, list, i, step);
            if (neighbour < 0)
                continue;
            ask(m, neighbour);
            busy++;
        }
        m->ips = fmax(m->ips, m->dispatcher) + each;
        m->left[slot] = m->ips;
        m->record->idle_ips += m->h->ips - busy;
        m->record->steps++;
    }
    m->record->lists++;
    m->hypervectors += (double)list->count * m->vector;
    m->gradients += (double)list->count * m->vector;
    return true;
}

static uint64_t whole(double cycles)
{
    return (uint64_t)llround(cycles);
}

/* Bytes of each channel of a half, from the cycles of the vectors. */
static void put_bytes(struct machine *m, enum hdr_machine_stage stage, size_t elements, double pcie)
{
    const double a_vector = (double)(elements * m->h->bits) / 8.0 / ((double)m->h->channels / 2.0);
    m->record->hypervector_bytes[stage] = whole(m->hypervectors / vector_cycles(m->h, elements) * a_vector);
    m->record->gradient_bytes[stage] = whole(m->gradients / m->vector * (double)(m->h->dim * m->h->bits) / 8.0 / ((double)m->h->channels / 2.0));
    m->record->pcie_bytes[stage] = whole(pcie);
}

static void memorise(struct machine *m)
{
    struct hdr_record *r = m->record;
    uint64_t *work = r->work[HDR_STAGE_MEMORISE];
    const double relations = (double)m->graph->relations, row = (double)(m->h->embedding * m->h->bits) / 8.0;
    m->encoder = relations * m->encoding; /* relations are needed first */
    hdr_schedule_walk(m->graph, m->h->schedule, m->h->ips, memorise_list, m);
    double encodings = (double)r->encoded + relations, arrays = ceil((double)(m->h->dim * m->h->embedding) / (double)m->h->encoder);
    work[HDR_UNIT_ENCODER] = whole(encodings * arrays);
    work[HDR_UNIT_TANH] = whole(ceil(encodings * (double)m->h->dim / ceil((double)m->h->encoder / (double)m->h->embedding)));
    work[HDR_UNIT_DISPATCHER] = whole(m->dispatcher);
    work[HDR_UNIT_MEMORISATION] = (uint64_t)(r->steps * ((m->h->dim + m->h->lane_width - 1) / m->h->lane_width));
    work[HDR_UNIT_HYPERVECTORS] = whole(m->hypervectors);
    work[HDR_UNIT_GRADIENTS] = whole(m->gradients);
    work[HDR_UNIT_PCIE] = whole(encodings * row * m->pcie);
    r->stage[HDR_STAGE_MEMORISE] = whole(fmax(fmax(m->ips, m->encoder), fmax(m->hypervectors, m->gradients)));
    r->hits = m->cache.hits;
    r->misses = m->cache.misses;
    r->victims = m->cache.victims;
    put_bytes(m, HDR_STAGE_MEMORISE, m->h->dim, encodings * row);
}

/* Registers between a chunk and its sum: both saturated sums of an element, its magnitude, the tree, and the running sum. */
static double score_stages(const struct hdr_hardware *h)
{
    double tree = 0.0;
    for (size_t lanes = h->score_lanes; lanes > 1; lanes = (lanes + 1) / 2)
        tree += 1.0;
    return 2.0 + ceil(((6.0 + tree) * ADD_S + 3.0 * CHOOSE_S) * h->clock_hz / SHARE_OF_CYCLE);
}

/* Cycles of a pass over the entities. The queries' vectors come first. Then each entity's memory is read and passes all engines, and its signs are
 * written. Distances go to the CPU in parallel. `turn`: cycles of a vector from memory; `row`: of an entity's distances. */
static double pass(const struct machine *m, double turn, double row, bool writes)
{
    const double engine = (double)in_whole(m->h->kept, m->h->score_lanes);
    /* the ids of the queries, their vectors and the entities wait for the memory once each; two stages unpack beats */
    double in = 2.0 * (double)m->h->batch * (1.0 + turn) + 3.0 * (m->h->read_cycles + 2.0) + 2.0 * TAKE_APART, engines = 0.0, out = 0.0, signs = 0.0;
    const double adders = score_stages(m->h);
    for (size_t j = 0; j < m->graph->entities; j++) {
        in += turn;
        engines = fmax(engines, in) + engine;
        signs = writes ? fmax(signs, engines) + m->vector : 0.0;
        out = fmax(out, engines) + row;
    }
    return fmax(fmax(engines + adders, out + adders), signs);
}

/* Words of the host's port for a row of distances; a distance has 16 bits if the largest fits. */
static size_t host_words(const struct hdr_hardware *h)
{
    double largest = (double)h->kept * (ldexp(1.0, (int)h->bits) - 2.0);
    return in_whole(h->batch * (h->bits < 32 && largest < 65536.0 ? 2 : 4), HOST_BYTES);
}

static void score(struct machine *m)
{
    struct hdr_record *r = m->record;
    uint64_t *work = r->work[HDR_STAGE_SCORE];
    const double entities = (double)m->graph->entities, asked = 2.0 * (double)m->h->batch, engine = (double)in_whole(m->h->kept, m->h->score_lanes);
    const double beats = (double)in_whole(m->h->kept * m->h->bits, m->h->beat_bits), turn = fmax(engine, beats), words = (double)host_words(m->h);
    const double read = fmax(turn, vector_cycles(m->h, m->h->kept)), row = words * fmax(1.0, HOST_BYTES * m->pcie);
    bool writes = m->h->task != HDR_INFER && m->h->forward;
    const double loops = pass(m, turn, words, writes), slower = pass(m, read, words, writes), all = pass(m, read, row, writes);
    work[HDR_UNIT_NORM] = whole(entities * engine);
    work[HDR_UNIT_SCORE] = whole(entities * engine + score_stages(m->h));
    work[HDR_UNIT_HYPERVECTORS] = whole((entities + asked) * read + 2.0 * (m->h->read_cycles + 2.0 + TAKE_APART));
    work[HDR_UNIT_GRADIENTS] = writes ? whole(entities * m->vector) : 0;
    work[HDR_UNIT_PCIE] = whole(entities * row + asked + m->h->read_cycles + 2.0);
    r->stage[HDR_STAGE_SCORE] = whole(all);
    r->stalls[HDR_STAGE_SCORE][0] = whole(slower - loops);
    r->stalls[HDR_STAGE_SCORE][1] = whole(all - slower);
    r->hidden[0] = whole(fmax((entities + asked) * (read - turn) - (slower - loops), 0.0));
    r->hidden[1] = whole(fmax(entities * (row - words) - (all - slower), 0.0));
    m->hypervectors = (entities + asked) * vector_cycles(m->h, m->h->kept);
    m->gradients = writes ? entities * m->vector : 0.0;
    put_bytes(m, HDR_STAGE_SCORE, m->h->kept, entities * words * HOST_BYTES);
}

/* Chunks of T vertices: δ and both gradients arrive, the array works, the result leaves. */
static void train(struct machine *m)
{
    struct hdr_record *r = m->record;
    uint64_t *work = r->work[HDR_STAGE_TRAIN];
    const size_t entities = m->graph->entities, T = m->h->chunk;
    const double row = (double)(m->h->embedding * m->h->bits) / 8.0 * m->pcie;
    double in = 0.0, array = 0.0, out = 0.0, products = 0.0;
    m->gradients = m->hypervectors = 0.0;
    for (size_t first = 0; first < entities; first += T) {
        double count = (double)(entities - first < T ? entities - first : T);
        double each = ceil(count * (double)(m->h->dim * m->h->embedding) / (double)m->h->products);
        in += count * (double)m->h->batch * WORD_BYTES * m->pcie;
        m->gradients += 2.0 * count * m->vector;
        array = fmax(array, fmax(in, m->gradients)) + each;
        out = fmax(out, array) + count * row;
        products += each;
    }
    work[HDR_UNIT_GRADIENTS] = whole(m->gradients);
    work[HDR_UNIT_PCIE] = whole(fmax(in, (double)(entities + m->graph->relations) * row));
    /* the array's chunks also include the stage's wait for the first chunk and for the last results */
    work[HDR_UNIT_TRAINING] = whole(products + fmax(out - fmax(products, fmax(m->gradients, (double)work[HDR_UNIT_PCIE])), 0.0));
    r->stage[HDR_STAGE_TRAIN] = whole(out);
    put_bytes(m, HDR_STAGE_TRAIN, m->h->dim, (double)(entities * m->h->batch) * WORD_BYTES + (double)(entities + m->graph->relations) * row / m->pcie);
}

static void repeat(struct hdr_record *r, double times)
{
    for (size_t s = 0; s < HDR_STAGES_COUNT; s++) {
        r->stage[s] = whole((double)r->stage[s] * times);
        for (size_t u = 0; u < HDR_UNITS_COUNT; u++)
            r->work[s][u] = whole((double)r->work[s][u] * times);
    }
}

void hdr_machine_run(const struct hdr_hardware *h, const struct hdr_graph *graph, double times, struct hdr_record *out)
{
    *out = (struct hdr_record){0};
    struct machine m = {.h = h, .graph = graph, .record = out, .encoded = dse_calloc(graph->entities + 1, 1), .vector = vector_cycles(h, h->dim),
                        .pcie = h->clock_hz / PCIE_BYTES_PER_S};
    m.encoding = encoding_cycles(h, m.pcie);
    hdr_cache_make(h->policy, h->cache_vectors, graph->entities, hdr_degree_most(&graph->in), &m.cache);
    const bool trains = h->task != HDR_INFER;
    if (trains && h->forward)
        memorise(&m);
    score(&m);
    if (trains && h->forward)
        train(&m);
    else if (trains)
        hdr_step_machine_run(h, graph, out);
    hdr_cache_free(&m.cache);
    free(m.encoded);
    repeat(out, times);
}

void hdr_machine_score(const struct hdr_ranker *r, struct hdr_pair query, int32_t *distance)
{
    for (size_t j = 0; j < r->entities; j++) {
        int32_t sum = 0;
        float real = 0.0f;
        for (size_t k = 0; k < r->dims; k++) {
            int32_t q = hdr_ranker_query(r, (size_t)query.a, (size_t)query.b, k), m = r->row[j * r->stride + k];
            if (r->precision == HDR_FP32)
                real += fabsf(hdr_float_of(q) - hdr_float_of(m));
            else
                sum += q > m ? q - m : m - q;
        }
        distance[j] = r->precision == HDR_FP32 ? hdr_bits_of(real) : sum;
    }
}
