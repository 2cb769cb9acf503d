/* SPDX-License-Identifier: MIT */ /* Similarity and Classification Engine: the class whose prototype has the largest cosine (paper, section 5.2.6), or the largest
 * product plus offset. Ties go to the lower class. */
#include "nysx.h"
#include "nysx_model.h"

#define OFFSETS (NYSX_PROTOTYPES != NYSX_PROTOTYPES_BUNDLED)

static uint32_t stored(int32_t row, int32_t word, int32_t element)
{
    int32_t first = element * NYSX_SCE_PROTOTYPE_BITS;
    return nysx_prototypes[row][word][first / 32] >> (first % 32);
}

/* Element type, and partial sums per row: element i adds to sum i mod SUMS. */
#if NYSX_SCE_PROTOTYPE_BITS == 32
#define SUMS 64
#define TURNED (SUMS - NYSX_SCE_WORDS * (NYSX_SCE_BITS % SUMS) % SUMS) /* rotation that undoes the total rotation of the sums */

static nysx_score_t element_of(int32_t row, int32_t word, int32_t element)
{
    return nysx_real(stored(row, word, element));
}
#else
#define SUMS 1

/* ±1 if one bit, otherwise two's complement. */
static nysx_score_t element_of(int32_t row, int32_t word, int32_t element)
{
#if NYSX_SCE_PROTOTYPE_BITS == 1
    return stored(row, word, element) & 1 ? 1 : -1;
#else
    int32_t half = 1 << (NYSX_SCE_PROTOTYPE_BITS - 1);
    return ((int32_t)(stored(row, word, element) & (uint32_t)(2 * half - 1)) ^ half) - half;
#endif
}
#endif

#if NYSX_SCE_PROTOTYPE_BITS == 32
/* Rotates the sums by the elements of a word, so element i of every word adds to sum i mod SUMS. */
static void rotate(nysx_score_t sums[SUMS])
{
    nysx_score_t sce_before[SUMS];
    NYSX_ARRAY_PARTITION_SCE_BEFORE
    for (int32_t k = 0; k < SUMS; k++)
        sce_before[k] = sums[k];
    for (int32_t k = 0; k < SUMS; k++)
        sums[k] = sce_before[(k + NYSX_SCE_BITS) % SUMS];
}
#endif

/* h · g for SCE_ROWS prototypes in parallel. */
static void dots(nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS], int32_t first,
                 nysx_score_t sums[NYSX_SCE_ROWS][SUMS])
{
NYSX_LABEL(sce_clear)
    for (int32_t i = 0; i < SUMS * NYSX_SCE_ROWS; i++) {
        NYSX_UNROLL_SCE_CLEAR
        sums[i / SUMS][i % SUMS] = 0;
    }
NYSX_LABEL(sce_words)
    for (int32_t w = 0; w < NYSX_SCE_WORDS; w++) {
        NYSX_PIPELINE_SCE_WORDS
        NYSX_TALLY(sce_words, 1);
    NYSX_LABEL(sce_rows)
        for (int32_t r = 0; r < NYSX_SCE_ROWS; r++) {
            NYSX_UNROLL_SCE_ROWS
#if NYSX_SCE_PROTOTYPE_BITS != 32
            nysx_score_t tree = 0;
#endif
        NYSX_LABEL(sce_elements)
            for (int32_t i = 0; i < NYSX_SCE_BITS; i++) {
                NYSX_UNROLL_SCE_ELEMENTS
                int32_t element = w * NYSX_SCE_BITS + i;
                int32_t row = first + r < NYSX_CLASSES ? first + r : 0;
                nysx_score_t value = element_of(row, w, i);
                value = hypervector[element] ? value : -value;
#if NYSX_SCE_PROTOTYPE_BITS != 32
                tree += element < NYSX_DIM ? value : 0;
#else
                if (element < NYSX_DIM)
                    sums[r][i % SUMS] += value;
#endif
            }
#if NYSX_SCE_PROTOTYPE_BITS != 32
            sums[r][0] += tree;
#else
            rotate(sums[r]);
#endif
        }
    }
}

#if NYSX_SCE_PROTOTYPE_BITS == 32
/* h · g for SCE_ROWS prototypes, with the partial sums added. */
static void products(nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS], int32_t first, double dot[NYSX_SCE_TRIPS * NYSX_SCE_ROWS])
{
    NYSX_LOCAL nysx_score_t sce_sums[NYSX_SCE_ROWS][SUMS];
    NYSX_ARRAY_PARTITION_SCE_SUMS
    dots(hypervector, first, sce_sums);
NYSX_LABEL(sce_add)
    for (int32_t r = 0; r < NYSX_SCE_ROWS; r++) {
        double sum = 0.0;
    NYSX_LABEL(sce_sum)
        for (int32_t i = 0; i < SUMS; i++) {
            NYSX_PIPELINE_SCE_SUM
            sum += (double)sce_sums[r][(i + TURNED) % SUMS];
        }
        dot[first + r] = sum;
    }
}

int32_t nysx_sce(nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_ARRAY_PARTITION_PROTOTYPES
    NYSX_BIND_STORAGE_PROTOTYPES
    int32_t best = 0;
    double best_score = 0.0, dot[NYSX_SCE_TRIPS * NYSX_SCE_ROWS];
NYSX_LABEL(sce_trips)
    for (int32_t trip = 0; trip < NYSX_SCE_TRIPS; trip++)
        products(hypervector, trip * NYSX_SCE_ROWS, dot);
NYSX_LABEL(sce_argmax)
    for (int32_t c = 0; c < NYSX_CLASSES; c++) {
        NYSX_PIPELINE_SCE_ARGMAX
#if OFFSETS
        double score = dot[c] + (double)nysx_prototype_offset[c];
#else
        double length = nysx_prototype_length[c];
        double score = length > 0.0 ? dot[c] / length : 0.0;
#endif
        if (c == 0 || score > best_score) {
            best = c;
            best_score = score;
        }
    }
    return best;
}
#else

#if NYSX_SCE_PROTOTYPE_BITS == 1 || OFFSETS
/* Scores with offsets, and products with sign prototypes, which have equal lengths: compared directly. */
static int32_t larger(int64_t a, int64_t norm_a, int64_t b, int64_t norm_b)
{
    (void)norm_a;
    (void)norm_b;
    return a > b;
}
#else
/* |a| b in two words, for a up to 2^54 and b up to 2^34. */
struct wide {
    uint64_t high, low;
};

static struct wide product(uint64_t a, uint64_t b)
{
    uint64_t low = (a & 0xffffffffu) * (b & 0xffffffffu), high = (a >> 32) * (b >> 32);
    uint64_t middle = (a >> 32) * (b & 0xffffffffu) + (low >> 32), other = (a & 0xffffffffu) * (b >> 32);
    struct wide out;
    uint64_t carry = (middle & 0xffffffffu) + other;
    out.low = (carry << 32) | (low & 0xffffffffu);
    out.high = high + (middle >> 32) + (carry >> 32);
    return out;
}

/* a / √norm_a > b / √norm_b in integers; a prototype of norm 0 has cosine 0. */
static int32_t larger(int64_t a, int64_t norm_a, int64_t b, int64_t norm_b)
{
    a = norm_a > 0 ? a : 0;
    b = norm_b > 0 ? b : 0;
    if ((a > 0) != (b > 0) || a == 0 || b == 0)
        return a > b;
    struct wide left = product((uint64_t)(a * a), (uint64_t)(norm_b > 0 ? norm_b : 1));
    struct wide right = product((uint64_t)(b * b), (uint64_t)(norm_a > 0 ? norm_a : 1));
    int32_t above = left.high > right.high || (left.high == right.high && left.low > right.low);
    int32_t equal = left.high == right.high && left.low == right.low;
    return a > 0 ? above : !above && !equal;
}
#endif

int32_t nysx_sce(nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_ARRAY_PARTITION_PROTOTYPES
    NYSX_BIND_STORAGE_PROTOTYPES
    int32_t best = 0;
    int64_t best_dot = 0, best_norm = 1;
    nysx_score_t all[NYSX_SCE_TRIPS * NYSX_SCE_ROWS];
NYSX_LABEL(sce_trips)
    for (int32_t trip = 0; trip < NYSX_SCE_TRIPS; trip++) {
        nysx_score_t sce_dots[NYSX_SCE_ROWS][SUMS];
        NYSX_ARRAY_PARTITION_SCE_DOTS
        dots(hypervector, trip * NYSX_SCE_ROWS, sce_dots);
    NYSX_LABEL(sce_keep)
        for (int32_t r = 0; r < NYSX_SCE_ROWS; r++) {
            NYSX_UNROLL_SCE_KEEP
            all[trip * NYSX_SCE_ROWS + r] = sce_dots[r][0];
        }
    }
NYSX_LABEL(sce_argmax)
    for (int32_t c = 0; c < NYSX_CLASSES; c++) {
        NYSX_PIPELINE_SCE_ARGMAX
#if OFFSETS
        int64_t score = (int64_t)all[c] + nysx_prototype_offset[c], norm = 1;
#if NYSX_NEE_TABLE != NYSX_NEE_TABLE_NONE
        score += nysx_code_sums[c] * ((int64_t)1 << nysx_code_weights_shift[0]);
#endif
#else
        int64_t score = (int64_t)all[c], norm = nysx_prototype_norm[c];
#endif
        if (c == 0 || larger(score, norm, best_dot, best_norm)) {
            best = c;
            best_dot = score;
            best_norm = norm;
        }
    }
    return best;
}
#endif
