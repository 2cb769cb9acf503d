#include "models/nysx/executor/sce.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"
#include "core/memory.h"
#include "models/nysx/executor/vectors.h"

__extension__ typedef __int128 int128;

enum dse_status nysx_prototypes_alloc(size_t classes, size_t dim, int bits, struct nysx_prototypes *out,
                                      struct dse_error *err)
{
    *out = (struct nysx_prototypes){
        .classes = classes, .dim = dim, .words = (dim + 63) / 64, .bits = bits};
    if (bits == 32) {
        out->real = dse_calloc(classes * out->words * 64, sizeof *out->real);
        out->length = dse_calloc(classes, sizeof *out->length);
        if (out->real != NULL && out->length != NULL)
            return DSE_OK;
    } else {
        out->whole = dse_calloc(classes * dim, sizeof *out->whole);
        out->planes = dse_calloc(classes * (size_t)bits * out->words, sizeof *out->planes);
        out->offset = dse_calloc(classes, sizeof *out->offset);
        out->norm = dse_calloc(classes, sizeof *out->norm);
        if (out->whole != NULL && out->planes != NULL && out->offset != NULL && out->norm != NULL)
            return DSE_OK;
    }
    nysx_prototypes_free(out);
    return dse_fail_memory(err);
}

void nysx_prototypes_free(struct nysx_prototypes *prototypes)
{
    free(prototypes->whole);
    free(prototypes->real);
    free(prototypes->planes);
    free(prototypes->offset);
    free(prototypes->norm);
    free(prototypes->length);
    free(prototypes->bias);
    free(prototypes->real_bias);
    *prototypes = (struct nysx_prototypes){0};
}

enum dse_status nysx_prototypes_add_bias(struct nysx_prototypes *prototypes, struct dse_error *err)
{
    bool real = prototypes->real != NULL;
    if (real && prototypes->real_bias == NULL)
        prototypes->real_bias = dse_calloc(prototypes->classes, sizeof *prototypes->real_bias);
    else if (!real && prototypes->bias == NULL)
        prototypes->bias = dse_calloc(prototypes->classes, sizeof *prototypes->bias);
    return (real ? (void *)prototypes->real_bias : (void *)prototypes->bias) != NULL ? DSE_OK : dse_fail_memory(err);
}

/* What a one in plane `plane` is worth. At one bit a prototype is 2 p − 1, of which the −1 goes to the
 * offset's side: Σ h (2 p − 1) = 2 Σ h p − Σ h. */
static inline __attribute__((always_inline)) int64_t plane_weight(int bits, int plane)
{
    int64_t weight = (int64_t)1 << plane;
    return plane == bits - 1 && bits > 1 ? -weight : weight;
}

/* Bit `plane` of up to 64 elements. */
static uint64_t plane_word(const int8_t *element, size_t count, int bits, int plane)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned stored = bits == 1 ? element[i] > 0 : (unsigned)element[i];
        word |= (uint64_t)(stored >> plane & 1) << i;
    }
    return word;
}

static void seal_whole(struct nysx_prototypes *p, size_t c)
{
    uint64_t *planes = p->planes + c * (size_t)p->bits * p->words;
    const int8_t *element = p->whole + c * p->dim;
    p->norm[c] = 0;
    p->offset[c] = 0;
    for (size_t w = 0; w < p->words; w++) {
        size_t first = 64 * w, count = p->dim - first < 64 ? p->dim - first : 64;
        int32_t norm = 0;
        for (size_t i = 0; i < count; i++)
            norm += element[first + i] * element[first + i];
        p->norm[c] += norm;
        for (int k = 0; k < p->bits; k++) {
            uint64_t word = plane_word(element + first, count, p->bits, k);
            planes[(size_t)k * p->words + w] = word;
            p->offset[c] += __builtin_popcountll(word) * plane_weight(p->bits, k);
        }
    }
}

static double length_of(const float *real, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (double)real[i] * real[i];
    return sqrt(sum);
}

void nysx_prototypes_seal_class(struct nysx_prototypes *p, size_t c)
{
    if (p->whole != NULL)
        seal_whole(p, c);
    else
        p->length[c] = length_of(p->real + c * p->words * 64, p->words * 64);
}

void nysx_prototypes_seal(struct nysx_prototypes *p)
{
    for (size_t c = 0; c < p->classes; c++)
        nysx_prototypes_seal_class(p, c);
}

/* Σ over planes of the ones that hypervector and plane share times the plane's weight; of one bit, the elements that differ. */
INLINE int64_t sum_planes(const uint64_t *planes, int bits, const uint64_t *hypervector, size_t words)
{
    int64_t sum = 0;
    for (int k = 0; k < bits; k++) {
        const uint64_t *plane = planes + (size_t)k * words;
        int64_t ones = 0;
        for (size_t w = 0; w < words; w++)
            ones += __builtin_popcountll(bits == 1 ? hypervector[w] ^ plane[w] : hypervector[w] & plane[w]);
        sum += ones * (bits == 1 ? 1 : plane_weight(bits, k));
    }
    return sum;
}

static int64_t sum_planes_portable(const uint64_t *planes, int bits, const uint64_t *hypervector, size_t words)
{
    return sum_planes(planes, bits, hypervector, words);
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static int64_t sum_planes_popcnt(const uint64_t *planes, int bits,
                                                                   const uint64_t *hypervector, size_t words)
{
    return sum_planes(planes, bits, hypervector, words);
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq"), optimize("O3"))) static int64_t
sum_planes_avx512(const uint64_t *planes, int bits, const uint64_t *hypervector, size_t words)
{
    return sum_planes(planes, bits, hypervector, words);
}
#endif

int64_t nysx_dot_whole(const struct nysx_prototypes *p, size_t class_index, const uint64_t *hypervector)
{
    const uint64_t *planes = p->planes + class_index * (size_t)p->bits * p->words;
    int64_t (*sums)(const uint64_t *, int, const uint64_t *, size_t) = sum_planes_portable;
#if defined(__x86_64__)
    if (dse_cpu_supports("avx512vpopcntdq") && dse_cpu_supports("avx512bw"))
        sums = sum_planes_avx512;
    else if (dse_cpu_supports("popcnt"))
        sums = sum_planes_popcnt;
#endif
    int64_t sum = sums(planes, p->bits, hypervector, p->words);
    return p->bits == 1 ? (int64_t)p->dim - 2 * sum : 2 * sum - p->offset[class_index];
}

/* Sixteen lanes; a bit that is 0 flips the sign. */
typedef float lanes __attribute__((vector_size(64)));
typedef uint32_t words16 __attribute__((vector_size(64)));

static const words16 lane_index = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static inline __attribute__((always_inline)) double dot_lanes(const float *real, size_t words,
                                                              const uint64_t *hypervector)
{
    float sums[64] = {0};
    lanes total[4] = {{0}};
    for (size_t w = 0; w < words; w++) {
        for (int q = 0; q < 4; q++) {
            words16 bits = ((uint32_t)(hypervector[w] >> (16 * q)) & 0xffff) >> lane_index;
            words16 element;
            memcpy(&element, real + w * 64 + q * 16, sizeof element);
            element ^= ~bits << 31;
            lanes flipped;
            memcpy(&flipped, &element, sizeof flipped);
            total[q] += flipped;
        }
    }
    memcpy(sums, total, sizeof sums);
    double sum = 0.0;
    for (int i = 0; i < 64; i++)
        sum += sums[i];
    return sum;
}

static inline __attribute__((always_inline)) void add_lanes(float *real, size_t words,
                                                            const uint64_t *hypervector, float factor)
{
    words16 magnitude;
    lanes broadcast = (lanes){0} + factor;
    memcpy(&magnitude, &broadcast, sizeof magnitude);
    for (size_t w = 0; w < words; w++) {
        for (int q = 0; q < 4; q++) {
            words16 bits = ((uint32_t)(hypervector[w] >> (16 * q)) & 0xffff) >> lane_index;
            words16 signed_factor = magnitude ^ (~bits << 31);
            lanes element, step;
            memcpy(&element, real + w * 64 + q * 16, sizeof element);
            memcpy(&step, &signed_factor, sizeof step);
            element += step;
            memcpy(real + w * 64 + q * 16, &element, sizeof element);
        }
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static double dot_avx2(const float *real, size_t words, const uint64_t *h)
{
    return dot_lanes(real, words, h);
}

__attribute__((target("avx512f"))) static double dot_avx512(const float *real, size_t words,
                                                            const uint64_t *h)
{
    return dot_lanes(real, words, h);
}

__attribute__((target("avx2"))) static void add_avx2(float *real, size_t words, const uint64_t *h,
                                                     float factor)
{
    add_lanes(real, words, h, factor);
}

__attribute__((target("avx512f"))) static void add_avx512(float *real, size_t words, const uint64_t *h,
                                                          float factor)
{
    add_lanes(real, words, h, factor);
}
#endif

double nysx_dot_real(const float *real, size_t words, const uint64_t *hypervector)
{
#if defined(__x86_64__)
    if (dse_cpu_supports("avx512f"))
        return dot_avx512(real, words, hypervector);
    if (dse_cpu_supports("avx2"))
        return dot_avx2(real, words, hypervector);
#endif
    return dot_lanes(real, words, hypervector);
}

void nysx_add_scaled(float *real, size_t words, const uint64_t *hypervector, float factor)
{
#if defined(__x86_64__)
    if (dse_cpu_supports("avx512f")) {
        add_avx512(real, words, hypervector, factor);
        return;
    }
    if (dse_cpu_supports("avx2")) {
        add_avx2(real, words, hypervector, factor);
        return;
    }
#endif
    add_lanes(real, words, hypervector, factor);
}

/* a/√na > b/√nb in whole numbers; a prototype of norm 0 has cosine 0. |dot| ≤ 2^27 and norm ≤ 2^34 at the
 * largest d, so that the products fit 128 bits with ease. */
static bool larger(int64_t a, int64_t norm_a, int64_t b, int64_t norm_b)
{
    a = norm_a > 0 ? a : 0;
    b = norm_b > 0 ? b : 0;
    if ((a > 0) != (b > 0) || a == 0 || b == 0)
        return a > b;
    int128 left = (int128)a * a * (norm_b > 0 ? norm_b : 1), right = (int128)b * b * (norm_a > 0 ? norm_a : 1);
    return a > 0 ? left > right : left < right;
}

static size_t classify_by_offsets(const struct nysx_prototypes *p, const uint64_t *hypervector)
{
    size_t best = 0;
    int64_t best_score = 0;
    double best_real = 0.0;
    for (size_t c = 0; c < p->classes; c++) {
        int64_t score = p->bias != NULL ? nysx_dot_whole(p, c, hypervector) + p->bias[c] : 0;
        double real = p->bias != NULL ? 0.0
                                      : nysx_dot_real(p->real + c * p->words * 64, p->words, hypervector) + p->real_bias[c];
        if (c == 0 || score > best_score || real > best_real) {
            best = c;
            best_score = score;
            best_real = real;
        }
    }
    return best;
}

double nysx_score(const struct nysx_prototypes *p, size_t c, const uint64_t *hypervector)
{
    double dot = p->whole != NULL ? (double)nysx_dot_whole(p, c, hypervector)
                                  : nysx_dot_real(p->real + c * p->words * 64, p->words, hypervector);
    if (p->bias != NULL || p->real_bias != NULL)
        return dot + (p->bias != NULL ? (double)p->bias[c] : (double)p->real_bias[c]);
    double length = p->whole != NULL ? sqrt((double)p->norm[c]) : p->length[c];
    return length > 0.0 ? dot / length : 0.0;
}

size_t nysx_classify(const struct nysx_prototypes *p, const uint64_t *hypervector)
{
    if (p->bias != NULL || p->real_bias != NULL)
        return classify_by_offsets(p, hypervector);
    size_t best = 0;
    int64_t best_dot = 0;
    double best_cosine = 0.0;
    for (size_t c = 0; c < p->classes; c++) {
        if (p->whole != NULL) {
            int64_t dot = nysx_dot_whole(p, c, hypervector);
            if (c == 0 || larger(dot, p->norm[c], best_dot, p->norm[best])) {
                best = c;
                best_dot = dot;
            }
        } else {
            double dot = nysx_dot_real(p->real + c * p->words * 64, p->words, hypervector);
            double cosine = p->length[c] > 0.0 ? dot / p->length[c] : 0.0;
            if (c == 0 || cosine > best_cosine) {
                best = c;
                best_cosine = cosine;
            }
        }
    }
    return best;
}
