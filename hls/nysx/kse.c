/* Kernel Similarity Engine: C += H(t) h(t) over the landmarks' rows (paper, section 5.2.4). PEs take rows side by side,
 * each from its own bank, or all from one stream where H lies in external memory. */
#include "nysx.h"
#include "nysx_model.h"

#define BIN_MASK (((nysx_h_entry_t)1 << NYSX_BIN_BITS) - 1)

#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
#define H_BEATS ((NYSX_KSE_PE + NYSX_H_WORD_ENTRIES - 1) / NYSX_H_WORD_ENTRIES)
#define H_PARTS ((int32_t)(sizeof(nysx_h_entry_t) / 4))

/* Entries that have come and were not used yet. */
struct h_window {
    nysx_h_entry_t entry[NYSX_KSE_PE + NYSX_H_WORD_ENTRIES];
    int32_t filled, next; /* entries in it; the next word */
};

static nysx_h_entry_t entry_of(nysx_h_word_t word, int32_t index)
{
    nysx_h_entry_t entry = 0;
    for (int32_t i = 0; i < H_PARTS; i++)
        entry |= (nysx_h_entry_t)word.part[index * H_PARTS + i] << (32 * i);
    return entry;
}

/* The entries that the PEs need now, in their order; used ones are dropped first. */
static void fetch(struct h_window *window, int32_t wanted, nysx_h_entry_t entries[NYSX_KSE_PE], NYSX_PARAMETERS_H)
{
NYSX_LABEL(kse_fill)
    for (int32_t i = 0; i < H_BEATS; i++)
        if (window->filled < wanted) {
            nysx_h_word_t word[1];
            NYSX_READ_H(word, window->next);
            for (int32_t k = 0; k < NYSX_H_WORD_ENTRIES; k++)
                window->entry[window->filled + k] = entry_of(word[0], k);
            window->filled += NYSX_H_WORD_ENTRIES;
            window->next++;
            NYSX_TALLY(h_words, 1);
        }
    window->filled -= wanted;
NYSX_LABEL(kse_drop)
    for (int32_t k = 0; k < NYSX_KSE_PE + NYSX_H_WORD_ENTRIES; k++) {
        if (k < wanted)
            entries[k] = window->entry[k];
        if (k < window->filled)
            window->entry[k] = window->entry[k + wanted];
    }
}
#endif

/* A non-zero of H in every PE that still has one at step `e` of the turn. */
static void take_entries(int32_t e, const int32_t begin[NYSX_KSE_PE], const int32_t length[NYSX_KSE_PE],
                         nysx_h_entry_t entries[NYSX_KSE_PE] NYSX_AND_PARAMETERS_WINDOW NYSX_AND_PARAMETERS_H)
{
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    nysx_h_entry_t came[NYSX_KSE_PE];
    int32_t wanted = 0, at = 0;
    (void)begin;
    for (int32_t p = 0; p < NYSX_KSE_PE; p++)
        wanted += e < length[p];
    fetch(window, wanted, came NYSX_AND_ARGUMENTS_H);
    for (int32_t p = 0; p < NYSX_KSE_PE; p++)
        entries[p] = e < length[p] ? came[at++] : 0;
#else
    for (int32_t p = 0; p < NYSX_KSE_PE; p++)
        entries[p] = e < length[p] ? nysx_h_entries[p][begin[p] + e] : 0;
#endif
}

/* The rows of one turn: to the end of the longest, a non-zero a cycle in every PE. */
static void multiply_turn(int32_t hop, int32_t turn,
                          nysx_count_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD],
                          nysx_kernel_t kernel[NYSX_LANDMARKS] NYSX_AND_PARAMETERS_WINDOW NYSX_AND_PARAMETERS_H)
{
    nysx_kernel_t sum[NYSX_KSE_PE];
    int32_t begin[NYSX_KSE_PE], length[NYSX_KSE_PE], longest = 1;
NYSX_LABEL(kse_begin)
    for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
        NYSX_UNROLL_KSE_BEGIN
        int32_t at = hop * NYSX_H_ITERATIONS + turn;
        begin[p] = (int32_t)nysx_h_row_begin[p][at];
        length[p] = (int32_t)nysx_h_row_begin[p][at + 1] - begin[p];
        longest = length[p] > longest ? length[p] : longest;
        sum[p] = 0;
    }
NYSX_LABEL(kse_nonzeros)
    for (int32_t e = 0; e < longest; e++) {
        NYSX_PIPELINE_KSE_NONZEROS
        nysx_h_entry_t entries[NYSX_KSE_PE];
        take_entries(e, begin, length, entries NYSX_AND_WINDOW(window) NYSX_AND_ARGUMENTS_H);
        NYSX_TALLY(kse_slots, 1);
    NYSX_LABEL(kse_pes)
        for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
            NYSX_UNROLL_KSE_PES
            if (e < length[p]) {
                int32_t bin = (int32_t)(entries[p] & BIN_MASK), copy = p % NYSX_HISTOGRAM_COPIES;
                sum[p] += (nysx_kernel_t)(entries[p] >> NYSX_BIN_BITS) *
                          (nysx_kernel_t)hue_merged[copy][bin / NYSX_BINS_PER_WORD][bin % NYSX_BINS_PER_WORD];
                NYSX_TALLY(kse_products, 1);
            }
        }
    }
NYSX_LABEL(kse_end)
    for (int32_t p = 0; p < NYSX_KSE_PE; p++) {
        NYSX_UNROLL_KSE_END
        int32_t row = (int32_t)nysx_h_order[p][hop * NYSX_H_ITERATIONS + turn];
        if (row < NYSX_LANDMARKS)
            kernel[row] += sum[p];
    }
}

void nysx_kse(int32_t hop,
              nysx_count_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD],
              nysx_kernel_t kernel[NYSX_LANDMARKS] NYSX_AND_PARAMETERS_H)
{
    NYSX_ARRAY_PARTITION_H_ROW_BEGIN
    NYSX_ARRAY_PARTITION_H_ORDER
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    static struct h_window window; /* one stream over all hops */
    if (hop == 0) {
        window.filled = 0;
        window.next = 0;
    }
#else
    NYSX_ARRAY_PARTITION_H_ENTRIES
    NYSX_BIND_STORAGE_H_ENTRIES
#endif
NYSX_LABEL(kse_turns)
    for (int32_t i = 0; i < NYSX_H_ITERATIONS; i++)
        multiply_turn(hop, i, hue_merged, kernel NYSX_AND_WINDOW(&window) NYSX_AND_ARGUMENTS_H);
}
