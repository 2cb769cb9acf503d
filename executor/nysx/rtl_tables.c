/* Tables of the RTL: hashes and codebook (nysx_mphe_lane.sv), landmark histograms (nysx_kse.sv, nysx_hue.sv), and what
 * the projection needs (nysx_phi.sv, nysx_generator.sv, nysx_resident.sv). */
#include <string.h>

#include "executor/nysx/rtl.h"

#define FOLD_BITS 15 /* of a part of the hash that one product folds */

/* A level of `k` words from word `first` on; nothing is behind the last. */
static void put_level(struct nysx_rtl_writer *w, size_t table, size_t row, uint64_t k, uint64_t first, bool last,
                      size_t k_bits, size_t address_bits)
{
    size_t y_bits = k_bits + 17, at = address_bits;
    uint64_t fold = 1;
    dse_rtl_put(w->out, table, row, 0, address_bits, first);
    dse_rtl_put(w->out, table, row, at, k_bits, k);
    for (int i = 0; i < 3; i++) {
        at += k_bits;
        fold = (fold << FOLD_BITS) % k;
        dse_rtl_put(w->out, table, row, at, k_bits, fold);
    }
    at += k_bits;
    dse_rtl_put(w->out, table, row, at, y_bits + 1, ((uint64_t)1 << y_bits) / k);
    dse_rtl_put(w->out, table, row, at + y_bits + 1, 1, last);
}

static void add_levels(struct nysx_rtl_writer *w, size_t levels, size_t words)
{
    size_t hops = nysx_rtl_number(w, "hops"), deepest = nysx_rtl_number(w, "MPH_LEVELS");
    const uint32_t *begin = nysx_rtl_values(w, "mph_level_begin"), *count = nysx_rtl_values(w, "mph_levels");
    uint64_t largest = 1;
    for (size_t t = 0; t < hops; t++)
        for (size_t l = 0; l < count[t]; l++) {
            const uint32_t *level = &begin[t * (deepest + 1) + l];
            largest = level[1] - level[0] > largest ? level[1] - level[0] : largest;
        }
    size_t k_bits = nysx_rtl_bits(largest), address_bits = nysx_rtl_bits(words - 1);
    dse_rtl_whole(w->out, "MPH_K_BITS", k_bits, "bits of a level's words");
    size_t table = dse_rtl_table(w->out, "mph_levels", 1 + (k_bits + 17) + 1 + 4 * k_bits + address_bits, hops * levels);
    for (size_t t = 0; t < hops; t++)
        for (size_t l = 0; l < levels; l++) {
            const uint32_t *level = &begin[t * (deepest + 1) + l];
            bool there = l < count[t]; /* an empty codebook has one level, of the word of zeros behind the last */
            put_level(w, table, t * levels + l, there ? level[1] - level[0] : 1, there ? level[0] : words - 1,
                      l + 1 >= count[t], k_bits, address_bits);
        }
}

void nysx_rtl_add_hashes(struct nysx_rtl_writer *w)
{
    size_t hops = nysx_rtl_number(w, "hops"), levels = nysx_rtl_number(w, "MPH_LEVELS");
    size_t words = nysx_rtl_number(w, "MPH_WORDS") + 1, codes = nysx_rtl_number(w, "CODEBOOK_TOTAL");
    size_t rank_bits = nysx_rtl_number(w, "MPH_RANK_BITS"), bin_bits = nysx_rtl_number(w, "BIN_BITS");
    const uint64_t *seed = nysx_rtl_values(w, "mph_seed"), *word = nysx_rtl_values(w, "mph_words");
    const uint32_t *rank = nysx_rtl_values(w, "mph_rank");
    const int32_t *code = nysx_rtl_values(w, "codebook_code"), *bin = nysx_rtl_values(w, "codebook_bin");
    levels = levels > 0 ? levels : 1;
    dse_rtl_whole(w->out, "MPHE_LOOKUPS", nysx_rtl_number(w, "mphe.lookups"), "lanes of the MPHE");
    dse_rtl_whole(w->out, "MPH_LEVELS", levels, "levels of the deepest hash");
    dse_rtl_whole(w->out, "MPH_WORDS", words, "64-bit words of all levels, and one of zeros");
    dse_rtl_whole(w->out, "MPH_RANK_BITS", rank_bits, "bits of a rank");
    dse_rtl_whole(w->out, "CODEBOOK_TOTAL", codes, "codes of all hops");
    dse_rtl_whole(w->out, "CODE_BITS", 32, "bits of a stored code");
    dse_rtl_whole(w->out, "BIN_BITS", bin_bits, "bits of a bin's index");
    dse_rtl_text(w->out, "PLACE_CODEBOOK", nysx_rtl_style(w, "place.codebook"), "memory of the codebook");
    add_levels(w, levels, words);
    size_t table = dse_rtl_table(w->out, "mph_seeds", 64, hops);
    for (size_t t = 0; t < hops; t++)
        dse_rtl_put(w->out, table, t, 0, 64, seed[t]);
    table = dse_rtl_table(w->out, "mph_words", rank_bits + 64, words);
    for (size_t i = 0; i + 1 < words; i++) {
        dse_rtl_put(w->out, table, i, 0, 64, word[i]);
        dse_rtl_put(w->out, table, i, 64, rank_bits, rank[i]);
    }
    table = dse_rtl_table(w->out, "codebook", bin_bits + 32, codes);
    for (size_t i = 0; i < codes; i++) {
        dse_rtl_put(w->out, table, i, 0, 32, (uint32_t)code[i]);
        dse_rtl_put(w->out, table, i, 32, bin_bits, (uint32_t)bin[i]);
    }
}

/* The histograms by turns: a word has an entry of each element. Turns of rows without entries are left out. */
struct turns {
    size_t pe, hops, iterations, bank, landmarks;
    size_t entry_bits, bin_bits, factor_bits, row_bits;
    const uint32_t *begin, *order, *narrow;
    const uint64_t *wide;
};

static uint64_t entry_at(const struct turns *s, size_t p, size_t at)
{
    return s->wide != NULL ? s->wide[p * s->bank + at] : s->narrow[p * s->bank + at];
}

static size_t row_length(const struct turns *s, size_t p, size_t slot, size_t *first)
{
    const uint32_t *begin = &s->begin[p * (s->hops * s->iterations + 1) + slot];
    *first = begin[0];
    return begin[1] - begin[0];
}

/* Words of one turn; 0: none of its rows has an entry. */
static size_t turn_length(const struct turns *s, size_t slot)
{
    size_t longest = 0, first;
    for (size_t p = 0; p < s->pe; p++) {
        size_t length = row_length(s, p, slot, &first);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void put_turn(struct nysx_rtl_writer *w, const struct turns *s, size_t slot, size_t entries, size_t word, size_t rows,
                     size_t turn)
{
    size_t longest = turn_length(s, slot), slots = s->hops * s->iterations, first;
    uint64_t bins = ((uint64_t)1 << s->bin_bits) - 1;
    for (size_t p = 0; p < s->pe; p++) {
        size_t length = row_length(s, p, slot, &first);
        for (size_t e = 0; e < length; e++) {
            uint64_t entry = entry_at(s, p, first + e);
            dse_rtl_put(w->out, entries, word + e, p * s->entry_bits, s->bin_bits, entry & bins);
            dse_rtl_put(w->out, entries, word + e, p * s->entry_bits + s->bin_bits, s->factor_bits, entry >> s->bin_bits);
        }
        dse_rtl_put(w->out, rows, turn, p * s->row_bits, s->row_bits, s->order[p * slots + slot]);
    }
    dse_rtl_put(w->out, entries, word + longest - 1, s->pe * s->entry_bits, 1, 1);
}

static void add_turns(struct nysx_rtl_writer *w, const struct turns *s)
{
    size_t turns = 0, words = 0;
    for (size_t slot = 0; slot < s->hops * s->iterations; slot++) {
        turns += turn_length(s, slot) > 0;
        words += turn_length(s, slot);
    }
    turns = turns > 0 ? turns : 1; /* a memory has a word */
    words = words > 0 ? words : 1;
    size_t at_bits = nysx_rtl_bits(words), turn_bits = nysx_rtl_bits(turns), turn = 0, word = 0;
    dse_rtl_whole(w->out, "KSE_WORDS", words, "words of the landmark histograms: cycles of the KSE");
    dse_rtl_whole(w->out, "KSE_TURNS", turns, "turns over the landmarks' rows, all hops");
    size_t entries = dse_rtl_table(w->out, "kse_entries", s->pe * s->entry_bits + 1, words);
    size_t rows = dse_rtl_table(w->out, "kse_rows", s->pe * s->row_bits, turns);
    size_t hops = dse_rtl_table(w->out, "kse_hops", turn_bits + at_bits, s->hops + 1);
    for (size_t slot = 0; slot <= s->hops * s->iterations; slot++) {
        if (slot % s->iterations == 0) {
            dse_rtl_put(w->out, hops, slot / s->iterations, 0, at_bits, word);
            dse_rtl_put(w->out, hops, slot / s->iterations, at_bits, turn_bits, turn);
        }
        if (slot == s->hops * s->iterations || turn_length(s, slot) == 0)
            continue;
        put_turn(w, s, slot, entries, word, rows, turn++);
        word += turn_length(s, slot);
    }
}

void nysx_rtl_add_histograms(struct nysx_rtl_writer *w)
{
    struct turns s = {.pe = nysx_rtl_number(w, "kse.pe"), .hops = nysx_rtl_number(w, "hops"),
                      .iterations = nysx_rtl_number(w, "H_ITERATIONS"), .bank = nysx_rtl_number(w, "H_BANK_ENTRIES"),
                      .landmarks = nysx_rtl_number(w, "landmarks"), .bin_bits = nysx_rtl_number(w, "BIN_BITS"),
                      .factor_bits = nysx_rtl_number(w, "H_COUNT_BITS"), .begin = nysx_rtl_values(w, "h_row_begin"),
                      .order = nysx_rtl_values(w, "h_order")};
    s.entry_bits = s.bin_bits + s.factor_bits;
    s.row_bits = nysx_rtl_bits(s.landmarks);
    if (s.entry_bits > 32)
        s.wide = nysx_rtl_values(w, "h_entries");
    else
        s.narrow = nysx_rtl_values(w, "h_entries");
    const uint32_t *size = nysx_rtl_values(w, "codebook_size");
    size_t histogram = nysx_rtl_number(w, "HISTOGRAM_WORDS");
    dse_rtl_whole(w->out, "LANDMARKS", s.landmarks, "landmarks s");
    dse_rtl_whole(w->out, "HUE_PE", nysx_rtl_number(w, "hue.pe"), "elements of the HUE");
    dse_rtl_whole(w->out, "KSE_PE", s.pe, "elements of the KSE");
    dse_rtl_whole(w->out, "HISTOGRAM_WORDS", histogram, "words of two bins");
    dse_rtl_whole(w->out, "COUNT_BITS", nysx_rtl_bits(nysx_rtl_number(w, "MAX_NODES")), "bits of a bin's count");
    dse_rtl_whole(w->out, "H_COUNT_BITS", s.factor_bits, "bits of a count in H");
    dse_rtl_whole(w->out, "KERNEL_BITS", nysx_rtl_bits(nysx_rtl_number(w, "KERNEL_MAX")), "bits of an element of C");
    dse_rtl_text(w->out, "PLACE_H", nysx_rtl_style(w, "place.h"), "memory of the landmark histograms");
    size_t sizes = dse_rtl_table(w->out, "hue_words", nysx_rtl_bits(histogram), s.hops);
    for (size_t t = 0; t < s.hops; t++)
        dse_rtl_put(w->out, sizes, t, 0, nysx_rtl_bits(histogram), (size[t] + 1) / 2);
    add_turns(w, &s);
}

/* Bits of a sum of `terms` products of numbers of at most `a` and `b`, with its sign. */
static size_t sum_bits(uint64_t terms, uint64_t a, uint64_t b)
{
    return 1 + nysx_rtl_bits(terms) + nysx_rtl_bits(a) + nysx_rtl_bits(b);
}

static void add_factored(struct nysx_rtl_writer *w)
{
    struct dse_rtl *out = w->out;
    size_t rank = nysx_rtl_number(w, "RANK"), bits = nysx_rtl_number(w, "PHI_BITS");
    size_t lanes = nysx_rtl_number(w, "PHI_LANES");
    bool signs = nysx_rtl_says(w, "nee.generator", "sign");
    const uint32_t *map = nysx_rtl_values(w, "phi_map"), *scale = nysx_rtl_values(w, "phi_scale");
    const uint64_t *seed = nysx_rtl_values(w, "generator_seed");
    uint64_t most = ((uint64_t)1 << (bits - 1)) - 1;
    dse_rtl_whole(out, "RANK", rank, "rank r of the landmark kernel");
    dse_rtl_whole(out, "PHI_LANES", lanes, "lanes of single precision that make phi");
    dse_rtl_whole(out, "PHI_BITS", bits, "bits of an element of phi");
    dse_rtl_word(out, "PHI_SCALE", 32, *scale, "what an element of phi is divided by");
    dse_rtl_flag(out, "GENERATOR_SIGNS", signs, "entries of P_rp are signs");
    dse_rtl_flag(out, "GENERATOR_COUNTED", nysx_rtl_says(w, "nee.generator", "bits8"), "entries are counts of ones less 4");
    dse_rtl_word(out, "GENERATOR_SEED", 64, *seed, "seed of the generators of P_rp");
    dse_rtl_whole(out, "NEE_SUM_BITS", sum_bits(rank, most, signs ? 1 : 128), "bits of a row's sum");
    dse_rtl_whole(out, "P_BITS", 1, "not of this form");
    dse_rtl_whole(out, "P_RESIDENT_WORDS", 1, "not of this form");
    size_t words = nysx_rtl_number(w, "PHI_GROUPS") * nysx_rtl_number(w, "landmarks") * NYSX_RTL_PHI_TURN;
    size_t table = dse_rtl_table(out, "phi_map", 32 * lanes, words);
    for (size_t i = 0; i < words * lanes; i++)
        dse_rtl_put(out, table, i / lanes, i % lanes * 32, 32, map[i]);
}

static void add_resident(struct nysx_rtl_writer *w)
{
    struct dse_rtl *out = w->out;
    size_t bits = nysx_rtl_number(w, "P_BITS"), words = nysx_rtl_number(w, "P_RESIDENT_WORDS");
    size_t parts = nysx_rtl_number(w, "P_RESIDENT_PARTS"), lanes = nysx_rtl_number(w, "nee.lanes");
    const uint32_t *p = nysx_rtl_values(w, "p_resident");
    uint64_t largest = bits == 1 ? 1 : (uint64_t)1 << (bits - 1);
    uint64_t value = ((uint64_t)1 << nysx_rtl_bits(nysx_rtl_number(w, "KERNEL_MAX"))) - 1;
    dse_rtl_whole(out, "P_BITS", bits, "bits of an element of P_nys");
    dse_rtl_whole(out, "P_RESIDENT_WORDS", words, "words of P_nys, an element a lane");
    dse_rtl_whole(out, "NEE_SUM_BITS", sum_bits(nysx_rtl_number(w, "landmarks"), value, largest), "bits of a row's sum");
    dse_rtl_whole(out, "RANK", 1, "not of this form");
    dse_rtl_whole(out, "PHI_LANES", 1, "not of this form");
    dse_rtl_whole(out, "PHI_BITS", 8, "not of this form");
    dse_rtl_word(out, "PHI_SCALE", 32, 0, "not of this form");
    dse_rtl_flag(out, "GENERATOR_SIGNS", true, "not of this form");
    dse_rtl_flag(out, "GENERATOR_COUNTED", false, "not of this form");
    dse_rtl_word(out, "GENERATOR_SEED", 64, 0, "not of this form");
    size_t table = dse_rtl_table(out, "p_resident", lanes * bits, words);
    for (size_t word = 0; word < words; word++)
        for (size_t b = 0; b < lanes * bits; b++)
            dse_rtl_put(out, table, word, b, 1, p[word * parts + b / 32] >> b % 32 & 1);
}

void nysx_rtl_add_projection(struct nysx_rtl_writer *w)
{
    bool factored = nysx_rtl_says(w, "nee.form", "factored"), centered = nysx_rtl_says(w, "nee.center", "yes");
    size_t landmarks = nysx_rtl_number(w, "landmarks");
    dse_rtl_whole(w->out, "DIM", nysx_rtl_number(w, "dim"), "hypervector dimension d");
    dse_rtl_whole(w->out, "NEE_LANES", nysx_rtl_number(w, "nee.lanes"), "lanes of the NEE");
    dse_rtl_whole(w->out, "NEE_GROUPS", nysx_rtl_number(w, "NEE_GROUPS"), "groups of rows");
    dse_rtl_whole(w->out, "NEE_FORM", factored ? 2 : 1, "1 resident, 2 factored");
    dse_rtl_flag(w->out, "CENTERED", centered, "the training mean is taken off C");
    if (factored)
        add_factored(w);
    else
        add_resident(w);
    if (!centered)
        return;
    const int32_t *center = nysx_rtl_values(w, "center");
    size_t table = dse_rtl_table(w->out, "center", 32, landmarks);
    for (size_t j = 0; j < landmarks; j++)
        dse_rtl_put(w->out, table, j, 0, 32, (uint32_t)center[j]);
}
