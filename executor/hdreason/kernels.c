#include "executor/hdreason/kernels.h"

#include <stdbool.h>
#include <string.h>

#include "core/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef float floats __attribute__((vector_size(64)));
typedef int32_t words __attribute__((vector_size(64)));
typedef floats floats_anywhere __attribute__((aligned(4), may_alias));
typedef words words_anywhere __attribute__((aligned(4), may_alias));

#define LOAD(at) (*(const floats_anywhere *)(const void *)(at))
#define STORE(at, value) (*(floats_anywhere *)(void *)(at) = (value))
#define SIGN_BIT ((int32_t)0x80000000u)

/* One body a kernel, compiled for AVX-512 and as it is: of vectors of 64 bytes GCC makes worse code for AVX2 than for SSE. */
#if defined(__x86_64__) && defined(__GNUC__)
#define EACH(name, parameters, arguments)                                                                    \
    static void name##_portable parameters { name##_body arguments; }                                        \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"))) static void name##_avx512 parameters \
    {                                                                                                        \
        name##_body arguments;                                                                               \
    }
#define CALL(v, name, arguments) ((v) == HDR_AVX512 ? name##_avx512 arguments : name##_portable arguments)

enum hdr_vectors hdr_vectors_best(void)
{
    if (dse_cpu_supports("avx512bw") && dse_cpu_supports("avx512dq") && dse_cpu_supports("avx512vl"))
        return HDR_AVX512;
    return dse_cpu_supports("avx2") ? HDR_AVX2 : HDR_PORTABLE;
}
#else
#define EACH(name, parameters, arguments)                                                                    \
    static void name##_portable parameters { name##_body arguments; }
#define CALL(v, name, arguments) ((void)(v), name##_portable arguments)

enum hdr_vectors hdr_vectors_best(void)
{
    return HDR_PORTABLE;
}
#endif

/* ---- distances ---- */

INLINE void absolute(floats *x)
{
    *x = (floats)((words)*x & ~SIGN_BIT);
}

/* `tile` rows of one element after another against 16 queries. */
INLINE void distance_tile(const float *rows, size_t tile, size_t stride, const float *turned, size_t lanes, size_t elements, float *out)
{
    floats sum[4] = {{0}};
    for (size_t k = 0; k < elements; k++) {
        floats q = LOAD(turned + k * lanes);
#pragma GCC unroll 4
        for (size_t r = 0; r < tile; r++) {
            floats d = q - rows[r * stride + k];
            absolute(&d);
            sum[r] += d;
        }
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < tile; r++)
        STORE(out + r * lanes, sum[r]);
}

INLINE void distances_body(const float *rows, size_t count, size_t stride, const float *turned, size_t lanes, size_t elements, float *out)
{
    for (size_t b = 0; b < lanes; b += HDR_REGISTER) {
        size_t r = 0;
        for (; r + 4 <= count; r += 4)
            distance_tile(rows + r * stride, 4, stride, turned + b, lanes, elements, out + r * lanes + b);
        for (; r < count; r++)
            distance_tile(rows + r * stride, 1, stride, turned + b, lanes, elements, out + r * lanes + b);
    }
}
EACH(distances, (const float *rows, size_t count, size_t stride, const float *turned, size_t lanes, size_t elements, float *out),
     (rows, count, stride, turned, lanes, elements, out))

#if defined(__x86_64__) && defined(__GNUC__)
/* Four rows against sixteen queries in two halves, the same additions in the same order. */
__attribute__((target("avx2"))) static void distances_avx2(const float *rows, size_t count, size_t stride, const float *turned, size_t lanes,
                                                           size_t elements, float *out)
{
    const __m256 size = _mm256_castsi256_ps(_mm256_set1_epi32(~SIGN_BIT));
    size_t whole = count / 4 * 4;
    for (size_t b = 0; b < lanes; b += HDR_REGISTER)
        for (size_t r = 0; r < whole; r += 4) {
            __m256 sum[4][2];
            for (size_t i = 0; i < 4; i++)
                sum[i][0] = sum[i][1] = _mm256_setzero_ps();
            for (size_t k = 0; k < elements; k++) {
                const float *q = turned + k * lanes + b;
                __m256 low = _mm256_loadu_ps(q), high = _mm256_loadu_ps(q + 8);
#pragma GCC unroll 4
                for (size_t i = 0; i < 4; i++) {
                    __m256 row = _mm256_set1_ps(rows[(r + i) * stride + k]);
                    sum[i][0] = _mm256_add_ps(sum[i][0], _mm256_and_ps(_mm256_sub_ps(low, row), size));
                    sum[i][1] = _mm256_add_ps(sum[i][1], _mm256_and_ps(_mm256_sub_ps(high, row), size));
                }
            }
            for (size_t i = 0; i < 4; i++) {
                _mm256_storeu_ps(out + (r + i) * lanes + b, sum[i][0]);
                _mm256_storeu_ps(out + (r + i) * lanes + b + 8, sum[i][1]);
            }
        }
    distances_portable(rows + whole * stride, count - whole, stride, turned, lanes, elements, out + whole * lanes);
}
#else
#define distances_avx2 distances_portable
#endif

void hdr_distances(enum hdr_vectors v, const float *rows, size_t count, size_t stride, const float *turned, size_t lanes, size_t elements,
                   float *out)
{
    if (v == HDR_AVX2)
        distances_avx2(rows, count, stride, turned, lanes, elements, out);
    else
        CALL(v, distances, (rows, count, stride, turned, lanes, elements, out));
}

INLINE void whole_tile(const int32_t *rows, size_t tile, size_t stride, const int32_t *turned, size_t lanes, size_t elements, int32_t *out)
{
    words sum[4] = {{0}};
    for (size_t k = 0; k < elements; k++) {
        words q = *(const words_anywhere *)(const void *)(turned + k * lanes);
#pragma GCC unroll 4
        for (size_t r = 0; r < tile; r++) {
            words d = q - rows[r * stride + k], negative = d >> 31;
            sum[r] += (d ^ negative) - negative;
        }
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < tile; r++)
        *(words_anywhere *)(void *)(out + r * lanes) = sum[r];
}

INLINE void whole_body(const int32_t *rows, size_t count, size_t stride, const int32_t *turned, size_t lanes, size_t elements, int32_t *out)
{
    for (size_t b = 0; b < lanes; b += HDR_REGISTER) {
        size_t r = 0;
        for (; r + 4 <= count; r += 4)
            whole_tile(rows + r * stride, 4, stride, turned + b, lanes, elements, out + r * lanes + b);
        for (; r < count; r++)
            whole_tile(rows + r * stride, 1, stride, turned + b, lanes, elements, out + r * lanes + b);
    }
}
EACH(whole, (const int32_t *rows, size_t count, size_t stride, const int32_t *turned, size_t lanes, size_t elements, int32_t *out),
     (rows, count, stride, turned, lanes, elements, out))

void hdr_distances_whole(enum hdr_vectors v, const int32_t *rows, size_t count, size_t stride, const int32_t *turned, size_t lanes,
                         size_t elements, int32_t *out)
{
    CALL(v, whole, (rows, count, stride, turned, lanes, elements, out));
}

/* Sums of eight absolute differences are one instruction; portably, as a compiler makes them. */
static void bytes_portable(const uint8_t *rows, size_t count, size_t stride, const uint8_t *turned, size_t lanes, int32_t *out)
{
    for (size_t r = 0; r < count; r++)
        for (size_t b = 0; b < lanes; b++) {
            int32_t sum = 0;
            for (size_t k = 0; k < stride; k++) {
                int32_t d = (int32_t)turned[(k / 8 * lanes + b) * 8 + k % 8] - (int32_t)rows[r * stride + k];
                sum += d < 0 ? -d : d;
            }
            out[r * lanes + b] = sum;
        }
}

#if defined(__x86_64__) && defined(__GNUC__)
INLINE int64_t eight(const uint8_t *at)
{
    int64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Four rows against 16 queries: eight (four) queries a register. */
#define TILE 4
__attribute__((target("avx512f,avx512bw"))) static void bytes_avx512(const uint8_t *rows, size_t count, size_t stride, const uint8_t *turned,
                                                                     size_t lanes, int32_t *out)
{
    for (size_t b = 0; b < lanes; b += HDR_REGISTER)
        for (size_t r = 0; r < count; r += TILE) {
            size_t tile = count - r < TILE ? count - r : TILE;
            const uint8_t *row[TILE];
            __m512i low[TILE], high[TILE];
#pragma GCC unroll 4
            for (size_t i = 0; i < TILE; i++) {
                row[i] = rows + (i < tile ? r + i : r) * stride;
                low[i] = high[i] = _mm512_setzero_si512();
            }
            for (size_t k = 0; k < stride; k += 8) {
                const uint8_t *at = turned + (k / 8 * lanes + b) * 8;
                __m512i q = _mm512_loadu_si512(at), p = _mm512_loadu_si512(at + 64);
#pragma GCC unroll 4
                for (size_t i = 0; i < TILE; i++) {
                    __m512i m = _mm512_set1_epi64(eight(row[i] + k));
                    low[i] = _mm512_add_epi64(low[i], _mm512_sad_epu8(q, m));
                    high[i] = _mm512_add_epi64(high[i], _mm512_sad_epu8(p, m));
                }
            }
            for (size_t i = 0; i < tile; i++) {
                _mm256_storeu_si256((void *)(out + (r + i) * lanes + b), _mm512_cvtepi64_epi32(low[i]));
                _mm256_storeu_si256((void *)(out + (r + i) * lanes + b + 8), _mm512_cvtepi64_epi32(high[i]));
            }
        }
}

__attribute__((target("avx2"))) static void bytes_avx2(const uint8_t *rows, size_t count, size_t stride, const uint8_t *turned,
                                                       size_t lanes, int32_t *out)
{
    for (size_t b = 0; b < lanes; b += 8)
        for (size_t r = 0; r < count; r += TILE) {
            size_t tile = count - r < TILE ? count - r : TILE;
            const uint8_t *row[TILE];
            __m256i low[TILE], high[TILE];
#pragma GCC unroll 4
            for (size_t i = 0; i < TILE; i++) {
                row[i] = rows + (i < tile ? r + i : r) * stride;
                low[i] = high[i] = _mm256_setzero_si256();
            }
            for (size_t k = 0; k < stride; k += 8) {
                const uint8_t *at = turned + (k / 8 * lanes + b) * 8;
                __m256i q = _mm256_loadu_si256((const void *)at), p = _mm256_loadu_si256((const void *)(at + 32));
#pragma GCC unroll 4
                for (size_t i = 0; i < TILE; i++) {
                    __m256i m = _mm256_set1_epi64x(eight(row[i] + k));
                    low[i] = _mm256_add_epi64(low[i], _mm256_sad_epu8(q, m));
                    high[i] = _mm256_add_epi64(high[i], _mm256_sad_epu8(p, m));
                }
            }
            for (size_t i = 0; i < tile; i++) {
                int64_t sums[8];
                memcpy(sums, &low[i], sizeof low[i]);
                memcpy(sums + 4, &high[i], sizeof high[i]);
                for (size_t q = 0; q < 8; q++)
                    out[(r + i) * lanes + b + q] = (int32_t)sums[q];
            }
        }
}
#endif

void hdr_distances_bytes(enum hdr_vectors v, const uint8_t *rows, size_t count, size_t stride, const uint8_t *turned, size_t lanes,
                         int32_t *out)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (v == HDR_AVX2) {
        bytes_avx2(rows, count, stride, turned, lanes, out);
        return;
    }
#endif
    CALL(v, bytes, (rows, count, stride, turned, lanes, out));
}

INLINE void beaten_body(const int32_t *distance, size_t count, size_t lanes, const int32_t *wanted, int32_t *less, int32_t *equal)
{
    for (size_t b = 0; b < lanes; b += HDR_REGISTER) {
        words limit = *(const words_anywhere *)(const void *)(wanted + b), under = {0}, same = {0};
        for (size_t r = 0; r < count; r++) {
            words d = *(const words_anywhere *)(const void *)(distance + r * lanes + b);
            under -= d < limit;
            same -= d == limit;
        }
        *(words_anywhere *)(void *)(less + b) += under;
        *(words_anywhere *)(void *)(equal + b) += same;
    }
}
EACH(beaten, (const int32_t *distance, size_t count, size_t lanes, const int32_t *wanted, int32_t *less, int32_t *equal),
     (distance, count, lanes, wanted, less, equal))

void hdr_beaten(enum hdr_vectors v, const int32_t *distance, size_t count, size_t lanes, const int32_t *wanted, int32_t *less, int32_t *equal)
{
    CALL(v, beaten, (distance, count, lanes, wanted, less, equal));
}

/* ---- gradients of distances ---- */

#define SIGN_ROWS 32 /* rows whose memory and gradient stay near while queries pass */

INLINE void signs_tile(const struct hdr_signs *w, size_t first, size_t count, size_t b, size_t k)
{
    const float *query = w->queries + b * w->stride + k;
    float *gradient = w->query_gradient + b * w->stride + k;
    floats q[4], sum[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        q[i] = LOAD(query + i * w->stride);
        sum[i] = LOAD(gradient + i * w->stride);
    }
    for (size_t r = first; r < first + count; r++) {
        floats m = LOAD(w->rows + r * w->stride + k), mine = LOAD(w->row_gradient + r * w->stride + k);
        const float *weight = w->weight + r * w->lanes + b;
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++) {
            const floats all = weight[i] - (floats){0};
            floats g = (floats)(((words)(q[i] - m) & SIGN_BIT) ^ (words)all);
            sum[i] += g;
            mine -= g;
        }
        STORE(w->row_gradient + r * w->stride + k, mine);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        STORE(gradient + i * w->stride, sum[i]);
}

INLINE void signs_body(const struct hdr_signs *w)
{
    for (size_t first = 0; first < w->count; first += SIGN_ROWS) {
        size_t count = w->count - first < SIGN_ROWS ? w->count - first : SIGN_ROWS;
        for (size_t k = 0; k < w->stride; k += HDR_REGISTER)
            for (size_t b = 0; b < w->lanes; b += 4)
                signs_tile(w, first, count, b, k);
    }
}
EACH(signs, (const struct hdr_signs *w), (w))

void hdr_signs(enum hdr_vectors v, const struct hdr_signs *what)
{
    CALL(v, signs, (what));
}

/* ---- products and bindings ---- */

INLINE void product_tile(const float *left, size_t tile, size_t left_stride, size_t inner, const float *right, size_t columns, float *out)
{
    floats sum[4] = {{0}};
    for (size_t k = 0; k < inner; k++) {
        floats b = LOAD(right + k * columns);
#pragma GCC unroll 4
        for (size_t r = 0; r < tile; r++)
            sum[r] += b * left[r * left_stride + k];
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < tile; r++)
        STORE(out + r * columns, sum[r]);
}

INLINE void product_body(const float *left, size_t count, size_t left_stride, size_t inner, const float *right, size_t columns, float *out)
{
    for (size_t c = 0; c < columns; c += HDR_REGISTER) {
        size_t r = 0;
        for (; r + 4 <= count; r += 4)
            product_tile(left + r * left_stride, 4, left_stride, inner, right + c, columns, out + r * columns + c);
        for (; r < count; r++)
            product_tile(left + r * left_stride, 1, left_stride, inner, right + c, columns, out + r * columns + c);
    }
}
EACH(product, (const float *left, size_t count, size_t left_stride, size_t inner, const float *right, size_t columns, float *out),
     (left, count, left_stride, inner, right, columns, out))

void hdr_product(enum hdr_vectors v, const float *left, size_t count, size_t left_stride, size_t inner, const float *right, size_t columns,
                 float *out)
{
    CALL(v, product, (left, count, left_stride, inner, right, columns, out));
}

#define NEAR 6 /* pairs ahead */

INLINE void bind_body(const float *one, const float *other, const struct hdr_pair *pairs, size_t count, size_t stride, float *out)
{
    for (size_t k = 0; k < stride; k += 4 * HDR_REGISTER) {
        floats sum[4];
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++)
            sum[i] = LOAD(out + k + i * HDR_REGISTER);
        for (size_t p = 0; p < count; p++) {
            const float *next = one + (size_t)pairs[p + NEAR < count ? p + NEAR : p].a * stride + k; /* rows lie far apart */
            for (size_t i = 0; i < 4; i++)
                __builtin_prefetch(next + i * HDR_REGISTER);
            const float *a = one + (size_t)pairs[p].a * stride + k, *b = other + (size_t)pairs[p].b * stride + k;
#pragma GCC unroll 4
            for (size_t i = 0; i < 4; i++)
                sum[i] += LOAD(a + i * HDR_REGISTER) * LOAD(b + i * HDR_REGISTER);
        }
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++)
            STORE(out + k + i * HDR_REGISTER, sum[i]);
    }
}
EACH(bind, (const float *one, const float *other, const struct hdr_pair *pairs, size_t count, size_t stride, float *out),
     (one, other, pairs, count, stride, out))

void hdr_bind(enum hdr_vectors v, const float *one, const float *other, const struct hdr_pair *pairs, size_t count, size_t stride, float *out)
{
    CALL(v, bind, (one, other, pairs, count, stride, out));
}

/* ---- functions ---- */

/* e^x = 2^n e^f with |f| ≤ ln 2 / 2: the series of e^f to the seventh power. */
INLINE void exponential(floats *x)
{
    const floats low = (floats){0} - 87.0f;
    words small = *x < low;
    floats at = (floats)((words)*x & ~small);
    floats shifted = at * 1.44269504f + 12582912.0f, n = shifted - 12582912.0f; /* 1.5 · 2^23: rounds to a whole number */
    floats f = at - n * 0.693145752f - n * 1.42860677e-6f;
    floats sum = f * (1.0f / 5040) + (1.0f / 720);
    sum = sum * f + (1.0f / 120);
    sum = sum * f + (1.0f / 24);
    sum = sum * f + (1.0f / 6);
    sum = sum * f + 0.5f;
    sum = sum * f + 1.0f;
    sum = sum * f + 1.0f;
    words power = (words)shifted << 23; /* n in the exponent */
    *x = (floats)(((words)sum + power) & ~small);
}

INLINE void exp_body(float *x, size_t count)
{
    for (size_t i = 0; i < count; i += HDR_REGISTER) {
        floats v = LOAD(x + i);
        exponential(&v);
        STORE(x + i, v);
    }
}
EACH(exp, (float *x, size_t count), (x, count))

void hdr_exp(enum hdr_vectors v, float *x, size_t count)
{
    CALL(v, exp, (x, count));
}

/* tanh |x| = (1 − e^−2|x|) / (1 + e^−2|x|); below 1/8, where that loses digits, x − x³/3 + 2x⁵/15 − 17x⁷/315. */
INLINE void tanh_body(float *x, size_t count)
{
    for (size_t i = 0; i < count; i += HDR_REGISTER) {
        const floats v = LOAD(x + i), small = v - v + 0.125f;
        floats size = v, e;
        absolute(&size);
        e = size * -2.0f;
        exponential(&e);
        floats large = (1.0f - e) / (1.0f + e), s = v * v;
        floats near = size * (1.0f + s * (-1.0f / 3 + s * (2.0f / 15 - s * (17.0f / 315))));
        words is_near = size < small;
        words result = ((words)near & is_near) | ((words)large & ~is_near);
        STORE(x + i, (floats)(result | ((words)v & SIGN_BIT)));
    }
}
EACH(tanh, (float *x, size_t count), (x, count))

void hdr_tanh(enum hdr_vectors v, float *x, size_t count)
{
    CALL(v, tanh, (x, count));
}
