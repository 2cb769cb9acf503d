/* SPDX-License-Identifier: MIT */ /* Dispatcher and memorisation IPs (paper, section 4.2.2, Figure 5, equations 7 and 8). For each neighbour, the host's scheduler names the IP,
 * the location of its hypervector, and its cache place. The scheduler manages the cache, because it knows all future requests. */
#include "hdreason.h"

#define KEEPS 1 /* request flags: the hypervector stays in the cache (KEEPS), comes from memory (READS), begins a vertex, ends a vertex */
#define READS 2
#define BEGINS 4
#define ENDS 8
#define FLAG_BITS 4

#define BOUND_BITS (2 * HDREASON_ELEMENT_BITS - 1) /* bits of a product */
#define LAST_BEAT ((uint32_t)HDREASON_H_BEGIN + HDREASON_H_ROWS * HDREASON_VECTOR_BEATS - 1)
#define LAST_STEP (HDREASON_IP_STEPS - 1)
#define CUT (BOUND_BITS > 16 ? BOUND_BITS - 16 : 0)

void hdreason_requests(HDREASON_PARAMETERS_REQUESTS, int32_t count, HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES),
                       HDREASON_FIFO_PARAMETER(hdreason_id_t, wanted, HDREASON_EDGES))
{
    int32_t asked = 0;
HDREASON_LABEL(pcie_requests)
    for (int32_t i = 0; i < count; i++) {
        HDREASON_PIPELINE_PCIE_REQUESTS
        HDREASON_LOOP_TRIPCOUNT_PCIE_REQUESTS
        hdreason_request_t request[1];
        HDREASON_READ_REQUESTS(request, i);
        HDREASON_PUT(orders, i, request[0]);
        if ((HDREASON_PART_REQUEST(request[0], 0) & READS) != 0) {
            HDREASON_PUT(wanted, asked, HDREASON_PART_REQUEST(request[0], 3));
            asked++;
        }
    }
}

void hdreason_fetch_wanted(HDREASON_PARAMETERS_MEMORY, HDREASON_FIFO_PARAMETER(hdreason_id_t, wanted, HDREASON_EDGES), int32_t count,
                           HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES))
{
    int32_t beat = 0, vector = 0;
    uint32_t at = 0;
    uint32_t fetch_parts[HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS];
    HDREASON_ARRAY_PARTITION_FETCH_PARTS
HDREASON_LABEL(hypervectors_clear)
    for (int32_t p = 0; p < HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS; p++) {
        HDREASON_UNROLL_HYPERVECTORS_CLEAR
        fetch_parts[p] = 0;
    }
HDREASON_LABEL(hypervectors_wanted)
    for (int32_t i = 0; i < count * HDREASON_VECTOR_BEATS; i++) {
        HDREASON_PIPELINE_HYPERVECTORS_WANTED
        HDREASON_LOOP_TRIPCOUNT_HYPERVECTORS_WANTED
        if (beat == 0) {
            uint32_t place = HDREASON_TAKE(wanted, vector);
            at = HDREASON_H_BEGIN + place * HDREASON_VECTOR_BEATS;
        }
        hdreason_word_t word[HDREASON_MEMORY_PORTS];
        HDREASON_ARRAY_PARTITION_WORD
        HDREASON_READ_MEMORY(word, at < LAST_BEAT ? at : LAST_BEAT);
        at++;
        for (int32_t p = 0; p < HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS; p++) { /* appended after the previous beats */
            int32_t before = p + HDREASON_BEAT_PARTS, of = before - HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS;
            fetch_parts[p] = of < 0 ? fetch_parts[of < 0 ? before : 0] : HDREASON_PART_WORD(word[(of < 0 ? 0 : of) / (HDREASON_AXI_BITS / 32)], (of < 0 ? 0 : of) % (HDREASON_AXI_BITS / 32));
        }
        if (beat == HDREASON_VECTOR_BEATS - 1) {
            hdreason_vector_t out;
            for (int32_t p = 0; p < HDREASON_VECTOR_PARTS; p++)
                HDREASON_PART_VECTOR(out, p) = fetch_parts[p];
            HDREASON_PUT(fetched, vector, out);
            vector++;
        }
        beat = beat == HDREASON_VECTOR_BEATS - 1 ? 0 : beat + 1;
    }
}

struct ordered {
    uint32_t flags, row, place;
};

typedef int32_t ip_words_t[HDREASON_MEMORISE_IPS][HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];
typedef int32_t ip_results_t[HDREASON_MEMORISE_IPS][HDREASON_RING * HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];

/* For each active IP: binds and accumulates a chunk, and loads the hypervectors of a starting request. Returns a chunk of the IP whose vertex is output. */
static hdreason_bundle_t bind_chunks(hdreason_vector_t vertex, hdreason_vector_t relation, const int32_t now_works[HDREASON_MEMORISE_IPS], const int32_t now_keeps[HDREASON_MEMORISE_IPS],
                                     const int32_t now_ends[HDREASON_MEMORISE_IPS], const int32_t now_place[HDREASON_MEMORISE_IPS], const int32_t now_takes[HDREASON_MEMORISE_IPS],
                                     int32_t leaves, int32_t from, ip_words_t ip_vertex, ip_words_t ip_relation, ip_words_t ip_sums, ip_results_t ip_done)
{
    hdreason_bundle_t bundle;
    for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++)
        HDREASON_PART_BUNDLE(bundle, l) = 0;
HDREASON_LABEL(memorisation_ips)
    for (int32_t n = 0; n < HDREASON_MEMORISE_IPS; n++) {
        HDREASON_UNROLL_MEMORISATION_IPS
        if (n == leaves)
            for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++)
                HDREASON_PART_BUNDLE(bundle, l) = (uint32_t)ip_done[n][from][l];
        if (now_works[n])
            for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++) {
                int32_t product = (((ip_vertex[n][0][l] * ip_relation[n][0][l]) >> (CUT > 0 ? CUT - 1 : 0)) + (CUT > 0)) >> (CUT > 0);
                int32_t sum = (ip_sums[n][0][l] & now_keeps[n]) + product;
                for (int32_t s = 0; s < LAST_STEP; s++) /* shifts the next chunk to the front */
                    ip_sums[n][s][l] = ip_sums[n][s + 1][l];
                ip_sums[n][LAST_STEP][l] = sum;
            }
        if (now_ends[n])
            for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++)
                ip_done[n][now_place[n]][l] = ip_sums[n][LAST_STEP][l];
        if (now_takes[n])
            for (int32_t k = 0; k < HDREASON_IP_STEPS * HDREASON_MEMORISE_LANES; k++) {
                int32_t there = k < HDREASON_DIM;
                ip_vertex[n][k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = there ? hdreason_of_vector(vertex, there ? k : 0) : 0;
                ip_relation[n][k / HDREASON_MEMORISE_LANES][k % HDREASON_MEMORISE_LANES] = there ? hdreason_of_vector(relation, there ? k : 0) : 0;
            }
        else if (now_works[n])
            for (int32_t s = 0; s < LAST_STEP; s++)
                for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++) {
                    ip_vertex[n][s][l] = ip_vertex[n][s + 1][l];
                    ip_relation[n][s][l] = ip_relation[n][s + 1][l];
                }
    }
    return bundle;
}

static void clear_ips(ip_words_t ip_vertex, ip_words_t ip_relation, ip_words_t ip_sums)
{
HDREASON_LABEL(memorisation_clear)
    for (int32_t n = 0; n < HDREASON_MEMORISE_IPS; n++) {
        HDREASON_UNROLL_MEMORISATION_CLEAR
    HDREASON_LABEL(memorisation_chunks)
        for (int32_t s = 0; s < HDREASON_IP_STEPS; s++) {
            HDREASON_UNROLL_MEMORISATION_CHUNKS
        HDREASON_LABEL(memorisation_lanes)
            for (int32_t l = 0; l < HDREASON_MEMORISE_LANES; l++) {
                HDREASON_UNROLL_MEMORISATION_LANES
                ip_vertex[n][s][l] = ip_relation[n][s][l] = ip_sums[n][s][l] = 0;
            }
        }
    }
}

static hdreason_vector_t no_vector(void)
{
    hdreason_vector_t out;
HDREASON_LABEL(dispatcher_begin)
    for (int32_t p = 0; p < HDREASON_VECTOR_PARTS; p++) {
        HDREASON_UNROLL_DISPATCHER_BEGIN
        HDREASON_PART_VECTOR(out, p) = 0;
    }
    return out;
}

/* Per trip, each active IP binds and accumulates one chunk, and one chunk of a finished vertex is output. A request is dispatched once its IP is free. The IPs
 * execute a trip's decisions one trip later, which hides the cache's read latency. */
void hdreason_memorise(HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES), HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES),
                       int32_t requests, int32_t trips, hdreason_vector_t cache[HDREASON_CACHE_VECTORS], hdreason_vector_t bindings[HDREASON_RELATIONS],
                       HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS))
{
    int32_t ip_vertex[HDREASON_MEMORISE_IPS][HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES], ip_relation[HDREASON_MEMORISE_IPS][HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];
    int32_t ip_sums[HDREASON_MEMORISE_IPS][HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];
    HDREASON_ARRAY_PARTITION_IP_VERTEX HDREASON_ARRAY_PARTITION_IP_RELATION HDREASON_ARRAY_PARTITION_IP_SUMS
    HDREASON_LOCAL int32_t ip_done[HDREASON_MEMORISE_IPS][HDREASON_RING * HDREASON_IP_STEPS][HDREASON_MEMORISE_LANES];
    HDREASON_ARRAY_PARTITION_IP_DONE
    HDREASON_BIND_STORAGE_IP_DONE
    int32_t ip_left[HDREASON_MEMORISE_IPS] = {0}, ip_begins[HDREASON_MEMORISE_IPS] = {0}, ip_ends[HDREASON_MEMORISE_IPS] = {0}, ip_full[HDREASON_MEMORISE_IPS] = {0}, ip_slot[HDREASON_MEMORISE_IPS] = {0};
    HDREASON_ARRAY_PARTITION_IP_LEFT HDREASON_ARRAY_PARTITION_IP_BEGINS HDREASON_ARRAY_PARTITION_IP_ENDS HDREASON_ARRAY_PARTITION_IP_FULL HDREASON_ARRAY_PARTITION_IP_SLOT
    int32_t ip_busy[HDREASON_MEMORISE_IPS] = {0}, ip_crowded[HDREASON_MEMORISE_IPS] = {0}, ip_wanted[HDREASON_MEMORISE_IPS] = {0}; /* state for the next request; its target IP */
    HDREASON_ARRAY_PARTITION_IP_BUSY HDREASON_ARRAY_PARTITION_IP_CROWDED HDREASON_ARRAY_PARTITION_IP_WANTED
    int32_t now_works[HDREASON_MEMORISE_IPS] = {0}, now_keeps[HDREASON_MEMORISE_IPS] = {0}, now_ends[HDREASON_MEMORISE_IPS] = {0}, now_place[HDREASON_MEMORISE_IPS] = {0}, now_takes[HDREASON_MEMORISE_IPS] = {0};
    HDREASON_ARRAY_PARTITION_NOW_WORKS HDREASON_ARRAY_PARTITION_NOW_KEEPS HDREASON_ARRAY_PARTITION_NOW_ENDS HDREASON_ARRAY_PARTITION_NOW_PLACE HDREASON_ARRAY_PARTITION_NOW_TAKES
    int32_t asked = 0, taken = 0, waits = 0, ending = 0, leaves = 0, slot = 0, step = 0, made = 0, now_leaves = -1, now_from = 0;
    int32_t there_next = 0, there_ahead = 0; /* prefetched requests: a trip's decision does not wait for the FIFO */
    struct ordered now = {0, 0, 0}, next = {0, 0, 0}, ahead = {0, 0, 0};
    hdreason_vector_t vertex = no_vector(), relation = vertex;
    clear_ips(ip_vertex, ip_relation, ip_sums);
HDREASON_LABEL(memorisation_trips)
    for (int32_t i = 0; i < trips; i++) {
        HDREASON_PIPELINE_MEMORISATION_TRIPS
        HDREASON_LOOP_TRIPCOUNT_MEMORISATION_TRIPS
        hdreason_bundle_t bundle = bind_chunks(vertex, relation, now_works, now_keeps, now_ends, now_place, now_takes, now_leaves, now_from, ip_vertex, ip_relation, ip_sums, ip_done);
        if (now_leaves >= 0) {
            HDREASON_PUT(bundles, made, bundle);
            made++;
        }
        int32_t leaves_here = 0, goes = 0;
    HDREASON_LABEL(dispatcher_ips)
        for (int32_t n = 0; n < HDREASON_MEMORISE_IPS; n++) {
            HDREASON_UNROLL_DISPATCHER_IPS
            int32_t works = ip_left[n] > 0, ends = ip_left[n] == 1 && ip_ends[n], here = n == leaves && ip_full[n] > 0;
            now_works[n] = works;
            now_keeps[n] = ip_begins[n] ? 0 : -1;
            now_ends[n] = works && ip_ends[n];
            now_place[n] = ip_slot[n] * HDREASON_IP_STEPS + (works ? HDREASON_IP_STEPS - ip_left[n] : 0);
            ip_full[n] += ends - (here && step == HDREASON_IP_STEPS - 1);
            ip_slot[n] = ends ? ip_slot[n] == HDREASON_RING - 1 ? 0 : ip_slot[n] + 1 : ip_slot[n];
            leaves_here |= here;
            int32_t takes = ip_wanted[n] & (ip_busy[n] ^ 1) & ((ending & ip_crowded[n]) ^ 1);
            now_takes[n] = takes;
            ip_busy[n] = takes ? HDREASON_IP_STEPS > 1 : ip_left[n] > 2;
            ip_crowded[n] = ip_full[n] >= HDREASON_RING - 1;
            ip_left[n] = takes ? HDREASON_IP_STEPS : ip_left[n] - works;
            ip_begins[n] = takes ? (now.flags & BEGINS) != 0 : ip_begins[n];
            ip_ends[n] = takes ? (now.flags & ENDS) != 0 : ip_ends[n];
            goes |= takes;
        }
        now_leaves = leaves_here ? leaves : -1;
        now_from = slot * HDREASON_IP_STEPS + step;
        if (leaves_here) {
            int32_t over = step == HDREASON_IP_STEPS - 1, last = over && leaves == HDREASON_MEMORISE_IPS - 1;
            slot = last ? slot == HDREASON_RING - 1 ? 0 : slot + 1 : slot;
            leaves = last ? 0 : leaves + over;
            step = over ? 0 : step + 1;
        }
        if (goes) {
            relation = bindings[now.row];
            if ((now.flags & READS) != 0) {
                vertex = HDREASON_TAKE(fetched, taken);
                taken++;
                if ((now.flags & KEEPS) != 0)
                    cache[now.place] = vertex;
            } else {
                vertex = cache[now.place];
            }
        }
        int32_t moves = goes | (waits ^ 1), moves_next = moves | (there_next ^ 1), moves_ahead = moves_next | (there_ahead ^ 1);
        if (moves) {
            now = next;
            waits = there_next;
            ending = there_next & (int32_t)((next.flags & ENDS) != 0);
        HDREASON_LABEL(dispatcher_wanted)
            for (int32_t n = 0; n < HDREASON_MEMORISE_IPS; n++) {
                HDREASON_UNROLL_DISPATCHER_WANTED
                ip_wanted[n] = there_next & (int32_t)(next.flags >> FLAG_BITS == (uint32_t)n);
            }
        }
        next = moves_next ? ahead : next;
        there_next = moves_next ? there_ahead : there_next;
        there_ahead = moves_ahead ? asked < requests : there_ahead;
        if (moves_ahead && asked < requests) {
            hdreason_request_t request = HDREASON_TAKE(orders, asked);
            ahead.flags = HDREASON_PART_REQUEST(request, 0);
            ahead.row = HDREASON_PART_REQUEST(request, 1) < HDREASON_RELATIONS ? HDREASON_PART_REQUEST(request, 1) : 0;
            ahead.place = HDREASON_PART_REQUEST(request, 2) < HDREASON_CACHE_VECTORS ? HDREASON_PART_REQUEST(request, 2) : 0;
            asked++;
        }
    }
}

void hdreason_vertices(HDREASON_PARAMETERS_VERTICES, int32_t count, HDREASON_FIFO_PARAMETER(hdreason_vertex_t, shares, HDREASON_SUBJECTS))
{
HDREASON_LABEL(pcie_vertices)
    for (int32_t i = 0; i < count; i++) {
        HDREASON_PIPELINE_PCIE_VERTICES
        HDREASON_LOOP_TRIPCOUNT_PCIE_VERTICES
        hdreason_vertex_t vertex[1];
        HDREASON_READ_VERTICES(vertex, i);
        HDREASON_PUT(shares, i, vertex[0]);
    }
}

/* Scales the sums by a factor, converts them to elements, and writes them in beats. */
void hdreason_write_memory(HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS),
                           HDREASON_FIFO_PARAMETER(hdreason_vertex_t, shares, HDREASON_SUBJECTS), int32_t count, HDREASON_PARAMETERS_MEMORY)
{
    int32_t trip = 0, taken = 0, vertex = 0;
    uint32_t row = 0, factor = 0, shift = 0, beat = 0;
    int32_t store_elements[HDREASON_CHUNKS_A_BEAT * HDREASON_MEMORISE_LANES];
    HDREASON_ARRAY_PARTITION_STORE_ELEMENTS
HDREASON_LABEL(memorisation_empty)
    for (int32_t k = 0; k < HDREASON_CHUNKS_A_BEAT * HDREASON_MEMORISE_LANES; k++) {
        HDREASON_UNROLL_MEMORISATION_EMPTY
        store_elements[k] = 0;
    }
HDREASON_LABEL(memorisation_shares)
    for (int32_t i = 0; i < count * HDREASON_STORE_TRIPS; i++) {
        HDREASON_PIPELINE_MEMORISATION_SHARES
        HDREASON_LOOP_TRIPCOUNT_MEMORISATION_SHARES
        int32_t place = trip % HDREASON_CHUNKS_A_BEAT;
        if (trip == 0) {
            hdreason_vertex_t next = HDREASON_TAKE(shares, vertex);
            row = HDREASON_PART_VERTEX(next, 0);
            factor = HDREASON_PART_VERTEX(next, 1) & 0xffff;
            shift = HDREASON_PART_VERTEX(next, 1) >> 16;
            beat = 0;
        }
        if (trip % HDREASON_BEATS_A_CHUNK == 0) {
            hdreason_bundle_t sums = HDREASON_TAKE(bundles, taken);
            taken++;
            for (int32_t k = 0; k < HDREASON_CHUNKS_A_BEAT * HDREASON_MEMORISE_LANES; k++) {
                int32_t here = k / HDREASON_MEMORISE_LANES == place, lane = k % HDREASON_MEMORISE_LANES;
                int32_t element = hdreason_shifted((int64_t)(int32_t)HDREASON_PART_BUNDLE(sums, lane) * factor, (int32_t)shift);
                store_elements[k] = here ? element : place == 0 ? 0 : store_elements[k];
            }
        } else {
            for (int32_t k = 0; k < HDREASON_CHUNKS_A_BEAT * HDREASON_MEMORISE_LANES; k++) { /* shifts the next beat to the front */
                int32_t more = k + HDREASON_BEAT_ELEMENTS < HDREASON_CHUNKS_A_BEAT * HDREASON_MEMORISE_LANES;
                store_elements[k] = more ? store_elements[more ? k + HDREASON_BEAT_ELEMENTS : 0] : 0;
            }
        }
        int32_t ends = trip == HDREASON_STORE_TRIPS - 1;
        if ((place == HDREASON_CHUNKS_A_BEAT - 1 || ends) && beat < HDREASON_BEATS && row < HDREASON_STORED) {
            hdreason_word_t word[HDREASON_MEMORY_PORTS];
            HDREASON_ARRAY_PARTITION_WORD
            for (int32_t p = 0; p < HDREASON_BEAT_PARTS; p++) {
                uint32_t part = 0;
                for (int32_t e = 0; e < 32 / HDREASON_ELEMENT_BITS; e++) {
                    int32_t k = p * (32 / HDREASON_ELEMENT_BITS) + e;
                    int32_t element = (int32_t)beat * HDREASON_BEAT_ELEMENTS + k < HDREASON_SCORE_DIM ? store_elements[k] : 0;
                    part |= ((uint32_t)element & ((UINT32_C(1) << HDREASON_ELEMENT_BITS) - 1)) << (e * HDREASON_ELEMENT_BITS);
                }
                HDREASON_SET_WORD(word[p / (HDREASON_AXI_BITS / 32)], p % (HDREASON_AXI_BITS / 32), part);
            }
            HDREASON_WRITE_MEMORY(word, row * HDREASON_BEATS + beat);
        }
        beat += place == HDREASON_CHUNKS_A_BEAT - 1;
        vertex += ends;
        trip = ends ? 0 : trip + 1;
    }
}
