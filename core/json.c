#include "core/json.h"

#include <stdlib.h>

#include "core/memory.h"

/* Before main, so that no tree is older: the memory itself is malloc's as before. */
__attribute__((constructor)) static void watch(void)
{
    json_set_alloc_funcs(dse_memory_alloc, free);
}

char *dse_json_text(const json_t *json, size_t flags)
{
    char *text = json != NULL ? json_dumps(json, flags) : NULL;
    if (!dse_memory_lost(true))
        return text;
    free(text);
    return NULL;
}
