#include "reports/json.h"

#include <stdlib.h>

void dse_json_add(struct dse_strbuf *out, json_t *json)
{
    char *text = json != NULL ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(json);
    if (text == NULL)
        out->failed = true;
    else
        dse_strbuf_printf(out, "%s\n", text);
    free(text);
}

enum dse_status dse_json_write(json_t *json, struct dse_strbuf *out, struct dse_error *err)
{
    dse_json_add(out, json);
    return out->failed ? dse_fail_memory(err) : DSE_OK;
}
