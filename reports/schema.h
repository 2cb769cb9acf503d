/* JSON Schemas (2020-12) of the program's JSON answers. schemas.json beside this file composes them from the field tables.
 *
 * schemas.json has one member per document ("sweep" of "nysx-dse.sweep/1") or part of one. A shape is one of:
 * - letters of types (s text, i integer, n number, b boolean, 0 null), or "any"; "=text": exactly that text;
 * - "#part" or "@table" (a field table); alternatives separated by "|"; [shape]: a list;
 * - an object of shapes. A key that ends in "?" may be missing, one that ends in "~" may be null. The key "*" gives the shape of members with
 *   any name, "@resources" and "@metrics" that of one member per resource or metric, "#" a part whose members the object also has. */
#pragma once

#include <jansson.h>

#include "core/status.h"
#include "reports/fields.h"

/* Names of the documents, in the order of schemas.json; returns their number. The caller owns the list but not its texts. */
size_t dse_schema_names(const char ***names);

/* Schema of a document, owned by the caller. Unknown members are allowed, because members may be added. DSE_BAD_USAGE, naming the nearest name,
 * for an unknown document. */
enum dse_status dse_schema_json(const char *name, json_t **out, struct dse_error *err);

/* Field tables, terminated by an empty name. */
struct dse_schema_table {
    const char *name;
    const struct dse_field *fields;
};
extern const struct dse_schema_table dse_schema_tables[];

extern const struct dse_field dse_engine_fields[], dse_fields_board_port[], dse_fields_board_source[], dse_fields_compared[], dse_fields_doctor[], dse_fields_family_line[], dse_fields_load[], dse_fields_paper[], dse_fields_paper_summary[], dse_fields_plot[], dse_fields_roofline_point[], dse_fields_study_exploration[], dse_fields_study_input[], dse_fields_study_run[], dse_fields_synthesis[], dse_fields_validation[];
