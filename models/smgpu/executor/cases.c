/* The `cases` verb: instructions for the test bench of models/smgpu/rtl/. They are those of the task's programs, and of an extra program with the
 * remaining ones. Each has the words to load into an engine's buffers, its parameters, its expected results and the cycles of `simulate`. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "models/smgpu/executor/call.h"
#include "models/smgpu/executor/rtl.h"
#include "models/smgpu/executor/vectors.h"

#define PARAMETERS 12
#define EXTRAS 3 /* graphs that run the extra program */
#define GRAPHS_MOST 64 /* a graph's vectors take about a megabyte of the file */
#define LAST_OF_ROW (UINT64_C(1) << 62)
#define EMPTY_ROW (UINT64_C(1) << 63)
#define DIAGONAL (UINT32_C(1) << 30)
#define LAST (UINT32_C(1) << 31)

/* Every instruction of the engines that the task does not use, and lengths around a word and a row of the banks. */
static const char extra[] =
    "SPECTRAL.COMPUTE_LAP A -> L\nSPECTRAL.EIGEN_DECOMP L x iterations=3 -> w\nSPECTRAL.EIGEN_DECOMP L w iterations=0 -> w0\n"
    "SPECTRAL.SPECTRAL_CONV L w theta -> c\nSPECTRAL.SPECTRAL_CONV A w theta -> c1\nSPECTRAL.WAVELET_XFORM L w order=0 -> c2\n"
    "SPECTRAL.GFT_FORWARD L w -> f\nSPECTRAL.GFT_INVERSE L f -> i\n"
    "SPECTRAL.COMPUTE_LAP A -> M precision_q\nSPECTRAL.EIGEN_DECOMP M x iterations=2 -> u precision_q\n"
    "SPECTRAL.SPECTRAL_CONV M u theta -> d precision_q\nSPECTRAL.EIGEN_DECOMP A wide iterations=2 -> o precision_q\n"
    "SPECTRAL.SPECTRAL_CONV A wide theta -> p\nSPECTRAL.EIGEN_DECOMP A wide iterations=1 -> r\n"
    "HD.GENERATE dim=999 seed=0x1234 count=4 -> V\nHD.PERMUTE V by=-77 dim=999 -> Q\nHD.UNBIND V Q dim=999 -> U\nHD.BUNDLE U dim=999 -> m\n"
    "HD.SIMILARITY m m dim=999 -> s\nHD.GENERATE dim=999 count=1 -> one\nHD.BIND V one dim=999 -> T\nHD.BUNDLE T dim=999 -> n\n"
    "HD.SIMILARITY m n dim=999 -> t\nHD.SIMILARITY m n dim=999 -> tq precision_q\nHD.PERMUTE V by=512 dim=999 -> Q1\nHD.PERMUTE V by=998 dim=999 -> Q2\n"
    "HD.GENERATE dim=512 seed=0x77 count=2 -> W\nHD.PERMUTE W by=1 dim=512 -> Q3\nHD.PERMUTE W by=0 dim=512 -> Q4\n"
    "HD.GENERATE dim=33 seed=0x78 count=5 -> X\nHD.PERMUTE X by=7 dim=33 -> Q5\nHD.BUNDLE X dim=33 -> b\n"
    "CACHE.STORE V reduced=70 seed=0x99 dim=999 -> K\nCACHE.QUERY K m dim=999 -> k\nHD.ASSOC_WRITE W reduced=64 dim=512 -> J\n"
    "HD.BUNDLE Q3 dim=512 -> e\nHD.ASSOC_READ J e threshold=9000 dim=512 -> j\nCACHE.QUERY K m threshold=10000 dim=999 -> k1\n"
    "CACHE.STORE g -> G0\nCACHE.QUERY G0 g -> g0\n";

struct cases {
    struct dse_strbuf *out;
    const struct dse_config *config;
    size_t lanes, banks, vector_rows; /* vector_rows: rows of the banks per vector of the knob's length */
    struct dse_strbuf loads, results;
    size_t load_runs, result_runs, count;
    uint32_t parameter[PARAMETERS];
};

#define VALUE(id) ((size_t)c->config->value[SMGPU_KNOB_##id])

static void put(struct dse_strbuf *out, uint32_t word)
{
    const char bytes[4] = {(char)word, (char)(word >> 8), (char)(word >> 16), (char)(word >> 24)};
    dse_strbuf_add_n(out, bytes, 4);
}

static void begin_run(struct dse_strbuf *out, uint32_t kind, uint32_t place, size_t lanes, size_t count)
{
    put(out, kind);
    put(out, place);
    put(out, (uint32_t)lanes);
    put(out, (uint32_t)count);
}

static void load_words(struct cases *c, uint32_t kind, uint32_t place, size_t lanes, const uint32_t *word, size_t count)
{
    begin_run(&c->loads, kind, place, lanes, count);
    for (size_t i = 0; i < count; i++) {
        put(&c->loads, word[i]);
        put(&c->loads, 0);
    }
    c->load_runs++;
}

static void load_numbers(struct cases *c, uint32_t kind, size_t lanes, const int32_t *number, size_t count)
{
    load_words(c, kind, 0, lanes, (const uint32_t *)(const void *)number, count);
}

/* ---- results ---- */

static enum dse_status expect_part(struct cases *c, const struct smgpu_call *call, const char *suffix, uint32_t kind, uint32_t place, size_t lanes,
                                   size_t first, size_t count, struct dse_error *err)
{
    char name[SMGPU_NAME_MAX + 16];
    snprintf(name, sizeof name, "%s%s", call->instruction->result, suffix);
    const struct smgpu_array *array = smgpu_memory_find(call->memory, name);
    if (array == NULL || first + count > smgpu_array_elements(array))
        return dse_fail(err, DSE_LIMIT, "the result %s is missing", name);
    begin_run(&c->results, kind, place, lanes, count);
    for (size_t i = 0; i < count; i++)
        put(&c->results, ((const uint32_t *)array->data)[first + i]);
    c->result_runs++;
    return DSE_OK;
}

static enum dse_status expect(struct cases *c, const struct smgpu_call *call, const char *suffix, uint32_t kind, uint32_t place, size_t lanes,
                              struct dse_error *err)
{
    char name[SMGPU_NAME_MAX + 16];
    snprintf(name, sizeof name, "%s%s", call->instruction->result, suffix);
    const struct smgpu_array *array = smgpu_memory_find(call->memory, name);
    return expect_part(c, call, suffix, kind, place, lanes, 0, array != NULL ? smgpu_array_elements(array) : 1, err);
}

/* Expects values, and columns with their marks; every diagonal entry is present. */
static enum dse_status expect_laplacian(struct cases *c, const struct smgpu_call *call, size_t nodes, struct dse_error *err)
{
    char name[SMGPU_NAME_MAX + 16];
    snprintf(name, sizeof name, "%s_indptr", call->instruction->result);
    const int32_t *begin = smgpu_memory_find(call->memory, name)->data;
    snprintf(name, sizeof name, "%s_indices", call->instruction->result);
    const int32_t *column = smgpu_memory_find(call->memory, name)->data;
    DSE_TRY(expect(c, call, "_data", 2, 0, c->lanes, err));
    begin_run(&c->results, 3, 0, c->lanes, (size_t)begin[nodes]);
    for (size_t i = 0; i < nodes; i++)
        for (int32_t e = begin[i]; e < begin[i + 1]; e++)
            put(&c->results, (uint32_t)column[e] | ((size_t)column[e] == i ? DIAGONAL : 0) | (e + 1 == begin[i + 1] ? LAST : 0));
    begin_run(&c->results, 5, 0, 1, 1);
    put(&c->results, (uint32_t)begin[nodes]);
    c->result_runs += 2;
    return DSE_OK;
}

/* ---- the spectral engine ---- */

static void load_entry(struct cases *c, uint32_t value, int32_t column, bool last, bool empty)
{
    put(&c->loads, value);
    put(&c->loads, (uint32_t)column | (uint32_t)((last ? LAST_OF_ROW : 0) >> 32) | (uint32_t)((empty ? EMPTY_ROW : 0) >> 32));
}

static void load_matrix(struct cases *c, const struct smgpu_matrix *a, bool inserts)
{
    const uint32_t begins = inserts;
    size_t empty = 0;
    load_words(c, 0, 0, 1, &begins, 1);
    for (size_t i = 0; i < a->nodes; i++)
        empty += a->begin[i] == a->begin[i + 1];
    begin_run(&c->loads, 1, 0, 1, a->nonzeros + empty);
    for (size_t i = 0; i < a->nodes; i++) {
        for (int32_t e = a->begin[i]; e < a->begin[i + 1]; e++)
            load_entry(c, (uint32_t)a->value[e], a->column[e], e + 1 == a->begin[i + 1], false);
        if (a->begin[i] == a->begin[i + 1])
            load_entry(c, 0, 0, false, true);
    }
    c->load_runs++;
}

/* Loads the eigenvectors of L, which the processor computes, in place of a matrix. */
static enum dse_status load_basis(struct cases *c, const struct smgpu_call *call, const struct smgpu_matrix *l, bool *fits, struct dse_error *err)
{
    size_t n = l->nodes;
    bool back = call->instruction->operation->sub == 5;
    struct smgpu_fixed q = call->fixed;
    *fits = n * n <= 17 * VALUE(NODES);
    if (!*fits)
        return DSE_OK;
    DSE_CLEANUP(dse_free_at) int32_t *basis = dse_malloc((3 * n * n + n + 1) * sizeof *basis);
    int32_t *turned = basis + n * n, *column = turned + n * n, *begin = column + n * n;
    DSE_TRY(smgpu_eigenbasis(&q, l, basis, err));
    begin[0] = 0;
    for (size_t i = 0; i < n; i++) {
        begin[i + 1] = (int32_t)((i + 1) * n);
        for (size_t k = 0; k < n; k++) {
            turned[i * n + k] = basis[back ? k * n + i : i * n + k];
            column[i * n + k] = (int32_t)k;
        }
    }
    load_matrix(c, &(struct smgpu_matrix){n, n * n, begin, column, turned}, false);
    return DSE_OK;
}

static enum dse_status case_spectral(struct cases *c, struct smgpu_call *call, bool *fits, struct dse_error *err)
{
    struct smgpu_matrix a;
    size_t lanes = c->lanes;
    uint8_t sub = call->instruction->operation->sub;
    const int32_t *x, zero = 0;
    DSE_TRY(smgpu_call_matrix(call, 0, &a, err));
    c->parameter[0] = (uint32_t)a.nodes;
    DSE_TRY(sub >= 4 ? load_basis(c, call, &a, fits, err) : DSE_OK);
    if (sub < 4)
        load_matrix(c, &a, sub == 0);
    if (sub == 0)
        return expect_laplacian(c, call, a.nodes, err);
    DSE_TRY(smgpu_call_vector(call, 1, a.nodes, &x, err));
    load_numbers(c, 2, lanes, x, a.nodes);
    if (sub == 1)
        c->parameter[1] = (uint32_t)smgpu_call_key(call, SMGPU_ITERATIONS);
    if (sub == 2) {
        const struct smgpu_array *theta;
        DSE_TRY(smgpu_call_array(call, 2, "", SMGPU_I32, 1, &theta, err));
        c->parameter[1] = theta->shape[0] > 0 ? (uint32_t)theta->shape[0] : 1;
        load_numbers(c, 3, 4096, theta->shape[0] > 0 ? theta->data : &zero, c->parameter[1]);
    } else if (sub == 3) {
        size_t order = (size_t)smgpu_call_key(call, SMGPU_ORDER);
        DSE_CLEANUP(dse_free_at) int32_t *theta = dse_malloc((order + 1) * sizeof *theta);
        struct smgpu_fixed q = call->fixed;
        smgpu_heat_coefficients(&q, smgpu_call_given(call, SMGPU_TIME) ? call->instruction->value[SMGPU_TIME] : 1.0, order, theta);
        c->parameter[1] = (uint32_t)order + 1;
        load_numbers(c, 3, 4096, theta, order + 1);
    }
    DSE_TRY(expect(c, call, "", sub == 2 || sub == 3 ? 0 : 1, 0, lanes, err));
    return sub == 1 ? expect(c, call, "_value", 4, 0, 1, err) : DSE_OK;
}

/* ---- the vectors' engines ---- */

struct lengths {
    size_t words, rows, last_bits, banks;
};

static struct lengths lengths_of(const struct cases *c, size_t dim)
{
    struct lengths l = {.words = smgpu_words(dim), .banks = c->banks};
    l.rows = (l.words + l.banks - 1) / l.banks;
    l.last_bits = dim - (l.rows - 1) * 32 * l.banks;
    return l;
}

/* Loads vectors from a row on; each vector starts a row. */
static void load_vectors(struct cases *c, const struct smgpu_bits *bits, const struct lengths *l, size_t row)
{
    for (size_t v = 0; v < bits->count; v++)
        load_words(c, 0, (uint32_t)((row + v * l->rows) << 12), l->banks, bits->word + v * bits->words, bits->words);
}

static enum dse_status case_hd(struct cases *c, struct smgpu_call *call, bool *fits, struct dse_error *err)
{
    uint8_t sub = call->instruction->operation->sub;
    struct smgpu_bits a = {.dim = (size_t)smgpu_call_key(call, SMGPU_DIM), .count = (size_t)smgpu_call_key(call, SMGPU_COUNT)}, b = {.count = 0};
    bool pair = sub == 1 || sub == 2 || sub == 4;
    if (sub != 7)
        DSE_TRY(smgpu_call_bits(call, 0, false, &a, err));
    if (pair)
        DSE_TRY(smgpu_call_bits(call, 1, false, &b, err));
    struct lengths l = lengths_of(c, a.dim);
    size_t results = sub == 0 ? 1 : a.count, first_b = sub == 7 ? 0 : a.count * l.rows, first_c = first_b + b.count * l.rows;
    size_t begin = 0;
    if (sub == 3) {
        int64_t dim = (int64_t)a.dim, by = smgpu_call_key(call, SMGPU_BY) % dim;
        begin = (size_t)((dim - by) % dim);
    }
    const size_t parameter[PARAMETERS] = {a.count, l.rows, 0, first_b, first_c, b.count == 1 ? 0 : l.rows, a.dim, l.last_bits, begin / (32 * l.banks),
                                          begin % (32 * l.banks), (size_t)smgpu_call_key(call, SMGPU_SEED), (l.words - 1) % l.banks};
    for (size_t i = 0; i < PARAMETERS; i++)
        c->parameter[i] = (uint32_t)parameter[i];
    *fits = first_c + results * l.rows <= SMGPU_HD_VECTORS * c->vector_rows;
    if (!*fits)
        return DSE_OK;
    if (sub != 7)
        load_vectors(c, &a, &l, 0);
    if (pair)
        load_vectors(c, &b, &l, first_b);
    if (sub == 4)
        return expect(c, call, "", 1, 0, 1, err);
    for (size_t v = 0; v < results; v++)
        DSE_TRY(expect_part(c, call, "", 0, (uint32_t)((first_c + v * l.rows) << 12), l.banks, v * l.words, l.words, err));
    return sub == 7 ? expect(c, call, "_state", 1, 0, 1, err) : DSE_OK;
}

static bool is_query(const struct smgpu_operation *operation)
{
    return operation->engine == SMGPU_CACHE ? operation->sub == 1 : operation->sub == 5;
}

static bool is_cache(const struct smgpu_operation *operation)
{
    return operation->engine == SMGPU_CACHE || (operation->engine == SMGPU_HD && (operation->sub == 5 || operation->sub == 6));
}

static void cache_parameters(struct cases *c, const struct lengths *l, size_t entry, size_t dim, size_t reduced, size_t entries, int64_t threshold,
                             int64_t seed)
{
    const size_t parameter[PARAMETERS] = {entry, l->rows, reduced, entries, (size_t)threshold, dim, l->last_bits, (size_t)seed, (l->words - 1) % l->banks};
    for (size_t i = 0; i < PARAMETERS; i++)
        c->parameter[i] = (uint32_t)parameter[i];
}

static enum dse_status case_query(struct cases *c, struct smgpu_call *call, bool *fits, struct dse_error *err)
{
    const struct smgpu_array *entries;
    struct smgpu_bits query;
    int64_t reduced = smgpu_call_key(call, SMGPU_REDUCED), seed = smgpu_call_key(call, SMGPU_SEED);
    DSE_TRY(smgpu_call_array(call, 0, "", SMGPU_U32, 2, &entries, err));
    DSE_TRY(smgpu_call_bits(call, 1, true, &query, err));
    if (!smgpu_call_given(call, SMGPU_REDUCED))
        DSE_TRY(smgpu_call_optional(call, 0, "_reduced", &reduced, err));
    if (!smgpu_call_given(call, SMGPU_SEED))
        DSE_TRY(smgpu_call_optional(call, 0, "_seed", &seed, err));
    struct lengths l = lengths_of(c, query.dim);
    *fits = l.rows <= c->vector_rows && (size_t)reduced <= VALUE(REDUCED);
    cache_parameters(c, &l, 0, query.dim, (size_t)reduced, entries->shape[0], smgpu_call_key(call, SMGPU_THRESHOLD), seed);
    load_vectors(c, &query, &l, 0);
    for (size_t e = 0; e < entries->shape[0]; e++)
        load_words(c, 1, (uint32_t)(e << 12), 4096, (const uint32_t *)entries->data + e * entries->shape[1], entries->shape[1]);
    DSE_TRY(expect(c, call, "", 0, 0, 1, err));
    return expect(c, call, "_score", 1, 0, 1, err);
}

/* ---- all ---- */

static void begin_case(struct cases *c)
{
    c->loads.length = c->results.length = 0;
    c->load_runs = c->result_runs = 0;
    memset(c->parameter, 0, sizeof c->parameter);
}

static void end_case(struct cases *c, const struct smgpu_call *call, uint64_t cycles)
{
    const struct smgpu_operation *operation = call->instruction->operation;
    put(c->out, is_cache(operation) ? SMGPU_CACHE : (uint32_t)operation->engine);
    put(c->out, is_cache(operation) ? is_query(operation) : operation->sub);
    put(c->out, call->fixed.fraction == 16);
    for (size_t i = 0; i < PARAMETERS; i++)
        put(c->out, c->parameter[i]);
    put(c->out, (uint32_t)cycles);
    put(c->out, (uint32_t)c->load_runs);
    dse_strbuf_add_n(c->out, dse_strbuf_text(&c->loads), c->loads.length);
    put(c->out, (uint32_t)c->result_runs);
    dse_strbuf_add_n(c->out, dse_strbuf_text(&c->results), c->results.length);
    c->count++;
}

/* One vector after another, each as an instruction of the engine. */
static enum dse_status cases_store(struct cases *c, struct smgpu_call *call, uint64_t cycles, struct dse_error *err)
{
    struct smgpu_bits all;
    size_t reduced = (size_t)smgpu_call_key(call, SMGPU_REDUCED), words = smgpu_words(reduced);
    DSE_TRY(smgpu_call_bits(call, 0, false, &all, err));
    struct lengths l = lengths_of(c, all.dim);
    if (l.rows > c->vector_rows || reduced > VALUE(REDUCED) || all.count > VALUE(ENTRIES))
        return DSE_OK;
    for (size_t v = 0; v < all.count; v++) {
        begin_case(c);
        cache_parameters(c, &l, v, all.dim, reduced, 0, 0, smgpu_call_key(call, SMGPU_SEED));
        load_vectors(c, &(struct smgpu_bits){.word = all.word + v * all.words, .count = 1, .words = all.words, .dim = all.dim}, &l, 0);
        DSE_TRY(expect_part(c, call, "", 2, (uint32_t)(v << 12), 4096, v * words, words, err));
        end_case(c, call, cycles / all.count);
    }
    return DSE_OK;
}

static bool overwrites(const struct smgpu_call *call)
{
    for (size_t i = 0; i < call->instruction->operation->operand_count; i++)
        if (strcmp(call->instruction->operand[i], call->instruction->result) == 0)
            return true;
    return false;
}

static enum dse_status see(void *context, const struct smgpu_call *seen, uint64_t cycles, struct dse_error *err)
{
    struct cases *c = context;
    struct smgpu_call call = *seen; /* reads the operands again */
    const struct smgpu_operation *operation = seen->instruction->operation;
    bool fits = true;
    if (overwrites(seen) || (operation->engine != SMGPU_SPECTRAL && operation->engine != SMGPU_HD && operation->engine != SMGPU_CACHE))
        return DSE_OK;
    if (is_cache(operation) && !is_query(operation))
        return cases_store(c, &call, cycles, err);
    begin_case(c);
    DSE_TRY(operation->engine == SMGPU_SPECTRAL ? case_spectral(c, &call, &fits, err)
            : is_cache(operation)               ? case_query(c, &call, &fits, err)
                                                : case_hd(c, &call, &fits, err));
    if (fits)
        end_case(c, seen, cycles);
    return DSE_OK;
}

enum dse_status smgpu_cases(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config, const void *layout,
                            size_t most, struct dse_strbuf *out, struct dse_error *err)
{
    struct dse_strbuf instructions = {0};
    struct cases c = {.out = &instructions, .config = config};
    const struct smgpu_watch watch = {see, &c};
    size_t graphs = 0;
    (void)layout;
    c.lanes = (size_t)config->value[SMGPU_KNOB_ROWS];
    c.banks = (size_t)config->value[SMGPU_KNOB_BANKS];
    c.vector_rows = (smgpu_words((size_t)config->value[SMGPU_KNOB_DIM]) + c.banks - 1) / c.banks;
    enum dse_status status = smgpu_watch_graphs(model, data, config, most < GRAPHS_MOST ? most : GRAPHS_MOST, extra, EXTRAS, &watch, &graphs, err);
    if (status == DSE_OK) {
        put(out, (uint32_t)graphs);
        put(out, (uint32_t)c.count);
        dse_strbuf_add_n(out, dse_strbuf_text(&instructions), instructions.length);
    }
    dse_strbuf_free(&instructions);
    dse_strbuf_free(&c.loads);
    dse_strbuf_free(&c.results);
    return status;
}
