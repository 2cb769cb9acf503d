/* The `rtl` verb: a model's tables as the memories of models/nysx/rtl/ hold them, and the parameters that its modules are made
 * with. The arrays are those of the `pack` verb, laid out anew; each module's header says what its files hold. */
#include "executor/rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/nysx/executor/model.h"
#include "models/nysx/executor/rtl.h"
#include "executor/pack.h"

#define QUERY_PORT_BITS 128

static const struct dse_pack_array *array(const struct nysx_rtl_writer *w, const char *name)
{
    for (size_t i = 0; i < w->pack->count; i++)
        if (strcmp(w->pack->arrays[i].name, name) == 0)
            return &w->pack->arrays[i];
    return NULL;
}

const void *nysx_rtl_values(const struct nysx_rtl_writer *w, const char *name)
{
    const struct dse_pack_array *found = array(w, name);
    return found != NULL ? found->values : NULL;
}

size_t nysx_rtl_number(const struct nysx_rtl_writer *w, const char *name)
{
    const char *text = dse_setting_get(w->layout, name);
    return text != NULL ? (size_t)strtoull(text, NULL, 10) : 0;
}

bool nysx_rtl_says(const struct nysx_rtl_writer *w, const char *name, const char *word)
{
    const char *text = dse_setting_get(w->layout, name);
    return text != NULL && strcmp(text, word) == 0;
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

static void add_graph(struct nysx_rtl_writer *w)
{
    struct dse_rtl *out = w->out;
    const char *width = dse_setting_get(w->layout, "width");
    dse_rtl_whole(out, "MAX_NODES", nysx_rtl_number(w, "MAX_NODES"), "nodes of the largest graph");
    dse_rtl_whole(out, "MAX_NNZ", nysx_rtl_number(w, "MAX_NNZ"), "non-zeros of its A");
    dse_rtl_whole(out, "INDEX_BITS", nysx_rtl_number(w, "INDEX_BITS"), "bits of an index as it comes");
    size_t columns = nysx_rtl_number(w, "FEATURE_COLUMNS"); /* one more label says that training never saw it */
    dse_rtl_whole(out, "LABEL_BITS", columns < 256 ? 8 : 16, "bits of a label as it comes");
    dse_rtl_whole(out, "FEATURE_COLUMNS", columns, "columns of F");
    dse_rtl_whole(out, "HOPS", nysx_rtl_number(w, "hops"), "hops H");
    dse_rtl_flag(out, "CODES_WL", nysx_rtl_says(w, "codes", "wl"), "codes are Weisfeiler-Lehman colours");
    dse_rtl_flag(out, "ROW_NORMALISED", nysx_rtl_says(w, "propagation", "row-normalised"), "rows of A have sum 1");
    dse_rtl_word(out, "WIDTH_BITS", 32, bits_of((float)strtod(width != NULL ? width : "1", NULL)), "LSH width w");
    dse_rtl_flag(out, "SORTED", !nysx_rtl_says(w, "lshu.balance", "none") && nysx_rtl_number(w, "hops") > 1,
                 "the processor gives rows by ascending length");
    dse_rtl_whole(out, "LSHU_PE", nysx_rtl_number(w, "lshu.pe"), "elements of the LSHU");
}

static void add_lsh_tables(struct nysx_rtl_writer *w)
{
    if (nysx_rtl_says(w, "codes", "wl"))
        return;
    size_t hops = nysx_rtl_number(w, "hops"), columns = nysx_rtl_number(w, "FEATURE_COLUMNS");
    const float *u = nysx_rtl_values(w, "lsh_u"), *b = nysx_rtl_values(w, "lsh_b");
    size_t table = dse_rtl_table(w->out, "lsh_u", 32, hops * columns);
    for (size_t i = 0; i < hops * columns; i++)
        dse_rtl_put(w->out, table, i, 0, 32, bits_of(u[i]));
    table = dse_rtl_table(w->out, "lsh_b", 32, hops);
    for (size_t t = 0; t < hops; t++)
        dse_rtl_put(w->out, table, t, 0, 32, bits_of(b[t]));
    if (!nysx_rtl_says(w, "propagation", "row-normalised"))
        return;
    size_t nodes = nysx_rtl_number(w, "MAX_NODES"), nnz = nysx_rtl_number(w, "MAX_NNZ");
    size_t degrees = nodes < nnz ? nodes : nnz;
    table = dse_rtl_table(w->out, "reciprocal", 32, degrees + 1);
    for (size_t d = 1; d <= degrees; d++)
        dse_rtl_put(w->out, table, d, 0, 32, bits_of(1.0f / (float)d));
}

/* The bits of an element of a prototype, and their number in two's complement; of one bit ±1. */
struct elements {
    const uint32_t *parts;
    size_t bits, a_word, words, parts_a_word; /* of an element; elements of a word; words of a class; 32-bit parts of a word */
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

/* The rows that are read at once side by side, the lowest class lowest; of each the planes of its elements' bits. */
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

/* What is taken off twice the sum of a class (nysx_sce.sv): what a hypervector of -1 everywhere has, less the offset; and how
 * large the difference may be. Elements past the dimension are zero or, of one bit, alike in all classes. */
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
    for (size_t i = 0; i < nysx_rtl_number(w, "dim"); i++) {
        int64_t g = element(e, c, i);
        sum += g;
        extent += g < 0 ? -g : g;
    }
    return (struct constant){sum - added, (uint64_t)extent};
}

/* Of words for values to `most` and more. */
static size_t add_constants(struct nysx_rtl_writer *w, const struct elements *e, size_t classes, uint64_t most)
{
    for (size_t c = 0; c < classes; c++) {
        uint64_t extent = constant_of(w, e, c).extent;
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
    size_t classes = nysx_rtl_number(w, "CLASSES"), rows = nysx_rtl_number(w, "SCE_ROWS");
    struct elements e = {.parts = nysx_rtl_values(w, "prototypes"), .bits = nysx_rtl_number(w, "sce.prototype_bits"),
                         .a_word = nysx_rtl_number(w, "sce.bits"), .words = nysx_rtl_number(w, "SCE_WORDS"),
                         .parts_a_word = nysx_rtl_number(w, "SCE_PARTS")};
    dse_rtl_whole(out, "CLASSES", classes, "classes C");
    dse_rtl_whole(out, "SCE_BITS", e.a_word, "elements of a prototype a cycle");
    dse_rtl_whole(out, "SCE_ROWS", rows, "prototypes at once");
    dse_rtl_whole(out, "PROTOTYPE_BITS", e.bits, "bits of an element of a prototype");
    dse_rtl_text(out, "PLACE_PROTOTYPES", nysx_rtl_style(w, "place.prototypes"), "memory of the prototypes");
    add_planes(w, &e, classes, rows);
    /* A cosine's widths are those of any prototypes, since its cycles follow from them. */
    bool offsets = nysx_rtl_values(w, "prototype_offset") != NULL, cosine = !offsets && e.bits > 1;
    uint64_t most = ((uint64_t)1 << (e.bits - 1)) - 1, dim = nysx_rtl_number(w, "dim");
    size_t value_bits = offsets || cosine ? add_constants(w, &e, classes, cosine ? dim * most : 0) : nysx_rtl_bits(e.words * e.a_word) + 1;
    dse_rtl_flag(out, "PROTOTYPE_OFFSETS", offsets, "an offset is added to a class's product");
    dse_rtl_whole(out, "SCE_VALUE_BITS", value_bits, "bits of a class's value");
    dse_rtl_whole(out, "SCE_NORM_BITS", cosine ? add_norms(w, classes, dim * most * most) : 1,
                  "bits of a prototype's squared length");
}

const char *nysx_rtl_style(const struct nysx_rtl_writer *w, const char *knob)
{
    return nysx_rtl_says(w, knob, "lutram") ? "distributed" : nysx_rtl_says(w, knob, "bram") ? "block" : "auto";
}

/* What the RTL has and has not. */
static const struct {
    const char *name, *value, *instead;
} refused[] = {
    {"nee.form", "streamed", "resident, factored or direct"},
    {"nee.precision", "fp32", "a whole-number precision"},
    {"nee.precision", "fp16", "a whole-number precision"},
    {"nee.precision", "bf16", "a whole-number precision"},
    {"nee.phi_bits", "fp32", "8, 16 or 32"},
    {"codes", "tuple", "scalar or wl"},
    {"lshu.balance", "pl", "ps or none: the processor gives rows in order"},
    {"sce.prototype_bits", "32", "1, 2, 4 or 8"},
    {"place.p", "uram", "bram: nothing is loaded"},
    {"place.h", "uram", "bram or lutram: nothing is loaded"},
    {"place.h", "ddr", "bram or lutram"},
    {"place.codebook", "uram", "bram or lutram: nothing is loaded"},
    {"place.prototypes", "uram", "bram or lutram: nothing is loaded"},
};

static bool matters(const struct nysx_rtl_writer *w, const char *name)
{
    bool factored = nysx_rtl_says(w, "nee.form", "factored"), direct = nysx_rtl_says(w, "nee.form", "direct");
    if (strcmp(name, "nee.precision") == 0)
        return !factored && !direct;
    if (strcmp(name, "place.h") == 0 || strcmp(name, "place.codebook") == 0)
        return !direct;
    if (strcmp(name, "nee.phi_bits") == 0)
        return factored;
    if (strcmp(name, "lshu.balance") == 0)
        return nysx_rtl_number(w, "hops") > 1;
    return strcmp(name, "place.p") != 0 || nysx_rtl_says(w, "nee.form", "resident");
}

enum dse_status nysx_rtl_check(const struct dse_setting *layout, struct dse_error *err)
{
    const struct nysx_rtl_writer writer = {.layout = layout, .err = err}, *w = &writer;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (nysx_rtl_says(w, refused[i].name, refused[i].value) && matters(w, refused[i].name))
            return dse_fail(w->err, DSE_ANSWER_NO, "%s=%s: the RTL has it not; must be %s", refused[i].name,
                            refused[i].value, refused[i].instead);
    if (nysx_rtl_number(w, "FEATURE_ONEHOT") == 0)
        return dse_fail(w->err, DSE_ANSWER_NO, "features: the RTL takes labels, not attributes");
    size_t pe = nysx_rtl_number(w, "lshu.pe"), indices = QUERY_PORT_BITS / nysx_rtl_number(w, "INDEX_BITS");
    if (pe > indices)
        return dse_fail(w->err, DSE_ANSWER_NO, "lshu.pe=%zu: the RTL has at most %zu, the indices of a port's word", pe,
                        indices);
    size_t lanes = nysx_rtl_number(w, "nee.lanes"), bits = nysx_rtl_number(w, "sce.bits");
    if (nysx_rtl_says(w, "nee.form", "direct") && !nysx_rtl_says(w, "nee.merge", "none"))
        return dse_fail(w->err, DSE_ANSWER_NO, "nee.merge: the RTL takes every node's code by itself; must be none");
    if (lanes % 8 != 0 && nysx_rtl_says(w, "nee.form", "factored"))
        return dse_fail(w->err, DSE_ANSWER_NO, "nee.lanes=%zu: the generators of the RTL have eight lanes each", lanes);
    if (lanes % bits != 0 && bits % lanes != 0)
        return dse_fail(w->err, DSE_ANSWER_NO, "nee.lanes=%zu, sce.bits=%zu: one must divide the other in the RTL", lanes,
                        bits);
    return DSE_OK;
}

static enum dse_status write(struct nysx_rtl_writer *w)
{
#define SHELL \
    {"nysx_top", "shell"}, {"nysx_axi_lite", "shell"}, {"nysx_axi_read", "lshu"}, {"nysx_query", "lshu"}, {"nysx_lshu", "lshu"}, \
    {"nysx_sce", "sce"}
#define LANDMARKS SHELL, {"nysx_mphe", "mphe"}, {"nysx_hue", "hue"}, {"nysx_kse", "kse"}, {"nysx_nee", "nee"}
    enum { MODULES_MOST = 16 }; /* a NULL behind the last among them */
    static const struct dse_rtl_module forms[][2][MODULES_MOST] = { /* without and with units that make codes of values */
        {{SHELL, {"nysx_direct", "nee"}}, {SHELL, {"nysx_direct", "nee"}, {"nysx_codes", "nee"}}},
        {{LANDMARKS, {"nysx_phi", "nee"}, {"nysx_generator", "nee"}},
         {LANDMARKS, {"nysx_phi", "nee"}, {"nysx_generator", "nee"}, {"nysx_codes", "mphe"}}},
        {{LANDMARKS, {"nysx_resident", "nee"}}, {LANDMARKS, {"nysx_resident", "nee"}, {"nysx_codes", "mphe"}}}};
    static const char *const stages[] = {"query", "propagate", "lookup", "histogram", "similarity", "encode", "classify",
                                         NULL};
    w->out->top = "nysx_top";
    w->out->bench = "bench.cpp";
    bool listed = nysx_rtl_says(w, "nee.form", "direct");
    w->out->modules = forms[listed ? 0 : nysx_rtl_says(w, "nee.form", "factored") ? 1 : 2][!nysx_rtl_says(w, "codes", "wl")];
    w->out->stages = stages;
    add_graph(w);
    add_lsh_tables(w);
    if (!listed) {
        nysx_rtl_add_hashes(w);
        nysx_rtl_add_histograms(w);
    }
    nysx_rtl_add_projection(w);
    add_classes(w);
    return DSE_OK;
}

/* The layout with the turn of the RTL's own lanes of single precision. */
static enum dse_status own_layout(const struct dse_setting *layout, struct dse_setting *out, struct dse_error *err)
{
    struct nysx_rtl_writer w = {.layout = layout};
    size_t lanes = nysx_rtl_number(&w, "PHI_LANES"), rank = nysx_rtl_number(&w, "RANK"), rows = lanes * NYSX_RTL_PHI_TURN;
    char groups[24], turn[24];
    DSE_TRY(dse_setting_copy(layout, out, err));
    if (!nysx_rtl_says(&w, "nee.form", "factored"))
        return DSE_OK;
    snprintf(groups, sizeof groups, "%zu", (rank + rows - 1) / rows);
    snprintf(turn, sizeof turn, "%d", NYSX_RTL_PHI_TURN);
    DSE_TRY(dse_setting_put(out, "PHI_TURN", turn, err));
    return dse_setting_put(out, "PHI_GROUPS", groups, err);
}

enum dse_status nysx_model_rtl(const struct dse_model *model, const struct dse_setting *layout, struct dse_rtl *out,
                               struct dse_error *err)
{
    struct dse_setting own = {0};
    struct dse_pack pack = {0};
    struct nysx_rtl_writer w = {.layout = &own, .pack = &pack, .out = out, .err = err};
    *out = (struct dse_rtl){0};
    enum dse_status status = own_layout(layout, &own, err);
    if (status == DSE_OK)
        status = nysx_rtl_check(&own, err);
    if (status == DSE_OK)
        status = nysx_model_pack(model, &own, &pack, err);
    if (status == DSE_OK)
        status = write(&w);
    if (status != DSE_OK)
        dse_rtl_free(out);
    dse_pack_free(&pack);
    dse_setting_free(&own);
    return status;
}
