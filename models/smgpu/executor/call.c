#include "models/smgpu/executor/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES (SMGPU_NAME_MAX + 16)

enum dse_status smgpu_call_fail(const struct smgpu_call *call, const char *array, struct dse_error *err, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const struct smgpu_operation *operation = call->instruction->operation;
    return dse_fail(err, DSE_BAD_INPUT, "%s.%s: %s: %s", smgpu_engine_names[operation->engine], operation->name, array, what);
}

static const char *name_of(const struct smgpu_call *call, size_t operand, const char *suffix, char buffer[NAME_BYTES])
{
    snprintf(buffer, NAME_BYTES, "%s%s", call->instruction->operand[operand], suffix);
    return buffer;
}

static void note(const struct smgpu_call *call, struct smgpu_uses *uses, const struct smgpu_array *array)
{
    if (uses->count < SMGPU_USES_MAX)
        uses->array[uses->count++] = (size_t)(array - call->memory->arrays);
}

enum dse_status smgpu_call_array(struct smgpu_call *call, size_t operand, const char *suffix, enum smgpu_type type, size_t rank,
                                 const struct smgpu_array **out, struct dse_error *err)
{
    char name[NAME_BYTES];
    const struct smgpu_array *array = smgpu_memory_find(call->memory, name_of(call, operand, suffix, name));
    if (array == NULL)
        return smgpu_call_fail(call, name, err, "no such array");
    if (array->type != type || array->rank != rank)
        return smgpu_call_fail(call, name, err, "is of type %s and %zu dimensions: must be of type %s and %zu", smgpu_type_name(array->type),
                               array->rank, smgpu_type_name(type), rank);
    note(call, &call->reads, array);
    *out = array;
    return DSE_OK;
}

int64_t smgpu_call_key(const struct smgpu_call *call, enum smgpu_key key)
{
    return (int64_t)(smgpu_call_given(call, key) ? call->instruction->value[key] : smgpu_keys[key].value);
}

bool smgpu_call_given(const struct smgpu_call *call, enum smgpu_key key)
{
    return (call->instruction->given >> key & 1) != 0;
}

enum dse_status smgpu_call_make(struct smgpu_call *call, const char *suffix, enum smgpu_type type, size_t rank, size_t rows, size_t columns,
                                void *data, struct dse_error *err)
{
    char name[NAME_BYTES];
    struct smgpu_array *array;
    snprintf(name, sizeof name, "%s%s", call->instruction->result, suffix);
    DSE_TRY(smgpu_memory_put(call->memory, name, type, rank == 0 ? 1 : rank, (size_t[]){rows, columns}, &array, err));
    memcpy(array->data, data, smgpu_array_elements(array) * smgpu_type_bytes(type));
    note(call, &call->writes, array);
    return DSE_OK;
}

enum dse_status smgpu_call_number(struct smgpu_call *call, const char *suffix, enum smgpu_type type, int64_t value, struct dse_error *err)
{
    int32_t narrow = (int32_t)value;
    uint32_t word = (uint32_t)value;
    void *data = type == SMGPU_I64 ? (void *)&value : type == SMGPU_I32 ? (void *)&narrow : (void *)&word;
    return smgpu_call_make(call, suffix, type, 0, 1, 1, data, err);
}

enum dse_status smgpu_call_optional(struct smgpu_call *call, size_t operand, const char *suffix, int64_t *value, struct dse_error *err)
{
    char name[NAME_BYTES];
    const struct smgpu_array *array = smgpu_memory_find(call->memory, name_of(call, operand, suffix, name));
    if (array == NULL)
        return DSE_OK;
    if (smgpu_array_elements(array) != 1)
        return smgpu_call_fail(call, name, err, "must be a single number");
    switch (array->type) {
    case SMGPU_I32:
        *value = *(const int32_t *)array->data;
        return DSE_OK;
    case SMGPU_U32:
        *value = *(const uint32_t *)array->data;
        return DSE_OK;
    case SMGPU_I64:
        *value = *(const int64_t *)array->data;
        return DSE_OK;
    default:
        return smgpu_call_fail(call, name, err, "is of type %s: must be int32, uint32 or int64", smgpu_type_name(array->type));
    }
}

enum dse_status smgpu_call_matrix(struct smgpu_call *call, size_t operand, struct smgpu_matrix *out, struct dse_error *err)
{
    const struct smgpu_array *begin, *column, *value;
    const char *name = call->instruction->operand[operand];
    DSE_TRY(smgpu_call_array(call, operand, "_indptr", SMGPU_I32, 1, &begin, err));
    DSE_TRY(smgpu_call_array(call, operand, "_indices", SMGPU_I32, 1, &column, err));
    DSE_TRY(smgpu_call_array(call, operand, "_data", SMGPU_I32, 1, &value, err));
    if (begin->shape[0] < 2 || column->shape[0] != value->shape[0])
        return smgpu_call_fail(call, name, err, "indptr has %zu numbers, indices %zu and data %zu: must be nodes + 1, and twice the non-zeros",
                               begin->shape[0], column->shape[0], value->shape[0]);
    *out = (struct smgpu_matrix){begin->shape[0] - 1, column->shape[0], begin->data, column->data, value->data};
    if (out->nodes > call->limits->nodes || out->nonzeros > call->limits->nonzeros)
        return smgpu_call_fail(call, name, err, "%zu nodes and %zu non-zeros: the machine holds %zu and %zu", out->nodes, out->nonzeros,
                               call->limits->nodes, call->limits->nonzeros);
    struct dse_error inner = {0};
    if (smgpu_matrix_check(out, &inner) != DSE_OK)
        return smgpu_call_fail(call, name, err, "%s", inner.message);
    call->effort.nodes = out->nodes;
    call->effort.nonzeros = out->nonzeros;
    for (size_t i = 0; i < out->nodes; i++) /* a row without entries counts one */
        call->effort.nonzeros += out->begin[i] == out->begin[i + 1];
    return DSE_OK;
}

enum dse_status smgpu_call_vector(struct smgpu_call *call, size_t operand, size_t length, const int32_t **out, struct dse_error *err)
{
    const struct smgpu_array *array;
    DSE_TRY(smgpu_call_array(call, operand, "", SMGPU_I32, 1, &array, err));
    if (array->shape[0] != length)
        return smgpu_call_fail(call, array->name, err, "has %zu numbers: must be %zu", array->shape[0], length);
    *out = array->data;
    return DSE_OK;
}

enum dse_status smgpu_call_graph(struct smgpu_call *call, size_t operand, size_t most, struct smgpu_graph *out, struct dse_error *err)
{
    const struct smgpu_array *node, *edge;
    const char *name = call->instruction->operand[operand];
    DSE_TRY(smgpu_call_array(call, operand, "_nodes", SMGPU_I32, 1, &node, err));
    DSE_TRY(smgpu_call_array(call, operand, "", SMGPU_I32, 2, &edge, err));
    if (edge->shape[1] != 2)
        return smgpu_call_fail(call, name, err, "has rows of %zu numbers: an edge is 2 nodes", edge->shape[1]);
    *out = (struct smgpu_graph){node->shape[0], edge->shape[0], node->data, edge->data};
    if (out->nodes > most || 2 * out->edges > call->limits->nonzeros)
        return smgpu_call_fail(call, name, err, "%zu nodes and %zu edges: at most %zu and %zu", out->nodes, out->edges, most,
                               call->limits->nonzeros / 2);
    struct dse_error inner = {0};
    return smgpu_graph_check(out, &inner) == DSE_OK ? DSE_OK : smgpu_call_fail(call, name, err, "%s", inner.message);
}

static enum dse_status check_spare_bits(const struct smgpu_call *call, const char *name, const struct smgpu_bits *bits, struct dse_error *err)
{
    for (size_t v = 0; v < bits->count && bits->dim % 32 != 0; v++)
        if (bits->word[v * bits->words + bits->words - 1] >> bits->dim % 32 != 0)
            return smgpu_call_fail(call, name, err, "vector %zu has bits behind the last of dim=%zu", v, bits->dim);
    return DSE_OK;
}

enum dse_status smgpu_call_bits(struct smgpu_call *call, size_t operand, bool single, struct smgpu_bits *out, struct dse_error *err)
{
    char name[NAME_BYTES];
    const struct smgpu_array *array = smgpu_memory_find(call->memory, name_of(call, operand, "", name));
    if (array != NULL && array->type == SMGPU_U32 && array->rank == 2)
        DSE_TRY(smgpu_call_array(call, operand, "", SMGPU_U32, 2, &array, err));
    else
        DSE_TRY(smgpu_call_array(call, operand, "", SMGPU_U32, 1, &array, err));
    *out = (struct smgpu_bits){array->data, array->rank == 2 ? array->shape[0] : 1, array->shape[array->rank - 1], 0, array->rank};
    out->dim = smgpu_call_given(call, SMGPU_DIM) ? (size_t)smgpu_call_key(call, SMGPU_DIM) : 32 * out->words;
    if (out->count == 0 || out->words == 0 || (single && out->count != 1))
        return smgpu_call_fail(call, name, err, "has %zu vectors of %zu words: must be %s", out->count, out->words,
                               single ? "one vector" : "at least one of one word");
    if (out->words != (out->dim + 31) / 32)
        return smgpu_call_fail(call, name, err, "has %zu words: dim=%zu are %zu", out->words, out->dim, (out->dim + 31) / 32);
    if (out->count > call->limits->vectors)
        return smgpu_call_fail(call, name, err, "%zu vectors: the machine holds %zu", out->count, call->limits->vectors);
    call->effort.words = out->words;
    call->effort.vectors = out->count > call->effort.vectors ? out->count : call->effort.vectors;
    return check_spare_bits(call, name, out, err);
}
