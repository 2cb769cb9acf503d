#include "models/hdreason/executor/machine.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

#define DISPATCH_CYCLES 1.0   /* a neighbour that is on chip: CAM, UltraRAM (its second port is written), FIFOs, pipelined */
#define FIFO_STEPS 16         /* that the dispatcher may be ahead of the memorisation IPs */
#define PCIE_BYTES_PER_S 12e9 /* as models/hdreason/microarchitecture.md has it */
#define WORD_BYTES 2          /* of a distance and of δ over PCIe */

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
    double again;                  /* all steps once more for the relations alone, which the dispatcher must fetch again */
};

static double vector_cycles(const struct hdr_hardware *h, size_t elements)
{
    return (double)(elements * h->bits) / 8.0 / (h->bytes_a_cycle * (double)h->channels / 2.0);
}

/* The encoder's next vector: the slowest of its array, its tables of tanh and the embedding's way. */
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
    if (!m->h->once) { /* made for this one request */
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
        m->again += fmax((double)busy * DISPATCH_CYCLES, each);
        m->record->idle_ips += m->h->ips - busy;
        m->record->steps++;
    }
    m->record->lists++;
    m->hypervectors += (double)list->count * m->vector;
    m->gradients += m->h->task != HDR_INFER && m->h->forward ? (double)list->count * m->vector : 0.0;
    return true;
}

static uint64_t whole(double cycles)
{
    return (uint64_t)llround(cycles);
}

static void put_bytes(struct machine *m, enum hdr_machine_stage stage, double pcie)
{
    const double each = m->h->bytes_a_cycle;
    m->record->hypervector_bytes[stage] = whole(m->hypervectors * each);
    m->record->gradient_bytes[stage] = whole(m->gradients * each);
    m->record->pcie_bytes[stage] = whole(pcie);
}

static void memorise(struct machine *m)
{
    struct hdr_record *r = m->record;
    uint64_t *work = r->work[HDR_STAGE_MEMORISE];
    const double relations = (double)m->graph->relations, row = (double)(m->h->embedding * m->h->bits) / 8.0;
    m->encoder = relations * m->encoding; /* they are needed first */
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
    put_bytes(m, HDR_STAGE_MEMORISE, encodings * row);
}

/* A memory at a time: read, through all engines, its signs written; distances leave for the CPU meanwhile. */
static void score(struct machine *m)
{
    struct hdr_record *r = m->record;
    uint64_t *work = r->work[HDR_STAGE_SCORE];
    const size_t entities = m->graph->entities;
    const double read = vector_cycles(m->h, m->h->kept), engine = ceil((double)m->h->kept / (double)m->h->score_lanes);
    const double words = (double)m->h->batch * WORD_BYTES * m->pcie;
    bool writes = m->h->task != HDR_INFER && m->h->forward;
    double engines = 0.0, pcie = 0.0;
    m->gradients = 0.0;
    m->hypervectors = (double)m->h->batch * read; /* the queries' own */
    for (size_t j = 0; j < entities; j++) {
        m->hypervectors += read;
        engines = fmax(engines, m->hypervectors) + engine;
        m->gradients = writes ? fmax(m->gradients, engines) + m->vector : 0.0;
        pcie = fmax(pcie, engines) + words;
    }
    work[HDR_UNIT_SCORE] = work[HDR_UNIT_NORM] = whole((double)entities * engine);
    work[HDR_UNIT_HYPERVECTORS] = whole(m->hypervectors);
    work[HDR_UNIT_GRADIENTS] = writes ? whole((double)entities * m->vector) : 0;
    work[HDR_UNIT_PCIE] = whole((double)entities * words);
    r->stage[HDR_STAGE_SCORE] = whole(fmax(fmax(engines, pcie), m->gradients));
    m->gradients = writes ? (double)entities * m->vector : 0.0;
    put_bytes(m, HDR_STAGE_SCORE, (double)(entities * m->h->batch) * WORD_BYTES);
}

/* Chunks of T vertices: δ and both gradients arrive, the array works, the result leaves. With `backward` after the scores, steps and
 * vectors are made again first, beside the first chunks. */
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
    double again = 0.0;
    if (!m->h->forward) {
        work[HDR_UNIT_MEMORISATION] = whole(m->again);
        work[HDR_UNIT_SCORE] = r->work[HDR_STAGE_SCORE][HDR_UNIT_SCORE];
        again = fmax((double)work[HDR_UNIT_MEMORISATION], (double)work[HDR_UNIT_SCORE]);
    }
    work[HDR_UNIT_GRADIENTS] = whole(m->gradients);
    work[HDR_UNIT_PCIE] = whole(fmax(in, (double)(entities + m->graph->relations) * row));
    /* what the stage waits besides, for the first chunk and for the last results, the array's chunks wait */
    work[HDR_UNIT_TRAINING] = whole(products + fmax(out - fmax(products, fmax(m->gradients, (double)work[HDR_UNIT_PCIE])), 0.0));
    r->stage[HDR_STAGE_TRAIN] = whole(fmax(out, again));
    put_bytes(m, HDR_STAGE_TRAIN, (double)(entities * m->h->batch) * WORD_BYTES + (double)(entities + m->graph->relations) * row / m->pcie);
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
    if (h->task != HDR_INFER)
        memorise(&m);
    score(&m);
    if (h->task != HDR_INFER)
        train(&m);
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
