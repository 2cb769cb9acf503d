#include "reports/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/csv.h"
#include "core/number.h"

#define EACH(field, fields) (const struct dse_field *field = (fields); field->key != NULL; field++)

/* A field's value in one of three shapes. */
struct value {
    enum { NOTHING, TEXT, WHOLE, REAL } shape;
    const char *text; /* may be `hash` */
    long long whole;
    double real;
    char hash[24];
};

static void read_value(const struct dse_field *field, const void *record, struct value *out)
{
    const void *at = (const char *)record + field->at;
    *out = (struct value){.shape = TEXT};
    switch (field->type) {
    case DSE_FIELD_TEXT: out->text = *(const char *const *)at; break;
    case DSE_FIELD_CHARS: out->text = at; break;
    case DSE_FIELD_SAME: out->text = field->format; break;
    case DSE_FIELD_FLAG:
        out->whole = *(const bool *)at;
        out->text = out->whole ? "yes" : "no";
        break;
    case DSE_FIELD_WORD: out->text = *(const int *)at >= 0 ? field->words[*(const int *)at] : NULL; break;
    case DSE_FIELD_HASH:
        snprintf(out->hash, sizeof out->hash, "%016" PRIx64, *(const uint64_t *)at);
        out->text = out->hash;
        break;
    case DSE_FIELD_REAL:
        out->real = *(const double *)at;
        out->shape = isfinite(out->real) ? REAL : NOTHING;
        break;
    case DSE_FIELD_WHOLE:
    case DSE_FIELD_BYTES:
        out->shape = WHOLE;
        out->whole = *(const int64_t *)at;
        break;
    case DSE_FIELD_COUNT:
        out->shape = WHOLE;
        out->whole = *(const uint64_t *)at > INT64_MAX ? INT64_MAX : (long long)*(const uint64_t *)at;
        break;
    case DSE_FIELD_INT:
        out->shape = WHOLE;
        out->whole = *(const int *)at;
        break;
    case DSE_FIELD_JSON: out->shape = NOTHING; break;
    }
    if (out->shape == TEXT && out->text == NULL)
        out->shape = NOTHING;
}

/* Formats come only from field tables. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static char *print_real(char *text, size_t size, const char *format, double value)
{
    snprintf(text, size, fabs(value) >= 1000.0 && strcmp(format, "%.4g") == 0 ? "%.0f" : format, value);
    return text;
}
#pragma GCC diagnostic pop

/* ---- JSON ---- */

static json_t *value_json(const struct dse_field *field, const void *record)
{
    struct value value;
    if (field->type == DSE_FIELD_JSON) {
        json_t *json = *(json_t *const *)((const char *)record + field->at);
        return json != NULL ? json : json_null();
    }
    read_value(field, record, &value);
    if (field->type == DSE_FIELD_FLAG)
        return json_boolean(value.whole != 0);
    return value.shape == NOTHING ? json_null()
           : value.shape == TEXT  ? json_string(value.text)
           : value.shape == WHOLE ? json_integer(value.whole)
                                  : json_real(value.real);
}

/* Whether an optional field is left out. */
static bool is_missing(const struct dse_field *field, const void *record, const struct value *value)
{
    return field->type == DSE_FIELD_JSON   ? *(json_t *const *)((const char *)record + field->at) == NULL
           : field->type == DSE_FIELD_FLAG ? value->whole == 0
                                           : value->shape == NOTHING;
}

void dse_fields_put(const struct dse_field *fields, const void *record, json_t *object)
{
    for EACH(field, fields) {
        if ((field->how & DSE_FIELD_NO_JSON) != 0 || *field->key == '\0')
            continue;
        struct value value;
        read_value(field, record, &value);
        if ((field->how & DSE_FIELD_OPTIONAL) == 0 || !is_missing(field, record, &value))
            json_object_set_new(object, field->key, value_json(field, record));
    }
}

void dse_fields_write_json(const struct dse_field *fields, const void *record, struct dse_json_writer *w)
{
    dse_json_open(w, NULL, '{');
    for EACH(field, fields) {
        struct value value;
        if ((field->how & DSE_FIELD_NO_JSON) != 0 || *field->key == '\0')
            continue;
        read_value(field, record, &value);
        if ((field->how & DSE_FIELD_OPTIONAL) != 0 && is_missing(field, record, &value))
            continue;
        if (field->type == DSE_FIELD_FLAG || field->type == DSE_FIELD_JSON)
            dse_json_write_tree(w, field->key, value_json(field, record));
        else if (value.shape == WHOLE)
            dse_json_write_whole(w, field->key, value.whole);
        else if (value.shape == REAL)
            dse_json_write_real(w, field->key, value.real);
        else
            dse_json_write_text(w, field->key, value.shape == TEXT ? value.text : NULL);
    }
    dse_json_close(w, '}');
}

json_t *dse_fields_json(const struct dse_field *fields, const void *record)
{
    json_t *object = json_object();
    dse_fields_put(fields, record, object);
    return object;
}

json_t *dse_fields_list(const struct dse_field *fields, const void *records, size_t count, size_t size)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, dse_fields_json(fields, (const char *)records + i * size));
    return array;
}

/* ---- for people ---- */

static bool is_number(const struct dse_field *field)
{
    bool number = field->type == DSE_FIELD_REAL || field->type == DSE_FIELD_BYTES || field->type == DSE_FIELD_WHOLE || field->type == DSE_FIELD_COUNT ||
                  field->type == DSE_FIELD_INT;
    return (number && (field->how & DSE_FIELD_LEFT) == 0) || (field->how & DSE_FIELD_RIGHT) != 0;
}

static bool any_says(const struct dse_field *field, const void *records, size_t count, size_t size)
{
    struct value value = {.shape = NOTHING};
    bool any = false;
    for (size_t i = 0; i < count && !any; i++) {
        read_value(field, (const char *)records + i * size, &value);
        any = value.shape != NOTHING && (value.shape != TEXT || *value.text != '\0');
    }
    return any;
}

static void add_columns(const struct dse_field *fields, const void *records, size_t count, size_t size, struct dse_table *table)
{
    for EACH(field, fields)
        if (field->heading != NULL && ((field->how & DSE_FIELD_WHERE_ANY) == 0 || any_says(field, records, count, size)))
            dse_table_column(table, field->heading, is_number(field));
}

static void add_cell(const struct dse_field *field, const struct value *value, struct dse_table *table)
{
    char text[64];
    double scaled = value->real * (field->scale != 0.0 ? field->scale : 1.0);
    if (value->shape == NOTHING)
        dse_table_text(table, "-");
    else if (value->shape == TEXT)
        dse_table_text(table, value->text);
    else if (field->type == DSE_FIELD_BYTES)
        dse_table_quantity(table, DSE_DIMENSION_BYTES, (double)value->whole);
    else if (value->shape == WHOLE && field->format != NULL)
        dse_table_cell(table, "%lld", value->whole);
    else if (value->shape == WHOLE)
        dse_table_text(table, dse_count_format(text, sizeof text, value->whole));
    else if (field->format != NULL && strcmp(field->format, "%.4g") == 0 && fabs(scaled) >= 1e4 && fabs(scaled) < 1e15)
        dse_table_text(table, dse_count_format(text, sizeof text, llround(scaled)));
    else if (field->format != NULL)
        dse_table_text(table, print_real(text, sizeof text, field->format, scaled));
    else
        dse_table_text(table, dse_quantity_format(text, sizeof text, field->unit, scaled));
}

/* One record's cells in those columns that the records have. */
static void add_cells(const struct dse_field *fields, const void *record, const void *records, size_t count, size_t size,
                      struct dse_table *table)
{
    struct value value;
    for EACH(field, fields) {
        if (field->heading == NULL || ((field->how & DSE_FIELD_WHERE_ANY) != 0 && !any_says(field, records, count, size)))
            continue;
        read_value(field, record, &value);
        add_cell(field, &value, table);
    }
}

void dse_fields_fill(const struct dse_field *fields, const void *records, size_t count, size_t size, struct dse_table *table)
{
    add_columns(fields, records, count, size, table);
    for (size_t i = 0; i < count; i++)
        add_cells(fields, (const char *)records + i * size, records, count, size, table);
}

void dse_fields_write(const struct dse_field *fields, const void *records, size_t count, size_t size, size_t width,
                      struct dse_strbuf *out)
{
    struct dse_table table = {0};
    dse_fields_fill(fields, records, count, size, &table);
    dse_table_finish(&table, width, out);
}

/* ---- CSV ---- */

static bool in_csv(const struct dse_field *field)
{
    return (field->how & DSE_FIELD_NO_CSV) == 0 && *field->key != '\0' && field->type != DSE_FIELD_JSON;
}

void dse_fields_keys(const struct dse_field *fields, struct dse_strbuf *out)
{
    const char *between = "";
    for EACH(field, fields)
        if (in_csv(field)) {
            dse_strbuf_add(out, between);
            dse_csv_field(out, field->key);
            between = ",";
        }
}

void dse_fields_values(const struct dse_field *fields, const void *record, struct dse_strbuf *out)
{
    const char *between = "";
    char text[64];
    struct value value;
    for EACH(field, fields) {
        if (!in_csv(field))
            continue;
        read_value(field, record, &value);
        dse_strbuf_add(out, between);
        between = ",";
        if (value.shape == TEXT)
            dse_csv_field(out, value.text);
        else if (value.shape == WHOLE)
            dse_strbuf_printf(out, "%lld", value.whole);
        else if (value.shape == REAL)
            dse_strbuf_add(out, field->csv != NULL ? print_real(text, sizeof text, field->csv, value.real)
                                                   : dse_number_shortest(text, sizeof text, value.real));
    }
}

void dse_fields_csv(const struct dse_field *fields, const void *records, size_t count, size_t size, struct dse_strbuf *out)
{
    dse_fields_keys(fields, out);
    dse_strbuf_add(out, "\n");
    for (size_t i = 0; i < count; i++) {
        dse_fields_values(fields, (const char *)records + i * size, out);
        dse_strbuf_add(out, "\n");
    }
}
