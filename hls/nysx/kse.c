/* Kernel Similarity Engine: C += H(t) h(t) over the landmarks' rows (paper, section 5.2.4). */
#include "nysx.h"
#include "nysx_model.h"

/* The rows of one iteration: to the end of the longest, a non-zero a cycle in every PE. */
static void multiply_rows(int32_t hop, int32_t iteration,
                          const nysx_count_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD],
                          nysx_kernel_t kernel[NYSX_LANDMARKS] NYSX_AND_PARAMETERS_H)
{
    nysx_kernel_t sum[NYSX_KSE_PE];
    int32_t begin[NYSX_KSE_PE], length[NYSX_KSE_PE], longest = 0;
NYSX_LABEL(kse_begin)
    for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
        int32_t at = hop * NYSX_H_ITERATIONS + iteration;
        begin[p] = (int32_t)nysx_h_row_begin[p][at];
        length[p] = (int32_t)nysx_h_row_begin[p][at + 1] - begin[p];
        longest = length[p] > longest ? length[p] : longest;
        sum[p] = 0;
    }
NYSX_LABEL(kse_nonzeros)
    for (int32_t e = 0; e < longest; e++) {
        NYSX_PIPELINE_KSE_NONZEROS
    NYSX_LABEL(kse_pes)
        for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
            NYSX_UNROLL_KSE_PES
            if (e < length[p]) {
                nysx_h_entry_t entry = NYSX_H_ENTRY(p, begin[p] + e);
                int32_t bin = (int32_t)(entry & (((nysx_h_entry_t)1 << NYSX_BIN_BITS) - 1));
                int32_t copy = p % NYSX_HISTOGRAM_COPIES;
                sum[p] += (nysx_kernel_t)(entry >> NYSX_BIN_BITS) *
                          (nysx_kernel_t)hue_merged[copy][bin / NYSX_BINS_PER_WORD][bin % NYSX_BINS_PER_WORD];
                NYSX_TALLY(similar, 1);
            }
        }
    }
NYSX_LABEL(kse_end)
    for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
        int32_t row = (int32_t)nysx_h_order[p][hop * NYSX_H_ITERATIONS + iteration];
        if (row < NYSX_LANDMARKS)
            kernel[row] += sum[p];
    }
}

void nysx_kse(int32_t hop,
              const nysx_count_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD],
              nysx_kernel_t kernel[NYSX_LANDMARKS] NYSX_AND_PARAMETERS_H)
{
    NYSX_ARRAY_PARTITION_H_ROW_BEGIN
    NYSX_ARRAY_PARTITION_H_ORDER
#if NYSX_PLACE_H != NYSX_PLACE_H_DDR
    NYSX_ARRAY_PARTITION_H_ENTRIES
    NYSX_BIND_STORAGE_H_ENTRIES
#endif
NYSX_LABEL(kse_iterations)
    for (int32_t i = 0; i < NYSX_H_ITERATIONS; i++)
        multiply_rows(hop, i, hue_merged, kernel NYSX_AND_ARGUMENTS_H);
}
