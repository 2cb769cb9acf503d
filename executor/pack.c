#include "executor/pack.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/list.h"
#include "core/memory.h"

size_t dse_pack_type_bytes(enum dse_pack_type type)
{
    static const size_t bytes[] = {[DSE_PACK_I16] = 2, [DSE_PACK_U32] = 4, [DSE_PACK_I32] = 4, [DSE_PACK_U64] = 8,
                                   [DSE_PACK_I64] = 8, [DSE_PACK_F32] = 4, [DSE_PACK_F64] = 8};
    return bytes[type];
}

size_t dse_pack_elements(const struct dse_pack_array *array)
{
    size_t elements = 1;
    for (size_t d = 0; d < array->dimension_count; d++)
        elements *= array->dimensions[d];
    return elements;
}

struct dse_pack_array *dse_pack_add(struct dse_pack *pack, const char *name, enum dse_pack_type type, size_t d0,
                                    size_t d1, size_t d2, const char *title)
{
    struct dse_pack_array *array = dse_list_more(&pack->arrays, &pack->count, sizeof *array);
    *array = (struct dse_pack_array){.title = title, .type = type, .dimensions = {d0, d1, d2}};
    while (array->dimension_count < DSE_PACK_DIMENSIONS && array->dimensions[array->dimension_count] > 0)
        array->dimension_count++;
    snprintf(array->name, sizeof array->name, "%s", name);
    array->values = dse_calloc(dse_pack_elements(array), dse_pack_type_bytes(type));
    return array;
}

enum dse_status dse_pack_expect(const char *name, size_t has, int64_t wanted, struct dse_error *err)
{
    return has == (size_t)wanted ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "the model has %s=%zu, but the design %s=%lld", name, has, name, (long long)wanted);
}

void dse_pack_free(struct dse_pack *pack)
{
    for (size_t i = 0; i < pack->count; i++)
        free(pack->arrays[i].values);
    free(pack->arrays);
    *pack = (struct dse_pack){0};
}
