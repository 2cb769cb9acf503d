#include "core/json.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/utf8.h"

/* Before main, so that no tree is older: the memory itself is malloc's as before. */
__attribute__((constructor)) static void watch(void)
{
    json_set_alloc_funcs(dse_memory_alloc, free);
}

char *dse_json_text(const json_t *json, size_t flags)
{
    char *text = json != NULL ? json_dumps(json, flags) : NULL;
    struct dse_strbuf shown = {0};
    if (text != NULL)
        dse_utf8_show(&shown, text, true);
    free(text);
    if (!dse_memory_lost(true) && !shown.failed)
        return shown.text;
    dse_strbuf_free(&shown);
    return NULL;
}
