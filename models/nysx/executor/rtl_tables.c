/* Tables of the RTL: hashes and codebook (nysx_mphe_lane.sv), landmark histograms (nysx_kse.sv, nysx_hue.sv), and tables of
 * the projection (nysx_phi.sv, nysx_generator.sv, nysx_resident.sv, nysx_streamed.sv). */

#include "models/nysx/executor/rtl.h"
#include "models/nysx/executor/sce.h"
#include "models/nysx/nysx.h"

/* Words of a level; the levels of all hops are in sequence. */
static size_t level_words(const struct nysx_rtl_writer *w, size_t t, size_t l)
{
    const uint32_t *bits = nysx_rtl_values(w, "mph_level_bits"), *count = nysx_rtl_values(w, "mph_levels");
    return l < count[t] ? bits[t * (size_t)w->layout->mph_levels + l] / 64 : 0;
}

static size_t all_words(const struct nysx_rtl_writer *w)
{
    size_t sum = 0, hops = (size_t)w->layout->passes, levels = (size_t)w->layout->mph_levels;
    for (size_t row = 0; row < hops * levels; row++)
        sum += level_words(w, row / levels, row % levels);
    return sum;
}

/* Per level: its size, its first word, and whether it is the last. */
static void add_levels(struct nysx_rtl_writer *w, size_t levels, size_t words)
{
    size_t hops = (size_t)w->layout->passes, largest = 1, first = 0;
    const uint32_t *count = nysx_rtl_values(w, "mph_levels");
    for (size_t row = 0; row < hops * levels; row++) {
        size_t here = level_words(w, row / levels, row % levels);
        largest = here > largest ? here : largest;
    }
    size_t k_bits = nysx_rtl_bits(largest), address_bits = nysx_rtl_bits(words - 1);
    dse_rtl_whole(w->out, "MPH_K_BITS", k_bits, "bits of a level's words");
    size_t table = dse_rtl_table(w->out, "mph_levels", 1 + k_bits + address_bits, hops * levels);
    for (size_t row = 0; row < hops * levels; row++) {
        size_t t = row / levels, l = row % levels, here = level_words(w, t, l);
        bool there = l < count[t]; /* an empty codebook has one level, the word of zeros after the last level */
        dse_rtl_put(w->out, table, row, 0, address_bits, there ? first : words - 1);
        dse_rtl_put(w->out, table, row, address_bits, k_bits, there ? here : 1);
        dse_rtl_put(w->out, table, row, address_bits + k_bits, 1, l + 1 >= count[t]);
        first += here;
    }
}

/* The levels' words with their ranks. */
static void add_words(struct nysx_rtl_writer *w, size_t words, size_t rank_bits)
{
    size_t hops = (size_t)w->layout->passes, levels = (size_t)w->layout->mph_levels, at = 0;
    size_t room = (size_t)w->layout->mph_level_words, table = dse_rtl_table(w->out, "mph_words", rank_bits + 64, words);
    const uint64_t *word = nysx_rtl_values(w, "mph_words");
    const uint32_t *rank = nysx_rtl_values(w, "mph_rank"), *begin = nysx_rtl_values(w, "mph_level_begin");
    for (size_t row = 0; row < hops * levels; row++)
        for (size_t i = 0; i < level_words(w, row / levels, row % levels); i++, at++) {
            size_t from = row % levels * room + begin[row] + i;
            dse_rtl_put(w->out, table, at, 0, 64, word[from]);
            dse_rtl_put(w->out, table, at, 64, rank_bits, rank[from]);
        }
}

void nysx_rtl_add_hashes(struct nysx_rtl_writer *w)
{
    size_t hops = (size_t)w->layout->passes, levels = (size_t)w->layout->mph_levels;
    size_t words = all_words(w) + 1, codes = (size_t)w->layout->codebook_total;
    size_t rank_bits = (size_t)w->layout->mph_rank_bits, bin_bits = (size_t)w->layout->bin_bits;
    const uint64_t *seed = nysx_rtl_values(w, "mph_seed");
    size_t code_bits = (size_t)w->layout->code_bits;
    const int32_t *bin = nysx_rtl_values(w, "codebook_bin");
    const uint32_t *code = nysx_rtl_values(w, "codebook_code"); /* [codes] of 32 bits, for tuples of 64 */
    const uint64_t *wide = nysx_rtl_values(w, "codebook_code");
    levels = levels > 0 ? levels : 1;
    dse_rtl_whole(w->out, "MPHE_LOOKUPS", (size_t)w->config->value[NYSX_MPHE_LOOKUPS], "lanes of the MPHE");
    dse_rtl_whole(w->out, "MPH_LEVELS", levels, "levels of the deepest hash");
    dse_rtl_whole(w->out, "MPH_WORDS", words, "64-bit words of all levels, and one of zeros");
    dse_rtl_whole(w->out, "MPH_RANK_BITS", rank_bits, "bits of a rank");
    dse_rtl_whole(w->out, "CODEBOOK_TOTAL", codes, "codes of all hops");
    dse_rtl_whole(w->out, "CODE_BITS", code_bits, "bits of a stored code");
    dse_rtl_whole(w->out, "BIN_BITS", bin_bits, "bits of a bin's index");
    dse_rtl_text(w->out, "PLACE_CODEBOOK", nysx_rtl_style(w->config, NYSX_PLACE_CODEBOOK), "memory of the codebook");
    add_levels(w, levels, words);
    size_t table = dse_rtl_table(w->out, "mph_seeds", 64, hops);
    for (size_t t = 0; t < hops; t++)
        dse_rtl_put(w->out, table, t, 0, 64, seed[t]);
    add_words(w, words, rank_bits);
    table = dse_rtl_table(w->out, "codebook", bin_bits + code_bits, codes);
    for (size_t i = 0; i < codes; i++) {
        dse_rtl_put(w->out, table, i, 0, code_bits, code_bits == 64 ? wide[i] : code[i]);
        dse_rtl_put(w->out, table, i, code_bits, bin_bits, (uint32_t)bin[i]);
    }
}

/* The histograms by rounds; a word has an entry per element. Rounds of rows without entries are omitted. */
struct trips {
    size_t pe, hops, slots, landmarks;
    size_t entry_bits, bin_bits, factor_bits, row_bits;
    const uint32_t *begin, *place, *narrow;
    const uint64_t *wide;
};

static uint64_t entry_at(const struct trips *s, size_t p, size_t slot)
{
    return s->wide != NULL ? s->wide[p * s->slots + slot] : s->narrow[p * s->slots + slot];
}

/* Slots of the round that begins at slot `first`; `any`: whether one of its rows has an entry. */
static size_t trip_length(const struct trips *s, size_t first, bool *any)
{
    size_t length = 0;
    bool last = false;
    *any = false;
    for (; !last; length++) {
        last = entry_at(s, 0, first + length) >> s->entry_bits & 1;
        for (size_t p = 0; p < s->pe; p++)
            *any = *any || (entry_at(s, p, first + length) >> s->bin_bits & (((uint64_t)1 << s->factor_bits) - 1)) != 0;
    }
    return length;
}

/* The row that an element has in a round of a hop; `landmarks` for none. */
static size_t row_at(const struct trips *s, size_t hop, size_t place)
{
    for (size_t row = 0; row < s->landmarks; row++)
        if (s->place[hop * s->landmarks + row] == place)
            return row;
    return s->landmarks;
}

/* Counts rounds and words that are not omitted. */
static void count_trips(const struct trips *s, size_t *trips, size_t *words)
{
    *trips = *words = 0;
    for (size_t slot = 0; slot < s->begin[s->hops];) {
        bool any;
        size_t length = trip_length(s, slot, &any);
        *trips += any;
        *words += any ? length : 0;
        slot += length;
    }
    *trips = *trips > 0 ? *trips : 1; /* a memory has at least one word */
    *words = *words > 0 ? *words : 1;
}

/* Tables of the rounds, and the next round's place. */
struct trip_tables {
    size_t entries, rows, hops, trip, word;
};

static void put_trip(struct nysx_rtl_writer *w, const struct trips *s, size_t first, size_t length, struct trip_tables *at)
{
    uint64_t bins = ((uint64_t)1 << s->bin_bits) - 1, factors = ((uint64_t)1 << s->factor_bits) - 1;
    for (size_t e = 0; e < length; e++)
        for (size_t p = 0; p < s->pe; p++) {
            uint64_t entry = entry_at(s, p, first + e);
            dse_rtl_put(w->out, at->entries, at->word + e, p * s->entry_bits, s->bin_bits, entry & bins);
            dse_rtl_put(w->out, at->entries, at->word + e, p * s->entry_bits + s->bin_bits, s->factor_bits,
                        entry >> s->bin_bits & factors);
        }
    dse_rtl_put(w->out, at->entries, at->word + length - 1, s->pe * s->entry_bits, 1, 1);
}

static void add_trips(struct nysx_rtl_writer *w, const struct trips *s)
{
    size_t trips, words;
    count_trips(s, &trips, &words);
    size_t at_bits = nysx_rtl_bits(words), trip_bits = nysx_rtl_bits(trips);
    dse_rtl_whole(w->out, "KSE_WORDS", words, "words of the landmark histograms: cycles of the KSE");
    dse_rtl_whole(w->out, "KSE_TRIPS", trips, "iterations over the landmarks' rows, all hops");
    struct trip_tables at = {.entries = dse_rtl_table(w->out, "kse_entries", s->pe * s->entry_bits + 1, words)};
    at.rows = dse_rtl_table(w->out, "kse_rows", s->pe * s->row_bits, trips);
    at.hops = dse_rtl_table(w->out, "kse_hops", trip_bits + at_bits, s->hops + 1);
    for (size_t t = 0; t <= s->hops; t++) {
        dse_rtl_put(w->out, at.hops, t, 0, at_bits, at.word);
        dse_rtl_put(w->out, at.hops, t, at_bits, trip_bits, at.trip);
        size_t place = 0, end = t < s->hops ? s->begin[t + 1] : 0;
        for (size_t slot = t < s->hops ? s->begin[t] : 0; slot < end; place += s->pe) {
            bool any;
            size_t length = trip_length(s, slot, &any);
            for (size_t p = 0; any && p < s->pe; p++)
                dse_rtl_put(w->out, at.rows, at.trip, p * s->row_bits, s->row_bits, row_at(s, t, place + p));
            if (any)
                put_trip(w, s, slot, length, &at);
            at.word += any ? length : 0;
            at.trip += any;
            slot += length;
        }
    }
}

void nysx_rtl_add_histograms(struct nysx_rtl_writer *w)
{
    struct trips s = {.pe = (size_t)w->config->value[NYSX_KSE_PE], .hops = (size_t)w->layout->passes,
                      .slots = (size_t)w->layout->h_slots,
                      .landmarks = (size_t)w->config->value[NYSX_LANDMARKS], .bin_bits = (size_t)w->layout->bin_bits,
                      .factor_bits = (size_t)w->layout->h_count_bits, .begin = nysx_rtl_values(w, "h_begin"),
                      .place = nysx_rtl_values(w, "h_place")};
    s.entry_bits = s.bin_bits + s.factor_bits;
    s.row_bits = nysx_rtl_bits(s.landmarks);
    if (s.entry_bits >= 32) /* one more bit marks the end of a round */
        s.wide = nysx_rtl_values(w, "h_entries");
    else
        s.narrow = nysx_rtl_values(w, "h_entries");
    const uint32_t *size = nysx_rtl_values(w, "codebook_size");
    size_t histogram = (size_t)w->layout->histogram_words;
    dse_rtl_whole(w->out, "LANDMARKS", s.landmarks, "landmarks s");
    dse_rtl_whole(w->out, "HUE_PE", (size_t)w->config->value[NYSX_HUE_PE], "elements of the HUE");
    dse_rtl_whole(w->out, "KSE_PE", s.pe, "elements of the KSE");
    dse_rtl_whole(w->out, "HISTOGRAM_WORDS", histogram, "words of two bins");
    dse_rtl_whole(w->out, "COUNT_BITS", nysx_rtl_bits((size_t)w->layout->max_nodes), "bits of a bin's count");
    dse_rtl_whole(w->out, "H_COUNT_BITS", s.factor_bits, "bits of a count in H");
    dse_rtl_whole(w->out, "KERNEL_BITS", nysx_rtl_bits((size_t)w->layout->kernel_max), "bits of an element of C");
    dse_rtl_text(w->out, "PLACE_H", nysx_rtl_style(w->config, NYSX_PLACE_H), "memory of the landmark histograms");
    size_t sizes = dse_rtl_table(w->out, "hue_words", nysx_rtl_bits(histogram), s.hops);
    for (size_t t = 0; t < s.hops; t++)
        dse_rtl_put(w->out, sizes, t, 0, nysx_rtl_bits(histogram), (size[t] + 1) / 2);
    add_trips(w, &s);
}

/* Adds sizes of 1 for modules of other forms. */
static void add_absent(struct nysx_rtl_writer *w, const char *const *names)
{
    for (; *names != NULL; names++)
        dse_rtl_whole(w->out, *names, 1, "not of this form");
}

/* Bits, with sign, of a sum of `terms` products of numbers up to `a` and `b`. */
static size_t sum_bits(uint64_t terms, uint64_t a, uint64_t b)
{
    return 1 + nysx_rtl_bits(terms) + nysx_rtl_bits(a) + nysx_rtl_bits(b);
}

static void add_factored(struct nysx_rtl_writer *w)
{
    struct dse_rtl *out = w->out;
    size_t rank = (size_t)w->layout->rank, bits = (size_t)w->layout->phi_bits;
    size_t lanes = (size_t)w->layout->phi_lanes;
    bool signs = w->config->value[NYSX_NEE_GENERATOR] == NYSX_SIGN;
    const uint32_t *map = nysx_rtl_values(w, "phi_map"), *scale = nysx_rtl_values(w, "phi_scale");
    const uint64_t *seed = nysx_rtl_values(w, "generator_seed");
    uint64_t most = ((uint64_t)1 << (bits - 1)) - 1;
    dse_rtl_whole(out, "RANK", rank, "rank r of the landmark kernel");
    dse_rtl_whole(out, "PHI_LANES", lanes, "single-precision lanes that compute phi");
    dse_rtl_whole(out, "PHI_BITS", bits, "bits of an element of phi");
    dse_rtl_word(out, "PHI_SCALE", 32, *scale, "what an element of phi is divided by");
    dse_rtl_flag(out, "GENERATOR_SIGNS", signs, "entries of P_rp are signs");
    dse_rtl_flag(out, "GENERATOR_COUNTED", w->config->value[NYSX_NEE_GENERATOR] == NYSX_BITS8, "entries are counts of ones less 4");
    dse_rtl_word(out, "GENERATOR_SEED", 64, *seed, "seed of the generators of P_rp");
    dse_rtl_whole(out, "NEE_SUM_BITS", sum_bits(rank, most, signs ? 1 : 128), "bits of a row's sum");
    add_absent(w, (const char *const[]){"P_BITS", "P_EXPONENT_BITS", "P_WORDS", "P_FIFO_DEPTH", "P_OUTSTANDING", "NEE_CODES", NULL});
    size_t words = (size_t)w->layout->phi_groups * (size_t)w->config->value[NYSX_LANDMARKS] * NYSX_RTL_PHI_INTERLEAVE;
    size_t table = dse_rtl_table(out, "phi_map", 32 * lanes, words);
    for (size_t i = 0; i < words * lanes; i++)
        dse_rtl_put(out, table, i / lanes, i % lanes * 32, 32, map[i]);
}

/* Elements of P_nys, and the bits of a row's sum; P is resident or streamed. */
static void add_stored(struct nysx_rtl_writer *w, size_t words, const char *title)
{
    struct dse_rtl *out = w->out;
    size_t bits = (size_t)w->layout->p_bits;
    uint64_t largest = bits == 1 ? 1 : (uint64_t)1 << (bits - 1);
    uint64_t value = ((uint64_t)1 << nysx_rtl_bits((size_t)w->layout->kernel_max)) - 1;
    size_t exponent = (size_t)nysx_p_exponent_bits[w->config->value[NYSX_NEE_PRECISION]];
    dse_rtl_whole(out, "P_BITS", bits, "bits of an element of P_nys");
    dse_rtl_whole(out, "P_EXPONENT_BITS", exponent, "bits of its exponent; 0: whole numbers");
    dse_rtl_whole(out, "P_WORDS", words, title);
    dse_rtl_whole(out, "NEE_SUM_BITS", exponent > 0 ? 32 : sum_bits((size_t)w->config->value[NYSX_LANDMARKS], value, largest), "bits of a row's sum");
    add_absent(w, (const char *const[]){"RANK", "PHI_LANES", "PHI_BITS", "PHI_SCALE", "GENERATOR_SIGNS", "GENERATOR_COUNTED",
                                        "GENERATOR_SEED", "NEE_CODES", NULL});
}

/* A table of words of `bits` bits, which the pack has in 32-bit parts. */
static size_t add_words_of(struct nysx_rtl_writer *w, const char *name, const char *packed, size_t bits, size_t words)
{
    const uint32_t *p = nysx_rtl_values(w, packed);
    size_t parts = (bits + 31) / 32, table = dse_rtl_table(w->out, name, bits, words);
    for (size_t word = 0; word < words; word++)
        for (size_t first = 0; first < bits; first += 32)
            dse_rtl_put(w->out, table, word, first, bits - first < 32 ? bits - first : 32, p[word * parts + first / 32]);
    return table;
}

static void add_resident(struct nysx_rtl_writer *w)
{
    size_t words = (size_t)w->layout->p_resident_words;
    add_stored(w, words, "words of P_nys, one element per lane");
    add_absent(w, (const char *const[]){"P_FIFO_DEPTH", "P_OUTSTANDING", NULL});
    add_words_of(w, "p_resident", "p_resident", (size_t)(w->config->value[NYSX_NEE_LANES] * w->layout->p_bits), words);
}

static void add_streamed(struct nysx_rtl_writer *w)
{
    size_t words = (size_t)w->layout->p_port_words, bits = (size_t)w->config->value[NYSX_NEE_PORT_BITS];
    add_stored(w, words, "words of P_nys in its port's memory");
    dse_rtl_whole(w->out, "P_FIFO_DEPTH", (size_t)w->config->value[NYSX_NEE_FIFO_DEPTH], "words of that port's queue");
    dse_rtl_whole(w->out, "P_OUTSTANDING", (size_t)w->config->value[NYSX_NEE_OUTSTANDING], "most bursts of that port at once");
    size_t table = add_words_of(w, "p", "p", bits, words); /* moves `tables` */
    w->out->tables[table].external = true;
}

/* A two's complement number of `bits` bits from bit `first` of packed words on. */
static int64_t signed_at(const uint32_t *words, size_t first, size_t bits)
{
    uint32_t value = words[first / 32] >> first % 32, half = (uint32_t)1 << (bits - 1);
    return (int64_t)((value & (half | (half - 1))) ^ half) - (int64_t)half;
}

/* The direct form's initial sums, one word per round of the lanes. */
static void add_direct(struct nysx_rtl_writer *w)
{
    static const char *const absent[] = {
        "MPHE_LOOKUPS", "MPH_LEVELS", "MPH_K_BITS", "MPH_WORDS", "MPH_RANK_BITS", "CODEBOOK_TOTAL", "CODE_BITS",
        "BIN_BITS", "HUE_PE", "KSE_PE", "HISTOGRAM_WORDS", "COUNT_BITS", "H_COUNT_BITS", "KERNEL_BITS", "KSE_WORDS",
        "KSE_TRIPS", "RANK", "PHI_LANES", "PHI_BITS", "PHI_SCALE", "GENERATOR_SIGNS", "GENERATOR_COUNTED", "GENERATOR_SEED",
        "P_BITS", "P_EXPONENT_BITS", "P_WORDS", "P_FIFO_DEPTH", "P_OUTSTANDING", NULL};
    struct dse_rtl *out = w->out;
    size_t lanes = (size_t)w->config->value[NYSX_NEE_LANES], trips = ((size_t)w->config->value[NYSX_DIM] + lanes - 1) / lanes;
    size_t start_bits = (size_t)w->layout->start_bits, parts = (size_t)w->layout->start_parts;
    const uint32_t *start = nysx_rtl_values(w, "start"); /* [turns][parts]: start_bits per lane, side by side */
    const uint32_t *shift = nysx_rtl_values(w, "start_shift");
    int64_t step = shift != NULL ? (int64_t)1 << *shift : 1;
    uint64_t most = 0, codes = (size_t)w->layout->max_nodes * (size_t)w->layout->passes;
    for (size_t e = 0; start != NULL && e < trips * lanes; e++) {
        int64_t value = step * signed_at(start, e / lanes * parts * 32 + e % lanes * start_bits, start_bits);
        uint64_t size = (uint64_t)(value < 0 ? -value : value);
        most = size > most ? size : most;
    }
    size_t bits = nysx_rtl_bits(codes + most) + 1;
    add_absent(w, absent);
    dse_rtl_whole(out, "LANDMARKS", 0, "none in this form");
    dse_rtl_text(out, "PLACE_CODEBOOK", "auto", "not of this form");
    dse_rtl_text(out, "PLACE_H", "auto", "not of this form");
    dse_rtl_whole(out, "NEE_CODES", (size_t)w->config->value[NYSX_NEE_CODES], "codes per cycle");
    dse_rtl_whole(out, "NEE_SUM_BITS", bits, "bits of an element's sum");
    size_t table = start != NULL ? dse_rtl_table(out, "thresholds", lanes * bits, trips) : 0;
    for (size_t e = 0; start != NULL && e < trips * lanes; e++)
        dse_rtl_put(out, table, e / lanes, e % lanes * bits, bits,
                    (uint64_t)(step * signed_at(start, e / lanes * parts * 32 + e % lanes * start_bits, start_bits)));
}

#define WEIGHTS_PIECE 2048 /* places of a piece, as in nysx_rom_pieces.sv */

/* Weights that codes add to the classes' values, a word of all pieces per word; without a table, sizes are 1. */
static void add_weights(struct nysx_rtl_writer *w)
{
    size_t places = (size_t)nysx_table_places(w->config), parts = (size_t)w->layout->table_parts;
    const int16_t *weight = nysx_rtl_values(w, "code_weights"); /* [copies × places][parts] */
    size_t words = places < WEIGHTS_PIECE ? places : WEIGHTS_PIECE, table = places > 0 ? dse_rtl_table(w->out, "code_weights", 16 * parts * (places / words), words) : 0;
    for (size_t i = 0; i < places; i++)
        for (size_t part = 0; part < parts; part++)
            dse_rtl_put(w->out, table, i % words, (i / words * parts + part) * 16, 16, (uint16_t)weight[i * parts + part]);
    dse_rtl_whole(w->out, "TABLE_BITS", places > 0 ? nysx_rtl_bits(places - 1) : 0, "bits of a place in the table of class weights; 0: none");
    dse_rtl_whole(w->out, "TABLE_SHIFT", places > 0 ? (size_t)*(const int32_t *)nysx_rtl_values(w, "code_weights_shift") : 0, "log2 of a step of them");
    dse_rtl_whole(w->out, "WEIGHT_SUM_BITS", places > 0 ? nysx_rtl_bits(nysx_rtl_weights_most(w)) + 1 : 1, "bits of a class's sum of them");
}

uint64_t nysx_rtl_weights_most(const struct nysx_rtl_writer *w)
{
    uint64_t places = (uint64_t)nysx_table_places(w->config), codes = (uint64_t)w->layout->max_nodes * (uint64_t)w->layout->passes;
    return places > 0 ? codes * (uint64_t)NYSX_TABLE_MOST : 0;
}

void nysx_rtl_add_projection(struct nysx_rtl_writer *w)
{
    static void (*const forms[])(struct nysx_rtl_writer *) = {
        [NYSX_STREAMED] = add_streamed, [NYSX_RESIDENT] = add_resident, [NYSX_FACTORED] = add_factored, [NYSX_DIRECT] = add_direct};
    bool centered = w->config->value[NYSX_NEE_CENTER] != 0;
    size_t landmarks = (size_t)w->config->value[NYSX_LANDMARKS], lanes = (size_t)w->config->value[NYSX_NEE_LANES], dim = (size_t)w->config->value[NYSX_DIM];
    dse_rtl_whole(w->out, "DIM", dim, "hypervector dimension d");
    dse_rtl_whole(w->out, "NEE_LANES", lanes, "lanes of the NEE");
    dse_rtl_whole(w->out, "NEE_GROUPS", (dim + lanes - 1) / lanes, "groups of elements");
    dse_rtl_flag(w->out, "CENTERED", centered, "the training mean is subtracted from C, or from the sums");
    dse_rtl_whole(w->out, "NEE_FORM", (size_t)w->config->value[NYSX_NEE_FORM], "0 streamed, 1 resident, 2 factored, 3 direct");
    forms[w->config->value[NYSX_NEE_FORM]](w);
    add_weights(w);
    const int32_t *center = nysx_rtl_values(w, "center");
    size_t table = center != NULL ? dse_rtl_table(w->out, "center", 32, landmarks) : 0;
    for (size_t j = 0; center != NULL && j < landmarks; j++)
        dse_rtl_put(w->out, table, j, 0, 32, (uint32_t)center[j]);
}
