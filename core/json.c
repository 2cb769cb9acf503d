#include "core/json.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "core/utf8.h"

/* Before main, so that no tree is older. */
__attribute__((constructor)) static void allocate(void)
{
    json_set_alloc_funcs(dse_malloc, free);
}

char *dse_json_text(const json_t *json, size_t flags)
{
    char *text DSE_CLEANUP(dse_free_at) = json_dumps(json, flags);
    struct dse_strbuf shown = {0};
    if (text == NULL)
        return NULL;
    dse_utf8_show(&shown, text, true);
    return shown.text;
}
