/* Locality Sensitive Hashing Unit: A^t (F u) for one code a node, or A^t F kept column by column for a tuple of them
 * (paper, section 5.2.1). PEs take rows side by side; a pass is over when the longest of each turn is. */
#include <math.h>

#include "nysx.h"
#include "nysx_model.h"

#define CODE_LIMIT 4611686018427387904.0f /* 2^62 */
#define TURNS(nodes) (((nodes) + NYSX_LSHU_PE - 1) / NYSX_LSHU_PE)

/* floor((x + b) / w), held at ±2^62; NaN goes low. */
static int64_t floor_code(float x, float b)
{
    float bin = floorf((x + b) / (float)NYSX_WIDTH);
    if (bin >= CODE_LIMIT)
        return (int64_t)1 << 62;
    return bin >= -CODE_LIMIT ? (int64_t)bin : -((int64_t)1 << 62);
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

/* The rows of one turn, A x of each: to the end of the longest, a non-zero a cycle in every PE. */
static void multiply_rows(const struct nysx_graph *graph, int32_t turn,
                          nysx_value_t from[NYSX_LSHU_COPIES][NYSX_MAX_NODES], float result[NYSX_LSHU_PE])
{
    float sum[NYSX_LSHU_PE];
    int32_t begin[NYSX_LSHU_PE], length[NYSX_LSHU_PE], longest = 1;
NYSX_LABEL(lshu_begin)
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        NYSX_UNROLL_LSHU_BEGIN
        int32_t slot = turn * NYSX_LSHU_PE + p;
        int32_t row = slot < graph->nodes ? (int32_t)graph->order[slot] : -1;
        begin[p] = row >= 0 ? (int32_t)graph->row_begin[row] : 0;
        length[p] = row >= 0 ? (int32_t)graph->row_begin[row + 1] - begin[p] : 0;
        longest = length[p] > longest ? length[p] : longest;
        sum[p] = 0.0f;
    }
NYSX_LABEL(lshu_nonzeros)
    for (int32_t e = 0; e < longest; e++) {
        NYSX_PIPELINE_LSHU_NONZEROS
        NYSX_TALLY(lshu_slots, 1);
    NYSX_LABEL(lshu_pes)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_PES
            if (e < length[p]) {
                sum[p] += from[p % NYSX_LSHU_COPIES][graph->neighbour[begin[p] + e]];
                NYSX_TALLY(lshu_additions, 1);
            }
        }
    }
NYSX_LABEL(lshu_end)
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        NYSX_UNROLL_LSHU_END
        result[p] = scaled(sum[p], length[p]);
    }
}

/* A sparse pass whose vector stays inside. */
static void propagate(const struct nysx_graph *graph, nysx_value_t from[NYSX_LSHU_COPIES][NYSX_MAX_NODES],
                      nysx_value_t to[NYSX_LSHU_COPIES][NYSX_MAX_NODES])
{
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_turns)
    for (int32_t turn = 0; turn < TURNS(graph->nodes); turn++) {
        float result[NYSX_LSHU_PE];
        multiply_rows(graph, turn, from, result);
    NYSX_LABEL(lshu_store)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_STORE
            int32_t slot = turn * NYSX_LSHU_PE + p;
            for (int32_t c = 0; c < NYSX_LSHU_COPIES && slot < graph->nodes; c++)
                to[c][graph->order[slot]] = result[p];
        }
    }
}

#if NYSX_CODES == NYSX_CODES_SCALAR
/* An element of F u. */
static float feature_sum(const struct nysx_graph *graph, int32_t node, int32_t hop)
{
#if NYSX_FEATURE_ONEHOT
    int32_t index = (int32_t)graph->feature[node][0];
    return index < NYSX_FEATURE_COLUMNS ? nysx_lsh_u[hop][index] : 0.0f;
#else
    float sum = 0.0f;
NYSX_LABEL(lshu_columns)
    for (int32_t j = 0; j < NYSX_FEATURE_COLUMNS; j++)
        sum += graph->feature[node][j] * nysx_lsh_u[hop][j];
    return sum;
#endif
}

/* The dense pass, F u: of hop 0 it emits the codes, else its vector stays inside. */
static void project(const struct nysx_graph *graph, int32_t hop, nysx_value_t to[NYSX_LSHU_COPIES][NYSX_MAX_NODES],
                    int64_t codes[NYSX_MAX_NODES])
{
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_dense)
    for (int32_t first = 0; first < graph->nodes; first += NYSX_LSHU_PE) {
        NYSX_PIPELINE_LSHU_DENSE
    NYSX_LABEL(lshu_dense_pes)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_DENSE_PES
            if (first + p < graph->nodes) {
                float value = feature_sum(graph, first + p, hop);
                for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
                    to[c][first + p] = value;
                if (hop == 0)
                    codes[first + p] = floor_code(value, nysx_lsh_b[hop][0]);
            }
        }
    }
}

/* The last sparse pass of a hop: codes in the order of the schedule. */
static void emit(const struct nysx_graph *graph, int32_t hop,
                 nysx_value_t from[NYSX_LSHU_COPIES][NYSX_MAX_NODES], int64_t codes[NYSX_MAX_NODES])
{
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_last)
    for (int32_t turn = 0; turn < TURNS(graph->nodes); turn++) {
        float result[NYSX_LSHU_PE];
        multiply_rows(graph, turn, from, result);
    NYSX_LABEL(lshu_codes)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_CODES
            if (turn * NYSX_LSHU_PE + p < graph->nodes)
                codes[turn * NYSX_LSHU_PE + p] = floor_code(result[p], nysx_lsh_b[hop][0]);
        }
    }
}

/* Hop t: one dense pass and t sparse ones, the last of them emitting. */
void nysx_lshu(const struct nysx_graph *graph, int32_t hop, int64_t codes[NYSX_MAX_NODES])
{
    NYSX_LOCAL nysx_value_t lshu_values[2][NYSX_LSHU_COPIES][NYSX_MAX_NODES];
    NYSX_ARRAY_PARTITION_LSHU_VALUES
    project(graph, hop, lshu_values[0], codes);
NYSX_LABEL(lshu_hops)
    for (int32_t k = 0; k + 1 < hop; k++)
        propagate(graph, lshu_values[k % 2], lshu_values[(k + 1) % 2]);
    if (hop > 0)
        emit(graph, hop, lshu_values[(hop - 1) % 2], codes);
}

#else

static float feature_of(const struct nysx_graph *graph, int32_t node, int32_t column)
{
#if NYSX_FEATURE_ONEHOT
    return (int32_t)graph->feature[node][0] == column ? 1.0f : 0.0f;
#else
    return graph->feature[node][column];
#endif
}

/* One more code of a tuple. */
static uint64_t fold(uint64_t state, int64_t code)
{
    return (((state << 5) | (state >> 59)) ^ (uint64_t)code) * UINT64_C(0x517cc1b727220a95);
}

/* The floors of all columns, hashed together. At hop 0 the columns of F come by, and are kept. */
static void emit_tuples(const struct nysx_graph *graph, int32_t hop,
                        nysx_value_t values[NYSX_LSHU_COLUMNS][NYSX_LSHU_COPIES][NYSX_MAX_NODES],
                        int64_t codes[NYSX_MAX_NODES])
{
    uint64_t lshu_states[NYSX_LSHU_PE];
    NYSX_ARRAY_PARTITION_LSHU_STATES
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_nodes)
    for (int32_t first = 0; first < graph->nodes; first += NYSX_LSHU_PE)
    NYSX_LABEL(lshu_tuples)
        for (int32_t j = 0; j < NYSX_LSHU_COLUMNS; j++) {
            NYSX_PIPELINE_LSHU_TUPLES
        NYSX_LABEL(lshu_tuple_pes)
            for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
                NYSX_UNROLL_LSHU_TUPLE_PES
                if (first + p < graph->nodes) {
                    float value = hop == 0 ? feature_of(graph, first + p, j)
                                           : values[j][p % NYSX_LSHU_COPIES][first + p];
                    for (int32_t c = 0; c < NYSX_LSHU_COPIES && hop == 0; c++)
                        values[j][c][first + p] = value;
                    lshu_states[p] = fold(j == 0 ? 0 : lshu_states[p],
                                          floor_code(value * nysx_lsh_u[hop][j], nysx_lsh_b[hop][j]));
                    if (j == NYSX_LSHU_COLUMNS - 1)
                        codes[first + p] = (int64_t)lshu_states[p];
                }
            }
        }
}

/* Columns go on from hop to hop: A once more to each, in the other half of the buffer. */
void nysx_lshu(const struct nysx_graph *graph, int32_t hop, int64_t codes[NYSX_MAX_NODES])
{
    static nysx_value_t lshu_values[2][NYSX_LSHU_COLUMNS][NYSX_LSHU_COPIES][NYSX_MAX_NODES];
    NYSX_ARRAY_PARTITION_LSHU_VALUES
NYSX_LABEL(lshu_hops)
    for (int32_t j = 0; j < NYSX_LSHU_COLUMNS; j++)
        if (hop > 0)
            propagate(graph, lshu_values[(hop - 1) % 2][j], lshu_values[hop % 2][j]);
    emit_tuples(graph, hop, lshu_values[hop % 2], codes);
}
#endif
