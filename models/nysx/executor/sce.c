#include "models/nysx/executor/sce.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"
#include "models/nysx/executor/kernels.h"

__extension__ typedef __int128 int128;

struct nysx_prototypes nysx_prototypes_make(size_t classes, size_t dim, int bits)
{
    struct nysx_prototypes out = {.classes = classes, .dim = dim, .words = (dim + 63) / 64, .bits = bits};
    if (bits == 32) {
        out.real = dse_calloc(classes * out.words * 64, sizeof *out.real);
        out.length = dse_calloc(classes, sizeof *out.length);
    } else {
        out.whole = dse_calloc(classes * dim, sizeof *out.whole);
        out.planes = dse_calloc(classes * (size_t)bits * out.words, sizeof *out.planes);
        out.offset = dse_calloc(classes, sizeof *out.offset);
        out.norm = dse_calloc(classes, sizeof *out.norm);
    }
    return out;
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
    free(prototypes->table);
    free(prototypes->real_table);
    *prototypes = (struct nysx_prototypes){0};
}

void nysx_prototypes_add_bias(struct nysx_prototypes *prototypes)
{
    if (prototypes->real != NULL && prototypes->real_bias == NULL)
        prototypes->real_bias = dse_calloc(prototypes->classes, sizeof *prototypes->real_bias);
    else if (prototypes->real == NULL && prototypes->bias == NULL)
        prototypes->bias = dse_calloc(prototypes->classes, sizeof *prototypes->bias);
}

/* The weight of a one in plane `plane`. At one bit a prototype is 2 p − 1; its −1 is part of the
 * offset: Σ h (2 p − 1) = 2 Σ h p − Σ h. */
static int64_t plane_weight(int bits, int plane)
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

int64_t nysx_dot_whole(const struct nysx_prototypes *p, size_t class_index, const uint64_t *hypervector)
{
    const uint64_t *planes = p->planes + class_index * (size_t)p->bits * p->words;
    int64_t sum = 0;
    if (p->bits == 1)
        return (int64_t)p->dim - 2 * nysx_kernels->differing(hypervector, planes, p->words);
    for (int k = 0; k < p->bits; k++)
        sum += nysx_kernels->shared(hypervector, planes + (size_t)k * p->words, p->words) * plane_weight(p->bits, k);
    return 2 * sum - p->offset[class_index];
}

double nysx_dot(const struct nysx_prototypes *p, size_t class_index, const uint64_t *hypervector)
{
    return p->whole != NULL ? (double)nysx_dot_whole(p, class_index, hypervector)
                            : nysx_kernels->dot_real(p->real + class_index * p->words * 64, p->words, hypervector);
}

/* a/√na > b/√nb in whole numbers; a prototype of norm 0 has cosine 0. At the largest d, |dot| ≤ 2^27 and
 * norm ≤ 2^34, so the products fit 128 bits. */
static bool larger(int64_t a, int64_t norm_a, int64_t b, int64_t norm_b)
{
    a = norm_a > 0 ? a : 0;
    b = norm_b > 0 ? b : 0;
    if ((a > 0) != (b > 0) || a == 0 || b == 0)
        return a > b;
    int128 left = (int128)a * a * (norm_b > 0 ? norm_b : 1), right = (int128)b * b * (norm_a > 0 ? norm_a : 1);
    return a > 0 ? left > right : left < right;
}

static size_t classify_by_offsets(const struct nysx_prototypes *p, const uint64_t *hypervector, const int64_t *added)
{
    size_t best = 0;
    int64_t best_score = 0;
    double best_real = 0.0;
    for (size_t c = 0; c < p->classes; c++) {
        int64_t score = p->bias != NULL ? nysx_dot_whole(p, c, hypervector) + p->bias[c] + (added != NULL ? added[c] : 0) : 0;
        double real = p->bias != NULL ? 0.0 : nysx_dot(p, c, hypervector) + p->real_bias[c];
        if (c == 0 || score > best_score || real > best_real) {
            best = c;
            best_score = score;
            best_real = real;
        }
    }
    return best;
}

int64_t nysx_table_score(const struct nysx_prototypes *p, size_t c, const struct nysx_counted *item, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; p->table != NULL && i < count; i++)
        sum += (int64_t)item[i].count * p->table[c * p->places + nysx_table_place(item[i].code, p->places)];
    return sum * ((int64_t)1 << p->table_shift);
}

void nysx_table_scores(const struct nysx_prototypes *p, const struct nysx_counted *item, size_t count, int64_t *added)
{
    for (size_t c = 0; c < p->classes; c++)
        added[c] = nysx_table_score(p, c, item, count);
}

double nysx_score(const struct nysx_prototypes *p, size_t c, const uint64_t *hypervector, const int64_t *added)
{
    double dot = nysx_dot(p, c, hypervector) + (added != NULL ? (double)added[c] : 0.0);
    if (p->bias != NULL || p->real_bias != NULL)
        return dot + (p->bias != NULL ? (double)p->bias[c] : (double)p->real_bias[c]);
    double length = p->whole != NULL ? sqrt((double)p->norm[c]) : p->length[c];
    return length > 0.0 ? dot / length : 0.0;
}

size_t nysx_classify(const struct nysx_prototypes *p, const uint64_t *hypervector, const int64_t *added)
{
    if (p->bias != NULL || p->real_bias != NULL)
        return classify_by_offsets(p, hypervector, added);
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
            double dot = nysx_dot(p, c, hypervector);
            double cosine = p->length[c] > 0.0 ? dot / p->length[c] : 0.0;
            if (c == 0 || cosine > best_cosine) {
                best = c;
                best_cosine = cosine;
            }
        }
    }
    return best;
}
