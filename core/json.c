#include "core/json.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

/* Before main, so that no tree is older. */
__attribute__((constructor)) static void watch(void)
{
    json_set_alloc_funcs(dse_malloc, free);
}

json_t *dse_json_read(const char *text, size_t length, size_t flags, json_error_t *why)
{
    return json_loadb(text, length, flags, why);
}

char *dse_json_text(const json_t *json, size_t flags)
{
    char *text = json != NULL ? json_dumps(json, flags) : NULL;
    struct dse_strbuf shown = {0};
    if (text != NULL)
        dse_utf8_show(&shown, text, true);
    free(text);
    return shown.text;
}
