/* JSON objects as text, the same in every report. */
#ifndef DSE_REPORTS_JSON_H
#define DSE_REPORTS_JSON_H

#include <jansson.h>

#include "core/status.h"
#include "core/strbuf.h"

/* Adds the object with two spaces of indentation, real numbers with the digits that read back as the same double and a final newline. Takes the
 * reference. `out->failed` is set when memory ran out, also earlier, so that `json` is NULL. */
void dse_json_add(struct dse_strbuf *out, json_t *json);

/* The same as part of a larger text: every line but the first `depth` spaces in, and no newline at the end. For documents
 * whose parts, as one tree, would take many times the memory of their text. */
void dse_json_add_at(struct dse_strbuf *out, size_t depth, json_t *json);

/* The same on a single line. */
void dse_json_add_line(struct dse_strbuf *out, json_t *json);

/* As dse_json_add, with one space of indentation and so many digits in every real number: what `train`, `infer`, `simulate`,
 * `calibrate` and `boards check` have printed from the start. */
void dse_json_add_digits(struct dse_strbuf *out, int digits, json_t *json);

/* dse_json_add with a status: DSE_LIMIT. */
enum dse_status dse_json_write(json_t *json, struct dse_strbuf *out, struct dse_error *err);

/* A number, or null where it is not known: NaN or infinite. */
json_t *dse_json_number(double value);

/* The XXH3 of a file's bytes as 16 hexadecimal digits; null where it cannot be read. */
json_t *dse_json_file_hash(const char *path);

/* The same as a member, left out where it is not known; a text, left out where it is NULL. */
void dse_json_put_number(json_t *object, const char *key, double value);
void dse_json_put_text(json_t *object, const char *key, const char *text);

#endif
