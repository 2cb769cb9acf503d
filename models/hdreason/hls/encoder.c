/* SPDX-License-Identifier: MIT */ /* Encoder IP (paper, section 4.2.2, Figure 5, equation 5). An array computes a group of a hypervector's dimensions from an embedding, several
 * elements per cycle. Tables give tanh. */
#include "hdreason.h"
#include "hdreason_base.h"
#include "hdreason_model.h"

#define HOST_ELEMENTS (HDREASON_HOST_BITS / HDREASON_ELEMENT_BITS)
#define HELD (HDREASON_ENCODER_SWEEPS * HDREASON_ENCODER_DEPTH) /* elements of an embedding, padded */
#define STEPS (HDREASON_GROUPS * HDREASON_ENCODER_SWEEPS)
#define MADE (HDREASON_GROUPS * HDREASON_ENCODER_WIDTH) /* dimensions, padded */
#define ADDRESS_MOST 1023
#define SIGN 1024

/* Signed element k of the host's word; signed element p of H^B's word. */
static int32_t element_of(hdreason_host_t word, int32_t k)
{
    uint32_t part = HDREASON_PART_HOST(word, k * HDREASON_ELEMENT_BITS / 32);
    return (int32_t)(part << (32 - HDREASON_ELEMENT_BITS - k * HDREASON_ELEMENT_BITS % 32)) >> (32 - HDREASON_ELEMENT_BITS);
}

static int32_t base_of(int32_t word, int32_t p)
{
    uint32_t part = hdreason_base[word][p * HDREASON_ELEMENT_BITS / 32];
    return (int32_t)(part << (32 - HDREASON_ELEMENT_BITS - p * HDREASON_ELEMENT_BITS % 32)) >> (32 - HDREASON_ELEMENT_BITS);
}

/* Index into tanh's table: the sum's magnitude, rounded half up and saturated at the last entry, with the sum's sign. */
static uint32_t address_of(int64_t sum, int32_t shift)
{
    int64_t size = sum < 0 ? -sum : sum;
    int64_t halves = shift > 0 ? size >> (shift > 0 ? shift - 1 : 0) : size << (shift > 0 ? 0 : 1 - shift);
    int64_t address = (halves + 1) >> 1;
    return (uint32_t)(address < ADDRESS_MOST ? address : ADDRESS_MOST) | (sum < 0 ? SIGN : 0);
}

void hdreason_rows(HDREASON_PARAMETERS_ROWS, int32_t count, HDREASON_FIFO_PARAMETER(hdreason_host_t, embeddings, HDREASON_ENCODED_MOST *HDREASON_ROW_WORDS))
{
HDREASON_LABEL(pcie_rows)
    for (int32_t i = 0; i < count * HDREASON_ROW_WORDS; i++) {
        HDREASON_PIPELINE_PCIE_ROWS
        HDREASON_LOOP_TRIPCOUNT_PCIE_ROWS
        hdreason_host_t word[1];
        HDREASON_READ_ROWS(word, i);
        HDREASON_PUT(embeddings, i, word[0]);
    }
}

/* Double buffering: the next embedding is loaded while the current one is encoded. */
void hdreason_encode(HDREASON_FIFO_PARAMETER(hdreason_host_t, embeddings, HDREASON_ENCODED_MOST *HDREASON_ROW_WORDS), int32_t count, int32_t shift,
                     HDREASON_FIFO_PARAMETER(hdreason_group_t, addresses, HDREASON_ENCODED_MOST *HDREASON_GROUPS))
{
    HDREASON_ARRAY_PARTITION_BASE
    int32_t encoder_next[HELD], encoder_row[HELD];
    HDREASON_ARRAY_PARTITION_ENCODER_NEXT
    HDREASON_ARRAY_PARTITION_ENCODER_ROW
    int64_t encoder_sums[HDREASON_ENCODER_WIDTH];
    HDREASON_ARRAY_PARTITION_ENCODER_SUMS
    int32_t row = 0, trip = 0, sweep = 0, taken = 0, made = 0;
HDREASON_LABEL(encoder_begin)
    for (int32_t k = 0; k < HELD; k++) {
        HDREASON_UNROLL_ENCODER_BEGIN
        encoder_next[k] = encoder_row[k] = 0;
    }
HDREASON_LABEL(encoder_empty)
    for (int32_t c = 0; c < HDREASON_ENCODER_WIDTH; c++) {
        HDREASON_UNROLL_ENCODER_EMPTY
        encoder_sums[c] = 0;
    }
HDREASON_LABEL(encoder_steps)
    for (int32_t i = 0; i < (count + 1) * HDREASON_ENCODER_TRIPS; i++) {
        HDREASON_PIPELINE_ENCODER_STEPS
        HDREASON_LOOP_TRIPCOUNT_ENCODER_STEPS
        if (trip < HDREASON_ROW_WORDS && row < count) {
            hdreason_host_t word = HDREASON_TAKE(embeddings, taken);
            taken++;
            for (int32_t k = 0; k < HELD; k++)
                encoder_next[k] = k / HOST_ELEMENTS == trip ? element_of(word, k % HOST_ELEMENTS) : encoder_next[k];
        }
        hdreason_group_t group;
        uint32_t part = 0;
    HDREASON_LABEL(encoder_width)
        for (int32_t c = 0; c < HDREASON_ENCODER_WIDTH; c++) {
            HDREASON_UNROLL_ENCODER_WIDTH
            int64_t sum = 0;
        HDREASON_LABEL(encoder_depth)
            for (int32_t p = 0; p < HDREASON_ENCODER_DEPTH; p++) {
                HDREASON_UNROLL_ENCODER_DEPTH
                sum += encoder_row[sweep * HDREASON_ENCODER_DEPTH + p] * base_of(trip < STEPS ? trip : 0, p * HDREASON_ENCODER_WIDTH + c);
            }
            encoder_sums[c] = (sweep == 0 ? 0 : encoder_sums[c]) + sum;
            part |= address_of(encoder_sums[c], shift) << (c % 2 * 16);
            HDREASON_PART_GROUP(group, c / 2) = part;
            part = c % 2 != 0 ? 0 : part;
        }
        int32_t ends = trip == HDREASON_ENCODER_TRIPS - 1;
        if (row > 0 && trip < STEPS && sweep == HDREASON_ENCODER_SWEEPS - 1) {
            HDREASON_PUT(addresses, made, group);
            made++;
        }
        for (int32_t k = 0; k < HELD; k++)
            encoder_row[k] = ends ? encoder_next[k] : encoder_row[k];
        sweep = ends || sweep == HDREASON_ENCODER_SWEEPS - 1 ? 0 : sweep + 1;
        trip = ends ? 0 : trip + 1;
        row += ends;
    }
}

void hdreason_tanh_steps(HDREASON_FIFO_PARAMETER(hdreason_group_t, addresses, HDREASON_ENCODED_MOST *HDREASON_GROUPS), int32_t count,
                         HDREASON_FIFO_PARAMETER(hdreason_vector_t, encodings, HDREASON_ENCODED_MOST))
{
    HDREASON_BIND_STORAGE_TANH
    int32_t trip = 0, group = 0, taken = 0, made = 0;
    uint32_t tanh_addresses[HDREASON_TANH_TRIPS * HDREASON_TANH_TABLES];
    HDREASON_ARRAY_PARTITION_TANH_ADDRESSES
    int32_t tanh_made[MADE], tanh_words[HDREASON_TANH_TABLES];
    HDREASON_ARRAY_PARTITION_TANH_MADE
    HDREASON_ARRAY_PARTITION_TANH_WORDS
HDREASON_LABEL(tanh_begin)
    for (int32_t k = 0; k < MADE; k++) {
        HDREASON_UNROLL_TANH_BEGIN
        tanh_made[k] = 0;
    }
HDREASON_LABEL(tanh_empty)
    for (int32_t t = 0; t < HDREASON_TANH_TRIPS * HDREASON_TANH_TABLES; t++) {
        HDREASON_UNROLL_TANH_EMPTY
        tanh_addresses[t] = 0;
    }
HDREASON_LABEL(tanh_steps)
    for (int32_t i = 0; i < count * (HDREASON_GROUPS * HDREASON_TANH_TRIPS); i++) {
        HDREASON_PIPELINE_TANH_STEPS
        HDREASON_LOOP_TRIPCOUNT_TANH_STEPS
        if (trip == 0) {
            hdreason_group_t next = HDREASON_TAKE(addresses, taken);
            taken++;
            for (int32_t c = 0; c < HDREASON_ENCODER_WIDTH; c++)
                tanh_addresses[c] = HDREASON_PART_GROUP(next, c / 2) >> (c % 2 * 16) & 0xffff;
        }
    HDREASON_LABEL(tanh_tables)
        for (int32_t t = 0; t < HDREASON_TANH_TABLES; t++) {
            HDREASON_UNROLL_TANH_TABLES
            int32_t word = hdreason_tanh[tanh_addresses[t] & ADDRESS_MOST];
            tanh_words[t] = (tanh_addresses[t] & SIGN) != 0 ? -word : word;
        }
        for (int32_t k = 0; k < MADE; k++) {
            int32_t column = k % HDREASON_ENCODER_WIDTH;
            int32_t here = k / HDREASON_ENCODER_WIDTH == group && column / HDREASON_TANH_TABLES == trip;
            tanh_made[k] = here ? tanh_words[column % HDREASON_TANH_TABLES] : tanh_made[k];
        }
        for (int32_t t = 0; t < HDREASON_TANH_TRIPS * HDREASON_TANH_TABLES; t++) { /* shifts the next tables' addresses to the front */
            int32_t more = t + HDREASON_TANH_TABLES < HDREASON_TANH_TRIPS * HDREASON_TANH_TABLES;
            tanh_addresses[t] = more ? tanh_addresses[more ? t + HDREASON_TANH_TABLES : 0] : 0;
        }
        int32_t ends = trip == HDREASON_TANH_TRIPS - 1, last = group == HDREASON_GROUPS - 1;
        if (ends && last) {
            hdreason_vector_t out;
            uint32_t part = 0;
            for (int32_t k = 0; k < HDREASON_VECTOR_PARTS * 32 / HDREASON_ELEMENT_BITS; k++) {
                uint32_t element = k < HDREASON_DIM ? (uint32_t)tanh_made[k < HDREASON_DIM ? k : 0] & ((UINT32_C(1) << HDREASON_ELEMENT_BITS) - 1) : 0;
                part |= element << (k * HDREASON_ELEMENT_BITS % 32);
                HDREASON_PART_VECTOR(out, k * HDREASON_ELEMENT_BITS / 32) = part;
                part = (k + 1) * HDREASON_ELEMENT_BITS % 32 == 0 ? 0 : part;
            }
            HDREASON_PUT(encodings, made, out);
            made++;
        }
        group = ends ? last ? 0 : group + 1 : group;
        trip = ends ? 0 : trip + 1;
    }
}

void hdreason_write_rows(HDREASON_FIFO_PARAMETER(hdreason_vector_t, encodings, HDREASON_ENCODED_MOST), int32_t entities, int32_t count, int32_t shift,
                         HDREASON_PARAMETERS_MEMORY, hdreason_vector_t bindings[HDREASON_RELATIONS])
{
    int32_t beat = 0, row = 0;
    uint32_t write_parts[HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS];
    HDREASON_ARRAY_PARTITION_WRITE_PARTS
HDREASON_LABEL(hypervectors_empty)
    for (int32_t p = 0; p < HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS; p++) {
        HDREASON_UNROLL_HYPERVECTORS_EMPTY
        write_parts[p] = 0;
    }
HDREASON_LABEL(hypervectors_encoded)
    for (int32_t i = 0; i < count * HDREASON_VECTOR_BEATS; i++) {
        HDREASON_PIPELINE_HYPERVECTORS_ENCODED
        HDREASON_LOOP_TRIPCOUNT_HYPERVECTORS_ENCODED
        int32_t relation = row - entities, place = relation >= 0 && relation < HDREASON_RELATIONS ? relation : 0;
        if (beat == 0) {
            hdreason_vector_t next = HDREASON_TAKE(encodings, row);
            for (int32_t p = 0; p < HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS; p++)
                write_parts[p] = p < HDREASON_VECTOR_PARTS ? HDREASON_PART_VECTOR(next, p < HDREASON_VECTOR_PARTS ? p : 0) : 0;
            if (relation >= 0)
                bindings[place] = next;
        }
        hdreason_word_t word[HDREASON_MEMORY_PORTS];
        HDREASON_ARRAY_PARTITION_WORD
        for (int32_t p = 0; p < HDREASON_BEAT_PARTS; p++) {
            uint32_t rounded = 0;
            for (int32_t e = 0; e < 32 / HDREASON_ELEMENT_BITS; e++) { /* in M's steps; 0 for dimensions that the score does not read */
                int32_t own = (int32_t)(write_parts[p] << (32 - HDREASON_ELEMENT_BITS - e * HDREASON_ELEMENT_BITS)) >> (32 - HDREASON_ELEMENT_BITS);
                int32_t element = beat * HDREASON_BEAT_ELEMENTS + p * (32 / HDREASON_ELEMENT_BITS) + e < HDREASON_SCORE_DIM ? hdreason_shifted(own, shift) : 0;
                rounded |= ((uint32_t)element & ((UINT32_C(1) << HDREASON_ELEMENT_BITS) - 1)) << (e * HDREASON_ELEMENT_BITS);
            }
            HDREASON_SET_WORD(word[p / (HDREASON_AXI_BITS / 32)], p % (HDREASON_AXI_BITS / 32), relation >= 0 ? rounded : write_parts[p]);
        }
        if (relation < 0 || beat < HDREASON_BEATS) {
            uint32_t at = relation < 0 ? HDREASON_H_BEGIN + (uint32_t)row * HDREASON_VECTOR_BEATS : (uint32_t)(HDREASON_ENTITIES + place) * HDREASON_BEATS;
            HDREASON_WRITE_MEMORY(word, at + (uint32_t)beat);
        }
        for (int32_t p = 0; p < HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS; p++) { /* shifts the next beat to the front */
            int32_t more = p + HDREASON_BEAT_PARTS < HDREASON_VECTOR_BEATS * HDREASON_BEAT_PARTS;
            write_parts[p] = more ? write_parts[more ? p + HDREASON_BEAT_PARTS : 0] : 0;
        }
        row += beat == HDREASON_VECTOR_BEATS - 1;
        beat = beat == HDREASON_VECTOR_BEATS - 1 ? 0 : beat + 1;
    }
}
