#include "reports/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/file.h"
#include "core/json.h"
#include "core/number.h"

#define FILE_BYTES_MAX ((size_t)64 << 20)

#define COMPACT SIZE_MAX /* instead of an indentation */

/* A real number has its shortest form that reads back equal: the library's 17 digits write 0.1 as 0.10000000000000001. */
static void add_real(struct dse_strbuf *out, double value)
{
    char shortest[40];
    dse_number_shortest(shortest, sizeof shortest, value);
    dse_strbuf_add(out, shortest);
    if (strpbrk(shortest, ".e") == NULL)
        dse_strbuf_add(out, ".0");
}

static void add_string(struct dse_strbuf *out, const char *text)
{
    size_t plain = 0;
    while (text[plain] >= 0x20 && text[plain] < 0x7F && text[plain] != '"' && text[plain] != '\\')
        plain++;
    if (text[plain] == '\0') {
        dse_strbuf_add_char(out, '"', 1);
        dse_strbuf_add_n(out, text, plain);
        dse_strbuf_add_char(out, '"', 1);
        return;
    }
    json_t *string = json_string(text);
    char *escaped = dse_json_text(string, JSON_ENCODE_ANY);
    dse_strbuf_add(out, escaped);
    free(escaped);
    json_decref(string);
}

static void add_break(struct dse_strbuf *out, size_t indent)
{
    if (indent == COMPACT)
        return;
    dse_strbuf_add_char(out, '\n', 1);
    dse_strbuf_add_char(out, ' ', indent);
}

/* Before a member of an object or an array. */
static void begin_member(struct dse_strbuf *out, size_t indent, bool first)
{
    if (!first)
        dse_strbuf_add_char(out, ',', 1);
    add_break(out, indent);
}

/* Adds a tree as json_dumps() writes it, but for real numbers. */
static void add_value(struct dse_strbuf *out, size_t indent, json_t *json)
{
    const size_t inner = indent == COMPACT ? COMPACT : indent + 2;
    const bool object = json_is_object(json);
    if (object || json_is_array(json)) {
        const char *key;
        json_t *member;
        size_t place, count = 0;
        dse_strbuf_add_char(out, object ? '{' : '[', 1);
        json_object_foreach(json, key, member) {
            begin_member(out, inner, count++ == 0);
            add_string(out, key);
            dse_strbuf_add(out, indent == COMPACT ? ":" : ": ");
            add_value(out, inner, member);
        }
        json_array_foreach(json, place, member) {
            begin_member(out, inner, count++ == 0);
            add_value(out, inner, member);
        }
        if (count > 0)
            add_break(out, indent);
        dse_strbuf_add_char(out, object ? '}' : ']', 1);
    } else if (json_is_string(json)) {
        add_string(out, json_string_value(json));
    } else if (json_is_integer(json)) {
        dse_strbuf_printf(out, "%lld", (long long)json_integer_value(json));
    } else if (json_is_real(json)) {
        add_real(out, json_real_value(json));
    } else {
        dse_strbuf_add(out, json_is_null(json) ? "null" : json_is_true(json) ? "true" : "false");
    }
}

void dse_json_add_at(struct dse_strbuf *out, size_t depth, json_t *json)
{
    add_value(out, depth, json);
    json_decref(json);
}

void dse_json_add_line(struct dse_strbuf *out, json_t *json)
{
    add_value(out, COMPACT, json);
    json_decref(json);
}

void dse_json_schema_name(const char *schema, char *out, size_t size)
{
    const char *name = strchr(schema, '.');
    snprintf(out, size, "urn:nysx-dse:schema:%s", name != NULL ? name + 1 : schema);
    for (char *slash = strchr(out, '/'); slash != NULL; slash = strchr(slash, '/'))
        *slash = ':';
}

/* Lists that some documents hold under their own name. */
static json_t *list_of(const json_t *json, const char *schema)
{
    static const char *const lists[][2] = {{"nysx-dse.boards/1", "boards"}, {"nysx-dse.boards-check/1", "files"},
                                           {"nysx-dse.datasets/1", "datasets"}, {"nysx-dse.calibrate/1", "reports"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(schema, lists[i][0]) == 0)
            return json_object_get(json, lists[i][1]);
    return NULL;
}

/* Completes a document: its schema's name in front, and `results` if it has no member of that name. Takes the reference. */
static json_t *document(json_t *json)
{
    const char *schema = json_string_value(json_object_get(json, "schema"));
    char name[128];
    if (schema == NULL || json_object_get(json, "$schema") != NULL)
        return json;
    dse_json_schema_name(schema, name, sizeof name);
    json_t *whole = json_pack("{s:s}", "$schema", name), *list = list_of(json, schema);
    json_object_update(whole, json);
    if (list != NULL)
        json_object_set(whole, "results", list);
    else if (json_object_get(json, "results") == NULL)
        json_object_set_new(whole, "results", json_pack("[O]", json));
    json_decref(json);
    return whole;
}

void dse_json_add(struct dse_strbuf *out, json_t *json)
{
    dse_json_add_at(out, 0, document(json));
    dse_strbuf_add_char(out, '\n', 1);
}

void dse_json_add_digits(struct dse_strbuf *out, int digits, json_t *json)
{
    json = document(json);
    char *text = dse_json_text(json, JSON_INDENT(1) | JSON_REAL_PRECISION(digits));
    json_decref(json);
    dse_strbuf_printf(out, "%s\n", text);
    free(text);
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

json_t *dse_json_file_hash(const char *path)
{
    char *data = NULL;
    size_t size = 0;
    struct dse_error unread;
    if (dse_file_read(path, FILE_BYTES_MAX, &data, &size, &unread) != DSE_OK)
        return json_null();
    json_t *hash = dse_json_hash(XXH3_64bits(data, size));
    free(data);
    return hash;
}

json_t *dse_json_count(uint64_t count)
{
    return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

json_t *dse_json_hash(uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_string(text);
}

json_t *dse_json_setting(const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++)
        json_object_set_new(object, setting->pairs[i].name, json_string(setting->pairs[i].value));
    return object;
}

json_t *dse_json_metrics(const double metrics[DSE_METRIC_COUNT])
{
    json_t *object = json_object();
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        json_object_set_new(object, dse_metrics[m].key, dse_json_number(metrics[m]));
    return object;
}

json_t *dse_json_resources(const int64_t amounts[DSE_RESOURCE_COUNT])
{
    json_t *object = json_object();
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(object, dse_resource_names[r], json_integer(amounts[r]));
    return object;
}

json_t *dse_json_objectives(const enum dse_metric *objectives, size_t count)
{
    json_t *array = json_array();
    for (size_t o = 0; o < count; o++)
        json_array_append_new(array, json_string(dse_metrics[objectives[o]].name));
    return array;
}
