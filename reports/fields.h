/* Fields of a record, declared once for every form of a report: a table for people, CSV and JSON for programs.
 *
 * A report is an array of records (structs) and a table of struct dse_field terminated by an empty one. A field has
 * key, heading, type, offset in the record, unit, and the forms that show it. Values are combined and converted when the
 * record is filled. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/strbuf.h"
#include "core/units.h"
#include "reports/json.h"
#include "reports/table.h"

enum dse_field_type {
    DSE_FIELD_TEXT,  /* const char *; NULL: missing */
    DSE_FIELD_CHARS, /* char[] */
    DSE_FIELD_REAL,  /* double; NaN and infinity: missing */
    DSE_FIELD_WHOLE, /* int64_t */
    DSE_FIELD_COUNT, /* uint64_t or size_t; saturated at INT64_MAX */
    DSE_FIELD_BYTES, /* int64_t, with a unit for people */
    DSE_FIELD_INT,   /* int */
    DSE_FIELD_FLAG,  /* bool; "yes" or "no" for people and in CSV */
    DSE_FIELD_WORD,  /* an enum: the word at that index; below 0: missing */
    DSE_FIELD_HASH,  /* uint64_t as 16 hexadecimal digits */
    DSE_FIELD_JSON,  /* json_t *; the JSON takes the reference; NULL: missing. Only in JSON */
    DSE_FIELD_SAME   /* constant in all records: `format` */
};

/* Forms that show a field, and the form of a missing value (default: null in JSON, "-" in tables, an empty cell in CSV). */
enum {
    DSE_FIELD_OPTIONAL = 1,   /* omitted from JSON if missing (a flag: if false) */
    DSE_FIELD_NO_JSON = 2,
    DSE_FIELD_NO_CSV = 4,
    DSE_FIELD_WHERE_ANY = 8,  /* a table column shown only if some record has a value */
    DSE_FIELD_LEFT = 16,      /* a numeric column aligned like words */
    DSE_FIELD_RIGHT = 32      /* a word column aligned like numbers */
};

struct dse_field {
    const char *key;             /* in JSON and CSV; "": only for people */
    const char *heading;         /* for people; NULL: not shown */
    enum dse_field_type type;
    size_t at;                   /* offsetof */
    enum dse_dimension unit;     /* unit of a REAL, for people; the key names it for programs */
    const char *format;          /* printf format of a REAL for people ("%.4g", with values of 1000 and above in full); of a count "%lld": without separators. NULL: by type and unit */
    double scale;                /* factor of a REAL for people: 100 for %; 0: 1 */
    const char *csv;             /* printf format of a REAL in CSV; NULL: the shortest that reads back equal */
    const char *const *words;    /* words of a WORD; NULL-terminated */
    unsigned how;
};

/* Entry of a field table: DSE_FIELD("latency_s", "latency", REAL, AT(latency_s), .unit = DSE_DIMENSION_TIME). */
#define DSE_FIELD(name, title, kind, place, ...) {.key = (name), .heading = (title), .type = DSE_FIELD_##kind, .at = (place), __VA_ARGS__}

/* The record as an object; `put` adds its members to an existing one. */
json_t *dse_fields_json(const struct dse_field *fields, const void *record);
void dse_fields_put(const struct dse_field *fields, const void *record, json_t *object);

void dse_fields_write_json(const struct dse_field *fields, const void *record, struct dse_json_writer *w); /* the same as an element of an array */

/* `count` records of `size` bytes each as an array. */
json_t *dse_fields_list(const struct dse_field *fields, const void *records, size_t count, size_t size);

/* Adds the columns and cells of a table for people. */
void dse_fields_fill(const struct dse_field *fields, const void *records, size_t count, size_t size, struct dse_table *table);

/* A table for people, with column widths limited by `width` (reports/table.h). */
void dse_fields_write(const struct dse_field *fields, const void *records, size_t count, size_t size, size_t width,
                      struct dse_strbuf *out);

/* CSV with a header line; separately the keys and one record's values without line end, for lines that continue. */
void dse_fields_csv(const struct dse_field *fields, const void *records, size_t count, size_t size, struct dse_strbuf *out);
void dse_fields_keys(const struct dse_field *fields, struct dse_strbuf *out);
void dse_fields_values(const struct dse_field *fields, const void *record, struct dse_strbuf *out);
