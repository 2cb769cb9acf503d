#include "reports/json.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

void dse_json_add_at(struct dse_strbuf *out, size_t depth, json_t *json)
{
    char *text = json != NULL ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(json);
    out->failed |= text == NULL;
    for (const char *line = text; line != NULL;) {
        size_t length = strcspn(line, "\n");
        dse_strbuf_add_n(out, line, length + (line[length] == '\n'));
        if (line[length] == '\0')
            break;
        dse_strbuf_add_char(out, ' ', depth);
        line += length + 1;
    }
    free(text);
}

void dse_json_add(struct dse_strbuf *out, json_t *json)
{
    dse_json_add_at(out, 0, json);
    dse_strbuf_add_char(out, '\n', 1);
}

enum dse_status dse_json_write(json_t *json, struct dse_strbuf *out, struct dse_error *err)
{
    dse_json_add(out, json);
    return out->failed ? dse_fail_memory(err) : DSE_OK;
}

json_t *dse_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void dse_json_put_number(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

void dse_json_put_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        json_object_set_new(object, key, json_string(text));
}
