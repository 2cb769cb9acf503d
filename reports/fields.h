/* A record's fields, declared once for every form of a report: a table for people, CSV and JSON for programs.
 *
 * A report is an array of records (rows of a C struct) and a table of struct dse_field that ends with an empty one. A field has
 * key, heading, type, offset in the record, unit, and the forms that show it. Combinations and conversions of values are done where the
 * record is filled. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/strbuf.h"
#include "core/units.h"
#include "reports/table.h"

enum dse_field_type {
    DSE_FIELD_TEXT,  /* const char *; NULL: nothing */
    DSE_FIELD_CHARS, /* char[] */
    DSE_FIELD_REAL,  /* double; NaN and infinite: nothing */
    DSE_FIELD_WHOLE, /* int64_t */
    DSE_FIELD_COUNT, /* uint64_t or size_t; at most INT64_MAX is written */
    DSE_FIELD_BYTES, /* int64_t, for people with a unit */
    DSE_FIELD_INT,   /* int */
    DSE_FIELD_FLAG,  /* bool; "yes" or "no" for people and in CSV */
    DSE_FIELD_WORD,  /* an enum: the word of that place; below 0: nothing */
    DSE_FIELD_HASH,  /* uint64_t as 16 hexadecimal digits */
    DSE_FIELD_JSON,  /* json_t *, whose reference the JSON takes; NULL: nothing. In JSON alone */
    DSE_FIELD_SAME   /* what stands in all records: `format` */
};

/* The forms that show a field, and how they write a missing value (default: null in JSON, "-" in tables, an empty cell in CSV). */
enum {
    DSE_FIELD_OPTIONAL = 1,   /* left out of JSON where it says nothing (a flag: where it is false) */
    DSE_FIELD_NO_JSON = 2,
    DSE_FIELD_NO_CSV = 4,
    DSE_FIELD_WHERE_ANY = 8,  /* a column for people only where some record says something */
    DSE_FIELD_LEFT = 16,      /* a column of numbers that is aligned as words are */
    DSE_FIELD_RIGHT = 32      /* a column of words that is aligned as numbers are */
};

struct dse_field {
    const char *key;             /* in JSON and CSV; "": only for people */
    const char *heading;         /* for people; NULL: not there */
    enum dse_field_type type;
    size_t at;                   /* offsetof */
    enum dse_dimension unit;     /* a REAL's: how people read it; the key says it to programs */
    const char *format;          /* a REAL's printf for people ("%.4g" with 1000 and above in full); of a count "%lld": without separators. NULL: by type and unit */
    double scale;                /* of a REAL for people: 100 for %; 0: 1 */
    const char *csv;             /* printf of a REAL in CSV; NULL: the shortest that reads back the same */
    const char *const *words;    /* of a WORD; NULL behind the last */
    unsigned how;
};

/* A member of a table: DSE_FIELD("latency_s", "latency", REAL, AT(latency_s), .unit = DSE_DIMENSION_TIME). */
#define DSE_FIELD(name, title, kind, place, ...) {.key = (name), .heading = (title), .type = DSE_FIELD_##kind, .at = (place), __VA_ARGS__}

/* The record as an object; put adds its members to one that is there already. */
json_t *dse_fields_json(const struct dse_field *fields, const void *record);
void dse_fields_put(const struct dse_field *fields, const void *record, json_t *object);

/* `count` records of `size` bytes each as an array. */
json_t *dse_fields_list(const struct dse_field *fields, const void *records, size_t count, size_t size);

/* As a table for people, with none of its columns wider than `width` allows (reports/table.h). */
void dse_fields_write(const struct dse_field *fields, const void *records, size_t count, size_t size, size_t width,
                      struct dse_strbuf *out);

/* As CSV with a line of keys; keys and one record's values without the end of the line, for lines that go on. */
void dse_fields_csv(const struct dse_field *fields, const void *records, size_t count, size_t size, struct dse_strbuf *out);
void dse_fields_keys(const struct dse_field *fields, struct dse_strbuf *out);
void dse_fields_values(const struct dse_field *fields, const void *record, struct dse_strbuf *out);
