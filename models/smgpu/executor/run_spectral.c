/* The spectral engine's and the crossbar's instructions. */

#include "core/memory.h"
#include "models/smgpu/executor/call.h"

/* Scratch memory of `numbers` numbers for a result. */
static int32_t *room(size_t numbers)
{
    return dse_malloc((numbers + 1) * sizeof(int32_t));
}

enum dse_status smgpu_run_laplacian(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_matrix a;
    struct dse_error inner = {0};
    DSE_TRY(smgpu_call_matrix(call, 0, &a, err));
    if (smgpu_matrix_check_weights(&a, &inner) != DSE_OK)
        return smgpu_call_fail(call, call->instruction->operand[0], err, "%s", inner.message);
    size_t most = a.nonzeros + a.nodes;
    DSE_CLEANUP(dse_free_at) int32_t *scratch = room(2 * a.nodes + 1 + 2 * most);
    int32_t *begin = scratch + a.nodes, *column = begin + a.nodes + 1, *value = column + most;
    call->effort.passes = 1;
    size_t entries = smgpu_laplacian(&call->fixed, &a, scratch, begin, column, value);
    call->effort.entries = entries;
    DSE_TRY(smgpu_call_make(call, "_indptr", SMGPU_I32, 1, a.nodes + 1, 1, begin, err));
    DSE_TRY(smgpu_call_make(call, "_indices", SMGPU_I32, 1, entries, 1, column, err));
    return smgpu_call_make(call, "_data", SMGPU_I32, 1, entries, 1, value, err);
}

enum dse_status smgpu_run_eigen(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_matrix l;
    const int32_t *v;
    DSE_TRY(smgpu_call_matrix(call, 0, &l, err));
    DSE_TRY(smgpu_call_vector(call, 1, l.nodes, &v, err));
    if (!smgpu_call_given(call, SMGPU_ITERATIONS))
        return smgpu_call_fail(call, "iterations", err, "must be given");
    size_t iterations = (size_t)smgpu_call_key(call, SMGPU_ITERATIONS);
    DSE_CLEANUP(dse_free_at) int32_t *w = room(2 * l.nodes);
    for (size_t i = 0; i < l.nodes; i++)
        w[i] = v[i];
    call->effort.passes = iterations + 1;
    int32_t value = smgpu_power_iteration(&call->fixed, &l, iterations, w, w + l.nodes);
    DSE_TRY(smgpu_call_make(call, "", SMGPU_I32, 1, l.nodes, 1, w, err));
    return smgpu_call_number(call, "_value", SMGPU_I32, value, err);
}

static enum dse_status chebyshev(struct smgpu_call *call, const struct smgpu_matrix *l, const int32_t *x, const int32_t *theta, size_t terms,
                                 struct dse_error *err)
{
    DSE_CLEANUP(dse_free_at) int32_t *scratch = room(4 * l->nodes + l->nonzeros);
    call->effort.passes = terms > 0 ? terms - 1 : 0;
    smgpu_chebyshev(&call->fixed, l, x, theta, terms, scratch + l->nodes, scratch);
    return smgpu_call_make(call, "", SMGPU_I32, 1, l->nodes, 1, scratch, err);
}

enum dse_status smgpu_run_convolution(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_matrix l;
    const int32_t *x;
    const struct smgpu_array *theta;
    DSE_TRY(smgpu_call_matrix(call, 0, &l, err));
    DSE_TRY(smgpu_call_vector(call, 1, l.nodes, &x, err));
    DSE_TRY(smgpu_call_array(call, 2, "", SMGPU_I32, 1, &theta, err));
    return chebyshev(call, &l, x, theta->data, theta->shape[0], err);
}

enum dse_status smgpu_run_wavelet(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_matrix l;
    const int32_t *x;
    DSE_TRY(smgpu_call_matrix(call, 0, &l, err));
    DSE_TRY(smgpu_call_vector(call, 1, l.nodes, &x, err));
    size_t order = (size_t)smgpu_call_key(call, SMGPU_ORDER);
    DSE_CLEANUP(dse_free_at) int32_t *theta = room(order + 1);
    smgpu_heat_coefficients(&call->fixed, smgpu_call_given(call, SMGPU_TIME) ? call->instruction->value[SMGPU_TIME] : 1.0, order, theta);
    return chebyshev(call, &l, x, theta, order + 1, err);
}

/* The forward or inverse transform (GFT_INVERSE). */
enum dse_status smgpu_run_fourier(struct smgpu_call *call, struct dse_error *err)
{
    struct smgpu_matrix l;
    const int32_t *x;
    DSE_TRY(smgpu_call_matrix(call, 0, &l, err));
    DSE_TRY(smgpu_call_vector(call, 1, l.nodes, &x, err));
    DSE_CLEANUP(dse_free_at) int32_t *y = room(l.nodes + l.nodes * l.nodes);
    DSE_TRY(smgpu_eigenbasis(&call->fixed, &l, y + l.nodes, err));
    call->effort.passes = 1;
    call->effort.nonzeros = l.nodes * l.nodes; /* the product with the basis is dense */
    smgpu_fourier(&call->fixed, y + l.nodes, l.nodes, call->instruction->operation->sub == 5, x, y);
    return smgpu_call_make(call, "", SMGPU_I32, 1, l.nodes, 1, y, err);
}

/* Row by row: 8-bit conductances times whole numbers, summed in a 32-bit register. */
enum dse_status smgpu_run_mvm(struct smgpu_call *call, struct dse_error *err)
{
    const struct smgpu_array *cells;
    const int32_t *x;
    const char *name = call->instruction->operand[0];
    const struct smgpu_array *any = smgpu_memory_find(call->memory, name);
    bool without_sign = any != NULL && any->type == SMGPU_U8;
    DSE_TRY(smgpu_call_array(call, 0, "", without_sign ? SMGPU_U8 : SMGPU_I8, 2, &cells, err));
    DSE_TRY(smgpu_call_vector(call, 1, cells->shape[1], &x, err));
    if (cells->shape[0] > call->limits->tile || cells->shape[1] > call->limits->tile)
        return smgpu_call_fail(call, name, err, "%zu × %zu cells: a tile has %zu × %zu", cells->shape[0], cells->shape[1], call->limits->tile,
                               call->limits->tile);
    DSE_CLEANUP(dse_free_at) int32_t *y = room(cells->shape[0]);
    for (size_t r = 0; r < cells->shape[0]; r++) {
        y[r] = 0;
        for (size_t c = 0; c < cells->shape[1]; c++) {
            size_t at = r * cells->shape[1] + c;
            int64_t cell = without_sign ? ((const uint8_t *)cells->data)[at] : ((const int8_t *)cells->data)[at];
            y[r] = smgpu_hold(&call->fixed, y[r] + cell * x[c]);
        }
    }
    call->effort.rows = cells->shape[0];
    call->effort.columns = cells->shape[1];
    return smgpu_call_make(call, "", SMGPU_I32, 1, cells->shape[0], 1, y, err);
}
