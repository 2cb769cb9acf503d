/* The `pack` verb: a model's tables in the banks, words and order in which the engines of models/nysx/hls/ read them.
 *
 * The layout gives the knobs by their names and the sizes by those of the accelerator's description
 * (models/nysx/hls.c): a size that the model does not have is refused, so that nothing is cut silently. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/schedule.h"
#include "executor/pack.h"

struct packing {
    const struct nysx_model *model;
    const struct dse_setting *layout;
    struct dse_pack *pack;
    struct dse_error *err;
    enum dse_status status;
};

/* A number of the layout; 0, with the status set, where it is not there. */
static size_t number(struct packing *p, const char *name)
{
    const char *text = dse_setting_get(p->layout, name);
    dse_pack_note(p->pack, name);
    if (text == NULL && p->status == DSE_OK)
        p->status = dse_fail(p->err, DSE_BAD_USAGE, "the layout has no %s", name);
    return text != NULL ? (size_t)strtoull(text, NULL, 10) : 0;
}

static bool says(const struct packing *p, const char *name, const char *word)
{
    const char *text = dse_setting_get(p->layout, name);
    return text != NULL && strcmp(text, word) == 0;
}

/* An array's values, or NULL with the status set. */
static void *add(struct packing *p, const char *name, enum dse_pack_type type, size_t d0, size_t d1, size_t d2,
                 const char *title)
{
    if (p->status != DSE_OK)
        return NULL;
    struct dse_pack_array *array = dse_pack_add(p->pack, name, type, d0, d1, d2, title);
    if (array == NULL)
        p->status = dse_fail_memory(p->err);
    return array != NULL ? array->values : NULL;
}

/* The last array's place; with its knob's word for those that may lie in UltraRAM or external memory. */
static void put_in(struct packing *p, enum dse_pack_place place)
{
    if (p->status == DSE_OK)
        p->pack->arrays[p->pack->count - 1].place = place;
}

static void place_by(struct packing *p, const char *knob)
{
    dse_pack_note(p->pack, knob);
    put_in(p, says(p, knob, "ddr") ? DSE_PACK_MEMORY : says(p, knob, "uram") ? DSE_PACK_LOADED : DSE_PACK_CHIP);
}

/* What the model has must be what the layout was made for. */
static void expect(struct packing *p, const char *name, size_t has)
{
    size_t wanted = number(p, name);
    if (p->status == DSE_OK && wanted != has)
        p->status = dse_fail(p->err, DSE_BAD_USAGE, "the model has %s=%zu, the configuration %s=%zu", name, has, name,
                             wanted);
}

/* The same of a knob whose value is a word. */
static void expect_word(struct packing *p, const char *name)
{
    const char *word = dse_setting_get(&p->model->base.words, name), *wanted = dse_setting_get(p->layout, name);
    dse_pack_note(p->pack, name);
    if (p->status == DSE_OK && (wanted == NULL || strcmp(word, wanted) != 0))
        p->status = dse_fail(p->err, DSE_BAD_USAGE, "the model has %s=%s, the configuration %s=%s", name, word, name,
                             wanted != NULL ? wanted : "");
}

static void pack_lsh(struct packing *p)
{
    const struct nysx_lsh *lsh = &p->model->encoder.lsh;
    size_t offsets = nysx_lsh_offsets(lsh);
    if (lsh->wl && p->model->columns.attributes == 0)
        return; /* labels are mixed as they are */
    float *u = add(p, "lsh_u", DSE_PACK_F32, lsh->rows, lsh->columns, 0, "LSH directions");
    if (u != NULL)
        memcpy(u, lsh->u, lsh->rows * lsh->columns * sizeof *u);
    float *b = add(p, "lsh_b", DSE_PACK_F32, lsh->rows, offsets, 0, "LSH offsets");
    if (b != NULL)
        memcpy(b, lsh->b, lsh->rows * offsets * sizeof *b);
}

/* The arrays of all hops' hashes: a memory a level, in it hop behind hop. */
struct hashes {
    uint64_t *seed, *words;
    uint32_t *levels, *level_begin, *level_bits, *rank, *size;
    int32_t *bin;
    void *code; /* int32_t of scalar codes, uint32_t of colours, uint64_t of tuples */
    size_t deepest, room; /* levels at most, words of each */
    size_t key;           /* next */
    size_t filled[NYSX_MPH_MAX_LEVELS];
};

/* A level's words into its memory, their ranks beside them. */
static void pack_level(struct packing *p, const struct nysx_mph *mph, size_t t, size_t l, struct hashes *h)
{
    size_t words = mph->level_begin[l + 1] - mph->level_begin[l], at = h->filled[l];
    if (at + words > h->room) {
        p->status = dse_fail(p->err, DSE_BAD_USAGE, "the codebook of hop %zu is larger than the configuration's", t);
        return;
    }
    h->level_begin[t * h->deepest + l] = (uint32_t)at;
    h->level_bits[t * h->deepest + l] = (uint32_t)(64 * words);
    for (size_t w = 0; w < words; w++) {
        h->words[l * h->room + at + w] = mph->words[mph->level_begin[l] + w];
        h->rank[l * h->room + at + w] = mph->rank[mph->level_begin[l] + w] + (uint32_t)h->key;
    }
    h->filled[l] += words;
}

static void pack_entries(struct packing *p, const struct nysx_mph *mph, size_t t, struct hashes *h)
{
    bool tuple = p->model->encoder.lsh.tuple;
    for (size_t i = 0; p->status == DSE_OK && i < mph->key_count; i++) {
        int64_t code = mph->entry[i].code;
        h->bin[h->key + i] = mph->entry[i].bin;
        if (tuple)
            ((uint64_t *)h->code)[h->key + i] = (uint64_t)code;
        else
            ((uint32_t *)h->code)[h->key + i] = (uint32_t)code;
        if (!tuple && code != (p->model->encoder.lsh.wl ? (int64_t)(uint32_t)code : (int64_t)(int32_t)code))
            p->status = dse_fail(p->err, DSE_ANSWER_NO, "code %lld of hop %zu does not fit the codebook's 32 bits",
                                 (long long)code, t);
    }
    h->key += mph->key_count;
}

static void pack_hash(struct packing *p, size_t t, double gamma, struct hashes *h, size_t key_room)
{
    const struct nysx_hop *hop = &p->model->encoder.hop[t];
    struct nysx_mph mph;
    p->status = nysx_mph_build(hop->codebook, hop->codes, gamma, &mph, p->err);
    if (p->status != DSE_OK)
        return;
    if (mph.levels > h->deepest || h->key + mph.key_count > key_room)
        p->status = dse_fail(p->err, DSE_BAD_USAGE, "the codebook of hop %zu is larger than the configuration's", t);
    h->seed[t] = mph.seed;
    h->levels[t] = (uint32_t)mph.levels;
    h->size[t] = (uint32_t)mph.key_count;
    for (size_t l = 0; p->status == DSE_OK && l < mph.levels; l++)
        pack_level(p, &mph, t, l, h);
    pack_entries(p, &mph, t, h);
    nysx_mph_free(&mph);
}

static void pack_hashes(struct packing *p)
{
    size_t hops = p->model->encoder.lsh.hops, keys = number(p, "CODEBOOK_TOTAL");
    const char *gamma = dse_setting_get(p->layout, "mphe.gamma");
    struct hashes h = {.deepest = number(p, "MPH_LEVELS"), .room = number(p, "MPH_LEVEL_WORDS")};
    bool tuple = p->model->encoder.lsh.tuple;
    if (p->status == DSE_OK && h.deepest > NYSX_MPH_MAX_LEVELS)
        p->status = dse_fail(p->err, DSE_BAD_USAGE, "MPH_LEVELS=%zu: must be %d at most", h.deepest, NYSX_MPH_MAX_LEVELS);
    h.seed = add(p, "mph_seed", DSE_PACK_U64, hops, 0, 0, "seeds of the hashes");
    h.levels = add(p, "mph_levels", DSE_PACK_U32, hops, 0, 0, "levels of each hop's hash");
    h.level_begin = add(p, "mph_level_begin", DSE_PACK_U32, hops, h.deepest, 0, "first word of a hop in each level's memory");
    h.level_bits = add(p, "mph_level_bits", DSE_PACK_U32, hops, h.deepest, 0, "bits of each level");
    h.words = add(p, "mph_words", DSE_PACK_U64, h.deepest, h.room, 0, "levels, a memory each");
    h.rank = add(p, "mph_rank", DSE_PACK_U32, h.deepest * h.room, 0, 0,
                 "ones before each word in its hop, and codes of the hops before");
    h.size = add(p, "codebook_size", DSE_PACK_U32, hops, 0, 0, "codes of each hop");
    h.code = add(p, "codebook_code", tuple ? DSE_PACK_U64 : p->model->encoder.lsh.wl ? DSE_PACK_U32 : DSE_PACK_I32, keys, 0, 0, "codes by minimal perfect index");
    place_by(p, "place.codebook");
    h.bin = add(p, "codebook_bin", DSE_PACK_I32, keys, 0, 0, "their bins");
    place_by(p, "place.codebook");
    for (size_t t = 0; p->status == DSE_OK && t < hops; t++)
        pack_hash(p, t, gamma != NULL ? strtod(gamma, NULL) : NYSX_MPH_DEFAULT_GAMMA, &h, keys);
    expect(p, "CODEBOOK_TOTAL", h.key);
}

/* Where H goes: slots of an entry for each PE, a turn's filled up to its longest row; a bank a PE, or PEs side by side in
 * the words of a stream. The entry of the first PE marks the turn's end. */
struct banks {
    size_t pe, room, bin_bits, last_bit;
    uint32_t *begin, *place, *narrow;
    uint64_t *wide; /* entries of more than 32 bits; else NULL and `narrow` */
    bool stream;
    size_t slot; /* next */
};

static void put_entry(uint64_t entry, size_t slot, size_t pe, struct banks *b)
{
    size_t at = b->stream ? slot * b->pe + pe : pe * b->room + slot;
    if (b->wide != NULL)
        b->wide[at] |= entry;
    else
        b->narrow[at] |= (uint32_t)entry;
}

/* The rows of one turn, `rows` of them. */
static void pack_turn(struct packing *p, const struct nysx_csr *counts, const int32_t *order, size_t rows, struct banks *b)
{
    size_t longest = 1;
    for (size_t r = 0; r < rows; r++) {
        size_t length = (size_t)(counts->begin[order[r] + 1] - counts->begin[order[r]]);
        longest = length > longest ? length : longest;
    }
    if (b->slot + longest > b->room) {
        p->status = dse_fail(p->err, DSE_BAD_USAGE, "the model's histograms fill more than %zu slots", b->room);
        return;
    }
    for (size_t r = 0; r < rows; r++)
        for (int32_t e = counts->begin[order[r]]; e < counts->begin[order[r] + 1]; e++)
            put_entry((uint64_t)counts->column[e] | (uint64_t)counts->count[e] << b->bin_bits,
                      b->slot + (size_t)(e - counts->begin[order[r]]), r, b);
    put_entry((uint64_t)1 << b->last_bit, b->slot + longest - 1, 0, b);
    b->slot += longest;
}

static void pack_hop_rows(struct packing *p, size_t t, struct banks *b, const int32_t *order)
{
    const struct nysx_csr *counts = &p->model->encoder.hop[t].counts;
    b->begin[t] = (uint32_t)b->slot;
    for (size_t slot = 0; slot < counts->rows; slot++)
        b->place[t * counts->rows + (size_t)order[slot]] = (uint32_t)slot;
    for (size_t first = 0; p->status == DSE_OK && first < counts->rows; first += b->pe)
        pack_turn(p, counts, order + first, counts->rows - first < b->pe ? counts->rows - first : b->pe, b);
    b->begin[t + 1] = (uint32_t)b->slot;
}

static void order_rows(struct packing *p, const struct nysx_csr *counts, int32_t *order)
{
    for (size_t r = 0; r < counts->rows; r++)
        order[r] = (int32_t)r;
    if (!says(p, "kse.balance", "static"))
        return;
    int32_t *lengths = dse_malloc((counts->rows + 1) * sizeof *lengths);
    if (lengths == NULL) {
        p->status = dse_fail_memory(p->err);
        return;
    }
    for (size_t r = 0; r < counts->rows; r++)
        lengths[r] = counts->begin[r + 1] - counts->begin[r];
    nysx_schedule_order(lengths, counts->rows, order);
    free(lengths);
}

static void fill_histograms(struct packing *p, struct banks *b)
{
    size_t rows = p->model->encoder.landmarks;
    int32_t *order = dse_malloc((rows + 1) * sizeof *order);
    if (p->status == DSE_OK && order == NULL)
        p->status = dse_fail_memory(p->err);
    for (size_t t = 0; p->status == DSE_OK && t < p->model->encoder.lsh.hops; t++) {
        order_rows(p, &p->model->encoder.hop[t].counts, order);
        if (p->status == DSE_OK)
            pack_hop_rows(p, t, b, order);
    }
    expect(p, "H_SLOTS", b->slot);
    free(order);
}

static void pack_histograms(struct packing *p)
{
    size_t hops = p->model->encoder.lsh.hops;
    struct banks b = {.pe = number(p, "kse.pe"), .room = number(p, "H_SLOTS"), .bin_bits = number(p, "BIN_BITS"),
                      .stream = says(p, "place.h", "ddr")};
    b.last_bit = b.bin_bits + number(p, "H_COUNT_BITS");
    enum dse_pack_type type = b.last_bit >= 32 ? DSE_PACK_U64 : DSE_PACK_U32;
    void *entries;
    number(p, "H_ITERATIONS");
    b.begin = add(p, "h_begin", DSE_PACK_U32, hops + 1, 0, 0, "first slot of each hop");
    b.place = add(p, "h_place", DSE_PACK_U32, hops, p->model->encoder.landmarks, 0,
                  "where a row's sum is: its turn times the PEs, and its PE");
    if (b.stream)
        entries = add(p, "h", type, b.room * b.pe, 0, 0, "bin and count of the landmark histograms in the order of their use");
    else
        entries = add(p, "h_entries", type, b.pe, b.room, 0, "bin and count of the landmark histograms");
    place_by(p, "place.h");
    if (entries == NULL)
        return;
    b.wide = b.last_bit >= 32 ? entries : NULL;
    b.narrow = b.last_bit >= 32 ? NULL : entries;
    fill_histograms(p, &b);
}

/* The bits of an element of the projection as the port carries them. */
static uint32_t element_bits(const struct nysx_projection *projection, const void *row, size_t column)
{
    switch (projection->precision) {
    case NYSX_FP32: {
        uint32_t bits;
        memcpy(&bits, (const float *)row + column, sizeof bits);
        return bits;
    }
    case NYSX_FP16:
    case NYSX_BF16:
    case NYSX_INT16:
        return ((const uint16_t *)row)[column];
    case NYSX_BINARY:
        return ((const int8_t *)row)[column] > 0;
    default:
        return (uint32_t)(uint8_t)((const int8_t *)row)[column];
    }
}

/* P_nys in the order of its use: groups of rows; in a group the landmarks ascending; for each, turn after turn, a row a
 * lane, 0 past the last row: steps, whose elements follow one another. So many of them make a beat: a word of on-chip memory,
 * or what all ports bring at once, whose words go to the ports in turn. */
struct stream {
    size_t bits, parts, ports, port_words; /* bits of an element; 32-bit parts of a word */
    size_t lanes, beat;                    /* rows of a turn; elements of a beat */
    size_t rest;                           /* elements of a step of the last turn, of the others one a lane */
    uint32_t *out;
    uint64_t next; /* element, the first of the next step */
    bool skips;    /* steps whose rows are all past the last have no place */
};

static void push(struct stream *s, size_t lane, uint32_t bits)
{
    uint64_t element = s->next + lane, beat = element / s->beat, first = element % s->beat * s->bits;
    size_t port = (size_t)(first / (32 * s->parts));
    size_t at = (port * s->port_words + (size_t)beat) * s->parts;
    uint32_t mask = s->bits == 32 ? UINT32_MAX : ((uint32_t)1 << s->bits) - 1;
    s->out[at + first % (32 * s->parts) / 32] |= (bits & mask) << (first % 32);
}

/* A group of rows, `count` of them there; those of the last turn among them in the last. */
static void push_group(const struct nysx_projection *projection, const unsigned char *group, size_t count, size_t rows,
                       bool ends, struct stream *s)
{
    size_t row_bytes = projection->columns * nysx_format(projection->precision)->npy_bytes;
    for (size_t j = 0; j < projection->columns; j++)
        for (size_t first = 0; first < rows; first += s->lanes) {
            for (size_t l = 0; l < s->lanes; l++)
                if (first + l < count)
                    push(s, l, element_bits(projection, group + (first + l) * row_bytes, j));
            s->next += ends && first + s->lanes >= rows ? s->rest : s->lanes;
        }
}

static void push_all(struct packing *p, struct stream *s)
{
    const struct nysx_projection *projection = &p->model->nee.projection;
    size_t rows = number(p, "NEE_GROUP_ROWS");
    size_t row_bytes = projection->columns * nysx_format(projection->precision)->npy_bytes;
    unsigned char *group = p->status == DSE_OK ? dse_malloc(rows * row_bytes + 1) : NULL;
    if (p->status == DSE_OK && group == NULL)
        p->status = dse_fail_memory(p->err);
    for (size_t first = 0; p->status == DSE_OK && first < projection->dim; first += rows) {
        size_t count = projection->dim - first < rows ? projection->dim - first : rows;
        for (size_t r = 0; r < count; r++)
            nysx_projection_get(projection, first + r, group + r * row_bytes);
        push_group(projection, group, count, s->skips ? count : rows, first + rows >= projection->dim, s);
    }
    free(group);
}

static void pack_streamed(struct packing *p)
{
    struct stream s = {.bits = number(p, "P_BITS"), .parts = number(p, "nee.port_bits") / 32,
                       .ports = number(p, "nee.ports"), .port_words = number(p, "P_PORT_WORDS"),
                       .lanes = number(p, "nee.lanes"), .rest = number(p, "P_REST"),
                       .beat = number(p, "P_BEAT_ELEMENTS"), .skips = true};
    s.out = add(p, "p", DSE_PACK_U32, s.ports, s.port_words, s.parts,
                "P_nys in the order of its use, a port after another");
    put_in(p, DSE_PACK_MEMORY);
    push_all(p, &s);
}

static void pack_resident(struct packing *p)
{
    size_t words = number(p, "P_RESIDENT_WORDS");
    struct stream s = {.bits = number(p, "P_BITS"), .parts = number(p, "P_RESIDENT_PARTS"), .ports = 1,
                       .port_words = words, .lanes = number(p, "nee.lanes"), .rest = number(p, "nee.lanes"),
                       .beat = number(p, "nee.lanes")};
    s.out = add(p, "p_resident", DSE_PACK_U32, words, s.parts, 0, "P_nys in the order of its use, an element a lane");
    place_by(p, "place.p");
    if (p->status == DSE_OK)
        p->pack->arrays[p->pack->count - 1].apart = true;
    push_all(p, &s);
}

/* Λ^(-1/2) Qᵀ in the order of its use, a number a lane of those that make φ; its scale; the generators' seed. */
static void pack_factored(struct packing *p)
{
    const struct nysx_nee *nee = &p->model->nee;
    const struct nysx_projection *map = &nee->projection;
    size_t lanes = number(p, "PHI_LANES"), turn = number(p, "PHI_TURN"), groups = number(p, "PHI_GROUPS");
    float *out = add(p, "phi_map", DSE_PACK_F32, groups * map->columns * turn, lanes, 0,
                     "the map from C to phi in the order of its use, a number a lane");
    float *row = dse_malloc((map->columns + 1) * sizeof *row);
    if (p->status == DSE_OK && row == NULL)
        p->status = dse_fail_memory(p->err);
    for (size_t i = 0; p->status == DSE_OK && i < map->dim; i++) {
        size_t group = i / (lanes * turn), u = i / lanes % turn;
        nysx_projection_get(map, i, row);
        for (size_t j = 0; j < map->columns; j++)
            out[((group * map->columns + j) * turn + u) * lanes + i % lanes] = row[j];
    }
    free(row);
    float *scale = add(p, "phi_scale", DSE_PACK_F32, 1, 0, 0, "what an element of phi is divided by");
    if (scale != NULL)
        *scale = nee->phi_scale;
    uint64_t *seed = add(p, "generator_seed", DSE_PACK_U64, 1, 0, 0, "seed of the generators of P_rp");
    if (seed != NULL)
        *seed = nee->generator_seed;
}

/* log2 of the step of the thresholds, where the setting has fewer bits of them than there are. */
static unsigned model_shift(const struct packing *p)
{
    const struct nysx_nee *nee = &p->model->nee;
    return p->model->setting.center_bits > 0 ? nysx_direct_shift(nee->threshold, nee->dim) : 0;
}

/* What the lanes' sums start at, minus their thresholds: a turn of the lanes after another, elements side by side in 32-bit parts. */
static void pack_direct(struct packing *p)
{
    const struct nysx_nee *nee = &p->model->nee;
    if (nee->threshold == NULL)
        return;
    size_t lanes = number(p, "nee.lanes"), turns = number(p, "NEE_TURNS"), bits = number(p, "START_BITS");
    size_t parts = number(p, "START_PARTS");
    unsigned shift = model_shift(p);
    uint32_t *out = add(p, "start", DSE_PACK_U32, turns, parts, 0, "minus the threshold of each lane's element, a turn after another");
    for (size_t e = 0; out != NULL && e < nee->dim; e++) {
        int64_t start = -(int64_t)nee->threshold[e] / ((int64_t)1 << shift);
        size_t first = e % lanes * bits;
        if (start >= (int64_t)1 << (bits - 1) || start < -((int64_t)1 << (bits - 1)))
            p->status = dse_fail(p->err, DSE_BAD_USAGE, "the threshold %d of element %zu does not fit the configuration's %zu bits",
                                 nee->threshold[e], e, bits);
        uint32_t mask = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
        out[e / lanes * parts + first / 32] |= ((uint32_t)start & mask) << (first % 32);
    }
    uint32_t *step = add(p, "start_shift", DSE_PACK_U32, 1, 0, 0, "log2 of a step of them");
    if (step != NULL)
        *step = shift;
}

static void pack_projection(struct packing *p)
{
    static void (*const packers[])(struct packing *) = {[NYSX_STREAMED] = pack_streamed,
                                                        [NYSX_RESIDENT] = pack_resident,
                                                        [NYSX_FACTORED] = pack_factored,
                                                        [NYSX_DIRECT] = pack_direct};
    if (p->status == DSE_OK)
        packers[p->model->nee.form](p);
}

static void pack_center(struct packing *p)
{
    const struct nysx_nee *nee = &p->model->nee;
    if (nee->center == NULL)
        return;
    int32_t *center = add(p, "center", DSE_PACK_I32, nee->landmarks, 0, 0, "training mean of C");
    if (center != NULL)
        memcpy(center, nee->center, nee->landmarks * sizeof *center);
}

static uint32_t prototype_bits(const struct nysx_prototypes *prototypes, size_t c, size_t i)
{
    uint32_t bits;
    if (prototypes->whole == NULL)
        memcpy(&bits, &prototypes->real[c * prototypes->words * 64 + i], sizeof bits);
    else if (prototypes->bits == 1)
        bits = prototypes->whole[c * prototypes->dim + i] > 0;
    else
        bits = (uint32_t)(uint8_t)prototypes->whole[c * prototypes->dim + i];
    return bits;
}

/* What a class's product is compared with: its prototype's norm or length, or its offset. */
static void pack_scores(struct packing *p)
{
    const struct nysx_prototypes *prototypes = &p->model->prototypes;
    size_t classes = prototypes->classes;
    if (prototypes->bias != NULL) {
        int32_t *offset = add(p, "prototype_offset", DSE_PACK_I32, classes, 0, 0, "what is added to a class's product");
        if (offset != NULL)
            memcpy(offset, prototypes->bias, classes * sizeof *offset);
    } else if (prototypes->real_bias != NULL) {
        float *offset = add(p, "prototype_offset", DSE_PACK_F32, classes, 0, 0, "what is added to a class's product");
        if (offset != NULL)
            memcpy(offset, prototypes->real_bias, classes * sizeof *offset);
    } else if (prototypes->whole != NULL) {
        int64_t *norm = add(p, "prototype_norm", DSE_PACK_I64, classes, 0, 0, "squared norms of the prototypes");
        if (norm != NULL)
            memcpy(norm, prototypes->norm, classes * sizeof *norm);
    } else {
        double *length = add(p, "prototype_length", DSE_PACK_F64, classes, 0, 0, "lengths of the prototypes");
        if (length != NULL)
            memcpy(length, prototypes->length, classes * sizeof *length);
    }
}

static void pack_prototypes(struct packing *p)
{
    const struct nysx_prototypes *prototypes = &p->model->prototypes;
    size_t elements = number(p, "sce.bits"), words = number(p, "SCE_WORDS"), parts = number(p, "SCE_PARTS");
    size_t bits = (size_t)prototypes->bits, classes = prototypes->classes;
    uint32_t mask = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
    uint32_t *out = add(p, "prototypes", DSE_PACK_U32, classes, words, parts, "prototypes, an element after another");
    place_by(p, "place.prototypes");
    for (size_t c = 0; out != NULL && c < classes; c++)
        for (size_t i = 0; i < prototypes->dim; i++) {
            size_t first = i % elements * bits;
            out[(c * words + i / elements) * parts + first / 32] |= (prototype_bits(prototypes, c, i) & mask)
                                                                    << (first % 32);
        }
    pack_scores(p);
}

static void expect_model(struct packing *p)
{
    const struct nysx_model *model = p->model;
    static const char *const words[] = {"nee.form", "nee.center", "codes", "prototypes"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_word(p, words[i]);
    if (!model->encoder.lsh.wl)
        expect_word(p, "propagation");
    expect(p, "sce.prototype_bits", (size_t)model->prototypes.bits);
    if (model->nee.form == NYSX_FACTORED) {
        expect(p, "RANK", model->nee.projection.dim);
        expect_word(p, "nee.generator");
        expect_word(p, "nee.phi_bits");
    } else if (model->nee.form != NYSX_DIRECT) {
        expect_word(p, "nee.precision");
    }
    if (model->nee.form != NYSX_DIRECT)
        expect(p, "landmarks", model->encoder.landmarks);
    expect(p, "dim", model->nee.dim);
    expect(p, "hops", model->encoder.lsh.hops);
    expect(p, "CLASSES", model->prototypes.classes);
    expect(p, "FEATURE_COLUMNS", model->encoder.lsh.columns);
}

enum dse_status nysx_model_pack(const struct dse_model *base, const struct dse_setting *layout, struct dse_pack *out,
                                struct dse_error *err)
{
    const struct nysx_model *model = nysx_model_of(base);
    struct packing p = {.model = model, .layout = layout, .pack = out, .err = err, .status = DSE_OK};
    *out = (struct dse_pack){0};
    expect_model(&p);
    pack_lsh(&p);
    if (p.status == DSE_OK && model->nee.form != NYSX_DIRECT)
        pack_hashes(&p);
    if (p.status == DSE_OK && model->nee.form != NYSX_DIRECT)
        pack_histograms(&p);
    if (p.status == DSE_OK)
        pack_projection(&p);
    if (p.status == DSE_OK)
        pack_center(&p);
    if (p.status == DSE_OK)
        pack_prototypes(&p);
    if (p.status != DSE_OK)
        dse_pack_free(out);
    return p.status;
}
