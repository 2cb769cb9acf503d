/* Histogram Update Engine: private histograms and their merge (paper, section 5.2.3). */
#include "nysx.h"
#include "nysx_model.h"

void nysx_hue(const nysx_bin_t bins[NYSX_MAX_NODES], int32_t nodes,
              nysx_count_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD])
{
NYSX_LABEL(hue_updates)
    for (int32_t first = 0; first < nodes; first += NYSX_HUE_PE) {
        NYSX_PIPELINE_HUE_UPDATES
    NYSX_LABEL(hue_pes)
        for (int32_t p = 0; p < NYSX_HUE_PE; p++) {
            NYSX_UNROLL_HUE_PES
            if (first + p < nodes && bins[first + p] >= 0) {
                nysx_bin_t bin = bins[first + p];
                hue_private[p][bin / NYSX_BINS_PER_WORD][bin % NYSX_BINS_PER_WORD]++;
                NYSX_TALLY(updates, 1);
            }
        }
    }
}

void nysx_hue_merge(int32_t hop, nysx_count_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD],
                    nysx_count_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD])
{
    int32_t words = ((int32_t)nysx_codebook_size[hop] + NYSX_BINS_PER_WORD - 1) / NYSX_BINS_PER_WORD;
NYSX_LABEL(hue_merge)
    for (int32_t w = 0; w < words; w++) {
        NYSX_PIPELINE_HUE_MERGE
        NYSX_TALLY(merged_words, 1);
        for (int32_t b = 0; b < NYSX_BINS_PER_WORD; b++) {
            uint32_t sum = 0;
            for (int32_t p = 0; p < NYSX_HUE_PE; p++) {
                sum += hue_private[p][w][b];
                hue_private[p][w][b] = 0;
            }
            for (int32_t k = 0; k < NYSX_HISTOGRAM_COPIES; k++)
                hue_merged[k][w][b] = (nysx_count_t)sum;
        }
    }
}
