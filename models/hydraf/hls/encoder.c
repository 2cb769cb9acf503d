/* SPDX-License-Identifier: MIT */ /* Encoder: H = Σ f_i B_i with binary B_i (paper, section II), all dimensions of a chunk in parallel, several features per step.
 * Whole features are multiples of 2^-12. Their sums are shifted to the range of an element and rounded half up. */
#include "hydraf.h"

#if HYDRAF_ENCODES
#include "hydraf_base.h"
#include "hydraf_model.h"

#define GROUPS (HYDRAF_CHUNK / HYDRAF_ENCODER_WIDTH) /* groups of dimensions, one after another */
#define FEATURES_HELD (HYDRAF_ENCODER_STEPS * HYDRAF_ENCODER_LANES)

#if HYDRAF_REAL
typedef float code_t;
#else
typedef int32_t code_t;
#endif

/* The addend of a feature: the feature itself, or the nearest multiple of 2^-12, rounded half up. */
static code_t taken(uint32_t bits)
{
#if HYDRAF_REAL
    return hydraf_real(bits);
#else
    float scaled = hydraf_real(bits) * 4096.0f, whole = floorf(scaled);
    return (int32_t)whole + (scaled - whole >= 0.5f);
#endif
}

/* Converts a sum to an element. */
static hydraf_element_t element_of(code_t sum, int32_t shift)
{
#if HYDRAF_REAL
    (void)shift;
    return sum;
#else
    int32_t element = shift > 0 ? ((sum >> (shift > 0 ? shift - 1 : 0)) + 1) >> 1 : sum;
    return (hydraf_element_t)(element > HYDRAF_MOST ? HYDRAF_MOST : element < -HYDRAF_MOST ? -HYDRAF_MOST : element);
#endif
}

/* Packs a row into a word. */
static hydraf_row_t row_of(const hydraf_element_t elements[HYDRAF_CHUNK])
{
    hydraf_row_t out;
    uint32_t part = 0;
    for (int32_t t = 0; t < HYDRAF_CHUNK; t++) {
#if HYDRAF_REAL
        HYDRAF_PART_ROW(out, t) = hydraf_bits(elements[t]);
#else
        part |= ((uint32_t)(int32_t)elements[t] & ((UINT32_C(2) << (HYDRAF_ELEMENT_BITS - 1)) - 1)) << (t * HYDRAF_ELEMENT_BITS % 32);
        HYDRAF_PART_ROW(out, t * HYDRAF_ELEMENT_BITS / 32) = part;
        part = (t + 1) * HYDRAF_ELEMENT_BITS % 32 == 0 ? 0 : part;
#endif
    }
    (void)part;
    return out;
}

void hydraf_encode(HYDRAF_PARAMETERS_SAMPLES, int32_t rows, int32_t shift, HYDRAF_FIFO_PARAMETER(hydraf_row_t, encoded, HYDRAF_ROWS_MOST))
{
    HYDRAF_ARRAY_PARTITION_BASE
    HYDRAF_LOCAL code_t encoder_features[HYDRAF_BATCH][FEATURES_HELD];
    HYDRAF_ARRAY_PARTITION_ENCODER_FEATURES
    code_t encoder_sums[HYDRAF_ENCODER_WIDTH];
    HYDRAF_ARRAY_PARTITION_ENCODER_SUMS
    hydraf_element_t encoder_made[HYDRAF_CHUNK];
    HYDRAF_ARRAY_PARTITION_ENCODER_MADE
    hydraf_word_t word[1];
    int32_t feature = 0, row = 0, step = 0, group = 0, base_word = 0, chunk_word = 0, out = 0;
HYDRAF_LABEL(axi_features)
    for (uint32_t i = 0; i < (uint32_t)(rows * HYDRAF_FEATURES) && i < HYDRAF_BATCH * HYDRAF_FEATURES; i++) {
        HYDRAF_PIPELINE_AXI_FEATURES
        HYDRAF_LOOP_TRIPCOUNT_AXI_FEATURES
        uint32_t part = i % HYDRAF_AXI_PARTS;
        if (part == 0)
            HYDRAF_READ_SAMPLES(word, i / HYDRAF_AXI_PARTS);
        uint32_t next = HYDRAF_PART_WORD(word[0], 0);
        for (uint32_t p = 1; p < HYDRAF_AXI_PARTS; p++)
            next = part == p ? HYDRAF_PART_WORD(word[0], p) : next;
        encoder_features[row][feature] = taken(next);
        int32_t ends = feature == HYDRAF_FEATURES - 1;
        feature = ends ? 0 : feature + 1;
        row += ends;
    }
    row = 0;
HYDRAF_LABEL(encoder_begin)
    for (int32_t t = 0; t < HYDRAF_CHUNK; t++) {
        HYDRAF_UNROLL_ENCODER_BEGIN
        encoder_made[t] = 0;
    }
HYDRAF_LABEL(encoder_steps)
    for (int32_t i = 0; i < rows * (HYDRAF_CHUNKS * GROUPS * HYDRAF_ENCODER_STEPS); i++) {
        HYDRAF_PIPELINE_ENCODER_STEPS
        HYDRAF_LOOP_TRIPCOUNT_ENCODER_STEPS
        hydraf_element_t encoder_group[HYDRAF_ENCODER_WIDTH];
        HYDRAF_ARRAY_PARTITION_ENCODER_GROUP
    HYDRAF_LABEL(encoder_width)
        for (int32_t t = 0; t < HYDRAF_ENCODER_WIDTH; t++) {
            HYDRAF_UNROLL_ENCODER_WIDTH
            code_t sum = 0;
            for (int32_t f = 0; f < HYDRAF_ENCODER_LANES; f++) {
                int32_t bit = f * HYDRAF_ENCODER_WIDTH + t;
                code_t value = encoder_features[row][step * HYDRAF_ENCODER_LANES + f];
                int32_t there = step * HYDRAF_ENCODER_LANES + f < HYDRAF_FEATURES && (hydraf_base[base_word][bit / 32] >> (bit % 32) & 1) != 0;
                sum += there ? value : 0;
            }
            sum = step == 0 ? sum : encoder_sums[t] + sum;
            encoder_sums[t] = sum;
            encoder_group[t] = element_of(sum, shift);
        }
        int32_t made_group = step == HYDRAF_ENCODER_STEPS - 1, made_row = made_group && group == GROUPS - 1, made_chunk = made_row && row == rows - 1;
        for (int32_t t = 0; t < HYDRAF_CHUNK; t++) { /* shifts a finished group in at the end */
            int32_t from = t + HYDRAF_ENCODER_WIDTH, more = from < HYDRAF_CHUNK;
            hydraf_element_t next = more ? encoder_made[more ? from : 0] : encoder_group[more ? 0 : from - HYDRAF_CHUNK];
            encoder_made[t] = made_group ? next : encoder_made[t];
        }
        if (made_row) {
            HYDRAF_PUT(encoded, out, row_of(encoder_made));
            out++;
        }
        step = made_group ? 0 : step + 1;
        group = made_row ? 0 : group + made_group;
        row = made_chunk ? 0 : row + made_row;
        chunk_word = made_chunk ? base_word + 1 : chunk_word;
        base_word = made_row && !made_chunk ? chunk_word : base_word + 1;
    }
}
#endif
