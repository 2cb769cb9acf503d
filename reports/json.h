/* JSON objects as text, the same in every report. */
#pragma once

#include <jansson.h>

#include "core/setting.h"
#include "core/strbuf.h"
#include "models/model.h"

/* The `$schema` of documents whose `schema` is this: "urn:nysx-dse:schema:sweep:1" of "nysx-dse.sweep/1". Files of these names' schemas are
 * installed (reports/schema.h). */
void dse_json_schema_name(const char *schema, char *out, size_t size);

/* Adds the object with two spaces of indentation, real numbers with the digits that read back as the same double and a final newline. Takes the
 * reference. A document, which has a member `schema`, is written with `$schema` in front and with `results`: its list, or itself as the only one. */
void dse_json_add(struct dse_strbuf *out, json_t *json);

/* The same as part of a larger text: every line but the first `depth` spaces in, and no newline at the end. For documents
 * whose parts, as one tree, would take many times the memory of their text. */
void dse_json_add_at(struct dse_strbuf *out, size_t depth, json_t *json);

/* The same on a single line. */
void dse_json_add_line(struct dse_strbuf *out, json_t *json);

/* As dse_json_add, with one space of indentation and so many digits in every real number: what `train`, `infer`, `simulate`,
 * `calibrate` and `boards check` have printed from the start. */
void dse_json_add_digits(struct dse_strbuf *out, int digits, json_t *json);

/* A number, or null where it is not known: NaN or infinite. */
json_t *dse_json_number(double value);

/* The XXH3 of a file's bytes as 16 hexadecimal digits; null where it cannot be read. */
json_t *dse_json_file_hash(const char *path);

/* A count, at most INT64_MAX; a hash as 16 hexadecimal digits; a setting's pairs as texts; metrics by their keys (null where not finite),
 * resources by their names, and the metrics of objectives by theirs. */
json_t *dse_json_count(uint64_t count);
json_t *dse_json_hash(uint64_t hash);
json_t *dse_json_setting(const struct dse_setting *setting);
json_t *dse_json_metrics(const double metrics[DSE_METRIC_COUNT]);
json_t *dse_json_resources(const int64_t amounts[DSE_RESOURCE_COUNT]);
json_t *dse_json_objectives(const enum dse_metric *objectives, size_t count);

/* The same as a member, left out where it is not known; a text, left out where it is NULL. */
void dse_json_put_number(json_t *object, const char *key, double value);
void dse_json_put_text(json_t *object, const char *key, const char *text);
