#include "models/nysx/executor/wl.h"

#include <math.h>

void nysx_wl_scale(const struct nysx_features *features, const int32_t *graphs, size_t count, struct nysx_lsh *lsh)
{
    size_t f = lsh->columns, labels = f - features->attributes;
    for (size_t j = 0; j < f; j++) {
        lsh->u[j] = 1.0f;
        lsh->b[j] = 0.0f;
    }
    for (size_t j = 0; j < features->attributes; j++) {
        double sum = 0.0, squares = 0.0, nodes = 0.0;
        for (size_t i = 0; i < count; i++) {
            struct nysx_query query = nysx_query_at(features, (size_t)graphs[i]);
            for (size_t v = 0; v < query.nodes; v++) {
                double x = query.attribute[v * query.attributes + j];
                sum += x;
                squares += x * x;
            }
            nodes += (double)query.nodes;
        }
        double mean = nodes > 0.0 ? sum / nodes : 0.0, variance = nodes > 0.0 ? squares / nodes - mean * mean : 0.0;
        double u = variance > 1e-12 * mean * mean && variance > 0.0 ? 1.0 / sqrt(variance) : 0.0;
        lsh->u[labels + j] = (float)u;
        lsh->b[labels + j] = (float)(-mean * u);
    }
}

void nysx_wl_start(const struct nysx_lsh *lsh, const struct nysx_query *query, uint32_t *codes)
{
    if (query->attributes == 0) {
        for (size_t v = 0; v < query->nodes; v++)
            codes[v] = nysx_mix32(NYSX_GOLDEN + (uint32_t)query->column[v]);
        return;
    }
    size_t labels = lsh->columns - query->attributes;
    for (size_t v = 0; v < query->nodes; v++) {
        uint64_t state = 0;
        for (size_t j = 0; j < lsh->columns; j++) {
            float x = j >= labels ? query->attribute[v * query->attributes + (j - labels)]
                                  : query->column[v] == (int32_t)j ? 1.0f : 0.0f;
            state = nysx_tuple_step(state, nysx_lsh_floor(x * lsh->u[j], lsh->b[j], lsh->width));
        }
        codes[v] = nysx_code_fold((int64_t)state, 0);
    }
}

void nysx_wl_step(const struct nysx_query *query, const uint32_t *from, uint32_t *to)
{
    const size_t *begin = query->row_begin;
    for (size_t v = 0; v < query->nodes; v++) {
        uint32_t sum = nysx_rotate32(from[v], 16);
        for (size_t e = begin[v]; e < begin[v + 1]; e++)
            sum += from[query->neighbour[e]];
        to[v] = nysx_mix32(sum);
    }
}
