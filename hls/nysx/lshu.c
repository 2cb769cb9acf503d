/* Locality Sensitive Hashing Unit: A^t (F u), hashed to codes (paper, section 5.2.1). */
#include <math.h>

#include "nysx.h"
#include "nysx_model.h"

#define CODE_LIMIT 0x1p62f
#define ITERATIONS(nodes) (((nodes) + NYSX_LSHU_PE - 1) / NYSX_LSHU_PE)

/* floor((x + b) / w), held at ±2^62; NaN goes low. */
static int64_t floor_code(float x, float b)
{
    float bin = floorf((x + b) / (float)NYSX_WIDTH);
    if (bin >= CODE_LIMIT)
        return (int64_t)1 << 62;
    return bin >= -CODE_LIMIT ? (int64_t)bin : -((int64_t)1 << 62);
}

/* One element of F u: a column alone for tuples, all of them for scalars. */
static float feature_value(const struct nysx_graph *graph, int32_t node, int32_t hop, int32_t column)
{
#if NYSX_FEATURE_ONEHOT && NYSX_CODES == NYSX_CODES_SCALAR
    int32_t index = (int32_t)graph->feature[node][0];
    (void)column;
    return index < NYSX_FEATURE_COLUMNS ? nysx_lsh_u[hop][index] : 0.0f;
#elif NYSX_FEATURE_ONEHOT
    return (int32_t)graph->feature[node][0] == column ? nysx_lsh_u[hop][column] : 0.0f;
#elif NYSX_CODES == NYSX_CODES_SCALAR
    float sum = 0.0f;
    (void)column;
NYSX_LABEL(lshu_columns)
    for (int32_t j = 0; j < NYSX_FEATURE_COLUMNS; j++)
        sum += graph->feature[node][j] * nysx_lsh_u[hop][j];
    return sum;
#else
    return graph->feature[node][column] * nysx_lsh_u[hop][column];
#endif
}

/* Behind the accumulator: D⁻¹ as a multiplication by the reciprocal of the row's length. */
static float scaled(float sum, int32_t length)
{
#if NYSX_PROPAGATION == NYSX_PROPAGATION_ROW_NORMALISED
    return sum * (length > 0 ? 1.0f / (float)length : 0.0f);
#else
    (void)length;
    return sum;
#endif
}

/* The rows of one iteration: to the end of the longest, a non-zero a cycle in every PE. */
static void propagate_rows(const struct nysx_graph *graph, int32_t iteration,
                           const nysx_value_t from[NYSX_LSHU_COPIES][NYSX_MAX_NODES],
                           nysx_value_t to[NYSX_LSHU_COPIES][NYSX_MAX_NODES])
{
    float sum[NYSX_LSHU_PE];
    int32_t begin[NYSX_LSHU_PE], length[NYSX_LSHU_PE], longest = 0;
NYSX_LABEL(lshu_begin)
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        int32_t slot = iteration * NYSX_LSHU_PE + p;
        int32_t row = slot < graph->nodes ? (int32_t)graph->order[slot] : -1;
        begin[p] = row >= 0 ? (int32_t)graph->row_begin[row] : 0;
        length[p] = row >= 0 ? (int32_t)graph->row_begin[row + 1] - begin[p] : 0;
        longest = length[p] > longest ? length[p] : longest;
        sum[p] = 0.0f;
    }
NYSX_LABEL(lshu_nonzeros)
    for (int32_t e = 0; e < longest; e++) {
        NYSX_PIPELINE_LSHU_NONZEROS
    NYSX_LABEL(lshu_pes)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_PES
            if (e < length[p]) {
                sum[p] += from[p % NYSX_LSHU_COPIES][graph->neighbour[begin[p] + e]];
                NYSX_TALLY(propagated, 1);
            }
        }
    }
NYSX_LABEL(lshu_end)
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        int32_t slot = iteration * NYSX_LSHU_PE + p;
        for (int32_t c = 0; c < NYSX_LSHU_COPIES && slot < graph->nodes; c++)
            to[c][graph->order[slot]] = scaled(sum[p], length[p]);
    }
}

/* A^hop (F u) of one column; which of the two vectors holds the result. */
static int32_t propagate(const struct nysx_graph *graph, int32_t hop, int32_t column,
                         nysx_value_t lshu_values[2][NYSX_LSHU_COPIES][NYSX_MAX_NODES])
{
NYSX_LABEL(lshu_dense)
    for (int32_t v = 0; v < graph->nodes; v++) {
        float value = feature_value(graph, v, hop, column);
        for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
            lshu_values[0][c][v] = value;
    }
NYSX_LABEL(lshu_hops)
    for (int32_t k = 0; k < hop; k++)
        for (int32_t i = 0; i < ITERATIONS(graph->nodes); i++)
            propagate_rows(graph, i, lshu_values[k % 2], lshu_values[(k + 1) % 2]);
    return hop % 2;
}

void nysx_lshu(const struct nysx_graph *graph, int32_t hop, int64_t codes[NYSX_MAX_NODES])
{
    NYSX_LOCAL nysx_value_t lshu_values[2][NYSX_LSHU_COPIES][NYSX_MAX_NODES];
    NYSX_ARRAY_PARTITION_LSHU_VALUES
#if NYSX_CODES == NYSX_CODES_SCALAR
    int32_t last = propagate(graph, hop, 0, lshu_values);
NYSX_LABEL(lshu_codes)
    for (int32_t i = 0; i < graph->nodes; i++)
        codes[i] = floor_code(lshu_values[last][0][graph->order[i]], nysx_lsh_b[hop][0]);
#else
    NYSX_LOCAL uint64_t lshu_states[NYSX_MAX_NODES];
NYSX_LABEL(lshu_clear)
    for (int32_t v = 0; v < graph->nodes; v++)
        lshu_states[v] = 0;
NYSX_LABEL(lshu_tuple)
    for (int32_t j = 0; j < NYSX_FEATURE_COLUMNS; j++) {
        int32_t last = propagate(graph, hop, j, lshu_values);
    NYSX_LABEL(lshu_fold)
        for (int32_t v = 0; v < graph->nodes; v++) {
            uint64_t code = (uint64_t)floor_code(lshu_values[last][0][v], nysx_lsh_b[hop][j]), state = lshu_states[v];
            lshu_states[v] = (((state << 5) | (state >> 59)) ^ code) * UINT64_C(0x517cc1b727220a95);
        }
    }
NYSX_LABEL(lshu_codes)
    for (int32_t i = 0; i < graph->nodes; i++)
        codes[i] = (int64_t)lshu_states[graph->order[i]];
#endif
}
