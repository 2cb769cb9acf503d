#include "models/nysx/executor/lsh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/executor/kernels.h"
#include "models/nysx/executor/streams.h"
#include "models/nysx/executor/wl.h"

struct nysx_lsh nysx_lsh_draw(const struct nysx_setting *setting, size_t columns, uint64_t seed)
{
    struct nysx_lsh out = {
        .hops = setting->hops * setting->draws,
        .draws = setting->draws,
        .rows = setting->codes == NYSX_CODES_WL ? 1 : setting->hops * setting->draws,
        .columns = columns,
        .tuple = setting->codes == NYSX_CODES_TUPLE,
        .wl = setting->codes == NYSX_CODES_WL,
        .normalised = setting->propagation == NYSX_PROPAGATION_ROW_NORMALISED,
        .width = (float)setting->width,
    };
    size_t offsets = nysx_lsh_offsets(&out);
    out.u = dse_malloc(out.rows * columns * sizeof *out.u);
    out.b = dse_malloc(out.rows * offsets * sizeof *out.b);
    for (size_t t = 0; !out.wl && t < out.hops; t++) {
        struct dse_rng rng; /* one stream per code, so the first codes do not depend on their number */
        dse_rng_seed(&rng, seed, nysx_stream_row(NYSX_STREAM_LSH, t));
        for (size_t j = 0; j < columns; j++)
            out.u[t * columns + j] = (float)(setting->direction == NYSX_CAUCHY ? dse_rng_cauchy(&rng) : dse_rng_normal(&rng));
        for (size_t j = 0; j < offsets; j++)
            out.b[t * offsets + j] = (float)(dse_rng_uniform(&rng) * setting->width);
    }
    return out;
}

void nysx_lsh_free(struct nysx_lsh *lsh)
{
    free(lsh->u);
    free(lsh->b);
    *lsh = (struct nysx_lsh){0};
}

/* x = F u for all columns. */
static void project(const struct nysx_query *query, size_t labels, const float *u, float *x)
{
    for (size_t v = 0; v < query->nodes; v++) {
        float sum = query->column != NULL && query->column[v] >= 0 ? u[query->column[v]] : 0.0f;
        for (size_t j = 0; j < query->attributes; j++)
            sum += query->attribute[v * query->attributes + j] * u[labels + j];
        x[v] = sum;
    }
}

/* x = F's column j. */
static void take_column(const struct nysx_query *query, size_t labels, size_t j, float *x)
{
    for (size_t v = 0; v < query->nodes; v++) {
        if (j < labels)
            x[v] = query->column[v] == (int32_t)j ? 1.0f : 0.0f;
        else
            x[v] = query->attribute[v * query->attributes + (j - labels)];
    }
}

/* 1 / neighbours of each node, 0 without. */
static void reciprocals(const struct nysx_query *query, float *out)
{
    for (size_t v = 0; v < query->nodes; v++) {
        size_t degree = query->row_begin[v + 1] - query->row_begin[v];
        out[v] = degree > 0 ? 1.0f / (float)degree : 0.0f;
    }
}

/* The sum of x over neighbours [e, end), in order. */
static inline float sum_of(const int32_t *neighbour, size_t e, size_t end, const float *x, float sum)
{
    for (; e < end; e++)
        sum += x[neighbour[e]];
    return sum;
}

/* As sum_of, four at a time while four lie before `limit`. Those past the end are masked to +0, which changes no sum that
 * starts at +0. The ends of long rows cause branch mispredictions; masks do not. */
static inline float sum_by_fours(const int32_t *neighbour, size_t e, size_t end, size_t limit, const float *x)
{
    float sum = 0.0f;
    for (; e < end && e + 4 <= limit; e += 4)
        for (size_t k = 0; k < 4; k++) {
            uint32_t bits;
            float value;
            memcpy(&bits, &x[neighbour[e + k]], sizeof bits);
            bits &= 0u - (uint32_t)(e + k < end);
            memcpy(&value, &bits, sizeof value);
            sum += value;
        }
    return sum_of(neighbour, e, end, x, sum);
}

/* y = A x, or D⁻¹A x if `scale` is not NULL. */
static void propagate(const struct nysx_query *query, const float *scale, const float *restrict x,
                      float *restrict y)
{
    const size_t *begin = query->row_begin;
    size_t limit = begin[query->nodes];
    bool fours = limit - begin[0] > 3 * query->nodes; /* otherwise most would be masked */
    for (size_t v = 0; v < query->nodes; v++) {
        float sum = fours ? sum_by_fours(query->neighbour, begin[v], begin[v + 1], limit, x)
                          : sum_of(query->neighbour, begin[v], begin[v + 1], x, 0.0f);
        y[v] = scale != NULL ? sum * scale[v] : sum;
    }
}

/* A^hop x; the result is the pointer returned, x or y. */
static float *propagate_times(const struct nysx_query *query, size_t hop, const float *scale, float *x,
                              float *y)
{
    for (size_t k = 0; k < hop; k++) {
        propagate(query, scale, x, y);
        float *swapped = x;
        x = y;
        y = swapped;
    }
    return x;
}

/* The codes of one hop, from hop 0 on. */
static void wl_codes(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t hop, uint32_t *x, uint32_t *y,
                     int64_t *codes)
{
    nysx_wl_start(lsh, query, x);
    for (size_t k = 0; k < hop; k++) {
        nysx_wl_step(query, x, y);
        uint32_t *swapped = x;
        x = y;
        y = swapped;
    }
    for (size_t v = 0; v < query->nodes; v++)
        codes[v] = x[v];
}

void nysx_lsh_codes(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t t,
                    float *scratch, int64_t *codes)
{
    if (lsh->wl) {
        wl_codes(lsh, query, t, (uint32_t *)(void *)scratch, (uint32_t *)(void *)(scratch + query->nodes), codes);
        return;
    }
    size_t hop = t / lsh->draws, n = query->nodes, f = lsh->columns, labels = f - query->attributes;
    float *x = scratch, *y = scratch + n, *scale = lsh->normalised ? scratch + 2 * n : NULL;
    const float *u = lsh->u + t * f, *b = lsh->b + t * nysx_lsh_offsets(lsh);
    if (scale != NULL && hop > 0)
        reciprocals(query, scale);
    if (!lsh->tuple) {
        project(query, labels, u, x);
        const float *propagated = propagate_times(query, hop, scale, x, y);
        nysx_kernels->floors(propagated, n, b[0], lsh->width, codes);
        return;
    }
    memset(codes, 0, n * sizeof *codes);
    for (size_t j = 0; j < f; j++) {
        take_column(query, labels, j, x);
        const float *propagated = propagate_times(query, hop, scale, x, y);
        for (size_t v = 0; v < n; v++) {
            int64_t code = nysx_lsh_floor(propagated[v] * u[j], b[j], lsh->width);
            codes[v] = (int64_t)nysx_tuple_step((uint64_t)codes[v], code);
        }
    }
}

/* M ← A M (or D⁻¹A M) once, in double precision. */
static void propagate_matrix(const struct nysx_query *query, bool normalised, size_t f, const double *m,
                             double *out)
{
    for (size_t v = 0; v < query->nodes; v++) {
        size_t degree = query->row_begin[v + 1] - query->row_begin[v];
        for (size_t j = 0; j < f; j++) {
            double sum = 0.0;
            for (size_t e = query->row_begin[v]; e < query->row_begin[v + 1]; e++)
                sum += m[(size_t)query->neighbour[e] * f + j];
            out[v * f + j] = normalised && degree > 0 ? sum / (double)degree : sum;
        }
    }
}

static void fill_matrix(const struct nysx_query *query, size_t labels, size_t f, double *m)
{
    for (size_t v = 0; v < query->nodes; v++) {
        if (query->column != NULL && query->column[v] >= 0)
            m[v * f + (size_t)query->column[v]] = 1.0;
        for (size_t j = 0; j < query->attributes; j++)
            m[v * f + labels + j] = query->attribute[v * query->attributes + j];
    }
}

/* nysx_lsh_floor in double precision, with the same saturation. */
static int64_t bin_of(double x, float b, float width)
{
    double bin = floor((x + b) / width);
    return (int64_t)fmin(fmax(bin, -(double)NYSX_CODE_LIMIT), (double)NYSX_CODE_LIMIT); /* NaN as well */
}

void nysx_lsh_codes_unrestructured(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t t, int64_t *codes)
{
    if (lsh->wl) { /* whole numbers have only one form */
        float *scratch = dse_malloc((3 * query->nodes + 1) * sizeof *scratch);
        nysx_lsh_codes(lsh, query, t, scratch, codes);
        free(scratch);
        return;
    }
    size_t hop = t / lsh->draws, n = query->nodes, f = lsh->columns;
    double *m = dse_calloc(2 * n * f + 1, sizeof *m);
    double *from = m, *to = m + n * f;
    fill_matrix(query, f - query->attributes, f, from);
    for (size_t k = 0; k < hop; k++) {
        propagate_matrix(query, lsh->normalised, f, from, to);
        double *swapped = from;
        from = to;
        to = swapped;
    }
    const float *u = lsh->u + t * f, *b = lsh->b + t * nysx_lsh_offsets(lsh);
    for (size_t v = 0; v < n; v++) {
        double sum = 0.0;
        uint64_t state = 0;
        for (size_t j = 0; j < f; j++) {
            double product = from[v * f + j] * (double)u[j];
            sum += product;
            if (lsh->tuple)
                state = nysx_tuple_step(state, bin_of(product, b[j], lsh->width));
        }
        codes[v] = lsh->tuple ? (int64_t)state : bin_of(sum, b[0], lsh->width);
    }
    free(m);
}
