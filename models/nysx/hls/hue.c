/* SPDX-License-Identifier: MIT */ /* Histogram Update Engine: private histograms and their merge (paper, section 5.2.3). Bins go to the PEs in turn. A PE keeps
 * its latest writes in registers, because the memory returns them only after its read latency. */
#include "nysx.h"
#include "nysx_model.h"

#define LANES_A_STEP (NYSX_MPHE_LOOKUPS < NYSX_HUE_PE ? NYSX_MPHE_LOOKUPS : NYSX_HUE_PE)
#define STEPS_A_WORD (NYSX_MPHE_LOOKUPS / LANES_A_STEP)
#define TRIPS (NYSX_HUE_PE / LANES_A_STEP) /* words until a PE's next trip */

/* Latest writes of one PE, newest first; place −1: none. */
struct recent {
    int32_t place[NYSX_HUE_RECENT];
    nysx_histogram_t word[NYSX_HUE_RECENT];
};

static void update(nysx_histogram_t histogram[NYSX_HISTOGRAM_WORDS], struct recent *recent, nysx_bin_t bin)
{
    int32_t at = bin / NYSX_BINS_PER_WORD;
    nysx_histogram_t word = histogram[at];
    for (int32_t d = NYSX_HUE_RECENT - 1; d >= 0; d--)
        word = recent->place[d] == at ? recent->word[d] : word;
    word = (nysx_histogram_t)(word + ((nysx_histogram_t)1 << (bin % NYSX_BINS_PER_WORD * NYSX_COUNT_BITS)));
    histogram[at] = word;
    for (int32_t d = NYSX_HUE_RECENT - 1; d > 0; d--) {
        recent->place[d] = recent->place[d - 1];
        recent->word[d] = recent->word[d - 1];
    }
    recent->place[0] = at;
    recent->word[0] = word;
    NYSX_TALLY(updates, 1);
}

void nysx_hue(NYSX_FIFO_PARAMETER(nysx_bins_t, bins, NYSX_CODE_WORDS), int32_t nodes,
              nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS])
{
    struct recent recent[NYSX_HUE_PE];
    nysx_bins_t word = {{0}};
    int32_t w = 0, part = 0, trip = 0;
NYSX_LABEL(hue_forget)
    for (int32_t p = 0; p < NYSX_HUE_PE; p++) {
        NYSX_UNROLL_HUE_FORGET
    NYSX_LABEL(hue_words)
        for (int32_t d = 0; d < NYSX_HUE_RECENT; d++) {
            NYSX_UNROLL_HUE_WORDS
            recent[p].place[d] = -1;
            recent[p].word[d] = 0;
        }
    }
NYSX_LABEL(hue_updates)
    for (int32_t k = 0; k < (nodes + NYSX_MPHE_LOOKUPS - 1) / NYSX_MPHE_LOOKUPS * STEPS_A_WORD; k++) {
        NYSX_PIPELINE_HUE_UPDATES
        NYSX_LOOP_TRIPCOUNT_HUE_UPDATES
        if (part == 0) {
            word = NYSX_TAKE(bins, w);
            w++;
        }
    NYSX_LABEL(hue_pes)
        for (int32_t p = 0; p < NYSX_HUE_PE; p++) {
            NYSX_UNROLL_HUE_PES
            nysx_bin_t bin = word.lane[p % LANES_A_STEP];
            if (p / LANES_A_STEP == trip && bin >= 0)
                update(hue_private[p], &recent[p], bin);
        }
        for (int32_t l = 0; l + LANES_A_STEP < NYSX_MPHE_LOOKUPS; l++)
            word.lane[l] = word.lane[l + LANES_A_STEP];
        part = part == STEPS_A_WORD - 1 ? 0 : part + 1;
        trip = trip == TRIPS - 1 ? 0 : trip + 1;
    }
}

void nysx_hue_merge(int32_t hop, nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS],
                    nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS])
{
    int32_t words = ((int32_t)nysx_codebook_size[hop] + NYSX_BINS_PER_WORD - 1) / NYSX_BINS_PER_WORD;
NYSX_LABEL(hue_merge)
    for (int32_t w = 0; w < words; w++) {
        NYSX_PIPELINE_HUE_MERGE
        NYSX_LOOP_TRIPCOUNT_HUE_MERGE
        NYSX_TALLY(merged_words, 1);
        nysx_histogram_t sum = 0; /* no carry between the counts: their total is at most a graph's nodes */
        for (int32_t p = 0; p < NYSX_HUE_PE; p++) {
            sum = (nysx_histogram_t)(sum + hue_private[p][w]);
            hue_private[p][w] = 0;
        }
        for (int32_t k = 0; k < NYSX_HISTOGRAM_COPIES; k++)
            hue_merged[k][w] = sum;
    }
}
