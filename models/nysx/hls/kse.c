/* SPDX-License-Identifier: MIT */ /* Kernel Similarity Engine: H(t) h(t) over the landmarks' rows (paper, section 5.2.4). PEs work on rows in parallel, each
 * from its own bank, or all from one stream if H is in external memory. Rows shorter than the longest of their trip are padded
 * with entries of count 0, so that all PEs use one address. The last entry of a trip is marked. */
#include "nysx.h"
#include "nysx_model.h"

#define BIN_MASK (((nysx_h_entry_t)1 << NYSX_BIN_BITS) - 1)
#define COUNT_MASK (((nysx_h_entry_t)1 << NYSX_H_COUNT_BITS) - 1)
#define LAST_BIT (NYSX_BIN_BITS + NYSX_H_COUNT_BITS)

#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
#define PARTS ((int32_t)(sizeof(nysx_h_entry_t) / 4))

/* Entries of a slot: part of a word, one word, or several words. */
static void take_entries(uint32_t slot, nysx_h_entry_t entries[NYSX_KSE_PE], NYSX_PARAMETERS_H)
{
    for (int32_t i = 0; i < NYSX_H_BEATS; i++) {
        nysx_h_word_t word[1];
        NYSX_READ_H(word, slot * NYSX_H_BEATS + (uint32_t)i);
        NYSX_TALLY(h_words, 1);
        for (int32_t k = 0; k < NYSX_H_WORD_ENTRIES; k++) {
            nysx_h_entry_t entry = 0;
            for (int32_t part = 0; part < PARTS; part++)
                entry |= (nysx_h_entry_t)((uint64_t)NYSX_PART_H_WORD(word[0], k * PARTS + part) << (32 * part));
            entries[i * NYSX_H_WORD_ENTRIES + k] = entry;
        }
    }
}
#else
static void take_entries(uint32_t slot, nysx_h_entry_t entries[NYSX_KSE_PE])
{
    for (int32_t p = 0; p < NYSX_KSE_PE; p++)
        entries[p] = nysx_h_entries[p][slot];
}
#endif

static nysx_kernel_t product_of(nysx_h_entry_t entry, const nysx_histogram_t histogram[NYSX_HISTOGRAM_WORDS])
{
    int32_t bin = (int32_t)(entry & BIN_MASK);
    nysx_histogram_t word = histogram[bin / NYSX_BINS_PER_WORD];
    uint32_t count = (uint32_t)(nysx_count_t)(word >> (bin % NYSX_BINS_PER_WORD * NYSX_COUNT_BITS));
    return (nysx_kernel_t)((uint32_t)(entry >> NYSX_BIN_BITS & COUNT_MASK) * count);
}

void nysx_kse(int32_t hop, nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS],
              nysx_sums_t kse_sums NYSX_AND_PARAMETERS_H)
{
#if NYSX_PLACE_H != NYSX_PLACE_H_DDR
    NYSX_ARRAY_PARTITION_H_ENTRIES
    NYSX_BIND_STORAGE_H_ENTRIES
#endif
    nysx_kernel_t kse_row[NYSX_KSE_PE]; /* sum so far per PE */
    NYSX_ARRAY_PARTITION_KSE_ROW
    int32_t trip = 0;
    uint32_t end = nysx_h_begin[hop + 1] < NYSX_H_SLOTS ? nysx_h_begin[hop + 1] : NYSX_H_SLOTS;
NYSX_LABEL(kse_clear)
    for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
        NYSX_UNROLL_KSE_CLEAR
        kse_row[p] = 0;
    }
NYSX_LABEL(kse_slots)
    for (uint32_t slot = nysx_h_begin[hop]; slot < end; slot++) {
        NYSX_PIPELINE_KSE_SLOTS
        NYSX_LOOP_TRIPCOUNT_KSE_SLOTS
        nysx_h_entry_t kse_entries[NYSX_KSE_PE];
        NYSX_ARRAY_PARTITION_KSE_ENTRIES
        take_entries(slot, kse_entries NYSX_AND_ARGUMENTS_H);
        int32_t last = (int32_t)(kse_entries[0] >> LAST_BIT & 1);
        NYSX_TALLY(kse_slots, 1);
    NYSX_LABEL(kse_pes)
        for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
            NYSX_UNROLL_KSE_PES
            kse_row[p] += product_of(kse_entries[p], hue_merged[p % NYSX_HISTOGRAM_COPIES]);
            NYSX_TALLY(kse_products, (kse_entries[p] >> NYSX_BIN_BITS & COUNT_MASK) != 0);
            if (last)
                kse_sums[hop][p][trip] = kse_row[p];
            kse_row[p] = last ? 0 : kse_row[p];
        }
        trip += last;
    }
}

/* A landmark's PE and trip are packed in its place. */
nysx_kernel_t nysx_gathered(nysx_sums_t kse_sums, int32_t landmark)
{
    NYSX_ARRAY_PARTITION_H_PLACE
    nysx_kernel_t sum = 0;
    for (int32_t t = 0; t < NYSX_PASSES; t++) {
        uint32_t place = nysx_h_place[t][landmark];
        sum += kse_sums[t][place % NYSX_KSE_PE][place / NYSX_KSE_PE];
    }
    return sum;
}
