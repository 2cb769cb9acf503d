#include "models/nysx/executor/precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/memory.h"

#define INT4_SCALES 32
#define HUGE_PAGE ((size_t)2 << 20)

static const struct nysx_format formats[] = {
    [NYSX_FP32] = {"<f4", 4, 1, 256, 0},   [NYSX_FP16] = {"<f2", 2, 1, 128, 0},
    [NYSX_BF16] = {"<u2", 2, 1, 128, 0},   [NYSX_INT16] = {"<i2", 2, 2, 256, 32767},
    [NYSX_INT8] = {"|i1", 1, 4, 256, 127}, [NYSX_INT4] = {"|i1", 1, 8, 256, 7},
    [NYSX_BINARY] = {"|i1", 1, 1, 8, 1},
};

const struct nysx_format *nysx_format(enum nysx_precision precision)
{
    return &formats[precision];
}

void *nysx_aligned_alloc(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, bytes < HUGE_PAGE ? 64 : HUGE_PAGE, bytes) != 0)
        dse_memory_exhausted();
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGE)
        (void)madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* optional: the system may have none */
#endif
    return memory;
}

enum dse_status nysx_projection_alloc(enum nysx_precision precision, size_t dim, size_t columns,
                                      struct nysx_projection *out, struct dse_error *err)
{
    const struct nysx_format *format = &formats[precision];
    size_t blocks = dim / NYSX_LANES + (dim % NYSX_LANES > 0);
    size_t groups = columns / format->group + (columns % format->group > 0);
    *out = (struct nysx_projection){
        .precision = precision, .dim = dim, .columns = columns, .blocks = blocks, .groups = groups};
    if (groups > (SIZE_MAX - 64) / format->group_bytes / (blocks + 1))
        return dse_fail(err, DSE_LIMIT, "a projection of %zu x %zu is too large", dim, columns);
    size_t bytes = (blocks * groups * format->group_bytes + 63) / 64 * 64 + 64;
    out->packed = nysx_aligned_alloc(bytes);
    out->scale = format->most > 0 ? dse_calloc(dim, sizeof *out->scale) : NULL;
    memset(out->packed, precision == NYSX_INT4 ? 0x88 : 0, bytes);
    return DSE_OK;
}

void nysx_projection_free(struct nysx_projection *projection)
{
    free(projection->packed);
    free(projection->scale);
    *projection = (struct nysx_projection){0};
}

uint16_t nysx_to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += 0x7fff + (bits >> 16 & 1);
    if ((bits & 0x7f800000) == 0x7f800000)
        bits = (bits & 0x80000000) | 0x7f7f0000; /* the largest finite number */
    return (uint16_t)(bits >> 16);
}

/* Rounds by scaling: adding 2^(e+13) in fp32 drops all bits below the last of ten fraction bits. The
 * spacing of subnormals is 2^-24. */
uint16_t nysx_to_fp16(float value)
{
    float magnitude = fabsf(value);
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (!(magnitude < 65520.0f))
        return sign | 0x7bff;
    int exponent = magnitude < 0x1p-14f ? -14 : ilogbf(magnitude);
    float steps = rintf(ldexpf(magnitude, 10 - exponent)); /* 1024 … 2048, less for subnormals */
    uint32_t bits = (uint32_t)((exponent + 14) << 10) + (uint32_t)steps;
    return sign | (uint16_t)bits;
}

static float largest_magnitude(const float *row, size_t columns)
{
    float largest = 0.0f;
    for (size_t j = 0; j < columns; j++)
        largest = fabsf(row[j]) > largest ? fabsf(row[j]) : largest;
    return largest;
}

static float rounded(float value, float scale, int most)
{
    float element = rintf(value / scale);
    return element > (float)most ? (float)most : element < (float)-most ? (float)-most : element;
}

/* The scale with the least rounding error, of 32 scales up to the one for the largest magnitude. */
static float best_scale(const float *row, size_t columns, float largest, int most)
{
    float best = largest / (float)most;
    double best_error = INFINITY;
    for (int k = 1; k <= INT4_SCALES; k++) {
        float scale = largest * (float)k / INT4_SCALES / (float)most;
        double error = 0.0;
        for (size_t j = 0; j < columns; j++) {
            double off = row[j] - scale * rounded(row[j], scale, most);
            error += off * off;
        }
        if (error < best_error) {
            best_error = error;
            best = scale;
        }
    }
    return best;
}

static void quantise_whole(enum nysx_precision precision, const float *row, size_t columns, void *elements,
                           float *scale)
{
    int most = formats[precision].most;
    float largest = largest_magnitude(row, columns);
    *scale = largest > 0.0f ? largest / (float)most : 1.0f;
    if (precision == NYSX_INT4 && largest > 0.0f)
        *scale = best_scale(row, columns, largest, most);
    for (size_t j = 0; j < columns; j++) {
        float element = rounded(row[j], *scale, most);
        if (precision == NYSX_INT16)
            ((int16_t *)elements)[j] = (int16_t)element;
        else
            ((int8_t *)elements)[j] = (int8_t)element;
    }
}

static void quantise_binary(const float *row, size_t columns, int8_t *elements, float *scale)
{
    double sum = 0.0;
    for (size_t j = 0; j < columns; j++) {
        elements[j] = row[j] >= 0.0f ? 1 : -1;
        sum += fabsf(row[j]);
    }
    *scale = (float)(sum / (double)columns);
}

void nysx_quantise_row(enum nysx_precision precision, const float *row, size_t columns, void *elements,
                       float *scale)
{
    uint16_t *halves = elements;
    switch (precision) {
    case NYSX_FP32:
        memcpy(elements, row, columns * sizeof *row);
        break;
    case NYSX_FP16:
        for (size_t j = 0; j < columns; j++)
            halves[j] = nysx_to_fp16(row[j]);
        break;
    case NYSX_BF16:
        for (size_t j = 0; j < columns; j++)
            halves[j] = nysx_to_bf16(row[j]);
        break;
    case NYSX_BINARY:
        quantise_binary(row, columns, elements, scale);
        break;
    default:
        quantise_whole(precision, row, columns, elements, scale);
    }
}

/* The begin of the group of (row, column). */
static unsigned char *group_at(const struct nysx_projection *p, size_t row, size_t column)
{
    const struct nysx_format *format = &formats[p->precision];
    return p->packed + (row / NYSX_LANES * p->groups + column / format->group) * format->group_bytes;
}

/* Formats of whole bytes: the element's place in its group. */
static unsigned char *element_at(const struct nysx_projection *p, size_t row, size_t column)
{
    const struct nysx_format *format = &formats[p->precision];
    size_t place = row % NYSX_LANES * format->group + column % format->group;
    return group_at(p, row, column) + place * format->npy_bytes;
}

static unsigned char *nibbles_at(const struct nysx_projection *p, size_t row, size_t column)
{
    return group_at(p, row, column) + row % NYSX_LANES * 4 + column % 4;
}

static int whole_element(enum nysx_precision precision, const void *elements, size_t j)
{
    return precision == NYSX_INT16 ? ((const int16_t *)elements)[j] : ((const int8_t *)elements)[j];
}

void nysx_projection_put(struct nysx_projection *p, size_t row, const void *elements)
{
    size_t bytes = formats[p->precision].npy_bytes;
    for (size_t j = 0; j < p->columns; j++) {
        if (p->precision == NYSX_INT4) {
            unsigned char *pair = nibbles_at(p, row, j);
            unsigned element = (unsigned)(((const int8_t *)elements)[j] + 8);
            *pair = (unsigned char)(j % 8 < 4 ? (*pair & 0xf0) | element : (*pair & 0x0f) | element << 4);
        } else if (p->precision == NYSX_BINARY) {
            uint64_t bit = (uint64_t)(((const int8_t *)elements)[j] > 0) << (row % NYSX_LANES), word;
            memcpy(&word, group_at(p, row, j), sizeof word);
            word |= bit;
            memcpy(group_at(p, row, j), &word, sizeof word);
        } else {
            memcpy(element_at(p, row, j), (const unsigned char *)elements + j * bytes, bytes);
        }
    }
}

void nysx_projection_get(const struct nysx_projection *p, size_t row, void *elements)
{
    size_t bytes = formats[p->precision].npy_bytes;
    for (size_t j = 0; j < p->columns; j++) {
        if (p->precision == NYSX_INT4) {
            int pair = *nibbles_at(p, row, j);
            ((int8_t *)elements)[j] = (int8_t)((j % 8 < 4 ? pair & 0x0f : pair >> 4) - 8);
        } else if (p->precision == NYSX_BINARY) {
            uint64_t word;
            memcpy(&word, group_at(p, row, j), sizeof word);
            ((int8_t *)elements)[j] = word >> (row % NYSX_LANES) & 1 ? 1 : -1;
        } else {
            memcpy((unsigned char *)elements + j * bytes, element_at(p, row, j), bytes);
        }
    }
}

bool nysx_elements_valid(enum nysx_precision precision, const void *elements, size_t count)
{
    bool valid = true;
    int most = formats[precision].most;
    for (size_t j = 0; j < count; j++) {
        if (precision == NYSX_FP32)
            valid &= isfinite(((const float *)elements)[j]) != 0;
        else if (precision == NYSX_FP16)
            valid &= (((const uint16_t *)elements)[j] & 0x7c00) != 0x7c00;
        else if (precision == NYSX_BF16)
            valid &= (((const uint16_t *)elements)[j] & 0x7f80) != 0x7f80;
        else
            valid &= abs(whole_element(precision, elements, j)) <= most;
        if (precision == NYSX_BINARY)
            valid &= ((const int8_t *)elements)[j] != 0;
    }
    return valid;
}
