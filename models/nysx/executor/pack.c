/* The `pack` verb: a model's tables in the banks, words and order of the engines in models/nysx/hls/.
 *
 * The design's layout (models/nysx/layout.h) determines their places. Sizes that differ from the model's are rejected, so that no table
 * is truncated silently. */
#include <string.h>

#include "core/memory.h"
#include "executor/pack.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/schedule.h"
#include "models/nysx/layout.h"

struct packing {
    const struct nysx_model *model;
    const struct dse_config *config;
    const struct nysx_layout *layout;
    struct dse_pack *pack;
    struct dse_error *err;
};

static size_t knob(const struct packing *p, enum nysx_knob index)
{
    return (size_t)p->config->value[index];
}

/* Adds an array, on chip unless its place is set, and returns its values. */
static void *add(struct packing *p, const char *name, enum dse_pack_type type, size_t d0, size_t d1, size_t d2, const char *title)
{
    return dse_pack_add(p->pack, name, type, d0, d1, d2, title)->values;
}

/* Sets the last array's place from its knob. */
static void place_by(struct packing *p, enum nysx_knob index)
{
    size_t place = knob(p, index);
    p->pack->arrays[p->pack->count - 1].place = place == NYSX_PLACE_DDR ? DSE_PACK_MEMORY : place == NYSX_PLACE_URAM ? DSE_PACK_LOADED : DSE_PACK_CHIP;
}

/* The model must match the layout. */
static enum dse_status expect(const struct packing *p, const char *name, size_t has, int64_t wanted)
{
    return has == (size_t)wanted ? DSE_OK
                                 : dse_fail(p->err, DSE_BAD_USAGE, "the model has %s=%zu, the design %s=%lld", name, has, name, (long long)wanted);
}

/* As expect, for a knob. */
static enum dse_status expect_knob(const struct packing *p, enum nysx_knob index)
{
    const struct dse_knob *knob = &nysx_knobs.knobs[index];
    const char *has = dse_setting_get(&p->model->base.words, knob->name);
    char wanted[64];
    int64_t value;
    DSE_TRY(dse_knob_parse(knob, has, &value, p->err));
    if (value == p->config->value[index])
        return DSE_OK;
    return dse_fail(p->err, DSE_BAD_USAGE, "the model has %s=%s, the design %s=%s", knob->name, has, knob->name,
                    dse_knob_format(knob, p->config->value[index], wanted, sizeof wanted));
}

static int64_t label_of(int64_t pair)
{
    return (pair - (pair % NYSX_CORE_DEGREES + NYSX_CORE_DEGREES) % NYSX_CORE_DEGREES) / NYSX_CORE_DEGREES;
}

/* The table by which the host's packer finds the columns (models/nysx/hls/nysx_cores.h). */
static void pack_columns(struct packing *p)
{
    const struct nysx_columns *columns = &p->model->columns;
    const int64_t degrees = NYSX_CORE_DEGREES, least = label_of(columns->label_values[0]), count = label_of(columns->label_values[columns->labels - 1]) - least + 1;
    int32_t *table = add(p, "label_columns", DSE_PACK_I32, (size_t)(2 + count * degrees), 0, 0, "least label, number of labels, column of F by label and degree in the 2-core");
    table[0] = (int32_t)least;
    table[1] = (int32_t)count;
    for (int64_t i = 0; i < count * degrees; i++)
        table[2 + i] = (int32_t)columns->labels; /* never seen in training */
    for (size_t c = 0; c < columns->labels; c++)
        table[2 + columns->label_values[c] - least * degrees] = (int32_t)c;
    p->pack->arrays[p->pack->count - 1].place = DSE_PACK_HOST;
    p->pack->arrays[p->pack->count - 1].apart = true;
}

static void pack_lsh(struct packing *p)
{
    const struct nysx_lsh *lsh = &p->model->encoder.lsh;
    size_t offsets = nysx_lsh_offsets(lsh);
    if (lsh->wl && p->model->columns.attributes == 0)
        return; /* labels are mixed without scaling */
    float *u = add(p, "lsh_u", DSE_PACK_F32, lsh->rows, lsh->columns, 0, "LSH directions");
    memcpy(u, lsh->u, lsh->rows * lsh->columns * sizeof *u);
    float *b = add(p, "lsh_b", DSE_PACK_F32, lsh->rows, offsets, 0, "LSH offsets");
    memcpy(b, lsh->b, lsh->rows * offsets * sizeof *b);
}

/* The arrays of all hops' hashes: one memory per level, with the hops in sequence. */
struct hashes {
    uint64_t *seed, *words;
    uint32_t *levels, *level_begin, *level_bits, *rank, *size;
    int32_t *bin;
    void *code; /* int32_t for scalar codes, uint32_t for colours, uint64_t for tuples */
    size_t deepest, room; /* largest number of levels; words of each */
    size_t key, key_room; /* the next key; number of keys */
    size_t filled[NYSX_MPH_MAX_LEVELS];
};

static enum dse_status reject_codebook(const struct packing *p, size_t t)
{
    return dse_fail(p->err, DSE_BAD_USAGE, "the codebook of hop %zu is larger than the design's", t);
}

/* Writes a level's words and their ranks to its memory. */
static enum dse_status pack_level(struct packing *p, const struct nysx_mph *mph, size_t t, size_t l, struct hashes *h)
{
    size_t words = mph->level_begin[l + 1] - mph->level_begin[l], at = h->filled[l];
    if (at + words > h->room)
        return reject_codebook(p, t);
    h->level_begin[t * h->deepest + l] = (uint32_t)at;
    h->level_bits[t * h->deepest + l] = (uint32_t)(64 * words);
    for (size_t w = 0; w < words; w++) {
        h->words[l * h->room + at + w] = mph->words[mph->level_begin[l] + w];
        h->rank[l * h->room + at + w] = mph->rank[mph->level_begin[l] + w] + (uint32_t)h->key;
    }
    h->filled[l] += words;
    return DSE_OK;
}

static enum dse_status pack_hash(struct packing *p, const struct nysx_mph *mph, size_t t, struct hashes *h)
{
    bool tuple = p->model->encoder.lsh.tuple;
    if (mph->levels > h->deepest || h->key + mph->key_count > h->key_room)
        return reject_codebook(p, t);
    h->seed[t] = mph->seed;
    h->levels[t] = (uint32_t)mph->levels;
    h->size[t] = (uint32_t)mph->key_count;
    for (size_t l = 0; l < mph->levels; l++)
        DSE_TRY(pack_level(p, mph, t, l, h));
    for (size_t i = 0; i < mph->key_count; i++, h->key++) {
        int64_t code = mph->entry[i].code;
        h->bin[h->key] = mph->entry[i].bin;
        if (tuple)
            ((uint64_t *)h->code)[h->key] = (uint64_t)code;
        else
            ((uint32_t *)h->code)[h->key] = (uint32_t)code;
        if (!tuple && code != (p->model->encoder.lsh.wl ? (int64_t)(uint32_t)code : (int64_t)(int32_t)code))
            return dse_fail(p->err, DSE_ANSWER_NO, "code %lld of hop %zu does not fit the codebook's 32 bits", (long long)code, t);
    }
    return DSE_OK;
}

static enum dse_status pack_hashes(struct packing *p)
{
    const struct nysx_layout *l = p->layout;
    const struct nysx_encoder *encoder = &p->model->encoder;
    size_t hops = encoder->lsh.hops, keys = (size_t)l->codebook_total;
    double gamma = dse_knob_number(&nysx_knobs.knobs[NYSX_MPHE_GAMMA], p->config->value[NYSX_MPHE_GAMMA]);
    struct hashes h = {.deepest = (size_t)l->mph_levels, .room = (size_t)l->mph_level_words, .key_room = keys};
    if (h.deepest > NYSX_MPH_MAX_LEVELS)
        return dse_fail(p->err, DSE_BAD_USAGE, "MPH_LEVELS=%zu: must be %d at most", h.deepest, NYSX_MPH_MAX_LEVELS);
    h.seed = add(p, "mph_seed", DSE_PACK_U64, hops, 0, 0, "seeds of the hashes");
    h.levels = add(p, "mph_levels", DSE_PACK_U32, hops, 0, 0, "levels of each hop's hash");
    h.level_begin = add(p, "mph_level_begin", DSE_PACK_U32, hops, h.deepest, 0, "first word of a hop in each level's memory");
    h.level_bits = add(p, "mph_level_bits", DSE_PACK_U32, hops, h.deepest, 0, "bits of each level");
    h.words = add(p, "mph_words", DSE_PACK_U64, h.deepest, h.room, 0, "levels, a memory each");
    h.rank = add(p, "mph_rank", DSE_PACK_U32, h.deepest * h.room, 0, 0,
                 "ones before each word in its hop, and codes of earlier hops");
    h.size = add(p, "codebook_size", DSE_PACK_U32, hops, 0, 0, "codes of each hop");
    h.code = add(p, "codebook_code", encoder->lsh.tuple ? DSE_PACK_U64 : encoder->lsh.wl ? DSE_PACK_U32 : DSE_PACK_I32, keys, 0, 0, "codes by minimal perfect index");
    place_by(p, NYSX_PLACE_CODEBOOK);
    h.bin = add(p, "codebook_bin", DSE_PACK_I32, keys, 0, 0, "their bins");
    place_by(p, NYSX_PLACE_CODEBOOK);
    for (size_t t = 0; t < hops; t++) {
        struct nysx_mph mph DSE_CLEANUP(nysx_mph_free) = {0};
        DSE_TRY(nysx_mph_build(encoder->hop[t].codebook, encoder->hop[t].codes, gamma, &mph, p->err));
        DSE_TRY(pack_hash(p, &mph, t, &h));
    }
    return expect(p, "CODEBOOK_TOTAL", h.key, l->codebook_total);
}

/* Destination of H: a slot has an entry per PE, and a round has as many slots as its longest row. PEs have a bank each, or lie side by side in
 * the words of a stream. The entry of the first PE marks the round's end. */
struct banks {
    size_t pe, room, bin_bits, last_bit;
    uint32_t *begin, *place, *narrow;
    uint64_t *wide; /* entries of more than 32 bits; otherwise NULL, and `narrow` is used */
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

/* Packs one round of `rows` rows. */
static enum dse_status pack_trip(struct packing *p, const struct nysx_csr *counts, const int32_t *order, size_t rows, struct banks *b)
{
    size_t longest = 1;
    for (size_t r = 0; r < rows; r++) {
        size_t length = (size_t)(counts->begin[order[r] + 1] - counts->begin[order[r]]);
        longest = length > longest ? length : longest;
    }
    if (b->slot + longest > b->room)
        return dse_fail(p->err, DSE_BAD_USAGE, "the model's histograms fill more than %zu slots", b->room);
    for (size_t r = 0; r < rows; r++)
        for (int32_t e = counts->begin[order[r]]; e < counts->begin[order[r] + 1]; e++)
            put_entry((uint64_t)counts->column[e] | (uint64_t)counts->count[e] << b->bin_bits,
                      b->slot + (size_t)(e - counts->begin[order[r]]), r, b);
    put_entry((uint64_t)1 << b->last_bit, b->slot + longest - 1, 0, b);
    b->slot += longest;
    return DSE_OK;
}

static void order_rows(const struct packing *p, const struct nysx_csr *counts, int32_t *lengths, int32_t *order)
{
    for (size_t r = 0; r < counts->rows; r++) {
        lengths[r] = counts->begin[r + 1] - counts->begin[r];
        order[r] = (int32_t)r;
    }
    if (knob(p, NYSX_KSE_BALANCE) != NYSX_KSE_NONE)
        nysx_schedule_order(lengths, counts->rows, order);
}

static enum dse_status pack_hop_rows(struct packing *p, size_t t, int32_t *lengths, int32_t *order, struct banks *b)
{
    const struct nysx_csr *counts = &p->model->encoder.hop[t].counts;
    order_rows(p, counts, lengths, order);
    b->begin[t] = (uint32_t)b->slot;
    for (size_t slot = 0; slot < counts->rows; slot++)
        b->place[t * counts->rows + (size_t)order[slot]] = (uint32_t)slot;
    for (size_t first = 0; first < counts->rows; first += b->pe)
        DSE_TRY(pack_trip(p, counts, order + first, counts->rows - first < b->pe ? counts->rows - first : b->pe, b));
    b->begin[t + 1] = (uint32_t)b->slot;
    return DSE_OK;
}

static enum dse_status pack_histograms(struct packing *p)
{
    const struct nysx_layout *l = p->layout;
    size_t hops = p->model->encoder.lsh.hops, landmarks = p->model->encoder.landmarks;
    struct banks b = {.pe = knob(p, NYSX_KSE_PE), .room = (size_t)l->h_slots, .bin_bits = (size_t)l->bin_bits,
                      .last_bit = (size_t)(l->bin_bits + l->h_count_bits), .stream = knob(p, NYSX_PLACE_H) == NYSX_PLACE_DDR};
    enum dse_pack_type type = b.last_bit >= 32 ? DSE_PACK_U64 : DSE_PACK_U32;
    b.begin = add(p, "h_begin", DSE_PACK_U32, hops + 1, 0, 0, "first slot of each hop");
    b.place = add(p, "h_place", DSE_PACK_U32, hops, landmarks, 0, "index of a row's sum: its iteration times the PEs, plus its PE");
    void *entries = b.stream ? add(p, "h", type, b.room * b.pe, 0, 0, "bin and count of the landmark histograms in the order of their use")
                             : add(p, "h_entries", type, b.pe, b.room, 0, "bin and count of the landmark histograms");
    place_by(p, NYSX_PLACE_H);
    b.wide = type == DSE_PACK_U64 ? entries : NULL;
    b.narrow = type == DSE_PACK_U64 ? NULL : entries;
    int32_t *order DSE_CLEANUP(dse_free_at) = dse_calloc(2 * (landmarks + 1), sizeof *order);
    for (size_t t = 0; t < hops; t++)
        DSE_TRY(pack_hop_rows(p, t, order + landmarks + 1, order, &b));
    return expect(p, "H_SLOTS", b.slot, l->h_slots);
}

/* The bits of an element of the projection in the port's format. */
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

/* P_nys in the order of its use: groups of rows; per group the landmarks ascending; per landmark its rounds. A round is a step with one row per
 * lane, 0 past the last row; the elements of steps are contiguous. `beat` elements make a word of on-chip memory, or one word of every
 * port; these words go to the ports in turn. */
struct stream {
    size_t bits, parts, ports, port_words; /* bits of an element; 32-bit parts of a word */
    size_t lanes, beat;                    /* rows of a round; elements of a beat */
    size_t rest;                           /* elements of a step of the last round; other steps have one per lane */
    uint32_t *out;
    uint64_t next; /* the first element of the next step */
    bool skips;    /* steps whose rows are all past the last are omitted */
};

static void push(struct stream *s, size_t lane, uint32_t bits)
{
    uint64_t element = s->next + lane, beat = element / s->beat, first = element % s->beat * s->bits;
    size_t port = (size_t)(first / (32 * s->parts));
    size_t at = (port * s->port_words + (size_t)beat) * s->parts;
    uint32_t mask = s->bits == 32 ? UINT32_MAX : ((uint32_t)1 << s->bits) - 1;
    s->out[at + first % (32 * s->parts) / 32] |= (bits & mask) << (first % 32);
}

/* Pushes a group of `rows` rows, of which `count` exist. `ends`: the last group, whose last round has `rest` elements. */
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
    size_t rows = (size_t)p->layout->group_rows, row_bytes = projection->columns * nysx_format(projection->precision)->npy_bytes;
    unsigned char *group DSE_CLEANUP(dse_free_at) = dse_malloc(rows * row_bytes + 1);
    for (size_t first = 0; first < projection->dim; first += rows) {
        size_t count = projection->dim - first < rows ? projection->dim - first : rows;
        for (size_t r = 0; r < count; r++)
            nysx_projection_get(projection, first + r, group + r * row_bytes);
        push_group(projection, group, count, s->skips ? count : rows, first + rows >= projection->dim, s);
    }
}

static enum dse_status pack_streamed(struct packing *p)
{
    const struct nysx_layout *l = p->layout;
    struct stream s = {.bits = (size_t)l->p_bits, .parts = knob(p, NYSX_NEE_PORT_BITS) / 32, .ports = knob(p, NYSX_NEE_PORTS),
                       .port_words = (size_t)l->p_port_words, .lanes = knob(p, NYSX_NEE_LANES), .rest = (size_t)l->p_rest,
                       .beat = (size_t)l->p_beat, .skips = true};
    s.out = add(p, "p", DSE_PACK_U32, s.ports, s.port_words, s.parts, "P_nys in the order of its use, port by port");
    p->pack->arrays[p->pack->count - 1].place = DSE_PACK_MEMORY;
    push_all(p, &s);
    return DSE_OK;
}

static enum dse_status pack_resident(struct packing *p)
{
    const struct nysx_layout *l = p->layout;
    size_t lanes = knob(p, NYSX_NEE_LANES), needed = (knob(p, NYSX_DIM) + lanes - 1) / lanes * knob(p, NYSX_LANDMARKS);
    struct stream s = {.bits = (size_t)l->p_bits, .parts = (size_t)l->p_resident_parts, .ports = 1, .port_words = (size_t)l->p_resident_words,
                       .lanes = lanes, .rest = lanes, .beat = lanes, .skips = (size_t)l->p_resident_words == needed};
    s.out = add(p, "p_resident", DSE_PACK_U32, s.port_words, s.parts, 0, "P_nys in the order of its use, one element per lane");
    place_by(p, NYSX_PLACE_P);
    p->pack->arrays[p->pack->count - 1].apart = true;
    push_all(p, &s);
    return DSE_OK;
}

/* Λ^(-1/2) Qᵀ in the order of its use, one number per lane of φ; its scale; the generators' seed. */
static enum dse_status pack_factored(struct packing *p)
{
    const struct nysx_nee *nee = &p->model->nee;
    const struct nysx_projection *map = &nee->projection;
    size_t lanes = (size_t)p->layout->phi_lanes, interleave = (size_t)p->layout->phi_interleave, groups = (size_t)p->layout->phi_groups;
    float *out = add(p, "phi_map", DSE_PACK_F32, groups * map->columns * interleave, lanes, 0,
                     "the map from C to phi in the order of its use, one number per lane");
    float *row DSE_CLEANUP(dse_free_at) = dse_malloc((map->columns + 1) * sizeof *row);
    for (size_t i = 0; i < map->dim; i++) {
        size_t group = i / (lanes * interleave), u = i / lanes % interleave;
        nysx_projection_get(map, i, row);
        for (size_t j = 0; j < map->columns; j++)
            out[((group * map->columns + j) * interleave + u) * lanes + i % lanes] = row[j];
    }
    *(float *)add(p, "phi_scale", DSE_PACK_F32, 1, 0, 0, "divisor of an element of phi") = nee->phi_scale;
    *(uint64_t *)add(p, "generator_seed", DSE_PACK_U64, 1, 0, 0, "seed of the generators of P_rp") = nee->generator_seed;
    return DSE_OK;
}

/* Initial sums of the lanes, which are minus their thresholds, round by round, with elements side by side in 32-bit parts. If the setting
 * limits their bits, the sums are in steps of a power of two. */
static enum dse_status pack_direct(struct packing *p)
{
    const struct nysx_nee *nee = &p->model->nee;
    const struct nysx_layout *l = p->layout;
    if (nee->threshold == NULL)
        return DSE_OK;
    size_t lanes = knob(p, NYSX_NEE_LANES), bits = (size_t)l->start_bits, parts = (size_t)l->start_parts;
    unsigned shift = p->model->setting.center_bits > 0 ? nysx_direct_shift(nee->threshold, nee->dim) : 0;
    uint32_t mask = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
    uint32_t *out = add(p, "start", DSE_PACK_U32, (size_t)l->direct_trips, parts, 0, "minus the threshold of each lane's element, iteration by iteration");
    for (size_t e = 0; e < nee->dim; e++) {
        int64_t start = -(int64_t)nee->threshold[e] / ((int64_t)1 << shift);
        size_t first = e % lanes * bits;
        if (start >= (int64_t)1 << (bits - 1) || start < -((int64_t)1 << (bits - 1)))
            return dse_fail(p->err, DSE_BAD_USAGE, "the threshold %d of element %zu does not fit the design's %zu bits",
                            nee->threshold[e], e, bits);
        out[e / lanes * parts + first / 32] |= ((uint32_t)start & mask) << (first % 32);
    }
    *(uint32_t *)add(p, "start_shift", DSE_PACK_U32, 1, 0, 0, "log2 of a step of the thresholds") = shift;
    return DSE_OK;
}

/* Class weights of codes, one copy after another, without the first class, whose weights are 0. */
static void pack_weights(struct packing *p)
{
    const struct nysx_prototypes *prototypes = &p->model->prototypes;
    size_t copies = (size_t)p->layout->table_copies, parts = (size_t)p->layout->table_parts, places = prototypes->places;
    if (prototypes->table == NULL)
        return;
    int16_t *out = add(p, "code_weights", DSE_PACK_I16, copies, places, parts, "class weights at the places of codes, without the first class, one copy per parallel read");
    p->pack->arrays[p->pack->count - 1].apart = true;
    for (size_t i = 0; i < copies * places; i++)
        for (size_t c = 1; c < prototypes->classes; c++)
            out[i * parts + c - 1] = prototypes->table[c * places + i % places];
    *(int32_t *)add(p, "code_weights_shift", DSE_PACK_I32, 1, 0, 0, "log2 of a step of the class weights") = prototypes->table_shift;
}

static void pack_center(struct packing *p)
{
    const struct nysx_nee *nee = &p->model->nee;
    if (nee->center != NULL)
        memcpy(add(p, "center", DSE_PACK_I32, nee->landmarks, 0, 0, "training mean of C"), nee->center, nee->landmarks * sizeof *nee->center);
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

/* The reference of a class's product: its prototype's norm or length, or its offset. */
static void pack_scores(struct packing *p)
{
    const struct nysx_prototypes *prototypes = &p->model->prototypes;
    const struct {
        const char *name;
        const void *values;
        enum dse_pack_type type;
        const char *title;
    } kinds[] = {{"prototype_offset", prototypes->bias, DSE_PACK_I32, "offset added to a class's product"},
                 {"prototype_offset", prototypes->real_bias, DSE_PACK_F32, "offset added to a class's product"},
                 {"prototype_norm", prototypes->whole != NULL ? prototypes->norm : NULL, DSE_PACK_I64, "squared norms of the prototypes"},
                 {"prototype_length", prototypes->length, DSE_PACK_F64, "lengths of the prototypes"}};
    size_t k = 0;
    while (kinds[k].values == NULL)
        k++;
    memcpy(add(p, kinds[k].name, kinds[k].type, prototypes->classes, 0, 0, kinds[k].title), kinds[k].values,
           prototypes->classes * dse_pack_type_bytes(kinds[k].type));
}

static void pack_prototypes(struct packing *p)
{
    const struct nysx_prototypes *prototypes = &p->model->prototypes;
    size_t elements = knob(p, NYSX_SCE_BITS), words = (size_t)p->layout->sce_words, parts = (size_t)p->layout->sce_parts;
    size_t bits = (size_t)prototypes->bits, classes = prototypes->classes;
    uint32_t mask = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;
    uint32_t *out = add(p, "prototypes", DSE_PACK_U32, classes, words, parts, "prototypes, element by element");
    place_by(p, NYSX_PLACE_PROTOTYPES);
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < prototypes->dim; i++) {
            size_t first = i % elements * bits;
            out[(c * words + i / elements) * parts + first / 32] |= (prototype_bits(prototypes, c, i) & mask)
                                                                    << (first % 32);
        }
    pack_scores(p);
}

static enum dse_status expect_model(const struct packing *p)
{
    static const enum nysx_knob knobs[] = {NYSX_NEE_FORM, NYSX_NEE_CENTER, NYSX_CODES, NYSX_PROTOTYPES, NYSX_PROPAGATION,
                                           NYSX_SCE_PROTOTYPE_BITS, NYSX_NEE_GENERATOR, NYSX_NEE_PHI_BITS, NYSX_NEE_PRECISION,
                                           NYSX_LANDMARKS, NYSX_DIM, NYSX_HOPS, NYSX_DRAWS, NYSX_NEE_TABLE};
    const struct nysx_model *model = p->model;
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
        const struct dse_knob *knob = &nysx_knobs.knobs[knobs[i]];
        if (knob->condition_choices == 0 || (knob->condition_choices >> p->config->value[knob->condition] & 1) != 0)
            DSE_TRY(expect_knob(p, knobs[i]));
    }
    if (model->nee.form == NYSX_FACTORED)
        DSE_TRY(expect(p, "RANK", model->nee.projection.dim, p->layout->rank));
    DSE_TRY(expect(p, "CLASSES", model->prototypes.classes, p->layout->classes));
    return expect(p, "FEATURE_COLUMNS", model->encoder.lsh.columns, p->layout->feature_columns);
}

static enum dse_status pack_all(struct packing *p)
{
    static enum dse_status (*const projections[])(struct packing *) = {[NYSX_STREAMED] = pack_streamed, [NYSX_RESIDENT] = pack_resident,
                                                                       [NYSX_FACTORED] = pack_factored, [NYSX_DIRECT] = pack_direct};
    DSE_TRY(expect_model(p));
    if (p->model->columns.kind == NYSX_CORES)
        pack_columns(p);
    pack_lsh(p);
    if (p->model->nee.form != NYSX_DIRECT) {
        DSE_TRY(pack_hashes(p));
        DSE_TRY(pack_histograms(p));
    }
    DSE_TRY(projections[p->model->nee.form](p));
    pack_center(p);
    pack_weights(p);
    pack_prototypes(p);
    return DSE_OK;
}

enum dse_status nysx_model_pack(const struct dse_model *base, const struct dse_config *config, const void *layout, struct dse_pack *out,
                                struct dse_error *err)
{
    static const char *const reads[] = {
        "nee.form", "nee.center", "codes", "prototypes", "propagation", "sce.prototype_bits", "nee.generator", "nee.phi_bits", "nee.precision",
        "landmarks", "dim", "hops", "draws", "kse.pe", "kse.balance", "mphe.gamma", "nee.lanes", "nee.ports", "nee.port_bits", "sce.bits", "place.p",
        "place.h", "place.codebook", "place.prototypes", "RANK", "CLASSES", "FEATURE_COLUMNS", "CODEBOOK_TOTAL", "MPH_LEVELS",
        "MPH_LEVEL_WORDS", "H_SLOTS", "H_ITERATIONS", "BIN_BITS", "H_COUNT_BITS", "NEE_GROUP_ROWS", "P_BITS", "P_PORT_WORDS", "P_REST",
        "P_BEAT_ELEMENTS", "P_RESIDENT_WORDS", "P_RESIDENT_PARTS", "PHI_LANES", "PHI_INTERLEAVE", "PHI_GROUPS", "NEE_TRIPS", "START_BITS", "nee.table", "nee.codes", "TABLE_COPIES", "TABLE_PARTS",
        "START_PARTS", "SCE_WORDS", "SCE_PARTS", NULL};
    struct packing p = {.model = nysx_model_of(base), .config = config, .layout = layout, .pack = out, .err = err};
    *out = (struct dse_pack){.reads = reads};
    enum dse_status status = pack_all(&p);
    if (status != DSE_OK)
        dse_pack_free(out);
    return status;
}
