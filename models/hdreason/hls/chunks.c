/* SPDX-License-Identifier: MIT */ /* Splits memory beats into chunks of the score engines: as a stream for the engines, and into the memories that keep a batch's queries. */
#include "hdreason.h"

/* Chunks per beat, or beats per chunk. */
#define CHUNKS_A_BEAT (HDREASON_BEAT_ELEMENTS > HDREASON_SCORE_LANES ? HDREASON_BEAT_ELEMENTS / HDREASON_SCORE_LANES : 1)
#define BEATS_A_CHUNK (HDREASON_SCORE_LANES > HDREASON_BEAT_ELEMENTS ? HDREASON_SCORE_LANES / HDREASON_BEAT_ELEMENTS : 1)
#define HELD_PARTS (BEATS_A_CHUNK * HDREASON_BEAT_PARTS)

/* Registers for the beats of a chunk. */
struct gathered {
    uint32_t part[HELD_PARTS];
};

/* Stores the beat at place `place` of a chunk; the first beat clears the rest. */
static struct gathered with_beat(struct gathered held, int32_t place, hdreason_beat_t beat)
{
    struct gathered out;
HDREASON_LABEL(hypervectors_held)
    for (int32_t i = 0; i < HELD_PARTS; i++) {
        HDREASON_UNROLL_HYPERVECTORS_HELD
        uint32_t part = HDREASON_PART_BEAT(beat, i % HDREASON_BEAT_PARTS);
        out.part[i] = i / HDREASON_BEAT_PARTS == place ? part : place == 0 ? 0 : held.part[i];
    }
    return out;
}

/* Shifts out the first chunk. */
static struct gathered next_chunk(struct gathered held)
{
    struct gathered out;
    for (int32_t i = 0; i < HELD_PARTS; i++) {
        int32_t next = i + (HDREASON_CHUNK_BITS + 31) / 32, last = HELD_PARTS - 1;
#if HDREASON_SCORE_LANES * HDREASON_ELEMENT_BITS < 32
        out.part[i] = held.part[i] >> HDREASON_CHUNK_BITS | (i < last ? held.part[next < last ? next : last] << (32 - HDREASON_CHUNK_BITS) : 0);
#else
        out.part[i] = held.part[next < last ? next : last];
#endif
    }
    return out;
}

static hdreason_chunk_t first_chunk(struct gathered held)
{
    hdreason_chunk_t chunk;
HDREASON_LABEL(hypervectors_chunk)
    for (int32_t i = 0; i < HDREASON_CHUNK_PARTS; i++) {
        HDREASON_UNROLL_HYPERVECTORS_CHUNK
        HDREASON_PART_CHUNK(chunk, i) = held.part[i];
    }
    return chunk;
}

/* Whether this trip of a vector reads a beat; whether it completes a chunk. */
static int32_t brings(int32_t trip)
{
    return trip % CHUNKS_A_BEAT == 0;
}

static int32_t completes(int32_t trip)
{
    return trip % BEATS_A_CHUNK == BEATS_A_CHUNK - 1 || trip == HDREASON_TRIPS - 1;
}

void hdreason_chunks(HDREASON_FIFO_PARAMETER(hdreason_beat_t, beats, HDREASON_ENTITIES *HDREASON_BEATS),
                     HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS))
{
    int32_t trip = 0, taken = 0, made = 0;
    struct gathered held = {{0}};
HDREASON_LABEL(hypervectors_chunks)
    for (int32_t i = 0; i < HDREASON_ENTITIES * HDREASON_TRIPS; i++) {
        HDREASON_PIPELINE_HYPERVECTORS_CHUNKS
        HDREASON_LOOP_TRIPCOUNT_HYPERVECTORS_CHUNKS
        if (brings(trip)) {
            held = with_beat(held, trip % BEATS_A_CHUNK, HDREASON_TAKE(beats, taken));
            taken++;
        } else {
            held = next_chunk(held);
        }
        if (completes(trip)) {
            HDREASON_PUT(chunks, made, first_chunk(held));
            made++;
        }
        trip = trip == HDREASON_TRIPS - 1 ? 0 : trip + 1;
    }
}

void hdreason_keep(HDREASON_FIFO_PARAMETER(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS), hdreason_queries_t subjects,
                   hdreason_queries_t relations)
{
    int32_t trip = 0, of = 0, query = 0, step = 0, taken = 0;
    struct gathered held = {{0}};
HDREASON_LABEL(hypervectors_gather)
    for (int32_t i = 0; i < 2 * HDREASON_BATCH * HDREASON_TRIPS; i++) {
        HDREASON_PIPELINE_HYPERVECTORS_GATHER
        HDREASON_LOOP_TRIPCOUNT_HYPERVECTORS_GATHER
        int32_t ends = trip == HDREASON_TRIPS - 1;
        if (brings(trip)) {
            held = with_beat(held, trip % BEATS_A_CHUNK, HDREASON_TAKE(asked, taken));
            taken++;
        } else {
            held = next_chunk(held);
        }
        if (completes(trip)) {
            hdreason_chunk_t chunk = first_chunk(held);
        HDREASON_LABEL(hypervectors_lanes)
            for (int32_t l = 0; l < HDREASON_SCORE_LANES; l++) {
                HDREASON_UNROLL_HYPERVECTORS_LANES
                if (of)
                    relations[step][query][l] = (hdreason_element_t)hdreason_element(chunk, l);
                else
                    subjects[step][query][l] = (hdreason_element_t)hdreason_element(chunk, l);
            }
            step = ends ? 0 : step + 1;
        }
        query += ends && of;
        of = ends ? 1 - of : of;
        trip = ends ? 0 : trip + 1;
    }
}
