/* JSON objects as text, uniform over all reports. */
#pragma once

#include <jansson.h>

#include "core/setting.h"
#include "core/strbuf.h"
#include "models/model.h"

/* The `$schema` for a document's `schema`: "urn:nysx-dse:schema:sweep:1" for "nysx-dse.sweep/1". Schema files of these names are
 * installed (reports/schema.h). */
void dse_json_schema_name(const char *schema, char *out, size_t size);

/* Adds the object with two spaces of indentation, shortest round-trip real numbers, and a final newline. Takes the
 * reference. A document (with member `schema`) also gets `$schema` in front and `results`: its list, or itself as the only element. */
void dse_json_add(struct dse_strbuf *out, json_t *json);

/* The same as part of a larger text: indents every line but the first by `depth`, without final newline. For documents
 * whose complete tree would take many times the memory of its text. */
void dse_json_add_at(struct dse_strbuf *out, size_t depth, json_t *json);

/* The same on one line. */
void dse_json_add_line(struct dse_strbuf *out, json_t *json);

/* As dse_json_add, with one space of indentation and a fixed number of digits in real numbers: the original format of `train`, `infer`, `simulate`,
 * `calibrate` and `boards check`. */
void dse_json_add_digits(struct dse_strbuf *out, int digits, json_t *json);

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

/* The same as a member, omitted if unknown; a text, omitted if NULL. */
void dse_json_put_number(json_t *object, const char *key, double value);
void dse_json_put_text(json_t *object, const char *key, const char *text);
