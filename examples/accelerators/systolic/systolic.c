/* C = A · B on ROWS × COLUMNS processing elements. A tile's rows of A enter from the left and its columns of B from above, each a step later than its
 * neighbour. Every element adds a product per step to the sum that it keeps. systolic_config.h has the sizes, types and directives. */
#include "systolic_config.h"

#ifndef __SYNTHESIS__
long systolic_trips[4]; /* iterations of load_a, load_b, steps and write: what a C simulation counts */
#define TURN(loop) systolic_trips[loop]++;
#else
#define TURN(loop)
#endif

#define M SYSTOLIC_M
#define K SYSTOLIC_K
#define N SYSTOLIC_N

static void load_tiles(const systolic_element_t *a, const systolic_element_t *b, int i0, int j0, systolic_element_t a_tile[ROWS][K],
                       systolic_element_t b_tile[K][COLUMNS])
{
    int r = 0, k = 0; /* counted, since K is any number: a division takes a divider */
load_a:
    for (int w = 0; w < ROWS * K; w++) {
        SYSTOLIC_PIPELINE_LOAD_A
        TURN(0)
        a_tile[r][k] = i0 + r < M ? a[i0 * K + w] : 0;
        if (++k == K) {
            k = 0;
            r++;
        }
    }
load_b:
    for (int w = 0; w < K * COLUMNS; w++) {
        SYSTOLIC_PIPELINE_LOAD_B
        TURN(1)
        int line = w / COLUMNS, c = w % COLUMNS;
        b_tile[line][c] = j0 + c < N ? b[line * N + j0 + c] : 0;
    }
}

static void multiply_tile(systolic_element_t a_tile[ROWS][K], systolic_element_t b_tile[K][COLUMNS], systolic_sum_t sums[ROWS][COLUMNS])
{
    systolic_element_t left[ROWS][COLUMNS] = {{0}}, above[ROWS][COLUMNS] = {{0}};
    SYSTOLIC_ARRAY_PARTITION_LEFT
    SYSTOLIC_ARRAY_PARTITION_ABOVE
steps:
    for (int step = 0; step < SYSTOLIC_STEPS; step++) {
        SYSTOLIC_PIPELINE_STEPS
        TURN(2)
    rows:
        for (int r = ROWS - 1; r >= 0; r--) {
            SYSTOLIC_UNROLL_ROWS
        columns:
            for (int c = COLUMNS - 1; c >= 0; c--) {
                SYSTOLIC_UNROLL_COLUMNS
                int at_left = step - r, at_top = step - c;
                left[r][c] = c > 0 ? left[r][c - 1] : at_left >= 0 && at_left < K ? a_tile[r][at_left] : 0;
                above[r][c] = r > 0 ? above[r - 1][c] : at_top >= 0 && at_top < K ? b_tile[at_top][c] : 0;
                sums[r][c] += (systolic_sum_t)left[r][c] * above[r][c];
            }
        }
    }
}

static void write_tile(systolic_sum_t sums[ROWS][COLUMNS], int i0, int j0, systolic_sum_t *out)
{
write:
    for (int w = 0; w < ROWS * COLUMNS; w++) {
        SYSTOLIC_PIPELINE_WRITE
        TURN(3)
        int i = i0 + w / COLUMNS, j = j0 + w % COLUMNS;
        if (i < M && j < N)
            out[i * N + j] = sums[w / COLUMNS][w % COLUMNS];
    }
}

void systolic(const systolic_element_t *a, const systolic_element_t *b, systolic_sum_t *out)
{
    systolic_element_t a_tile[ROWS][K], b_tile[K][COLUMNS];
    SYSTOLIC_INTERFACE_A
    SYSTOLIC_INTERFACE_B
    SYSTOLIC_INTERFACE_OUT
    SYSTOLIC_INTERFACE_CONTROL
    SYSTOLIC_ARRAY_PARTITION_A_TILE
    SYSTOLIC_ARRAY_PARTITION_B_TILE
    for (int i0 = 0; i0 < M; i0 += ROWS)
        for (int j0 = 0; j0 < N; j0 += COLUMNS) {
            systolic_sum_t sums[ROWS][COLUMNS] = {{0}};
            SYSTOLIC_ARRAY_PARTITION_SUMS
            load_tiles(a, b, i0, j0, a_tile, b_tile);
            multiply_tile(a_tile, b_tile, sums);
            write_tile(sums, i0, j0, out);
        }
}
