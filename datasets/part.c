#include "datasets/part.h"

#include <string.h>

#include "core/memory.h"
#include "datasets/kind.h"

enum dse_status dse_dataset_open_part(const char *name, const char *data_dir, struct dse_dataset **out, struct dse_error *err)
{
    const char *dash = strrchr(name, '-');
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    *out = NULL;
    if (dash == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: is not a part of a data set", name);
    char *whole DSE_CLEANUP(dse_free_at) = dse_strndup(name, (size_t)(dash - name));
    DSE_TRY(dse_dataset_open(whole, data_dir, &data, err));
    if (data->kind->keep_entities == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: %s has no entities", name, data->name);
    DSE_TRY(data->kind->keep_entities(data, dash + 1, err));
    *out = data;
    data = NULL;
    return DSE_OK;
}
