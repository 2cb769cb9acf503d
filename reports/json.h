/* JSON objects as text, uniform over all reports. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "core/setting.h"
#include "core/strbuf.h"
#include "models/model.h"

/* The `$schema` for a document's `schema`: "urn:nysx-dse:schema:sweep:1" for "nysx-dse.sweep/1". Schema files of these names are
 * installed (reports/schema.h). */
void dse_json_schema_name(const char *schema, char *out, size_t size);

/* Adds the object with two spaces of indentation, shortest round-trip real numbers, and a final newline. Takes the
 * reference. A document (with member `schema`) also gets `$schema` in front and `results`: its list, or itself as the only element. */
void dse_json_add(struct dse_strbuf *out, json_t *json);

/* As dse_json_add, as part of a larger text: indents every line but the first by `depth`, without final newline. For documents
 * whose complete tree would take many times the memory of its text. */
void dse_json_add_at(struct dse_strbuf *out, size_t depth, json_t *json);

/* As dse_json_add, on one line. */
void dse_json_add_line(struct dse_strbuf *out, json_t *json);

/* Text written value by value, for documents whose trees would take longer than the rest: members have a key, elements and the whole have none. A real
 * that is not finite and a text that is NULL are null. */
struct dse_json_writer {
    struct dse_strbuf *out;
    size_t indent;    /* as `depth` above */
    bool one_line;
    size_t level;     /* open objects and arrays */
    bool more;        /* the innermost has a value */
};
void dse_json_open(struct dse_json_writer *w, const char *key, char bracket); /* '{' or '[' */
void dse_json_close(struct dse_json_writer *w, char bracket);
void dse_json_write_real(struct dse_json_writer *w, const char *key, double value);
void dse_json_write_whole(struct dse_json_writer *w, const char *key, int64_t value);
void dse_json_write_text(struct dse_json_writer *w, const char *key, const char *text);
void dse_json_write_flag(struct dse_json_writer *w, const char *key, bool value);
void dse_json_write_tree(struct dse_json_writer *w, const char *key, json_t *json); /* takes the reference */
void dse_json_write_resources(struct dse_json_writer *w, const char *key, const int64_t amounts[DSE_RESOURCE_COUNT]);

/* As dse_json_add, with one space of indentation and a fixed number of digits in real numbers: the original format of `train`, `infer`, `simulate`,
 * `calibrate` and `boards check`. */
void dse_json_add_digits(struct dse_strbuf *out, int digits, json_t *json);

/* `rows` as CSV: a column per member of any row, lists with "; " between their elements. */
void dse_json_csv(struct dse_strbuf *out, const json_t *rows);

/* A number, or null if NaN or infinite. */
json_t *dse_json_number(double value);

/* XXH3 of a file's bytes as 16 hexadecimal digits; null if unreadable. */
json_t *dse_json_file_hash(const char *path);

/* A count, saturated at INT64_MAX; a hash as 16 hexadecimal digits; a setting's pairs as texts; metrics by key (null if not finite); resources by
 * name; the objectives' metrics by their keys. */
json_t *dse_json_count(uint64_t count);
json_t *dse_json_hash(uint64_t hash);
json_t *dse_json_setting(const struct dse_setting *setting);
json_t *dse_json_metrics(const double metrics[DSE_METRIC_COUNT]);
json_t *dse_json_resources(const int64_t amounts[DSE_RESOURCE_COUNT]);
json_t *dse_json_objectives(const enum dse_metric *objectives, size_t count);

/* Adds a number as a member, omitted if unknown; a text, omitted if NULL. */
void dse_json_put_number(json_t *object, const char *key, double value);
void dse_json_put_text(json_t *object, const char *key, const char *text);
