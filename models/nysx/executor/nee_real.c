/* Kernels of the real formats. The loops are written once, over vectors of 16 lanes; each instruction set
 * gets its own compilation of them. Lanes multiply and add on their own, so that all give the same bits. */
#include <string.h>

#include "models/nysx/executor/nee_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef float lanes __attribute__((vector_size(64)));
typedef uint32_t words __attribute__((vector_size(64)));
typedef int32_t signed_words __attribute__((vector_size(64)));
typedef uint16_t halves __attribute__((vector_size(32)));

/* Sixteen elements from where they are stored. `precision` is a constant at each use. */
INLINE void load(enum nysx_precision precision, const unsigned char *at, lanes *out)
{
    if (precision == NYSX_FP32) {
        memcpy(out, at, sizeof *out);
        return;
    }
    halves stored;
    memcpy(&stored, at, sizeof stored);
    words bits = __builtin_convertvector(stored, words);
    if (precision == NYSX_BF16) {
        bits <<= 16;
        memcpy(out, &bits, sizeof *out);
        return;
    }
    words magnitude = (bits & 0x7fff) << 13, sign = (bits & 0x8000) << 16;
    memcpy(out, &magnitude, sizeof *out);
    *out *= 0x1p112f;
    memcpy(&magnitude, out, sizeof magnitude);
    magnitude |= sign;
    memcpy(out, &magnitude, sizeof *out);
}

INLINE void block_sums(enum nysx_precision precision, const unsigned char *packed, size_t columns,
                       const float *input, float *sums)
{
    size_t step = precision == NYSX_FP32 ? 64 : 32; /* bytes of 16 elements */
    lanes a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t j = 0; j < columns; j++, packed += 4 * step) {
        lanes p, q, r, s;
        float x = input[j];
        load(precision, packed, &p);
        load(precision, packed + step, &q);
        load(precision, packed + 2 * step, &r);
        load(precision, packed + 3 * step, &s);
        a += p * x;
        b += q * x;
        c += r * x;
        d += s * x;
    }
    memcpy(sums, &a, sizeof a);
    memcpy(sums + 16, &b, sizeof b);
    memcpy(sums + 32, &c, sizeof c);
    memcpy(sums + 48, &d, sizeof d);
}

INLINE void any_format(const struct nysx_projection *p, size_t block, const float *input, float *sums)
{
    const unsigned char *packed = p->packed + block * p->groups * nysx_format(p->precision)->group_bytes;
    if (p->precision == NYSX_FP32)
        block_sums(NYSX_FP32, packed, p->columns, input, sums);
    else if (p->precision == NYSX_FP16)
        block_sums(NYSX_FP16, packed, p->columns, input, sums);
    else
        block_sums(NYSX_BF16, packed, p->columns, input, sums);
}

/* int8 elements, four columns of a row in 32 bits: each column is shifted up and back to bring its sign. */
INLINE void mixed_sums(const unsigned char *packed, size_t columns, const float *input, float *sums)
{
    lanes total[4] = {{0}};
    for (size_t g = 0; g < columns; g += 4, packed += 256) {
        size_t last = columns - g < 4 ? columns - g : 4;
        for (size_t k = 0; k < last; k++) {
            for (int q = 0; q < 4; q++) {
                signed_words word;
                memcpy(&word, packed + 64 * q, sizeof word);
                word = word << (24 - 8 * (int)k) >> 24;
                total[q] += __builtin_convertvector(word, lanes) * input[g + k];
            }
        }
    }
    memcpy(sums, total, sizeof total);
}

static void mixed_portable(const unsigned char *packed, size_t columns, const float *input, float *sums)
{
    mixed_sums(packed, columns, input, sums);
}

static void sums_portable(const struct nysx_projection *p, size_t block, const float *input, float *sums)
{
    any_format(p, block, input, sums);
}

static uint64_t signs_portable(const float *sums)
{
    uint64_t bits = 0;
    for (int i = 0; i < NYSX_LANES; i++)
        bits |= (uint64_t)(sums[i] >= 0.0f) << i;
    return bits;
}

#if defined(__x86_64__)
TARGET_AVX2 static void sums_avx2(const struct nysx_projection *p, size_t block, const float *input,
                                  float *sums)
{
    any_format(p, block, input, sums);
}

TARGET_AVX512 static void sums_avx512(const struct nysx_projection *p, size_t block, const float *input,
                                      float *sums)
{
    any_format(p, block, input, sums);
}

TARGET_AVX2 static void mixed_avx2(const unsigned char *packed, size_t columns, const float *input, float *sums)
{
    mixed_sums(packed, columns, input, sums);
}

TARGET_AVX512 static void mixed_avx512(const unsigned char *packed, size_t columns, const float *input,
                                       float *sums)
{
    mixed_sums(packed, columns, input, sums);
}

TARGET_AVX2 static uint64_t signs_avx2(const float *sums)
{
    uint64_t bits = 0;
    for (int k = 0; k < 8; k++) {
        __m256 not_less = _mm256_cmp_ps(_mm256_loadu_ps(sums + 8 * k), _mm256_setzero_ps(), _CMP_GE_OQ);
        bits |= (uint64_t)(unsigned)_mm256_movemask_ps(not_less) << (8 * k);
    }
    return bits;
}

TARGET_AVX512 static uint64_t signs_avx512(const float *sums)
{
    uint64_t bits = 0;
    for (int k = 0; k < 4; k++)
        bits |= (uint64_t)_mm512_cmp_ps_mask(_mm512_loadu_ps(sums + 16 * k), _mm512_setzero_ps(), _CMP_GE_OQ)
                << (16 * k);
    return bits;
}
#else
#define sums_avx2 sums_portable
#define sums_avx512 sums_portable
#define mixed_avx2 mixed_portable
#define mixed_avx512 mixed_portable
#define signs_avx2 signs_portable
#define signs_avx512 signs_portable
#endif

static const struct {
    void (*sums)(const struct nysx_projection *p, size_t block, const float *input, float *sums);
    void (*mixed)(const unsigned char *packed, size_t columns, const float *input, float *sums);
    uint64_t (*signs)(const float *sums);
} kernels[NYSX_VECTORS] = {{sums_portable, mixed_portable, signs_portable},
                           {sums_avx2, mixed_avx2, signs_avx2},
                           {sums_avx512, mixed_avx512, signs_avx512}};

void nysx_sums_real(enum nysx_vectors vectors, const struct nysx_projection *projection, size_t block,
                    const struct nysx_input *input, float *sums)
{
    kernels[vectors].sums(projection, block, input->real, sums);
}

uint64_t nysx_signs_real(enum nysx_vectors vectors, const struct nysx_projection *projection, size_t block,
                         const struct nysx_input *input)
{
    float sums[NYSX_LANES];
    kernels[vectors].sums(projection, block, input->real, sums);
    return kernels[vectors].signs(sums);
}

uint64_t nysx_signs_mixed(enum nysx_vectors vectors, const unsigned char *packed, size_t columns,
                          const struct nysx_input *input)
{
    float sums[NYSX_LANES];
    kernels[vectors].mixed(packed, columns, input->real, sums);
    return kernels[vectors].signs(sums);
}
