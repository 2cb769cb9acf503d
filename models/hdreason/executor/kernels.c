#include "models/hdreason/executor/kernels.h"

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
typedef float float_eights __attribute__((vector_size(32)));
typedef int32_t word_eights __attribute__((vector_size(32)));
typedef float_eights float_eights_anywhere __attribute__((aligned(4), may_alias));

#define LOAD(at) (*(const floats_anywhere *)(const void *)(at))
#define STORE(at, value) (*(floats_anywhere *)(void *)(at) = (value))
#define SIGN_BIT ((int32_t)0x80000000u)

/* Each kernel has one body, compiled for AVX-512 and for the base target: from 64-byte vectors GCC makes slower code for AVX2 than for SSE.
 * The macro takes the arguments, then the parameters. */
#if defined(__x86_64__) && defined(__GNUC__)
#define COMPILED(name, arguments, ...)                                                                      \
    static void name##_portable(__VA_ARGS__) { name##_body arguments; }                                     \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"))) static void name##_avx512(__VA_ARGS__) \
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
#define COMPILED(name, arguments, ...)                                                                      \
    static void name##_portable(__VA_ARGS__) { name##_body arguments; }
#define CALL(v, name, arguments) ((void)(v), name##_portable arguments)

enum hdr_vectors hdr_vectors_best(void)
{
    return HDR_PORTABLE;
}
#endif

/* The kernel's public function calls one of both. */
#define KERNEL(name, arguments, ...)                                                                        \
    COMPILED(name, arguments, __VA_ARGS__)                                                                  \
    void hdr_##name(enum hdr_vectors v, __VA_ARGS__)                                                        \
    {                                                                                                        \
        CALL(v, name, arguments);                                                                            \
    }

/* ---- rows against columns ---- */

#define TILE 4       /* rows that share a load of the columns */
#define ROWS_NEAR 32 /* rows that stay in cache while they meet all columns */

/* name_body: `at_once` rows at a time against a register of columns, one element after another. `add` adds to sum[r] from `row`, an element, and
 * `column`, a register. */
#define ROWS_BY_COLUMNS(name, at_once, element, vector, add)                                                                                     \
    INLINE void name##_tile(const element *rows, size_t tile, size_t stride, const element *columns, size_t width, size_t elements, element *out) \
    {                                                                                                                                    \
        vector sum[at_once] = {{0}};                                                                                                     \
        for (size_t k = 0; k < elements; k++) {                                                                                          \
            const vector column = *(const vector##_anywhere *)(const void *)(columns + k * width);                                       \
            _Pragma("GCC unroll 8") for (size_t r = 0; r < tile; r++)                                                                    \
            {                                                                                                                            \
                const element row = rows[r * stride + k];                                                                                \
                add;                                                                                                                     \
            }                                                                                                                            \
        }                                                                                                                                \
        _Pragma("GCC unroll 8") for (size_t r = 0; r < tile; r++) *(vector##_anywhere *)(void *)(out + r * width) = sum[r];              \
    }                                                                                                                                    \
    INLINE void name##_body(const element *rows, size_t count, size_t stride, const element *columns, size_t width, size_t elements, element *out)\
    {                                                                                                                                           \
        for (size_t first = 0; first < count; first += ROWS_NEAR)                                                                               \
            for (size_t c = 0; c < width; c += sizeof(vector) / sizeof(element)) {                                                              \
                size_t r = first, end = count - first < ROWS_NEAR ? count : first + ROWS_NEAR;                                                  \
                for (; r + at_once <= end; r += at_once)                                                                                        \
                    name##_tile(rows + r * stride, at_once, stride, columns + c, width, elements, out + r * width + c);                         \
                for (; r < end; r++)                                                                                                            \
                    name##_tile(rows + r * stride, 1, stride, columns + c, width, elements, out + r * width + c);                               \
            }                                                                                                                                   \
    }

#define ROW_ARGUMENTS (rows, count, stride, columns, width, elements, out)
#define ROW_PARAMETERS(element) const element *rows, size_t count, size_t stride, const element *columns, size_t width, size_t elements, element *out

INLINE void absolute(floats *x)
{
    *x = (floats)((words)*x & ~SIGN_BIT);
}

ROWS_BY_COLUMNS(distances, TILE, float, floats, floats d = column - row; absolute(&d); sum[r] += d)
COMPILED(distances, ROW_ARGUMENTS, ROW_PARAMETERS(float))

#if defined(__x86_64__) && defined(__GNUC__)
/* The same additions in the same order, by registers of eight. */
ROWS_BY_COLUMNS(eights, 2 * TILE, float, float_eights, float_eights d = column - row; d = (float_eights)((word_eights)d & ~SIGN_BIT); sum[r] += d)

__attribute__((target("avx2"))) static void distances_avx2(ROW_PARAMETERS(float))
{
    eights_body ROW_ARGUMENTS;
}
#else
#define distances_avx2 distances_portable
#endif

void hdr_distances(enum hdr_vectors v, ROW_PARAMETERS(float))
{
    if (v == HDR_AVX2)
        distances_avx2 ROW_ARGUMENTS;
    else
        CALL(v, distances, ROW_ARGUMENTS);
}

ROWS_BY_COLUMNS(distances_whole, TILE, int32_t, words, words d = column - row; words negative = d >> 31; sum[r] += (d ^ negative) - negative)
KERNEL(distances_whole, ROW_ARGUMENTS, ROW_PARAMETERS(int32_t))

ROWS_BY_COLUMNS(product, TILE, float, floats, sum[r] += column * row)
KERNEL(product, ROW_ARGUMENTS, ROW_PARAMETERS(float))

/* ---- bytes ---- */

/* x86 sums eight absolute differences in one instruction; this is the portable form. */
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

/* A register of 64-bit sums is stored as words. */
typedef int64_t sums_avx512 __attribute__((vector_size(64), aligned(1), may_alias));
typedef int32_t sums_avx512_out __attribute__((vector_size(32), aligned(4), may_alias));
typedef int64_t sums_avx2 __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t sums_avx2_out __attribute__((vector_size(16), aligned(4), may_alias));

/* TILE rows against a register of queries. */
#define BYTES(set, machine, sums, integers, sad)                                                                                        \
    __attribute__((target(machine))) static void bytes_##set(const uint8_t *rows, size_t count, size_t stride, const uint8_t *turned,   \
                                                             size_t lanes, int32_t *out)                                                \
    {                                                                                                                                   \
        for (size_t first = 0; first < count; first += ROWS_NEAR)                                                                       \
            for (size_t b = 0; b < lanes; b += sizeof(sums) / 8)                                                                        \
                for (size_t r = first; r < first + ROWS_NEAR && r < count; r += TILE) {                                                 \
                    size_t tile = count - r < TILE ? count - r : TILE;                                                                  \
                    const uint8_t *row[TILE];                                                                                           \
                    sums sum[TILE] = {{0}};                                                                                             \
                    for (size_t i = 0; i < TILE; i++)                                                                                   \
                        row[i] = rows + (i < tile ? r + i : r) * stride;                                                                \
                    for (size_t k = 0; k < stride; k += 8) {                                                                            \
                        const sums q = *(const sums *)(const void *)(turned + (k / 8 * lanes + b) * 8);                                 \
                        _Pragma("GCC unroll 4") for (size_t i = 0; i < TILE; i++)                                                       \
                            sum[i] += (sums)sad((integers)q, (integers)(eight(row[i] + k) - (sums){0}));                                \
                    }                                                                                                                   \
                    for (size_t i = 0; i < tile; i++)                                                                                   \
                        *(sums##_out *)(void *)(out + (r + i) * lanes + b) = __builtin_convertvector(sum[i], sums##_out);               \
                }                                                                                                                       \
    }
BYTES(avx512, "avx512f,avx512bw", sums_avx512, __m512i, _mm512_sad_epu8)
BYTES(avx2, "avx2", sums_avx2, __m256i, _mm256_sad_epu8)
#else
#define bytes_avx2 bytes_portable
#endif

void hdr_distances_bytes(enum hdr_vectors v, const uint8_t *rows, size_t count, size_t stride, const uint8_t *turned, size_t lanes,
                         int32_t *out)
{
    if (v == HDR_AVX2)
        bytes_avx2(rows, count, stride, turned, lanes, out);
    else
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
KERNEL(beaten, (distance, count, lanes, wanted, less, equal), const int32_t *distance, size_t count, size_t lanes, const int32_t *wanted,
       int32_t *less, int32_t *equal)

/* ---- gradients of distances ---- */

#define SIGN_ROWS 32 /* rows whose memory and gradient stay in cache while queries pass */

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
KERNEL(signs, (w), const struct hdr_signs *w)

/* ---- bindings ---- */

#define NEAR 6 /* pairs ahead */

/* `registers` registers of every row at once. */
INLINE void bind_registers(const float *one, const float *other, const struct hdr_pair *pairs, size_t count, size_t stride, size_t registers, float *out)
{
    floats sum[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < registers; i++)
        sum[i] = LOAD(out + i * HDR_REGISTER);
    for (size_t p = 0; p < count; p++) {
        const float *a = one + (size_t)pairs[p].a * stride, *b = other + (size_t)pairs[p].b * stride;
#pragma GCC unroll 4
        for (size_t i = 0; i < registers; i++)
            sum[i] += LOAD(a + i * HDR_REGISTER) * LOAD(b + i * HDR_REGISTER);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < registers; i++)
        STORE(out + i * HDR_REGISTER, sum[i]);
}

INLINE void bind_body(const float *one, const float *other, const struct hdr_pair *pairs, size_t count, size_t stride, float *out)
{
    size_t k = 0;
    for (; k + 4 * HDR_REGISTER <= stride; k += 4 * HDR_REGISTER)
        bind_registers(one + k, other + k, pairs, count, stride, 4, out + k);
    for (; k + 2 * HDR_REGISTER <= stride; k += 2 * HDR_REGISTER)
        bind_registers(one + k, other + k, pairs, count, stride, 2, out + k);
    for (; k < stride; k += HDR_REGISTER)
        bind_registers(one + k, other + k, pairs, count, stride, 1, out + k);
}
KERNEL(bind, (one, other, pairs, count, stride, out), const float *one, const float *other, const struct hdr_pair *pairs, size_t count,
       size_t stride, float *out)

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
KERNEL(exp, (x, count), float *x, size_t count)

/* tanh |x| = (1 − e^−2|x|) / (1 + e^−2|x|); below 1/8, where this loses digits, x − x³/3 + 2x⁵/15 − 17x⁷/315. */
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
KERNEL(tanh, (x, count), float *x, size_t count)
