/* How fast HDReason's distances are, as many as ranking 128 queries on FB15K-237 takes, by precision and instruction set; beside a plain
 * loop, which every result must equal.
 *
 * usage: bench_hdreason
 * Times are processor time of one thread, the least of several passes. Exit 1 where a result differs, or where bytes are less than four
 * times as fast as single precision by the best instructions of this machine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/rng.h"
#include "executor/hdreason/kernels.h"

enum { ROWS = 14541, QUERIES = 128, DIM = 256, PASSES = 5, CHECKED = 200, GROUP = 8 };

static float rows[ROWS * DIM], turned[DIM * QUERIES], distance[ROWS * QUERIES];
static uint8_t row_bytes[ROWS * DIM], turned_bytes[DIM * QUERIES];
static int32_t whole[ROWS * QUERIES];

static double worked_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void draw(void)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < (size_t)ROWS * DIM; i++) {
        row_bytes[i] = (uint8_t)dse_rng_below(&rng, 256);
        rows[i] = (float)row_bytes[i] / 7.0f;
    }
    for (size_t k = 0; k < DIM; k++)
        for (size_t q = 0; q < QUERIES; q++) {
            uint8_t byte = (uint8_t)dse_rng_below(&rng, 256);
            turned_bytes[(k / GROUP * QUERIES + q) * GROUP + k % GROUP] = byte;
            turned[k * QUERIES + q] = (float)byte / 7.0f;
        }
}

static size_t wrong(void)
{
    size_t count = 0;
    for (size_t r = 0; r < CHECKED; r++)
        for (size_t q = 0; q < QUERIES; q++) {
            float sum = 0.0f;
            int32_t bytes = 0;
            for (size_t k = 0; k < DIM; k++) {
                sum += fabsf(turned[k * QUERIES + q] - rows[r * DIM + k]);
                bytes += abs(turned_bytes[(k / GROUP * QUERIES + q) * GROUP + k % GROUP] - row_bytes[r * DIM + k]);
            }
            count += sum != distance[r * QUERIES + q] || bytes != whole[r * QUERIES + q];
        }
    return count;
}

int main(void)
{
    static const char *const names[] = {"portable", "AVX2", "AVX-512"};
    double ratio = 0.0;
    size_t bad = 0;
    draw();
    for (int v = HDR_PORTABLE; v <= (int)hdr_vectors_best(); v++) {
        double single = 1e9, bytes = 1e9;
        for (int pass = 0; pass < PASSES; pass++) {
            double begin = worked_s();
            hdr_distances((enum hdr_vectors)v, rows, ROWS, DIM, turned, QUERIES, DIM, distance);
            double between = worked_s();
            hdr_distances_bytes((enum hdr_vectors)v, row_bytes, ROWS, DIM, turned_bytes, QUERIES, whole);
            double end = worked_s();
            single = between - begin < single ? between - begin : single;
            bytes = end - between < bytes ? end - between : bytes;
        }
        bad += wrong();
        ratio = single / bytes;
        printf("%-8s  %d queries, %d entities, %d elements: fp32 %.1f ms, bytes %.1f ms, %.1f times\n", names[v], QUERIES, ROWS, DIM, 1e3 * single,
               1e3 * bytes, ratio);
    }
    if (bad > 0)
        printf("%zu distances are not the plain loop's\n", bad);
    return bad == 0 && ratio >= 4.0 ? 0 : 1;
}
