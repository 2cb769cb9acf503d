/* SPDX-License-Identifier: MIT */ /* Hypervector memory (paper, section 5.3): reads one word per port per cycle in ascending order, so that the tool infers bursts. */
#include "hdreason.h"

#define LAST_BEAT ((uint32_t)HDREASON_ROWS_MOST * HDREASON_BEATS - 1)

/* Concatenates the words of all ports. */
static hdreason_beat_t beat_of(const hdreason_word_t word[HDREASON_MEMORY_PORTS])
{
    hdreason_beat_t beat;
HDREASON_LABEL(hypervectors_words)
    for (int32_t i = 0; i < HDREASON_BEAT_PARTS; i++) {
        HDREASON_UNROLL_HYPERVECTORS_WORDS
        HDREASON_PART_BEAT(beat, i) = HDREASON_PART_WORD(word[i / (HDREASON_AXI_BITS / 32)], i % (HDREASON_AXI_BITS / 32));
    }
    return beat;
}

void hdreason_fetch(HDREASON_PARAMETERS_MEMORY, HDREASON_FIFO_PARAMETER(hdreason_beat_t, beats, HDREASON_ENTITIES *HDREASON_BEATS))
{
HDREASON_LABEL(hypervectors_beats)
    for (int32_t i = 0; i < HDREASON_ENTITIES * HDREASON_BEATS; i++) {
        HDREASON_PIPELINE_HYPERVECTORS_BEATS
        HDREASON_LOOP_TRIPCOUNT_HYPERVECTORS_BEATS
        hdreason_word_t word[HDREASON_MEMORY_PORTS];
        HDREASON_ARRAY_PARTITION_WORD
        HDREASON_READ_MEMORY(word, i);
        HDREASON_PUT(beats, i, beat_of(word));
    }
}

void hdreason_fetch_queries(HDREASON_PARAMETERS_MEMORY, int32_t ids[2 * HDREASON_BATCH],
                            HDREASON_FIFO_PARAMETER(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS))
{
    int32_t beat = 0, vector = 0;
    uint32_t at = 0;
HDREASON_LABEL(hypervectors_queries)
    for (int32_t i = 0; i < 2 * HDREASON_BATCH * HDREASON_BEATS; i++) {
        HDREASON_PIPELINE_HYPERVECTORS_QUERIES
        HDREASON_LOOP_TRIPCOUNT_HYPERVECTORS_QUERIES
        hdreason_word_t word[HDREASON_MEMORY_PORTS];
        HDREASON_ARRAY_PARTITION_WORD
        uint32_t row = (uint32_t)ids[vector] + (vector % 2 != 0 ? HDREASON_ENTITIES : 0);
        at = beat == 0 ? row * HDREASON_BEATS : at;
        HDREASON_READ_MEMORY(word, at < LAST_BEAT ? at : LAST_BEAT);
        HDREASON_PUT(asked, i, beat_of(word));
        at++;
        vector += beat == HDREASON_BEATS - 1;
        beat = beat == HDREASON_BEATS - 1 ? 0 : beat + 1;
    }
}
