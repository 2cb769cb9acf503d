/* The `rtl` verb: a model's tables in the format of the memories of models/nysx/rtl/, and the modules' parameters. The arrays are those of
 * the `pack` verb in another layout; each module's header describes its files. */
#include "executor/rtl.h"

#include <inttypes.h>
#include <string.h>

#include "models/nysx/executor/model.h"
#include "models/nysx/executor/rtl.h"
#include "executor/pack.h"
#include "models/nysx/nysx.h"

#define QUERY_PORT_BITS 128

const void *nysx_rtl_values(const struct nysx_rtl_writer *w, const char *name)
{
    for (size_t i = 0; i < w->pack->count; i++)
        if (strcmp(w->pack->arrays[i].name, name) == 0)
            return w->pack->arrays[i].values;
    return NULL;
}

size_t nysx_rtl_bits(uint64_t most)
{
    size_t bits = 1;
    while (bits < 64 && most >> bits != 0)
        bits++;
    return bits;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The table by which the hosts and the bench find the columns. */
static void add_columns(struct nysx_rtl_writer *w)
{
    const int32_t *table = nysx_rtl_values(w, "label_columns");
    dse_rtl_flag(w->out, "CORES", true, "the hosts find a node's label by its own and its degree in the 2-core in LABEL_COLUMNS");
    for (int32_t i = 0; i < 2 + table[1] * NYSX_CORE_DEGREES; i++)
        dse_strbuf_printf(&w->out->macros, "%s%" PRId32, i == 0 ? "#define NYSX_LABEL_COLUMNS {" : ", ", table[i]);
    dse_strbuf_add(&w->out->macros, "} // least label, number of labels, column by label and degree\n");
}

static void add_graph(struct nysx_rtl_writer *w)
{
    struct dse_rtl *out = w->out;
    dse_rtl_whole(out, "MAX_NODES", (size_t)w->layout->max_nodes, "nodes of the largest graph");
    dse_rtl_whole(out, "MAX_NNZ", (size_t)w->layout->max_nnz, "non-zeros of its A");
    dse_rtl_whole(out, "INDEX_BITS", (size_t)w->layout->index_bits, "bits of an index in the query");
    size_t columns = (size_t)w->layout->feature_columns; /* one more label, for labels that training never saw */
    dse_rtl_whole(out, "LABEL_BITS", columns < 256 ? 8 : 16, "bits of a label in the query");
    dse_rtl_whole(out, "FEATURE_COLUMNS", columns, "columns of F");
    dse_rtl_whole(out, "HOPS", nysx_rtl_starts(w), "starts of the LSHU: hops H; with landmarks times DRAWS");
    dse_rtl_whole(out, "DRAWS", (size_t)(w->layout->passes / w->config->value[NYSX_HOPS]), "codes per node and hop");
    dse_rtl_flag(out, "CODES_WL", w->config->value[NYSX_CODES] == NYSX_CODES_WL, "codes are Weisfeiler-Lehman colours");
    dse_rtl_flag(out, "CODES_TUPLE", w->config->value[NYSX_CODES] == NYSX_CODES_TUPLE, "codes are hashes of all columns");
    dse_rtl_flag(out, "ATTRIBUTES", !w->layout->onehot, "the query has F as single-precision numbers instead of labels");
    if (w->config->value[NYSX_FEATURES] == NYSX_CORES)
        add_columns(w);
    dse_rtl_flag(out, "ROW_NORMALISED", w->config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED, "rows of A have sum 1");
    dse_rtl_word(out, "WIDTH_BITS", 32, bits_of((float)dse_knob_number(&nysx_knobs.knobs[NYSX_WIDTH], w->config->value[NYSX_WIDTH])), "LSH width w");
    dse_rtl_flag(out, "SORTED", w->config->value[NYSX_LSHU_BALANCE] != NYSX_BALANCE_NONE && (size_t)w->config->value[NYSX_HOPS] > 1,
                 "the processor gives rows by ascending length");
    dse_rtl_whole(out, "OVERLAP", (size_t)w->config->value[NYSX_OVERLAP], "0: one graph per start; queue: 1 one graph after another, 2 last step overlaps others, 3 all steps overlap");
    dse_rtl_whole(out, "LSHU_PE", (size_t)w->config->value[NYSX_LSHU_PE], "elements of the LSHU");
}

static void add_directions(struct nysx_rtl_writer *w)
{
    size_t hops = (size_t)w->config->value[NYSX_HOPS], columns = (size_t)w->layout->feature_columns;
    const float *u = nysx_rtl_values(w, "lsh_u"), *b = nysx_rtl_values(w, "lsh_b");
    size_t table = dse_rtl_table(w->out, "lsh_u", 32, hops * columns);
    for (size_t i = 0; i < hops * columns; i++)
        dse_rtl_put(w->out, table, i, 0, 32, bits_of(u[i]));
    table = dse_rtl_table(w->out, "lsh_b", 32, hops);
    for (size_t t = 0; t < hops; t++)
        dse_rtl_put(w->out, table, t, 0, 32, bits_of(b[t]));
}

size_t nysx_rtl_starts(const struct nysx_rtl_writer *w)
{
    return (size_t)(w->config->value[NYSX_NEE_FORM] == NYSX_DIRECT ? w->config->value[NYSX_HOPS] : w->layout->passes);
}

/* u and b of nysx_tuple.sv: a word per start, round and column, with a pair per part, the first lowest. */
static void add_tuple_table(struct nysx_rtl_writer *w)
{
    size_t columns = (size_t)w->layout->feature_columns, starts = nysx_rtl_starts(w), draws = (size_t)w->layout->passes / starts;
    size_t parts = (size_t)nysx_tuple_parts(w->config), rounds = draws / parts, column_bits = columns > 1 ? nysx_rtl_bits(columns - 1) : 1;
    const float *u = nysx_rtl_values(w, "lsh_u"), *b = nysx_rtl_values(w, "lsh_b");
    size_t table = dse_rtl_table(w->out, "lsh_tuple", 64 * parts, starts * rounds << column_bits);
    for (size_t t = 0; t < starts * draws; t++)
        for (size_t j = 0; j < columns; j++) {
            size_t word = (t / parts << column_bits) + j, at = t % parts * 64;
            dse_rtl_put(w->out, table, word, at, 32, bits_of(u[t * columns + j]));
            dse_rtl_put(w->out, table, word, at + 32, 32, bits_of(b[t * columns + j]));
        }
}

static void add_lsh_tables(struct nysx_rtl_writer *w)
{
    if (w->config->value[NYSX_CODES] == NYSX_CODES_WL)
        return;
    if (w->config->value[NYSX_CODES] == NYSX_CODES_TUPLE)
        add_tuple_table(w);
    else
        add_directions(w);
    if (w->config->value[NYSX_PROPAGATION] != NYSX_PROPAGATION_ROW_NORMALISED)
        return;
    size_t nodes = (size_t)w->layout->max_nodes, nnz = (size_t)w->layout->max_nnz;
    size_t degrees = nodes < nnz ? nodes : nnz, table = dse_rtl_table(w->out, "reciprocal", 32, degrees + 1);
    for (size_t d = 1; d <= degrees; d++)
        dse_rtl_put(w->out, table, d, 0, 32, bits_of(1.0f / (float)d));
}

/* Elements of the prototypes, in two's complement; ±1 at one bit. */
struct elements {
    const uint32_t *parts;
    size_t bits, a_word, words, parts_a_word; /* bits of an element; elements of a word; words of a class; 32-bit parts of a word */
};

static uint32_t stored(const struct elements *e, size_t c, size_t i)
{
    size_t first = i % e->a_word * e->bits;
    uint32_t part = e->parts[(c * e->words + i / e->a_word) * e->parts_a_word + first / 32];
    return part >> first % 32 & (((uint32_t)1 << e->bits) - 1);
}

static int64_t element(const struct elements *e, size_t c, size_t i)
{
    uint32_t half = (uint32_t)1 << (e->bits - 1), value = stored(e, c, i);
    return e->bits == 1 ? (value != 0 ? 1 : -1) : (int64_t)(value ^ half) - half;
}

/* Rows that are read at once lie side by side, the lowest class lowest; a row has the bit planes of its elements. */
static void add_planes(struct nysx_rtl_writer *w, const struct elements *e, size_t classes, size_t rows)
{
    size_t row_bits = e->bits * e->a_word;
    size_t table = dse_rtl_table(w->out, "prototypes", rows * row_bits, (classes + rows - 1) / rows * e->words);
    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < e->words * e->a_word; i++)
            for (size_t k = 0; k < e->bits; k++)
                dse_rtl_put(w->out, table, c / rows * e->words + i / e->a_word,
                            c % rows * row_bits + k * e->a_word + i % e->a_word, 1, stored(e, c, i) >> k & 1);
}

/* value: subtracted from twice the sum of a class (nysx_sce.sv). It is the sum of the prototype's elements (0 at one bit) minus the offset. extent:
 * upper bound of the difference's magnitude. Elements past the dimension are 0 or, at one bit, equal in all classes. */
struct constant {
    int64_t value;
    uint64_t extent;
};

static struct constant constant_of(const struct nysx_rtl_writer *w, const struct elements *e, size_t c)
{
    const int32_t *offset = nysx_rtl_values(w, "prototype_offset");
    int64_t added = offset != NULL ? offset[c] : 0, sum = 0, extent = added < 0 ? -added : added;
    if (e->bits == 1)
        return (struct constant){-added, (uint64_t)(extent + 2 * (int64_t)(e->words * e->a_word))};
    for (size_t i = 0; i < (size_t)w->config->value[NYSX_DIM]; i++) {
        int64_t g = element(e, c, i);
        sum += g;
        extent += g < 0 ? -g : g;
    }
    return (struct constant){sum - added, (uint64_t)extent};
}

/* Constants in words wide enough for values up to `most`, with `beside` added to the classes' own. */
static size_t add_constants(struct nysx_rtl_writer *w, const struct elements *e, size_t classes, uint64_t most, uint64_t beside)
{
    for (size_t c = 0; c < classes; c++) {
        uint64_t extent = constant_of(w, e, c).extent + beside;
        most = extent > most ? extent : most;
    }
    size_t bits = nysx_rtl_bits(most) + 1, table = dse_rtl_table(w->out, "prototype_constants", bits, classes);
    for (size_t c = 0; c < classes; c++)
        dse_rtl_put(w->out, table, c, 0, bits, (uint64_t)constant_of(w, e, c).value);
    return bits;
}

static size_t add_norms(struct nysx_rtl_writer *w, size_t classes, uint64_t longest)
{
    const int64_t *norm = nysx_rtl_values(w, "prototype_norm");
    for (size_t c = 0; c < classes; c++)
        longest = (uint64_t)norm[c] > longest ? (uint64_t)norm[c] : longest;
    size_t bits = nysx_rtl_bits(longest), table = dse_rtl_table(w->out, "prototype_norms", bits, classes);
    for (size_t c = 0; c < classes; c++)
        dse_rtl_put(w->out, table, c, 0, bits, norm[c] > 0 ? (uint64_t)norm[c] : 1);
    return bits;
}

static void add_classes(struct nysx_rtl_writer *w)
{
    struct dse_rtl *out = w->out;
    size_t classes = (size_t)w->layout->classes, rows = (size_t)w->layout->sce_rows;
    struct elements e = {.parts = nysx_rtl_values(w, "prototypes"), .bits = (size_t)w->layout->prototype_bits,
                         .a_word = (size_t)w->config->value[NYSX_SCE_BITS], .words = (size_t)w->layout->sce_words,
                         .parts_a_word = (size_t)w->layout->sce_parts};
    dse_rtl_whole(out, "CLASSES", classes, "classes C");
    dse_rtl_whole(out, "SCE_BITS", e.a_word, "elements of a prototype per cycle");
    dse_rtl_whole(out, "SCE_ROWS", rows, "prototypes at once");
    dse_rtl_whole(out, "PROTOTYPE_BITS", e.bits, "bits of an element of a prototype");
    dse_rtl_text(out, "PLACE_PROTOTYPES", nysx_rtl_style(w->config, NYSX_PLACE_PROTOTYPES), "memory of the prototypes");
    add_planes(w, &e, classes, rows);
    /* A cosine's widths fit any prototypes, because its cycles follow from them. */
    bool offsets = nysx_rtl_values(w, "prototype_offset") != NULL, cosine = !offsets && e.bits > 1;
    uint64_t most = ((uint64_t)1 << (e.bits - 1)) - 1, dim = (size_t)w->config->value[NYSX_DIM], weights = nysx_rtl_weights_most(w);
    uint64_t beside = weights > 0 ? weights << *(const int32_t *)nysx_rtl_values(w, "code_weights_shift") : 0;
    size_t value_bits = offsets || cosine ? add_constants(w, &e, classes, cosine ? dim * most : 0, beside) : nysx_rtl_bits(e.words * e.a_word) + 1;
    dse_rtl_flag(out, "PROTOTYPE_OFFSETS", offsets, "an offset is added to a class's product");
    dse_rtl_whole(out, "SCE_VALUE_BITS", value_bits, "bits of a class's value");
    dse_rtl_whole(out, "SCE_NORM_BITS", cosine ? add_norms(w, classes, dim * most * most) : 1,
                  "bits of a prototype's squared length");
}

const char *nysx_rtl_style(const struct dse_config *config, enum nysx_knob place)
{
    int64_t value = config->value[place];
    return value == NYSX_PLACE_LUTRAM ? "distributed" : value == NYSX_PLACE_BRAM ? "block" : "auto";
}

/* Configurations that the RTL lacks. */
static const struct {
    enum nysx_knob knob;
    int64_t value;
    const char *instead;
} rejected[] = {
    {NYSX_NEE_PHI_BITS, 3, "8, 16 or 32"},
    {NYSX_LSHU_BALANCE, NYSX_BALANCE_PL, "ps or none: the processor gives rows in order"},
    {NYSX_SCE_PROTOTYPE_BITS, 4, "1, 2, 4 or 8"},
    {NYSX_PLACE_P, NYSX_PLACE_URAM, "bram: the RTL cannot load memories"},
    {NYSX_PLACE_H, NYSX_PLACE_URAM, "bram or lutram: nothing is loaded"},
    {NYSX_PLACE_H, NYSX_PLACE_DDR, "bram or lutram"},
    {NYSX_PLACE_CODEBOOK, NYSX_PLACE_URAM, "bram or lutram: nothing is loaded"},
    {NYSX_PLACE_PROTOTYPES, NYSX_PLACE_URAM, "bram or lutram: nothing is loaded"},
};

static bool matters(const struct dse_config *config, enum nysx_knob index)
{
    const struct dse_knob *knob = &nysx_knobs.knobs[index];
    if (index == NYSX_LSHU_BALANCE)
        return config->value[NYSX_HOPS] > 1;
    return knob->condition_choices == 0 || (knob->condition_choices >> config->value[knob->condition] & 1) != 0;
}

enum dse_status nysx_rtl_check(const struct dse_config *config, bool onehot, int64_t index_bits, struct dse_error *err)
{
    for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
        const struct dse_knob *knob = &nysx_knobs.knobs[rejected[i].knob];
        if (config->value[rejected[i].knob] == rejected[i].value && matters(config, rejected[i].knob))
            return dse_fail(err, DSE_ANSWER_NO, "%s=%s: not in the RTL; must be %s", knob->name, knob->choices[rejected[i].value], rejected[i].instead);
    }
    if (nysx_rejected(config) != NULL)
        return dse_fail(err, DSE_ANSWER_NO, "%s", nysx_rejected(config));
    long long pe = config->value[NYSX_LSHU_PE], indices = QUERY_PORT_BITS / index_bits;
    long long lanes = config->value[NYSX_NEE_LANES], bits = config->value[NYSX_SCE_BITS];
    const char *stream = nysx_rtl_port_rejected(config) != NULL ? nysx_rtl_port_rejected(config) : nysx_rtl_steps_rejected(config);
    if (stream != NULL)
        return dse_fail(err, DSE_ANSWER_NO, "%s", stream);
    if (!onehot && config->value[NYSX_CODES] != NYSX_CODES_TUPLE)
        return dse_fail(err, DSE_ANSWER_NO, "features: the RTL takes attributes for codes=tuple only; others take labels");
    if (pe > indices)
        return dse_fail(err, DSE_ANSWER_NO, "lshu.pe=%lld: the RTL has at most %lld, the indices of a port's word", pe, indices);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT && config->value[NYSX_NEE_MERGE] != 0)
        return dse_fail(err, DSE_ANSWER_NO, "nee.merge: the RTL processes every node's code separately; must be none");
    if (lanes % 8 != 0 && config->value[NYSX_NEE_FORM] == NYSX_FACTORED)
        return dse_fail(err, DSE_ANSWER_NO, "nee.lanes=%lld: the generators of the RTL have eight lanes each", lanes);
    if (lanes % bits != 0 && bits % lanes != 0)
        return dse_fail(err, DSE_ANSWER_NO, "nee.lanes=%lld, sce.bits=%lld: one must divide the other in the RTL", lanes, bits);
    return DSE_OK;
}

#define QUERY_NOTE                                                                                                                                    \
    "A query lies in memory as three arrays, each from a multiple of 16 bytes on. Row pointers and neighbours of A have INDEX_BITS each, labels "      \
    "LABEL_BITS each. Where ATTRIBUTES is 1, F replaces the labels: single-precision numbers, column by column, each column padded to a multiple of " \
    "4 and of LSHU_PE nodes. Where SORTED is 1, the processor numbers the nodes by ascending row length; a row keeps the order of its neighbours. "

static void write(struct nysx_rtl_writer *w)
{
#define SHELL(top) \
    {top, "shell"}, {"nysx_axi_lite", "shell"}, {"nysx_axi_read", "lshu"}, {"nysx_query", "lshu"}, {"nysx_lshu", "lshu"}, \
    {"nysx_sce", "sce"}
#define LANDMARKS(top) SHELL(top), {"nysx_mphe", "mphe"}, {"nysx_hue", "hue"}, {"nysx_kse", "kse"}, {"nysx_nee", "nee"}
    enum { MODULES_MOST = 16 }; /* with a NULL at the end; lists without and with units that convert values to codes */
#define FORMS(top) \
    [NYSX_DIRECT] = {{SHELL(top), {"nysx_direct", "nee"}}, {SHELL(top), {"nysx_direct", "nee"}, {"nysx_codes", "nee"}}}, \
    [NYSX_FACTORED] = {{LANDMARKS(top), {"nysx_phi", "nee"}, {"nysx_generator", "nee"}}, \
                       {LANDMARKS(top), {"nysx_phi", "nee"}, {"nysx_generator", "nee"}, {"nysx_codes", "mphe"}}}, \
    [NYSX_RESIDENT] = {{LANDMARKS(top), {"nysx_resident", "nee"}}, {LANDMARKS(top), {"nysx_resident", "nee"}, {"nysx_codes", "mphe"}}}, \
    [NYSX_STREAMED] = {{LANDMARKS(top), {"nysx_streamed", "nee"}}, {LANDMARKS(top), {"nysx_streamed", "nee"}, {"nysx_codes", "mphe"}}}
    static const struct dse_rtl_module forms[][4][2][MODULES_MOST] = {{FORMS("nysx_top")}, {FORMS("nysx_stream")}};
    static const char *const stages[] = {"prepare", "query", "propagate", "lookup", "histogram", "similarity", "encode", "classify",
                                         NULL};
#define REGISTERS_HEAD \
        {"CONTROL", 0x00, "write bit 0: start; write bit 1: clear done; read bit 0: busy, bit 1: done, until cleared or started again"}, \
        {"ANSWER", 0x04, "read: the class; -1 too many nodes, -2 too many non-zeros, -3 no graph, -5 the bus answered with an error"}, \
        {"NODES", 0x08, "write, read: nodes of the query"}, \
        {"NONZEROS", 0x0c, "write, read: non-zeros of the query"}, \
        {"ADDRESS", 0x10, "write, read: address of the query, a multiple of 16"}, \
        {"ADDRESS_HIGH", 0x14, "write, read: its upper half"}, \
        {"INTERRUPT", 0x18, "write, read bit 0: done is an interrupt"},
#define REGISTERS_STREAM \
        {"P_ADDRESS", 0x20, "write only: address of P_nys, a multiple of 4096"}, \
        {"P_ADDRESS_HIGH", 0x24, "write only: its upper half"},
#define REGISTERS_TAIL \
        {"CYCLES_QUERY", 0x20, "read: cycles of the last query in a stage: query"}, \
        {"CYCLES_PROPAGATE", 0x24, "read: propagate"}, \
        {"CYCLES_LOOKUP", 0x28, "read: lookup"}, \
        {"CYCLES_HISTOGRAM", 0x2c, "read: histogram"}, \
        {"CYCLES_SIMILARITY", 0x30, "read: similarity"}, \
        {"CYCLES_ENCODE", 0x34, "read: encode"}, \
        {"CYCLES_CLASSIFY", 0x38, "read: classify"}, \
        {"PROBES", 0x3c, "read: probes of the MPHE in the last query"}, \
        {NULL, 0, NULL}
#define REGISTER_QUEUE {"TAIL", 0x1c, "write: descriptors handed over since the ring's address or size was written; read: answers since then"},
    enum { REGISTERS_MOST = 24 };
    static const struct dse_rtl_register registers[2][2][REGISTERS_MOST] = { /* by queue, stream */
        {{REGISTERS_HEAD REGISTERS_TAIL}, {REGISTERS_HEAD REGISTERS_STREAM REGISTERS_TAIL}},
        {{REGISTERS_HEAD REGISTER_QUEUE REGISTERS_TAIL}, {REGISTERS_HEAD REGISTER_QUEUE REGISTERS_STREAM REGISTERS_TAIL}}};
    static const char *const hosts[][4] = {{"host.py", "host.c", NULL}, {"host.py", "host.c", "nysx_cores.h", NULL}}; /* by features=cores */
    bool queued = w->config->value[NYSX_OVERLAP] != NYSX_OVERLAP_NONE, streamed = w->config->value[NYSX_NEE_FORM] == NYSX_STREAMED;
    w->out->top = queued ? "nysx_stream" : "nysx_top";
    w->out->ip = queued ? "nysx_stream_ip" : "nysx_ip";
    w->out->registers = registers[queued][streamed];
    w->out->within = streamed ? "nysx_streamed" : NULL;
    w->out->port = streamed ? "m_axi_p" : NULL;
    w->out->port_bits = streamed ? (size_t)w->config->value[NYSX_NEE_PORT_BITS] : 0;
    w->out->port_memory = streamed ? w->layout->p_memory : 0;
    w->out->hosts = hosts[w->config->value[NYSX_FEATURES] == NYSX_CORES];
    w->out->bench = "bench.cpp";
    w->out->once = w->config->value[NYSX_NEE_FORM] == NYSX_DIRECT ? "nysx_direct_lane" : "nysx_nee_lane";
    w->out->notes = QUERY_NOTE "`query_of` in the hosts and the bench makes these arrays.";
    if (queued)
        dse_strbuf_printf(&w->out->macros, "#define NYSX_RING %" PRId64 " // descriptors of the hosts' ring, of which half hold --batch graphs\n", w->layout->ring_slots);
    if (queued)
        w->out->notes = QUERY_NOTE "A ring of NODES descriptors lies at ADDRESS, 32 bytes each: the query's address (64 bits), its nodes, its non-zeros (32 bits each); "
                        "then the answer and its number (32 bits each, from 1). The accelerator writes these two. TAIL is how many descriptors were handed over. The "
                        "interrupt comes when all are answered.";
    bool listed = w->config->value[NYSX_NEE_FORM] == NYSX_DIRECT;
    w->out->modules = forms[queued][w->config->value[NYSX_NEE_FORM]][w->config->value[NYSX_CODES] != NYSX_CODES_WL];
    w->out->stages = stages;
    add_graph(w);
    add_lsh_tables(w);
    if (!listed) {
        nysx_rtl_add_hashes(w);
        nysx_rtl_add_histograms(w);
    }
    nysx_rtl_add_projection(w);
    add_classes(w);
}

enum dse_status nysx_model_rtl(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_rtl *out,
                               struct dse_error *err)
{
    struct nysx_layout own = *(const struct nysx_layout *)layout;
    struct dse_pack pack DSE_CLEANUP(dse_pack_free) = {0};
    struct nysx_rtl_writer w = {.config = config, .layout = &own, .pack = &pack, .out = out};
    *out = (struct dse_rtl){0};
    if (config->value[NYSX_NEE_FORM] == NYSX_FACTORED) { /* rounds of the RTL's own single-precision lanes */
        own.phi_interleave = NYSX_RTL_PHI_INTERLEAVE;
        own.phi_groups = (own.rank + own.phi_lanes * own.phi_interleave - 1) / (own.phi_lanes * own.phi_interleave);
    }
    if (config->value[NYSX_NEE_FORM] == NYSX_STREAMED || config->value[NYSX_NEE_FORM] == NYSX_RESIDENT) { /* groups of the RTL's slots; every step is full */
        struct nysx_trips trips = nysx_p_trips(config, nysx_rtl_slots(config));
        int64_t word = config->value[NYSX_NEE_PORT_BITS];
        own.p_rest = config->value[NYSX_NEE_LANES];
        own.group_rows = trips.of_group * own.p_rest;
        own.p_resident_words = trips.all * config->value[NYSX_LANDMARKS];
        own.p_port_words = (own.p_resident_words * own.p_rest * own.p_bits + word - 1) / word;
    }
    DSE_TRY(nysx_rtl_check(config, own.onehot != 0, own.index_bits, err));
    DSE_TRY(nysx_model_pack(model, config, &own, &pack, err));
    write(&w);
    return DSE_OK;
}
