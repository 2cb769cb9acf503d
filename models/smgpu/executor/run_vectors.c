/* The instructions of the hyperdimensional engine and of the associative cache. */
#include <stdlib.h>

#include "core/memory.h"
#include "models/smgpu/executor/call.h"
#include "models/smgpu/executor/vectors.h"

static uint32_t *room(size_t words)
{
    return dse_malloc((words + 1) * sizeof(uint32_t));
}

/* Makes a result of the words in `made`, and frees `made`. */
static enum dse_status give(struct smgpu_call *call, size_t rank, size_t rows, size_t words, uint32_t *made, struct dse_error *err)
{
    enum dse_status status = rank == 2 ? smgpu_call_make(call, "", SMGPU_U32, 2, rows, words, made, err)
                                       : smgpu_call_make(call, "", SMGPU_U32, 1, words, 1, made, err);
    free(made);
    return status;
}

enum dse_status smgpu_run_bundle(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_bits all;
    DSE_TRY(smgpu_call_bits(call, 0, false, &all, err));
    uint32_t *out = room(all.words);
    smgpu_bundle(all.word, all.count, all.words, out);
    return give(call, 1, 1, all.words, out, err);
}

/* Both operands of a two-operand instruction; their lengths must be equal. */
static enum dse_status pair(struct smgpu_call *call, bool single, struct smgpu_bits *a, struct smgpu_bits *b, struct dse_error *err)
{
    DSE_TRY(smgpu_call_bits(call, 0, single, a, err));
    DSE_TRY(smgpu_call_bits(call, 1, single, b, err));
    if (a->words != b->words || (a->count != b->count && b->count != 1))
        return smgpu_call_fail(call, call->instruction->operand[1], err, "%zu vectors of %zu words do not match %zu of %zu", b->count, b->words,
                               a->count, a->words);
    return DSE_OK;
}

enum dse_status smgpu_run_bind(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_bits a, b;
    DSE_TRY(pair(call, false, &a, &b, err));
    uint32_t *out = room(a.count * a.words);
    for (size_t v = 0; v < a.count; v++)
        smgpu_bind(a.word + v * a.words, b.word + (b.count == 1 ? 0 : v * b.words), a.words, out + v * a.words);
    return give(call, a.rank, a.count, a.words, out, err);
}

enum dse_status smgpu_run_permute(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_bits a;
    DSE_TRY(smgpu_call_bits(call, 0, false, &a, err));
    if (!smgpu_call_given(call, SMGPU_BY))
        return smgpu_call_fail(call, "by", err, "must be given");
    int64_t dim = (int64_t)a.dim, by = smgpu_call_key(call, SMGPU_BY) % dim;
    uint32_t *out = room(a.count * a.words);
    for (size_t v = 0; v < a.count; v++)
        smgpu_permute(a.word + v * a.words, a.dim, (size_t)(by < 0 ? by + dim : by), out + v * a.words);
    return give(call, a.rank, a.count, a.words, out, err);
}

enum dse_status smgpu_run_similarity(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_bits a, b;
    DSE_TRY(pair(call, true, &a, &b, err));
    call->effort.digits = (uint64_t)call->fixed.fraction + 1;
    return smgpu_call_number(call, "", SMGPU_I32, smgpu_similarity(&call->fixed, a.word, b.word, a.dim), err);
}

enum dse_status smgpu_run_generate(struct smgpu_call *call, struct dse_error *err)
{
    size_t count = (size_t)smgpu_call_key(call, SMGPU_COUNT);
    uint32_t state = (uint32_t)smgpu_call_key(call, SMGPU_SEED);
    if (!smgpu_call_given(call, SMGPU_DIM))
        return smgpu_call_fail(call, "dim", err, "must be given");
    size_t dim = (size_t)smgpu_call_key(call, SMGPU_DIM), words = smgpu_words(dim);
    if (count > call->limits->vectors)
        return smgpu_call_fail(call, "count", err, "%zu vectors: the machine holds %zu", count, call->limits->vectors);
    uint32_t *out = room(count * words);
    smgpu_generate(&state, dim, count, out);
    call->effort.words = words;
    call->effort.vectors = count;
    DSE_TRY(give(call, 2, count, words, out, err));
    return smgpu_call_number(call, "_state", SMGPU_U32, state, err);
}

/* ---- the cache ---- */

/* Keys of packed vectors; the projection is generated from its seed again. */
static void project(struct smgpu_call *call, const struct smgpu_bits *vectors, size_t reduced, uint32_t seed, uint32_t **keys)
{
    uint32_t *rows = room(reduced * vectors->words);
    *keys = room(vectors->count * smgpu_words(reduced));
    smgpu_generate(&seed, vectors->dim, reduced, rows);
    smgpu_project(vectors->word, vectors->count, vectors->dim, rows, reduced, *keys);
    call->effort.projections = vectors->count * reduced;
    free(rows);
}

enum dse_status smgpu_run_store(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_bits all;
    DSE_TRY(smgpu_call_bits(call, 0, false, &all, err));
    size_t reduced = (size_t)smgpu_call_key(call, SMGPU_REDUCED);
    uint32_t *keys, seed = (uint32_t)smgpu_call_key(call, SMGPU_SEED);
    if (all.count > call->limits->entries)
        return smgpu_call_fail(call, call->instruction->operand[0], err, "%zu vectors: the cache has %zu entries", all.count, call->limits->entries);
    project(call, &all, reduced, seed, &keys);
    DSE_TRY(give(call, 2, all.count, smgpu_words(reduced), keys, err));
    DSE_TRY(smgpu_call_number(call, "_reduced", SMGPU_I32, (int64_t)reduced, err));
    return smgpu_call_number(call, "_seed", SMGPU_U32, seed, err);
}

/* The entries' parameters are the instruction's keys, otherwise those that STORE kept with the entries. */
enum dse_status smgpu_run_query(struct smgpu_call *call, struct dse_error *err)
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
    if (reduced < 1 || reduced > (int64_t)smgpu_keys[SMGPU_REDUCED].most || entries->shape[1] != smgpu_words((size_t)reduced) ||
        entries->shape[0] > call->limits->entries || seed < 1 || seed > UINT32_MAX)
        return smgpu_call_fail(call, entries->name, err, "%zu entries of %zu words do not match reduced=%lld and %zu entries of the cache",
                               entries->shape[0], entries->shape[1], (long long)reduced, call->limits->entries);
    uint32_t *key;
    int32_t score;
    project(call, &query, (size_t)reduced, (uint32_t)seed, &key);
    int32_t entry = smgpu_recall(entries->data, entries->shape[0], key, (size_t)reduced, (int32_t)smgpu_call_key(call, SMGPU_THRESHOLD), &score);
    free(key);
    call->effort.entries = entries->shape[0];
    DSE_TRY(smgpu_call_number(call, "", SMGPU_I32, entry, err));
    return smgpu_call_number(call, "_score", SMGPU_I32, score, err);
}
