/* SPDX-License-Identifier: MIT */ /* Nyström Encoding Engine without landmarks: h = sign(Σ of the codes' signs − threshold), with sign(0) = +1. Each trip of the lanes reads
 * the whole list, NEE_CODES codes per cycle. A code x with second mixing y expands to words of 32 signs. Word w is
 * x ^ XOR of rotl(y, b) over the set bits b of w. The words of one trip differ only in the lowest bits of w. */
#include "nysx.h"
#include "nysx_model.h"
#if NYSX_NEE_TABLE != NYSX_NEE_TABLE_NONE
#include "nysx_code_weights.h"
#endif

#if NYSX_NEE_FORM != NYSX_NEE_FORM_DIRECT
#error "direct.c is for nee.form=direct"
#endif

#define SALT 0x5bd1e995u
#define WORDS_PER_TRIP ((NYSX_NEE_LANES + 31) / 32)
#define TRIPS_PER_WORD (32 / (NYSX_NEE_LANES < 32 ? NYSX_NEE_LANES : 32))

#if NYSX_CODES != NYSX_CODES_WL
/* Folds a start's codes to 32 bits and appends them to the list, draw by draw. */
void nysx_list(NYSX_FIFO_PARAMETER(nysx_codes_t, codes, NYSX_CODE_WORDS), int32_t nodes, int32_t hop NYSX_AND_PARAMETERS_LIST)
{
    uint32_t salt = nysx_salt(hop * NYSX_LSHU_DRAWS);
    int32_t words = (nodes + NYSX_CODE_LANES - 1) / NYSX_CODE_LANES, begin = hop * NYSX_LSHU_DRAWS * NYSX_LIST_HOP, w = 0;
NYSX_LABEL(nee_list)
    for (int32_t k = 0; k < words * NYSX_LSHU_DRAWS; k++) {
        NYSX_PIPELINE_NEE_LIST
        NYSX_LOOP_TRIPCOUNT_NEE_LIST
        NYSX_TALLY(list_words, 1);
        nysx_codes_t word = NYSX_TAKE(codes, k);
        nysx_bit_t ends = w == words - 1;
        for (int32_t l = 0; l < NYSX_CODE_LANES; l++)
            code_list[begin + w * NYSX_CODE_LANES + l] = nysx_fold_salted((uint64_t)word.lane[l], salt);
        salt += ends ? nysx_salt(0) : 0;
        begin += ends ? NYSX_LIST_HOP : 0;
        w = ends ? 0 : w + 1;
    }
}
#endif

/* XOR of rotl(y, first + i) over the set bits i of `ones`. */
static uint32_t turned(uint32_t y, int32_t first, int32_t count, int32_t ones)
{
    uint32_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t left = (uint32_t)(first + i) % 32;
        sum ^= ones >> i & 1 ? y << left | y >> (32 - left) % 32 : 0;
    }
    return sum;
}

/* Signs of a code for the lanes of one trip. */
static void signs_of(uint32_t code, int32_t trip, uint32_t signs[WORDS_PER_TRIP])
{
    uint32_t y = nysx_mix(code ^ SALT);
    uint32_t shared = code ^ turned(y, NYSX_NEE_LANE_BITS, NYSX_NEE_TRIP_BITS, trip / TRIPS_PER_WORD);
    shared >>= trip % TRIPS_PER_WORD * NYSX_NEE_LANES % 32;
    for (int32_t w = 0; w < WORDS_PER_TRIP; w++)
        signs[w] = shared ^ turned(y, 0, NYSX_NEE_LANE_BITS, w);
}

/* The initial sum of a lane: minus its threshold. */
static int32_t start_of(int32_t trip, int32_t lane)
{
#if NYSX_NEE_CENTER == NYSX_NEE_CENTER_YES
    int32_t first = lane * NYSX_START_BITS, spare = 32 - NYSX_START_BITS;
    int32_t steps = (int32_t)(nysx_start[trip][first / 32] >> (first % 32) << spare) >> spare;
    return (int32_t)((uint32_t)steps << nysx_start_shift[0]);
#else
    (void)trip;
    (void)lane;
    return 0;
#endif
}

#if NYSX_NEE_MERGE != NYSX_NEE_MERGE_NONE
typedef nysx_item_count_t counts_t[NYSX_NEE_CODES]; /* nodes per code of a word */

/* The contribution of a word to a lane's sum. */
static int32_t added(uint32_t signs[NYSX_NEE_CODES][WORDS_PER_TRIP], const counts_t counts, int32_t lane)
{
    int32_t more = 0;
    for (int32_t c = 0; c < NYSX_NEE_CODES; c++) {
        int32_t count = (int32_t)counts[c];
        more += (signs[c][lane / 32] >> (lane % 32) & 1) != 0 ? count : -count;
    }
    return more;
}

/* Latest table writes, newest first; place −1: none. */
struct recent {
    int32_t place[NYSX_MERGE_RECENT];
    uint32_t code[NYSX_MERGE_RECENT];
    nysx_item_count_t count[NYSX_MERGE_RECENT];
};

/* Merges equal codes in a table with one place per code: on a conflict, the old entry moves to the list. At the end, the whole table
 * is swept into the list. Returns the length of the list. A place holds the code counted last there, so only the counts depend
 * on earlier iterations. */
static int32_t merge_codes(int32_t nodes, uint32_t code_list[NYSX_PASSES * NYSX_LIST_HOP], uint32_t item_code[NYSX_ITEMS],
                           nysx_item_count_t item_count[NYSX_ITEMS])
{
    static uint32_t table_code[NYSX_MERGE_PLACES];
    static nysx_item_count_t table_count[NYSX_MERGE_PLACES]; /* 0 between graphs */
    NYSX_DEPENDENCE_TABLE_CODE
    NYSX_DEPENDENCE_TABLE_COUNT
    struct recent recent;
    int32_t items = 0, begin = 0, v = 0, swept = 0; /* begin: the hop's first code */
NYSX_LABEL(nee_forget)
    for (int32_t d = 0; d < NYSX_MERGE_RECENT; d++) {
        NYSX_UNROLL_NEE_FORGET
        recent.place[d] = -1;
        recent.code[d] = 0;
        recent.count[d] = 0;
    }
NYSX_LABEL(nee_merge)
    for (int32_t k = 0; k < NYSX_PASSES * nodes + NYSX_MERGE_PLACES; k++) {
        NYSX_PIPELINE_NEE_MERGE
        NYSX_LOOP_TRIPCOUNT_NEE_MERGE
        NYSX_TALLY(table_steps, 1);
        nysx_bit_t sweeps = k >= NYSX_PASSES * nodes, ends = v == nodes - 1;
        uint32_t code = code_list[sweeps ? 0 : begin + v];
        int32_t place = sweeps ? swept : (int32_t)(code % NYSX_MERGE_PLACES);
        uint32_t holder = table_code[place];
        nysx_item_count_t held = table_count[place];
        for (int32_t d = NYSX_MERGE_RECENT - 1; d >= 0; d--) {
            holder = recent.place[d] == place ? recent.code[d] : holder;
            held = recent.place[d] == place ? recent.count[d] : held;
        }
        nysx_bit_t same = !sweeps && holder == code;
        if (!same && held > 0) {
            item_code[items] = holder;
            item_count[items] = held;
            items++;
        }
        nysx_item_count_t count = (nysx_item_count_t)(sweeps ? 0 : same ? held + 1 : 1);
        table_code[place] = code;
        table_count[place] = count;
        for (int32_t d = NYSX_MERGE_RECENT - 1; d > 0; d--) {
            recent.place[d] = recent.place[d - 1];
            recent.code[d] = recent.code[d - 1];
            recent.count[d] = recent.count[d - 1];
        }
        recent.place[0] = place;
        recent.code[0] = code;
        recent.count[0] = count;
        swept += sweeps;
        begin += ends ? NYSX_LIST_HOP : 0;
        v = ends ? 0 : v + 1;
    }
    return items;
}
#else
typedef int32_t counts_t; /* number of valid codes in a word, each counted once */

static int32_t added(uint32_t signs[NYSX_NEE_CODES][WORDS_PER_TRIP], const counts_t there, int32_t lane)
{
    int32_t ones = 0;
    for (int32_t c = 0; c < NYSX_NEE_CODES; c++)
        ones += c < there ? (int32_t)(signs[c][lane / 32] >> (lane % 32) & 1) : 0;
    return 2 * ones - there;
}
#endif

/* One cycle of the lanes: the codes of one word. */
static void add_signs(uint32_t signs[NYSX_NEE_CODES][WORDS_PER_TRIP], const counts_t counts, int32_t trip, nysx_bit_t first,
                      int32_t sums[NYSX_NEE_LANES])
{
NYSX_LABEL(nee_lanes)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        NYSX_UNROLL_NEE_LANES
        int32_t more = added(signs, counts, l); /* computed before the sum: the loop-carried path has one addition */
        int32_t sum = (first ? start_of(trip, l) : sums[l]) + more;
        sums[l] = (int32_t)((uint32_t)sum << (32 - NYSX_SUM_BITS)) >> (32 - NYSX_SUM_BITS);
    }
}

#if NYSX_NEE_TABLE != NYSX_NEE_TABLE_NONE
int64_t nysx_code_sums[NYSX_CLASSES]; /* class 0: always 0 */

/* Weight of a class other than 0 at the code's table place (its highest bits). The weights of class 0 are zero. Two codes per cycle share a copy. */
static int32_t weight_of(uint32_t code, int32_t c, int32_t class_index)
{
    return nysx_code_weights[c / 2][code >> (32 - NYSX_TABLE_BITS)][class_index - 1];
}

/* One cycle of the table, in the lanes' first round: weights of a word's codes, times `counts`. */
static void add_weights(const uint32_t codes[NYSX_NEE_CODES], const int32_t counts[NYSX_NEE_CODES], nysx_bit_t first)
{
NYSX_LABEL(nee_classes)
    for (int32_t k = 1; k < NYSX_CLASSES; k++) {
        NYSX_UNROLL_NEE_CLASSES
        int64_t more = 0;
        for (int32_t c = 0; c < NYSX_NEE_CODES; c++)
            more += (int64_t)counts[c] * weight_of(codes[c], c, k);
        nysx_code_sums[k] = (first ? 0 : nysx_code_sums[k]) + more;
    }
}
#endif

void nysx_encode(int32_t nodes, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS] NYSX_AND_PARAMETERS_LIST)
{
    int32_t direct_sums[NYSX_NEE_LANES];
    NYSX_ARRAY_PARTITION_DIRECT_SUMS
#if NYSX_NEE_CENTER == NYSX_NEE_CENTER_YES
    NYSX_ARRAY_PARTITION_START
#endif
#if NYSX_NEE_TABLE != NYSX_NEE_TABLE_NONE
    NYSX_ARRAY_PARTITION_CODE_SUMS
    NYSX_ARRAY_PARTITION_CODE_WEIGHTS
#endif
#if NYSX_NEE_MERGE != NYSX_NEE_MERGE_NONE
    NYSX_LOCAL uint32_t item_code[NYSX_ITEMS];
    NYSX_LOCAL nysx_item_count_t item_count[NYSX_ITEMS];
    NYSX_ARRAY_PARTITION_ITEM_CODE
    NYSX_ARRAY_PARTITION_ITEM_COUNT
    int32_t listed = merge_codes(nodes, code_list, item_code, item_count), lists = 1;
#else
    int32_t listed = nodes, lists = NYSX_PASSES; /* one per pass */
#endif
    int32_t words = listed > 0 ? (listed + NYSX_NEE_CODES - 1) / NYSX_NEE_CODES : 1;
    int32_t trip = 0, hop = 0, w = 0, begin = 0; /* begin: the hop's first code */
NYSX_LABEL(nee_codes)
    for (int32_t k = 0; k < NYSX_NEE_TRIPS * lists * words; k++) {
        NYSX_PIPELINE_NEE_CODES
        NYSX_LOOP_TRIPCOUNT_NEE_CODES
        uint32_t direct_signs[NYSX_NEE_CODES][WORDS_PER_TRIP];
        NYSX_ARRAY_PARTITION_DIRECT_SIGNS
        int32_t left = listed - w * NYSX_NEE_CODES;
        nysx_bit_t wraps = w == words - 1, ends = wraps && hop == lists - 1;
#if NYSX_NEE_MERGE != NYSX_NEE_MERGE_NONE
        nysx_item_count_t direct_counts[NYSX_NEE_CODES];
        NYSX_ARRAY_PARTITION_DIRECT_COUNTS
        for (int32_t c = 0; c < NYSX_NEE_CODES; c++) {
            signs_of(item_code[w * NYSX_NEE_CODES + c], trip, direct_signs[c]);
            direct_counts[c] = (nysx_item_count_t)(c < left ? item_count[w * NYSX_NEE_CODES + c] : 0);
        }
#else
        counts_t direct_counts = left < NYSX_NEE_CODES ? left : NYSX_NEE_CODES;
        for (int32_t c = 0; c < NYSX_NEE_CODES; c++)
            signs_of(code_list[begin + w * NYSX_NEE_CODES + c], trip, direct_signs[c]);
#endif
#if NYSX_NEE_TABLE != NYSX_NEE_TABLE_NONE
        uint32_t weighed_codes[NYSX_NEE_CODES];
        int32_t weighed_counts[NYSX_NEE_CODES];
        NYSX_ARRAY_PARTITION_WEIGHED_CODES
        NYSX_ARRAY_PARTITION_WEIGHED_COUNTS
        for (int32_t c = 0; c < NYSX_NEE_CODES; c++) {
#if NYSX_NEE_MERGE != NYSX_NEE_MERGE_NONE
            weighed_codes[c] = item_code[w * NYSX_NEE_CODES + c];
            weighed_counts[c] = trip == 0 ? (int32_t)direct_counts[c] : 0;
#else
            weighed_codes[c] = code_list[begin + w * NYSX_NEE_CODES + c];
            weighed_counts[c] = trip == 0 && c < left;
#endif
        }
        add_weights(weighed_codes, weighed_counts, trip == 0 && w == 0 && hop == 0);
#endif
        add_signs(direct_signs, direct_counts, trip, w == 0 && hop == 0, direct_sums);
        if (ends)
            for (int32_t l = 0; l < NYSX_NEE_LANES; l++)
                hypervector[trip * NYSX_NEE_LANES + l] = direct_sums[l] >= 0;
        trip += ends;
        hop = ends ? 0 : hop + wraps;
        begin = ends ? 0 : wraps ? begin + NYSX_LIST_HOP : begin;
        w = wraps ? 0 : w + 1;
        NYSX_TALLY(nee_steps, 1);
    }
}
