#include "reports/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/csv.h"
#include "core/file.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/number.h"

#define FILE_BYTES_MAX ((size_t)64 << 20)

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

/* Begins a value: as a member with `key`, as an element, or, outside any other, alone. */
static void begin_value(struct dse_json_writer *w, const char *key)
{
    if (w->level == 0)
        return;
    if (w->more)
        dse_strbuf_add_char(w->out, ',', 1);
    w->more = true;
    if (!w->one_line) {
        dse_strbuf_add_char(w->out, '\n', 1);
        dse_strbuf_add_char(w->out, ' ', w->indent + 2 * w->level);
    }
    if (key == NULL)
        return;
    add_string(w->out, key);
    dse_strbuf_add_n(w->out, ": ", w->one_line ? 1 : 2);
}

void dse_json_open(struct dse_json_writer *w, const char *key, char bracket)
{
    begin_value(w, key);
    dse_strbuf_add_char(w->out, bracket, 1);
    w->level++;
    w->more = false;
}

void dse_json_close(struct dse_json_writer *w, char bracket)
{
    w->level--;
    if (w->more && !w->one_line) {
        dse_strbuf_add_char(w->out, '\n', 1);
        dse_strbuf_add_char(w->out, ' ', w->indent + 2 * w->level);
    }
    dse_strbuf_add_char(w->out, bracket, 1);
    w->more = true;
}

void dse_json_write_real(struct dse_json_writer *w, const char *key, double value)
{
    begin_value(w, key);
    if (isfinite(value))
        add_real(w->out, value);
    else
        dse_strbuf_add_n(w->out, "null", 4);
}

void dse_json_write_whole(struct dse_json_writer *w, const char *key, int64_t value)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    begin_value(w, key);
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (value < 0)
        *--at = '-';
    dse_strbuf_add_n(w->out, at, (size_t)(digits + sizeof digits - at));
}

void dse_json_write_text(struct dse_json_writer *w, const char *key, const char *text)
{
    begin_value(w, key);
    if (text != NULL)
        add_string(w->out, text);
    else
        dse_strbuf_add_n(w->out, "null", 4);
}

void dse_json_write_flag(struct dse_json_writer *w, const char *key, bool value)
{
    begin_value(w, key);
    dse_strbuf_add(w->out, value ? "true" : "false");
}

/* Writes a tree as json_dumps() does, except for real numbers. */
static void add_tree(struct dse_json_writer *w, const char *key, json_t *json)
{
    const char *name;
    json_t *member;
    size_t place;
    switch (json != NULL ? json_typeof(json) : JSON_NULL) {
    case JSON_OBJECT:
        dse_json_open(w, key, '{');
        json_object_foreach(json, name, member)
            add_tree(w, name, member);
        dse_json_close(w, '}');
        break;
    case JSON_ARRAY:
        dse_json_open(w, key, '[');
        json_array_foreach(json, place, member)
            add_tree(w, NULL, member);
        dse_json_close(w, ']');
        break;
    case JSON_STRING: dse_json_write_text(w, key, json_string_value(json)); break;
    case JSON_INTEGER: dse_json_write_whole(w, key, json_integer_value(json)); break;
    case JSON_REAL: dse_json_write_real(w, key, json_real_value(json)); break;
    case JSON_NULL: dse_json_write_text(w, key, NULL); break;
    default: dse_json_write_flag(w, key, json_is_true(json)); break;
    }
}

void dse_json_write_tree(struct dse_json_writer *w, const char *key, json_t *json)
{
    add_tree(w, key, json);
    json_decref(json);
}

void dse_json_add_at(struct dse_strbuf *out, size_t depth, json_t *json)
{
    dse_json_write_tree(&(struct dse_json_writer){.out = out, .indent = depth}, NULL, json);
}

void dse_json_add_line(struct dse_strbuf *out, json_t *json)
{
    dse_json_write_tree(&(struct dse_json_writer){.out = out, .one_line = true}, NULL, json);
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

void dse_json_write_resources(struct dse_json_writer *w, const char *key, const int64_t amounts[DSE_RESOURCE_COUNT])
{
    dse_json_open(w, key, '{');
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_json_write_whole(w, dse_resource_names[r], amounts[r]);
    dse_json_close(w, '}');
}

json_t *dse_json_objectives(const enum dse_metric *objectives, size_t count)
{
    json_t *array = json_array();
    for (size_t o = 0; o < count; o++)
        json_array_append_new(array, json_string(dse_metrics[objectives[o]].name));
    return array;
}

static void add_scalar(struct dse_strbuf *out, const json_t *value)
{
    if (json_is_real(value))
        add_real(out, json_real_value(value));
    else if (json_is_integer(value))
        dse_strbuf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        dse_strbuf_add(out, json_is_string(value) ? json_string_value(value) : json_is_true(value) ? "true" : json_is_false(value) ? "false" : "");
}

void dse_json_csv(struct dse_strbuf *out, const json_t *rows)
{
    const char *key;
    json_t *columns DSE_CLEANUP(json_decrefp) = json_object(), *ignored;
    for (size_t i = 0; i < json_array_size(rows); i++)
        json_object_update_missing(columns, json_array_get(rows, i));
    size_t column = 0;
    json_object_foreach(columns, key, ignored)
        dse_strbuf_printf(out, "%s%s", column++ > 0 ? "," : "", key);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        column = 0;
        json_object_foreach(columns, key, ignored) {
            struct dse_strbuf field DSE_CLEANUP(dse_strbuf_free) = {0};
            const json_t *value = json_object_get(json_array_get(rows, i), key);
            if (!json_is_array(value))
                add_scalar(&field, value);
            for (size_t k = 0; k < json_array_size(value); k++) {
                dse_strbuf_add(&field, k > 0 ? "; " : "");
                add_scalar(&field, json_array_get(value, k));
            }
            dse_strbuf_add(out, column++ > 0 ? "," : "\n");
            dse_csv_field(out, dse_strbuf_text(&field));
        }
    }
    dse_strbuf_add(out, column > 0 ? "\n" : "");
}
