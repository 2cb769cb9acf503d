#include "models/smgpu/executor/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "datasets/npz.h"

#define ELEMENTS_MOST (UINT64_C(1) << 28)

static const struct {
    const char *npy, *name;
    size_t bytes;
} types[SMGPU_TYPES] = {
    [SMGPU_I8] = {"|i1", "int8", 1}, [SMGPU_U8] = {"|u1", "uint8", 1}, [SMGPU_I32] = {"<i4", "int32", 4},
    [SMGPU_U32] = {"<u4", "uint32", 4}, [SMGPU_I64] = {"<i8", "int64", 8},
};

size_t smgpu_type_bytes(enum smgpu_type type)
{
    return types[type].bytes;
}

const char *smgpu_type_name(enum smgpu_type type)
{
    return types[type].name;
}

size_t smgpu_array_elements(const struct smgpu_array *array)
{
    return array->shape[0] * array->shape[1];
}

struct smgpu_array *smgpu_memory_find(const struct smgpu_memory *memory, const char *name)
{
    for (size_t i = 0; i < memory->count; i++)
        if (strcmp(memory->arrays[i].name, name) == 0)
            return &memory->arrays[i];
    return NULL;
}

enum dse_status smgpu_memory_put(struct smgpu_memory *memory, const char *name, enum smgpu_type type, size_t rank, const size_t shape[2],
                                 struct smgpu_array **out, struct dse_error *err)
{
    struct smgpu_array *array = smgpu_memory_find(memory, name);
    struct smgpu_array made = {.type = type, .rank = rank, .shape = {rank > 0 ? shape[0] : 1, rank > 1 ? shape[1] : 1}, .made = true, .home = SMGPU_IN_HBM};
    if (made.shape[1] > 0 && made.shape[0] > ELEMENTS_MOST / made.shape[1])
        return dse_fail(err, DSE_LIMIT, "%s: more than %llu elements", name, (unsigned long long)ELEMENTS_MOST);
    made.data = dse_calloc(smgpu_array_elements(&made) + 1, types[type].bytes);
    made.name = array != NULL ? array->name : dse_strdup(name);
    if (array != NULL)
        free(array->data);
    else
        array = dse_list_more(&memory->arrays, &memory->count, sizeof *array);
    *array = made;
    *out = array;
    return DSE_OK;
}

static enum dse_status read_member(struct smgpu_memory *memory, struct dse_npz *npz, size_t index, struct dse_error *err)
{
    struct dse_npz_member member;
    struct smgpu_array *array;
    DSE_CLEANUP(dse_free_at) void *elements = NULL;
    size_t type = 0;
    DSE_TRY(dse_npz_look(npz, index, &member, err));
    while (type < SMGPU_TYPES && strcmp(types[type].npy, member.type) != 0)
        type++;
    if (member.name[0] == '\0')
        return DSE_OK;
    if (type == SMGPU_TYPES)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %s.npy: type '%s': must be int8, uint8, int32, uint32 or int64", dse_npz_path(npz), member.name,
                        member.type);
    DSE_TRY(dse_npz_read(npz, member.name, types[type].npy, types[type].bytes, member.rank, member.shape, ELEMENTS_MOST, &elements, err));
    DSE_TRY(smgpu_memory_put(memory, member.name, (enum smgpu_type)type, member.rank, member.shape, &array, err));
    memcpy(array->data, elements, smgpu_array_elements(array) * types[type].bytes);
    array->made = false;
    return DSE_OK;
}

enum dse_status smgpu_memory_read(struct smgpu_memory *memory, const char *path, struct dse_error *err)
{
    struct dse_npz *npz;
    DSE_TRY(dse_npz_open(path, &npz, err));
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < dse_npz_count(npz); i++)
        status = read_member(memory, npz, i, err);
    dse_npz_close(npz);
    return status;
}

enum dse_status smgpu_memory_write(const struct smgpu_memory *memory, const char *path, struct dse_error *err)
{
    struct dse_npz_writer *writer = dse_npz_begin();
    for (size_t i = 0; i < memory->count; i++) {
        const struct smgpu_array *array = &memory->arrays[i];
        if (array->made)
            dse_npz_add_copy(writer, array->name, types[array->type].npy, types[array->type].bytes, array->rank, array->shape, array->data);
    }
    return dse_npz_finish(writer, path, err);
}

void smgpu_memory_free(struct smgpu_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++) {
        free(memory->arrays[i].name);
        free(memory->arrays[i].data);
    }
    free(memory->arrays);
    *memory = (struct smgpu_memory){0};
}
